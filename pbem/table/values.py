"""What the desk answers: plain facts and sentences, for whoever shows them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pbem.protocol.errors import Refusal
from pbem.table.people import Person

Stage = Literal[
    "offered", "invited", "waiting", "playing", "ending", "over", "out", "standin", "declined", "cancelled", "expired"
]
"""offered: by me, joins are missing; invited: I may join; expired: I could have; waiting: joined, no start yet;
cancelled: whoever offered it has taken it back; ending: over, not audited;
out: a ruling gave my place to somebody else; standin: I offer to take a place, and no ruling has given it to me."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A file in the outbox, to be mailed."""

    path: Path
    raw: bytes
    to: tuple[str, ...]
    """Whom it is for, as `Name <address>`."""
    automatic: bool
    """Made by the program without a person's choice."""
    again: bool = False
    """The very file that was made before."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What one player owes before the game can go on."""

    by: int
    """The player's number; 7 the umpire; -1 a player who can join."""
    name: str
    what: str
    """orders, reveal, release, join, start, end, open_all, answer."""
    text: str
    """As a sentence without its subject: "owes orders: Blue movement"."""
    since: int
    """When the record that caused it came here (0: unknown)."""
    automatic: bool
    """The player's program does it without him."""
    mine: bool

    @property
    def sentence(self) -> str:
        """With its subject, for the player: "You owe orders: Blue movement"."""
        verb, _, rest = self.text.partition(" ")
        return (
            f"You { {'owes': 'owe', 'has': 'have'}.get(verb, verb) } {rest}"
            if self.mine
            else f"{self.name} {self.text}"
        )


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A file of the outbox."""

    path: Path
    game: str
    to: tuple[str, ...]
    """Whom it is for, as `Name <address>`."""
    automatic: bool
    at: int
    """When it was written."""
    silent: tuple[str, ...]
    """Those who have not shown that they hold what is in it."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """Somebody who has not shown that he holds one's own last record."""

    by: int
    to: str
    """As `Name <address>`."""
    letter: str
    """The file of the outbox that carries the record."""
    key: bytes
    """Of the game."""
    whole: bytes | None = None
    """Another file for him, where that one no longer carries all that he lacks."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which game of a tournament it is, as its umpire says."""

    key: bytes
    title: str
    round: int
    board: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """One line of the list."""

    name: str
    game: str
    """The module's title."""
    scenario: str
    title: str
    stage: Stage
    moment: str
    """What is asked: "Turn 3, Blue moves"; of others with their names: "Bob Silva is asked: Turn 3, Red moves"."""
    my_move: bool
    owed: tuple[Owed, ...]
    result: str
    restored: bool
    """Brought back from a backup and not yet resynced: nothing is signed."""
    fault: str = ""
    """Why the game cannot be shown: its rules are not installed, its files are damaged."""
    proposed: str = ""
    """Who asks to go back, and what that would undo, as long as it waits for an answer."""
    notice: str = ""
    """What stands in its way, and what to do: a fork that waits for a ruling, or that no ruling can mend any more;
    claims that stand. Of a game that ended by a forfeit: the dates of forfeit and claim, and what crossed it."""
    stuck: str = ""
    """Why this player's program cannot do what it owes (code and sentence), and what the players can do."""
    umpire: str = ""
    """Whose game it is; empty: it has none."""
    tournament: Place | None = None
    expires: int = 0
    """Until when it can be joined (0: without end)."""


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line of a draft as its player typed it, and the texts of the orders that it stands for."""

    typed: str
    orders: tuple[str, ...]
    left: bool = False
    """It was left over when a plan stopped, and nobody has typed it again."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """What became of the rest of a plan that stopped."""

    stopped: str
    """By what."""
    waiting: tuple[str, ...]
    """What cannot be tried yet: other orders are asked for first."""
    skipped: tuple[tuple[str, str], ...]
    """What was not legal when the draft came to it, and why."""


@dataclass(frozen=True, slots=True)
class LegalGroup:
    """Legal orders of one verb that begin with the same thing."""

    key: str
    """Of that thing: `u:B1`; of orders without one `v:done`."""
    verb: str
    begins: str
    """The words that they have in common."""
    orders: tuple[tuple[str, str], ...]
    """Their texts, with what the game says beside each (the title of a card), often nothing."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What is ordered and not sealed: up to where chance or somebody else is wanted, and what is to follow chance."""

    lines: tuple[DraftLine, ...]
    plan: tuple[DraftLine, ...]
    left: LeftOver | None = None
    asks: str = ""
    """What the player is asked after it; empty when that is all that can be ordered now."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What sealing the draft would do, for the player to see before they say yes."""

    drafted: Drafted
    standing: tuple[tuple[str, str, str, str], ...]
    """New standing orders: seat, kind, policy, state."""
    note: str
    """The message that travels with it."""
    left_undone: tuple[str, ...]
    after: tuple[str, ...]
    """Who is asked or owes something then, in sentences."""


