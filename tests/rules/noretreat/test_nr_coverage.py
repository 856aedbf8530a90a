"""Every rule by number, and every event of the cards, is done with its tests. Nothing else ships."""

from __future__ import annotations

from pathlib import Path

import pbem_rules.noretreat as package
from pbem.kit.datafile import folder
from pbem_rules.noretreat.sequence import SEQUENCES
from tests.rules.booklet import Booklet, Coverage

CHAPTERS = {1: 36, 2: 12, 3: 13, 4: 15, 5: 23, 6: 12, 7: 22, 8: 27, 9: 59, 10: 10, 11: 37, 12: 7, 14: 12}
CARDS = [str(event["rule"]) for card in folder(package.__file__)["cards"]["cards"] for event in card["events"].values()]
PAGE = Booklet(package, "RULES.md", "NR", Path(__file__).parent, ["NR-13.0a", "NR-13.0b", *CARDS])


def test_the_rules_are_all_there():
    assert PAGE.chapters() == CHAPTERS
    assert len(CARDS) == len(set(CARDS)) == 108


class TestCoverage(Coverage):
    page = PAGE
    sequences = SEQUENCES
    cited_in = ("ERRATA.md", "README.md")
