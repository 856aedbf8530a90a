"""What happened: arrows of moves, retreats, advances and attacks, and marks of battles with odds, dice and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt

from pbem.kit.scene import Battle, Side
from pbem.pictures.lettering import width
from pbem.pictures.placing import Room, around
from pbem.pictures.svg import Canvas, Point, line

WIDTH = {"move": 8, "flight": 5, "retreat": 7, "advance": 11, "attack": 10}
DASH = {"move": "", "retreat": "3 9", "advance": "20 6", "flight": "12 7", "attack": ""}
_PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def _toward(a: Point, b: Point, far: int) -> Point:
    """The spot so far from a on the way to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max(1, isqrt(dx * dx + dy * dy))
    return a[0] + dx * far // length, a[1] + dy * far // length


def _head(tip: Point, back: Point, size: int) -> str:
    """A triangle that points from `back` to `tip`."""
    root = _toward(tip, back, size)
    dx, dy = tip[0] - root[0], tip[1] - root[1]
    half = (-dy * 55 // 100, dx * 55 // 100)
    return line([tip, (root[0] + half[0], root[1] + half[1]), (root[0] - half[0], root[1] - half[1])], closed=True)


def arrow(
    canvas: Canvas,
    points: Sequence[Point],
    kind: str,
    side: Side,
    *,
    title: str = "",
    scale: int = 100,
    short: int = 34,
) -> None:
    """Along the points, ending a little before the last, where counters stand."""
    way = [point for k, point in enumerate(points) if k == 0 or point != points[k - 1]]
    if len(way) < 2:
        return
    wide = WIDTH.get(kind, 8) * scale // 100
    size = (10 if kind == "attack" else 18) * scale // 100 + wide
    if kind == "attack":
        (ax, ay), (bx, by) = way[0], way[-1]
        start = ((ax * 55 + bx * 45) // 100, (ay * 55 + by * 45) // 100)
        tip = ((ax * 39 + bx * 61) // 100, (ay * 39 + by * 61) // 100)
        way = [start, tip]
    else:
        tip = _toward(way[-1], way[-2], short)
        way[-1] = tip
    stem = [*way[:-1], _toward(tip, way[-2], size * 7 // 10)]
    dash = f' stroke-dasharray="{DASH[kind]}"' if DASH.get(kind) else ""
    canvas.open(f"k-{side.colour}", title)
    canvas.raw(f'<path d="{line(stem)}" class="under" stroke-width="{wide + 6}"/>', "under")
    canvas.raw(f'<path d="{line(stem)}" class="arrow" stroke-width="{wide}"{dash}/>', "arrow")
    canvas.path(_head(tip, way[-2], size), "head")
    canvas.close()


def _die(canvas: Canvas, number: int, x: int, y: int, size: int) -> None:
    canvas.rect(x, y, size, size, "die", size // 5)
    if number in _PIPS:
        for pip in _PIPS[number]:
            row, column = divmod(pip, 3)
            canvas.circle(x + size * (1 + column) // 4, y + size * (1 + row) // 4, max(1, size // 9), "die-pip")
    else:
        canvas.text(x + size // 2, y + size * 3 // 4, str(number), "die-pip mid", size * 6 // 10)


def battle_size(battle: Battle, size: int) -> tuple[int, int]:
    parts = [width(text, size) + size // 3 for text in (battle.odds, battle.result) if text]
    return sum(parts) + len(battle.dice[:3]) * (size + 3) + size * 3 // 4, size * 3 // 2


def battle(
    canvas: Canvas,
    fought: Battle,
    sides: Mapping[str, Side],
    spot: Point,
    room: Room,
    *,
    size: int = 18,
    reach: int = 44,
) -> None:
    """A tag near the place, with a burst: odds, dice, result."""
    wide, high = battle_size(fought, size)
    x, y = spot
    offered = [
        around(x + dx, y + dy, wide, high)
        for dy in (-reach, reach, -reach * 2, reach * 2, -reach // 2, reach // 2)
        for dx in (0, wide // 3, -wide // 3, wide // 2 + 20, -wide // 2 - 20)
    ]
    left, top, _, bottom = room.best(offered)
    canvas.open(f"k-{sides[fought.side].colour}" if fought.side in sides else "", fought.text)
    canvas.rect(left, top, wide, high, "tag", 6)
    at = left + size // 3
    base = bottom - size // 2 + size // 12
    if fought.odds:
        canvas.text(at, base, fought.odds, "tag-ink", size)
        at += width(fought.odds, size) + size // 3
    for number in fought.dice[:3]:
        _die(canvas, number, at, top + (high - size) // 2, size)
        at += size + 3
    if fought.result:
        canvas.text(at + size // 6, base, fought.result, "tag-ink", size)
    canvas.close()


_BURST = tuple(
    (dx * far // 100, dy * far // 100)
    for k, (dx, dy) in enumerate(
        (
            (0, -100),
            (38, -92),
            (71, -71),
            (92, -38),
            (100, 0),
            (92, 38),
            (71, 71),
            (38, 92),
            (0, 100),
            (-38, 92),
            (-71, 71),
            (-92, 38),
            (-100, 0),
            (-92, -38),
            (-71, -71),
            (-38, -92),
        )
    )
    for far in ((24,) if k % 2 == 0 else (13,))
)


def burst(canvas: Canvas, spot: Point, scale: int = 1) -> None:
    """A place that was fought over."""
    canvas.path(line([(spot[0] + dx * scale, spot[1] + dy * scale) for dx, dy in _BURST], closed=True), "burst")
