"""S42-S1.1: the position at the start of Fall Blau."""

from __future__ import annotations

from pbem.game import Option, Rows, Setup
from pbem.kit import ASKED
from pbem_rules.stalingrad42.chart import ASU, OUT, Chart
from pbem_rules.stalingrad42.chart import POOL as POOL_BOX
from pbem_rules.stalingrad42.state import BY_LAND, POOL, REMOVED, TO_THE_LAST, WAITING, Piece, State, attach_ground

OPTIONS = (
    ASKED,
    Option(BY_LAND, "S42-16.3.1: a line of supply over land alone counts", (False, True)),
    Option(TO_THE_LAST, "S42-11.5.1: who holds fights desperately sooner than go a shorter way", (False, True)),
)


def set_up(setup: Setup) -> State:
    state = at_start(setup.chart)
    state.options = tuple(sorted(name for name, on in setup.options.items() if on is True))
    state.asked = str(setup.options[ASKED.name])
    return state


def at_start(chart: Chart) -> State:
    """All units of the start cards, in good order and supply, artillery support ready (S42-18.2.1)."""
    pieces = {unit.number: Piece(WAITING, unit.steps) for unit in chart.units}
    for arrival in chart.track.arrivals:
        unit = chart.unit(arrival.unit)
        pieces[unit.number] = Piece(WAITING, unit.steps - arrival.steps, ready=chart.has(unit.number, ASU))
    for box, place in ((POOL_BOX, POOL), (OUT, REMOVED)):
        for number in chart.boxes[box]:
            pieces[number] = Piece(place, chart.units[number].steps)
    for number, start in chart.starts.items():
        steps = chart.units[number].steps - start.lost
        pieces[number] = Piece(start.place, steps, ready=chart.has(number, ASU))
    state = State(
        pieces=Rows(pieces),
        holders=Rows(dict(chart.held)),
        frozen=Rows({number: start.frozen for number, start in chart.starts.items() if start.frozen}),
        tracks=tuple((place,) for place in chart.map.regions["railheads"].places),
    )
    state.chart = chart
    attach_ground(state)
    return state


__all__ = ["OPTIONS", "at_start", "set_up"]
