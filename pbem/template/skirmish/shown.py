"""What players see, and the bot. Nothing that is replayed needs this module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.game import *

from .chart import OTHER, TITLES
from .rules import Attack, Fighting, Move, State, Turn


def board(view: View[State]) -> str:
    """The map, one line for each half row: even columns stand half a hex lower. Then towns, and hands."""
    s, chart = view.state, view.state.chart
    units = {cell: unit for unit, cell in s.at.items()}
    lines = [f"Turn {s.turn}. Points: {', '.join(f'{TITLES[side]} {n}' for side, n in s.points().items())}.", ""]
    for row in range(1, 7):
        for shifted in (0, 1):
            cells = [100 * column + row for column in range(1 + shifted, 9, 2)]
            texts = (f"{c:04}{chart.map.board[c].terrain[0]} {units.get(c, '--')}" for c in cells)
            lines.append("        " * shifted + "        ".join(texts))
    bridges = [f"{a:04}-{b:04}" for (a, b), side in chart.board.edges.items() if "bridge" in side and a < b]
    lines += ["", f"Letters are terrain: c clear, w woods, h hill, t town. Bridges: {', '.join(bridges)}."]
    lines += [f"{chart.board[town]}: {TITLES.get(side, 'nobody')}." for town, side in s.towns.items()]
    for side, title in TITLES.items():
        seen = [chart.cards[card].name for card, _ in s.deck.cards(side, view.known)]
        lines.append(f"Cards of {title}: {', '.join(seen) or len(s.deck.hand(side))}.")
    return "\n".join(lines)


class PlainBot:
    """Moves towards towns that it does not hold, attacks at 2:1 or better, plays the first card that it can."""

    def choose(self, view: View[State], need: Any, seat: str, legal: Iterable[Order], rng: Any) -> Order:
        s, grid = view.state, view.state.chart.grid
        goals = [town for town, side in s.towns.items() if side != seat] or list(s.hexes(OTHER[seat]))

        def worth(order: Order) -> int:
            if isinstance(order, Move):
                if s.at[order.unit] in s.towns:
                    return -1
                now, then = (min(grid.distance(cell, goal) for goal in goals) for cell in (s.at[order.unit], order.to))
                return now - then
            if isinstance(order, Attack) and isinstance(view.frame, Turn):
                return Fighting().column(s, view.frame, order.target) - s.chart.odds.column(1, 1)
            return isinstance(order, Card)

        return max(legal, key=worth)
