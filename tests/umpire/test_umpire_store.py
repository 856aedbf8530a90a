"""The journal, the tables that follow from it, and two processes at one database, in SQLite and in PostgreSQL."""

import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from halls import Hall
from sqlalchemy import text
from sqlalchemy.schema import CreateTable

from pbem.umpire import UmpireError
from pbem.umpire.db import deskrows, journal, queries
from pbem.umpire.db.database import Store, backup, restore

HERE = Path(__file__).parent


@pytest.fixture
def hall(tmp_path, store):
    made = Hall(tmp_path / "hall", store=store)
    made.found()
    return made


def change(store, statement, **values):
    """What somebody with a database tool of his own might do."""
    with store.engine.connect() as plain:
        connection = plain.execution_options(pbem_writing=True)
        with connection.begin():
            return connection.execute(text(statement), values).rowcount


def test_every_change_is_an_entry_chained_to_the_one_before(hall):
    hall.desk.pair("cup")
    entries = hall.desk.journal()
    assert [entry.kind for entry in entries] == ["created", "entered", "paired"]
    assert entries[0].previous == bytes(32)
    assert [entry.previous for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    assert {entry.actor for entry in entries} == {"Una Umpire"}
    assert hall.desk.check().ok


def test_what_fails_writes_neither_entry_nor_row(hall):
    def stopped():
        with hall.desk.writing("cup") as (writing, tournament):
            writing.record("withdrawn", {"entrant": 1, "tournament": tournament.id, "why": "x"})
            raise RuntimeError("the machine stops")

    with pytest.raises(RuntimeError):
        stopped()
    assert len(hall.desk.journal()) == 2
    assert not any(each.out for each in hall.desk.entrants("cup"))


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE entrant SET rating = 2000 WHERE number = 1", "table entrant differs from the journal.*rating"),
        ("DELETE FROM entrant WHERE number = 4", "table entrant lacks the row 1/4"),
        ("UPDATE journal SET actor = 'somebody else' WHERE seq = 2", "Entry 2 of the journal was changed"),
        ("UPDATE journal SET at = at + 1 WHERE seq = 1", "Entry 1 of the journal was changed"),
        ("DELETE FROM journal WHERE seq = 3", "The journal ends at entry 2"),
        ("DELETE FROM journal WHERE seq = 2", "Entry 2 of the journal is missing"),
        ("UPDATE journal SET previous = hash WHERE seq = 2", "Entry 2 of the journal does not continue"),
        (
            "INSERT INTO flag (pairing, entrant, fell_at, seen_at) SELECT min(id), 1, 5, 5 FROM pairing",
            "table flag has a row .* that no entry",
        ),
    ],
)
def test_whoever_changes_the_database_by_hand_is_noticed(hall, statement, says):
    hall.desk.pair("cup")
    assert hall.desk.check().ok
    assert change(hall.store, statement) == 1
    found = hall.desk.check()
    assert not found.ok
    assert any(re.search(says, fault) for fault in found.faults), found.faults


def test_archives_are_held_against_their_digests(hall):
    hall.desk.pair("cup")
    digest = sha256(b"game").digest()
    with hall.desk.writing("cup") as (writing, _):
        deskrows.insert(writing.db, deskrows.BlobRow(digest, b"game"))
        writing.record("archived", {"pairing": 1, "sha256": digest, "size": 4, "whole": True})
    assert hall.desk.check().archives == 1
    change(hall.store, "UPDATE blob SET raw = :raw", raw=b"gone")
    assert "damaged" in hall.desk.check().faults[0]
    change(hall.store, "DELETE FROM blob")
    assert "missing" in hall.desk.check().faults[0]


# The tables


def test_tables_of_another_layout_are_made_again_from_the_journal(hall, url):
    hall.desk.pair("cup")
    hall.desk.offer("cup")
    before = hall.desk.status("cup"), hall.desk.rounds("cup"), hall.desk.check().head
    for statement in (
        "DROP TABLE anomaly", "ALTER TABLE held ADD COLUMN more INTEGER", "UPDATE entrant SET rating = 1",
        "UPDATE layout SET number = 1",
    ):  # fmt: skip
        change(hall.store, statement)
    told = []
    again = Store.open(url, tell=told.append)
    assert told == ["The database was brought up to date."]
    assert again.check().ok
    assert (hall.desk.status("cup"), hall.desk.rounds("cup"), hall.desk.check().head) == before
    again.close()


def test_another_layout_has_another_number():
    """Whoever changes a column raises `LAYOUT`, and writes down here what the tables are then."""
    said = "".join(str(CreateTable(deskrows.TABLES[row])) for row in deskrows.DERIVED)
    assert (deskrows.LAYOUT, sha256(said.encode()).hexdigest()[:16]) == (2, "9e456b47a04662a7")


def test_opening_again_changes_nothing_and_says_nothing(store, url):
    told = []
    Store.open(url, tell=told.append).close()
    assert told == []


def test_a_database_of_a_newer_program_is_left_alone(store, url):
    change(store, "UPDATE layout SET number = 9999")
    with pytest.raises(UmpireError, match="newer pbem"):
        Store.open(url)


