"""Every file of tests/vectors through the real code, and the files are those that the tool writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from vectorjudges import JUDGES, judge

from tools.vectors.__main__ import FOLDER, all_vectors
from tools.vectors.vector import SUCCESS, read

FILES = sorted(FOLDER.glob("*.txt"))
SPEC = Path(__file__).parents[2] / "docs" / "spec"


@pytest.fixture(scope="module")
def made():
    return list(all_vectors())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vector(path):
    vector = read(path.stem, path.read_bytes())
    outcome, step, facts = judge(vector)
    assert (outcome, step) == (vector.expect, vector.step)
    if outcome == SUCCESS:
        assert facts == vector.facts


def test_the_tool_writes_the_same_bytes(made):
    assert {f"{vector.name}.txt": vector.write() for vector in made} == {path.name: path.read_bytes() for path in FILES}


def test_each_kind_of_payload_has_good_and_bad_files(made):
    seen = {(vector.what, vector.expect == SUCCESS) for vector in made}
    assert seen >= {(what, good) for what in JUDGES for good in (True, False)}


def test_steps_and_codes_are_those_of_the_specification(made):
    pages = "".join(page.read_text() for page in SPEC.glob("*.md"))
    steps = set(re.findall(r"\*\*([A-Z]{3}-\d+)\*\*", pages))
    codes = set(re.findall(r"^\| `(E-[A-Z-]+)`", (SPEC / "reasons.md").read_text(), re.MULTILINE))
    for vector in made:
        assert vector.step in steps
        assert vector.expect in codes | {SUCCESS}
