"""SG-5, SG-4.1: the movement of an activation, and that of units that have just arrived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias, TypeVar

from pbem.game import DONE, STAY, Call, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import (
    March,
    Marches,
    Reasons,
    Terms,
    Why,
    all_of,
    hex_name,
    many,
    path,
    reach,
    refuse,
)
from pbem_rules.stargard.chart import FORTRESS, GERMAN, SOVIET, TWELFTHS
from pbem_rules.stargard.events import Captured, Moved, Note
from pbem_rules.stargard.frames import Activation, Arriving, Reform
from pbem_rules.stargard.orders import CODES, Decline, Done, Drive, Entrain, Exit, Move, Top
from pbem_rules.stargard.state import EXITED, ISOLATED, REFORMING, State, other
from pbem_rules.stargard.terrain import full, links, lone_posts, near, rails, restricted, roads
from pbem_rules.stargard.victory import GATES, after_exit, may_leave, take_along

INDEPENDENTS = 2  # SG-3.3.2b, SG-3.1.5b
RAIL_IN_THAW, RAIL_ANYWHERE = 10, 200  # hexes by rail (SG-19.1.9); longer than any railway of the map
MOST_LEGS = 12
Going: TypeAlias = Activation | Arriving
Way = tuple[int, ...]  # the hexes of a move, the first one too
G = TypeVar("G", bound=Order)


# Who may move


def allowance(s: State, unit: int) -> int:
    """SG-5.1.1, SG-5.3f: in twelfths of a point; of an isolated unit half the points, rounded down."""
    points = s.face(unit).move
    return TWELFTHS * (points // 2 if s.pieces[unit].supply == ISOLATED else points)


def may_use(s: State, f: Activation, unit: int) -> Violation | None:
    """SG-3.3.1a, SG-5.0, SG-8.1.2b: why the activation cannot use a unit, to move it or to attack with it."""
    if not s.has_on_map(f.seat, unit):
        return Violation("SG-3.0", s.absence(f.seat, unit))
    if unit not in f.able and unit != _post(s, f):
        return _not_activated(s, f, unit)
    if s.pieces[unit].pinned:
        return Violation("SG-8.1.2b", f"{s.code(unit)} is pinned")
    if s.chart.independent(unit) and unit not in f.used and len(f.used) >= INDEPENDENTS:
        names = all_of(map(s.code, f.used))
        return Violation("SG-3.3.2b", f"An activation uses two independent units, and has used {names}")
    return None


def _not_activated(s: State, f: Activation, unit: int) -> Violation:
    """SG-3.3.1, SG-3.3.5: it belongs to another headquarters, or was out of range when this one was activated."""
    code, home = s.code(unit), s.chart.formations[s.formation(unit)]
    if s.is_hq(unit):
        return Violation("SG-3.3.1b", f"{code} is not activated: a headquarters activates no other")
    if f.formation and home.key != f.formation and not s.chart.independent(unit):
        return Violation("SG-3.3.1a", f"{code} is not activated: it belongs to another formation, {home.name}")
    return Violation("SG-3.3.5", f"{code} is not activated: it was out of command")


def use(f: Activation, s: State, unit: int) -> None:
    """SG-3.3.2b: an independent unit counts when it is first used."""
    if s.chart.independent(unit) and unit not in f.used:
        f.used = (*f.used, unit)


def _post(s: State, f: Activation) -> int:
    """The headquarters that is active (SG-3.3.1b, SG-5.0), -1 if there is none."""
    return s.hq_of(f.formation) if f.formation else -1


def _may_free(s: State, f: Activation, unit: int) -> Violation | None:
    """SG-3.1.5b: why it is none of the two independents that move wherever they stand."""
    if unit not in f.free:
        return Violation(
            "SG-5.5", f"{s.code(unit)} cannot move by rail: that is for arrivals, and for the 3rd Panzer Army"
        )
    if s.pieces[unit].pinned:
        return Violation("SG-5.3e", f"{s.code(unit)} is pinned")
    if len(f.freed) >= INDEPENDENTS:
        names = all_of(map(s.code, f.freed))
        return Violation("SG-3.1.5b", f"Two independent units move by this chit, and {names} have moved")
    return None


def may_go(s: State, f: Going, unit: int, kind: type[Order]) -> Violation | None:
    """SG-5.1a, SG-3.1.5b: why the unit cannot move now, by an order of this kind."""
    if not s.has_on_map(f.seat, unit):
        if isinstance(f, Arriving) and unit in f.units:
            return Violation("SG-7.0", f"{s.code(unit)} must enter first: `enter {s.code(unit)} HEX`")
        return Violation("SG-5.0", s.absence(f.seat, unit))
    if isinstance(f, Arriving):
        return _may_go_on(s, f, unit, kind)
    if unit in f.moved:
        return Violation("SG-5.1a", f"{s.code(unit)} has already moved")
    if s.has(unit, FORTRESS):
        return Violation("SG-12.3b", f"{s.code(unit)} is a fortress, which never moves")
    if kind is Entrain:
        return _may_free(s, f, unit)
    wrong = may_use(s, f, unit)
    if kind is Move and _may_free(s, f, unit) is None:
        return None
    return wrong


def _may_go_on(s: State, f: Arriving, unit: int, kind: type[Order]) -> Violation | None:
    """SG-7.1.1: a unit moves once when it has arrived; by an event without strategic movement (SG-5.4.1d)."""
    if unit not in f.placed:
        return Violation("SG-7.1.1", f"{s.code(unit)} does not arrive in this turn, or has already moved on")
    if f.event and kind is not Move:
        return Violation("SG-5.4.1d", f"{s.code(unit)} enters by an event, and moves on by normal movement alone")
    return None


def _goes(s: State, f: Going, unit: int, kind: type[Order]) -> None:
    """The unit spends its move: an arrival its only one (SG-7.1.1).

    SG-5.1a: else one of an activation (SG-3.3.2b), or of two others (SG-3.1.5b).
    """
    if isinstance(f, Arriving):
        f.placed = tuple(each for each in f.placed if each != unit)
        return
    if kind is not Entrain and may_use(s, f, unit) is None:
        use(f, s, unit)
    else:
        f.freed = (*f.freed, unit)
    f.moved.add(unit)


# Where it may go


def normal(s: State, unit: int, points: int) -> March:
    """SG-5.2, SG-4.1, SG-5.3. A lone headquarters ends a leg: to go on, name its hex (SG-5.6)."""
    side = s.side(unit)
    enemy = other(side)
    posts = lone_posts(s, enemy) * s.controls(unit)
    enter, leave = s.chart.tolls
    return March(
        links(s.chart, s.chart.pace(unit), thaw=s.thaw),
        Terms(
            points,
            barred=s.ground.occupied[enemy] & ~posts,
            stops=posts,
            zone=s.zone(enemy),
            enter=enter,
            leave=leave,
            full=full(s, unit),
        ),
    )


def strategic(s: State, unit: int) -> March:
    """SG-5.4.1: along roads, out of zones, and not on through a hex with two units of one's own."""
    side = s.side(unit)
    barred = s.ground.occupied[other(side)] | s.zone(other(side))
    crowded = s.ground.kept(side, "two", lambda: s.ground.where_all(side, lambda stack: len(stack) > 1))
    return March(roads(s.chart), Terms(allowance(s, unit), barred=barred, stops=crowded, full=full(s, unit)))


