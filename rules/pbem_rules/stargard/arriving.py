"""SG-2.5, SG-7 Reinforcements: who comes, where each enters, and its one move; the transfer of a division (SG-16.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.game import DONE, STAY, Auto, Call, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import Gate, all_of, describe_places, entrance, hex_name, refuse_entry
from pbem_rules.stargard.chart import CUP, FORTRESS, GERMAN, SOVIET, STACK
from pbem_rules.stargard.events import AirMoved, Entered, Note, Reformed
from pbem_rules.stargard.frames import Arriving, GameTurn, Reform, Retreat
from pbem_rules.stargard.losses import lose_step, tell_loss
from pbem_rules.stargard.movement import Drives, Moves, Rails, Tops, drive_says
from pbem_rules.stargard.orders import Done, Enter
from pbem_rules.stargard.replacements import MANY_COME, points_of
from pbem_rules.stargard.state import (
    ASIDE_BOX,
    CAVALRY_BOX,
    READY,
    REFORMING,
    SUPPLIED,
    TETTAU_BOX,
    TRANSFER,
    VOLKSSTURM_BOX,
    WAITING,
    State,
    other,
)
from pbem_rules.stargard.terrain import blocked, edges
from pbem_rules.stargard.turns import RELIEF_FORCES
from pbem_rules.stargard.victory import take_along

ALONG, AROUND = 10, 5  # SG-7.1.2b, SG-7.1.2c: hexes from a blocked entry, along the edge and inland
FEW = 6  # hexes that a refusal names
BY_EVENT = {GERMAN: TETTAU_BOX, SOVIET: CAVALRY_BOX}  # SG-19.1.5
EXCHANGED, FOR_IT, EXCHANGE_TURN = "234/77", "234/80", 7  # SG-16.3


# Who comes, and where


def due(s: State, side: str) -> tuple[int, ...]:
    """SG-2.5, SG-15.3: the units of a side that arrive in this turn.

    SG-12.1f: a headquarters whose army was attacked in turn 1. SG-12.2.2c: one that found no place to reform.
    """
    codes = [arrival.unit for arrival in s.chart.track.arriving(s.turn, side)]
    units = [s.chart.unit(code).number for code in codes if code in s.chart.counters.by_code]
    early = [s.chart.formations[key].hq for key in s.early if s.chart.formations[key].side == side]
    back = [unit for unit, turn in s.back.items() if turn <= s.turn and s.side(unit) == side]
    waiting = {unit for unit in (*units, *early) if s.at(unit) == WAITING}
    return tuple(sorted({*waiting, *(unit for unit in back if s.at(unit) == REFORMING)}))


def entry_of(s: State, unit: int) -> tuple[int, ...]:
    """SG-7.0a: the hexes of its entry; of a headquarters that comes back, its sources of supply (SG-12.2.2c)."""
    chart = s.chart
    if s.at(unit) == REFORMING:
        return tuple(chart.map.regions[chart.formations[s.formation(unit)].source].places)
    listed = next((each.where for each in chart.track.arrivals if each.unit == s.code(unit)), "")
    return chart.map.entries[listed or chart.boxes[unit]].places


def gates(s: State, unit: int) -> tuple[Gate, Gate]:
    """SG-7.1.2: its entry; if that is blocked, hexes near it: along the same edge, or around a hex inland."""
    chart, board = s.chart, s.chart.board
    listed, instead = entry_of(s, unit), 0
    for place in listed:
        along = sum(edge for edge in edges(chart) if edge & board.bit[place])
        instead |= chart.ranges.within(place, ALONG) & along if along else chart.ranges.within(place, AROUND)
    shut = blocked(s, s.side(unit))
    return Gate(board.mask(listed) & ~shut, "SG-7.1.2"), Gate(instead & ~shut, "SG-7.1.2")


def entry_is_open(s: State, unit: int) -> bool:
    """Can the unit be placed in its entry, if it comes by one (SG-7.1.2a)?"""
    return s.at(unit) == VOLKSSTURM_BOX or bool(gates(s, unit)[0].places)


def places_for(s: State, unit: int) -> tuple[int, ...]:
    """Where a unit can be placed. Its own side's units do not hinder it (SG-7.1)."""
    return s.chart.board.in_mask(entrance(gates(s, unit)).places)


def overfull(s: State, side: str) -> tuple[int, ...]:
    """SG-6.0, SG-6.2a, SG-6.3b: the hexes in which too many units of the side stand."""

    def over(stack: Sequence[int]) -> bool:
        posts = sum(map(s.is_hq, stack))
        return posts > 1 or len(stack) - posts > STACK

    return s.chart.board.in_mask(s.ground.where_all(side, over))


