"""Which folder is the home; and every change on disk, which goes through a `Disk`, one primitive at a time. One process
writes at a time.

The composite operations below are written so that a crash before, after or in the middle of any primitive leaves
either the old or the new contents, and a stray file that starts with `.tmp-` at worst. Tests subclass `Disk` and stop
at each primitive in turn.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from sqlite3 import Connection


def default_root(environ: Mapping[str, str], platform: str = sys.platform, user: Path | None = None) -> Path:
    """PBEM_HOME, or the platform's folder for application data."""
    if chosen := environ.get("PBEM_HOME"):
        return Path(chosen).expanduser()
    user = Path.home() if user is None else user
    if platform == "win32":
        base = environ.get("APPDATA")
        return Path(base) / "pbem" if base else user / "AppData" / "Roaming" / "pbem"
    if platform == "darwin":
        return user / "Library" / "Application Support" / "pbem"
    base = environ.get("XDG_DATA_HOME", "")
    # The XDG rules: a relative path is to be ignored.
    return Path(base) / "pbem" if base.startswith("/") else user / ".local" / "share" / "pbem"


class HomeError(PbemError):
    """Something the player asked for cannot be done as things stand. Nothing has been changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


if sys.platform != "win32":
    import fcntl

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
TMP = ".tmp-"

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NO_FOLDER = {errno.ENOTDIR, errno.EEXIST}
_DENIED = {errno.EROFS, errno.EACCES, errno.EPERM}
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns the operating system's errors into sentences for the player."""
    try:
        yield
    except OSError as error:
        place = str(path)
        if error.errno in _FULL:
            raise HomeError(
                "E-NO-WRITE",
                f"The disk that holds {place} is full. Nothing was lost; free some space and repeat the command.",
            ) from error
        if error.errno in _DENIED:
            raise HomeError(
                "E-NO-WRITE", f"{place} cannot be written: it is read-only or belongs to somebody else."
            ) from error
        if error.errno in _NO_FOLDER:
            raise HomeError(
                "E-DISK", f"{place} cannot be used: a part of this path is a file, not a folder. See PBEM_HOME."
            ) from error
        raise HomeError("E-DISK", f"{place}: {error.strerror or error}.") from error


