"""AA-5 Combat move: the step in which a power declares all its attacks, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from pbem.game import DONE, STAY, Auto, Choice, Decide, Known, Next, Order, Out, Pick, Rows, Violation
from pbem.kit import all_of
from pbem_rules.axis1941 import air_moves, land_moves, sea_moves
from pbem_rules.axis1941.assault import declare, duties, fields, promise_plan, withdraw
from pbem_rules.axis1941.capture import capture
from pbem_rules.axis1941.carriers import check_promise, launch, promise, promises
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.events import Declared, Moved, Recalled
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.moving import LONGEST, absent, form, groups, idle, movable, piece_for, remember_all, ways
from pbem_rules.axis1941.orders import (
    Attack,
    Finish,
    First,
    Ignore,
    Land,
    Load,
    Move,
    Promise,
    Recall,
    piece_of,
)
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sea_moves import able
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.transports import Lands, Loads
from pbem_rules.axis1941.units import (
    AIR,
    CARRIER,
    KINDS,
    LAND,
    MOVED,
    NONE,
    SEA,
    SEATS,
    TANK,
    TITLES,
    TRANSPORT,
    Unit,
)

CombatOrder = Move | Load | Land | Attack | Ignore | First | Promise | Recall | Finish


def judge(s: State, f: Turn, view: Sight, order: Move, combat: bool) -> int | Violation:
    """The unit that the order moves, or why it cannot (AA-5.1, AA-8.1)."""
    kind, code = piece_of(order.piece)
    path = order.path
    wrong = form(kind, code, path)
    if wrong is not None:
        return wrong
    number = mover(s, order, combat=combat)
    if number == NONE:
        return absent(s, order, combat=combat)
    if kind in AIR:
        wrong = air_moves.check(s, view, number, path[1], combat=combat)
    elif kind in LAND:
        wrong = land_moves.check(s, view, kind, path, combat=combat)
    else:
        wrong = sea_moves.check(s, f, view, number, path, combat=combat)
    return number if wrong is None else wrong


def mover(s: State, order: Move, *, combat: bool) -> int:
    """The unit that an order of good form moves; NONE if there is none (AA-5.1, AA-8.1)."""
    kind, code = piece_of(order.piece)
    able = movable(s, kind, code, order.path[0], combat)
    number = next(able, NONE)
    if kind in AIR:
        return air_moves.fittest(s, [number, *able], s.chart.air[order.path[0]][order.path[1]])
    return number


def movers(s: State, *, combat: bool) -> dict[str, list[int]]:
    """One of each group of units that may still move, by what is clicked for them: land, then air, then sea."""
    found: dict[str, list[int]] = {}
    for number, unit in groups(s, (*LAND_KINDS, *AIR_KINDS, *SEA_KINDS), combat=combat):
        found.setdefault(s.key(unit), []).append(number)
    return found


def moves_of(s: State, f: Turn, view: Sight, numbers: Iterable[int], *, combat: bool) -> Iterator[Move]:
    """The legal moves of these units, those that are alike once (AA-5.1, AA-5.8, AA-8.1)."""
    done = set()
    for number in numbers:
        for path in _paths(s, view, number, combat=combat):
            order = Move(piece_for(s.units[number]), path)
            if order not in done and not isinstance(judge(s, f, view, order, combat=combat), Violation):
                done.add(order)
                yield order


def _paths(s: State, view: Sight, number: int, *, combat: bool) -> Iterable[tuple[int, ...]]:
    unit = s.units[number]
    if unit.kind in AIR:
        goals = air_moves.goals(s, view, number) if combat else air_moves.havens(s, view, number)
        return ((unit.place, goal) for goal in places(goals))
    if unit.kind in SEA:
        return ways(view.sea, unit.place, s.chart.stats[unit.kind].move - unit.used)
    # Blitzes last: a player who names no way means one through friends, if there is one.
    paths = ways(view.ways.land, unit.place, s.chart.stats[unit.kind].move)
    return sorted(paths, key=lambda path: len(path) > LONGEST and view.foreign >> path[1] & 1)


def moves(s: State, f: Turn, view: Sight, *, combat: bool) -> Iterator[Move]:
    """All legal moves."""
    for numbers in movers(s, combat=combat).values():
        yield from moves_of(s, f, view, numbers, combat=combat)


LAND_KINDS = tuple(kind for kind in KINDS if kind in LAND)
AIR_KINDS = tuple(kind for kind in KINDS if kind in AIR)
SEA_KINDS = tuple(kind for kind in KINDS if kind in SEA)


class Moves(Choice[State, Turn, Move]):
    combat: ClassVar[bool] = True

    def first(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Pick]:
        view = look(s)
        for key, numbers in movers(s, combat=self.combat).items():
            if next(moves_of(s, f, view, numbers, combat=self.combat), None) is not None:
                yield Pick(key, numbers)

    def barred(self, s: State, f: Turn, seat: str, thing: str) -> Violation | None:
        if self.combat:
            sea = "; it crosses the sea aboard a transport only" if _on_land(s, thing) else ""
            why = f"has moved or been loaded, or finds nothing to attack within its reach{sea}"
            return idle(s, thing, "AA-5.1", why)
        return idle(s, thing, "AA-8.1", "has moved, fought or been loaded in this turn, or can go nowhere")

    def picked(self, s: State, f: Turn, seat: str, own: Known, pick: Sequence[int]) -> Iterator[Move]:
        return moves_of(s, f, look(s), pick, combat=self.combat)

    def check(self, s: State, f: Turn, seat: str, order: Move, proof: Known) -> Violation | None:
        found = judge(s, f, look(s), order, combat=self.combat)
        return found if isinstance(found, Violation) else None

    def apply(self, s: State, f: Turn, seat: str, order: Move, out: Out) -> Next:
        """AA-5.1, AA-5.3, AA-5.8, AA-5.9, AA-5.13, AA-5.29, AA-5.32, AA-6.47."""
        view = look(s)
        number = mover(s, order, combat=True)
        unit, path, goal = s.units[number], order.path, order.path[-1]
        remember_all(f, s, number)
        spaces = s.chart.air[path[0]][goal] if unit.kind in AIR else len(path) - 1
        if unit.kind is CARRIER:
            launch(s, f, number)
        elif unit.kind is TRANSPORT and view.armed >> goal & 1:
            spaces = 2 - unit.used  # AA-5.13: it has to stop
        if is_zone(goal) and view.foes >> goal & 1 and not view.armed >> goal & 1 and goal not in s.attacked:
            leaves = unit.kind is TRANSPORT or (unit.kind in SEA and sea_moves.excused(s, f, view, number))
            if not leaves:
                s.attacked = tuple(sorted((*s.attacked, goal)))  # AA-5.3
        used, did = unit.used + spaces, unit.did | MOVED
        origin = path[-2] if unit.kind not in AIR else NONE
        s.become(number, unit, Unit(unit.power, unit.kind, goal, unit.number, NONE, used, did, origin, unit.target))
        if len(path) == 3 and unit.kind is TANK and view.foreign >> path[1] & 1:
            f.held[path[1]] = s.control[path[1]]
        if out.wanted:
            out.add(Moved(power=f.power, unit=unit.kind, number=unit.number, path=path, combat=True, rule="AA-5.1"))
        return STAY


def _on_land(s: State, thing: str) -> bool:
    """Does what is clicked stand for land units?"""
    return any(s.key(s.units[each]) == f"u:{thing}" for kind in LAND_KINDS for each in s.ground.of[s.active, kind])


class Attacks(Choice[State, Turn, Attack]):
    """AA-5.19."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Attack]:
        view = look(s)
        return (Attack(zone) for zone in weak(view) if declare(s, view, zone) is None)

    def check(self, s: State, f: Turn, seat: str, order: Attack, proof: Known) -> Violation | None:
        return declare(s, look(s), order.zone)

    def apply(self, s: State, f: Turn, seat: str, order: Attack, out: Out) -> Next:
        s.attacked = tuple(sorted((*s.attacked, order.zone)))
        out.add(Declared(power=f.power, zone=order.zone, attack=True, rule="AA-5.19"))
        return STAY


