"""Answers to players' questions about the position.

look reach 9pz         where a unit can go in each way of moving: places with a name, enemy zones, costs, stops;
                       after a battle that is won, where it may advance or break through
look reach 9pz voronezh        the cheapest way there, or why not
look reach voronezh    which units of both sides can go there
look supply            who is out of supply, and who would be if the Supply Phase were now
look supply 9pz        the line of a unit to its source, or what bars it; if it is isolated, what helps it
look bonds             bonds of both sides, and those that are cancelled
look bonds 1502        those that bar a hex or its sides, or begin there; and why others do not hold
look disengage 9pz     the chances of a unit, or of its stack, to disengage, and where it would go
look points            victory points and the benchmark; what each victory hex is worth to whom
look rails             railheads: where they stand, how far they can go
look arrivals          who comes when and where, replacements by turn, whom they could bring back, resource points
look                   all but those of one unit or hex
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from pbem.game import Reckoning, View
from pbem.kit import (
    ISOLATED,
    OFF_MAP,
    OUT_OF_SUPPLY,
    Bond,
    Cut,
    Hindrance,
    all_of,
    bar,
    cut,
    describe_cut,
    describe_line,
    describe_places,
    describe_supply,
    goals,
    goals_at,
    line_ways,
    many,
    path,
    reach,
    reach_of,
    shut,
    zone_after_zone,
)
from pbem_rules.stalingrad42.board import NAMES, boxed, place_text, score_lines, unit_text
from pbem_rules.stalingrad42.campaign.plan import NAMED, Removal
from pbem_rules.stalingrad42.chart import AXIS, HALVES, REPLACEMENTS, SIDES
from pbem_rules.stalingrad42.combat.disengaging import chances as chances_of
from pbem_rules.stalingrad42.combat.disengaging import retreat_of
from pbem_rules.stalingrad42.combat.flight import groups
from pbem_rules.stalingrad42.combat.pursuit import FollowUp
from pbem_rules.stalingrad42.frames import Battle
from pbem_rules.stalingrad42.initial import due
from pbem_rules.stalingrad42.movement.marching import MODES, NORMAL, TACTICAL, allowance, modes
from pbem_rules.stalingrad42.movement.phase import find_way, ground, tires
from pbem_rules.stalingrad42.movement.rail import rides, working
from pbem_rules.stalingrad42.movement.sea import landings
from pbem_rules.stalingrad42.notation import place_of, unit_here
from pbem_rules.stalingrad42.orders import Break, Follow, PlaceWords, place_name
from pbem_rules.stalingrad42.state import DISENGAGING, ELIMINATED, State, other
from pbem_rules.stalingrad42.supply.isolation import help_for, relief
from pbem_rules.stalingrad42.supply.lines import barred_towns, clear_of_enemies, judged, lines, sources, stages, status
from pbem_rules.stalingrad42.supply.phase import courses
from pbem_rules.stalingrad42.victory import points as scored
from pbem_rules.stalingrad42.victory import total

KIND_NAMES = {"infantry": "German infantry division", "panzer": "panzer divisions", "tank_corps": "tank corps"}
USAGE = (
    "Ask `reach UNIT`, `reach UNIT HEX`, `reach HEX`, `supply`, `supply UNIT`, `bonds`, `bonds HEX`, "
    "`disengage UNIT`, `points`, `rails`, `arrivals`; `look` alone answers all but those about one unit or hex."
)
CANCELLED = "cancels it"
HEXES = 40  # without a name, that a list of where a unit can go shows by number
Told = tuple[list[str], Mapping[str, object]]
STATUS = ("in supply", "out of supply", "isolated")
spot = PlaceWords().word


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or how to ask."""
    s, words = view.state, text.split()
    side = view.seats[0] if view.seats else AXIS
    if len(words) == 2 and words[0] == "reach" and isinstance(view.frame, Battle) and view.frame.won:
        unit = unit_here(s, words[1])
        if unit is not None and unit in (*view.frame.units, *view.frame.mates):
            return pursuit_text(s, view.frame, unit)
    if len(words) > 1:
        return _of_one(s, side, words[0], words[1:]) or USAGE
    questions: dict[str, Callable[[State, str], Told]] = {
        "supply": supply, "bonds": bonds, "points": points, "rails": rails, "arrivals": arrivals,
    }  # fmt: skip
    if any(word not in questions for word in words):
        return USAGE
    told = {word: questions[word](s, side) for word in words or questions}
    found = [line for answer, _ in told.values() for line in answer]
    drawn = [bond for each in SIDES for bond in s.bonds(each) if bond.b != OFF_MAP] if words == ["bonds"] else []
    ways = tuple((spot(bond.a), spot(bond.b)) for bond in drawn)
    return Reckoning("\n".join(found), {word: figures for word, (_, figures) in told.items()}, ways=ways)


