"""What a player can ask of the position."""

from __future__ import annotations

from noretreat_positions import table

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.looking import USAGE, left_undone, looking
from pbem_rules.noretreat.movement import March
from pbem_rules.noretreat.notation import unit_of
from pbem_rules.noretreat.orders import Discard, Done, Move, Place, Purpose, Upgrade
from pbem_rules.noretreat.organise import Organise

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


def test_reach_and_what_cannot_be_asked():
    assert asked("reach 3Pz")[0].startswith("3Pz 6-6 at 2009")
    assert asked("reach nobody")[0] == USAGE
    assert asked("weather")[0] == USAGE
    assert {"hand", "zones", "supply"} == asked("")[1].keys()


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
    assert undone(driver, AXIS, Done()) == undone(driver, AXIS, None) == told
    assert undone(driver, AXIS, Move(unit_of("3Pz"), (2210,))) == []
