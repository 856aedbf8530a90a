"""NR-13 Events of the hands: draws, discards, copies, looks into the other hand, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Frame, Out, Violation
from pbem_rules.noretreat.cards.base import EVENTS, At, CardEvent, Moment, Targets, event
from pbem_rules.noretreat.cards.frames import DrawThen, RandomLoss, Spying, Tribute
from pbem_rules.noretreat.cards.handsteps import allies
from pbem_rules.noretreat.cards.kinds import options
from pbem_rules.noretreat.chart import AXIS, SOVIET, other
from pbem_rules.noretreat.frames import DrawCards
from pbem_rules.noretreat.hands import take_discard
from pbem_rules.noretreat.orders import CARD, CHOICE
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.state import Effect, State

ANY, CARDS, OPENING = Moment.ANY, Moment.CARDS, Moment.OPENING
COPIED = tuple(moment for moment in Moment if moment not in (Moment.DRAWN, Moment.ANSWER))


# Cards taken and drawn


@event(1, SOVIET, ANY)
class Stavka(CardEvent):
    """The top discard; this card itself, when it is copied from there, is passed over."""

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        top = next((card for card in reversed(s.deck.discards) if card != self.card), None)
        return iter(() if top is None else ((CARD + top,),))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Only the top card of the discards can be taken")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        take(s, at.side, targets[0] - CARD)
        return None


def take(s: State, side: str, card: int) -> None:
    """A discard goes into a hand, unless an answer has taken it before."""
    if card in s.deck.discards:
        take_discard(s, side, card)


@event(21, AXIS, ANY, symbol=AXIS)
class HighCommand(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return ((CARD + card,) for card in sorted(s.deck.discards) if card != self.card)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name a card of the discards, as `c14`")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        take(s, at.side, targets[0] - CARD)
        return None


@event(22, AXIS, ANY, symbol=SOVIET)
class Speer(CardEvent):
    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return DrawThen(at.side, 3, drop=1)


class CheckOrCards(CardEvent):
    """`=1`: the next check for sudden death is left out. `=2`: two cards."""

    possibilities = ("no sudden death at the next check", "two cards")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return options(2)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in options(2) else self.wrong("Choose `=1`, no sudden death, or `=2`, two cards")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if targets[0] == CHOICE + 2:
            return DrawCards(at.side, 2)
        s.skip_sudden = True
        return None


@event(25, SOVIET, ANY, symbol=AXIS)
class Motherland(CheckOrCards):
    pass


@event(40, AXIS, ANY, symbol=SOVIET)
class Fatherland(CheckOrCards):
    pass


@event(45, AXIS, ANY)
class DesperateAttack(CardEvent):
    """`=1`, `=2`: so many Blitz markers."""

    possibilities = ("one Blitz marker", "two Blitz markers")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return options(2)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in options(2) else self.wrong("Choose `=1` or `=2` markers")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.support[AXIS] += targets[0] - CHOICE
        score(s, AXIS, -1, "a desperate attack", self.rule, out)
        return None


# Attacks that are owed


class Effort(CardEvent):
    """Cards now; too few attacks, voluntary or forced, cost points at the end of the Combat phase."""

    draw, attacks, price = 3, 3, 1
    weather: tuple[str, ...] = ("clear",)

    def unfit(self, s: State, at: At) -> Violation | None:
        return None if s.weather in self.weather else self.wrong(f"The weather must be {' or '.join(self.weather)}")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.put_effect(Effect("owes", at.side, self.price, self.attacks, "phase"))
        return DrawCards(at.side, self.draw)


@event(13, AXIS, CARDS, whose="own")
class SummerCampaign(Effort):
    pass


@event(20, SOVIET, CARDS, whose="own")
class GeneralOffensive(Effort):
    draw, attacks, price = 4, 4, 2
    weather = ("clear", "snow")


class Demand(CardEvent):
    """Three voluntary attacks, or a point."""

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.put_effect(Effect("owes_voluntary", other(at.side), 1, 3, "phase"))
        return None


@event(19, SOVIET, OPENING, whose="enemy")
class HitlerDemands(Demand):
    pass


@event(23, AXIS, OPENING, whose="enemy")
class StalinDemands(Demand):
    pass


# Copies of the top discard


class Copy(CardEvent):
    """Targets: the card copied, then its own."""

    any_initiative = False

    def _copied(self, s: State, side: str) -> CardEvent | None:
        found = EVENTS.get((side, s.deck.discards[-1])) if s.deck.discards else None
        return None if isinstance(found, Copy) else found

    def told(self, s: State, targets: Targets) -> tuple[str, ...]:
        copied = EVENTS.get((self.side, targets[0] - CARD)) if targets else None
        own, rest = (targets, ()) if copied is None else (targets[:1], copied.told(s, targets[1:]))
        return *super().told(s, own), *rest

    def when(self, s: State, side: str) -> tuple[Moment, ...]:
        found = self._copied(s, side)
        return self.moments if found is None else tuple(moment for moment in self.moments if moment in found.moments)

    def unfit(self, s: State, at: At) -> Violation | None:
        found = self._copied(s, at.side)
        if found is None:
            return self.wrong("The top card of the discards has no event that can be copied")
        return found.ready(s, at, copied=self.any_initiative)

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        found = self._copied(s, at.side)
        if found is not None:
            yield from ((CARD + found.card, *targets) for targets in found.choices(s, at))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        found = self._copied(s, at.side)
        if found is None or targets[:1] != (CARD + found.card,):
            return self.wrong(f"Name the card copied first: c{found.card if found else ''}")
        return found.check(s, at, targets[1:])

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        card = targets[0] - CARD
        s.used = (*s.used, card)
        return EVENTS[at.side, card].play(s, at, targets[1:], out)


@event(2, AXIS, *COPIED)
class GodWithUs(Copy):
    any_initiative = True


@event(26, SOVIET, *COPIED, symbol=SOVIET)
class OnToBerlin(Copy):
    pass


# The other hand


@event(9, SOVIET, ANY)
class RedOrchestra(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        return None if s.hand(AXIS) else self.wrong("The Axis holds no card")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Spying(at.side)


@event(42, AXIS, ANY, symbol=AXIS)
class FactoriesOnTheMove(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        return None if s.hand(other(at.side)) else self.wrong("The Soviets hold no card")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return RandomLoss(other(at.side))


@event(37, SOVIET, ANY, symbol=SOVIET)
class FrontInTheWest(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        return None if s.hand(AXIS) else self.wrong("The Axis holds no card")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Tribute(AXIS, 2, step=True)


@event(44, SOVIET, Moment.AFTER_CARDS, whose="enemy")
class UnreliableAllies(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        if not allies(s):
            return self.wrong("No allies of the Germans are on the map")
        return None if s.turn > 10 or s.hand(AXIS) else self.wrong("The Axis holds no card")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Tribute(AXIS, unit=True) if s.turn > 10 else Tribute(AXIS, 1)
