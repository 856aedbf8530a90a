"""S42-11: determined defence in the middle of an attack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.kit import StepLost
from pbem_rules.stalingrad42.combat.battle import is_desperate, ways_out
from pbem_rules.stalingrad42.combat.defence import (
    ChooseHelp,
    Stance,
    Stand,
    best_lead,
    chance,
    helper,
    helpers,
    level_up,
    wants,
)
from pbem_rules.stalingrad42.combat.determined import modifiers, stand
from pbem_rules.stalingrad42.events import Advanced, CityBattle, Fought, GunsUsed, Retreated, Stood
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle
from pbem_rules.stalingrad42.orders import Help, Lead
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, POOL, TO_THE_LAST, State
from pbem_rules.stalingrad42.supply.lines import lines

WEST, HEX = 3417, 3418
CITY = CHART.board.place_named("Voronezh") or 0


def fight(s: State, *codes: str, place: int = HEX, cell: str = "DR2", stance: str = FLEXIBLE) -> Battle:
    """A battle after its die, of the attackers named."""
    enemy = tuple(unit for unit in s.of(SOVIET, place))
    return Battle(
        seat=AXIS, target=place, units=tuple(map(number, codes)), defenders=enemy, cell=cell, retreat=2, stance=stance
    )


def city(*stand: int) -> Table:
    """Voronezh, a major city, held by default."""
    west = CHART.board.near[CITY][0]
    units = (("9Pz", west), ("11Pz", west), ("23Pz", west), ("45RD", CITY), ("62RD", CITY))
    d = combat(*units, turn=8, dice={CITY: 1}, stand=stand)
    d.type(f"attack {CITY:04d} with 9pz 11pz 23pz advance 9pz {CITY:04d}\ndone")
    return d


def test_s42_11_1_2a_before_turn_8_the_soviets_do_not_stand_in_the_open() -> None:
    s = position(("45RD", HEX), ("45ID", WEST), turn=7)
    assert not wants(s, fight(s, "45ID", stance=HOLD))
    s.turn = 8
    assert wants(s, fight(s, "45ID", stance=HOLD))
    assert not wants(s, fight(s, "45ID", stance=HOLD, cell="DR4"))  # S42-10.1c


def test_s42_11_2_1a_what_the_die_is_rolled_for_is_said() -> None:
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    f = fight(s, "45ID")
    f.lead = number("45RD")
    said = f"A die is rolled for the determined defence of {HEX}, which 45RD leads."
    assert Stand().rolled(s, f) == said


def test_s42_11_1_1a_stances() -> None:
    s = position(("13GRD", 2602), ("45ID", 2502), turn=8)
    weak = position(("45RD", HEX), ("45ID", WEST), turn=8)
    assert wants(s, fight(s, "45ID", place=2602))  # elite, in the woods: one half
    assert not wants(s, fight(s, "45ID", place=2602, stance=GIVE))
    assert not wants(weak, fight(weak, "45ID"))  # one sixth
    s.set_steps(number("13GRD"), 1)
    assert not wants(s, fight(s, "45ID", place=2602))  # the only lead has one step
    s.put(number("13GRD"), 2013)
    assert wants(s, fight(s, "45ID", place=2013, stance=HOLD))


def test_s42_11_1_1a_one_third_is_enough_where_the_hex_is_firm() -> None:
    """A plain division in the open: five and six hold. A fort, a river or no supply behind it make it worth that."""
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    f = fight(s, "45ID")
    assert chance(s, f, number("45RD")) == Fraction(1, 3)
    assert not wants(s, f)
    f.favoured = True
    assert wants(s, f)
    s.set_steps(number("45RD"), 1)
    assert not wants(s, f)
    s.set_steps(number("45RD"), 2)
    s.put(number("62RD"), HEX)
    s.set_steps(number("62RD"), 1)
    f = fight(s, "45ID")
    f.favoured = True
    assert wants(s, f)  # one of those who can lead has two


def test_s42_11_2_1a_the_best_leads() -> None:
    s = position(("13GRD", HEX), ("45RD", HEX), ("45ID", WEST), turn=8)
    f = fight(s, "45ID")
    assert best_lead(s, f) == number("13GRD")
    s.alter(number("13GRD"), replace(s.pieces[number("13GRD")], order=DISRUPTED))
    assert best_lead(s, f) == number("45RD")


def test_s42_11_3a_18_3_2_support_by_stance() -> None:
    s = position(("13GRD", HEX), ("SW-HQ", 3518), ("45ID", WEST), turn=8)
    s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=True))
    f = fight(s, "45ID", stance=HOLD)
    lead = number("13GRD")
    assert helper(s, f, lead) == Help(number("SW-HQ"))
    assert chance(s, f, lead, support=True) > chance(s, f, lead)
    assert helper(s, fight(s, "45ID"), lead) == Help()  # not on a connected railway


def test_s42_11_5_1a_11_5_1b_12_2j_desperate_where_no_way_is_left() -> None:
    ring = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]
    s = position(("45RD", HEX), *ring)
    f = fight(s, "9Pz", stance=GIVE)
    assert is_desperate(s, f)
    f.desperate = True
    assert wants(s, f)  # before turn 8, too
    s.put(number("3Pz"), 3617)
    s.put(number("11Pz"), 3320)
    assert not is_desperate(s, fight(s, "9Pz"))


@pytest.mark.parametrize("option", [False, True])
def test_s42_11_5_1b_who_can_only_go_a_shorter_way_may_by_option_hold_to_the_last(option: bool) -> None:
    beside = [("9Pz", 3417), ("11Pz", 3318), ("24Pz", 3319), ("3Pz", 3518), ("23Pz", 3519)]
    behind = [("14Pz", 3420), ("57ID", 3620), ("62ID", 3220)]
    s = position(("45RD", HEX), *beside, *behind, ("62RD", 3419))
    s.options = (TO_THE_LAST,) * option
    f = fight(s, "9Pz", stance=HOLD)
    assert [each.steps for each in ways_out(s, f, f.retreat)] == [1]
    assert is_desperate(s, f) is option
    assert not is_desperate(s, fight(s, "9Pz", stance=GIVE))  # who gives ground goes the shorter way
    s.put(number("57ID"), 3806)
    s.put(number("14Pz"), 3806)
    assert not is_desperate(s, f)  # a way of the full length


def test_s42_11_5_2_desperate_defence_goes_on_until_it_holds_or_dies() -> None:
    ring = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]
    d = combat(("13GRD", HEX), ("45RD", HEX), *ring, dice={HEX: 5}, stand=[1, 5])
    d.type(f"attack {HEX} with 9pz 11pz\ndone")
    stood = d.seen(Stood)
    assert d.seen(Fought)[0].result == "DR2"
    assert [each.outcome for each in stood] == ["F", "S"]
    assert all(each.desperate for each in stood)
    assert not d.state.on_map(number("13GRD"))  # a step by F, the other by S -/1
    assert d.state.at(number("45RD")) == HEX
    assert d.state.pieces[number("45RD")].order == GOOD


def test_s42_11_1_1b_11_2_3_success_cancels_retreat_disruption_and_advance() -> None:
    d = city(6)
    assert [each.outcome for each in d.seen(Stood)] == ["S"]
    assert not d.seen(Advanced)
    assert d.state.at(number("45RD")) == d.state.at(number("62RD")) == CITY
    assert d.state.pieces[number("45RD")].order == GOOD


def test_s42_11_6_2a_11_6_2e_partial_success_in_a_city_makes_a_city_battle_until_the_attackers_leave() -> None:
    d = city(3)
    assert [each.level for each in d.seen(CityBattle)] == [1]
    s = d.state
    assert s.sieges[CITY] == (1, *sorted(map(number, ("9Pz", "11Pz", "23Pz"))))
    for code in ("9Pz", "11Pz"):
        s.put(number(code), WEST)
    assert CITY in s.sieges
    s.put(number("23Pz"), WEST)
    assert CITY not in s.sieges
    s = city(3).state
    for unit in s.of(SOVIET, CITY):
        assert CITY in s.sieges
        s.put(unit, ELIMINATED)
    assert CITY not in s.sieges  # nor without a defender


def test_s42_11_4_3_failure_and_the_retreat_is_carried_out() -> None:
    d = city(1)
    assert [each.outcome for each in d.seen(Stood)] == ["F"]
    assert CITY not in (d.state.at(number("45RD")), d.state.at(number("62RD")))
    assert [each.path[-1] for each in d.seen(Advanced)] == [CITY]


def test_s42_11_1_1a_stances_are_fixed_while_the_enemys_list_is_carried_out() -> None:
    s = position(("45RD", HEX))
    assert Stance().may_change(s, SOVIET)
    s.fighting = AXIS
    assert not Stance().may_change(s, SOVIET)
    assert Stance().may_change(s, AXIS)
    facts = Stance().facts(s, fight(s, place=CITY), SOVIET, {})
    assert facts == {"hex": CITY, "key": 1}
    assert Stance().facts(s, fight(s), SOVIET, {})["key"] == 0
    assert Stance().facts(s, fight(s, place=2013), SOVIET, {})["key"] == 1  # no city, but a victory hex


def test_s42_11_6_1a_11_6_1b_14_2_4_a_delay_is_a_short_retreat_and_one_hex_of_advance() -> None:
    d = combat(("45ID", 2502), ("75ID", 2502), ("13GRD", 2602), turn=8, dice={2602: 3}, stand=[3])
    d.type("attack 2602 with 45id 75id advance 45id 2602 2702\ndone")
    (stood,) = d.seen(Stood)
    assert (stood.outcome, stood.more) == ("P", 1)
    unit, grid = number("13GRD"), CHART.board.grid
    assert grid is not None
    assert 1 <= grid.distance(2602, d.state.at(unit)) <= 2
    assert d.state.pieces[unit].order == DISRUPTED
    assert [each.path for each in d.seen(Advanced)] == [(2502, 2602)]


def test_s42_11_6_1d_in_desperate_defence_the_second_delay_holds() -> None:
    ring = [("9Pz", 2502), ("11Pz", 2601), ("23Pz", 2603), ("45ID", 2503), ("75ID", 2703), ("3Pz", 2702)]
    s = position(("13GRD", 2602), ("45RD", 2602), *ring)
    d = combat(state=s, dice={2602: 4}, stand=[3, 3])
    d.type("attack 2602 with 9pz 11pz\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P", "P"]
    assert not d.state.on_map(number("13GRD"))
    assert d.state.at(number("45RD")) == 2602


# Each step of it, as it is carried out


RING = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]


def held(*units: tuple[str, int] | tuple[str, int, int], die: int, stand: Iterable[int], **options: object) -> Table:
    """An attack of 45ID and 75ID on 3418 in turn 8, held as long as it is allowed."""
    attackers = ("45ID", WEST), ("75ID", WEST)
    d = combat(*attackers, *units, turn=8, dice={HEX: die}, stand=stand, **options)  # type: ignore[arg-type]
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    return d


def test_s42_11_5_2a_three_steps_for_a_hex_in_the_woods() -> None:
    """D1 costs the plain division a step; 2 and one for elite: F, a step of the lead; 4 and one: S -/1, another."""
    around = [("9Pz", 2502), ("11Pz", 2601), ("23Pz", 2603), ("45ID", 2503), ("75ID", 2703), ("3Pz", 2702)]
    units = ("45RD", 2602), ("13GRD", 2602)
    d = combat(*units, *around, turn=8, dice={2602: 3}, stand=(2, 4))
    d.type("attack 2602 with 9pz 11pz 23pz 45id 75id 3pz\ndone")
    assert d.seen(Fought)[0].result == "D1"
    assert [(each.unit, each.die, each.more, each.outcome) for each in d.seen(Stood)] == [
        ("13GRD", 2, 1, "F"),
        ("13GRD", 4, 1, "S"),
    ]
    assert (d.state.pieces[number("45RD")].steps, d.state.at(number("13GRD"))) == (1, ELIMINATED)
    assert d.state.at(number("45RD")) == 2602


@pytest.mark.parametrize(("die", "stands"), [(1, True), (2, True), (3, True), (4, True), (5, True), (6, False)])
def test_s42_11_1_1a_against_every_retreat_of_two_or_three_hexes(die: int, stands: bool) -> None:
    """12:5 at 2:1: D1, A1/D1, DR2, DRX, A1/DR2; EX brings none."""
    d = held(("45RD", HEX), die=die, stand=(6,))
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert bool(d.seen(Stood)) == stands
    assert not d.seen(Retreated)


def test_s42_11_2_1a_after_the_losses_the_owner_picks_the_lead() -> None:
    d = held(("45RD", HEX), ("62RD", HEX), die=1, stand=(6,), asked="combats")
    d.type(f"attack {HEX} with 45id 75id\ndone")
    order = next(iter(d.legal(SOVIET)))
    assert d.legal(SOVIET) == [Lead(unit) for unit in sorted((number("45RD"), number("62RD")))], order
    wrong = d.check(SOVIET, Lead(number("45ID")))
    assert wrong is not None
    assert wrong.rule == "S42-11.2"
    d.order(SOVIET, Lead(number("62RD")))
    assert [each.unit for each in d.seen(Stood)] == ["62RD"]


def test_s42_11_2_1a_the_lead_whom_a_loss_costs_least() -> None:
    d = held(("13GRD", HEX), ("45RD", HEX, 1), die=1, stand=(6,))
    d.stand(SOVIET, "lead", "then least")
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert [each.unit for each in d.seen(Stood)] == ["45RD"]


@pytest.mark.parametrize(("die", "outcome"), [(1, "F"), (6, "S")])
def test_s42_11_2_1c_beyond_the_table_its_last_rows_count(die: int, outcome: str) -> None:
    """Six and one for elite in a city is the last row; one and nothing in the open lies in the table."""
    s = position(("13GRD", HEX), ("9Pz", WEST))
    lead = number("13GRD")
    assert stand(s, lead, HEX, die).outcome == outcome
    assert stand(s, lead, HEX, die + 20 * (die > 1) - 20 * (die == 1)) == stand(s, lead, HEX, 8 if die > 1 else -8)


def test_s42_11_2_2b_a_star_costs_one_in_a_victory_hex() -> None:
    d = combat(("9Pz", 2014), ("11Pz", 2014), ("16TC", 2013), ("62RD", 2013), dice={2013: 4}, stand=(6,), turn=8)
    found = [each.result for each in d.seen(Fought)]
    assert not found
    s = d.state
    assert sum(shift.by for shift in modifiers(s, number("62RD"), 2013, support=False, star=True)) == -1


def test_s42_11_3a_support_adds_one_and_is_used() -> None:
    units = ("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("SW-HQ", 3518)
    for text, more, ready in (("then any", 1, False), ("then none", 0, True), ("then needed", 1, False)):
        s = position(*units, turn=8)
        s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=True))
        d = combat(state=s, dice={HEX: 3}, stand=(5,))
        d.stand(SOVIET, "defence", "then hold", sealed=True)
        d.stand(SOVIET, "support", text)
        d.type(f"attack {HEX} with 45id 75id\ndone")
        assert [each.more for each in d.seen(Stood)] == [more]
        assert d.state.pieces[number("SW-HQ")].ready is ready
        assert [each.spent for each in d.seen(GunsUsed)] == [False] * more


def test_s42_11_3b_a_supply_point_with_it_is_spent_instead() -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("SW-HQ", 3518), ("Sup-S1", 3518), turn=8)
    for code in ("SW-HQ", "Sup-S1"):
        s.alter(number(code), replace(s.pieces[number(code)], ready=True))
    d = combat(state=s, dice={HEX: 3}, stand=(5,))
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert [(each.unit, each.spent) for each in d.seen(GunsUsed)] == [("Sup-S1", True)]
    assert d.state.pieces[number("SW-HQ")].ready
    assert d.state.at(number("Sup-S1")) == POOL


def test_s42_11_3a_out_of_its_range_nobody_supports() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("SW-HQ", 3430), turn=8)
    s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=True))
    f = fight(s, "45ID", stance=HOLD)
    f.lead = number("45RD")
    assert not helpers(s, f, f.lead)
    assert not ChooseHelp().by(s, f)


def test_s42_11_4_1_the_attacker_loses_too_and_by_a_star_the_defender_picks() -> None:
    """Woods, elite, six and one: S -/-; with support S 1*/-."""
    units = ("9Pz", 2601), ("45ID", 2702), ("13GRD", 2602), ("SW-HQ", 2705)
    for ready, loser in ((False, []), (True, ["9Pz"])):
        s = position(*units, turn=8)
        s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=ready))
        assert stand(s, number("13GRD"), 2602, 6, support=ready).attacker == ready
        d = combat(state=s, dice={2602: 2}, stand=(6,))
        d.stand(SOVIET, "defence", "then hold", sealed=True)
        d.type("attack 2602 with 9pz 45id\ndone")
        result = d.state.chart.results[d.seen(Fought)[0].result.rstrip("*")]
        mine = [each.unit for each in d.seen(StepLost) if each.unit in ("9Pz", "45ID")]
        assert mine[result.attacker :] == loser


def test_s42_11_4_2_the_last_step_in_a_success_leaves_a_limited_advance() -> None:
    """In the open with six: S -/1."""
    d = held(("45RD", HEX, 1), die=5, stand=(6,))
    d.type(f"attack {HEX} with 45id 75id advance 45id {HEX} 3419\ndone")
    assert [(each.outcome, each.die) for each in d.seen(Stood)] == [("S", 6)]
    assert not d.state.on_map(number("45RD"))
    assert [each.path for each in d.seen(Advanced)] == [(WEST, HEX)]


def test_s42_11_4_2_not_while_others_hold_the_hex() -> None:
    """A Disrupted division that stood with the lead still holds the hex."""
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX, 1), ("62RD", HEX), turn=8)
    s.alter(number("62RD"), replace(s.pieces[number("62RD")], order=DISRUPTED))
    d = combat(state=s, dice={HEX: 1}, stand=(6,))
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"attack {HEX} with 45id 75id advance 45id {HEX}\ndone")
    assert not d.seen(Advanced)
    assert d.state.at(number("62RD")) == HEX


def test_s42_11_5_1a_a_port_whose_garrison_would_be_out_of_supply() -> None:
    """Taganrog; with the whole coast behind it taken."""
    port = CHART.board.place_named("Taganrog")
    assert port is not None
    near = CHART.board.near[port]
    s = position(("45RD", port), ("9Pz", near[0]), turn=8)
    f = fight(s, "9Pz", place=port)
    home = lines(s, SOVIET).reached
    cut_off = not any(home & CHART.board.bit[way.end] for each in ways_out(s, f, 2) for way in each.ways)
    assert any(each.ways for each in ways_out(s, f, 2))
    assert is_desperate(s, f) is cut_off
    s.put(number("45RD"), HEX)
    assert not is_desperate(s, fight(s, "9Pz"))


def test_s42_11_5_2a_another_may_lead_each_time() -> None:
    d = combat(("13GRD", HEX), ("45RD", HEX), *RING, dice={HEX: 5}, stand=[1, 5], turn=8)
    d.stand(SOVIET, "lead", "when roll = 1 then best; then least")
    d.stand(SOVIET, "support", "then none")
    d.type(f"attack {HEX} with 9pz 11pz\ndone")
    assert [each.unit for each in d.seen(Stood)] == ["13GRD", "13GRD"]  # it costs least by then
    d = combat(("13GRD", HEX), ("45RD", HEX), *RING, dice={HEX: 5}, stand=[1, 6], turn=8, asked="combats")
    d.type(f"attack {HEX} with 9pz 11pz\ndone")
    d.order(SOVIET, next(iter(d.legal(SOVIET))))
    d.order(SOVIET, Lead(number("13GRD")))
    d.order(SOVIET, Lead(number("45RD")))
    assert [each.unit for each in d.seen(Stood)] == ["13GRD", "45RD"]


def test_s42_11_5_2a_g7_it_ends_when_nobody_can_lead() -> None:
    s = position(("45RD", HEX, 1), ("62RD", HEX), *RING, turn=8)
    s.alter(number("62RD"), replace(s.pieces[number("62RD")], order=DISRUPTED))
    d = combat(state=s, dice={HEX: 4}, stand=[1])
    d.type(f"attack {HEX} with 9pz 11pz advance 9pz {HEX} 3417\ndone")
    assert len(d.seen(Stood)) == 1
    assert not d.state.on_map(number("62RD"))
    assert [each.path[1] for each in d.seen(Advanced)] == [HEX]


def test_s42_11_5_2b_support_lasts_for_all_rolls() -> None:
    s = position(("13GRD", HEX), ("SW-HQ", HEX), *RING, turn=8)
    s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=True))
    d = combat(state=s, dice={HEX: 3}, stand=[1, 4])
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert [each.more for each in d.seen(Stood)] == [2, 2]
    assert len(d.seen(GunsUsed)) == 1


@pytest.mark.parametrize(("text", "length"), [("then one", 1), ("then two", 2)])
def test_s42_11_6_1a_11_6_1b_14_2_4_one_hex_or_two_and_disrupted_in_any_case(text: str, length: int) -> None:
    d = held(("45RD", HEX), die=3, stand=(5,))
    d.stand(SOVIET, "delay", text)
    d.type(f"attack {HEX} with 45id 75id advance 45id 3318 3319 75id {HEX}\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P"]
    grid, unit = CHART.board.grid, number("45RD")
    assert grid is not None
    assert grid.distance(HEX, d.state.at(unit)) == length
    assert d.state.pieces[unit].order == DISRUPTED
    assert [each.path for each in d.seen(Advanced)] == [(WEST, 3318), (WEST, HEX)]  # S42-14.2.4: one, in any direction


def test_s42_11_6_1a_one_hex_if_that_ends_in_supply_and_in_no_zone() -> None:
    units = ("45ID", 2502), ("75ID", 2502), ("13GRD", 2602)
    for more, length in (((), 1), ((("9Pz", 2701), ("11Pz", 2703)), 2)):
        d = combat(*units, *more, turn=8, dice={2602: 3}, stand=[3])
        d.type("attack 2602 with 45id 75id\ndone")
        grid = CHART.board.grid
        assert grid is not None
        where = d.state.at(number("13GRD"))
        assert not d.state.on_map(number("13GRD")) or grid.distance(2602, where) == length


def test_s42_11_6_1c_the_last_step_in_a_delay_leaves_one_hex_too() -> None:
    """In the open five is P -/1."""
    d = held(("45RD", HEX, 1), die=5, stand=(5,))
    d.type(f"attack {HEX} with 45id 75id advance 45id {HEX} 3419\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P"]
    assert not d.state.on_map(number("45RD"))
    assert [each.path for each in d.seen(Advanced)] == [(WEST, HEX)]


MINOR = 2708


@pytest.mark.parametrize(
    ("place", "level", "found"),
    [(CITY, 0, 1), (CITY, 1, 2), (CITY, 2, 0), (MINOR, 0, 1), (MINOR, 1, 0), (HEX, 0, 0)],
)
def test_s42_11_6_2a_11_6_2b_11_6_2c_11_6_2d_levels_of_a_city_battle(place: int, level: int, found: int) -> None:
    s = position(("45RD", place), ("9Pz", CHART.board.near[place][0]), turn=8)
    if level:
        s.sieges[place] = (level, number("9Pz"))
    assert level_up(s, fight(s, "9Pz", place=place)) == found


def test_s42_11_6_2d_at_the_highest_level_it_is_a_delay() -> None:
    west = CHART.board.near[CITY][0]
    s = position(("9Pz", west), ("11Pz", west), ("23Pz", west), ("45RD", CITY), ("62RD", CITY), turn=8)
    s.sieges[CITY] = (2, number("9Pz"))
    d = combat(state=s, dice={CITY: 1}, stand=(3,))
    d.type(f"attack {CITY:04d} with 9pz 11pz 23pz advance 9pz {CITY:04d}\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P"]
    assert not d.seen(CityBattle)
    assert d.state.at(number("45RD")) != CITY
    assert CITY not in d.state.sieges  # S42-11.6.2e


def test_s42_11_6_2b_the_second_partial_success_keeps_the_first_attackers() -> None:
    west = CHART.board.near[CITY][0]
    units = ("9Pz", west), ("11Pz", west), ("45RD", CITY), ("62RD", CITY), ("3Pz", CHART.board.near[CITY][1])
    s = position(*units, turn=8)
    s.sieges[CITY] = (1, number("3Pz"))
    d = combat(state=s, dice={CITY: 1}, stand=(3,))
    d.type(f"attack {CITY:04d} with 9pz 11pz\ndone")
    assert [each.level for each in d.seen(CityBattle)] == [2]
    assert d.state.sieges[CITY] == (2, number("3Pz"))
    assert not d.seen(Advanced)