def _of_one(s: State, side: str, question: str, words: list[str]) -> Reckoning | None:
    unit, place = unit_here(s, words[0]), place_of(s, "_".join(words))
    if question == "bonds":
        return None if place is None else bonds_of(s, place)
    if question == "supply":
        return None if unit is None else line_text(s, unit)
    if question == "disengage":
        return None if unit is None else leaving_text(s, unit)
    if question != "reach":
        return None
    if unit is None:
        return None if place is None else goers_text(s, (side, other(side)), place)
    goal = place_of(s, "_".join(words[1:]))
    return None if words[1:] and goal is None else reach_text(s, unit) if goal is None else way_text(s, unit, goal)


# Reach


def points_text(cost: int, mode: str = NORMAL) -> str:
    """Halves as points: `3 1/2`; tactically hexes."""
    if mode == TACTICAL:
        return str(cost)
    whole, rest = divmod(cost, HALVES)
    return f"{whole or ''} {Fraction(rest, HALVES) if rest else ''}".strip() or "0"


def _head(s: State, unit: int) -> str:
    return f"{unit_text(s, unit)} in {place_text(s, s.at(unit))}"


def reach_text(s: State, unit: int) -> Reckoning:
    """In each way of moving, whatever the unit has done in this turn."""
    if not s.on_map(unit):
        return Reckoning(f"{s.code(unit)} is not on the map.")
    zone, board = s.zone(other(s.side(unit))), s.chart.board
    found, figures = [f"{_head(s, unit)}:"], {}
    notes: dict[str, list[str]] = {}
    for mode in MODES:
        if mode not in modes(s, unit):
            continue
        links, terms = ground(s, unit, mode)
        trails = reach(links, board.bit, s.at(unit), terms)
        ends = goals(trails, board.bit, s.at(unit), terms)
        hot = {place for place in ends if board.bit[place] & zone}
        shown = [
            f"{place_text(s, place)} ({points_text(cost, mode)}{', stops' * bool(board.bit[place] & terms.stops)})"
            for place, cost in sorted(ends.items())
            if board[place].name or place in hot
        ]
        others = [place for place in sorted(ends) if not (board[place].name or place in hot)]
        if others:
            shown.append(describe_places(others, place_name, HEXES))
        far = points_text(allowance(s, unit, mode), mode)
        found.append(f"  {mode}, {far} {'hexes' if mode == TACTICAL else 'points'}: {', '.join(shown) or 'nothing'}.")
        for place, cost in ends.items():
            stop = ", stops" if board.bit[place] & terms.stops else ""
            tired = ", disrupts it" * tires(s, unit, mode, path(trails, place))
            notes.setdefault(spot(place), []).append(f"{mode} {points_text(cost, mode)}{stop}{tired}")
        figures[mode] = {spot(place): {"cost": cost, "zone": place in hot} for place, cost in ends.items()}
    by_rail = board.in_mask(rides(s, unit))
    for mode, places in (("rail", by_rail), ("sea", landings(s, unit))):
        if places:
            named = [place for place in places if board[place].name]
            text = describe_places(named, lambda place: place_text(s, place), 40)
            rest = len(places) - len(named)
            found.append(f"  {mode}: {text}{f', {rest} more' if rest else ''}.")
            figures[mode] = {spot(place): {"cost": 0, "zone": False} for place in places}
            for place in places:
                notes.setdefault(spot(place), []).append(f"by {mode}")
    if len(found) == 1:
        why = "it may not move yet" if unit in s.frozen else "it must stay where it is"
        return Reckoning(f"{_head(s, unit)}: {why}.")
    return Reckoning("\n".join(found), figures, {word: "; ".join(told) for word, told in notes.items()})


