"""One process writes to a home at a time; the others are told who."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from pbem.table.disk import PRIVATE_FILE, explained
from pbem.table.tableerror import TableError

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


class Lock:
    """Held from `with` to its end, re-entrant within one object. The system lets go of it when the process dies."""

    def __init__(self, path: Path, patience: float = 2.0) -> None:
        self._path = path
        self._patience = patience
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
                    raise TableError("E-LOCKED", _sentence(holder)) from None
                time.sleep(0.05)
        with suppress(OSError):  # on a full disk the lock holds all the same, only without a name
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, str(os.getpid()).encode("ascii"))
        return fd


def _sentence(holder: bytes) -> str:
    pid = holder.decode("ascii", "replace").strip()
    who = f"process {pid}" if pid.isdigit() else "another process"
    return f"This home is in use by another pbem ({who}). Wait until it has finished, then try again."
