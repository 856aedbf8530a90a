"""Run in another process: an archive judged, replayed, written again, and a game played. What came of it, as JSON."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

import msgpack

from pbem.engine.archive import archive_items, verify_archive
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.protocol.container import ItemType, read
from pbem.protocol.errors import PbemError
from pbem.protocol.listing import parse_listing
from pbem.protocol.record import parse_record


def main() -> None:
    game = find("bridgehead")
    items = read(Path(sys.argv[1]).read_bytes())
    verdict = verify_archive(items)
    spoiled = verify_archive([*items[:40], *items[41:]])
    replay = Replay(lambda _: game)
    hashes = []
    for item in items:
        if item.type is ItemType.RECORD:
            try:
                replay.accept(parse_record(item.raw))
            except PbemError as refusal:
                hashes.append(refusal.code)
            hashes.append(replay.match.state_hash().hex() if replay.match else "")
    draws = [drawn for item in items if item.type is ItemType.DRAWS for drawn in parse_listing(item.raw).draws]
    made = [drawn for _, accepted in replay.history() for drawn in accepted.draws]
    table = Table(game, 2, seed="told again")
    table.play()
    print(
        json.dumps(
            {
                "verdict": [repr(verdict.ok), repr(verdict.counts), repr(verdict.audit), repr(verdict.result)],
                "state": verdict.state.hex() if verdict.state else None,
                "spoiled": repr(spoiled),
                "hashes": hashes,
                "draws": repr(draws),
                "made": made == draws,
                "again": [item.raw for item in archive_items(replay)] == [item.raw for item in items],
                "snapshot": sha256(msgpack.packb(replay.dump())).hexdigest(),
                "played": sha256(b"".join(record.raw for record in table.records)).hexdigest(),
                "packer": msgpack.Packer.__module__,
            }
        )
    )


if __name__ == "__main__":
    main()
