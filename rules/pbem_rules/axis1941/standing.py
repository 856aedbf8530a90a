"""Standing orders of battle: what they may compare, and what is done where a player says nothing (AA-6, AA-7.6).

All facts are whole numbers. Those of one's own side have the plain name, the enemy's begin with `enemy_`; the defence
counts all its powers together, so that allies with the same orders agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem_rules.axis1941.hits import (
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


def facts(
    own: Sequence[int],
    enemy: Sequence[int],
    own_values: Sequence[int],
    enemy_values: Sequence[int],
    cost: Sequence[int],
    *,
    attacking: bool,
    place: int,
    sea: bool,
    turn: int,
    round_: int = 1,
    hits: int = 0,
    landing: bool = False,
    struck: int = 0,
) -> dict[str, int]:
    """All of FACTS."""
    found: dict[str, int] = {}
    for prefix, force, values, against in (("", own, own_values, enemy), ("enemy_", enemy, enemy_values, own)):
        for name, count in zip(COUNTED, force, strict=False):
            found[prefix + name] = count
        found[f"{prefix}battleship"] += force[DAMAGED]
        found[f"{prefix}damaged"] = force[DAMAGED]
        found[f"{prefix}land"] = force[INFANTRY] + force[TANK]
        found[f"{prefix}air"] = force[FIGHTER] + force[BOMBER]
        found[f"{prefix}ships"] = sum(force[SUBMARINE:]) - force[TRANSPORT]
        found[f"{prefix}units"] = sum(force) - force[TRANSPORT]
        found[f"{prefix}strength"] = strength(force) - force[TRANSPORT]
        found[f"{prefix}pips"] = effective(force, values, against)
        found[f"{prefix}cost"] = sum([count * price for count, price in zip(force, cost, strict=True)])
    found["others"] = found["units"] - found["submarine"]
    found["attacking"], found["place"], found["sea"], found["turn"] = int(attacking), place, int(sea), turn
    found["round"], found["hits"], found["landing"], found["struck"] = round_, hits, int(landing), struck
    found["threat"] = _threat(enemy, enemy_values)
    for name in ("pips", "cost", "strength"):
        found[f"{name}_percent"] = 100 * found[name] // max(1, found[f"enemy_{name}"])
    found["ratio"] = 100 * found["pips"] * found["strength"] // max(1, found["enemy_pips"] * found["enemy_strength"])
    return found


def _threat(enemy: Sequence[int], values: Sequence[int]) -> int:
    """AA-6.31: how many of the enemy can hit a submarine."""
    destroyer = enemy[DESTROYER] > 0
    return sum(
        [
            count
            for count, value, hit in zip(enemy, values, CLASS_OF, strict=True)
            if value and (hit != BY_AIR or destroyer)
        ]
    )
