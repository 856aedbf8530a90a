"""S42-11: determined defence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, SOVIET, number, position

from pbem.kit import Shift
from pbem_rules.stalingrad42.combat.determined import (
    entry_of,
    favoured,
    leads,
    modifiers,
    refuse_stand,
    stand,
)
from pbem_rules.stalingrad42.combat.odds import attack
from pbem_rules.stalingrad42.state import DISRUPTED, ROUTED, State


def refused(s: State, cell: str, target: int, lead: str, *codes: str, desperate: bool = False) -> str:
    unit = number(lead)
    found = attack(s, [number(code) for code in codes], target, s.side(unit))
    violation = refuse_stand(s, favoured(found), cell, target, unit, desperate=desperate)
    return violation.rule if violation else ""


def test_s42_11_4_1_entries() -> None:
    assert tuple(entry_of("F -/1")) == ("F", 0, False, 1)
    assert tuple(entry_of("P -/-")) == ("P", 0, False, 0)
    assert tuple(entry_of("S 1*/-")) == ("S", 1, True, 0)
    assert tuple(entry_of("S 1/1")) == ("S", 1, False, 1)


def test_s42_11_2_1c_an_elite_division_leads_in_the_woods() -> None:
    """Two and one for elite: F -/-; four and one: S -/1."""
    s = position(("13GRD", 2602), ("45RD", 2602))
    lead = number("13GRD")
    assert stand(s, lead, 2602, 2) == entry_of("F -/-")
    assert stand(s, lead, 2602, 4) == entry_of("S -/1")
    assert stand(s, number("45RD"), 2602, 2) == entry_of("F -/-")
    assert stand(s, number("45RD"), 2602, 4) == entry_of("P -/-")


def test_s42_11_2_1b_the_column_goes_by_hex_and_fort() -> None:
    s = position(("45RD", 3418))
    lead = number("45RD")
    assert stand(s, lead, 3418, 5) == entry_of("P -/1")
    s.forts[3418] = SOVIET
    assert stand(s, lead, 3418, 5) == entry_of("S -/1")
    s.forts[3418] = AXIS
    assert stand(s, lead, 3418, 5) == entry_of("P -/1")
    s.put(lead, 2503)
    assert stand(s, lead, 2503, 5) == entry_of("S 1/1")
    s.put(lead, 3532)
    assert stand(s, lead, 3532, 5) == entry_of("P -/1")
    s.rained = True
    assert stand(s, lead, 3532, 5) == entry_of("S -/1")  # marsh by then


def test_s42_11_2_3_5_6_4b_13_2_1c_13_3_2a_who_can_lead() -> None:
    s = position(
        ("45RD", 3418), ("62RD", 3418), ("Bryansk-HQ", 3418), ("Sup-S1", 3418), ("10TB", 3418), ("121RD", 3418)
    )
    for code, change in (("62RD", {"order": DISRUPTED}), ("10TB", {"train": True}), ("121RD", {"order": ROUTED})):
        s.alter(number(code), replace(s.pieces[number(code)], **change))
    assert leads(s, s.of(SOVIET, 3418)) == (number("45RD"),)


def test_s42_11_2_4a_11_2_4b_what_changes_the_roll() -> None:
    s = position(("45ID", 3417), ("454Sec", 3417), ("6LHun", 3417), ("9Pz", 3417), ("9NKVD", 3806))

    def drm(code: str, place: int = 3417, *, support: bool = False, star: bool = False) -> int:
        return sum(shift.by for shift in modifiers(s, number(code), place, support=support, star=star))

    assert [drm(code) for code in ("45ID", "454Sec", "6LHun", "9Pz", "9NKVD")] == [0, -1, -1, 1, 1]
    assert (drm("45ID", support=True), drm("45ID", star=True), drm("9Pz", support=True, star=True)) == (1, -1, 1)
    assert [drm(code, 1015) for code in ("45ID", "454Sec", "6LHun", "9Pz")] == [1, 1, -1, 1]  # S42-11.2.4b, a city
    s.forts[3417] = AXIS
    assert [drm(code) for code in ("45ID", "454Sec", "6LHun")] == [1, 1, -1]
    assert drm("45ID", 2528) == 0  # a printed fort is none for the Axis


@pytest.mark.parametrize("cell", ["DS", "DR4", "EX", "A1"])
def test_s42_11_2_2a_results_that_leave_no_defence(cell: str) -> None:
    s = position(("45ID", 3418), ("16TC", 3417))
    assert refused(s, cell, 3418, "45ID", "16TC") == "S42-11.2.2a"


def test_s42_11_1_1_the_axis_stands_against_every_other() -> None:
    s = position(("45ID", 3418), ("16TC", 3417))
    for cell in ("A1/DR2", "DR2", "A1/D1", "DRX", "D1"):
        assert not refused(s, cell, 3418, "45ID", "16TC")
    s.alter(number("45ID"), replace(s.pieces[number("45ID")], order=DISRUPTED))
    assert refused(s, "DR2", 3418, "45ID", "16TC") == "S42-11.2.3"


def test_s42_11_2_2b_a_star_leaves_victory_hexes_and_desperate_defence() -> None:
    s = position(("45ID", 3418), ("16TC", 3417), ("95ID", 2013))
    assert refused(s, "D1*", 3418, "45ID", "16TC") == "S42-11.2.2b"
    assert not refused(s, "D1*", 3418, "45ID", "16TC", desperate=True)
    s.put(number("16TC"), 2014)
    assert not refused(s, "D1*", 2013, "95ID", "16TC")


def test_s42_11_1_2a_20_3_before_turn_8_few_soviet_units_stand() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("8NKVD", 3418), turn=7)
    assert refused(s, "DR2", 3418, "45RD", "9Pz") == "S42-11.1.2"
    assert not refused(s, "DR2", 3418, "8NKVD", "9Pz")
    assert not refused(s, "DR2", 3418, "45RD", "9Pz", desperate=True)
    s.turn = 8
    assert not refused(s, "DR2", 3418, "45RD", "9Pz")


def test_s42_11_1_2b_doubled_or_given_a_column() -> None:
    """A fort counts even if the attacker's shifts outweigh it, tanks met by tanks do not."""
    s = position(("45RD", 2618), ("9Pz", 2518), turn=1)
    assert not refused(s, "DR2", 2618, "45RD", "9Pz")  # behind a river
    s = position(("45RD", 2528), ("9Pz", 2527), turn=1)
    assert not refused(s, "DR2", 2528, "45RD", "9Pz")
    outweighed = attack(s, [number("9Pz")], 2528, SOVIET, [Shift(2, "S42-9.4", "artillery")])
    assert favoured(outweighed)
    s = position(("16TC", 3418), ("9Pz", 3417), ("57ID", 3518), turn=1)
    assert refused(s, "DR2", 3418, "16TC", "9Pz") == "S42-11.1.2"
    assert not refused(s, "DR2", 3418, "16TC", "57ID")
