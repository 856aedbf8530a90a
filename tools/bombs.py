"""`make bombs`: files that are small, bad in form, and dear to read; what each costs `open`, `verify` and `mail sync`.

Each runs in a process of its own, as a player's program would read it. The bar is 10 seconds and 150 MiB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import islice, repeat
from pathlib import Path

import click
import msgpack

from pbem.home import Home, people
from pbem.mail.mailstate import MailState
from pbem.mail.settings import Local, Settings
from pbem.protocol import armour
from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType, write_stream
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_BODY, MAX_MAIL, MAX_PAYLOAD
from pbem.protocol.listing import pack_listing
from pbem.protocol.record import make_record

SECONDS, MEMORY = 10.0, 150 << 20
COMMANDS = ("verify", "open", "sync")
_AT = 1_700_000_000


@cache
def _keys(n: int = 1) -> Keys:
    return Keys(n.to_bytes(32, "big"))


@cache
def _card(n: int = 1) -> Item:
    return Item(ItemType.CARD, make_card(_keys(n), f"Mallory {n}", "", _AT).raw)


def junk_record(n: int = 0, kind: str = "tie", data: Mapping[str, object] | None = None) -> bytes:
    made = make_record(
        _keys(), at=_AT + n, by=0, data={}, game=bytes(32), heads=(), kind="tie", pin=1, prev=bytes(32), seq=1
    )
    if data is None:
        return made.raw
    body = msgpack.packb(
        {
            "at": _AT + n, "by": 0, "data": data, "game": bytes(32), "heads": [], "kind": kind, "note": None,
            "pin": 1, "prev": bytes(32), "seq": 1, "v": 1,
        }
    )  # fmt: skip
    return bytes(msgpack.packb([body, bytes(64)]))


@cache
def _fork(n: int = 1) -> Item:
    sides = [
        make_record(
            _keys(n), at=at, by=0, data={}, game=bytes(32), heads=(), kind="tie", pin=1, prev=bytes(32), seq=5
        )
        for at in (1, 2)
    ]  # fmt: skip
    return Item(ItemType.FORK, make_fork_proof(sides[0], sides[1], make_card(_keys(n), f"Forker {n}", "", _AT)).raw)


def _nested(size: int, empty: bytes = b"\x90") -> bytes:
    """As many empty lists, or maps, as there is room for: each is a byte, and an object when it is read."""
    inner = b"\xdc\x10\x00" + empty * 4_096
    count = min(4_096, size // len(inner))
    return b"\xdc" + count.to_bytes(2, "big") + inner * count


def _strings(size: int) -> bytes:
    """As many short texts as there is room for: three bytes each, and twenty times as much when they are read."""
    inner = b"\xdc\x10\x00" + b"\xa2ab" * 4_096
    count = min(4_095, size // len(inner))
    return b"\xdc" + count.to_bytes(2, "big") + inner * count


def _stream(items: Iterator[Item], most: int) -> bytes:
    """Containers of these items, one after another, as many as fit."""
    out: list[bytes] = []
    size = 0
    for part in write_stream(items):
        if size + len(part) > most or len(out) == 1_024:
            break
        out.append(part)
        size += len(part)
    return b"".join(out)


def _same(item: Item, count: int = 1 << 30, most: int = MAX_MAIL) -> bytes:
    """Many copies, packed once: all containers are alike but for the last."""
    each = min(8_192, MAX_PAYLOAD // (5 + len(item.raw)))
    one = b"".join(write_stream(repeat(item, min(each, count))))
    return one * max(1, min(1_024, most // len(one), -(-count // each)))


def _text(inner: str) -> bytes:
    return f"{armour.BEGIN}\n{inner}\n{armour.END}\n".encode()


def _mail(kind: str, body: bytes, more: bytes = b"") -> bytes:
    return b"From: a@example.org\nSubject: x\nMIME-Version: 1.0\n" + more + f"Content-Type: {kind}\n\n".encode() + body


def _mixed(parts: Sequence[bytes]) -> bytes:
    body = b"".join(b"--b\nContent-Type: text/plain\n\n" + part + b"\n" for part in parts) + b"--b--\n"
    return _mail("multipart/mixed; boundary=b", body)


def _zip(count: int) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(count):
            archive.writestr(f"{n}.pbem", b"pbem\x01" + bytes((4 << 20) - 8))
    data = b"\n".join(b64encode(out.getvalue())[at : at + 76] for at in range(0, len(b64encode(out.getvalue())), 76))
    return _mixed_encoded(data)


def _mixed_encoded(data: bytes) -> bytes:
    part = b"Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n" + data
    return _mail("multipart/mixed; boundary=b", b"".join(b"--b\n" + part + b"\n" for _ in range(4)) + b"--b--\n")


def _filled(pattern: bytes, size: int = MAX_MAIL - 1_024) -> bytes:
    return pattern * (size // len(pattern))


def _rows(shape: Callable[[int], object]) -> list[object]:
    """Rows of a release, as many as one record may hold."""
    return list(map(shape, range(1_024)))


def _pass(_: int) -> object:
    return ["pass", "d", 1, 1, b"", b"", [], []]


BOMBS: Mapping[str, Callable[[], bytes]] = {
    # text
    "quoted": lambda: _text(_filled(b"=41").decode()),
    "quoted, no UTF-8": lambda: _text(_filled(b"=FF").decode()),
    "quoted, one by one": lambda: _text(_filled(b"=41 ").decode()),
    "entities": lambda: _text(_filled(b"&#65;").decode()),
    "long entities": lambda: _text(_filled(b"&CounterClockwiseContourIntegral;").decode()),
    "tags": lambda: _text(_filled(b"<b>").decode()),
    "open tags": lambda: _text(_filled(b"<").decode()),
    "gaps": lambda: _filled(b"-----BEGIN" + b"=20" * 40),
    "dashes": lambda: _filled(b"-"),
    "wide dashes": lambda: _filled("–".encode()),
    "begins": lambda: _filled(armour.BEGIN.encode() + b"\n"),
    "quoting": lambda: _text("\n".join(repeat("> > a>", 2_000_000))),
    "invisible": lambda: _text(_filled("\u200ba".encode()).decode()),
    "no UTF-8": lambda: _filled(b"\xff"),
    "high plane": lambda: _text("\U0001f600" + "A" * (MAX_MAIL - 2_000)),
    "letters": lambda: _text(_filled(b"A").decode()),
    "blocks": lambda: b"".join(_text("QUJD" * 60_000 + str(n)) for n in range(60)),
    # mails
    "mail of letters": lambda: _mail("text/plain", _filled(b"A")),
    "mail, 8 bit": lambda: _mail("text/plain; charset=utf-8", _filled(b"\xff")),
    "mail, short lines": lambda: _mail("text/plain", b"a\n" * 520_000 + _filled(b"b", 15 << 20)),
    "mail of too many lines": lambda: _mail("text/plain", _filled(b"a\n")),
    "mail, quoted-printable": lambda: _mail(
        "text/plain", _filled(b"=41"), b"Content-Transfer-Encoding: quoted-printable\n"
    ),
    "mail, base64": lambda: _mail("text/plain", _filled(b"A" * 76 + b"\n"), b"Content-Transfer-Encoding: base64\n"),
    "mail, uuencoded": lambda: _mail("text/plain", _filled(b"M" * 61 + b"\n"), b"Content-Transfer-Encoding: x-uue\n"),
    "mail, utf-7": lambda: _mail("text/plain; charset=utf-7", _filled(b"+AGE-")),
    "mail, utf-16": lambda: _mail("text/plain; charset=utf-16", _filled(b"a")),
    "mail, page": lambda: _mail("text/html", _filled(b"&amp;<b>")),
    "mail, long header": lambda: b"From: a@example.org\nX: " + _filled(b"a"),
    "mail, folded header": lambda: b"From: a@example.org\nX: a" + _filled(b"\n " + b"a" * 60, 12 << 20) + b"\n\nx",
    "mail of headers": lambda: b"From: a@example.org\n" + _filled(b"X: " + b"a" * 40 + b"\n") + b"\nx",
    "mail of parts": lambda: _mixed([_filled(b"A", 200_000)] * 60),
    "mail of too many parts": lambda: _mixed([b"x"] * 100_000),
    "mail, nested": lambda: b"".join(
        _mail(f"multipart/mixed; boundary=b{n}", f"--b{n}\n".encode()) for n in range(20_000)
    ),
    "mail, enclosed": lambda: _mail("message/rfc822", b"", b"") * 60_000,
    "mail with zips": lambda: _zip(20),
    # containers
    "cards": lambda: _same(_card()),
    "cards, one container": lambda: _same(_card(), 8_192),
    "forks": lambda: _same(_fork()),
    "empty lists of draws": lambda: _same(Item(ItemType.DRAWS, pack_listing(()))),
    "nested draws": lambda: _same(Item(ItemType.DRAWS, _nested(MAX_PAYLOAD - 8))),
    "nested maps in draws": lambda: _same(Item(ItemType.DRAWS, _nested(MAX_PAYLOAD - 8, b"\x80"))),
    "texts in draws": lambda: _same(Item(ItemType.DRAWS, _strings(MAX_PAYLOAD - 8))),
    "texts as data": lambda: _same(Item(ItemType.REPLACED, _strings(MAX_PAYLOAD - 8))),
    "data of zeros": lambda: _same(Item(ItemType.REPLACED, bytes(msgpack.packb(["main", bytes(MAX_PAYLOAD - 64)])))),
    "data, many names": lambda: _stream(
        (Item(ItemType.REPLACED, bytes(msgpack.packb([f"n{n}", bytes(1_000_000)]))) for n in range(80)), MAX_MAIL
    ),
    "nested data": lambda: _same(Item(ItemType.REPLACED, bytes(msgpack.packb(["main", _nested(MAX_PAYLOAD - 64)])))),
    "data that is none": lambda: _same(Item(ItemType.REPLACED, _nested(MAX_PAYLOAD - 8))),
    "records of no game": lambda: _same(Item(ItemType.RECORD, junk_record())),
    "nested records": lambda: _same(
        Item(ItemType.RECORD, junk_record(0, "tie", {"x": msgpack.unpackb(_nested(MAX_BODY - 4_400))}))
    ),
    "records of many rows": lambda: _stream(
        (Item(ItemType.RECORD, junk_record(n, "release", {"items": _rows(_pass)})) for n in range(1_000)), MAX_MAIL
    ),
    "hellos": lambda: _same(Item(ItemType.HELLO, b"\x90")),
    "cases": lambda: _same(Item(ItemType.CASE, _nested(2 << 20))),
    "messages": lambda: _same(Item(ItemType.MESSAGE, bytes(msgpack.packb([bytes(32), bytes(16), "\n" * 10_000])))),
    "backups": lambda: _same(Item(ItemType.BACKUP, bytes(MAX_PAYLOAD - 5))),
}
QUICK = (
    "quoted",
    "cards, one container",
    "nested draws",
    "nested data",
    "nested records",
    "mail, short lines",
    "mail, base64",
)
"""The dearest of each sort, for a run that should not take minutes."""


@dataclass(frozen=True, slots=True)
class Cost:
    bomb: str
    command: str
    seconds: float
    memory: int
    code: int
    said: str

    @property
    def within(self) -> bool:
        """It was refused, by a sentence, within the bar."""
        refused = self.code == 1 or self.command == "sync"
        return refused and self.seconds <= SECONDS and self.memory <= MEMORY and "Traceback" not in self.said


def home_in(folder: Path) -> Path:
    """A home with an identity whose mail lies in a Maildir."""
    root = folder / "home"
    desk = Home(root, ask=lambda _: "", cost=people.Cost(2, 8, 1))
    person = desk.new_identity("Alice Kern", "alice@example.org", "")
    for sub in ("cur", "new", "tmp"):
        (folder / "Maildir" / sub).mkdir(parents=True)
    settings = Settings(
        "alice@example.org", (Local("maildir", str(folder / "Maildir")),), (Local("files", str(folder / "out")),)
    )
    MailState(desk.paths.mail, desk.disk).set_settings(person, settings)
    return root


def as_mail(raw: bytes) -> bytes:
    """As it would come: what is no text is attached."""
    if not raw.startswith(b"pbem"):
        return raw if raw.startswith(b"From") else b"From: a@example.org\nSubject: x\n\n" + raw[: MAX_MAIL - 64]
    head = b"Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
    text = b64encode(raw[: MAX_MAIL // 16 * 11])
    lines = b"\n".join(text[at : at + 76] for at in range(0, len(text), 76))
    return _mail("multipart/mixed; boundary=b", b"--b\n" + head + lines + b"\n--b--\n")


# Linux's ru_maxrss begins with the parent's, so the process reads the kernel's own mark of itself, at its end.
_RUN = """
import atexit, os, sys
from pathlib import Path
from bench.timing import high_water
mark = Path(sys.argv.pop(1))
def note():
    spent = os.times()
    mark.write_text(f"{spent.user + spent.system} {high_water()}")
