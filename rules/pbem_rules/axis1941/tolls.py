"""AA-6.29: how the loss that pays for a hit is named: `infantry`, `damage` (the first hit of a battleship), and where
units of a kind differ, whose (`infantry-uk`), which (`transport-2`), or by which way it came (`infantry-sea`: AA-6.9).

`infantry` alone leaves to the rules which one it is.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from pbem.game import View
from pbem_rules.axis1941.hits import LOSSES, SIZE
from pbem_rules.axis1941.units import POWERS, TITLES, Power

BY_SEA = 1  # `number` of a land unit that came from a transport
_SEA = "sea"
_LAND = 2  # of the places in `LOSSES`, the land units
_NUMBERED = ("transport", "carrier")
_POWERS = len(POWERS) + 1
MOST = 999  # numbers of ships
_BATTLESHIP = {"damage": "a battleship, which is damaged", "battleship": "a damaged battleship, which sinks"}


class Toll(NamedTuple):
    """`power` None: whoever's; `number` 0: whichever."""

    loss: int  # a place in `LOSSES`
    power: Power | None = None
    number: int = 0

    @property
    def code(self) -> int:
        whose = 0 if self.power is None else 1 + POWERS.index(self.power)
        return self.loss + SIZE * (whose + _POWERS * self.number)

    @property
    def word(self) -> str:
        return _word(self)


PLAIN = tuple(Toll(loss) for loss in range(SIZE))


@cache
def _word(toll: Toll) -> str:
    parts = [LOSSES[toll.loss]]
    if toll.power is not None:
        parts.append(str(toll.power))
    if toll.number:
        parts.append(_SEA if toll.loss < _LAND else str(toll.number))
    return "-".join(parts)


@lru_cache(1000)
def toll_of(code: int) -> Toll | None:
    """None: no toll has this number."""
    if not 0 <= code < SIZE * _POWERS * (MOST + 1):
        return None
    rest, loss = divmod(code, SIZE)
    number, whose = divmod(rest, _POWERS)
    if number and not (LOSSES[loss] in _NUMBERED or (loss < _LAND and number == BY_SEA)):
        return None
    return Toll(loss, POWERS[whose - 1] if whose else None, number)


def is_toll(word: str) -> bool:
    try:
        Tolls().value(word)
    except ValueError:
        return False
    return True


class Tolls:
    """Words of the field `Lose.toll`."""

    def word(self, value: Any) -> str:
        toll = toll_of(value)
        return f"?{value}" if toll is None else toll.word

    def said(self, value: int, view: View[Any]) -> str:
        """`a battleship, which is damaged`, `transport 2`, `fighter of USA`, `infantry that came by sea`."""
        toll = toll_of(value)
        assert toll is not None
        name = _BATTLESHIP.get(LOSSES[toll.loss], LOSSES[toll.loss])
        number = "" if not toll.number else " that came by sea" if toll.loss < _LAND else f" {toll.number}"
        return f"{name}{number}{f' of {TITLES[toll.power]}' if toll.power else ''}"

    def value(self, word: str) -> int:
        first, *rest = word.split("-")
        loss = LOSSES.index(first)
        power = Power(rest.pop(0)) if rest and rest[0] in POWERS else None
        number = 0
        if rest:
            number = BY_SEA if rest[0] == _SEA else int(rest[0])
        toll = toll_of(Toll(loss, power, number).code)
        if toll is None or toll.word != word:
            raise ValueError(word)
        return toll.code
