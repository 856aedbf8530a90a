"""The facts of a battle for standing orders, from the board (see standing.py)."""

from __future__ import annotations

from pbem_rules.axis1941.battle_board import at_sea, counted, guns, hits, standing_attackers, standing_defenders
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.standing import Facts
from pbem_rules.axis1941.state import State


def battle_facts(s: State, f: Battle, *, attacking: bool) -> Facts:
    """For the attacker, or for all defenders alike."""
    attackers, defenders = counted(s, f, standing_attackers(f)), counted(s, f, standing_defenders(f))
    table = guns(s)
    ours, theirs = (attackers, defenders) if attacking else (defenders, attackers)
    values = (table.attack, table.defence) if attacking else (table.defence, table.attack)
    side = f.attackers if attacking else f.defenders
    return Facts(
        ours,
        theirs,
        *values,
        table.cost,
        attacking=attacking,
        place=f.place,
        sea=at_sea(f),
        turn=s.round,
        round_=f.round,
        hits=sum(hits(f)),
        landing=attacking and bool(f.landed) and any(each in f.landed for each in f.attackers),
        struck=len([each for each in f.struck if each in side]),
    )
