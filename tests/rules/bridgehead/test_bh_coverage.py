"""Every rule of the booklet is done with its tests, or not applicable with the reason. Nothing else ships."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pbem_rules.bridgehead as package
from pbem.kit.datafile import read_data_file
from pbem_rules.bridgehead.sequence import SEQUENCES

HERE = Path(__file__).parent
ROOT = Path(package.__file__).parent
BOOKLET = (ROOT / "README.md").read_text(encoding="utf-8")
COVERAGE = {rule["id"]: rule for rule in read_data_file("coverage", (ROOT / "coverage.toml").read_bytes())["rules"]}
RULES = re.findall(r"^- \*\*(BH-\d+\.\d+)\*\*", BOOKLET, re.MULTILINE)


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_the_booklet_has_rules():
    assert len(RULES) == len(set(RULES)) >= 50


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_covered(rule):
    assert rule in COVERAGE, f"{rule} is in the booklet and not in coverage.toml"
    held = COVERAGE[rule]
    if held["status"] == "done":
        for name in held["tests"]:
            module, _, test = name.partition("::")
            assert test in names_in(HERE / module), f"{rule}: there is no {name}"
            # Named so that a reader finds the paragraph: test_bh_4_2_... for BH-4.2.
            number = rule.removeprefix("BH-").replace(".", "_")
            assert re.search(rf"_{number}(_|$)", test), f"{rule}: {test} does not carry its number"


def test_nothing_is_covered_that_is_no_rule():
    assert set(COVERAGE) == set(RULES)


def test_rule_ids_in_the_code_exist():
    known = {*RULES, *(f"BH-{number}" for number in range(1, 12))}
    for path in ROOT.rglob("*.py"):
        for rule in re.findall(r"BH-\d+(?:\.\d+)?", path.read_text(encoding="utf-8")):
            assert rule in known, f"{path.name} cites {rule}"
    for path in (ROOT / "data").glob("*.toml"):
        for rule in re.findall(r"BH-\d+(?:\.\d+)?", path.read_text(encoding="utf-8")):
            assert rule in known, f"{path.name} cites {rule}"


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in RULES, f"{step.name} follows {step.rule!r}"
