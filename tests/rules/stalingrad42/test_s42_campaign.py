"""S42-S4 and its rules: reserve armies, removals and upgrades, the Winter Offensive, the order of play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, SOVIET, position

from pbem.engine.need import Over
from pbem.engine.testing import Driver, random_game
from pbem.game import DONE, Frame, Out, Setup
from pbem.kit import ISOLATED
from pbem_rules.stalingrad42 import game as GAME
from pbem_rules.stalingrad42.board import score_lines
from pbem_rules.stalingrad42.campaign.offensive import Offensives, fronts, gifts, may_begin, missing, posts
from pbem_rules.stalingrad42.campaign.plan import course_of
from pbem_rules.stalingrad42.campaign.removals import (
    Recalls,
    Refills,
    Releases,
    Weakens,
    fillable,
    lacking,
    recallable,
    waiting_armies,
)
from pbem_rules.stalingrad42.chart import DATA, GAL, REGIMENT, SIDES, WINGS, chart_of
from pbem_rules.stalingrad42.combat.air import fit, no_air, refresh, stay
from pbem_rules.stalingrad42.combat.offensives import lay
from pbem_rules.stalingrad42.events import SideBegan
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, War
from pbem_rules.stalingrad42.initial import Begin, Ends, havens, open_of
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import LeaveSnow
from pbem_rules.stalingrad42.movement.rail import all_rail, rides
from pbem_rules.stalingrad42.orders import Done, Evacuate, Offensive, Recall, Refill, Release, Renew, Weaken
from pbem_rules.stalingrad42.replacements import Renewals
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, chart_for, part
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import (
    BOX,
    DISRUPTED,
    ELIMINATED,
    GOOD,
    PLANNED,
    POOL,
    READY,
    REMOVED,
    USED,
    WAITING,
    Piece,
    State,
)
from pbem_rules.stalingrad42.turns import AxisTurn, Reckoning, ShortTurn, SovietTurn, SovietTurnFirst, Victory
from pbem_rules.stalingrad42.victory import falls_short, total, winner

CHART = chart_for(DATA, CAMPAIGN)
WINTER = chart_for(DATA, CAMPAIGN, 28)
KURSK, KHARKOV, VORONEZH = 1003, 1015, 2503
J, K, L, Z = (CHART.areas[key] for key in "jklz")


def unit(code: str) -> int:
    return CHART.unit(code).number


def start(turn: int = 1) -> State:
    s = set_up(GAME.setup_of(CAMPAIGN))
    if turn > 1:
        s.begin_turn(turn)
    return s


def place(*units: tuple[str, int] | tuple[str, int, int], turn: int = 12) -> State:
    s = position(*units, turn=turn, chart=chart_for(DATA, CAMPAIGN, turn))
    s.charts = lambda number: chart_for(DATA, CAMPAIGN, number)
    return s


def box(s: State, *codes: str) -> None:
    for code in codes:
        s.put(unit(code), ELIMINATED)
        s.pieces[unit(code)] = Piece(ELIMINATED, 0)


def begun(s: State, seat: str) -> PlayerTurn:
    f = PlayerTurn(seat)
    assert Begin().run(s, f, Out()) is DONE
    return f


def rule_of(wrong: object) -> str:
    return getattr(wrong, "rule", "")


def codes(s: State, units: tuple[int, ...]) -> set[str]:
    return set(map(s.code, units))


# The scenario.


def test_s42_s4_1a_s4_2_36_turns_on_all_maps_the_axis_first_and_tactically() -> None:
    d = Driver(GAME, CAMPAIGN)
    s = d.state
    assert [turn.number for turn in s.chart.track] == [*range(1, 37)]
    assert d.asked == (AXIS,)
    assert [event.side for event in d.events() if isinstance(event, SideBegan)] == [AXIS]
    assert {*s.chart.areas} == {*"abcdefghjklwxyz"}
    d.order(AXIS, Done())
    kinds = {order.kind for order in d.legal(AXIS)}
    assert "tactical" in kinds
    assert not any(order.kind == "extended" for order in d.legal(AXIS))
    movers = {order.unit for order in d.legal(AXIS) if order.kind == "move"}  # type: ignore[attr-defined]
    assert all(s.has(mover, "supply") or not s.fights(mover) for mover in movers)  # S42-S1.2b


def test_s42_s4_1b_all_railway_west_of_the_first_line_is_repaired() -> None:
    west, rail = CHART.map.regions["west"].mask, all_rail(CHART)
    heads = CHART.map.regions["railheads"].mask
    joined = CHART.rails.reached(CHART.board.bit[KHARKOV], rail & west & ~heads)
    assert joined
    assert not joined & ~CHART.repaired
    assert heads & ~CHART.repaired == 0


def test_the_course_of_the_war_is_checked() -> None:
    plan = {key: DATA["campaign"][key] for key in ("withdrawals", "upgrades", "armies", "kinds")}
    for key, value in (
        ("withdrawals", [{"turn": 9, "side": AXIS, "kind": "infantry", "units": "9Pz"}]),
        ("withdrawals", [{"turn": 9, "side": AXIS, "kind": "trains", "units": "9Pz"}]),
        ("kinds", {"infantry": "no_such_type"}),
        ("upgrades", [{"turn": 13, "unit": "Nobody", "type": "ax_wiking_13"}]),
    ):
        with pytest.raises(ValueError, match="campaign"):
            course_of({**plan, key: value}, CHART.counters)


def test_s42_17_5_5_6_6_the_railway_along_the_volga_opens_and_that_of_the_caspian_never_does() -> None:
    s = place(("203RD", 5507), turn=17)
    summer = all_rail(s.chart)
    s.begin_turn(18)
    later = all_rail(s.chart)
    volga = s.chart.board.mask(p for way in CHART.map.ways if way.feature == "volga_rail" for p in way.places)
    caspian = s.chart.board.mask(p for way in CHART.map.ways if way.feature == "caspian_rail" for p in way.places)
    assert volga & ~summer
    assert later == summer | volga
    assert caspian & ~all_rail(WINTER)
    assert len(part(DATA, CAMPAIGN)["turns"]["turns"]) == 36


# Reserve armies.


def test_s42_31_0a_one_of_three_armies_is_released_a_turn_and_the_8th_on_turn_15() -> None:
    s = start()
    f = begun(s, SOVIET)
    assert waiting_armies(s, f) == ()
    assert rule_of(Releases().check(s, f, SOVIET, Release("army5"), {})) == "S42-31.0"
    s.turn = 2
    f = begun(s, SOVIET)
    assert waiting_armies(s, f) == ("army5", "army6", "army7")
    assert rule_of(Releases().check(s, f, SOVIET, Release("army8"), {})) == "S42-31.0"
    assert Releases().check(s, f, SOVIET, Release("army7"), {}) is None
    Releases().apply(s, f, SOVIET, Release("army7"), Out())
    assert "army7" not in s.frozen.values()
    assert list(Releases().legal(s, f, SOVIET, {})) == []
    assert "One reserve army" in str(Releases().check(s, f, SOVIET, Release("army5"), {}))
    assert waiting_armies(s, begun(s, SOVIET)) == ("army5", "army6")
    assert waiting_armies(s, begun(s, AXIS)) == ()
    s.turn = 14
    begun(s, SOVIET)
    assert "army8" in s.frozen.values()
    s.turn = 15
    begun(s, SOVIET)
    assert "army8" not in s.frozen.values()


def test_s42_31_0b_armies_that_wait_ignore_stacking() -> None:
    s = start()
    assert len(s.of(SOVIET, 4310)) == 5
    assert not s.overfull(4310, SOVIET)
    f = PlayerTurn(SOVIET)
    s.turn = 2
    Releases().apply(s, f, SOVIET, Release("army5"), Out())
    assert s.overfull(4310, SOVIET)


def test_s42_20_6a_the_north_caucasus_is_free_when_the_axis_is_near_stalingrad_or_over_the_don() -> None:
    for there, free in ((5022, True), (5321, True), (4821, False), (5518, True), (4413, False), (2631, False)):
        s = start()
        grid = s.chart.board.grid
        assert grid is not None
        near = min(grid.distance(there, city) for city in (5521, 5522, 5622)) <= 5
        over = bool(s.chart.beyond_don & s.chart.board.bit[there])
        assert free is (near or over), there
        come_through(s, unit("9Pz"), [there], Out())
        assert ("caucasus" in s.frozen.values()) is not free, there


def test_s42_20_6a_beyond_the_don_begins_at_kalach() -> None:
    places = set(CHART.board.in_mask(CHART.beyond_don))
    assert min(p % 100 for p in places) == 22
    assert {5022, 3935, 2849} <= places
    assert not {4820, 5521, 3017, 2029} & places  # within the bend, in Stalingrad, west of the river


# Removals.


def test_s42_32_3b_32_1c_a_whole_german_infantry_division_leaves_if_it_can_one_in_supply() -> None:
    far = 4540  # in the steppe, without a line
    s = place(("45ID", KURSK), ("95ID", 1004, 2), ("57ID", far), ("97Jg", 1006), ("454Sec", 1007), turn=9)
    f = begun(s, AXIS)
    assert codes(s, recallable(s, f)) == {"45ID"}
    assert next(Ends().legal(s, f, AXIS, {}), None) is None
    assert "recall" in str(Ends().check(s, f, AXIS, Done(), {}))
    assert rule_of(Recalls().check(s, f, AXIS, Recall(unit("95ID")), {})) == "S42-32"
    Recalls().apply(s, f, AXIS, Recall(unit("45ID")), Out())
    assert s.at(unit("45ID")) == REMOVED
    s.set_steps(unit("95ID"), 1)
    assert (recallable(s, f), lacking(s, f), fillable(s, f)) == ((), (), ())  # its steps go to nobody
    assert Ends().check(s, f, AXIS, Done(), {}) is None
    s = place(("95ID", 1004, 2), ("57ID", far), turn=17)
    assert codes(s, recallable(s, begun(s, AXIS))) == {"57ID"}
    s = place(("95ID", 1004, 2), turn=17)
    assert recallable(s, begun(s, AXIS)) == ()
    for turn in (8, 10, 16, 18):
        s = place(("45ID", KURSK), turn=turn)
        assert recallable(s, begun(s, AXIS)) == ()


PANZERS = ("9Pz", KURSK), ("11Pz", 1004), ("24Pz", 1005), ("3Pz", 1006), ("GD", 1007)


def test_s42_32_1a_32_1c_two_panzer_divisions_and_gd_leave_and_steps_beyond_seven_stay() -> None:
    s = place(*PANZERS, ("16PzG", 1008, 1), ("23Pz", 1009, 1), ("95ID", 1010, 2), turn=10)
    f = begun(s, AXIS)
    assert s.at(unit("GD")) == REMOVED
    assert f.gone == 3
    assert codes(s, recallable(s, f)) == {"9Pz", "11Pz", "24Pz", "3Pz", "23Pz"}
    for code in ("9Pz", "11Pz"):
        assert Recalls().check(s, f, AXIS, Recall(unit(code)), {}) is None
        assert fillable(s, f) == ()
        Recalls().apply(s, f, AXIS, Recall(unit(code)), Out())
    assert (recallable(s, f), lacking(s, f), f.gone) == ((), (), 9)
    assert fillable(place(turn=12), f) == ()  # nobody leaves then
    assert codes(s, fillable(s, f)) == {"16PzG", "23Pz"}
    s.put(unit("23Pz"), 4540)  # in the steppe, without a line
    assert codes(s, fillable(s, f)) == {"16PzG"}
    s.put(unit("23Pz"), 1009)
    assert rule_of(Refills().check(s, f, AXIS, Refill(unit("3Pz")), {})) == "S42-32.1c"
    for left in (1, 0):
        assert Refills().check(s, f, AXIS, Refill(unit("16PzG")), {}) is None
        Refills().apply(s, f, AXIS, Refill(unit("16PzG")), Out())
        assert bool(fillable(s, f)) is bool(left)
    assert s.pieces[unit("16PzG")].steps == 3
    assert not s.renewed
    assert rule_of(Refills().check(s, f, AXIS, Refill(unit("23Pz")), {})) == "S42-32.1c"


def test_s42_32_1a_isolated_divisions_stay_as_long_as_there_are_others() -> None:
    s = place(*PANZERS[:3], turn=10)
    for code in ("9Pz", "11Pz"):
        s.pieces[unit(code)] = Piece(s.at(unit(code)), 3, supply=ISOLATED)
    f = begun(s, AXIS)
    assert codes(s, recallable(s, f)) == {"24Pz"}
    Recalls().apply(s, f, AXIS, Recall(unit("24Pz")), Out())
    assert codes(s, recallable(s, f)) == {"9Pz", "11Pz"}


def test_s42_32_1b_others_are_weakened_for_steps_that_the_dead_do_not_have() -> None:
    s = place(("24Pz", 1005), ("3Pz", 1006), ("23Pz", 1008, 2), turn=10)
    box(s, "9Pz", "11Pz", "GD")
    f = begun(s, AXIS)
    assert (s.at(unit("GD")), f.gone) == (REMOVED, 0)
    for code in ("9Pz", "11Pz"):
        assert lacking(s, f) == ()  # as long as one can be recalled
        Recalls().apply(s, f, AXIS, Recall(unit(code)), Out())
        assert s.at(unit(code)) == REMOVED
    assert codes(s, lacking(s, f)) == {"24Pz", "3Pz", "23Pz"}
    assert "weaken" in str(Ends().check(s, f, AXIS, Done(), {}))
    assert not list(Ends().legal(s, f, AXIS, {}))
    taken = 0
    while lacking(s, f):
        order = next(iter(Weakens().legal(s, f, AXIS, {})))
        Weakens().apply(s, f, AXIS, order, Out())
        taken += 1
    assert taken == 7
    assert rule_of(Weakens().check(s, f, AXIS, Weaken(unit("3Pz")), {})) == "S42-32.1b"
    assert Ends().check(s, f, AXIS, Done(), {}) is None


def test_s42_32_1b_units_with_several_steps_are_weakened_first() -> None:
    s = place(("24Pz", 1005, 1), ("3Pz", 1006), turn=10)
    box(s, "9Pz", "11Pz", "GD")
    f = begun(s, AXIS)
    for code in ("9Pz", "11Pz"):
        Recalls().apply(s, f, AXIS, Recall(unit(code)), Out())
    assert codes(s, lacking(s, f)) == {"3Pz"}
    s = place(*PANZERS[:2], turn=10)
    s.put(unit("GD"), REMOVED)
    assert begun(s, AXIS).gone == 0  # whoever has left before counts for nothing


CORPS = ("2TC", 2805), ("11TC", 2806, 1), ("4MC", 2807)


@pytest.mark.parametrize("turn", [12, 16, 18, 20, 22, 24])
def test_s42_32_2a_a_tank_corps_leaves(turn: int) -> None:
    s = place(*CORPS, turn=turn)
    box(s, "7TC")
    f = begun(s, SOVIET)
    assert codes(s, recallable(s, f)) == {"2TC", "11TC", "7TC"}
    Recalls().apply(s, f, SOVIET, Recall(unit("11TC")), Out())
    assert (f.gone, lacking(s, f), fillable(s, f)) == (1, (), ())
    assert Ends().check(s, f, SOVIET, Done(), {}) is None


def test_s42_32_2a_34_2b_a_corps_in_the_box_of_a_reserve_army_is_in_play() -> None:
    s = place(("2TC", 2805, 1), turn=22)
    s.put(unit("11TC"), BOX + 3)
    s.set_steps(unit("11TC"), 2)
    f = begun(s, SOVIET)
    assert codes(s, recallable(s, f)) == {"2TC", "11TC"}
    Recalls().apply(s, f, SOVIET, Recall(unit("11TC")), Out())
    assert (s.at(unit("11TC")), f.gone) == (REMOVED, 2)
    assert codes(s, fillable(s, f)) == {"2TC"}


def test_s42_32_2a_not_on_other_turns() -> None:
    leaving = {turn for turn in range(1, 37) if CHART.course.removal(turn, SOVIET, named=False)}
    assert leaving == {12, 16, 18, 20, 22, 24}


def test_s42_32_2b_for_a_dead_corps_another_one_gives_up_a_step() -> None:
    s = place(*CORPS)
    box(s, "7TC")
    s.missing[unit("7TC")] = 1
    f = begun(s, SOVIET)
    Recalls().apply(s, f, SOVIET, Recall(unit("7TC")), Out())
    assert unit("7TC") not in s.missing
    assert codes(s, lacking(s, f)) == {"2TC"}  # that has two steps
    Weakens().apply(s, f, SOVIET, Weaken(unit("2TC")), Out())
    assert s.pieces[unit("2TC")].steps == 1
    assert (lacking(s, f), fillable(s, f)) == ((), ())


def test_s42_32_2c_the_second_step_goes_to_a_corps_or_a_brigade_in_the_hex() -> None:
    for code, there in (("11TC", 2806), ("52TB", 2805)):
        s = place(*CORPS)
        box(s, "52TB", "5GTB")
        f = begun(s, SOVIET)
        Recalls().apply(s, f, SOVIET, Recall(unit("2TC")), Out())
        assert codes(s, fillable(s, f)) == {"11TC", "52TB"}
        Refills().apply(s, f, SOVIET, Refill(unit(code)), Out())
        assert s.at(unit(code)) == there
        assert s.pieces[unit(code)].steps == (2 if code == "11TC" else 1)
        assert fillable(s, f) == ()


def test_s42_32_2c_no_brigade_comes_where_no_corps_was() -> None:
    s = place(("2TC", 2805), ("11TC", 2806))
    box(s, "7TC", "52TB")
    f = begun(s, SOVIET)
    Recalls().apply(s, f, SOVIET, Recall(unit("7TC")), Out())
    f.gone += 2
    assert fillable(s, f) == ()


@pytest.mark.parametrize(("steps", "fined"), [(2, False), (1, True), (0, True)])
def test_s42_32_3a_1_rfss_leaves_and_must_be_whole(steps: int, fined: bool) -> None:
    s = place(("1RFSS", KURSK, steps or 2), ("29PzG", 1004, 2), turn=11)
    if not steps:
        box(s, "1RFSS")
    f = begun(s, AXIS)
    assert s.at(unit("1RFSS")) == REMOVED
    assert s.fined is fined
    assert f.spare["special"] == 1  # it came before
    s.turn = 15
    assert begun(s, AXIS).spare.get("special", 0) == (0 if fined else 1)
    assert not s.fined
    s.turn, s.fined = 18, True
    assert begun(s, SOVIET).spare["special"]
    assert s.fined  # the Axis pays
    s.fined = False
    assert begun(s, AXIS).spare["special"] == 1


def test_s42_32_3c_barbo_leaves_without_a_penalty() -> None:
    for lost in (False, True):
        s = place(("Barbo", KURSK), turn=23)
        if lost:
            box(s, "Barbo")
        begun(s, AXIS)
        assert s.at(unit("Barbo")) == REMOVED
        assert not s.fined


# Upgrades.


def test_s42_32_4_wiking_gains_a_step_on_turn_13_and_has_four_from_then_on() -> None:
    for steps in (3, 2):
        s = place(("Wiking", KURSK, steps), turn=12)
        assert s.whole(unit("Wiking")) == 3
        s.turn = 13
        f = begun(s, AXIS)
        assert s.pieces[unit("Wiking")].steps == steps + 1
        assert s.whole(unit("Wiking")) == 4
        assert REGIMENT not in f.spare
    face = s.counter(unit("Wiking")).face(4)
    assert (face.attack, face.defence, face.move) == (8, 10, 6)
    assert {"black", "tank"} <= s.counter(unit("Wiking")).type.traits
    s = place(("Wiking", KURSK, 3), turn=12)
    f = begun(s, AXIS)
    assert rule_of(Renewals().check(s, f, AXIS, Renew(unit("Wiking")), {})) == "S42-21.1.1"


def test_s42_32_4_a_remnant_or_one_in_the_box_gets_a_replacement() -> None:
    s = place(("Wiking", KURSK, 1), ("16PzG", 1004, 2), turn=13)
    f = begun(s, AXIS)
    assert (s.pieces[unit("Wiking")].steps, f.spare[REGIMENT]) == (1, 1)
    f.spare = {REGIMENT: 1}
    assert Renewals().check(s, f, AXIS, Renew(unit("Wiking")), {}) is None
    assert rule_of(Renewals().check(s, f, AXIS, Renew(unit("16PzG")), {})) == "S42-21.1.3"
    s = place(turn=13)
    box(s, "Wiking")
    f = begun(s, AXIS)
    assert f.spare[REGIMENT] == 1
    Renewals().apply(s, f, AXIS, Renew(unit("Wiking"), place=Z), Out())
    assert s.pieces[unit("Wiking")].steps == 2
    s = place(turn=13)
    s.put(unit("Wiking"), REMOVED)
    assert REGIMENT not in begun(s, AXIS).spare
    s.set_steps(unit("Wiking"), 1)  # a Remnant that has left the game
    assert REGIMENT not in begun(s, AXIS).spare


def test_s42_32_5_michalik_becomes_the_27th_panzer_division() -> None:
    s = place(("Michalik", KURSK), turn=20)
    s.put(unit("27Pz"), WAITING)
    s.pieces[unit("Michalik")] = Piece(KURSK, 1, order=DISRUPTED)
    begun(s, AXIS)
    assert (s.at(unit("27Pz")), s.at(unit("Michalik"))) == (KURSK, REMOVED)
    assert (s.pieces[unit("27Pz")].steps, s.pieces[unit("27Pz")].order) == (2, DISRUPTED)
    s = place(turn=20)
    box(s, "Michalik")
    begun(s, AXIS)
    assert (s.at(unit("27Pz")), s.pieces[unit("27Pz")].steps, s.at(unit("Michalik"))) == (Z, 1, REMOVED)
    s = place(turn=20)
    s.put(unit("Michalik"), REMOVED)
    s.put(unit("27Pz"), WAITING)
    begun(s, AXIS)
    assert s.at(unit("27Pz")) == WAITING
    s = place(("Michalik", KURSK), turn=19)
    begun(s, AXIS)
    assert s.at(unit("Michalik")) == KURSK


# The Winter Offensive.


def ready(turn: int) -> State:
    s = place(("SW-HQ", 4310), ("Don-HQ", 4508), ("5ShA-HQ", 4508), ("12CD", 4508), ("1Rom", KURSK), turn=turn)
    for code in ("Sup-S1", "Sup-S2", "Sup-S3"):
        s.put(unit(code), POOL)
    return s


def test_s42_33_1_from_turn_25_on_once() -> None:
    for turn, may in ((24, False), (25, True), (28, True), (36, True)):
        s = ready(turn)
        f = begun(s, SOVIET)
        assert may_begin(s, SOVIET) is may
        assert not may_begin(s, AXIS)
        order = Offensive((unit("SW-HQ"), unit("Don-HQ")))
        wrong = Offensives().check(s, f, SOVIET, order, {})
        assert (wrong is None) is may
    Offensives().apply(s, f, SOVIET, order, Out())
    assert s.offensive == 36
    assert not may_begin(s, SOVIET)
    assert rule_of(Offensives().check(s, f, SOVIET, order, {})) == "S42-33.1"
    assert list(Offensives().legal(s, f, SOVIET, {})) == []
    assert not may_begin(position(turn=8), SOVIET)  # Fall Blau has none


def test_s42_33_2_1a_the_romanian_air_unit_leaves() -> None:
    s = ready(26)
    s.weather = "clear"
    refresh(s)
    assert s.wings[GAL] == READY
    Offensives().apply(s, PlayerTurn(SOVIET), SOVIET, Offensive((unit("SW-HQ"),) * 2), Out())
    assert GAL not in s.wings
    refresh(s)
    assert GAL not in s.wings


def test_s42_33_2_1b_supply_points_are_laid_ready_with_headquarters_in_supply() -> None:
    s = ready(26)
    f = begun(s, SOVIET)
    assert codes(s, posts(s)) == {"SW-HQ", "Don-HQ", "5ShA-HQ"}
    entering = place(("SW-HQ", s.chart.areas["a"]), turn=26)
    assert codes(entering, posts(entering)) == {"SW-HQ"}
    assert codes(s, gifts(s)) == {"Sup-S1", "Sup-S2"}
    far = place(("SW-HQ", 1313), ("Don-HQ", 4508), ("9Pz", 1414), ("45ID", 1214), turn=26)
    assert codes(far, posts(far)) == {"Don-HQ"}
    check = Offensives().check
    assert rule_of(check(s, f, SOVIET, Offensive((unit("12CD"),) * 2), {})) == "S42-33.2.1b"
    assert rule_of(check(s, f, SOVIET, Offensive((unit("SW-HQ"),)), {})) == "S42-33.2.1b"
    legal = set(Offensives().legal(s, f, SOVIET, {}))
    assert len(legal) == 6
    assert Offensive((unit("SW-HQ"), unit("SW-HQ"))) in legal
    Offensives().apply(s, f, SOVIET, Offensive((unit("SW-HQ"), unit("5ShA-HQ"))), Out())
    for code, there in (("Sup-S1", 4310), ("Sup-S2", 4508)):
        assert (s.at(unit(code)), s.pieces[unit(code)].ready, unit(code) in s.fixed) == (there, True, False)


def test_s42_33_2_1b_26_2e_planned_offensives_too_if_that_rule_is_played() -> None:
    s = ready(26)
    f, sw, don = begun(s, SOVIET), unit("SW-HQ"), unit("Don-HQ")
    heads = (sw, sw)
    assert rule_of(Offensives().check(s, f, SOVIET, Offensive(heads, (sw, don)), {})) == "S42-33.2.1b"
    assert missing(s) == 0
    s.options = (PLANNED,)
    assert missing(s) == 2
    assert codes(s, fronts(s)) == {"SW-HQ", "Don-HQ"}
    for wrong in ((), (sw,), (unit("5ShA-HQ"),) * 2):
        assert rule_of(Offensives().check(s, f, SOVIET, Offensive(heads, wrong), {})) == "S42-33.2.1b"
    legal = list(Offensives().legal(s, f, SOVIET, {}))
    assert len(legal) == 6 * 2
    assert all(Offensives().check(s, f, SOVIET, order, {}) is None for order in legal)
    assert Offensives().check(s, f, SOVIET, Offensive(heads, (sw, don)), {}) is None
    lay(s, sw)
    assert rule_of(Offensives().check(s, f, SOVIET, Offensive(heads, (sw, don)), {})) == "S42-33.2.1b"
    assert Offensives().check(s, f, SOVIET, Offensive(heads, (don,)), {}) is None  # S42-26.2e: one more
    Offensives().apply(s, f, SOVIET, Offensive(heads, (don,)), Out())
    assert dict(s.plans) == {sw: (1, 0), don: (0, 1)}
    assert missing(s) == 0


def test_s42_33_2_1b_26_2e_without_supply_points_or_headquarters_it_begins_all_the_same() -> None:
    s = ready(26)
    for code in ("Sup-S2", "Sup-S3"):
        s.put(unit(code), REMOVED)
    f = begun(s, SOVIET)
    assert Offensives().check(s, f, SOVIET, Offensive((unit("SW-HQ"),)), {}) is None
    s = place(("12CD", 4508), turn=26)
    assert list(Offensives().legal(s, begun(s, SOVIET), SOVIET, {})) == [Offensive()]
    s.options = (PLANNED,)
    assert list(Offensives().legal(s, begun(s, SOVIET), SOVIET, {})) == [Offensive()]


def test_s42_33_2_1b_18_6_8a_those_that_are_too_many_to_move_are_fixed() -> None:
    s = place(("SW-HQ", 4310), *((f"Sup-S{k}", 4508) for k in (5, 6, 7)), turn=26)
    for code in ("Sup-S1", "Sup-S2"):
        s.put(unit(code), POOL)
    Offensives().apply(s, PlayerTurn(SOVIET), SOVIET, Offensive((unit("SW-HQ"),) * 2), Out())
    assert [unit(code) in s.fixed for code in ("Sup-S1", "Sup-S2")] == [False, True]


def test_s42_33_2_2_from_the_turn_after_the_soviets_play_first_and_the_axis_has_a_short_turn_between() -> None:
    s, f = ready(26), GameTurn()
    s.offensive = 26
    steps = (SovietTurnFirst(), AxisTurn(), SovietTurn(), ShortTurn())
    assert [step.when(s, f) for step in steps] == [False, True, True, True]
    s.begin_turn(27)
    assert [step.when(s, f) for step in steps] == [True, True, False, False]
    s.offensive = 0
    assert [step.when(s, f) for step in steps] == [False, True, True, False]


# Winter.


def test_s42_23_4a_23_4f_with_turn_28_the_maps_are_those_of_winter() -> None:
    s = place(("6Pz", KURSK), turn=27)
    assert not s.frost
    river = next(pair for pair, edge in s.chart.board.edges.items() if "major_river" in edge and pair[0] % 100 < 30)
    assert "frozen" not in s.chart.board.edges[river]
    s.begin_turn(28)
    assert (s.turn, s.frost) == (28, True)
    assert "frozen" in s.chart.board.edges[river]
    assert s.at(unit("6Pz")) == KURSK
    assert s.of(AXIS, KURSK) == (unit("6Pz"),)


@pytest.mark.usefixtures("all_in_supply")
def test_s42_23_4a_the_victory_phase_brings_the_next_turn_with_its_maps() -> None:
    s = place(("6Pz", KURSK), turn=27)
    held(s, 24)
    assert Victory().run(s, GameTurn(), Out()) is DONE
    assert (s.turn, s.chart) == (28, WINTER)


def test_a_position_is_saved_and_loaded_with_the_maps_of_its_turn() -> None:
    s = start(28)
    setup: Setup = GAME.setup_of(CAMPAIGN)
    assert GAME.attach is not None
    twin = start()
    twin.turn = 28
    GAME.attach(twin, setup)
    assert twin.chart is s.chart is WINTER


def test_s42_23_4e_area_k_is_closed_in_winter_and_its_units_leave() -> None:
    s = place(("20MtD", K), ("15TB", K), turn=27)
    f = PlayerTurn(SOVIET)
    assert LeaveSnow().by(s, f) == ()
    assert K in havens(s)
    s.begin_turn(28)
    assert K not in havens(s)
    assert K not in open_of(s, SOVIET, (J, K, L))
    assert LeaveSnow().by(s, f) == (SOVIET,)
    assert LeaveSnow().by(s, PlayerTurn(AXIS)) == ()
    assert [order.area for order in LeaveSnow().options(s, f, SOVIET)] == [J, L]
    assert LeaveSnow().answers(s, f, SOVIET, {})["j"] == Evacuate(J)
    out = Out()
    LeaveSnow().do(s, f, SOVIET, Evacuate(L), out)
    assert {s.at(unit(code)) for code in ("20MtD", "15TB")} == {L}
    assert s.pieces[unit("15TB")].order == GOOD
    assert LeaveSnow().by(s, f) == ()
    assert (
        not s.edge(SOVIET)
        & s.chart.board.mask(s.chart.map.entries["k"].places)
        & ~s.chart.board.mask(place for key in s.open_areas(SOVIET) for place in s.chart.map.entries[key].places)
    )


def test_s42_24_1_3b_23_4e_nobody_rides_into_an_area_that_is_closed() -> None:
    s = place(("203RD", K), turn=27)
    rail = all_rail(s.chart) & s.chart.board.mask(s.chart.map.entries["k"].places)
    if rail:
        assert rides(s, unit("203RD"))
    s.begin_turn(28)
    assert not rides(place(("203RD", 4508), turn=28), unit("203RD")) & s.chart.board.bit[K]


# The Romanian air unit.


def test_s42_9_3_8_it_flies_in_clear_weather_from_turn_9_on() -> None:
    for turn, weather, wings in (
        (8, "clear", WINGS),
        (9, "clear", (*WINGS, GAL)),
        (20, "overcast", WINGS[:1]),
        (27, "clear", (WINGS[0], GAL)),  # S42-9.3.9
        (27, "overcast_winter", ()),
    ):
        s = place(("1Rom", KURSK), turn=turn)
        s.weather = weather
        refresh(s)
        assert set(s.wings) == set(wings)


def test_s42_9_3_8_9_3_6_it_helps_romanians_alone_and_is_used_up() -> None:
    s = place(("1Rom", 1102), ("2Rom", 1102), ("45ID", 1102), ("6RD", 1203), turn=10)
    refresh(s)
    romans, mixed = (unit("1Rom"), unit("2Rom"), unit("45ID")), (unit("1Rom"), unit("45ID"))
    assert fit(s, 1203, defends=False, units=romans) == (*WINGS, GAL)
    assert fit(s, 1203, defends=False, units=mixed) == WINGS
    assert no_air(s, GAL, 1203, romans) is None
    assert rule_of(no_air(s, GAL, 1203, mixed)) == "S42-9.3.8"
    assert fit(s, 1203, defends=True) == WINGS  # no column for the defence
    assert GAL in fit(s, 1203, defends=True, units=(unit("1Rom"),))
    stay(s, GAL, romans)
    assert s.wings[GAL] == USED
    assert rule_of(no_air(s, GAL, 1203, romans)) == "S42-9.3.3"


# Victory.


def held(s: State, many: int) -> None:
    """The Axis has so many points, wherever they are."""
    prizes = sorted(s.chart.prizes, key=lambda place: (-s.chart.prizes[place], place))
    worth = 0
    for place in prizes:
        take = worth + s.chart.prizes[place] <= many
        s.holders[place] = AXIS if take else SOVIET
        worth += s.chart.prizes[place] * take
    assert worth == many


@pytest.fixture
def all_in_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hex is in supply: the points are those of the hexes held."""

    class All:
        reached = -1

    monkeypatch.setattr("pbem_rules.stalingrad42.victory.lines", lambda s, side: All)