def pursuit_text(s: State, f: Battle, unit: int) -> Reckoning:
    """S42-14, S42-15: after a battle that is won, where a unit may advance, and where a group with it may go first."""
    far: dict[int, int] = {}
    through: dict[int, str] = {}
    for order in FollowUp().legal(s, f, f.seat, {}):
        if isinstance(order, Follow) and order.unit == unit:
            far[order.path[-1]] = min(len(order.path), far.get(order.path[-1], len(order.path)))
        if isinstance(order, Break) and unit in order.units:
            fights = s.chart.board.bit[order.via[0]] & s.fighters(other(f.seat))
            through[order.via[0]] = "breakthrough combat" if fights else "breakthrough"
    steps = {place: f"advance of {many(length, 'hex', 'hexes')}" for place, length in far.items()}
    found = ((place, (steps.get(place), through.get(place))) for place in sorted({*far, *through}))
    told = {place: "; ".join(filter(None, each)) for place, each in found}
    ends = ", ".join(f"{place_text(s, place)} ({each})" for place, each in told.items())
    text = f"{_head(s, unit)} after the battle for {place_text(s, f.target)}: {ends or 'it cannot advance'}."
    return Reckoning(text, {}, {spot(place): each for place, each in told.items()})


def way_text(s: State, unit: int, goal: int) -> Reckoning:
    """The cheapest way to a place in each way of moving, with its cost; or why there is none."""
    if not s.on_map(unit):
        return Reckoning(f"{s.code(unit)} is not on the map.")
    found = [f"{_head(s, unit)} to {place_text(s, goal)}:"]
    board = s.chart.board
    for mode in modes(s, unit):
        march = ground(s, unit, mode)
        way = find_way(s, unit, mode, march, [goal])
        if isinstance(way, tuple):
            cost = reach(march.links, board.bit, s.at(unit), march.terms, goal)[goal][0]
            found.append(f"  {mode} ({points_text(cost, mode)}): {' > '.join(map(place_name, way))}.")
        else:
            found.append(f"  {mode}: {way.reason} ({way.rule}).")
    if board.bit[goal] & rides(s, unit):
        found.append("  rail: yes.")
    if goal in landings(s, unit):
        found.append("  sea: yes.")
    return Reckoning("\n".join(found if len(found) > 1 else [f"{_head(s, unit)}: it must stay where it is."]))


def goers_text(s: State, sides: Iterable[str], place: int) -> Reckoning:
    """Which units of each side could get to a hex on the ground, by the first way of moving that brings them there."""
    lines: list[str] = []
    figures: dict[str, object] = {}
    places: dict[str, str] = {}
    board = s.chart.board
    for side in sides:
        found: list[tuple[int, int, int, str]] = []
        held = s.side_at(place) == other(side)
        ends = goals_at(board, place, held=held)
        for unit in s.ground.standing(side):
            for mode in modes(s, unit):
                links, terms = ground(s, unit, mode)
                trails = reach(links, board.bit, s.at(unit), terms, -1 if held else place)
                there = goals(trails, board.bit, s.at(unit), terms)
                if near := [trails[end][0] for end in ends if end in there]:
                    found.append((MODES.index(mode), min(near), unit, mode))
                    break
        named = [f"{s.code(unit)} ({mode} {points_text(cost, mode)})" for _, cost, unit, mode in sorted(found)]
        figures |= {s.code(unit): {"mode": mode, "cost": cost} for _, cost, unit, mode in sorted(found)}
        places |= {spot(s.at(unit)): "can come" for _, _, unit, _ in found}
        what = "come beside" if held else "reach"
        lines.append(f"{NAMES[side]} units that can {what} {place_text(s, place)}: {all_of(named) or 'none'}.")
    return Reckoning("\n".join(lines), figures, places)


# Bonds


