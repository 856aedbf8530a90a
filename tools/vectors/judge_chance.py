"""Judges of the vectors of chances.py and games.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.fairplay.chance import check_drawn, check_value, group_key, permutation
from pbem.fairplay.secret import GameSecrets, open_own
from pbem.fairplay.verify import verify
from pbem.protocol import canonical, container
from pbem.protocol.errors import Refusal
from pbem.protocol.listing import Drawn
from pbem.protocol.record import parse_record
from tools.vectors.chances import facts_of_secret
from tools.vectors.vector import Vector

Facts = dict[str, str]


def _archive(vector: Vector) -> Facts:
    items = container.read(vector.payload)
    verdict = verify(items)
    if verdict.first_bad is not None:
        raise Refusal(verdict.first_bad.code, verdict.first_bad.sentence, step=verdict.first_bad.step)
    if verdict.incomplete:
        raise Refusal("E-INCOMPLETE", "Records are missing.", step="LOG-5")
    assert verdict.game is not None
    last = [item for item in items if item.type is container.ItemType.RECORD][-1]
    return {
        "game": verdict.game.game_id.hex(),
        "records": str(verdict.counts.records),
        "last": parse_record(last.raw).id.hex(),
    }


def _secret(vector: Vector) -> Facts:
    seed, commitment = (bytes.fromhex(vector.facts[name]) for name in ("seed", "nonce-commitment"))
    return facts_of_secret(GameSecrets(seed, open_own(seed, commitment, vector.payload)), seed)


def _chain(vector: Vector) -> Facts:
    facts = vector.facts
    cid, known = bytes.fromhex(facts["cid"]), bytes.fromhex(facts["known"])
    check_value(cid, int(facts["i"]), vector.payload, int(facts["known-i"]), known)
    return facts


def _key(vector: Vector) -> Facts:
    rows: Any = canonical.unpack(vector.payload)
    made = group_key(bytes.fromhex(vector.facts["game"]), [tuple(row) for row in rows])
    if made.hex() != vector.facts["key"]:
        raise Refusal("E-DRAW", "Another key.", step="CHA-6")
    return vector.facts


def _draw(vector: Vector) -> Facts:
    facts = vector.facts
    occurrence, sides = int(facts["occurrence"]), int(facts["sides"])
    check_drawn(Drawn((), facts["label"], occurrence, sides, _numbers(facts["results"])), vector.payload)
    return facts


def _permutation(vector: Vector) -> Facts:
    if permutation(vector.payload, int(vector.facts["things"])) != _numbers(vector.facts["order"]):
        raise Refusal("E-DRAW", "Another order.", step="CHA-10")
    return vector.facts


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


CHANCE_JUDGES: dict[str, Callable[[Vector], Facts]] = {
    "archive": _archive,
    "chain": _chain,
    "draw": _draw,
    "key": _key,
    "permutation": _permutation,
    "secret": _secret,
}
