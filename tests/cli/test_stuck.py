"""What a program owes and cannot give is a notice that lasts until it can."""

from __future__ import annotations

import pytest
from homes import exchange, newest, pbem
from shapes import fits

from pbem.engine.player import Player
from pbem.protocol.errors import Refusal

WHY = "The cards cannot be shuffled."


@pytest.fixture
def broken(monkeypatch):
    """No program can give a reveal or a release; call it to mend them."""

    def refuse(self, match, item):
        raise Refusal("E-DECK", "The cards cannot be shuffled.", step="HID-17")

    monkeypatch.setattr(Player, "make", refuse)
    return monkeypatch.undo


def row(player, name, code=0):
    return fits("list", player("status", name, "--json", code=code).json)["games"][0]


def test_the_notice_stands_everywhere_and_goes_when_the_step_succeeds(two, broken):
    alice, bob, name = two
    alice("order", name, "reserve 0104")
    alice("send", name, "--yes")
    bob("open", str(newest(alice)))
    bob("order", name, "reserve 0901")
    sent = bob("send", name, "--yes", code=1)  # it is sealed and on its way; the shuffle that follows cannot be made
    assert WHY in sent.out
    assert newest(bob).name in sent.out
    opened = alice("open", str(newest(bob)))  # she cannot know it
    assert WHY not in opened.out
    found = row(bob, name, code=1)
    assert found["stuck"].startswith(WHY)
    assert found["stuck"].endswith("[E-DECK]")
    assert f"pbem takeback {name}" in found["stuck"]
    assert fits("list", bob("list", "--json", code=1).json)["games"][0] == found
    for done in (
        bob("status", code=1),
        bob("status", name, code=1),
        bob("list", code=1),
        bob("play", name, stdin="status\nquit\n", code=1),
        bob("send", name, "--yes", code=1),
        bob("open", str(newest(alice)), code=1),
    ):
        assert WHY in done.out
        assert "update pbem" in done.out
    assert not bob("open", "--json", str(newest(alice)), code=1).json["ok"]
    assert row(alice, name)["stuck"] == ""
    broken()
    bob("send", name, "--yes")
    assert row(bob, name)["stuck"] == ""
    exchange(alice, bob)
    assert row(alice, name)["my_move"]
    assert row(bob, name)["my_move"]


def test_both_can_agree_on_a_way_round_it(two, broken):
    alice, bob, name = two
    alice("order", name, "reserve 0104")
    alice("send", name, "--yes")
    bob("open", str(newest(alice)))
    bob("order", name, "reserve 0901")
    bob("send", name, "--yes", code=1)
    choice = next(line["seq"] for line in bob("log", name, "--json").json["records"] if line["kind"] == "orders")
    bob("takeback", name, "--to", f"blue:{choice}", "--yes")
    alice("open", str(newest(bob)))
    alice("takeback", name, "--accept", "--yes")
    bob("open", str(newest(alice)))
    for player in (alice, bob):
        assert row(player, name)["stuck"] == ""
        assert row(player, name)["my_move"]
    broken()


def test_the_demonstration_tells_it(monkeypatch, tmp_path):
    make = Player.make

    def refuse(self, match, item):
        if item[0] == "dice":
            raise Refusal("E-DECK", "The cards cannot be shuffled.", step="HID-17")
        return make(self, match, item)

    monkeypatch.setattr(Player, "make", refuse)
    done = pbem("demo", "--seed", "5", "--dir", str(tmp_path / "demo"), home=tmp_path / "home")
    assert done.code == 1
    assert WHY in done.out
