"""NR-3 to NR-14: rules one by one at positions where leaving out any part of them would show."""

from __future__ import annotations

from dataclasses import replace

from noretreat_positions import CHART, CODES, asked, cities, fight, game, offered, place, position, rule_of, table

from pbem.engine.event import Out
from pbem.engine.need import Show
from pbem.engine.order import Violation
from pbem.engine.rows import Rows
from pbem.engine.step import Call, End, Goto
from pbem.kit.retreat import best
from pbem_rules.noretreat.actions import Answer
from pbem_rules.noretreat.battle import EndBattle, PickDie, RollDie, Settle, check_attack, to_fight
from pbem_rules.noretreat.cards.base import EVENTS, At, Moment
from pbem_rules.noretreat.cards.combat import WaveBattle
from pbem_rules.noretreat.cards.frames import Surprise, Tribute, Wave
from pbem_rules.noretreat.cards.handsteps import PayTribute
from pbem_rules.noretreat.cards.moves import SurpriseRide, free_units
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.entries import bring, entries
from pbem_rules.noretreat.events import Boxed, Moved, OutOfSupply
from pbem_rules.noretreat.frames import (
    Action,
    Battle,
    Campaign,
    DrawCards,
    GameTurn,
    Manoeuvre,
    PlayerTurn,
    Pursuit,
    Retreat,
    Returning,
    Window,
)
from pbem_rules.noretreat.hands import Reveal, ShowAll, worn
from pbem_rules.noretreat.losses import cheapest, send
from pbem_rules.noretreat.movement import ManoeuvreMove, Moves, carry_out, trails, unreachable, way
from pbem_rules.noretreat.odds import across_rivers, marker_worth, reckon, result_now, shifts_of, winter_shift
from pbem_rules.noretreat.options import check_detach, detachments
from pbem_rules.noretreat.orders import (
    UNIT,
    Attack,
    Detach,
    Discard,
    Done,
    Drop,
    Event,
    Flip,
    GoBack,
    Infiltrate,
    Joker,
    Lose,
    Marker,
    Move,
    Place,
    Purpose,
    Pursue,
    Recall,
    Unload,
    Upgrade,
    held_number,
)
from pbem_rules.noretreat.organise import (
    Organise,
    Placements,
    Recalls,
    markers_off,
    recallable,
    stage_of,
    take_return,
)
from pbem_rules.noretreat.pursuit import FollowUp, OpenPursuit
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.results import Work, plan_of
from pbem_rules.noretreat.retreat import GiveGround, Trapped, ranks, ways, ways_back
from pbem_rules.noretreat.returning import BringBack
from pbem_rules.noretreat.stacking import room_for
from pbem_rules.noretreat.state import CAPTURED, DESTROYED, OUT, RAIL, READY, Effect
from pbem_rules.noretreat.supply import SupplyPhase, land_sources, sources
from pbem_rules.noretreat.targets import Counterblows, Due, matched
from pbem_rules.noretreat.turns import (
    BeginMovement,
    ClearMarkers,
    CrowdedOut,
    EndCombat,
    EndMovement,
    NextTurn,
    Remove,
    ThrowAway,
    TurnEvents,
)
from pbem_rules.noretreat.victory import enter, romania_leaves
from pbem_rules.noretreat.weather import markers
from pbem_rules.noretreat.windows import Fighting, OpenAftermath, window

FRONT = {"4": "2109", "6": "0611", "NW": "2409"}


def codes(s, units):
    return {s.name(unit) for unit in units}


# Turns


def test_nr_11_37_11_30_11_31_11_36_who_comes_a_turn_after_and_nobody_else():
    for key, come in (
        ("gg", {"1Hun", "3Hun", "Fest1", "Fest2"}),
        ("ploesti", {"AGE", "AGF", "RumS", "1Yug", "2Yug"}),
        ("warsaw", {"Pol"}),
    ):
        s = position({"NW": "2410", "4": "0611"}, turn=17, triggers=Rows({key: 16}))
        TurnEvents().run(s, GameTurn(), Out())
        assert codes(s, (*s.of(AXIS, READY), *s.of(SOVIET, READY))) == come
        assert {s.name(u): s.pieces[u].strong for u in s.of(SOVIET, READY)} == {
            code: "Yug" in code for code in come & {"RumS", "1Yug", "2Yug", "Pol"}
        }


def test_nr_11_16_11_17_14_8_fewer_cards_add_up():
    gone = next(unit for unit in CHART.units if unit.leaves == 16)
    s = position({"NW": "2410", "4": "0611"}, turn=16, draw_less=Rows({AXIS: 1}))
    TurnEvents().run(s, GameTurn(), Out())
    assert s.at(gone.number) == 0
    assert s.draw_less[AXIS] == 2


def test_nr_11_35_only_yugoslavs_are_crowded_out():
    units = {"1Yug": ("reinforcements", "+"), "2Yug": ("reinforcements", "+"), "RumS": "reinforcements",
             "4": "Western Balkans", "6": "Southern Balkans"}  # fmt: skip
    s = position(units, turn=19, triggers=Rows({"ploesti": 18}), active=SOVIET)
    CrowdedOut().run(s, PlayerTurn(SOVIET), Out())
    assert codes(s, s.of(SOVIET, READY)) == {"RumS"}
    assert codes(s, s.of(SOVIET, DESTROYED)) == {"1Yug", "2Yug"}


def test_nr_5_2_3_5_everything_that_the_card_phase_offers():
    d = table(FRONT, ThrowAway, side=SOVIET, soviet=(5, 10), turn=8)
    assert offered(d) == {"done", "drop 5", "drop 10", "event 10 on -"}
    assert d.check(SOVIET, Drop((7,))).rule == "NR-5.7"
    assert d.check(SOVIET, Drop(())).rule == "NR-5.2"
    full = table(FRONT, ThrowAway, side=SOVIET, soviet=(5, 10, 11), turn=8)
    assert "done" not in offered(full)


def test_nr_10_10_long_winter_in_the_next_phase():
    for step in (BeginMovement, Remove):
        for turn, long in ((5, True), (4, False), (6, False)):
            s = position(FRONT, turn=turn, long_winter=not long)
            step().run(s, PlayerTurn(AXIS), Out())
            assert s.long_winter == long, (step, turn)


def test_nr_10_1_where_the_markers_lie():
    found = {turn: markers(position(FRONT, turn=turn)) for turn in (1, 3, 4, 21, 22, 25, 26)}
    assert found == {
        1: (3, 4, 6), 3: (3, 4, 6), 4: (4, 6, 9), 21: (21, 22, 25), 22: (22, 25, 26), 25: (25, 26), 26: (26,),
    }  # fmt: skip


def test_nr_14_10_only_reserves_that_stand_alone_go_back():
    units = {"Rsv": "2410", "NW": "2411", "4": "2109"}
    s = position(units, turn=8, options={"reserves": True})
    EndMovement().run(s, PlayerTurn(SOVIET), Out())
    assert codes(s, s.of(SOVIET, DESTROYED)) == {"Rsv"}
    assert s.on_map(CODES["NW"])
    together = position({**units, "Rsv": "2411"}, turn=8, options={"reserves": True})
    EndMovement().run(together, PlayerTurn(SOVIET), Out())
    assert together.on_map(CODES["Rsv"])
    alone = position({"4": "2109", "NW": "2410"}, turn=8)
    EndMovement().run(alone, PlayerTurn(AXIS), Out())
    assert alone.on_map(CODES["4"])


