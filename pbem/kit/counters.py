"""Counters: unit types with a face per step, and the units that a game is played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.kit.board import NOTHING, PROVENANCE, Features, text_of

MAX_STEPS = 8
MAX_VALUE = 99


class Face(NamedTuple):
    """One side of a counter."""

    attack: int
    defence: int
    move: int


class UnitType(NamedTuple):
    key: str
    name: str
    letter: str
    faces: tuple[Face, ...]  # by steps lost: the full-strength face first
    traits: Features = NOTHING

    @property
    def steps(self) -> int:
        return len(self.faces)


class Unit(NamedTuple):
    number: int  # its place in the game's list: what packed orders carry
    code: str  # what players write: B3
    name: str
    side: str
    type: UnitType

    def face(self, steps: int) -> Face:
        """The face that shows while it has that many steps left."""
        return self.type.faces[len(self.type.faces) - steps]


@dataclass(frozen=True)
class Counters:
    provenance: str
    types: Mapping[str, UnitType]
    units: tuple[Unit, ...]
    by_code: Mapping[str, Unit]

    def of_side(self, side: str) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.units if unit.side == side)


def counters_of(data: Mapping[str, Any]) -> Counters:
    """The counters of a file (schemas/counters.json). Raises ValueError where the file contradicts itself."""
    if data["provenance"] not in PROVENANCE:
        raise ValueError(f"counters: provenance is one of {', '.join(PROVENANCE)}")
    types: dict[str, UnitType] = {}
    for item in data["types"]:
        faces = tuple(Face(int(f["attack"]), int(f["defence"]), int(f["move"])) for f in item["faces"])
        key = str(item["key"])
        if any(not 0 <= value <= MAX_VALUE for face in faces for value in (face.attack, face.defence, face.move)):
            raise ValueError(f"counters: a value of unit type {key} is not 0 to {MAX_VALUE}")
        if not 1 <= len(faces) <= MAX_STEPS:
            raise ValueError(f"counters: unit type {key} has no faces, or too many")
        if key in types:
            raise ValueError(f"counters: unit type {key} is described twice")
        types[key] = UnitType(
            key, text_of(item["name"]), text_of(item["letter"]), faces, frozenset(item.get("traits", ()))
        )
    units: list[Unit] = []
    by_code: dict[str, Unit] = {}
    for number, item in enumerate(data["units"]):
        code, key = text_of(item["code"]), str(item["type"])
        if code in by_code:
            raise ValueError(f"counters: two units are called {code}")
        if key not in types:
            raise ValueError(f"counters: {code} is of the unknown type {key}")
        unit = Unit(number, code, text_of(item["name"]), str(item["side"]), types[key])
        units.append(unit)
        by_code[code] = unit
    return Counters(str(data["provenance"]), types, tuple(units), by_code)
