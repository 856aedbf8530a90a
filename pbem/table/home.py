"""Where a player's things are. docs/home.md describes the layout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.table.disk import Disk


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
    def lock(self) -> Path:
        return self.root / "lock"

    def prepare(self, disk: Disk) -> None:
        """Makes the folders that are missing."""
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