def _in_surplus(s: State, place: int, units: Iterable[int]) -> tuple[int, ...]:
    """Those of the units in an overfull hex that make it too full: combat units, headquarters, or both.

    SG-6.2a, SG-6.2.1, SG-6.3b.
    """
    stack = s.ground.stacks[place]
    posts = sum(map(s.is_hq, stack))
    over = {True: posts > 1, False: len(stack) - posts > STACK}
    return tuple(unit for unit in units if s.at(unit) == place and over[s.is_hq(unit)])


# What opens the phase


class NewArms(Auto[State, GameTurn]):
    """SG-13.0a, SG-7.2, SG-12.1f: air units that arrive, and chits for the cup of the next turn."""

    rule = "SG-2.5"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        planes = tuple(code for code, plane in s.chart.planes.items() if plane.turn == s.turn)
        for code in planes:
            s.planes[code] = READY
        if planes:
            out.add(AirMoved(units=planes, to=READY, rule="SG-13.0"))
        early = [code for code, chit in s.chart.chits.items() if chit.formation in s.early]
        arriving = [each.unit for each in s.chart.track.arrivals if each.turn == s.turn and each.where == CUP]
        listed = [code for code in arriving if code not in early]
        chits = tuple(s.chart.chits[code].name for code in (*early, *listed) if code not in s.coming)
        s.coming = (*s.coming, *early)
        if chits:
            out.add(Note(text=f"In the cup from the next turn on: {all_of(chits)}.", rule="SG-7.2"))
        return DONE


class FirstArrivals(Auto[State, GameTurn]):
    """SG-2.5: those who arrive, and what replaces losses, one side after the other.

    The rules name no order. The side that played the last chit begins, so that all of it is in one mail.
    """

    rule = "SG-2.5"

    @staticmethod
    def side(s: State) -> str:
        return s.chart.chits[s.drawn[-1]].side if s.drawn else GERMAN

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        side = self.side(s)
        found = points_of(s, side, f.event)
        units = due(s, side)
        return Call(Arriving(side, units, came=len(units), points=found.points, plain=found.plain))


class SecondArrivals(FirstArrivals):
    @staticmethod
    def side(s: State) -> str:
        return other(FirstArrivals.side(s))


class GermanEvent(Auto[State, GameTurn]):
    """SG-19.1.5: Corps Tettau enters at once."""

    side = GERMAN
    rule = "SG-19.1.5"

    def when(self, s: State, f: GameTurn) -> bool:
        return f.event == RELIEF_FORCES

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        units = s.ground.of(self.side, BY_EVENT[self.side])
        return Call(Arriving(self.side, units, came=len(units), event=True))


class SovietEvent(GermanEvent):
    """SG-12.5c: straight after it the 2nd Guards Cavalry Corps."""

    side = SOVIET


# Placing and moving


class ComeIn(Auto[State, Arriving]):
    """SG-7.0a: whoever can be placed in one hex alone stands there at once."""

    name = "come_in"
    rule = "SG-7.0"

    def run(self, s: State, f: Arriving, out: Out) -> Next:
        placed: dict[int, list[int]] = {}
        for unit in f.units:
            if len(found := places_for(s, unit)) == 1:
                placed.setdefault(found[0], []).append(unit)
        for place, units in placed.items():
            bring_in(s, f, units, place, out)
        return DONE


def bring_in(s: State, f: Arriving, units: Sequence[int], place: int, out: Out) -> None:
    """SG-7.0b: in supply until the next supply phase."""
    out.add(Entered(units=tuple(map(s.code, units)), place=str(s.chart.board[place]), how="arrive", rule="SG-7.0"))
    for unit in units:
        take_along(s, unit, (place,), out)
        s.put(unit, place)
    f.units = tuple(unit for unit in f.units if unit not in units)
    f.placed = (*f.placed, *units)


class Enters(Choice[State, Arriving, Enter]):
    """SG-7.1.2: into one of several hexes."""

    rule = "SG-7.0"

    def legal(self, s: State, f: Arriving, seat: str, own: Known) -> Iterator[Enter]:
        return (Enter(unit, place) for unit in f.units for place in places_for(s, unit))

    def check(self, s: State, f: Arriving, seat: str, order: Enter, proof: Known) -> Violation | None:
        unit, code = order.unit, s.code(order.unit)
        if unit in f.placed:
            return Violation("SG-7.1.1", f"{code} already stands in {hex_name(s.at(unit))}: move it on from there")
        if unit not in f.units:
            coming = f"; to come are {describe_places(f.units, s.code)}" if f.units else "; all have entered"
            return Violation(self.rule, f"{code} does not arrive now{coming}")
        return refuse_entry(s.chart.board, gates(s, unit), -1, order.to, code, full="SG-6.0")

    def apply(self, s: State, f: Arriving, seat: str, order: Enter, out: Out) -> Next:
        bring_in(s, f, (order.unit,), order.to, out)
        return STAY


