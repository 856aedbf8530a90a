"""S42-5, S42-3.B2: the Movement Phase: on the ground, by rail, by sea, between Areas, off the map; automatic DS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from pbem.game import DONE, STAY, Ask, Choice, Decide, Goto, Known, Next, Order, Out, Pick, Violation
from pbem.kit import (
    COMBATS,
    SUPPLIED,
    March,
    Marches,
    Why,
    all_of,
    describe_places,
    many,
    path,
    place_key,
    reach,
    refuse,
)
from pbem_rules.stalingrad42.chart import (
    ASU,
    AXIS,
    BAKU,
    BESIDE_BAKU,
    BESIDE_SNOW,
    FREE,
    KERCH,
    LEADER,
    MECH,
    PORT,
    RESERVE,
    SIDES,
    SLOW,
    SNOWED_IN,
    SOVIET,
    SUPPLY,
    TAMAN,
    TRANSIT,
)
from pbem_rules.stalingrad42.combat.flight import DriveOff, exposed, hexes_to
from pbem_rules.stalingrad42.combat.losses import dearest, may_lose
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, attack, defending, may_join
from pbem_rules.stalingrad42.combat.offensives import lose_plans
from pbem_rules.stalingrad42.combat.pursuit import wrong_advance, wrong_break
from pbem_rules.stalingrad42.combat.reserves import Reserves
from pbem_rules.stalingrad42.events import ORDER_NAMES, Evacuated, FlotillaMoved, Moved, Removed, Stormed, Turned
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Razes
from pbem_rules.stalingrad42.movement.marching import (
    EXTENDED,
    NORMAL,
    TACTICAL,
    TACTICAL_HEXES,
    allowance,
    beside,
    borders,
    march,
    modes,
    owned_areas,
    tactical_rule,
    veiled,
)
from pbem_rules.stalingrad42.movement.passing import come_through, push_railheads
from pbem_rules.stalingrad42.movement.rail import rides, usable
from pbem_rules.stalingrad42.movement.sea import landings, no_sailing, sea_of
from pbem_rules.stalingrad42.orders import (
    CODES,
    FIXED,
    LAID_OUT,
    PACKED,
    Break,
    Done,
    Entrain,
    Evacuate,
    Exit,
    Extended,
    Marching,
    Move,
    Patrol,
    PlaceWords,
    Remove,
    Sail,
    Storm,
    Tactical,
    Transfer,
    Turn,
    Withdraw,
    place_name,
)
from pbem_rules.stalingrad42.state import DISRUPTED, FIRST_IN_G, GOOD, ROUTED, State, other
from pbem_rules.stalingrad42.victory import DIVISIONS, enough_for_baku

ALL = -1  # the mask of every place
MOST_LEGS = 12
SHORT = 2  # places of a way of one hex
BY_SEA, WITHDRAW = "sea", "withdraw"
NAVAL = "naval"
Way = tuple[int, ...]  # the places of a move, the first one too
G = TypeVar("G", bound=Order)
M = TypeVar("M", bound=Marching)
spot = PlaceWords().word


# Who may move


def may_go(s: State, f: PlayerTurn, unit: int) -> Violation | None:
    """S42-5.1, S42-8.6.1d: why the unit cannot move now, however it goes."""
    code = s.code(unit)
    if not s.has_on_map(f.seat, unit):
        return Violation("S42-5.1", f"{code} is not a unit of yours on the map")
    if any(unit in storm.units for storm in f.storms):
        return Violation("S42-8.6.1d", f"{code} has taken part in an automatic DS, and cannot move any more")
    if unit in f.moved:
        return Violation("S42-5.1c", f"{code} has already moved")
    if unit in s.frozen:
        return Violation("S42-20.4", f"{code} may not move yet")
    return None


def movers(s: State, f: PlayerTurn) -> Iterator[int]:
    """The units that might move, ascending."""
    standing = (unit for unit in s.ground.standing(f.seat) if unit not in f.moved and unit not in s.frozen)
    return (unit for unit in standing if not s.has(unit, RESERVE))


def still_able(s: State, f: PlayerTurn) -> list[int]:
    """Those of them that have a way of moving now; who waits beyond the strait of Kerch has none (S42-5.7.2)."""
    return [unit for unit in movers(s, f) if modes(s, unit) and beyond_strait(s, f, unit) is None]


def beyond_strait(s: State, f: PlayerTurn, unit: int) -> Violation | None:
    """S42-5.7.2, S42-5.7.1a: why a unit that waits at the strait of Kerch cannot cross it now."""
    if not s.on_map(unit) or s.at(unit) != s.chart.areas.get(KERCH):
        return None
    if TAMAN in f.sailed:
        return Violation("S42-5.7.1a", f"{s.code(unit)} waits: a unit has crossed the strait of Kerch in this turn")
    return no_sailing(s, unit)


def full(s: State, unit: int) -> int:
    """S42-4.4b: the mask of the hexes in which there is no room for the unit. The engine refuses to overfill them."""
    side = s.side(unit)
    if s.chart.stacks_free(unit):
        return 0
    free, corps = s.has(unit, FREE), int(s.chart.is_tank_corps(unit))

    def crowded(stack: Sequence[int]) -> bool:
        return s.counted(stack, side, (free,)) > s.chart.most(side, stack, corps)

    found = s.ground.kept(side, ("full", free, corps, len(s.frozen)), lambda: s.ground.where_all(side, crowded))
    return found & ~owned_areas(s, side) & ~s.chart.board.bit[s.at(unit)]


def renewed(s: State, unit: int) -> Violation:
    """S42-21.4a: why a unit with a Replacement marker goes no further than a hex."""
    return Violation("S42-21.4a", f"{s.code(unit)} has a replacement: it moves one hex on the ground, and no further")


def on_train(s: State, unit: int) -> Violation:
    return Violation("S42-5.6.5a", f"{s.code(unit)} is on a train until your next turn begins")


# Where it may go


def ground(s: State, unit: int, mode: str, *, routed: bool = False) -> March:
    """What binds one unit, stacking too. A unit that cannot fight enters no hex with enemies of any kind."""
    links, terms = march(s, (unit,), mode, routed=routed)
    barred = terms.barred if s.fights(unit) else terms.barred | s.ground.occupied[other(s.side(unit))]
    stops = ALL if unit in s.renewed else terms.stops  # S42-21.4a: one hex
    return March(links, terms._replace(barred=barred, stops=stops, full=full(s, unit)))


_REASONS = {
    Why.LOCKED: ("S42-29.1.2b", "no unit goes out of a contested city straight into an enemy zone"),
    Why.STOPPED: ("S42-6.2a", "an enemy zone or an Area on the way ends the move"),
    Why.CLOSED: ("S42-7.2a", "an enemy bond bars the way"),
    Why.TOLL: ("S42-6.2a", "it costs too much to leave the enemy zone"),
    Why.TOO_FAR: ("S42-5.1a", "its movement allowance does not reach so far"),
    Why.NO_WAY: ("S42-5.5.2", "no way leads there"),
    Why.FULL: ("S42-4.4b", "there is no room"),
}
RENEWED = ("S42-21.4a", "it has a replacement, and moves one hex")
HEX_OR_TWO = ("S42-5.4", "tactical movement goes two hexes at most")


def find_way(s: State, unit: int, how: str, first: March, legs: Sequence[int]) -> Way | Violation:
    """S42-5.1: the way through these places, or why there is none. The last answer is kept for carrying it out."""
    terms = first.terms
    question = "way", unit, how, tuple(legs), terms.budget, terms.barred, terms.stops, s.wet, s.rained
    return s.ground.again(question, lambda: _find_way(s, unit, how, first, legs))


def _find_way(s: State, unit: int, how: str, first: March, legs: Sequence[int]) -> Way | Violation:
    board, code = s.chart.board, s.code(unit)
    here = s.at(unit)
    taken, (links, terms) = [here], first
    reasons = dict(_REASONS)
    if how == TACTICAL:
        reasons[Why.TOO_FAR] = HEX_OR_TWO
    if unit in s.renewed:
        reasons[Why.STOPPED] = RENEWED  # S42-21.4a
    for number, goal in enumerate(legs):
        if goal not in board.places:
            return Violation("S42-5.1", f"There is no {place_name(goal)} on the map")
        if goal == here:
            return Violation("S42-5.1", f"{code} is already in {place_name(goal)}")
        if number:
            if unit in s.renewed:
                return renewed(s, unit)
            if board.bit[here] & terms.stops:
                return Violation("S42-6.2a", f"{code} must stop in {place_name(here)}, beside the enemy or in an Area")
            terms = terms._replace(sally=())
        found = reach(links, board.bit, here, terms, goal)
        if goal not in found:
            reasons[Why.BARRED] = what_bars(s, unit, how, goal)
            wrong = refuse(links, board.bit, here, terms, goal, reasons, code, place_name)
            assert wrong is not None
            return wrong if number else March(links, terms).instead(board, here, goal, wrong, place_name)
        taken += path(found, goal)[1:]
        terms = terms._replace(budget=terms.budget - found[goal][0])
        here = goal
    if terms.full & board.bit[here]:
        return Violation("S42-4.4b", f"{code} cannot move to {place_name(here)}: there is no room")
    return tuple(taken)


def what_bars(s: State, unit: int, how: str, place: int) -> tuple[str, str]:
    """The rule that keeps the unit out of a place, and what there does."""
    side, enemy = s.side(unit), other(s.side(unit))
    fast = how == EXTENDED
    found = (
        (s.fighters(enemy), "S42-5.1d", "an enemy unit stands there"),
        (veiled(s, side), "S42-34.6.2", "a reserve army stands there, and its units have not been seen"),
        (s.barrier(enemy, moving=True).hexes, "S42-7.2a", "an enemy bond closes it"),
        (s.ground.occupied[enemy] * (not s.fights(unit)), "S42-5.1d", "enemies stand there, and it cannot fight"),
        (s.zone(enemy) * fast, "S42-5.3b", "it lies in an enemy zone, and extended movement keeps out of those"),
        (s.zone(enemy), "S42-13.3.2b", "it lies in an enemy zone, and no unit there is in better order"),
        (ALL * (s.pieces[unit].order == DISRUPTED), "S42-13.2.1a", "disrupted units enter no Area"),
        (ALL, "S42-22.4b", "its side cannot move into this Area"),
    )
    return next((rule, why) for mask, rule, why in found if mask & s.chart.board.bit[place])


# What a move brings


def go(s: State, f: PlayerTurn, unit: int, way: Way, order: Order, out: Out, *, train: bool = False) -> Next:
    """The unit goes over these places. Support that has moved far on the ground is disrupted (S42-13.1.2b).

    It notes which units have moved one hex at most, since only they can still become reserves (S42-25.2.1a), and which
    have gone to Baku, since they score if there are enough of them (S42-24.1.2a).
    """
    taken = come_through(s, unit, way[1:], out) if len(way) > 1 else ()  # S42-13.1.3c: some stay
    if isinstance(order, Move) and tires(s, unit, NORMAL, way):
        disrupt(s, unit)
    on_foot = isinstance(order, Move | Extended | Tactical) and f.halfway.get(unit) != TACTICAL
    if on_foot and len(way) == SHORT and not s.zone(other(f.seat)) & s.chart.board.bit[way[-1]]:
        f.nudged.add(unit)
    else:
        f.nudged.discard(unit)  # a naval brigade that has sailed, too (S42-5.7.1f)
    if train:  # S42-5.6.1
        s.alter(unit, replace(s.pieces[unit], train=True))
    if f.seat == AXIS and way[-1] == s.chart.baku:
        f.southbound.add(unit)
    tired = DISRUPTED if s.pieces[unit].order == DISRUPTED and isinstance(order, Move | Sail) else GOOD
    how = "rail" if isinstance(order, Entrain) else type(order).__name__.lower()
    out.add(Moved(unit=s.code(unit), path=way, how=how, taken=taken, order=tired, rule="S42-5.1"))
    return follow_up(s, f, out)


def tires(s: State, unit: int, mode: str, way: Way) -> bool:
    """S42-13.1.2b: does a move over these places disrupt support?"""
    return mode == NORMAL and s.has(unit, ASU) and len(way) - 1 > s.chart.figures["support_move"]


def disrupt(s: State, unit: int) -> None:
    if s.pieces[unit].order == GOOD:
        s.alter(unit, replace(s.pieces[unit], order=DISRUPTED))


def follow_up(s: State, f: PlayerTurn, out: Out) -> Next:
    """What follows at once: railheads are thrown back (S42-17.3.1), units in Full Retreat driven off (S42-13.3.2d)."""
    if f.seat == SOVIET:
        push_railheads(s, out)
    return Goto(DriveOff) if f.broken or any(exposed(s, side) for side in SIDES) else STAY


# On the ground


def why_not_so(s: State, unit: int, mode: str) -> Violation | None:
    """S42-5.1a: why the unit cannot move in this way, wherever it goes."""
    if mode in modes(s, unit):
        return None
    code, piece = s.code(unit), s.pieces[unit]
    if piece.train:
        return on_train(s, unit)
    if s.in_area(unit) and piece.order != GOOD:
        return Violation(
            "S42-22.3.1b", f"{code} is {ORDER_NAMES[piece.order]}; units can leave Areas only in good order"
        )
    if unit in s.fixed:
        return Violation("S42-18.6.8", f"{code} is fixed: `turn` it first")
    if s.has(unit, SUPPLY):
        packed = f"{code} is packed, and moves at its full allowance: `move`"
        laid = f"{code} is laid out, and moves tactically, or after `turn {code} packed`"
        return Violation("S42-18.6.3", laid if piece.ready else packed)
    if mode == TACTICAL:
        return Violation("S42-13.3.1a", f"{code} is in Full Retreat: it moves at its full allowance")
    if piece.order == DISRUPTED:
        return Violation("S42-13.2.1a", f"{code} is disrupted, and can only move tactically")
    if s.shares(unit):
        return Violation("S42-29.1.2a", f"{code} is in a contested city: it can only leave tactically")
    if NORMAL in modes(s, unit):
        return Violation("S42-5.3a", f"{code} cannot use extended movement")
    if s.chart.pace(unit) == MECH and piece.supply != SUPPLIED:
        return Violation("S42-16.4a", f"{code} is out of supply, and can only move tactically")
    return tactical_turn(s, unit)


def tactical_turn(s: State, unit: int) -> Violation:
    """S42-S1.2b, S42-33.2.3b: why it does not move otherwise in such a turn."""
    turn = "short" if s.respite else "first"
    return Violation(tactical_rule(s, s.side(unit)), f"In the {turn} turn {s.code(unit)} can only move tactically")


class GroundMoves(Marches[State, PlayerTurn, M]):
    """A way of moving on the ground."""

    rule = "S42-5.1"
    numbers = CODES
    mode: ClassVar[str]

    def may_start(self, s: State, f: PlayerTurn, unit: int) -> Violation | None:
        wrong = may_go(s, f, unit)
        if wrong is not None:
            return wrong
        if f.halfway.get(unit, self.mode) != self.mode:
            return Violation("S42-5.7.1f", f"{s.code(unit)} has moved a hex, and can only go on by sea")
        return why_not_so(s, unit, self.mode)

    def march(self, s: State, f: PlayerTurn, unit: int) -> March:
        found = ground(s, unit, self.mode)
        if unit in f.halfway:
            return found._replace(terms=found.terms._replace(budget=TACTICAL_HEXES - 1))
        return found

    def units(self, s: State, f: PlayerTurn) -> Iterable[int]:
        return movers(s, f)

    def stuck(self, s: State, unit: int) -> Violation:
        reason = "cannot go anywhere: enemies, their bonds or full hexes bar every way"
        return renewed(s, unit) if unit in s.renewed else Violation("S42-5.1d", f"{s.code(unit)} {reason}")

    def way(self, s: State, f: PlayerTurn, order: M) -> Way | Violation:
        return find_way(s, order.unit, self.mode, self.march(s, f, order.unit), order.path)

    def check(self, s: State, f: PlayerTurn, seat: str, order: M, proof: Known) -> Violation | None:
        wrong = self.may_start(s, f, order.unit)
        if wrong is not None:
            return wrong
        if not 1 <= len(order.path) <= MOST_LEGS:
            return Violation(self.rule, f"A move names one place, or up to {MOST_LEGS} on the way")
        found = self.way(s, f, order)
        return found if isinstance(found, Violation) else None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: M, out: Out) -> Next:
        way = self.way(s, f, order)
        assert not isinstance(way, Violation)
        self.spend(s, f, order.unit, way)
        return go(s, f, order.unit, way, order, out)

    def spend(self, s: State, f: PlayerTurn, unit: int, way: Way) -> None:
        f.moved.add(unit)


class Moves(GroundMoves[Move]):
    """S42-5.1, S42-5.2."""

    mode = NORMAL

    def to(self, unit: int, place: int) -> Move:
        return Move(unit, (place,))


class ExtendedMoves(GroundMoves[Extended]):
    """S42-5.3."""

    mode = EXTENDED

    def to(self, unit: int, place: int) -> Extended:
        return Extended(unit, (place,))

    def spend(self, s: State, f: PlayerTurn, unit: int, way: Way) -> None:
        super().spend(s, f, unit, way)
        f.hurried.add(unit)


class TacticalMoves(GroundMoves[Tactical]):
    """S42-5.4; a naval brigade that has moved one hex may still sail (S42-5.7.1f)."""

    mode = TACTICAL

    def to(self, unit: int, place: int) -> Tactical:
        return Tactical(unit, (place,))

    def spend(self, s: State, f: PlayerTurn, unit: int, way: Way) -> None:
        at_port = way[-1] in s.chart.board.marked(PORT) and sea_of(s, way[-1]) not in f.sailed
        if s.has(unit, NAVAL) and len(way) == TACTICAL_HEXES and at_port and unit not in f.halfway:
            f.halfway[unit] = BY_SEA
        else:
            super().spend(s, f, unit, way)


class Withdrawals(Choice[State, PlayerTurn, Withdraw]):
    """S42-13.1.3c: into Full Retreat, with the move of the phase; nobody stays alone beside the enemy."""

    rule = "S42-13.1.3c"

    def may_start(self, s: State, f: PlayerTurn, unit: int) -> Violation | None:
        wrong = may_go(s, f, unit)
        if wrong is not None:
            return wrong
        if not s.fights(unit) or s.pieces[unit].order == ROUTED or s.in_area(unit) or unit in f.halfway:
            return Violation(self.rule, f"{s.code(unit)} cannot go into Full Retreat now")
        if s.shares(unit):
            return Violation("S42-29.1.2a", f"{s.code(unit)} is in a contested city: it can only leave tactically")
        if tactical_rule(s, f.seat) and not s.respite:  # S42-33.2.3b: in the short turn some withdraw
            return tactical_turn(s, unit)
        return None

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        return self.may_start(s, f, CODES[thing]) if thing in CODES else None

    @staticmethod
    def marches(s: State, unit: int) -> Iterator[March]:
        for mode in (NORMAL,) if s.has(unit, SLOW) else (NORMAL, EXTENDED):
            yield ground(s, unit, mode, routed=True)

    def may_stay(self, s: State, unit: int) -> Violation | None:
        place, side = s.at(unit), s.side(unit)
        mates = [mate for mate in s.of(side, place) if mate != unit and s.fights(mate)]
        if s.beside(side) & s.chart.board.bit[place] and all(s.pieces[u].order == ROUTED for u in mates):
            return Violation("S42-13.3.2b", f"{s.code(unit)} would stand alone beside the enemy: say where it goes")
        return None

    def first(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pick]:
        return (Pick(s.counter(unit).key, unit) for unit in movers(s, f) if next(self._all(s, f, unit), None))

    def _all(self, s: State, f: PlayerTurn, unit: int) -> Iterator[Withdraw]:
        if self.may_start(s, f, unit) is not None:
            return
        if self.may_stay(s, unit) is None:
            yield Withdraw(unit)
        ends = (march.ends(s.chart.board, s.at(unit)) for march in self.marches(s, unit))
        for place in sorted(set().union(*ends)):
            yield Withdraw(unit, (place,))

    def picked(self, s: State, f: PlayerTurn, seat: str, own: Known, pick: int) -> Iterator[Withdraw]:
        return self._all(s, f, pick)

    def way(self, s: State, order: Withdraw) -> Way | Violation:
        if not order.path:
            return self.may_stay(s, order.unit) or (s.at(order.unit),)
        bit, here, goal = s.chart.board.bit, s.at(order.unit), order.path[0]
        marches = [*self.marches(s, order.unit)]  # why one does not lead there is long to find: only if none does
        able = [each for each in marches if goal in reach(each.links, bit, here, each.terms, goal)]
        tried = [find_way(s, order.unit, WITHDRAW, march, order.path) for march in able or marches[:1]]
        return next((way for way in tried if not isinstance(way, Violation)), tried[0])

    def check(self, s: State, f: PlayerTurn, seat: str, order: Withdraw, proof: Known) -> Violation | None:
        wrong = self.may_start(s, f, order.unit)
        if wrong is not None:
            return wrong
        if len(order.path) > MOST_LEGS:
            return Violation(self.rule, f"A move names up to {MOST_LEGS} places")
        found = self.way(s, order)
        return found if isinstance(found, Violation) else None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Withdraw, out: Out) -> Next:
        way = self.way(s, order)
        assert not isinstance(way, Violation)
        f.moved.add(order.unit)
        s.alter(order.unit, replace(s.pieces[order.unit], order=ROUTED))
        lose_plans(s, order.unit, out)
        return go(s, f, order.unit, way, order, out)


class Turns(Choice[State, PlayerTurn, Turn]):
    """S42-18.6.2, S42-18.6.8: supply points are turned before they move; so many of them can move."""

    rule = "S42-18.6.2"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Turn]:
        for unit in movers(s, f):
            if s.has(unit, SUPPLY):
                orders = (Turn(unit, side) for side in (PACKED, LAID_OUT, FIXED))
                yield from (order for order in orders if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Turn, proof: Known) -> Violation | None:
        wrong = may_go(s, f, order.unit)
        if wrong is not None:
            return wrong
        code = s.code(order.unit)
        if not s.has(order.unit, SUPPLY):
            return Violation(self.rule, f"{code} is not a supply point")
        # S42-18.6.2: the side that shows. One that cannot move counts as ready (S42-18.6.8b).
        if order.side == (FIXED if order.unit in s.fixed else LAID_OUT if s.pieces[order.unit].ready else PACKED):
            return Violation(self.rule, f"{code} is already {order.side}")
        most = s.chart.limits["mobile"][seat]
        if order.unit in s.fixed and s.mobile(seat) >= most:
            return Violation("S42-18.6.8", f"{most} supply points that can move are on the map; make one `fixed` first")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Turn, out: Out) -> Next:
        (s.fixed.add if order.side == FIXED else s.fixed.discard)(order.unit)
        s.alter(order.unit, replace(s.pieces[order.unit], ready=order.side != PACKED))
        out.add(Turned(unit=s.code(order.unit), side=order.side, rule=self.rule))
        return STAY


# By rail, by sea, between Areas, off the map


class Rails(Choice[State, PlayerTurn, Entrain]):
    """S42-5.6: four units a turn, one of them from the map."""

    rule = "S42-5.6"

    def may_start(self, s: State, f: PlayerTurn, unit: int) -> Violation | None:
        wrong = may_go(s, f, unit)
        if wrong is not None:
            return wrong
        limits, code = s.chart.limits, s.code(unit)
        if unit in s.renewed:
            return renewed(s, unit)
        if unit in f.halfway:
            return Violation("S42-5.6.3e", f"{code} has already moved")
        counts = not s.has(unit, LEADER)  # S42-28.1.5
        if counts and f.rides >= limits["rail"][f.seat]:
            return Violation("S42-5.6.2", f"{limits['rail'][f.seat]} units have used the railways in this turn")
        if counts and not s.in_area(unit) and f.rides_on_map >= limits["rail_on_map"][f.seat]:
            return Violation(
                "S42-5.6.2", "A unit from the map has used the railways in this turn; others start in Areas"
            )
        if f.seat == AXIS and s.fights(unit) and tactical_rule(s, AXIS):
            return tactical_turn(s, unit)
        if unit in s.chart.army5 and s.in_area(unit) and s.by_rail5:
            return Violation("S42-S1.2h", f"A unit of the 5th Reserve Army has come by rail; {code} enters on foot")
        if s.pieces[unit].train:
            return on_train(s, unit)
        if s.pieces[unit].order != GOOD:
            return Violation("S42-5.6.3c", f"{code} is {ORDER_NAMES[s.pieces[unit].order]}")
        return None

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        if thing not in CODES:
            return None
        return self.may_start(s, f, CODES[thing]) or self._no_ride(s, CODES[thing], s.at(CODES[thing]))

    @staticmethod
    def ends(s: State, f: PlayerTurn, unit: int) -> int:
        return rides(s, unit, ferry=not f.ferried) & ~full(s, unit)

    def units(self, s: State, f: PlayerTurn) -> Iterable[int]:
        return movers(s, f)

    def first(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pick]:
        for unit in self.units(s, f):
            if self.may_start(s, f, unit) is None and self.ends(s, f, unit):
                yield Pick(s.counter(unit).key, unit)

    def picked(self, s: State, f: PlayerTurn, seat: str, own: Known, pick: int) -> Iterator[Entrain]:
        return (Entrain(pick, place) for place in s.chart.board.in_mask(self.ends(s, f, pick)))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Entrain, proof: Known) -> Violation | None:
        wrong = self.may_start(s, f, order.unit)
        if wrong is not None:
            return wrong
        its, code = s.chart.board.bit.get(order.to, 0), s.code(order.unit)
        if its & self.ends(s, f, order.unit):
            return None
        if its & full(s, order.unit):
            return Violation("S42-4.4b", f"{code} cannot go to {place_name(order.to)}: there is no room")
        if its & rides(s, order.unit):
            return Violation("S42-5.5.7", "The ferry of Vladimirovka has carried a unit in this turn")
        return self._no_ride(s, order.unit, order.to)

    @staticmethod
    def _no_ride(s: State, unit: int, to: int) -> Violation:
        """S42-5.6.3: what keeps the unit from riding, where it stands, where it goes, or between."""
        bit, side, code = s.chart.board.bit, s.side(unit), s.code(unit)
        gates = owned_areas(s, side)
        zone = s.zone(other(side))
        here = s.at(unit)
        for place, there in ((here, f"In {place_name(here)}, where {code} stands,"), (to, f"In {place_name(to)}")):
            its = bit.get(place, 0)
            if not its & (usable(s, side) | gates):
                return Violation("S42-5.6.3a", f"{there} is no railway that your units can use")
            if its & zone:
                return Violation("S42-5.6.3b", f"{there} no unit gets on or off a train: it lies in an enemy zone")
        if to == s.at(unit):
            return Violation("S42-5.6", f"{code} is already in {place_name(to)}")
        if s.fights(unit) and any(s.pieces[mate].train for mate in s.of(side, to)):
            return Violation("S42-5.6.3d", f"Another unit has come to {place_name(to)} by rail")
        return Violation("S42-5.6.3a", f"No railway free of enemies and their zones brings {code} to {place_name(to)}")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Entrain, out: Out) -> Next:
        leads = s.has(order.unit, LEADER)
        if leads:  # S42-28.1.5
            s.alter(order.unit, replace(s.pieces[order.unit], ready=False))
        f.rides += not leads
        s.by_rail5 |= order.unit in s.chart.army5 and s.in_area(order.unit)
        f.rides_on_map += not (leads or s.in_area(order.unit))
        f.ferried |= not s.chart.board.bit[order.to] & rides(s, order.unit, ferry=False)  # S42-5.5.7
        f.moved.add(order.unit)
        return go(s, f, order.unit, (s.at(order.unit), order.to), order, out, train=not leads)


class Sails(Choice[State, PlayerTurn, Sail]):
    """S42-5.7: one unit a turn on each sea; naval infantry may move a hex before or after."""

    rule = "S42-5.7.1"

    @staticmethod
    def sea(s: State, start: int) -> str:
        return TAMAN if start == s.chart.areas.get(KERCH) else sea_of(s, start)

    @staticmethod
    def ends(s: State, unit: int) -> tuple[int, ...]:
        bit, wall = s.chart.board.bit, s.barrier(other(s.side(unit)), moving=True).hexes
        return tuple(port for port in landings(s, unit) if not bit[port] & (wall | full(s, unit)))

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Sail]:
        gates = (s.chart.areas[KERCH],) if KERCH in s.chart.areas else ()
        ports = (*s.chart.board.marked(PORT), *gates)
        for port in (port for port in ports if self.sea(s, port) not in f.sailed):
            for unit in s.of(seat, port):
                ready = may_go(s, f, unit) is None and unit not in s.renewed
                if ready and f.halfway.get(unit, BY_SEA) == BY_SEA:
                    yield from (Sail(unit, end) for end in self.ends(s, unit))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Sail, proof: Known) -> Violation | None:
        wrong = may_go(s, f, order.unit)
        if wrong is not None:
            return wrong
        if order.unit in s.renewed:
            return renewed(s, order.unit)
        if self.sea(s, s.at(order.unit)) in f.sailed or f.halfway.get(order.unit, BY_SEA) != BY_SEA:
            return Violation("S42-5.7.1a", "A unit has moved on this sea in this turn")
        wrong = no_sailing(s, order.unit)
        if wrong is not None:
            return wrong
        if order.to not in self.ends(s, order.unit):
            can = describe_places(self.ends(s, order.unit), place_name)
            sentence = f"{s.code(order.unit)} cannot sail to {place_name(order.to)}; it can sail to {can}"
            return Violation("S42-5.7.1b", sentence)
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Sail, out: Out) -> Next:
        unit = order.unit
        f.sailed.add(self.sea(s, s.at(unit)))
        if s.has(unit, NAVAL) and unit not in f.halfway:
            f.halfway[unit] = TACTICAL
        else:
            f.moved.add(unit)
        if s.fights(unit) and not s.has(unit, NAVAL):  # S42-5.7.1d, S42-5.7.1f
            disrupt(s, unit)
        return go(s, f, unit, (s.at(unit), order.to), order, out)


class Transfers(Choice[State, PlayerTurn, Transfer]):
    """S42-22.6, S42-S1.2d: from one of one's Areas to another."""

    rule = "S42-22.6"

    @staticmethod
    def ends(s: State, unit: int) -> tuple[int, ...]:
        """S42-22.6.4b: the Caspian box holds so many combat units."""
        side = s.side(unit)
        open_now = {s.chart.areas[key] for key in s.open_areas(side)}
        shut = (
            {s.chart.areas[TRANSIT]} if TRANSIT in s.chart.areas and s.fights(unit) and not s.room_at_sea() else set()
        )
        return tuple(to for to in s.chart.round_from(s.at(unit), side) if to in open_now - shut)

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Transfer]:
        for area in (s.chart.areas[key] for key in s.open_areas(seat)):
            for unit in s.of(seat, area):
                ready = may_go(s, f, unit) is None and unit not in s.renewed and not s.has(unit, RESERVE)  # S42-34.3.1a
                if ready and modes(s, unit):
                    yield from (Transfer(unit, to) for to in self.ends(s, unit))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Transfer, proof: Known) -> Violation | None:
        wrong = may_go(s, f, order.unit)
        if wrong is not None:
            return wrong
        code = s.code(order.unit)
        if order.unit in s.renewed:
            return renewed(s, order.unit)
        if not s.in_area(order.unit):
            return Violation(self.rule, f"{code} is not in an Area")
        if not modes(s, order.unit):
            return Violation("S42-22.3.1b", f"{code} can leave its Area only in good order")
        ends = self.ends(s, order.unit)
        if order.to not in ends:
            return Violation("S42-22.6", f"{code} can go round to {describe_places(ends, place_name)}")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Transfer, out: Out) -> Next:
        f.moved.add(order.unit)
        return go(s, f, order.unit, (s.at(order.unit), order.to), order, out)


