"""Stargard Solstice: Pomerania, 15 February to 6 March 1945, for two players in ten turns (README.md)."""

from __future__ import annotations

from pbem.game import Event, Frame, Game, Option, RandomBot, Scenario, Seat, Setup, loader
from pbem.kit import ASKED, PlaceNames, Told
from pbem_rules.stargard.board import text_board
from pbem_rules.stargard.bots import QUICK, SENSIBLE, StargardBot
from pbem_rules.stargard.chart import CHIT_DECK, DATA, GERMAN, SOVIET, chart_of, check_data
from pbem_rules.stargard.frames import War
from pbem_rules.stargard.looking import left_undone, looking
from pbem_rules.stargard.notation import NOTATION
from pbem_rules.stargard.reckon import reckon_text
from pbem_rules.stargard.sequence import SEQUENCES
from pbem_rules.stargard.setup import attach, set_up
from pbem_rules.stargard.state import HOLD_BACK, LONG_GAME, PLACING, SECOND_143, STAVKA, TRANSFER, State
from pbem_rules.stargard.thrown import thrown_by
from pbem_rules.stargard.victory import forfeit

__all__ = ["game"]


def _setup(setup: Setup) -> tuple[State, Frame]:
    return set_up(setup), War()


def _report(event: Event) -> str:
    return event.words() if isinstance(event, Told) else ""


game: Game[State] = Game(
    name="stargard",
    title="Stargard Solstice",
    behaviour=1,
    rules="1.0",
    seats=(Seat(GERMAN, GERMAN, "Germans"), Seat(SOVIET, SOVIET, "Soviets")),
    scenarios=(
        Scenario("standard", "Standard", "Ten turns of two days, February and March 1945; some 80 mails in all."),
    ),
    options=(
        ASKED,
        Option(STAVKA, "SG-16.1: orders of the Stavka", (False, True)),
        Option(LONG_GAME, "SG-16.2: always ten turns", (False, True)),
        Option(TRANSFER, "SG-16.3: the 234th Division changes armies", (False, True)),
        Option(HOLD_BACK, "SG-16.4: points while the 39th Panzer Corps stays", (False, True)),
        Option(SECOND_143, "Set-up with the second division of the list in 23.01", (False, True)),
        Option(
            PLACING,
            "SG-15.0c, SG-12.4: players place free units and Volkssturm, for a mail each time",
            (False, True),
            alone=True,
        ),
    ),
    data=DATA,
    decks={CHIT_DECK: tuple(range(len(chart_of(DATA).chits)))},
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=attach,
    check_data=check_data,
    sequences=SEQUENCES,
    named=lambda chart: {"hex": PlaceNames(chart.board)},
    notation=NOTATION,
    board=text_board,
    odds=reckon_text,
    look=looking,
    left_undone=left_undone,
    thrown_by=thrown_by,
    pictures=loader("pbem_rules.stargard.pictures:pictures"),
    report=_report,
    explains=loader("pbem_rules.stargard.questions:QUESTIONS"),
    forfeit=forfeit,
    bots={"random": RandomBot(), "quick": StargardBot(QUICK), "sensible": StargardBot(SENSIBLE)},
)
