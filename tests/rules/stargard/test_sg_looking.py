"""`look`: command, supply, reach, points, the cup; and what may have been forgotten."""

from __future__ import annotations

import pytest

from pbem.engine.need import Orders
from pbem.game import Order, Reckoning, View
from pbem.kit import Fate
from pbem_rules.stargard.arriving import Arrivals
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.fights import ListAttacks, targets
from pbem_rules.stargard.frames import Activation, Arriving, Command
from pbem_rules.stargard.looking import USAGE, left_undone, looking, points_text
from pbem_rules.stargard.movement import Movement, use
from pbem_rules.stargard.notation import NOTATION
from pbem_rules.stargard.orders import Attack, Decline, Done, Drive
from pbem_rules.stargard.state import OUT_OF_SUPPLY, TETTAU_BOX, WAITING, State
from tests.rules.stargard.sg_positions import number, position


def told(s: State, text: str, side: str = GERMAN) -> str:
    found = looking(View(s, (side,)), text)
    return found.text if isinstance(found, Reckoning) else found


def test_sg_3_3_3a_who_is_in_range_and_who_is_not():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 2013), ("21/10SS", 2113), ("Voigt", 1012), ("Kausch", 3013))
    assert told(s, "command") == (
        "39th Panzer Corps: 39Pz-HQ range 10 in 1013. 1 of 2 units in command; out of command: 21/10SS; "
        "independent: Voigt."
    )
    s.last = "pz39"
    assert told(s, "command").endswith("It was activated last, and cannot be activated next (SG-3.1.3).")
    assert told(s, "command", SOVIET) == "No headquarters on the map."


def test_sg_11_1a_the_path_of_a_unit_to_its_source():
    s = position(("22/10SS", 317))
    assert told(s, "supply 22/10ss") == (
        "22/10SS is in supply, and would stay so if supply were judged now: path 0317 > 0217 > 0117."
    )


def test_sg_4_5_what_bars_the_path():
    ring = [("19M/1M", 1915), ("35M/1M", 1813), ("37M/1M", 2012), ("33G/9GT", 2113)]
    s = position(("22/10SS", 1914), *ring)
    assert "no path: an enemy zone bars the path at" in told(s, "supply 22/10ss")
    assert told(s, "supply 22/10ss").endswith("(SG-4.5).")
    s = position(("22/10SS", 1914), *((code, at) for code, at in zip(
        ("6GT", "79GT", "152", "85T", "38ENG", "18ENG"), (1913, 1915, 1814, 1815, 2014, 2015), strict=True
    )))  # fmt: skip
    assert "enemy units bar the path at" in told(s, "supply 22/10ss")


def test_sg_11_1b_woods_without_a_way_bar_the_path():
    s = position(("69/28SS", 3607))
    assert told(s, "supply 69").endswith(
        "no path: woods or marsh without a way or a unit of yours bar the path (SG-11.1b)."
    )


def test_sg_11_3_2b_a_unit_shares_the_fate_of_its_headquarters():
    s = position(("39Pz-HQ", 3607), ("22/10SS", 317))
    assert told(s, "supply 22/10ss").endswith(
        "but would be out of supply if supply were judged now: 39Pz-HQ is out of supply (SG-11.3.2b)."
    )


def test_sg_12_3d_a_fortress_supplies_while_it_lies_on_top():
    s = position(("F-Arnswalde", 2608), ("Voigt", 2608), *[(f"{n}", at) for n, at in zip(
        ("19M/1M", "35M/1M", "37M/1M", "33G/9GT"), (2609, 2507, 2707, 2607), strict=True)])  # fmt: skip
    assert told(s, "supply voigt").endswith("the fortress on top of its stack supplies it (SG-12.3d).")
    assert told(s, "supply f-arn").endswith("a fortress is always in supply (SG-12.3b).")
    s.tops[2608] = number("Voigt")
    assert "no path" in told(s, "supply voigt")


