"""S42-8 to S42-14: the list of attacks, and how each is carried out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import GAME, Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.engine.need import Orders
from pbem.game import Event, Skipped
from pbem.kit import UNIT, Fate, Shift, StepLost, Strike
from pbem_rules.stalingrad42.combat.guns import covered
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, NO_ATTACK, attack
from pbem_rules.stalingrad42.events import Advanced, Fought, GunsUsed, Trapped
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.phase import Storms
from pbem_rules.stalingrad42.orders import Attack, Storm
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, POOL, REMOVED, ROUTED, State

WEST, HEX = 3417, 3418
PLAIN = (("45ID", WEST), ("75ID", WEST), ("45RD", HEX))  # 12:5 = 2:1


def rule_of(d: Table, text: str) -> str:
    (order,) = d.read(text)
    found = d.check(d.frame.seat, order)
    return "" if found is None else found.rule


def where(d: Table, code: str) -> int:
    return d.state.at(number(code))


def steps(d: Table, code: str) -> int:
    return d.state.pieces[number(code)].steps


def order_of(d: Table, code: str) -> int:
    return d.state.pieces[number(code)].order


def change(s: State, code: str, **values: int | bool) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))  # type: ignore[arg-type]


def test_entries_are_typed_and_shown() -> None:
    d = combat(*PLAIN)
    (order,) = d.read(f"attack {HEX} with 75id 45id at 2:1 advance 45id {HEX} 3419 unless 1 ask")
    way = UNIT + number("45ID"), HEX, 3419
    units = tuple(sorted((number("45ID"), number("75ID"))))
    assert order == Attack(HEX, units, least=3, advance=way, unless=1, ask=True)
    assert GAME.notation.parse(GAME.notation.show(order), d.context(AXIS)) == (order,)


@pytest.mark.parametrize(
    ("die", "result", "axis", "soviet", "length", "order"),
    [
        (1, "D1", 0, 1, 3, DISRUPTED),
        (2, "A1/D1", 1, 1, 2, DISRUPTED),
        (3, "DR2", 0, 0, 2, DISRUPTED),
        (4, "DRX", 1, 1, 2, DISRUPTED),
        (5, "A1/DR2", 1, 0, 2, DISRUPTED),
        (6, "EX", 1, 1, 0, GOOD),
    ],
)
def test_s42_8_3c_10_1d_10_1e_10_1f_10_1g_10_1h_10_1i_12_1_1a_12_2i_results(
    die: int, result: str, axis: int, soviet: int, length: int, order: int
) -> None:
    d = combat(*PLAIN, dice={HEX: die})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    (fought,) = d.seen(Fought)
    assert (fought.die, fought.result) == (die, result)
    assert steps(d, "45ID") + steps(d, "75ID") == 6 - axis
    assert steps(d, "45RD") == 2 - soviet
    grid = d.state.chart.board.grid
    assert grid is not None
    assert grid.distance(HEX, where(d, "45RD")) == length
    assert order_of(d, "45RD") == order
    assert not d.state.fled  # S42-12.2i


def test_s42_8_3b_8_4_1a_a_strength_of_one_is_one() -> None:
    s = position(("45ID", WEST, 1), ("45RD", HEX))
    change(s, "45RD", train=True)  # it defends with one
    weak = next(unit for unit in CHART.units if unit.side == SOVIET and unit.faces[0].attack == 1)
    even = attack(position((weak.code, WEST), ("45ID", HEX, 1)), [weak.number], HEX, AXIS).reckoned
    assert (even.attack, even.defence > 0) == (1, True)
    found = attack(s, [number("45ID")], HEX, SOVIET)
    assert (found.reckoned.defence, found.column) == (1, found.reckoned.column)
    assert found.column != AUTOMATIC
    s = position(("SW-HQ", WEST), ("45ID", HEX))
    assert not s.face(number("SW-HQ")).attack
    assert attack(s, [number("SW-HQ")], HEX, AXIS, (Shift(9, "S42-8.3", "nothing helps it"),)).column == NO_ATTACK


def test_s42_8_4_1a_10_1b_ten_to_one_needs_no_die() -> None:
    d = combat(("9Pz", WEST), ("11Pz", WEST), ("23Pz", WEST), ("45RD", HEX, 1))
    d.type(f"attack {HEX} with 9pz 11pz 23pz\ndone")
    (fought,) = d.seen(Fought)
    assert (fought.die, fought.result) == (0, "DS")
    assert not d.state.on_map(number("45RD"))


def test_s42_8_1a_8_1b_8_1c_8_2a_8_2b_who_attacks_whom_and_once() -> None:
    d = combat(*PLAIN, ("62RD", 3518), ("121RD", 3420))
    assert rule_of(d, "attack 3420 with 45id") == "S42-8.2a"
    assert rule_of(d, "attack 3319 with 45id") == "S42-8.1a"
    assert rule_of(d, f"attack {HEX} with 45rd") == "S42-8.1a"
    assert rule_of(d, f"attack {HEX} with 45id") == ""
    d.type(f"attack {HEX} with 45id")
    assert rule_of(d, f"attack {HEX} with 75id") == "S42-8.1b"
    assert rule_of(d, "attack 3518 with 45id") == "S42-8.1b"
    assert rule_of(d, "attack 3518 with 75id") == ""  # S42-8.1c


def test_s42_8_1g_who_cannot_attack() -> None:
    s = position(*PLAIN, ("9Pz", WEST))
    change(s, "45ID", order=DISRUPTED)
    frame = PlayerTurn(AXIS)
    frame.hurried.add(number("75ID"))
    d = combat(state=s, frame=frame)
    assert rule_of(d, f"attack {HEX} with 45id") == "S42-8.1g"
    assert rule_of(d, f"attack {HEX} with 75id") == "S42-5.3c"


def test_s42_8_4_1a_no_attack_below_one_to_three() -> None:
    d = combat(("45ID", WEST, 1), ("9Pz", WEST), ("45RD", HEX))
    assert rule_of(d, f"attack {HEX} with 45id") == "S42-8.4.1"


def test_s42_8_1e_3_b3_the_list_is_carried_out_under_its_conditions() -> None:
    d = combat(*PLAIN, ("23Pz", 3517), ("62RD", 3518), dice={HEX: 6, 3518: 6})
    d.type(f"attack {HEX} with 45id 75id\nattack 3518 with 23pz unless 1\nattack 3518 with 9pz after 1\ndone")
    assert d.frame.fates == [Fate.FOUGHT, Fate.WON, Fate.SKIPPED]
    assert [each.number for each in d.seen(Skipped)] == [3]
    d = combat(*PLAIN, dice={HEX: 1})
    d.type(f"attack {HEX} with 45id at 2:1\ndone")
    assert d.frame.fates == [Fate.SKIPPED]  # 6:5
    assert not d.seen(Fought)


@pytest.mark.parametrize("won", [True, False])
def test_s42_8_1e_14_1a_who_asks_is_stopped_once_then_decides_on_the_rest_of_the_list(*, won: bool) -> None:
    d = combat(*PLAIN, ("23Pz", 3517), ("62RD", 3518), dice={HEX: 3 if won else 6, 3518: 6}, turn=1)
    d.type(f"attack {HEX} with 45id 75id ask\nattack 3518 with 23pz\ndone")
    assert len(d.seen(Fought)) == 1
    if won:
        assert isinstance(d.need, Orders)
        assert d.need.kind == "advance"
        d.type(f"advance 45id {HEX}\ndone")
    assert isinstance(d.need, Orders)
    assert d.need.kind == "attacks"
    left = "Still on the list: 2 (the attack on 3518 by 23Pz). `strike 2` strikes an entry off"
    assert left in d.machine.prompt(AXIS)
    said = "Strike the attack on 3518 by 23Pz off your list"
    assert d.machine.sentence(AXIS, Strike(2)) == f"{said}."
    assert GAME.notation.verb_of[Strike].called(Strike(2), d.view(AXIS)) == {"w:2": said}  # the button beside the board
    d.type("strike 2")
    assert "The list has been carried out" in d.machine.prompt(AXIS)
    d.type("done")
    assert d.frame.fates == [Fate.WON if won else Fate.FOUGHT, Fate.STRUCK]


def test_s42_8_1e_who_asks_is_not_stopped_where_nothing_is_left() -> None:
    d = combat(*PLAIN, dice={HEX: 6}, turn=1)
    d.type(f"attack {HEX} with 45id 75id ask\ndone")
    assert d.frame.fates == [Fate.FOUGHT]
    assert not isinstance(d.need, Orders) or d.need.kind != "attacks"


def test_s42_10_2_2_the_opponent_picks_in_an_exchange_and_the_owner_else() -> None:
    units = ("45ID", WEST), ("75ID", WEST, 1), ("45RD", HEX)
    d = combat(*units, dice={HEX: 4})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    (fought,) = d.seen(Fought)
    (lost,) = [each for each in d.seen(StepLost) if each.unit in ("45ID", "75ID")]
    assert (fought.result, lost.unit) == ("EX", "75ID")  # 7:5 = 1:1; the one that dies
    d = combat(*units, dice={HEX: 3})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    (fought,) = d.seen(Fought)
    (lost,) = [each for each in d.seen(StepLost) if each.unit in ("45ID", "75ID")]
    assert (fought.result, lost.unit) == ("A1/DR2", "45ID")


def test_s42_12_4a_who_has_retreated_there_does_not_help_and_is_destroyed() -> None:
    s = position(*PLAIN, ("62RD", HEX))
    change(s, "62RD", order=DISRUPTED)
    s.fled.add(number("62RD"))
    d = combat(state=s, dice={HEX: 3})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    (fought,) = d.seen(Fought)
    assert fought.defenders == ("45RD",)
    assert fought.odds.startswith("12 to 5")
    assert [each.units for each in d.seen(Trapped)] == [("62RD",)]
    assert not d.state.on_map(number("62RD"))
    assert d.state.on_map(number("45RD"))


def test_s42_13_3_3a_10_1l_units_in_full_retreat_go_with_the_others() -> None:
    s = position(*PLAIN, ("62RD", HEX))
    change(s, "62RD", order=ROUTED)
    d = combat(state=s, dice={HEX: 3})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert where(d, "62RD") == where(d, "45RD") != HEX
    assert order_of(d, "62RD") == ROUTED


def test_s42_14_1a_14_2_2_10_1k_attackers_and_their_mates_advance_as_listed() -> None:
    d = combat(("9Pz", WEST), ("11Pz", WEST), ("45ID", WEST), ("45RD", HEX), dice={HEX: 3})
    d.type(f"attack {HEX} with 9pz 45id advance 9pz {HEX} 3419 11pz {HEX} 45id {HEX} 3519 3520\ndone")
    assert d.seen(Fought)[0].result == "D1*"
    assert {each.unit: each.path for each in d.seen(Advanced)} == {
        "9Pz": (WEST, HEX, 3419),
        "11Pz": (WEST, HEX),
        "45ID": (WEST, HEX, 3519),
    }
    assert {number("9Pz"), number("11Pz")} <= d.frame.advanced


def test_s42_10_1i_14_1a_nobody_advances_from_a_hex_that_is_held() -> None:
    d = combat(*PLAIN, dice={HEX: 6})
    d.type(f"attack {HEX} with 45id 75id advance 45id {HEX}\ndone")
    assert not d.seen(Advanced)


def test_s42_14_2_3_10_1i_an_exchange_that_empties_the_hex() -> None:
    d = combat(("45ID", WEST, 2), ("45RD", HEX, 1), dice={HEX: 4})
    d.type(f"attack {HEX} with 45id advance 45id {HEX} 3419\ndone")
    (fought,) = d.seen(Fought)
    assert fought.result == "EX"
    assert [each.path for each in d.seen(Advanced)] == [(WEST, HEX)]


def test_s42_14_1a_who_has_advanced_attacks_no_more() -> None:
    d = combat(*PLAIN, ("9Pz", WEST), ("62RD", 3518), dice={HEX: 3})
    d.type(f"attack {HEX} with 45id 75id advance 9pz {HEX}\nattack 3518 with 9pz after 1\ndone")
    assert d.frame.fates == [Fate.WON, Fate.SKIPPED]
    (skipped,) = d.seen(Skipped)
    assert skipped.rule == "S42-14.1a"


def test_s42_14_1a_14_2_1_with_ask_the_attacker_is_asked() -> None:
    d = combat(*PLAIN, dice={HEX: 3})
    d.type(f"attack {HEX} with 45id 75id ask\ndone")
    assert rule_of(d, f"advance 45id {HEX}") == ""
    assert rule_of(d, f"advance 45id {HEX}-3419-3420") == "S42-14.2"
    assert rule_of(d, f"advance 45rd {HEX}") == "S42-14.1"
    d.type(f"advance 45id {HEX}\nadvance 75id {HEX}-3419")
    assert (where(d, "45ID"), where(d, "75ID")) == (HEX, 3419)


def test_s42_18_3_8_3b_9_4_18_2_1a_18_3_1_18_6_5_support_shifts_once_and_is_used() -> None:
    s = position(*PLAIN, ("6A-HQ", 3317), ("Sup-A1", 3317), ("9Pz", 3517), ("62RD", 3518))
    d = combat(state=s, dice={HEX: 6, 3518: 6})
    assert rule_of(d, f"attack {HEX} with 45id 75id guns 6a-hq") == "S42-18.2.1"  # used before
    change(s, "6A-HQ", ready=True)
    assert rule_of(d, f"attack {HEX} with 45id 75id guns sup-a1") == "S42-18.2.1"  # packed
    change(s, "Sup-A1", ready=True)
    d.type(f"attack {HEX} with 45id 75id guns 6a-hq")
    assert rule_of(d, "attack 3518 with 9pz guns 6a-hq") == "S42-18.2.1"
    d.type("attack 3518 with 9pz guns sup-a1\ndone")
    assert [each.unit for each in d.seen(GunsUsed)] == ["6A-HQ", "Sup-A1"]
    assert "artillery +1 (S42-18.3.1): column 3:1" in d.seen(Fought)[0].odds
    assert not d.state.pieces[number("6A-HQ")].ready
    assert where(d, "Sup-A1") == POOL  # S42-18.3.1: a supply point is spent


def test_s42_18_4_range_around_enemies() -> None:
    s = position(("6A-HQ", 3417))
    open_ = covered(s, number("6A-HQ"))
    board = s.chart.board
    assert open_ & board.bit[3422]
    assert not open_ & board.bit[3423]
    s = position(("6A-HQ", 3417), ("45RD", 3419), ("62RD", 3519))
    assert s.zone(SOVIET) & board.bit[3418]
    blocked = covered(s, number("6A-HQ"))
    assert blocked & board.bit[3418]
    assert not blocked & board.bit[3419]
    assert not blocked & board.bit[3420]
    s.put(number("45ID"), 3418)
    assert covered(s, number("6A-HQ")) & board.bit[3418]


def test_s42_8_6_2a_3_b2b_8_6_1d_who_took_part_in_automatic_ds_advances_after_all_combat() -> None:
    frame = PlayerTurn(AXIS)
    ways = UNIT + number("9Pz"), HEX, 3419, 3420, 3421, UNIT + number("45ID"), HEX, 3419, 3420
    frame.storms.append(Storm(HEX, (number("9Pz"), number("45ID")), advance=ways))
    d = combat(("9Pz", WEST), ("45ID", WEST), ("75ID", 3517), ("62RD", 3518), frame=frame, dice={3518: 6})
    assert rule_of(d, "attack 3518 with 9pz") == "S42-8.6.1d"
    d.type("attack 3518 with 75id\ndone")
    assert [type(each) for each in d.seen(Event) if isinstance(each, Fought | Advanced)] == [Fought, Advanced, Advanced]
    assert (where(d, "9Pz"), where(d, "45ID")) == (3421, 3419)  # S42-14.2.2: infantry two hexes


def test_s42_10_4_2_a_remnant_is_lost_for_good() -> None:
    d = combat(("45ID", WEST, 1), ("75ID", WEST), ("45RD", HEX), dice={HEX: 4})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert where(d, "45ID") == REMOVED


def test_s42_22_4a_nobody_is_attacked_in_an_area() -> None:
    gate = CHART.map.entries["a"].places[3]
    d = combat(("9Pz", gate), ("16TC", CHART.areas["a"]), ("12CD", gate + 1))
    assert {order.target for order in d.legal(AXIS) if isinstance(order, Attack)} == {gate + 1}
    found = d.check(AXIS, Attack(CHART.areas["a"], (number("9Pz"),)))
    assert found is not None
    assert found.rule == "S42-8.1a"


def test_s42_22_7a_22_7c_units_attack_out_of_an_area_and_advance_or_stay() -> None:
    area = CHART.areas["m"]
    units = (("45RD", area), ("62RD", area), ("121RD", area), ("160RD", area), ("45ID", 4105, 1))
    d = combat(*units, side=SOVIET, dice={4105: 2})
    assert rule_of(d, "attack 4105 with 45rd 62rd 121rd") == ""
    assert rule_of(d, "attack 4115 with 45rd") == "S42-8.1a"
    attack = "attack 4105 with 45rd 62rd 121rd"
    assert rule_of(d, f"{attack} advance 121rd 4104") == "S42-14.3"  # not past the emptied hex
    assert rule_of(d, f"{attack} break 45rd via 4104") == "S42-15.2.3"
    assert rule_of(d, f"{attack} advance 160rd 4105") == "S42-14.1a"  # it does not attack
    d.type(f"{attack} advance 45rd 4105 62rd 4105 4104\ndone")
    assert d.seen(Fought)[0].odds.startswith("9 to 3")
    assert {each.unit: each.path for each in d.seen(Advanced)} == {"45RD": (area, 4105), "62RD": (area, 4105, 4104)}
    assert where(d, "121RD") == where(d, "160RD") == area


def test_s42_22_7a_only_so_many_as_fit_beyond_the_edge() -> None:
    """Two hexes beyond 4105, with two Soviet units in each and one that stacks freely."""
    area = CHART.areas["m"]
    codes = ("45RD", "62RD", "121RD", "160RD", "10TB", "90TB", "212RD")
    d = combat(*((code, area) for code in codes), ("45ID", 4105), side=SOVIET)
    units = " ".join(code.lower() for code in codes[:-1])
    assert rule_of(d, f"attack 4105 with {units}") == ""
    assert rule_of(d, f"attack 4105 with {units} 212rd") == "S42-22.7a"


def test_s42_22_6_1b_22_7a_not_in_the_turn_in_which_they_come_nor_as_automatic_ds() -> None:
    s, f = position(("16TC", CHART.areas["m"]), ("17TC", CHART.areas["m"]), ("45ID", 4105, 1)), PlayerTurn(SOVIET)
    f.moved.add(number("16TC"))
    d = combat(state=s, frame=f, side=SOVIET)
    assert rule_of(d, "attack 4105 with 16tc") == "S42-22.6.1b"
    assert rule_of(d, "attack 4105 with 17tc") == ""
    wrong = Storms().check(s, f, SOVIET, Storm(4105, (number("17TC"),)), {})
    assert wrong is not None
    assert wrong.rule == "S42-22.7a"


def test_s42_22_7b_with_units_on_the_map_and_support() -> None:
    area = CHART.areas["m"]
    s = position(("16TC", area), ("45RD", 4104), ("SW-HQ", 4103), ("45ID", 4105))
    change(s, "SW-HQ", ready=True)
    d = combat(state=s, side=SOVIET, dice={4105: 6}, stand=[1])
    assert not covered(s, number("SW-HQ")) & CHART.board.bit[4111]  # not round by the Area
    assert covered(s, number("SW-HQ")) & CHART.board.bit[area]
    assert rule_of(d, "attack 4105 with 16tc guns sw-hq") == ""
    d.type("attack 4105 with 16tc 45rd guns sw-hq\ndone")
    assert d.seen(Fought)[0].odds.startswith("10 to 7 = 1:1, tanks +1 (S42-9.2.1), artillery +1")


def test_s42_8_1f_bonds_forbid_no_attack() -> None:
    """3417 and 3519 close the side of 3418 and 3518; who stands behind it may be attacked."""
    d = combat(("9Pz", 3418), ("45RD", 3417), ("62RD", 3519), ("121RD", 3518))
    assert d.state.bonds(SOVIET)
    assert rule_of(d, "attack 3518 with 9pz") == ""
