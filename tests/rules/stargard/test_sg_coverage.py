"""Every rule by number is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import pbem_rules.stargard as package
from pbem_rules.stargard.sequence import SEQUENCES
from tests.rules.booklet import Booklet

CHAPTERS = {
    1: 38,
    2: 17,
    3: 26,
    4: 15,
    5: 35,
    6: 10,
    7: 21,
    8: 34,
    9: 16,
    10: 12,
    11: 18,
    12: 31,
    13: 10,
    14: 6,
    15: 6,
    16: 4,
    19: 17,
}
PAGE = Booklet(package, "RULES.md", "SG", Path(__file__).parent)


def test_the_rules_are_all_there():
    assert Counter(int(rule[3:].partition(".")[0]) for rule in PAGE.rules) == CHAPTERS
    assert len(set(PAGE.rules)) == len(PAGE.rules)


@pytest.mark.parametrize("rule", PAGE.rules)
def test_every_rule_is_covered(rule):
    assert list(PAGE.missing(rule)) == []


def test_nothing_is_covered_that_is_no_rule():
    assert set(PAGE.coverage) == set(PAGE.rules)


def test_every_test_of_a_rule_is_named_in_the_list():
    assert list(PAGE.unlisted()) == []


def test_rule_ids_in_code_data_and_pages_exist():
    pages = (PAGE.root / name for name in ("ERRATA.md", "README.md", "RULES.md"))
    assert list(PAGE.invented(*pages)) == []


def test_every_step_names_its_rule():
    parts = tuple(PAGE.rules)
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert any(rule.startswith(step.rule) for rule in parts), f"{step.name} follows {step.rule!r}"
