"""The data of Stargard Solstice: map, set-up, arrivals and tables are those of the rulebook, or agree with it."""

from collections import Counter
from itertools import pairwise

import pytest

from pbem.kit import parse_hex
from pbem.kit.board import PROVENANCE
from pbem.kit.datafile import problems
from pbem_rules.stargard import chart as made
from pbem_rules.stargard.chart import BOXES, DATA, GERMAN, LADDER, SIDES, SOVIET, WAYS, chart_of, check_data
from tests.rules.changed import changed, dropped, replaced, table

CHART = chart_of(DATA)
MAP, BOARD, GRID = CHART.map, CHART.board, CHART.board.grid
FILES = ("map", "counters", "forces", "setup", "turns", "tables")


# SG-15.1, SG-15.2: hex and units; +1 is within one hex.
GERMANS = """
0418 StellII-HQ; 0106 Pommern; 0307 Klein/Den; 0808 II/26FJ/Den; 0411+1 PzJG54/9FJ PzJG53/9FJ PzJG51/9FJ
9J/9FJ 9P/9FJ FJzbV/9FJ; 0414 I/26FJ/9FJ; 0607 Engel/Den; 0705 F-Bahn Schmeling; 1008 6J/Den; 1307 EaU
PyritzII; 1409 Rein/Den; 1209 HessenI; 1208 HessenII; 1013 39Pz-HQ; 1617+1 44Pz/233 142/233 139/233 144P/233
144J/233; 1715 44A/233; 1016 22/10SS; 1316 Lang/10SS 10A/10SS; 1216 21/10SS; 1116 10P/10SS 10J/10SS; 1415
StuG/10SS; 1113 4Pz/4SS; 1214 8/4SS; 1215 4A/4SS; 1012 7/4SS; 1711 69/28SS; 2012 70/28SS; 1812 28J/28SS;
2011 28P/28SS; 2715 3SSPz-HQ; 2213 Oehms/27SS 27J/27SS; 2312 Rehman/27SS 27P/27SS; 2516 503SS; 2608
F-Arnswalde Voigt; 2512 HvS/11SS; 2412 23/11SS 11A/11SS; 2612 24/11SS SchulzStreek; 3019 102Pz/FB; 2918
673J/FB; 3216 120P/FB; 3015 100/FB; 2319 Klotz/23SS; 2518 49/23SS; 2419 23J/23SS; 2911 Suelberg; 3013
Schaefer; 1615 Munzel-HQ; 2922 911/FG; 4118 101Pz/FG; 2923 124P/FG; 4216 99/FG; 1613 951P; 1513 100/104PJ;
1416 4J/104PJ; 1714 2J/104PJ; 1815 3J/104PJ; 1915 1A/104PJ; 1413 5Jaeg/104PJ; 3621+1 281P/281 368/281
322/281 418/281; 3921 10SS-HQ; 4021 Kausch; 3815 Scha/z402; 3214 Kohl/z402; 4015 Mens/z402; 3414 Hard/z402;
4824 56J/5J; 4722 75J/5J; 4823 5P/5J; 4618 FHJ3/LEH; 4418 FHJ1/LEH; 4718 FHJ4/LEH; 4217 FHJ2/LEH
"""
SOVIETS = """
1605 2GT-HQ; 1106 19M/1M; 0605 35M/1M; 0205 37M/1M; 0806 219T/1M; 1303 6GT; 1908 79GT; 1202 18ENG; 1305
33G/9GT 65GT/9GT; 1407 47GT/9GT 50GT/9GT; 1411 48GT/12GT; 1708 66GT/12GT; 1609 49GT/12GT; 1511 34G/12GT;
2906 61-HQ; 2609 85T; 2502 38ENG; 2410 212/80; 2708 356/80; 2109 75G/9G 152; 3012 415/9G; 3312 12G/9G; 2810
23/89; 2308 311/89; 4013 397/89; 3009 11GdT; 3110+1 Konst-HQ 14GC/7GC 15GC/7GC 16GC/7GC; 2607 119UR/7GC;
3806 47-HQ; 2301 143/129; 2301 82/129; 1304 185/77; 3813 76/125; 4514 4/Pol; 4416 2/Pol; 4517 1C/Pol; 4717
6/Pol; 4515 1T/Pol
"""
# SG-15.3: turn, where, units.
GERMAN_ARRIVALS = """
1 cup 11Pz-AOK; 1 a 1/1Mar; 2 train 234P/163 310/163 307/163 324/163 234J/163; 4 cup 3Pz-AOK;
8 b 2/1Mar 1P/1Mar 4/1Mar 210
"""
SOVIET_ARRIVALS = """
1 cup 47; 1 d 88GT 132/129; 1 f 364/7 265/7 207/79 115UR; 1 g 1Pol-HQ 1/Pol;
2 cup 1Pol 3Sh; 2 e 146/7; 2 f 3Sh-HQ 260/129; 2 g 3/Pol 1Eng/Pol 2Eng/Pol;
3 cup 1BRF; 3 d 328/77; 3 e 8MR/9T 95T/9T 23T/9T 108T/9T 36GT/9T 2AES;
3 f 25ENG 150/79 171/79 33/12G 52G/12G 23G/12G; 3 g 4T/Pol; 4 air_army_16 9GA; 4 c 234/77;
6 c 175/125 18ENG-2 70GT; 7 cup 1GT;
7 d 1GT-HQ 64GT 19 17ENG 40GT/11GT 44GT/11GT 45GT/11GT 27GR/11GT 19GM/8GM 20GM/8GM 21GM/8GM 1GT/8GM 8GMC/8GM 48GT
"""


