"""Clocks with a bank and days off, held against the calendar."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.umpire.clock import DAY, Debt, charge, due, state, worked
from pbem.umpire.terms import ClockTerms

HOUR = 3_600
WEEKEND = 1 << 5 | 1 << 6
TIMES = st.integers(0, 4_000_000_000)
SPANS = st.integers(0, 40 * DAY)
OFF = st.integers(0, 126)


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


FRIDAY = at("2026-11-20 18:00")


def naive_worked(start, end, off, step=HOUR):
    """Hour by hour, weekdays by the calendar."""
    return step * sum(
        not off >> datetime.fromtimestamp(moment, UTC).weekday() & 1 for moment in range(start, end, step)
    )


@given(start=st.integers(0, 1_200_000), hours=st.integers(0, 600), off=OFF)
def test_what_counts_agrees_with_the_calendar(start, hours, off):
    start *= HOUR
    assert worked(start, start + hours * HOUR, off) == naive_worked(start, start + hours * HOUR, off)


@given(start=TIMES, first=SPANS, second=SPANS, off=OFF)
def test_a_charge_is_the_sum_of_its_parts(start, first, second, off):
    clock = ClockTerms(DAY, 0, off)
    middle, end = start + first, start + first + second
    assert charge(start, end, clock) == charge(start, middle, clock) + charge(middle, end, clock)
    assert type(charge(start, end, clock)) is int


@given(day=st.integers(0, 40_000), second=st.integers(0, DAY - 1), length=st.integers(0, DAY), off=OFF)
def test_days_off_never_charge(day, second, length, off):
    start = day * DAY + second
    end = min(start + length, (day + 1) * DAY)
    weekday = datetime.fromtimestamp(start, UTC).weekday()
    assert worked(start, end, off) == (0 if off >> weekday & 1 else end - start)


@given(start=TIMES, seconds=st.integers(0, 100 * DAY), off=OFF)
def test_due_is_the_first_moment(start, seconds, off):
    end = due(start, seconds, off)
    assert worked(start, end, off) == seconds
    assert end == start or worked(start, end - 1, off) == seconds - 1


def test_a_weekend_by_hand():
    clock = ClockTerms(2 * DAY, 3 * DAY, WEEKEND)
    # From Friday 18:00: 6 hours on Friday, then Monday.
    assert due(FRIDAY, DAY, WEEKEND) == at("2026-11-23 18:00")
    assert due(FRIDAY, 6 * HOUR, WEEKEND) == at("2026-11-21 00:00")
    assert due(FRIDAY, 6 * HOUR + 1, WEEKEND) == at("2026-11-23 00:00:01")
    assert charge(FRIDAY, at("2026-11-25 18:00"), clock) == 3 * DAY


def test_an_open_debt():
    clock = ClockTerms(2 * DAY, 3 * DAY)
    asked = FRIDAY
    early = state(clock, [Debt(asked)], asked + DAY)
    assert (early.used_bank, early.left_bank, early.fallen) == (0, 3 * DAY, False)
    assert early.flag_at == asked + 5 * DAY
    assert early.owing
    late = state(clock, [Debt(asked)], asked + 4 * DAY)
    assert (late.used_bank, late.left_bank) == (2 * DAY, DAY)
    assert late.flag_at == asked + 5 * DAY
    assert not state(clock, [Debt(asked)], asked + 5 * DAY).fallen
    gone = state(clock, [Debt(asked)], asked + 5 * DAY + 1)
    assert gone.fallen
    assert gone.flagged_at == asked + 5 * DAY
    assert late.flagged_at is None
    assert (gone.flag_at, gone.left_bank) == (asked + 5 * DAY, 0)


def test_the_bank_is_for_the_whole_game():
    clock = ClockTerms(DAY, 2 * DAY)
    debts = [Debt(0, 2 * DAY), Debt(10 * DAY, 11 * DAY), Debt(20 * DAY)]
    now = state(clock, debts, 20 * DAY)
    assert (now.used_bank, now.left_bank, now.flag_at) == (DAY, DAY, 22 * DAY)
    assert now.owing
    assert not state(clock, debts[:2], 20 * DAY).owing


def test_debts_side_by_side_run_the_bank_once():
    clock = ClockTerms(DAY, 3 * DAY)
    both = [Debt(0, 3 * DAY), Debt(DAY, 4 * DAY)]
    # Beyond their time from day 1 to 3 and from day 2 to 4: together from 1 to 4.
    assert state(clock, both, 9 * DAY).used_bank == 3 * DAY
    open_two = state(clock, [Debt(0), Debt(DAY)], DAY)
    assert open_two.flag_at == 4 * DAY


def test_two_late_debts_use_one_bank():
    clock = ClockTerms(DAY, 3 * DAY)
    late = state(clock, [Debt(0), Debt(DAY)], 3 * DAY)
    assert (late.used_bank, late.flag_at) == (2 * DAY, 4 * DAY)


def test_the_last_second_of_the_bank_is_in_time():
    clock = ClockTerms(DAY, DAY)
    spent = state(clock, [Debt(0, 2 * DAY)], 9 * DAY)
    assert (spent.left_bank, spent.fallen, spent.flag_at) == (0, False, None)
    assert state(clock, [Debt(0, 2 * DAY + 1)], 9 * DAY).fallen
    again = state(clock, [Debt(0, 2 * DAY), Debt(10 * DAY)], 11 * DAY)
    assert (again.fallen, again.flag_at) == (False, 11 * DAY)


def test_an_extension_lifts_a_flag_that_fell():
    clock = ClockTerms(DAY, DAY)
    debts = [Debt(0)]
    assert state(clock, debts, 3 * DAY).fallen
    lifted = state(clock, debts, 3 * DAY, (2 * DAY,))
    assert not lifted.fallen
    assert (lifted.left_bank, lifted.flag_at) == (DAY, 4 * DAY)


def test_a_flag_that_fell_stays_down_whatever_comes_later():
    clock = ClockTerms(DAY, DAY)
    answered = [Debt(0, 5 * DAY)]
    later = state(clock, [*answered, Debt(6 * DAY)], 6 * DAY)
    assert later.fallen
    assert later.flag_at == 2 * DAY


def test_a_flag_waits_over_days_off():
    clock = ClockTerms(6 * HOUR, 0, WEEKEND)
    debt = [Debt(FRIDAY)]
    assert not state(clock, debt, at("2026-11-22 23:59:59")).fallen
    assert not state(clock, debt, at("2026-11-23 00:00")).fallen
    assert state(clock, debt, at("2026-11-23 00:00:01")).fallen


def test_without_a_clock_nothing_falls():
    none = state(ClockTerms(0), [Debt(0)], 10**9)
    assert (none.flag_at, none.fallen, none.owing) == (None, False, True)


@given(
    clock=st.builds(ClockTerms, st.integers(1, 5 * DAY), st.integers(0, 5 * DAY), OFF),
    spans=st.lists(st.tuples(st.integers(0, 60 * DAY), st.integers(0, 10 * DAY)), max_size=6),
    ahead=st.integers(0, 80 * DAY),
    order=st.randoms(use_true_random=False),
)
def test_the_bank_against_second_by_second(clock, spans, ahead, order):
    """A bank that is counted down hour by hour, on times rounded to hours."""
    clock = ClockTerms(clock.move // HOUR * HOUR + HOUR, clock.bank // HOUR * HOUR, clock.days_off)
    debts = [Debt(start // HOUR * HOUR, (start + length) // HOUR * HOUR) for n, (start, length) in enumerate(spans)]
    now = ahead // HOUR * HOUR
    used, fell = 0, None
    for hour in range(0, now, HOUR):
        off = clock.days_off >> datetime.fromtimestamp(hour, UTC).weekday() & 1
        over = any(
            each.asked_at <= hour < each.answered_at and worked(each.asked_at, hour, clock.days_off) >= clock.move
            for each in debts
        )
        if over and not off:
            if used >= clock.bank and fell is None:
                fell = hour
            used += HOUR
    order.shuffle(debts)
    mine = state(clock, debts, now)
    assert mine.used_bank == min(used, clock.bank)
    assert mine.left_bank == max(0, clock.bank - used)
    assert mine.fallen == (fell is not None)
    if fell is not None:
        assert worked(mine.flag_at, fell, clock.days_off) == 0
        assert mine.flag_at <= fell


@given(asked=st.integers(0, 30 * DAY), more=st.integers(1, 30 * DAY), waited=st.integers(0, 30 * DAY), off=OFF)
def test_time_only_ever_runs_down(asked, more, waited, off):
    clock = ClockTerms(DAY, 2 * DAY, off)
    one = state(clock, [Debt(asked)], asked + waited)
    other = state(clock, [Debt(asked)], asked + waited + more)
    assert one.flag_at == other.flag_at
    assert other.left_bank <= one.left_bank
    assert one.fallen <= other.fallen


@pytest.mark.parametrize(("move", "bank", "off"), [(-1, 0, 0), (1, -1, 0), (1, 1, 127), (1, 1, -1), (1, 1, 128)])
def test_impossible_clocks(move, bank, off):
    with pytest.raises(ValueError, match="at least"):
        ClockTerms(move, bank, off)
