"""S42-3.B1, S42-18.1, S42-22.1: the Initial Phase: what happens by itself, arrivals, resource points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.game import DONE, STAY, Auto, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import AREA, describe_places, hex_name
from pbem_rules.stalingrad42.air import refresh
from pbem_rules.stalingrad42.chart import ARMY6, ASU, AXIS, SEA, SUPPLY
from pbem_rules.stalingrad42.combat.odds import fort_for
from pbem_rules.stalingrad42.events import Arrived, FortBuilt, FortRazed, Freed, MovementBegan, Refitted
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.passing import push_railheads
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Arrive, Bring, Dig, Done, PlaceWords, Raze, Refit
from pbem_rules.stalingrad42.replacements import Renewals, come_in
from pbem_rules.stalingrad42.state import GOOD, POOL, WAITING, State, other
from pbem_rules.stalingrad42.supply.lines import lines
from pbem_rules.stalingrad42.supply.phase import Readies

spot = PlaceWords().word


def due(s: State, side: str) -> dict[int, tuple[int, ...]]:
    """S42-22.1: the reinforcements that have not been placed yet, each with the Areas where it may come."""
    chart = s.chart
    found = {
        chart.unit(arrival.unit).number: tuple(chart.areas[key] for key in chart.gates(arrival.where))
        for arrival in chart.track.arrivals
        if arrival.side == side and arrival.turn <= s.turn
    }
    return {unit: areas for unit, areas in sorted(found.items()) if s.at(unit) == WAITING}


class Begin(Auto[State, PlayerTurn]):
    """S42-3.B1c, S42-3.B1d, S42-5.6.5a: own trains unload, own forts are complete, those with one Area arrive.

    S42-S1.2i: the 6th Reserve Army is free. S42-17.3.1: railheads that lie in a Soviet zone are thrown back.
    """

    name = "begin"
    rule = "S42-3.B1"

    def when(self, s: State, f: PlayerTurn) -> bool:
        return not f.opening

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        f.points = s.chart.limits["resources"][f.seat]
        come_in(s, f)
        for unit in list(s.ground.standing(f.seat)):
            if s.pieces[unit].train:
                s.alter(unit, replace(s.pieces[unit], train=False))
        for place in [place for place, side in s.digging.items() if side == f.seat]:
            del s.digging[place]
            s.forts[place] = f.seat
            out.add(FortBuilt(side=f.seat, hex=place, complete=True, rule="S42-9.7.2"))
        placed: dict[int, list[int]] = {}
        for unit, areas in due(s, f.seat).items():
            if len(areas) == 1:
                s.put(unit, areas[0])
                placed.setdefault(areas[0], []).append(unit)
        for area, units in placed.items():
            out.add(Arrived(units=tuple(map(s.code, units)), area=area, rule="S42-22.1"))
        if f.seat == AXIS:
            refresh(s)
        else:
            push_railheads(s, out)
            self._release(s, out)
        return DONE

    @staticmethod
    def _release(s: State, out: Out) -> None:
        if s.turn < s.chart.track.marked(ARMY6)[0]:
            return
        freed = tuple(unit for unit, why in s.frozen.items() if why == ARMY6)
        for unit in freed:
            del s.frozen[unit]
        if freed:
            out.add(Freed(units=tuple(map(s.code, freed)), rule="S42-S1.2i"))


class Arrivals(Choice[State, PlayerTurn, Arrive]):
    """S42-22.1.1, S42-S1.2c: reinforcements whose owner chooses among Areas."""

    rule = "S42-22.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Arrive]:
        return (Arrive(unit, area) for unit, areas in due(s, seat).items() for area in areas)

    def why(self, s: State, f: PlayerTurn, seat: str, order: Arrive) -> Violation:
        areas = due(s, seat).get(order.unit)
        if areas is None:
            return Violation(self.rule, f"{s.code(order.unit)} does not arrive in this turn, or has arrived")
        return Violation(self.rule, f"{s.code(order.unit)} arrives in {describe_places(areas, spot)}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Arrive, out: Out) -> Next:
        s.put(order.unit, order.area)
        out.add(Arrived(units=(s.code(order.unit),), area=order.area, rule=self.rule))
        return STAY


def no_points(f: PlayerTurn) -> Violation | None:
    return None if f.points else Violation("S42-18.1", "No resource points are left in this turn")


class Digs(Choice[State, PlayerTurn, Dig]):
    """S42-9.7.2, S42-9.7.3."""

    rule = "S42-9.7.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Dig]:
        if f.points:
            for place in s.chart.board.in_mask(lines(s, seat).reached):
                if self.check(s, f, seat, Dig(place), own) is None:
                    yield Dig(place)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Dig, proof: Known) -> Violation | None:
        chart, place, enemy = s.chart, order.place, other(seat)
        where = hex_name(place)
        if place not in chart.board.places or chart.board[place].kind == AREA or chart.board[place].terrain == SEA:
            return Violation(self.rule, f"There is no land in {where}")
        its, taken = chart.board.bit[place], [*s.forts.items(), *s.digging.items()]
        if not chart.ground_of(place, s.rained).fort:
            return Violation("S42-9.7.3a", f"No fort is built in {where}, in such ground")
        if place in dict(taken) or fort_for(s, place, seat):
            return Violation("S42-9.7.3a", f"A fort stands in {where}, or is begun there")
        if its & s.ground.occupied[enemy] or s.holders.get(place) == enemy:
            return Violation("S42-9.7.2b", f"{where} is the enemy's")
        if its & s.zone(enemy) and not its & s.fighters(seat):
            return Violation("S42-9.7.2c", f"{where} is in an enemy zone, with no combat unit of yours")
        if not its & lines(s, seat).reached:
            return Violation("S42-9.7.2b", f"{where} is not in supply")
        if sum(side == seat for _, side in taken) >= chart.limits["forts"][seat]:
            return Violation("S42-9.7.3b", f"All {chart.limits['forts'][seat]} forts are on the map")
        return no_points(f)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Dig, out: Out) -> Next:
        f.points -= 1
        s.digging[order.place] = seat
        out.add(FortBuilt(side=seat, hex=order.place, complete=False, rule=self.rule))
        return STAY


class Razes(Choice[State, PlayerTurn, Raze]):
    """S42-9.7.5a: in one's own Initial and Movement Phases; a printed fort stays."""

    rule = "S42-9.7.5"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Raze]:
        yield from (Raze(place) for place, side in sorted((*s.forts.items(), *s.digging.items())) if side == seat)

    def why(self, s: State, f: PlayerTurn, seat: str, order: Raze) -> Violation:
        return Violation(self.rule, f"No fort that you have built, or begun, stands in {hex_name(order.place)}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Raze, out: Out) -> Next:
        for forts in (s.forts, s.digging):
            if order.place in forts:
                del forts[order.place]
        out.add(FortRazed(side=seat, hex=order.place, rule="S42-9.7.5"))
        return STAY


class Refits(Choice[State, PlayerTurn, Refit]):
    """S42-18.1c."""

    rule = "S42-18.1c"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Refit]:
        orders = (Refit(unit) for unit in s.ground.standing(seat) if s.has(unit, ASU))
        return (order for order in orders if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Refit, proof: Known) -> Violation | None:
        unit = order.unit
        if not s.has_on_map(seat, unit) or not s.has(unit, ASU) or s.pieces[unit].ready:
            return Violation(self.rule, f"{s.code(unit)} is not support of yours that has been used")
        if s.pieces[unit].order != GOOD:
            return Violation(self.rule, f"{s.code(unit)} is not in good order")
        if not s.chart.board.bit[s.at(unit)] & connected(s, seat):
            return Violation(self.rule, f"{s.code(unit)} is not on a railway that is joined to a source of supply")
        return no_points(f)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Refit, out: Out) -> Next:
        f.points -= 1
        s.alter(order.unit, replace(s.pieces[order.unit], ready=True))
        out.add(Refitted(unit=s.code(order.unit), rule=self.rule))
        return STAY


