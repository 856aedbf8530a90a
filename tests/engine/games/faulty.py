"""The game of sieges with one mistake of its author each: for tests of `check_game`."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, cast

from pbem.engine.definition import Game, Result
from pbem.engine.event import Out
from pbem.engine.need import Draw, Known
from pbem.engine.notation import Notation, Verb, Words
from pbem.engine.order import Order, Violation
from pbem.engine.step import STAY, End, Goto, Next, Sequence, Step
from pbem.engine.view import View
from pbem.kit.scene import Pictures
from tests.engine.games.siege import (
    CARDS,
    GAME,
    TOWERS,
    VERBS,
    Assault,
    Attack,
    Day,
    Night,
    Rest,
    Siege,
    Storm,
    Weather,
)


class Stuck:
    """Names that do not read back."""

    def word(self, value: int) -> str:
        return "7"

    def value(self, word: str) -> int:
        return int(word)


def wrong(step: Any) -> Game[Siege]:
    """The game with another step in place of the one from which this one is made."""
    kind = type(step).__mro__[1]
    type(step).name = kind.name
    steps = [step if type(each) is kind else each for each in GAME.sequences[0].steps]
    return replace(GAME, sequences=(Sequence(Day, *steps),))


def spoiling(kind: type[Step[Any, Any]], name: str) -> Step[Any, Any]:
    """The step, but this method of it changes the state."""

    def method(self: Any, s: Siege, f: Day, *rest: Any) -> Any:
        s.spoilt += 1
        return getattr(kind, name)(self, s, f, *rest)

    made = type(kind.__name__, (kind,), {name: method})
    return cast(Step[Any, Any], made())


class LegalChanges(Assault):
    def legal(self, s: Siege, f: Day, seat: str, own: Known) -> Iterator[Attack | Rest]:
        s.spoilt += 1
        yield from super().legal(s, f, seat, own)


class TellsTheTime(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        s.spoilt += int(time.time()) % 7
        return Goto(Weather) if isinstance(super().run(s, f, out), Goto) else End(Result(None, "time"))


class TellsTheDate(Storm):
    def run(self, s: Siege, f: Day, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.spoilt = date.today().year  # noqa: DTZ011 - the mistake
        return super().run(s, f, got, out)


class ReadsTheEnvironment(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        s.spoilt = len(os.environ.get("HOME", ""))
        return super().run(s, f, out)


class ThrowsItself(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        s.spoilt = random.randint(1, 1_000)
        following = super().run(s, f, out)
        return Goto(Weather) if isinstance(following, Goto) else following


class Remembers(Storm):
    seen = 0

    def run(self, s: Siege, f: Day, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        type(self).seen += 1
        s.spoilt = self.seen
        return super().run(s, f, got, out)


class OrderOfASet(Storm):
    def run(self, s: Siege, f: Day, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.spoilt = int("".join(set("123456789")))
        return super().run(s, f, got, out)


class OneLabel(Storm):
    def draws(self, s: Siege, f: Day) -> tuple[Draw, ...]:
        return tuple(Draw(f"t{s.turn}/{f.seat}", 6) for _ in s.attacked)


class StrangeWinner(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        return Goto(Weather) if isinstance(super().run(s, f, out), Goto) else End(Result("crimson", "towers"))


class StrangeDefault(Assault):
    default = "then rset"


class StrangeDefaultUnlisted(Assault):
    default, answer_names = "then rset", ()


class UnreadableDefault(Assault):
    default = "ask"


class NoValue(Assault):
    fact_names = ("attacks", "attakcs")


class UnknownFact(Assault):
    fact_names = ()
    default = None


class StrangeFact(Assault):
    def facts(self, s: Siege, f: Day, seat: str, own: Known) -> Mapping[str, int]:
        return {"attacks": bool(s.attacked)}


class StaysForEver(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        return STAY


class AsksForEver(Assault):
    def apply(self, s: Siege, f: Day, answers: Mapping[str, Attack | Rest], out: Out) -> Next:
        return STAY


class ForcedForEver(Assault):
    forced = True

    def legal(self, s: Siege, f: Day, seat: str, own: Known) -> Iterator[Attack | Rest]:
        yield Rest()

    def apply(self, s: Siege, f: Day, answers: Mapping[str, Attack | Rest], out: Out) -> Next:
        return STAY


class Forgets(Assault):
    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        return super().check(replace(s, attacked=[]), f, seat, order, proof)


class Lax(Assault):
    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        return None if isinstance(order, Attack) and order.at not in TOWERS else super().check(s, f, seat, order, proof)


class Narrow(Assault):
    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        at_mill = isinstance(order, Attack) and order.at == "mill"
        return Violation("2.3", "The mill is far") if at_mill else super().check(s, f, seat, order, proof)


class ReturnsNothing(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        super().run(s, f, out)
        return None  # type: ignore[return-value]


def fails(*_: object) -> Any:
    raise ZeroDivisionError("no such hex")


def spoils(view: View[Siege], *_: Any) -> str:
    view.state.spoilt += 1
    return "spoilt"


def spoils_by_order(order: Order, view: View[Siege]) -> str:
    return spoils(view)


def spoils_by_seats(s: Siege, seats: tuple[str, ...]) -> Result:
    s.spoilt += 1
    return Result(None, "forfeit")


def failing(**named: Any) -> Game[Siege]:
    return replace(GAME, **named)


CHANGING: tuple[tuple[type[Step[Any, Any]], str], ...] = (
    *((Assault, name) for name in ("by", "legal", "check", "opens", "duty", "prompt", "facts", "answers")),
    (Storm, "draws"), (Weather, "requests"), (Weather, "when"),
)  # fmt: skip
# By mistake: the game, the step that is named, and words of the sentence.
FAULTS: dict[str, tuple[Game[Siege], str, str]] = {
    **{
        f"{name} changes": (wrong(spoiling(kind, name)), kind.name, f"`{name}` changes the state")
        for kind, name in CHANGING
    },
    "legal changes, lazily": (wrong(LegalChanges()), "assault", "`legal` changes the state"),
    "clock": (wrong(TellsTheTime()), "night", "`run` calls time.time"),
    "date": (wrong(TellsTheDate()), "storm", "`run` calls date.today"),
    "environment": (wrong(ReadsTheEnvironment()), "night", "`run` calls os.environ"),
    "random": (wrong(ThrowsItself()), "night", "`run` calls the module `random`"),
    "memory": (wrong(Remembers()), "assault", "lead elsewhere when they are played again"),
    "set": (wrong(OrderOfASet()), "assault", "lead elsewhere when they are played again"),
    "no deck": (failing(decks={}), "weather", "the deck 'sky' is not declared"),
    "other deck": (failing(decks={"skies": CARDS}), "weather", "Game.decks has skies"),
    "card": (failing(decks={"sky": (1, 2)}), "weather", "card 3 is not among the cards"),
    "labels": (wrong(OneLabel()), "storm", "draws labelled"),
    "winner": (wrong(StrangeWinner()), "night", "'crimson' is not a side"),
    "default": (wrong(StrangeDefault()), "assault", "the default answers 'rset'"),
    "default, unlisted": (wrong(StrangeDefaultUnlisted()), "assault", "the default answers 'rset'"),
    "default, unreadable": (wrong(UnreadableDefault()), "assault", "in clause 1, `then` is missing"),
    "fact": (wrong(NoValue()), "assault", "the fact 'attakcs' never has a value"),
    "fact, unlisted": (wrong(UnknownFact()), "assault", "has the facts ['attacks'], which its fact_names lack"),
    "fact, no number": (wrong(StrangeFact()), "assault", "the fact 'attacks' is False, not a whole number"),
    "stays": (wrong(StaysForEver()), "night", "the game never goes on"),
    "forced": (wrong(ForcedForEver()), "assault", "the game never goes on"),
    "asks": (wrong(AsksForEver()), "assault", "asks 1,000 times in a row"),
    "forgets": (wrong(Forgets()), "assault", "is not listed as legal"),
    "lax": (wrong(Lax()), "assault", "pass, which is not listed as legal"),
    "narrow": (wrong(Narrow()), "assault", "legal lists Attack(at='mill'), check says: The mill is far"),
    "nothing": (wrong(ReturnsNothing()), "night", "run returned None"),
    "no verb": (failing(notation=Notation(VERBS[0])), "assault", "the order Rest has no text"),
    "name": (
        failing(notation=Notation(Verb(Attack, "attack {at}", names={"at": Words({TOWERS[0]: "north"})}), VERBS[1])),
        "assault", "is written 'attack ?gate', which cannot be read",
    ),
    "set-up": (failing(setup=fails), "", "the set-up raises ZeroDivisionError"),
    "environment in the set-up": (
        failing(setup=lambda _: (Siege(spoilt=len(os.environ)), Day())), "assault", "lead elsewhere",
    ),
    "board": (failing(board=fails), "assault", "board raises ZeroDivisionError: no such hex"),
    "board changes": (failing(board=spoils), "", "board changes the state"),
    "odds change": (failing(odds=spoils), "", "odds changes the state"),
    "look changes": (failing(look=spoils), "", "look changes the state"),
    "left undone changes": (failing(left_undone=spoils), "", "left_undone changes the state"),
    "forfeit changes": (failing(forfeit=spoils_by_seats), "", "forfeit changes the state"),
    "sentence changes": (
        failing(notation=Notation(Verb(Attack, "attack {at}", says=spoils_by_order), VERBS[1])), "",
        "the sentence of an order changes the state",
    ),
    "scene changes": (failing(pictures=lambda: Pictures(spoils)), "", "the scene changes the state"),
    "no seats": (failing(seats=()), "", "Game.seats is empty"),
    "report": (failing(report=fails), "storm", "ZeroDivisionError: no such hex"),
    "odds": (failing(odds=fails), "assault", "odds raises ZeroDivisionError"),
    "look": (failing(look=fails), "assault", "look raises ZeroDivisionError"),
    "left undone": (failing(left_undone=fails), "assault", "ZeroDivisionError"),
    "scene": (failing(pictures=lambda: Pictures(fails)), "assault", "the scene raises ZeroDivisionError"),
    "sentence": (
        failing(notation=Notation(Verb(Attack, "attack {at}", says=fails), VERBS[1])), "assault", "ZeroDivisionError",
    ),
    "thrown by": (failing(thrown_by=lambda label: ("green",)), "storm", "Game.thrown_by names 'green'"),
    "named": (
        failing(named=lambda _: {"attacks": Stuck()}), "assault", "its default is shown as 'when attacks > 7 then rest",
    ),
    "forfeit": (failing(forfeit=lambda s, seats: Result("nobody", "forfeit")), "", "'nobody' is not a side"),
}  # fmt: skip
GAMES = {f"FAULT_{number}": game for number, (game, _, _) in enumerate(FAULTS.values())}
globals().update(GAMES)  # a fresh process finds each by a name of its own
