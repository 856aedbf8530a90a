"""Every rule of RULES.md is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pbem_rules.axis1941 as package
from pbem_rules.axis1941.sequence import SEQUENCES
from tests.rules.booklet import Booklet, Coverage

PAGE = Booklet(package, "RULES.md", "AA", Path(__file__).parent)


def test_the_page_has_all_rules():
    """How many each chapter has: none is lost or invented."""
    assert PAGE.chapters() == {1: 16, 2: 25, 3: 7, 4: 7, 5: 45, 6: 72, 7: 11, 8: 22, 9: 12, 10: 4, 11: 26, 12: 10}


class TestCoverage(Coverage):
    page = PAGE
    sequences = SEQUENCES
    cited_in = ("README.md", "ERRATA.md", "DESIGN.md")