class Ignores(Choice[State, Turn, Ignore]):
    """AA-5.19."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Ignore]:
        view = look(s)
        return (Ignore(zone) for zone in weak(view) if withdraw(s, f, view, zone) is None)

    def check(self, s: State, f: Turn, seat: str, order: Ignore, proof: Known) -> Violation | None:
        return withdraw(s, f, look(s), order.zone)

    def apply(self, s: State, f: Turn, seat: str, order: Ignore, out: Out) -> Next:
        s.attacked = tuple(zone for zone in s.attacked if zone != order.zone)
        s.ignored = (*s.ignored, order.zone)
        out.add(Declared(power=f.power, zone=order.zone, attack=False, rule="AA-5.19"))
        return STAY


def weak(view: Sight) -> Iterator[int]:
    """Zones with enemy submarines and transports alone."""
    return filter(is_zone, places(view.foes & ~view.armed))


class Promises(Choice[State, Turn, Promise]):
    """AA-5.37."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Promise]:
        return promises(s, look(s))

    def check(self, s: State, f: Turn, seat: str, order: Promise, proof: Known) -> Violation | None:
        return check_promise(s, look(s), order)

    def apply(self, s: State, f: Turn, seat: str, order: Promise, out: Out) -> Next:
        promise(s, order, out)
        return STAY


