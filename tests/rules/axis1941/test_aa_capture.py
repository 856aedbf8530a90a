"""AA-6.53 to 6.72: capture, liberation, capitals; AA-1.11 to 1.15 victory."""

from __future__ import annotations

import pytest
from axis_positions import happened, position, refused, standing, where

from pbem.engine.event import Out
from pbem.engine.need import Over
from pbem_rules.axis1941.capture import capture
from pbem_rules.axis1941.events import Captured, Collected, HandedBack, Looted
from pbem_rules.axis1941.units import SIDE, Power
from pbem_rules.axis1941.victory import forfeit

ALL = "ussr: infantry Russia | germany: infantry Germany | uk: infantry United Kingdom | japan: infantry Japan"


def taken(driver, place: str, power: str) -> list:
    out = Out()
    capture(driver.state, where(place), Power(power), out)
    return out.events


def holder(driver, place: str) -> str:
    return str(driver.state.control[where(place)])


def test_aa_6_55_income_changes_at_once():
    driver = position("purchase", "germany", ALL)
    before = driver.state.production(Power.GERMANY), driver.state.production(Power.USSR)
    (event,) = taken(driver, "Karelia", "germany")
    assert isinstance(event, Captured)
    assert (event.by, event.before, event.owner, event.liberated) == ("germany", "ussr", "germany", False)
    assert (driver.state.production(Power.GERMANY), driver.state.production(Power.USSR)) == (
        before[0] + 1,
        before[1] - 1,
    )
    (back,) = taken(driver, "Karelia", "ussr")  # one's own is taken back, not liberated
    assert (back.owner, back.liberated, back.rule) == ("ussr", False, "AA-6.55")


def test_aa_6_56_the_complex_goes_with_the_territory_from_the_next_turn():
    driver = position("mobilise", "germany", ALL, bought={"infantry": 1})
    taken(driver, "Caucasus", "germany")
    assert refused(driver, "germany", "place infantry Caucasus") == "AA-9.2"
    driver = position("mobilise", "germany", ALL, control={"Caucasus": "germany"}, bought={"infantry": 1})
    assert refused(driver, "germany", "place infantry Caucasus") == ""


def test_aa_6_60_a_capital_counts_as_a_territory_too():
    driver = position("purchase", "germany", ALL)
    taken(driver, "Russia", "germany")
    assert holder(driver, "Russia") == "germany"
    assert driver.state.production(Power.GERMANY) == 12 + 3


def test_aa_6_61_loot():
    driver = position("purchase", "germany", ALL, ipc={"ussr": 8, "germany": 3})
    events = taken(driver, "Russia", "germany")
    assert [type(event) for event in events] == [Captured, Looted]
    assert (driver.state.ipc["ussr"], driver.state.ipc["germany"]) == (0, 11)


def test_aa_6_61_loot_even_without_a_capital_of_ones_own():
    driver = position("purchase", "germany", ALL, ipc={"ussr": 8, "germany": 0}, control={"Germany": "uk"})
    taken(driver, "Russia", "germany")
    assert driver.state.ipc["germany"] == 8


def test_aa_6_62_no_loot_for_a_liberation():
    driver = position("purchase", "uk", ALL, control={"Russia": "germany"}, ipc={"germany": 9, "uk": 3, "ussr": 0})
    events = taken(driver, "Russia", "uk")
    assert not any(isinstance(event, Looted) for event in events)
    assert (driver.state.ipc["germany"], driver.state.ipc["uk"], driver.state.ipc["ussr"]) == (9, 3, 0)


def test_aa_6_63_without_a_capital_nothing_comes_in():
    driver = position("mobilise", "ussr", ALL, control={"Russia": "germany"}, ipc={"ussr": 0})
    assert happened(driver, Collected) == ()
    assert driver.state.production(Power.USSR) == 4  # which nobody gets
    assert driver.state.ipc["ussr"] == 0


