"""The games under examples/ verify to the very end, and their page tells the truth about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read

FOLDER = Path(__file__).parents[3] / "examples" / "stalingrad42"


@pytest.mark.parametrize("name", ["blau", "uranus"])
def test_the_archive_verifies_with_all_its_secrets(name: str) -> None:
    raw = (FOLDER / f"{name}.pbem").read_bytes()
    verdict = verify_archive(read(raw))
    assert verdict.ok, verdict.first_bad
    assert verdict.audit is not None
    assert isinstance(verdict.result, dict)
    assert verdict.state is not None
    assert len(raw) <= 256 << 10  # what a game may take
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    counts = verdict.counts
    told = f"{counts.records} records, {counts.orders:,} orders, {counts.dice} dice, {counts.cards} cards"
    assert told in page
    assert f"State {verdict.state.hex()[:8]}...{verdict.state.hex()[-8:]}" in page
    assert f"Result: {verdict.result['winner']} wins ({verdict.result['how']})" in page
