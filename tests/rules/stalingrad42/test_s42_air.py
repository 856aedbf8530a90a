"""S42-9.3: which air units fly, how far, with whom they stay, and when they are used up."""

from __future__ import annotations

from typing import Any

import pytest
from s42_combat import GAME, Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position
from test_s42_combat import rule_of

from pbem.game import DONE, Out
from pbem_rules.stalingrad42.chart import WINGS
from pbem_rules.stalingrad42.combat.air import bases, fit, no_air, reach, refresh, spend, stay
from pbem_rules.stalingrad42.events import Flew, Fought, Stood
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Cover
from pbem_rules.stalingrad42.state import READY, USED, State

FIRST, SECOND = WINGS
KURSK, KHARKOV, VORONEZH = 1003, 1015, 2503
BOARD = CHART.board


def ready(*units: tuple[str, int], turn: int = 2) -> State:
    s = position(*units, turn=turn)
    refresh(s)
    return s


def rule(s: State, wing: str, target: int) -> str:
    wrong = no_air(s, wing, target, ())
    return "" if wrong is None else wrong.rule


def test_s42_9_3_1a_3_b1b_23_2_1_all_of_them_are_ready_when_the_axis_begins() -> None:
    s = position(("9Pz", KURSK))
    assert Begin().run(s, PlayerTurn(AXIS), Out()) is DONE
    assert dict(s.wings) == {FIRST: READY, SECOND: READY}
    spend(s, FIRST)
    stay(s, SECOND, [number("9Pz")])
    assert Begin().run(s, PlayerTurn(SOVIET), Out()) is DONE
    assert dict(s.wings) == {FIRST: USED, SECOND: number("9Pz")}
    assert Begin().run(s, PlayerTurn(AXIS), Out()) is DONE
    assert dict(s.wings) == {FIRST: READY, SECOND: READY}


@pytest.mark.parametrize(("weather", "wings"), [("clear", 2), ("overcast", 1), ("rain", 0), ("snow", 0)])
def test_s42_9_3_1a_23_2_2_23_2_3a_23_2_4a_the_weather_says_how_many_fly(weather: str, wings: int) -> None:
    assert CHART.air[weather] == wings
    s = position(("9Pz", KURSK))
    s.weather = weather
    refresh(s)
    assert dict(s.wings) == dict.fromkeys(WINGS[:wings], READY)
    s.weather = "clear"
    assert Begin().run(s, PlayerTurn(AXIS), Out()) is DONE
    assert dict(s.wings) == dict.fromkeys(WINGS, READY)


def test_s42_9_3_5_within_fifteen_hexes_of_a_base_on_a_joined_railway() -> None:
    s = ready()
    joined = connected(s, AXIS)
    homes = BOARD.in_mask(bases(s))
    assert KHARKOV in homes
    assert all(BOARD.bit[place] & joined for place in homes)
    places = [place for place in BOARD.in_mask(joined) if s.holders.get(place) != SOVIET]
    assert set(homes) == {p for p in places if CHART.is_city(p) or BOARD[p].marks & {"town", "landmark"}}
    assert any(not CHART.is_city(place) for place in homes)
    grid = BOARD.grid
    assert grid is not None
    hexes = [place for place in BOARD.places if place in grid]
    inside = {place for place in hexes if min(grid.distance(place, home) for home in homes) <= 15}
    assert {place for place in hexes if BOARD.bit[place] & reach(s)} == inside
    far = min(place for place in hexes if place not in inside and BOARD[place].terrain == "clear")
    assert rule(s, FIRST, VORONEZH) == ""
    assert rule(s, FIRST, far) == "S42-9.3.5"
    assert fit(s, far, defends=True) == ()


def test_s42_9_3_5_a_base_that_the_enemy_has_taken_is_none() -> None:
    s = ready()
    s.holders[KHARKOV] = SOVIET
    assert KHARKOV not in BOARD.in_mask(bases(s))


def test_s42_9_3_3_only_one_that_is_ready_helps_an_attack() -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    spend(s, SECOND)
    assert [rule(s, wing, VORONEZH) for wing in (FIRST, SECOND, "")] == ["S42-9.3.3"] * 3
    assert fit(s, VORONEZH, defends=False) == ()


