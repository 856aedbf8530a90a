"""The board without a browser: clicks choose words, what they say is typed, and the draft is the one typing makes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from boards import against_bot, alone, at_attacks
from clicks import Below, clicked, play
from desks import carry, start, two

from pbem.browser import film
from pbem.browser.gameboard import GameBoard, in_words
from pbem.engine.clicks import index
from pbem.engine.event import Taken
from pbem.engine.registry import find, names
from pbem.home import Home, describe, offers, orders, sending, summary
from pbem.home.seen import pictures_of, seen
from pbem.kit.scene import Scene
from pbem.pictures.picture import middle_of
from pbem.pictures.replaysteps import steps
from pbem.protocol.errors import PbemError
from pbem_rules.bridgehead.events import Declared, Fought
from pbem_rules.stalingrad42 import events as s42
from pbem_rules.stalingrad42.orders import CODES, Help, Lead
from tests.bounded import attempts

ALL = tuple(names())


def draft_of(desk: Home, name: str) -> Any:
    return orders.move(desk, name).draft.dump()


@pytest.mark.parametrize("game", ALL)
def test_clicks_give_the_draft_that_typing_gives(tmp_path: Path, game: str, seed: str) -> None:
    assert len(list(play(tmp_path, game, seed, most=12))) > 5


def test_of_a_unit_that_can_do_nothing_its_own_reason_is_said_first(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stargard")
    board = GameBoard(desk, name)
    for _ in attempts(40, "nobody is activated"):
        state = board.state()
        if "is active" in state["prompt"]:
            break
        board.send(board.order(state["rev"], "done")["rev"])
    unit = next(
        key for key in state["first"] if key.startswith("u:") and board.pick(state["rev"], [key], "move")["ends"]
    )
    (_, line), *_ = next(iter(board.pick(state["rev"], [unit], "move")["ends"].values()))
    board.order(state["rev"], line)
    assert "has already moved" in board.pick(board.state()["rev"], [unit])["why"]


def test_against_the_bot_a_set_up_is_asked_before_anything_is_sealed(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "stargard")
    board = GameBoard(desk, name)

    def set_ups() -> list[str]:
        return [row["kind"] for row in board.standing()["rows"] if "set_up" in row["kind"]]

    assert board.state()["question"] == "german_set_up"
    assert set_ups() == ["german_set_up"]
    board.order(board.state()["rev"], "done")
    board.send(board.state()["rev"])
    assert board.state()["question"] == "movement"
    assert set_ups() == []


def test_two_players_are_not_asked_what_costs_a_mail(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    name = start(alice, bob, "stargard", {"german": "me", "soviet": "bob"}, mode="open")
    assert orders.move(alice, name).asks().startswith("Turn 1, 3rd SS Panzer Corps is active")
    with_it = start(alice, bob, "stargard", {"german": "me", "soviet": "bob"}, mode="open", options={"placing": True})
    assert orders.move(alice, with_it).asks().startswith("Set-up")


def test_the_odds_of_a_battle_stand_beside_the_question_about_a_card(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    for _ in attempts(60, "somebody is asked for a card"):
        state = board.state()
        if state["question"] == "react":
            break
        assert bool(state["odds"]) == (state["question"] in ("answer", "counter"))
        if (seat := orders.move(desk, name).seat) is None:
            board.send(state["rev"])
        else:
            orders.bot(desk, name, None, (seat,))
    assert "\nAs it stands: " in state["odds"]
    assert "column" in state["odds"]


@pytest.mark.parametrize("game", ALL)
def test_where_nobody_is_asked_about_a_fight_no_odds_are_told(tmp_path: Path, game: str) -> None:
    assert GameBoard(*alone(tmp_path, game)).state()["odds"] == ""


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
    orders.order(desk, name, (line,))
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
    assert orders.note(desk, name) == ""


def test_a_group_goes_together_or_not_at_all(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "axis1941")
    for _ in range(2):
        orders.order(desk, name, ("done",))
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
    with pytest.raises(PbemError, match="none was given"):
        board.order(after["rev"], line.replace("2 x", "9 x"))
    assert draft_of(desk, name) == before
    assert len(board.undo(after["rev"])["draft"]) == 2


def test_goals_that_are_not_for_all_of_a_group_are_told_apart(tmp_path: Path) -> None:
    """Each unit alone could go there; those that are named can take some, all others take the whole group."""
    desk, name = alone(tmp_path, "stalingrad42")
    orders.order(desk, name, ("done",))
    board = GameBoard(desk, name)
    state = board.state()
    group = {piece["key"]: 1 for piece in state["at"]["p:1515"] if piece["key"] in state["first"]}
    ends = board.pick(state["rev"], [], "", group)["ends"]
    verbs = {goal: kinds[0][0] for goal, kinds in ends.items()}
    room = board.room(state["rev"], group, verbs)["room"]
    assert room
    assert len(room) < len(ends)
    for goal, kinds in ends.items():
        line, rev = kinds[0][1], board.state()["rev"]
        if goal in room:
            assert 0 < room[goal]["many"] < len(group)
            assert "there is no room" in room[goal]["why"]
            with pytest.raises(PbemError, match="there is no room"):
                board.order(rev, line)
        else:
            board.undo(board.order(rev, line)["rev"])


def test_who_takes_part_in_a_fight_is_ticked_and_drawn(tmp_path: Path) -> None:
    _, _, board = at_attacks(tmp_path)
    state = board.state()
    attack = next(each for each in state["verbs"] if each["word"] == "attack")
    assert attack["gathers"]
    assert not any(each["gathers"] for each in state["verbs"] if each["word"] != "attack")
    one = board.pick(state["rev"], ["p:0504", "p:0404"])
    assert "p:0403" in {**one["next"], **one["ends"]}
    assert one["ready"] or one["lacks"]
    assert state["aims"] == []
    after = board.order(state["rev"], "attack 0504 from 0403,0404")
    assert after["aims"] == [("p:0403", "p:0504"), ("p:0404", "p:0504")]
    assert board.undo(after["rev"])["aims"] == []


def test_a_listed_fight_is_changed_in_its_place(tmp_path: Path) -> None:
    desk, name, board = at_attacks(tmp_path)
    lines = ["attack 0504 from 0403,0404", "attack 0503 from 0402", "done"]
    for line in lines:
        state = board.order(board.state()["rev"], line)
    first = next(n for n, each in enumerate(state["draft"]) if each["typed"] == lines[0])
    assert [each["edits"] for each in state["draft"][first:]] == [True, True, False]
    found = board.edit(state["rev"], first)
    assert (found["verb"], found["picks"], found["values"]) == ("attack", ["p:0504", "p:0403", "p:0404"], {})
    assert "attack" in {each["word"] for each in found["verbs"]}
    assert board.pick(state["rev"], ["p:0504", "p:0404"], "attack", line=first)["next"]
    after = board.change(state["rev"], first, "attack 0504 from 0404")
    assert [each["typed"] for each in after["draft"][first:]] == ["attack 0504 from 0404", *lines[1:]]
    before = draft_of(desk, name)
    with pytest.raises(PbemError):
        board.change(after["rev"], first, "attack 0504 from 0402")
    with pytest.raises(PbemError, match="no line"):
        board.change(after["rev"], 99, lines[0])
    assert draft_of(desk, name) == before == draft_of(GameBoard(desk, name).home, name)


def test_what_the_dice_bring_is_said_before_they_are_rolled(tmp_path: Path) -> None:
    desk, name, board = at_attacks(tmp_path)
    orders.set_standing(desk, name, "red", "react", "then pass", sealed=False)
    state = board.order(board.state()["rev"], "attack 0504 from 0403,0404")
    assert board.follows(state["rev"], "done")["undone"] == ["Could still be attacked: R1 in 0503."]
    then = board.follows(state["rev"], "done")["then"]
    assert board.state()["rev"] == state["rev"]
    after = board.order(state["rev"], "done")
    assert (after["seals"], list(board.preview()["after"])) == (True, then)
    unless = "nothing more to order for now, unless there is then a choice to make for "  # titles may be plural
    assert any(unless in line for line in then), then
    sent = board.send(after["rev"])
    (fight,) = sent["fights"]
    assert fight["key"] == "p:0504"
    assert fight["dice"]
    assert fight["brief"].startswith("Kell (0504): ")
    assert not any("B7 moves" in line for line in sent["said"]), "the player's own orders are said once more"
    assert board.state()["fights"] == []


def test_whoever_may_be_next_again_is_not_said_to_have_nothing_more_to_order(tmp_path: Path) -> None:
    """The next chit may be the player's own."""
    desk, name = against_bot(tmp_path, "stargard")
    board = GameBoard(desk, name)
    unless = "After that you have nothing more to order for now, unless the roll or draw makes it your move again."
    for _ in attempts(60, "nobody attacks before a chit is drawn"):
        orders.bot(desk, name)
        if unless in board.preview()["after"]:
            break
        board.send(board.state()["rev"])


