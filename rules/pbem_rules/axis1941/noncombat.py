"""AA-8 Non-combat move: the rest moves, aircraft land, transports load and unload."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.game import DONE, STAY, Auto, Choice, Decide, Known, Next, Order, Out, Rows, Violation
from pbem.kit import all_of
from pbem_rules.axis1941.carriers import launch, settle
from pbem_rules.axis1941.combat_move import MOST_RECALLS, Finishes, Moves, Recalls, mover, recall
from pbem_rules.axis1941.events import Moved
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.homing import flights
from pbem_rules.axis1941.landing import homeless, sworn, sworn_as
from pbem_rules.axis1941.moving import listed, remember_all, titled
from pbem_rules.axis1941.orders import Finish, Home, Land, Load, Move, Recall
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State, copy_of
from pbem_rules.axis1941.transports import Lands, Loads
from pbem_rules.axis1941.units import AIR, CARRIER, FOUGHT, MOVED, NONE, SEATS, SHIFTED, TITLES, Unit

QuietOrder = Move | Load | Land | Home | Recall | Finish


def duties(s: State, view: Sight) -> list[Violation]:
    """What still forbids the end of the phase."""
    found = []
    for promise in s.promises:
        unit = s.units.get(promise.carrier)
        if unit is None or unit.place == promise.zone or unit.did & (MOVED | FOUGHT | SHIFTED):
            continue
        if sworn(s, view, promise.carrier) == promise.zone:
            found.append(Violation("AA-5.38", f"The {titled(unit)} {sworn_as(s, promise.carrier, promise.zone)}"))
    lost = homeless(s)
    if lost:
        where = listed(s, sorted({s.units[each].place for each in lost}))
        found.append(Violation("AA-8.10", f"Aircraft that could be saved have not landed: {where}"))
    return found


def shift(s: State, f: Turn, number: int, path: tuple[int, ...], out: Out) -> None:
    """AA-5.13, AA-5.32, AA-8.1, AA-8.15."""
    unit, goal = s.units[number], path[-1]
    remember_all(f, s, number)
    if unit.kind is CARRIER:
        launch(s, f, number)
    spaces = s.chart.air[path[0]][goal] if unit.kind in AIR else len(path) - 1
    used, did = unit.used + spaces, unit.did | SHIFTED
    s.become(number, unit, Unit(unit.power, unit.kind, goal, unit.number, NONE, used, did, unit.origin, unit.target))
    if out.wanted:
        rule = "AA-8.5" if unit.kind in AIR else "AA-8.1"
        out.add(Moved(power=f.power, unit=unit.kind, number=unit.number, path=path, combat=False, rule=rule))


def go_home(s: State, f: Turn, out: Out) -> None:
    for number, path in flights(s, f):
        shift(s, f, number, path, out)


def landings(s: State, f: Turn) -> list[str]:
    """`fighter from Ukraine to West Russia`: what `home` would bring about, tried on a copy."""
    trial, frame, found = copy_of(s), replace(f, before=Rows(f.before.items()), held=Rows(f.held.items())), []
    for number, path in flights(trial, frame):
        found.append(f"{titled(trial.units[number])} from {s.where(path[0])} to {s.where(path[-1])}")
        shift(trial, frame, number, path, Out(wanted=False))
    return found


class QuietMoves(Moves):
    combat = False

    def apply(self, s: State, f: Turn, seat: str, order: Move, out: Out) -> Next:
        shift(s, f, mover(s, order, combat=False), order.path, out)
        return STAY


class QuietLoads(Loads):
    combat = False


class QuietLands(Lands):
    combat = False


class Homes(Choice[State, Turn, Home]):
    rule = "AA-8.5"
    no = "That was ordered already in this phase"

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Home]:
        if not f.homed:
            yield Home()

    def apply(self, s: State, f: Turn, seat: str, order: Home, out: Out) -> Next:
        f.homed = True
        go_home(s, f, out)
        return STAY


class QuietRecalls(Recalls):
    rule = "AA-8.1"

    def is_stuck(self, s: State, f: Turn) -> bool:
        return bool(duties(s, look(s)))

    def apply(self, s: State, f: Turn, seat: str, order: Recall, out: Out) -> Next:
        recall(s, f, out)
        f.homed = False
        if f.recalls < MOST_RECALLS:
            return STAY
        go_home(s, f, out)
        return DONE


class QuietFinishes(Finishes):
    def duties(self, s: State, f: Turn) -> list[Violation]:
        return duties(s, look(s))


class NonCombat(Decide[State, Turn, QuietOrder]):
    name = "noncombat"
    rule = "AA-8.1"
    choices = (QuietFinishes, QuietRecalls, Homes, QuietMoves, QuietLoads, QuietLands)
    ends = "End your non-combat move: you place what you have bought, and your turn ends"

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS[f.power]

    def says(self, s: State, f: Turn, seat: str, order: Order) -> str:
        if not isinstance(order, Home):
            return super().says(s, f, seat, order)
        found = landings(s, f)
        return f"Land your aircraft: {all_of(found)}" if found else "Land your aircraft: none is in the air any more"

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        open_ = duties(s, look(s))
        rest = f" Before you can end it: {open_[0].reason}." if open_ else " End with `done`."
        return f"Round {s.round}, {TITLES[f.power]}: non-combat move.{rest}"


class CloseNonCombat(Auto[State, Turn]):
    """Aircraft go aboard; those without a place to land are lost."""

    name = "close_noncombat"
    rule = "AA-8.11"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        settle(s, out)
        s.promises = ()
        f.forget()
        return DONE


STEPS = (NonCombat(), CloseNonCombat())