def lines(text):
    return [line.split() for line in text.replace("\n", " ").split(";") if line.strip()]


def at(name):
    found = BOARD.place_named(name)
    assert found is not None, name
    return found


def standing(side=None, optional=False):
    """Where units begin: place -> their codes."""
    found = {}
    for unit, start in CHART.starts.items():
        if (side in (None, CHART.units[unit].side)) and (optional or not start.option):
            found.setdefault(start.place, []).append(CHART.units[unit].code)
    return found


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_of_its_schema(name):
    assert problems(name, DATA[name]) == []


def test_every_value_says_where_it_comes_from():
    assert {item["provenance"] for item in DATA["setup"]["units"]} == {"rulebook"}
    assert {MAP.source("terrain", parse_hex(h)) for h in ("0212", "0314", "0416", "0417", "0516", "0517")} == {
        "rulebook"
    }
    assert MAP.source("name", at("Pyritz")) == "rulebook"
    assert MAP.source("points", at("Pyritz")) == "ours"
    assert MAP.regions["source_kolberg"].provenance == "rulebook"
    assert MAP.regions["source_soviet"].provenance == "ours"
    assert CHART.track.source(1, "soviet") == "rulebook"
    assert CHART.track.source(1, "german") == "ours"
    assert CHART.unit("39Pz-HQ").provenance == "inferred"
    assert {unit.provenance for unit in CHART.units} <= set(PROVENANCE)


# The grid.


def test_case_36_distances_and_neighbours():
    assert GRID.distance(1013, 2012) == 10
    assert GRID.distance(3921, 3214) == 11
    assert GRID.distance(1615, 4118) == 25
    assert set(GRID.neighbours(705)) == {706, 806, 805, 704, 605, 606}


def test_sg_1_2_1a_the_grid_is_48_by_30_and_every_hex_is_in_play():
    assert len(BOARD.places) == 48 * 30
    assert {divmod(cell, 100) for cell in BOARD.places} == {(c, r) for c in range(1, 49) for r in range(1, 31)}


def test_a_row_further_up_lies_further_north():
    assert GRID.toward(1714, 0) == 1715


# The ground.


def test_case_12_the_road_from_altdamm_to_stettin_leads_over_the_islands():
    """SG-5.2.5: through 05.17 and 04.17, where nobody stops."""
    way = (617, 517, 417, 418)
    assert all("road" in BOARD.edge(a, b) for a, b in pairwise(way))
    assert [BOARD[place].terrain for place in way] == ["clear", "transit", "transit", "clear"]
    assert "oder" in BOARD.edge(617, 517)
    assert "oder" in BOARD.edge(417, 418)
    assert CHART.bridged(617, 517)
    assert CHART.bridged(417, 418)


