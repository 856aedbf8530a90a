"""What follows from a seed and a game's nonce (CHA-1, HID-1..3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.fairplay.commitments import commitment
from pbem.fairplay.secret import GameSecrets, Opened, open_own
from pbem.protocol.digest import be32, derive, tagged
from pbem.protocol.errors import Refusal

SEED, NONCE = b"s" * 32, b"n" * 32
MINE = GameSecrets(SEED, NONCE)


def test_salts_and_hiding_nonces_never_repeat():
    seen = {MINE.salt(n) for n in range(100)} | {MINE.hide_nonce(n, s)[:16] for n in range(100) for s in ("a", "b")}
    assert len(seen) == 300
    assert len(MINE.salt(3)) == 16
    assert MINE.salt(3) == derive(MINE.gs, "salt", be32(3), size=16)


def test_a_commitment_is_the_one_that_others_check():
    game = b"g" * 32
    made = MINE.commit(game, "red", "a/1", 7, b"value")
    assert made == commitment(game, "red", "a/1", MINE.hide_nonce(7, "a/1"), b"value")


@given(st.binary(max_size=200))
def test_boxes_come_back(value):
    context = tagged("pbem1/test", value)
    box = MINE.box(context, value)
    assert MINE.unbox(context, box) == value
    assert len(box) == len(value) + 16


@pytest.mark.parametrize("wrong", [b"", b"x" * 15, b"x" * 40])
def test_a_wrong_box_is_refused(wrong):
    with pytest.raises(Refusal, match="E-BOX"):
        MINE.unbox(b"context", wrong)


def test_a_box_opens_with_its_own_key_and_context_only():
    box = MINE.box(b"context", b"value")
    with pytest.raises(Refusal, match="E-BOX"):
        MINE.unbox(b"other", box)
    with pytest.raises(Refusal, match="E-BOX"):
        GameSecrets(SEED, b"m" * 32).unbox(b"context", box)


def test_the_seed_brings_the_nonce_back():
    assert open_own(SEED, MINE.nonce_commitment, MINE.own) == NONCE
    with pytest.raises(Refusal, match="E-BOX"):
        open_own(b"t" * 32, MINE.nonce_commitment, MINE.own)


def test_an_audit_makes_the_same_from_gs():
    opened = Opened(MINE.gs)
    assert opened.salt(5) == MINE.salt(5)
    assert opened.chain(0, 1).anchor == MINE.chain(0, 1).anchor
    assert opened.gs_commitment == MINE.gs_commitment


def test_nothing_shows():
    shown = repr(MINE) + repr(Opened(MINE.gs)) + repr(MINE.chain(0, 1)) + str(MINE)
    for secret in (MINE.gs, NONCE, SEED, MINE.chain(0, 1).top):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
