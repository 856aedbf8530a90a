"""Bridgehead under the real protocol: whole games in every mode, and a half-turn that needs one mail."""

from __future__ import annotations

import pytest

from pbem.engine.archive import verify_archive
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import Table
from pbem_rules.bridgehead import game


@pytest.mark.parametrize(
    ("mode", "scenario", "bot"),
    [
        ("strict", "crossing", "sensible"),
        ("strict", "counterstroke", "random"),
        ("umpire", "crossing", "random"),
        ("open", "counterstroke", "sensible"),
    ],
)
def test_whole_games(mode, scenario, bot):
    table = Table(game, 2, mode=mode, umpire=mode == "umpire", seed="bridgehead", scenario=scenario)
    table.play(dict.fromkeys((0, 1), game.bots[bot]))
    assert table.agree()
    match = table.peers[0].match
    assert match.result is not None
    assert match.machine.state.deck.epoch >= 2  # reshuffled with cards in the hands
    verdict = verify_archive(table.archive(), lambda _: game)
    assert verdict.ok, verdict


def opened(seed: str) -> Table:
    """At Blue's first move; Red's program answers for him."""
    read = game.notation.read
    table = Table(game, 2, seed=seed)
    table.settle()
    table.order(0, [read("reserve 0104")])
    answers = {"react": "then pass", "counter": "then default", "retreat": "then default"}
    standing = [NewStanding("red", kind, parse(text), kind == "react") for kind, text in answers.items()]
    table.order(1, [read("reserve 0901")], standing)
    table.settle()
    for number, posture in enumerate(("attack", "rest")):
        table.order(number, [read(f"posture {posture}")])
    table.settle()
    return table


HALF_TURN = ("move B6 0405", "move B7 0405", "done", "attack 0505 from 0405", "done", "advance B6 0505", "halt")


def test_a_half_turn_in_one_mail():
    """Moves, attacks and the advance that is hoped for are one record, whatever the die says."""
    ends = set()
    for seed in range(4):
        table = opened(str(seed))
        before = len(table.records)
        table.order(0, [game.notation.read(text) for text in HALF_TURN])
        table.settle()
        assert [record.kind for record in table.records[before:]].count("orders") == 1
        match = table.peers[0].match
        assert match.asked(1)
        assert not match.asked(0)
        assert table.agree()
        ends.add(match.machine.state.side_at(505))
    assert ends == {"blue", "red"}


def test_bytes_of_a_half_turn():
    record = opened("1").order(0, [game.notation.read(text) for text in HALF_TURN])
    assert len(record.data["orders"]) <= 2 + 3 * len(HALF_TURN)
