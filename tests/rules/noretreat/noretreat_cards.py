"""For tests of events: battles in which one side holds some cards, and a way past the windows in between."""

from __future__ import annotations

from typing import Any

from noretreat_positions import asked, battle, rule_of

from pbem.engine.testing import Driver
from pbem_rules.noretreat.cards.base import EVENTS, At, Moment
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Fought
from pbem_rules.noretreat.state import State

AXIS_ATTACK = {"4": "2109", "6": "2109", "NW": "2209"}  # 8 to 3, 2:1
SOVIET_ATTACK = {"4": "2109", "NW": "2209", "Res": "2208"}  # 7 to 4, 3:2


def until(driver: Driver[State], decision: str) -> Driver[State]:
    """Windows are passed until this is asked: `rolled_window axis`."""
    while asked(driver) != decision:
        seat = driver.asked[0]
        assert asked(driver).partition(" ")[0].endswith(("_window", "answer")), asked(driver)
        driver.order(seat, "pass")
    return driver


def through(driver: Driver[State]) -> Driver[State]:
    """All windows are passed that are asked now."""
    while asked(driver).partition(" ")[0].endswith(("_window", "answer")):
        driver.order(driver.asked[0], "pass")
    return driver


def refused(where: Driver[State] | State, side: str, card: int, moment: str, targets: tuple[int, ...] = ()) -> str:
    """The rule that forbids the event now, also where nobody would be asked for it; empty: it is allowed."""
    held, at = EVENTS[side, card], At(side, Moment(moment))
    state = where if isinstance(where, State) else where.state
    violation = held.ready(state, at) or held.check(state, at, targets)
    return violation.rule if violation else ""


def attack(
    card: int, die: int | list[int] = 3, *, soviet: bool = False, spare: tuple[int, ...] = (), **kept: Any
) -> Driver[State]:
    """The Axis attacks. One side, the Axis or `soviet`, holds the card, and `spare` ones for when it is played."""
    hand = {"soviet" if soviet else "axis": (card, *spare)}
    units, by, target = kept.pop("units", AXIS_ATTACK), kept.pop("by", "4 6"), kept.pop("target", "2209")
    return battle(units, by, target, die, **hand, **kept)


def defend(
    card: int, die: int | list[int] = 3, *, soviet: bool = False, spare: tuple[int, ...] = (), **kept: Any
) -> Driver[State]:
    """The Soviets attack."""
    hand = {"soviet" if soviet else "axis": (card, *spare)}
    units, by, target = kept.pop("units", SOVIET_ATTACK), kept.pop("by", "NW Res"), kept.pop("target", "2109")
    return battle(units, by, target, die, side=SOVIET, **hand, **kept)


def fought(driver: Driver[State]) -> Fought:
    (found,) = driver.events(Fought)
    assert isinstance(found, Fought)
    return found


__all__ = [
    "AXIS",
    "AXIS_ATTACK",
    "SOVIET",
    "SOVIET_ATTACK",
    "attack",
    "defend",
    "fought",
    "rule_of",
    "through",
    "until",
]
