"""Everything that a home holds of a game, as items that anyone can check: for a dispute (docs/spec/case.md, CAS-3)."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from pbem.protocol.container import Item, ItemType, read_stream
from pbem.protocol.errors import Incomplete, PbemError
from pbem.protocol.fork import ForkProof, make_fork_proof, parse_fork_proof
from pbem.protocol.limits import MAX_FILE, MAX_FORKS
from pbem.protocol.log import CanonicalOrder, Log
from pbem.protocol.record import Record, parse_record
from pbem.table import archiving
from pbem.table.context import Context
from pbem.table.disk import names, read
from pbem.table.gamefile import GameFile
from pbem.table.store import GameStore


def of_game(context: Context, offer_id: bytes) -> Iterator[Item]:
    """Its records as an archive lists them, without messages, and proofs of its forks. Of a game that cannot be played
    on here, as far as its records fit together."""
    store = context.store(offer_id)
    if not store.name:
        return
    try:
        game = GameFile.load(store, context.find_game)
        found = list(archiving.items(game, messages=False))
        proofs = _forks(game)
        key = game.log.genesis.game_id if game.log.genesis is not None else None
    except PbemError:
        found, proofs, key = list(_as_they_are(store)), [], store.game_id
    listed = {proof.raw: proof for proof in (*proofs, *_kept(context, key))}
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


def _kept(context: Context, game: bytes | None) -> Iterator[ForkProof]:
    """The proofs of this game's forks that came here, or were made when a record was refused."""
    folder = context.home.proofs
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
    log, waiting = Log(), [parse_record(each.raw) for each in store.records()]
    waiting += [parse_record(raw) for raw in store.all_loose("answers")]
    held: dict[bytes, Record] = {}
    while waiting:
        left = []
        for record in waiting:
            try:
                log.add(record)
                held[record.id] = record
            except Incomplete:
                left.append(record)
            except PbemError:
                continue
        if len(left) == len(waiting):
            break
        waiting = left
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
