"""Values of attacks, and the choice among them: the part of the bots that fights.

Worths are sums over the faces of the die, of tenths of a point of strength.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from pbem.kit import Foray, forays, gather
from pbem_rules.stargard.battle import ATTACKER, DEFENDER, parts
from pbem_rules.stargard.bot_mind import Mind
from pbem_rules.stargard.chart import DIE, FORTRESS, RIVERS, VOLKSSTURM
from pbem_rules.stargard.odds import NO_ATTACK, QUARTERS, defence_shares, ground_shifts, total
from pbem_rules.stargard.state import SUPPLIED

Post = tuple[int, int]  # a unit and the hex that it attacks from
Assault = Foray[Post]
BACK = 8  # what it costs attackers to retreat
JOIN = 2  # what each unit more costs, which stands beside the enemy then
PANIC = 25  # what it is worth to drive somebody back with no good way


def step_price(mind: Mind, unit: int) -> int:
    """What the next step of a unit is worth; less to a side that has plenty, little in the last turn."""
    s = mind.s
    face, steps = s.face(unit), s.pieces[unit].steps
    price = face.attack + face.defence
    if s.has(unit, VOLKSSTURM):
        return 10
    if steps > 1:
        after = s.counter(unit).face(steps - 1)
        price -= after.attack + after.defence
    else:
        price += 2
    return price * (2 if mind.last else mind.rate if s.side(unit) == mind.side else 10)


class Field(NamedTuple):
    """One hex that can be attacked: what each column brings, and what it costs."""

    target: int
    defence: int
    shift: int
    exits: int  # hexes to which the defenders could retreat
    gains: tuple[int, ...]  # by column
    driven: tuple[int, ...]  # by column: how many faces drive somebody back who survives
    losses: tuple[int, ...]  # by column: steps of the attackers
    backs: tuple[int, ...]


def ground_price(mind: Mind, place: int) -> int:
    """What it is worth to throw the enemy out of a place."""
    price = 60 * mind.value(place) if place in mind.chart.prizes else 15 if place in mind.chart.settled else 6
    near = min((mind.chart.distances.to(goal)[place] for goal, _ in mind.goals), default=9)
    return price + 3 * max(0, 5 - near)


def field_of(mind: Mind, target: int) -> Field:
    s, chart = mind.s, mind.chart
    there = s.combat_units(target, mind.foe)
    ground = chart.settlements.get(chart.settled.get(target, ""))
    shift = sum(each.by for each in ground_shifts(s, target)) + any(s.pieces[unit].pinned for unit in there)
    prices = sorted((step_price(mind, unit) for unit in there), reverse=True)
    alive = sum(s.pieces[unit].steps for unit in there)
    fort = any(s.has(unit, FORTRESS) for unit in there)
    hold, marker = ground_price(mind, target), target in chart.prizes

    def brings(result: str) -> tuple[int, int]:
        """What the defenders' part of a result is worth, and whether somebody is driven back."""
        steps, hexes = parts(result).get(DEFENDER, (0, 0))
        steps = max(0, steps - (ground is not None and ground.first_loss))
        hexes = max(0, hexes - (ground is not None and ground.first_retreat))
        worth = sum(prices[k % len(prices)] for k in range(min(steps, alive)))
        if marker:
            worth += hold * min(steps, alive) // (2 * alive)
        if steps >= alive:
            return worth + hold, 0
        return (worth + hold, 1) if hexes and not fort else (worth, 0)

    rows = chart.crt.cells
    columns = range(len(chart.odds.columns))
    results = {cell: brings(cell) for row in rows for cell in row}
    costs = {cell: parts(cell).get(ATTACKER, (0, 0)) for row in rows for cell in row}
    near = (place for place in mind.board.near[target] if chart.passable(target, place))
    return Field(
        target,
        total(defence_shares(s, target)),
        shift,
        mind.board.mask(near) & ~s.ground.occupied[mind.side],
        tuple(sum(results[row[column]][0] for row in rows) for column in columns),
        tuple(sum(results[row[column]][1] for row in rows) for column in columns),
        tuple(sum(costs[row[column]][0] for row in rows) for column in columns),
        tuple(sum(costs[row[column]][1] > 0 for row in rows) for column in columns),
    )


