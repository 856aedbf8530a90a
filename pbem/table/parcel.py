"""One file, sorted: what it holds by type, parsed and bounded, nothing judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Literal

from pbem.protocol.canonical import unpack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.container import Item, ItemType, bounded, read_stream
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import ForkProof, parse_fork_proof
from pbem.protocol.kinds import check_data
from pbem.protocol.limits import MAX_DATA_FILE, MAX_ITEM, MAX_SLOT
from pbem.protocol.listing import parse_listing
from pbem.protocol.record import Message, Record, parse_message, parse_record
from pbem.table.hello import Hello, parse_hello

MAX_OF_A_KIND = 256
"""Offers and hellos of one file, which cost a signature or a look at a game each."""
MAX_HELD = 1 << 17
"""Records of one file, with what reveals and releases hold: a row of fifteen bytes is some objects when it is read."""

Kind = Literal["card", "offer", "decline", "turn", "archive", "hello", "backup", "proof", "nothing"]


@dataclass(slots=True)
class Parcel:
    records: list[Record] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    messages: dict[bytes, Message] = field(default_factory=dict)
    replaced: list[tuple[str, bytes]] = field(default_factory=list)
    proofs: list[ForkProof] = field(default_factory=list)
    hellos: list[Hello] = field(default_factory=list)
    raw: bytes = b""
    is_archive: bool = False
    is_backup: bool = False

    @property
    def kind(self) -> Kind:
        if self.is_backup:
            return "backup"
        if self.is_archive:
            return "archive"
        kinds = {record.kind for record in self.records}
        if kinds == {"offer"}:
            return "offer"
        if "decline" in kinds:
            return "decline"
        if self.records:
            return "turn"
        return "card" if self.cards else "hello" if self.hellos else "proof" if self.proofs else "nothing"

    def check_messages(self) -> None:
        """Each belongs to a record in this file (FIL-8)."""
        notes = {record.id: record.note for record in self.records}
        for message in self.messages.values():
            if not message.belongs_to(notes.get(message.record)):
                raise Refusal("E-FORM", "A message in this file is not the one its author sent.", step="FIL-8")


def unwrap(raw: bytes, beat: Callable[[], None] = lambda: None) -> Parcel:
    """Everything in the file, or a Refusal: a file is taken whole or not at all.

    What is held is bounded as it grows: a small file may unpack to many records, and a record be read into much more
    than its bytes. A copy says nothing new and is not read, but counts like the first.
    """
    parcel = Parcel(raw=raw)
    sizes: dict[Item, int] = {}  # of what was taken: how much it holds
    costly = held = 0
    for item in bounded(read_stream(BytesIO(raw))):
        beat()
        costly += item.type is ItemType.HELLO
        parcel.is_archive = parcel.is_archive or item.type is ItemType.DRAWS
        if item.type is ItemType.DRAWS:
            parse_listing(item.raw)
        elif item not in sizes:
            _take(parcel, item)
            sizes[item] = 0
        if item.type is ItemType.RECORD:
            if not sizes[item]:
                record = parcel.records[-1]
                costly += record.kind == "offer"
                sizes[item] = 1 + len(record.data.get("items", ()))
            held += sizes[item]
            if held > MAX_HELD:
                raise Refusal(
                    "E-LARGE", f"This file holds more than {MAX_HELD:,} records and things that they show.",
                    step="FIL-4",
                )  # fmt: skip
        elif item.type is ItemType.CASE:
            raise Refusal(
                "E-CASE",
                "This is what an umpire has gathered about a disputed game. Nothing of it was taken; check and "
                "read it with: pbem verify FILE",
                step="CAS-3",
            )
        if costly > MAX_OF_A_KIND:
            raise Refusal(
                "E-LARGE",
                f"This file holds more than {MAX_OF_A_KIND} offers and questions.",
                step="FIL-4",
            )
    return parcel


def _take(parcel: Parcel, item: Item) -> None:
    match item.type:
        case ItemType.RECORD:
            record = parse_record(item.raw)
            check_data(record.kind, record.data)
            parcel.records.append(record)
        case ItemType.CARD:
            parcel.cards.append(parse_card(item.raw))
        case ItemType.MESSAGE:
            message = parse_message(item.raw)
            parcel.messages[message.record] = message
        case ItemType.REPLACED:
            parcel.replaced.append(_replaced(item.raw))
        case ItemType.FORK:
            parcel.proofs.append(parse_fork_proof(item.raw))
        case ItemType.HELLO:
            parcel.hellos.append(parse_hello(item.raw))
        case ItemType.BACKUP:
            parcel.is_backup = True


def _replaced(raw: bytes) -> tuple[str, bytes]:
    value = unpack(raw, MAX_ITEM)
    if isinstance(value, list) and len(value) == 2:
        name, data = value
        if isinstance(name, str) and isinstance(data, bytes) and 1 <= len(name) <= MAX_SLOT:
            if len(data) > MAX_DATA_FILE:
                raise Refusal("E-LARGE", "A data file in this file is larger than any that is taken.", step="FIL-2")
            return name, data
    raise Refusal("E-FORM", "A data file in this file is not in the form that pbem understands.", step="FIL-2")
