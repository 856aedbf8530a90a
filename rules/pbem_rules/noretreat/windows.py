"""NR-5.18 to NR-5.23: the moments at which events are played, by one's own orders and in windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from pbem.game import DONE, Auto, Call, Choice, Frame, Known, Next, Out, Poll, Violation
from pbem.game import Window as Polling
from pbem_rules.noretreat.cards.base import (
    BY_MOMENT,
    EVENTS,
    IN_BATTLE,
    WHEN,
    At,
    Moment,
    may_hold,
    title,
)  # fmt: skip
from pbem_rules.noretreat.chart import NAMES, other
from pbem_rules.noretreat.events import Note, Played
from pbem_rules.noretreat.frames import Action, Battle, PlayerTurn, Window
from pbem_rules.noretreat.hands import event_in_hand, hand_numbers, slots, spend
from pbem_rules.noretreat.odds import column_name, dice_text, fight_of, reckon, result_now
from pbem_rules.noretreat.orders import Done, Event, Joker, Pass, card_of
from pbem_rules.noretreat.report import RESULTS
from pbem_rules.noretreat.state import State

F = TypeVar("F", bound=Frame)
Moments = tuple[Moment, ...]


def event_orders(s: State, seat: str, moments: Moments, own: Known) -> Iterator[Event]:
    """The events that the seat can play at one of these moments."""
    for number in hand_numbers(s, seat, own):
        held = EVENTS.get((seat, card_of(number)))
        if held is None:
            continue
        at = first_moment(s, held.side, held.card, moments)
        if at is not None:
            for targets in held.choices(s, at):
                yield Event(number, targets)


def first_moment(s: State, side: str, card: int, moments: Moments) -> At | None:
    """The first of the moments at which the event is ready."""
    held = EVENTS[side, card]
    for moment in moments:
        at = At(side, moment)
        if held.ready(s, at) is None:
            return at
    return None


def check_event(s: State, seat: str, moments: Moments, order: Event, proof: Known) -> Violation | None:
    held = event_in_hand(s, seat, order.card, proof)
    if isinstance(held, Violation):
        return held
    at = first_moment(s, seat, held.card, moments)
    if at is None:
        tried = next((moment for moment in moments if moment in held.when(s, seat)), moments[0])
        return held.ready(s, At(seat, tried))
    return held.check(s, at, order.targets)


def play_event(s: State, seat: str, moments: Moments, order: Event, out: Out) -> Action:
    """The card goes to the discards; what comes of it is up to the sequence that is to be called."""
    at = first_moment(s, seat, card_of(order.card), moments)
    assert at is not None
    (card,) = spend(s, seat, (order.card,))
    s.used = (*s.used, card)
    if at.moment in IN_BATTLE:
        assert s.fight is not None
        s.fight.played = (*s.fight.played, seat)
    held = EVENTS[seat, card]
    shown = held.told(s, order.targets)
    out.add(Played(side=seat, card=card, title=title(s, seat, card), targets=shown, rule=held.rule))
    return Action(seat, at.moment, (card,), order.targets)


class PlayEvent(Choice[State, PlayerTurn, Event]):
    """An event out of the hand, at one of these moments of one's own phase (NR-5.12)."""

    moments: ClassVar[Moments]

    def at(self, f: PlayerTurn) -> Moments:
        return self.moments

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Event]:
        return event_orders(s, seat, self.at(f), own)

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Event) -> tuple[str, ...]:
        return slots(order.card)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Event, proof: Known) -> Violation | None:
        return check_event(s, seat, self.at(f), order, proof)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Event, out: Out) -> Next:
        return Call(play_event(s, seat, self.at(f), order, out), again=True)


class EndPhase(Choice[State, PlayerTurn, Done]):
    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        yield Done()

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Done, out: Out) -> Next:
        f.stage = 0
        return DONE


def can_play(s: State, seat: str, moments: Moments) -> bool:
    """By what everybody knows, may the seat have something to play? (NR-5.12, NR-5.22)"""
    if not s.hand(seat):
        return False
    possible = may_hold(s, seat)
    return any(
        held.card in possible and held.usable(s, At(seat, moment))
        for moment in moments
        for held in BY_MOMENT[seat, moment]
    )


