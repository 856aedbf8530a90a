"""SG-1.4, SG-2.3, SG-3, SG-12.1, SG-12.5: chits, the cup, who is activated, the reactions of the first turn."""

from __future__ import annotations

from collections import Counter

import pytest
from sg_positions import CHART, number, position

from pbem.engine.event import Out
from pbem.engine.step import DONE, RETURN, STAY
from pbem_rules.stargard import game
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.command import (
    Begin,
    DrawChit,
    Finish,
    MoreChits,
    NextActivation,
    PickPost,
    PickReaction,
    React,
    ReadChit,
    in_command,
    note_struck,
    playable,
    posts,
    whom,
)
from pbem_rules.stargard.fights import CarryOut, ListAttacks
from pbem_rules.stargard.frames import Activation, Command, GameTurn
from pbem_rules.stargard.movement import Movement, may_use
from pbem_rules.stargard.orders import Activate, Decline, Done
from pbem_rules.stargard.sequence import SEQUENCES
from pbem_rules.stargard.setup import set_up
from pbem_rules.stargard.state import REFORMING, WAITING, State
from pbem_rules.stargard.supply import SupplyPhase
from pbem_rules.stargard.turns import BeginTurn


def begun(turn: int) -> State:
    """The set-up, at the start of that turn."""
    state = set_up(game.setup_of())
    state.turn = turn
    BeginTurn().run(state, GameTurn(), Out())
    return state


def begun_with(*cup: str, drawn: tuple[str, ...] = ()) -> State:
    """Turn 2, with these chits in the cup."""
    state = begun(2)
    state.cup, state.drawn = cup, drawn
    return state


def without_posts(state: State, side: str) -> State:
    """All headquarters of a side are off the map."""
    for unit in CHART.own[side]:
        if CHART.is_hq(unit):
            state.put(unit, REFORMING)
    return state


def run(step, state, frame):
    out = Out()
    return step.run(state, frame, out), [event.words() for event in out.events]


def draw(state, number=None):
    """What the next chit is: `number` of those that can be drawn."""
    frame = GameTurn()
    draws = list(DrawChit().draws(state, frame))
    got = {each.label: (number,) for each in draws}
    following = DrawChit().run(state, frame, got, Out())
    return frame.chit, following, draws


@pytest.mark.parametrize(
    ("turn", "german", "soviet"), [(1, 5, 3), (2, 6, 4), (3, 6, 6), (4, 5, 7), (5, 6, 7), (7, 6, 7), (8, 6, 8)]
)
def test_sg_7_2_7_2_1_1_4a_case_17_the_cup_at_the_start_of_turns(turn, german, soviet):
    """SG-1.4, SG-7.2.1, TEST-17."""
    sides = Counter(CHART.chits[chit].side for chit in begun(turn).cup)
    assert sides == {GERMAN: german, SOVIET: soviet}


def test_sg_2_3_1b_case_05_the_first_chit_is_that_of_the_3rd_ss_panzer_corps():
    """TEST-05: no draw, and it counts."""
    state = begun(1)
    chit, _, draws = draw(state)
    assert chit == "3SSPz"
    assert not draws
    assert state.drawn == ("3SSPz",)
    assert state.played[GERMAN] == 1
    assert "3SSPz" not in state.cup


def test_sg_3_1_1a_1_4c_2_3_1a_a_draw_is_uniform_over_what_can_be_played():
    state = begun(2)
    ((first,),) = [draw(begun(2), 1)[2]]
    assert (first.label, first.sides, first.count) == ("t2/chit1", len(state.cup), 1)
    assert {draw(begun(2), n)[0] for n in range(1, len(state.cup) + 1)} == set(state.cup)


