"""The canonical order in which the records of a log take effect (docs/spec/record.md, MEA-1).

Among the records whose past has been taken, one of class `play` goes before an act, then the lower author number. Each
author has at most one such record, so the order is a sequence of authors: a record's number in its chain follows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.protocol.canonical import Plain
from pbem.protocol.chains import Place, Vector
from pbem.protocol.kinds import PLAY

_ACT = 0x80


def rank(by: int, kind: str) -> int:
    """Of two records that could be taken next, the one of lower rank is."""
    return by if kind in PLAY else by | _ACT


class Entry(NamedTuple):
    """What the order needs to know of a record: the numbers of records in its past, its author's own as well."""

    by: int
    rank: int
    past: Vector


def canonical_order(authors: Sequence[int], chains: Mapping[int, Sequence[Entry]]) -> Iterator[Place]:
    """MEA-1 as it stands: the places of all records of these chains, which hold the past of each."""
    columns = range(len(authors))
    taken = [0] * len(authors)
    total = sum(map(len, chains.values()))
    while sum(taken) < total:
        ready = []
        for column in columns:
            chain = chains.get(authors[column], ())
            if taken[column] < len(chain):
                entry = chain[taken[column]]
                if all(entry.past[c] <= taken[c] for c in columns):
                    ready.append((entry.rank, column))
        if not ready:
            raise ValueError("the records do not hold their own past")
        _, column = min(ready)
        yield authors[column], taken[column]
        taken[column] += 1


class CanonicalOrder:
    """The order of a growing set. One byte a record, and four for its place."""

    __slots__ = ("_authors", "_columns", "_places", "_ranks")

    def __init__(self, authors: Iterable[int]) -> None:
        self._authors = tuple(authors)
        self._columns = {by: n for n, by in enumerate(self._authors)}
        self._ranks = bytearray()
        self._places = [array("I") for _ in self._authors]

    def __len__(self) -> int:
        return len(self._ranks)

    def __iter__(self) -> Iterator[Place]:
        return self.since(0)

    def since(self, at: int) -> Iterator[Place]:
        """The records from place `at` on."""
        counts = dict(zip(self._authors, self.counts(at), strict=True))
        for entry in self._ranks[at:]:
            by = entry & ~_ACT
            yield by, counts[by]
            counts[by] += 1

    def counts(self, at: int) -> tuple[int, ...]:
        """How many of each author's records stand before place `at`."""
        ranks = self._ranks
        return tuple([ranks.count(by, 0, at) + ranks.count(by | _ACT, 0, at) for by in self._authors])

    def at(self, by: int, seq: int) -> int:
        """Where a record stands."""
        return self._places[self._columns[by]][seq]

    def place(self, entry: Entry) -> int:
        """Where a record goes that ends its author's chain: `len(self)` if it simply comes after all others.

        It is taken as soon as its past is, except that of the records taken from there on those of lower rank go first.
        No other record depends on it, so the others keep their order.
        """
        if sum(entry.past) == len(self._ranks):
            return len(self._ranks)  # its past is everything
        at = 0
        for places, count in zip(self._places, entry.past, strict=True):
            if count:
                at = max(at, places[count - 1] + 1)
        ranks = self._ranks
        while at < len(ranks) and ranks[at] < entry.rank:
            at += 1
        return at

    def appends(self, entry: Entry) -> bool:
        return self.place(entry) == len(self)

    def append(self, entry: Entry) -> bool:
        """Put a record at the end, if that is where it goes."""
        if sum(entry.past) != len(self._ranks) and not self.appends(entry):
            return False
        self._put(entry, len(self._ranks))
        return True

    def follow(self, by: int, rank: int) -> None:
        """Put a record at the end whose past is everything."""
        self._places[self._columns[by]].append(len(self._ranks))
        self._ranks.append(rank)

    def insert(self, entry: Entry) -> int:
        """Put a record where it goes."""
        at = self.place(entry)
        self._put(entry, at)
        return at

    def _put(self, entry: Entry, at: int) -> None:
        column = self._columns[entry.by]
        if entry.past[column] != len(self._places[column]):
            raise ValueError("not the next record of its author")
        if at < len(self._ranks):
            self._places = [array("I", (n + (n >= at) for n in places)) for places in self._places]
        self._ranks.insert(at, entry.rank)
        self._places[column].append(at)

    def dump(self) -> Plain:
        """One byte a record."""
        return bytes(self._ranks)

    @classmethod
    def load(cls, authors: Iterable[int], plain: bytes) -> CanonicalOrder:
        order = cls(authors)
        order._ranks = bytearray(plain)
        for at, entry in enumerate(plain):
            order._places[order._columns[entry & ~_ACT]].append(at)
        return order
