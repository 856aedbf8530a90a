"""Every rule of the booklet is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pbem_rules.bridgehead as package
from pbem_rules.bridgehead.sequence import SEQUENCES
from tests.rules.booklet import Booklet, Coverage

PAGE = Booklet(package, "README.md", "BH", Path(__file__).parent)


def test_the_booklet_has_rules():
    assert len(PAGE.chapters()) == 11
    assert len(PAGE.rules) >= 50


class TestCoverage(Coverage):
    page = PAGE
    sequences = SEQUENCES
    cited_in = ("ERRATA.md",)
