"""The prompt of `pbem play`: orders as they are typed, and a few words beside them."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.cli.move import FEW, nothing_begins, say_draft, say_legal, say_plan, say_preview, say_undone
from pbem.cli.out import note, say, say_table
from pbem.cli.run import DONE, REFUSED, refused
from pbem.cli.show import posted_line, say_owed, say_presets, say_standing, say_stuck
from pbem.cli.text import clean
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.table.desk import Desk

SHOWN = 200  # ways to complete a line

HELP = (
    ("ORDER", "add an order to the draft, as `?` lists them"),
    (
        "? or legal [UNIT|TEXT]",
        "list what may be ordered now; so does `TEXT ?`, which shows odds if no order begins with TEXT",
    ),
    ("help", "this page"),
    ("board", "draw the map and list the units"),
    ("odds TEXT", "the chances of a fight, as the game explains them"),
    ("look [TEXT]", "what the game can tell about the position: who reaches what, what is left to do"),
    ("draft or list", "what is ordered and not sealed, and the plan"),
    ("undo [N|all|unit]", "take back the last line as typed, or N lines, or all; `unit`: its last order only"),
    ("standing [SEAT] [KIND [POLICY]]", "show or set answers in advance; SEAT if you have several"),
    ("preset [SEAT] [NAME]", "show what the presets of these set, or choose one"),
    ("plan [TEXT]", "show or add orders that follow the dice if they are legal then; opponents can read them"),
    ("note TEXT", "a message that travels with this turn"),
    ("status", "who owes what"),
    ("send", "show what would be sealed and what is left undone, ask, then seal and write the file to mail"),
    ("quit", "leave; the draft stays"),
)


class Prompt:
    """Reads lines from the terminal, or from a pipe; never seals without a yes."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk = desk
        self.name = name
        self.tty = sys.stdin.isatty()
        self.failed = False
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

    def run(self) -> int:
        self.desk.let_bots(self.name)
        row = self.desk.row(self.name)
        say(f"{row.game}, {row.scenario}. {row.moment}".rstrip(), style="bold")
        say_stuck((row,))
        if row.proposed:
            say(f"! {clean(row.proposed)}", style="wait")
        if row.result:
            say(f"The game is over: {clean(row.result)}. You can look around. `help` lists the words.")
        elif not row.my_move:
            say_owed(self.name, row.owed)
            say("It is not your move; you can look around. `help` lists the words.")
        else:
            say("`?` lists what may be ordered, `help` the other words, `send` seals.")
            drafted = self.desk.drafted(self.name)
            if drafted.lines or drafted.left is not None:
                say_draft(drafted)
        if self.tty:
            self._complete()
        verbs = self.desk.verbs(self.name)
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
        stuck = bool(self.desk.row(self.name).stuck)
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
        return "+".join(self.desk.asked(self.name)) or self.name

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
            happened = self.desk.order(self.name, (line,))
        except PbemError as error:
            if error.code != "E-PLAN" or (line == "done" and not self.desk.planned(self.name)):
                raise
            self.desk.plan(self.name, (line,))
            say("Planned for after the dice. `plan` shows the plan, `undo` takes the line back.")
            return
        for text in happened:
            say(clean(text))
        if not self.desk.asked(self.name):
            say("That is all that can be ordered now. `send` seals it, `undo` takes it back.", style="good")

    def _help(self, _: str) -> None:
        say_table(HELP, indent="  ")

    def _legal(self, prefix: str) -> bool:
        """Lists what is legal; False if nothing is."""
        groups = self.desk.grouped(self.name, prefix)
        say_legal(groups, indent="  ")
        longest = max(groups, key=lambda group: len(group.orders), default=None)
        if longest is not None and sum(len(group.orders) for group in groups) > FEW and len(groups) > 1:
            say(f"  To see the orders of a line, type how they begin and `?`, as in `{clean(longest.begins)} ?`")
        if not groups:
            say("  Nothing is to be ordered now." if not prefix else nothing_begins(prefix))
        return bool(groups)

    def _ask(self, text: str) -> None:
        """`3Pz ?`: where no order begins so, `odds` may have something to tell; not of a kind of order."""
        if self._legal(text) or text.partition(" ")[0].casefold() in self.desk.verbs(self.name):
            return
        with suppress(PbemError):
            say(self.desk.odds(self.name, text).text)

    def _board(self, _: str) -> None:
        say(self.desk.board(self.name))

    def _odds(self, text: str) -> None:
        say(self.desk.odds(self.name, text).text)

    def _look(self, text: str) -> None:
        say(self.desk.look(self.name, text).text)

    def _draft(self, _: str) -> None:
        say_draft(self.desk.drafted(self.name))

    def _undo(self, count: str) -> None:
        units = count == "unit"
        if count not in ("", "all", "unit") and not (count.isascii() and count.isdigit() and int(count) > 0):
            say("`undo`, `undo 3`, `undo all` or `undo unit`.")
            return
        lines = None if count == "all" else 1 if units else int(count or "1")
        say_undone(self.desk.undo(self.name, lines, units=units), self.desk.drafted(self.name))

    def _standing(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        seat = first if first in self.desk.seats(self.name) else None
        kind, _, policy = (more if seat else rest).strip().partition(" ")
        if policy:
            self.desk.set_standing(self.name, seat, kind, policy.strip())
        rows = self.desk.standing(self.name)
        say_standing([row for row in rows if row[0] == (seat or row[0]) and row[1] == (kind or row[1])])

    def _preset(self, rest: str) -> None:
        first, _, more = rest.partition(" ")
        seat = first if first in self.desk.seats(self.name) else None
        if preset := (more if seat else rest).strip():
            self.desk.set_preset(self.name, seat, preset)
            self._standing(seat or "")
        else:
            say_presets(self.desk.presets(self.name))

    def _plan(self, text: str) -> None:
        if text:
            self.desk.plan(self.name, (text,))
        say_plan(self.desk.planned(self.name))

    def _note(self, text: str) -> None:
        if text:
            self.desk.set_note(self.name, text)
        say(clean(self.desk.note(self.name)) or "No message waits.")

    def _status(self, _: str) -> None:
        row = self.desk.row(self.name)
        say(row.moment)
        say_owed(self.name, row.owed)
        say_stuck((row,))

    def _send(self) -> bool:
        """Seals after a yes. False: the player goes on."""
        preview = self.desk.preview(self.name)
        if preview is None:
            question = "There is nothing new to seal; this writes the last file again. Send now? [y/N]"
        else:
            say_preview(preview)
            question = "What is sealed is final. Send now? [y/N]"
        if not self.tty:
            note(question)
        answer = self._read(f"{question} ")
        if answer is None or answer.casefold() not in ("y", "yes"):
            say("Not sent.")
            return False
        try:
            posted = self.desk.send(self.name)
        except PbemError as error:
            self.failed = True
            refused(error.code, error.sentence)
            return False
        for line in (*self.desk.happened, *self.desk.let_bots(self.name)):
            say(f"  {clean(line)}")
        say(posted_line(posted) if posted else "Sealed.", style="good")
        row = self.desk.row(self.name)
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
                orders = list(itertools.islice(self.desk.completions(self.name, text), SHOWN))
            except PbemError:
                orders = []  # a half typed word is not an error
            self.candidates = [*words, *orders]
        return self.candidates[state] if state < len(self.candidates) else None
