"""The combat of a player turn, on the printed map, with scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

from s42_game import GAME
from s42_positions import AXIS, CHART, number, position

from pbem.engine.need import Draw
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem.game import Event, Order
from pbem_rules.stalingrad42.combat.fights import ListAttacks
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, War
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.turns import AxisTurn, NextTurn, SovietTurn

E = TypeVar("E", bound=Event)


class OverError(Exception):
    """The combat is over: units would rally."""


class Dice(ScriptedChance):
    def dice(self, draw: Draw) -> tuple[int, ...]:
        if "rally" in draw.label:
            raise OverError
        return super().dice(draw)


class Table(Driver[State]):
    """A driver that stops when the combat is over."""

    frame: PlayerTurn
    log: list[Event]

    def settle(self) -> None:
        with suppress(OverError):
            super().settle()

    def seen(self, kind: type[E]) -> list[E]:
        """All events of a kind, from the beginning."""
        self.log = [*getattr(self, "log", []), *self.events()]
        return [event for event in self.log if isinstance(event, kind)]

    def type(self, text: str) -> None:
        """Lines of orders of the side that has the turn, as players write them."""
        for line in text.splitlines():
            for order in self.read(line):
                self.order(self.frame.seat, order)

    def read(self, line: str) -> tuple[Order, ...]:
        return GAME.notation.parse(line.strip(), self.context(self.frame.seat))


def combat(
    *units: tuple[str, int] | tuple[str, int, int],
    side: str = AXIS,
    dice: Mapping[int, int] | None = None,
    stand: Iterable[int] = (),
    through: Mapping[int, int] | None = None,
    turn: int = 2,
    asked: str = "no",
    state: State | None = None,
    frame: PlayerTurn | None = None,
    scenario: str | None = None,
) -> Table:
    """The attacks of a side are to be listed; `dice` by the hex attacked, `stand` of determined defence.

    `through`: dice of the breakthrough combats of one group, by hex, in their order.
    """
    s = position(*units, turn=turn) if state is None else state
    s.asked = asked
    frame = frame or PlayerTurn(side)
    step = AxisTurn if side == AXIS else SovietTurn
    machine = at_step(GAME, s, (War(), NextTurn, True), (GameTurn(), step), (frame, ListAttacks), scenario=scenario)
    rolls = {f"t{s.turn}/{side}/{place:04d}": die for place, die in (dice or {}).items()}
    rolls |= {f"t{s.turn}/{side}/{place:04d}/stand{k}": die for place in dice or {} for k, die in enumerate(stand)}
    rolls |= {
        f"t{s.turn}/{side}/{place:04d}/break{k}": die for k, (place, die) in enumerate((through or {}).items(), 1)
    }
    table = Table(GAME, chance=Dice(rolls), machine=machine)
    table.frame = frame
    return table


__all__ = ["CHART", "GAME", "OverError", "Table", "combat", "number"]
