"""Every rule by number, and every event of the cards, is done with its tests. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pytest

import pbem_rules.noretreat as package
from pbem.kit.datafile import folder
from pbem_rules.noretreat.sequence import SEQUENCES
from tests.rules.booklet import Booklet

CHAPTERS = {1: 36, 2: 12, 3: 13, 4: 15, 5: 23, 6: 12, 7: 22, 8: 27, 9: 59, 10: 10, 11: 37, 12: 7, 14: 12}
CARDS = [str(event["rule"]) for card in folder(package.__file__)["cards"]["cards"] for event in card["events"].values()]
PAGE = Booklet(package, "RULES.md", "NR", Path(__file__).parent, ["NR-13.0a", "NR-13.0b", *CARDS])


def test_the_rules_are_all_there():
    assert PAGE.chapters() == CHAPTERS
    assert len(CARDS) == len(set(CARDS)) == 108


@pytest.mark.parametrize("rule", PAGE.rules)
def test_every_rule_is_covered(rule):
    assert list(PAGE.missing(rule)) == []


def test_nothing_is_covered_that_is_no_rule():
    assert set(PAGE.coverage) == set(PAGE.rules)


def test_every_test_of_a_rule_is_named_in_the_list():
    assert list(PAGE.unlisted()) == []


def test_rule_ids_in_code_data_and_pages_exist():
    assert list(PAGE.invented(PAGE.root / "ERRATA.md", PAGE.root / "README.md")) == []


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in PAGE.rules, f"{step.name} follows {step.rule!r}"