def _away(s: State, place: int, listed: Sequence[int]) -> int:
    """How far a hex lies from the nearest of its entry."""
    grid = s.chart.board.grid
    assert grid is not None
    return min(grid.distance(place, each) for each in listed)


def still_to_do(s: State, f: Arriving) -> Violation | None:
    """SG-6.2a, SG-7.0a, SG-7.1.2b: who must still enter, or which hex must still be cleared, if somebody can."""
    for unit in f.units:
        if found := places_for(s, unit):
            listed = entry_of(s, unit)
            where = describe_places(sorted(found, key=lambda place: (_away(s, place, listed), place)), few=FEW)
            return Violation("SG-7.0", f"{s.code(unit)} must enter: `enter {s.code(unit)} HEX`, in {where}")
    for place in overfull(s, f.seat):
        can = [unit for unit in _in_surplus(s, place, f.placed) if can_go_on(s, f, unit)]
        if can:
            posts = sum(map(s.is_hq, s.ground.stacks[place]))
            fighters = len(s.combat_units(place))
            over = min(len(can), max(posts - 1, 0) + max(fighters - STACK, 0))
            leave = f"{over} more must leave {hex_name(place)} before you can end (stacking, SG-6.2)"
            held = f"it holds {fighters} combat units and {posts} headquarters, and there is room for {STACK} and 1"
            return Violation("SG-6.2", f"{leave}: {held}. Move on {describe_places(can, s.code)}")
    return None


def can_go_on(s: State, f: Arriving, unit: int) -> bool:
    """SG-7.1.1: by normal, strategic or rail movement."""
    return any(way.can_go(s, f, unit) for way in (Moves(), Drives(), Rails()))


class Ends(Choice[State, Arriving, Done]):
    """SG-6.2a: by the end everybody has entered, and no hex is too full that could be cleared."""

    rule = "SG-7.1"

    def legal(self, s: State, f: Arriving, seat: str, own: Known) -> Iterator[Done]:
        if still_to_do(s, f) is None:
            yield Done()

    def why(self, s: State, f: Arriving, seat: str, order: Done) -> Violation:
        return still_to_do(s, f) or super().why(s, f, seat, order)

    def apply(self, s: State, f: Arriving, seat: str, order: Done, out: Out) -> Next:
        return DONE


