"""Orders as things to click, and legal orders by their first steps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from pbem.engine.legal import Legal
from pbem.engine.notation import Click, Notation, Verb, Words, begins
from pbem.engine.order import Order
from pbem.engine.registry import find, names
from pbem.engine.testing import random_game
from pbem.engine.testing.contract import check_first
from pbem.engine.testing.driver import Driver
from pbem.engine.view import View

UNITS = Words({1: "1Pz", 2: "2Pz", 3: "3Inf"}, "unit", "u")
PLACES = Words({number: f"{number:04}" for number in range(1, 9)}, "hex", "p")
VIEW: View[Any] = View(None)


@dataclass(frozen=True, slots=True)
class March(Order, text="march {unit} {way}"):
    unit: Annotated[int, UNITS]
    way: Annotated[tuple[int, ...], PLACES, "-"]


@dataclass(frozen=True, slots=True)
class Attack(Order, text="attack {target} with {units} {shock}"):
    target: Annotated[int, PLACES]
    units: Annotated[tuple[int, ...], UNITS, ","]
    shock: str


@dataclass(frozen=True, slots=True)
class Stop(Order, text="stop"):
    pass


@dataclass(frozen=True, slots=True)
class Raid(Order, text="raid {target} [at {least}] [lead {leader}] [ask]"):
    target: Annotated[int, PLACES]
    least: int = 0
    leader: Annotated[int, UNITS] = 0
    ask: bool = False


NOTATION: Notation[Any] = Notation(Verb(March), Verb(Attack), Verb(Stop))


def clicks(text: str) -> tuple[Click, ...]:
    order = NOTATION.read(text)
    return tuple(NOTATION.verb_of[type(order)].clicks(order, VIEW))


def test_fields_are_clicked_one_after_another_and_hyphens_are_not() -> None:
    assert clicks("attack 0003 with 1Pz,2Pz -") == (Click(("p:0003",)), Click(("u:1Pz", "u:2Pz")))
    assert clicks("attack 0003 with 1Pz yes") == (Click(("p:0003",)), Click(("u:1Pz",)), Click(("w:yes",)))
    assert clicks("stop") == ()


def test_parts_that_may_be_left_out_are_clicked_where_they_are_not() -> None:
    raid = Verb(Raid)
    assert tuple(raid.clicks(Raid(2), VIEW)) == (Click(("p:0002",)),)
    full = tuple(raid.clicks(Raid(2, 3, 1, ask=True), VIEW))
    assert full == (Click(("p:0002",)), Click(("w:at 3",)), Click(("u:1Pz",)), Click(("w:ask",)))


def test_an_order_begins_with_any_unit_of_an_attack_and_any_place_of_a_way() -> None:
    assert begins(clicks("attack 0003 with 1Pz,2Pz -")[1:]) == ("u:1Pz", "u:2Pz")
    assert begins(clicks("march 1Pz 0001-0002-0003")[1:]) == ("p:0001", "p:0002", "p:0003")
    assert begins(clicks("march 1Pz 0001-0002-0003")) == ("u:1Pz",)


def test_legal_orders_are_grouped_by_what_is_clicked_first() -> None:
    texts = ("stop", "march 1Pz 0001", "march 1Pz 0002", "attack 0003 with 1Pz,2Pz -", "march 2Pz 0001")
    orders = [NOTATION.read(text) for text in texts]
    legal = Legal(NOTATION, lambda: VIEW, lambda: iter(orders))
    assert list(legal) == orders == list(legal)
    assert legal.first == ("v:stop", "u:1Pz", "p:0003", "u:2Pz")
    assert list(legal.picked("u:1Pz")) == orders[1:3]
    assert list(legal.picked("u:3Inf")) == []
    assert legal.named("1p") == legal.named("1PZ") == ("u:1Pz",)
    assert legal.named("4Pz") == ()
    assert list(legal.like(["march", "1p"])) == orders[1:3]


# Bot games of every installed game


def positions(game: Any, seed: str, orders: int, every: int) -> Iterator[tuple[Driver[Any], str]]:
    """Positions of a game between the bots that play best, with somebody who is asked."""
    found: list[tuple[Any, str]] = []
    bots = {seat.name: game.bots[game.best_bot] for seat in game.seats}

    def probe(driver: Driver[Any]) -> None:
        if len(driver.orders) % every == 0:
            found.extend((driver.save(), seat) for seat in driver.asked)

    driver = random_game(game, seed, bots=bots, orders=orders, every=orders + 1, probe=probe)
    for saved, seat in found:
        driver.restore(saved)
        yield driver, seat


@pytest.mark.parametrize("name", names())
def test_every_legal_order_of_a_bot_game_is_found_by_its_first_step_and_by_what_is_typed(name: str) -> None:
    game, rng = find(name), random.Random(name)
    for driver, seat in positions(game, "clicks", 240, 5):
        machine, own = driver.machine, driver.own(seat)
        check_first(machine, seat, own)
        legal, view = machine.legal(seat, own), machine.view((seat,), own)
        found = {order: game.notation.show(order) for order in legal}
        assert len(set(found.values())) == len(found)
        for order in rng.sample(list(found), min(len(found), 12)):
            for first in game.notation.begins(order, view):
                assert order in set(legal.picked(first))
            # Where the thing is typed, the other first steps are not listed: nothing gets lost by that.
            typed = " ".join(found[order].split(" ")[:2])[: rng.randint(1, 40)]
            begun = {each for each, text in found.items() if text.casefold().startswith(typed.casefold())}
            assert {each for _, each in legal.beginning(typed, game.notation.show)} == begun
