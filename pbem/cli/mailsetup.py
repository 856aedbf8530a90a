"""The questions of `pbem mail setup`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Literal

import click

from pbem.cli.out import note, say
from pbem.mail.settings import (
    PORTS,
    Command,
    Local,
    Security,
    Server,
    Settings,
    Source,
    WayIn,
    WayOut,
    check,
    is_address,
    is_loopback,
)
from pbem.mail.setup import Provider, other_address, provider_of

if TYPE_CHECKING:
    from pbem.table.people import Person

_INS = ("imap", "pop3", "maildir", "mbox", "files")
_OUTS = ("smtp", "command", "files")


def ask_settings(person: Person) -> Settings:
    address = _address(person)
    provider = provider_of(address)
    if provider is not None:
        say(f"{provider.imap} and {provider.smtp} are known here; press Enter to take them.")
        if provider.hint:
            say(provider.hint)
    way_in, login = _ask_in(address, provider)
    settings = Settings(
        address=address,
        ways_in=(way_in,),
        ways_out=(_ask_out(address, provider, login),),
        remind_me=_number("After how many days are you told who waits for you (0: never)", 3),
        remind_others=_number("After how many days does an opponent get a reminder by mail (0: never)", 0),
    )
    check(settings)
    return settings


def _address(person: Person) -> str:
    """As on the card, or another that the person wants all the same."""
    while True:
        address = _line("Your mail address", person.card.email)
        if not is_address(address):
            say("That is not a mail address.")
            continue
        why = other_address(person.card.email, address)
        if not why:
            return address
        note(why, style="wait")
        if click.confirm("Take it all the same?", default=True):
            return address


def _line(prompt: str, default: str = "") -> str:
    answer: str = click.prompt(prompt, default=default or None, type=str)
    return answer.strip()


def _number(prompt: str, default: int) -> int:
    answer: int = click.prompt(prompt, default=default, type=click.IntRange(0, 365))
    return answer


def _choice(prompt: str, choices: tuple[str, ...], default: str) -> str:
    answer: str = click.prompt(prompt, default=default, type=click.Choice(choices))
    return answer


def _ask_in(address: str, provider: Provider | None) -> tuple[WayIn, Server | None]:
    say("How does mail come? imap or pop3 from a server; maildir, mbox or files if another program fetches it.")
    match _choice("Mail comes by", _INS, "imap"):
        case "imap":
            server = _server("imap", address, provider.imap if provider else "", "tls", None)
            return server, server
        case "pop3":
            server = _server("pop3", address, "", "tls", None)
            return server, server
        case "maildir":
            return Local("maildir", _line("The Maildir", "~/Maildir")), None
        case "mbox":
            return Local("mbox", _line("The mbox file", f"/var/mail/{address.partition('@')[0]}")), None
        case _:
            return Local("files", _line("The folder that mails are put into", "~/pbem-in")), None


def _ask_out(address: str, provider: Provider | None, login: Server | None) -> WayOut:
    say("How does mail leave? smtp to a server; command for a program like sendmail or msmtp; files for a folder.")
    match _choice("Mail leaves by", _OUTS, "smtp"):
        case "smtp":
            security = provider.smtp_security if provider else "tls"
            return _server("smtp", address, provider.smtp if provider else "", security, login)
        case "command":
            return Command(
                tuple(shlex.split(_line("The command; receivers are added to it", "/usr/sbin/sendmail -i --")))
            )
        case _:
            return Local("files", _line("The folder that mails are put into", "~/pbem-out"))


def _server(
    kind: Literal["imap", "pop3", "smtp"], address: str, host: str, security: str, login: Server | None
) -> Server:
    host = _line(
        f"The {kind.upper()} server", host or f"{'pop' if kind == 'pop3' else kind}.{address.rpartition('@')[2]}"
    )
    choices = ("tls", "starttls", "none") if is_loopback(host) else ("tls", "starttls")
    chosen: Security
    match _choice("Encrypted by", choices, security):
        case "tls":
            chosen = "tls"
        case "starttls":
            chosen = "starttls"
        case _:
            chosen = "none"
    port: int = click.prompt("Port", default=PORTS[kind, chosen], type=click.IntRange(1, 65535))
    user = _line("User name there", login.user if login else address)
    if login is not None and click.confirm("The same password as for the incoming mail?", default=True):
        return Server(kind, host, port, chosen, user, login.auth, _kept_again(login, host, user))
    token = click.confirm("Does the server want a token (XOAUTH2) in place of a password?", default=False)
    return Server(kind, host, port, chosen, user, "xoauth2" if token else "password", _secret(host, user, token=token))


def _secret(host: str, user: str, *, token: bool) -> Source:
    if token:
        return Source("command", _command("The command that prints a fresh token"))
    say("Where is the password from? prompt: typed each time; keyring: of your system; command: a program prints it.")
    match _choice("Password from", ("prompt", "keyring", "command"), "prompt"):
        case "keyring":
            _keep(host, user)
            return Source("keyring")
        case "command":
            return Source("command", _command("The command that prints it"))
        case _:
            return Source("prompt")


def _kept_again(login: Server, host: str, user: str) -> Source:
    """The keyring knows a password by user and server; a second server is a second entry."""
    if login.secret.kind == "keyring" and (host, user) != (login.host, login.user):
        _keep(host, user)
    return login.secret


def _keep(host: str, user: str) -> None:
    from pbem.mail.secrets import keep

    secret: str = click.prompt(f"Password of {user}@{host}", hide_input=True, err=True)
    keep(Server("imap", host, 1, "tls", user), secret)


def _command(prompt: str) -> tuple[str, ...]:
    while True:
        parts = tuple(shlex.split(_line(prompt)))
        if parts:
            return parts
