"""The board as text: the map by rows, the units by place, boxes, hand."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import View
from pbem.kit import held_by, hex_name, many
from pbem_rules.noretreat.cards.base import EVENTS, title
from pbem_rules.noretreat.chart import AXIS, NAMES, SIDES, SOVIET, YEAR_45
from pbem_rules.noretreat.scoring import places_of, points
from pbem_rules.noretreat.state import BOX_NAMES, FIRST_BOX, OUT, TRACK, State
from pbem_rules.noretreat.victory import SHIFT, TOTAL, needed, objectives
from pbem_rules.noretreat.weather import markers, text

SIGN = {"clear": ".", "forest": "f", "swamp": "s", "mountain": "m", "sea": "~", "lake": "=", "neutral": " "}


def unit_text(s: State, unit: int) -> str:
    """`3Pz 6-6`, brackets for no zone, a star out of supply, `!` Disorganised, `-` on its weaker side."""
    face = s.face(unit)
    strength = str(face.strength) if face.zone else f"({face.strength})"
    marks = ("*" if not s.supplied(unit) else "") + ("!" if s.is_tired(unit) else "")
    kind = s.unit(unit)
    if kind.two_faced and s.pieces[unit].strong != (kind.side == AXIS):
        marks += "-" if kind.side == AXIS else "+"
    return f"{kind.code} {strength}-{face.move}{marks}"


def map_lines(s: State) -> list[str]:
    """A letter for the ground and what stands there: `A` or `a` Axis, `S` or `s` Soviet, capitals for two units."""
    grid, chart = s.chart.board.grid, s.chart
    assert grid is not None
    lines = [f"     {' '.join(f'{column:02d}' for column in range(1, grid.columns + 1))}"]
    for row in range(1, grid.rows + 1):
        cells = []
        for column in range(1, grid.columns + 1):
            cell = 100 * column + row
            if cell not in chart.board:
                cells.append("  ")
                continue
            ground = (
                "o" if chart.points.get(cell) and chart.points[cell].kind == "oil" else SIGN[chart.board[cell].terrain]
            )
            if cell in chart.cities:
                ground = "C" if s.holders[cell] == AXIS else "c"
            there = s.ground.stacks[cell]
            mark = " "
            if there:
                letter = "a" if s.side_at(cell) == AXIS else "s"
                mark = letter.upper() if len(there) > 1 else letter
            cells.append(ground + mark)
        shift = "  " if (row % 2 == 1) == (grid.shifted == "odd") else ""
        lines.append(f"{row:02d} {shift} {' '.join(cells)}".rstrip())
    return lines


def side_lines(s: State, side: str) -> list[str]:
    out = []
    for place in s.ground.stacks:
        if OUT < place < FIRST_BOX and s.side_at(place) == side:
            blown = ", ".join(s.name(unit) for unit in s.ground.stacks[place] if unit in s.blown)
            marks = ["target"] * (place in s.targets) + [f"counterblow {blown}"] * bool(blown)
            more = f"  [{', '.join(marks)}]" if marks else ""
            name = s.chart.board[place].name
            number = hex_name(place) if place < 9000 else ""
            held = ", ".join(unit_text(s, unit) for unit in s.ground.stacks[place])
            out.append(f"  {number:4} {name:16} {held}{more}".rstrip())
    for box, label in BOX_NAMES.items():
        units = s.of(side, box) if box != OUT else ()
        if units:
            held = ", ".join(f"{s.name(u)}{f' (turn {s.pieces[u].due})' if box == TRACK else ''}" for u in units)
            out.append(f"  {label}: {held}")
    return out


def hand_lines(view: View[State], side: str) -> list[str]:
    s = view.state
    hand = s.hand(side)
    known = [held if isinstance(held, int) else view.card(held) for held in hand]
    if side not in view.seats:
        seen = [f"{card} {title(s, side, card)}" for card in known if card is not None]
        more = f", among them {'; '.join(seen)}" if seen else ""
        return [f"{NAMES[side]} holds {many(len(hand), 'card')}{more}."]
    out = [f"{NAMES[side]}'s hand:"]
    for card in sorted(card for card in known if card is not None):
        out.append(f"  {card:2} {title(s, side, card)}{needs(side, card)}. {s.chart.card_event(side, card).text}")
    return out


def needs(side: str, card: int) -> str:
    """Whose initiative the event needs, in brackets."""
    held = EVENTS.get((side, card))
    return f" ({NAMES[held.symbol]} initiative)" if held is not None and held.symbol else ""


def head_lines(s: State) -> list[str]:
    if not s.turn:
        return [f"{s.plan.title}: before the first turn."]
    printed = s.chart.track[s.turn]
    whose = f", {NAMES[s.active]}'s turn" if s.active else ""
    lines = [f"{s.plan.title}. Turn {s.turn}, {printed.name}, {text(s)}{whose}."]
    lines.append(
        f"Initiative: {NAMES[s.initiative]}, {many(points(s), 'point')} "
        f"({many(places_of(s, s.initiative), 'place')}, events {s.event_vp:+d})."
    )
    left = ", ".join(f"{'Blitz' if side == AXIS else 'Shock'} {s.support.get(side) or 0}" for side in SIDES)
    lines.append(f"Markers left: {left}.")
    return lines


def thresholds(s: State, side: str) -> dict[int, int]:
    """The skulls that are still to come for a side: turn -> the points that it must exceed (NR-4.8)."""
    turns = range(s.turn + 1, s.plan.last + 1)
    numbers = ((turn, s.chart.track[turn].values.get(f"sudden_{side}")) for turn in turns)
    return {turn: number for turn, number in numbers if number is not None}


def goal_lines(s: State, *, later: bool = True) -> list[str]:
    """What wins the game, for both sides; without `later` only the next of the numbers that win at once."""
    skulls = {side: _skull_line(s, side, later=later) for side in SIDES}
    early = [line for side in SIDES for line in (_objective_line(s, side), skulls[side])]
    last = _end_lines(s)
    return last + early if s.plan.win else early + last  # what a short scenario is about comes first


def _objective_line(s: State, side: str) -> str:
    """NR-4.6, NR-4.7."""
    held = held_by(s.holders, side, s.chart.objectives[side])
    named = ", ".join(
        f"{s.chart.points[place].name}{' (held)' if place in held else ''}" for place in s.chart.objectives[side]
    )
    need, count = needed(s, side), len(s.chart.objectives[side])
    later = ", 4 once the Soviets have the initiative" if side == AXIS and need == 3 and s.plan.last >= SHIFT else ""
    berlin = "; with Berlin at once" if side == SOVIET else ""
    return (
        f"{NAMES[side]} wins early with {need} of {count} objectives held and in supply{later} "
        f"(now {objectives(s, side)}){berlin}. Objectives: {named}."
    )


def _skull_line(s: State, side: str, *, later: bool) -> str:
    """NR-4.8."""
    numbers = [f"above {number} in turn {turn}" for turn, number in thresholds(s, side).items()]
    coming = ", ".join(numbers if later else numbers[:1])
    does = "costs the other side cards" if "no_surrender" in s.options else "wins"
    now = f", points now {points(s, side)}" if coming else ""
    return f"{NAMES[side]} sudden death ({does}): {coming or 'none to come'}{now}."


def _end_lines(s: State) -> list[str]:
    """NR-4.9 to NR-4.11, NR-14.12."""
    if s.plan.win:
        return [
            f"After turn {s.plan.last} the Axis wins with {s.plan.win} points or more, or with Moscow and one more "
            "objective in supply; otherwise the Soviets win."
        ]
    found = []
    if s.turn < YEAR_45:
        found.append(
            f"The Soviets win with {TOTAL} points in turns {SHIFT} to {YEAR_45}; in turn {YEAR_45} the Axis wins if "
            "its high tide (its points when the initiative passes) is above the Soviet points."
        )
    return [*found, f"After turn {s.plan.last} the Axis wins."]


def places_text(s: State, places: Iterable[int]) -> str:
    return ", ".join(s.chart.place_text(place) for place in places)


def marker_lines(s: State) -> list[str]:
    """What lies on the map and the track and is neither a unit nor counted elsewhere (NR-1.34)."""
    coming = [f"turn {turn} {s.weather_of(turn)}" for turn in markers(s) if turn > s.turn]
    found = {
        "Weather to come": ", ".join(coming),
        "High tide": str(s.high_tide) if s.high_tide else "",
        "Sudden death": "the next check is left out" if s.skip_sudden else "",
        "Scorched Earth": places_text(s, s.scorched),
        "Defence works": places_text(s, s.works),
        "Strategic Reserve": s.name(s.reserve) if s.reserve >= 0 else "",
        "Support": ", ".join(s.name(unit) for unit in s.helped.values()),
        "The Joker": NAMES[s.joker] if s.joker else "",
    }
    return [f"{label}: {text}." for label, text in found.items() if text]


def text_board(view: View[State]) -> str:
    """The whole board as these seats see it."""
    s = view.state
    deck = s.deck
    top = f", on top {deck.discards[-1]}" if deck.discards else ""
    lines = [*head_lines(s), *goal_lines(s), "", *map_lines(s), ""]
    lines.append(
        "C c city (Axis, Soviet)   o oil   f forest   s swamp   m mountain   after it: a Axis, s Soviet, A S two units"
    )
    lines.append("* out of supply   ! Disorganised   - reduced   + better side   ( ) no zone of control")
    held = {side: held_by(s.holders, side, s.chart.points) for side in SIDES}
    lines += [f"{NAMES[side]} holds {len(held[side])}: {places_text(s, held[side])}." for side in SIDES]
    lines += marker_lines(s)
    lines.append(f"Cards: {deck.left} in the deck, {len(deck.discards)} discarded{top}.")
    for side in (AXIS, SOVIET):
        lines += ["", f"{NAMES[side]}:", *side_lines(s, side)]
    for side in SIDES:
        lines += ["", *hand_lines(view, side)]
    return "\n".join(lines)
