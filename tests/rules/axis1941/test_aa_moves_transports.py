"""AA-5.24 to 5.28, 5.40 to 5.45, 7.7 to 7.9, 8.18 to 8.22, 11.24: troops at sea."""

from __future__ import annotations

from axis_positions import happened, position, refused, standing, unit_in, where

from pbem_rules.axis1941.assault import fields
from pbem_rules.axis1941.chart import zone
from pbem_rules.axis1941.events import BattleBegan, Captured
from pbem_rules.axis1941.orders import Land, Load, Move, piece
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.units import LOADED, NONE, SHIPPED, UNLOADED, Kind, Power, ship_code

NORTH = "uk: transport SZ8; 3 infantry, 2 tank United-Kingdom"


def test_aa_5_24_capacity():
    d = position("noncombat", "uk", NORTH)
    d.order("uk", "load tank United-Kingdom > transport 1")
    assert refused(d, "uk", "load tank United-Kingdom > transport 1") == "AA-5.24"
    d.order("uk", "load infantry United-Kingdom > transport 1")
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.24"
    d = position("noncombat", "uk", NORTH)
    d.order("uk", "load 2 infantry United-Kingdom > transport 1")
    assert refused(d, "uk", "load tank United-Kingdom > transport 1") == "AA-5.24"
    # Own and allied cargo share the hold.
    d = position("noncombat", "uk", NORTH + "| usa: tank in transport 1")
    assert refused(d, "uk", "load tank United-Kingdom > transport 1") == "AA-5.24"
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == ""


