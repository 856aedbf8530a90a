"""Clocks of an offer, and results that an umpire states, as they are typed."""

from __future__ import annotations

import pytest
from homes import settle

from pbem.cli.offering import days_of, seconds_of


@pytest.fixture
def alice(tmp_path):
    return settle(tmp_path, "Alice Kern")


@pytest.mark.parametrize(
    ("text", "seconds"), [("3d", 259_200), ("36h", 129_600), ("90m", 5_400), ("1d12h", 129_600), ("366d", 31_622_400)]
)
def test_times(text, seconds):
    assert seconds_of(text, "--bank") == seconds


@pytest.mark.parametrize("text", ["", " ", "3", "d", "3 d", "-3d", "1.5d", "367d", "h3", "3d3d", "\u0663d"])
def test_what_is_no_time(alice, text):
    done = alice("new", "bridgehead", f"--bank={text or ' '}", "--seat", "blue=me", "--seat", "red=anyone", code=2)
    assert "--bank: " in done.err


def test_days():
    assert days_of("sat,sun") == 96
    assert days_of("Monday, friday") == 17
    assert days_of("mon") == 1


def test_an_offer_with_a_whole_clock(alice):
    seats = ("--seat", "blue=me", "--seat", "red=anyone")
    file = alice.home / "offer.pbem"
    alice("new", "bridgehead", "--days", "3", "--bank", "10d", "--days-off", "sat,sun", *seats, "-o", str(file))
    bob = settle(alice.home.parent, "Bob Silva")
    said = bob("open", str(file)).out
    assert "A move should take at most 3 days." in said
    assert "Beyond that each player has 10 days in the bank." in said
    assert "The clocks stand still on Saturday and Sunday (UTC)." in said
    assert "--days-off names" in alice("new", "bridgehead", "--days-off", "someday", *seats, code=2).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--winner or --draw"),
        (("--winner", "blue", "--draw"), "--winner or --draw"),
        (("--draw", "--score", "blue"), "WHO=POINTS"),
        (("--draw", "--score", "blue=two"), "whole number"),
    ],
)
def test_how_a_result_is_stated(alice, words, said):
    alice("new", "bridgehead", "--mode", "open", "--seat", "blue=me", "--seat", "red=me")
    assert said in alice("rule", "bridgehead", "adjudge", *words, "--yes", code=2).err