@pytest.mark.usefixtures("all_in_supply")
def test_s42_s4_4a_21_points_win_at_the_end() -> None:
    s = place(turn=36)
    for points, side in ((20, SOVIET), (21, AXIS)):
        held(s, points)
        assert (total(s), winner(s)) == (points, side)
    s = place(turn=35)
    held(s, 21)
    assert winner(s) == ""


@pytest.mark.usefixtures("all_in_supply")
def test_s42_24_2_24_3_six_points_from_the_benchmark_end_it_and_elbrus_is_one() -> None:
    s = place(turn=12)
    for points, side, elbrus in (
        (6, SOVIET, SOVIET),
        (7, "", ""),
        (5, SOVIET, SOVIET),
        (17, "", AXIS),
        (18, AXIS, AXIS),
    ):
        held(s, points)
        s.elbrus = False
        assert winner(s) == side, points
        s.elbrus = True
        assert winner(s) == ("" if points == 6 else elbrus), points
    s = place(turn=36)
    s.elbrus = True
    held(s, 20)
    assert winner(s) == SOVIET


def test_s42_24_3_mountain_troops_of_the_axis_occupy_elbrus() -> None:
    elbrus = CHART.elbrus
    assert elbrus == 4860
    for code, there in (("45ID", False), ("1Mtn", True), ("20MtD", False)):
        s = place((code, 4859))
        come_through(s, unit(code), [4760], Out())
        assert not s.elbrus
        come_through(s, unit(code), [elbrus], Out())
        assert s.elbrus is there


