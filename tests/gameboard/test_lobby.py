"""The first page of `pbem app` without a browser: from nobody to a running game, with files and people."""

from __future__ import annotations

import json
import random
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from boards import ask, served
from clicks import clicked
from desks import desk_at

from pbem.browser.lobby import PRACTICE, Lobby, Terminal
from pbem.home import backup, offers, orders
from pbem.protocol.errors import PbemError


def lobby_at(folder: Path, name: str, told: list[str] | None = None, mail: Any = None) -> Lobby:
    heard = told if told is not None else []
    return Lobby(desk_at(folder / name, name), Terminal(lambda: "", heard.append, mail))


def raw(found: dict[str, Any]) -> bytes:
    return b64decode(found["data"])


def two(tmp_path: Path) -> tuple[Lobby, Lobby]:
    alice, bob = lobby_at(tmp_path, "alice"), lobby_at(tmp_path, "bob")
    alice.identity("Alice Kern", "alice@example.org")
    bob.identity("Bob Silva", "bob@example.org")
    bob.open(raw(alice.card()))
    alice.open(raw(bob.card()))
    return alice, bob


def test_a_first_start_leads_to_a_game_against_the_bot(tmp_path: Path) -> None:
    lobby = lobby_at(tmp_path, "alice")
    assert lobby.home()["me"] is None
    assert lobby.identity("Alice Kern", "")["me"]["name"] == "Alice Kern"
    (row,) = lobby.practice("bridgehead")["games"]
    assert (row["title"], row["mine"], row["open"]) == (PRACTICE, True, True)
    board = lobby.board(row["name"])
    assert orders.move(board.home, row["name"]).bots == ("red",)
    assert "red" not in row["owed"][0]
    assert board.state()["seat"] == "Blue"
    assert lobby.board(row["name"]) is board


