"""`pbem odds` and `pbem look`."""

from __future__ import annotations

from homes import begin, exchange, meet, settle
from shapes import fits

POWERS = {"ussr": "me", "uk": "me", "usa": "me", "germany": "bob", "japan": "bob"}


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
    assert "Towns: Kell (0504)" in alice("look", name).out


def test_a_battle_of_1941_and_standing_orders_in_words(tmp_path):
    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    seats = [f"--seat={power}={who}" for power, who in POWERS.items()]
    name = begin(alice, bob, *seats, game="axis1941")
    told = fits("odds", alice("odds", name, "3", "infantry", "2", "tanks", ">", "Ukraine", "--json").json)
    assert abs(sum(told["figures"][end] for end in ("win", "loss", "tie", "retreat")) - 1) < 1e-12
    assert "against 3 infantry and 2 tanks" in told["text"]
    asked = fits("look", alice("look", name, "reach", "tank", "Russia", "--json").json)
    assert "West-Russia" in asked["figures"]["reach"]["tank"]["combat"]
    assert alice("look", name, "reach", "tank", "Russia").out.strip() == asked["text"]
    assert "Complexes of USSR: Caucasus 2 of 2, Russia 3 of 3." in alice("look", name).out
    assert "reach PLACE" in alice("look", name, "nonsense").out
    assert "hostile" in alice("play", name, stdin="look zones\nquit\n").out
    alice("standing", name, "losses", "infantry tank, keep 1 tank in Ukraine", "--seat", "ussr")
    rows = fits("standing", alice("standing", name, "--json").json)["standing"]
    held = {(row["seat"], row["kind"]): (row["policy"], row["state"]) for row in rows}
    policy, state = held["ussr", "losses"]
    assert policy.startswith("when tank <= 1 and place = Ukraine then damage, infantry")
    for printed in (alice("standing", name).out, alice("play", name, stdin="standing\nquit\n").out):
        assert "when tank <= 1 and place = Ukraine then damage, " in printed
        shown = [line for line in printed.splitlines() if line.startswith(tuple(POWERS))]
        assert len(shown) > 20
        assert max(map(len, shown)) <= 100
    assert state == "with your next orders"
    assert held["uk", "losses"] == ("then default", "public")
    assert alice("standing", name, "losses", "keep the tanks", "--seat", "ussr", code=1).reason == "E-POLICY"
    alice("standing", name, "losses", "--clear", "--seat", "uk")
    rows = fits("standing", alice("standing", name, "--json").json)["standing"]
    assert ("uk", "losses", "", "with your next orders") in {
        (r["seat"], r["kind"], r["policy"], r["state"]) for r in rows
    }
