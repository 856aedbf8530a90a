"""The mail settings of one identity: `mail.toml`, read strictly by `schemas/mail.json` and written back.

All ways in are looked through; the ways out are tried in order until one takes the mail. The file holds no secret,
only where to get each one. Beside it, what the common providers want.
"""

from __future__ import annotations

import ipaddress
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pbem.kit.datafile import read_toml, schema
from pbem.mail.connect import MailError, quoted

MAX_SETTINGS: Final = 64 << 10
Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]
PORTS: Final[dict[tuple[str, str], int]] = {
    ("imap", "tls"): 993,
    ("imap", "starttls"): 143,
    ("imap", "none"): 143,
    ("smtp", "tls"): 465,
    ("smtp", "starttls"): 587,
    ("smtp", "none"): 25,
}
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.][A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a secret: the terminal, the system's keyring, or the first line that a command prints."""

    kind: Literal["prompt", "keyring", "command"] = "prompt"
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    kind: Literal["imap", "smtp"]
    host: str
    port: int
    security: Security
    user: str = ""
    """Empty: no login, as for a server on the same machine."""
    auth: Auth = "password"
    secret: Source = Source()
    folder: str = "INBOX"
    ca: str = ""
    """A file with the certificate that signed the server's, where the system does not know it."""

    @property
    def name(self) -> str:
        return f"{self.kind}://{self.user + '@' if self.user else ''}{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Local:
    """Mail that some other program has fetched, or is to send: a Maildir, an mbox file, a folder of files."""

    kind: Literal["maildir", "mbox", "files"]
    path: str

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.path}"

    @property
    def place(self) -> Path:
        return Path(self.path).expanduser()


@dataclass(frozen=True, slots=True)
class Command:
    """A program that takes a mail on standard input and the receivers as arguments, like sendmail."""

    command: tuple[str, ...]
    kind: Literal["command"] = "command"

    @property
    def name(self) -> str:
        return f"command:{self.command[0]}"


WayIn = Server | Local
WayOut = Server | Local | Command


@dataclass(frozen=True, slots=True)
class Settings:
    address: str
    ways_in: tuple[WayIn, ...]
    ways_out: tuple[WayOut, ...]
    poll: int = 300
    first_days: int = 30
    answers_per_hour: int = 60
    remind_me: int = 3
    remind_others: int = 0
    resend: int = 1
    armour: bool = True
    report: bool = True
    tell: tuple[str, ...] = ()


_MEANING: Final = {
    "poll": "seconds between checks, if the server does not announce mail",
    "first_days": "how far back, in days, the first check reads",
    "answers_per_hour": "the most automatic mails in an hour; the rest wait",
    "remind_me": "days after which you are reminded that others wait, again and again; 0: never",
    "remind_others": "days after which an opponent gets your last file again; 0: never",
    "resend": "days after which a file that seems lost is sent again; 0: never",
    "armour": "put the file into the mail as text, too, in case the attachment is lost",
    "report": "attach a page about the turn, with map and battles; false: the board as text",
    "tell": "a command that gets the news on its standard input",
}


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(text: str) -> bool:
    """A plain mail address that may stand in a header and be given to a command: never an option, never two."""
    return _ADDRESS.fullmatch(text) is not None and len(text) <= 254


def _wrong(sentence: str) -> MailError:
    return MailError("E-MAIL-SETTINGS", sentence, lasting=True)


def parse(raw: bytes) -> Settings:
    """The settings in a file; E-MAIL-SETTINGS says where they are wrong."""
    if len(raw) > MAX_SETTINGS:
        raise _wrong("The mail settings file is too large.")
    try:
        value = read_toml(raw)
    except ValueError as error:
        raise _wrong(f"The mail settings are not TOML: {error}.") from None
    found = _faults(value)
    if found:
        raise _wrong(f"The mail settings are not valid: {'; '.join(found[:5])}.")
    plain: dict[str, Any] = {
        name: tuple(value[name]) if name == "tell" else value[name] for name in _MEANING if name in value
    }
    settings = Settings(
        value["address"],
        tuple(_way(each) for each in value.get("in", [])),
        tuple(_way(each) for each in value.get("out", [])),
        **plain,
    )
    check(settings)
    return settings


def check(settings: Settings) -> None:
    """What the schema cannot express."""
    if not is_address(settings.address):
        raise _wrong(f"{settings.address!r} is not an email address.")
    for way in (*settings.ways_in, *settings.ways_out):
        if isinstance(way, Server) and way.security == "none" and not is_loopback(way.host):
            raise _wrong(
                f"{way.name} is not encrypted: anyone on the way could read your password. Set security to tls "
                "or starttls; none is allowed only for localhost."
            )
        if isinstance(way, Local):
            try:
                way.place.absolute()
            except (RuntimeError, OSError):
                raise _wrong(f"{way.name}: there is no such user here. Give the folder as a full path.") from None
    names = [way.name for way in settings.ways_in]
    if len(set(names)) != len(names):
        raise _wrong("The same mailbox is listed twice under [[in]].")


_SHAPES = {"imap": "reader", "maildir": "local", "mbox": "local"}
_SHAPES_OUT = {"smtp": "smtp", "command": "program", "files": "files"}


