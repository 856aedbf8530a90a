"""A small game of sieges, and the same game with one mistake of its author each: for tests of `check_game`."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pbem.engine.event import Event, Out
from pbem.engine.game import Game, Result, Scenario, Seat
from pbem.engine.need import Draw, Known, Request, Show, Shuffle
from pbem.engine.notation import Notation, Table, Verb
from pbem.engine.order import Order, OrderCodes, Violation
from pbem.engine.step import DONE, STAY, Auto, Deal, Decide, End, Frame, Goto, Next, Roll, Sequence
from pbem.kit.scene import Pictures

TOWERS = ("north", "gate", "chapel", "mill")
CARDS = (1, 2, 3)


@dataclass
class Siege:
    turn: int = 1
    attacked: list[str] = field(default_factory=list)  # of this turn
    fallen: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})
    weather: int = 0
    spoilt: int = 0


@dataclass
class Day(Frame):
    seat: str = "red"


@dataclass(frozen=True, slots=True)
class Attack(Order):
    at: str


@dataclass(frozen=True, slots=True)
class Rest(Order):
    pass


@dataclass(frozen=True, slots=True)
class Fallen(Event):
    seat: str


class Weather(Deal[Siege, Day]):
    rule = "1"

    def when(self, s: Siege, f: Day) -> bool:
        return f.seat == "red"

    def requests(self, s: Siege, f: Day) -> tuple[Request, ...]:
        return (Shuffle("sky", CARDS), Show(f"sky/{s.turn}/0"))

    def run(self, s: Siege, f: Day, shown: Mapping[str, int], out: Out) -> Next:
        (s.weather,) = shown.values()
        return DONE


class Assault(Decide[Siege, Day, Attack | Rest]):
    rule, takes = "2", (Attack, Rest)
    default, fact_names, answer_names = "when attacks > 1 then rest; then ask", ("attacks",), ("rest",)

    def by(self, s: Siege, f: Day) -> tuple[str, ...]:
        return (f.seat,)

    def legal(self, s: Siege, f: Day, seat: str, own: Known) -> Iterator[Attack | Rest]:
        yield from (Attack(tower) for tower in TOWERS if tower not in s.attacked)
        yield Rest()

    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        if isinstance(order, Attack) and order.at not in TOWERS:
            return Violation("2.1", f"There is no tower {order.at}")
        if isinstance(order, Attack) and order.at in s.attacked:
            return Violation("2.2", "That tower has been attacked in this turn")
        return None

    def apply(self, s: Siege, f: Day, answers: Mapping[str, Attack | Rest], out: Out) -> Next:
        order = answers[f.seat]
        if isinstance(order, Rest):
            return DONE
        s.attacked.append(order.at)
        return STAY

    def facts(self, s: Siege, f: Day, seat: str, own: Known) -> Mapping[str, int]:
        return {"attacks": len(s.attacked)}

    def answers(self, s: Siege, f: Day, seat: str, own: Known) -> Mapping[str, Attack | Rest]:
        return {"rest": Rest()}


class Storm(Roll[Siege, Day]):
    rule = "3"

    def draws(self, s: Siege, f: Day) -> tuple[Draw, ...]:
        return tuple(Draw(f"t{s.turn}/{f.seat}/{tower}", 6) for tower in s.attacked)

    def run(self, s: Siege, f: Day, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        for (die,) in got.values():
            if die > 3:
                s.fallen[f.seat] += 1
                out.add(Fallen(seat=f.seat, rule=self.rule))
        return DONE


class Night(Auto[Siege, Day]):
    rule = "4"

    def run(self, s: Siege, f: Day, out: Out) -> Next:
        s.attacked.clear()
        s.turn += f.seat == "blue"
        f.seat = "blue" if f.seat == "red" else "red"
        if s.turn <= 4:
            return Goto(Weather)
        red, blue = s.fallen["red"], s.fallen["blue"]
        return End(Result(None if red == blue else "red" if red > blue else "blue", "towers"))


VERBS = (Verb(Attack, "attack {at}"), Verb(Rest, "rest"))
GAME: Game[Siege] = Game(
    name="siege",
    title="Siege",
    seats=(Seat("red", "red", "Red"), Seat("blue", "blue", "Blue")),
    scenarios=(Scenario("four", "Four turns"),),
    state=Siege,
    setup=lambda _: (Siege(), Day()),
    sequences=(Sequence(Day, Weather(), Assault(), Storm(), Night()),),
    orders=OrderCodes((Attack, Rest)),
    notation=Notation(*VERBS),
    events=(Fallen,),
    decks={"sky": CARDS},
    board=lambda view: f"turn {view.state.turn}",
    report=lambda event: event.kind,
    forfeit=lambda s, seats: Result("blue" if "red" in seats else "red", "forfeit"),
)


def wrong(step: Any) -> Game[Siege]:
    """The game with another step in place of the one from which this one is made."""
    kind = type(step).__mro__[1]
    type(step).name = kind.name
    steps = [step if type(each) is kind else each for each in GAME.sequences[0].steps]
    return replace(GAME, sequences=(Sequence(Day, *steps),))


class CheckChanges(Assault):
    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        s.spoilt += 1
        return super().check(s, f, seat, order, proof)


class LegalChanges(Assault):
    def legal(self, s: Siege, f: Day, seat: str, own: Known) -> Iterator[Attack | Rest]:
        s.spoilt += 1
        yield from super().legal(s, f, seat, own)


class DrawsChange(Storm):
    def draws(self, s: Siege, f: Day) -> tuple[Draw, ...]:
        s.spoilt += 1
        return super().draws(s, f)


class TellsTheTime(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        s.spoilt += int(time.time()) % 7
        return Goto(Weather) if isinstance(super().run(s, f, out), Goto) else End(Result(None, "time"))


class TellsTheDate(Storm):
    def run(self, s: Siege, f: Day, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.spoilt = date.today().year  # noqa: DTZ011 - the mistake
        return super().run(s, f, got, out)


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


class NoValue(Assault):
    fact_names = ("attacks", "attakcs")


class StaysForEver(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        return STAY


class Forgets(Assault):
    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        return super().check(replace(s, attacked=[]), f, seat, order, proof)


class ReturnsNothing(Night):
    def run(self, s: Siege, f: Day, out: Out) -> Next:
        super().run(s, f, out)
        return None  # type: ignore[return-value]


def fails(*_: object) -> Any:
    raise ZeroDivisionError("no such hex")


def failing(**named: Any) -> Game[Siege]:
    return replace(GAME, **named)


# By mistake: the game, the step that is named, and words of the sentence.
FAULTS: dict[str, tuple[Game[Siege], str, str]] = {
    "check changes": (wrong(CheckChanges()), "assault", "`check` changes the state"),
    "legal changes": (wrong(LegalChanges()), "assault", "`legal` changes the state"),
    "draws change": (wrong(DrawsChange()), "storm", "`draws` changes the state"),
    "clock": (wrong(TellsTheTime()), "night", "`run` calls time.time"),
    "date": (wrong(TellsTheDate()), "storm", "`run` calls date.today"),
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
    "fact": (wrong(NoValue()), "assault", "the fact 'attakcs' never has a value"),
    "event": (failing(events=()), "storm", "Game.events does not list Fallen"),
    "stays": (wrong(StaysForEver()), "night", "the game never goes on"),
    "forgets": (wrong(Forgets()), "assault", "is not listed as legal"),
    "nothing": (wrong(ReturnsNothing()), "night", "`run` returned None"),
    "no verb": (failing(notation=Notation(VERBS[0])), "", "the order Rest has no text"),
    "name": (
        failing(notation=Notation(Verb(Attack, "attack {at}", names={"at": Table({TOWERS[0]: "north"})}), VERBS[1])),
        "assault", "'?gate'",
    ),
    "set-up": (failing(setup=fails), "", "ZeroDivisionError"),
    "board": (failing(board=fails), "assault", "board raises ZeroDivisionError: no such hex"),
    "report": (failing(report=fails), "storm", "ZeroDivisionError: no such hex"),
    "odds": (failing(odds=fails), "assault", "odds raises ZeroDivisionError"),
    "look": (failing(look=fails), "assault", "look raises ZeroDivisionError"),
    "left undone": (failing(left_undone=fails), "assault", "ZeroDivisionError"),
    "scene": (failing(pictures=lambda: Pictures(fails)), "assault", "the scene raises ZeroDivisionError"),
    "gloss": (
        failing(notation=Notation(Verb(Attack, "attack {at}", gloss=fails), VERBS[1])), "assault", "ZeroDivisionError",
    ),
    "forfeit": (failing(forfeit=lambda s, seats: Result("nobody", "forfeit")), "", "'nobody' is not a side"),
}  # fmt: skip
GAMES = {f"FAULT_{number}": game for number, (game, _, _) in enumerate(FAULTS.values())}
globals().update(GAMES)  # a fresh process finds each by a name of its own
