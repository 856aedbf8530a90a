"""The games under examples/ verify to the very end, and their pages tell the truth about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read

FOLDER = Path(__file__).parents[2] / "examples"
LARGEST = 256 << 10  # what a game may take


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.pbem")), ids=lambda path: path.stem)
def test_the_archive_verifies_with_all_its_secrets(path):
    raw = path.read_bytes()
    verdict = verify_archive(read(raw))
    assert verdict.ok, verdict.first_bad
    assert verdict.audit is not None
    assert verdict.result is not None
    assert verdict.state is not None
    assert len(raw) <= LARGEST
    page = (path.parent / "README.md").read_text(encoding="utf-8")
    counts = verdict.counts
    assert f"{counts.records} records, {counts.orders:,} orders, {counts.dice} dice, {counts.cards} cards" in page
    assert f"Hash of the last position: {verdict.state.hex()[:8]}...{verdict.state.hex()[-8:]}" in page
    winner = verdict.result["winner"]
    assert f"Result: {f'{winner} wins' if winner else 'a draw'} ({verdict.result['how']})" in page
