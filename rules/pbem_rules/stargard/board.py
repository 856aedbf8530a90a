"""The board as text: the map by rows, what counts for victory, chits, air units, boxes, and the units by formation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.game import View
from pbem.kit import hex_name, many
from pbem_rules.stargard.chart import GERMAN, LAST_TURN, SIDES, SOVIET
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.state import (
    BOX_NAMES,
    EXITED,
    GROUNDED,
    ISOLATED,
    LONG_GAME,
    OUT_OF_SUPPLY,
    READY,
    REFIT,
    WAITING,
    State,
)
from pbem_rules.stargard.turns import NOTHING, TEXTS
from pbem_rules.stargard.victory import EXITS, GATES, LEVEL_NAMES, RELIEF, held, markers, may_leave, score

NAMES = {GERMAN: "German", SOVIET: "Soviet"}
GROUND = {
    "clear": ".", "light_woods": "w", "heavy_woods": "W", "marsh": "m", "marsh_woods": "M", "lake": "~",
    "island": "i", "transit": "t", "village": ",", "town": "o", "city": "#",
}  # fmt: skip
SUPPLY_MARKS = {OUT_OF_SUPPLY: "*", ISOLATED: "**"}
AIR_NAMES = {READY: "ready", REFIT: "refit", GROUNDED: "grounded"}


def place_text(s: State, place: int) -> str:
    """`Stargard (1714)`."""
    return str(s.chart.board[place]) if place in s.chart.board else BOX_NAMES.get(place, hex_name(place))


def unit_text(s: State, unit: int) -> str:
    """`23/11SS 5-6-10`: `-` on its reduced side, `*` out of supply, `**` isolated, `!` pinned."""
    piece, face, kind = s.pieces[unit], s.face(unit), s.counter(unit)
    marks = ("-" if piece.steps < kind.steps else "") + SUPPLY_MARKS.get(piece.supply, "") + "!" * piece.pinned
    if s.is_hq(unit):
        return f"{kind.code} range {face.value('range')}{marks}"
    return f"{kind.code} {face.attack}-{face.defence}-{face.move}{marks}"


def chit_names(s: State, codes: Iterable[str]) -> str:
    return ", ".join(s.chart.chits[code].name for code in codes) or "none"


def formation_name(s: State, key: str) -> str:
    return s.chart.formations[key].name if key in s.chart.formations else key


def score_lines(s: State) -> list[str]:
    """SG-14.1, SG-14.3.1: both scores as they stand, and what they would mean."""
    now, costs = score(s), markers(s) - score(s)
    less = f" ({markers(s)} of markers, {-costs:+d})" if costs else ""
    return [
        f"Soviet score {now}{less}, {many(held(s), 'point')} still in German hands; if the game ended now: "
        f"{LEVEL_NAMES[s.chart.level(now)]}.",
        f"Levels of the Soviet score: {', '.join(level_texts(s))}.",
    ]


def level_texts(s: State) -> list[str]:
    """SG-14.1: from which Soviet score on a level is reached."""
    return [f"{LEVEL_NAMES[name]} from {least}" for name, least in s.chart.levels]


def prizes_of(s: State, side: str) -> list[int]:
    return [place for place in s.chart.prizes if (place in s.prizes) == (side == SOVIET)]


def prize_text(s: State, place: int) -> str:
    """`Pyritz (1307) 2, 1 after turn 8`; a marker that the Soviets hold stays as it was (SG-14.3.1)."""
    prize = s.chart.prizes[place]
    if place in s.prizes:
        return f"{place_text(s, place)} {s.prizes[place]}"
    later = f", {prize.later} after turn {prize.flips}" if prize.flips and s.turn <= prize.flips else ""
    return f"{place_text(s, place)} {prize.worth(s.turn)}{later}"


def turn_text(s: State) -> str:
    return f"Turn {s.turn} of {LAST_TURN}, {s.chart.track[s.turn].name}"


def late_chits(s: State) -> tuple[str, ...]:
    """SG-7.2: the chits that events have brought, and that come to the cup with the next turn."""
    return tuple(code for code in s.coming if code not in (*s.cup, *s.drawn))


def chit_lines(s: State) -> list[str]:
    """SG-1.2.5, SG-1.4: what each side has played and may still play, and what is in the cup."""
    found = []
    for side in SIDES:
        own = [code for code in s.cup if s.chart.chits[code].side == side]
        drawn = [code for code in s.drawn if s.chart.chits[code].side == side]
        found.append(
            f"{NAMES[side]} chits: {s.played.get(side, 0)} of {s.number(side)} played ({chit_names(s, drawn)}); "
            f"in the cup {chit_names(s, own)}."
        )
    if late := late_chits(s):
        found.append(f"Chits for the next turn: {chit_names(s, late)}.")
    return [*found, *command_lines(s)]


def command_lines(s: State) -> list[str]:
    """SG-3.1.3, SG-5.4.2: who may not be activated now, and what a strategic move has cost."""
    found = []
    if s.last:
        found.append(f"Activated last: {formation_name(s, s.last)}.")
    if s.fuel:
        found.append("German fuel: a strategic move costs a chit (SG-5.4.2).")
    return found


def event_lines(view: View[State]) -> list[str]:
    """SG-2.2, SG-14.2.1: what holds in this turn alone: its random event, and whether Germans may leave the map."""
    s = view.state
    events = (frame.event for frame in (view.frame, *view.around) if isinstance(frame, GameTurn) and frame.event)
    found = [f"Random event of this turn: {TEXTS[event]}" for event in events if event != NOTHING]
    if may_leave(s):
        gates = " or ".join(map(hex_name, GATES))
        gone = sum(s.at(unit) == EXITED for unit in s.chart.own[GERMAN])
        brings = f"costs the Soviets {RELIEF} points" if LONG_GAME in s.options else "wins the game for the Germans"
        found.append(
            f"Arnswalde is relieved: in turn {s.turn} German combat units may leave the map at {gates}; "
            f"unit {EXITS} to leave {brings}; left so far: {gone} (SG-14.2.1)."
        )
    return found


def planes_at(s: State, side: str, at: str) -> list[str]:
    return [code for code, plane in s.chart.planes.items() if plane.side == side and s.planes[code] == at]


def air_text(s: State, side: str) -> str:
    """`1JG, Rudel ready; 2JG grounded. 1 of 4 points spent.`"""
    parts = []
    for at, words in AIR_NAMES.items():
        if codes := planes_at(s, side, at):
            parts.append(f"{', '.join(codes)} {words}")
    return f"{NAMES[side]} air: {'; '.join(parts) or 'none'}. Points spent in this turn: {s.air_spent.get(side, 0)}."


def boxed(s: State, side: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The units of a side in each box that holds some (SG-1.2.8, SG-1.2.9), reinforcements by turn and entry."""
    codes = s.chart.counters.by_code
    waiting = {a.unit: (a.turn, a.where) for a in s.chart.track.arrivals if a.side == side and a.unit in codes}
    for box, label in BOX_NAMES.items():
        units = s.ground.of(side, box)
        if box != WAITING:
            if units:
                yield label, units
            continue
        for turn, where in sorted({waiting[s.code(unit)] for unit in units}):
            entry = place_text(s, s.chart.map.entries[where].places[0])
            due = tuple(unit for unit in units if waiting[s.code(unit)] == (turn, where))
            yield f"{label} of turn {turn} in {entry}", due