def test_nr_13_07s_a_burnt_citys_marker_stays_or_goes():
    d = table(FRONT, ClearMarkers, side=SOVIET, scorched=(1707,))
    assert offered(d) == {"done", "clear 1707"}
    assert (rule_of(d, "done"), rule_of(d, "clear 1912")) == ("", "NR-13.07S")
    s = position(FRONT, turn=8, scorched=(1707,))
    clean = position(FRONT, turn=8)
    step = ClearMarkers()
    assert step.by(s, PlayerTurn(SOVIET)) == (SOVIET,)
    assert step.by(s, PlayerTurn(AXIS)) == step.by(clean, PlayerTurn(SOVIET)) == ()


# Movement, rail and placing


def test_nr_8_1_8_3_2_7_every_place_on_the_way_is_taken():
    held = dict.fromkeys(("2209", "2210", "2310"), SOVIET)
    s = position({"4": "2109", "Cau": ("2410", "+"), "6": "1810"}, turn=8, held=held)
    out = Out()
    carry_out(s, CODES["4"], 4, (2209, 2210, 2310), "NR-8.1", out)
    assert s.at(CODES["4"]) == 2310
    assert [s.holders[cell] for cell in (2209, 2210, 2310)] == [AXIS] * 3
    (moved,) = [each for each in out.events if isinstance(each, Moved)]
    assert (moved.path, moved.cost, moved.stopped) == ((2109, 2209, 2210, 2310), 3, True)
    calm = position({"4": "2109"}, turn=8)
    out = Out()
    carry_out(calm, CODES["4"], 4, (2209,), "NR-8.1", out)
    (moved,) = [each for each in out.events if isinstance(each, Moved)]
    assert (moved.path, moved.stopped) == ((2109, 2209), False)


def test_nr_5_21_13_39a_13_41s_only_the_units_of_the_event_move_and_so_many():
    s = position({"4": "2109", "6": "2111", "NW": "2409"}, turn=8, active=SOVIET)
    step, one = ManoeuvreMove(), Manoeuvre(AXIS, (CODES["4"],), 1, 1)
    moves = {(order.unit, order.path) for order in step.legal(s, one, AXIS, {}) if isinstance(order, Move)}
    assert moves == {(CODES["4"], (cell,)) for cell in CHART.board.near[2109]}
    assert step.check(s, one, AXIS, Move(CODES["6"], (2110,)), {}).rule == "NR-5.21"
    assert step.check(s, one, AXIS, Move(CODES["4"], (2110,)), {}) is None
    assert step.by(s, one) == (AXIS,)
    assert step.by(s, Manoeuvre(AXIS, (CODES["4"],), 1, 0)) == ()


def test_nr_13_10s_8_17_8_21_everything_that_can_ride_at_once():
    held = cities(SOVIET, "Saratov", "Gorki")
    units = {"NW": "2410", "Fort1": "2412", "Mos": ("2311", "+"), "Res": "2311", "4": "2109"}
    s = position(units, turn=23, held=held, active=SOVIET)
    frame = Surprise(SOVIET, 2)
    step = SurpriseRide()
    orders = [o for o in step.legal(s, frame, SOVIET, {}) if isinstance(o, Unload)]
    assert codes(s, {o.unit for o in orders}) == {"NW", "Res"}
    assert all(s.at(o.unit) != o.to for o in orders)
    assert all(step.check(s, frame, SOVIET, o, {}) is None for o in orders)
    pairs = {(o.unit, o.to) for o in orders}
    for unit in CHART.own[SOVIET]:
        if s.on_map(unit):
            for cell in CHART.board.in_mask(CHART.land):
                allowed = step.check(s, frame, SOVIET, Unload(unit, cell), {}) is None
                assert allowed == ((unit, cell) in pairs)
    assert step.by(s, frame) == (SOVIET,)
    assert step.by(s, Surprise(SOVIET, 0)) == ()
    assert step.by(s, Surprise(SOVIET, 1, gone=1 << CODES["NW"] | 1 << CODES["Res"])) == ()  # each goes once
    assert Done() in step.legal(s, frame, SOVIET, {})
    (cell, *_) = (o.to for o in orders if o.unit == CODES["NW"])
    s.holders[cell] = AXIS
    step.apply(s, frame, {SOVIET: Unload(CODES["NW"], cell)}, Out())
    assert (s.at(CODES["NW"]), s.holders[cell]) == (cell, SOVIET)  # it takes the place
    assert (frame.left, frame.gone) == (1, 1 << CODES["NW"])


def test_nr_2_7_7_11_a_unit_that_is_placed_takes_the_place_and_is_in_supply():
    s = position({"NW": "2410", "1Hun": "reinforcements", "9": "Destroyed"}, turn=18, held={"0613": SOVIET})
    bring(s, CODES["1Hun"], 613, "x", "NR-11.30", Out())
    assert s.holders[613] == AXIS
    assert s.ground.stacks[613] == (CODES["1Hun"],)
    assert not s.of(AXIS, READY)
    assert s.supplied(CODES["1Hun"])
    assert not s.is_tired(CODES["1Hun"])
    bring(s, CODES["9"], 210, "x", "NR-7.10", Out(), tired=True)
    assert s.is_tired(CODES["9"])
    assert s.supplied(CODES["9"])


def test_nr_7_12_where_a_german_unit_comes_back_beside_the_enemy():
    s = position({"9": "Destroyed", "NW": "0511", "Res": "0411"}, turn=24, held={"0511": SOVIET, "0411": SOVIET})
    zone = s.zone(SOVIET)
    found = entries(s, CODES["9"], DESTROYED)
    assert found
    assert not [cell for cell in found if zone & CHART.board.bit[cell]]
    assert not {511, 411} & set(found)
    reich = {*CHART.board.in_mask(CHART.reich), place("Warsaw")}
    assert set(found) <= reich


# Battles


def test_nr_9_11_one_unit_makes_room_for_another():
    # 4 alone reaches both; 6 reaches only 2209.
    s = position({"4": "2109", "6": "2210", "NW": "2209", "Res": "2108"}, turn=8)
    assert matched(s, AXIS, (2209, 2108), ()) == 2
    assert matched(s, AXIS, (2108, 2209), ()) == 2
    assert matched(s, AXIS, (2209, 2108), (CODES["4"],)) == 1
    chain = position({"4": "2109", "6": "2208", "NW": "2209", "Res": "2108", "Kal": "2009"}, turn=8)
    assert matched(chain, AXIS, (2209, 2108, 2009), ()) == 2
    # 9 reaches 2209 alone: whoever attacks that leaves somebody for 2108.
    units = {"4": "2109", "6": "2109", "9": "2210", "NW": "2209", "Res": "2108"}
    both = position(units, turn=8, blows={"2209": AXIS, "2108": AXIS})
    frame = PlayerTurn(AXIS, due=(CODES["NW"], CODES["Res"]))
    for codes, rule in (("4 6", "NR-9.11"), ("4 6 9", "NR-9.11"), ("4 9", ""), ("9", "")):
        units = tuple(sorted(CODES[code] for code in codes.split()))
        wrong = check_attack(both, to_fight(both, frame), 2209, units, Marker.NONE)
        assert (wrong.rule if wrong else "") == rule


def test_nr_9_11_9_12_only_enemies_under_a_marker_must_be_attacked():
    s = position({"4": "2109", "NW": "2209", "Res": "2208"}, turn=8, blows={"2109": SOVIET, "2209": AXIS})
    for side, code in ((AXIS, "NW"), (SOVIET, "4")):
        frame = PlayerTurn(side)
        Due().run(s, frame, Out())
        assert frame.due == (CODES[code],)


