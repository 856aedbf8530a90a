"""S42-12, S42-13: how retreats are carried out: who goes together, which way, and in what order they arrive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from pbem.game import DONE, Ask, Auto, Call, Goto, Known, Next, Out, Violation
from pbem.kit import InMiddle, all_of, hex_name, many, together
from pbem_rules.stalingrad42.chart import ARMY, LEADER, RESERVE, SIDES, SOVIET, Chart
from pbem_rules.stalingrad42.combat.losses import lose_step
from pbem_rules.stalingrad42.combat.offensives import lose_plans
from pbem_rules.stalingrad42.combat.retreat import Routes, routes
from pbem_rules.stalingrad42.events import Retreated, Trapped
from pbem_rules.stalingrad42.frames import Losses, PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement.marching import steady
from pbem_rules.stalingrad42.movement.passing import abandon, come_through, push_railheads
from pbem_rules.stalingrad42.orders import GoBack, place_name
from pbem_rules.stalingrad42.state import BOX, DISRUPTED, GOOD, ROUTED, State, other
from pbem_rules.stalingrad42.supply.lines import lines

FAR, NEAR = 4, 2  # S42-12.1.1a, S42-13.3.2d: hexes


def shaken(order: int, length: int) -> int:
    """S42-13.1.2, S42-13.1.3: the state of a unit after a retreat. One cut short counts as ordered."""
    return ROUTED if length == FAR or order != GOOD else DISRUPTED


@lru_cache(maxsize=1 << 14)
def hexes_to(chart: Chart, keys: tuple[str, ...], place: int) -> int:
    """How many hexes a place lies from the nearest of these Areas, the hex at the edge not counted."""
    grid = chart.board.grid
    assert grid is not None
    if place not in grid:
        return 0
    return min(grid.distance(place, end) for key in keys for end in chart.map.entries[key].places)


def exposed(s: State, side: str) -> tuple[int, ...]:
    """S42-13.3.2d: the hexes in which only units in Full Retreat stand, and an enemy beside them, zone or not.

    Without one, as beyond the Volga, they go once in a phase, so that nobody is driven to and fro.
    """
    alone = s.fighters(side) & ~steady(s, side)
    if not alone:
        return ()
    fresh = s.ground.where(side, lambda unit: s.fights(unit) and unit not in s.fled)
    return s.chart.board.in_mask(alone & (s.zone(other(side)) | s.shared | s.beside(side) & fresh))


class DriveOff(Auto[State, PlayerTurn]):
    """S42-8.6.1c, S42-13.3.2d: what has broken retreats at once; so do units in Full Retreat beside an enemy."""

    name = "drive_off"
    rule = "S42-13.3.2"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        owner = other(f.seat)
        if f.shattered is not None:
            unit, f.shattered = f.shattered, None
            return Call(Losses(owner, (unit,), 1, chooser=f.seat, attacker=f.seat, retreat=FAR), again=True)
        left = tuple(unit for unit in f.broken if s.on_map(unit))
        if left:
            f.broken = ()
            return Call(Retreat(owner, s.at(left[0]), left, FAR, f.seat, chooser=owner), again=True)
        if f.storms:
            abandon(s, owner, f.storms[-1].target, out, fought=True)  # S42-19.3b
        driven = driven_off(s, f.seat)
        return DONE if driven is None else Call(driven, again=True)


def driven_off(s: State, attacker: str, *, ask: bool = False) -> Retreat | None:
    """S42-13.3.2d: the first units in Full Retreat that an enemy has come to; who has the turn says where to."""
    for side in SIDES:
        for place in exposed(s, side):
            units = tuple(unit for unit in s.of(side, place) if s.fights(unit))
            return Retreat(side, place, units, NEAR, attacker, chooser=attacker, ask=ask, driven=True)
    return None


def ways_of(s: State, f: Retreat, unit: int) -> Routes:
    """S42-12.1.3: a unit's ways."""
    found = routes(s, unit, f.length)
    shortened = f.willing and found.steps  # S42-27.2.3: nobody shortens a way that is free
    return found._replace(ways=()) if shortened else found


def groups(s: State, f: Retreat) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """S42-12.1.2: all together, or one by one, each with the ways that are open to it."""
    found = {unit: ways_of(s, f, unit) for unit in f.units}
    if len(found) > 1:
        common = tuple(way.path for way in together(each.ways for each in found.values()))
        if common:
            yield f.units, common
    for unit, each in found.items():
        if each.ways:
            yield (unit,), tuple(way.path for way in each.ways)


