"""`pbem games`, `new`, `join`, `decline`: which games there are to play, and how one is offered and accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import MAX_OPEN, command, game_argument, games_installed, open_game, open_home, read_input, shown
from pbem.cli.phrases import Acted, Delivery, Refused, acted, delivery, say_owed
from pbem.cli.run import refused
from pbem.cli.terminal import clean, note, say, say_table
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DATA_FILE, MAX_SILENCE, MIN_SILENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.definition import Game, OptionValue
    from pbem.home import Home
    from pbem.protocol.canonical import Plain
    from pbem.schema import Count


class ScenarioShown(NamedTuple):
    """A scenario of a game."""

    about: str
    name: str
    title: str


class SeatShown(NamedTuple):
    """A seat of a game, and the side that it is on."""

    name: str
    side: str
    title: str


class OptionShown(NamedTuple):
    """An option of a game; its first value is the default."""

    name: str
    title: str
    values: tuple[str | int | bool, ...]


class GameShown(NamedTuple):
    """An installed game."""

    behaviour: Count
    bots: tuple[str, ...]
    name: str
    options: tuple[OptionShown, ...]
    rules: str
    scenarios: tuple[ScenarioShown, ...]
    seats: tuple[SeatShown, ...]
    title: str

    @classmethod
    def of(cls, game: Game[Any]) -> GameShown:
        return shown(
            cls,
            game,
            bots=tuple(sorted(game.bots)),
            options=tuple(shown(OptionShown, each) for each in game.options),
            scenarios=tuple(shown(ScenarioShown, each) for each in game.scenarios),
            seats=tuple(shown(SeatShown, each) for each in game.seats),
        )


class Installed(NamedTuple):
    """The games that are installed, and why others cannot be loaded."""

    broken: tuple[Refused, ...]
    games: tuple[GameShown, ...]

    @property
    def failed(self) -> bool:
        return bool(self.broken)


@command(
    "games",
    short_help="Show the games that are installed, their scenarios and rules.",
    examples=("pbem games", "pbem games bridgehead", "pbem games bridgehead --rules", "pbem games --json"),
)
@click.argument("name", metavar="[GAME]", required=False, shell_complete=games_installed)
@click.option("--rules", is_flag=True, help="Print the page that explains how the game is played here.")
def games_command(name: str | None, rules: bool) -> Installed:
    """Show the installed games: seats, scenarios, options, and where the rules are."""
    from pbem.engine import registry

    found, broken = [], []
    for each in (registry.named(name),) if name else registry.names():
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
    return Installed(tuple(map(Refused.of, broken)), tuple(map(GameShown.of, found)))


def rules_page(name: str) -> str:
    """The README beside the game's module."""
    from importlib import import_module
    from pathlib import Path

    from pbem.engine import registry

    page = Path(import_module(registry.module(name)).__file__ or "").with_name("README.md")
    return page.read_text(encoding="utf-8") if page.is_file() else f"{name} has no page of its own."


def say_game(game: Game[Any]) -> None:
    say(f"{game.title} ({game.name}), rules {game.rules}", style="bold")
    say("Seats")
    say_table(
        [(each.name, each.title, *([f"side {each.side}"] if each.side != each.name else [])) for each in game.seats],
        indent="  ",
    )
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


def seconds_of(text: str, option: str) -> int:
    """`3d`, `36h`, `90m`, `3d12h`."""
    from pbem.umpire import UmpireError
    from pbem.umpire.terms import seconds

    try:
        return seconds(text.strip())
    except UmpireError as error:
        raise click.UsageError(f"{option}: {error.sentence}") from None


def days_of(text: str) -> int:
    """`sat,sun` as bits, Monday the first."""
    from pbem.umpire.terms import DAYS

    bits = 0
    for day in map(str.strip, text.split(",")):
        if day.casefold()[:3] not in DAYS:
            raise click.UsageError(f"--days-off names days of the week such as sat,sun, not {day!r}.")
        bits |= 1 << DAYS.index(day.casefold()[:3])
    return bits


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The terms of an offer, by a player or by an umpire."""
    options = (
        click.option("--scenario", help="One of the game's scenarios (default: its first)."),
        click.option(
            "--seat", "seats", multiple=True, metavar="SEAT=WHO",
            help="WHO is a contact, anyone, or (if you are a player) me. Repeat for each seat.",
        ),
        click.option(
            "--mode",
            type=click.Choice(("strict", "umpire", "open")),
            default="strict",
            show_default=True,
            help="How dice are rolled. strict: by the players' programs together; umpire: the umpire's program takes "
            "part, and deals the cards (only an umpire can offer it); open: anyone can look ahead.",
        ),
        click.option(
            "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game. Repeatable."
        ),
        click.option(
            "--data", "files", multiple=True, metavar="NAME=FILE",
            help="Your own data file in place of the game's. Repeatable.",
        ),
        click.option("--title", default="", help="A title for this game, shown to all players."),
        click.option(
            "--days", type=click.IntRange(0, 365), default=0, help="Days for each move, such as 3 (0: no clock)."
        ),
        click.option(
            "--bank", default="", metavar="TIME", help="Extra time for the whole game, for each player: 3d, 36h, 90m."
        ),
        click.option(
            "--days-off", default="", metavar="DAYS", help="Days of the week (in UTC) on which no clock runs: sat,sun."
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
    "--preset", metavar="NAME", help="Start with this preset of standing orders (see pbem standing GAME --presets)."
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
@click.argument("game", metavar="GAME", shell_complete=games_installed)
@game_options
@click.option("--umpire", metavar="CONTACT", hidden=True)
@click.option(
    "--silence",
    type=click.IntRange(0, MAX_SILENCE),
    metavar="DAYS",
    help="Days between a claim (pbem claim) and a forfeit: 3 to 366 (0: no forfeits; default: 30).",
)
@click.option("--as", "identity", metavar="WHO", help="Play as this identity of yours.")
@preset_option
@delivery
def new_command(
    game: str,
    umpire: str | None,
    silence: int | None,
    identity: str | None,
    how: Delivery,
    preset: str | None,
    **asked: Any,
) -> Acted:
    """Offer a game. The offer is written to the outbox; mail it to the other players. `pbem games GAME` shows its
    seats, scenarios and options.

    A solo game (--mode open, and every seat is me) starts at once. If you want an umpire, ask one to offer the game
    (pbem umpire new).
    """
    from pbem.home import offers, orders, summary

    if umpire is not None:
        from pbem.home.offers import NO_UMPIRE

        raise Refusal("E-OFFER", NO_UMPIRE)
    if silence is not None and 0 < silence < MIN_SILENCE:
        raise click.UsageError(f"--silence is 0, for no forfeits, or {MIN_SILENCE} to {MAX_SILENCE} days.")
    from pbem.engine import registry

    game = registry.named(game)
    if preset is not None:
        from pbem.home.orders import find_preset

        find_preset(registry.find(game), preset)
    home = open_home()
    name, posted = offers.offer(home, game, identity=identity, silence=silence, **game_terms(game, **asked))
    if preset is not None:
        orders.set_preset(home, name, None, preset)
    answer = acted(name, posted, how)
    note_own_files(home, name)
    if posted is None:
        say_owed(name, summary.row(home, name).owed)
    ask_for_backup(home, name)
    return answer


def note_own_files(home: Home, name: str) -> None:
    """Both players see what differs from the game's own data: who offers it, and who joins."""
    from pbem.home import describe

    for text in describe.own_files(home.load(name)):
        note(text)