def test_nr_9_5_9_6_the_other_side_is_asked_only_with_a_card_and_a_hex():
    step = Counterblows()
    near, far = {"4": "2109", "NW": "2209"}, {"4": "0611", "NW": "2409"}
    for units, hand, asks in ((near, (5,), True), (near, (), False), (far, (5,), False)):
        s = position(units, turn=8, soviet=hand, discards=(32, 4, 13, 31, 14, 36), left=0)
        s.deck.hands[SOVIET][:] = list(hand)  # everybody has seen it
        assert step.by(s, PlayerTurn(AXIS)) == ((SOVIET,) if asks else ())
    d = table({"4": "2109", "6": "2210", "NW": "2209", "Res": "2211"}, Counterblows, soviet=(5, 32, 6))
    d.order(SOVIET, "discard 5 for counterblow 2209")
    while asked(d).startswith("answer"):
        d.order(d.asked[0], "pass")
    assert asked(d) == "counterblows soviet"
    d.order(SOVIET, "event 32 2211")
    while asked(d).startswith("answer"):
        d.order(d.asked[0], "pass")
    assert asked(d) == "counterblows soviet"


def test_nr_9_19_10_7_first_snow_counts_double_until_turn_5():
    for turn, worth in ((4, 2), (5, 2), (6, 1)):
        assert marker_worth(position(FRONT, turn=turn, snow_turn=turn), SOVIET) == worth


def test_nr_6_9_9_37_who_would_surrender_loses_no_step_unless_the_retreat_is_free():
    s = position({"4": "2109", "6": "2109", "NW": "2209", "Res": "2209"}, turn=27, cut=("NW",))
    bound = fight(s, "4 6", "2209", result="DD")
    assert plan_of(s, bound, SOVIET) == (f"step:{CODES['Res']}", "back:2209")
    steps = plan_of(s, replace(bound, free_retreat=True), SOVIET)
    assert sorted(steps) == sorted((f"step:{CODES['NW']}", f"step:{CODES['Res']}", "back:2209"))
    # The first of a stack is gone already; the next one surrenders all the same.
    frame = Retreat(SOVIET, 2209, tuple(sorted((CODES["NW"], CODES["Res"]))))
    first, last = frame.units
    s.mark_cut(last, cut=True)
    send(s, first, DESTROYED, "x", "NR-1.6", Out())
    s.fight = replace(bound, free_retreat=True)
    Trapped().run(s, frame, Out())
    assert (s.at(last), frame.units) == (2209, (last,))  # by the event it retreats
    s.fight = bound
    Trapped().run(s, replace(frame, units=(first, last)), Out())
    assert s.at(last) == CAPTURED


def test_nr_9_48_a_pursuit_follows_ground_won_and_goes_into_empty_hexes():
    s = position({"4": "2109", "6": "2109", "NW": "2310"}, turn=8)
    step = OpenPursuit()
    for result, opens in (("DR", True), ("DS", True), ("DD", True), ("EX", False), ("-", False), ("duel", False)):
        s.fight = fight(s, "4 6", "2209", result=result)
        assert step.when(s, Battle(AXIS)) == opens, result
        s.fight = fight(s, "4 6", "2209", result=result, no_pursuit=True)
        assert not step.when(s, Battle(AXIS))
    s.fight = replace(fight(s, "4 6", "2209", result="DR"), target=(2310, 2209))
    assert step.run(s, Battle(AXIS), Out()).frame.hexes == (2209,)


def test_nr_13_05a_one_die_is_nobodys_choice():
    s = position({"4": "2109", "NW": "2209"}, turn=8)
    for thrown, die, asks in (((3,), 0, False), ((3, 4), 0, True), ((3, 4), 4, False)):
        s.fight = fight(s, "4", "2209", thrown=thrown, die=die, chooser=AXIS)
        assert PickDie().by(s, Battle(AXIS)) == ((AXIS,) if asks else ())


def test_nr_13_16s_9_18_a_duel_is_rolled_once():
    s = position({"4": "2109", "NW": "2209"}, turn=8)
    for die, labels in ((0, ["test/crt/duel"]), (4, [])):
        s.fight = fight(s, "4", "2209", duel="NR-13.16S", die=die)
        drawn = list(RollDie().draws(s, Battle(AXIS)))
        assert [draw.label for draw in drawn] == labels
        assert all((draw.sides, draw.count) == (6, 2) for draw in drawn)


def test_nr_14_9_5_19_the_joker_waits_for_a_die():
    s = position({"4": "2109", "NW": "2209"}, turn=8, joker=SOVIET)
    frame = Window(Moment.ROLLED, None)
    for die, can in ((0, False), (1, True), (3, True)):
        s.fight = fight(s, "4", "2209", die=die)
        assert Fighting().can(s, frame, SOVIET) == can
        assert (Joker() in Fighting().actions(s, frame, SOVIET, {})) == can
        assert (Fighting().judge(s, frame, SOVIET, Joker(), {}) is None) == can
        assert not Fighting().can(s, frame, AXIS)
    s.fight = None
    assert not Fighting().can(s, frame, SOVIET)


def test_nr_5_19_5_22_a_window_opens_only_for_those_with_something_to_play():
    s = position({"4": "2109", "NW": "2209"}, turn=8, soviet=(5,))
    s.fight = fight(s, "4", "2209", result="EX")
    s.deck.hands[SOVIET][:] = [5]
    assert window(s, Moment.BATTLE, AXIS, SOVIET) is None
    s.deck.hands[SOVIET][:] = [16, 39]
    s.initiative = SOVIET
    opened = window(s, Moment.BATTLE, AXIS, SOVIET)
    assert opened is not None
    assert opened.poll.seats == (SOVIET,)


def test_nr_13_17a_13_19a_13_35s_aftermath_only_of_ground_won():
    s = position({"4": "2109", "NW": "2209"}, turn=8)
    for result, opens in (("DR", True), ("DS", True), ("DD", True), ("EX", False), ("-", False), ("CA", False)):
        s.fight = fight(s, "4", "2209", result=result)
        assert OpenAftermath().when(s, Battle(AXIS)) == opens


# Losses, cards and payments


def test_nr_1_7_a_cadre_goes_as_cheaply_as_an_ally():
    s = position({"4": "2208", "2Hun": "2210", "KG1": "2309", "1Pz": "2109"}, turn=20)
    assert s.name(cheapest(s, [CODES["4"], CODES["KG1"]])) == "KG1"
    assert s.name(cheapest(s, [CODES["1Pz"], CODES["KG1"]])) == "KG1"
    assert s.name(cheapest(s, [CODES["2Hun"], CODES["KG1"]])) == "KG1"


def test_nr_5_11_14_7_7_20_two_markers_and_not_three():
    units = {"4": "0611", "6": "0511", "9": "0411", "NW": "2410"}
    d = table(units, Organise, axis=(53, 7), tired=("4", "6", "9"), turn=24)
    assert rule_of(d, "discard 53 for reorganise 4 6") == ""
    assert rule_of(d, "discard 53 for reorganise 4 6 9") == "NR-7.20"
    assert rule_of(d, "discard 7 for reorganise 4 6") == "NR-7.20"
    nobody = Discard((53,), Purpose.REORGANISE, ())
    assert d.check(AXIS, nobody).rule == "NR-5.8"
    assert d.check(AXIS, Discard((), Purpose.REORGANISE, (UNIT + CODES["4"],))).rule == "NR-5.9"


def test_nr_13_12a_only_the_axis_draws_for_card_12():
    for side, code, cell, card, draws in (
        (AXIS, "9", 210, 12, True), (AXIS, "9", 210, 5, False), (SOVIET, "Res", 2105, 12, False),
    ):  # fmt: skip
        s = position({code: "Destroyed", "4": "0611", "NW": "2410"}, turn=14, active=side)
        frame = Action(side, Moment.ORGANISE, (card,), (UNIT + CODES[code], cell), "return")
        assert isinstance(take_return(s, frame, Out()), DrawCards) == draws


