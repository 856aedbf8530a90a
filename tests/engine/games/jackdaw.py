"""Jackdaw: cards are played, stolen and thrown away face down; after each throw all but the hands is shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Out
from pbem.engine.need import Known, Shuffle
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, Auto, Call, Decide, End, Frame, Goto, Next, Sequence
from pbem.kit.decks import Card, Deck, Drawing, Shuffling, Theft, theft

CARDS = tuple(range(8))
OTHER = {"left": "right", "right": "left"}


@dataclass
class Nest:
    deck: Deck = field(default_factory=lambda: Deck("nest"))
    turn: int = 1


@dataclass
class Turn(Frame):
    seat: str


@dataclass(frozen=True, slots=True)
class Steal(Order):
    """Take one of the other's cards at random."""


@dataclass(frozen=True, slots=True)
class Throw(Order):
    slot: str


class Nested:
    def deck(self, s: Nest) -> Deck:
        return s.deck


class Refill(Nested, Shuffling[Nest, Turn]):
    def shuffle(self, s: Nest, f: Turn) -> Shuffle | None:
        return s.deck.first(CARDS) if not s.deck.epoch else s.deck.reshuffle() if s.deck.thrown else None


class DrawUp(Nested, Drawing[Nest, Turn]):
    def drawing(self, s: Nest, f: Turn) -> tuple[str, int]:
        return f.seat, max(0, 2 - len(s.deck.hand(f.seat)))


class DrawUpOther(DrawUp):
    def drawing(self, s: Nest, f: Turn) -> tuple[str, int]:
        return super().drawing(s, Turn(OTHER[f.seat]))


class Act(Decide[Nest, Turn, Card | Steal | Throw]):
    rule, takes = "1", (Card, Steal, Throw)

    def by(self, s: Nest, f: Turn) -> tuple[str, ...]:
        return (f.seat,)

    def legal(self, s: Nest, f: Turn, seat: str, own: Known) -> Iterator[Card | Steal | Throw]:
        if s.deck.hand(OTHER[seat]):
            yield Steal()
        for number, held in s.deck.cards(seat, own):
            assert isinstance(held, str)
            yield Card(number, held)
            yield Throw(held)

    def check(self, s: Nest, f: Turn, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Steal):
            return None if s.deck.hand(OTHER[seat]) else Violation(self.rule, "There is nothing to steal")
        assert isinstance(order, Card | Throw)
        good = s.deck.holds(seat, order.slot)
        if good and isinstance(order, Card):
            good = s.deck.card(order.slot, proof) == order.number
        return None if good else Violation(self.rule, "That card is not in the hand")

    def opens(self, s: Nest, f: Turn, seat: str, order: Order) -> tuple[str, ...]:
        return (order.slot,) if isinstance(order, Card) else ()

    def apply(self, s: Nest, f: Turn, answers: Mapping[str, Card | Steal | Throw], out: Out) -> Next:
        ((seat, order),) = answers.items()
        if isinstance(order, Steal):
            return Call(Theft(OTHER[seat], seat, f"t{s.turn}/steal"))
        if isinstance(order, Throw):
            s.deck.throw(seat, order.slot)
        else:
            s.deck.discard(seat, order.slot, order.number)
        return DONE


class EndTurn(Auto[Nest, Turn]):
    def run(self, s: Nest, f: Turn, out: Out) -> Next:
        if s.turn == 20:
            return End(Result(None, "twenty turns"))
        s.turn, f.seat = s.turn + 1, OTHER[f.seat]
        return Goto(Refill)


GAME = Game(
    name="jackdaw",
    title="Jackdaw",
    seats=(Seat("left", "left", "Left"), Seat("right", "right", "Right")),
    scenarios=(Scenario("nest", "Twenty turns"),),
    state=Nest,
    setup=lambda _: (Nest(), Turn("left")),
    sequences=(Sequence(Turn, Refill(), DrawUp(), DrawUpOther(), Act(), EndTurn()), theft(lambda s: s.deck)),
    notation=Notation(Verb(Card, "play {number} {slot}"), Verb(Steal, "steal"), Verb(Throw, "throw {slot}")),
    forfeit=lambda s, seats: Result(OTHER[seats[0]], "forfeit"),
    decks={"nest": CARDS},
)
