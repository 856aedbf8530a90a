"""Counters and stacks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kit.scene import Piece, Side
from pbem.pictures import symbols
from pbem.pictures.lettering import fit, width
from pbem.pictures.levels import CLOSE, begin, end
from pbem.pictures.svg import Canvas
from pbem.pictures.theme import ROUND

WIDE, HIGH = 56, 63
BADGES = {  # a state marker's letters
    "no supply": "s",
    "isolated": "i",
    "disorganised": "!",
    "reserve": "R",
    "moved": "m",
    "damaged": "d",
    "aboard": "a",
    "support": "+",
    "disrupted": "D",
    "full retreat": "R!",
    "ready": "+",
    "fixed": "x",
    "train": "T",
    "waits": "z",
    "replaced": "r",
}


def told(piece: Piece, side: Side) -> str:
    """In words, for those who cannot see the picture."""
    words = [part for part in (side.name, piece.name or piece.code or piece.symbol, piece.values) if part]
    if piece.many > 1:
        words.insert(1, str(piece.many))
    if piece.full > 1:
        words.append(f"{piece.steps} of {piece.full} steps")
    return ", ".join([*words, *piece.marks])


def counter(canvas: Canvas, piece: Piece, side: Side, x: int, y: int, high: int = HIGH, level: str = CLOSE) -> None:
    """One counter with its upper left corner there: code, symbol, strengths, steps, state."""
    wide = WIDE
    canvas.open(f"s-{side.colour}", told(piece, side), (x, y), click=piece.key)
    radius = 9 if side.colour in ROUND else 2
    canvas.rect(2, 3, wide, high, "shade", radius)
    canvas.rect(0, 0, wide, high, "edge", radius)
    if piece.steps < piece.full:
        # A worn counter is told by a band, and by a step's dot that is empty.
        canvas.path(f"M1 {high - 18}H{wide - 1}V{high - 2}H1Z", "worn")
    middle = wide // 2
    if begin(canvas, level, "only-close"):
        canvas.text(middle, 14 if piece.size else 15, piece.code, "c-text", fit(piece.code, 16, wide - 8))
        symbols.put(canvas, piece.symbol, middle, 33)
        canvas.text(middle, high - 4, piece.values, "c-text", fit(piece.values, 19, wide - 4))
        if piece.size:
            canvas.text(middle, 20, piece.size, "c-text", 7)
        end(canvas, level)
    if begin(canvas, level, "only-sheet"):
        canvas.raw(f'<g transform="translate({middle} 20) scale(1.2)">')
        symbols.put(canvas, piece.symbol, 0, 0)
        canvas.close()
        values = piece.brief or piece.values
        canvas.text(middle, high - 6, values, "c-text", fit(values, 26, wide - 4))
        end(canvas, level)
    if piece.full > 1:
        for step in range(min(piece.full, 4)):
            name = "pip" if step < piece.steps else "pip-lost"
            canvas.circle(wide - 5, 28 + 8 * step, 2, name)
    for number, mark in enumerate(piece.marks[:3]):
        badge(canvas, mark, wide - 3 - 15 * number, 1)
    canvas.close()


def badge(canvas: Canvas, mark: str, x: int, y: int) -> None:
    """A marker of state, half over the edge of its counter."""
    canvas.circle(x, y, 9, "badge")
    if mark == "no supply":
        canvas.path(
            f"M{x - 4} {y + 3}V{y - 1}L{x} {y - 5}L{x + 4} {y - 1}V{y + 3}ZM{x - 7} {y + 5}L{x + 7} {y - 5}",
            "badge-line",
        )
    else:
        canvas.text(x, y + 4, BADGES.get(mark, mark if mark.isdigit() else mark[:1]), "badge-ink", 12)


PAIR, FOUR = 84, 68  # hundredths: two counters stand side by side a little smaller, three or four in two rows


def stack_size(pieces: Sequence[Piece]) -> tuple[int, int]:
    """How wide and high the counters of a hex are: spread out, so that each can be read."""
    shown = min(len(pieces), 4)
    if shown == 1:
        return WIDE, HIGH
    if shown == 2:
        return WIDE * 2 * PAIR // 100, HIGH * PAIR // 100
    return WIDE * 2 * FOUR // 100, HIGH * 2 * FOUR // 100


def stack(
    canvas: Canvas, pieces: Sequence[Piece], sides: Mapping[str, Side], x: int, y: int, level: str = CLOSE
) -> None:
    """The counters of a hex around its middle; of more than four the rest is a number."""
    wide, high = stack_size(pieces)
    left, top = x - wide // 2, y - high // 2
    shown = pieces[:4]
    if len(shown) == 1:
        counter(canvas, shown[0], sides[shown[0].side], left, top, level=level)
        return
    canvas.raw(f'<g transform="translate({left} {top}) scale(.{PAIR if len(shown) == 2 else FOUR})">')
    for number, piece in enumerate(shown):
        row, column = divmod(number, 2)
        alone = WIDE // 2 if number == 2 and len(shown) == 3 else 0
        counter(canvas, piece, sides[piece.side], WIDE * column + alone, HIGH * row, level=level)
    canvas.close()
    if len(pieces) > 4:
        count(canvas, len(pieces), x + wide // 2, y + high // 2)


def count(canvas: Canvas, number: int, x: int, y: int) -> None:
    """How many there are, on the corner of what they are."""
    text = str(number)
    wide = max(20, width(text, 14) + 8)
    canvas.rect(x - wide // 2, y - 10, wide, 20, "badge", 10)
    canvas.text(x, y + 5, text, "badge-ink", 14)


CHIP_WIDE, CHIP_HIGH = 48, 30


def chip(canvas: Canvas, piece: Piece, side: Side, x: int, y: int) -> None:
    """A small counter of an area map: its symbol, and how many."""
    canvas.open(f"s-{side.colour}", told(piece, side), (x, y), click=piece.key)
    radius = 8 if side.colour in ROUND else 2
    wide = chip_wide(piece)
    canvas.rect(0, 0, wide, CHIP_HIGH, "edge", radius)
    symbols.put(canvas, piece.symbol, 23, CHIP_HIGH // 2)
    if piece.many > 1:
        canvas.text((44 + wide) // 2, CHIP_HIGH // 2 + 7, str(piece.many), "c-text", 19 if piece.many < 10 else 17)
    for number, mark in enumerate(piece.marks[:2]):
        badge(canvas, mark, 3 + 15 * number, 1)
    canvas.close()


def chip_wide(piece: Piece) -> int:
    return CHIP_WIDE - 2 if piece.many == 1 else CHIP_WIDE + (20 if piece.many < 10 else 28)
