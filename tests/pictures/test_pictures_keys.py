"""What is clicked in an order is in the scene: each unit and card in one place, and nothing that is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.registry import find
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.play import random_game
from pbem.kit.scene import Piece, Scene
from tests.pictures.scenes import GAMES


def pieces(scene: Scene) -> Iterator[Piece]:
    for stack in scene.stacks.values():
        yield from stack
    for panel in scene.panels:
        for row in panel.rows:
            yield from row.pieces


def keys(scene: Scene) -> Counter[str]:
    """What can be clicked, places apart, and how often it is there."""
    rows = [row.key for panel in scene.panels for row in panel.rows]
    return Counter(key for key in (*(piece.key for piece in pieces(scene)), *rows) if key)


def scene_of(driver: Driver[Any], *seats: str) -> Scene:
    pictures = driver.game.pictures() if driver.game.pictures is not None else None
    assert pictures is not None
    made: Scene = pictures.scene(driver.view(*seats), ())
    return made


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("best", [True, False], ids=["best", "random"])
def test_every_unit_and_card_of_a_legal_order_is_in_the_scene_once(name: str, best: bool, seed: str) -> None:
    game, seen = find(name), Counter[str]()

    def probe(driver: Driver[Any]) -> None:
        if len(driver.orders) % 12:
            return
        for seat in driver.asked:
            machine, own = driver.machine, driver.own(seat)
            view, scene = machine.view((seat,), own), scene_of(driver, seat)
            there, places = keys(scene), set(scene.keys.values())
            assert set(there.values()) <= {1}, there.most_common(3)
            assert len(places) == len(scene.keys)
            able = {piece.key: piece.able for piece in pieces(scene) if piece.key}
            for order in machine.legal(seat, own):
                clicks = tuple(game.notation.verb_of[type(order)].clicks(order, view))
                for key in (key for step in clicks for key in step.keys):
                    seen[key[0]] += 1
                    assert key[0] == "w" or key in there or key in places, (game.notation.show(order), key)
                if clicks and game.notation.verb_of[type(order)].word == "move":
                    (first,) = clicks[0].keys
                    assert able[first] != 0, (game.notation.show(order), first)
            spectators = keys(scene_of(driver))
            assert spectators.keys() <= there.keys()
            hidden = {key for key in there if key.startswith("c:")} & spectators.keys()
            assert not hidden, hidden

    bots = {seat.name: game.bots[game.best_bot if best else "random"] for seat in game.seats}
    random_game(game, seed, bots=bots, orders=300, every=1_000_000, probe=probe)
    assert {"u", "p"} <= seen.keys()


def test_ships_with_numbers_and_what_is_aboard_are_told_apart() -> None:
    game = find("axis1941")
    driver = Driver(game)
    driver.order("ussr", "done", "done", "done")
    driver.order("germany", "done")
    before = {piece.key: piece for piece in pieces(scene_of(driver, "germany")) if piece.key}
    ships = [key for key in before if key.startswith("u:germany-transport-")]
    assert ships
    driver.order("germany", "load infantry Southern-Europe > transport 1")
    after = {piece.key: piece for piece in pieces(scene_of(driver, "germany")) if piece.key}
    aboard = after["u:germany-infantry@germany-transport-1"]
    assert (aboard.many, aboard.marks) == (1, ("aboard",))
    assert after["u:germany-transport-1"].marks == ("1",)
    left, was = after.get("u:germany-infantry@Southern-Europe"), before["u:germany-infantry@Southern-Europe"]
    assert (left.many if left else 0) == was.many - 1


def test_units_that_have_moved_are_told_from_those_that_may_still_move() -> None:
    game = find("axis1941")
    driver = Driver(game)
    driver.order("ussr", "done", "done", "done")
    driver.order("germany", "done")
    order = next(text for text in map(game.notation.show, driver.legal("germany")) if text.startswith("move infantry"))
    _, _, start, _, goal = order.split(" ")
    driver.order("germany", order)
    after = {piece.key: piece for piece in pieces(scene_of(driver, "germany")) if piece.key}
    came = after[f"u:germany-infantry@{goal}"]
    assert came.able is not None
    assert came.able < came.many
    assert start != goal
