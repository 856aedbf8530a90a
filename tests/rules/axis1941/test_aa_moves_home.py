"""`home`: what has not landed lands, so that a plan past the dice need not know who lives."""

from __future__ import annotations

from axis_positions import position, refused, standing, unit_in, where

from pbem_rules.axis1941.state import Promise
from pbem_rules.axis1941.units import AIR, FOUGHT, NONE, Kind, Power

ELSEWHERE = " | uk: infantry London | japan: infantry Japan"


def after_battle(units: str, place: str, control: dict[str, str] | None = None, spaces: int = 2):
    """Germany's aircraft have fought in a place and flown so far."""
    driver = position(
        "noncombat", "germany", units + ELSEWHERE, control=control, was=dict.fromkeys(control or {}, "ussr")
    )
    state = driver.state
    for kind in (Kind.FIGHTER, Kind.BOMBER):
        for number in list(state.here(where(place), kind=kind)):
            state.change(number, used=spaces, did=FOUGHT, aboard=NONE)
    return driver


def test_aa_8_5_home_lands_beside_land_units():
    driver = after_battle(
        "germany: fighter Karelia; bomber Karelia; infantry Eastern Europe; infantry Ukraine",
        "Karelia",
        {"Karelia": "germany"},
    )
    assert refused(driver, "germany", "done") == "AA-8.10"
    driver.order("germany", "home")
    assert standing(driver, "Karelia") == []
    assert standing(driver, "Eastern Europe") == ["bomber", "fighter", "infantry"]
    driver.order("germany", "done")


def test_aa_8_5_home_is_legal_where_nobody_flies_and_once():
    driver = after_battle("germany: infantry Germany", "Karelia")
    driver.order("germany", "home")
    assert refused(driver, "germany", "home") == "AA-8.5"
    assert refused(driver, "germany", "done") == ""


def test_aa_8_5_8_17_home_brings_the_carrier():
    driver = after_battle("germany: carrier SZ8; fighter SZ8; infantry Germany", "SZ8")
    state = driver.state
    fighter = next(state.here(where("SZ8"), kind=Kind.FIGHTER))
    state.change(fighter, place=where("SZ10"), used=3)
    driver.order("germany", "home", "done")
    carrier = next(state.of_power(Power.GERMANY, Kind.CARRIER))
    assert state.units[fighter].aboard == carrier
    assert state.units[carrier].place == state.units[fighter].place


def test_aa_8_5_home_from_over_the_sea_goes_back_to_a_deck_if_there_is_room():
    d = position(
        "noncombat", "uk", "uk: carrier SZ9; fighter SZ8; bomber SZ8; infantry United-Kingdom; 2 fighter Iceland"
    )
    d.order("uk", "home")
    assert standing(d, "SZ9") == ["carrier", "fighter"]
    assert "bomber" in standing(d, "United-Kingdom")
    assert standing(d, "Iceland") == ["fighter", "fighter"]  # who is on land stays
    assert refused(d, "uk", "home") == "AA-8.5"
    d.order("uk", "done")
    assert unit_in(d, "SZ9", "fighter").aboard == 0
    # No more than the deck holds; the third goes ashore.
    d = position("noncombat", "uk", "uk: carrier SZ9; 3 fighter SZ8; infantry United-Kingdom")
    for number in d.state.of_power("uk", Kind.FIGHTER):
        d.state.change(number, aboard=NONE)
    d.order("uk", "home", "done")
    assert standing(d, "SZ9") == ["carrier", "fighter", "fighter"]
    assert standing(d, "United-Kingdom") == ["fighter", "infantry"]


def test_aa_8_5_home_leaves_to_new_carriers_who_waits_for_them():
    d = position("noncombat", "uk", "uk: fighter SZ8; infantry London | japan: tank Japan", bought={"carrier": 1})
    d.state.change(0, used=4)
    d.order("uk", "home", "done", "place carrier SZ8")
    assert standing(d, "SZ8") == ["carrier", "fighter"]


def test_aa_8_5_home_prefers_own_land_to_an_ally_s():
    d = position("noncombat", "uk", "uk: fighter Norway-Finland; infantry United-Kingdom | ussr: infantry Karelia")
    d.state.change(0, used=2, did=FOUGHT)
    d.order("uk", "home")
    assert standing(d, "United-Kingdom") == ["fighter", "infantry"]
    d = position("noncombat", "uk", "uk: fighter Norway-Finland | ussr: infantry Karelia")
    d.state.change(0, used=2, did=FOUGHT)
    d.order("uk", "home")
    assert standing(d, "Karelia") == ["fighter", "infantry"]  # beside land units rather than alone on a coast


