"""The outlines of Axis & Allies 1941 agree with the rules, and everything has room."""

from __future__ import annotations

from html import escape
from itertools import accumulate, combinations, pairwise
from math import hypot

from pbem.kit.scene import AreaGround
from pbem.pictures.areamap import outlines_of, settle
from pbem.pictures.picture import map_svg
from pbem.pictures.placing import Room
from pbem_rules.axis1941.chart import DATA, PLACES, chart_of
from pbem_rules.axis1941.pictures import outlines
from tests.pictures.scenes import scene


def users() -> dict[int, set[int]]:
    """Who uses each arc."""
    found: dict[int, set[int]] = {}
    for key, place in outlines()["places"].items():
        for ring in place["rings"]:
            for number in ring:
                found.setdefault(number if number >= 0 else ~number, set()).add(int(key))
    return found


def points(arc: list[int]) -> list[tuple[int, int]]:
    return list(zip(accumulate(arc[::2]), accumulate(arc[1::2]), strict=True))


def contacts() -> set[tuple[int, int]]:
    """Places that share a line, or meet across the edge of the map."""
    data = outlines()
    edge: dict[int, list[tuple[int, int, int]]] = {0: [], int(data["width"]): []}
    for arc, places in users().items():
        x, y = data["arcs"][arc][:2]
        for dx, dy in zip(data["arcs"][arc][2::2], data["arcs"][arc][3::2], strict=True):
            if dx == 0 and x in edge:
                edge[x] += [(place, min(y, y + dy), max(y, y + dy)) for place in places]
            x, y = x + dx, y + dy
    found = {(a, b) for places in users().values() for a in places for b in places if a != b}
    left, right = edge.values()
    for a, top, bottom in left:
        found |= {way for b, t, e in right if a != b and top < e and t < bottom for way in ((a, b), (b, a))}
    return found


def test_neighbours_by_the_rules_touch() -> None:
    seen = contacts()
    near = chart_of(DATA).near
    assert [(a, b) for a, row in enumerate(near) for b in row if (a, b) not in seen] == []


def test_nobody_else_does() -> None:
    near = chart_of(DATA).near
    assert [(a, b) for a, b in contacts() if a < b < PLACES and b not in near[a]] == []


SHORT = {  # neighbours that hardly touch, so that a link joins them
    ("Archangel", "West Russia"): "a corner between Karelia and Russia",
    ("Belgian Congo Kenya", "SZ25"): "the mouth of the Congo",
    ("Central America", "Colombia Venezuela"): "the isthmus of Panama",
    ("East Mexico", "Eastern United States"): "the map is cut beside the Rio Grande",
    ("Gibraltar", "SZ15"): "the strait of Gibraltar",
    ("India", "Southeast Asia"): "the coast of Arakan",
    ("Northwestern China", "Urals"): "the Altai: four borders almost meet",
    ("SZ14", "SZ15"): "the strait of Gibraltar",
    ("SZ17", "SZ28"): "the Suez Canal",
    ("SZ28", "SZ30"): "a corner between the zones 27 and 29",
}
SEEN = 20  # map units: a border as long as a chip is high or longer is seen


def test_short_borders_have_links() -> None:
    data, chart = outlines(), chart_of(DATA)
    told = {tuple(map(chart.name, each["places"])): each["why"] for each in data["links"]}
    assert told == SHORT
    long: dict[tuple[int, int], float] = {}
    for arc, places in users().items():
        length = sum(hypot(*step) for step in zip(data["arcs"][arc][2::2], data["arcs"][arc][3::2], strict=True))
        for a, b in combinations(sorted(places), 2):
            long[a, b] = long.get((a, b), 0) + length
    short = {(chart.name(a), chart.name(b)) for (a, b), length in long.items() if b < PLACES and length < SEEN}
    assert short <= SHORT.keys()
    drawn = map_svg(scene("axis1941", 0))
    assert all(f"<title>{escape(why)}</title>" in drawn for why in SHORT.values())


def test_links_lie_on_both_places() -> None:
    """Each end of a link is nearer to its own place's border than the link is long."""
    data = outlines()
    for each in data["links"]:
        ax, ay, bx, by = each["line"]
        assert 20 <= hypot(bx - ax, by - ay) <= 60
        corners = [
            (x, y)
            for arc, places in users().items()
            if set(each["places"]) == places
            for x, y in points(data["arcs"][arc])
        ]
        assert any(hypot((ax + bx) / 2 - x, (ay + by) / 2 - y) < 16 for x, y in corners)


def test_what_lies_beyond_the_edge_is_named() -> None:
    data, chart = outlines(), chart_of(DATA)
    beyond = {(left, right) for _, _, left, right in data["across"]}
    assert all(right in chart.near[left] for left, right in beyond)
    drawn = map_svg(scene("axis1941", 0))
    for name in ("Western Canada", "Eastern Canada", "Mexico", "East Mexico", "zone 19", "zone 41"):
        assert f'halo">{name}</text>' in drawn


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
        placed = settle(made, made.ground, shapes, Room((0, 0, shapes.width, shapes.height)))
        assert len(placed) == PLACES
        for (_, a), (_, b) in combinations(placed.values(), 2):
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


def within(place: int, x: int, y: int) -> bool:
    """By the crossings of the place's outline to the right of the point."""
    data, right = outlines(), 0
    for ring in data["places"][str(place)]["rings"]:
        for number in ring:
            for (ax, ay), (bx, by) in pairwise(points(data["arcs"][number if number >= 0 else ~number])):
                right += (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay)
    return right % 2 == 1


def test_counters_stand_on_their_own_place() -> None:
    """As far as there is room: hardly any reach over a border, and none of those of Germany."""
    for orders in (0, 45):
        made = scene("axis1941", orders)
        assert isinstance(made.ground, AreaGround)
        shapes = outlines_of(made.ground.outlines)
        placed = settle(made, made.ground, shapes, Room((0, 0, shapes.width, shapes.height)))
        beyond: dict[str, int] = {}
        seen = 0
        for place, (block, (left, top, _, _)) in placed.items():
            middle, name = left + block.wide // 2, made.ground.spots[place].name
            for number, _ in enumerate(block.rows):
                y = top + block.head + number * 33 + 15
                ends = [within(place, middle + x, y) for x in (-20, 0, 20)]
                seen += 3
                beyond[name] = beyond.get(name, 0) + ends.count(False)
        assert beyond["Germany"] == 0
        assert sum(beyond.values()) < seen // 7, beyond


def test_nothing_on_the_map_moves_when_units_elsewhere_do() -> None:
    """A step of the game changes a few places; the names and flags of all others stay where they were."""
    before: dict[int, tuple[int, int]] = {}
    moved = seen = 0
    for orders in range(0, 46, 5):
        made = scene("axis1941", orders)
        assert isinstance(made.ground, AreaGround)
        shapes = outlines_of(made.ground.outlines)
        placed = settle(made, made.ground, shapes, Room((0, 0, shapes.width, shapes.height)))
        heads = {place: ((box[0] + box[2]) // 2, box[1]) for place, (_, box) in placed.items()}
        moved += sum(
            abs(x - before[place][0]) > 1 or y != before[place][1] for place, (x, y) in heads.items() if before
        )
        seen += len(heads) if before else 0
        before = heads
    assert moved < seen // 50
