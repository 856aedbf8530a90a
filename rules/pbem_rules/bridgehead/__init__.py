"""Bridgehead: a teaching game of twenty minutes. The rules are in README.md beside this file."""

from __future__ import annotations

from pbem.game import Frame, Game, Option, RandomBot, Scenario, Seat, Setup, later, loader
from pbem_rules.bridgehead.bots import SensibleBot
from pbem_rules.bridgehead.chart import BLUE, DATA, RED, chart_of, check_data
from pbem_rules.bridgehead.frames import War
from pbem_rules.bridgehead.sequence import SEQUENCES
from pbem_rules.bridgehead.state import State, attach, facts, set_up
from pbem_rules.bridgehead.thrown import thrown_by
from pbem_rules.bridgehead.victory import forfeit

__all__ = ["game"]

_CHART = chart_of(DATA)


def _setup(setup: Setup) -> tuple[State, Frame]:
    return set_up(setup), War()


game: Game[State] = Game(
    name="bridgehead",
    title="Bridgehead",
    behaviour=1,
    rules="1.0",
    seats=(Seat(BLUE, BLUE, "Blue"), Seat(RED, RED, "Red")),
    scenarios=tuple(
        Scenario(plan.key, plan.title, f"{plan.text} {plan.turns} turns.") for plan in _CHART.plans.values()
    ),
    options=(Option("handicap", "Points added to Red's", (0, -3, -2, -1, 1, 2, 3)),),
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=attach,
    check_data=check_data,
    sequences=SEQUENCES,
    facts=facts,
    notation=later("pbem_rules.bridgehead.notation:NOTATION"),
    board=later("pbem_rules.bridgehead.board:text_board"),
    report=later("pbem_rules.bridgehead.report:report"),
    odds=later("pbem_rules.bridgehead.reckon:reckon"),
    look=later("pbem_rules.bridgehead.looking:looking"),
    left_undone=later("pbem_rules.bridgehead.left_undone:left_undone"),
    explains=loader("pbem_rules.bridgehead.questions:QUESTIONS"),
    forfeit=forfeit,
    thrown_by=thrown_by,
    pictures=loader("pbem_rules.bridgehead.pictures:pictures"),
    decks={_CHART.cards.deck: tuple(range(len(_CHART.cards)))},
    bots={"random": RandomBot(), "sensible": SensibleBot()},
)
