"""`make play`: a game of Bridgehead against the bot in the browser, in a home of its own beside the checkout."""

from __future__ import annotations

from pathlib import Path

from pbem.cli.prompt import browse
from pbem.engine.registry import find
from pbem.home import Home, offers, summary

HOME = Path(__file__).parent.parent / ".venv" / "play"
GAME = "bridgehead"


def main() -> None:
    """Goes on with the game that runs, or begins one."""
    desk = Home(HOME, ask=lambda _: "")
    if not desk.people.identities():
        desk.new_identity("You", "", "")
    running = [row.name for row in summary.rows(desk) if not row.result]
    seats = find(GAME).seats
    name = (
        running[0] if running else offers.offer(desk, GAME, seats={seat.name: "me" for seat in seats}, mode="open")[0]
    )
    browse(desk, name, 0, [seat.name for seat in seats[1:]], show=True)


if __name__ == "__main__":
    main()
