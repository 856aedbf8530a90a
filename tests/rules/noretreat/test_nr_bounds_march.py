"""NR-6, NR-8, NR-10: where units may go, be carried, stand and be supplied, to the hex and to the point."""

from __future__ import annotations

import pytest
from noretreat_cards import through
from noretreat_positions import (
    CHART,
    CODES,
    asked,
    cities,
    offered,
    place,
    position,
    reaches,
    rule_of,
    table,
    where,
)

from pbem.engine.event import Out
from pbem.engine.rows import Rows
from pbem.kit import entrance
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.entries import entries, gates, germany
from pbem_rules.noretreat.events import Moved
from pbem_rules.noretreat.frames import Manoeuvre, PlayerTurn
from pbem_rules.noretreat.movement import ManoeuvreMove, allowance, free_to_manoeuvre, trails, way
from pbem_rules.noretreat.orders import Reserve
from pbem_rules.noretreat.rail import Unloading, UnloadReserve, unloadable
from pbem_rules.noretreat.stacking import ThinMoved, crowded, fits, room_for, too_many
from pbem_rules.noretreat.state import DESTROYED, READY, SHATTERED, Effect
from pbem_rules.noretreat.supply import (
    SupplyPhase,
    land_sources,
    land_supplied,
    open_places,
    sources,
    supplied_area,
    supplied_units,
    surrender,
)
from pbem_rules.noretreat.turns import BeginMovement, ClearMarkers, EndMovement, Remove
from pbem_rules.noretreat.weather import begin, can_flip, flip, managed, markers, set_to, winter


def bits(mask):
    return set(CHART.board.in_mask(mask))


# Movement


@pytest.mark.parametrize(
    ("code", "kept", "more", "points"),
    [
        ("1Pz", {"turn": 8}, 0, 6),
        ("1Pz", {"turn": 9}, 0, 3),
        ("1Pz", {"turn": 10}, 0, 4),
        ("NW", {"turn": 10}, 0, 3),
        ("1Pz", {"turn": 8, "cut": ("1Pz",)}, 0, 3),
        ("1Pz", {"turn": 8}, 2, 8),
        ("1Pz", {"turn": 9}, 2, 3),
        ("1Pz", {"turn": 8, "cut": ("1Pz",)}, 2, 3),
        ("West", {"turn": 14, "cut": ("West",)}, 0, 2),
        ("Fin", {"turn": 8}, 2, 0),
        ("Mos", {"turn": 8}, 2, 0),
    ],
)
def test_nr_8_2_5_21_6_6_8_7_movement_points(code, kept, more, points):
    s = position({code: ("2109", "+"), "6": "2011"}, **kept)
    if more:
        s.put_effect(Effect("points", s.unit(CODES[code]).side, CODES[code], more))
        s.put_effect(Effect("points", AXIS, CODES["6"], 5))  # another unit's
    assert allowance(s, CODES[code]) == points


def costs(units, code, **kept):
    s = position(units, **kept)
    found = trails(s, CODES[code], allowance(s, CODES[code]))
    return {cell: cost for cell, (cost, _) in found.items()}


def test_nr_8_1_1_8_what_ground_costs():
    tank, foot = costs({"1Pz": "2208"}, "1Pz"), costs({"4": "2208"}, "4")
    assert [tank[cell] for cell in (2108, 2207, 2308, 2307, 2309)] == [2, 3, 1, 4, 2]
    assert [foot[cell] for cell in (2108, 2207, 2308, 2307, 2309)] == [1, 2, 1, 3, 2]
    frozen = costs({"4": "2209"}, "4", turn=10)
    assert (costs({"4": "2209"}, "4")[2309], frozen[2309]) == (2, 1)
    city = costs({"1Pz": "2310"}, "1Pz")
    burnt = costs({"1Pz": "2310"}, "1Pz", scorched=(2311,))
    assert (city[2311], burnt[2311]) == (1, 3)
    assert max(foot.values()) == 4
    assert costs({"4": "1319"}, "4")[1419] == 3  # not over the sea


