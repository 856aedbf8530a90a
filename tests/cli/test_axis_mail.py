"""Axis & Allies 1941 by mail files: a turn is one mail of a person and one of a program; whole games, audited."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from homes import Player, begin, exchange, meet, settle
from shapes import fits

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.axis_games import play

ALLIES = ("--seat=ussr=me", "--seat=uk=me", "--seat=usa=me", "--seat=germany=bob", "--seat=japan=bob")
GERMANY = (
    "buy 4 infantry",
    "done",
    "move 4 infantry 2 tanks Eastern Europe > Karelia",
    "move fighter Germany > Karelia",
    "move sub sz9 > sz8",
    "done",
)
PLAN = "home; done; place 4 infantry Germany"


def mails(*players: Player) -> dict[str, int]:
    return {player.name: len(player.outbox()) for player in players}


def begun(tmp_path: Path, mode: str) -> tuple[Player, Player, tuple[Player, ...], str]:
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    others = (settle(tmp_path, "Carla Umm"),) if mode == "umpire" else ()
    meet(alice, bob, *others)
    umpire = ("--umpire", "carla") if others else ()
    name = begin(alice, bob, *others, "--mode", mode, *umpire, *ALLIES, game="axis1941")
    return alice, bob, (alice, bob, *others), name


def test_one_list_of_losses_for_all_own_powers(tmp_path):
    alice, bob, _, name = begun(tmp_path, "open")
    for player, powers in ((alice, {"ussr", "uk", "usa"}), (bob, {"germany", "japan"})):
        player("standing", name, "losses", "tank infantry")
        rows = player("standing", name, "--json").json["standing"]
        assert {(row["seat"], row["kind"]) for row in rows if row["state"] == "next record"} == {
            (power, "losses") for power in powers
        }


@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_a_turn_that_a_person_types_is_one_mail_and_one_automatic_reply(tmp_path, mode):
    alice, bob, all_, name = begun(tmp_path, mode)
    alice("order", name, "done", "done", "done")
    alice("send", name, "--yes")
    exchange(*all_)
    before = mails(*all_)
    bob("order", name, *GERMANY)
    bob("plan", name, PLAN)
    posted = fits("send", bob("send", name, "--yes", "--json").json)["posted"]
    assert not posted["automatic"]
    exchange(*all_)
    witness = all_[-1] if mode == "umpire" else alice
    grown = {who: count - before[who] for who, count in mails(*all_).items()}
    assert grown == {**dict.fromkeys(grown, 0), bob.name: 1, witness.name: 1}
    assert alice("status", name, "--json").json["games"][0]["my_move"]
    board = alice("board", name).out
    assert "United Kingdom's turn" in board
    assert alice("board", name, "--public").out == bob("board", name, "--public").out
    kinds = [record["kind"] for record in alice("log", name, "--json").json["records"][-2:]]
    assert kinds == ["orders", "reveal"]


def test_where_the_plan_is_not_legal_the_player_is_asked(tmp_path):
    alice, bob, all_, name = begun(tmp_path, "strict")
    alice("order", name, "done", "done", "done")
    alice("send", name, "--yes")
    exchange(*all_)
    bob("order", name, *GERMANY)
    bob("plan", name, "move infantry Ukraine > Eastern Europe; move infantry Germany > Russia; " + PLAN)
    bob("send", name, "--yes")
    exchange(*all_)
    assert bob("status", name, "--json").json["games"][0]["my_move"]
    assert "Germany's turn" in bob("board", name).out
    bob("undo", name, "--all")
    bob("order", name, "home", "done", "place 4 infantry Germany")
    bob("send", name, "--yes")
    exchange(*all_)
    assert "United Kingdom's turn" in alice("board", name).out


def test_undo_takes_back_a_line_as_typed_and_unit_one_of_it(tmp_path):
    alice, *_, name = begun(tmp_path, "open")
    alice("order", name, "buy 2 inf", "done")
    drafted = fits("draft", alice("draft", name, "--json").json)
    assert drafted["lines"][0] == {"orders": ["buy infantry"] * 2, "typed": "buy 2 inf"}
    assert drafted["plan"] == []
    assert alice("draft", name).out.splitlines() == ["  1  buy 2 inf", "       2 x buy infantry", "  2  done"]
    undone = fits("undo", alice("undo", name, "2", "--json").json)
    assert [line["typed"] for line in undone["undone"]] == ["buy 2 inf", "done"]
    assert undone["draft"] == []
    alice("order", name, "buy 2 inf")
    assert alice("undo", name, "--unit").out == "Taken back: buy infantry\n1 line left in the draft.\n"
    assert "  1  buy 2 inf\n       buy infantry\n" in alice("play", name, stdin="draft\nquit\n").out
    assert alice("undo", name).out == "Taken back: buy 2 inf\nThe draft is empty.\n"


@pytest.mark.parametrize(("mode", "players"), [("strict", 2), ("strict", 5), ("umpire", 3), ("open", 2)])
def test_games_between_bots_are_audited(tmp_path, mode, players):
    report = play(tmp_path, mode, players, rounds=1, seed=f"slice {mode}")
    assert report.faults == []
    assert report.human <= report.turns
    assert report.automatic <= (0 if mode == "open" else report.human)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_more_games_between_bots_are_audited(tmp_path, mode, players):
    report = play(tmp_path, mode, players, rounds=3, seed="more")
    assert report.faults == []
    assert report.human <= report.turns


def test_the_prompt_answers_questions(tmp_path):
    alice, _, _, name = begun(tmp_path, "strict")
    out = alice("play", name, stdin="help\nlook income\nquit\n").out
    assert "look [TEXT]" in out
    assert "in hand" in out