def test_sg_11_0a_all_that_the_supply_phase_would_find():
    s = position(("69/28SS", 3607), ("19M/1M", 601))
    s.mark_supply(number("19M/1M"), OUT_OF_SUPPLY)
    lines = told(s, "supply").splitlines()
    assert lines[0] == "German out of supply: none; isolated: none; without a path now: 69/28SS."
    assert lines[1].startswith("  69/28SS: no path: woods or marsh")
    assert lines[2] == "Soviet out of supply: 19M/1M; isolated: none; without a path now: none."


def test_sg_5_1_2_where_a_unit_goes_and_what_it_costs():
    s = position(("Voigt", 2608), ("19M/1M", 2610))
    found = looking(View(s, (GERMAN,)), "reach voigt")
    assert isinstance(found, Reckoning)
    assert found.text.startswith("Voigt 2-3-5 in Arnswalde (2608), in supply, 5 points: reaches ")
    assert "(3 1/2, zone)" in found.text
    assert found.figures["2509"] == {"cost": 42, "zone": True}
    assert told(s, "reach voigt 2709").startswith("Voigt 2-3-5 in Arnswalde (2608), in supply: it reaches 2709 for ")
    assert "it cannot reach Stargard (1714)" in told(s, "reach voigt stargard")
    s.pin(number("Voigt"))
    assert told(s, "reach voigt").endswith("it is pinned and cannot move (SG-5.3e).")
    assert told(s, "reach kausch") == "Kausch is not on the map."


def test_sg_5_2_1_which_units_reach_a_hex_the_cheapest_first():
    s = position(("22/10SS", 1714), ("Voigt", 1814), ("19M/1M", 601))
    assert told(s, "reach wulkow") == (
        "German units that can reach Wulkow (1914): 22/10SS (1), Voigt (1).\n"
        "Soviet units that can reach Wulkow (1914): none."
    )
    assert told(s, "reach 4806") == ("German units that can reach 4806: none.\nSoviet units that can reach 4806: none.")


@pytest.mark.parametrize(("twelfths", "words"), [(0, "0"), (6, "1/2"), (12, "1"), (54, "4 1/2"), (4, "1/3")])
def test_points_are_fractions(twelfths, words):
    assert points_text(twelfths) == words


def test_sg_1_5_5_what_each_marked_hex_is_worth_and_to_whom():
    s = position(("19M/1M", 601))
    s.take(SOVIET, 1307)
    s.turn = 9
    text = told(s, "points")
    assert "Soviet score 3, " in text
    assert "In Soviet hands: Pyritz (1307) 2; Kallies (3813) 1." in text  # as when they were taken (SG-14.3.1)
    assert "Stargard (1714) 4, 2 after turn 9" in text
    found = looking(View(s, (GERMAN,)), "points")
    assert isinstance(found, Reckoning)
    markers = found.figures["points"]["markers"]  # type: ignore[index]
    assert markers["Bahn (0705)"] == {"worth": 1, "later": 1, "flips": 6, "holder": "german"}


def test_sg_3_1_1a_the_cup_and_the_chance_of_each_chit():
    s = position(("39Pz-HQ", 1013), ("61-HQ", 2906), ("2GT-HQ", 1605))
    s.cup, s.last = ("39Pz", "61", "2GT"), "gt2"
    assert told(s, "cup") == (
        "Chits still to be played: German 4, Soviet 3. Each with a chance of 1/2: 39Pz (39th Panzer Corps), "
        "61 (61st Army)."
    )
    s.cup = ()
    assert told(s, "cup").endswith("No chit can be drawn.")


@pytest.mark.parametrize("text", ["everything", "supply nobody", "reach", "reach nowhere", "command supply"])
def test_other_questions_are_answered_with_how_to_ask(text):
    assert told(position(("Voigt", 2608)), text) == USAGE


def undone(s: State, frame: object, kind: str, order: Order | None, seat: str = GERMAN) -> list[str]:
    need = Orders(kind, f"{kind}/1", (seat,))
    return list(left_undone(View(s, (seat,), need=need, frame=frame), seat, order))  # type: ignore[arg-type]


