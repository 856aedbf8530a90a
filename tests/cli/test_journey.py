"""Two people, two homes: from the first identity to the first fights, by the commands that they would type."""

from __future__ import annotations

import email
import email.policy
import re
from pathlib import Path

from homes import exchange, newest, pbem, settle
from shapes import fits


def test_people_meet(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    card = tmp_path / "card.txt"
    alice("id", "export", "--armor", "-o", str(card))
    mail = "Hello Bob,\n\n" + card.read_text() + "\nAlice\n"
    opened = bob("open", "-", stdin=mail)
    mine = fits("id-show", alice("id", "show", "--json").json)
    assert f"Card of Alice Kern <alice@example.org>, fingerprint {mine['fingerprint']}. Added" in opened.out
    assert "whom you know already" in bob("open", str(card)).out
    (contact,) = fits("contact-list", bob("contact", "list", "--json").json)["contacts"]
    assert (contact["identity"], contact["confirmed"]) == (mine["identity"], False)
    bob("contact", "confirm", "alice")
    assert fits("contact-show", bob("contact", "show", "alice", "--json").json)["confirmed"]
    bob("contact", "remove", "alice")
    assert bob("contact", "show", "alice", code=1).reason == "E-UNKNOWN"
    assert [person["name"] for person in fits("id-list", alice("id", "list", "--json").json)["identities"]] == [
        "Alice Kern"
    ]


def test_an_offer_is_made_looked_at_and_declined_or_taken_back(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    bob("id", "export", "-o", str(tmp_path / "bob.pbem"))
    alice("open", str(tmp_path / "bob.pbem"))
    offer = fits("new", alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--json").json)
    opened = fits("open", bob("open", offer["posted"]["path"], "--json").json)["files"][0]
    assert opened["kind"] == "offer"
    assert opened["game"] == offer["game"]
    (row,) = fits("list", bob("list", "--json").json)["games"]
    assert row["stage"] == "invited"
    game = offer["game"]
    said = (
        rf"^You can accept or decline the offer, which arrived on [-0-9: ]+: pbem join {game}, or pbem decline {game}$"
    )
    assert re.search(said, bob("status", offer["game"]).out, re.MULTILINE)
    declined = fits("decline", bob("decline", offer["game"], "--why", "No time", "--json").json)
    assert "No time" in alice("open", declined["posted"]["path"]).out
    assert alice("list", "--json").json["games"][0]["stage"] == "declined"
    second = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=anyone", "--json").json
    bob("open", second["posted"]["path"])
    taken = fits("decline", alice("decline", second["game"], "--why", "No time either", "--json").json)
    assert "No time either" in bob("open", taken["posted"]["path"]).out
    for player in (alice, bob):
        stages = {row["stage"] for row in player("list", "--json").json["games"]}
        assert stages == {"declined", "cancelled"}


def test_a_move_is_drafted_changed_sealed_and_mailed_again(two):
    alice, bob, name = two
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    assert "posture" in alice("legal", name).out
    for player in (alice, bob):
        player("order", name, "posture hold")
        player("send", name, "--yes")
    exchange(alice, bob)
    (row,) = fits("list", alice("status", name, "--json").json)["games"]
    assert row["my_move"]

    listed = fits("legal", alice("legal", name, "move B1 ", "--json").json)
    assert listed["orders"]
    assert all(order.startswith("move B1 ") for order in listed["orders"])
    assert [group["begins"] for group in listed["groups"]] == ["move B1"]
    assert [line.partition("  ")[0] for line in alice("legal", name, "b1").out.splitlines()] == listed["orders"]
    whole = fits("legal", alice("legal", name, "--json").json)
    assert sum(group["count"] for group in whole["groups"]) == len(whole["orders"])
    assert re.search(rf"^move B1 \.\.\. +{len(listed['orders'])} orders$", alice("legal", name).out, re.MULTILINE)
    every = [line.partition("  ")[0] for line in alice("legal", name, "--all").out.splitlines()]
    assert every == whole["orders"]

    refused = alice("order", name, listed["orders"][0], "move B1 0907", code=1)
    assert refused.reason == "E-ORDER"
    assert "BH-" in refused.err
    assert fits("undo", alice("undo", name, "--all", "--json").json)["draft"] == []

    moved = fits("order", alice("order", name, listed["orders"][0], "--json").json)
    assert moved["draft"] == [listed["orders"][0]]
    assert re.search(r"^Draft: +1 line, not sealed\. Then: ", alice("status", name).out, re.MULTILINE)
    before = alice("board", name, "--public").out
    assert fits("board", alice("board", name, "--json").json)["board"] != before.splitlines()
    alice("undo", name)
    assert alice("board", name).out.splitlines()[2:30] == before.splitlines()[2:30]

    assert alice("note", name, "Well met, \x1b[31mBob", code=1).reason == "E-TEXT"
    alice("note", name, "Well met, Bob")
    assert "Draft:" not in alice("status", name).out
    alice("order", name, "done")
    assert f"1 line, not sealed. Seal it: pbem send {name}" in alice("status", name).out
    sealed = fits("send", alice("send", name, "--yes", "--json").json)
    again = fits("send", alice("send", name, "--json").json)
    (owed,) = (each for each in sealed["owed"] if not each["mine"])
    assert (owed["name"], owed["what"]) == ("Bob Silva", "orders")
    assert sealed["happened"]
    assert (again["happened"], again["owed"]) == ([], sealed["owed"])
    sent, again = sealed["posted"], again["posted"]
    assert (again["path"], again["again"]) == (sent["path"], True)
    opened = bob("open", sent["path"])
    assert "Well met, Bob" in opened.out
    assert fits("open", bob("open", sent["path"], "--json").json)["files"][0]["new"] == 0
    records = fits("log", bob("log", name, "--json").json)["records"]
    assert records[0]["kind"] == "offer"
    assert len(bob("log", name, "--last", "2").out.splitlines()) >= 2


def test_one_turn_leaves_in_four_forms_and_each_can_be_opened(two, tmp_path):
    alice, bob, name = two
    alice("bot", name, "--send")
    binary, text, mail = tmp_path / "turn.pbem", tmp_path / "turn.txt", tmp_path / "turn.eml"
    alice("send", name, "-o", str(binary))
    alice("send", name, "--armor", "-o", str(text))
    alice("send", name, "--eml", "-o", str(mail))
    letter = email.message_from_bytes(mail.read_bytes(), policy=email.policy.default)
    assert letter["To"] == "bob@example.org"
    assert letter["Subject"].startswith("[pbem] ")
    assert "Alice Kern sent orders; " in letter["Subject"]
    assert name in letter.get_body(("plain",)).get_content()
    piped = alice("send", name, "--armor", "-o", "-").out
    assert piped == text.read_text()
    assert "1 new record" in bob("open", str(mail)).out
    for form in (binary, text, newest(alice)):
        assert "all of this already" in bob("open", str(form)).out
    assert alice("send", name, "--armor", "--eml", code=2)
    assert alice("send", name, "--eml", "-o", str(text), code=1).reason == "E-EXISTS"


def test_what_an_act_seals_leaves_as_it_is_wanted(two, tmp_path):
    alice, bob, name = two
    assert alice("takeback", name, "--yes", "--armor", "--eml", code=2)  # and nothing was sealed
    alice("bot", name, "--send")
    exchange(alice, bob)
    before = len(alice("log", name, "--json").json["records"])
    assert alice("tie", name, "--armor", "--eml", code=2)
    assert len(alice("log", name, "--json").json["records"]) == before
    wanted = tmp_path / "tie.pbem"
    posted = fits("tie", alice("tie", name, "--json", "-o", str(wanted)).json)["posted"]
    assert wanted.read_bytes() == Path(posted["path"]).read_bytes()
    bob("open", str(wanted))
    piped = bob("tie", name, "--refuse", "--armor", "-o", "-")
    assert piped.out.startswith("-----BEGIN PBEM")
    assert f"Game {name}." in piped.err


def test_standing_orders_and_plans(two):
    alice, bob, name = two
    rows = fits("standing", alice("standing", name, "--json").json)["standing"]
    kinds = {row["kind"] for row in rows}
    assert {"retreat", "advance", "react"} <= kinds
    alice("standing", name, "retreat", "when town = 1 and steps > 2 then stand; then retreat")
    alice("standing", name, "react", "then pass", "--sealed")
    waiting = {row["kind"]: row for row in fits("standing", alice("standing", name, "--json").json)["standing"]}
    assert waiting["retreat"]["policy"] == "when town = 1 and steps > 2 then stand; then retreat"
    assert alice("standing", name, "retreat", "when nonsense > 1 then stand", code=1).reason == "E-POLICY"
    assert alice("standing", name, "retreat", "--sealed", code=2)
    alice("bot", name, "--send")
    bob("bot", name, "--send")
    exchange(alice, bob)
    sealed = {row["kind"]: row for row in alice("standing", name, "--json").json["standing"]}
    assert sealed["react"]["state"] == "sealed"
    assert sealed["react"]["policy"] == "then pass"
    assert alice("plan", name, "advance B3 0505", code=1).reason == "E-PLAN"
    assert fits("plan", alice("plan", name, "--json").json)["plan"] == []


def test_a_preset_is_chosen_at_any_time(two):
    """Bob is not to move: what he chooses waits for his next orders, and says so."""
    alice, bob, name = two
    rows = fits("standing", bob("standing", name, "--presets", "--json").json)["presets"]
    names = ["ask-what-matters", "ask-nothing", "ask-everything"]
    assert [row["name"] for row in rows] == names
    assert [row["seats"] for row in rows] == [["red"], [], ["red"]]  # nothing is preset in Bridgehead
    shown = bob("standing", name, "--presets").out
    assert "* ask-what-matters: You are asked about what matters" in shown
    assert re.search(r"^react +ask me +then default +ask me$", shown, re.MULTILINE)
    told = bob("standing", name, "retreat").out
    assert "Units of yours that have lost a battle must leave their hex" in told
    assert re.search(r"^Now:\n  red +You are asked\.$", told, re.MULTILINE)
    assert "The usual answer:\n    If there are more than 2 steps among the defenders there" in told
    assert max(map(len, told.splitlines())) <= 100
    assert re.search(r"^  stand +they stay, and each of them loses a step$", told, re.MULTILINE)
    assert re.search(r"^  town +whether the hex is a town$", told, re.MULTILINE)
    assert told.strip() in bob("play", name, stdin="standing retreat\nquit\n").out
    assert bob("standing", name, "retret", code=1).reason == "E-POLICY"
    bob("standing", name, "--preset", "ask-nothing")
    held = {row["kind"]: row for row in fits("standing", bob("standing", name, "--json").json)["standing"]}
    assert (held["react"]["policy"], held["react"]["state"]) == ("then default", "with your next orders")
    assert [row["seats"] for row in bob("standing", name, "--presets", "--json").json["presets"]] == [[], ["red"], []]
    assert bob("standing", name, "--preset", "ask-me", code=1).reason == "E-UNKNOWN"
    assert bob("standing", name, "react", "then pass", "--preset", "ask-nothing", code=2)
    assert bob("standing", name, "--preset", "ask-nothing", "--presets", code=2)
    assert bob("standing", name, "--preset", "ask-nothing", "--clear", code=2)
    assert bob("standing", name, "--sealed", code=2)
    assert bob("standing", name, "--preset", "ask-nothing", "--seat", "blue", code=1).reason == "E-SEAT"
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    held = {row["kind"]: row for row in bob("standing", name, "--json").json["standing"]}
    assert (held["react"]["policy"], held["react"]["state"]) == ("then default", "public")
    assert "* ask-everything" in bob("play", name, stdin="preset ask-everything\npreset\nquit\n").out
    bob("standing", name, "react", "then pass")
    assert not any(row["seats"] for row in bob("standing", name, "--presets", "--json").json["presets"][1:2])


def test_a_game_begins_with_a_preset(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    bob("id", "export", "-o", str(tmp_path / "bob.pbem"))
    alice("open", str(tmp_path / "bob.pbem"))
    seats = ("--seat", "blue=me", "--seat", "red=bob")
    assert alice("new", "bridgehead", "--preset", "ask-me", *seats, code=1).reason == "E-UNKNOWN"
    alice("new", "bridgehead", "--preset", "ask-nothing", *seats)
    bob("open", str(newest(alice)))
    name = bob("list", "--json").json["games"][0]["name"]
    assert bob("join", name, "--preset", "nonsense", code=1).reason == "E-UNKNOWN"
    bob("join", name, "--preset", "ask-everything")
    exchange(alice, bob)
    for player, chosen in ((alice, "ask-nothing"), (bob, "ask-everything")):
        rows = player("standing", name, "--presets", "--json").json["presets"]
        assert [row["name"] for row in rows if row["seats"]][-1] == chosen


def test_the_outbox_shows_what_has_arrived_and_clears_itself(two):
    alice, bob, name = two
    alice("bot", name, "--send")
    rows = fits("outbox", alice("outbox", "--json").json)["files"]
    assert rows[-1]["silent"] == ["Bob Silva <bob@example.org>"]
    assert (rows[-1]["game"], rows[-1]["mailed"], rows[-1]["automatic"]) == (name, 0, False)
    assert "to be mailed, not answered" in alice("outbox").out.splitlines()[-2]
    for _ in range(2):
        exchange(alice, bob)
        for player in (alice, bob):
            if player("list", "--json").json["games"][0]["my_move"]:
                player("bot", name, "--send")
    before = len(alice.outbox())
    rows = fits("outbox", alice("outbox", "--json").json)["files"]
    assert len(rows) == len(alice.outbox()) < before
    assert all(row["silent"] for row in rows[:-1])
    exchange(alice, bob)  # and the game goes on
    assert alice("status", name).out


def test_what_others_are_asked_is_never_said_as_if_one_were_asked_oneself(two):
    alice, bob, name = two
    mine, theirs = (f"{side} chooses in secret where its reserve will enter." for side in ("Blue", "Red"))
    for command in (("status", name), ("status",), ("list",)):
        assert mine in alice(*command).out
        assert "is asked" not in alice(*command).out
    alice("bot", name, "--send")
    asked = f"Bob Silva is asked: {theirs}"
    exchange(alice, bob)
    for command in (("status", name), ("status",), ("list",), ("play", name)):
        assert asked in alice(*command, stdin="quit\n").out
        shown = bob(*command, stdin="quit\n").out
        assert theirs in shown
        assert asked not in shown
    assert alice("status", name, "--json").json["games"][0]["moment"] == asked
    assert bob("status", name, "--json").json["games"][0]["moment"] == theirs


def test_a_draw_is_offered_refused_and_agreed(two):
    alice, bob, name = two
    fits("tie", alice("tie", name, "--json").json)
    exchange(alice, bob)
    bob("tie", name, "--refuse")
    exchange(alice, bob)
    assert bob("tie", name, "--accept", code=1).reason == "E-NO-NEED"
    alice("tie", name)
    exchange(alice, bob)
    bob("tie", name, "--accept")
    exchange(alice, bob)
    (row,) = alice("status", name, "--json").json["games"]
    assert row["stage"] == "over"


def test_a_takeback_leads_back_when_all_agree(two):
    alice, bob, name = two
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    board = alice("board", name, "--public").out
    for player in (alice, bob):
        player("order", name, "posture attack")
        player("send", name, "--yes")
    exchange(alice, bob)
    alice("bot", name, "--send")
    exchange(alice, bob)
    assert alice("board", name, "--public").out != board
    alice("takeback", name, "--to", "0:999", code=1)
    shown = alice("takeback", name, code=2)
    assert re.search(r"^This undoes \d+ records? \(0:\d+, orders of Alice Kern", shown.out, re.MULTILINE)
    assert "Propose to go back?" in shown.err
    assert bob("status", name, "--json").json["games"][0]["proposed"] == ""
    alice("takeback", name, "--yes")
    exchange(alice, bob)
    asked = fits("list", bob("status", name, "--json").json)["games"][0]["proposed"]
    assert asked.startswith("Alice Kern proposes to go back ")
    assert "That would undo " in asked
    for told in (bob("status", name).out, bob("status").out, bob("play", name, stdin="quit\n").out):
        assert asked in told
    assert asked in alice("status", name).out
    shown = bob("takeback", name, "--accept", code=2).out
    assert asked.partition(". ")[2] in shown.replace("This undoes ", "That would undo ")
    bob("takeback", name, "--accept", "--yes")
    exchange(alice, bob)
    assert alice("legal", name, "done").out.startswith("done   End your movement")
    assert alice("board", name, "--public").out == bob("board", name, "--public").out


def test_resigning_ends_the_game_and_the_audit_follows(two, tmp_path):
    alice, bob, name = two
    assert bob("resign", name, code=2)
    bob("resign", name, "--yes")
    exchange(alice, bob)
    archive = tmp_path / "game.pbem"
    fits("archive", alice("archive", name, "-o", str(archive), "--json").json)
    verdict = fits("verify", pbem("verify", str(archive), "--json", home=tmp_path / "nobody").json)
    assert verdict["ok"]
    assert verdict["result"]["winner"] == "blue"
    assert verdict["audited"]


def test_backup_and_restore_bring_the_player_back(two, tmp_path):
    alice, bob, name = two
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    saved = tmp_path / "backup.pbem"
    phrase = fits("backup", alice("backup", "-o", str(saved), "--json").json)["phrase"]
    assert alice("backup", "--phrase").out.strip() == phrase
    assert phrase.split()[0].encode() not in saved.read_bytes()
    new = tmp_path / "new-home"
    wrong = " ".join(reversed(phrase.split()))
    assert pbem("restore", str(saved), home=new, PBEM_PHRASE=wrong).code == 1
    back = pbem("restore", str(saved), "--no-passphrase", "--json", home=new, PBEM_PHRASE=phrase)
    (row,) = fits("restore", back.json)["games"]
    assert (row["name"], row["restored"]) == (name, True)
    marked = "restored; it signs nothing until it has caught up"
    assert marked in pbem("list", home=new).out
    assert marked in pbem("status", home=new).out
    assert marked not in alice("list").out
    pbem("order", name, "posture hold", home=new)
    pbem("note", name, "x", home=new)
    hello = pbem("send", name, "--json", home=new)
    bob("open", hello.json["posted"]["path"])
    pbem("open", str(newest(bob)), home=new)
    done = pbem("restore", "--confirm", name, home=new)
    assert done.code == 0, done
    assert marked not in pbem("list", home=new).out
    pbem("order", name, "posture hold", home=new)
    assert pbem("send", name, "--yes", home=new).code == 0


def test_a_passphrase_guards_the_key(tmp_path):
    home = tmp_path / "home"
    assert pbem("id", "new", "Alice", home=home, PBEM_PASSPHRASE="gauntlet").code == 0
    assert pbem("id", "show", "--json", home=home).json["protected"]
    missing = pbem("backup", "--phrase", home=home)
    assert (missing.code, missing.reason) == (1, "E-PASSPHRASE")
    wrong = pbem("backup", "--phrase", home=home, PBEM_PASSPHRASE="gauntlets")
    assert wrong.reason == "E-PASSPHRASE"
    phrase = pbem("backup", "--phrase", home=home, PBEM_PASSPHRASE="gauntlet").out
    changed = pbem("id", "passphrase", home=home, PBEM_PASSPHRASE="gauntlet", PBEM_NEW_PASSPHRASE="trumpet")
    assert changed.code == 0
    assert pbem("backup", "--phrase", home=home, PBEM_PASSPHRASE="trumpet").out == phrase
    assert b"gauntlet" not in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_a_game_for_one_against_a_bot(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    made = fits(
        "new", alice("new", "bridgehead", "--mode", "open", "--seat", "blue=me", "--seat", "red=me", "--json").json
    )
    assert made["posted"] is None
    name = made["game"]
    alice("order", name, "reserve 0104")
    answered = fits("bot", alice("bot", name, "--seat", "red", "--level", "random", "--send", "--json").json)
    assert len(answered["happened"]) >= len(answered["orders"]) > 0
    assert [each["mine"] for each in answered["owed"]] == [True]
    assert len(answered["orders"]) == 1
    assert alice("bot", name, "--level", "brilliant", code=1).reason == "E-UNKNOWN"
    alice("bot", name, "--send")
    (row,) = alice("status", name, "--json").json["games"]
    assert row["stage"] == "over"
    archive = tmp_path / "solo.pbem"
    alice("archive", name, "-o", str(archive))
    assert "open dice (anyone can look ahead)" in alice("verify", str(archive)).out


def test_the_games_are_listed_with_their_rules(tmp_path):
    games = {game["name"]: game for game in fits("games", pbem("games", "--json", home=tmp_path).json)["games"]}
    assert {"axis1941", "bridgehead"} <= set(games)
    game = games["bridgehead"]
    assert {"random", "sensible"} <= set(game["bots"])
    shown = pbem("games", "bridgehead", home=tmp_path).out
    assert all(each["name"] in shown for each in (*game["scenarios"], *game["options"], *game["seats"]))
    assert "BH-1.1" in pbem("games", "bridgehead", "--rules", home=tmp_path).out
    assert pbem("games", "chess", home=tmp_path).code == 1
