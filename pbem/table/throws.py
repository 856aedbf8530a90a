"""Every draw of an archive, made again from its key, and whose dice they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pbem.engine.registry import find
from pbem.fairplay.verify import Level2
from pbem.protocol.container import Item
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis
from pbem.protocol.listing import Drawn, Listing
from pbem.protocol.reading import Reading
from pbem.table.fairness import Fairness, fairness

FEW_SIDES: Final = 20  # a fairness test is made for dice; draws from more sides are rather of cards


@dataclass(frozen=True, slots=True)
class Thrown:
    """A draw, checked against its key. `by` are the players whose choice it follows; nobody: before any choice."""

    drawn: Drawn
    key: bytes
    by: tuple[int, ...]
    records: tuple[str, ...]


def read(archive: Iterable[Item]) -> tuple[Genesis, list[Thrown]]:
    """Every listed draw, after chain, signatures and chance have been checked (level 2); a Refusal otherwise."""
    reading = Reading()
    second = Level2(reading)
    found: list[Thrown] = []
    for taken in reading.read(archive):
        second.take(taken)
        if isinstance(taken, Listing) and second.ledger is not None:
            for drawn in taken.draws:
                key = second.ledger.key(drawn.group)
                assert key is not None
                places = [place for place in map(reading.log.find, drawn.group) if place is not None]
                found.append(
                    Thrown(drawn, key, tuple(by for by, _ in places), tuple(f"{by}:{seq}" for by, seq in places))
                )
    reading.finish()
    if reading.genesis is None:
        raise Refusal("E-ARCHIVE", "There is no started game in this file.", step="FIL-4")
    return reading.genesis, found


def owners(genesis: Genesis, each: Thrown) -> tuple[int, ...]:
    """Whose dice these are: of whom the game says, else of the seat that the label names, else of those whose choice
    they follow. Of several who may have thrown them, nobody's."""
    seats = {seat.name: seat.player for seat in genesis.offer.seats}
    thrown_by = _thrown_by(genesis.offer.rules.module)
    may = {seats[seat] for seat in thrown_by(each.drawn.label) if seat in seats} if thrown_by else set()
    if may:
        return tuple(may) if len(may) == 1 else ()
    named = tuple(seats[part] for part in each.drawn.label.split("/") if part in seats)
    return named[:1] or each.by


@lru_cache(8)
def _thrown_by(module: str) -> Callable[[str], tuple[str, ...]] | None:
    """None: the game does not say, or is not installed, and dice are read without its rules."""
    try:
        return find(module).thrown_by
    except Refusal:
        return None


def tested(genesis: Genesis, draws: Iterable[Thrown]) -> Iterator[tuple[int, Fairness]]:
    """A test for each player and kind of die."""
    owned = [(owners(genesis, each), each.drawn) for each in draws]
    for by in genesis.players:
        mine = [drawn for players, drawn in owned if by in players]
        for sides in sorted({drawn.sides for drawn in mine if 2 <= drawn.sides <= FEW_SIDES}):
            yield by, fairness([n for drawn in mine if drawn.sides == sides for n in drawn.results], sides)