def test_nr_8_1_8_3_8_4_8_6_8_8_what_a_move_may_not():
    units = {"4": "2109", "1Pz": "2010", "6": "2008", "9": "2008", "NW": "2310", "Fin": "Finland", "Rsv": "2412"}
    d = table(units)
    for order, rule in (
        ("move 4 2209", ""),
        ("move 4 2209-2309", "NR-8.3"),
        ("move 4 2209-2210", "NR-8.3"),
        ("move 4 2310", "NR-8.1"),
        ("move 4 2109", "NR-8.1"),
        ("move 4 9999", "NR-8.1"),
        ("move 4 2008", "NR-8.8"),
        ("move NW 2309", "NR-8.1"),
        ("move Fin 1302", "NR-8.1"),
        ("move KG1 2109", "NR-8.1"),
        ("move 4 2209-2209", "NR-8.1"),
        ("move 4 2109-2209", ""),  # written from where it stands
        ("move 1Pz 2110-2111-2112-2113", ""),
        ("move 1Pz 2308", ""),
        ("move 1Pz 2409", ""),
        ("move 4 1806-2409", "NR-8.1"),
    ):
        assert rule_of(d, order) == rule, order
    zone = table({"4": "2209", "NW": "2310"})
    assert rule_of(zone, "move 4 2308") == ""
    assert rule_of(zone, "move 4 2108-2109") == ""
    d.order(AXIS, "move 1Pz 2308")
    (moved,) = d.events(Moved)
    assert (moved.path[0], moved.path[-1], moved.stopped) == (2010, 2308, False)
    assert rule_of(d, "move 1Pz 2208") == "NR-8.1"  # once a turn
    d.order(AXIS, "move 4 2209")
    assert d.events(Moved)[0].stopped


def test_nr_8_4_8_1_what_leaving_a_zone_costs():
    s = position({"4": "2209", "NW": "2310"})
    for goals, cost in (((2208,), 2), ((2208, 2108), 3), ((2108,), 3)):
        found = way(s, CODES["4"], 4, goals)
        assert found[1] == cost, goals
    free = position({"4": "2208"})
    assert way(free, CODES["4"], 4, (2108,))[1] == 1
    assert way(free, CODES["4"], 4, (2308, 2408))[0] == (2208, 2308, 2408)
    mud = position({"1Pz": "2208", "NW": "2410"}, turn=9)
    assert way(mud, CODES["1Pz"], 3, (2207,))[1] == 3
    cut = position({"4": "2308"}, cut=("4",))
    assert way(cut, CODES["4"], 1, (2307,))[1] == 1  # NR-8.6: one hex is always possible
    assert not isinstance(way(cut, CODES["4"], 3, (2307,)), tuple) or way(cut, CODES["4"], 3, (2307,))[1] == 2


def test_nr_3_8_8_14_8_25_14_5_everything_that_can_be_done_in_the_phase():
    units = {
        "Kal": "2513", "Mos": ("2411", "+"), "Bry": "2412", "Res": "Rail", "Cen": "2410", "NW": "2413",
        "Len": ("2409", "+"),
    }  # fmt: skip
    d = table(units, side=SOVIET, turn=5, soviet=(5,), cut=("Bry",), options={"local_support": True})
    found = offered(d)
    assert {text for text in found if not text.startswith("move")} == {
        "done", "rail Kal", "rail Cen", "rail NW", *(f"reserve {code}" for code in ("Kal", "Cen", "NW", "Res")),
        *(f"help {code}" for code in ("Kal", "Mos", "Cen", "NW", "Len")),
    }  # fmt: skip
    assert {text.split()[1] for text in found if text.startswith("move")} == {"Kal", "Bry", "Cen", "NW"}
    assert not any(text.endswith(("2411", "2513")) for text in found if text.startswith("move"))
    d.order(SOVIET, "rail Cen", "help Mos")
    found = offered(d)
    assert {text for text in found if not text.startswith("move")} == {
        "done", "discard 5 for rail Kal", "discard 5 for rail NW",
        *(f"reserve {code}" for code in ("Kal", "NW", "Res", "Cen")),
        *(f"help {code}" for code in ("Kal", "NW", "Len")),
    }  # fmt: skip
    assert dict(d.state.helped.items()) == {SOVIET: CODES["Mos"]}
    through(d.order(SOVIET, "discard 5 for rail Kal"))
    assert not any(text.startswith(("rail", "discard")) for text in offered(d))
    assert {text for text in offered(d) if text.startswith("reserve")} == {"reserve Cen", "reserve Kal", "reserve Res"}
    d.order(SOVIET, "reserve Res")
    assert d.state.reserve == CODES["Res"]
    assert {text.split()[0] for text in offered(d)} == {"done", "help"}
    assert [rule_of(d, text) for text in ("move NW 2412", "rail NW", "reserve Kal")] == ["NR-8.25"] * 3
    assert rule_of(d, "help 4") == rule_of(d, "help Bry") == "NR-14.5"
    d.order(SOVIET, "done")
    assert d.state.reserve == CODES["Res"]