def bond_text(bond: Bond) -> str:
    """`1502-1702 over 1601`, `1301-edge between 1400 and 1401`."""
    end = "edge" if bond.b == OFF_MAP else place_name(bond.b)
    what = "over" if len(bond.between) == 1 else "between"
    return f"{place_name(bond.a)}-{end} {what} {all_of(map(place_name, bond.between))}"


def _broken(s: State, side: str) -> Iterator[tuple[Bond, str]]:
    """S42-7.1, S42-7.6: bonds between hexes with units of a side that do not hold, each with the reason."""
    chart, board, enemy, ties = s.chart, s.chart.board, s.fighters(other(side)), s.ties(side)
    friends, held = s.fighters(side) & chart.hexes, set(s.bonds(side))
    for cell in board.in_mask(friends):
        for bond in chart.bonds.from_hex(cell):
            if bond.b == OFF_MAP or not friends & board.bit[bond.b] or bond in held:
                continue
            loose = [end for end in (bond.a, bond.b) if not ties & board.bit[end]]
            foes = [place for place in bond.between if enemy & board.bit[place]]
            if loose:
                yield (
                    bond,
                    f"{all_of(map(place_name, loose))} gives none: its units are disrupted, on trains, or too light",
                )
            elif foes:
                yield bond, f"the enemy in {all_of(map(place_name, foes))} {CANCELLED}"
            else:
                yield bond, "it cannot run over the sea or two major rivers"


def bonds(s: State, side: str) -> Told:
    """S42-7: a bond bars the enemy's moves, retreats, advances and lines."""
    found, figures = [], {}
    for each in (side, other(side)):
        held, broken = s.bonds(each), list(_broken(s, each))
        cancelled = [f"  {bond_text(bond)}: {why}." for bond, why in broken if CANCELLED in why]
        rest = f", {len(cancelled)} cancelled by the enemy" if cancelled else ""
        found.append(f"{NAMES[each]} bonds: {len(held)} in force{rest}.")
        found += cancelled
        figures[each] = {"bonds": [bond_text(bond) for bond in held], "broken": [bond_text(b) for b, _ in broken]}
    return found, figures


def bonds_of(s: State, place: int) -> Reckoning:
    found, figures = [], {}
    ways: list[tuple[str, ...]] = []
    for side in SIDES:
        near = [bond for bond in s.bonds(side) if place in (bond.a, bond.b, *bond.between)]
        found += [f"{NAMES[side]} bond {bond_text(bond)}." for bond in near]
        found += [
            f"No {NAMES[side]} bond {bond_text(bond)}: {why}."
            for bond, why in _broken(s, side)
            if place in (bond.a, bond.b, *bond.between)
        ]
        figures[side] = [bond_text(bond) for bond in near]
        ways += [(spot(bond.a), spot(bond.b)) for bond in near if bond.b != OFF_MAP]
    text = "\n".join(found) or f"No bond begins in {place_text(s, place)}, or bars it."
    return Reckoning(text, figures, ways=tuple(ways))


# Supply


def _hindrances(s: State, side: str) -> tuple[Hindrance, ...]:
    """S42-16.3, the easiest first."""
    enemy = other(side)
    zone = s.zone(enemy) & ~s.fighters(side)
    return (
        zone_after_zone("S42-16.3.2b", "two enemy zones one after the other bar the line", zone),
        shut("S42-7.2", "an enemy bond bars the line"),
        bar("S42-7.2", "an enemy bond bars the line", s.barrier(enemy, moving=False).hexes),
        bar("S42-16.3.3a", "an enemy zone bars the road", zone),
        bar("S42-16.3.4b", "an empty town in enemy hands bars the line", barred_towns(s, side)),
        bar("S42-16.3.2a", "enemy units bar the line", s.fighters(enemy)),
        reach_of("S42-16.3.2a", "the way to the road is too long"),
    )


def _cut(s: State, side: str, place: int) -> Cut | None:
    return cut(s.chart.board, sources(s, side) & s.chart.on_roads, stages(s, side), _hindrances(s, side), place)


def why_cut(s: State, unit: int) -> str:
    return describe_cut(_cut(s, s.side(unit), s.at(unit)), place_name)