def test_sg_3_1_1a_the_last_chit_is_not_drawn_and_a_label_counts_draws():
    chit, _, draws = draw(begun_with("61"))
    assert (chit, draws) == ("61", [])
    (drawn,) = DrawChit().draws(begun_with("61", "2GT", drawn=("39Pz", "Munzel")), GameTurn(put_back=3))
    assert (drawn.label, drawn.sides) == ("t2/chit6", 2)


def test_sg_3_1_2b_1_4d_a_side_that_has_played_its_number_is_drawn_no_more():
    """SG-1.4d, SG-3.1.2b."""
    state = begun(2)
    assert state.left(SOVIET) == state.number(SOVIET)
    state.played[SOVIET] = state.number(SOVIET)
    assert {CHART.chits[chit].side for chit in playable(state)} == {GERMAN}
    state.played[GERMAN] = state.number(GERMAN)
    chit, following, _ = draw(state)
    assert (chit, following.step) == ("", SupplyPhase)


def test_sg_2_3_3b_an_empty_cup_ends_the_phase():
    state = begun(2)
    state.cup = ()
    assert draw(state)[1].step is SupplyPhase


def test_sg_3_1_3a_3_1_3b_case_06_never_the_formation_activated_last():
    """TEST-06: a chit of the formation that a special chit has activated is put back; later it can be drawn."""
    state = begun(4)
    state.last = "army61"
    assert "61" not in playable(state)
    assert "61" in state.cup
    state.last = "gt2"
    assert "61" in playable(state)
    state.last = ""  # a special chit has activated nobody, and another follows
    assert "1BRF" in playable(state)


def test_sg_3_1_3c_the_owner_of_a_special_chit_chooses_another_formation():
    state = begun(4)
    state.last = "army61"
    assert "army61" not in posts(state, SOVIET)
    assert set(posts(state, SOVIET)) == {"gt2", "gc7", "army47"}
    violation = PickPost().check(state, Command(SOVIET, "1BRF"), SOVIET, Activate("army61"), {})
    assert violation is not None
    assert violation.rule == "SG-3.1.3"


def test_sg_3_3_3_1_2a_the_chit_activates_the_headquarters_of_its_name():
    state = begun(2)
    frame = Command(SOVIET, "61")
    run(ReadChit(), state, frame)
    assert frame.formations == ("army61",)
    assert state.last == "army61"
    following, _ = run(NextActivation(), state, frame)
    assert following.frame == Activation(SOVIET, "61", "army61")
    assert following.again
    assert frame.formations == ()


def test_sg_3_1_2a_3_3_a_special_chit_waits_for_its_owner_unless_it_finds_nobody():
    state, frame = begun(4), Command(SOVIET, "1BRF")
    state.last = "army61"
    assert run(ReadChit(), state, frame)[1] == []
    assert (frame.formations, state.last) == ((), "army61")
    _, said = run(ReadChit(), without_posts(state, SOVIET), frame)
    assert "no effect" in said[0]
    assert (frame.formations, state.last) == ((), "")


def test_sg_3_1_2a_3_1_4a_a_special_chit_alone_leaves_a_choice():
    state = begun(4)
    assert PickPost().by(state, Command(SOVIET, "1BRF")) == (SOVIET,)
    assert PickPost().by(state, Command(SOVIET, "61")) == ()
    assert PickPost().by(without_posts(state, SOVIET), Command(SOVIET, "1BRF")) == ()


def test_sg_3_1_3c_2_3_1a_an_army_or_nobody():
    state, frame = begun(4), Command(SOVIET, "1BRF")
    found = list(PickPost().options(state, frame, SOVIET))
    assert found == [*map(Activate, whom(state, frame)), Decline()]
    assert PickPost().answers(state, frame, SOVIET, {})["first"] == found[0]
    assert PickPost().answers(state, frame, SOVIET, {})["2gt"] == Activate("gt2")


def test_sg_3_3_3_1_3a_without_its_headquarters_a_chit_is_played_in_vain():
    """It counts all the same."""
    state = begun(2)
    state.put(number("61-HQ"), REFORMING)
    frame = Command(SOVIET, "61")
    _, said = run(ReadChit(), state, frame)
    assert frame.formations == ()
    assert "no effect" in said[0]
    assert state.last == "army61"


