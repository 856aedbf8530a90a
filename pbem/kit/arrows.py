"""What has happened, as arrows and battles on a board: units that go along paths, and attacks on a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.engine.event import Event
from pbem.kit.board import Board
from pbem.kit.counters import Unit
from pbem.kit.scene import Arrow, Battle
from pbem.kit.telling import Assailed, DrivenBack, Went


def happened(
    events: Sequence[Event],
    board: Board,
    unit: Callable[[str], Unit],
    at: Callable[[int], int],
    kind: Callable[[Went], str],
    battle: Callable[[Assailed, str], Battle],
) -> tuple[tuple[Arrow, ...], tuple[Battle, ...]]:
    """`at`: where a unit stands after the events; `kind`: of the arrow; `battle`: an attack with its text."""
    arrows: list[Arrow] = []
    battles: list[Battle] = []
    for number, event in enumerate(events):
        if isinstance(event, Went) and len(event.path) > 1:
            arrows.append(Arrow(kind(event), unit(event.unit).side, event.path, text=event.words()))
        elif isinstance(event, DrivenBack):
            side = unit(event.units[0]).side
            arrows.append(Arrow("retreat", side, event.path, len(event.units), event.words()))
        elif isinstance(event, Assailed):
            stood = _starts(events[number:])
            starts = dict.fromkeys(stood.get(code, at(unit(code).number)) for code in event.units)
            arrows += [
                Arrow("attack", event.side, (each, event.hex)) for each in starts if board.touch(each, event.hex)
            ]
            battles.append(battle(event, f"{board[event.hex]}: {event.words()}"))
    return tuple(arrows), tuple(battles)


def _starts(events: Iterable[Event]) -> dict[str, int]:
    """Where those that have moved since stood before."""
    found: dict[str, int] = {}
    for event in events:
        if isinstance(event, Went):
            found.setdefault(event.unit, event.path[0])
        elif isinstance(event, DrivenBack):
            for code in event.units:
                found.setdefault(code, event.path[0])
    return found
