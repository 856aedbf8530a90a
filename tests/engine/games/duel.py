"""Duel: shots, chances to dodge, a secret talisman; as many seats as wanted. Made for tests of the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pbem.engine.bots import RandomBot
from pbem.engine.definition import Game, Option, Result, Scenario, Seat, Setup
from pbem.engine.event import Event, Out
from pbem.engine.need import Draw, Known
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import (
    DONE,
    RETURN,
    STAY,
    Auto,
    Call,
    Decide,
    End,
    Frame,
    Goto,
    Next,
    Open,
    Roll,
    Secret,
    Sequence,
)


@dataclass
class Field:
    seats: tuple[str, ...]
    turns: int = 3
    turn: int = 0
    shots: int = 0  # of all turns
    left: int = 0  # of this turn
    hits: dict[str, int] = field(default_factory=dict)
    talismans: dict[str, str] = field(default_factory=dict)  # slot by seat

    @property
    def active(self) -> str:
        return self.seats[self.turn % len(self.seats)]

    def target(self) -> str:
        return self.seats[(self.turn + 1) % len(self.seats)]


@dataclass
class Round(Frame):
    kind = "round"


@dataclass
class Shot(Frame):
    kind = "shot"
    number: int = 0
    dodged: bool = False


@dataclass(frozen=True, slots=True)
class Talisman(Order):
    kind = "talisman"
    number: int


@dataclass(frozen=True, slots=True)
class Fire(Order):
    kind = "fire"


@dataclass(frozen=True, slots=True)
class Aim(Order):
    kind = "aim"
    at: int


@dataclass(frozen=True, slots=True)
class Rest(Order):
    kind = "rest"


@dataclass(frozen=True, slots=True)
class Stand(Order):
    kind = "stand"


@dataclass(frozen=True, slots=True)
class Dodge(Order):
    kind = "dodge"


@dataclass(frozen=True, slots=True)
class Hit(Event):
    kind = "hit"
    seat: str
    die: int


class Choose(Secret[Field, Round, Talisman]):  # 1: everybody picks a talisman in secret
    name, rule, takes = "choose", "1", (Talisman,)

    def when(self, s: Field, f: Round) -> bool:
        return not s.talismans

    def by(self, s: Field, f: Round) -> tuple[str, ...]:
        return s.seats

    def legal(self, s: Field, f: Round, seat: str, own: Known) -> Iterator[Talisman]:
        return map(Talisman, range(1, 4))

    def check(self, s: Field, f: Round, seat: str, order: Talisman, proof: Known) -> Violation | None:
        return None if 1 <= order.number <= 3 else Violation("1", "There are three talismans")

    def hide(self, s: Field, f: Round, slots: Mapping[str, str], out: Out) -> Next:
        s.talismans = dict(slots)
        return DONE


class Act(Decide[Field, Round, Any]):  # 2: three actions at most, or rest
    name, rule, takes = "act", "2", (Fire, Aim, Rest)

    def by(self, s: Field, f: Round) -> tuple[str, ...]:
        return (s.active,)

    def legal(self, s: Field, f: Round, seat: str, own: Known) -> Iterator[Order]:
        yield Rest()
        if s.left:
            yield Fire()
            yield from (Aim(at) for at in range(1, s.left + 1))

    def check(self, s: Field, f: Round, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Aim) and not 1 <= order.at <= s.left:
            return Violation("2.1", "Aim at one of what is left")
        return Violation("2", "No action is left") if not s.left and not isinstance(order, Rest) else None

    def apply(self, s: Field, f: Round, answers: Mapping[str, Order], out: Out) -> Next:
        (order,) = answers.values()
        if isinstance(order, Rest):
            return DONE
        s.left -= 1
        if isinstance(order, Aim):
            return STAY
        s.shots += 1
        return Call(Shot(s.shots), again=True)


class Finish(Auto[Field, Round]):
    name = "finish"

    def run(self, s: Field, f: Round, out: Out) -> Next:
        s.turn, s.left = s.turn + 1, 3
        return Goto(Act) if s.turn < s.turns * len(s.seats) else DONE


class Reveal(Open[Field, Round]):  # 4: talismans count
    name = "reveal"

    def slots(self, s: Field, f: Round) -> tuple[str, ...]:
        return tuple(s.talismans.values())

    def check(self, s: Field, f: Round, slot: str, order: Order) -> Violation | None:
        good = isinstance(order, Talisman) and 1 <= order.number <= 3
        return None if good else Violation("1", "There are three talismans")

    def run(self, s: Field, f: Round, opened: Mapping[str, Order], out: Out) -> Next:
        score = {seat: s.hits.get(seat, 0) for seat in s.seats}
        for seat, slot in s.talismans.items():
            order = opened[slot]
            assert isinstance(order, Talisman)
            score[seat] += order.number
        best = [seat for seat in s.seats if score[seat] == max(score.values())]
        return End(Result(best[0] if len(best) == 1 else None, "hits", tuple(score.items())))


class React(Decide[Field, Shot, Any]):  # 3: the target may dodge
    name, rule, takes, window, default = "react", "3", (Stand, Dodge), True, "then stand"
    fact_names = ("shot",)

    def by(self, s: Field, f: Shot) -> tuple[str, ...]:
        return (s.target(),)

    def legal(self, s: Field, f: Shot, seat: str, own: Known) -> Iterator[Order]:
        yield Stand()
        yield Dodge()

    def check(self, s: Field, f: Shot, seat: str, order: Order, proof: Known) -> Violation | None:
        return None

    def passing(self, s: Field, f: Shot, seat: str) -> Order:
        return Stand()

    def apply(self, s: Field, f: Shot, answers: Mapping[str, Order], out: Out) -> Next:
        f.dodged = isinstance(answers[s.target()], Dodge)
        return DONE

    def facts(self, s: Field, f: Shot, seat: str, own: Known) -> Mapping[str, int]:
        return {"shot": f.number}

    def answers(self, s: Field, f: Shot, seat: str, own: Known) -> Mapping[str, Order]:
        return {"stand": Stand(), "dodge": Dodge()}


class Die(Roll[Field, Shot]):  # 3.1
    name, rule = "die", "3.1"

    def when(self, s: Field, f: Shot) -> bool:
        return not f.dodged

    def draws(self, s: Field, f: Shot) -> tuple[Draw, ...]:
        return (Draw(f"shot/{f.number}", 6),)

    def run(self, s: Field, f: Shot, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        die = got[f"shot/{f.number}"][0]
        if die >= 4:
            s.hits[s.active] = s.hits.get(s.active, 0) + 1
        out.add(Hit(s.active, die, rule=self.rule))
        return RETURN


@cache
def duel(seats: int = 2, behaviour: int = 1, name: str = "duel") -> Game[Field]:
    names = ("ann", "bob", "cid", "dee", "eve")[:seats]

    def setup(chosen: Setup) -> tuple[Field, Frame]:
        turns = chosen.options["turns"]
        assert isinstance(turns, int)
        return Field(names, turns, left=3), Round()

    return Game(
        name=name,
        title="Duel",
        behaviour=behaviour,
        seats=tuple(Seat(seat, seat, seat.title()) for seat in names),
        scenarios=(Scenario("dawn", "At dawn"),),
        state=Field,
        setup=setup,
        sequences=(Sequence(Round, Choose(), Act(), Finish(), Reveal()), Sequence(Shot, React(), Die())),
        notation=Notation(
            Verb(Talisman, "talisman {number}"),
            Verb(Fire, "fire"),
            Verb(Aim, "aim {at}"),
            Verb(Rest, "rest"),
            Verb(Stand, "stand"),
            Verb(Dodge, "dodge"),
        ),
        bots={"random": RandomBot()},
        board=lambda view: str(view.state.hits),
        report=lambda event: event.kind,
        forfeit=lambda s, out: Result(next((seat for seat in s.seats if seat not in out), None), "forfeit"),
        options=(Option("turns", "Turns", (3, 1, 2, 50, 200)),),
    )
