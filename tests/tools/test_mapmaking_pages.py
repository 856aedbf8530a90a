"""The hand-written pages of the workshop: read strictly, and in step with the maps that are committed."""

import json
from pathlib import Path

import pytest

from pbem.kit.hexmap import hexmap_of
from tools.mapmaking import emit
from tools.mapmaking.chart import Chart
from tools.mapmaking.spec import point, points, read

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


def test_runs_go_down_a_column():
    assert list(emit.runs([406, 405, 407, 505, 510, 511])) == ["0405..0407", "0505", "0510..0511"]


def test_cells_of_runs():
    chart = Chart(read(PAGES[0]))
    assert chart.cells(["0405..0407", "0510"]) == [405, 406, 407, 510]
    with pytest.raises(SystemExit, match="no hexside"):
        chart.side("0101-0901")
    with pytest.raises(SystemExit, match="no hex"):
        chart.cell("9999")
