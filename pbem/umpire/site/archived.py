"""The contents of an archive when it was checked, as the pages show them. The check is given from outside (`Show`),
since pictures and commands are not below the desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.schema import plain
from pbem.umpire.addresses import Hide


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling, a new key or a substitute, as the archive has it."""

    what: str
    about: tuple[int, ...]
    """Players by number in the game."""
    why: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Dice:
    """One draw; `by` is the number of the player whose dice they are, None: several players', or nobody's."""

    label: str
    sides: int
    results: tuple[int, ...]
    by: int | None


@dataclass(frozen=True, slots=True)
class Told:
    """A part of the game in words, such as a turn."""

    part: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    ok: bool
    whole: bool
    """Everything secret has been opened, and checks, too."""
    fault: str
    state: str
    """The hash of the last state, in hex."""
    records: int
    orders: int
    dice: int
    cards: int
    rulings: tuple[Ruling, ...] = ()
    draws: tuple[Dice, ...] = ()
    steps: int = 0
    page: str = field(default="", repr=False)
    """The replay page; empty when nothing can be shown."""
    told: tuple[Told, ...] = field(default=(), repr=False)

    def plain(self) -> dict[str, Any]:
        """All but the pages; `shown_of` reads it."""
        return {name: value for name, value in plain(self).items() if name not in ("page", "told")}


Links = Sequence[tuple[str, str]]
"""What a replay page leads back to: addresses beside it, with their words."""
Show = Callable[[bytes, Hide, Links], Shown]
"""Checks an archive and draws its pages."""


def shown_of(value: Mapping[str, Any]) -> Shown:
    """Without its pages. Raises KeyError or TypeError for what `plain` did not write."""
    simple = {name: kind(value[name]) for name, kind in _SIMPLE.items()}
    rulings = tuple(Ruling(**{**each, "about": tuple(map(int, each["about"]))}) for each in value["rulings"])
    draws = tuple(Dice(**{**each, "results": tuple(map(int, each["results"]))}) for each in value["draws"])
    return Shown(**simple, rulings=rulings, draws=draws)


_SIMPLE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "ok": bool, "whole": bool, "fault": str, "state": str, "records": int, "orders": int, "dice": int, "cards": int,
    "steps": int,
}  # fmt: skip