def test_aa_5_25_loading_on_the_way():
    """The book's example: load, move one zone, load, move one zone, unload."""
    d = position("combat", "uk", "uk: transport SZ3; infantry Iceland; infantry United-Kingdom")
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.25", "not next to zone 3"
    code = ship_code(Power.UK, Kind.TRANSPORT, 1)
    for place in (-(2**40), -1, 120, 2**63):
        found = d.check("uk", Load(Kind.INFANTRY, place, code))
        assert found is not None
        assert found.rule == "AA-5.25"
        found = d.check("uk", Land(Kind.INFANTRY, code, place))
        assert found is not None
        assert found.rule == "AA-5.41"
    d.order("uk", "load infantry Iceland > transport 1", "move transport 1 SZ3 > SZ6")
    d.order("uk", "load infantry United-Kingdom > transport 1", "move transport 1 SZ6 > SZ7")
    assert refused(d, "uk", "move transport 1 SZ7 > SZ8") == "AA-5.13"
    d.order("uk", "land 2 infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == ""
    assert {u.target for u in d.state.units.values()} == {where("Western-Europe")}


def test_aa_5_25_loading_is_the_land_units_whole_move():
    d = position("noncombat", "usa", "usa: tank Western-Canada; transport SZ10; infantry Eastern-United-States")
    d.order("usa", "move tank Western-Canada > Eastern-Canada")
    assert refused(d, "usa", "load tank Eastern-Canada > transport 1") == "AA-8.22"


def test_aa_5_26_what_was_loaded_must_land():
    d = position("combat", "uk", NORTH)
    d.order("uk", "load infantry United-Kingdom > transport 1")
    assert refused(d, "uk", "done") == "AA-5.26"
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-5.26"
    d.order("uk", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == ""
    # Nobody is loaded for a landing that no zone in range allows.
    d = position("combat", "usa", "usa: transport SZ42; infantry Western-United-States")
    assert refused(d, "usa", "load infantry Western-United-States > transport 1") == "AA-5.26"


def test_aa_5_27_bridging():
    d = position("noncombat", "uk", "uk: transport SZ17; 3 infantry Middle-East")
    d.order("uk", "load 2 infantry Middle-East > transport 1")
    d.order("uk", "land 2 infantry transport 1 > Anglo-Egypt-Sudan")
    assert standing(d, "Anglo-Egypt-Sudan") == ["infantry"] * 2
    assert refused(d, "uk", "load infantry Middle-East > transport 1") == "AA-5.27"
    assert refused(d, "uk", "move transport 1 SZ17 > SZ16") == "AA-5.27"
    # In the combat move as an assault only, and a transport that will land does not sail on.
    d = position("combat", "uk", NORTH)
    d.order("uk", "load infantry United-Kingdom > transport 1", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "move transport 1 SZ8 > SZ7") == "AA-5.27"


def test_aa_5_28_one_territory_in_a_turn():
    d = position("noncombat", "uk", "uk: transport SZ28; 2 infantry in transport 1")
    d.order("uk", "land infantry transport 1 > Middle-East")
    assert refused(d, "uk", "land infantry transport 1 > Anglo-Egypt-Sudan") == "AA-5.28"
    d.order("uk", "land infantry transport 1 > Middle-East")
    d = position("combat", "uk", "uk: transport SZ5; 2 infantry in transport 1")
    d.order("uk", "land infantry transport 1 > Norway-Finland")
    assert refused(d, "uk", "land infantry transport 1 > Germany") == "AA-5.28"


def test_aa_5_28_nor_one_in_combat_and_another_afterwards():
    units = "uk: transport SZ8; 2 infantry in transport 1; infantry United-Kingdom"
    d = position("combat", "uk", units)
    d.order("uk", "land infantry transport 1 > Western-Europe", "done")
    assert d.state.control[where("Western-Europe")] == "uk"
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-5.28"
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.27"
    assert refused(d, "uk", "move transport 1 SZ8 > SZ7") == "AA-5.27"
    # The same with an ally's transport.
    d = position("combat", "uk", units.replace("uk: transport SZ8;", "usa: transport SZ8 | uk:"))
    d.order("uk", "land infantry usa transport 1 > Western-Europe", "done")
    assert refused(d, "uk", "land infantry usa transport 1 > United-Kingdom") == "AA-5.28"
    assert refused(d, "uk", "load infantry United-Kingdom > usa transport 1") == "AA-5.27"


def test_aa_5_40_assaults_are_declared():
    d = position("combat", "uk", "uk: transport SZ7; infantry in transport 1")
    d.order("uk", "land infantry transport 1 > Western-Europe")  # empty, yet hostile
    assert fields(d.state, look(d.state)) == (where("Western-Europe"),)
    d.order("uk", "done")
    assert [e.place for e in happened(d, Captured)] == [where("Western-Europe")]
    # Without a declaration nobody lands on hostile soil.
    d = position("noncombat", "uk", "uk: transport SZ7; infantry in transport 1")
    assert refused(d, "uk", "land infantry transport 1 > Western-Europe") == "AA-5.40"


def test_aa_5_41_the_zone_is_next_to_the_target_and_can_be_friendly():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1 | germany: destroyer SZ7")
    assert refused(d, "uk", "land infantry transport 1 > Norway-Finland") == "AA-5.41"
    d = position("combat", "uk", "uk: transport SZ13; infantry in transport 1; infantry United Kingdom")
    wrong = d.why_not("uk", "land infantry uk-transport-1 Norway-Finland")
    assert str(wrong) == "Transport 1 in SZ13 has no coast beside it to land troops on (AA-5.41)"
    wrong = d.why_not("uk", "load infantry United-Kingdom uk-transport-1")
    assert str(wrong) == "Transport 1 in SZ13 has no coast beside it to take troops aboard from (AA-5.25)"
    d = position(
        "combat",
        "uk",
        "uk: fighter India; transport SZ31; infantry in transport 1; infantry India | japan: destroyer SZ31",
    )
    d.order("uk", "land infantry transport 1 > Southeast-Asia")
    assert refused(d, "uk", "done") == "AA-5.14", "the transport cannot stay there alone"
    d.order("uk", "sortie fighter India > SZ31", "move infantry India > Southeast-Asia")  # others join overland
    assert refused(d, "uk", "done") == ""


def test_aa_5_42_escorts_come_along_for_a_battle_only():
    units = "uk: transport, battleship SZ8; infantry in transport 1"
    d = position("combat", "uk", units)
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "move battleship SZ8 > SZ7") == "AA-5.3"
    d = position("combat", "uk", units + "| germany: submarine SZ7")
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "move battleship SZ8 > SZ7") == "", "the submarine is attacked then"
    # A transport that could land nobody moves later.
    d = position("combat", "uk", "uk: transport SZ8")
    assert refused(d, "uk", "move transport 1 SZ8 > SZ9") == "AA-5.42"
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1")
    d.order("uk", "move transport 1 SZ8 > SZ7")
    assert refused(d, "uk", "done") == "AA-5.42"


