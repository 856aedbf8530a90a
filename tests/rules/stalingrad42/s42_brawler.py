"""A bot for tests: it moves at random towards the enemy, attacks wherever it can, breaks through and is asked."""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.bots import RandomBot, Randomness
from pbem.engine.legal import Legal
from pbem.engine.need import Orders
from pbem.engine.view import View
from pbem.game import Order
from pbem.kit import UNIT
from pbem_rules.stalingrad42.orders import Attack, Done, Storm
from pbem_rules.stalingrad42.state import State, other

MOST_MOVES, FAR = 40, 99


class Brawler(RandomBot):
    def __init__(self) -> None:
        self._turn = 0
        self._moves = 0

    def choose(self, view: View[State], need: Orders, seat: str, legal: Legal, rng: Randomness) -> Order:
        s = view.state
        if s.turn != self._turn:
            self._turn, self._moves = s.turn, 0
        order = super().choose(view, need, seat, legal, rng)
        tries = 12 if need.kind in ("movement", "attacks", "advance") else 0
        self._moves += need.kind == "movement"
        if need.kind == "movement" and self._moves > MOST_MOVES:
            tries = 0
            order = Done() if Done() in legal.first else order
        best = (order, FAR)
        for _ in range(tries):
            order = super().choose(view, need, seat, legal, rng)
            if isinstance(order, Attack | Storm):
                return self._enriched(s, seat, order, rng)
            far = self._distance(s, seat, order)
            best = min(best, (order, far), key=lambda pair: pair[1]) if not isinstance(best[0], Done) else (order, far)
        return best[0]

    @staticmethod
    def _distance(s: State, seat: str, order: Order) -> int:
        """How far a move ends from the enemy."""
        grid, path = s.chart.board.grid, getattr(order, "path", ())
        assert grid is not None
        if not path or path[-1] not in grid:
            return FAR
        enemies = [place for place in s.chart.board.in_mask(s.fighters(other(seat))) if place in grid]
        return min((grid.distance(path[-1], place) for place in enemies), default=0)

    @staticmethod
    def _enriched(s: State, seat: str, order: Attack | Storm, rng: Randomness) -> Order:
        """With a breakthrough or an advance by a random way."""
        near = s.chart.board.near

        def way(start: int) -> tuple[int, ...]:
            found = [start]
            for _ in range(rng.below(4)):
                steps = [place for place in near[found[-1]] if place in s.chart.board.grid]
                found.append(steps[rng.below(len(steps))])
            return tuple(found)

        what = rng.below(4)
        stack = tuple(unit for unit in order.units if s.at(unit) == s.at(order.units[0]))
        aside = not rng.below(4) and not s.in_area(stack[0])
        first = near[s.at(stack[0])][0] if aside else order.target
        if what == 0 and isinstance(order, Attack):
            return replace(order, ask=True)
        if what == 1:
            return order
        advance = tuple(word for unit in order.units for word in (UNIT + unit, *way(order.target)))
        if what == 2:
            breaks = stack if first != order.target else order.units
            return replace(order, breaks=breaks, via=way(first), odds=0, advance=advance if rng.below(2) else ())
        return replace(order, advance=advance)


__all__ = ["Brawler"]
