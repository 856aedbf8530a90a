"""A short slice of the fuzzing of `make fuzz`: everything from outside is taken or refused, never more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import run
from tests.fuzz.mutate import mutate
from tests.fuzz.run import check
from tests.fuzz.targets import TARGETS, Target

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_seeds(name):
    target = TARGETS[name]
    assert target.seeds()
    for raw in (b"", b"\x00", *target.seeds()):
        check(target, raw)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_changed_inputs(name, seed):
    target, rng = TARGETS[name], Random(seed)
    seeds = target.seeds()
    for _ in range(target.short // 4):
        check(target, mutate(rng, seeds))


@pytest.mark.parametrize("name", sorted(set(TARGETS) - {"desk", "desk-backup", "data-file"}))
@given(raw=st.binary(max_size=200))
@settings(max_examples=30, deadline=None)
def test_any_bytes(name, raw):
    check(TARGETS[name], raw)


def test_the_runner_tells_what_it_found(tmp_path, monkeypatch, capsys):
    def fragile(raw):
        if len(raw) % 5 == 4:
            raise IndexError

    monkeypatch.setattr(run, "FOUND", tmp_path)
    monkeypatch.setitem(TARGETS, "fragile", Target(fragile, lambda: [b"abc"], 1))
    assert not run.by_changes("fragile", 20, 0)
    (found,) = tmp_path.iterdir()
    assert len(found.read_bytes()) % 5 == 4
    assert str(found) in capsys.readouterr().out


def test_the_runner_runs():
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", "--plain", "--seconds", "0.2", "--target", "hello"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "nothing found" in done.stdout
