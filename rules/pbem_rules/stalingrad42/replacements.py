"""S42-21: replacements: units regain steps, and come back from the Eliminated Box."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import DONE, STAY, Auto, Choice, Known, Next, Out, Violation
from pbem.kit import SUPPLIED, describe_places
from pbem_rules.stalingrad42.chart import AXIS, MAJOR_CITY, REPLACEMENTS, SOVIET, SPECIAL, TANK
from pbem_rules.stalingrad42.events import ORDER_NAMES, Renewed
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import CODES, Renew, place_name
from pbem_rules.stalingrad42.state import BOX_ROOM, BOXES, ELIMINATED, GOOD, State, other
from pbem_rules.stalingrad42.supply.lines import lines, status

CORPS_AREAS = ("a", "b", "c")  # S42-21.3.1f
WHOLE, REDUCED = 3, 2  # S42-10.4.3, S42-21.1.1: a unit with a Remnant comes back reduced
NEAR_RAIL = 2  # S42-21.3.1c: hexes
ANY = -1  # number of units


def come_in(s: State, f: PlayerTurn) -> None:
    """S42-21.1.2, S42-21.1.3: the replacements of the turn; units in the Eliminated Box have waited for a turn more."""
    given = {kind: s.chart.track.value(s.turn, key) for kind, key in REPLACEMENTS[f.seat].items()}
    if s.fined and f.seat == AXIS and given[SPECIAL]:  # S42-32.3a
        given[SPECIAL] -= 1
        s.fined = False
    f.spare = {kind: number for kind, number in given.items() if number}
    for unit, turns in list(s.missing.items()):
        if s.side(unit) == f.seat:
            if turns:
                s.missing[unit] = turns - 1
            else:
                del s.missing[unit]


def capacity(s: State, side: str, unit: int) -> dict[int, int]:
    """S42-21.3.1, S42-34.5: the places where a unit can come back, each with how many may do so in a turn."""
    chart, board, enemy = s.chart, s.chart.board, other(side)
    areas = {chart.areas[key]: ANY for key in s.open_areas(side)}
    if side == SOVIET and chart.has(unit, TANK) and chart.has(unit, "corps"):
        return {chart.areas[key]: ANY for key in CORPS_AREAS if key in chart.areas}
    rail = connected(s, side)
    near = chart.ranges.of((place, NEAR_RAIL) for place in board.in_mask(rail))
    posts = (hq for hq in s.ground.standing(side) if chart.is_headquarters(hq) and near & board.bit[s.at(hq)])
    fit = {
        s.at(hq)
        for hq in posts
        if (side == SOVIET or chart.nation(hq) == chart.nation(unit)) and status(s, hq) == SUPPLIED
    }
    cities = {
        place
        for place, holder in s.holders.items()
        if holder == side and board[place].terrain == MAJOR_CITY and rail & board.bit[place]
    }
    shut = chart.beside(s.fighters(enemy)) | s.ground.occupied[enemy]
    found = {place: (place in fit) + (place in cities) for place in sorted(fit | cities)}
    boxes = dict.fromkeys(open_boxes(s), ANY) if side == SOVIET and s.fights(unit) else {}
    return areas | {place: many for place, many in found.items() if not shut & board.bit[place]} | boxes


def open_boxes(s: State) -> tuple[int, ...]:
    """S42-34.5: the boxes of reserve armies with room, if all armies are in supply: whose box is whose, few know."""
    supplied, bit = lines(s, SOVIET).reached, s.chart.board.bit
    safe = s.masks and all(s.in_area(army) or supplied & bit[s.at(army)] for army in s.armies())
    return tuple(box for box in BOXES if len(s.of(SOVIET, box)) < BOX_ROOM) if safe else ()


def _here(s: State, unit: int) -> bool:
    """S42-21.1.1: on the map, or in the box of a reserve army (S42-34.5)."""
    return s.on_map(unit) or s.at(unit) in BOXES


def spots(s: State, f: PlayerTurn, unit: int) -> tuple[int, ...]:
    """S42-21.3.1e: of these places those that are not used up."""
    return tuple(p for p, many in capacity(s, f.seat, unit).items() if many == ANY or f.rebuilt.count(p) < many)


class Renewals(Choice[State, PlayerTurn, Renew]):
    """S42-21."""

    rule = "S42-21.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Renew]:
        if not (f.spare or s.returns):  # S42-19.4
            return
        for unit in s.chart.own[seat]:
            if self._wrong(s, f, seat, unit) is None:
                places = (None,) if _here(s, unit) else spots(s, f, unit)
                yield from (Renew(unit, place=place) for place in places)

    @staticmethod
    def _wrong(s: State, f: PlayerTurn, seat: str, unit: int) -> Violation | None:
        """Why the unit cannot be given a replacement of any kind, wherever it comes back."""
        code = s.code(unit)
        if unit not in s.chart.own[seat]:
            return Violation("S42-21.1", f"{code} is not a unit of yours")
        if unit in s.returns:
            return Renewals._too_soon(s, unit)
        kinds, piece = s.chart.replacements(unit), s.pieces[unit]
        if not kinds:
            return Violation("S42-21.1.4", f"There are no replacements for {code}")
        if unit in s.renewed:
            return Violation("S42-21.2b", f"{code} has received its replacement of this turn")
        if _here(s, unit) and piece.steps == s.whole(unit):
            return Violation("S42-21.1.1", f"{code} has all its steps")
        if not any(f.spare.get(kind) for kind in kinds):
            return Violation("S42-21.1.3", f"{code} needs a replacement of the kind {' or '.join(kinds)}: none is left")
        if _here(s, unit):
            if piece.order != GOOD:
                return Violation("S42-21.2a", f"{code} is {ORDER_NAMES[piece.order]}")
            supplied = bool(open_boxes(s)) if s.at(unit) in BOXES else status(s, unit) == SUPPLIED
            return None if supplied else Violation("S42-21.2a", f"{code} is out of supply")
        if s.at(unit) != ELIMINATED:
            return Violation("S42-21.1.1", f"{code} is neither on the map nor in the Eliminated Box")
        if unit in s.missing:
            return Violation("S42-21.3.1g", f"{code} has not been in the Eliminated Box for a full turn")
        return None

    @staticmethod
    def _too_soon(s: State, unit: int) -> Violation | None:
        """S42-19.4: a headquarters of an army comes back for nothing, two turns after it was removed."""
        if s.turn >= s.returns[unit]:
            return None
        return Violation("S42-19.4", f"{s.code(unit)} can come back in turn {s.returns[unit]}")

    def barred(self, s: State, f: PlayerTurn, seat: str, thing: str) -> Violation | None:
        return self.check(s, f, seat, Renew(CODES[thing]), {}) if thing in CODES else None

    def check(self, s: State, f: PlayerTurn, seat: str, order: Renew, proof: Known) -> Violation | None:
        unit, code = order.unit, s.code(order.unit)
        wrong = self._wrong(s, f, seat, unit)
        if wrong is not None:
            return wrong
        # S42-21.1.3: of a kind that is left
        if order.by is not None and (order.by not in s.chart.replacements(unit) or not f.spare.get(order.by)):
            kinds = [kind for kind in s.chart.replacements(unit) if f.spare.get(kind)]
            return Violation("S42-21.1.4", f"{code} can use {' or '.join(kinds)}, not {order.by}")
        if _here(s, unit):
            return None if order.place is None else Violation("S42-21.1.1", f"{code} stands on the map: leave `in` out")
        if order.place in spots(s, f, unit):
            return None
        if not spots(s, f, unit):
            return Violation("S42-21.3.1", f"{code} cannot come back anywhere in this turn")
        can = describe_places(spots(s, f, unit), place_name)
        return Violation("S42-21.3.1", f"{code} can come back in {can}: `replace {code} in PLACE`")

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Renew, out: Out) -> Next:
        unit = order.unit
        kind = order.by or next((kind for kind in s.chart.replacements(unit) if f.spare.get(kind)), "")
        f.spare = {each: number - (each == kind) for each, number in f.spare.items() if number - (each == kind)}
        back = order.place is not None
        if order.place is not None:
            s.set_steps(unit, REDUCED if s.counter(unit).steps >= WHOLE else 1)  # S42-21.1.1
            s.put(unit, order.place)
            f.rebuilt = (*f.rebuilt, order.place)
            if unit in s.returns:  # S42-19.4
                del s.returns[unit]
        else:  # S42-21.3.4: a Remnant becomes its unit again, on the reduced side
            s.set_steps(unit, s.pieces[unit].steps + 1)
        if kind:
            s.renewed.add(unit)
        out.add(Renewed(unit=s.code(unit), place=s.at(unit), by=kind, back=back, rule="S42-21"))
        return STAY


class Unmark(Auto[State, PlayerTurn]):
    """S42-21.4c: Replacement markers come off in the Recovery Phase."""

    name = "unmark"
    rule = "S42-21.4c"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        s.renewed.clear()
        return DONE
