"""SG-2.5.2, SG-12.4 Volkssturm: what was lost in combat comes back out of its box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Ask, Known, Next, Out, Violation
from pbem.kit import describe_places, hex_name
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.events import Entered
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.orders import Done, Enter
from pbem_rules.stargard.state import PLACING, VOLKSSTURM_BOX, State
from pbem_rules.stargard.supply import joined

AWAY = 5  # hexes from every Soviet unit
FEW = 6  # settlements that a refusal names


def far_from_soviets(s: State) -> int:
    """The mask of hexes at least five from every Soviet unit, headquarters too (SG-12.4b)."""
    board = s.chart.board
    enemies = board.in_mask(s.ground.occupied[SOVIET])
    return board.mask(board.places) & ~s.chart.ranges.of((place, AWAY - 1) for place in enemies)


def before_the_front(s: State) -> int:
    """SG-12.4c: the mask of hexes with a path to a German source: they do not lie behind Soviet troops."""
    mask = 0
    for formation in s.chart.formations.values():
        if formation.side == GERMAN:
            mask |= joined(s, formation.key)
    return mask


def towns(s: State) -> tuple[int, ...]:
    """SG-2.5.2, SG-12.4: German settlements in which nobody stands, far from the Soviets and before the front."""
    open_to = far_from_soviets(s) & before_the_front(s) & ~s.ground.occupied[GERMAN]
    return tuple(place for place in s.chart.board.in_mask(open_to) if s.holders.get(place) == GERMAN)


class Deploy(Ask[State, GameTurn, Enter | Done]):
    """SG-2.5.2: any of those in the box, each to a settlement of its own."""

    name = "volkssturm"
    rule = "SG-12.4"
    seats = (GERMAN,)
    default, preset = "when placing = 1 then ask; then best", True
    fact_names = ("placing",)
    answer_names = ("best", "none")
    ends = "Bring no more Volkssturm in this turn"

    def by(self, s: State, f: GameTurn) -> Sequence[str]:
        return (GERMAN,) if s.ground.of(GERMAN, VOLKSSTURM_BOX) and towns(s) else ()

    def prompt(self, s: State, f: GameTurn, seat: str) -> str:
        boxed = ", ".join(map(s.code, s.ground.of(GERMAN, VOLKSSTURM_BOX)))
        return f"Turn {s.turn}, Volkssturm: `enter UNIT HEX` ({boxed}); then `done`."

    def options(self, s: State, f: GameTurn, seat: str) -> Iterator[Enter | Done]:
        yield Done()
        found = towns(s)
        for unit in s.ground.of(GERMAN, VOLKSSTURM_BOX):
            yield from (Enter(unit, place) for place in found)

    def why(self, s: State, f: GameTurn, seat: str, order: Enter | Done) -> Violation:
        assert isinstance(order, Enter)
        place = hex_name(order.to)
        if order.unit not in s.ground.of(GERMAN, VOLKSSTURM_BOX):
            return Violation("SG-12.4a", f"{s.code(order.unit)} does not lie in the Volkssturm box")
        bit = s.chart.board.bit.get(order.to, 0)
        grid = s.chart.board.grid
        assert grid is not None
        near = sorted(towns(s), key=lambda town: (grid.distance(town, order.to) if order.to in grid else 0, town))
        can = f"it can come to {describe_places(near, few=FEW)}"
        if s.holders.get(order.to) != GERMAN:
            return Violation("SG-12.4b", f"{place} is not a settlement in German hands; {can}")
        if s.ground.stacks[order.to]:
            return Violation("SG-12.4c", f"{place} holds other units; {can}")
        if not bit & far_from_soviets(s):
            return Violation("SG-12.4b", f"{place} lies less than {AWAY} hexes from a Soviet unit; {can}")
        return Violation("SG-2.5.2b", f"{place} lies behind Soviet troops: no path leads to a German source; {can}")

    def do(self, s: State, f: GameTurn, seat: str, order: Enter | Done, out: Out) -> Next:
        if isinstance(order, Done):
            return DONE
        s.put(order.unit, order.to)
        place = str(s.chart.board[order.to])
        out.add(Entered(units=(s.code(order.unit),), place=place, how="are called up", rule=self.rule))
        return STAY

    def facts(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, int]:
        return {"placing": int(PLACING in s.options)}

    def answers(self, s: State, f: GameTurn, seat: str, own: Known) -> Mapping[str, Enter | Done]:
        """DP-20: where most points lie, else on a road near the Soviets."""
        grid = s.chart.board.grid
        assert grid is not None
        enemies = s.chart.board.in_mask(s.ground.occupied[SOVIET])

        def price(place: int) -> tuple[int, bool, int, int]:
            prize = s.chart.prizes.get(place)
            edges = (s.chart.board.edges[place, near] for near in s.chart.board.near[place])
            road = any({"road", "autobahn"} & edge for edge in edges)
            away = min((grid.distance(place, enemy) for enemy in enemies), default=0)
            return -(prize.worth(s.turn) if prize else 0), not road, away, place

        unit = s.ground.of(GERMAN, VOLKSSTURM_BOX)[0]
        return {"best": Enter(unit, min(towns(s), key=price)), "none": Done()}


__all__ = ["Deploy", "towns"]
