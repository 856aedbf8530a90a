"""Finds installed games by the entry-point group `pbem.games`. Nothing is imported before it is asked for."""

from __future__ import annotations

from typing import Any

from pbem.engine.game import Game
from pbem.protocol.errors import Refusal

GROUP = "pbem.games"


def names() -> tuple[str, ...]:
    """The names of the installed games, sorted."""
    return tuple(sorted(_points()))


def find(name: str) -> Game[Any]:
    """The game of that name (E-MODULE if it is not installed or cannot be loaded)."""
    point = _points().get(name)
    if point is None:
        installed = ", ".join(names()) or "none"
        raise Refusal("E-MODULE", f"The game {name!r} is not installed here; installed: {installed}.", step="STA-7")
    try:
        game = point.load()
    except ImportError as error:
        raise Refusal("E-MODULE", f"The game {name!r} cannot be loaded: {error}.", step="STA-7") from error
    if not isinstance(game, Game) or game.name != name:
        raise Refusal("E-MODULE", f"The package that offers {name!r} does not hold a game of that name.", step="STA-7")
    return game


def _points() -> dict[str, Any]:
    # Reading installed metadata takes as long as starting Python: only those who look for games pay for it.
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
