"""Events of cards: what they are, when they may be played, and the list of all of them (NR-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import ClassVar, NamedTuple, TypeVar

from pbem.game import Frame, HeldCard, Out, Violation
from pbem_rules.noretreat.chart import AXIS, NAMES, SIDES, other
from pbem_rules.noretreat.frames import Action
from pbem_rules.noretreat.orders import CARD, CHOICE, UNIT
from pbem_rules.noretreat.state import State

Targets = tuple[int, ...]
NO_TARGETS: Targets = ()
CARDS = range(1, 55)


class Moment(StrEnum):
    """NR-5, timing windows W0 to W20 in order."""

    DRAWN = "drawn"
    OPENING = "opening"
    CARDS = "cards"
    AFTER_CARDS = "after_cards"
    SUPPLY = "supply"
    BEFORE = "before"
    ORGANISE = "organise"
    MOVE = "move"
    MOVED = "moved"
    TARGETED = "targeted"
    BLOWS = "blows"
    COMBAT = "combat"
    BATTLE = "battle"
    ROLLED = "rolled"
    AFTERMATH = "aftermath"
    FOUGHT = "fought"
    AFTER_COMBAT = "after_combat"
    REMOVAL = "removal"
    TURN_END = "turn_end"
    ANY = "any"
    ANSWER = "answer"


WHEN = {
    Moment.DRAWN: "when it is drawn", Moment.OPENING: "at the beginning of the turn", Moment.CARDS: "in the Card phase",
    Moment.AFTER_CARDS: "after the Card phase", Moment.SUPPLY: "after the Supply phase",
    Moment.BEFORE: "before the Organisation phase", Moment.ORGANISE: "in the Organisation phase",
    Moment.MOVE: "in the Movement phase", Moment.MOVED: "after the Movement phase",
    Moment.TARGETED: "when the targets are marked", Moment.BLOWS: "with the counterblows",
    Moment.COMBAT: "in the Combat phase", Moment.BATTLE: "in a battle before the die",
    Moment.ROLLED: "in a battle after the die", Moment.AFTERMATH: "before retreat and pursuit",
    Moment.FOUGHT: "after a battle", Moment.AFTER_COMBAT: "after the Combat phase",
    Moment.REMOVAL: "in the Removal phase", Moment.TURN_END: "at the end of the turn",
    Moment.ANY: "at any time but in battles", Moment.ANSWER: "in answer to an enemy card",
}  # fmt: skip
WHOSE = {"own": " in your own turn", "enemy": " in the enemy's turn", "either": ""}
IN_BATTLE = (Moment.BATTLE, Moment.ROLLED, Moment.AFTERMATH, Moment.FOUGHT)


class At(NamedTuple):
    """Who would play, at which moment, and in answer to what."""

    side: str
    moment: Moment
    action: Action | None = None


class CardEvent:
    """One side's event of a card. Derived classes say what they are in `@event(...)` and override what differs."""

    card: ClassVar[int]
    side: ClassVar[str]
    moments: ClassVar[tuple[Moment, ...]]
    whose: ClassVar[str]  # own, enemy, either: the player-turn
    symbol: ClassVar[str]  # the side that must have the initiative; empty: either (NR-5.12)
    since: ClassVar[int]  # the first turn in which it can be played
    possibilities: ClassVar[tuple[str, ...]] = ()  # in words, those that orders call `=1`, `=2`

    @property
    def rule(self) -> str:
        return f"NR-13.{self.card:02d}{'A' if self.side == AXIS else 'S'}"

    def told(self, s: State, targets: Targets) -> tuple[str, ...]:
        """What it is played on, in words."""
        return tuple(self._told(s, each) for each in targets)

    def _told(self, s: State, target: int) -> str:
        if target >= CARD:
            return f"card {target - CARD} ({title(s, self.side, target - CARD)})"
        chosen = target - CHOICE - 1
        return self.possibilities[chosen] if 0 <= chosen < len(self.possibilities) else target_text(s, target)

    def when(self, s: State, side: str) -> tuple[Moment, ...]:
        """The moments at which it could be played as things stand."""
        return self.moments

    def unfit(self, s: State, at: At) -> Violation | None:
        """Why it cannot be played now, besides moment, symbol and date. From public knowledge only."""
        return None

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        """All targets that it may be played with, lazily, in a fixed order."""
        yield NO_TARGETS

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("It cannot be played on that")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        """Cannot fail: it has been checked. A frame that is returned is called."""
        raise TypeError(f"{self.rule} does nothing")

    def wrong(self, reason: str) -> Violation:
        return Violation(self.rule, reason)

    # When

    def ready(self, s: State, at: At, copied: bool = False) -> Violation | None:
        """May it be played at this moment by that side, if the side holds it? `copied`: its symbol does not count."""
        return self.untimely(s, at, copied) or self.unfit(s, at)

    def untimely(self, s: State, at: At, copied: bool = False) -> Violation | None:
        """The same, as far as it does not depend on the position.

        NR-5.22; NR-13.08S and NR-13.35A have a first turn, and NR-13.02A does not ask for the symbol.
        """
        if at.moment not in self.moments:
            return self.wrong(f"This event is played {self.describe()}{WHOSE[self.whose]}, not now")
        if not copied and self.symbol and self.symbol != s.initiative:
            return Violation("NR-5.12", f"This event needs the {NAMES[self.symbol]} initiative")
        if (self.whose == "own" and s.active != self.side) or (self.whose == "enemy" and s.active == self.side):
            return self.wrong(f"This event is played{WHOSE[self.whose]}")
        if s.turn < self.since:
            return self.wrong(f"This event is played from turn {self.since} on")
        if self.card in s.used and at.moment != Moment.DRAWN:
            return Violation("NR-5.13", f"Card {self.card} has already been played in this player-turn")
        if at.moment in IN_BATTLE and s.fight is not None and self.side in s.fight.played:
            return Violation("NR-5.18", "A side plays one event in a battle")
        return None

    def awaits_battle(self, s: State) -> bool:
        """Can it be played in a battle of this player-turn, as far as that can be said before the battle?"""
        return any(self.untimely(s, At(self.side, moment)) is None for moment in IN_BATTLE)

    def describe(self) -> str:
        few = len(self.moments) < 4
        return " or ".join(WHEN[moment] for moment in self.moments) if few else "when the card that it copies is"

    def usable(self, s: State, at: At) -> bool:
        """Ready, and on something."""
        return self.ready(s, at) is None and next(self.choices(s, at), None) is not None


