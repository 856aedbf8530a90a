"""Battles for tests: units with where they came from and where they are to land, scripted dice, standing orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from axis_positions import PHASES, stand, where

from pbem.engine.policy import LEAVE
from pbem.engine.step import Frame, Step
from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES
from pbem_rules.axis1941.frames import Battle, Turn, War
from pbem_rules.axis1941.sequence import NextTurn
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import LOADED, NONE, POWERS, SIDE, Kind, Power

DECISIONS = ("losses", "settle", "submarines", "retreat")


def fought(
    power: str,
    units: str,
    *,
    dice: Mapping[str, int | Sequence[int]] | None = None,
    live: Sequence[str] = (),
    orders: Mapping[tuple[str, str], str] | None = None,
    control: Mapping[str, str] | None = None,
    battles: Sequence[str] = (),
    order: Sequence[str] = (),
    seas: Sequence[str] | None = None,
    options: Mapping[str, str] | None = None,
    ipc: Mapping[str, int] | None = None,
    players: Mapping[str, int] | None = None,
    chance: Any = None,
) -> Driver[State]:
    """The power's units stand where they attack, and the battles begin.

    A line of `units` may end with ` from PLACE` (the origin) or ` > PLACE` (where cargo is to land). Battles are in all
    places where there are units of both sides, or cargo is to land. Everybody has the default standing orders but the
    seats that are `live`; `orders` gives others. Labels of dice lack what all of them begin with: `ukraine/1/att`.
    """
    setup = game.setup_of(None, options, players=players)
    s, _ = game.setup(setup)
    game.prepare(s, setup)
    for number in list(s.units):
        if number in s.units:
            s.remove(number)
    s.born, s.round, s.active = 0, 1, Power(power)
    s.bought[Kind.INFANTRY] = 1  # so that the turn waits for its owner when the battles are over
    for name, owner in (control or {}).items():
        s.control[where(name)] = Power(owner)
    for name, sum_ in (ipc or {}).items():
        s.ipc[name] = sum_
    for part in filter(None, (part.strip() for part in units.split("|"))):
        owner, _, lines = part.partition(":")
        for line in filter(None, (line.strip() for line in lines.split(";"))):
            _stand(s, Power(owner.strip()), line)
    side = SIDE[s.active]
    found = [p for p in range(PLACES) if s.enemies(p, side) and any(True for _ in s.here(p, power=s.active))]
    s.battles = tuple(where(name) for name in battles) or tuple(found)
    s.order = tuple(where(name) for name in order)
    hostile = [p for p in range(FIRST_ZONE, PLACES) if s.hostile(p, side)]
    s.seas = tuple(hostile if seas is None else map(where, seas))
    war = War(next=(POWERS.index(s.active) + 1) % len(POWERS))
    stack: list[tuple[Frame, type[Step[Any, Any]], bool]] = [
        (war, NextTurn, True),
        (Turn(s.active), PHASES["next_battle"], False),
    ]
    machine = at_step(game, s, *stack, options=options, players=players)
    for decision in DECISIONS:
        for seat in POWERS:
            text = (orders or {}).get((seat, decision))
            if text is not None:
                machine.set_standing(seat, decision, game.policy(decision, text))
            elif seat not in live:
                machine.set_standing(seat, decision, LEAVE)
    script = {f"r1/{power}/{label}": rolled for label, rolled in (dice or {}).items()}
    return Driver(game, None, options, players=players, machine=machine, chance=chance or ScriptedChance(script))


def _stand(s: State, power: Power, line: str) -> None:
    line, _, origin = line.partition(" from ")
    line, _, target = line.partition(" > ")
    first = s.born
    stand(s, power, line)
    for number in range(first, s.born):
        s.change(number, origin=where(origin) if origin else NONE, target=where(target) if target else NONE)
        if target:
            s.mark(number, LOADED)
            s.change(s.units[number].aboard, target=where(target))


def board(driver: Driver[State]) -> Battle:
    """The frame of the battle that waits for an answer."""
    frame = driver.machine.frame
    assert isinstance(frame, Battle)
    return frame


def asked(driver: Driver[State]) -> tuple[str, tuple[str, ...]]:
    """Which decision is asked, and whom."""
    need = driver.need
    return need.kind, need.seats


def texts(driver: Driver[State], seat: str) -> list[str]:
    return [game.notation.write(order) for order in driver.legal(seat)]


def ended(driver: Driver[State]) -> bool:
    """Are all battles over?"""
    return driver.need.kind not in DECISIONS
