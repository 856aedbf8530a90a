"""Positions of Bridgehead for its tests: the counters named, everything else as plain as can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from inspect import unwrap
from itertools import combinations

from pbem.engine.order import Order
from pbem.engine.rows import Rows
from pbem.engine.step import Frame, Step
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem.kit import Deployed
from pbem.kit.decks import Deck
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.attacks import Declare
from pbem_rules.bridgehead.chart import BOX, DATA, SEATS, Chart, chart_of
from pbem_rules.bridgehead.frames import Half, Turn, War
from pbem_rules.bridgehead.movement import March
from pbem_rules.bridgehead.orders import (
    NO_TARGET,
    Advance,
    Attack,
    Choose,
    Counter,
    Decline,
    Enter,
    Finish,
    GoBack,
    Halt,
    Move,
    Pass,
    Play,
    Posture,
    Rally,
    Stand,
    slot_number,
)
from pbem_rules.bridgehead.sequence import FirstHalf, SecondHalf
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import NextTurn

CHART = chart_of(DATA)
CODES = {unit.code: unit.number for unit in CHART.units}
RESERVE = "reserve"


def rebuilt() -> Chart:
    """The chart made once more, for a test of what makes it."""
    return unwrap(chart_of)(DATA)


def cards_named(*names: str) -> list[int]:
    """Card numbers, a different copy for each time a name is given."""
    left = {key: list(CHART.cards.numbers(key)) for key in CHART.card_kinds}
    return [left[name].pop(0) for name in names]


def table(
    units: Mapping[str, str | tuple[str, int]],
    side: str = "blue",
    step: type[Step[State, Half]] = March,
    *,
    turn: int = 2,
    scenario: str = "crossing",
    blue: Sequence[str] = (),
    red: Sequence[str] = (),
    postures: Mapping[str, str] | None = None,
    cut: Sequence[str] = (),
    barrages: Sequence[int] = (),
    dice: Mapping[str, int] | None = None,
    frame: Half | None = None,
    options: Mapping[str, int] | None = None,
    entries: Mapping[str, int] | None = None,
    holders: Mapping[int, str] | None = None,
    left: int | None = None,
    played: Sequence[int] = (),
    thrown: int = 0,
) -> Driver[State]:
    """Units by code: `"0405"`, or `("0405", 1)` with one step left. `blue`, `red`: their hands.

    `left` cards are still in the deck; `played` are open discards, and of the drawn slots so many were thrown away.
    """
    held = cards_named(*blue, *red)
    rest = [card for card in range(len(CHART.cards)) if card not in held and card not in played]
    rest += list(played)
    order = held + rest
    cards = {f"events/1/{place}": card for place, card in enumerate(order)}
    slots = list(cards)
    hands = {"blue": slots[: len(blue)], "red": slots[len(blue) : len(held)]}
    pieces = {}
    for code, where in units.items():
        unit = CHART.units[CODES[code]]
        cell, steps = where if isinstance(where, tuple) else (where, unit.type.steps)
        place = BOX[unit.side] if cell == RESERVE else int(cell)
        pieces[unit.number] = Deployed(place if steps else 0, steps)
    plan = CHART.plans[scenario]
    state = State(
        scenario=scenario,
        handicap=(options or {}).get("handicap", 0),
        pieces=Rows(pieces),
        holders=Rows({**plan.holders, **(holders or {})}),
        deck=Deck(
            "events",
            epoch=1,
            size=16,
            drawn=len(held) if left is None else 16 - left,
            hands={s: list(h) for s, h in hands.items()},
            discards=list(played),
            thrown=slots[len(held) : len(held) + thrown],
        ),
        reserves=Rows({s: f"reserve/{s}/1" for s in SEATS}),
        entries=Rows(entries or {}),
        postures=Rows(postures or {}),
        turn=turn,
        barrages=tuple(barrages),
        cut=sum(1 << CODES[code] for code in cut),
    )
    half = FirstHalf if side == plan.first else SecondHalf
    stack: list[tuple[Frame, type[Step[State, Frame]]] | tuple[Frame, type[Step[State, Frame]], bool]] = [
        (War(), NextTurn, True),
        (Turn(), half),
        (frame or Half(side), step),
    ]
    machine = at_step(game, state, *stack, scenario=scenario, options=options)
    chance = ScriptedChance(dice or {})
    known: dict[str, dict[str, int | bytes]] = {s: {slot: cards[slot] for slot in hands[s]} for s in SEATS}
    for s in SEATS:
        known[s][f"reserve/{s}/1"] = Enter(plan.reserves[s].entries[0])
    return Driver(game, scenario, options, chance=chance, machine=machine, cards=cards, known=known)


def attack(
    units: Mapping[str, str | tuple[str, int]], orders: str, die: int | None = None, side: str = "blue", **kept: object
) -> Driver[State]:
    """A battle declared, with its die by the usual label; the window is passed if it is asked for."""
    target = orders.split()[1]
    turn = kept.get("turn", 2)
    dice = dict(kept.pop("dice", {}))  # type: ignore[call-overload]
    if die is not None:
        dice[f"t{turn}/{side}/{target}/crt"] = die
    driver = table(units, side, Declare, dice=dice, **kept)  # type: ignore[arg-type]
    return driver.order(side, orders, "done") if driver.machine.decision.name == "declare" else driver


def where(driver: Driver[State], code: str) -> str:
    """`0405/2`: a unit's hex and steps."""
    piece = driver.state.pieces[CODES[code]]
    return f"{piece.place:04d}/{piece.steps}"


def reaches(driver: Driver[State], code: str) -> set[str]:
    """The hexes that a unit may move to."""
    seat = driver.asked[0]
    texts = [game.notation.write(order).split() for order in driver.legal(seat)]
    return {words[2] for words in texts if words[0] == "move" and words[1] == code}


def rule_of(driver: Driver[State], text: str, seat: str | None = None) -> str:
    """The rule that forbids an order; '' if it is allowed."""
    who = seat or driver.asked[0]
    (order,) = game.notation.parse(text, driver.context(who))
    violation = driver.check(who, order)
    return violation.rule if violation else ""


def conceivable(driver: Driver[State]) -> Iterator[Order]:
    """Every order that anybody could write down, for the units in play and the cards in both hands."""
    s = driver.state
    cells = [*CHART.grid, *BOX.values()]
    units = [number for number, _ in s.pieces.items()]
    yield from (Finish(), Pass(), Stand(), Halt(), Decline(), *map(Choose, Posture), *map(Enter, cells))
    for cell in cells:
        yield Counter(cell)
        for unit in units:
            yield from (Move(unit, cell), GoBack(unit, cell), Advance(unit, cell))
    for cell in CHART.grid:
        near = sorted(CHART.board.near[cell])
        for size in range(len(near) + 1):
            yield from (Attack(cell, hexes) for hexes in combinations(near, size))
    for slot in (slot_number(held) for side in SEATS for held in s.hand(side)):
        yield from (Rally(unit, slot) for unit in units)
        for card in range(len(CHART.cards)):
            yield from (Play(card, slot, target) for target in (NO_TARGET, *cells, *units))


def assert_exact(driver: Driver[State]) -> list[str]:
    """What is legal is what passes of all that one could write down, each once; as text, sorted."""
    seat = driver.asked[0]
    listed, takes = driver.legal(seat), driver.machine.decision.takes
    passed = {o for o in conceivable(driver) if isinstance(o, takes) and driver.check(seat, o) is None}
    assert len(listed) == len(set(listed))
    assert set(listed) == passed
    return sorted(map(game.notation.write, listed))
