"""Steps, which authors of rules write. A sequence of play is a list of them, and reads like the rulebook's sequence of
play.

Steps hold no data: what changes lives in the state `s` and in the frame `f`, the typed locals of one sequence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, final, get_args

from pbem.engine.event import Out
from pbem.engine.need import NOTHING_KNOWN, Draw, Known, Request, Result
from pbem.engine.order import Order, Violation, snake

S = TypeVar("S")
F = TypeVar("F", bound="Frame", contravariant=True)  # a step for a frame serves its subclasses
G = TypeVar("G", bound="Frame")
O = TypeVar("O", bound=Order)  # noqa: E741 - orders


class Frame:
    """Base of frames: dataclasses of plain data. `kind` names the sequence in saves.

    `turn` marks the frame of one seat's turn. Its steps never go back, except to steps that a step names in
    `goes_back`. A plan made in it ends with it, and the orders of its `mover` also answer its windows (MEA-17).
    """

    __slots__ = ()
    kind: ClassVar[str]
    turn: ClassVar[bool] = False

    @property
    def mover(self) -> str:
        """The seat whose turn it is, in a frame with `turn`: its field `seat`, or `side`."""
        return str(getattr(self, "seat", "") or getattr(self, "side", ""))

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = snake(cls.__name__)


@dataclass(frozen=True, slots=True)
class Done:
    """Go on to the next step; after the last one the sequence returns."""


@dataclass(frozen=True, slots=True)
class Stay:
    """Repeat this step (its `when` is evaluated again)."""


@dataclass(frozen=True, slots=True)
class Goto:
    """Go on with another step of the same sequence."""

    step: type[Step[Any, Any]]


@dataclass(frozen=True, slots=True)
class Call:
    """Run another sequence, then go on to the next step, or with `again` repeat this one."""

    frame: Frame
    again: bool = False


@dataclass(frozen=True, slots=True)
class Return:
    """Leave this sequence at once."""


@dataclass(frozen=True, slots=True)
class End:
    """The game is over."""

    result: Result


Next = Done | Stay | Goto | Call | Return | End
DONE, STAY, RETURN = Done(), Stay(), Return()


AUTO, ROLL, DEAL, OPEN, DECIDE = range(5)


class GameError(TypeError):
    """The author of a game made a mistake; the sentence names the game and, where there is one, the step."""

    def __init__(self, game: str, step: str, sentence: str) -> None:
        self.game, self.step, self.sentence = game, step, sentence
        super().__init__(f"In the game {game}{f', step {step}' if step else ''}: {sentence}.")


def last_line(error: BaseException, inside: Callable[[str], bool]) -> str:
    """File and line of the last frame in such a module: `, rules.py line 44`. No values, which may be secret."""
    found, trace = "", error.__traceback__
    while trace is not None:
        if inside(trace.tb_frame.f_globals.get("__name__", "")):
            file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
            found = f", {file} line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


class Step(ABC, Generic[S, F]):
    """One step. `name` is unique in the game and is part of saves and labels; `rule` is the paragraph that it
    implements.

    `form` is set by the base classes below: asking for it costs the machine less than asking for the class.
    """

    form: ClassVar[int]
    name: ClassVar[str]
    rule: ClassVar[str] = ""
    goes_back: ClassVar[
        tuple[type[Step[Any, Any]], ...]
    ] = ()  # in the frame of a turn: earlier steps that it may go to

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            cls.name = snake(cls.__name__)

    def when(self, s: S, f: F) -> bool:
        """False: the step is skipped."""
        return True

    def ahead(self, s: S, f: F) -> str:
        """A sentence on what players who are asked before this step goes on will have read; shown before sealing."""
        return ""

    def back(self, s: S, f: F, done: Any, out: Out) -> None:
        """The sequence that this step called has ended; `done` is its frame, with its results."""


class Auto(Step[S, F]):
    """Bookkeeping that asks nobody."""

    form = AUTO

    @abstractmethod
    def run(self, s: S, f: F, out: Out) -> Next: ...


class Roll(Step[S, F]):
    """Dice and other draws."""

    form = ROLL

    @abstractmethod
    def draws(self, s: S, f: F) -> Iterable[Draw]:
        """Must change nothing; labels are distinct within the call. Without draws, `run` is called at once."""

    def rolled(self, s: S, f: F) -> str:
        """A sentence on what the draws decide, for players about to seal; empty: they see how many dice there are."""
        return ""

    @abstractmethod
    def run(self, s: S, f: F, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        """`got`: the results by label."""


class Deal(Step[S, F]):
    """Shuffles, cards given to seats, cards shown."""

    form = DEAL

    @abstractmethod
    def requests(self, s: S, f: F) -> Iterable[Request]:
        """Must change nothing: `run` does the deck's bookkeeping."""

    @abstractmethod
    def run(self, s: S, f: F, shown: Mapping[str, int], out: Out) -> Next:
        """`shown`: the cards of the `Show` requests by slot."""


