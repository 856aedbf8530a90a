"""AA-5.29 to 5.39, 7.4, 7.10, 8.4 to 8.11, 8.14 to 8.17: aircraft, carriers, landings, displaced fighters."""

from __future__ import annotations

import pytest
from axis_positions import assert_exact, happened, position, refused, standing, unit_in, where

from pbem_rules.axis1941.chart import zone
from pbem_rules.axis1941.displaced import ChooseHaven, afloat
from pbem_rules.axis1941.events import Destroyed, Moved, Promised
from pbem_rules.axis1941.orders import NO_SHIP, Finish, Recall
from pbem_rules.axis1941.state import Promise
from pbem_rules.axis1941.units import AWAITS, DISPLACED, FOUGHT, MOVED, NONE, Kind, Power

FAR = dict.fromkeys(
    (
        "Philippine-Islands", "Wake-Island", "Borneo", "New-Guinea", "Midway", "Solomon-Islands", "Australia",
        "East-Indies", "Szechwan",
    ), "japan",
)  # fmt: skip
MIDWAY = "usa: carrier, 2 fighter SZ40"


def test_aa_5_29_own_fighters_are_never_cargo():
    d = position("combat", "usa", MIDWAY + "| japan: destroyer SZ39")
    d.order("usa", "move carrier 1 SZ40 > SZ39")
    assert standing(d, "SZ40") == ["fighter", "fighter"]
    assert {u.aboard for u in d.state.units.values()} == {NONE}
    d.order("usa", "sortie fighter SZ40 > SZ39")  # one joins, one waits in the zone where it was
    assert refused(d, "usa", "done") == ""


def test_aa_5_29_fighters_wait_where_their_carrier_was_until_the_non_combat_move():
    dice = {"r1/usa/sz39/1/att": 1, "r1/usa/sz39/1/def": 6}
    d = position("combat", "usa", "usa: carrier, fighter SZ40 | japan: destroyer SZ39", dice=dice)
    d.order("usa", "move carrier 1 SZ40 > SZ39", "done")
    assert refused(d, "usa", "move fighter SZ40 > SZ39") == ""


def test_aa_5_30_aircraft_fly_over_enemies():
    d = position(
        "combat", "uk", "uk: bomber United-Kingdom | germany: 4 fighter Western-Europe; infantry Southern-Europe"
    )
    assert refused(d, "uk", "sortie bomber United-Kingdom > Southern-Europe") == ""


def test_aa_5_31_allied_fighters_are_cargo_and_own_ones_fly_from_allied_decks():
    d = position("combat", "usa", "usa: carrier SZ40 | uk: 2 fighter SZ40 | japan: destroyer SZ39")
    assert refused(d, "usa", "sortie fighter SZ40 > SZ39") == "AA-5.1"
    d.order("usa", "move carrier 1 SZ40 > SZ39")
    assert standing(d, "SZ39", "uk") == ["fighter", "fighter"]
    d = position("combat", "uk", "usa: carrier SZ40 | uk: 2 fighter SZ40 | japan: destroyer SZ39")
    assert refused(d, "uk", "sortie fighter SZ40 > SZ39") == ""
    assert refused(d, "uk", "move carrier 1 SZ40 > SZ39") == "AA-5.1"


def test_aa_7_4_an_allys_carrier_stays():
    d = position("combat", "uk", "usa: carrier SZ40 | uk: fighter SZ40 | japan: destroyer SZ39")
    d.order("uk", "sortie fighter SZ40 > SZ39")
    assert not any(order.kind == "move" and order.path[0] == zone(40) for order in d.legal("uk"))
    assert standing(d, "SZ40") == ["carrier"]
    assert refused(d, "uk", "done") == "", "and it is there to land on"


def test_aa_5_32_the_allowance_is_for_the_whole_turn():
    units = "uk: fighter United-Kingdom | germany: transport SZ6"
    d = position("combat", "uk", units)
    d.order("uk", "sortie fighter United-Kingdom > SZ6", "done")
    assert unit_in(d, "SZ6", "fighter").used == 1
    assert refused(d, "uk", "move fighter SZ6 > Greenland") == "", "3 spaces are left: SZ3 would do, SZ2, Greenland"
    assert refused(d, "uk", "move fighter SZ6 > Eastern-United-States") == "AA-5.32"
    d.order("uk", "move fighter SZ6 > Greenland")
    assert unit_in(d, "Greenland", "fighter").used == 3


def test_aa_5_33_distances_of_the_book():
    air = position("combat", "usa").state.chart.air
    assert air[where("Hawaiian-Islands")][where("Australia")] == 4  # SZ40, SZ37, SZ33, Australia
    assert air[zone(40)][where("Philippine-Islands")] == 3  # a carrier's zone does not count
    d = position("noncombat", "usa", "usa: fighter Hawaiian-Islands")
    assert refused(d, "usa", "move fighter Hawaiian-Islands > Australia") == ""
    assert refused(d, "usa", "move fighter Hawaiian-Islands > Brazil") == "AA-5.33"


def test_aa_5_37_5_38_a_carrier_comes_to_meet_its_fighter():
    """Fighter SZ40-SZ39-SZ38-Philippines; the carrier follows to SZ38 in the non-combat move."""
    land = "philippine-islands"
    dice = {f"r1/usa/{land}/1/att": 1, f"r1/usa/{land}/1/def": 6}
    d = position(
        "combat", "usa", "usa: carrier, fighter SZ40 | japan: infantry Philippine-Islands",
        control={"Philippine-Islands": "japan"}, dice=dice,
    )  # fmt: skip
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == ""
    d.order("usa", "done")
    assert d.state.promises == (Promise(0, zone(38), (1,)),)
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ39") == "AA-5.38"
    assert refused(d, "usa", "done") == "AA-5.38"
    how = "promised for SZ38 when the combat move ended, because 1 fighter of yours could not land without it, and must"
    assert how in d.machine.decision.prompt(d.state, d.machine.frame, "usa")
    d.order("usa", "move carrier 1 SZ40 > SZ39 > SZ38", "move fighter Philippine-Islands > SZ38", "done")
    assert unit_in(d, "SZ38", "fighter").aboard == 0


