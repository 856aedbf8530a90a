"""Proofs of a fork: LOG-10."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.protocol.canonical import pack
from pbem.protocol.card import make_card
from pbem.protocol.record import parse_record
from tools.vectors.people import ALICE, AT, BOB, OFFER, signed_record, some
from tools.vectors.vector import SUCCESS, Vector

_CARD = make_card(ALICE, "Alice Kern", "alice@example.org", AT)
_ONE = signed_record()
_OTHER = signed_record(at=AT + 60)


def _proof(*records: bytes, card: bytes = _CARD.raw, ordered: bool = True) -> bytes:
    return pack([card, *sorted(records, key=lambda raw: parse_record(raw).id, reverse=not ordered)])


def _offer(at: int) -> bytes:
    return signed_record(at=at, game=None, kind="offer", seq=0, prev=None, heads=[], data={})


def _join(by: int) -> bytes:
    return signed_record(game=OFFER, kind="join", by=by, seq=0, prev=None, heads=[[0, OFFER]], data={})


def vectors() -> Iterator[Vector]:
    facts = {"identity": _CARD.identity.hex()}
    for name, comment, raw in (
        ("two-turns", "two turns with one number", _proof(_ONE, _OTHER)),
        ("two-joins", "two joins of one offer, as two players", _proof(_join(1), _join(2))),
    ):
        yield Vector(f"fork-{name}", "fork", SUCCESS, "LOG-10", comment, raw, facts)
    flipped = _OTHER[:-1] + bytes((_OTHER[-1] ^ 1,))
    for name, code, step, comment, raw in (
        ("same", "E-PROOF", "LOG-10", "one record twice", _proof(_ONE, _ONE)),
        ("order", "E-PROOF", "LOG-10", "the higher id first", _proof(_ONE, _OTHER, ordered=False)),
        ("other-seq", "E-PROOF", "LOG-10", "two numbers", _proof(_ONE, signed_record(seq=5))),
        ("other-game", "E-PROOF", "LOG-10", "two games", _proof(_ONE, signed_record(game=some("game-2")))),
        ("other-player", "E-PROOF", "LOG-10", "two players", _proof(_ONE, signed_record(by=2))),
        (
            "other-key",
            "E-SIGNATURE",
            "KEY-2",
            "the second is not by the card's key",
            _proof(_ONE, signed_record(BOB, at=AT + 60)),
        ),
        ("signature", "E-SIGNATURE", "KEY-2", "one bit of a signature changed", _proof(_ONE, flipped)),
        (
            "wrong-card",
            "E-SIGNATURE",
            "KEY-2",
            "somebody else's card",
            _proof(_ONE, _OTHER, card=make_card(BOB, "Bob", "", AT).raw),
        ),
        ("offers", "E-PROOF", "LOG-10", "two offers", _proof(_offer(AT), _offer(AT + 60))),
        ("one-record", "E-PROOF", "LOG-10", "one record only", pack([_CARD.raw, _ONE])),
    ):
        yield Vector(f"fork-{name}", "fork", code, step, comment, raw)
