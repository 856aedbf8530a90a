"""S42-10.2, S42-10.3: who can be chosen to lose a step, whom one chooses, and what becomes of the unit."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.game import Out
from pbem_rules.stalingrad42.chart import ASU, AXIS
from pbem_rules.stalingrad42.events import StepLost
from pbem_rules.stalingrad42.odds import defenders_of
from pbem_rules.stalingrad42.state import ROUTED, State


def lose_step(s: State, unit: int, rule: str, out: Out) -> None:
    out.add(StepLost(unit=s.code(unit), hex=s.at(unit), left=s.pieces[unit].steps - 1, rule=rule))
    s.lose_step(unit)


def may_lose(s: State, place: int, side: str) -> tuple[int, ...]:
    """S42-10.2.1, S42-10.2.3, S42-20.5.2: the defenders of a hex out of which the enemy chooses one.

    Nobody in Full Retreat or who has retreated there, and support only if nobody else is left.
    """
    there = [u for u in defenders_of(s, place, side) if s.pieces[u].order != ROUTED and u not in s.fled]
    line = [unit for unit in there if not s.has(unit, ASU)] or there
    whole = any(_german(s, unit) and s.pieces[unit].steps == s.counter(unit).steps for unit in line)
    kept = [unit for unit in line if not (whole and side == AXIS and _last_of_ally(s, unit))]
    return tuple(kept)


def _german(s: State, unit: int) -> bool:
    return s.chart.nation(unit) == "german"


def _last_of_ally(s: State, unit: int) -> bool:
    """S42-20.5.2: a reduced ally that the step would destroy."""
    return not _german(s, unit) and s.pieces[unit].steps == 1 < s.counter(unit).steps


def worth(s: State, unit: int) -> int:
    """Of the face that shows: attack and defence, more for tanks (Appendix A)."""
    face = s.face(unit)
    return face.attack + face.defence + (3 if s.has(unit, "red") else 1 if s.has(unit, "black") else 0)


def drop(s: State, unit: int) -> int:
    """What a step loss costs: the worth that it takes, all of a unit that is destroyed, more if one step is left."""
    steps = s.pieces[unit].steps
    if steps == 1:
        return worth(s, unit)
    now, then = s.face(unit), s.counter(unit).face(steps - 1)
    return now.attack + now.defence - then.attack - then.defence + 2 * (steps == 2)


def dearest(s: State, units: Sequence[int]) -> int:
    """DP-25, the opponent's choice: a unit that dies, else elite tanks, else whom it costs most."""
    return max(units, key=lambda u: (s.pieces[u].steps == 1, s.has(u, "red"), drop(s, u), -u))


__all__ = ["dearest", "drop", "lose_step", "may_lose", "worth"]
