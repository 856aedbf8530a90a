"""NR-9.43 to NR-9.47 Retreats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.event import Out
from pbem.engine.need import Known
from pbem.engine.order import Violation
from pbem.engine.step import DONE, Auto, Decide, Goto, Next
from pbem_rules.noretreat.chart import NAMES, other
from pbem_rules.noretreat.events import Retreated
from pbem_rules.noretreat.frames import Retreat
from pbem_rules.noretreat.losses import lose_step, send
from pbem_rules.noretreat.orders import GoBack
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import CAPTURED, DESTROYED, SHATTERED, State
from pbem_rules.noretreat.victory import enter

Path = tuple[int, ...]


def free_of_penalty(s: State) -> bool:
    return s.fight is not None and s.fight.free_retreat


def usable(s: State, unit: int, place: int) -> tuple[int, ...]:
    """NR-9.44: the places next to it that a retreating unit can enter."""
    side, chart = s.unit(unit).side, s.chart
    enemy = s.ground.occupied[other(side)]
    return tuple(n for n in chart.board.near[place] if chart.passable(place, n) and not enemy & chart.board.bit[n])


def penalty(s: State, unit: int, path: Path) -> int:
    """NR-9.45: how many enemy zones without a friend it enters."""
    if free_of_penalty(s):
        return 0
    side = s.unit(unit).side
    return sum(1 for place in path if s.in_zone(place, other(side)) and not s.at_place(place, side))


def away(s: State, start: int, place: int) -> int:
    """Two, if the place does not touch the start; areas count like hexes."""
    return 0 if place == start else 1 if s.chart.board.touch(start, place) else 2


def ways_back(s: State, unit: int) -> tuple[Path, ...]:
    """NR-9.44 to NR-9.46: the best ways; two hexes off, without zones, with room, if that can be."""
    start = s.at(unit)
    if s.unit(unit).nation == "finnish" or not s.face(unit).move:
        return ()
    steps = {first: usable(s, unit, first) for first in usable(s, unit, start)}
    found: list[Path] = [(first,) for first in steps]
    found += [(first, second) for first, near in steps.items() for second in near if second != start]
    best = _best(s, unit, start, found)
    if best and not any(fits(s, unit, path[-1]) for path in best):
        longer = [(*path, third) for path in best for third in usable(s, unit, path[-1]) if third not in (start, *path)]
        further = [path for path in longer if fits(s, unit, path[-1]) and away(s, start, path[-1]) == 2]
        best = _best(s, unit, start, further) or best
    return best


def _best(s: State, unit: int, start: int, paths: Sequence[Path]) -> tuple[Path, ...]:
    if not paths:
        return ()

    def rank(path: Path) -> tuple[int, int, int]:
        return penalty(s, unit, path), -away(s, start, path[-1]), int(not fits(s, unit, path[-1]))

    ranks = {path: rank(path) for path in paths}
    least = min(ranks.values())
    return tuple(sorted(path for path, each in ranks.items() if each == least and len(path) <= 3))


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
            elif not (ways := ways_back(s, unit)):
                send(s, unit, DESTROYED if s.supplied(unit) else CAPTURED, "it cannot retreat", self.rule, out)
            elif f.shattered:
                for _ in range(penalty(s, unit, ways[0])):
                    if s.on_map(unit):
                        lose_step(s, unit, self.rule, out)
                if s.on_map(unit):
                    send(s, unit, SHATTERED, "shattered", "NR-9.36", out)
        f.units = tuple(unit for unit in f.units if s.on_map(unit) and s.at(unit) == f.start)
        return DONE


class GiveGround(Decide[State, Retreat, GoBack]):
    name = "retreat"
    rule = "NR-9.44"
    takes = (GoBack,)
    forced = True
    default = "then safest"
    preset = True
    fact_names = ("hex", "units")

    def by(self, s: State, f: Retreat) -> Sequence[str]:
        return (f.side,) if f.units else ()

    def prompt(self, s: State, f: Retreat, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in f.units)
        return f"{NAMES[seat]}: {codes} must leave {s.chart.place_text(f.start)}: `retreat UNIT HEX-HEX`."

    def legal(self, s: State, f: Retreat, seat: str, own: Known) -> Iterator[GoBack]:
        for unit in f.units:
            for path in ways_back(s, unit):
                yield GoBack(unit, path)

    def check(self, s: State, f: Retreat, seat: str, order: GoBack, proof: Known) -> Violation | None:
        if order.unit not in f.units:
            return Violation("NR-9.44", "That unit does not have to retreat")
        ways = ways_back(s, order.unit)
        if order.path in ways:
            return None
        can = ", ".join("-".join(f"{place:04d}" for place in path) for path in ways[:12])
        return Violation("NR-9.44", f"{s.name(order.unit)} cannot retreat there. It can go {can}")

    def apply(self, s: State, f: Retreat, answers: Mapping[str, GoBack], out: Out) -> Next:
        order = answers[f.side]
        unit, start = order.unit, s.at(order.unit)
        lost = penalty(s, unit, order.path)
        out.add(Retreated(unit=s.name(unit), path=(start, *order.path), rule=self.rule))
        s.put(unit, order.path[-1])
        for place in order.path:
            enter(s, f.side, place, out)
        for _ in range(lost):
            if s.on_map(unit):
                lose_step(s, unit, "NR-9.45", out)
        f.units = tuple(each for each in f.units if each != unit)
        return Goto(Trapped)

    def facts(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.start, "units": len(f.units)}

    def answers(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, GoBack]:
        unit = f.units[0]
        return {"safest": GoBack(unit, safest(s, unit, ways_back(s, unit)))}


def safest(s: State, unit: int, ways: Sequence[Path]) -> Path:
    """With room, fewest enemies beside it, a city, nearest to the own edge, the lowest number (DP-26)."""
    side, board = s.unit(unit).side, s.chart.board
    enemy = s.ground.occupied[other(side)]
    columns = [place // 100 for place in board.in_mask(s.chart.edge[side])]
    home = sum(columns) // max(len(columns), 1)

    def badness(path: Path) -> tuple[int, int, int, int, Path]:
        end = path[-1]
        enemies = sum(1 for near in board.near[end] if enemy & board.bit[near])
        return int(not fits(s, unit, end)), enemies, int(end not in s.chart.cities), abs(end // 100 - home), path

    return min(ways, key=badness)
