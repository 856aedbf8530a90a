"""What a battle would bring: the exact chances of every end, by dynamic programming over the forces that are left.

The rules are those of `hits` and of the steps of `battle`; losses, submarines and retreats follow standing orders, the
players' or the defaults. Odds help a player and are never replayed, so they are floats: sums and products of positive
terms only, some ten thousand of them to a figure, which leaves an error below 1e-12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb

from pbem.engine.policy import ASK, Policy, parse
from pbem_rules.axis1941.hits import (
    ALONE,
    BARE,
    BOTH_GONE,
    BY_OTHER,
    CLASS_OF,
    DEFENCELESS,
    DESTROYER,
    INFANTRY,
    LOSSES,
    LOST,
    NOBODY,
    SIZE,
    STUCK,
    SUBMARINE,
    TANK,
    WON,
    Counts,
    Guns,
    after,
    choices,
    next_hit,
    payable,
    strength,
    verdict,
)
from pbem_rules.axis1941.standing import (
    COUNTED,
    LOSSES_DEFAULT,
    RETREAT_DEFAULT,
    SUBMARINES_DEFAULT,
    facts,
)

Hits = tuple[int, ...]  # by class
NEVER = parse("then press")
MOST_ROUNDS = 400  # where the round matters: what is left after so many is less than can be told
LITTLE = 1e-15
_LOSSES = parse(LOSSES_DEFAULT)
_SUBMARINES = parse(SUBMARINES_DEFAULT)
_RETREAT = parse(RETREAT_DEFAULT)


@dataclass(frozen=True)
class Conduct:
    """A side's standing orders."""

    losses: Policy = _LOSSES
    submarines: Policy = _SUBMARINES
    retreat: Policy = NEVER  # the attacker's


@dataclass(frozen=True)
class Fight:
    attackers: Counts
    defenders: Counts
    guns: Guns
    sea: bool = False
    place: int = 0
    turn: int = 1
    attack: Conduct = Conduct()
    defence: Conduct = Conduct()


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


@cache
def binomial(dice: int, value: int) -> tuple[float, ...]:
    """Chances of 0, 1, ... hits with so many dice that hit on `value` or less."""
    return tuple(comb(dice, n) * value**n * (6 - value) ** (dice - n) / 6**dice for n in range(dice + 1))


