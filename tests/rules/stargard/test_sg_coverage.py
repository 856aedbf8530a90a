"""Every rule by number is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pbem_rules.stargard as package
from pbem_rules.stargard.sequence import SEQUENCES
from tests.rules.booklet import Booklet, Coverage

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


class TestCoverage(Coverage):
    page = PAGE
    sequences = SEQUENCES
    cited_in = ("ERRATA.md", "README.md", "RULES.md")
    by_section = True
