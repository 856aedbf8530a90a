"""S42-31, S42-32: what the data say of the campaign: who leaves on which turn, who is upgraded, which armies wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pbem.kit import Counters

NAMED = "named"  # the kind of removals that nobody chooses
BRIGADES = "brigades"  # S42-32.2c: what the steps of a corps may become


class Removal(NamedTuple):
    """S42-32.1 to S42-32.3: so many units of some types leave, and steps with them."""

    turn: int
    side: str
    kind: str
    units: tuple[int, ...]  # that leave if nobody chooses: by name, or as in history
    always: tuple[int, ...]  # that leave besides
    steps: int  # that leave at least; 0: no more is asked
    fine: bool  # S42-32.3a: a replacement is lost if the unit is not whole


class Army(NamedTuple):
    """S42-31.0: a reserve army: the turn from which on it may go, and whether its owner must choose it."""

    turn: int
    chosen: bool


class Course(NamedTuple):
    """What the course of the war brings; empty but in the campaign."""

    removals: tuple[Removal, ...] = ()
    raised: Mapping[int, int] = {}  # unit -> the turn from which on it has its first step (S42-32.4)
    succeeded: Mapping[int, tuple[int, int]] = {}  # unit -> the turn when another takes its place, and which (S42-32.5)
    armies: Mapping[str, Army] = {}
    kinds: Mapping[str, tuple[int, ...]] = {}  # of removals -> their units

    def removal(self, turn: int, side: str, *, named: bool) -> Removal | None:
        """What leaves on a turn, by name or by choice."""
        found = (each for each in self.removals if (each.turn, each.side) == (turn, side))
        return next((each for each in found if (each.kind == NAMED) == named), None)


def course_of(page: Mapping[str, Any], counters: Counters) -> Course:
    """The file of a scenario, checked."""
    upgrades = page["upgrades"]

    def number(code: str) -> int:
        return counters.number_written(code, "campaign")

    def numbers(codes: str) -> tuple[int, ...]:
        return tuple(map(number, codes.split()))

    kinds = {kind: _of_types(counters, types.split()) for kind, types in page["kinds"].items()}
    return Course(
        removals=tuple(_removals(page["withdrawals"], kinds, numbers)),
        raised={number(item["unit"]): int(item["turn"]) for item in upgrades if "type" in item},
        succeeded={number(i["unit"]): (int(i["turn"]), number(i["by"])) for i in upgrades if "by" in i},
        armies={item["army"]: Army(int(item["turn"]), bool(item.get("chosen"))) for item in page["armies"]},
        kinds=kinds,
    )


def _removals(items: list[dict[str, Any]], kinds: Mapping[str, tuple[int, ...]], numbers: Any) -> Iterator[Removal]:
    for item in items:
        units = numbers(item["units"])
        if item["kind"] != NAMED and not {*units} <= {*kinds.get(item["kind"], ())}:
            raise ValueError(f"campaign: on turn {item['turn']} units of the kind {item['kind']} leave")
        yield Removal(
            int(item["turn"]),
            item["side"],
            item["kind"],
            units,
            numbers(item.get("always", "")),
            int(item.get("steps", 0)),
            bool(item.get("fine")),
        )


def _of_types(counters: Counters, keys: list[str]) -> tuple[int, ...]:
    found = tuple(unit.number for unit in counters.units if unit.type.key in keys)
    if not found:
        raise ValueError(f"campaign: no unit is of the types {', '.join(keys)}")
    return found
