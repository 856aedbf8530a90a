"""NR-5 Cards: shuffles, draws, the Card phase, events that happen as they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import (
    DONE,
    RETURN,
    STAY,
    Auto,
    Call,
    Deal,
    Decide,
    Goto,
    HeldCard,
    Known,
    Next,
    Out,
    Request,
    Show,
    Shuffle,
    Violation,
)
from pbem_rules.noretreat.cards.base import BY_MOMENT, EVENTS, At, CardEvent, Moment, may_hold, title
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET
from pbem_rules.noretreat.events import Drew, Dropped, Note, Played, Shuffled
from pbem_rules.noretreat.frames import Campaign, DrawCards, GameTurn, PlayerTurn
from pbem_rules.noretreat.orders import Done, Drop, Event, card_of, held_number, held_of
from pbem_rules.noretreat.state import State

KEEP, DRAW = 2, 4  # NR-5.2


def draw_count(s: State, side: str) -> int:
    """NR-5.2 to NR-5.5."""
    if s.turn == s.plan.first:
        return s.plan.hands[side]
    if side == AXIS and s.turn == 23:
        return 1  # NR-11.24
    named, count = s.chart.named, DRAW - (s.draw_less.get(side) or 0)
    if side == SOVIET:
        if AXIS in (s.holders[named["Moscow"]], s.holders[named["Caucasus"]]):
            count -= 1
        if s.turn >= 21:
            count += 1
    else:
        if s.holders[named["Ploesti"]] == SOVIET:
            count -= 1
        if s.turn in (8, 9):
            count += 1
    return max(count, 0)


def in_hand(s: State, seat: str, number: int, proof: Known) -> Violation | None:
    """Is that card where the order says, in the seat's hand? (NR-5.7)"""
    card, held = card_of(number), held_of(number)
    if not s.deck.holds(seat, held) or s.deck.card(held, proof) != card:
        return Violation("NR-5.7", f"Card {card} is not in your hand")
    return None


def event_in_hand(s: State, seat: str, number: int, proof: Known) -> CardEvent | Violation:
    """The event that this card of the seat's hand has for it (NR-5.1, NR-5.23)."""
    wrong = in_hand(s, seat, number, proof)
    if wrong is not None:
        return wrong
    return EVENTS.get((seat, card_of(number))) or Violation("NR-5.1", f"Card {card_of(number)} has no event for you")


def slots(*numbers: int) -> tuple[str, ...]:
    """The slots that must be opened for these cards."""
    return tuple(held for number in numbers if isinstance(held := held_of(number), str))


def hand_numbers(s: State, seat: str, own: Known) -> tuple[int, ...]:
    """The seat's cards as orders name them, ascending by card."""
    return tuple(sorted((held_number(held, card) for card, held in s.deck.cards(seat, own)), key=card_of))


def spend(s: State, seat: str, numbers: Iterable[int]) -> tuple[int, ...]:
    """Cards leave the hand for the top of the discards."""
    cards = []
    for number in numbers:
        s.deck.discard(seat, held_of(number), card_of(number))
        cards.append(card_of(number))
    return tuple(cards)


def take_discard(s: State, seat: str, card: int) -> None:
    """A card goes from the discards into a hand, where everybody knows it."""
    s.deck.pick(seat, card)


# Shuffling and drawing


