"""The simulator has every cell, its games end, and what is broken is found and can be played again."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path

import pytest

from pbem.engine.match import Match
from pbem.engine.registry import find, names
from pbem.engine.testing import seating
from tools import soak
from tools.soak import Cell, InMemory, Task, cells, main, play, tasks

sys.path.append(str(Path(__file__).parent.parent / "engine"))


def task(tmp_path, cell: Cell, seed: str, *, memory: bool = True, moves: int = 60) -> Task:
    return Task(cell, seed, moves, memory, tmp_path / "kept")


def test_every_installed_game_is_played_in_every_mode_with_every_number_of_players():
    found = cells(None, None, None, None)
    for name in names():
        game = find(name)
        mine = [cell for cell in found if cell.game == name]
        assert {cell.mode for cell in mine} == {"strict", "umpire", "open"}
        assert {cell.players for cell in mine} == set(range(1, len(game.seats) + 1))
        assert {cell.scenario for cell in mine} == {plan.name for plan in game.scenarios}
    run = Namespace(game=None, mode=None, players=None, scenario=None, games=None, seconds=None, seed="1", moves=9,
                    memory=True, bot="")  # fmt: skip
    assert Counter(each.cell for each in tasks(run, None)) == Counter(found)


def test_one_bot_can_play_for_all(tmp_path):
    run = Namespace(game=None, mode="open", players=None, scenario=None, games=None, seconds=None, seed="1", moves=9,
                    memory=True, bot="quick")  # fmt: skip
    found = list(tasks(run, tmp_path))
    assert {each.cell.game for each in found} == {name for name in names() if "quick" in find(name).bots}
    assert {level for each in found[:6] for level in InMemory(each).levels} == {"quick"}
    assert all(each.command().endswith(" --memory --bot quick") for each in found)


@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_a_game_that_is_installed_is_played(tmp_path, monkeypatch, mode):
    """Jackdaw: thefts and cards thrown away face down in every turn."""
    from games.jackdaw import GAME

    monkeypatch.setattr(soak, "names", lambda: (GAME.name,))
    monkeypatch.setattr(soak, "find", lambda _: GAME)
    (cell,) = cells(None, mode, 2, None)
    assert str(cell) == f"jackdaw {mode} 2 nest"
    InMemory(task(tmp_path, cell, mode)).play()


@pytest.mark.parametrize(("name", "players"), [("axis1941", n) for n in range(2, 6)] + [("bridgehead", 2)])
def test_nobody_plays_for_two_sides(name, players):
    game = find(name)
    seats = seating(game, players)
    assert set(seats.values()) == set(range(players))
    assert seats[game.seats[0].name] == 0
    for number in range(players):
        assert len({seat.side for seat in game.seats if seats[seat.name] == number}) == 1


@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
@pytest.mark.parametrize(("game", "scenario"), [("bridgehead", "crossing"), ("noretreat", "berlin"),
                                                ("axis1941", "printed")])  # fmt: skip
def test_whole_games_with_takebacks_end(tmp_path, game, scenario, mode):
    done: Counter[str] = Counter()
    for seed in range(40 if game == "bridgehead" else 1):
        people = InMemory(task(tmp_path, Cell(game, mode, 2, scenario), f"test {seed}", moves=60 if seed else 12))
        people.restless = 0.2
        people.play()
        done.update(record.kind for record in people.table.records)
        if seed > 1 and done["answer"]:
            break
    if game == "bridgehead":
        assert done["takeback"]
        assert done["answer"]


@pytest.mark.slow
def test_a_game_between_homes_ends(tmp_path, some):
    for mode in some(["strict", "umpire", "open"], 3):
        played = play(task(tmp_path, Cell("bridgehead", mode, 2, "crossing"), f"homes {mode}", memory=False, moves=24))
        assert played.fault == ""
        assert played.mails > 10
        assert not list((tmp_path / "kept").iterdir())


def test_a_game_alone_ends(tmp_path):
    played = play(task(tmp_path, Cell("bridgehead", "open", 1, "crossing"), "alone", memory=False))
    assert (played.fault, played.mails) == ("", 0)


def test_the_same_seed_plays_the_same_game(tmp_path):
    def records(seed):
        people = InMemory(task(tmp_path, Cell("bridgehead", "strict", 2, "crossing"), seed, moves=12))
        people.play()
        return [record.raw for record in people.table.records]

    assert records("same") == records("same")
    assert records("same") != records("other")


def test_a_deck_that_cannot_be_shuffled_is_found_and_replayed(tmp_path, monkeypatch, capsys):
    """The rules' request as it stands, with slots that everybody has seen: no record can meet it."""

    def untranslated(match, deck, doing=None):
        return next(each for each in match.machine.need.requests if getattr(each, "back", None) is not None)

    monkeypatch.setattr(Match, "wanted", untranslated)
    run = ["--game=bridgehead", "--mode=strict", "--players=2", "--scenario=crossing", "--memory", "--games=1"]
    run += ["--seed=1.11", f"--keep={tmp_path / 'kept'}"]
    assert main(run) == 1
    out = capsys.readouterr().out
    assert out.startswith("seed 1.11\n")
    assert "E-DECK" in out
    assert out.endswith("\n1 games, 1 failures\n")
    again = next(line.partition("again: ")[2] for line in out.splitlines() if "again: " in line)
    assert main([*again.split()[3:], f"--keep={tmp_path / 'again'}"]) == 1
    assert "E-DECK" in capsys.readouterr().out
    (left,) = (tmp_path / "again").iterdir()
    assert (left / "records.pbem").stat().st_size
    assert again in (left / "log.txt").read_text()


def test_a_game_in_which_much_is_ordered_and_nothing_is_decided_is_given_up(tmp_path, monkeypatch):
    """One player who seals many turns at once has soon ordered enough, however few the records are."""
    monkeypatch.setattr(soak, "ORDERS", 1)
    cell = cells("bridgehead", "open", 1, "crossing")[0]
    people = InMemory(task(tmp_path, cell, "much", moves=30))
    people.play()
    assert sum(record.kind == "orders" for record in people.table.records) < 30
    assert any(record.kind == "resign" for record in people.table.records)