class Open(Step[S, F]):
    """Secret choices become public. Their owners' programs open them, so a record of orders ends here, as at dice."""

    form = OPEN

    @abstractmethod
    def slots(self, s: S, f: F) -> Iterable[str]:
        """Slots that a `Secret` step has been given. Must change nothing."""

    @abstractmethod
    def check(self, s: S, f: F, slot: str, order: Order) -> Violation | None:
        """Could this order have been sealed in the slot? It may be any order of the game."""

    @abstractmethod
    def run(self, s: S, f: F, opened: Mapping[str, Order], out: Out) -> Next: ...


def _named(cls: type[Any]) -> tuple[type[Order], ...]:
    """The orders that the class is written for: `Ask[Field, Arrival, Place]`, `Decide[Field, Moving, Move | Halt]`."""
    arguments = [each for base in cls.__dict__.get("__orig_bases__", ()) for each in get_args(base)]
    kinds = [kind for each in arguments for kind in get_args(each) or (each,)]
    return tuple(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Order) and kind is not Order)


def _same(one: Any, other: Any) -> bool:
    """Of equal values: are they of the same type, all the way down? `Move(True, 2)` is not `Move(1, 2)`."""
    if isinstance(one, tuple):
        return type(one) is type(other) and all(map(_same, one, other))
    return type(one) is type(other)


def _lists(orders: Iterable[Order], order: Any) -> bool:
    for each in orders:
        if each == order:
            names = order.__dataclass_fields__
            if all(_same(getattr(each, name), getattr(order, name)) for name in names):
                return True
    return False


def listed(owner: Any, method: str, found: Iterable[O] | None) -> Iterable[O]:
    """What an author's method lists, if it lists something."""
    if found is None or isinstance(found, Order):
        what = "None" if found is None else type(found).__name__
        name = getattr(owner, "name", type(owner).__name__)
        sentence = f"{method} returned {what}; it must return the orders, as a list or one by one (yield)"
        raise GameError(type(owner).__module__, name, sentence)
    return found


class Pick(NamedTuple):
    """A first step to an order: the key that a player clicks (`u:3Pz`), and the value from which `picked` lists orders.

    `kinds`: the kinds of these orders; empty: they have to be listed to know.
    """

    key: str
    value: Any = None
    kinds: tuple[type[Order], ...] = ()


