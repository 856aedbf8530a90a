"""The board as text: the map by rows, victory points, railheads, boxes, and who stands where."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import groupby

from pbem.game import Orders, View
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, Face, all_of, hex_name, many
from pbem_rules.stalingrad42.chart import (
    ASU,
    AXIS,
    FORTS,
    LEADER,
    OUT,
    RAIN,
    RECKONING,
    SIDES,
    SOVIET,
    STALINGRAD,
    SUPPLY,
    TRANSCAUCASUS,
    VOLUNTEERS,
)
from pbem_rules.stalingrad42.combat.offensives import plans_text
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.orders import Pair
from pbem_rules.stalingrad42.state import BOX_NAMES, DISRUPTED, LEADERS, READY, ROUTED, USED, WAITING, State
from pbem_rules.stalingrad42.victory import total

SKIES = {
    "clear": "Clear weather", "overcast": "Overcast", "overcast_winter": "Overcast", "rain": "Rain", "snow": "Snow",
}  # fmt: skip
POOLS = {TRANSCAUCASUS: "reinforcements, one a turn (S42-30.0)", VOLUNTEERS: "reinforcements, one a turn (S42-20.8)"}
NAMES = {AXIS: "Axis", SOVIET: "Soviet"}
GROUND = {
    "clear": ".", "woods": "w", "seasonal_marsh": "m", "marsh": "M", "minor_city": "c", "major_city": "C", "sea": "~",
    "rough": "r", "wooded_rough": "R", "mountain": "^", "desert": "d",
}  # fmt: skip
ORDER_MARKS = {DISRUPTED: "!", ROUTED: "!!"}
SUPPLY_MARKS = {OUT_OF_SUPPLY: "*", ISOLATED: "**"}


def place_text(s: State, place: int) -> str:
    """`Voronezh (2503)`, `Area M`."""
    return str(s.chart.board[place]) if place in s.chart.board else BOX_NAMES.get(place, hex_name(place))


def values_text(face: Face, traits: Container[str]) -> str:
    """Attack, defence and movement as printed; of artillery support its range in place of the first."""
    if SUPPLY in traits:
        return str(face.move)
    if ASU in traits or LEADER in traits:
        return f"r{face.value('range')}-{face.defence}-{face.move}"
    return f"{face.attack}-{face.defence}-{face.move}"


def unit_text(s: State, unit: int) -> str:
    """`9Pz 10-8-6`; after it what the key of the text board explains."""
    piece, kind = s.pieces[unit], s.counter(unit)
    marks = "-" * (kind.steps - piece.steps) + ORDER_MARKS.get(piece.order, "") + SUPPLY_MARKS.get(piece.supply, "")
    if s.has(unit, ASU) or s.has(unit, SUPPLY) or s.has(unit, LEADER):
        marks += "+" * piece.ready + "#" * (unit in s.fixed)
    marks += "=" * piece.train + "z" * (unit in s.frozen) + "r" * (unit in s.renewed)
    face = kind.face(s.pieces[unit].steps or 1)
    return f"{kind.code} {values_text(face, kind.type.traits)}{marks}"


def turn_text(s: State) -> str:
    return f"Turn {s.turn} of {s.chart.track.last.number}, {s.chart.track[s.turn].name}"


def weather_text(s: State) -> str:
    mud = ", mud" * (s.wet and s.weather != RAIN)
    return f"{SKIES[s.weather]}{mud}{', and the rivers are frozen' * s.frost}."


def score_lines(s: State) -> list[str]:
    """S42-24.2: what the Axis has, and what would end the game: first in this turn, then later."""
    victory, benchmark = s.chart.victory, s.chart.track.value(s.turn, "benchmark")
    if not victory["automatic"]:
        marked = s.chart.track.marked(STALINGRAD)
        held = f", if it holds a hex of Stalingrad when its turn {marked[0]} begins" if marked else ""
        wins = f"The Axis wins with {victory['win']} at the end of the game{held}."
        return [f"The Axis has {many(total(s), 'victory point')}.", wins]
    win, low, last = benchmark + victory["automatic"], benchmark - victory["automatic"], s.chart.track.last.number
    if victory["at_once"] or s.turn == last:
        win = min(win, victory["win"])
    loses = ", otherwise the Soviets do" if s.turn == last else f", the Soviets with {low} or fewer" if low >= 0 else ""
    found = [
        f"The Axis has {many(total(s), 'victory point')}; the benchmark of this turn is {benchmark}.",
        f"At the end of turn {s.turn} the Axis wins with {win} or more{loses}.",
    ]
    if s.elbrus and s.turn < last:
        found.append("Mount Elbrus counts as a point more for that (S42-24.3).")
    for turn in s.chart.track.marked(RECKONING):
        if s.turn <= turn:
            need = s.chart.track.value(turn, "benchmark")
            found.append(f"The Soviets win if the Axis has fewer than {need} after its turn {turn} (S42-S4.4b).")
    if not victory["at_once"] and s.turn < last:
        found.append(f"At the end of turn {last}, the last, the Axis wins with {victory['win']} or more.")
    return found


PHASES = {
    "initial": "Initial Phase", "movement": "Movement Phase", "attacks": "Combat Phase", "railheads": "Supply Phase",
}  # fmt: skip


def status_text(view: View[State]) -> str:
    """Turn, date, side, phase, and the points against the benchmark."""
    s, f = view.state, view.frame
    phase = PHASES.get(view.need.kind, "") if isinstance(view.need, Orders) else ""
    whose = f", {NAMES[f.seat]} player turn{phase and f', {phase}'}" if isinstance(f, PlayerTurn) else ""
    return f"{turn_text(s)}{whose}. {score_lines(s)[0]}"


def phase_lines(view: View[State]) -> Iterator[str]:
    f = view.frame
    if isinstance(f, PlayerTurn):
        yield f"{NAMES[f.seat]} player turn. {many(f.points, 'resource point')} left."
        for units in f.reserved:
            at = place_text(view.state, view.state.at(units[0]))
            yield f"In reserve in {at}: {all_of(map(view.state.code, units))}."
    for side in SIDES:
        if told := plans_text(view.state, side):
            yield f"{NAMES[side]} Planned Offensives: {told}."


def army_lines(view: View[State]) -> Iterator[str]:
    """S42-34: where reserve armies are, and with which box each is paired, for those who know."""
    s = view.state
    for army in s.armies():
        pair = view.secret(s.masks[army]) if army in s.masks else None
        box = s.shown.get(army) or (pair.box if isinstance(pair, Pair) else None)
        known = f"box {box}{' (shown to all)' * (army in s.shown)}" if box else "its box is not known"
        yield f"{s.code(army)} in {place_text(s, s.at(army))}: {known}."


def railheads_text(s: State) -> str:
    heads = ", ".join(place_text(s, track[-1]) for track in s.tracks)
    return f"Axis railheads: {heads or 'none'}."


def head_lines(view: View[State]) -> list[str]:
    s = view.state
    return [f"{turn_text(s)}. {weather_text(s)}", " ".join(score_lines(s)), *phase_lines(view)]


def wings_text(s: State) -> str:
    """S42-9.3: the air units of the Axis: in their box, used up, or with whom they stay."""
    told = {READY: "ready", USED: "used"}
    named = (f"{wing} {told.get(at) or f'with {s.code(at)}'}" for wing, at in s.wings.items())
    return f"Axis air units: {', '.join(named) or 'none'}."


def boxed(s: State, side: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The units of a side that are in play and not on the map, by box, reinforcements by turn and Area."""
    coming = {s.chart.unit(each.unit).number: (each.turn, each.where) for each in s.chart.track.arrivals}
    absent = {*s.chart.boxes[OUT]}
    if LEADERS not in s.options:
        absent |= {unit for unit in s.chart.own[side] if s.has(unit, LEADER)}
    for box, label in BOX_NAMES.items():
        units = tuple(unit for unit in s.ground.of(side, box) if unit not in absent)
        if box != WAITING:
            if units:
                yield label, units
            continue
        for pool, name in POOLS.items():
            left = tuple(unit for unit in units if unit in s.chart.boxes[pool])
            if left:
                yield name, left
        for turn, where in sorted({coming[unit] for unit in units if unit in coming}):
            due = tuple(unit for unit in units if coming.get(unit) == (turn, where))
            *some, last = (key.upper() for key in s.chart.gates(where))
            areas = f"{', '.join(some)} or {last}" if some else last
            yield f"{label} of turn {turn} in {areas}", due


