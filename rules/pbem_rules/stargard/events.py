"""What happened, in names that players know, and how a report says it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Event
from pbem.kit import hex_name
from pbem_rules.stargard.chart import GERMAN, SOVIET

SIDE_NAMES = {GERMAN: "The Germans", SOVIET: "The Soviets"}


def names(words: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def way(path: tuple[int, ...]) -> str:
    return " > ".join(map(hex_name, path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Event):
    """Base of the game's events."""

    @abstractmethod
    def words(self) -> str:
        """A sentence of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Fact):
    """What has no figures."""

    kind: ClassVar[str] = "note"
    text: str

    def words(self) -> str:
        return self.text
