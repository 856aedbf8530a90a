"""Answers to players' questions about the position, and reminders of what they may have forgotten.

look command           headquarters, their ranges, who is in range and who is not
look supply            who is out of supply, and who would be if the supply phase were now
look supply Voigt      the path of a unit to its source, or what bars it
look reach 22/10SS     which places with a name and which enemy zones a unit can reach, and the points that it costs
look reach 22/10SS 1513        the cheapest way there
look reach Stargard    which units of both sides can go there
look points            what each marked hex is worth, to whom, and when it is flipped; both scores
look cup               the chits that can be drawn now, and how likely each is
look arrivals          who comes when and where, or where instead; replacement points, and what they could bring back
look                   all but those of one unit or hex
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial

from pbem.game import Order, Orders, Reckoning, View
from pbem.kit import (
    Cut,
    Hindrance,
    all_of,
    bar,
    cut,
    describe_cut,
    describe_places,
    describe_supply,
    goals,
    goals_at,
    hex_name,
    many,
    path,
    reach,
    reach_notes,
)
from pbem_rules.stargard.advance import FollowUp
from pbem_rules.stargard.arriving import Arrivals, due, entry_is_open
from pbem_rules.stargard.board import (
    NAMES,
    aside_lines,
    boxed,
    place_text,
    prize_text,
    prizes_of,
    score_lines,
    unit_text,
)
from pbem_rules.stargard.chart import FORTRESS, GERMAN, SIDES, SOVIET, TWELFTHS
from pbem_rules.stargard.command import face_down, in_command, playable
from pbem_rules.stargard.fights import Attacks, ListAttacks, skipped
from pbem_rules.stargard.frames import Activation, Arriving, Command
from pbem_rules.stargard.movement import Movement, acting, allowance, normal, still_able
from pbem_rules.stargard.notation import place_of, unit_of
from pbem_rules.stargard.odds import mixed
from pbem_rules.stargard.orders import Decline, Done, Drive
from pbem_rules.stargard.replacements import MANY, Replacing, is_lost
from pbem_rules.stargard.state import ASIDE_BOX, EXITED, ISOLATED, OUT_OF_SUPPLY, WITHDRAWN, State, other
from pbem_rules.stargard.supply import judged, lines, paths, traced
from pbem_rules.stargard.victory import held, score

USAGE = (
    "Ask `command`, `supply`, `supply UNIT`, `reach UNIT`, `reach HEX`, `points`, `cup`, `arrivals`; "
    "`look` alone answers all but those about one unit or hex."
)
FEW = 12
OUT_OF_PLAY = (ASIDE_BOX, WITHDRAWN, EXITED)
Told = tuple[list[str], Mapping[str, object]]
STATUS = ("in supply", "out of supply", "isolated")


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or how to ask."""
    s, words = view.state, text.split()
    if len(words) > 1 and words[0] in ("reach", "supply"):
        unit, place = unit_of(s, words[1]), place_of(s, "_".join(words[1:]))
        if words[0] == "supply":
            return USAGE if unit is None else line_text(s, unit)
        if unit is not None:
            return reach_text(s, unit, place_of(s, "_".join(words[2:])) if words[2:] else None)
        own = _side(view)
        return USAGE if place is None else goers_text(s, (own, other(own)), place)
    questions = {"command": command, "supply": supply, "points": points, "cup": cup, "arrivals": arrivals}
    if len(words) > 1 or any(word not in questions for word in words):
        return USAGE
    told = {word: questions[word](s, _side(view)) for word in words or questions}
    lines = [line for answer, _ in told.values() for line in answer]
    if "cup" in told:
        lines += aside_lines(view)
    return Reckoning("\n".join(lines), {word: figures for word, (_, figures) in told.items()})


def _side(view: View[State]) -> str:
    return view.seats[0] if view.seats else GERMAN


# Command


def command(s: State, side: str) -> Told:
    """SG-3.3: each headquarters with those that its chit would activate now."""
    lines = []
    figures: dict[str, object] = {}
    for formation in s.chart.formations.values():
        hq = s.hq_of(formation.key)
        if formation.side != side or hq < 0:
            continue
        able = in_command(s, formation.key)
        own = [unit for unit in formation.units if s.on_map(unit) and not s.chart.independent(unit)]
        out = [unit for unit in own if unit not in able]
        free = [unit for unit in able if s.chart.independent(unit)]
        barred = " It was activated last, and cannot be activated next (SG-3.1.3)." if formation.key == s.last else ""
        lines.append(
            f"{formation.name}: {unit_text(s, hq)} in {place_text(s, s.at(hq))}. {len(own) - len(out)} of {len(own)} "
            f"units in command; out of command: {_units(s, out)}; independent: {_units(s, free)}.{barred}"
        )
        figures[formation.key] = {"in": [s.code(unit) for unit in able], "out": [s.code(unit) for unit in out]}
    return lines or ["No headquarters on the map."], figures


