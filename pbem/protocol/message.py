"""A message beside a record: the record holds only its salted hash, so that an archive can leave chat out (FIL-8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.protocol import canonical
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_MESSAGE, MAX_NOTE
from pbem.protocol.text import check_lines

_STEP = "FIL-8"


def note_hash(salt: bytes, text: str) -> bytes:
    """What the record's `note` holds."""
    return tagged("pbem1/note", salt, text)


@dataclass(frozen=True, slots=True)
class Message:
    record: bytes
    salt: bytes
    text: str

    def pack(self) -> bytes:
        check_lines(self.text, MAX_NOTE, "The message", _STEP)
        return canonical.pack([self.record, self.salt, self.text])

    def belongs_to(self, note: bytes | None) -> bool:
        """This is the text that a record with this `note` was signed with."""
        return note is not None and note == note_hash(self.salt, self.text)


def parse_message(raw: bytes) -> Message:
    value: Any = canonical.unpack(raw, MAX_MESSAGE)
    if type(value) is not list or list(map(type, value)) != [bytes, bytes, str]:
        raise _odd("it is not a record's id, a salt and a text")
    record, salt, text = value
    if len(record) != 32 or len(salt) != 16:
        raise _odd("a record's id has 32 bytes and a salt 16")
    check_lines(text, MAX_NOTE, "The message", _STEP)
    return Message(record, salt, text)


def _odd(why: str) -> Refusal:
    return Refusal("E-FORM", f"This is not a message that pbem understands: {why}.", step=_STEP)