def test_sg_5_2_3_nobody_crosses_the_oder_but_over_bridges():
    """From the west bank the ground east of the Oder is out of reach without a way."""
    west, seen = at("Stettin"), set()
    todo = [west]
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        for near in BOARD.near[place]:
            if "oder" not in BOARD.edge(place, near) and BOARD[near].terrain not in ("lake", "island", "transit"):
                todo.append(near)
    bank = set(MAP.regions["west_bank"].places)
    assert seen == bank


def test_sg_5_2_3_the_crossings_of_the_oder():
    over = {
        frozenset((a, b)): {way for way in WAYS if way in edge}
        for (a, b), edge in BOARD.edges.items()
        if "oder" in edge and CHART.bridged(a, b)
    }
    assert over == {
        frozenset((112, 212)): {"road"},
        frozenset((212, 311)): {"road"},
        frozenset((214, 314)): {"autobahn"},
        frozenset((314, 414)): {"autobahn"},
        frozenset((417, 418)): {"road", "rail"},
        frozenset((517, 617)): {"road"},
        frozenset((516, 616)): {"rail"},
    }


def test_sg_5_2_5b_transit_hexes():
    found = {place.id for place in BOARD.places.values() if place.terrain == "transit"}
    assert found == {212, 314, 416, 417, 516, 517}


def test_places_that_set_up_and_rules_name():
    names = {705: "Bahn", 1307: "Pyritz", 2608: "Arnswalde", 418: "Stettin", 1714: "Stargard", 3621: "Dramburg"}
    names |= {4121: "Falkenburg", 2911: "Reetz", 2412: "Zachan", 3813: "Kallies", 716: "Altdamm", 311: "Greifenhagen"}
    assert {place: BOARD[place].name for place in names} == names
    assert CHART.settled[705] == "town"
    assert {CHART.settled[at(n)] for n in ("Stettin", "Altdamm", "Pyritz", "Stargard", "Arnswalde")} == {"city"}


def test_the_country_lies_as_in_an_atlas():
    assert all(BOARD[place].terrain == "lake" for place in (618, 717, 718, 719, 720, 819, 820))  # Dammscher See
    assert all(BOARD[place].terrain == "lake" for place in (1310, 1311, 1312, 1313))  # Madue
    rivers = {}
    for (a, b), name in MAP.side_names.items():
        rivers.setdefault(name, set()).update((a, b))
    assert at("Stargard") in rivers["Ihna"]
    assert at("Reetz") in rivers["Ihna"]
    assert at("Zachan") in rivers["Ihna"]
    assert at("Gollnow") in rivers["Ihna"]
    assert {at("Dramburg"), at("Falkenburg"), at("Neuwedell")} <= rivers["Drage"]
    assert {at("Labes"), at("Regenwalde")} <= rivers["Rega"]
    assert at("Greifenhagen") in rivers["Oder"]


def test_case_11_an_unbridged_minor_river_costs_a_point_more():
    costs = CHART.ground["clear"].costs
    assert costs["foot"] + CHART.extra["minor_river"] == 2 * made.TWELFTHS
    assert not CHART.bridged(1714, 1615) or "minor_river" in BOARD.edge(1714, 1615)
    assert CHART.bridged(1615, 1714)  # the road to Altdamm


def test_sg_5_2b_1_3_1_each_element_of_the_ground_costs_more():
    """Foot and cavalry pay a point for each element, mechanised units two; islands are for ways only."""
    costs = {kind: tuple(ground.costs.values()) for kind, ground in CHART.ground.items()}
    one, two = (24, 36, 24), (36, 60, 36)
    assert costs == {
        "clear": (12, 12, 12),
        "light_woods": one,
        "heavy_woods": two,
        "marsh": one,
        "marsh_woods": two,
        **dict.fromkeys(("island", "transit", "lake"), (None, None, None)),
    }
    shifts = {kind: ground.shift for kind, ground in CHART.ground.items() if ground.shift}
    assert shifts == {"heavy_woods": -1, "marsh": -1, "marsh_woods": -2}


