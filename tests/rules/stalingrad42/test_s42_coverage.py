"""Every rule by number is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pbem_rules.stalingrad42 as package
from pbem_rules.stalingrad42.sequence import SEQUENCES
from tests.rules.booklet import Booklet, Coverage

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


class TestCoverage(Coverage):
    page = PAGE
    sequences = SEQUENCES
    cited_in = ("ERRATA.md", "README.md", "RULES.md")
    by_section = True
    of_scenarios = ("test_s42_scenarios.py", "test_s42_uranus.py")
