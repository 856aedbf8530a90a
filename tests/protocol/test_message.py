"""Messages beside records, and which characters a text may hold (FIL-8, ENC-9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.canonical import pack
from pbem.protocol.characters import check_line, check_lines
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_MESSAGE, MAX_NOTE
from pbem.protocol.record import Message, note_hash, parse_message
from tools.vectors.people import some

SALT = bytes(16)
UNSEEN = "\x00\x1b\x7f\x9b\xad\u061c\u200b\u200e\u202e\u2028\u2066\ufeff\uffff\U000e0041"


def code_of(function, *arguments):
    with pytest.raises(Refusal) as caught:
        function(*arguments)
    return caught.value.code


@given(st.binary(min_size=16, max_size=16), st.text("abc \nüß☃\U0001f3b2", max_size=100))
def test_round_trip(salt, text):
    message = Message(some("record"), salt, text)
    assert parse_message(message.pack()) == message
    assert message.belongs_to(note_hash(salt, text))
    assert not message.belongs_to(None)
    assert not message.belongs_to(note_hash(salt, text + "!"))


def test_bounds_from_both_sides():
    longest = Message(some("record"), SALT, "\U0001f3b2" * MAX_NOTE)
    assert len(longest.pack()) <= MAX_MESSAGE
    assert parse_message(longest.pack()) == longest
    assert code_of(Message(some("record"), SALT, "x" * (MAX_NOTE + 1)).pack) == "E-TEXT"
    assert code_of(parse_message, bytes(MAX_MESSAGE + 1)) == "E-LARGE"
    assert code_of(parse_message, pack([bytes(31), SALT, ""])) == "E-FORM"


@pytest.mark.parametrize("character", UNSEEN)
def test_what_cannot_be_seen_is_refused_and_named(character):
    for check in (check_line, check_lines):
        low = (0,) if check is check_line else ()
        with pytest.raises(Refusal) as caught:
            check(f"a{character}b", *low, 9, "The text", "ENC-9")
        assert caught.value.code == "E-TEXT"
        assert f"U+{ord(character):04X}" in caught.value.sentence
        assert caught.value.sentence.isprintable()


@pytest.mark.parametrize("text", ["Zoë", "Jos\u200dé", "李雷", "Анна-Мария", "a  b", "🎲", "\ue000"])
def test_names_of_all_scripts_pass(text):
    check_line(text, 1, 64, "The name", "KEY-4")


def test_lines():
    assert code_of(check_line, "a\nb", 0, 9, "The text", "ENC-9") == "E-TEXT"
    assert code_of(check_line, " a", 0, 9, "The text", "ENC-9") == "E-TEXT"
    assert code_of(check_line, "a ", 0, 9, "The text", "ENC-9") == "E-TEXT"
    assert code_of(check_line, "", 1, 9, "The text", "ENC-9") == "E-TEXT"
    check_lines("a\n b\n", 9, "The text", "ENC-9")
    assert code_of(check_lines, "a\tb", 9, "The text", "ENC-9") == "E-TEXT"
    assert code_of(check_lines, "a" * 10, 9, "The text", "ENC-9") == "E-TEXT"
