"""Finds installed games by the entry-point group `pbem.games`. A game is imported when it is first needed."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from pbem import __version__
from pbem.engine.definition import Game
from pbem.engine.step import GameError, Step, last_line
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_VERSION

GROUP = "pbem.games"


def names() -> tuple[str, ...]:
    """The names of the installed games, sorted."""
    return tuple(sorted(installed()))


def find(name: str) -> Game[Any]:
    """The game of that name (E-MODULE if it is not installed or cannot be loaded)."""
    try:
        game = packaged(name)
        point = installed().get(name) if game is None else None
        if point is not None:
            game = point.load()
    except Refusal:
        raise
    except Exception as error:  # somebody's package: what it raises when it is imported can be anything
        package = module(name).partition(".")[0]
        why = f"{type(error).__name__}: {error}".removeprefix("ModuleNotFoundError: ").removeprefix("ImportError: ")
        why += last_line(error, lambda each: each.partition(".")[0] == package)
        raise Refusal("E-MODULE", f"The game {name!r} cannot be loaded: {why}.", step="STA-7") from error
    if game is None and point is None:
        known = ", ".join(names()) or "none"
        sentence = f"There is no game {name!r} here. The installed games are: {known}."
        raise Refusal("E-MODULE", sentence, step="STA-7")
    if not isinstance(game, Game) or game.name != name:
        raise Refusal("E-MODULE", f"The package that offers {name!r} does not hold a game of that name.", step="STA-7")
    return game


def named(begun: str) -> str:
    """The name of the one installed game that begins so; what begins none, or several, is given back as it is."""
    known = [name for name in names() if name.startswith(begun)]
    return known[0] if len(known) == 1 else begun


def module(name: str) -> str:
    """The Python module of an installed game: what it tells of itself lies beside it."""
    point = installed().get(name)
    return point.module if point is not None else f"pbem_rules.{name}"


def package(name: str) -> str:
    """The package and version of an installed game, to which an older program has to be updated."""
    dist = getattr(installed().get(name), "dist", None)
    held = f"pbem {__version__}" if dist is None else f"{dist.name} {dist.version}"
    return held[:MAX_VERSION].strip()


def fault(error: BaseException) -> tuple[str, str]:
    """What failed, in words, and who should hear of it: a game if its code took part, else pbem."""
    points = installed()
    name, step, trace = None, "", error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        name = _game_of(frame.f_globals.get("__name__", ""), points) or name
        each = frame.f_locals.get("self")
        step = f" in the step {each.name}" if isinstance(each, Step) else step
        trace = trace.tb_next
    line = last_line(error, lambda module: _game_of(module, points) == name if name else module.startswith("pbem."))
    what = f"{type(error).__name__}{step}{line}"
    if isinstance(error, GameError):
        name = error.game if error.game in points else _game_of(error.game, points) or error.game
        what = f"{f'step {error.step}: ' if error.step else ''}{error.sentence}"
    dist = getattr(points.get(name or ""), "dist", None)
    if name is None or (dist is not None and dist.name == "pbem"):
        whom = "the authors of pbem"
    elif dist is None:
        whom = "the author of the game"
    else:
        author = dist.metadata.get("Author") or dist.metadata.get("Author-email") or "its author"
        whom = f"{author} (package {dist.name} {dist.version})"
    return f"a fault in {f'the game {name}' if name else 'pbem'} ({what})", whom


def _game_of(module: str, points: dict[str, Any]) -> str | None:
    """The game that this module belongs to: it lies in the package that the entry point names, or beside its module."""
    found: tuple[str, str | None] = ("", None)
    for name, point in points.items():
        loaded = sys.modules.get(point.module)
        package = point.module if hasattr(loaded, "__path__") else point.module.rpartition(".")[0] or point.module
        if loaded is not None and f"{module}.".startswith(f"{package}.") and len(package) > len(found[0]):
            found = (package, name)
    return found[1]


def packaged(name: str) -> Any:
    """The game in the package `pbem_rules.<name>`, where games are kept by convention; None: there is no such package.

    Reading the entry points of everything installed takes longer than loading the game.
    """
    package = f"pbem_rules.{name}"
    if not (name.isascii() and name.isidentifier()):
        return None
    try:
        return getattr(import_module(package), "game", None)
    except ModuleNotFoundError as error:
        if error.name in ("pbem_rules", package):
            return None
        raise


def installed() -> dict[str, Any]:
    """The entry points of the installed games, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
