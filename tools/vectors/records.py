"""Records: REC-1..REC-3 and REC-6. Every vector names the key that must have signed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.protocol import envelope
from pbem.protocol.limits import MAX_BODY
from pbem.protocol.record import parse_record
from tools.vectors.people import ALICE, BOB, GAME, loose, record_fields, sign_record, signed_record, some
from tools.vectors.vector import SUCCESS, Vector

_KEY = {"key": ALICE.sign_public.hex()}
_TURN: dict[str, Any] = record_fields()["data"]
_GOOD: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("orders", "a turn of three orders", {}),
    (
        "orders-full",
        "a turn that opens, hides, and changes standing orders",
        {
            "data": {
                "hide": [["bid/1", "blue", some("commitment"), bytes(20)]],
                "open": [["main/1/3", bytes(32)]],
                **_TURN,
                "standing": [["blue", "losses", None], ["blue", "retreat", [some("policy"), bytes(40)]]],
            }
        },
    ),
    ("first", "a first record, nothing seen", {"seq": 0, "prev": None, "heads": []}),
    ("note", "with the hash of a message", {"note": some("note")}),
    (
        "umpire",
        "an extension by the umpire, all five players seen",
        {
            "by": 7,
            "kind": "ruling",
            "data": {"player": 3, "seconds": 86_400, "what": "extension", "why": "He is ill.\nLet us wait."},
            "heads": [[n, some(f"head-{n}")] for n in range(5)],
        },
    ),
    (
        "reveal",
        "a reveal of every kind of item",
        {
            "kind": "reveal",
            "data": {
                "items": [
                    ["nonce", some("nonce")],
                    ["dice", some("orders"), some("x")],
                    ["open", "bid/1", some("nonce"), b"value"],
                    ["answer", "t1/react", b"\x01", None],
                ]
            },
        },
    ),
    (
        "release",
        "a release of every kind of item",
        {
            "kind": "release",
            "data": {
                "items": [
                    ["pass", "main", 1, 2, bytes(64), bytes(64), [0, 1], []],
                    ["slot", "main/1/0", some("scalar")],
                    ["deal", "main", 2, bytes(64), [3], ["main/1/1"]],
                    ["give", "main/2/0", "red", bytes(84)],
                    ["show", "main/2/1", some("nonce"), bytes(4)],
                ]
            },
        },
    ),
    ("tie", "an empty payload", {"kind": "tie", "data": {}}),
    ("end", "the result of a game", {"kind": "end", "data": {"result": {"winner": "blue"}, "state": some("state")}}),
)
_FORM: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("missing", "E-FORM", "a field is missing", {"pin": ...}),
    ("extra", "E-FORM", "a field too many", {"w": 0}),
    ("version", "E-VERSION", "of version 2", {"v": 2}),
    ("version-bool", "E-VERSION", "true is not 1", {"v": True}),
    ("kind", "E-FORM", "of an unknown kind", {"kind": "dance"}),
    ("kind-bin", "E-FORM", "a kind that is no text", {"kind": b"orders"}),
    ("at-negative", "E-FORM", "before 1970", {"at": -1}),
    ("at-10000", "E-FORM", "in the year 10000", {"at": 253_402_300_800}),
    ("by-5", "E-FORM", "a sixth player", {"by": 5}),
    ("by-bool", "E-FORM", "a boolean is no number", {"by": False}),
    ("data-array", "E-FORM", "a payload that is no map", {"data": []}),
    ("game-nil", "E-FORM", "a turn of no game", {"game": None}),
    ("game-31", "E-FORM", "a game id of 31 bytes", {"game": bytes(31)}),
    ("offer-game", "E-FORM", "an offer in a game", {"kind": "offer", "seq": 0, "prev": None, "heads": []}),
    ("heads-own", "E-FORM", "a head of the author himself", {"heads": [[0, some("x")]]}),
    ("heads-order", "E-FORM", "heads out of order", {"heads": [[2, some("x")], [1, some("y")]]}),
    ("heads-twice", "E-FORM", "two heads of one author", {"heads": [[1, some("x")], [1, some("y")]]}),
    ("heads-text", "E-FORM", "a head whose id is text", {"heads": [[1, "x" * 32]]}),
    ("note-31", "E-FORM", "a note of 31 bytes", {"note": bytes(31)}),
    ("pin-negative", "E-FORM", "a pin below zero", {"pin": -1}),
    ("prev-nil", "E-FORM", "no predecessor, but not the first", {"prev": None}),
    ("prev-first", "E-FORM", "a predecessor of the first", {"seq": 0}),
    ("seq-65536", "E-FORM", "beyond the last place of a chain", {"seq": 65_536}),
)
_DATA: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("salt-15", "a salt of 15 bytes", {"data": {**_TURN, "salt": bytes(15)}}),
    ("orders-array", "an array of orders", {"data": {**_TURN, "orders": [b"\x02"]}}),
    ("orders-few", "more orders than bits for them", {"data": {**_TURN, "orders": b"\0\x11ab"}}),
    ("orders-none", "no order, and bytes for one", {"data": {**_TURN, "orders": b"\0\0a"}}),
    ("orders-one-byte", "a number of orders in one byte", {"data": {**_TURN, "orders": b"\0"}}),
    ("orders-2049", "2,049 orders", {"data": {**_TURN, "orders": b"\x08\x01" + bytes(2_049)}}),
    ("open-empty", "an optional field with nothing to say", {"data": {"open": [], **_TURN}}),
    ("unknown-key", "a field that orders do not have", {"data": {**_TURN, "zeal": 1}}),
    ("missing-key", "orders without the hash of the state", {"data": {"orders": bytes(2), "salt": bytes(16)}}),
    ("slot-name", "a slot with a capital", {"data": {"open": [["Main/1/3", bytes(32)]], **_TURN}}),
    ("answer-int", "1 is not yes", {"kind": "answer", "data": {"to": some("tie"), "yes": 1}}),
    ("reveal-item", "an item that no reveal has", {"kind": "reveal", "data": {"items": [["slot", "a", bytes(32)]]}}),
    ("reveal-none", "a reveal of nothing", {"kind": "reveal", "data": {"items": []}}),
    ("tie-more", "a tie that says something", {"kind": "tie", "data": {"why": "tired"}}),
    ("tie-open", "a tie that opens a choice", {"kind": "tie", "data": {"items": [["open", "bid", bytes(32), b""]]}}),
    ("tie-many", "a tie with six nonces", {"kind": "tie", "data": {"items": [["nonce", bytes(32)]] * 6}}),
    ("ruling-what", "a ruling of unknown kind", {"kind": "ruling", "data": {"what": "coin", "why": ""}}),
)


def vectors() -> Iterator[Vector]:
    for name, comment, changed in _GOOD:
        raw = signed_record(**changed)
        facts = {**_KEY, "id": parse_record(raw).id.hex()}
        yield Vector(f"record-{name}", "record", SUCCESS, "REC-3", comment, raw, facts)
    for name, code, comment, changed in _FORM:
        yield Vector(f"record-{name}", "record", code, "REC-3", comment, signed_record(**changed), _KEY)
    for name, comment, changed in _DATA:
        raw = signed_record(**changed)
        yield Vector(f"record-data-{name}", "record", "E-FORM", "REC-6", comment, raw, _KEY)
    good = signed_record()
    body, _ = envelope.split(good, MAX_BODY, "record", "REC-1")
    unsorted = record_fields()
    unsorted["v"], unsorted["at"] = unsorted.pop("v"), unsorted.pop("at")
    nested: Any = []
    for _ in range(15):
        nested = [nested]
    for name, code, step, comment, raw in (
        ("signature", "E-SIGNATURE", "KEY-2", "one bit of the body changed", good.replace(GAME, GAME[:-1] + b"\x00")),
        ("other-key", "E-SIGNATURE", "KEY-2", "signed by somebody else", signed_record(BOB)),
        ("unsorted", "E-CANON", "ENC-5", "fields out of order", sign_record(loose(unsorted))),
        ("deep", "E-CANON", "ENC-6", "a payload nested too deep", signed_record(data={"items": nested}, kind="reveal")),
        ("body-trailing", "E-CANON", "ENC-7", "a byte follows the body's map", sign_record(body + b"\xc0")),
        ("body-cut", "E-CANON", "ENC-7", "the body lacks its last byte", sign_record(body[:-1])),
        ("trailing", "E-FORM", "REC-1", "a byte follows the record", good + b"\x00"),
        ("cut", "E-FORM", "REC-1", "the last byte is missing", good[:-1]),
        ("long-head", "E-FORM", "REC-1", "the body's length in four bytes", b"\x92\xc6\x00\x00" + good[2:]),
        ("three", "E-FORM", "REC-1", "an array of three", b"\x93" + good[1:] + b"\xc0"),
        (
            "signature-63",
            "E-FORM",
            "REC-1",
            "a signature of 63 bytes",
            envelope.join(body, bytes(64))[:-65] + b"\x3f" + bytes(63),
        ),
        ("empty", "E-FORM", "REC-1", "no bytes at all", b""),
    ):
        yield Vector(f"record-{name}", "record", code, step, comment, raw, _KEY)
