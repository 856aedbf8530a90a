"""Units and places that Uranus brings: headquarters of armies, artillery divisions, allies' headquarters, Linden."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, SOVIET, position

from pbem.engine.testing import Driver
from pbem.game import Out, Rows
from pbem.kit import SUPPLIED, Shift
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.chart import DATA, FOOT
from pbem_rules.stalingrad42.combat.advance import hexes, ways
from pbem_rules.stalingrad42.combat.battle import BackOff, shifts_of
from pbem_rules.stalingrad42.combat.defence import helpers
from pbem_rules.stalingrad42.combat.fights import Attacks
from pbem_rules.stalingrad42.combat.flight import ChooseWay, DriveOff, Onward
from pbem_rules.stalingrad42.combat.guns import fire, no_guns, of_nation, price
from pbem_rules.stalingrad42.combat.odds import attack_of, shifts
from pbem_rules.stalingrad42.combat.pursuit import paths
from pbem_rules.stalingrad42.events import GunsGone, Overrun
from pbem_rules.stalingrad42.frames import Battle, PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement.marching import crossings
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import Moves, Rails, Transfers
from pbem_rules.stalingrad42.movement.rail import rides
from pbem_rules.stalingrad42.orders import Attack, Entrain, GoBack, Move, Renew, Storm, Transfer
from pbem_rules.stalingrad42.replacements import Renewals
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, URANUS, chart_for
from pbem_rules.stalingrad42.state import ELIMINATED, POOL, REMOVED, State
from pbem_rules.stalingrad42.supply.isolation import pocket
from pbem_rules.stalingrad42.supply.lines import sources
from pbem_rules.stalingrad42.victory import points

CHART = chart_for(DATA, URANUS)
WHOLE = chart_for(DATA, CAMPAIGN)
CITY = 5522


def unit(code: str) -> int:
    return CHART.unit(code).number


def place(*units: tuple[str, int] | tuple[str, int, int], turn: int = 30) -> State:
    return position(*units, turn=turn, chart=CHART)


# Headquarters of Soviet armies.


def test_s42_14_2_2_20_1_3b_the_headquarters_of_a_tank_army_advances_with_tanks_others_with_infantry() -> None:
    s = place(("TankA-HQ", 4517), ("1GdsA-HQ", 4719), ("5ShA-HQ", 4719), ("26TC", 4517))
    assert [hexes(s, unit(code), 4) for code in ("TankA-HQ", "26TC", "1GdsA-HQ", "5ShA-HQ")] == [4, 4, 2, 2]


def test_s42_20_1_3a_20_1_3b_they_move_with_whom_they_like() -> None:
    """S42-20.1.3a: those on foot gain no vehicles by it. A third unit goes where the headquarters has gone first."""
    s = place(("TankA-HQ", 4516), ("1TC", 4516), ("26TC", 4516), ("16TC", 4516), ("96RD", 4516))
    f = PlayerTurn(SOVIET)
    assert CHART.pace(unit("TankA-HQ")) == "mech"
    moves = Moves()
    assert moves.check(s, f, SOVIET, Move(unit("TankA-HQ"), (4415,)), {}) is None
    moves.apply(s, f, SOVIET, Move(unit("TankA-HQ"), (4415,)), Out())
    for code in ("1TC", "26TC", "16TC"):
        order = Move(unit(code), (4415,))
        assert moves.check(s, f, SOVIET, order, {}) is None, code
        moves.apply(s, f, SOVIET, order, Out())
    assert not s.overfull(4415, SOVIET)


def test_s42_20_1_3b_they_advance_with_their_stack_or_without_it() -> None:
    s = place(("TankA-HQ", 4517), ("26TC", 4517))
    f = Battle(
        seat=SOVIET, target=4518, units=(unit("26TC"),), mates=(unit("TankA-HQ"),), defenders=(), won=True, hexes=3
    )
    assert any(way == (4518,) for way in paths(s, f, unit("TankA-HQ")))
    s.put(unit("Sup-A1"), 4518)  # but not to enemy supplies, which cannot be thrown out by it
    assert not any(4518 in way for way in paths(s, f, unit("TankA-HQ")))


def retreat(*units: tuple[str, int] | tuple[str, int, int]) -> tuple[State, Retreat]:
    s = place(*units)
    going = tuple(each for each in s.of(SOVIET, 4517) if s.fights(each))
    return s, Retreat(SOVIET, 4517, going, 2, AXIS, SOVIET)


def test_s42_19_3b_they_retreat_with_the_last_of_those_who_stood_there() -> None:
    s, f = retreat(("1GdsA-HQ", 4517), ("Sup-S1", 4517), ("96RD", 4517), ("26TC", 4517), ("5Rom", 4518))
    options = {each.units for each in ChooseWay().options(s, f, SOVIET)}
    path = next(each.path for each in ChooseWay().options(s, f, SOVIET) if each.units == (unit("96RD"),))
    assert (unit("96RD"),) in options
    out = Out()
    ChooseWay().do(s, f, SOVIET, GoBack((unit("96RD"),), path), out)
    assert s.at(unit("1GdsA-HQ")) == 4517
    path = next(each.path for each in ChooseWay().options(s, f, SOVIET) if each.units == (unit("26TC"),))
    ChooseWay().do(s, f, SOVIET, GoBack((unit("26TC"),), path), out)
    assert s.at(unit("1GdsA-HQ")) == s.at(unit("26TC")) == path[-1]
    assert s.at(unit("Sup-S1")) == 4517  # S42-18.6.6


def test_s42_19_3b_without_a_survivor_they_are_removed_at_once() -> None:
    s = place(("1GdsA-HQ", 4517), ("Sup-S1", 4517), ("5Rom", 4518))
    f = Battle(seat=AXIS, target=4517, units=(unit("5Rom"),), defenders=(unit("96RD"),), cell="DS")
    out = Out()
    BackOff().run(s, f, out)
    assert [event.units for event in out.events if isinstance(event, Overrun)] == [("1GdsA-HQ",)]
    assert s.at(unit("Sup-S1")) == 4517
    ring = [("5Rom", 4518), ("6Rom", 4516), ("14Rom", 4416), ("1ArmRom", 4417), ("22Pz", 4616), ("13Rom", 4617)]
    s, f2 = retreat(*ring, ("1GdsA-HQ", 4517), ("96RD", 4517))
    assert not list(ChooseWay().options(s, f2, SOVIET))
    Onward().run(s, f2, Out())
    assert s.at(unit("1GdsA-HQ")) == ELIMINATED
    s = place(("1GdsA-HQ", 4517), ("5Rom", 4518))
    DriveOff().run(s, PlayerTurn(AXIS, storms=[Storm(4517, (unit("5Rom"),))]), Out())
    assert s.at(unit("1GdsA-HQ")) == ELIMINATED  # by an automatic DS, too


def test_s42_19_3c_they_go_with_units_in_full_retreat() -> None:
    s, f = retreat(("1GdsA-HQ", 4517), ("Chuikov", 4517), ("96RD", 4517), ("5Rom", 4518))
    driven = replace(f, driven=True, chooser=AXIS)
    order = next(iter(ChooseWay().options(s, driven, AXIS)))
    ChooseWay().do(s, driven, AXIS, order, Out())
    assert s.at(unit("1GdsA-HQ")) == s.at(unit("Chuikov")) == s.at(unit("96RD"))


def test_s42_19_4_19_2c_an_enemy_removes_them_and_they_come_back_two_turns_later() -> None:
    s = place(("1GdsA-HQ", 4517), ("Sup-S1", 4517), ("5Rom", 4518), ("SW-HQ", 4515))
    come_through(s, unit("5Rom"), (4517,), Out())
    assert (s.at(unit("1GdsA-HQ")), s.at(unit("Sup-S1"))) == (ELIMINATED, POOL)
    f, order = PlayerTurn(SOVIET), Renew(unit("1GdsA-HQ"), place=CHART.areas["a"])
    wrong = Renewals().check(s, f, SOVIET, order, {})
    assert wrong is not None
    assert wrong.rule == "S42-19.4"
    s.turn = 31
    assert Renewals().check(s, f, SOVIET, order, {}) is not None
    s.turn = 32
    assert Renewals().check(s, f, SOVIET, order, {}) is None
    assert order in set(Renewals().legal(s, f, SOVIET, {}))
    out = Out()
    Renewals().apply(s, f, SOVIET, order, out)
    assert s.at(unit("1GdsA-HQ")) == CHART.areas["a"]
    assert unit("1GdsA-HQ") not in s.renewed  # no marker
    assert unit("1GdsA-HQ") not in s.returns
    assert [event.words() for event in out.events] == ["1GdsA-HQ comes back in Area A."]


# Artillery.


def ready(s: State, *codes: str) -> None:
    for code in codes:
        s.alter(unit(code), replace(s.pieces[unit(code)], ready=True))


def guns() -> State:
    s = place(
        *(("1Art", 4718), ("4Art", 4718), ("SW-HQ", 4718), ("Don-HQ", 4718), ("Sup-S1", 4718)),
        *(("76/293RD", 4719), ("4TC", 4719), ("13Rom", 4720), ("3Rom-HQ", 4621), ("14Rom", 4721), ("6A-HQ", 4720)),
    )
    ready(s, "1Art", "4Art", "SW-HQ", "Don-HQ", "Sup-S1", "3Rom-HQ", "6A-HQ")
    return s


@pytest.mark.parametrize(
    ("codes", "refused"),
    [
        (("1Art",), ""),
        (("1Art", "4Art"), ""),
        (("1Art", "SW-HQ"), ""),
        (("SW-HQ", "Don-HQ"), "S42-18.5a"),
        (("SW-HQ", "Sup-S1"), "S42-18.5a"),
        (("1Art", "Sup-S1"), "S42-18.5a"),
        (("1Art", "4Art", "SW-HQ"), "S42-18.5a"),
        (("1Art", "1Art"), "S42-18.5a"),
    ],
)
def test_s42_18_5a_who_fires_a_massive_barrage(codes: tuple[str, ...], refused: str) -> None:
    s = guns()
    wrong = no_guns(s, SOVIET, tuple(map(unit, codes)), (unit("76/293RD"),))
    assert ("" if wrong is None else wrong.rule) == refused


def test_s42_18_5a_9_4_a_massive_barrage_gives_two_columns() -> None:
    s = guns()
    assert sum(shift.by for shift in shifts_of((unit("1Art"),), air=False)) == 1
    assert shifts_of((unit("1Art"), unit("SW-HQ")), air=False) == (Shift(2, "S42-18.5a", "a massive barrage"),)
    entry = Attack(4720, (unit("4TC"), unit("76/293RD")))
    plain = Attacks().column(s, PlayerTurn(SOVIET), entry)
    pair = replace(entry, guns=(unit("1Art"), unit("4Art")))
    assert Attacks().column(s, PlayerTurn(SOVIET), pair) == plain + 2
    listed = {each.guns for each in Attacks().picked(s, PlayerTurn(SOVIET), SOVIET, 4720)}
    assert {(), (unit("1Art"),), (unit("1Art"), unit("4Art"))} <= {tuple(sorted(each)) for each in listed}


def test_s42_18_5b_divisions_that_have_fired_it_leave_the_game_and_headquarters_do_not() -> None:
    s, out = guns(), Out()
    barrage = (unit("1Art"), unit("SW-HQ"))
    prices = [price(s, each, barrage, (), ()) for each in barrage]
    assert prices[0] == "1Art leaves the game after the barrage (S42-18.5b)."
    assert prices[1].startswith("SW-HQ is used by its support, until a resource point")
    assert price(s, unit("1Art"), (unit("1Art"),), (), ()).startswith("1Art is used by its support")
    fire(s, (unit("1Art"), unit("SW-HQ")), out)
    assert s.at(unit("1Art")) == REMOVED
    assert (s.at(unit("SW-HQ")), s.pieces[unit("SW-HQ")].ready) == (4718, False)
    assert [event.unit for event in out.events if isinstance(event, GunsGone)] == ["1Art"]
    s, out = guns(), Out()
    fire(s, (unit("1Art"),), out)
    assert s.at(unit("1Art")) == 4718


def test_s42_18_3_3b_headquarters_of_allies_help_their_own() -> None:
    s = guns()
    hq = (unit("3Rom-HQ"),)
    assert no_guns(s, AXIS, hq, (unit("13Rom"),)) is None
    assert no_guns(s, AXIS, hq, (unit("13Rom"), unit("14Rom"))) is None
    s.put(unit("376ID"), 4720)
    wrong = no_guns(s, AXIS, hq, (unit("376ID"),))
    assert wrong is not None
    assert wrong.rule == "S42-18.3.3b"
    assert no_guns(s, AXIS, (unit("6A-HQ"),), (unit("13Rom"),)) is None  # German ones help all
    f = Battle(seat=SOVIET, target=4720, units=(unit("4TC"),), defenders=s.of(AXIS, 4720), cell="DR2")
    assert {s.code(by) for by, _ in helpers(s, f, unit("13Rom"))} == {"3Rom-HQ", "6A-HQ"}
    assert {s.code(by) for by, _ in helpers(s, f, unit("376ID"))} == {"6A-HQ"}
    assert of_nation(s, unit("SW-HQ"), [unit("98GRD")])  # those of Soviet fronts help all


# Linden's engineers, mountain troops.


def test_s42_20_9_9_1d_lindens_engineers_attack_cities_doubled_and_have_no_replacements() -> None:
    s = place(("Linden", 5421))
    assert [factor.rule for factor in attack_of(s, unit("Linden"), CITY).factors] == ["S42-9.1d"]
    s.turn = 30
    assert attack_of(s, unit("Linden"), CITY).value == 2 * (
        s.face(unit("Linden")).attack - 1
    )  # S42-9.9d: the cold first
    assert not attack_of(s, unit("Linden"), 5422).factors
    s.put(unit("100Jg"), 5421)
    assert not attack_of(s, unit("100Jg"), CITY).factors
    assert CHART.replacements(unit("Linden")) == ()
    assert CHART.replacements(unit("100Jg"))


def test_s42_9_6_1b_9_6_2b_20_2_mountain_troops_of_the_axis_attack_mountains_doubled_but_not_over_the_range() -> None:
    board = WHOLE.board
    number = WHOLE.unit("1Mtn").number
    peaks = [p.id for p in board.places.values() if p.terrain == "mountain"]
    open_side, closed_side = (
        next(
            (near, peak)
            for peak in peaks
            for near in board.near[peak]
            if ("alpine" in board.edges[near, peak]) == alpine
        )
        for alpine in (False, True)
    )
    s = position(("1Mtn", open_side[0]), ("20MtD", open_side[0]), turn=20, chart=WHOLE)
    assert [factor.rule for factor in attack_of(s, number, open_side[1]).factors if factor.by > 1] == ["S42-9.1d"]
    assert not attack_of(s, number, next(p for p in board.near[open_side[0]] if board[p].terrain != "mountain")).factors
    soviet = WHOLE.unit("20MtD").number
    assert not [factor for factor in attack_of(s, soviet, open_side[1]).factors if factor.by > 1]
    s.put(number, closed_side[0])
    assert not [factor for factor in attack_of(s, number, closed_side[1]).factors if factor.by > 1]


# Railways, Areas, ports.


def test_s42_5_5_7_the_ferry_of_vladimirovka_carries_one_unit_a_turn_by_rail() -> None:
    s = place(("248RD", 6424), ("34GRD", 6424), ("Sup-S1", 6424))
    f = PlayerTurn(SOVIET)
    far = CHART.board.bit[6524]
    first, second = unit("248RD"), unit("34GRD")
    assert rides(s, first) & far
    assert rides(s, unit("Sup-S1")) & far
    s.put(unit("1GdsA-HQ"), 6424)
    assert not rides(s, unit("1GdsA-HQ")) & far  # neither a combat unit nor supplies
    assert not rides(s, first, ferry=False) & far
    axis = place(("6Pz", 6424))
    axis.tracks = ((6424,), (6524,))
    assert not rides(axis, unit("6Pz")) & far  # it carries Soviets
    Rails().apply(s, f, SOVIET, Entrain(first, 6524), Out())
    assert f.ferried
    f.rides_on_map = 0  # else that is what forbids the second
    wrong = Rails().check(s, f, SOVIET, Entrain(unit("Sup-S1"), 6524), {})
    assert wrong is not None
    assert wrong.rule == "S42-5.5.7"
    off = next(p for p in CHART.board.near[6424] if not rides(s, unit("Sup-S1")) & CHART.board.bit[p])
    wrong = Rails().check(s, f, SOVIET, Entrain(unit("Sup-S1"), off), {})
    assert wrong is not None
    assert wrong.rule.startswith("S42-5.6")  # no ferry goes there
    f = PlayerTurn(SOVIET)
    s.put(second, 6523)
    Rails().apply(s, f, SOVIET, Entrain(second, 6623), Out())
    assert not f.ferried


def test_s42_14_5b_an_advance_over_a_ferry_is_a_hex_like_any_other() -> None:
    s = place()
    over = crossings(s, SOVIET, FOOT, climbs=False)
    start, goal = next((a, steps[0][0]) for a, steps in over.items() if steps)
    s.put(unit("248RD"), start)
    assert (goal,) in set(ways(s, unit("248RD"), goal, 1))


def test_s42_22_6_2_the_south_edge_is_not_joined_to_the_west() -> None:
    x, y, q, r = (CHART.areas[key] for key in "xyqr")
    s = place(("6Pz", q), ("17Pz", x))
    f = PlayerTurn(AXIS)
    assert set(CHART.round_from(x, AXIS)) == {y, CHART.areas["z"]}
    assert CHART.round_from(q, AXIS) == (r,)
    assert Transfers().check(s, f, AXIS, Transfer(unit("6Pz"), r), {}) is None
    wrong = Transfers().check(s, f, AXIS, Transfer(unit("6Pz"), x), {})
    assert wrong is not None
    assert wrong.rule == "S42-22.6"
    assert set(CHART.round_from(CHART.areas["a"], SOVIET)) == {CHART.areas[key] for key in "bcde"}


def test_s42_24_1_4a_the_south_edge_costs_the_axis_nothing() -> None:
    edge = CHART.map.entries["q"].places
    s = place(("1TC", edge[len(edge) // 2]))
    assert not [each for each in points(s) if each.rule == "S42-24.1.4a"]
    s.put(unit("1TC"), CHART.map.entries["x"].places[0])
    assert [each.by for each in points(s) if each.rule == "S42-24.1.4a"] == [-3]


def test_s42_16_2_4_in_uranus_ports_are_sources_of_nobody() -> None:
    s = place()
    assert sources(s, SOVIET) == CHART.edge(SOVIET)
    s.holders = Rows(dict.fromkeys(s.holders, SOVIET))
    assert sources(s, SOVIET) == CHART.edge(SOVIET)
    assert sources(s, AXIS) == CHART.edge(AXIS)


def test_s42_s3_1b_the_south_edge_is_the_axis_own() -> None:
    assert {CHART.map.entries[key].side for key in "qr"} == {AXIS}
    s = place(("1TC", CHART.map.entries["q"].places[0]))
    links = Moves().march(s, PlayerTurn(SOVIET), unit("1TC"))
    assert links.terms.barred & CHART.board.bit[CHART.areas["q"]]


def test_s42_s3_2b_no_replacements_on_the_first_turn() -> None:
    d = Driver(game, URANUS)
    assert d.state.turn == 28
    assert d.need.kind == "movement"  # type: ignore[union-attr]  # the Soviets have no Initial Phase, the Axis no turn
    assert not d.view(SOVIET).frame.spare  # type: ignore[attr-defined]


def test_s42_s3_1a_the_maps_a_and_b() -> None:
    grid = CHART.board.grid
    assert grid is not None
    assert (grid.first_row, grid.rows) == (0, 43)
    assert [turn.number for turn in CHART.track] == list(range(28, 37))
    assert s_all_supplied()


def s_all_supplied() -> bool:
    s, _ = game.setup(game.setup_of(URANUS))
    return all(piece.supply == SUPPLIED for piece in s.pieces.values())


def test_s42_23_4a_winter_comes_with_turn_28() -> None:
    s = position(turn=27, chart=WHOLE)
    assert not s.frost
    s.turn = 28
    assert s.frost


def test_s42_16_3_2c_the_volga_stops_no_land_part() -> None:
    s = place(("13GRD", CITY))
    near = next(near for near in CHART.board.near[CITY] if "volga" in CHART.board.edges[CITY, near])
    assert pocket(s, SOVIET, CITY) & CHART.board.bit[near]


def test_s42_9_7_1b_9_9a_a_fort_in_rough_ground_takes_two_columns() -> None:
    rough = next(
        p.id
        for p in CHART.board.places.values()
        if p.terrain == "rough" and any(CHART.board[near].terrain == "clear" for near in CHART.board.near[p.id])
    )
    beside = next(near for near in CHART.board.near[rough] if CHART.board[near].terrain == "clear")
    s = place(("13GRD", rough), ("100Jg", beside))

    def taken() -> int:
        return sum(shift.by for shift in shifts(s, [unit("100Jg")], rough, SOVIET, [unit("13GRD")]))

    assert taken() == -1
    s.forts[rough] = SOVIET
    assert taken() == -2


def test_s42_19_3b_19_2c_they_stay_where_no_enemy_is() -> None:
    s, out = place(("1GdsA-HQ", 4517), ("Sup-S1", 4517), ("96RD", 4517)), Out()
    come_through(s, unit("96RD"), (4416,), out)
    assert s.at(unit("1GdsA-HQ")) == s.at(unit("Sup-S1")) == 4517
    assert not list(out.events)
