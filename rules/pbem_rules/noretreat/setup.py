"""How a game begins."""

from __future__ import annotations

from pbem.game import Deck, Rows, Setup
from pbem.kit import Roster
from pbem_rules.noretreat.chart import AXIS, SOVIET, Chart
from pbem_rules.noretreat.orders import DECK
from pbem_rules.noretreat.state import OUT, TRACK, Piece, State


def set_up(setup: Setup) -> State:
    chart: Chart = setup.chart
    plan = chart.plans[setup.scenario]
    pieces = {}
    for unit in chart.units:
        start = plan.pieces.get(unit.number)
        strong = unit.side == AXIS
        if start is not None:
            pieces[unit.number] = Piece(start.place, start.strong)
        elif unit.by == "turn" and unit.turn >= plan.first:
            pieces[unit.number] = Piece(TRACK, strong, unit.turn)
        else:
            pieces[unit.number] = Piece(OUT, strong)
    holders = {
        place: SOVIET if chart.ussr & chart.board.bit[place] else AXIS for place in chart.board.in_mask(chart.land)
    }
    holders.update({place: point.held for place, point in chart.points.items()})
    holders.update(plan.holders)
    for number, piece in pieces.items():
        if piece.place in holders:
            holders[piece.place] = chart.units[number].side
    options = [name for name, on in setup.options.items() if on is True]
    if setup.options["plain_weather"] != "no":
        options.append(f"plain_weather_{setup.options['plain_weather']}")
    return State(
        scenario=setup.scenario,
        options=tuple(sorted(options)),
        asked=str(setup.options["asked"]),
        pieces=Rows(pieces),
        holders=Rows(holders),
        deck=Deck(DECK),
        initiative=AXIS if plan.first <= 12 else SOVIET,
        event_vp=plan.event_vp,
        high_tide=plan.high_tide,
        triggers=Rows(plan.triggers),
        joker=(AXIS if plan.first <= 11 else SOVIET) if setup.options.get("joker") else "",
    )


def attach(state: State, _: Setup) -> None:
    state.plan = state.chart.plans[state.scenario]
    sides = [unit.side for unit in state.chart.units]
    state.ground = Roster(state.chart.board, sides, ((unit, piece.place) for unit, piece in state.pieces.items()))
