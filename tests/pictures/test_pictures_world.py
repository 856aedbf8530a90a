"""The outlines of Axis & Allies 1941 agree with the rules, and everything has room."""

from __future__ import annotations

from itertools import combinations

from pbem.kit.scene import AreaGround
from pbem.pictures.areamap import _settle, outlines_of
from pbem.pictures.placing import Room
from pbem_rules.axis1941.chart import DATA, PLACES, chart_of
from pbem_rules.axis1941.pictures import outlines
from tests.pictures.scenes import scene


def contacts() -> set[tuple[int, int]]:
    """Places that share a line, or meet across the edge of the map."""
    data = outlines()
    users: dict[int, set[int]] = {}
    edge: dict[int, list[tuple[int, int, int]]] = {0: [], int(data["width"]): []}
    for key, place in data["places"].items():
        for ring in place["rings"]:
            for number in ring:
                arc = number if number >= 0 else ~number
                users.setdefault(arc, set()).add(int(key))
    for arc, places in users.items():
        x, y = data["arcs"][arc][:2]
        for dx, dy in zip(data["arcs"][arc][2::2], data["arcs"][arc][3::2], strict=True):
            if dx == 0 and x in edge:
                edge[x] += [(place, min(y, y + dy), max(y, y + dy)) for place in places]
            x, y = x + dx, y + dy
    found = {(a, b) for places in users.values() for a in places for b in places if a != b}
    left, right = edge.values()
    for a, top, bottom in left:
        found |= {way for b, t, e in right if a != b and top < e and t < bottom for way in ((a, b), (b, a))}
    return found


def test_neighbours_by_the_rules_touch() -> None:
    seen = contacts()
    near = chart_of(DATA).near
    assert [(a, b) for a, row in enumerate(near) for b in row if (a, b) not in seen] == []


def test_few_others_do() -> None:
    seen = {(a, b) for a, b in contacts() if a < b < PLACES}
    near = chart_of(DATA).near
    said = sum(a < b for a, row in enumerate(near) for b in row)
    strangers = [(a, b) for a, b in seen if b not in near[a]]
    assert len(strangers) * 8 < said


def test_outlines_are_whole_and_inside() -> None:
    data = outlines()
    shapes = outlines_of(data)
    assert set(range(PLACES)) <= set(shapes.room)
    for arc in data["arcs"]:
        assert len(arc) % 2 == 0
        assert len(arc) >= 4
        assert all(isinstance(value, int) for value in arc)
    for x, y, w, h in shapes.room.values():
        assert x >= 0
        assert x + w <= shapes.width
        assert y >= 0
        assert y + h <= shapes.height


def test_the_outlines_are_in_no_digest() -> None:
    assert not [name for name in DATA.files if "outline" in name]


def test_blocks_of_places_do_not_overlap() -> None:
    for orders in (0, 45):
        made = scene("axis1941", orders)
        assert isinstance(made.ground, AreaGround)
        shapes = outlines_of(made.ground.outlines)
        placed = _settle(made, made.ground, shapes, Room((0, 0, shapes.width, shapes.height)))
        assert len(placed) == PLACES
        for (_, a), (_, b) in combinations(placed.values(), 2):
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
