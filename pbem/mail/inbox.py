"""Ways in, seen from the core: mails that were not looked at yet, each with a mark by which it is known again.

Nothing is ever changed in a mailbox: no mail is deleted, moved or marked as read. What was looked at is remembered
here, so any mail program may look at the same mailbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from pbem.table.disk import Disk, read

MAX_HELD: Final = 16 << 20
"""Bytes of mails held at once; one mail is never larger than what is opened at all (MAX_MAIL)."""
_LIMIT: Final = 64 << 20
_SPARE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """A mail in a mailbox. `raw` is None for one that cannot be a turn, or is too large: it is only marked."""

    mark: str
    raw: bytes | None
    why: str = ""
    """Why it was passed over, where a person may want to know."""


class Inbox(Protocol):
    name: str

    def fresh(self, seen: Seen) -> Iterator[Found]:
        """The mails that `seen` does not know, oldest first. Raises MailError when the way does not work."""

    def check(self) -> None:
        """Whether the way works, without looking at any mail. Raises MailError when it does not."""

    def wait(self, seconds: float) -> bool:
        """Up to so long until mail has probably come. False at once where the way cannot tell."""

    def close(self) -> None: ...


class Seen:
    """The marks of the mails of one mailbox that were looked at: a journal, one line each, that survives a crash.

    A mailbox whose marks ascend needs only the last line; the others keep those of what is still there.
    """

    def __init__(self, path: Path, disk: Disk) -> None:
        self._path = path
        self._disk = disk
        raw = read(path, _LIMIT) or b""
        whole = raw[: raw.rfind(b"\n") + 1]  # a torn last line was never noted
        self._torn = len(whole) != len(raw)
        self._lines = dict.fromkeys(whole.decode("utf-8", "replace").splitlines())
        self._written = len(self._lines)
        self._new: list[str] = []

    @property
    def last(self) -> str:
        return next(reversed(self._lines), "")

    def __contains__(self, mark: str) -> bool:
        return mark in self._lines

    def add(self, mark: str) -> None:
        """Noted for good with the next `flush`."""
        self._lines.pop(mark, None)
        self._lines[mark] = None
        self._new.append(mark)

    def flush(self) -> None:
        if not self._new:
            return
        if self._torn:
            self._rewrite()
            return
        self._disk.append(self._path, "".join(f"{mark}\n" for mark in self._new).encode())
        self._written += len(self._new)
        self._new = []

    def keep(self, marks: set[str]) -> None:
        """Forgets the marks of what is no longer in the mailbox, when they have become many."""
        if self._written > len(marks) + _SPARE:
            self._lines = {mark: None for mark in self._lines if mark in marks}
            self._rewrite()

    def _rewrite(self) -> None:
        self._disk.rewrite(self._path, "".join(f"{mark}\n" for mark in self._lines).encode())
        self._written, self._new, self._torn = len(self._lines), [], False
