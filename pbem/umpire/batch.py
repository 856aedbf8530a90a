"""Many archives judged: by processes of this machine, or by a Dask cluster that is there already.

Both run the same function on the same bytes, so the verdicts are the same. No more archives are in memory or on their
way than the workers need to be kept busy, however many there are. Verdicts come as they are found, and whoever takes
them keeps them: what has been kept is not done again.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from pbem.protocol.canonical import Plain
from pbem.umpire import judging
from pbem.umpire.judging import judge
from pbem.umpire.umpireerror import UmpireError

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


Fetch = Callable[[Job], bytes]


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def by_processes(jobs: Sequence[Job], fetch: Fetch, processes: int | None = None) -> Iterator[Judged]:
    """In the order in which they are done."""
    count = min(processes or processors(), len(jobs))
    if count <= 1:
        for job in jobs:
            yield Judged(job, judge(fetch(job), job.sha256))
        return
    ways = multiprocessing.get_all_start_methods()
    # Of a process that has pbem and the rules already, where that can be had.
    context = multiprocessing.get_context("forkserver" if "forkserver" in ways else None)
    if "forkserver" in ways:
        context.set_forkserver_preload(["pbem.umpire.judging"])
    waiting = iter(jobs)
    with ProcessPoolExecutor(count, mp_context=context) as pool:
        running: dict[Future[dict[str, Plain]], Job] = {}
        try:
            while True:
                for job in islice(waiting, _AHEAD * count - len(running)):
                    running[pool.submit(judge, fetch(job), job.sha256)] = job
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
        versions = client.run(judging.version)
    except Exception as error:  # noqa: BLE001 - a worker's own error comes back as itself, of any class
        raise UmpireError(
            "E-UMPIRE-CLUSTER", f"The workers cannot run pbem ({type(error).__name__}): install it there as it is here."
        ) from None
    for worker, found in sorted(versions.items()):
        if found != judging.version():
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                f"The worker {worker} has pbem {found}, and this is {judging.version()}: install the same there.",
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
        made = client.submit(judge, fetch(job), job.sha256, pure=False, retries=2)
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
        if not judging.is_verdict(verdict):
            raise UmpireError(
                "E-UMPIRE-CLUSTER",
                "A worker of the cluster sent no verdict. What is done is kept; check the worker.",
            )
        each.release()
        if (following := next_one()) is not None:
            done.add(following)
        yield Judged(job, verdict)
