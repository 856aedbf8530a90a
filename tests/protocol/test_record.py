"""Records by bytes: form, id, signature (docs/spec/record.md)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import envelope
from pbem.protocol.card import make_card, parse_card
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_AT, MAX_BODY, MAX_CARD, MAX_PIN, MAX_RECORD, MAX_SEQ
from pbem.protocol.record import AUTHORS, check_record_signature, make_record, parse_record
from tools.vectors.people import ALICE, BOB, GAME, record_fields, signed_record, some

TURN = record_fields()["data"]
IDS = st.binary(min_size=32, max_size=32)


def made(keys=ALICE, **changed):
    fields = {
        "at": 1,
        "by": 0,
        "data": TURN,
        "game": GAME,
        "heads": ((1, some("b")),),
        "kind": "orders",
        "pin": 0,
        "prev": some("a"),
        "seq": 1,
    }
    return make_record(keys, **{**fields, **changed})


def refused(function, *arguments):
    with pytest.raises(Refusal) as caught:
        function(*arguments)
    return caught.value


@given(
    at=st.integers(0, MAX_AT),
    by=st.sampled_from(sorted(AUTHORS)),
    others=st.dictionaries(st.sampled_from(sorted(AUTHORS)), IDS, max_size=6),
    seq=st.integers(0, MAX_SEQ),
    pin=st.integers(0, MAX_PIN),
    note=st.none() | IDS,
    orders=st.lists(
        st.lists(st.integers(-(2**63), 2**63 - 1) | st.text("ab", max_size=9), min_size=1, max_size=4), max_size=20
    ),
)
@settings(max_examples=60)
def test_round_trip(at, by, others, seq, pin, note, orders):
    heads = tuple(sorted((n, cited) for n, cited in others.items() if n != by))
    data = {**TURN, "orders": orders}
    prev = some("prev") if seq else None
    record = made(at=at, by=by, heads=heads, seq=seq, pin=pin, note=note, data=data, prev=prev)
    again = parse_record(record.raw)
    check_record_signature(again, ALICE.sign_public)
    assert again == record
    assert (again.at, again.by, again.heads, again.seq, again.pin) == (at, by, heads, seq, pin)
    assert (again.note, again.data["orders"], again.prev, again.game) == (note, orders, prev, GAME)


def test_golden_record():
    record = made(at=5, data={"orders": [["done"]], "salt": bytes(16), "state": bytes(32)}, game=bytes(32))
    assert record.id == tagged("pbem1/rec", envelope.split(record.raw, MAX_BODY, "record", "REC-1")[0])
    assert record.id.hex() == "c1a63ce7fcd2295e72e7616d918e8925f043739c7cc68c1f76a0e91871916da3"
    assert len(record.raw) == 313


def test_a_turn_costs_little_beyond_its_orders():
    """What REC-3 lists, five hashes, a salt and a signature, and no more."""
    twenty = made(at=1_767_225_600, seq=300, data={**TURN, "orders": [["done"]] * 20})
    assert len(twenty.raw) <= 20 * 6 + 330


def test_the_signature_is_the_authors():
    record = made()
    check_record_signature(record, ALICE.sign_public)
    refusal = refused(check_record_signature, record, BOB.sign_public)
    assert (refusal.code, refusal.author, refusal.record) == ("E-SIGNATURE", 0, record.id)


def test_records_are_equal_by_their_bytes():
    assert made() == parse_record(made().raw)
    assert len({made(), made(), made(at=2)}) == 2
    with pytest.raises(AttributeError):
        made().seq = 2


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"data": {**TURN, "salt": b""}}, "E-FORM"),
        ({"kind": "dance"}, "E-FORM"),
        ({"by": 5}, "E-FORM"),
        ({"prev": None}, "E-FORM"),
        ({"heads": ((2, some("x")), (1, some("y")))}, "E-FORM"),
        ({"seq": MAX_SEQ + 1}, "E-FORM"),
        ({"at": -1}, "E-FORM"),
        ({"pin": MAX_PIN + 1}, "E-FORM"),
    ],
)
def test_nothing_is_signed_that_others_would_refuse(changed, code):
    with pytest.raises(Refusal) as caught:
        made(**changed)
    assert caught.value.code == code


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 258, 259, 65_535, 65_536, 65_537, 65_539, MAX_BODY])
def test_the_outer_layer_has_one_form(size):
    raw = envelope.join(bytes(size), b"s" * 64)
    assert envelope.split(raw, MAX_BODY, "record", "REC-1") == (bytes(size), b"s" * 64)
    for other in (raw[:-1], raw + b"x", b"\x93" + raw[1:], raw[1:]):
        with pytest.raises(Refusal):
            envelope.split(other, MAX_BODY, "record", "REC-1")


def test_the_body_has_a_bound():
    for size in (MAX_BODY + 1, MAX_BODY + 5, 2 * MAX_BODY):
        raw = envelope.join(bytes(size), bytes(64))
        assert refused(parse_record, raw).code == "E-LARGE"
    assert len(envelope.join(bytes(MAX_BODY), bytes(64))) <= MAX_RECORD


def test_cards():
    card = make_card(ALICE, "Alice Kern", "alice@example.org", 5)
    assert parse_card(card.raw) == card
    assert card.identity == ALICE.identity
    assert (card.name, card.email, card.at) == ("Alice Kern", "alice@example.org", 5)
    assert (card.sign, card.seal) == (ALICE.sign_public, ALICE.seal_public)
    assert refused(make_card, ALICE, "", "", 0).code == "E-TEXT"
    assert refused(make_card, ALICE, "a\u200bb", "", 0).code == "E-TEXT"


def test_card_bounds_from_both_sides():
    longest = make_card(ALICE, "\U0001f3b2" * 64, "\U0001f3b2" * 254, MAX_AT)
    assert len(longest.raw) <= MAX_CARD
    assert refused(make_card, ALICE, "n" * 65, "", 0).code == "E-TEXT"
    assert refused(make_card, ALICE, "n", "e" * 255, 0).code == "E-TEXT"
    assert refused(make_card, ALICE, "n", "", MAX_AT + 1).code == "E-FORM"
    assert refused(parse_card, bytes(MAX_CARD + 1)).code == "E-LARGE"


@given(st.data())
@settings(max_examples=100)
def test_a_damaged_card_is_refused(data):
    raw = bytearray(make_card(ALICE, "Alice Kern", "alice@example.org", 5).raw)
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    refused(parse_card, bytes(raw))


@pytest.mark.parametrize(
    ("needs", "said"),
    [
        ({"needs": "pbem 2.0"}, "it needs pbem 2.0 or newer. Update, then open the file again."),
        ({"needs": "pbem\x1b[2J"}, "a newer one may."),
        ({"needs": "x" * 33}, "a newer one may."),
        ({"needs": 2}, "a newer one may."),
        ({}, "a newer one may."),
    ],
)
def test_a_record_of_a_later_version_says_which_program_it_needs(needs, said):
    """What else is in it, this program cannot know."""
    raw = signed_record(v=2, kind="parley", data=..., **needs)
    with pytest.raises(Refusal) as caught:
        parse_record(raw)
    assert caught.value.code == "E-VERSION"
    assert caught.value.sentence.endswith(said)
