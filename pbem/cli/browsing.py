"""`pbem play --browser`: serves the board until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from pbem.cli.out import say

if TYPE_CHECKING:
    from pbem.table.desk import Desk


def browse(desk: Desk, name: str, port: int, bots: Sequence[str], *, show: bool) -> None:
    """Opens the board in the player's browser (`show`), or prints its address alone."""
    from pbem.browser.gameboard import GameBoard
    from pbem.browser.server import Server, doorway

    own = desk.seats(name)
    for seat in bots:
        if seat not in own:
            raise click.UsageError(f"{seat!r} is not one of your seats: {', '.join(own)}.")
    board = GameBoard(desk, name, bots)
    board.let_bots()
    with Server(board, port) as server:
        path = doorway(server, desk.home.root)
        try:
            if show:
                click.launch(path.as_uri())
            say("The board of your game is open at this address, on this machine and for you alone:")
            say(server.address)
            say("What you order there is your draft, as at the prompt. Ctrl-C ends it; the draft stays.")
            with suppress(KeyboardInterrupt):
                server.run()
        finally:
            path.unlink(missing_ok=True)
