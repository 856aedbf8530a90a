"""Games are found by entry point."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from pbem.engine import registry
from pbem.protocol.errors import Refusal
from tests.engine.games import crowns


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> None:
    group = registry.GROUP
    found = {
        "crowns": EntryPoint("crowns", "tests.engine.games.crowns:GAME", group),
        "broken": EntryPoint("broken", "tests.engine.games.no_such_module:GAME", group),
        "bad": EntryPoint("bad", "tests.engine.games.crowns:GAME.no_such_thing", group),
        "liar": EntryPoint("liar", "tests.engine.games.crowns:GAME", group),
        "empty": EntryPoint("empty", "tests.engine.games.crowns:ISLES", group),
    }
    monkeypatch.setattr(registry, "_points", lambda: found)


@pytest.mark.usefixtures("points")
def test_games_are_found_by_name() -> None:
    assert registry.names() == ("bad", "broken", "crowns", "empty", "liar")
    assert registry.find("crowns") is crowns.GAME


@pytest.mark.usefixtures("points")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chess", "installed here"),
        ("broken", "cannot be loaded: No module"),
        ("bad", "cannot be loaded: AttributeError"),
        ("liar", "hold"),
        ("empty", "hold"),
    ],
)
def test_what_is_not_a_game_is_refused(name: str, says: str) -> None:
    with pytest.raises(Refusal, match=says) as caught:
        registry.find(name)
    assert caught.value.code == "E-MODULE"


@pytest.mark.usefixtures("points")
def test_a_game_lies_where_its_entry_point_says() -> None:
    assert registry.module("crowns") == "tests.engine.games.crowns"
    assert registry.module("bridgehead") == "pbem_rules.bridgehead"


def test_the_installed_games_are_listed() -> None:
    assert "bridgehead" in registry.names()
