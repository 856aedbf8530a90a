"""NR-13 Events that move units: outside the Movement phase, by rail at once, or more than they could."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from pbem.game import DONE, STAY, Ask, Auto, Call, Frame, Next, Out, Violation
from pbem.kit import FIRST_AREA
from pbem_rules.noretreat.cards.base import At, CardEvent, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.frames import Surprise
from pbem_rules.noretreat.cards.kinds import fit_together, units_of
from pbem_rules.noretreat.chart import AXIS, SOVIET, other
from pbem_rules.noretreat.events import Note, Placed
from pbem_rules.noretreat.frames import Manoeuvre, PlayerTurn, Retreat
from pbem_rules.noretreat.movement import allowance, carry_out, free_to_manoeuvre, way
from pbem_rules.noretreat.orders import Done, Leave, Unload
from pbem_rules.noretreat.rail import unloadable
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import BOX_NAMES, RAIL, Effect, State
from pbem_rules.noretreat.supply import supplied_units
from pbem_rules.noretreat.targets import mark_blow
from pbem_rules.noretreat.victory import enter

MOVED = Moment.MOVED


def free_units(s: State, side: str, *, supplied: bool = False, armour: bool = False) -> tuple[int, ...]:
    """Those that may manoeuvre (NR-13.39A, NR-13.41S). Supply is checked now (NR-13.18A, NR-13.43A)."""
    good = supplied_units(s, side) if supplied else s.chart.own[side]
    return tuple(
        unit
        for unit in s.chart.own[side]
        if s.on_map(unit) and unit in good and (not armour or s.has(unit, "armour")) and free_to_manoeuvre(s, unit)
    )


class Manoeuvres(CardEvent):
    """All units that may go, each once."""

    points = 1
    most = 99
    single = False
    in_supply = False
    armour = False

    def _units(self, s: State, at: At) -> tuple[int, ...]:
        return free_units(s, at.side, supplied=self.in_supply, armour=self.armour)

    def unfit(self, s: State, at: At) -> Violation | None:
        return None if self._units(s, at) else self.wrong("None of your units can move by this event now")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Manoeuvre(at.side, self._units(s, at), self.points, self.most, self.single)


@event(39, AXIS, MOVED, whose="enemy")
class OperationalManoeuvre(Manoeuvres):
    pass


@event(41, SOVIET, MOVED, whose="enemy")
class CentralCommand(Manoeuvres):
    points, most, single = 99, 4, True


@event(43, AXIS, MOVED, whose="enemy", symbol=AXIS)
class PanzerBreakthrough(Manoeuvres):
    points, in_supply, armour = 2, True, True

    def unfit(self, s: State, at: At) -> Violation | None:
        if s.weather != "clear":
            return self.wrong("The weather must be Clear")
        return super().unfit(s, at)


@event(18, AXIS, MOVED, whose="enemy")
class OperationalReserve(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of(free_units(s, at.side, supplied=True))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a unit in supply, neither in an enemy zone nor under a counterblow marker")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        unit = unit_in(targets[0])
        return Manoeuvre(at.side, (unit,), (allowance(s, unit) + 1) // 2)


@event(36, AXIS, MOVED, whose="enemy", symbol=AXIS)
class SuddenAttack(CardEvent):
    """Targets: where the stack stands, and where it goes."""

    @staticmethod
    def _stack(s: State, side: str, place: int) -> tuple[int, ...]:
        return tuple(unit for unit in s.of(side, place) if s.face(unit).move)

    def ways(self, s: State, side: str, start: int) -> dict[int, tuple[int, ...]]:
        """Goals of the whole stack, each with the shortest way there."""
        units, near = self._stack(s, side, start), s.chart.board.near
        found: dict[int, tuple[int, ...]] = {}
        if not units:
            return found
        short = [(first,) for first in near[start]]
        long = [(first, second) for (first,) in short for second in near[first] if second != start]
        for path in (*short, *long):
            goal = path[-1]
            if goal in found or not any(s.of(SOVIET, place) for place in near[goal]):
                continue
            if fit_together(s, side, units, goal) and all(self._walks(s, unit, path) for unit in units):
                found[goal] = path
        return found

    @staticmethod
    def _walks(s: State, unit: int, path: tuple[int, ...]) -> bool:
        found = way(s, unit, allowance(s, unit), path)
        return not isinstance(found, Violation) and len(found[0]) == len(path) + 1

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        for start in s.chart.board.in_mask(s.ground.occupied[at.side]):
            for goal in sorted(self.ways(s, at.side, start)):
                yield start, goal

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if len(targets) == 2 and targets[1] in self.ways(s, at.side, targets[0]):
            return None
        return self.wrong("Name where a stack stands, and a place beside Soviets that all of it can reach in two hexes")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        start, goal = targets
        path = self.ways(s, at.side, start)[goal]
        stack = self._stack(s, at.side, start)
        for unit in stack:
            carry_out(s, unit, allowance(s, unit), path, self.rule, out)
        mark_blow(s, stack, self.rule, out)
        return None


# By rail at once


def railworthy(s: State, side: str, gone: int = 0) -> tuple[int, ...]:
    """Mobile units in supply that have not gone yet (NR-13.10S, NR-8.14, NR-8.17)."""
    return tuple(
        unit
        for unit in s.chart.own[side]
        if s.on_map(unit) and s.supplied(unit) and not s.has(unit, "fortified") and not gone >> unit & 1
    )


@event(10, SOVIET, Moment.CARDS)
class SurpriseMove(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        if any(_stations(s, unit) for unit in railworthy(s, at.side)):
            return None
        return self.wrong("None of your units can go by rail")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return Surprise(at.side, 2)


def _stations(s: State, unit: int) -> tuple[int, ...]:
    here = s.at(unit)
    return tuple(place for place in unloadable(s, unit) if place != here)


class SurpriseRide(Ask[State, Surprise, Unload | Done]):
    name = "surprise"
    rule = "NR-13.10S"
    ends = "Move no other unit by rail"

    def by(self, s: State, f: Surprise) -> Sequence[str]:
        return (f.side,) if f.left and any(_stations(s, unit) for unit in railworthy(s, f.side, f.gone)) else ()

    def prompt(self, s: State, f: Surprise, seat: str) -> str:
        return f"Up to {f.left} more can go by rail at once: `unload UNIT HEX`, then `done`."

    def options(self, s: State, f: Surprise, seat: str) -> Iterator[Unload | Done]:
        yield Done()
        for unit in railworthy(s, f.side, f.gone):
            for place in _stations(s, unit):
                yield Unload(unit, place)

    def why(self, s: State, f: Surprise, seat: str, order: Unload | Done) -> Violation:
        if isinstance(order, Done) or order.unit not in railworthy(s, f.side, f.gone):
            return Violation(self.rule, "That is not a mobile unit of yours that is in supply and still has to go")
        return Violation("NR-8.21", f"{s.name(order.unit)} cannot get off the railway there")

    def do(self, s: State, f: Surprise, seat: str, order: Unload | Done, out: Out) -> Next:
        if isinstance(order, Done):
            return DONE
        f.left -= 1
        f.gone |= 1 << order.unit
        s.put(order.unit, order.to)
        out.add(Placed(unit=s.name(order.unit), hex=order.to, origin=BOX_NAMES[RAIL], rule=self.rule))
        enter(s, f.side, (order.to,), out)
        return STAY


# More units in a hex than fit


def _touching(s: State, hexes: Iterable[int]) -> bool:
    return all(s.chart.board.touch(a, b) for a, b in combinations(hexes, 2))


@event(14, SOVIET, Moment.MOVE, whose="own", symbol=SOVIET)
class PreparedOffensive(CardEvent):
    def choices(self, s: State, at: At) -> Iterator[Targets]:
        """Three hexes of which two at least hold units of ours; `check` allows any, and fewer."""
        board, own = s.chart.board, s.ground.occupied[at.side]
        shut = s.ground.occupied[other(at.side)]
        for a in board.in_mask(s.chart.land & ~shut):
            beside = [p for p in board.near[a] if a < p < FIRST_AREA and s.chart.land & ~shut & board.bit[p]]
            for b, c in combinations(sorted(beside), 2):
                if board.touch(b, c) and sum(1 for p in (a, b, c) if own & board.bit[p]) > 1:
                    yield a, b, c
        for place in board.in_mask(own):
            yield (place,)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        board = s.chart.board
        if targets and all(p in board and s.chart.land & board.bit[p] and s.side_at(p) != AXIS for p in targets):
            if _touching(s, targets):  # no hex touches itself, nor do any four touch each other
                return None
            return self.wrong("Each of the hexes must touch all the others")
        return self.wrong("Name one to three hexes without enemies")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        for place in targets:
            s.put_effect(Effect("room", SOVIET, place, 1, "phase"))
            text = f"{s.chart.place_text(place)} holds one more Soviet unit in this turn."
            out.add(Note(text=text, rule=self.rule))
        return None


class EndOfRoom(Auto[State, PlayerTurn]):
    """NR-13.14S: the Combat phase is over, and so is the room; who is too many retreats (`Disperse`)."""

    rule = "NR-13.14S"

    def when(self, s: State, f: PlayerTurn) -> bool:
        return bool(s.effect("room"))

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        room = s.effect("room")
        s.effects = tuple(each for each in s.effects if each not in room)
        for each in room:
            s.put_effect(Effect("disperse", each.side, each.at, each.amount, "phase"))
        return DONE


def to_disperse(s: State) -> int:
    """The first hex of a prepared offensive that is too full, 0 if none is."""
    for each in s.effect("disperse"):
        units = s.of(each.side, each.at)
        if too_many(s, each.side, units, each.at):
            return each.at
    return 0


class Disperse(Ask[State, PlayerTurn, Leave]):
    rule = "NR-13.14S"
    forced = True

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (SOVIET,) if to_disperse(s) else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        place = to_disperse(s)
        codes = ", ".join(s.name(unit) for unit in s.ground.stacks[place])
        return f"A unit retreats out of {s.chart.place_text(place)}: `leave UNIT` of {codes}."

    def options(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Leave]:
        return map(Leave, s.ground.stacks[to_disperse(s)])

    def do(self, s: State, f: PlayerTurn, seat: str, order: Leave, out: Out) -> Next:
        place = s.at(order.unit)
        s.effects = tuple(each for each in s.effects if (each.kind, each.at) != ("disperse", place))
        return Call(Retreat(SOVIET, place, (order.unit,)), again=True)


__all__ = ["Disperse", "EndOfRoom", "SurpriseRide"]
