"""What is odd in the facts of games, most telling first."""

from __future__ import annotations

import random

from pbem.umpire.anomalies import DAY, Answer, OwedFact, desync, fork, refused, restored, timing, withheld


def answer(player, asked, answered, signed=None, automatic=False):
    return Answer("g1", player, asked, answered, answered if signed is None else signed, automatic)


def test_a_late_reveal_is_told_and_a_late_move_is_not():
    owed = [
        OwedFact("g1", "Ann", "a reveal", 0, automatic=True),
        OwedFact("g1", "Bo", "orders", 0, automatic=False),
        OwedFact("g2", "Cy", "a release", 3 * DAY, automatic=True),
    ]
    (one,) = withheld(owed, 4 * DAY)
    assert (one.kind, one.player, one.weight) == ("withheld", "Ann", 2)
    assert one.text == "Ann owes a reveal, which his program sends by itself, for 4 days."
    assert withheld(owed, 3 * DAY - 1) == ()
    long = withheld(owed, 12 * DAY)
    assert [(each.player, each.weight) for each in long] == [("Ann", 3), ("Cy", 3)]


def test_clocks_that_do_not_fit():
    rows = [
        answer("Ann", 1_000, 2_000, 2_000 + 601),
        answer("Bo", 10 * DAY, 10 * DAY + 60, 7 * DAY - 1),
        answer("El", 10 * DAY, 10 * DAY + 60, 7 * DAY),
        answer("Cy", 0, 20 * DAY, 1 * DAY),
        answer("Di", 1_000, 2_000, 2_600),
    ]
    assert [(each.kind, each.player) for each in timing(rows)] == [
        ("clock_ahead", "Ann"),
        ("clock_behind", "Bo"),
        ("late_mail", "Cy"),
    ]
    assert timing(rows)[0].text == "A record bears a time 10 minutes after it arrived."


def test_answers_as_fast_as_a_program():
    quick = [answer("Ann", n * DAY, n * DAY + 60, n * DAY + 2) for n in range(5)]
    (one,) = timing(quick)
    assert one.kind == "too_fast"
    assert one.text.startswith("5 of 5 decisions of Ann came within 5 seconds")
    assert timing(quick[:4]) == ()
    slow = [answer("Ann", n * DAY, n * DAY + 9_000 + 61 * n) for n in range(6)]
    assert timing([*quick, *slow]) == ()
    own = [answer("Ann", n * DAY, n * DAY + 60, n * DAY + 2, automatic=True) for n in range(9)]
    assert timing(own) == ()  # a program's own answers are quick, and should be


def test_always_the_same_second():
    regular = [answer("Ann", n * DAY, n * DAY + 3_600 * (n % 7 + 1) + 17) for n in range(8)]
    (one,) = timing(regular)
    assert (one.kind, one.weight) == ("regular", 1)
    assert "signed at second 17" in one.text
    assert timing(regular[:7]) == ()
    source = random.Random(2)
    for _ in range(50):
        rows = [answer("Ann", n * DAY, n * DAY + source.randint(600, 50_000)) for n in range(8)]
        assert timing(rows) == ()


def test_weights_come_first_and_order_does_not_matter():
    rows = [
        answer("Ann", 1_000, 2_000, 9_000),
        answer("Cy", 0, 20 * DAY, DAY),
        answer("Bo", 4 * DAY, 4 * DAY + 100, 100),
    ]
    assert timing(rows) == timing(rows[::-1])
    assert [each.weight for each in timing(rows)] == [2, 2, 1]


def test_facts_of_records():
    assert fork("g", "Ann", 14).weight == 5
    assert "different records 14" in fork("g", "Ann", 14).text
    assert "not a cheat" in desync("g", "Ann", 3).text
    assert refused("g", "Ann", "E-DRAW", "No.").text == "A record was refused, E-DRAW: No."
    back = restored("g", "Ann", 4, 9)
    assert "from 5 on; 10 were out" in back.text
