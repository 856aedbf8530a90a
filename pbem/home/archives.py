"""Whole games as one file, the verdict on one, what is kept of a game for a dispute (CAS-3), and the draws of an
archive with tests of fairness. These statistics are for people and never replayed, so they may use floats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from io import BytesIO
from math import comb, erfc, exp, factorial, lgamma, log, prod, sqrt
from typing import Final

from pbem.engine.archive import archive_items, verify_archive
from pbem.engine.registry import find
from pbem.fairplay.verify import Level2, Verdict
from pbem.home.disk import HomeError, names, read
from pbem.home.gamefile import GameFile, GameFinder, GameStore
from pbem.home.outbox import replaced_items
from pbem.home.root import Home
from pbem.protocol.container import Item, ItemType, read_stream, write_stream
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.fork import ForkProof, make_fork_proof, parse_fork_proof
from pbem.protocol.genesis import Genesis
from pbem.protocol.limits import MAX_FILE, MAX_FORKS
from pbem.protocol.listing import Drawn, Listing
from pbem.protocol.log import CanonicalOrder, Log, in_any_order
from pbem.protocol.reading import Reading
from pbem.protocol.record import Record, parse_record


def archive(home: Home, name: str, *, messages: bool = True) -> Iterator[bytes]:
    """The parts of the file, one after another."""
    game = home.load(name)
    if game.log.genesis is None:
        raise HomeError("E-NOT-NOW", f"{game.name} has not started yet: there is nothing to archive.")
    return write_stream(archived(game, messages=messages))


def archived(game: GameFile, *, messages: bool) -> Iterator[Item]:
    store = game.store
    beside: dict[bytes, bytes] = {}
    if messages:
        for record in game.replay.records():
            raw = store.loose("messages", record.id) if record.note is not None else None
            if raw is not None:
                beside[record.id] = raw
    return archive_items(game.replay, beside, [item.raw for item in replaced_items(game)])


def check_archive(raw: bytes, find: GameFinder) -> Verdict:
    """An archive judged by everything: chain, chance, rules, and the audit if all is open."""
    return verify_archive(list(read_stream(BytesIO(raw))), find)


def verdict_sentence(verdict: Verdict) -> str:
    """What a check found."""
    if (bad := verdict.desync or verdict.first_bad) is not None:
        return str(bad)
    if verdict.incomplete:
        return "Records are missing in it."
    counts = verdict.counts
    whole = verdict.audit is not None and not verdict.audit.missing
    audit = " All secrets are open and correct." if whole else ""
    return f"{counts.records} records, {counts.orders} orders, {counts.dice} dice: everything is correct.{audit}"


def audit(game: GameFile, find: GameFinder) -> str:
    """Once everything has been opened: the whole game checked again with all secrets (MEA-12). Done once and kept."""
    kept = game.store.state.audit
    if kept is not None:
        return kept
    verdict = verify_archive(list(archived(game, messages=False)), find)
    found = "" if verdict.ok else verdict_sentence(verdict)
    game.store.change(audit=found)
    return found


def evidence(home: Home, offer_id: bytes) -> Iterator[Item]:
    """Its records as an archive lists them, without messages, and proofs of its forks. Of a game that cannot be played
    on here, as far as its records fit together."""
    store = home.store(offer_id)
    if not store.name:
        return
    try:
        game = GameFile.load(store, home.find_game)
        found = list(archived(game, messages=False))
        proofs = _forks(game)
        key = game.log.genesis.game_id if game.log.genesis is not None else None
    except PbemError:
        found, proofs, key = list(_as_they_are(store)), [], store.game_id
    listed = {proof.raw: proof for proof in (*proofs, *_kept_proofs(home, key))}
    yield from found
    if any(item.type is ItemType.RECORD for item in found):
        yield from (Item(ItemType.FORK, raw) for raw in sorted(listed)[:MAX_FORKS])


def _forks(game: GameFile) -> list[ForkProof]:
    """Both records of every fork; of a side branch nothing else can matter before a ruling has chosen it."""
    found = []
    for fork in game.log.forks:
        main = game.log.id_at(fork.by, fork.seq)
        if main is not None:
            one, other = (parse_record(game.raw_by_id(each)) for each in (main, fork.first))
            found.append(make_fork_proof(one, other, game.signer_of(one)))
    return found


def _kept_proofs(home: Home, game: bytes | None) -> Iterator[ForkProof]:
    """The proofs of this game's forks that came here, or were made when a record was refused."""
    folder = home.paths.proofs
    for name in names(folder) if game is not None else ():
        raw = read(folder / name, MAX_FILE)
        try:
            for item in read_stream(BytesIO(raw or b"")):
                proof = parse_fork_proof(item.raw) if item.type is ItemType.FORK else None
                if proof is not None and proof.first.game == game:
                    yield proof
        except PbemError:
            continue  # something else that lies in the folder


