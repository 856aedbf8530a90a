"""What the desk of an umpire and the mail of a home read: whole mails, settings, lists of players, backups."""

from __future__ import annotations

import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import msgpack

from pbem.home import Home
from pbem.home.unpacking import enclosed
from pbem.mail import settings
from pbem.mail.account import Account
from pbem.mail.mailstate import MailState
from pbem.mail.sync import Sync
from pbem.mail.ways import Found, Seen
from pbem.protocol.canonical import pack
from pbem.protocol.card import make_card
from pbem.protocol.container import is_container
from pbem.protocol.errors import PbemError
from pbem.umpire import terms
from pbem.umpire.db import queries
from pbem.umpire.db.database import MAGIC, Store, restore
from pbem.umpire.db.journal import GENESIS, hash_of
from pbem.umpire.entrants import read_entrants
from tests.fuzz.seeds import vectors
from tools.vectors.people import BOB
from tools.vectors.play import DORA

MAIL = b"""v = 1
address = "alice@example.org"
tell = ["notify-send", "pbem"]
[[in]]
kind = "imap"
host = "imap.example.org"
user = "alice"
secret = { from = "command", command = ["pass", "show"] }
[[in]]
kind = "maildir"
path = "~/Maildir"
[[out]]
kind = "command"
command = ["/usr/sbin/sendmail", "-i", "--"]
"""
CUP = b"""v = 1
title = "Autumn Cup"
name = "cup"
game = "bridgehead"
mode = "umpire"
format = "swiss"
rounds = 5
standings = ["points", "wins"]
options = { a = 1 }
[clock]
move = "3d"
bank = "10d12h"
days_off = ["sat", "sun"]
[keeper]
remind = 3600
on_flag = "forfeit"
"""
HEADS = (
    b"From: Mail Delivery System <MAILER-DAEMON@example.org>\nContent-Type: multipart/report; boundary=x\n"
    b"Message-ID: <1@example.org>\n\n--x\n\n<pbem." + b"0" * 32 + b"@example.org>\nStatus: 5.1.1\n"
    b"Diagnostic-Code: smtp; 550 no such user\n--x--\n",
    b"Auto-Submitted: auto-replied; x=y\nPrecedence: bulk\nReturn-Path: <>\nContent-Type: text/plain; charset=utf-7\n"
    b"Content-Transfer-Encoding: quoted-printable\n\n=3D=\n",
)


@cache
def _place() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory(prefix="pbem-fuzz-")
    return Path(folder.name), folder


@dataclass
class OneMail:
    """A way in with one mail."""

    raw: bytes
    name: str = "fuzz"

    def fresh(self, seen: Seen) -> Iterator[Found]:
        yield Found(sha256(self.raw).hexdigest()[:32], self.raw)

    def check(self) -> None:
        """It works."""

    def wait(self, seconds: float) -> bool:
        return False

    def close(self) -> None:
        """Nothing is open."""


def open_mail(desk: Home, raw: bytes) -> None:
    """A round of mail: nothing is raised, the mail counts as looked at, and whatever is told can be kept."""
    state = MailState(desk.paths.mail, desk.disk)
    account = Account(desk.people.me(), settings.parse(MAIL), (OneMail(raw),), ())
    with state.handling():
        done = Sync(desk, state, [account]).round()
        assert done.looked_at == 1
        assert not any(each.code == PbemError.code for each in state.news())
        state.clear_news()


def run_enclosed(raw: bytes) -> None:
    assert all(is_container(each) for each in enclosed(raw))


def attachments() -> list[bytes]:
    file = vectors("container")[0]
    data = struct.pack("<BII", 2, 0x0006800F, len(file)) + file + bytes(2)
    found = [struct.pack("<IH", 0x223E9F78, 1) + data]
    for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = BytesIO()
        with zipfile.ZipFile(out, "w", how) as archive:
            archive.writestr("turn.pbem", file)
        found.append(out.getvalue())
    return found


def run_mail_settings(raw: bytes) -> None:
    read = settings.parse(raw)
    assert settings.parse(settings.write(read, "Alice").encode()) == read


def run_tournament(raw: bytes) -> None:
    read = terms.parse(raw)
    assert terms.parse_plain(read.plain()) == read


def run_entrants(raw: bytes) -> None:
    folder, _ = _place()
    (folder / "ann.pbem").write_bytes(vectors("card")[0])
    (folder / "players.csv").write_bytes(raw)
    read_entrants(folder / "players.csv")


def run_backup(raw: bytes) -> None:
    """Rows of time, kind and data, as a backup whose chain and check sum hold: taken whole, or nothing is."""
    folder, _ = _place()
    try:
        rows = msgpack.unpackb(raw, strict_map_key=False)
    except (ValueError, TypeError, msgpack.UnpackException):
        rows = ()
    path, base = folder / "desk.pbemdesk", folder / "desk.db"
    path.write_bytes(_backup(rows if isinstance(rows, list) else ()) or raw)
    store = Store.open(base)
    try:
        restore(store, path)
        assert store.check().ok
        with store.reading() as db:
            for each in queries.tournaments(db):
                queries.entrants(db, each.id)
                queries.rounds(db, each.id)
        base.unlink()
    except PbemError:
        with store.reading() as db:
            assert queries.size(db) == 0
        raise
    finally:
        store.close()


def _backup(rows: list[object] | tuple[()]) -> bytes:
    pieces, previous = [], GENESIS
    for row in rows:
        match row:
            case [int(at), str(kind), dict(data)] if -(2**63) <= at < 2**63:
                try:
                    body = pack(data)
                except (TypeError, ValueError, OverflowError):
                    continue
                seq = len(pieces) + 1
                digest = hash_of(seq, max(0, at), "una", kind, body, previous)
                pieces.append(pack([seq, at, "una", kind, body, previous, digest]))
                previous = digest
    whole = b"".join(len(each).to_bytes(4, "big") + each for each in pieces) + bytes(8)
    return MAGIC + zlib.compress(whole + sha256(whole).digest()) if pieces else b""


def journals() -> list[bytes]:
    pair = {"board": 1, "first": 1, "id": 1, "mirror": 0, "points": 0, "second": 2, "why": "level"}
    cup = {"id": 1, "key": bytes(16), "name": "cup", "terms": terms.parse(CUP).plain(), "umpire": bytes(32)}
    rows: list[list[object]] = [
        [1, "created", cup],
        [2, "entered", {"entrants": [[n, raw, 1500, 350] for n, raw in enumerate(_cards(), 1)], "tournament": 1}],
        [3, "paired", {"notes": "", "pairs": [pair], "round": 1, "tournament": 1}],
        [4, "published", {"round": 1, "tournament": 1}],
        [5, "wanted", {"data": {}, "id": 1, "kind": "offer", "mark": "1", "pairing": 1, "tournament": 1}],
        [6, "taken", {"act": 1, "outcome": "here"}],
        [7, "offered", {"at": 7, "expires": 9, "game": "bridgehead-1", "offer": bytes(32), "pairing": 1}],
        [8, "answered", {"entrant": 2, "pairing": 1, "why": "", "yes": True}],
        [9, "flagged", {"entrant": 1, "fell_at": 9, "pairing": 1}],
        [10, "anomaly", {"entrant": 1, "kind": "fork", "mark": "x", "pairing": 1, "text": "x", "weight": 5}],
        [11, "noted", {"text": "x"}],
    ]
    return [bytes(msgpack.packb(rows[:count])) for count in (1, 2, 3, 7, len(rows))]


def _cards() -> list[bytes]:
    return [make_card(keys, "Ann", "", 1).raw for keys in (BOB, DORA)]
