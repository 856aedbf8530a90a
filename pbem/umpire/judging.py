"""One archive judged at level 3, and its verdict as plain data: what a worker process or another machine runs.

Nothing here knows of a database: a worker needs no more than pbem and the rules of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from typing import Final

from pbem import __version__
from pbem.engine.archive import verify_archive
from pbem.fairplay.verify import Bad, Verdict
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.container import Item, read_stream
from pbem.protocol.errors import PbemError


class Held:
    """The items of an archive in memory, as often as they are read."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def __iter__(self) -> Iterator[Item]:
        return read_stream(BytesIO(self._raw))


def judge(raw: bytes, digest: bytes) -> dict[str, Plain]:
    """The verdict on what was kept under this digest. The same bytes give the same, wherever it is asked."""
    if sha256(raw).digest() != digest:
        return _told(Verdict(ok=False, level=3, first_bad=Bad("E-UMPIRE-JOURNAL", "", DAMAGED)))
    try:
        return _told(verify_archive(Held(raw)))
    except PbemError as error:
        return _told(Verdict(ok=False, level=3, first_bad=Bad(error.code, getattr(error, "step", ""), error.sentence)))


DAMAGED = "The archive is not the one that was kept: restore the database from a backup."


def version() -> str:
    """Asked of the workers of a cluster: verdicts of another pbem would not be the same."""
    return __version__


def _told(verdict: Verdict) -> dict[str, Plain]:
    game, counts, desync = verdict.game, verdict.counts, verdict.desync
    rules = game.offer.rules if game is not None else None
    return {
        "audited": verdict.audit is not None and not verdict.audit.missing,
        "desync": _bad(desync),
        "draws": counts.draws,
        "first_bad": _bad(verdict.first_bad),
        "game": game.game_id if game is not None else None,
        "incomplete": len(verdict.incomplete),
        "ok": verdict.ok,
        "orders": counts.orders,
        "pbem": __version__,
        "pending": [[by, what] for by, what in verdict.pending],
        "records": counts.records,
        "result": verdict.result,
        "rules": [rules.module, rules.version, rules.behaviour] if rules is not None else None,
        "state": verdict.state,
    }


_NOTHING: Final = type(None)
_FORM: Final[dict[str, tuple[type, ...]]] = {
    "audited": (bool,), "desync": (_NOTHING, dict), "draws": (int,), "first_bad": (_NOTHING, dict),
    "game": (_NOTHING, bytes), "incomplete": (int,), "ok": (bool,), "orders": (int,), "pbem": (str,),
    "pending": (list,), "records": (int,), "result": (_NOTHING, dict, list, str, bytes, int, bool),
    "rules": (_NOTHING, list), "state": (_NOTHING, bytes),
}  # fmt: skip
_FAULT: Final = ("author", "code", "record", "sentence", "step")
MAX_VERDICT: Final = 256 << 10


def is_verdict(value: object) -> bool:
    """The form of what `judge` gives, for what another machine says it gave. Whether it is true is not seen in it."""
    if type(value) is not dict or sorted(map(str, value)) != list(_FORM):
        return False
    faults = [value[key] for key in ("first_bad", "desync") if value[key] is not None]
    try:
        small = len(pack(value)) <= MAX_VERDICT
    except (ValueError, TypeError, OverflowError):
        return False
    return (
        small
        and all(type(value[key]) in kinds for key, kinds in _FORM.items())
        and all(sorted(each) == list(_FAULT) and type(each["code"]) is type(each["sentence"]) is str for each in faults)
        and not (value["ok"] and (faults or value["incomplete"]))
        and value["pbem"] == __version__
    )


def _bad(found: Bad | None) -> Plain:
    if found is None:
        return None
    return {
        "author": found.author,
        "code": found.code,
        "record": found.record,
        "sentence": found.sentence,
        "step": found.step,
    }


def why(verdict: dict[str, Plain]) -> str:
    """What is wrong with an archive that is not verified, in a sentence."""
    for key in ("first_bad", "desync"):
        match verdict[key]:
            case {"code": str(code), "sentence": str(sentence)}:
                return f"{code}: {sentence}"
    match verdict["incomplete"]:
        case int(count) if count:
            return f"E-INCOMPLETE: {count} of the records that are cited are not there."
    return "It is not verified."
