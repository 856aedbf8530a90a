"""S42-14: advance after combat."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position
from test_s42_combat import rule_of

from pbem.game import Event
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, UNIT
from pbem_rules.stalingrad42.combat.advance import hexes, may_advance, ways
from pbem_rules.stalingrad42.events import Advanced, BrokeThrough, RailheadBack, StayedBehind
from pbem_rules.stalingrad42.orders import Attack, Follow
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, ROUTED, State

BOARD = CHART.board
GRID = BOARD.grid


def change(s: State, code: str, **values: int | bool) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))  # type: ignore[arg-type]


def found(s: State, code: str, emptied: int, budget: int, *, limited: bool = False) -> set[tuple[int, ...]]:
    return set(ways(s, number(code), emptied, budget, limited=limited))


def ends(s: State, code: str, emptied: int, budget: int) -> set[int]:
    return {way[-1] for way in found(s, code, emptied, budget)}


@pytest.mark.parametrize(
    ("code", "dry", "wet"),
    [
        ("9Pz", [4, 3, 2], [2, 2, 1]),
        ("1MB", [4, 3, 2], [2, 2, 1]),
        ("5CC", [3, 3, 2], [2, 2, 1]),
        ("45ID", [2, 2, 2], [2, 2, 1]),
    ],
)
def test_s42_14_2_1_14_2_2_16_4c_23_2_3d_hexes_by_kind_and_weather(code: str, dry: list[int], wet: list[int]) -> None:
    s = position((code, 3417))
    assert [hexes(s, number(code), printed) for printed in (4, 3, 2)] == dry
    s.wet = True
    assert [hexes(s, number(code), printed) for printed in (4, 3, 2)] == wet
    s.wet = False
    for supply in (OUT_OF_SUPPLY, ISOLATED):
        change(s, code, supply=supply)
        assert [hexes(s, number(code), printed) for printed in (4, 3, 2)] == [2, 2, 2]  # S42-16.4c


def test_s42_14_1c_who_may_not_advance() -> None:
    s = position(("9Pz", 3417))
    unit = number("9Pz")
    assert may_advance(s, unit)
    for order, train, able in (
        (DISRUPTED, False, True),
        (ROUTED, False, False),
        (GOOD, True, False),
        (GOOD, False, True),
    ):
        change(s, "9Pz", order=order, train=train)
        assert may_advance(s, unit) == able
    s.frozen[unit] = "garrison"
    assert not may_advance(s, unit)
    assert not may_advance(s, number("11Pz"))  # nowhere


def test_s42_14_3_14_4_2a_6_2c_any_direction_and_a_zone_ends_it_but_in_the_emptied_hex() -> None:
    s = position(("9Pz", 3417), ("45RD", 3420))
    assert ends(s, "9Pz", 3418, 1) == set(GRID.neighbours(3417))  # S42-14.3
    assert 3420 not in ends(s, "9Pz", 3418, 4)  # where an enemy stands
    zone = s.zone(SOVIET)
    assert zone & BOARD.bit[3419]
    for way in found(s, "9Pz", 3418, 4):
        assert all(not zone & BOARD.bit[place] for place in way[:-1])
    s = position(("9Pz", 3417), ("45RD", 3519))
    assert s.zone(SOVIET) & BOARD.bit[3418]
    assert any(len(way) == 2 for way in found(s, "9Pz", 3418, 2) if way[0] == 3418)
    assert all(way[0] == 3418 for way in found(s, "9Pz", 3418, 2) if 3418 in way[:1] and len(way) == 2)
    assert not any(way[0] == 3518 and len(way) > 1 for way in found(s, "9Pz", 3418, 2))
    s.put(number("45ID"), 3518)
    assert not any(way[0] == 3518 and len(way) > 1 for way in found(s, "9Pz", 3418, 2))  # friends do not help


def test_s42_14_4_1_7_2c_a_bond_bars_all_but_the_emptied_hex() -> None:
    s = position(("9Pz", 3318), ("45RD", 3417), ("62RD", 3419))
    assert 3418 in ends(s, "9Pz", 3418, 2)
    assert 3418 not in ends(s, "9Pz", 3317, 2)
    s = position(("9Pz", 3418), ("45RD", 3417), ("62RD", 3519))
    assert 3518 in ends(s, "9Pz", 3518, 1)
    assert 3518 not in ends(s, "9Pz", 3318, 1)
    s = position(("9Pz", 3318), ("45RD", 3417), ("62RD", 3519), ("45ID", 3518))
    assert (3418, 3518) in found(s, "9Pz", 3418, 2)  # S42-7.3: with a friend there, for whoever moves


def test_s42_14_2_3_limited_into_the_emptied_hex_alone() -> None:
    s = position(("9Pz", 3417))
    assert found(s, "9Pz", 3418, 4, limited=True) == {(3418,)}
    assert found(s, "9Pz", 3418, 0, limited=True) == set()


def test_s42_14_5b_5_5_5c_14_5a_over_a_major_river_only_into_the_emptied_hex() -> None:
    s = position(("9Pz", 3012))
    assert (3112,) in found(s, "9Pz", 3112, 1)  # a hex like any other
    assert 3112 not in ends(s, "9Pz", 2912, 4)
    s = position(("9Pz", 2912))
    assert 3112 not in ends(s, "9Pz", 3012, 4)  # it did not attack over it
    s.put(number("45ID"), 3112)
    assert 3112 in ends(s, "9Pz", 3012, 2)  # a pontoon


def test_s42_14_5c_marsh_ends_it_unless_by_road() -> None:
    s = position(("9Pz", 3530))
    through = {way for way in found(s, "9Pz", 3531, 3) if 3532 in way[:-1]}
    assert through
    s.rained = True
    after = found(s, "9Pz", 3531, 3)
    assert (3531, 3532) in after
    assert not any(3532 in way[:-1] for way in after)
    s.put(number("9Pz"), 3631)
    assert any(way[:2] == (3532, 3432) for way in found(s, "9Pz", 3532, 2))  # by the road to Novocherkassk


def test_s42_22_3_1a_into_a_friendly_area_and_no_further() -> None:
    s = position(("16TC", 4005), ("9Pz", 4007))
    area = CHART.areas["m"]
    got = found(s, "16TC", 4105, 3)
    assert (4105, area) in got
    assert not any(area in way[:-1] for way in got)
    assert area not in ends(s, "9Pz", 4107, 3)
    assert s.zone(AXIS)


# In the middle of a combat


def victory(*units: tuple[str, int], orders: str, die: int = 1, state: State | None = None) -> Table:
    """Armour in 3417 shatters a division in 3418: four hexes."""
    armour = ("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418)
    d = combat(*armour, *units, dice={3418: die}, turn=1, state=state)
    d.type(f"attack 3418 with 9pz 11pz {orders}\ndone")
    return d


def paths(d: Table) -> dict[str, tuple[int, ...]]:
    return {each.unit: each.path[1:] for each in d.seen(Advanced)}


def test_s42_14_1a_stack_mates_go_too_supplies_with_them_but_not_support_from_afar() -> None:
    armour = ("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418)
    s = position(*armour, ("Sup-A1", 3417), ("6A-HQ", 3317), ("45ID", 3517))
    change(s, "6A-HQ", ready=True)
    d = combat(state=s, dice={3418: 1})
    for aside in ("6a-hq 3417", "45id 3418"):
        assert rule_of(d, f"attack 3418 with 9pz 11pz guns 6a-hq advance 57id 3418 {aside}") == "S42-14.1a"
    d = victory(orders="guns 6a-hq advance 57id 3418 sup-a1 3418", state=s)
    assert paths(d) == {"57ID": (3418,), "Sup-A1": (3418,)}


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("9pz 3418 3419 3420", ""),
        ("9pz 3318 3319", ""),  # S42-14.3: not by the emptied hex
        ("9pz 4126", "S42-14.3"),
        ("9pz 3419", "S42-14.3"),  # beside the emptied hex, but not beside 9Pz
        ("9pz 3418 3420", "S42-14.3"),
        ("9pz 3418 11pz 3418 3418", "S42-14.3"),
        ("9pz", "S42-14.1"),
        ("45rd 3418", "S42-14.1a"),
        ("9pz 3418 3419 3420 3421 3422", "S42-14.2.1"),
    ],
)
def test_s42_14_1a_14_2_1_14_3_an_advance_that_could_never_be_is_refused(words: str, rule: str) -> None:
    d = combat(("9Pz", 3417), ("11Pz", 3417), ("45RD", 3418))
    assert rule_of(d, f"attack 3418 with 9pz 11pz advance {words}") == rule


def test_s42_14_1a_by_a_standing_order_the_strongest_attacker_goes_into_the_emptied_hex() -> None:
    d = combat(("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418), dice={3418: 1}, turn=1)
    d.stand(AXIS, "advance", "then strongest")
    d.type("attack 3418 with 9pz 11pz\ndone")
    assert paths(d) == {"9Pz": (3418,)}  # 11Pz could, too
    assert paths(victory(orders="")) == {}


def test_s42_14_1b_a_unit_that_cannot_advance_any_more_is_named() -> None:
    """45ID and 75ID fill the hex; of those who do not win nobody is told about."""
    d = victory(("45ID", 3318), ("75ID", 3318), orders="45id 75id advance 45id 3418 75id 3418 9pz 3418 11pz 3418")
    assert [each.words() for each in d.seen(StayedBehind)] == ["11Pz stays in 3417: 3418 is too far, barred, or full."]
    d = combat(("45ID", 3417), ("62RD", 3418), dice={3418: 6})
    d.type("attack 3418 with 45id advance 45id 3418\ndone")
    assert d.state.at(number("45ID")) == 3417
    assert not d.seen(StayedBehind)


def test_s42_14_1b_4_4a_stacking_is_right_at_the_end_of_each_advance() -> None:
    d = victory(("45ID", 3318), ("75ID", 3318), orders="45id 75id advance 45id 3418 75id 3418 9pz 3418 11pz 3418 3419")
    assert paths(d) == {"45ID": (3418,), "75ID": (3418,), "9Pz": (3418,), "11Pz": (3418, 3419)}
    d = victory(("45ID", 3318), ("75ID", 3318), orders="45id 75id advance 45id 3418 75id 3418 9pz 3418 11pz 3418")
    assert "11Pz" not in paths(d)


def test_s42_14_1c_not_in_full_retreat_nor_on_a_train() -> None:
    for changed in ({"order": ROUTED}, {"train": True}):
        s = position(("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418))
        change(s, "57ID", **changed)
        assert paths(victory(orders="advance 57id 3418 9pz 3418", state=s)) == {"9Pz": (3418,)}


def test_s42_14_4_2a_a_zone_ends_an_advance_though_friends_stand_there() -> None:
    d = victory(("62RD", 3420), ("45ID", 3519), orders="advance 9pz 3418 3519 3619 11pz 3418 3319 3320")
    assert d.state.zone(SOVIET) & BOARD.bit[3519] == 0
    assert paths(d)["9Pz"] == (3418, 3519, 3619)
    assert paths(d)["11Pz"] == (3418, 3319, 3320)
    d = victory(("62RD", 3520), ("45ID", 3519), orders="advance 9pz 3418 3519 3518 11pz 3418 3319")
    assert paths(d)["9Pz"] == (3418, 3519)


def test_s42_14_4_2b_a_group_may_free_itself() -> None:
    d = combat(
        ("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418), ("62RD", 3520, 1),
        dice={3418: 1}, through={3520: 1},
    )  # fmt: skip
    d.type("attack 3418 with 9pz 11pz 57id break 9pz 11pz via 3418-3419-3520-3419-3420\ndone")
    assert d.state.at(number("9Pz")) == 3420


def test_s42_14_5e_minor_rivers_cities_and_woods_do_nothing_to_it() -> None:
    """Over the stream between 3520 and 3420; through the woods of 2602 and 2702; through Izyum's neighbour 2025."""
    s = position(("9Pz", 3520))
    assert (3420, 3419) in found(s, "9Pz", 3519, 2)
    s = position(("9Pz", 2601))
    assert any(way[:2] == (2702, 2802) for way in found(s, "9Pz", 2602, 3))
    near = BOARD.near[2025]
    s = position(("9Pz", near[0]))
    assert any(way[0] == 2025 and len(way) == 2 for way in found(s, "9Pz", 2025, 2))