class Listing(Generic[S, F, O]):
    """Base of a decision and of its choices: it lists legal orders by `legal`, or by `first` and `picked`.

    The second way is for large decisions, whose orders take long to list: it finds the units that can do something
    without listing their orders.
    """

    def legal(self, s: S, f: F, seat: str, own: Known) -> Iterable[O]:
        """Every order that `check` accepts and `duty` does not forbid (of `sampled` kinds, some of them).

        Lazily, in a fixed order. `own`: the hidden values that the seat knows.
        """
        for each in self.first(s, f, seat, own):
            if isinstance(each, Pick):
                yield from listed(self, "picked", self.picked(s, f, seat, own, each.value))
            else:
                yield each

    def first(self, s: S, f: F, seat: str, own: Known) -> Iterable[Pick | O]:
        """The first steps: a `Pick` for each thing with which legal orders begin, or such orders themselves."""
        return listed(self, "legal", self.legal(s, f, seat, own))

    def picked(self, s: S, f: F, seat: str, own: Known, pick: Any) -> Iterable[O]:
        """The legal orders that begin with this value of a `Pick` from `first`; there is at least one."""
        return ()

    def barred(self, s: S, f: F, seat: str, thing: str) -> Violation | None:
        """Why no legal order begins with this unit or place, as orders name it; None: the reason is not known."""
        return None


class Listed(Listing[S, F, O]):
    """Base of decisions and choices that allow only the orders listed for somebody who knows nothing hidden."""

    rule: ClassVar[str] = ""
    no: ClassVar[str] = "That cannot be chosen here"

    def check(self, s: S, f: F, seat: str, order: O, proof: Known) -> Violation | None:
        """Like `check` of a decision."""
        found = listed(self, "legal", self.legal(s, f, seat, NOTHING_KNOWN))
        return None if _lists(found, order) else self.why(s, f, seat, order)

    def why(self, s: S, f: F, seat: str, order: O) -> Violation:
        """Why an order that is not listed is not allowed; the order may be anything."""
        return Violation(self.rule, self.no)


