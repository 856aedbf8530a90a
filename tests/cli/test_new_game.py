"""`pbem new-game` writes a package that installs, plays and passes its tests; nothing is overwritten."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from homes import begin, exchange, meet, pbem, settle
from shapes import fits

from pbem import game, kit
from pbem.cli.authoring import TEMPLATE


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A module, as after an installation of what lies in the folder."""
    environ = {**os.environ, "PYTHONPATH": str(folder), "PBEM_HOME": str(folder.parent / "home")}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def fords(tmp_path):
    """A new game, installed without a network: with the metadata that an installer makes of its pyproject.toml."""
    folder = tmp_path / "fords"
    made = fits("new-game", pbem("new-game", str(folder), "--json", home=tmp_path).json)
    assert made["name"] == "fords"
    assert sorted(made["files"]) == sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    about = folder / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    ((name, where),) = project["entry-points"]["pbem.games"].items()
    (about / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {where}\n")
    return folder


def test_its_tests_pass_and_no_mistake_is_found(fords):
    tested = run(fords, "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    checked = run(fords, "pbem", "check-game", "fords", "--seconds", "10", "--json")
    assert checked.returncode == 0, checked.stdout
    report = fits("check-game", json.loads(checked.stdout))
    assert (report["findings"], report["steps"], report["rules"]) == ([], [], [])


def forget(package: str) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        del sys.modules[name]


def test_it_is_played_to_the_end_between_two_homes(fords, monkeypatch, request):
    monkeypatch.syspath_prepend(str(fords))
    request.addfinalizer(lambda: forget("fords"))
    alice, bob = settle(fords.parent, "Alice Kern"), settle(fords.parent, "Bob Silva")
    meet(alice, bob)
    name = begin(alice, bob, "--mode", "strict", "--seat", "blue=me", "--seat", "red=bob", game="fords")
    assert "Cards of Red: 0." in alice("board", name).out
    # Two attacks and the card drawn after them are one mail: what Bob's program answers travels with his own orders.
    alice("order", name, "move b4 0602", "move b5 0603", "done", "attack 0702")
    alice("plan", name, "attack 0704", "done")
    before = {*alice.outbox(), *bob.outbox()}
    alice("send", name, "--yes")
    exchange(alice, bob)
    assert [len({*player.outbox()} - before) for player in (alice, bob)] == [1, 0]
    assert bob("status", name, "--json").json["games"][0]["my_move"]
    assert bob("log", name).out.rstrip().endswith("Bob Silva  supplies cards")
    for _ in range(60):
        for player in (alice, bob):
            row = player("status", name, "--json").json["games"][0]
            if row["my_move"]:
                player("bot", name, "--send")
        exchange(alice, bob)
        if row["stage"] == "over":
            break
    archive = fords.parent / "game.pbem"
    alice("archive", name, "-o", str(archive))
    assert alice("verify", str(archive), "--json").json["ok"]
    assert "SK-3.4" in alice("games", "fords", "--rules").out


def test_no_name_of_the_template_is_left(fords):
    for path in fords.rglob("*"):
        assert "skirmish" not in path.name
        assert not path.is_file() or "skirmish" not in path.read_text().casefold()


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("Two Fords", "cannot be the name of a game"),
        ("class", "cannot be the name of a game"),
        ("bridgehead", "already installed here"),
        ("json", "already installed here"),
    ],
)
def test_a_bad_name_is_refused_and_another_can_be_given(tmp_path, folder, says):
    refused = pbem("new-game", str(tmp_path / folder), home=tmp_path)
    assert (refused.code, refused.reason) == (1, "E-SETUP")
    assert says in refused.err
    assert not (tmp_path / folder).exists()
    made = pbem("new-game", str(tmp_path / folder), "--name", "two_fords", home=tmp_path)
    assert "pbem check-game two_fords" in made.out
    assert 'title="Two fords"' in (tmp_path / folder / "two_fords" / "__init__.py").read_text()


def test_nothing_is_overwritten(tmp_path, monkeypatch):
    folder = tmp_path / "fords"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for there in (folder, tmp_path / "file"):
        refused = pbem("new-game", str(there), "--name", "fords", home=tmp_path)
        assert (refused.code, refused.reason) == (1, "E-EXISTS")
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    (folder / "mine.txt").unlink()
    monkeypatch.syspath_prepend(str(tmp_path))  # as when it is run in this folder as `python -m pbem`
    assert pbem("new-game", str(folder), home=tmp_path).code == 0


def test_an_author_needs_few_lines_and_names():
    """300 lines of rules (board and bot aside), 40 names of pbem.game and pbem.kit, counted as they are used."""
    public = {*game.__all__, *kit.__all__}
    used: set[str] = set()
    lines = 0
    for path in (TEMPLATE / "skirmish").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        lines += sum(bool(line.strip()) for line in text.splitlines()) if path.name != "shown.py" else 0
        tree = ast.parse(text)
        imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and each.level == 0]
        own = {each.name for each in ast.walk(tree) if isinstance(each, ast.ClassDef)}
        assert {each.module for each in imports if str(each.module).startswith("pbem")} <= {"pbem.game", "pbem.kit"}
        used |= {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} & set(game.__all__) - own
        used |= {alias.name for each in imports if each.module == "pbem.kit" for alias in each.names}
    assert used <= public
    assert lines <= 300, lines
    assert len(used) <= 40, sorted(used)
