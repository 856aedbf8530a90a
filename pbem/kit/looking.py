"""Answers to what players ask of a position, in words: where to, at what cost, by which line, and why not.

```
 3Pz reaches 1309 (2), 1308 (2, stops)            1412 is cut off: an enemy zone bars the line at 1310, 1309 (NR-6.4)
 1412 > 1411 > 1410 (land), 1410 > 1310 (rail)
```

`combat.describe_odds` says how odds come about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.kit.board import Board
from pbem.kit.hexes import hex_name
from pbem.kit.supply import Cut, Line

FEW = 12  # places named where all would be too many
Name = Callable[[int], str]


def describe_places(places: Iterable[int], name: Name = hex_name, few: int = FEW) -> str:
    """`1309, 1308 and 5 more`, or `nowhere`."""
    found = [name(place) for place in places]
    rest = f" and {len(found) - few} more" if len(found) > few else ""
    return f"{', '.join(found[:few])}{rest}" or "nowhere"


def begin_with_target(unit: int, name: str, targets: Mapping[int, Sequence[int]]) -> str:
    """Why no attack begins with a unit that can join one: its target is named first. Empty if it can join none."""
    near = [place for place, units in targets.items() if unit in units]
    return f"An attack begins with its target: {name} can join one on {describe_places(near)}" if near else ""


def describe_supply(now: str, then: str) -> str:
    """How a unit stands and how it would stand: `in supply, but would be isolated if supply were judged now`."""
    would = "and would stay so" if now == then else f"but would be {then}"
    return f"{now}, {would} if supply were judged now"


def describe_reach(costs: Mapping[int, int], bit: Mapping[int, int], stops: int = 0, name: Name = hex_name) -> str:
    """What each destination costs, and where a unit would be stopped; `nothing` if there is none."""
    ends = (f"{name(p)} ({cost}{', stops' if bit[p] & stops else ''})" for p, cost in sorted(costs.items()))
    return ", ".join(ends) or "nothing"


def goals_at(board: Board, place: int, *, held: bool) -> tuple[int, ...]:
    """Where a side goes to get a place: into it, or beside it if an enemy holds it."""
    return tuple(board.near[place]) if held else (place,)


def reach_notes(
    costs: Mapping[int, int], bit: Mapping[int, int], stops: int = 0, word: Name = hex_name, points: Name = str
) -> dict[str, str]:
    """The same for `Reckoning.places`: `3 points, stops` beside each destination."""
    found = ((p, points(cost), ", stops" if bit[p] & stops else "") for p, cost in costs.items())
    return {word(p): f"{text} {'point' if text == '1' else 'points'}{stop}" for p, text, stop in found}


def line_ways(line: Line, word: Name = hex_name) -> tuple[tuple[str, ...], ...]:
    """A line of supply for `Reckoning.ways`."""
    return tuple(tuple(map(word, places)) for _, places in line)


def describe_line(line: Line, name: Name = hex_name) -> str:
    """A line of supply, from the unit to its source, stage by stage."""
    return ", ".join(f"{' > '.join(map(name, places))} ({stage})" for stage, places in line) or "no line"


def describe_cut(found: Cut | None, name: Name = hex_name) -> str:
    """Why there is no line, and where the nearest one is barred."""
    if found is None:
        return "no line leads there"
    return f"{found.why}{f' at {describe_places(found.at, name, 3)}' if found.at else ''} ({found.rule})"
