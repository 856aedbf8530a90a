"""The calls that this home has made or been sent, and the tournaments whose calls it accepts by itself.

    calls/<call id>/call      the file as it came: the call, and data files of the umpire's that it names
    calls/<call id>/name      what it is called here; a folder without one was never finished being made
    calls/<call id>/says-N    what the player N, who is of this home, has said to it
    calls/<call id>/heard-N   at the umpire's: the answer of player N; N = 7, at everybody's: he takes the call back
    calls/<call id>/offer     the offer that is its game here
    calls/<call id>/joined    at the umpire's: the offer that he has joined, or is about to
    calls/<call id>/sent-N    all that follows from what N said is in the outbox; N = 7: the call itself
    calls/<call id>/closed    at the umpire's: he joins no more offer that answers it
    calls/<call id>/told      at the umpire's: the file that says so is in the outbox
    calls/made/<digest>       at the umpire's: the call last made for these terms
    tournaments/<umpire>-<key>

No backup holds any of this: a home that was brought back might else answer again by itself what it has answered before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final

from pbem.protocol.call import Call, CallAnswer, matches, parse_answer, parse_call
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.container import ItemType, read_stream
from pbem.protocol.digest import tagged
from pbem.protocol.genesis import Offer
from pbem.protocol.limits import MAX_FILE, MAX_ITEM
from pbem.protocol.record import UMPIRE
from pbem.table.disk import Disk, names, read

MAX_WAITING: Final = 64
"""Calls that wait for a person of this home, of one umpire who is known here or of all who are not."""
MAX_BY_ITSELF: Final = 256
"""Calls of one tournament that are accepted without asking; later ones wait for a person."""
_SMALL: Final = 64 << 10
_LARGE: Final = 64 * MAX_FILE
_ID: Final = re.compile(r"[0-9a-f]{64}")


def call_in(raw: bytes) -> Call:
    """The call of a file that holds one."""
    return next(parse_call(item.raw) for item in read_stream(BytesIO(raw)) if item.type is ItemType.CALL)


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody of this home has said to a call."""

    yes: bool
    answer: bytes
    """Signed, for the umpire; empty when the offer itself says it."""
    by_itself: bool = False
    """His program said it, because he had accepted the tournament before."""


class HeldCall:
    """One call's folder. What cannot change is read once."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk
        self.id = bytes.fromhex(folder.name)

    @cached_property
    def name(self) -> str:
        return (read(self._folder / "name", 100) or b"").decode("ascii", "replace")

    @cached_property
    def raw(self) -> bytes:
        """The file to be mailed."""
        return read(self._folder / "call", _LARGE) or b""

    @cached_property
    def call(self) -> Call:
        return call_in(self.raw)

    @property
    def files(self) -> dict[bytes, bytes]:
        """Data files of the umpire's, packed, by digest."""
        found: dict[bytes, bytes] = {}
        for item in read_stream(BytesIO(self.raw)):
            if item.type is ItemType.REPLACED:
                match unpack(item.raw, MAX_ITEM):
                    case [str(), bytes(data)]:
                        found[tagged("pbem1/value", data)] = data
        return found

    @property
    def arrived(self) -> int:
        try:
            return int((self._folder / "call").stat().st_mtime)
        except OSError:
            return 0

    @property
    def offer(self) -> bytes | None:
        """The id of the offer that this home has made or joined for it; at the umpire's, the one that he joins."""
        return read(self._folder / "offer", 64)

    def bind(self, offer: bytes) -> None:
        """Durable before a record for this offer exists: there is one game for a call."""
        if self.offer != offer:
            self._disk.rewrite(self._folder / "offer", offer)

    @property
    def joined(self) -> bytes | None:
        """At the umpire's: the one offer that he joins for it, for good."""
        return read(self._folder / "joined", 64)

    def set_joined(self, offer: bytes) -> None:
        if self.joined != offer:
            self._disk.rewrite(self._folder / "joined", offer)

    @property
    def said(self) -> dict[int, Said]:
        """What those of this home have said, by their numbers."""
        found = {}
        for name in names(self._folder):
            if name.startswith("says-"):
                match unpack(read(self._folder / name, _SMALL) or b""):
                    case [bool(yes), bytes(answer), bool(by_itself)]:
                        found[int(name[5:])] = Said(yes, answer, by_itself)
        return found

    def say(self, by: int, said: Said) -> None:
        self.forget_sent(by)
        self._disk.rewrite(self._folder / f"says-{by}", pack([said.yes, said.answer, said.by_itself]))

    def heard(self, by: int) -> CallAnswer | None:
        raw = read(self._folder / f"heard-{by}", _SMALL)
        return None if raw is None else parse_answer(raw)

    def hear(self, answer: CallAnswer) -> bool:
        """The latest answer stands; False when nothing changes by this one."""
        held = self.heard(answer.by)
        if held is not None and (held.id == answer.id or held.at >= answer.at):
            return False
        self._disk.rewrite(self._folder / f"heard-{answer.by}", answer.raw)
        return True

    def was_sent(self, by: int) -> bool:
        return (self._folder / f"sent-{by}").exists()

    def set_sent(self, by: int) -> None:
        if not self.was_sent(by):
            self._disk.rewrite(self._folder / f"sent-{by}", b"yes")

    def forget_sent(self, by: int) -> None:
        if self.was_sent(by):
            self._disk.remove(self._folder / f"sent-{by}")

    @property
    def closed(self) -> bool:
        return (self._folder / "closed").exists()

    def close(self) -> None:
        if not self.closed:
            self._disk.rewrite(self._folder / "closed", b"yes")

    @property
    def told(self) -> bool:
        """At the umpire's: the file that takes the call back is in the outbox."""
        return (self._folder / "told").exists()

    def set_told(self) -> None:
        if not self.told:
            self._disk.rewrite(self._folder / "told", b"yes")

    @property
    def waits(self) -> bool:
        """Nobody of this home has said anything to it, and it is none of its own that was mailed or taken back."""
        return not any(name.startswith(("says-", "sent-", f"heard-{UMPIRE}")) for name in names(self._folder))

    @property
    def taken_back(self) -> CallAnswer | None:
        """The umpire's word that nothing shall come of it (CAL-8)."""
        return self.heard(UMPIRE)