@pytest.mark.parametrize(
    ("side", "turn", "order", "rule"),
    [
        (AXIS, 2, "rail 4", "NR-8.16"),
        (AXIS, 3, "rail 4", ""),
        (AXIS, 2, "discard 5 for rail 4", "NR-8.16"),
        (SOVIET, 2, "rail Kal", ""),
        (SOVIET, 1, "rail Kal", ""),
        (SOVIET, 2, "discard 5 for rail Kal", "NR-8.16"),
        (SOVIET, 3, "discard 5 for rail Kal", "NR-8.14"),  # the first one goes for nothing
        (SOVIET, 3, "rail Bry", "NR-6.6"),
        (SOVIET, 3, "rail Mos", "NR-8.17"),
        (SOVIET, 3, "rail Fort1", "NR-8.17"),
        (SOVIET, 3, "rail Rsv", ""),
        (SOVIET, 3, "rail 4", "NR-8.14"),
        (SOVIET, 3, "rail Res", "NR-8.14"),
        (SOVIET, 3, "discard 5 for upgrade Kal", "NR-5.8"),
        (SOVIET, 3, "discard 5 for rail Kal Rsv", "NR-5.8"),
        (SOVIET, 3, "reserve Kal", "NR-11.5"),
        (SOVIET, 4, "reserve Kal", ""),
        (SOVIET, 4, "reserve Bry", "NR-8.25"),
        (SOVIET, 4, "reserve Mos", "NR-8.25"),
        (SOVIET, 4, "reserve Res", "NR-8.25"),
        (SOVIET, 4, "reserve 4", "NR-8.25"),
        (AXIS, 4, "reserve 4", "NR-8.25"),
        (AXIS, 4, "reserve Kal", "NR-8.25"),
    ],
)
def test_nr_8_15_8_16_8_17_8_18_8_25_11_1_11_5_who_goes_by_rail(side, turn, order, rule):
    units = {
        "4": "0210", "Kal": "2410", "Bry": "2411", "Mos": ("2409", "+"), "Fort1": "2408", "Rsv": "2412",
        "Res": "Destroyed",
    }  # fmt: skip
    cards = {"axis" if side == AXIS else "soviet": (5,)}
    d = table(units, side=side, turn=turn, cut=("Bry",), tired=("Kal",), **cards)
    assert rule_of(d, order) == rule


def test_nr_8_15_8_27_8_19_three_and_no_more():
    full = {"Kal": "Rail", "Bry": "Rail", "Res": "Rail", "NW": "2410", "4": "Rail"}
    d = table(full, side=SOVIET, turn=5, soviet=(2, 5), reserve=CODES["Kal"])
    assert [rule_of(d, text) for text in ("rail NW", "reserve NW", "reserve Kal", "reserve Bry")] == [
        "NR-8.15", "NR-8.15", "NR-8.27", "",
    ]  # fmt: skip
    two = table({"Kal": "Rail", "Bry": "Rail", "NW": "2410", "Cen": "Shattered", "Res": "Destroyed"}, side=SOVIET,
                turn=5, soviet=(2,))  # fmt: skip
    assert rule_of(two, "rail NW") == rule_of(two, "reserve NW") == rule_of(two, "event 2 Cen") == ""
    assert rule_of(two, "event 2 Cen Res") == "NR-13.02S"
    two.order(SOVIET, "rail NW")
    assert (where(two, "NW"), two.state.cut) == ("Rail", set())
    assert not any(text.startswith("event 2") for text in offered(two))


# Stacking


@pytest.mark.parametrize(
    ("codes", "turn", "room", "full"),
    [
        ("4 6", 8, 0, False), ("4 6 9", 8, 0, True), ("4 6 9", 8, 1, True),  # the room is a Soviet one
        ("NW Bry", 22, 0, True), ("NW Bry", 23, 0, False), ("NW Bry Res", 23, 0, True), ("NW Bry", 8, 1, False),
        ("NW Bry Res", 8, 1, True), ("NW Bry Res", 23, 1, False), ("NW Rsv", 8, 0, False), ("NW Bry Rsv", 8, 0, True),
        ("Cau Bry", 10, 0, True), ("Cau Bry", 11, 0, False), ("Cau Vor", 11, 0, False), ("Cau Len", 11, 0, True),
        ("Cau Len", 23, 0, False), ("Cau Fort1", 23, 0, True), ("NW Fort1", 23, 0, False),
        ("Fort1 Fort2", 23, 0, False),
        ("NW Len", 22, 0, True), ("Cau Bry Res", 11, 0, True),
    ],
)  # fmt: skip
def test_nr_8_8_8_9_8_10_8_12_8_13_14_4_14_10_how_many_rest_in_a_hex(codes, turn, room, full):
    units = {code: (f"22{8 + n:02d}", "+") for n, code in enumerate(codes.split())}
    s = position(units, turn=turn)
    if room:
        s.put_effect(Effect("room", SOVIET, 2410, room, "phase"))
        s.put_effect(Effect("room", SOVIET, 2411, 3, "phase"))
    assert too_many(s, s.unit(CODES[codes.split()[0]]).side, tuple(CODES[code] for code in codes.split()), 2410) == full


