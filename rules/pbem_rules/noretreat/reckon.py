"""Odds of a battle: odds with every shift by rule id, chances of results. And how far a unit can go."""

from __future__ import annotations

from pbem.game import Party, Reckoning, Taker, View
from pbem.kit import describe_reach, goals_at, hex_name, many, percentages, reach_notes
from pbem_rules.noretreat.chart import NAMES, SIDES, other
from pbem_rules.noretreat.movement import allowance, left, trails
from pbem_rules.noretreat.notation import place_of, unit_of
from pbem_rules.noretreat.odds import BELOW, explain, outcome_text, reckon
from pbem_rules.noretreat.orders import UNIT, Attack
from pbem_rules.noretreat.pursuit import FollowUp, limit, named_stops, sent_by_usual_answer
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import Fight, State
from pbem_rules.noretreat.targets import able, willing

USAGE = "Write a place with enemies, and the units if not all: 1507 with 2Pz 3Pz blitz. Or a unit: 3Pz."


def costs_of(s: State, unit: int) -> dict[int, int]:
    """What it costs a unit to go wherever it could."""
    points, place = allowance(s, unit), s.at(unit)
    found = trails(s, unit, points) if points else {}
    out = left(s, unit, place)
    return {p: min(cost + out, points) for p, (cost, _) in found.items() if p != place and fits(s, unit, p)}


def reach_text(s: State, unit: int) -> Reckoning:
    """Where a unit could go: `3Pz 6-6 at 1208, in supply: 1309 (2), 1308 (2, stops)`."""
    face, place = s.face(unit), s.at(unit)
    if not s.on_map(unit):
        return Reckoning(f"{s.name(unit)} is not on the map.")
    points, board = allowance(s, unit), s.chart.board
    costs, stops = costs_of(s, unit), s.zone(other(s.unit(unit).side))
    supply = "in supply" if s.supplied(unit) else "out of supply"
    tired = ", Disorganised" if s.is_tired(unit) else ""
    known = f"{supply}{tired}, {many(points, 'point')}"
    head = f"{s.name(unit)} {face.strength}-{face.move} at {s.chart.place_text(place)}, {known}"
    text = f"{head}: reaches {describe_reach(costs, board.bit, stops, s.chart.place_text)}."
    return Reckoning(text, places=reach_notes(costs, board.bit, stops))


def ground_text(s: State, place: int) -> str:
    """`clear, city, objective`."""
    point = s.chart.points.get(place)
    kinds = {
        s.chart.kind(place): True,
        "city": place in s.chart.cities,
        "objective": bool(point and point.objective),
        "oil field": bool(point and point.kind == "oil"),
        "scorched": place in s.scorched,
        "defence works": place in s.works,
    }
    return ", ".join(kind for kind, there in kinds.items() if there)


def goers_text(s: State, place: int) -> Reckoning:
    """Which units of each side could move to a place, or beside it if an enemy holds it, the cheapest first."""
    lines: list[str] = []
    places: dict[str, str] = {}
    for side in SIDES:
        held = s.side_at(place) == other(side)
        ends = goals_at(s.chart.board, place, held=held)
        going = [(unit, costs_of(s, unit)) for unit in s.chart.own[side] if s.on_map(unit)]
        there = sorted(
            (min(costs[end] for end in ends if end in costs), unit) for unit, costs in going if costs.keys() & ends
        )
        named = ", ".join(f"{s.name(unit)} ({cost})" for cost, unit in there)
        what = "come beside" if held else "reach"
        lines.append(f"{NAMES[side]} units that can {what} {s.chart.place_text(place)}: {named or 'none'}.")
        places |= {hex_name(s.at(unit)): "can come" for _, unit in there}
    lines.append(f"{s.chart.place_text(place)}: {ground_text(s, place)}.")
    return Reckoning("\n".join(lines), places=places)


def reckon_text(view: View[State], text: str) -> Reckoning | str:
    """The odds of an attack on a place, by the units named or by all that may."""
    s = view.state
    words = [word for word in text.replace(",", " ").split() if word not in ("attack", "with")]
    marker = bool({"blitz", "shock"} & set(words))
    words = [word for word in words if word not in ("blitz", "shock", "alone")]
    at = words.index("pursue") if "pursue" in words else len(words)
    pursuit, words = words[at + 1 : at + 2], words[:at] + words[at + 2 :]
    mover = unit_of(words[0]) if len(words) == 1 else None
    if mover is not None:
        return reach_text(s, mover)
    place = place_of(s.chart, words[0]) if words else None
    defender = s.side_at(place) if place is not None else None
    if place is None:
        return USAGE
    if defender is None:
        return f"No unit stands in {s.chart.place_text(place)}."
    units = [unit_of(word) for word in words[1:]]
    side, forced = other(defender), place in s.blows
    near = (able if forced else willing)(s, side, place)
    if any(unit is None or unit not in near for unit in units):
        return f"These can attack {s.chart.place_text(place)}: {', '.join(s.name(unit) for unit in near) or 'none'}."
    chosen = tuple(sorted(unit for unit in units if unit is not None)) or near
    if not chosen:
        return f"No unit can attack {s.chart.place_text(place)}."
    fight = Fight("", side, (place,), chosen, s.ground.stacks[place], forced=forced, marker=marker)
    reckoned = reckon(s, fight)
    listed = [_listed(s, word) for each in pursuit for word in each.split("-")]
    after = _after(view, Attack(place, chosen, pursue=tuple(word for word in listed if word is not None)))
    party = Party(
        f"{hex_name(place)} with", tuple(Taker(s.name(each), _who(s, each), taken=each in chosen) for each in near)
    )
    if reckoned.column == BELOW:
        return Reckoning(f"{explain(s, reckoned)}. The defender counterattacks, without a die (NR-9.20).", party=party)
    column = [row[reckoned.column] for row in s.chart.results[reckoned.table].cells]
    shares = percentages(column).items()
    chances = "; ".join(outcome_text(s, fight, result, f" {share}%") for result, share in shares)
    return Reckoning(" ".join([f"{explain(s, reckoned)}. Results: {chances}.", *after]), party=party)


def _listed(s: State, word: str) -> int | None:
    unit = unit_of(word)
    return place_of(s.chart, word) if unit is None else UNIT + unit


def _after(view: View[State], attack: Attack) -> list[str]:
    """What becomes of the pursuit that the attack orders, or that it leaves to the usual answer."""
    s, unit = view.state, sent_by_usual_answer(view.state, attack)
    city = int(attack.target in s.chart.cities)
    if unit is None or not view.usual(FollowUp.name, {"city": city, "gone": 0, "hex": attack.target}):
        return named_stops(s, attack.pursue)
    far = limit(s, unit)
    further = f", although it could go {far}" if far > 1 else ""
    return [
        f"If the hex is emptied, the usual answer sends {s.name(unit)} alone after the enemy, one hex{further}. To "
        "choose, set “who follows” or “ask me”."
    ]


def _who(s: State, unit: int) -> str:
    return f"{s.name(unit)} {s.face(unit).strength} at {s.chart.place_text(s.at(unit))}"