def map_lines(s: State) -> list[str]:
    """A sign for the ground of each hex, and after it a letter for the side that stands there."""
    board, chart = s.chart.board, s.chart
    grid = board.grid
    assert grid is not None
    columns = range(grid.first, grid.first + grid.columns)
    lines = [f"   {''.join(f'{column:02d}' for column in columns)}"]
    for row in range(grid.first_row + grid.rows - 1, grid.first_row - 1, -1):
        cells = []
        for place in (100 * column + row for column in columns):
            stack = s.ground.stacks[place]
            letter = NAMES[s.side(stack[0])][0] if stack else " "
            ground = GROUND[chart.settled.get(place, board[place].terrain)] if place in board else " "
            cells.append(ground + (letter if len(stack) > 1 else letter.lower()))
        lines.append(f"{row:02d} {''.join(cells)}".rstrip())
    return lines


def formation_lines(s: State, key: str) -> list[str]:
    """The units of a formation by hex, its headquarters first."""
    formation = s.chart.formations[key]
    hq, units = s.hq_of(key), [unit for unit in formation.units if s.on_map(unit)]
    if hq < 0 and not units:
        return []
    at = f": {unit_text(s, hq)} in {place_text(s, s.at(hq))}" if hq >= 0 else ", without headquarters"
    found = [f"{formation.name}{at}"]
    for place in sorted({s.at(unit) for unit in units}):
        there = ", ".join(unit_text(s, unit) for unit in units if s.at(unit) == place)
        found.append(f"  {hex_name(place)} {s.chart.board[place].name:14} {there}".rstrip())
    return found


def aside_lines(view: View[State]) -> list[str]:
    """SG-12.6b: that a chit is laid aside, everybody sees; its owner sees which."""
    s = view.state
    if not s.chits.thrown:
        return []
    card = view.card(s.chits.thrown[0])
    known = f" Laid aside: {tuple(s.chart.chits)[card]}; your opponent does not know." if card is not None else ""
    down = [code for code in s.cup if s.hidden(code)]
    return [f"One of these Soviet chits, face down, is laid aside: {chit_names(s, down)}.{known}"]


def head_lines(view: View[State]) -> list[str]:
    s = view.state
    air = (air_text(s, side) for side in SIDES)
    return [f"{turn_text(s)}.", *event_lines(view), *score_lines(s), *chit_lines(s), *aside_lines(view), *air]


def picture_lines(view: View[State]) -> list[str]:
    """What stands above a picture: no more than a telephone has room for. Panels beside it show the rest."""
    s = view.state
    played = (f"{s.played.get(side, 0)} of {s.number(side)} {NAMES[side]}" for side in SIDES)
    return [
        f"{turn_text(s)}. {score_lines(s)[0]}",
        f"Chits played: {', '.join(played)}.",
        *event_lines(view),
        *command_lines(s),
        *aside_lines(view),
    ]


def text_board(view: View[State]) -> str:
    """The whole board. Stacks are open (ERRATA.md), so it is the same for everybody, but for a chit laid aside."""
    s = view.state
    lines = [*head_lines(view), "", *map_lines(s), ""]
    lines.append("# city  o town  , village  w W light, heavy woods  m marsh  M marsh and woods  ~ water  i t island")
    lines.append(
        "g s a German or Soviet counter, G S more; of units: - reduced  * out of supply  ** isolated  ! pinned"
    )
    for side in SIDES:
        held = "; ".join(prize_text(s, place) for place in prizes_of(s, side))
        lines.append(f"{NAMES[side]} points: {held or 'none'}.")
    for side in SIDES:
        lines += ["", f"{NAMES[side]} units:"]
        for formation in s.chart.formations.values():
            if formation.side == side:
                lines += formation_lines(s, formation.key)
        lines += [f"{label}: {', '.join(map(s.code, units))}" for label, units in boxed(s, side)]
    return "\n".join(lines)