@pytest.mark.usefixtures("all_in_supply")
def test_s42_s4_4b_in_turn_28_the_axis_needs_24_points_after_its_own_turn() -> None:
    for turn, points, short in ((28, 23, True), (28, 24, False), (27, 19, False), (29, 20, False)):
        s = place(turn=turn)
        held(s, points)
        assert falls_short(s) is short
        assert Reckoning().when(s, GameTurn()) is short
    held(s, 3)
    s.begin_turn(28)
    result = Reckoning().run(s, GameTurn(), Out())
    assert result.result.winner == SOVIET  # type: ignore[union-attr]


def test_s42_s4_4b_the_check_follows_the_turn_of_the_axis() -> None:
    (sequence,) = (each for each in GAME.sequences if each.frame is GameTurn)
    names = [step.name for step in sequence.steps]
    assert names.index("soviet_turn_first") < names.index("axis_turn") < names.index("reckoning")
    assert names.index("reckoning") < names.index("soviet_turn") < names.index("short_turn") < names.index("victory")


def test_in_the_other_scenarios_nothing_of_that_happens() -> None:
    blau = chart_of(DATA)
    assert not blau.course.removals
    assert dict(blau.course.armies) == {"army6": (2, False)}
    for side in SIDES:
        s = position(("9Pz", KURSK), ("GD", 1004), turn=2)
        f = PlayerTurn(side)
        assert (recallable(s, f), lacking(s, f), fillable(s, f), waiting_armies(s, f)) == ((), (), (), ())


