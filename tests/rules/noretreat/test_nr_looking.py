"""What a player can ask of the position."""

from __future__ import annotations

from noretreat_positions import CHART, game, table

from pbem.engine.machine import Machine
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.board import goal_lines
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Note
from pbem_rules.noretreat.looking import USAGE, left_undone, looking
from pbem_rules.noretreat.movement import March
from pbem_rules.noretreat.notation import unit_of
from pbem_rules.noretreat.orders import Discard, Done, Move, Place, Purpose, Upgrade
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pictures import pictures
from pbem_rules.noretreat.targets import Declare

UNITS = {"3Pz": "2009", "4": "2010", "NW": "2209", "South": "1121"}


def asked(text, *seats, **kept):
    driver = table(UNITS, March, axis=(5, 6), soviet=(2, 18), **kept)
    found = looking(driver.view(*(seats or (AXIS,))), text)
    return (found, {}) if isinstance(found, str) else (found.text, found.figures)


def test_a_hand_with_its_texts():
    text, figures = asked("hand")
    assert "Veteran commanders: Before the die of any battle" in text
    assert figures["hand"].keys() == {"5", "6"}
    assert not figures["hand"]["5"]["now"]  # there is no battle


def test_nobody_sees_the_other_hand():
    text, _ = asked("hand", SOVIET)
    assert "Veteran" not in text
    assert "Men for the front" in text
    driver = table(UNITS, March, axis=(5, 6))
    found = looking(driver.view(), "hand")
    assert found.text == "Axis holds 2 cards."


def test_zones_and_supply():
    text, figures = asked(["zones", "supply"][0])
    assert 2109 in figures["zones"]["places"]
    assert 2009 not in figures["zones"]["places"]
    assert "Soviet" in text
    text, figures = asked("supply")
    assert figures["supply"][AXIS]["marked"] == []
    assert set(figures["supply"][AXIS]["now"]) <= {"3Pz", "4"}


def test_what_cuts_a_line_is_said():
    driver = table({"3Pz": "0216", "NW": "0215", "South": "0217", "Kal": "0116"}, March)
    found = looking(driver.view(AXIS), "supply")
    why = "an enemy zone bars the line at 0115 (NR-6.4)"
    assert found.figures["supply"][AXIS]["why"] == {"3Pz": why}
    assert f"  3Pz: {why}." in found.text.split("\n")
    far = looking(table({"3Pz": "2209", "NW": "2109", "South": "2308", "Kal": "2208"}, March).view(AXIS), "supply")
    assert far.figures["supply"][AXIS]["why"] == {"3Pz": "it is more than 4 hexes to a source (NR-6.2)"}


def test_the_line_of_one_unit():
    units = {"3Pz": "0216", "NW": "0215", "South": "0217", "Kal": "0116", "4": "0210", "9": "Shattered"}
    assert asked_of(units, "supply 3Pz") == "3Pz has no supply: an enemy zone bars the line at 0115 (NR-6.4)."
    assert asked_of(units, "supply 9") == "9 is not on the map."
    drawn = looking(table(units, March).view(AXIS), "supply 4")
    assert drawn.ways[0][0] == "0210"
    found = drawn.text
    assert found.startswith("4 is in supply by Berlin (0210)")
    assert found.endswith("(line).")
    beside = {"1Pz": "2109", "2Pz": "2009", "3Pz": "1909", "NW": "2209"}
    told = [asked_of(beside, f"supply {code}") for code in ("1Pz", "2Pz", "3Pz")]
    assert all(" has no supply: " in each or " is in supply " in each for each in told)
    assert asked_of({"Fin": "Finland"}, "supply Fin") == (
        "Fin is in supply at home, or beside units that are (NR-6.5)."
    )
    assert asked_of(units, "supply nobody") == USAGE


def asked_of(units, text):
    found = looking(table(units, March).view(AXIS), text)
    return found if isinstance(found, str) else found.text


