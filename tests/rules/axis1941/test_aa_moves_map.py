"""AA-2: what the map allows and forbids to units that move."""

from __future__ import annotations

import pytest
from axis_positions import position, refused, standing, unit_in, where

from pbem_rules.axis1941.chart import zone
from pbem_rules.axis1941.orders import Move, piece
from pbem_rules.axis1941.sight import look, ways_of
from pbem_rules.axis1941.units import Kind, Power, Side


def test_aa_2_3_friendly_hostile_and_neutral_are_relative():
    d = position("combat", "ussr", "ussr: infantry Karelia | uk: infantry India")
    s = d.state
    assert s.friendly(where("India"), Side.ALLIES)
    assert s.hostile(where("India"), Side.AXIS)
    assert not s.friendly(where("Turkey"), Side.ALLIES)
    assert not s.hostile(where("Turkey"), Side.ALLIES)
    assert look(s).side is Side.ALLIES
    s.active = Power.GERMANY
    assert look(s).side is Side.AXIS


def test_aa_2_4_control_does_not_depend_on_presence():
    d = position("noncombat", "germany", "germany: infantry Ukraine | ussr: infantry Caucasus")
    d.order("germany", "move infantry Ukraine > Eastern-Europe")
    assert d.state.control[where("Ukraine")] == "germany"


def test_aa_2_5_only_surface_warships_make_a_zone_hostile():
    for kind, hostile in (("destroyer", True), ("carrier", True), ("battleship", True), ("submarine", False)):
        d = position("combat", "uk", f"germany: {kind} SZ7 | uk: destroyer SZ8")
        assert bool(look(d.state).armed >> zone(7) & 1) is hostile
        d = position("combat", "uk", f"germany: {kind} SZ1")
        assert [d.state.hostile(zone(number), Side.ALLIES) for number in (1, 2)] == [hostile, False]


def test_aa_2_6_submarines_and_transports_stop_nobody():
    d = position("combat", "uk", "germany: submarine, transport SZ8; destroyer SZ14 | uk: destroyer SZ7")
    assert refused(d, "uk", "move destroyer SZ7 > SZ8 > SZ14") == ""
    d = position("combat", "uk", "germany: submarine SZ6; transport SZ7 | uk: transport SZ7; infantry United-Kingdom")
    assert refused(d, "uk", "load infantry United-Kingdom > transport 1") == ""


def test_aa_2_7_kinds_of_ships():
    d = position("combat", "uk", "germany: destroyer SZ7 | uk: transport SZ8; submarine SZ8")
    d.order("uk", "move transport 1 SZ8 > SZ7")
    assert refused(d, "uk", "done") == "AA-5.21", "a transport is no warship"
    d.order("uk", "move submarine SZ8 > SZ7")
    assert refused(d, "uk", "done") == "", "a submarine is one"


def test_aa_2_8_a_shared_zone_is_hostile_to_both():
    d = position("combat", "uk", "germany: destroyer SZ7 | uk: destroyer SZ7 | usa: battleship SZ7")
    assert d.state.hostile(zone(7), Side.ALLIES)
    assert d.state.hostile(zone(7), Side.AXIS)


def test_aa_2_9_neutrals_are_closed():
    d = position("combat", "uk", "uk: infantry, tank, fighter Middle-East | germany: infantry Southern-Europe")
    assert refused(d, "uk", "move infantry Middle-East > Turkey") == "AA-2.9"
    assert refused(d, "uk", "move fighter Middle-East > Turkey") == "AA-2.9"
    # Spaces over neutrals are not counted: from Gibraltar the only ways lead over the sea.
    assert d.state.chart.air[where("Gibraltar")][where("Western-Europe")] == 2


def test_aa_2_11_the_straits_are_closed_to_ships():
    ships = "ussr: submarine, destroyer SZ18; fighter Caucasus | germany: destroyer SZ17"
    d = position("combat", "ussr", ships)
    for kind in ("submarine", "destroyer"):
        assert refused(d, "ussr", f"move {kind} SZ18 > SZ17") == "AA-2.11"
    assert refused(d, "ussr", "move fighter Caucasus > SZ17") == "", "aircraft cross"
    d = position("combat", "ussr", ships, options={"straits": "open"})
    assert refused(d, "ussr", "move destroyer SZ18 > SZ17") == ""


def test_aa_2_12_inside_the_straits_ships_load_and_land():
    d = position("combat", "ussr", "ussr: transport SZ18; 2 infantry Caucasus | germany: infantry Ukraine")
    d.order("ussr", "load 2 infantry Caucasus > transport 1", "land 2 infantry transport 1 > Ukraine")
    assert refused(d, "ussr", "done") == ""
    assert not any(order.kind == "move" and order.path[0] == zone(18) for order in d.legal("ussr"))


def test_aa_2_13_panama():
    ships = "usa: destroyer SZ12 | japan: destroyer SZ19"
    assert refused(position("combat", "usa", ships), "usa", "move destroyer SZ12 > SZ19") == ""
    d = position("combat", "usa", ships, control={"Central-America": "japan"})
    assert refused(d, "usa", "move destroyer SZ12 > SZ19") == "AA-2.13"


def test_aa_2_14_suez_needs_both_sides_of_it():
    ships = "uk: destroyer SZ28 | germany: destroyer SZ17"
    assert refused(position("combat", "uk", ships), "uk", "move destroyer SZ28 > SZ17") == ""
    for lost in ("Middle-East", "Anglo-Egypt-Sudan"):
        d = position("combat", "uk", ships, control={lost: "germany"})
        assert refused(d, "uk", "move destroyer SZ28 > SZ17") == "AA-2.14"
        d = position("combat", "germany", ships, control={lost: "germany"})
        assert refused(d, "germany", "move destroyer SZ17 > SZ28") == "AA-2.14", "nor is it open to the other side"
    s = position("combat", "uk", ships).state
    for power, is_open in ((Power.UK, True), (Power.GERMANY, False), (Power.USA, True)):  # anew in every turn
        s.active = power
        for _ in range(2):
            s.ground.view = None  # as after every move
            assert bool(look(s).sea[where("SZ28")] >> where("SZ17") & 1) is is_open


