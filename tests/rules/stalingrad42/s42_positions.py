"""Positions for tests: an empty map with the units that a test wants."""

from __future__ import annotations

from pbem.game import Rows
from pbem.kit import NOWHERE
from pbem_rules.stalingrad42.chart import AXIS, DATA, SOVIET, Chart, chart_of
from pbem_rules.stalingrad42.state import Piece, State

CHART = chart_of(DATA)


def number(code: str) -> int:
    return CHART.unit(code).number


def position(*units: tuple[str, int] | tuple[str, int, int], turn: int = 2, chart: Chart = CHART) -> State:
    """Code and hex, and the steps left if it is not all of them."""
    pieces = {unit.number: Piece(NOWHERE, unit.steps) for unit in chart.units}
    for code, place, *steps in units:
        unit = chart.unit(code)
        pieces[unit.number] = Piece(place, steps[0] if steps else unit.steps)
    state = State(pieces=Rows(pieces), turn=turn, holders=Rows(dict(chart.held)))
    state.chart, state.charts = chart, lambda turn: chart
    state.ground = state.roster()
    return state


__all__ = ["AXIS", "CHART", "SOVIET", "number", "position"]