def test_aa_5_41_a_battleship_clears_the_way_for_a_landing():
    """A German destroyer off Western Europe: a sea battle first, then the transport unloads."""
    d = position(
        "combat", "usa",
        "usa: battleship, transport SZ9; infantry, tank in transport 1 | germany: destroyer SZ8",
        dice={"r1/usa/sz8/1/att": 1, "r1/usa/sz8/1/def": 6},
    )  # fmt: skip
    d.order("usa", "move transport 1 SZ9 > SZ8", "land transport 1 > Western-Europe")
    assert refused(d, "usa", "done") == "AA-5.21"
    d.order("usa", "move battleship SZ9 > SZ8", "done")
    assert d.state.control[where("Western-Europe")] == "usa"
    assert standing(d, "Western-Europe") == ["infantry", "tank"]
    # Against submarines and transports alone the same landing needs no battle.
    d = position(
        "combat", "usa", "usa: transport SZ9; infantry, tank in transport 1 | germany: submarine, transport SZ8"
    )
    d.order("usa", "move transport 1 SZ9 > SZ8", "land transport 1 > Western-Europe", "done")
    assert d.state.control[where("Western-Europe")] == "usa"
    assert standing(d, "SZ8", "germany") == ["submarine", "transport"]


def test_sentences_say_what_is_possible():
    d = position("combat", "uk", "uk: destroyer SZ8; fighter United-Kingdom | germany: destroyer SZ6; transport SZ7")
    for order, words in (
        (Move(piece(Kind.DESTROYER), (zone(8), zone(6), zone(5))), ("SZ6 is hostile", "attack in SZ6, SZ7")),
        (Move(piece(Kind.DESTROYER), (zone(8), zone(9))), ("nobody to fight in SZ9", "attack in SZ6, SZ7")),
        (Move(piece(Kind.FIGHTER), (where("United-Kingdom"), zone(45))), ("SZ45 is", "In its range: SZ6, SZ7")),
    ):
        reason = d.check("uk", order).reason
        assert all(word in reason for word in words), reason


def test_aa_5_43_aircraft_fight_at_sea_or_on_land():
    d = position(
        "combat", "uk",
        "uk: transport, destroyer SZ8; infantry in transport 1; 2 fighter United-Kingdom"
        "| germany: destroyer SZ7; infantry Western-Europe",
    )  # fmt: skip
    d.order("uk", "move transport 1 SZ8 > SZ7", "move destroyer SZ8 > SZ7")
    d.order("uk", "sortie fighter United-Kingdom > SZ7", "sortie fighter United-Kingdom > Western-Europe")
    assert refused(d, "uk", "sortie fighter SZ7 > Western-Europe") == "AA-5.1", "it is not assigned twice"
    assert standing(d, "SZ7", "uk") == ["destroyer", "fighter", "infantry", "transport"]
    assert standing(d, "Western-Europe", "uk") == ["fighter"]
    # Each rolls where it was sent, and nowhere else.
    d = position(
        "combat", "uk",
        "uk: transport, destroyer SZ8; infantry in transport 1; fighter, bomber United-Kingdom"
        "| germany: destroyer SZ7; infantry Western-Europe",
        dice={"r1/uk/sz7/1/att": [1, 6], "r1/uk/sz7/1/def": [6], "r1/uk/western-europe/1/att": [1, 6]}
        | {"r1/uk/western-europe/1/def": [6]},
    )  # fmt: skip
    d.order(
        "uk", "move transport 1 SZ8 > SZ7", "move destroyer SZ8 > SZ7", "land infantry transport 1 > Western-Europe"
    )
    d.order("uk", "sortie fighter United-Kingdom > SZ7", "sortie bomber United-Kingdom > Western-Europe", "done")
    began = {event.place: event.attackers for event in happened(d, BattleBegan)}
    assert began == {
        zone(7): ("fighter", "transport", "destroyer"),
        where("Western-Europe"): ("infantry", "bomber"),
    }


def test_aa_5_44_cargo_from_before_may_stay():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1; infantry United-Kingdom")
    d.order("uk", "load infantry United-Kingdom > transport 1", "land infantry transport 1 > Western-Europe")
    must = [u for u in d.state.units.values() if u.did & LOADED and u.kind == "infantry"]
    assert [u.target for u in must] == [where("Western-Europe")], "who was loaded now goes ashore first"
    assert refused(d, "uk", "done") == ""
    # An ally's cargo is not ours to land.
    d = position("combat", "uk", "uk: transport SZ8 | usa: infantry in transport 1")
    assert refused(d, "uk", "land infantry transport 1 > Western-Europe") == "AA-5.44"


def test_aa_5_45_no_escort_is_needed():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1 | germany: 2 submarine, transport SZ7")
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe", "done")
    assert d.state.control[where("Western-Europe")] == "uk"
    assert standing(d, "SZ7", "germany") == ["submarine", "submarine", "transport"]


