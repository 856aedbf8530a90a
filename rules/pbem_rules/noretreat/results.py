"""NR-9.34 to NR-9.42 What a result does: conversions by fortified units and Volkssturm, losses, retreats."""

from __future__ import annotations

from pbem.game import DONE, Auto, Call, Goto, Next, Out
from pbem_rules.noretreat.battle import RollDie, present
from pbem_rules.noretreat.chart import other
from pbem_rules.noretreat.frames import Battle, Losses, Retreat
from pbem_rules.noretreat.losses import send, takers
from pbem_rules.noretreat.odds import fight_of, holding
from pbem_rules.noretreat.state import CAPTURED, DESTROYED, VOLKSSTURM, Fight, State

GROUND_WON = ("DR", "DS", "DD")


def plan_of(s: State, fight: Fight, defender: str) -> tuple[str, ...]:
    """The losses and retreats of a result, in order."""
    result, held = fight.result, holding(s, fight)
    free = [place for place in fight.target if place not in held]
    work: list[str] = []
    if result == "EX":
        work = [f"lose:{fight.side}", f"lose:{defender}"]
    elif result == "DR":
        work = [f"back:{place}" for place in free]
        if not fight.unfortified:
            work += [f"volkssturm:{unit}" for unit in fight.defenders if s.unit(unit).volkssturm]
    elif result == "DS":
        work = [f"shatter:{place}" for place in free]
        if held:
            work += [f"lose:{fight.side}", f"lose:{defender}"]
    elif result == "DD":
        work = [f"step:{unit}" for unit in fight.defenders if not _surrenders(s, fight, unit, held)]
        work += [f"back:{place}" for place in free]
    return tuple(work)


def _surrenders(s: State, fight: Fight, unit: int, held: tuple[int, ...]) -> bool:
    """NR-6.9: it will be captured whole instead of retreating, and loses no step before."""
    return not s.supplied(unit) and not fight.free_retreat and s.at(unit) not in held


class Resolve(Auto[State, Battle]):
    """NR-9.34 to NR-9.40."""

    name = "resolve"
    rule = "NR-9.25"

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).result != "duel"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        if fight.result == "DS" and len(holding(s, fight)) == len(fight.target):
            fight.result = "EX"  # NR-9.40: nobody pursues, and what asks for an exchange finds one
        f.work = plan_of(s, fight, other(fight.side))
        return DONE


class Work(Auto[State, Battle]):
    """One loss or retreat after another (NR-9.34 to NR-9.42, NR-13.38A)."""

    name = "work"
    rule = "NR-9.25"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        while f.work:
            code, _, what = f.work[0].partition(":")
            f.work = f.work[1:]
            if code == "duel":
                if all(present(s, units) for units in (fight.units, fight.defenders)):
                    fight.result = ""
                    return Goto(RollDie)
                return DONE
            frame = self.frame_for(s, fight, code, what, out)
            if frame is not None:
                return Call(frame, again=True)
        return DONE

    @staticmethod
    def frame_for(s: State, fight: Fight, code: str, what: str, out: Out) -> Losses | Retreat | None:
        defender = other(fight.side)
        if code in ("lose", "extra"):
            units = present(s, fight.units if what == fight.side else fight.defenders)
            cadre = code != "extra" and fight.result in ("EX", "DD", "DS")  # NR-1.26
            return Losses(what, units, 1, takers(s, units, attacks=what == fight.side), cadre)
        if code == "step":
            unit = int(what)
            return Losses(defender, (unit,), 1, cadre=True) if s.on_map(unit) else None
        if code == "volkssturm":
            unit = int(what)
            if s.on_map(unit):
                send(s, unit, VOLKSSTURM, "given up", "NR-1.29", out)
            return None
        place = int(what)
        units = tuple(unit for unit in present(s, fight.defenders) if s.at(unit) == place)
        return Retreat(defender, place, units, shattered=code == "shatter") if units else None


class After(Auto[State, Battle]):
    """NR-13.11S: steps that both sides lose when all is over."""

    name = "after"
    rule = "NR-13.11S"

    def when(self, s: State, f: Battle) -> bool:
        return fight_of(s).steps_after > 0

    def run(self, s: State, f: Battle, out: Out) -> Next:
        fight = fight_of(s)
        f.work = (f"extra:{fight.side}", f"extra:{other(fight.side)}")
        return DONE


class AfterWork(Work):
    name = "after_work"


__all__ = ["CAPTURED", "DESTROYED", "GROUND_WON", "After", "AfterWork", "Resolve", "Work", "holding", "plan_of"]
