"""`pbem new-game`: the package of a small game that is complete, to be changed into one's own."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path
from shlex import quote

import click

from pbem.cli.common import command, json_option
from pbem.cli.out import say, say_json
from pbem.protocol.errors import Refusal

TEMPLATE = Path(__file__).parents[1] / "template"
CALLED = "skirmish"  # what the game is called in the template
NAME = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)


@command(
    "new-game",
    short_help="Write the package of a small game, for you to change into your own.",
    examples=("pbem new-game fords", "pbem new-game ~/games/fords --name two_fords", "pbem new-game fords --json"),
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="What the game and its package are called (default: the name of the folder).")
@json_option
def new_game_command(folder: Path, name: str | None, as_json: bool) -> None:
    """Write a small game into the new folder DIR: rules, data files, bot and tests.

    It is complete: two armies on a hex map, a combat table, a hidden hand of cards. Install it, play it, then change
    it. DIR must not exist yet, or be empty: nothing is ever overwritten. docs/write-a-game.md explains the files.
    """
    name = folder.resolve().name if name is None else name
    check_name(name)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Refusal("E-EXISTS", f"{folder} is there already. Name a folder that does not exist yet.")
    files = written(name)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with (folder / path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    steps = next_steps(folder, name)
    if as_json:
        say_json({"files": sorted(files), "folder": str(folder), "name": name, "next": [step for step, _ in steps]})
        return
    say(f"{folder} holds the game {name}: {len(files)} files. Next:")
    for step, about in steps:
        say(f"  {step}")
        say(f"      {about}")


def check_name(name: str) -> None:
    """It becomes the name of a Python package and of the game."""
    from importlib.util import find_spec

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        sentence = (
            f"{name[:40]!r} cannot be the name of a game: it takes a to z, 0 to 9 and _, beginning with a letter."
        )
        raise Refusal("E-SETUP", f"{sentence} Choose one with --name NAME.")
    from pbem.engine.registry import names

    spec = find_spec(name)
    if name in names() or (spec is not None and spec.origin is not None):  # without an origin it is a mere folder
        sentence = f"A Python package or a game named {name} is installed here already."
        raise Refusal("E-SETUP", f"{sentence} Choose another name with --name NAME.")


def written(name: str) -> dict[str, str]:
    """The files of the package by their paths in it, with the name put in."""
    title = name.replace("_", " ").capitalize()
    found = {}
    for path in sorted(TEMPLATE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            text = path.read_text(encoding="utf-8")
            text = re.sub(rf"\b{CALLED}\b", name, text)
            text = re.sub(rf"\b{CALLED.capitalize()}\b", title, text)
            found[path.relative_to(TEMPLATE).as_posix().replace(CALLED, name)] = text
    return found


def next_steps(folder: Path, name: str) -> list[tuple[str, str]]:
    where = quote(str(folder))
    return [
        (
            f"{quote(sys.executable)} -m pip install -e {quote(str(folder) + '[test]')}",
            "installs it where this pbem is; do it once",
        ),
        (f"{quote(sys.executable)} -m pytest {where}", "runs its tests"),
        (f"pbem check-game {name}", "looks for mistakes; run it after every change"),
        ('pbem id new "Your Name"', "if you have no identity yet"),
        (
            f"pbem new {name} --mode open --seat blue=me --seat red=me",
            f"begins a game with yourself; then: pbem play {name}",
        ),
        (f"pbem games {name} --rules", "shows its rules; docs/write-a-game.md says what to change first"),
    ]