@dataclass(frozen=True, slots=True)
class Gist:
    """What one's last file is about, as everybody may read it: nothing that only one player may know."""

    what: str
    """The game as people call it, and the turn: "Barbarossa, turn 3"."""
    did: str
    """What its sender has done, as a verb: "moved"."""
    happened: tuple[str, ...]
    """What came of it."""
    asked: tuple[tuple[str, str], ...]
    """The players who are asked next ("" for oneself), and what for ("" if it is simply their turn)."""
    whole: bool
    """Does the file hold all that its receivers have not answered?"""
    by: str = ""
    """The name of its sender."""


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A preset of standing orders: what it is for, and what it sets."""

    name: str
    text: str
    seats: tuple[str, ...]
    """One's own seats for which it is chosen and nothing has been changed since."""
    standing: tuple[tuple[str, str], ...]
    """The standing orders for each kind of decision; "" where the player is asked."""


_NAMED = 4  # records that a sentence names


@dataclass(frozen=True, slots=True)
class Undone:
    """What a takeback undoes. What was seen stays seen."""

    now: str
    """Where the game stands."""
    to: str
    """Where it would stand again."""
    records: tuple[str, ...]
    """Each as `0:5, orders of Alice Kern`."""
    orders: int
    """In these records."""
    dice: int
    """That were thrown since."""
    cards: int
    """That somebody has seen since."""
    happened: tuple[str, ...]
    """What happened since, as its reader may know it."""

    @property
    def way(self) -> str:
        return f"from [{self.now}] to [{self.to}]"

    @property
    def sum(self) -> str:
        """`2 records (0:5, orders of Alice Kern; 1:4, reveal of Bob Silva), 7 orders, 14 dice and 2 cards seen`."""
        named = "; ".join(self.records[:_NAMED])
        more = f"; and {len(self.records) - _NAMED} more" if len(self.records) > _NAMED else ""
        records = f"{len(self.records)} record{'s' * (len(self.records) != 1)} ({named}{more})"
        orders = f"{self.orders} order{'s' * (self.orders != 1)}"
        dice = f"{self.dice} {'die' if self.dice == 1 else 'dice'}"
        return f"{records}, {orders}, {dice} and {self.cards} card{'s' * (self.cards != 1)} seen"


@dataclass(frozen=True, slots=True)
class Opened:
    """What one file, or one block of a mail, turned out to be."""

    kind: Literal["card", "offer", "decline", "turn", "archive", "hello", "backup", "proof", "nothing"]
    game: str | None
    what: str
    """One sentence: what it was and from whom."""
    happened: tuple[str, ...] = ()
    """What it did: joins, orders, fights, as the game tells it to me."""
    owed: tuple[Owed, ...] = ()
    notes: tuple[str, ...] = ()
    """Warnings and messages: a changed key, records that wait for others, private remarks from the opponent."""
    posted: tuple[Posted, ...] = ()
    """Automatic answers that were written to the outbox."""
    new: int = 0
    """Records that were not here before."""
    refused: Refusal | None = None
    """Set when this block was refused while others of the same text were taken."""
    stuck: bool = False
    """The program owes something in the game and cannot give it; one of `notes` says why."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a phrase and backups brought back."""

    person: Person
    rows: tuple[GameRow, ...]
    faults: tuple[str, ...] = ()
    """Games or files that could not be brought back, and why."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One record of a game, for `log`."""

    by: int
    name: str
    seq: int
    kind: str
    id: str
    at: int
    arrived: int
    text: str
    message: str
