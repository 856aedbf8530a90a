"""A player made of code who knows what he wants; the other bot is the engine's, who does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.game import Known, Order, Orders, Randomness, View
from pbem.kit import held_by
from pbem_rules.bridgehead.attacks import COVER, across_river, attackers, odds
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.frames import Battle, Retreat, Window
from pbem_rules.bridgehead.orders import (
    Advance,
    Attack,
    Choose,
    Counter,
    Enter,
    GoBack,
    Move,
    Play,
    Posture,
    Rally,
    Stand,
    slot_text,
)
from pbem_rules.bridgehead.retreat import safest_of, ways_back
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.supply import supplied_hexes

# What a result is worth to the attacker, in tenths of a step.
WORTH = {"A1": -10, "A2": -20, "CA": -3, "EX": 0, "DR": 8, "D1": 18, "D2": 26}
KEEP = {"ambush": 6, "countermand": 5, "fallback": 4, "standfast": 4, "barrage": 3, "mud": 3, "march": 1, "patrol": 1}


def battle_worth(
    s: State,
    target: int,
    units: Sequence[int],
    barrage: bool = False,
    card: str = "",
    hexes: Sequence[int] | None = None,
) -> int:
    """Expected worth of a battle to the attacker, in sixtieths of a step. Towns are worth more."""
    column = odds(s, target, units, barrage, card, hexes).column
    results = [row[column] for row in s.chart.combat.cells]
    worth = sum(WORTH[result] for result in results)
    if target in s.plan.values:
        worth += sum(8 * s.plan.values[target] for result in results if result in ("DR", "D1", "D2"))
    return worth


class _Mind:
    """What one side thinks of the position; thrown away after each choice."""

    def __init__(self, s: State, side: str, known: Known) -> None:
        self.s, self.side, self.known = s, side, known
        self.enemy = other(side)
        board, grid = s.chart.board, s.chart.grid
        self.supplied = supplied_hexes(s, side)
        self.near_enemy = {
            cell: tuple(near for near in board.near[cell] if s.ground.occupied[self.enemy] & board.bit[near])
            for cell in grid
            if cell in board
        }
        self.goals = [(town, s.plan.values[town]) for town in held_by(s.holders, self.enemy, s.plan.values)]
        self.own_towns = [(town, s.plan.values[town]) for town in held_by(s.holders, side, s.plan.values)]
        self._zone = s.zone(self.enemy)
        self._pull: Mapping[int, int] = {cell: self._pulled(cell) for cell in self.near_enemy}

    def _pulled(self, cell: int) -> int:
        """How the towns draw a unit to a hex."""
        grid = self.s.chart.grid
        pull = max((60 + 6 * value - 8 * grid.distance(cell, town) for town, value in self.goals), default=0)
        guard = max((30 + 6 * value - 7 * grid.distance(cell, town) for town, value in self.own_towns), default=0)
        return max(0, pull, guard)

    def threatened(self, town: int) -> bool:
        grid = self.s.chart.grid
        enemies = self.s.chart.board.in_mask(self.s.ground.occupied[self.enemy])
        return any(grid.distance(cell, town) <= 5 for cell in enemies)

    def place(self, unit: int, cell: int, start: int) -> int:
        """How good it is for a unit, now at `start`, to stand in a hex."""
        s, board = self.s, self.s.chart.board
        bit = board.bit[cell]
        score = self._pull[cell]
        if board[cell].terrain in COVER:
            score += 5
        # A unit opens an enemy zone to its own supply by standing there.
        if not self.supplied & (bit | s.chart.lines.near(cell)):
            score -= 25
        for town, value in self.goals:
            if cell == town:
                score += 60 * value
        for town, value in self.own_towns:
            if cell == town and all(u == unit for u in s.ground.stacks[town]) and self.threatened(town):
                score += 45 * value
        if self._zone & bit and s.pieces[unit].steps == 1:
            score -= 12
        return score + self._chance(unit, cell, start)

    def _chance(self, unit: int, cell: int, start: int) -> int:
        """What attacks the unit would make possible or better from there."""
        s, board = self.s, self.s.chart.board
        best = 0
        for target in self.near_enemy[cell]:
            others = [
                u
                for near in board.near[target]
                for u in s.ground.stacks[near]
                if u != unit and s.chart.units[u].side == self.side
            ]
            before = battle_worth(s, target, others) if others else 0
            with_it = [*others, unit]
            hexes = [cell, *(s.at(u) for u in others)]
            gain = battle_worth(s, target, with_it, hexes=hexes) - max(0, before)
            if not others and across_river(s, target, (cell,), with_it):
                gain -= 10
            best = max(best, min(60, gain))
        return best if start != cell else best - 1

    def attack(self, order: Attack) -> int:
        s = self.s
        units = attackers(s, order.hexes)
        return battle_worth(s, order.target, units, order.target in s.barrages) - 2 * len(units)

    def throw(self, slot: int) -> int:
        """How gladly a card is thrown away."""
        card = self.known.get(slot_text(self.s.deck.name, slot))
        return 6 - KEEP[self.s.chart.cards[card].key] if isinstance(card, int) else 0

    def play(self, order: Play) -> int:
        """An order card."""
        s = self.s
        key = s.chart.cards[order.card].key
        if key == "patrol":
            return 5
        if key == "march":
            return -1
        board = s.chart.board
        units = [
            u for near in board.near[order.target] for u in s.ground.stacks[near] if s.chart.units[u].side == self.side
        ]
        if not units:
            return -1
        plain, better = battle_worth(s, order.target, units), battle_worth(s, order.target, units, barrage=True)
        return 3 if better > 12 and better - plain >= 15 else -1

    def react(self, order: Play, battle: Window | Battle) -> int:
        """A card in a window, by what it saves."""
        s = self.s
        key = s.chart.cards[order.card].key
        if key == "countermand":
            return 1
        hexes = [near for near in s.chart.board.near[battle.target] if s.side_at(near) == battle.side]
        units = attackers(s, hexes)
        before = battle_worth(s, battle.target, units, battle.target in s.barrages)
        if key in ("mud", "ambush"):
            return before - battle_worth(s, battle.target, units, battle.target in s.barrages, key) - 18
        town = battle.target in s.plan.values
        if key == "standfast":
            return 10 if town and before > 20 else -1
        return 5 if not town and before > 60 else -1


LAST = 1_000  # after all units


def _unit_of(order: Order) -> int:
    return order.unit if isinstance(order, Move | Rally) else LAST if isinstance(order, Play) else 0


class SensibleBot:
    """Goes for the nearest town, attacks where the table favours it, keeps its towns, saves its cards for need."""

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterable[Order], rng: Randomness) -> Order:
        orders = sorted(legal, key=_unit_of)  # of those that are worth the same the first is taken
        if len(orders) == 1:
            return orders[0]
        if isinstance(orders[0], Enter):
            return orders[rng.below(len(orders))]
        mind = _Mind(view.state, seat, view.known)
        here: dict[int, int] = {}
        best, top = orders[0], self._worth(mind, view, orders[0], here)
        for order in orders[1:]:
            worth = self._worth(mind, view, order, here)
            if worth > top:
                best, top = order, worth
        return best

    @staticmethod
    def _worth(mind: _Mind, view: View[State], order: Order, here: dict[int, int]) -> int:
        """Higher is better; 0 is what `done`, `pass`, `halt` and `decline` are worth."""
        s, frame = mind.s, view.frame
        if isinstance(order, Move):
            start = s.at(order.unit)
            if order.unit not in here:
                here[order.unit] = mind.place(order.unit, start, start)
            return mind.place(order.unit, order.to, start) - here[order.unit]
        if isinstance(order, Attack):
            return mind.attack(order)
        if isinstance(order, Rally):
            return 4 + mind.throw(order.slot)
        if isinstance(order, Play):
            return mind.react(order, frame) if isinstance(frame, Window) else mind.play(order)
        if isinstance(order, Counter) and isinstance(frame, Battle):
            return battle_worth(s, order.target, s.ground.stacks[frame.target])
        if isinstance(order, Advance):
            return _advance(mind, order)
        if isinstance(order, GoBack | Stand) and isinstance(frame, Retreat):
            return _give_way(mind, frame, order)
        if isinstance(order, Choose):
            behind = bool(mind.goals) and s.plan.first == mind.side
            return int(order.posture == (Posture.ATTACK if behind else Posture.HOLD))
        return 0


def _advance(mind: _Mind, order: Advance) -> int:
    s, board = mind.s, mind.s.chart.board
    if order.to in s.plan.values:
        return 1 + s.face(order.unit).attack
    if not mind.supplied & board.bit[order.to] or s.at(order.unit) in s.plan.values:
        return -1
    if len(s.ground.stacks[order.to]) == 1:
        return -1
    return mind.place(order.unit, order.to, 0) - mind.place(order.unit, s.at(order.unit), 0)


def _give_way(mind: _Mind, frame: Retreat, order: GoBack | Stand) -> int:
    """Towns are held to the last step but one; open ground is not worth one."""
    s = mind.s
    if isinstance(order, Stand):
        steps = sum(s.pieces[unit].steps for unit in frame.waiting)
        return 2 if frame.hex in s.plan.values and steps > 1 else 0
    return int(order.to == safest_of(s, frame.side, ways_back(s, frame.side, order.unit)))
