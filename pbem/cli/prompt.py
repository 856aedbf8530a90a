"""`pbem play` and `pbem app`: a move at a prompt, or in the player's own browser."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from pbem.cli.common import asked, command, game_argument, new_passphrase, open_game, open_home
from pbem.cli.move import FEW, nothing_begins, say_draft, say_legal, say_plan, say_preview, say_undone
from pbem.cli.phrases import AS_IT_IS, deliver, say_owed, say_presets, say_questions, say_standing, say_stuck
from pbem.cli.run import DONE, REFUSED, refused, until_terminated
from pbem.cli.terminal import clean, note, say, say_table
from pbem.home import HomeError, orders, seen, sending, summary
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.browser.gameboard import GameBoard
    from pbem.browser.lobby import Lobby
    from pbem.home import Home

SHOWN = 200  # ways to complete a line

HELP = (
    ("ORDER", "add an order to the draft, as `?` lists them"),
    (
        "? or legal [UNIT|TEXT]",
        "list what may be ordered now; so does `TEXT ?`, which shows odds if no order begins with TEXT",
    ),
    ("help", "this page"),
    ("board", "draw the map and list the units"),
    ("odds TEXT", "show the odds of a fight, written as the game explains"),
    ("look [TEXT]", "ask about the position: which units reach which hexes, what is left to do"),
    ("draft or list", "show the orders that are not sealed yet, and the plan"),
    ("undo [N|all|unit]", "take back the last line as typed, or N lines, or all; `unit`: its last order only"),
    ("standing [SEAT] [KIND [POLICY]]", "show or set standing orders; SEAT if you have several seats"),
    ("preset [SEAT] [NAME]", "show the presets of standing orders, or choose one"),
    (
        "plan [TEXT]",
        "show or add orders for after the dice, carried out if they are legal then; opponents can read them",
    ),
    ("note TEXT", "write a message that goes out with this turn"),
    ("status", "show whose move it is, and who owes what"),
    ("send", "show what will be sealed and what is left undone, ask, then seal it and write the file to mail"),
    ("quit", "leave; the draft stays"),
)


class Prompt:
    """Reads lines from the terminal, or from a pipe; never seals without a yes."""

    def __init__(self, home: Home, name: str) -> None:
        self.home = home
        self.name = name
        self.tty = sys.stdin.isatty()
        self.failed = False
        self.asked = ""  # the kind of decision that has been named last
        self.words: dict[str, Callable[[str], object]] = {
            "?": self._legal,
            "legal": self._legal,
            "help": self._help,
            "board": self._board,
            "odds": self._odds,
            "look": self._look,
            "draft": self._draft,
            "list": self._draft,
            "undo": self._undo,
            "standing": self._standing,
            "preset": self._preset,
            "plan": self._plan,
            "note": self._note,
            "status": self._status,
        }

    @property
    def move(self) -> orders.Move:
        """The move as it stands, read anew: another program may have changed it."""
        return orders.move(self.home, self.name)

    def run(self) -> int:
        sending.let_bots(self.home, self.name)
        row = summary.row(self.home, self.name)
        say(f"{row.game}, {row.scenario}. {'' if row.my_move else row.moment}".rstrip(), style="bold")
        say_stuck((row,))
        if row.proposed:
            say(f"! {clean(row.proposed)}", style="wait")
        if row.result:
            say(f"The game is over: {clean(row.result)}. You can look around; `help` lists the commands.")
        elif not row.my_move:
            say_owed(self.name, row.owed)
            say("It is not your move. You can look around; `help` lists the commands.")
        else:
            say("`?` lists your possible orders, `help` the other commands, `send` ends your turn.")
            move = self.move
            drafted = move.drafted()
            if drafted.lines or drafted.left is not None:
                say_draft(drafted)
            if move.asked():
                self._say_asked(move)
        if self.tty:
            self._complete()
        verbs = orders.verbs(self.home, self.name)
        for line in self._lines():
            word, _, rest = line.partition(" ")
            if rest and word in verbs:
                word = ""  # games have orders of their own like `exit UNIT` and `help UNIT`
            if word in ("quit", "exit", "q"):
                break
            if line == "send":
                if self._send():
                    break
                continue
            self._guarded(line, word, rest.strip())
        stuck = bool(summary.row(self.home, self.name).stuck)
        return REFUSED if stuck or (self.failed and not self.tty) else DONE

    def _lines(self) -> Iterator[str]:
        while True:
            line = self._read(f"{self._asked()}> ")
            if line is None:
                return
            if line:
                yield line

    def _read(self, prompt: str) -> str | None:
        """One line without its end; None when there are no more."""
        if self.tty:
            try:
                return input(prompt).strip()
            except EOFError:
                say()
                return None
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _asked(self) -> str:
        return "+".join(self.move.asked()) or self.name

    def _guarded(self, line: str, word: str, rest: str) -> None:
        try:
            if word in self.words:
                self.words[word](rest)
            elif line.endswith("?"):
                self._ask(line[:-1].rstrip())
            else:
                self._order(line)
        except PbemError as error:
            self.failed = True
            refused(error.code, error.sentence)

    def _order(self, line: str) -> None:
        """One line of orders; behind the dice it goes into the plan, but no plan begins with a mere `done`."""
        try:
            happened = orders.order(self.home, self.name, (line,))
        except PbemError as error:
            if error.code != "E-PLAN" or (line == "done" and not self.move.drafted().planned):
                raise
            orders.plan(self.home, self.name, (line,))
            say("Planned for after the dice. `plan` shows the plan, `undo` takes the line back.")
            return
        for text in happened:
            say(clean(text))
        move = self.move
        if not move.asked():
            say("That is all you can order now. `send` seals and sends it, `undo` takes it back.", style="good")
        elif move.kind() != self.asked:
            self._say_asked(move)

    def _say_asked(self, move: orders.Move) -> None:
        """What the player is asked now, and the words with which that is answered."""
        self.asked = move.kind()
        say(f"{clean(move.asks())} Orders now begin with: {', '.join(move.offered())}.")

    def _help(self, _: str) -> None:
        say_table(HELP, indent="  ")

    def _legal(self, prefix: str) -> bool:
        """Lists what is legal; False if nothing is."""
        groups = self.move.grouped(prefix)
        say_legal(groups, indent="  ")
        longest = max(groups, key=lambda group: len(group.orders), default=None)
        if longest is not None and sum(len(group.orders) for group in groups) > FEW and len(groups) > 1:
            say(f"  To see the orders of a line, type how they begin and `?`, as in `{clean(longest.begins)} ?`")
        if not groups:
            why = self.move.barred(prefix) if prefix else ""
            say(f"  {nothing_begins(prefix, why) if prefix else 'There is nothing to order now.'}")
        return bool(groups)

    def _ask(self, text: str) -> None:
        """`3Pz ?`: where no order begins so, `odds` may have something to tell; not of a kind of order."""
        if self._legal(text) or text.partition(" ")[0].casefold() in orders.verbs(self.home, self.name):
            return
        with suppress(PbemError):
            say(self.move.odds(text).text)

    def _board(self, _: str) -> None:
        say(seen.board(self.home, self.name))

    def _odds(self, text: str) -> None:
        say(self.move.odds(text).text)

    def _look(self, text: str) -> None:
        say(self.move.look(text).text)

    def _draft(self, _: str) -> None:
        say_draft(self.move.drafted())

    def _undo(self, count: str) -> None:
        units = count == "unit"
        if count not in ("", "all", "unit") and not (count.isascii() and count.isdigit() and int(count) > 0):
            say("`undo`, `undo 3`, `undo all` or `undo unit`.")
            return
        lines = None if count == "all" else 1 if units else int(count or "1")
        say_undone(orders.undo(self.home, self.name, lines, units=units), self.move.drafted())

    def _standing(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        seat = first if first in self.home.load(self.name).seats else None
        kind, _, policy = (more if seat else rest).strip().partition(" ")
        if policy:
            orders.set_standing(self.home, self.name, seat, kind, policy.strip())
        move = self.move
        rows = move.standing_of(kind, seat) if kind else move.standing_rows()
        shown = [row for row in rows if row.seat == (seat or row.seat)]
        say_standing(shown)
        say_questions(move, shown)

    def _preset(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        seat = first if first in self.home.load(self.name).seats else None
        if preset := (more if seat else rest).strip():
            orders.set_preset(self.home, self.name, seat, preset)
            self._standing(seat or "")
        else:
            say_presets(self.move.presets())

    def _plan(self, text: str) -> None:
        if text:
            orders.plan(self.home, self.name, (text,))
        say_plan(self.move.drafted().planned)

    def _note(self, text: str) -> None:
        if text:
            orders.set_note(self.home, self.name, text)
        say(clean(orders.note(self.home, self.name)) or "No message waits.")

    def _status(self, _: str) -> None:
        row = summary.row(self.home, self.name)
        say(row.moment)
        say_owed(self.name, row.owed)
        say_stuck((row,))

    def _send(self) -> bool:
        """Seals after a yes. False: the player goes on."""
        preview = sending.preview(self.home, self.name)
        if preview is None:
            question = "There is nothing new to seal; this writes the last file again. Send now? [y/N]"
        else:
            say_preview(preview)
            question = "Sealed orders are final. Send now? [y/N]"
        if not self.tty:
            note(question)
        answer = self._read(f"{question} ")
        if answer is None or answer.casefold() not in ("y", "yes"):
            say("Not sent.")
            return False
        try:
            sent = sending.send(self.home, self.name)
        except PbemError as error:
            self.failed = True
            refused(error.code, error.sentence)
            return False
        for each in (sent, *sending.let_bots(self.home, self.name)):
            for line in each.happened:
                say(f"  {clean(line)}")
        if deliver(self.name, sent.posted, AS_IT_IS) is None:
            say("Sealed.", style="good")
        row = summary.row(self.home, self.name)
        say_owed(self.name, row.owed)
        say_stuck((row,))
        return True

    def _complete(self) -> None:
        """Completion of whole lines, where the platform has readline."""
        try:
            import readline
        except ImportError:
            return
        readline.set_completer_delims("")
        readline.set_completer(self._candidate)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")

    def _candidate(self, text: str, state: int) -> str | None:
        if state == 0:
            words = [word for word in (*self.words, "send", "quit") if word.startswith(text)]
            try:
                found = list(itertools.islice(self.move.completions(text), SHOWN))
            except PbemError:
                found = []  # a half typed word is not an error
            self.candidates = [*words, *found]
        return self.candidates[state] if state < len(self.candidates) else None


@command(
    "play",
    short_help="Play your move at a prompt, or on a board in your browser.",
    examples=("pbem play bridgehead-7f3a", "pbem play bridgehead-7f3a --browser"),
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
    """Play your move at a prompt: type one order after another. `?` lists your possible orders, `help` the commands
    that you can type.

    With --browser you play on a board in your own browser: what you click becomes the text of an order in the same
    draft. Nobody else can reach it: it answers only this machine, and only with the key in its address. It ends with
    Ctrl-C, or after an hour without a click.
    """
    home, name = open_game(game)
    if not browser:
        if no_open or port or bots:
            raise click.UsageError("--no-open, --port and --bot are for the board: add --browser.")
        ctx.exit(Prompt(home, name).run())
    browse(home, name, port, bots, show=not no_open)


def browse(home: Home, name: str, port: int, bots: Sequence[str], *, show: bool) -> None:
    """Opens the board in the player's browser (`show`), or prints its address alone."""
    from pbem.browser.gameboard import GameBoard

    own = home.load(name).seats
    for seat in bots:
        if seat not in own:
            raise click.UsageError(f"{seat!r} is not one of your seats: {', '.join(own)}.")
    if bots:
        orders.set_bots(home, name, bots)
    sending.let_bots(home, name)
    serve(home, GameBoard(home, name), port, show=show)


