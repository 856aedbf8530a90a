"""The edges of rules: what stands just inside and just outside of them."""

from __future__ import annotations

from noretreat_cards import until
from noretreat_positions import (
    CHART,
    CODES,
    asked,
    battle,
    fight,
    owing,
    place,
    position,
    reaches,
    rule_of,
    shifts,
    table,
    where,
)

from pbem.engine.event import Out
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.counterattack import swapped
from pbem_rules.noretreat.events import Fought
from pbem_rules.noretreat.frames import DrawCards, GameTurn, PlayerTurn, Retreat
from pbem_rules.noretreat.hands import Refill
from pbem_rules.noretreat.movement import allowance
from pbem_rules.noretreat.odds import armour_shift, reckon
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pursuit import paths
from pbem_rules.noretreat.rail import unloadable
from pbem_rules.noretreat.retreat import Trapped, penalty, ways_back
from pbem_rules.noretreat.state import BOX_NAMES, Effect
from pbem_rules.noretreat.supply import land_supplied, sources
from pbem_rules.noretreat.targets import target_limit
from pbem_rules.noretreat.turns import BeginCombat, Remove, SovietTurn, ThrowAway
from pbem_rules.noretreat.weather import begin, flip

RING = ("NW", "SW", "South", "Bry", "Res", "Kal")
WEST = dict.fromkeys(("Minsk", "Smolensk", "Kiev", "Kharkov", "Voronezh"), AXIS)


def test_nr_1_12_not_out_of_supply():
    s = position({"SSPz": "2109", "NW": "2209"}, turn=15)
    assert "SS armour" in shifts(s, "SSPz", "2209")
    s.mark_cut(CODES["SSPz"], cut=True)
    assert armour_shift(s, fight(s, "SSPz", "2209")) is None


def test_nr_1_18_a_regional_side_is_not_turned_up_for_nothing():
    d = table({"Len": ("Leningrad", "-"), "Mos": ("Moscow", "+")}, Organise, side=SOVIET, turn=5)
    assert rule_of(d, "flip Len") == "NR-1.18"
    assert rule_of(d, "flip Mos") == ""


def test_nr_1_26_a_cadre_that_is_lost_is_not_followed_by_another():
    units = {"KG1": "2109", "KG2": "Available Cadres", "West": "2209"}
    d = battle(units, "KG1", "2209", 6, forced=True)  # 2 to 3, an exchange
    assert where(d, "KG1") == "turn track"
    assert where(d, "KG2") == "Available Cadres"
    assert not asked(d).startswith("cadre axis")


def test_nr_5_2_two_are_kept_and_three_are_not():
    assert rule_of(table({"4": "0210"}, ThrowAway, axis=(1, 2, 3), turn=6), "done") == "NR-5.2"
    assert rule_of(table({"4": "0210"}, ThrowAway, axis=(1, 2), turn=6), "done") == ""


def test_nr_5_11_card_12_brings_the_soviets_no_other():
    d = table({"Kal": "Destroyed"}, Organise, side=SOVIET, soviet=(12,), turn=6)
    d.order("soviet", "discard 12 for return Kal Moscow")
    assert where(d, "Kal") == f"{place('Moscow'):04d}"
    assert d.state.hand(SOVIET) == ()


def test_nr_5_13_each_player_turn_begins_anew():
    d = table({"4": "2109"}, SovietTurn, frame=GameTurn(), used=(20,), taken=(2109,), soviet=(5,))
    assert (d.state.active, d.state.used, d.state.taken) == (SOVIET, (), ())


def test_nr_5_16_as_soon_as_one_is_left():
    """Also if nobody draws any more: the discards lie in the new deck, and the last card has been drawn by nobody."""
    d = table({"4": "0210"}, Refill, frame=DrawCards(AXIS, 2), left=3, discards=(5, 6))
    assert len(d.state.hand(AXIS)) == 2
    assert (d.state.deck.epoch, d.state.deck.left, d.state.deck.discards) == (2, 3, [])
    more = table({"4": "0210"}, Refill, frame=DrawCards(AXIS, 2), left=4, discards=(5, 6))
    assert (more.state.deck.epoch, more.state.deck.left, more.state.deck.discards) == (1, 2, [5, 6])


def test_nr_5_16_with_no_discards_the_last_card_stays():
    d = table({"4": "0210"}, Refill, frame=DrawCards(AXIS, 4), left=3)
    assert (len(d.state.hand(AXIS)), d.state.deck.left, d.state.deck.epoch) == (2, 1, 1)


def test_nr_6_3_a_city_that_is_cut_off_is_no_source():
    cells = [f"{cell:04d}" for cell in CHART.board.near[1912]]
    bit = CHART.board.bit[place("Voronezh")]
    assert sources(position({}, held=WEST), AXIS) & bit
    assert not sources(position(dict(zip(RING, cells, strict=True)), held=WEST), AXIS) & bit