class Exits(Choice[State, PlayerTurn, Exit]):
    """S42-S1.2e: the Axis leaves by the east and south edges, for good."""

    rule = "S42-S1.2e"

    @staticmethod
    def ways(s: State, unit: int) -> dict[int, Way]:
        """To each Area that the unit can reach, in whatever way it may move."""
        board, start = s.chart.board, s.at(unit)
        areas = [s.chart.areas[key] for key in s.chart.exits]
        gates = board.mask(areas)
        found: dict[int, Way] = {}
        for mode in modes(s, unit):
            links, terms = ground(s, unit, mode)
            terms = terms._replace(barred=terms.barred & ~gates, stops=terms.stops | gates)
            trails = reach(links, board.bit, start, terms)
            found = {area: path(trails, area) for area in areas if area in trails} | found
        return found

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Exit]:
        if seat != AXIS or not s.chart.exits:
            return
        for unit in movers(s, f):
            if hexes_to(s.chart, s.chart.exits, s.at(unit)) < allowance(s, unit, EXTENDED):
                yield from (Exit(unit, area) for area in sorted(self.ways(s, unit)))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Exit, proof: Known) -> Violation | None:
        if not s.chart.exits:
            return Violation(self.rule, "No unit leaves the map in this scenario")
        if seat != AXIS or order.by not in {s.chart.areas[key] for key in s.chart.exits}:
            return Violation(
                self.rule, f"The Axis leaves the map, by the Areas {', '.join(map(str.upper, s.chart.exits))}"
            )
        wrong = may_go(s, f, order.unit)
        if wrong is not None:
            return wrong
        if order.by not in self.ways(s, order.unit):
            return Violation(self.rule, f"{s.code(order.unit)} cannot reach {place_name(order.by)} in this turn")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Exit, out: Out) -> Next:
        way = self.ways(s, order.unit)[order.by]
        f.moved.add(order.unit)
        following = go(s, f, order.unit, way, order, out)
        s.leave(order.unit, spot(order.by))
        return following


