"""`pbem legal`, `order`, `play`, `odds`, `look`, `undo`, `standing`, `plan`: a player's move."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from pbem.cli.common import command, game_argument, json_option, open_desk
from pbem.cli.out import say, say_json
from pbem.cli.show import preset_json, say_presets, say_ready, say_standing
from pbem.cli.text import clean, plural
from pbem.engine.notation import NotationError

if TYPE_CHECKING:
    from pbem.engine.definition import Reckoning
    from pbem.table.values import Drafted, DraftLine, LeftOver, LegalGroup, Preview

FEW = 20  # orders that are listed one by one; among more, those that begin alike share a line


def say_legal(groups: list[LegalGroup], indent: str = "", *, everything: bool = False) -> None:
    """Orders with the game's words beside them; among many, those that begin alike share a line with their number."""
    total = sum(len(group.orders) for group in groups)
    single = everything or total <= FEW or len(groups) == 1
    lines: list[tuple[str, str]] = []
    alone = Counter(group.verb for group in groups if len(group.orders) == 1)
    many = {} if single or len({group.verb for group in groups}) == 1 else {v: n for v, n in alone.items() if n > FEW}
    for group in groups:
        if len(group.orders) == 1 and group.verb in many:
            if many[group.verb]:
                lines.append((f"{group.verb} ...", plural(many[group.verb], "order")))
                many[group.verb] = 0
        elif single or len(group.orders) == 1:
            lines += [(text, f"({clean(gloss)})" if gloss else "") for text, gloss in group.orders]
        else:
            lines.append((f"{group.begins} ...", plural(len(group.orders), "order")))
    width = max((len(clean(text)) for text, beside in lines if beside), default=0)
    for text, beside in lines:
        say(f"{indent}{clean(text):{width if beside else 0}}{f'   {beside}' if beside else ''}")


def nothing_begins(prefix: str) -> str:
    return f"No order that begins with {clean(prefix)!r} is legal now. Type a whole order, and the rules say why not."


def say_draft(drafted: Drafted) -> None:
    """The draft, the plan behind it, and what became of a plan that stopped."""
    left = drafted.left
    if left is not None:
        say(f"Your plan stopped: {clean(left.stopped)}.", style="wait")
    if not drafted.lines:
        say("The draft is empty.")
    say_lines(drafted.lines)
    if drafted.plan:
        say("Then by plan, each if it is legal when it comes up:")
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
    """Lines as typed, numbered; a line that stands for several orders, or is not one order's text, with these."""
    for number, line in enumerate(lines, 1):
        say(f"{number:>3} {'*' if line.left else ' '}{clean(line.typed)}")
        if line.orders != (line.typed,):
            for order in _counted(line.orders):
                say(f"       {clean(order)}")


def _counted(orders: Iterable[str]) -> list[str]:
    return [f"{count} x {order}" if count > 1 else order for order, count in Counter(orders).items()]


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


def lines_json(lines: tuple[DraftLine, ...]) -> list[dict[str, object]]:
    return [{"left": line.left, "orders": list(line.orders), "typed": line.typed} for line in lines]


def left_json(left: LeftOver | None) -> dict[str, object] | None:
    if left is None:
        return None
    skipped = [{"order": order, "why": why} for order, why in left.skipped]
    return {"skipped": skipped, "stopped": left.stopped, "waiting": list(left.waiting)}


