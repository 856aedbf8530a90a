"""AA-6.53 to 6.59: what a battle does to territories and zones; AA-11.4 complexes."""

from __future__ import annotations

from axis_battles import fought
from axis_positions import happened, position, refused, standing, where

from pbem_rules.axis1941.events import BattleBegan, Captured, Lost


def holder(driver, place: str) -> str:
    return str(driver.state.control[where(place)])


def test_aa_6_53_a_winner_with_a_land_unit_takes_the_territory():
    driver = fought(
        "germany",
        "germany: infantry Karelia from Eastern Europe | ussr: infantry Karelia",
        dice={"karelia/1/att": [1], "karelia/1/def": [6]},
    )
    assert holder(driver, "Karelia") == "germany"
    assert [event.place for event in happened(driver, Captured)] == [where("Karelia")]


def test_aa_6_53_a_beaten_attacker_takes_nothing():
    driver = fought(
        "germany",
        "germany: infantry Karelia from Eastern Europe | ussr: infantry Karelia",
        dice={"karelia/1/att": [6], "karelia/1/def": [1]},
    )
    assert holder(driver, "Karelia") == "ussr"


def test_aa_6_54_aircraft_take_nothing():
    driver = fought(
        "germany",
        "germany: fighter Karelia | ussr: infantry Karelia",
        dice={"karelia/1/att": [1], "karelia/1/def": [6]},
    )
    assert holder(driver, "Karelia") == "ussr"
    assert standing(driver, "Karelia", "ussr") == []
    assert happened(driver, Captured) == ()


def test_aa_6_57_infantry_and_tanks_capture():
    for kind in ("infantry", "tank"):
        driver = fought(
            "germany",
            f"germany: {kind} Karelia from Eastern Europe; bomber Karelia | ussr: infantry Karelia",
            dice={"karelia/1/att": [6, 1] if kind == "infantry" else [1, 6], "karelia/1/def": [6]},
        )
        assert holder(driver, "Karelia") == "germany"


def test_aa_6_58_a_captured_territory_is_no_landing_place():
    units = "germany: fighter Eastern Europe; infantry Eastern Europe | ussr: infantry Russia | uk: infantry London"
    driver = position("noncombat", "germany", units, control={"Karelia": "germany"}, was={"Karelia": "ussr"})
    assert refused(driver, "germany", "move fighter Eastern Europe > Karelia") == "AA-8.6"
    assert refused(driver, "germany", "move infantry Eastern Europe > Karelia") == ""


def test_aa_6_59_a_cleared_zone_is_friendly_at_once():
    driver = fought(
        "uk",
        "uk: battleship SZ5 from SZ6; transport SZ6 | germany: destroyer SZ5; infantry Germany",
        dice={"sz5/1/att": [1], "sz5/1/def": [6]},
    )
    assert not driver.state.hostile(where("SZ5"), "allies")
    assert driver.need.kind == "noncombat"
    assert refused(driver, "uk", "move transport 1 SZ6 > SZ5") == ""


def test_aa_11_4_a_complex_is_taken_whole():
    driver = position("combat", "germany", "germany: tank Ukraine | ussr: infantry Russia | uk: infantry London")
    driver.order("germany", "move tank Ukraine > Caucasus", "done")
    assert holder(driver, "Caucasus") == "germany"
    assert driver.state.chart.territories[where("Caucasus")].complex


def test_aa_11_4_the_captor_uses_it_from_the_next_turn_and_nobody_else() -> None:
    bought = {"infantry": 1, "tank": 1}
    driver = position("combat", "germany", "germany: tank Ukraine | ussr: infantry Russia", bought=bought)
    driver.order("germany", "move tank Ukraine > Caucasus", "done", "done")
    assert refused(driver, "germany", "place infantry Caucasus") == "AA-9.2"
    for holder_, rule in (("germany", ""), ("japan", "AA-9.2"), ("ussr", "AA-9.2")):
        driver = position("mobilise", "germany", "ussr: infantry Russia", bought=bought, control={"Caucasus": holder_})
        assert refused(driver, "germany", "place infantry Caucasus") == rule


def test_aa_11_4_a_complex_stops_a_blitz_and_is_never_lost() -> None:
    driver = position("combat", "germany", "germany: tank Ukraine | ussr: infantry Russia")
    assert refused(driver, "germany", "move tank Ukraine > Caucasus > Russia") == "AA-5.10"
    driver = fought(
        "germany",
        "germany: 2 tank Caucasus from Ukraine | ussr: infantry Caucasus",
        dice={"caucasus/1/att": [1, 1], "caucasus/1/def": [6]},
    )
    assert happened(driver, BattleBegan)[0].defenders == ("infantry",)  # it is no unit
    assert [event.unit for event in happened(driver, Lost)] == ["infantry"]
