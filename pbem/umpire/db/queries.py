"""Reading the tables: rows as the desk's values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine.obligation import ORDERS
from pbem.protocol.canonical import Plain
from pbem.umpire import deskrows
from pbem.umpire.db import journal, models
from pbem.umpire.terms import parse_plain
from pbem.umpire.umpireerror import UmpireError

MILLION = 1_000_000


def millionths(value: float) -> int:
    return round(value * MILLION)


def tournaments(session: Session) -> list[deskrows.TournamentRow]:
    return [_tournament(row) for row in session.scalars(select(models.Tournament).order_by(models.Tournament.id))]


def tournament(session: Session, name: str) -> deskrows.TournamentRow:
    """By its name, or an unambiguous beginning of it."""
    found = [row for row in tournaments(session) if row.name == name]
    found = found or [row for row in tournaments(session) if name and row.name.startswith(name)]
    if not found:
        raise UmpireError("E-UNKNOWN", f"There is no tournament {name[:60]!r}. See: pbem umpire list")
    if len(found) > 1:
        names = ", ".join(row.name for row in found)
        raise UmpireError("E-UNKNOWN", f"{name[:60]!r} may be {names}. Give more of the name.")
    return found[0]


def _tournament(row: models.Tournament) -> deskrows.TournamentRow:
    return deskrows.TournamentRow(
        row.id, row.name, row.key, row.umpire, parse_plain(journal.read(row.terms)), cast(Any, row.state), row.created
    )


def entrants(session: Session, of: int) -> list[deskrows.EntrantRow]:
    query = select(models.Entrant).where(models.Entrant.tournament == of).order_by(models.Entrant.number)
    return [
        deskrows.EntrantRow(
            row.number, row.name, row.identity, row.rating, row.deviation, bool(row.out), row.why, row.card
        )
        for row in session.scalars(query)
    ]


def entrant(session: Session, of: int, query: str) -> deskrows.EntrantRow:
    """By number, which no name stands in the way of, or by an unambiguous beginning of his name."""
    wanted = query.strip().casefold()
    everybody = entrants(session, of)
    found = [each for each in everybody if wanted == str(each.number)]
    found = found or [each for each in everybody if wanted == each.name.casefold()]
    found = found or [each for each in everybody if wanted and each.name.casefold().startswith(wanted)]
    if len(found) != 1:
        names = ", ".join(f"{each.name} ({each.number})" for each in found[:5])
        may_be = f"{query[:60]!r} may be {names}." if found else f"Nobody called {query[:60]!r} has entered."
        raise UmpireError("E-UNKNOWN", f"{may_be} Give the number that `pbem umpire entrants` shows.")
    return found[0]


def check_round(session: Session, of: int, number: int) -> None:
    """E-UNKNOWN where it has not been paired."""
    if (
        session.scalar(select(models.Round.number).where(models.Round.tournament == of, models.Round.number == number))
        is None
    ):
        raise UmpireError("E-UNKNOWN", f"Round {number} has not been paired. See: pbem umpire rounds")


def rounds(session: Session, of: int) -> list[deskrows.RoundRow]:
    query = select(models.Round).where(models.Round.tournament == of).order_by(models.Round.number)
    by_round: dict[int, list[deskrows.PairingRow]] = {}
    for pairing in pairings(session, of):
        by_round.setdefault(pairing.round, []).append(pairing)
    return [
        deskrows.RoundRow(
            row.number, cast(Any, row.state), tuple(row.notes.splitlines()), row.paired_at,
            tuple(by_round.get(row.number, ())),
        )
        for row in session.scalars(query)
    ]  # fmt: skip


def pairings(session: Session, of: int, states: tuple[str, ...] = ()) -> list[deskrows.PairingRow]:
    query = select(models.Pairing).where(models.Pairing.tournament == of)
    if states:
        query = query.where(models.Pairing.state.in_(states))
    query = query.order_by(models.Pairing.round, models.Pairing.board, models.Pairing.mirror)
    return [_pairing(row) for row in session.scalars(query)]


def pairing(session: Session, number: int) -> deskrows.PairingRow:
    row = session.get(models.Pairing, number)
    assert row is not None
    return _pairing(row)


def find_pairing(session: Session, of: int, query: str) -> deskrows.PairingRow:
    """By its label, `2.14` or `2.14b`, or by the name of its game."""
    wanted = query.strip().casefold()
    found = [each for each in pairings(session, of) if wanted and wanted in (each.label, each.game.casefold())]
    if not found:
        raise UmpireError(
            "E-UNKNOWN",
            f"There is no pairing {query[:60]!r}. Write round and board, such as 2.14, or a game's name.",
        )
    return found[0]


def _pairing(row: models.Pairing) -> deskrows.PairingRow:
    return deskrows.PairingRow(
        id=row.id, round=row.round, board=row.board, mirror=row.mirror, first=row.first, second=row.second,
        why=tuple(row.why.splitlines()), state=cast(Any, row.state), offered_at=row.offered_at,
        expires=row.expires, offer=row.offer, game=row.game, began_at=row.began_at, first_points=row.first_points,
        second_points=row.second_points, how=cast(Any, row.how), text=row.text, decided_at=row.decided_at,
    )  # fmt: skip


def _in(session: Session, model: Any, of: int, pairing: int | None, *order: Any) -> Iterator[Any]:
    query = select(model).join(models.Pairing, models.Pairing.id == model.pairing)
    query = query.where(models.Pairing.tournament == of)
    if pairing is not None:
        query = query.where(model.pairing == pairing)
    return iter(session.scalars(query.order_by(model.pairing, *order)))


def answers(session: Session, of: int, pairing: int | None = None) -> list[deskrows.AnswerRow]:
    return [
        deskrows.AnswerRow(row.pairing, row.entrant, bool(row.yes), row.why, row.at)
        for row in _in(session, models.Answer, of, pairing, models.Answer.entrant)
    ]


def moves(session: Session, of: int, pairing: int | None = None) -> list[deskrows.MoveRow]:
    return [
        deskrows.MoveRow(
            row.pairing, row.number, row.entrant, row.what, row.asked_at, row.answered_at, row.signed_at, row.charged,
            row.record, row.said,
        )
        for row in _in(session, models.Move, of, pairing, models.Move.number)
    ]  # fmt: skip


def answered(session: Session, pairing: int) -> set[bytes]:
    """The records that the ledger of a game has."""
    return set(session.scalars(select(models.Move.record).where(models.Move.pairing == pairing)))


def has_orders(session: Session, pairing: int) -> bool:
    """Somebody has ordered something in this game, as far as the ledger knows."""
    query = select(models.Move.number).where(models.Move.pairing == pairing, models.Move.what == ORDERS).limit(1)
    return session.scalar(query) is not None


def owed(session: Session, of: int, pairing: int | None = None) -> list[deskrows.OwedRow]:
    return [
        deskrows.OwedRow(row.pairing, row.entrant, row.what, row.arose, row.since, bool(row.automatic), row.said)
        for row in _in(session, models.Owed, of, pairing, models.Owed.entrant, models.Owed.what)
    ]


def held(session: Session) -> deskrows.HeldRow | None:
    """None: every mail of the desk has left."""
    row = session.get(models.Held, 1)
    return deskrows.HeldRow(row.count, row.since, row.why) if row is not None and row.count else None


def extensions(session: Session, of: int, pairing: int | None = None) -> list[deskrows.ExtensionRow]:
    return [
        deskrows.ExtensionRow(row.pairing, row.entrant, row.seconds, row.at, row.record)
        for row in _in(session, models.Extension, of, pairing, models.Extension.at, models.Extension.record)
    ]


def flags(session: Session, of: int, pairing: int | None = None) -> list[deskrows.FlagRow]:
    return [
        deskrows.FlagRow(row.pairing, row.entrant, row.fell_at, row.seen_at)
        for row in _in(session, models.Flag, of, pairing, models.Flag.fell_at)
    ]


def anomalies(session: Session, of: int, pairing: int | None = None) -> list[deskrows.AnomalyRow]:
    return [
        deskrows.AnomalyRow(row.pairing, row.entrant, row.kind, row.mark, row.text, row.weight, row.at)
        for row in _in(session, models.Anomaly, of, pairing, models.Anomaly.at, models.Anomaly.mark)
    ]


def archives(session: Session, of: int, pairing: int | None = None) -> list[deskrows.ArchiveRow]:
    return [
        deskrows.ArchiveRow(row.pairing, row.sha256, row.size, bool(row.whole), row.kept_at)
        for row in _in(session, models.Archive, of, pairing)
    ]


def blob(session: Session, sha256: bytes) -> bytes | None:
    row = session.get(models.Blob, sha256)
    return None if row is None else row.raw


def audits(session: Session, of: int, pairing: int | None = None) -> list[deskrows.AuditRow]:
    return [
        deskrows.AuditRow(row.pairing, row.sha256, bool(row.ok), _map(row.verdict), row.at)
        for row in _in(session, models.Audit, of, pairing)
    ]


def ratings(session: Session, of: int) -> list[deskrows.RatingRow]:
    query = select(models.Rating).where(models.Rating.tournament == of)
    return [
        deskrows.RatingRow(
            row.round, row.entrant, row.rating / MILLION, row.deviation / MILLION, row.volatility / MILLION
        )
        for row in session.scalars(query.order_by(models.Rating.round, models.Rating.entrant))
    ]


def acts(session: Session, of: int | None = None, states: tuple[str, ...] = ()) -> list[deskrows.ActRow]:
    query = select(models.Act)
    if of is not None:
        query = query.where(models.Act.tournament == of)
    if states:
        query = query.where(models.Act.state.in_(states))
    return [_act(row) for row in session.scalars(query.order_by(models.Act.id))]


def act(session: Session, number: int) -> deskrows.ActRow:
    row = session.get(models.Act, number)
    assert row is not None
    return _act(row)


def act_by_mark(session: Session, mark: str) -> deskrows.ActRow | None:
    row = session.scalars(select(models.Act).where(models.Act.mark == mark)).one_or_none()
    return None if row is None else _act(row)


def _act(row: models.Act) -> deskrows.ActRow:
    return deskrows.ActRow(
        row.id, row.tournament, row.pairing, row.kind, row.mark, _map(row.data), row.wanted_at, row.wanted_by,
        cast(Any, row.state), row.done_at, row.outcome,
    )  # fmt: skip


def _map(raw: bytes) -> dict[str, Plain]:
    value = journal.read(raw)
    assert isinstance(value, dict)
    return value


def size(session: Session) -> int:
    """How many entries the journal has."""
    return session.scalar(select(func.max(models.Journal.seq))) or 0
