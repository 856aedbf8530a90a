"""Every rule of the booklet is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem_rules.bridgehead as package
from pbem_rules.bridgehead.sequence import SEQUENCES
from tests.rules.booklet import Booklet

PAGE = Booklet(package, "README.md", "BH", Path(__file__).parent)


def test_the_booklet_has_rules():
    assert len(PAGE.chapters()) == 11
    assert len(PAGE.rules) >= 50


@pytest.mark.parametrize("rule", PAGE.rules)
def test_every_rule_is_covered(rule):
    assert list(PAGE.missing(rule)) == []


def test_nothing_is_covered_that_is_no_rule():
    assert set(PAGE.coverage) == set(PAGE.rules)


def test_every_test_of_a_rule_is_named_in_the_list():
    assert list(PAGE.unlisted()) == []


def test_rule_ids_in_code_data_and_pages_exist():
    assert list(PAGE.invented(PAGE.root / "ERRATA.md")) == []


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in PAGE.rules, f"{step.name} follows {step.rule!r}"