def test_nr_5_15_done_stands_only_when_every_fresh_card_is_known():
    s = position(FRONT, axis=(5, 7), turn=8)
    first, second = s.deck.hands[AXIS]
    s.fresh = (first, second)
    step = Reveal()
    assert set(step.answers(s, DrawCards(AXIS, 2), AXIS, {first: 5})) == set()
    assert set(step.answers(s, DrawCards(AXIS, 2), AXIS, {second: 7})) == set()
    assert set(step.answers(s, DrawCards(AXIS, 2), AXIS, {first: 5, second: 7})) == {"done"}
    s.deck.discard(AXIS, first, 5)  # shown and gone, it need not be known
    assert set(step.answers(s, DrawCards(AXIS, 2), AXIS, {second: 7})) == {"done"}
    # Card 12 has no event for the Axis that could be shown.
    passive = position(FRONT, axis=(12,), turn=8)
    (slot,) = passive.fresh = tuple(passive.deck.hands[AXIS])
    order = Event(held_number(slot, 12), ())
    assert step.check(passive, DrawCards(AXIS, 1), AXIS, order, {slot: 12}).rule == "NR-5.15"


def test_nr_4_14_cards_that_were_thrown_down_are_shown():
    s = position(FRONT, turn=23, axis=(5,), soviet=(6,), left=0)
    s.deck.hands[SOVIET][:] = [6]  # everybody has seen it
    (hidden,) = s.deck.hands[AXIS]
    s.deck.thrown.append("deck/1/9")
    assert list(ShowAll().requests(s, GameTurn())) == [Show(hidden), Show("deck/1/9")]
    ShowAll().run(s, GameTurn(), {hidden: 5, "deck/1/9": 30}, Out())
    assert sorted(s.deck.discards) == [5, 6, 30]
    assert (s.deck.thrown, s.deck.hand(AXIS), s.deck.hand(SOVIET)) == ([], (), ())
    full = position(FRONT, turn=23, left=2)
    ShowAll().run(full, GameTurn(), dict(zip(full.deck.top(2), (5, 6), strict=True)), Out())
    assert (full.deck.discards, full.deck.left) == ([5, 6], 0)  # what is left of the deck is shown, too


def test_nr_5_20_what_answers_a_card():
    d = table({"4": "0611", "Kal": "2410", "NW": "2411"}, Organise, side=SOVIET, soviet=(5, 9), axis=(7,), turn=8)
    d.order(SOVIET, "upgrade Kal")
    assert asked(d) == "answer axis"
    assert offered(d) == {"pass", "event 7 on -"}
    (event,) = [order for order in d.legal(AXIS) if isinstance(order, Event)]
    assert d.check(AXIS, event) is None
    assert d.check(AXIS, replace(event, targets=(UNIT + CODES["4"],))).rule == "NR-13.07A"
    step = Answer()
    s = position(FRONT, turn=8)
    facts = step.facts(s, Action(AXIS, Moment.ORGANISE, (5, 9), (), "upgrade"), SOVIET, {})
    assert facts == {"card": 9, "turn": 8}
    assert [word for word in ("pass", "7", "55") if step.is_answer(s, word)] == ["pass", "7"]


def test_nr_13_31s_a_payment_with_a_card_that_brings_back_is_no_return():
    s = position({"4": "2109", "NW": "2209"}, turn=14)
    held = EVENTS[SOVIET, 31]

    def unfit(card, purpose):
        action = Action(AXIS, Moment.ORGANISE, (card,), (), purpose)
        return held.unfit(s, At(SOVIET, Moment.ANSWER, action)) is not None

    assert [unfit(3, ""), unfit(3, "return"), unfit(3, "upgrade"), unfit(3, "rail")] == [False, False, True, True]


def test_nr_13_44s_13_37s_an_ally_or_cards_and_never_the_other():
    s = position({"3Rum": "1117", "4": "2109", "NW": "2409"}, turn=14, axis=(5, 7))
    step = PayTribute()
    wants_unit, wants_card = Tribute(AXIS, 1, unit=True), Tribute(AXIS, 1)
    drop = Drop((5,))
    assert step.check(s, wants_unit, AXIS, drop, {}).rule == "NR-13.44S"
    assert step.check(s, wants_unit, AXIS, Lose(CODES["3Rum"]), {}) is None
    assert step.check(s, wants_unit, AXIS, Lose(CODES["4"]), {}).rule == "NR-13.44S"
    assert step.check(s, wants_card, AXIS, Lose(CODES["3Rum"]), {}).rule == "NR-13.44S"


def test_nr_13_14s_a_room_lies_on_land():
    s = position({"NW": "2209", "4": "2109"}, turn=14, active=SOVIET)
    held, at = EVENTS[SOVIET, 14], At(SOVIET, Moment.MOVE)
    sea = next(cell for cell, bit in CHART.board.bit.items() if not CHART.land & bit)
    assert held.check(s, at, (sea,)).rule == "NR-13.14S"
    assert held.check(s, at, (2109,)).rule == "NR-13.14S"
    assert held.check(s, at, (2209,)) is None
    assert held.check(s, at, (2209, 2109)).rule == held.check(s, at, (2109, 2209)).rule == "NR-13.14S"
    assert held.check(s, at, (2209, 2210)) is None


def test_nr_13_17s_the_rest_of_the_hex_can_be_attacked_again():
    s = position({"NW": "2109", "Res": "2208", "4": "2209", "6": "2209"}, turn=14, active=SOVIET)
    s.fight = fight(s, "NW", "2209")
    EVENTS[SOVIET, 17].do(s, At(SOVIET, Moment.BATTLE), s.fight, (UNIT + CODES["4"],))
    assert s.fight.defenders == (CODES["4"],)
    assert [(each.side, each.at, each.until) for each in s.effect("alone")] == [(SOVIET, UNIT + CODES["4"], "phase")]
    assert s.targets == (2209,)


def test_nr_13_08s_cards_or_one_unit():
    s = position({"Kal": "2410", "4": "0611", "Len": ("2411", "-"), "Cau": ("2412", "+")}, turn=14, active=SOVIET)
    held, at = EVENTS[SOVIET, 8], At(SOVIET, Moment.ORGANISE)
    found = list(held.choices(s, at))
    assert found == [(30001,), (UNIT + CODES["Kal"],)]
    assert held.check(s, at, (30002,)).rule == "NR-13.08S"
    assert held.check(s, at, (30001,)) is None


def test_nr_13_51s_both_sides_must_have_somebody_left():
    s = position({"4": "2109", "NW": "2209"}, turn=24)
    held, at = EVENTS[SOVIET, 51], At(SOVIET, Moment.FOUGHT)
    whole = fight(s, "4", "2209", result="EX")
    gone = CODES["6"]
    assert held.unfit_battle(s, at, whole) is None
    assert held.unfit_battle(s, at, replace(whole, units=(gone,))).rule == "NR-13.51S"
    assert held.unfit_battle(s, at, replace(whole, defenders=(gone,))).rule == "NR-13.51S"
    assert held.unfit_battle(s, at, replace(whole, result="DR")).rule == "NR-13.51S"