def test_nr_8_8_8_11_who_fits_and_who_is_too_many():
    s = position({"4": "2109", "6": "2109", "9": "2110", "NW": "2209", "Bry": "2208"})
    assert [fits(s, CODES[code], cell) for code, cell in (
        ("9", 2109), ("4", 2109), ("4", 2110), ("4", 2209), ("Bry", 2209), ("Bry", 2410), ("NW", 2209),
    )] == [False, True, True, False, False, True, True]  # fmt: skip
    assert crowded(s) == 0
    full = position({"4": "2109", "6": "2109", "9": "2109", "11": "Destroyed", "16": "Destroyed", "17": "Destroyed"})
    assert crowded(full) == 2109
    boxes = position({"11": "Destroyed", "16": "Destroyed", "17": "Destroyed", "18": "Rail", "9": "Rail", "6": "Rail"})
    assert crowded(boxes) == 0  # NR-8.11 is for the map
    d = table({"4": "2109", "6": "2109", "9": "2109", "NW": "2209"}, ThinMoved, cut=("6",))
    assert offered(d) == {"leave 4", "leave 6", "leave 9"}
    assert rule_of(d, "leave NW") == "NR-8.11"
    d.order(AXIS, "leave 6")
    assert (where(d, "6"), asked(d) == "excess_moved axis") == ("Destroyed-", False)
    alone = table({"Rsv": "2410", "Kal": "2411", "4": "2109"}, EndMovement, side=SOVIET, turn=8)
    assert where(alone, "Rsv") == "Destroyed"
    together = table({"Rsv": "2410", "Kal": "2410"}, EndMovement, side=SOVIET, turn=8)
    assert where(together, "Rsv") == "2410"
    theirs = table({"Rsv": "2410", "Kal": "2411", "4": "2109"}, EndMovement, side=AXIS, turn=8)
    assert where(theirs, "Rsv") == "2410"  # at the end of its own side's movement


# Unloading


def test_nr_8_20_8_21_8_22_8_23_8_24_where_units_get_off():
    held = cities(SOVIET, "Gorki")
    s = position({"Kal": "Rail", "4": "2309", "Bry": "2105", "NW": "2607"}, held=held)
    found = set(unloadable(s, CODES["Kal"]))
    zone = bits(s.zone(AXIS))
    grid = CHART.board.grid
    assert found
    assert not found & zone
    assert place("Gorki") not in found  # no room
    edge = bits(CHART.edge[SOVIET])
    for cell in found:
        assert any(grid.distance(cell, start) <= 3 for start in (*edge, place("Gorki"))), cell
    assert CHART.finland not in found
    assert {1805, 2108} & found
    assert 1705 not in found  # four hexes from Gorki
    burnt = position({"Kal": "Rail"}, held=held, scorched=(place("Gorki"),))
    assert place("Gorki") not in unloadable(burnt, CODES["Kal"])
    assert 1805 not in unloadable(burnt, CODES["Kal"])  # it supplies nobody
    new = position({"Kal": "Rail"}, held=held, taken=(place("Gorki"),))
    assert place("Gorki") not in unloadable(new, CODES["Kal"])
    d = table({"Kal": "Rail", "Bry": "2105", "4": "2309", "6": "Rail"}, Unloading, side=SOVIET, held=held)
    assert [rule_of(d, f"unload {text}") for text in ("Bry 2106", "6 2106", "Kal 9999", "Kal 2308", "Kal 2105")] == [
        "NR-8.20", "NR-8.20", "NR-8.21", "NR-8.22", "NR-8.24",
    ]  # fmt: skip
    assert offered(d) == {"done", *(f"unload Kal {cell:04d}" for cell in unloadable(d.state, CODES["Kal"]))}
    d.state.reserve = CODES["Kal"]
    d.state.holders[2106] = AXIS
    d.order(SOVIET, "unload Kal 2106")
    assert (where(d, "Kal"), d.state.reserve) == ("2106", -1)
    assert d.state.holders[2106] == SOVIET  # it takes the place