def test_aa_7_7_allied_cargo_takes_three_steps():
    d = position("noncombat", "uk", "uk: infantry United-Kingdom | usa: transport SZ8")
    d.order("uk", "load infantry United-Kingdom > usa transport 1")
    assert unit_in(d, "SZ8", "infantry").did & SHIPPED
    assert refused(d, "uk", "land infantry usa transport 1 > United-Kingdom") == "AA-7.7"
    d = position("noncombat", "usa", "usa: transport SZ8 | uk: infantry in transport 1")
    d.order("usa", "move transport 1 SZ8 > SZ7")
    assert standing(d, "SZ7") == ["infantry", "transport"]
    assert refused(d, "usa", "land infantry transport 1 > United-Kingdom") == "AA-5.44"
    d = position("noncombat", "uk", "usa: transport SZ7 | uk: infantry in transport 1")
    d.order("uk", "land infantry usa transport 1 > United-Kingdom")
    assert standing(d, "United-Kingdom") == ["infantry"]


def test_aa_7_8_an_assault_from_an_allys_transport():
    units = "usa: transport SZ7 | uk: infantry in transport 1; fighter United-Kingdom"
    d = position("combat", "uk", units)
    d.order("uk", "land infantry usa transport 1 > Western-Europe")
    assert refused(d, "uk", "move transport 1 SZ7 > SZ8") == "AA-5.1", "the ship is not ours to move"
    d.order("uk", "done")
    assert d.state.control[where("Western-Europe")] == "uk"
    # A hostile zone must be cleared by own forces.
    d = position("combat", "uk", units + "| usa: destroyer SZ7 | germany: destroyer SZ7")
    d.order("uk", "land infantry usa transport 1 > Western-Europe")
    assert refused(d, "uk", "done") == "AA-5.41"
    d.order("uk", "sortie fighter United-Kingdom > SZ7")
    assert refused(d, "uk", "done") == ""


def test_aa_7_9_nobody_boards_an_allys_transport_in_the_combat_move():
    d = position("combat", "uk", "uk: infantry United-Kingdom | usa: transport SZ8")
    assert refused(d, "uk", "load infantry United-Kingdom > usa transport 1") == "AA-7.9"


def test_aa_8_18_land_units_move_through_friendly_territories():
    d = position("noncombat", "uk", "uk: tank India; infantry Middle-East", was={"Caucasus": "germany"})
    assert refused(d, "uk", "move tank India > Middle-East > Caucasus") == "", "taken this turn, and an ally's"
    assert refused(d, "uk", "move tank India > Southeast-Asia") == "AA-8.2", "hostile though empty"
    assert refused(d, "uk", "move infantry Middle-East > Caucasus > Russia") == "AA-5.11"


def test_aa_8_19_a_transport_used_in_combat_is_done():
    units = "uk: transport, destroyer SZ8; infantry in transport 1 | germany: submarine SZ8"
    d = position("combat", "uk", units, dice={"r1/uk/sz8/1/att": 1, "r1/uk/sz8/1/def": 6})
    d.order("uk", "attack SZ8", "move transport 1 SZ8 > SZ9", "done")
    assert d.need.kind == "noncombat"
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-8.19"
    assert refused(d, "uk", "move transport 1 SZ9 > SZ8") == "AA-8.19"
    # One that has fought, though it stayed where it was; nor does anybody go aboard.
    d = position(
        "combat", "uk", units + "; infantry Norway-Finland | uk: infantry United-Kingdom",
        dice={"r1/uk/sz8/1/att": 1, "r1/uk/sz8/1/def": 6},
    )  # fmt: skip
    d.order("uk", "attack SZ8", "done")
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-8.19"
    assert refused(d, "uk", "move transport 1 SZ8 > SZ9") == "AA-8.19"
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-8.19"


def test_aa_8_19_a_transport_that_did_nothing_loads_moves_and_unloads():
    d = position("noncombat", "uk", "uk: transport SZ8; infantry, tank United-Kingdom", control={"Gibraltar": "uk"})
    d.order("uk", "load infantry tank United-Kingdom > transport 1", "move transport 1 SZ8 > SZ14")
    d.order("uk", "land infantry transport 1 > Gibraltar", "land tank transport 1 > Gibraltar")
    assert standing(d, "Gibraltar") == ["infantry", "tank"]
    # Loaded in the combat move: the assault is its whole turn, and what did not go ashore stays aboard.
    units = "uk: transport SZ8; infantry in transport 1; tank United-Kingdom | germany: infantry Ukraine"
    d = position("combat", "uk", units)
    d.order("uk", "load tank United-Kingdom > transport 1", "land tank transport 1 > Western-Europe", "done")
    assert standing(d, "Western-Europe") == ["tank"]
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-8.19"


