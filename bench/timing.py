"""Ratios that a busy machine does not spoil: the two sides run in turns, in one process, and CPU time is counted."""

from __future__ import annotations

import gc
import resource
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Ratio:
    """Of the CPU times of two jobs: the median over pairs, the range, and the median seconds of each."""

    ratio: float
    least: float
    most: float
    ours: float
    theirs: float

    def __str__(self) -> str:
        return f"{self.ratio:.2f} ({self.least:.2f} to {self.most:.2f})"


def of_pairs(pairs: Sequence[tuple[float, float]]) -> Ratio:
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    return Ratio(
        median(ratios), ratios[0], ratios[-1], median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs)
    )


def cpu(job: Callable[[], object]) -> float:
    """CPU seconds of this process for one run of the job."""
    begun = time.process_time()
    job()
    return time.process_time() - begun


@contextmanager
def still() -> Iterator[None]:
    """No garbage collection meanwhile; what there is has been collected."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def compare(ours: Callable[[], object], theirs: Callable[[], object], rounds: int = 15) -> Ratio:
    """Each job once to warm up, then in turns; which goes first alternates."""
    ours()
    theirs()
    pairs = []
    with still():
        for number in range(rounds):
            if number % 2:
                second = cpu(theirs)
                pairs.append((cpu(ours), second))
            else:
                first = cpu(ours)
                pairs.append((first, cpu(theirs)))
    return of_pairs(pairs)


def child_cpu(command: Sequence[str], env: dict[str, str] | None = None, codes: Sequence[int] = (0,)) -> float:
    """CPU seconds of a process of its own, start included; it must end with one of these codes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare_measured(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> Ratio:
    """The same for jobs that measure themselves."""
    ours()
    theirs()
    pairs = []
    for number in range(rounds):
        if number % 2:
            second = theirs()
            pairs.append((ours(), second))
        else:
            first = ours()
            pairs.append((first, theirs()))
    return of_pairs(pairs)


def high_water() -> int:
    """Peak KiB of this process. Linux's ru_maxrss begins with the parent's, so the kernel's own mark is read there."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
