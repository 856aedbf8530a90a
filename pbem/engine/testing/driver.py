"""Plays a machine without any protocol: supplies everything the machine waits for except orders, and keeps every seat's
secrets.

There is no ledger, but what a ledger would refuse of a shuffle is refused here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.engine.definition import Game, OptionValue
from pbem.engine.event import Event, GivenBack, Out, Skipped, Taken
from pbem.engine.machine import Machine
from pbem.engine.need import Cards, Dice, Draw, Give, Known, Need, Openings, Orders, Over, Shuffle, slot_order
from pbem.engine.notation import Context
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.policy import Policy, SealedPolicy
from pbem.engine.testing.scripted import Chance
from pbem.engine.view import View
from pbem.protocol.digest import tagged

S = TypeVar("S")


class IllegalOrderError(AssertionError):
    """A test gave an order that the rules forbid."""

    def __init__(self, text: str, violation: Violation) -> None:
        super().__init__(f"{text}: {violation}")
        self.violation = violation


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened in a play-through: an order by a seat, a draw, an event, a need."""

    what: str
    text: str


class Driver(Generic[S]):
    """A game in a test. `need` is `Orders` or `Over`; everything else is settled at once."""

    def __init__(
        self,
        game: Game[S],
        scenario: str | None = None,
        options: Mapping[str, OptionValue] | None = None,
        *,
        players: Mapping[str, int] | None = None,
        chance: Chance | None = None,
        machine: Machine[S] | None = None,
        cards: Mapping[str, int] | None = None,
        known: Mapping[str, Mapping[str, int | Order]] | None = None,
    ) -> None:
        self.game = game
        self.setup = game.setup_of(scenario, options, players=players)
        self.chance = chance or Chance()
        self.machine = machine or Machine.start(game, self.setup)
        self.happened: list[Event] = []
        self.lines: list[Line] = []
        self.orders: list[tuple[str, Order]] = []
        self.judging: tuple[str, Order] | None = None  # the seat and order whose check has not come back
        self.cards: dict[str, int] = dict(cards or {})  # every slot's card, until it goes back into the deck
        self._holders: dict[str, set[str]] = {}  # the sides to which a slot was given
        self.public: set[str] = set()  # the slots that everybody has seen where two players shuffle (HID-15)
        self._epochs: dict[str, int] = {}  # of each deck, the last one that was shuffled
        for slot in self.cards:
            deck, epoch, _ = slot.rsplit("/", 2)
            self._epochs[deck] = max(self._epochs.get(deck, 0), int(epoch))
        self.known: dict[str, dict[str, int | Order]] = {seat.name: {} for seat in game.seats}
        for seat, values in (known or {}).items():
            self.known[seat].update(values)
        self._policies: dict[tuple[str, str], Policy] = {}
        self._answers: dict[str, Order] = {}
        self.settle()

    # What a test asks

    @property
    def state(self) -> S:
        return self.machine.state

    @property
    def need(self) -> Need:
        assert self.machine.need is not None
        return self.machine.need

    @property
    def asked(self) -> tuple[str, ...]:
        """The seats that have yet to answer; none when the game is over."""
        need = self.need
        return tuple(seat for seat in need.seats if seat not in self._answers) if isinstance(need, Orders) else ()

    def own(self, seat: str) -> Known:
        """The hidden values that a seat knows."""
        return self.known[seat]

    def view(self, *seats: str) -> View[S]:
        known = {slot: value for seat in seats for slot, value in self.known[seat].items()}
        return self.machine.view(seats, known)

    def legal(self, seat: str) -> list[Order]:
        return list(self.machine.legal(seat, self.own(seat)))

    def check(self, seat: str, order: Order) -> Violation | None:
        """As the seat's own program judges the order: `check`, then `duty`."""
        self.judging = seat, order
        own = self.own(seat)
        violation = self.machine.check(seat, order, own) or self.machine.duty(seat, order, own)
        self.judging = None
        return violation

    def why_not(self, seat: str, text: str) -> Violation | None:
        """Why the order of this text is not allowed; None: it is."""
        return self.check(seat, self.game.notation.read(text))

    def context(self, seat: str) -> Context[S]:
        return self.machine.context(seat, self.own(seat))

    def events(self, kind: type[Event] | None = None) -> tuple[Event, ...]:
        """The events since the last call, of one kind if that is given."""
        events = tuple(event for event in self.happened if kind is None or isinstance(event, kind))
        self.happened.clear()
        return events

    # What a test does

    def order(self, seat: str, *texts: str | Order) -> Driver[S]:
        """Give orders one after another, as text or as values; the first illegal one is an IllegalOrderError."""
        for text in texts:
            orders = (text,) if isinstance(text, Order) else self.game.notation.parse(text, self.context(seat))
            for order in orders:
                self.give(seat, order)
        return self

    def give(self, seat: str, order: Order) -> None:
        """Answer for one seat; when all that are asked have answered, the game goes on to the next need for orders."""
        need = self.need
        if not isinstance(need, Orders) or seat not in self.asked:
            raise AssertionError(f"{seat} is not asked for anything; the machine waits for {need}")
        violation = self.check(seat, order)
        if violation is not None:
            raise IllegalOrderError(self.game.notation.write(order), violation)
        self.public.update(self.machine.opens(seat, order))
        self.orders.append((seat, order))
        self._note("order", f"{seat}: {self.game.notation.write(order)}")
        self._answers[seat] = self._hidden(need, seat, order) if need.secret else order
        self.settle()

    def stand(self, seat: str, kind: str, text: str | None, *, sealed: bool = False) -> None:
        """Give standing orders for a kind of decision, or take them back."""
        policy = None if text is None else self.game.policy(kind, text)
        held: Policy | SealedPolicy | None = policy
        if policy is not None and sealed:
            self._policies[seat, kind] = policy
            held = SealedPolicy(tagged("pbem-test/policy", seat, kind, policy.pack()))
        self.machine.check_standing(seat, kind, held)
        self.machine.set_standing(seat, kind, held)

    def settle(self) -> None:
        """Dice, cards, openings and sealed standing orders, up to the next orders that nobody but a player can give."""
        out = Out()
        self.machine.advance(lambda need: self._meet(need, out), out)

    def _meet(self, need: Need, out: Out) -> bool:
        self._note_events(out)
        if isinstance(need, Orders):
            if need.own and self.machine.answer_own(out, left=False):
                return True
            for seat in need.committed:
                self._ask_policy(seat, need.kind)
            if self.asked:
                if not self._answers:
                    self._note("need", f"{need.kind} {','.join(need.seats)}")
                return False
            answers, self._answers = self._answers, {}
            self.machine.answer(answers, out)
        elif isinstance(need, Dice):
            self.machine.feed({draw.label: self._roll(draw) for draw in need.draws}, out)
        elif isinstance(need, Cards):
            self.machine.feed(self._deal(need), out)
        elif isinstance(need, Openings):
            self.machine.feed({slot: self._opened(slot) for slot in need.slots}, out)
        else:
            self._note("over", _result(need))
            return False
        return True

    # Going back

    def save(self) -> Any:
        """All there is, to come back to."""
        return (
            self.machine.dump(),
            dict(self.cards),
            dict(self._epochs),
            ({slot: set(sides) for slot, sides in self._holders.items()}, set(self.public)),
            {seat: dict(values) for seat, values in self.known.items()},
            dict(self._answers),
            len(self.lines),
            len(self.orders),
            self.chance.dump(),
        )

    def restore(self, saved: Any) -> None:
        plain, cards, epochs, (holders, public), known, answers, lines, orders, chance = saved
        self.machine = Machine.load(self.game, self.setup, plain)
        self.cards, self._epochs, self._answers = dict(cards), dict(epochs), dict(answers)
        self._holders, self.public = {slot: set(sides) for slot, sides in holders.items()}, set(public)
        self.known = {seat: dict(values) for seat, values in known.items()}
        del self.lines[lines:], self.orders[orders:]
        self.chance.load(chance)
        self.happened.clear()

    # Inside

    def _ask_policy(self, seat: str, kind: str) -> None:
        policy = self._policies[seat, kind]
        order = self.machine.standing_answer(seat, policy, self.own(seat))
        self.machine.opened_standing(seat, policy)
        if order is None:
            self.machine.ask(seat)
        elif seat not in self._answers:
            self._answers[seat] = order
            self._note("sealed", f"{seat}: {self.game.notation.write(order)}")

    def _hidden(self, need: Orders, seat: str, order: Order) -> Sealed:
        slot = need.slot(seat)
        self.known[seat][slot] = order
        return Sealed(slot)

    def _opened(self, slot: str) -> bytes:
        seat = slot.split("/")[1]
        order = self.known[seat][slot]
        assert isinstance(order, Order)
        raw = self.game.orders.pack(order)
        violation = self.machine.check_opened(slot, raw)
        if violation is not None:
            raise IllegalOrderError(f"opening {slot}", violation)
        self._note("open", f"{seat}: {self.game.notation.write(order)}")
        return raw

    def _roll(self, draw: Draw) -> tuple[int, ...]:
        got = self.chance.dice(draw)
        self._note("dice", f"{draw.label} d{draw.sides}: {' '.join(map(str, got))}")
        return got

    def _deal(self, need: Cards) -> dict[str, int]:
        shown = {}
        for request in need.requests:
            if isinstance(request, Shuffle):
                cards = self.returned(request)
                epoch = self._epochs[request.deck] = self._epochs.get(request.deck, 0) + 1
                for place, card in enumerate(self.chance.deal(request, cards)):
                    self.cards[f"{request.deck}/{epoch}/{place}"] = card
                self._note("shuffle", f"{request.deck} {len(cards)}")
            elif isinstance(request, Give):
                self.known[request.seat][request.slot] = self.cards[request.slot]
                holders = self._holders.setdefault(request.slot, set())
                holders.add(self.game.seat(request.seat).side)
                if len(holders) > 1:  # a card that passes from one hand to another's (HID-16)
                    self.public.add(request.slot)
                self._note("give", f"{request.slot} to {request.seat}")
            else:
                shown[request.slot] = self.cards[request.slot]
                self.public.add(request.slot)
                self._note("show", f"{request.slot}: {shown[request.slot]}")
        return shown

    def returned(self, request: Shuffle) -> list[int]:
        """The cards of a shuffle. Slots that everybody has seen go in as open cards: then each must be there once, as
        the ledger will have it (HID-17).
        """
        missing = [slot for slot in request.back if slot not in self.cards or not slot.startswith(f"{request.deck}/")]
        if missing:
            raise AssertionError(f"{missing[0]} goes back into {request.deck}, and is not of it any more")
        openly = [*request.cards, *(self.cards[slot] for slot in request.back if slot in self.public)]
        hidden = [slot for slot in request.back if slot not in self.public]
        if len(set(openly)) < len(openly) or hidden != sorted(set(hidden), key=slot_order):
            raise AssertionError(f"something goes back into {request.deck} twice: {openly}, {hidden}")
        if list(request.cards) != sorted(request.cards):
            raise AssertionError(f"the open cards that go back into {request.deck} are not in order")
        cards = [*request.cards, *(self.cards.pop(slot) for slot in request.back)]
        self.public.difference_update(request.back)
        return cards

    def _note_events(self, out: Out) -> None:
        for event in out.take():
            self.happened.append(event)
            if isinstance(event, Taken):
                self._note("event", f"{event.seat}: {self.game.notation.write(event.order)} ({event.how})")
            elif isinstance(event, GivenBack | Skipped):
                self._note("event", " ".join(self.game.tell((event,))))
            else:
                self._note("event", self.game.report(event))

    def _note(self, what: str, text: str) -> None:
        self.lines.append(Line(what, text))


def _result(over: Over) -> str:
    result = over.result
    scores = " ".join(f"{name}={score}" for name, score in result.scores)
    return f"{result.winner or 'draw'} ({result.how}) {scores}".rstrip()
