"""`pbem umpire rule`, `decide`, `rate`: what the umpire says of a game, and what the games say of the players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import click

from pbem.cli.common import MAX_OPEN, read_input
from pbem.cli.out import note, say, say_json
from pbem.cli.text import clean
from pbem.cli.umpiring.asjson import act_json, pairing_json
from pbem.cli.umpiring.group import umpire_command
from pbem.cli.umpiring.shared import csv_option, json_option, open_umpire, show_rows, tournament_argument
from pbem.cli.umpiring.standing import names_of

if TYPE_CHECKING:
    from pbem.umpire.decisions import What

SCORES = {"1-0": (2, 0), "0-1": (0, 2), "1/2": (1, 1), "0-0": (0, 0)}
pairing_argument = click.argument("pairing", metavar="GAME")


@umpire_command.command(
    "rule",
    short_help="Rule in a game: forfeit, extension, adjudge, substitute.",
    examples=(
        'pbem umpire rule cup 2.14 forfeit --who "Bob Silva" --why "No move for 30 days"',
        'pbem umpire rule cup 2.14 extension --who 7 --time 5d --why "In hospital"',
        'pbem umpire rule cup 2.14 adjudge --who 7 --why "Three steps ahead, no time left"',
        'pbem umpire rule cup 2.14 adjudge --draw --why "Agreed by telephone"',
        'pbem umpire rule cup 2.14 substitute --who 7 --file dora-joins.pbem --why "Dora goes on"',
    ),
)
@tournament_argument
@pairing_argument
@click.argument("what", type=click.Choice(("forfeit", "extension", "adjudge", "substitute", "escrow", "branch")))
@click.option("--who", metavar="ENTRANT", help="Whom it is about: who forfeits, gets time, wins, is replaced.")
@click.option("--why", required=True, help="The reason; the players and the archive show it.")
@click.option("--draw", is_flag=True, help="adjudge: nobody wins.")
@click.option("--time", metavar="TIME", help="extension: how much, such as 5d or 12h.")
@click.option("--file", "file", metavar="FILE", help="substitute: what the new player's program wrote.")
@click.option("--keep", default="", help="branch: the beginning of the id of the record that counts.")
@click.option("--drop", default="", help="branch: of the one that does not.")
@json_option
def rule_command(
    tournament: str,
    pairing: str,
    what: str,
    who: str | None,
    why: str,
    draw: bool,
    time: str | None,
    file: str | None,
    keep: str,
    drop: str,
    as_json: bool,
) -> None:
    """Rule in a running game. The keeper signs the ruling with your key; the players' programs obey it.

    GAME is round and board, such as 2.14, or the game's name.
    """
    desk = open_umpire()
    more: dict[str, Any] = {}
    if draw:
        if what != "adjudge":
            raise click.UsageError("--draw belongs to adjudge.")
        more["draw"] = True
    if what == "extension":
        from pbem.umpire.terms import seconds

        if time is None:
            raise click.UsageError("An extension needs --time, such as 5d.")
        more["seconds"] = seconds(int(time) if time.isascii() and time.isdigit() else time)
    if what == "substitute":
        if file is None:
            raise click.UsageError("A substitution needs --file.")
        more["raw"] = read_input(file, MAX_OPEN)
    if what == "branch":
        more |= {"drop": drop, "keep": keep}
    act = desk.rule(tournament, pairing, cast("What", what), who=who, why=why, **more)
    if as_json:
        say_json(act_json(act))
        return
    say(f"Act {act.id}: the ruling is wanted.")
    note("Next: pbem umpire sync, which signs and mails it")


@umpire_command.command(
    "decide",
    short_help="Enter a result by hand.",
    examples=(
        'pbem umpire decide cup 2.14 1-0 --forfeit --why "Bob never answered the offer"',
        'pbem umpire decide cup 2.14 1/2 --why "Both homes were lost; agreed"',
    ),
)
@tournament_argument
@pairing_argument
@click.argument("score", type=click.Choice(tuple(SCORES)))
@click.option("--forfeit", is_flag=True, help="The loser forfeits. It counts for ratings only if there were orders.")
@click.option("--why", required=True, help="The reason, which is kept and published.")
@json_option
def decide_command(tournament: str, pairing: str, score: str, forfeit: bool, why: str, as_json: bool) -> None:
    """Enter the result of a game that never began, or that can be neither played on nor ruled in.

    SCORE is from the first player's side, as `pbem umpire rounds` names them. In a game that runs, rule instead: its
    players' programs then know.
    """
    desk = open_umpire()
    row = desk.decide(tournament, pairing, SCORES[score], forfeit=forfeit, why=why)
    if as_json:
        say_json(pairing_json(row, names_of(desk, tournament)))
    else:
        say(f"Game {row.label}: {score}, {clean(row.text)}.")
        if not row.began_at:
            note("Next: pbem umpire sync, which tells its players")


@umpire_command.command(
    "rate",
    short_help="Work out the players' ratings (Glicko-2).",
    examples=("pbem umpire rate cup", "pbem umpire rate cup --after 3 --csv"),
)
@tournament_argument
@click.option("--after", type=click.IntRange(1), help="After this round.")
@json_option
@csv_option
def rate_command(tournament: str, after: int | None, as_json: bool, as_csv: bool) -> None:
    """Work out Glicko-2 ratings: the tournament is one rating period, from what everybody entered with.

    Games that were forfeited do not count. A true strength lies within two deviations of the rating in 19 of 20 cases.
    """
    desk = open_umpire()
    rows = desk.rate(tournament, after)
    before = {each.number: each for each in desk.entrants(tournament)}
    show_rows(
        ("entrant", "name", "before", "rating", "deviation", "volatility"),
        [
            (
                row.entrant, clean(before[row.entrant].name), before[row.entrant].rating, f"{row.rating:.1f}",
                f"{row.deviation:.1f}", f"{row.volatility:.5f}",
            )
            for row in sorted(rows, key=lambda each: -each.rating)
        ],
        key="ratings",
        values=lambda: [
            {
                "before": before[row.entrant].rating, "deviation": row.deviation, "entrant": row.entrant,
                "name": before[row.entrant].name, "rating": row.rating, "round": row.round,
                "volatility": row.volatility,
            }
            for row in rows
        ],
        as_json=as_json,
        as_csv=as_csv,
    )  # fmt: skip
