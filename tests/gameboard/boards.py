"""A desk with a game for oneself alone, and a board of it that is served."""

from __future__ import annotations

import http.client
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.browser.gameboard import GameBoard
from pbem.browser.lobby import Lobby
from pbem.browser.server import Server
from pbem.engine.registry import find
from pbem.home import Home, offers, orders, sending

sys.path.append(str(Path(__file__).parent.parent / "home"))

from desks import desk_at


def alone(folder: Path, game: str, **terms: Any) -> tuple[Home, str]:
    """A game for oneself alone, the same in any folder."""
    desk = desk_at(folder, "alice")
    desk.new_identity("Alice Kern", "alice@example.org", "")
    name, _ = offers.offer(desk, game, seats={seat.name: "me" for seat in find(game).seats}, mode="open", **terms)
    return desk, name


def against_bot(folder: Path, game: str, **terms: Any) -> tuple[Home, str]:
    desk, name = alone(folder, game, **terms)
    orders.set_bots(desk, name, desk.load(name).seats[1:])
    sending.let_bots(desk, name)
    return desk, name


def at_attacks(folder: Path, before: str = "", **terms: Any) -> tuple[Home, str, GameBoard]:
    """Blue is to declare attacks, with two hexes beside one of the enemy; or `before` one of the lines to there."""
    desk, name = against_bot(folder, "bridgehead", **terms)
    board = GameBoard(desk, name)
    for line in ("reserve 0101", "posture attack", "move B7 0404", "move B6 0403", "move B2 0402", "done"):
        if line == before:
            break
        board.order(board.state()["rev"], line)
        if not orders.move(desk, name).asked():
            board.send(board.state()["rev"])
    return desk, name, board


@contextmanager
def served(board: GameBoard | Lobby) -> Iterator[Server]:
    server = Server(board)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def headers(server: Server, length: int, **more: str | None) -> dict[str, str]:
    """As the page sends them; None leaves one out."""
    usual: dict[str, str | None] = {
        "Content-Length": str(length),
        "Host": server.host,
        "Origin": f"http://{server.host}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
        "X-Pbem-Token": server.token,
    }
    merged = usual | {name.replace("_", "-"): value for name, value in more.items()}
    return {name: value for name, value in merged.items() if value is not None}


def ask(
    server: Server, method: str, path: str, body: bytes | Any = b"", **more: str | None
) -> tuple[int, dict[str, str], bytes]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection(*server.server_address, timeout=20)  # type: ignore[misc]
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers(server, len(raw), **more).items():
        connection.putheader(name, value)
    connection.endheaders(raw)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found
