"""Mails as they leave, reminders too: a thread per game, a body for a person to read, the file attached and as armour.

A mail is made once, kept with its Message-ID before it is sent, and never made anew. Everybody's mails of one game
refer to the same root, made of the id of its offer, so that mail programs show them as one thread even if the first
mail is missing. Automatic mails say so (RFC 3834), so that no program answers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

from pbem.engine.counts import many, moment
from pbem.engine.obligation import doer
from pbem.home.seen import Gist
from pbem.home.summary import GameRow, Owed
from pbem.mail.connect import MailError
from pbem.mail.settings import is_address
from pbem.protocol import armour

POLICY: Final = SMTP.clone(cte_type="7bit", max_line_length=76)
MAX_ARMOUR: Final = 64 << 10
"""A larger file goes as the attachment only."""
MAX_REFERENCES: Final = 8
MAX_SUBJECT: Final = 120
MAX_LINE: Final = 200
HAPPENED: Final = 4
"""Lines about what happened; the rest is in the file and the page beside it."""
MAX_PAGE: Final = 1 << 20
"""A larger page does not go with the mail."""


@dataclass(frozen=True, slots=True)
class Page:
    """Something readable beside the file: a board, a report."""

    name: str
    text: str
    kind: str = "plain"
    """Which sort of text: plain or html."""


@dataclass(frozen=True, slots=True)
class Draft:
    """All that a mail is made of."""

    key: str
    sender_name: str
    sender: str
    to: tuple[str, ...]
    game: str
    """The game's name here."""
    root: str
    references: tuple[str, ...]
    """Ids of earlier mails of this game, received or sent, oldest first."""
    file_name: str
    raw: bytes
    automatic: bool
    body: str
    at: int
    subject: str = ""
    """Empty: the game's name here."""
    armour: bool = True
    pages: tuple[Page, ...] = ()


def key_of(identity: bytes, name: str, raw: bytes, asked: int) -> str:
    """By which a mail is known, here and in its Message-ID: the same file asked for once makes the same key."""
    text = b"\0".join((b"pbem mail", identity, name.encode(), sha256(raw).digest(), str(asked).encode()))
    return sha256(text).hexdigest()[:32]


def reminder_key(identity: bytes, key: bytes, since: int, count: int) -> str:
    text = b"\0".join((b"pbem reminder", identity, key, str(since).encode(), str(count).encode()))
    return sha256(text).hexdigest()[:32]


def again_key(identity: bytes, letter: str, count: int) -> str:
    text = b"\0".join((b"pbem again", identity, letter.encode(), str(count).encode()))
    return sha256(text).hexdigest()[:32]


def message_id(key: str, address: str) -> str:
    domain = address.rpartition("@")[2].casefold()
    return f"<pbem.{key}@{domain if re.fullmatch(r'[a-z0-9.-]{1,190}', domain) else 'pbem.invalid'}>"


def root_of(key: bytes) -> str:
    """The id that all mails of a game refer to; no mail has it."""
    return f"<pbem-game.{key.hex()[:32]}@pbem.invalid>"


def addresses(to: Sequence[str]) -> tuple[list[Address], list[str]]:
    """Receivers as a header names them, and those who have no address that a mail can go to."""
    found, lacking = [], []
    for each in to:
        # As `full_name` writes it; a name may hold whatever a person likes to be called.
        name, _, rest = each.rpartition("<")
        name, address = name.strip(), rest.removesuffix(">")
        if not is_address(address):
            lacking.append(each)
            continue
        shown = "".join(sign for sign in name if sign.isprintable())
        found.append(Address(shown, addr_spec=address))
    return found, lacking


def compose(draft: Draft) -> bytes:
    """The whole mail, pure ASCII with CRLF: the same draft makes the same bytes."""
    try:
        return _compose(draft)
    except (MessageError, ValueError, LookupError) as error:
        raise MailError(
            "E-MAIL-REFUSED", f"The mail for {draft.game} cannot be written: {error}.", lasting=True
        ) from None


