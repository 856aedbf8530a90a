"""Random full games under the engine's contract, and crash files: one that broke something, to be played again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pbem.engine.bots import Bot, RandomBot
from pbem.engine.definition import Game, OptionValue
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.testing.contract import Earlier, Invariant, check_position
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.scripted import Chance

S = TypeVar("S")


class Crash(AssertionError):  # noqa: N818 - what it is called everywhere else
    """A random game broke something; the file replays it."""


def random_game(
    game: Game[S],
    seed: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    bots: Mapping[str, Bot[S]] | None = None,
    orders: int = 5_000,
    every: int = 1,
    sample: int = 50,
    complete: bool = False,
    invariants: tuple[Invariant, ...] = (),
    crashes: Path | None = None,
    probe: Callable[[Driver[S]], None] | None = None,
) -> Driver[S]:
    """Play with random legal orders, or with bots by seat, until the game ends or `orders` have been given.

    At every `every`-th order the position is checked against the contract, and every decision of a turn against what
    was said to lie ahead in it. An error becomes a Crash with a file in `crashes`; it names the order that was judged.
    `probe` is called before each order, and at the end.
    """
    # Choices come from a stream of their own, so that a crash file needs only the orders and the seed.
    choices, probes = Chance(f"{seed}/choices"), Chance(f"{seed}/probes")
    driver = Driver(game, scenario, options, chance=Chance(seed))
    next_check = turn = 0
    earlier = Earlier()
    ahead: set[type[Order]] = set()
    try:
        while isinstance(driver.need, Orders) and len(driver.orders) < orders:
            machine = driver.machine
            ahead = ahead & machine.ahead() if machine.turn == turn != 0 else machine.ahead()
            turn = machine.turn
            step = machine.decision
            known = not step.is_planned or ahead.issuperset(step.takes)
            assert known, f"{driver.need.label} was not ahead in its turn; does a step of the turn go back?"
            if probe is not None:
                probe(driver)
            if len(driver.orders) >= next_check:
                next_check = len(driver.orders) + every
                check_position(
                    driver, choices=probes, sample=sample, complete=complete, invariants=invariants, earlier=earlier
                )
            seat = driver.asked[0]
            bot = (bots or {}).get(seat) or RandomBot()
            legal = driver.machine.legal(seat, driver.own(seat))
            order = bot.choose(driver.view(seat), driver.need, seat, legal, choices)
            earlier.give(seat, order)
            driver.give(seat, order)
        if probe is not None:
            probe(driver)
    except Exception as error:
        if crashes is None:
            raise
        path = crashes / f"{game.name}-{seed}.json"
        write_crash(path, driver, error)
        judged = f", while {driver.judging[1]} of {driver.judging[0]} was judged" if driver.judging else ""
        raise Crash(f"{type(error).__name__}: {error}{judged} (replay_crash({str(path)!r}))") from error
    return driver


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
