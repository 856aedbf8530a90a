"""Durable operations: whole or absent wherever they are stopped, and nothing is replaced."""

import errno
import os
import stat
import sys
from contextlib import nullcontext, suppress

import pytest

from pbem.home import HomeError
from pbem.home.disk import Disk, Tables, Taken, names, read


class Stop(BaseException):
    pass


class Stopping(Disk):
    """Stops before primitive number `at`; `torn` writes half of the data first."""

    def __init__(self, at: int, torn: bool = False) -> None:
        self.left = at
        self.torn = torn

    def tick(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stop

    def create(self, path):
        self.tick()
        return super().create(path)

    def write(self, fd, data):
        if self.torn and self.left == 0:
            super().write(fd, data[: len(data) // 2])
        self.tick()
        super().write(fd, data)

    def fsync(self, fd):
        self.tick()
        super().fsync(fd)

    def put(self, tmp, path):
        self.tick()
        super().put(tmp, path)

    def replace(self, tmp, path):
        self.tick()
        super().replace(tmp, path)

    def unlink(self, path):
        self.tick()
        super().unlink(path)

    def fsync_folder(self, folder):
        self.tick()
        super().fsync_folder(folder)

    def commit(self, tables):
        self.tick()
        super().commit(tables)


def every_stop(act):
    """Runs `act(disk)` stopped at each point in turn, until it runs through."""
    for torn in (False, True):
        at = 0
        while True:
            try:
                act(Stopping(at, torn))
                break
            except Stop:
                yield at
            at += 1


def test_new_file_is_whole_or_absent_at_every_stop(tmp_path):
    path = tmp_path / "one"
    stops = 0

    def act(disk):
        path.unlink(missing_ok=True)
        disk.write_new(path, b"whole contents")

    for _ in every_stop(act):
        stops += 1
        assert read(path, 100) in (None, b"whole contents")
        assert set(names(tmp_path)) <= {"one"}
    assert stops >= 10
    assert names(tmp_path) == ["one"]


def test_rewrite_keeps_the_old_or_the_new_at_every_stop(tmp_path):
    path = tmp_path / "one"
    Disk().write_new(path, b"old")
    for _ in every_stop(lambda disk: disk.rewrite(path, b"new contents")):
        assert read(path, 100) in (b"old", b"new contents")


def test_a_batch_appears_in_its_order(tmp_path):
    order = ["c", "a", "b"]

    def act(disk):
        for name in order:
            (tmp_path / name).unlink(missing_ok=True)
        disk.write_all_new(tmp_path, {name: name.encode() for name in order})

    seen = set()
    for _ in every_stop(act):
        there = names(tmp_path)
        assert set(there) in ({*order[:n]} for n in range(4))
        seen.add(len(there))
    assert seen >= {0, 1, 2, 3}


def test_a_new_file_never_replaces(tmp_path):
    path = tmp_path / "one"
    Disk().write_new(path, b"first")
    with pytest.raises(Taken):
        Disk().write_new(path, b"second")
    assert path.read_bytes() == b"first"


def test_put_never_replaces_even_when_the_name_appears_late(tmp_path):
    (tmp_path / "tmp").write_bytes(b"second")
    (tmp_path / "one").write_bytes(b"first")
    with pytest.raises(OSError):
        Disk().put(tmp_path / "tmp", tmp_path / "one")
    assert (tmp_path / "one").read_bytes() == b"first"


def test_without_hard_links_a_file_is_still_put(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    Disk().write_new(tmp_path / "one", b"first")
    with pytest.raises(Taken):
        Disk().write_new(tmp_path / "one", b"second")
    assert names(tmp_path) == ["one"]
    assert (tmp_path / "one").read_bytes() == b"first"


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "E-NO-WRITE"), (errno.EROFS, "E-NO-WRITE"), (errno.EACCES, "E-NO-WRITE"), (errno.EIO, "E-DISK")],
)
@pytest.mark.parametrize("primitive", ["create", "write", "fsync", "put", "replace", "fsync_folder"])
def test_the_systems_errors_become_sentences_and_lose_nothing(tmp_path, monkeypatch, number, code, primitive):
    kept = tmp_path / "kept"
    Disk().write_new(kept, b"old")
    disk = Disk()

    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk, primitive, fail)
    act = (
        (lambda: disk.write_new(tmp_path / "new", b"x")) if primitive == "put" else (lambda: disk.rewrite(kept, b"new"))
    )
    with pytest.raises(HomeError) as caught:
        act()
    assert caught.value.code == code
    assert kept.read_bytes() in (b"old", b"new")
    if primitive != "fsync_folder":
        assert kept.read_bytes() == b"old"