def test_sg_4_1a_zones_cost_two_points_to_enter_and_to_leave():
    assert CHART.extra == {"minor_river": 12, "oder": None, "enter_zone": 24, "leave_zone": 24}


def test_sg_8_7_and_9_5_settlements_spare_losses_and_retreats():
    assert CHART.settlements == {"village": (0, False, True), "town": (-1, False, True), "city": (-2, True, True)}


def test_sg_7_1_entries():
    found = {entry.key: entry.places for entry in MAP.entries.values() if len(entry.places) == 1}
    assert found == {
        "a": (117,),
        "b": (114,),
        "c": (601,),
        "d": (2101,),
        "e": (3401,),
        "f": (4806,),
        "g": (4815,),
        "train": (3721,),
    }
    assert MAP.entries["tettau"].places == tuple(range(3930, 4831, 100))
    assert MAP.entries["cavalry"].places == tuple(range(4816, 4825))


def test_sg_5_2_1_ways_cost_less():
    assert CHART.ways == {"autobahn": (6, 3), "road": (6, 4), "track": (12, None), "rail": (12, None)}


def test_sg_5_5_the_train_detrains_on_the_railway():
    train = MAP.entries["train"].places
    assert train == (3721,)
    assert all(MAP.along("rail") & BOARD.bit[place] for place in (*train, 3621, 4121))


def test_sg_5_5_ways_form_chains_to_the_edge():
    """Every source but the Polish and Stettin's own lies on a road to the map's edge."""
    for region in ("source_stettin", "source_soviet", "source_kolberg", "source_polish"):
        for place in MAP.regions[region].places:
            assert any(MAP.along(way) & BOARD.bit[place] for way in WAYS), place
            column, row = divmod(place, 100)
            assert column in (1, 48) or row in (1, 30)


# The set-up.


def test_sg_15_1_counts_of_the_set_up():
    sides = Counter(CHART.units[unit].side for unit in CHART.starts)
    assert sides == {GERMAN: 93, SOVIET: 44}
    assert sum(not start.option for start in CHART.starts.values()) == 93 + 43
    posts = Counter(CHART.units[unit].side for unit in CHART.starts if CHART.is_hq(unit))
    assert posts == {GERMAN: 5, SOVIET: 4}


@pytest.mark.parametrize(("side", "text"), [(GERMAN, GERMANS), (SOVIET, SOVIETS)])
def test_sg_15_1_15_2_units_stand_where_the_rulebook_says(side, text):
    printed = {code: place for place, *codes in lines(text) for code in codes}
    found = {}
    for start in CHART.starts.values():
        unit = CHART.units[start.unit]
        if unit.side == side:
            found[unit.code] = f"{start.near:04d}+{start.reach}" if start.near >= 0 else f"{start.place:04d}"
    assert found == printed


@pytest.mark.parametrize(("side", "text"), [(GERMAN, GERMAN_ARRIVALS), (SOVIET, SOVIET_ARRIVALS)])
def test_sg_15_3_units_arrive_when_and_where_the_rulebook_says(side, text):
    printed = {code: (int(turn), where) for turn, where, *codes in lines(text) for code in codes}
    assert {a.unit: (a.turn, a.where) for a in CHART.track.arrivals if a.side == side} == printed


def test_sg_15_3_counts_of_the_arrivals():
    assert len(CHART.track.arrivals) == 64
    by_turn = Counter(arrival.turn for arrival in CHART.track.arrivals)
    assert by_turn == {1: 11, 2: 13, 3: 15, 4: 3, 6: 3, 7: 15, 8: 4}


def test_sg_15_0b_every_unit_is_somewhere_once():
    arriving = {arrival.unit for arrival in CHART.track.arrivals}
    for unit in CHART.units:
        assert (unit.number in CHART.starts) + (unit.number in CHART.boxes) + (unit.code in arriving) == 1, unit.code
    assert set(CHART.boxes.values()) == set(BOXES)


def test_sg_6_0_15_0a_stacking_at_the_start():
    for optional in (False, True):
        for place, codes in standing(optional=optional).items():
            posts = [code for code in codes if CHART.is_hq(CHART.unit(code).number)]
            assert len(posts) <= 1, BOARD[place]
            assert len(codes) - len(posts) <= 2, BOARD[place]