def _as_they_are(store: GameStore) -> Iterator[Item]:
    """By chains and signatures alone, where the rules cannot be asked."""
    log, held = Log(), dict[bytes, Record]()

    def take(record: Record) -> None:
        with suppress(Refusal):
            log.add(record)
            held[record.id] = record

    in_any_order(map(parse_record, (*(each.raw for each in store.records()), *store.all_loose("answers"))), take)
    for record in log.opening:
        yield Item(ItemType.RECORD, record.raw)
    if log.genesis is None:
        return
    opening = {record.id for record in log.opening}
    entries = (
        log.entry(held[key])
        for by in log.authors
        for seq in range(log.count(by))
        if (key := log.id_at(by, seq)) is not None
    )
    for by, seq in CanonicalOrder.of(log.authors, entries):
        key = log.id_at(by, seq)
        if key is not None and key not in opening:
            yield Item(ItemType.RECORD, held[key].raw)


_EXACT_CELLS = 20_000  # compositions that the exact test may walk


@dataclass(frozen=True, slots=True)
class Fairness:
    """A test of `count` results of a die with `sides` sides."""

    sides: int
    count: int
    faces: tuple[int, ...]
    mean: float
    expected: float
    low: float
    high: float
    chi2: float
    p: float
    exact: bool

    @property
    def verdict(self) -> str:
        """One sentence that does not claim more than the sample bears."""
        if self.count < 5 * self.sides:
            return f"Too few dice to tell much: below {5 * self.sides} even a loaded die would often look fair."
        if self.p < 0.001:
            return "Fair dice are rarely this uneven (less than once in a thousand samples)."
        if self.p < 0.05:
            return "A little uneven; one fair sample in twenty looks like this."
        return "Nothing unusual."


def fairness(results: Sequence[int], sides: int) -> Fairness:
    """Chi-square against the even die, and the mean with the interval in which it lies for 95 of 100 fair samples."""
    count = len(results)
    tally = Counter(results)
    faces = tuple(tally.get(face, 0) for face in range(1, sides + 1))
    expected = (sides + 1) / 2
    spread = sqrt((sides * sides - 1) / 12 / count) if count else 0.0
    chi2 = sum((n - count / sides) ** 2 for n in faces) * sides / count if count else 0.0
    exact = count > 0 and comb(count + sides - 1, sides - 1) <= _EXACT_CELLS
    return Fairness(
        sides=sides,
        count=count,
        faces=faces,
        mean=sum(results) / count if count else expected,
        expected=expected,
        low=max(1.0, expected - 1.96 * spread),
        high=min(float(sides), expected + 1.96 * spread),
        chi2=chi2,
        p=(exact_p(faces) if exact else chi2_p(chi2, sides - 1)) if count else 1.0,
        exact=exact,
    )


def exact_p(faces: Sequence[int]) -> float:
    """The chance that fair dice come out at least as uneven as this: a sum over all tallies."""
    count, sides = sum(faces), len(faces)
    limit = sum(n * n for n in faces)
    total = Fraction(0)
    for tally in _partitions(count, sides, count):
        if sum(n * n for n in tally) >= limit:
            ways = factorial(count) // prod(factorial(n) for n in tally)
            orders = factorial(sides) // prod(factorial(n) for n in Counter(tally).values())
            total += ways * orders
    return float(total / sides**count)


def _partitions(count: int, cells: int, largest: int) -> Sequence[tuple[int, ...]]:
    """The ways to put `count` into `cells` cells, descending."""
    if cells == 1:
        return [(count,)] if count <= largest else []
    return [
        (first, *rest)
        for first in range(min(count, largest), -1, -1)
        if first * cells >= count
        for rest in _partitions(count - first, cells - 1, first)
    ]


def chi2_p(value: float, freedom: int) -> float:
    """P(chi-square with `freedom` degrees >= value): Q(a, x) of the incomplete gamma function, for a = freedom / 2 from
    Q(1/2, x) or Q(1, x) upwards."""
    if value <= 0:
        return 1.0
    x = value / 2
    a, found = (0.5, erfc(sqrt(x))) if freedom % 2 else (1.0, exp(-x))
    while a < freedom / 2:
        found += exp(a * log(x) - x - lgamma(a + 1))
        a += 1
    return min(1.0, found)


FEW_SIDES: Final = 20  # a fairness test is made for dice; draws from more sides are rather of cards


@dataclass(frozen=True, slots=True)
class Thrown:
    """A draw, checked against its key. `by` are the players whose choice it follows; nobody: before any choice."""

    drawn: Drawn
    key: bytes
    by: tuple[int, ...]
    records: tuple[str, ...]


def read_throws(archive: Iterable[Item]) -> tuple[Genesis, list[Thrown]]:
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
    thrown_by = thrown_by_rule(genesis.offer.rules.module)
    may = {seats[seat] for seat in thrown_by(each.drawn.label) if seat in seats} if thrown_by else set()
    if may:
        return tuple(may) if len(may) == 1 else ()
    named = tuple(seats[part] for part in each.drawn.label.split("/") if part in seats)
    return named[:1] or each.by


@lru_cache(8)
def thrown_by_rule(module: str) -> Callable[[str], tuple[str, ...]] | None:
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
