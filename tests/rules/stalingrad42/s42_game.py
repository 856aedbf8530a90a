"""Fall Blau as far as it stands."""

from __future__ import annotations

from pbem.game import Frame, Game, Seat, Setup
from pbem.kit import PlaceNames, Told
from pbem_rules.stalingrad42.chart import AXIS, DATA, SOVIET, chart_of
from pbem_rules.stalingrad42.frames import War
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.notation import NOTATION
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.setup import OPTIONS, set_up
from pbem_rules.stalingrad42.state import State, attach_ground


def _setup(setup: Setup) -> tuple[State, Frame]:
    s = set_up(setup)
    s.turn = 6  # when many arrive
    return s, War()


def _report(event: object) -> str:
    return event.words() if isinstance(event, Told) else ""


GAME: Game[State] = Game(
    name="s42",
    title="Stalingrad '42",
    seats=(Seat(AXIS, AXIS, "Axis"), Seat(SOVIET, SOVIET, "Soviets")),
    options=OPTIONS,
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=lambda state, _: attach_ground(state),
    sequences=SEQUENCES,
    named=lambda chart: {"hex": PlaceNames(chart.board)},
    notation=NOTATION,
    left_undone=left_undone,
    report=_report,
)
