"""What pbem does on Windows, as far as that is our own logic: locks and new names, with the system's answers played.

Nothing here runs on Windows itself. The fakes do what its documentation says: a byte is locked for one handle, a name
that is taken is not renamed over, a folder cannot be opened.
"""

import errno
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from pbem.home import disk
from pbem.home.disk import Disk, Taken, default_root, names


class Msvcrt:
    """`locking` on one byte at the file's position, for one handle; closing the handle lets go."""

    LK_NBLCK = 2

    def __init__(self):
        self.held = {}
        self.places = []

    def locking(self, fd, mode, count):
        assert (mode, count) == (self.LK_NBLCK, 1)
        place = os.lseek(fd, 0, os.SEEK_CUR)
        key = (os.fstat(fd).st_ino, place)
        owner = self.held.get(key)
        if owner is not None and owner != fd and self._open(owner, key[0]):
            raise PermissionError(errno.EACCES, "Permission denied")
        self.held[key] = fd
        self.places.append(place)

    @staticmethod
    def _open(fd, inode):
        try:
            return os.fstat(fd).st_ino == inode
        except OSError:
            return False


@pytest.fixture
def windows(monkeypatch):
    """The lock module as Windows would load it."""
    fake = Msvcrt()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "platform", "win32")
        patched.setitem(sys.modules, "msvcrt", fake)
        patched.delattr(os, "pread")
        spec = importlib.util.spec_from_file_location("pbem_lock_on_windows", disk.__file__)
        module = importlib.util.module_from_spec(spec)
        patched.setitem(sys.modules, spec.name, module)  # where its dataclasses look themselves up
        spec.loader.exec_module(module)
        yield module, fake


def test_the_second_is_told_who_holds_the_home(tmp_path, windows):
    module, fake = windows
    path = tmp_path / "lock"
    with module.Lock(path), pytest.raises(module.HomeError) as caught, module.Lock(path, patience=0.0):
        pass
    assert caught.value.code == "E-LOCKED"
    assert f"process {os.getpid()}" in caught.value.sentence
    with module.Lock(path, patience=0.0):
        assert path.read_bytes() == str(os.getpid()).encode()
    assert min(fake.places) > 1_000  # a locked byte cannot be read, so it is none of the note


def test_the_note_stays_a_few_bytes_long(tmp_path, windows):
    """The byte that is locked lies far behind the end; nothing is ever written there."""
    module, _ = windows
    path = tmp_path / "lock"
    for _ in range(3):
        with module.Lock(path):
            assert path.stat().st_size == len(str(os.getpid()))


@pytest.fixture
def names_refused(monkeypatch):
    """Renaming onto a name that is taken is an error there; so is opening a folder, and there are no hard links."""

    def rename(self, target):
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", str(target))
        self.replace(target)

    def refuse(*_, **__):
        raise AssertionError("not on Windows")

    real = os.open

    def no_folders(path, *args, **kwargs):
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, *args, **kwargs)

    monkeypatch.setattr(disk.sys, "platform", "win32")
    monkeypatch.setattr(Path, "rename", rename)
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(os, "open", no_folders)


def test_a_new_file_never_replaces(tmp_path, names_refused):
    disk = Disk()
    disk.folder(tmp_path / "records")
    path = tmp_path / "records" / "one"
    disk.write_new(path, b"first")
    with pytest.raises(Taken):
        disk.write_new(path, b"second")
    tmp = tmp_path / "tmp"
    tmp.write_bytes(b"third")
    with pytest.raises(FileExistsError):
        disk.put(tmp, path)  # the name appeared after it was looked for
    assert path.read_bytes() == b"first"
    assert names(path.parent) == ["one"]
    assert list(path.parent.iterdir()) == [path]


def test_a_batch_and_a_rewrite_leave_no_halves(tmp_path, names_refused):
    disk = Disk()
    disk.write_all_new(tmp_path, {"a": b"1", "b": b"2"})
    disk.rewrite(tmp_path / "a", b"3")
    disk.remove(tmp_path / "b")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"3"}


def test_the_home_is_where_windows_keeps_such_things():
    user = Path("/users/alice")
    assert default_root({"APPDATA": "/users/alice/roaming"}, "win32", user) == Path("/users/alice/roaming/pbem")
    assert default_root({}, "win32", user) == user / "AppData" / "Roaming" / "pbem"
