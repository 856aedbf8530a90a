"""The prompt of `pbem play`, by a pipe and at a real terminal."""

from __future__ import annotations

import os
import re
import sys

import pexpect
from homes import begin, exchange, meet, newest, settle


def test_a_whole_move_by_a_pipe(moving):
    alice, bob, name = moving
    first = alice("legal", name, "move", "--json").json["orders"][0]
    script = "\n".join(
        [
            "help",
            "?",
            "move B ?",
            first,
            "draft",
            "undo",
            "draft",
            first,
            "odds 0506 from 0405",
            "board",
            "status",
            "note Hello",
            "send",
            "n",
            "send",
            "y",
        ]
    )
    played = alice("play", name, stdin=script + "\n")
    assert "odds TEXT" in played.out
    assert "The draft is empty." in played.out
    assert "Not sent." in played.out
    assert "Mail, for Bob Silva" in played.out
    assert played.out.count("With your message: Hello") == 2
    assert "Hello" in bob("open", str(newest(alice))).out


def test_a_wrong_order_is_told_and_the_prompt_goes_on(moving):
    alice, _, name = moving
    played = alice("play", name, stdin="move B1 0907\nfly B1\nundo x\nundo 5\nquit\n", code=1)
    assert played.err.count("Refused: ") >= 2
    assert "BH-" in played.err
    assert alice("undo", name, "--all", "--json").json["draft"] == []


def test_a_word_that_is_an_order_of_the_game_is_one_with_what_follows_it(tmp_path):
    """`exit` leaves the prompt, `exit UNIT` leaves the map."""
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    name = begin(alice, bob, "--seat", "german=me", "--seat", "soviet=bob", game="stargard")
    played = alice("play", name, stdin="exit Voigt\nlook cup\nexit\nlook points\n", code=1)
    assert "SG-14.2.1" in played.err
    assert "Chits still to be played" in played.out
    assert "Soviet score" not in played.out


def test_the_words_of_the_commands_are_known_at_the_prompt(moving):
    alice, _, name = moving
    first = alice("legal", name, "move", "--json").json["orders"][0]
    played = alice("play", name, stdin=f"legal\nlegal move B1\n{first}\nlist\nquit\n")
    assert f"  {first}   Move " in played.out
    assert f"  1  {first}" in played.out


def test_a_question_that_begins_no_order_tells_what_odds_tells(moving):
    alice, _, name = moving
    told = alice("odds", name, "0506 from 0405").out.strip()
    assert told in alice("play", name, stdin="0506 from 0405 ?\nquit\n").out


def test_done_never_sends(moving):
    alice, _, name = moving
    before = alice.outbox()
    played = alice("play", name, stdin="done\ndone\ny\nlist\nquit\n", code=1)
    assert played.out.count("That is all you can order now.") == 1
    assert "[E-PLAN]" in played.err
    assert "Send now?" not in played.err
    assert "  1  done   End your movement" in played.out
    assert alice.outbox() == before


def test_a_done_that_the_rules_refuse_says_why(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    seats = [word for seat in ("ussr", "uk", "usa", "germany", "japan") for word in ("--seat", f"{seat}=me")]
    name = alice("new", "axis1941", "--mode", "open", *seats, "--json").json["game"]
    alice("order", name, "done", "done", "done", "buy 4 inf", "done")
    landing = ("load inf southern europe > transport 1", "move transport 1 sz16 > sz17", "land transport 1 > egypt")
    typed = [*landing, "load inf southern europe > transport 1", "done", "y", "quit"]
    played = alice("play", name, stdin="\n".join(typed) + "\n", code=1)
    assert "Refused: Not legal (AA-5." in played.err
    assert "Send now?" not in played.err
    assert alice("board", name, "--public").out.count("USSR's turn") == 1  # nothing was sealed


def test_before_sealing_one_sees_what_is_not_done_and_who_is_next(moving):
    alice, _, name = moving
    shown = alice("play", name, stdin="move B1 0402\nsend\nn\ndone\ndone\nsend\nn\nquit\n").out
    first, _, second = shown.partition("Not sent.")
    assert "Note: Not moved: B2, B3" in second.partition("  1  ")[0]  # already where the phase is ended
    assert "Note: Blue can still order in this phase.\nAfter this: You are asked next, for Blue: " in first
    assert "Note: Not moved: B2, B3" in second
    assert "can still order" not in second
    assert "After this: Cards are dealt." in second


def test_send_shows_the_same_and_asks_unless_it_need_not(moving):
    alice, _, name = moving
    alice("order", name, "move B1 0402")
    before = alice.picture()
    asked = alice("send", name, code=2)
    assert (
        "  1  move B1 0402   Move B1 to 0402.\nNote: Blue can still order in this phase.\nAfter this: You are asked"
        in asked.out
    )
    assert "add --yes" in asked.err
    assert alice.picture() == before
    quiet = alice("send", name, "--json", code=2)
    assert quiet.out == ""
    assert "Note: Blue can" in quiet.err
    assert alice.picture() == before
    assert "Note: Blue can still order in this phase." in alice("send", name, "--yes").out
    assert "The same file again" in alice("send", name).out  # nothing new: nothing is asked


def test_at_a_terminal_send_asks(moving):
    alice, _, name = moving
    alice("order", name, "move B1 0402")
    environ = {**os.environ, "PBEM_HOME": str(alice.home), "PBEM_PASSPHRASE": "", "TERM": "dumb", "COLUMNS": "200"}
    for answer, code, left in (("n", 130, ["move B1 0402"]), ("y", 0, [])):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "pbem", "send", name],
            env=environ,
            encoding="utf-8",
            timeout=30,
            dimensions=(60, 200),
        )
        child.expect("Note: Blue can still order in this phase.")
        child.expect("Seal and send this.*: ")
        child.sendline(answer)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == code
        assert [line["typed"] for line in alice("draft", name, "--json").json["lines"]] == left


