"""Every rule of RULES.md is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem_rules.axis1941 as package
from pbem_rules.axis1941.sequence import SEQUENCES
from tests.rules.booklet import Booklet

PAGE = Booklet(package, "RULES.md", "AA", Path(__file__).parent)


def test_the_page_has_all_rules():
    """How many each chapter has: none is lost or invented."""
    assert PAGE.chapters() == {1: 16, 2: 25, 3: 7, 4: 7, 5: 45, 6: 72, 7: 11, 8: 22, 9: 12, 10: 4, 11: 26, 12: 10}


@pytest.mark.parametrize("rule", PAGE.rules)
def test_every_rule_is_covered(rule):
    assert list(PAGE.missing(rule)) == []


def test_nothing_is_covered_that_is_no_rule():
    assert set(PAGE.coverage) == set(PAGE.rules)


def test_every_test_of_a_rule_is_named_in_the_list():
    assert list(PAGE.unlisted()) == []


def test_rule_ids_in_code_data_and_pages_exist():
    assert list(PAGE.invented(PAGE.root / "README.md", PAGE.root / "ERRATA.md", PAGE.root / "DESIGN.md")) == []


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in PAGE.rules, f"{step.name} follows {step.rule!r}"
