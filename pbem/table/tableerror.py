"""What can go wrong at a player's own table: the disk, the passphrase, a name that fits nothing."""

from __future__ import annotations

from pbem.protocol.errors import PbemError


class TableError(PbemError):
    """Something the player asked for cannot be done as things stand. Nothing has been changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}"