def held_text(s: State, side: str) -> str:
    """S42-24.1.1: the victory hexes of a side, with their points."""
    held = [place for place in s.chart.prizes if s.holders[place] == side]
    named = "; ".join(f"{place_text(s, place)} {s.chart.prizes[place]}" for place in held)
    return f"{NAMES[side]} victory hexes: {named or 'none'}."


def map_lines(s: State) -> list[str]:
    """A sign for the ground of each hex, and after it a letter for the side that stands there."""
    board, chart = s.chart.board, s.chart
    grid = board.grid
    assert grid is not None
    columns = range(grid.first, grid.first + grid.columns)
    lines = [f"   {''.join(f'{column:02d}' for column in columns)}"]
    for row in range(grid.first_row, grid.first_row + grid.rows):
        cells = []
        for place in (100 * column + row for column in columns):
            stack = s.ground.stacks[place]
            letter = "X" if place in s.contests else NAMES[s.side(stack[0])][0] if stack else " "
            sign = GROUND[board[place].terrain] if place in board else " "
            prize = "$" if place in chart.prizes else sign
            cells.append(prize + (letter if len(stack) > 1 else letter.lower()))
        lines.append(f"{row:02d} {''.join(cells)}".rstrip())
    return lines


def stack_lines(s: State, side: str) -> list[str]:
    """The units of a side by hex, Areas last."""
    units = sorted(s.ground.standing(side), key=lambda unit: (s.in_area(unit), s.at(unit), unit))
    stacks = groupby(units, key=s.at)
    return [f"  {place_text(s, at):24} {', '.join(unit_text(s, unit) for unit in stack)}" for at, stack in stacks]


