"""The seed on the disk: its passphrase and no other opens it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.home import HomeError, people
from pbem.home.people import Cost
from pbem.protocol.canonical import pack, unpack

SEED = bytes(range(32))
CHEAP = Cost(log_n=4)


def random(n):
    return bytes(range(100, 100 + n))


def protected(passphrase="correct horse"):
    return people.protect(SEED, passphrase, random, CHEAP)


def test_the_passphrase_opens_it_and_no_other_does():
    raw = protected()
    assert people.unlock(raw, lambda _: "correct horse") == SEED
    with pytest.raises(HomeError) as caught:
        people.unlock(raw, lambda _: "correct hors")
    assert caught.value.code == "E-PASSPHRASE"


@pytest.mark.parametrize("answer", [None, ""])
def test_a_missing_passphrase_has_its_own_code(answer):
    with pytest.raises(HomeError) as caught:
        people.unlock(protected(), lambda _: answer)
    assert caught.value.code == "E-PASSPHRASE"


def test_explicitly_none_asks_nothing():
    def never(_):
        raise AssertionError("asked")

    raw = people.protect(SEED, "", random)
    assert not people.is_protected(raw)
    assert people.unlock(raw, never) == SEED


def test_the_standard_cost_is_the_designs():
    raw = people.protect(SEED, "x", random)
    fields = unpack(raw, 1024)
    assert (fields["n"], fields["r"], fields["p"]) == (2**17, 8, 1)
    assert SEED not in raw
    assert people.unlock(raw, lambda _: "x") == SEED


def test_composed_and_decomposed_letters_are_one_passphrase():
    assert people.unlock(protected("Gr\u00fc\u00dfe"), lambda _: "Gru\u0308\u00dfe") == SEED


@pytest.mark.parametrize("change", [{"n": 2**30}, {"r": 1000}, {"p": 1000}, {"n": 3}, {"n": 0}, {"r": 0}, {"n": True}])
def test_an_unbearable_cost_is_refused_before_it_is_paid(change):
    fields = unpack(protected(), 1024)
    with pytest.raises(HomeError) as caught:
        people.unlock(pack({**fields, **change}), lambda _: "correct horse")
    assert caught.value.code == "E-DAMAGED"


def test_every_flipped_byte_is_noticed():
    raw = protected()
    for place in range(len(raw)):
        bad = bytearray(raw)
        bad[place] ^= 0x04
        with pytest.raises(HomeError) as caught:
            people.unlock(bytes(bad), lambda _: "correct horse")
        assert caught.value.code in ("E-DAMAGED", "E-PASSPHRASE")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_damaged_key_file(raw):
    with pytest.raises(HomeError) as caught:
        people.unlock(raw, lambda _: "x")
    assert caught.value.code == "E-DAMAGED"
