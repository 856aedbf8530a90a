"""What a battle would bring: the exact chances of every end, by dynamic programming over the forces that are left.

The rules are those of `hits` and of the steps of `battle`; losses, submarines and retreats follow standing orders, the
players' or the defaults. Odds help a player and are never replayed, so they are floats: sums and products of positive
terms only, some ten thousand of them to a figure, which leaves an error below 1e-12.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.engine.policy import parse
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
LITTLE = 1e-18  # what is less likely is not followed: of some hundred thousand states, 1e-13 in all
_RETREAT = parse(RETREAT_DEFAULT)


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


class _Reckoner:
    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.attack, self.defence = Side(fight, attacking=True), Side(fight, attacking=False)
        self.found = Odds()
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
        states = {(a, d): 1.0}
        for round_ in range(1, MOST_ROUNDS + 1):
            following: dict[tuple[int, int], float] = {}
            for (a, d), chance in states.items():
                for a2, d2, share in self._round(a, d, round_, chance):
                    following[a2, d2] = following.get((a2, d2), 0.0) + chance * share
            states = {
                pair: chance
                for pair, chance in following.items()
                if not self._over(*pair, chance) and not self._retreats(*pair, chance, round_)
            }
            if sum(states.values()) < 1e-14:
                return
        for (a, d), chance in states.items():
            self._count("tie", a, d, chance)

    def _by_strength(self, a: int, d: int) -> None:
        """States in descending order of what is left, the attacker's first: no round leads upwards."""
        first = (a, d)
        most = self.attack.strength[a], self.defence.strength[d]
        waiting: list[dict[int, list[dict[int, float]]]] = [{} for _ in range(most[0] + 1)]
        waiting[most[0]][a] = [{} for _ in range(most[1] + 1)]
        waiting[most[0]][a][most[1]][d] = 1.0
        strengths = self.attack.strength, self.defence.strength
        for level in range(most[0], -1, -1):
            for a, rows in waiting[level].items():
                for row in reversed(rows):
                    for d, chance in row.items():
                        if chance < LITTLE:
                            self._count("tie", a, d, chance)
                            continue
                        if (a, d) != first and (self._over(a, d, chance) or self._retreats(a, d, chance, 1)):
                            continue
                        self._spread(a, d, chance, waiting, strengths, most[1])
                    row.clear()
            waiting[level].clear()

    def _spread(
        self,
        a: int,
        d: int,
        chance: float,
        waiting: list[dict[int, list[dict[int, float]]]],
        strengths: tuple[list[int], list[int]],
        most: int,
    ) -> None:
        of_a, of_d = strengths
        ways = list(self._round(a, d, 1, None))
        again = sum(share for a2, d2, share in ways if a2 == a and d2 == d)
        if again and self._would_retreat(a, d, 1):
            self._count("retreat", a, d, chance * again)
            again = 0.0
        scale = chance / (1.0 - again)
        self._dived(scale)
        for a2, d2, share in ways:
            if a2 == a and d2 == d:
                continue
            rows = waiting[of_a[a2]].get(a2)
            if rows is None:
                rows = waiting[of_a[a2]][a2] = [{} for _ in range(most + 1)]
            row = rows[of_d[d2]]
            row[d2] = row.get(d2, 0.0) + scale * share

    def _round(self, a: int, d: int, round_: int, chance: float | None) -> Iterator[tuple[int, int, float]]:
        """Where a round leads: both forces, and the chance. `chance` of getting here, None: it is counted later."""
        attack, defence, sea = self.attack, self.defence, self.fight.sea
        ours, theirs = attack.forces[a], defence.forces[d]
        self._diving = (0, 0)
        strikes = strikes_back = 0
        silent = silent_back = False
        if sea:
            silent, silent_back = not theirs[DESTROYER], not ours[DESTROYER]
            diving = diving_back = 0
            if silent and ours[SUBMARINE]:
                ours, strikes, diving = attack.dive(ours, theirs, round_)
            if silent_back and theirs[SUBMARINE]:
                theirs, strikes_back, diving_back = defence.dive(theirs, ours, round_)
            self._diving = diving, diving_back
            if chance is not None:
                self._dived(chance)
        a, d = attack.number(ours), defence.number(theirs)
        step_2 = bool(strikes or strikes_back or self._diving != (0, 0))
        if not step_2:
            yield from self._fire(a, d, 1.0, round_, silent=silent, silent_back=silent_back)
            return
        destroyer, destroyer_back = not silent_back, not silent
        value, value_back = attack.values[SUBMARINE], defence.values[SUBMARINE]
        for hits, p in enumerate(binomial(strikes, value)):
            d1 = defence.pay(d, (hits, 0, 0), destroyer_back, ours, round_)
            for hits_back, q in enumerate(binomial(strikes_back, value_back)):
                a1 = attack.pay(a, (hits_back, 0, 0), destroyer, defence.forces[d1], round_)
                if verdict(attack.forces[a1], defence.forces[d1], self.fight.guns) in _AT_ONCE:
                    yield a1, d1, p * q
                else:
                    yield from self._fire(a1, d1, p * q, round_, silent=silent, silent_back=silent_back)

    def _fire(
        self, a: int, d: int, chance: float, round_: int, *, silent: bool, silent_back: bool
    ) -> Iterator[tuple[int, int, float]]:
        """Steps 3 and 4; `silent`: submarines have struck, or could have, and do not fire."""
        attack, defence = self.attack, self.defence
        ours, theirs = attack.forces[a], defence.forces[d]
        destroyer, destroyer_back = ours[DESTROYER] > 0, theirs[DESTROYER] > 0
        left: dict[int, float] = {}
        for hits, p in fire_of(attack, ours, silent=silent):
            d2 = defence.pay(d, hits, destroyer, ours, round_)
            left[d2] = left.get(d2, 0.0) + p
        volley = fire_of(defence, theirs, silent=silent_back)
        known: dict[Counts, dict[int, float]] = {}
        for d2, p in left.items():
            enemy = defence.forces[d2]
            key = attack.key(enemy)
            ours_left = known.get(key)
            if ours_left is None:
                ours_left = known[key] = {}
                for hits, q in volley:
                    a2 = attack.pay(a, hits, destroyer_back, enemy, round_)
                    ours_left[a2] = ours_left.get(a2, 0.0) + q
            for a2, q in ours_left.items():
                yield a2, d2, chance * p * q

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

    def _dived(self, chance: float) -> None:
        """Submarines that leave the battle are left over."""
        ours, theirs = self._diving
        self.found.attackers[SUBMARINE] += chance * ours
        self.found.defenders[SUBMARINE] += chance * theirs

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