def test_a_file_that_is_no_database_is_told(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(b"This is a letter, and not a database at all." * 200)
    with pytest.raises(UmpireError) as caught:
        Store.open(path)
    assert caught.value.code == "E-UMPIRE-DB"


@pytest.mark.parametrize(
    "url", ["mysql://a:secret@b/c", "nonsense://x", "://", "postgresql://desk:secret@/none?host=/nowhere"]
)
def test_addresses_that_lead_nowhere_are_told_without_their_passwords(url):
    with pytest.raises(UmpireError) as caught:
        Store.open(url)
    assert caught.value.code == "E-UMPIRE-DB"
    assert "secret" not in caught.value.sentence
    assert "secret" not in Store.__repr__(Store)


def test_the_file_is_for_its_owner_only(tmp_path):
    path = tmp_path / "desk.db"
    Store.open(path).close()
    assert path.stat().st_mode & 0o077 == 0


# Two processes

RACE = """
import sys
sys.path.append(sys.argv[2])
from halls import duel
from pbem.umpire.db.database import Store
from pbem.umpire.umpiredesk import UmpireDesk
from pbem.umpire import UmpireError
desk = UmpireDesk(Store.open(sys.argv[1]), actor=sys.argv[3], find_game=lambda _: duel())
done = []
print("ready", flush=True)
sys.stdin.readline()
for act in (desk.pair, desk.offer, desk.pair):
    try:
        act("cup")
        done.append(act.__name__)
    except UmpireError as error:
        done.append(error.code)
print(" ".join(done), flush=True)
"""


def test_two_processes_never_pair_a_round_twice_nor_call_it_twice(hall, url):
    both = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, url, str(HERE), actor],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(HERE.parents[1])},
        )
        for actor in ("one", "other")
    ]  # fmt: skip
    for each in both:
        assert each.stdout.readline() == "ready\n"
    for each in both:
        each.stdin.write("go\n")
        each.stdin.flush()
    said = [word for each in both for word in each.communicate(timeout=60)[0].split()]
    assert said.count("pair") == 1, said
    assert said.count("offer") == 1, said
    with hall.store.reading() as db:
        assert journal.broken(db) == ""
        assert len(queries.acts(db)) == 2
        assert len(queries.rounds(db, 1)) == 1
    assert hall.desk.check().ok


def test_the_same_is_not_wanted_twice(hall):
    hall.desk.pair("cup")
    hall.desk.offer("cup")
    with pytest.raises(UmpireError, match="already been offered"):
        hall.desk.offer("cup")
    assert len(hall.desk.acts("cup")) == 2


# Backups


def test_a_backup_makes_the_same_desk_again_in_either_kind_of_database(hall, tmp_path, request):
    hall.desk.pair("cup")
    hall.desk.offer("cup")
    path = tmp_path / "desk.backup"
    assert backup(hall.store, path) == 6
    assert path.stat().st_mode & 0o077 == 0
    urls = [str(tmp_path / "again.db")]
    if hall.store.kind == "postgresql":
        urls.append(request.getfixturevalue("postgres").fresh())
    for url in urls:
        again = Store.open(url)
        assert restore(again, path) == 6
        assert again.check().head == hall.desk.check().head
        assert again.check().ok
        with again.reading() as db, hall.store.reading() as before:
            assert queries.rounds(db, 1) == queries.rounds(before, 1)
            assert queries.entrants(db, 1) == queries.entrants(before, 1)
            assert queries.acts(db) == queries.acts(before)
        with pytest.raises(UmpireError, match="not empty"):
            restore(again, path)
        again.close()


@pytest.mark.postgres
def test_a_backup_into_postgresql_from_sqlite(tmp_path, request):
    small = Hall(tmp_path / "hall")
    small.begin()
    path = tmp_path / "desk.backup"
    backup(small.store, path)
    again = Store.open(request.getfixturevalue("postgres").fresh())
    restore(again, path)
    assert again.check().head == small.desk.check().head
    assert again.check().ok
    again.close()


def test_a_damaged_backup_changes_nothing(tmp_path):
    hall = Hall(tmp_path / "hall")
    hall.begin()
    path = tmp_path / "desk.backup"
    backup(hall.store, path)
    whole = path.read_bytes()
    target = Store.open(tmp_path / "again.db")
    faults = 0
    for at in (0, 8, 9, 12, len(whole) // 2, len(whole) - 3):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            with pytest.raises(UmpireError) as caught:
                restore(target, path)
            assert caught.value.code == "E-BACKUP"
            faults += 1
    assert faults == 12
    path.write_bytes(whole + b"more")
    with pytest.raises(UmpireError, match="does not end"):
        restore(target, path)
    assert target.check().entries == 0
    path.write_bytes(whole)
    assert restore(target, path) == 6


def test_nothing_is_written_over_by_a_backup(hall, tmp_path):
    path = tmp_path / "desk.backup"
    path.write_bytes(b"mine")
    with pytest.raises(UmpireError, match="exists"):
        backup(hall.store, path)
    assert path.read_bytes() == b"mine"
