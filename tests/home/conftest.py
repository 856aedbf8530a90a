"""A game that two homes have played by mail, made once for all tests that only look at it."""

import shutil

import pytest
from desks import desk_at, play, start, two


@pytest.fixture(scope="session")
def _played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("played")
    alice, bob = two(folder)
    name = start(alice, bob)
    play((alice, bob), name)
    return folder, name


@pytest.fixture
def played(tmp_path, _played):
    """Alice, Bob, and the name of their game of Bridgehead, which is over."""
    folder, name = _played
    for who in ("alice", "bob"):
        shutil.copytree(folder / who, tmp_path / who)
    return *(desk_at(tmp_path / who, f"{who} later", start=1_900_000_000) for who in ("alice", "bob")), name