def front(*orders, cavalry=True):
    """The formations that the chit of the front activates, one after another."""
    state = begun(4)
    if cavalry:
        for code, place in (("3GC/2GC", 4816), ("4GC/2GC", 4817)):
            state.put(number(code), place)
    frame, step = Command(SOVIET, "1BRF"), PickPost()
    for order in orders:
        assert order in set(step.options(state, frame, SOVIET))
        step.do(state, frame, SOVIET, order, Out())
    return frame.formations, state


def test_sg_3_1_4b_3_1_4c_12_5b_the_front_activates_an_army_and_the_cavalry_corps():
    """SG-12.5b, SG-3.1.4c: in the order that the owner wants. The army is what counts as activated last."""
    assert front(Activate("army61"))[0] == ("army61", "gc2")
    formations, state = front(Activate("gc2"), Activate("army61"))
    assert formations == ("gc2", "army61")
    assert state.last == "army61"


def test_sg_3_1_3c_the_cavalry_first_frees_no_army_that_was_activated_last():
    state = begun(4)
    state.put(number("3GC/2GC"), 4816)
    state.last = "army61"
    frame = Command(SOVIET, "1BRF")
    PickPost().do(state, frame, SOVIET, Activate("gc2"), Out())
    assert Activate("gt2") in set(PickPost().options(state, frame, SOVIET))
    assert Activate("army61") not in set(PickPost().options(state, frame, SOVIET))
    assert Activate("gc2") not in set(PickPost().options(state, frame, SOVIET))


def test_sg_3_1_4b_3_1_3a_the_cavalry_first_is_followed_by_an_army_if_there_is_one():
    state = begun(4)
    state.put(number("3GC/2GC"), 4816)
    state.last = "army61"
    frame, out = Command(SOVIET, "1BRF"), Out()
    assert PickPost().do(state, frame, SOVIET, Activate("gc2"), out) is STAY
    assert state.last == "army61"
    assert PickPost().do(without_posts(state, SOVIET), frame, SOVIET, Activate("gc2"), out) is DONE
    assert (frame.formations, state.last) == (("gc2",), "")


def test_sg_3_1_5a_12_5b_no_other_chit_brings_the_cavalry_corps():
    state = begun(5)
    state.put(number("3GC/2GC"), 4816)
    frame = Command(GERMAN, "3Pz-AOK")
    assert PickPost().do(state, frame, GERMAN, Activate("pz39"), Out()) is DONE
    assert frame.formations == ("pz39",)


def test_sg_3_1_4b_before_the_corps_has_come_it_is_the_army_alone():
    formations, state = front(Activate("army61"), cavalry=False)
    assert formations == ("army61",)
    assert "gc2" not in whom(state, Command(SOVIET, "1BRF"))


def test_sg_2_3_1a_a_special_chit_can_be_declined():
    formations, state = front(Activate("gc2"), Decline())
    assert (formations, state.last) == ((), "")


def test_sg_3_1_5a_german_special_chits_activate_any_headquarters():
    state = begun(2)
    assert set(posts(state, GERMAN)) == {"sspz3", "pz39", "munzel", "ss10", "stell_ii"}
    state.put(number("Munzel-HQ"), REFORMING)
    assert "munzel" not in posts(state, GERMAN)


def test_sg_3_3_3a_case_08_range_counts_the_hex_of_the_unit():
    """TEST-08: ten hexes away is in range 10, eleven is not."""
    near, far = number("44Pz/233"), number("142/233")
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 2012), ("142/233", 2112))
    found = in_command(state, "pz39")
    assert near in found
    assert far not in found


