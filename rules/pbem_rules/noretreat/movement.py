"""NR-8.1 to NR-8.8 Movement and zones of control: the Movement phase, and moves that events allow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Call, Choice, Decide, Known, Next, Order, Out, Pick, Violation
from pbem.kit import Links, Terms, Trail, Why, describe_places, goes_anywhere, many, path, reach, refuse
from pbem_rules.noretreat.cards.base import Moment, unit_in
from pbem_rules.noretreat.chart import NAMES, other
from pbem_rules.noretreat.events import Moved
from pbem_rules.noretreat.frames import Manoeuvre, PlayerTurn
from pbem_rules.noretreat.hands import slots
from pbem_rules.noretreat.orders import CODES, UNIT, Discard, Done, Help, Load, Move, Purpose, Reserve
from pbem_rules.noretreat.payments import check_cards, pay, payments
from pbem_rules.noretreat.rail import check_load, check_reserve, load
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import RAIL, State
from pbem_rules.noretreat.victory import enter
from pbem_rules.noretreat.weather import cap
from pbem_rules.noretreat.windows import EndPhase, PlayEvent

MOMENTS = (Moment.MOVE, Moment.ANY)
CUT_MOVE = 3  # NR-6.6
Way = tuple[tuple[int, ...], int]  # the places, the first one too, and the cost


def allowance(s: State, unit: int) -> int:
    """NR-8.2, NR-5.21, NR-6.6."""
    points = s.face(unit).move
    if not points:
        return 0
    more = [effect.amount for effect in s.effect("points", s.unit(unit).side) if effect.at == unit]
    points = cap(s, points + max(more, default=0))
    return points if s.supplied(unit) else min(points, CUT_MOVE)


def terms(s: State, unit: int, points: int) -> Terms:
    side = s.unit(unit).side
    zone = s.zone(other(side))
    barred = s.ground.occupied[other(side)]
    return Terms(points, barred, stops=zone, locked=zone, first_free=True)


def left(s: State, unit: int, place: int) -> int:
    """NR-8.4: what it costs to leave a place, if it lies in an enemy zone."""
    return int(s.in_zone(place, other(s.unit(unit).side)))


def trails(
    s: State, unit: int, points: int, start: int | None = None, goal: int = -1, *, free: bool = True
) -> dict[int, Trail]:
    """Every place that the unit could come to. Only the start can lie in a zone that is left, for a point (NR-8.4).

    `free`: one hex is always possible (NR-8.6); not on the later legs of a way.
    """
    place = s.at(unit) if start is None else start
    return reach(*_march(s, unit, points, place, free=free), goal)


def _march(s: State, unit: int, points: int, start: int, *, free: bool) -> tuple[Links, Mapping[int, int], int, Terms]:
    """What a search needs to know."""
    links = s.chart.swamped(s.scorched, armour=s.has(unit, "armour"), frozen=s.snow)
    return links, s.chart.board.bit, start, terms(s, unit, points - left(s, unit, start))._replace(first_free=free)


def can_move(s: State, unit: int) -> bool:
    """Is there a place to which the unit can go?"""
    march = _march(s, unit, allowance(s, unit), s.at(unit), free=True)
    return goes_anywhere(*march, lambda place: fits(s, unit, place))


def check_mover(s: State, side: str, unit: int, moved: Collection[int]) -> Violation | None:
    if not s.has_on_map(side, unit):
        return Violation("NR-8.1", f"{s.code(unit)} is not a unit of yours on the map")
    if unit in moved:
        return Violation("NR-8.1", f"{s.name(unit)} has already moved")
    if not s.face(unit).move:
        return Violation("NR-8.1", f"{s.name(unit)} has no movement allowance")
    return None


def way(s: State, unit: int, points: int, goals: Sequence[int]) -> Way | Violation:
    """NR-8.1: the whole way through these places and what it costs, or why there is none.

    The last answer is kept: an order is checked, and then carried out.
    """
    return s.ground.again((unit, points, goals, s.scorched, s.snow), lambda: _find_way(s, unit, points, goals))


def _find_way(s: State, unit: int, points: int, goals: Sequence[int]) -> Way | Violation:
    start = here = s.at(unit)
    taken, cost, code = [start], 0, s.name(unit)
    zone, bit = s.zone(other(s.unit(unit).side)), s.chart.board.bit
    # A way may be written from where the unit stands: `move 3Pz 1204-1305`.
    for number, goal in enumerate(goals[1:] if len(goals) > 1 and goals[0] == here else goals):
        if goal not in s.chart.board:
            return Violation("NR-8.1", f"There is no {goal:04d} on the map")
        if goal == here:
            return Violation("NR-8.1", f"{code} is already in {s.chart.place_text(here)}")
        if number and zone & bit[here]:
            return Violation("NR-8.3", f"{code} stops in {s.chart.place_text(here)}, in an enemy zone")
        found = trails(s, unit, points - cost, here, goal, free=not number)
        if goal not in found:
            return unreachable(s, unit, points, start, goal) if not number else Violation(
                "NR-8.1", f"{code} does not have enough movement points to go on to {s.chart.place_text(goal)}"
            )  # fmt: skip
        taken += path(found, goal)[1:]
        cost += found[goal][0] + left(s, unit, here)
        here = goal
    return tuple(taken), min(cost, points)


_REASONS = {
    Why.BARRED: ("NR-8.1", "an enemy stands there"),
    Why.LOCKED: ("NR-8.4", "it would go from one enemy zone straight into another"),
    Why.STOPPED: ("NR-8.3", "an enemy zone stops it on the way"),
    Why.TOO_FAR: ("NR-8.1", "it does not have enough movement points"),
    Why.NO_WAY: ("NR-8.1", "no way leads there"),
}


def unreachable(s: State, unit: int, points: int, start: int, goal: int) -> Violation:
    name = s.chart.place_text
    wrong = refuse(*_march(s, unit, points, start, free=True), goal, _REASONS, s.name(unit), name)
    assert wrong is not None
    near = (p for p in sorted(trails(s, unit, points)) if p != start and fits(s, unit, p))
    return Violation(wrong.rule, f"{wrong.reason}. It can reach {describe_places(near, name)}")


def check_way(s: State, unit: int, points: int, goals: Sequence[int]) -> Violation | None:
    if not 1 <= len(goals) <= 12:
        return Violation("NR-8.1", "A move names one place, or a few on the way")
    found = way(s, unit, points, goals)
    if isinstance(found, Violation):
        return found
    if not fits(s, unit, goals[-1]):
        return Violation("NR-8.8", f"There is no room in {s.chart.place_text(goals[-1])}")
    return None


def carry_out(s: State, unit: int, points: int, goals: Sequence[int], rule: str, out: Out) -> None:
    """NR-8.1, NR-2.7: the unit takes every place on its way."""
    found = way(s, unit, points, goals)
    assert not isinstance(found, Violation)
    taken, cost = found
    side = s.unit(unit).side
    stopped = s.in_zone(taken[-1], other(side))
    out.add(Moved(unit=s.name(unit), path=taken, cost=cost, stopped=stopped, rule=rule))
    s.put(unit, taken[-1])
    enter(s, side, taken[1:], out)


LAST = Violation("NR-8.25", "The Strategic Reserve is chosen when all else has moved")


class MoveEvents(PlayEvent):
    moments = MOMENTS


class Moves(Choice[State, PlayerTurn, Move]):
    """NR-8.1."""

    def first(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pick]:
        for unit in s.chart.own[seat] if not f.stage else ():
            if check_mover(s, seat, unit, f.moved) is None and can_move(s, unit):
                yield Pick(s.unit(unit).key, unit)

    def picked(self, s: State, f: PlayerTurn, seat: str, own: Known, pick: int) -> Iterator[Move]:
        start = s.at(pick)
        for place in sorted(trails(s, pick, allowance(s, pick))):
            if place != start and fits(s, pick, place):
                yield Move(pick, (place,))

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        if thing not in CODES:
            return None
        unit = CODES[thing]
        wrong = LAST if f.stage else check_mover(s, seat, unit, f.moved)
        if wrong is not None or can_move(s, unit):
            return wrong
        return Violation("NR-8.1", f"{s.name(unit)} cannot go anywhere: no place that it reaches has room for it")

    def check(self, s: State, f: PlayerTurn, seat: str, order: Move, proof: Known) -> Violation | None:
        wrong = LAST if f.stage else check_mover(s, seat, order.unit, f.moved)
        return wrong or check_way(s, order.unit, allowance(s, order.unit), order.path)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Move, out: Out) -> Next:
        f.moved.add(order.unit)
        carry_out(s, order.unit, allowance(s, order.unit), order.path, "NR-8.1", out)
        return STAY


class Loads(Choice[State, PlayerTurn, Load]):
    """NR-8.14."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Load]:
        return (Load(u) for u in s.chart.own[seat] if not f.stage and check_load(s, f, u, free=True) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Load, proof: Known) -> Violation | None:
        return LAST if f.stage else check_load(s, f, order.unit, free=True)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Load, out: Out) -> Next:
        f.moved.add(order.unit)
        f.railed += 1
        load(s, order.unit, "NR-8.14", out)
        return STAY


