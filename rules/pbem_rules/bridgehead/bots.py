"""Two players made of code: any legal order, and one who knows what he wants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.bots import Bot, Randomness, RandomBot
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.view import View
from pbem_rules.bridgehead.attacks import COVER, attackers, odds
from pbem_rules.bridgehead.chart import BLUE, SEATS, other
from pbem_rules.bridgehead.orders import (
    Advance,
    Attack,
    Choose,
    Counter,
    Decline,
    Enter,
    Finish,
    GoBack,
    Halt,
    Move,
    Pass,
    Play,
    Rally,
    Stand,
)
from pbem_rules.bridgehead.retreat import safest
from pbem_rules.bridgehead.state import State

# What a result is worth to the attacker, in tenths of a step.
WORTH = {"A1": -10, "A2": -20, "CA": -3, "EX": -1, "DR": 7, "D1": 17, "D2": 25}


def battle_worth(s: State, target: int, units: tuple[int, ...], barrage: bool = False, card: str = "") -> int:
    """Expected worth of a battle to the attacker, in sixtieths of a step; towns count more."""
    column = odds(s, target, units, barrage, card).column
    worth = sum(WORTH[row[column]] for row in s.chart.combat.cells)
    if target in s.plan.values:
        # A town taken is worth points, a town lost to nobody is not.
        worth += sum(4 * s.plan.values[target] for row in s.chart.combat.cells if row[column] in ("DR", "D1", "D2"))
    return worth


def front(s: State, side: str) -> Mapping[int, int]:
    """How good it is for the side to stand in each hex, before anything is known of the neighbours."""
    board, grid = s.chart.board, s.chart.grid
    enemy = other(side)
    goals = [(town, value) for town, value in s.plan.values.items() if s.holders[town] == enemy]
    own = [(town, value) for town, value in s.plan.values.items() if s.holders[town] == side]
    worth = {}
    for cell in grid:
        if cell not in board:
            continue
        score = 0
        for town, value in goals:
            # Near goals pull hardest: everybody walks to the next one.
            score += max(0, 24 - 4 * grid.distance(cell, town)) * (value + 1)
        for town, value in own:
            if cell == town:
                score += 30 * value
            else:
                score += max(0, 6 - 2 * grid.distance(cell, town)) * value
        worth[cell] = score + (6 if board[cell].terrain in COVER else 0)
    return worth


class SensibleBot:
    """Takes the town in front of it, attacks where the table favours it, keeps its towns occupied, saves its cards."""

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterator[Order], rng: Randomness) -> Order:
        s = view.state
        orders = list(legal)
        if len(orders) == 1:
            return orders[0]
        scored = [(self.worth(s, seat, order), -number) for number, order in enumerate(orders)]
        return orders[-max(scored)[1]]

    def worth(self, s: State, seat: str, order: Order) -> int:
        """Higher is better; 0 is what `done`, `pass`, `halt` and `decline` are worth."""
        match order:
            case Move():
                return self._move(s, seat, order)
            case Attack():
                units = attackers(s, order.hexes, seat)
                return battle_worth(s, order.target, units, order.target in s.barrages) - len(order.hexes)
            case Play():
                return self._play(s, seat, order)
            case Rally():
                return 40 if self._card_is_poor(s, order.slot) else 30
            case Counter():
                return 0
            case GoBack():
                return 1
            case Stand():
                return 0
            case Advance():
                return 1
            case _:
                return 0