def line_text(s: State, unit: int) -> Reckoning:
    """How a unit stands, and how it would stand if the Supply Phase were now."""
    if not s.on_map(unit):
        return Reckoning(f"{s.code(unit)} is not on the map.")
    if not s.fights(unit) or s.in_area(unit):
        return Reckoning(f"{_head(s, unit)}: it is always in supply.")
    now, then = s.pieces[unit].supply, status(s, unit)
    head = f"{s.code(unit)} in {place_text(s, s.at(unit))} is {describe_supply(STATUS[now], STATUS[then])}"
    if then not in (OUT_OF_SUPPLY, ISOLATED):
        line = lines(s, s.side(unit)).line(s.at(unit))
        return Reckoning(f"{head}: {describe_line(line, place_name)}.", ways=line_ways(line, spot))
    told = [f"{head}: {why_cut(s, unit)}."]
    if then == ISOLATED:
        more = ", ".join(f"{shift.why} {shift.by:+d} ({shift.rule})" for shift in help_for(s, unit))
        told.append(f"On its roll, {relief(s, unit):+d}: {more or 'nothing helps it'} (S42-16.5).")
    return Reckoning("\n".join(told))


def supply(s: State, side: str) -> Told:
    """S42-16.1: markers that lie, and what the Supply Phase would find now."""
    found, figures = [], {}
    for each in (side, other(side)):
        marked = {
            what: [s.code(unit) for unit in s.ground.standing(each) if s.pieces[unit].supply == what]
            for what in (OUT_OF_SUPPLY, ISOLATED)
        }
        cut_off = {unit: what for unit, what in judged(s, each) if what}
        found.append(
            f"{NAMES[each]} out of supply: {all_of(marked[OUT_OF_SUPPLY]) or 'none'}; isolated: "
            f"{all_of(marked[ISOLATED]) or 'none'}; without a line now: {all_of(map(s.code, cut_off)) or 'none'}."
        )
        why = {place: why_cut(s, unit) for unit in cut_off if (place := s.at(unit)) is not None}
        found += [f"  {place_text(s, place)}: {reason}." for place, reason in why.items()]
        figures[each] = {
            "out": marked[OUT_OF_SUPPLY],
            "isolated": marked[ISOLATED],
            "now": {s.code(unit): STATUS[what] for unit, what in cut_off.items()},
        }
    return found, figures


def leaving_text(s: State, unit: int) -> Reckoning:
    """S42-27: by itself, and with all that stand there."""
    if DISENGAGING not in s.options:
        return Reckoning("No unit can disengage: this game is played without that option (S42-27).")
    side, stack = s.side(unit), tuple(u for u in s.of(s.side(unit), s.at(unit)) if s.fights(u))
    if unit not in stack or s.in_area(unit):
        return Reckoning(f"{_head(s, unit)}: only combat units in hexes of the map disengage.")
    found, figures = [], {}
    for units in dict.fromkeys(((unit,), stack)):
        codes, chance = all_of(map(s.code, units)), chances_of(s, units)
        cost = f"gets away at the cost of a step {chance['cost']}"
        told = f"{codes}: gets away {chance['yes']}, {cost}, stays {chance['no']} (S42-27.2)"
        for hexes in (1, 2):
            plan = retreat_of(s, side, units, hexes, (), ask=False)
            ways = [("-".join(map(spot, path)), group) for group, paths in groups(s, plan) for path in paths]
            told += f"; by {hexes}: {', '.join(dict.fromkeys(way for way, _ in ways)) or 'no way'}"
        found.append(f"{told}.")
        figures[codes] = {what: str(part) for what, part in chance.items()}
    return Reckoning("\n".join(found), figures)


# Victory, railheads, arrivals


