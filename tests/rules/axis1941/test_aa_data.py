"""The data files: their schemas, what they agree on, and files that players bring."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pbem_rules.axis1941.chart as chart_module
from pbem.engine.machine import Machine
from pbem.engine.notation import Context
from pbem.kit.datafile import read_data_file
from pbem.protocol.errors import Refusal
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import DATA, FIRST_ZONE, PLACES, chart_of, check_data, zone
from pbem_rules.axis1941.orders import Move, piece
from pbem_rules.axis1941.state import draw_up
from pbem_rules.axis1941.units import NONE, POWERS, Kind, Power

CHART = chart_of(DATA)
CHART_NAMES = [CHART.name(place) for place in range(PLACES)]
DATA_DIR = Path(chart_module.__file__).parent / "data"


@pytest.mark.parametrize("name", sorted(DATA.files))
def test_files_are_of_their_schema(name):
    assert read_data_file(name, (DATA_DIR / f"{name}.toml").read_bytes()) == DATA[name]


def test_the_printed_set_is_sound():
    check_data(DATA)
    assert len(DATA.digest) == 32


def test_edges_are_counted():
    land = sum(1 for a, row in enumerate(CHART.near) for b in row if a < b < FIRST_ZONE)
    coast = sum(1 for a, row in enumerate(CHART.near) for b in row if a < FIRST_ZONE <= b)
    sea = sum(1 for a, row in enumerate(CHART.near) for b in row if FIRST_ZONE <= a < b)
    assert (land, coast, sea) == (90, 93, 99)


def changed(name: str, *path: Any, value: Any) -> Any:
    files = copy.deepcopy(dict(DATA.files))
    held = files[name]
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    return DATA.replaced({name: files[name]})


def test_a_file_of_ones_own():
    mine = changed("axis1941-units", "units", 0, "cost", value=2)
    assert game.data_with(mine.files).digest == mine.digest
    assert mine.digest != DATA.digest
    machine = Machine.start(game, game.setup_of("printed", data=mine))
    assert machine.state.chart.stats[Kind.INFANTRY].cost == 2


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("axis1941-map", ("territories", 0, "name"), "Zanzibar"),
        ("axis1941-map", ("territories", 0, "land"), ["India"]),
        ("axis1941-map", ("territories", 1, "owner"), "italy"),
        ("axis1941-map", ("territories", 1, "value"), 100),
        ("axis1941-map", ("territories", 24, "capital"), ""),
        ("axis1941-map", ("zones", 0, "zone"), 2),
        ("axis1941-map", ("zones", 0, "zones"), [50]),
        ("axis1941-map", ("canals", 0, "locks"), ["Atlantis"]),
        ("axis1941-map", ("straits", "zones"), [17]),
        ("axis1941-units", ("units", 0, "kind"), "tank"),
        ("axis1941-units", ("units", 0, "attack"), 7),
        ("axis1941-setup", ("treasuries", 0, "power"), "uk"),
        ("axis1941-setup", ("scenarios", 0, "key"), "picnic"),
        ("axis1941-setup", ("cards", 0, "units", 0, "place"), "Atlantis"),
        ("axis1941-setup", ("cards", 0, "units", 0, "place"), "SZ99"),
        ("axis1941-setup", ("cards", 0, "units", 0, "battleship"), 1),
    ],
)
def test_a_file_that_cannot_be_played_with(name, path, value):
    data = changed(name, *path, value=value)
    with pytest.raises(Refusal) as caught:
        game.data_with(data.files)
    assert caught.value.code == "E-DATA"


def test_aa_1_1_powers_and_sides():
    sides = {seat.name: seat.side for seat in game.seats}
    assert sides == {"ussr": "allies", "germany": "axis", "uk": "allies", "japan": "axis", "usa": "allies"}


def test_aa_1_4_treasuries():
    state, _ = game.setup(game.setup_of())
    assert {power: state.ipc[power] for power in POWERS} == {
        Power.USSR: 7,
        Power.GERMANY: 12,
        Power.UK: 12,
        Power.JAPAN: 9,
        Power.USA: 17,
    }
    assert all(state.production(power) == state.ipc[power] for power in POWERS)


def units_at_start(scenario: str) -> Counter[tuple[str, str, str]]:
    state, _ = game.setup(game.setup_of(scenario))
    return Counter((str(u.power), str(u.kind), CHART.name(u.place)) for u in state.units.values())


def test_aa_1_5_set_up():
    printed = units_at_start("printed")
    soviet = {(kind, place): count for (power, kind, place), count in printed.items() if power == "ussr"}
    assert soviet == {
        ("infantry", "Russia"): 3,
        ("tank", "Russia"): 1,
        ("fighter", "Russia"): 1,
        ("infantry", "Archangel"): 3,
        ("infantry", "Karelia"): 3,
        ("infantry", "Caucasus"): 3,
        ("tank", "Caucasus"): 1,
        ("infantry", "Siberia"): 3,
        ("submarine", "SZ4"): 1,
    }
    assert units_at_start("errata") - printed == Counter(
        {
            ("ussr", "infantry", "Russia"): 3,
            ("usa", "infantry", "Northwestern China"): 1,
            ("usa", "destroyer", "SZ11"): 1,
        }
    )


def test_aa_1_6_fighters_begin_aboard():
    state, _ = game.setup(game.setup_of())
    aboard = Counter()
    for unit in state.units.values():
        if unit.kind is Kind.FIGHTER and unit.place >= FIRST_ZONE:
            ship = state.units[unit.aboard]
            assert (ship.kind, ship.power, ship.place) == (Kind.CARRIER, unit.power, unit.place)
            aboard[CHART.name(unit.place)] += 1
    assert aboard == {"SZ14": 1, "SZ45": 2, "SZ46": 1, "SZ42": 2}
    # Fighters on land are aboard nothing; ships are numbered by power, and no deck holds more than two.
    for plan in CHART.plans.values():
        units = draw_up(plan)
        assert list(units) == list(range(len(units)))
        assert Counter((u.power, u.place, u.kind) for u in units.values()) == {
            (power, place, kind): sum(row[3] for row in plan.units if row[:3] == (power, place, kind))
            for power, place, kind, _ in plan.units
        }
        assert all((u.aboard != NONE) == (u.kind is Kind.FIGHTER and u.place >= FIRST_ZONE) for u in units.values())
        assert max(Counter(u.aboard for u in units.values() if u.aboard != NONE).values()) <= 2
        for kind in (Kind.TRANSPORT, Kind.CARRIER):
            for power in POWERS:
                numbers = [u.number for u in units.values() if u.kind is kind and u.power is power]
                assert numbers == list(range(1, len(numbers) + 1))
        assert {u.number for u in units.values() if u.kind not in (Kind.TRANSPORT, Kind.CARRIER)} == {0}
        for number, u in units.items():
            if u.aboard != NONE:
                ship = units[u.aboard]
                assert (ship.kind, ship.power, ship.place) == (Kind.CARRIER, u.power, u.place), number


def test_aa_1_8_capitals():
    cities = {power: CHART.territories[place] for power, place in CHART.capital.items()}
    assert {power: (each.name, each.capital) for power, each in cities.items()} == {
        Power.USSR: ("Russia", "Moscow"),
        Power.GERMANY: ("Germany", "Berlin"),
        Power.UK: ("United Kingdom", "London"),
        Power.JAPAN: ("Japan", "Tokyo"),
        Power.USA: ("Eastern United States", "Washington"),
    }


def test_aa_1_9_original_owners_are_printed():
    owner = {each.name: each.owner for each in CHART.territories}
    assert {owner[name] for name in ("West Russia", "Ukraine", "Eastern Europe")} == {Power.GERMANY}
    assert {owner[name] for name in ("Northwestern China", "Szechwan")} == {Power.USA}


def test_aa_2_1_spaces():
    assert len(CHART.territories) == 71
    assert len(CHART.near) == 71 + 49
    assert zone(41) not in CHART.near[next(each.place for each in CHART.territories if each.name == "East Mexico")]


def test_aa_2_2_the_map_is_round():
    pairs = [tuple(map(CHART_NAMES.index, item["places"])) for item in DATA["axis1941-map"]["wrap"]]
    assert len(pairs) == 6
    assert all(b in CHART.near[a] and a in CHART.near[b] for a, b in pairs)


def place_of(name: str) -> int:
    return next(each.place for each in CHART.territories if each.name == name)


def test_aa_2_10_neutrals():
    neutral = {each.name for each in CHART.territories if each.owner is None}
    assert neutral == {
        "Afghanistan", "Angola", "Chile Argentina", "Colombia Venezuela", "Eire", "Himalaya", "Mongolia",
        "Mozambique", "Sahara", "Saudi Arabia", "Spain Portugal", "Sweden", "Switzerland", "Turkey",
    }  # fmt: skip


def test_aa_2_20_2_21_islands():
    islands = [item["name"] for item in DATA["axis1941-map"]["territories"] if item.get("island")]
    assert {"Japan", "Iwo Jima", "Okinawa", "New Guinea", "Solomon Islands"} <= set(islands)
    for zone_number, names in (
        (37, {"New Guinea", "Solomon Islands"}),
        (38, {"Philippine Islands", "Caroline Islands"}),
    ):
        assert {CHART.name(p) for p in CHART.near[zone(zone_number)] if p < FIRST_ZONE} == names


def test_aa_2_23_values():
    values = [each.value for each in CHART.territories if each.owner is not None]
    assert len(values) == 57
    assert values.count(0) == 26
    assert max(values) == 6


def test_aa_9_8_zones_of_the_complexes():
    found = {CHART.name(place): {CHART.name(z) for z in CHART.near_sea[place]} for place in CHART.complexes}
    assert found == {
        "Russia": set(),
        "Caucasus": {"SZ18"},
        "Germany": {"SZ5"},
        "United Kingdom": {"SZ6", "SZ7", "SZ8"},
        "India": {"SZ29"},
        "Australia": {"SZ33"},
        "Japan": {"SZ45"},
        "Eastern United States": {"SZ11"},
        "Western United States": {"SZ42"},
    }


def test_aa_11_1_the_table_of_units():
    rows = {str(kind): tuple(CHART.stats[kind][1:]) for kind in Kind}
    assert rows == {
        "infantry": (3, 1, 2, 1, 1),
        "tank": (6, 3, 3, 2, 1),
        "fighter": (10, 3, 4, 4, 1),
        "bomber": (12, 4, 1, 6, 1),
        "submarine": (6, 2, 1, 2, 1),
        "transport": (7, 0, 0, 2, 1),
        "destroyer": (8, 2, 2, 2, 1),
        "carrier": (12, 1, 2, 2, 1),
        "battleship": (16, 4, 4, 2, 2),
    }


def test_aa_12_1_zones_6_and_8_touch():
    assert zone(8) in CHART.near[zone(6)]


def test_orders_are_written_by_the_map_in_play():
    """A gap in a path is one on the map in play: `>>` is no legal order there."""
    files = copy.deepcopy(DATA["axis1941-map"])
    by_name = {each["name"]: each for each in files["territories"]}
    for a, b in (("Ukraine", "Caucasus"), ("Caucasus", "Ukraine")):
        by_name[a]["land"].remove(b)
    own = game.data_with({"axis1941-map": files})
    places = CHART.words.index("Ukraine"), CHART.words.index("Caucasus")
    order = Move(piece(Kind.INFANTRY), places)
    assert game.notation.write(order) == "move infantry Ukraine > Caucasus"
    assert game.on(own).notation.write(order) == "move infantry Ukraine >> Caucasus"
    machine = Machine.start(game, game.setup_of("printed", data=own))
    assert machine.game is game.on(own)
    context = Context(machine.state, None, "germany", tuple, {})
    (found,) = machine.game.notation.parse("move infantry Ukraine > Caucasus", context)
    assert found != order  # a space between is looked for
