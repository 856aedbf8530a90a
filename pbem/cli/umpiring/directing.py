"""`pbem umpire pair`, `adjust`, `offer`, `rounds`, `standings`, `rule`, `decide`, `rate`: rounds, rulings, results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from pbem.cli.common import MAX_OPEN, read_input, shown
from pbem.cli.terminal import clean, fold, note, say, say_table
from pbem.cli.umpiring.shared import (
    ActShown,
    PairingShown,
    RoundShown,
    StandingShown,
    figure,
    open_umpire,
    pairing_shown,
    points,
    round_shown,
    show_rows,
    standing_shown,
    tournament_argument,
    umpire_command,
)
from pbem.schema import Count

if TYPE_CHECKING:
    from pbem.umpire.db.deskrows import PairingRow, RoundRow
    from pbem.umpire.pairing.adjust import How
    from pbem.umpire.umpiredesk import UmpireDesk, What


class RoundsShown(NamedTuple):
    rounds: tuple[RoundShown, ...]

    @property
    def rows(self) -> list[PairingShown]:
        return [each for row in self.rounds for each in row.pairings]


class StandingsShown(NamedTuple):
    standings: tuple[StandingShown, ...]


class RatedShown(NamedTuple):
    """A rating after a round; `before`: the entrant's rating before the round."""

    before: Count
    deviation: float
    entrant: Count
    name: str
    rating: float
    round: Count
    volatility: float


class RatingsShown(NamedTuple):
    ratings: tuple[RatedShown, ...]


def names_of(desk: UmpireDesk, tournament: str) -> dict[int, str]:
    return {each.number: each.name for each in desk.entrants(tournament)}


def say_round(row: RoundRow, names: dict[int, str], *, why: bool = False) -> None:
    say(f"Round {row.number}: {row.state}", style="bold")
    say_table([pairing_cells(each, names) for each in row.pairings], indent="  ")
    if why:
        for each in row.pairings:
            say("\n".join(fold(f"{each.label}: {sentences(each.why)}", indent="  ")))
    for text in row.notes:
        say("\n".join(fold(text, indent="  ")))


