"""`look`: what is told agrees with what is legal."""

from __future__ import annotations

import pytest
from axis_positions import position, where

from pbem.engine.definition import Reckoning
from pbem.engine.testing import Driver
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.board import force
from pbem_rules.axis1941.names import CHART
from pbem_rules.axis1941.orders import Buy, Finish, Home, Move, Put
from pbem_rules.axis1941.tolls import Tolls
from pbem_rules.axis1941.units import Kind, Power

GERMANS = (
    "germany: 2 infantry 1 tank Ukraine; bomber Norway Finland; transport SZ5; infantry Germany"
    "| ussr: infantry Caucasus"
)


def told(driver: Driver, seat: str, text: str) -> Reckoning:
    assert game.look is not None
    found = game.look(driver.view(seat), text)
    assert isinstance(found, Reckoning), found
    assert found.text
    return found


def test_what_units_can_reach_is_what_is_legal():
    driver = position("combat", "germany", GERMANS)
    found = told(driver, "germany", "reach tank Ukraine").figures["reach"]
    legal = {order.path[-1] for order in driver.legal("germany") if isinstance(order, Move) and order.path[0] == 61}
    assert set(found) == {"tank"}
    assert {CHART.words.index(word) for word in found["tank"]["combat"]} <= legal
    assert found["tank"]["combat"]["Caucasus"] == 1
    assert found["tank"]["noncombat"]["Germany"] == 2
    every = told(driver, "germany", "reach Ukraine").figures["reach"]
    assert set(every) == {"infantry", "tank"}
    assert told(driver, "germany", "reach infantry Germany").figures["reach"]["infantry"]["boards"] == {"SZ5": 1}


def test_who_can_come_to_a_place():
    driver = position("combat", "germany", GERMANS)
    rows = told(driver, "germany", "to Caucasus").figures["to"]
    assert {(row["from"], row["unit"], row["what"], row["spaces"]) for row in rows if row["power"] == "germany"} == {
        ("Norway-Finland", "bomber", "combat", 3),
        ("Ukraine", "infantry", "combat", 1),
        ("Ukraine", "tank", "combat", 1),
    }
    later = position("noncombat", "germany", GERMANS)
    assert [row for row in told(later, "germany", "to Caucasus").figures["to"] if row["power"] == "germany"] == []
    assert "can come" in told(later, "germany", "to Caucasus").text


def test_other_powers_are_looked_at_as_their_next_turn_begins():
    driver = position("combat", "ussr", GERMANS)
    found = told(driver, "ussr", "reach germany-tank@Ukraine")
    assert found.places["Caucasus"].startswith("1 space to attack")
    assert found.text == told(driver, "ussr", "reach german tank Ukraine").text
    assert set(found.figures["reach"]) == {"tank"}
    theirs = position("combat", "germany", GERMANS)
    goals = set(told(theirs, "germany", "reach tank Ukraine").figures["reach"]["tank"]["combat"])
    assert goals == set(found.figures["reach"]["tank"]["combat"])
    rows = told(driver, "ussr", "to Caucasus").figures["to"]
    assert {(row["power"], row["from"], row["unit"]) for row in rows if row["what"] == "combat"} == {
        ("germany", "Norway-Finland", "bomber"),
        ("germany", "Ukraine", "infantry"),
        ("germany", "Ukraine", "tank"),
    }
    theirs.order("germany", "move tank Ukraine > Caucasus")
    assert "tank" not in told(theirs, "germany", "reach Ukraine").figures["reach"]
    ship = told(driver, "ussr", "reach germany-transport-1")
    assert set(ship.figures["reach"]) == {"transport 1"}


def test_borders_and_the_table_of_units():
    driver = Driver(game)
    found = told(driver, "ussr", "borders SZ16")
    assert set(found.places) == set(found.figures["borders"]) == {"North-Africa", "Southern-Europe", "SZ15", "SZ17"}
    gate = told(driver, "ussr", "borders SZ17")
    assert "closed to USSR's ships" in gate.places["SZ18"]
    assert told(driver, "ussr", "units").figures["units"]["tank"] == {
        "cost": 6, "attack": 3, "defence": 3, "move": 2, "hits": 1,
    }  # fmt: skip


