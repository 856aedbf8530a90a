"""The mail settings of one identity: `mail.toml`, read strictly by `schemas/mail.json` and written back.

The ways in are all looked through; the ways out are tried in their order until one takes the mail. The file holds no
secret, only where each is to be had.
"""

from __future__ import annotations

import ipaddress
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pbem.kit.datafile import read_toml, schema
from pbem.mail.mailerror import MailError, quoted

MAX_SETTINGS: Final = 64 << 10
Security = Literal["tls", "starttls", "none"]
Auth = Literal["password", "xoauth2"]
PORTS: Final[dict[tuple[str, str], int]] = {
    ("imap", "tls"): 993,
    ("imap", "starttls"): 143,
    ("imap", "none"): 143,
    ("pop3", "tls"): 995,
    ("pop3", "starttls"): 110,
    ("pop3", "none"): 110,
    ("smtp", "tls"): 465,
    ("smtp", "starttls"): 587,
    ("smtp", "none"): 25,
}
_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.][A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}"
)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a secret is to be had: asked for at the terminal, the system's keyring, or a command's first line."""

    kind: Literal["prompt", "keyring", "command"] = "prompt"
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    kind: Literal["imap", "pop3", "smtp"]
    host: str
    port: int
    security: Security
    user: str = ""
    """Empty: no login, as for a server of one's own machine."""
    auth: Auth = "password"
    secret: Source = Source()
    folder: str = "INBOX"
    ca: str = ""
    """A file with the certificate of whoever signed the server's, where the system does not know him."""

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
    """Seconds between two looks where the server does not say by itself that mail has come."""
    first_days: int = 30
    """How far back the first look at a mailbox goes."""
    answers_per_hour: int = 60
    """Automatic mails sent in an hour at most; more wait."""
    remind_me: int = 3
    """After this many days, and again each time as many have passed, the player is told who waits for him; 0: never."""
    remind_others: int = 0
    """The same for an opponent, who is then sent the last file once more; 0: never."""
    resend: int = 1
    """Days after which a file that seems to be lost goes once more by itself; 0: never."""
    armour: bool = True
    """The file also as text in the body, for whom loses attachments."""
    report: bool = True
    """A page about the turn goes with it, with map and battles; without it the board as text."""
    tell: tuple[str, ...] = ()
    """A command that gets the news on its standard input."""


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
    """The settings in a file; E-MAIL-SETTINGS says where it is wrong."""
    if len(raw) > MAX_SETTINGS:
        raise _wrong("The mail settings are larger than any that pbem writes.")
    try:
        value = read_toml(raw)
    except ValueError as error:
        raise _wrong(f"The mail settings are not TOML: {error}.") from None
    found = _faults(value)
    if found:
        raise _wrong(f"The mail settings are not as they should be: {'; '.join(found[:5])}.")
    plain = Settings("", (), ())
    settings = Settings(
        address=value["address"],
        ways_in=tuple(_way_in(each) for each in value.get("in", [])),
        ways_out=tuple(_way_out(each) for each in value.get("out", [])),
        poll=value.get("poll", plain.poll),
        first_days=value.get("first_days", plain.first_days),
        answers_per_hour=value.get("answers_per_hour", plain.answers_per_hour),
        remind_me=value.get("remind_me", plain.remind_me),
        remind_others=value.get("remind_others", plain.remind_others),
        resend=value.get("resend", plain.resend),
        armour=value.get("armour", plain.armour),
        report=value.get("report", plain.report),
        tell=tuple(value.get("tell", ())),
    )
    check(settings)
    return settings


def check(settings: Settings) -> None:
    """What no schema can say."""
    if not is_address(settings.address):
        raise _wrong(f"{settings.address!r} is not a mail address.")
    for way in (*settings.ways_in, *settings.ways_out):
        if isinstance(way, Server) and way.security == "none" and not is_loopback(way.host):
            raise _wrong(
                f"{way.name} would be spoken to in the clear, with your password for everybody on the way. Only a "
                "server of this machine (localhost) may be: set security to tls or starttls."
            )
        if isinstance(way, Local):
            try:
                way.place.absolute()
            except (RuntimeError, OSError):
                raise _wrong(f"{way.name}: there is no such user here. Write the folder from its beginning.") from None
    names = [way.name for way in settings.ways_in]
    if len(set(names)) != len(names):
        raise _wrong("The same way in is listed twice.")