def test_s42_14_5a_2_2_3a_nowhere_that_movement_could_not_go() -> None:
    sea = {place.id for place in BOARD.places.values() if place.terrain == "sea"}
    coast = next(
        place for place in BOARD.near if place in GRID and place not in sea and sea & {*GRID.neighbours(place)}
    )
    s = position(("9Pz", coast))
    assert not sea & {place for way in found(s, "9Pz", BOARD.near[coast][0], 3) for place in way}


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ((UNIT + number("9Pz"), 3418), ""),
        ((UNIT + number("9Pz"), 3418, 3419, 3420, 3421), ""),
        ((UNIT + number("9Pz"), 3418, 3419, 3420, 3421, 3422), "S42-14.2.1"),
        ((UNIT + number("9Pz"), 3418, 9999), "S42-14.2.1"),
        ((UNIT + number("9Pz"),), "S42-14.1"),
        ((3418,), "S42-14.1"),
        ((UNIT + number("45RD"), 3418), "S42-14.1a"),
    ],
)
def test_s42_14_1a_14_2_1_what_can_be_listed(words: tuple[int, ...], rule: str) -> None:
    d = combat(("9Pz", 3417), ("45RD", 3418))
    found = d.check(AXIS, Attack(3418, (number("9Pz"),), advance=words))
    assert (found.rule if found else "") == rule


