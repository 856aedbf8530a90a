"""What somebody stumbles over who plays for the first time: is he told what happened, and what to do next?"""

from __future__ import annotations

import re

import pytest
from homes import Player, exchange, meet, newest, pbem, settle


@pytest.fixture
def solo(tmp_path):
    """Alice alone, and the name of her game."""
    alice = settle(tmp_path, "Alice Kern")
    made = alice("new", "bridgehead", "--mode", "open", "--seat", "blue=me", "--seat", "red=me")
    name = re.findall(r"bridgehead-\w+", made.out)[0]
    assert f"pbem play {name}" in made.out
    return alice, name


def test_a_game_alone_tells_what_came_of_the_orders(solo):
    alice, name = solo
    for _ in range(3):
        drafted = alice("bot", name).out
        sent = alice("send", name, "--yes").out
    assert f"To seal it and send it: pbem send {name}" in drafted
    assert " moves " in sent
    played = alice("bot", name, "--send").out
    assert re.search(r"die [1-6]", played)


def test_an_order_in_several_words_without_quotes_is_explained(solo):
    alice, name = solo
    refused = alice("order", name, "reserve", "0104", code=1)
    assert refused.reason == "E-NOTATION"
    assert f"put it in quotes: pbem order {name} 'reserve 0104'" in refused.err
    assert "quotes" not in alice("order", name, "reserve x", "done", code=1).err
    alice("order", name, "reserve 0104")


def test_a_game_may_be_called_by_its_title(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    seats = ("--mode", "open", "--seat", "blue=me", "--seat", "red=me")
    first, second = (
        alice("new", "bridgehead", *seats, "--title", title, "--json").json["game"]
        for title in ("Grognards", "Grog and more")
    )
    assert f"{first}:" in alice("status", "grogn").out
    assert alice("legal", "Grog and more").out == alice("legal", second).out
    assert alice("status", "Grog", code=1).reason == "E-AMBIGUOUS"


def test_a_game_of_others_without_a_name_here_is_a_game(solo, tmp_path):
    alice, name = solo
    alice("archive", name, "-o", str(tmp_path / "solo.pbem"))
    eve = settle(tmp_path, "Eve Moor")
    assert eve("open", str(tmp_path / "solo.pbem")).out.startswith("A game of Bridgehead, ")


def test_a_bot_that_is_not_asked_says_whom_it_waits_for(solo):
    alice, name = solo
    assert "blue must order first" in alice("bot", name, "--seat", "red").out
    alice("bot", name, "--seat", "blue")
    assert "reserve" in alice("bot", name, "--seat", "red").out


def test_a_bot_is_not_asked_for_a_seat_that_there_is_not(solo):
    alice, name = solo
    refused = alice("bot", name, "--seat", "green", code=1)
    assert refused.reason == "E-SEAT"
    assert "'green' is not one of your seats" in refused.err
    assert alice("bot", name, "--seat", "green", "--seat", "blue", code=1).reason == "E-SEAT"
    assert alice("draft", name, "--json").json["lines"] == []


def test_a_package_that_is_broken_hides_no_other_game(tmp_path, monkeypatch):
    from importlib.metadata import EntryPoint

    from pbem.engine import registry

    installed = sorted(registry.installed())
    points = {**registry.installed(), "pickets": EntryPoint("pickets", "pickets:game", registry.GROUP)}
    monkeypatch.setattr(registry, "installed", lambda: points)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "pickets.py").write_text("game = Game(\n")
    listed = pbem("games", home=tmp_path / "home")
    assert (listed.code, listed.reason) == (1, "E-MODULE")
    assert "The game 'pickets' cannot be loaded: SyntaxError" in listed.err
    assert {line.split()[0] for line in listed.out.splitlines()} == set(installed)
    as_json = pbem("games", "--json", home=tmp_path / "home")
    assert [game["name"] for game in as_json.json["games"]] == installed
    assert pbem("games", "pickets", home=tmp_path / "home").code == 1


def test_a_bot_that_finds_the_draft_complete_says_that_it_is_not_sealed(solo):
    alice, name = solo
    alice("bot", name)
    assert f"To seal it and send it: pbem send {name}" in alice("bot", name, "--send").out


