"""The board in Chromium: what a click takes until it is lit, and a frame while the map is dragged and zoomed.

CPU time: of a click that of the page's main thread and of the server, which work in turns; of a frame that of all of
Chromium, some of which is done side by side.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.clicking import Rng, began, bots_order
from pbem.browser.gameboard import GameBoard
from pbem.browser.server import Server
from tools.browser import Browser

CLICKS = 30
MOVES = 120
WINDOW = (1440, 900)
PATIENCE = 20  # seconds
_CLICK = """const [key, done] = arguments, before = pbemBoard.clicked.lit;
    const drawn = document.querySelector(`#over g[data-k="${CSS.escape(key)}"]`);
    if (!drawn) return done(null);
    const box = drawn.getBoundingClientRect(), map = document.getElementById("map");
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1, button: 0 };
    map.dispatchEvent(new PointerEvent("pointerup", at));
    const wait = () => {
      const { at, lit } = pbemBoard.clicked;
      return pbemBoard.still() && lit > before && lit >= at ? done(true) : requestAnimationFrame(wait);
    };
    wait();"""
_RECORD = """window.drawn = 0; window.going = true;
    const each = () => { drawn++; if (going) requestAnimationFrame(each); };
    requestAnimationFrame(each);"""
_RECORDED = "going = false; return drawn;"
_HERE = """document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    window.dispatchEvent(new Event("focus")); document.getElementById("fit").click();"""


class Found(NamedTuple):
    """Milliseconds: from a click until it is lit, at the 95th percentile; of a frame, in the mean."""

    lit: float
    frame: float


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
                browser.driver.set_script_timeout(20)
                browser.driver.get(server.address)
                until(browser, "return window.pbemBoard && pbemBoard.state() !== null")
                return Found(late(list(clicked(browser, board, rng))), dragged(browser))
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


def processes(root: int) -> float:
    """CPU milliseconds of a process and of all that it has started."""
    parents, times = dict[int, int](), dict[int, float]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")

    def under(process: int) -> bool:
        return process == root or (process in parents and under(parents[process]))

    return sum(used for process, used in times.items() if under(process))


def dragged(browser: Browser) -> float:
    mouse = partial(browser.driver.execute_cdp_cmd, "Input.dispatchMouseEvent")
    event = {"button": "left", "clickCount": 1}
    root = browser.driver.service.process.pid
    mouse({"type": "mousePressed", "x": 500, "y": 450, **event})
    begun = processes(root)
    browser.run(_RECORD)
    for n in range(MOVES):
        mouse({"type": "mouseMoved", "x": 500 + 3 * (n % 60), "y": 450 + n % 40, **event})
    mouse({"type": "mouseReleased", "x": 500, "y": 450, **event})
    for n in range(MOVES // 2):
        mouse({"type": "mouseWheel", "x": 500, "y": 450, "deltaX": 0, "deltaY": -30 if n % 20 < 10 else 30})
    frames: int = browser.run(_RECORDED)
    return (processes(root) - begun) / frames
