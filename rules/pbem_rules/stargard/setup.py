"""SG-15 The set-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Known, Next, Out, Rows, Setup, Violation
from pbem.kit import describe_places, hex_name
from pbem_rules.stargard.chart import GERMAN, SOVIET, Chart, Plane
from pbem_rules.stargard.events import Note
from pbem_rules.stargard.frames import War
from pbem_rules.stargard.orders import Done, SetUp
from pbem_rules.stargard.state import (
    ASIDE_BOX,
    CAVALRY_BOX,
    GROUNDED,
    PLACING,
    READY,
    TETTAU_BOX,
    TO_COME,
    WAITING,
    Piece,
    State,
)

BOXES = {"tettau": TETTAU_BOX, "cavalry": CAVALRY_BOX, "aside": ASIDE_BOX}


def set_up(setup: Setup) -> State:
    """SG-15.0a: all units at full strength, in supply. SG-15.2: some by an option alone."""
    chart: Chart = setup.chart
    pieces = {unit.number: Piece(WAITING, unit.steps) for unit in chart.units}
    for unit, box in chart.boxes.items():
        pieces[unit] = Piece(BOXES[box], chart.units[unit].steps)
    for unit, start in chart.starts.items():
        there = not start.option or setup.options[start.option] is True
        pieces[unit] = Piece(start.place if there else ASIDE_BOX, chart.units[unit].steps)
    state = State(
        options=tuple(sorted(name for name, on in setup.options.items() if on is True)),
        asked=str(setup.options["asked"]),
        pieces=Rows(pieces),
        holders=Rows(dict(chart.held)),
        planes=Rows({code: _air_box(plane) for code, plane in chart.planes.items()}),
        prizes=Rows({place: prize.worth(1) for place, prize in chart.prizes.items() if chart.held[place] == SOVIET}),
        idle=tuple(key for key, formation in chart.formations.items() if formation.hq >= 0),
    )
    state.chart = chart
    state.ground = state.roster()
    for place in state.ground.stacks:
        if units := state.combat_units(place):
            state.take(state.side(units[0]), place)
    return state


def _air_box(plane: Plane) -> str:
    return TO_COME if plane.turn else GROUNDED if plane.box == "grounded" else READY


def attach(state: State, _: Setup) -> None:
    state.ground = state.roster()


def free_units(s: State, side: str) -> tuple[int, ...]:
    """SG-15.0c: the units that their owner places within reach of a hex."""
    return tuple(unit for unit, start in s.chart.starts.items() if start.near >= 0 and s.has_on_map(side, unit))


class PlaceFree(Ask[State, War, SetUp | Done]):
    """The owner of a free group places it, if the offer says so; else it stands where the data suggest."""

    side = GERMAN
    name = "german_set_up"
    rule = "SG-15.0c"
    default, preset = "when placing = 1 then ask; then suggested", True
    fact_names = ("placing",)
    answer_names = ("suggested",)
    ends = "End your set-up: your units begin the game where they stand now"

    def by(self, s: State, f: War) -> Sequence[str]:
        return (self.side,) if free_units(s, self.side) else ()

    def prompt(self, s: State, f: War, seat: str) -> str:
        units = describe_places(free_units(s, seat), s.code, 20)
        return (
            f"Set-up: your units stand as the scenario suggests. You may place these in a hex near there: {units}, "
            "with `place UNIT HEX`; `done` ends it."
        )

    def may_change(self, s: State, seat: str) -> bool:
        """Not when the set-up is over, and never of the enemy's."""
        return seat == self.side and s.turn == 1 and not s.cup and not s.drawn

    def facts(self, s: State, f: War, seat: str, own: Known) -> Mapping[str, int]:
        return {"placing": int(PLACING in s.options)}

    def why(self, s: State, f: War, seat: str, order: SetUp | Done) -> Violation:
        assert isinstance(order, SetUp)
        if order.unit not in free_units(s, seat):
            bound = (
                f"{s.code(order.unit)} is bound to its hex"
                if s.has_on_map(seat, order.unit)
                else s.absence(seat, order.unit)
            )
            return Violation(self.rule, f"{bound}; you may place {describe_places(free_units(s, seat), s.code, 20)}")
        if f.placed >= 2 * len(free_units(s, seat)):
            return Violation(self.rule, "Units have been placed often enough: `done` ends the set-up")
        places = [each.to for each in self.options(s, f, seat) if isinstance(each, SetUp) and each.unit == order.unit]
        return Violation(
            self.rule, f"{s.code(order.unit)} can be placed in {describe_places(places)}, besides where it stands"
        )

    def options(self, s: State, f: War, seat: str) -> Iterator[SetUp | Done]:
        yield Done()
        units = free_units(s, seat)
        if f.placed >= 2 * len(units):
            return
        grid = s.chart.board.grid
        assert grid is not None
        for unit in units:
            start = s.chart.starts[unit]
            for place in grid.within(start.near, start.reach):
                if place != s.at(unit) and self.stands(s, unit, place):
                    yield SetUp(unit, place)

    def stands(self, s: State, unit: int, place: int) -> bool:
        """On ground where a unit can end (SG-5.2.5b), apart from the enemy, within stacking (SG-6.0)."""
        if place not in s.chart.board or s.side_at(place) not in (None, self.side):
            return False
        return None not in s.chart.ground[s.chart.board[place].terrain].costs.values() and s.has_room(unit, place)

    def do(self, s: State, f: War, seat: str, order: SetUp | Done, out: Out) -> Next:
        if isinstance(order, Done):
            f.placed = 0
            return DONE
        f.placed += 1
        s.put(order.unit, order.to)
        out.add(Note(text=f"{s.code(order.unit)} is placed in {hex_name(order.to)}.", rule=self.rule))
        return STAY

    def answers(self, s: State, f: War, seat: str, own: Known) -> Mapping[str, SetUp | Done]:
        return {"suggested": Done()}


class SovietPlaceFree(PlaceFree):
    side = SOVIET
    name = "soviet_set_up"


__all__ = ["PlaceFree", "SovietPlaceFree", "attach", "set_up"]
