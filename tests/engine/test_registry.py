"""Games are found by entry point."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import registry
from pbem.engine.step import GameError
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
    monkeypatch.setattr(registry, "installed", lambda: found)


@pytest.mark.usefixtures("points")
def test_games_are_found_by_name() -> None:
    assert registry.names() == ("bad", "broken", "crowns", "empty", "liar")
    assert registry.find("crowns") is crowns.GAME


@pytest.mark.usefixtures("points")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("chess", "The installed games are: bad"),
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


PICKETS = """
from dataclasses import replace
from pbem.engine.step import GameError
from tests.engine.games.crowns import GAME, Land

def board(view):
    return {}[view.missing]

class March(Land):
    def legal(self, s, f, seat, own):
        yield ()[s]

game = replace(GAME, name="pickets")
"""


@pytest.fixture
def pickets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game in a package that a user has installed."""
    (tmp_path / "pickets").mkdir()
    (tmp_path / "pickets" / "__init__.py").write_text("from pickets.rules import game")
    (tmp_path / "pickets" / "rules.py").write_text(PICKETS)
    about = tmp_path / "pickets-0.3.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pickets\nVersion: 0.3\nAuthor-email: Jo <jo@x.org>\n")
    (about / "entry_points.txt").write_text("[pbem.games]\npickets = pickets:game\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("pickets.rules")
    for name in ("pickets", "pickets.rules"):
        del sys.modules[name]


def blamed(call: Callable[[], Any]) -> tuple[str, str]:
    with pytest.raises(Exception) as caught:
        call()
    return registry.fault(caught.value)


def test_a_fault_in_a_game_is_called_that(pickets: Any) -> None:
    whom = "Jo <jo@x.org> (package pickets 0.3)"
    assert blamed(lambda: pickets.board(None)) == (
        "a fault in the game pickets (AttributeError, rules.py line 7)",
        whom,
    )
    listed = blamed(lambda: list(pickets.March().legal(0, None, "ash", {})))
    assert listed == ("a fault in the game pickets (IndexError in the step march, rules.py line 11)", whom)
    mistake = GameError("pickets", "march", "apply returned None")
    assert registry.fault(mistake) == ("a fault in the game pickets (step march: apply returned None)", whom)
    textless = GameError("pickets.rules", "", "the order Stand has no text")
    assert registry.fault(textless) == ("a fault in the game pickets (the order Stand has no text)", whom)


def test_a_fault_outside_games_is_one_in_pbem() -> None:
    assert blamed(lambda: {}["x"]) == ("a fault in pbem (KeyError)", "the authors of pbem")


@pytest.mark.usefixtures("points")
def test_a_game_without_a_package_has_an_author_all_the_same() -> None:
    assert registry.fault(GameError("crowns", "", "no")) == (
        "a fault in the game crowns (no)",
        "the author of the game",
    )


def test_the_installed_games_are_listed() -> None:
    assert "bridgehead" in registry.names()


def test_a_game_that_cannot_be_loaded_names_its_file_and_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swamps.py").write_text("costs = {}\ncosts['swamp']\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "installed", lambda: {"swamps": EntryPoint("swamps", "swamps:game", registry.GROUP)})
    with pytest.raises(Refusal, match=r"cannot be loaded: KeyError: 'swamp', swamps.py line 2\."):
        registry.find("swamps")
