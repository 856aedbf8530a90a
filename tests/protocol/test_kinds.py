"""Payloads of every kind of record: exact keys, types and bounds (REC-6)."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import limits
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import ACTS, KINDS, PLAY, check_data
from tools.vectors.people import some

SPEC = Path(__file__).parents[2] / "docs" / "spec"
ID, SALT = some("id"), bytes(16)
TURN = {"orders": [["x", 1]], "salt": SALT, "state": ID}
PERSON = {"card": b"c", "chains": [[1, ID]], "gs": ID, "nonce": ID, "own": bytes(48)}
OFFER = {
    **PERSON,
    "clock": {"move": 0, "bank": 0, "days_off": 0},
    "decks": ["main"],
    "mode": "strict",
    "options": {"fog": True, "length": 5, "variant": "long"},
    "players": [ID, None],
    "replaced": [["map.json", ID]],
    "rules": {"behaviour": 1, "code": ID, "data": ID, "module": "bridgehead", "needs": "pbem 1", "version": "1.0"},
    "scenario": "dawn",
    "seats": [["blue", "blue", 0], ["red", "red", 1]],
    "title": "A game",
}
BOARD = {"key": bytes(16), "title": "Cup", "round": 1, "board": 65_535}
UMPIRED = {**OFFER, "expires": 1, "tournament": BOARD}
RULED = {"why": "", "state": ID}
CLAUSES = [[[["odds", ">=", 3]], ["stay"]]]
LONGEST = [[[], ["y" * 62] * 32], [[], ["y" * 62] * 31 + ["y" * 46]], [[], ["y"]]]
UPGRADE = {"behaviour": 2, "data": ID, "needs": "pbem 2"}
GOOD = {
    "offer": OFFER,
    "join": {**PERSON, "escrow": b"e"},
    "decline": {"card": b"c", "why": "No time.\nSorry."},
    "start": {},
    "orders": TURN,
    "reveal": {"items": [["nonce", ID], ["dice", ID, ID], ["open", "a/1", ID, b""], ["answer", "t1", ["x"], b"proof"]]},
    "release": {
        "items": [
            ["pass", "main", 1, 1, bytes(32), bytes(32), [0], ["main/1/0"]],
            ["slot", "main/1/0", ID],
            ["deal", "main", 1, bytes(32), [0], []],
            ["give", "main/1/0", "blue", bytes(84)],
            ["show", "main/1/0", ID, bytes(4)],
        ]
    },
    "resign": {"seats": ["blue"]},
    "tie": {},
    "takeback": {"to": [[0, 3], [7, 1]]},
    "answer": {"to": ID, "yes": True},
    "claim": {
        "owed": [
            ["nonce", 1],
            ["orders", "blue"],
            ["open", "a/1"],
            ["answer", "t1", "blue"],
            ["dice", ID],
            ["pass", "main", 1, 2],
            ["slot", "main/1/0", 1],
        ]
    },
    "ruling": {**RULED, "what": "forfeit", "seats": ["blue"]},
    "rekey": {"card": b"c", "proof": bytes(64)},
    "migrate": {
        "from": {"behaviour": 1, "data": ID},
        "to": {"behaviour": 2, "data": ID, "needs": "pbem 2"},
        "before": ID,
        "after": ID,
    },
    "end": {"state": ID, "result": {"winner": "blue", "points": [3, 4]}},
    "open_all": {"gs": ID},
}
RULINGS = [
    {**RULED, "what": "extension", "player": 1, "seconds": 60},
    {**RULED, "what": "substitute", "player": 1, "join": b"j"},
    {"why": "", "what": "branch", "keep": ID, "drop": ID, "other": b"r"},
    {**RULED, "what": "escrow", "orders": ID, "witness": 1, "x": ID},
    {"why": "", "what": "rekey", "player": 1, "card": b"c", "proof": bytes(64)},
    {**RULED, "what": "adjudge", "scores": {"blue": 3, "red": -1}, "winner": "blue"},
]
CASES = [*GOOD.items(), *(("ruling", data) for data in RULINGS)]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcxyz"), inner, max_size=4),
    max_leaves=8,
)


def refused(kind, data):
    with pytest.raises(Refusal) as caught:
        check_data(kind, data)
    assert caught.value.step in ("REC-6", "REC-3")
    return caught.value


def test_every_kind_is_one_or_the_other():
    assert set(GOOD) == KINDS == PLAY | ACTS
    assert not PLAY & ACTS
    page = (SPEC / "record.md").read_text()
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \| ", page[page.index("## Kinds") :], re.MULTILINE)
    assert set(re.findall(r"`([a-z_]+)`", " ".join(rows))) == KINDS


@pytest.mark.parametrize(("kind", "data"), CASES)
def test_good_payloads_pass(kind, data):
    check_data(kind, data)


@pytest.mark.parametrize(("kind", "data"), CASES)
def test_each_field_must_be_there_and_no_other(kind, data):
    assert refused(kind, {**data, "zeal": 1}).code == "E-FORM"
    for key in data:
        lacking = {other: value for other, value in data.items() if other != key}
        if key != "state" or kind != "ruling":
            assert key in refused(kind, lacking).sentence or key in ("what", "nonce")


@pytest.mark.parametrize(("kind", "data"), CASES)
def test_each_field_must_have_its_type(kind, data):
    for key in data:
        for wrong in (1.5, object()):
            assert f"{key}" in refused(kind, {**data, key: wrong}).sentence


@given(st.sampled_from(CASES), st.data())
@settings(max_examples=300)
def test_any_value_in_any_place_is_judged(case, data):
    kind, good = case
    payload = dict(good)
    if payload:
        payload[data.draw(st.sampled_from(sorted(payload)))] = data.draw(JUNK)
    with suppress(Refusal):
        check_data(kind, payload)


@given(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(["items", "what", "to", "a"]), JUNK))
def test_any_map_is_judged(kind, data):
    with suppress(Refusal):
        check_data(kind, data)


def turn(**changed):
    return "orders", {**TURN, **changed}


def item(kind, *row):
    return kind, {"items": [list(row)]}


BOUNDS = [
    (turn(orders=[["x"]] * limits.MAX_ORDERS), turn(orders=[["x"]] * (limits.MAX_ORDERS + 1))),
    (turn(orders=[]), turn(orders=None)),
    (turn(orders=[["x"]]), turn(orders=["x"])),
    (turn(orders=[[1]]), turn(orders=[[]])),
    (turn(orders=[{"order": ["x"], "must": True}]), turn(orders=[{"order": ["x"], "must": False}])),
    (turn(orders=[{"order": ["x"], "if": [["a/b", "=", 1]]}]), turn(orders=[{"order": ["x"], "if": []}])),
    (
        turn(orders=[{"order": ["x"], "if": [["a", "<", 1]] * 8}]),
        turn(orders=[{"order": ["x"], "if": [["a", "<", 1]] * 9}]),
    ),
    (turn(orders=[{"order": ["x"], "if": [["a", "<=", 1]]}]), turn(orders=[{"order": ["x"], "if": [["a", "=<", 1]]}])),
    (turn(orders=[{"order": ["x"], "must": True}]), turn(orders=[{"order": [], "must": True}])),
    (turn(orders=[{"order": ["x"], "must": True}]), turn(orders=[{"must": True}])),
    (turn(salt=bytes(16)), turn(salt=bytes(17))),
    (turn(state=bytes(32)), turn(state=bytes(33))),
    (turn(open=[["a", bytes(32)]]), turn(open=[["a", bytes(31)]])),
    (turn(open=[["a", bytes(544)]]), turn(open=[["a", bytes(545)]])),
    (turn(open=[["a", ID]] * 256), turn(open=[["a", ID]] * 257)),
    (turn(open=[["a" * 64, ID]]), turn(open=[["a" * 65, ID]])),
    (turn(hide=[["a", "b", ID, bytes(80)]]), turn(hide=[["a", "b", ID, bytes(81)]])),
    (turn(hide=[["a", "b", ID, bytes(528)]]), turn(hide=[["a", "b", ID, bytes(1040)]])),
    (turn(hide=[["a", "b" * 32, ID, bytes(144)]]), turn(hide=[["a", "b" * 33, ID, bytes(144)]])),
    (turn(standing=[["a", "b", None]]), turn(standing=[])),
    (turn(standing=[["a", "b", CLAUSES]]), turn(standing=[["a", "b", bytes(9)]])),
    (turn(standing=[["a", "b", CLAUSES * 32]]), turn(standing=[["a", "b", CLAUSES * 33]])),
    (turn(standing=[["a", "b", [[[["x"]] * 8, ["y"]]]]]), turn(standing=[["a", "b", [[[["x"]] * 9, ["y"]]]]])),
    (turn(standing=[["a", "b", [[[], ["y"] * 32]]]]), turn(standing=[["a", "b", [[[], ["y"] * 33]]]])),
    (turn(standing=[["a", "b", CLAUSES]]), turn(standing=[["a", "b", []]])),
    (turn(standing=[["a", "b", LONGEST]]), turn(standing=[["a", "b", [*LONGEST[:-1], [[], ["y" * 2]]]]])),
    (turn(standing=[["a", "b", [ID, bytes(4112)]]]), turn(standing=[["a", "b", [ID, bytes(4113)]]])),
    (turn(standing=[["a", "b", [ID, bytes(80)]]]), turn(standing=[["a", "b", [ID]]])),
    (("reveal", {"items": [["nonce", ID]] * 1024}), ("reveal", {"items": [["nonce", ID]] * 1025})),
    (item("reveal", "open", "a", ID, bytes(512)), item("reveal", "open", "a", ID, bytes(513))),
    (item("reveal", "answer", "a", ["x"], None), item("reveal", "answer", "a", [], None)),
    (item("release", "slot", "a", ID), item("reveal", "slot", "a", ID)),
    (item("release", "pass", "a", 1, 4, b"", b"", [], []), item("release", "pass", "a", 1, 5, b"", b"", [], [])),
    (item("release", "pass", "a", 65535, 1, b"", b"", [], []), item("release", "pass", "a", 0, 1, b"", b"", [], [])),
    (item("release", "deal", "a", 1, bytes(16384), [], []), item("release", "deal", "a", 1, bytes(16385), [], [])),
    (item("release", "deal", "a", 1, b"", [0] * 512, []), item("release", "deal", "a", 1, b"", [0] * 513, [])),
    (item("release", "deal", "a", 1, b"", [65535], []), item("release", "deal", "a", 1, b"", [65536], [])),
    (("resign", {"seats": ["a"] * 16}), ("resign", {"seats": ["a"] * 17})),
    (("resign", {"seats": ["a-b_9"]}), ("resign", {"seats": []})),
    (("takeback", {"to": [[7, 65536]]}), ("takeback", {"to": [[7, 65537]]})),
    (("answer", {"to": ID, "yes": False}), ("answer", {"to": ID, "yes": 0})),
    (("rekey", {"card": bytes(2048), "proof": bytes(64)}), ("rekey", {"card": bytes(2049), "proof": bytes(64)})),
    (("rekey", {"card": b"c", "proof": bytes(64)}), ("rekey", {"card": b"c", "proof": bytes(63)})),
    (("end", {"state": ID, "result": {"a": bytes(4090)}}), ("end", {"state": ID, "result": {"a": bytes(4091)}})),
    (("start", {}), ("start", {"joins": []})),
    (("start", {"nonce": ID}), ("start", {"nonce": ID[1:]})),
    (("ruling", {**RULINGS[0], "seconds": 31_622_400}), ("ruling", {**RULINGS[0], "seconds": 31_622_401})),
    (
        ("ruling", {**RULINGS[5], "scores": {f"s{n}": 2**31 - 1 for n in range(16)}}),
        ("ruling", {**RULINGS[5], "scores": {f"s{n}": 0 for n in range(17)}}),
    ),
    (
        ("ruling", {**RULINGS[5], "scores": {"blue": -(2**31)}}),
        ("ruling", {**RULINGS[5], "scores": {"blue": 2**31}}),
    ),
    (("offer", UMPIRED), ("offer", {**UMPIRED, "zeal": b"c"})),
    (("offer", {**UMPIRED, "expires": limits.MAX_AT}), ("offer", {**UMPIRED, "expires": limits.MAX_AT + 1})),
    (("offer", {**UMPIRED, "expires": 1}), ("offer", {**UMPIRED, "expires": 0})),
    (
        ("offer", {**UMPIRED, "tournament": {**BOARD, "board": 1}}),
        ("offer", {**UMPIRED, "tournament": {**BOARD, "board": 0}}),
    ),
    (("offer", UMPIRED), ("offer", {**UMPIRED, "tournament": {**BOARD, "round": 65_536}})),
    (("offer", UMPIRED), ("offer", {**UMPIRED, "tournament": {**BOARD, "key": bytes(15)}})),
    (("offer", UMPIRED), ("offer", {**UMPIRED, "tournament": {**BOARD, "title": ""}})),
    (("decline", {**GOOD["decline"], "leave": True}), ("decline", {**GOOD["decline"], "leave": 1})),
    (("offer", {**OFFER, "silence": 3}), ("offer", {**OFFER, "silence": 2})),
    (("offer", {**OFFER, "silence": 366}), ("offer", {**OFFER, "silence": 367})),
    (("claim", {"owed": [["nonce", 4]] * 1024}), ("claim", {"owed": [["nonce", 4]] * 1025})),
    (("claim", {"owed": [["orders", "a"]]}), ("claim", {"owed": []})),
    (("claim", {"owed": [["slot", "a", 4]]}), ("claim", {"owed": [["slot", "a", 5]]})),
    (("claim", {"owed": [["pass", "a", 1, 4]]}), ("claim", {"owed": [["pass", "a", 1, 5]]})),
    (("claim", {"owed": [["dice", ID]]}), ("claim", {"owed": [["show", "a"]]})),
    (("ruling", {**GOOD["ruling"], "claim": ID}), ("ruling", {**GOOD["ruling"], "claim": None})),
    (("ruling", {**RULINGS[0], "player": 4}), ("ruling", {**RULINGS[0], "player": 5})),
    (("ruling", {**RULINGS[1], "join": bytes(16384)}), ("ruling", {**RULINGS[1], "join": bytes(16385)})),
    (("ruling", {**RULINGS[2], "other": bytes(131072)}), ("ruling", {**RULINGS[2], "other": bytes(131073)})),
    (("decline", {"card": b"c", "why": "x" * 1000}), ("decline", {"card": b"c", "why": "x" * 1001})),
    (("decline", {"card": b"c", "why": "a\nb"}), ("decline", {"card": b"c", "why": "a\rb"})),
    (("offer", {**OFFER, "title": "x" * 80}), ("offer", {**OFFER, "title": "x" * 81})),
    (("offer", {**OFFER, "title": ""}), ("offer", {**OFFER, "title": "a\nb"})),
    (("offer", {**OFFER, "players": [None] * 5}), ("offer", {**OFFER, "players": [None] * 6})),
    (("offer", {**OFFER, "seats": [["a", "b", 0]] * 16}), ("offer", {**OFFER, "seats": [["a", "b", 0]] * 17})),
    (("offer", {**OFFER, "mode": "open"}), ("offer", {**OFFER, "mode": "casual"})),
    (("join", {**PERSON, "escrow": bytes(1024)}), ("join", {**PERSON, "escrow": bytes(1025)})),
    (("offer", {**OFFER, "own": bytes(48)}), ("offer", {**OFFER, "own": bytes(47)})),
    (("offer", {**OFFER, "options": {"a": "x" * 64}}), ("offer", {**OFFER, "options": {"a": "x" * 65}})),
    (("offer", {**OFFER, "options": {"a": 2**31 - 1}}), ("offer", {**OFFER, "options": {"a": 2**31}})),
    (("offer", {**OFFER, "options": {}}), ("offer", {**OFFER, "options": {f"k{n}": 1 for n in range(65)}})),
    (("offer", {**OFFER, "replaced": [["a", ID]] * 64}), ("offer", {**OFFER, "replaced": [["a", ID]] * 65})),
    (("offer", {**OFFER, "decks": ["a"] * 16}), ("offer", {**OFFER, "decks": ["a"] * 17})),
    (
        ("offer", {**OFFER, "clock": {"move": 31_622_400, "bank": 0, "days_off": 127}}),
        ("offer", {**OFFER, "clock": {"move": 0, "bank": 0, "days_off": 128}}),
    ),
    (
        ("offer", {**OFFER, "rules": {**OFFER["rules"], "version": "v" * 32}}),
        ("offer", {**OFFER, "rules": {**OFFER["rules"], "version": "v" * 33}}),
    ),
    (("join", {**PERSON, "escrow": None}), ("join", {**PERSON, "escrow": b""})),
    (("join", {**PERSON, "escrow": None}), ("join", {**PERSON, "escrow": None, "checked": []})),
]


@pytest.mark.parametrize(("inside", "outside"), BOUNDS)
def test_each_bound_from_both_sides(inside, outside):
    check_data(*inside)
    assert refused(*outside).code in ("E-FORM", "E-TEXT")


@given(
    st.sampled_from([[["x"]], [["x"], []], [[1, 2]], [], ["x"], "x", None, b"x", [{"order": ["x"], "must": True}]]),
    st.binary(min_size=14, max_size=18),
    st.binary(min_size=31, max_size=33),
)
def test_the_short_way_for_turns_says_what_the_long_way_says(orders, salt, state):
    """`open` sends the same turn the long way."""

    def passes(data):
        try:
            check_data("orders", data)
        except Refusal:
            return False
        return True

    data = {"orders": orders, "salt": salt, "state": state}
    assert passes(data) == passes({**data, "open": [["a", ID]]})


def test_an_unknown_kind_is_refused():
    assert refused("dance", {}).code == "E-FORM"