def _units(s: State, units: list[int]) -> str:
    return describe_places(units, s.code, FEW) if units else "none"


def cup(s: State, _: str) -> Told:
    """SG-3.1.1: what can be drawn next. SG-12.6: while a chit is aside, the others are so many places."""
    codes, down = playable(s), face_down(s)
    chance = Fraction(1, len(codes) + len(down)) if codes or down else Fraction(0)
    named = [f"{code} ({s.chart.chits[code].name})" for code in codes]
    if down:
        hidden = ", ".join(code for code in s.cup if s.hidden(code))
        named.append(f"{len(down)} Soviet {'chit' if len(down) == 1 else 'chits'} face down, out of {hidden}")
    left = ", ".join(f"{NAMES[side]} {s.left(side)}" for side in SIDES)
    line = f"Each with a chance of {chance}: {', '.join(named)}." if named else "No chit can be drawn."
    figures = {"chits": list(codes), "face_down": len(down), "chance": str(chance)}
    return [f"Chits still to be played: {left}. {line}"], figures


# Arrivals


def arrivals(s: State, _: str) -> Told:
    """SG-15.3, SG-7.3: those who are still to come, and the lost units that points could bring back."""
    lines = []
    figures: dict[str, object] = {}
    for side in SIDES:
        coming = [(label, units) for label, units in boxed(s, side) if s.at(units[0]) not in OUT_OF_PLAY]
        for label, units in coming:
            shut = "" if entry_is_open(s, units[0]) else " (blocked now: near it instead, SG-7.1.2)"
            lines.append(f"{NAMES[side]} {label}: {', '.join(map(s.code, units))}{shut}.")
        lost = [unit for unit in s.chart.own[side] if is_lost(s, unit) and s.counter(unit).steps > 1]
        lines.append(f"{NAMES[side]} units lost that points could bring back: {_units(s, lost)}.")
        figures[side] = {
            "coming": {label: [s.code(unit) for unit in units] for label, units in coming},
            "lost": [s.code(unit) for unit in lost],
        }
    left = [f"{turn.number}: {points}" for turn in s.chart.track if (points := turn.values.get("replacements", 0))]
    lines.append(f"Soviet replacement points by turn: {', '.join(left)}; now it is turn {s.turn}.")
    return lines, figures


# Victory


def points(s: State, _: str) -> Told:
    """SG-1.5.5, SG-14.3.1: a marker that is taken stays as it lies; one in German hands is flipped."""
    lines = score_lines(s)
    for side in SIDES:
        named = "; ".join(prize_text(s, place) for place in prizes_of(s, side)) or "none"
        lines.append(f"In {NAMES[side]} hands: {named}.")
    figures = {
        "soviet": score(s),
        "german": held(s),
        "markers": {
            str(s.chart.board[place]): {
                "worth": s.prizes.get(place, prize.worth(s.turn)),
                "later": prize.later,
                "flips": prize.flips,
                "holder": SOVIET if place in s.prizes else GERMAN,
            }
            for place, prize in s.chart.prizes.items()
        },
    }
    return lines, figures


# Supply


def _hindrances(s: State, formation: str) -> tuple[Hindrance, ...]:
    """SG-11.1, the easiest first."""
    side = s.chart.formations[formation].side
    enemies = s.ground.occupied[other(side)]
    zone = s.zone(other(side)) & ~s.ground.occupied[side] & ~enemies
    smooth, rough = lines(s.chart)
    return (
        bar("SG-4.5", "an enemy zone bars the path", zone),
        bar("SG-11.1a", "enemy units bar the path", enemies),
        Hindrance(
            "SG-11.1b",
            "woods or marsh without a way or a unit of yours bar the path",
            lambda stage: stage._replace(steps={1: smooth.joined(rough, -1)}),
        ),
    )


def line_of(s: State, unit: int) -> list[int] | Cut | None:
    """The path of a unit to its source, or what bars it."""
    formation, place = s.formation(unit), s.at(unit)
    found = traced(s, formation)
    if place in found:
        return list(found.line(place)[0][1])
    source, stage = paths(s, formation)
    return cut(s.chart.board, source, [stage], _hindrances(s, formation), place)


def why_cut(s: State, unit: int) -> str:
    """SG-11.1, SG-11.3.2b: what bars the path of a unit, or its headquarters' fate that it shares."""
    line = line_of(s, unit)
    if isinstance(line, list):
        return f"{s.code(s.hq_of(s.formation(unit)))} is out of supply (SG-11.3.2b)"
    return f"no path: {describe_cut(line)}"


