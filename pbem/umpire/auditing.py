"""Archives audited: one judged at level 3, or many, by processes of this machine or by a Dask cluster.

Processes and cluster run the same function on the same bytes, so the verdicts are the same. Only as many archives are
loaded as keep the workers busy. Verdicts are yielded as they come; the caller stores them, and stored ones are not
computed again. Nothing here knows of a database: a worker needs no more than pbem and the rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any, Final

from pbem import __version__
from pbem.engine import workers
from pbem.engine.archive import verify_archive
from pbem.fairplay.verify import Bad, Verdict
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.container import Item, read_stream
from pbem.protocol.errors import PbemError, Refusal, with_code
from pbem.protocol.plain import dump, load
from pbem.umpire import UmpireError


class Held:
    """The items of an archive in memory, as often as they are read."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def __iter__(self) -> Iterator[Item]:
        return read_stream(BytesIO(self._raw))


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of checking an archive, as it is kept. The same bytes give the same, wherever it is asked."""

    ok: bool
    pbem: str
    """The version that checked it."""
    records: int
    orders: int
    draws: int
    incomplete: int
    """How many records are cited and not there."""
    audited: bool
    first_bad: Bad | None
    desync: Bad | None
    game: bytes | None
    rules: tuple[str, str, int] | None
    """Module, version and behaviour."""
    state: bytes | None
    pending: tuple[tuple[int, str], ...]
    result: Any

    @classmethod
    def of(cls, verdict: Verdict) -> Audited:
        game, counts, audit = verdict.game, verdict.counts, verdict.audit
        rules = game.offer.rules if game is not None else None
        return cls(
            ok=verdict.ok,
            pbem=__version__,
            records=counts.records,
            orders=counts.orders,
            draws=counts.draws,
            incomplete=len(verdict.incomplete),
            audited=audit is not None and not audit.missing,
            first_bad=verdict.first_bad,
            desync=verdict.desync,
            game=game.game_id if game is not None else None,
            rules=(rules.module, rules.version, rules.behaviour) if rules is not None else None,
            state=verdict.state,
            pending=verdict.pending,
            result=verdict.result,
        )

    @property
    def why(self) -> str:
        """What is wrong with an archive that is not verified, in a sentence."""
        fault = self.first_bad or self.desync
        if fault is not None:
            return str(fault)
        if self.incomplete:
            return with_code(f"{self.incomplete} of the cited records are missing.", "E-INCOMPLETE")
        return "It is not verified."


def judge(raw: bytes, digest: bytes) -> Plain:
    """The verdict on what was kept under this digest, as `Audited` is dumped."""
    if sha256(raw).digest() != digest:
        return dump(Audited.of(Verdict(ok=False, level=3, first_bad=Bad("E-UMPIRE-JOURNAL", "", DAMAGED))))
    try:
        return dump(Audited.of(verify_archive(Held(raw))))
    except PbemError as error:
        bad = Bad(error.code, error.step, error.sentence)
        return dump(Audited.of(Verdict(ok=False, level=3, first_bad=bad)))


DAMAGED = "The archive is not the one that was kept: restore the database from a backup."
MAX_VERDICT: Final = 256 << 10


def version() -> str:
    """Asked of the workers of a cluster: verdicts of another pbem would not be the same."""
    return __version__


def verdict_of(value: Any) -> Audited | None:
    """What another machine says that `judge` gave; None: it cannot be that. Whether it is true is not seen in it."""
    try:
        found = load(Audited, value)
        small = len(pack(value)) <= MAX_VERDICT
    except (Refusal, ValueError, TypeError, OverflowError):
        return None
    consistent = not found.ok or (found.first_bad is None and found.desync is None and not found.incomplete)
    return found if small and consistent and found.pbem == __version__ else None


_AHEAD: Final = 3
"""Archives at hand for each worker of a cluster."""
CONNECT: Final = 15
"""Seconds to reach a cluster."""


@dataclass(frozen=True, slots=True)
class Job:
    """An archive to be judged, by its digest."""

    pairing: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Judged:
    job: Job
    verdict: Audited


Fetch = Callable[[bytes], bytes]
"""An archive by its digest."""


def by_processes(jobs: Sequence[Job], fetch: Fetch, processes: int) -> Iterator[Judged]:
    """In the order in which they are done."""
    parts = lambda job: (fetch(job.sha256), job.sha256)  # noqa: E731
    for job, verdict in workers.by_processes(judge, jobs, parts, min(processes, len(jobs)), (__name__,)):
        yield Judged(job, load(Audited, verdict))


def by_cluster(jobs: Sequence[Job], fetch: Fetch, address: str) -> Iterator[Judged]:
    """The scheduler at this address gives the work to its workers, which must have this pbem and the rules."""
    if not jobs:
        return
    client = _connect(address)
    try:
        count = _hands(client, address)
        yield from _given_out(client, jobs, fetch, _AHEAD * count)
    finally:
        client.close(timeout=CONNECT)


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise UmpireError("E-EXTRA", "Auditing on a cluster needs Dask: pip install 'pbem[cluster]'") from None
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UmpireError(
            "E-UMPIRE-CLUSTER", f"No Dask scheduler answers at {address}: {type(error).__name__}. Nothing was changed."
        ) from None


def _hands(client: Any, address: str) -> int:
    """How many archives the cluster judges at once. Every worker must have the pbem that this is."""
    threads = client.nthreads()
    if not threads:
        raise UmpireError("E-UMPIRE-CLUSTER", f"The scheduler at {address} has no workers. Nothing was changed.")
    try:
        versions = client.run(version)
    except Exception as error:  # noqa: BLE001 - a worker's own error comes back as itself, of any class
        raise UmpireError(
            "E-UMPIRE-CLUSTER", f"The workers cannot run pbem ({type(error).__name__}): install it there as it is here."
        ) from None
    for worker, found in sorted(versions.items()):
        if found != version():
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                f"The worker {worker} has pbem {found}, and this is {version()}: install the same there.",
            )
    return sum(threads.values())


def _given_out(client: Any, jobs: Sequence[Job], fetch: Fetch, most: int) -> Iterator[Judged]:
    from distributed import as_completed

    waiting = iter(jobs)
    running: dict[str, Job] = {}

    def next_one() -> Any:
        job = next(waiting, None)
        if job is None:
            return None
        made = client.submit(judge, fetch(job.sha256), job.sha256, pure=False, retries=2)
        running[made.key] = job
        return made

    first = [made for _ in range(most) if (made := next_one()) is not None]
    done = as_completed(first, loop=client.loop)
    for each in done:
        job = running.pop(each.key)
        try:
            verdict = verdict_of(each.result())
        except Exception as error:  # noqa: BLE001 - as above
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                f"A worker of the cluster failed ({type(error).__name__}). Finished verdicts are kept; try again.",
            ) from None
        if verdict is None:
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                "A worker of the cluster sent no verdict. Finished verdicts are kept; check the worker.",
            )
        each.release()
        if (following := next_one()) is not None:
            done.add(following)
        yield Judged(job, verdict)
