"""`pbem check-game` tells an author what is wrong, and scripts by the exit code."""

from __future__ import annotations

import pytest
from homes import pbem
from shapes import fits

from pbem.engine import registry
from tests.engine.games import faulty, siege


@pytest.fixture
def offered(monkeypatch):
    """Makes `check-game siege` find this game."""
    return lambda game: monkeypatch.setattr(registry, "packaged", lambda _: game)


def test_a_mistake_is_said_with_game_step_and_rule(tmp_path, offered):
    offered(faulty.FAULTS["winner"][0])
    done = pbem("check-game", "siege", "--seconds", "600", home=tmp_path)
    assert done.code == 1
    assert "siege, night (4): the winner 'crimson' is not a side; the sides are blue, red" in done.out
    assert "1 mistake found." in done.out
    told = pbem("check-game", "siege", "--seconds", "600", "--json", home=tmp_path)
    assert told.code == 1
    (finding,) = fits("check-game", told.json)["findings"]
    assert (finding["step"], finding["rule"]) == ("night", "4")
    assert told.json["ok"] is False


def test_a_sound_game_passes_and_says_what_was_not_reached(tmp_path, offered):
    offered(siege.GAME)
    done = pbem("check-game", "siege", "--seconds", "600", "--json", "--seed", "5", home=tmp_path)
    assert done.code == 0
    assert fits("check-game", done.json)["ok"] is True
    assert done.json["seed"] == "5"
    assert done.json["steps"] == []
    assert done.json["strict"] == 1
    assert done.json["mails"] > 10
    assert "No mistake was found." in pbem("check-game", "siege", "--seconds", "600", home=tmp_path).out


def test_a_game_that_is_not_there(tmp_path):
    done = pbem("check-game", "nosuch", home=tmp_path)
    assert (done.code, done.reason) == (1, "E-MODULE")
    assert pbem("check-game", "bridgehead", "--seconds", "0", home=tmp_path).code == 2
