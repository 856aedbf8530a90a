"""The tutorial's code runs, and its game keeps the contract."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "write-a-game.md"


def test_the_tutorial_runs_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 6
    module = types.ModuleType("ferry_of_the_tutorial")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile("\n".join(blocks), str(PAGE), "exec"), module.__dict__)
    assert module.__dict__["game"].name == "ferry"


def test_what_the_tutorial_names_exists() -> None:
    import pbem.engine.cardplay
    import pbem.engine.decks
    import pbem.engine.plain
    import pbem.engine.step
    import pbem.engine.testing
    import pbem.engine.window

    for name in ("at_step", "check_golden", "check_perft", "random_game", "replay_crash"):
        assert name in pbem.engine.testing.__all__
        assert f"`{name}" in PAGE.read_text(encoding="utf-8")
    assert pbem.engine.step.Secret.secret
    assert pbem.engine.window.Window.window
