"""NR-9.43 to NR-9.47 Retreats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, Ask, Auto, Goto, Known, Next, Out, Violation
from pbem.kit import (
    Bounds,
    Rank,
    WayBack,
    best,
    ends_in,
    farthest,
    fewest_zones,
    hex_name,
    longer,
    refuse_retreat,
    safest,
)
from pbem.kit import ways as lawful
from pbem_rules.noretreat.chart import other
from pbem_rules.noretreat.events import Retreated
from pbem_rules.noretreat.frames import Retreat
from pbem_rules.noretreat.losses import OUTSIDE, InBattle, lose_step, send
from pbem_rules.noretreat.orders import GoBack
from pbem_rules.noretreat.stacking import room_for
from pbem_rules.noretreat.state import CAPTURED, DESTROYED, SHATTERED, State
from pbem_rules.noretreat.victory import enter

Path = tuple[int, ...]


def free_of_penalty(s: State) -> bool:
    return s.fight is not None and s.fight.free_retreat


def hot(s: State, side: str) -> int:
    """NR-9.45: the enemy zones in which no friend stands."""
    return 0 if free_of_penalty(s) else s.zone(other(side)) & ~s.ground.occupied[side]


def penalty(s: State, unit: int, path: Path) -> int:
    """How many of them a way enters."""
    zone, bit = hot(s, s.unit(unit).side), s.chart.board.bit
    return sum(1 for place in path if zone & bit[place])


def ways(s: State, unit: int, short: Sequence[WayBack] = ()) -> list[WayBack]:
    """NR-9.44: every way of one hex or two; or those one hex longer than these.

    What touches the start is one hex away, all else two: areas count like hexes.
    """
    board, side, start = s.chart.board, s.unit(unit).side, s.at(unit)
    bounds = Bounds(1, barred=s.ground.occupied[other(side)], zone=hot(s, side))
    field = s.chart.ways[False, False], board.bit, lambda _, place: 1 if board.touch(start, place) else 2, start
    found = short or lawful(*field, bounds)
    return [*(() if short else found), *longer(*field, bounds, found)]


def ranks(s: State, room: int) -> tuple[Rank, ...]:
    """NR-9.44 to NR-9.46: what makes one way better than another, the first thing first."""
    ends = ends_in("NR-9.46", "ends where there is room", s.chart.board.bit, room)
    return fewest_zones("NR-9.45"), farthest("NR-9.44"), ends


def ways_back(s: State, unit: int) -> tuple[Path, ...]:
    """NR-9.44 to NR-9.46: the best ways; two hexes off, without zones, with room, if that can be."""
    if s.unit(unit).nation == "finnish" or not s.face(unit).move:
        return ()
    room, bit = room_for(s, unit), s.chart.board.bit
    order = ranks(s, room)
    found = best(ways(s, unit), order)
    if found and not room & bit[found[0].end]:  # nor at the end of any other: the ranks leave equal ones
        further = ways(s, unit, found)
        found = best((way for way in further if way.distance == 2 and room & bit[way.end]), order) or found
    return tuple(sorted(way.path for way in found))


class Trapped(Auto[State, Retreat]):
    """Who surrenders, who cannot go, who is shattered (NR-6.9, NR-9.36, NR-9.45)."""

    name = "trapped"
    rule = "NR-9.45"

    def run(self, s: State, f: Retreat, out: Out) -> Next:
        for unit in f.units:
            if not s.on_map(unit):
                continue
            if not s.supplied(unit) and not free_of_penalty(s):
                send(s, unit, CAPTURED, "defeated out of supply", "NR-6.9", out)
            elif not (open_ways := ways_back(s, unit)):
                send(s, unit, DESTROYED if s.supplied(unit) else CAPTURED, "it cannot retreat", self.rule, out)
            elif f.shattered:
                for _ in range(penalty(s, unit, open_ways[0])):
                    if s.on_map(unit):
                        lose_step(s, unit, self.rule, out)
                if s.on_map(unit):
                    send(s, unit, SHATTERED, "shattered", "NR-9.36", out)
        f.units = tuple(unit for unit in f.units if s.at(unit) == f.start)
        return DONE


class GiveGround(InBattle, Ask[State, Retreat, GoBack]):
    """NR-9.44, NR-9.46; NR-2.7: places on the way are taken."""

    name = "retreat"
    rule = "NR-9.44"
    forced = True
    default, preset = "then safest", OUTSIDE
    fact_names = ("fight", "hex", "units")
    answer_names = ("safest",)

    def by(self, s: State, f: Retreat) -> Sequence[str]:
        return (f.side,) if f.units else ()

    def prompt(self, s: State, f: Retreat, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in f.units)
        return f"{codes} must leave {s.chart.place_text(f.start)}: `retreat UNIT HEX-HEX`."

    def options(self, s: State, f: Retreat, seat: str) -> Iterator[GoBack]:
        for unit in f.units:
            for path in ways_back(s, unit):
                yield GoBack(unit, path)

    def why(self, s: State, f: Retreat, seat: str, order: GoBack) -> Violation:
        if order.unit not in f.units:
            return Violation("NR-9.44", "That unit does not have to retreat")
        shown = ", ".join("-".join(map(hex_name, path)) for path in ways_back(s, order.unit)[:12])
        order_of = ranks(s, room_for(s, order.unit))
        wrong = refuse_retreat(ways(s, order.unit), order_of, order.path, ("NR-9.44", f"it can be {shown}"), hex_name)
        return wrong or Violation("NR-9.46", f"There is no room at the end of it. It can be {shown}")

    def do(self, s: State, f: Retreat, seat: str, order: GoBack, out: Out) -> Next:
        unit, start = order.unit, s.at(order.unit)
        lost = penalty(s, unit, order.path)
        out.add(Retreated(unit=s.name(unit), path=(start, *order.path), rule=self.rule))
        s.put(unit, order.path[-1])
        enter(s, f.side, order.path, out)
        for _ in range(lost):
            if s.on_map(unit):
                lose_step(s, unit, "NR-9.45", out)
        return Goto(Trapped)

    def facts(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, int]:
        return {"fight": int(s.fight is not None), "hex": f.start, "units": len(f.units)}

    def answers(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, GoBack]:
        unit = f.units[0]
        return {"safest": GoBack(unit, safest_of(s, unit, ways_back(s, unit)))}


def safest_of(s: State, unit: int, good: Sequence[Path]) -> Path:
    """Fewest enemies beside its end, a city, nearest to the own edge, the lowest number (DP-26)."""
    side, board = s.unit(unit).side, s.chart.board
    columns = [place // 100 for place in board.in_mask(s.chart.edge[side])]
    home, cities = sum(columns) // len(columns), board.mask(s.chart.cities)
    return safest(board, good, s.ground.occupied[other(side)], cities, home)