class Eye:
    """Looks at possible attacks of one side; what it has found out of a hex is kept while it lives."""

    def __init__(self, mind: Mind, air: int = 0) -> None:
        """`air`: the points of air attack that could help in one of them, against a marker."""
        self.mind, self._air = mind, air
        self._fields: dict[int, Field] = {}
        self._quarters: dict[tuple[int, int, int], int] = {}
        self._own = mind.s.zone(mind.side)

    def field(self, target: int) -> Field:
        if target not in self._fields:
            self._fields[target] = field_of(self.mind, target)
        return self._fields[target]

    def quarters(self, unit: int, cell: int, target: int) -> int:
        """The strength of a unit from a hex, in quarters."""
        key = (unit, cell, target)
        if key not in self._quarters:
            s = self.mind.s
            edge = s.chart.board.edges.get((cell, target), frozenset())
            halves = (not edge.isdisjoint(RIVERS)) + (s.pieces[unit].supply != SUPPLIED)
            self._quarters[key] = s.face(unit).attack * QUARTERS >> halves
        return self._quarters[key]

    def column(self, target: int, posts: Iterable[Post], air: int = 0) -> int:
        """SG-8.4: as `reckon_attack`, from hexes where the units do not stand yet."""
        field, odds = self.field(target), self.mind.chart.odds
        attack = sum(self.quarters(unit, cell, target) for unit, cell in posts) // QUARTERS
        if not attack:
            return NO_ATTACK
        last = len(odds.columns) - 1
        plain = min(odds.place(attack, field.defence), last) if field.defence else last
        return min(plain + field.shift + air, last)

    def worth(self, target: int, posts: Sequence[Post], air: int = 0) -> int:
        return self.worth_in(self.column(target, posts, air), target, posts)

    def worth_in(self, column: int, target: int, posts: Sequence[Post]) -> int:
        if column < 0:
            return -1000 + column
        field, mind = self.field(target), self.mind
        strongest = max(posts, key=lambda post: (mind.s.face(post[0]).attack, post))[0]
        worth = field.gains[column] - field.losses[column] * step_price(mind, strongest)
        worth -= BACK * field.backs[column] + DIE * JOIN * len(posts)
        if field.driven[column]:
            zones = mind.chart.zones.of(cell for unit, cell in posts if mind.s.face(unit).attack)
            if not field.exits & ~(self._own | zones):
                worth += PANIC * field.driven[column]
        return worth

    # Whom to bring together

    def posts(self, target: int, movers: Iterable[int], ready: Collection[int]) -> list[Post]:
        """Who could attack the hex, and from where: those who stand there already, then those who can come."""
        mind, s, chart = self.mind, self.mind.s, self.mind.chart
        cells = [cell for cell in chart.board.near[target] if chart.passable(cell, target)]
        found = [(unit, mind.at(unit)) for unit in ready if mind.at(unit) in cells]
        for unit in movers:
            if s.face(unit).attack:
                field = mind.reach(unit)
                found += [(unit, cell) for cell in cells if cell in field and cell != mind.at(unit)]
        rank = {unit: -s.face(unit).attack for unit, _ in found}
        river = {cell: not chart.board.edges[cell, target].isdisjoint(RIVERS) for cell in cells}
        found.sort(key=lambda post: (rank[post[0]] + 2 * river[post[1]] + (mind.at(post[0]) != post[1]), post))
        return found[: mind.level.posts]

    def best_on(self, target: int, movers: Iterable[int], ready: Collection[int], spare: int) -> Assault | None:
        """The best attack on a hex. `spare`: how many independent units may join it."""
        mind, s = self.mind, self.mind.s

        def joins(chosen: Sequence[Post], post: Post) -> bool:
            unit, cell = post
            if any(unit == each for each, _ in chosen):
                return False
            if s.chart.independent(unit) and sum(s.chart.independent(each) for each, _ in chosen) >= spare:
                return False
            if mind.at(unit) == cell:
                return True
            going = [each for each, _ in chosen]
            there = sum(each not in going for each in mind.stack(cell)) + sum(to == cell for _, to in chosen)
            return there < 2

        air = self._air if target in mind.chart.prizes else 0

        def worth(posts: Sequence[Post]) -> int:
            return self.worth(target, posts, air) - self._left_open(posts)

        return gather(target, self.posts(target, movers, ready), worth, joins, mind.level.joined)

    def _left_open(self, posts: Sequence[Post]) -> int:
        """What it costs that units leave the markers that they guard."""
        mind = self.mind
        leaving = [unit for unit, cell in posts if mind.at(unit) != cell and mind.at(unit) in mind.chart.prizes]
        if not leaving:
            return 0
        cost = 0
        for place in dict.fromkeys(mind.at(unit) for unit in leaving):
            stays = any(unit not in leaving for unit in mind.stack(place))
            if not stays and mind.memory.menace.get(place):
                cost += 60 * mind.value(place)
        return cost

    def assaults(
        self, targets: Iterable[int], movers: Sequence[int], ready: Collection[int], spare: int
    ) -> list[Assault]:
        """Attacks beside each other, the best first."""

        def best_on(target: int, used: Collection[int]) -> Assault | None:
            free = [unit for unit in movers if unit not in used]
            return self.best_on(target, free, [unit for unit in ready if unit not in used], spare)

        return forays(targets, best_on, (), 12)


__all__ = ["Assault", "Eye", "Post", "step_price"]