def test_nr_14_1_14_2_raw_exchanges_and_the_last_step_of_a_tank_unit():
    options = {"detachments": True}
    s = position({"4": "2109", "NW": "2410"}, turn=8, options=options)
    pair = (CODES["DetA"], CODES["DetB"])
    assert check_detach(s, AXIS, Detach(CODES["4"], pair, (2109,))).rule == "NR-14.1"
    assert check_detach(s, AXIS, Detach(CODES["4"], pair, (2109, 2109))) is None
    assert check_detach(s, AXIS, Detach(999, pair, (2109, 2109))).rule == "NR-14.1"
    # Not over the enemy, though it has no zone, nor over the bay beside Odessa.
    beside = position({"4": "2109", "NW": "2209", "Res": "2410"}, turn=8, options=options, cut=("NW",))
    bay = position({"4": "1319", "NW": "2410"}, turn=8, options=options)
    for there, cells in ((beside, (2109, 2209)), (bay, (1319, 1419))):
        assert check_detach(there, AXIS, Detach(CODES["4"], pair, cells)).rule == "NR-14.1"
    for face, room in (("-", True), ("+", False)):
        t = position({"1Pz": ("2109", face), "4": "2109", "NW": "2410"}, turn=8, options=options)
        hexes = {order.hexes for order in detachments(t, AXIS) if order.unit == CODES["1Pz"]}
        assert ((2109,) in hexes) == room


def test_nr_11_30_2_7_nothing_happens_inside_the_country():
    s = position({"NW": "2410"}, turn=18, held={"Kiev": AXIS, "2209": AXIS})
    enter(s, SOVIET, (place("Kiev"),), Out())
    enter(s, SOVIET, (2209,), Out())
    assert dict(s.triggers.items()) == {}


def test_nr_6_3_8_22_6_2_a_city_of_the_enemys_feeds_nobody():
    s = position({"NW": "2311", "4": "2410"}, held={**cities(SOVIET, "Gorki"), "2311": AXIS})
    edge = {*CHART.board.in_mask(CHART.edge[SOVIET])}
    assert {*CHART.board.in_mask(land_sources(s, SOVIET))} - edge <= {place("Gorki")}
    assert place("Saratov") not in CHART.board.in_mask(sources(s, SOVIET) & ~CHART.edge[SOVIET])
    dry = position({"4": "0210"}, held=cities(SOVIET, "Gorki"))
    seas = {sea: {*CHART.board.in_mask(mask)} for sea, mask in CHART.coast.items()}
    found = {*CHART.board.in_mask(sources(dry, SOVIET))}
    assert seas["caspian"] | seas["black_sea"] <= found
    assert not (seas["baltic"] - seas["black_sea"] - edge) & found
    axis = {*CHART.board.in_mask(sources(dry, AXIS))}
    assert seas["baltic"] | seas["black_sea"] <= axis
    assert not (seas["caspian"] - seas["black_sea"] - {*CHART.cities}) & axis


# Turns and phases


def test_nr_3_2_one_turn_after_another():
    called = NextTurn().run(position(FRONT, turn=8), Campaign(), Out())
    assert isinstance(called, Call)
    assert called.again


def test_nr_11_3_14_10_reserves_come_destroyed_in_turn_5():
    for turn, options, at in ((5, {"reserves": True}, DESTROYED), (6, {"reserves": True}, OUT), (5, {}, OUT)):
        s = position(FRONT, turn=turn, options=options)
        TurnEvents().run(s, GameTurn(), Out())
        assert s.at(CODES["Rsv"]) == at
    riding = position({"Rsv": "Rail", "NW": "2410"}, turn=8, options={"reserves": True})
    EndMovement().run(riding, PlayerTurn(SOVIET), Out())
    assert riding.at(CODES["Rsv"]) == RAIL


def test_nr_3_5_the_card_phase_goes_on_after_an_event():
    d = table({**FRONT, "Res": "Destroyed"}, ThrowAway, side=SOVIET, soviet=(2, 5), turn=8).order(SOVIET, "event 2 Res")
    while asked(d).startswith("answer"):
        d.order(d.asked[0], "pass")
    assert asked(d) == "cards soviet"
    step, s = ThrowAway(), d.state
    assert step.facts(s, PlayerTurn(SOVIET), SOVIET, {}) == {"over": 0}
    assert step.facts(position(FRONT, soviet=(2, 5, 6, 7)), PlayerTurn(SOVIET), SOVIET, {}) == {"over": 2}


def test_nr_9_14_3_10_4_7_berlin_ends_the_game_at_the_end_of_a_phase():
    for step in (EndCombat, Remove):
        for holder, over in ((SOVIET, True), (AXIS, False)):
            s = position(FRONT, turn=25, held={"Berlin": holder})
            assert isinstance(step().run(s, PlayerTurn(SOVIET), Out()), End) == over
            s.fight = fight(position({"4": "2209", "NW": "2109"}), "NW", "2209")
            assert isinstance(EndBattle().run(s, Battle(SOVIET), Out()), End) == over


# What has just been found too weak


def test_nr_14_7_5_11_a_card_of_the_initiative_takes_off_two():
    s = position(FRONT, turn=8, options={"fast_reorganisation": True})
    cards = [card for side, card in EVENTS if side == AXIS]
    taken = {card: markers_off(s, AXIS, (card,)) for card in cards}
    assert set(taken.values()) == {1, 2}
    assert all((count == 2) == (EVENTS[AXIS, card].symbol == AXIS or card == 53) for card, count in taken.items())
    assert {markers_off(position(FRONT, turn=8), AXIS, (card,)) for card in cards if card != 53} == {1}
    assert markers_off(position(FRONT, turn=8), AXIS, (53,)) == 2


def test_nr_13_04s_6_2_lines_of_four_hexes():
    held = cities(SOVIET, "1817", "0210")
    s = position({"Res": "Rail"}, turn=8, targets=("2009",), held=held)
    held_card, at = EVENTS[SOVIET, 4], At(SOVIET, Moment.TARGETED)
    assert list(held_card.choices(s, at)) == []
    near = position({"Res": "Rail"}, turn=8, targets=("1905",), held=cities(SOVIET, "1314", "1707"))
    found = [targets[1] for targets in held_card.choices(near, at)]
    assert found == [1805, 1904, 1906, 2004, 2005, 2006]


def test_nr_9_44_9_46_9_45_through_a_friend_where_enemies_stand_about():
    s = position({"18": "2310", "4": "2011", "9": "2208", "Bry": "2210", "NW": "2209"}, turn=8)
    assert ways_back(s, CODES["NW"]) == ((2210, 2110), (2210, 2111), (2210, 2211))
    room = position({"1Pz": "2310", "18": "2009", "16": "2207", "Don": "2108", "Cen": "2007", "Res": "2208",
                     "NW": "2209"}, turn=8)  # fmt: skip
    assert ways_back(room, CODES["NW"]) == ((2208, 2108, 2008), (2208, 2108, 2107))
    back = position({"11": "2212", "9": "2010", "16": "2208", "4": "2410", "Kal": "2310", "SW": "2211",
                     "NW": "2209"}, turn=8)  # fmt: skip
    assert ways_back(back, CODES["NW"]) == tuple(
        (first, 2211, last) for first in (2210, 2310) for last in (2111, 2311, 2312)
    )
    # Kalinin Front stands in the one hex that is left, and beyond it is no better one: there it goes all the same.
    shut = {"3Pz": "0709", "9": "0907", "8": "0807", "Don": "1002", "Pol": "0903", "Kal": "0705", "Vor": "0905"}
    assert ways_back(position({**shut, "NW": "0805"}, turn=8), CODES["NW"]) == ((705,),)
    # Where a hex further is needed, two hexes to where there is no room are refused.
    full = best(ways(room, CODES["NW"]), ranks(room, room_for(room, CODES["NW"])))[0].path
    frame = Retreat(SOVIET, 2209, (CODES["NW"],))
    assert GiveGround().check(room, frame, SOVIET, GoBack(CODES["NW"], full), {}).rule == "NR-9.46"