class _Side:
    """How one side pays for hits: its forces are numbered, so that states are pairs of small numbers."""

    def __init__(self, fight: Fight, *, attacking: bool) -> None:
        self.fight, self.attacking = fight, attacking
        guns = fight.guns
        self.values = guns.attack if attacking else guns.defence
        self.enemy_values = guns.defence if attacking else guns.attack
        self.conduct = fight.attack if attacking else fight.defence
        self.forces: list[Counts] = []
        self.strength: list[int] = []
        self._number: dict[Counts, int] = {}
        self._volleys: dict[Counts, list[tuple[Hits, float]]] = {}
        self._paid: dict[tuple[object, ...], int] = {}
        self.timed = any("round" in policy.facts() for policy in (self.conduct.losses, self.conduct.submarines))
        self._chosen: dict[tuple[object, ...], int] = {}
        self._foreign = _foreign(self.conduct.losses)
        self._counting = "hits" in self.conduct.losses.facts()

    def number(self, force: Counts) -> int:
        found = self._number.get(force)
        if found is None:
            found = self._number[force] = len(self.forces)
            self.forces.append(force)
            self.strength.append(strength(force))
        return found

    def told(
        self,
        policy: Policy,
        default: Policy,
        offered: Sequence[str],
        own: Counts,
        enemy: Counts,
        *,
        round_: int,
        hits: int = 0,
        struck: int = 0,
    ) -> str:
        """What standing orders answer; a question to the player is answered by the default."""
        known = facts(
            own,
            enemy,
            self.values,
            self.enemy_values,
            self.fight.guns.cost,
            attacking=self.attacking,
            place=self.fight.place,
            sea=self.fight.sea,
            turn=self.fight.turn,
            round_=round_,
            hits=hits,
            struck=struck,
        )
        answer = policy.choose(known, offered, default)
        return default.choose(known, offered) if answer == ASK else answer

    def key(self, enemy: Counts) -> Counts:
        """What of the enemy the choice of losses depends on."""
        return enemy if self._foreign is None else tuple([enemy[place] for place in self._foreign])

    def pay(self, own: int, hits: Hits, destroyer: bool, enemy: Counts, round_: int) -> int:
        """The force that is left; `destroyer`: of the enemy."""
        key = (own, hits, destroyer, self.key(enemy), round_ if self.timed else 0)
        found = self._paid.get(key)
        if found is None:
            found = self._paid[key] = self._pay(own, hits, destroyer, enemy, round_)
        return found

    def _pay(self, own: int, hits: Hits, destroyer: bool, enemy: Counts, round_: int) -> int:
        force = self.forces[own]
        total = sum(hits)
        if not total:
            return own
        if total >= strength(force) and payable(force, hits, destroyer) == strength(force):
            return self.number(NOBODY)
        hit = next_hit(hits)
        found = choices(force, hits, destroyer)
        if not found:
            spent = hits[hit]
        else:
            loss = found[0] if len(found) == 1 else self._choose(own, found, total, enemy, round_)
            own, spent = self.number(after(force, loss)), 1
        left = (*hits[:hit], hits[hit] - spent, *hits[hit + 1 :])
        return self.pay(own, left, destroyer, enemy, round_)

    def _choose(self, own: int, found: tuple[int, ...], hits: int, enemy: Counts, round_: int) -> int:
        key = (own, found, hits if self._counting else 0, self.key(enemy), round_ if self.timed else 0)
        loss = self._chosen.get(key)
        if loss is None:
            names = [LOSSES[each] for each in found]
            answer = self.told(self.conduct.losses, _LOSSES, names, self.forces[own], enemy, round_=round_, hits=hits)
            loss = self._chosen[key] = LOSSES.index(answer) if answer in names else found[0]
        return loss

    def volley(self, force: Counts) -> list[tuple[Hits, float]]:
        """All outcomes of a volley by class of hit; on land the class does not matter."""
        found = self._volleys.get(force)
        if found is None:
            by_class: list[list[float]] = [[1.0], [1.0], [1.0]]
            for place, count in enumerate(force):
                if count and self.values[place]:
                    hit = CLASS_OF[place] if self.fight.sea else BY_OTHER
                    by_class[hit] = _fold(by_class[hit], binomial(count, self.values[place]))
            found = self._volleys[force] = [
                ((a, b, c), by_sub * by_air * by_other)
                for a, by_sub in enumerate(by_class[0])
                for b, by_air in enumerate(by_class[1])
                for c, by_other in enumerate(by_class[2])
            ]
        return found

    def dive(self, own: Counts, enemy: Counts, round_: int) -> tuple[Counts, int, int]:
        """AA-6.18: the force without those that submerge, how many strike, how many submerge."""
        struck = dived = 0
        for _ in range(own[SUBMARINE]):
            answer = self.told(
                self.conduct.submarines, _SUBMARINES, ("strike", "submerge"), own, enemy, round_=round_, struck=struck
            )
            if answer == "submerge":
                own, dived = after(own, SUBMARINE), dived + 1
            else:
                struck += 1
        return own, struck, dived


def _foreign(policy: Policy) -> tuple[int, ...] | None:
    """The places of the enemy's force that a policy asks for; None: it asks for more than numbers of a kind."""
    found = []
    for name in sorted(policy.facts()):
        if name.startswith("enemy_") and name[6:] in COUNTED[:-1]:
            found.append(COUNTED.index(name[6:]))
        elif name.startswith("enemy_") or name.endswith("_percent") or name in ("ratio", "threat", "pips"):
            return None
    return tuple(found)


def _fold(a: Sequence[float], b: Sequence[float]) -> list[float]:
    out = [0.0] * (len(a) + len(b) - 1)
    for n, chance in enumerate(a):
        for m, other in enumerate(b):
            out[n + m] += chance * other
    return out


class _Reckoner:
    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.attack, self.defence = _Side(fight, attacking=True), _Side(fight, attacking=False)
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
            if sum(states.values()) < LITTLE:
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


def fire_of(side: _Side, force: Counts, *, silent: bool) -> list[tuple[Hits, float]]:
    if silent and force[SUBMARINE]:
        force = (*force[:SUBMARINE], 0, *force[SUBMARINE + 1 :])
    return side.volley(force)
