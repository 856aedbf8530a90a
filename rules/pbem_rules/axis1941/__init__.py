"""Axis & Allies 1941: five powers, one map. README.md beside this file says how it is played here."""

from __future__ import annotations

from pbem.game import Frame, Game, Option, Scenario, Seat, Setup, by_chart, loader
from pbem_rules.axis1941.board import text_board
from pbem_rules.axis1941.bots import RandomTurns, SensibleBot
from pbem_rules.axis1941.chart import DATA, chart_of, check_data
from pbem_rules.axis1941.frames import War
from pbem_rules.axis1941.looking import left_undone, looking
from pbem_rules.axis1941.notation import notation_of
from pbem_rules.axis1941.reckon import reckon
from pbem_rules.axis1941.report import report, story
from pbem_rules.axis1941.sequence import SEQUENCES
from pbem_rules.axis1941.shorthand import PlaceWords, shorthand
from pbem_rules.axis1941.state import State, attach, facts, set_up
from pbem_rules.axis1941.thrown import thrown_by
from pbem_rules.axis1941.units import POWERS, SIDE, TITLES
from pbem_rules.axis1941.victory import forfeit

__all__ = ["game"]

LENGTH = (
    "The game lasts until a side holds the capitals that it needs. A round has the turns of five powers, and takes "
    "about 5 mails."
)


def _setup(setup: Setup) -> tuple[State, Frame]:
    return set_up(setup), War()


game: Game[State] = Game(
    name="axis1941",
    title="Axis & Allies 1941",
    behaviour=1,
    rules="1.0",
    seats=tuple(Seat(str(power), str(SIDE[power]), TITLES[power]) for power in POWERS),
    scenarios=tuple(Scenario(plan.key, plan.title, f"{plan.text} {LENGTH}") for plan in chart_of(DATA).plans.values()),
    options=(
        Option("victory", "Capitals to win: two (standard) or one (short)", ("standard", "short")),
        Option("straits", "The Turkish straits for ships", ("closed", "open")),
    ),
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=attach,
    check_data=check_data,
    sequences=SEQUENCES,
    facts=facts,
    notation=by_chart(notation_of),
    board=text_board,
    report=report,
    story=story,
    odds=reckon,
    look=looking,
    left_undone=left_undone,
    shorthand=shorthand,
    named=lambda _: {"place": PlaceWords()},
    thrown_by=thrown_by,
    explains=loader("pbem_rules.axis1941.questions:QUESTIONS"),
    forfeit=forfeit,
    pictures=loader("pbem_rules.axis1941.pictures:pictures"),
    bots={"random": RandomTurns(), "sensible": SensibleBot()},
)
