"""Every rule by number, and every event of the cards, is done with its tests. Nothing else ships."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pbem_rules.noretreat as package
from pbem.kit.datafile import own_files, read_data_file
from pbem_rules.noretreat.sequence import SEQUENCES

HERE = Path(__file__).parent
ROOT = Path(package.__file__).parent
RULES = re.findall(r"^- \*\*(NR-\d+\.\d+)\*\*", (ROOT / "RULES.md").read_text(encoding="utf-8"), re.MULTILINE)
CHAPTERS = {1: 36, 2: 12, 3: 13, 4: 15, 5: 23, 6: 12, 7: 22, 8: 27, 9: 59, 10: 10, 11: 37, 12: 7, 14: 12}
CARDS = [
    str(event["rule"])
    for card in own_files(package.__file__, ("cards",))["cards"]["cards"]
    for event in card["events"].values()
]
ALL = [*RULES, *CARDS]
COVERAGE = {rule["id"]: rule for rule in read_data_file("coverage", (ROOT / "coverage.toml").read_bytes())["rules"]}
ID = re.compile(r"NR-\d+(?:\.\d+[AS]?)?")


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_the_rules_are_all_there():
    assert [f"NR-{chapter}.{n}" for chapter, count in CHAPTERS.items() for n in range(1, count + 1)] == RULES
    assert len(CARDS) == len(set(CARDS)) == 108


@pytest.mark.parametrize("rule", sorted({*RULES, *COVERAGE}))
def test_every_rule_is_covered(rule):
    assert rule in COVERAGE, f"{rule} is not in coverage.toml"
    held = COVERAGE[rule]
    if held["status"] == "done":
        for name in held["tests"]:
            module, _, test = name.partition("::")
            assert test in names_in(HERE / module), f"{rule}: there is no {name}"
            # Named so that a reader finds the line: test_nr_4_2_... for NR-4.2.
            number = rule.removeprefix("NR-").replace(".", "_").lower()
            assert re.search(rf"_{number}(_|$)", test), f"{rule}: {test} does not carry its number"


def test_nothing_is_covered_that_is_no_rule():
    assert set(COVERAGE) == set(ALL)


def test_rule_ids_in_the_code_exist():
    known = {*ALL, *(f"NR-{number}" for number in range(1, 15))}
    files = [*ROOT.rglob("*.py"), *(ROOT / "data").glob("*.toml"), ROOT / "ERRATA.md", ROOT / "README.md"]
    for path in files:
        for rule in ID.findall(path.read_text(encoding="utf-8")):
            assert rule in known, f"{path.name} cites {rule}"


def test_every_step_names_its_rule():
    for sequence in SEQUENCES:
        for step in sequence.steps:
            assert step.rule in ALL, f"{step.name} follows {step.rule!r}"