class Choice(Listed[S, F, O], ABC):
    """One kind of order of a decision: when it is legal, why not, and what it does.

    Without a `check` of its own it allows only the orders that `legal` lists for somebody who knows nothing hidden;
    `no` is the sentence that refuses all others, and `why` can give a better one.
    """

    takes: ClassVar[tuple[type[Order], ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "takes" not in cls.__dict__ and (orders := _named(cls)):
            cls.takes = orders

    @abstractmethod
    def apply(self, s: S, f: F, seat: str, order: O, out: Out) -> Next:
        """Cannot fail: the order has been checked."""

    def opens(self, s: S, f: F, seat: str, order: O) -> tuple[str, ...]:
        """The slots that must be opened with the order: cards played, or choices of a `Secret` step."""
        return ()


class Decide(Step[S, F], Listing[S, F, O]):
    """A choice by one seat, or by several at once: `legal`, `check` and `apply`, or a list of `choices` that have them.

    `choices`: for one seat that chooses among several kinds of order, one `Choice` for each kind, in the order of the
    rulebook. `takes` is collected from them, or from the type arguments (`Decide[Field, Moving, Move | Halt]`).

    Several seats: each order is checked on its own before any takes effect; then `apply` gets them all, in the order of
    `by`. `sealed`: each answer is committed first and opened when all are in. `forced`: the engine takes the order when
    there is exactly one; set it only where `legal` does not use `own`. `window`: a chance to interrupt (see
    window.py); `passing` is the answer that does nothing. `preset`: until a seat says otherwise, its standing orders
    for this decision are `then default`, or those given here, so that players are not asked where one answer is nearly
    always right. `shows`: its answers show cards, so standing orders for it are sealed unless their owner says
    otherwise; preset ones then go with the first record of the seat's home. `stance`: a choice made in advance and in
    secret. Its standing orders are sealed unless their owner says otherwise, can be given only while `may_change`
    allows it, and are public from the first answer on. It depends on nothing hidden.
    `private`: only the seat knows what it must do here (`duty`), so no plan answers. `answer_names`: all names that
    `answers` can ever have; a name in capitals stands for many (`CARD`; `is_answer` knows them); empty: not stated.
    `seats`: the only seats that it can ask, if these are not all; the others give no standing orders for it.
    `uneven`: why the orders of a sealed or secret decision may differ in the size of their boxes, which all can see.
    `ends`: the sentence of its `done` or `decline`. `phase`: a phase of the player's own turn, in which they act:
    `ask-nothing` asks all the same.
    """

    form = DECIDE
    takes: ClassVar[tuple[type[Order], ...]] = ()
    seats: ClassVar[tuple[str, ...]] = ()
    choices: ClassVar[tuple[type[Choice[Any, Any, Any]], ...]] = ()
    choice_of: ClassVar[Mapping[type[Order], Choice[Any, Any, Any]]] = {}
    sealed: ClassVar[bool] = False
    secret: ClassVar[bool] = False
    forced: ClassVar[bool] = False
    window: ClassVar[bool] = False
    preset: ClassVar[bool | str] = False
    shows: ClassVar[bool] = False
    stance: ClassVar[bool] = False
    private: ClassVar[bool] = False
    uneven: ClassVar[str] = ""
    ends: ClassVar[str] = ""
    phase: ClassVar[bool] = False
    default: ClassVar[str | None] = None
    fact_names: ClassVar[tuple[str, ...]] = ()
    answer_names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "choices" in cls.__dict__:
            made = [(kind, choice) for choice in (each() for each in cls.choices) for kind in choice.takes]
            cls.choice_of = dict(made)
            cls.takes = tuple(kind for kind, _ in made)
        elif "takes" not in cls.__dict__ and (orders := _named(cls)):
            cls.takes = orders

    def by(self, s: S, f: F) -> SequenceOf[str]:
        """The seats that must answer; none: the step is skipped. By default the seat that the frame names."""
        return (getattr(f, "seat"),)  # noqa: B009 - the game's own frame; `compiled` has seen that it has one

    def legal(self, s: S, f: F, seat: str, own: Known) -> Iterable[O]:
        """See `Listing.legal`."""
        if type(self).first is not Decide.first:
            yield from super().legal(s, f, seat, own)
            return
        for choice in dict.fromkeys(self.choice_of.values()):
            yield from listed(choice, "legal", choice.legal(s, f, seat, own))

    def first(self, s: S, f: F, seat: str, own: Known) -> Iterable[Pick | O]:
        if type(self).legal is not Decide.legal:
            yield from super().first(s, f, seat, own)
            return
        for choice in dict.fromkeys(self.choice_of.values()):
            for each in choice.first(s, f, seat, own):
                yield Pick(each.key, (choice, each.value), choice.takes) if isinstance(each, Pick) else each

    def picked(self, s: S, f: F, seat: str, own: Known, pick: Any) -> Iterable[O]:
        choice, value = pick
        found: Iterable[O] = listed(choice, "picked", choice.picked(s, f, seat, own, value))
        return found

    def barred(self, s: S, f: F, seat: str, thing: str) -> Violation | None:
        found = (choice.barred(s, f, seat, thing) for choice in dict.fromkeys(self.choice_of.values()))
        return next(filter(None, found), None)

    def says(self, s: S, f: F, seat: str, order: Order) -> str:
        """A better sentence for an order than its pattern gives, such as what `done` ends here; empty: none."""
        return self.ends if order.written in ("done", "decline") else ""

    def check(self, s: S, f: F, seat: str, order: O, proof: Known) -> Violation | None:
        """Why the order is not allowed, without listing all. `proof` holds only the slots that `opens` names."""
        return self.choice_of[type(order)].check(s, f, seat, order, proof)

    def apply(self, s: S, f: F, answers: Mapping[str, O], out: Out) -> Next:
        """Cannot fail: the answers have been checked."""
        if len(answers) != 1:
            raise self._for_several(answers)
        ((seat, order),) = answers.items()
        return self.choice_of[type(order)].apply(s, f, seat, order, out)

    def _for_several(self, seats: Iterable[str]) -> GameError:
        sentence = f"by asks {', '.join(seats)}; write a Decide with an apply for several"
        return GameError(type(self).__module__, self.name, sentence)

    @property
    def is_planned(self) -> bool:
        """May a plan answer it (MEA-6)?"""
        return not (self.sealed or self.secret or self.private)

    def asks(self, s: S, f: F, seat: str) -> bool:
        """False: the seat is not asked here. If its standing orders do not answer, `default` does, or else the first
        legal order; so this must not depend on anything hidden."""
        return True

    def unasked(self, s: S) -> str:
        """If a seat without standing orders is not asked in this game: how that is shown to it. Empty: it is asked."""
        return ""

    def may_change(self, s: S, seat: str) -> bool:
        """May the seat give standing orders for this decision now? A stance must not change while the enemy attacks."""
        return True

    def prompt(self, s: S, f: F, seat: str) -> str:
        """One line for the player."""
        return self.name

    def opens(self, s: S, f: F, seat: str, order: O) -> tuple[str, ...]:
        """The slots that must be opened with the order: cards played, or choices of a `Secret` step."""
        return self.choice_of[type(order)].opens(s, f, seat, order) if self.choice_of else ()

    def duty(self, s: S, f: F, seat: str, order: O, own: Known) -> Violation | None:
        """Why an order that `check` accepts is forbidden by what only the seat knows (`own`).

        Others cannot see it, so records are judged without it. The seat's own program asks it before it seals the
        order, and `legal` lists nothing that it forbids; the audit asks it again when all secrets are open.
        """
        return None

    def passing(self, s: S, f: F, seat: str) -> O | None:
        """In a window: the order by which a seat does nothing."""
        return None

    def facts(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, int]:
        """`fact_names` and their values, which standing orders may compare. For public ones `own` is empty."""
        return {}

    def answers(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, O]:
        """The answers that standing orders may give, by name. A decision without it takes no standing orders."""
        return {}

    def is_answer(self, s: S, name: str) -> bool:
        """Can `answers` ever have this name? Used when a player types; records are judged by `answers` alone."""
        return not self.answer_names or name in self.answer_names


class Ask(Listed[S, F, O], Decide[S, F, O]):
    """One seat chooses among the orders that `options` lists, and `do` carries the choice out; all others are refused.

    For decisions whose options follow from public knowledge, and are so few that they can be gone through for each
    order that comes in; others are a `Decide`. `no` is the sentence that refuses other orders, `why` a better one.
    """

    @abstractmethod
    def options(self, s: S, f: F, seat: str) -> Iterable[O]:
        """All that is allowed, in a fixed order."""

    @abstractmethod
    def do(self, s: S, f: F, seat: str, order: O, out: Out) -> Next | None:
        """Cannot fail: the order is among the options. If it returns None, the next step follows, as after DONE."""

    @final
    def legal(self, s: S, f: F, seat: str, own: Known) -> Iterable[O]:
        return listed(self, "options", self.options(s, f, seat))

    @final
    def apply(self, s: S, f: F, answers: Mapping[str, O], out: Out) -> Next:
        if len(answers) != 1:
            raise self._for_several(answers)
        ((seat, order),) = answers.items()
        following = self.do(s, f, seat, order, out)
        return DONE if following is None else following


def misplaced(step: Decide[Any, Any, Any], s: Any, f: Frame, seat: str, order: Order) -> Violation:
    """The refusal of an order that does not answer what is asked: it says what is asked instead."""
    word = (order.written or order.kind).split()[0]
    return Violation(step.rule, f"`{word}` is not possible now. {step.prompt(s, f, seat)}".rstrip("."))


class Secret(Decide[S, F, O]):
    """A choice that stays committed until an `Open` step asks for its slot; `hide` gets the slots by seat.

    A player's own program calls `check` before it commits; the `Open` step judges the choice when it is opened.
    """

    secret = True

    @abstractmethod
    def hide(self, s: S, f: F, slots: Mapping[str, str], out: Out) -> Next: ...

    def apply(self, s: S, f: F, answers: Mapping[str, O], out: Out) -> Next:
        raise TypeError(f"the answers of {self.name} are never applied")


class Sequence(Generic[S, G]):
    """The steps of one frame type, in order."""

    __slots__ = ("frame", "steps")

    def __init__(self, frame: type[G], *steps: Step[S, G]) -> None:
        self.frame = frame
        self.steps = steps