class CallBook:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def of(self, call_id: bytes | None) -> HeldCall | None:
        if call_id is None:
            return None
        held = HeldCall(self._folder / call_id.hex(), self._disk)
        return held if held.name else None

    def all(self) -> list[HeldCall]:
        found = (HeldCall(self._folder / name, self._disk) for name in names(self._folder) if _ID.fullmatch(name))
        return [held for held in found if held.name]

    def named(self, name: str) -> HeldCall | None:
        return next((held for held in self.all() if held.name == name), None)

    def keep(self, call_id: bytes, raw: bytes, name: str, at: int) -> HeldCall:
        """The name last: without it, nothing was kept."""
        folder = self._folder / call_id.hex()
        self._disk.folder(folder)
        if read(folder / "call", _LARGE) != raw:
            self._disk.remove(folder / "call")
            self._disk.write_new(folder / "call", raw, at)
        self._disk.rewrite(folder / "name", name.encode("ascii"))
        return HeldCall(folder, self._disk)

    def asked_for(self, offer: Offer) -> HeldCall | None:
        """The call here that asks for this offer, word for word (CAL-4)."""
        held = self.of(offer.call)
        return held if held is not None and matches(held.call, offer) is None else None

    def takes(self, offer: Offer) -> bool:
        """The umpire's program may join this offer: it answers no call of this home, or one that has no other game."""
        held = self.asked_for(offer)
        if held is None:
            return True
        if held.closed or held.joined not in (None, offer.id):
            return False
        held.bind(offer.id)
        held.set_joined(offer.id)
        return True

    # The umpire's

    def made(self, digest: bytes) -> bytes | None:
        return read(self._folder / "made" / digest.hex(), _LARGE)

    def set_made(self, digest: bytes, raw: bytes) -> None:
        self._disk.folder(self._folder / "made")
        self._disk.rewrite(self._folder / "made" / digest.hex(), raw)


class Consents:
    """The tournaments that a person of this home has said yes to, by umpire and key."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def _path(self, call: Call) -> Path:
        return self._folder / f"{call.umpire.identity.hex()}-{call.tournament.hex()}"

    def of(self, call: Call) -> dict[bytes, int]:
        """Who has said yes, and how many calls were accepted for him since."""
        raw = read(self._path(call), _SMALL)
        value = unpack(raw) if raw is not None else []
        found: dict[bytes, int] = {}
        for each in value if isinstance(value, list) else []:
            match each:
                case [bytes(identity), int(taken)]:
                    found[identity] = taken
        return found

    def holds(self, call: Call, identity: bytes) -> bool:
        return self.of(call).get(identity, MAX_BY_ITSELF) < MAX_BY_ITSELF

    def set(self, call: Call, identity: bytes, taken: int | None) -> None:
        """None: from now on he is asked again."""
        held = self.of(call)
        if taken is None:
            held.pop(identity, None)
        else:
            held[identity] = taken
        self._disk.folder(self._folder)
        self._disk.rewrite(self._path(call), pack([[each, count] for each, count in sorted(held.items())]))
