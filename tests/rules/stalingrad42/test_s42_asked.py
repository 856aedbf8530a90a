"""Standing orders that ask: each kind comes to its question where the page says that it does, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from s42_combat import GAME, Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.engine.compiled import program
from pbem.engine.need import Orders
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.scenarios import URANUS, chart_for
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISENGAGING, DISRUPTED, LEADERS, PLANNED, ROUTED, SHARING, State

WEST, HEX = 3417, 3418
CITY = CHART.board.place_named("Voronezh") or 0
MOST = 40  # questions after an attack
WINTER = chart_for(DATA, URANUS)
OPEN = 4410
BOTH = ("45ID", WEST), ("75ID", WEST)
RING = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]


class Case(NamedTuple):
    """`words`: the list, with `{ask}` where it can ask."""

    state: State
    words: str
    dice: dict[int, Any]
    stand: tuple[Any, ...] = ()
    side: str = AXIS
    through: dict[int, int] | None = None
    leaves: int = 0  # the die of a disengagement


def on(s: State, *options: str, ready: str = "", **orders: int) -> State:
    """With these options; `ready`: support that can be used; the others have these states."""
    s.options = options
    for code, order in orders.items():
        unit = number(code.strip("_"))
        s.alter(unit, replace(s.pieces[unit], order=order))
    for code in ready.split():
        unit = s.chart.unit(code).number
        s.alter(unit, replace(s.pieces[unit], ready=True))
    return s


def led(*units: tuple[str, int]) -> State:
    s = on(position(*units, turn=30, chart=WINTER), LEADERS, DISENGAGING, ready="Manstein Chuikov")
    s.rained = True
    return s


def supplied() -> State:
    """Support that has been used, with a supply point and an enemy near; railheads that can move."""
    s = at_start(CHART)
    s.turn = 2
    s.put(number("6A-HQ"), 1303)
    s.put(number("Sup-A1"), 1303)
    s.alter(number("6A-HQ"), replace(s.pieces[number("6A-HQ")], ready=False))
    return s


def planned() -> State:
    s = on(position(*BOTH, ("45RD", HEX), ("6A-HQ", WEST)), PLANNED)
    s.plans[number("6A-HQ")] = (0, 1)
    return s


def flying() -> State:
    s = position(("16TC", 1116), ("17TC", 1116), ("45ID", 1117))
    refresh(s)
    return s


def city() -> State:
    west = CHART.board.near[CITY][0]
    attackers = [(code, west) for code in ("9Pz", "11Pz", "23Pz")]
    return on(position(*attackers, ("45RD", CITY), ("62RD", CITY), turn=8), SHARING)


def full() -> State:
    there = ("62RD", 3419), ("121RD", 3419), ("13GRD", 3419)
    return on(position(("9Pz", WEST), ("11Pz", WEST), ("57ID", WEST), ("45RD", HEX), *there), _13GRD=DISRUPTED)


def weak() -> State:
    """Those in Full Retreat are left alone."""
    return on(position(*BOTH, ("45RD", HEX, 1), ("62RD", HEX), turn=1), _62RD=ROUTED)


ATTACK = f"attack {HEX} with 45id 75id{{ask}}\ndone"
OWN: dict[str, Callable[[], Case]] = {
    "advance": lambda: Case(position(*BOTH, ("45RD", HEX), turn=1), ATTACK, {HEX: 3}),
    "die": lambda: Case(planned(), f"commit 6a to {HEX}\n{ATTACK}", {HEX: (6, 2)}),
    "enter": lambda: Case(city(), f"attack {CITY:04d} with 9pz 11pz 23pz{{ask}}\ndone", {CITY: 1}, (3,)),
    "leaving": lambda: Case(
        on(position(("9Pz", WEST), ("45RD", HEX)), DISENGAGING), "disengage 9pz back 2{ask}\ndone", {}, leaves=6
    ),
    "loss": lambda: Case(position(*BOTH, ("45RD", HEX), turn=1), ATTACK, {HEX: 2}),
    "remnant": lambda: Case(
        position(("45ID", WEST, 2), ("45RD", HEX), turn=1), f"attack {HEX} with 45id{{ask}}\ndone", {HEX: 6}
    ),
    "reroll": lambda: Case(
        led(("Manstein", OPEN + 1), ("6Pz", OPEN + 1), ("44GRD", OPEN)),
        f"attack {OPEN} with 6pz{{ask}}\ndone",
        {OPEN: (6, 6)},
        (1,),
    ),
    "retreat": lambda: Case(weak(), ATTACK, {HEX: 2}),
    "retry": lambda: Case(
        led(("Manstein", OPEN + 1), ("6Pz", OPEN), ("44GRD", OPEN - 1)), "disengage 6pz back 2{ask}\ndone", {}, leaves=1
    ),
}
REACTS: dict[str, Callable[[], Case]] = {
    "cover": lambda: Case(flying(), "attack 1117 with 16tc 17tc\ndone", {1117: 2}, (6,), side=SOVIET),
    "delay": lambda: Case(
        position(("13GRD", 2602), ("9Pz", 2502), ("11Pz", 2502), turn=8),
        "attack 2602 with 9pz 11pz\ndone", {2602: 4}, (3,),
    ),
    "lead": lambda: Case(position(*BOTH, ("45RD", HEX), ("62RD", HEX), turn=8), ATTACK, {HEX: 1}, (6,)),
    "restand": lambda: Case(
        led(("Chuikov", 5521), ("62RD", 5521), ("6Pz", 5421), ("17Pz", 5421)),
        "attack 5521 with 6pz 17pz\ndone", {5521: 3}, ((1, 1),),
    ),
    "spare": lambda: Case(
        full(), f"attack {HEX} with 9pz 11pz 57id break 9pz 11pz via {HEX}-3419 at 1:3\ndone",
        {HEX: 1}, through={3419: 4},
    ),
    "support": lambda: Case(
        on(position(*BOTH, ("45RD", HEX), ("SW-HQ", 3518), turn=8), ready="SW-HQ"), ATTACK, {HEX: 3}, (5,)
    ),
}  # fmt: skip
ENDS: dict[str, Callable[[], Case]] = {kind: lambda: Case(supplied(), "done", {}) for kind in ("railheads", "resupply")}


def asked(case: Case, kind: str, *, ask: bool, asked: str) -> dict[tuple[str, str], str]:
    """Seats and kinds of question that come, with the prompt, if all who can be want to be asked about this kind."""
    s = case.state
    winter = URANUS if s.chart is WINTER else None
    d = combat(
        state=s, side=case.side, dice=case.dice, stand=case.stand, through=case.through, asked=asked, scenario=winter
    )
    if case.leaves:
        d.chance.rolls |= {  # type: ignore[attr-defined]
            f"t{s.turn}/axis/{place}/leave": (case.leaves,) * 2 for place in (WEST, OPEN)
        }
    for each in {kind, *ENDS}:
        for seat in program(GAME).decisions[each].seats or (AXIS, SOVIET):
            d.stand(seat, each, "then ask" if each == kind else "then default")
    d.type(case.words.format(ask=" ask" if ask else ""))
    return questions(d)


def questions(d: Table) -> dict[tuple[str, str], str]:
    found = {}
    for _ in range(MOST):
        if not isinstance(d.need, Orders) or not d.asked or d.need.kind in ("attacks", "initial"):
            break
        found[d.asked[0], d.need.kind] = d.machine.prompt(d.asked[0])
        legal = list(d.legal(d.asked[0]))
        ends = [order for order in legal if order.written == "done"]
        d.order(d.asked[0], (ends or legal)[0])
    return found


def test_every_kind_that_can_ask_has_a_case() -> None:
    made = program(GAME)
    axis = {kind for kind in made.defaults if AXIS in (made.decisions[kind].seats or (AXIS,))}
    assert {*OWN, *REACTS, *ENDS} == axis - {"defence"}  # a stance, which is sealed and never asked about
    limited = {kind for kind in axis if "attacks of yours" in made.decisions[kind].unasked(position())}
    assert limited == OWN.keys()


@pytest.mark.parametrize("kind", OWN)
def test_in_an_attack_with_ask_its_owner_is_asked(kind: str) -> None:
    case = OWN[kind]
    prompt = asked(case(), kind, ask=True, asked="no")[AXIS, kind]
    assert "?" in prompt.partition("`")[0] or kind in ("advance", "retreat"), prompt  # so far the board shows it
    assert not asked(case(), kind, ask=False, asked="no")


@pytest.mark.parametrize("kind", REACTS)
def test_who_is_attacked_is_asked_by_the_offer_alone(kind: str) -> None:
    case = REACTS[kind]
    prompt = asked(case(), kind, ask=False, asked="combats")[AXIS if case().side == SOVIET else SOVIET, kind]
    assert "?" in prompt.partition("`")[0], prompt
    assert not asked(case(), kind, ask=False, asked="no")


@pytest.mark.parametrize("kind", ENDS)
def test_after_the_attacks_whoever_wants_to_be_asked_is(kind: str) -> None:
    assert asked(ENDS[kind](), kind, ask=False, asked="no").keys() == {(AXIS, kind)}