def by_rail(s: State, unit: int, *, arriving: bool) -> March:
    """SG-5.5: arrivals stay out of zones; others enter one and stop, or leave one and end clear of enemies."""
    enemy = other(s.side(unit))
    barred, zone = s.ground.occupied[enemy], s.zone(enemy)
    most = RAIL_IN_THAW if s.thaw else RAIL_ANYWHERE
    crowded = full(s, unit) & ~restricted(s.chart) & ~s.chart.board.bit[s.at(unit)]
    terms = Terms(most, barred=barred | crowded, stops=zone, full=full(s, unit))
    if arriving or zone & s.chart.board.bit[s.at(unit)]:
        terms = terms._replace(barred=terms.barred | zone, full=terms.full | near(s, enemy) * (not arriving))
    return March(rails(s.chart), terms)


_REASONS = {
    Why.BARRED: ("SG-5.3a", "enemy units stand there"),
    Why.STOPPED: ("SG-5.6", "a lone headquarters stands on the way: name its hex on the way, to capture it"),
    Why.TOLL: ("SG-4.1a", "it costs too much to enter and leave enemy zones"),
    Why.TOO_FAR: ("SG-5.2a", "it does not have enough movement points"),
    Why.NO_WAY: ("SG-5.2.6", "no way leads there"),
}
_ROAD_REASONS = {
    Why.BARRED: ("SG-5.4.1c", "enemies or their zone are there"),
    Why.STOPPED: ("SG-5.4.1b", "two units stand in a hex on the way"),
    Why.TOO_FAR: ("SG-5.4", "it does not have enough movement points"),
    Why.NO_WAY: ("SG-5.4.1a", "no road that is free of enemies and their zones leads there"),
}
_RAIL_REASONS = {
    Why.BARRED: ("SG-5.5.1", "the hex is full, or enemies or their zone bar it"),
    Why.STOPPED: ("SG-5.5.2a", "it stops in an enemy zone on the way"),
    Why.TOO_FAR: ("SG-19.1.9", "in a thaw it goes at most ten hexes by rail"),
    Why.NO_WAY: ("SG-5.5.1", "no open railway leads there"),
}


