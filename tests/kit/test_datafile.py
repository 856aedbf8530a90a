"""Schemas of data files: sound themselves, and strict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pbem.engine.definition import MAX_CHARTS, DataSet, charted
from pbem.kit.datafile import kinds, problems, read_data_file, read_toml, schema
from pbem.protocol.errors import Refusal

SCHEMAS = Path(__file__).parents[2] / "schemas"


@pytest.mark.parametrize("kind", kinds())
def test_schemas_are_schemas(kind):
    found = schema(f"data/{kind}")
    Draft202012Validator.check_schema(found)
    assert found == json.loads((SCHEMAS / "data" / f"{kind}.json").read_text())
    assert found["additionalProperties"] is False
    assert problems(kind, {}) != []
    assert problems(kind, {"format": 1, "surprise": 1}) != []


def test_problems_say_where():
    found = problems("cards", {"format": 1, "deck": "x", "provenance": "ours", "cards": [{"key": 7}]})
    assert any(line.startswith("cards/0") for line in found)
    assert len(found) <= 5


@given(st.sampled_from(kinds()), st.one_of(st.text(max_size=80), st.binary(max_size=80)))
def test_anything_else_is_refused(kind, noise):
    raw = noise.encode("utf-8", "surrogatepass") if isinstance(noise, str) else noise
    with pytest.raises(Refusal) as refused:
        read_data_file(kind, raw)
    assert refused.value.code == "E-DATA"


def test_a_kind_is_no_path():
    with pytest.raises(Refusal, match="There is no data file of the kind"):
        read_data_file("../mail", b"")


def test_charts_are_made_once_for_a_data_set_and_only_the_last_are_kept():
    made = []

    @charted
    def chart_of(data):
        made.append(data["file"])
        return f"chart {data['file']}"

    sets = [DataSet({"file": n}) for n in range(MAX_CHARTS + 1)]
    assert [chart_of(data) for data in sets] == [f"chart {n}" for n in range(MAX_CHARTS + 1)]
    assert chart_of(DataSet({"file": MAX_CHARTS})) == f"chart {MAX_CHARTS}"
    assert made == list(range(MAX_CHARTS + 1))
    chart_of(sets[0])  # was let go
    assert made[-1] == 0


def test_replay_needs_no_schema():
    """jsonschema is slow to import: it is there for those who bring a file only."""
    code = "import sys, pbem.kit.datafile, pbem_rules.bridgehead; print('jsonschema' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert out.stdout.strip() == "False"


@pytest.mark.parametrize("value", ["5.0", "nan", "1e3", "2026-11-18", "10:00:00", "0x" + "f" * 17, "[" * 20 + "]" * 20])
def test_settings_hold_what_canonical_data_can(value):
    with pytest.raises(ValueError, match=r"it holds|beyond 64 bits|too deeply"):
        read_toml(f"a = {value}\n".encode())


def test_settings_are_read_as_they_stand():
    assert read_toml(b'a = [1, true, "x"]\n[b]\nc = -9223372036854775808\n') == {
        "a": [1, True, "x"],
        "b": {"c": -(2**63)},
    }


def test_what_stands_twice_is_found_however_long_the_list_is():
    value = {"format": 1, "regions": [{"hexes": [f"{n:04d}" for n in range(4_000)]}]}
    assert not any("twice" in each for each in problems("map", value))
    value["regions"][0]["hexes"] += ["0007", {}]
    began = process_time()
    assert any("regions/0/hexes: an item occurs twice in it" in each for each in all_problems("map", value))
    assert process_time() - began < 0.3


def all_problems(kind, value):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.kit.datafile.MAX_PROBLEMS", 100)
        return problems(kind, value)