def ask_for_backup(home: Home, name: str) -> None:
    """With the first game that is played with others."""
    from pbem.home import offers

    offer = offers.first(home, name)
    if offer is None:
        return
    note("This is your first game with others. Back up your key, and write the recovery phrase on paper: pbem backup")
    if offer.umpire is not None or len(offer.players) > 2:
        note("With the phrase and the backup you can continue on another computer.")
        return
    end = "your opponent wins by forfeit" if offer.silence else "the game never ends"
    note(
        f"If you lose both key and phrase, you cannot go on, and {end}. Only an umpire can let you in again: if that "
        "worries you, ask one to offer the game (pbem umpire new)."
    )


@command(
    "join",
    short_help="Accept an offer, enter a tournament, or offer to take over from a player.",
    examples=(
        "pbem join bridgehead-7f3a",
        "pbem join bridgehead-7f3a --once",
        "pbem join bridgehead-7f3a --as 'Alice Kern'",
        "pbem join game.pbem --instead-of bob",
    ),
)
@game_argument
@click.option("--as", "identity", metavar="WHO", help="Join as this identity of yours.")
@click.option(
    "--once", is_flag=True, help="In a tournament: accept this offer only, and be asked again in later rounds."
)
@click.option(
    "--instead-of",
    "player",
    metavar="WHO",
    help="Offer to take over from this player; GAME is then an archive of the game.",
)
@preset_option
@delivery
def join_command(
    game: str,
    identity: str | None,
    once: bool,
    player: str | None,
    how: Delivery,
    preset: str | None,
) -> Acted:
    """Accept an offer that you have opened. Your program never answers one offer in two different ways.

    If GAME belongs to a tournament, you enter the tournament: your program accepts the umpire's later offers
    automatically, unless you add --once. To leave it: pbem decline GAME --tournament

    With --instead-of, GAME is the archive of a running game. Mail the file that is written to the umpire or, without
    one, to all other players. They then rule: pbem rule GAME substitute
    """
    from pbem.home import offers, orders, summary

    home = open_home()
    if player is not None:
        name, posted = offers.stand_in(home, read_input(game, MAX_OPEN), player, identity)
        answer = acted(name, posted, how)
        note(
            "The umpire, or each of the other players, should not open this file but run: "
            f"pbem rule GAME substitute --player {player} --file FILE"
        )
        return answer
    name = summary.find(home, game)
    if preset is not None:
        orders.set_preset(home, name, None, preset)
    answer = acted(name, offers.join(home, name, identity, once=once), how)
    note_own_files(home, name)
    place = summary.row(home, name).tournament
    if place is None:
        ask_for_backup(home, name)
    elif not once:
        note(
            f"You are in {clean(place.title)}: your program accepts its later offers automatically. To leave: "
            f"pbem decline {name} --tournament"
        )
    return answer


@command(
    "decline",
    short_help="Decline an offer, leave a tournament, or withdraw your own offer.",
    examples=(
        'pbem decline bridgehead-7f3a --why "No time in May"',
        "pbem decline bridgehead-7f3a",
        "pbem decline bridgehead-7f3a --tournament",
    ),
)
@game_argument
@click.option("--why", default="", help="A sentence for the person who made the offer.")
@click.option(
    "--tournament",
    is_flag=True,
    help="Leave the tournament that GAME belongs to. Games that have started go on.",
)
@delivery
def decline_command(game: str, why: str, tournament: bool, how: Delivery) -> Acted:
    """Decline an offer that you have opened. If the offer is your own and nobody has started the game, it is withdrawn
    for good.

    With --tournament you leave the tournament that GAME belongs to, and your program accepts no more of its offers.
    Your answer tells the umpire so; if you have already answered this offer, the answer to the next one does.
    """
    from pbem.home import offers

    home, name = open_game(game)
    posted = offers.decline(home, name, why, tournament=tournament)
    answer = acted(name, posted, how)
    if tournament and posted is None:
        note("You have already answered this offer. Your program will decline the next one, which tells the umpire.")
    return answer
