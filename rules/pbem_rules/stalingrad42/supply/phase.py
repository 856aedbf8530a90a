"""S42-3.B5: the Supply Phase: railheads, lines of supply, isolated units, supply points for artillery support."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.game import DONE, STAY, Auto, Call, Choice, Decide, Draw, Known, Next, Order, Out, Roll, Violation
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, SUPPLIED, SupplyJudged, extended, hex_name, many, onward
from pbem_rules.stalingrad42.chart import ASU, AXIS, DIE, SUPPLY
from pbem_rules.stalingrad42.events import RailheadOn, Readied, Starved
from pbem_rules.stalingrad42.frames import Losses, PlayerTurn
from pbem_rules.stalingrad42.movement.rail import repaired, working
from pbem_rules.stalingrad42.orders import Done, Ready, Repair
from pbem_rules.stalingrad42.state import GOOD, POOL, State, other
from pbem_rules.stalingrad42.supply.isolation import relief, starves
from pbem_rules.stalingrad42.supply.lines import clear_of_enemies, judged

Course = tuple[int, ...]
NEARBY = 2  # hexes beyond the range of support within which an enemy makes it worth a supply point


# Railheads


def heads(s: State, f: PlayerTurn) -> Iterator[int]:
    """S42-17.2.1a, S42-17.3.2: the numbers of the railheads that can still move: four a turn, joined to a source.

    S42-17.2.2: one that has been placed in this turn waits for the next.
    """
    if f.seat == AXIS and len(f.repairs) < s.chart.limits["railheads"][AXIS]:
        fresh = (number for number in range(len(s.tracks)) if number not in f.repairs and number not in f.placed)
        yield from (number for number in fresh if working(s, s.tracks[number]))


def courses(s: State, number: int) -> Iterator[Course]:
    """S42-17.2.1: where a railhead can go: along green railway, not to enemies, nor into their zone but to friends."""
    rail, track = s.chart.rails, s.tracks[number]
    left, clear = s.chart.green & ~repaired(s), clear_of_enemies(s, AXIS)
    todo: list[Course] = [()]
    for course in todo:
        if course:
            yield course
        gone = s.chart.board.mask(course)
        if len(course) < s.chart.limits["railhead_hexes"][AXIS]:
            todo += [(*course, there) for there in onward(rail, (*track, *course), left & ~gone, clear)]


class Repairs(Choice[State, PlayerTurn, Repair]):
    """S42-17.2: railheads go on; at a junction another one is placed."""

    rule = "S42-17.2.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Repair]:
        seen = set()
        for number in heads(s, f):
            start = s.tracks[number][-1]
            if start not in seen:
                seen.add(start)
                yield from (Repair(start, course) for course in courses(s, number))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Repair, proof: Known) -> Violation | None:
        at = [number for number, track in enumerate(s.tracks) if track[-1] == order.start]
        where = hex_name(order.start)
        if seat != AXIS or not at:
            return Violation(self.rule, f"No railhead stands in {where}")
        able = [number for number in heads(s, f) if number in at]
        if not able:
            if len(f.repairs) >= s.chart.limits["railheads"][AXIS] or all(n in (*f.repairs, *f.placed) for n in at):
                return Violation(self.rule, f"The railhead in {where} cannot move again in this turn")
            return Violation("S42-17.3.2", f"The railhead in {where} is cut off from its sources, and cannot move")
        if order.path not in courses(s, able[0]):
            return Violation(
                self.rule, f"The railhead in {where} goes up to two hexes along green railway, clear of enemies"
            )
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Repair, out: Out) -> Next:
        number = next(n for n in heads(s, f) if s.tracks[n][-1] == order.start)
        left = s.chart.green & ~repaired(s)
        track = extended(s.chart.rails, s.tracks[number], order.path, left, clear_of_enemies(s, AXIS))
        assert track is not None
        f.repairs = (*f.repairs, number)
        s.tracks = (*s.tracks[:number], track, *s.tracks[number + 1 :])
        junctions = tuple(p for p in order.path if s.chart.map.within("junctions", p))
        f.placed = (*f.placed, *range(len(s.tracks), len(s.tracks) + len(junctions)))
        s.tracks = (*s.tracks, *((place,) for place in junctions))
        out.add(RailheadOn(start=order.start, path=order.path, placed=junctions, rule=self.rule))
        return STAY


class Ends(Choice[State, PlayerTurn, Done]):
    """Nobody has to do any of it."""

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Done]:
        yield Done()

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Done, out: Out) -> Next:
        return DONE


class Railheads(Decide[State, PlayerTurn, Order]):
    """S42-17.2: by standing order the four farthest east go as far as they can."""

    name = "railheads"
    rule = "S42-17.2.1"
    choices = (Repairs, Ends)
    seats = (AXIS,)
    default, preset = "then farthest", True
    ends = "Move no more railheads"
    answer_names = ("farthest", "done")

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.seat,) if next(Repairs().legal(s, f, f.seat, {}), None) is not None else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        left = s.chart.limits["railheads"][AXIS] - len(f.repairs)
        return f"{many(left, 'railhead')} can move: `railhead FROM HEX-HEX`; then `done`."

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Order]:
        """`farthest`: the railhead farthest east, as far as it can go."""
        found = Repairs().legal(s, f, seat, {})

        def east(order: Repair) -> tuple[int, ...]:
            return order.start, len(order.path), order.path[-1]

        return {"farthest": max(found, key=east), "done": Done()}


# Lines of supply, isolated units


class Judge(Auto[State, PlayerTurn]):
    """S42-16.1: a unit without a line is out of supply until the owner's next Supply Phase."""

    name = "judge"
    rule = "S42-16.1"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        changed: dict[int, list[str]] = {SUPPLIED: [], OUT_OF_SUPPLY: [], ISOLATED: []}
        for unit, found in list(judged(s, f.seat)):
            if s.pieces[unit].supply != found:
                s.alter(unit, replace(s.pieces[unit], supply=found))
                changed[found].append(s.code(unit))
        if any(changed.values()):
            supplied, cut, isolated = map(tuple, changed.values())
            out.add(SupplyJudged(supplied=supplied, cut=cut, isolated=isolated, rule=self.rule))
        return DONE


