"""Whole games as one file, and what checking one tells."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from pbem.engine.archive import archive_items, verify_archive
from pbem.fairplay.verify import Verdict
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.container import Item, read_stream, write_stream
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, GameFinder
from pbem.table.store import GameStore
from pbem.table.tableerror import TableError

_AUDIT = "audit"


def archive(context: Context, name: str, *, messages: bool) -> Iterator[bytes]:
    """The parts of the file, one after another."""
    game = context.load(name)
    if game.log.genesis is None:
        raise TableError("E-NOT-NOW", f"{game.name} has not started yet: there is nothing to archive.")
    return write_stream(items(game, messages=messages))


def items(game: GameFile, *, messages: bool) -> Iterator[Item]:
    store = game.store
    beside: dict[bytes, bytes] = {}
    if messages:
        for record in game.replay.records():
            raw = store.loose("messages", record.id) if record.note is not None else None
            if raw is not None:
                beside[record.id] = raw
    replaced: list[bytes] = []
    for file, digest in game.offer.replaced:
        data = store.loose("replaced", digest)
        if data is not None:
            pair: list[Plain] = [file, data]
            replaced.append(pack(pair))
    return archive_items(game.replay, beside, replaced)


def check(raw: bytes, find: GameFinder) -> Verdict:
    """An archive judged by everything: chain, chance, rules, and the audit if all is open."""
    return verify_archive(list(read_stream(BytesIO(raw))), find)


def sentence(verdict: Verdict) -> str:
    """What a check found."""
    if verdict.desync is not None:
        return f"{verdict.desync.code}: {verdict.desync.sentence}"
    if verdict.first_bad is not None:
        return f"{verdict.first_bad.code}: {verdict.first_bad.sentence}"
    if verdict.incomplete:
        return "Records are missing in it."
    counts = verdict.counts
    whole = verdict.audit is not None and not verdict.audit.missing
    audit = " The secrets are all open and check." if whole else ""
    return f"{counts.records} records, {counts.orders} orders, {counts.dice} dice: all of it checks.{audit}"


def audit(game: GameFile, find: GameFinder) -> str:
    """Once everything has been opened: the whole game checked again with all secrets (MEA-12). Done once and kept."""
    kept = audited(game.store)
    if kept is not None:
        return kept
    verdict = verify_archive(list(items(game, messages=False)), find)
    found = "" if verdict.ok else sentence(verdict)
    game.store.set_private(_AUDIT, pack(found))
    return found


def audited(store: GameStore) -> str | None:
    """None: no audit yet; empty: it passed; else what it found."""
    raw = store.private(_AUDIT)
    if raw is None:
        return None
    value = unpack(raw)
    return value if isinstance(value, str) else None
