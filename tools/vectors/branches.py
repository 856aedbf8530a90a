"""Archives with forks, starts, slots and places that cannot be: LOG-9, MEA-10, GEN-4, HID-2 at level 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.fairplay.begin import first_record, join_data
from pbem.protocol.container import Item, ItemType
from pbem.protocol.genesis import join_of, offer_of
from pbem.protocol.record import UMPIRE, Message, Record, make_record, note_hash
from tools.vectors.people import ALICE, AT, some
from tools.vectors.play import Play, archive, join_record, make_join, make_offer, secrets_of, terms
from tools.vectors.vector import SUCCESS, Vector

_DECK = ("main",)
Fault = tuple[str, str, str, str, bytes]


def vectors() -> Iterator[Vector]:
    yield _decided()
    for name, code, step, comment, payload in (*_forks(), *_starts(), *_slots(), *_places()):
        yield Vector(f"archive-{name}", "archive", code, step, comment, payload)


def _forked(**kind: Any) -> tuple[Play, Record, Record]:
    """Three players; the second has signed two records with one number, of which the first stands."""
    play = Play(3, **kind)
    one, two = play.record(1, "orders", play.turn(1)), play.record(1, "tie", {})
    play.take(one)
    play.log.add_rival(two)
    play.items.append(two)
    return play, one, two


def _decided() -> Vector:
    """Both branches are there, a message to the one that is dropped, and a record built on it."""
    play = Play(3, umpire=True)
    salt, text = some("note")[:16], "No, wait."
    one = play.record(1, "orders", play.turn(1))
    two = play.record(1, "tie", {}, note=note_hash(salt, text))
    play.take(one)
    play.log.add_rival(two)
    play.items += [two, Item(ItemType.MESSAGE, Message(two.id, salt, text).pack())]
    built = play.record(2, "tie", {}, heads=_sees(play, 2, two))
    ruling = play.record(UMPIRE, "ruling", _choice(one, two, two))
    play.log.add(built)
    play.items.append(built)
    play.take(ruling)
    play.add(1, "tie", {})
    last = play.add(2, "tie", {})
    records = sum(isinstance(each, Record) for each in play.items) - 1
    facts = {"game": play.genesis.game_id.hex(), "records": str(records), "last": last.id.hex()}
    comment = "a fork that the umpire has decided, and what was built on the record that they dropped"
    return Vector("archive-branch-decided", "archive", SUCCESS, "LOG-9", comment, play.archive(), facts)


def _forks() -> Iterator[Fault]:
    play, one, two = _forked(umpire=True)
    seen = tuple(sorted({**dict(play.log.heads(2)), 1: two.id}.items()))
    built = play.record(2, "tie", {}, heads=seen)
    play.log.add(built)
    last = play.log.last(UMPIRE)
    assert last is not None
    both = play.record(0, "tie", {}, heads=((1, one.id), (2, built.id), (UMPIRE, last)))
    yield "branch-both", "E-BRANCH", "LOG-9", "built on both branches of a fork", play.archive(built, both)

    play, one, two = _forked(umpire=True)
    ruling = play.record(UMPIRE, "ruling", _choice(one, two, two))
    play.log.add(ruling)
    on = play.record(1, "tie", {}, prev=two.id, seq=two.seq + 1)
    yield "branch-closed", "E-BRANCH", "LOG-9", "goes on with what a ruling has dropped", play.archive(ruling, on)

    play, one, two = _forked()
    first = play.record(0, "ruling", _choice(one, two, two))
    second = play.record(2, "ruling", _choice(two, one, one), heads=_sees(play, 2, two))
    comment = "the two others choose differently after a fork"
    yield "ruling-split", "E-FORK", "LOG-6", comment, play.archive(first, second)
    play.log.add(first)
    again = play.record(0, "ruling", _choice(two, one, two))
    yield (
        "ruling-twice",
        "E-RULING",
        "MEA-10",
        "rules on one fork a second time, differently",
        play.archive(first, again),
    )


def _choice(keep: Record, drop: Record, other: Record) -> dict[str, Any]:
    return {"what": "branch", "why": "", "keep": keep.id, "drop": drop.id, "other": other.raw}


def _sees(play: Play, by: int, rival: Record) -> tuple[tuple[int, bytes], ...]:
    return tuple(sorted({**dict(play.log.heads(by)), rival.by: rival.id}.items()))


def _starts() -> Iterator[Fault]:
    first = make_offer(terms(3))
    offer = offer_of(first)
    joined = [make_join(offer, by) for by in (1, 2)]
    joins = [join_of(offer, record) for record in joined]

    def start(name: str, code: str, comment: str, **changes: Any) -> Fault:
        good = first_record(ALICE, by=0, kind="start", data={}, offer=offer, joins=joins, at=AT + 3)
        names = ("at", "by", "data", "game", "heads", "kind", "pin", "prev", "seq")
        bad = make_record(ALICE, **{**{each: getattr(good, each) for each in names}, **changes})
        return f"start-{name}", code, "GEN-4", comment, archive([first, *joined, bad])

    yield start("nonce", "E-START", "shows a nonce, and there is no umpire", data={"nonce": some("nonce")})
    yield start("few", "E-HEADS", "cites the join of one of two", heads=((1, joins[0].id),))


def _slots() -> Iterator[Fault]:
    play = Play(2, decks=_DECK)
    hidden = play.hide(0, "chit/1", b"left")
    named = play.record(0, "orders", play.turn(0, hide=[["main/1/0", *hidden[1:]]]))
    yield "hide-card", "E-SEALED", "HID-2", "a secret choice under the name of a card", play.archive(named)
    play.orders(0, hide=[hidden])
    other = play.record(1, "orders", play.turn(1, hide=[play.hide(1, "chit/1", b"right")]))
    yield "hide-taken", "E-SEALED", "HID-2", "a secret choice in the slot of the other's", play.archive(other)


def _places() -> Iterator[Fault]:
    play = Play(3, umpire=True)
    play.draw()
    data = join_data(play.genesis.card(2), secrets_of(2), play.genesis.offer, 1)
    join = join_record(play.keys[2], play.genesis.game_id, AT + 50, 1, data)
    ruling = play.record(UMPIRE, "ruling", {"what": "substitute", "why": "", "player": 1, "join": join.raw})
    comment = "a player in place of another, beside their own"
    yield "substitute-twice", "E-IDENTITY", "LOG-7", comment, play.archive(ruling)