def text_board(view: View[State]) -> str:
    """The whole board; which box a reserve army has, its owner alone sees (S42-34)."""
    s = view.state
    lines = [*head_lines(view), "", *map_lines(s), ""]
    lines.append(
        "$ victory hex  C c major, minor city  w woods  m M marsh  r R rough, wooded  ^ mountain  d desert  ~ sea  "
        "a s an Axis or Soviet counter, A S more, X both sides"
    )
    lines.append(
        "Of units: - a lost step  ! disrupted  !! in Full Retreat  * out of supply  ** isolated  + ready  # fixed  "
        "= on a train  z waits  r replaced"
    )
    lines.append("9Pz 10-8-6: attack, defence, movement  6A-HQ r5-1-5: support, or a leader, with a range of 5 hexes")
    lines += [held_text(s, side) for side in SIDES]
    lines += [railheads_text(s), wings_text(s), *army_lines(view)]
    for key in FORTS:
        region = s.chart.map.regions[key]
        if key not in s.forts_off and region.places:
            lines.append(f"{region.name} (printed): {', '.join(map(hex_name, region.places))}.")
    for place, side in s.forts.items():
        lines.append(f"{NAMES[side]} fort in {place_text(s, place)}.")
    for place, side in s.digging.items():
        lines.append(f"{NAMES[side]} fort under construction in {place_text(s, place)}.")
    for place, (level, *_) in s.sieges.items():
        first = s.contests.get(place)
        whose = f"; both sides are in it, and it is the {NAMES[first]}'s" if first else ""
        lines.append(f"City Battle {level} in {place_text(s, place)}{whose}.")
    for side in SIDES:
        lines += ["", f"{NAMES[side]} units:", *stack_lines(s, side)]
        lines += [f"{label}: {', '.join(map(s.code, units))}" for label, units in boxed(s, side)]
    return "\n".join(lines)