_SHAPES = {"imap": "reader", "pop3": "reader", "maildir": "local", "mbox": "local"}
_SHAPES_OUT = {"smtp": "smtp", "command": "program", "files": "files"}


def _faults(value: Any) -> list[str]:
    """What is wrong by the schema, and where. Values are not quoted: somebody may have written a password there."""
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
            found.append(f"{where}: kind has to be one of {', '.join(sorted(shapes))}")
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
        return f"{where}: has to be one of {', '.join(map(str, error.validator_value))}"
    return f"{where}: has a value that cannot be"


def _unknown(where: str, name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    meant = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
    return f"{where}: there is no setting {quoted(name)!r}{meant}"


def _way_in(value: dict[str, Any]) -> WayIn:
    return _server(value) if value["kind"] in ("imap", "pop3") else Local(value["kind"], value["path"])


def _way_out(value: dict[str, Any]) -> WayOut:
    if value["kind"] == "smtp":
        return _server(value)
    if value["kind"] == "command":
        return Command(tuple(value["command"]))
    return Local("files", value["path"])


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
        f"# The mail of {' '.join(who.split())}, by `pbem mail setup`. Change it as you like, then: pbem mail test",
        "# No secret stands here, only where each is to be had. docs/mail.md explains every line.",
        "v = 1",
        f"address = {_text(settings.address)}",
        f"poll = {settings.poll}  # seconds between two looks, where the server does not say that mail has come",
        f"first_days = {settings.first_days}  # how far back the first look at a mailbox goes",
        f"answers_per_hour = {settings.answers_per_hour}  # automatic mails at most; more wait",
        f"remind_me = {settings.remind_me}  # days after which you are told who waits for you; 0: never",
        f"remind_others = {settings.remind_others}  # days after which an opponent gets the last file again; 0: never",
        f"resend = {settings.resend}  # days after which a file that seems to be lost goes once more; 0: never",
        f"armour = {_bool(settings.armour)}  # the file also as text in the body",
        f"report = {_bool(settings.report)}  # a page about the turn goes with it; false: the board as text",
    ]
    if settings.tell:
        lines.append(f"tell = {_texts(settings.tell)}  # gets the news on its standard input")
    for title, ways in (("in", settings.ways_in), ("out", settings.ways_out)):
        for way in ways:
            lines += ["", f"[[{title}]]", f"kind = {_text(way.kind)}"]
            if isinstance(way, Server):
                lines += _server_lines(way)
            elif isinstance(way, Local):
                lines.append(f"path = {_text(way.path)}")
            else:
                lines.append(f"command = {_texts(way.command)}")
    return "\n".join(lines) + "\n"


def _server_lines(way: Server) -> list[str]:
    lines = [f"host = {_text(way.host)}", f"port = {way.port}", f"security = {_text(way.security)}"]
    if way.kind == "imap" and way.folder != "INBOX":
        lines.append(f"folder = {_text(way.folder)}")
    if way.ca:
        lines.append(f"ca = {_text(way.ca)}")
    if way.user:
        inner = f"from = {_text(way.secret.kind)}"
        if way.secret.command:
            inner += f", command = {_texts(way.secret.command)}"
        lines += [f"user = {_text(way.user)}", f"auth = {_text(way.auth)}", f"secret = {{ {inner} }}"]
    return lines


def _text(value: str) -> str:
    """A TOML basic string: JSON's escapes are among TOML's, and what JSON leaves bare, TOML does too, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _texts(values: tuple[str, ...]) -> str:
    return f"[{', '.join(_text(each) for each in values)}]"


def _bool(value: bool) -> str:
    return "true" if value else "false"
