"""Two homes whose game has begun, and a finished game: made once for all tests of commands."""

from __future__ import annotations

import pytest
from homes import begin, copied, exchange, meet, settle


@pytest.fixture(scope="session")
def _two_at_the_table(tmp_path_factory):
    """Two homes whose game of Bridgehead waits for both players' first choice; made once and copied."""
    folder = tmp_path_factory.mktemp("two")
    alice, bob = settle(folder, "Alice Kern"), settle(folder, "Bob Silva")
    meet(alice, bob)
    return folder, begin(alice, bob, "--seat", "blue=me", "--seat", "red=bob")


@pytest.fixture
def two(tmp_path, _two_at_the_table):
    """Alice, Bob, and the name of their running game."""
    return copied(_two_at_the_table, tmp_path / "two")


@pytest.fixture(scope="session")
def _alice_moves(tmp_path_factory, _two_at_the_table):
    folder = tmp_path_factory.mktemp("moving") / "two"
    alice, bob, name = copied(_two_at_the_table, folder)
    for choice in ("reserve", "posture"):
        for player in (alice, bob):
            player("order", name, player("legal", name, choice, "--json").json["orders"][0])
            player("send", name, "--yes")
        exchange(alice, bob)
    return folder, name


@pytest.fixture
def moving(tmp_path, _alice_moves):
    """The same, with Alice to move her units."""
    return copied(_alice_moves, tmp_path / "two")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The archive of a whole game, played by mail in a demonstration, and what the demonstration told."""
    folder = tmp_path_factory.mktemp("demo") / "place"
    from homes import pbem

    done = pbem("demo", "--seed", "5", "--dir", str(folder), "--keep", "--json", home=folder)
    assert done.code == 0, done
    return folder, done.json
