"""A game out of the phases that stand: both sides play them in turn, from the start of Fall Blau."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.game import Auto, Call, End, Frame, Game, Next, Out, Result, Seat, Sequence, Setup
from pbem.kit import ASKED, PlaceNames
from pbem_rules.stalingrad42.chart import AXIS, DATA, SIDES, SOVIET, chart_of
from pbem_rules.stalingrad42.events import Fact
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.notation import NOTATION
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import State, attach_ground

HALVES = 4  # player turns


@dataclass(slots=True)
class Halves(Frame):
    played: int = 0


class NextHalf(Auto[State, Halves]):
    def run(self, s: State, f: Halves, out: Out) -> Next:
        if f.played == HALVES:
            return End(Result((AXIS,)))
        f.played += 1
        return Call(PlayerTurn(SIDES[(f.played + 1) % 2]), again=True)


def _setup(setup: Setup) -> tuple[State, Frame]:
    s = at_start(chart_of(DATA))
    s.asked = str(setup.options["asked"])
    s.turn = 6  # when many arrive
    return s, Halves()


def _report(event: object) -> str:
    return event.words() if isinstance(event, Fact) else ""


GAME: Game[State] = Game(
    name="s42_phases",
    title="Stalingrad '42: phases",
    seats=(Seat(AXIS, AXIS, "Axis"), Seat(SOVIET, SOVIET, "Soviets")),
    options=(ASKED,),
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=lambda state, _: attach_ground(state),
    sequences=(Sequence(Halves, NextHalf()), *SEQUENCES),
    named=lambda chart: {"hex": PlaceNames(chart.board)},
    notation=NOTATION,
    report=_report,
)
