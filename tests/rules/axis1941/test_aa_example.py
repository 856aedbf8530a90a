"""The archived game that the repository shows, beside what holds for all of them (tests/rules/test_examples.py)."""

from __future__ import annotations

from pathlib import Path

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read
from pbem_rules.axis1941 import game

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "axis1941"


def test_the_example_is_a_strict_game_of_these_rules_won_by_the_capitals():
    verdict = verify_archive(read((FOLDER / "game.pbem").read_bytes()))
    assert verdict.ok, verdict.first_bad
    assert verdict.result is not None
    assert (verdict.result["winner"], verdict.result["how"]) == ("axis", "capitals")
    assert verdict.game is not None
    assert verdict.game.mode == "strict"
    assert verdict.game.offer.rules.behaviour == game.behaviour
