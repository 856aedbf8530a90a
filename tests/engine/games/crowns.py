"""Five Crowns: five seats on areas, with sealed plans, joint losses, parallel landings and an off-map box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Event, Out
from pbem.engine.need import Draw, Known
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.rows import Rows
from pbem.engine.step import DONE, RETURN, STAY, Auto, Call, Decide, End, Frame, Goto, Next, Roll, Sequence

SEATS = ("ash", "birch", "cedar", "elm", "fir")
ISLES = "isles"  # off the map: where beaten armies wait
NEAR = {seat: ("hub", SEATS[n - 1], SEATS[(n + 1) % 5]) for n, seat in enumerate(SEATS)} | {"hub": SEATS, ISLES: ()}


@dataclass
class Crowns:
    armies: Rows[int, str] = field(default_factory=Rows)  # where each one stands
    year: int = 1
    marched: list[int] = field(default_factory=list)


@dataclass
class Year(Frame):
    pass


@dataclass
class Battle(Frame):
    army: int
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class March(Order):
    army: int
    to: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    army: int
    to: str


def owner(army: int) -> str:
    return SEATS[army // 2]


def go(s: Crowns, order: March, rule: str, out: Out) -> None:
    s.armies[order.army] = order.to
    out.add(Moved(order.army, order.to, rule=rule))


def defenders(s: Crowns, army: int) -> list[int]:
    return [n for n, at in s.armies.items() if at == s.armies[army] != ISLES and owner(n) != owner(army)]


class Plan(Decide[Crowns, Year, March]):  # 2: every seat seals where one army goes; it may stay where it is
    rule, takes, sealed, default = "2", (March,), True, "then stay"

    def by(self, s: Crowns, f: Year) -> list[str]:
        return [seat for seat in SEATS if next(self.legal(s, f, seat, {}), None)]

    def goals(self, place: str, seat: str) -> tuple[str, ...]:
        return (place, *NEAR[place]) if self.sealed else (ISLES, seat) if place == ISLES else ()

    def legal(self, s: Crowns, f: Year, seat: str, own: Known) -> Iterator[March]:
        return (March(n, to) for n, at in s.armies.items() if owner(n) == seat for to in self.goals(at, seat))

    def check(self, s: Crowns, f: Year, seat: str, order: March, proof: Known) -> Violation | None:
        at = s.armies.get(order.army)
        good = at is not None and owner(order.army) == seat and order.to in self.goals(at, seat)
        return None if good else Violation(self.rule, f"Army {order.army} cannot go to {order.to}")

    def apply(self, s: Crowns, f: Year, answers: Mapping[str, March], out: Out) -> Next:
        for order in answers.values():
            s.marched += [order.army] if self.sealed and s.armies[order.army] != order.to else []
            go(s, order, self.rule, out)
        return DONE

    def answers(self, s: Crowns, f: Year, seat: str, own: Known) -> Mapping[str, March]:
        orders = list(self.legal(s, f, seat, own))
        return {"stay": orders[0], **{f"{order.army}/{order.to}": order for order in orders}}


class Land(Plan):  # 1: seats with armies in the isles land one at home or wait, all at once and openly
    rule, sealed = "1", False


class Battles(Auto[Crowns, Year]):  # 3: armies that marched fight where others stand; after three years the game ends
    def run(self, s: Crowns, f: Year, out: Out) -> Next:
        if s.marched:
            army = s.marched.pop(0)
            return Call(Battle(army), again=True) if defenders(s, army) else STAY
        s.year += 1
        held = {seat: len({at for n, at in s.armies.items() if owner(n) == seat} - {ISLES}) for seat in SEATS}
        return Goto(Land) if s.year <= 3 else End(Result(max(held, key=held.__getitem__), "areas", (*held.items(),)))


class Fight(Roll[Crowns, Battle]):
    def draws(self, s: Crowns, f: Battle) -> tuple[Draw, ...]:
        return (Draw(f"y{s.year}/{s.armies[f.army]}/{f.army}", 6),)

    def run(self, s: Crowns, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        if sum(map(sum, got.values())) >= 4:
            return DONE
        go(s, March(f.army, ISLES), "3.1", out)
        return RETURN


class JointLoss(Decide[Crowns, Battle, March]):  # 3.2: the defenders choose together; if they disagree, the attacker
    rule, takes, forced = "3.2", (March,), True

    def by(self, s: Crowns, f: Battle) -> list[str]:
        return [owner(f.army)] if f.disputed else sorted({owner(n) for n in defenders(s, f.army)})

    def legal(self, s: Crowns, f: Battle, seat: str, own: Known) -> Iterator[March]:
        return (March(n, ISLES) for n in defenders(s, f.army))

    def check(self, s: Crowns, f: Battle, seat: str, order: March, proof: Known) -> Violation | None:
        return (
            None if order in self.legal(s, f, seat, proof) else Violation(self.rule, "Name a defender, and the isles")
        )

    def apply(self, s: Crowns, f: Battle, answers: Mapping[str, March], out: Out) -> Next:
        f.disputed = len(set(answers.values())) > 1
        if not f.disputed:
            go(s, next(iter(answers.values())), self.rule, out)
        return STAY if f.disputed else DONE


GAME = Game(
    name="crowns",
    title="Five Crowns",
    seats=tuple(Seat(seat, seat, seat.title()) for seat in SEATS),
    scenarios=(Scenario("three", "Three years"),),
    state=Crowns,
    setup=lambda _: (Crowns(Rows({n: owner(n) for n in range(10)})), Year()),
    sequences=(Sequence(Year, Land(), Plan(), Battles()), Sequence(Battle, Fight(), JointLoss())),
    notation=Notation(Verb(March, "march {army} {to}")),
    forfeit=lambda s, seats: Result(None, "forfeit"),
)
