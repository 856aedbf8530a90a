"""The sequence of play (AA-3)."""

from __future__ import annotations

from typing import Any

from pbem.game import DONE, Auto, Call, Next, Out, Rows, Sequence
from pbem_rules.axis1941 import battles, combat_move, displaced, noncombat
from pbem_rules.axis1941.events import TurnBegan
from pbem_rules.axis1941.frames import Turn, War
from pbem_rules.axis1941.income import Income
from pbem_rules.axis1941.mobilise import Mobilise, strand
from pbem_rules.axis1941.purchase import Purchase
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import OTHER, POWERS, SIDE
from pbem_rules.axis1941.victory import Victory


class NextTurn(Auto[State, War]):
    rule = "AA-3.1"

    def run(self, s: State, f: War, out: Out) -> Next:
        power = POWERS[f.next]
        if f.next == 0:
            s.round += 1
        f.next = (f.next + 1) % len(POWERS)
        return Call(Turn(power), again=True)


class BeginTurn(Auto[State, Turn]):
    """AA-3.6: what the turn has to remember of its beginning."""

    rule = "AA-3.6"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        s.active = f.power
        side = SIDE[f.power]
        s.seas = tuple(places(s.ground.masks[OTHER[side]][1]))
        if out.wanted:
            out.add(
                TurnBegan(
                    round=s.round, power=f.power, ipc=s.ipc[f.power], capital=not s.capital_lost(f.power), rule="AA-3.1"
                )
            )
        return DONE


class EndMobilise(Auto[State, Turn]):
    rule = "AA-8.11"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        strand(s, f.power, out)
        return DONE


class EndTurn(Auto[State, Turn]):
    """What belongs to the turn is forgotten (AA-3.2, AA-3.6, AA-9.3)."""

    rule = "AA-3.2"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        s.forget()
        if len(s.was):
            s.was = Rows()
        if len(s.bought):
            s.bought = Rows()
        if len(s.placed):
            s.placed = Rows()
        s.seas = s.attacked = s.ignored = s.order = s.battles = ()
        s.promises, s.settled = (), ()
        return DONE


# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(War,                                                       # AA-3.1
        NextTurn()),
    Sequence(Turn,                                                      # AA-3.2
        BeginTurn(), Purchase(), *combat_move.STEPS,
        *battles.STEPS, *displaced.STEPS, *noncombat.STEPS,
        Mobilise(), EndMobilise(), Income(), EndTurn(), Victory()),
    *battles.SEQUENCES,
    *displaced.SEQUENCES,
)
# fmt: on
