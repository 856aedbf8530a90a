"""AA-10 Collect income."""

from __future__ import annotations

from pbem.game import DONE, Auto, Next, Out
from pbem_rules.axis1941.events import Collected
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.state import State


class Income(Auto[State, Turn]):
    rule = "AA-10.1"

    def when(self, s: State, f: Turn) -> bool:
        return not s.capital_lost(f.power)  # AA-10.2, and AA-6.65: it may be free again by now

    def run(self, s: State, f: Turn, out: Out) -> Next:
        income = s.production(f.power)
        s.ipc[f.power] += income
        if out.wanted:
            out.add(Collected(power=f.power, income=income, ipc=s.ipc[f.power], rule=self.rule))
        return DONE
