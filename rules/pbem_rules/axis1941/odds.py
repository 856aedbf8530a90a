"""Odds of a battle: the exact chances of every end, by dynamic programming over the forces that are left.

The rules are those of `hits` and of the steps of `battle`; losses, submarines and retreats follow standing orders, the
players' or the defaults. Odds help a player and are never replayed, so they are floats: sums and products of positive
terms only, some ten thousand of them to a figure, which leaves an error below 1e-12.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.game import parse_policy
from pbem_rules.axis1941.hits import (
    ALONE,
    BARE,
    BOTH_GONE,
    DEFENCELESS,
    DESTROYER,
    INFANTRY,
    LOST,
    SIZE,
    STUCK,
    SUBMARINE,
    TANK,
    WON,
    Counts,
    verdict,
)
from pbem_rules.axis1941.odds_side import NEVER, Conduct, Fight, Hits, Side, binomial
from pbem_rules.axis1941.standing import RETREAT_DEFAULT

__all__ = ["Conduct", "Fight", "Odds", "odds"]

MOST_ROUNDS = 400  # where the round matters: what is left after so many is less than can be told
FEW = 1e-14  # rounds end when no more is left
LITTLE = 1e-18  # what is less likely is not followed: of some hundred thousand states, 1e-13 in all
_RETREAT = parse_policy(RETREAT_DEFAULT)


@dataclass
class Odds:
    """Chances of the ends, and what is left of both sides on average, by place in a force."""

    win: float = 0.0
    loss: float = 0.0
    tie: float = 0.0  # nobody left, or nobody who could fight on
    retreat: float = 0.0
    capture: float = 0.0  # won with a land unit left, on land
    attackers: list[float] = field(default_factory=lambda: [0.0] * SIZE)
    defenders: list[float] = field(default_factory=lambda: [0.0] * SIZE)
    swing: float = 0.0  # what the defender loses less what the attacker loses, in IPC


def odds(fight: Fight) -> Odds:
    """The odds of a battle that has not begun. At sea, transports that are left alone retreat (AA-6.40)."""
    return _Reckoner(fight).run()


Part = tuple[float, int, dict[int, float]]
"""A chance, the defenders that are left, and the chances of what is left of the attackers then."""


class Step2(NamedTuple):
    """What step 2 of a round leads to: chance, attackers, defenders; and how many submarines leave the battle."""

    ways: list[tuple[float, int, int]]
    diving: int
    diving_back: int


class _Reckoner:
    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.attack, self.defence = Side(fight, attacking=True), Side(fight, attacking=False)
        self.found = Odds()
        self._fired: dict[tuple[int, int, int], list[Part]] = {}
        self.timed = self.attack.timed or self.defence.timed or "round" in fight.attack.retreat.facts()

    def run(self) -> Odds:
        a, d = self.attack.number(self.fight.attackers), self.defence.number(self.fight.defenders)
        if self._over(a, d, 1.0):
            pass
        elif self.timed:
            self._by_rounds(a, d)
        else:
            self._by_strength(a, d)
        cost = self.fight.guns.cost
        worth = [sum(count * price for count, price in zip(force, cost, strict=True)) for force in (
            self.fight.attackers, self.found.attackers, self.fight.defenders, self.found.defenders
        )]  # fmt: skip
        self.found.swing = (worth[2] - worth[3]) - (worth[0] - worth[1])
        return self.found

    def _by_rounds(self, a: int, d: int) -> None:
        """Where the round matters: one round after the other. States are defenders -> attackers -> chance."""
        states = {d: {a: 1.0}}
        for round_ in range(1, MOST_ROUNDS + 1):
            middle: dict[int, dict[int, float]] = {}
            for d, row in states.items():
                for a, chance in row.items():
                    step = self._step_2(a, d, round_)
                    self._dived(step, chance)
                    for share, a1, d1 in step.ways:
                        struck = middle.setdefault(d1, {})
                        struck[a1] = struck.get(a1, 0.0) + chance * share
            following: dict[int, dict[int, float]] = {}
            for d, row in middle.items():
                for a, chance in row.items():
                    for share, d2, ours in self._fire(a, d, round_):
                        left = following.setdefault(d2, {})
                        weight = chance * share
                        for a2, q in ours.items():
                            left[a2] = left.get(a2, 0.0) + weight * q
            states = {}
            for d, row in following.items():
                going = {a: chance for a, chance in row.items() if not self._ends(a, d, chance, round_)}
                if going:
                    states[d] = going
            if sum(sum(row.values()) for row in states.values()) < FEW:
                break
        for d, row in states.items():
            for a, chance in row.items():
                self._count("tie", a, d, chance)

    def _by_strength(self, a: int, d: int) -> None:
        """States in descending order of what is left, the defender's first: no round leads upwards."""
        first = (a, d)
        of_a, of_d = self.attack.strength, self.defence.strength
        most = of_a[a] + 1
        waiting: list[dict[int, list[dict[int, float]]]] = [{} for _ in range(of_d[d] + 1)]
        waiting[-1][d] = [{} for _ in range(most)]
        waiting[-1][d][-1][a] = 1.0
        for level in reversed(waiting):
            for d, rows in level.items():
                for row in reversed(rows):
                    for a, chance in row.items():
                        if (a, d) != first and self._ends(a, d, chance, 1):
                            continue
                        for weight, d2, ours in self._leave(a, d, chance):
                            following = waiting[of_d[d2]].get(d2)
                            if following is None:
                                following = waiting[of_d[d2]][d2] = [{} for _ in range(most)]
                            for a2, q in ours.items():
                                after = following[of_a[a2]]
                                after[a2] = after.get(a2, 0.0) + weight * q
                    row.clear()
            level.clear()

    def _leave(self, a: int, d: int, chance: float) -> list[Part]:
        """Where a state leads when it is left at last: rounds in which nothing happens are summed up."""
        step = self._step_2(a, d, 1)
        parts = [
            (chance_1 * share, d2, ours) for chance_1, a1, d1 in step.ways for share, d2, ours in self._fire(a1, d1, 1)
        ]
        again = sum([share * ours.get(a, 0.0) for share, d2, ours in parts if d2 == d])
        if again and self._would_retreat(a, d, 1):
            self._count("retreat", a, d, chance * again)
            scale = chance
        else:
            scale = chance / (1.0 - again)
        self._dived(step, scale)
        found = []
        for share, d2, ours in parts:
            others = {a2: q for a2, q in ours.items() if a2 != a} if d2 == d else ours
            found.append((scale * share, d2, others))
        return found

    def _step_2(self, a: int, d: int, round_: int) -> Step2:
        """AA-6.17..6.22: what submarines do before the others fire."""
        attack, defence = self.attack, self.defence
        ours, theirs = attack.forces[a], defence.forces[d]
        if not self.fight.sea:
            return Step2([(1.0, a, d)], 0, 0)
        strikes = strikes_back = diving = diving_back = 0
        destroyer, destroyer_back = ours[DESTROYER] > 0, theirs[DESTROYER] > 0
        if not destroyer_back and ours[SUBMARINE]:
            ours, strikes, diving = attack.dive(ours, theirs, round_)
        if not destroyer and theirs[SUBMARINE]:
            theirs, strikes_back, diving_back = defence.dive(theirs, ours, round_)
        a, d = attack.number(ours), defence.number(theirs)
        value, value_back = attack.values[SUBMARINE], defence.values[SUBMARINE]
        struck: dict[tuple[int, int], float] = {}
        for hits, p in enumerate(binomial(strikes, value)):
            d1 = defence.pay(d, (hits, 0, 0), destroyer, ours, round_)
            for hits_back, q in enumerate(binomial(strikes_back, value_back)):
                a1 = attack.pay(a, (hits_back, 0, 0), destroyer_back, defence.forces[d1], round_)
                struck[a1, d1] = struck.get((a1, d1), 0.0) + p * q
        return Step2([(p, a1, d1) for (a1, d1), p in struck.items()], diving, diving_back)

    def _fire(self, a: int, d: int, round_: int) -> list[Part]:
        """Steps 3 and 4, unless the battle was decided in step 2. Nobody loses a destroyer in step 2, so what
        submarines could do then is seen from who is left: they struck or could have, and are silent now.
        """
        key = (a, d, round_ if self.attack.timed or self.defence.timed else 0)
        found = self._fired.get(key)
        if found is None:
            found = self._fired[key] = self._volleys(a, d, round_)
        return found

    def _volleys(self, a: int, d: int, round_: int) -> list[Part]:
        attack, defence = self.attack, self.defence
        ours, theirs = attack.forces[a], defence.forces[d]
        if verdict(ours, theirs, self.fight.guns) in _AT_ONCE:
            return [(1.0, d, {a: 1.0})]
        destroyer, destroyer_back = ours[DESTROYER] > 0, theirs[DESTROYER] > 0
        left: dict[int, float] = {}
        for hits, p in fire_of(attack, ours, silent=self.fight.sea and not destroyer_back):
            d2 = defence.pay(d, hits, destroyer, ours, round_)
            left[d2] = left.get(d2, 0.0) + p
        volley = fire_of(defence, theirs, silent=self.fight.sea and not destroyer)
        known: dict[Counts, dict[int, float]] = {}
        found = []
        for d2, p in left.items():
            enemy = defence.forces[d2]
            key = attack.key(enemy)
            ours_left = known.get(key)
            if ours_left is None:
                ours_left = known[key] = {}
                for hits, q in volley:
                    a2 = attack.pay(a, hits, destroyer_back, enemy, round_)
                    ours_left[a2] = ours_left.get(a2, 0.0) + q
            found.append((p, d2, ours_left))
        return found

    def _ends(self, a: int, d: int, chance: float, round_: int) -> bool:
        """After a round: is it over, or does the attacker retreat, or is it too unlikely to go on with?"""
        if chance < LITTLE:
            self._count("tie", a, d, chance)
            return True
        return self._over(a, d, chance) or self._retreats(a, d, chance, round_)

    def _over(self, a: int, d: int, chance: float) -> bool:
        ours, theirs = self.attack.forces[a], self.defence.forces[d]
        end = verdict(ours, theirs, self.fight.guns)
        if not end:
            return False
        if end in (LOST, ALONE):
            self._count("loss", a, d, chance)
        elif end in (BOTH_GONE, BARE, STUCK):
            self._count("tie", a, d, chance)
        else:
            self._count("win", a, d, chance)
        return True

    def _would_retreat(self, a: int, d: int, round_: int) -> bool:
        policy = self.fight.attack.retreat
        if policy is NEVER:
            return False
        ours, theirs = self.attack.forces[a], self.defence.forces[d]
        return self.attack.told(policy, _RETREAT, ("press", "retreat"), ours, theirs, round_=round_) == "retreat"

    def _retreats(self, a: int, d: int, chance: float, round_: int) -> bool:
        if not self._would_retreat(a, d, round_):
            return False
        self._count("retreat", a, d, chance)
        return True

    def _dived(self, step: Step2, chance: float) -> None:
        """Submarines that leave the battle are left over."""
        self.found.attackers[SUBMARINE] += chance * step.diving
        self.found.defenders[SUBMARINE] += chance * step.diving_back

    def _count(self, end: str, a: int, d: int, chance: float) -> None:
        found, ours, theirs = self.found, self.attack.forces[a], self.defence.forces[d]
        setattr(found, end, getattr(found, end) + chance)
        lost = end == "win" and any(theirs)  # defenceless transports (AA-6.37)
        for place in range(SIZE):
            found.attackers[place] += chance * ours[place]
            if not lost:
                found.defenders[place] += chance * theirs[place]
        if end == "win" and not self.fight.sea and ours[INFANTRY] + ours[TANK]:
            found.capture += chance


_AT_ONCE = (WON, LOST, BOTH_GONE, DEFENCELESS)


def fire_of(side: Side, force: Counts, *, silent: bool) -> list[tuple[Hits, float]]:
    if silent and force[SUBMARINE]:
        force = (*force[:SUBMARINE], 0, *force[SUBMARINE + 1 :])
    return side.volley(force)