def test_zones_rooms_incomes_and_who_is_left():
    driver = Driver(game)
    every = told(driver, "ussr", "").figures
    assert set(every) == {"zones", "left", "rooms", "bought", "income"}
    assert every["rooms"]["Russia"] == {"left": 3, "limit": 3}
    assert every["income"]["germany"] == {"income": 12, "ipc": 12}
    assert every["left"]["Caucasus"] == "3 infantry, 1 tank"
    assert "SZ5" in every["zones"]["hostile"]
    assert every["zones"]["ways"]["Turkish straits"] is False
    driver.order("ussr", "buy infantry")
    assert told(driver, "ussr", "rooms").figures["bought"] == {"infantry": 1}
    for word in ("zones", "left", "rooms", "income"):
        assert told(driver, "ussr", word).text in told(driver, "ussr", "").text


@pytest.mark.parametrize(
    "text",
    [
        "reach",
        "reach nowhere",
        "to",
        "zones please",
        "everything",
        "reach 3 4",
        "borders",
        "reach uk-transport-9",
        "reach uk",
    ],
)
def test_other_questions_are_told_what_can_be_asked(text):
    assert game.look is not None
    found = game.look(Driver(game).view("ussr"), text)
    assert isinstance(found, str)
    assert "reach PLACE" in found


def undone(driver, seat, order):
    assert game.left_undone is not None
    return [*game.left_undone(driver.view(seat), seat, order)]


def test_battles_that_nobody_will_ask_about_are_said_before_the_combat_move_ends():
    driver = position(
        "combat",
        "germany",
        "germany: 2 tank Ukraine; bomber Norway Finland | ussr: infantry Caucasus; infantry Karelia",
    )
    driver.order("germany", "move 2 tank Ukraine > Caucasus")
    assert undone(driver, "germany", Finish()) == []  # in this position everybody is asked
    driver.stand("germany", "retreat", "then default")
    (line,) = undone(driver, "germany", Finish())
    assert line.startswith("Nobody asks you whether to retreat: each battle goes on until it is decided")
    assert line.endswith("`standing retreat ask`.")
    driver.order("germany", "move bomber Norway Finland > Karelia")
    assert undone(driver, "germany", Finish()) == [
        line,
        "To be asked about a retreat in the battle for Caucasus alone: `standing retreat in Caucasus: ask`.",
        "To be asked about a retreat in the battle for Karelia alone: `standing retreat in Karelia: ask`.",
    ]
    driver.stand("germany", "retreat", "in Caucasus: ask")  # of the other battle nobody has said anything
    whole, alone = undone(driver, "germany", Finish())
    assert whole.startswith("Nobody asks you whether to retreat in the battle for Karelia: it goes on until")
    assert alone == (
        "To be asked about a retreat in the battle for Karelia too: "
        "`standing retreat in Caucasus: ask; in Karelia: ask`."
    )
    for text in ("ask", "in Caucasus: ask; in Karelia: ask"):
        driver.stand("germany", "retreat", text)
        assert undone(driver, "germany", Finish()) == []
    driver.stand("germany", "retreat", "then press")  # orders of one's own are named, too, with what they say
    assert undone(driver, "germany", Finish()) == [
        "In Caucasus and Karelia your own standing order for retreat decides: Fight on."
    ]


def test_losses_that_nobody_will_ask_about_are_said_where_units_of_several_kinds_attack():
    driver = position("combat", "germany", "germany: 2 tank Ukraine; bomber Norway Finland | ussr: infantry Caucasus")
    driver.stand("germany", "losses", "then default")
    driver.order("germany", "move 2 tank Ukraine > Caucasus")
    assert undone(driver, "germany", Finish()) == []  # there is no choice between two tanks
    driver.order("germany", "move bomber Norway Finland > Caucasus")
    (line,) = undone(driver, "germany", Finish())
    assert line.startswith("Nobody asks you which of your units are lost. On land, infantry goes first")
    assert line.endswith("To be asked at each hit, in attacks of the enemy too: `standing losses ask`.")
    driver.stand("germany", "losses", "ask")
    assert undone(driver, "germany", Finish()) == []
    driver.stand("germany", "losses", "tank, bomber")
    (line,) = undone(driver, "germany", Finish())
    assert line.startswith(
        "In Caucasus your own standing order for losses decides: Damage to battleships, then tanks, "
    )


