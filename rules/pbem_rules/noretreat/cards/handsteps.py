"""Steps that events of the hands begin: a hand shown, cards lost, tribute, what follows a draw, shuffles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import (
    DONE,
    STAY,
    Ask,
    Auto,
    Call,
    Deal,
    Decide,
    Draw,
    Known,
    Next,
    Order,
    Out,
    Request,
    Roll,
    Show,
    Shuffle,
    Violation,
)
from pbem.kit import many
from pbem_rules.noretreat.cards.frames import DrawThen, RandomLoss, ShuffleAll, Spying, Tribute
from pbem_rules.noretreat.cards.units import lost_units, mapped
from pbem_rules.noretreat.chart import AXIS, NAMES, other
from pbem_rules.noretreat.events import Dropped, Shuffled
from pbem_rules.noretreat.frames import DrawCards, Losses, Returning
from pbem_rules.noretreat.hands import check_drop, drop_orders, hand_numbers, slots, spend
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.orders import Choose, Drop, Lose
from pbem_rules.noretreat.state import DESTROYED, State


class LookAtHand(Deal[State, Spying]):
    """The other hand lies open from now on, since in a game of two what one is shown both know."""

    rule = "NR-13.09S"

    def requests(self, s: State, f: Spying) -> Iterable[Request]:
        return [Show(held) for held in s.hand(other(f.side)) if isinstance(held, str)]

    def run(self, s: State, f: Spying, shown: Mapping[str, int], out: Out) -> Next:
        victim = other(f.side)
        for held in s.hand(victim):
            if isinstance(held, str):
                s.deck.discard(victim, held, shown[held])
                s.deck.pick(victim, shown[held])
        return DONE


class DiscardTheirs(Ask[State, Spying, Choose]):
    rule = "NR-13.09S"
    no = "Choose a card of that hand"

    def _cards(self, s: State, f: Spying) -> list[int]:
        return sorted(held for held in s.hand(other(f.side)) if isinstance(held, int))

    def by(self, s: State, f: Spying) -> Sequence[str]:
        return (f.side,) if self._cards(s, f) else ()

    def prompt(self, s: State, f: Spying, seat: str) -> str:
        victim = other(f.side)
        cards = ", ".join(f"{card} {s.chart.card_title(victim, card)}" for card in self._cards(s, f))
        return f"{NAMES[victim]} holds {cards}. Discard one: `choose CARD`."

    def options(self, s: State, f: Spying, seat: str) -> Iterator[Choose]:
        return map(Choose, self._cards(s, f))

    def do(self, s: State, f: Spying, seat: str, order: Choose, out: Out) -> None:
        cards = spend(s, other(f.side), (order.option,))
        out.add(Dropped(side=other(f.side), cards=cards, rule=self.rule))


class PickLoss(Roll[State, RandomLoss]):
    rule = "NR-13.42A"

    def draws(self, s: State, f: RandomLoss) -> Iterable[Draw]:
        count = len(s.hand(f.side))
        return (Draw(f"t{s.turn}/{s.active}/card", count),) if count > 1 else ()

    def run(self, s: State, f: RandomLoss, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        f.picked = next(iter(got.values()))[0] - 1 if got else 0
        return DONE


class LoseCard(Deal[State, RandomLoss]):
    rule = "NR-13.42A"

    def when(self, s: State, f: RandomLoss) -> bool:
        return bool(s.hand(f.side))

    def requests(self, s: State, f: RandomLoss) -> Iterable[Request]:
        held = s.hand(f.side)[f.picked]
        return [Show(held)] if isinstance(held, str) else []

    def run(self, s: State, f: RandomLoss, shown: Mapping[str, int], out: Out) -> Next:
        held = s.hand(f.side)[f.picked]
        card = shown[held] if isinstance(held, str) else held
        s.deck.discard(f.side, held, card)
        out.add(Dropped(side=f.side, cards=(card,), rule=self.rule))
        return DONE


def allies(s: State) -> tuple[int, ...]:
    """NR-13.44S: Finns aside."""
    return tuple(unit for unit in mapped(s, AXIS) if s.unit(unit).ally and s.unit(unit).nation != "finnish")


def _why(f: Tribute) -> str:
    return "NR-13.37S" if f.step else "NR-13.44S"


class PayTribute(Decide[State, Tribute, Order]):
    """NR-13.37S, NR-13.44S."""

    name = "tribute"
    rule = "NR-13.37S"
    takes = (Drop, Lose)

    def by(self, s: State, f: Tribute) -> Sequence[str]:
        if f.unit:
            return (f.side,) if allies(s) else ()
        return (f.side,) if s.hand(f.side) else ()

    def _counts(self, s: State, f: Tribute) -> range:
        """How many cards may be thrown away: with a step as the other half, one is enough."""
        least = 1 if mapped(s, f.side) else f.cards
        return range(min(least, len(s.hand(f.side))), min(f.cards, len(s.hand(f.side))) + 1)

    def prompt(self, s: State, f: Tribute, seat: str) -> str:
        if f.unit:
            units = ", ".join(s.name(unit) for unit in allies(s))
            return f"The enemy's event costs the {NAMES[seat]} side an ally: `lose UNIT` of {units}."
        step = ", or one card and a step" if f.step else ""
        return f"The enemy's event costs the {NAMES[seat]} side {many(f.cards, 'card')}{step}: `drop CARDS`."

    def legal(self, s: State, f: Tribute, seat: str, own: Known) -> Iterator[Order]:
        if f.unit:
            yield from map(Lose, allies(s))
            return
        counts, numbers = self._counts(s, f), hand_numbers(s, seat, own)
        if 1 in counts:
            yield from drop_orders(s, seat, own)
        if 2 in counts:
            for place, first in enumerate(numbers):
                yield from (Drop((first, second)) for second in numbers[place + 1 :])

    def opens(self, s: State, f: Tribute, seat: str, order: Order) -> tuple[str, ...]:
        return slots(*order.cards) if isinstance(order, Drop) else ()

    def check(self, s: State, f: Tribute, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Lose):
            if f.unit and order.unit in allies(s):
                return None
            return Violation(_why(f), "Only an ally of the Germans is taken off now, and only if that is asked")
        assert isinstance(order, Drop)
        counts = self._counts(s, f)
        if f.unit or len(order.cards) not in counts:
            return Violation(_why(f), f"Discard {' or '.join(map(str, counts))}" if not f.unit else "Name an ally")
        return check_drop(s, seat, order, proof, f.cards)

    def apply(self, s: State, f: Tribute, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.side]
        if isinstance(order, Lose):
            send(s, order.unit, DESTROYED, "an unreliable ally", "NR-13.44S", out)
            return DONE
        assert isinstance(order, Drop)
        out.add(Dropped(side=f.side, cards=spend(s, f.side, order.cards), rule=_why(f)))
        if f.step and len(order.cards) == 1:
            return Call(Losses(f.side, mapped(s, f.side), 1))
        return DONE


# What follows a draw


class DrawFirst(Auto[State, DrawThen]):
    rule = "NR-5.14"

    def run(self, s: State, f: DrawThen, out: Out) -> Next:
        return Call(DrawCards(f.side, f.draw))


class DropAfter(Decide[State, DrawThen, Drop]):
    rule = "NR-13.22A"

    def by(self, s: State, f: DrawThen) -> Sequence[str]:
        return (f.side,) if f.drop and s.hand(f.side) else ()

    def prompt(self, s: State, f: DrawThen, seat: str) -> str:
        return "Discard one card of your hand: `drop CARD`."

    def legal(self, s: State, f: DrawThen, seat: str, own: Known) -> Iterator[Drop]:
        return drop_orders(s, seat, own)

    def opens(self, s: State, f: DrawThen, seat: str, order: Drop) -> tuple[str, ...]:
        return slots(*order.cards)

    def check(self, s: State, f: DrawThen, seat: str, order: Drop, proof: Known) -> Violation | None:
        return check_drop(s, seat, order, proof, 1)

    def apply(self, s: State, f: DrawThen, answers: Mapping[str, Drop], out: Out) -> Next:
        f.drop -= 1
        out.add(Dropped(side=f.side, cards=spend(s, f.side, answers[f.side].cards), rule=self.rule))
        return STAY


class BringAfter(Auto[State, DrawThen]):
    rule = "NR-13.33S"

    def run(self, s: State, f: DrawThen, out: Out) -> Next:
        units = lost_units(s, f.side) if f.bring else ()
        return Call(Returning(f.side, units, f.bring)) if units else DONE


class ShuffleTogether(Deal[State, ShuffleAll]):
    """NR-5.16, NR-13.20A, NR-13.53S: the card that shuffles begins the new discards."""

    rule = "NR-5.16"

    def _request(self, s: State, f: ShuffleAll) -> Shuffle:
        return s.deck.reshuffle(keep=(f.card,))

    def requests(self, s: State, f: ShuffleAll) -> Iterable[Request]:
        return (self._request(s, f),)

    def run(self, s: State, f: ShuffleAll, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.shuffled(self._request(s, f))
        out.add(Shuffled(cards=s.deck.size, rule=self.rule))
        return Call(DrawCards(f.side, f.draw)) if f.draw else DONE
