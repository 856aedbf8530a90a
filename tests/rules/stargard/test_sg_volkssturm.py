"""SG-2.5.2, SG-12.4: where the Volkssturm of the box comes back."""

from __future__ import annotations

from sg_plain import GERMAN, number, position
from sg_positions import position as printed

from pbem.engine.event import Out
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.orders import Done, Enter
from pbem_rules.stargard.state import VOLKSSTURM_BOX, State
from pbem_rules.stargard.volkssturm import Deploy, towns

# On the plain map: 2015 village, 2215 town, 2415 city, 2608 Arnswalde.


def boxed(*units: tuple[str, int], codes: tuple[str, ...] = ("Pommern",)) -> State:
    state = position(*units)
    for code in codes:
        state.put(number(code), VOLKSSTURM_BOX)
    return state


def refusal(s: State, order: Enter) -> str:
    violation = Deploy().check(s, GameTurn(), GERMAN, order, {})
    return "" if violation is None else violation.rule


def test_sg_12_4a_volkssturm_lost_in_combat_goes_to_its_box():
    s = position(("Pommern", 2015), ("Voigt", 2215))
    s.lose_step(number("Pommern"))
    s.lose_step(number("Voigt"))
    assert (s.at(number("Pommern")), s.at(number("Voigt"))) == (VOLKSSTURM_BOX, 0)
    assert refusal(s, Enter(number("Pommern"), 2015)) == ""
    assert refusal(s, Enter(number("Voigt"), 2015)) == "SG-12.4a"


def test_sg_2_5_2a_12_4b_to_german_villages_towns_and_cities():
    s = boxed()
    assert towns(s) == (2015, 2215, 2415, 2608)
    assert refusal(s, Enter(number("Pommern"), 2016)) == "SG-12.4b"
    s.holders[2015] = "soviet"
    assert refusal(s, Enter(number("Pommern"), 2015)) == "SG-12.4b"


def test_sg_12_4b_2_5_2a_case_29_five_hexes_from_every_soviet_unit():
    """TEST-29."""
    assert refusal(boxed(("212/80", 2011)), Enter(number("Pommern"), 2015)) == "SG-12.4b"
    assert refusal(boxed(("212/80", 2010)), Enter(number("Pommern"), 2015)) == ""
    assert refusal(boxed(("61-HQ", 2011)), Enter(number("Pommern"), 2015)) == "SG-12.4b"


def test_sg_12_4c_2_5_2b_not_with_other_units_and_not_together():
    assert refusal(boxed(("24/11SS", 2015)), Enter(number("Pommern"), 2015)) == "SG-12.4c"
    assert refusal(boxed(("3SSPz-HQ", 2015)), Enter(number("Pommern"), 2015)) == "SG-12.4c"
    s = boxed(codes=("Pommern", "HessenI"))
    Deploy().do(s, GameTurn(), GERMAN, Enter(number("Pommern"), 2015), Out())
    assert s.at(number("Pommern")) == 2015
    assert refusal(s, Enter(number("HessenI"), 2015)) == "SG-12.4c"
    assert refusal(s, Enter(number("HessenI"), 2215)) == ""


def test_sg_2_5_2b_12_4c_not_behind_soviet_troops():
    """AMB-30: a path must lead to a German source: units all round, six hexes away, in zones that touch."""
    ring = [place for place in position().chart.board.places if _away(place) == 6]
    fighters = [unit.code for unit in position().chart.units if unit.side == "soviet" and unit.faces[0].attack]
    s = boxed(*zip(fighters, ring, strict=False))
    assert len(fighters) >= len(ring)
    assert refusal(s, Enter(number("Pommern"), 2015)) == "SG-2.5.2b"
    assert 2015 not in towns(s)


def _away(place: int) -> int:
    grid = position().chart.board.grid
    assert grid is not None
    return grid.distance(place, 2015)


def test_sg_2_5_2a_nobody_is_asked_without_a_unit_or_a_place():
    assert Deploy().by(boxed(codes=()), GameTurn()) == ()
    assert Deploy().by(boxed(), GameTurn()) == (GERMAN,)
    assert Done() in Deploy().options(boxed(), GameTurn(), GERMAN)  # and they may stay in the box
    s = boxed(
        *(
            (code, place)
            for code, place in zip(("212/80", "356/80", "6GT", "79GT"), (2016, 2216, 2416, 2609), strict=True)
        )
    )
    assert Deploy().by(s, GameTurn()) == ()


def test_sg_2_5_2a_by_standing_orders_each_goes_where_most_points_lie():
    """On the printed map: Altdamm counts six points, Gollnow and Stargard four."""
    s, step = printed(), Deploy()
    for code in ("Pommern", "HessenI", "PyritzII"):
        s.put(number(code), VOLKSSTURM_BOX)
    assert step.preset
    found = []
    for _ in range(2):
        order = step.answers(s, GameTurn(), GERMAN, {})["best"]
        found.append(order)
        step.do(s, GameTurn(), GERMAN, order, Out())
    assert found == [Enter(number("Pommern"), 716), Enter(number("PyritzII"), 1122)]
    assert step.answers(s, GameTurn(), GERMAN, {})["none"] == Done()
