"""Standing orders of battle: what they may compare, and what is done where a player says nothing
(AA-6.18, AA-6.29, AA-6.46, AA-7.6).

All facts are whole numbers. Those of one's own side have the plain name, the enemy's begin with `enemy_`; the defence
counts all its powers together, so that allies with the same orders agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem_rules.axis1941.hits import (
    BATTLESHIP,
    BOMBER,
    BY_AIR,
    CLASS_OF,
    DAMAGED,
    DESTROYER,
    FIGHTER,
    INFANTRY,
    SUBMARINE,
    TANK,
    TRANSPORT,
    effective,
    strength,
)

COUNTED = (
    "infantry", "tank", "fighter", "bomber", "submarine", "transport", "destroyer", "carrier", "battleship",
)  # fmt: skip
PLAIN = (*COUNTED, "damaged", "land", "air", "ships", "units", "strength", "pips", "cost")
FACTS = (
    *PLAIN,
    *(f"enemy_{name}" for name in PLAIN),
    "attacking",  # 1: own attack
    "hits",  # still to be taken
    "landing",  # 1: units that came by sea fight, and cannot retreat
    "others",  # own units but submarines and transports
    "place",
    "ratio",  # 100 * pips * strength / the enemy's
    "pips_percent",
    "cost_percent",
    "strength_percent",
    "round",  # of the battle
    "sea",
    "struck",  # own submarines that were told to strike in this round
    "threat",  # enemy units that can hit submarines
    "turn",  # of the game
)

# AA-6.10, AA-6.53: an attacker keeps a land unit to take the territory with as long as aircraft can pay. At sea the
# last destroyer is kept while there are submarines.
LOSSES_DEFAULT = (
    "when sea = 0 and attacking = 1 and land <= 1 then fighter, bomber, infantry, tank; "
    "when sea = 0 and attacking = 1 then infantry, tank, fighter, bomber; "
    "when sea = 0 then infantry, tank, bomber, fighter; "
    "when destroyer <= 1 and enemy_submarine > 0 then damage, submarine, fighter, destroyer, carrier, bomber, "
    "battleship, transport; "
    "then damage, submarine, destroyer, fighter, carrier, bomber, battleship, transport"
)
# AA-7.6: what an attacker takes from defenders who do not agree.
SETTLE_DEFAULT = "then battleship, carrier, bomber, fighter, destroyer, tank, submarine, infantry, damage, transport"
SUBMARINES_DEFAULT = (
    "when attacking = 1 and others = 0 and ratio < 60 then submerge; when attacking = 1 then strike; "
    "when others > 0 then strike; when threat = 0 then strike; then submerge"
)
# Transports among transports stay (AA-6.42). AA-12.10: who cannot hit anybody has a ratio of 0, and goes.
RETREAT_DEFAULT = (
    "when units = 0 and enemy_units = 0 then stay; when landing = 1 and ratio < 40 then retreat; "
    "when landing = 0 and ratio < 75 then retreat; then press"
)


def _own(name: str, figure: Callable[[Sequence[int]], int]) -> dict[str, Callable[[Facts], int]]:
    return {name: lambda facts: figure(facts.own), f"enemy_{name}": lambda facts: figure(facts.enemy)}


class Facts(Mapping[str, int]):
    """All of FACTS, each worked out when it is asked for: most standing orders compare two or three."""

    __slots__ = ("enemy", "enemy_values", "own", "own_values", "prices", "told")

    def __init__(
        self,
        own: Sequence[int],
        enemy: Sequence[int],
        own_values: Sequence[int],
        enemy_values: Sequence[int],
        cost: Sequence[int],
        told: Mapping[str, int],
    ) -> None:
        """`told`: those that do not follow from the forces."""
        self.own, self.enemy = own, enemy
        self.own_values, self.enemy_values = own_values, enemy_values
        self.prices = cost
        self.told = told

    def __getitem__(self, name: str) -> int:
        found = self.told.get(name)
        return _FIGURES[name](self) if found is None else found

    __contains__ = frozenset(FACTS).__contains__

    def __iter__(self) -> Iterator[str]:
        return iter(FACTS)

    def __len__(self) -> int:
        return len(FACTS)


def _of_place(place: int) -> Callable[[Sequence[int]], int]:
    return lambda force: force[place]


def _units(force: Sequence[int]) -> int:
    return sum(force) - force[TRANSPORT]


def _strength(force: Sequence[int]) -> int:
    return strength(force) - force[TRANSPORT]


def _percent(facts: Facts, name: str) -> int:
    return 100 * facts[name] // max(1, facts[f"enemy_{name}"])


def _cost(force: Sequence[int], prices: Sequence[int]) -> int:
    return sum([count * price for count, price in zip(force, prices, strict=True)])


def _threat(facts: Facts) -> int:
    """AA-6.18, AA-6.31: how many of the enemy can hit a submarine."""
    destroyer = facts.enemy[DESTROYER] > 0
    return sum(
        [
            count
            for count, value, hit in zip(facts.enemy, facts.enemy_values, CLASS_OF, strict=True)
            if value and (hit != BY_AIR or destroyer)
        ]
    )


_FIGURES: dict[str, Callable[[Facts], int]] = {
    "pips": lambda facts: effective(facts.own, facts.own_values, facts.enemy),
    "enemy_pips": lambda facts: effective(facts.enemy, facts.enemy_values, facts.own),
    "cost": lambda facts: _cost(facts.own, facts.prices),
    "enemy_cost": lambda facts: _cost(facts.enemy, facts.prices),
    "others": lambda facts: _units(facts.own) - facts.own[SUBMARINE],
    "threat": _threat,
    "ratio": lambda facts: (
        100 * facts["pips"] * facts["strength"] // max(1, facts["enemy_pips"] * facts["enemy_strength"])
    ),
    "pips_percent": lambda facts: _percent(facts, "pips"),
    "cost_percent": lambda facts: _percent(facts, "cost"),
    "strength_percent": lambda facts: _percent(facts, "strength"),
}
for _place, _name in enumerate(COUNTED):
    _FIGURES.update(_own(_name, _of_place(_place)))
_FIGURES.update(_own("battleship", lambda force: force[BATTLESHIP] + force[DAMAGED]))
_FIGURES.update(_own("damaged", _of_place(DAMAGED)))
_FIGURES.update(_own("land", lambda force: force[INFANTRY] + force[TANK]))
_FIGURES.update(_own("air", lambda force: force[FIGHTER] + force[BOMBER]))
_FIGURES.update(_own("ships", lambda force: sum(force[SUBMARINE:]) - force[TRANSPORT]))
_FIGURES.update(_own("units", _units))
_FIGURES.update(_own("strength", _strength))