EVENTS: dict[tuple[str, int], CardEvent] = {}
BY_MOMENT: dict[tuple[str, Moment], list[CardEvent]] = {(side, moment): [] for side in SIDES for moment in Moment}

E = TypeVar("E", bound=CardEvent)


def event(
    card: int,
    side: str,
    *moments: Moment,
    whose: str = "either",
    symbol: str = "",
    since: int = 0,
) -> Callable[[type[E]], type[E]]:
    """Registers the event of a card."""

    def register(kind: type[E]) -> type[E]:
        kind.card, kind.side, kind.moments, kind.whose = card, side, moments, whose
        kind.symbol, kind.since = symbol, since
        if (side, card) in EVENTS or card not in CARDS or not moments:
            raise TypeError(f"the {side} event of card {card} is registered twice, or is none")
        held = EVENTS[side, card] = kind()
        for moment in moments:
            BY_MOMENT[side, moment].append(held)
            BY_MOMENT[side, moment].sort(key=lambda each: each.card)
        return kind

    return register


def hidden_cards(s: State) -> frozenset[int]:
    """The cards whose place nobody knows from what is public: in a hand, or not yet drawn."""
    deck = s.deck
    seen: set[HeldCard] = {*deck.discards, *deck.removed}
    for side in SIDES:
        seen.update(deck.hand(side))
    return frozenset(card for card in s.chart.deck(s.turn) if card not in seen)


def may_hold(s: State, side: str) -> frozenset[int]:
    """The cards that the side may have in its hand, by what everybody knows."""
    hand = s.deck.hand(side)
    shown = frozenset(held for held in hand if isinstance(held, int))
    return shown | hidden_cards(s) if len(shown) < len(hand) else shown


def title(s: State, side: str, card: int) -> str:
    return s.chart.card_title(side, card)


def unit_in(target: int) -> int:
    """The unit's number among an event's targets, -1 if it is none."""
    return target - UNIT if UNIT <= target < CHOICE else -1


def target_text(s: State, target: int) -> str:
    """A target as players write it."""
    if target >= CARD:
        return f"card {target - CARD}"
    if target >= CHOICE:
        return f"={target - CHOICE}"
    if target >= UNIT:
        unit = target - UNIT
        return s.name(unit) if unit < len(s.chart.units) else f"?{unit}"
    return s.chart.place_text(target)


__all__ = ["BY_MOMENT", "EVENTS", "NO_TARGETS", "At", "CardEvent", "Moment", "Targets", "event", "may_hold", "other"]