@pytest.mark.parametrize("game", ALL)
def test_the_rules_on_the_board_are_a_players_words(tmp_path: Path, game: str) -> None:
    text = GameBoard(*alone(tmp_path, game)).rules()["text"]
    assert not re.findall(r"[\w/]+\.(?:md|toml|py)\b|\btests\b", re.sub(r"\]\([^)]*\)", "]", text))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("0402 is empty. B1 may advance: `advance UNIT HEX`, then `done`.", "0402 is empty. B1 may advance."),
        ("Combat: list attacks with `attack HEX`, `commit`; end with `done`.", "Combat: list attacks."),
        ("Entry 2 would be next: `done` lets it go on. list more.", "Entry 2 would be next. List more."),
        ("13 units can move. End with `done`; the attacks come next.", "13 units can move. The attacks come next."),
        ("You lose a unit: `lose UNIT` of B1, B2.", "You lose a unit: B1, B2."),
        ("Blue must counterattack: `counter`, column 3:1. `mark M` marks it.", "Blue must counterattack, column 3:1."),
        ("Lose 2 steps: `lose UNIT`; it can be B1.", "Lose 2 steps; it can be B1."),
        ("To bring in, with `enter UNIT HEX`: B1. Then `done`.", "To bring in: B1."),
        ("Volkssturm: `enter UNIT HEX` (B1); then `done`.", "Volkssturm (B1)."),
        ("Cards: `drop` at least 2 cards.", "Cards: drop at least 2 cards."),
        ("Round 1: `strike` or `submerge` with the next one.", "Round 1: strike or submerge with the next one."),
        ("`report`: lay a chit aside; or `decline`.", "Lay a chit aside."),
        ("Nothing is typed: (a) or b, c.", "Nothing is typed: (a) or b, c."),
    ],
)
def test_a_prompt_on_the_board_is_its_human_half(typed: str, shown: str) -> None:
    assert in_words(typed) == shown


@pytest.mark.parametrize("game", ALL)
def test_prompts_of_games_say_something_without_commands(tmp_path: Path, game: str) -> None:
    desk, name = alone(tmp_path, game)
    board = GameBoard(desk, name)
    for _ in range(30):
        state = board.state()
        if state["seat"] is None:
            if state["result"]:
                break
            board.send(state["rev"])
            continue
        assert re.fullmatch(r"[^`]*\w[^`]*[.?!)]", state["prompt"]), state["prompt"]
        assert not re.search(r"\b(UNITS?|HEX|PLACE|NUMBER|CARDS?)\b|\b(with|by|or|then)\W*$", state["prompt"])
        why = board.pick(state["rev"], ["u:nothing"])["why"]
        assert not re.search(r"\b(UNITS?|HEX|PLACE|NUMBER|CARDS?)\b", why), why
        orders.bot(desk, name)


def test_a_replacement_asks_for_no_place_where_the_unit_stands(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "stalingrad42"))
    state = board.state()
    unit = next(key for key in state["first"] if board.pick(state["rev"], [key], "replace")["ready"])
    assert board.values(state["rev"], f"replace {unit[2:]}")["open"]["in"] == []


def test_standing_orders_do_not_promise_questions_that_never_come(tmp_path: Path) -> None:
    """The advance after an attack that was ordered without “ask” is the usual answer's, `then ask` or not (POL-10)."""
    board = GameBoard(*alone(tmp_path, "stalingrad42"))
    board.set_standing(board.state()["rev"], "axis", "advance", "then ask")
    rows = {row["kind"]: row for row in board.standing()["rows"] if row["seat"] == "axis"}
    limit = "You are asked only in attacks of yours with “ask”; otherwise the usual answer holds."
    assert (rows["advance"]["limit"], rows["advance"]["now"][0]) == (limit, limit)
    assert rows["advance"]["now"][1:] == list(rows["advance"]["usual"])
    never = "In this game you are not asked: the usual answer holds."
    assert {kind for kind, row in rows.items() if row["limit"] == never} >= {"cover", "lead", "support", "delay"}
    retreat = GameBoard(*alone(tmp_path / "retreat", "noretreat")).standing()["rows"]
    (row,) = (row for row in retreat if (row["seat"], row["kind"]) == ("axis", "loss"))
    limit = "In battles you are asked only in attacks of yours with “ask”; otherwise the usual answer holds."
    begins = ["If a battle is not being fought: the usual answer.", "Otherwise: you are asked.", limit]
    assert row["now"] == row["first"] == begins
    assert row["text"] == row["begins"] == "when fight = 0 then default; then ask"
    other = GameBoard(*alone(tmp_path / "other", "bridgehead"))
    other.set_standing(other.state()["rev"], "blue", "advance", "then ask")
    row = next(row for row in other.standing()["rows"] if (row["seat"], row["kind"]) == ("blue", "advance"))
    assert (row["limit"], row["now"]) == ("", ["You are asked."])


def test_a_card_says_by_whose_answer_support_was_spent_and_how_to_be_asked(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "stalingrad42"))
    game = find("stalingrad42")
    spent = Help(CODES["6A-HQ"])
    said = game.notation.sentence(spent, board.now().view)

    def card(how: str, seat: str = "axis") -> dict[str, Any]:
        heard = (
            s42.Fought(side="soviet", hex=1714, units=("23TC",), defenders=("336ID",), odds="1:1", die=2, result="D1"),
            Taken(seat, "lead", Lead(CODES["336ID"]), how, "336ID leads determined defence."),
            Taken(seat, "support", spent, how, said),
            s42.Stood(unit="336ID", hex=1714, die=4, more=1, outcome="P"),
        )
        (fight,) = board.answer(None, (), heard)["fights"]
        return fight

    usual = card("default")
    assert "Axis, by the usual answer: Support the defence with 6A-HQ (+1). 336ID leads" in usual["text"]
    assert usual["text"].count("by the usual answer") == 1
    assert usual["asks"] == [
        "You were not asked; to have this decided otherwise next time, change the standing order for support."
    ]
    own = card("standing")
    assert "Axis, by a standing order: Support the defence with 6A-HQ" in own["text"]
    assert own["asks"] == []
    assert card("default", "soviet")["asks"] == []