class FirstShuffle(Deal[State, Campaign]):
    rule = "NR-5.17"

    def requests(self, s: State, f: Campaign) -> Iterable[Request]:
        return (self._request(s),)

    def run(self, s: State, f: Campaign, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.shuffled(self._request(s))
        out.add(Shuffled(cards=s.deck.size, rule=self.rule))
        return DONE

    @staticmethod
    def _request(s: State) -> Shuffle:
        return s.deck.first(s.chart.deck(s.plan.first))


def worn(s: State) -> bool:
    """NR-5.16: is the last card of the deck all that is left of it?"""
    return s.deck.left <= 1 and bool(s.deck.discards or s.deck.thrown)


class Refill(Deal[State, DrawCards]):
    """NR-5.16: the last card is not drawn, but shuffled with the discards."""

    rule = "NR-5.16"

    def when(self, s: State, f: DrawCards) -> bool:
        return worn(s)

    def requests(self, s: State, f: DrawCards) -> Iterable[Request]:
        return (s.deck.reshuffle(),)

    def run(self, s: State, f: DrawCards, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.shuffled(s.deck.reshuffle())
        out.add(Shuffled(cards=s.deck.size, rule=self.rule))
        return DONE


class TakeCards(Deal[State, DrawCards]):
    rule = "NR-5.2"

    @staticmethod
    def _now(s: State, f: DrawCards) -> int:
        return max(0, min(f.count, s.deck.left - 1))

    def requests(self, s: State, f: DrawCards) -> Iterable[Request]:
        return s.deck.draw(f.side, self._now(s, f))

    def run(self, s: State, f: DrawCards, shown: Mapping[str, int], out: Out) -> Next:
        count = self._now(s, f)
        if count:
            s.fresh += s.deck.drew(f.side, count)
            out.add(Drew(side=f.side, count=count, rule=self.rule))
        f.count -= count
        return Goto(Refill) if worn(s) else DONE


def at_once(s: State, side: str, number: int) -> bool:
    """Does this card's event happen when it is drawn? (NR-5.15)"""
    held = EVENTS.get((side, card_of(number)))
    return held is not None and held.ready(s, At(side, Moment.DRAWN)) is None


def to_show(s: State, side: str, own: Known) -> tuple[int, ...]:
    """The cards just drawn that must be shown, as far as they are known."""
    return tuple(n for n in hand_numbers(s, side, own) if held_of(n) in s.fresh and at_once(s, side, n))


class Reveal(Decide[State, DrawCards, Event | Done]):
    """NR-5.15: a player who draws such a card shows it. Only its owner knows whether one is kept back (`duty`)."""

    rule = "NR-5.15"
    window = private = preset = shows = True
    default = "then show, done"
    answer_names = ("show", "done")
    ends = "Show no event: none that was drawn happens at once"

    def by(self, s: State, f: DrawCards) -> Sequence[str]:
        if not any(s.deck.holds(f.side, slot) for slot in s.fresh):
            return ()
        possible = may_hold(s, f.side)
        return (f.side,) if any(held.card in possible for held in BY_MOMENT[f.side, Moment.DRAWN]) else ()

    def prompt(self, s: State, f: DrawCards, seat: str) -> str:
        return f"The {NAMES[seat]} side has drawn. Show the events that happen at once, if you hold any."

    def legal(self, s: State, f: DrawCards, seat: str, own: Known) -> Iterator[Event | Done]:
        due = to_show(s, seat, own)
        for number in due:
            for targets in EVENTS[seat, card_of(number)].choices(s, At(seat, Moment.DRAWN)):
                yield Event(number, targets)
        if not due:
            yield Done()

    def opens(self, s: State, f: DrawCards, seat: str, order: Event | Done) -> tuple[str, ...]:
        return slots(order.card) if isinstance(order, Event) else ()

    def check(self, s: State, f: DrawCards, seat: str, order: Event | Done, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        wrong = in_hand(s, seat, order.card, proof)
        if wrong is not None:
            return wrong
        held = EVENTS.get((seat, card_of(order.card)))
        at = At(seat, Moment.DRAWN)
        if held is None or held_of(order.card) not in s.fresh:
            return Violation(self.rule, "Only a card that has just been drawn is shown now")
        return held.ready(s, at) or held.check(s, at, order.targets)

    def duty(self, s: State, f: DrawCards, seat: str, order: Event | Done, own: Known) -> Violation | None:
        due = to_show(s, seat, own) if isinstance(order, Done) else ()
        if not due:
            return None
        card = card_of(due[0])
        return Violation(self.rule, f"Card {card}, {title(s, seat, card)}, happens when it is drawn: `event {card}`")

    def apply(self, s: State, f: DrawCards, answers: Mapping[str, Event | Done], out: Out) -> Next:
        order = answers[f.side]
        if isinstance(order, Done):
            s.fresh = ()
            return RETURN
        (card,) = spend(s, f.side, (order.card,))
        held = EVENTS[f.side, card]
        out.add(Played(side=f.side, card=card, title=title(s, f.side, card), rule=held.rule))
        called = held.play(s, At(f.side, Moment.DRAWN), order.targets, out)
        return STAY if called is None else Call(called, again=True)

    def passing(self, s: State, f: DrawCards, seat: str) -> Event | Done:
        return Done()

    def answers(self, s: State, f: DrawCards, seat: str, own: Known) -> Mapping[str, Event | Done]:
        """`show`: what must be shown, on the first thing that it can be played on; `done`: nothing has to be shown.

        `done` only where all the cards are known and none is left to show: else standing orders could keep one back.
        """
        first = next((order for order in self.legal(s, f, seat, own) if isinstance(order, Event)), None)
        if first is not None:
            return {"show": first}
        known = all(slot in own for slot in s.fresh if s.deck.holds(seat, slot))
        return {"done": Done()} if known else {}


class Shown(Auto[State, DrawCards]):
    rule = "NR-5.15"

    def run(self, s: State, f: DrawCards, out: Out) -> Next:
        s.fresh = ()
        return DONE


# The Card phase


class CardPhase(Auto[State, PlayerTurn]):
    rule = "NR-3.5"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        count = draw_count(s, f.side)
        if f.side in s.draw_less:
            del s.draw_less[f.side]
        return Call(DrawCards(f.side, count)) if count else DONE


def drop_orders(s: State, seat: str, own: Known) -> Iterator[Drop]:
    for number in hand_numbers(s, seat, own):
        yield Drop((number,))


def drop_answers(s: State, seat: str, own: Known) -> dict[str, Drop]:
    """The number of a card; `oldest`: the one that has been in the hand longest."""
    named = {str(card_of(order.cards[0])): order for order in drop_orders(s, seat, own)}
    for card, held in s.deck.cards(seat, own):
        named.setdefault("oldest", Drop((held_number(held, card),)))
    return named


def check_drop(s: State, seat: str, order: Drop, proof: Known, most: int = 60) -> Violation | None:
    if not 1 <= len(order.cards) <= most or len(set(order.cards)) != len(order.cards):
        return Violation("NR-5.2", f"Drop {'one card' if most == 1 else 'cards of your hand, each once'}")
    return next((wrong for number in order.cards if (wrong := in_hand(s, seat, number, proof)) is not None), None)


class RedDiscard(Decide[State, GameTurn, Drop]):
    """NR-5.6, NR-11.14: the cards that the Axis loses for events of the turn; NR-14.8, that either side does."""

    name = "penalty"
    rule = "NR-5.6"
    default, shows = "then oldest", True
    answer_names = ("oldest", "CARD")

    def _who(self, s: State, f: GameTurn) -> str:
        return AXIS if f.discards else ""

    def by(self, s: State, f: GameTurn) -> Sequence[str]:
        who = self._who(s, f)
        return (who,) if who and s.hand(who) else ()

    def prompt(self, s: State, f: GameTurn, seat: str) -> str:
        return "You lose a card of your choice: `drop CARD`."

    def legal(self, s: State, f: GameTurn, seat: str, own: Known) -> Iterator[Drop]:
        return drop_orders(s, seat, own)

    def opens(self, s: State, f: GameTurn, seat: str, order: Drop) -> tuple[str, ...]:
        return slots(*order.cards)

    def check(self, s: State, f: GameTurn, seat: str, order: Drop, proof: Known) -> Violation | None:
        return check_drop(s, seat, order, proof, 1)

    def apply(self, s: State, f: GameTurn, answers: Mapping[str, Drop], out: Out) -> Next:
        ((seat, order),) = answers.items()
        out.add(Dropped(side=seat, cards=spend(s, seat, order.cards), rule=self.rule))
        self._paid(f)
        return STAY

    def _paid(self, f: GameTurn) -> None:
        f.discards -= 1

    def answers(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, Drop]:
        return drop_answers(s, seat, own)

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or s.chart.is_card(name)


class SurrenderDiscard(RedDiscard):
    name = "surrender"
    rule = "NR-14.8"

    def _who(self, s: State, f: GameTurn) -> str:
        return f.surrender

    def _paid(self, f: GameTurn) -> None:
        f.surrender = ""


# The change of 1945.


def _all_held(s: State) -> list[tuple[str, HeldCard]]:
    return [(side, held) for side in (AXIS, SOVIET) for held in s.deck.hand(side)]


class ShowAll(Deal[State, GameTurn]):
    """Hands and deck are shown, since cards leave it."""

    rule = "NR-4.14"

    def when(self, s: State, f: GameTurn) -> bool:
        return s.turn == 23 and s.plan.first < 23

    def requests(self, s: State, f: GameTurn) -> Iterable[Request]:
        yield from (Show(held) for _, held in _all_held(s) if isinstance(held, str))
        yield from (Show(slot) for slot in s.deck.thrown)
        yield from s.deck.turn_up(s.deck.left)

    def run(self, s: State, f: GameTurn, shown: Mapping[str, int], out: Out) -> Next:
        deck = s.deck
        for side, held in _all_held(s):
            deck.discard(side, held, held if isinstance(held, int) else shown[held])
        deck.discards.extend(shown[slot] for slot in deck.thrown)
        deck.thrown.clear()
        deck.turned_up([shown[slot] for slot in deck.top(deck.left)])
        out.add(Note(text="Both hands are discarded.", rule=self.rule))
        return DONE


class NewDeck(Deal[State, GameTurn]):
    rule = "NR-5.17"

    def when(self, s: State, f: GameTurn) -> bool:
        return s.turn == 23 and s.plan.first < 23

    def requests(self, s: State, f: GameTurn) -> Iterable[Request]:
        return (s.deck.first(s.chart.deck(s.turn)),)

    def run(self, s: State, f: GameTurn, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.removed.extend(card for card in s.deck.discards if card not in s.chart.deck(s.turn))
        s.deck.discards.clear()
        s.deck.shuffled(s.deck.first(s.chart.deck(s.turn)))
        out.add(Shuffled(cards=s.deck.size, rule=self.rule))
        return DONE
