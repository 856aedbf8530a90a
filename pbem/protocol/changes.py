"""The changes that a stranger should see at a glance: rulings, and players whose key or place has changed (FIL-10,
MEA-10)."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from pbem.protocol.authorchain import Vector
from pbem.protocol.card import parse_card
from pbem.protocol.genesis import Genesis
from pbem.protocol.kinds import PLAY
from pbem.protocol.record import Record, parse_record
from pbem.protocol.ruling import concerned_by, rulers_of, subject_of

MAX_TOLD: Final = 256
"""Of a game with more rulings and new keys than this, the first are told; each is judged all the same."""

_LATEST: Final = 8
"""Of each author, so many records are remembered that may turn out to be claims cited, or answers that crossed."""


class Said(NamedTuple):
    """A record beside a forfeit: the claim that it cites, or an answer that crossed it. `at` is its author's word."""

    record: bytes
    by: int
    seq: int
    kind: str
    at: int


@dataclass(frozen=True, slots=True)
class Change:
    """A ruling, or a player's own change of key. Names come from cards, reasons from players: escape both."""

    record: bytes
    by: int
    what: str
    """The ruling's `what`, or `rekey` with `by` the player themselves."""
    players: tuple[int, ...]
    """Whom it concerns."""
    why: str = ""
    name: str = ""
    """On the card that is in force from then on."""
    identity: bytes | None = None
    holds: bool = True
    """All whose say it needs have ruled so."""
    at: int = 0
    """By its author's own date."""
    claim: Said | None = None
    """Of a forfeit without an umpire."""
    crossed: tuple[Said, ...] = ()
    """What the players concerned gave without having seen it, and it without having seen that (MEA-10)."""


@dataclass(slots=True)
class Changes:
    """Collects them in the order of the archive. The records have been judged before."""

    genesis: Genesis
    found: list[Change] = field(default_factory=list)
    _votes: dict[bytes, set[int]] = field(default_factory=dict)
    _places: dict[bytes, list[int]] = field(default_factory=dict)
    _said: dict[int, deque[Said]] = field(default_factory=lambda: defaultdict(partial(deque, maxlen=_LATEST)))
    _forfeits: list[tuple[int, int, int]] = field(default_factory=list)  # place in `found`, author, number

    def see(self, record: Record, past: Vector) -> None:
        """Any record of a game in which players may rule that somebody forfeits."""
        if record.kind not in PLAY and record.kind != "claim":
            return
        said = Said(record.id, record.by, record.seq, record.kind, record.at)
        self._said[record.by].append(said)
        for place, by, seq in self._forfeits if record.kind in PLAY else ():
            change = self.found[place]
            if record.by in change.players and past[by] <= seq and len(change.crossed) < _LATEST:
                self.found[place] = replace(change, crossed=(*change.crossed, said))

    def take(self, record: Record, past: Vector) -> None:
        if len(self.found) >= MAX_TOLD:
            return
        if record.kind == "rekey":
            card = parse_card(record.data["card"])
            change = Change(record.id, record.by, "rekey", (record.by,), "", card.name, card.identity, at=record.at)
            self.found.append(change)
            return
        data, subject = record.data, subject_of(record.data)
        players, raw = concerned_by(self.genesis, data), b""
        if data["what"] == "rekey":
            raw = data["card"]
        elif data["what"] == "substitute":
            raw = parse_record(data["join"]).data["card"]
        new = parse_card(raw) if raw else None
        name, identity = (new.name, new.identity) if new is not None else ("", None)
        self._places.setdefault(subject, []).append(len(self.found))
        change = Change(
            record.id, record.by, data["what"], players, data["why"], name, identity, holds=False, at=record.at
        )
        if "claim" in data:
            claim = next((s for said in self._said.values() for s in said if s.record == data["claim"]), None)
            crossed = (s for by in players for s in self._said[by] if s.kind in PLAY and s.seq >= past[by])
            change = replace(change, claim=claim, crossed=tuple(crossed))
            self._forfeits.append((len(self.found), record.by, record.seq))
        self.found.append(change)
        votes = self._votes.setdefault(subject, set())
        votes.add(record.by)
        if votes.issuperset(rulers_of(self.genesis, record)):
            for at in self._places[subject]:
                self.found[at] = replace(self.found[at], holds=True)