def test_s42_9_3_7b_9_3_7d_9_3_6_the_defence_is_covered_near_those_it_stays_with_or_from_the_box() -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    for place, wings in ((2403, {FIRST, SECOND}), (2402, {FIRST, SECOND}), (2401, {SECOND})):
        assert set(fit(s, place, defends=True)) == wings
    spend(s, SECOND)  # S42-9.3.6
    assert fit(s, 2402, defends=True) == (FIRST,)
    assert fit(s, 2401, defends=True) == ()


def test_s42_9_3_7b_22_7a_with_units_of_an_area_it_covers_the_hexes_of_its_edge() -> None:
    s = ready(("45ID", CHART.areas["z"]))
    stay(s, FIRST, [number("45ID")])
    spend(s, SECOND)
    assert fit(s, 1004, defends=True) == (FIRST,)
    assert fit(s, 1004, defends=False) == ()  # it helps no attack
    assert fit(s, 1104, defends=True) == ()
    refresh(s)
    assert fit(s, 4120, defends=True) == ()  # S42-9.3.5: too far from the bases
    assert fit(s, 1004, defends=True) == (FIRST, SECOND)


@pytest.mark.parametrize("place", [2401, 0])
def test_s42_9_3_7c_back_to_the_box_when_they_retreat_or_are_destroyed(place: int) -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    if place:
        s.put(number("9Pz"), place)
    else:
        for _ in range(3):
            s.lose_step(number("9Pz"), remnant=False)
    assert s.wings[FIRST] == READY


def test_s42_9_3_7b_with_the_stack_that_has_most_tanks_or_nobody() -> None:
    s = ready(("45ID", 2403), ("95ID", 2404), ("9Pz", 2404), ("22Pz", 2405))
    stay(s, FIRST, map(number, ("45ID", "95ID", "22Pz")))
    assert s.at(s.wings[FIRST]) == 2404
    s.set_steps(number("9Pz"), 1)
    stay(s, FIRST, map(number, ("45ID", "95ID", "22Pz")))
    assert s.at(s.wings[FIRST]) == 2405  # steps of infantry count nothing
    stay(s, SECOND, [number("3Pz")])  # destroyed in the attack
    assert s.wings[SECOND] == READY


# In combat


def flying(*units: tuple[str, int] | tuple[str, int, int], side: str = AXIS, turn: int = 2, **rest: Any) -> Table:
    """A combat near Kharkov, both air units ready."""
    s = position(*units, turn=turn)
    refresh(s)
    return combat(state=s, side=side, **rest)


def flown(d: Table) -> list[tuple[str, bool]]:
    return [(each.air, each.defends) for each in d.seen(Flew)]


def test_s42_9_3_3_9_3_2_one_air_unit_gives_an_attack_a_column() -> None:
    d = flying(("45ID", 1016), ("75ID", 1016), ("45RD", 1116), ("9Pz", 1216), dice={1116: 6})
    text = "attack 1116 with 45id 75id air 8fk"
    (order,) = d.read(text)
    assert GAME.notation.parse(GAME.notation.show(order), d.context(AXIS)) == (order,)
    d.type(text)
    assert rule_of(d, "attack 1216 with 9pz air 8fk") != ""
    d.type("done")
    assert "air support +1 (S42-9.3.3)" in d.seen(Fought)[0].odds
    assert flown(d) == [(FIRST, False)]
    assert d.state.wings[FIRST] in map(number, ("45ID", "75ID"))  # S42-9.3.7b
    assert d.state.wings[SECOND] == READY


def test_s42_9_3_1a_9_3_3_who_may_list_it() -> None:
    d = flying(("45ID", 1016), ("75ID", 1015), ("45RD", 1116), ("62RD", 1115))
    assert rule_of(d, "attack 1116 with 45id air 8fk") == ""
    d.type("attack 1116 with 45id air 8fk")
    assert rule_of(d, "attack 1115 with 75id air 8fk") == "S42-9.3.3"
    assert rule_of(d, "attack 1115 with 75id air 4fk") == ""
    spend(d.state, SECOND)
    assert rule_of(d, "attack 1115 with 75id air 4fk") == "S42-9.3.3"
    d = flying(("45ID", 1016), ("45RD", 1116), side=SOVIET)
    assert rule_of(d, "attack 1016 with 45rd air 8fk") == "S42-9.3.1a"


