"""Magpie: hands of cards, cancels that nest, a pick from the discards, a random steal, a forced draw, reshuffles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Event, Out
from pbem.engine.need import Known, Shuffle
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, RETURN, Auto, Call, Decide, End, Frame, Goto, Next, Sequence
from pbem.kit.decks import Card, CardWindow, Deck, Drawing, Pass, Shuffling, Theft, theft
from pbem.kit.window import Poll

COIN, CANCEL, MAGPIE, SCAVENGER = range(4)  # what card n does is n % 4
OTHER = {"left": "right", "right": "left"}


@dataclass
class Table:
    deck: Deck = field(default_factory=lambda: Deck("pie"))
    coins: dict[str, int] = field(default_factory=lambda: {"left": 0, "right": 0})
    turn: int = 1


@dataclass
class Turn(Frame):
    seat: str
    poll: Poll


@dataclass
class Played(Turn):
    card: int = 0
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Pick(Order):
    card: int


@dataclass(frozen=True, slots=True)
class Effect(Event):
    card: int
    cancelled: bool


class Pie:
    def deck(self, s: Table) -> Deck:
        return s.deck


class Refill(Pie, Shuffling[Table, Turn]):  # 1: when three cards are left, they and the discards make a new deck
    def shuffle(self, s: Table, f: Turn) -> Shuffle | None:
        return s.deck.first(range(16)) if not s.deck.epoch else s.deck.reshuffle() if s.deck.left <= 3 else None


class DrawUp(Pie, Drawing[Table, Turn]):  # 2: two cards, up to four in hand
    def drawing(self, s: Table, f: Turn) -> tuple[str, int]:
        return f.seat, min(2, 4 - len(s.deck.hand(f.seat)))


class Act(Pie, CardWindow[Table, Turn]):  # 3: play a card or pass
    preset = False
    rule = "3"

    def poll(self, s: Table, f: Turn) -> Poll:
        return f.poll

    def fits(self, s: Table, f: Turn, seat: str, card: int) -> Violation | None:
        return None

    def played(self, s: Table, f: Turn, seat: str, card: int, out: Out) -> Frame | None:
        return Played(seat, Poll((OTHER[seat],), once=True), card)


class EndTurn(Auto[Table, Turn]):
    def run(self, s: Table, f: Turn, out: Out) -> Next:
        if s.turn == 24 or max(s.coins.values()) == 4:
            best = max(s.coins, key=s.coins.__getitem__)
            return End(Result(best if s.coins[best] > s.coins[OTHER[best]] else None, "coins", (*s.coins.items(),)))
        s.turn, f.seat, f.poll = s.turn + 1, OTHER[f.seat], Poll((OTHER[f.seat],), once=True)
        return Goto(Refill)


class Cancel(Act):  # 4: a cancel is a card played, so it may be cancelled
    rule = "4"

    def fits(self, s: Table, f: Turn, seat: str, card: int) -> Violation | None:
        return None if card % 4 == CANCEL else Violation(self.rule, "Only a cancel answers a card")

    def back(self, s: Table, f: Turn, done: Played, out: Out) -> None:
        if isinstance(f, Played):
            f.cancelled = not done.cancelled


class Happen(Auto[Table, Played]):  # 5: a coin is a point, a magpie steals a card at random
    def run(self, s: Table, f: Played, out: Out) -> Next:
        out.add(Effect(f.card, f.cancelled, rule="5"))
        s.coins[f.seat] += f.card % 4 == COIN and not f.cancelled
        if f.card % 4 == MAGPIE and not f.cancelled:
            return Call(Theft(OTHER[f.seat], f.seat, f"t{s.turn}/steal"))
        return RETURN if f.cancelled else DONE


class ForcedDraw(DrawUp):  # 6: after a coin the other must draw one, if there is room
    def drawing(self, s: Table, f: Turn) -> tuple[str, int]:
        coin = isinstance(f, Played) and f.card % 4 == COIN
        return OTHER[f.seat], int(coin and len(s.deck.hand(OTHER[f.seat])) < 4)


class Scavenge(Decide[Table, Played, Pick]):  # 7: a scavenger takes another card from the discards, openly
    rule, takes, forced = "7", (Pick,), True

    def by(self, s: Table, f: Played) -> tuple[str, ...]:
        return (f.seat,) if f.card % 4 == SCAVENGER and len(s.deck.discards) > 1 else ()

    def legal(self, s: Table, f: Played, seat: str, own: Known) -> Iterator[Pick]:
        return (Pick(card) for card in s.deck.discards if card != f.card)

    def check(self, s: Table, f: Played, seat: str, order: Pick, proof: Known) -> Violation | None:
        good = order.card in s.deck.discards and order.card != f.card
        return None if good else Violation(self.rule, f"Card {order.card} cannot be picked")

    def apply(self, s: Table, f: Played, answers: Mapping[str, Pick], out: Out) -> Next:
        s.deck.pick(f.seat, answers[f.seat].card)
        return DONE


GAME = Game(
    name="magpie",
    title="Magpie",
    seats=(Seat("left", "left", "Left"), Seat("right", "right", "Right")),
    scenarios=(Scenario("pie", "Twenty-four turns"),),
    state=Table,
    setup=lambda _: (Table(), Turn("left", Poll(("left",), once=True))),
    sequences=(
        Sequence(Turn, Refill(), DrawUp(), Act(), EndTurn()),
        Sequence(Played, Cancel(), Happen(), ForcedDraw(), Scavenge()),
        theft(lambda s: s.deck),
    ),
    notation=Notation(Verb(Card, "play {number} {slot}"), Verb(Pass, "pass"), Verb(Pick, "pick {card}")),
    forfeit=lambda s, seats: Result(OTHER[seats[0]], "forfeit"),
    decks={"pie": tuple(range(16))},
)
