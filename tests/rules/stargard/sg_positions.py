"""Positions for tests: the state at the start, units put where a test wants them."""

from __future__ import annotations

from pbem.game import Rows
from pbem.kit import NOWHERE
from pbem_rules.stargard.chart import DATA, GERMAN, Chart, chart_of
from pbem_rules.stargard.state import READY, WAITING, Piece, State

CHART = chart_of(DATA)


def number(code: str) -> int:
    return CHART.unit(code).number


def position(*units: tuple[str, int] | tuple[str, int, int], turn: int = 2, chart: Chart = CHART) -> State:
    """An empty map with these units: code and hex, and the steps left if it is not all of them."""
    pieces = {unit.number: Piece(NOWHERE, unit.steps) for unit in chart.units}
    for code, place, *steps in units:
        unit = chart.unit(code)
        pieces[unit.number] = Piece(place, steps[0] if steps else unit.steps)
    state = State(
        pieces=Rows(pieces),
        turn=turn,
        holders=Rows(dict(chart.held)),
        prizes=Rows({place: prize.points for place, prize in chart.prizes.items() if chart.held[place] != GERMAN}),
        planes=Rows(dict.fromkeys(chart.planes, READY)),
    )
    state.chart = chart
    state.ground = state.roster()
    return state


__all__ = ["CHART", "GERMAN", "WAITING", "number", "position"]
