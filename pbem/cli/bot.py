"""`pbem bot`: a player made of code."""

from __future__ import annotations

import click

from pbem.cli.common import command, game_argument, json_option, open_desk
from pbem.cli.deliver import AS_IT_IS, deliver
from pbem.cli.out import say, say_json
from pbem.cli.show import posted_json, say_owed, say_ready, went_on
from pbem.cli.text import clean
from pbem.table.tableerror import TableError


@command(
    "bot",
    short_help="Let a bot write your draft, or play against it.",
    examples=(
        "pbem bot bridgehead-7f3a",
        "pbem bot bridgehead-7f3a --level random --send",
        "pbem bot bridgehead-7f3a --seat red --send      (you play blue alone: it answers for red)",
    ),
)
@game_argument
@click.option("--level", metavar="BOT", help="One of the game's bots (default: sensible, or the best it has).")
@click.option("--seat", "seats", multiple=True, help="Only for this seat of yours; it stops when another is asked.")
@click.option("--send", is_flag=True, help="Seal what it orders, and go on while it is asked.")
@json_option
def bot_command(game: str, level: str | None, seats: tuple[str, ...], send: bool, as_json: bool) -> None:
    """Let a bot of the game order for you, as far as the draft goes.

    Without --send you can look at its draft, undo and change it. In a game that you play alone the draft ends with the
    turn; --send goes on to the next one, and with --seat the bot is your opponent.
    """
    desk = open_desk()
    name = desk.find(game)
    for seat in seats:
        if seat not in desk.seats(name):
            yours = ", ".join(desk.seats(name))
            raise TableError("E-SEAT", f"{seat!r} is not one of your seats in {name}: {yours}.")
    ordered: list[str] = []
    happened: list[str] = []
    posted = None
    while True:
        asked = desk.asked(name)
        if not asked or (seats and not set(asked) & set(seats)):
            break
        lines = desk.bot(name, level, seats)
        ordered += lines
        if send:
            posted = desk.send(name)
            happened += desk.happened
            lines = list(desk.happened) or lines
        if not as_json:
            for line in lines:
                say(clean(line))
        if not send:
            break
    if not ordered and not as_json:
        first = "" if not seats or not asked else f" {' and '.join(asked)} must order first."
        say(f"The bot is not asked.{first}")
    if as_json:
        more = {"orders": ordered, "posted": posted_json(posted) if posted else None}
        say_json({**went_on(desk, name, happened), **more})
        return
    if posted is not None:
        deliver(posted, name, AS_IT_IS)
    if say_ready(desk, name):
        return
    if send or not desk.draft(name):
        say_owed(name, desk.row(name).owed)
    else:
        say(f"Not sealed yet: pbem send {name}")
