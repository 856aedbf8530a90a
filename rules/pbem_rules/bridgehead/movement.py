"""BH-4 Movement and BH-5 Zones of control: the step in which a side moves, rallies and plays its order cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.game import DONE, STAY, Call, Choice, Decide, Known, Next, Out, Pick, Violation
from pbem.kit import Terms, Trail, Why, describe_places, goes_anywhere, hex_name, many, path, reach, refuse
from pbem_rules.bridgehead.cards import can_steal, check_in_hand, check_play, discard, playable
from pbem_rules.bridgehead.chart import NAMES, other
from pbem_rules.bridgehead.events import Moved, Played, Rallied
from pbem_rules.bridgehead.frames import Half, Steal
from pbem_rules.bridgehead.orders import NO_TARGET, Finish, Move, Play, Rally, slot_number, slot_text
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.victory import enter

MARCH = 2  # BH-8.7


def allowance(s: State, f: Half, unit: int) -> int:
    """BH-4.5, BH-8.7."""
    points = s.face(unit).move
    if not s.supplied(unit):
        points = (points + 1) // 2
    return points + MARCH if f.marched >> unit & 1 else points


def terms(s: State, f: Half, points: int) -> Terms:
    enemy = other(f.side)
    zone = s.zone(enemy)
    return Terms(points, s.ground.occupied[enemy], stops=zone, locked=zone, first_free=True)


def trails(s: State, f: Half, unit: int) -> dict[int, Trail]:
    """Every hex that the unit could come to, with the way; kept until something changes it."""
    start, points = s.at(unit), allowance(s, f, unit)

    def search() -> dict[int, Trail]:
        return reach(s.chart.links[unit], s.chart.board.bit, start, terms(s, f, points))

    return s.ground.kept(other(f.side), (unit, start, points), search)


def trails_to(s: State, f: Half, unit: int, goal: int) -> dict[int, Trail]:
    """As `trails`, but only as far as is needed to know the way to one hex."""

    def search() -> dict[int, Trail]:
        bound = terms(s, f, allowance(s, f, unit))
        return reach(s.chart.links[unit], s.chart.board.bit, s.at(unit), bound, goal)

    return s.ground.again((unit, goal, f.marched, s.cut), search)


def can_leave(s: State, f: Half, unit: int) -> bool:
    """Can the unit move at all? Mostly the next hex tells."""
    start, bound = s.at(unit), terms(s, f, allowance(s, f, unit))
    return goes_anywhere(s.chart.links[unit], s.chart.board.bit, start, bound, s.room)


def check_unit(s: State, f: Half, unit: int) -> Violation | None:
    """Is this a unit of the side that may still move? (BH-4.1)"""
    piece = s.pieces.get(unit)
    if piece is None or s.chart.units[unit].side != f.side:
        return Violation("BH-4.1", "That is not a unit of yours in this game")
    code = s.chart.units[unit].code
    if not s.on_map(unit):
        return Violation("BH-4.1", f"{code} is not on the map")
    if f.moved >> unit & 1:
        return Violation("BH-4.1", f"{code} has already moved or rallied")
    return None


def check_move(s: State, f: Half, order: Move) -> Violation | None:
    wrong = check_unit(s, f, order.unit)
    if wrong is not None:
        return wrong
    start = s.at(order.unit)
    if order.to not in s.chart.grid or order.to == start:
        return Violation("BH-4.1", "A unit moves to another hex of the map")
    if order.to not in trails_to(s, f, order.unit, order.to):
        return _unreachable(s, f, order)
    if not s.room(order.to):
        return Violation("BH-4.3", f"{hex_name(order.to)} is full: two units may stand in a hex")
    return None


_REASONS = {
    Why.BARRED: ("BH-4.3", "an enemy stands there"),
    Why.LOCKED: ("BH-5.3", "it would go straight from one enemy zone into another"),
    Why.STOPPED: ("BH-5.2", "an enemy zone stops it on the way"),
    Why.TOO_FAR: ("BH-4.2", "it does not have enough movement points"),
    Why.NO_WAY: ("BH-4.3", "enemies bar every way"),
}


def _unreachable(s: State, f: Half, order: Move) -> Violation:
    start, code, bit = s.at(order.unit), s.chart.units[order.unit].code, s.chart.board.bit
    bound = terms(s, f, allowance(s, f, order.unit))
    wrong = refuse(s.chart.links[order.unit], bit, start, bound, order.to, _REASONS, code)
    assert wrong is not None
    near = (c for c in sorted(trails(s, f, order.unit)) if c != start and s.room(c))
    return Violation(wrong.rule, f"{wrong.reason}. It can reach {describe_places(near, few=99)}")


def can_rally(s: State, f: Half, unit: int) -> Violation | None:
    """BH-4.6 but for the card."""
    wrong = check_unit(s, f, unit)
    if wrong is not None:
        return wrong
    code = s.chart.units[unit].code
    if s.pieces[unit].steps == s.chart.units[unit].type.steps:
        return Violation("BH-4.6", f"{code} has lost no step")
    if not s.supplied(unit):
        return Violation("BH-4.6", f"{code} is out of supply")
    if s.zone(other(f.side)) & s.chart.board.bit[s.at(unit)]:
        return Violation("BH-4.6", f"{code} is in an enemy zone")
    return None


class Moves(Choice[State, Half, Move]):
    """BH-4.1, BH-5.3: a unit that can go nowhere is not offered."""

    def first(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Pick]:
        for unit in s.chart.own[f.side]:
            if check_unit(s, f, unit) is None and can_leave(s, f, unit):
                yield Pick(s.chart.units[unit].key, unit)

    def picked(self, s: State, f: Half, seat: str, own: Known, pick: int) -> Iterator[Move]:
        start = s.at(pick)
        return (Move(pick, cell) for cell in sorted(trails(s, f, pick)) if cell != start and s.room(cell))

    def barred(self, s: State, f: Half, seat: str, thing: str) -> Violation | None:
        unit = next((unit.number for unit in s.chart.units if unit.code == thing), None)
        if unit is None:
            return None
        stuck = Violation("BH-4.1", f"{thing} cannot go anywhere: enemies and full hexes bar its way")
        return check_unit(s, f, unit) or (None if can_leave(s, f, unit) else stuck)

    def check(self, s: State, f: Half, seat: str, order: Move, proof: Known) -> Violation | None:
        return check_move(s, f, order)

    def apply(self, s: State, f: Half, seat: str, order: Move, out: Out) -> Next:
        """BH-4.1, BH-10.1."""
        found = trails_to(s, f, order.unit, order.to)
        way = path(found, order.to)
        if out.wanted:
            code = s.chart.units[order.unit].code
            stopped = bool(s.zone(other(f.side)) & s.chart.board.bit[order.to])  # BH-5.2
            out.add(Moved(unit=code, path=way, cost=found[order.to][0], stopped=stopped, rule="BH-4.1"))
        f.moved |= 1 << order.unit
        s.put(order.unit, order.to)
        enter(s, f.side, way[1:], out)
        return STAY


class Rallies(Choice[State, Half, Rally]):
    """BH-4.6."""

    def legal(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Rally]:
        for unit in s.chart.own[f.side]:
            if can_rally(s, f, unit) is None:
                yield from (Rally(unit, slot_number(slot)) for slot in s.hand(f.side))

    def check(self, s: State, f: Half, seat: str, order: Rally, proof: Known) -> Violation | None:
        return can_rally(s, f, order.unit) or check_in_hand(s, f.side, order.slot)

    def apply(self, s: State, f: Half, seat: str, order: Rally, out: Out) -> Next:
        s.deck.throw(f.side, slot_text(s.deck.name, order.slot))
        s.set_steps(order.unit, s.pieces[order.unit].steps + 1)
        f.moved |= 1 << order.unit
        out.add(Rallied(unit=s.chart.units[order.unit].code, rule="BH-4.6"))
        return STAY


class Plays(Choice[State, Half, Play]):
    """The order cards: Barrage (BH-8.6), Forced march (BH-8.7), Night patrol (BH-8.8)."""

    def legal(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Play]:
        for card, slot in playable(s, f.side, own, "orders"):
            for target in self._targets(s, f, s.chart.cards[card].key):
                yield Play(card, slot_number(slot), target)

    @staticmethod
    def _targets(s: State, f: Half, key: str) -> Iterator[int]:
        """BH-8.4, BH-8.6 to 8.8."""
        if key == "barrage":
            for cell in s.chart.board.in_mask(s.ground.occupied[other(f.side)]):
                if cell not in s.barrages:
                    yield cell
        elif key == "march":
            for unit in s.chart.own[f.side]:
                if check_unit(s, f, unit) is None and not f.marched >> unit & 1:
                    yield unit
        elif can_steal(s, f.side):  # Night patrol
            yield NO_TARGET

    def opens(self, s: State, f: Half, seat: str, order: Play) -> tuple[str, ...]:
        return (slot_text(s.deck.name, order.slot),)

    def check(self, s: State, f: Half, seat: str, order: Play, proof: Known) -> Violation | None:
        return check_play(s, f.side, order, proof, "orders") or self._check_target(s, f, order)

    @staticmethod
    def _check_target(s: State, f: Half, order: Play) -> Violation | None:
        key = s.chart.cards[order.card].key
        if key == "barrage":
            if order.target not in s.chart.grid or s.side_at(order.target) != other(f.side):
                return Violation("BH-8.6", "Barrage names a hex with an enemy")
            if order.target in s.barrages:
                return Violation("BH-8.6", f"{hex_name(order.target)} already lies under a barrage")
            return None
        if key == "march":
            wrong = check_unit(s, f, order.target)
            if wrong is not None:
                return Violation("BH-8.7", wrong.reason)
            if f.marched >> order.target & 1:
                return Violation("BH-8.7", f"{s.chart.units[order.target].code} is already marching")
            return None
        if order.target != NO_TARGET:
            return Violation("BH-8.8", "Night patrol has no target")
        if not can_steal(s, f.side):
            return Violation("BH-8.8", "The enemy has no card to take")
        return None

    def apply(self, s: State, f: Half, seat: str, order: Play, out: Out) -> Next:
        """BH-8.4, BH-8.6 to 8.8."""
        kind = s.chart.cards[order.card]
        discard(s, f.side, order)
        target = ""
        if kind.key == "barrage":
            s.barrages = (*s.barrages, order.target)
            target = hex_name(order.target)
        elif kind.key == "march":
            f.marched |= 1 << order.target
            target = s.chart.units[order.target].code
        out.add(Played(side=f.side, card=kind.name, target=target, rule=kind.rule))
        return Call(Steal(f.side), again=True) if kind.key == "patrol" else STAY


class StopMoving(Choice[State, Half, Finish]):
    def legal(self, s: State, f: Half, seat: str, own: Known) -> Iterator[Finish]:
        yield Finish()

    def apply(self, s: State, f: Half, seat: str, order: Finish, out: Out) -> Next:
        return DONE


class March(Decide[State, Half, Move | Rally | Play | Finish]):
    rule = "BH-2.3"
    choices = (StopMoving, Moves, Rallies, Plays)
    ends = "End your movement: no unit can move any more in this half-turn; you declare your attacks next"

    def by(self, s: State, f: Half) -> Sequence[str]:
        return (f.side,)

    def prompt(self, s: State, f: Half, seat: str) -> str:
        free = sum(1 for unit in s.chart.own[f.side] if check_unit(s, f, unit) is None)
        return f"Turn {s.turn}, {NAMES[f.side]} moves. {many(free, 'unit')} can move. End with `done`."
