"""S42-16, S42-17, S42-5.6, S42-5.7: lines of supply, isolation, and railways and ports as ways to go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.kit import ISOLATED, OUT_OF_SUPPLY, SUPPLIED
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.phase import Rails
from pbem_rules.stalingrad42.movement.rail import all_rail, connected, repaired, rides, usable, working
from pbem_rules.stalingrad42.movement.sea import landings, no_sailing
from pbem_rules.stalingrad42.orders import Entrain
from pbem_rules.stalingrad42.scenarios import CAUCASUS, chart_for
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import BY_LAND, DISRUPTED, State
from pbem_rules.stalingrad42.supply.isolation import airfield, help_for, pocket, relief, starves
from pbem_rules.stalingrad42.supply.lines import judged, lines, sources, stages, status

BOARD = CHART.board
GRID = BOARD.grid
RING = ("45RD", "62RD", "121RD", "160RD", "212RD", "284RD")


def hold(s: State, side: str, *towns: str) -> None:
    for town in towns:
        place = BOARD.place_named(town)
        assert place is not None
        s.holders[place] = side


# Lines of supply.


def test_s42_16_19_2b_everybody_is_in_supply_at_the_start() -> None:
    s = at_start(CHART)
    assert {state for side in (AXIS, SOVIET) for _, state in judged(s, side)} == {SUPPLIED}
    assert sum(1 for _ in judged(s, AXIS)) == 77  # the supply point is not judged


def test_s42_16_1a_units_in_areas_are_in_supply() -> None:
    s = position(("45RD", CHART.areas["n"]), ("45ID", CHART.areas["x"]))
    assert [*judged(s, SOVIET), *judged(s, AXIS)] == [(number("45RD"), SUPPLIED), (number("45ID"), SUPPLIED)]


def test_s42_16_3_1_16_3_3a_over_land_to_a_road_and_by_road_to_an_area() -> None:
    s = position(("45ID", 1404))
    (land, over), (road, way) = lines(s, AXIS).line(1404)
    assert (land, road) == ("land", "road")
    assert over[0] == 1404
    assert len(over) - 1 == 2  # the road through Kastornoye is two hexes away
    assert way[0] == over[-1]
    assert BOARD.bit[way[-1]] & CHART.edge(AXIS)


def test_s42_16_3_2a_23_2_3e_five_hexes_over_land_and_three_in_the_wet() -> None:
    """The first road hex counts. Nearer roads lead through towns that the Soviets hold."""
    s = position(("45ID", 3417))
    ((_, over), _) = lines(s, AXIS).line(3417)
    assert len(over) - 1 == 5
    assert status(s, number("45ID")) == SUPPLIED
    s.put(number("45ID"), 3416)
    assert status(s, number("45ID")) == OUT_OF_SUPPLY
    assert stages(s, AXIS, any_length=True)[1].length == -1
    s.put(number("45ID"), 3318)
    assert status(s, number("45ID")) == SUPPLIED
    s.wet = True
    assert status(s, number("45ID")) == OUT_OF_SUPPLY
    s.put(number("45ID"), 3119)
    assert status(s, number("45ID")) == SUPPLIED


def test_s42_16_3_2a_marsh_off_the_roads_counts_two_hexes() -> None:
    s = position()
    assert set(stages(s, AXIS)[1].steps) == {1}
    s.rained = True
    steps = stages(s, AXIS)[1].steps
    assert BOARD[3532].terrain == "seasonal_marsh"
    # A line leads from 3531 or 3632 into 3532; seen from there it goes out again, and a road makes it one hex.
    assert steps[2].spread(BOARD.bit[3532]) & BOARD.bit[3531]
    assert not steps[1].spread(BOARD.bit[3532]) & BOARD.bit[3531]
    assert CHART.road(3532, 3631)
    assert steps[1].spread(BOARD.bit[3532]) & BOARD.bit[3631]
    assert steps[1].spread(BOARD.bit[3531]) & BOARD.bit[3532]  # out of the marsh it counts one


def test_s42_16_3_3b_the_road_part_keeps_out_of_zones_unless_friends_stand_there() -> None:
    """All roads to 3417 come by Kupyansk; a Soviet unit beside it cuts them, and a friend in the zone mends them."""
    s = position(("45ID", 3417), ("45RD", 1818))
    assert s.zone(SOVIET) & BOARD.bit[1817]
    assert not BOARD.bit[1817] & lines(s, AXIS).reached & stages(s, AXIS)[0].open_to
    assert status(s, number("45ID")) == OUT_OF_SUPPLY
    s.put(number("95ID"), 1817)
    s.put(number("57ID"), 1917)
    assert status(s, number("45ID")) == SUPPLIED


def test_s42_16_3_4b_no_line_enters_a_town_that_the_enemy_controls() -> None:
    s = position(("45ID", 2004))
    voronezh, valuyki, kharkov, yeysk = (BOARD.bit[p] for p in (2503, 2013, 1015, 2338))
    for stage in stages(s, AXIS):
        assert not stage.open_to & (voronezh | valuyki)  # a city, and a town that counts for victory
        assert stage.open_to & kharkov
        assert stage.open_to & yeysk  # a town that counts for nothing
    hold(s, SOVIET, "Kharkov")
    assert not any(stage.open_to & kharkov for stage in stages(s, AXIS))
    hold(s, AXIS, "Voronezh", "Valuyki")
    for stage in stages(s, AXIS):
        assert stage.open_to & voronezh
        assert stage.open_to & valuyki


def surrounded(*more: tuple[str, int]) -> State:
    """Germans in 3417, and Soviets two hexes away all around, who leave no hex without a zone."""
    around = GRID.ring(3417, 2)
    codes = [*RING, "31RD", "339RD", "395RD", "383RD", "216RD", "353RD"]
    return position(("45ID", 3417), *zip(codes, around, strict=True), *more)


def test_s42_16_5_1a_isolated_is_who_has_no_line_of_any_length() -> None:
    s = surrounded()
    assert status(s, number("45ID")) == ISOLATED
    for code in RING:
        s.put(number(code), 3806)
    assert status(s, number("45ID")) != ISOLATED
    s = position(("45ID", 3417))
    off = [place for place in BOARD.in_mask(sources(s, AXIS)) if not CHART.on_roads & BOARD.bit[place]]
    ring = BOARD.grid.ring(off[1], 1)  # type: ignore[union-attr]
    for code, place in zip(RING, (p for p in ring if p in BOARD.near[off[1]]), strict=False):
        s.put(number(code), place)
    s.put(number("45ID"), off[1])
    assert status(s, number("45ID")) == OUT_OF_SUPPLY  # at the source itself, with no road


def test_s42_16_3_2b_6_2c_two_hexes_of_a_zone_in_a_row_bar_the_way_and_a_friend_opens_it() -> None:
    s = surrounded()
    assert pocket(s, AXIS, 3417) == BOARD.mask(GRID.within(3417, 1))
    (gap,) = {p for p in GRID.ring(3417, 2) if s.at(number("353RD")) == p}
    s.put(number("353RD"), 3806)
    wider = pocket(s, AXIS, 3417)
    assert wider == BOARD.mask(GRID.within(3417, 1))  # the gap lies in a zone, and so does the hex before it
    s.put(number("95ID"), gap)
    assert pocket(s, AXIS, 3417) & BOARD.bit[gap]
    assert pocket(s, AXIS, 3417).bit_count() > 8


def test_s42_7_2d_16_3_2b_a_bond_bars_a_line() -> None:
    """3417 and 3419 close 3418 to lines too (S42-7.2d)."""
    s = position(("45ID", 3318), ("45RD", 3417), ("62RD", 3419))
    for stage in stages(s, AXIS):
        assert not stage.open_to & BOARD.bit[3418]
    s = position(("45ID", 3418), ("45RD", 3417), ("62RD", 3519))
    for stage in stages(s, AXIS):
        assert (3418, 3518) in stage.closed


def test_s42_16_2_16_2_1_16_2_3_areas_and_the_ports_of_the_soviets_are_sources() -> None:
    s = position(("116CD", 2338), ("45ID", 2634))
    assert lines(s, SOVIET).line(2338) == (("road", (2338,)),)  # Yeysk
    assert BOARD.bit[2634] & lines(s, AXIS).reached
    ring = [place for place in GRID.neighbours(2634) if BOARD[place].terrain != "sea"]
    s = position(("45ID", 2634), *zip(RING, ring, strict=False))
    assert status(s, number("45ID")) == ISOLATED  # Taganrog's port is none for the Axis
    s = position(("91/302RD", 2338), *zip(("45ID", "95ID", "57ID", "168ID"), GRID.neighbours(2338), strict=False))
    assert status(s, number("91/302RD")) == SUPPLIED


def test_s42_22_units_in_an_area_are_in_supply() -> None:
    s = position(("45RD", 4105))
    s.put(number("45RD"), CHART.areas["m"])
    assert status(s, number("45RD")) == SUPPLIED


# Isolation.


def besieged(place: int, *more: tuple[str, int]) -> State:
    """Germans with an enemy in every second hex two away, so that only the hexes beside theirs are open."""
    return position(("45ID", place), *zip(RING, GRID.ring(place, 2)[::2], strict=True), *more)


def test_s42_16_5_4_what_helps_a_pocket() -> None:
    """Airfield 2, headquarters 1, city 1: with four no step is lost."""
    s = besieged(2503, ("6A-HQ", 2503))
    hold(s, AXIS, "Voronezh")
    unit = number("45ID")
    assert status(s, unit) == ISOLATED
    found = [(shift.rule, shift.by) for shift in help_for(s, unit)]
    assert found == [("S42-16.5.4a", 2), ("S42-16.5.4d", 1), ("S42-16.5.4e", 1)]
    assert relief(s, unit) == 4
    hold(s, SOVIET, "Voronezh")
    assert relief(s, unit) == 3  # a city of one's own
    s.put(number("6A-HQ"), 1303)
    assert relief(s, unit) == 2


def test_s42_16_5_4a_the_airfield_is_worth_less_to_the_soviets() -> None:
    s = position(
        ("45RD", 2014), *zip(("45ID", "95ID", "57ID", "168ID", "75ID", "62ID"), GRID.ring(2014, 2)[::2], strict=True)
    )
    assert status(s, number("45RD")) == ISOLATED
    assert [(shift.rule, shift.by) for shift in help_for(s, number("45RD"))] == [("S42-16.5.4a", 1)]


def test_s42_16_5_4c_far_from_a_railway_it_is_worth_one_less() -> None:
    near, far = besieged(2508), besieged(3608)
    hubs = BOARD.in_mask(connected(far, AXIS))
    assert min(GRID.distance(3608, hub) for hub in hubs) > 16
    assert (relief(near, number("45ID")), relief(far, number("45ID"))) == (2, 1)
    far.weather = "snow"
    assert help_for(far, number("45ID")) == ()  # what is worth nothing is not named


def test_s42_16_5_4a_airfields_are_towns_cities_and_clear_hexes() -> None:
    s = position()

    def near(*places: int) -> bool | None:
        return airfield(s, AXIS, BOARD.mask(places))

    assert BOARD[2602].terrain == BOARD[2112].terrain == "woods"
    assert near(2602, 2112) is None
    assert near(2602, 2604) is near(2602, 2503) is True
    assert near(4004, 2602) is False
    assert near(4004, 2004) is True  # one near a railway is enough
    s = position(chart=chart_for(DATA, CAUCASUS))
    assert s.chart.board[2956].terrain == "woods"
    assert airfield(s, SOVIET, s.chart.board.bit[2956]) is not None  # the town of Tuapse


def test_s42_16_5_4_a_pocket_may_be_wide() -> None:
    s = position()
    assert BOARD.bit[4008] & pocket(s, AXIS, 1303)


def test_s42_16_5_4a_no_airfield_beside_an_enemy() -> None:
    s = position(("45ID", 3417), *zip(RING, GRID.ring(3417, 1), strict=True))
    assert pocket(s, AXIS, 3417) == BOARD.bit[3417]
    assert help_for(s, number("45ID")) == ()
    assert relief(s, number("45ID")) == 0


@pytest.mark.parametrize(("modifier", "safe"), [(4, 0), (3, 1), (0, 4), (-1, 5)])
def test_s42_16_5_2_rolls(modifier: int, safe: int) -> None:
    """With +4 nothing is lost; with +3 on a roll of one, with nothing on one to four."""
    assert sum(starves(die=die, modifier=modifier, s=position()) for die in range(1, 7)) == safe


# Railways.


def test_s42_17_1_what_is_repaired_at_the_start() -> None:
    s = at_start(CHART)
    assert repaired(s) & CHART.repaired == CHART.repaired
    assert repaired(s) & ~CHART.repaired == BOARD.mask([1822]) & ~CHART.repaired  # between Slavyansk and 1722
    assert usable(s, SOVIET) == all_rail(CHART)
    assert all(working(s, track) for track in s.tracks)


def test_s42_17_1b_17_3_1b_the_line_is_repaired_when_both_railheads_have_come() -> None:
    s = at_start(CHART)
    oskol = BOARD.mask([1806])
    north = (1303, 1402, 1502, 1602, 1702, 1802, 1903, 2002)
    south = (1717, 1817, 1816, 1916, 2015, 2014, 2013)
    s.tracks = (north, *s.tracks[1:])
    assert not repaired(s) & oskol
    s.tracks = (north, south, *s.tracks[2:])
    assert repaired(s) & oskol
    s.tracks = (north[:-1], south, *s.tracks[2:])
    assert not repaired(s) & oskol  # thrown back


def test_s42_17_4_6_2c_connected_railway_is_free_of_enemies_and_their_zones() -> None:
    s = position(("45RD", 1101))
    s.tracks = at_start(CHART).tracks
    assert working(s, (1303,))
    s.put(number("62RD"), 1201)
    s.put(number("121RD"), 1104)
    assert not working(s, (1303,))  # 1202 and 1103 lie in zones
    for code, place in (("45ID", 1103), ("95ID", 1202), ("57ID", 1003)):
        s.put(number(code), place)
    assert working(s, (1303,))  # friends cancel them
    s.put(number("57ID"), 1006)
    s.put(number("212RD"), 1003)
    assert not working(s, (1303,))


def test_s42_17_4_soviet_railway_begins_at_areas_and_ports() -> None:
    s = position()
    s.tracks = at_start(CHART).tracks
    assert connected(s, SOVIET) & BOARD.bit[2338]
    assert connected(s, SOVIET) & BOARD.bit[4105]
    assert not connected(s, AXIS) & BOARD.bit[4105]
    hold(s, AXIS, "Yeysk")
    assert connected(s, SOVIET) & BOARD.bit[2338]  # by land, from the east


def test_s42_16_trains_have_no_zone_to_cut_a_line() -> None:
    s = position(("45RD", 1101))
    s.tracks = at_start(CHART).tracks
    s.put(number("62RD"), 1201)
    assert not working(s, (1303,))
    for code in ("45RD", "62RD"):
        s.alter(number(code), replace(s.pieces[number(code)], train=True))
    assert working(s, (1303,))


# Rides and passages.


def test_s42_5_6_5_6_1a_5_6_3a_a_unit_rides_any_distance_along_its_railway() -> None:
    s = position(("45ID", 1303), ("45RD", 2503))
    s.tracks = at_start(CHART).tracks
    found = rides(s, number("45ID"))
    assert found & BOARD.bit[2029]  # Stalino, by Kharkov
    assert not found & BOARD.bit[1402]  # not repaired
    assert not found & BOARD.bit[1303]  # it stands there
    assert found & BOARD.bit[CHART.areas["z"]]
    assert not found & BOARD.bit[CHART.areas["a"]]
    soviet = rides(s, number("45RD"))
    assert soviet & BOARD.bit[3134]
    assert soviet & BOARD.bit[CHART.areas["a"]]
    assert not soviet & BOARD.bit[1303]  # its own zone does not matter, the enemy does


def test_s42_5_6_2_out_of_an_area() -> None:
    s = position(("45RD", 4105))
    s.put(number("45RD"), CHART.areas["m"])
    assert rides(s, number("45RD")) & BOARD.bit[4105]
    assert rides(s, number("45RD")) & BOARD.bit[2708]
    s.put(number("45RD"), CHART.areas["n"])
    assert not rides(s, number("45RD"))  # no railway leads in from there


def test_s42_5_6_3a_which_end_has_no_railway() -> None:
    s, f = position(("45RD", 3806)), PlayerTurn(SOVIET)
    mine = usable(s, SOVIET)
    rail = next(place for place in BOARD.in_mask(mine & connected(s, SOVIET)) if place in BOARD.grid)  # type: ignore[operator]
    off = next(place for place in BOARD.near[rail] if not mine & BOARD.bit[place] and place in BOARD.grid)  # type: ignore[operator]
    for start, goal, where in ((rail, off, f"In {off:04d} is no railway"), (off, rail, f"In {off:04d}, where 45RD")):
        s.put(number("45RD"), start)
        wrong = Rails().check(s, f, SOVIET, Entrain(number("45RD"), goal), {})
        assert wrong is not None
        assert (wrong.rule, wrong.reason[: len(where)]) == ("S42-5.6.3a", where)


def test_s42_5_6_3_6_2c_13_2_1a_zones_states_and_others_on_trains() -> None:
    s = position(("45RD", 2503), ("62RD", 2608), ("16TC", 2608), ("Sup-S1", 2503), ("9Pz", 2509))
    unit = number("45RD")
    assert s.zone(AXIS) & BOARD.bit[2608]
    assert not rides(s, unit) & BOARD.bit[2608]  # friends do not cancel it
    assert rides(s, number("62RD")) == 0  # nor let it leave
    s.put(number("9Pz"), 1303)
    s.alter(number("62RD"), replace(s.pieces[number("62RD")], train=True))
    assert not rides(s, unit) & BOARD.bit[2608]
    assert rides(s, number("Sup-S1")) & BOARD.bit[2608]
    assert rides(s, number("62RD")) == 0
    s.alter(unit, replace(s.pieces[unit], order=DISRUPTED))
    assert rides(s, unit) == 0
    s.frozen[number("Sup-S1")] = "army6"
    assert rides(s, number("Sup-S1")) == 0
    assert rides(s, number("121RD")) == 0  # nowhere
    s.put(number("16TC"), 2004)
    assert rides(s, number("16TC")) == 0  # no railway there


def test_s42_5_7_1_from_port_to_port() -> None:
    s = position(("91/302RD", 2338), ("116CD", 2338), ("63TB", 2338), ("68NB", 2338), ("Sup-S1", 2338), ("45ID", 1936))
    rostov, taganrog = 3134, 2634
    for code in ("91/302RD", "116CD", "Sup-S1"):
        assert landings(s, number(code)) == (rostov,)
    assert landings(s, number("63TB")) == ()  # vehicles
    assert landings(s, number("68NB")) == (taganrog, rostov)  # S42-5.7.1f: empty, but not Mariupol
    hold(s, AXIS, "Rostov")
    assert landings(s, number("91/302RD")) == ()
    assert no_sailing(position(("91/302RD", 2936)), number("91/302RD"))
    for change in ({"order": DISRUPTED}, {"train": True}):
        s.alter(number("68NB"), replace(s.pieces[number("68NB")], order=0, train=False))
        assert not no_sailing(s, number("68NB"))
        s.alter(number("68NB"), replace(s.pieces[number("68NB")], **change))
        assert no_sailing(s, number("68NB"))
    assert no_sailing(position(("45ID", 2634)), number("45ID"))
    s.frozen[number("116CD")] = "caucasus"
    assert no_sailing(s, number("116CD"))
    hold(s, AXIS, "Yeysk")
    assert no_sailing(s, number("91/302RD"))


@pytest.mark.parametrize("option", [False, True])
def test_s42_16_3_1_a_land_part_alone_into_an_area_counts_by_option_only(option: bool) -> None:
    """Beside the edge, with the enemy all around between it and the roads."""
    around = [place for place in GRID.ring(4112, 2) if place in BOARD.places]
    s = position(("45RD", 4112), *zip(("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "45ID", "95ID"), around, strict=True))
    s.options = (BY_LAND,) * option
    assert status(s, number("45RD")) == (SUPPLIED if option else OUT_OF_SUPPLY)


def test_s42_5_6_3a_5_6_3d_what_keeps_a_train_from_a_station_that_it_could_use() -> None:
    s, f = position(("45RD", 2503), ("62RD", 3134), ("9Pz", 2608)), PlayerTurn(SOVIET)
    unit = number("45RD")
    for goal, rule in ((3706, "S42-5.6.3a"), (3134, "S42-5.6.3d")):
        s.alter(number("62RD"), replace(s.pieces[number("62RD")], train=True))
        wrong = Rails().check(s, f, SOVIET, Entrain(unit, goal), {})
        assert wrong is not None
        assert wrong.rule == rule
    s.put(number("62RD"), 3706)
    s.put(number("Sup-S1"), 2503)  # which may stand with others on trains
    wrong = Rails().check(s, f, SOVIET, Entrain(number("Sup-S1"), 3706), {})
    assert wrong is not None
    assert wrong.rule == "S42-5.6.3a"