def test_aa_8_5_home_seeks_land_that_is_safe():
    """Where no fewer land units of its side stand than enemy ones next to it, its own power's first."""
    held = {"Caucasus": "germany", "West-Russia": "ussr", "Szechwan": "japan"}
    for units, expected in (
        ("germany: bomber Caucasus; infantry Ukraine; infantry Germany | ussr: 2 infantry West-Russia", "Germany"),
        ("germany: bomber Caucasus; 2 infantry Ukraine; infantry Germany | ussr: 2 infantry West-Russia", "Ukraine"),
        ("germany: bomber Caucasus; infantry Ukraine; infantry Germany | ussr: tank West-Russia", "Ukraine"),
        ("germany: bomber Caucasus; infantry Ukraine; infantry Germany | ussr: fighter West-Russia", "Ukraine"),
        # Its own land goes before an ally's, unless only the ally's is safe; by the sea an empty one is not.
        ("germany: fighter Caucasus; infantry Ukraine | japan: infantry Szechwan", "Ukraine"),
        (
            "germany: fighter Caucasus; infantry Ukraine | japan: infantry Szechwan | ussr: 2 tank West-Russia",
            "Szechwan",
        ),
        ("germany: fighter Caucasus | japan: infantry Szechwan", "Szechwan"),
        # Nowhere safe: the least superior enemy.
        (
            "germany: fighter Caucasus; infantry Ukraine | usa: 2 tank Northwestern-China | ussr: 2 tank West-Russia",
            "Ukraine",
        ),
        (
            "germany: fighter Caucasus; infantry Ukraine | usa: tank Northwestern-China | ussr: 3 tank West-Russia",
            "Szechwan",
        ),
    ):
        d = position("noncombat", "germany", units + ELSEWHERE, control=held, was={"Caucasus": "ussr"})
        number = next(n for n, unit in d.state.units.items() if unit.kind in AIR)
        d.state.change(number, used=2 if d.state.units[number].kind is Kind.BOMBER else 3, did=FOUGHT)
        d.order("germany", "home")
        assert d.state.where(d.state.units[number].place) == expected, units


def test_aa_8_5_8_16_where_home_brings_each_aircraft():
    """Who can only land on a deck comes first; the rest as well as they can, and nobody takes another's place."""
    london = "; infantry London"
    deck, land = "SZ8", "United Kingdom"
    for units, used, expected in (
        # One place is left on the deck: for the one that needs it, not for the one that can reach land.
        ("carrier, fighter SZ8; 2 fighter SZ9" + london, (0, 3, 2), [deck, deck, land]),
        ("carrier, fighter SZ8; 2 fighter SZ9" + london, (0, 2, 3), [deck, land, deck]),
        ("carrier, fighter SZ8; 2 fighter SZ9" + london, (0, 2, 2), [deck, deck, land]),
        ("carrier SZ8; 2 fighter SZ9" + london, (3, 2), [deck, deck]),
        ("carrier SZ8; 3 fighter SZ9" + london, (3, 2, 2), [deck, deck, land]),
        # Who is aboard keeps its place, and uses up no other one.
        ("carrier, fighter SZ8; fighter SZ9" + london, (4, 2), [deck, deck]),
        ("carrier, 2 fighter SZ8" + london, (0, 0), [deck, deck]),
        ("carrier, 2 fighter SZ8; fighter SZ9" + london, (0, 4, 2), [deck, deck, land]),
        # A carrier comes where it is needed, around a hostile zone if it must; it saves as many as it can.
        ("carrier SZ13; fighter SZ8 | germany: destroyer SZ9", (4,), [deck]),
        ("carrier SZ13; fighter SZ8; fighter SZ7", (4, 4), [deck, "SZ7"]),
        # Also out of a zone in which the enemy is still afloat.
        ("carrier, destroyer SZ9; fighter SZ8 | germany: destroyer SZ9", (4,), [deck]),
        ("carrier SZ13; carrier SZ8; fighter SZ6" + london, (2,), [deck]),
        # From land to one's own, beside land units if there are any, then to a deck, then to an ally's.
        ("carrier SZ6; fighter Norway-Finland; fighter London", (3, 0), ["SZ6", land]),
        ("carrier SZ6; fighter Norway-Finland" + london + " | ussr: infantry Karelia", (2,), [land]),
        ("carrier SZ6; bomber, fighter Norway-Finland", (2, 3), ["Russia", "SZ6"]),
        ("fighter Norway-Finland; infantry Iceland", (2,), ["Iceland"]),
        ("fighter Norway-Finland | ussr: infantry Karelia", (2,), ["Karelia"]),
    ):
        d = position("noncombat", "uk", "uk: " + units)
        flying = [n for n, unit in d.state.units.items() if unit.kind in AIR]
        for number, spaces in zip(flying, used, strict=True):
            d.state.change(number, used=spaces)
        d.order("uk", "home")
        assert [d.state.where(d.state.units[n].place) for n in flying] == expected, units
        assert refused(d, "uk", "done") == ""


def test_aa_8_5_8_8_home_lets_new_carriers_come_where_they_are_needed():
    """Whatever was promised: that is for the mobilisation to keep."""
    far = dict.fromkeys(("Midway", "Wake-Island", "Solomon-Islands"), "japan")
    d = position("noncombat", "usa", "usa: fighter SZ43", control=far, bought={"carrier": 1})
    d.state.change(0, used=3)
    d.state.promises = (Promise(NONE, where("SZ11")),)
    assert refused(d, "usa", "done") == "AA-8.10"
    d.order("usa", "home")
    assert standing(d, "SZ42") == ["fighter"]
    assert refused(d, "usa", "done") == ""