def test_reach_and_what_cannot_be_asked():
    assert asked("reach 3Pz")[0].startswith("3Pz 6-6 at 2009")
    near = looking(table(UNITS, March).view(AXIS), "reach 2110")
    assert near.text.startswith("Axis units that can reach 2110: 3Pz (")
    assert near.places["2009"] == "can come"
    assert near.text.endswith("2110: clear.")
    swamp, town = (looking(table(UNITS, March).view(AXIS), f"reach {name}").text for name in ("2207", "Saratov"))
    assert swamp.endswith("2207: swamp.")
    assert town.endswith("Saratov (2311): clear, city.")
    assert looking(table(UNITS, March).view(AXIS), "reach 3Pz").places["2110"] == "1 point"
    held = looking(table(UNITS, March).view(AXIS), "reach 2209").text
    assert "Axis units that can come beside Penza (2209): 3Pz (1)" in held
    assert asked("reach nobody")[0] == USAGE
    assert asked("weather")[0] == USAGE
    assert {"hand", "zones", "supply", "goals"} == asked("")[1].keys()


def undone(driver, side, order):
    return [*left_undone(driver.view(side), side, order)]


def test_free_things_that_a_step_passes_by_are_said_before_a_turn_is_sealed():
    driver = table({"Kal": "2410", "Bry": "Shattered"}, Organise, side=SOVIET, turn=8, soviet=(14,))
    left = ["1 free upgrade is left.", "Could still be placed: Bry."]
    assert undone(driver, SOVIET, Done()) == left
    assert undone(driver, AXIS, None) == []
    bry = unit_of("Bry")
    assert undone(driver, SOVIET, Place(bry, 2410)) == left[:1]  # the first step is over with it (NR-3.7)
    assert undone(driver, SOVIET, Discard((14,), Purpose.REORGANISE, ())) == left
    assert undone(driver, SOVIET, Upgrade(unit_of("Kal"))) == []
    driver.order(SOVIET, "upgrade Kal")
    assert undone(driver, SOVIET, Done()) == left[1:]


def test_armies_that_a_check_would_find_cut_off_are_said_before_a_turn_is_sealed():
    driver = table({"3Pz": "2209", "NW": "2109", "South": "2308", "Kal": "2208"}, March)
    cut = [name for name in ("3Pz",) if name in looking(driver.view(AXIS), "supply").figures["supply"][AXIS]["now"]]
    assert cut
    told = [f"Out of supply as things stand: {', '.join(cut)}."]
    assert undone(driver, AXIS, None) == told
    assert undone(driver, AXIS, Done()) == ["Not moved: 3Pz.", *told]
    assert undone(driver, AXIS, Move(unit_of("3Pz"), (2210,))) == []


def test_cards_for_battles_are_named_where_nobody_asks_about_them():
    """Knight's Cross has a die rolled again; Elastic Defence is played against Soviet attacks, card 7 in no battle."""
    driver = table({"3Pz": "2109", "NW": "2209"}, ListBattles, targets=("2209",), axis=(16, 4, 7), soviet=(43,))
    assert not [line for line in undone(driver, AXIS, Done()) if "For use in a battle" in line]  # AXIS is asked
    driver.stand(AXIS, "battle_window", "then default")
    (line,) = [line for line in undone(driver, AXIS, Done()) if "For use in a battle" in line]
    assert line.startswith(
        f"For use in a battle you hold card 16 ({CHART.card_title(AXIS, 16)}), and as things stand you are"
    )
    assert "`standing battle_window when own = 1 then ask; then default`" in line
    assert CHART.card_title(AXIS, 4) not in line
    assert "For use in a battle" not in " ".join(undone(driver, SOVIET, None))
    driver.order(AXIS, "attack 2209 with 3Pz")
    assert driver.state.fight is not None
    assert line in undone(driver, AXIS, None)
    driver.stand(AXIS, "battle_window", "then pass")
    assert line not in undone(driver, AXIS, None)