def test_nr_6_4_lines_cross_lakes():
    bit = CHART.board.bit
    assert CHART.board[1301].terrain == "lake"
    assert CHART.lines.reached(bit[1401], bit[1401] | bit[1301] | bit[1302], 2) & bit[1302]
    assert not CHART.roads.reached(bit[1401], bit[1401] | bit[1301] | bit[1302], 2) & bit[1302]


def test_nr_6_10_not_the_side_that_waits():
    d = table({"1Pz": "2109", "NW": "0315"}, Remove, cut=("1Pz", "NW"), frame=PlayerTurn(AXIS))
    assert (where(d, "1Pz"), where(d, "NW")) == ("Captured-", "0315")
    assert CODES["NW"] in d.state.cut


def test_nr_7_13_not_into_an_enemy_zone_though_a_friend_stands_there():
    units = {"Kal": "Destroyed", "NW": "Voronezh", "4": "1811"}
    d = table(units, Organise, side=SOVIET, turn=24, soviet=(20,))
    assert rule_of(d, "discard 20 for return Kal Voronezh") == "NR-7.13"
    free = table({**units, "4": "0210"}, Organise, side=SOVIET, turn=24, soviet=(20,))
    assert rule_of(free, "discard 20 for return Kal Voronezh") == ""


def test_nr_8_2_a_bonus_does_not_lift_the_cap():
    s = position({"1Pz": "2109"}, turn=9)
    s.put_effect(Effect("points", AXIS, CODES["1Pz"], 2))
    assert (s.weather, allowance(s, CODES["1Pz"])) == ("mud", 3)


def test_nr_8_3_nobody_passes_through_a_zone():
    """From one side of 2109 to the other by way of it, when a fort without a zone bars the way round."""
    board = CHART.board
    out = [cell for cell in board.near[2109] if cell != 2209 and not board.touch(cell, 2209)]
    (middle,) = [cell for cell in out if all(cell == other or board.touch(cell, other) for other in out)]
    start, goal = (cell for cell in out if cell != middle)
    d = table({"4": f"{start:04d}", "NW": "2209", "Len": (f"{middle:04d}", "+")}, turn=9)
    assert {2109} <= reaches(d, "4")
    assert goal not in reaches(d, "4")
    free = table({"4": f"{start:04d}", "NW": ("2209", "-"), "Len": (f"{middle:04d}", "+")}, turn=9, cut=("NW",))
    assert goal in reaches(free, "4")


def test_nr_8_14_who_has_moved_does_not_go_by_rail():
    d = table({"4": "0210", "6": "0410"}, axis=(14, 15))
    d.order("axis", "move 4 0310")
    assert rule_of(d, "rail 4") == "NR-8.14"
    assert rule_of(d, "rail 6") == ""


def test_nr_8_17_nor_do_fortified_units_that_can_walk():
    d = table({"Fort1": "2410", "Kal": "2411"}, side=SOVIET)
    assert d.state.face(CODES["Fort1"]).move
    assert rule_of(d, "rail Fort1") == "NR-8.17"


def test_nr_8_21_not_into_an_enemy_zone_though_a_friend_stands_there():
    units = {"4": "Rail", "6": "Voronezh", "NW": "1911"}
    d = table(units, held=WEST)
    assert land_supplied(d.state, AXIS) & CHART.board.bit[place("Voronezh")]
    assert place("Voronezh") not in unloadable(d.state, CODES["4"])
    free = table({"4": "Rail", "6": "Voronezh"}, held=WEST)
    assert place("Voronezh") in unloadable(free.state, CODES["4"])


def test_nr_8_22_not_four_hexes_off():
    s = position({"Kal": "Rail"}, held={})
    near = land_supplied(s, SOVIET, 3)
    far = land_supplied(s, SOVIET, 4) & ~near
    assert far
    assert not set(CHART.board.in_mask(far)) & set(unloadable(s, CODES["Kal"]))


def test_nr_9_58_who_is_too_many_leaves_before_the_events_after_a_battle():
    units = {"4": "2109", "6": "2109", "9": "2109", "NW": ("2209", "+"), "Kal": ("2209", "+")}
    d = until(battle(units, "4 6 9", "2209", 6, soviet=(51,), turn=25), "loss axis")
    assert d.state.fight.result == "EX"
    d.order("axis", "lose 4")
    while asked(d) in ("loss soviet", "cadre axis", "cadre soviet"):
        d.order(d.asked[0], "lose NW" if asked(d) == "loss soviet" else "decline")
    assert asked(d) == "excess_fought axis"
    d.order("axis", "leave 9")
    assert asked(d) == "fought_window soviet"


def test_nr_9_59_markers_of_the_active_side_go():
    d = table(
        {"4": "0210"}, Remove, tired=("4",), frame=PlayerTurn(AXIS), support={AXIS: 2, SOVIET: 1},
        effects=(Effect("points", AXIS, 4, 2), Effect("owes", SOVIET, 1, 3, "phase")),
    )  # fmt: skip
    assert not d.state.tired
    assert (d.state.support[AXIS], d.state.support[SOVIET]) == (0, 1)
    assert [each.kind for each in d.state.effects] == ["owes"]