class PayRails(Choice[State, PlayerTurn, Discard]):
    """NR-8.14 for a card."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Discard]:
        for unit in s.chart.own[seat]:
            if not f.stage and check_load(s, f, unit, free=False) is None:
                for cards in payments(s, seat, Purpose.RAIL, 1, own):
                    yield Discard(cards, Purpose.RAIL, (UNIT + unit,))

    def opens(self, s: State, f: PlayerTurn, seat: str, order: Discard) -> tuple[str, ...]:
        return slots(*order.cards)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Discard, proof: Known) -> Violation | None:
        if f.stage:
            return LAST
        if order.purpose != Purpose.RAIL or len(order.targets) != 1:
            return Violation("NR-5.8", "In the Movement phase you pay for `rail`, one unit at a time")
        return check_load(s, f, unit_in(order.targets[0]), free=False) or check_cards(s, seat, order, 1, proof)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Discard, out: Out) -> Next:
        return Call(pay(s, seat, Moment.MOVE, order, out), again=True)


class Reserves(Choice[State, PlayerTurn, Reserve]):
    """NR-8.25."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Reserve]:
        return (Reserve(unit) for unit in s.chart.own[seat] if check_reserve(s, f, unit) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Reserve, proof: Known) -> Violation | None:
        return check_reserve(s, f, order.unit)

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Reserve, out: Out) -> Next:
        f.stage = 1
        if s.on_map(order.unit):
            load(s, order.unit, "NR-8.25", out)
        s.reserve = order.unit
        return STAY


