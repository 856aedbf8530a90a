"""NR-9.17 to NR-9.24: strengths, shifts and the column of a battle. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from pbem.kit import Shift, describe_odds
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET
from pbem_rules.noretreat.report import HELD, MEANINGS, RESULTS
from pbem_rules.noretreat.state import Fight, State

BELOW = -1  # automatic counterattack (NR-9.20)


class Odds(NamedTuple):
    """A battle as it would be fought now."""

    attack: int
    defence: int
    plain: int  # column before shifts, BELOW under the table
    shifts: tuple[Shift, ...]
    column: int  # BELOW: automatic counterattack
    table: str


def strength_of(s: State, fight: Fight, unit: int) -> int:
    """NR-9.17; NR-13.01A and NR-13.29A double it, NR-14.5 adds to it."""
    value = s.face(unit).strength
    if s.helped.get(s.unit(unit).side) == unit:
        value += helper(s, s.unit(unit).side)
    return value * 2 if unit in fight.doubled else value


def helper(s: State, side: str) -> int:
    """NR-14.5: what the local support marker adds."""
    return 2 if (side == AXIS) == (s.turn < 11) else 1


def attack_strength(s: State, fight: Fight) -> int:
    """NR-9.17, NR-13.23S."""
    return sum(strength_of(s, fight, unit) for unit in fight.units) + fight.attack_bonus


def defence_strength(s: State, fight: Fight) -> int:
    """NR-9.9: in a counterblow hex white units count for nothing, but for fortified ones (NR-9.16)."""
    return sum(strength_of(s, fight, unit) for unit in fight.defenders if not fight.forced or counts(s, unit))


def counts(s: State, unit: int) -> bool:
    """NR-9.9, NR-9.16: does the unit count in a counterblow hex of its side?"""
    return not s.face(unit).white or s.has(unit, "fortified")


def marker_worth(s: State, side: str) -> int:
    """NR-9.19, NR-10.7: a Shock marker counts two columns in the first Snow turn of the game, and by NR-13.21S."""
    worth = s.amount("shock", side)
    if side == SOVIET and s.snow_turn == s.turn and s.turn <= 5:
        worth = max(worth, 2)
    return max(worth, 1)


def marker_name(side: str) -> str:
    return "Blitz" if side == AXIS else "Shock"


def armour_lost(s: State, unit: int) -> bool:
    """NR-11.11, NR-11.32: German armour but the SS after Ploesti."""
    fallen = s.triggers.get("ploesti")
    return fallen is not None and fallen < s.turn and s.unit(unit).german and not s.has(unit, "ss_panzer")


def has_bonus(s: State, unit: int) -> bool:
    """NR-6.6, NR-9.23, NR-11.32."""
    return s.has(unit, "armour") and s.supplied(unit) and not armour_lost(s, unit)


def ground_for_armour(s: State, place: int) -> bool:
    """Does the ground let the bonus pass: clear, and no city? (NR-9.23)"""
    if place in s.chart.cities:
        return False
    return s.chart.terrain[s.chart.kind(place)][1]


def armour_shift(s: State, fight: Fight) -> Shift | None:
    """NR-1.9, NR-1.11, NR-1.12, NR-9.23, NR-13.08A: one shift however many tank units join."""
    if any(s.has(unit, "ss_panzer") and s.supplied(unit) for unit in fight.units):
        return Shift(1, "NR-1.12", "SS armour")
    if fight.armour < 0 or s.weather == "mud" or s.long_winter:
        return None
    if not any(has_bonus(s, unit) for unit in fight.units):
        return None
    if fight.armour <= 0 and any(s.has(unit, "armour") or s.has(unit, "mech") for unit in fight.defenders):
        return None
    if not all(ground_for_armour(s, place) for place in fight.target):
        return None
    return Shift(1, "NR-1.9", "armour")


def across_rivers(s: State, fight: Fight) -> bool:
    """NR-9.22, NR-10.6, NR-13.27A: does every attacker attack across a river, and is it not frozen?"""
    if s.snow or fight.no_river:
        return False
    edges, (target,) = s.chart.board.edges, fight.target[:1]
    return all("river" in edges.get((s.at(unit), target), ()) for unit in fight.units)


def ground_shifts(s: State, fight: Fight) -> Iterable[Shift]:
    """NR-9.19: not in counterattacks, nor against counterblow hexes (NR-9.10, NR-9.28)."""
    if fight.counter or fight.forced:
        return
    (place,) = fight.target
    chart = s.chart
    if place in s.scorched:
        yield Shift(chart.terrain["swamp"][0], "NR-13.07S", "scorched city")
    else:
        kind = chart.kind(place)
        if place in chart.cities:
            yield Shift(chart.terrain["city"][0], "NR-9.19", "city")
        elif chart.terrain[kind][0]:
            yield Shift(chart.terrain[kind][0], "NR-9.19", kind)
        if place in chart.points and chart.points[place].objective:
            yield Shift(chart.terrain["objective"][0], "NR-2.11", "objective")
    if across_rivers(s, fight):
        yield Shift(chart.terrain["river"][0], "NR-9.22", "river")


def winter_shift(s: State, fight: Fight) -> Shift | None:
    """NR-10.6: Axis attacks on Soviets in the USSR, but for the Finns."""
    if not s.snow or fight.side != AXIS or all(s.unit(unit).nation == "finnish" for unit in fight.units):
        return None
    if not any(s.chart.ussr & s.chart.board.bit[place] for place in fight.target):
        return None
    return Shift(-2 if s.turn == 5 else -1, "NR-10.6", "snow")


def shifts_of(s: State, fight: Fight) -> tuple[Shift, ...]:
    """NR-9.19; events add theirs, for the phase (NR-13.15A) or the battle (NR-13.28A, NR-13.28S)."""
    found: list[Shift] = []
    if fight.marker:
        found.append(Shift(marker_worth(s, fight.side), "NR-9.21", marker_name(fight.side)))
    for maybe in (armour_shift(s, fight), winter_shift(s, fight)):
        if maybe is not None:
            found.append(maybe)
    if any(s.has(unit, "shock") for unit in fight.units):
        found.append(Shift(1, "NR-1.16", "shock front"))
    if fight.defenders and not any(s.supplied(unit) for unit in fight.defenders):
        found.append(Shift(2, "NR-6.8", "no supply"))
    if any(s.has(unit, "ss_grenadier") for unit in fight.defenders):
        found.append(Shift(-1, "NR-1.14", "SS grenadiers"))
    found += ground_shifts(s, fight)
    # NR-13.47S: such works are fortifications too.
    if fight.side == SOVIET and not fight.unfortified and any(place in s.works for place in fight.target):
        found.append(Shift(-1, "NR-13.41A", "defence works"))
    found += [Shift(effect.amount, "NR-9.19", "event") for effect in s.effect("shift", fight.side)]
    found += [Shift(columns, rule, why) for columns, why, rule in fight.shifts]
    return tuple(found)


def table_of_fight(s: State, fight: Fight) -> str:
    """NR-9.24, NR-9.30, NR-13.22S."""
    if fight.table:
        return fight.table
    if any(effect.at in fight.target for effect in s.effect("crt", fight.side)) and not fight.counter:
        return AXIS if fight.side == SOVIET else SOVIET
    return AXIS if fight.side == AXIS and not s.snow else SOVIET


def reckon(s: State, fight: Fight) -> Odds:
    """NR-9.17, NR-9.19, NR-9.20."""
    attack, defence = attack_strength(s, fight), defence_strength(s, fight)
    odds = s.chart.odds
    last = len(odds.columns) - 1
    plain = last if not defence else odds.column(attack, defence) if attack else BELOW
    shifts = shifts_of(s, fight)
    column = min(plain + sum(shift.by for shift in shifts), last)
    return Odds(attack, defence, plain, shifts, max(column, BELOW), table_of_fight(s, fight))


def column_name(s: State, column: int) -> str:
    return s.chart.odds.name(column) if column > BELOW else f"below {s.chart.odds.name(0)}"


def explain(s: State, reckoned: Odds) -> str:
    """One line for a player: `15 to 5 = 3:1, armour +1 (NR-1.9): column 4:1 of the Axis table`."""
    plain, column = s.chart.odds.name_of(reckoned.attack, reckoned.defence), column_name(s, reckoned.column)
    told = describe_odds(reckoned.attack, reckoned.defence, plain, reckoned.shifts, column)
    return f"{told} of the {NAMES[reckoned.table]} table"


def fight_of(s: State) -> Fight:
    assert s.fight is not None
    return s.fight


def result_now(s: State) -> str:
    return result_of(s, fight_of(s))


def result_of(s: State, fight: Fight) -> str:
    """The result as things stand: without a die `?` if one has to be rolled first (NR-9.20, NR-9.25).

    Events decide it (NR-13.04A, NR-13.16S, NR-13.27S, NR-13.32A, NR-13.37A), or change it (NR-13.18S, NR-13.24A,
    NR-13.39S).
    """
    if fight.result or fight.duel:
        return fight.result
    reckoned = reckon(s, fight)
    if fight.at_least >= 0 and reckoned.column >= fight.at_least:
        return "DR"  # played later than what changes every DR of the phase (NR-5.14)
    elif reckoned.column == BELOW:
        found = "CA"
    elif not fight.die:
        return "?"
    else:
        found = s.chart.results[reckoned.table].result(fight.die, reckoned.column)
    if found == "-" and fight.none_is_exchange:
        found = "EX"
    if found == "DR" and s.effect("retreat_is_exchange", fight.side):
        found = "EX"
    return found


def holding(s: State, fight: Fight) -> tuple[int, ...]:
    """NR-9.38, NR-13.47S: the hexes that a fortified unit holds for all in it."""
    if fight.unfortified:
        return ()
    return tuple(p for p in fight.target if any(s.has(u, "fortified") and s.at(u) == p for u in fight.defenders))


def outcome_text(s: State, fight: Fight, result: str, chance: str = "") -> str:
    """A result with what it does in this battle: `exchange (each side loses a step; no unit retreats or pursues)`."""
    means = HELD if holding(s, fight) else MEANINGS
    return f"{RESULTS[result]}{chance}{'' if result == '-' else f' ({means[result]})'}"


def dice_text(s: State) -> str:
    """What each die would give now: `1, 2: no effect; 3: exchange`; empty if none is to decide."""
    fight = replace(fight_of(s), die=0)
    if result_of(s, fight) != "?":
        return ""
    found: dict[str, list[str]] = {}
    for die in range(1, 7):
        found.setdefault(result_of(s, replace(fight, die=die)), []).append(str(die))
    return "; ".join(f"{', '.join(dice)}: {RESULTS[result]}" for result, dice in found.items())