class Firsts(Choice[State, Turn, First]):
    """AA-6.2."""

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[First]:
        return (First(place) for place in fields(s, look(s)) if place not in s.order)

    def check(self, s: State, f: Turn, seat: str, order: First, proof: Known) -> Violation | None:
        found = fields(s, look(s))
        if order.place not in found:
            return Violation(
                "AA-6.2",
                f"There is no battle in {s.where(order.place)}; battles: {', '.join(map(s.where, found)) or 'none'}",
            )
        if order.place in s.order:
            return Violation("AA-6.2", f"{s.where(order.place)} already has its place in the order of battles")
        return None

    def apply(self, s: State, f: Turn, seat: str, order: First, out: Out) -> Next:
        s.order = (*s.order, order.place)
        return STAY


MOST_RECALLS = 3
"""The last one ends the phase, so that no phase goes on for ever."""


class Recalls(Choice[State, Turn, Recall]):
    """All is taken back (AA-5.1), so that a phase that cannot end as it stands can be played again."""

    rule = "AA-5.1"

    def is_stuck(self, s: State, f: Turn) -> bool:
        return bool(duties(s, f, look(s)))

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Recall]:
        if len(f.before) and self.is_stuck(s, f):
            yield Recall()

    def why(self, s: State, f: Turn, seat: str, order: Recall) -> Violation:
        if not len(f.before):
            return Violation(self.rule, "Nothing has been moved")
        return Violation(self.rule, "Nothing has to be taken back: the phase can end with `done`")

    def apply(self, s: State, f: Turn, seat: str, order: Recall, out: Out) -> Next:
        """AA-5.14."""
        recall(s, f, out)
        s.attacked = s.ignored = s.order = ()
        s.promises = ()
        if f.recalls < MOST_RECALLS:
            return STAY
        flee(s, f, out)
        return DONE


class Finishes(Choice[State, Turn, Finish]):
    def duties(self, s: State, f: Turn) -> list[Violation]:
        return duties(s, f, look(s))

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Finish]:
        if not self.duties(s, f):
            yield Finish()

    def why(self, s: State, f: Turn, seat: str, order: Finish) -> Violation:
        return self.duties(s, f)[0]

    def apply(self, s: State, f: Turn, seat: str, order: Finish, out: Out) -> Next:
        return DONE


class CombatMove(Decide[State, Turn, CombatOrder]):
    name = "combat"
    rule = "AA-5.1"
    choices = (Finishes, Recalls, Moves, Loads, Lands, Attacks, Ignores, Firsts, Promises)

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS[f.power]

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        declared = ", ".join(map(s.where, fields(s, look(s)))) or "none yet"
        open_ = duties(s, f, look(s))
        rest = f" Before you can end it: {open_[0].reason}." if open_ else " End with `done`."
        taken = f" Taken on the way: {', '.join(map(s.where, f.held))}." if len(f.held) else ""
        return f"Round {s.round}, {TITLES[f.power]}: combat move. Battles: {declared}.{taken}{rest}"

    def says(self, s: State, f: Turn, seat: str, order: Order) -> str:
        if not isinstance(order, Finish):
            return ""
        view, found = look(s), fields(s, look(s))
        fought = [s.where(place) for place in found if view.foes >> place & 1]
        empty = [s.where(place) for place in dict.fromkeys((*found, *f.held)) if not view.foes >> place & 1]
        does = []
        if fought:
            does.append(f"the {'battle' if len(fought) == 1 else 'battles'} in {all_of(fought)} will be fought now")
        if empty:
            does.append(f"you take {all_of(empty)}, where no enemy stands")
        return (
            f"End your combat move: {all_of(does) or 'there is no battle in this turn'}; your non-combat move follows"
        )


def recall(s: State, f: Turn, out: Out) -> None:
    """AA-5.1, AA-8.1: all units of this phase go back to what they were."""
    f.recalls += 1
    for number, unit in f.before.items():
        s.put(number, unit)
    f.before, f.held = Rows(), Rows()
    out.add(Recalled(power=f.power, rule="AA-5.1"))


def flee(s: State, f: Turn, out: Out) -> None:
    """AA-5.14: transports that may not stay alone among enemy warships leave, each to the first zone that it can."""
    view = look(s)
    for number in tuple(s.ground.of[s.active, TRANSPORT]):
        unit = s.units[number]
        ways = view.sea[unit.place] & ~view.armed
        if view.armed >> unit.place & 1 and ways and not able(s, unit.place):
            goal = next(places(ways))
            s.change(number, place=goal, used=1, origin=unit.place, did=MOVED)
            out.add(
                Moved(
                    power=f.power,
                    unit=unit.kind,
                    number=unit.number,
                    path=(unit.place, goal),
                    combat=True,
                    rule="AA-5.14",
                )
            )


class CloseCombatMove(Auto[State, Turn]):
    """Blitzed territories change hands (AA-5.8), promises are made known (AA-5.37), and battles are listed (AA-6.2)."""

    name = "close_combat"
    rule = "AA-5.9"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        promise_plan(s, out)
        for place in f.held:
            capture(s, place, f.power, out)
        s.battles = fields(s, look(s))
        f.forget()
        return DONE


STEPS = (CombatMove(), CloseCombatMove())