class Patrols(Choice[State, PlayerTurn, Patrol]):
    """S42-5.5.3b: once in each Soviet Movement Phase, to any side of the Volga between two hexes of land."""

    rule = "S42-5.5.3b"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Patrol]:
        if seat == SOVIET and not f.patrolled:
            for a, b in s.chart.banks:
                if {a, b} != set(s.flotilla):
                    yield Patrol((a, b))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Patrol) -> Violation:
        if f.patrolled:
            return Violation(self.rule, "The flotilla has moved in this turn")
        return Violation(self.rule, "The Soviets name a hex on either bank of the Volga, the lower number first")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Patrol, out: Out) -> Next:
        f.patrolled = True
        s.flotilla = order.side
        out.add(FlotillaMoved(hexes=order.side, rule=self.rule))
        return STAY


# Automatic DS


def may_attack(s: State, f: PlayerTurn, unit: int) -> Violation | None:
    """S42-8.1g: why the unit cannot attack, whatever the target."""
    code = s.code(unit)
    if not s.has_on_map(f.seat, unit):
        return Violation("S42-8.1a", f"{code} is not a unit of yours on the map")
    if s.at(unit) == s.chart.baku and f.seat == AXIS:
        return Violation("S42-24.1.2d", f"{code} is in the Area of Baku, and attacks when it has come back")
    if s.in_area(unit) and unit in f.moved:
        return Violation("S42-22.6.1b", f"{code} has come to its Area in this turn, and attacks in a later one")
    if any(unit in storm.units for storm in f.storms):
        return Violation("S42-8.6.1d", f"{code} has taken part in an automatic DS")
    if unit in f.hurried:
        return Violation("S42-5.3c", f"{code} has used extended movement")
    piece = s.pieces[unit]
    if piece.order != GOOD or piece.train:
        what = "on a train" if piece.train else ORDER_NAMES[piece.order]
        return Violation("S42-8.1g", f"{code} is {what}, and cannot attack")
    if s.digging.get(s.at(unit)) == f.seat:
        return Violation("S42-9.7.2f", f"{code} stands where a fort is under construction")
    if any(each in s.renewed for each in s.of(f.seat, s.at(unit))):
        return Violation("S42-21.4d", f"{code} stands with a unit that has received a replacement")
    if not s.face(unit).attack:
        return Violation("S42-8.1g", f"{code} has no attack strength")
    return None


