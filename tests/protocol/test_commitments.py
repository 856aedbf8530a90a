"""Commitments and the names of slots (HID-1, REC-6, HID-16)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.fairplay.commitments import DeckSlot, commitment, deck_slot, standing_slot
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import check_data

FIELDS = (b"g" * 32, "axis", "bid/axis/3", b"n" * 32, b"value")


def test_nothing_moves_from_one_field_to_the_next():
    game_id, _, _, nonce, value = FIELDS
    assert commitment(game_id, "ab", "c", nonce, value) != commitment(game_id, "a", "bc", nonce, value)
    assert commitment(game_id, "a", "b", nonce + b"v", value) != commitment(game_id, "a", "b", nonce, b"v" + value)


@given(st.from_regex(r"[a-z0-9_-]{1,32}", fullmatch=True), st.integers(1, 65_535), st.integers(0, 511))
def test_deck_slots_print_and_parse(deck, epoch, j):
    assert deck_slot(f"{deck}/{epoch}/{j}") == DeckSlot(deck, epoch, j)
    assert str(DeckSlot(deck, epoch, j)) == f"{deck}/{epoch}/{j}"


OTHER_SPELLINGS = """
deck deck/1 deck/0/1 deck/01/1 deck/1/01 deck/1/-1 deck/1/512 deck/65536/1 deck/1/1/1 Deck/1/1 deck/\u0661/1 deck/1/+1
/1/1 deck/1e1/1
"""


@pytest.mark.parametrize("text", ["", "deck/1/1 ", "deck/1/1\n", f"{'d' * 33}/1/1", *OTHER_SPELLINGS.split()])
def test_only_one_spelling_names_a_card(text):
    assert deck_slot(text) is None


@given(st.text(max_size=70))
def test_slot_names_are_short_and_plain(text):
    plain = 0 < len(text) <= 64 and all(c in "abcdefghijklmnopqrstuvwxyz0123456789/_.+-" for c in text)
    row = [text, "red", bytes(32), bytes(80)]
    data = {"state": bytes(32), "salt": bytes(16), "orders": [], "hide": [row]}
    if plain:
        check_data("orders", data)
    else:
        with pytest.raises(Refusal, match="E-FORM"):
            check_data("orders", data)


def test_standing_slots_differ_by_seat_and_kind():
    assert len({standing_slot(*of) for of in (("a", "b"), ("b", "a"), ("a", "c"))}) == 3