def test_what_a_phase_leaves_undone_is_said_before_it_ends(tmp_path: Path) -> None:
    _, _, board = at_attacks(tmp_path, before="move B7 0404")
    found = board.follows(board.state()["rev"], "done")
    assert any("B7" in line for line in found["undone"])
    assert found["then"] == ["Cards are dealt."]
    assert board.follows(board.state()["rev"], "nothing") == {"undone": [], "then": []}


def test_words_of_a_field_that_the_rules_forbid_are_known(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    state = board.state()
    line = next(orders.move(desk, name).legal("replace"))
    found = board.values(state["rev"], line)["barred"]
    (parts,) = (each["parts"] for each in state["verbs"] if each["word"] == "replace")
    (kinds,) = (part["words"] for part in parts if part["word"] == "by")
    assert 0 < len(found["by"]) < len(kinds)
    for word in kinds:
        refused = found["by"].get(word)
        try:
            board.undo(board.order(board.state()["rev"], f"{line} by {word}")["rev"])
        except PbemError as error:
            said = error.sentence
        else:
            said = ""
        assert bool(said) == bool(refused), word
        assert (refused or "").partition(" (")[0] in said


def test_units_that_a_field_may_have_are_listed(tmp_path: Path) -> None:
    """Artillery that the rules admit for this attack, and none besides; who could advance, with the way; the group that
    breaks through is of those that attack.
    """
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        state = board.order(board.state()["rev"], line)
    plain = [text for text in orders.move(desk, name).legal("attack") if " guns " not in text and " air " not in text]
    _, target, _, *units = plain[0].split(" ")
    found = board.values(state["rev"], plain[0])["open"]
    assert found["guns"]
    every = {piece["key"][2:] for stack in state["at"].values() for piece in stack if piece["key"].startswith("u:")}
    for unit in random.Random(4).sample(sorted(every), 12) + found["guns"]:
        try:
            board.undo(board.order(board.state()["rev"], f"{plain[0]} guns {unit}")["rev"])
        except PbemError:
            assert unit not in found["guns"], unit
        else:
            assert unit in found["guns"], unit
    assert found["break"] == units
    assert found["advance"][0] == f"{units[0]},{target}"
    assert found["after"] == []
    rev = board.order(board.state()["rev"], plain[0])["rev"]
    again = board.values(rev, next(text for text in plain if text.split(" ")[1] != target))
    assert again["open"]["after"] == ["1"]
    assert not again["barred"]["odds"]  # of a breakthrough, which is not set yet


def test_a_field_that_nothing_may_have_lists_nothing(tmp_path: Path) -> None:
    """Where no artillery is ready, the units that attack are not offered as artillery; few words have their reasons."""
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    rev, found = board.state()["rev"], dict[str, Any]()
    for text in orders.move(desk, name).legal("attack"):
        if " guns " not in text and " air " not in text:
            found = board.values(rev, text)
            if not found["open"]["guns"]:
                break
    assert found["open"]["guns"] == []
    assert found["open"]["break"]
    assert found["barred"]["after"]["1"] == "There is no entry 1 before this one (S42-8.1)."


def test_a_place_with_units_that_can_act_asks_for_one_of_them(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stargard", options={"placing": False})
    board = GameBoard(desk, name)
    for verb in ("", "move"):
        assert (
            board.pick(board.state()["rev"], ["p:2412"], verb)["why"]
            == "Click one unit of the stack: 23/11SS, 11A/11SS."
        )
    assert board.pick(board.state()["rev"], ["p:2608"], "move")["why"] == "Click one unit of the stack: Voigt."


def test_a_place_whose_units_cannot_act_says_why(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stalingrad42", scenario="caucasus")
    orders.order(desk, name, ("done",))
    board = GameBoard(desk, name)
    why = board.pick(board.state()["rev"], ["p:w"])["why"]
    assert why.startswith("46ID crosses the strait of Kerch when no Soviet unit stands in Taman (S42-5.7.2a).")
    assert why.endswith(" The same holds for 3MtnRom, 10Rom, 19Rom and Brandenburg.")


def test_air_units_of_an_attack_are_listed_without_the_enemys(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stargard")
    board = GameBoard(desk, name)
    for _ in range(300):  # events may have grounded all air units for a turn or two
        state, move = board.state(), orders.move(desk, name)
        words = {each["word"] for each in state["verbs"]}
        if "attack" in words:
            line = next(text for text in move.legal("attack") if " air " not in text)
            planes = board.values(state["rev"], line)["open"]
            if planes["air"]:
                break
        if move.seat is None:
            board.send(state["rev"])
        else:
            board.order(state["rev"], "done" if "done" in words else next(iter(move.legal(""))))
    assert planes["air"]
    assert set(planes["power"]) <= set(planes["air"])
    for plane in planes["air"]:
        board.undo(board.order(board.state()["rev"], f"{line} air {plane}")["rev"])


def test_bought_units_that_are_placed_show_how_many_they_are_and_no_price(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "axis1941"))
    assert board.state()["labels"]["w:infantry"].startswith("infantry, 3 IPC")
    assert {key for key in board.state()["first"] if key.startswith("w:")} <= board.state()["labels"].keys()
    for line in ("2 x buy infantry", "done", "done", "done"):
        state = board.order(board.state()["rev"], line)
    assert state["labels"]["w:infantry"] == "infantry, 2 to be placed"
    assert state["able"] == {"w:infantry": 2}
    assert state["labels"]["w:tank"].startswith("tank, 6 IPC")
    assert "mobilises" in state["prompt"]
    state = board.order(state["rev"], "2 x place infantry Russia")
    assert state["draft"][-1]["typed"] == "2 x place infantry Russia"


def test_a_bought_ship_is_placed_with_a_click_on_its_zone(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "axis1941"))
    for line in ("buy transport", "done", "done", "done"):
        board.order(board.state()["rev"], line)
    ends = board.pick(board.state()["rev"], ["w:transport"])["ends"]
    assert ends
    assert all(len(ways) == 1 and ways[0][1].startswith("place transport SZ") for ways in ends.values()), ends


def test_a_refused_click_is_not_read_as_an_order_for_a_unit_elsewhere(tmp_path: Path) -> None:
    """The tank that is clicked could be loaded; the place that is clicked then is not where a tank is to be loaded."""
    board = GameBoard(*alone(tmp_path, "axis1941"))
    for _ in range(30):
        if "Japan: combat" in board.state()["prompt"]:
            break
        board.order(board.state()["rev"], "done")
    found = board.pick(board.state()["rev"], ["u:japan-tank@Japan", "p:Manchuria"])
    assert found["why"].startswith("The tank in Japan "), found
    assert "it crosses the sea aboard a transport only" in found["why"]


def test_what_allies_may_share_is_explained_where_it_is_chosen(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "axis1941"))
    labels = board.state()["labels"]
    assert labels["w:deck"] == "whose fighters may land on your carriers"
    assert labels["w:hold"] == "whose units may use your transports"
    assert board.pick(board.state()["rev"], ["w:hold"])["names"] == {"w:uk": "United Kingdom", "w:usa": "USA"}
    (said,) = board.pick(board.state()["rev"], ["w:hold", "w:uk"])["names"].values()
    assert said == "may no longer (now it may)"
    state = board.order(board.state()["rev"], "forbid uk hold")
    assert state["said"] == ["United Kingdom may not use USSR's transports."]


def test_each_answer_in_advance_says_what_it_decides(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    (row,) = (each for each in board.standing()["rows"] if each["kind"] == "retreat")
    assert row["asks"].startswith("Units of yours that have lost a battle must leave their hex")
    assert row["answers"] == {"retreat": "they retreat", "stand": "they stay, and each of them loses a step"}
    assert row["now"] == ["You are asked."]
    assert row["usual"] == (
        "If there are more than 2 steps among the defenders there and the hex is a town: they stay, and each of them "
        "loses a step.",
        "Otherwise: they retreat, or else they stay, and each of them loses a step.",
    )
    board.set_standing(board.state()["rev"], "", "retreat", "when steps > 3 then stand")
    (row,) = (each for each in board.standing()["rows"] if each["kind"] == "retreat")
    assert row["now"] == [
        "If there are more than 3 steps among the defenders there: they stay, and each of them loses a step.",
        "Otherwise: you are asked.",
    ]


def test_a_verb_lights_what_its_orders_begin_with(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "stalingrad42"))
    rev = board.state()["rev"]
    areas = board.pick(rev, [], "bring")["next"]
    assert areas
    assert not [key for key in areas if not re.fullmatch("p:[a-z]", key)]
    assert set(areas) < set(board.pick(rev, [])["next"])


def test_what_is_added_to_a_fight_takes_no_part_in_it_and_bars_nothing_else(tmp_path: Path) -> None:
    """An air unit and artillery are set in fields of an attack, both of them if one likes."""
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        state = board.order(board.state()["rev"], line)
    attacks = list(orders.move(desk, name).legal("attack"))
    guns = next(text for text in attacks if " guns " in text)
    plain, _, post = guns.partition(" guns ")
    _, target, _, *units = plain.split(" ")
    flown = f"{guns} air {next(text for text in attacks if ' air ' in text).rpartition(' air ')[2]}"
    found = board.pick(state["rev"], [f"p:{target}", *(f"u:{unit}" for unit in units)], "attack")
    assert plain in [each["text"] for each in found["ready"]]
    offered = {*board.pick(state["rev"], [f"p:{target}"], "attack")["next"], *found["next"]}
    assert offered
    assert not [key for key in offered if key.startswith("w:") or key == f"u:{post}"]
    assert board.order(state["rev"], flown)["draft"][-1]["typed"] == flown
    (attack,) = (each for each in state["verbs"] if each["word"] == "attack")
    kinds = {part["word"]: (part["kind"], part["thing"]) for part in attack["parts"]}
    assert (kinds["air"], kinds["guns"], kinds["via"]) == (("words", "w"), ("text", "u"), ("text", "p"))
    assert {part["word"] for part in attack["parts"] if part["weighs"]} == {"air", "guns"}
    assert "air support" not in board.odds(plain)["text"]
    assert "air support" in board.odds(f"{plain} air {flown.rpartition(' ')[2]}")["text"]


def test_what_follows_the_dice_is_planned_by_clicks(tmp_path: Path) -> None:
    desk, name, board = at_attacks(tmp_path)
    orders.set_standing(desk, name, "red", "react", "then pass", sealed=False)
    for line in ("attack 0504 from 0403,0404", "done"):
        state = board.order(board.state()["rev"], line)
    assert (state["seat"], state["plans"], state["stop"]) == (None, True, "dice")
    assert state["verbs"] == []
    assert {"advance", "halt"} <= {each["word"] for each in state["ahead"]}
    assert board.pick(state["rev"], [], "halt")["ready"][0]["text"] == "halt"
    assert board.pick(state["rev"], ["u:B7|p:0404"], "advance")["lacks"]
    ready = board.pick(state["rev"], ["u:B7|p:0404", "u:R2|p:0504"], "advance")["ready"]
    assert [each["text"] for each in ready] == ["advance B7 0504"]
    after = board.order(state["rev"], ready[0]["text"], plan=True)
    assert [each["typed"] for each in after["plan"]] == ["advance B7 0504"]
    assert board.undo(after["rev"])["plan"] == []


def test_a_kind_of_order_that_nothing_begins_is_not_offered(tmp_path: Path) -> None:
    """Whether Red holds a card for its answer depends on what was dealt: games are begun until it holds none. Nothing
    else can be ordered then, and nothing follows; against a bot nobody is asked.
    """
    for number in range(40):
        desk, name, board = at_attacks(tmp_path / str(number), title=str(number))
        orders.set_bots(desk, name, ())
        for line in ("attack 0504 from 0403,0404", "done"):
            board.order(board.state()["rev"], line)
        state = board.send(board.state()["rev"])
        if state["question"] == "react" and state["first"] == ["v:pass"]:
            break
    assert (state["question"], state["answer"]) == ("react", "only")
    assert [each["word"] for each in state["verbs"]] == ["pass"]
    assert orders.move(desk, name).forced() is None
    orders.set_bots(desk, name, ("blue",))
    assert sending.let_bots(desk, name)
    assert board.state()["question"] != "react"


def test_against_a_bot_windows_ask_where_something_can_be_played_and_nowhere_else(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "noretreat")
    board, asked, followed = GameBoard(desk, name), set[str](), 0
    assert {each["name"] for each in board.standing()["presets"] if each["seats"]} == {"ask-cards"}
    for _ in range(300):
        state, move = board.state(), orders.move(desk, name)
        if len(asked) > 2 and followed:
            break
        if move.seat is None:
            said = board.send(state["rev"])["said"]
            assert "Axis: Play nothing." not in said
            continue
        if move.draft.machine.need.window:
            asked.add(state["question"])
            assert len(list(move.legal())) > 1, state["prompt"]
        bot = move.match.game.bots["sensible"]
        view, need = move.draft.view((move.seat,)), move.draft.machine.need
        order = bot.choose(view, need, move.seat, move.draft.legal(), Below(random.Random(1)))
        lines = len(state["draft"])
        given = board.order(state["rev"], move.show(order))
        (line,) = given["draft"][lines:]
        if len(line["orders"]) > 1:  # what nobody has to be asked about comes and goes with what was ordered before it
            followed += 1
            back = board.undo(given["rev"])
            assert (back["question"], back["draft"]) == (state["question"], state["draft"])
            board.order(back["rev"], move.show(order))
    assert len(asked) > 2, asked
    assert followed


def test_what_is_placed_one_by_one_is_not_begun_in_place_of_the_player(tmp_path: Path) -> None:
    """Japan has one factory: of three infantry, the first could go nowhere else, either."""
    desk, name = alone(tmp_path, "axis1941")
    orders.set_bots(desk, name, [seat for seat in desk.load(name).seats if seat != "japan"])
    sending.let_bots(desk, name)
    board = GameBoard(desk, name)
    state = board.order(board.state()["rev"], "buy 3 infantry")
    for _ in range(6):
        if state["question"] == "mobilise":
            break
        state = board.order(state["rev"], "done")
    assert state["question"] == "mobilise"
    assert "3 infantry" in state["prompt"]
    assert not [order for line in state["draft"] for order in line["orders"] if order.startswith("place")]


def test_in_a_game_with_others_nobody_answers_in_place_of_the_player(tmp_path: Path) -> None:
    """Not even where a bot plays beside them: that it comes at once would tell that they hold no card for it."""
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    for _ in range(200):
        mover = next((desk for desk in (alice, bob) if summary.row(desk, name).my_move), None)
        if mover is None:
            break
        move = orders.move(mover, name)
        if move.kind() in ("react", "answer") and list(move.legal()) == ["pass"]:
            break
        orders.bot(mover, name, "random")
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    assert mover is not None
    orders.set_bots(mover, name, [seat for seat in ("blue", "red") if seat != move.seat])
    records = mover.load(name).log.vector
    assert orders.move(mover, name).forced() is None
    assert sending.let_bots(mover, name) == []
    assert mover.load(name).log.vector == records
    assert GameBoard(mover, name).state()["answer"]
    assert not [row for row in orders.move(mover, name).standing_rows() if row.state in orders.WAITING]


def test_presets_that_set_the_same_are_shown_as_one(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    found = {each["name"]: each for each in board.standing()["presets"]}
    assert list(found) == ["ask-what-matters", "ask-nothing"]
    assert "“ask everything” would be the same" in found["ask-what-matters"]["text"]
    assert [each["name"] for each in found.values() if each["seats"]] == ["ask-what-matters"]
    assert "ask-everything" in {
        each["name"] for each in GameBoard(*alone(tmp_path / "nr", "noretreat")).standing()["presets"]
    }


def test_how_far_it_is_between_two_places(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "bridgehead"))
    assert board.measure("p:0104", "p:0504")["text"] == "From Marl (0104) to Kell (0504): 4 hexes."
    assert board.measure("p:0104", "p:0103")["text"].endswith("1 hex.")
    assert board.measure("p:0104", "p:9999")["text"] == "That is not a hex."
    areas = GameBoard(*alone(tmp_path / "axis", "axis1941"))
    assert areas.measure("p:Russia", "p:Germany")["text"] == "From Russia to Germany: 3 spaces."
    assert areas.measure("p:Germany", "p:United-Kingdom")["text"].endswith(
        ": 3 spaces; there is no way over land alone."
    )
    assert areas.measure("p:SZ4", "p:SZ16")["text"].endswith(" spaces, by sea 6.")
    assert areas.measure("p:Russia", "p:Sweden")["text"].endswith(": there is no way.")
    assert areas.measure("p:Russia", "p:Nowhere")["text"] == "That is not a place on the map."


def test_what_stands_in_the_fields_of_an_order_is_told(tmp_path: Path) -> None:
    notation = find("noretreat").notation
    verb = next(each for each in notation.verbs if each.word == "attack")
    order = verb.read(["attack", "1608", "with", "3Pz,1Pz", "alone", "at", "2:1", "after", "1", "ask"])
    assert verb.said(order) == {"at": "2:1", "after": "1", "ask": True}


def test_the_words_of_an_order_are_explained(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stalingrad42")
    for _ in attempts(20, "nobody may attack"):
        if any(each["word"] == "attack" for each in GameBoard(desk, name).state()["verbs"]):
            break
        orders.order(desk, name, ("done",))
    help_ = next(each["help"] for each in GameBoard(desk, name).state()["verbs"] if each["word"] == "attack")
    assert help_.startswith("List an attack: a hex, and the units that attack it.\n\nat 3:1 or better")
    assert "guns: a headquarters" in help_
    assert all(len(each) > 50 for each in help_.split("\n\n"))  # no line breaks within a paragraph


def test_units_are_called_as_orders_name_them(tmp_path: Path) -> None:
    state = GameBoard(*alone(tmp_path, "bridgehead")).state()
    labels = state["labels"]
    assert ("p:0302" in state["own"], "p:0504" in state["own"]) == (True, False)
    assert labels["u:B1"].startswith("B1: Blue, ")
    assert (
        not GameBoard(*alone(tmp_path / "axis", "axis1941")).state()["labels"]["u:ussr-tank@Russia"].startswith("ussr")
    )


INTERNAL = re.compile(r"@|\b[a-z0-9]+_\w+|\b[upwcv]:\w|\b[a-z]+-[a-z]+-\d|\b[a-z]{2,}\d+\b|\bAreas? [a-z]\b")
"""Keys of the page, words of orders that no counter prints, and letters of Areas that are not written as printed."""


def texts(value: Any) -> Iterator[str]:
    """All that is to be read in an answer: not its keys, nor what stands between backticks, which is typed."""
    if isinstance(value, str):
        yield re.sub("`[^`]*`", "", value)
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in texts(each))
    elif isinstance(value, list | tuple):
        yield from (text for each in value for text in texts(each))


def said_of(board: GameBoard, rng: random.Random) -> Iterator[Any]:
    """What the page shows of a position: of itself, and where something is clicked that can do something or nothing."""
    state = board.state()
    rev, labels = state["rev"], sorted(state["labels"])
    yield [state[name] for name in ("title", "moment", "owed", "result", "seat", "prompt", "said", "head", "lines")]
    yield [(each["text"], each["means"]) for each in state["fights"]]
    yield [each["said"] for each in state["draft"]]
    yield [(each["about"], each["says"], each["help"]) for each in state["verbs"]]
    yield [(row["text"], row["about"]) for panel in state["parts"]["panels"][1] or [] for row in panel["rows"]]
    yield list(state["labels"].values())
    first = rng.sample(state["first"], min(3, len(state["first"])))
    for key in [*rng.sample(labels, min(6, len(labels))), *first]:
        verb = rng.choice(["", *(each["word"] for each in state["verbs"])])
        for picks in ([key], [key, rng.choice(labels)]):
            found = board.pick(rev, picks, verb)
            yield found["why"], found.get("lacks"), found.get("names"), [each["said"] for each in found["ready"]]
            assert {key for key in found["next"] if key.startswith("u:")} <= {*labels}
        if key.startswith(("u:", "p:")):
            yield board.about(key)["text"]
    yield board.preview().get("undone"), board.preview().get("after")


@pytest.mark.parametrize("game", ALL)
def test_names_are_those_that_the_counters_print(tmp_path: Path, game: str, seed: str) -> None:
    desk, name = against_bot(tmp_path, game)
    board, rng = GameBoard(desk, name), random.Random(seed)
    for n in range(24):
        if n % 6 == 0 or not board.state()["first"]:
            found = [text for said in said_of(board, rng) for text in texts(said) if INTERNAL.search(text)]
            assert not found, found
        if board.state()["first"]:
            orders.bot(desk, name)
        elif board.state()["result"]:
            break
        else:
            sent = board.send(board.state()["rev"])
            step = board.past()
            heard = (sent["said"], [each["text"] for each in sent["fights"]], step.get("lines"), step.get("changed"))
            found = [text for text in texts(heard) if INTERNAL.search(text)]
            assert not found, found


def test_what_no_counter_names_is_called_by_whose_and_where_it_is(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "axis1941"))
    state = board.state()
    assert state["labels"]["u:uk-transport-1"] == "United Kingdom transport 1"
    why = board.pick(state["rev"], ["u:japan-destroyer@SZ46"], "buy")["why"]
    assert why.startswith("`buy` is not possible with Japan's destroyer in SZ46 now (")
    why = board.pick(state["rev"], ["p:Middle-East"], "buy")["why"]
    assert why.startswith("`buy` is not possible with Middle East now (")


