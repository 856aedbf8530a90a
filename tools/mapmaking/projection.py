"""Lambert's conformal conic on a sphere: degrees to kilometres east and north of the map's own origin, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

EARTH_KM = 6371.0

Point = tuple[float, float]


def _stretch(lat: float) -> float:
    return math.tan(math.pi / 4 + math.radians(lat) / 2)


@dataclass(frozen=True)
class Conic:
    """The origin is (lon, lat); the scale is true on the two parallels, which must differ."""

    lon: float
    lat: float
    parallels: tuple[float, float]
    _n: float = field(init=False, repr=False)
    _scale: float = field(init=False, repr=False)
    _rho0: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        low, high = self.parallels
        if not -80 < low < high < 80:
            raise ValueError("the parallels go from south to north and stay away from the poles")
        cos_low, cos_high = math.cos(math.radians(low)), math.cos(math.radians(high))
        n = math.log(cos_low / cos_high) / math.log(_stretch(high) / _stretch(low))
        scale = EARTH_KM * cos_low * _stretch(low) ** n / n
        object.__setattr__(self, "_n", n)
        object.__setattr__(self, "_scale", scale)
        object.__setattr__(self, "_rho0", scale / _stretch(self.lat) ** n)

    def forward(self, place: Point) -> Point:
        lon, lat = place
        rho = self._scale / _stretch(lat) ** self._n
        turn = self._n * math.radians(lon - self.lon)
        return rho * math.sin(turn), self._rho0 - rho * math.cos(turn)

    def inverse(self, spot: Point) -> Point:
        east, north = spot
        up = self._rho0 - north
        rho, turn = math.hypot(east, up), math.atan2(east, up)
        lat = 2 * math.degrees(math.atan((self._scale / rho) ** (1 / self._n))) - 90
        return self.lon + math.degrees(turn / self._n), lat
