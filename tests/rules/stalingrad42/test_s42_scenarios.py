"""The data beyond Fall Blau: the joined map, and who stands and arrives where in Uranus, the Caucasus, the campaign."""

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from pbem.kit.board import AREA
from pbem.kit.datafile import problems
from pbem_rules.stalingrad42.chart import (
    AXIS,
    CONTESTED,
    DATA,
    GREEN_RAIL,
    OUT,
    POOL,
    PORT,
    RAIL,
    ROADS,
    SIDES,
    SOVIET,
    chart_of,
)
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, CAUCASUS, SCENARIOS, URANUS, chart_for, part
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.supply.lines import lines, sources

LATER = SCENARIOS[1:]
FILES = ("map", "counters", "setup", "turns", "tables")
EACH = pytest.mark.parametrize("name", LATER)


@cache
def chart(name, turn=0):
    return chart_for(DATA, name, turn)


WHOLE = chart(CAMPAIGN)
BOARD, GRID = WHOLE.board, WHOLE.board.grid


def at(name):
    found = BOARD.place_named(name)
    assert found is not None, name
    return found


def standing(made):
    found = {}
    for start in made.starts.values():
        found.setdefault(start.place, []).append(start)
    return found


def fights(made, unit):
    return made.units[unit].faces[0].defence > 0


def arrivals(name):
    """By unit: turn, side, where, steps lost."""
    return {a.unit: a for a in chart(name).track.arrivals}


def strength(made, side):
    """Combat units and support: how many, their steps, attack and defence."""
    found = Counter()
    for start in made.starts.values():
        unit = made.units[start.unit]
        if unit.side == side:
            found["units"] += 1
            if fights(made, start.unit) and not made.stacks_free(start.unit):
                face = unit.face(unit.steps - start.lost)
                found += Counter(steps=unit.steps - start.lost, attack=face.attack, defence=face.defence)
    return tuple(found[key] for key in ("units", "steps", "attack", "defence"))


# The parts.


@EACH
@pytest.mark.parametrize("file", FILES)
def test_each_file_of_a_scenario_is_of_its_schema(name, file):
    assert problems(file, part(DATA, name)[file]) == []


def test_the_hexes_of_each_scenario():
    rows = {name: {place % 100 for place in chart(name).board.places if place < 9000} for name in LATER}
    assert rows == {CAUCASUS: {*range(40, 63)}, URANUS: {*range(43)}, CAMPAIGN: {*range(63)}}
    hexes = {name: sum(place.kind != AREA for place in chart(name).board.places.values()) for name in LATER}
    assert hexes == {CAUCASUS: 1391, URANUS: 2664, CAMPAIGN: 3884}
    assert [chart(name).track.turns[0].number for name in LATER] == [10, 28, 1]
    assert [chart(name).track.last.number for name in LATER] == [27, 36, 36]


def test_map_a_is_the_same_hex_by_hex():
    blau = chart_of(DATA)
    for place in blau.board.places.values():
        if place.kind == AREA:
            continue
        assert BOARD[place.id] == place
        for near in blau.board.near[place.id]:
            if near < 9000:
                assert BOARD.edges[place.id, near] - {"entry"} == blau.board.edges[place.id, near] - {"entry"}
    named = {str(BOARD[start.place]) for start in blau.starts.values()}
    assert named <= {str(BOARD[start.place]) for start in WHOLE.starts.values()}


def test_a_table_has_only_rows_that_it_has():
    plan = {**DATA["uranus"], "tables": {"victory": {"glory": ["1"]}}}
    with pytest.raises(ValueError, match="victory has the rows"):
        part(type(DATA)({**DATA.files, "uranus": plan}), URANUS)


# Places.

# What stands in an atlas, within a hex and a half: longitude and latitude are in tools/mapmaking.
MAJOR = {"Kharkov", "Stalino", "Voronezh", "Rostov", "Stalingrad North", "Stalingrad", "Stalingrad South", "Saratov"}
MINOR = {"Kamyshin", "Astrakhan", "Armavir", "Voroshilovsk", "Maikop", "Novorossiysk", "Pyatigorsk", "Mozdok"}


def test_cities_beyond_map_a():
    cities = {
        kind: {p.name for p in BOARD.places.values() if p.terrain == kind} for kind in ("major_city", "minor_city")
    }
    assert cities["major_city"] == {*MAJOR, "Krasnodar", "Grozny"}
    assert cities["minor_city"] >= {*MINOR, "Ordzhonikidze", "Nalchik"}
    assert len(cities["minor_city"]) == 13 + 10


