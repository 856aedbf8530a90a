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
                "hide": [["bid/1", "blue", some("commitment"), bytes(80)]],
                "open": [["main/1/3", bytes(32)]],
                **_TURN,
                "standing": [
                    ["blue", "losses", None],
                    ["blue", "advance", [[[["odds", ">=", 3], ["hex", "in", [405]]], ["go"]], [[], ["ask"]]]],
                    ["blue", "retreat", [some("policy"), bytes(1040)]],
                ],
            }
        },
    ),
    (
        "orders-plan",
        "lines of a plan with conditions",
        {
            "data": {
                **_TURN,
                "orders": [
                    *_TURN["orders"],
                    {"must": True, "order": ["move", 5, 506]},
                    {"if": [["holds/berlin", "=", 1], ["steps", ">", -3]], "order": ["done"]},
                    {"if": [["steps", "!=", 0]], "must": True, "order": ["done"]},
                ],
            }
        },
    ),
    ("orders-none", "no order", {"data": {**_TURN, "orders": []}}),
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
                    ["answer", "t1/react", ["pass"], None],
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
    ("version", "E-VERSION", "of version 2, with what reads it", {"v": 2, "needs": "pbem 2.0", "data": ...}),
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
    ("heads-own", "E-FORM", "a head of the author themselves", {"heads": [[0, some("x")]]}),
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
    ("orders-bin", "an order that is no array", {"data": {**_TURN, "orders": [b"\x02"]}}),
    ("orders-empty", "an order without a kind", {"data": {**_TURN, "orders": [[]]}}),
    ("orders-text", "a text for an order", {"data": {**_TURN, "orders": ["done"]}}),
    ("orders-map", "a map for the orders", {"data": {**_TURN, "orders": {"order": ["done"]}}}),
    ("orders-2049", "2,049 orders", {"data": {**_TURN, "orders": [["done"]] * 2_049}}),
    ("line-order", "a line of a plan without an order", {"data": {**_TURN, "orders": [{"must": True}]}}),
    ("line-must", "false, which is not written", {"data": {**_TURN, "orders": [{"must": False, "order": ["done"]}]}}),
    ("line-if", "no test", {"data": {**_TURN, "orders": [{"if": [], "order": ["done"]}]}}),
    ("line-tests", "nine tests", {"data": {**_TURN, "orders": [{"if": [["a", "=", 1]] * 9, "order": ["done"]}]}}),
    ("line-test", "a test of a text", {"data": {**_TURN, "orders": [{"if": [["a", "=", "1"]], "order": ["done"]}]}}),
    (
        "line-compare",
        "no comparison",
        {"data": {**_TURN, "orders": [{"if": [["a", "==", 1]], "order": ["done"]}]}},
    ),
    ("line-more", "a third condition", {"data": {**_TURN, "orders": [{"order": ["done"], "unless": True}]}}),
    (
        "hide-size",
        "a box of a size that no padding has",
        {"data": {"hide": [["bid/1", "blue", some("commitment"), bytes(81)]], **_TURN}},
    ),
    (
        "hide-large",
        "a secret choice padded to 1,024 bytes",
        {"data": {"hide": [["bid/1", "blue", some("commitment"), bytes(1040)]], **_TURN}},
    ),
    (
        "standing-size",
        "sealed standing orders that are not padded",
        {"data": {**_TURN, "standing": [["blue", "retreat", [some("policy"), bytes(40)]]]}},
    ),
    *(
        (f"standing-{name}", comment, {"data": {**_TURN, "standing": [["blue", "advance", policy]]}})
        for name, comment, policy in (
            ("bin", "public standing orders that are packed", b"\x91"),
            ("none", "public standing orders that say nothing", []),
            ("clause", "a clause without answers", [[[], []]]),
            ("test", "a test that is no array", [[["odds"], ["go"]]]),
            ("bytes", "public standing orders of 4,165 bytes", [[[], ["a" * 63] * 31 + ["a" * 60]]] * 2),
        )
    ),
    (
        "answer-bin",
        "an answer that is no array",
        {"kind": "reveal", "data": {"items": [["answer", "t1/react", b"\x01", None]]}},
    ),
    ("open-empty", "an optional field with nothing to say", {"data": {"open": [], **_TURN}}),
    ("unknown-key", "a field that orders do not have", {"data": {**_TURN, "zeal": 1}}),
    ("missing-key", "orders without the hash of the state", {"data": {"orders": [], "salt": bytes(16)}}),
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
