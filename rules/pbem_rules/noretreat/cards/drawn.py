"""NR-13 Events that happen when they are drawn (NR-5.15): weather, shuffles, points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pbem.game import Frame, Out, Violation
from pbem_rules.noretreat.cards.base import At, CardEvent, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.frames import ShuffleAll
from pbem_rules.noretreat.cards.kinds import units_of
from pbem_rules.noretreat.cards.units import mapped
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Note
from pbem_rules.noretreat.frames import DrawCards
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.state import OUT, State
from pbem_rules.noretreat.weather import can_flip, flip, managed, set_to

DRAWN = Moment.DRAWN


class Weather(CardEvent):
    """Another card is drawn for it, also where the weather is not managed (NR-14.6)."""

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        before = s.flipped
        if managed(s):
            self.turn(s, out)
        if s.flipped == before:
            out.add(Note(text="The weather stays as it is.", rule=self.rule))
        return DrawCards(at.side, 1)

    def turn(self, s: State, out: Out) -> None:
        raise TypeError(f"{self.rule} does nothing")


@event(11, AXIS, DRAWN)
class ChangingSkies(Weather):
    def turn(self, s: State, out: Out) -> None:
        if can_flip(s, s.turn):
            flip(s, s.turn, self.rule, out)


@event(12, SOVIET, DRAWN)
class GeneralMud(Weather):
    def turn(self, s: State, out: Out) -> None:
        set_to(s, s.turn, "mud", self.rule, out)


@event(13, SOVIET, DRAWN)
class GeneralFrost(Weather):
    def turn(self, s: State, out: Out) -> None:
        set_to(s, s.turn + 1, "snow", self.rule, out)


@event(33, AXIS, DRAWN)
class UnseasonableWeather(Weather):
    def turn(self, s: State, out: Out) -> None:
        for turn in (s.turn, s.turn + 1):
            if can_flip(s, turn):
                flip(s, turn, self.rule, out)


class Shuffles(CardEvent):
    draw: ClassVar[int] = 0

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return ShuffleAll(at.side, self.card, self.draw)


@event(20, AXIS, DRAWN)
class Crusade(Shuffles):
    pass


@event(40, SOVIET, DRAWN)
class PatrioticWar(Shuffles):
    pass


@event(53, SOVIET, DRAWN)
class Retribution(Shuffles):
    draw = 1


@event(54, AXIS, DRAWN)
class Twilight(Shuffles):
    draw = 1


class Points(CardEvent):
    """A point if something holds, a point less if not; cards drawn in either case."""

    yes: ClassVar[int] = 0  # cards drawn if it holds
    no: ClassVar[int] = 0
    why: ClassVar[str] = ""

    def holds(self, s: State) -> bool:
        raise TypeError(f"{self.rule} asks nothing")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        good = self.holds(s)
        score(s, at.side, 1 if good else -1, self.why, self.rule, out)
        draw = self.yes if good else self.no
        return DrawCards(at.side, draw) if draw else None


def held(s: State, place: str, side: str) -> bool:
    return s.holders[s.chart.named[place]] == side


@event(45, SOVIET, DRAWN)
class LastAlly(Points):
    yes = no = 1
    why = "Budapest"

    def holds(self, s: State) -> bool:
        return held(s, "Budapest", SOVIET)


@event(46, AXIS, DRAWN)
class InTheBunker(CardEvent):
    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        berlin = s.ground.stacks[s.chart.named["Berlin"]]
        if not any("garrison" in s.face(unit).traits for unit in berlin):
            out.add(Note(text="The Berlin Garrison is not in Berlin: nothing happens.", rule=self.rule))
            return None
        score(s, AXIS, 1, "the Berlin Garrison", self.rule, out)
        return DrawCards(AXIS, 2)


@event(47, AXIS, DRAWN)
class Lebensraum(Points):
    yes = no = 1
    why = "Germans in the USSR"

    def holds(self, s: State) -> bool:
        ussr, bit = s.chart.ussr, s.chart.board.bit
        return any(s.unit(unit).german and ussr & bit[s.at(unit)] for unit in mapped(s, AXIS))


@event(48, SOVIET, DRAWN)
class WarWithFinland(Points):
    why = "Finland"

    def holds(self, s: State) -> bool:
        return held(s, "Finland", SOVIET)


@event(49, SOVIET, DRAWN)
class BalkanPolitics(Points):
    why = "Bucharest"

    def holds(self, s: State) -> bool:
        return held(s, "Ploesti", SOVIET)


@event(50, AXIS, DRAWN)
class EastPrussia(Points):
    yes, no = 2, 1
    why = "Koenigsberg"

    def holds(self, s: State) -> bool:
        return held(s, "Koenigsberg", AXIS)


@event(52, SOVIET, DRAWN)
class Tito(Points):
    yes = no = 1
    why = "the Balkans and Belgrade"

    def holds(self, s: State) -> bool:
        return held(s, "Belgrade", SOVIET) and all(s.holders[area] == SOVIET for area in s.chart.balkans)


@event(51, AXIS, DRAWN)
class WatchOnTheRhine(CardEvent):
    """Without a target: a point is lost."""

    def _units(self, s: State) -> list[int]:
        barred = {"cadre", "garrison", "volkssturm"}
        return [unit for unit in mapped(s, AXIS) if s.unit(unit).german and not barred & s.face(unit).traits]

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        yield ()
        yield from units_of(self._units(s))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a German unit on the map, no Volkssturm, cadre or garrison; or none, for a point")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if targets:
            send(s, unit_in(targets[0]), OUT, "sent to the west", self.rule, out)
        score(s, AXIS, 1 if targets else -1, "the west", self.rule, out)
        return None