def _no_end(s: State, unit: int, place: int) -> tuple[str, str]:
    """SG-5.2.5b, SG-6.1, SG-5.5.2b: the rule and the reason why the unit cannot end in a hex, where it cannot."""
    if restricted(s.chart) & s.chart.board.bit[place]:
        return "SG-5.2.5b", "no unit ends its move there"
    if not s.has_room(unit, place):
        return "SG-6.1", "there is no room"
    return "SG-5.5.2b", "a unit that leaves a zone by rail ends clear of enemy units"


def _nowhere(s: State, unit: int, here: int, goal: int) -> Violation | None:
    """Why the goal is none: it is not on the map, or the unit is there."""
    if goal not in s.chart.board:
        return Violation("SG-5.2.6", f"There is no hex {hex_name(goal)} on the map that a unit could enter")
    return Violation("SG-5.0", f"{s.code(unit)} is already in {hex_name(goal)}") if goal == here else None


def find_way(s: State, unit: int, legs: Sequence[int]) -> Way | Violation:
    """SG-5.2: the way of a normal move through these hexes, or why there is none.

    The last answer is kept: an order is checked, and then carried out.
    """
    return s.ground.again(("way", unit, legs, s.thaw, s.pieces[unit].supply), lambda: _find_way(s, unit, legs))


def _find_way(s: State, unit: int, legs: Sequence[int]) -> Way | Violation:
    """SG-5.0, SG-4.1b, SG-5.2a, SG-5.2.5b, SG-6.1, SG-5.6. The first leg may be the hex in which it stands."""
    board, code = s.chart.board, s.code(unit)
    start = here = s.at(unit)
    taken, left = [start], allowance(s, unit)
    for goal in legs[1:] if len(legs) > 1 and legs[0] == start else legs:
        if wrong := _nowhere(s, unit, here, goal):
            return wrong
        march = normal(s, unit, left)
        found = reach(march.links, board.bit, here, march.terms, goal)
        if goal not in found:
            return _unreachable(s, unit, march, here, goal)
        taken += path(found, goal)[1:]
        left -= found[goal][0]
        here = goal
    if full(s, unit) & board.bit[here] and here != start:
        rule, reason = _no_end(s, unit, here)
        return Violation(rule, f"{code} cannot move to {hex_name(here)}: {reason}")
    return tuple(taken)


def _unreachable(s: State, unit: int, march: March, here: int, goal: int) -> Violation:
    board, code = s.chart.board, s.code(unit)
    wrong = refuse(march.links, board.bit, here, march.terms, goal, _REASONS, code)
    assert wrong is not None
    if here != s.at(unit):
        return wrong
    return march.instead(board, here, goal, wrong)


