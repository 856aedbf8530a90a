"""Proofs of a fork: LOG-10."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.protocol.canonical import pack
from pbem.protocol.card import make_card
from pbem.protocol.keys import Keys
from pbem.protocol.record import parse_record
from pbem.protocol.ruling import rekey_proof
from tools.vectors.people import ALICE, AT, BOB, CARLA, GAME, OFFER, signed_record, some
from tools.vectors.vector import SUCCESS, Vector

_CARD = make_card(ALICE, "Alice Kern", "alice@example.org", AT)
_NEW_CARD = make_card(CARLA, "Alice Kern", "alice@example.org", AT)
_ONE = signed_record()
_OTHER = signed_record(at=AT + 60)


def _proof(*records: bytes, card: bytes = _CARD.raw, rekeys: tuple[bytes, ...] = (), ordered: bool = True) -> bytes:
    pair = sorted(records, key=lambda raw: parse_record(raw).id, reverse=not ordered)
    return pack([card, *pair, list(rekeys)])


def _rekey(keys: Keys = ALICE, seq: int = 2, by: int = 0, consent: Keys = CARLA) -> bytes:
    data: dict[str, Any] = {"card": _NEW_CARD.raw, "proof": rekey_proof(consent, GAME, by, seq, _NEW_CARD)}
    return signed_record(keys, kind="rekey", seq=seq, by=by, heads=[], data=data)


def _join(by: int) -> bytes:
    return signed_record(game=OFFER, kind="join", by=by, seq=0, prev=None, heads=[[0, OFFER]], data={})


def vectors() -> Iterator[Vector]:
    facts = {"identity": _CARD.identity.hex()}
    new_one, new_other = signed_record(CARLA), signed_record(CARLA, at=AT + 60)
    for name, comment, raw in (
        ("two-turns", "two turns with one number", _proof(_ONE, _OTHER)),
        ("two-joins", "two joins of one offer, as two players", _proof(_join(1), _join(2))),
        ("rekeyed", "two turns under the second key", _proof(new_one, new_other, rekeys=(_rekey(),))),
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
        ("no-rekey", "E-SIGNATURE", "KEY-2", "the change of key is left out", _proof(new_one, new_other)),
        (
            "late-rekey",
            "E-PROOF",
            "LOG-10",
            "a change of key after the fork",
            _proof(new_one, new_other, rekeys=(_rekey(seq=4),)),
        ),
        (
            "foreign-rekey",
            "E-PROOF",
            "LOG-10",
            "a change of another player's key",
            _proof(new_one, new_other, rekeys=(_rekey(by=2),)),
        ),
        (
            "forced-rekey",
            "E-SIGNATURE",
            "KEY-2",
            "the new key has not consented",
            _proof(new_one, new_other, rekeys=(_rekey(consent=BOB),)),
        ),
        (
            "stolen-rekey",
            "E-SIGNATURE",
            "KEY-2",
            "a change of key signed by the new key alone",
            _proof(new_one, new_other, rekeys=(_rekey(CARLA),)),
        ),
        ("one-record", "E-PROOF", "LOG-10", "one record only", pack([_CARD.raw, _ONE, []])),
    ):
        yield Vector(f"fork-{name}", "fork", code, step, comment, raw)