def test_nr_10_10_long_winter_waits_for_the_next_phase():
    s = position({"1Pz": "2109", "NW": "2209"}, turn=6)
    begin(s)
    flip(s, 6, "NR-10.10", Out())
    assert (s.weather, s.long_winter) == ("snow", False)
    d = table({"1Pz": "2109", "NW": "2209"}, BeginCombat, turn=6, weather="snow")
    assert d.state.long_winter
    assert target_limit(d.state, AXIS) == 3


def test_nr_9_9_white_units_add_nothing_whatever_helps_them():
    s = position({"4": "2109", "NW": "2209", "Rsv": "2209"}, options={"local_support": True}, turn=8)
    s.helped[SOVIET] = CODES["Rsv"]
    assert reckon(s, fight(s, "4", "2209")).defence == 4
    assert reckon(s, fight(s, "4", "2209", forced=True)).defence == 3


def test_nr_9_14_the_marker_of_one_hex_goes_before_the_next_is_attacked():
    frame = owing(AXIS, "NW", "Kal")
    units = {"4": "2109", "6": "2310", "NW": "2209", "Kal": "2410"}
    d = table(units, ListBattles, frame=frame, blows={"2209": AXIS, "2410": AXIS}, dice={"t8/axis/2209/crt": 3})
    d.order("axis", "attack 2209 with 4", "done")  # 4 to 3, without effect
    assert asked(d) == "battles axis"
    assert list(d.state.blows) == [2410]


def test_nr_9_20_in_the_last_column_there_is_a_die():
    d = battle({"2Hun": "2109", "Cau": ("2209", "+")}, "2Hun", "2209", 5)
    (found,) = d.events(Fought)
    assert (found.attack, found.defence, found.column, found.result) == (2, 5, "1:3", "-")


def test_nr_9_28_both_may_play_an_event_again():
    s = position({"4": "2109", "NW": "2209"})
    first = fight(s, "4", "2209", played=(AXIS, SOVIET), marker=True, doubled=(CODES["4"],), shifts=((1, "x", "y"),))
    counter = swapped(s, first)
    assert (counter.played, counter.marker, counter.doubled, counter.shifts) == ((), False, (), ())
    assert (counter.side, counter.units, counter.defenders) == (SOVIET, first.defenders, first.units)


def test_nr_9_45_a_zone_that_cannot_be_avoided_costs_a_step():
    """The army can only go by way of 2110, which lies in a zone."""
    units = {"4": "2109", "NW": "2209", "SW": "2108", "Kal": "2210", "Bry": "2009", "Len": ("2208", "+")}
    s = position(units)
    assert {path[0] for path in ways_back(s, CODES["4"])} == {2110}
    d = battle(units, "NW SW Kal Bry", "2109", 5, side=SOVIET, turn=8)
    assert (d.state.steps(CODES["4"]), d.state.on_map(CODES["4"])) == (1, True)


def test_nr_9_45_the_trapped_are_captured_out_of_supply_even_when_they_may_break_out():
    """NR-13.19A lets them retreat, and they cannot."""
    ring = dict(zip(("NW", "SW", "Kal", "Bry", "Res", "South"), map(str, CHART.board.near[2109]), strict=True))
    s = position({"4": "2109", "6": "2109", **ring}, turn=13, cut=("4",))
    s.fight = fight(s, "NW SW", "2109", result="DR", free_retreat=True)
    Trapped().run(s, Retreat(AXIS, 2109, (CODES["4"], CODES["6"])), Out())
    assert [BOX_NAMES[s.at(CODES[code])] for code in ("4", "6")] == ["Captured", "Destroyed"]


def test_nr_9_45_a_friend_lifts_the_zone():
    units = {"4": "2109", "6": "2110", "NW": "2209", "SW": "2108", "Kal": "2210", "Bry": "2009", "Len": ("2208", "+")}
    s = position(units)
    assert s.in_zone(2110, SOVIET)
    assert penalty(s, CODES["4"], (2110,)) == 0
    assert penalty(position({**units, "6": "0210"}), CODES["4"], (2110,)) == 1


def test_nr_9_52_no_pursuit_through_a_fort_without_a_zone():
    s = position({"1Pz": "2109", "Len": ("2309", "+")}, turn=8)
    ways = list(paths(s, CODES["1Pz"], (2209,)))
    assert any(len(path) == 3 for path in ways)
    assert not any(2309 in path for path in ways)


def test_nr_9_44_a_refused_way_is_told_what_others_obey_better():
    units = {"4": "2109", "6": "2109", "NW": "2209", "9": "2307"}
    d = until(battle(units, "4 6", "2209", 4), "retreat soviet")
    good = {order.path for order in d.legal(SOVIET)}
    assert good
    assert rule_of(d, "retreat NW 2309-2310") == "NR-9.44"  # it leads nearer
    assert rule_of(d, "retreat NW 2308-2408") == "NR-9.45"  # through a zone
    assert rule_of(d, "retreat NW 2109-2009") == "NR-9.44"  # enemies