def test_sg_5_1a_units_that_have_not_moved_and_hexes_that_could_be_attacked():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 1016), ("F-Bahn", 705), ("19M/1M", 1017))
    f = Activation(GERMAN, "39Pz", "pz39", able=(number("22/10SS"), number("F-Bahn")))
    assert undone(s, f, "movement", Done()) == ["Not moved: 39Pz-HQ, 22/10SS."]
    assert undone(s, f, "attacks", Done()) == ["Could still be attacked: 19M/1M in 1017."]
    assert undone(s, f, "attacks", None) == []
    assert undone(s, f, "movement", Done(), SOVIET) == []


def test_sg_3_3_2b_independent_units_beyond_two_are_not_said_to_have_been_forgotten():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 1016), ("Voigt", 1014), ("503SS", 1114), ("Suelberg", 1115))
    codes = ("39Pz-HQ", "22/10SS", "Voigt", "503SS", "Suelberg")
    f = Activation(GERMAN, "39Pz", "pz39", able=tuple(sorted(map(number, codes))))
    step = Movement()
    said = "2 units of the formation and 2 of 3 independent units can move (SG-3.3.2b)"
    assert said in step.prompt(s, f, GERMAN)
    for code in ("Voigt", "503SS"):
        use(f, s, number(code))
        f.moved.add(number(code))
    assert "2 units of the formation and 0 of 1" not in step.prompt(s, f, GERMAN)
    assert "2 units can move." in step.prompt(s, f, GERMAN)
    assert sorted(undone(s, f, "movement", Done())) == ["Not moved: 39Pz-HQ, 22/10SS."]
    assert "An activation uses two independent units, and has used" in str(step.barred(s, f, GERMAN, "Suelberg"))


def test_sg_1_1_3c_only_hexes_with_odds_of_the_table_could_still_be_attacked():
    s = position(("39Pz-HQ", 1013), ("Voigt", 1016), ("19M/1M", 1017), ("35M/1M", 1017))
    f = Activation(GERMAN, "39Pz", "pz39", able=(number("Voigt"),))
    assert targets(s, f)
    assert "nothing else can be attacked" in ListAttacks().prompt(s, f, GERMAN)
    assert undone(s, f, "attacks", Done()) == []


def test_sg_10_0a_attacks_after_which_the_usual_answer_says_who_advances():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 1016), ("19M/1M", 1017))
    f = Activation(GERMAN, "39Pz", "pz39", able=(number("22/10SS"),))
    for entry, named in (
        (Attack(1017, (number("22/10SS"),)), True),
        (Attack(1017, (number("22/10SS"),), ask=True), False),
        (Attack(1017, (number("22/10SS"),), advance=(number("22/10SS"), 1017)), False),
    ):
        f.entries, f.fates, need = (entry,), (Fate.WAITING,), Orders("attacks", "attacks/1", (GERMAN,))
        for usual in (True, False):
            view = View(s, (GERMAN,), need=need, frame=f, usual=lambda kind, usual=usual: usual and kind == "advance")
            told = [line for line in left_undone(view, GERMAN, Done()) if line.startswith("No advance is ordered")]
            assert len(told) == (named and usual)


def test_sg_2_5a_few_arrivals_are_said_to_move_unasked_after_the_last_chit():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 1016), turn=1)
    s.put(number("1/1Mar"), WAITING)
    f = Activation(GERMAN, "39Pz", "pz39", able=(number("22/10SS"),))
    need = Orders("attacks", "attacks/1", (GERMAN,))

    def told_of(*, usual: bool) -> list[str]:
        view = View(s, (GERMAN,), need=need, frame=f, usual=lambda kind: usual and kind == "arrivals")
        return [line for line in left_undone(view, GERMAN, Done()) if "1/1Mar" in line]

    assert told_of(usual=True) == []  # chits are left
    s.played[GERMAN] = s.number(GERMAN)
    (line,) = told_of(usual=True)
    assert line.endswith("To move them yourself: `standing arrivals then ask`.")
    assert told_of(usual=False) == []
    s.turn = 2
    assert told_of(usual=True) == []  # of the other turn