def test_an_offer_goes_by_files_until_the_game_runs(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    assert [each["name"] for each in alice.home()["contacts"]] == ["Bob Silva"]
    assert alice.confirm("Bob")["contacts"][0]["sure"]
    home = alice.offer("bridgehead", "", {"blue": "me", "red": "Bob Silva"}, "By clicks")
    (letter,) = home["outbox"]
    assert letter["to"] == ("Bob Silva <bob@example.org>",)
    (invited,) = bob.open(raw(alice.file(letter["file"])))["games"]
    assert (invited["stage"], invited["open"]) == ("invited", False)
    joined = bob.join(invited["name"])
    answer = next(each["file"] for each in joined["outbox"])
    (row,) = alice.open(raw(bob.file(answer)))["games"]
    assert row["stage"] != "invited"
    with pytest.raises(PbemError, match="no file"):
        alice.file("../identities")


def test_a_new_game_has_its_options_its_clock_and_its_bots(tmp_path: Path) -> None:
    alice, _ = two(tmp_path)
    game = next(each for each in alice.catalogue() if each["name"] == "noretreat")
    assert ["no", "yes"] in [each["words"] for each in game["options"] if each["name"] == "joker"]
    seats = {"axis": "me", "soviet": "Bob Silva"}
    alice.offer("noretreat", "", seats, "Ours", {"joker": "yes"}, {"days": 3, "bank": 10, "off": 96})
    (row,) = alice.home()["games"]
    offer = offers.first(desk_at(tmp_path / "alice", "alice"), row["name"])
    assert offer is not None
    assert offer.options["joker"] is True
    assert offer.clock == {"bank": 864_000, "days_off": 96, "move": 259_200}
    with pytest.raises(PbemError, match="joker"):
        alice.offer("noretreat", "", seats, "Ours", {"joker": "perhaps"})
    with pytest.raises(PbemError, match="against the bot"):
        alice.offer("bridgehead", "", {"blue": "the bot", "red": "Bob Silva"})
    rows = alice.offer("bridgehead", "", {"blue": "the bot", "red": "me"})["games"]
    name = next(row["name"] for row in rows if row["title"] == PRACTICE)
    assert alice.board(name).state()["seat"] == "Red"


def test_a_game_against_the_bot_has_the_scenario_and_the_side_that_are_chosen(tmp_path: Path) -> None:
    lobby = lobby_at(tmp_path, "alice")
    lobby.identity("Alice Kern", "")
    games = {each["name"]: each for each in lobby.catalogue()}
    (row,) = lobby.practice("stalingrad42", "uranus", "soviet")["games"]
    assert row["scenario"] == "uranus"
    assert lobby.board(row["name"]).state()["seat"] != lobby.catalogue()[0]["seats"][0]["title"]
    assert orders.move(lobby.board(row["name"]).home, row["name"]).bots == ("axis",)
    powers = {each["name"]: each["title"] for each in games["axis1941"]["sides"]}
    alone = [powers[power].removesuffix(" only") for power in ("germany", "japan")]
    assert powers["axis"].split(", ") == alone
    name = next(each["name"] for each in lobby.practice("axis1941", "", "axis")["games"] if each["name"] != row["name"])
    assert set(orders.move(lobby.board(name).home, name).bots).isdisjoint({"germany", "japan"})


@pytest.mark.parametrize(
    ("game", "scenario", "side"),
    [("axis1941", "", "germany"), ("noretreat", "barbarossa", "axis"), ("stalingrad42", "", "axis")],
)
def test_games_are_told_from_the_players_side_without_what_is_typed(
    tmp_path: Path, game: str, scenario: str, side: str
) -> None:
    """The bot has played what comes first, and the row says whose move it is."""
    lobby = lobby_at(tmp_path, "alice")
    lobby.identity("Alice Kern", "")
    begun = lobby.practice(game, scenario, side)
    (row,) = begun["games"]
    assert row["owed"] == ["It is your move."]
    assert row["moment"]
    assert not [word for word in ("`", " with.", "End with", "You have to give") if word in row["moment"]]
    assert "USSR: purchase" not in row["moment"]
    assert lobby.board(begun["begun"]).state()["seat"] == {"germany": "Germany"}.get(side, "Axis")


def test_a_game_with_a_draft_says_that_it_is_kept(tmp_path: Path) -> None:
    lobby = lobby_at(tmp_path, "alice")
    lobby.identity("Alice Kern", "")
    begun = lobby.practice("noretreat", "barbarossa", "axis")
    assert begun["games"][0]["moment"].startswith("Turn 1")
    assert begun["games"][0]["draft"] == ""
    board = lobby.board(begun["begun"])
    line = clicked(board, random.Random(1))
    assert line is not None
    board.order(board.state()["rev"], line)
    assert lobby.home()["games"][0]["draft"] == "Your draft holds 1 order, not yet sealed."


def test_an_offer_to_anyone_names_its_file_and_can_be_withdrawn(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    home = alice.offer("bridgehead", "", {"blue": "me", "red": "anyone"})
    (letter,) = home["outbox"]
    assert letter["to"] == ["anyone"]
    assert any(letter["file"] in line and line.endswith("may want to join.") for line in home["said"])
    (row,) = home["games"]
    assert (row["stage"], list(row["others"])) == ("offered", ["anyone"])
    assert row["offered"] > 0
    (invited,) = bob.open(raw(alice.file(letter["file"])))["games"]
    assert "Alice Kern" in invited["others"]
    gone = alice.decline(row["name"], "")
    assert gone["said"][0] == "You have withdrawn the offer."
    assert gone["games"][0]["stage"] == "cancelled"
    assert bob.decline(invited["name"], "")["said"][0] == "Declined."


def test_two_games_of_one_title_are_told_apart(tmp_path: Path) -> None:
    alice, _ = two(tmp_path)
    seats = {"blue": "me", "red": "Bob Silva"}
    alice.offer("bridgehead", "", seats, "Ours")
    rows = alice.offer("bridgehead", "", {"blue": "me", "red": "anyone"}, "Ours")["games"]
    assert sorted(each["others"] for each in rows) == [("Bob Silva",), ("anyone",)]
    assert len({each["name"] for each in rows}) == 2


def test_files_that_are_nothing_are_refused_and_told(tmp_path: Path) -> None:
    alice, _ = two(tmp_path)
    with pytest.raises(PbemError):
        alice.open(b"hello")
    with pytest.raises(PbemError, match="pbem mail setup"):
        alice.sync()
    mailed = lobby_at(tmp_path, "carol", mail=lambda: ["Nothing new."])
    assert mailed.sync()["said"] == ["Nothing new."]


def test_the_phrase_of_a_backup_is_told_at_the_terminal_alone(tmp_path: Path) -> None:
    told: list[str] = []
    lobby = lobby_at(tmp_path, "alice", told)
    lobby.identity("Alice Kern", "")
    found = lobby.backup()
    home = desk_at(tmp_path / "alice", "alice")
    phrase = backup.phrase(home, home.people.me())
    assert phrase in told
    assert phrase not in json.dumps(found)
    assert phrase.encode() not in raw(found)


def test_the_server_leads_to_each_board_and_opens_files(tmp_path: Path) -> None:
    alice, bob = two(tmp_path)
    name = alice.practice("bridgehead")["games"][0]["name"]
    with served(alice) as server:
        assert "/lobby#" in server.address
        status, _, body = ask(server, "POST", "/home", {})
        assert (status, json.loads(body)["games"][0]["name"]) == (200, name)
        status, _, body = ask(server, "POST", "/state", {}, X_Pbem_Game=name)
        assert (status, json.loads(body)["name"]) == (200, name)
        assert ask(server, "POST", "/state", {}, X_Pbem_Game="nothing")[0] == 409
        kind = "application/octet-stream"
        status, _, body = ask(server, "POST", "/open", raw(bob.card()), Content_Type=kind)
        assert status == 200
        assert ask(server, "POST", "/open", b"", Content_Type=kind, Content_Length=str((16 << 20) + 1))[0] == 413
        assert ask(server, "POST", "/home", {"x": 1})[0] == 400
        assert ask(server, "POST", "/board", {})[0] == 404