def test_what_goes_on_by_plan_is_shown_before_it_is_sealed(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    seats = [word for seat in ("ussr", "uk", "usa", "germany", "japan") for word in ("--seat", f"{seat}=me")]
    name = alice("new", "axis1941", "--mode", "open", *seats, "--json").json["game"]
    alice("order", name, "buy 1 inf", "done", "move 3 inf 1 tank caucasus > ukraine", "done")
    alice("plan", name, "home", "done")
    alice("standing", name, "losses", "infantry tank", "--seat", "ussr")
    shown = alice("send", name, code=2).out
    planned = shown.partition("Then your plan; each order is carried out if it is legal when its turn comes:\n")[2]
    assert planned.startswith("  1  home   Land all aircraft that have not landed.\n  2  done ")
    assert "Standing orders of ussr, losses: " in shown
    assert "Note: 4 IPC are not spent." in shown


def test_before_sealing_one_is_told_who_must_answer(moving):
    alice, _, name = moving
    played = alice("play", name, stdin="move B3 0404\ndone\nattack 0504 from 0404\ndone\nsend\nn\nquit\n")
    assert "After this: Bob Silva " in played.out


def test_it_is_not_your_move(two):
    alice, _, name = two
    alice("bot", name, "--send")
    shown = alice("play", name, stdin="?\nboard\nquit\n")
    assert "not your move" in shown.out
    assert "Bob Silva" in shown.out


def test_at_a_terminal_lines_are_completed_and_colours_obey(moving):
    alice, _, name = moving
    environ = {**os.environ, "PBEM_HOME": str(alice.home), "PBEM_PASSPHRASE": "", "TERM": "xterm", "COLUMNS": "200"}
    environ.pop("NO_COLOR", None)
    child = pexpect.spawn(
        sys.executable, ["-m", "pbem", "play", name], env=environ, encoding="utf-8", timeout=30, dimensions=(60, 200)
    )
    child.expect("\x1b\\[1m")
    child.expect("blue> ")
    child.send("sta\t\t")
    child.expect("standing|status")
    child.send("\x15pos\t\x15help\r")
    child.expect("odds TEXT")
    child.expect("blue> ")
    child.sendline("send")
    child.expect("Send now")
    child.sendline("n")
    child.expect("Not sent")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    plain = pexpect.run(
        f"{sys.executable} -m pbem status", env={**environ, "NO_COLOR": "1"}, encoding="utf-8", timeout=30
    )
    assert "\x1b" not in plain


def test_at_the_prompt_of_a_game_that_is_over(two):
    alice, bob, name = two
    alice("resign", name, "--yes")
    exchange(alice, bob)
    shown = alice("play", name, stdin="quit\n")
    assert "The game is over: red wins" in shown.out
    assert "not your move" not in shown.out


def test_orders_that_begin_alike_are_one_line_which_says_how_to_see_them(moving):
    alice, _, name = moving
    shown = alice("play", name, stdin="?\nquit\n").out
    assert re.search(r"  move B1 \.\.\. +\d+ orders\n", shown)
    cut = re.findall(r"as in `(move B\d+) \?`", shown)
    assert len(cut) == 1
    assert f"  {cut[0]} " in alice("play", name, stdin=f"{cut[0]} ?\nquit\n").out


def test_a_kind_of_order_that_cannot_be_given_now_is_not_taken_for_a_fight(moving):
    alice, _, name = moving
    shown = alice("play", name, stdin="legal attack\nattack ?\nlegal 0506 from 0405\nquit\n")
    assert shown.out.count("No order that begins with 'attack' is legal now.") == 2
    assert "Write a hex" not in shown.out
    assert alice("odds", name, "0506 from 0405").out not in shown.out
    assert "No order that begins with 'attack' is legal now." in alice("legal", name, "attack").out


def test_one_of_several_seats_gets_standing_orders_at_the_prompt(tmp_path):
    alice = settle(tmp_path, "Alice Kern")
    seats = [word for seat in ("ussr", "uk", "usa", "germany", "japan") for word in ("--seat", f"{seat}=me")]
    name = alice("new", "axis1941", "--mode", "open", *seats, "--json").json["game"]
    typed = "standing losses infantry tank\nstanding uk losses infantry tank\nstanding uk losses\nquit\n"
    played = alice("play", name, stdin=typed, code=1)
    assert "Say for which of your seats: ussr, uk" in played.err.replace("germany, ", "")
    assert len(re.findall(r"^uk +losses +with your next orders", played.out, re.MULTILINE)) == 2
    assert not re.search(r"^(usa|japan|germany) ", played.out, re.MULTILINE)
    rows = {row["seat"]: row for row in alice("standing", name, "--json").json["standing"] if row["kind"] == "losses"}
    assert {seat for seat, row in rows.items() if row["state"] == "with your next orders"} == {"uk"}
