"""S42-11: determined defence: who may try it, who leads, what changes the roll, and what an entry of its table says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from pbem.game import Violation
from pbem.kit import Shift
from pbem_rules.stalingrad42.chart import ASU, SOVIET, STAR, Result
from pbem_rules.stalingrad42.combat.odds import TWICE, Attack, fort_for
from pbem_rules.stalingrad42.state import GOOD, State

SUCCESS, PARTIAL, FAILURE = "S", "P", "F"
_ENTRY = re.compile(r"([SPF]) ([-0-9])(\*?)/([-0-9])")


class Entry(NamedTuple):
    """S42-11.4.1: what a roll brings, and the steps that it costs."""

    outcome: str
    attacker: int
    defender_picks: bool  # the attacker's loss
    defender: int


def entry_of(text: str) -> Entry:
    match = _ENTRY.fullmatch(text)
    assert match is not None, text
    outcome, attacker, star, defender = match.groups()
    return Entry(outcome, 0 if attacker == "-" else int(attacker), bool(star), 0 if defender == "-" else int(defender))


def result_of(s: State, cell: str) -> Result:
    """What a cell of the results table means, starred or not."""
    return s.chart.results[cell.removesuffix(STAR)]


def leads(s: State, units: Iterable[int]) -> tuple[int, ...]:
    """S42-11.2.3: those who can lead: combat units in good order, on no train, that are no artillery support."""
    return tuple(u for u in units if s.projects(u) and not s.has(u, ASU) and s.pieces[u].order == GOOD)


def favoured(found: Attack) -> bool:
    """S42-11.1.2a: was the defence doubled, or given a column by ground, fort or tanks that nobody met?"""
    doubled = any(factor.by == TWICE for part in found.defenders for factor in part.factors)
    return doubled or any(shift.by < 0 for shift in found.reckoned.shifts)


def refuse_stand(s: State, helped: bool, cell: str, target: int, lead: int, *, desperate: bool) -> Violation | None:
    """S42-11.1.1, S42-11.1.2, S42-11.2.2: why the unit may not lead against a result. `helped`: `favoured`."""
    side = s.side(lead)
    if not result_of(s, cell).stand:
        return Violation("S42-11.2.2a", f"{cell} allows no determined defence")
    if lead not in leads(s, [lead]):
        return Violation("S42-11.2.3", f"{s.code(lead)} cannot lead: it is disrupted, on a train, or support")
    if STAR in cell and target not in s.chart.prizes and not desperate:
        return Violation(
            "S42-11.2.2b",
            f"Against {cell}, determined defence is possible only in victory hexes or in desperate defence",
        )
    first = s.chart.track.marked("stand")[0]
    if side == SOVIET and s.turn < first and not (desperate or s.has(lead, "nkvd") or helped):
        return Violation(
            "S42-11.1.2",
            f"Before turn {first}, Soviet units need NKVD to lead, doubling, a column shift, or desperate defence",
        )
    return None


def modifiers(s: State, lead: int, target: int, *, support: bool, star: bool) -> tuple[Shift, ...]:
    """S42-11.2.4: what is added to the roll. Germans in a fort or city count as elite, whatever they are."""
    chart, side = s.chart, s.side(lead)
    sheltered = fort_for(s, target, side) or chart.is_city(target)
    quality = "elite" if s.has(lead, "elite") else "low" if s.has(lead, "low") else ""
    if chart.nation(lead) == "german" and sheltered:
        quality = "elite"
    reasons = (
        (quality == "elite", "elite", "S42-11.2.4a", f"{s.code(lead)} counts as elite"),
        (quality == "low", "low", "S42-11.2.4a", f"{s.code(lead)} is of low quality"),
        (support, "support", "S42-11.3", "support"),
        (star, "star", "S42-11.2.2b", "the starred result"),
    )
    return tuple(Shift(chart.stand_drm[key], rule, why) for given, key, rule, why in reasons if given)


def stand(s: State, lead: int, target: int, die: int, *, support: bool = False, star: bool = False) -> Entry:
    """S42-11.2.1: the entry of a roll, by the hex and the modified die; beyond the table its last rows count."""
    chart = s.chart
    column = chart.stand_column(target, fort_for(s, target, s.side(lead)), s.rained)
    total = die + sum(shift.by for shift in modifiers(s, lead, target, support=support, star=star))
    return entry_of(chart.stand.at(total, chart.stand.column(column)))