def test_what_declining_gives_away():
    s = position(("39Pz-HQ", 1013), ("22/10SS", 1016))
    f = Activation(GERMAN, "39Pz", "pz39", able=(number("39Pz-HQ"), number("22/10SS")))
    spent = "39th Panzer Corps is not activated, and its chit is spent: none of its 2 units moves or attacks now."
    assert undone(s, f, "movement", Decline()) == [spent]
    assert undone(s, Command(SOVIET, "1BRF"), "pick_post", Decline(), SOVIET) == [
        "Nobody is activated in this draw, and the chit 1BRF is spent (SG-2.3.1a)."
    ]
    army = Activation(SOVIET, "", "army61", able=(number("61-HQ"),), reaction=True)
    assert undone(s, army, "movement", Decline(), SOVIET) == [
        "61st Army is not activated, and it does not react: none of its 1 unit moves or attacks now."
    ]


def test_sg_5_4_2_a_drive_says_which_chit_it_costs():
    s = position(("503SS", 816))
    s.turn = 4
    f, order = Activation(GERMAN, "39Pz", "pz39", able=(number("503SS"),)), Drive(number("503SS"), 1018)
    costs = "costs one of the 3 German chits of the next turn (SG-5.4.2)"
    assert undone(s, f, "movement", order) == [f"503SS moves strategically: that {costs}; `move` costs none."]
    place = s.chart.board[1018]
    for step, frame in ((Movement(), f), (Arrivals(), Arriving(GERMAN, (), placed=(number("503SS"),)))):
        assert step.says(s, frame, GERMAN, order) == f"Move 503SS along roads to {place}; that {costs}"
    assert f"that {costs}" in undone(s, Arriving(GERMAN, ()), "arrivals", order)[0]
    assert "costs the Germans a chit of the next turn" in NOTATION.verb_of[Drive].about
    s.turn = 10
    assert "that costs one of the 3 German chits of this turn (SG-5.4.2)" in undone(s, f, "movement", order)[0]
    s.played[GERMAN] = 3
    assert undone(s, f, "movement", order) == []  # all have been played
    s.played[GERMAN], s.short = 0, True
    assert undone(s, f, "movement", order) == []  # a drive of the turn before has cost it
    s.turn, s.short, s.fuel = 4, False, True
    assert undone(s, f, "movement", order) == []  # one chit, however many drive
    assert Movement().says(s, f, GERMAN, order) == ""
    s.fuel = False
    assert undone(s, Activation(SOVIET, "", "army61"), "movement", order, SOVIET) == []
    assert Movement().says(s, f, SOVIET, order) == ""


def test_sg_11_0a_supply_before_the_orders_are_sealed():
    s = position(("69/28SS", 3607))
    f = Activation(GERMAN, "39Pz", "pz39")
    assert undone(s, f, "attacks", None) == [
        "Without a path of supply as things stand: 69/28SS.",
    ]


def test_sg_7_3a_replacement_points_that_are_left():
    s = position(("19M/1M", 601))
    assert undone(s, Arriving(SOVIET, (), points=2), "replacements", Done(), SOVIET) == [
        "Replacement points left: 2; they are lost (SG-7.3)."
    ]


def test_sg_7_1_1_arrivals_that_have_not_moved_on():
    s = position(("88GT", 2101), ("132/129", 2101))
    f = Arriving(SOVIET, (), placed=(number("88GT"),), points=2)
    assert undone(s, f, "arrivals", Done(), SOVIET) == ["Not moved on: 88GT."]


def test_sg_15_3_7_3a_who_is_still_to_come_and_what_points_could_bring_back():
    s = position(("24/11SS", 601), turn=4)
    s.put(number("234/77"), WAITING)
    s.put(number("Tettau-HQ"), TETTAU_BOX)
    s.set_steps(number("212/80"), 0)
    s.set_steps(number("85T"), 0)  # of one step
    assert told(s, "arrivals").splitlines() == [
        "German Corps Tettau: Tettau-HQ.",
        "German units lost that points could bring back: none.",
        "Soviet reinforcements of turn 4 in 0601: 234/77 (blocked now: near it instead, SG-7.1.2).",
        "Soviet units lost that points could bring back: 212/80.",
        "Soviet replacement points by turn: 4: 3, 5: 4, 6: 4, 7: 4, 8: 3; now it is turn 4.",
    ]