class Helps(Choice[State, PlayerTurn, Help]):
    """NR-14.5."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Help]:
        return (order for order in map(Help, s.chart.own[seat]) if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Help, proof: Known) -> Violation | None:
        if "local_support" not in s.options:
            return Violation("NR-14.5", "Local combat support is an optional rule")
        if not s.has_on_map(seat, order.unit):
            return Violation("NR-14.5", f"{s.code(order.unit)} is not a unit of yours on the map")
        if not s.supplied(order.unit) or s.helped.get(seat) == order.unit:
            return Violation("NR-14.5", "Support goes to another unit that is in supply")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Help, out: Out) -> Next:
        s.helped[seat] = order.unit
        return STAY


class March(Decide[State, PlayerTurn, Order]):
    """Phase G: moves (NR-8.1), rail (NR-8.14), the reserve (NR-8.25), local support (NR-14.5)."""

    rule = "NR-3.8"
    choices = (EndPhase, MoveEvents, Moves, Loads, PayRails, Reserves, Helps)
    ends = "End your movement: no unit can move any more in this turn; your attacks come next"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        free = sum(1 for unit in s.chart.own[seat] if check_mover(s, seat, unit, f.moved) is None)
        rail = len(s.of(seat, RAIL))
        trains = f", {rail} on the railway" if rail else ""
        return f"Turn {s.turn}, {NAMES[seat]} movement: {many(free, 'unit')} can move{trains}. End with `done`."


class ManoeuvreMove(Decide[State, Manoeuvre, Order]):
    """Moves that an event allows: not from an enemy zone, nor from under a counterblow marker (NR-9.13).

    NR-13.18A, NR-13.39A, NR-13.41S, NR-13.43A.
    """

    name = "manoeuvre"
    rule = "NR-5.21"
    ends = "Move no other unit by this event"
    takes = (Move, Done)

    def _can(self, s: State, f: Manoeuvre, unit: int) -> bool:
        return unit in f.units and s.on_map(unit) and free_to_manoeuvre(s, unit)

    def _points(self, s: State, f: Manoeuvre, unit: int) -> int:
        return min(f.points, allowance(s, unit))

    def _goals(self, s: State, f: Manoeuvre, unit: int) -> list[int]:
        found = trails(s, unit, self._points(s, f, unit))
        start = s.at(unit)
        return [
            p
            for p, (_, before) in sorted(found.items())
            if p != start and fits(s, unit, p) and (not f.single or before == start)
        ]

    def by(self, s: State, f: Manoeuvre) -> Sequence[str]:
        return (f.side,) if f.most > 0 and any(self._can(s, f, unit) for unit in f.units) else ()

    def prompt(self, s: State, f: Manoeuvre, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in f.units if self._can(s, f, unit))
        return f"Move up to {min(f.most, len(f.units))} of {codes}: `move UNIT HEX`, then `done`."

    def legal(self, s: State, f: Manoeuvre, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        for unit in f.units:
            if self._can(s, f, unit):
                for place in self._goals(s, f, unit):
                    yield Move(unit, (place,))

    def check(self, s: State, f: Manoeuvre, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        assert isinstance(order, Move)
        if not self._can(s, f, order.unit):
            return Violation(self.rule, "That unit does not move by this event")
        if len(order.path) != 1 or order.path[0] not in self._goals(s, f, order.unit):
            return Violation(self.rule, f"{s.name(order.unit)} cannot go there now")
        return None

    def apply(self, s: State, f: Manoeuvre, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.side]
        if not isinstance(order, Move):
            return DONE
        f.most -= 1
        f.units = tuple(unit for unit in f.units if unit != order.unit)
        carry_out(s, order.unit, self._points(s, f, order.unit), order.path, self.rule, out)
        return STAY


def free_to_manoeuvre(s: State, unit: int) -> bool:
    """NR-9.13, NR-13.18A, NR-13.39A: neither in an enemy zone nor under a counterblow marker."""
    return not s.in_zone(s.at(unit), other(s.unit(unit).side)) and unit not in s.blown and bool(s.face(unit).move)
