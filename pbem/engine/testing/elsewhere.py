"""Games played again in a fresh process: another hash seed, clock, time zone, environment, and order of games.

python -m pbem.engine.testing.elsewhere < plays.json
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

from pbem.engine.definition import Game, OptionValue
from pbem.engine.registry import find, names
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.scripted import Chance

KEPT = ("PATH", "PYTHON", "LD_", "DYLD_", "SYSTEMROOT", "TMP", "TEMP")  # of the environment: what Python needs
LATER = 40_000_000  # seconds by which the clock is put forward


@dataclass
class Played:
    """A game as it was played: enough to play it again. `trail`: digests, each after so many orders."""

    scenario: str
    options: dict[str, OptionValue]
    seed: str
    orders: list[tuple[str, str]] = field(default_factory=list)
    trail: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Differs:
    """The point at which a game became another one: after so many orders, at this step."""

    orders: int
    step: str
    why: str


def source_of(game: Game[Any]) -> str:
    """Where another process finds the game: its name if it is installed, or `module:attribute`; else nothing."""
    if game.name in names() and find(game.name) is game:
        return game.name
    for name, module in list(sys.modules.items()):
        if name != "__main__" and getattr(module, "__file__", None):
            for attribute, held in list(vars(module).items()):
                if held is game:
                    return f"{name}:{attribute}"
    return ""


def play_again(game: Game[Any], played: Played) -> Differs | None:
    """The first place at which the same orders and dice lead somewhere else."""
    trail, done, step = dict(played.trail), 0, ""
    try:
        driver = Driver(game, played.scenario, played.options, chance=Chance(played.seed))
        for count in range(len(played.orders) + 1):
            done = count
            if driver.asked:
                step = driver.machine.decision.name
            if count in trail and driver.machine.digest().hex() != trail[count]:
                return Differs(count, step, "the state is another one")
            if count < len(played.orders):
                seat, text = played.orders[count]
                driver.give(seat, game.notation.read(text))
    except Exception as error:  # noqa: BLE001 - whatever it is, it was not so the first time
        return Differs(done, step, f"{type(error).__name__}: {error}")
    return None


def elsewhere(source: str, plays: Sequence[Played], seconds: float | None) -> Differs | None:
    """The same in a fresh process. TimeoutError: it took too long."""
    hashes = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    kept = {name: each for name, each in os.environ.items() if name.startswith(KEPT)}
    path = os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))  # noqa: PTH109 - as Python itself puts it
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pbem.engine.testing.elsewhere"],
            input=json.dumps({"source": source, "plays": [asdict(each) for each in plays]}),
            env={**kept, "PYTHONHASHSEED": hashes, "PYTHONPATH": path, "TZ": "Pacific/Kiritimati"},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise TimeoutError from late
    if done.returncode:
        raise AssertionError(f"the game cannot be played in a fresh process: {done.stderr.strip().splitlines()[-1:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return Differs(**found) if found else None


def main() -> None:
    given = json.load(sys.stdin)
    real = time.time
    time.time = lambda: real() + LATER
    module, _, attribute = given["source"].partition(":")
    game = getattr(import_module(module), attribute) if attribute else find(module)
    for each in reversed(given["plays"]):
        differs = play_again(game, Played(**each))
        if differs is not None:
            break
    else:
        differs = None
    sys.stdout.write(f"\n{json.dumps(asdict(differs) if differs else None)}\n")


if __name__ == "__main__":
    main()