class Arrivals(Decide[State, Arriving, Order]):
    """SG-2.5, SG-7.1.1: each arrival enters and moves once, by normal, strategic or rail movement."""

    name = "arrivals"
    rule = "SG-2.5"
    choices = (Ends, Enters, Moves, Drives, Rails, Tops)
    default, preset = "then best", MANY_COME
    fact_names = ("units",)
    answer_names = ("best",)
    ends = "End the arrivals; those that have not moved on stay where they are"

    def says(self, s: State, f: Arriving, seat: str, order: Order) -> str:
        return drive_says(s, seat, order) or super().says(s, f, seat, order)

    def by(self, s: State, f: Arriving) -> Sequence[str]:
        asked = any(places_for(s, unit) for unit in f.units) or any(can_go_on(s, f, unit) for unit in f.placed)
        return (f.seat,) if asked else ()

    def prompt(self, s: State, f: Arriving, seat: str) -> str:
        coming = f" To bring in, with `enter UNIT HEX`: {describe_places(f.units, s.code)}." if f.units else ""
        stand = describe_places(dict.fromkeys(map(s.at, f.placed)), hex_name)
        here = f" Each of these may move on once from {stand}: {describe_places(f.placed, s.code)}." if f.placed else ""
        wrong = still_to_do(s, f)
        crowd = f" {wrong.reason.partition(':')[0]}." if wrong is not None and wrong.rule == "SG-6.2" else ""
        return f"Turn {s.turn}, arrivals.{coming}{crowd}{here}{' Then `done`.' if wrong is None else ''}"

    def facts(self, s: State, f: Arriving, seat: str, own: Known) -> Mapping[str, int]:
        return {"units": f.came}

    def answers(self, s: State, f: Arriving, seat: str, own: Known) -> Mapping[str, Order]:
        return {"best": next(self._orders(s, f), Done())}

    def _orders(self, s: State, f: Arriving) -> Iterator[Order]:
        """DP-17, DP-25: each enters nearest to its entry and goes on toward its headquarters, out of enemy zones."""
        grid = s.chart.board.grid
        assert grid is not None
        for unit in f.units:
            if found := places_for(s, unit):
                listed = entry_of(s, unit)
                goal = self._goal(s, unit, listed[len(listed) // 2])
                nearest = min((_away(s, to, listed), grid.distance(to, goal), to) for to in found)
                yield Enter(unit, nearest[-1])
        for unit in f.placed:
            here = s.at(unit)
            goal = self._goal(s, unit, here)
            ways = [
                (bool(s.in_zone(to, other(f.seat))), grid.distance(to, goal), to) for to, _ in self._moves(s, f, unit)
            ]
            if not ways:
                continue
            hot, away, to = min(ways)
            if _in_surplus(s, here, (unit,)) or (not hot and away < grid.distance(here, goal)):
                yield next(order for place, order in self._moves(s, f, unit) if place == to)

    @staticmethod
    def _goal(s: State, unit: int, here: int) -> int:
        """Where its headquarters stands; a headquarters stays where it is."""
        hq = s.hq_of(s.formation(unit))
        return s.at(hq) if hq not in (-1, unit) else here

    @staticmethod
    def _moves(s: State, f: Arriving, unit: int) -> Iterator[tuple[int, Order]]:
        """Where the unit can go, and how; Germans spare the fuel of strategic moves (SG-5.4.2)."""
        moves, drives, rails = Moves(), Drives(), Rails()
        if moves.can_go(s, f, unit):
            yield from ((move.path[0], move) for move in moves.picked(s, f, f.seat, {}, unit))
        for way in (drives, rails) if f.seat == SOVIET else (rails,):
            if way.can_go(s, f, unit):
                yield from ((order.to, order) for order in way.picked(s, f, f.seat, {}, unit))


# What nobody could help


class Crowding(Auto[State, Arriving]):
    """SG-7.1.3, SG-6.2.1: a unit that cannot enter is destroyed; the strongest of a hex that is too full loses a step
    and retreats; where it cannot, that costs its second step (SG-9.4). Headquarters reform (SG-12.2.1)."""

    name = "crowding"
    rule = "SG-6.2.1"

    def run(self, s: State, f: Arriving, out: Out) -> Next:
        """SG-6.3c: of two headquarters the one that has arrived."""
        for unit in f.units:
            self._shut_out(s, unit, out)
        f.units = ()
        for place in overfull(s, f.seat):
            surplus = _in_surplus(s, place, s.ground.stacks[place])
            posts = [unit for unit in surplus if s.is_hq(unit)]
            if posts:
                post = max(posts, key=lambda unit: (unit in f.placed, unit))
                return Call(Reform((post,), (place,), beside=True), again=True)
            unit = max(surplus, key=lambda u: (not s.has(u, FORTRESS), s.face(u).attack, u in f.placed, -u))
            lose_step(s, unit, self.rule, out, in_combat=False)
            if s.on_map(unit):
                return Call(Retreat(f.seat, place, (unit,), 1, attacker=other(f.seat)), again=True)
        return DONE

    @staticmethod
    def _shut_out(s: State, unit: int, out: Out) -> None:
        if s.is_hq(unit):
            s.put(unit, REFORMING)
            out.add(Reformed(unit=s.code(unit), hex=0, rule="SG-12.2.2"))
        else:
            tell_loss(s, unit, entry_of(s, unit)[0], 0, "SG-7.1.3", out)
            s.set_steps(unit, 0)


class Transfer(Auto[State, Arriving]):
    """SG-16.3: in turn 7 the 234th Division changes armies: another counter takes its place, its steps and marks.

    Before replacement points are spent.
    """

    name = "transfer"
    rule = "SG-16.3"

    def when(self, s: State, f: Arriving) -> bool:
        old = s.chart.unit(EXCHANGED).number
        return TRANSFER in s.options and f.seat == SOVIET and s.turn == EXCHANGE_TURN and s.on_map(old)

    def run(self, s: State, f: Arriving, out: Out) -> Next:
        """SG-16.3."""
        old, new = (s.chart.unit(code).number for code in (EXCHANGED, FOR_IT))
        place, piece = s.at(old), s.pieces[old]
        on_top = s.tops.get(place) == old
        s.put(old, ASIDE_BOX)
        s.pieces[old] = replace(s.pieces[old], supply=SUPPLIED, pinned=False)
        s.put(new, place)
        s.pieces[new] = piece
        if on_top:
            s.tops[place] = new
        out.add(Note(text=f"{FOR_IT} takes the place of {EXCHANGED} in {hex_name(place)}.", rule=self.rule))
        return DONE


__all__ = ["Arrivals", "ComeIn", "Crowding", "NewArms", "Transfer", "due", "entry_of", "gates", "overfull"]