def test_aa_8_20_loading_and_unloading_in_friendly_zones():
    d = position(
        "noncombat", "uk", "uk: transport SZ8; 2 infantry in transport 1; tank United-Kingdom | germany: destroyer SZ8"
    )
    assert refused(d, "uk", "land infantry transport 1 > United-Kingdom") == "AA-8.20"
    d = position(
        "noncombat", "uk", "uk: transport SZ8; infantry in transport 1; tank United-Kingdom | germany: destroyer SZ8"
    )
    assert refused(d, "uk", "load tank United-Kingdom > transport 1") == "AA-5.16"
    d = position("noncombat", "uk", "uk: transport SZ8; 2 infantry in transport 1")
    d.order("uk", "land infantry transport 1 > United-Kingdom")  # any number of them
    assert refused(d, "uk", "move transport 1 SZ8 > SZ7") == "AA-5.27"
    assert unit_in(d, "SZ8", "transport").did & UNLOADED


def test_aa_8_21_cargo_may_stay_aboard():
    d = position("noncombat", "uk", NORTH)
    d.order("uk", "load infantry United-Kingdom > transport 1", "move transport 1 SZ8 > SZ9", "done")
    assert standing(d, "SZ9") == ["infantry", "transport"]


def test_aa_8_22_who_moved_does_not_load_and_who_landed_does_not_move():
    d = position("noncombat", "uk", "uk: transport SZ28; infantry in transport 1; infantry Italian-East-Africa")
    d.order("uk", "move infantry Italian-East-Africa > Anglo-Egypt-Sudan")
    assert refused(d, "uk", "load infantry Anglo-Egypt-Sudan > transport 1") == "AA-8.22"
    d.order("uk", "land infantry transport 1 > Middle-East")
    assert refused(d, "uk", "move infantry Middle-East > India") == "AA-8.22"


def test_aa_11_24_only_transports_land_troops():
    d = position("combat", "uk", "uk: battleship SZ7; infantry United-Kingdom; fighter United-Kingdom")
    assert refused(d, "uk", "move infantry United-Kingdom > SZ7") == "AA-2.25"
    assert not any(order.kind in ("load", "land") for order in d.legal("uk"))


def test_aa_11_2_infantry_takes_the_second_place():
    for first in ("infantry", "tank"):
        d = position("noncombat", "uk", f"uk: transport SZ8; {first} in transport 1; infantry United-Kingdom")
        assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == ""


def test_aa_11_3_a_tank_takes_the_place_of_any_unit():
    d = position("noncombat", "uk", NORTH)
    d.order("uk", "load infantry United-Kingdom > transport 1", "load tank United-Kingdom > transport 1")
    assert standing(d, "SZ8") == ["infantry", "tank", "transport"]


def test_aa_11_11_no_aircraft_in_holds():
    d = position(
        "noncombat", "uk", "uk: transport SZ8; fighter, bomber United-Kingdom; carrier SZ8; infantry United-Kingdom"
    )
    assert refused(d, "uk", "load fighter United-Kingdom > transport 1") == "AA-11.11"
    assert refused(d, "uk", "move bomber United-Kingdom > SZ8") == "AA-8.7"
    assert refused(d, "uk", "load infantry United-Kingdom > carrier 1") == "AA-5.25"


def test_the_zone_of_a_landing_is_named():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1")
    violation = d.check("uk", d.game.notation.read("land infantry uk-transport-1 Norway-Finland"))
    assert "Western Europe" in violation.reason
    assert violation.rule == "AA-5.41"
    assert d.state.units[0].place == zone(8)


