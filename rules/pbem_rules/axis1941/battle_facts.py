"""The facts of a battle for standing orders (AA-6.18, AA-6.29, AA-6.46), from the board (see standing.py)."""

from __future__ import annotations

from pbem_rules.axis1941.battle_board import at_sea, counted, standing_attackers, standing_defenders, unpaid
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.standing import Facts
from pbem_rules.axis1941.state import State


def battle_facts(s: State, f: Battle, *, attacking: bool) -> Facts:
    """For the attacker, or for all defenders alike."""
    attackers, defenders = counted(s, f, standing_attackers(f)), counted(s, f, standing_defenders(f))
    table = s.chart.guns
    told = {
        "attacking": int(attacking),
        "place": f.place,
        "sea": int(at_sea(f)),
        "turn": s.round,
        "round": f.round,
        "hits": unpaid(f),
        "landing": int(attacking and not set(f.landed).isdisjoint(f.attackers)),
        "struck": len(set(f.struck).intersection(f.attackers if attacking else f.defenders)),
    }
    if attacking:
        return Facts(attackers, defenders, table.attack, table.defence, table.cost, told)
    return Facts(defenders, attackers, table.defence, table.attack, table.cost, told)
