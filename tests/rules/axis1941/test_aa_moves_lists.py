"""What is listed as legal in each phase: all that the rules let pass, and nothing else."""

from __future__ import annotations

import pytest
from axis_positions import assert_exact, position

NORTH = (
    "uk: infantry, tank, fighter, bomber United-Kingdom; 2 transport SZ8; infantry in transport 1; battleship SZ8;"
    " carrier, fighter, submarine, destroyer SZ9; tank, infantry Anglo-Egypt-Sudan"
    " | usa: 3 transport, carrier SZ8; infantry in transport 1 | uk: infantry in transport 3"
    " | germany: destroyer SZ6; submarine SZ9; transport, submarine SZ7; infantry Germany; infantry Gibraltar;"
    " submarine SZ14"
)
HELD = {"Gibraltar": "germany", "Italian-East-Africa": "germany", "Belgian-Congo": "germany"} | dict.fromkeys(
    ("Philippine-Islands", "Borneo", "New-Guinea", "Solomon-Islands", "Australia", "East-Indies", "Szechwan"), "japan"
)
EAST = (
    "usa: carrier, 2 fighter SZ40; carrier SZ38; battleship, destroyer, submarine SZ39; transport SZ39;"
    " bomber Hawaiian-Islands; infantry Wake-Island; tank in transport 1 | uk: fighter SZ38; carrier SZ39;"
    " transport SZ40 | japan: destroyer SZ44; carrier, fighter SZ46; submarine SZ39; transport SZ36"
)

PLEDGE = "usa: 2 carrier, 2 fighter SZ40; fighter Western-United-States | japan: infantry Philippine-Islands"


@pytest.mark.parametrize(
    ("power", "units", "orders"),
    [
        ("uk", NORTH, ()),
        ("uk", NORTH, ("load infantry United-Kingdom > transport 1", "attack SZ9")),
        ("uk", NORTH, ("move transport 1 SZ8 > SZ7", "land infantry transport 1 > Western-Europe")),
        ("uk", NORTH, ("move battleship SZ8 > SZ6", "move tank Anglo-Egypt-Sudan > North-Africa")),
        ("uk", NORTH, ("move transport 2 SZ8 > SZ7", "move carrier 1 SZ9 > SZ7", "first SZ7")),
        ("usa", EAST, ()),
        ("usa", EAST, ("move 2 fighter SZ40 > SZ44", "attack SZ39")),
        ("usa", PLEDGE, ("sortie 2 fighter SZ40 > Philippine-Islands",)),
        ("usa", PLEDGE, ("sortie 2 fighter SZ40 > Philippine-Islands", "promise carrier 2 SZ38")),
        ("usa", EAST, ("move submarine SZ39 > SZ44", "attack SZ39", "ignore SZ39")),
    ],
)
def test_aa_5_1_all_that_may_be_ordered_in_the_combat_move_is_listed(power, units, orders):
    d = position("combat", power, units, control=HELD, bought={"carrier": 1})
    d.order(power, *orders)
    assert_exact(d)


@pytest.mark.parametrize(
    ("power", "units", "orders"),
    [
        ("uk", NORTH, ()),
        ("uk", NORTH, ("load infantry United-Kingdom > transport 1", "load tank United-Kingdom > transport 2")),
        ("uk", NORTH, ("land infantry transport 1 > United-Kingdom",)),
        ("uk", NORTH, ("load tank United-Kingdom > usa transport 1", "home")),
        ("usa", EAST, ()),
        ("usa", EAST, ("move carrier 1 SZ40 > SZ41", "move fighter SZ40 > SZ38")),
        ("usa", EAST, ("load infantry Wake-Island > transport 1", "move carrier 1 SZ40 > SZ43")),
    ],
)
def test_aa_8_1_all_that_may_be_ordered_in_the_non_combat_move_is_listed(power, units, orders):
    d = position("noncombat", power, units, control=HELD, bought={"carrier": 1})
    for order in orders:
        d.order(power, order)
    assert_exact(d)