def test_s42_9_3_7a_15_2_9c_it_goes_with_the_group_that_breaks_through() -> None:
    near = ("9Pz", 1016), ("11Pz", 1016), ("57ID", 1016)
    d = flying(*near, ("45RD", 1116), ("62RD", 1216), dice={1116: 1}, through={1216: 1})
    d.type("attack 1116 with 9pz 11pz 57id air 8fk break 9pz 11pz via 1116-1216\ndone")
    assert ["air support" in each.odds for each in d.seen(Fought)] == [True, True]
    assert flown(d) == [(FIRST, False)]
    assert d.state.wings[FIRST] in map(number, ("9Pz", "11Pz"))
    d = flying(*near, ("45RD", 1116), ("62RD", 1216), dice={1116: 1}, through={1216: 1})
    d.type("attack 1116 with 9pz 11pz 57id break 9pz 11pz via 1116-1216\ndone")
    assert ["air support" in each.odds for each in d.seen(Fought)] == [False, False]


@pytest.mark.parametrize(
    ("stance", "attackers", "cover"),
    [
        ("hold", ("16TC", "17TC"), True),  # 14:7 = 2:1, tanks 3:1; 2:1 is left
        ("give", ("16TC", "17TC"), False),
        ("hold", ("16TC",), False),  # 7:7 = 1:1, tanks 2:1; 1:1 would be left
    ],
)
def test_s42_9_3_4_9_3_6_the_axis_takes_a_column_where_it_holds(
    stance: str, attackers: tuple[str, ...], cover: bool
) -> None:
    west = tuple((code, 1116) for code in attackers)
    d = flying(*west, ("45ID", 1117), side=SOVIET, dice={1117: 6}, stand=(6,))
    d.stand(AXIS, "defence", f"then {stance}", sealed=True)
    d.type(f"attack 1117 with {' '.join(attackers)}\ndone")
    assert ("air support of the defender -1 (S42-9.3.4)" in d.seen(Fought)[0].odds) == cover
    assert flown(d) == [(FIRST, True)] * cover


def test_s42_9_3_4_it_makes_no_attack_unlawful() -> None:
    d = flying(("45RD", 1116), ("45ID", 1117), side=SOVIET, dice={1117: 1})
    d.stand(AXIS, "cover", "then any")
    d.stand(AXIS, "defence", "then give", sealed=True)
    d.type("attack 1117 with 45rd\ndone")
    assert d.seen(Fought)[0].odds.endswith("column 1:3")  # none is below it
    assert d.seen(Fought)[0].result == "A1/DR2"  # of the first column


def test_s42_9_3_4_11_3a_support_of_determined_defence_and_not_both() -> None:
    for cover, expected in (("then none", [(FIRST, True)]), ("then any", [(FIRST, True)])):
        d = flying(("16TC", 1116), ("17TC", 1116), ("45ID", 1117), side=SOVIET, dice={1117: 3}, stand=(6,))
        d.stand(AXIS, "defence", "then hold", sealed=True)
        d.stand(AXIS, "cover", cover)
        d.type("attack 1117 with 16tc 17tc\ndone")
        assert flown(d) == expected
        assert [each.more for each in d.seen(Stood)] == [1 if cover == "then none" else 0]


def test_s42_9_3_4_the_defender_is_asked_by_name() -> None:
    d = flying(("16TC", 1116), ("17TC", 1116), ("45ID", 1117), side=SOVIET, dice={1117: 2}, asked="combats")
    d.stand(AXIS, "defence", "then give", sealed=True)
    d.type("attack 1117 with 16tc 17tc\ndone")
    assert d.legal(AXIS) == [Cover(), Cover(FIRST), Cover(SECOND)]
    d.order(AXIS, *d.read("cover air 4FK"))
    assert flown(d) == [(SECOND, True)]
    assert d.state.wings[SECOND] == USED  # while AXIS is asked who loses the step, or where to retreat
    assert d.asked == (AXIS,)
