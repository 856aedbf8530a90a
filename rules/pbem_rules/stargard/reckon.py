"""Odds of an attack: strengths with what halves them, each shift with its rule, the exact chance of each
result, and where each side would retreat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from pbem.game import Party, Reckoning, Taker, View
from pbem.kit import all_of, describe_chances, describe_places, hex_name, last_steps, many
from pbem_rules.stargard.battle import DEFENDER, work_of
from pbem_rules.stargard.board import place_text, unit_text
from pbem_rules.stargard.chart import FORTRESS, GERMAN, LADDER
from pbem_rules.stargard.command import reaction_text, struck_by, will_react
from pbem_rules.stargard.fights import no_air, targets
from pbem_rules.stargard.frames import Activation, Retreat
from pbem_rules.stargard.notation import LISTS, PLANES, UNITS, place_of
from pbem_rules.stargard.odds import (
    MOST_PLANES,
    NO_ATTACK,
    attack_shares,
    column_name,
    defence_shares,
    distribution,
    explain,
    explain_shares,
    points,
    reckon_attack,
)
from pbem_rules.stargard.retreat import ChooseWay, way_text
from pbem_rules.stargard.state import State, other

USAGE = "Write a hex with enemies, and the units if not all: `pyritz with klein rein air 1jg`."
WHO = {"A": "attacker", "D": "defender"}


def meaning(result: str) -> str:
    """`D2r3`: `the defender loses 2 steps and retreats 3 hexes`; what has no number is 1 (SG-8.1)."""

    def told(part: str) -> str:
        who, steps, back = re.fullmatch(r"([AD])(\d?)(r\d?)?", part).groups()  # type: ignore[union-attr]
        loses = f"loses {steps} step{'s' * (steps != '1')}" if steps else ""
        hexes = (back or "")[1:] or "1"
        goes = f"retreats {hexes} hex{'es' * (hexes != '1')}" if back else ""
        return f"the {WHO[who]} {' and '.join(filter(None, (loses, goes)))}"

    return ", ".join(map(told, result.split("/")))


MEANING = {result: meaning(result) for result in LADDER}


def near(view: View[State], place: int) -> tuple[int, ...]:
    """The units that could attack a hex: those of the activation that is being played, else all that stand right."""
    s, f = view.state, view.frame
    if isinstance(f, Activation) and (able := targets(s, f).get(place)):
        return tuple(able)
    enemy = s.side_at(place)
    beside = (at for at in s.chart.board.near[place] if s.chart.passable(at, place))
    found = (unit for at in beside if s.side_at(at) != enemy for unit in s.combat_units(at))
    return tuple(sorted(unit for unit in found if not s.pieces[unit].pinned))


def _parts(words: Iterable[str]) -> dict[str, list[str]]:
    """What stands behind `with`, `air` and `power`; before them, under "", the place."""
    found: dict[str, list[str]] = {"": []}
    at = ""
    for word in words:
        if word.casefold() in LISTS:
            at = word.casefold()
            found.setdefault(at, [])
        else:
            found[at].append(word)
    return found


def reckon_text(view: View[State], text: str) -> Reckoning | str:
    s = view.state
    parts = _parts(word for word in text.replace(",", " ").split() if word.casefold() != "attack")
    place = place_of(s, "_".join(parts[""])) if parts[""] else None
    if place is None:
        return USAGE
    if not s.combat_units(place):
        alone = "Only a headquarters stands there: it is captured by moving in (SG-12.2.6)."
        return alone if s.lone_hq(place) >= 0 else f"No unit stands in {place_text(s, place)}."
    there, who = place_text(s, place), near(view, place)
    units = [UNITS.find(word) for word in parts.get("with", ())]
    if not who or any(unit not in who for unit in units):
        return f"These can attack {there}: {describe_places(who, s.code, 40) if who else 'none'}."
    planes, power = ([PLANES.get(word.casefold(), "") for word in parts.get(part, ())] for part in ("air", "power"))
    own = [code for code in s.chart.planes if s.chart.planes[code].side == other(s.side_at(place) or GERMAN)]
    if any(code not in own for code in (*planes, *power)) or len({*planes, *power}) > MOST_PLANES:
        return f"At most {MOST_PLANES} air units take part (SG-13.1c): {', '.join(own)}."
    chosen = tuple(sorted(unit for unit in units if unit is not None)) or who
    takers = tuple(Taker(s.code(each), unit_text(s, each), taken=each in chosen) for each in who)
    air, out = counted(view, place, planes, power)
    found = reckoned(s, place, chosen, air)
    return replace(found, text="\n".join((found.text, *out)), party=Party(f"{hex_name(place)} with", takers))


def counted(view: View[State], place: int, planes: list[str], power: list[str]) -> tuple[int, list[str]]:
    """SG-13.0b, SG-13.1a: the points of the air units that the active side can still use, and why others are not."""
    s, f = view.state, view.frame
    if not isinstance(f, Activation) or f.seat == s.side_at(place):
        return points(s, planes, power), []
    air, strong, out = list[str](), list[str](), list[str]()
    for named, kept in ((planes, air), (power, strong)):
        for code in named:
            kept.append(code)
            if wrong := no_air(s, f, air, strong, besides=place):
                kept.remove(code)
                out.append(f"{code}{' at power' * (kept is strong)} is not counted: {wrong.reason} ({wrong.rule}).")
    return points(s, air, strong), out


def reckoned(s: State, place: int, units: tuple[int, ...], air: int) -> Reckoning:
    """One attack in words and figures."""
    attackers, defenders = attack_shares(s, units, place), defence_shares(s, place)
    found = reckon_attack(s, units, place, air)
    chances = distribution(s, found.column)
    lines = [
        f"{place_text(s, place)}. Attack: {explain_shares(s, attackers)}.",
        f"Defence: {explain_shares(s, defenders)}.",
        f"{explain(s, found)}.",
    ]
    if chances:
        lines.append(f"{describe_chances(chances, LADDER)}.")
        lines += [f"  {result}: {MEANING[result]}." for result in LADDER if result in chances]
        lines += last_steps(s.code(unit) for unit in (*units, *s.ground.stacks[place]) if s.pieces[unit].steps == 1)
    kind = s.chart.settled.get(place, "")
    if kind and chances:
        spared = "the first step lost and the first hex" if s.chart.settlements[kind].first_loss else "the first hex"
        rules = "SG-8.7, SG-9.5" if s.chart.settlements[kind].first_loss else "SG-9.5"
        lines.append(f"The {kind} spares the defender {spared} of a retreat ({rules}).")
    backs = tuple(_backs(s, place, units, chances))
    lines += retreat_lines(s, backs)
    there = s.combat_units(place)
    emptied = sum((chance for result, chance in chances.items() if empties(s, place, result)), Fraction(0))
    if chances:
        certain = {Fraction(0): "No result empties the hex.", Fraction(1): "Every result empties the hex."}
        lines.append(certain.get(emptied, f"Chance that the hex is emptied: {emptied}."))
    hit = struck_by(s, there)
    if armies := [army for army in will_react(s, there) if army in hit]:
        lines.append(f"After this activation {reaction_text(s, armies)}.")
    figures = {
        "attack": str(found.attack),
        "defence": str(found.defence),
        "units": [s.code(unit) for unit in units],
        "shifts": [{"by": shift.by, "rule": shift.rule, "why": shift.why} for shift in found.shifts],
        "column": column_name(s, found.column) if found.column > NO_ATTACK else "",
        "chances": {result: str(chance) for result, chance in chances.items()},
        "emptied": str(emptied),
    }
    ways = (tuple(map(hex_name, (back.start, *back.path))) for back in backs if back.path)
    return Reckoning("\n".join(lines), figures, ways=tuple(dict.fromkeys(ways)))


class Back(NamedTuple):
    """Those of one hex that go back together after some results, and their way; none: they cannot go."""

    who: str
    length: int
    start: int
    fighters: list[int]
    path: tuple[int, ...]


def retreat_lines(s: State, backs: Iterable[Back]) -> Iterator[str]:
    """SG-9, SG-4.4: where each side would go back to, and the steps that costs."""
    for (who, length), those in groupby(backs, lambda back: (back.who, back.length)):
        told = (
            f"{all_of(map(s.code, fighters))} {way_text(s, s.side(fighters[0]), start, fighters, path, length)}"
            for _, _, start, fighters, path in those
        )
        yield f"If the {who} retreats {many(length, 'hex', 'hexes')}, by the usual answer: {'; '.join(told)}."


def _backs(s: State, place: int, units: tuple[int, ...], results: Iterable[str]) -> Iterator[Back]:
    """By the usual answers as things stand, for each length of a retreat in these results."""
    back = dict.fromkeys(
        (who, int(hexes))
        for result in LADDER
        if result in results
        for what, who, hexes in (part.split() for part in work_of(s, place, result))
        if what == "back"
    )
    for who, hexes in back:
        side, stacks = s.side(units[0]), dict.fromkeys(map(s.at, units))
        if who == DEFENDER:
            side, stacks = other(side), {place: None}
        for start in stacks:
            group = [unit for unit in s.ground.stacks[start] if who == DEFENDER or unit in units or s.is_hq(unit)]
            for fighters, path in _going_back(s, side, start, group, hexes):
                yield Back(who, hexes, start, fighters, path)


def empties(s: State, place: int, result: str) -> bool:
    """SG-10.0a: does this result empty the hex that is attacked, by the usual answers as things stand?"""
    there = s.combat_units(place)
    work = [(what, int(count)) for what, who, count in map(str.split, work_of(s, place, result)) if who == DEFENDER]
    left = sum(s.pieces[unit].steps for unit in there) - sum(count for what, count in work if what == "lose")
    back = sum(count for what, count in work if what == "back")
    if left <= 0 or not back:
        return left <= 0
    stuck = [unit for unit in there if s.has(unit, FORTRESS)]
    going = _going_back(s, s.side(there[0]), place, s.ground.stacks[place], back)
    stay = [unit for fighters, path in going if not path for unit in fighters]
    return not stuck and (not stay or (len(stay) == len(there) and left == 1))  # SG-9.4: a step for the way not gone


def _going_back(
    s: State, side: str, start: int, group: Iterable[int], length: int
) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """Those that go back together by the usual answer, and their way; none: they cannot go."""
    left = tuple(unit for unit in group if not s.has(unit, FORTRESS))  # SG-12.3b
    while fighters := [unit for unit in left if not s.is_hq(unit)]:
        frame = Retreat(side, start, left, length, attacker="")
        way: tuple[int, ...] = ()
        if ChooseWay().by(s, frame):
            order = ChooseWay().answers(s, frame, side, {})["safest"]
            way = order.path
            fighters = [unit for unit in fighters if unit in order.units]
        left = tuple(unit for unit in left if unit not in fighters) if way else ()
        yield fighters, way
