"""The tool that changes rules at random."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants import Citations, mutants_of

ROOT = Path(__file__).parent.parent.parent
SOURCE = '''"""XX-1 What a chapter says."""

def within(a, b):
    """XX-1.2."""
    assert a > 0
    if a < b and b < 9:
        raise RuntimeError(f"{a + 1}")
    return [each for each in b if each], Violation("XX-1.2", "a" + "b"), a + 1

class Step:
    rule = "XX-2.1"

    def prompt(self):
        return 1 + 1

    def run(self, out):
        out.add(1)
        self.done = True
'''
KNOWN = {"XX-1.1": ("a",), "XX-1.2": ("b",), "XX-2.1": ("c",)}


@pytest.fixture
def mutants(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(SOURCE)
    return list(mutants_of(path, tmp_path, Citations(KNOWN)))


def test_statements_are_changed_and_texts_are_not(mutants):
    assert {(each.function, each.before, each.after) for each in mutants} == {
        ("within", "if a < b and b < 9", "if not (a < b and b < 9)"),
        ("within", "a < b and b < 9", "a < b"),
        ("within", "a < b and b < 9", "b < 9"),
        ("within", "a < b", "a <= b"),
        ("within", "b < 9", "b <= 9"),
        ("within", "9", "10"),
        ("within", "for each in b if each", "for each in b"),
        ("within", "a + 1", "a - 1"),
        ("within", "1", "2"),
        ("Step.run", "self.done = True", "pass"),
        ("Step.run", "True", "False"),
    }


def test_a_function_is_held_by_the_rules_that_it_cites_or_its_class_and_module_do(mutants):
    rules = {each.function: each.rules for each in mutants}
    assert rules == {"within": ("XX-1.2",), "Step.run": ("XX-1.1", "XX-1.2", "XX-2.1")}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("XX-1.2 and 2.1", "1.2 2.1"),
        ("XX-1.1 to 1.2, 2.1: who", "1.1 1.2 2.1"),
        ("XX-1.1..XX-2.1", "1.1 1.2 2.1"),
        ("XX-1: all of it, 2.1", "1.1 1.2"),
        ("XX-1.2, 3 of them", "1.2"),
        ("XX-9.1 and 9.2", ""),
    ],
)
def test_citations_may_be_lists_and_ranges(text, rules):
    assert Citations(KNOWN).of(text) == tuple(f"XX-{number}" for number in rules.split())


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("XX-3.1: all parts of it", "3.1.1a 3.1.1b 3.1.2"),
        ("XX-3.1.1 and 3.2b", "3.1.1a 3.1.1b 3.2b"),
        ("XX-3.1.2 to 3.2, XX-4.a", "3.1.2 3.2a 3.2b 4.a"),
        ("XX-3", "3.1.1a 3.1.1b 3.1.2 3.2a 3.2b"),
        ("XX-3.1.", "3.1.1a 3.1.1b 3.1.2"),
        ("XX-5.B1 and 5.C", "5.B1a 5.B1b 5.C"),
        ("XX-S2.1a, S2.3", "S2.1a S2.3"),
    ],
)
def test_a_section_means_its_parts(text, rules):
    known = {
        f"XX-{number}": ()
        for number in (
            "3.1.1a",
            "3.1.1b",
            "3.1.2",
            "3.2a",
            "3.2b",
            "4.a",
            "31.2",
            "5.B1a",
            "5.B1b",
            "5.B2",
            "5.C",
            "S2.1a",
            "S2.1b",
            "S2.3",
            "21.1a",
        )
    }
    assert Citations(known).of(text) == tuple(f"XX-{number}" for number in rules.split())


def test_every_mutant_has_a_name_of_its_own(mutants):
    assert len({each.name for each in mutants}) == len(mutants)


def test_changes_of_a_real_rule_are_killed_by_its_tests_and_named_if_they_are_not():
    command = [sys.executable, "-m", "tools.mutants", "--game", "bridgehead", "--seed", "1", "--only"]
    done = subprocess.run([*command, "supply.py::"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    last = done.stdout.strip().splitlines()[-1]
    assert last.startswith("bridgehead: "), done.stderr
    assert " mutants, " in last
    assert " 0 killed" not in last