def test_cards_for_the_enemy_turn_are_named_where_nobody_asks_about_them():
    driver = table({"3Pz": "2109", "NW": "2209"}, Declare, axis=(16, 4, 14), soviet=(43,))
    assert "you are not asked about" not in " ".join(undone(driver, AXIS, Done()))
    most = "You hold 3 cards: when your next turn begins you keep at most 2 (NR-5.2)."
    assert most in undone(driver, AXIS, Done())
    few = table({"3Pz": "2109", "NW": "2209"}, Declare, axis=(16, 4), soviet=(43,))
    assert "you keep at most" not in " ".join(undone(few, AXIS, Done()))
    driver.stand(AXIS, "battle_window", "then default")
    driver.stand(AXIS, "answer", "then default")
    asked = [line for line in undone(driver, AXIS, Done()) if "you are not asked about" in line]
    assert asked == [
        "In the Soviet turn you are not asked about card 4 (Elastic defence) and card 16 (Knight's Cross). To be "
        "asked, which may cost more mails: `standing battle_window when own = 0 then ask; then default`.",
        "In the Soviet turn you are not asked about card 14 (Raw officers). To be asked, which may cost more mails: "
        "`standing answer then ask`.",
    ]


def test_questions_of_an_attack_that_asks_are_named_where_an_own_standing_order_settles_them():
    told = "You are asked in the attack on Penza (2209), but your standing order decides about who follows."
    for ask, pursuit, said in (("", "default", []), (" ask", "", []), (" ask", "deep", [told]), (" ask", "ask", [])):
        driver = table(
            {"3Pz": "2109", "2Pz": "2109", "NW": "2209", "South": "2110"}, ListBattles, targets=("2209", "2110")
        )
        if pursuit:
            driver.stand(AXIS, "pursuit", f"then {pursuit}")
        driver.order(AXIS, f"attack 2209 with 3Pz{ask}")
        lines = [line for line in undone(driver, AXIS, Done()) if "standing order decides" in line]
        assert lines == [f"{line} To be asked about that too: `standing pursuit then ask`." for line in said]


def test_an_attack_says_which_target_it_bars_and_which_markers_the_list_leaves():
    units = {"3Pz": "2109", "4": "2010", "NW": "2209", "South": "2110"}
    driver = table(units, ListBattles, targets=("2209", "2110"), support={AXIS: 2})

    def said(text):
        (order,) = game.notation.parse(text, driver.context(AXIS))
        return undone(driver, AXIS, order)

    barred = "cannot be attacked in this turn, although it is marked: no unit beside it is free to do so."
    lost = "2 Blitz markers are not used, and are lost when your turn ends (NR-9.59)."
    assert said("attack 2110 with 4") == []  # 3Pz is left for 2209
    first, last = said("attack 2110 with 3Pz 4")
    assert first.startswith("With this, Penza (2209) " + barred)
    assert last == lost
    driver.order(AXIS, "attack 2110 with 4")
    assert said("attack 2209 with 3Pz") == [lost]
    one = "1 Blitz marker is not used, and is lost when your turn ends (NR-9.59)."
    assert said("attack 2209 with 3Pz blitz") == [one]
    assert one in undone(table(units, Declare, support={AXIS: 1}), AXIS, Done())


def test_a_target_that_is_not_attacked_is_reported_with_the_reason():
    """NR-9.4: the first attack takes the only units that could fight the second; the enemy of a third is gone."""
    units = {"3Pz": "2109", "4": "2010", "NW": "2209", "South": "2110"}
    driver = table(units, ListBattles, targets=("2209", "2110", "2410"), dice={"t8/axis/2110/crt": 3})
    driver.state.asked = "no"
    driver.order(AXIS, "attack 2110 with 3Pz 4")
    notes = [event.text for event in driver.events(Note) if "was a target" in event.text]
    assert notes == [
        "Penza (2209) was a target, and is not attacked: no unit was left to attack it.",
        "2410 was a target, and is not attacked: the enemy has left it.",
    ]


