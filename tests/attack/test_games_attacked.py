"""The whole games of tests/vectors: what each level says, and that it names the record at fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.engine.archive import verify_archive
from pbem.fairplay.verify import Verdict, verify
from pbem.protocol import container
from pbem.protocol.container import ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.record import parse_record
from tools.vectors.vector import SUCCESS, read

TESTS = Path(__file__).parents[1]
sys.path.append(str(TESTS / "independent"))

import stranger  # noqa: E402
from stranger_forms import Bad, Missing  # noqa: E402

GAMES = [read(path.stem, path.read_bytes()) for path in sorted((TESTS / "vectors").glob("game-*.txt"))]


def said(verdict: Verdict) -> str:
    bad = verdict.first_bad or getattr(verdict, "desync", None)
    return bad.code if bad else SUCCESS if verdict.ok else "E-INCOMPLETE"


def said_by_a_stranger(raw: bytes, level: int) -> bool:
    """Does the second verifier take it?"""
    try:
        stranger.verify(stranger.containers(raw), level)
    except (Bad, Missing):
        return False
    return True


@pytest.mark.parametrize("vector", GAMES, ids=lambda vector: vector.name)
def test_every_level(vector):
    if vector.expect == "E-CUT":
        with pytest.raises(Refusal) as caught:
            container.read(vector.payload)
        assert caught.value.code == vector.expect
        assert not said_by_a_stranger(vector.payload, 1)
        return
    items = container.read(vector.payload)
    first = int(vector.facts["level"])
    for level, verdict in ((1, verify(items, 1)), (2, verify(items, 2)), (3, verify_archive(items))):
        refuses = vector.expect != SUCCESS and level >= first
        assert said(verdict) == (vector.expect if refuses else SUCCESS), level
        if level < 3:
            assert said_by_a_stranger(vector.payload, level) != refuses
        if refuses and "record" in vector.facts:
            bad = verdict.first_bad or verdict.desync
            assert (str(bad.author), bad.record.hex()) == (vector.facts["author"], vector.facts["record"])
            records = [parse_record(item.raw).id for item in items if item.type is ItemType.RECORD]
            assert records[int(vector.facts["number"])] == bad.record
            assert bad.step == vector.step or level < 3


def test_there_are_good_and_bad_ones_of_each_level():
    assert {(int(v.facts["level"]), v.expect == SUCCESS) for v in GAMES} == {
        (1, False),
        (2, False),
        (3, False),
        (3, True),
    }


def test_only_another_position_is_called_desync():
    vectors = [v for v in GAMES if v.expect == "E-DESYNC"]
    assert vectors
    for vector in vectors:
        verdict = verify_archive(container.read(vector.payload))
        assert verdict.desync is not None
        assert verdict.first_bad is None
