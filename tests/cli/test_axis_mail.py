"""Axis & Allies 1941 by mail files: a turn is one mail of a person and one of a program; whole games, audited."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from homes import Player, begin, exchange, meet, newest, settle
from shapes import fits

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.mails import Task, play

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
    seats = tuple(each.replace("=me", "=alice") for each in ALLIES) if others else ALLIES
    name = begin(*others, alice, bob, "--mode", mode, *seats, game="axis1941")
    return alice, bob, (alice, bob, *others), name


def test_one_list_of_losses_for_all_own_powers(tmp_path):
    alice, bob, _, name = begun(tmp_path, "open")
    for player, powers in ((alice, {"ussr", "uk", "usa"}), (bob, {"germany", "japan"})):
        player("standing", name, "losses", "tank infantry")
        rows = player("standing", name, "--json").json["standing"]
        assert {(row["seat"], row["kind"]) for row in rows if row["state"] == "with your next orders"} == {
            (power, "losses") for power in powers
        }


@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_a_turn_that_a_person_types_is_one_mail(tmp_path, mode):
    """An umpire's program answers at once; what a player's answers travels with the player's own turn."""
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
    grown = {who: count - before[who] for who, count in mails(*all_).items()}
    answers = {all_[-1].name: 1} if mode == "umpire" else {}
    assert grown == {**dict.fromkeys(grown, 0), bob.name: 1, **answers}
    assert alice("status", name, "--json").json["games"][0]["my_move"]
    board = alice("board", name).out
    assert "United Kingdom's turn" in board
    kinds = [record["kind"] for record in alice("log", name, "--json").json["records"][-2:]]
    assert kinds == ["orders", "reveal"]
    alice("order", name, "done", "done", "done")
    alice("send", name, "--yes")
    exchange(*all_)
    assert alice("board", name, "--public").out == bob("board", name, "--public").out


def planned(tmp_path: Path, plan: str) -> tuple[Player, Player, str, str]:
    """Germany's turn with this plan is in, and its dice: with Alice's turn, if that is next. What Bob reads then."""
    alice, bob, all_, name = begun(tmp_path, "strict")
    alice("order", name, "done", "done", "done")
    alice("send", name, "--yes")
    exchange(*all_)
    bob("order", name, *GERMANY)
    assert "nothing in the rest of this turn asks for" in bob("plan", name, "buy infantry", code=1).err
    assert "your opponents can read it" in bob("plan", name, plan).out
    bob("send", name, "--yes")
    alice("open", str(newest(bob)))
    if alice("status", name, "--json").json["games"][0]["my_move"]:
        alice("order", name, "done", "done", "done")
        alice("send", name, "--yes")
    return alice, bob, name, bob("open", str(newest(alice))).out


def test_a_line_of_a_plan_that_is_not_legal_is_skipped_and_the_others_go_on(tmp_path):
    _, bob, name, told = planned(
        tmp_path, "move infantry Ukraine > Eastern Europe; move infantry Germany > Russia; " + PLAN
    )
    assert "; home; done; 4 x place infantry Germany." in told
    assert re.search(r"Skipped: (.*; )?move infantry Germany >> Russia\. ", told), told
    assert "Not reached" not in told
    assert "Japan's turn" in bob("board", name).out
    assert fits("draft", bob("draft", name, "--json").json)["left"] is None


def test_a_line_of_a_plan_waits_for_a_fact_or_stops_the_plan(tmp_path):
    skipped = "if holds/germany = 0 then move infantry Ukraine > Eastern Europe"
    stopped = "if holds/germany = 1 then must move infantry Germany > Russia"
    _, bob, name, told = planned(tmp_path, f"{skipped}; {stopped}; {PLAN}")
    assert "Skipped: if holds/germany = 0 then move infantry Ukraine" in told
    assert "holds/germany = 0 does not hold" in told
    assert re.search(r"It stopped: if .* then must move infantry Germany >> Russia was not legal", told), told
    assert "Not reached: if holds/germany = 1 then must move" in told
    assert "if holds/germany = 1 then must move infantry Germany" in bob("draft", name).out


def test_a_whole_turn_typed_at_the_prompt_goes_into_draft_and_plan(tmp_path):
    alice, bob, all_, name = begun(tmp_path, "strict")
    alice("order", name, "done", "done", "done")
    alice("send", name, "--yes")
    exchange(*all_)
    lines = [*GERMANY, "done", "home", "done", "place 4 infantry Germany", "buy infantry", "quit"]
    played = bob("play", name, stdin="\n".join(lines) + "\n", code=1)
    assert played.out.count("Planned for after the dice.") == 3
    assert played.err.count("[E-PLAN]") == 1  # the third `done` comes before there is a plan
    assert "nothing in the rest of this turn asks for buy" in played.err
    drafted = fits("draft", bob("draft", name, "--json").json)
    assert [line["typed"] for line in drafted["lines"]] == list(GERMANY)
    assert [line["typed"] for line in drafted["plan"]] == ["home", "done", "place 4 infantry Germany"]