def test_the_end_of_the_combat_move_tells_battles_from_what_is_taken_without_one():
    driver = position(
        "combat",
        "germany",
        "germany: infantry, tank Ukraine; infantry West-Russia | ussr: infantry Caucasus",
        control={"West-Russia": "germany"},
    )
    driver.order("germany", "move infantry Ukraine > Caucasus", "move infantry West-Russia > Archangel")
    assert driver.machine.sentence("germany", Finish()) == (
        "End your combat move: the battle in Caucasus will be fought now and you take Archangel, where no enemy "
        "stands; your non-combat move follows."
    )


def test_what_a_blitz_takes_is_said_before_the_combat_move_ends():
    """AA-5.8: the tank comes back, and the territory that it went through is taken all the same."""
    units = "germany: tank West-Russia | ussr: infantry Russia"
    driver = position("combat", "germany", units, control={"West-Russia": "germany"})
    driver.order("germany", "move tank West-Russia > Archangel > West-Russia")
    assert driver.machine.decision.prompt(driver.state, driver.machine.frame, "germany") == (
        "Round 1, Germany: combat move. Battles: none yet. Taken on the way: Archangel. End with `done`."
    )
    assert driver.machine.sentence("germany", Finish()) == (
        "End your combat move: you take Archangel, where no enemy stands; your non-combat move follows."
    )
    assert undone(driver, "germany", Finish()) == []
    driver.order("germany", "done")
    assert driver.state.control[where("Archangel")] is Power.GERMANY


def test_aircraft_that_have_landed_where_they_are_not_safe_are_said_before_the_non_combat_move_ends():
    held = {"West-Russia": "germany"}
    driver = position(
        "noncombat",
        "germany",
        "germany: bomber, infantry West-Russia; fighter Germany; infantry Germany | ussr: 2 infantry Russia",
        control=held,
    )
    unsafe = [line for line in undone(driver, "germany", Finish()) if line.startswith("Not safe")]
    assert unsafe == [
        "Not safe: 1 infantry, 1 bomber in West Russia. On land, more enemy land units stand next to it than yours in "
        "it, or aircraft are on an empty coast; at sea, more enemies can come in one turn than can fight there."
    ]


def test_all_that_the_enemy_can_overrun_is_said_worst_first():
    """Lone tanks, empty territories, ships; a battleship takes two hits, transports fight nobody (AA-6.33)."""
    units = (
        "germany: tank West-Russia; 3 infantry Ukraine; fighter, 2 infantry Germany; transport SZ5; battleship SZ16; "
        "battleship SZ13 | ussr: 3 infantry Russia; infantry Caucasus | uk: fighter, bomber United-Kingdom"
    )
    held = {"West-Russia": "germany", "Caucasus": "ussr"}
    driver = position("noncombat", "germany", units, control=held)
    (line,) = [each for each in undone(driver, "germany", Finish()) if each.startswith("Not safe")]
    assert line.startswith("Not safe: 1 tank in West Russia; 1 transport in SZ5. On land, "), line
    driver.state.remove(next(driver.state.here(where("West-Russia"))))
    (line,) = [each for each in undone(driver, "germany", Finish()) if each.startswith("Not safe")]
    assert line.startswith("Not safe: West Russia, which is empty; 1 transport in SZ5. On land, "), line


def test_of_many_places_that_are_not_safe_six_are_named():
    zones = [f"SZ{number}" for number in range(3, 11)]
    ships = "; ".join(f"transport {zone}" for zone in zones)
    driver = position(
        "noncombat",
        "germany",
        f"germany: {ships}; 2 tank Ukraine | uk: bomber United-Kingdom | ussr: 4 infantry Caucasus",
        control={"Ukraine": "germany"},
    )
    (line,) = [each for each in undone(driver, "germany", Finish()) if each.startswith("Not safe")]
    assert line.startswith("Not safe: West Russia, which is empty; 2 tank in Ukraine; 1 transport in SZ3; ")
    assert line.partition(". On land")[0].endswith("; 1 transport in SZ6; and 4 more")


def test_a_hit_on_a_battleship_is_called_what_it_does():
    names = Tolls()
    view = position("combat", "germany", "germany: infantry Germany | ussr: infantry Russia").view("germany")
    said = {
        word: names.said(names.value(word), view)
        for word in ("damage", "battleship", "infantry-sea", "transport-2", "fighter-usa")
    }
    assert said == {
        "damage": "a battleship, which is damaged",
        "battleship": "a damaged battleship, which sinks",
        "infantry-sea": "infantry that came by sea",
        "transport-2": "transport 2",
        "fighter-usa": "fighter of USA",
    }


