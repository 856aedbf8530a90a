"""A small game of sieges, with nothing wrong in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Event, Out
from pbem.engine.need import Draw, Known, Request, Show, Shuffle
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, STAY, Auto, Deal, Decide, End, Frame, Goto, Next, Roll, Sequence

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
    notation=Notation(*VERBS),
    decks={"sky": CARDS},
    board=lambda view: f"turn {view.state.turn}",
    report=lambda event: event.kind,
    forfeit=lambda s, seats: Result("blue" if "red" in seats else "red", "forfeit"),
)