atexit.register(note)
from pbem.__main__ import main
sys.exit(main())
"""


def measure(bomb: str, command: str, raw: bytes, patience: float = 120.0) -> Cost:
    """One command in a process of its own: its time, its peak of memory, how it ended and what it said.

    Time is the processor's, which others on the same machine do not lengthen.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env = {**os.environ, "PBEM_HOME": str(home_in(folder)), "PYTHONPATH": str(Path(__file__).parent.parent)}
        if command == "sync":
            (folder / "Maildir" / "new" / "1").write_bytes(as_mail(raw))
            arguments = ["mail", "sync"]
        else:
            (folder / "bomb").write_bytes(raw)
            arguments = [command, str(folder / "bomb")]
        mark = folder / "mark"
        try:
            done = subprocess.run(
                [sys.executable, "-c", _RUN, str(mark), *arguments], env=env, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=patience, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Cost(bomb, command, patience, 0, -1, "does not end")
        spent, peak = mark.read_text().split() if mark.exists() else ("0", "0")
        return Cost(bomb, command, float(spent), int(peak) << 10, done.returncode, done.stdout.decode(errors="replace"))


def costs(names: Sequence[str], commands: Sequence[str] = COMMANDS) -> Iterator[Cost]:
    for name in names:
        raw = BOMBS[name]()
        for command in commands:
            yield measure(name, command, raw)


@click.command()
@click.option("--command", "commands", multiple=True, type=click.Choice(COMMANDS), help="Only these (default: all).")
@click.option("--only", help="Only bombs whose name holds this.")
def main(commands: tuple[str, ...], only: str | None) -> None:
    """Measure what each bomb costs."""
    names = [name for name in BOMBS if only is None or only in name]
    failed = 0
    print(f"{'bomb':28} {'command':8} {'seconds':>8} {'MiB':>6}  says")
    for cost in costs(names, commands or COMMANDS):
        failed += not cost.within
        first = next(islice(filter(None, cost.said.splitlines()), 1), "")
        mark = " " if cost.within else "!"
        print(
            f"{cost.bomb:28} {cost.command:8} {cost.seconds:8.1f} {cost.memory >> 20:6}{mark} {cost.code} {first[:90]}",
            flush=True,
        )
    print(f"{len(names)} bombs, {failed} beyond {SECONDS:.0f} s or {MEMORY >> 20} MiB, or not refused")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