class Disk:
    """The primitives, and the durable operations made of them."""

    synchronous = "FULL"
    """How SQLite flushes: a change of tables is on the disk when `commit` returns."""

    # Primitives: each is one point at which a machine may stop.

    def create(self, path: Path) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.open(path, flags, PRIVATE_FILE)

    def write(self, fd: int, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]

    def fsync(self, fd: int) -> None:
        if sys.platform == "darwin":
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)  # fsync alone leaves the data in the drive's cache
        else:
            os.fsync(fd)

    def put(self, tmp: Path, path: Path) -> None:
        """Gives `tmp` the name `path` unless that name is taken."""
        if sys.platform == "win32":
            tmp.rename(path)  # refuses an existing name there
            return
        try:
            os.link(tmp, path)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno not in _NO_LINKS or os.path.lexists(path):
                raise
            tmp.rename(path)  # a file system without hard links: the home's lock keeps others out

    def replace(self, tmp: Path, path: Path) -> None:
        tmp.replace(path)

    def unlink(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def fsync_folder(self, folder: Path) -> None:
        if sys.platform == "win32":
            return
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def mkdir(self, folder: Path) -> None:
        folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)

    def rmdir(self, folder: Path) -> None:
        """Takes an empty folder away; one that is not empty stays."""
        with suppress(OSError):
            folder.rmdir()

    def commit(self, tables: Connection) -> None:
        tables.execute("COMMIT")

    # Durable operations.

    def folder(self, folder: Path) -> None:
        """The folder exists, durably, with permissions 0700."""
        if folder.is_dir():
            return
        with explained(folder):
            if not folder.parent.is_dir():
                self.folder(folder.parent)
            self.mkdir(folder)
            self.fsync_folder(folder.parent)

    def _tmp(self, path: Path, data: bytes, mtime: int | None = None) -> Path:
        tmp = path.with_name(TMP + path.name)
        self.unlink(tmp)  # left by a crash; the lock says that nobody else is writing it
        fd = self.create(tmp)
        try:
            self.write(fd, data)
            self.fsync(fd)
        except OSError:
            self._forget([tmp])
            raise
        finally:
            os.close(fd)
        if mtime is not None:
            os.utime(tmp, (mtime, mtime))
        return tmp

    def _forget(self, tmps: Iterable[Path]) -> None:
        """What was half made when the system refused: it would only take room on a disk that may have none."""
        for tmp in tmps:
            with suppress(OSError):
                self.unlink(tmp)

    def write_new(self, path: Path, data: bytes, mtime: int | None = None) -> None:
        """A new file, whole and durable; FileExistsError when the name is taken."""
        self.write_all_new(path.parent, {path.name: data}, mtime)

    def write_all_new(self, folder: Path, files: Mapping[str, bytes], mtime: int | None = None) -> None:
        """New files, put in the order given after all of them are durable. FileExistsError when a name is taken."""
        made: list[tuple[Path, Path]] = []
        with explained(folder):
            try:
                for name, data in files.items():
                    path = folder / name
                    if os.path.lexists(path):
                        raise FileExistsError(errno.EEXIST, "exists already", str(path))
                    made.append((self._tmp(path, data, mtime), path))
                for tmp, path in made:
                    self.put(tmp, path)
                self.fsync_folder(folder)
                for tmp, _ in made:
                    self.unlink(tmp)
            except OSError as error:
                self._forget(tmp for tmp, _ in made)
                if not isinstance(error, FileExistsError):
                    raise
                raise Taken(error.filename2 or error.filename or str(folder)) from error

    def rewrite(self, path: Path, data: bytes) -> None:
        """The file's contents become `data`, durably and all at once."""
        with explained(path):
            tmp = self._tmp(path, data)
            self.replace(tmp, path)
            self.fsync_folder(path.parent)

    def append(self, path: Path, data: bytes) -> None:
        """Adds to a journal whose reader passes over a torn last line."""
        with explained(path):
            fresh = not path.exists()
            fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
            try:
                self.write(fd, data)
                self.fsync(fd)
            finally:
                os.close(fd)
            if fresh:
                self.fsync_folder(path.parent)

    def remove(self, path: Path) -> None:
        with explained(path):
            self.unlink(path)
            self.fsync_folder(path.parent)


