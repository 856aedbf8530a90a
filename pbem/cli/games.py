"""`pbem games`, `new`, `join`, `decline`, `list`, `status`: which games there are and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import MAX_OPEN, command, game_argument, json_option, open_desk, read_input
from pbem.cli.deliver import Delivery, delivery, show_posted
from pbem.cli.out import note, say, say_json, say_table
from pbem.cli.run import DONE, REFUSED, refused
from pbem.cli.show import owed_line, row_json, say_owed, say_stuck, when
from pbem.cli.text import clean, plural
from pbem.cli.times import days_of, seconds_of
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DATA_FILE, MAX_SILENCE, MIN_SILENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.definition import Game, OptionValue
    from pbem.protocol.canonical import Plain
    from pbem.table.desk import Desk
    from pbem.table.values import GameRow


@command(
    "games",
    short_help="Show the games that are installed, their scenarios and rules.",
    examples=("pbem games", "pbem games bridgehead", "pbem games bridgehead --rules", "pbem games --json"),
    exits="0 done, 1 a game cannot be loaded (the others are shown), 2 wrong usage.",
)
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--rules", is_flag=True, help="Print the page that tells how to play the game here.")
@json_option
@click.pass_context
def games_command(ctx: click.Context, name: str | None, rules: bool, as_json: bool) -> None:
    """Show the installed games: seats, scenarios, options, and where the rules are."""
    from pbem.engine import registry

    found, broken = [], []
    for each in (name,) if name else registry.names():
        try:
            found.append(registry.find(each))
        except Refusal as refusal:
            if name:
                raise
            broken.append(refusal)
    if rules:
        if not name:
            raise click.UsageError("Name the game whose rules you want: pbem games GAME --rules")
        say(rules_page(found[0].name))
    elif as_json:
        say_json({"games": [game_json(game) for game in found]})
    elif name:
        say_game(found[0])
    elif not found:
        say("No game is installed.")
    else:
        say_table(
            [
                (game.name, game.title, f"rules {game.rules}", ", ".join(each.name for each in game.scenarios))
                for game in found
            ]
        )
    for fault in broken:
        refused(fault.code, fault.sentence)
    if broken:
        ctx.exit(REFUSED)


def rules_page(name: str) -> str:
    """The README beside the game's module."""
    from importlib import import_module
    from pathlib import Path

    from pbem.engine import registry

    page = Path(import_module(registry.module(name)).__file__ or "").with_name("README.md")
    return page.read_text(encoding="utf-8") if page.is_file() else f"{name} has no page of its own."


def game_json(game: Game[Any]) -> dict[str, Any]:
    return {
        "behaviour": game.behaviour,
        "bots": sorted(game.bots),
        "name": game.name,
        "options": [{"name": each.name, "title": each.title, "values": list(each.values)} for each in game.options],
        "rules": game.rules,
        "scenarios": [{"about": each.about, "name": each.name, "title": each.title} for each in game.scenarios],
        "seats": [{"name": each.name, "side": each.side, "title": each.title} for each in game.seats],
        "title": game.title,
    }


def say_game(game: Game[Any]) -> None:
    say(f"{game.title} ({game.name}), rules {game.rules}, behaviour {game.behaviour}", style="bold")
    say("Seats")
    say_table([(each.name, each.title, f"side {each.side}") for each in game.seats], indent="  ")
    say("Scenarios")
    say_table([(each.name, each.title, each.about) for each in game.scenarios], indent="  ")
    if game.options:
        say("Options (the first value is the default)")
        say_table(
            [(each.name, each.title, ", ".join(each.words)) for each in game.options],
            indent="  ",
        )
    if game.bots:
        say(f"Bots: {', '.join(sorted(game.bots))}")
    say(f"Rules page: pbem games {game.name} --rules")


