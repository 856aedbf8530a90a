"""Where a player's things are. docs/home.md describes the layout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.table.disk import Disk, names, read
from pbem.table.tableerror import TableError

_FORMAT = b"2\n"
"""Of the records in `games`. A home without it is older than 2."""


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


@dataclass(frozen=True, slots=True)
class Home:
    root: Path

    @property
    def identities(self) -> Path:
        return self.root / "identities"

    @property
    def contacts(self) -> Path:
        return self.root / "contacts"

    @property
    def games(self) -> Path:
        return self.root / "games"

    @property
    def tournaments(self) -> Path:
        return self.root / "tournaments"

    @property
    def waiting(self) -> Path:
        return self.root / "waiting"

    @property
    def outbox(self) -> Path:
        return self.root / "outbox"

    @property
    def addressed(self) -> Path:
        return self.root / "addressed"

    @property
    def mail(self) -> Path:
        return self.root / "mail"

    @property
    def proofs(self) -> Path:
        return self.root / "proofs"

    @property
    def settings(self) -> Path:
        return self.root / "settings"

    @property
    def format(self) -> Path:
        return self.root / "format"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    def check_format(self) -> None:
        """Refuse a home whose games were begun with another format of records: no command opens it."""
        if read(self.format, 64) != _FORMAT and names(self.games):
            sentence = (
                "The games in this home were begun with another version of pbem, whose records this one does not read. "
                f"Finish them with that version, or move the folder {self.games} away: identity and contacts stay."
            )
            raise TableError("E-VERSION", sentence)

    def prepare(self, disk: Disk) -> None:
        """Make the folders that are missing."""
        for folder in (
            self.root,
            self.identities,
            self.contacts,
            self.games,
            self.waiting,
            self.outbox,
            self.addressed,
            self.proofs,
        ):
            disk.folder(folder)
        if read(self.format, 64) != _FORMAT:
            if self.format.exists():
                disk.unlink(self.format)
            disk.write_new(self.format, _FORMAT)
