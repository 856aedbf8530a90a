"""Drawing: the boards of every game in the middle of it, with what happened in the last turn.

Absolute bounds, since somebody waits. Warm is the median of many in CPU time; cold is a new process, from the import
of what draws to the first picture.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.timing import cpu, still
from pbem.engine.registry import find
from pbem.engine.testing.play import random_game

ROOT = Path(__file__).resolve().parent.parent
ORDERS = {"axis1941": 200, "bridgehead": 60, "noretreat": 300}

COLD = """
import sys, time
from pbem.engine.registry import find
from pbem.engine.testing.driver import Driver
driver = Driver(find(sys.argv[1]))
begun = time.process_time()
from pbem.pictures.board import board_svg
board_svg(driver.game.pictures().scene(driver.view(), tuple(driver.happened)))
print(time.process_time() - begun)
"""


@dataclass(frozen=True, slots=True)
class Found:
    game: str
    warm: float
    cold: float
    page: float
    size: int  # bytes of the SVG


def drawing(name: str) -> tuple[Callable[[], str], Callable[[], str]]:
    """What draws the SVG and what draws the page of a position in the middle of a game."""
    from pbem.pictures.board import board_svg
    from pbem.pictures.page import page

    game = find(name)
    assert game.pictures is not None
    pictures = game.pictures()
    driver = random_game(game, "bench", orders=ORDERS[name], every=1_000_000)
    view, events = driver.view(), tuple(driver.happened)
    return (
        lambda: board_svg(pictures.scene(view, pictures.last(events))),
        lambda: page(pictures.scene(view, pictures.last(events))),
    )


def measure(name: str, runs: int = 25) -> Found:
    svg, page = drawing(name)
    size = len(svg().encode())
    with still():
        warm, whole = median(cpu(svg) for _ in range(runs)), median(cpu(page) for _ in range(runs))
    environ = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
    command = [sys.executable, "-c", COLD, name]
    cold = median(
        float(subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True, text=True).stdout)
        for _ in range(5)
    )
    return Found(name, warm, cold, whole, size)
