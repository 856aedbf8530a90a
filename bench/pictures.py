"""Drawing: the boards of every game in the middle of it, with what happened in the last turn; pages of whole games.

Absolute bounds, since somebody waits. Warm is the median of many in CPU time; cold is a new process, from the import
of what draws to the first picture. A page of a whole game must grow with its records and no faster, and open at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import linear_regression, median
from tempfile import TemporaryDirectory

from bench.axis import ROUNDS, table_of
from bench.timing import cpu, still
from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.engine.testing.play import random_game
from tools.browser import Browser, lacking

ROOT = Path(__file__).resolve().parent.parent
ORDERS = {"axis1941": 200, "bridgehead": 60, "noretreat": 300, "stargard": 300}

COLD = """
import sys, time
from pbem.engine.registry import find
from pbem.engine.testing.driver import Driver
driver = Driver(find(sys.argv[1]))
begun = time.process_time()
from pbem.pictures.picture import board_svg
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
    from pbem.pictures.page import page
    from pbem.pictures.picture import board_svg

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


@dataclass(frozen=True, slots=True)
class Replayed:
    """Pages of the first rounds of one game of Axis & Allies 1941, and of ten."""

    slope: float  # of CPU time over records, both as logarithms
    seconds: tuple[tuple[int, float], ...]  # records, CPU seconds
    steps: int
    size: int  # bytes of the page of ten rounds
    opened: float | None  # wall seconds in Chromium until it can be used; None where there is none


def replay_page_of(table: Table) -> tuple[str, int]:
    from pbem.pictures.replayhtml import Facts, replay_page
    from pbem.pictures.replaysteps import steps

    told = list(steps(table.peers[0].replay))
    rules = table.game
    facts = Facts(rules.title, "Verified", sound=True, rows=(), pictures=rules.pictures() if rules.pictures else None)
    return replay_page(told, facts), len(told)


def replayed(rounds: tuple[int, ...] = (2, 4, 7, ROUNDS), runs: int = 3) -> Replayed:
    tables = [table_of("bench page", many) for many in rounds]
    page, count = replay_page_of(tables[-1])
    points = []
    with still():
        for table in tables:
            points.append((len(table.records), median(cpu(lambda t=table: replay_page_of(t)) for _ in range(runs))))  # type: ignore[misc]
    slope = linear_regression([log(records) for records, _ in points], [log(seconds) for _, seconds in points]).slope
    return Replayed(slope, tuple(points), count, len(page.encode()), None if lacking() else opening(page))


def opening(page: str, runs: int = 5) -> float:
    """From asking for the page until its script has run, at the size of a desktop."""
    browser = Browser()
    found = []
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "page.html"
            path.write_text(page, encoding="utf-8")
            browser.size(1280, 800)
            for _ in range(runs):
                browser.open(path)
                milliseconds: float = browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd")
                found.append(milliseconds / 1_000)
    finally:
        browser.close()
    return median(found)