def test_sg_15_2_only_the_143rd_stands_in_row_01():
    assert [place for place in standing() if place % 100 == 1] == [2301]
    assert standing()[2301] == ["143/129"]
    assert standing(optional=True)[2301] == ["143/129", "82/129"]


def test_sg_6_3a_no_hex_holds_both_sides():
    assert not standing(GERMAN).keys() & standing(SOVIET).keys()


def test_sg_15_1_15_2_opposing_units_stand_on_ground_and_in_contact():
    assert all(BOARD[place].terrain in CHART.ground for place in standing())
    soviets = set(standing(SOVIET))
    touching = [(a, b) for a in standing(GERMAN) for b in sorted(soviets & set(GRID.neighbours(a)))]
    assert len(touching) == 12


def test_sg_15_0c_groups_are_within_one_hex():
    groups = Counter((start.near, start.reach) for start in CHART.starts.values() if start.near >= 0)
    assert groups == {(411, 1): 6, (1617, 1): 5, (3621, 1): 4, (3110, 1): 4}


def test_sg_3_3_units_of_the_39th_corps_are_in_command():
    """At most 10 hexes from their headquarters in 10.13 (B-6), wherever the 233rd Division is placed."""
    post = CHART.starts[CHART.unit("39Pz-HQ").number]
    assert post.place == 1013
    assert CHART.unit("39Pz-HQ").faces[0].value("range") == 10
    far = [
        GRID.distance(post.place, CHART.starts[unit].place)
        for unit in CHART.formations["pz39"].units
        if not CHART.independent(unit)
    ]
    assert max(far) == 10


def test_case_37_arnswalde_is_besieged():
    """SG-4.2: the hexes beside it that nobody holds lie in Soviet zones of control."""
    soviets = {place for place, codes in standing(SOVIET).items() if any(_has_zone(code) for code in codes)}
    empty = set(GRID.neighbours(at("Arnswalde"))) - standing().keys()
    assert empty == {2507, 2508, 2707}
    assert all(soviets & set(GRID.neighbours(place)) for place in empty)


def _has_zone(code):
    return CHART.unit(code).faces[0].attack > 0


def test_sg_11_4_at_the_start_only_the_two_fortresses_are_cut_off():
    cut = set()
    for side in SIDES:
        other = standing(SOVIET if side == GERMAN else GERMAN)
        own = standing(side)
        zones = {
            near
            for place, codes in other.items()
            if any(map(_has_zone, codes))
            for near in GRID.neighbours(place)
            if "oder" not in BOARD.edge(place, near) and BOARD[near].terrain != "lake"
        }
        shut = (zones - own.keys()) | other.keys()
        for place, codes in own.items():
            for code in codes:
                if not _traced(place, CHART.source(CHART.unit(code).number), shut, own):
                    cut.add((place, code))
    assert cut == {(705, "F-Bahn"), (705, "Schmeling"), (2608, "F-Arnswalde"), (2608, "Voigt")}


def _traced(place, source, shut, own):
    seen, todo = {place}, [place]
    while todo:
        here = todo.pop()
        if BOARD.bit[here] & source:
            return True
        for near in BOARD.near[here]:
            edge = BOARD.edge(here, near)
            way = any(each in edge for each in WAYS)
            barred = "oder" in edge and not way
            open_ground = BOARD[near].terrain == "clear" or near in CHART.settled or near in own
            if near not in seen and near not in shut and not barred and (way or open_ground):
                seen.add(near)
                todo.append(near)
    return False


def test_settlements_belong_to_the_side_that_stands_nearest():
    """Ties are German; the options do not count."""
    for place, side in CHART.held.items():
        near = {each: min(GRID.distance(place, post) for post in standing(each)) for each in SIDES}
        assert side == (GERMAN if near[GERMAN] <= near[SOVIET] else SOVIET), BOARD[place]


# The counters.


def test_sg_4_2_1_some_units_have_no_attack():
    none = {unit.code for unit in CHART.units if not unit.faces[0].attack and not CHART.is_hq(unit.number)}
    assert none == {"F-Bahn", "F-Arnswalde", "Pommern", "PyritzII", "HessenI", "HessenII"}


