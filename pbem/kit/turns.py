"""The turn track: what is printed for each turn, and who arrives when.

```
 | 3        | 4        | 5        |     name, season, weather as printed (and what it may turn into),
 | Sep/Oct  | Nov/Dec  | Jan/Feb  |     numbers (markers, thresholds, points), marks (events)
 | mud/clear| snow/mud | snow     |
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.kit.board import PROVENANCE, Features, text_of


class Turn(NamedTuple):
    number: int
    name: str  # "Sep/Oct 41", "15-16 Feb"
    season: str  # the column of a weather table, or empty
    weather: tuple[str, ...]  # as printed first; others: what the turn may be instead
    marks: Features
    values: Mapping[str, int]

    @property
    def variable(self) -> bool:
        return len(self.weather) > 1


class Arrival(NamedTuple):
    turn: int
    side: str
    unit: str  # its code
    where: str  # an entry's key, a hex, a place's name: as the game says
    steps: int  # lost on arrival
    provenance: str


@dataclass(frozen=True, slots=True)
class TurnTrack:
    provenance: str
    turns: tuple[Turn, ...]
    arrivals: tuple[Arrival, ...]
    sources: Mapping[tuple[int, str], str]  # (turn, what): where one value differs from the track

    def __getitem__(self, number: int) -> Turn:
        """A turn by its number; turns count on from the first."""
        place = number - self.turns[0].number
        if not 0 <= place < len(self.turns):
            raise IndexError(f"there is no turn {number}")
        return self.turns[place]

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.turns[0].number <= number <= self.last.number

    def __iter__(self) -> Iterator[Turn]:
        return iter(self.turns)

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    def value(self, number: int, key: str, default: int = 0) -> int:
        return self[number].values.get(key, default)

    def marked(self, mark: str) -> tuple[int, ...]:
        """The turns that carry a mark."""
        return tuple(turn.number for turn in self.turns if mark in turn.marks)

    def arriving(self, number: int, side: str) -> tuple[Arrival, ...]:
        return tuple(a for a in self.arrivals if a.turn == number and a.side == side)

    def source(self, number: int, what: str) -> str:
        """Where `name`, `season`, `weather`, `marks` or a value of a turn comes from."""
        return self.sources.get((number, what), self.provenance)


def turns_of(data: Mapping[str, Any]) -> TurnTrack:
    """The track of a file (schemas/data/turns.json). Raises ValueError where the file contradicts itself."""
    provenance = _provenance(data["provenance"])
    turns: list[Turn] = []
    sources: dict[tuple[int, str], str] = {}
    for item in data["turns"]:
        number = int(item["turn"])
        if turns and number != turns[-1].number + 1:
            raise ValueError(f"turns: {number} does not follow {turns[-1].number}")
        turns.append(
            Turn(
                number,
                text_of(item["name"]),
                str(item.get("season", "")),
                tuple(str(kind) for kind in item.get("weather", ())),
                frozenset(str(mark) for mark in item.get("marks", ())),
                {str(key): int(value) for key, value in item.get("values", {}).items()},
            )
        )
        for what, source in item.get("sources", {}).items():
            sources[number, str(what)] = _provenance(source)
    numbers = {turn.number for turn in turns}
    arrivals: list[Arrival] = []
    for item in data.get("arrivals", ()):
        if int(item["turn"]) not in numbers:
            raise ValueError(f"turns: {item['unit']} arrives in turn {item['turn']}, which is not there")
        source = _provenance(item.get("provenance", provenance))
        where, steps = str(item.get("where", "")), int(item.get("steps", 0))
        arrivals.append(
            Arrival(int(item["turn"]), str(item["side"]), text_of(item["unit"]), text_of(where), steps, source)
        )
    return TurnTrack(provenance, tuple(turns), tuple(arrivals), sources)


def _provenance(value: object) -> str:
    if value not in PROVENANCE:
        raise ValueError(f"turns: provenance is one of {', '.join(PROVENANCE)}")
    return str(value)