def test_aa_2_15_a_canal_taken_this_turn_stays_closed():
    d = position(
        "noncombat", "germany", "germany: destroyer SZ17",
        control={"Middle-East": "germany", "Anglo-Egypt-Sudan": "germany"}, was={"Anglo-Egypt-Sudan": "uk"},
    )  # fmt: skip
    assert refused(d, "germany", "move destroyer SZ17 > SZ28") == "AA-2.14"


def test_aa_2_16_an_allys_control_is_enough_and_submarines_pay_too():
    d = position("noncombat", "uk", "uk: destroyer, submarine SZ19")
    assert refused(d, "uk", "move destroyer SZ19 > SZ12") == "", "Central America is American"
    d = position("noncombat", "uk", "uk: submarine SZ19", control={"Central-America": "japan"})
    assert refused(d, "uk", "move submarine SZ19 > SZ12") == "AA-2.13"


def test_aa_2_17_land_units_walk_across_canals():
    d = position("noncombat", "uk", "uk: infantry Middle-East")
    assert refused(d, "uk", "move infantry Middle-East > Anglo-Egypt-Sudan") == ""
    d = position("combat", "germany", "germany: infantry Middle-East", control={"Middle-East": "germany"})
    assert refused(d, "germany", "move infantry Middle-East > Anglo-Egypt-Sudan") == ""


@pytest.mark.parametrize(("a", "b"), [(12, 19), (17, 28), (17, 18), (19, 12), (28, 17), (18, 17)])
def test_aa_2_18_aircraft_ignore_canals(a, b):
    """Panama, Suez and the straits, all closed to ships."""
    closed = {"Central America": "japan", "Anglo-Egypt-Sudan": "germany", "Middle East": "germany"}
    units = f"uk: carrier, fighter, destroyer SZ{a} | germany: transport SZ{b}"
    d = position("combat", "uk", units, control=closed)
    assert refused(d, "uk", f"move destroyer SZ{a} > SZ{b}") in ("AA-2.11", "AA-2.13", "AA-2.14")
    d.order("uk", f"move fighter SZ{a} > SZ{b}")
    assert unit_in(d, f"SZ{b}", "fighter").used == 1


def test_aa_2_19_no_other_straits():
    d = position("noncombat", "germany", "germany: destroyer SZ5; destroyer SZ15", control={"Gibraltar": "uk"})
    assert refused(d, "germany", "move destroyer SZ15 > SZ14") == ""
    assert refused(d, "germany", "move destroyer SZ5 > SZ6") == ""


def test_aa_2_22_gibraltar_and_brazil_have_no_land_neighbours():
    land = ways_of(position("combat", "uk").state.chart).land
    assert land[where("Gibraltar")] == land[where("Brazil")] == 0


def test_aa_2_24_decks_and_holds_are_shared_by_permission():
    units = "usa: transport SZ7 | uk: infantry United-Kingdom; fighter SZ9; carrier SZ9"
    assert refused(position("noncombat", "uk", units), "uk", "load infantry United-Kingdom > usa transport 1") == ""
    d = position("noncombat", "uk", units, denied=("usa/hold/uk",))
    assert refused(d, "uk", "load infantry United-Kingdom > usa transport 1") == "AA-2.24"
    decks = "usa: carrier SZ40 | uk: fighter Hawaiian-Islands"
    assert refused(position("noncombat", "uk", decks), "uk", "move fighter Hawaiian-Islands > SZ40") == ""
    d = position("noncombat", "uk", decks, denied=("usa/deck/uk",))
    assert refused(d, "uk", "move fighter Hawaiian-Islands > SZ40") == "AA-8.7"


def test_aa_2_25_everybody_in_his_element():
    d = position("noncombat", "uk", "uk: infantry United-Kingdom; destroyer SZ7; transport SZ8; fighter United-Kingdom")
    assert refused(d, "uk", "move infantry United-Kingdom > SZ7") == "AA-2.25"
    assert refused(d, "uk", "move destroyer SZ7 > United-Kingdom") == "AA-2.25"
    assert refused(d, "uk", "move fighter United-Kingdom > SZ7") == "AA-8.7", "without a deck no fighter ends at sea"
    d.order("uk", "load infantry United-Kingdom > transport 1")
    assert standing(d, "SZ8") == ["infantry", "transport"]


def test_aa_2_1_a_wrong_neighbour_is_named():
    d = position("combat", "ussr", "ussr: infantry Russia; destroyer SZ4")
    (order,) = d.game.notation.parse("move infantry Russia > Ukraine", d.context("ussr"))
    violation = d.check("ussr", Move(order.piece, (where("Russia"), where("Ukraine"))))
    assert violation.rule == "AA-2.1"
    assert "West Russia" in violation.reason
    violation = d.check("ussr", Move(piece(Kind.DESTROYER), (zone(4), zone(5))))
    assert violation.rule == "AA-2.1"
    assert "SZ3" in violation.reason
    d = position("combat", "ussr", "ussr: tank Russia")
    violation = d.check("ussr", Move(piece(Kind.TANK), tuple(map(where, ("Russia", "West-Russia", "Siberia")))))
    assert violation.reason.startswith("Siberia is not next to West Russia")
