"""`pbem resign`, `tie`, `takeback`, `claim`, `rule`, `rekey`, `migrate`: what players agree on or declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import command, game_argument, make_sure, open_game, read_input, yes_option
from pbem.cli.offering import pairs
from pbem.cli.phrases import Acted, Delivery, acted, delivery
from pbem.cli.terminal import before_asking, clean, say
from pbem.home import acts
from pbem.protocol.limits import MAX_FILE

if TYPE_CHECKING:
    from pbem.home.describe import Undone

SHOWN = 40
RULINGS = ("forfeit", "adjudge", "extension", "substitute", "branch", "escrow", "rekey")


def reply(function: Callable[..., Any]) -> Callable[..., Any]:
    """The option pair with which the others answer a proposal."""
    return click.option("--accept/--refuse", "answer", default=None, help="Answer what another player proposed.")(
        function
    )


@command("resign", short_help="Give up a game.", examples=("pbem resign bridgehead-7f3a --yes",))
@game_argument
@click.option("--seat", "seats", multiple=True, help="Only this seat of yours (default: all).")
@yes_option
@delivery
def resign_command(game: str, seats: tuple[str, ...], sure: bool, how: Delivery) -> Acted:
    """Give up. You lose by forfeit, as the rules of the game say; the check for cheating still takes place."""
    home, name = open_game(game)
    make_sure(f"Resign from {name}?", sure)
    return acted(name, acts.resign(home, name, seats), how)


@command(
    "tie",
    short_help="Offer a draw, or answer one.",
    examples=("pbem tie bridgehead-7f3a", "pbem tie bridgehead-7f3a --accept"),
)
@game_argument
@reply
@delivery
def tie_command(game: str, answer: bool | None, how: Delivery) -> Acted:
    """Offer a draw, or answer such an offer. The offer lapses as soon as anybody seals orders."""
    home, name = open_game(game)
    posted = acts.tie(home, name) if answer is None else acts.answer(home, name, "tie", answer)
    return acted(name, posted, how)


@command(
    "takeback",
    short_help="Propose going back to an earlier point, or answer a proposal.",
    examples=(
        "pbem takeback bridgehead-7f3a",
        "pbem takeback bridgehead-7f3a --to blue:12 --yes",
        "pbem takeback bridgehead-7f3a --accept",
    ),
)
@game_argument
@click.option(
    "--to", "target", metavar="RECORD", help="Back to before this record, as `pbem log` names it (default: your last)."
)
@reply
@yes_option
@delivery
def takeback_command(
    game: str,
    target: str | None,
    answer: bool | None,
    sure: bool,
    how: Delivery,
) -> Acted:
    """Propose that the game goes back to the point before a record, or answer such a proposal. All other players must
    agree. The proposal lapses as soon as anybody seals orders.

    If your program still has to supply dice, they are sent along. If dice have become known since the proposal,
    everybody must agree once more, so that nobody decides about dice that they alone have seen.

    Before you propose or accept, you are shown what would be undone: records, orders, dice and cards. Then you are
    asked for confirmation; a script says --yes. Players still know what they have seen since.
    """
    if target and answer is not None:
        raise click.UsageError("--to makes a proposal, --accept and --refuse answer one: use only one of them.")
    home, name = open_game(game)
    if answer is not False:
        undone = acts.takeback_preview(home, name, target) if answer is None else acts.takeback_proposed(home, name)
        with before_asking():
            say_takeback(undone)
        make_sure("Propose to go back?" if answer is None else "Agree to go back?", sure)
    posted = acts.takeback(home, name, target) if answer is None else acts.answer(home, name, "takeback", answer)
    return acted(name, posted, how)


def say_takeback(undone: Undone) -> None:
    say(f"Going back {clean(undone.way)}.")
    say(f"This undoes {clean(undone.sum)}.", style="wait")
    for line in undone.happened[-SHOWN:]:
        say(f"  {clean(line)}")
    if len(undone.happened) > SHOWN:
        say(f"  ... these are the last {SHOWN} of {len(undone.happened)} lines of what happened since.")


@command(
    "claim",
    short_help="Put on record that another player has not answered.",
    examples=("pbem claim bridgehead-7f3a",),
)
@game_argument
@delivery
def claim_command(game: str, how: Delivery) -> Acted:
    """In a game without an umpire, put on record what the game is waiting for.

    If that is still missing after the days that the offer states (pbem new --silence), the other players may declare a
    forfeit: pbem rule GAME forfeit. The claim ends as soon as what is missing arrives.
    """
    home, name = open_game(game)
    return acted(name, acts.claim(home, name), how)


@command(
    "rule",
    short_help="Make a ruling, as the umpire or together with all other players.",
    examples=(
        "pbem rule bridgehead-7f3a forfeit --seat red --why 'No answer since May'",
        "pbem rule bridgehead-7f3a adjudge --winner blue --why 'Time is up: position of turn 9'",
        "pbem rule bridgehead-7f3a extension --player bob --days 14",
        "pbem rule bridgehead-7f3a branch --keep 5be1 --drop 90c4",
        "pbem rule bridgehead-7f3a escrow --why 'Bob cannot be reached'",
    ),
)
@game_argument
@click.argument("what", type=click.Choice(RULINGS))
@click.option("--seat", "seats", multiple=True, help="forfeit: the seats that lose.")
@click.option("--winner", metavar="SEAT", help="adjudge: a seat or side that wins.")
@click.option("--draw", is_flag=True, help="adjudge: nobody wins.")
@click.option("--score", "scores", multiple=True, metavar="WHO=POINTS", help="adjudge: for a seat or side. Repeatable.")
@click.option("--player", metavar="WHO", help="extension, substitute, rekey: the player concerned.")
@click.option("--days", type=click.IntRange(1, 365), help="extension: how many more days.")
@click.option("--keep", metavar="RECORD", help="branch: the record that counts.")
@click.option("--drop", metavar="RECORD", help="branch: the one that does not.")
@click.option(
    "--file",
    "file",
    metavar="FILE",
    help="substitute, rekey: the file that the new player, or the new key, sent.",
)
@click.option("--why", default="", help="The reason, which everybody can read.")
@yes_option
@delivery
def rule_command(
    game: str,
    what: str,
    seats: tuple[str, ...],
    winner: str | None,
    draw: bool,
    scores: tuple[str, ...],
    player: str | None,
    days: int | None,
    keep: str | None,
    drop: str | None,
    file: str | None,
    why: str,
    sure: bool,
    how: Delivery,
) -> Acted:
    """Make a ruling. An umpire's ruling holds at once; without an umpire, all players but the one concerned must make
    the same ruling. In a game of two without an umpire, only forfeit, extension and branch are possible.

    forfeit: these seats lose (--seat; without an umpire, after pbem claim).

    adjudge: the umpire decides the result (--winner, --draw, --score).

    extension: a player gets more time on the clock (--player, --days).

    substitute: another person takes a player's place (--player, --file).

    branch: of two conflicting records, one counts (--keep, --drop).

    escrow: the umpire reveals dice in place of a player.

    rekey: a player who has lost their key gets a new one (--player, --file).
    """
    needed = {
        "forfeit": (("--seat", seats),),
        "adjudge": (("--winner or --draw", bool(winner) != draw),),
        "extension": (("--player", player), ("--days", days)),
        "substitute": (("--player", player), ("--file", file)),
        "branch": (("--keep", keep), ("--drop", drop)),
        "escrow": (),
        "rekey": (("--player", player), ("--file", file)),
    }[what]
    missing = [option for option, value in needed if not value]
    if missing:
        raise click.UsageError(f"A ruling `{what}` needs {' and '.join(missing)}.")
    home, name = open_game(game)
    make_sure(f"Rule `{what}` in {name}?", sure)
    posted = acts.rule(
        home,
        name,
        what,
        why=why,
        seats=seats,
        player=player,
        seconds=(days or 0) * 86_400,
        keep=keep,
        drop=drop,
        raw=read_input(file, MAX_FILE) if file else None,
        winner=winner,
        scores=points(scores),
    )
    return acted(name, posted, how)


def points(scores: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for who, number in pairs(scores, "A score", "WHO=POINTS").items():
        if not number.removeprefix("-").isdigit() or not number.isascii():
            raise click.UsageError(f"A score is a whole number, not {number!r}.")
        found[who] = int(number)
    return found


@command(
    "rekey",
    short_help="Change your key in a game.",
    examples=("pbem rekey bridgehead-7f3a --to 'Alice (new)'", "pbem rekey bridgehead-7f3a --to alice2 --lost"),
)
@game_argument
@click.option("--to", "identity", required=True, metavar="WHO", help="The identity of yours that takes over.")
@click.option("--lost", is_flag=True, help="The old key is lost: ask the umpire, or all other players, for a ruling.")
@yes_option
@delivery
def rekey_command(game: str, identity: str, lost: bool, sure: bool, how: Delivery) -> Acted:
    """Sign with another key from now on. Both keys sign the change, so the old one must not be lost (see --lost)."""
    home, name = open_game(game)
    make_sure(f"Change your key in {name}?", sure)
    posted = acts.rekey(home, name, identity, lost=lost)
    return acted(name, posted, how)


@command(
    "migrate",
    short_help="Propose to continue under newer rules, or answer a proposal.",
    examples=("pbem migrate bridgehead-7f3a", "pbem migrate bridgehead-7f3a --accept"),
)
@game_argument
@reply
@delivery
def migrate_command(game: str, answer: bool | None, how: Delivery) -> Acted:
    """Propose to continue under the rules that are installed now, or answer such a proposal. All players must agree."""
    home, name = open_game(game)
    posted = acts.migrate(home, name) if answer is None else acts.answer(home, name, "migrate", answer)
    return acted(name, posted, how)
