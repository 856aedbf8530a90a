"""Events on the map: arrows of moves, retreats, advances and attacks, and marks of battles with odds, dice and
result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isqrt

from pbem.kit.scene import Battle, Side
from pbem.pictures.lettering import width
from pbem.pictures.placing import Box, Room, around
from pbem.pictures.svg import Canvas, Point, line

WIDTH = {"move": 8, "flight": 5, "retreat": 7, "advance": 11, "attack": 10}
DASH = {"move": "", "retreat": "4 8", "advance": "20 6", "flight": "12 7", "attack": ""}
ATTACK = 12  # half the length of an arrow of attack
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


def reach(box: Box, tip: Point, back: Point) -> int:
    """How far before `tip`, on the way from `back`, an arrow must end to stay out of a box around it."""
    dx, dy = back[0] - tip[0], back[1] - tip[1]
    length = max(1, isqrt(dx * dx + dy * dy))
    most = length
    if dx:
        most = min(most, ((box[2] if dx > 0 else box[0]) - tip[0]) * length // dx)
    if dy:
        most = min(most, ((box[3] if dy > 0 else box[1]) - tip[1]) * length // dy)
    return max(0, most)


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
    """Along the points, ending `short` before the last, where counters stand; an attack's begins beyond those."""
    way = [point for k, point in enumerate(points) if k == 0 or point != points[k - 1]]
    if len(way) < 2:
        return
    wide = WIDTH.get(kind, 8) * scale // 100
    size = 18 * scale // 100 + wide
    if kind == "attack":  # over the side that two places share
        (ax, ay), (bx, by) = way[0], way[-1]
        middle = ((ax + bx) // 2, (ay + by) // 2)
        out = max(_length(way[0], middle) - ATTACK, min(short, _length(way[0], middle)))
        tip, size = _toward(way[0], way[-1], out + 2 * ATTACK), 2 * ATTACK
        way = [_toward(way[0], way[-1], out + 1), tip]
    else:
        tip = _toward(way[-1], way[-2], min(short, max(0, _length(way[-1], way[-2]) - size - 4)))
        way[-1] = tip
    stem = line([*way[:-1], _toward(tip, way[-2], size * 7 // 10)])
    head = _head(tip, way[-2], size)
    canvas.open(f"k-{side.colour}", title)
    for name, more in (("under", 8), ("rim", 3)):
        canvas.raw(f'<path d="{stem}" class="{name}" stroke-width="{wide + more}"/>', name)
        canvas.raw(f'<path d="{head}" class="{name}" stroke-width="{more}"/>', name)
    dash = DASH.get(kind)
    if dash:  # gaps show the paper, so that a light colour is seen on a light ground
        canvas.raw(f'<path d="{stem}" class="gap" stroke-width="{wide}"/>', "gap")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    canvas.raw(f'<path d="{stem}" class="arrow" stroke-width="{wide}"{dashed}/>', "arrow")
    canvas.path(head, "head")
    canvas.close()


def _length(a: Point, b: Point) -> int:
    return isqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def die(canvas: Canvas, number: int, x: int, y: int, size: int, name: str = "die") -> None:
    """A die; `name`: die, or hit (in the current colour) or miss."""
    canvas.rect(x, y, size, size, name, size // 5)
    if number in _PIPS:
        for pip in _PIPS[number]:
            row, column = divmod(pip, 3)
            spot = (x + (size * (2 + 3 * column) + 5) // 10, y + (size * (2 + 3 * row) + 5) // 10)
            canvas.circle(*spot, max(1, (size + 4) // 9), f"{name}-pip")
    else:
        canvas.text(x + size // 2, y + size * 3 // 4, str(number), f"{name}-pip mid", size * 6 // 10)


SHOWN = 7  # dice of a side that a mark shows; of more it tells the number


def _rows(fought: Battle) -> list[tuple[str, list[tuple[int, bool]]]]:
    """The dice of each side that threw any, in the order of sides."""
    found: dict[str, list[tuple[int, bool]]] = {}
    for throw in fought.throws:
        found.setdefault(throw.side, []).extend(zip(throw.dice, throw.hits, strict=True))
    return list(found.items())


def _counted(dice: Sequence[tuple[int, bool]]) -> str:
    return f"{sum(hit for _, hit in dice)} of {len(dice)} hit"


def battle_size(fought: Battle, size: int) -> tuple[int, int]:
    parts = [width(text, size, bold=True) + size // 3 for text in (fought.odds, fought.result) if text]
    wide = sum(parts) + len(fought.dice[:3]) * (size + 3)
    rows = _rows(fought)
    small = size * 95 // 100
    for _, dice in rows:
        need = len(dice) * (small + 3) if len(dice) <= SHOWN else width(_counted(dice), small) + small + 8
        wide = max(wide, need)
    return wide + size * 3 // 4, size * 3 // 2 + len(rows) * (small + 5)


def battle(
    canvas: Canvas,
    fought: Battle,
    sides: Mapping[str, Side],
    spot: Point,
    room: Room,
    *,
    size: int = 18,
    reach: int = 44,
    lead: bool = False,
    key: str = "",
) -> None:
    """A tag near the place: odds, dice, result. `lead`: with a line to the place; `key`: to be found by."""
    wide, high = battle_size(fought, size)
    x, y = spot
    reach += (high - size * 3 // 2) // 2
    offered = [
        around(x + dx, y + dy, wide, high)
        for dy in (-reach, reach, -reach * 2, reach * 2, -reach // 2, reach // 2)
        for dx in (0, wide // 3, -wide // 3, wide // 2 + 20, -wide // 2 - 20)
    ]
    left, top, right, bottom = room.best(offered)
    canvas.open(f"k-{sides[fought.side].colour}" if fought.side in sides else "", fought.text, key=key)
    if lead:
        end = (min(max(x, left + 8), right - 8), top if y < top else bottom if y > bottom else (top + bottom) // 2)
        canvas.path(line([end, _toward(spot, end, min(30, _length(spot, end)))]), "lead")
    canvas.rect(left, top, wide, high, "tag", 6)
    at = left + size // 3
    base = top + size + size // 12
    if fought.odds:
        canvas.text(at, base, fought.odds, "tag-ink", size)
        at += width(fought.odds, size, bold=True) + size // 3
    for number in fought.dice[:3]:
        die(canvas, number, at, top + size // 4, size)
        at += size + 3
    if fought.result:
        canvas.text(at + size // 6, base, fought.result, "tag-ink", size)
    small = size * 95 // 100
    down = top + size * 3 // 2 - 2
    for side, dice in _rows(fought):
        canvas.open(f"s-{sides[side].colour}" if side in sides else "")
        dice_row(canvas, dice, left + size // 3, down, small)
        canvas.close()
        down += small + 5
    canvas.close()


def battle_keys(battles: Sequence[Battle]) -> Iterator[tuple[str, Battle]]:
    """Each with what its mark is found by; a place may be fought over more than once."""
    seen: Counter[int] = Counter()
    for fought in battles:
        seen[fought.place] += 1
        more = f"-{seen[fought.place]}" if seen[fought.place] > 1 else ""
        yield f"battle-{fought.place}{more}", fought


def dice_row(canvas: Canvas, dice: Sequence[tuple[int, bool]], x: int, y: int, size: int) -> None:
    """Dice that hit in the current colour, the others white; of many only their number."""
    if len(dice) > SHOWN:
        canvas.rect(x, y, size, size, "hit", size // 5)
        canvas.text(x + size + 6, y + size * 7 // 8, _counted(dice), "tag-ink", size)
        return
    for number, hit in dice:
        die(canvas, number, x, y, size, "hit" if hit else "miss")
        x += size + 3


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
