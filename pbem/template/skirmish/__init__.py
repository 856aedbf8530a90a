"""Skirmish: a small hex game for two, made to be changed. README.md has its rules."""

from __future__ import annotations

from pbem.game import *

from . import rules, shown
from .chart import DATA, OTHER, TITLES, Chart
from .rules import Happened, State, Turn, War


def begin(chart: Chart) -> tuple[State, War]:
    """Units stand where they are printed, and nobody holds a town."""
    state = State(towns=dict.fromkeys(chart.map.valued("points"), ""), chart=chart)
    for code, unit in chart.units.items():
        state.put(code, int(unit.hex))
    return state, War()


chart = Chart(DATA)
HEXES = Words({cell: f"{cell:04}" for cell in chart.board.places})
CARDS = Words({number: f"{kind.key}{number}" for number, kind in enumerate(chart.cards.cards)})

game = Game(
    name="skirmish",
    title="Skirmish",
    seats=tuple(Seat(side, side, title) for side, title in TITLES.items()),
    scenarios=(Scenario("fords", "The two fords"),),
    state=State,
    setup=lambda setup: begin(setup.chart),
    data=DATA,
    chart=Chart,
    sequences=(
        Sequence(War, rules.FirstShuffle(), rules.NextTurn()),
        Sequence(Turn, rules.DrawCards(), rules.Moving(), rules.Fighting()),
        Sequence(rules.Battle, rules.Barrage(), rules.Ambush(), rules.RollDie(), rules.Retreating()),
    ),
    notation=Notation(
        Verb(rules.Move, "move {unit} {to}", names={"to": HEXES}),
        Verb(rules.Attack, "attack {target}", names={"target": HEXES}),
        Verb(rules.Withdraw, "withdraw {to}", names={"to": HEXES}),
        Verb(rules.Card, "play {number} {slot}", names={"number": CARDS}),
        Verb(rules.Pass, "done"),
    ),
    decks={"orders": tuple(range(len(chart.cards)))},
    board=shown.board,
    report=lambda event: event.text if isinstance(event, Happened) else "",
    bots={"plain": shown.PlainBot()},
    forfeit=lambda s, seats: Result(OTHER[seats[0]], "forfeit"),
)