class Storms(Choice[State, PlayerTurn, Storm]):
    """S42-8.6: the enemy is driven off at once; who took part moves no more, and advances at the end of combat."""

    rule = "S42-8.6"

    def first(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Pick]:
        targets = s.afield(other(seat))
        near = (s.chart.beside(targets) | s.shared) & s.fighters(seat)
        able: dict[int, list[int]] = {}
        for place in s.chart.board.in_mask(near):
            for unit in s.of(seat, place):
                if may_attack(s, f, unit) is None:
                    for target in (place, *s.chart.board.near[place]):
                        if s.chart.board.bit[target] & targets and borders(s, unit, target):
                            able.setdefault(target, []).append(unit)
        for target in sorted(able):
            units = able[target]
            if not may_join(s, units):
                units = [unit for unit in units if s.chart.nation(unit) == "german"]
            if units and _column(s, tuple(sorted(units)), target) == AUTOMATIC:
                yield Pick(place_key(target), (target, tuple(sorted(units))))

    def picked(
        self, s: State, f: PlayerTurn, seat: str, own: Known, pick: tuple[int, tuple[int, ...]]
    ) -> Iterator[Storm]:
        target, units = pick
        yield Storm(target, units)
        fewest = units
        for unit in sorted(units, key=lambda u: (s.face(u).attack, u)):
            fewer = tuple(each for each in fewest if each != unit)
            if fewer and _column(s, fewer, target) == AUTOMATIC:
                fewest = fewer
        if fewest != units:
            yield Storm(target, fewest)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Storm, proof: Known) -> Violation | None:
        target, units, enemy = order.target, order.units, other(seat)
        if not units or len(set(units)) < len(units):
            return Violation(self.rule, "An automatic DS names its units, each once")
        if not s.chart.board.bit.get(target, 0) & s.afield(enemy):
            return Violation("S42-8.1a", f"No enemy combat unit stands in {place_name(target)}")
        wrong = next(filter(None, (may_attack(s, f, unit) for unit in units)), None)
        if wrong is not None:
            return wrong
        aside = next(filter(s.in_area, units), None)
        if aside is not None:
            return Violation("S42-22.7a", f"{s.code(aside)} is in an Area: from there units attack in the Combat Phase")
        far = next((unit for unit in units if not beside(s, unit, target)), None)
        if far is not None:
            return Violation("S42-8.2a", f"{s.code(far)} does not stand beside {place_name(target)}")
        far = next((unit for unit in units if not borders(s, unit, target)), None)
        if far is not None:
            return Violation("S42-8.1f", f"{s.code(far)} cannot cross over to {place_name(target)}")
        if not may_join(s, units):
            return Violation("S42-20.5.1", "Allies of different nations do not attack together")
        if _column(s, units, target) != AUTOMATIC:
            found = attack(s, units, target, enemy).reckoned
            odds = f"{int(found.attack)}:{int(found.defence)}"
            return Violation("S42-8.6.1a", f"The odds are {odds}, with all shifts less than 10:1")
        through = Break(order.breaks, order.via, order.odds)
        odd = wrong_break(s, units, through, target) or wrong_advance(s, seat, order.advance, units, target)
        if odd is not None:
            return odd
        can = may_lose(s, defending(s, target, enemy))
        if order.lose is not None and order.lose not in can:
            return Violation("S42-10.2.3", f"The step can be lost by {all_of(map(s.code, can)) or 'no unit'}")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Storm, out: Out) -> Next:
        target, enemy = order.target, other(seat)
        units = tuple(sorted(order.units))
        found = attack(s, units, target, enemy).reckoned
        defenders = tuple(unit for unit in s.of(enemy, target) if s.fights(unit))
        f.storms.append(order)
        f.moved.update(units)
        out.add(
            Stormed(
                side=seat,
                hex=target,
                units=tuple(map(s.code, units)),
                defenders=tuple(map(s.code, defenders)),
                odds=f"{int(found.attack)}:{int(found.defence)}",
                rule="S42-8.6.1",
            )
        )
        can = may_lose(s, defending(s, target, enemy))
        f.shattered = (dearest(s, can) if order.lose is None else order.lose) if can else None
        f.broken = defenders
        return follow_up(s, f, out)


