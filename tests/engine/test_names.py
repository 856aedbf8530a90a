"""What an author imports: two modules, whose names are said, found and explained."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pbem.game
import pbem.kit

RULES = Path(__file__).parents[2] / "rules/pbem_rules"
PUBLIC = [(module, name) for module in (pbem.game, pbem.kit) for name in module.__all__]


def imported(folder: Path) -> set[tuple[str, str]]:
    """Names from outside the package of a game, with where they come from."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    found = [each for tree in trees for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    return {(str(each.module), alias.name) for each in found for alias in each.names if each.level == 0}


@pytest.mark.parametrize(("module", "name"), PUBLIC, ids=lambda each: getattr(each, "__name__", each))
def test_a_name_is_there_and_says_how_it_is_called(module: Any, name: str) -> None:
    found = getattr(module, name)
    if not (inspect.isclass(found) or inspect.isfunction(found)) or getattr(found, "_is_protocol", False):
        return
    assert inspect.getdoc(found), f"{name} has no docstring"
    parameters = inspect.signature(found).parameters
    assert "args" not in parameters
    assert not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())


def test_names_are_said_once_and_in_order() -> None:
    assert len(set(pbem.game.__all__)) == len(pbem.game.__all__)
    assert not set(pbem.game.__all__) & set(pbem.kit.__all__)
    with pytest.raises(ImportError, match="cannot import name 'Nothing'"):
        exec("from pbem.kit import Nothing")


def test_bridgehead_needs_these_two_modules() -> None:
    modules = {module for module, _ in imported(RULES / "bridgehead") if module.startswith("pbem.")}
    assert modules == {"pbem.game", "pbem.kit"}


def test_a_judge_loads_no_pictures() -> None:
    code = "import sys, pbem.kit, pbem_rules.bridgehead; print(*(m for m in sys.modules if m.startswith('pbem.kit.')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split()
    assert "pbem.kit.search" in out
    assert not {"pbem.kit.scene", "pbem.kit.botcraft", "pbem.kit.rails"} & set(out)
