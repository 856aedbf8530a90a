"""`pbem games`, `new`, `join`, `decline`, `list`, `status`: which games there are and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli.called import call_stage, called_for, open_calls, say_call, say_entered
from pbem.cli.clocks import days_of, seconds_of
from pbem.cli.common import MAX_OPEN, command, game_argument, json_option, open_desk, read_input
from pbem.cli.deliver import deliver, delivery
from pbem.cli.out import note, say, say_json, say_table
from pbem.cli.run import DONE, REFUSED, refused
from pbem.cli.show import call_json, owed_line, posted_json, row_json, say_owed, say_stuck
from pbem.cli.text import clean
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DATA_FILE, MAX_SILENCE, MIN_SILENCE

if TYPE_CHECKING:
    from pbem.engine.game import Game, OptionValue
    from pbem.protocol.canonical import Plain
    from pbem.table.desk import Desk
    from pbem.table.values import GameRow, Posted


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


@command(
    "new",
    short_help="Offer a game.",
    examples=(
        "pbem new bridgehead --seat blue=me --seat red=bob",
        "pbem new bridgehead --scenario counterstroke --seat blue=me --seat red=anyone",
        "pbem new bridgehead --mode umpire --umpire carla --seat blue=me --seat red=bob",
        "pbem new bridgehead --days 3 --bank 10d --days-off sat,sun --seat blue=me --seat red=bob",
        "pbem new bridgehead --mode open --seat blue=me --seat red=me",
        "pbem new bridgehead --data cards=my-cards.toml --seat blue=me --seat red=bob",
    ),
)
@click.argument("game", metavar="GAME")
@click.option("--scenario", help="One of the game's scenarios (default: its first).")
@click.option(
    "--seat", "seats", multiple=True, metavar="SEAT=WHO", help="WHO is me, a contact, or anyone. Repeat for each seat."
)
@click.option(
    "--mode",
    type=click.Choice(("strict", "umpire", "open")),
    default="strict",
    show_default=True,
    help="How chance is made.",
)
@click.option(
    "--umpire", metavar="CONTACT", help="Who rules on disputes and, in mode umpire, deals and makes the dice."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game. Repeatable.")
@click.option(
    "--data",
    "files",
    multiple=True,
    metavar="NAME=FILE",
    help="Your own data file in place of the game's. Repeatable.",
)
@click.option("--title", default="", help="A name for this game, for you both.")
@click.option("--days", type=click.IntRange(0, 365), default=0, help="Days that a move should take at most (0: none).")
@click.option("--bank", default="", metavar="TIME", help="Time beyond that which each player has once: 3d, 36h, 90m.")
@click.option("--days-off", default="", metavar="DAYS", help="Days on which no clock runs, in UTC: sat,sun.")
@click.option(
    "--silence",
    type=click.IntRange(0, MAX_SILENCE),
    metavar="DAYS",
    help="Without an umpire: days between a claim and a forfeit, 3 to 366 (0: no forfeits; default: 30).",
)
@click.option("--as", "identity", metavar="WHO", help="Play as this identity of yours.")
@delivery
@json_option
def new_command(
    game: str,
    scenario: str | None,
    seats: tuple[str, ...],
    mode: str,
    umpire: str | None,
    options: tuple[str, ...],
    files: tuple[str, ...],
    title: str,
    days: int,
    bank: str,
    days_off: str,
    silence: int | None,
    identity: str | None,
    armor: bool,
    eml: bool,
    output: str | None,
    as_json: bool,
) -> None:
    """Offer a game of GAME. The file is written to the outbox; mail it to the others.

    A game for one player alone (mode open, all seats me) starts at once.
    """
    from pbem.engine import registry

    if silence is not None and 0 < silence < MIN_SILENCE:
        raise click.UsageError(f"--silence is 0, for no forfeits, or {MIN_SILENCE} to {MAX_SILENCE} days.")
    desk = open_desk()
    chosen = option_values(registry.find(game), pairs(options, "An option")) if options else {}
    replaced = {kind: data_file(kind, file) for kind, file in pairs(files, "A data file", "NAME=FILE").items()}
    name, posted = desk.offer(
        game,
        scenario=scenario,
        seats=pairs(seats, "A seat", "SEAT=WHO"),
        mode=mode,
        umpire=umpire,
        options=chosen,
        title=title,
        move_seconds=days * 86_400,
        bank_seconds=seconds_of(bank, "--bank") if bank else 0,
        days_off=days_of(days_off) if days_off else 0,
        identity=identity,
        replaced=replaced or None,
        silence=silence,
    )
    show_posted(name, posted, armor=armor, eml=eml, output=output, as_json=as_json)
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
        f"die, the game {end}. If you want otherwise, name an umpire in the offer: pbem new --umpire CONTACT"
    )


def show_posted(name: str, posted: Posted | None, *, armor: bool, eml: bool, output: str | None, as_json: bool) -> None:
    if as_json:
        say_json({"game": name, "posted": posted_json(posted) if posted else None})
        return
    say(f"Game {name}.")
    deliver(posted, name, armor=armor, eml=eml, output=output)


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
@click.option("--once", is_flag=True, help="An umpire's call: accept this one, and be asked again in later rounds.")
@click.option(
    "--instead-of",
    "player",
    metavar="WHO",
    help="GAME is an archive: offer to go on for this player.",
)
@delivery
@json_option
def join_command(
    game: str,
    identity: str | None,
    once: bool,
    player: str | None,
    armor: bool,
    eml: bool,
    output: str | None,
    as_json: bool,
) -> None:
    """Accept an offer that you have opened; your program will not join a second time in another way.

    GAME may be the call of a tournament's umpire: then you enter the tournament, and your program accepts his later
    calls by itself, unless you say --once. pbem decline GAME --tournament ends that.

    With --instead-of, GAME is the file of a running game. What is written goes to the umpire, or to all others, for a
    ruling: pbem rule GAME substitute
    """
    desk = open_desk()
    if player is not None:
        name, posted = desk.stand_in(read_input(game, MAX_OPEN), player, identity)
        show_posted(name, posted, armor=armor, eml=eml, output=output, as_json=as_json)
        note(
            "The umpire, or each of the others, does not open the file but runs: "
            f"pbem rule GAME substitute --player {player} --file FILE"
        )
        return
    name = desk.called(game)
    call = desk.call_named(name)
    show_posted(name, desk.join(name, identity, once=once), armor=armor, eml=eml, output=output, as_json=as_json)
    if call is not None and not once and not as_json:
        say_entered(call)
    if call is None:
        ask_for_backup(desk, name, as_json=as_json)


@command(
    "decline",
    short_help="Decline an offer or a call, leave a tournament, or take back your own offer.",
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
    help="GAME is of a tournament: accept none of its later calls by itself. A game that has started goes on.",
)
@delivery
@json_option
def decline_command(
    game: str, why: str, tournament: bool, armor: bool, eml: bool, output: str | None, as_json: bool
) -> None:
    """Decline an offer, or an umpire's call, that you have opened.

    An offer of your own that has not started is taken back; if it answers a call, the umpire is told.
    """
    desk = open_desk()
    name = desk.called(game)
    if not tournament and desk.is_plain_offer(name):
        if why:
            raise click.UsageError(f"{name} is your own offer: nobody is told when it is taken back. Leave --why out.")
        desk.cancel(name)
        show_posted(name, None, armor=armor, eml=eml, output=output, as_json=as_json)
        return
    posted = desk.decline(name, why, tournament=tournament)
    show_posted(name, posted, armor=armor, eml=eml, output=output, as_json=as_json)


STUCK = "0 done; 1 refused, or your program cannot do what it owes in a game (`stuck`); 2 wrong usage."


@command("list", short_help="List your games.", examples=("pbem list", "pbem list --json"), exits=STUCK)
@json_option
@click.pass_context
def list_command(ctx: click.Context, as_json: bool) -> None:
    """List your games, one line each, and the calls of umpires whose games are not here yet."""
    desk = open_desk()
    rows, calls = desk.games(), desk.calls()
    if as_json:
        say_json({"calls": [call_json(call) for call in calls], "games": [row_json(row) for row in rows]})
        ctx.exit(REFUSED if any(row.stuck for row in rows) else DONE)
    lines = [(row.name, row.game, row.scenario, stage_of(row), row.moment) for row in rows]
    lines += [(call.name, call.game, call.scenario, call_stage(call), called_for(call)) for call in open_calls(calls)]
    if lines:
        say_table(lines)
    else:
        say("No games yet. Offer one: pbem games, then pbem new")
    if say_stuck(rows):
        ctx.exit(REFUSED)


def stage_of(row: GameRow) -> str:
    if row.fault:
        return row.fault
    if row.stuck:
        return "STUCK: your program cannot do what it owes"
    if row.restored and row.stage in ("offered", "invited", "waiting", "playing", "ending"):
        return "restored, signs nothing until it has caught up"
    return {
        "offered": "offered, waiting for answers",
        "invited": f"an offer to you: pbem join {row.name}",
        "waiting": "joined, waiting for the start",
        "playing": "YOUR MOVE" if row.my_move else "playing",
        "ending": f"over, being audited: {row.result}",
        "over": f"over: {row.result}",
        "out": f"put out: {row.result}",
        "standin": row.result,
        "declined": "declined",
        "cancelled": "cancelled",
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
    name = desk.called(game) if game else None
    calls = [call for call in desk.calls() if name in (None, call.name)]
    rows = [] if name and calls and calls[0].played_as is None else games_of(desk, name)
    if as_json:
        say_json({"calls": [call_json(call) for call in calls], "games": [row_json(row) for row in rows]})
        ctx.exit(REFUSED if any(row.stuck for row in rows) else DONE)
    if name and not rows:
        say_call(calls[0])
        return
    if not game:
        say_table(
            [
                (row.name, row.moment, stage_of(row), "; ".join(owed_line(owed) for owed in row.owed if not owed.mine))
                for row in rows
            ]
        )
        for row in rows:
            for text in (row.proposed, row.notice if row.stage != "over" else ""):
                if text:
                    say(f"! {row.name}: {clean(text)}", style="wait")
        stuck = say_stuck(rows)
        waiting = open_calls(calls)
        say_table([(call.name, called_for(call), call_stage(call)) for call in waiting])
        if not rows and not waiting:
            say("No games yet. Offer one: pbem games, then pbem new")
        ctx.exit(REFUSED if stuck else DONE)
    row = rows[0]
    say_table(
        [
            (f"{row.name}:", f"{row.game}, {row.scenario}" + (f', "{row.title}"' if row.title else "")),
            *([("Stands at:", row.moment)] if row.moment else []),
            ("State:", stage_of(row)),
        ]
    )
    if row.restored:
        say("Brought back from a backup: nothing is signed here until the game has caught up.", style="wait")
    for text in filter(None, (row.proposed, row.notice)):
        say(f"! {clean(text)}", style="wait")
    for said in (said for call in calls if call.stage == "closed" for said in call.answers if said.why):
        say(f"{clean(said.name)} says: {clean(said.why)}")
    say_owed(row.name, row.owed)
    if say_stuck(rows):
        ctx.exit(REFUSED)


def games_of(desk: Desk, name: str | None) -> list[GameRow]:
    return [desk.row(name)] if name else desk.games()