def _column(s: State, units: Sequence[int], target: int) -> int:
    """S42-8.6.1b: tanks, ground and forts count; air units, artillery and planned offensives do not."""
    return attack(s, units, target, other(s.side(units[0]))).column


# The end of the phase


class Removals(Choice[State, PlayerTurn, Remove]):
    """S42-4.4, S42-12.1.4: where retreats have left too many, they go before the phase ends, by moving or so."""

    rule = "S42-4.4"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Remove]:
        for place in crowded(s, seat):
            yield from (Remove(unit) for unit in s.of(seat, place) if not s.chart.stacks_free(unit))

    def why(self, s: State, f: PlayerTurn, seat: str, order: Remove) -> Violation:
        return Violation(self.rule, f"{s.code(order.unit)} does not stand where too many do")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Remove, out: Out) -> Next:
        out.add(Removed(unit=s.code(order.unit), hex=s.at(order.unit), rule=self.rule))
        s.destroy(order.unit)
        return follow_up(s, f, out)


def crowded(s: State, side: str) -> tuple[int, ...]:
    """S42-4.4a, S42-4.4b: the hexes in which too many units of a side stand."""
    mask = s.ground.kept(
        side,
        ("crowded", len(s.frozen)),
        lambda: s.ground.where_all(side, lambda stack: s.counted(stack, side) > s.chart.most(side, stack)),
    )
    later = s.chart.board.mask(place for place, turn in s.spread.items() if turn == s.turn)  # S42-34.7
    return s.chart.board.in_mask(mask & ~owned_areas(s, side) & ~later)