def line_text(s: State, unit: int) -> Reckoning:
    """How a unit stands, and how it would stand if the supply phase were now."""
    if not s.on_map(unit):
        return Reckoning(f"{s.code(unit)} is not on the map.")
    now = STATUS[s.pieces[unit].supply]
    status = dict(judged(s, s.side(unit)))[unit]
    line = line_of(s, unit)
    why = f"path {' > '.join(map(hex_name, line))}" if isinstance(line, list) else f"no path: {describe_cut(line)}"
    if status:
        why = why_cut(s, unit)
    elif s.has(unit, FORTRESS):
        why = "a fortress is always in supply (SG-12.3b)"
    elif s.has(s.top_of(s.at(unit)), FORTRESS):
        why = "the fortress on top of its stack supplies it (SG-12.3d)"
    ways = (tuple(map(hex_name, line)),) if isinstance(line, list) else ()
    return Reckoning(f"{s.code(unit)} is {describe_supply(now, STATUS[status])}: {why}.", ways=ways)


def supply(s: State, side: str) -> Told:
    """Markers that lie, and what the supply phase would find now (SG-11.0)."""
    lines = []
    figures: dict[str, object] = {}
    for each in (side, other(side)):
        found = dict(judged(s, each))
        marked = {
            status: [s.code(unit) for unit in s.ground.standing(each) if s.pieces[unit].supply == status]
            for status in (OUT_OF_SUPPLY, ISOLATED)
        }
        cut_off = [unit for unit, status in found.items() if status]
        lines.append(
            f"{NAMES[each]} out of supply: {', '.join(marked[OUT_OF_SUPPLY]) or 'none'}; isolated: "
            f"{', '.join(marked[ISOLATED]) or 'none'}; without a path now: {', '.join(map(s.code, cut_off)) or 'none'}."
        )
        why = {s.code(unit): why_cut(s, unit) for unit in cut_off}
        lines += [f"  {code}: {reason}." for code, reason in why.items()]
        figures[each] = {"out": marked[OUT_OF_SUPPLY], "isolated": marked[ISOLATED], "now": why}
    return lines, figures


# Reach


def points_text(cost: int) -> str:
    """Twelfths as points: `3 1/2`."""
    return mixed(Fraction(cost, TWELFTHS))


