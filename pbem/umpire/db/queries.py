"""Reading the tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pbem.engine.obligation import ORDERS
from pbem.umpire import UmpireError
from pbem.umpire.db.deskrows import (
    TABLES,
    ActRow,
    BlobRow,
    EntrantRow,
    Entry,
    HeldRow,
    MoveRow,
    PairingRow,
    RatingRow,
    RoundRow,
    TournamentRow,
    every,
    find,
    get,
    highest,
)


def tournaments(db: Connection) -> list[TournamentRow]:
    return every(db, TournamentRow, "id")


def tournament(db: Connection, name: str) -> TournamentRow:
    """By its name, or an unambiguous beginning of it."""
    found = [row for row in tournaments(db) if row.name == name]
    found = found or [row for row in tournaments(db) if name and row.name.startswith(name)]
    if not found:
        raise UmpireError("E-UNKNOWN", f"There is no tournament {name[:60]!r}. See: pbem umpire list")
    if len(found) > 1:
        names = ", ".join(row.name for row in found)
        raise UmpireError("E-UNKNOWN", f"{name[:60]!r} may be {names}. Give more of the name.")
    return found[0]


def entrants(db: Connection, of: int) -> list[EntrantRow]:
    return every(db, EntrantRow, "number", tournament=of)


def entrant(db: Connection, of: int, query: str) -> EntrantRow:
    """By number, which no name stands in the way of, or by an unambiguous beginning of their name."""
    wanted = query.strip().casefold()
    everybody = entrants(db, of)
    found = [each for each in everybody if wanted == str(each.number)]
    found = found or [each for each in everybody if wanted == each.name.casefold()]
    found = found or [each for each in everybody if wanted and each.name.casefold().startswith(wanted)]
    if len(found) != 1:
        names = ", ".join(f"{each.name} ({each.number})" for each in found[:5])
        may_be = f"{query[:60]!r} may be {names}." if found else f"Nobody called {query[:60]!r} has entered."
        raise UmpireError("E-UNKNOWN", f"{may_be} Give the number that `pbem umpire entrants` shows.")
    return found[0]


def check_round(db: Connection, of: int, number: int) -> None:
    """E-UNKNOWN where it has not been paired."""
    if find(db, RoundRow, tournament=of, number=number) is None:
        raise UmpireError("E-UNKNOWN", f"Round {number} has not been paired. See: pbem umpire rounds")


def rounds(db: Connection, of: int) -> list[RoundRow]:
    by_round: dict[int, list[PairingRow]] = {}
    for pairing in pairings(db, of):
        by_round.setdefault(pairing.round, []).append(pairing)
    found = every(db, RoundRow, "number", tournament=of)
    return [replace(row, pairings=tuple(by_round.get(row.number, ()))) for row in found]


def pairings(db: Connection, of: int, states: tuple[str, ...] = ()) -> list[PairingRow]:
    wanted: dict[str, Any] = {"state": states} if states else {}
    return every(db, PairingRow, "round", "board", "mirror", tournament=of, **wanted)


def pairing(db: Connection, number: int) -> PairingRow:
    return get(db, PairingRow, id=number)


def find_pairing(db: Connection, of: int, query: str) -> PairingRow:
    """By its label, `2.14` or `2.14b`, or by the name of its game."""
    wanted = query.strip().casefold()
    found = [each for each in pairings(db, of) if wanted and wanted in (each.label, each.game.casefold())]
    if not found:
        raise UmpireError(
            "E-UNKNOWN",
            f"There is no pairing {query[:60]!r}. Write round and board, such as 2.14, or a game's name.",
        )
    return found[0]


def answered(db: Connection, pairing: int) -> set[bytes]:
    """The records that the ledger of a game has."""
    c = TABLES[MoveRow].c
    return set(db.execute(sql.select(c.record).where(c.pairing == pairing)).scalars())


def has_orders(db: Connection, pairing: int) -> bool:
    """Somebody has ordered something in this game, as far as the ledger knows."""
    return find(db, MoveRow, pairing=pairing, what=ORDERS) is not None


def held(db: Connection) -> HeldRow | None:
    """None: every mail of the desk has left."""
    row = find(db, HeldRow, id=1)
    return row if row is not None and row.count else None


def blob(db: Connection, sha256: bytes) -> bytes | None:
    row = find(db, BlobRow, sha256=sha256)
    return None if row is None else row.raw


def ratings(db: Connection, of: int) -> list[RatingRow]:
    return every(db, RatingRow, "round", "entrant", tournament=of)


def acts(db: Connection, of: int | None = None, states: tuple[str, ...] = ()) -> list[ActRow]:
    wanted: dict[str, Any] = {"state": states} if states else {}
    if of is not None:
        wanted["tournament"] = of
    return every(db, ActRow, "id", **wanted)


def act(db: Connection, number: int) -> ActRow:
    return get(db, ActRow, id=number)


def act_by_mark(db: Connection, mark: str) -> ActRow | None:
    return find(db, ActRow, mark=mark)


def size(db: Connection) -> int:
    """How many entries the journal has."""
    return highest(db, Entry, "seq")
