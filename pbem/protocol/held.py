"""What a log holds: the main chains and side branches, who signs, what is void; and how it is kept (LOG-1..LOG-10)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.protocol.canonical import Plain
from pbem.protocol.card import Card
from pbem.protocol.chains import Chain, Fork, Place
from pbem.protocol.genesis import Genesis, Join, Offer
from pbem.protocol.opening import Opening
from pbem.protocol.record import Heads, Record
from pbem.protocol.rows import Vector
from pbem.protocol.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling that holds: the records that make it, and its weight among rulings about one player."""

    ruling: Ruling
    members: tuple[Place, ...]
    weight: tuple[int, int]


class Held:
    """State of a log, and what anybody may ask it."""

    __slots__ = (
        "_columns",
        "_main",
        "_opening",
        "_ruling_records",
        "_sides",
        "_votes",
        "forks",
        "revision",
        "ruled",
    )

    def __init__(self) -> None:
        self._opening = Opening()
        self._columns: dict[int, int] = {}
        self._main: dict[int, Chain] = {}
        self._sides: dict[bytes, dict[int, int]] = {}
        self._votes: dict[bytes, dict[int, Place]] = {}
        self._ruling_records: list[Record] = []
        self.forks: list[Fork] = []
        self.ruled: list[Ruled] = []
        self.revision = 0
        """Rises when a ruling changes which records count; whoever folded the log begins again."""

    # What is held

    @property
    def offer(self) -> Offer | None:
        return self._opening.offer

    @property
    def genesis(self) -> Genesis | None:
        return self._opening.genesis

    @property
    def opening(self) -> tuple[Record, ...]:
        """Offer, joins (before the start: every answer held) and start."""
        return self._opening.records()

    @property
    def candidates(self) -> dict[bytes, Join]:
        """The joins held, by record id."""
        return self._opening.joins()

    @property
    def authors(self) -> tuple[int, ...]:
        """The order of the places of a vector."""
        return self._opening.offer.authors if self._opening.offer else ()

    def column(self, by: int) -> int:
        return self._columns[by]

    @property
    def vector(self) -> Vector:
        """How many records of each author are held, once the game has started."""
        return tuple([len(chain.rows) for chain in self._main.values()])

    def count(self, by: int) -> int:
        return self._main[by].end if by in self._main else 0

    def id_at(self, by: int, seq: int) -> bytes | None:
        return self._main[by].id(seq) if by in self._main else None

    def last(self, by: int) -> bytes | None:
        return self.id_at(by, self.count(by) - 1)

    def past_at(self, by: int, seq: int) -> Vector:
        return self._main[by].row(seq)[1]

    def find(self, record_id: bytes) -> Place | None:
        """Author and sequence number of a record that stands in a main chain."""
        for by, chain in self._main.items():
            seq = chain.find(record_id)
            if seq is not None:
                return by, seq
        return None

    def has(self, record: Record) -> bool:
        """Whether this very record is held. Takes no longer in a long game."""
        if self.id_at(record.by, record.seq) == record.id:
            return True
        genesis = self._opening.genesis
        if (genesis is None or record.game != genesis.game_id) and self._opening.holds(record.id):
            return True
        return bool(self.forks) and any(
            fork.by == record.by and fork.side.id(record.seq) == record.id for fork in self.forks
        )

    def holds(self, record_id: bytes) -> bool:
        """Whether a record with this id is held, wherever."""
        if self.find(record_id) is not None or self._opening.holds(record_id):
            return True
        return any(fork.side.find(record_id) is not None for fork in self.forks)

    def past(self, record_id: bytes) -> Vector:
        """The vector of a record's past. KeyError: it is not held in a main chain."""
        place = self.find(record_id)
        if place is None:
            raise KeyError(record_id)
        return self.past_at(*place)

    def is_void(self, record_id: bytes) -> bool:
        """It descends from the side branch of a fork: it stands in its chain and has no effect (MEA-10)."""
        return bool(self._sides) and record_id in self._sides

    def card_of(self, by: int, seq: int | None = None) -> Card:
        """The card whose keys an author uses: at his record `seq`, or now, rulings counted."""
        if not self._main:
            raise KeyError(by)
        chain = self._main[by]
        if seq is not None:
            return chain.card_at(seq)
        return self._card_for(by, chain, self.vector, chain.row(chain.end - 1)[1])

    def cards_of(self, by: int) -> tuple[Card, ...]:
        """All the cards that an author has signed with, the one in force last."""
        return tuple(dict.fromkeys([*(card for _, card in self._main[by].keys), self.card_of(by)]))

    def key_of(self, by: int) -> bytes:
        return self.card_of(by).sign

    def heads(self, by: int) -> Heads:
        """What the next record of this author cites: the last good record of everybody else."""
        out = []
        undecided = {number for number, fork in enumerate(self.forks) if not fork.rulers}
        for other in self.authors:
            if other == by or other not in self._main:
                continue
            chain = self._main[other]
            seq = chain.end - 1
            while seq > 0 and undecided & self._sides.get(chain.rows.id(seq), {}).keys():
                seq -= 1
            out.append((other, chain.rows.id(seq)))
        return tuple(out)

    def chosen(self, fork: Fork) -> dict[int, bytes]:
        """Which of the fork's two records each player has ruled to keep, whether the ruling holds or not (MEA-10)."""
        rivals = {self.id_at(fork.by, fork.seq), fork.first}
        said = [record for record in self._ruling_records if record.data["what"] == "branch"]
        return {each.by: each.data["keep"] for each in said if {each.data["keep"], each.data["drop"]} == rivals}

    def knows_decision(self, record: Record) -> bool:
        """Whether a ruling `branch` holds in the past of this record, whose heads are held (MEA-8)."""
        heads = dict(record.heads)

        def saw(by: int, seq: int) -> bool:
            place = self.find(heads[by]) if by in heads else None
            return record.seq > seq if by == record.by else place is not None and place[1] >= seq

        return any(fork.rulers and all(saw(*member) for member in fork.rulers) for fork in self.forks)

    def _contains(self, past: list[int] | Vector, members: tuple[Place, ...]) -> bool:
        return all(past[self._columns[by]] > seq for by, seq in members)

    def _card_for(self, by: int, chain: Chain, past: Vector, before: Vector) -> Card:
        """Whose key signs a record with this past (LOG-7): the chain's, unless a ruling changed it since."""
        newest: Ruled | None = None
        for ruled in self.ruled:
            if ruled.ruling.player != by or ruled.ruling.card is None:
                continue
            fresh = self._contains(past, ruled.members) and not self._contains(before, ruled.members)
            if fresh and (newest is None or ruled.weight > newest.weight):
                newest = ruled
        if newest is not None and newest.ruling.card is not None:
            return newest.ruling.card
        return chain.card_at(chain.end)

    def _signer(self, by: int, seq: int) -> bytes:
        return self._main[by].card_at(seq).sign

    def _place_held(self, record_id: bytes) -> Place | None:
        for fork in self.forks:
            if record_id == fork.first or fork.side.find(record_id) is not None:
                return fork.by, fork.side.find(record_id) or fork.seq
        return self.find(record_id)

    # Keeping

    def dump(self) -> Plain:
        chains: list[Plain] = []
        for by, chain in self._main.items():
            chains.append([by, bytes(chain.rows.data), _dump_keys(chain)])
        forks: list[Plain] = [
            [
                fork.by,
                fork.seq,
                fork.first,
                bytes(fork.side.rows.data),
                _dump_keys(fork.side),
                [[by, seq] for by, seq in fork.rulers],
                fork.keep,
            ]
            for fork in self.forks
        ]
        sides: list[Plain] = [[key, [[n, c] for n, c in side.items()]] for key, side in self._sides.items()]
        return {
            "chains": chains,
            "forks": forks,
            "opening": [record.raw for record in self.opening],
            "revision": self.revision,
            "rulings": [record.raw for record in self._ruling_records],
            "sides": sides,
        }


def _dump_keys(chain: Chain) -> Plain:
    return [[first, card.raw] for first, card in chain.keys]
