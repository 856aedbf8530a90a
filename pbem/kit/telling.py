"""Reports in sentences: events that describe themselves, and sentences that several games share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import ClassVar

from pbem.engine.counts import all_of, many
from pbem.engine.event import Event
from pbem.kit.hexes import hex_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Event):
    """An event with its own sentence: `says`, with fields in braces (`hex` by name, lists joined), else `words`."""

    says: ClassVar[str] = ""

    def __init_subclass__(cls, says: str = "") -> None:
        super(Told, cls).__init_subclass__()
        cls.says = says or cls.says
        if not cls.says and cls.words is Told.words:
            raise TypeError(f"{cls.__name__} has no sentence")

    def words(self) -> str:
        """A sentence of the report."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        lists = {name: all_of(map(str, value)) for name, value in found.items() if isinstance(value, tuple)}
        where = {"hex": hex_name(found["hex"])} if "hex" in found else {}
        return self.says.format_map({**found, **lists, **where})


@dataclass(frozen=True, slots=True, kw_only=True)
class Went(Told):
    """Base: a unit has gone along a path."""

    unit: str
    path: tuple[int, ...]

    @abstractmethod
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenBack(Told):
    """Base: units have retreated together."""

    units: tuple[str, ...]
    path: tuple[int, ...]

    @abstractmethod
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Assailed(Told):
    """Base: units of a side have attacked a place."""

    side: str
    hex: int
    units: tuple[str, ...]

    @abstractmethod
    def words(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLost(Told):
    """The unit, which stood in `hex`, has `left` steps left. `why`: the reason, unless it is the result of a battle."""

    unit: str
    hex: int
    left: int
    why: str = ""

    def words(self) -> str:
        lost = "loses its last step and is destroyed" if self.why else "is destroyed"
        what = f"{'loses a step' if self.left else lost}{f': {self.why}' if self.why else ''}"
        return f"{self.unit} in {hex_name(self.hex)} {what} ({self.rule})."


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyJudged(Told):
    """Units whose status has changed."""

    supplied: tuple[str, ...]
    cut: tuple[str, ...]
    isolated: tuple[str, ...]

    def words(self) -> str:
        lists = ((self.supplied, "In supply again"), (self.cut, "Out of supply"), (self.isolated, "Isolated"))
        return " ".join(f"{title}: {all_of(units)}." for units, title in lists if units)


def last_steps(units: Iterable[str]) -> list[str]:
    """A line beside the chances of a fight: the units that the loss of a single step destroys."""
    found = tuple(units)
    return [f"The loss of one step destroys {', or '.join(found)}."] if found else []


__all__ = ["Assailed", "DrivenBack", "StepLost", "SupplyJudged", "Told", "Went", "all_of", "last_steps", "many"]
