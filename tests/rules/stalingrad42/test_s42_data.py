"""The data of Stalingrad '42: map, set-up, arrivals and tables are those of rulebook and sources, or fit them."""

from collections import Counter
from itertools import pairwise

import pytest

from pbem.kit import Shift, reckon
from pbem.kit.board import AREA, PROVENANCE
from pbem.kit.datafile import problems
from pbem_rules.stalingrad42 import chart as made
from pbem_rules.stalingrad42.chart import AXIS, CITY, DATA, LADDER, OPEN, OTHER, SIDES, SOVIET, chart_of, check_data
from pbem_rules.stalingrad42.movement.terrain import bridged
from tests.rules.changed import changed, dropped, replaced, table

CHART = chart_of(DATA)
MAP, BOARD, GRID = CHART.map, CHART.board, CHART.board.grid
FILES = ("map", "counters", "setup", "turns", "tables")
WEST = MAP.regions["west"]

# The start cards: hex and units; a dash is a step lost.
AXIS_SETUP = """
1300 2A-HQ; 1500 385ID; 1501 45ID 95ID 383ID 177/243StuG; 1202 4PzA-HQ Sup-A1; 1401 9Pz 11Pz 3PzG; 1402 82ID 88ID
377ID; 1303 24Pz 16PzG GD; 1203 387ID; 1003 340ID; 1304 6LHun; 1204 9LHun; 1205 7LHun; 1517 6A-HQ; 1207 57ID; 1209
168ID; 1211 75ID; 1412 305ID 389ID; 1613 100Jg 376ID; 1714 113ID 336ID; 1715 79ID 294ID; 1716 71ID 297ID; 1717 62ID
44ID-; 1515 3Pz 23Pz- 29PzG-; 1415 244/245StuG 369Cro; 1518 384ID; 1824 1PzA-HQ; 1719 1Rom 20Rom; 1721 4Rom; 1620
2Rom; 1421 454Sec; 1621 97Jg; 1722 101Jg; 1523 1Mtn; 1823 68ID-; 1923 257ID; 2024 295ID; 2225 94ID 76ID; 1926 22Pz;
2027 60PzG; 2029 14Pz-; 2331 17A-HQ; 2326 370ID; 2327 111ID; 2427 Celere Pasubio Torino Barbo; 2529 198ID 4Mtn;
2531 Slovak Wiking; 2533 13Pz- 125ID-; 2634 298ID 73ID- 4Bic; 1936 5CavRom
"""
SOVIET_SETUP = """
1600 15/143RD 129TB; 1800 106RB; 1502 121RD 160RD- 111RB; 1403 212RD 141RB; 1305 45RD 62RD-; 1802 16TC 119RB; 2002
Bryansk-HQ 284RD 115/116TB; 1604 6RD- 14/170TB; 1307 8NKVD 1MB; 1309 227RD- 297RD; 1311 301RD- 10TB; 1510 4TC
226/343RD; 1512 76/293RD 124RD-; 1713 13GRD- 169RD 90TB; 1813 15GRD- 65TB 38/175RD; 2013 23TC; 1611 13TC; 1911
SW-HQ 24TC; 1815 9GRD 3GCC 6GTB; 1816 162/300RD 277RD- 1TD; 1818 199/278RD- 242/255RD; 1819 106/333RD 81/304RD-;
1821 51/140RD; 2022 296/318RD; 2017 22TC-; 2120 5CC- 159TB 14TC-; 2023 295RD 275RD; 2224 218/349RD 102/230RD 121TB;
2425 4RD 261RD-; 2426 73/176RD 74RD; 2528 216RD 353RD; 2629 395RD 383RD; 2828 228/347RD 64TB; 2725 South-HQ 140TB;
2631 31RD 76NB; 2633 339RD 68NB; 2734 30RD 16RB; 2832 2GRD 63TB; 2503 17TC 2TD VorNKVD; 3134 9NKVD; 2936 91/302RD;
2338 116CD; 3139 12CD; 3241 15CD NCauc-HQ; 3434 110/115CD; 3806 141/206RD 174/232RD 219RD 309RD; 3322 335/341RD-
"""
AXIS_ARRIVALS = """
3 y Sup-A2;
4 z 10LHun 12LHun;
5 y 323ID;
6 x Sforzesca Ravenna;
7 x 18Rom;
8 x 6CavRom 9CavRom
"""
SOVIET_ARRIVALS = """
2 a 2TC 11TC;
3 m 14GRD 1/127RD 153RD 197RD 203RD;
4 b 107/159RD 161/193RD 195/303RD 180TB;
5 east 29RD 214RD 229RD;
6 east 112RD 131RD 18RD 167/237RD 25GRD;
7 east 28TC- 1TC- 204RD 126RD;
8 east 205/321RD 208RD 98RD
"""


def lines(text):
    return [line.split() for line in text.replace("\n", " ").split(";") if line.strip()]


def at(name):
    found = BOARD.place_named(name)
    assert found is not None, name
    return found


def steps(unit, lost=0):
    """What counts as steps: those of combat units that are no artillery support."""
    return 0 if CHART.stacks_free(unit) else CHART.units[unit].steps - lost


def standing(side):
    """Where units begin: place -> their numbers."""
    found = {}
    for start in CHART.starts.values():
        if CHART.units[start.unit].side == side:
            found.setdefault(start.place, []).append(start.unit)
    return found


def fighters(side):
    """The places with a combat unit."""
    return {place for place, units in standing(side).items() if any(CHART.units[u].faces[0].defence for u in units)}


def sides_of(name):
    return {(a, b) for (a, b), found in MAP.side_names.items() if found == name and a < b}


def corners(a, b):
    """The two corners of a hexside, each as the hexes that meet there; beyond the map there is one more."""
    return [frozenset((a, b, c)) for c in (*sorted(set(GRID.neighbours(a)) & set(GRID.neighbours(b))), -1)][:2]


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_of_its_schema(name):
    assert problems(name, DATA[name]) == []


