"""S42-3.B1, S42-18.1, S42-22.1: the Initial Phase: what happens by itself, arrivals, resource points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.game import DONE, STAY, Auto, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import AREA, all_of, describe_places, hex_name, many, parse_hex
from pbem_rules.stalingrad42.campaign.boxes import disband_exposed
from pbem_rules.stalingrad42.campaign.offensive import Offensives, may_begin
from pbem_rules.stalingrad42.campaign.removals import (
    Recalls,
    Refills,
    Releases,
    Weakens,
    begin,
    fillable,
    lacking,
    recallable,
    waiting_armies,
)
from pbem_rules.stalingrad42.chart import (
    ASU,
    AXIS,
    GATES,
    LATER_HEADS,
    LEADER,
    PRELUDE,
    RAILHEAD,
    SEA,
    SOVIET,
    TRANSCAUCASUS,
    TRANSIT,
    VOLUNTEER_TOWNS,
    VOLUNTEERS,
)
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.combat.odds import fort_for
from pbem_rules.stalingrad42.combat.offensives import Plans, make_ready
from pbem_rules.stalingrad42.events import (
    Arrived,
    Enlisted,
    FortBuilt,
    FortRazed,
    Freed,
    MovementBegan,
    RailheadPlaced,
    Refitted,
)
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.passing import push_railheads
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Arrive, Bring, Dig, Done, Enlist, Raze, Refit, Renew, place_name
from pbem_rules.stalingrad42.replacements import Renewals, come_in
from pbem_rules.stalingrad42.state import GOOD, POOL, WAITING, WHILE_HELD, State, other
from pbem_rules.stalingrad42.supply.lines import lines
from pbem_rules.stalingrad42.supply.phase import Readies

FEW = 12  # units that a refusal names


def due(s: State, side: str) -> dict[int, tuple[int, ...]]:
    """S42-22.1, S42-22.6.4b: the reinforcements that have not been placed yet, with the Areas where each may come."""
    chart = s.chart
    found = {
        chart.unit(arrival.unit).number: tuple(chart.areas[key] for key in chart.gates(arrival.where))
        for arrival in chart.track.arrivals
        if arrival.side == side and arrival.turn <= s.turn
    }
    waits = {s.chart.areas[TRANSIT]} if side == SOVIET and TRANSIT in s.chart.areas and not s.room_at_sea() else set()
    left = ((unit, areas) for unit, areas in sorted(found.items()) if s.at(unit) == WAITING)
    return {unit: areas for unit, areas in left if not waits.issuperset(areas)}


def place_arrivals(s: State, side: str, out: Out) -> None:
    """S42-22.1: those who come in one Area; so many as the Caspian box has room for (S42-22.6.4b)."""
    placed: dict[int, list[int]] = {}
    for unit, areas in due(s, side).items():
        if len(areas) == 1 and unit in due(s, side):
            s.put(unit, areas[0])
            placed.setdefault(areas[0], []).append(unit)
    for area, units in placed.items():
        out.add(Arrived(units=tuple(map(s.code, units)), area=area, rule="S42-22.1"))


def drafts(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """S42-30.0a: who of the Trans-Caucasus front can come: one a turn, once the Axis has come far enough south.

    S42-S2.4.1: in the Caucasus one on the first turn, too, the second of its two reinforcements.
    """
    if f.seat != SOVIET or f.drafted or not (s.southward or PRELUDE in s.chart.track[s.turn].marks):
        return ()
    return tuple(unit for unit in s.chart.boxes[TRANSCAUCASUS] if s.at(unit) == WAITING)


def havens(s: State) -> tuple[int, ...]:
    """S42-30.0b: the Areas where they come."""
    return tuple(s.chart.areas[key] for key in GATES["g-l"] if key in s.open_areas(SOVIET))


class Begin(Auto[State, PlayerTurn]):
    """S42-3.B1c, S42-3.B1d, S42-5.6.5a: own trains unload, own forts are complete, those with one Area arrive.

    S42-S1.2i: the 6th Reserve Army is free. S42-17.3.1: railheads that lie in a Soviet zone are thrown back.
    S42-20.8a: volunteers can come from when both of their towns are the Axis's.
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
        place_arrivals(s, f.seat, out)  # S42-22.1.2
        begin(s, f, out)  # S42-32.3a
        make_ready(s, f.seat, out)
        if f.seat == SOVIET:
            disband_exposed(s, out)  # S42-34.7
        for unit in s.chart.own[f.seat]:
            if s.has(unit, LEADER) and s.on_map(unit):  # S42-28.1.1b
                s.alter(unit, replace(s.pieces[unit], ready=True))
        if f.seat == AXIS:
            refresh(s)
            self._first_railhead(s, out)
            towns = s.chart.listed(VOLUNTEER_TOWNS)
            s.volunteers |= bool(towns) and all(s.holders[place] == AXIS for place in towns)
        else:
            push_railheads(s, out)
            self._release(s, out)
        return DONE

    @staticmethod
    def _first_railhead(s: State, out: Out) -> None:
        """S42-S2.2g: on its turn, at the edge of the map."""
        if RAILHEAD in s.chart.track[s.turn].marks:
            first = s.chart.listed(LATER_HEADS)[0]
            s.tracks = ((first,),)
            out.add(RailheadPlaced(hex=first, rule="S42-S2.2g"))

    @staticmethod
    def _release(s: State, out: Out) -> None:
        """S42-31.0: reserve armies that nobody has to choose."""
        armies = s.chart.course.armies
        free = {name for name, army in armies.items() if army.turn <= s.turn and not army.chosen}
        freed = tuple(unit for unit, why in s.frozen.items() if why in free)
        for unit in freed:
            del s.frozen[unit]
        if freed:
            out.add(Freed(units=tuple(map(s.code, freed)), rule="S42-S1.2i"))


