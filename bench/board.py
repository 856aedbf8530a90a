"""The board in Chromium: what a click takes until it is lit, and a frame while the map is dragged and zoomed.

A click in CPU time, that of the page's main thread and of the server, which work in turns; frames by the clock, beside
those of a page at rest, which tell how busy the machine is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.clicking import Rng, began, bots_order
from pbem.browser.gameboard import GameBoard
from pbem.browser.server import Server
from tools.browser import Browser

CLICKS = 30
GESTURES = 3
SETTLE = 1.5  # seconds
MAGNIFIED = 5  # times, each by a third
WINDOW = (1440, 900)
PATIENCE = 20  # seconds
_CLICK = """const [key, done] = arguments, before = pbemBoard.clicked.lit;
    const drawn = document.querySelector(`#over g[data-k="${CSS.escape(key)}"]`);
    const hit = () => {
      const box = drawn.getBoundingClientRect(), map = document.getElementById("map");
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1, button: 0 };
      map.dispatchEvent(new PointerEvent("pointerup", at));
    };
    drawn ? hit() : pbemBoard.choose([key]);  // a large map that is shown whole draws no single counters
    const wait = () => {
      const { at, lit } = pbemBoard.clicked;
      return pbemBoard.still() && lit > before && lit >= at ? done(true) : requestAnimationFrame(wait);
    };
    wait();"""
_GESTURE = """const done = arguments[0], map = document.getElementById("map"), times = [];
    map.setPointerCapture = () => {};
    const box = map.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const send = (kind, n) => map.dispatchEvent(new PointerEvent(kind, { clientX: x + 3 * (n % 60), clientY: y + n % 40,
      pointerId: 1, button: 0, bubbles: true }));
    const wheel = (n) => map.dispatchEvent(new WheelEvent("wheel", { clientX: x, clientY: y, cancelable: true,
      deltaY: n % 20 < 10 ? -30 : 30 }));
    let n = 0;
    const frame = (now) => {
      times.push(now);
      if (n === 0) send("pointerdown", 0);
      if (n < 120) send("pointermove", n);
      if (n === 120) send("pointerup", 0);
      if (n > 120) wheel(n);
      if (n++ < 1.5 * 120) return requestAnimationFrame(frame);
      const ended = performance.now();
      const wait = () => pbemBoard.rested.at > ended ? done([times, pbemBoard.rested.at - ended]) : setTimeout(wait, 5);
      wait();
    };
    requestAnimationFrame(frame);"""
_IDLE = """const done = arguments[0], times = [];
    const frame = (now) => times.push(now) < 120 ? requestAnimationFrame(frame) : done(times);
    requestAnimationFrame(frame);"""
_HERE = """document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    window.dispatchEvent(new Event("focus")); document.getElementById("fit").click();"""


class Found(NamedTuple):
    """Milliseconds at the 95th percentile: from a click until it is lit, in CPU time; by the clock, a frame while the
    map is moved, and one while nothing is; what the map takes to be drawn anew, at most. `raster`: MiB for the map.
    """

    lit: float
    frame: float
    idle: float
    anew: float
    raster: float


@contextmanager
def served(board: GameBoard) -> Iterator[Server]:
    with Server(board) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def late(times: list[float]) -> float:
    return sorted(times)[ceil(len(times) * 0.95) - 1]


def measure(name: str) -> Found:
    browser = Browser()
    try:
        with TemporaryDirectory() as folder:
            desk, table = began(name, Path(folder))
            board, rng = GameBoard(desk, table), Rng(name)
            with served(board) as server:
                browser.size(*WINDOW)
                browser.driver.set_script_timeout(60)
                browser.driver.get(server.address)
                until(browser, "return window.pbemBoard && pbemBoard.state() !== null")
                lit = late(list(clicked(browser, board, rng)))
                return Found(lit, *moved(browser), raster(browser))
    finally:
        browser.close()


def until(browser: Browser, script: str) -> None:
    end = time.monotonic() + PATIENCE
    while not browser.run(script):
        if time.monotonic() > end:
            raise TimeoutError(script)


def clicked(browser: Browser, board: GameBoard, rng: Rng) -> Iterator[float]:
    """Of a unit after each order of a bot: the first click of a position finds nothing kept."""
    count = 0
    while count < CLICKS:
        state = board.state()
        if not state["first"]:
            if not state["draft"]:
                return  # the game is over
            board.send(state["rev"])
            continue
        units = [key for key in state["first"] if key.startswith("u:")]
        if units:
            browser.run(_HERE)
            until(browser, f"return pbemBoard.state().rev === '{state['rev']}' && pbemBoard.still()")
            begun = spent(browser)
            if browser.driver.execute_async_script(_CLICK, units[rng.below(len(units))]):
                yield spent(browser) - begun
                count += 1
        if board.state()["first"]:  # a click alone may have been an order
            board.order(board.state()["rev"], bots_order(board, rng)[0].text)


def spent(browser: Browser) -> float:
    """CPU milliseconds of the page's main thread and of this process, in which the server is."""
    browser.driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    metrics = browser.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    busy: float = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
    return 1e3 * (time.process_time() + busy)


def moved(browser: Browser) -> tuple[float, float, float]:
    """A frame while the map is dragged and zoomed, one of a page at rest, and what drawing it anew takes."""
    browser.driver.execute_async_script(_GESTURE)  # for the first time much is made ready
    idle = apart(browser.driver.execute_async_script(_IDLE))
    times, anew = [], []
    for _ in range(GESTURES):
        drawn, took = browser.driver.execute_async_script(_GESTURE)
        times += apart(drawn)
        anew.append(took)
    return late(times), late(idle), max(anew)


def apart(times: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(times)]


def raster(browser: Browser) -> float:
    """MiB that all of Chromium holds at most while the map is moved, magnified, beyond what it holds without it."""
    root = browser.driver.service.process.pid
    browser.run("document.getElementById('sheet').style.display = 'none'")
    time.sleep(SETTLE)
    without = memory(root)
    browser.run("document.getElementById('sheet').style.display = ''; document.getElementById('fit').click()")
    for _ in range(MAGNIFIED):
        browser.run("document.getElementById('in').click()")
    moving = threading.Thread(target=browser.driver.execute_async_script, args=(_GESTURE,))
    moving.start()
    held = [without]
    while moving.is_alive():
        held.append(memory(root))
        time.sleep(0.05)
    return max(held) - without


def memory(root: int) -> float:
    """MiB of a process and of all that it has started, what they share counted once."""
    parents, sizes = dict[int, int](), dict[int, float]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            rows = (folder / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # it has ended
        sizes[int(folder.name)] = sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024

    def under(process: int) -> bool:
        return process == root or (process in parents and under(parents[process]))

    return sum(size for process, size in sizes.items() if under(process))
