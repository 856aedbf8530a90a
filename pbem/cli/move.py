"""`pbem legal`, `order`, `odds`, `look`, `draft`, `undo`, `standing`, `plan`, `bot`: a player's move."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import command, game_argument, open_game
from pbem.cli.phrases import (
    AS_IT_IS,
    File,
    deliver,
    say_owed,
    say_presets,
    say_questions,
    say_ready,
    say_standing,
)
from pbem.cli.terminal import clean, note, say
from pbem.engine.counts import many
from pbem.engine.notation import NotationError
from pbem.home import HomeError, orders, sending, summary
from pbem.home.orders import NOTE

if TYPE_CHECKING:
    from pbem.engine.definition import Reckoning
    from pbem.home import Home
    from pbem.home.orders import Drafted, DraftLine, LeftOver, LegalGroup, PresetRow, StandingRow
    from pbem.home.sending import Preview
    from pbem.home.summary import Owed
    from pbem.schema import Count

FEW = 20  # orders that are listed one by one; among more, those that begin alike share a line


def say_legal(groups: list[LegalGroup], indent: str = "", *, everything: bool = False) -> None:
    """Orders with their sentences beside them; among many, those that begin alike share a line with their number."""
    total = sum(len(group.orders) for group in groups)
    single = everything or total <= FEW or len(groups) == 1
    lines: list[tuple[str, str]] = []
    alone = Counter(group.verb for group in groups if len(group.orders) == 1)
    folded = {} if single or len({group.verb for group in groups}) == 1 else {v: n for v, n in alone.items() if n > FEW}
    for group in groups:
        if len(group.orders) == 1 and group.verb in folded:
            if folded[group.verb]:
                lines.append((f"{group.verb} ...", many(folded[group.verb], "order")))
                folded[group.verb] = 0
        elif single or len(group.orders) == 1:
            lines += [(text, clean(said)) for text, said in group.orders]
        else:
            lines.append((f"{group.begins} ...", many(len(group.orders), "order")))
    width = max((len(clean(text)) for text, beside in lines if beside), default=0)
    for text, beside in lines:
        say(f"{indent}{clean(text):{width if beside else 0}}{f'   {beside}' if beside else ''}")


def nothing_begins(prefix: str, why: str) -> str:
    return f"No order that begins with {clean(prefix)!r} is legal now. {clean(why)}"


def say_draft(drafted: Drafted) -> None:
    """The draft, the plan behind it, and what became of a plan that stopped."""
    left = drafted.left
    if left is not None:
        say(f"Your plan stopped: {clean(left.stopped)}.", style="wait")
    if not drafted.lines:
        say("The draft is empty.")
    say_lines(drafted.lines)
    if drafted.plan:
        say("Then your plan; each order is carried out if it is legal when its turn comes:")
        say_lines(drafted.plan)
    if any(line.left for line in (*drafted.lines, *drafted.plan)):
        say("* left over from the plan that stopped. `undo` takes it back, `send` seals it.")
    if left is None:
        return
    for order, why in left.skipped:
        say(f"Left out, no longer legal: {clean(order)}. {clean(why)}.", style="wait")
    if left.waiting:
        say(f"Left over, and not asked for yet: {clean('; '.join(_counted(left.waiting)))}.", style="wait")


def say_lines(lines: tuple[DraftLine, ...]) -> None:
    """Lines as typed, numbered, each with its sentence; a line that stands for several orders with these."""
    width = max((len(clean(line.typed)) for line in lines if len(line.orders) == 1), default=0)
    for number, line in enumerate(lines, 1):
        beside = clean(line.said[0]) if len(line.orders) == 1 else ""
        say(f"{number:>3} {'*' if line.left else ' '}{clean(line.typed):{width if beside else 0}}   {beside}".rstrip())
        if not beside:
            for said in _counted(line.said):
                say(f"       {clean(said)}")


def _counted(texts: Iterable[str]) -> list[str]:
    return [f"{count} x {text}" if count > 1 else text for text, count in Counter(texts).items()]


def say_preview(preview: Preview) -> None:
    """What a player should see before they seal: what goes out, what stays undone, who is next."""
    say_draft(preview.drafted)
    for seat, kind, policy, state in preview.standing:
        say(f"Standing orders of {seat}, {kind}: {clean(policy) or 'ask me'} ({state})")
    if preview.note:
        say(f"With your message: {clean(preview.note)}")
    for line in preview.left_undone:
        say(f"Note: {clean(line)}", style="wait")
    for line in preview.after:
        say(f"After this: {clean(line)}")


class Group(NamedTuple):
    """Legal orders of one verb about one thing: the unit, place or card that their first word names."""

    begins: str
    count_: Count
    key: str
    verb: str


class Legal(NamedTuple):
    """The orders that are legal now, and in `words` a sentence for each."""

    game: str
    groups: tuple[Group, ...]
    orders: tuple[str, ...]
    words: dict[str, str]


@command(
    "legal",
    short_help="List the orders that you may give now.",
    examples=(
        "pbem legal bridgehead-7f3a",
        "pbem legal bridgehead-7f3a B3",
        "pbem legal bridgehead-7f3a 'move B3'",
        "pbem legal bridgehead-7f3a move --all",
        "pbem legal bridgehead-7f3a --json",
    ),
)
@game_argument
@click.argument("prefix", metavar="[UNIT|TEXT]", required=False, default="")
@click.option("--all", "everything", is_flag=True, help="List every order by itself.")
def legal_command(game: str, prefix: str, everything: bool) -> Legal:
    """List the orders that you may give now: all of them, those of a UNIT (an attack, a card), or those that begin
    with TEXT.

    Many similar orders are shown as one line with their count; name the unit, or type how they begin, to see them one
    by one. Beside each (with --json: in `words`) is a sentence that says the same.
    """
    home, name = open_game(game)
    groups = orders.move(home, name).grouped(prefix)
    say_legal(groups, everything=everything)
    if not groups:
        say("Nothing." if not prefix else nothing_begins(prefix, orders.move(home, name).barred(prefix)))
    legal = [each for group in groups for each in group.orders]
    return Legal(
        name,
        tuple(Group(each.begins, len(each.orders), each.key, each.verb) for each in groups),
        tuple(text for text, _ in legal),
        dict(legal),
    )


class Ordered(NamedTuple):
    """The draft, and what the orders brought about as far as it can be known before they are sealed."""

    draft: tuple[str, ...]
    game: str
    happened: tuple[str, ...]


@command(
    "order",
    short_help="Add orders to your draft.",
    examples=(
        "pbem order bridgehead-7f3a 'move B3 0504'",
        "pbem order bridgehead-7f3a 'move B3 0504' 'move B4 0505' done",
        "pbem legal bridgehead-7f3a move",
    ),
)
@game_argument
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
def order_command(game: str, texts: tuple[str, ...]) -> Ordered:
    """Add orders to your draft, all or none. Nothing is signed or sent before `pbem send`."""
    home, name = open_game(game)
    try:
        added = orders.order(home, name, texts)
    except NotationError as error:
        if len(texts) == 1 or any(" " in text for text in texts):
            raise
        whole = shlex.quote(" ".join(texts))
        sentence = f"{error.sentence} If this is one order, put it in quotes: pbem order {game} {whole}"
        raise NotationError(error.what, sentence, error.candidates) from None
    for line in added:
        say(clean(line))
    if any(line.startswith(NOTE) for line in added):
        say_left_undone(home, name, len(texts))
    say_ready(home, name)
    return Ordered(tuple(orders.move(home, name).drafted().orders), name, tuple(added))


def say_left_undone(home: Home, name: str, lines: int) -> None:
    """The orders that were just given end something and leave something undone: asks at a terminal, else says so."""
    if not sys.stdin.isatty():
        note(f"Nothing is sent yet. To take this back: pbem undo {name} {lines}", style="wait")
    elif not click.confirm("Keep these orders?", err=True):
        say_undone(orders.undo(home, name, lines), orders.move(home, name).drafted())


class Reckoned(NamedTuple):
    """The game's answer to a question, in words and in the game's own figures."""

    figures: dict[str, Any]
    game: str
    text: str


def say_reckoned(name: str, told: Reckoning) -> Reckoned:
    say(told.text)
    return Reckoned(dict(told.figures), name, told.text)


@command(
    "odds",
    short_help="Show the odds of a fight.",
    examples=("pbem odds bridgehead-7f3a '0506 from 0405'", "pbem odds axis1941-22c1 'Ukraine' --json"),
)
@game_argument
@click.argument("fight", nargs=-1, required=True)
def odds_command(game: str, fight: tuple[str, ...]) -> Reckoned:
    """Show the odds of a FIGHT in the position after your draft. The game's page shows how to write a FIGHT (pbem games
    GAME --rules)."""
    home, name = open_game(game)
    return say_reckoned(name, orders.move(home, name).odds(" ".join(fight)))


@command(
    "look",
    short_help="Ask a question about the position.",
    examples=(
        "pbem look axis1941-22c1",
        "pbem look axis1941-22c1 reach tank Ukraine",
        "pbem look axis1941-22c1 to Caucasus --json",
    ),
)
@game_argument
@click.argument("question", nargs=-1)
def look_command(game: str, question: tuple[str, ...]) -> Reckoned:
    """Ask the game a QUESTION about the position after your draft. Without one, you get a summary.

    Which questions there are depends on the game; its page lists them (pbem games GAME --rules).
    """
    home, name = open_game(game)
    return say_reckoned(name, orders.move(home, name).look(" ".join(question)))


class DraftShown(NamedTuple):
    """The draft and the plan behind it, line by line as they were typed."""

    game: str
    left: LeftOver | None
    lines: tuple[DraftLine, ...]
    plan: tuple[DraftLine, ...]


@command(
    "draft",
    short_help="Show the orders that you have not sent yet.",
    examples=("pbem draft bridgehead-7f3a", "pbem draft bridgehead-7f3a --json"),
)
@game_argument
def draft_command(game: str) -> DraftShown:
    """Show the orders that you have not sealed yet, line by line as you typed them, and your plan for after the dice.

    Lines marked with * are left over from a plan that stopped: they are in your draft, and only you can send them.
    """
    home, name = open_game(game)
    drafted = orders.move(home, name).drafted()
    say_draft(drafted)
    return DraftShown(name, drafted.left, drafted.lines, drafted.plan)


class TakenBack(NamedTuple):
    """The lines that were taken back, and the orders that are left in the draft."""

    draft: tuple[str, ...]
    game: str
    undone: tuple[DraftLine, ...]


@command(
    "undo",
    short_help="Take back lines of your draft.",
    examples=(
        "pbem undo bridgehead-7f3a",
        "pbem undo bridgehead-7f3a 3",
        "pbem undo axis1941-22c1 --unit      (one of the infantry of `move 3 infantry Russia > Ukraine`)",
        "pbem undo bridgehead-7f3a --all",
    ),
)
@game_argument
@click.argument("count", type=click.IntRange(1), default=1, metavar="[N]")
@click.option("--unit", "units", is_flag=True, help="Count single orders, not lines.")
@click.option("--all", "everything", is_flag=True, help="Empty the draft.")
def undo_command(game: str, count: int, units: bool, everything: bool) -> TakenBack:
    """Take back the last line of your draft as you typed it, or the last N lines. Sealed orders stay.

    A line may stand for several orders; with --unit they are taken back one by one.
    """
    home, name = open_game(game)
    undone = orders.undo(home, name, None if everything else count, units=units)
    say_undone(undone, orders.move(home, name).drafted())
    return TakenBack(tuple(orders.move(home, name).drafted().orders), name, undone)


def say_undone(undone: tuple[DraftLine, ...], left: Drafted) -> None:
    for line in undone:
        say(f"Taken back: {clean(line.typed)}")
    rest = len(left.lines) + len(left.plan)
    say(f"{many(rest, 'line')} left in the draft." if rest else "The draft is empty.")


class Standing(NamedTuple):
    """Your standing orders in a game."""

    game: str
    standing: tuple[StandingRow, ...]


class Presets(NamedTuple):
    """The presets that a game offers (--presets)."""

    game: str
    presets: tuple[PresetRow, ...]


@command(
    "standing",
    short_help="Show or set standing orders: decisions made in advance.",
    examples=(
        "pbem standing bridgehead-7f3a",
        "pbem standing bridgehead-7f3a retreat      (what it asks, and what its answers mean)",
        "pbem standing bridgehead-7f3a retreat 'when town = 1 then stand; then retreat'",
        "pbem standing bridgehead-7f3a react 'then pass' --sealed",
        "pbem standing noretreat-11b0 counterattack 'when hex in smolensk, 1507 then counter; then default'",
        "pbem standing axis1941-22c1 losses 'infantry tank, keep 1 tank in Ukraine'",
        "pbem standing bridgehead-7f3a retreat --clear",
        "pbem standing bridgehead-7f3a --presets",
        "pbem standing bridgehead-7f3a --preset ask-nothing",
    ),
)
@game_argument
@click.argument("kind", required=False)
@click.argument("policy", required=False)
@click.option("--seat", help="For this seat (default: all your seats, if they are allies).")
@click.option(
    "--sealed/--public",
    default=None,
    help="Show them to others only when they are used, or at once (default for stances: sealed).",
)
@click.option("--clear", is_flag=True, help="Ask you again from now on.")
@click.option("--preset", metavar="NAME", help="Set the standing orders for all kinds of decision at once.")
@click.option("--presets", is_flag=True, help="Show each preset and what it sets.")
def standing_command(
    game: str,
    kind: str | None,
    policy: str | None,
    seat: str | None,
    sealed: bool | None,
    clear: bool,
    preset: str | None,
    presets: bool,
) -> Standing | Presets:
    """Show your standing orders, or set those for one KIND of decision, or for all of them by a preset.

    KIND alone shows what that decision asks, what each answer does, what conditions can compare, and what is set
    now.

    The presets of every game are ask-what-matters, with which you begin, ask-nothing and ask-everything. You can choose
    one at any time, even when it is not your move; --presets shows what each of them sets.

    Standing orders take effect when you next send orders that end your move; stances, when you next send orders of your
    own turn. Your opponents can then read them. With --sealed, and for stances without --public, they can read them
    only once they are used.

    Write POLICY as for example `when town = 1 and steps > 2 then stand; then retreat`. A test compares a fact with a
    number by <, <=, =, !=, >= or >, or with several (`hex in 0504, 0806`). `then ask` leaves the decision to you, `then
    default` to the game. The game's page lists its facts (pbem games GAME --rules).
    """
    home, name = open_game(game)
    if (preset is not None) + (kind is not None) + presets > 1:
        raise click.UsageError("Give one of these: a KIND of decision, --preset or --presets.")
    if kind is None and (clear or sealed is not None):
        raise click.UsageError("--clear, --sealed and --public need the KIND of decision that they are for.")
    if preset is not None:
        orders.set_preset(home, name, seat, preset)
    if kind is not None:
        if policy is not None and clear:
            raise click.UsageError("Give the standing orders as text, or --clear.")
        if policy is not None or clear:
            orders.set_standing(home, name, seat, kind, policy, sealed=sealed)
        elif sealed is not None:
            raise click.UsageError("Give the standing orders that are to be sealed or public.")
    if presets:
        found = orders.move(home, name).presets()
        say_presets(found)
        return Presets(name, tuple(found))
    move = orders.move(home, name)
    rows = move.standing_rows()
    if kind is not None and policy is None and not clear:
        rows = move.standing_of(kind, seat)
    say_standing(rows)
    say_questions(move, rows)
    return Standing(name, tuple(rows))


class Plan(NamedTuple):
    """The orders that are to be carried out after the dice."""

    game: str
    plan: tuple[str, ...]


@command(
    "plan",
    short_help="Add orders for after the dice.",
    examples=(
        "pbem plan bridgehead-7f3a 'advance B3 0504'",
        "pbem plan axis1941-22c1 home done 'place 4 infantry Germany'",
        "pbem plan axis1941-22c1 'if holds/karelia = 1 then must place 2 tank Karelia'",
        "pbem plan bridgehead-7f3a --clear",
    ),
)
@game_argument
@click.argument("texts", metavar="[TEXT]...", nargs=-1)
@click.option("--clear", is_flag=True, help="Drop the plan.")
def plan_command(game: str, texts: tuple[str, ...], clear: bool) -> Plan:
    """Add orders to be carried out after the dice of this turn, without another mail from you.

    Each order waits until an order of its kind is due. If it is legal then, it is carried out; if not, it is skipped
    for good, and the report says so. When another kind of order is due, or another player has to choose, the plan
    stops: what is left goes back into your draft, and only you can send it (`pbem draft`).

    `must ORDER` stops the plan there if the order is not legal then. `if FACT = NUMBER then ORDER` skips the order
    unless the condition is true when its turn comes. The facts are the game's (`holds/PLACE` is 1 if you hold it); you
    can also compare with <, <=, !=, >= and >, and join conditions with `and`. A fact that the game does not have is
    refused with a list of those it has.

    Plans are not secret: the whole plan is sent unencrypted with your orders, so your opponents can read it before the
    dice, and before they choose their own losses and retreats. The same holds for public standing orders.
    """
    if texts and clear:
        raise click.UsageError("Give orders or --clear, not both.")
    home, name = open_game(game)
    if clear:
        orders.clear_plan(home, name)
    if texts:
        orders.plan(home, name, texts)
    planned = orders.move(home, name).drafted().planned
    say_plan(planned)
    return Plan(name, tuple(planned))


def say_plan(planned: list[str]) -> None:
    if not planned:
        say("Nothing is planned.")
        return
    for number, line in enumerate(planned, 1):
        say(f"{number:>3}  if legal: {clean(line)}")
    say("A plan is not secret: your opponents can read it as soon as they open your orders.")


class BotOrdered(NamedTuple):
    """The orders of a bot, and their effect if they were sealed."""

    game: str
    happened: tuple[str, ...]
    orders: tuple[str, ...]
    owed: tuple[Owed, ...]
    posted: File | None


@command(
    "bot",
    short_help="Let a bot write your draft, or play against it.",
    examples=(
        "pbem bot bridgehead-7f3a",
        "pbem bot bridgehead-7f3a --level random --send",
        "pbem bot bridgehead-7f3a --seat red --send      (you play blue alone: it answers for red)",
    ),
)
@game_argument
@click.option("--level", metavar="BOT", help="One of the game's bots (default: sensible, or the best it has).")
@click.option(
    "--seat", "seats", multiple=True, help="Order only for this seat of yours, and stop when another is asked."
)
@click.option("--send", is_flag=True, help="Seal its orders, and go on as long as it is asked.")
def bot_command(game: str, level: str | None, seats: tuple[str, ...], send: bool) -> BotOrdered:
    """Let one of the game's bots write your draft.

    Without --send you can look at the draft, undo parts of it and change it. In a solo game the draft ends with the
    turn; --send goes on to the next turn, and with --seat the bot becomes your opponent.
    """
    home, name = open_game(game)
    for seat in seats:
        if seat not in home.load(name).seats:
            yours = ", ".join(home.load(name).seats)
            raise HomeError("E-SEAT", f"{seat!r} is not one of your seats in {name}: {yours}.")
    ordered: list[str] = []
    happened: list[str] = []
    posted = None
    while True:
        asked = orders.move(home, name).asked()
        if not asked or (seats and not set(asked) & set(seats)):
            break
        lines = orders.bot(home, name, level, seats)
        ordered += lines
        if send:
            sent = sending.send(home, name)
            posted = sent.posted
            happened += sent.happened
            lines = list(sent.happened) or lines
        for line in lines:
            say(clean(line))
        if not send:
            break
    if not ordered:
        first = "" if not seats or not asked else f" {' and '.join(asked)} must order first."
        say(f"There is nothing for the bot to do now.{first}")
    file = deliver(name, posted, AS_IT_IS)
    owed = summary.row(home, name).owed
    if not say_ready(home, name):
        if send or not orders.move(home, name).drafted().orders:
            say_owed(name, owed)
        else:
            say(f"To seal it and send it: pbem send {name}")
    return BotOrdered(name, tuple(happened), tuple(ordered), owed, file)
