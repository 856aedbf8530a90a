"""S42-S1.1, S42-S3.1: the position at the start of a scenario."""

from __future__ import annotations

from functools import partial

from pbem.game import Option, Rows, Setup
from pbem.kit import ASKED
from pbem_rules.stalingrad42.chart import ASU, CONTESTED, FORTS, LEADER, OUT, SIDES, Chart
from pbem_rules.stalingrad42.chart import POOL as POOL_BOX
from pbem_rules.stalingrad42.combat.offensives import lay
from pbem_rules.stalingrad42.scenarios import URANUS, chart_for
from pbem_rules.stalingrad42.state import (
    BY_LAND,
    DISENGAGING,
    FIRST_IN_G,
    LEADERS,
    PLANNED,
    POOL,
    REMOVED,
    RESERVES,
    ROW_FORTY,
    SHARING,
    TO_THE_LAST,
    WAITING,
    WHILE_HELD,
    Piece,
    State,
    other,
)

HARD_FOUGHT = 2  # the level of a City Battle that goes on when a scenario begins (S42-11.6.2)
OPTIONS = (
    ASKED,
    Option(BY_LAND, "S42-16.3.1: a line of supply that goes only over land counts", (False, True)),
    Option(RESERVES, "S42-25: units may be kept in reserve, and advance after others have fought", (False, True)),
    Option(PLANNED, "S42-26: Planned Offensives, which roll one more die in an attack", (False, True)),
    Option(DISENGAGING, "S42-27: units may try to disengage in their own Combat Phase", (False, True)),
    Option(LEADERS, "S42-28: Chuikov and Manstein are in play, and can have dice rolled again", (False, True)),
    Option(SHARING, "S42-29: attackers go into a city that holds out, and share it (in Uranus always)", (False, True)),
    Option(WHILE_HELD, "S42-20.8a: volunteers come only while the Axis holds both of their towns", (False, True)),
    Option(FIRST_IN_G, "S42-24.1.3a: the first unit of the Axis drives the Soviets out of Area G", (False, True)),
    Option(ROW_FORTY, "S42-30.0a: the Trans-Caucasus front comes when the Axis is in row 40", (False, True)),
    Option(
        TO_THE_LAST,
        "S42-11.5.1: a stack whose stance is to hold fights to the last rather than make a shortened retreat",
        (False, True),
    ),
)


def set_up(setup: Setup) -> State:
    chosen = {name for name, on in setup.options.items() if on is True}
    state = at_start(chart_for(setup.data, setup.scenario), leaders=LEADERS in chosen)
    state.charts = partial(chart_for, setup.data, setup.scenario)
    if PLANNED in chosen and setup.scenario == URANUS:  # S42-33.2.1b
        for code in setup.data[URANUS]["offensive"]:
            lay(state, state.chart.unit(code).number, ready=True)
    state.options = tuple(sorted(chosen | ({SHARING} if setup.scenario == URANUS else set())))  # S42-S3.1c
    state.scenario = setup.scenario
    state.asked = str(setup.options[ASKED.name])
    return state


def attach(state: State, setup: Setup) -> None:
    """The chart of the scenario, and the index that is not saved."""
    state.charts = partial(chart_for, setup.data, setup.scenario)
    state.chart = state.charts(state.turn)
    state.ground = state.roster()


def at_start(chart: Chart, *, leaders: bool = False) -> State:
    """All units of the start cards, in good order and supply, artillery support ready (S42-18.2.1)."""
    pieces = {unit.number: Piece(WAITING, unit.steps) for unit in chart.units}
    for arrival in chart.track.arrivals:
        unit = chart.unit(arrival.unit)
        pieces[unit.number] = Piece(WAITING, unit.steps - arrival.steps, ready=_ready(chart, unit.number))
    for unit in chart.units:
        if chart.has(unit.number, LEADER) and not leaders:
            pieces[unit.number] = Piece(REMOVED, unit.steps)
    for box, place in ((POOL_BOX, POOL), (OUT, REMOVED)):
        for number in chart.boxes[box]:
            pieces[number] = Piece(place, chart.units[number].steps)
    for number, start in chart.starts.items():
        steps = chart.units[number].steps - start.lost
        if leaders or not chart.has(number, LEADER):
            pieces[number] = Piece(start.place, steps, ready=_ready(chart, number))
    first, regions = chart.track.turns[0], chart.map.regions
    state = State(
        turn=first.number,
        offensive=first.number if "offensive" in first.marks else 0,
        rained="rained" in first.marks,
        pieces=Rows(pieces),
        holders=Rows(dict(chart.held)),
        frozen=Rows({number: start.frozen for number, start in chart.starts.items() if start.frozen}),
        forts=Rows({place: side for side in SIDES for place in chart.listed(f"forts_{side}")}),
        forts_off=tuple(key for key in FORTS if not regions[key].places),
        flotilla=chart.listed("flotilla"),
        tracks=tuple((place,) for place in regions["railheads"].places),
    )
    state.chart, state.charts = chart, lambda _: chart
    state.ground = state.roster()
    for place in chart.listed(CONTESTED):  # S42-29.1.4: the side that holds it was there first
        state.contests[place] = chart.held[place]
        state.sieges[place] = (HARD_FOUGHT, *state.of(other(chart.held[place]), place))
    return state


def _ready(chart: Chart, unit: int) -> bool:
    """S42-18.2.1, S42-28.1.1."""
    return chart.has(unit, ASU) or chart.has(unit, LEADER)