# Supply


def test_nr_6_2_6_3_6_4_6_5_6_11_where_supply_comes_from():
    s = position({}, held=cities(SOVIET, "Gorki", "Leningrad"))
    edge = bits(CHART.edge[SOVIET])
    assert place("Gorki") in bits(land_sources(s, SOVIET))
    assert bits(land_sources(s, SOVIET)) - edge <= {place("Gorki"), place("Leningrad")}
    own = bits(sources(s, SOVIET))
    assert bits(CHART.coast["caspian"]) <= own
    assert bits(CHART.coast["baltic"]) <= own
    assert bits(CHART.coast["black_sea"]) <= own
    without = position({}, held=cities(SOVIET, "Gorki"))
    only = bits(CHART.coast["baltic"]) - bits(CHART.coast["black_sea"]) - edge
    assert not only & bits(sources(without, SOVIET))
    axis = bits(sources(without, AXIS))
    assert only & axis  # the Axis needs no Leningrad
    dry = bits(CHART.coast["caspian"]) - bits(CHART.coast["black_sea"]) - set(CHART.cities)
    assert not dry & axis
    assert place("Gorki") in bits(supplied_area(s, SOVIET))
    cell = next(c for c in CHART.board.near[place("Gorki")] if c < 9000)
    assert cell in bits(land_supplied(s, SOVIET, 1))
    assert cell not in bits(land_supplied(s, SOVIET, 0)) or cell in bits(land_sources(s, SOVIET))


def test_nr_6_4_what_bars_a_line():
    s = position({"4": "2209", "NW": "2310"}, held=cities(SOVIET, "Gorki", "Saratov"))
    for side, cell, is_open in (
        (SOVIET, 2209, False),  # an enemy
        (SOVIET, 2208, False),  # his zone
        (SOVIET, 2310, True),  # his zone, but a friend stands there
        (SOVIET, 2408, True),
        (SOVIET, place("Moscow"), False),  # his city
        (AXIS, place("Gorki"), False),
        (SOVIET, place("Gorki"), True),
        (SOVIET, CHART.finland, False),
        (SOVIET, CHART.balkans[0], False),
    ):
        assert bool(open_places(s, side) & CHART.board.bit[cell]) == is_open, (side, cell)
    cut = position({"4": "2209", "NW": "2310"}, cut=("4",), held=cities(SOVIET, "Gorki", "Saratov"))
    assert open_places(cut, SOVIET) & CHART.board.bit[2208]  # without supply no zone
    burnt = position({}, scorched=(place("Moscow"),), held=cities(SOVIET, "Gorki"))
    assert open_places(burnt, SOVIET) & CHART.board.bit[place("Moscow")]


def test_nr_6_5_1_22_1_23_6_1_units_and_their_neighbours():
    units = {"4": "2410", "6": "2310", "9": "2411", "Fin": "Finland", "1Yug": "Western Balkans", "2Yug": "0318"}
    s = position(units, turn=20, held={**cities(AXIS, "Berlin"), "9002": SOVIET})
    fed = {s.name(unit) for unit in supplied_units(s, AXIS)}
    assert fed == {"Fin"}
    assert {s.name(unit) for unit in supplied_units(s, SOVIET)} == {"1Yug", "2Yug"} - (
        set() if CHART.board.touch(318, CHART.balkans[0]) else {"2Yug"}
    )
    alone = position({"2Yug": "0412", "RumS": "Western Balkans"}, turn=20, held=cities(SOVIET))
    assert not supplied_units(alone, SOVIET)
    d = table({"4": "2410", "6": "0210", "Kal": "2411", "NW": "0315"}, SupplyPhase, cut=("6", "Kal"))
    assert {d.state.name(unit) for unit in d.state.cut} == {"4", "NW"}


def test_nr_6_10_13_06a_who_surrenders():
    units = {"4": "2410", "6": "0210", "9": "2308", "NW": "0511", "11": "2111"}
    s = position(units, cut=("4", "6", "9", "NW"))
    s.put_effect(Effect("spared", AXIS, 2308, until="turn"))
    s.put_effect(Effect("spared", SOVIET, 2410, until="turn"))
    surrender(s, AXIS, Out())
    assert [s.on_map(CODES[code]) for code in ("4", "6", "9", "NW", "11")] == [False, True, True, True, True]
    assert {s.name(unit) for unit in s.cut} == {"9", "NW"}
    assert s.event_vp == -1


# Weather