def _compose(draft: Draft) -> bytes:
    mail = EmailMessage(policy=POLICY)
    mail["From"] = Address("".join(s for s in draft.sender_name if s.isprintable()), addr_spec=draft.sender)
    mail["To"] = addresses(draft.to)[0]
    mail["Subject"] = f"[pbem] {printable(draft.subject or draft.game, MAX_SUBJECT)}"
    mail["Date"] = format_datetime(datetime.fromtimestamp(draft.at, tz=UTC))
    mail["Message-ID"] = message_id(draft.key, draft.sender)
    references = (draft.root, *draft.references[-MAX_REFERENCES:])
    mail["In-Reply-To"] = references[-1]
    mail["References"] = " ".join(references)
    mail["X-Auto-Response-Suppress"] = "All"
    if draft.automatic:
        mail["Auto-Submitted"] = "auto-replied"
        mail["Precedence"] = "bulk"
    body = draft.body.rstrip("\n") + "\n"
    if draft.armour and len(draft.raw) <= MAX_ARMOUR:
        body += f"\nThe same file as text, in case the attachment is lost:\n\n{armour.wrap(draft.raw)}"
    mail.set_content(
        body, cte="7bit" if body.isascii() and max(map(len, body.split("\n"))) < 900 else "quoted-printable"
    )
    mail.add_attachment(draft.raw, maintype="application", subtype="octet-stream", filename=draft.file_name)
    for page in draft.pages:
        if len(page.text) <= MAX_PAGE:
            mail.add_attachment(page.text, subtype=page.kind, filename=page.name, cte="quoted-printable")
    mail.set_boundary(f"=_pbem_{draft.key}")
    return mail.as_bytes()


def printable(text: str, most: int) -> str:
    """A text from somebody's file or from the rules, on one line and no longer than that."""
    line = "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def subject(sender: str, gist: Gist, *, automatic: bool, alone: bool) -> str:
    """ "Barbarossa, turn 3: Anna moved; you are asked: retreat". `alone`: it goes to one receiver, who is "you"."""
    who = printable(sender, 40) or "Somebody"
    did = f"{who}'s program answered" if automatic else f"{who} {gist.did}"
    asked = []
    for name, kind in gist.asked:
        you = alone and name != ""
        whom = "you" if you else printable(name, 40) or who
        whose = "your" if you else f"{whom}'s"
        asked.append(f"{whom} {'are' if you else 'is'} asked: {printable(kind, 40)}" if kind else f"it is {whose} move")
    return "; ".join([f"{printable(gist.what, 60)}: {did}", *asked])


def body(
    sender: str,
    row: GameRow | None,
    game: str,
    gist: Gist | None = None,
    *,
    automatic: bool,
    reminder_days: int = 0,
    again: bool = False,
) -> str:
    """The text for people: whose mail it is, what happened, how the game stands, whose move it is, what to do."""
    who = printable(sender, MAX_LINE) or "Somebody"
    if reminder_days:
        first = f"A reminder: {who} has been waiting for {many(reminder_days, 'day')}. The last file is attached again."
    elif again:
        first = f"{who}'s program sends this file again: nothing shows yet that it has arrived. If it has, do nothing."
    elif automatic:
        first = f"{who}'s program answered automatically; nobody has moved."
    elif gist is not None:
        first = f"{printable(gist.what, MAX_LINE)}: {who} {gist.did}."
    else:
        first = f"{who} sends you a file from the game {game}."
    lines = [first, ""]
    if gist is not None and not reminder_days and not again:
        more = len(gist.happened) - HAPPENED
        lines += [f"- {more} earlier line{' is' if more == 1 else 's are'} in the file."] if more > 0 else []
        lines += [f"- {printable(each, MAX_LINE)}" for each in gist.happened[-HAPPENED:]]
        lines += [""] if gist.happened else []
    if row is not None and not row.fault:
        lines += [*standing(row, who), ""]
    if gist is not None and gist.whole:
        lines.append("This file holds everything that is new to you; you do not need older files from this game.")
    lines += [
        "To open it, run `pbem mail sync`; or save the attachment and run: pbem open FILE",
        "Only the signed file counts; this text is for people.",
    ]
    return "\n".join(lines)


def standing(row: GameRow, me: str) -> list[str]:
    """How the game stands and whose move it is, for everybody to read: nothing that only one player may know."""
    title = f"{row.game}{f', {row.title}' if row.title else ''} ({row.name})"
    asked = f"{me} is asked: {row.moment}" if row.my_move else row.moment
    lines = [f"{title}{f': {asked}' if asked else ''}".rstrip(".") + "."]
    if row.result:
        lines.append(f"Result: {row.result}.")
    if row.proposed:
        lines.append(row.proposed)
    place = row.tournament
    if place is not None and row.stage in ("offered", "cancelled"):
        title, umpire = (" ".join(text.split()) for text in (place.title, row.umpire))
        lines.append(f"{title}, round {place.round}, board {place.board}. The umpire is {umpire}.")
    if row.stage == "cancelled":
        lines.append("The offer was withdrawn; nobody owes anything for it.")
    elif row.stage == "offered" and row.expires:
        lines.append(f"Players can join until {moment(row.expires)}.")
    moving = [each for each in row.owed if each.what == "orders"]
    rest = [each for each in row.owed if each.what != "orders"]
    lines += [f"It is {_name(each, me)}'s move." for each in moving]
    lines += [f"{doer(_name(each, me), automatic=each.automatic)} {each.text}." for each in rest]
    return lines


def _name(owed: Owed, me: str) -> str:
    return me if owed.mine else " ".join(owed.name.split())