def test_aa_6_64_6_72_without_a_capital_only_the_phases_of_movement():
    units = "ussr: infantry Urals | germany: infantry Russia; infantry Germany"
    driver = position("purchase", "ussr", units, control={"Russia": "germany"}, ipc={"ussr": 30})
    assert (driver.asked, driver.need.kind) == (("ussr",), "combat")
    driver.order("ussr", "done")
    assert (driver.asked, driver.need.kind) == (("ussr",), "noncombat")
    driver.order("ussr", "done")
    assert driver.asked == ("germany",)
    assert driver.state.ipc["ussr"] == 30
    assert not happened(driver, Collected)
    driver = position("noncombat", "ussr", units, control={"Russia": "germany"}, bought={"infantry": 1})
    driver.order("ussr", "done")  # what was bought before does not come
    assert driver.asked == ("germany",)
    assert standing(driver, "Urals") == ["infantry"]


def test_aa_6_65_a_capital_retaken_in_time_brings_income():
    driver = position("mobilise", "ussr", ALL, control={"Russia": "ussr"}, was={"Russia": "germany"}, ipc={"ussr": 0})
    (event,) = happened(driver, Collected)
    assert (event.power, event.income) == ("ussr", 7)


def test_aa_6_66_liberation():
    driver = position("purchase", "uk", ALL, control={"Karelia": "germany"})
    (event,) = taken(driver, "Karelia", "uk")
    assert event.liberated
    assert holder(driver, "Karelia") == "ussr"


def test_aa_6_66_the_liberator_cannot_use_the_complex():
    driver = position("mobilise", "uk", ALL, control={"Caucasus": "germany"}, bought={"infantry": 1})
    taken(driver, "Caucasus", "uk")
    assert refused(driver, "uk", "place infantry Caucasus") == "AA-9.2"


def test_aa_6_67_kept_while_the_owners_capital_is_lost():
    driver = position("purchase", "uk", ALL, control={"Karelia": "germany", "Russia": "germany"})
    (event,) = taken(driver, "Karelia", "uk")
    assert not event.liberated
    assert holder(driver, "Karelia") == "uk"


def test_aa_6_67_given_back_when_the_capital_is_freed_in_the_same_turn():
    driver = position("purchase", "uk", ALL, control={"Karelia": "germany", "Russia": "germany"})
    taken(driver, "Karelia", "uk")
    taken(driver, "Russia", "uk")
    assert (holder(driver, "Karelia"), holder(driver, "Russia")) == ("ussr", "ussr")


def test_aa_6_68_the_capital_itself_is_always_given_back():
    driver = position("purchase", "usa", ALL, control={"United Kingdom": "germany"})
    events = taken(driver, "United Kingdom", "usa")
    assert [(e.owner, e.liberated) for e in events if isinstance(e, Captured)] == [("uk", True)]
    assert holder(driver, "United Kingdom") == "uk"


def test_aa_6_69_friends_hand_back_what_they_kept():
    control = {"United Kingdom": "germany", "India": "usa", "Borneo": "japan", "Australia": "usa", "Ukraine": "usa"}
    driver = position("purchase", "usa", ALL + "| usa: infantry India", control=control)
    events = taken(driver, "United Kingdom", "usa")
    assert {event.place for event in events if isinstance(event, HandedBack)} == {where("India"), where("Australia")}
    assert (holder(driver, "India"), holder(driver, "Borneo")) == ("uk", "japan")
    assert holder(driver, "Ukraine") == "usa"
    assert standing(driver, "India") == ["infantry"]


def test_aa_6_70_what_was_the_enemys_is_captured():
    driver = position("purchase", "uk", ALL, control={"West Russia": "germany"})
    (event,) = taken(driver, "West Russia", "uk")
    assert not event.liberated
    assert holder(driver, "West Russia") == "uk"


def test_aa_6_71_ones_own_territory_retaken():
    driver = position("purchase", "ussr", ALL, control={"Karelia": "germany", "Russia": "germany"})
    (event,) = taken(driver, "Karelia", "ussr")
    assert (event.owner, event.liberated) == ("ussr", False)
    assert holder(driver, "Karelia") == "ussr"


def end_of_turn(power: str, control: dict[str, str], victory: str = "standard"):
    return position("mobilise", power, ALL, control=control, options={"victory": victory})