def pairs(values: tuple[str, ...], what: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """`KEY=VALUE` options as a dict; `form` is how they are written."""
    found: dict[str, str] = {}
    for value in values:
        key, mark, rest = value.partition("=")
        if not mark or not key or not rest:
            raise click.UsageError(f"{what} is written {form}, not {value!r}.")
        if key in found:
            raise click.UsageError(f"{what} {key!r} is given twice.")
        found[key] = rest
    return found


_SAME = {"true": "yes", "on": "yes", "false": "no", "off": "no"}


def option_values(game: Game[Any], typed: dict[str, str]) -> dict[str, OptionValue]:
    """What is typed for options as values; what an option cannot be stays as it is, to be refused by the game."""
    words = {option.name: option.words for option in game.options}
    found: dict[str, OptionValue] = {}
    for name, text in typed.items():
        values = words.get(name, {})
        found[name] = values.get(text, values.get(_SAME.get(text, text), text))
    return found


def data_file(kind: str, name: str) -> Plain:
    """A player's own data file, held against its schema."""
    from pbem.kit.datafile import read_data_file

    return read_data_file(kind, read_input(name, MAX_DATA_FILE))


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What an offer of a game says, whoever makes it."""
    options = (
        click.option("--scenario", help="One of the game's scenarios (default: its first)."),
        click.option(
            "--seat", "seats", multiple=True, metavar="SEAT=WHO",
            help="WHO is me (not in an umpire's game), a contact, or anyone. Repeat for each seat.",
        ),
        click.option(
            "--mode",
            type=click.Choice(("strict", "umpire", "open")),
            default="strict",
            show_default=True,
            help="How chance is made (umpire: only an umpire can offer that).",
        ),
        click.option(
            "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game. Repeatable."
        ),
        click.option(
            "--data", "files", multiple=True, metavar="NAME=FILE",
            help="Your own data file in place of the game's. Repeatable.",
        ),
        click.option("--title", default="", help="A name for this game, for all of you."),
        click.option(
            "--days", type=click.IntRange(0, 365), default=0, help="Days that a move should take at most (0: none)."
        ),
        click.option(
            "--bank", default="", metavar="TIME", help="Time beyond that which each player has once: 3d, 36h, 90m."
        ),
        click.option(
            "--days-off", default="", metavar="DAYS", help="Days on which no clock runs, in UTC: sat,sun."
        ),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def game_terms(
    game: str,
    *,
    scenario: str | None,
    seats: tuple[str, ...],
    mode: str,
    options: tuple[str, ...],
    files: tuple[str, ...],
    title: str,
    days: int,
    bank: str,
    days_off: str,
) -> dict[str, Any]:
    """These options as the desk takes them."""
    from pbem.engine import registry

    chosen = option_values(registry.find(game), pairs(options, "An option")) if options else {}
    replaced = {kind: data_file(kind, file) for kind, file in pairs(files, "A data file", "NAME=FILE").items()}
    return {
        "scenario": scenario,
        "seats": pairs(seats, "A seat", "SEAT=WHO"),
        "mode": mode,
        "options": chosen,
        "title": title,
        "move_seconds": days * 86_400,
        "bank_seconds": seconds_of(bank, "--bank") if bank else 0,
        "days_off": days_of(days_off) if days_off else 0,
        "replaced": replaced or None,
    }


preset_option = click.option(
    "--preset", metavar="NAME", help="Begin with this preset of standing orders (pbem standing GAME --presets)."
)


@command(
    "new",
    short_help="Offer a game.",
    examples=(
        "pbem new bridgehead --seat blue=me --seat red=bob",
        "pbem new bridgehead --scenario counterstroke --seat blue=me --seat red=anyone",
        "pbem new bridgehead --days 3 --bank 10d --days-off sat,sun --seat blue=me --seat red=bob",
        "pbem new bridgehead --mode open --seat blue=me --seat red=me",
        "pbem new bridgehead --data cards=my-cards.toml --seat blue=me --seat red=bob",
    ),
)
@click.argument("game", metavar="GAME")
@game_options
@click.option("--umpire", metavar="CONTACT", hidden=True)
@click.option(
    "--silence",
    type=click.IntRange(0, MAX_SILENCE),
    metavar="DAYS",
    help="Days between a claim and a forfeit, 3 to 366 (0: no forfeits; default: 30).",
)
@click.option("--as", "identity", metavar="WHO", help="Play as this identity of yours.")
@preset_option
@delivery
@json_option
def new_command(
    game: str,
    umpire: str | None,
    silence: int | None,
    identity: str | None,
    how: Delivery,
    preset: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Offer a game of GAME. The file is written to the outbox; mail it to the others.

    A game for one player alone (mode open, all seats me) starts at once. A game with an umpire is offered by its
    umpire: ask them for it (pbem umpire new).
    """
    if umpire is not None:
        from pbem.table.offers import NO_UMPIRE

        raise Refusal("E-OFFER", NO_UMPIRE)
    if silence is not None and 0 < silence < MIN_SILENCE:
        raise click.UsageError(f"--silence is 0, for no forfeits, or {MIN_SILENCE} to {MAX_SILENCE} days.")
    if preset is not None:
        from pbem.engine import registry
        from pbem.table.moves import find_preset

        find_preset(registry.find(game), preset)
    desk = open_desk()
    name, posted = desk.offer(game, identity=identity, silence=silence, **game_terms(game, **asked))
    if preset is not None:
        desk.set_preset(name, None, preset)
    show_posted(name, posted, how, as_json=as_json)
    if posted is None and not as_json:
        say_owed(name, desk.row(name).owed)
    ask_for_backup(desk, name, as_json=as_json)


def ask_for_backup(desk: Desk, name: str, *, as_json: bool) -> None:
    """With the first game that is played with others."""
    offer = desk.first_offer(name)
    if offer is None or as_json:
        return
    note("This is your first game with others. Make a backup of your key, and write its phrase on paper: pbem backup")
    if offer.umpire is not None or len(offer.players) > 2:
        note("With phrase and backup you can play on at another computer.")
        return
    end = "ends when the other claims it and rules that you forfeit" if offer.silence else "never ends"
    note(
        "Between two players without an umpire nobody can give you your place back: if you lose key and phrase, or "
        f"die, the game {end}. If you want otherwise, ask an umpire to offer the game: pbem umpire new"
    )


@command(
    "join",
    short_help="Accept an offer or a tournament, or offer to take over a place.",
    examples=(
        "pbem join bridgehead-7f3a",
        "pbem join bridgehead-7f3a --once",
        "pbem join bridgehead-7f3a --as 'Alice Kern'",
        "pbem join game.pbem --instead-of bob",
    ),
)
@game_argument
@click.option("--as", "identity", metavar="WHO", help="Join as this identity of yours.")
@click.option("--once", is_flag=True, help="Of a tournament: accept this offer, and be asked again in later rounds.")
@click.option(
    "--instead-of",
    "player",
    metavar="WHO",
    help="GAME is an archive: offer to go on for this player.",
)
@preset_option
@delivery
@json_option
def join_command(
    game: str,
    identity: str | None,
    once: bool,
    player: str | None,
    how: Delivery,
    preset: str | None,
    as_json: bool,
) -> None:
    """Accept an offer that you have opened; your program will not join a second time in another way.

    GAME may be of a tournament: then you enter it, and your program accepts the umpire's later offers by itself,
    unless you say --once. pbem decline GAME --tournament ends that.

    With --instead-of, GAME is the file of a running game. What is written goes to the umpire, or to all others, for a
    ruling: pbem rule GAME substitute
    """
    desk = open_desk()
    if player is not None:
        name, posted = desk.stand_in(read_input(game, MAX_OPEN), player, identity)
        show_posted(name, posted, how, as_json=as_json)
        note(
            "The umpire, or each of the others, does not open the file but runs: "
            f"pbem rule GAME substitute --player {player} --file FILE"
        )
        return
    name = desk.find(game)
    if preset is not None:
        desk.set_preset(name, None, preset)
    show_posted(name, desk.join(name, identity, once=once), how, as_json=as_json)
    place = desk.row(name).tournament
    if place is None:
        ask_for_backup(desk, name, as_json=as_json)
    elif not once and not as_json:
        note(
            f"You are in {clean(place.title)}: your program accepts its later offers. It ends with: pbem decline "
            f"{name} --tournament"
        )


@command(
    "decline",
    short_help="Decline an offer, leave a tournament, or take back your own offer.",
    examples=(
        'pbem decline bridgehead-7f3a --why "No time in May"',
        "pbem decline bridgehead-7f3a",
        "pbem decline bridgehead-7f3a --tournament",
    ),
)
@game_argument
@click.option("--why", default="", help="A sentence for the one who offered.")
@click.option(
    "--tournament",
    is_flag=True,
    help="GAME is of a tournament: leave it, and tell its umpire. A game that has started goes on.",
)
@delivery
@json_option
def decline_command(game: str, why: str, tournament: bool, how: Delivery, as_json: bool) -> None:
    """Decline an offer that you have opened. An offer of your own that has not started is taken back for good.

    With --tournament you leave the tournament of GAME, and your program accepts none of its offers any more. Its umpire
    is told with your answer; if you have answered this offer before, with the answer to the next one.
    """
    desk = open_desk()
    name = desk.find(game)
    posted = desk.decline(name, why, tournament=tournament)
    show_posted(name, posted, how, as_json=as_json)
    if tournament and posted is None and not as_json:
        note("You have answered this offer before. Your program declines the next one, and tells the umpire with it.")


STUCK = "0 done; 1 refused, or your program cannot do what it owes in a game (`stuck`); 2 wrong usage."


@command("list", short_help="List your games.", examples=("pbem list", "pbem list --json"), exits=STUCK)
@json_option
@click.pass_context
def list_command(ctx: click.Context, as_json: bool) -> None:
    """List your games, one line each."""
    desk = open_desk()
    rows = desk.games()
    if as_json:
        say_json({"games": [row_json(row) for row in rows]})
        ctx.exit(REFUSED if any(row.stuck for row in rows) else DONE)
    lines = [(row.name, row.game, row.scenario, stage_of(row), row.moment or place_of(row)) for row in rows]
    if lines:
        say_table(lines)
    else:
        say("No games yet. Offer one: pbem games, then pbem new")
    if say_stuck(rows):
        ctx.exit(REFUSED)


def place_of(row: GameRow) -> str:
    """`Spring Cup, round 2, board 7`, of a game that has not begun."""
    place = row.tournament
    waits = place is not None and row.stage in ("offered", "invited", "waiting")
    return f"{place.title}, round {place.round}, board {place.board}" if place is not None and waits else ""


def stage_of(row: GameRow) -> str:
    if row.fault:
        return row.fault
    if row.stuck:
        return "STUCK: your program cannot do what it owes"
    if row.restored and row.stage in ("offered", "invited", "waiting", "playing", "ending"):
        return "restored, signs nothing until it has caught up"
    until = f", until {when(row.expires)}" if row.expires else ""
    return {
        "offered": "offered, waiting for answers",
        "invited": f"an offer to you{until}: pbem join {row.name}",
        "expired": "expired",
        "waiting": "joined, waiting for the start",
        "playing": "YOUR MOVE" if row.my_move else "playing",
        "ending": f"over, being audited: {row.result}",
        "over": f"over: {row.result}",
        "out": f"put out: {row.result}",
        "standin": row.result,
        "declined": "declined",
        "cancelled": "taken back",
    }[row.stage]


@command(
    "status",
    short_help="Say who owes what.",
    examples=("pbem status", "pbem status bridgehead-7f3a", "pbem status --json"),
    exits=STUCK,
)
@click.argument("game", metavar="[GAME]", required=False)
@json_option
@click.pass_context
def status_command(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """Say how your games stand: whose move it is, who owes what and since when."""
    desk = open_desk()
    rows = games_of(desk, desk.find(game) if game else None)
    if as_json:
        say_json({"games": [row_json(row) for row in rows]})
        ctx.exit(REFUSED if any(row.stuck for row in rows) else DONE)
    if not game:
        say_table(
            [
                (
                    row.name,
                    row.moment or place_of(row),
                    stage_of(row),
                    "; ".join(owed_line(owed) for owed in row.owed if not owed.mine),
                )
                for row in rows
            ]
        )
        for row in rows:
            for text in (row.proposed, row.notice if row.stage != "over" else ""):
                if text:
                    say(f"! {row.name}: {clean(text)}", style="wait")
        stuck = say_stuck(rows)
        if not rows:
            say("No games yet. Offer one: pbem games, then pbem new")
        ctx.exit(REFUSED if stuck else DONE)
    row = rows[0]
    say_table(
        [
            (f"{row.name}:", f"{row.game}, {row.scenario}" + (f', "{row.title}"' if row.title else "")),
            *([("Of:", place_of(row))] if place_of(row) else []),
            *([("Stands at:", row.moment)] if row.moment else []),
            ("State:", stage_of(row)),
            *_draft_line(desk, row),
        ]
    )
    if row.restored:
        say("Brought back from a backup: nothing is signed here until the game has caught up.", style="wait")
    for text in filter(None, (row.proposed, row.notice)):
        say(f"! {clean(text)}", style="wait")
    say_owed(row.name, row.owed)
    if say_stuck(rows):
        ctx.exit(REFUSED)


def _draft_line(desk: Desk, row: GameRow) -> list[tuple[str, str]]:
    """What is ordered and not sealed, and what is asked after it."""
    drafted = desk.drafted(row.name) if row.my_move else None
    if drafted is None or not drafted.lines:
        return []
    then = f"Then: {drafted.asks}" if drafted.asks else f"Seal it: pbem send {row.name}"
    return [("Draft:", f"{plural(len(drafted.lines), 'line')}, not sealed. {then}")]


def games_of(desk: Desk, name: str | None) -> list[GameRow]:
    return [desk.row(name)] if name else desk.games()
