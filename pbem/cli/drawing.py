"""`pbem board`: the board as text, as a picture, as a page."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import click

from pbem.cli.common import command, game_argument, json_option, open_desk
from pbem.cli.out import say, say_json
from pbem.cli.text import clean
from pbem.protocol.errors import Refusal

if TYPE_CHECKING:
    from pbem.kit.scene import Scene


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
@click.option("--html", "html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page that stands alone.")
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@click.option("--at", metavar="BY:SEQ", help="After this record, named as `pbem log` does. Only for pictures.")
@click.option(
    "--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it. Only for pictures."
)
@click.option("--covered", is_flag=True, help="Of others' stacks, only the top unit. Only for pictures.")
@click.option(
    "--level",
    type=click.Choice(("whole", "sheet", "close")),
    default="close",
    show_default=True,
    help="Of a map of hexes, how much --svg draws: the front and bars, symbols and main strengths, or everything.",
)
@click.option("--window", metavar="HEX-HEX", help="Only the hexes between these two corners. Only for --svg.")
@click.option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    show_default=True,
    help="Colours of pictures; auto follows the device.",
)
@json_option
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
    as_json: bool,
) -> None:
    """Draw the board as you see it: with your draft, your hand, and what is hidden from you left out.

    As text; with --svg, --html or --open as a picture, with arrows and battles of the last turn. When the game is over,
    pictures show what everybody may see, unless --seat says otherwise. --covered is for players who have agreed to look
    at the top of each other's stacks only; nothing else knows of it.
    """
    if public and seats:
        raise click.UsageError("--public and --seat exclude each other.")
    pictured = svg is not None or html is not None or open_it
    if not pictured and (at is not None or seats or covered):
        sentence = "--at, --seat and --covered are for pictures: add --svg FILE, --html FILE or --open."
        raise click.UsageError(sentence)
    if svg is None and (level != "close" or window is not None):
        raise click.UsageError("--level and --window are for --svg FILE. A page has all levels of a large map.")
    desk = open_desk()
    name = desk.find(game)
    if not pictured:
        text = desk.board(name, public=public)
        if as_json:
            say_json({"board": text.split("\n"), "game": name, "moment": desk.row(name).moment})
        else:
            say(text)
        return
    from pbem.pictures.page import page
    from pbem.pictures.picture import board_svg, window_svg

    scene = desk.seen(name, seats=() if public else seats or None, at=at).scene(covered=covered)
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
    if as_json:
        say_json({"files": [str(path) for path in written], "game": name, "moment": desk.row(name).moment})
    else:
        for path in written:
            say(f"Written: {clean(str(path))}")


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


def write_picture(path: Path, text: str) -> Path:
    """A picture takes the place of an older picture, and of nothing else."""
    if path.exists():
        with path.open("rb") as file:
            if not file.read(20).startswith((b"<svg ", b"<!doctype html>")):
                raise Refusal("E-EXISTS", f"{path} exists and is not a picture. Choose another name.")
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