def test_nr_10_1_10_2_10_3_markers_and_what_can_be_turned():
    assert {turn: markers(position({}, turn=turn)) for turn in (0, 1, 3, 4, 5, 22, 25, 26, 27)} == {
        0: (3, 4, 6), 1: (3, 4, 6), 3: (3, 4, 6), 4: (4, 6, 9), 5: (6, 9, 10), 22: (22, 25, 26), 25: (25, 26),
        26: (26,), 27: (),
    }  # fmt: skip
    s = position({}, turn=3)
    assert [can_flip(s, turn) for turn in (2, 3, 4, 5, 6, 9)] == [False, True, True, False, True, False]
    flip(s, 4, "NR-10.3", Out())
    assert (s.flipped, s.weather_of(4), s.weather_of(3)) == ((4,), "mud", "mud")
    flip(s, 3, "NR-10.3", Out())
    assert (s.flipped, s.weather) == ((3, 4), "clear")
    flip(s, 4, "NR-10.3", Out())
    assert (s.flipped, s.weather_of(4)) == ((3,), "snow")
    t = position({}, turn=3)
    assert [set_to(t, turn, weather, "NR-10.3", Out()) for turn, weather in (
        (3, "mud"), (3, "snow"), (5, "mud"), (29, "mud"), (9, "clear"),
    )] == [True, False, False, False, False]  # fmt: skip
    assert t.flipped == ()
    assert set_to(t, 4, "mud", "NR-10.3", Out())
    assert t.flipped == (4,)


def test_nr_10_7_10_8_10_9_10_10_first_snow_and_long_winter():
    def at(turn, flipped=(), snow_turn=0, **kept):
        s = position({}, turn=turn, flipped=flipped, snow_turn=snow_turn, **kept)
        begin(s)
        return s.snow_turn, s.long_winter

    assert at(4) == at(4, (), 4) == (4, False)
    assert at(4, (4,)) == (0, False)  # mud
    assert at(5, (), 4) == (4, True)
    assert at(5, (4,)) == (5, False)
    assert at(6, (6,), 4) == (4, True)  # the third Snow turn
    assert at(6, (), 4) == (4, False)
    assert at(11, (), 4) == (4, True)
    s = position({}, turn=4)
    begin(s)
    flip(s, 4, "NR-10.3", Out())
    assert s.snow_turn == 0  # it was none
    flip(s, 4, "NR-10.3", Out())
    assert s.snow_turn == 4
    winter(s)
    assert not s.long_winter
    t = position({}, turn=5, long_winter=True, flipped=(4,))
    winter(t)
    assert not t.long_winter
    other = position({}, turn=3)
    begin(other)
    flip(other, 4, "NR-10.3", Out())
    assert other.snow_turn == 0


def test_nr_14_6_until_when_weather_is_not_managed():
    year, always = {"plain_weather": "1941"}, {"plain_weather": "always"}
    assert [managed(position({}, turn=turn, options=year)) for turn in (1, 4, 5, 28)] == [False, False, True, True]
    assert [managed(position({}, turn=turn, options=always)) for turn in (1, 28)] == [False, False]
    assert [managed(position({}, turn=turn)) for turn in (1, 4, 5)] == [True, True, True]


# Moves by events


def test_nr_9_13_5_21_13_18a_13_39a_13_41s_moves_by_events():
    units = {"4": "1910", "6": "1808", "9": "1812", "1Pz": "2009", "Fin": "Finland", "NW": "2010"}
    s = position(units, blows={"1812": SOVIET})
    assert [free_to_manoeuvre(s, CODES[code]) for code in ("4", "6", "9", "Fin")] == [False, True, False, False]
    four = tuple(CODES[code] for code in ("4", "6", "9"))
    d = table(units, ManoeuvreMove, side=SOVIET, frame=Manoeuvre(AXIS, four, 1, 2), blows={"1812": SOVIET})
    near = {1807, 1908, 1809, 1709, 1708, 1707}
    assert offered(d) == {"done", *(f"move 6 {cell:04d}" for cell in near)}
    wrong = ("4 1809", "9 1813", "1Pz 2008", "6 1806", "6 1808", "6 1807-1806")
    assert [rule_of(d, f"move {text}") for text in wrong] == ["NR-5.21"] * 6
    d.order(AXIS, "move 6 1807")
    assert (where(d, "6"), asked(d) == "manoeuvre axis") == ("1807", False)
    far = {"4": "1808", "6": "1708"}
    two = tuple(CODES[code] for code in ("4", "6"))
    one = table(far, ManoeuvreMove, side=SOVIET, frame=Manoeuvre(AXIS, two, 2, 1))
    assert 1806 in reaches(one, "4")
    one.order(AXIS, "move 4 1806")
    assert asked(one) != "manoeuvre axis"  # one unit at most
    single = table(far, ManoeuvreMove, side=SOVIET, frame=Manoeuvre(AXIS, two, 99, 2, single=True))
    assert reaches(single, "4") == {cell for cell in CHART.board.near[1808] if fits(single.state, CODES["4"], cell)}
    single.order(AXIS, "move 4 1807")
    assert reaches(single, "4") == set()
    assert reaches(single, "6")
    mud = table({"1Pz": "1808"}, ManoeuvreMove, side=SOVIET, turn=9, frame=Manoeuvre(AXIS, (CODES["1Pz"],), 99, 1))
    assert max(CHART.board.grid.distance(1808, cell) for cell in reaches(mud, "1Pz")) == 3  # what the weather leaves


