"""Crash files: a random game that broke something, in a file that plays it again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pbem.engine.definition import Game
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.scripted import Chance

S = TypeVar("S")


def write_crash(path: Path, driver: Driver[Any], error: BaseException) -> None:
    """The set-up, the seed, every order up to the error, and the one that was judged when it came."""
    judged = None
    if driver.judging is not None and driver.game.orders.fits(driver.judging[1]):
        seat, order = driver.judging
        judged = [seat, driver.game.orders.write(order)]
    crash = {
        "game": driver.game.name,
        "behaviour": driver.game.behaviour,
        "scenario": driver.setup.scenario,
        "options": dict(driver.setup.options),
        "seed": driver.chance.seed,
        "error": f"{type(error).__name__}: {error}",
        "orders": [[seat, driver.game.notation.write(order)] for seat, order in driver.orders],
        "judged": judged,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(crash, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_crash(path: Path) -> Mapping[str, Any]:
    crash: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return crash


def replay_crash(path: Path, game: Game[S], *, orders: int | None = None) -> Driver[S]:
    """The game as it stood after the first `orders` orders: look at it, or go on until it breaks again.

    All of them, by default, and then the order that was judged when the error came is judged again.
    """
    crash = read_crash(path)
    driver = Driver(game, crash["scenario"], crash["options"], chance=Chance(crash["seed"]))
    for seat, text in crash["orders"][:orders]:
        driver.give(seat, game.notation.read(text))
    if orders is None and crash["judged"] is not None:
        seat, order = crash["judged"]
        driver.check(seat, game.orders.read(order))
    return driver
