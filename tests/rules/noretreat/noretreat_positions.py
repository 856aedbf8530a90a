"""Positions of No Retreat! for its tests: a stretch of plain steppe on the game's map, and the counters named.

2007 2107 2207s 2307m        2108 is forest, 2207 swamp, 2307 mountain; the side between 2209 and 2309 is river.
  2008 2108f 2208 2308       Voronezh (1912) and Saratov (2311) are cities. All else from 1806 to 2413 is clear.
2009 2109 2209 | 2309
  2010 2110 2210 2310        Odd rows lie half a hex further east.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.engine.definition import DataSet
from pbem.engine.rows import Rows
from pbem.engine.step import Frame, Step
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem.kit.decks import Deck
from pbem_rules.noretreat import game as printed_game
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET, chart_of, other
from pbem_rules.noretreat.frames import Campaign, GameTurn, PlayerTurn, Window
from pbem_rules.noretreat.movement import March
from pbem_rules.noretreat.orders import DECK
from pbem_rules.noretreat.setup import set_up
from pbem_rules.noretreat.state import BOX_NAMES, OUT, Fight, Piece, State
from pbem_rules.noretreat.targets import Declare
from pbem_rules.noretreat.turns import NextTurn, SideTurn, SovietTurn

SPECIAL = {(21, 8): "f", (22, 7): "s", (23, 7): "m"}
RIVERS = ("2209-2309",)
CARDS_IN_ALL = range(1, 45)


def _steppe() -> dict[str, Any]:
    plain: dict[str, Any] = copy.deepcopy(dict(DATA["map"]))
    rows = [list(row) for row in plain["rows"]]
    for column in range(18, 25):
        for row in range(6, 14):
            rows[row - 1][column - 1] = SPECIAL.get((column, row), ".")
    plain["rows"] = ["".join(row) for row in rows]

    def inside(text: str) -> bool:
        cells = [int(part) for part in text.split("-")]
        return all(18 <= cell // 100 <= 24 and 6 <= cell % 100 <= 13 for cell in cells)

    for side in plain["sides"]:
        side["between"] = [text for text in side["between"] if not inside(text)]
    plain["sides"] = [side for side in plain["sides"] if side["between"]]
    plain["sides"].append({"feature": "river", "name": "Test", "between": list(RIVERS)})
    plain["sources"] = []
    return plain


game = replace(printed_game, data=DataSet({**DATA.files, "map": _steppe()}))
CHART = chart_of(game.data)
CODES = dict(CHART.by_code)
BOXES = {name.casefold(): box for box, name in BOX_NAMES.items()}
TURNS = {AXIS: SideTurn, SOVIET: SovietTurn}

Where = str | tuple[str, str]


def place(text: str) -> int:
    """A hex, a name, or a box: `Destroyed`."""
    if text.casefold() in BOXES:
        return BOXES[text.casefold()]
    found = CHART.board.place_named(text)
    assert found is not None, text
    return found


def position(
    units: Mapping[str, Where],
    *,
    turn: int = 8,
    scenario: str = "campaign",
    held: Mapping[str, str] | None = None,
    axis: Sequence[int] = (),
    soviet: Sequence[int] = (),
    discards: Sequence[int] = (),
    left: int = 20,
    weather: str = "",
    cut: Iterable[str] = (),
    tired: Iterable[str] = (),
    options: Mapping[str, Any] | None = None,
    active: str = AXIS,
    targets: Sequence[str] = (),
    blows: Mapping[str, str] | None = None,
    support: Mapping[str, int] | None = None,
    due: Mapping[str, int] | None = None,
    **fields: Any,
) -> State:
    """Units by code: `"2209"`, or `("2209", "+")` and `"-"` for the better and the weaker side; the others are out.

    Hands are given by card number; `left` cards are in the deck.
    """
    setup = game.setup_of(scenario, options)
    state = set_up(setup)
    pieces = {}
    for unit in CHART.units:
        where = units.get(unit.code)
        strong = unit.side == AXIS
        if where is None:
            pieces[unit.number] = Piece(OUT, strong)
            continue
        text, side = where if isinstance(where, tuple) else (where, "")
        strong = {"+": True, "-": False}.get(side, strong)
        pieces[unit.number] = Piece(place(text), strong, (due or {}).get(unit.code, 0))
    state.pieces = Rows(pieces)
    for number, piece in pieces.items():
        if piece.place in state.holders:
            state.holders[piece.place] = CHART.units[number].side
    for name, side in (held or {}).items():
        state.holders[place(name)] = side
    state.turn, state.active, state.asked = turn, active, "combats"  # so that tests give every answer themselves
    state.initiative = fields.pop("initiative", AXIS if turn < 12 else SOVIET)
    deck = [*axis, *soviet]
    rest = [card for card in CARDS_IN_ALL if card not in deck and card not in discards]
    slots = [f"{DECK}/1/{n}" for n in range(len(deck))]
    state.deck = Deck(
        DECK,
        epoch=1,
        size=len(deck) + min(left, len(rest)),
        drawn=len(deck),
        hands={AXIS: list(slots[: len(axis)]), SOVIET: list(slots[len(axis) :])},
        discards=[*discards],
    )
    for side in (AXIS, SOVIET):
        state.support[side] = (support or {}).get(side, 0)
    if weather:
        printed = CHART.track[turn]
        assert weather in printed.weather, f"turn {turn} cannot be {weather}"
        if printed.weather[0] != weather:
            state.flipped = (turn,)
    state.targets = tuple(place(text) for text in targets)
    for name, value in fields.items():
        assert hasattr(state, name), name
        setattr(state, name, value)
    game.prepare(state, setup)
    for text, side in (blows or {}).items():
        there = state.ground.stacks[place(text)]
        assert {CHART.units[unit].side for unit in there} == {other(side)}, text
        state.blown.update(there)
    for code in cut:
        state.mark_cut(CODES[code], cut=True)
    for code in tired:
        state.tire(CODES[code])
    return state


def table(
    units: Mapping[str, Where],
    step: type[Step[State, Any]] = March,
    *,
    side: str = AXIS,
    dice: Mapping[str, int | Sequence[int]] | None = None,
    frame: Frame | None = None,
    decks: Mapping[str, Sequence[Sequence[int]]] | None = None,
    outer: type[Step[State, Any]] | None = None,
    **kept: Any,
) -> Driver[State]:
    """A position at a step of a player-turn (or of a sequence called in it: `frame`, with the `outer` step)."""
    axis, soviet = kept.get("axis", ()), kept.get("soviet", ())
    kept.setdefault("active", side)
    state = position(units, **kept)
    own = [*axis, *soviet]
    rest = [c for c in CARDS_IN_ALL if c not in own and c not in kept.get("discards", ())]
    cards = {f"{DECK}/1/{n}": card for n, card in enumerate([*own, *rest])}
    known: dict[str, dict[str, int | bytes]] = {
        AXIS: {f"{DECK}/1/{n}": card for n, card in enumerate(axis)},
        SOVIET: {f"{DECK}/1/{len(axis) + n}": card for n, card in enumerate(soviet)},
    }
    stack: list[Any] = [(Campaign(), NextTurn, True), (GameTurn(), TURNS[side])]
    if isinstance(frame, PlayerTurn):
        stack.append((frame, step))
    elif isinstance(frame, GameTurn):
        stack = [stack[0], (frame, step)]
    else:
        stack.append((PlayerTurn(side), outer or (step if frame is None else ListBattles)))
        if frame is not None:
            stack.append((frame, step))
    scenario, options = kept.get("scenario", "campaign"), kept.get("options")
    machine = at_step(game, state, *stack, scenario=scenario, options=options)
    chance = ScriptedChance(dice or {}, decks)
    return Driver(game, scenario, options, chance=chance, machine=machine, cards=cards, known=known)


def battle(
    units: Mapping[str, Where],
    attackers: str,
    target: str,
    die: int | Sequence[int] = (),
    *,
    side: str = AXIS,
    forced: bool = False,
    counter: int | None = None,
    **kept: Any,
) -> Driver[State]:
    """A battle just ordered, up to the first decision that it brings; `counter`: the die of the counterattack."""
    turn = kept.get("turn", 8)
    label = f"t{turn}/{side}/{place(target):04d}"
    dice: dict[str, Any] = {f"{label}/crt": die} if die else {}
    if counter is not None:
        dice[f"{label}/counter"] = counter
    if forced:
        kept["blows"] = {target: side}
        frame = owing(side, *(code for code, where in units.items() if place_text(where) == target))
    else:
        kept.setdefault("targets", (target,))
        frame = PlayerTurn(side)
    driver = table(units, ListBattles, side=side, dice=dice, frame=frame, **kept)
    driver.order(side, f"attack {target} with {attackers} ask")
    while asked(driver) == f"battles {side}" and driver.machine.frame.waiting():  # type: ignore[attr-defined]
        driver.order(side, "done")
    return driver


def owing(side: str, *codes: str) -> PlayerTurn:
    """A Combat phase in which the side must attack these units under counterblow markers."""
    return PlayerTurn(side, due=tuple(CODES[code] for code in codes))


def place_text(where: Where) -> str:
    return where if isinstance(where, str) else where[0]


def declaring(units: Mapping[str, Where], **kept: Any) -> Driver[State]:
    return table(units, Declare, **kept)


def fight(state: State, units: str, target: str, **more: Any) -> Fight:
    """A battle as a value, for what is reckoned."""
    chosen = tuple(sorted(CODES[code] for code in units.split()))
    spots = tuple(place(text) for text in target.split())
    defenders = tuple(unit for spot in spots for unit in state.ground.stacks[spot])
    side = CHART.units[chosen[0]].side
    return Fight("test", side, spots, chosen, defenders, **more)


def shifts(state: State, units: str, target: str, **more: Any) -> dict[str, int]:
    from pbem_rules.noretreat.odds import shifts_of

    return {shift.why: shift.by for shift in shifts_of(state, fight(state, units, target, **more))}


def where(driver: Driver[State], code: str) -> str:
    """`2209`, `Destroyed`; with `-` for an Axis unit on its reduced side, `+` for a Soviet one on its better side."""
    piece = driver.state.pieces[CODES[code]]
    unit = CHART.units[CODES[code]]
    name = BOX_NAMES.get(piece.place) or f"{piece.place:04d}"
    mark = "" if piece.strong == (unit.side == AXIS) or not unit.two_faced else "-" if unit.side == AXIS else "+"
    return name + mark


def reaches(driver: Driver[State], code: str) -> set[int]:
    """The places that a unit may move to."""
    seat = driver.asked[0]
    return {o.path[-1] for o in driver.legal(seat) if o.kind == "move" and o.unit == CODES[code]}  # type: ignore[attr-defined]


def offered(driver: Driver[State], seat: str | None = None) -> set[str]:
    """Every order that the seat may give now, as it is typed: cards by their numbers."""
    who = seat or driver.asked[0]
    texts = (game.notation.write(order) for order in driver.legal(who))
    return {re.sub(r"#\d+/\d+| alone$", "", text) for text in texts}


def cities(side: str, *kept: str) -> dict[str, str]:
    """`held`: of all cities and areas the side has only these; the enemy has the others."""
    places = {*CHART.cities, CHART.finland, *CHART.balkans, *CHART.points}
    own = {place(name) for name in kept}
    return {f"{p:04d}": side if p in own else other(side) for p in places}


def rule_of(driver: Driver[State], text: str, seat: str | None = None) -> str:
    """The rule that forbids an order; '' if it is allowed."""
    who = seat or driver.asked[0]
    (order,) = game.notation.parse(text, driver.context(who))
    violation = driver.check(who, order)
    return violation.rule if violation else ""


def prompt_of(driver: Driver[State]) -> str:
    """What the seat that is asked reads."""
    machine, seat = driver.machine, driver.asked[0]
    return machine.decision.prompt(machine.state, driver.view(seat).frame, seat)


def asked(driver: Driver[State]) -> str:
    """The decision that is asked, and whom: `retreat soviet`; windows by their moment: `rolled_window axis`."""
    need, frame = driver.need, driver.machine.frame
    if not driver.asked:
        return "over"
    kind = f"{frame.moment}_window" if isinstance(frame, Window) else need.kind  # type: ignore[union-attr]
    return f"{kind} {driver.asked[0]}"
