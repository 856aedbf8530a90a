"""A list of fights: ordered whole before the first die, carried out entry by entry, part of the state and not a plan.

```
 1 attack 0302 with 1,2 at 3:1       fought, and won
 2 break 0403 with 1 after 1         fought next: 1 was won
 3 attack 0605 with 3 at 2:1         skipped: the odds have fallen to 1:1
 4 attack 0605 with 3,4 unless 3     fought: 3 was not won
 5 repair 4 ask                      its owner is asked, and may list more
```

A game lists two steps, `FightList` (its owner orders) and `NextFight` (the machine carries out), in the sequence of a
frame that is a `Fights`. It describes each kind of entry by an `EntryKind`. Choices in the middle of a fight are
`InFight`, so that nobody is asked unless the entry or the offer's option `asked` says so. How a place is defended is a
`Defence`, chosen in advance and unseen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar, get_args

from pbem.engine.counts import upper
from pbem.engine.definition import Option
from pbem.engine.event import GivenBack, Out, Skipped
from pbem.engine.need import Known
from pbem.engine.notation import Numbers
from pbem.engine.order import Order, OrderPart, Violation
from pbem.engine.step import DONE, STAY, Auto, Call, Decide, Frame, Goto, Next, Pick
from pbem.engine.view import View

COMBATS = "combats"
ASKED = Option("asked", "Are defenders asked in the middle of fights?", ("no", COMBATS))
"""For `Game.options`; the state keeps the choice in a field `asked`."""
MOST_ENTRIES = 64


AFTER = OrderPart(
    "only after", "The number of an earlier entry of your list: this one is fought only if that one was won.",
    "only if entry {} was won",
)  # fmt: skip
UNLESS = OrderPart(
    "unless won", "The number of an earlier entry of your list: this one is fought only if that one was not won.",
    "only if entry {} was not won",
)  # fmt: skip
ASK = OrderPart(
    "ask me", "Without this you are not asked in the middle of the entry, not even about the losses and retreats of "
    "your own units. With it you are asked, and may then change the rest of your list. That costs a mail. Questions "
    "that a standing order of yours answers are not asked in any case.",
    "and ask me in the middle of it",
)  # fmt: skip
LEAST_ODDS = OrderPart(
    "least odds", "It is skipped if its odds are worse than these when its turn comes; empty: it is fought at any "
    "odds.",
    "at {} or better",
)  # fmt: skip


class Fate(StrEnum):
    """The outcome of an entry."""

    WAITING = "waiting"
    FOUGHT = "fought"  # carried out, not won
    WON = "won"
    SKIPPED = "skipped"
    STRUCK = "struck"  # by its owner, when asked


@dataclass(frozen=True, slots=True, kw_only=True)
class ListEntry(Order):
    """Base of the entries of a list. `after`: only if the entry of that number was won; `unless`: only if it was not.

    `ask`: its owner is asked in the middle of it, and gets the list back, before it if a fight has come between, or
    after it (`NextFight`). The text of an entry ends `[after {after}] [unless {unless}] [ask]`.
    """

    sampled: ClassVar[bool] = True  # by `legal`, without conditions

    after: Annotated[int, AFTER] = 0
    unless: Annotated[int, UNLESS] = 0
    ask: Annotated[bool, ASK] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Assault(ListEntry):
    """Base of entries that are fought. `least`: the lowest column of odds at which it is fought; None: any."""

    least: Annotated[int | None, LEAST_ODDS] = None


@dataclass(frozen=True, slots=True)
class Strike(Order, text="strike {number}", says="Strike entry {number} off your list"):
    """Strike a waiting entry off the list."""

    number: int


@dataclass(frozen=True, slots=True)
class Done(Order, text="done"):
    """End the list: it is carried out now."""


class Struck(Numbers):
    """Entries by their numbers; on the board, by what striking them does. `named`: `the attack on X`."""

    def __init__(self, named: Callable[[View[Any], Any], str]) -> None:
        self.named = named

    def says(self, order: Order, view: View[Any]) -> str:
        assert isinstance(order, Strike)
        f = view.frame
        if not isinstance(f, Fights) or not 0 < order.number <= len(f.entries):
            return f"strike entry {order.number} off your list"
        return f"strike {self.named(view, f.entries[order.number - 1])} off your list"

    def said_of(self, order: Order, value: int, view: View[Any]) -> str:
        return upper(self.says(order, view))


@dataclass(slots=True, kw_only=True)
class Fights(Frame):
    """A list in a frame. A game says what it holds: `entries: list[Attack | Repair] = field(default_factory=list)`."""

    entries: list[Any] = field(default_factory=list)
    fates: list[Fate] = field(default_factory=list)
    open: bool = True  # its owner is to list
    known: int = 0  # entries that were there when the list was given back: these can be struck off
    current: int = 0  # the number of the entry that is fought, or that its owner was asked about

    def firm(self) -> list[Any]:
        """While the list is made: the entries that depend on no other; the units that they use are taken."""
        listed = [self.entries[number - 1] for number in self.waiting()] if self.open else []
        return [entry for entry in listed if not (entry.after or entry.unless)]

    def waiting(self) -> tuple[int, ...]:
        """The numbers of the entries that are still to come."""
        return tuple(number for number, fate in enumerate(self.fates, start=1) if fate is Fate.WAITING)


@dataclass(slots=True, kw_only=True)
class Clash(Frame):
    """Base of the frame of one fight. `seat` attacks; `ask`: it is asked what it has to choose in the middle of it."""

    seat: str
    ask: bool = False
    stance: str = ""  # of the defender


class HasAsked(Protocol):
    """A state that keeps the option `ASKED`."""

    asked: str


S = TypeVar("S", bound=HasAsked)
F = TypeVar("F", bound=Fights, contravariant=True)
C = TypeVar("C", bound=Clash, contravariant=True)
O = TypeVar("O", bound=Order)  # noqa: E741 - orders
E = TypeVar("E", bound=ListEntry)


class EntryKind(ABC, Generic[S, F, E]):
    """One kind of entry: when it may be listed, when it may be carried out, and how that begins."""

    rule: ClassVar[str] = ""
    takes: ClassVar[type[ListEntry]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in cls.__dict__.get("__orig_bases__", ()):
            for kind in get_args(base):
                if isinstance(kind, type) and issubclass(kind, ListEntry):
                    cls.takes = kind

    def legal(self, s: S, f: F, seat: str) -> Iterable[E]:
        """Entries that may be listed now, in a fixed order (only some, if `sampled`). If there are many, write `first`
        and `picked` instead, as for a decision.
        """
        for each in self.first(s, f, seat):
            yield from self.picked(s, f, seat, each.value) if isinstance(each, Pick) else (each,)

    def first(self, s: S, f: F, seat: str) -> Iterable[Pick | E]:
        """A `Pick` for each thing with which entries begin, or such entries themselves."""
        return self.legal(s, f, seat)

    def picked(self, s: S, f: F, seat: str, pick: Any) -> Iterable[E]:
        """The entries that begin with it."""
        return ()

    def barred(self, s: S, f: F, seat: str, thing: str) -> Violation | None:
        """Why no entry begins with this unit or place; None: it cannot say."""
        return None

    def form(self, s: S, f: F, entry: E, proof: Known) -> Violation | None:
        """Why it could never be carried out, whatever the fights before it bring. `proof`: the slots that it opens."""
        return None

    @abstractmethod
    def now(self, s: S, f: F, entry: E) -> Violation | None:
        """Why it cannot be carried out now. Asked when its turn comes, and when it is listed without `after`."""

    def column(self, s: S, f: F, entry: E) -> int | None:
        """The column of its odds now, as `least` counts them; None: it has none."""
        return None

    def column_name(self, s: S, column: int) -> str:
        return str(column)

    @abstractmethod
    def start(self, s: S, f: F, entry: E, out: Out) -> Frame | None:
        """Begin it: the frame of its fight; None: it is done, and counts as won."""

    def won(self, s: S, f: F, entry: E, done: Any) -> bool:
        """Was it won? `done` is the frame of its fight."""
        return True

    def opens(self, s: S, f: F, seat: str, entry: E) -> tuple[str, ...]:
        """The slots of cards that go with it."""
        return ()


class _Kinds:
    """The kinds of entries, for both steps."""

    kinds: ClassVar[tuple[type[EntryKind[Any, Any, Any]], ...]]
    kind_of: ClassVar[Mapping[type[Order], EntryKind[Any, Any, Any]]]

    @classmethod
    def _collect(cls) -> None:
        if "kinds" in cls.__dict__:
            cls.kind_of = {kind.takes: kind for kind in (each() for each in cls.kinds)}

    def odds_fallen(self, s: Any, f: Any, entry: Any) -> Violation | None:
        """Are the odds worse than the entry wants?"""
        least = getattr(entry, "least", None)
        if least is None:
            return None
        kind = self.kind_of[type(entry)]
        column = kind.column(s, f, entry)
        if column is None or column >= least:
            return None
        sentence = f"the odds are {kind.column_name(s, column)}, less than {kind.column_name(s, least)}"
        return Violation(kind.rule, sentence)


class FightList(_Kinds, Decide[S, F, Order]):
    """Its owner lists fights until `done`. A game names `kinds`, and its own order `done` if it has one.

    The list lies in the records as it was ordered, before any die: from `done` on it changes only where an entry asks.
    Other orders that it takes are its `choices`. `closes`: it ends by itself when nothing is left to list.
    """

    done: ClassVar[type[Order]] = Done
    closes: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        cls._collect()
        super().__init_subclass__()
        if "kinds" in cls.__dict__:
            others = tuple(kind for kind in cls.choice_of if kind not in (Strike, cls.done))
            cls.takes = (*cls.kind_of, Strike, cls.done, *others)

    def owner(self, s: S, f: F) -> str:
        return str(getattr(f, "seat"))  # noqa: B009 - the game's own frame

    def has_something(self, s: S, f: F) -> bool:
        """Is there anything to list? If not, nobody is asked."""
        seat = self.owner(s, f)
        return any(next(iter(kind.first(s, f, seat)), None) is not None for kind in self.kind_of.values())

    def may_end(self, s: S, f: F) -> Violation | None:
        """Why the list cannot end here: what must be fought and is not listed."""
        return None

    def by(self, s: S, f: F) -> Sequence[str]:
        if not f.open:
            return ()
        waits = self._strikable(f) if self.closes else f.entries
        return (self.owner(s, f),) if waits or self.has_something(s, f) else ()

    @staticmethod
    def _strikable(f: Any) -> list[int]:
        return [number for number in f.waiting() if number <= f.known]

    def prompt(self, s: S, f: F, seat: str) -> str:
        asked = f"Entry {f.current} would be next. " if f.current else ""
        return f"{asked}List what is to be fought, in order; end with `done`."

    def first(self, s: S, f: F, seat: str, own: Known) -> Iterator[Pick | Order]:
        if self.may_end(s, f) is None:
            yield self.done()
        yield from map(Strike, self._strikable(f))
        yield from super().first(s, f, seat, own)
        if len(f.entries) < MOST_ENTRIES:
            for kind in self.kind_of.values():
                for each in kind.first(s, f, seat):
                    yield Pick(each.key, (kind, each.value), (kind.takes,)) if isinstance(each, Pick) else each

    def picked(self, s: S, f: F, seat: str, own: Known, pick: Any) -> Iterable[Order]:
        part, value = pick
        if isinstance(part, EntryKind):
            found: Iterable[Order] = part.picked(s, f, seat, value)
            return found
        return super().picked(s, f, seat, own, pick)

    def barred(self, s: S, f: F, seat: str, thing: str) -> Violation | None:
        found = (kind.barred(s, f, seat, thing) for kind in self.kind_of.values())
        return next(filter(None, found), None) or super().barred(s, f, seat, thing)

    def opens(self, s: S, f: F, seat: str, order: Order) -> tuple[str, ...]:
        if isinstance(order, ListEntry):
            return self.kind_of[type(order)].opens(s, f, seat, order)
        return self.choice_of[type(order)].opens(s, f, seat, order) if type(order) in self.choice_of else ()

    def check(self, s: S, f: F, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Strike):
            struck = order.number in self._strikable(f)
            return (
                None if struck else Violation(self.rule, f"There is no entry {order.number} that could be struck off")
            )
        if not isinstance(order, ListEntry):
            return self.may_end(s, f) if isinstance(order, self.done) else super().check(s, f, seat, order, proof)
        if len(f.entries) == MOST_ENTRIES:
            return Violation(self.rule, f"A list has at most {MOST_ENTRIES} entries")
        for number in (order.after, order.unless):
            if not 0 <= number <= len(f.entries):
                return Violation(self.rule, f"There is no entry {number} before this one")
        kind = self.kind_of[type(order)]
        bound = order.after or order.unless
        return kind.form(s, f, order, proof) or (None if bound else kind.now(s, f, order))

    def apply(self, s: S, f: F, answers: Mapping[str, Order], out: Out) -> Next:
        ((_, order),) = answers.items()
        if isinstance(order, Strike):
            f.fates[order.number - 1] = Fate.STRUCK
        elif isinstance(order, ListEntry):
            f.entries.append(order)
            f.fates.append(Fate.WAITING)
        else:
            return DONE if isinstance(order, self.done) else super().apply(s, f, answers, out)
        return STAY


class NextFight(_Kinds, Auto[S, F]):
    """Carries the list out, entry by entry; entries that are no longer possible are skipped, and the report says why.

    A game names its `listing`, which gets the list back where an entry asks, and at the end if there is `more`.
    `after`: once that entry has been fought, so that its owner, whom it asks in the middle, is stopped for once; else
    before it, if anything has been fought since its owner last had the list.
    """

    listing: ClassVar[type[FightList[Any, Any]]]
    after: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "listing" in cls.__dict__:
            cls.kind_of = cls.listing.kind_of
            cls.goes_back = (cls.listing,)

    def ahead(self, s: S, f: F) -> str:
        """With `asked = combats`: a warning of what a defender who is asked in the middle will have read."""
        left = len(f.waiting())
        if s.asked != COMBATS or not left:
            return ""
        many = f"the {left} entries" if left > 1 else "the one entry"
        return f"A defender who is asked in the middle of this fight will have read {many} that follow in your list."

    def more(self, s: S, f: F) -> bool:
        """When the list is through: must its owner list more?"""
        return False

    def run(self, s: S, f: F, out: Out) -> Next:
        f.open = False
        if self.after and f.current and f.entries[f.current - 1].ask:
            f.current = 0
            if f.waiting() or self.listing().has_something(s, f):
                return self._give_back(s, f, out)
        for number in f.waiting():
            entry = f.entries[number - 1]
            kind = self.kind_of[type(entry)]
            why = self._depends(f, entry) or kind.now(s, f, entry) or self.odds_fallen(s, f, entry)
            if why is not None:
                f.fates[number - 1] = Fate.SKIPPED
                seat = self.listing.owner(self.listing(), s, f)
                out.add(Skipped(seat=seat, number=number, order=entry, why=why.reason, rule=why.rule or self.rule))
                continue
            if entry.ask and not self.after and f.current and f.fates[f.current - 1] in (Fate.FOUGHT, Fate.WON):
                f.current = number  # something was fought since its owner last saw the list
                return self._give_back(s, f, out)
            f.current = number
            called = kind.start(s, f, entry, out)
            f.fates[number - 1] = Fate.FOUGHT if called is not None else Fate.WON
            if called is not None:
                return Call(called, again=True)
        if not self.more(s, f):
            return DONE
        f.current = 0
        return self._give_back(s, f, out)

    def _give_back(self, s: S, f: Any, out: Out) -> Next:
        f.open, f.known = True, len(f.entries)
        waiting = tuple((number, f.entries[number - 1]) for number in f.waiting())
        out.add(GivenBack(seat=self.listing.owner(self.listing(), s, f), waiting=waiting, rule=self.rule))
        return Goto(self.listing)

    def back(self, s: S, f: F, done: Any, out: Out) -> None:
        entry = f.entries[f.current - 1]
        if self.kind_of[type(entry)].won(s, f, entry, done):
            f.fates[f.current - 1] = Fate.WON

    @staticmethod
    def _depends(f: Any, entry: Any) -> Violation | None:
        if entry.after and f.fates[entry.after - 1] is not Fate.WON:
            return Violation("", f"entry {entry.after} was not won")
        if entry.unless and f.fates[entry.unless - 1] is Fate.WON:
            return Violation("", f"entry {entry.unless} was won")
        return None


class InFight(Decide[S, C, O]):
    """A choice in the middle of a fight, answered by public standing orders or the default.

    The attacker is asked only if the entry says so, everybody else only if the offer does (`ASKED`). `attacks`: is it
    ever the attacker's choice?
    """

    attacks: ClassVar[bool] = True

    def asks(self, s: S, f: C, seat: str) -> bool:
        return f.ask if seat == f.seat else s.asked == COMBATS

    def unasked(self, s: S) -> str:
        return _unasked(s) if self.attacks else _unasked(s).partition(";")[0]


class InMiddle:
    """Like `InFight`, in a frame that names the attacker, since losses and retreats can fall on either side."""

    def asks(self, s: Any, f: Any, seat: str) -> bool:
        return bool(f.ask) if seat == f.attacker else s.asked == COMBATS

    def unasked(self, s: Any) -> str:
        return _unasked(s)


def _unasked(s: Any) -> str:
    return "" if s.asked == COMBATS else "default; you are asked only in attacks of yours with “ask”"


@dataclass(frozen=True, slots=True)
class Defend(Order, text="defend {how}", says="Defend: {how}"):
    """Say how a place is defended."""

    how: str


class Defence(InFight[S, C, Defend]):
    """How a place is defended: a stance, sealed in advance, opened with the dice of the fight.

    A game says who defends (`by`), when stances may change (`may_change`: not while the enemy's list is carried out),
    what they are (`stances`), what they may go by (`fact_names`, `facts`: hex, unit, odds), and its `default`. The
    answer lies in the frame's `stance`.
    """

    name = "defence"
    takes = (Defend,)
    stance = True
    attacks = False
    stances: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if "name" not in cls.__dict__:
            cls.name = Defence.name
        super().__init_subclass__()
        if "stances" in cls.__dict__:
            cls.answer_names = cls.stances

    @abstractmethod
    def may_change(self, s: S, seat: str) -> bool: ...

    def offered(self, s: S, f: C, seat: str) -> Iterable[str]:
        """Those that are open to the defender here."""
        return self.stances

    def legal(self, s: S, f: C, seat: str, own: Known) -> Iterator[Defend]:
        return map(Defend, self.offered(s, f, seat))

    def check(self, s: S, f: C, seat: str, order: Defend, proof: Known) -> Violation | None:
        offered = tuple(self.offered(s, f, seat))
        return None if order.how in offered else Violation(self.rule, f"The choices here are {', '.join(offered)}")

    def apply(self, s: S, f: C, answers: Mapping[str, Defend], out: Out) -> Next:
        ((_, order),) = answers.items()
        f.stance = order.how
        return DONE

    def answers(self, s: S, f: C, seat: str, own: Known) -> Mapping[str, Defend]:
        return {how: Defend(how) for how in self.offered(s, f, seat)}
