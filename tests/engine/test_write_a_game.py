"""The tutorials' code runs as it stands there, and what the pages name exists."""

from __future__ import annotations

import ast
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import pbem.engine.testing
import pbem.game
from pbem.cli.authoring import written
from pbem.engine.testing import check_game

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "write-a-game.md").read_text(encoding="utf-8")
FERRY, REST = PAGE.split("## A hex game to change")
FORDS, AFTER = REST.split("## Find your mistakes")


def blocks(text: str, language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def test_ferry_runs_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = (DOCS / "rules-reference.md").read_text(encoding="utf-8")
    module = types.ModuleType("ferry_of_the_tutorial")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for text in (FERRY, AFTER, reference):
        exec(compile("\n".join(blocks(text)), "a page", "exec"), module.__dict__)
    assert module.__dict__["game"].name == "ferry"
    report = check_game(module.__dict__["smugglers"], games=8)
    assert (report.findings, report.steps, report.refusals) == ([], [], [])


def test_ferry_needs_few_names() -> None:
    trees = ast.walk(ast.parse("\n".join(blocks(FERRY))))
    imports = [each for each in trees if isinstance(each, ast.ImportFrom) and str(each.module).startswith("pbem")]
    assert {each.module for each in imports} == {"pbem.game"}
    names = {alias.name for each in imports for alias in each.names}
    assert names <= set(pbem.game.__all__)
    assert len(names) <= 12


@pytest.fixture
def fords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in written("fords").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path / "fords"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_changes_of_the_second_tutorial_work(fords: Path) -> None:
    terms, advance = blocks(FORDS)
    (terrain,) = blocks(FORDS, "toml")
    data = fords / "data"
    change(data / "map.toml", terrain.replace('swamp = "s"\n', ""), terrain)
    change(data / "map.toml", '".w.....w"', '".ws.s..w"')
    change(data / "tables.toml", '"river"]', '"river", "swamp"]')
    change(data / "tables.toml", '    ["2", "0"], # on', '    ["2", "0"],\n    ["3", "0"],\n    # on')
    change(data / "units.toml", 'strength = 4, move = 3, hex = "0103"', 'strength = 5, move = 3, hex = "0103"')
    change(fords / "rules.py", terms.strip(), terms.strip().replace("stops=hot", "zone=hot, enter=2"))
    (fords / "rules.py").open("a", encoding="utf-8").write("\n\n" + advance)
    change(fords / "__init__.py", "rules.Retreating()", "rules.Retreating(), rules.Advancing()")
    from fords import game  # type: ignore[import-not-found]

    found: Any = check_game(game, games=2, seconds=20)
    assert found.findings == []
    assert found.steps == []


def test_what_the_pages_name_exists() -> None:
    for name in ("at_step", "check_golden", "check_perft", "random_game", "replay_crash"):
        assert name in pbem.engine.testing.__all__
        assert f"`{name}" in PAGE
    reference = (DOCS / "rules-reference.md").read_text(encoding="utf-8")
    for name in ("Auto", "CardWindow", "Deck", "Drawing", "Planner", "Poll", "Provident", "Shuffling", "Versioned"):
        assert name in pbem.game.__all__
        assert f"`{name}" in reference