def exit_way(s: State, unit: int) -> Way | None:
    """SG-14.2.1: the cheapest way to a hex on the edge with the points left to leave over it, None if there is none."""
    board, points = s.chart.board, allowance(s, unit) - TWELFTHS
    march = normal(s, unit, points)
    found = reach(march.links, board.bit, s.at(unit), march.terms)
    costs = {p: cost + march.terms.leave * bool(board.bit[p] & march.terms.zone) for p, (cost, _) in found.items()}
    ends = [p for p in GATES if p in costs and costs[p] <= points]
    return path(found, min(ends, key=lambda p: (costs[p], p))) if ends else None


# The choices


def go(s: State, f: Going, unit: int, way: Way, order: Order, out: Out) -> Next:
    """SG-5.1a, SG-1.5.5, SG-12.2.6: the unit takes what it passes, and captures lone headquarters."""
    _goes(s, f, unit, type(order))
    enemy, how = other(f.seat), type(order).__name__.lower()
    how = {"entrain": "rail"}.get(how, how)
    posts = [(s.lone_hq(place), place) for place in way if s.side_at(place) == enemy]
    out.add(Moved(unit=s.code(unit), path=way, how=how, rule="SG-5.0"))
    take_along(s, unit, way, out)
    for post, place in posts:
        out.add(Captured(unit=s.code(post), by=s.code(unit), place=place, rule="SG-12.2.6"))
        s.put(post, REFORMING)
    s.put(unit, EXITED if how == "exit" else way[-1])
    if not posts:
        return STAY
    fled = tuple(post for post, _ in posts), tuple(place for _, place in posts)
    return Call(Reform(*fled, taken=True), again=True)


def movers(s: State, f: Going) -> Sequence[int]:
    """The units that might move, ascending."""
    if isinstance(f, Arriving):
        return f.placed
    post = _post(s, f)
    return sorted({*f.able, *f.free, *((post,) if post >= 0 else ())} - f.moved)


def still_able(s: State, f: Activation) -> list[int]:
    """SG-3.3.2b: those that may move now; no independent unit is among them when two have been used."""
    return [unit for unit in movers(s, f) if may_go(s, f, unit, Move) is None]


class Goes(Marches[State, Going, G]):
    """A way of moving in one's activation, or on arrival."""

    numbers = CODES

    def units(self, s: State, f: Going) -> Sequence[int]:
        return movers(s, f)

    def stuck(self, s: State, unit: int) -> Violation:
        reason = "cannot go anywhere: enemies, their zones or full hexes bar every way"
        return Violation(self.rule, f"{s.code(unit)} {reason}")


class Moves(Goes[Move]):
    """SG-5.1 to SG-5.3."""

    rule = "SG-5.0"
    takes = (Move,)

    def may_start(self, s: State, f: Going, unit: int) -> Violation | None:
        return may_go(s, f, unit, Move)

    def march(self, s: State, f: Going, unit: int) -> March:
        return normal(s, unit, allowance(s, unit))

    def to(self, unit: int, place: int) -> Move:
        return Move(unit, (place,))

    def check(self, s: State, f: Going, seat: str, order: Move, proof: Known) -> Violation | None:
        wrong = self.may_start(s, f, order.unit)
        if wrong is not None:
            return wrong
        if not 1 <= len(order.path) <= MOST_LEGS:
            return Violation(self.rule, f"A move names one hex, or up to {MOST_LEGS} on the way")
        found = find_way(s, order.unit, order.path)
        return found if isinstance(found, Violation) else None

    def apply(self, s: State, f: Going, seat: str, order: Move, out: Out) -> Next:
        way = find_way(s, order.unit, order.path)
        assert not isinstance(way, Violation)
        return go(s, f, order.unit, way, order, out)