def test_s42_14_1a_18_6_3_supplies_go_along_packed_and_to_no_enemy_supplies() -> None:
    armour = ("9Pz", 3417), ("11Pz", 3417), ("57ID", 3417), ("45RD", 3418), ("Sup-A1", 3417), ("Sup-S1", 3419)
    for changed, fixed, way in (
        ({}, False, (3418,)),
        ({"ready": True}, False, None),
        ({}, True, None),
    ):
        s = position(*armour)
        change(s, "Sup-A1", **changed)
        if fixed:
            s.fixed.add(number("Sup-A1"))
        assert paths(victory(orders="advance sup-a1 3418 3419", state=s)).get("Sup-A1") == way


def test_s42_14_5b_who_has_not_attacked_over_the_river_does_not_cross_it() -> None:
    """Out of 3012 over the Don into 3112."""
    units = ("9Pz", 3012), ("11Pz", 3012), ("57ID", 3012), ("45RD", 3112, 1)
    d = combat(*units, dice={3112: 1}, turn=1)
    d.type("attack 3112 with 9pz 11pz advance 57id 3112 9pz 3112\ndone")
    assert set(paths(d)) == {"9Pz"}


def test_s42_14_5b_g15_who_has_crossed_holds_the_far_bank_for_the_others() -> None:
    units = ("9Pz", 3012), ("11Pz", 3012), ("57ID", 3012), ("45RD", 3112, 1)
    d = combat(*units, dice={3112: 1}, turn=1)
    d.type("attack 3112 with 9pz 11pz advance 9pz 3112 57id 3112\ndone")
    assert set(paths(d)) == {"9Pz", "57ID"}


