"""SG-12.6, SG-16.1 A Soviet chit laid aside for a turn, unseen: Zhukov's report, and the orders of the Stavka.

Nobody can draw out of a cup without knowing what is in it. So the Soviet chits of the turn are shuffled face down, and
only their owner looks at them. They lay one aside, still face down; the others are places in the cup, each of which is
turned up when it is drawn. As of any deck, nobody can choose or change what lies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, Ask, Deck, Drawing, Known, Next, Out, Shuffle, Shuffling
from pbem_rules.stargard.chart import CHIT_DECK, SOVIET
from pbem_rules.stargard.events import Note
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.orders import Decline, LayAside, Report
from pbem_rules.stargard.state import STAVKA, State


def may_report(s: State) -> bool:
    """SG-12.6a, SG-16.1: in turns 8 and 9; with the option in turns 2 and 3 as well."""
    marks = s.chart.track[s.turn].marks
    return "report" in marks or ("stavka" in marks and STAVKA in s.options)


class Reporting(Ask[State, GameTurn, Report | Decline]):
    """SG-12.6a: nobody is asked who has not said so by standing orders, since it hardly ever pays."""

    name = "report"
    rule = "SG-12.6"
    default, preset = "then decline", True
    seats = (SOVIET,)
    fact_names = ("turn",)
    answer_names = ("report", "decline")
    ends = "Lay no chit aside in this turn"

    def by(self, s: State, f: GameTurn) -> Sequence[str]:
        return (SOVIET,) if may_report(s) else ()

    def prompt(self, s: State, f: GameTurn, seat: str) -> str:
        return "`report`: lay one of your chits aside for this turn, for a point; or `decline`."

    def options(self, s: State, f: GameTurn, seat: str) -> Iterator[Report | Decline]:
        yield Decline()
        yield Report()

    def do(self, s: State, f: GameTurn, seat: str, order: Report | Decline, out: Out) -> None:
        f.reports = isinstance(order, Report)

    def facts(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, int]:
        return {"turn": s.turn}

    def answers(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, Report | Decline]:
        return {"report": Report(), "decline": Decline()}


class MixChits(Shuffling[State, GameTurn]):
    rule = "SG-12.6"

    def deck(self, s: State) -> Deck:
        return s.chits

    def shuffle(self, s: State, f: GameTurn) -> Shuffle | None:
        own = (number for number, chit in enumerate(s.chart.chits.values()) if chit.side == SOVIET)
        codes = tuple(s.chart.chits)
        return s.chits.first([number for number in own if codes[number] in s.cup]) if f.reports else None


class LookAtChits(Drawing[State, GameTurn]):
    rule = "SG-12.6"

    def deck(self, s: State) -> Deck:
        return s.chits

    def drawing(self, s: State, f: GameTurn) -> tuple[str, int]:
        return SOVIET, s.chits.left


class TakeOut(Ask[State, GameTurn, LayAside | Decline]):
    """SG-12.6b: which chit it is, its owner alone knows. SG-12.6d: it costs a point."""

    name = "lay_aside"
    rule = "SG-12.6"
    seats = (SOVIET,)
    no = "`aside CHIT` lays one of the chits in the cup aside"

    def by(self, s: State, f: GameTurn) -> Sequence[str]:
        return (SOVIET,) if f.reports else ()

    def prompt(self, s: State, f: GameTurn, seat: str) -> str:
        return "Lay a chit of yours aside for this turn, unseen: `aside CHIT`; or `decline`."

    def options(self, s: State, f: GameTurn, seat: str) -> Iterator[LayAside | Decline]:
        yield Decline()
        yield from map(LayAside, range(s.chits.size))

    def do(self, s: State, f: GameTurn, seat: str, order: LayAside | Decline, out: Out) -> Next:
        f.reports = False
        if isinstance(order, Decline):
            s.chits = fresh(s)
            return DONE
        s.chits.throw(SOVIET, s.chits.hand(SOVIET)[order.place])
        s.reports += 1
        out.add(Note(text="A Soviet chit is laid aside, which costs a point.", rule=self.rule))
        return DONE


def fresh(s: State) -> Deck:
    """All chits are open again."""
    return Deck(CHIT_DECK, s.chits.epoch)
