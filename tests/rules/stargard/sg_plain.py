"""A plain map for tests of combat, and battles on it with scripted dice.

All is clear but for these, in columns that do not touch:

```
 2015 village   2215 town    2415 city   2615 heavy woods   2815 marsh   3015 marsh and woods   3215 light woods
 2010 | 2011 minor river     2210 | 2211 the same, bridged   2410 | 2411 Oder   2610 | 2611 the same, bridged
 2808 transit hex, 3008 lake, 2608 Arnswalde, a city
```

Germans retreat west, to 0114, 0117 and 0830; Soviets south, to row 01; Poles to 4815, Kausch to 4430.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sg_positions import position as printed_position

from pbem.engine.definition import DataSet
from pbem.engine.need import Draw
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem_rules.stargard import game as printed_game
from pbem_rules.stargard.chart import DATA, GERMAN, SOVIET, chart_of
from pbem_rules.stargard.command import DrawChit
from pbem_rules.stargard.fights import ListAttacks
from pbem_rules.stargard.frames import Activation, GameTurn, War
from pbem_rules.stargard.state import ISOLATED, OUT_OF_SUPPLY, State
from pbem_rules.stargard.turns import NextTurn

LETTERS = {2615: "W", 2815: "m", 3015: "M", 3215: "w", 2808: "t", 3008: "~"}
SETTLEMENTS = {2015: "village", 2215: "town", 2415: "city", 2608: "city"}


def _plain() -> dict[str, Any]:
    page: dict[str, Any] = copy.deepcopy(dict(DATA["map"]))
    rows = [["."] * 48 for _ in range(30)]
    for place, letter in LETTERS.items():
        rows[30 - place % 100][place // 100 - 1] = letter
    page["rows"] = ["".join(row) for row in rows]
    page["hexes"] = [
        {"hex": str(place), "name": f"T{place}", "marks": [kind], "values": {"control": "german"}}
        for place, kind in SETTLEMENTS.items()
    ]
    page["sides"] = [
        {"feature": "minor_river", "name": "Test", "between": ["2010-2011", "2210-2211"]},
        {"feature": "oder", "name": "Test", "between": ["2410-2411", "2610-2611"]},
    ]
    page["ways"] = [{"feature": "road", "name": "Test", "chains": ["2210-2211", "2610-2611"]}]
    page["sources"] = []
    return page


game = replace(printed_game, data=DataSet({**DATA.files, "map": _plain()}))
CHART = chart_of(game.data)


class OutOfDice(Exception):
    """The activation is over: the next chit would be drawn."""


class Dice(ScriptedChance):
    def dice(self, draw: Draw) -> tuple[int, ...]:
        if "chit" in draw.label:
            raise OutOfDice
        return super().dice(draw)


def number(code: str) -> int:
    return CHART.unit(code).number


def position(*units: tuple[str, int] | tuple[str, int, int], **kept: Any) -> State:
    """Codes, hexes, and the steps left if it is not all of them; `cut`, `isolated` and `pinned`: codes."""
    marks = {name: kept.pop(name, ()) for name in ("cut", "isolated", "pinned")}
    state = printed_position(*units, chart=CHART, **kept)
    state.cup, state.drawn = ("Munzel", "10SS", "61", "2GT"), ("3SSPz",)
    for name, supply in (("cut", OUT_OF_SUPPLY), ("isolated", ISOLATED)):
        for code in marks[name]:
            state.mark_supply(number(code), supply)
    for code in marks["pinned"]:
        state.pin(number(code))
    return state


class Table(Driver[State]):
    """A driver that stops when the activation is over."""

    activation: Activation

    def settle(self) -> None:
        with suppress(OutOfDice):
            super().settle()


def combat(
    *units: tuple[str, int] | tuple[str, int, int],
    side: str = SOVIET,
    dice: Mapping[int, int] | None = None,
    able: Iterable[str] | None = None,
    asked: str = "no",
    **kept: Any,
) -> Table:
    """The combat of an activation of all units of a side (or of those `able`); `dice` by the hex attacked."""
    state = position(*units, **kept)
    state.activations = 7
    own = [unit for unit in CHART.own[side] if state.on_map(unit)]
    ready = own if able is None else sorted(map(number, able))
    chit, formation = {SOVIET: ("61", "army61"), GERMAN: ("39Pz", "pz39")}[side]
    frame = Activation(side, chit, formation, tuple(ready))
    state.asked = asked
    machine = at_step(game, state, (War(), NextTurn, True), (GameTurn(chit=chit), DrawChit), (frame, ListAttacks))
    rolls = {f"t{state.turn}/{side}/a7/{place:04d}": die for place, die in (dice or {}).items()}
    table = Table(game, chance=Dice(rolls), machine=machine)
    table.activation = frame
    return table


def where(d: Driver[State], code: str) -> int:
    return d.state.at(number(code))


def steps(d: Driver[State], code: str) -> int:
    return d.state.pieces[number(code)].steps


def rule_of(d: Driver[State], seat: str, text: str) -> str:
    """The rule that refuses an order typed so; empty: it is allowed."""
    (order,) = game.notation.parse(text, d.context(seat))
    violation = d.check(seat, order)
    return "" if violation is None else violation.rule


__all__ = ["CHART", "GERMAN", "SOVIET", "combat", "game", "number", "position", "rule_of", "steps", "where"]
