"""Whole games under the protocol, in every mode: all copies agree, and the archive holds at every level."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from games.crowns import GAME as CROWNS
from games.duel import duel
from games.magpie import GAME as MAGPIE

from pbem.engine.archive import verify_archive
from pbem.engine.definition import Game
from pbem.engine.match import Match
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.verify import verify

STRICT: dict[str, Any] = {}
BY_UMPIRE = {"mode": "umpire", "umpire": True}
ESCROWED = {"umpire": True}
OPEN = {"mode": "open"}

GAMES = [
    pytest.param(duel(2), 2, STRICT, id="duel strict"),
    pytest.param(duel(3), 3, STRICT, id="duel of three strict"),
    pytest.param(duel(3), 3, ESCROWED, id="duel of three escrowed"),
    pytest.param(duel(2), 2, BY_UMPIRE, id="duel umpire"),
    pytest.param(duel(2), 1, OPEN, id="duel alone"),
    pytest.param(CROWNS, 5, STRICT, id="crowns strict"),
    pytest.param(CROWNS, 5, BY_UMPIRE, id="crowns umpire"),
    pytest.param(CROWNS, 3, OPEN, id="crowns open"),
    pytest.param(CROWNS, 2, BY_UMPIRE, id="crowns of two with several seats"),
    pytest.param(CROWNS, 4, BY_UMPIRE, id="crowns of four"),
    pytest.param(MAGPIE, 2, STRICT, id="magpie strict"),
    pytest.param(MAGPIE, 2, ESCROWED, id="magpie dealt"),
    pytest.param(MAGPIE, 2, BY_UMPIRE, id="magpie umpire"),
    pytest.param(MAGPIE, 2, OPEN, id="magpie open"),
]


@pytest.mark.parametrize(("game", "players", "options"), GAMES)
@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_whole_game_is_the_same_for_everybody_and_holds_for_strangers(
    game: Game[Any], players: int, options: dict[str, Any], seed: str
) -> None:
    table = Table(game, players, seed=seed, **options)
    table.play()
    assert table.agree()
    assert all(peer.match.finished for peer in table.peers.values())
    archives = [table.archive(number) for number in table.peers]
    assert all(archive == archives[0] for archive in archives)
    second = verify(archives[0])
    assert second.ok, second.first_bad
    third = verify_archive(archives[0], {game.name: game})
    assert third.ok, (third.first_bad, third.desync)
    assert third.state == table.peers[0].match.state_hash()
    assert third.result == second.result is not None
    assert third.counts == second.counts
    assert third.pending == ()
    assert third.audit is not None
    assert third.audit.missing == ()


def hands(match: Match[Any], table: Table) -> dict[int, set[str]]:
    """The deck slots that each player's program claims to know and the public does not."""
    public = set(match.ledger.decks.public())
    out = {}
    for number in match.genesis.players:
        known = table.peers[number].player.own_values(table.peers[number].match)
        out[number] = {slot for slot in known if match.ledger.decks.place(slot) is not None} - public
    return out


def test_nobody_knows_anothers_hand() -> None:
    table = Table(MAGPIE, 2, seed="hands")
    shared = 0
    for _ in range(400):
        if not table.step():
            break
        found = hands(table.peers[0].match, table)
        shared += bool(found[0])
        assert not found[0] & found[1]
    assert shared > 10


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from games.crowns import GAME as CROWNS
from games.magpie import GAME as MAGPIE
from games.duel import duel
from pbem.engine.testing.inmemory import Table
for game, players in ((CROWNS, 5), (MAGPIE, 2), (duel(3), 3)):
    table = Table(game, players, seed="hash")
    table.play()
    print(table.peers[0].match.state_hash().hex(), table.records[-1].id.hex(), table.peers[1].match.result)
"""


def test_the_same_game_under_other_hash_seeds() -> None:
    script = SCRIPT.format(here=str(Path(__file__).parent))
    seen = set()
    for seed in ("0", "1", "4242"):
        run = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        )
        seen.add(run.stdout)
    assert len(seen) == 1
    assert next(iter(seen)).count("\n") == 3