def test_nr_9_44_9_45_one_hex_into_a_zone_is_refused_with_its_rule():
    s = position({"4": "2109", "6": "2110", "NW": "2209"}, turn=8)
    zone = s.zone(AXIS)
    hot = next(cell for cell in CHART.board.near[2209] if zone & CHART.board.bit[cell] and not s.side_at(cell))
    step, frame = GiveGround(), Retreat(SOVIET, 2209, (CODES["NW"],))
    assert step.check(s, frame, SOVIET, GoBack(CODES["NW"], (hot,)), {}).rule == "NR-9.45"


def test_nr_13_27a_9_25_rolled_again_only_once():
    s = position({"4": "2109", "NW": "2209", "Kal": ("2209", "+")}, turn=8)
    plain = fight(s, "4", "2209")
    column = reckon(s, plain).column
    idle = next(die for die in range(1, 7) if s.chart.results[AXIS].result(die, column) == "-")
    s.fight = replace(plain, die=idle, thrown=(idle,), reroll_none=True)
    assert isinstance(Settle().run(s, Battle(AXIS), Out()), Goto)
    assert (s.fight.die, s.fight.dice, s.fight.reroll_none) == (0, 1, False)


def test_nr_13_41a_no_works_in_an_area():
    s = position({"4": "2109"}, turn=14, held={"9001": AXIS, "9002": AXIS, "9003": AXIS})
    held, at = EVENTS[AXIS, 41], At(AXIS, Moment.ORGANISE)
    for area in (9001, 9002, 9003):
        assert held.check(s, at, (area,)).rule == "NR-13.41A"
    assert held.check(s, at, (2109,)) is None


# Movement, again


def test_nr_8_1_8_3_8_4_why_a_place_cannot_be_reached_and_what_can():
    s = position({"4": "2209", "6": "2308", "9": "2308", "NW": "2409", "Res": "2110"}, turn=8, cut=("4",))
    far = unreachable(s, CODES["4"], 1, 2209, 2413)
    assert far.reason == (
        "4 cannot move to 2413: it does not have enough movement points. It can reach 2109, 2208, 2210, 2309, 2310"
    )
    ring = dict(zip(("NW", "Res", "Kal", "Bry", "Cen", "Don"), map(str, CHART.board.near[2209]), strict=True))
    shut = position({"4": "2209", **ring}, turn=8)
    assert unreachable(shut, CODES["4"], 4, 2209, 2311).reason.endswith("no way leads there. It can reach nowhere")
    assert unreachable(shut, CODES["4"], 4, 2209, 2109).reason.endswith("an enemy stands there. It can reach nowhere")
    wide = unreachable(position({"4": "2109"}, turn=8), CODES["4"], 4, 2109, 2413)
    assert wide.reason.endswith("1906, 1907, Ryazan (1908), 1909, 1910 and 43 more")


def test_nr_8_1_8_3_8_6_ways_of_several_legs():
    s = position({"4": "2209", "NW": "2413"}, turn=8)
    goals = {order.path[-1] for order in Moves().picked(s, PlayerTurn(AXIS), AXIS, {}, CODES["4"])}
    assert 2210 in goals
    assert 2209 not in goals  # who stays does not move
    s = position({"4": "2109", "NW": "2413"}, turn=8)
    four = CODES["4"]
    assert way(s, four, 3, (2209, 2210, 2310)) == ((2109, 2209, 2210, 2310), 3)
    assert way(s, four, 3, (2109, 2209, 2210)) == ((2109, 2209, 2210), 2)
    short = way(s, four, 2, (2209, 2210, 2310))
    assert isinstance(short, Violation)
    assert "does not have enough movement points to go on to 2310" in short.reason
    first = way(s, four, 1, (2310,))
    assert isinstance(first, Violation)
    assert "It can reach" in first.reason


def test_nr_8_4_8_6_a_point_to_leave_a_zone_and_no_more():
    s = position({"4": "2209", "Cau": ("2309", "+"), "6": "2208"}, turn=8)
    costs = {cell: cost for cell, (cost, _) in trails(s, CODES["4"], 3).items()}
    assert costs == {
        2209: 0, 2210: 1, 2109: 1, 2208: 1, 2310: 2, 2211: 2, 2111: 2, 2110: 2, 2009: 2, 2108: 2, 2308: 2, 2107: 2,
    }  # fmt: skip


def test_nr_3_8_8_25_5_8_rails_and_events_in_the_movement_phase():
    units = {"Kal": "2410", "Bry": "2411", "Res": "Destroyed", "4": "0611"}
    d = table(units, side=SOVIET, turn=5, soviet=(2, 5, 6))
    assert {text for text in offered(d) if text.startswith("event")} == {"event 2 on Res"}
    d.order(SOVIET, "rail Kal")
    assert rule_of(d, "discard 5 for rail Bry") == ""
    assert rule_of(d, "discard 5 6 for rail Bry") == "NR-5.9"
    (paid,) = game.notation.parse("discard 5 for rail Bry", d.context(SOVIET))
    for wrong in ({"targets": ()}, {"targets": (*paid.targets, UNIT + CODES["Kal"])}, {"purpose": Purpose.UPGRADE}):
        assert d.check(SOVIET, replace(paid, **wrong)).rule == "NR-5.8"
    chosen = table(units, side=SOVIET, turn=5).order(SOVIET, "reserve Kal")
    assert offered(chosen) == {"done"}


def test_nr_5_21_13_39a_manoeuvres_need_a_unit_on_the_map_and_room():
    s = position({"4": "Rail", "6": "2109", "9": "2209", "11": "2209", "NW": "2413"}, turn=8, active=SOVIET)
    frame = Manoeuvre(AXIS, (CODES["4"], CODES["6"]), 1, 2)
    found = {(order.unit, order.path) for order in ManoeuvreMove().legal(s, frame, AXIS, {}) if isinstance(order, Move)}
    assert found == {(CODES["6"], (cell,)) for cell in CHART.board.near[2109] if cell != 2209}
    assert ManoeuvreMove().by(s, Manoeuvre(AXIS, (CODES["4"],), 1, 2)) == ()
    forts = position({"Fest1": "2109", "4": "2109", "NW": "2413"}, turn=8, active=SOVIET)
    assert free_units(forts, AXIS) == (CODES["4"],)  # a fortress cannot move


def test_nr_9_19_9_22_9_28_10_6_13_41a_of_several_hexes_one_is_enough():
    s = position({"4": "2209", "NW": "2309", "Res": "2308"}, turn=8)
    assert across_rivers(s, fight(s, "4", "2309 2308"))
    assert not across_rivers(s, fight(s, "4", "2308 2309"))
    snow = position({"4": "0808", "NW": "0908", "Res": "0708"}, turn=11)
    assert winter_shift(snow, fight(snow, "4", "0708 0908", counter=True)).by == -1
    assert winter_shift(snow, fight(snow, "4", "0708", counter=True)) is None
    works = position({"NW": "2209", "4": "2309", "6": "2308"}, turn=14, works=(2308,))
    found = [shift.why for shift in shifts_of(works, fight(works, "NW", "2309 2308", counter=True))]
    assert found == ["defence works"]
    assert not shifts_of(works, replace(fight(works, "NW", "2309", counter=True), defenders=()))


# Organisation, again


def test_nr_3_7_to_which_step_an_order_belongs():
    unit = (UNIT + CODES["4"],)
    found = [
        stage_of(order)
        for order in (
            Upgrade(1), Flip(1), Discard((5,), Purpose.UPGRADE, unit), Place(1, 210), Recall(1, 210),
            Discard((5,), Purpose.RETURN, (*unit, 210)), Discard((5,), Purpose.REORGANISE, unit),
        )
    ]  # fmt: skip
    assert found == [0, 0, 0, 1, 1, 1, 2]