class _Line(Goes[Drive | Entrain]):
    """Movement along lines, to one hex."""

    kind: ClassVar[type[Drive | Entrain]]
    reasons: ClassVar[Reasons]

    def to(self, unit: int, place: int) -> Drive | Entrain:
        return self.kind(unit, place)

    def check(self, s: State, f: Going, seat: str, order: Drive | Entrain, proof: Known) -> Violation | None:
        unit, goal = order.unit, order.to
        wrong = self.may_start(s, f, unit)
        if wrong is not None:
            return wrong
        if wrong := _nowhere(s, unit, s.at(unit), goal):
            return wrong
        march = self.march(s, f, unit)
        reasons = {**self.reasons, Why.FULL: _no_end(s, unit, goal)}
        return refuse(march.links, s.chart.board.bit, s.at(unit), march.terms, goal, reasons, s.code(unit))

    def apply(self, s: State, f: Going, seat: str, order: Drive | Entrain, out: Out) -> Next:
        march = self.march(s, f, order.unit)
        found = reach(march.links, s.chart.board.bit, s.at(order.unit), march.terms, order.to)
        following = go(s, f, order.unit, path(found, order.to), order, out)
        if isinstance(order, Drive) and seat == GERMAN:
            if price := s.fuel_price():
                out.add(Note(text=f"That strategic move costs {price.partition(' (')[0]}.", rule="SG-5.4.2"))
            s.fuel = True
        return following


def drive_says(s: State, seat: str, order: Order) -> str:
    """SG-5.4.2: a strategic move with the chit that it costs; empty: it costs none."""
    if not isinstance(order, Drive) or seat != GERMAN or not (price := s.fuel_price()):
        return ""
    return f"Move {s.code(order.unit)} along roads to {s.chart.board[order.to]}; that costs {price}"


class Drives(_Line):
    """SG-5.4."""

    rule = "SG-5.4"
    takes = (Drive,)
    kind, reasons = Drive, _ROAD_REASONS

    def march(self, s: State, f: Going, unit: int) -> March:
        return strategic(s, unit)

    def may_start(self, s: State, f: Going, unit: int) -> Violation | None:
        wrong = may_go(s, f, unit, Drive)
        if wrong is not None:
            return wrong
        if f.seat == SOVIET and s.turn == 1:
            return Violation("SG-5.4.1e", "There is no Soviet strategic movement in the first turn")
        if s.in_zone(s.at(unit), other(f.seat)):
            return Violation("SG-5.4.1c", f"{s.code(unit)} stands in an enemy zone; `move` it")
        if not roads(s.chart)[s.at(unit)]:
            return Violation("SG-5.4.1a", f"{s.code(unit)} does not stand on a road; `move` it")
        return None


class Rails(_Line):
    """SG-5.5, SG-3.1.5b."""

    rule = "SG-5.5"
    takes = (Entrain,)
    kind, reasons = Entrain, _RAIL_REASONS

    def march(self, s: State, f: Going, unit: int) -> March:
        return by_rail(s, unit, arriving=isinstance(f, Arriving))

    def may_start(self, s: State, f: Going, unit: int) -> Violation | None:
        return may_go(s, f, unit, Entrain)


class Exits(Choice[State, Activation, Exit]):
    """SG-14.2.1."""

    rule = "SG-14.2.1"

    def legal(self, s: State, f: Activation, seat: str, own: Known) -> Iterator[Exit]:
        return (Exit(unit) for unit in movers(s, f) if self.check(s, f, seat, Exit(unit), own) is None)

    def check(self, s: State, f: Activation, seat: str, order: Exit, proof: Known) -> Violation | None:
        if seat != GERMAN or not may_leave(s):
            sentence = "Germans leave the map while Arnswalde is relieved and theirs, up to the end of the third turn"
            return Violation(self.rule, sentence)
        wrong = may_go(s, f, order.unit, Exit)
        if wrong is not None:
            return wrong
        if s.is_hq(order.unit):
            return Violation(self.rule, f"{s.code(order.unit)} is a headquarters; combat units leave the map")
        if exit_way(s, order.unit) is None:
            return Violation(self.rule, f"{s.code(order.unit)} cannot come to 21.01 or 34.01 with a point left")
        return None

    def apply(self, s: State, f: Activation, seat: str, order: Exit, out: Out) -> Next:
        way = exit_way(s, order.unit)
        assert way is not None
        following = go(s, f, order.unit, way, order, out)
        return after_exit(s, out) or following


