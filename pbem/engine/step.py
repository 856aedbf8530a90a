"""Steps: what a rules author writes. A sequence of play is a list of them and reads like the rulebook's.

Steps hold no data: what changes lives in the state `s` and in the frame `f`, the typed locals of one sequence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from typing import Any, ClassVar, Generic, TypeVar

from pbem.engine.event import Out
from pbem.engine.need import Draw, Known, Request, Result
from pbem.engine.order import Order, Violation, snake
from pbem.protocol.value import value

S = TypeVar("S")
F = TypeVar("F", bound="Frame", contravariant=True)  # a step for a frame serves its subclasses
G = TypeVar("G", bound="Frame")
O = TypeVar("O", bound=Order)  # noqa: E741 - orders


class Frame:
    """Base of frames: dataclasses of plain data. `kind` names the sequence in saves.

    `turn`: one seat's turn, whose steps are never gone back over. What is planned in it ends with it.
    """

    __slots__ = ()
    kind: ClassVar[str]
    turn: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = snake(cls.__name__)


@value
class Done:
    """Go on to the next step; after the last one the sequence returns."""


@value
class Stay:
    """Come to this step again (its `when` is asked again)."""


@value
class Goto:
    """Go on with another step of the same sequence."""

    step: type[Step[Any, Any]]


@value
class Call:
    """Run another sequence, then go on to the next step, or come to this one again."""

    frame: Frame
    again: bool = False


@value
class Return:
    """Leave this sequence at once."""


@value
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


class Step(ABC, Generic[S, F]):
    """One step. `name` is unique in the game and stands in saves and labels; `rule` is the paragraph it follows.

    `form` is set by the base classes below: asking for it costs the machine less than asking for the class.
    """

    form: ClassVar[int]
    name: ClassVar[str]
    rule: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            cls.name = snake(cls.__name__)

    def when(self, s: S, f: F) -> bool:
        """False: passed over."""
        return True

    def back(self, s: S, f: F, done: Any, out: Out) -> None:
        """The sequence that this step called has ended; `done` is its frame, from which to take what it found."""


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
        """Changes nothing; labels are distinct within the call. No draws: `run` is called at once, with none."""

    @abstractmethod
    def run(self, s: S, f: F, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        """`got`: the results by label."""


class Deal(Step[S, F]):
    """Shuffles, cards given to seats, cards shown."""

    form = DEAL

    @abstractmethod
    def requests(self, s: S, f: F) -> Iterable[Request]:
        """Changes nothing: the deck's bookkeeping is done in `run`."""

    @abstractmethod
    def run(self, s: S, f: F, shown: Mapping[str, int], out: Out) -> Next:
        """`shown`: the cards of the `Show` requests by slot."""


class Open(Step[S, F]):
    """Secret choices become public."""

    form = OPEN

    @abstractmethod
    def slots(self, s: S, f: F) -> Iterable[str]:
        """Slots that a `Secret` step was told. Changes nothing."""

    @abstractmethod
    def check(self, s: S, f: F, slot: str, order: Order) -> Violation | None:
        """May this order have lain in the slot? It may be any order of the game."""

    @abstractmethod
    def run(self, s: S, f: F, opened: Mapping[str, Order], out: Out) -> Next: ...


class Decide(Step[S, F], Generic[S, F, O]):
    """A choice by one seat, or by several at once.

    Several seats: each order is checked by itself before any takes effect, then `apply` gets them all, in the order of
    `by`. `sealed`: each answer is committed first and opened when all are in. `forced`: the engine takes the order when
    there is exactly one; set it only where `legal` does not use `own`. `window`: a chance to interrupt (see
    window.py); `passing` is the answer that does nothing. `preset`: until a seat says otherwise, its standing orders
    for this decision are `then default`, so that players are not asked for what nearly always answers itself.
    `private`: what is right depends on what the seat alone knows (`duty`), so no plan answers it. `answer_names`: all
    that `answers` can ever name, in capitals what stands for many (`CARD`, told by `is_answer`); none: not said.
    """

    form = DECIDE
    takes: ClassVar[tuple[type[Order], ...]]
    sealed: ClassVar[bool] = False
    secret: ClassVar[bool] = False
    forced: ClassVar[bool] = False
    window: ClassVar[bool] = False
    preset: ClassVar[bool] = False
    private: ClassVar[bool] = False
    default: ClassVar[str | None] = None
    fact_names: ClassVar[tuple[str, ...]] = ()
    answer_names: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def by(self, s: S, f: F) -> SequenceOf[str]:
        """The seats that must answer; none: passed over."""

    @abstractmethod
    def legal(self, s: S, f: F, seat: str, own: Known) -> Iterator[O]:
        """Every order that `check` lets pass, lazily, in a fixed order. `own`: what the seat knows of hidden things."""

    @abstractmethod
    def check(self, s: S, f: F, seat: str, order: O, proof: Known) -> Violation | None:
        """Is the order allowed? Without enumerating. `proof` holds the slots that `opens` names, and nothing else."""

    @abstractmethod
    def apply(self, s: S, f: F, answers: Mapping[str, O], out: Out) -> Next:
        """Cannot fail: the answers have been checked."""

    @property
    def is_planned(self) -> bool:
        """May a plan answer it (MEA-6)?"""
        return not (self.sealed or self.secret or self.private)

    def prompt(self, s: S, f: F, seat: str) -> str:
        """One line for the player."""
        return self.name

    def opens(self, s: S, f: F, seat: str, order: O) -> tuple[str, ...]:
        """The slots that must be opened with the order: cards played, for instance."""
        return ()

    def duty(self, s: S, f: F, seat: str, order: O, own: Known) -> Violation | None:
        """What forbids the order by what only the seat knows: asked by its own program, and by the audit at the end."""
        return None

    def passing(self, s: S, f: F, seat: str) -> O | None:
        """In a window: the order by which a seat does nothing."""
        return None

    def facts(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, int]:
        """`fact_names` and their values, which standing orders may compare. For public ones `own` is empty."""
        return {}

    def answers(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, O]:
        """What standing orders may answer, by name. A decision that leaves this out takes no standing orders."""
        return {}

    def is_answer(self, s: S, name: str) -> bool:
        """Can `answers` ever have this name? Asked where a player types; records are judged by `answers` alone."""
        return not self.answer_names or name in self.answer_names


def misplaced(step: Decide[Any, Any, Any], s: Any, f: Frame, seat: str, order: Order) -> Violation:
    """The refusal of an order that does not answer what is asked: it says what is asked instead."""
    return Violation(step.rule, f"Not now: {order.kind}. {step.prompt(s, f, seat)}".rstrip("."))


class Secret(Decide[S, F, O]):
    """A choice that stays committed until an `Open` step asks for its slot; `hide` gets the slots by seat.

    `check` is what a player's own program asks before it commits; the `Open` step judges what was committed.
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
