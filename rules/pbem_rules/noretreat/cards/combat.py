"""NR-13 Events of the Combat phase that are not of one battle: targets, counterblows, the whole phase, its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pbem.game import Call, Decide, Frame, Known, Next, Out, Violation
from pbem_rules.noretreat.battle import OWN_MARKER, begin, marker_ok
from pbem_rules.noretreat.cards.base import At, CardEvent, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.frames import Wave
from pbem_rules.noretreat.chart import AXIS, SOVIET, other
from pbem_rules.noretreat.entries import bring
from pbem_rules.noretreat.events import Note, Upgraded
from pbem_rules.noretreat.frames import Battle
from pbem_rules.noretreat.orders import UNIT, Attack
from pbem_rules.noretreat.rail import unload, unloadable
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import BOX_NAMES, DESTROYED, RAIL, Effect, State
from pbem_rules.noretreat.supply import LENGTH, land_sources, land_supplied
from pbem_rules.noretreat.targets import blow_places, mark_blow, willing

TARGETED, COMBAT = Moment.TARGETED, Moment.COMBAT


# Targets and counterblows


def within_march(s: State, side: str) -> frozenset[int]:
    """NR-13.04S: where a unit could march from a supplied city or the map edge with points enough: zones stop it."""
    board, enemy = s.chart.board, other(side)
    barred, zone = s.ground.occupied[enemy], s.zone(enemy)
    start = board.in_mask(land_sources(s, side) & ~barred & s.chart.land)
    found, rest = set(start), list(start)
    first = set(start)
    while rest:
        here = rest.pop()
        held = bool(zone & board.bit[here])
        if held and here not in first:
            continue
        for place in board.near[here]:
            if place in found or barred & board.bit[place] or not s.chart.passable(here, place):
                continue
            if not (held and zone & board.bit[place]):  # NR-8.4
                found.add(place)
                rest.append(place)
    return frozenset(found)


@event(4, SOVIET, TARGETED)
class Maskirovka(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        if not s.of(at.side, RAIL):
            return self.wrong("No unit of yours is in the Rail box")
        return None if s.targets else self.wrong("No target has been marked")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        board, side = s.chart.board, at.side
        # NR-13.04S: the unit's own hex does not block its line, though it be in an enemy zone (NR-6.4).
        land = s.chart.lines.reached(land_supplied(s, side, LENGTH - 1), s.chart.land, 1)
        places = {near for target in s.targets for near in board.near[target] if s.chart.passable(near, target)}
        good = sorted(p for p in places if land & board.bit[p])
        reached = within_march(s, side) if good else ()
        for unit in s.of(side, RAIL):
            for place in good:
                if place in reached and fits(s, unit, place):
                    yield UNIT + unit, place

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a unit of your Rail box, and a hex beside a target that it could march to, with room")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        unload(s, unit_in(targets[0]), targets[1], self.rule, out)
        return None


@event(9, AXIS, TARGETED, whose="own", symbol=AXIS)
class SiegeGuns(CardEvent):
    def _forts(self, s: State, place: int) -> list[int]:
        return [u for u in s.of(SOVIET, place) if s.has(u, "fortified") and s.unit(u).two_faced]

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return ((place,) for place in s.targets if self._forts(s, place))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a target hex with a fortified unit that has a regional side")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for unit in self._forts(s, targets[0]):
            s.turn_over(unit, strong=False)
            out.add(Upgraded(unit=s.name(unit), strong=False, rule=self.rule))
        return None


def blow_sets(s: State) -> Iterator[Targets]:
    """One or two hexes that can be marked for counterblows."""
    places = list(blow_places(s))
    for number, first in enumerate(places):
        yield (first,)
        for second in places[number + 1 :]:
            yield first, second


def mark_blows(s: State, places: Targets, rule: str, out: Out) -> None:
    for place in places:
        mark_blow(s, s.ground.stacks[place], rule, out)


class TwoBlows(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return blow_sets(s)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if tuple(sorted(targets)) in self.choices(s, at):
            return None
        return self.wrong("Name one or two of your hexes that may be marked for counterblows")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        mark_blows(s, targets, self.rule, out)
        return None


@event(26, AXIS, Moment.BLOWS, whose="enemy")
class MobileDefence(TwoBlows):
    pass


@event(32, SOVIET, Moment.BLOWS, whose="enemy")
class Bravery(TwoBlows):
    pass


@event(34, AXIS, TARGETED, Moment.TURN_END, whose="own")
class BackhandBlow(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        places = sorted(place for place in s.blows if s.side_at(place) == SOVIET)
        for number, first in enumerate(places):
            yield (first,)
            for second in places[number + 1 :]:
                yield first, second

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if tuple(sorted(targets)) in self.choices(s, at):
            return None
        return self.wrong("Name one or two hexes with Soviet units under counterblow markers")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for place in targets:
            s.lift_blow(place)
            text = f"The counterblow marker in {s.chart.place_text(place)} is removed."
            out.add(Note(text=text, rule=self.rule))
        return None


# The whole phase


@event(15, AXIS, COMBAT, whose="enemy", symbol=SOVIET)
class TransportFails(CardEvent):
    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.put_effect(Effect("shift", SOVIET, amount=-1, until="phase"))
        return None


class StandFast(CardEvent):
    """Every DR of the phase, in counterattacks too."""

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for side in (AXIS, SOVIET):
            s.put_effect(Effect("retreat_is_exchange", side, until="phase"))
        return None


@event(18, SOVIET, COMBAT, whose="enemy", symbol=AXIS)
class NotOneStepBack(StandFast):
    pass


@event(24, AXIS, COMBAT, whose="enemy")
class HoldAtAnyPrice(StandFast):
    pass


@event(21, SOVIET, COMBAT, whose="own", symbol=SOVIET)
class Steamroller(CardEvent):
    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        s.put_effect(Effect("shock", SOVIET, amount=2, until="turn"))
        return None


# After the phase


@event(24, SOVIET, Moment.AFTER_COMBAT, symbol=AXIS)
class InteriorReserves(CardEvent):
    """`losses.send` notes who is destroyed in the phase while in supply."""

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        lost = {each.at for each in s.effect("lost", at.side) if s.at(each.at) == DESTROYED}
        return ((UNIT + unit, place) for unit in sorted(lost) for place in unloadable(s, unit))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a unit just destroyed while in supply, and a hex in which it may get off the railway")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        bring(s, unit_in(targets[0]), targets[1], BOX_NAMES[DESTROYED], self.rule, out)
        return None


def wave_targets(s: State, side: str) -> list[int]:
    places = s.chart.board.in_mask(s.ground.occupied[other(side)])
    return [place for place in places if willing(s, side, place)]


@event(29, SOVIET, Moment.AFTER_COMBAT, whose="own", symbol=SOVIET)
class WaveUponWave(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        return (
            None
            if wave_targets(s, at.side)
            else self.wrong("None of your units stands beside an enemy that it may attack")
        )

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Wave(at.side)


class WaveBattle(Decide[State, Wave, Attack]):
    """One more attack, also by those who have attacked before."""

    name = "wave"
    rule = "NR-13.29S"

    def by(self, s: State, f: Wave) -> Sequence[str]:
        return (f.side,) if wave_targets(s, f.side) else ()

    def prompt(self, s: State, f: Wave, seat: str) -> str:
        places = ", ".join(s.chart.place_text(place) for place in wave_targets(s, seat))
        return f"One more attack, on one of {places}: `attack HEX with UNITS`."

    def legal(self, s: State, f: Wave, seat: str, own: Known) -> Iterator[Attack]:
        for place in wave_targets(s, seat):
            units = willing(s, seat, place)
            for size in range(len(units), 0, -1):
                for chosen in combinations(units, size):
                    yield Attack(place, chosen)
                    if marker_ok(s, seat, chosen, OWN_MARKER[seat]) is None:
                        yield Attack(place, chosen, OWN_MARKER[seat])

    def check(self, s: State, f: Wave, seat: str, order: Attack, proof: Known) -> Violation | None:
        if order.target not in wave_targets(s, seat):
            return Violation(self.rule, "None of your units may attack that")
        if not order.units or any(a >= b for a, b in zip(order.units, order.units[1:], strict=False)):
            return Violation("NR-9.4", "An attack names its units, each once, in the order of the list of units")
        may = willing(s, seat, order.target)
        if any(unit not in may for unit in order.units):
            return Violation("NR-9.2", f"These can attack it: {', '.join(s.name(unit) for unit in may)}")
        return marker_ok(s, seat, order.units, order.marker)

    def apply(self, s: State, f: Wave, answers: Mapping[str, Attack], out: Out) -> Next:
        ((seat, order),) = answers.items()
        s.attacks += 1
        fight = begin(s, seat, order.target, order.units, marker=order.marker)
        fight.ask, fight.pursue = order.ask, order.pursue
        return Call(Battle(seat))


__all__ = ["WaveBattle", "blow_sets", "mark_blows", "within_march"]
