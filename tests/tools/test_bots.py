"""Bots play each other in every installed game, and what comes of it is counted right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.cli.run import run
from pbem.engine.registry import find, names
from tools import bots
from tools.bots import Played, Task, balanced, beaten, lower_bound, main, sides


def ended(mine: str, winner: str, **scores: int) -> Played:
    return Played(Task("bridgehead", None, "1", mine), winner, "points" if winner else "", scores, 7, 100, 0.5)


@pytest.mark.parametrize("name", names())
def test_any_installed_game_is_played_from_each_side(name, capsys):
    many = len(sides(find(name)))
    assert main(["beat", name, "--games", str(many), "--orders", "40", "--least", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for number, side in enumerate(sides(find(name))):
        assert lines[number].startswith(f"1/{number}, {find(name).best_bot} is {side}: not over; ")
        assert f"| {side} | 1 | 0 | 0% | " in "\n".join(lines)


def test_a_run_goes_on_where_it_stopped(tmp_path, capsys, monkeypatch):
    kept, played = tmp_path / "kept.jsonl", []
    monkeypatch.setattr(bots, "play", lambda task, play=bots.play: played.append(task.seed) or play(task))
    for games in ("1", "3"):
        main(["balance", "bridgehead", "--games", games, "--seed", "s", "--most", "1", "--keep", str(kept)])
    first, *more = capsys.readouterr().out.splitlines()
    assert played == ["s/0", "s/1", "s/2"]
    assert more.count(first) == 1
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 3


def test_wins_are_counted_by_side_and_measured():
    results = [ended("blue", "blue")] * 9 + [ended("blue", "red")] + [ended("red", "red")] * 10
    table, good = beaten(results, 0.6)
    assert "| blue | 10 | 9 | 60% | 0.5 s |" in table
    assert "| red | 10 | 10 | 72% | 0.5 s |" in table
    assert not good  # just below
    assert beaten(results, 0.59)[1]
    assert lower_bound(100, 100) > 0.96
    assert lower_bound(85, 100) < 0.85


def test_shares_and_scores_of_equals():
    results = [ended("", "blue", blue=score, red=5) for score in (9, 5, 7)] + [ended("", "red", red=8), ended("", "")]
    drawn = replace(ended("", ""), how="draw")
    table, good = balanced([*results, drawn], 0.75, 0.2)
    assert "| blue | points | 3 | 7 to 7 |" in table
    assert "| - | not over | 1 | 7 to 7 |" in table
    assert "| blue | **all** | **3** (75% of those won) | |" in table
    assert "| - | **draws** | **1** (17% of all) | |" in table
    assert "| blue | 3 | 5, 5, 7, 9, 9 |" in table
    assert good
    assert not balanced(results, 0.74, 0.2)[1]
    assert not balanced([*results, drawn, drawn], 0.75, 0.2)[1]


def test_a_game_is_recorded_as_text_and_as_an_archive(tmp_path, capsys):
    text, again, archive = (tmp_path / name for name in ("game.txt", "again.txt", "game.pbem"))
    for file in (text, again, archive):
        assert main(["record", "bridgehead", str(file)]) == 0
    assert text.read_text(encoding="utf-8") == again.read_text(encoding="utf-8")
    assert text.read_text(encoding="utf-8").splitlines()[-1].startswith("digest  ")
    capsys.readouterr()
    assert run(["verify", str(archive)]) == 0
    assert "Everything hidden has been revealed and checked." in capsys.readouterr().out
