"""S42-15: breakthrough combat."""

from __future__ import annotations

import pytest
from s42_combat import Table, combat
from test_s42_combat import where

from pbem_rules.stalingrad42.events import Advanced, BreakthroughEnded, BrokeThrough, Fought

WEST, HEX = 3417, 3418
GROUP = (("9Pz", WEST), ("11Pz", WEST), ("57ID", WEST))  # 26, with two columns for tanks
FIRST = ("45RD", HEX)  # 26:5 = 5:1, 7:1: a 1 brings DS, a 4 DR4, a 6 D1
ALL = f"attack {HEX} with 9pz 11pz 57id"


def fights(d: Table) -> list[tuple[int, tuple[str, ...], str]]:
    """Where, by whom and with which result, the first attack too."""
    return [(each.hex, each.units, each.result) for each in d.seen(Fought)]


def ended(d: Table) -> list[str]:
    return [each.why for each in d.seen(BreakthroughEnded)]


def test_ex_23_formed_in_the_emptied_hex_and_on_with_the_last_hex() -> None:
    """DS, four hexes: one to form, two on, the last for a breakthrough; what it empties is entered free."""
    axis = ("9Pz", WEST), ("11Pz", WEST), ("45ID", 3518)
    d = combat(*axis, FIRST, ("62RD", 3421), dice={HEX: 1}, through={3421: 1})
    way = f"{HEX}-3419-3420-3421"
    d.type(f"attack {HEX} with 9pz 11pz 45id break 9pz 11pz via {way} advance 45id {HEX} 3419\ndone")
    assert [place for place, *_ in fights(d)] == [HEX, 3421]
    assert "20 to 5 = 4:1, tanks +1 (S42-9.2.1), elite tanks +1 (S42-9.2.2): column 6:1" in d.seen(Fought)[1].odds
    assert where(d, "9Pz") == where(d, "11Pz") == 3421
    assert where(d, "45ID") == 3419
    assert [type(each).__name__ for each in d.log if isinstance(each, Advanced | BrokeThrough)][-1] == "Advanced"
    assert not ended(d)


def test_ex_24_three_breakthroughs_one_from_the_same_hex() -> None:
    """DS, four hexes: the emptied hex, X without entering it, Y, Z; every unit pays for itself (G12)."""
    soviets = ("62RD", 3519, 1), ("121RD", 3419, 1), ("13GRD", 3420, 1)
    d = combat(*GROUP, FIRST, *soviets, dice={HEX: 1}, through={3519: 1, 3419: 1, 3420: 1})
    d.type(f"{ALL} break 9pz 11pz 57id via {HEX}-3519-{HEX}-3419-3420\ndone")
    armour = ("9Pz", "11Pz")
    assert fights(d) == [
        (HEX, ("9Pz", "11Pz", "57ID"), "DS"),
        (3519, ("9Pz", "11Pz", "57ID"), "DS"),
        (3419, armour, "DS"),
        (3420, armour, "DS"),
    ]
    assert where(d, "9Pz") == where(d, "11Pz") == 3420
    assert where(d, "57ID") == HEX  # S42-14.2.2: two hexes, and both are spent
    assert [each.path for each in d.seen(BrokeThrough)] == [(WEST, HEX), (HEX, 3419), (3419, 3420)]


@pytest.mark.parametrize(
    ("way", "end"),
    [
        (f"{HEX}-3419-3420-3421", 3420),  # a D1 gives three
        ("3318-3319-3320", 3319),  # without the emptied hex one of them is lost
    ],
)
def test_ex_22_s42_15_2_3b_who_does_not_enter_the_emptied_hex_pays_a_hex(way: str, end: int) -> None:
    d = combat(*GROUP, FIRST, dice={HEX: 6}, turn=1)
    d.type(f"{ALL} break 9pz 11pz via {way} advance 57id 3318 3319\ndone")
    assert d.seen(Fought)[0].result == "D1"
    assert (where(d, "9Pz"), where(d, "57ID")) == (end, 3319)  # who is not of the group pays nothing
    assert ended(d) == ["no hexes of advance are left"]