def test_aa_5_3_5_8_5_10_5_11_the_ways_of_land_units_in_the_combat_move():
    """Infantry one space, tanks two; a blitz goes through what is empty, and back."""
    d = position(
        "combat",
        "ussr",
        "ussr: tank, infantry Russia | germany: infantry Ukraine; fighter Eastern-Europe",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move",))] == [
        "move infantry Russia > West-Russia",
        "move tank Russia > Archangel > West-Russia",
        "move tank Russia > Caucasus > Ukraine",
        "move tank Russia > Caucasus > West-Russia",
        "move tank Russia > West-Russia",
        "move tank Russia > West-Russia > Archangel",
        "move tank Russia > West-Russia > Caucasus",
        "move tank Russia > West-Russia > Eastern-Europe",
        "move tank Russia > West-Russia > Karelia",
        "move tank Russia > West-Russia > Russia",
        "move tank Russia > West-Russia > Ukraine",
    ]


def test_aa_8_2_8_18_the_ways_of_land_units_in_the_non_combat_move():
    """Through friends only, and never back to where they are."""
    d = position(
        "noncombat",
        "ussr",
        "ussr: tank, infantry Russia | germany: infantry Ukraine",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move",))] == [
        "move infantry Russia > Archangel",
        "move infantry Russia > Caucasus",
        "move infantry Russia > Urals",
        "move tank Russia > Archangel",
        "move tank Russia > Archangel > Karelia",
        "move tank Russia > Archangel > Urals",
        "move tank Russia > Caucasus",
        "move tank Russia > Caucasus > Middle-East",
        "move tank Russia > Caucasus > Northwestern-China",
        "move tank Russia > Caucasus > Szechwan",
        "move tank Russia > Caucasus > Urals",
        "move tank Russia > Urals",
        "move tank Russia > Urals > Archangel",
        "move tank Russia > Urals > Caucasus",
        "move tank Russia > Urals > Northwestern-China",
        "move tank Russia > Urals > Siberia",
    ]


def test_aa_5_13_5_22_the_ways_of_warships_in_the_combat_move():
    """To enemies within two spaces; a destroyer stops submarines, submarines and transports stop nobody."""
    d = position(
        "combat",
        "uk",
        "uk: submarine, destroyer SZ8 | germany: destroyer SZ7; submarine SZ6; transport SZ14",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move",))] == [
        "move destroyer SZ8 > SZ14",
        "move destroyer SZ8 > SZ6",
        "move destroyer SZ8 > SZ6 > SZ7",
        "move destroyer SZ8 > SZ7",
        "move destroyer SZ8 > SZ9 > SZ14",
        "move destroyer SZ8 > SZ9 > SZ6",
        "move submarine SZ8 > SZ14",
        "move submarine SZ8 > SZ6",
        "move submarine SZ8 > SZ6 > SZ7",
        "move submarine SZ8 > SZ7",
        "move submarine SZ8 > SZ9 > SZ14",
        "move submarine SZ8 > SZ9 > SZ6",
    ]