def test_s42_14_1a_who_is_asked_is_shown_who_can_go() -> None:
    armour = ("9Pz", 3417), ("11Pz", 3417), ("6A-HQ", 3317), ("45RD", 3418)
    d = combat(*armour, dice={3418: 1}, turn=1)
    d.type("attack 3418 with 9pz 11pz ask\ndone")
    assert {order.unit for order in d.legal(AXIS) if isinstance(order, Follow)} == {number("9Pz"), number("11Pz")}
    d.type("advance 9pz 3418\nadvance 11pz 3418-3419")
    assert d.asked != (AXIS,) or not any(isinstance(order, Follow) for order in d.legal(AXIS))


@pytest.mark.parametrize("how", ["advance 16tc 2627 2528", "break 16tc 17tc via 2627-2528"])
def test_s42_17_3_1_14_1a_15_2_1_soviets_who_come_near_throw_a_railhead_back(how: str) -> None:
    """2427, by way of 2528."""
    assert {2528, 2527} <= set(BOARD.near[2627])
    start = next(place for place in BOARD.near[2627] if place not in BOARD.near[2528] and place != 2528)
    s = position(("16TC", start), ("17TC", start), ("45ID", 2627, 1))
    s.tracks = ((2327, 2427),)
    d = combat(state=s, side=SOVIET, dice={2627: 1})  # 14:3, tanks: 5:1, DS
    d.type(f"attack 2627 with 16tc 17tc {how}\ndone")
    assert d.state.at(number("16TC")) == 2528
    kinds = [type(event) for event in d.seen(Event)]
    assert kinds[kinds.index(RailheadBack) - 1] in (Advanced, BrokeThrough)  # at once
    assert d.state.tracks == ((2327,),)
