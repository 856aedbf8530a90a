"""NR-13 Events that bring units back, upgrade them, take steps, or lay markers."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Frame, Out, Violation
from pbem.kit import FIRST_AREA, held_by
from pbem_rules.noretreat.cards.base import At, CardEvent, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.frames import DrawThen
from pbem_rules.noretreat.cards.kinds import FROM_44, fit_together, options, units_of, up_to_two
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.entries import bring, entries
from pbem_rules.noretreat.events import Boxed, Note, OutOfSupply, Upgraded
from pbem_rules.noretreat.frames import DrawCards, Losses, PlayerTurn, Returning
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.orders import CHOICE, UNIT
from pbem_rules.noretreat.organise import check_upgrade
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import (
    BOX_NAMES,
    CADRES,
    CAPTURED,
    DESTROYED,
    OUT,
    RAIL,
    RAIL_ROOM,
    READY,
    SHATTERED,
    TRACK,
    VOLKSSTURM,
    State,
)  # fmt: skip

ORGANISE = Moment.ORGANISE


def lost_units(s: State, side: str) -> tuple[int, ...]:
    return tuple(sorted((*s.of(side, DESTROYED), *s.of(side, CAPTURED))))


def mapped(s: State, side: str) -> tuple[int, ...]:
    return tuple(unit for unit in s.chart.own[side] if s.on_map(unit))


# Back from the boxes


@event(2, SOVIET, Moment.ANY, symbol=AXIS)
class MenForTheFront(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        free = RAIL_ROOM - len(s.of(at.side, RAIL))
        units = sorted((*lost_units(s, at.side), *s.of(at.side, SHATTERED)))
        return (each for each in up_to_two(units) if len(each) <= free)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if tuple(sorted(targets)) in self.choices(s, at):
            return None
        return self.wrong("Name one or two of your shattered, destroyed or captured units; the Rail box holds three")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for target in targets:
            unit = unit_in(target)
            s.put(unit, RAIL)
            out.add(Boxed(unit=s.name(unit), hex=RAIL, box=BOX_NAMES[RAIL], why="men for it", rule=self.rule))
        return None


@event(3, AXIS, ORGANISE, whose="own", symbol=AXIS)
class TroopsFromElsewhere(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        for unit in lost_units(s, at.side):
            for place in entries(s, unit, s.at(unit)):
                yield UNIT + unit, place

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a destroyed or captured unit of yours, and a place where it may enter")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        unit = unit_in(targets[0])
        bring(s, unit, targets[1], BOX_NAMES[s.at(unit)], self.rule, out, tired=True)
        return None


@event(25, AXIS, ORGANISE, whose="own", symbol=SOVIET)
class ImprovisedUnits(CardEvent):
    """Cadres enter where shattered units may."""

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        cadres = s.of(at.side, CADRES)
        for number, first in enumerate(cadres):
            for place in entries(s, first, SHATTERED):
                yield UNIT + first, place
                for second in cadres[number + 1 :]:
                    for goal in entries(s, second, SHATTERED):
                        if goal != place or fit_together(s, at.side, (first, second), place):
                            yield UNIT + first, place, UNIT + second, goal

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at) or (*targets[2:], *targets[:2]) in self.choices(s, at):
            return None
        return self.wrong("Name one or two cadres of your box, each with a supplied city where it may enter")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for target, place in zip(targets[::2], targets[1::2], strict=True):
            bring(s, unit_in(target), place, BOX_NAMES[CADRES], self.rule, out)
        return None


@event(30, AXIS, Moment.CARDS, symbol=SOVIET)
class LastReserves(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        if any(entries(s, unit, DESTROYED) for unit in lost_units(s, at.side)):
            return None
        return self.wrong("No destroyed or captured unit of yours can enter")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        score(s, at.side, -1, "the last reserves", self.rule, out)
        return Returning(at.side, lost_units(s, at.side), 2)


@event(33, SOVIET, Moment.ANY, whose="own", symbol=SOVIET)
class IndustryGrows(CardEvent):
    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return DrawThen(at.side, 2, bring=1)


@event(38, SOVIET, Moment.ANY, symbol=AXIS)
class NewDraft(CardEvent):
    """Targets: the cadre, and who takes its place."""

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        for cadre in mapped(s, at.side):
            if s.unit(cadre).cadre:
                place = s.at(cadre)
                rest = tuple(unit for unit in s.ground.stacks[place] if unit != cadre)
                for unit in lost_units(s, at.side):
                    if not too_many(s, at.side, (*rest, unit), place):
                        yield UNIT + cadre, UNIT + unit

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a cadre on the map, and a destroyed or captured unit that fits in its place")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        cadre, unit = map(unit_in, targets)
        place = s.at(cadre)
        send(s, cadre, TRACK, "replaced", self.rule, out)
        bring(s, unit, place, BOX_NAMES[s.at(unit)], self.rule, out, tired=True)
        return None


@event(48, AXIS, ORGANISE, whose="own")
class FortressGermany(CardEvent):
    """A fortified unit that had come and is out: those of the border cities, or the Berlin Garrison."""

    def _units(self, s: State) -> list[int]:
        found = []
        for unit in s.chart.own[AXIS]:
            kind = s.unit(unit)
            if s.at(unit) != OUT or "fortified" not in kind.better.traits:
                continue
            come = s.triggers.get(kind.by)
            if (come is not None and come < s.turn) or kind.turn <= s.turn < kind.leaves:
                found.append(unit)
        return found

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return ((UNIT + unit, place) for unit in self._units(s) for place in entries(s, unit, READY))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a German fortified unit lost for good, and a city where it may come back")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        bring(s, unit_in(targets[0]), targets[1], BOX_NAMES[OUT], self.rule, out)
        return None


@event(49, AXIS, ORGANISE, whose="own")
class VolkssturmReturns(CardEvent):
    """One to three of them, ascending, each in its own city."""

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        units = sorted(unit for unit in s.of(at.side, VOLKSSTURM) if entries(s, unit, READY))
        for number, first in enumerate(units):
            yield (UNIT + first,)
            for place, second in enumerate(units[number + 1 :], start=number + 1):
                yield UNIT + first, UNIT + second
                for third in units[place + 1 :]:
                    yield UNIT + first, UNIT + second, UNIT + third

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if tuple(sorted(targets)) in self.choices(s, at):
            return None
        return self.wrong("Name up to three lost Volkssturm units whose cities you hold")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for target in targets:
            unit = unit_in(target)
            bring(s, unit, entries(s, unit, READY)[0], BOX_NAMES[VOLKSSTURM], self.rule, out)
        return None


# Upgrades


@event(8, SOVIET, ORGANISE, whose="own", since=6)
class LendLease(CardEvent):
    """`=1`: two cards. Or a unit: it is upgraded."""

    possibilities = ("two cards",)

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        yield from options(1)
        for unit in s.chart.own[SOVIET]:
            if check_upgrade(s, PlayerTurn(SOVIET, free=-1), unit, free=True) is None:
                yield (UNIT + unit,)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in options(1):
            return None
        if len(targets) == 1 and (unit := unit_in(targets[0])) >= 0:
            return check_upgrade(s, PlayerTurn(SOVIET, free=-1), unit, free=True)
        return self.wrong("Choose `=1`, two cards, or name a unit to upgrade")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if targets[0] == CHOICE + 1:
            return DrawCards(SOVIET, 2)
        unit = unit_in(targets[0])
        s.turn_over(unit, strong=True)
        out.add(Upgraded(unit=s.name(unit), strong=True, rule=self.rule))
        return None


# Steps and units lost


@event(5, SOVIET, Moment.BEFORE, whose="enemy")
class CavalryRaid(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of([unit for unit in mapped(s, AXIS) if s.supplied(unit)])

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name an Axis unit on the map that is in supply")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        unit = unit_in(targets[0])
        s.mark_cut(unit, cut=True)
        out.add(OutOfSupply(units=(s.name(unit),), rule=self.rule))
        return None


@event(6, SOVIET, ORGANISE, whose="own")
class Partisans(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        return None if mapped(s, AXIS) else self.wrong("No Axis unit is on the map")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Losses(AXIS, mapped(s, AXIS), 1)


@event(10, AXIS, Moment.SUPPLY, symbol=AXIS)
class PocketCleared(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of([unit for unit in mapped(s, SOVIET) if not s.supplied(unit)])

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name a Soviet unit that is out of supply")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        send(s, unit_in(targets[0]), CAPTURED, "the pocket is cleared", self.rule, out)
        return None


@event(35, AXIS, ORGANISE, whose="own", symbol=SOVIET, since=FROM_44)
class ManpowerSpent(CardEvent):
    def _units(self, s: State) -> tuple[int, ...]:
        return tuple(unit for unit in mapped(s, SOVIET) if s.supplied(unit) and not s.unit(unit).cadre)

    def unfit(self, s: State, at: At) -> Violation | None:
        return None if self._units(s) else self.wrong("No Soviet unit in supply, cadres aside, is on the map")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Losses(SOVIET, self._units(s), 2)


# Markers


@event(7, SOVIET, Moment.CARDS, whose="enemy", symbol=AXIS)
class ScorchedEarth(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        held = held_by(s.holders, SOVIET, filter(s.is_city, sorted(s.chart.cities)))
        return ((place,) for place in held)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name a city that the Soviets hold")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.scorched = tuple(sorted((*s.scorched, targets[0])))
        out.add(Note(text=f"{s.chart.place_text(targets[0])} is burnt down.", rule=self.rule))
        return None


@event(41, AXIS, ORGANISE, whose="own", symbol=SOVIET)
class DefenceWorks(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        """Where units of ours stand, and cities; `check` allows any hex that the Axis holds."""
        places = s.chart.board.in_mask(s.ground.occupied[AXIS] | s.chart.board.mask(s.chart.cities))
        return ((place,) for place in places if self._may(s, place))

    @staticmethod
    def _may(s: State, place: int) -> bool:
        return place < FIRST_AREA and s.holders.get(place) == AXIS and place not in s.works

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if len(targets) == 1 and self._may(s, targets[0]):
            return None
        return self.wrong("Name a hex that the Axis holds, without such works")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.works = tuple(sorted((*s.works, targets[0])))
        out.add(Note(text=f"{s.chart.place_text(targets[0])} is fortified.", rule=self.rule))
        return None