def starving(s: State, side: str) -> tuple[int, ...]:
    """S42-16.5.3, S42-16.5.5: the isolated combat units beside an enemy combat unit, but artillery support."""
    near, bit = s.beside(side) | s.shared, s.chart.board.bit
    if s.at_baku():
        near |= bit[s.chart.baku]  # S42-24.1.2e
    return tuple(
        unit
        for unit in s.ground.standing(side)
        if s.pieces[unit].supply == ISOLATED and not s.has(unit, ASU) and near & bit[s.at(unit)]
    )


class Attrition(Roll[State, PlayerTurn]):
    """S42-16.5: a die for each isolated unit; what helps it is found before any is lost."""

    name = "attrition"
    rule = "S42-16.5"

    def draws(self, s: State, f: PlayerTurn) -> Iterable[Draw]:
        units = starving(s, f.seat)
        if units:
            yield Draw(f"t{s.turn}/{f.seat}/isolation", DIE, len(units))

    def run(self, s: State, f: PlayerTurn, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        dice = zip(starving(s, f.seat), *got.values(), strict=True) if got else ()
        rolled = [(unit, die, relief(s, unit)) for unit, die in dice]
        for unit, die, more in rolled:
            steps = starves(s, die, more)
            out.add(Starved(unit=s.code(unit), hex=s.at(unit), die=die, more=more, steps=steps, rule=self.rule))
            f.starved += (unit,) * min(steps, s.pieces[unit].steps)
        return DONE


class Wither(Auto[State, PlayerTurn]):
    """S42-16.5: what the rolls cost; of each unit its owner may keep a Remnant (S42-10.4)."""

    name = "wither"
    rule = "S42-16.5"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        if not f.starved:
            return DONE
        unit, f.starved = f.starved[0], f.starved[1:]
        return Call(Losses(f.seat, (unit,), 1, chooser=f.seat, attacker=f.seat, rule=self.rule), again=True)


# Supply points for support


class Readies(Choice[State, PlayerTurn, Ready]):
    """S42-18.6.4: a supply point, laid out or not, makes support in its hex ready, and is spent."""

    rule = "S42-18.6.4"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Ready]:
        for supply in s.ground.standing(seat):
            if s.has(supply, SUPPLY):
                for unit in s.of(seat, s.at(supply)):
                    if self.check(s, f, seat, Ready(unit, supply), own) is None:
                        yield Ready(unit, supply)

    def check(self, s: State, f: PlayerTurn, seat: str, order: Ready, proof: Known) -> Violation | None:
        unit, supply = order.unit, order.supply
        if not s.has_on_map(seat, unit) or not s.has(unit, ASU) or s.pieces[unit].ready:
            return Violation("S42-18.2.1", f"{s.code(unit)} is not support of yours that has been used")
        if s.pieces[unit].order != GOOD or s.pieces[unit].train:
            return Violation(self.rule, f"{s.code(unit)} is not in good order")
        if not s.has_on_map(seat, supply) or not s.has(supply, SUPPLY) or s.pieces[supply].train:
            return Violation(self.rule, f"{s.code(supply)} is not a supply point of yours that can be used")
        if s.at(unit) != s.at(supply):
            return Violation(self.rule, f"{s.code(supply)} does not lie with {s.code(unit)}")
        return None

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Ready, out: Out) -> Next:
        s.alter(order.unit, replace(s.pieces[order.unit], ready=True))
        s.put(order.supply, POOL)
        out.add(Readied(unit=s.code(order.unit), supply=s.code(order.supply), rule=self.rule))
        return STAY


class Resupply(Decide[State, PlayerTurn, Order]):
    """S42-18.6.4: by standing order where the enemy is near."""

    name = "resupply"
    rule = "S42-18.6.4"
    choices = (Readies, Ends)
    default, preset = "then needed, done", True
    ends = "Make no more support ready; your turn ends"
    answer_names = ("needed", "done")

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        return (f.seat,) if next(Readies().legal(s, f, f.seat, {}), None) is not None else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        return "Supply points can make support ready: `ready UNIT with SUPPLY`; then `done`."

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Order]:
        """`needed`: for support near which an enemy stands (S42-18.6.4)."""
        enemies = s.fighters(other(seat))
        for order in Readies().legal(s, f, seat, {}):
            reach = s.face(order.unit).value("range") + NEARBY
            if not s.in_area(order.unit) and s.chart.ranges.within(s.at(order.unit), reach) & enemies:
                return {"needed": order, "done": Done()}
        return {"done": Done()}
