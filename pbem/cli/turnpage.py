"""`pbem report`: a turn as a page."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import click

from pbem.cli.common import command, game_argument, json_option, open_desk
from pbem.cli.deliver import Covering
from pbem.cli.drawing import write_picture
from pbem.cli.out import say, say_json
from pbem.cli.show import next_step, owed_line
from pbem.cli.text import clean

if TYPE_CHECKING:
    from pbem.table.desk import Desk
    from pbem.table.seen import TurnSeen
    from pbem.table.values import Posted


def page_of(turn: TurnSeen, owed: tuple[str, ...], look: str) -> str:
    from pbem.pictures.report import Turn, report_page

    return report_page(Turn(turn.title, turn.before, turn.after, turn.parts), owed, look)


def mailed_report(desk: Desk, name: str) -> str | None:
    """What goes with a turn by mail: only what everybody may see; nothing where there is nothing to draw."""
    from pbem.table.tableerror import TableError

    try:
        return page_of(desk.turn_seen(name, sent=True), (), "auto")
    except TableError as error:
        if error.code in ("E-LACKS", "E-NOT-NOW"):
            return None
        raise


def covering_letter(desk: Desk, name: str, posted: Posted) -> Covering:
    """The words of `pbem mail` for a mail that a player sends by hand."""
    from pbem.mail.compose import MAX_SUBJECT, body, printable, subject

    gist = desk.gist(name)
    line = subject(gist.by, gist, automatic=posted.automatic, alone=len(posted.to) == 1)
    text = body(gist.by, desk.row(name), name, gist, automatic=posted.automatic)
    return Covering(printable(line, MAX_SUBJECT), text, mailed_report(desk, name))


@command(
    "report",
    short_help="Report a turn on one page.",
    examples=(
        "pbem report bridgehead-7f3a --open",
        "pbem report bridgehead-7f3a --turn 3 -o turn3.html",
        "pbem report bridgehead-7f3a --public",
    ),
)
@game_argument
@click.option(
    "--turn", type=click.IntRange(0, 9_999), metavar="N", help="A whole turn by its number.  [default: the last half]"
)
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it.")
@click.option("--public", is_flag=True, help="Only what everybody may see.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file.  [default: GAME-report.html]"
)
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@click.option(
    "--theme", type=click.Choice(("auto", "light", "dark")), default="auto", show_default=True, help="Colours."
)
@json_option
def report_command(
    game: str,
    turn: int | None,
    seats: tuple[str, ...],
    public: bool,
    output: Path | None,
    open_it: bool,
    theme: str,
    as_json: bool,
) -> None:
    """Write a page about a turn: what happened in words and on the map, battles with dice, what changed, what is owed.

    Without --turn, the last player's turn in which anything was done. The page needs nothing but itself.
    """
    if public and seats:
        raise click.UsageError("--public and --seat exclude each other.")
    desk = open_desk()
    name = desk.find(game)
    told = desk.turn_seen(name, seats=() if public else seats or None, turn=turn)
    owed = tuple(f"{owed_line(each)}{next_step(name, each) if each.mine else '.'}" for each in desk.row(name).owed)
    path = output or (Path(mkdtemp(prefix="pbem-")) if open_it else Path()) / f"{name}-report.html"
    write_picture(path, page_of(told, owed if turn is None else (), theme))
    if open_it:
        click.launch(path.resolve().as_uri())
    if as_json:
        say_json({"file": str(path), "game": name, "parts": [list(lines) for lines in told.parts], "title": told.title})
    else:
        say(f"Written: {clean(str(path))}")
