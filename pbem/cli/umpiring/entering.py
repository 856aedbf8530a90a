"""`pbem umpire new`, `list`, `show`, `entrants`, `enter`, `withdraw`, `replace`: a tournament and who plays in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import check_readable, json_option, read_input
from pbem.cli.offering import game_options, game_terms, seconds_of
from pbem.cli.out import note, say, say_json, say_table, speaking
from pbem.cli.show import Delivery, acted, delivery
from pbem.cli.text import clean, plural
from pbem.cli.umpiring.shared import (
    csv_option,
    entrant_json,
    open_home,
    open_umpire,
    show_rows,
    tournament_argument,
    tournament_json,
    umpire_command,
    want_extra,
)
from pbem.home import offers
from pbem.home.describe import option
from pbem.schema import plain

if TYPE_CHECKING:
    from pbem.umpire.db.deskrows import TournamentRow
    from pbem.umpire.entrants import NewEntrant


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
@click.option("--until", default="", metavar="TIME", help="A game: how long it can be joined, 14d (default: always).")
@click.option(
    "--cards", metavar="DIR|CSV", help="A tournament: the players' cards, in a folder or named by a CSV file."
)
@click.option("--as", "who", metavar="WHO", help="The identity of yours that is the umpire.")
@delivery
@json_option
def new_command(
    terms: str,
    until: str,
    cards: str | None,
    who: str | None,
    how: Delivery,
    as_json: bool,
    **asked: Any,
) -> None:
    """Offer a single game as its umpire, or create a tournament from a TOML file and its players' cards.

    A game's seats are named (--seat); its file goes to the players, and it begins by itself when all have joined. It
    is taken back with: pbem decline GAME

    A tournament's terms are described in docs/umpire.md. A CSV file has the columns card (a file), rating, deviation.
    Players are seeded by rating.
    """
    if asked["seats"]:
        if cards is not None:
            raise click.UsageError("--seat offers a game, --cards creates a tournament: give one of them.")
        home = open_home()
        expires = home.clock() + seconds_of(until, "--until") if until else 0
        name, posted = offers.offer(
            home, terms, umpire=True, identity=who, expires=expires, **game_terms(terms, **asked)
        )
        with speaking("nowhere" if as_json else "aside" if how.output == "-" else "out"):
            answer = acted(name, posted, how)
        if as_json:
            say_json(plain(answer))
        return
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
    if as_json:
        say_json(
            {"entrants": [entrant_json(each) for each in desk.entrants(made.name)], "tournament": tournament_json(made)}
        )
        return
    say(f"{clean(made.terms.title)} is called {made.name} here: {plural(len(entrants), 'entrant')}.")
    note(f"Next: pbem umpire {f'pair {made.name}' if len(entrants) > 1 else f'enter {made.name} --cards DIR'}")


@umpire_command.command(
    "list", short_help="List the tournaments.", examples=("pbem umpire list", "pbem umpire list --json")
)
@json_option
@csv_option
def list_command(as_json: bool, as_csv: bool) -> None:
    """List the tournaments of this database, one line each."""
    rows = open_umpire().tournaments()
    show_rows(
        ("name", "title", "game", "format", "state"),
        [(row.name, row.terms.title, row.terms.game, row.terms.format, row.state) for row in rows],
        key="tournaments",
        values=lambda: [tournament_json(row) for row in rows],
        as_json=as_json,
        as_csv=as_csv,
        empty="No tournaments yet. Create one: pbem umpire new TOML --cards DIR",
    )


@umpire_command.command(
    "show", short_help="Show a tournament's terms.", examples=("pbem umpire show cup", "pbem umpire show cup --json")
)
@tournament_argument
@json_option
def show_command(tournament: str, as_json: bool) -> None:
    """Show the terms of a tournament and how far it is."""
    desk = open_umpire()
    row = desk.tournament(tournament)
    rounds = desk.rounds(row.name)
    count, planned = len(desk.entrants(row.name)), desk.planned(row.name)
    if as_json:
        say_json(
            {
                "entrants": count,
                "planned": planned,
                "rounds": [{"number": each.number, "state": each.state} for each in rounds],
                "tournament": tournament_json(row),
            }
        )
        return
    so_far = "; ".join(f"round {each.number} {each.state}" for each in rounds) or "no round yet"
    say_table(_facts(row, count, planned, so_far))


def _facts(row: TournamentRow, entrants: int, planned: int, rounds: str) -> list[tuple[str, str]]:
    terms = row.terms
    clock = terms.clock
    options = ", ".join(option(*each) for each in sorted(terms.options.items()))
    times = f"{span(clock.move)} a move, bank {span(clock.bank)}" if clock.move else "no clock"
    return [
        ("Title:", terms.title),
        ("Game:", f"{terms.game}, {terms.scenario}{f', {options}' if options else ''}; dice: {terms.mode}"),
        (
            "Format:",
            f"{terms.format}{', mirrored pairs' if terms.mirrored else ''}, {plural(planned, 'round')}; first side "
            f"{terms.sides[0]}",
        ),
        *((f"Data, {kind}:", f"the umpire's own, {digest}") for kind, digest in terms.pins.items()),
        ("Clock:", f"{times}; offers wait {span(clock.accept)}"),
        (
            "Keeper:",
            f"on a flag {terms.keeper.on_flag}, no show {terms.keeper.no_show}, grace {span(terms.keeper.grace)}",
        ),
        ("Standings:", ", ".join(terms.standings)),
        ("Entrants:", str(entrants)),
        ("State:", f"{row.state}: {rounds}"),
    ]


def span(seconds: int) -> str:
    """`3d`, `1d12h`, as the terms write it."""
    parts = []
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0"


@umpire_command.command(
    "entrants",
    short_help="List the entrants, for the umpire's eyes.",
    examples=("pbem umpire entrants cup", "pbem umpire entrants cup --csv", "pbem umpire entrants cup --addresses"),
)
@tournament_argument
@click.option("--addresses", is_flag=True, help="With the players' mail addresses. They are in no other list.")
@json_option
@csv_option
def entrants_command(tournament: str, addresses: bool, as_json: bool, as_csv: bool) -> None:
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
        key="entrants",
        values=lambda: [entrant_json(row) | ({"address": mails[row.number]} if addresses else {}) for row in rows],
        as_json=as_json,
        as_csv=as_csv,
    )


@umpire_command.command(
    "enter",
    short_help="Take in more players.",
    examples=("pbem umpire enter cup --cards late/",),
)
@tournament_argument
@click.option("--cards", metavar="DIR|CSV", required=True, help="The players' cards.")
@json_option
def enter_command(tournament: str, cards: str, as_json: bool) -> None:
    """Take more players in. They are seeded after those who are there."""
    want_extra()
    rows = open_umpire().enter(tournament, cards_at(cards))
    if as_json:
        say_json({"entrants": [entrant_json(row) for row in rows]})
    else:
        say(f"{plural(len(rows), 'entrant')} now.")


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
@click.option("--back", is_flag=True, help="He plays again.")
@json_option
def withdraw_command(tournament: str, who: str, why: str, back: bool, as_json: bool) -> None:
    """Pair a player no more, or, with --back, again. Their running games go on until you rule on them."""
    desk = open_umpire()
    row = desk.take_back(tournament, who, why) if back else desk.withdraw(tournament, who, why)
    if as_json:
        say_json(entrant_json(row))
    else:
        say(f"{clean(row.name)} {'plays again' if back else 'is paired no more'}.")
        if not back and (paired := desk.paired_with(tournament, row.number)):
            note(
                f"Game {paired} is paired and not offered yet. At `pbem umpire offer` its opponent gets the point; to "
                f"pair anew: pbem umpire adjust {tournament}"
            )


@umpire_command.command(
    "replace",
    short_help="Give an entrant another card: a new key, or a substitute.",
    examples=('pbem umpire replace cup "Bob Silva" bob-new.pbem --why "New key"',),
)
@tournament_argument
@click.argument("who", metavar="ENTRANT")
@click.argument("card", metavar="CARD")
@click.option("--why", required=True, help="The reason, which is kept.")
@json_option
def replace_command(tournament: str, who: str, card: str, why: str, as_json: bool) -> None:
    """From the next round on, an entrant has another card. For a game that runs: pbem umpire rule ... substitute."""
    want_extra()
    from pbem.umpire.entrants import cards_in
    from pbem.umpire.umpireerror import UmpireError

    found = cards_in(read_input(card, 1 << 20), card)
    if len(found) != 1:
        raise UmpireError("E-UMPIRE-ENTRANTS", f"{card} holds {len(found)} cards; one is wanted.")
    row = open_umpire().replace_card(tournament, who, found[0], why)
    if as_json:
        say_json(entrant_json(row))
    else:
        say(f"Entrant {row.number} is {clean(row.name)} now.")
