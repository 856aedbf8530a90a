"""Games that were played under each behaviour number verify to the same state for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read
from pbem_rules.bridgehead import game

FOLDER = Path(__file__).with_name("archives")
# Behaviour number, state hash at the end, records, orders, draws.
PLAYED = [(1, "32b29a94ddaa3bcb766ebdff676b4b9e3b44fc1f84e109d781061881114408d2", 108, 159, 16)]


@pytest.mark.parametrize(("behaviour", "state", "records", "orders", "draws"), PLAYED)
def test_an_archive_replays_to_its_state(behaviour, state, records, orders, draws):
    verdict = verify_archive(read((FOLDER / f"behaviour-{behaviour}.pbem").read_bytes()))
    assert verdict.ok, verdict
    assert verdict.state is not None
    assert verdict.state.hex() == state
    assert (verdict.counts.records, verdict.counts.orders, verdict.counts.draws) == (records, orders, draws)
    assert verdict.audit is not None


def test_every_behaviour_number_has_its_archive():
    assert [number for number, *_ in PLAYED] == list(range(1, game.behaviour + 1))
    assert {path.name for path in FOLDER.glob("*.pbem")} == {f"behaviour-{number}.pbem" for number, *_ in PLAYED}