def sentences(why: Iterable[str]) -> str:
    """One after another, each with its full stop."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in why)


def pairing_cells(row: PairingRow, names: dict[int, str]) -> tuple[str, ...]:
    if row.second is None:
        return (row.label, names[row.first], "-", "bye", points(row.first_points), "")
    score = f"{points(row.first_points)}-{points(row.second_points)}" if row.first_points is not None else ""
    return (row.label, names[row.first], "-", names[row.second], score, row.how or row.state)


@umpire_command.command(
    "pair",
    short_help="Pair the next round.",
    examples=("pbem umpire pair cup", "pbem umpire pair cup --why", "pbem umpire pair cup --dry-run"),
)
@tournament_argument
@click.option("--why", is_flag=True, help="Give the reason for each pairing.")
@click.option("--dry-run", is_flag=True, help="Show the pairing; write nothing.")
def pair_command(tournament: str, why: bool, dry_run: bool) -> RoundShown:
    """Pair the next round by the format. The same results and seed give the same pairing.

    Nothing is mailed before `pbem umpire offer`; until then you may change it with `pbem umpire adjust`.
    """
    desk = open_umpire()
    names = names_of(desk, tournament)
    row = desk.proposal(tournament) if dry_run else desk.pair(tournament)
    say_round(row, names, why=why or dry_run)
    note(f"{'Nothing was written. ' if dry_run else ''}Next: pbem umpire {'pair' if dry_run else 'offer'} {tournament}")
    return round_shown(row, names)


@umpire_command.command(
    "adjust",
    short_help="Change a pairing by hand, with a reason.",
    examples=(
        'pbem umpire adjust cup swap "Alice Kern" "Bob Silva" --why "Brothers"',
        'pbem umpire adjust cup sides 2.14 --why "Agreed by both"',
        'pbem umpire adjust cup sides 3 --why "Played Red twice"',
        'pbem umpire adjust cup leave 7 --why "On holiday"',
    ),
)
@tournament_argument
@click.argument("how", type=click.Choice(("swap", "sides", "pair", "leave")))
@click.argument("one", metavar="ENTRANT|GAME")
@click.argument("other", metavar="[ENTRANT]", required=False)
@click.option("--why", required=True, help="The reason, which is kept with the round.")
def adjust_command(tournament: str, how: str, one: str, other: str | None, why: str) -> RoundShown:
    """Change the round that was paired last, before it is offered.

    swap: two entrants exchange places. sides: a game changes sides; name it (2.14) or one of its players. pair: two
    play each other, and so do their former opponents. leave: one has no game.
    """
    desk = open_umpire()
    row = desk.adjust(tournament, cast("How", how), one, other, why)
    names = names_of(desk, tournament)
    say_round(row, names)
    return round_shown(row, names)


@umpire_command.command(
    "offer",
    short_help="Offer the games of the round that was paired last.",
    examples=("pbem umpire offer cup", "pbem umpire offer cup --again 2.14"),
)
@tournament_argument
@click.option("--again", metavar="GAME", help="Only this game, whose offer has expired, was declined or bounced.")
def offer_command(tournament: str, again: str | None) -> RoundShown:
    """Publish the round: every game is offered to its players, by mails that `pbem umpire sync` or `run` sends.

    With --again, the offer of one game is withdrawn, and another takes its place.
    """
    desk = open_umpire()
    if again is not None:
        desk.offer_again(tournament, again)
        of = desk.pairing(tournament, again)
        row = next(row for row in desk.rounds(tournament) if row.number == of.round)
        say(f"Game {of.label} is offered again.")
    else:
        row = desk.offer(tournament)
        games = sum(each.second is not None for each in row.pairings)
        say(f"Round {row.number} is offered: {games} games.")
    note("Next: pbem umpire sync, or pbem umpire run")
    return round_shown(row, names_of(desk, tournament))


@umpire_command.command(
    "rounds",
    short_help="Show rounds with their pairings and results.",
    examples=("pbem umpire rounds cup", "pbem umpire rounds cup --round 2 --why", "pbem umpire rounds cup --csv"),
    rows=True,
)
@tournament_argument
@click.option("--round", "number", type=click.IntRange(1), help="Only this round.")
@click.option("--why", is_flag=True, help="Give the reason for each pairing.")
def rounds_command(tournament: str, number: int | None, why: bool) -> RoundsShown:
    """Show rounds: who plays whom with which side, and the results."""
    desk = open_umpire()
    names = names_of(desk, tournament)
    rows = desk.rounds(tournament, number)
    for row in rows:
        say_round(row, names, why=why)
    if not rows:
        note("No round has been paired yet.")
    return RoundsShown(tuple(round_shown(row, names) for row in rows))


@umpire_command.command(
    "standings",
    short_help="Show the standings.",
    examples=("pbem umpire standings cup", "pbem umpire standings cup --after 3", "pbem umpire standings cup --csv"),
    rows=True,
)
@tournament_argument
@click.option("--after", type=click.IntRange(0), help="After this round.")
def standings_command(tournament: str, after: int | None) -> StandingsShown:
    """Show the standings by the tie-breaks of the tournament, each with its figure."""
    desk = open_umpire()
    rows = desk.standings(tournament, after)
    order = desk.tournament(tournament).terms.standings
    show_rows(
        ("place", "name", "games", "won", "drawn", "lost", *order),
        [
            (row.place, clean(row.name), row.played, row.won, row.drawn, row.lost, *map(figure, row.figures))
            for row in rows
        ],
    )
    return StandingsShown(tuple(standing_shown(row, order) for row in rows))


SCORES = {"1-0": (2, 0), "0-1": (0, 2), "1/2": (1, 1), "0-0": (0, 0)}
pairing_argument = click.argument("pairing", metavar="GAME")


@umpire_command.command(
    "rule",
    short_help="Rule in a game: forfeit, extension, adjudge, substitute, escrow, branch.",
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
@click.option("--who", metavar="ENTRANT", help="The entrant who forfeits, gets time, wins or is replaced.")
@click.option("--why", required=True, help="The reason; the players and the archive show it.")
@click.option("--draw", is_flag=True, help="adjudge: nobody wins.")
@click.option("--time", metavar="TIME", help="extension: how much, such as 5d or 12h.")
@click.option("--file", "file", metavar="FILE", help="substitute: what the new player's program wrote.")
@click.option("--keep", default="", help="branch: the beginning of the id of the record that counts.")
@click.option("--drop", default="", help="branch: of the one that does not.")
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
) -> ActShown:
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
    say(f"Task {act.id}: the ruling has to be signed and mailed.")
    note("Next: pbem umpire sync, which signs and mails it")
    return shown(ActShown, act)


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
def decide_command(tournament: str, pairing: str, score: str, forfeit: bool, why: str) -> PairingShown:
    """Enter the result of a game that never began, or that can be neither played on nor ruled in.

    SCORE is from the first player's side, as `pbem umpire rounds` names them. The result of a game that was played to
    its end cannot be changed. In a running game use `pbem umpire rule`, so that the players' programs are informed.
    """
    desk = open_umpire()
    row = desk.decide(tournament, pairing, SCORES[score], forfeit=forfeit, why=why)
    say(f"Game {row.label}: {score}, {clean(row.text)}.")
    if not row.began_at:
        note("Next: pbem umpire sync, which informs its players")
    return pairing_shown(row, names_of(desk, tournament))


@umpire_command.command(
    "rate",
    short_help="Work out the players' ratings (Glicko-2).",
    examples=("pbem umpire rate cup", "pbem umpire rate cup --after 3 --csv"),
    rows=True,
)
@tournament_argument
@click.option("--after", type=click.IntRange(1), help="After this round.")
def rate_command(tournament: str, after: int | None) -> RatingsShown:
    """Work out Glicko-2 ratings: the tournament is one rating period, which starts from the ratings at
    entry.

    Games that were forfeited do not count. In 95 of 100 cases the true strength lies within 1.96 deviations of
    the rating.
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
    )  # fmt: skip
    return RatingsShown(
        tuple(shown(RatedShown, row, before=before[row.entrant].rating, name=before[row.entrant].name) for row in rows)
    )