def test_units_that_stay_are_said_before_the_non_combat_move_ends():
    driver = position("noncombat", "germany", "germany: 2 infantry Germany; transport SZ5; infantry in transport 1 SZ5")
    assert undone(driver, "germany", Finish()) == [
        "Still aboard transports: 1 infantry.",
        "Not moved: 3 units, in Germany, SZ5.",
    ]
    driver.order("germany", "move 2 infantry Germany > Eastern Europe")
    assert undone(driver, "germany", Finish())[1:] == ["Not moved: 1 unit, in SZ5."]


def test_home_says_where_each_aircraft_will_land():
    driver = position("noncombat", "germany", "germany: infantry Germany; fighter SZ5")
    said = driver.machine.sentence("germany", Home())
    assert said == "Land your aircraft: fighter from SZ5 to Germany."
    before = driver.machine.digest()
    driver.machine.sentence("germany", Home())
    assert driver.machine.digest() == before
    driver.order("germany", "home")
    assert force(driver.state, where("germany"), Power.GERMANY) == "1 infantry, 1 fighter"


def test_why_nothing_can_be_ordered_with_a_unit():
    driver = position("combat", "germany", "germany: 2 tank Ukraine; infantry Germany | ussr: infantry Caucasus")
    assert str(driver.machine.barred("germany", "ussr-infantry@Caucasus")) == (
        "The infantry in Caucasus belongs to USSR, and it is the turn of Germany (AA-5.1)"
    )
    assert driver.machine.barred("germany", "germany-infantry@Germany").reason == (
        "The infantry in Germany has moved or been loaded, or finds nothing to attack within its reach; it crosses the "
        "sea aboard a transport only"
    )
    flying = position("combat", "germany", "germany: fighter Germany").machine.barred(
        "germany", "germany-fighter@Germany"
    )
    assert flying.reason.endswith("within its reach")
    for phase, rule in (("purchase", "AA-4.2"), ("mobilise", "AA-9.4")):
        late = position(phase, "germany", GERMANS, ipc={"germany": 12}, bought={"tank": 1})
        wrong = late.machine.barred("germany", "germany-infantry@Ukraine")
        assert wrong.rule == rule
        assert wrong.reason.startswith("The infantry in Ukraine does nothing ")


def test_the_last_placement_says_that_the_turn_ends_with_it():
    driver = position("mobilise", "germany", GERMANS, bought={"infantry": 1, "tank": 1})
    assert undone(driver, "germany", Put(Kind.TANK, where("germany"), where("germany"))) == []
    driver.order("germany", "place tank Germany")
    last = "That is the last unit to place: Germany's turn ends with it. Next: United Kingdom."
    assert undone(driver, "germany", Put(Kind.INFANTRY, where("germany"), where("germany"))) == [last]


def test_money_and_units_that_are_left_are_said_before_a_turn_is_sealed():
    driver = position("purchase", "germany", GERMANS, ipc={"germany": 12})
    assert undone(driver, "germany", Finish()) == undone(driver, "germany", None) == ["12 IPC are not spent."]
    assert undone(driver, "germany", Buy(Kind.TANK)) == undone(driver, "uk", Finish()) == []
    driver.order("germany", "buy 2 tank")
    assert undone(driver, "germany", Finish()) == []  # nothing costs 2 IPC or less, but 2 are left
    late = position("mobilise", "germany", GERMANS, bought={"infantry": 2, "tank": 1})
    assert undone(late, "germany", None) == ["Bought and not placed: 2 infantry, 1 tank."]


def test_aa_5_37_carriers_that_the_rules_will_promise_are_named_before_the_combat_move_ends():
    units = "usa: fighter Caroline-Islands | japan: transport SZ42"
    driver = position("combat", "usa", units, control={"Caroline-Islands": "usa"}, bought={"carrier": 1})
    driver.order("usa", "sortie fighter Caroline-Islands > SZ42")
    (line,) = [each for each in undone(driver, "usa", Finish()) if "promised" in each]
    assert line == (
        "A new carrier is promised for SZ42, and must end the turn there if the fighters come back: 1 fighter would "
        "have nowhere else to land (AA-5.37)."
    )
    assert driver.state.promises == ()  # to ask promises nothing
    driver.order("usa", "promise new carrier SZ42")
    assert not [each for each in undone(driver, "usa", Finish()) if "promised" in each]
