"""Games that go well until every secret is opened: what the audit makes again and finds otherwise (HID-40..45)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.fairplay import commitments, items
from pbem.protocol.record import UMPIRE
from tools.vectors.people import some
from tools.vectors.play import Play, secrets_of
from tools.vectors.vector import Vector

_DECK = ("main",)


def vectors() -> Iterator[Vector]:
    for name, step, comment, told in (
        ("chains", "CHA-3", "anchors of chains that do not follow from gs (HID-41)", _chains()),
        ("escrow", "CHA-9", "an escrow of something else (HID-41)", _escrow()),
        ("choice", "HID-1", "a secret choice under a nonce of its own making (HID-42)", _choice()),
        ("padding", "HID-1", "a secret choice that is not padded with zeros", _padding()),
        ("promise", "HID-13", "a key promised that does not follow from gs (HID-43)", _promise()),
        ("deal", "HID-30", "cards dealt in another order (HID-44)", _deal()),
        ("given", "HID-31", "a box that does not hold the card (HID-44)", _given()),
    ):
        told.finish()
        yield Vector(f"archive-audit-{name}", "archive", "E-AUDIT", step, comment, told.archive())


def _chains() -> Play:
    return Play(2, lambda data: {"chains": [[*row[:-1], some("anchor")] for row in data["chains"]]})


def _escrow() -> Play:
    return Play(2, lambda data: {"escrow": data["escrow"][:-1] + bytes((data["escrow"][-1] ^ 1,))}, umpire=True)


def _choice() -> Play:
    play = Play(2)
    seat = play.genesis.seats_of(0)[0]
    row = play.hide(0, "chit/1", b"left")
    own = commitments.commitment(play.genesis.game_id, seat, "chit/1", some("own nonce"), commitments.pad(b"left"))
    play.orders(0, hide=[[*row[:2], own, secrets_of(0).box(own, commitments.pad(b"left"))]])
    return play


def _padding() -> Play:
    play = Play(2)
    seat, secrets, padded = play.genesis.seats_of(0)[0], secrets_of(0), commitments.pad(b"left")[:-1] + b"\1"
    committed = secrets.commit(play.genesis.game_id, seat, "chit/1", play.log.count(0), padded)
    play.orders(0, hide=[["chit/1", seat, committed, secrets.box(committed, padded)]])
    return play


def _promise() -> Play:
    play = Play(2, decks=_DECK)
    for by in (1, 0):
        play.release(by, items.make_pass_item(play.ledger, secrets_of(by), by, "main", tuple(range(4))))
    last = items.make_pass_item(play.ledger, secrets_of(1), 1, "main", tuple(range(4)))
    promised = last[5]
    assert isinstance(promised, bytes)
    play.release(1, [*last[:5], promised[:-32] + some("promise"), *last[6:]])
    return play


def _deal() -> Play:
    play = Play(3, umpire=True, decks=_DECK)
    row = items.make_deal_item(play.ledger, secrets_of(UMPIRE), "main", tuple(range(4)), ())
    at = next(n for n, part in enumerate(row) if isinstance(part, bytes) and len(part) == 4 * 32)
    promised = row[at]
    assert isinstance(promised, bytes)
    play.release(UMPIRE, [*row[:at], promised[32:64] + promised[:32] + promised[64:], *row[at + 1 :]])
    return play


def _given() -> Play:
    play = Play(3, umpire=True, decks=_DECK)
    secrets = secrets_of(UMPIRE)
    play.release(UMPIRE, items.make_deal_item(play.ledger, secrets, "main", tuple(range(4)), ()))
    row = items.make_give_item(play.ledger, secrets, "main/1/0", "seat0")
    box = row[3]
    assert isinstance(box, bytes)
    play.release(UMPIRE, [*row[:3], box[:-1] + bytes((box[-1] ^ 1,)), *row[4:]])
    return play
