"""What this home has shown, and for which record: written and durable before the record that shows it is made.

One line per value: `key target check`. A key is shown for one target, ever; a second target means that somebody tries
to see the same secret twice, and is refused. A line torn by a crash is passed over: what it announced was never made.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from pbem.table.disk import Disk, read
from pbem.table.tableerror import TableError

_LIMIT = 64 << 20


class Journal:
    def __init__(self, path: Path, disk: Disk) -> None:
        self._path = path
        self._disk = disk

    def entries(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in (read(self._path, _LIMIT) or b"").split(b"\n"):
            fields = line.decode("ascii", "replace").split(" ")
            if len(fields) == 3 and fields[2] == _check(fields[0], fields[1]):
                found.setdefault(fields[0], fields[1])
        return found

    def claim(self, shown: Mapping[str, str]) -> None:
        """Notes key -> target for each, durably; refuses a key that was noted for another target."""
        known = self.entries()
        fresh = []
        for key, target in shown.items():
            if known.get(key, target) != target:
                raise TableError(
                    "E-USED",
                    "This value was shown before, for another record. It is not shown twice: ask what happened.",
                )
            if key not in known:
                fresh.append(f"{key} {target} {_check(key, target)}\n")
        if fresh:
            # The leading newline ends a line that a crash may have left torn.
            self._disk.append(self._path, ("\n" + "".join(fresh)).encode("ascii"))


def _check(key: str, target: str) -> str:
    return sha256(f"{key} {target}".encode("ascii", "replace")).hexdigest()[:8]
