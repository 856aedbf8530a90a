"""Advance after combat, pursuit and breakthrough: movement counted in hexes, in which the emptied hex comes first.

```
  A        attackers in A took V; 3 hexes of advance
 . V .     V: 1 hex, always open to them, whatever zones and bonds say
  . x .    x: an enemy zone ends the advance there
```

`advance` finds one way to each place, as marches do; `pursuits` all ways, for games in which each place on it is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.engine.counts import all_of
from pbem.kit.board import HexWords, Links
from pbem.kit.search import Terms, Trail, adjusted, reach

UNIT = 20_000  # where units begin among the words of an advance


class AdvanceWords:
    """Units, each followed by the hexes that it enters: `22/10SS,1203,1204,Kausch,1203`. `codes`: code -> number."""

    def __init__(self, codes: Mapping[str, int]) -> None:
        self._codes = codes
        self._words = {UNIT + number: code for code, number in codes.items()}

    def word(self, value: int) -> str:
        return self._words[value] if value in self._words else HexWords().word(value)

    def value(self, word: str) -> int:
        return UNIT + self._codes[word] if word in self._codes else HexWords().value(word)

    def key(self, value: int) -> str:
        return f"{'u' if value >= UNIT else 'p'}:{self.word(value)}"

    def together(self, values: Iterable[int]) -> str:
        """`22/10SS to 1203 > 1204 and Kausch to 1203`."""
        ways = named_ways(values)
        return all_of(f"{self._words[UNIT + unit]} to {' > '.join(map(self.word, way))}" for unit, way in ways.items())


def named_ways(words: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """The units of an advance, each with the hexes that it enters; none if it begins with a hex."""
    found: dict[int, tuple[int, ...]] = {}
    unit: int | None = None
    for word in words:
        if word >= UNIT:
            unit = word - UNIT
            found[unit] = ()
        elif unit is None:
            return {}
        else:
            found[unit] = (*found[unit], word)
    return found


def paces(links: Links) -> Links:
    """The same ways at one point a step, for what is counted in hexes."""
    return {here: tuple((there, its, 1) for there, its, _ in steps) for here, steps in links.items()}


def advance(
    links: Links,
    bit: Mapping[int, int],
    start: int,
    emptied: int,
    terms: Terms,
    *,
    first: bool = True,
    along: int = -1,
) -> dict[int, Trail]:
    """The places that an attacker can reach, each with its hexes and the place before it, as `search.reach` does.

    `links` cost 1 a step (`paces`); `terms.budget` is the number of hexes. The emptied hex counts as one of them,
    stops nobody, and may be entered across what is closed. `first`: it must be entered first; `along`: only these
    places may be entered (the way of the retreat). No unit comes back to its start.
    """
    if terms.budget < 1:
        return {start: (0, start)}
    its = bit[emptied]
    eased = terms._replace(
        barred=(terms.barred | ~along) & ~its,
        stops=terms.stops & ~its,
        locked=terms.locked & ~its,
        closed=terms.closed - {(start, emptied)},
        first_free=False,
    )
    if not first:
        return reach(links, bit, start, eased)
    back = eased._replace(budget=terms.budget - 1, barred=eased.barred | bit[start], sally=())
    found: dict[int, Trail] = {start: (0, start)}
    for place, (hexes, before) in reach(links, bit, emptied, back).items():
        found[place] = (hexes + 1, start if place == emptied else before)
    return found


def pursuits(
    links: Links, bit: Mapping[int, int], start: int, emptied: Iterable[int], terms: Terms
) -> Iterator[tuple[int, ...]]:
    """Every way after the enemy, without its start: an emptied hex first, no place twice, `terms.budget` hexes at most.

    A way ends on what `stops`, and nowhere that is `full`.
    """
    steps = adjusted(links, bit, start, terms)

    def further(way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        at = bit[way[-1]]
        if not at & terms.full:
            yield way
        if len(way) >= terms.budget or at & terms.stops:
            return
        shut = terms.barred | terms.locked if at & terms.locked else terms.barred
        for there, its, _ in steps[way[-1]]:
            if not its & shut and there != start and there not in way:
                yield from further((*way, there))

    near = {there for there, its, _ in steps[start] if not its & terms.barred}
    if terms.budget > 0:
        for place in emptied:
            if place in near:
                yield from further((place,))
