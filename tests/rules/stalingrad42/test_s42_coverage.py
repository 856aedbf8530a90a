"""Every rule by number is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import pbem_rules.stalingrad42 as package
from pbem_rules.stalingrad42.sequence import SEQUENCES
from tests.rules.booklet import Booklet

CHAPTERS = {
    "1": 1,
    "2": 23,
    "3": 17,
    "4": 10,
    "5": 51,
    "6": 7,
    "7": 17,
    "8": 24,
    "9": 63,
    "10": 24,
    "11": 31,
    "12": 23,
    "13": 25,
    "14": 16,
    "15": 19,
    "16": 35,
    "17": 12,
    "18": 32,
    "19": 8,
    "20": 17,
    "21": 26,
    "22": 20,
    "23": 24,
    "24": 16,
    "25": 10,
    "26": 7,
    "27": 8,
    "28": 6,
    "29": 11,
    "30": 2,
    "31": 2,
    "32": 11,
    "33": 7,
    "34": 25,
    "S0": 1,
    "S1": 16,
    "S2": 15,
    "S3": 13,
    "S4": 6,
}
PAGE = Booklet(package, "RULES.md", "S42", Path(__file__).parent, lettered=True)


def test_the_rules_are_all_there():
    assert Counter(rule[4:].partition(".")[0] for rule in PAGE.rules) == CHAPTERS
    assert len(set(PAGE.printed)) == len(PAGE.printed)


@pytest.mark.parametrize("rule", PAGE.rules)
def test_every_rule_is_covered(rule):
    assert list(PAGE.missing(rule)) == []


def test_nothing_is_covered_that_is_no_rule():
    assert set(PAGE.coverage) == set(PAGE.rules)


def test_every_test_of_a_rule_is_named_in_the_list():
    scenarios = ("test_s42_scenarios.py", "test_s42_uranus.py")
    assert [name for name in PAGE.unlisted() if not name.startswith(scenarios)] == []


def test_rule_ids_in_code_data_and_pages_exist():
    pages = (PAGE.root / name for name in ("ERRATA.md", "README.md", "RULES.md"))
    assert list(PAGE.invented(*(page for page in pages if page.exists()))) == []


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            known = any(rule.startswith(step.rule) for rule in PAGE.rules)
            assert known, f"{step.name} follows {step.rule!r}"
