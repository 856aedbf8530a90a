"""`look`: reach in each way of moving, bonds, lines of supply, points, railheads, arrivals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import Reckoning, View
from pbem_rules.stalingrad42.board import text_board
from pbem_rules.stalingrad42.looking import USAGE, looking
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, State
from pbem_rules.stalingrad42.thrown import thrown_by


def told(s: State, text: str, side: str = AXIS) -> str:
    found = looking(View(s, (side,)), text)
    return found.text if isinstance(found, Reckoning) else found


def test_s42_5_reach_in_each_way_of_moving_with_costs_and_stops() -> None:
    s = position(("9Pz", 2115), ("45RD", 2315))
    text = told(s, "reach 9pz")
    assert text.startswith("9Pz 10-8-6 in 2115:\n  normal, 6 points: ")
    assert "2215 (1, stops)" in text or "2214 (1, stops)" in text
    assert "  extended, 9 points: " in text
    assert "  tactical, 2 hexes: " in text
    assert " more" in text  # the hexes of the largest reach are counted beyond the first ones
    assert "2014" in text
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], order=DISRUPTED))
    assert "normal" not in told(s, "reach 9pz")


def test_s42_5_the_way_to_a_place_or_why_there_is_none() -> None:
    s = position(("9Pz", 2115), ("45RD", 2117))
    assert "normal (1): 2115 > 2114." in told(s, "reach 9pz 2114")
    assert "(S42-5.1d)" in told(s, "reach 9pz 2117")
    assert told(s, "reach 2114") == (
        "Axis units that can reach 2114: 9Pz (normal 1).\nSoviet units that can reach 2114: none."
    )
    assert told(s, "reach 2114", SOVIET).startswith("Soviet units that can reach 2114: none.\nAxis")


def test_s42_7_bonds_in_force_and_why_others_are_not() -> None:
    s = position(("9Pz", 2115), ("23Pz", 2117))
    assert told(s, "bonds 2116") == "Axis bond 2115-2117 over 2116."
    s = position(("9Pz", 2115), ("23Pz", 2117), ("45RD", 2116))
    assert "No Axis bond 2115-2117 over 2116: the enemy in 2116 cancels it." in told(s, "bonds 2116")
    assert "Axis bonds: 0 in force, 1 cancelled by the enemy.\n  2115-2117 over 2116" in told(s, "bonds")
    assert "Soviet bonds: 0 in force." in told(s, "bonds")
    s = position(("9Pz", 2115), ("23Pz", 2117))
    s.alter(number("23Pz"), replace(s.pieces[number("23Pz")], order=DISRUPTED))
    assert "2117 gives none" in told(s, "bonds 2115")


def test_s42_16_the_line_of_a_unit_or_what_bars_it() -> None:
    s = at_start(CHART)
    assert told(s, "supply 121rd").startswith(
        "121RD in 1502 is in supply, and would stay so if supply were judged now: 1502 > "
    )
    s = position(("9Pz", 3515), ("45RD", 3514), ("62RD", 3615), ("6RD", 3414), ("160RD", 3516))
    text = told(s, "supply 9pz")
    assert "but would be isolated if supply were judged now:" in text
    assert "(S42-16" in text
    assert "an airfield" in text or "nothing helps it" in text
    assert "without a line now: 9Pz." in told(s, "supply")


def test_s42_24_points_railheads_and_arrivals() -> None:
    s = at_start(CHART)
    assert told(s, "points").startswith("The Axis has 0 victory points; the benchmark of this turn is 0.")
    assert "Railhead 1303: can go 1402." in told(s, "rails")
    s.put(number("45RD"), ELIMINATED)
    s.missing[number("45RD")] = 1
    text = told(s, "arrivals")
    assert "Soviet reinforcements of turn 2 in A: 2TC, 11TC." in text
    assert "Soviet units that replacements could bring back: 45RD (waits)." in text
    assert told(s, "").count("Railhead") == len(s.tracks)


@pytest.mark.parametrize("text", ["nonsense", "reach nobody", "bonds", "supply 1502", "reach 9id", "supply 9id"])
def test_what_is_not_understood_says_how_to_ask(text: str) -> None:
    """9ID is of a later scenario."""
    assert (told(at_start(CHART), text) == USAGE) is (text != "bonds")


def test_the_board_in_words_tells_every_unit() -> None:
    s = at_start(CHART)
    board = text_board(View(s, (AXIS,)))
    assert all(s.code(unit) in board for unit in s.pieces)


def test_s42_9_7_6a_9_7_7a_the_board_in_words_lists_printed_forts_until_they_are_given_up() -> None:
    s = at_start(CHART)
    rostov = "Forts around Rostov (printed): 3033, 3034, 3133, 3233."
    assert rostov in text_board(View(s, (AXIS,)))
    s.forts_off = ("forts_rostov",)
    board = text_board(View(s, (AXIS,)))
    assert rostov not in board
    assert "Forts north of Kharkov (printed): 1305, 1307" in board


def test_s42_11_2_1c_whose_dice_they_are() -> None:
    assert thrown_by("t3/axis/2013") == thrown_by("t3/axis/isolation") == (AXIS,)
    assert thrown_by("t3/axis/2013/stand0") == (SOVIET,)
    assert thrown_by("elsewhere") == ()
