"""Mail that some other program has fetched: Maildir, mbox, or a folder with files. Read only."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from pbem.mail.inbox import Found, Seen
from pbem.mail.mailerror import MailError, quoted
from pbem.mail.settings import Local
from pbem.protocol.limits import MAX_MAIL
from pbem.table.disk import open_plain

_LARGE: Final = "{} is larger than pbem opens, and was passed over."
_MOST: Final = 2 << 30
"""Bytes of an mbox that is looked through."""


def open_local(way: Local) -> MaildirInbox | MboxInbox | FilesInbox:
    path = way.place
    match way.kind:
        case "maildir":
            return MaildirInbox(way.name, path)
        case "mbox":
            return MboxInbox(way.name, path)
        case "files":
            return FilesInbox(way.name, path)


class _Reader:
    _looked_at = "."
    _hint = ""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self._path = path

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a folder cannot tell
        return False

    def check(self) -> None:
        try:
            with os.scandir(self._path / self._looked_at):
                pass
        except OSError as error:
            raise self._unreadable(error) from None

    def close(self) -> None:
        pass

    def _unreadable(self, error: OSError) -> MailError:
        why = f"{self.name} cannot be read: {quoted(error.strerror or error)}.{self._hint}"
        return MailError("E-MAIL-FOLDER", why, lasting=True)

    def _left(self, names: list[str], error: OSError) -> MailError:
        """Some mails cannot be read now; the others were. They are not marked, so they are tried again."""
        what = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        why = f"{quoted(what)} in {self.name} cannot be read now: {quoted(error.strerror or error)}."
        return MailError("E-MAIL-FOLDER", why, lasting=True)


def _listed(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))  # noqa: PTH208 - names only


def _read(path: Path, folder: Path) -> tuple[bytes | None, str]:
    """A whole plain file of bearable size. None when it has gone, is no file, is too large, or leads elsewhere.

    Whoever may write into the folder may lay a link there to a file that only its owner can read.
    """
    real = Path(os.path.realpath(path))
    if path.is_symlink() and Path(os.path.realpath(folder)) not in real.parents:
        return None, f"{path.name} is a link that leads elsewhere, and was passed over."
    try:
        fd = open_plain(real)
    except FileNotFoundError:
        return None, ""
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None, ""  # no plain file
        raise
    with os.fdopen(fd, "rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_MAIL:
            return None, _LARGE.format(path.name)
        return file.read(MAX_MAIL + 1), ""


class MaildirInbox(_Reader):
    """Known by the unique part of the name, which stays when a mail program moves or flags the mail."""

    _looked_at = "new"
    _hint = " A Maildir is a folder that holds the folders new, cur and tmp."

    def fresh(self, seen: Seen) -> Iterator[Found]:
        try:
            names = [
                (name.partition(":")[0], sub, name) for sub in ("cur", "new") for name in _listed(self._path / sub)
            ]
        except OSError as error:
            raise self._unreadable(error) from None
        seen.keep({mark for mark, _, _ in names})
        left: list[str] = []
        trouble = OSError()
        for mark, sub, name in sorted(names):
            if mark in seen or mark.startswith(".") or not mark.isprintable():
                continue
            path = self._path / sub / name
            try:
                raw, why = _read(path, self._path / sub)
                if raw is None and not why and not path.is_dir():
                    continue  # moved just now: it will be found under its new name
            except OSError as error:
                left, trouble = [*left, name], error
                continue
            yield Found(mark, raw, why)
        if left:
            raise self._left(left, trouble)


class FilesInbox(_Reader):
    """Known by name, size and time: a file that is laid here anew is looked at again, which does no harm."""

    def fresh(self, seen: Seen) -> Iterator[Found]:
        try:
            names = _listed(self._path)
        except OSError as error:
            raise self._unreadable(error) from None
        left: list[str] = []
        trouble = OSError()
        for name in names:
            path = self._path / name
            if name.startswith("."):
                continue
            try:
                state = path.stat()
                mark = sha256(f"{name}/{state.st_size}/{state.st_mtime_ns}".encode("utf-8", "replace")).hexdigest()[:32]
                if mark in seen or not stat.S_ISREG(state.st_mode):
                    continue
                raw, why = _read(path, self._path)
            except FileNotFoundError:
                continue
            except OSError as error:
                left, trouble = [*left, name], error
                continue
            yield Found(mark, raw, why)
        if left:
            raise self._left(left, trouble)


class MboxInbox(_Reader):
    """Known by a hash of the mail. The file is read as a stream, and only when it has changed."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, path)
        self._state: tuple[int, int] | None = None

    def check(self) -> None:
        try:
            os.close(open_plain(self._path))
        except OSError as error:
            raise self._unreadable(error) from None

    def fresh(self, seen: Seen) -> Iterator[Found]:
        try:
            state = self._path.stat()
            if (state.st_size, state.st_mtime_ns) == self._state:
                return
            if state.st_size > _MOST:
                raise MailError(
                    "E-MAIL-FOLDER", f"{self.name} is larger than pbem looks through. Begin a new file.", lasting=True
                )
            marks = set()
            for raw in self._mails():
                mark = sha256(raw).hexdigest()[:32]
                marks.add(mark)
                if mark in seen:
                    continue
                large = len(raw) > MAX_MAIL
                yield Found(mark, None if large else raw, _LARGE.format("A mail") if large else "")
        except OSError as error:
            raise self._unreadable(error) from None
        seen.keep(marks)
        self._state = (state.st_size, state.st_mtime_ns)

    def _mails(self) -> Iterator[bytes]:
        """Cut at lines that begin with `From ` after an empty line; of a mail too large only the beginning is held."""
        with os.fdopen(open_plain(self._path), "rb") as file:
            held = bytearray()
            empty = True
            for line in iter(lambda: file.readline(1 << 20), b""):
                if empty and line.startswith(b"From "):
                    if held:
                        yield bytes(held)
                    held.clear()
                elif len(held) <= MAX_MAIL:
                    held += line[1:] if line.startswith(b">From ") else line
                empty = line in (b"\n", b"\r\n")
            if held:
                yield bytes(held)
