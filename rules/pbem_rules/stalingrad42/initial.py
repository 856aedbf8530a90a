"""S42-3.B1: what happens by itself as a side's turn begins."""

from __future__ import annotations

from dataclasses import replace

from pbem.game import DONE, Auto, Next, Out
from pbem_rules.stalingrad42.chart import ARMY6, SOVIET
from pbem_rules.stalingrad42.events import Freed
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.passing import push_railheads
from pbem_rules.stalingrad42.state import State


class Begin(Auto[State, PlayerTurn]):
    """S42-3.B1c, S42-5.6.5a: own trains unload. S42-S1.2i: the 6th Reserve Army is free.

    S42-17.3.1: railheads that lie in a Soviet zone are thrown back.
    """

    name = "begin"
    rule = "S42-3.B1"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        for unit in list(s.ground.standing(f.seat)):
            if s.pieces[unit].train:
                s.alter(unit, replace(s.pieces[unit], train=False))
        if f.seat != SOVIET:
            return DONE
        push_railheads(s, out)
        if s.turn >= s.chart.track.marked(ARMY6)[0]:
            freed = tuple(unit for unit, why in s.frozen.items() if why == ARMY6)
            for unit in freed:
                del s.frozen[unit]
            if freed:
                out.add(Freed(units=tuple(map(s.code, freed)), rule="S42-S1.2i"))
        return DONE


__all__ = ["Begin"]
