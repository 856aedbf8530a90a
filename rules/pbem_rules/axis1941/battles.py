"""AA-6.1..6.12: which battle is fought next, and who takes part; landings after the battles for their zones."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from pbem.game import DONE, STAY, Auto, Call, Next, Out, Sequence
from pbem_rules.axis1941.battle import AloneOrNot, AnotherRound, Assess, Conclude, Fire, NewRound, NextPhase, Place
from pbem_rules.axis1941.battle_board import gather_land, gather_sea
from pbem_rules.axis1941.battle_losses import Losses, Pay, Settle
from pbem_rules.axis1941.battle_retreat import Withdraw
from pbem_rules.axis1941.battle_subs import Submarines
from pbem_rules.axis1941.capture import capture
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.events import Landed
from pbem_rules.axis1941.frames import Battle, Turn
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.transports import code_of
from pbem_rules.axis1941.units import FOUGHT, LAND, NONE, UNLOADED, Power


def assaults(s: State) -> dict[int, set[int]]:
    """The declared landings that are still to be made (AA-6.1, AA-6.5, AA-6.11): territory -> zones of origin."""
    found: dict[int, set[int]] = {}
    for aboard in s.ground.cargo.values():  # in any order: nobody asks in which these were found
        for each in aboard:
            unit = s.units[each]
            if unit.target != NONE:
                found.setdefault(unit.target, set()).add(unit.place)
    return found


def next_place(s: State, landings: Mapping[int, Set[int]]) -> int:
    """AA-6.1, AA-6.2: assaults first, each after the battles for its zones; within that as the attacker ordered.

    One of `s.battles`, which is not empty.
    """
    rank = {place: number for number, place in reversed(list(enumerate((*s.order, *s.battles))))}
    zones = {zone for origins in landings.values() for zone in origins}
    first = [place for place in s.battles if place in landings or place in zones]
    place = min(first or s.battles, key=lambda each: rank[each])
    before = [zone for zone in landings.get(place, ()) if zone in s.battles]
    return min(before, key=lambda each: rank[each]) if before else place


class NextBattle(Auto[State, Turn]):
    """AA-5.6, AA-6.1 to 6.6: each battle is finished before the next begins."""

    rule = "AA-6.2"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        landings = assaults(s)
        if landings:
            s.battles = (*s.battles, *sorted(place for place in landings if place not in s.battles))
        if not s.battles:
            return DONE
        place = next_place(s, landings)
        s.battles = tuple([each for each in s.battles if each != place])
        battle = Battle(place, f.power)
        if is_zone(place):
            gather_sea(s, battle)
        else:
            gather_land(s, battle, go_ashore(s, f.power, place, out) if place in landings else ())
        if not battle.attackers:
            return STAY
        for each in battle.attackers:
            s.mark(each, FOUGHT)
        if battle.defenders:
            return Call(battle, again=True)
        # AA-6.3: nobody is there. Aircraft alone take nothing (AA-6.54).
        if any(s.units[each].kind in LAND for each in battle.attackers):
            capture(s, place, f.power, out)
        return STAY


def go_ashore(s: State, power: Power, territory: int, out: Out) -> tuple[int, ...]:
    """AA-6.5, AA-6.6, AA-6.10: those aboard that are to assault it; none from a zone that was not won (`Conclude`)."""
    landed = []
    for each in sorted(s.ground.marked):
        unit = s.units[each]
        if unit.target != territory or unit.aboard == NONE:
            continue
        landed.append(each)
        ship, carrier = unit.aboard, s.units[unit.aboard]
        out.add(Landed(power=power, unit=unit.kind, ship=code_of(carrier), to=territory, assault=False, rule="AA-6.6"))
        s.change(each, place=territory, aboard=NONE)
        s.mark(ship, UNLOADED)
    return tuple(landed)


STEPS = (NextBattle(),)
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(
        Battle,
        Place(),
        NewRound(),
        Submarines(),
        Fire(),
        Pay(),
        Losses(),
        Settle(),
        NextPhase(),
        Assess(),
        AloneOrNot(),
        Withdraw(),
        AnotherRound(),
        Conclude(),
    ),
)
