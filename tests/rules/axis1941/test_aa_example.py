"""The archived game that the repository shows: good at level 3, and as its page says."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read
from pbem_rules.axis1941 import game

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "axis1941"


def test_the_example_is_good_and_its_page_says_what_it_is():
    verdict = verify_archive(read((FOLDER / "game.pbem").read_bytes()))
    assert verdict.ok, verdict.first_bad
    assert verdict.audit is not None
    assert verdict.result is not None
    assert (verdict.result["winner"], verdict.result["how"]) == ("axis", "capitals")
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    counts = verdict.counts
    assert f"{counts.records} records, {counts.orders:,} orders, {counts.dice} dice" in page
    assert verdict.state is not None
    assert f"State {verdict.state.hex()[:8]}...{verdict.state.hex()[-8:]}" in page
    assert verdict.game is not None
    assert verdict.game.mode == "strict"
    assert verdict.game.offer.rules.behaviour == game.behaviour