class Tables:
    """One file of SQLite. It is opened for each use, so that a home can be moved, copied or deleted between two.

    Nothing in it is the only copy of a game's records, so it can be deleted: `whole` says whether it was made again.
    """

    def __init__(self, path: Path, disk: Disk, schema: Iterable[str]) -> None:
        self._path = path
        self._disk = disk
        self._schema = tuple(schema)
        self._open: Connection | None = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """The file stays open in this block: for thousands of questions in a row."""
        if self._open is not None or not self.here:
            yield
            return
        with self._opened(here=True) as tables:
            self._open = tables
            try:
                yield
            finally:
                self._open = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The tables as they are; empty ones where there is no file yet."""
        with self._opened(here=self.here) as tables:
            if self._version(tables) == 0:
                tables.execute("BEGIN")  # and never committed
                self._make(tables)
            yield tables

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Changes that are made all together when the block ends, or not at all."""
        self._disk.folder(self._path.parent)
        with explained(self._path):
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
        with self._opened(here=True) as tables:
            tables.execute("BEGIN IMMEDIATE")
            if self._version(tables) == 0:
                self._make(tables)
            yield tables
            self._disk.commit(tables)

    @property
    def here(self) -> bool:
        """The file exists, with something in it."""
        try:
            return self._path.stat().st_size > 0
        except OSError:
            return False

    @property
    def whole(self) -> bool:
        """What was here before the file was made is in it."""
        with self.reading() as tables:
            return self._version(tables) == _WHOLE

    def set_whole(self) -> None:
        with self.writing() as tables:
            tables.execute(f"PRAGMA user_version = {_WHOLE}")

    def _version(self, tables: Connection) -> int:
        return int(tables.execute("PRAGMA user_version").fetchone()[0])

    def _make(self, tables: Connection) -> None:
        for statement in (*self._schema, "PRAGMA user_version = 1"):
            tables.execute(statement)

    @contextmanager
    def _opened(self, *, here: bool) -> Iterator[Connection]:
        import sqlite3  # a command that needs no tables starts without it

        if self._open is not None:
            try:
                yield self._open
            finally:
                if self._open is not None and self._open.in_transaction:
                    self._open.execute("ROLLBACK")
            return
        where = f"{Path(os.path.abspath(self._path)).as_uri()}?mode=rw" if here else ":memory:"  # noqa: PTH100
        try:
            tables = sqlite3.connect(where, timeout=_PATIENCE, isolation_level=None, uri=here)
            try:
                tables.execute(f"PRAGMA synchronous = {self._disk.synchronous}")
                tables.execute("PRAGMA fullfsync = ON")  # as in `fsync`
                yield tables
            finally:
                tables.close()  # what was not committed is rolled back
        except sqlite3.Error as error:
            raise self._explained(getattr(error, "sqlite_errorcode", 0) & 0xFF, error) from error

    def _explained(self, code: int, error: Exception) -> HomeError:
        import sqlite3

        if code == sqlite3.SQLITE_FULL:
            sentence = (
                f"The disk that holds {self._path} is full. Nothing was lost; free some space and repeat the command."
            )
            return HomeError("E-NO-WRITE", sentence)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return HomeError(
                "E-LOCKED", f"{self._path} is in use by another program. Close that program, and try again."
            )
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            sentence = f"{self._path} is damaged. Delete it: pbem makes it again from your games (docs/home.md)."
            return HomeError("E-DISK", sentence)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
            return HomeError("E-NO-WRITE", f"{self._path} cannot be read or written: {error}.")
        return HomeError("E-DISK", f"{self._path}: {error}.")


_PATIENCE = 30.0  # seconds for which a change waits for that of another process
_WHOLE = 2


class Taken(Exception):  # noqa: N818 (an answer, not a failure)
    """A name that should be new is taken."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def open_plain(path: Path) -> int:
    """Opened for reading, if it is a file. A pipe would keep the reader waiting for ever, a device give without end."""
    # Without O_NONBLOCK the opening of a pipe waits for a writer.
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise OSError(errno.EINVAL, "This is a folder, a pipe or a device, not a file", str(path))


def read(path: Path, limit: int) -> bytes | None:
    """The file's bytes, at most `limit`; None when there is no such file."""
    with explained(path):
        try:
            with os.fdopen(open_plain(path), "rb") as file:
                data = file.read(limit + 1)
        except FileNotFoundError:
            return None
    if len(data) > limit:
        raise HomeError("E-DAMAGED", f"{path} is larger than anything that pbem writes there.")
    return data


def names(folder: Path) -> list[str]:
    """The finished files and folders in `folder`, sorted; none when it does not exist."""
    with explained(folder):
        try:
            return sorted(name for name in os.listdir(folder) if not name.startswith(TMP))  # noqa: PTH208 (names only)
        except FileNotFoundError:
            return []


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # a byte beyond the text, so that others can read who holds the lock

    def _take(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HOLDER = 200  # characters read of the holder's note
_BUSY = "This home is in use by another pbem ({}). Wait until it has finished, then try again."


class Lock:
    """Held from `with` to its end, re-entrant within one object. The system lets go of it when the process dies.

    `busy` is what a player reads when somebody else holds it; `{}` in it stands for that process.
    """

    def __init__(self, path: Path, patience: float = 2.0, busy: str = _BUSY) -> None:
        self._path = path
        self._patience = patience
        self._busy = busy
        self._fd = -1
        self._depth = 0

    def __enter__(self) -> Lock:
        if self._depth == 0:
            self._fd = self._acquire()
        self._depth += 1
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._depth -= 1
        if self._depth == 0:
            os.close(self._fd)
            self._fd = -1

    def _acquire(self) -> int:
        with explained(self._path):
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), PRIVATE_FILE)
        give_up = time.monotonic() + self._patience
        while True:
            try:
                _take(fd)
                break
            except OSError:
                if time.monotonic() >= give_up:
                    os.lseek(fd, 0, os.SEEK_SET)  # Windows has no pread, and has looked far beyond the text
                    holder = os.read(fd, _HOLDER)
                    os.close(fd)
                    raise HomeError("E-LOCKED", self._busy.format(_process(holder))) from None
                time.sleep(0.05)
        with suppress(OSError):  # on a full disk the lock holds all the same, only without a name
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, str(os.getpid()).encode("ascii"))
        return fd