def test_aa_5_34_no_flight_without_a_possible_landing():
    d = position("combat", "uk", "uk: bomber, fighter United-Kingdom | germany: infantry Ukraine; transport SZ16")
    assert refused(d, "uk", "sortie fighter United-Kingdom > SZ16") == "AA-5.34"
    assert refused(d, "uk", "sortie bomber United-Kingdom > SZ16") == ""
    assert refused(d, "uk", "sortie bomber United-Kingdom > Ukraine") == "", "Russia is next door"
    d = position("combat", "usa", "usa: carrier SZ40; bomber, fighter SZ39 | japan: transport SZ39", control=FAR)
    for number in (*d.state.of_power(Power.USA, Kind.BOMBER), *d.state.of_power(Power.USA, Kind.FIGHTER)):
        d.state.change(number, place=where("Hawaiian-Islands"), aboard=NONE, used=3 if number == 1 else 1)
    for kind, rule in (("fighter", ""), ("bomber", "AA-5.34")):  # a deck is no place for a bomber
        assert refused(d, "usa", f"sortie {kind} Hawaiian-Islands > SZ39") == rule
    # A place on a deck counts once: the carrier can come for two, and not where an ally's fighter sits on it.
    units = "japan: 3 infantry Philippine-Islands | usa: carrier, 2 fighter SZ40; fighter SZ39"
    d = position("combat", "usa", units, control=FAR)
    d.order("usa", "sortie 2 fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == ""
    d.order("usa", "sortie fighter SZ39 > Philippine-Islands")
    assert refused(d, "usa", "done") == "AA-5.34"
    d = position("combat", "usa", units.replace("carrier, 2", "carrier SZ40 | uk: fighter SZ40 | usa: 2"), control=FAR)
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == ""
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == "AA-5.34"


@pytest.mark.parametrize("fighter_first", [False, True])
def test_aa_5_34_the_order_of_typing_does_not_matter(fighter_first: bool):
    units = "usa: carrier, fighter, battleship SZ40 | japan: 2 destroyer SZ39; destroyer SZ44; transport SZ46"
    d = position("combat", "usa", units + "; carrier SZ37", control=FAR)
    moves = ["move battleship SZ40 > SZ39", "sortie fighter SZ40 > SZ46"]
    d.order("usa", moves[fighter_first])
    if fighter_first:  # the carrier cannot come before the battleship opens its way: a hint, until the phase is to end
        assert refused(d, "usa", "done") == "AA-5.34"
        assert "could land nowhere" in d.machine.prompt("usa")
        assert Recall() in d.legal("usa")
    d.order("usa", moves[not fighter_first])
    assert refused(d, "usa", "done") == ""
    assert Finish() in d.legal("usa")


def test_aa_5_34_nothing_that_was_not_moved_holds_the_phase_up():
    d = position("combat", "usa", "usa: fighter SZ40", control=FAR)
    assert refused(d, "usa", "done") == ""


def test_aa_5_34_all_four_spaces_where_a_carrier_can_come():
    units = "usa: fighter Hawaiian-Islands{} | japan: transport SZ33"
    d = position(
        "combat",
        "usa",
        units.format("; carrier SZ37"),
        control={"Australia": "japan", "New-Guinea": "japan", "Solomon-Islands": "japan"},
    )
    assert refused(d, "usa", "sortie fighter Hawaiian-Islands > SZ33") == ""
    d = position(
        "combat",
        "usa",
        units.format(""),
        control={"Australia": "japan", "New-Guinea": "japan", "Solomon-Islands": "japan"},
    )
    assert refused(d, "usa", "sortie fighter Hawaiian-Islands > SZ33") == "AA-5.34"


def test_aa_5_35_own_attacks_are_taken_to_succeed():
    units = (
        "usa: carrier, fighter, battleship SZ40 | japan: 2 destroyer SZ39; destroyer SZ44; transport SZ46; carrier SZ37"
    )
    d = position("combat", "usa", units, control=FAR)
    # From SZ46 the fighter has one space left, and every way of the carrier to the zones around is barred.
    d.order("usa", "sortie fighter SZ40 > SZ46")
    assert refused(d, "usa", "done") == "AA-5.34"
    d.order("usa", "move battleship SZ40 > SZ39")
    # Now SZ39 counts as cleared, so the carrier can reach SZ38, one space from SZ46.
    assert refused(d, "usa", "done") == ""


def test_aa_5_36_a_carrier_that_is_counted_on_does_not_move():
    units = "usa: carrier, fighter SZ40 | japan: infantry Philippine-Islands; destroyer SZ43"
    d = position("combat", "usa", units, control=FAR)
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == ""
    # A carrier that fights counts where it ends the combat move only.
    d.order("usa", "move carrier 1 SZ40 > SZ43")
    assert refused(d, "usa", "done") == "AA-5.34"
    d = position("combat", "usa", units, control=FAR)
    d.order("usa", "move carrier 1 SZ40 > SZ43")
    assert refused(d, "usa", "sortie fighter SZ40 > Philippine-Islands") == "AA-5.34"
    assert refused(d, "usa", "promise carrier 1 SZ38") == "AA-5.36"


def test_aa_5_36_an_attack_that_binds_the_carrier():
    d = position(
        "combat",
        "usa",
        "usa: carrier, fighter SZ40; destroyer SZ40 | japan: infantry Philippine-Islands; submarine SZ40",
        control=FAR,
    )
    d.order("usa", "sortie fighter SZ40 > Philippine-Islands", "attack SZ40")
    assert refused(d, "usa", "done") == "AA-5.34"
    d.order("usa", "ignore SZ40")
    assert refused(d, "usa", "done") == ""


def test_aa_5_37_promises():
    units = "usa: 2 carrier SZ40; 2 fighter SZ40 | japan: infantry Philippine-Islands"
    d = position("combat", "usa", units, control=FAR)
    assert refused(d, "usa", "promise carrier 1 SZ41") == "AA-5.37", "Hawaii is near: no fighter needs a deck"
    d.order("usa", "sortie 2 fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "promise carrier 1 SZ41") == "AA-5.37", "nobody could land there now"
    assert refused(d, "usa", "promise carrier 1 SZ46") == "AA-5.36", "too far"
    assert refused(d, "usa", "promise carrier 3 SZ38") == "AA-5.37"
    assert refused(d, "usa", "promise new carrier SZ42") == "AA-5.37", "none was bought"
    d.order("usa", "promise carrier 2 SZ38")
    assert d.state.promises == (Promise(1, zone(38)),)
    assert refused(d, "usa", "promise carrier 2 SZ38") == "AA-5.37"


def test_aa_5_37_a_promised_new_carrier():
    units = "usa: fighter Caroline-Islands | japan: transport SZ42"
    held = {"Caroline-Islands": "usa"}
    d = position("combat", "usa", units, control=held)
    assert refused(d, "usa", "sortie fighter Caroline-Islands > SZ42") == "AA-5.34"
    d = position("combat", "usa", units, control=held, bought={"carrier": 1})
    assert refused(d, "usa", "promise new carrier SZ42") == "AA-5.37", "no fighter needs it yet"
    assert refused(d, "usa", "promise new carrier SZ43") == "AA-8.8"
    d.order("usa", "sortie fighter Caroline-Islands > SZ42", "promise new carrier SZ42")
    assert d.state.promises == (Promise(NONE, zone(42)),)
    assert [(event.ship, event.zone) for event in happened(d, Promised)] == [(NO_SHIP, zone(42))]
    assert refused(d, "usa", "promise new carrier SZ42") == "AA-5.37", "there is only one"
    d.order("usa", "done")
    assert len(happened(d, Promised)) == 1, "it is announced once"
    d.order("usa", "done")
    assert unit_in(d, "SZ42", "fighter").did & AWAITS
    assert refused(d, "usa", "place carrier SZ11") == "AA-9.10"
    # Without a word the rules make the same plan.
    d = position("combat", "usa", units, control=held, bought={"carrier": 1})
    d.order("usa", "sortie fighter Caroline-Islands > SZ42", "done")
    assert d.state.promises == (Promise(NONE, zone(42), (0,)),)
    assert [(event.ship, event.zone) for event in happened(d, Promised)] == [(NO_SHIP, zone(42))]


def test_aa_5_38_a_promise_binds_until_the_fighter_is_down_or_dead():
    units = "usa: 2 carrier SZ40; fighter Philippine-Islands | japan: infantry Caroline-Islands"
    promises = (Promise(1, zone(38), (2,)),)
    d = position("noncombat", "usa", units, control=FAR, promises=promises)
    number = 2
    d.state.change(number, used=3, did=MOVED | FOUGHT, aboard=NONE)
    assert refused(d, "usa", "done") == "AA-5.38"
    assert refused(d, "usa", "move carrier 2 SZ40 > SZ41") == "AA-5.38"
    d.order("usa", "move carrier 1 SZ40 > SZ39 > SZ38", "move fighter Philippine-Islands > SZ38")
    assert refused(d, "usa", "done") == "", "the fighter has landed on the other carrier"
    assert refused(d, "usa", "move carrier 2 SZ40 > SZ41") == ""
    d = position(
        "noncombat", "usa", units.replace("; fighter Philippine-Islands", ""), promises=(Promise(1, zone(38), (99,)),)
    )
    assert refused(d, "usa", "done") == "", "the fighter was shot down"
    assert refused(d, "usa", "move carrier 2 SZ40 > SZ41") == ""
    for did in (MOVED, FOUGHT):
        d = position("noncombat", "usa", units, control=FAR, promises=promises)
        d.state.change(number, used=3, did=MOVED | FOUGHT, aboard=NONE)
        d.state.mark(1, did)
        d.order("usa", "move carrier 1 SZ40 > SZ39 > SZ38")
        assert refused(d, "usa", "done") == "AA-8.10", "only the fighter is left to be moved"


def test_aa_5_39_aircraft_attack_units_only():
    d = position("combat", "uk", "uk: fighter United-Kingdom; infantry Anglo-Egypt-Sudan; fighter Anglo-Egypt-Sudan")
    assert refused(d, "uk", "sortie fighter United-Kingdom > Western-Europe") == "AA-5.39"
    d.order("uk", "move infantry Anglo-Egypt-Sudan > North-Africa")
    assert refused(d, "uk", "sortie fighter Anglo-Egypt-Sudan > North-Africa") == "AA-5.39"


def test_aa_6_16_a_fighter_that_is_to_stay_out_flies_away():
    units = "uk: carrier, fighter SZ8 | germany: destroyer SZ8"
    d = position("combat", "uk", units)
    assert refused(d, "uk", "move fighter SZ8 > United-Kingdom") == ""
    d = position("combat", "uk", units.replace("destroyer", "submarine"))
    assert refused(d, "uk", "move fighter SZ8 > United-Kingdom") == "AA-5.3", "there is no battle"
    d.order("uk", "attack SZ8", "move fighter SZ8 > United-Kingdom")
    assert refused(d, "uk", "ignore SZ8") == "AA-5.18"


def test_aa_7_10_two_fighters_on_a_deck():
    d = position("noncombat", "uk", "usa: carrier SZ40; 2 fighter SZ40 | uk: fighter Hawaiian-Islands")
    assert refused(d, "uk", "move fighter Hawaiian-Islands > SZ40") == "AA-8.7"
    d = position("noncombat", "uk", "usa: carrier SZ40; fighter SZ40 | uk: 2 fighter Hawaiian-Islands")
    d.order("uk", "move fighter Hawaiian-Islands > SZ40")
    assert refused(d, "uk", "move fighter Hawaiian-Islands > SZ40") == "AA-8.10"
    d = position(
        "noncombat", "uk", "usa: carrier SZ40 | uk: fighter SZ40; fighter Hawaiian-Islands", denied=("usa/deck/uk",)
    )
    assert refused(d, "uk", "move fighter Hawaiian-Islands > SZ40") == "AA-8.7"
    assert refused(d, "uk", "done") == "", "who is aboard may stay"


def test_aa_7_10_who_may_stay_on_a_closed_deck_stays():
    units = "usa: carrier SZ40 | uk: fighter SZ40; fighter Hawaiian-Islands"
    d = position("noncombat", "uk", units, denied=("usa/deck/uk",))
    d.state.change(2, place=zone(40))  # a second one, in the air beside the one aboard
    d.order("uk", "move fighter SZ40 > Hawaiian-Islands", "done")
    assert d.state.units[1].aboard == 0
    assert d.state.units[2].place == where("Hawaiian-Islands")
    d = position("noncombat", "uk", units)
    d.state.change(2, place=zone(40))
    d.order("uk", "move fighter SZ40 > Hawaiian-Islands")
    assert d.state.units[1].place == where("Hawaiian-Islands"), "an open deck makes no difference"


def test_aa_8_1_who_did_nothing_in_combat_moves():
    d = position("noncombat", "ussr", "ussr: 2 infantry Russia; tank Urals")
    d.state.mark(0, FOUGHT)
    d.order("ussr", "move infantry Russia > Archangel", "move tank Urals > Russia > Archangel")
    assert refused(d, "ussr", "move infantry Russia > Archangel") == "AA-5.6"
    assert refused(d, "ussr", "move tank Archangel > Russia") == "AA-8.1"


def test_aa_8_2_nobody_enters_hostile_territory():
    d = position("noncombat", "uk", "uk: fighter Anglo-Egypt-Sudan; infantry Anglo-Egypt-Sudan")
    assert refused(d, "uk", "move infantry Anglo-Egypt-Sudan > North-Africa") == "AA-8.2"
    assert refused(d, "uk", "move fighter Anglo-Egypt-Sudan > North-Africa") == "AA-8.2"
    assert refused(d, "uk", "move fighter Anglo-Egypt-Sudan > Gibraltar") == "", "over hostile spaces"


def test_aa_8_5_every_aircraft_finishes_in_a_landing_place():
    d = position(
        "noncombat",
        "ussr",
        "ussr: fighter West-Russia",
        was={"West-Russia": "germany"},
        control={"West-Russia": "ussr"},
    )
    assert refused(d, "ussr", "done") == "AA-8.10"
    d.order("ussr", "move fighter West-Russia > Russia", "done")
    assert standing(d, "Russia") == ["fighter"]


def test_aa_8_6_no_landing_on_what_was_taken_this_turn():
    held = {"control": {"West-Russia": "ussr"}, "was": {"West-Russia": "germany"}}
    d = position("noncombat", "ussr", "ussr: fighter, bomber Russia", **held)
    assert refused(d, "ussr", "move fighter Russia > West-Russia") == "AA-8.6"
    assert refused(d, "ussr", "move bomber Russia > West-Russia") == "AA-8.6"
    d = position("noncombat", "uk", "uk: fighter India")
    assert refused(d, "uk", "move fighter India > Caucasus") == "", "an ally's"


def test_aa_8_7_only_fighters_land_at_sea_and_only_on_decks():
    d = position("noncombat", "uk", "uk: carrier SZ8; 3 fighter, bomber United-Kingdom")
    assert refused(d, "uk", "move bomber United-Kingdom > SZ8") == "AA-8.7"
    assert refused(d, "uk", "move fighter United-Kingdom > SZ14") == "", "the carrier can come to zone 14"
    d.order("uk", "move 2 fighter United-Kingdom > SZ8")
    assert refused(d, "uk", "move fighter United-Kingdom > SZ8") == "AA-8.10"
    d = position("noncombat", "uk", "uk: carrier SZ29; carrier SZ8; carrier SZ33; fighter United-Kingdom; fighter SZ9")
    assert refused(d, "uk", "move fighter United-Kingdom > SZ8") == "", "whatever carriers there are elsewhere"
    assert refused(d, "uk", "move fighter United-Kingdom > SZ12") == "AA-8.7"


def test_aa_8_8_a_fighter_waits_for_a_new_carrier():
    d = position("noncombat", "uk", "uk: fighter United-Kingdom | germany: destroyer SZ7", bought={"carrier": 1})
    assert refused(d, "uk", "move fighter United-Kingdom > SZ9") == "AA-8.7", "no complex is next to it"
    d.order("uk", "move fighter United-Kingdom > SZ7", "done")  # a hostile zone
    assert unit_in(d, "SZ7", "fighter").did & AWAITS
    assert d.need.kind == "mobilise"
    assert refused(d, "uk", "place carrier SZ8") == "AA-9.10"
    d.order("uk", "place carrier SZ7")
    assert unit_in(d, "SZ7", "fighter").aboard != NONE


def test_aa_8_8_a_complex_takes_what_it_can():
    d = position("noncombat", "uk", "uk: 3 fighter India", bought={"carrier": 2})
    d.order("uk", "move 2 fighter India > SZ29")
    assert refused(d, "uk", "move fighter India > SZ29") == "AA-8.10", "India mobilises one unit a turn"


def test_aa_8_9_a_fighter_lands_on_an_allys_carrier():
    d = position("noncombat", "uk", "uk: fighter United-Kingdom | usa: carrier SZ9")
    d.order("uk", "move fighter United-Kingdom > SZ9", "done")
    assert unit_in(d, "SZ9", "fighter").aboard == 1


def test_aa_8_10_nobody_flies_out_of_reach():
    d = position("noncombat", "usa", "usa: 2 carrier SZ40; 3 fighter SZ40; carrier SZ41", control=FAR)
    assert refused(d, "usa", "move fighter SZ40 > SZ39") == "", "a carrier can follow"
    assert refused(d, "usa", "move fighter SZ40 > SZ46") == "AA-8.7"


def test_aa_8_11_who_cannot_land_is_lost():
    d = position("noncombat", "usa", "usa: fighter, bomber Philippine-Islands", control=FAR | {"Midway": "usa"})
    for number in (0, 1):
        d.state.change(number, used=4, did=MOVED | FOUGHT)
    d.order("usa", "done")
    assert {e.unit for e in happened(d, Destroyed)} == {"fighter", "bomber"}
    assert all(u.kind not in ("fighter", "bomber") for u in d.state.units.values())


def test_aa_8_14_a_carrier_moves_once_and_fighters_follow():
    d = position("noncombat", "usa", MIDWAY, control=FAR)
    d.order("usa", "move carrier 1 SZ40 > SZ43")
    assert refused(d, "usa", "move carrier 1 SZ43 > SZ44") == "AA-8.1"
    assert refused(d, "usa", "done") == "AA-8.10"
    d.order("usa", "move 2 fighter SZ40 > SZ43", "done")
    assert {u.aboard for u in d.state.units.values() if u.kind == "fighter"} == {0}


def test_aa_8_14_a_carrier_may_come_to_where_a_fighter_waits():
    d = position("noncombat", "usa", "usa: carrier SZ40; fighter Western-United-States")
    d.order("usa", "move fighter Western-United-States > SZ43", "move carrier 1 SZ40 > SZ43", "done")
    assert unit_in(d, "SZ43", "fighter").aboard == 0


def test_aa_8_15_allied_fighters_ride_own_ones_fly():
    d = position("noncombat", "usa", "usa: carrier SZ40 | uk: fighter SZ40 | usa: fighter SZ40")
    d.order("usa", "move carrier 1 SZ40 > SZ42")
    assert standing(d, "SZ42") == ["carrier", "fighter"]
    assert standing(d, "SZ40") == ["fighter"]
    assert unit_in(d, "SZ42", "fighter").power == "uk"


def test_aa_8_16_a_carrier_that_fought_stays_and_takes_fighters():
    d = position("noncombat", "usa", "usa: carrier SZ40; fighter Hawaiian-Islands")
    d.state.mark(0, MOVED | FOUGHT)
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ41") == "AA-5.6"
    assert refused(d, "usa", "move fighter Hawaiian-Islands > SZ40") == ""


def test_aa_8_16_nobody_waits_for_a_carrier_that_fought():
    for did, rule in ((0, "AA-8.10"), (FOUGHT, "")):
        d = position("noncombat", "usa", "usa: carrier SZ40; fighter SZ38", control=FAR)
        d.state.mark(0, did)
        d.state.change(1, used=4, did=MOVED | FOUGHT, aboard=NONE)
        assert refused(d, "usa", "done") == rule
    d.order("usa", "done")
    assert standing(d, "SZ38") == []


def test_aa_8_9_an_allys_carrier_comes_to_meet_nobody():
    # Own and allied carriers lie in SZ40; only an own one can be where the fighter would come down.
    target = "japan: transport SZ38"
    d = position("combat", "uk", f"usa: carrier SZ40 | uk: fighter SZ40; carrier SZ9 | {target}", control=FAR)
    d.state.change(1, used=2)
    assert refused(d, "uk", "move fighter SZ40 > SZ38") == "AA-5.34"
    d = position("combat", "uk", f"uk: carrier SZ40; fighter SZ40 | usa: carrier SZ9 | {target}", control=FAR)
    d.state.change(1, used=2)
    assert refused(d, "uk", "move fighter SZ40 > SZ38") == ""


def test_aa_8_17_a_carrier_must_pick_up_its_fighters():
    d = position("noncombat", "usa", "usa: carrier SZ40; fighter SZ38", control=FAR)
    d.state.change(1, used=4, did=MOVED | FOUGHT, aboard=NONE)
    assert refused(d, "usa", "done") == "AA-8.10"
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ43") == "AA-8.17"
    d.order("usa", "move carrier 1 SZ40 > SZ39 > SZ38", "done")
    assert unit_in(d, "SZ38", "fighter").aboard == 0


def at_scatter(units, *numbers, preset=False, **fields):
    """Japan's battles are over, and these fighters have no carrier any more."""
    d = position("combat", "japan", units, **fields)
    if preset:
        d.stand("usa", "divert", "default")
    for number in numbers:
        d.state.change(number, aboard=NONE, did=DISPLACED)
    d.order("japan", "done")
    return d


def test_aa_8_3_displaced_fighters_go_first():
    d = at_scatter("usa: fighter SZ38; carrier SZ38; carrier SZ39 | japan: infantry Japan", 0)
    assert d.need.kind == "divert"
    assert d.asked == ("usa",)
    d.order("usa", "divert Philippine-Islands")
    assert d.need.kind == "noncombat"
    assert d.asked == ("japan",)
    assert standing(d, "Philippine-Islands") == ["fighter"]
    # Others of the defence, on land and on a deck, stay where they are.
    d = at_scatter("usa: fighter SZ38; carrier, fighter SZ39; fighter Hawaii | japan: infantry Japan", 0)
    assert afloat(d.state) == (0,)


def test_aa_8_4_where_displaced_fighters_go():
    d = at_scatter("usa: fighter SZ38; carrier SZ38; carrier SZ39 | uk: carrier SZ38 | japan: infantry Japan", 0)
    assert {order.to for order in d.legal("usa")} == {zone(38), zone(39), where("Philippine-Islands")}
    assert len(d.legal("usa")) == 4, "two carriers in the zone"
    assert refused(d, "usa", "divert Wake-Island") == "AA-8.4", "two spaces"
    assert refused(d, "usa", "divert Caroline-Islands") == "AA-8.4", "hostile"
    assert refused(d, "usa", "divert uk carrier 1") == ""
    # Until told otherwise standing orders decide: its own carrier in the zone comes first.
    assert ChooseHaven.preset
    d = at_scatter("usa: fighter SZ38; carrier SZ38; carrier SZ39 | japan: infantry Japan", 0, preset=True)
    assert d.need.kind == "noncombat"
    assert unit_in(d, "SZ38", "fighter").aboard == 1


def test_aa_8_4_what_the_attacker_has_just_taken_is_no_place_to_land():
    taken = {"Philippine-Islands": "japan"}
    units = "usa: fighter SZ38 | japan: infantry Philippine-Islands"
    d = at_scatter(units, 0, control=FAR | taken, was={"Philippine-Islands": "usa"})
    assert [e.unit for e in happened(d, Destroyed)] == ["fighter"]


def test_aa_5_18_who_keeps_out_of_a_battle_needs_room_on_the_deck():
    for guests, rule in (("2 fighter", "AA-5.34"), ("fighter", "")):
        fleet = f"usa: carrier SZ39; {guests} SZ39; carrier SZ40"
        d = position("combat", "uk", f"{fleet} | uk: 2 fighter SZ40 | japan: destroyer SZ40", control=FAR)
        for number in list(d.state.of_power(Power.UK)):
            d.state.change(number, used=3)
        d.order("uk", "move fighter SZ40 > SZ39")
        assert refused(d, "uk", "done") == rule


def test_aa_5_18_the_last_fighter_of_an_attack_stays():
    d = position("combat", "uk", "usa: carrier SZ6 | uk: 2 fighter SZ6 | germany: submarine SZ6; infantry Norway")
    d.order("uk", "attack SZ6", "move fighter SZ6 > Norway")
    assert refused(d, "uk", "move fighter SZ6 > Norway") == "AA-5.18"


def test_aa_8_4_nobody_flies_to_a_deck_that_its_owner_closes():
    units = "usa: fighter SZ38 | uk: carrier SZ38 | japan: infantry Japan"
    assert standing(at_scatter(units, 0, control=FAR), "SZ38") == ["carrier", "fighter"]
    d = at_scatter(units, 0, control=FAR, denied=("uk/deck/usa",))
    assert [e.unit for e in happened(d, Destroyed)] == ["fighter"]


def test_aa_8_4_no_place_no_fighter():
    d = at_scatter("usa: fighter SZ38 | japan: infantry Japan", 0, control=FAR)
    assert [e.unit for e in happened(d, Destroyed)] == ["fighter"]
    assert not list(d.state.of_power("usa"))


def test_aa_8_4_two_fighters_and_one_place():
    d = at_scatter("usa: 2 fighter SZ38; carrier SZ38 | uk: fighter SZ38 | japan: infantry Japan", 0, 1, control=FAR)
    while d.asked == ("usa",):
        d.order("usa", d.legal("usa")[0])
    assert len(happened(d, Destroyed)) == 1
    assert len(d.state.cargo(2)) == 2


def test_aa_11_6_fighters_base_on_carriers():
    d = position("noncombat", "usa", "usa: carrier SZ42; 3 fighter Western-United-States; bomber Western-United-States")
    d.order("usa", "move 2 fighter Western-United-States > SZ42")
    assert refused(d, "usa", "move fighter Western-United-States > SZ42") == "AA-8.10", "two on a deck"
    d.order("usa", "done")
    assert len(d.state.cargo(0)) == 2


def test_aa_11_7_bombers_live_on_land():
    d = position("noncombat", "usa", "usa: carrier SZ42; bomber Western-United-States; fighter Western-United-States")
    goals = {str(d.state.chart.words[order.path[-1]]) for order in d.legal("usa") if getattr(order, "piece", 0) == 3}
    assert goals
    assert not any(goal.startswith("SZ") for goal in goals)
    # There is nothing to bomb but units: an empty complex is no target.
    d = position("combat", "uk", "uk: bomber United-Kingdom")
    assert refused(d, "uk", "sortie bomber United-Kingdom > Germany") == "AA-5.39"


def test_aa_11_26_every_fighter_at_sea_has_a_carrier_when_the_turn_ends():
    d = position("noncombat", "usa", "usa: carrier, 2 fighter SZ40; carrier SZ42; 2 fighter Western-United-States")
    d.order("usa", "move 2 fighter Western-United-States > SZ42", "done")
    decks = [u.aboard for u in d.state.units.values() if u.kind == "fighter"]
    assert sorted(decks) == [0, 0, 3, 3]


def test_aa_5_38_the_program_promises_every_carrier_that_must_move():
    """Allies' decks and carriers that are where they are needed are no promises; two that must come are two."""
    units = (
        "usa: 2 carrier SZ40; 4 fighter SZ40; carrier SZ38; fighter SZ38; fighter SZ39 | uk: carrier SZ46"
        " | japan: 2 infantry Philippine-Islands; transport SZ45"
    )
    dice = {"r1/usa/philippine-islands/1/att": [1, 1, 6, 6], "r1/usa/philippine-islands/1/def": [6, 6]}
    d = position("combat", "usa", units, control=FAR, dice=dice)
    d.order("usa", "sortie 4 fighter SZ40 > Philippine-Islands", "sortie fighter SZ38 > SZ45")
    d.order("usa", "sortie fighter SZ39 > SZ45", "done")
    promised = {(promise.carrier, promise.zone): promise.fighters for promise in d.state.promises}
    moved = {(carrier, zone_) for carrier, zone_ in promised if d.state.units[carrier].power == "usa"}
    assert all(d.state.units[carrier].power == "usa" for carrier, _ in promised)
    assert all(d.state.units[carrier].place != place for carrier, place in moved)
    assert len(happened(d, Promised)) == len(promised)
    sworn = [each for fighters in promised.values() for each in fighters]
    assert len(sworn) == len(set(sworn))


def test_aa_5_36_a_carrier_that_must_fight_where_it_is_promises_nothing():
    units = (
        "usa: carrier, destroyer SZ40; fighter SZ39; carrier SZ41 | japan: infantry Philippine-Islands; submarine SZ40"
    )
    d = position("combat", "usa", units, control=FAR)
    d.order("usa", "sortie fighter SZ39 > Philippine-Islands")
    assert refused(d, "usa", "promise carrier 1 SZ38") == ""
    d.order("usa", "attack SZ40")
    assert refused(d, "usa", "promise carrier 1 SZ38") == "AA-5.36"


def test_aa_8_17_a_carrier_that_moves_once_moves_no_more():
    d = position("noncombat", "usa", "usa: carrier SZ40; fighter SZ38", control=FAR)
    d.state.change(1, used=3, aboard=NONE)
    # From zone 41 it could reach zone 38 only by moving again.
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ41") == "AA-8.17"
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ39") == ""
    # What cannot be saved anyway binds nobody.
    d = position("noncombat", "usa", "usa: carrier SZ40; bomber SZ20", control=FAR)
    d.state.change(1, used=6)
    assert refused(d, "usa", "move carrier 1 SZ40 > SZ41") == ""
    assert refused(d, "usa", "done") == ""


def test_aa_8_8_5_38_a_new_carrier_comes_where_it_is_promised_beside_others():
    units = "usa: 2 carrier SZ40; fighter Philippine-Islands; 2 fighter SZ42 | japan: infantry Caroline-Islands"
    for zone_ in (42, 11):
        d = position("noncombat", "usa", units, control=FAR, bought={"carrier": 1})
        for number in (2, 3, 4):
            d.state.change(number, used=4 if number > 2 else 3, did=MOVED | FOUGHT, aboard=NONE)
        d.state.promises = (Promise(NONE, zone(42), (3, 4)), Promise(1, zone(38), (2,)))
        assert refused(d, "usa", "done") == "AA-5.38"
        d.order("usa", "move carrier 2 SZ40 > SZ39 > SZ38", "move fighter Philippine-Islands > SZ38", "done")
        assert refused(d, "usa", f"place carrier SZ{zone_}") == ("" if zone_ == 42 else "AA-9.10")
        d.order("usa", "place carrier SZ42")
        assert standing(d, "SZ42") == ["carrier", "fighter", "fighter"]


def test_aa_5_35_an_ally_s_ships_clear_no_zone():
    enemies = "japan: 2 destroyer SZ39; destroyer SZ44; carrier SZ37; transport SZ46"
    units = f"usa: carrier, fighter SZ40 | uk: battleship SZ39 | {enemies}"
    d = position("combat", "usa", units, control=FAR)
    d.order("usa", "sortie fighter SZ40 > SZ46")
    assert refused(d, "usa", "done") == "AA-5.34"
    # Nor does a transport, which fights nobody.
    d = position("combat", "usa", units.replace("uk: battleship", "usa: transport"), control=FAR)
    d.order("usa", "sortie fighter SZ40 > SZ46")
    assert refused(d, "usa", "done") in ("AA-5.34", "AA-5.14")
    d.order("usa", "move transport 1 SZ39 > SZ41")
    assert refused(d, "usa", "done") == "AA-5.34"


def test_aa_5_36_8_16_a_carrier_that_fights_or_moved_is_a_deck_where_it_is():
    far = FAR
    for did in (MOVED, FOUGHT):
        d = position("noncombat", "usa", "usa: carrier SZ40; fighter SZ38; fighter SZ40", control=far)
        d.state.mark(0, did)
        for number, used in ((1, 3), (2, 0)):
            d.state.change(number, used=used, aboard=NONE, did=FOUGHT)
        assert refused(d, "usa", "move carrier 1 SZ40 > SZ39") == "AA-5.6"
        assert refused(d, "usa", "move fighter SZ40 > SZ39") == "AA-8.7"
        d.order("usa", "home", "done")
        assert [e.place for e in happened(d, Destroyed)] == [zone(38)], "nobody comes for it"
        assert standing(d, "SZ40") == ["carrier", "fighter"]


def test_aa_5_34_one_that_can_land_does_not_answer_for_another():
    units = "usa: fighter Alaska; fighter Hawaiian-Islands; carrier, fighter SZ40 | japan: transport SZ39"
    d = position("combat", "usa", units + "; destroyer SZ43; infantry Philippine-Islands", control=FAR)
    d.order("usa", "sortie fighter Hawaiian-Islands > SZ39", "sortie fighter SZ40 > Philippine-Islands")
    assert refused(d, "usa", "done") == ""
    d.order("usa", "move carrier 1 SZ40 > SZ43")
    assert refused(d, "usa", "done") == "AA-5.34"


def test_aa_5_32_8_1_who_has_the_least_left_that_suffices_flies():
    for spaces, mover in (("SZ8", 1), ("SZ8 > SZ14", 1), ("SZ9", 1)):
        goal = spaces.split(" > ")[-1]
        d = position("noncombat", "uk", f"uk: 3 fighter United-Kingdom; carrier {goal}")
        for number, used in ((0, 0), (1, 2), (2, 4)):
            d.state.change(number, used=used)
        assert_exact(d)  # nothing twice
        d.order("uk", f"move fighter United-Kingdom > {goal}")
        flown = [n for n in (0, 1, 2) if d.state.units[n].place != where("United-Kingdom")]
        assert flown == [mover], goal
    d = position("noncombat", "uk", "uk: 2 fighter United-Kingdom; carrier SZ8")
    d.state.change(1, used=2)
    d.order("uk", "move fighter United-Kingdom > SZ8")
    assert (d.state.units[0].place, d.state.units[1].place) == (where("United-Kingdom"), where("SZ8"))


def test_aa_8_10_beside_a_deck_is_not_on_it():
    d = position("noncombat", "uk", "uk: carrier SZ8; fighter SZ9; infantry London")
    assert refused(d, "uk", "done") == "AA-8.10"
    d.order("uk", "move fighter SZ9 > SZ8")
    assert refused(d, "uk", "done") == ""
    d = position("noncombat", "uk", "uk: bomber SZ9; infantry London")
    assert refused(d, "uk", "done") == "AA-8.10"
    d.order("uk", "move bomber SZ9 > London")
    assert refused(d, "uk", "done") == ""
    # Nor does it matter to others that somebody is lost anyway.
    d = position("noncombat", "uk", "uk: carrier SZ8; fighter SZ9; bomber SZ10; infantry London")
    d.state.change(2, used=6)
    assert refused(d, "uk", "move fighter SZ9 > SZ8") == ""
    # Who has no space left, or flew already, is where it is.
    d = position("noncombat", "uk", "uk: carrier SZ8; fighter SZ9; infantry London")
    d.state.change(1, used=4)
    d.order("uk", "move carrier 1 SZ8 > SZ9", "done")
    assert d.state.units[1].aboard == 0


def test_aa_5_35_what_other_orders_could_still_bring_about_is_no_reason_to_refuse():
    units = "usa: fighter Caroline-Islands | japan: transport SZ42"
    d = position("combat", "usa", units, control={"Caroline-Islands": "usa"}, bought={"carrier": 1})
    assert refused(d, "usa", "sortie fighter Caroline-Islands > SZ42") == "", "a new carrier"
    d = position("combat", "usa", units, control={"Caroline-Islands": "usa"}, bought={"destroyer": 1})
    assert refused(d, "usa", "sortie fighter Caroline-Islands > SZ42") == "AA-5.34", "none was bought"
    for carriers, rule in (
        ("usa: carrier SZ40", ""),
        ("uk: carrier SZ38", ""),
        ("uk: carrier SZ40", "AA-5.34"),
        ("usa: carrier SZ20", "AA-5.34"),
    ):
        units = f"usa: fighter SZ40 | {carriers} | japan: infantry Philippine-Islands"
        d = position("combat", "usa", units, control=FAR)
        assert refused(d, "usa", "sortie fighter SZ40 > Philippine-Islands") == rule, carriers


def test_aa_8_4_by_which_names_a_displaced_fighter_is_sent():
    """To one's own land or an ally's, to a deck where it is or to another: standing orders know them by these names."""
    fleet = "usa: fighter SZ38; carrier SZ38; carrier SZ39 | uk: carrier SZ38 | japan: infantry Japan"
    for owner, name in (("usa", "home"), ("uk", "ally")):
        d = at_scatter(fleet, 0, control={"Philippine-Islands": owner})
        found = d.machine.decision.answers(d.state, d.machine.frame, "usa", {})
        assert {word: d.game.notation.write(order) for word, order in found.items()} == {
            name: "divert Philippine-Islands -",
            "deck": "divert SZ38 usa-carrier-1",
            "ally_deck": "divert SZ38 uk-carrier-1",
            "other": "divert SZ39 usa-carrier-2",
        }
        seen = len(happened(d, Moved))
        d.order("usa", found["other" if owner == "uk" else "deck"])
        assert len(happened(d, Moved)) - seen == (owner == "uk"), "who stays in its zone has not moved"
        assert d.state.units[0].aboard == (2 if owner == "uk" else 1)
        assert d.state.units[0].did == 0