def _faults(value: Any) -> list[str]:
    """What is wrong by the schema, and where. Values are not quoted: one of them may be a password."""
    from jsonschema import Draft202012Validator

    whole = schema("mail")
    found = []
    for error in Draft202012Validator(whole).iter_errors(value):
        where = "/".join(map(str, error.absolute_path)) or "the file"
        if error.validator != "anyOf":
            found.append(_fault(where, error))
            continue
        kind = error.instance.get("kind") if isinstance(error.instance, dict) else None
        shapes = {**_SHAPES, "files": "local"} if where.startswith("in/") else _SHAPES_OUT
        if not isinstance(kind, str) or kind not in shapes:
            found.append(f"{where}: kind must be one of {', '.join(sorted(shapes))}")
            continue
        shape = {"$ref": f"#/$defs/{shapes[kind]}", "$defs": whole["$defs"]}
        for inner in Draft202012Validator(shape).iter_errors(error.instance):
            found.append(_fault("/".join((where, *map(str, inner.absolute_path))), inner))
    return found


def _fault(where: str, error: Any) -> str:
    if error.validator == "required":
        lacking = [each for each in error.validator_value if each not in error.instance]
        return f"{where}: {', '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing"
    if error.validator == "additionalProperties":
        known = sorted(error.schema["properties"])
        return "; ".join(_unknown(where, each, known) for each in error.instance if each not in known)
    if error.validator == "enum":
        return f"{where}: must be one of {', '.join(map(str, error.validator_value))}"
    return f"{where}: the value is not valid"


def _unknown(where: str, name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    meant = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
    return f"{where}: there is no setting {quoted(name)!r}{meant}"


def _way(value: dict[str, Any]) -> Any:
    match value["kind"]:
        case "imap" | "smtp":
            return _server(value)
        case "command":
            return Command(tuple(value["command"]))
        case kind:
            return Local(kind, value["path"])


def _server(value: dict[str, Any]) -> Server:
    kind, security = value["kind"], value.get("security", "tls")
    secret = value.get("secret", {})
    return Server(
        kind=kind,
        host=value["host"],
        port=value.get("port", PORTS[kind, security]),
        security=security,
        user=value.get("user", ""),
        auth=value.get("auth", "password"),
        secret=Source(secret.get("from", "prompt"), tuple(secret.get("command", ()))),
        folder=value.get("folder", "INBOX"),
        ca=value.get("ca", ""),
    )


def write(settings: Settings, who: str) -> str:
    """The file, with a line on each setting that a person may want to change."""
    lines = [
        f"# Mail of {' '.join(who.split())}, written by `pbem mail setup`. Change it, then try it: pbem mail test",
        "# It holds no secret, only where to get each one. docs/mail.md explains every line.",
        "v = 1",
        f"address = {_toml(settings.address)}",
    ]
    for name, meaning in _MEANING.items():
        if (value := getattr(settings, name)) != ():
            lines.append(f"{name} = {_toml(value)}  # {meaning}")
    for title, ways in (("in", settings.ways_in), ("out", settings.ways_out)):
        for way in ways:
            lines += ["", f"[[{title}]]", f"kind = {_toml(way.kind)}"]
            if isinstance(way, Server):
                lines += _server_lines(way)
            elif isinstance(way, Local):
                lines.append(f"path = {_toml(way.path)}")
            else:
                lines.append(f"command = {_toml(way.command)}")
    return "\n".join(lines) + "\n"


def _server_lines(way: Server) -> list[str]:
    lines = [f"host = {_toml(way.host)}", f"port = {way.port}", f"security = {_toml(way.security)}"]
    if way.kind == "imap" and way.folder != "INBOX":
        lines.append(f"folder = {_toml(way.folder)}")
    if way.ca:
        lines.append(f"ca = {_toml(way.ca)}")
    if way.user:
        inner = f"from = {_toml(way.secret.kind)}"
        if way.secret.command:
            inner += f", command = {_toml(way.secret.command)}"
        lines += [f"user = {_toml(way.user)}", f"auth = {_toml(way.auth)}", f"secret = {{ {inner} }}"]
    return lines


def _toml(value: str | int | tuple[str, ...]) -> str:
    """JSON's escapes are among TOML's, and what JSON leaves bare, TOML does too, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider's servers, all over TLS unless stated otherwise, and a hint for the person."""

    imap: str
    smtp: str
    smtp_security: str = "tls"
    hint: str = ""


_APP = "This provider wants an app password instead of your usual one. Create one in its security settings."
_TOKEN = "This provider wants tokens (XOAUTH2), from a command such as oauth2ms or mutt_oauth2.py. See docs/mail.md."  # noqa: S105
_SWITCH = "First enable IMAP in the settings of your mailbox."
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
    """What follows when mail leaves from another address than the one on the card; empty if it is the same."""
    if card.casefold() == address.casefold():
        return ""
    if not card:
        return (
            f"Your card has no address, so other players' programs cannot write to you; only mail that people send to "
            f"{address} themselves arrives. To make a card with an address: pbem id new NAME --email ADDRESS"
        )
    return (
        f"Your card says {card}, but your mail leaves from {address}. Opponents' programs write to the address on your "
        f"card, so this mailbox must also receive the mail for {card}. If it does not, change address in mail.toml, or "
        "add an [[in]] section for that mailbox."
    )
