"""The board in the browser without the browser: what a click costs the server, and how many clicks a turn takes.

A bot orders; each of its orders is clicked: what is picked is asked for, and its line is given. CPU time.
"""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.timing import cpu, high_water
from pbem.browser.gameboard import GameBoard
from pbem.engine.clicks import Way, index, needed
from pbem.engine.need import Orders
from pbem.engine.registry import find
from pbem.home import Home, offers, orders, summary
from pbem.home.people import Cost

ORDERS = 150


@dataclass(frozen=True, slots=True)
class Found:
    """CPU milliseconds at the 95th percentile and at most, and of the first answer; KB of that and of the ground, which
    is a file of its own (packed); MiB; clicks and keys of a bot's record."""

    pick: float
    pick_most: float
    order: float
    order_most: float
    first: float
    packed: float
    ground: float
    opened: float
    memory: float
    clicks: float
    keys: float
    turns: int


class Rng:
    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)

    def below(self, n: int) -> int:
        return self._rng.randrange(n)


def began(name: str, folder: Path) -> tuple[Home, str]:
    """A game for one player alone; its scenario may stand behind a slash."""
    name, _, scenario = name.partition("/")
    desk = Home(folder, ask=lambda _: "", cost=Cost(log_n=4))
    desk.new_identity("Alice", "", "")
    seats = {seat.name: "me" for seat in find(name).seats}
    return desk, offers.offer(desk, name, scenario=scenario or None, seats=seats, mode="open")[0]


def bots_order(board: GameBoard, rng: Rng) -> tuple[Way, list[str]]:
    """What a bot orders next, and what is clicked for it."""
    move = orders.move(board.home, board.name)
    game, draft = move.match.game, move.draft
    seat, need = draft.seat, draft.machine.need
    assert seat is not None
    assert isinstance(need, Orders)
    view = draft.view((seat,))
    order = game.bots[game.best_bot].choose(view, need, seat, draft.legal(), rng)
    (way,) = needed(index([order], game.notation, view))
    return way, [key for step in way.clicks for key in step.keys]


def played(name: str, folder: Path) -> Iterator[tuple[str, float]]:
    """What was done, and how long it took; `first` and `clicks` are sizes and numbers."""
    desk, table = began(name, folder)
    board, rng = GameBoard(desk, table), Rng(name)
    yield "opened", cpu(board.state)
    whole = json.dumps(board.state(), ensure_ascii=False).encode()
    yield "first", len(whole) / 1024
    yield "packed", len(gzip.compress(whole)) / 1024
    (ground,) = board.grounds.values()
    yield "ground", len(gzip.compress(ground.encode())) / 1024
    have: dict[str, str] = {}
    lines: list[tuple[str, int]] = []
    for _ in range(ORDERS):
        state = board.state(have)
        have = {part: digest for part, (digest, _) in state["parts"].items()}
        if not state["first"]:
            if summary.row(desk, table).result or not state["draft"]:
                break
            board.send(state["rev"])
            yield "clicks", clicks_of(lines) + 2
            yield "keys", sum(len(text) + 1 for text, _ in lines) + 5
            lines = []
            continue
        way, picks = bots_order(board, rng)
        for count in range(1, len(picks)):  # the page has asked for the state, and has picked nothing of this position
            yield "pick", cpu(partial(board.pick, state["rev"], picks[:count]))
        yield "order", cpu(partial(board.order, state["rev"], way.text, have=have))
        lines.append((way.text, max(1, len(picks))))


def clicks_of(lines: list[tuple[str, int]]) -> int:
    """Alike orders one after another are a digit and the clicks of one."""
    return sum(many + (len(list(same)) > 1) for (_, many), same in groupby(lines))


def measure_here(name: str) -> Found:
    rows: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        for what, value in played(name, Path(folder)):
            rows.setdefault(what, []).append(value)

    def late(what: str) -> float:
        """The 95th percentile, in milliseconds."""
        return sorted(rows[what])[ceil(len(rows[what]) * 0.95) - 1] * 1e3

    turns = rows.get("clicks", [0.0])
    return Found(
        pick=late("pick"),
        pick_most=max(rows["pick"]) * 1e3,
        order=late("order"),
        order_most=max(rows["order"]) * 1e3,
        first=rows["first"][0],
        packed=rows["packed"][0],
        ground=rows["ground"][0],
        opened=rows["opened"][0] * 1e3,
        memory=high_water() / 1024,
        clicks=sum(turns) / len(turns),
        keys=sum(rows.get("keys", [0.0])) / len(turns),
        turns=len(turns),
    )


def measure(name: str) -> Found:
    """In a process of its own, since its memory counts."""
    done = subprocess.run([sys.executable, "-m", "bench.clicking", name], check=True, capture_output=True, text=True)
    told: Any = json.loads(done.stdout)
    return Found(**told)


if __name__ == "__main__":
    print(json.dumps(asdict(measure_here(sys.argv[1]))))
