"""Which player somebody means."""

from __future__ import annotations

from pbem.table.gamefile import GameFile
from pbem.table.tableerror import TableError


def number_of(game: GameFile, who: str) -> int:
    """A player by number, seat, or beginning of his name."""
    wanted = who.strip().casefold()
    if wanted.isascii() and wanted.isdigit() and int(wanted) in game.log.authors:
        return int(wanted)
    by_seat = [seat.player for seat in game.offer.seats if seat.name == wanted]
    by_name = [by for by in game.log.authors if wanted and game.player_name(by).casefold().startswith(wanted)]
    found = list(dict.fromkeys(by_seat or by_name))
    if len(found) != 1:
        raise TableError("E-UNKNOWN", f"{who!r} is not one player of {game.name}: give a seat or a name.")
    return found[0]
