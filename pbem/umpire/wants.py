"""Acts that are wanted of the keeper, nothing twice: the mark of an act says what it is about."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.protocol.canonical import Packable
from pbem.umpire.db import models, queries
from pbem.umpire.db.applying import next_id
from pbem.umpire.db.database import Writing
from pbem.umpire.deskrows import ActRow
from pbem.umpire.umpireerror import UmpireError


def want(
    writing: Writing, tournament: int, pairing: int | None, kind: str, data: Mapping[str, Packable], about: str = ""
) -> ActRow:
    """Refused while the same is wanted already or was done; after a failure it may be wanted again."""
    base = "/".join(part for part in (kind, str(pairing or f"t{tournament}"), about) if part)
    number = 0
    while (held := queries.act_by_mark(writing.session, f"{base}#{number}")) is not None:
        if held.state in ("wanted", "taken", "done"):
            raise UmpireError(
                "E-NO-NEED", f"This is {held.state} already: {kind}, act {held.id}. See: pbem umpire acts"
            )
        number += 1
    made = next_id(writing.session, models.Act)
    writing.record(
        "wanted",
        {
            "data": data,
            "id": made,
            "kind": kind,
            "mark": f"{base}#{number}",
            "pairing": pairing,
            "tournament": tournament,
        },
    )
    return queries.act(writing.session, made)


def wanted(writing: Writing, tournament: int, pairing: int | None, kind: str, about: str = "") -> bool:
    """It is wanted, or was done; what failed counts as wanted, too: a person looks at it first."""
    base = "/".join(part for part in (kind, str(pairing or f"t{tournament}"), about) if part)
    return queries.act_by_mark(writing.session, f"{base}#0") is not None