def serve(home: Home, served: GameBoard | Lobby, port: int, *, show: bool) -> None:
    """Until Ctrl-C or SIGTERM, or an hour without a click."""
    from pbem.browser.server import Server, doorway

    home.disk.folder(home.root)  # of a newcomer there is none yet
    with Server(served, port) as server:
        server.waits = lambda: next(iter(asked), "")
        path = doorway(server, home.root)
        try:
            if show:
                click.launch(path.as_uri())
            say("Open this address in your browser (it works on this computer only):")
            say(server.address)
            say("Press Ctrl-C to stop. The orders of your draft are kept.")
            with until_terminated() as ended, suppress(KeyboardInterrupt):
                server.run(ended)
        finally:
            path.unlink(missing_ok=True)


@command(
    "app",
    short_help="Play in your browser: all your games.",
    examples=("pbem app", "pbem app --no-open --port 8080"),
)
@click.option("--no-open", is_flag=True, help="Print the address, and open nothing.")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="This port (default: a free one).")
def app_command(no_open: bool, port: int) -> None:
    """Play in your browser: your games and whose move it is, boards to click on, files that arrived, people.

    Passphrases are asked for here, at the terminal, never in the page. Nobody else can reach it: it answers
    only this machine, and only with the key in its address. It ends with Ctrl-C, or after an hour without a click.
    """
    from pbem.browser.lobby import Lobby, Terminal
    from pbem.cli.mailbox import rounds

    home = open_home()
    serve(home, Lobby(home, Terminal(_passphrase, say, rounds(home))), port, show=not no_open)


def _passphrase() -> str:
    """Of a new key; the page says so if nobody is there to type one."""
    if os.environ.get("PBEM_PASSPHRASE") is None and not sys.stdin.isatty():
        raise HomeError(
            "E-PASSPHRASE",
            "Your new key needs a passphrase, and pbem was not started at a terminal. Start `pbem app` at a terminal, "
            "or give the passphrase in PBEM_PASSPHRASE.",
        )
    return new_passphrase(none=False)
