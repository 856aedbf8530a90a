"""Step losses: whose they are, who chooses, and who must take them before the others; one step at a time.

```
 2 steps of   4   6   9   SS        first: SS        1st step: SS        2nd step: 4, 6 or 9
 chosen by the owner, or by the opponent (`picks`)   until they are taken, or nobody is left
```
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from pbem.engine.event import Out
from pbem.engine.order import Order
from pbem.engine.step import Ask, Frame, Next
from pbem.kit.roster import Fielded


@dataclass(slots=True)
class Losses(Frame):
    """Steps that one side loses among some units; a game derives its own, with what else follows from them."""

    kind: ClassVar[str] = "losses"
    side: str
    units: tuple[int, ...]
    count: int
    first: tuple[int, ...] = ()  # those that must take a step before the others, one each


_S = TypeVar("_S", bound=Fielded)
_F = TypeVar("_F", bound=Losses)
_O = TypeVar("_O", bound=Order)


def victims(s: Fielded, f: Losses) -> tuple[int, ...]:
    """The units that may lose the next step; none once all steps are lost."""
    return () if f.count <= 0 else f.first or tuple(unit for unit in f.units if s.on_map(unit))


def foremost(units: Sequence[int], *tests: Callable[[int], bool]) -> tuple[int, ...]:
    """The units that pass the first test that any of them passes; none if no unit passes any."""
    found = (tuple(unit for unit in units if test(unit)) for test in tests)
    return next((those for those in found if those), ())


class TakeSteps(Ask[_S, _F, _O]):
    """Somebody chooses which unit takes the next step. `take` carries it out and says what follows, STAY as a rule."""

    forced = True

    def picks(self, s: _S, f: _F) -> str:
        """Who chooses: the side itself, unless a game lets the opponent."""
        return f.side

    @abstractmethod
    def order(self, unit: int) -> _O:
        """The order that names a unit."""

    @abstractmethod
    def take(self, s: _S, f: _F, order: _O, out: Out) -> Next: ...

    def by(self, s: _S, f: _F) -> Sequence[str]:
        return (self.picks(s, f),) if victims(s, f) else ()

    def options(self, s: _S, f: _F, seat: str) -> Iterator[_O]:
        return map(self.order, victims(s, f))

    def do(self, s: _S, f: _F, seat: str, order: _O, out: Out) -> Next:
        f.count -= 1
        f.first = tuple(unit for unit in f.first if self.order(unit) != order)
        return self.take(s, f, order, out)