def test_sg_12_3b_fortresses_never_move():
    forts = [unit for unit in CHART.units if "fortress" in unit.type.traits]
    assert [(unit.code, unit.faces[0].move) for unit in forts] == [("F-Bahn", 0), ("F-Arnswalde", 0)]


def test_sg_12_4a_four_volkssturm_units():
    assert sum("volkssturm" in unit.type.traits for unit in CHART.units) == 4


def test_sg_7_3_2c_case_18_the_11th_guards_tanks_have_two_steps():
    """SG-7.3.2c: an independent of two steps that Konstantinov alone rebuilds."""
    unit = CHART.unit("11GdT")
    assert unit.steps == 2
    assert {"independent", "rebuilt_gc7"} <= unit.marks


def test_sg_15_1_15_2_strengths_are_those_that_the_values_were_balanced_for():
    """ERRATA, counters: attack and defence at the start, and of what arrives."""

    def total(units):
        return sum(unit.faces[0].attack for unit in units), sum(unit.faces[0].defence for unit in units)

    starting = [start for start in CHART.starts.values() if not start.option]
    arriving = [CHART.unit(a.unit) for a in CHART.track.arrivals if a.unit in CHART.counters.by_code]
    sums = {}
    for side in SIDES:
        here = [CHART.units[start.unit] for start in starting if CHART.units[start.unit].side == side]
        sums[side] = (total(here), total([unit for unit in arriving if unit.side == side]))
    assert sums == {GERMAN: ((216, 272), (27, 36)), SOVIET: ((179, 181), (225, 206))}


def test_sg_19_a_the_divisions_that_leave_are_marked():
    """With the 39th Corps go its own divisions, and FG and FB, which stand outside it."""
    leaving = Counter(mark for unit in CHART.units for mark in unit.marks)
    assert {d: leaving[f"div_{d}"] for d in ("233", "10ss", "4ss", "28ss", "fg", "fb")} == {
        "233": 6,
        "10ss": 7,
        "4ss": 4,
        "28ss": 4,
        "fg": 4,
        "fb": 4,
    }
    corps = {CHART.units[unit].code for unit in CHART.formations["pz39"].units}
    assert len(corps) == 6 + 7 + 4 + 4
    assert not {unit.code for unit in CHART.units if {"div_fg", "div_fb"} & unit.marks} & corps


def test_sg_16_3_the_234th_division_has_a_second_counter():
    one, other = CHART.unit("234/77"), CHART.unit("234/80")
    assert one.type == other.type
    assert [CHART.formation_of[unit.number] for unit in (one, other)] == ["army47", "army61"]
    assert CHART.boxes[other.number] == "aside"


def test_sg_5_0_headquarters_move_as_mechanised_units():
    assert {CHART.pace(unit.number) for unit in CHART.units if CHART.is_hq(unit.number)} == {"mech"}
    assert CHART.pace(CHART.unit("14GC/7GC").number) == "cavalry"
    assert CHART.pace(CHART.unit("212/80").number) == "foot"
    assert CHART.pace(CHART.unit("95T/9T").number) == "mech"


def test_sg_1_2_9_the_cavalry_corps_waits_in_its_box():
    waiting = {CHART.units[unit].code: box for unit, box in CHART.boxes.items()}
    assert {code for code, box in waiting.items() if box == "cavalry"} == {"3GC/2GC", "4GC/2GC", "17GC/2GC"}
    assert sum(box == "tettau" for box in waiting.values()) == 7
    assert CHART.formations["gc2"].hq == -1


def test_sg_1_2_7a_1_2_7b_11_2_2_11_2_4_sources_go_by_formation():
    kolberg, polish = BOARD.bit[4430], BOARD.bit[4815]
    assert CHART.source(CHART.unit("Kausch").number) == kolberg
    assert CHART.source(CHART.unit("75J/5J").number) == kolberg
    assert CHART.source(CHART.unit("503SS").number) == BOARD.mask((114, 117, 830))
    assert CHART.source(CHART.unit("2/Pol").number) == polish
    assert CHART.source(CHART.unit("212/80").number) == BOARD.mask((601, 2101, 3401, 4806))


