"""The tables of docs/umpire.md are what the program gives."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from pbem.umpire.clock import DAY, Debt, charge, state
from pbem.umpire.pairing import Entrant, Played, pair
from pbem.umpire.pairing.round_robin import table
from pbem.umpire.ratings import Outcome, Rating, expected, rate
from pbem.umpire.standings import CRITERIA, DEFAULT_ORDER, standings
from pbem.umpire.terms import ClockTerms

PAGE = (Path(__file__).parents[2] / "docs/umpire.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())
NAMES = ("Abel", "Bohm", "Cruz", "Dahl", "Egli", "Funk", "Gray")
ENTRANTS = [Entrant(number, name) for number, name in enumerate(NAMES, 1)]
HALF_POINTS = {"0": 0, "½": 1, "1": 2}


def rows(heading):
    """The cells of the table that begins with this heading."""
    part = PAGE[PAGE.index(f"| {heading} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n")[2:]]


def fraction(text):
    whole, part = re.fullmatch(r"(\d*)([½¼¾]?)", text).groups()
    return Fraction(int(whole or 0)) + {"": 0, "½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}[part]


def games():
    found = []
    for number, first, second, result, _ in rows("round | first side"):
        points = [2, 0] if result == "bye" else [HALF_POINTS[side] for side in result.split(" : ")]
        found.append(Played(int(number), NAMES.index(first) + 1, NAMES.index(second) + 1 if second else None, *points))
    return found


def test_the_swiss_rounds():
    printed = rows("round | first side")
    for number in (1, 2, 3):
        before = [game for game in games() if game.round < number]
        made = pair("swiss", ENTRANTS, before, number, rounds=3, seed=b"docs/umpire.md")
        assert [
            [str(number), NAMES[each.first - 1], NAMES[each.second - 1] if each.second else "", each.why[0]]
            for each in made.pairs
        ] == [[*row[:3], row[4]] for row in printed if row[0] == str(number)]


def test_the_standings():
    made = standings(ENTRANTS, games())
    printed = rows("place | name")
    assert [[row.place, row.name] for row in made] == [[int(row[0]), row[1]] for row in printed]
    for row, cells in zip(made, printed, strict=True):
        assert row.figures[1] is None
        assert [row.figures[0], *row.figures[2:]] == [fraction(cell) for cell in cells[2:]]


def test_the_criteria():
    named = re.findall(r"`(\w+)`", " ".join(row[0] for row in rows("criterion | figure")))
    assert named == list(CRITERIA)
    assert f"By default: {', '.join(DEFAULT_ORDER)}." in FLAT


def test_the_table_for_six():
    printed = rows("round | | |")
    assert len(printed) == 5
    for number, *pairs in printed:
        assert [f"{one}-{other}" for one, other in table(6, int(number))] == pairs


def test_the_ratings():
    player = Rating(1500, 200, 0.06)
    known = [
        (Rating(float(strength), float(deviation)), float(chance), float(score))
        for strength, deviation, chance, score in rows("opponent | deviation")
    ]
    sure = Rating(1500, 1e-9)
    assert [round(expected(sure, rating), 3) for rating, _, _ in known] == [chance for _, chance, _ in known]
    after = rate(player, [Outcome(rating, score) for rating, _, score in known])
    said = f"Afterwards {after.rating:.2f}, deviation {after.deviation:.2f}, volatility {after.volatility:.6f}."
    assert said in FLAT
    idle = rate(player, [])
    assert f"{idle.rating:.0f}, {idle.deviation:.2f}, {idle.volatility}" in FLAT


def moment(text):
    found = datetime.strptime(text, "%a %Y-%m-%d %H:%M").replace(tzinfo=UTC)
    assert found.strftime("%a") == text[:3]
    return int(found.timestamp())


def test_the_clock():
    clock = ClockTerms(2 * DAY, 3 * DAY, 1 << 5 | 1 << 6)
    debts = []
    for _, asked, answered, took, bank, left in rows("owed | asked"):
        debts.append(Debt(moment(asked), moment(answered) if answered else None))
        if answered:
            now = state(clock, debts, moment(answered))
            assert f"{charge(debts[-1].asked_at, debts[-1].answered_at, clock) // 3600} h" == took
            assert f"{now.left_bank // 3600} h" == left
            before = state(clock, debts[:-1], moment(answered))
            assert f"{(before.left_bank - now.left_bank) // 3600} h" == bank
        else:
            now = state(clock, debts, debts[-1].asked_at)
            assert left == "flag on " + datetime.fromtimestamp(now.flag_at, UTC).strftime("%a %Y-%m-%d %H:%M")
            assert state(clock, debts, debts[-1].asked_at, (DAY,)).flag_at == now.flag_at + DAY