def test_sg_3_3_1a_3_3_1b_own_units_and_independent_ones_but_no_other_headquarters():
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 1113), ("Voigt", 1213), ("24/11SS", 1213), ("3SSPz-HQ", 1112))
    codes = {state.code(unit) for unit in in_command(state, "pz39")}
    assert codes == {"39Pz-HQ", "44Pz/233", "Voigt"}


def test_sg_3_4_4_supply_and_enemies_do_not_matter():
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 1413), ("79GT", 1213))
    state.mark_supply(number("44Pz/233"), 2)
    assert number("44Pz/233") in in_command(state, "pz39")


def test_sg_3_3_1c_case_07_an_independent_unit_acts_with_two_headquarters():
    """TEST-07."""
    state = position(("39Pz-HQ", 1013), ("3SSPz-HQ", 1112), ("Voigt", 1113))
    assert number("Voigt") in in_command(state, "pz39")
    assert number("Voigt") in in_command(state, "sspz3")


def test_sg_3_3_3c_12_1g_in_turn_1_everybody_is_in_command_until_the_first_activation():
    """SG-12.1g; independent units as well."""
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 4113), ("Voigt", 4013), turn=1)
    state.idle = ("pz39",)
    assert {number("44Pz/233"), number("Voigt")} <= set(in_command(state, "pz39"))
    corner = next(place for place, bit in CHART.board.bit.items() if bit == 1)
    state.put(number("Voigt"), corner)
    assert number("Voigt") in in_command(state, "pz39")
    state.idle = ()
    assert in_command(state, "pz39") == (number("39Pz-HQ"),)


def test_sg_3_3_3c_an_activation_ends_the_grace_of_its_formation():
    """It is counted, and nobody is asked where nobody could act."""
    state = position(("39Pz-HQ", 1013), turn=1)
    state.idle = ("pz39", "sspz3")
    assert run(Begin(), state, Activation(GERMAN, "39Pz", "pz39"))[0] is DONE
    assert (state.idle, state.activations) == (("sspz3",), 1)
    assert run(Begin(), position(), Activation(SOVIET, "1BRF", "gc2"))[0] is RETURN


def test_sg_12_5c_the_cavalry_corps_is_activated_wherever_it_is():
    state = position(("3GC/2GC", 4816), ("4GC/2GC", 1013), ("11GdT", 4817))
    assert {state.code(unit) for unit in in_command(state, "gc2")} == {"3GC/2GC", "4GC/2GC"}


def test_sg_3_3_2a_independent_units_have_neither_division_nor_corps():
    """AMB-32: Poles with a bare number are units of their army; fortresses and Volkssturm are independent."""
    free = {unit.code for unit in CHART.units if CHART.independent(unit.number)}
    assert {"Kausch", "Voigt", "F-Bahn", "PyritzII", "11GdT", "1Eng/Pol", "115UR", "210"} <= free
    assert not {"1/Pol", "1T/Pol", "22/10SS", "119UR/7GC", "39Pz-HQ"} & free
    for code in free - {"1Eng/Pol", "2Eng/Pol"}:
        assert "/" not in code


def test_sg_3_3_3b_range_is_judged_before_the_headquarters_moves():
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 2012))
    frame = Activation(GERMAN, "39Pz", "pz39")
    run(Begin(), state, frame)
    state.put(number("39Pz-HQ"), 115)
    assert may_use(state, frame, number("44Pz/233")) is None
    assert number("44Pz/233") not in in_command(state, "pz39")


def test_sg_3_1_5b_3_3_the_chit_of_the_3rd_panzer_army_frees_independent_units_anywhere():
    for chit, free in (("3Pz-AOK", {"Kausch", "Voigt"}), ("39Pz", set())):
        state = position(
            ("39Pz-HQ", 1013), ("44Pz/233", 4113), ("Kausch", 4330), ("Voigt", 4013), ("6GT", 2010), turn=5
        )
        frame = Activation(GERMAN, chit, "pz39")
        run(Begin(), state, frame)
        assert set(map(state.code, frame.free)) == free