def test_s42_24_1_1_victory_hexes():
    """S42-S3.5b, S42-S4.4b: the sums fit what history and the scenarios ask for."""
    worth = WHOLE.prizes

    def total(inside):
        return sum(points for place, points in worth.items() if inside(place))

    assert total(lambda p: p // 100 <= 41 and p % 100 <= 42) == 15
    assert total(lambda p: p // 100 > 41 and p % 100 <= 42) == 10
    assert total(lambda p: p % 100 > 42) == 15
    uranus = chart(URANUS)
    held = {place for place, side in uranus.held.items() if side == AXIS}
    assert total(lambda p: p in held) == 15
    caucasus = {at(n) for n in ("Krasnodar", "Maikop", "Armavir", "Voroshilovsk", "Novorossiysk", "Mozdok")}
    assert total(lambda p: p in held | caucasus) == 24
    lost = {at("Stalingrad North"), at("Stalingrad"), at("Kalach"), at("Kotelnikovo")}
    assert total(lambda p: p in held - lost) == uranus.victory["win"] == 11


@pytest.mark.parametrize(
    ("town", "beyond", "river"),
    [
        *(
            ("Kalach", 5021, "Don"),
            ("Kletskaya", 4617, "Don"),
            ("Serafimovich", 4516, "Don"),
            ("Kremenskaya", 4817, "Don"),
        ),
        *(("Nizhne-Chirskaya", 4825, "Don"), ("Stalingrad", 5621, "Volga"), ("Stalingrad South", 5722, "Volga")),
        *(
            ("Saratov", 6001, "Volga"),
            ("Kamyshin", 5911, "Volga"),
            ("Dubovka", 5719, "Volga"),
            ("Astrakhan", 7433, "Volga"),
        ),
        *(
            ("Krasnodar", 2850, "Kuban"),
            ("Kropotkin", 3748, "Kuban"),
            ("Armavir", 4149, "Kuban"),
            ("Mozdok", 6257, "Terek"),
        ),
        *(("Maikop", 3452, "Belaya"), ("Grozny", 6857, "Sunzha"), ("Surovikino", 4723, "Chir")),
    ],
)
def test_towns_stand_on_their_banks(town, beyond, river):
    """As in an atlas: from the town the hex that is named lies over the river."""
    assert WHOLE.map.side_names.get((at(town), beyond)) == river


def test_rivers_of_two_sheets_meet():
    """A river that leaves map A goes on: one chain of sides; the Khoper and the Manych have gaps on that map."""
    gaps = {"Khoper": 2, "Manych": 1}
    for name in ("Don", "Khoper", "Chir", "Sal", "Manych", "Volga", "Kuban"):
        todo = {(a, b) for (a, b), found in WHOLE.map.side_names.items() if found == name and a < b}
        found = 0
        while todo:
            found += 1
            edge = [todo.pop()]
            while edge:
                ends = set(_corners(*edge.pop()))
                joined = {side for side in todo if ends & set(_corners(*side))}
                todo -= joined
                edge += joined
        assert found == 1 + gaps.get(name, 0), name


def _corners(a, b):
    return [frozenset((a, b, c)) for c in (*sorted(set(GRID.neighbours(a)) & set(GRID.neighbours(b))), -1)][:2]


def test_s42_5_5_3_nothing_but_ferries_and_a_bridge_crosses_the_volga():
    volga = {pair: edge for pair, edge in BOARD.edges.items() if "volga" in edge}
    assert all("major_river" in edge for edge in volga.values())
    ferries = {frozenset(pair) for pair, edge in BOARD.edges.items() if "ferry" in edge}
    assert ferries == {
        frozenset(p) for p in ((5522, 5621), (5618, 5719), (5811, 5911), (6425, 6525), (7030, 7130), (7433, 7533))
    }
    assert all(tuple(pair) in volga for pair in ferries)
    assert not any(edge & {*ROADS} for edge in volga.values())
    ways = {kind: {frozenset(pair) for pair, edge in volga.items() if kind in edge} for kind in (RAIL, "rail_ferry")}
    assert ways == {RAIL: {frozenset((5902, 6002))}, "rail_ferry": {frozenset((6424, 6524))}}  # S42-5.5.7


def test_s42_2_2_3_23_4d_lakes_part_in_summer_and_the_main_range_in_winter():
    summer, winter = chart(CAMPAIGN).board, chart(CAMPAIGN, 28).board
    assert not summer.touch(5624, 5725)
    assert "major_river" in winter.edges[5624, 5725]  # S42-23.4g
    assert "alpine" in summer.edges[4860, 4861]
    assert not winter.touch(4860, 4861)
    gone = {frozenset(pair) for pair in summer.edges} - {frozenset(pair) for pair in winter.edges}
    assert gone == {frozenset(pair) for pair, edge in summer.edges.items() if "alpine" in edge}
    assert len(gone) == 119
    assert not any(edge & {*ROADS} for pair, edge in summer.edges.items() if "alpine" in edge)
    assert summer.bit == winter.bit


def test_every_area_is_joined_to_roads():
    for name in LATER:
        made = chart(name)
        for key, entry in made.map.entries.items():
            if key in ("f", "w"):  # the Caspian box, and beyond the strait of Kerch
                assert not entry.places
            else:
                assert made.board.mask(entry.places) & made.on_roads, (name, key)
    owners = Counter(p for key, entry in WHOLE.map.entries.items() for p in entry.places)
    assert max(owners.values()) == 1
    assert chart(URANUS).friendly(AXIS) == ("q", "r", "x", "y", "z")  # S42-S3.1b
    assert chart(CAUCASUS).friendly(AXIS) == ("w", "north")
    assert {f"{c}40" for c in range(27, 43)} == {str(p) for p in chart(CAUCASUS).map.regions["first_entry"].places}


def test_railways_and_roads_keep_to_the_land():
    for way in WHOLE.map.ways:
        for a, b in pairwise(way.places):
            assert "sea" not in (BOARD[a].terrain, BOARD[b].terrain), way.name
    assert not any({RAIL, GREEN_RAIL} <= edge for edge in BOARD.edges.values())


REPAIRS = {(1722, 1823), (1817, 2224), (2002, 2013), (2224, 2326), (2327, 2625), (2503, 2708), (2708, 2813)}
REPAIRS |= {(2725, 3322), (2725, 3328), (3134, 3228), (3322, 3328), (2949, 3747), (3443, 4139), (5856, 7158)}


def test_s42_17_1b_stretches_between_green_lines():
    assert {repair.ends for repair in WHOLE.repairs} == REPAIRS
    late = BOARD.mask(place for repair in WHOLE.repairs for place in repair.hexes)
    never = WHOLE.map.along(RAIL) & ~late & ~WHOLE.green & ~WHOLE.repaired
    for place in (2338, 2000, 3300, at("Novorossiysk"), at("Sochi"), at("Divnoye"), at("Pallasovka")):  # S42-17.1c
        assert BOARD.bit[place] & never


def test_s42_17_1_railheads_of_uranus_stand_on_green_railway():
    made = chart(URANUS)
    heads = made.map.regions["railheads"]
    assert set(heads.places) == {2403, 2510, 5023, 5326}
    rail = made.map.along(RAIL) | made.map.along(GREEN_RAIL)
    assert not made.repaired & ~rail
    edge = made.board.mask(p for key in made.friendly(AXIS) for p in made.map.entries[key].places)
    assert not made.repaired & ~made.rails.reached(edge & made.repaired, made.repaired)  # nothing lies apart


# Counters.

COUNTS = {"nkvd": 8, "mountain": 11, "army": 3, "reserve": 6}


def test_counts_of_the_rulebook():
    """S42-20.1, S42-20.2, S42-20.3, S42-20.4, S42-20.6, S42-20.7, S42-20.8, S42-34.1."""
    for trait, number in COUNTS.items():
        assert sum(WHOLE.has(unit.number, trait) for unit in WHOLE.units) == number, trait
    frozen = Counter(start.frozen for start in WHOLE.starts.values() if start.frozen)
    assert frozen == {"garrison": 10, "caucasus": 17, "army5": 5, "army6": 4, "army7": 4, "army8": 5}
    assert sum(a.where == "w" for a in WHOLE.track.arrivals) == 5
    assert {box: len(units) for box, units in WHOLE.boxes.items() if box not in (POOL, OUT)} == {
        "transcaucasus": 12,
        "volunteers": 6,
        "upgrade": 1,
    }
    assert {tuple(sorted(len(chart(CAUCASUS).boxes[b]) for b in ("transcaucasus", "volunteers")))} == {(6, 12)}


def test_s42_32_4_wiking_has_four_steps_from_turn_13_on():
    assert chart(CAUCASUS).unit("Wiking").steps == 3
    wiking = WHOLE.unit("Wiking").number
    assert (WHOLE.units[wiking].steps, WHOLE.starts[wiking].lost, dict(WHOLE.course.raised)) == (4, 1, {wiking: 13})
    late = chart(URANUS).unit("Wiking")
    assert [(face.attack, face.defence) for face in late.faces] == [(8, 10), (6, 8), (4, 5), (2, 3)]
    assert "black" in late.type.traits
    assert (arrivals(URANUS)["Wiking"].turn, arrivals(URANUS)["Wiking"].steps) == (34, 0)


def test_strengths_at_the_start():
    assert strength(chart(URANUS), AXIS)[0] == 101
    assert strength(chart(URANUS), SOVIET)[0] == 133
    attack = [strength(chart(URANUS), side)[2] for side in SIDES]
    assert 0.8 <= attack[1] / attack[0] <= 1.6
    assert strength(chart(CAUCASUS), AXIS) == (0, 0, 0, 0)
    assert strength(chart(CAUCASUS), SOVIET)[0] == 47
    assert [strength(WHOLE, side)[0] for side in SIDES] == [78, 128]


# Set-ups.


@EACH
def test_everybody_stands_on_land_in_the_right_part(name):
    made = chart(name)
    for start in made.starts.values():
        assert made.board[start.place].terrain != "sea"
    if name == CAMPAIGN:
        blau = chart_of(DATA)
        own = {made.units[s.unit].code for s in made.starts.values() if s.place // 100 <= 41 and s.place % 100 <= 42}
        assert own == {blau.units[unit].code for unit in blau.starts}


def test_s42_29_1_4_only_stalingrad_is_contested():
    made = chart(URANUS)
    both = {p for p, starts in standing(made).items() if len({made.units[s.unit].side for s in starts}) > 1}
    assert both == set(made.map.regions[CONTESTED].places) == {at("Stalingrad")}
    assert made.held[at("Stalingrad")] == AXIS
    for place, starts in standing(made).items():
        armed = {made.units[s.unit].side for s in starts if fights(made, s.unit)}
        if place in made.held and place not in both and armed:
            assert armed == {made.held[place]}, made.board[place]


@pytest.mark.parametrize(
    ("name", "side"), [(URANUS, AXIS), (URANUS, SOVIET), (CAMPAIGN, AXIS), (CAMPAIGN, SOVIET), (CAUCASUS, SOVIET)]
)
def test_s42_16_3_everybody_is_in_supply_at_the_start(name, side):
    made = chart(name)
    state = at_start(made)
    reached = lines(state, side).reached
    out = {
        str(made.board[start.place])
        for start in made.starts.values()
        if made.units[start.unit].side == side and not made.board.bit[start.place] & reached
    }
    assert out <= ({str(BOARD[at("Stalingrad")])} if name == URANUS else set())


def test_the_front_of_uranus_is_closed():
    """From the west nobody walks past the Axis line and its zones to a Soviet unit, above the steppe in the south."""
    made = chart(URANUS)
    board = made.board
    soviets = {p for p, starts in standing(made).items() if any(made.units[s.unit].side == SOVIET for s in starts)}
    axis = {
        p
        for p, starts in standing(made).items()
        if any(made.units[s.unit].side == AXIS and fights(made, s.unit) for s in starts)
    }
    shut = axis | {near for place in axis for near in board.near[place]}
    todo = [p for key in "yz" for p in made.map.entries[key].places if p not in shut and p % 100 > 3]
    seen = set(todo)
    for place in todo:
        assert place not in soviets
        more = (
            {n for n in board.near[place] if n < 9000 and board[n].terrain != "sea" and 1 <= n % 100 <= 30}
            - shut
            - seen
        )
        seen |= more
        todo += more


@pytest.mark.parametrize("side", SIDES)
def test_forts_of_uranus_are_held_and_stand_where_forts_may(side):
    made = chart(URANUS)
    for place in made.map.regions[f"forts_{side}"].places:
        assert made.ground[made.board[place].terrain].fort
        assert any(made.units[s.unit].side == side for s in standing(made)[place])


# Arrivals.


def test_every_counter_of_the_campaign_has_its_place():
    """At the start, on a turn, from a pool, or in the place of another; never two of these (the chart refuses that)."""
    assert WHOLE.boxes[OUT] == ()
    codes = [unit.code for unit in WHOLE.units]
    assert len(codes) == 222 + 206
    assert [unit.code for unit in chart_of(DATA).units] == codes[:222]  # orders are written with numbers
    assert [unit.code for unit in chart(URANUS).units] == codes == [unit.code for unit in chart(CAUCASUS).units]


@pytest.mark.parametrize(("name", "turn"), [(URANUS, 28), (CAUCASUS, 10)])
def test_nobody_stands_before_arriving_or_after_leaving(name, turn):
    later, gone = arrivals(CAMPAIGN), {}
    for item in DATA["campaign"]["withdrawals"]:
        gone |= dict.fromkeys(item["units"].split(), item["turn"])
    made = chart(name)
    for start in made.starts.values():
        code = made.units[start.unit].code
        if not made.has(start.unit, "supply"):
            arrives = later[code].turn if code in later else 0
            assert arrives <= turn, code
            assert gone.get(code, 99) >= turn, code
    for code, arrival in later.items():
        assert gone.get(code, 99) > arrival.turn, code  # S42-32.1: who has left does not come back


def test_areas_of_arrival():
    """S42-22.1.1, S42-S2.3b, S42-S3.2."""
    for arrival in WHOLE.track.arrivals:
        assert arrival.where in (("a-c", "g-l", "any") if arrival.side == SOVIET else ("w", "x", "y", "z"))
    for arrival in chart(URANUS).track.arrivals:
        assert arrival.where == "a-c" if arrival.side == SOVIET else arrival.where in ("x", "south")
    campaign = arrivals(CAMPAIGN)
    for code, arrival in arrivals(CAUCASUS).items():
        if arrival.side == SOVIET:
            assert campaign[code].turn == arrival.turn
            assert (arrival.where == "g-l") == (campaign[code].where == "g-l")
    first = [a for a in chart(CAUCASUS).track.arrivals if a.turn == 10 and a.side == SOVIET]
    assert len(first) == 1  # the other one is of the Trans-Caucasus (S42-S2.4.1)


def test_arrivals_of_fall_blau_are_those_of_the_campaign():
    blau, campaign = {a.unit: a for a in chart_of(DATA).track.arrivals}, arrivals(CAMPAIGN)
    frozen = {WHOLE.units[unit].code for unit, start in WHOLE.starts.items() if start.frozen == "army5"}
    assert {code for code, a in blau.items() if code not in campaign} == frozen  # they stand east of map A
    for code, arrival in blau.items():
        if code in campaign:
            assert (campaign[code].turn, campaign[code].steps) == (arrival.turn, arrival.steps), code


def test_the_turn_track():
    track = WHOLE.track
    seasons = {turn.number: turn.season for turn in track}
    assert [number for number, season in seasons.items() if season == "september"] == [17, 18, 19]
    assert [number for number, season in seasons.items() if season == "rasputitsa"] == [20, 21, 22, 23, 24]
    assert {turn.number for turn in track if turn.weather} == {
        *range(1, 17)
    }  # S42-23.1a: from then on it is rolled for
    benchmarks = {number: track.value(number, "benchmark") for number in seasons}
    assert (benchmarks[28], benchmarks[36]) == (24, 21) == (24, WHOLE.victory["win"])
    assert [benchmarks[n] for n in range(1, 29)] == sorted(benchmarks[n] for n in range(1, 29))
    assert chart(URANUS).track[28].weather == ("overcast_winter",)
    assert chart(CAUCASUS).track[11].values == {"german_infantry": 2, "german_tank": 1}
    assert chart(CAUCASUS).limits["resources"] == {AXIS: 1, SOVIET: 1}
    total = Counter()
    for turn in track:
        total.update({key: value for key, value in turn.values.items() if key != "benchmark"})
    assert total == {
        "german_infantry": 92,
        "german_tank": 32,
        "german_special": 12,
        "romanian": 12,
        "hungarian": 6,
        "italian": 6,
        "allied": 2,
        "ss_regiment": 1,
        "soviet_infantry": 57,
        "soviet_tank": 37,
        "soviet_cavalry": 14,
        "soviet_special": 13,
    }


def test_ports_lie_by_the_sea():
    for place in BOARD.marked(PORT):
        near = {place, *GRID.neighbours(place)}
        around = {c for cell in near for c in GRID.neighbours(cell)}
        assert any(cell not in BOARD or BOARD[cell].terrain == "sea" for cell in around), BOARD[place]
    assert sources(at_start(chart(CAUCASUS)), SOVIET)