class Ends(Choice[State, PlayerTurn, Done]):
    """S42-4.4a: the phase ends when stacking is right."""

    rule = "S42-4.4"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        if not crowded(s, seat):
            yield Done()

    def why(self, s: State, f: PlayerTurn, seat: str, order: Done) -> Violation:
        places = describe_places(crowded(s, seat), place_name)
        return Violation(self.rule, f"Too many units stand in {places}: move or `remove` some of them")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Done, out: Out) -> Next:
        s.fled.clear()  # S42-12.2i
        if seat == AXIS:  # S42-24.1.2a, S42-24.1.2c
            s.baku = enough_for_baku(s, f.southbound) or (s.baku and enough_for_baku(s, s.at_baku()))
        return DONE


class Movement(Decide[State, PlayerTurn, Order]):
    """S42-3.B2: all moves of a side, one after another, in any order."""

    name = "movement"
    rule = "S42-3.B2a"
    choices: ClassVar[tuple[type[Choice[State, PlayerTurn, Any]], ...]] = (
        Ends, Moves, ExtendedMoves, TacticalMoves, Withdrawals, Turns, Rails, Sails, Transfers, Exits, Storms, Razes,
        Removals, Patrols, Reserves,
    )  # fmt: skip
    goes_back = (DriveOff,)
    ends = "End your movement: no unit can move any more in this phase; your attacks come next"

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.seat,)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Order, proof: Known) -> Violation | None:
        """S42-34.3: reserve armies have moved before."""
        if getattr(order, "unit", None) in s.chart.reserve_armies:
            return Violation("S42-34.3", "Reserve armies move before other units do")
        return super().check(s, f, seat, order, proof)

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        """S42-5.7.2: of units at the strait of Kerch, when they cross it."""
        waits = beyond_strait(s, f, CODES[thing]) if thing in CODES and CODES[thing] not in f.moved else None
        return waits or super().barred(s, f, seat, thing)

    def says(self, s: State, f: PlayerTurn, seat: str, order: Order) -> str:
        """S42-13.1.2b: what a long move costs support."""
        if isinstance(order, Move) and s.has(order.unit, ASU):
            way = find_way(s, order.unit, NORMAL, ground(s, order.unit, NORMAL), order.path)
            if isinstance(way, tuple) and tires(s, order.unit, NORMAL, way):
                most = s.chart.figures["support_move"]
                return (
                    f"Move {s.code(order.unit)} to {place_name(order.path[-1])}. A move of more than {most} hexes "
                    "disrupts it (S42-13.1.2b): it gives no help and cannot be made ready until it has recovered"
                )
        return super().says(s, f, seat, order)

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        left = many(len(still_able(s, f)), "unit")
        rule = tactical_rule(s, seat)
        only = f" In this turn combat units can only move tactically ({rule})." if rule else ""
        return f"Turn {s.turn}, movement: {left} can move.{only}{'' if crowded(s, seat) else ' Then `done`.'}"


