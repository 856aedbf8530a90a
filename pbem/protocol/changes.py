"""What a stranger should see at a glance: rulings, and whose key or place has changed (FIL-10, MEA-10)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from pbem.protocol.card import parse_card
from pbem.protocol.genesis import Genesis
from pbem.protocol.record import Record, parse_record
from pbem.protocol.ruling import rulers, subject_of
from pbem.protocol.value import value

MAX_TOLD: Final = 256
"""Of a game with more rulings and new keys than this, the first are told; each is judged all the same."""


@value
class Change:
    """A ruling, or a player's own change of key. Names come from cards, reasons from players: escape both."""

    record: bytes
    by: int
    what: str
    """The ruling's `what`, or `rekey` with `by` the player himself."""
    players: tuple[int, ...]
    """Whom it concerns."""
    why: str = ""
    name: str = ""
    """On the card that is in force from then on."""
    identity: bytes | None = None
    holds: bool = True
    """All whose say it needs have ruled so."""


@dataclass(slots=True)
class Changes:
    """Collects them in the order of the archive. The records have been judged before."""

    genesis: Genesis
    found: list[Change] = field(default_factory=list)
    _votes: dict[bytes, set[int]] = field(default_factory=dict)
    _places: dict[bytes, list[int]] = field(default_factory=dict)

    def take(self, record: Record) -> None:
        if len(self.found) >= MAX_TOLD:
            return
        if record.kind == "rekey":
            card = parse_card(record.data["card"])
            change = Change(record.id, record.by, "rekey", (record.by,), "", card.name, card.identity)
            self.found.append(change)
            return
        data, subject = record.data, subject_of(record.data)
        players, raw = self._concerned(record), b""
        if data["what"] == "rekey":
            raw = data["card"]
        elif data["what"] == "substitute":
            raw = parse_record(data["join"]).data["card"]
        new = parse_card(raw) if raw else None
        name, identity = (new.name, new.identity) if new is not None else ("", None)
        self._places.setdefault(subject, []).append(len(self.found))
        self.found.append(Change(record.id, record.by, data["what"], players, data["why"], name, identity, holds=False))
        votes = self._votes.setdefault(subject, set())
        votes.add(record.by)
        if votes.issuperset(rulers(self.genesis, frozenset(players))):
            for at in self._places[subject]:
                self.found[at] = replace(self.found[at], holds=True)

    def _concerned(self, record: Record) -> tuple[int, ...]:
        data = record.data
        match data["what"]:
            case "forfeit":
                return tuple(sorted({self.genesis.player_of(seat) for seat in data["seats"]}))
            case "adjudge":
                return tuple(self.genesis.players)
            case "branch":
                return (parse_record(data["other"]).by,)
            case "escrow":
                return (data["witness"],)
        return (data["player"],)
