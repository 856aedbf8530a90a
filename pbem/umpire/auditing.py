"""Audits of the archives that the desk has kept: which are due, and their verdicts, kept as they come.

A verdict counts for one archive, by its digest, and one version of pbem: with the same again nothing is left to do, so
an audit that was stopped is gone on with by asking for it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from pbem import __version__
from pbem.umpire.batch import Job, Judged
from pbem.umpire.db import queries
from pbem.umpire.deskrows import AuditRow
from pbem.umpire.umpiredesk import UmpireDesk
from pbem.umpire.umpireerror import UmpireError

_TOGETHER: Final = 20
"""Verdicts in one transaction: at most so many are lost when the audit is killed."""


def due(desk: UmpireDesk, name: str | None = None, *, again: bool = False) -> tuple[list[Job], int]:
    """The archives of a tournament, or of all, that have no verdict of this pbem; and how many there are in all."""
    wanted = [desk.tournament(name)] if name is not None else desk.tournaments()
    jobs, count = [], 0
    with desk.store.reading() as session:
        for tournament in wanted:
            held = {
                row.pairing: row.sha256
                for row in queries.audits(session, tournament.id)
                if row.verdict.get("pbem") == __version__
            }
            for each in queries.archives(session, tournament.id):
                count += 1
                if again or held.get(each.pairing) != each.sha256:
                    jobs.append(Job(each.pairing, each.sha256))
    return jobs, count


def fetcher(desk: UmpireDesk) -> Callable[[Job], bytes]:
    def fetch(job: Job) -> bytes:
        with desk.store.reading() as session:
            raw = queries.blob(session, job.sha256)
        if raw is None:
            raise UmpireError("E-UMPIRE-JOURNAL", "An archive is missing: restore the database from a backup.")
        return raw

    return fetch


def keep(desk: UmpireDesk, found: Iterable[Judged]) -> Iterator[Judged]:
    """Writes the verdicts down, some at a time, and passes them on when they are kept; also those that came before a
    failure."""
    held: list[Judged] = []
    try:
        for each in found:
            held.append(each)
            if len(held) == _TOGETHER:
                yield from _kept(desk, held)
                held = []
    finally:
        _write(desk, held)
    yield from held


def audits(desk: UmpireDesk, name: str | None = None) -> list[AuditRow]:
    wanted = [desk.tournament(name)] if name is not None else desk.tournaments()
    with desk.store.reading() as session:
        return [row for tournament in wanted for row in queries.audits(session, tournament.id)]


def _kept(desk: UmpireDesk, some: list[Judged]) -> list[Judged]:
    _write(desk, some)
    return some


def _write(desk: UmpireDesk, some: list[Judged]) -> None:
    if not some:
        return
    with desk.store.writing(desk.actor, desk.clock()) as writing:
        for each in some:
            writing.record(
                "audited",
                {"ok": each.ok, "pairing": each.job.pairing, "sha256": each.job.sha256, "verdict": each.verdict},
            )
