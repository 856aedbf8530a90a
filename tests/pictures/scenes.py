"""Positions of every game, for the tests of pictures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pbem.engine.registry import find
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.play import random_game
from pbem.kit.scene import Scene

GAMES = ("axis1941", "bridgehead", "noretreat", "stalingrad42", "stargard")
LENGTHS = (0, 12, 45)


@lru_cache(maxsize=32)
def position(name: str, orders: int) -> Driver[Any]:
    return random_game(find(name), f"picture-{orders}", orders=orders, every=10_000)


def scene(name: str, orders: int, *seats: str) -> Scene:
    driver = position(name, orders)
    assert driver.game.pictures is not None
    pictures = driver.game.pictures()
    events = tuple(event for event in driver.happened if event.seen_by(seats))
    found: Scene = pictures.scene(driver.view(*seats), pictures.last(events))
    return found
