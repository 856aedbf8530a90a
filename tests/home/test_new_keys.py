"""A change of key takes nothing away: cards and escrows that were sealed to the old key are still opened."""

import pytest
from desks import carry, desk_at, duel, introduce, took, umpired

from pbem.engine.registry import find
from pbem.home import acts, intake, orders, seen, sending, summary


def table(tmp_path, game, mode="strict"):
    """Alice, Bob, and Dora as their umpire, with a game that has started."""
    names = ("alice", "bob", "dora")
    desks = [
        desk_at(tmp_path / name, name, find_game=lambda each: duel() if each == "duel" else find(each))
        for name in names
    ]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    alice, bob, dora = desks
    seats = {
        seat.name: who
        for seat, who in zip((duel() if game == "duel" else find(game)).seats, ("alice", "bob"), strict=True)
    }
    name = umpired(dora, (alice, bob), game, seats, mode=mode)
    return alice, bob, dora, name


def renew(desk, name, who):
    with desk.writing():
        desk.people.add_identity(bytes([91]) * 32, f"{who} again", "", "", 1)
    return acts.rekey(desk, name, f"{who} again")


@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_a_hand_is_kept(tmp_path, mode):
    *desks, name = table(tmp_path, "bridgehead", mode)
    alice, bob, _ = desks
    for _ in range(30):
        mover = next(desk for desk in (alice, bob) if summary.row(desk, name).my_move)
        if list(orders.move(mover, name).legal("play")):
            break
        orders.bot(mover, name, "random")
        carry(*desks, [(mover, sending.send(mover, name).posted)])
    board, legal = seen.board(mover, name), list(orders.move(mover, name).legal())
    assert any(text.startswith("play") for text in legal)
    carry(*desks, [(mover, renew(mover, name, "alice" if mover is alice else "bob"))])
    assert seen.board(mover, name) == board
    assert list(orders.move(mover, name).legal()) == legal


def test_an_umpire_with_a_new_key_still_opens_the_escrow(tmp_path):
    alice, bob, dora, name = table(tmp_path, "duel")
    desks = (alice, bob, dora)
    for desk in (alice, bob):
        orders.order(desk, name, ["talisman 2"])
        carry(*desks, [(desk, sending.send(desk, name).posted)])
    carry(*desks, [(dora, renew(dora, name, "dora"))])
    orders.order(alice, name, ["fire"])
    carry(*desks, [(alice, sending.send(alice, name).posted)])
    orders.order(bob, name, ["stand"])
    took(intake.open_bytes(dora, sending.send(bob, name).posted.raw))
    carry(bob, dora, [(dora, acts.rule(dora, name, "escrow", why="Alice cannot be reached"))])
    assert [each.what for each in summary.row(bob, name).owed] == ["orders"]
