"""Every rule of RULES.md is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pbem_rules.axis1941 as package
from pbem.kit.datafile import read_data_file
from pbem_rules.axis1941.sequence import SEQUENCES

HERE = Path(__file__).parent
ROOT = Path(package.__file__).parent
PAGE = (ROOT / "RULES.md").read_text(encoding="utf-8")
COVERAGE = {rule["id"]: rule for rule in read_data_file("coverage", (ROOT / "coverage.toml").read_bytes())["rules"]}
RULES = re.findall(r"^- \*\*(AA-\d+\.\d+)\*\*", PAGE, re.MULTILINE)
# How many rules each chapter has: none is lost or invented.
CHAPTERS = {1: 16, 2: 25, 3: 7, 4: 7, 5: 45, 6: 72, 7: 11, 8: 22, 9: 12, 10: 4, 11: 26, 12: 10}


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_the_page_has_all_rules():
    assert [f"AA-{chapter}.{n}" for chapter, count in CHAPTERS.items() for n in range(1, count + 1)] == RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_covered(rule):
    assert rule in COVERAGE, f"{rule} is in RULES.md and not in coverage.toml"
    held = COVERAGE[rule]
    if held["status"] == "done":
        for name in held["tests"]:
            module, _, test = name.partition("::")
            assert test in names_in(HERE / module), f"{rule}: there is no {name}"
            # Named so that a reader finds the paragraph: test_aa_4_2_... for AA-4.2.
            number = rule.removeprefix("AA-").replace(".", "_")
            assert re.search(rf"_{number}(_|$)", test), f"{rule}: {test} does not carry its number"


def test_nothing_is_covered_that_is_no_rule():
    assert set(COVERAGE) == set(RULES)


def test_every_test_of_a_rule_is_named_in_the_list():
    listed = {name for rule in COVERAGE.values() for name in rule.get("tests", ())}
    for path in HERE.glob("test_aa_*.py"):
        for name in names_in(path):
            if re.match(r"test_aa_\d+_\d+", name):
                assert f"{path.name}::{name}" in listed, f"{path.name}::{name} is not in coverage.toml"


def test_rule_ids_in_the_code_exist():
    known = {*RULES, *(f"AA-{chapter}" for chapter in CHAPTERS)}
    for path in (*ROOT.rglob("*.py"), ROOT / "README.md", ROOT / "ERRATA.md", ROOT / "DESIGN.md"):
        for rule in re.findall(r"AA-\d+(?:\.\d+)?", path.read_text(encoding="utf-8")):
            assert rule in known, f"{path.name} cites {rule}"


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in RULES, f"{step.name} follows {step.rule!r}"