@command(
    "legal",
    short_help="List the orders that are legal now.",
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
@json_option
def legal_command(game: str, prefix: str, everything: bool, as_json: bool) -> None:
    """List the orders that are legal now: all of them, those of a UNIT (an attack, a card), or those that begin with
    TEXT.

    If there are many, orders that begin alike share a line with their number; name the unit, or type how they begin, to
    see them one by one. Brackets (with --json: `words`) hold what the text of an order only codes, such as the title of
    a card.
    """
    desk = open_desk()
    name = desk.find(game)
    groups = desk.grouped(name, prefix)
    if as_json:
        orders = [each for group in groups for each in group.orders]
        say_json(
            {
                "game": name,
                "groups": [
                    {"begins": group.begins, "count": len(group.orders), "key": group.key, "verb": group.verb}
                    for group in groups
                ],
                "orders": [text for text, _ in orders],
                "words": {text: gloss for text, gloss in orders if gloss},
            }
        )
        return
    say_legal(groups, everything=everything)
    if not groups:
        say("Nothing." if not prefix else nothing_begins(prefix))


@command(
    "order",
    short_help="Add orders to your draft.",
    examples=(
        "pbem order bridgehead-7f3a 'move B3 0504'",
        "pbem order bridgehead-7f3a 'move B3 0504' 'move B4 0505' done",
        "pbem legal bridgehead-7f3a move",
    ),
    exits="0 all were added, 1 one is not legal (rule and reason are told, none was added), 2 wrong usage.",
)
@game_argument
@click.argument("orders", metavar="TEXT...", nargs=-1, required=True)
@json_option
def order_command(game: str, orders: tuple[str, ...], as_json: bool) -> None:
    """Add orders to your draft, all or none. Nothing is sealed before `pbem send`."""
    desk = open_desk()
    name = desk.find(game)
    try:
        added = desk.order(name, orders)
    except NotationError as error:
        if len(orders) == 1 or any(" " in text for text in orders):
            raise
        whole = shlex.quote(" ".join(orders))
        sentence = f"{error.sentence} If this is one order, put it in quotes: pbem order {game} {whole}"
        raise NotationError(error.what, sentence, error.candidates) from None
    if as_json:
        say_json({"draft": desk.draft(name), "game": name, "happened": added})
        return
    for line in added:
        say(clean(line))
    say_ready(desk, name)


@command(
    "play",
    short_help="Play your move at a prompt, or on a board in your browser.",
    examples=("pbem play bridgehead-7f3a", "pbem play bridgehead-7f3a --browser"),
    exits="0 done; 1 refused, or your program cannot do what it owes (`pbem status` says why); 2 wrong usage.",
)
@game_argument
@click.option("--browser", is_flag=True, help="On a board to click on, in your browser.")
@click.option("--no-open", is_flag=True, help="With --browser: print the address, and open nothing.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, help="With --browser: this port (default: a free one)."
)
@click.option(
    "--bot", "bots", multiple=True, metavar="SEAT", help="With --browser: a bot plays this seat of yours from now on."
)
@click.pass_context
def play_command(ctx: click.Context, game: str, browser: bool, no_open: bool, port: int, bots: tuple[str, ...]) -> None:
    """Play your move at a prompt: orders, legal moves, odds, board, undo. `?` lists orders, `help` the words.

    With --browser it is a board in your own browser, on which clicking is typing: what is clicked becomes the text of
    an order in the same draft. Nobody else can reach it: it answers this machine alone, and only who has the key in its
    address. It ends with Ctrl-C, or after an hour without a click.
    """
    desk = open_desk()
    name = desk.find(game)
    if not browser:
        if no_open or port or bots:
            raise click.UsageError("--no-open, --port and --bot are for the board: add --browser.")
        from pbem.cli.prompt import Prompt

        ctx.exit(Prompt(desk, name).run())
    from pbem.cli.browsing import browse

    browse(desk, name, port, bots, show=not no_open)


@command(
    "odds",
    short_help="Show the odds of a fight.",
    examples=("pbem odds bridgehead-7f3a '0506 from 0405'", "pbem odds axis1941-22c1 'Ukraine' --json"),
)
@game_argument
@click.argument("fight", nargs=-1, required=True)
@json_option
def odds_command(game: str, fight: tuple[str, ...], as_json: bool) -> None:
    """Show the odds of a FIGHT in the position after your draft. Write the FIGHT as the game explains."""
    desk = open_desk()
    name = desk.find(game)
    told = desk.odds(name, " ".join(fight))
    say_reckoned(name, told, as_json=as_json)


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
@json_option
def look_command(game: str, question: tuple[str, ...], as_json: bool) -> None:
    """Ask what a game can tell about the position as your draft leaves it; without a QUESTION, all of the usual.

    What can be asked is the game's; its page says it.
    """
    desk = open_desk()
    name = desk.find(game)
    told = desk.look(name, " ".join(question))
    say_reckoned(name, told, as_json=as_json)


def say_reckoned(name: str, told: Reckoning, *, as_json: bool) -> None:
    """What the game answered to a question."""
    if as_json:
        say_json({"figures": dict(told.figures), "game": name, "text": told.text})
    else:
        say(told.text)


@command(
    "draft",
    short_help="Show your draft and your plan.",
    examples=("pbem draft bridgehead-7f3a", "pbem draft bridgehead-7f3a --json"),
)
@game_argument
@json_option
def draft_command(game: str, as_json: bool) -> None:
    """Show what you have ordered and not sealed, line by line as you typed it, and your plan for after the dice.

    What was left over when a plan stopped is marked with *: it is in the draft, and only you can send it.
    """
    desk = open_desk()
    name = desk.find(game)
    drafted = desk.drafted(name)
    if as_json:
        lines, plan = lines_json(drafted.lines), lines_json(drafted.plan)
        say_json({"game": name, "left": left_json(drafted.left), "lines": lines, "plan": plan})
    else:
        say_draft(drafted)


@command(
    "undo",
    short_help="Take lines back from your draft.",
    examples=(
        "pbem undo bridgehead-7f3a",
        "pbem undo bridgehead-7f3a 3",
        "pbem undo axis1941-22c1 --unit      (one of the infantry of `move 3 infantry Russia > Ukraine`)",
        "pbem undo bridgehead-7f3a --all",
    ),
)
@game_argument
@click.argument("count", type=click.IntRange(1), default=1)
@click.option("--unit", "units", is_flag=True, help="Count single orders, not lines.")
@click.option("--all", "everything", is_flag=True, help="Empty the draft.")
@json_option
def undo_command(game: str, count: int, units: bool, everything: bool, as_json: bool) -> None:
    """Take back the last line of your draft as you typed it, or the last COUNT lines. What is sealed stays.

    A line may stand for several orders; with --unit they are taken back one by one.
    """
    desk = open_desk()
    name = desk.find(game)
    undone = desk.undo(name, None if everything else count, units=units)
    if as_json:
        say_json({"draft": desk.draft(name), "game": name, "undone": lines_json(undone)})
    else:
        say_undone(undone, desk.drafted(name))


def say_undone(undone: tuple[DraftLine, ...], left: Drafted) -> None:
    for line in undone:
        say(f"Taken back: {clean(line.typed)}")
    rest = len(left.lines) + len(left.plan)
    say(f"{plural(rest, 'line')} left in the draft." if rest else "The draft is empty.")


@command(
    "standing",
    short_help="Show or set standing orders: answers in advance.",
    examples=(
        "pbem standing bridgehead-7f3a",
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
@click.option("--sealed/--public", default=None, help="Show them only when they matter, or at once (stances: sealed).")
@click.option("--clear", is_flag=True, help="Ask me again from now on.")
@click.option("--preset", metavar="NAME", help="Set the standing orders for all kinds of decision at once.")
@click.option("--presets", is_flag=True, help="Show each preset and what it sets.")
@json_option
def standing_command(
    game: str,
    kind: str | None,
    policy: str | None,
    seat: str | None,
    sealed: bool | None,
    clear: bool,
    preset: str | None,
    presets: bool,
    as_json: bool,
) -> None:
    """Show your standing orders, or set those for one KIND of decision, or for all of them by a preset.

    The presets of every game are ask-what-matters, with which you begin, ask-nothing and ask-everything. You can choose
    one at any time, also when it is not your move; --presets shows what each of them sets.

    Standing orders take effect with your next sealed record that hands the move over; stances wait for a record of your
    own turn. Your opponents can read them in that record. With --sealed, and for stances without --public, they can
    read them only once they are used. A test is `FACT < <= = != >= > NUMBER` or `FACT in NUMBER, NUMBER`, with up to 64
    numbers; places may be written by name. `then ask` leaves the decision to you, `then default` to the game. Some
    games read words of their own and show what they mean.
    """
    desk = open_desk()
    name = desk.find(game)
    if (preset is not None) + (kind is not None) + presets > 1:
        raise click.UsageError("Give one of these: a KIND of decision, --preset or --presets.")
    if kind is None and (clear or sealed is not None):
        raise click.UsageError("--clear, --sealed and --public need the KIND of decision that they are for.")
    if preset is not None:
        desk.set_preset(name, seat, preset)
    if kind is not None:
        if (policy is None) != clear:
            raise click.UsageError("Give the standing orders as text, or --clear.")
        desk.set_standing(name, seat, kind, policy, sealed=sealed)
    if presets:
        found = desk.presets(name)
        if as_json:
            say_json({"game": name, "presets": [preset_json(each) for each in found]})
        else:
            say_presets(found)
        return
    rows = desk.standing(name)
    if as_json:
        say_json(
            {
                "game": name,
                "standing": [dict(zip(("seat", "kind", "policy", "state"), row, strict=True)) for row in rows],
            }
        )
        return
    say_standing(rows)


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
@click.argument("orders", metavar="[TEXT]...", nargs=-1)
@click.option("--clear", is_flag=True, help="Drop the plan.")
@json_option
def plan_command(game: str, orders: tuple[str, ...], clear: bool, as_json: bool) -> None:
    """Add orders to be carried out after the dice of this turn, without another mail from you.

    An order is tried when you are asked for an order of its kind. If it is legal then, it is carried out; if not, it
    is skipped for good, and the report says so. When you are asked for another kind of order, or another player
    has to choose, the plan stops: what is left comes back into your draft, and only you can send it (`pbem draft`).

    `must ORDER`: if the order is not legal when it comes up, the plan stops there. `if FACT = NUMBER then ORDER`: it
    is skipped if that is not so then. The facts are the game's (`holds/PLACE` is 1 if you hold it); <, <=, !=, >= and
    > compare as well, and `and` joins tests. A fact that the game does not have is refused with a list of those it has.

    Plans are not secret: the whole plan travels in clear with your orders, so your opponents can read it before the
    dice, before they choose their own losses and retreats. Public standing orders travel in clear as well.
    """
    if orders and clear:
        raise click.UsageError("Give orders or --clear, not both.")
    desk = open_desk()
    name = desk.find(game)
    if clear:
        desk.clear_plan(name)
    if orders:
        desk.plan(name, orders)
    planned = desk.planned(name)
    if as_json:
        say_json({"game": name, "plan": planned})
    else:
        say_plan(planned)


def say_plan(planned: list[str]) -> None:
    if not planned:
        say("Nothing is planned.")
        return
    for number, line in enumerate(planned, 1):
        say(f"{number:>3}  if legal: {clean(line)}")
    say("A plan is not secret: your opponents can read it as soon as they open your orders.")
