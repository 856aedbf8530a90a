"""AA-6.28..6.37: hits of three classes, who may be chosen for them, and when a battle is decided. Numbers only.

A force is counted in ten numbers: infantry, tanks, fighters, bombers, submarines, transports, destroyers, carriers,
battleships without a hit, battleships with one. A loss is the place in these ten that is paid with: the last but one is
the first hit of a battleship, which sinks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import NamedTuple

from pbem_rules.axis1941.units import KINDS, Kind, Stats

Counts = tuple[int, ...]

INFANTRY, TANK, FIGHTER, BOMBER, SUBMARINE, TRANSPORT, DESTROYER, CARRIER, BATTLESHIP, DAMAGED = range(10)
SIZE = 10
NOBODY: Counts = (0,) * SIZE
LOSSES = (*(str(kind) for kind in KINDS[:BATTLESHIP]), "damage", "battleship")
INDEX: Mapping[Kind, int] = {kind: place for place, kind in enumerate(KINDS)}
KIND_OF = (*KINDS, Kind.BATTLESHIP)  # by place in a force

# Classes of hits, the most restricted first, as they are assigned (AA-6.36).
BY_SUB, BY_AIR, BY_OTHER = range(3)
CLASS_OF = (2, 2, 1, 1, 0, 2, 2, 2, 2, 2)
CLASSES = ("submarine", "air", "other")
_OF_CLASS = tuple(tuple(place for place in range(SIZE) if CLASS_OF[place] == hit) for hit in range(3))


@dataclass(frozen=True, slots=True)
class Guns:
    """What each place of a force fires with and costs, from the table of units."""

    attack: Counts
    defence: Counts
    cost: Counts


@cache
def guns_of(rows: tuple[Stats, ...]) -> Guns:
    by_kind = {row.kind: row for row in rows}
    stats = [by_kind[kind] for kind in KIND_OF]
    return Guns(
        tuple(row.attack for row in stats), tuple(row.defence for row in stats), tuple(row.cost for row in stats)
    )


def counted(kinds: Iterable[Kind]) -> list[int]:
    """How many of each; battleships without a hit."""
    counts = [0] * SIZE
    for kind in kinds:
        counts[INDEX[kind]] += 1
    return counts


# AA-6.30, AA-6.31: by class of the hit and whether a destroyer fights on the side that fires.
_SHIPS = (SUBMARINE, DESTROYER, CARRIER, BATTLESHIP, DAMAGED)
_ALL_BUT_SUBS = (INFANTRY, TANK, FIGHTER, BOMBER, DESTROYER, CARRIER, BATTLESHIP, DAMAGED)
_ALL = (INFANTRY, TANK, FIGHTER, BOMBER, SUBMARINE, DESTROYER, CARRIER, BATTLESHIP, DAMAGED)
_TARGETS = ((_SHIPS, _SHIPS), (_ALL_BUT_SUBS, _ALL), (_ALL, _ALL))


def eligible(force: Sequence[int], hit: int, destroyer: bool) -> tuple[int, ...]:
    """Who may be chosen for a hit: transports only if nobody else may (AA-6.32). Submerged submarines are no part."""
    found = tuple([place for place in _TARGETS[hit][destroyer] if force[place]])
    if found:
        return found
    return (TRANSPORT,) if force[TRANSPORT] else ()


def hittable(force: Sequence[int], hit: int, destroyer: bool) -> bool:
    """Is there anybody who may be chosen for it?"""
    for place in _TARGETS[hit][destroyer]:
        if force[place]:
            return True
    return force[TRANSPORT] > 0


def payable(force: Sequence[int], hits: Sequence[int], destroyer: bool) -> int:
    """How many of these hits, by class, can be assigned at most (AA-6.36)."""
    by_sub, by_air, by_other = hits
    subs, transports = force[SUBMARINE], force[TRANSPORT]
    surface = force[DESTROYER] + force[CARRIER] + 2 * force[BATTLESHIP] + force[DAMAGED]
    others = force[INFANTRY] + force[TANK] + force[FIGHTER] + force[BOMBER]
    paid = 0
    # Submarines' hits fall on submarines first, which aircraft may not be able to hit.
    for wanted, on_subs, on_surface, on_others in (
        (by_sub, True, True, False),
        (by_air, destroyer, True, True),
        (by_other, True, True, True),
    ):
        left = wanted
        if on_subs:
            taken = min(left, subs)
            subs, left = subs - taken, left - taken
        if on_others:
            taken = min(left, others)
            others, left = others - taken, left - taken
        if on_surface:
            taken = min(left, surface)
            surface, left = surface - taken, left - taken
        taken = min(left, transports)
        transports, left = transports - taken, left - taken
        paid += wanted - left
    return paid


def strength(force: Sequence[int]) -> int:
    """How many hits a force takes until nothing is left."""
    return sum(force) + force[BATTLESHIP]


def choices(force: Sequence[int], hits: Sequence[int], destroyer: bool) -> tuple[int, ...]:
    """What the owner may choose for the next of these hits. None: nobody can be hit by it (AA-6.36)."""
    hit = next_hit(hits)
    found = eligible(force, hit, destroyer)
    if len(found) < 2 or hit != BY_SUB or not hits[BY_AIR] or destroyer or not force[SUBMARINE]:
        return found
    # A hit by a submarine must not fall where it would leave a hit by aircraft nobody but submarines.
    left = (hits[BY_SUB] - 1, hits[BY_AIR], hits[BY_OTHER])
    most = payable(force, hits, destroyer)
    return tuple([loss for loss in found if 1 + payable(after(force, loss), left, destroyer) == most])


def next_hit(hits: Sequence[int]) -> int:
    return BY_SUB if hits[BY_SUB] else BY_AIR if hits[BY_AIR] else BY_OTHER


def after(force: Sequence[int], loss: int) -> Counts:
    """The force when this loss has been taken."""
    left = list(force)
    left[loss] -= 1
    if loss == BATTLESHIP:
        left[DAMAGED] += 1
    return tuple(left)


def can_hit(force: Sequence[int], values: Sequence[int], enemy: Sequence[int]) -> bool:
    """Can anybody of a force score a hit that would find somebody?"""
    destroyer = force[DESTROYER] > 0
    for hit in (BY_OTHER, BY_AIR, BY_SUB):
        for place in _OF_CLASS[hit]:
            if force[place] and values[place]:
                if hittable(enemy, hit, destroyer):
                    return True
                break
    return False


def effective(force: Sequence[int], values: Sequence[int], enemy: Sequence[int]) -> int:
    """The pips of those whose hits would find somebody."""
    destroyer = force[DESTROYER] > 0
    total = 0
    for hit, slots in enumerate(_OF_CLASS):
        pips = 0
        for place in slots:
            pips += force[place] * values[place]
        if hittable(enemy, hit, destroyer):
            total += pips
    return total


# How a battle stands that is over.
WON = "won"
LOST = "lost"
BOTH_GONE = "gone"  # AA-6.43
DEFENCELESS = "defenceless"  # the attacker wins without dice (AA-6.37)
ALONE = "alone"  # the attacker has nothing but transports left against units that fire (AA-6.40)
BARE = "bare"  # transports against transports (AA-6.42)
STUCK = "stuck"  # AA-6.44


def verdict(attackers: Sequence[int], defenders: Sequence[int], guns: Guns) -> str:
    """AA-6.37..6.44: how the battle is over with these on the board; empty: it is not."""
    if not any(defenders):
        return WON if any(attackers) else BOTH_GONE
    if not any(attackers):
        return LOST
    attack = any(map(mul, attackers, guns.attack))
    defence = any(map(mul, defenders, guns.defence))
    if not attack:
        return ALONE if defence else BARE
    if not defence:
        return DEFENCELESS
    if can_hit(attackers, guns.attack, defenders) or can_hit(defenders, guns.defence, attackers):
        return ""
    return STUCK


class Shot(NamedTuple):
    """Some dice of one volley: units of one place in the force."""

    place: int
    value: int
    dice: int


def volley(force: Sequence[int], values: Counts) -> tuple[Shot, ...]:
    """Who fires, in the order in which dice are read: submarines, aircraft, others; each by value, highest first."""
    return tuple([Shot(place, values[place], force[place]) for place in _firing_order(values) if force[place]])


@cache
def _firing_order(values: Counts) -> tuple[int, ...]:
    """The places of a force that fire at all; there are as many tables of values as data sets in use, by two."""
    armed = [place for place in range(SIZE) if values[place]]
    return tuple(sorted(armed, key=lambda place: (CLASS_OF[place], -values[place], place)))


def hits_of(shots: Sequence[Shot], dice: Sequence[int]) -> list[int]:
    """AA-1.16, AA-6.28: hits by class."""
    hits = [0, 0, 0]
    at = 0
    for shot in shots:
        hits[CLASS_OF[shot.place]] += sum([die <= shot.value for die in dice[at : at + shot.dice]])
        at += shot.dice
    return hits