def test_files_and_folders_are_private(tmp_path):
    old = os.umask(0)
    try:
        disk = Disk()
        disk.folder(tmp_path / "a" / "b")
        disk.write_new(tmp_path / "a" / "b" / "file", b"x")
        disk.rewrite(tmp_path / "a" / "b" / "file", b"y")
        disk.append(tmp_path / "a" / "b" / "log", b"z")
    finally:
        os.umask(old)
    if sys.platform == "win32":
        return  # permissions come from the user's folder there
    for folder in ("a", "a/b"):
        assert stat.S_IMODE((tmp_path / folder).stat().st_mode) == 0o700
    for file in ("a/b/file", "a/b/log"):
        assert stat.S_IMODE((tmp_path / file).stat().st_mode) == 0o600


def test_an_oversized_file_is_not_read(tmp_path):
    (tmp_path / "big").write_bytes(bytes(101))
    with pytest.raises(HomeError) as caught:
        read(tmp_path / "big", 100)
    assert caught.value.code == "E-DAMAGED"


SCHEMA = ("CREATE TABLE things (name)",)


def things(tmp_path, disk=None):
    return Tables(tmp_path / "tables.db", disk or Disk(), SCHEMA)


def named(tables):
    with tables.reading() as held:
        return [name for (name,) in held.execute("SELECT name FROM things ORDER BY name")]


def test_tables_change_whole_or_not_at_all_at_every_stop(tmp_path):
    def act(disk):
        with things(tmp_path, disk).writing() as held:
            held.execute("DELETE FROM things")
            held.execute("INSERT INTO things VALUES ('one')")
            held.execute("INSERT INTO things VALUES ('two')")

    assert named(things(tmp_path)) == []
    for _ in every_stop(act):
        assert named(things(tmp_path)) in ([], ["one", "two"])
    assert named(things(tmp_path)) == ["one", "two"]
    assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kept", [False, True])
def test_what_fails_in_the_middle_of_a_change_leaves_the_tables_as_they_were(tmp_path, kept):
    tables = things(tmp_path)
    with tables.writing() as held:
        held.execute("INSERT INTO things VALUES ('one')")
    with tables.kept() if kept else nullcontext():
        with suppress(Stop), tables.writing() as held:
            held.execute("INSERT INTO things VALUES ('two')")
            raise Stop
        assert named(tables) == named(things(tmp_path)) == ["one"]
        with tables.writing() as held:
            held.execute("INSERT INTO things VALUES ('three')")
    assert named(things(tmp_path)) == ["one", "three"]


def test_tables_know_whether_they_were_made_again(tmp_path):
    tables = things(tmp_path)
    assert not tables.whole
    with tables.writing():
        pass
    assert not tables.whole
    tables.set_whole()
    assert things(tmp_path).whole
    (tmp_path / "tables.db").unlink()
    assert not tables.whole


def test_damaged_tables_are_refused_with_what_to_do(tmp_path):
    things(tmp_path).set_whole()
    (tmp_path / "tables.db").write_bytes(b"x" * 5_000)
    with pytest.raises(HomeError, match=r"Delete it.*E-DISK"):
        named(things(tmp_path))