class Tops(Choice[State, Going, Top]):
    """SG-1.1.4b."""

    rule = "SG-1.1.4b"

    def legal(self, s: State, f: Going, seat: str, own: Known) -> Iterator[Top]:
        for fortress in s.chart.own[seat]:
            if s.has(fortress, FORTRESS):
                for unit in s.combat_units(s.at(fortress)):
                    if self.check(s, f, seat, Top(unit), own) is None:
                        yield Top(unit)

    def check(self, s: State, f: Going, seat: str, order: Top, proof: Known) -> Violation | None:
        if not s.has_on_map(seat, order.unit) or s.is_hq(order.unit):
            who = f"{s.code(order.unit)} is a headquarters; a combat unit lies on top"
            return Violation(self.rule, who if s.has_on_map(seat, order.unit) else s.absence(seat, order.unit))
        place = s.at(order.unit)
        if len(s.combat_units(place)) < 2 or s.top_of(place) == order.unit:
            return Violation(self.rule, f"{s.code(order.unit)} already lies on top")
        return None

    def apply(self, s: State, f: Going, seat: str, order: Top, out: Out) -> Next:
        s.tops[s.at(order.unit)] = order.unit
        return STAY


class Declines(Choice[State, Activation, Decline]):
    """SG-2.3.1a: the chit is spent, and nobody is activated: nothing stands in the way of the next chit (SG-3.1.3)."""

    rule = "SG-2.3.1a"
    no = "Units have moved: the activation can only be ended"

    def legal(self, s: State, f: Activation, seat: str, own: Known) -> Iterator[Decline]:
        if not f.moved:
            yield Decline()

    def apply(self, s: State, f: Activation, seat: str, order: Decline, out: Out) -> Next:
        f.declined, f.able, f.free = True, (), ()
        s.last = ""
        out.add(Note(text="Nobody is activated: the chit is spent.", rule=self.rule))
        return DONE


class Ends(Choice[State, Activation, Done]):
    """SG-2.3.3a: combat follows when all has moved."""

    rule = "SG-2.3.2"

    def legal(self, s: State, f: Activation, seat: str, own: Known) -> Iterator[Done]:
        yield Done()

    def apply(self, s: State, f: Activation, seat: str, order: Done, out: Out) -> Next:
        return DONE


def acting(s: State, f: Activation) -> str:
    """The name of the formation that is active; of a chit without one its own."""
    return s.chart.formations[f.formation].name if f.formation else s.chart.chits[f.chit].name


class Movement(Decide[State, Activation, Order]):
    """SG-2.3.2: the movement segment of an activation."""

    rule = "SG-2.3.2"
    choices = (Ends, Declines, Moves, Drives, Rails, Exits, Tops)
    ends = "End the movement of this activation: its units cannot move any more; its attacks come next"

    def says(self, s: State, f: Activation, seat: str, order: Order) -> str:
        spent = "Activate no headquarters: the chit is spent"
        if isinstance(order, Decline):
            return spent
        return drive_says(s, seat, order) or super().says(s, f, seat, order)

    def by(self, s: State, f: Activation) -> Sequence[str]:
        return (f.seat,) if movers(s, f) else ()

    def prompt(self, s: State, f: Activation, seat: str) -> str:
        able = still_able(s, f)
        alone = [unit for unit in able if s.chart.independent(unit)]
        spare = (INDEPENDENTS - len(f.used)) * any(unit in f.able for unit in alone)
        spare += (INDEPENDENTS - len(f.freed)) * any(unit in f.free for unit in alone)
        can = f"{many(len(able), 'unit')} can move"
        if spare < len(alone):
            own = f"{many(len(able) - len(alone), 'unit')} of the formation and " if f.formation else ""
            can = f"{own}{spare} of {many(len(alone), 'independent unit')} can move (SG-3.3.2b)"
        return f"Turn {s.turn}, {acting(s, f)} is active; {can}. End with `done`; the attacks come next."
