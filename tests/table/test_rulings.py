"""What becomes of a game with somebody who cannot go on, or has cheated: the others end it, or somebody takes over."""

import pytest
from desks import carry, desk_at, duel, introduce, start, took
from games.duel import Choose

from pbem.protocol.container import read
from pbem.table import archiving


def homes(tmp_path, *names, seats=2):
    desks = [desk_at(tmp_path / name, name, find_game=lambda _: duel(seats)) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


def verdict(desk, name):
    return archiving.verify_archive(read(b"".join(desk.archive(name))), lambda _: duel())


def test_a_sealed_choice_that_was_not_allowed(tmp_path, monkeypatch):
    alice, bob = homes(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    alice.order(name, ["talisman 2"])
    carry(alice, bob, [(alice, alice.send(name))])
    with monkeypatch.context() as lie:
        lie.setattr(Choose, "check", lambda *_: None)
        bob.order(name, ["talisman 9"])
        sealed = bob.send(name)
    carry(alice, bob, [(bob, sealed)])
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.order(name, ["rest"])
    with pytest.raises(Exception, match="There are three talismans"):
        bob.send(name)
    took(alice.open(b"".join(bob.archive(name))))
    (owed,) = (each for each in alice.row(name).owed if not each.mine)
    assert "a sealed choice" in owed.text
    assert not alice.row(name).my_move
    took(bob.open(alice.rule(name, "forfeit", seats=["bob"], why="His talisman is none").raw))
    assert alice.row(name).result.startswith("ann wins: forfeit, claimed by the others")
    assert verdict(alice, name).ok
