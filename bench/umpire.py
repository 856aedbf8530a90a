"""Audits of many archives, by processes and on a Dask cluster.

The wall clock counts, and what two processors can give at all is measured by a control job that only hashes, in turns
with them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.jobs import control
from pbem.umpire import auditing
from pbem.umpire.db.database import Store
from pbem.umpire.umpiredesk import UmpireDesk
from tools.full_desk import full_desk, played


@dataclass(frozen=True, slots=True)
class Audits:
    archives: int
    ratio: float
    """Of the gains by a second process: the audit's to the control's (wanted: 0.95 at least)."""
    gain: float
    ceiling: float
    dask: float
    """Of the times: two processes' to two Dask workers' (wanted: 0.9 at least)."""
    one: float
    two: float
    cluster: float


def audits(count: int = 400, rounds: int = 3) -> Audits:
    """Wall-clock seconds, verdicts kept; everything takes turns."""
    with TemporaryDirectory() as folder, _cluster() as address:
        desk = full_desk(Store.open(Path(folder) / "desk.db"), played(10), count)
        ways: dict[str, Callable[..., Iterator[auditing.Judged]]] = {
            "one": partial(auditing.by_processes, processes=1),
            "two": partial(auditing.by_processes, processes=2),
            "cluster": partial(auditing.by_cluster, address=address),
        }
        audited(desk, ways["cluster"])  # its workers import pbem and the rules
        found = [_round(desk, ways, number) for number in range(rounds)]
        desk.store.close()
    gains = [each["one"] / each["two"] for each in found]
    ceilings = [each["alone"] / each["together"] for each in found]
    return Audits(
        archives=count,
        ratio=median(gain / ceiling for gain, ceiling in zip(gains, ceilings, strict=True)),
        gain=median(gains),
        ceiling=median(ceilings),
        dask=median(each["two"] / each["cluster"] for each in found),
        one=median(each["one"] for each in found),
        two=median(each["two"] for each in found),
        cluster=median(each["cluster"] for each in found),
    )


def _round(
    desk: UmpireDesk, ways: dict[str, Callable[..., Iterator[auditing.Judged]]], number: int
) -> dict[str, float]:
    begun = time.process_time()
    spent = {"one": wall(lambda: audited(desk, ways["one"]))}
    work = time.process_time() - begun  # the control's is the same on a busy machine, too
    spent["alone"] = wall(lambda: control(1, work))
    pair = ["two", "cluster"] if number % 2 else ["cluster", "two"]
    for name in pair:
        spent[name] = wall(partial(audited, desk, ways[name]))
    spent["together"] = wall(lambda: control(2, work))
    return spent


def audited(desk: UmpireDesk, way: Callable[..., Iterator[auditing.Judged]]) -> None:
    """As `pbem umpire audit --again` does it."""
    jobs, count = desk.archives_to_audit(again=True)
    done = sum(each.verdict.ok for each in desk.keep_verdicts(way(jobs, desk.archive)))
    if not done == len(jobs) == count:
        raise RuntimeError(f"the benchmark's archives do not check: {done} of {count}")


def wall(job: Callable[[], object]) -> float:
    begun = time.perf_counter()
    job()
    return time.perf_counter() - begun


@contextmanager
def _cluster() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as made:
        yield made.scheduler_address
