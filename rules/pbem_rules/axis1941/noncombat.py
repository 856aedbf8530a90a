"""AA-8 Non-combat move: the rest moves, aircraft land, transports load and unload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.event import Out
from pbem.engine.need import Known
from pbem.engine.order import Violation
from pbem.engine.step import DONE, STAY, Auto, Decide, Next
from pbem_rules.axis1941 import transports
from pbem_rules.axis1941.carriers import launch, settle
from pbem_rules.axis1941.combat_move import MOST_RECALLS, judge, mover, moves, recall
from pbem_rules.axis1941.events import Moved
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.homing import flights
from pbem_rules.axis1941.landing import homeless, sworn
from pbem_rules.axis1941.moving import listed, remember_all, titled
from pbem_rules.axis1941.orders import Finish, Home, Land, Load, Move, Recall
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
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
            found.append(
                Violation("AA-5.38", f"The {titled(unit)} was promised for {s.where(promise.zone)} and must go there")
            )
    lost = homeless(s)
    if lost:
        where = listed(s, sorted({s.units[each].place for each in lost}))
        found.append(Violation("AA-8.10", f"Aircraft that could be saved have not landed: {where}"))
    return found


class NonCombat(Decide[State, Turn, QuietOrder]):
    name = "noncombat"
    rule = "AA-8.1"
    takes = (Move, Load, Land, Home, Recall, Finish)

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS[f.power]

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        open_ = duties(s, look(s))
        rest = f" Before `done`: {open_[0].reason}." if open_ else " End with `done`."
        return f"Round {s.round}, {TITLES[f.power]}: non-combat move.{rest}"

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[QuietOrder]:
        view = look(s)
        if not duties(s, view):
            yield Finish()
        elif len(f.before):
            yield Recall()
        if not f.homed:
            yield Home()
        yield from moves(s, f, view, combat=False)
        yield from transports.orders(s, view, combat=False)

    def check(self, s: State, f: Turn, seat: str, order: QuietOrder, proof: Known) -> Violation | None:
        view = look(s)
        if isinstance(order, Move):
            found = judge(s, f, view, order, combat=False)
            return found if isinstance(found, Violation) else None
        if isinstance(order, Load):
            return transports.check_load(s, view, order, combat=False)
        if isinstance(order, Land):
            return transports.check_land(s, view, order, combat=False)
        if isinstance(order, Home):
            return Violation("AA-8.5", "That was ordered already in this phase") if f.homed else None
        open_ = duties(s, view)
        if isinstance(order, Finish):
            return open_[0] if open_ else None
        if not len(f.before):
            return Violation("AA-8.1", "Nothing has been moved")
        return None if open_ else Violation("AA-8.1", "Nothing has to be taken back: the phase can end with `done`")

    def apply(self, s: State, f: Turn, answers: Mapping[str, QuietOrder], out: Out) -> Next:
        order = answers[f.power]
        if isinstance(order, Move):
            self._shift(s, f, mover(s, order, combat=False), order.path, out)
            return STAY
        if isinstance(order, Load):
            transports.load(s, f, order, out, combat=False)
        elif isinstance(order, Land):
            transports.land(s, f, order, out, combat=False)
        elif isinstance(order, Home):
            f.homed = True
            self._home(s, f, out)
        elif isinstance(order, Recall):
            recall(s, f, out)
            f.homed = False
            if f.recalls == MOST_RECALLS:
                self._home(s, f, out)
                return DONE
        else:
            return DONE
        return STAY

    @staticmethod
    def _home(s: State, f: Turn, out: Out) -> None:
        for number, path in flights(s, f):
            NonCombat._shift(s, f, number, path, out)

    @staticmethod
    def _shift(s: State, f: Turn, number: int, path: tuple[int, ...], out: Out) -> None:
        """AA-5.13, AA-5.32, AA-8.1, AA-8.15."""
        unit, goal = s.units[number], path[-1]
        remember_all(f, s, number)
        if unit.kind is CARRIER:
            launch(s, f, number)
        spaces = s.chart.air[path[0]][goal] if unit.kind in AIR else len(path) - 1
        used, did = unit.used + spaces, unit.did | SHIFTED
        s.become(
            number, unit, Unit(unit.power, unit.kind, goal, unit.number, NONE, used, did, unit.origin, unit.target)
        )
        if out.wanted:
            rule = "AA-8.5" if unit.kind in AIR else "AA-8.1"
            out.add(Moved(power=f.power, unit=unit.kind, number=unit.number, path=path, combat=False, rule=rule))


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
