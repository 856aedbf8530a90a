"""The game under the real protocol: every mode, two, three and five players, and a turn that costs one mail."""

from __future__ import annotations

import pytest

from pbem.engine.testing.inmemory import Table
from pbem_rules.axis1941 import game

SIDES = {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}
THREE = {"ussr": 0, "uk": 2, "usa": 2, "germany": 1, "japan": 1}


@pytest.mark.parametrize(
    ("mode", "players", "seats"),
    [("strict", 2, SIDES), ("strict", 5, None), ("umpire", 3, THREE), ("open", 2, SIDES)],
)
def test_everybody_sees_the_same(mode, players, seats):
    table = Table(game, players, mode=mode, umpire=mode == "umpire", seed="allies", seats=seats)
    for _ in range(5_000):
        assert table.step()
        if table.peers[0].match.machine.state.round > 2:
            break
    table.settle()
    assert table.agree()


def test_the_rules_know_which_powers_one_player_holds():
    match = Table(game, 2, mode="open", seats=SIDES).peers[1].match
    assert match.machine.state.players == match.copy().machine.state.players == SIDES


TURN = (
    "buy 4 infantry",
    "done",
    "move 4 infantry 2 tanks Eastern Europe > Karelia",
    "move fighter Southern Europe > Karelia",
    "move fighter Germany > Karelia",
    "done",
    "home",
    "done",
    "place 4 infantry Germany",
)


@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_a_whole_turn_is_one_mail_and_one_automatic_reply(mode):
    for seed in range(6):
        table = Table(game, 2, mode=mode, umpire=mode == "umpire", seed=str(seed), seats=SIDES)
        table.settle()
        draft = table.peers[0].player.draft(table.peers[0].match)
        while draft.seat == "ussr":
            draft.add(game.notation.read("done"))
        table.order(0, [entry.order for entry in draft.entries])
        table.settle()
        match = table.peers[1].match
        assert match.asked(1) == ("germany",)
        before = len(table.records)
        context = match.machine.context("germany", {})
        table.order(1, [order for line in TURN for order in game.notation.parse(line, context)])
        table.settle()
        kinds = [record.kind for record in table.records[before:]]
        assert kinds == ["orders", "reveal"]
        match = table.peers[0].match
        assert match.asked(0) == ("uk",)
        assert match.machine.state.ipc["germany"] >= 12
        assert table.agree()