def _process(holder: bytes) -> str:
    pid = holder.decode("ascii", "replace").strip()
    return f"process {pid}" if pid.isdigit() else "another process"


_FORMAT = b"3\n"
"""Of the folders in `games`. A home without it is older than 2."""


_SYNCED = (
    "dropbox", "onedrive", "google drive", "googledrive", "my drive", "icloud", "mobile documents", "nextcloud",
    "owncloud", "syncthing", "pcloud", "megasync", "seafile",
)  # fmt: skip
"""Folders that a program copies between computers, by the beginnings of their names."""
_NETWORK = frozenset({
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "davfs", "fuse.davfs2", "fuse.sshfs", "fuse.rclone",
    "fuse.gvfsd-fuse",
})  # fmt: skip
_ALONE = "not-shared"
_MOUNTS = Path("/proc/self/mounts")


def _shared(folder: Path, mounts: str | None = None) -> str:
    """The network file system that holds a folder; empty if it lies on none, or nothing is known of that."""
    if str(folder).startswith("\\\\"):
        return "a network folder"
    if mounts is None:
        try:
            mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
    kinds = {Path(place.replace("\\040", " ")): kind for _, place, kind, *_ in map(str.split, mounts.splitlines())}
    kind = next((kinds[each] for each in (folder, *folder.parents) if each in kinds), "")
    return kind if kind in _NETWORK else ""


class Paths:
    """The files and folders of a home (docs/home.md)."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.identities = root / "identities"
        self.contacts = root / "contacts"
        self.games = root / "games"
        self.waiting = root / "waiting"
        self.outbox = root / "outbox"
        self.tables = root / "tables.db"
        self.mail = root / "mail"
        self.proofs = root / "proofs"
        self.state = root / "state"
        self.format = root / "format"
        self.lock = root / "lock"

    def check_format(self) -> None:
        """Refuse a home whose games were begun with another format of records: no command opens it."""
        if read(self.format, 64) != _FORMAT and names(self.games):
            sentence = (
                "The games in this home were begun with another version of pbem, whose records this one does not read. "
                f"Finish them with that version, or move the folder {self.games} away: identity and contacts stay."
            )
            raise HomeError("E-VERSION", sentence)

    def check_place(self, mounts: str | None = None) -> None:
        """Refuse a home that other computers write too: one number could be signed on each of them.

        `mounts` is what Linux says of its file systems (default: what it says now).
        """
        if (self.root / _ALONE).exists():
            return
        whole = Path(os.path.abspath(self.root))  # noqa: PTH100 (links are kept: a synced folder may hold one)
        place = next((part for part in whole.parts if part.casefold().startswith(_SYNCED)), "") or _shared(
            whole, mounts
        )
        if place:
            sentence = (
                f"This home, {self.root}, seems to lie where several computers can write ({place}). Two of them could "
                "sign the same turn twice, and copies may arrive half written. Choose a folder on this computer with "
                f"PBEM_HOME. If no other computer uses this home, make an empty file {self.root / _ALONE} and go on."
            )
            raise HomeError("E-DISK", sentence)

    def prepare(self, disk: Disk) -> None:
        """Make the folders that are missing."""
        for folder in (self.root, self.identities, self.contacts, self.games, self.waiting, self.outbox, self.proofs):
            disk.folder(folder)
        if read(self.format, 64) != _FORMAT:
            if self.format.exists():
                disk.unlink(self.format)
            disk.write_new(self.format, _FORMAT)
