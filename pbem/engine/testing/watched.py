"""A game whose steps are watched while it is played: what they do is checked against what they promise."""

from __future__ import annotations

import gc
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice
from pathlib import Path
from types import FrameType
from typing import Any

from pbem.engine.definition import Game
from pbem.engine.event import Event, Out
from pbem.engine.machine import Digests
from pbem.engine.need import Draw, Give, Result, Shuffle
from pbem.engine.order import Violation
from pbem.engine.step import DECIDE, Decide, End, GameError, Sequence, Step
from pbem.protocol.canonical import pack
from pbem.protocol.plain import codec

ENDLESS = 20_000  # runs of steps between two orders, after which a step counts as one that never goes on
MOST = 200_000  # answers of standing orders and of records, until somebody is asked
LOOKED = 8  # the first calls of each method that are looked at closely, and then each of so many:
EVERY = 211
LISTED = 20  # legal orders that are taken before the state is looked at again
KEPT = 5_000  # different refusals that are remembered

ASKS = (
    "when", "by", "legal", "first", "picked", "check", "duty", "opens", "passing", "prompt", "facts", "answers",
    "draws", "requests", "slots",
)  # fmt: skip
"""Methods that change nothing."""
ACTS = ("run", "apply", "hide", "back")
_FORBIDDEN: dict[Any, str] = {
    **{getattr(time, name): f"time.{name}" for name in ("time", "time_ns", "monotonic", "monotonic_ns", "localtime")},
    **{getattr(time, name): f"time.{name}" for name in ("perf_counter", "perf_counter_ns", "process_time", "gmtime")},
    os.urandom: "os.urandom",
    os.getpid: "os.getpid",
}
_ENVIRONMENT = {getattr(type(os.environ), name).__code__ for name in ("__getitem__", "__iter__", "__len__")}
_RANDOM = random.random.__self__  # type: ignore[attr-defined] # the one generator behind the functions of `random`


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake of an author: in which step of which game, the rule that the step follows, and a sentence."""

    game: str
    step: str
    rule: str
    sentence: str

    def __str__(self) -> str:
        where = f"{self.game}, {self.step}" if self.step else self.game
        return f"{where}{f' ({self.rule})' if self.rule else ''}: {self.sentence}"


class EndlessError(AssertionError):
    """The game goes on and on without asking anybody."""


class Watch:
    """`game` is the game that was given, with steps that report here. Play it by whatever plays games."""

    def __init__(self, game: Game[Any]) -> None:
        self.of = game
        self.findings: dict[tuple[str, str], Finding] = {}
        self.reached: set[str] = set()
        self.rules: set[str] = set()
        self.refusals: set[tuple[str, str]] = set()
        self.facts: dict[str, set[str]] = {}  # by decision: those that ever had a value
        self.offered: dict[str, set[str]] = {}  # by decision: answers that were ever on offer
        self.asked: dict[str, Counter[str]] = {}  # by decision: how often it was each seat's
        self.step: Step[Any, Any] | None = None  # the last one of which anything was asked
        self._sides = {None, *(seat.side for seat in game.seats)}
        self._seats = {seat.name for seat in game.seats}
        self._calls: Counter[tuple[str, str]] = Counter()
        self._runs: Counter[str] = Counter()  # since an order was taken
        self._answered = 0  # decisions since somebody was asked
        self._digests = Digests()
        self._inside = False
        watched: dict[int, Step[Any, Any]] = {}
        for step in (step for each in game.sequences for step in each.steps):
            if id(step) not in watched:
                watched[id(step)] = self._watched(step)
        self.game = replace(
            game,
            sequences=tuple(
                Sequence(each.frame, *(watched[id(step)] for step in each.steps)) for each in game.sequences
            ),
        )

    def find(
        self, sentence: str, *, step: Step[Any, Any] | None = None, what: str = "", anywhere: bool = False
    ) -> None:
        """A mistake has been found. `what` tells kinds of mistake apart: of each, a step, or the game, has one."""
        name, rule = (step.name, step.rule) if step is not None else ("", "")
        self.findings.setdefault(
            ("" if anywhere else name, what or sentence), Finding(self.of.name, name, rule, sentence)
        )

    def fail(self, error: Exception, what: str) -> None:
        """Something raised an error in this step. Errors of one line are one mistake, whichever step met it first."""
        step = self.step
        name, rule = (step.name, step.rule) if step is not None else ("", "")
        sentence = error.sentence if isinstance(error, GameError) else f"{what} raises {describe(error)}"
        found = Finding(self.of.name, name, rule, sentence)
        self.findings.setdefault(("", line_of(error)), found)

    def ordered(self) -> None:
        """Somebody is asked: steps may run again as often as they want."""
        self._runs.clear()
        self._answered = 0

    # The steps

    def _watched(self, step: Step[Any, Any]) -> Step[Any, Any]:
        made = copy(step)
        for name in (*ASKS, *ACTS):
            method = getattr(made, name, None)
            by_legal = isinstance(step, Decide) and type(step).legal is not Decide.legal and name in ("first", "picked")
            if method is not None and not by_legal:
                setattr(made, name, (self._asking if name in ASKS else self._acting)(made, name, method))
        return made

    def _asking(self, step: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        judge = getattr(self, f"_see_{name}", None)

        def asked(s: Any, f: Any, *rest: Any) -> Any:
            if self._inside:
                return method(s, f, *rest)
            self.step = step
            close = self._is_close(step, name)
            before = self._image(s, f) if close else b""
            with self._looking(step, name, close):
                got = method(s, f, *rest)
                if name in ("draws", "requests", "slots", "by"):
                    got = tuple(got)
                elif name in ("legal", "first", "picked") and close:
                    orders = iter(got)
                    got = chain(tuple(islice(orders, LISTED)), orders)
            if close and self._image(s, f) != before:
                self.find(
                    f"`{name}` changes the state, which only `run` and `apply` may", step=step, what=f"change {name}"
                )
            if judge is not None:
                judge(step, got)
            return got

        return asked

    def _see_by(self, step: Any, got: tuple[str, ...]) -> None:
        self.asked.setdefault(step.name, Counter()).update(got)

    def _acting(self, step: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def act(s: Any, f: Any, *rest: Any) -> Any:
            if self._inside:
                return method(s, f, *rest)
            self.step = step
            self.reached.add(step.name)
            self.rules.add(step.rule)
            self._count(step, name)
            out: Out = rest[-1]
            before = len(out.events)
            with self._looking(step, name, self._is_close(step, name)):
                following = method(s, f, *rest)
            for event in out.events[before:]:
                self._see_event(step, event)
            if isinstance(following, End):
                self.see_result(following.result, step)
            return following

        return act

    def _count(self, step: Any, name: str) -> None:
        if step.form == DECIDE and not step.forced and name != "back":
            self._runs.clear()
            self._answered += 1
        self._runs[step.name] += 1
        if self._runs.total() > ENDLESS or self._answered > MOST:
            names = " and ".join(name for name, _ in self._runs.most_common(3))
            raise EndlessError(f"the game never goes on: {ENDLESS:,} steps without an order, most of them {names}")

    def _is_close(self, step: Step[Any, Any], name: str) -> bool:
        self._calls[step.name, name] += 1
        count = self._calls[step.name, name]
        return count <= LOOKED or count % EVERY == 0

    def _image(self, s: Any, f: Any) -> bytes:
        return self._digests.state(s) + pack(codec(type(f)).dump(f))

    @contextmanager
    def _looking(self, step: Step[Any, Any], name: str, close: bool) -> Iterator[None]:
        """The step's own calls are its own affair, but for the clock, `random` and the environment."""

        def profile(frame: FrameType, event: str, called: Any) -> None:
            source = _unsteady(called) if event == "c_call" else ""
            if event == "call" and frame.f_code in _ENVIRONMENT:
                source = "os.environ"
            if source:
                sentence = f"`{name}` calls {source}, which nobody can replay; chance comes from `Draw`"
                self.find(sentence, step=step, what=f"unsteady {source}")

        former, collects = sys.getprofile(), gc.isenabled()
        self._inside = True
        if close:
            gc.disable()  # the step does not do what happens whenever Python collects garbage
            sys.setprofile(profile)
        try:
            yield
        finally:
            if close:
                sys.setprofile(former)
                if collects:
                    gc.enable()
            self._inside = False

    # What they answer

    def _see_draws(self, step: Step[Any, Any], draws: tuple[Draw, ...]) -> None:
        for label, count in Counter(draw.label for draw in draws).items():
            if count > 1:
                self.find(f"`draws` has {count} draws labelled {label!r}; each needs its own", step=step, what="labels")
            thrown_by = () if self.of.thrown_by is None else self.of.thrown_by(label)
            if strange := sorted(set(thrown_by) - self._seats):
                self.find(f"Game.thrown_by names {strange[0]!r}, which is not a seat", step=step, what="thrown by")

    def _see_requests(self, step: Step[Any, Any], requests: tuple[Any, ...]) -> None:
        decks = self.of.decks
        for each in requests:
            deck = each.deck if isinstance(each, Shuffle) else each.slot.partition("/")[0]
            if deck not in decks:
                known = ", ".join(sorted(decks)) or "none"
                self.find(f"the deck {deck!r} is not declared; Game.decks has {known}", step=step, what="deck")
            elif isinstance(each, Shuffle) and (strange := sorted(set(each.cards) - set(decks[deck]))):
                self.find(f"card {strange[0]} is not among the cards of {deck!r} in Game.decks", step=step, what="card")
            if isinstance(each, Give) and each.seat not in self._seats:
                self.find(f"a card is given to {each.seat!r}, which is not a seat", step=step, what="give")

    def _see_check(self, step: Step[Any, Any], verdict: Violation | None) -> None:
        if isinstance(verdict, Violation):
            self.rules.add(verdict.rule)
            if len(self.refusals) < KEPT:
                self.refusals.add((verdict.rule, verdict.reason))

    _see_duty = _see_check

    def _see_facts(self, step: Decide[Any, Any, Any], facts: Any) -> None:
        self.facts.setdefault(step.name, set()).update(facts)
        for name, fact in facts.items():
            if type(fact) is not int:
                self.find(f"the fact {name!r} is {fact!r}, not a whole number", step=step, what="fact")

    def _see_answers(self, step: Decide[Any, Any, Any], answers: Any) -> None:
        self.offered.setdefault(step.name, set()).update(answers)

    def _see_event(self, step: Step[Any, Any], event: Event) -> None:
        self.rules.add(event.rule)
        strange = sorted(set(event.seats or ()) - self._seats)
        if strange:
            self.find(
                f"{type(event).__name__} is for {strange[0]!r}, which is not a seat", step=step, what="event seat"
            )

        try:
            self.of.report(event)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is found
            self.fail(error, f"the report of {type(event).__name__}")

    def see_result(self, result: Result, step: Step[Any, Any] | None = None) -> None:
        if result.winner not in self._sides:
            sides = ", ".join(sorted(side for side in self._sides if side is not None))
            self.find(f"the winner {result.winner!r} is not a side; the sides are {sides}", step=step, what="winner")


def describe(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


def line_of(error: Exception) -> str:
    """Where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename}:{last.lineno}"


def _unsteady(called: Any) -> str:
    """What a function is called whose result nobody can have again; others have no name."""
    try:
        if called in _FORBIDDEN:
            return _FORBIDDEN[called]
    except TypeError:  # a method of something that cannot be hashed
        return ""
    owner, name = getattr(called, "__self__", None), getattr(called, "__name__", "")
    if owner is _RANDOM:
        return "the module `random`"
    if isinstance(owner, type) and issubclass(owner, date) and name in ("now", "today", "utcnow"):
        return f"{owner.__name__}.{name}"
    return ""