def test_sg_3_1_1c_2_3_2_2_3_3a_movement_comes_before_combat_and_either_may_be_empty():
    (steps,) = (sequence.steps for sequence in SEQUENCES if sequence.frame is Activation)
    kinds = [type(step) for step in steps]
    assert kinds.index(Movement) < kinds.index(ListAttacks) < kinds.index(CarryOut)
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 1113), ("212/80", 1213))
    frame = Activation(GERMAN, "39Pz", "pz39")
    run(Begin(), state, frame)
    assert Movement().check(state, frame, GERMAN, Done(), {}) is None
    assert ListAttacks().check(state, frame, GERMAN, Done(), {}) is None


def test_sg_8_0c_the_side_that_is_active_attacks():
    state = position(("39Pz-HQ", 1013), ("44Pz/233", 1113), ("212/80", 1213))
    frame = Activation(GERMAN, "39Pz", "pz39")
    run(Begin(), state, frame)
    assert ListAttacks().by(state, frame) == (GERMAN,)


def test_sg_3_1_4a_special_chits_are_in_the_cup_once_and_count():
    state = begun(4)
    assert Counter(state.cup)["1BRF"] == 1
    place = playable(state).index("1BRF") + 1
    assert draw(state, place)[0] == "1BRF"
    assert "1BRF" not in state.cup
    assert state.played[SOVIET] == 1


def test_sg_12_1a_the_soviets_play_one_chit_in_turn_1():
    state = begun(1)
    assert state.number(SOVIET) == 1
    state.drawn, state.played[SOVIET] = ("3SSPz", "61"), 1
    assert {CHART.chits[chit].side for chit in playable(state)} == {GERMAN}


def test_sg_12_5a_the_cavalry_corps_acts_by_the_chit_of_the_front_alone():
    """No headquarters has it under command, and no other chit offers it."""
    state = begun(4)
    for code, place in (("3GC/2GC", 1204), ("4GC/2GC", 1205)):
        state.put(number(code), place)
    corps = set(CHART.formations["gc2"].units)
    for formation in CHART.formations.values():
        if formation.hq >= 0 and state.on_map(formation.hq):
            assert not corps & set(in_command(state, formation.key))
    assert not [chit for chit in CHART.chits.values() if chit.formation == "gc2"]
    for chit in ("11Pz-AOK", "3Pz-AOK", "1BRF"):
        assert ("gc2" in whom(state, Command(CHART.chits[chit].side, chit))) is (chit == "1BRF")


# The first turn


def struck(*codes):
    state = begun(1)
    note_struck(state, [number(code) for code in codes])
    return state


def reacts(state, frame):
    """The armies that react, in their order, if nobody chooses."""
    found = []
    while True:
        if PickReaction().by(state, frame):
            order = next(iter(PickReaction().options(state, frame, SOVIET)))
            PickReaction().do(state, frame, SOVIET, order, Out())
        if not React().when(state, frame):
            return found
        following, _ = run(React(), state, frame)
        found.append(following.frame.formation)
        state.acted = (*state.acted, following.frame.formation)
        assert following.frame.reaction


def test_sg_12_1d_12_1e_case_26_armies_react_in_the_order_of_the_attacks():
    """TEST-26: the 61st was attacked first; their chits are passed over when they have acted."""
    state = struck("212/80")
    note_struck(state, [number("219T/1M")])
    note_struck(state, [number("356/80")])
    assert reacts(state, GameTurn(chit="3SSPz")) == ["army61", "gt2"]
    assert state.last == "gt2"
    state.last = ""
    assert {"61", "2GT"} & set(playable(state)) == set()
    assert "7GC" in playable(state)


def test_sg_12_1b_only_after_a_german_activation():
    """An army that a barrage hits before it waits."""
    state = struck("212/80")
    assert reacts(state, GameTurn()) == []
    assert reacts(state, GameTurn(chit="7GC")) == []
    assert reacts(state, GameTurn(chit="39Pz")) == ["army61"]


