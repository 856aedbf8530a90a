"""The campaign in turn 21, when the reserve armies come, with a few units on each side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.engine.testing import Chance, Driver
from pbem.game import Frame, Game, Scenario, Setup
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.chart import AXIS, DATA, RESERVE, SOVIET
from pbem_rules.stalingrad42.frames import War
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, chart_for
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import REMOVED, WAITING, State
from pbem_rules.stalingrad42.victory import total

CHART = chart_for(DATA, CAMPAIGN)
FRONT = {"9Pz": 4515, "11Pz": 4515, "45ID": 4515, "45RD": 5010, "62RD": 5010, "121RD": 4720}
BEHIND = "13GRD 16TC 17TC 4TC 24TC SW-HQ 2GRD"  # in Area A, if they are in the game


def unit(code: str) -> int:
    return CHART.unit(code).number


ARMIES = tuple(number.number for number in CHART.units if CHART.has(number.number, RESERVE))


def _setup(setup: Setup) -> tuple[State, Frame]:
    s = set_up(setup)
    getattr(s, "begin_turn", lambda turn: setattr(s, "turn", turn))(21)
    for number in s.pieces:
        if s.at(number) != REMOVED and number not in ARMIES:
            s.put(number, REMOVED)
    for number in ARMIES:
        s.put(number, WAITING)
    for code, place in FRONT.items():
        s.put(unit(code), place)
    for code in BEHIND.split():
        if code in CHART.counters.by_code:
            s.put(unit(code), CHART.areas["a"])
    for place in sorted(s.chart.prizes, key=lambda place: (place % 100 > 40, place)):  # nobody wins in this turn
        if place not in FRONT.values() and total(s) < s.chart.track.value(21, "benchmark"):
            s.holders[place] = AXIS
    return s, War()


MASKED: Game[State] = replace(
    game, name="s42masked", setup=_setup, scenarios=(Scenario(CAMPAIGN, "The campaign, turn 21"),)
)


class Masked(Driver[State]):
    def __init__(self, seed: str = "mask", chance: Chance | None = None, of: Game[State] = MASKED) -> None:
        super().__init__(of, CAMPAIGN, chance=chance or Chance(seed))

    def type(self, *lines: str) -> None:
        """Of whoever is asked; `log` keeps all events."""
        for line in lines:
            for order in self.game.notation.parse(line, self.context(self.asked[0])):
                self.order(self.asked[0], order)
                self.log = [*getattr(self, "log", []), *self.events()]

    def pass_to(self, seat: str, kind: str) -> None:
        """Everybody does nothing until the seat is asked this."""
        while not (self.asked == (seat,) and getattr(self.need, "kind", "") == kind):
            self.type("done")

    def arrive(self, places: Mapping[int, str] | None = None, boxes: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> None:
        """The six armies come, to Area A if nothing else is said, each paired with its box."""
        self.pass_to(SOVIET, "initial")
        for army in ARMIES:
            self.type(f"arrive {CHART.units[army].code} {(places or {}).get(army, 'a')}")
        if getattr(self.need, "kind", "") == "initial":
            self.type("done")
        for army, box in zip(ARMIES, boxes, strict=True):
            self.type(f"pair {CHART.units[army].code} box{box}")


__all__ = ["ARMIES", "CHART", "MASKED", "Masked", "unit"]