class ShortMovement(Movement):
    """S42-33.2.3b: tactically, but for units in Full Retreat; no trains, ships, Areas or automatic DS."""

    name = "short_movement"
    ends = "End this movement: no unit can move any more in this short turn"
    rule = "S42-33.2.3b"
    choices = (Ends, Moves, ExtendedMoves, TacticalMoves, Withdrawals, Turns, Razes, Removals)


class FirstMoves(Movement):
    """S42-S2.4.1: of the Soviets before the first turn of the Axis: no extended movement, no trains."""

    name = "first_moves"
    ends = "End this movement: no unit can move any more before the turn of the Axis"
    rule = "S42-S2.4.1"
    choices = (Ends, Moves, TacticalMoves, Turns, Razes, Removals)


class LeaveBaku(Ask[State, PlayerTurn, Evacuate]):
    """S42-24.1.3a: the Soviets leave the Area of Baku when five units of the Axis have come, or the first."""

    name = "evacuate"
    rule = "S42-24.1.3a"
    forced = True
    seats = (SOVIET,)
    default = "then h"
    fact_names = ("units",)
    answer_names: ClassVar[tuple[str, ...]] = BESIDE_BAKU
    area, start, disrupts = BAKU, "the Area of Baku", True

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        if f.seat != AXIS or not s.of(SOVIET, s.chart.baku):
            return ()
        enough = 1 if FIRST_IN_G in s.options else DIVISIONS
        return (SOVIET,) if sum(map(s.fights, s.at_baku())) >= enough else ()

    def asks(self, s: State, f: PlayerTurn, seat: str) -> bool:
        return s.asked == COMBATS

    def unasked(self, s: State) -> str:
        return "" if s.asked == COMBATS else "default"

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        return "The Axis is in the Area of Baku: `evacuate h` or `evacuate j`."

    def options(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Evacuate]:
        return (Evacuate(s.chart.areas[key]) for key in self.answer_names)

    def do(self, s: State, f: PlayerTurn, seat: str, order: Evacuate, out: Out) -> None:
        units = s.of(SOVIET, s.chart.areas[self.area])
        for unit in units:
            s.put(unit, order.area)
            if self.disrupts and s.fights(unit):
                disrupt(s, unit)
        codes = tuple(map(s.code, units))
        out.add(Evacuated(units=codes, area=order.area, start=self.start, disrupted=self.disrupts, rule=self.rule))

    def facts(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, int]:
        return {"units": len(s.of(SOVIET, s.chart.areas[self.area]))}

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Evacuate]:
        return {key: Evacuate(s.chart.areas[key]) for key in self.answer_names}


class LeaveSnow(LeaveBaku):
    """S42-23.4e: as their first turn of winter begins the Soviets leave the Area that it closes."""

    name = "winter"
    rule = "S42-23.4e"
    default = "then j"
    answer_names = BESIDE_SNOW
    area, start, disrupts = SNOWED_IN, "Area K", False

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        shut = f.seat == SOVIET and s.frost and self.area in s.chart.areas
        return (SOVIET,) if shut and s.of(SOVIET, s.chart.areas[self.area]) else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        return "Winter closes Area K: `evacuate j` or `evacuate l`."
