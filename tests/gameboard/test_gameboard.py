"""The board without a browser: clicks choose words, what they say is typed, and the draft is the one typing makes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from boards import alone
from desks import start, two

from pbem.browser.gameboard import GameBoard
from pbem.engine.registry import names
from pbem.protocol.errors import PbemError
from pbem.table.desk import Desk

ALL = tuple(names())


def draft_of(desk: Desk, name: str) -> Any:
    return desk.move(name).draft.dump()


def clicked(board: GameBoard, rng: random.Random) -> str | None:
    """Random clicks until they say an order; its line."""
    state = board.state()
    rev, picks, verb = state["rev"], [], ""
    if not state["first"]:
        return None
    key = rng.choice(state["first"])
    if key.startswith("v:"):
        return next(each["text"] for each in board.pick(rev, [], key[2:])["ready"])
    picks.append(key)
    while True:
        found = board.pick(rev, picks, verb)
        assert not found["why"]
        if found["ready"] and (not found["next"] or rng.random() < 0.5):
            return str(rng.choice(found["ready"])["text"])
        key = rng.choice(sorted(found["next"]))
        if key in found["ends"]:
            return str(rng.choice(found["ends"][key])[1])
        picks.append(key)


@pytest.mark.parametrize("game", ALL)
def test_clicks_give_the_draft_that_typing_gives(tmp_path: Path, game: str) -> None:
    desk, name = alone(tmp_path / "clicks", game)
    other, same = alone(tmp_path / "typed", game)
    board, rng, given = GameBoard(desk, name), random.Random(game), 0
    for _ in range(30):
        line = clicked(board, rng)
        if line is None:
            if not desk.draft(name):
                break
            assert board.send(board.state()["rev"])["posted"] == []
            other.send(same)
            assert desk.move(name).match.state_hash() == other.move(same).match.state_hash()
            continue
        try:
            board.order(board.state()["rev"], line)
        except PbemError as refused:  # a second unit of one that is there once, for example
            assert refused.sentence  # noqa: PT017
            continue
        other.order(same, (line,))
        given += 1
        assert draft_of(desk, name) == draft_of(other, same)
    assert given > 5


@pytest.mark.parametrize("game", ALL)
def test_random_picks_never_raise(tmp_path: Path, game: str) -> None:
    desk, name = alone(tmp_path, game)
    board, rng = GameBoard(desk, name), random.Random(7)
    state = board.state()
    keys = sorted({*state["labels"], *state["first"], "", "x", "u:", "p:9999", "c:1"})
    for _ in range(120):
        picks = rng.sample(keys, rng.randint(0, min(4, len(keys))))
        if rng.random() < 0.6:
            picks = [rng.choice(state["first"]), *picks[:2]]
        verb = rng.choice(["", "", "move", "attack", "nothing"])
        found = board.pick(state["rev"], picks, verb)
        assert found["why"] or found["next"] or found["ready"]
        board.pick(state["rev"], [], verb, {key: rng.randint(1, 3) for key in picks})


def test_what_was_seen_before_a_change_changes_nothing(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    rev = board.state()["rev"]
    line = clicked(board, random.Random(1))
    assert line is not None
    desk.order(name, (line,))
    before = draft_of(desk, name)
    for call in (
        lambda: board.order(rev, line),
        lambda: board.undo(rev),
        lambda: board.send(rev),
        lambda: board.pick(rev, []),
        lambda: board.set_note(rev, "no"),
        lambda: board.set_preset(rev, "ask-nothing"),
    ):
        with pytest.raises(PbemError, match="changed meanwhile") as refused:
            call()
        assert refused.value.code == "E-STALE"
    assert draft_of(desk, name) == before
    assert desk.note(name) == ""


def test_a_group_goes_together_or_not_at_all(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "axis1941")
    for _ in range(2):
        desk.order(name, ("done",))
    board = GameBoard(desk, name)
    state = board.state()
    group = {"u:ussr-infantry@Russia": 2, "u:ussr-tank@Russia": 1}
    found = board.pick(state["rev"], [], "", group)
    assert found["ends"], state["first"]
    (verb, line), *_ = next(iter(found["ends"].values()))
    assert (verb, line.split("; ")[0][:4]) == ("move", "2 x ")
    after = board.order(state["rev"], line)
    assert [len(line["orders"]) for line in after["draft"]] == [1, 1, 3]
    before = draft_of(desk, name)
    with pytest.raises(PbemError, match="none of them is given"):
        board.order(after["rev"], line.replace("2 x", "9 x"))
    assert draft_of(desk, name) == before
    assert len(board.undo(after["rev"])["draft"]) == 2


def test_a_place_that_is_not_lit_says_why(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "noretreat")
    board, rng = GameBoard(desk, name), random.Random(5)
    while "move" not in {each["word"] for each in board.state()["verbs"]}:
        if not desk.asked(name):
            desk.send(name)
            continue
        try:
            desk.order(name, (next(desk.legal(name, "done"), "") or next(desk.legal(name)),))
        except PbemError:
            desk.order(name, (clicked(board, rng) or "",))
    state = board.state()
    unit = next(
        key for key in state["first"] if key.startswith("u:") and "move" in board.pick(state["rev"], [key])["verbs"]
    )
    reached = board.pick(state["rev"], [unit], "move")["next"]
    far = next(key for key in state["labels"] if key.startswith("p:") and key not in reached)
    assert "NR-" in board.pick(state["rev"], [unit, far], "move")["why"]


def test_parts_of_the_picture_that_the_page_has_are_left_out(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    parts = board.state()["parts"]
    again = board.state({key: digest for key, (digest, _) in parts.items()})["parts"]
    assert {key: digest for key, (digest, _) in parts.items()} == {key: digest for key, (digest, _) in again.items()}
    assert all(value is None for _, value in again.values())


def test_what_only_the_other_may_know_is_not_in_the_answer(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    board = GameBoard(bob, name)
    secret = GameBoard(alice, name).state()["labels"].keys() - board.state()["labels"].keys()
    assert all(key.startswith("c:") for key in secret)
    cards = {key for key in board.state()["labels"] if key.startswith("c:")}
    assert not cards & secret


def test_what_an_enemy_reaches_is_told_and_named(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "noretreat"))
    found = board.about("u:West")
    assert "reaches" in found["text"]
    assert {"p:0909", "p:1010"} & set(found["places"])
    assert board.about("c:7") == board.about("u:nobody") == {"text": "", "places": []}
    axis = GameBoard(*alone(tmp_path / "axis", "axis1941"))
    assert "p:West-Russia" in axis.about("u:ussr-infantry@Russia")["places"]
    assert "p:Russia" in axis.about("p:Caucasus")["places"]


def test_the_game_so_far_goes_by_in_steps(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    for _ in range(4):
        desk.bot(name)
        desk.send(name)
    last = board.past()
    assert 0 < last["number"] < last["count"]
    first = board.past(0)
    assert first["lines"] == ("The opening position.",)
    lines = [line for number in range(last["count"]) for line in board.past(number)["lines"]]
    assert any("attacks" in line for line in lines)
    assert board.past(9_999)["number"] == last["count"] - 1
    assert first["parts"]["layer-stacks"][1] != last["parts"]["layer-stacks"][1]
    have = {part: digest for part, (digest, _) in first["parts"].items()}
    assert board.past(0, have)["parts"]["layer-stacks"][1] is None


def test_bots_play_the_seats_that_are_theirs(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name, bots=("red",))
    rng = random.Random(3)
    for _ in range(60):
        assert desk.asked(name) != ("red",)
        line = clicked(board, rng)
        state = board.state()
        board.send(state["rev"]) if line is None else board.order(state["rev"], line)
    seats = {each.by for each in desk.log(name)}
    assert seats == {0}
    assert "Turn 1" not in desk.row(name).moment
    lines = len(desk.draft(name))
    assert board.undo(board.state()["rev"])["draft"] == [] or lines
    assert desk.asked(name) != ("red",)
