"""The map of No Retreat: what the rules and cards name is there, and the country lies as in an atlas (NR-2)."""

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.kit.datafile import problems
from pbem.kit.hexmap import hexmap_of

PATH = Path(__file__).resolve().parents[3] / "rules/pbem_rules/noretreat/data/map.json"
DATA = json.loads(PATH.read_text(encoding="utf-8"))
MAP = hexmap_of(DATA)
BOARD = MAP.board
GRID = BOARD.grid
FINLAND, WEST, SOUTH = 9001, 9002, 9003

AXIS_HOME = ["Berlin", "Koenigsberg", "Breslau", "Posen", "Vienna", "Prague"]
AXIS_HOME += ["Warsaw", "Budapest", "Belgrade", "Ploesti"]
SOVIET_HOME = [
    "Riga",
    "Minsk",
    "Kiev",
    "Odessa",
    "Smolensk",
    "Leningrad",
    "Moscow",
    "Kharkov",
    "Dnepropetrovsk",
    "Stalino",
]
SOVIET_HOME += ["Sevastopol", "Voronezh", "Rostov", "Stalingrad", "Kalinin", "Gorki", "Grozny", "Saratov", "Astrakhan"]
CLOSED = {"sea", "lake", "neutral"}
BARRED = {"sea", "lake", "impassable"}


def at(name):
    found = BOARD.place_named(name)
    assert found is not None, name
    return found


def edge(a, b):
    features = BOARD.edge(at(a) if isinstance(a, str) else a, at(b) if isinstance(b, str) else b)
    assert features is not None, (a, b)
    return features


def land_ways(a, over_lakes=False):
    """Where a unit, or a supply line over lakes, can go from a place."""
    shut = CLOSED - {"lake"} if over_lakes else CLOSED
    barred = BARRED - {"lake"} if over_lakes else BARRED
    return [b for b in BOARD.near[a] if BOARD[b].terrain not in shut and not BOARD.edges[a, b] & barred]


def reach(start, ways=land_ways, within=None):
    found, rest = {start}, [start]
    while rest:
        for near in ways(rest.pop()):
            if near not in found and (within is None or within(near)):
                found.add(near)
                rest.append(near)
    return found


LAND = [place.id for place in BOARD.places.values() if place.kind == "hex" and place.terrain not in CLOSED]
USSR = set(MAP.regions["ussr"].places)


def test_it_is_of_its_schema():
    assert problems("map", DATA) == []


def test_it_says_whose_data_it_is_made_from():
    credits = " ".join(MAP.credits)
    assert "GSHHG" in credits
    assert "LGPL" in credits
    assert "GeoNames" in credits
    assert "CC BY" in credits


def test_thirty_places_count_for_victory():
    counted = {BOARD[place].name for place in MAP.valued("vp")}
    assert counted == {*AXIS_HOME, *SOVIET_HOME, "Finland"}
    assert len(counted) == 30
    assert all(MAP.value(place, "vp") == 1 for place in MAP.valued("vp"))
    assert {BOARD[place].name for place in MAP.valued("vp_1945")} == set(AXIS_HOME[:6])


@pytest.mark.parametrize("name", [*AXIS_HOME, *SOVIET_HOME])
def test_a_place_that_counts_is_a_city_or_an_oil_field(name):
    marks = BOARD[at(name)].marks
    assert ("city" in marks) != ("oil" in marks)
    assert ("oil" in marks) == (name in ("Ploesti", "Grozny"))
    assert BOARD[at(name)].terrain == "clear"
    assert (at(name) in USSR) == (name in SOVIET_HOME)


def test_objectives():
    assert {BOARD[p].name for p in BOARD.marked("axis_objective")} == {
        "Leningrad", "Moscow", "Sevastopol", "Stalingrad", "Grozny",
    }  # fmt: skip
    assert {BOARD[p].name for p in BOARD.marked("soviet_objective")} == {"Koenigsberg", "Breslau", "Posen", "Vienna"}


def test_the_game_finds_its_places_on_the_map():
    """The list of the rules (places.toml) and the marks of the map are of one mind."""
    listed = tomllib.loads((PATH.parent / "places.toml").read_text(encoding="utf-8"))["places"]
    for item in listed:
        place = at(item.get("at", item["name"]))
        assert MAP.value(place, "vp") == 1
        assert (item.get("reich", False)) == bool(MAP.value(place, "vp_1945"))
        if "objective" in item:
            assert f"{item['objective']}_objective" in BOARD[place].marks
    assert {at(item.get("at", item["name"])) for item in listed} == set(MAP.valued("vp"))


