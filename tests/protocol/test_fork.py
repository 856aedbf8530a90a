"""Two records for one number convict their author, and nobody else can be accused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType, read, write
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import make_fork_proof, parse_fork_proof, same_place
from pbem.protocol.limits import MAX_BODY, MAX_FORK, MAX_ORDERS_SIZE
from pbem.protocol.record import parse_record
from tools.vectors.people import ALICE, AT, CARLA, signed_record

CARD = make_card(ALICE, "Alice Kern", "", AT)
ONE = parse_record(signed_record())
OTHER = parse_record(signed_record(at=AT + 1))
PROOF = make_fork_proof(ONE, OTHER, CARD)


def refused(raw):
    with pytest.raises(Refusal) as caught:
        parse_fork_proof(raw)
    return caught.value.code


def test_a_proof_convinces_from_one_file():
    item = read(write([Item(ItemType.FORK, PROOF.raw)]))[0]
    proof = parse_fork_proof(item.raw)
    assert proof == PROOF
    assert proof.identity == ALICE.identity
    assert {proof.first, proof.second} == {ONE, OTHER}
    assert "Alice Kern" in proof.sentence
    assert "4" in proof.sentence


def test_both_orders_make_one_proof():
    assert make_fork_proof(OTHER, ONE, CARD) == PROOF


def test_after_a_change_of_key_the_new_card_convicts():
    card = make_card(CARLA, "Alice Kern", "", AT)
    pair = [parse_record(signed_record(CARLA, at=at)) for at in (AT, AT + 1)]
    assert make_fork_proof(*pair, card).identity == CARLA.identity
    with pytest.raises(Refusal) as caught:
        make_fork_proof(*pair, CARD)
    assert caught.value.code == "E-SIGNATURE"


def test_the_largest_fork_fits_a_proof():
    hide = [["slot", "red", bytes(32), bytes(528)]] * 25
    orders = [["x", "y" * (MAX_ORDERS_SIZE - 11)]]
    data = {"hide": hide, "orders": orders, "salt": bytes(16), "state": bytes(32)}
    pair = [parse_record(signed_record(data=data, at=at)) for at in (AT, AT + 1)]
    assert len(pair[0].raw) > MAX_BODY - 2_000
    assert len(make_fork_proof(*pair, CARD).raw) <= MAX_FORK
    assert refused(bytes(MAX_FORK + 1)) == "E-LARGE"


def test_joining_twice_is_a_fork_whatever_the_number():
    def entry(kind, by):
        return parse_record(signed_record(CARLA, kind=kind, by=by, seq=0, prev=None, heads=[], data={}))

    card = make_card(CARLA, "Carla", "", AT)
    for a, b in (("join", "join"), ("join", "decline")):
        assert make_fork_proof(entry(a, 1), entry(b, 2), card).identity == CARLA.identity
    assert not same_place(entry("join", 1), entry("resign", 2))


@given(st.data())
@settings(max_examples=200)
def test_every_changed_bit_is_seen(data):
    raw = bytearray(PROOF.raw)
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    refused(bytes(raw))
