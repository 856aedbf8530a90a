"""Files checked by several processes of this machine at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Final, TypeVar

from pbem.protocol.errors import PbemError

T = TypeVar("T")
R = TypeVar("R")


class WorkerError(PbemError):
    """A process that was checking files was ended from outside."""

    code = "E-WORKER"


_AHEAD: Final = 3
"""Calls given to each process before the first of them is done, so that none of them waits for work."""


def by_processes(
    work: Callable[..., R],
    given: Iterable[T],
    arguments: Callable[[T], tuple[Any, ...]],
    processes: int,
    modules: Sequence[str],
) -> Iterator[tuple[T, R]]:
    """What `work` returns for the arguments of each of these, in the order in which it is done.

    The arguments are made when a process is about to be free, so that few are in memory at once. Processes start from
    one that has these modules, and never as a copy of this one, whose threads may hold locks at that moment.
    """
    if processes <= 1:
        for each in given:
            yield each, work(*arguments(each))
        return
    ways = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
    if "forkserver" in ways:
        context.set_forkserver_preload(list(modules))
    waiting = iter(given)
    running: dict[Future[R], T] = {}
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        try:
            while True:
                for each in islice(waiting, _AHEAD * processes - len(running)):
                    running[pool.submit(work, *arguments(each))] = each
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
        except BrokenProcessPool:
            raise WorkerError(
                "A process that was checking files was ended from outside (out of memory?). Run the command again, "
                "perhaps with fewer --jobs.",
            ) from None
        finally:
            for left in running:
                left.cancel()
