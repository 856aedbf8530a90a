"""AA-1 and AA-3: powers, players, the order of things in a turn."""

from __future__ import annotations

import pytest
from axis_invariants import at_rest
from axis_positions import happened, position, refused, standing, where

from pbem.engine.event import Taken
from pbem.engine.need import Draw
from pbem.engine.testing import Chance, Driver
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.events import BattleBegan, Collected, Mobilised, TurnBegan
from pbem_rules.axis1941.orders import Move
from pbem_rules.axis1941.units import POWERS, SIDE, Power

EVERYBODY = (
    "ussr: infantry Russia | germany: infantry Germany | uk: infantry India | japan: infantry Manchuria | "
    "usa: infantry Alaska"
)


def turn_of(driver: Driver) -> str:
    return str(driver.state.active)


def finish_turn(driver: Driver) -> None:
    """Nothing but what must be."""
    power, moment = turn_of(driver), driver.state.round
    for _ in range(12):
        if (turn_of(driver), driver.state.round) != (power, moment):
            return
        driver.order(power, "done")
    raise AssertionError(f"the turn of {power} does not end")


def test_aa_1_2_players_hold_powers_of_one_side():
    assert {seat.name: seat.side for seat in game.seats} == {str(power): str(SIDE[power]) for power in POWERS}


def test_aa_1_3_books_are_kept_by_power():
    driver = position("purchase", "uk", EVERYBODY, ipc={"uk": 12, "usa": 17})
    driver.order("uk", "buy infantry", "done")
    assert (driver.state.ipc["uk"], driver.state.ipc["usa"]) == (9, 17)
    assert refused(driver, "uk", "move infantry Alaska > Western Canada") != ""
    assert driver.asked == ("uk",)


def test_aa_1_7_no_limit_to_units():
    driver = position("purchase", "usa", "usa: 99 infantry Alaska; 60 battleship SZ48 | germany: infantry Germany")
    assert len(standing(driver, "Alaska")) == 99
    assert len(standing(driver, "SZ48")) == 60


def test_aa_1_16_dice_have_six_sides():
    sides = []

    class Recording(Chance):
        def dice(self, draw: Draw) -> tuple[int, ...]:
            sides.append(draw.sides)
            return super().dice(draw)

    driver = Driver(game, chance=Recording("dice"))
    driver.order("ussr", "done", "move 3 infantry Archangel > West Russia", "done")
    assert sides
    assert set(sides) == {6}


def test_aa_3_1_the_order_of_turns():
    driver = position("purchase", "ussr", EVERYBODY)
    turns = []
    for _ in range(6):
        turns.append((driver.state.round, turn_of(driver)))
        finish_turn(driver)
    assert turns == [(1, "ussr"), (1, "germany"), (1, "uk"), (1, "japan"), (1, "usa"), (2, "ussr")]


def test_aa_3_2_the_phases():
    driver = position("purchase", "ussr", EVERYBODY, ipc={"ussr": 3})
    kinds = [driver.need.kind]
    driver.order("ussr", "buy infantry", "done")
    kinds.append(driver.need.kind)
    driver.order("ussr", "done")
    kinds.append(driver.need.kind)
    driver.order("ussr", "done")
    kinds.append(driver.need.kind)
    assert kinds == ["purchase", "combat", "noncombat", "mobilise"]
    driver.order("ussr", "place infantry Russia")
    order = [type(event) for event in driver.happened if isinstance(event, Mobilised | Collected | TurnBegan)]
    assert order == [Mobilised, Collected, TurnBegan]


def test_aa_3_3_phases_may_be_empty_but_income_is_taken():
    driver = position("purchase", "ussr", EVERYBODY, ipc={"ussr": 0})
    finish_turn(driver)
    assert [(event.power, event.income) for event in happened(driver, Collected)] == [("ussr", 7)]


def test_aa_3_4_without_the_capital():
    driver = position(
        "purchase",
        "ussr",
        "ussr: infantry Urals | germany: infantry Russia",
        control={"Russia": "germany"},
        ipc={"ussr": 20},
    )
    kinds = []
    while turn_of(driver) == "ussr":
        kinds.append(driver.need.kind)
        driver.order("ussr", "done")
    assert kinds == ["combat", "noncombat"]
    assert not any(event.power == "ussr" for event in happened(driver, Collected))


