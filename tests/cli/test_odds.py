"""`pbem odds`."""

from __future__ import annotations

from homes import exchange
from shapes import fits


def test_the_odds_of_a_fight_as_text_and_as_json(two):
    alice, bob, name = two
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    told = alice("odds", name, "0101").out
    assert "0101" in told or "hex" in told
    found = fits("odds", alice("odds", name, "0101", "--json").json)
    assert found["text"].strip() == told.strip()
    assert found["figures"] == {}