def test_whoever_clicks_a_place_first_is_sent_to_the_units(tmp_path: Path) -> None:
    _, _, board = at_attacks(tmp_path, "move B7 0404")
    rev = board.state()["rev"]
    assert "Click a unit first" in board.pick(rev, ["p:0904"], "move")["why"]
    assert "Click a unit first" not in board.pick(rev, ["u:R1"], "move")["why"]


def test_a_place_that_is_not_lit_says_why(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "noretreat")
    board, rng = GameBoard(desk, name), random.Random(5)
    for _ in attempts(200, "nobody may move"):
        if "move" in {each["word"] for each in board.state()["verbs"]}:
            break
        if not orders.move(desk, name).asked():
            sending.send(desk, name)
            continue
        try:
            orders.order(
                desk, name, (next(orders.move(desk, name).legal("done"), "") or next(orders.move(desk, name).legal()),)
            )
        except PbemError:
            orders.order(desk, name, (clicked(board, rng) or "",))
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


def test_a_large_map_is_drawn_as_closely_as_it_is_looked_at(tmp_path: Path) -> None:
    board = GameBoard(*alone(tmp_path, "stalingrad42"))
    sizes = [len(board.state({"level": level})["parts"]["layer-stacks"][1]) for level in ("whole", "sheet", "close")]
    assert sizes == sorted(sizes)
    assert sizes[0] * 4 < sizes[2]
    assert board.state()["parts"]["area"][1]["levels"]
    assert len(board.state({"level": "nonsense"})["parts"]["layer-stacks"][1]) == sizes[2]
    small = GameBoard(*alone(tmp_path / "small", "bridgehead"))
    assert small.state({"level": "whole"})["parts"]["layer-stacks"] == small.state()["parts"]["layer-stacks"]


