"""Calls and answers to them (CAL-1..5); one-fault files are in tests/vectors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol.begin import Terms
from pbem.protocol.call import check_answer, make_answer, make_call, matches, parse_answer, parse_call
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import offer_of
from pbem.protocol.record import UMPIRE
from tools.vectors.people import AT
from tools.vectors.play import KEYS, card_of, make_offer, terms

LINE = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=80)
PLACE = st.integers(1, 65_535)


def call(wanted: Terms, **changed):
    given = {"tournament": bytes(16), "name": "Cup", "round": 1, "board": 1, "at": AT, "expires": AT, **changed}
    return make_call(KEYS[UMPIRE], card_of(UMPIRE), [card_of(n) for n in range(len(wanted.players))], wanted, **given)


@given(LINE, PLACE, PLACE, st.binary(min_size=16, max_size=16), st.sampled_from(("strict", "umpire", "open")))
@settings(deadline=None, max_examples=40)
def test_what_is_called_is_read(name, number, board, key, mode):
    made = call(terms(2, mode=mode, umpire=True), name=name, round=number, board=board, tournament=key)
    read = parse_call(made.raw)
    assert read == made
    assert (read.name, read.round, read.board, read.tournament) == (name, number, board, key)
    assert read.terms.mode == mode
    assert [read.number_of(card.identity) for card in read.players] == [0, 1]
    assert read.number_of(read.umpire.identity) is None
    offer = offer_of(make_offer(replace(terms(2, mode=mode, umpire=True), call=made.id)))
    assert matches(read, offer) is None


@given(st.integers(0, 10_000), st.integers(0, 255))
@settings(deadline=None, max_examples=120)
def test_a_changed_byte_is_found(at, value):
    raw = bytearray(call(terms(2, umpire=True)).raw)
    at %= len(raw)
    if raw[at] == value:
        return
    raw[at] = value
    with pytest.raises(Refusal):
        parse_call(bytes(raw))


@given(st.booleans(), st.text("abc \n", max_size=50), st.sampled_from((0, 1)))
@settings(deadline=None, max_examples=30)
def test_answers(yes, why, by):
    asked = call(terms(2, umpire=True))
    answer = make_answer(KEYS[by], asked, by, yes=yes, why=why, at=AT)
    read = parse_answer(answer.raw)
    check_answer(asked, read)
    assert (read.yes, read.why, read.by, read.call) == (yes, why, by, asked.id)
    with pytest.raises(Refusal):
        make_answer(KEYS[by], asked, 1 - by, yes=yes, why=why, at=AT)
    with pytest.raises(Refusal) as caught:
        check_answer(call(terms(2, umpire=True), board=2), read)
    assert caught.value.step == "CAL-5"


@pytest.mark.parametrize(
    ("changes", "step"),
    [({"seats": terms(2).seats[:1]}, "CAL-3"), ({"decks": ("b", "a")}, "CAL-3"), ({"title": "a\nb"}, "CAL-2")],
)
def test_nobody_calls_for_what_cannot_be(changes, step):
    with pytest.raises(Refusal) as caught:
        call(replace(terms(2), **changes))
    assert caught.value.step == step


def test_a_call_says_nothing_secret_and_is_not_printed_whole():
    made = call(terms(2, umpire=True))
    assert made.raw.hex() not in repr(made)
    assert repr(made.raw) not in repr(made)
