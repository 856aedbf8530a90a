"""What the program makes of whole games, by their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.engine.archive import verify_archive
from pbem.protocol import container
from pbem.protocol.errors import Refusal
from pbem.protocol.listing import parse_listing
from tools.vectors.vector import Vector


def _game(vector: Vector) -> dict[str, str]:
    items = container.read(vector.payload)
    verdict = verify_archive(items)
    bad = verdict.first_bad or verdict.desync
    if bad is not None:
        raise Refusal(bad.code, bad.sentence, step=bad.step)
    if verdict.incomplete:
        raise Refusal("E-INCOMPLETE", "Records are missing.", step="LOG-5")
    assert verdict.state is not None
    listed = [parse_listing(item.raw) for item in items if item.type is container.ItemType.DRAWS]
    result: Any = verdict.result
    return {
        "level": str(verdict.level),
        "records": str(verdict.counts.records),
        "draws": str(verdict.counts.draws),
        "moot": str(sum(len(each.moot) for each in listed)),
        "state": verdict.state.hex(),
        "result": "-" if result is None else f"{result['how']} {result['winner'] or '-'}",
        "pending": " ".join(f"{by}:{what}" for by, what in verdict.pending) or "-",
    }


GAME_JUDGES: dict[str, Callable[[Vector], dict[str, str]]] = {"game": _game}