def points(s: State, _: str) -> Told:
    """S42-24: what counts now, what the hexes are worth, and what would end the game."""
    found = score_lines(s)
    found += [f"  {each.by:+d}: {each.why} ({each.rule})." for each in scored(s)]
    figures: dict[str, object] = {"axis": total(s)}
    for side in SIDES:
        held = [place for place in s.chart.prizes if s.holders[place] == side]
        named = ", ".join(f"{place_text(s, place)} {s.chart.prizes[place]}" for place in held)
        found.append(f"In {NAMES[side]} hands: {named or 'none'}.")
        figures[side] = [spot(place) for place in held]
    if s.chart.victory["automatic"]:
        figures["benchmark"] = s.chart.track.value(s.turn, "benchmark")
        coming = (turn for turn in s.chart.track if turn.number >= s.turn)
        benchmarks = (f"turn {turn.number}: {turn.values['benchmark']}" for turn in coming)
        found.append(f"Benchmarks: {', '.join(benchmarks)}.")
    return found, figures


def rails(s: State, _: str) -> Told:
    """S42-17.2: a railhead moves in the Axis Supply Phase."""
    found, figures = [], {}
    clear = clear_of_enemies(s, AXIS)
    for number, track in enumerate(s.tracks):
        at = track[-1]
        ways = sorted(courses(s, number), key=lambda course: (-len(course), course))
        if not working(s, track):
            state = "cut off from its sources (S42-17.3.2)"
        elif ways:
            state = f"can go {' or '.join('-'.join(map(spot, way)) for way in ways if len(way) == len(ways[0]))}"
        else:
            state = "cannot go on: an enemy zone, or the end of the line"
        thrown = "" if s.chart.board.bit[at] & clear else "; in an enemy zone, and would be thrown back (S42-17.3.1)"
        found.append(f"Railhead {place_text(s, at)}: {state}{thrown}.")
        figures[spot(at)] = ["-".join(map(spot, way)) for way in ways]
    return found or ["The Axis has no railhead on the map."], figures


def _leaving(s: State, removal: Removal) -> Iterator[str]:
    if removal.kind != NAMED:
        yield f"{len(removal.units)} {KIND_NAMES[removal.kind]}"
    named = removal.units if removal.kind == NAMED else removal.always
    if named:
        yield f"{'and ' * (removal.kind != NAMED)}{all_of(map(s.code, named))}"
    if removal.steps > 1:
        yield f"with {many(removal.steps, 'step')}"


def arrivals(s: State, _: str) -> Told:
    """S42-22.1, S42-21, S42-18.1: who is still to come, and what could bring others back."""
    found, figures = [], {}
    for each in SIDES:
        here = due(s, each)
        if here:
            found.append(f"{NAMES[each]} units to be placed now: {all_of(map(s.code, here))}.")
        coming = {label: tuple(map(s.code, units)) for label, units in boxed(s, each) if label.startswith("reinf")}
        found += [f"{NAMES[each]} {label}: {', '.join(codes)}." for label, codes in coming.items()]
        given = {
            turn.number: ", ".join(
                f"{turn.values[key]} {kind}" for kind, key in REPLACEMENTS[each].items() if turn.values.get(key)
            )
            for turn in s.chart.track
            if turn.number >= s.turn
        }
        told = "; ".join(f"turn {number}: {what}" for number, what in given.items() if what)
        found.append(f"{NAMES[each]} replacements: {told or 'none'}.")
        lost = [unit for unit in s.chart.own[each] if s.at(unit) == ELIMINATED]
        if lost:
            waits = ", ".join(s.code(unit) + " (waits)" * (unit in s.missing) for unit in lost)
            found.append(f"{NAMES[each]} units that replacements could bring back: {waits}.")
        removals = (removal for removal in s.chart.course.removals if removal.side == each and removal.turn >= s.turn)
        leaving = {removal.turn: " ".join(_leaving(s, removal)) for removal in removals}
        if leaving:
            told = "; ".join(f"turn {number}: {what}" for number, what in leaving.items())
            found.append(f"{NAMES[each]} units that leave: {told}.")
        figures[each] = {
            "coming": coming,
            "leaving": leaving,
            "replacements": given,
            "lost": [s.code(unit) for unit in lost],
        }
    resources = ", ".join(f"{NAMES[each]} {s.chart.limits['resources'][each]}" for each in SIDES)
    found.append(f"Resource points a turn: {resources}.")
    return found, figures