class ChooseWay(InMiddle, Ask[State, Retreat, GoBack]):
    """S42-12.1: which way, together or apart."""

    name = "retreat"
    rule = "S42-12.1"
    forced = True
    default = "when driven = 1 then astray; then safest"
    fact_names = ("driven", "attacks", "hex", "units", "length")
    answer_names = ("safest", "nearest", "apart", "astray")

    def by(self, s: State, f: Retreat) -> Sequence[str]:
        return (f.chooser,) if next(iter(self.options(s, f, f.chooser)), None) is not None else ()

    def prompt(self, s: State, f: Retreat, seat: str) -> str:
        codes = all_of(map(s.code, f.units))
        return f"{codes} must retreat {many(f.length, 'hex', 'hexes')} from {place_name(f.start)}."

    def options(self, s: State, f: Retreat, seat: str) -> Iterator[GoBack]:
        found = s.ground.again(("ways back", f.units, f.length, f.willing), lambda: tuple(groups(s, f)))
        ordered = any(f.via in paths for _, paths in found)
        for units, paths in found:
            for path in paths:
                if not ordered or path == f.via:
                    yield GoBack(units, path)

    def why(self, s: State, f: Retreat, seat: str, order: GoBack) -> Violation:
        known = dict(groups(s, f))
        if order.units not in known:
            return Violation("S42-12.1.2", "Units retreat all together or one by one, where a way is open")
        shown = ", ".join("-".join(map(hex_name, path)) for path in known[order.units])
        return Violation("S42-12.1.3", f"The route must be lawful, and there must be no better one: it can be {shown}")

    def do(self, s: State, f: Retreat, seat: str, order: GoBack, out: Out) -> Next:
        """S42-12.1.3c: steps lost for a shorter way; S42-19.3b: those who cannot stay alone go along."""
        going = {unit: ways_of(s, f, unit).steps for unit in order.units}
        gone = []
        self._take_along(s, f, order)
        for unit, steps in going.items():
            if s.spare(unit) < steps:
                continue  # S42-10.4.3b: another has taken the last Remnant; it goes another way, or nowhere
            for _ in range(steps):
                lose_step(s, unit, "S42-12.1.3c", out)
            s.alter(unit, replace(s.pieces[unit], order=shaken(s.pieces[unit].order, f.length), train=False))
            come_through(s, unit, order.path, out)
            lose_plans(s, unit, out)  # S42-26.2b
            s.fled.add(unit)
            gone.append(unit)
        f.units = tuple(unit for unit in f.units if unit not in gone)
        orders, path = tuple(s.pieces[unit].order for unit in gone), (f.start, *order.path)
        out.add(Retreated(units=tuple(map(s.code, gone)), path=path, orders=orders, rule=self.rule))
        return DONE

    @staticmethod
    def _take_along(s: State, f: Retreat, order: GoBack) -> None:
        """S42-19.3b, S42-19.3c: army headquarters and leaders go with the last combat units that leave a hex."""
        there = s.of(f.seat, f.start)
        if all(unit in order.units for unit in there if s.fights(unit)):
            for unit in there:
                if s.has(unit, ARMY) or s.has(unit, LEADER):
                    s.put(unit, order.path[-1])
                elif s.has(unit, RESERVE):
                    s.put(unit, order.path[-1])
                    for mate in s.of(f.seat, BOX + s.shown[unit]) if unit in s.shown else ():  # S42-34.6.2b
                        s.pieces[mate] = replace(s.pieces[mate], order=shaken(s.pieces[mate].order, f.length))

    def facts(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, int]:
        return {
            "driven": int(f.driven),
            "attacks": int(seat == f.attacker),
            "hex": f.start,
            "units": len(f.units),
            "length": f.length,
        }

    def answers(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, GoBack]:
        """`safest` and `nearest` to a source, as one; `apart`: one by one; `astray`: far from any."""
        options = list(self.options(s, f, seat))
        home = lines(s, f.seat).reached
        board, zone = s.chart.board, s.zone(other(f.seat))
        keys = s.chart.friendly(f.seat)

        def near(order: GoBack) -> int:
            return hexes_to(s.chart, keys, order.path[-1])

        def safe(order: GoBack) -> tuple[int, ...]:
            end = order.path[-1]
            cut_off, crowded = not home & board.bit[end], s.overfull(end, f.seat, order.units)
            hot = sum(bool(zone & board.bit[place]) for place in order.path)
            return -len(order.units), bool(cut_off), bool(zone & board.bit[end]), crowded, hot, near(order), end

        def back(order: GoBack) -> tuple[int, ...]:
            return -len(order.units), near(order), *safe(order)

        def alone(order: GoBack) -> tuple[int, ...]:
            return len(order.units), *safe(order)

        def away(order: GoBack) -> tuple[int, ...]:
            return -len(order.units), -near(order), *safe(order)

        ranked = {"safest": safe, "nearest": back, "apart": alone, "astray": away}
        return {name: min(options, key=key) for name, key in ranked.items()}


class Onward(Auto[State, Retreat]):
    """S42-12.1.2, S42-12.2: the next units of the hex; who has no way left is eliminated."""

    name = "onward"
    rule = "S42-12.2"
    goes_back = (ChooseWay,)

    def run(self, s: State, f: Retreat, out: Out) -> Next:
        if any(True for _ in groups(s, f)):
            return Goto(ChooseWay)
        if f.units and not f.willing:
            out.add(Trapped(units=tuple(map(s.code, f.units)), hex=f.start, rule=self.rule))
            for unit in f.units:
                s.destroy(unit)
            abandon(s, f.seat, f.start, out, fought=True)  # S42-19.3b
        if f.attacker == SOVIET:
            push_railheads(s, out)
        return DONE
