"""Stacks by several counts at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.stacking import Cap, each, excess, fits


def ordinary(stack):
    """Small letters are units; of the capital ones the first is free."""
    free = sum(1 for unit in stack if unit.isupper())
    return len(stack) - min(free, 1)


def tanks(stack):
    return stack.count("t")


UNITS = Cap("T-4.1", 3, "units", ordinary)
TANKS = Cap("T-4.3", 2, "tank corps", tanks)
stacks = st.lists(st.sampled_from("abtA"), max_size=6)


def test_one_of_a_kind_is_free():
    assert fits("abc", "A", [UNITS])
    assert not fits("abc", "d", [UNITS])
    assert not fits("abA", "AB", [UNITS])
    assert each("abc") == 3


def test_what_stands_too_thick_already_stays_as_it_is():
    assert excess("ttttt", [UNITS, TANKS]) == ((UNITS, 2), (TANKS, 3))
    assert fits("abcde", "A", [UNITS])
    assert not fits("abcde", "f", [UNITS])


@given(stacks, stacks)
def test_what_fits_breaks_nothing_new(stack, more):
    caps = [UNITS, TANKS]
    together = excess([*stack, *more], caps)
    assert fits(stack, more, caps) == all(cap.count(stack) >= cap.count([*stack, *more]) for cap, _ in together)
    if not excess(stack, caps) and fits(stack, more, caps):
        assert not excess([*stack, *more], caps)