# Chits and air units.


def test_sg_7_2_case_17_cups_by_turn():
    counts = [(len(CHART.cup(turn, GERMAN)), len(CHART.cup(turn, SOVIET))) for turn in range(1, 11)]
    assert counts == [(5, 3), (6, 4), (6, 6), (5, 7), (6, 7), (6, 7), (6, 7), (6, 8), (6, 8), (6, 8)]
    assert CHART.cup(1, GERMAN) == ("StellII", "39Pz", "3SSPz", "Munzel", "10SS")
    assert CHART.cup(1, SOVIET) == ("2GT", "61", "7GC")


def test_sg_1_4b_three_special_chits():
    assert [chit.code for chit in CHART.chits.values() if not chit.formation] == ["11Pz-AOK", "3Pz-AOK", "1BRF"]


def test_sg_13_0a_13_0c_air_units_at_the_start():
    """SG-15.1: two German wings stand on the ground, and 9 GA comes in turn 4."""
    found = {plane.code: (plane.box, plane.turn) for plane in CHART.planes.values()}
    assert found == {
        "1JG": ("luftflotte_6", 0),
        "Rudel": ("luftflotte_6", 0),
        "2JG": ("grounded", 0),
        "3JG": ("grounded", 0),
        "6GA": ("air_army_16", 0),
        "9GA": ("air_army_16", 4),
    }
    assert {(plane.normal, plane.power) for plane in CHART.planes.values()} == {(1, 2)}


# The tables.


def test_sg_1_3_2_case_39_results_get_no_better_for_the_defender():
    ranks = [[LADDER.index(cell) for cell in row] for row in CHART.crt.cells]
    assert all(row == sorted(row) for row in ranks)
    assert all(list(column) == sorted(column) for column in zip(*ranks, strict=True))


def test_sg_8_1a_every_code_occurs():
    assert {cell for row in CHART.crt.cells for cell in row} == set(LADDER)
    assert [row[1] for row in CHART.barrage.cells] == ["-", "-", "P", "P", "P", "D1"]
    assert [CHART.odds.name(k) for k in range(8)] == ["1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1"]


def test_sg_8_4_case_20_ratios_count_for_the_defender():
    """11:4, 7:4, 3:5 and 3:8, the last below the table; 25:1 counts as 7:1."""
    ratios = ((11, 4), (7, 4), (3, 5), (3, 8), (50, 2))
    assert [CHART.odds.column(a, d) for a, d in ratios] == [2, 1, 0, -1, 7]


def test_sg_1_2_2_the_turn_track():
    track = CHART.track
    assert [turn.number for turn in track] == list(range(1, 11))
    assert track.value(1, "soviet") == 1
    assert track.marked("reaction") == (1,)
    assert track.marked("report") == (8, 9)
    assert track.marked("stavka") == (2, 3)
    assert [turn.number for turn in track if "replacements" in turn.values] == [4, 5, 6, 7, 8]
    for turn in (2, 3, 8, 9):  # laying a chit aside must mean something (SG-12.6)
        assert track.value(turn, "soviet") < len(CHART.cup(turn, SOVIET))


def test_sg_19_0_1_3_4_events_by_die_and_turn():
    assert CHART.event(1, 3) == ("19.1.3", "")
    assert CHART.event(1, 4) == ("19.1.6", "19.1.10")
    assert CHART.event(2, 10) == ("19.1.5", "19.1.9")
    keys = {event.key for row in CHART.events for event in row} | {e.otherwise for row in CHART.events for e in row}
    assert keys - {""} == {f"19.1.{n}" for n in range(1, 14)}


def test_sg_14_1_levels():
    scores = (-3, 23, 24, 30, 31, 37, 38, 44, 45, 56)
    assert [CHART.level(score) for score in scores] == [
        "german_decisive",
        "german_decisive",
        "german_marginal",
        "german_marginal",
        "draw",
        "draw",
        "soviet_marginal",
        "soviet_marginal",
        "soviet_decisive",
        "soviet_decisive",
    ]


