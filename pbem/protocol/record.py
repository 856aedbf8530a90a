"""The signed unit of the log (docs/spec/record.md, REC-1..REC-4): bytes to a checked form and back.

`parse_record` looks at form only. Whose key must have signed is known to the log; what the payload means, to `kinds`
and to those who apply it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from pbem.protocol import canonical, envelope
from pbem.protocol.canonical import Packable
from pbem.protocol.characters import check_line, check_lines
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys, check_signature
from pbem.protocol.kinds import ID, KINDS, binary, check_data, judge, lines, row
from pbem.protocol.limits import (
    MAX_AT,
    MAX_BODY,
    MAX_HEADS,
    MAX_MESSAGE,
    MAX_NOTE,
    MAX_PIN,
    MAX_PLAYERS,
    MAX_SEQ,
    MAX_VERSION,
)
from pbem.protocol.plain import MAKERS, Codec

UMPIRE = 7
AUTHORS = frozenset((*range(MAX_PLAYERS), UMPIRE))
Heads: TypeAlias = tuple[tuple[int, bytes], ...]

_ID = b"\x09pbem1/rec"
_STEP = "REC-3"
_KEYS = ("at", "by", "data", "game", "heads", "kind", "note", "pin", "prev", "seq", "v")


class Record(NamedTuple):
    """A record of good form. Nothing in it is believed before its signature has been checked."""

    raw: bytes
    id: bytes
    at: int
    by: int
    data: dict[str, Any]
    game: bytes | None
    heads: Heads
    kind: str
    note: bytes | None
    pin: int
    prev: bytes | None
    seq: int
    signature: bytes

    def __hash__(self) -> int:
        return hash(self.raw)

    def refusal(self, code: str, step: str, sentence: str) -> Refusal:
        """That this record is not accepted, and why."""
        return Refusal(code, sentence, step=step, author=self.by, record=self.id)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """What is refused inside is laid at the door of this record, unless it names another."""
        try:
            yield
        except Refusal as refusal:
            raise refusal.of(self.by, self.id) from None


def record_id(body: bytes) -> bytes:
    """REC-2."""
    return sha256(_ID + len(body).to_bytes(4, "big") + body).digest()  # T("pbem1/rec", body), straight away


def parse_record(raw: bytes) -> Record:
    """REC-1 and REC-3: the record in these bytes. The signature and the payload are not yet judged."""
    body, signature = envelope.split(raw, MAX_BODY, "record", "REC-1")
    return _parse(raw, body, signature)


def _parse(raw: bytes, body: bytes, signature: bytes) -> Record:
    value: Any = canonical.unpack(body)
    if type(value) is dict and "v" in value and not (type(value["v"]) is int and value["v"] == 1):
        raise _newer(value.get("needs"))
    if type(value) is not dict or tuple(value) != _KEYS:
        raise _odd("it does not have exactly the fields of a record")
    at, by, data, game, heads, kind, note, pin, prev, seq, _ = value.values()
    if type(kind) is not str or kind not in KINDS:
        raise Refusal("E-FORM", "This record is of a kind that this pbem does not know; a newer one may.", step=_STEP)
    if not type(at) is type(pin) is type(seq) is int or not (
        0 <= at <= MAX_AT and 0 <= pin <= MAX_PIN and 0 <= seq <= MAX_SEQ
    ):
        raise _odd("`at`, `pin` and `seq` are integers from 0, each up to its bound")
    if type(by) is not int or by not in AUTHORS:
        raise _odd("`by` is not the number of a player or of the umpire")
    if type(data) is not dict:
        raise _odd("`data` is not a map")
    if game is not None if kind == "offer" else not (type(game) is bytes and len(game) == 32):
        raise _odd("`game` is nil in an offer and an id in every other record")
    if note is not None and not _is_id(note):
        raise _odd("`note` is neither nil nor a hash")
    if prev is not None if seq == 0 else not (type(prev) is bytes and len(prev) == 32):
        raise _odd("`prev` is nil in an author's first record and an id in every other")
    return Record(raw, record_id(body), at, by, data, game, _heads(heads, by), kind, note, pin, prev, seq, signature)


def _newer(needs: object) -> Refusal:
    """A record of a later version, which says what reads it (REC-3)."""
    update = "a newer one may"
    if type(needs) is str:
        with suppress(Refusal):
            check_line(needs, 1, MAX_VERSION, "What a record needs", _STEP)
            update = f"it needs {needs} or newer. Update, then open the file again"
    return Refusal("E-VERSION", f"This record is of a version that this pbem does not know; {update}.", step=_STEP)


def _is_id(value: object) -> bool:
    return type(value) is bytes and len(value) == 32


def _heads(value: object, own: int) -> Heads:
    if type(value) is not list or len(value) > MAX_HEADS:
        raise _odd(f"`heads` is not an array of at most {MAX_HEADS}")
    heads: list[tuple[int, bytes]] = []
    last = -1
    for head in value:
        if type(head) is not list or len(head) != 2:
            raise _odd("a head is an author's number and an id")
        by, cited = head
        if type(by) is not int or by not in AUTHORS or type(cited) is not bytes or len(cited) != 32:
            raise _odd("a head is an author's number and an id")
        if by <= last or by == own:
            raise _odd("`heads` are not in ascending order, or name the author themselves")
        heads.append((by, cited))
        last = by
    return tuple(heads)


def _odd(why: str) -> Refusal:
    return Refusal("E-FORM", f"This is not a record that pbem understands: {why}.", step=_STEP)


def check_record_signature(record: Record, public: bytes) -> None:
    """REC-2: signed by this key. The Refusal names author and record."""
    try:
        check_signature(public, record.id, record.signature)
    except Refusal as refusal:
        raise refusal.of(record.by, record.id) from None


def make_record(
    keys: Keys,
    *,
    at: int,
    by: int,
    data: dict[str, Packable],
    game: bytes | None,
    heads: Heads,
    kind: str,
    pin: int,
    prev: bytes | None,
    seq: int,
    note: bytes | None = None,
) -> Record:
    """Sign a record. Form and payload are checked first, so that nothing is signed that others would refuse."""
    body = canonical.pack(
        {
            "at": at,
            "by": by,
            "data": data,
            "game": game,
            "heads": heads,
            "kind": kind,
            "note": note,
            "pin": pin,
            "prev": prev,
            "seq": seq,
            "v": 1,
        }
    )
    draft = _parse(b"", body, b"")
    check_data(kind, draft.data)
    raw = envelope.join(body, keys.sign(draft.id))
    return parse_record(raw)


MAKERS[Record] = lambda _: Codec(lambda record: record.raw, parse_record, fixed=True)


# Messages: the text that a note seals


def note_hash(salt: bytes, text: str) -> bytes:
    """What the record's `note` holds."""
    return tagged("pbem1/note", salt, text)


_MESSAGE = row(ID, binary(16), lines(MAX_NOTE))


class Message(NamedTuple):
    record: bytes
    salt: bytes
    text: str

    def pack(self) -> bytes:
        check_lines(self.text, MAX_NOTE, "The message", "FIL-8")
        return canonical.pack([self.record, self.salt, self.text])

    def belongs_to(self, note: bytes | None) -> bool:
        """This is the text that a record with this `note` was signed with."""
        return note is not None and note == note_hash(self.salt, self.text)


def parse_message(raw: bytes) -> Message:
    value: Any = canonical.unpack(raw, MAX_MESSAGE)
    judge(_MESSAGE, value, "message", "FIL-8")
    return Message(*value)
