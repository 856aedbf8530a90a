"""S42-26: Planned Offensives: how they are laid on headquarters, made ready, lost, and committed to an attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from pbem.game import STAY, Choice, Known, Next, Out, Violation
from pbem.kit import SUPPLIED, EntryKind, all_of
from pbem_rules.stalingrad42.combat.guns import covered
from pbem_rules.stalingrad42.events import PlanLaid, PlanLost, PlanReady, PlanUsed
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.orders import Commit, Plan, place_name
from pbem_rules.stalingrad42.state import GOOD, PLANNED, State, other
from pbem_rules.stalingrad42.supply.lines import status

MOST_PLANS = 2  # S42-26.2e: of a side
FAR = 2  # S42-26.2b: hexes
UNPLAYED = Violation("S42-26.1", "Planned Offensives are an option that this game is played without")


def laid(s: State, side: str) -> int:
    """How many lie on the headquarters of a side."""
    return sum(sum(count) for unit, count in s.plans.items() if s.side(unit) == side)


def lay(s: State, unit: int, *, ready: bool = False) -> None:
    waiting, able = s.plans.get(unit, (0, 0))
    s.plans[unit] = (waiting, able + 1) if ready else (waiting + 1, able)


def make_ready(s: State, side: str, out: Out) -> None:
    """S42-26.2c: in the Initial Phase after the one in which they were laid."""
    for unit, (waiting, able) in list(s.plans.items()):
        if waiting and s.side(unit) == side:
            s.plans[unit] = 0, waiting + able
            out.add(PlanReady(unit=s.code(unit), rule="S42-26.2c"))


def lose_plans(s: State, unit: int, out: Out) -> None:
    """S42-26.2b: the headquarters has retreated, or moved too far."""
    if unit in s.plans:
        del s.plans[unit]
        out.add(PlanLost(unit=s.code(unit), rule="S42-26.2b"))


def too_far(s: State, start: int, way: Sequence[int]) -> bool:
    """S42-26.2b: is it more than two hexes, on the ground or, by rail, as the crow flies? From Area to Area it is."""
    grid = s.chart.board.grid
    assert grid is not None
    ends = [[place] if place in grid else s.chart.board.near[place] for place in (start, way[-1])]
    outside = sum(place not in grid for place in (start, way[-1]))
    apart = min((grid.distance(a, b) for a, b in product(*ends)), default=FAR)
    return outside > 1 or max(len(way), apart + outside) > FAR


class Plans(Choice[State, PlayerTurn, Plan]):
    """S42-26.1, S42-26.2a, S42-26.2e."""

    rule = "S42-26.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Plan]:
        orders = map(Plan, s.ground.standing(seat))
        return (order for order in orders if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Plan, proof: Known) -> Violation | None:
        unit, code = order.unit, s.code(order.unit)
        if PLANNED not in s.options:
            return UNPLAYED
        if not s.has_on_map(seat, unit) or not s.chart.is_headquarters(unit):
            return Violation("S42-26.2a", f"{code} is not a headquarters of yours, of an army of the Axis or a front")
        if s.pieces[unit].order != GOOD:
            return Violation("S42-26.2a", f"{code} is not in good order")
        if status(s, unit) != SUPPLIED:
            return Violation("S42-26.2a", f"{code} is out of supply")
        if laid(s, seat) >= MOST_PLANS:
            return Violation("S42-26.2e", f"{MOST_PLANS} Planned Offensives of yours are on the map")
        return None if f.points else Violation("S42-18.1", "No resource points are left in this turn")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Plan, out: Out) -> Next:
        f.points -= 1
        lay(s, order.unit)
        out.add(PlanLaid(unit=s.code(order.unit), rule="S42-26.1"))
        return STAY


def left(s: State, f: PlayerTurn, side: str) -> Counter[int]:
    """The ready ones that no entry of the list has taken yet."""
    ready = Counter({unit: able for unit, (_, able) in s.plans.items() if s.side(unit) == side})
    ready.subtract(unit for units in f.committed.values() for unit in units)
    ready.subtract(unit for entry in f.firm() if isinstance(entry, Commit) for unit in entry.units)
    return ready


def reaches(s: State, unit: int, target: int) -> bool:
    """S42-26.2d, S42-18.4: does a way of support lead from the headquarters to where attackers would stand?"""
    return bool(covered(s, unit) & s.chart.board.mask((target, *s.chart.board.near[target])))


class Commits(EntryKind[State, PlayerTurn, Commit]):
    """S42-26.2d, S42-26.2f: listed before the attack, so that who attacks it and who plans it are said apart."""

    rule = "S42-26.2"

    def legal(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Commit]:
        free = sorted(left(s, f, seat).elements())
        places = [place for place in s.chart.board.in_mask(s.afield(other(seat))) if place not in f.committed]
        for group in sorted({group for size in range(1, MOST_PLANS + 1) for group in combinations(free, size)}):
            near = (place for place in places if all(reaches(s, unit, place) for unit in group))
            yield from (Commit(group, place) for place in near)

    def form(self, s: State, f: PlayerTurn, entry: Commit, proof: Known) -> Violation | None:
        if PLANNED not in s.options:
            return UNPLAYED
        if not 1 <= len(entry.units) <= MOST_PLANS:
            return Violation("S42-26.2e", f"An attack uses one Planned Offensive, or {MOST_PLANS}")
        if any(unit not in s.chart.own[f.seat] for unit in entry.units) or entry.target not in s.chart.board:
            return Violation(self.rule, "Name headquarters of yours, and a hex of the map")
        return None

    def now(self, s: State, f: PlayerTurn, entry: Commit) -> Violation | None:
        free = left(s, f, f.seat)
        lacks = next((unit for unit, many in Counter(entry.units).items() if free[unit] < many), None)
        if lacks is not None:
            return Violation("S42-26.2d", f"{s.code(lacks)} has no Planned Offensive that is ready and free")
        if not s.chart.board.bit[entry.target] & s.afield(other(f.seat)) or entry.target in f.committed:
            return Violation("S42-26.2d", f"No enemy stands in {place_name(entry.target)}, or it has been planned for")
        far = next((unit for unit in entry.units if not reaches(s, unit, entry.target)), None)
        if far is not None:
            return Violation("S42-18.4", f"{s.code(far)} is out of range, or its way is barred")
        return None

    def start(self, s: State, f: PlayerTurn, entry: Commit, out: Out) -> None:
        f.committed[entry.target] = entry.units


def no_plans(s: State, side: str, plans: Sequence[int], units: Iterable[int]) -> Violation | None:
    """Why they cannot go into an attack of these units."""
    near = s.chart.board.mask(map(s.at, units))
    for unit, many in Counter(plans).items():
        if unit not in s.chart.own[side] or unit not in s.plans or s.plans[unit][1] < many:
            return Violation("S42-26.2d", "A headquarters named has no Planned Offensive that is ready")
        if not covered(s, unit) & near:
            return Violation("S42-18.4", f"{s.code(unit)} is out of range, or its way is barred")
    return None


def use_plans(s: State, f: PlayerTurn, target: int, units: Iterable[int], out: Out) -> tuple[int, ...]:
    """S42-26.2d: those that go into this attack, and are gone then; one out of range of its units stays."""
    near = s.chart.board.mask(map(s.at, units))
    used = tuple(unit for unit in f.committed.pop(target, ()) if covered(s, unit) & near and unit in s.plans)
    for unit in used:
        waiting, able = s.plans[unit]
        s.plans[unit] = waiting, able - 1
        if not waiting + able - 1:
            del s.plans[unit]
    if used:
        out.add(PlanUsed(units=tuple(map(s.code, used)), hex=target, rule="S42-26.2d"))
    return used


def plans_text(s: State, side: str) -> str:
    """What lies on the headquarters of a side: `SW-HQ (ready)`."""
    told = [
        f"{s.code(unit)} ({', '.join(['ready'] * able + ['not ready'] * waiting)})"
        for unit, (waiting, able) in s.plans.items()
        if s.side(unit) == side
    ]
    return all_of(told)
