"""Archives audited: one judged at level 3, or many, by processes of this machine or by a Dask cluster.

Processes and cluster run the same function on the same bytes, so the verdicts are the same. No more archives are in
memory or on their way than the workers need to be kept busy, however many there are. Verdicts come as they are found,
and whoever takes them keeps them: what has been kept is not done again. Nothing here knows of a database: a worker
needs no more than pbem and the rules of the game.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import islice
from typing import Any, Final

from pbem import __version__
from pbem.engine.archive import verify_archive
from pbem.fairplay.verify import Bad, Verdict
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.container import Item, read_stream
from pbem.protocol.errors import PbemError
from pbem.umpire.umpireerror import UmpireError


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


_AHEAD: Final = 3
"""Archives at hand for each worker."""
_CONNECT: Final = 15
"""Seconds to reach a cluster."""


@dataclass(frozen=True, slots=True)
class Job:
    """An archive to be judged, by its digest."""

    pairing: int
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Judged:
    job: Job
    verdict: dict[str, Plain]

    @property
    def ok(self) -> bool:
        return self.verdict["ok"] is True


Fetch = Callable[[bytes], bytes]
"""An archive by its digest."""


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def by_processes(jobs: Sequence[Job], fetch: Fetch, processes: int | None = None) -> Iterator[Judged]:
    """In the order in which they are done."""
    count = min(processes or processors(), len(jobs))
    if count <= 1:
        for job in jobs:
            yield Judged(job, judge(fetch(job.sha256), job.sha256))
        return
    ways = multiprocessing.get_all_start_methods()
    # Of a process that has pbem and the rules already, where that can be had.
    context = multiprocessing.get_context("forkserver" if "forkserver" in ways else None)
    if "forkserver" in ways:
        context.set_forkserver_preload(["pbem.umpire.auditing"])
    waiting = iter(jobs)
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        running: dict[Future[dict[str, Plain]], Job] = {}
        try:
            while True:
                for job in islice(waiting, _AHEAD * count - len(running)):
                    running[pool.submit(judge, fetch(job.sha256), job.sha256)] = job
                if not running:
                    return
                for each in wait(running, return_when=FIRST_COMPLETED).done:
                    yield Judged(running.pop(each), each.result())
        except BrokenProcessPool:
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                "A process that judged archives was ended from outside (out of memory?). What is done is kept: run the "
                "same again, perhaps with fewer --jobs.",
            ) from None
        finally:
            for each in running:
                each.cancel()


def by_cluster(jobs: Sequence[Job], fetch: Fetch, address: str) -> Iterator[Judged]:
    """The scheduler at this address gives the work to its workers, which must have this pbem and the rules."""
    if not jobs:
        return
    client = _connect(address)
    try:
        count = _hands(client, address)
        yield from _given_out(client, jobs, fetch, _AHEAD * count)
    finally:
        client.close(timeout=_CONNECT)


def _connect(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise UmpireError("E-EXTRA", "Auditing on a cluster needs Dask: pip install 'pbem[cluster]'") from None
    try:
        return Client(address, timeout=_CONNECT, set_as_default=False)
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
            verdict = each.result()
        except Exception as error:  # noqa: BLE001 - as above
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                f"A worker of the cluster failed ({type(error).__name__}). What is done is kept: run the same again.",
            ) from None
        if not is_verdict(verdict):
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                "A worker of the cluster sent no verdict. What is done is kept; check the worker.",
            )
        each.release()
        if (following := next_one()) is not None:
            done.add(following)
        yield Judged(job, verdict)
