"""What stands in the box of a counter, around (0, 0) and within 36 by 22: the signs of NATO's APP-6, and silhouettes
for aircraft and ships. A symbol is defined once in a picture and used wherever it is wanted."""

from __future__ import annotations

from pbem.pictures.svg import Canvas

_FRAME = "M-18-11H18V11H-18Z"
_CROSS = "M-18-11L18 11M18-11L-18 11"
_TRACK = "M-7-6H7A6 6 0 0 1 7 6H-7A6 6 0 0 1-7-6Z"

# In lines, and in filled shapes.
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


def known(symbol: str) -> bool:
    return symbol in _SIGNS


def put(canvas: Canvas, symbol: str, x: int, y: int) -> None:
    """The symbol in the current colour; one that is not known is a box with a question mark."""
    name = symbol if symbol in _SIGNS else "unknown"
    lines, solid = _SIGNS[name]
    markup = f'<path d="{lines}" class="box"/>' if lines else ""
    markup += f'<path d="{solid}" class="solid"/>' if solid else ""
    canvas.define(
        f"y-{name}", f'<g id="y-{name}">{markup}</g>', "box solid" if lines and solid else "box" if lines else "solid"
    )
    canvas.use(f"y-{name}", x, y)
