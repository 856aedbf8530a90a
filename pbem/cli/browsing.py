"""`pbem app`, `pbem play --browser`: what the browser shows, served until Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from pbem.cli.common import command, open_desk
from pbem.cli.identity import new_passphrase
from pbem.cli.out import say
from pbem.cli.run import until_terminated
from pbem.table.tableerror import TableError

if TYPE_CHECKING:
    from pbem.browser.gameboard import GameBoard
    from pbem.browser.lobby import Lobby
    from pbem.table.desk import Desk


def browse(desk: Desk, name: str, port: int, bots: Sequence[str], *, show: bool) -> None:
    """Opens the board in the player's browser (`show`), or prints its address alone."""
    from pbem.browser.gameboard import GameBoard

    own = desk.seats(name)
    for seat in bots:
        if seat not in own:
            raise click.UsageError(f"{seat!r} is not one of your seats: {', '.join(own)}.")
    if bots:
        desk.set_bots(name, bots)
    desk.let_bots(name)
    serve(desk, GameBoard(desk, name), port, show=show)


def serve(desk: Desk, served: GameBoard | Lobby, port: int, *, show: bool) -> None:
    """Until Ctrl-C or SIGTERM, or an hour without a click."""
    from pbem.browser.server import Server, doorway

    desk.disk.folder(desk.home.root)  # of a newcomer there is none yet
    with Server(served, port) as server:
        path = doorway(server, desk.home.root)
        try:
            if show:
                click.launch(path.as_uri())
            say("Open in your browser, on this machine and for you alone:")
            say(server.address)
            say("Ctrl-C ends it. What you order there is your draft, as at the prompt, and stays.")
            with until_terminated() as ended, suppress(KeyboardInterrupt):
                server.run(ended)
        finally:
            path.unlink(missing_ok=True)


@command(
    "app",
    short_help="Play in your browser: all your games.",
    examples=("pbem app", "pbem app --no-open --port 8080"),
    exits="0 done, 1 refused, 2 wrong usage.",
)
@click.option("--no-open", is_flag=True, help="Print the address, and open nothing.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="This port (default: a free one).")
def app_command(no_open: bool, port: int) -> None:
    """Open all of your pbem in your browser: games and who owes what, boards to click on, files that came, people.

    Passphrases are asked for here, at the terminal, never in the page. Nobody else can reach it: it answers this
    machine alone, and only who has the key in its address. It ends with Ctrl-C, or after an hour without a click.
    """
    from pbem.browser.lobby import Lobby, Terminal
    from pbem.cli.mailbox import rounds

    desk = open_desk()
    serve(desk, Lobby(desk, Terminal(_passphrase, say, rounds(desk))), port, show=not no_open)


def _passphrase() -> str:
    """Of a new key; the page says so if nobody is there to type one."""
    if os.environ.get("PBEM_PASSPHRASE") is None and not sys.stdin.isatty():
        raise TableError(
            "E-PASSPHRASE",
            "Nobody is at the terminal that started pbem, to type a passphrase for your new key. Start `pbem app` at a "
            "terminal, or give the passphrase in PBEM_PASSPHRASE.",
        )
    return new_passphrase(none=False)
