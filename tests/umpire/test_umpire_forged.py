"""Backups that somebody made up: their chain and check sum hold, their entries were never written by a desk."""

import zlib
from hashlib import sha256

import pytest
from halls import Hall

from pbem.protocol.canonical import pack
from pbem.protocol.errors import PbemError
from pbem.umpire import progress
from pbem.umpire.db import queries
from pbem.umpire.db.database import MAGIC, Store, backup, restore
from pbem.umpire.db.journal import GENESIS, hash_of
from pbem.umpire.terms import parse

TERMS = parse(b'v = 1\ntitle = "Cup"\ngame = "bridgehead"\nformat = "swiss"\n').plain()
CREATED = {"id": 1, "key": bytes(16), "name": "cup", "terms": TERMS, "umpire": bytes(32)}


def forged(*entries, blobs=()):
    pieces, previous = [], GENESIS
    for seq, (at, kind, data) in enumerate(entries, start=1):
        raw = pack(data)
        digest = hash_of(seq, at, "una", kind, raw, previous) if at >= 0 else bytes(32)
        pieces.append(pack([seq, at, "una", kind, raw, previous, digest]))
        previous = digest
    whole = b"".join(
        b"".join(len(each).to_bytes(4, "big") + each for each in some) + bytes(4) for some in (pieces, blobs)
    )
    return MAGIC + zlib.compress(whole + sha256(whole).digest())


def restored(tmp_path, raw):
    """How many entries an empty database takes of this file; a refusal leaves it empty."""
    path, store = tmp_path / "forged", Store.open(tmp_path / "desk.db")
    path.write_bytes(raw)
    try:
        return restore(store, path)
    except PbemError:
        assert store.check().entries == store.check().archives == 0
        raise
    finally:
        store.close()


def test_the_form_is_right(tmp_path):
    assert restored(tmp_path, forged((1, "created", CREATED))) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"id": None}, {"id": "1"}, {"id": True}, {"name": b"cup"}, {"name": "../../cup"}, {"name": "\x1b[2J"},
        {"name": ""}, {"key": 1}, {"umpire": "x"}, {"terms": {"v": 1}}, {"terms": b"x"},
    ],
)  # fmt: skip
def test_values_that_no_desk_writes_are_refused(tmp_path, change):
    with pytest.raises(PbemError):
        restored(tmp_path, forged((1, "created", {**CREATED, **change})))


def test_times_before_1970_are_refused(tmp_path):
    with pytest.raises(PbemError):
        restored(tmp_path, forged((-1, "created", CREATED)))


@pytest.mark.parametrize("blobs", [[b"x"], [bytes(1 << 20)] * 2])
def test_bytes_that_no_entry_speaks_of_fill_no_database(tmp_path, blobs):
    with pytest.raises(PbemError):
        restored(tmp_path, forged((1, "created", CREATED), blobs=blobs))


def test_bytes_of_an_archive_that_another_has_replaced_come_back(tmp_path):
    hall = Hall(tmp_path / "hall")
    hall.begin()

    for raw in (b"first", b"second, longer"):
        with hall.store.writing("una", 1) as writing:
            progress.archived(writing, queries.pairing(writing.db, 1), raw, whole=True)
    backup(hall.store, tmp_path / "backup")
    again = Store.open(tmp_path / "again.db")
    restore(again, tmp_path / "backup")
    assert again.check().ok
    assert again.check().archives == 2
    again.close()
