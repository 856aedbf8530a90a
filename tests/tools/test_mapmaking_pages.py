"""The hand-written pages of the workshop: read strictly, and in step with the maps that are committed."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.kit.hexmap import hexmap_of
from tools.mapmaking import emit, ground
from tools.mapmaking.chart import Chart
from tools.mapmaking.spec import Frame, point, points, read

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "tools" / "mapmaking" / "games").glob("*.toml"))
EACH = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def test_points_are_longitude_and_latitude():
    assert point("30.5,50.4") == (30.5, 50.4)
    assert points("1,2 3,4\n5,6") == [(1, 2), (3, 4), (5, 6)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('kind = "river"', 'knid = "river"', "knid is unknown"),
        ('feature = "border"\n', "", "feature is missing"),
        ("fineness = 20\n", "", "fineness is missing"),
    ],
)
def test_a_page_is_read_strictly(tmp_path, old, new, says):
    page = tmp_path / "page.toml"
    page.write_text(PAGES[0].read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SystemExit, match=says):
        read(page)


@EACH
def test_the_map_is_of_its_page(page):
    """What can be seen without the open data; `make maps` compares all of it."""
    spec = read(page)
    made = json.loads((ROOT / spec.out).read_text(encoding="utf-8"))
    assert made["credits"] == spec.credits
    assert made["grid"] == spec.grid
    assert made["terrain"] == spec.terrain
    assert {item["name"] for item in made["hexes"]} == {place.name for place in spec.places}
    assert [item["name"] for item in made["ways"]] == [rail.name for rail in spec.rails]
    assert {item.get("name") for item in made["sides"]} >= {frontier.name for frontier in spec.frontiers}
    assert [item["key"] for item in made.get("entries", [])] == [entry.key for entry in spec.entries]
    chains = [item["chains"] for item, rail in zip(made["ways"], spec.rails, strict=True) if rail.hexes]
    assert chains == [[rail.hexes] for rail in spec.rails if rail.hexes]
    by_hand = {river.name: set(river.sides) for river in spec.rivers if river.sides}
    assert all(set(item["between"]) <= by_hand[item["name"]] for item in made["sides"] if item.get("name") in by_hand)
    marks = {item["name"]: (item.get("marks", []), item.get("values", {})) for item in made["hexes"]}
    assert marks == {place.name: (place.marks, place.values) for place in spec.places}


@EACH
def test_pinned_places_lie_in_their_hexes(page):
    spec = read(page)
    chart = Chart(spec)
    board = hexmap_of(json.loads((ROOT / spec.out).read_text(encoding="utf-8"))).board
    pinned = [place for place in spec.places if place.at or place.hex]
    assert pinned
    for place in pinned:
        assert board.place_named(place.name) == chart.home(place)


@EACH
def test_every_override_says_why(page):
    spec = read(page)
    assert all(len(override.why) > 20 for override in spec.overrides)
    assert all(place.why for place in spec.places if place.hex)


@EACH
def test_the_file_is_written_as_it_is_written(page):
    out = (ROOT / read(page).out).read_text(encoding="utf-8")
    assert emit.text(json.loads(out)) == out


FRAMES = [
    (
        {"columns": 75, "rows": 62, "top": "flat", "shifted": "even"},
        {"lon": 42.0, "lat": 48.0, "parallels": [45.0, 51.0]},
        ([36.79054, 0.0630211, -0.0072254], [27.95061, -0.0064459, -0.0628885]),
        {(39.71, 47.24): 3134, (38.97, 45.04): 2849, (44.5, 48.72): 5522, (36.25, 49.98): 1116},
    ),
    (
        {"columns": 48, "rows": 30, "top": "flat", "shifted": "even", "rows_from": "south"},
        {"lon": 15.3, "lat": 53.35, "parallels": [52.8, 53.9]},
        ([20.02384, 0.32774, 0.00269], [-14.12315, 0.00269, -0.32774]),
        {(14.553, 53.429): 418, (15.81, 53.53): 3621, (14.89, 53.15): 1307, (15.41, 53.17): 2608},
    ),
]


@pytest.mark.parametrize(("grid", "middle", "rows", "towns"), FRAMES, ids=["flat", "from the south"])
def test_other_grids_have_frames_too(grid, middle, rows, towns):
    """Rostov, Krasnodar, Stalingrad, Kharkov; Stettin, Dramburg, Pyritz, Arnswalde: where those games have them."""
    spec = replace(read(PAGES[0]), grid=grid, frame=Frame(**middle, x=rows[0], y=rows[1]))
    chart = Chart(spec)
    assert {at: chart.lattice.cell(chart.spot(at)) for at in towns} == towns


STARGARD = next(page for page in PAGES if page.stem == "stargard")


def test_ground_is_drawn_from_the_north_whichever_way_rows_count():
    spec = read(STARGARD)
    found = ground.drawn(Chart(spec))
    assert (found[130], found[101]) == ("lake", "clear")  # the first line is row 30, the Haff
    assert len(found) == 48 * 30
    blank = ground.drawn(Chart(replace(spec, drawn=[" " * 47 + "W", *[" " * 48] * 29])))
    assert blank == {4830: "heavy_woods"}


@pytest.mark.parametrize(("line", "says"), [("W" * 47, "30 rows of 48"), ("?" * 48, "no letter")])
def test_ground_that_is_drawn_wrongly_is_refused(line, says):
    with pytest.raises(SystemExit, match=says):
        ground.drawn(Chart(replace(read(STARGARD), drawn=[line] * 30)))


def test_runs_go_down_a_column():
    assert list(emit.runs([406, 405, 407, 505, 510, 511])) == ["0405..0407", "0505", "0510..0511"]


def test_cells_of_runs():
    chart = Chart(read(PAGES[0]))
    assert chart.cells(["0405..0407", "0510"]) == [405, 406, 407, 510]
    with pytest.raises(SystemExit, match="no hexside"):
        chart.side("0101-0901")
    with pytest.raises(SystemExit, match="no hex"):
        chart.cell("9999")