# What is played at a window, by the moment that it is named after.
BETWEEN: Mapping[str, Moments] = {
    Moment.OPENING: (Moment.OPENING,),
    Moment.CARDS: (Moment.CARDS, Moment.AFTER_CARDS, Moment.SUPPLY, Moment.BEFORE, Moment.ANY),
    Moment.MOVED: (Moment.MOVED, Moment.ANY),
    Moment.TARGETED: (Moment.TARGETED, Moment.COMBAT, Moment.ANY),
    Moment.AFTER_COMBAT: (Moment.AFTER_COMBAT, Moment.ANY),
    Moment.REMOVAL: (Moment.REMOVAL,),
    Moment.TURN_END: (Moment.TURN_END, Moment.ANY),
}
FIGHTING: Mapping[str, Moments] = {
    Moment.BATTLE: (Moment.BATTLE, Moment.COMBAT),  # what holds for the phase can begin with any of its battles
    Moment.ROLLED: (Moment.ROLLED,),
    Moment.AFTERMATH: (Moment.AFTERMATH,),
    Moment.FOUGHT: (Moment.FOUGHT,),
}
DEALT: Mapping[str, Moments] = {Moment.SUPPLY: (Moment.SUPPLY, Moment.CARDS)}
MOMENTS: Mapping[str, Moments] = {**BETWEEN, **FIGHTING, **DEALT}
NUMBERS = {moment: n for moments in (BETWEEN, FIGHTING, DEALT) for n, moment in enumerate(moments)}  # as facts
PHASES = (Moment.MOVED, Moment.TARGETED, Moment.AFTER_COMBAT, Moment.REMOVAL, Moment.TURN_END)


class EventWindow(Polling[State, Window, Event | Joker | Pass], Generic[F]):
    """Polls the seats of its frame. Standing orders tell the moments of one class apart by their number."""

    takes = (Event, Joker, Pass)
    rule = "NR-5.19"
    moments: ClassVar[Mapping[str, Moments]]
    name: ClassVar[str] = "window"
    fact_names = ("hex", "column", "mine", "moment", "own", "turn")
    answer_names = ("pass", "joker", "CARD")

    def when(self, s: State, f: Window) -> bool:
        return f.moment in self.moments

    def poll(self, s: State, f: Window) -> Poll:
        return f.poll

    def can(self, s: State, f: Window, seat: str) -> bool:
        return can_play(s, seat, self.moments[f.moment])

    def passing(self, s: State, f: Window, seat: str) -> Event | Joker | Pass:
        return Pass()

    def prompt(self, s: State, f: Window, seat: str) -> str:
        where = "" if s.fight is None else f" at {s.chart.place_text(s.fight.target[0])}{_odds(s)}"
        dice = "" if s.fight is None else _dice(s)
        when = WHEN[Moment.BEFORE if f.moment == Moment.CARDS else Moment(f.moment)]
        return (
            f"Turn {s.turn}, {NAMES[s.active]} turn, {when}{where}: {NAMES[seat]} may play an event, or `pass`.{dice}"
        )

    def actions(self, s: State, f: Window, seat: str, own: Known) -> Iterator[Event | Joker | Pass]:
        return event_orders(s, seat, self.moments[f.moment], own)

    def judge(self, s: State, f: Window, seat: str, order: Event | Joker | Pass, proof: Known) -> Violation | None:
        if isinstance(order, Joker):
            return Violation("NR-14.9", "The Joker is played when a die has been rolled")
        return check_event(s, seat, self.moments[f.moment], order, proof) if isinstance(order, Event) else None

    def opens(self, s: State, f: Window, seat: str, order: Event | Joker | Pass) -> tuple[str, ...]:
        return slots(order.card) if isinstance(order, Event) else ()

    def act(self, s: State, f: Window, seat: str, order: Event | Joker | Pass, out: Out) -> Frame | None:
        assert isinstance(order, Event)
        return play_event(s, seat, self.moments[f.moment], order, out)

    def facts(self, s: State, f: Window, seat: str, own: Known) -> Mapping[str, int]:
        fight = s.fight
        column, place = (reckon(s, fight).column, fight.target[0]) if fight else (0, 0)
        mine = int((fight.side if fight else s.active) == seat)
        return {"column": column, "hex": place, "mine": mine, "moment": NUMBERS[f.moment],
                "own": int(s.active == seat), "turn": s.turn}  # fmt: skip

    def answers(self, s: State, f: Window, seat: str, own: Known) -> Mapping[str, Event | Joker | Pass]:
        """`pass`, `joker`, or the number of a card: it is played on the first thing that it can be played on."""
        named: dict[str, Event | Joker | Pass] = {"pass": Pass()}
        for order in self.actions(s, f, seat, own):
            if isinstance(order, Event):
                named.setdefault(str(card_of(order.card)), order)
            elif isinstance(order, Joker):
                named["joker"] = order
        return named

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or s.chart.is_card(name)


class Dealt(EventWindow[Window]):
    """The active side's own Card and Supply phases end here (NR-5.22); its hand is the one that it has drawn."""

    name, preset = "dealt_window", False
    moments = DEALT

    def prompt(self, s: State, f: Window, seat: str) -> str:
        return f"Turn {s.turn}: the {NAMES[seat]} Card and Supply phases end. Play events of these phases, or `pass`."


def _odds(s: State) -> str:
    """The column of the battle, and what its die means as things stand."""
    fight = fight_of(s)
    column = f", column {column_name(s, reckon(s, fight).column)}"
    return f"{column}, die {fight.die} ({RESULTS[result_now(s)]})" if fight.die else column


