"""The board as text: hexes with their counters, river and bridge; the units, the towns, the hand."""

from __future__ import annotations

from pbem.game import View
from pbem.kit import hex_name, many
from pbem_rules.bridgehead.chart import BLUE, BOX, NAMES, RED, SEATS, Chart
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import points, removed

PITCH, HEIGHT = 9, 4  # of a hex: columns and lines from one to the next
LETTERS = {"clear": " ", "woods": "w", "hill": "h", "town": "t"}

# Where the sides of a hex are drawn, from its upper left corner: direction -> (line, column, character).
SIDES = {
    0: [(0, 2 + k, "_") for k in range(7)],
    1: [(1, 9, "\\"), (2, 10, "\\")],
    2: [(3, 10, "/"), (4, 9, "/")],
    3: [(4, 2 + k, "_") for k in range(7)],
    4: [(3, 0, "\\"), (4, 1, "\\")],
    5: [(1, 1, "/"), (2, 0, "/")],
}


def unit_text(s: State, unit: int) -> str:
    """`B3 4-4-3`: a unit with the face that shows."""
    face = s.face(unit)
    return f"{s.chart.units[unit].code} {face.attack}-{face.defence}-{face.move}"


def short(s: State, unit: int) -> str:
    """What fits into a hex: `B3i 4-4`, with a star for a unit out of supply."""
    held = s.chart.units[unit]
    face = s.face(unit)
    return f"{held.code}{held.type.letter} {face.attack}-{face.defence}{'' if s.supplied(unit) else '*'}"


def corner(chart: Chart, cell: int) -> tuple[int, int]:
    column, row = cell // 100 - chart.grid.first, cell % 100 - chart.grid.first
    low = (cell // 100 % 2 == 0) == (chart.grid.shifted == "even")
    return row * HEIGHT + (HEIGHT // 2 if low else 0), column * PITCH


def map_lines(s: State) -> list[str]:
    chart, grid = s.chart, s.chart.grid
    width = grid.columns * PITCH + 2
    page = [[" "] * width for _ in range(grid.rows * HEIGHT + HEIGHT // 2 + 1)]

    def write(line: int, column: int, text: str) -> None:
        page[line][column : column + len(text)] = text

    for cell in grid:
        if cell not in chart.board:
            continue
        line, column = corner(chart, cell)
        for direction, marks in SIDES.items():
            near = grid.toward(cell, direction)
            edge = chart.board.edges.get((cell, near), frozenset()) if near is not None else frozenset()
            for down, right, mark in marks:
                sign = "=" if "bridge" in edge else "~" if "river" in edge else mark
                write(line + down, column + right, sign)
        write(line + 1, column + 3, f"{hex_name(cell)}{LETTERS[chart.board[cell].terrain]}")
        for number, unit in enumerate(s.ground.stacks[cell][:2]):
            write(line + 2 + number, column + 1, f"{short(s, unit):^9}")
    return ["".join(line).rstrip() for line in page]


def town_line(s: State) -> str:
    towns = [
        f"{s.chart.board[town].name} ({hex_name(town)}) {value} {NAMES[s.holders[town]]}"
        for town, value in s.plan.values.items()
    ]
    return f"Towns: {', '.join(towns)}."


def side_lines(s: State, side: str) -> list[str]:
    """The units of one side by hex."""
    out = []
    for place in s.ground.stacks:
        units = s.ground.stacks[place]
        if s.chart.units[units[0]].side == side:
            where = "reserve" if place == BOX[side] else hex_name(place)
            name = s.chart.board[place].name if place not in BOX.values() else ""
            held = ", ".join(
                f"{unit_text(s, u)} {s.chart.units[u].type.name}{'' if s.supplied(u) else ' (no supply)'}"
                for u in units
            )
            out.append(f"  {where:8}{name:8}{held}".rstrip())
    return out


def hand_lines(view: View[State], side: str) -> list[str]:
    s = view.state
    hand = s.hand(side)
    if side not in view.seats:
        known = [s.chart.cards[card].name for slot in hand if (card := view.card(slot)) is not None]
        seen = f", among them {', '.join(known)}" if known else ""
        return [f"{NAMES[side]} holds {many(len(hand), 'card')}{seen}."]
    out = [f"{NAMES[side]}'s hand:"]
    for slot in hand:
        card = view.card(slot)
        kind = None if card is None else s.chart.cards[card]
        out.append(f"  {kind.key:12}{kind.text}" if kind else "  (not yet dealt)")
    return out


def head_line(s: State) -> str:
    score = points(s)
    posture = ", ".join(f"{NAMES[side]} {s.postures[side]}" for side in s.postures)
    turn = f"Turn {s.turn} of {s.plan.turns}" if s.turn else "Before the first turn"
    parts = [turn, f"points: Blue {score[BLUE]}, Red {score[RED]}"]
    if posture:
        parts.append(f"posture: {posture}")
    return f"{s.plan.title}. {'; '.join(parts)}."


def goal_lines(s: State) -> list[str]:
    """BH-10.2, BH-10.3: what counts, and what wins at once."""
    base = s.plan.par + s.handicap
    return [
        f"After turn {s.plan.turns} the side with more points wins. Blue gets the points of its towns, and 1 for each "
        f"Red unit removed; Red gets {base}, and 1 for each Blue unit removed.",
        "Blue wins at once with all towns; either side by removing every enemy unit.",
    ]


def text_board(view: View[State]) -> str:
    """The whole board as these seats see it."""
    s = view.state
    lines = [head_line(s), "", *map_lines(s), "", "~ river   = bridge   w woods   h hill   t town   * out of supply"]
    lines += [
        town_line(s),
        f"Cards: {s.deck.left} in the deck, {len(s.deck.discards)} played, {len(s.deck.thrown)} thrown away.",
    ]
    for side in SEATS:
        lost = removed(s, side)
        lines += ["", f"{NAMES[side]}{f' ({lost} removed)' if lost else ''}:", *side_lines(s, side)]
    for side in SEATS:
        lines += ["", *hand_lines(view, side)]
    return "\n".join(lines)