# Where units come in


def test_nr_7_12_12_4_11_30_11_33_11_34_11_35_11_36_1_22_where_units_come_in():
    held = {**cities(AXIS, "Berlin", "Vienna", "Warsaw", "Budapest", "Minsk"), "Ploesti": SOVIET, "1021": SOVIET}
    s = position({"NW": "0411", "Kal": "1022"}, turn=20, held=held)

    def rule(code, origin):
        return entrance(gates(s, CODES[code], origin), room_for(s, CODES[code])).rule

    assert [rule(code, origin) for code, origin in (
        ("VBer", READY), ("VPos", READY), ("1Hun", READY), ("Fest1", READY), ("AGE", READY), ("RumS", READY),
        ("1Yug", READY), ("Pol", READY), ("Kal", READY), ("4", SHATTERED), ("4", DESTROYED), ("2", READY),
        ("Fin", DESTROYED), ("Len", DESTROYED),
    )] == [
        "NR-12.4", "NR-12.4", "NR-11.30", "NR-11.30", "NR-11.33", "NR-11.34", "NR-11.35", "NR-11.36", "NR-7.13",
        "NR-7.12", "NR-7.12", "NR-7.12", "NR-1.22", "NR-7.13",
    ]  # fmt: skip
    assert [rule(code, DESTROYED) for code in ("Pol", "1Hun", "AGE", "RumS", "Mos")] == [
        "NR-7.13", "NR-7.12", "NR-7.12", "NR-7.13", "NR-7.13",
    ]  # fmt: skip
    assert place("Posen") not in entries(position({"NW": "0411"}, turn=20), CODES["4"], DESTROYED)  # an enemy zone
    assert entries(s, CODES["VBer"], READY) == (210,)
    assert entries(s, CODES["VPos"], READY) == ()
    assert set(entries(s, CODES["Fest1"], READY)) == {210, 316}
    hun = set(entries(s, CODES["1Hun"], READY))
    assert place("Budapest") in hun
    assert all(CHART.board.grid.distance(cell, place("Budapest")) <= 4 for cell in hun)
    assert any(CHART.board.grid.distance(cell, place("Budapest")) == 4 for cell in hun)
    age = set(entries(s, CODES["AGE"], READY))
    assert CHART.balkans[0] in age
    assert CHART.balkans[1] not in age
    assert all(s.holders[cell] == AXIS for cell in age - {CHART.balkans[0]})
    assert set(entries(s, CODES["1Yug"], READY)) == set(CHART.balkans)
    rum = entries(s, CODES["RumS"], READY)
    assert all(s.holders[cell] == SOVIET and CHART.board.grid.distance(cell, 921) <= 2 for cell in rum)
    assert set(entries(s, CODES["4"], SHATTERED)) <= {210, 316, 417, 611, 1109}
    assert place("Posen") not in entries(s, CODES["4"], SHATTERED)
    assert place("Minsk") not in entries(s, CODES["4"], DESTROYED)
    assert entries(s, CODES["Fin"], DESTROYED) == (CHART.finland,)
    assert germany(s) & CHART.board.bit[place("Warsaw")]
    lost = position({}, turn=20, held=cities(SOVIET, "Warsaw"))
    assert germany(lost) == CHART.reich
    hungary = bits(CHART.map.regions["hungary"].mask) - {place("Budapest")}
    assert hungary & set(entries(position({}, turn=8), CODES["2Hun"], READY))
    ally = position({}, turn=8, held=cities(AXIS, "Berlin", "Budapest", "Ploesti", "Vienna"))
    assert place("Budapest") in entries(ally, CODES["2Hun"], READY)
    assert place("Berlin") not in entries(ally, CODES["2Hun"], READY)
    assert place("Ploesti") in entries(position({}, turn=8), CODES["3Rum"], DESTROYED)
    assert place("Budapest") not in entries(ally, CODES["3Rum"], DESTROYED)
    assert place("Berlin") in entries(ally, CODES["8Ita"], READY)
    moscow = position({"NW": "Moscow"}, turn=8)
    assert place("Moscow") not in entries(moscow, CODES["Mos"], READY)
    assert place("Gorki") in entries(moscow, CODES["Mos"], READY)