def test_the_odds_explain_the_results_that_they_have_and_no_others(tmp_path: Path) -> None:
    """D1 alone is none of the results of 1:1, though A1/D1 is one."""
    desk, name = alone(tmp_path, "stargard", options={"placing": False})
    board = GameBoard(desk, name)
    board.order(board.state()["rev"], "done")
    texts = [board.odds(each)["text"].splitlines() for each in orders.move(desk, name).legal("attack ")]
    found = [lines for lines in texts if any("A1/D1 1/6" in line for line in lines)]
    assert found
    for lines in found:
        (row,) = (line for line in lines if re.match(r"[AD]\S* \d/\d", line))
        told = [line.strip().partition(":")[0] for line in lines if re.match(r" *[AD][\dr][\w/]*: ", line)]
        assert told == [each.partition(" ")[0] for each in row.rstrip(".").split(", ")]


def test_the_letters_of_a_result_are_explained(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "stargard")
    board = GameBoard(desk, name)
    fights: list[Any] = []
    news: list[str] = []
    for _ in attempts(60, "nobody fights, or nothing else happens"):
        if fights and news:
            break
        orders.bot(desk, name)
        sent = board.send(board.state()["rev"])
        fights, news = fights or sent["fights"], news or sent["news"]
    assert all(line.endswith(".") for line in news)
    explained = {
        each.word: each.text for each in pictures_of(find("stargard")).scene(seen(desk, name).view, ()).explained
    }
    for fight in fights:
        letters, _, meaning = fight["means"].partition(": ")
        assert letters in fight["text"]
        assert meaning.rstrip(".") == explained[letters].rstrip(".")


