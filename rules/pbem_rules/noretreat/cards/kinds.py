"""The common parts of events of cards: battles, shifts, results, dice rolled again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pbem.game import Frame, Out, Violation
from pbem_rules.noretreat.cards.base import At, CardEvent, Targets
from pbem_rules.noretreat.chart import NAMES
from pbem_rules.noretreat.orders import CHOICE, UNIT
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import Fight, State

FROM_44 = 17  # Jan/Feb 44: the first turn of 1944


class BattleEvent(CardEvent):
    """An event of one battle. `attacker`: the side that must be attacking in it, if one must."""

    attacker: ClassVar[str] = ""
    counters: ClassVar[bool] = False  # in counterattacks too

    def unfit(self, s: State, at: At) -> Violation | None:
        fight = s.fight
        if fight is None:
            return self.wrong("There is no battle")
        if self.attacker and fight.side != self.attacker:
            return self.wrong(f"This event is played when the {NAMES[self.attacker]} side attacks")
        if fight.counter and not self.counters:
            return self.wrong("This event is not played in a counterattack")
        return self.unfit_battle(s, at, fight)

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None

    def awaits_battle(self, s: State) -> bool:
        """What is played in counterattacks, too, may find the other side attacking."""
        return (self.attacker in ("", s.active) or self.counters) and super().awaits_battle(s)

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        assert s.fight is not None
        self.do(s, at, s.fight, targets)
        return None

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        raise TypeError(f"{self.rule} does nothing")

    def shift(self, s: State, at: At, fight: Fight, columns: int) -> None:
        fight.shifts = (*fight.shifts, (columns, s.chart.card_title(at.side, self.card), self.rule))


def decide(fight: Fight, result: str = "", *, duel: str = "", at_least: int = -1) -> None:
    """What decides a battle takes the place of what did before (NR-5.14)."""
    fight.result, fight.duel, fight.at_least = result, duel, at_least


class Reroll(BattleEvent):
    """The die that counts is rolled again, once, alone."""

    counters = True

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.die, fight.dice = 0, 1


def options(count: int) -> Iterator[Targets]:
    return ((CHOICE + number,) for number in range(1, count + 1))


def units_of(units: Sequence[int]) -> Iterator[Targets]:
    return ((UNIT + unit,) for unit in units)


def up_to_two(units: Sequence[int]) -> Iterator[Targets]:
    """One or two of them, the lower number first."""
    for number, first in enumerate(units):
        yield (UNIT + first,)
        for second in units[number + 1 :]:
            yield UNIT + first, UNIT + second


def fit_together(s: State, side: str, units: Sequence[int], place: int) -> bool:
    """Would these new units all find room beside who is there?"""
    return not too_many(s, side, (*s.of(side, place), *units), place)