class Brings(Choice[State, PlayerTurn, Bring]):
    """S42-18.1d, S42-18.6.8: the first one of the pool; one too many to move is fixed."""

    rule = "S42-18.1d"

    @staticmethod
    def pool(s: State, seat: str) -> tuple[int, ...]:
        return tuple(unit for unit in s.of(seat, POOL) if s.has(unit, SUPPLY))

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Bring]:
        if f.points and self.pool(s, seat):
            yield from (Bring(s.chart.areas[key]) for key in s.chart.friendly(seat))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Bring) -> Violation:
        if not self.pool(s, seat):
            return Violation(self.rule, "All supply points are on the map")
        return no_points(f) or Violation(self.rule, f"Area {spot(order.area)} is not yours")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Bring, out: Out) -> Next:
        f.points -= 1
        unit = self.pool(s, seat)[0]
        fixed = s.mobile(seat) >= s.chart.limits["mobile"][seat]
        s.put(unit, order.area)
        if fixed:
            s.fixed.add(unit)
        s.alter(unit, replace(s.pieces[unit], ready=fixed))
        out.add(Arrived(units=(s.code(unit),), area=order.area, rule=self.rule))
        return STAY


class Ends(Choice[State, PlayerTurn, Done]):
    """S42-18.1a, S42-21.1.3, S42-22.1.2: what is left is lost; reinforcements are placed before."""

    rule = "S42-22.1.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        if not due(s, seat):
            yield Done()

    def why(self, s: State, f: PlayerTurn, seat: str, order: Done) -> Violation:
        units = ", ".join(map(s.code, due(s, seat)))
        return Violation(self.rule, f"These arrive, and are placed first: {units}: `arrive UNIT AREA`")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Done, out: Out) -> Next:
        f.points = 0
        f.spare = {}
        return DONE


class Initial(Decide[State, PlayerTurn, Order]):
    """S42-3.B1a: in any order."""

    name = "initial"
    rule = "S42-3.B1"
    choices = (Ends, Arrivals, Renewals, Refits, Brings, Readies, Digs, Razes)

    def when(self, s: State, f: PlayerTurn) -> bool:
        return not f.opening

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        """Nobody is asked who could do nothing but remove forts."""
        kinds: list[Choice[State, PlayerTurn, Any]] = [k() for k in self.choices if k not in (Ends, Razes)]
        return (f.seat,) if any(next(iter(kind.legal(s, f, f.seat, {})), None) for kind in kinds) else ()

    def apply(self, s: State, f: PlayerTurn, answers: Mapping[str, Order], out: Out) -> Next:
        following = super().apply(s, f, answers, out)
        if following is STAY and not self.by(s, f):
            out.add(MovementBegan(rule=self.rule))
        return following

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        left = len(due(s, seat))
        arrive = f"; {left} units to place with `arrive`" if left else ""
        spare = ", ".join(f"{number} {kind}" for kind, number in f.spare.items()) or "none"
        return (
            f"Turn {s.turn}, {f.points} resource points: `fort`, `refit`, `bring`; replacements ({spare}): `replace`"
            f"{arrive}. Then `done`."
        )


__all__ = ["Begin", "Initial", "due"]