def test_sg_12_1d_of_armies_hit_together_the_owner_says_which_is_first():
    state = struck("212/80", "219T/1M")
    frame = GameTurn(chit="3SSPz")
    assert PickReaction().by(state, frame) == (SOVIET,)
    said = PickReaction().prompt(state, frame, SOVIET)
    assert said.startswith("One battle has hit 61st Army (61) and 2nd Guards Tank Army (2GT)"), said
    assert PickReaction().answers(state, frame, SOVIET, {})["2gt"] == Activate("gt2")
    PickReaction().do(state, frame, SOVIET, Activate("gt2"), Out())
    assert reacts(state, frame) == ["gt2", "army61"]


def test_sg_12_1d_who_was_hit_later_waits():
    state = struck("212/80", "219T/1M", "19M/1M")
    state.struck = (("army61", "gt2"), ("gc7",))
    frame = GameTurn(chit="3SSPz")
    assert PickReaction().answers(state, frame, SOVIET, {})["first"] == Activate("army61")
    PickReaction().do(state, frame, SOVIET, Activate("gt2"), Out())
    assert state.struck == (("gt2",), ("army61",), ("gc7",))
    assert PickReaction().by(state, frame) == ()


def test_sg_12_1f_an_army_that_has_lost_its_headquarters_since_does_not_react():
    state = struck("212/80")
    state.put(number("61-HQ"), REFORMING)
    state.last = "sspz3"
    assert run(React(), state, GameTurn(chit="3SSPz"))[0] is DONE
    assert (state.struck, state.last) == ((), "sspz3")


@pytest.mark.parametrize(
    ("turn", "side", "formation", "declined", "acted"),
    [
        (1, SOVIET, "army61", False, ("army61",)),
        (1, SOVIET, "army61", True, ()),
        (1, GERMAN, "pz39", False, ()),
        (2, SOVIET, "army61", False, ()),
    ],
)
def test_sg_12_1c_who_has_acted_in_turn_1(turn, side, formation, declined, acted):
    state = begun(turn)
    run(Finish(), state, Activation(side, "", formation, declined=declined))
    assert state.acted == acted


def test_sg_12_1c_12_1e_an_army_that_acted_in_turn_1_can_be_drawn_in_turn_2():
    for turn, drawn in ((1, False), (2, True)):
        state = begun(turn)
        state.acted = ("army61",)
        assert ("61" in playable(state)) is drawn


def test_sg_12_1c_each_army_acts_once():
    state = struck("212/80")
    assert reacts(state, GameTurn(chit="3SSPz")) == ["army61"]
    note_struck(state, [number("212/80")])
    assert reacts(state, GameTurn(chit="39Pz")) == []


def test_sg_12_1f_no_army_reacts_without_its_headquarters():
    """SG-12.1f: that comes in this turn. Independent units are of no army, and later turns have no reactions."""
    state = struck("1T/Pol")
    assert state.at(number("1Pol-HQ")) == WAITING
    assert state.early == ("pol1",)
    note_struck(state, [number("1T/Pol")])
    assert state.early == ("pol1",)
    assert reacts(state, GameTurn(chit="3SSPz")) == []
    assert reacts(struck("79GT"), GameTurn(chit="39Pz")) == []
    assert struck("24/11SS").struck == ()  # of the Germans nobody reacts
    state = begun(2)
    note_struck(state, [number("212/80")])
    assert state.struck == ()


def test_sg_2_3_3b_12_1b_after_the_reactions_chits_are_drawn_again():
    state = struck("212/80", "219T/1M")
    frame = GameTurn(chit="3SSPz")
    assert run(MoreChits(), state, frame)[0].step is PickReaction
    reacts(state, frame)
    assert run(MoreChits(), state, frame)[0].step is DrawChit
