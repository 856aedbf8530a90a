"""NR-4.1 to NR-4.5 Victory points: what the places and the events count."""

from __future__ import annotations

from pbem.game import Out
from pbem.kit import held_by
from pbem_rules.noretreat.chart import YEAR_45
from pbem_rules.noretreat.events import Scored
from pbem_rules.noretreat.state import State

MOST_EVENTS = 6  # NR-4.5


def places_of(s: State, side: str) -> int:
    """NR-4.2: the points of the places that a side controls."""
    held = held_by(s.holders, side, s.chart.points)
    return sum(1 for place in held if s.turn < YEAR_45 or s.chart.points[place].reich)


def points(s: State, side: str | None = None) -> int:
    """NR-4.1: the total of the side with the initiative; of the other, its places less what the events gave."""
    who = side or s.initiative
    return places_of(s, who) + (s.event_vp if who == s.initiative else -s.event_vp)


def score(s: State, side: str, count: int, why: str, rule: str, out: Out) -> None:
    """Victory points that a side gains by an event, or loses if `count` is negative (NR-4.3 to NR-4.5)."""
    signed = count if side == s.initiative else -count
    s.event_vp = max(-MOST_EVENTS, min(MOST_EVENTS, s.event_vp + signed))
    out.add(Scored(points=signed, why=why, total=points(s), rule=rule))
