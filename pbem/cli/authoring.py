"""`pbem new-game` and `check-game`: for the authors of games: make a new package, and find mistakes in one."""

from __future__ import annotations

import keyword
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from pbem.cli.common import command, games_installed
from pbem.cli.terminal import Progress, clean, fold, say
from pbem.engine.counts import many
from pbem.home import archives, orders, sending
from pbem.protocol.errors import Refusal

if TYPE_CHECKING:
    from pbem.engine.definition import Game
    from pbem.engine.testing import Finding, Report
    from pbem.schema import Count, Limit

TEMPLATE = Path(__file__).parents[1] / "template"
CALLED = "skirmish"  # what the game is called in the template
NAME = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)


class Package(NamedTuple):
    """The package that was written, and the commands to run next."""

    files: tuple[str, ...]
    """The paths in the folder."""
    folder: Path
    name: Annotated[str, Limit(pattern="^[a-z][a-z0-9_]{0,31}$")]
    next: tuple[str, ...]


@command(
    "new-game",
    short_help="Create a small but complete game, to be changed into your own.",
    examples=("pbem new-game fords", "pbem new-game ~/games/fords --name two_fords", "pbem new-game fords --json"),
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="The name of the game and its package (default: the name of the folder).")
def new_game_command(folder: Path, name: str | None) -> Package:
    """Write a small game into the new folder DIR: rules, data files, bot and tests.

    The game is complete: two armies on a hex map, a combat table, a hidden hand of cards. Install it, play it, then
    change it. DIR must be new or empty, since nothing is ever overwritten. docs/write-a-game.md explains the files.
    """
    name = folder.resolve().name if name is None else name
    check_name(name)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Refusal("E-EXISTS", f"{folder} already exists. Name a folder that does not exist yet.")
    files = written(name)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with (folder / path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    steps = next_steps(folder, name)
    say(f"The game {name} is in the folder {folder} ({len(files)} files). Next:")
    for step, about in steps:
        say(f"  {step}")
        say(f"      {about}")
    return Package(tuple(sorted(files)), folder, name, tuple(step for step, _ in steps))


def check_name(name: str) -> None:
    """It becomes the name of a Python package and of the game."""
    from importlib.util import find_spec

    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        sentence = f"{name[:40]!r} cannot be the name of a game: use a to z, 0 to 9 and _, and begin with a letter."
        raise Refusal("E-SETUP", f"{sentence} Choose one with --name NAME.")
    from pbem.engine.registry import names

    spec = find_spec(name)
    if name in names() or (spec is not None and spec.origin is not None):  # without an origin it is a mere folder
        sentence = f"A Python package or a game named {name} is already installed here."
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


HOMES = 0.25  # of the time is for a game by mail between homes
SHOWN = 20  # of what was never reached, in text


class Checked(NamedTuple):
    """The games played, the mistakes found, and the steps, rules and refusals that no game reached."""

    by_bots: Count
    findings: tuple[Finding, ...]
    game: str
    games: Count
    mails: Count
    notes: tuple[str, ...]
    ok: bool
    orders: Count
    refusals: tuple[str, ...]
    replayed: Count
    rules: tuple[str, ...]
    seed: str
    steps: tuple[str, ...]
    strict: Count
    unfinished: Count

    @property
    def failed(self) -> bool:
        return not self.ok


@command(
    "check-game",
    short_help="Look for mistakes in the rules of an installed game.",
    examples=(
        "pbem check-game bridgehead",
        "pbem check-game bridgehead --seconds 300 --seed another",
        "pbem check-game bridgehead --json",
    ),
)
@click.argument("name", metavar="NAME", shell_complete=games_installed)
@click.option(
    "--seed", default="0", show_default=True, help="The seed of the games that are played; another seed plays others."
)
@click.option(
    "--seconds",
    type=click.FloatRange(1, 86_400),
    default=40.0,
    show_default=True,
    help="How long to play; a small game takes less.",
)
def check_game_command(name: str, seed: str, seconds: float) -> Checked:
    """Play a game in every way, and report its author's mistakes, each with its step and rule.

    Random players, the game's bots, players in mode strict, and two homes by mail play whole games. Every step is
    checked, every position is drawn as text and as a picture, and a new process plays the same games again. The report
    also lists the steps, rules and refusals that no game reached.
    """
    from pbem.engine.registry import find
    from pbem.engine.testing import Finding, check_game
    from pbem.engine.testing.watched import describe
    from pbem.pictures.picture import board_svg

    game, end = find(name), time.monotonic() + seconds
    mails = 0
    with Progress("orders checked") as progress:
        report = check_game(game, seed=seed, seconds=seconds * (1 - HOMES), draw=board_svg, tick=progress)
        if report.ok:
            try:
                mails, ended = play_by_mail(game, seed, lambda: time.monotonic() > end, progress)
                report.unfinished += mails > 0 and not ended
            except Exception as error:  # noqa: BLE001 - whatever it is, it is found
                report.findings.append(Finding(game.name, "", "", f"a game by mail between homes: {describe(error)}"))
    say_report(report, mails)
    held = {each: getattr(report, each) for each in Checked._fields if hasattr(report, each)}
    return Checked(**held | {"mails": mails, "seed": seed})


def play_by_mail(game: Game[Any], seed: str, is_late: Callable[[], bool], tick: Callable[[], None]) -> tuple[int, bool]:
    """A strict game between homes of its own, in which players type random orders: mails, and whether it ended."""
    from pbem.cli.demo import PEOPLE, Demo
    from pbem.engine.archive import verify_archive
    from pbem.engine.testing import Chance, seating
    from pbem.protocol.container import read

    players = max(2, len({seat.side for seat in game.seats}))
    if not players <= len(game.seats) <= len(PEOPLE) or is_late():
        return 0, False
    chance, names = Chance(f"{seed}/mail"), tuple(PEOPLE)[:players]
    with tempfile.TemporaryDirectory(prefix="pbem-check-") as folder:
        demo = Demo(Path(folder), seed, lambda *_, **__: None, names, game)
        demo.introduce()
        name = demo.found(game.name, {seat: names[number] for seat, number in seating(game, players).items()})
        while (mover := demo.mover(name)) is not None:
            home = demo.homes[mover]
            while orders.move(home, name).asked():
                if is_late():
                    return demo.sent, False
                first = orders.move(home, name).first()
                texts = tuple(orders.move(home, name).picked(first[chance.below(len(first))]))
                orders.order(home, name, [texts[chance.below(len(texts))]])
                tick()
            demo.post(mover, sending.send(home, name).posted)
            demo.deliver()
        found = {b"".join(archives.archive(home, name)) for home in demo.homes.values()}
        if len(found) > 1:
            raise AssertionError("the archives of the players differ")
        verdict = verify_archive(read(found.pop()), {game.name: game})
        if not verdict.ok or verdict.result is None:
            bad = verdict.first_bad
            raise AssertionError(f"strangers do not verify it: {verdict if bad is None else bad.sentence}")
        return demo.sent, True


def say_report(report: Report, mails: int) -> None:
    bots = f" ({report.by_bots} by its bots)" if report.by_bots else ""
    unfinished = f" ({report.unfinished} of them not to the end)" if report.unfinished else ""
    say(
        f"{clean(report.game)}: {many(report.games, 'game')}{bots} with "
        f"{many(report.orders, 'order')}, "
        f"{many(report.strict, 'game')} between players' programs, "
        f"{many(mails, 'mail')} between homes{unfinished}, "
        f"{many(report.replayed, 'game')} played again in a fresh process."
    )
    for line in report.notes:
        say(clean(line), style="wait")
    for title, missing in (("Steps", report.steps), ("Rules", report.rules)):
        if missing:
            for line in fold(f"{title} never reached: {clean(', '.join(missing))}", 100):
                say(line)
    if report.refusals:
        say("Refusals never given:")
        for each in report.refusals[:SHOWN]:
            say(f"  {clean(each)}")
        if len(report.refusals) > SHOWN:
            say(f"  and {len(report.refusals) - SHOWN} more (--json lists all)")
    for finding in report.findings:
        say(clean(str(finding)), style="bad")
    if report.findings:
        say(f"{many(len(report.findings), 'mistake')} found.", style="bad")
    else:
        say("No mistake was found.", style="good")
