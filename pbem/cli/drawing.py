"""`pbem board`: the position as text, picture or page; `pbem report`: one turn as text or page."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.common import command, game_argument, open_game
from pbem.cli.phrases import Covering, next_step, owed_line
from pbem.cli.terminal import clean, say
from pbem.home import seen, summary
from pbem.protocol.errors import Refusal

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.home.outbox import Posted
    from pbem.kit.scene import Scene

theme_option = click.option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    show_default=True,
    help="Colours of pictures; auto follows the device.",
)


class BoardShown(NamedTuple):
    """The board as text, line by line."""

    board: tuple[str, ...]
    game: str
    moment: str


class Pictures(NamedTuple):
    """The files written with --svg, --html or --open."""

    files: tuple[Path, ...]
    game: str
    moment: str


@command(
    "board",
    short_help="Draw the map and list the units.",
    examples=(
        "pbem board bridgehead-7f3a",
        "pbem board bridgehead-7f3a --public",
        "pbem board bridgehead-7f3a --open",
        "pbem board bridgehead-7f3a --svg board.svg --at 0:12",
        "pbem board stargard-7f3a --open --covered",
        "pbem board stalingrad42-7f3a --svg front.svg --level whole",
        "pbem board stalingrad42-7f3a --svg voronezh.svg --window 2200-3008",
    ),
)
@game_argument
@click.option("--public", is_flag=True, help="Only what everybody may see.")
@click.option("--svg", "svg", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture.")
@click.option("--html", "html", type=click.Path(dir_okay=False, path_type=Path), help="Write a single web page.")
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@click.option("--at", metavar="BY:SEQ", help="The board after this record, as `pbem log` names it. Only for pictures.")
@click.option(
    "--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it. Only for pictures."
)
@click.option("--covered", is_flag=True, help="Show only the top unit of other players' stacks. Only for pictures.")
@click.option(
    "--level",
    type=click.Choice(("whole", "sheet", "close")),
    default="close",
    show_default=True,
    help="How much of a hex map --svg draws: front and bars, symbols and main strengths, or everything.",
)
@click.option("--window", metavar="HEX-HEX", help="Only the hexes between these two corners. Only for --svg.")
@theme_option
def board_command(
    game: str,
    public: bool,
    svg: Path | None,
    html: Path | None,
    open_it: bool,
    at: str | None,
    seats: tuple[str, ...],
    covered: bool,
    level: str,
    window: str | None,
    theme: str,
) -> BoardShown | Pictures:
    """Draw the board as you see it: with your draft and your hand, and without anything that is hidden from you.

    The board is printed as text. With --svg, --html or --open it is a picture, with arrows and battles of the last
    turn. Once the game is over, pictures show what everybody may see, unless --seat says otherwise. --covered is for
    players who have agreed to look only at the top of each other's stacks; pbem does not enforce it.
    """
    if public and seats:
        raise click.UsageError("--public and --seat exclude each other.")
    pictured = svg is not None or html is not None or open_it
    if not pictured and (at is not None or seats or covered):
        sentence = "--at, --seat and --covered are for pictures: add --svg FILE, --html FILE or --open."
        raise click.UsageError(sentence)
    if svg is None and (level != "close" or window is not None):
        raise click.UsageError("--level and --window are for --svg FILE. A page has all levels of a large map.")
    home, name = open_game(game)
    if not pictured:
        text = seen.board(home, name, public=public)
        say(text)
        return BoardShown(tuple(text.split("\n")), name, summary.row(home, name).moment)
    from pbem.pictures.page import page
    from pbem.pictures.picture import board_svg, window_svg

    scene = seen.seen(home, name, seats=() if public else seats or None, at=at).scene(covered=covered)
    written: list[Path] = []
    if svg is not None:
        cells = _cells(scene, window) if window is not None else ()
        drawn = window_svg(scene, cells, theme, level) if cells else board_svg(scene, theme, level)
        written.append(write_picture(svg, drawn))
    if html is not None or open_it:
        shown = html if html is not None else Path(mkdtemp(prefix="pbem-")) / f"{name}.html"
        written.append(write_picture(shown, page(scene, theme)))
        if open_it:
            click.launch(shown.resolve().as_uri())
    return Pictures(tuple(written), name, summary.row(home, name).moment)


def _cells(scene: Scene, window: str) -> tuple[int, ...]:
    """The hexes of a map between two corners."""
    from pbem.kit.hexes import column_row, parse_hex
    from pbem.kit.scene import HexGround

    corners = [column_row(cell) for word in window.split("-") if (cell := parse_hex(word)) is not None]
    board = scene.ground.map.board if isinstance(scene.ground, HexGround) else None
    if len(corners) == 2 and board is not None and board.grid is not None:
        (left, right), (top, foot) = (sorted(pair) for pair in zip(*corners, strict=True))
        spots = ((cell, *column_row(cell)) for cell in board.grid if cell in board)
        found = tuple(cell for cell, x, y in spots if left <= x <= right and top <= y <= foot)
        if found:
            return found
    raise click.UsageError("--window takes two hexes of the map, for example 2200-3008.")


def write_picture(path: Path, text: str, about: str = "") -> Path:
    """A picture takes the place of an older picture, and of nothing else."""
    if path.exists():
        with path.open("rb") as file:
            if not file.read(20).startswith((b"<svg ", b"<!doctype html>")):
                raise Refusal("E-EXISTS", f"{path} exists and is not a picture. Choose another name.")
    path.write_text(text, encoding="utf-8", newline="\n")
    say(f"Written: {clean(str(path))}{about}")
    return path


def mailed_report(home: Home, name: str) -> str | None:
    """What goes with a turn by mail: only what everybody may see; nothing where there is nothing to draw."""
    from pbem.home import HomeError
    from pbem.pictures.page import report_page

    try:
        return report_page(seen.turn_seen(home, name, sent=True))
    except HomeError as error:
        if error.code in ("E-LACKS", "E-NOT-NOW"):
            return None
        raise


def covering_letter(home: Home, name: str, posted: Posted) -> Covering:
    """The words of `pbem mail` for a mail that a player sends by hand."""
    from pbem.mail.compose import MAX_SUBJECT, body, printable, subject

    gist = seen.gist(home, name)
    line = subject(gist.by, gist, automatic=posted.automatic, alone=len(posted.to) == 1)
    text = body(gist.by, summary.row(home, name), name, gist, automatic=posted.automatic)
    return Covering(printable(line, MAX_SUBJECT), text, mailed_report(home, name))


class Report(NamedTuple):
    """The page about a turn, and what it says in words, part by part."""

    file: Path
    game: str
    parts: tuple[tuple[str, ...], ...]
    title: str


@command(
    "report",
    short_help="Write a page about a turn.",
    examples=(
        "pbem report bridgehead-7f3a --open",
        "pbem report bridgehead-7f3a --turn 3 -o turn3.html",
        "pbem report bridgehead-7f3a --public",
    ),
)
@game_argument
@click.option(
    "--turn",
    type=click.IntRange(0, 9_999),
    metavar="N",
    help="A whole turn by its number.  [default: the last player turn]",
)
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it.")
@click.option("--public", is_flag=True, help="Only what everybody may see.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file.  [default: GAME-report.html]"
)
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@theme_option
def report_command(
    game: str,
    turn: int | None,
    seats: tuple[str, ...],
    public: bool,
    output: Path | None,
    open_it: bool,
    theme: str,
) -> Report:
    """Write a page about a turn: what happened, in words and on the map, battles with dice, and what is owed next.

    Without --turn, it is about the last player turn in which something happened. The page is a single file that needs
    no network.
    """
    if public and seats:
        raise click.UsageError("--public and --seat exclude each other.")
    from pbem.pictures.page import report_page

    home, name = open_game(game)
    told = seen.turn_seen(home, name, seats=() if public else seats or None, turn=turn)
    owed = tuple(
        f"{owed_line(each)}{next_step(name, each) if each.mine else '.'}" for each in summary.row(home, name).owed
    )
    path = output or (Path(mkdtemp(prefix="pbem-")) if open_it else Path()) / f"{name}-report.html"
    write_picture(path, report_page(told, owed if turn is None else (), theme))
    if open_it:
        click.launch(path.resolve().as_uri())
    return Report(path, name, told.parts, told.title)