def test_aa_8_12_8_13_the_ways_of_ships_in_the_non_combat_move():
    """Hostile zones are for submarines only, which a destroyer stops where it is."""
    d = position(
        "noncombat",
        "uk",
        "uk: submarine, destroyer SZ8 | germany: destroyer SZ7; submarine SZ6; battleship SZ14",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move",))] == [
        "move destroyer SZ8 > SZ6",
        "move destroyer SZ8 > SZ6 > SZ2",
        "move destroyer SZ8 > SZ6 > SZ3",
        "move destroyer SZ8 > SZ6 > SZ5",
        "move destroyer SZ8 > SZ6 > SZ9",
        "move destroyer SZ8 > SZ9",
        "move destroyer SZ8 > SZ9 > SZ10",
        "move destroyer SZ8 > SZ9 > SZ13",
        "move destroyer SZ8 > SZ9 > SZ2",
        "move destroyer SZ8 > SZ9 > SZ6",
        "move submarine SZ8 > SZ14",
        "move submarine SZ8 > SZ14 > SZ13",
        "move submarine SZ8 > SZ14 > SZ15",
        "move submarine SZ8 > SZ14 > SZ23",
        "move submarine SZ8 > SZ14 > SZ9",
        "move submarine SZ8 > SZ6",
        "move submarine SZ8 > SZ6 > SZ2",
        "move submarine SZ8 > SZ6 > SZ3",
        "move submarine SZ8 > SZ6 > SZ5",
        "move submarine SZ8 > SZ6 > SZ7",
        "move submarine SZ8 > SZ6 > SZ9",
        "move submarine SZ8 > SZ7",
        "move submarine SZ8 > SZ9",
        "move submarine SZ8 > SZ9 > SZ10",
        "move submarine SZ8 > SZ9 > SZ13",
        "move submarine SZ8 > SZ9 > SZ14",
        "move submarine SZ8 > SZ9 > SZ2",
        "move submarine SZ8 > SZ9 > SZ6",
    ]


def test_aa_5_33_5_34_5_39_the_ways_of_aircraft_in_the_combat_move():
    """To units only, and not farther than it is back to land."""
    d = position(
        "combat",
        "uk",
        "uk: fighter, bomber United-Kingdom"
        " | germany: destroyer SZ5; infantry Germany; infantry Ukraine; transport SZ16; submarine SZ7",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move",))] == [
        "move bomber United-Kingdom > Germany",
        "move bomber United-Kingdom > SZ16",
        "move bomber United-Kingdom > SZ5",
        "move bomber United-Kingdom > SZ7",
        "move bomber United-Kingdom > Ukraine",
        "move fighter United-Kingdom > SZ5",
        "move fighter United-Kingdom > SZ7",
    ]


def test_aa_5_25_5_42_transports_in_the_combat_move():
    """They load beside a coast, and sail to where a landing is possible or a battle waits."""
    d = position(
        "combat",
        "uk",
        "uk: transport SZ8; infantry, tank United-Kingdom | germany: submarine SZ7; destroyer SZ6; infantry Germany",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move", "load", "land"))] == [
        "load infantry United-Kingdom uk-transport-1",
        "load tank United-Kingdom uk-transport-1",
        "move transport-1 SZ8 > SZ14",
        "move transport-1 SZ8 > SZ6",
        "move transport-1 SZ8 > SZ7",
        "move transport-1 SZ8 > SZ7 > SZ6",
        "move transport-1 SZ8 > SZ9",
        "move transport-1 SZ8 > SZ9 > SZ6",
    ]


def test_aa_8_19_8_20_transports_in_the_non_combat_move():
    """They load and land among friends, and keep out of hostile zones."""
    d = position(
        "noncombat",
        "uk",
        "uk: transport SZ8; infantry, tank United-Kingdom; infantry in transport 1"
        " | germany: submarine SZ7; destroyer SZ6",
    )
    assert [text for text in assert_exact(d) if text.startswith(("move transport", "load", "land"))] == [
        "land infantry uk-transport-1 United-Kingdom",
        "load infantry United-Kingdom uk-transport-1",
        "load tank United-Kingdom uk-transport-1",
        "move transport-1 SZ8 > SZ14",
        "move transport-1 SZ8 > SZ14 > SZ13",
        "move transport-1 SZ8 > SZ14 > SZ15",
        "move transport-1 SZ8 > SZ14 > SZ23",
        "move transport-1 SZ8 > SZ14 > SZ9",
        "move transport-1 SZ8 > SZ7",
        "move transport-1 SZ8 > SZ9",
        "move transport-1 SZ8 > SZ9 > SZ10",
        "move transport-1 SZ8 > SZ9 > SZ13",
        "move transport-1 SZ8 > SZ9 > SZ14",
        "move transport-1 SZ8 > SZ9 > SZ2",
    ]