def test_no_name_stands_twice():
    names = [place.name.casefold() for place in BOARD.places.values() if place.name]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "name",
    ["Bucharest", "Danzig", "Memel", "Suwalki", "Lublin", "Brest", "Bialystok", "Kaunas", "Lvov", "Jassy", "Kerch"],
)
def test_places_of_cards_and_set_ups_have_names(name):
    assert at(name) in LAND


def test_all_land_hangs_together():
    home = reach(at("Moscow"))
    apart = {place for place in LAND if BOARD[place].terrain != "neutral"} - home
    assert apart == set()
    assert {FINLAND, WEST, SOUTH} <= home


@pytest.mark.parametrize("name", SOVIET_HOME)
def test_soviet_cities_are_supplied_from_the_east(name):
    ways = reach(at(name), lambda place: land_ways(place, over_lakes=True), lambda place: place in USSR)
    assert ways & set(MAP.regions["soviet_edge"].places)


@pytest.mark.parametrize("name", AXIS_HOME)
def test_axis_cities_are_supplied_from_the_west(name):
    ways = reach(at(name), within=lambda place: place not in USSR)
    assert ways & set(MAP.regions["axis_edge"].places)


def test_map_edges_are_at_the_edges():
    assert {place // 100 for place in MAP.regions["axis_edge"].places} == {1}
    assert {place // 100 for place in MAP.regions["soviet_edge"].places} == {GRID.columns}
    assert set(MAP.regions["soviet_edge"].places) <= USSR
    assert not set(MAP.regions["axis_edge"].places) & USSR


def test_the_border_shuts_the_ussr_off():
    """Who goes from one side to the other crosses the border; nowhere else is one (NR-2.6)."""
    for a in LAND:
        for b in BOARD.near[a]:
            if BOARD[b].terrain in CLOSED:
                continue
            assert ("border" in BOARD.edges[a, b]) == ((a in USSR) != (b in USSR)), (a, b)


def test_the_border_goes_from_sea_to_sea():
    sides = {(a, b) for (a, b), features in BOARD.edges.items() if "border" in features and a < b < 9000}
    assert len(pieces(sides)) == 1
    coasts = {name: set(MAP.regions[name].places) for name in ("baltic", "black_sea")}
    for coast in coasts.values():
        assert any(set(pair) & coast for pair in sides)


def test_armies_of_june_1941_have_room_at_the_border():
    """Fourteen Axis units, two a hex, against one Soviet front a hex."""
    at_border = {a for (a, _), features in BOARD.edges.items() if "border" in features}
    assert len(at_border & USSR) >= 8
    assert len(at_border - USSR - {FINLAND}) >= 7


def touching(one, other):
    """Do two hexsides meet at a corner?"""
    hexes = {*one, *other}
    return len(hexes) == 3 and all(GRID.direction(a, b) is not None for a in hexes for b in hexes if a != b)


def pieces(sides):
    rest, found = set(sides), []
    while rest:
        piece, front = set(), [rest.pop()]
        while front:
            here = front.pop()
            piece.add(here)
            near = {other for other in rest if touching(here, other)}
            rest -= near
            front += near
        found.append(piece)
    return found


def river(name):
    return {
        tuple(int(part) for part in text.split("-"))
        for group in DATA["sides"]
        if group.get("name") == name
        for text in group["between"]
    }


WHOLE = ["Volga", "Oka", "Don", "Donets", "Dnepr", "Desna", "Pripyat", "Western Dvina", "Neman", "Volkhov", "Terek"]
WHOLE += ["Oder", "Vistula", "Bug", "Dniester", "Prut", "Tisza"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_river_is_unbroken(name):
    assert len(pieces(river(name))) == 1
    assert len(river(name)) >= 3


@pytest.mark.parametrize(
    ("name", "into"),
    [
        ("Oka", "Volga"),
        ("Donets", "Don"),
        ("Desna", "Dnepr"),
        ("Pripyat", "Dnepr"),
        ("Bug", "Vistula"),
        ("Tisza", "Danube"),
    ],
)
def test_a_tributary_meets_its_river(name, into):
    assert any(touching(one, other) for one in river(name) for other in river(into))


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("Kiev", "Konotop", "Dnepr"),
        ("Stalingrad", "Astrakhan", "Volga"),
        ("Kursk", "Voronezh", "Don"),
        ("Rostov", "Salsk", "Don"),
        ("Dnepropetrovsk", "Stalino", "Dnepr"),
        ("Shavli", "Riga", "Western Dvina"),
        ("Warsaw", "Brest", "Vistula"),
        ("Brest", "Lublin", "Bug"),
        ("Budapest", "Debrecen", "Danube"),
        ("Kishinev", "Odessa", "Dniester"),
        ("Koenigsberg", "Memel", "Neman"),
        ("Moscow", "Tula", "Oka"),
        ("Berlin", "Posen", "Oder"),
        ("Kharkov", "Millerovo", "Donets"),
    ],
)
def test_a_river_lies_between(one, other, name):
    """Who will not cross it must go a longer way, or cannot come there at all."""
    sides = river(name)

    def dry(place):
        return [b for b in land_ways(place) if (min(place, b), max(place, b)) not in sides]

    def steps(ways):
        front, seen, count = {at(one)}, {at(one)}, 0
        while at(other) not in front:
            front = {b for a in front for b in ways(a)} - seen
            seen |= front
            count += 1
            if not front:
                return 10_000
        return count

    assert steps(dry) > steps(land_ways)


def test_the_gate_of_smolensk_is_open():
    """Between Dvina and Dnepr no river bars the way from Vitebsk."""
    assert not edge("Vitebsk", "Smolensk") & {"river", "minor_river"}


def test_the_hex_directly_west_of_moscow_is_forest():
    west = GRID.toward(at("Moscow"), 4)
    assert BOARD[west].terrain == "forest"
    assert MAP.source("terrain", west) == "source"


def test_swamps_and_woods_where_players_saw_them():
    assert BOARD[at("Pinsk")].terrain == "swamp"
    around = {BOARD[near].terrain for near in BOARD.near[at("Leningrad")]}
    assert {"forest", "swamp"} <= around
    assert {BOARD[near].terrain for near in BOARD.near[at("Grozny")]} & {"mountain"}


@pytest.mark.parametrize(
    ("name", "coast"),
    [
        ("Leningrad", "baltic"), ("Riga", "baltic"), ("Tallinn", "baltic"), ("Koenigsberg", "baltic"),
        ("Odessa", "black_sea"), ("Sevastopol", "black_sea"), ("Rostov", "black_sea"), ("Constanta", "black_sea"),
        ("Astrakhan", "caspian"),
    ],
)  # fmt: skip
def test_ports(name, coast):
    """NR-2.12."""
    assert MAP.within(coast, at(name))


def test_inland_is_no_coast():
    coasts = {place for key in ("baltic", "black_sea", "caspian") for place in MAP.regions[key].places}
    assert not coasts & {at(name) for name in ("Moscow", "Kiev", "Warsaw", "Minsk", "Stalingrad", "Ploesti", "Pskov")}


def test_the_crimea_hangs_by_its_neck():
    crimea = reach(at("Sevastopol"), within=lambda place: place in {1521, 1620, 1621, 1720, at("Kerch")})
    assert at("Kerch") in crimea
    doors = {(a, b) for a in crimea for b in land_ways(a) if b not in crimea}
    assert doors == {(1620, at("Perekop")), (1620, 1619)}
    assert "sea" in edge("Kerch", 1920)


def test_areas_touch_what_they_should():
    """NR-2.4, NR-1.22: the Finns attack Leningrad without leaving Finland."""
    assert at("Leningrad") in BOARD.near[FINLAND]
    assert "border" in BOARD.edge(FINLAND, at("Leningrad"))
    assert SOUTH in BOARD.near[WEST]
    assert {at("Belgrade")} <= set(BOARD.near[WEST]) & set(BOARD.near[SOUTH])
    assert at("Bucharest") in BOARD.near[SOUTH]
    assert all(BOARD[near].terrain not in CLOSED for area in (FINLAND, WEST, SOUTH) for near in BOARD.near[area])


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ("Smolensk", "Moscow", 3, 4), ("Brest", "Minsk", 3, 4), ("Kiev", "Kharkov", 4, 4),
        ("Rostov", "Stalingrad", 4, 5), ("Berlin", "Moscow", 15, 17), ("Koenigsberg", "Leningrad", 8, 9),
        ("Odessa", "Sevastopol", 3, 3), ("Stalingrad", "Astrakhan", 3, 4), ("Moscow", "Gorki", 4, 5),
        ("Warsaw", "Brest", 2, 2),
    ],
)  # fmt: skip
def test_distances_are_those_of_the_atlas_in_hundreds_of_kilometres(one, other, low, high):
    assert low <= GRID.distance(at(one), at(other)) <= high


def test_railways_join_the_capitals_and_cities():
    on_rails: dict[int, set[int]] = {}
    for way in MAP.ways:
        assert way.feature == "rail"
        for a, b in pairwise(way.places):
            assert BOARD.touch(a, b)
            assert BOARD[a].terrain not in CLOSED
            assert BOARD[b].terrain not in CLOSED
            on_rails.setdefault(a, set()).add(b)
            on_rails.setdefault(b, set()).add(a)
    net = reach(at("Berlin"), lambda place: on_rails.get(place, ()))
    assert {at(name) for name in [*AXIS_HOME, *SOVIET_HOME]} <= net
