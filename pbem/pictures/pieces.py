"""Counters and stacks of them, and what stands in the box of a counter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.kit.scene import Piece, Side
from pbem.pictures.lettering import fit, width
from pbem.pictures.levels import CLOSE, begin, end
from pbem.pictures.svg import Canvas
from pbem.pictures.theme import ROUND

_FRAME = "M-18-11H18V11H-18Z"
_CROSS = "M-18-11L18 11M18-11L-18 11"
_TRACK = "M-7-6H7A6 6 0 0 1 7 6H-7A6 6 0 0 1-7-6Z"

# What stands in the box of a counter, around (0, 0) and within 36 by 22: the signs of NATO's APP-6, and silhouettes
# for aircraft and ships. In lines, and in filled shapes.
_SIGNS: dict[str, tuple[str, str]] = {
    "infantry": (_FRAME + _CROSS, ""),
    "militia": (_FRAME + "M-18 11L18-11", ""),
    "garrison": (_FRAME + _CROSS, "M-18 6H18V11H-18Z"),
    "guards": (_FRAME + _CROSS, "M-18-11H-8V-5H-18Z"),
    "shock": (_FRAME + _CROSS, "M-18-11H-10V11H-18Z"),
    "armour": (_FRAME + _TRACK, ""),
    "mechanised": (_FRAME + _CROSS + _TRACK, ""),
    "cavalry": (_FRAME + "M-18 11L18-11", ""),
    "paratroops": (_FRAME + _CROSS + "M-8 9Q-4 3 0 9Q4 3 8 9", ""),
    "engineers": (_FRAME + "M-9 5V-4H9V5M0-4V5", ""),
    "antitank": (_FRAME + "M-18 11L0-11L18 11", ""),
    "artillery": (_FRAME, "M0-5A5 5 0 1 1-.1-5Z"),
    "fortified": (_FRAME + _CROSS, "M-18-11V-14H-11V-11H-3.500V-14H3.500V-11H11V-14H18V-11Z"),
    "hq": (_FRAME + "M-18 11V17", "M-18-11H18V-4H-18Z"),
    "leader": (_FRAME, "M0-9L2-3H9L3.500 1L5.500 8L0 4L-5.500 8L-3.500 1L-9-3H-2Z"),
    "air": (_FRAME, "M0 0L11-5A5 5 0 0 1 11 5ZM0 0L-11 5A5 5 0 0 1-11-5Z"),
    "unknown": (_FRAME + "M-5-3A5 5 0 1 1 0 2V4M0 7V7.5", ""),
    "fighter": ("", "M0-11L2-6V-3L16 2V5L2 3.500L1.500 8L5 10V11H-5V10L-1.500 8L-2 3.500L-16 5V2L-2-3V-6Z"),
    "bomber": ("", "M0-11L2-8V-4L7-3V-5H9V-2L18 0V3L2 3V8L7 10V11H-7V10L-2 8V3L-18 3V0L-9-2V-5H-7V-3L-2-4V-8Z"),
    "submarine": ("", "M-18 2L-14-1H-5V-7H4V-1H14L18 3L14 7H-13Z"),
    "transport": ("", "M-17 0H-11V-4H-7V0H3V-9H11V0H17L13 7H-14Z"),
    "destroyer": ("", "M-18 1H-12L-9-2H-6V-5H-3V-10H-1V-5H3V-2H8L11-1H18L14 6H-15Z"),
    "carrier": ("", "M-18-2H2V-8H5V-11H7V-8H10V-2H18V1L13 7H-14L-18 1Z"),
    "battleship": ("", "M-18 1H-14V-1H-17V-3H-9V-1H-6V-6H-4V-11H-2V-8H2V-11H4V-6H6V-1H9V-3H17V-1H14V1H18L15 7H-15Z"),
    "mountain": (_FRAME + _CROSS, "M-7 11L0 0L7 11Z"),
    "naval": (_FRAME + _CROSS, "M-1.500-9H1.500V5H-1.500ZM-7 2Q-5 9 0 9Q5 9 7 2L5 1Q3 6 0 6Q-3 6-5 1Z"),
    "bicycle": (_FRAME + _CROSS + "M-9 4A4 4 0 1 0-1 4A4 4 0 1 0-9 4M1 4A4 4 0 1 0 9 4A4 4 0 1 0 1 4", ""),
    "supplies": (_FRAME + "M-18 5H18", ""),
    "tank": (_FRAME + _TRACK, ""),
}  # fmt: skip


def _put_symbol(canvas: Canvas, symbol: str, x: int, y: int) -> None:
    """The symbol in the current colour, defined once in a picture and used wherever it is wanted.

    One that is not known is a box with a question mark.
    """
    name = symbol if symbol in _SIGNS else "unknown"
    lines, solid = _SIGNS[name]
    markup = f'<path d="{lines}" class="box"/>' if lines else ""
    markup += f'<path d="{solid}" class="solid"/>' if solid else ""
    canvas.define(
        f"y-{name}", f'<g id="y-{name}">{markup}</g>', "box solid" if lines and solid else "box" if lines else "solid"
    )
    canvas.use(f"y-{name}", x, y)


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


KEPT = 2_048  # counters, as many as the largest game has in all


@lru_cache(maxsize=KEPT)
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
    canvas.open(f"s-{side.colour}", told(piece, side), (x, y), click=piece.key)
    canvas.paste(_face(piece, side.colour, high, level))
    canvas.close()


@lru_cache(maxsize=KEPT)
def _face(piece: Piece, colour: str, high: int, level: str) -> Canvas:
    """What stands on a counter; from one position to the next, nearly all of them stay as they are."""
    canvas, wide = Canvas(), WIDE
    radius = 9 if colour in ROUND else 2
    canvas.rect(2, 3, wide, high, "shade", radius)
    canvas.rect(0, 0, wide, high, "edge", radius)
    if piece.steps < piece.full:
        # A worn counter is told by a band, and by a step's dot that is empty.
        canvas.path(f"M1 {high - 18}H{wide - 1}V{high - 2}H1Z", "worn")
    middle = wide // 2
    if begin(canvas, level, "only-close"):
        canvas.text(middle, 14 if piece.size else 15, piece.code, "c-text", fit(piece.code, 16, wide - 8))
        _put_symbol(canvas, piece.symbol, middle, 33)
        canvas.text(middle, high - 4, piece.values, "c-text", fit(piece.values, 19, wide - 4))
        if piece.size:
            canvas.text(middle, 20, piece.size, "c-text", 7)
        end(canvas, level)
    if begin(canvas, level, "only-sheet"):
        canvas.raw(f'<g transform="translate({middle} 20) scale(1.2)">')
        _put_symbol(canvas, piece.symbol, 0, 0)
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
    return canvas


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
    _put_symbol(canvas, piece.symbol, 23, CHIP_HIGH // 2)
    if piece.many > 1:
        canvas.text((44 + wide) // 2, CHIP_HIGH // 2 + 7, str(piece.many), "c-text", 19 if piece.many < 10 else 17)
    for number, mark in enumerate(piece.marks[:2]):
        badge(canvas, mark, 3 + 15 * number, 1)
    canvas.close()


def chip_wide(piece: Piece) -> int:
    return CHIP_WIDE - 2 if piece.many == 1 else CHIP_WIDE + (20 if piece.many < 10 else 28)
