"""Stalingrad '42: Fall Blau to Uranus, June to December 1942, in parts or whole, for two players (README.md)."""

from __future__ import annotations

from pbem.game import Event, Frame, Game, RandomBot, Scenario, Seat, Setup, loader
from pbem.kit import Told
from pbem_rules.stalingrad42.board import text_board
from pbem_rules.stalingrad42.bot import QUICK, SENSIBLE, StalingradBot
from pbem_rules.stalingrad42.chart import AXIS, DATA, SOVIET, chart_of
from pbem_rules.stalingrad42.frames import War
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.notation import NOTATION, Places
from pbem_rules.stalingrad42.reckon import reckon_text
from pbem_rules.stalingrad42.scenarios import ABOUT, TITLES, check_data
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.setup import OPTIONS, attach, set_up
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.thrown import thrown_by
from pbem_rules.stalingrad42.victory import forfeit


def _setup(setup: Setup) -> tuple[State, Frame]:
    return set_up(setup), War()


def _report(event: Event) -> str:
    return event.words() if isinstance(event, Told) else ""


game: Game[State] = Game(
    name="stalingrad42",
    title="Stalingrad '42",
    behaviour=1,
    rules="1.0",
    seats=(Seat(AXIS, AXIS, "Axis"), Seat(SOVIET, SOVIET, "Soviets")),
    scenarios=tuple(Scenario(key, title, ABOUT[key]) for key, title in TITLES.items()),
    options=OPTIONS,
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=attach,
    check_data=check_data,
    sequences=SEQUENCES,
    named=lambda chart: {"hex": Places(chart.board)},
    notation=NOTATION,
    board=text_board,
    odds=reckon_text,
    look=looking,
    left_undone=left_undone,
    thrown_by=thrown_by,
    pictures=loader("pbem_rules.stalingrad42.pictures:pictures"),
    report=_report,
    explains=loader("pbem_rules.stalingrad42.questions:QUESTIONS"),
    forfeit=forfeit,
    bots={"random": RandomBot(), "quick": StalingradBot(QUICK), "sensible": StalingradBot(SENSIBLE)},
)
