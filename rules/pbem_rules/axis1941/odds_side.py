"""One side of a battle that is reckoned: its standing orders, how it pays for hits, and what its volleys may bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

from pbem.game import ASK, Policy, parse_policy
from pbem_rules.axis1941.hits import (
    BY_OTHER,
    CLASS_OF,
    LOSSES,
    NOBODY,
    SUBMARINE,
    Counts,
    Guns,
    after,
    choices,
    next_hit,
    payable,
    strength,
)
from pbem_rules.axis1941.standing import COUNTED, LOSSES_DEFAULT, SUBMARINES_DEFAULT, Facts

Hits = tuple[int, ...]  # by class
NEVER = parse_policy("then press")
_LOSSES = parse_policy(LOSSES_DEFAULT)
_SUBMARINES = parse_policy(SUBMARINES_DEFAULT)


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


@cache
def binomial(dice: int, value: int) -> tuple[float, ...]:
    """Chances of 0, 1, ... hits with so many dice that hit on `value` or less."""
    return tuple(comb(dice, n) * value**n * (6 - value) ** (dice - n) / 6**dice for n in range(dice + 1))


class Side:
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
        told = {
            "attacking": int(self.attacking),
            "place": self.fight.place,
            "sea": int(self.fight.sea),
            "turn": self.fight.turn,
            "round": round_,
            "hits": hits,
            "landing": 0,
            "struck": struck,
        }
        known = Facts(own, enemy, self.values, self.enemy_values, self.fight.guns.cost, told)
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
