"""What a program gives travels with its player's orders, if the game waits for nothing but these."""

from __future__ import annotations

from desks import carry, start, two

from pbem.home import describe, intake, orders, sending, summary
from tests.bounded import attempts


def turns(desks):
    """A few games, one after the other to the end, and who is to move: what is kept depends on the dice."""
    for title in "abcd":
        name = start(*desks, title=title)
        for _ in attempts(400, "the game is not over"):
            mover = next((desk for desk in desks if summary.row(desk, name).my_move), None)
            if mover is None:
                break
            yield name, mover


def test_a_reveal_travels_with_the_orders_of_whoever_is_asked_next(tmp_path):
    """Blue's dice come from Red's program; a retreat is Red's choice, and one mail brings both."""
    desks = alice, bob = two(tmp_path)
    kept = 0
    for name, mover in turns(desks):
        if kept > 2:
            break
        other = bob if mover is alice else alice
        orders.bot(mover, name, "random")
        posted = sending.send(mover, name).posted
        (opened,) = intake.open_bytes(other, posted.raw)
        seen = {line.id for line in describe.log(mover, name)}
        own = [line for line in describe.log(other, name) if line.id not in seen]
        if own and not opened.posted:
            kept += 1
            assert {line.kind for line in own} == {"reveal"}
            assert summary.row(other, name).my_move
            assert [each.what for each in summary.row(mover, name).owed] == ["reveal"]
            assert intake.settle_all(other) == {}
            orders.bot(other, name, "random")
            carry(*desks, [(other, sending.send(other, name).posted)])
            assert {line.id for line in own} < {line.id for line in describe.log(mover, name)}
        else:
            carry(*desks, [(other, answer) for answer in opened.posted])
    assert kept


def test_what_is_kept_leaves_when_anything_else_comes(tmp_path):
    """The same mail once more, say: nobody sends that who has had an answer."""
    desks = alice, bob = two(tmp_path)
    for name, mover in turns(desks):
        other = bob if mover is alice else alice
        orders.bot(mover, name, "random")
        (opened,) = intake.open_bytes(other, sending.send(mover, name).posted.raw)
        if not opened.posted and len(describe.log(other, name)) > len(describe.log(mover, name)):
            break
        carry(*desks, [(other, answer) for answer in opened.posted])
    missing = {line.id for line in describe.log(other, name)} - {line.id for line in describe.log(mover, name)}
    assert missing
    (opened,) = intake.open_bytes(other, sending.send(mover, name).posted.raw)
    (answer,) = opened.posted
    assert answer.automatic
    carry(*desks, [(other, answer)])
    assert missing <= {line.id for line in describe.log(mover, name)}
