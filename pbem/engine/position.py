"""The position of a match, apart from the machine and the ledger: small, and saved as it is (docs/spec/meaning.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.engine.need import Result
from pbem.engine.obligation import Item
from pbem.engine.order import PlainLine, PlainOrder

NONCES = "nonces"
ORDERS = "orders"
ANSWERS = "answers"  # of sealed standing orders
UNSEALING = "open"  # of the sealed answers to one decision
DICE = "dice"
CARDS = "cards"
OPENINGS = "openings"  # of secret choices
OVER = "over"

Member = tuple[int, bytes, int]
"""A record of class play: author, id, number."""
Change = tuple[str, str, Any]
"""New standing orders: seat, decision, and what `read_standing` reads."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim: the things that its author says the game is waiting for (MEA-10)."""

    by: int
    owed: tuple[Item, ...]


@dataclass(slots=True)
class Barrier:
    """The things that must come from outside before the machine goes on (MEA-2).

    `due` shrinks as things come in; `asked` are the seats asked for orders, `alone`: by one
    player. `answers` are those in so far, as in a record, by
    seat (None: committed); `live` the records that gave them, `records` all that were taken here (after the end: those
    that sign the result, and once one opens everything, those that do). `standing` waits for
    the barrier to be passed, so that records of one barrier may come in any order. `state` is the state hash, once
    wanted. `claims` are those made here, by record id: what one of them names and `due` still holds has been owed ever
    since, for nothing comes back into `due`.
    """

    phase: str
    due: dict[Item, int] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    alone: bool = False
    answers: dict[str, PlainOrder | None] = field(default_factory=dict)
    live: list[Member] = field(default_factory=list)
    records: list[Member] = field(default_factory=list)
    standing: list[Change] = field(default_factory=list)
    state: bytes | None = None
    claims: dict[bytes, Claim] = field(default_factory=dict)

    def silent(self, claim: bytes) -> set[int]:
        """The players who have owed something that this claim names ever since it was made."""
        return (
            {self.due[item] for item in self.claims[claim].owed if item in self.due} if claim in self.claims else set()
        )

    def owed_by(self, by: int) -> list[Item]:
        return [item for item, player in self.due.items() if player == by]

    def chance(self) -> list[Item]:
        """Nonces and dice that are due: what their owner may have seen alone."""
        return [item for item in self.due if item[0] in ("nonce", "dice")]


@dataclass(frozen=True, slots=True)
class Plans:
    """Orders of one record that wait for the machine to ask their author again (MEA-6).

    `at` counts those that came up: there may be thousands, and each is taken alone, so none are copied. `seat` ordered
    last, in this `turn`. `skipped` were not legal when they came up: the place of each, and why.
    """

    by: int
    seat: str
    orders: tuple[PlainLine, ...]
    at: int = 0
    turn: int = 0
    skipped: tuple[tuple[int, str], ...] = ()

    def __len__(self) -> int:
        return len(self.orders) - self.at

    def next(self) -> PlainLine:
        return self.orders[self.at]

    def taken(self) -> Plans:
        """When the next has been taken."""
        return replace(self, at=self.at + 1)

    def skip(self, why: str) -> Plans:
        return replace(self, at=self.at + 1, skipped=(*self.skipped, (self.at, why)))

    @property
    def done(self) -> tuple[PlainLine, ...]:
        skipped = {at for at, _ in self.skipped}
        return tuple(each for at, each in enumerate(self.orders[: self.at]) if at not in skipped)

    @property
    def left(self) -> tuple[PlainLine, ...]:
        return self.orders[self.at :]


@dataclass(slots=True)
class Proposal:
    """A tie, a takeback or a migration that was offered, and who has still to say yes (MEA-8, MEA-9).

    `shown`: the nonces (`nonce/BY`) and the dice (orders ids) that have been shown since, in it or beside it.
    """

    what: str
    by: int
    waiting: set[int]
    to: tuple[tuple[int, int], ...] = ()
    behaviour: int = 0
    data: bytes = b""
    needs: str = ""
    before: bytes = b""
    after: bytes = b""
    shown: set[bytes] = field(default_factory=set)

    def show(self, item: Item, waiting: Iterable[int]) -> None:
        """Chance that nobody but its owner knew: who agreed before it was shown has to agree again."""
        if (key := shown_key(item)) not in self.shown:
            self.shown.add(key)
            self.waiting = set(waiting)


def shown_key(item: Item) -> bytes:
    return item[1] if isinstance(item[1], bytes) else f"nonce/{item[1]}".encode()


@dataclass(slots=True)
class Position:
    """All that a match remembers besides machine and ledger.

    `group`, `key` and `drawn` belong to the key in force: its members, its value once known, and how often each label
    was drawn under it. `epochs` counts the shuffles that the rules have had of each deck, `shuffles` all that were
    begun. `hands`: unless the mode is `strict`, the seat to which a slot was given, "" for all. `spoiled`: a card
    proved that somebody cheated in a shuffle (HID-18). `ended`: whose word on the result is in; a resignation is one,
    a ruling that ends the game stands for all (MEA-11). `forkers`: whose forks a ruling has shown. `stopped`: who
    opened everything in place of their pass (HID-14). `claimed`: a ruling by players has put somebody out (MEA-8).
    `put_out`: who has lost by a ruling, and by which.
    """

    barrier: Barrier
    group: tuple[Member, ...] = ()
    key: bytes | None = None
    drawn: dict[str, int] = field(default_factory=dict)
    plans: Plans | None = None
    proposals: dict[bytes, Proposal] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)
    result: Result | None = None
    ended: set[int] = field(default_factory=set)
    forkers: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    pin: int = 0
    behaviour: int = 0
    data: bytes = b""  # digest of the data in force
    hands: dict[str, str] = field(default_factory=dict)
    shuffles: int = 0
    spoiled: bool = False
    stopped: Member | None = None
    claimed: bool = False
    put_out: dict[int, bytes] = field(default_factory=dict)
