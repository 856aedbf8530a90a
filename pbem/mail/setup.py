"""Setting mail up: what the common providers want, and whether settings work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.mail.account import Account
from pbem.mail.queue import Queue
from pbem.protocol.errors import PbemError
from pbem.table.addressed import Letter
from pbem.table.desk import Desk


@dataclass(frozen=True, slots=True)
class Provider:
    """The servers of a provider, all by TLS unless said otherwise, and what a person has to know."""

    imap: str
    smtp: str
    smtp_security: str = "tls"
    hint: str = ""


_APP = "This provider wants an app password in place of the one you log in with: make one in its security settings."
_TOKEN = "This provider wants tokens (XOAUTH2): a token command such as oauth2ms or mutt_oauth2.py, see docs/mail.md."  # noqa: S105
_SWITCH = "Switch IMAP on in the settings of your mailbox first."
_GOOGLE = Provider("imap.gmail.com", "smtp.gmail.com", hint=_APP)
_OUTLOOK = Provider("outlook.office365.com", "smtp.office365.com", "starttls", _TOKEN)
_YAHOO = Provider("imap.mail.yahoo.com", "smtp.mail.yahoo.com", hint=_APP)
_APPLE = Provider("imap.mail.me.com", "smtp.mail.me.com", "starttls", _APP)

PROVIDERS: Final[dict[str, Provider]] = {
    "gmail.com": _GOOGLE,
    "googlemail.com": _GOOGLE,
    "outlook.com": _OUTLOOK,
    "hotmail.com": _OUTLOOK,
    "live.com": _OUTLOOK,
    "yahoo.com": _YAHOO,
    "icloud.com": _APPLE,
    "me.com": _APPLE,
    "fastmail.com": Provider("imap.fastmail.com", "smtp.fastmail.com", hint=_APP),
    "gmx.de": Provider("imap.gmx.net", "mail.gmx.net", "starttls", hint=_SWITCH),
    "gmx.net": Provider("imap.gmx.net", "mail.gmx.net", "starttls", hint=_SWITCH),
    "web.de": Provider("imap.web.de", "smtp.web.de", "starttls", hint=_SWITCH),
    "posteo.de": Provider("posteo.de", "posteo.de"),
    "mailbox.org": Provider("imap.mailbox.org", "smtp.mailbox.org"),
}


def provider_of(address: str) -> Provider | None:
    return PROVIDERS.get(address.rpartition("@")[2].casefold())


def other_address(card: str, address: str) -> str:
    """What follows from mail that leaves by another address than the one on the card; empty if it is the same."""
    if card.casefold() == address.casefold():
        return ""
    if not card:
        return (
            f"Your card gives no address: nobody's program can write to you; to {address} comes what people mail by "
            "hand. A card with an address is made by: pbem id new NAME --email ADDRESS"
        )
    return (
        f"Your card says {card}, and your mail leaves as {address}. Opponents' programs write to the address on "
        f"the card: their turns come in here only if this mailbox gets the mail of {card} too. If it does not, change "
        "address in mail.toml, or add an [[in]] for that mailbox."
    )


def notices(account: Account) -> list[str]:
    """What a person should know of settings that are not wrong."""
    found = [other_address(account.person.card.email, account.settings.address)]
    if not account.inboxes:
        found.append("No way in is set up: nothing is fetched. Add one with: pbem mail setup")
    if not account.outs:
        found.append("No way out is set up: nothing is sent. Add one with: pbem mail setup")
    return [each for each in found if each]


@dataclass(frozen=True, slots=True)
class Tried:
    """One way, tried."""

    way: str
    out: bool
    fault: tuple[str, str] | None
    """Code and sentence."""


def try_ways(account: Account) -> Iterator[Tried]:
    """Logs in everywhere, reads nothing, sends nothing."""
    for inbox in account.inboxes:
        try:
            inbox.check()
        except PbemError as error:
            yield Tried(inbox.name, out=False, fault=(error.code, error.sentence))
        else:
            yield Tried(inbox.name, out=False, fault=None)
        finally:
            inbox.close()
    for out in account.outs:
        try:
            out.check()
        except PbemError as error:
            yield Tried(out.name, out=True, fault=(error.code, error.sentence))
        else:
            yield Tried(out.name, out=True, fault=None)
        finally:
            out.close()


def pass_over_old(desk: Desk, queue: Queue, identity: bytes) -> int:
    """When mail is set up, the files of the outbox have been mailed by hand: all but the newest of each game, which
    does no harm twice, count as sent. How many."""
    book = desk.outbox.addresses
    letters: list[tuple[int, Letter]] = []
    for name in book.names():
        letter = book.of(name)
        if letter is not None and letter.sender.identity == identity:
            letters.append((book.stamp(name), letter))
    letters.sort(key=lambda each: (each[0], each[1].name))
    newest = {letter.sender.game: letter.name for _, letter in letters}
    old = [(letter.name, stamp) for stamp, letter in letters if newest[letter.sender.game] != letter.name]
    now = desk.clock()
    queue.done([queue.passed_over(name, stamp, now) for name, stamp in old], now)
    return len(old)
