"""AA-4 Purchase."""

from __future__ import annotations

import pytest
from axis_positions import assert_exact, happened, position, refused, where

from pbem.engine.compiled import program
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.events import Bought
from pbem_rules.axis1941.orders import Buy, Share, Shared
from pbem_rules.axis1941.units import KINDS, Kind, Power

HOME = "germany: infantry Germany | uk: infantry United Kingdom"


def test_aa_4_1_no_purchase_without_the_capital():
    driver = position("purchase", "germany", HOME, control={"Germany": "uk"})
    assert "purchase" not in driver.need.kind


def test_aa_4_2_as_much_as_the_money_buys():
    driver = position("purchase", "germany", HOME, ipc={"germany": 12})
    assert {order.unit for order in driver.legal("germany") if isinstance(order, Buy)} == set(KINDS) - {Kind.BATTLESHIP}
    driver.order("germany", "buy 1 bomber")
    assert driver.state.ipc["germany"] == 0
    assert refused(driver, "germany", "buy infantry") == "AA-4.2"


def test_aa_4_3_paid_at_once_and_the_rest_kept():
    driver = position("purchase", "germany", HOME, ipc={"germany": 12})
    driver.order("germany", "buy 2 infantry", "done")
    assert driver.state.ipc["germany"] == 6
    (event,) = happened(driver, Bought)
    assert (event.units, event.cost, event.left) == (("infantry", "infantry"), 6, 6)


def test_aa_4_4_bought_units_wait():
    driver = position("purchase", "germany", HOME, ipc={"germany": 12})
    before = len(driver.state.units)
    driver.order("germany", "buy 1 tank 1 infantry", "done")
    assert len(driver.state.units) == before
    assert dict(driver.state.bought.items()) == {"infantry": 1, "tank": 1}


def test_aa_4_5_no_more_than_can_be_placed():
    driver = position("purchase", "germany", HOME, ipc={"germany": 50})
    driver.order("germany", "buy 3 infantry")
    assert refused(driver, "germany", "buy tank") == "", "of a kind that was not bought yet"
    driver.order("germany", "buy infantry")
    assert refused(driver, "germany", "buy infantry") == "AA-4.5"
    assert all(isinstance(order, Buy) is False for order in driver.legal("germany"))


def test_aa_4_5_ships_need_a_coast():
    # Russia has room for three and no coast; Caucasus for two.
    driver = position("purchase", "ussr", "ussr: infantry Russia | germany: infantry Germany", ipc={"ussr": 90})
    driver.order("ussr", "buy 2 destroyer")
    assert refused(driver, "ussr", "buy submarine") == "AA-4.5"
    assert refused(driver, "ussr", "buy infantry") == ""


def test_aa_4_5_complexes_of_allies_do_not_count():
    driver = position("purchase", "ussr", "ussr: infantry Russia", ipc={"ussr": 90}, control={"Caucasus": "uk"})
    driver.order("ussr", "buy 3 infantry")
    assert refused(driver, "ussr", "buy infantry") == "AA-4.5"


def test_aa_4_6_purchase_is_final():
    driver = position("purchase", "germany", HOME, ipc={"germany": 12})
    driver.order("germany", "buy 1 tank", "done")
    assert driver.need.kind != "purchase"
    assert driver.state.ipc["germany"] == 6


@pytest.mark.parametrize(("power", "most"), [("ussr", 5), ("germany", 4), ("uk", 5), ("japan", 4), ("usa", 12)])
def test_aa_4_7_opening_capacity(power, most):
    driver = position("purchase", power, keep=True, ipc={power: 100})
    driver.order(power, f"buy {most} infantry")
    assert refused(driver, power, "buy infantry") == "AA-4.5"


def test_aa_2_24_permissions():
    driver = position("purchase", "uk", "uk: infantry United Kingdom | usa: infantry Alaska")
    state = driver.state
    assert state.allows(Power.UK, Power.USA, "deck")
    assert Share(Shared.DECK, Power.USA, yes=False) in driver.legal("uk")
    driver.order("uk", "forbid usa deck")
    assert not state.allows(Power.UK, Power.USA, "deck")
    assert state.allows(Power.UK, Power.USA, "hold")
    assert state.allows(Power.USA, Power.UK, "deck")
    assert refused(driver, "uk", "share deck usa yes") == "AA-2.24"  # once in a turn
    assert refused(driver, "uk", "share deck germany no") == "AA-2.24"
    assert refused(driver, "uk", "allow ussr hold") == "AA-2.24"
    driver.order("uk", "done", "done", "done")
    while driver.asked != ("uk",):
        driver.order(driver.asked[0], "done")
    assert driver.need.kind == "purchase"
    assert refused(driver, "uk", "share deck usa yes") == "", "it may be settled anew in each turn"
    driver.order("uk", "forbid usa hold", "forbid ussr deck", "allow usa deck")
    assert state.denied == ("uk/hold/usa", "uk/deck/ussr")
    assert [state.allows(Power.UK, Power.USA, what) for what in ("deck", "hold")] == [True, False]
    assert state.allows(Power.UK, Power.UK, "deck")
    assert not state.allows(Power.UK, Power.JAPAN, "deck")


def test_aa_4_2_standing_orders_buy():
    driver = position("purchase", "germany", HOME, ipc={"germany": 20})
    driver.stand("germany", "purchase", "when ipc >= 11 then tank; then infantry, nothing")
    driver.order("germany", "buy infantry")
    assert driver.need.kind != "purchase"
    assert dict(driver.state.bought.items()) == {"infantry": 2, "tank": 2}
    assert driver.state.ipc["germany"] == 2


@pytest.mark.parametrize("ipc", [0, 2, 3, 7, 12, 60])
def test_aa_4_2_all_that_may_be_bought_or_allowed_is_listed(ipc):
    d = position(
        "purchase", "uk", "uk: infantry London | germany: tank Germany", ipc={"uk": ipc}, denied=("uk/deck/usa",)
    )
    for order in ("buy infantry", "buy destroyer", "allow usa deck", "buy fighter"):
        if d.need.kind != "purchase":
            return
        texts = assert_exact(d)
        prices = {kind: stats.cost for kind, stats in d.state.chart.stats.items()}
        bought = {kind for kind, cost in prices.items() if cost <= d.state.ipc["uk"]}
        assert {Kind(text.split()[1]) for text in texts if text.startswith("buy")} == bought
        if refused(d, "uk", order) == "":
            d.order("uk", order)


def test_aa_4_5_the_room_that_is_left_is_a_fact():
    d = position("purchase", "germany", "germany: infantry Germany | ussr: tank Russia", ipc={"germany": 60})
    room = sum(d.state.chart.territories[where(name)].value for name in ("Germany",))
    d.stand("germany", "purchase", f"when room > {room - 3} then infantry; then nothing")
    d.order("germany", "buy infantry")
    assert d.state.bought["infantry"] == 3


def test_ask_nothing_still_asks_about_the_phases_of_ones_own_turn():
    nothing = program(game).presets["ask-nothing"]
    assert nothing["purchase"] is nothing["mobilise"] is None
    assert nothing["losses"] is not None