def _dice(s: State) -> str:
    """What the die of the battle would give, or another one."""
    dice = dice_text(s)
    rolls = "If the die is rolled again" if fight_of(s).die else "The die to come"
    return f" {rolls}: {dice}." if dice else ""


class Between(EventWindow[Window]):
    """At the beginning of a player-turn, and before its Organisation phase."""

    name = "turn_window"
    moments: ClassVar[Mapping[str, Moments]] = {each: of for each, of in BETWEEN.items() if each not in PHASES}


class AfterPhase(EventWindow[Window]):
    """When a phase ends, between orders of the active side, whom a sealed answer stops there: a question of its own."""

    name = "phase_window"
    moments: ClassVar[Mapping[str, Moments]] = {each: BETWEEN[each] for each in PHASES}


class Fighting(EventWindow[Window]):
    """In a battle; NR-14.9: after the die the holder of the Joker may have it rolled again."""

    name = "battle_window"
    moments = FIGHTING

    def can(self, s: State, f: Window, seat: str) -> bool:
        return (s.joker == seat and self._rolled(s, f)) or super().can(s, f, seat)

    @staticmethod
    def _rolled(s: State, f: Window) -> bool:
        return f.moment == Moment.ROLLED and s.fight is not None and s.fight.die > 0

    def actions(self, s: State, f: Window, seat: str, own: Known) -> Iterator[Event | Joker | Pass]:
        if s.joker == seat and self._rolled(s, f):
            yield Joker()
        yield from super().actions(s, f, seat, own)

    def judge(self, s: State, f: Window, seat: str, order: Event | Joker | Pass, proof: Known) -> Violation | None:
        if isinstance(order, Joker):
            return None if s.joker == seat and self._rolled(s, f) else Violation("NR-14.9", "You do not hold the Joker")
        return super().judge(s, f, seat, order, proof)

    def act(self, s: State, f: Window, seat: str, order: Event | Joker | Pass, out: Out) -> Frame | None:
        if not isinstance(order, Joker):
            return super().act(s, f, seat, order, out)
        assert s.fight is not None
        s.fight.die = 0
        s.joker = other(seat)
        out.add(Note(text="The Joker: the die is rolled again.", rule="NR-14.9"))
        return None


WINDOWS: tuple[EventWindow[Window], ...] = (Dealt(), Between(), AfterPhase(), Fighting())


def window(s: State, moment: Moment, *seats: str) -> Window | None:
    """NR-5.19, NR-14.9: the frame of a window, or None if nobody could play anything."""
    joker = s.joker if moment == Moment.ROLLED else ""
    asked = tuple(seat for seat in seats if seat == joker or can_play(s, seat, MOMENTS[moment]))
    return Window(moment, Poll(asked)) if asked else None


class OpenWindow(Auto[State, PlayerTurn]):
    """Opens a window in a player-turn. `who`: own, enemy or both, the active side first (NR-5.19)."""

    moment: ClassVar[Moment]
    who: ClassVar[str] = "enemy"
    rule = "NR-5.22"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        seats: Sequence[str] = {"own": (s.active,), "enemy": (s.enemy,)}.get(self.who, (s.active, s.enemy))
        frame = window(s, self.moment, *seats)
        return DONE if frame is None else Call(frame)


class OpenOpening(OpenWindow):
    name, moment = "open_opening", Moment.OPENING


class OpenDealt(OpenWindow):
    name, moment, who = "open_dealt", Moment.SUPPLY, "own"


class OpenPrelude(OpenWindow):
    name, moment = "open_prelude", Moment.CARDS


class OpenMoved(OpenWindow):
    name, moment = "open_moved", Moment.MOVED


class OpenTargeted(OpenWindow):
    name, moment = "open_targeted", Moment.TARGETED


class OpenAfterCombat(OpenWindow):
    name, moment, who = "open_after_combat", Moment.AFTER_COMBAT, "both"


class OpenRemoval(OpenWindow):
    name, moment, who = "open_removal", Moment.REMOVAL, "own"


class OpenTurnEnd(OpenWindow):
    name, moment, who = "open_turn_end", Moment.TURN_END, "both"


class OpenBattle(Auto[State, Battle]):
    moment: ClassVar[Moment] = Moment.BATTLE
    rule = "NR-9.18"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        frame = window(s, self.moment, s.active, s.enemy)
        return DONE if frame is None else Call(frame)


class OpenAftermath(OpenBattle):
    """NR-13.17A, NR-13.19A, NR-13.35S."""

    name, moment = "open_aftermath", Moment.AFTERMATH

    def when(self, s: State, f: Battle) -> bool:
        assert s.fight is not None
        return s.fight.result in ("DR", "DS", "DD")


class OpenAfterBattle(OpenBattle):
    """NR-13.51S."""

    name, moment = "open_after_battle", Moment.FOUGHT
