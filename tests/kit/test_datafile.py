"""Schemas of data files: sound themselves, and strict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.kit.datafile import KINDS, problems, read_data_file, schema
from pbem.protocol.errors import Refusal

SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas(kind):
    Draft202012Validator.check_schema(schema(kind))
    assert schema(kind) == json.loads((SCHEMAS / f"{kind}.json").read_text())
    assert schema(kind)["additionalProperties"] is False
    assert problems(kind, {}) != []
    assert problems(kind, {"format": 1, "surprise": 1}) != []


def test_problems_say_where():
    found = problems("cards", {"format": 1, "deck": "x", "provenance": "ours", "cards": [{"key": 7}]})
    assert any(line.startswith("cards/0") for line in found)
    assert len(found) <= 5


@given(st.sampled_from(KINDS), st.one_of(st.text(max_size=80), st.binary(max_size=80)))
def test_anything_else_is_refused(kind, noise):
    raw = noise.encode("utf-8", "surrogatepass") if isinstance(noise, str) else noise
    with pytest.raises(Refusal) as refused:
        read_data_file(kind, raw)
    assert refused.value.code == "E-GAME-DATA"


def test_replay_needs_no_schema():
    """jsonschema is slow to import: it is there for those who bring a file only."""
    code = "import sys, pbem.kit.datafile, pbem_rules.bridgehead; print('jsonschema' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert out.stdout.strip() == "False"