def test_what_a_bot_drafts_of_a_turn_is_told_as_not_sealed(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    seats = [word for seat in ("ussr", "uk", "usa", "germany", "japan") for word in ("--seat", f"{seat}=me")]
    alice("new", "axis1941", "--mode", "open", *seats)
    assert "To seal it and send it: pbem send axis1941-" in alice("bot", "axis1941", "--seat", "ussr").out


def test_orders_are_explained_without_the_signs_of_the_notation(solo):
    alice, name = solo
    for line, wanted in (("attack 0506", "attack TARGET from HEXES"), ("move B99 0405", "move UNIT TO")):
        refused = alice("order", name, line, code=1)
        assert refused.reason == "E-NOTATION"
        assert f"write it as: {wanted}." in refused.err
    assert (
        "There is no seat 'green'" in alice("new", "bridgehead", "--seat", "blue=me", "--seat", "green=me", code=1).err
    )


@pytest.mark.parametrize("word", ["verify", "replay", "dice"])
def test_who_names_a_game_where_a_file_is_wanted_is_told_how_to_get_one(solo, word):
    alice, name = solo
    assert "pbem archive GAME" in alice(word, name, code=2).err


def test_both_players_are_told_each_die(two):
    alice, bob, name = two
    told: dict[str, str] = {"Alice Kern": "", "Bob Silva": ""}

    def carry(reader: Player, writer: Player) -> None:
        for path in writer.outbox():
            told[reader.name] += reader("open", str(path)).out

    for _ in range(60):
        for player in (alice, bob):
            told[player.name] += player("bot", name, "--send").out
        carry(alice, bob)
        carry(bob, alice)
        if all("die " in text for text in told.values()):
            break
    exchange(alice, bob)
    dice = [re.findall(r"attacks \d{4} from .*?die [1-6]", text) for text in told.values()]
    assert dice[0]
    assert dice[0][0] == dice[1][0]


def test_standing_orders_alone_do_not_hinder_that_a_file_is_sent_again(two):
    alice, bob, name = two
    alice("bot", name, "--send")
    exchange(alice, bob)
    before = newest(alice).read_bytes()
    alice("standing", name, "retreat", "then stand")
    again = alice("send", name, "--json").json["posted"]
    assert again["again"]
    assert newest(alice).read_bytes() == before
    rows = {row["kind"]: row for row in alice("standing", name, "--json").json["standing"]}
    assert rows["retreat"]["state"] == "with your next orders"
    alice("standing", name, "retreat", "--clear")
    rows = {row["kind"]: row for row in alice("standing", name, "--json").json["standing"]}
    assert (rows["retreat"]["policy"], rows["retreat"]["state"]) == ("", "")


def test_what_answers_a_proposal_is_said(two):
    alice, bob, name = two
    alice("tie", name)
    assert f"pbem tie {name} --accept, or --refuse" in bob("open", str(newest(alice))).out


def test_a_file_that_is_not_there_is_told_before_any_is_taken(two, tmp_path):
    alice, bob, name = two
    alice("bot", name, "--send")
    before = bob.picture()
    bob("open", str(newest(alice)), str(tmp_path / "nowhere.pbem"), code=2)
    assert bob.picture() == before


def test_dice_in_the_open_are_not_called_unforeseen(solo, tmp_path):
    alice, name = solo
    alice("bot", name, "--send")
    archive = tmp_path / "solo.pbem"
    alice("archive", name, "-o", str(archive))
    shown = pbem("dice", str(archive), home=tmp_path).out
    assert "In mode open the keys prove nothing either" in shown


def test_what_an_option_can_be_is_said(solo):
    alice, _ = solo
    seats = ("--mode", "open", "--seat", "blue=me", "--seat", "red=me")
    assert "-3" in alice("new", "bridgehead", *seats, "--option", "handicap=99", code=1).err
    assert "it has handicap" in alice("new", "bridgehead", *seats, "--option", "hanicap=1", code=1).err


def test_options_are_typed_as_they_are_listed(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    listed = alice("games", "noretreat").out
    assert re.search(r"no_surrender +NR-14.8: no surrender +no, yes", listed)
    seats = ("--mode", "open", "--seat", "axis=me", "--seat", "soviet=me")
    for text in ("no_surrender=yes", "no_surrender=false", "plain_weather=1941", "plain_weather=no"):
        alice("new", "noretreat", *seats, "--option", text)
    wrong = alice("new", "noretreat", *seats, "--option", "no_surrender=maybe", code=1)
    assert "'maybe' is not a value of the option 'no_surrender'; choose no, yes." in wrong.err


def test_a_home_that_is_a_file_is_told_as_such(tmp_path):
    place = tmp_path / "file"
    place.write_bytes(b"")
    for arguments in (("list",), ("id", "new", "X", "--no-passphrase")):
        done = pbem(*arguments, home=place)
        assert (done.code, done.reason) == (1, "E-DISK")
        assert "a file, not a folder. See PBEM_HOME." in done.err


def test_the_name_of_an_installed_game_may_be_shortened(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    made = alice("new", "bridge", "--mode", "open", "--seat", "blue=me", "--seat", "red=me")
    assert "bridgehead-" in made.out
    assert alice("games", "bridge").out == alice("games", "bridgehead").out
    assert "There is no game 'st' here" in alice("games", "st", code=1).err, "two begin so"


def test_help_is_a_word_for_help(tmp_path):
    assert pbem("help", home=tmp_path).out == pbem("--help", home=tmp_path).out


def test_orders_that_leave_something_undone_say_how_to_take_them_back(solo):
    alice, name = solo
    for _ in range(2):
        alice("bot", name)
        alice("send", name, "--yes")
    told = alice("order", name, "done")
    assert "Note: Not moved: " in told.out
    assert f"Nothing is sent yet. To take this back: pbem undo {name} 1" in told.err
    alice("undo", name, "1")
    (unit,) = re.findall(r"^move (B\d+) \w+", alice("legal", name, "move B1 ").out, re.MULTILINE)[:1]
    assert "Nothing is sent" not in alice("order", name, f"move {unit} 0402").err


def test_more_time_without_clock_and_umpire_is_refused(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    offered = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--json").json
    bob("open", offered["posted"]["path"])
    bob("join", "bridgehead")
    alice("open", str(newest(bob)))
    refused = alice("rule", "bridgehead", "extension", "--player", "bob", "--days", "2", "--yes", code=1)
    assert refused.reason == "E-NO-NEED"
    assert "neither a clock nor an umpire" in refused.err