def test_aa_5_27_8_19_5_13_why_a_transport_moves_no_more():
    d = position("noncombat", "uk", "uk: transport SZ8; transport SZ7; infantry in transport 2")
    assert refused(d, "uk", "move transport 2 SZ8 > SZ9") == "AA-8.1", "only the first one is there"
    d.order("uk", "move transport 1 SZ8 > SZ9")
    assert refused(d, "uk", "move transport 1 SZ9 > SZ13 > SZ12") == "AA-5.13"
    d.order("uk", "move transport 1 SZ9 > SZ13")
    assert refused(d, "uk", "move transport 1 SZ13 > SZ9") == "AA-5.13", "two spaces in a turn"
    assert refused(d, "uk", "move transport 2 SZ8 > SZ9") == "AA-8.1", "the second one is in zone 7"
    assert refused(d, "uk", "move infantry SZ7 > London") == "AA-2.25"
    d.order("uk", "land infantry transport 2 > United-Kingdom")
    assert refused(d, "uk", "move transport 2 SZ7 > SZ8") == "AA-5.27"
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1")
    d.order("uk", "move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "move transport 1 SZ7 > SZ8") == "AA-5.27"
    d.order("uk", "done")
    assert refused(d, "uk", "move transport 1 SZ7 > SZ8") == "AA-5.27"


def test_aa_5_42_5_26_what_a_transport_could_still_serve_counts_its_spaces():
    d = position("combat", "uk", "uk: transport SZ8; infantry United-Kingdom")
    assert refused(d, "uk", "done") == "", "who did not move need not land"
    d.order("uk", "move transport 1 SZ8 > SZ9")  # it can come back and load
    assert refused(d, "uk", "done") == "AA-5.42"
    assert refused(d, "uk", "move transport 1 SZ9 > SZ13") == "AA-5.42"
    assert refused(d, "uk", "move transport 1 SZ9 > SZ8") == ""
    d = position("combat", "uk", "uk: transport SZ8; infantry United-Kingdom")
    assert refused(d, "uk", "move transport 1 SZ8 > SZ9 > SZ13") == "AA-5.42"
    # Nobody there can be fetched: aboard already, or a coast without an enemy beside it.
    d = position("combat", "uk", "uk: transport SZ9; transport SZ8; infantry in transport 2; infantry Eastern-Canada")
    assert refused(d, "uk", "move transport 1 SZ9 > SZ10") == "AA-5.42"
    assert refused(d, "uk", "load infantry Eastern-Canada > transport 1") == "AA-5.25"
    d = position("combat", "usa", "usa: transport SZ42; infantry Western-United-States")
    assert refused(d, "usa", "load infantry Western-United-States > transport 1") == "AA-5.26"
    d = position("noncombat", "usa", "usa: transport SZ42; infantry Western-United-States")
    assert refused(d, "usa", "load infantry Western-United-States > transport 1") == ""


def test_aa_5_40_5_44_whose_cargo_lands():
    d = position("combat", "uk", "uk: transport SZ8; infantry in transport 1 | usa: tank in transport 1")
    assert refused(d, "uk", "land tank transport 1 > Western-Europe") == "AA-5.44"
    d.order("uk", "land infantry transport 1 > Western-Europe")
    assert refused(d, "uk", "land infantry transport 1 > Western-Europe") == "AA-5.40"
    d = position("combat", "uk", "uk: transport SZ8 | usa: tank in transport 1")
    assert refused(d, "uk", "land infantry transport 1 > Western-Europe") == "AA-5.40"
    d = position("noncombat", "uk", "uk: infantry, tank United-Kingdom | usa: transport SZ8")
    d.order("uk", "load infantry United-Kingdom > usa transport 1")
    assert refused(d, "uk", "land infantry usa transport 1 > United-Kingdom") == "AA-7.7"
    assert refused(d, "uk", "land tank usa transport 1 > United-Kingdom") == "AA-5.40"
    assert d.state.units[2].did == 0, "the ally's ship has done nothing"


def test_aa_5_40_8_20_landings_are_carried_out_and_taken_back():
    d = position("noncombat", "uk", "uk: transport SZ8; infantry, tank in transport 1")
    d.order("uk", "land infantry transport 1 > United-Kingdom")
    assert standing(d, "United-Kingdom") == ["infantry"]
    assert standing(d, "SZ8") == ["tank", "transport"]
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == "AA-5.27"
    d.order("uk", "land tank transport 1 > United-Kingdom")
    assert standing(d, "United-Kingdom") == ["infantry", "tank"]
    assert d.state.cargo(0) == ()
    units = "uk: transport SZ8; infantry, tank in transport 1; infantry United-Kingdom; transport SZ8"
    d = position("combat", "uk", units)
    d.order("uk", "land infantry transport 1 > Western-Europe", "load infantry United-Kingdom > transport 2", "recall")
    assert {unit.target for unit in d.state.units.values()} == {NONE}
    assert {unit.did for unit in d.state.units.values()} == {0}
    assert standing(d, "United-Kingdom") == ["infantry"]
    assert d.state.cargo(0) == (1, 2)