def test_aa_3_5_allies_are_not_attacked():
    driver = position("combat", "uk", "uk: tank India | ussr: infantry Caucasus | japan: infantry Southeast Asia")
    assert refused(driver, "uk", "move tank India > Southeast Asia") == ""
    driver = position("combat", "uk", "uk: tank Middle East | ussr: infantry Caucasus | japan: infantry Japan")
    assert refused(driver, "uk", "move tank Middle East > Caucasus") == "AA-5.3"


def test_aa_3_6_the_beginning_of_the_turn_is_remembered():
    driver = position("purchase", "ussr", EVERYBODY + " | usa: battleship SZ5; transport SZ6 | ussr: submarine SZ4")
    finish_turn(driver)
    assert driver.state.seas == (where("SZ5"),)  # hostile to Germany
    assert driver.state.held_at_start(where("Karelia")) is Power.USSR
    driver.state.give(where("Karelia"), Power.GERMANY)
    assert driver.state.held_at_start(where("Karelia")) is Power.USSR
    assert driver.state.friendly(where("Karelia"), SIDE[Power.GERMANY])
    driver.state.give(where("Karelia"), Power.UK)
    assert driver.state.held_at_start(where("Karelia")) is Power.USSR
    driver.state.give(where("Karelia"), Power.USSR)
    assert not len(driver.state.was)


@pytest.mark.parametrize("phase", ["combat", "noncombat"])
def test_aa_3_7_only_the_active_powers_units_move(phase):
    driver = position(
        phase, "uk", "uk: infantry India | ussr: infantry Caucasus; tank Caucasus | germany: infantry Germany"
    )
    rule = {"combat": "AA-5.1", "noncombat": "AA-8.1"}[phase]
    for line in ("move tank Caucasus > Ukraine", "move infantry Caucasus > Ukraine", "move infantry Germany > Ukraine"):
        assert refused(driver, "uk", line) == rule
    assert driver.asked == ("uk",)
    assert not [order for order in driver.legal("uk") if isinstance(order, Move) and order.path[0] != where("India")]


def test_aa_3_7_an_ally_s_units_are_carried_and_displaced_fighters_move():
    driver = position(
        "combat",
        "japan",
        "uk: carrier SZ38; fighter SZ38 | usa: fighter SZ38; infantry Philippine Islands | japan: 2 bomber Japan",
        dice={"r1/japan/sz38/1/att": [1, 6], "r1/japan/sz38/1/def": [6] * 3, "r1/japan/sz38/2/att": [6, 6]}
        | {"r1/japan/sz38/2/def": [6, 6]},
    )
    driver.machine.set_standing("uk", "losses", game.policy("losses", "then carrier"))
    driver.machine.set_standing("usa", "losses", game.policy("losses", "then carrier"))
    driver.machine.set_standing("japan", "retreat", game.policy("retreat", "when round > 1 then retreat; then press"))
    driver.order("japan", "move 2 bomber Japan > SZ38", "done")
    # In Japan's turn the fighters whose carrier was sunk fly to land before Japan moves on.
    assert driver.need.kind == "noncombat"
    assert standing(driver, "Philippine Islands") == ["fighter", "fighter", "infantry"]
    driver = position("noncombat", "uk", "uk: transport SZ8; carrier SZ8 | usa: infantry in transport 1; fighter SZ8")
    driver.order("uk", "move transport 1 SZ8 > SZ9", "move carrier 1 SZ8 > SZ9")
    assert standing(driver, "SZ9") == ["carrier", "fighter", "infantry", "transport"]


def test_aa_7_3_income_is_the_controllers():
    driver = position("mobilise", "uk", EVERYBODY, control={"India": "usa"}, ipc={"uk": 0, "usa": 0})
    (event,) = happened(driver, Collected)
    assert (event.power, event.income) == ("uk", 11)
    assert driver.state.ipc["usa"] == 0


