"""BH-7.5, BH-7.6: giving way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, Ask, Auto, Goto, Known, Next, Out, Violation
from pbem.kit import describe_places, hex_name, safest
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.events import Retreated, Stood
from pbem_rules.bridgehead.frames import Retreat
from pbem_rules.bridgehead.losses import lose_steps
from pbem_rules.bridgehead.orders import GoBack, Stand
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import enter


def ways_back(s: State, side: str, unit: int) -> list[int]:
    """BH-7.6: the hexes that a unit may retreat to."""
    chart, ground = s.chart, s.ground
    start, bit = s.at(unit), chart.board.bit
    sappers = "sappers" in chart.units[unit].type.traits
    closed = ground.occupied[other(side)] | (s.zone(other(side)) & ~ground.occupied[side])
    return sorted(
        cell
        for cell in chart.board.near[start]
        if not bit[cell] & closed and s.room(cell) and (sappers or chart.bridged(start, cell))
    )


class Trapped(Auto[State, Retreat]):
    """Units that cannot go lose a step and stay; where standing is still possible the player chooses first."""

    rule = "BH-7.5"

    def when(self, s: State, f: Retreat) -> bool:
        return not f.may_stand

    def run(self, s: State, f: Retreat, out: Out) -> Next:
        stuck = tuple(unit for unit in f.waiting if not ways_back(s, f.side, unit))
        for unit in stuck:
            lose_steps(s, (unit,), 1, out)
        f.waiting = tuple(unit for unit in f.waiting if unit not in stuck)
        return DONE


class GiveGround(Ask[State, Retreat, GoBack | Stand]):
    name = "retreat"
    rule = "BH-7.5"
    forced = True
    default = "when steps > 2 and town = 1 then stand; then retreat, stand"
    fact_names = ("hex", "steps", "town", "units")
    answer_names = ("retreat", "stand")

    def by(self, s: State, f: Retreat) -> Sequence[str]:
        return (f.side,) if f.waiting else ()

    def prompt(self, s: State, f: Retreat, seat: str) -> str:
        codes = ", ".join(s.chart.units[unit].code for unit in f.waiting)
        stand = " or `stand`" if f.may_stand else ""
        stuck = [s.chart.units[unit].code for unit in f.waiting if not ways_back(s, f.side, unit)]
        lost = f" {', '.join(stuck)} cannot go, and will lose a step if another unit goes." if stuck else ""
        stay = ", or stand and lose a step" if f.may_stand else ""
        return f"{codes} must leave {hex_name(f.hex)}{stay}: `retreat UNIT HEX`{stand}.{lost}"

    def options(self, s: State, f: Retreat, seat: str) -> Iterator[GoBack | Stand]:
        if f.may_stand:
            yield Stand()
        for unit in f.waiting:
            for cell in ways_back(s, f.side, unit):
                yield GoBack(unit, cell)

    def why(self, s: State, f: Retreat, seat: str, order: GoBack | Stand) -> Violation:
        if isinstance(order, Stand):
            return Violation("BH-7.5", "Part of the stack has gone; the rest must follow")
        if order.unit not in f.waiting:
            return Violation("BH-7.5", "That unit does not have to retreat")
        can = describe_places(ways_back(s, f.side, order.unit))
        code = s.chart.units[order.unit].code
        return Violation("BH-7.6", f"{code} cannot retreat to {hex_name(order.to)}. It can go to {can}")

    def do(self, s: State, f: Retreat, seat: str, order: GoBack | Stand, out: Out) -> Next:
        if isinstance(order, Stand):
            trapped = not any(ways_back(s, f.side, unit) for unit in f.waiting)
            out.add(Stood(side=f.side, hex=f.hex, trapped=trapped, rule="BH-7.6" if trapped else self.rule))
            lose_steps(s, f.waiting, 1, out)
            return DONE
        code = s.chart.units[order.unit].code
        out.add(Retreated(unit=code, start=f.hex, to=order.to, rule="BH-7.6"))
        s.put(order.unit, order.to)
        enter(s, f.side, (order.to,), out)  # BH-10.1
        f.may_stand = False
        f.waiting = tuple(unit for unit in f.waiting if unit != order.unit)
        return Goto(Trapped)

    def facts(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, int]:
        steps = sum(s.pieces[unit].steps for unit in f.waiting)
        town = int(s.chart.board[f.hex].terrain == "town")
        return {"hex": f.hex, "steps": steps, "town": town, "units": len(f.waiting)}

    def answers(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, GoBack | Stand]:
        named: dict[str, GoBack | Stand] = {"stand": Stand()} if f.may_stand else {}
        unit = next((unit for unit in f.waiting if ways_back(s, f.side, unit)), None)
        if unit is not None:
            named["retreat"] = GoBack(unit, safest_of(s, f.side, ways_back(s, f.side, unit)))
        return named


def safest_of(s: State, side: str, ways: Sequence[int]) -> int:
    """Fewest enemies adjacent, then cover, then nearest to the own edge, then the lowest number."""
    board = s.chart.board
    cover = ~board.mask(cell for cell in board.places if board[cell].terrain == "clear")
    paths = ((cell,) for cell in ways)
    return safest(board, paths, s.ground.occupied[other(side)], cover, s.chart.home[side])[-1]
