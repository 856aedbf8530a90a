"""Degrees to map units: meridians and parallels stay straight, and crowded parts of the world get more room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

STEP = 0.5  # degrees
SMOOTH = 8  # steps to each side over which the scale changes


class Axis:
    """From `start` through bands (end, units a degree); `sign` -1 runs downwards."""

    def __init__(self, start: float, bands: Sequence[tuple[float, float]], sign: int = 1) -> None:
        self._start, self._sign = start, sign
        count = round(abs(bands[-1][0] - start) / STEP)
        raw = []
        for k in range(count):
            here = start + sign * (k + 0.5) * STEP
            raw.append(next(scale for end, scale in bands if sign * here <= sign * end))
        self._sums = [0.0]
        for k in range(count):
            near = raw[max(0, k - SMOOTH) : k + SMOOTH + 1]
            self._sums.append(self._sums[-1] + STEP * sum(near) / len(near))

    @property
    def length(self) -> float:
        return self._sums[-1]

    def at(self, degrees: float) -> float:
        far = self._sign * (degrees - self._start) / STEP
        last = len(self._sums) - 1
        if far <= 0:
            return far * (self._sums[1] - self._sums[0])
        if far >= last:
            return self._sums[-1] + (far - last) * (self._sums[-1] - self._sums[-2])
        k = int(far)
        return self._sums[k] + (far - k) * (self._sums[k + 1] - self._sums[k])

    def back(self, units: float) -> float:
        k = min(max(bisect_right(self._sums, units) - 1, 0), len(self._sums) - 2)
        share = (units - self._sums[k]) / (self._sums[k + 1] - self._sums[k])
        return self._start + self._sign * STEP * (k + share)