def test_nr_7_1_7_10_7_15_11_2_events_and_returns_that_are_offered():
    units = {"9": "Destroyed", "4": "0611", "NW": "2410"}
    for turn, returns in ((4, False), (5, True), (23, True), (24, False)):
        d = table(units, Organise, axis=(5,), turn=turn)
        assert any("return" in text for text in offered(d)) == returns
    east = table({"Res": "Destroyed", "NW": "2410", "4": "0611"}, Organise, side=SOVIET, soviet=(2,), turn=8)
    assert "event 2 on Res" in offered(east)
    east.order(SOVIET, "event 2 Res")
    while asked(east).startswith("answer"):
        east.order(east.asked[0], "pass")
    assert asked(east) == "organise soviet"


def test_nr_7_20_7_10_7_2_raw_payments_in_the_organisation_phase():
    units = {"4": "0611", "6": "0511", "9": "Destroyed", "1Pz": ("0410", "-"), "NW": "2410", "Rsv": "Shattered"}
    d = table(units, Organise, axis=(53, 7), tired=("4",), turn=14)
    four, six, nine, tanks = (UNIT + CODES[code] for code in ("4", "6", "9", "1Pz"))

    def rule(purpose, *targets, cards="53"):
        (order,) = game.notation.parse(f"discard {cards} for reorganise 4", d.context(AXIS))
        violation = d.check(AXIS, replace(order, purpose=purpose, targets=targets))
        return violation.rule if violation else ""

    assert rule(Purpose.REORGANISE, four) == ""
    assert rule(Purpose.REORGANISE, four, four) == "NR-7.20"
    assert rule(Purpose.REORGANISE, four, six) == rule(Purpose.REORGANISE, six, four) == "NR-7.20"
    assert rule(Purpose.RETURN, nine) == rule(Purpose.UPGRADE, tanks, tanks) == "NR-5.8"
    assert rule(Purpose.RETURN, nine, 210, cards="7") == ""
    assert rule(Purpose.RETURN, nine, 2410, cards="7") == "NR-7.12"
    assert rule(Purpose.RETURN, nine, 417, cards="7") == "NR-7.12"  # a city for the shattered, not for the destroyed
    assert rule(Purpose.UPGRADE, tanks) == ""


def test_nr_7_17_7_18_1_28_only_sevastopol_is_turned_and_only_the_ss_come_back():
    units = {"Kal": "reinforcements", "4": "0611"}
    s = position(units, turn=8)
    Placements().act(s, PlayerTurn(SOVIET), SOVIET, Place(CODES["Kal"], place("Sevastopol")), Out())
    assert not s.pieces[CODES["Kal"]].strong
    late = position({"4": "0611"}, turn=24, triggers=Rows({"ss": 18}))
    assert [s.name(unit) for unit in CHART.own[AXIS] if recallable(late, unit)] == ["SSPz"]
    assert not any(recallable(position({"4": "0611"}, turn=24), unit) for unit in CHART.own[AXIS])
    step, frame = Recalls(), PlayerTurn(AXIS)
    reasons = [step.judge(late, frame, AXIS, Recall(unit, 210), {}).reason for unit in (CODES["4"], CODES["NW"], 999)]
    assert "SS Panzer Army" in reasons[0]
    assert not any("SS Panzer Army" in reason for reason in reasons[1:])  # that is not its own, or no unit at all
    send(s, CODES["4"], DESTROYED, "x", "NR-1.6", Out())
    assert s.pieces[CODES["4"]].due == 0


# Battles, again


def test_nr_5_20_5_22_an_answer_is_asked_of_those_who_may_hold_one():
    s = position(FRONT, turn=8, axis=(5,), active=SOVIET)
    step, unit = Answer(), (UNIT + CODES["NW"],)
    for hand, purpose, asks in (([7], "upgrade", True), ([5], "upgrade", False), ([7], "rail", False)):
        s.deck.hands[AXIS][:] = hand  # everybody has seen it
        assert step.by(s, Action(SOVIET, Moment.ORGANISE, (5,), unit, purpose)) == ((AXIS,) if asks else ())


def test_nr_9_25_13_18s_13_24a_13_39s_which_results_an_event_changes():
    s = position({"4": "2109", "6": "2109", "NW": "2209"}, turn=8)
    changed = position({"4": "2109", "6": "2109", "NW": "2209"}, turn=8)
    changed.put_effect(Effect("retreat_is_exchange", AXIS, until="phase"))
    found = set()
    for units in ("4", "6", "4 6"):
        for die in range(1, 7):
            s.fight = changed.fight = fight(s, units, "2209", die=die)
            plain = result_now(s)
            found.add(plain)
            assert result_now(changed) == ("EX" if plain == "DR" else plain)
            s.fight = replace(s.fight, none_is_exchange=True)
            assert result_now(s) == ("EX" if plain == "-" else plain)
    assert {"-", "DR"} < found


def test_nr_5_16_what_can_be_shuffled_again():
    for left, discards, thrown, expected in (
        (1, (5,), (), True), (1, (), ("deck/1/9",), True), (0, (5,), (), True), (1, (), (), False),
        (2, (5,), ("deck/1/9",), False),
    ):  # fmt: skip
        s = position(FRONT, turn=8, discards=discards, left=left)
        s.deck.thrown.extend(thrown)
        assert worn(s) == expected


def test_nr_1_18_1_23_only_soviet_units_with_two_sides_turn_back():
    units = {"Fort1": ("2410", "+"), "Len": ("2411", "+"), "Mos": "2412", "4": "0611"}
    d = table(units, Organise, side=SOVIET, turn=8)
    assert [rule_of(d, f"flip {code}") for code in ("Fort1", "Len", "Mos")] == ["NR-1.18", "", "NR-1.18"]
    axis = table({"Fin": "Finland", "BerG": "Berlin", "NW": "2410"}, Organise, turn=24)
    assert [rule_of(axis, f"flip {code}") for code in ("Fin", "BerG")] == ["NR-1.18", "NR-1.18"]


def test_nr_13_30a_7_12_asked_only_if_a_unit_can_come_back():
    hungary = {f"{cell:04d}": SOVIET for cell in CHART.board.in_mask(CHART.map.regions["hungary"].mask)}
    units = {"9": "Destroyed", "2Hun": "Destroyed", "11": "2109", "NW": "2410"}
    s = position(units, turn=14, held={**hungary, "Budapest": SOVIET})
    nine, hungarian, there = (CODES[code] for code in ("9", "2Hun", "11"))
    step = BringBack()
    assert entries(s, nine, DESTROYED)
    assert not entries(s, hungarian, DESTROYED)
    for units, count, asks in (
        ((nine, hungarian), 1, True), ((nine,), 0, False),
        ((hungarian,), 1, False), ((there,), 1, False), ((), 1, False),
    ):  # fmt: skip
        assert step.by(s, Returning(AXIS, units, count)) == ((AXIS,) if asks else ())
    frame = Returning(AXIS, (nine, there), 2)
    assert {order.unit for order in step.legal(s, frame, AXIS, {}) if isinstance(order, Place)} == {nine}
    assert step.check(s, frame, AXIS, Place(there, place("Berlin")), {}).rule == "NR-7.12"  # it is on the map


def test_nr_7_12_no_german_unit_comes_into_a_pocket():
    ring = dict(zip(("NW", "Res", "Kal", "Bry", "Cen", "Don"), CHART.board.near[place("Warsaw")], strict=True))
    s = position({"9": "Destroyed", **{code: f"{cell:04d}" for code, cell in ring.items()}}, turn=20, cut=ring)
    assert not s.in_zone(place("Warsaw"), SOVIET)
    assert place("Warsaw") not in entries(s, CODES["9"], DESTROYED)
    free = position({"9": "Destroyed", "NW": "2410"}, turn=20)
    assert place("Warsaw") in entries(free, CODES["9"], DESTROYED)


