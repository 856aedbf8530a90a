"""Maps from a file: ways, regions, entries, values, and where each value comes from."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit.datafile import folder, problems, read_data_file
from pbem.kit.hexes import Grid
from pbem.kit.hexmap import hexmap_of
from pbem.protocol.errors import Refusal

MAP = {
    "format": 1,
    "name": "A corner",
    "provenance": "inferred",
    "grid": {"columns": 4, "rows": 3, "top": "flat", "shifted": "odd", "first": 10, "first_row": 0},
    "terrain": {"clear": ".", "forest": "f", "sea": "~"},
    "rows": ["..f.", ".f.~", "... "],
    "hexes": [
        {"hex": "1001", "name": "Riga", "marks": ["city", "port"], "values": {"vp": 2, "objective": "axis"}},
        {"hex": "1101", "values": {"oil": 1}, "provenance": "rulebook"},
    ],
    "sides": [
        {"feature": "river", "name": "Dvina", "between": ["1001-1101", "1001-1002"], "provenance": "source"},
        {"feature": "ferry", "between": ["1001-1101"]},
    ],
    "ways": [{"feature": "rail", "name": "North line", "chains": ["1000-1001-1002"], "provenance": "ours"}],
    "regions": [
        {"key": "home", "name": "The homeland", "kind": "country", "hexes": ["1000..1002", "1100"]},
        {"key": "coast", "name": "The coast", "kind": "coast", "hexes": ["1301"], "provenance": "source"},
    ],
    "areas": [{"id": 9001, "name": "Entry A", "terrain": "box", "kind": "box", "values": {"vp": 1}}],
    "entries": [
        {"key": "a", "name": "Entry A", "side": "axis", "area": 9001, "hexes": ["1001", "1000"]},
        {"key": "b", "name": "Gap B", "hexes": ["1300"]},
    ],
    "links": [{"a": 1301, "b": 9001, "features": ["lane"], "provenance": "rulebook"}],
    "sources": [{"what": "terrain", "hexes": ["1000..1002"], "provenance": "rulebook", "note": "printed"}],
    "credits": ["Coasts: somebody, some licence"],
}
CHART = hexmap_of(MAP)


def changed(**parts):
    return {**copy.deepcopy(MAP), **parts}


def test_it_is_of_its_schema():
    assert problems("map", MAP) == []
    raw = json.dumps(MAP).encode()
    assert read_data_file("map", raw) == MAP


def test_numbers_as_printed():
    assert 1000 in CHART.board
    assert 1302 not in CHART.board
    assert CHART.board[1200].terrain == "forest"
    # Odd columns lie lower: 1100 touches 1000 and 1001.
    assert CHART.board.touch(1100, 1000)
    assert CHART.board.touch(1100, 1001)
    assert not CHART.board.touch(1101, 1000)


def test_values_and_words():
    assert CHART.value(1001, "vp") == 2
    assert CHART.value(1000, "vp") == 0
    assert CHART.value(1000, "vp", 7) == 7
    assert CHART.word(1001, "objective") == "axis"
    assert CHART.valued("vp") == (1001, 9001)
    with pytest.raises(TypeError):
        CHART.value(1001, "objective")


def test_regions():
    assert CHART.regions["home"].places == (1000, 1001, 1002, 1100)
    assert CHART.within("home", 1100)
    assert not CHART.within("home", 1101)
    assert (1301, 9001) in CHART.frontier("coast")
    assert set(CHART.frontier("coast")) == {(1301, near) for near in CHART.board.near[1301]}
    assert all(CHART.within("home", a) and not CHART.within("home", b) for a, b in CHART.frontier("home"))


def test_ways_are_edges():
    assert CHART.board.edge(1000, 1001) == CHART.board.edge(1001, 1000) == {"rail"}
    assert CHART.board.edge(1001, 1101) == {"river", "ferry"}
    assert CHART.ways[0].places == (1000, 1001, 1002)
    assert CHART.board.in_mask(CHART.along("rail")) == (1000, 1001, 1002)
    assert CHART.side_names[1101, 1001] == "Dvina"


def test_ways_go_over_links_too():
    lane = {"feature": "lane", "name": "Sea lane", "chains": ["1300-9001-1001"]}
    links = [{"a": 1300, "b": 9001}]
    found = hexmap_of(changed(links=links, ways=[lane]))
    assert found.board.edge(1300, 9001) == found.board.edge(9001, 1300) == {"lane"}
    assert found.board.edge(9001, 1001) == {"entry", "lane"}


def test_entries():
    entry = CHART.entries["a"]
    assert (entry.side, entry.area, entry.places) == ("axis", 9001, (1001, 1000))
    assert CHART.board.edge(9001, 1001) == CHART.board.edge(1001, 9001) == {"entry"}
    assert CHART.entries["b"].area == -1


def test_every_value_says_where_it_comes_from():
    assert CHART.source("terrain", 1000) == "rulebook"
    assert CHART.source("terrain", 1100) == "inferred"
    assert CHART.source("vp", 1001) == "inferred"
    assert CHART.source("oil", 1101) == "rulebook"
    assert CHART.side_source("river", 1101, 1001) == "source"
    assert CHART.side_source("ferry", 1001, 1101) == "inferred"
    assert CHART.side_source("rail", 1001, 1002) == "ours"
    assert CHART.side_source("lane", 9001, 1301) == "rulebook"
    assert CHART.regions["home"].provenance == "inferred"
    assert CHART.regions["coast"].provenance == "source"
    assert CHART.entries["b"].provenance == "inferred"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("ways", [{"feature": "rail", "chains": ["1000-1002"]}]),
        ("ways", [{"feature": "rail", "chains": ["1000-1302"]}]),
        ("regions", [{"key": "x", "name": "X", "kind": "k", "hexes": ["1000", "1000"]}]),
        ("regions", [{"key": "x", "name": "X", "kind": "k", "hexes": ["1000..1100"]}]),
        ("regions", [{"key": "x", "name": "X", "kind": "k", "hexes": ["9999"]}]),
        ("regions", [{"key": "x", "name": "X", "kind": "k", "hexes": ["1000"]}] * 2),
        ("entries", [{"key": "x", "name": "X", "area": 9002, "hexes": ["1000"]}]),
        ("entries", [{"key": "x", "name": "X", "hexes": ["0101"]}]),
        ("hexes", [{"hex": "1302", "name": "Nowhere"}]),
        ("sources", [{"what": "terrain", "hexes": ["1000"], "provenance": "hearsay"}]),
        ("sides", [{"feature": "river", "between": ["1000-1302"]}]),
        ("ways", [{"feature": "lane", "chains": ["9001-1000-1300"]}]),
        ("grid", {"columns": 4, "rows": 3, "first": 87}),
    ],
)
def test_a_map_that_contradicts_itself(part, value):
    with pytest.raises(ValueError, match="map: "):
        hexmap_of(changed(**{part: value}))


def spots(value, at=()):
    """The way to every value inside a value."""
    yield at
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from spots(value[key], (*at, key))


NUMBERS = (0, 1, 2, 99, 9000, 9001, 9002)
TEXTS = ("1000", "1302", "9001", "9999", "1000-1001", "9001-9001", "1301-9001", "1000..1002", "1002..1000")
OTHERS = ("9001..9001", "even", "south", "x", ".", " ", "ours", [], {}, ["1000"], ["...", "...", "..."])
POOL = st.sampled_from([*NUMBERS, *TEXTS, *OTHERS])


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from(sorted(spots(MAP), key=str)[1:]), POOL), min_size=1, max_size=3))
def test_whatever_a_player_brings_is_a_map_or_an_error_of_the_map(changes):
    data = copy.deepcopy(MAP)
    for at, value in changes:
        inner = data
        try:
            for key in at[:-1]:
                inner = inner[key]
            inner[at[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    if problems("map", data):
        return
    try:
        chart = hexmap_of(data)
    except ValueError:
        return
    assert all(a in chart.board and b in chart.board for a, b in chart.board.edges)


@pytest.mark.parametrize("raw", [b'{"format": 1, "format": 1}', b'{"format": 1.5}', b"{", b'{"a": NaN}', b"[1]"])
def test_what_is_no_data_is_refused(raw):
    with pytest.raises(Refusal) as refused:
        read_data_file("map", raw)
    assert refused.value.code == "E-DATA"


def test_a_game_has_its_map_in_either_format(tmp_path):
    files = tmp_path / "data"
    files.mkdir()
    (files / "map.json").write_text(json.dumps(MAP))
    (files / "turns.toml").write_text("format = 1\n")
    (files / "notes.md").write_text("What the map was drawn from.")
    assert folder(str(tmp_path / "game.py")).files == {"map": MAP, "turns": {"format": 1}}
    (files / "map.toml").write_text("format = 1\n")
    with pytest.raises(ValueError, match="two files map"):
        assert folder(str(tmp_path / "game.py")).files


def test_rows_numbered_from_the_south():
    """Stacked rows go up the page; odd columns half a hex further north."""
    grid = Grid(4, 4, "flat", "even", rows_from="south")
    assert grid.toward(202, 0) == 203
    assert set(grid.neighbours(302)) == {303, 403, 402, 301, 202, 203}
    assert set(grid.neighbours(202)) == {203, 302, 301, 201, 101, 102}
    chart = hexmap_of(
        {
            "name": "x",
            "provenance": "ours",
            "grid": {"columns": 2, "rows": 2, "rows_from": "south"},
            "terrain": {"top": "t", "bottom": "b"},
            "rows": ["tt", "bb"],
        }
    )
    assert chart.board[102].terrain == "top"
    assert chart.board[101].terrain == "bottom"
