"""No Retreat! The Russian Front: two players, twenty-eight turns, June 1941 to June 1945 (README.md)."""

from __future__ import annotations

from pbem.game import Frame, Game, Option, Preset, RandomBot, Scenario, Seat, Setup, by_chart, loader
from pbem.kit import ASKED, PlaceNames
from pbem_rules.noretreat.board import text_board
from pbem_rules.noretreat.bots import SensibleBot
from pbem_rules.noretreat.cards.base import CARDS
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET, chart_of, check_data
from pbem_rules.noretreat.frames import Campaign
from pbem_rules.noretreat.looking import left_undone, looking
from pbem_rules.noretreat.notation import NOTATION
from pbem_rules.noretreat.orders import DECK
from pbem_rules.noretreat.reckon import reckon_text
from pbem_rules.noretreat.report import report
from pbem_rules.noretreat.sequence import SEQUENCES
from pbem_rules.noretreat.setup import attach, set_up
from pbem_rules.noretreat.state import State, facts
from pbem_rules.noretreat.thrown import thrown_by
from pbem_rules.noretreat.victory import forfeit

__all__ = ["game"]


def _setup(setup: Setup) -> tuple[State, Frame]:
    return set_up(setup), Campaign()


game: Game[State] = Game(
    name="noretreat",
    title="No Retreat! The Russian Front",
    behaviour=1,
    rules="1.0",
    seats=(Seat(AXIS, AXIS, "Axis"), Seat(SOVIET, SOVIET, "Soviets")),
    scenarios=tuple(
        Scenario(str(plan["key"]), str(plan["title"]), str(plan["text"])) for plan in DATA["starts"]["starts"]
    ),
    options=(
        ASKED,
        Option("detachments", "NR-14.1: Axis detachments", (False, True)),
        Option("fortified_fronts", "NR-14.3: Soviet fortified fronts", (False, True)),
        Option("local_support", "NR-14.5: local combat support", (False, True)),
        Option("plain_weather", "NR-14.6: no managed weather", ("no", "1941", "always")),
        Option("fast_reorganisation", "NR-14.7: fast reorganisation", (False, True)),
        Option("no_surrender", "NR-14.8: no surrender", (False, True)),
        Option("joker", "NR-14.9: the Joker", (False, True)),
        Option("reserves", "NR-14.10: the Reserves unit", (False, True)),
        Option("partisans", "NR-14.11: paratroops and partisans", (False, True)),
    ),
    data=DATA,
    chart=chart_of,
    state=State,
    setup=_setup,
    attach=attach,
    check_data=check_data,
    sequences=SEQUENCES,
    facts=facts,
    presets={
        "ask-cards": Preset(
            "You are asked whenever you may play a card in the other's turn, or answer one.",
            dict.fromkeys(("turn_window", "phase_window", "battle_window", "answer", "counterblows"), "then ask"),
        ),
    },
    named=lambda chart: {"hex": PlaceNames(chart.board)},
    notation=NOTATION,
    board=text_board,
    report=report,
    story=by_chart("pbem_rules.noretreat.story:story"),
    odds=reckon_text,
    look=looking,
    left_undone=left_undone,
    explains=loader("pbem_rules.noretreat.questions:QUESTIONS"),
    forfeit=forfeit,
    thrown_by=thrown_by,
    pictures=loader("pbem_rules.noretreat.pictures:pictures"),
    decks={DECK: tuple(CARDS)},
    bots={"random": RandomBot(), "sensible": SensibleBot()},
)
