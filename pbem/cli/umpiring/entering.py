"""`pbem umpire new`, `list`, `show`, `entrants`, `enter`, `withdraw`, `replace`: a tournament and who plays in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from pbem.cli.common import check_readable, open_home, read_input
from pbem.cli.offering import game_options, game_terms, seconds_of
from pbem.cli.phrases import Acted, Delivery, acted, delivery
from pbem.cli.terminal import clean, note, say, say_table
from pbem.cli.umpiring.shared import (
    EntrantShown,
    EntrantsShown,
    TournamentShown,
    entrant_shown,
    has_store,
    open_umpire,
    show_rows,
    tournament_argument,
    tournament_shown,
    umpire_command,
    want_extra,
)
from pbem.engine.counts import many
from pbem.schema import Count

if TYPE_CHECKING:
    from pbem.umpire.db.deskrows import TournamentRow
    from pbem.umpire.entrants import NewEntrant


class NewTournament(NamedTuple):
    entrants: tuple[EntrantShown, ...]
    tournament: TournamentShown


class TournamentsShown(NamedTuple):
    tournaments: tuple[TournamentShown, ...]


class RoundState(NamedTuple):
    number: Count
    state: Literal["paired", "offered", "complete"]


class TournamentState(NamedTuple):
    """How far a tournament has got; `planned`: how many rounds there will be."""

    entrants: Count
    planned: Count
    rounds: tuple[RoundState, ...]
    tournament: TournamentShown


def cards_at(place: str) -> tuple[NewEntrant, ...]:
    from pbem.umpire.entrants import read_entrants

    path = Path(place)
    if not path.is_dir():
        check_readable(place)
    return read_entrants(path)


@umpire_command.command(
    "new",
    short_help="Offer a game as its umpire, or create a tournament.",
    examples=(
        "pbem umpire new bridgehead --seat blue=alice --seat red=bob",
        "pbem umpire new bridgehead --mode umpire --seat blue=alice --seat red=anyone --until 14d",
        "pbem umpire new cup.toml --cards cards/",
        "pbem umpire new cup.toml --cards players.csv --json",
    ),
)
@click.argument("terms", metavar="GAME|TOML")
@game_options
@click.option(
    "--until",
    default="",
    metavar="TIME",
    help="A single game: how long it can be joined, such as 14d (default: always).",
)
@click.option(
    "--cards", metavar="DIR|CSV", help="A tournament: the players' cards, in a folder or named by a CSV file."
)
@click.option("--as", "who", metavar="WHO", help="The identity of yours that is the umpire.")
@delivery
def new_command(
    terms: str,
    until: str,
    cards: str | None,
    who: str | None,
    how: Delivery,
    **asked: Any,
) -> Acted | NewTournament:
    """Offer a single game as its umpire, or create a tournament from a TOML file and its players' cards.

    For a single game, name its seats (--seat) and mail the file to the players. It starts when all have joined. To
    withdraw the offer: pbem decline GAME

    A tournament's terms are described in docs/umpire.md. A CSV file has the columns card (a file), rating, deviation.
    Unless the terms say otherwise, players are seeded by rating, or by lot if no card came with a rating.
    """
    if asked["seats"]:
        if cards is not None:
            raise click.UsageError("--seat offers a game, --cards creates a tournament: give one of them.")
        from pbem.engine import registry
        from pbem.home import offers

        terms = registry.named(terms)
        home = open_home()
        expires = home.clock() + seconds_of(until, "--until") if until else 0
        name, posted = offers.offer(
            home, terms, umpire=True, identity=who, expires=expires, **game_terms(terms, **asked)
        )
        return acted(name, posted, how)
    if not Path(terms).suffix:
        raise click.UsageError(f"Say who plays each seat of {terms}: --seat SEAT=WHO. See: pbem games {terms}")
    want_extra()
    from pbem.protocol.limits import MAX_DATA_FILE
    from pbem.umpire.terms import MAX_TERMS, parse, with_files

    home = open_home()
    beside = Path(terms).parent
    wanted = parse(read_input(terms, MAX_TERMS))
    wanted = with_files(wanted, lambda name: read_input(str(beside / name), MAX_DATA_FILE))
    entrants = cards_at(cards) if cards else ()
    umpire = home.people.me(who).card
    desk = open_umpire(home)
    made = desk.create(wanted, umpire, entrants)
    say(f"{clean(made.terms.title)} is called {made.name} here: {many(len(entrants), 'entrant')}.")
    note(f"Next: pbem umpire {f'pair {made.name}' if len(entrants) > 1 else f'enter {made.name} --cards DIR'}")
    return NewTournament(tuple(map(entrant_shown, desk.entrants(made.name))), tournament_shown(made))


@umpire_command.command(
    "list", short_help="List the tournaments.", examples=("pbem umpire list", "pbem umpire list --json"), rows=True
)
def list_command() -> TournamentsShown:
    """List the tournaments of this database, one line each."""
    rows = open_umpire().tournaments() if has_store() else []
    show_rows(
        ("name", "title", "game", "format", "state"),
        [(row.name, row.terms.title, row.terms.game, row.terms.format, row.state) for row in rows],
        empty="No tournaments yet. Create one: pbem umpire new TOML --cards DIR",
    )
    return TournamentsShown(tuple(map(tournament_shown, rows)))


@umpire_command.command(
    "show", short_help="Show a tournament's terms.", examples=("pbem umpire show cup", "pbem umpire show cup --json")
)
@tournament_argument
def show_command(tournament: str) -> TournamentState:
    """Show the terms of a tournament and how far it has got."""
    desk = open_umpire()
    row = desk.tournament(tournament)
    rounds = desk.rounds(row.name)
    count, planned = len(desk.entrants(row.name)), desk.planned(row.name)
    so_far = "; ".join(f"round {each.number} {each.state}" for each in rounds) or "no round yet"
    say_table(_facts(row, count, planned, so_far))
    states = tuple(RoundState(each.number, each.state) for each in rounds)
    return TournamentState(count, planned, states, tournament_shown(row))


def _facts(row: TournamentRow, entrants: int, planned: int, rounds: str) -> list[tuple[str, str]]:
    from pbem.home.describe import option

    terms = row.terms
    clock = terms.clock
    options = ", ".join(option(*each) for each in sorted(terms.options.items()))
    times = f"{span(clock.move)} a move, bank {span(clock.bank)}" if clock.move else "no clock"
    return [
        ("Title:", terms.title),
        ("Game:", f"{terms.game}, {terms.scenario}{f', {options}' if options else ''}; dice: {terms.mode}"),
        (
            "Format:",
            f"{terms.format}{', mirrored pairs' if terms.mirrored else ''}, {many(planned, 'round')}; first side "
            f"{terms.sides[0]}",
        ),
        *((f"Data, {kind}:", f"the umpire's own, {digest}") for kind, digest in terms.pins.items()),
        ("Clock:", f"{times}; offers wait {span(clock.accept)}"),
        (
            "Unattended:",
            f"if a clock runs out: {terms.keeper.on_flag}; if a player does not turn up: {terms.keeper.no_show}; "
            f"in each case after {span(terms.keeper.grace)}",
        ),
        ("Standings:", ", ".join(terms.standings)),
        ("Entrants:", str(entrants)),
        ("State:", f"{row.state}: {rounds}"),
    ]


def span(seconds: int) -> str:
    """`3d`, `1d12h`, as the terms write it."""
    from pbem.engine.counts import in_units

    return "".join(f"{count}{unit[0]}" for count, unit in in_units(seconds)) or "0"


@umpire_command.command(
    "entrants",
    short_help="List the entrants, for the umpire's eyes.",
    examples=("pbem umpire entrants cup", "pbem umpire entrants cup --csv", "pbem umpire entrants cup --addresses"),
    rows=True,
)
@tournament_argument
@click.option("--addresses", is_flag=True, help="With the players' mail addresses. They are in no other list.")
def entrants_command(tournament: str, addresses: bool) -> EntrantsShown:
    """List the entrants with their numbers, ratings and whether they have withdrawn."""
    want_extra()
    from pbem.protocol.card import parse_card

    rows = open_umpire().entrants(tournament)
    mails = {row.number: parse_card(row.card).email if addresses else "" for row in rows}
    more = ("address",) if addresses else ()
    show_rows(
        ("number", "name", "rating", "deviation", "out", *more),
        [
            (
                row.number,
                row.name,
                row.rating,
                row.deviation,
                "out" if row.out else "",
                *((mails[row.number],) if addresses else ()),
            )
            for row in rows
        ],
    )
    return EntrantsShown(tuple(entrant_shown(row, mails[row.number] or None) for row in rows))


@umpire_command.command(
    "enter",
    short_help="Enter more players.",
    examples=("pbem umpire enter cup --cards late/",),
)
@tournament_argument
@click.option("--cards", metavar="DIR|CSV", required=True, help="The players' cards.")
def enter_command(tournament: str, cards: str) -> EntrantsShown:
    """Enter more players. They are seeded after the present entrants."""
    want_extra()
    rows = open_umpire().enter(tournament, cards_at(cards))
    say(f"{many(len(rows), 'entrant')} now.")
    return EntrantsShown(tuple(map(entrant_shown, rows)))


@umpire_command.command(
    "withdraw",
    short_help="Withdraw a player, or bring one back.",
    examples=(
        'pbem umpire withdraw cup "Bob Silva" --why "Ill"',
        'pbem umpire withdraw cup 7 --back --why "Well again"',
    ),
)
@tournament_argument
@click.argument("who", metavar="ENTRANT")
@click.option("--why", required=True, help="The reason, which is kept.")
@click.option("--back", is_flag=True, help="The player plays again.")
def withdraw_command(tournament: str, who: str, why: str, back: bool) -> EntrantShown:
    """Leave a player out of all later rounds; --back brings them in again. Their running games go on until you rule on
    them."""
    desk = open_umpire()
    row = desk.withdraw(tournament, who, why, back=back)
    say(f"{clean(row.name)} {'plays again' if back else 'is no longer paired'}.")
    if not back and (paired := desk.paired_with(tournament, row.number)):
        note(
            f"Game {paired} is paired and not offered yet. With `pbem umpire offer` the opponent gets the point; to "
            f"pair anew first: pbem umpire adjust {tournament}"
        )
    return entrant_shown(row)


@umpire_command.command(
    "replace",
    short_help="Give an entrant another card: a new key, or a substitute.",
    examples=('pbem umpire replace cup "Bob Silva" bob-new.pbem --why "New key"',),
)
@tournament_argument
@click.argument("who", metavar="ENTRANT")
@click.argument("card", metavar="CARD")
@click.option("--why", required=True, help="The reason, which is kept.")
def replace_command(tournament: str, who: str, card: str, why: str) -> EntrantShown:
    """Replace an entrant, or an entrant's lost key, from the next round on. For a running game: pbem umpire rule ...
    substitute."""
    want_extra()
    from pbem.umpire import UmpireError
    from pbem.umpire.entrants import cards_in

    found = cards_in(read_input(card, 1 << 20), card)
    if len(found) != 1:
        raise UmpireError("E-UMPIRE-ENTRANTS", f"{card} holds {len(found)} cards; it must hold exactly one.")
    row = open_umpire().replace_card(tournament, who, found[0], why)
    say(f"Entrant {row.number} is {clean(row.name)} now.")
    return entrant_shown(row)
