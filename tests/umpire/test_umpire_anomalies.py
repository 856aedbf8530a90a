"""What is odd in the facts of games, and who is named with it."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from pbem.umpire import anomalies
from pbem.umpire.anomalies import DAY, timing, withheld
from pbem.umpire.db.deskrows import OwedRow
from pbem.umpire.facts import Answered, Question

NAMES = {0: "Bob", 1: "Bob", 2: "Bob"}
PAIRING = SimpleNamespace(id=1, entrants=(1, 2), game="bridgehead-1")


def owes(what, since, *, automatic):
    return OwedRow(1, 1, what, since, since, automatic, "")


def answer(asked, answered, signed=None, what="orders"):
    return Answered(Question(0, what, asked, ()), answered, answered if signed is None else signed, bytes(32))


def kinds(rows):
    return [(each.kind, each.weight) for each in timing(1, "Ann", rows)]


def test_a_late_reveal_is_noted_and_a_late_move_is_not():
    owed = [owes("reveal", 1, automatic=True), owes("orders", 1, automatic=False)]
    (one,) = withheld("Ann", owed, 4 * DAY + 1)
    assert (one.kind, one.entrant, one.weight) == ("withheld", 1, 2)
    assert one.text == "Ann has owed a reveal, which a program sends automatically, for 4 days."
    assert not list(withheld("Ann", owed, 3 * DAY))
    assert not list(withheld("Ann", [owes("reveal", 0, automatic=True)], 9 * DAY))  # never delivered
    two = [*owed, owes("open_all", 3 * DAY + 1, automatic=True)]
    assert [each.weight for each in withheld("Ann", two, 12 * DAY + 1)] == [3, 3]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (answer(1_000, 2_000, 2_601), [("clock_ahead", 2)]),
        (answer(1_000, 2_000, 2_600), []),
        (answer(10 * DAY, 10 * DAY + 60, 7 * DAY - 1), [("clock_behind", 2)]),
        (answer(10 * DAY, 10 * DAY + 60, 7 * DAY), []),
        (answer(1, 20 * DAY, 1 * DAY), [("late_mail", 1)]),
    ],
)
def test_clocks_that_do_not_fit(row, found):
    assert kinds([row]) == found


def test_answers_as_fast_as_a_program():
    quick = [answer(n * DAY, n * DAY + 60, n * DAY + 2) for n in range(5)]
    (one,) = timing(1, "Ann", quick)
    assert one.kind == "too_fast"
    assert one.text.startswith("5 of 5 decisions of Ann came within 5 seconds")
    assert kinds(quick[:4]) == []
    slow = [answer(n * DAY, n * DAY + 9_000 + 61 * n) for n in range(6)]
    assert kinds([*quick, *slow]) == []
    own = [answer(n * DAY, n * DAY + 60, n * DAY + 2, what="reveal") for n in range(9)]
    assert kinds(own) == []  # a program's own answers are quick, and should be


def test_always_the_same_second():
    regular = [answer(n * DAY, n * DAY + 3_600 * (n % 7 + 1) + 17) for n in range(8)]
    (one,) = timing(1, "Ann", regular)
    assert (one.kind, one.weight) == ("regular", 1)
    assert "signed at second 17" in one.text
    assert kinds(regular[:7]) == []
    source = random.Random(2)
    for _ in range(50):
        assert kinds([answer(n * DAY, n * DAY + source.randint(600, 50_000)) for n in range(8)]) == []


class Noting:
    """A writing that remembers what is recorded."""

    at = 100 * DAY

    def __init__(self):
        self.noted = []
        self.db = None

    def record(self, kind, data):
        self.noted.append((data["kind"], data["entrant"]))


@pytest.mark.parametrize("by", [0, 1])
def test_a_name_that_another_has_too_shifts_no_blame(by, monkeypatch):
    noting = Noting()
    monkeypatch.setattr(anomalies, "find", lambda *_, **__: None)
    ahead = Answered(Question(by, "orders", 1_000, ()), 2_000, 2_000 + DAY, bytes(32))
    facts = SimpleNamespace(name="bridgehead-1", forked=(), audited=None, notice="", answered=(ahead,))
    anomalies.note(noting, NAMES, PAIRING, facts)
    late = SimpleNamespace(entrant=by + 1, what="reveal", since=DAY, automatic=True)
    monkeypatch.setattr(anomalies, "of_games", lambda *_: [late])
    anomalies.watch(noting, SimpleNamespace(id=1), NAMES, PAIRING)
    assert noting.noted == [("clock_ahead", by + 1), ("withheld", by + 1)]
