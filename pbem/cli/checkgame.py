"""`pbem check-game`: what the author of a game did wrong."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import command, json_option
from pbem.cli.out import Progress, say, say_json
from pbem.cli.run import REFUSED
from pbem.cli.text import clean, fold, plural

if TYPE_CHECKING:
    from pbem.engine.definition import Game
    from pbem.engine.testing import Report

HOMES = 0.25  # of the time is for a game by mail between homes
SHOWN = 20  # of what was never reached, in text


@command(
    "check-game",
    short_help="Look for an author's mistakes in an installed game.",
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

    Random players, the game's bots, players in mode strict, and two homes by mail play whole games. Every step is
    watched, every position is shown as text and as a picture, and a fresh process plays the same games again. Then you
    read which steps, rules and refusals were never reached.
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
    if as_json:
        say_json({**asdict(report), "mails": mails, "ok": report.ok, "seed": seed})
    else:
        say_report(report, mails)
    if not report.ok:
        ctx.exit(REFUSED)


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
            desk = demo.desks[mover]
            while desk.asked(name):
                if is_late():
                    return demo.sent, False
                first = desk.first(name)
                texts = tuple(desk.picked(name, first[chance.below(len(first))]))
                desk.order(name, [texts[chance.below(len(texts))]])
                tick()
            demo.post(mover, desk.send(name))
            demo.deliver()
        archives = {b"".join(desk.archive(name)) for desk in demo.desks.values()}
        if len(archives) > 1:
            raise AssertionError("the archives of the players differ")
        verdict = verify_archive(read(archives.pop()), {game.name: game})
        if not verdict.ok or verdict.result is None:
            bad = verdict.first_bad
            raise AssertionError(f"strangers do not verify it: {verdict if bad is None else bad.sentence}")
        return demo.sent, True


def say_report(report: Report, mails: int) -> None:
    bots = f" ({report.by_bots} by its bots)" if report.by_bots else ""
    unfinished = f" ({report.unfinished} of them not to the end)" if report.unfinished else ""
    say(
        f"{clean(report.game)}: {plural(report.games, 'game')}{bots} with "
        f"{plural(report.orders, 'order')}, "
        f"{plural(report.strict, 'game')} between players' programs, "
        f"{plural(mails, 'mail')} between homes{unfinished}, "
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
