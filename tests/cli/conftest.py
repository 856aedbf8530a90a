"""Two homes whose game has begun, and a finished game: made once for all tests of commands."""

from __future__ import annotations

import shutil

import pytest
from homes import Player, begin, meet, settle


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
    folder, name = _two_at_the_table
    shutil.copytree(folder, tmp_path / "two")
    return Player("Alice Kern", tmp_path / "two" / "alice"), Player("Bob Silva", tmp_path / "two" / "bob"), name


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The archive of a whole game, played by mail in a demonstration, and what the demonstration told."""
    folder = tmp_path_factory.mktemp("demo") / "place"
    from homes import pbem

    done = pbem("demo", "--seed", "5", "--dir", str(folder), "--keep", "--json", home=folder)
    assert done.code == 0, done
    return folder, done.json