def test_what_a_plan_holds_too_much_orders_for_nobody_else(tmp_path):
    """One `done` more than there are phases: it goes with the turn, and Japan's purchase does not begin with it."""
    _, bob, name, told = planned(tmp_path, PLAN + "; done")
    assert "Not reached: done." in told
    assert "! The turn of Germany has passed. Dropped from the rest of your plan: done." in told
    drafted = fits("draft", bob("draft", name, "--json").json)
    assert (drafted["lines"], drafted["left"]) == ([], None)
    assert "Japan's turn" in bob("board", name).out
    assert bob("draft", name).out == "The draft is empty.\n"
    bob("order", name, "buy infantry")


def test_another_kind_of_order_stops_a_plan_and_what_is_left_waits(tmp_path):
    alice, bob, name, told = planned(tmp_path, "place 4 infantry Germany; home; done")
    assert "It stopped: Round 1, Germany: non-combat move." in told
    assert f"! What is left of your plan is in your draft, and only you can send it: pbem draft {name}" in told
    assert bob("status", name, "--json").json["games"][0]["my_move"]
    assert "Germany's turn" in bob("board", name).out
    drafted = fits("draft", bob("draft", name, "--json").json)
    assert drafted["lines"] == []
    assert drafted["left"]["waiting"] == [*["place infantry Germany"] * 4, "home", "done"]
    assert "Your plan goes on from here with what was left of it: 4 x place" in bob("order", name, "home", "done").out
    drafted = fits("draft", bob("draft", name, "--json").json)
    assert [(line["typed"], line["left"]) for line in drafted["lines"]] == [
        ("home", False),
        ("done", False),
        *[("place infantry Germany", True)] * 4,
    ]
    assert drafted["left"]["waiting"] == ["home", "done"]
    shown = bob("play", name, stdin="quit\n").out
    assert "Your plan stopped: Round 1, Germany: non-combat move." in shown
    assert "  3 *place infantry Germany " in shown
    assert "Left over, and not asked for yet: home; done." in shown
    assert "Dropped from the rest of your plan: home; done." in bob("send", name, "--yes").out
    exchange(alice, bob)
    assert "United Kingdom's turn" in alice("board", name).out
    assert bob("draft", name).out == "The draft is empty.\n"


def test_undo_takes_back_a_line_as_typed_and_unit_one_of_it(tmp_path):
    alice, *_, name = begun(tmp_path, "open")
    alice("order", name, "buy 2 inf", "done")
    drafted = fits("draft", alice("draft", name, "--json").json)
    assert drafted["lines"][0] == {
        "left": False,
        "orders": ["buy infantry"] * 2,
        "said": ["You buy 1 infantry."] * 2,
        "typed": "buy 2 inf",
    }
    assert drafted["plan"] == []
    shown = alice("draft", name).out.splitlines()
    assert shown[:2] == ["  1  buy 2 inf", "       2 x You buy 1 infantry."]
    assert shown[2].startswith("  2  done")
    undone = fits("undo", alice("undo", name, "2", "--json").json)
    assert [line["typed"] for line in undone["undone"]] == ["buy 2 inf", "done"]
    assert undone["draft"] == []
    alice("order", name, "buy 2 inf")
    assert alice("undo", name, "--unit").out == "Taken back: buy infantry\n1 line left in the draft.\n"
    assert "  1  buy 2 inf   You buy 1 infantry.\n" in alice("play", name, stdin="draft\nquit\n").out
    assert alice("undo", name).out == "Taken back: buy 2 inf\nThe draft is empty.\n"


@pytest.mark.parametrize(("mode", "players"), [("strict", 2), ("strict", 5), ("umpire", 3), ("open", 2)])
def test_games_between_bots_are_audited(tmp_path, mode, players):
    found = play(tmp_path, Task("axis1941", mode, players, turns=5, seed=f"slice {mode}"))
    assert found.faults == []
    assert found.human <= found.turns
    assert found.automatic <= (0 if mode == "open" else found.human)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_more_games_between_bots_are_audited(tmp_path, mode, players):
    found = play(tmp_path, Task("axis1941", mode, players, turns=15, seed="more"))
    assert found.faults == []
    assert found.human <= found.turns


def test_the_prompt_answers_questions(tmp_path):
    alice, _, _, name = begun(tmp_path, "strict")
    out = alice("play", name, stdin="help\nlook income\nquit\n").out
    assert "look [TEXT]" in out
    assert "in hand" in out