def test_places_beyond_the_edge_are_clicked(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for _ in attempts(60, "nothing is brought"):
        if "bring" in {each["word"] for each in board.state()["verbs"]}:
            break
        if not orders.move(desk, name).asked():
            board.send(board.state()["rev"])
        elif (line := next(orders.move(desk, name).legal("done"), "")) == "done":
            board.order(board.state()["rev"], line)
        else:
            board.order(board.state()["rev"], next(orders.move(desk, name).legal()))
    state = board.state()
    ways = index(orders.move(desk, name).may_order(), find("stalingrad42").notation, None)
    areas = {key for way in ways if way.verb == "bring" for key in way.clicks[0].keys}
    assert areas <= {key for key, _, _ in state["parts"]["area"][1]["spots"]}
    line = board.pick(state["rev"], [min(areas)], "bring")["ready"][0]["text"]
    assert board.order(state["rev"], line)["draft"][-1]["typed"] == line


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
    assert board.about("c:7") == board.about("u:nobody") == {"text": "", "places": {}, "ways": []}
    notes = board.notes("u:3Pz")["places"]
    assert notes["p:0709"] == "3 points"
    assert notes["p:0808"] == "4 points, stops"
    assert board.about("u:3Pz")["ways"] == [["p:0809", "p:0709", "p:0708"]]
    axis = GameBoard(*alone(tmp_path / "axis", "axis1941"))
    assert "p:West-Russia" in axis.about("u:ussr-infantry@Russia")["places"]
    assert "p:Russia" in axis.about("p:Caucasus")["places"]
    assert axis.notes("u:germany-tank@Ukraine")["places"]["p:Russia"] == "2 spaces to attack"
    party = axis.odds("Caucasus")["party"]
    assert party["head"] == "Caucasus with"
    assert {"word": "tank", "title": "tank from Ukraine", "most": 2, "taken": 2} in party["takers"]
    assert axis.odds("Caucasus with 2 tank")["text"].startswith("Caucasus: 2 tanks against")


def test_the_game_so_far_goes_by_in_steps(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    for _ in range(4):
        orders.bot(desk, name)
        sending.send(desk, name)
    last = board.past(9_999, whole=True)
    assert last["number"] == last["count"] - 1
    assert not last["earlier"]
    first = board.past(0, whole=True)
    assert first["lines"] == ("The opening position.",)
    told = [board.past(number, whole=True) for number in range(last["count"])]
    assert any("attack" in line for each in told for line in each["lines"])
    assert first["parts"]["layer-stacks"][1] != last["parts"]["layer-stacks"][1]
    have = {part: digest for part, (digest, _) in first["parts"].items()}
    assert board.past(0, whole=True, have=have)["parts"]["layer-stacks"][1] is None
    titles = [(name, number) for name, number in last["all"] if not name.startswith("– ")]
    for name, number in set(last["all"]) - set(titles):
        assert any(name[2:20] in line for line in told[number]["lines"])
    assert titles
    for name, number in titles:
        assert told[number]["part"] == name != (told[number - 1]["part"] if number else "")
    move = orders.move(desk, board.name)
    plain = list(
        steps(move.game.replay, eyes=move.eyes(), known=lambda m: m.known_to(move.eyes(), move.player.own_values(m)))
    )
    assert [each["lines"] for each in told] == [each.lines for each in plain]
    assert [each["middle"] for each in told] == [each.scene and middle_of(each.scene) for each in plain]


def test_the_view_of_all_that_others_did_has_the_arrows_of_all_its_steps(tmp_path: Path) -> None:
    """Its first step alone may show none."""
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    moved = False
    for _ in attempts(80, "the bot has not moved after a step without arrows"):
        if board.state()["first"]:
            orders.bot(desk, name)
            continue
        board.send(board.state()["rev"])
        film = board.filmed(whole=False)
        if not film.told() or not film.others_last():
            continue
        steps = [film.step(n).scene for n in film.others_last()]
        moved = not steps[0].arrows and any(scene.arrows for scene in steps)
        if moved:
            break
    alone_ = board.past(film.others_last().start)
    opened = board.past()
    assert opened["number"] == alone_["number"]
    drawn = {arrow for scene in steps for arrow in scene.arrows}
    assert set(film.arrows(film.others_last())) == drawn
    heads = [len(re.findall('class="arrow"', str(each["parts"]["layer-arrows"][1]))) for each in (alone_, opened)]
    assert heads == [0, sum(arrow.kind != "attack" for arrow in drawn)]


def test_what_a_bot_did_is_at_hand_without_the_game_before_it(tmp_path: Path) -> None:
    desk, name, board = at_attacks(tmp_path)
    before = orders.move(desk, name).game.log.vector
    for _ in attempts(60, "the bot does nothing"):
        if orders.move(desk, name).game.log.vector != before and summary.row(desk, name).moment:
            break
        board.order(board.state()["rev"], "done") if orders.move(desk, name).asked() else board.send(
            board.state()["rev"]
        )
    part = board.past()
    whole = board.past(whole=True)
    assert part["earlier"]
    assert part["count"] < whole["count"]
    assert whole["lines"] == part["lines"]
    assert "Red" in part["part"]
    again = GameBoard(desk, name).past(0)
    assert again["parts"]["layer-stacks"] == board.past(0)["parts"]["layer-stacks"]


def test_a_game_by_mail_is_shown_again_as_it_went(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    name = start(alice, bob, mode="open")
    for _ in attempts(60, "no second turn of Red"):
        if "Turn 2, Red" in summary.row(alice, name).moment:
            break
        mover = next(desk for desk in (alice, bob) if summary.row(desk, name).my_move)
        orders.bot(mover, name)
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    board = GameBoard(bob, name)
    whole = board.past(whole=True)
    move = orders.move(bob, name)
    plain = list(
        steps(move.game.replay, eyes=("red",), known=lambda m: m.known_to(("red",), move.player.own_values(m)))
    )
    assert [board.past(n, whole=True)["lines"] for n in range(whole["count"])] == [each.lines for each in plain]
    last = board.past()
    assert last["earlier"]
    assert last["part"] in dict(whole["all"])


def test_a_board_of_a_game_that_has_not_begun_waits(tmp_path: Path) -> None:
    alice, _ = two(tmp_path)
    name, _ = offers.offer(alice, "bridgehead", seats={"blue": "me", "red": "Bob Silva"})
    assert sending.let_bots(alice, name) == []


def test_a_long_game_is_read_with_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, name, _ = at_attacks(tmp_path)
    monkeypatch.setattr(film, "AT_ONCE", -1.0)
    board = GameBoard(desk, name)
    found, seen = board.past(whole=True), []
    while "progress" in found:
        seen.append(found["progress"])
        found = board.past(whole=True)
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert {of for _, of in seen} == {sum(orders.move(desk, name).game.log.vector)}
    assert found["count"] > 0


@pytest.mark.parametrize("game", ["bridgehead", "noretreat"])
def test_a_bot_plays_its_seats_and_shows_nothing_that_only_it_may_know(tmp_path: Path, game: str) -> None:
    desk, name = against_bot(tmp_path, game)
    board, rng, sent = GameBoard(desk, name), random.Random(3), 0
    person, bot = desk.load(name).seats
    for _ in range(60):
        move = orders.move(desk, name)
        draft = move.draft
        assert move.own() == draft.lines()  # a window of the bot's takes the player's pass at most, too (MEA-17)
        assert {str(each.order) for each in draft.entries if each.seat == bot} <= {"Pass()"}
        mine, theirs = (draft.view((seat,)) for seat in (person, bot))
        pictures = pictures_of(find(game)).scene
        hidden = {key for key in _cards(pictures(theirs, ())) if key not in _cards(pictures(mine, ()))}
        line = clicked(board, rng)
        state = board.state()
        assert not hidden & state["labels"].keys()
        if state["result"]:
            break
        assert state["seat"] != find(game).seat(bot).title
        if line is None:
            board.send(state["rev"])
            sent += 1
            assert not board.undo(board.state()["rev"], None)["draft"]
        else:
            board.order(state["rev"], line)
    assert sent > 2
    assert len(describe.log(desk, name)) > sent


def test_bots_that_plan_seal_all_of_their_turns(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "axis1941")
    board = GameBoard(desk, name)
    for _ in range(2):
        while (state := board.state())["seat"]:
            board.order(state["rev"], "done")
        assert state["stop"] == "bots"
        state = board.send(state["rev"])
        assert (state["seat"], state["draft"], state["plan"]) == ("USSR", [], [])
    assert "Round 3" in state["prompt"]


def test_the_sealing_panel_says_what_new_standing_orders_do(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    board.order(board.state()["rev"], next(orders.move(desk, name).legal()))
    orders.set_standing(desk, name, "blue", "retreat", "then stand")
    rows = {kind: says for _, kind, _, _, says in board.preview()["standing"]}
    assert rows["retreat"] == "They stay, and each of them loses a step."


def test_what_a_person_has_ordered_is_sealed_before_a_bot_answers(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    choice, other, *_ = orders.move(desk, name).legal()
    state = board.order(board.state()["rev"], choice)
    assert (state["stop"], state["seat"], state["first"], state["verbs"]) == ("reply", None, [], [])
    with pytest.raises(PbemError, match="A bot orders next"):
        board.order(state["rev"], other)
    assert board.complete(choice.split(" ")[0]) == {"lines": []}
    assert not board.pick(state["rev"], [], "", {state["own"][0]: 1})["next"]
    assert board.pick(state["rev"], ["p:0904"])["why"] == "Nothing can be ordered now."
    assert board.preview()["seals"]
    assert board.undo(state["rev"])["seat"] == "Blue"
    board.order(board.state()["rev"], other)
    state = board.send(board.state()["rev"])
    assert (state["draft"], state["seat"]) == ([], "Blue")


def test_cards_that_come_and_go_are_named_to_whoever_holds_them(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    for order, drawn in (("reserve 0104", 4), ("posture hold", 1)):  # BH-2.1, BH-2.3
        board.order(board.state()["rev"], order)
        state = board.send(board.state()["rev"])
        (told,) = [line for line in state["said"] if line.startswith("Blue's hand: new: ")]
        assert len(told.split(", ")) == drawn


def test_a_game_keeps_its_bots(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "bridgehead")
    assert orders.move(desk, name).bots == ("red",)
    assert "red" not in summary.row(desk, name).owed[0].sentence
    assert {row["seat"] for row in GameBoard(desk, name).standing()["rows"]} == {"blue"}


def _cards(scene: Scene) -> set[str]:
    return {row.key for panel in scene.panels for row in panel.rows if row.key.startswith("c:")}


def games_played(folder: Path) -> Iterator[Iterator[tuple[GameBoard, str]]]:
    """Several games, for what need not come in each: their dice follow from the sources of the game, too."""
    return (played_on(folder / str(game), f"Game {game}") for game in range(8))


def played_on(folder: Path, title: str) -> Iterator[tuple[GameBoard, str]]:
    """Blue against a bot, both as the bot plays: the board whenever Blue is asked, and in whose turn."""
    desk, name = against_bot(folder, "bridgehead", title=title)
    board = GameBoard(desk, name)
    for _ in range(60):
        if summary.row(desk, name).result:
            return
        move = orders.move(desk, name)
        if move.asked():
            yield board, move.match.machine.mover
            orders.bot(desk, name)
        else:
            board.send(board.state()["rev"])


def told_whole(board: GameBoard) -> film.Film:
    found = board.filmed(whole=True)
    for _ in attempts(200, "all of the game"):
        if found.told():
            break
    return found


def test_the_last_turn_begins_where_the_players_own_turn_ended(tmp_path: Path) -> None:
    asked_between = 0
    for game in games_played(tmp_path):
        for board, mover in game:
            whole = told_whole(board)
            movers = [step.mover for step in whole.steps]
            part, lasts = board.past(), whole.others_last()
            if mover != "blue" or "red" not in movers or not board.filmed(whole=not part["earlier"]).others_last():
                continue
            own = max((n for n, each in enumerate(movers) if each == "blue" and "red" in movers[n:]), default=0)
            assert lasts.start == own + 1
            assert part["lines"] == whole.steps[own + 1].lines
            assert not any(whole.steps[n].mover == "blue" for n in lasts)
            asked_between += any(whole.steps[n].side == "blue" and whole.steps[n].mover == "red" for n in lasts)
        if asked_between:
            break
    assert asked_between, "Blue was never asked in Red's turn"


def test_in_the_middle_of_a_fight_its_attack_and_dice_are_shown(tmp_path: Path) -> None:
    declared = thrown = 0
    for game in games_played(tmp_path):
        for board, mover in game:
            state, now = board.state(), board.now()
            if mover != "red":
                continue
            frame = now.move.match.machine.frame
            part, latest = board.going_on(now)
            declared += any(isinstance(each, Declared) and each.target == getattr(frame, "target", 0) for each in part)
            if any(isinstance(each, Fought) for each in latest):
                thrown += 1
                assert state["fights"][-1]["dice"]
        if declared and thrown:
            break
    assert declared
    assert thrown


def test_before_the_players_first_turn_it_is_said_who_has_played(tmp_path: Path) -> None:
    desk, name = alone(tmp_path, "axis1941")
    orders.set_bots(desk, name, [seat for seat in desk.load(name).seats if seat != "germany"])
    sending.let_bots(desk, name)
    board = GameBoard(desk, name)
    assert board.state()["said"] == ["Already played: USSR. Press Last turn to see what happened."]
    found = board.past()
    assert (found["number"], found["lines"] == ("The opening position.",)) == (1, False)
    assert any(line.startswith("USSR: ") for line in found["changed"]), found["changed"]
    assert board.past(2)["changed"] == []


def test_what_a_hidden_answer_in_advance_asks_for_is_said_to_the_player(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "noretreat")
    board = GameBoard(desk, name)
    for _ in range(40):
        if orders.move(desk, name).asked():
            orders.bot(desk, name)
        after = board.preview().get("after", ())
        told = [line for line in after if "is still hidden" in line]
        assert not any("Alice's program" in line for line in after), after
        if told and told[0].startswith("Soviets may act now"):
            break
        board.send(board.state()["rev"])
    assert told
    assert told[0].endswith("Your program opens it at once; then your turn goes on.")


def test_a_battle_that_goes_on_shows_its_dice_and_losses(tmp_path: Path) -> None:
    """And what the power is asked in another's turn is no turn of its own."""
    desk, name = alone(tmp_path, "axis1941")
    orders.set_bots(desk, name, [seat for seat in desk.load(name).seats if seat != "germany"])
    orders.set_preset(desk, name, None, "ask-everything")
    sending.let_bots(desk, name)
    board, asked, told = GameBoard(desk, name), set[str](), list[str]()
    for _ in range(30):
        state, move = board.state(), orders.move(desk, name)
        if not move.asked():
            told += [each["text"] for each in board.send(state["rev"])["fights"]]
            continue
        if not move.draft.machine.frame.turn and state["fights"]:
            (fight,) = state["fights"]
            assert re.search(
                r": \w+( \w+)* attacks with .* against .*\. Rounds? 1[^,]*, hits .* Left: .* against", fight["text"]
            )
            assert fight["dice"]
            asked.add(board.filmed(whole=False).steps[-1].mover)
        orders.bot(desk, name)
        if len(asked) > 1:
            break
    assert "germany" in asked
    # Who fights whom, where, and the losses since it began: also in what is told after an answer in the middle.
    assert sum("Left: " in text for text in told) > 1
    assert any("Rounds 1 to " in text for text in told)
    assert all(" attacks with " in text and " against " in text for text in told)


@pytest.mark.parametrize("game", ["noretreat", "stalingrad42", "stargard"])
def test_a_battle_says_what_came_of_it(game, tmp_path):
    """Losses, retreats and advances stand with the battle; nothing of it is to be looked for among many lines."""
    desk, name = alone(tmp_path, game)
    board = GameBoard(desk, name)
    for _ in range(200):
        state = board.state()
        if state["first"]:
            orders.bot(desk, name)
            continue
        told = board.send(state["rev"])
        battles = " ".join(each["text"] for each in told["fights"])
        if any(line in battles for line in told["said"] if re.search("retreats?|destroyed|loses", line)):
            return
    raise AssertionError("no battle has cost anybody anything")


def test_in_the_players_own_turn_the_last_turn_opens_at_what_their_orders_led_to(tmp_path: Path) -> None:
    """A bot has answered in between; the battle, not the beginning of the game, is what has happened last."""
    fought = 0
    for game in games_played(tmp_path):
        for board, mover in game:
            machine = board.now().move.match.machine
            if mover != "blue" or machine.turn_of != "blue" or not board.now().move.game.own_turn():
                continue
            found = board.past()
            if told_whole(board).others_last() and not board.filmed(whole=False).others_last():
                part = board.filmed(whole=False)
                assert found["earlier"]
                assert found["all"][0] == ("Your last orders", 0)
                first = next((n for n, each in enumerate(part.steps) if each.fights), 0)
                assert found["number"] == first
                if first:
                    fought += 1
                    assert any(n == first and text.startswith("– Blue attacks") for text, n in found["all"])
        if fought:
            break
    assert fought, "no battle of Blue's was looked back at in Blue's turn"


def test_what_a_bot_had_planned_never_becomes_the_players_draft(tmp_path: Path) -> None:
    """Its plan stops where the player is asked about losses; it makes another one afterwards."""
    desk, name = against_bot(tmp_path, "axis1941")
    orders.set_preset(desk, name, "ussr", "ask-everything")
    for _ in attempts(40, "no question stops the plan of a bot"):
        move = orders.move(desk, name)
        assert move.left is None
        assert not move.drafted().lines
        if any(accepted.lapsed for _, accepted in move.game.replay.history()):
            break
        if move.seat is not None:
            orders.bot(desk, name, None, ("ussr",))
        sending.send(desk, name)
        sending.let_bots(desk, name)


def test_a_place_on_which_a_card_cannot_be_used_has_its_own_reason(tmp_path: Path) -> None:
    desk, name = against_bot(tmp_path, "noretreat")
    board = GameBoard(desk, name)
    for _ in range(100):
        state, move = board.state(), orders.move(desk, name)
        if state["question"] == "counterblows":
            break
        if move.seat is None:
            board.send(state["rev"])
            continue
        view, need = move.draft.view((move.seat,)), move.draft.machine.need
        bot = move.match.game.bots["sensible"]
        order = bot.choose(view, need, move.seat, move.draft.legal(), Below(random.Random(1)))
        board.order(state["rev"], move.show(order))
    assert state["question"] == "counterblows"
    card = next(key for key in board.pick(state["rev"], [])["next"] if key.startswith("c:"))
    open_to = board.pick(state["rev"], [card])["next"]
    units = {key: place for place, there in state["at"].items() for each in there for key in [each["key"]]}
    shut = {unit: place for unit, place in units.items() if place not in open_to and unit in ("u:11", "u:4Pz")}
    assert shut
    for unit, place in shut.items():
        whys = {board.pick(state["rev"], [card, key])["why"] for key in (unit, place)}
        assert len(whys) == 1
        assert not whys.pop().startswith("Nothing is possible")