def test_nr_5_20_13_04a_the_last_card_of_a_chain_and_a_least_column():
    s = position({"4": "2109", "6": "2109", "NW": "2209"}, turn=8)
    chained = Action(AXIS, Moment.ORGANISE, (5,), (), "upgrade", (6, 7))
    assert Answer().facts(s, chained, SOVIET, {}) == {"card": 7, "turn": 8}
    for least in (0, reckon(s, fight(s, "4 6", "2209")).column):
        s.fight = fight(s, "4 6", "2209", at_least=least)
        assert result_now(s) == "DR"
    s.fight = fight(s, "4 6", "2209", at_least=reckon(s, s.fight).column + 1)
    assert result_now(s) == "?"


def test_nr_13_07a_a_payment_with_a_card_that_raises_is_no_upgrade():
    s = position({"4": "2109", "NW": "2209"}, turn=8)
    for purpose, ok in (("", True), ("rail", False), ("reorganise", False), ("return", True)):
        action = Action(SOVIET, Moment.ORGANISE, (33,), (), purpose)
        assert (EVENTS[AXIS, 7].unfit(s, At(AXIS, Moment.ANSWER, action)) is None) == ok


def test_nr_13_29s_9_2_all_who_join_a_wave_stand_beside_it():
    s = position({"4": "2209", "NW": "2109", "Res": "2413"}, turn=14, active=SOVIET)
    step, beside, far = WaveBattle(), CODES["NW"], CODES["Res"]
    assert step.check(s, Wave(SOVIET), SOVIET, Attack(2209, (beside,)), {}) is None
    for units in (tuple(sorted((beside, far))), (far,)):
        assert step.check(s, Wave(SOVIET), SOVIET, Attack(2209, units), {}).rule == "NR-9.2"


def test_nr_13_36a_the_whole_stack_must_be_able_to_walk():
    units = {"1Pz": "2208", "4": "2208", "NW": "2305"}
    found = {turn: set(EVENTS[AXIS, 36].ways(position(units, turn=turn), AXIS, 2208)) for turn in (8, 9)}
    assert 2306 in found[8]
    assert 2306 not in found[9]  # in mud through swamp or mountains
    # Who cannot move at all is left behind.
    fort = position({"Fest1": "2208", "4": "2208", "NW": "2305"}, turn=8, active=SOVIET)
    held, at = EVENTS[AXIS, 36], At(AXIS, Moment.MOVED)
    assert held.check(fort, at, (2208, 2306)) is None
    held.play(fort, at, (2208, 2306), Out())
    assert [fort.at(CODES[code]) for code in ("Fest1", "4")] == [2208, 2306]
    # It goes two hexes at most, not round the lake from 1104 to 1204, nor back to where it stood.
    assert set(held.ways(position({"18": "1104", "Cen": "1205"}, turn=14), AXIS, 1104)) == {1105}
    assert 2208 not in held.ways(position({"4": "2208", "NW": "2308"}, turn=8), AXIS, 2208)
    raw = position({"4": "2208", "NW": "2305"}, turn=8, active=SOVIET)
    for targets, rule in (((2208, 2306), ""), ((2208, 2306, 2306), "NR-13.36A"), ((2208,), "NR-13.36A")):
        wrong = held.check(raw, at, targets)
        assert (wrong.rule if wrong else "") == rule


def test_nr_14_11_8_20_partisans_in_the_unloading_phase():
    units = {"4": "1510", "NW": "1610", "Res": "2413"}
    for side, asks in ((SOVIET, True), (AXIS, False)):
        s = position(units, turn=5, options={"partisans": True}, active=side)
        legal = {order.kind for order in Unloading().legal(s, PlayerTurn(side), side, {})}
        assert ("partisans" in legal) == asks
        assert Unloading().by(s, PlayerTurn(side)) == ((SOVIET,) if asks else ())
    s = position(units, turn=5, options={"partisans": True}, active=SOVIET)
    Unloading().apply(s, PlayerTurn(SOVIET), {SOVIET: Infiltrate(CODES["4"])}, Out())
    assert s.is_tired(CODES["4"])


def test_nr_9_37_1_26_a_cadre_may_take_the_place_of_each_step():
    s = position({"4": "2109", "NW": "2209"}, turn=8)
    made = Work.frame_for(s, fight(s, "4", "2209", result="DD"), "step", str(CODES["NW"]), Out())
    assert (made.side, made.units, made.count, made.cadre) == (SOVIET, (CODES["NW"],), 1, True)
    two = position({"4": "2109", "NW": "2209", "Res": "2208"}, turn=8)
    for cell, code in (("2209", "NW"), ("2208", "Res")):
        back = Work.frame_for(two, fight(two, "4", "2209 2208", result="DR"), "retreat", cell, Out())
        assert (back.start, back.units) == (int(cell), (CODES[code],))  # each hex for itself
    cases = (("EX", "lose", True), ("DS", "lose", True), ("duel", "lose", False), ("EX", "extra", False))
    for result, code, cadre in cases:
        assert Work.frame_for(s, fight(s, "4", "2209", result=result), code, SOVIET, Out()).cadre == cadre


def test_nr_6_1_who_is_out_of_supply_is_reported_when_it_changes():
    s = position({"4": "2410", "6": "0210", "NW": "0315", "Kal": "2613"}, turn=8)
    said = []
    for _ in range(2):
        out = Out()
        SupplyPhase().run(s, PlayerTurn(AXIS), out)
        said.append([each.units for each in out.events if isinstance(each, OutOfSupply)])
    assert said == [[("4",), ("NW",)], []]
    only = position({"4": "2410", "6": "0210", "Kal": "2613"}, turn=8)
    out = Out()
    SupplyPhase().run(only, PlayerTurn(AXIS), out)
    assert [each.units for each in out.events if isinstance(each, OutOfSupply)] == [("4",)]


def test_nr_11_15_only_romanians_in_the_game_leave_it():
    s = position({"3Rum": "1117", "4": "0611", "NW": "2410"}, turn=15, held={"Ploesti": SOVIET})
    out = Out()
    romania_leaves(s, out)
    assert [each.unit for each in out.events if isinstance(each, Boxed)] == ["3Rum"]
    assert s.at(CODES["3Rum"]) == OUT


def test_nr_9_48_a_pursuit_can_be_ended():
    s = position({"4": "2109", "NW": "2413"}, turn=8)
    orders = list(FollowUp().legal(s, Pursuit(AXIS, (2209,), (CODES["4"],)), AXIS, {}))
    assert orders[0] == Done()
    assert {order.unit for order in orders[1:]} == {CODES["4"]}
    frame = Pursuit(AXIS, (2209,), (CODES["4"],))
    FollowUp().apply(s, frame, {AXIS: orders[1]}, Out())
    assert FollowUp().facts(s, frame, AXIS, {}) == {"city": 0, "gone": 1, "hex": 2209}
    two = Pursuit(AXIS, (2209, place("Voronezh")), (CODES["4"],))
    assert FollowUp().facts(s, two, AXIS, {})["city"] == 1
    # Of the units only those beside the hex can follow: 6 is stronger, but stands elsewhere.
    t = position({"9": ("2109", "-"), "6": "2411", "NW": "2413"}, turn=8)
    words = FollowUp().answers(t, Pursuit(AXIS, (2209,), (CODES["6"], CODES["9"])), AXIS, {})
    assert words["strongest"] == Pursue(CODES["9"], (2209,))
