"""S42-18.2, S42-18.4: who can give artillery support, and how far it reaches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import Out, View
from pbem_rules.stalingrad42.combat.determined import favoured
from pbem_rules.stalingrad42.combat.guns import covered, no_guns, posts, price, use_guns
from pbem_rules.stalingrad42.combat.odds import attack
from pbem_rules.stalingrad42.combat.retreat import steadfast
from pbem_rules.stalingrad42.events import GunsUsed
from pbem_rules.stalingrad42.orders import GUNS
from pbem_rules.stalingrad42.state import DISRUPTED, POOL, ROUTED, State

BOARD = CHART.board
GRID = BOARD.grid
HQ = number("SW-HQ")


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def test_s42_18_2_1a_18_2_3b_18_6_5_who_can_be_named() -> None:
    s = position(("SW-HQ", 3418), ("Sup-S1", 3418), ("Sup-S2", 3419), ("45RD", 3418))
    supply = number("Sup-S1")
    assert list(posts(s, SOVIET)) == []
    change(s, "Sup-S1", ready=True)
    change(s, "Sup-S2", ready=True)
    assert list(posts(s, SOVIET)) == [(supply, HQ)]  # with one that has been used, too; Sup-S2 lies alone
    change(s, "SW-HQ", ready=True)
    assert list(posts(s, SOVIET)) == [(HQ, HQ), (supply, HQ)]
    assert list(posts(s, AXIS)) == []
    change(s, "Sup-S1", train=True)
    assert list(posts(s, SOVIET)) == [(HQ, HQ)]
    for changed in ({"order": DISRUPTED}, {"order": ROUTED}, {"train": True}):
        change(s, "SW-HQ", **{"order": 0, "train": False, **changed})
        assert list(posts(s, SOVIET)) == []
    change(s, "SW-HQ", order=0, train=False)
    s.renewed.add(HQ)
    assert list(posts(s, SOVIET)) == []
    s.renewed.clear()
    s.put(HQ, CHART.areas["m"])
    assert list(posts(s, SOVIET)) == []  # not out of an Area


def test_s42_18_4a_as_many_hexes_as_its_range() -> None:
    s = position(("SW-HQ", 3010))
    assert GRID is not None
    far = s.face(HQ).value("range")
    land = {place for place in BOARD.places if place in GRID and BOARD[place].terrain != "sea"}
    reached = set(BOARD.in_mask(covered(s, HQ))) & land
    assert reached == {place for place in land if GRID.distance(3010, place) <= far}


def test_s42_18_4a_29_1_1d_a_way_leads_into_a_contested_city_and_not_on() -> None:
    city = BOARD.place_named("Voronezh") or 0
    start = next(place for place in BOARD.near[city] if place // 100 > city // 100)
    far = position(("SW-HQ", start)).face(HQ).value("range")
    free = covered(position(("SW-HQ", start)), HQ)
    s = position(("SW-HQ", start), ("45RD", city), ("45ID", city))
    s.contests[city] = SOVIET
    shut = covered(s, HQ)
    assert GRID is not None
    behind = [
        p for p in BOARD.in_mask(free) if p in GRID and GRID.distance(start, p) == far == GRID.distance(city, p) + 1
    ]
    first = {p: [n for n in BOARD.near[start] if n in GRID and GRID.distance(n, p) == far - 1] for p in behind}
    straight = [p for p, ways in first.items() if ways == [city]]
    assert straight
    assert shut & BOARD.bit[city]
    assert not any(shut & BOARD.bit[p] for p in straight)
    s.put(HQ, city)
    assert covered(s, HQ) & BOARD.bit[start]  # out of it to those beside


def test_s42_18_4b_18_4_not_over_enemies_nor_two_zones_one_after_another() -> None:
    s = position(("SW-HQ", 3010), ("9Pz", 3012))
    mask, zone = covered(s, HQ), s.zone(AXIS)
    assert not mask & BOARD.bit[3012]
    assert mask & zone  # one zone is entered
    wider = 0
    for place in BOARD.in_mask(zone & ~BOARD.bit[3010]):
        s.put(number("45RD"), place)
        wider |= covered(s, HQ) & ~mask
    assert wider  # a friend cancels the zone in its hex
    s.put(number("45RD"), 3806)
    s.put(number("11Pz"), 3208)
    assert not covered(s, HQ) & BOARD.bit[3208]


def test_s42_18_4b_7_2_no_bond_is_entered_or_crossed() -> None:
    """The bond of 3417 and 3519 bars the side of 3418 and 3518; that of 3417 and 3419 the hex between them."""
    s = position(("SW-HQ", 3418), ("9Pz", 3417), ("57ID", 3519))
    assert not covered(s, HQ) & BOARD.bit[3518]
    s.put(number("45RD"), 3518)
    assert covered(s, HQ) & BOARD.bit[3518]  # a friend beyond cancels it, as for whoever moves
    s.put(number("45RD"), 1003)
    change(s, "57ID", order=DISRUPTED)
    assert covered(s, HQ) & BOARD.bit[3518]
    s = position(("SW-HQ", 3318), ("9Pz", 3417), ("57ID", 3419))
    assert not covered(s, HQ) & BOARD.bit[3418]
    change(s, "57ID", order=DISRUPTED)
    assert covered(s, HQ) & BOARD.bit[3418]


def test_s42_22_7b_18_4_it_ends_in_an_area_and_goes_no_further() -> None:
    area = CHART.areas["m"]
    s = position(("SW-HQ", 4105))
    assert covered(s, HQ) & BOARD.bit[area]
    far = s.face(HQ).value("range")
    beyond = [place for place in CHART.map.entries["m"].places if GRID and GRID.distance(4105, place) > far]
    assert beyond
    assert not covered(s, HQ) & BOARD.mask(beyond)


def test_s42_18_2_1a_18_3_1a_18_4_why_one_cannot_help_and_what_it_costs() -> None:
    s = position(("SW-HQ", 3010), ("Sup-S1", 3010), ("45RD", 3012), ("62RD", 3420))
    for code in ("SW-HQ", "Sup-S1"):
        change(s, code, ready=True)

    def rule(guns: str, unit: str) -> str:
        wrong = no_guns(s, SOVIET, (number(guns),), (number(unit),))
        return "" if wrong is None else wrong.rule

    assert rule("SW-HQ", "45RD") == rule("Sup-S1", "45RD") == ""
    assert rule("SW-HQ", "62RD") == "S42-18.4"
    assert rule("45RD", "45RD") == "S42-18.2.1"
    out = Out()
    use_guns(s, number("Sup-S1"), out)
    assert s.at(number("Sup-S1")) == POOL
    assert s.pieces[HQ].ready
    use_guns(s, HQ, out)
    assert (s.at(HQ), s.pieces[HQ].ready) == (3010, False)
    assert [(each.unit, each.spent) for each in out.events if isinstance(each, GunsUsed)] == [
        ("Sup-S1", True),
        ("SW-HQ", False),
    ]


def test_s42_18_2_1b_18_5b_18_6_5_the_price_of_support_is_said_and_who_would_do_the_same_for_less() -> None:
    s = position(("SW-HQ", 3010), ("Sup-S1", 3010), ("45RD", 3012), ("62RD", 3420))
    supply, units = number("Sup-S1"), [number("45RD")]
    for code in ("SW-HQ", "Sup-S1"):
        change(s, code, ready=True)
    spent = "Sup-S1 is spent by its support, and leaves the map (S42-18.6.5)"
    instead = "; SW-HQ would add the same column and stay on the map"
    assert price(s, supply, (supply,), units, (HQ, supply)) == f"{spent}{instead}."
    assert price(s, supply, (supply,), units, (supply,)) == f"{spent}."  # it fires elsewhere
    assert price(s, supply, (supply,), [number("62RD")], (HQ,)) == f"{spent}."  # out of range
    assert "makes it ready again (S42-18.2.1)" in price(s, HQ, (HQ,), units, ())
    assert GUNS.words.index("Sup-A1") > GUNS.words.index("5ShA-HQ")  # offered after all that are not spent
    assert [GUNS.said(each, View(s, ())) for each in (HQ, supply)] == ["SW-HQ", "Sup-S1 (which is spent)"]


def test_s42_12_2i_12_2c_only_combat_units_that_have_stayed_cover_their_hexes() -> None:
    s = position(("45RD", 3418), ("62RD", 3419), ("Sup-S1", 3420), ("9Pz", 3417))
    assert set(BOARD.in_mask(steadfast(s, SOVIET))) == {3418, 3419}
    s.fled.add(number("62RD"))
    assert set(BOARD.in_mask(steadfast(s, SOVIET))) == {3418}


@pytest.mark.parametrize(
    ("attacker", "start", "defenders", "target", "fort", "order", "helped"),
    [
        ("45ID", 3417, "45RD", 3418, False, 0, False),
        ("45ID", 3417, "45RD", 3418, False, DISRUPTED, False),  # halved
        ("9Pz", 3417, "45RD", 3418, False, 0, False),  # the attacker's columns
        ("45ID", 3417, "45RD", 3418, True, 0, True),
        ("9Pz", 3417, "45RD", 3418, True, 0, True),
        ("45ID", 3417, "16TC", 3418, False, 0, True),  # tanks that nobody meets
        ("9Pz", 3417, "16TC", 3418, False, 0, False),
        ("45ID", 3012, "45RD", 3112, False, 0, True),  # doubled behind a river
    ],
)
def test_s42_11_1_2a_11_1_2b_g9_when_the_defence_is_favoured(
    attacker: str, start: int, defenders: str, target: int, fort: bool, order: int, helped: bool
) -> None:
    s = position((attacker, start), (defenders, target))
    change(s, defenders, order=order)
    if fort:
        s.forts[target] = SOVIET
    assert favoured(attack(s, [number(attacker)], target, SOVIET)) is helped


def test_s42_18_4b_18_2_2_a_first_zone_is_entered_out_of_any_hex_a_second_is_not() -> None:
    assert GRID is not None
    ring = ("9Pz", "11Pz", "24Pz", "3Pz", "45ID", "95ID")
    s = position(("SW-HQ", 3010), *zip(ring, GRID.ring(3010, 2)[::2], strict=True))
    assert covered(s, HQ) == BOARD.mask(GRID.within(3010, 1))