def test_one_turn_is_asked_about_beside_the_other():
    """Whoever is asked in the enemy's turn alone is still reminded in their own, and then asked in both."""
    driver = table({"3Pz": "2109", "NW": "2209"}, ListBattles, targets=("2209",), axis=(16,), soviet=(43,))
    driver.stand(AXIS, "battle_window", "when own = 0 then ask; then default")
    (line,) = [line for line in undone(driver, AXIS, Done()) if "For use in a battle" in line]
    assert line.endswith("`standing battle_window then ask`.")
    driver.stand(AXIS, "battle_window", "then ask")
    assert "For use in a battle" not in " ".join(undone(driver, AXIS, Done()))
    driver.stand(AXIS, "battle_window", "when own = 1 then ask; then default")
    assert "For use in a battle" not in " ".join(undone(driver, AXIS, Done()))
    driver.order(AXIS, "attack 2209 with 3Pz")
    assert driver.asked == ("axis",)  # in the window of their own battle
    idle = table({"3Pz": "2109", "NW": "2209"}, ListBattles, targets=("2209",), axis=(16,), soviet=(43,))
    idle.stand(AXIS, "battle_window", "when own = 0 then ask; then default")
    idle.order(AXIS, "attack 2209 with 3Pz")
    assert idle.asked != ("axis",)


def test_what_wins_is_shown_at_all_times_for_both_sides():
    """On the board, in `look` and in the pictures."""
    for turn, lines in {
        2: (
            "Axis wins early with 3 of 5 objectives held and in supply, 4 once the Soviets have the initiative",
            "Objectives: Leningrad, Moscow, Sevastopol, Stalingrad, Caucasus.",
            "Soviet wins early with 3 of 4 objectives held and in supply (now 0); with Berlin at once.",
            "Objectives: Koenigsberg, Breslau, Posen, Vienna.",
            "Axis sudden death (wins): above 23 in turn 5, above 21 in turn 7, above 22 in turn 9,",
            "Soviet sudden death (wins): above 15 in turn 12, above 16 in turn 14,",
            "The Soviets win with 34 points in turns 12 to 23; in turn 23 the Axis wins if its high tide",
            "After turn 28 the Axis wins.",
        ),
        5: ("Axis sudden death (wins): above 21 in turn 7,",),  # that of turn 5 has been looked at
        12: ("Axis wins early with 4 of 5", "Axis sudden death (wins): none to come."),
        25: ("Soviet sudden death (wins): above 3 in turn 26, above 4 in turn 27, above 4 in turn 28, points now 0.",),
    }.items():
        view = table(UNITS, March, turn=turn).view(AXIS)
        board = game.board(view)
        told = looking(view, "goals")
        pictured = "\n".join(pictures.scene(view, ()).lines)
        for line in lines:
            assert line in board
            assert line in told.text
            assert line.partition(", above")[0] in pictured
    assert told.figures["goals"][SOVIET]["sudden"] == {"26": 3, "27": 4, "28": 4}
    short = table(UNITS, March, turn=2, scenario="barbarossa")
    assert "After turn 5 the Axis wins with 24 points or more, or with Moscow and one more" in game.board(short.view())
    assert "above 21" not in game.board(short.view())
    held = table({"4": "Moscow"}, March, turn=2)
    assert "Moscow (held)" in game.board(held.view())
    peace = table(UNITS, March, turn=2, options={"no_surrender": True})
    assert "sudden death (costs the other side cards)" in game.board(peace.view())


def test_what_a_short_scenario_is_about_comes_first():
    """Barbarossa ends after turn 5: its own victory first, and nothing of an initiative that passes in turn 12."""
    state = Machine.start(game, game.setup_of("barbarossa")).state
    first, second, *_ = goal_lines(state)
    assert first.startswith("After turn 5 the Axis wins with 24 points or more, or with Moscow and one more objective")
    assert second.startswith("Axis wins early with 3 of 5 objectives held and in supply (now 0).")
    whole = goal_lines(Machine.start(game, game.setup_of()).state)
    assert whole[0].startswith("Axis wins early")
    assert "4 once the Soviets have the initiative" in whole[0]
