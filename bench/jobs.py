"""`pbem verify --jobs 2` over many archives against the best that this machine's two processors give."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Jobs:
    ratio: float  # of the two gains
    gain: float  # one process over two, pbem
    ceiling: float  # the same for a control job that only hashes
    one: float
    two: float


def measure(archives: list[Path], rounds: int = 3) -> Jobs:
    """Wall-clock seconds; the four measurements take turns (wanted: 0.95 at least)."""
    pbem = str(Path(sys.executable).with_name("pbem"))
    names = [str(path) for path in archives]
    ones, twos, gains, ceilings = [], [], [], []
    for _ in range(rounds):
        one = _wall(lambda: verify([pbem, "verify", "--jobs", "1", *names]))
        alone = _wall(partial(control, 1, one))
        two = _wall(lambda: verify([pbem, "verify", "--jobs", "2", *names]))
        together = _wall(partial(control, 2, one))
        ones.append(one)
        twos.append(two)
        gains.append(one / two)
        ceilings.append(alone / together)
    ratio = median(gain / ceiling for gain, ceiling in zip(gains, ceilings, strict=True))
    return Jobs(ratio, median(gains), median(ceilings), median(ones), median(twos))


def verify(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _wall(job: Callable[[], object]) -> float:
    begun = time.perf_counter()
    job()
    return time.perf_counter() - begun


def burn(count: int) -> None:
    digest = b""
    for _ in range(count):
        digest = sha256(digest).digest()


def control(processes: int, seconds: float) -> None:
    """About as much work as pbem had, in as many pieces, by as many processes."""
    count = int(seconds * 2_000_000) // 200
    with ProcessPoolExecutor(processes) as pool:
        list(pool.map(burn, [count] * 200, chunksize=1))
