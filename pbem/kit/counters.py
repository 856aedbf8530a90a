"""Counters: unit types with a face per step, and the units that a game is played with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    traits: Features = NOTHING
    values: tuple[tuple[str, int], ...] = ()  # what else is printed on it: a range, a quality

    def value(self, key: str, default: int = 0) -> int:
        return next((value for name, value in self.values if name == key), default)


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
    own: tuple[Face, ...] = ()  # its own faces, where they differ from its type's
    marks: Features = NOTHING  # what it belongs to: nation, formation
    provenance: str = ""

    @property
    def key(self) -> str:
        """Its key for clicks, in orders and on the board."""
        return f"u:{self.code}"

    @property
    def faces(self) -> tuple[Face, ...]:
        return self.own or self.type.faces

    @property
    def steps(self) -> int:
        return len(self.faces)

    def face(self, steps: int) -> Face:
        """The face that shows while it has that many steps left."""
        faces = self.own or self.type.faces
        return faces[len(faces) - steps]


@dataclass(frozen=True, slots=True)
class Counters:
    provenance: str
    types: Mapping[str, UnitType]
    units: tuple[Unit, ...]
    by_code: Mapping[str, Unit]

    def number_written(self, code: object, where: str) -> int:
        """The number of a unit by its code, as data files write it; `where`: the file, for the ValueError."""
        if code not in self.by_code:
            raise ValueError(f"{where}: there is no unit {code}")
        return self.by_code[str(code)].number

    def of_side(self, side: str) -> tuple[Unit, ...]:
        return tuple(unit for unit in self.units if unit.side == side)


def counters_of(data: Mapping[str, Any]) -> Counters:
    """The counters of a file (schemas/data/counters.json). Raises ValueError where the file contradicts itself."""
    if data["provenance"] not in PROVENANCE:
        raise ValueError(f"counters: provenance is one of {', '.join(PROVENANCE)}")
    types: dict[str, UnitType] = {}
    for item in data["types"]:
        key = str(item["key"])
        faces = _faces(f"unit type {key}", item["faces"])
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
        own = _faces(code, item["faces"]) if "faces" in item else ()
        source = str(item.get("provenance", data["provenance"]))
        if source not in PROVENANCE:
            raise ValueError(f"counters: provenance is one of {', '.join(PROVENANCE)}")
        marks = frozenset(str(mark) for mark in item.get("marks", ()))
        unit = Unit(number, code, text_of(item["name"]), str(item["side"]), types[key], own, marks, source)
        units.append(unit)
        by_code[code] = unit
    return Counters(str(data["provenance"]), types, tuple(units), by_code)


def _faces(what: str, items: Sequence[Mapping[str, Any]]) -> tuple[Face, ...]:
    faces = tuple(_face(item) for item in items)
    if any(not 0 <= value <= MAX_VALUE for face in faces for value in (face.attack, face.defence, face.move)):
        raise ValueError(f"counters: a value of {what} is not 0 to {MAX_VALUE}")
    if not 1 <= len(faces) <= MAX_STEPS:
        raise ValueError(f"counters: {what} has no faces, or too many")
    return faces


def _face(item: Mapping[str, Any]) -> Face:
    values = tuple(sorted((str(key), int(value)) for key, value in item.get("values", {}).items()))
    traits = frozenset(str(trait) for trait in item.get("traits", ()))
    return Face(int(item["attack"]), int(item["defence"]), int(item["move"]), traits, values)
