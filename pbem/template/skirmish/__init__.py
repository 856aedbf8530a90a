"""Skirmish: a small hex game for two, made to be changed. README.md has its rules."""

from __future__ import annotations

from pbem.game import *

from . import rules, shown
from .chart import DATA, PRINTED, TITLES, Chart
from .rules import Battle, Happened, State, Turn, War


def begin(chart: Chart) -> tuple[State, War]:
    """Units stand where they are printed, and nobody holds a town."""
    state = State(towns=dict.fromkeys(chart.map.valued("points"), ""), chart=chart)
    for code, unit in chart.units.items():
        state.put(code, int(unit.hex))
    return state, War()


cards = PRINTED.cards.cards
CARDS = Words({number: f"{card.key}{number}" for number, card in enumerate(cards)}, noun="card")

game = Game(
    name="skirmish",
    title="Skirmish",
    seats=tuple(Seat(side) for side in TITLES),
    state=State,
    setup=lambda setup: begin(setup.chart),
    data=DATA,
    chart=Chart,
    sequences=(
        Sequence(War, rules.FirstShuffle(), rules.NextTurn()),
        Sequence(Turn, rules.Moving(), rules.Fighting(), rules.DrawCards()),
        Sequence(Battle, rules.Barrage(), rules.Ambush(), rules.RollDie(), rules.Retreating()),
    ),
    decks={"orders": tuple(range(len(cards)))},
    notation=Notation(  # for the orders that come with pbem; all others carry their own text
        Verb(Card, "play {number} {slot}", names={"number": CARDS}, shown=lambda text: text.rpartition(" ")[0]),
        Verb(Pass, "done"),
    ),
    board=shown.board,
    report=lambda event: event.text if isinstance(event, Happened) else "",
    bots={"plain": shown.PlainBot()},
)
