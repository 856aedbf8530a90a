"""Games that were played under each behaviour number verify to the same state for ever.

`pbem demo --seed 1 --dir DIR` made the archive of behaviour 1.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read
from pbem_rules.bridgehead import game

FOLDER = Path(__file__).with_name("archives")
# Behaviour number, state hash at the end, records, orders, draws.
PLAYED = [(1, "d888d7256b82e743c7090fdc46964539e055215856a09391d6b3e70e3985a338", 119, 170, 17)]


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