def _reach(s: State, unit: int) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Where a unit could end by normal movement: the cost, and the way."""
    march, bit, start = normal(s, unit, allowance(s, unit)), s.chart.board.bit, s.at(unit)
    found = reach(march.links, bit, start, march.terms)
    ends = sorted(goals(found, bit, start, march.terms))
    return {place: (found[place][0], path(found, place)) for place in ends}


def reach_text(s: State, unit: int, goal: int | None = None) -> Reckoning:
    """`22/10SS 5-5-10 in 1016, in supply, 10 points: reaches Altdamm (0716) (1 1/2), 1007 (10, zone), 300 more`."""
    if not s.on_map(unit):
        return Reckoning(f"{s.code(unit)} is not on the map.")
    head = f"{unit_text(s, unit)} in {place_text(s, s.at(unit))}, {STATUS[s.pieces[unit].supply]}"
    if s.pieces[unit].pinned:
        return Reckoning(f"{head}: it is pinned and cannot move (SG-5.3e).")
    zone, board, found = s.zone(other(s.side(unit))), s.chart.board, _reach(s, unit)
    if goal is not None:
        there = place_text(s, goal)
        if goal not in found:
            return Reckoning(f"{head}: it cannot reach {there}; `move {s.code(unit)} {hex_name(goal)}` says why.")
        cost, way = found[goal]
        return Reckoning(
            f"{head}: it reaches {there} for {points_text(cost)} points: {' > '.join(map(hex_name, way))}."
        )
    hot = {place for place in found if board.bit[place] & zone}
    shown = [
        f"{place_text(s, place)} ({points_text(cost)}{', zone' * (place in hot)})"
        for place, (cost, _) in found.items()
        if board[place].name or place in hot
    ]
    if rest := len(found) - len(shown):
        shown.append(f"{rest} {'more hexes' if shown else 'hexes'}")
    figures = {hex_name(place): {"cost": cost, "zone": place in hot} for place, (cost, _) in found.items()}
    points = points_text(allowance(s, unit))
    places = reach_notes({place: cost for place, (cost, _) in found.items()}, board.bit, zone, points=points_text)
    return Reckoning(f"{head}, {points} points: reaches {', '.join(shown) or 'nothing'}.", figures, places)


def goers_text(s: State, sides: Iterable[str], place: int) -> Reckoning:
    """Which units of each side could move to a hex, or beside it if an enemy holds it, the cheapest first."""
    lines: list[str] = []
    places: dict[str, str] = {}
    for side in sides:
        able = [unit for unit in s.ground.standing(side) if not s.pieces[unit].pinned]
        held = s.side_at(place) == other(side)
        ends = goals_at(s.chart.board, place, held=held)
        going = [(unit, _reach(s, unit)) for unit in able]
        there = sorted(
            (min(found[end][0] for end in ends if end in found), unit) for unit, found in going if found.keys() & ends
        )
        named = ", ".join(f"{s.code(unit)} ({points_text(cost)})" for cost, unit in there)
        what = "come beside" if held else "reach"
        lines.append(f"{NAMES[side]} units that can {what} {place_text(s, place)}: {named or 'none'}.")
        places |= {hex_name(s.at(unit)): "can come" for _, unit in there}
    return Reckoning("\n".join(lines), places=places)


# What may have been forgotten


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """What could still move, attack or be spent; the chit that a drive costs; and units cut off."""
    s, f = view.state, view.frame
    if isinstance(f, Command) and isinstance(order, Decline):
        yield f"Nobody is activated in this draw, and the chit {f.chit} is spent (SG-2.3.1a)."
    if not isinstance(f, Activation | Arriving) or f.seat != seat:
        return
    if isinstance(order, Decline) and isinstance(f, Activation):
        spent = "it does not react" if f.reaction else "its chit is spent"
        units = f"none of its {many(len(f.able), 'unit')} moves or attacks now"
        yield f"{acting(s, f)} is not activated, and {spent}: {units}."
    kind = view.need.kind if isinstance(view.need, Orders) else ""
    if isinstance(order, Done | None) and kind == ListAttacks.name and isinstance(f, Activation):
        for number, why in skipped(s, f).items():
            where = target_text(s, f.entries[number - 1].target)
            yield f"The attack on {where} will be skipped as things stand: {why}."
    if isinstance(order, Done) and isinstance(f, Activation):
        if kind == Movement.name and (idle := still_able(s, f)):
            yield f"Not moved: {_units(s, idle)}."
        if kind == ListAttacks.name and (found := [pick.value for pick in Attacks().first(s, f, seat)]):
            yield f"Could still be attacked: {describe_places(found, partial(target_text, s), FEW)}."
        if kind == ListAttacks.name and view.usual(FollowUp.name):
            yield from _not_followed(s, f)
        if kind == ListAttacks.name and not s.left(seat) and view.usual(Arrivals.name):
            yield from _moved_unasked(s, seat)
    if isinstance(order, Done) and kind == Arrivals.name and isinstance(f, Arriving) and f.placed:
        yield f"Not moved on: {_units(s, list(f.placed))}."
    if isinstance(order, Drive) and seat == GERMAN and (price := s.fuel_price()):
        yield f"{s.code(order.unit)} moves strategically: that costs {price}; `move` costs none."
    if isinstance(order, Done | None) and kind == Replacing.name and isinstance(f, Arriving):
        yield f"Replacement points left: {f.points}; they are lost (SG-7.3)."
    if order is None:
        cut_off = [unit for unit, status in judged(s, seat) if status]
        if cut_off:
            yield f"Without a path of supply as things stand: {_units(s, cut_off)}."


def target_text(s: State, place: int) -> str:
    """`85T in 2609`, since a hex alone says little."""
    return f"{all_of(map(s.code, s.combat_units(place)))} in {place_text(s, place)}"


def _moved_unasked(s: State, seat: str) -> Iterator[str]:
    """SG-2.5: after the last chit of the seat: the arrivals of this turn, where they are too few to ask about."""
    units = due(s, seat)
    if 0 < len(units) < MANY:
        named = describe_places(units, s.code, FEW)
        yield (
            f"At the end of the turn {named} will arrive, and the usual answer moves them on to their headquarters. "
            f"To move them yourself: `standing {Arrivals.name} then ask`."
        )


def _not_followed(s: State, f: Activation) -> Iterator[str]:
    """SG-10.0a: attacks whose entries send nobody after the enemy, so that the usual answer decides."""
    entries = [f.entries[number - 1] for number in f.waiting()]
    if still := [each.target for each in entries if not each.advance and not each.ask]:
        where = describe_places(still, partial(target_text, s), FEW)
        yield (
            f"No advance is ordered after the attack on {where}: the strongest unit goes in if it is a settlement or "
            "if at most one enemy zone reaches it; otherwise no unit does. To send it in every time: "
            f"`standing {FollowUp.name} when gone < 1 then strongest; then done`."
        )
