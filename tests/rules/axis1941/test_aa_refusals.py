"""Orders that are wrong: each is refused with the rule that forbids it and a sentence that says why."""

from __future__ import annotations

import pytest
from axis_positions import position, where

from pbem_rules.axis1941.orders import Move, piece
from pbem_rules.axis1941.units import Kind, Power

GERMANY = (
    "germany: 2 infantry Germany; tank Germany; tank Ukraine; fighter Germany; bomber Germany; battleship SZ5; "
    "transport SZ5; 3 infantry Norway Finland; destroyer SZ17; submarine SZ7 | ussr: 2 infantry Russia; "
    "infantry Karelia; destroyer SZ4 | uk: infantry London; fighter London; battleship SZ8; destroyer SZ6; "
    "transport SZ10 | usa: infantry Eastern United States | japan: infantry Japan"
)

WRONG = [
    ("purchase", "buy battleship", {"ipc": {"germany": 12}}, "AA-4.2", "costs 16 IPC"),
    ("purchase", "buy 5 infantry", {"ipc": {"germany": 50}}, "AA-4.5", "4 units"),
    ("purchase", "move tank Ukraine > Caucasus", {}, "AA-4.2", "Germany: purchase"),
    ("purchase", "place infantry Germany", {}, "AA-4.2", "Germany: purchase"),
    ("combat", "buy infantry", {}, "AA-5.1", "Germany: combat move"),
    ("combat", "place infantry Germany", {}, "AA-5.1", "Germany: combat move"),
    ("combat", "move infantry Germany > Russia", {}, "", ""),
    ("combat", "move infantry Norway > Germany", {}, "", ""),
    ("combat", "move tank Ukraine > Turkey", {}, "AA-2.9", "neutral"),
    ("combat", "move tank Russia > Ukraine", {}, "", ""),
    ("combat", "move fighter Germany > Eastern United States", {}, "", ""),
    ("combat", "move bomber Germany > Japan", {}, "", ""),
    ("combat", "move fighter Germany > Ukraine", {}, "", ""),
    ("combat", "move destroyer SZ17 > SZ28", {}, "AA-2.14", "Suez"),
    ("combat", "move destroyer SZ17 > SZ18", {}, "AA-2.11", "straits"),
    ("combat", "move battleship SZ5 > SZ6 > SZ8", {}, "", ""),
    ("combat", "move transport 1 SZ5 > SZ6; done", {}, "AA-5.21", ""),
    ("combat", "move transport 4 SZ5 > SZ6", {}, "", ""),
    ("combat", "load tank Germany > transport 1; load tank Germany > transport 1", {}, "", ""),
    ("combat", "load infantry Germany > transport 9", {}, "", ""),
    ("combat", "attack SZ8", {}, "", ""),
    ("combat", "attack SZ30", {}, "", ""),
    ("combat", "first Russia", {}, "AA-6.2", "no battle"),
    ("combat", "promise new carrier SZ5", {}, "", ""),
    ("combat", "recall", {}, "AA-5.1", "Nothing"),
    ("noncombat", "move infantry Norway > Karelia", {}, "", ""),
    ("noncombat", "move infantry Germany > Ukraine", {}, "", ""),
    ("noncombat", "move fighter Germany > SZ5", {}, "", ""),
    ("noncombat", "move battleship SZ5 > SZ6", {}, "", ""),
    ("mobilise", "place tank Ukraine", {"bought": {"tank": 1}}, "AA-9.2", "no industrial complex"),
    ("mobilise", "place submarine SZ6 by Germany", {"bought": {"submarine": 1}}, "AA-9.6", "not next to"),
    ("mobilise", "place infantry Germany", {"bought": {"tank": 1}}, "AA-9.4", "no infantry"),
]


@pytest.mark.parametrize(("phase", "text", "more", "rule", "says"), WRONG)
def test_wrong_orders(phase, text, more, rule, says):
    driver = position(phase, "germany", GERMANY, **more)
    found = None
    for order in driver.game.notation.parse(text, driver.context("germany")):
        found = driver.check("germany", order)
        if found is not None:
            break
        driver.give("germany", order)
    assert found is not None, f"{text} is legal"
    assert found.rule.startswith("AA-")
    assert found.reason[0].isupper() or found.reason.startswith(("purchase", "combat", "noncombat", "mobilise", "`"))
    assert not found.reason.endswith(".")
    assert rule in ("", found.rule), str(found)
    assert says in found.reason, str(found)


def test_capital_lost():
    driver = position("purchase", "germany", GERMANY, control={"Germany": "uk"})
    assert driver.state.capital_lost(Power.GERMANY)
    found = driver.why_not("germany", "buy infantry")
    assert found is not None
    assert found.rule == "AA-5.1"


def test_what_is_in_range_of_an_aircraft_can_be_ordered():
    units = "uk: fighter United-Kingdom | germany: infantry Ukraine; infantry Western Europe; transport SZ16"
    driver = position("combat", "uk", units)
    said = driver.check("uk", Move(piece(Kind.FIGHTER), (where("United Kingdom"), where("SZ8"))))
    assert said.reason.startswith("There is no enemy in SZ8")
    named = said.reason.partition("In range: ")[2].split(", ")
    flown = {driver.state.where(each.path[-1]) for each in driver.legal("uk") if isinstance(each, Move)}
    assert set(named) == flown
    assert flown
    assert "SZ16" not in named  # it could not come back from there


def test_a_land_unit_does_not_walk_over_the_sea():
    driver = position("combat", "japan", "japan: tank Japan | usa: infantry Szechwan")
    said = driver.check("japan", Move(piece(Kind.TANK), (where("Japan"), where("Manchuria"))))
    assert str(said) == ("Manchuria is not next to Japan by land: land units leave it aboard transports only (AA-2.1)")
