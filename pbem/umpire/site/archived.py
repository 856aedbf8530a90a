"""What an archive showed when it was checked, as the pages tell it. Who checks it is given from outside (`Show`), since
pictures and commands are not below the desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
        return {
            "cards": self.cards,
            "dice": self.dice,
            "draws": [
                {"by": each.by, "label": each.label, "results": list(each.results), "sides": each.sides}
                for each in self.draws
            ],
            "fault": self.fault,
            "ok": self.ok,
            "orders": self.orders,
            "records": self.records,
            "rulings": [
                {"about": list(each.about), "holds": each.holds, "what": each.what, "why": each.why}
                for each in self.rulings
            ],
            "state": self.state,
            "steps": self.steps,
            "whole": self.whole,
        }


Links = Sequence[tuple[str, str]]
"""What a replay page leads back to: addresses beside it, with their words."""
Show = Callable[[bytes, Hide, Links], Shown]
"""Checks an archive and draws its pages."""


def shown_of(value: Mapping[str, Any]) -> Shown:
    """Without its pages. Raises KeyError or TypeError for what `plain` did not write."""
    return Shown(
        ok=bool(value["ok"]),
        whole=bool(value["whole"]),
        fault=str(value["fault"]),
        state=str(value["state"]),
        records=int(value["records"]),
        orders=int(value["orders"]),
        dice=int(value["dice"]),
        cards=int(value["cards"]),
        rulings=tuple(
            Ruling(str(each["what"]), tuple(map(int, each["about"])), str(each["why"]), bool(each["holds"]))
            for each in value["rulings"]
        ),
        draws=tuple(
            Dice(str(each["label"]), int(each["sides"]), tuple(map(int, each["results"])), each["by"])
            for each in value["draws"]
        ),
        steps=int(value["steps"]),
    )
