"""`pbem check-game`: what the author of a game did wrong."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pbem.cli.common import command, json_option
from pbem.cli.out import Progress, say, say_json
from pbem.cli.run import REFUSED
from pbem.cli.text import clean, fold, plural

if TYPE_CHECKING:
    from pbem.engine.testing import Report

SHOWN = 20  # of what was never reached, in text


@command(
    "check-game",
    short_help="Look for an author's mistakes in a game that is installed.",
    examples=(
        "pbem check-game bridgehead",
        "pbem check-game bridgehead --seconds 300 --seed another",
        "pbem check-game bridgehead --json",
    ),
    exits="0 no mistake was found, 1 a mistake was found or the game cannot be loaded, 2 wrong usage.",
)
@click.argument("name", metavar="NAME")
@click.option("--seed", default="0", show_default=True, help="Another seed plays other games.")
@click.option(
    "--seconds",
    type=click.FloatRange(1, 86_400),
    default=40.0,
    show_default=True,
    help="How long to play; a small game is done earlier.",
)
@json_option
@click.pass_context
def check_game_command(ctx: click.Context, name: str, seed: str, seconds: float, as_json: bool) -> None:
    """Play a game in every way and say what its author did wrong, with step and rule.

    Random orders, the game's bots and the programs of players in mode strict play whole games. Every step is watched,
    every position is shown as text and as a picture, and a fresh process plays the same games again. Then you read
    which steps, rules and refusals were never reached.
    """
    from pbem.engine.registry import find
    from pbem.engine.testing import check_game
    from pbem.pictures.board import board_svg

    game = find(name)
    with Progress("orders checked") as progress:
        report = check_game(game, seed=seed, seconds=seconds, draw=board_svg, tick=progress)
    if as_json:
        say_json({**asdict(report), "ok": report.ok, "seed": seed})
    else:
        say_report(report)
    if not report.ok:
        ctx.exit(REFUSED)


def say_report(report: Report) -> None:
    unfinished = f" ({report.unfinished} of them not to the end)" if report.unfinished else ""
    say(
        f"{clean(report.game)}: {plural(report.games, 'game')} with {plural(report.orders, 'order')}, "
        f"{plural(report.strict, 'game')} between players' programs{unfinished}, "
        f"{plural(report.replayed, 'game')} played again in a fresh process."
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
        say(f"{plural(len(report.findings), 'mistake')} found.", style="bad")
    else:
        say("No mistake was found.", style="good")