def test_nr_3_8_14_5_support_of_the_last_turn_ends():
    helped = Rows({SOVIET: CODES["Kal"], AXIS: CODES["4"]})
    d = table({"Kal": "2410", "4": "0210"}, BeginMovement, side=SOVIET, helped=helped,
              options={"local_support": True})  # fmt: skip
    assert dict(d.state.helped.items()) == {AXIS: CODES["4"]}
    assert PlayerTurn(AXIS).stage == 0


def test_nr_8_5_6_6_1_1_who_has_a_zone():
    s = position({"4": "2109", "Len": ("2211", "+"), "Rsv": "2410", "NW": "2413", "AGE": "Western Balkans",
                  "6": "Rail"},
                 turn=20)  # fmt: skip
    assert bits(s.zone(AXIS)) == set(CHART.board.near[2109])
    assert bits(s.zone(SOVIET)) == {c for c in CHART.board.near[2413] if bits(s.zone(SOVIET)) & {c}}
    assert bits(s.zone(SOVIET)) <= set(CHART.board.near[2413])
    s.mark_cut(CODES["4"], cut=True)
    assert s.zone(AXIS) == 0
    s.mark_cut(CODES["4"], cut=False)
    assert s.zone(AXIS)
    s.turn_over(CODES["Len"], strong=False)
    assert bits(s.zone(SOVIET)) & set(CHART.board.near[2211])
    s.put(CODES["4"], 2108)
    assert bits(s.zone(AXIS)) == set(CHART.board.near[2108])


def test_nr_8_1_14_4_fortified_fronts_march_and_the_finns_never():
    d = table({"Fort1": "2410", "4": "0210", "NW": "2412"}, side=SOVIET, turn=8)
    assert {2309, 2409} <= reaches(d, "Fort1")
    fin = table({"Fin": "Finland", "4": "0210"})
    assert rule_of(fin, "move Fin 1302") == "NR-8.1"
    assert not reaches(fin, "Fin")


def test_nr_3_8_13_17a_the_phase_goes_on_after_an_event():
    d = table({"4": "2109", "NW": "2413"}, axis=(17,))
    through(d.order(AXIS, "event 17 2109"))
    assert asked(d) == "march axis"
    assert allowance(d.state, CODES["4"]) == 6


def test_nr_8_26_8_21_no_reserve_and_no_burnt_city():
    none = table({"Rsv": "Rail", "4": "Rail"}, UnloadReserve, turn=8)
    assert asked(none) != "unload_reserve soviet"  # no unit has the marker
    grid = CHART.board.grid
    edge = bits(CHART.edge[SOVIET])
    found = [
        (a, b)
        for a in CHART.cities
        for b in CHART.cities
        if a < 9000 and b < 9000 and grid.distance(a, b) == 4 and min(grid.distance(b, cell) for cell in edge) > 4
    ]
    for near_, burnt in found:
        held = cities(SOVIET, CHART.board[near_].name, CHART.board[burnt].name)
        whole = position({"Kal": "Rail"}, held=held)
        if burnt not in unloadable(whole, CODES["Kal"]):
            continue
        black = position({"Kal": "Rail"}, held=held, scorched=(burnt,))
        assert burnt not in unloadable(black, CODES["Kal"])
        return
    raise AssertionError("no two cities stand four hexes apart")


def test_nr_8_25_10_10_raw_numbers_and_what_the_removal_phase_reckons():
    d = table({"Kal": "2410", "Bry": "2411", "Cen": "2412"}, side=SOVIET, turn=5, soviet=(5, 6))
    assert d.check(SOVIET, Reserve(999)).rule == "NR-8.25"
    d.order(SOVIET, "rail Kal", "reserve Bry")
    assert offered(d) == {"done"}  # no rail any more, paid or free
    s = position({"Kal": "2410"}, turn=5)
    Remove().run(s, PlayerTurn(SOVIET), Out())
    assert s.long_winter
    clear = table({"Kal": "2410", "4": "0210"}, ClearMarkers, side=SOVIET)
    assert not asked(clear).startswith("clear_markers")
