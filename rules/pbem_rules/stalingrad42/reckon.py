"""Odds of an attack: strengths and shifts by rule, determined defence, the exact chance of every end, and
where the defenders would go.

`odds 1502 with 9pz 11pz guns 4pza air 8fk`; without units, all that could attack. `odds 1502 hold` supposes a stance;
else all three are told, since nobody knows the enemy's. Stances and standing orders but these are the game's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from pbem.game import Party, Reckoning, Taker, View, Violation
from pbem.kit import (
    Shift,
    all_of,
    chances,
    clauses,
    describe_chances,
    describe_places,
    hex_name,
    last_steps,
    listed,
    many,
)
from pbem_rules.stalingrad42.board import place_text, unit_text
from pbem_rules.stalingrad42.chart import AXIS, DIE, LADDER, SOVIET, STAR
from pbem_rules.stalingrad42.combat.air import no_air
from pbem_rules.stalingrad42.combat.battle import shifts_of
from pbem_rules.stalingrad42.combat.defence import best_lead, helper
from pbem_rules.stalingrad42.combat.determined import (
    FAILURE,
    PARTIAL,
    SUCCESS,
    favoured,
    leads,
    modifiers,
    refuse_stand,
    result_of,
    stand,
)
from pbem_rules.stalingrad42.combat.flight import FAR, ChooseWay
from pbem_rules.stalingrad42.combat.guns import no_guns, posts, price
from pbem_rules.stalingrad42.combat.leaders import at_hand
from pbem_rules.stalingrad42.combat.odds import (
    AUTOMATIC,
    NO_ATTACK,
    Attack,
    Part,
    attack,
    beyond,
    column_name,
    describe,
    holders,
    may_join,
    tanks_unused,
)
from pbem_rules.stalingrad42.combat.offensives import no_plans
from pbem_rules.stalingrad42.combat.outcomes import DELAYS, GONE, HOLDS, RETREATS, SIEGE, End, outcomes
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle, PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement.marching import beside
from pbem_rules.stalingrad42.movement.phase import may_attack
from pbem_rules.stalingrad42.notation import UNITS, place_of
from pbem_rules.stalingrad42.orders import Commit, Help, PlaceWords
from pbem_rules.stalingrad42.state import BOX, BOXES, GOOD, State, other

USAGE = "Write a hex with enemies, and the units if not all: `odds 1502 with 9pz 11pz guns 4pza air 8fk commit 4pza`."
STANCES = (HOLD, FLEXIBLE, GIVE)
IF = {
    HOLD: "If they hold (they stand wherever the rules allow it)",
    FLEXIBLE: "If they are flexible (they stand if it is likely to succeed)",
    GIVE: "If they give ground (they never stand)",
}
BACK = {DELAYS: "delay (they fall back 1 or 2 hexes)", GONE: GONE}
WITH, GUNS, WING, COMMIT = "with", "guns", "air", "commit"
OUTCOMES = {SUCCESS: "success", PARTIAL: "partial success", FAILURE: "failure"}


def near(view: View[State], place: int, side: str) -> tuple[int, ...]:
    """The units that could attack a hex: those that still can in this turn of their side, else all that stand right."""
    s, f = view.state, view.frame
    around = _around(s, place, side)
    if isinstance(f, PlayerTurn) and f.seat == side:
        gone = spent(view, place, side)
        return tuple(sorted(unit for unit in around if unit not in gone and may_attack(s, f, unit) is None))
    fit = (unit for unit in around if s.face(unit).attack and s.pieces[unit].order == GOOD and not s.in_area(unit))
    return tuple(sorted(fit))


def _around(s: State, place: int, side: str) -> list[int]:
    near = (unit for at in (place, *s.chart.board.near[place]) for unit in s.of(side, at))
    return [unit for unit in near if beside(s, unit, place)]


def spent(view: View[State], place: int, side: str) -> tuple[int, ...]:
    """S42-8.1b, S42-14.1a: the units beside a hex that have attacked, or advanced, or are listed against another."""
    s, f = view.state, view.frame
    if not isinstance(f, PlayerTurn) or f.seat != side:
        return ()
    listed = {unit for entry in f.attacks() if entry.target != place for unit in entry.units} | f.leaving()
    return tuple(sorted(unit for unit in _around(s, place, side) if unit in f.fought | f.advanced | f.tried | listed))


def defender(view: View[State], place: int) -> str | None:
    """Whose units are attacked in a hex; in a contested city those of whoever does not have the turn."""
    s, f = view.state, view.frame
    if place not in s.contests:
        return s.side_at(place)
    return other(f.seat if isinstance(f, PlayerTurn) else view.seats[0] if view.seats else AXIS)


def reckon_text(view: View[State], text: str) -> Reckoning | str:
    s = view.state
    (_, target), *more = clauses(
        [word for word in text.split() if word.casefold() != "attack"], (WITH, GUNS, WING, COMMIT, *STANCES)
    )
    parts = {keyword: listed(words) for keyword, words in more}
    place = place_of(s, "_".join(target)) if target else None
    side = None if place is None else defender(view, place)
    if place is not None and s.chart.board.bit.get(place, 0) & s.veiled:
        full = ((box - BOX, s.of(SOVIET, box)) for box in BOXES)
        boxes = "; ".join(f"box {box}: {all_of(map(s.code, inside))}" for box, inside in full if inside)
        return f"A reserve army is in {place_text(s, place)}; up to three units of its box come out to defend: {boxes}."
    if place is None:
        return USAGE
    if side is None or not holders(s, place, side):
        return f"No unit stands in {place_text(s, place)}."
    who, gone = near(view, place, other(side)), spent(view, place, other(side))
    left_out = f"Left out, since they have attacked or are listed: {all_of(map(s.code, gone))}."
    units = [UNITS.find(word) for word in parts.get(WITH, ())]
    if not who or any(unit not in who for unit in units):
        can = describe_places(who, s.code, 40) if who else "none"
        return f"These can attack {place_text(s, place)}: {can}.{f' {left_out}' if gone else ''}"
    chosen = tuple(sorted(unit for unit in units if unit is not None)) or who
    if not may_join(s, chosen):
        return "Allies of different nations do not attack together (S42-20.5.1): name the units, `with ...`."
    guns = tuple(-1 if (unit := UNITS.find(word)) is None else unit for word in parts.get(GUNS, ()))
    if GUNS in parts:
        wrong = no_guns(s, other(side), guns, chosen)
        if wrong is not None:
            return str(wrong)
    air = next((word.upper() for word in parts.get(WING, ())), None)
    if WING in parts:
        barred = Violation("S42-9.3.1a", "Only the Axis has air units")
        wrong = no_air(s, air or "", place, chosen) if side != AXIS else barred
        if wrong is not None:
            return str(wrong)
    plans = tuple(-1 if (unit := UNITS.find(word)) is None else unit for word in parts.get(COMMIT, ()))
    if not plans and isinstance(view.frame, PlayerTurn):  # those that the list has
        named = [each for each in view.frame.firm() if isinstance(each, Commit) and each.target == place]
        plans = named[0].units if named else ()
    wrong_plan = no_plans(s, other(side), plans, chosen)
    if wrong_plan is not None:
        return str(wrong_plan)
    stances = [stance for stance in STANCES if stance in parts] or STANCES
    frame = view.frame
    taken = {gun for entry in frame.attacks() for gun in entry.guns} if isinstance(frame, PlayerTurn) else ()
    found = reckoned(s, place, chosen, guns, air, stances, plans, taken)
    takers = tuple(Taker(s.code(each), unit_text(s, each), taken=each in chosen) for each in who)
    text = found.text if WITH in parts or not gone else f"{found.text}\n{left_out}"
    return replace(found, text=text, party=Party(f"{PlaceWords().word(place)} with", takers))


def reckoned(
    s: State,
    place: int,
    units: tuple[int, ...],
    guns: tuple[int, ...] = (),
    air: str | None = None,
    stances: Iterable[str] = STANCES,
    plans: tuple[int, ...] = (),
    taken: Iterable[int] = (),
) -> Reckoning:
    """One attack in words and figures. `taken`: support that other attacks use."""
    side = other(s.side(units[0]))
    found = attack(s, units, place, side, shifts_of(guns, air=air is not None))
    cells = _cells(s, found)
    idle = [gun for gun, _ in posts(s, other(side)) if gun not in taken]
    lines = [
        f"{place_text(s, place)}. Attack: {_parts(s, found.attackers)}.",
        f"Defence: {_parts(s, found.defenders)}.",
        f"{describe(s, found)}.",
        *filter(None, (tanks_unused(s, units, place, side),)),
        *(price(s, gun, guns, units, idle) for gun in guns),
    ]
    figures: dict[str, object] = {
        "attack": str(found.reckoned.attack),
        "defence": str(found.reckoned.defence),
        "units": [s.code(unit) for unit in units],
        "shifts": [{"by": shift.by, "rule": shift.rule, "why": shift.why} for shift in found.reckoned.shifts],
        "column": column_name(s, found.column),
        "results": {cell: str(chance) for cell, chance in cells.items()},
    }
    if not cells:
        return Reckoning("\n".join(lines), figures)
    lines += last_steps(s.code(unit) for unit in (*units, *s.ground.stacks[place]) if s.pieces[unit].steps == 1)
    there = holders(s, place, side)
    battle = Battle(
        seat=other(side), target=place, units=units, defenders=there, guns=guns, air=air, plans=plans, stance=HOLD
    )
    battle.spared = tuple(sorted(beyond(s, side, there)))
    battle.favoured = favoured(found)
    lines.append(f"{describe_chances(cells, LADDER)}.")
    lines += leader_lines(s, battle)
    lines += [f"  {cell}: {meaning(s, cell)}." for cell in LADDER if cell in cells]
    lines += stand_lines(s, battle, cells)
    ends: dict[str, object] = {}
    for stance in stances:
        battle.stance = stance
        chance = outcomes(s, battle)
        lines.append(f"{IF[stance]}: {describe_ends(chance)}.")
        ends[stance] = [
            {"attacker": end.attacker, "defender": end.defender, "what": end.what, "hexes": end.hexes, "chance": str(p)}
            for end, p in sorted(chance.items())
        ]
    lines += retreat_lines(s, battle, cells)
    return Reckoning("\n".join(lines), {**figures, "ends": ends})


def leader_lines(s: State, battle: Battle) -> list[str]:
    """S42-26.2f, S42-28.1: what the ends below count in beside the one die above."""
    lines = []
    if battle.plans:
        codes = all_of(map(s.code, battle.plans))
        lines.append(f"Planned Offensive of {codes}: {1 + len(battle.plans)} dice, the best one counts (S42-26.2).")
    near = {battle.seat: map(s.at, battle.units), other(battle.seat): (battle.target,)}
    for side, places in near.items():
        leader = at_hand(s, side, s.chart.board.mask(places))
        if leader is not None and (side == AXIS or side != battle.seat):
            lines.append(f"{s.code(leader)} may have a roll repeated, when the usual answer says so (S42-28).")
    return lines


def _cells(s: State, found: Attack) -> dict[str, Fraction]:
    if found.column == NO_ATTACK:
        return {}
    return {"DS": Fraction(1)} if found.column == AUTOMATIC else chances(s.chart.crt, found.column)


def _parts(s: State, parts: Iterable[Part]) -> str:
    """`9Pz 10, halved across a major river (S42-9.5.2): 5`."""

    def told(part: Part) -> str:
        changes = "".join(
            f", {'doubled' if factor.by > 1 else 'halved'} {factor.why} ({factor.rule})" for factor in part.factors
        )
        return f"{s.code(part.unit)} {part.base}{changes}{f': {part.value}' if changes else ''}"

    return "; ".join(map(told, parts)) or "none"


def meaning(s: State, cell: str) -> str:
    result = result_of(s, cell)
    parts = []
    if result.attacker:
        parts.append(f"the attacker loses {_steps(result.attacker)}{', as the defender picks' * result.opponent_picks}")
    if result.defender:
        parts.append(f"the defender loses {_steps(result.defender)}{', as the attacker picks' * result.opponent_picks}")
    if result.retreat:
        after = {"disrupted": " and is disrupted", "routed": " and is in Full Retreat"}.get(result.after, "")
        where = " if it is in a victory hex or has no way out" if STAR in cell else ""
        stands = f", or tries determined defence{where}" if result.stand else ""
        parts.append(f"the defender retreats {_hexes(result.retreat)}{after}{stands}")
    if result.advance:
        parts.append(f"the attacker advances up to {_hexes(result.advance)}")
    return "; ".join(parts) or "nothing"


def _steps(number: int) -> str:
    return many(number, "step")


def _hexes(number: int) -> str:
    return many(number, "hex", "hexes")


# Determined defence


def stand_lines(s: State, battle: Battle, cells: Iterable[str]) -> list[str]:
    """S42-11: who would lead, with what, and what the rolls bring; or why nobody can."""
    able = leads(s, battle.defenders)
    leaving = [cell for cell in LADDER if cell in cells and result_of(s, cell).stand and result_of(s, cell).retreat]
    kinds = {cell.endswith(STAR): cell for cell in leaving}
    if not kinds:
        return ["No result allows determined defence (S42-11.2.2)."]
    lines = []
    for star, cell in sorted(kinds.items()):
        battle.cell = cell
        wrong = next(
            (
                no
                for unit in able
                if (no := refuse_stand(s, battle.favoured, cell, battle.target, unit, desperate=False))
            ),
            None,
        )
        after = f"after {all_of(each for each in leaving if each.endswith(STAR) == star)}"
        if not able:
            lines.append("No unit can lead determined defence: all are disrupted, on trains, or support (S42-11.2.3).")
            break
        if wrong is not None:
            lines.append(f"No determined defence {after}: {wrong.reason} ({wrong.rule}).")
            continue
        lead = best_lead(s, battle)
        support = helper(s, battle, lead)
        changes = modifiers(s, lead, battle.target, support=support != Help(), star=star)
        entries = Counter(
            stand(s, lead, battle.target, die, support=support != Help(), star=star).outcome
            for die in range(1, DIE + 1)
        )
        likely = ", ".join(f"{words} {Fraction(entries[key], DIE)}" for key, words in OUTCOMES.items())
        helping = support.air or ("" if support.unit is None else s.code(support.unit))
        by = f", support {helping}" if helping else ""
        lines.append(f"Determined defence {after}: {s.code(lead)} leads{by}{_shifts(changes)}: {likely}.")
    battle.cell = ""
    return lines


def _shifts(changes: Iterable[Shift]) -> str:
    return "".join(f", {shift.why} {shift.by:+d} ({shift.rule})" for shift in changes)


# Ends


def describe_ends(found: Mapping[End, Fraction]) -> str:
    """`the hex is held 83% (in a City Battle 17%), delay 8%, retreat of 2 hexes 8%; the attacker loses ...`."""

    def total(test: Callable[[End], bool]) -> Fraction:
        return sum((chance for end, chance in found.items() if test(end)), Fraction(0))

    siege, held = total(lambda end: end.what == SIEGE), total(lambda end: end.what in (HOLDS, SIEGE))
    kept = f"the hex is held {_percent(held)}" if held else "the hex is never held"
    parts = [f"{kept} (in a City Battle {_percent(siege)})" if siege else kept]
    for what, said in BACK.items():
        p = total(lambda end, what=what: end.what == what)  # type: ignore[misc]
        parts += [f"{said} {_percent(p)}"] if p else []
    for hexes in sorted({end.hexes for end in found if end.what == RETREATS}):
        p = total(lambda end, hexes=hexes: end.what == RETREATS and end.hexes == hexes)  # type: ignore[misc]
        parts.append(f"retreat of {_hexes(hexes)} {_percent(p)}")
    told = [", ".join(parts)]
    for name, side in (("the attacker", "attacker"), ("the defender", "defender")):
        steps = sorted({int(getattr(end, side)) for end in found})
        likely = {n: total(lambda end, n=n, side=side: getattr(end, side) == n) for n in steps}  # type: ignore[misc]
        lost = [f"{_steps(n) if n else 'nothing'} {_percent(p)}" for n, p in likely.items()]
        told.append(f"{name} loses {', '.join(lost) if len(lost) > 1 else _steps(steps[0]) if steps[0] else 'nothing'}")
    return "; ".join(told)


def _percent(chance: Fraction) -> str:
    whole = (200 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    return "under 1%" if whole == 0 else "over 99%" if whole == 100 and chance != 1 else f"{whole}%"


def retreat_lines(s: State, battle: Battle, cells: Iterable[str]) -> list[str]:
    """S42-12.1: where those who leave the hex would go, by the game's own standing order."""
    lengths = sorted({length for cell in cells if (length := result_of(s, cell).retreat)})
    lines, owner = [], other(battle.seat)
    for length in lengths:
        retreat = Retreat(owner, battle.target, battle.defenders, length, battle.seat, chooser=owner)
        told = []
        if next(iter(ChooseWay().options(s, retreat, owner)), None) is not None:
            order = ChooseWay().answers(s, retreat, owner, {})["safest"]
            told.append(f"{', '.join(map(s.code, order.units))} by {'-'.join(map(hex_name, order.path))}")
            rest = [unit for unit in battle.defenders if unit not in order.units]
            told += [f"{', '.join(map(s.code, rest))} apart"] if rest else []
        after = "in Full Retreat" if length == FAR else "disrupted"
        who = "; ".join(told) or "no unit has a way out: all are destroyed, or fight in desperate defence (S42-11.5)"
        lines.append(f"A retreat of {_hexes(length)}{f', {after}' if told else ''}: {who}.")
    return lines