def test_every_value_says_where_it_comes_from():
    assert {item["provenance"] for item in DATA["setup"]["units"]} == {"source"}
    assert MAP.source("terrain", 2013) == "source"
    assert MAP.source("terrain", at("Voronezh")) == "inferred"
    assert MAP.source("vp", at("Voronezh")) == "source"
    assert MAP.source("name", at("Izyum bend")) == "rulebook"
    assert MAP.side_source("primary_road", 1003, 1103) == "ours"
    assert MAP.side_source("secondary_road", 1600, 1601) == "source"
    assert MAP.entries["m"].provenance == "source"
    assert MAP.entries["n"].provenance == "ours"
    assert CHART.track.source(8, "marks") == "rulebook"
    assert CHART.track.source(8, "german_infantry") == "ours"
    assert CHART.stand.source(3, 1) == "rulebook"
    assert CHART.stand.source(3, 0) == "ours"
    assert {unit.provenance for unit in CHART.units} <= set(PROVENANCE)


# The grid.


def test_s42_2_2_1_2_2_3c_the_hexes_of_map_a():
    """Columns 10 to 41, rows 00 to 42; the west edge is stepped, and 36 hexes are sea."""
    hexes = [place for place in BOARD.places.values() if place.kind != AREA]
    assert len(hexes) == 1202
    assert sum(place.terrain == "sea" for place in hexes) == 36
    first = [min(place.id // 100 for place in hexes if place.id % 100 == row) for row in range(43)]
    assert first[:17] == [12, *[10] * 16]
    assert first[17:37] == sorted(first[17:37])
    assert (first[18], first[24], first[30], first[35]) == (13, 16, 18, 19)
    assert all(4100 + row in BOARD for row in range(43))


def test_neighbours_of_odd_and_even_columns():
    assert set(GRID.neighbours(2503)) == {2502, 2602, 2603, 2504, 2403, 2402}
    assert set(GRID.neighbours(2403)) == {2402, 2503, 2504, 2404, 2304, 2303}
    assert GRID.distance(4100, 4111) == 11


def test_places_that_rules_and_set_up_name():
    names = {2002: "Kastornoye", 2013: "Valuyki", 1003: "Kursk", 2338: "Yeysk", 3139: "Kushchevskaya"}
    names |= {2503: "Voronezh", 1015: "Kharkov", 2029: "Stalino", 3134: "Rostov", 3806: "Novokhopersk"}
    assert {place: BOARD[place].name for place in names} == names
    majors = {str(BOARD[p].name) for p in BOARD.places if BOARD[p].terrain == "major_city"}
    assert majors == {"Kharkov", "Stalino", "Voronezh", "Rostov"}
    assert sum(place.terrain == "minor_city" for place in BOARD.places.values()) == 13
    assert {BOARD[p].name for p in BOARD.marked("town")} == {
        "Millerovo",
        "Morozovsk",
        "Salsk",
        "Stary Oskol",
        "Usman",
        "Valuyki",
        "Yeysk",
    }


# Rivers.


def test_s42_9_5_5_the_izyum_bend_has_four_river_sides():
    sides = [near for near in GRID.neighbours(1521) if "minor_river" in BOARD.edges[1521, near]]
    assert sorted(sides) == [1420, 1421, 1522, 1621]


def test_the_don_parts_voronezh_from_2403():
    assert "major_river" in BOARD.edges[2403, 2503]
    assert CHART.road(2403, 2503)  # over a bridge


@pytest.mark.parametrize(
    ("name", "pieces"),
    [("Don", 2), ("Donets", 1), ("Oskol", 1), ("Aidar", 1), ("Sal", 1), ("Mius", 1), ("Tikhaya Sosna", 1)],
)
def test_rivers_are_unbroken(name, pieces):
    """The Don leaves the map above Veshenskaya and comes back below Tsimlyansk."""
    todo, found = sides_of(name), 0
    while todo:
        found += 1
        edge = [todo.pop()]
        while edge:
            ends = set(corners(*edge.pop()))
            joined = {side for side in todo if ends & set(corners(*side))}
            todo -= joined
            edge += joined
    assert found == pieces


def test_the_great_rivers_are_major_all_along():
    for name in ("Don", "Donets", "Manych"):
        assert sides_of(name)
        assert all("major_river" in BOARD.edges[side] for side in sides_of(name)), name
    assert "major_river" not in BOARD.edges[1211, 1311]  # the Donets by Belgorod


def test_towns_stand_on_their_banks():
    """As in an atlas: from the town to the far bank the next hex lies over the river."""
    for town, beyond, river in (
        ("Rostov", "Bataysk", "Don"),
        ("Svoboda", 2709, "Don"),
        ("Pavlovsk", 3011, "Don"),
        ("Boguchar", 3314, "Don"),
        ("Kazanskaya", 3616, "Don"),
        ("Veshenskaya", 4017, "Don"),
        ("Konstantinovskaya", 3831, "Don"),
        ("Lisichansk", 2323, "Donets"),
        ("Kamensk", 3326, "Donets"),
        ("Voronezh", 2603, "Voronezh, lower"),
    ):
        far = at(beyond) if isinstance(beyond, str) else beyond
        assert MAP.side_names.get((at(town), far)) == river, town


def test_the_don_parts_the_map():
    """Nobody comes from Kursk to Novokhopersk or Salsk without crossing a river."""
    for goal, river in ((at("Novokhopersk"), {"Don"}), (at("Salsk"), {"Don", "Voronezh, lower"})):
        seen, todo = set(), [at("Kursk")]
        while todo:
            place = todo.pop()
            if place in seen or BOARD[place].terrain == "sea" or BOARD[place].kind == AREA:
                continue
            seen.add(place)
            todo += [near for near in BOARD.near[place] if MAP.side_names.get((place, near)) not in river]
        assert goal not in seen


def test_s42_s1_3e_south_of_the_don_below_row_31():
    seen, todo = set(), [at("Salsk")]
    while todo:
        place = todo.pop()
        if place not in seen and BOARD[place].kind != AREA and BOARD[place].terrain != "sea":
            seen.add(place)
            todo += [near for near in BOARD.near[place] if MAP.side_names.get((place, near)) != "Don"]
    south = MAP.regions["south_of_don"]
    assert set(south.places) == {place for place in seen if place % 100 > 31}
    assert at("Bataysk") in south.places
    assert at("Rostov") not in south.places


def test_s42_23_4_major_rivers_freeze_and_minor_ones_do_not_matter():
    assert CHART.rivers["minor_river"].frozen is None
    assert CHART.rivers["major_river"].frozen == {"mech": 4, "foot": 2}


# Roads and railways.


def test_s42_17_1_railheads_begin_on_green_railway_that_is_joined_to_the_axis():
    assert set(MAP.regions["railheads"].places) == {1303, 1717, 2126, 2427, 2431}
    heads = MAP.regions["railheads"]
    assert not heads.mask & ~(CHART.green & CHART.repaired)
    assert not CHART.repaired & ~WEST.mask
    onward = {head: BOARD.in_mask(CHART.rails.near(head) & CHART.green & ~CHART.repaired) for head in heads.places}
    assert onward == {1303: (1402,), 1717: (1817,), 2126: (2225,), 2427: (2528,), 2431: (2532,)}
    assert not CHART.repaired & BOARD.bit[at("Taganrog")]  # the railhead at 2431 has not come so far


def test_s42_17_1b_green_railways_lead_east():
    """From each railhead of the start green railway goes on, to the towns that the Axis went for."""
    bit = BOARD.bit
    near = {}
    for way in MAP.ways:
        for a, b in pairwise(way.places) if way.feature == "green_rail" else ():
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    ends = {1303: "Voronezh", 1717: "Millerovo", 2126: "Voroshilovgrad", 2427: "Morozovsk", 2431: "Salsk"}
    for head, town in ends.items():
        seen, todo = set(), [head]
        while todo:
            place = todo.pop()
            if place not in seen:
                seen.add(place)
                todo += near.get(place, ())
        assert at(town) in seen, town
        assert all(CHART.green & bit[place] for place in seen)


def test_s42_17_2_2_junctions_are_where_green_lines_meet():
    sides = {frozenset(pair) for pair, edge in BOARD.edges.items() if "green_rail" in edge}
    meet = Counter(place for side in sides for place in side)
    assert set(MAP.regions["junctions"].places) == {place for place, count in meet.items() if count > 2}
    assert set(MAP.regions["junctions"].places) == {2014, 2725, 3135}


def test_no_side_is_green_and_not_green():
    assert not any({"rail", "green_rail"} <= edge for edge in BOARD.edges.values())


REPAIRS = {(1722, 1823), (1817, 2224), (2002, 2013), (2224, 2326), (2327, 2625), (2503, 2708), (2708, 2813)}
REPAIRS |= {(2725, 3322), (2725, 3328), (3134, 3228), (3322, 3328)}


def test_s42_17_1b_stretches_that_are_repaired_when_both_ends_are():
    assert {repair.ends for repair in CHART.repairs} == REPAIRS
    done = CHART.green | CHART.repaired
    for repair in CHART.repairs:
        chain = (repair.ends[0], *repair.hexes, repair.ends[1])
        assert all("rail" in BOARD.edges[a, b] for a, b in pairwise(chain))
        assert not BOARD.mask(repair.hexes) & done
    (kastornoye,) = (repair for repair in CHART.repairs if repair.ends == (2002, 2013))
    assert at("Stary Oskol") in kastornoye.hexes


@pytest.mark.parametrize("hexes", [(2338, 3040), (2000, 2001), (2700, 2602), (3300, 4004)])
def test_s42_17_1c_dead_ends_without_green_are_never_repaired(hexes):
    """Yeysk's line is the rulebook's; the others leave the map without green."""
    rail = MAP.along("rail")
    late = BOARD.mask(place for repair in CHART.repairs for place in repair.hexes)
    for place in hexes:
        assert BOARD.bit[place] & rail
        assert not BOARD.bit[place] & (CHART.green | CHART.repaired | late)


def test_s42_s1_2c_railways_are_joined_to_the_areas():
    """S42-S1.2c: rail links lead on where a railway meets the edge of the map."""
    rail = CHART.green | MAP.along("rail")
    joined = {key for key, entry in MAP.entries.items() if BOARD.mask(entry.places) & rail}
    assert joined >= {"a", "b", "m", "o", "p", "q", "r", "x", "y", "z"}


def test_every_area_has_a_road():
    for entry in MAP.entries.values():
        assert any(BOARD.mask(entry.places) & MAP.along(road) for road in made.ROADS), entry.name


def test_the_better_road_counts():
    assert CHART.road(1303, 1402) == "primary_road"
    assert CHART.road(2002, 2003) == "secondary_road"
    assert CHART.road(3417, 3418) == ""


def test_s42_5_2c_a_way_over_a_river_is_a_bridge():
    """Rostov and Bataysk, Liski and Ostrogozhsk, Belaya Kalitva: road and railway."""
    for a, b in ((3134, 3135), (2608, 2708), (3527, 3627)):
        assert "major_river" in BOARD.edges[a, b]
        assert CHART.road(a, b)
        assert BOARD.edges[a, b] & {"rail", "green_rail"}
        assert bridged(BOARD.edges[a, b])
    assert not bridged(BOARD.edges[3012, 3112])  # the Don


# Areas, forts, victory hexes.


def test_s42_22_2_16_2_2_entry_areas():
    assert CHART.friendly(AXIS) == ("x", "y", "z")
    assert CHART.friendly(SOVIET) == ("a", "b", "m", "n", "o", "p", "q", "r")
    assert MAP.entries["m"].places == tuple(range(4100, 4112))
    owners = Counter(place for entry in MAP.entries.values() for place in entry.places)
    assert {place for place, count in owners.items() if count > 1} == {4100, 4142}  # corners
    for entry in MAP.entries.values():
        assert all(BOARD.edges[entry.area, place] == {"entry"} for place in entry.places)
    east = {place for key in "mnop" for place in MAP.entries[key].places}
    assert east == {4100 + row for row in range(43)}
    for key in "xyz":
        assert all(place in WEST.places for place in MAP.entries[key].places)


def test_s42_6_1b_22_4a_zones_do_not_reach_into_areas():
    assert CHART.zones.of([4105]) == BOARD.mask((4104, 4106, 4004, 4005))


def test_s42_9_7_6_printed_forts_hold_a_soviet_unit_but_around_rostov():
    soviet = fighters(SOVIET)
    counts = {key: len(MAP.regions[key].places) for key in made.FORTS}
    assert counts == {"forts_north": 11, "forts_south": 14, "forts_rostov": 4}
    for key in ("forts_north", "forts_south"):
        assert set(MAP.regions[key].places) <= soviet
        assert all(any(near in WEST.places for near in GRID.neighbours(p)) for p in MAP.regions[key].places)
    assert set(MAP.regions["forts_rostov"].places) == {3033, 3133, 3233, 3034}
    assert all(GRID.distance(place, at("Rostov")) == 1 for place in MAP.regions["forts_rostov"].places)
    assert not any(CHART.is_city(place) for key in made.FORTS for place in MAP.regions[key].places)
    assert max(place % 100 for place in MAP.regions["forts_north"].places) <= at("Kharkov") % 100


def test_s42_24_1_24_1_1a_victory_hexes():
    """Fifteen points on map A, all Soviet at the start."""
    named = {BOARD[place].name: points for place, points in CHART.prizes.items()}
    assert sum(named.values()) == 15
    assert {name for name, points in named.items() if points == 2} == {"Voronezh", "Rostov"}
    assert CHART.prizes[3301] == 1
    assert {CHART.held[place] for place in CHART.prizes} == {SOVIET}
    assert {CHART.held[at(n)] for n in ("Kharkov", "Stalino", "Taganrog", "Mariupol", "Kursk")} == {AXIS}


def test_ports_lie_by_the_sea_or_on_the_lower_don():
    ports = {BOARD[place].name for place in BOARD.marked("port")}
    assert ports == {"Taganrog", "Mariupol", "Rostov", "Yeysk"}
    for name in ports - {"Rostov"}:
        assert any(BOARD[near].terrain == "sea" for near in GRID.neighbours(at(name))), name


# The set-up.


@pytest.mark.parametrize(("side", "text"), [(AXIS, AXIS_SETUP), (SOVIET, SOVIET_SETUP)])
def test_s42_s1_1_units_stand_where_the_start_cards_say(side, text):
    printed = {
        code.rstrip("-"): (place, code.count("-", len(code.rstrip("-"))))
        for place, *codes in lines(text)
        for code in codes
    }
    found = {}
    for start in CHART.starts.values():
        unit = CHART.units[start.unit]
        if unit.side == side:
            found[unit.code] = (f"{start.place:04d}", start.lost)
    assert found == printed


def test_s42_s1_1_counts_of_the_set_up():
    assert Counter(CHART.units[unit].side for unit in CHART.starts) == {AXIS: 78, SOVIET: 93}
    assert len({start.place for start in CHART.starts.values()}) == 96


def test_s42_s1_1_strengths_of_the_set_up():
    found = {}
    for side in SIDES:
        here = [start for start in CHART.starts.values() if CHART.units[start.unit].side == side]
        own = [(start, CHART.units[start.unit].faces[start.lost]) for start in here]
        fight = [(start, face) for start, face in own if not CHART.stacks_free(start.unit)]
        found[side] = (
            sum(steps(start.unit, start.lost) for start, _ in fight),
            sum(face.attack for _, face in fight),
            sum(face.defence for _, face in fight),
        )
    assert found == {AXIS: (177, 352, 422), SOVIET: (135, 236, 335)}


def test_the_axis_stands_west_of_the_line_and_the_soviets_east_of_it():
    assert set(standing(AXIS)) <= set(WEST.places)
    assert not set(standing(SOVIET)) & set(WEST.places)
    touching = sum(near in fighters(SOVIET) for place in fighters(AXIS) for near in GRID.neighbours(place))
    assert touching == 41


def test_s42_20_20_6a_s1_2_who_may_not_move_yet():
    waiting = {}
    for start in CHART.starts.values():
        if start.frozen:
            waiting.setdefault(start.frozen, set()).add((CHART.units[start.unit].code, start.place))
    assert waiting == {
        "garrison": {("VorNKVD", 2503), ("9NKVD", 3134)},
        "caucasus": {("116CD", 2338), ("12CD", 3139), ("15CD", 3241), ("NCauc-HQ", 3241), ("91/302RD", 2936)},
        "army6": {("141/206RD", 3806), ("174/232RD", 3806), ("219RD", 3806), ("309RD", 3806)},
    }


def test_s42_4_1_only_the_6th_reserve_army_stands_over_the_limit():
    over = set()
    for side in SIDES:
        for place, units in standing(side).items():
            counted = [unit for unit in units if not CHART.stacks_free(unit)]
            free = min(1, sum(CHART.has(unit, "free") for unit in counted))
            if len(counted) - free > CHART.limits["stack"][side]:
                over.add(place)
    assert over == {3806}


def test_s42_16_3_1_everybody_is_in_supply_at_the_start():
    """Five hexes to a road that is free of enemy zones as far as an Area; friends cancel zones in their hex."""
    for side in SIDES:
        enemy = fighters(AXIS if side == SOVIET else SOVIET)
        own, zone = fighters(side), CHART.zones.of(enemy)
        ends = {place for key in CHART.friendly(side) for place in MAP.entries[key].places}
        shut = {place for place in BOARD.places if place in enemy or (zone & BOARD.bit[place] and place not in own)}
        shut |= {place for place, holder in CHART.held.items() if holder != side and CHART.is_city(place)}
        road, todo = (
            set(),
            [place for place in ends if any(CHART.road(place, n) for n in GRID.neighbours(place) if n in BOARD)],
        )
        while todo:
            place = todo.pop()
            if place not in road and place not in shut:
                road.add(place)
                todo += [near for near in GRID.neighbours(place) if near in BOARD and CHART.road(place, near)]
        for place in own:
            near, seen = {place}, {place}
            for _ in range(CHART.figures["land"]):
                near = {
                    n
                    for p in near
                    for n in GRID.neighbours(p)
                    if n in BOARD and BOARD[n].terrain != "sea" and n not in enemy and not (n in shut and p in shut)
                } - seen
                seen |= near
            assert seen & road, (side, BOARD[place])


# Counters.


def test_s42_2_3_2a_2_3_5_faces_of_a_panzer_and_an_infantry_division():
    def shown(code):
        return [(face.attack, face.defence, face.move) for face in CHART.unit(code).faces]

    assert shown("23Pz") == [(10, 8, 6), (7, 6, 6), (3, 3, 6)]
    assert shown("75ID") == [(6, 7, 3), (4, 5, 3), (1, 3, 3)]
    assert shown("Wiking") == [(6, 8, 6), (4, 5, 6), (2, 3, 6)]
    assert shown("1Mtn") == [(5, 5, 4), (3, 3, 4)]
    assert [face.value("mountain") for face in CHART.unit("1Mtn").faces] == [10, 6]


def test_s42_2_3_2_3_2_2_3_3d_units_by_class():
    def count(*traits, side=None):
        return sum(set(traits) <= unit.type.traits and side in (None, unit.side) for unit in CHART.units)

    assert (count("asu", side=AXIS), count("asu", side=SOVIET)) == (5, 4)
    assert {CHART.unit(code).faces[0].value("range") for code in ("6A-HQ", "Bryansk-HQ")} == {5}
    assert (count("red"), count("white"), count("panzer")) == (7, 2, 8)
    assert (count("nkvd"), count("mountain"), count("naval")) == (3, 2, 2)
    assert (count("supply", side=AXIS), count("supply", side=SOVIET)) == (10, 8)
    assert count("tank", "corps", side=SOVIET) == 12
    assert all(unit.type.traits >= {"elite"} for unit in CHART.units if unit.marks & {"guards", "nkvd"})
    threes = [unit for unit in CHART.units if unit.steps == 3]
    assert {unit.side for unit in threes} == {AXIS}
    assert {kind for unit in threes for kind in unit.type.traits & CHART.remnants.keys()} == set(CHART.remnants)


def test_s42_2_3_3_infantry_types_and_paces():
    """S42-2.3.3c: cavalry and motorised infantry are infantry; panzergrenadiers and tanks are not."""
    assert all(CHART.has(CHART.unit(code).number, "infantry") for code in ("116CD", "1MB", "Slovak", "4Bic", "8NKVD"))
    assert not any(CHART.has(CHART.unit(code).number, "infantry") for code in ("3PzG", "9Pz", "Celere", "1TD", "6A-HQ"))
    paces = {code: CHART.pace(CHART.unit(code).number) for code in ("9Pz", "1MB", "5CC", "4Bic", "6A-HQ", "Sup-A1")}
    assert paces == {"9Pz": "mech", "1MB": "mech", "5CC": "foot", "4Bic": "foot", "6A-HQ": "mech", "Sup-A1": "mech"}


def test_s42_20_5_2_3_4_nations():
    counts = Counter(CHART.nation(unit.number) for unit in CHART.units if unit.side == AXIS)
    assert counts == {"german": 74, "romanian": 8, "hungarian": 5, "italian": 6, "slovak": 1, "croatian": 1}


# Arrivals and the track.


@pytest.mark.parametrize(("side", "text"), [(AXIS, AXIS_ARRIVALS), (SOVIET, SOVIET_ARRIVALS)])
def test_s42_22_1_22_1_1_22_1_3_s1_2c_arrivals(side, text):
    printed = {
        code.rstrip("-"): (int(turn), where, len(code) - len(code.rstrip("-")))
        for turn, where, *codes in lines(text)
        for code in codes
    }
    assert {a.unit: (a.turn, a.where, a.steps) for a in CHART.track.arrivals if a.side == side} == printed


def test_s42_s1_2h_the_5th_reserve_army_has_five_units():
    assert sum((a.turn, a.where) == (3, "m") for a in CHART.track.arrivals) == 5
    assert CHART.gates("east") == ("m", "n", "o", "p")
    assert CHART.gates("m") == ("m",)


def test_s42_2_1a_3_a_23_1a_s1_1a_the_turn_track():
    track = CHART.track
    assert [turn.number for turn in track] == list(range(1, 9))
    assert {turn.weather for turn in track} == {("clear",)}  # S42-3.A: no roll before turn 17
    marks = {mark: track.marked(mark) for mark in ("tactical", "army6", "stand")}
    assert marks == {"tactical": (1,), "army6": (2,), "stand": (8,)}
    assert track[8].name == "26 Jul-29 Jul"  # S42-11.1.2: the order of 28 July
    benchmarks = [track.value(turn.number, "benchmark") for turn in track]
    assert benchmarks == sorted(benchmarks)
    assert benchmarks[-1] == CHART.victory["win"]
    assert max(benchmarks[:6]) < CHART.victory["automatic"]  # nobody loses with no points before turn 7
    total = {
        key: sum(track.value(t.number, key) for t in track)
        for side in SIDES
        for key in made.REPLACEMENTS[side].values()
    }
    assert total == {
        "german_infantry": 10,
        "german_tank": 4,
        "german_special": 2,
        "hungarian": 1,
        "romanian": 1,
        "italian": 1,
        "allied": 0,
        "ss_regiment": 0,
        "soviet_infantry": 16,
        "soviet_tank": 8,
        "soviet_cavalry": 2,
        "soviet_special": 3,
    }


# The tables.


def test_s42_10_1_11_1_1a_12_1_1a_every_result_occurs():
    assert {cell for row in CHART.crt.cells for cell in row} == set(LADDER)
    retreats = {name: result.retreat for name, result in CHART.results.items()}
    assert retreats == {"A1": 0, "EX": 0, "A1/DR2": 2, "DRX": 2, "DR2": 2, "A1/D1": 2, "D1": 3, "DR4": 4, "DS": 4}
    for name, result in CHART.results.items():
        assert result.advance == result.retreat, name
        assert result.opponent_picks == (name in ("DS", "EX", "DRX"))  # S42-10.2.2
        assert result.stand == (name in ("A1/DR2", "DR2", "A1/D1", "DRX", "D1"))  # S42-11.1.1a
        assert result.after == {0: "no", 4: "routed"}.get(result.retreat, "disrupted")
    assert [(r.attacker, r.defender) for r in (CHART.results[n] for n in ("DS", "A1/D1", "EX", "DR2"))] == [
        (0, 1),
        (1, 1),
        (1, 1),
        (0, 0),
    ]


def test_from_2_to_1_on_a_column_is_worth_a_pip():
    """Carried on past 7:1 the diagonal makes 10:1 certain, as S42-8.4.1 says."""
    cells = CHART.crt.cells
    for die, column in ((d, c) for d in range(5) for c in range(3, 8)):
        assert cells[die][column] == cells[die + 1][column + 1]
    assert [row[-1] for row in cells].count("DS") == 3


# Per column: the attacker loses, the defender loses, he must retreat, and of these without a free choice to stand.
CHANCES = {
    "1:3": (6, 1, 1, 0),
    "1:2": (6, 2, 2, 0),
    "1:1": (5, 2, 3, 0),
    "2:1": (4, 4, 5, 0),
    "3:1": (3, 4, 6, 1),
    "4:1": (2, 4, 6, 2),
    "5:1": (1, 4, 6, 3),
    "6:1": (1, 5, 6, 4),
    "7:1": (0, 5, 6, 5),
}


def test_what_each_column_brings():
    found = {}
    for k in range(9):
        results = [(cell, CHART.results[cell.rstrip("*")]) for cell in (row[k] for row in CHART.crt.cells)]
        found[CHART.odds.name(k)] = (
            sum(r.attacker > 0 for _, r in results),
            sum(r.defender > 0 for _, r in results),
            sum(r.retreat > 0 for _, r in results),
            sum(r.retreat > 0 and ("*" in cell or not r.stand) for cell, r in results),
        )
    assert found == CHANCES


@pytest.mark.parametrize(
    ("attack", "defence", "shift", "column"),
    [
        *((7, 2, 0, "3:1"), (9, 4, 0, "2:1"), (6, 4, 0, "1:1"), (5, 6, 0, "1:2"), (25, 3, 2, "10:1")),
        *((10, 3, 2, "5:1"), (10, 5, 2, "4:1"), (10, 5, 1, "3:1"), (11, 10, 0, "1:1"), (11, 5, 0, "2:1")),
        *((13, 10, 0, "1:1"), (26, 5, 2, "7:1")),
    ],
)
def test_s42_8_3a_odds_are_rounded_for_the_defender(attack, defence, shift, column):
    found = reckon(CHART.odds, attack, defence, [Shift(shift, "S42-9.2", "tanks")])
    assert CHART.odds.label(found.column) == column


def test_rows_of_determined_defence_that_the_rulebook_prints():
    column = CHART.stand.column(OTHER)
    assert CHART.stand.at(2 + CHART.stand_drm["elite"], column) == "F -/-"
    assert CHART.stand.at(4 + CHART.stand_drm["elite"], column) == "S -/1"
    assert CHART.stand_drm == {"elite": 1, "low": -1, "support": 1, "star": -1}


def test_s42_11_4_11_2_1c_11_4_1_faces_that_hold():
    """By modifier: how many of six faces bring success, partial success, failure."""
    found = {
        column: [
            tuple(Counter(CHART.stand.at(die + drm, k)[0] for die in range(1, 7))[mark] for mark in "SPF")
            for drm in (-1, 0, 1, 2)
        ]
        for k, column in enumerate(CHART.stand.columns)
    }
    assert found == {
        OPEN: [(0, 1, 5), (1, 1, 4), (2, 1, 3), (3, 1, 2)],
        OTHER: [(1, 1, 4), (2, 1, 3), (3, 1, 2), (4, 1, 1)],
        CITY: [(2, 2, 2), (3, 2, 1), (4, 2, 0), (5, 1, 0)],
    }


def test_s42_11_2_1b_the_column_goes_by_the_hex():
    assert CHART.stand_column(2004) == OPEN
    assert CHART.stand_column(2004, fort=True) == OTHER
    assert CHART.stand_column(at("Valuyki")) == OTHER  # a town
    assert CHART.stand_column(at("Kastornoye")) == OPEN  # a mere name
    assert CHART.stand_column(2602) == OTHER  # woods
    assert CHART.stand_column(at("Voronezh")) == CHART.stand_column(at("Svoboda"), fort=True) == CITY


def test_costs_of_movement():
    """A point for a clear hex, half a point on a road for vehicles, two to leave a zone, three more if extended."""
    assert CHART.ground["clear"].costs == {"mech": 2, "foot": 2}
    assert [CHART.roads[road].dry for road in made.ROADS] == [{"mech": 1, "foot": 2}] * 2
    assert CHART.roads["primary_road"].wet == {"mech": 1, "foot": 2}
    assert CHART.roads["secondary_road"].wet == {"mech": 2, "foot": 2}  # S42-5.2b
    assert CHART.extra == {"leave_zone": 4, "enter_zone": 0, "area": 2, "extended": 6}
    river = CHART.rivers["major_river"]
    assert (river.costs, river.by_rail) == ({"mech": 6, "foot": 4}, {"mech": 4, "foot": 2})
    assert CHART.rivers["minor_river"].costs == {"mech": 0, "foot": 0}
    assert CHART.rivers["minor_river"].wet == 2


def test_s42_9_what_the_ground_does_for_its_defender():
    assert {kind for kind, ground in CHART.ground.items() if ground.tanks} == {"clear", "rough", "desert"}
    assert {kind: ground.doubled for kind, ground in CHART.ground.items() if ground.doubled != "no"} == {
        "marsh": "all",
        "mountain": "infantry",
        "minor_city": "infantry",
        "major_city": "infantry",
    }
    assert {kind for kind, ground in CHART.ground.items() if ground.shift == -1} == {"rough", "wooded_rough"}
    assert {kind for kind, ground in CHART.ground.items() if ground.fort} == {"clear", "woods", "rough", "desert"}
    slow = {kind for kind, ground in CHART.ground.items() if ground.stops or ground.supply > 1}
    assert slow == {"marsh", "mountain"}


def test_s42_23_2_3b_seasonal_marsh_is_clear_until_the_first_rain():
    marsh = next(place.id for place in BOARD.places.values() if place.terrain == "seasonal_marsh")
    assert CHART.ground_of(marsh) == CHART.ground["clear"]
    assert CHART.ground_of(marsh, rained=True) == CHART.ground["marsh"]


def test_s42_23_1a_weather():
    assert [row[0] for row in CHART.weather.cells] == ["clear"] * 2 * 3
    assert [row[2] for row in CHART.weather.cells] == ["rain", "rain", "overcast", "overcast", "clear", "clear"]
    assert CHART.air == {"clear": 2, "overcast": 1, "rain": 0, "snow": 0, "overcast_winter": 0}


def test_s42_13_5_and_16_5_rally_and_isolation():
    assert CHART.rally == (0, 0, 0, 0, 1, 1)
    assert CHART.isolation == (1, 1, 1, 1, 0, 0)


def test_limits_of_either_side():
    assert CHART.limits["stack"] == {AXIS: 3, SOVIET: 2}
    assert CHART.limits["forts"] == {AXIS: 12, SOVIET: 21}
    assert CHART.limits["mobile"] == {AXIS: 5, SOVIET: 4}
    assert CHART.limits["rail"] == {AXIS: 4, SOVIET: 4}
    assert CHART.limits["railheads"] == {AXIS: 4, SOVIET: 0}
    assert (CHART.figures["land"], CHART.figures["land_wet"], CHART.figures["air"]) == (5, 3, 15)


def test_the_ceiling_is_twenty_points():
    most = sum(CHART.prizes.values()) + 2 * CHART.victory["edge"] + CHART.victory["south_of_don"]
    assert most == 20
    assert CHART.victory["win"] == 8


# What the chart refuses.


def _of(code):
    return lambda item: item.get("unit", item.get("code")) == code


def _key(key):
    return lambda item: item["key"] == key


def face(attack, defence, **more):
    return {"attack": attack, "defence": defence, "move": 3, **more}


def rows(name):
    return next(table for table in DATA["tables"]["tables"] if table["name"] == name)["rows"]


CASES = {
    "a unit twice": ("setup", lambda page: page.update(units=[*page["units"], page["units"][0]]), "placed twice"),
    "a unit nowhere": ("setup", dropped("units", _of("106RB")), "one of the three"),
    "no such unit": ("setup", replaced("units", _of("106RB"), unit="107RB"), "no unit 107RB"),
    "off the map": ("setup", replaced("units", _of("106RB"), hex="1028"), "not a place of the map"),
    "in the sea": ("setup", replaced("units", _of("106RB"), hex="2137"), "is sea"),
    "four in a hex": ("setup", replaced("units", _of("284RD"), hex="1502"), "too many units"),
    "both sides": ("setup", replaced("units", _of("106RB"), hex="1300"), "both sides"),
    "no step left": ("setup", replaced("units", _of("106RB"), steps=1), "has a step left"),
    "waits for nothing known": ("setup", replaced("units", _of("106RB"), frozen="winter"), "known reason"),
    "no such box": ("setup", replaced("boxes", _of("Sup-A3"), box="attic"), "boxes are"),
    "a division in the pool": ("setup", replaced("boxes", _of("Sup-A3"), unit="323ID"), "one of the three"),
    "the other side's Area": ("turns", replaced("arrivals", _of("323ID"), where="a"), "cannot arrive at a"),
    "nobody's Area": ("turns", replaced("arrivals", _of("323ID"), where="w"), "cannot arrive at w"),
    "arrives dead": ("turns", replaced("arrivals", _of("28TC"), steps=2), "with a step at least"),
    "a wrong turn value": ("turns", replaced("turns", lambda i: i["turn"] == 3, values={"rations": 1}), "nothing else"),
    "no such season": ("turns", replaced("turns", lambda i: i["turn"] == 3, season="spring"), "tables know"),
    "a turn less": ("turns", dropped("turns", lambda i: i["turn"] == 8), "which is not there"),
    "no pace": ("counters", replaced("types", _key("so_rifle"), traits=["infantry"]), "mech or foot"),
    "a trait unknown": ("counters", replaced("types", _key("so_rifle"), traits=["foot", "winged"]), "not known"),
    "no nation": ("counters", replaced("units", _of("45ID"), marks=[]), "one nation"),
    "the wrong service": ("counters", replaced("units", _of("45ID"), marks=["guards"]), "one nation"),
    "a new code": ("counters", replaced("units", _of("45ID"), code="46ID"), "no unit 45ID"),
    "stronger when weaker": (
        "counters",
        replaced("types", _key("so_brigade"), faces=[face(1, 1), face(2, 1)]),
        "does not gain",
    ),
    "three steps and no remnant": (
        "counters",
        replaced("types", _key("so_brigade"), faces=[face(2, 2)] * 3),
        "the last one, is a remnant",
    ),
    "elite Soviet tanks": (
        "counters",
        replaced("types", _key("so_tank_corps"), traits=["mech", "tank", "red"]),
        "elite",
    ),
    "support that attacks": (
        "counters",
        replaced("types", _key("so_hq"), faces=[face(1, 1, values={"range": 5})]),
        "supports within a range",
    ),
    "better odds, worse": ("tables", table("crt", rows=rows("crt")[::-1]), "do not get worse"),
    "five rows": ("tables", table("crt", rows=rows("crt")[:5]), "each face of a die"),
    "no such result": ("tables", table("crt", rows=[["A2"] * 9] * 6), "unknown result"),
    "easier in the open": ("tables", table("stand", rows=[row[::-1] for row in rows("stand")]), "does not get harder"),
    "a result less": ("tables", table("results", labels=["A1"] * 9), "label of its own"),
    "ground unknown": (
        "tables",
        table("ground", labels=["bog", *made.GROUNDS[1:]]),
        "the tables do not know|ground are",
    ),
    "no number": ("tables", table("figures", rows=[["five"]] * len(made.FIGURES)), "not a number"),
    "neither yes nor no": (
        "tables",
        table("ground", rows=[[*row[:6], "maybe", *row[7:]] for row in rows("ground")]),
        "fort is one of",
    ),
    "no table": ("tables", dropped("tables", lambda item: item["name"] == "rally"), "tables are"),
    "a column less": ("tables", table("roads", columns=["mech", "foot", "mech_wet", "foot_dry"]), "lacks the column"),
    "odds that end too late": (
        "tables",
        table("crt", columns=["1:3", "1:2", *(f"{n}:1" for n in (1, 2, 3, 4, 5, 6, 10))]),
        "less than 10",
    ),
    "odds from nowhere": (
        "tables",
        table("crt", columns=["2:7", "1:2", *(f"{n}:1" for n in range(1, 8))]),
        "the odds go",
    ),
    "a retreat too long": (
        "tables",
        table("results", rows=[["1", "0", "owner", "9", "no", "0", "no"]] * 9),
        "are 0 to 4",
    ),
    "ground that is free": (
        "tables",
        table("ground", rows=[[*row[:-1], "0"] for row in rows("ground")]),
        "counts 1 to 4",
    ),
    "fewer than none": ("tables", table("figures", rows=[["-5"]] * len(made.FIGURES)), "below nothing"),
    "no turn to stand": ("turns", replaced("turns", lambda i: i["turn"] == 8, marks=[]), "marked stand"),
    "a number too long": ("tables", table("figures", rows=[["500"]] * len(made.FIGURES)), "not a number"),
    "no plain digit": ("tables", table("figures", rows=[["\u0665"]] * len(made.FIGURES)), "not a number"),
    "a cost below nothing": ("tables", table("roads", rows=[["1", "-2", "1", "2"]] * 2), "nothing or more"),
    "steps won by isolation": ("tables", table("isolation", rows=[["0"]] * 5 + [["-1"]]), "below nothing"),
    "a rally backwards": ("tables", table("rally", rows=[["-1"]] + [["1"]] * 5), "below nothing"),
    "no such modifier": ("tables", table("stand_drm", labels=["elite", "low", "support", "moon"]), "stand_drm are"),
    "no such points": ("tables", table("victory", labels=["gain", *made.VICTORY[1:]]), "victory are"),
    "no such figure": ("tables", table("figures", labels=["sea", *made.FIGURES[1:]]), "figures are"),
    "results out of line": (
        "tables",
        table("crt", rows=[*rows("crt")[:5], ["EX", *rows("crt")[5][1:]]]),
        "do not get worse",
    ),
    "no such weather": ("turns", replaced("turns", lambda i: i["turn"] == 3, weather=["hail"]), "tables know"),
    "arrives on the other side": ("turns", replaced("arrivals", _of("323ID"), side=SOVIET, where="a"), "its own side"),
    "arrives on two sides": ("map", replaced("entries", _key("p"), side=AXIS), "cannot arrive at east"),
    "a canal": (
        "map",
        lambda page: page.update(sides=[*page["sides"], {"feature": "canal", "between": ["3417-3418"]}]),
        "do not know",
    ),
    "a river in the sea": (
        "map",
        lambda page: page.update(sides=[*page["sides"], {"feature": "minor_river", "between": ["2137-2138"]}]),
        "there is sea",
    ),
    "points without a mark": (
        "map",
        replaced("hexes", lambda item: item["hex"] == "2800", marks=["town"]),
        "points without the mark",
    ),
    "a mark unknown": (
        "map",
        replaced("hexes", lambda item: item["hex"] == "2800", marks=["vp", "spa"]),
        "do not know",
    ),
    "a limit less": ("tables", table("limits", labels=["stack2", *made.LIMITS[1:]]), "limits are"),
    "unknown ground on the map": ("map", lambda page: page.update(terrain={**page["terrain"], "bog": "w"}), None),
    "no forts": ("map", dropped("regions", _key("forts_rostov")), "regions are"),
    "a railhead cut off": ("map", replaced("regions", _key("railheads"), hexes=["2503"]), "repaired railway ends"),
    "a railhead beside the line": ("map", replaced("regions", _key("railheads"), hexes=["2504"]), "on green railway"),
    "an Area of nobody": ("map", replaced("entries", _key("n"), side="hungary"), "Area of a side"),
    "an Area less": ("map", dropped("entries", _key("q")), "keep their keys"),
}


@pytest.mark.parametrize(("name", "change", "says"), CASES.values(), ids=CASES)
def test_a_file_that_contradicts_is_refused(name, change, says):
    with pytest.raises(ValueError, match=says):
        check_data(changed(DATA, FILES, name, change))


def test_the_printed_files_pass():
    check_data(DATA)


def test_s42_2_3_5a_german_panzer_and_panzergrenadier_divisions_have_three_steps():
    """But 22 Pz; and of all others in Fall Blau infantry divisions of the Germans alone have as many."""
    tracked = [unit for unit in CHART.units if unit.type.traits & {"panzer", "grenadier"}]
    assert {unit.code for unit in tracked if unit.steps != 3} == {"22Pz"}
    others = [unit for unit in CHART.units if unit.steps == 3 and unit not in tracked]
    assert all({"infantry", "division"} <= unit.type.traits and "german" in unit.marks for unit in others)


def test_s42_9_7_6a_24_1_1a_nothing_important_lies_in_the_sea_or_twice():
    """Roads and railways go from hex to hex over land; forts, ports, railheads and victory hexes lie on land."""
    for way in MAP.ways:
        assert all(GRID.distance(a, b) == 1 for a, b in pairwise(way.places))
        if way.feature != "minor_river" and way.feature != "major_river":
            assert not any(BOARD[place].terrain == "sea" for place in way.places)
    keys = (*made.FORTS, "railheads", "junctions")
    spots = [place for key in keys for place in MAP.regions[key].places]
    assert not any(BOARD[place].terrain == "sea" for place in (*spots, *CHART.prizes, *BOARD.marked("port")))
    forts = [place for key in made.FORTS for place in MAP.regions[key].places]
    assert len(set(forts)) == len(forts)
