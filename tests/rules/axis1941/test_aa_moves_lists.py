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