def test_sg_1_5_5_victory_markers():
    assert len(CHART.prizes) == 24
    assert sum(prize.points for prize in CHART.prizes.values()) == 56
    arnswalde = CHART.prizes[at("Arnswalde")]
    assert (arnswalde.worth(5), arnswalde.worth(6)) == (2, 1)
    assert CHART.prizes[at("Altdamm")].worth(10) == 6
    held = Counter(CHART.held[place] for place in CHART.prizes)
    assert held == {GERMAN: 23, SOVIET: 1}


def test_the_historical_dates_of_capture_score_a_marginal_soviet_victory():
    """B-9: 39 points by the turns in which the towns fell."""
    fell = {"Arnswalde": 5, "Kallies": 1}
    fell |= dict.fromkeys(("Pyritz", "Bahn", "Reetz", "Noerenberg"), 8)
    fell |= dict.fromkeys(
        ("Stargard", "Zachan", "Freienwalde", "Daber", "Wangerin", "Labes", "Dramburg", "Falkenburg", "Tempelburg"), 9
    )
    fell |= dict.fromkeys(("Massow", "Naugard", "Regenwalde", "Schivelbein", "Bad Polzin", "Jakobshagen"), 10)
    score = sum(CHART.prizes[at(name)].worth(turn) for name, turn in fell.items())
    assert CHART.level(score) == "soviet_marginal"


# What the chart refuses.


CRT = next(table for table in DATA["tables"]["tables"] if table["name"] == "crt")["rows"]
CASES = {
    "a unit twice": ("setup", lambda page: page.update(units=[*page["units"], page["units"][0]]), "placed twice"),
    "a unit nowhere": ("setup", dropped("units", lambda i: i["unit"] == "212/80"), "one of the three"),
    "in a lake": ("setup", replaced("units", lambda i: i["unit"] == "212/80", hex="1311"), "no unit can stand"),
    "three in a hex": ("setup", replaced("units", lambda i: i["unit"] == "212/80", hex="2109"), "too many units"),
    "both sides": ("setup", replaced("units", lambda i: i["unit"] == "212/80", hex="1714"), "both sides"),
    "out of reach": ("setup", replaced("units", lambda i: i["unit"] == "368/281", hex="3624"), "out of its reach"),
    "no such box": ("setup", replaced("boxes", lambda i: i["unit"] == "234/80", box="attic"), "boxes are"),
    "a headquarters lost": (
        "forces",
        replaced("formations", lambda i: i["key"] == "pz39", hq="212/80"),
        "formation pz39",
    ),
    "no source": ("forces", replaced("formations", lambda i: i["key"] == "pz39", source="nowhere"), "source nowhere"),
    "no formation": ("counters", replaced("units", lambda i: i["code"] == "212/80", marks=[]), "belongs to one"),
    "the other side": ("turns", replaced("arrivals", lambda i: i["unit"] == "146/7", where="a"), "cannot arrive at a"),
    "a chit to an entry": (
        "turns",
        replaced("arrivals", lambda i: i["unit"] == "1BRF", where="c"),
        "cannot arrive at c",
    ),
    "better odds, worse": ("tables", table("crt", rows=CRT[::-1]), "do not get worse"),
    "five rows": ("tables", table("crt", rows=CRT[:5]), "each face of a die"),
    "no event": ("tables", table("events", rows=[["19.1.14"] * 3] * 6), "is not an event"),
    "turns left out": ("tables", table("events", columns=["1-3", "5-7", "8-10"]), "the turns are 1 to 10"),
    "levels that fall": (
        "tables",
        table("victory", rows=[["0"], ["31"], ["24"], ["38"], ["45"]]),
        "levels of victory",
    ),
    "no ground": ("map", lambda page: page.update(terrain={**page["terrain"], "desert": "."}), "do not know"),
}


@pytest.mark.parametrize(("name", "change", "says"), CASES.values(), ids=CASES)
def test_a_file_that_contradicts_is_refused(name, change, says):
    with pytest.raises(ValueError, match=says):
        check_data(changed(DATA, FILES, name, change))


def test_the_printed_files_pass():
    check_data(DATA)
