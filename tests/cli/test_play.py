"""The prompt of `pbem play`, by a pipe and at a real terminal."""

from __future__ import annotations

import os
import sys

import pexpect
import pytest
from homes import exchange, newest


@pytest.fixture
def moving(two):
    """Alice is to move her units."""
    alice, bob, name = two
    for choice in ("reserve", "posture"):
        for player in (alice, bob):
            player("order", name, next(iter(player("legal", name, choice).out.splitlines())))
            player("send", name)
        exchange(alice, bob)
    return alice, bob, name


def test_a_whole_move_by_a_pipe(moving):
    alice, bob, name = moving
    first = alice("legal", name, "move").out.splitlines()[0]
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
    assert "Hello" in bob("open", str(newest(alice))).out


def test_a_wrong_order_is_told_and_the_prompt_goes_on(moving):
    alice, _, name = moving
    played = alice("play", name, stdin="move B1 0907\nfly B1\nundo x\nundo 5\nquit\n", code=1)
    assert played.err.count("Refused: E-") >= 2
    assert "BH-" in played.err
    assert alice("undo", name, "--all", "--json").json["draft"] == []


def test_the_words_of_the_commands_are_known_at_the_prompt(moving):
    alice, _, name = moving
    first = alice("legal", name, "move").out.splitlines()[0]
    played = alice("play", name, stdin=f"legal\nlegal move B1\n{first}\nlist\nquit\n")
    assert f"  {first}\n" in played.out
    assert f"  1  {first}" in played.out


def test_a_question_that_begins_no_order_tells_what_odds_tells(moving):
    alice, _, name = moving
    told = alice("odds", name, "0506 from 0405").out.strip()
    assert told in alice("play", name, stdin="0506 from 0405 ?\nquit\n").out


def test_done_is_an_order_as_long_as_the_game_asks_for_it(moving):
    alice, _, name = moving
    played = alice("play", name, stdin="done\ndone\nn\nquit\n")
    assert "  1  done\n" in played.out
    assert played.out.count("That is all that can be ordered now.") == 1
    assert "Send now?" in played.err
    assert "Not sent." in played.out


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
