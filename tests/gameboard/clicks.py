"""Games played by random clicks alone, and the same lines typed: `make clicks` plays whole ones.

`python -m tests.gameboard.clicks GAME SEED` plays one again.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.append(str(Path(__file__).parent))

from boards import alone

from pbem.browser.gameboard import GameBoard
from pbem.engine.clicks import index, needed
from pbem.engine.registry import names
from pbem.home import Home, orders, sending, summary
from pbem.protocol.errors import PbemError

HASTE = 0.2  # how often a phase is ended where it can be
LATE = 400  # orders: chance alone does not end every game, so that from then on a bot clicks for one side
MOST = 20_000  # orders, after which something is wrong
TRIES = 40  # clicks in vain, before a phase is ended
PICKS = 200  # clicks of one order, which no order has
SENT = 20  # turns in a row that ask nobody anything
VAIN = 400  # refusals in a row, after which nothing that can be clicked is an order


def clicked(board: GameBoard, rng: random.Random, haste: float = 0.0) -> str | None:
    """Random clicks until they say an order; its line."""
    state = board.state()
    rev, picks, first = state["rev"], [], state["first"]
    if not first:
        return None
    ends = [key for key in first if key.startswith("v:")]
    key = rng.choice(ends if ends and rng.random() < haste else first)
    if key.startswith("v:"):
        return next(each["text"] for each in board.pick(rev, [], key[2:])["ready"])
    picks.append(key)
    while True:
        assert len(picks) < PICKS, picks
        found = board.pick(rev, picks)
        assert not found["why"]
        if found["ready"] and (not found["next"] or rng.random() < 0.5):
            return str(rng.choice(found["ready"])["text"])
        key = rng.choice(sorted(found["next"]))
        if key in found["ends"]:
            return str(rng.choice(found["ends"][key])[1])
        picks.append(key)


class Below:
    """Randomness for a bot."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        return self._rng.randrange(n)


def bots(board: GameBoard, rng: random.Random) -> str | None:
    """What a bot would order, clicked; None: it is not its side's turn. The first seat's side goes on at random."""
    move = orders.move(board.home, board.name)
    game, draft = move.match.game, move.draft
    if draft.seat is None or game.seat(draft.seat).side == game.seats[0].side:
        return None
    view = draft.view((draft.seat,))
    order = game.bots[game.best_bot].choose(view, draft.machine.need, draft.seat, draft.legal(), Below(rng))
    (way,) = needed(index([order], game.notation, view))
    verb = game.notation.verb_of[type(order)]
    steps = verb.picked(order, view) if verb.gathers else way.clicks  # what is added to a fight is set in fields
    found = board.pick(board.state()["rev"], [key for step in steps for key in step.keys], way.verb)["ready"]
    texts = [each["text"] for each in found]
    assert any(map(way.text.startswith, texts)) if verb.gathers else way.text in texts
    return way.text


def answered(desk: Home, name: str, rng: random.Random) -> tuple[str, str, str]:
    """Standing orders for some kind of decision, as the board's form puts them together: seat, kind, text."""
    seat, kind, _, _ = rng.choice(orders.move(desk, name).standing_rows())
    return seat, kind, rng.choice(["then ask", "then default", ""])


def drafted(desk: Home, name: str) -> Any:
    return orders.move(desk, name).draft.dump(), orders.move(desk, name).standing_rows()


def play(folder: Path, game: str, seed: str, most: int | None = None, haste: float = 0.0) -> Iterator[str]:
    """Each order that was clicked, and typed in another home: the drafts, standing orders and games stay alike."""
    (desk, name), (other, same) = alone(folder / "clicks", game), alone(folder / "typed", game)
    board, rng, given, vain, sent = GameBoard(desk, name), random.Random(seed), 0, 0, 0
    while most is None or given < most:
        if rng.random() < 0.02:
            seat, kind, text = answered(desk, name, rng)
            try:
                board.set_standing(board.state()["rev"], seat, kind, text)
            except PbemError as refused:  # a decision without a default
                assert refused.sentence  # noqa: PT017
            else:
                orders.set_standing(other, same, seat, kind, text or None)
        line = bots(board, rng) if haste and given > LATE and not vain else None
        line = line or clicked(board, rng, haste if vain < TRIES else 1.0)
        if line is None:
            if summary.row(desk, name).result or not orders.move(desk, name).drafted().orders:
                return
            sent += 1
            assert sent < SENT, summary.row(desk, name).moment
            board.send(board.state()["rev"])
            sending.send(other, same)
            assert orders.move(desk, name).match.state_hash() == orders.move(other, same).match.state_hash()
            assert drafted(desk, name) == drafted(other, same)
            continue
        try:
            board.order(board.state()["rev"], line)
        except PbemError as refused:  # a second unit of one that is there once, for example
            assert refused.sentence  # noqa: PT017
            vain += 1
            assert vain < VAIN, line
            continue
        orders.order(other, same, (line,))
        assert drafted(desk, name) == drafted(other, same)
        given, vain, sent = given + 1, 0, 0
        yield line


def main(given: list[str]) -> None:
    """Whole games of one or of all, by the seed that is named or the time."""
    seed = given[1] if len(given) > 1 else str(int(time.time()))
    for game in given[:1] or names():
        with TemporaryDirectory() as folder:
            sys.stdout.write(f"python -m tests.gameboard.clicks {game} {seed}\n")
            sys.stdout.flush()
            count = sum(1 for _ in play(Path(folder), game, seed, most=MOST, haste=HASTE))
            if count == MOST:
                sys.exit(f"{game}: {count} orders by clicks, and the game is not over")
            sys.stdout.write(f"{game}: {count} orders by clicks, and the same typed: the game is over in both homes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
