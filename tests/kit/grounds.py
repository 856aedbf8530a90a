"""Boards for the tests of the kit."""

from __future__ import annotations

from hypothesis import strategies as st

from pbem.kit.board import Board, board_of

LETTERS = {"clear": ".", "woods": "w", "hill": "h"}


def board_from(rows, *, top="flat", shifted="even", sides=(), **more) -> Board:
    return board_of(
        {
            "name": "Ground",
            "provenance": "ours",
            "grid": {"columns": len(rows[0]), "rows": len(rows), "top": top, "shifted": shifted},
            "terrain": LETTERS,
            "rows": list(rows),
            "sides": list(sides),
            **more,
        }
    )


def plain_board(columns, rows, **more) -> Board:
    return board_from(["." * columns] * rows, **more)


@st.composite
def boards(draw, side=6):
    """Any shape of hexes, some missing, with two areas beside them."""
    rows = [draw(st.text(".wh ", min_size=side, max_size=side)) for _ in range(side)]
    if not "".join(rows).strip():
        rows[0] = "." * side
    first = next(
        f"{c + 1:02d}{r + 1:02d}" for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != " "
    )
    return board_from(
        rows,
        top=draw(st.sampled_from(["flat", "pointy"])),
        shifted=draw(st.sampled_from(["even", "odd"])),
        areas=[{"id": 9000, "name": "Sea", "terrain": "clear"}, {"id": 9001, "name": "Box", "terrain": "clear"}],
        links=[{"a": int(first), "b": 9000}, {"a": 9001, "b": 9000, "one_way": True}],
    )


def some(board, most=10):
    return st.sets(st.sampled_from(sorted(board.places)), max_size=most)