def winner(driver) -> str | None:
    return driver.need.result.winner if isinstance(driver.need, Over) else None


@pytest.mark.parametrize(
    ("power", "control", "won"),
    [
        ("japan", {"Germany": "ussr", "Japan": "usa"}, "allies"),
        ("japan", {"Germany": "ussr"}, None),
        ("japan", {"Japan": "usa"}, None),
        ("usa", {"Germany": "ussr", "Japan": "usa"}, None),
    ],
)
def test_aa_1_11_the_allies_win(power, control, won):
    assert winner(end_of_turn(power, control)) == won


@pytest.mark.parametrize(
    ("power", "control", "won"),
    [
        ("usa", {"Russia": "germany", "United Kingdom": "japan"}, "axis"),
        ("usa", {"Eastern United States": "japan", "Russia": "japan"}, "axis"),
        ("usa", {"Russia": "germany"}, None),
        ("japan", {"Russia": "germany", "United Kingdom": "germany"}, None),
        ("germany", {"Russia": "germany", "United Kingdom": "germany"}, None),
    ],
)
def test_aa_1_12_the_axis_wins(power, control, won):
    assert winner(end_of_turn(power, control)) == won


@pytest.mark.parametrize(
    ("power", "control", "won"),
    [
        ("japan", {"Germany": "ussr"}, "allies"),
        ("japan", {"Japan": "usa"}, "allies"),
        ("usa", {"United Kingdom": "germany"}, "axis"),
        ("usa", {"Eastern United States": "japan"}, "axis"),
        ("usa", {"Russia": "germany"}, None),
        ("usa", {"Russia": "germany", "United Kingdom": "germany"}, "axis"),
    ],
)
def test_aa_1_13_the_short_game(power, control, won):
    assert winner(end_of_turn(power, control, "short")) == won


def test_aa_1_10_the_condition_is_chosen_before_the_game():
    assert end_of_turn("uk", {}, "short").state.short
    assert not end_of_turn("uk", {}).state.short


def test_aa_1_14_only_at_two_moments():
    capitals = {"Russia": "germany", "United Kingdom": "germany"}
    for power in ("ussr", "germany", "uk", "japan"):
        assert winner(end_of_turn(power, capitals)) is None
    assert winner(end_of_turn("usa", capitals)) == "axis"


def test_aa_1_15_ones_own_lost_capital_does_not_matter():
    control = {"Russia": "japan", "Eastern United States": "japan", "Germany": "uk"}
    driver = end_of_turn("usa", control)
    assert winner(driver) == "axis"
    result = driver.need.result
    assert dict(result.scores)["axis"] == driver.state.production(Power.JAPAN) + driver.state.production(Power.GERMANY)


@pytest.mark.parametrize("victory", ["standard", "short"])
def test_aa_1_15_different_powers_of_a_side_hold_the_capitals(victory):
    for power, control, side in (
        ("usa", {"United Kingdom": "japan", "Eastern United States": "germany"}, "axis"),
        ("japan", {"Germany": "ussr", "Japan": "uk"}, "allies"),
    ):
        driver = end_of_turn(power, control, victory)
        assert winner(driver) == side
        scores = {side: 0, **dict(driver.need.result.scores)}
        both = {name: sum(driver.state.production(p) for p in Power if SIDE[p] == name) for name in scores}
        assert scores == both


def test_aa_1_15_there_is_no_draw_and_no_last_round():
    for control in ({}, {"Russia": "germany", "Germany": "uk"}):
        driver = position("mobilise", "usa", ALL, control=control)
        assert (driver.asked, driver.state.round) == (("ussr",), 2)
        driver.state.round = 99
        for _ in range(60):
            if driver.state.round == 100:
                break
            driver.order(driver.asked[0], "done")
        assert winner(driver) is None
        assert driver.state.round == 100


def test_aa_1_10_who_gives_up_loses_for_the_side():
    driver = position("purchase", "uk", ALL)
    assert forfeit(driver.state, ("usa",)).winner == "axis"
    assert forfeit(driver.state, ("germany", "japan")).winner == "allies"