def test_aa_7_11_one_player_with_two_powers_is_bound_all_the_same():
    players = {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}
    driver = position(
        "combat",
        "uk",
        "uk: infantry Karelia; infantry India | ussr: tank Karelia; transport SZ3; infantry in transport 1 SZ3"
        " | germany: infantry Eastern Europe; infantry Norway Finland",
        players=players,
        ipc={"uk": 0, "ussr": 20},
        dice={"r1/uk/eastern-europe/1/att": 1, "r1/uk/eastern-europe/1/def": 6},
    )
    # In the British turn nothing Soviet attacks, neither by land nor from the sea.
    assert refused(driver, "uk", "move tank Karelia > Eastern Europe") == "AA-5.1"
    assert refused(driver, "uk", "land infantry ussr transport 1 > Norway Finland") == "AA-5.44"
    driver.order("uk", "move infantry Karelia > Eastern Europe", "done")
    (battle,) = happened(driver, BattleBegan)
    assert battle.attackers == ("infantry",)
    assert standing(driver, "Karelia") == ["tank"]
    driver.order("uk", "done")
    # British income is British, and pays for no Soviet unit.
    (income,) = happened(driver, Collected)
    assert (income.power, driver.state.ipc["uk"], driver.state.ipc["ussr"]) == ("uk", income.income, 20)


def test_aa_9_12_new_units_do_nothing_this_turn():
    driver = position("noncombat", "ussr", EVERYBODY, bought={"infantry": 1})
    driver.order("ussr", "done", "place infantry Russia")
    assert turn_of(driver) != "ussr"
    assert standing(driver, "Russia") == ["infantry", "infantry"]


def test_aa_12_2_nobody_buys_to_choose_later():
    driver = position("purchase", "germany", EVERYBODY, ipc={"germany": 60})
    driver.order("germany", "buy 4 infantry")
    assert refused(driver, "germany", "buy tank") == "AA-4.5"


def test_aa_3_2_a_phase_is_never_ended_by_the_done_of_another():
    driver = position("purchase", "ussr", EVERYBODY, ipc={"ussr": 3})
    driver.order("ussr", "buy infantry")
    assert driver.need.kind == "purchase"
    assert not any(isinstance(event, Taken) for event in driver.happened)


def test_aa_3_2_nothing_of_a_turn_is_left_when_it_ends():
    driver = position(
        "purchase",
        "uk",
        "uk: infantry India; tank Anglo-Egypt-Sudan; transport SZ8; infantry in transport 1; destroyer SZ8;"
        " carrier, fighter SZ9; 3 infantry London | germany: submarine SZ8; transport SZ7; submarine SZ9"
        " | japan: infantry Japan",
        ipc={"uk": 20},
        dice={"r1/uk/sz8/1/att": [1], "r1/uk/sz8/1/def": [6]},
    )
    driver.order("uk", "forbid usa deck", "buy 2 infantry carrier")
    if driver.need.kind == "purchase":
        driver.order("uk", "done")
    driver.order("uk", "move tank Anglo-Egypt-Sudan > North-Africa", "attack SZ8", "attack SZ9", "ignore SZ9")
    driver.order("uk", "first SZ8", "done", "home", "done")
    driver.order("uk", "place carrier SZ7", "place 2 infantry London")
    assert turn_of(driver) == "japan"
    s = driver.state
    at_rest(s)
    assert not s.ground.marked
    assert (s.attacked, s.ignored, s.order, s.battles, s.promises, s.settled) == ((),) * 6
    assert not len(s.placed)
    assert s.denied == ("uk/deck/usa",)
    assert holder_of(driver, "North Africa") == "uk"
    assert s.held_at_start(where("North Africa")) is Power.UK
    # What a power without a capital cannot mobilise does not pass to the next one.
    driver = position("mobilise", "uk", EVERYBODY, control={"United Kingdom": "germany"}, bought={"infantry": 2})
    assert turn_of(driver) == "japan"
    assert not len(driver.state.bought)


def holder_of(driver: Driver, place: str) -> str:
    return str(driver.state.control[where(place)])