class Arrivals(Choice[State, PlayerTurn, Arrive]):
    """S42-22.1.1, S42-S1.2c, S42-30.0a: reinforcements whose owner chooses among Areas."""

    rule = "S42-22.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Arrive]:
        yield from (Arrive(unit, area) for unit, areas in due(s, seat).items() for area in open_of(s, seat, areas))
        yield from (Arrive(unit, area) for unit in drafts(s, f) for area in havens(s))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Arrive) -> Violation:
        areas = havens(s) if order.unit in drafts(s, f) else open_of(s, seat, due(s, seat).get(order.unit, ()))
        if not areas:
            return Violation(self.rule, f"{s.code(order.unit)} does not arrive in this turn, or has arrived")
        return Violation(self.rule, f"{s.code(order.unit)} arrives in {describe_places(areas, place_name)}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Arrive, out: Out) -> Next:
        f.drafted |= order.unit in drafts(s, f)
        s.put(order.unit, order.area)
        out.add(Arrived(units=(s.code(order.unit),), area=order.area, rule=self.rule))
        return STAY


def open_of(s: State, side: str, areas: tuple[int, ...]) -> tuple[int, ...]:
    """S42-24.1.3b: of these Areas those that the side can use."""
    usable = {s.chart.areas[key] for key in s.open_areas(side)}
    return tuple(area for area in areas if area in usable)


def volunteers(s: State, f: PlayerTurn) -> tuple[int, ...]:
    """S42-20.8a: who of them can come, one a turn, once both of their towns have been the Axis's.

    By the option `while_held` only as long as they are.
    """
    lost = WHILE_HELD in s.options and any(s.holders[place] != AXIS for place in s.chart.listed(VOLUNTEER_TOWNS))
    if f.seat != AXIS or f.enlisted or not s.volunteers or lost or not meeting_places(s):
        return ()
    return tuple(unit for unit in s.chart.boxes[VOLUNTEERS] if s.at(unit) == WAITING)


def meeting_places(s: State) -> tuple[int, ...]:
    """S42-20.8a: the towns that are held now."""
    shut = s.ground.occupied[SOVIET]
    towns = (place for place in s.chart.listed(VOLUNTEER_TOWNS) if s.holders[place] == AXIS)
    return tuple(place for place in towns if not s.chart.board.bit[place] & shut)


class Enlists(Choice[State, PlayerTurn, Enlist]):
    """S42-20.8: volunteers come with a Replacement marker (S42-20.8b)."""

    rule = "S42-20.8"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Enlist]:
        return (Enlist(unit, place) for unit in volunteers(s, f) for place in meeting_places(s))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Enlist) -> Violation:
        if order.unit not in volunteers(s, f):
            return Violation(self.rule, f"{s.code(order.unit)} cannot come as volunteers now")
        return Violation(self.rule, f"Volunteers come in {describe_places(meeting_places(s), place_name)}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Enlist, out: Out) -> Next:
        f.enlisted = True
        s.put(order.unit, order.place)
        s.renewed.add(order.unit)
        out.add(Enlisted(unit=s.code(order.unit), hex=order.place, rule=self.rule))
        return STAY


def no_points(f: PlayerTurn) -> Violation | None:
    return None if f.points else Violation("S42-18.1", "No resource points are left in this turn")


class Digs(Choice[State, PlayerTurn, Dig]):
    """S42-9.7.2, S42-9.7.3."""

    rule = "S42-9.7.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Dig]:
        if f.points:
            supplied = lines(s, seat).reached
            for place in s.chart.board.in_mask(supplied):
                if self._wrong(s, f, seat, place, supplied) is None:
                    yield Dig(place)

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        place = parse_hex(thing)
        return None if place is None else self._wrong(s, f, seat, place, lines(s, seat).reached)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Dig, proof: Known) -> Violation | None:
        return self._wrong(s, f, seat, order.place, lines(s, seat).reached)

    def _wrong(self, s: State, f: PlayerTurn, seat: str, place: int, supplied: int) -> Violation | None:
        chart, enemy = s.chart, other(seat)
        where = hex_name(place)
        if place not in chart.board.places or chart.board[place].kind == AREA or chart.board[place].terrain == SEA:
            return Violation(self.rule, f"There is no land in {where}")
        its, taken = chart.board.bit[place], [*s.forts.items(), *s.digging.items()]
        if not chart.ground_of(place, s.rained).fort:
            return Violation("S42-9.7.3a", f"No fort can be built in {where}, on such ground")
        if place in dict(taken) or fort_for(s, place, seat):
            return Violation("S42-9.7.3a", f"A fort stands in {where}, or is begun there")
        if its & s.ground.occupied[enemy] or s.holders.get(place) == enemy:
            return Violation("S42-9.7.2b", f"No fort can be begun in {where}, which is controlled by the enemy")
        if its & s.zone(enemy) and not its & s.fighters(seat):
            return Violation(
                "S42-9.7.2c", f"No fort can be begun in {where}, in an enemy zone without a combat unit of yours"
            )
        if not its & supplied:
            return Violation("S42-9.7.2b", f"No fort can be begun in {where}, which is not in supply")
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
        orders = map(Refit, s.ground.standing(seat))
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

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Bring]:
        if f.points and s.of(seat, POOL):
            yield from (Bring(s.chart.areas[key]) for key in s.open_areas(seat))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Bring) -> Violation:
        if not s.of(seat, POOL):
            return Violation(self.rule, "All supply points are on the map")
        return no_points(f) or Violation(self.rule, f"{place_name(order.area)} is not yours")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Bring, out: Out) -> Next:
        f.points -= 1
        unit = s.of(seat, POOL)[0]
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
        if not due(s, seat) and not drafts(s, f) and not recallable(s, f) and not lacking(s, f):  # S42-32.1b, S42-32.3b
            yield Done()

    def why(self, s: State, f: PlayerTurn, seat: str, order: Done) -> Violation:
        if recallable(s, f):
            units = describe_places(recallable(s, f), s.code, FEW)
            return Violation("S42-32", f"One of these leaves, `recall UNIT`: {units}")
        if lacking(s, f):
            units = describe_places(lacking(s, f), s.code, FEW)
            return Violation("S42-32.1b", f"Too few steps have left; one of these gives up one, `weaken UNIT`: {units}")
        if drafts(s, f) and not due(s, seat):
            units = all_of(map(s.code, drafts(s, f)))
            return Violation("S42-30.0a", f"One of these arrives, `arrive UNIT AREA`: {units}")
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
    choices = (
        Ends, Arrivals, Enlists, Releases, Recalls, Weakens, Refills, Offensives, Renewals, Refits, Brings, Plans,
        Readies, Digs, Razes,
    )  # fmt: skip

    ends = "End your Initial Phase: points and replacements that are left are lost; your movement comes next"

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

    def says(self, s: State, f: PlayerTurn, seat: str, order: Order) -> str:
        """S42-21.4: what a replacement costs besides itself."""
        if not isinstance(order, Renew) or order.unit in s.returns:  # S42-19.4
            return super().says(s, f, seat, order)
        where = "" if order.place is None else f" in {place_name(order.place)}"
        costs = "in this turn it moves one hex at most and cannot disengage, and no unit attacks out of its hex"
        return f"Spend a replacement on {s.code(order.unit)}{where}: {costs} (S42-21.4)"

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        left = len(due(s, seat))
        tasks = f"; {many(left, 'unit')} to place with `arrive`" if left else ""
        tasks += "; one of the Trans-Caucasus front to place with `arrive`" * bool(drafts(s, f))
        tasks += "; a unit leaves: `recall UNIT`" * bool(recallable(s, f))
        tasks += "; a step leaves: `weaken UNIT`" * bool(lacking(s, f))
        tasks += "; steps are left over: `refill UNIT`" * bool(fillable(s, f))
        tasks += "; a reserve army may go: `release ARMY`" * bool(waiting_armies(s, f))
        tasks += "; the Winter Offensive may begin: `offensive`" * may_begin(s, seat)
        tasks += "; volunteers: `enlist UNIT TOWN`" * bool(volunteers(s, f))
        spare = ", ".join(f"{number} {kind}" for kind, number in f.spare.items()) or "none"
        end = " End with `done`." if next(Ends().legal(s, f, seat, {}), None) is not None else ""
        return f"Turn {s.turn}, Initial Phase: {many(f.points, 'resource point')}; replacements: {spare}{tasks}.{end}"
