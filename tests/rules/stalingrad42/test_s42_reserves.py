"""S42-25: reserves, by the option."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import Out
from pbem.kit import UNIT
from pbem_rules.stalingrad42.combat.fights import Attacks, CarryOut, ListAttacks, Pursue
from pbem_rules.stalingrad42.combat.reserves import Activates, Reserves, able, reserve_ways
from pbem_rules.stalingrad42.events import Advanced
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.movement.phase import Movement, may_go
from pbem_rules.stalingrad42.orders import Activate, Attack, Disengage, Move, Reserve, Sail, Storm, Tactical
from pbem_rules.stalingrad42.state import DISENGAGING, DISRUPTED, RESERVES, ROUTED, State

BACK, WEST, HEX, EAST = 3416, 3417, 3418, 3518
PZ = number("9Pz")
NAVAL = number("76NB")


def ready(*units: tuple[str, int] | tuple[str, int, int], turn: int = 2) -> tuple[State, PlayerTurn]:
    s = position(*units, turn=turn)
    s.options = (RESERVES,)
    return s, PlayerTurn(AXIS)


def refused(s: State, f: PlayerTurn, *codes: str) -> str:
    wrong = Reserves().check(s, f, f.seat, Reserve(tuple(map(number, codes))), {})
    return wrong.rule if wrong else ""


def activation(*words: int) -> Activate:
    return Activate((UNIT + PZ, *words))


# Keeping back


def test_s42_25_2_1_a_marker_on_units_of_one_hex_that_move_no_more() -> None:
    s, f = ready(("9Pz", BACK), ("11Pz", BACK), ("45ID", WEST), ("45RD", HEX))
    assert Reserve(tuple(sorted(map(number, ("9Pz", "11Pz"))))) in list(Reserves().legal(s, f, AXIS, {}))
    assert refused(s, f, "9Pz", "45ID") == "S42-25.2.1"  # of two hexes
    assert refused(s, f, "9Pz", "9Pz") == "S42-25.2.1"
    assert refused(s, f) == "S42-25.2.1"
    assert refused(s, f, "45RD") == "S42-25.2.1"
    assert refused(s, f, "11Pz") == ""  # one of a stack
    Reserves().apply(s, f, AXIS, Reserve((PZ,)), Out())
    assert f.reserved == [(PZ,)]
    wrong = may_go(s, f, PZ)
    assert wrong is not None
    assert wrong.rule == "S42-5.1c"
    assert refused(s, f, "9Pz") == "S42-25.2.1"  # once


def test_s42_25_1_without_the_option_nobody_is_kept_back() -> None:
    s, f = ready(("9Pz", BACK))
    s.options = ()
    assert not list(Reserves().legal(s, f, AXIS, {}))
    assert refused(s, f, "9Pz") == "S42-25.1"
    f.reserved = [(PZ,)]
    wrong = Activates().form(s, f, activation(WEST), {})
    assert wrong is not None
    assert wrong.rule == "S42-25.1"


@pytest.mark.parametrize(
    ("moved", "rule"),
    [((Tactical, (3415,)), ""), ((Move, (3415,)), ""), ((Tactical, (3215,)), "S42-25.2.1a"),
     ((Tactical, (WEST,)), "S42-25.2.1a"), ((Move, (3413,)), "S42-25.2.1a")],
)  # fmt: skip
def test_s42_25_2_1a_units_that_have_moved_one_hex_at_most_and_into_no_enemy_zone(
    moved: tuple[type[Move] | type[Tactical], tuple[int, ...]], rule: str
) -> None:
    s, f = ready(("9Pz", BACK), ("45RD", HEX))
    kind, path = moved
    step = Movement()
    assert step.check(s, f, AXIS, kind(PZ, path), {}) is None
    step.apply(s, f, {AXIS: kind(PZ, path)}, Out())
    assert refused(s, f, "9Pz") == rule


def test_s42_25_2_1a_naval_infantry_that_moves_a_hex_and_sails_is_no_reserve() -> None:
    """S42-5.7.1f: a hex before the sea, or after it."""
    for first, second in ((Tactical(NAVAL, (3134,)), Sail(NAVAL, 2338)), (Sail(NAVAL, 2338), Tactical(NAVAL, (2339,)))):
        s, _ = ready(("76NB", 3133 if isinstance(first, Tactical) else 3134))
        f, step = PlayerTurn(SOVIET), Movement()
        for order in (first, second):
            assert step.check(s, f, SOVIET, order, {}) is None
            step.apply(s, f, {SOVIET: order}, Out())
            assert (refused(s, f, "76NB") == "") == (order is first and isinstance(first, Tactical))


def test_s42_25_1_25_2_1a_who_has_taken_part_in_an_automatic_ds_is_no_reserve() -> None:
    s, f = ready(("9Pz", BACK))
    f.nudged.add(PZ)
    f.moved.add(PZ)
    assert refused(s, f, "9Pz") == ""
    assert able(s, f, PZ)
    f.storms.append(Storm(HEX, (PZ,)))
    assert refused(s, f, "9Pz") == "S42-25.2.1a"
    assert not able(s, f, PZ)  # one that was in reserve before, too
    f.storms.clear()
    assert able(s, f, PZ)
    s.alter(PZ, replace(s.pieces[PZ], order=ROUTED))
    assert not able(s, f, PZ)  # who may not advance


def test_s42_25_2_1a_supplies_and_who_may_not_move_are_no_reserve() -> None:
    s, f = ready(("9Pz", BACK), ("Sup-A1", BACK), ("11Pz", CHART.areas["x"]))
    assert refused(s, f, "Sup-A1") == "S42-25.2.1"
    assert refused(s, f, "11Pz") == "S42-25.2.1"  # in an Area
    s.frozen[PZ] = "garrison"
    assert refused(s, f, "9Pz") == "S42-25.2.1"
    del s.frozen[PZ]
    s.fixed.add(PZ)
    assert refused(s, f, "9Pz") == "S42-25.2.1"


@pytest.mark.parametrize("order", [DISRUPTED, ROUTED])
def test_s42_25_2_1a_units_in_good_order(order: int) -> None:
    s, f = ready(("9Pz", BACK))
    assert refused(s, f, "9Pz") == ""
    s.alter(PZ, replace(s.pieces[PZ], order=order))
    assert refused(s, f, "9Pz") == "S42-25.2.1a"
    s.alter(PZ, replace(s.pieces[PZ], order=0, train=True))
    assert refused(s, f, "9Pz") == "S42-25.2.1a"


def test_s42_25_2_1b_no_unit_with_a_replacement() -> None:
    s, f = ready(("9Pz", BACK))
    s.renewed.add(PZ)
    assert refused(s, f, "9Pz") == "S42-25.2.1b"
    assert not list(Reserves().legal(s, f, AXIS, {}))
    s.put(number("11Pz"), WEST)
    assert refused(s, f, "11Pz", "9Pz") == "S42-25.2.1b"  # the reason of the unit before that of the hexes


def test_s42_25_2_2_three_markers() -> None:
    s, f = ready(("9Pz", BACK), ("11Pz", 3415), ("23Pz", 3414), ("24Pz", 3413))
    for code in ("9Pz", "11Pz", "23Pz"):
        assert refused(s, f, code) == ""
        Reserves().apply(s, f, AXIS, Reserve((number(code),)), Out())
    assert refused(s, f, "24Pz") == "S42-25.2.2"
    assert not list(Reserves().legal(s, f, AXIS, {}))


# Activation


def test_s42_25_2_3a_two_hexes_in_every_weather_and_on_foot_too() -> None:
    """The two hexes are no result of combat, which rain would halve."""
    s, f = ready(("9Pz", BACK), ("45ID", BACK))
    for s.wet in (False, True):
        for s.weather in ("clear", "snow"):
            for code in ("9Pz", "45ID"):
                assert {len(way) for way in reserve_ways(s, number(code), None)} == {1, 2}
    f.reserved = [(PZ,)]
    wrong = Activates().form(s, f, activation(WEST, HEX, 3419), {})
    assert wrong is not None
    assert wrong.rule == "S42-25.2.3a"
    wrong = Activates().form(s, f, activation(HEX), {})
    assert wrong is not None
    assert wrong.rule == "S42-14.3"
    wrong = Activates().form(s, f, Activate((UNIT + number("45ID"), WEST)), {})
    assert wrong is not None
    assert wrong.rule == "S42-25.2.3"  # not in reserve
    assert Activates().form(s, f, activation(WEST, HEX), {}) is None


def test_s42_25_2_3b_a_zone_stops_it_but_in_the_hex_that_the_last_combat_has_emptied() -> None:
    s, _ = ready(("9Pz", WEST), ("62RD", 3419))
    assert (HEX,) in set(reserve_ways(s, PZ, None))
    assert (HEX, EAST) not in set(reserve_ways(s, PZ, None))
    assert (HEX, EAST) in set(reserve_ways(s, PZ, HEX))


def test_s42_25_2_3d_over_major_rivers_by_bridges_alone() -> None:
    """The Don between 2603 and 2602; an attacker crosses into the emptied hex."""
    edges = CHART.board.edges
    a, b = next(
        (a, b) for (a, b), edge in sorted(edges.items()) if "major_river" in edge and not edge & {"bridge", "rail",
        "green_rail", "primary_road", "secondary_road", "volga"} and max(a, b) < 9000
    )  # fmt: skip
    s, _ = ready(("9Pz", a))
    assert not any(way[0] == b for way in reserve_ways(s, PZ, b))


def test_s42_25_2_3c_who_has_fought_or_retreated_is_no_reserve() -> None:
    s, f = ready(("9Pz", BACK), ("45RD", HEX))
    assert able(s, f, PZ)
    for found in (f.fought, f.advanced, f.tried, s.fled):
        found.add(PZ)
        assert not able(s, f, PZ)
        f.reserved = [(PZ,)]
        assert not list(Activates().legal(s, f, AXIS))
        wrong = Activates().now(s, f, activation(WEST))
        assert wrong is not None
        assert wrong.rule == "S42-25.2.3c"
        found.clear()
    f.advanced.add(PZ)  # and who has been activated attacks nobody
    s.put(PZ, WEST)
    wrong = Attacks().now(s, f, Attack(HEX, (PZ,)))
    assert wrong is not None
    assert wrong.rule == "S42-14.1a"


def table(words: str, *units: tuple[str, int], dice: int = 1) -> Table:
    s = position(("11Pz", WEST), ("23Pz", WEST), ("9Pz", BACK), ("45RD", HEX), *units, turn=2)
    s.options = (RESERVES,)
    f = PlayerTurn(AXIS)
    f.reserved = [(PZ,)]
    d = combat(state=s, frame=f, dice={HEX: dice})
    d.type(words)
    return d


def test_s42_25_2_3a_an_activated_reserve_advances_after_a_combat() -> None:
    d = table(f"attack {HEX} with 11pz 23pz at 1:3\nactivate 9pz {WEST} {HEX} after 1\ndone")
    assert d.state.at(PZ) == HEX
    assert PZ in d.frame.advanced  # it attacks nobody from then on
    assert ("9Pz", (BACK, WEST, HEX)) in [(each.unit, each.path) for each in d.seen(Advanced)]


def test_s42_25_2_3e_without_any_combat_too_and_not_where_an_enemy_stands() -> None:
    d = table("activate 9pz 3316 3216\ndone")
    assert d.state.at(PZ) == 3216
    d = table(f"attack {HEX} with 11pz 23pz at 1:3\nactivate 9pz {WEST} {HEX} unless 1\ndone", dice=1)
    assert d.state.at(PZ) == BACK
    d = table(f"activate 9pz {WEST} {HEX}\ndone")
    assert d.state.at(PZ) == WEST  # as far as it can


def test_s42_25_2_3a_a_marker_is_activated_once_all_of_it_together() -> None:
    s, f = ready(("9Pz", BACK), ("11Pz", BACK), ("23Pz", 3415))
    pair = tuple(sorted(map(number, ("9Pz", "11Pz"))))
    f.reserved = [pair, (number("23Pz"),)]
    both = Activate((UNIT + pair[0], WEST, UNIT + number("23Pz"), 3414))
    wrong = Activates().form(s, f, both, {})
    assert wrong is not None
    assert "under one marker" in wrong.reason
    step, one = ListAttacks(), activation(WEST)
    assert step.check(s, f, AXIS, one, {}) is None
    step.apply(s, f, {AXIS: one}, Out())
    assert step.check(s, f, AXIS, Activate((UNIT + number("11Pz"), WEST)), {}) is not None
    CarryOut().run(s, f, Out())
    assert f.reserved == [(number("23Pz"),)]


def test_s42_25_2_3a_each_marker_by_itself_beside_what_else_is_listed() -> None:
    s, f = ready(("9Pz", BACK), ("23Pz", 3415), ("45ID", WEST), ("45RD", HEX))
    s.options = (RESERVES, DISENGAGING)
    second = number("23Pz")
    f.reserved = [(PZ,), (second,)]
    step = ListAttacks()
    for entry in (Disengage((number("45ID"),)), activation(3316)):
        assert step.check(s, f, AXIS, entry, {}) is None
        step.apply(s, f, {AXIS: entry}, Out())
    entries = list(Activates().legal(s, f, AXIS))
    assert {entry.advance[0] - UNIT for entry in entries} == {second}
    assert Activates().now(s, f, entries[0]) is None
    wrong = Activates().now(s, f, activation(3316))
    assert wrong is not None
    assert wrong.rule == "S42-25.2.3"  # it is on the list already
    step.apply(s, f, {AXIS: entries[0]}, Out())
    assert not list(Activates().legal(s, f, AXIS))  # both are


def test_s42_25_2_3a_each_unit_of_a_marker_has_a_way_and_one_that_is_open_is_enough() -> None:
    s, f = ready(("9Pz", BACK), ("11Pz", BACK), ("45RD", HEX))
    other = number("11Pz")
    f.reserved = [(PZ, other)]
    for words, rule in (((UNIT + PZ, WEST, UNIT + other), "S42-25.2.3"), ((UNIT + PZ, WEST, 3420), "S42-14.3")):
        wrong = Activates().form(s, f, Activate(words), {})
        assert wrong is not None
        assert wrong.rule == rule
    over = Activate((UNIT + PZ, WEST, UNIT + other, HEX))  # an enemy stands there
    assert Activates().now(s, f, over) is None
    wrong = Activates().now(s, f, Activate((UNIT + other, HEX)))
    assert wrong is not None
    assert wrong.rule == "S42-14.3"


def test_s42_25_2_3c_25_2_3a_of_a_marker_those_go_who_have_not_fought() -> None:
    s, f = ready(("9Pz", BACK), ("11Pz", BACK), ("45RD", HEX))
    other = number("11Pz")
    f.reserved = [(PZ, other)]
    both = Activate((UNIT + PZ, WEST, UNIT + other, WEST))
    f.fought.add(other)
    assert Activates().now(s, f, both) is None
    assert Activates().start(s, f, both, Out()).advance == (UNIT + PZ, WEST)  # type: ignore[attr-defined]


def test_s42_25_2_3f_unused_markers_come_off() -> None:
    s, f = ready(("9Pz", BACK))
    f.reserved = [(PZ,)]
    Pursue().run(s, f, Out())
    assert f.reserved == []


def test_a_reserve_that_nothing_activates_is_pointed_out() -> None:
    d = combat(state=ready(("9Pz", BACK), ("11Pz", WEST), ("45RD", HEX))[0])
    d.frame.reserved.append((PZ,))
    told = list(left_undone(d.view(AXIS), AXIS, d.read("done")[0]))
    idle = "In reserve, and not activated: 9Pz; the markers come off (S42-25.2.3f)."
    assert idle in told
    d.type(f"activate 9pz {WEST}")
    assert idle not in list(left_undone(d.view(AXIS), AXIS, d.read("done")[0]))


def test_s42_25_2_3a_an_order_without_units_activates_nobody() -> None:
    s, f = position(("9Pz", 3417)), PlayerTurn(AXIS)
    s.options = (RESERVES,)
    wrong = Activates().form(s, f, Activate(()), {})
    assert wrong is not None
    assert wrong.reason == "A reserve names each unit before the hexes that it enters"
