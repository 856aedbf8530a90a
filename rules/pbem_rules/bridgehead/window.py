"""BH-8.5 The window before a battle: one reaction card, then Countermands in turn, until somebody passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from pbem.game import DONE, RETURN, STAY, Auto, Decide, Known, Next, Out, Violation
from pbem.kit import hex_name
from pbem_rules.bridgehead.attacks import COVER
from pbem_rules.bridgehead.cards import check_play, discard, playable
from pbem_rules.bridgehead.chart import NAMES, other
from pbem_rules.bridgehead.events import Cancelled, Played
from pbem_rules.bridgehead.frames import Window
from pbem_rules.bridgehead.orders import NO_TARGET, Pass, Play, slot_number, slot_text
from pbem_rules.bridgehead.retreat import ways_back
from pbem_rules.bridgehead.state import State


def useless(s: State, f: Window, key: str) -> Violation | None:
    """Why a reaction card cannot be played in this battle."""
    if key == "ambush" and s.chart.board[f.target].terrain not in COVER:
        return Violation("BH-8.10", f"{hex_name(f.target)} is open ground")
    if key == "fallback" and not any(ways_back(s, other(f.side), unit) for unit in s.ground.stacks[f.target]):
        return Violation("BH-8.11", "None of your units there can retreat")
    return None


class Interrupt(Decide[State, Window, Play | Pass]):
    """A card of one sort, or a pass."""

    window = True
    default = "then pass"
    answer_names = ("pass", "CARD")
    play: ClassVar[str]

    def unfit(self, s: State, f: Window, key: str) -> Violation | None:
        """Why this card cannot be played here, though it is of the right sort."""
        return None

    def legal(self, s: State, f: Window, seat: str, own: Known) -> Iterator[Play | Pass]:
        """BH-8.4, BH-8.5."""
        yield Pass()
        for card, slot in playable(s, seat, own, self.play):
            if self.unfit(s, f, s.chart.cards[card].key) is None:
                yield Play(card, slot_number(slot))

    def opens(self, s: State, f: Window, seat: str, order: Play | Pass) -> tuple[str, ...]:
        return (slot_text(s.deck.name, order.slot),) if isinstance(order, Play) else ()

    def check(self, s: State, f: Window, seat: str, order: Play | Pass, proof: Known) -> Violation | None:
        if isinstance(order, Pass):
            return None
        wrong = check_play(s, seat, order, proof, self.play)
        if wrong is not None:
            return wrong
        if order.target != NO_TARGET:
            return Violation("BH-8.4", "This card has no target")
        return self.unfit(s, f, s.chart.cards[order.card].key)

    def passing(self, s: State, f: Window, seat: str) -> Pass:
        return Pass()

    def answers(self, s: State, f: Window, seat: str, own: Known) -> Mapping[str, Play | Pass]:
        named: dict[str, Play | Pass] = {"pass": Pass()}
        for order in self.legal(s, f, seat, own):
            if isinstance(order, Play):
                named.setdefault(s.chart.cards[order.card].key, order)
        return named

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or bool(s.chart.cards.numbers(name))


class React(Interrupt):
    """The defender's one reaction card (BH-8.4, BH-8.5)."""

    name = "react"
    rule = "BH-7.1"
    fact_names = ("hex", "steps", "town")
    play = "reaction"

    def unfit(self, s: State, f: Window, key: str) -> Violation | None:
        return useless(s, f, key)

    def by(self, s: State, f: Window) -> Sequence[str]:
        side = other(f.side)
        return (side,) if s.hand(side) else ()

    def prompt(self, s: State, f: Window, seat: str) -> str:
        return f"{NAMES[f.side]} attacks {s.chart.board[f.target]}: {NAMES[seat]} may play a card, or `pass`."

    def apply(self, s: State, f: Window, answers: Mapping[str, Play | Pass], out: Out) -> Next:
        ((side, order),) = answers.items()
        if not isinstance(order, Play):
            return RETURN
        kind = s.chart.cards[order.card]
        f.card = kind.key
        discard(s, side, order)
        out.add(Played(side=side, card=kind.name, rule=kind.rule))
        return DONE

    def facts(self, s: State, f: Window, seat: str, own: Known) -> Mapping[str, int]:
        town = int(s.chart.board[f.target].terrain == "town")
        return {"hex": f.target, "steps": sum(s.pieces[u].steps for u in s.ground.stacks[f.target]), "town": town}


class Answer(Interrupt):
    """Countermand, and Countermand of the Countermand (BH-8.13)."""

    name = "answer"
    rule = "BH-8.5"
    fact_names = ("hex",)
    play = "answer"

    def when(self, s: State, f: Window) -> bool:
        return f.card != ""

    def by(self, s: State, f: Window) -> Sequence[str]:
        side = f.side if f.answers % 2 == 0 else other(f.side)
        return (side,) if s.hand(side) else ()

    def prompt(self, s: State, f: Window, seat: str) -> str:
        kind = s.chart.cards.kinds[f.card]
        card = f'{kind.name} ("{kind.text.rstrip(".")}")'
        played = f"{NAMES[other(f.side)]} plays {card} in the battle for {s.chart.board[f.target]}."
        again = f" {NAMES[other(seat)]} has countermanded that." if f.answers else ""
        return f"{played}{again} {NAMES[seat]} may countermand it with a card, or `pass`."

    def apply(self, s: State, f: Window, answers: Mapping[str, Play | Pass], out: Out) -> Next:
        ((side, order),) = answers.items()
        if not isinstance(order, Play):
            return DONE
        kind = s.chart.cards[order.card]
        f.answers += 1
        discard(s, side, order)
        out.add(Played(side=side, card=kind.name, rule=kind.rule))
        return STAY

    def facts(self, s: State, f: Window, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target}


class Settle(Auto[State, Window]):
    """An odd number of Countermands cancels the reaction card, an even number leaves it in force."""

    rule = "BH-8.13"

    def run(self, s: State, f: Window, out: Out) -> Next:
        if f.answers % 2:
            out.add(Cancelled(card=s.chart.cards.kinds[f.card].name, rule=self.rule))
            f.card = ""
        return DONE
