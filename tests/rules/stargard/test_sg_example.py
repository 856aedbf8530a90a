"""The game under examples/ verifies to the very end, and its page tells the truth about it."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read

FOLDER = Path(__file__).parents[3] / "examples" / "stargard"


def test_the_archive_verifies_with_all_its_secrets():
    raw = (FOLDER / "sonnenwende.pbem").read_bytes()
    verdict = verify_archive(read(raw))
    assert verdict.ok, verdict.first_bad
    assert verdict.audit is not None
    assert verdict.result is not None
    assert verdict.state is not None
    assert len(raw) <= 256 << 10  # what a game of ten turns may take
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    counts = verdict.counts
    told = f"{counts.records} records, {counts.orders} orders, {counts.dice} dice, {counts.cards} cards"
    assert told in page
    assert f"State {verdict.state.hex()[:8]}...{verdict.state.hex()[-8:]}" in page
    winner = verdict.result["winner"]
    assert f"Result: {f'{winner} wins' if winner else 'a draw'} ({verdict.result['how']})" in page