# From late autumn on, by bots.


def _late(setup: Setup) -> tuple[State, Frame]:
    s = set_up(setup)
    s.begin_turn(27)
    return s, War()


def test_bots_play_into_the_winter_offensive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps change, the order of play turns round, units leave and come: and no position is lost in saving."""
    monkeypatch.setattr("pbem_rules.stalingrad42.turns.winner", lambda s: SOVIET if s.turn == 29 else "")
    monkeypatch.setattr("pbem_rules.stalingrad42.turns.falls_short", lambda s: False)
    late = replace(GAME, name="s42", setup=_late)
    sides = dict.fromkeys(SIDES, GAME.bots["quick"])
    driver = random_game(late, "late", scenario=CAMPAIGN, bots=sides, orders=2_000, every=200, sample=3)
    assert isinstance(driver.need, Over)
    assert (driver.state.turn, driver.state.offensive) == (29, 28)
    assert {"release", "offensive"} <= {order.kind for seat, order in driver.orders if seat == SOVIET}


# What is told.


def test_who_leaves_and_what_may_be_forgotten_is_told() -> None:
    d = Driver(GAME, CAMPAIGN)
    told = looking(d.view(AXIS), "arrivals")
    assert (
        "Axis units that leave: turn 9: 1 German infantry division; turn 10: 2 panzer divisions and GD with 7 steps;"
        in told.text
    )
    assert "turn 11: 1RFSS;" in told.text
    assert "Soviet units that leave: turn 12: 1 tank corps;" in told.text
    d.state.turn = 12
    assert "turn 11" not in looking(d.view(AXIS), "arrivals").text.partition("Soviet")[0].partition("leave")[2]
    d.state.turn = 1
    while d.asked != (SOVIET,):
        d.order(d.asked[0], Done())
    s = d.state
    s.turn = 2
    undone = " ".join(left_undone(d.view(SOVIET), SOVIET, Done()))
    assert "army5, army6 and army7" in undone


def test_what_would_end_the_game_is_told() -> None:
    s = start(12)
    assert (
        "the benchmark of this turn is 12. "
        "At the end of turn 12 the Axis wins with 18 or more, the Soviets with 6 or fewer." in " ".join(score_lines(s))
    )
    last = "At the end of turn 36, the last, the Axis wins with 21 or more."
    assert f"fewer than 24 after its turn 28 (S42-S4.4b). {last}" in " ".join(score_lines(s))
    assert "Elbrus" not in " ".join(score_lines(s))
    s.elbrus = True
    assert "Mount Elbrus counts as a point more" in " ".join(score_lines(s))
    s.begin_turn(29)
    assert "S42-S4.4b" not in " ".join(score_lines(s))
    s.begin_turn(36)
    assert " ".join(score_lines(s)).endswith(
        "this turn is 21. At the end of turn 36 the Axis wins with 21 or more, otherwise the Soviets do."
    )


def test_s42_23_4a_23_4g_whatever_was_known_of_the_map_before_is_found_anew_in_winter() -> None:
    s = place(("1TC", 5624), turn=27)
    over_the_lake = WINTER.board.bit[5725]
    assert not s.beside(AXIS) & over_the_lake
    s.begin_turn(28)
    assert s.beside(AXIS) & over_the_lake
