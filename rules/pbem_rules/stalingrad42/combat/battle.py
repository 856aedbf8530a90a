"""S42-8.3, S42-10, S42-14: the die of an attack, losses, retreats, and who advances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.game import DONE, Auto, Call, Draw, Goto, Known, Next, Order, Out, Roll, Violation
from pbem.kit import InFight, all_of, hex_name, named_ways
from pbem_rules.stalingrad42.chart import DIE, LONGEST, PORT, SOVIET, SUPPLY
from pbem_rules.stalingrad42.combat.advance import Way, hexes, may_advance, ways
from pbem_rules.stalingrad42.combat.determined import favoured, result_of
from pbem_rules.stalingrad42.combat.flight import driven_off
from pbem_rules.stalingrad42.combat.guns import COLUMN
from pbem_rules.stalingrad42.combat.losses import choosable, may_lose
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, attack
from pbem_rules.stalingrad42.combat.retreat import Routes, routes
from pbem_rules.stalingrad42.events import Advanced, Fought, Trapped
from pbem_rules.stalingrad42.frames import HOLD, Battle, Losses, Retreat
from pbem_rules.stalingrad42.movement.passing import come_through, push_railheads
from pbem_rules.stalingrad42.orders import Done, Follow
from pbem_rules.stalingrad42.state import ROUTED, TO_THE_LAST, State, other
from pbem_rules.stalingrad42.supply.lines import lines

AUTOMATIC_RESULT = "DS"  # S42-8.4.1
SURE = "10:1"


class Fire(Roll[State, Battle]):
    """S42-8.3: strengths, column, die; none at ten to one (S42-8.4.1)."""

    name = "fire"
    rule = "S42-8.3"

    def when(self, s: State, f: Battle) -> bool:
        return not f.cell

    @staticmethod
    def _column(s: State, f: Battle) -> int:
        return attack(s, f.units, f.target, other(f.seat), (COLUMN,) if f.guns is not None else ()).column

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        if self._column(s, f) != AUTOMATIC:
            yield Draw(f"t{s.turn}/{f.seat}/{hex_name(f.target)}", DIE)

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        found = attack(s, f.units, f.target, other(f.seat), (COLUMN,) if f.guns is not None else ())
        for (f.die,) in got.values():
            f.cell = s.chart.crt.result(f.die, found.column)
        f.cell = f.cell or AUTOMATIC_RESULT
        result = result_of(s, f.cell)
        f.losing = (f.seat,) * result.attacker + (other(f.seat),) * result.defender
        f.retreat = result.retreat
        f.favoured = favoured(found)
        odds = found.reckoned.describe(s.chart.odds) if found.reckoned.defence else SURE
        out.add(
            Fought(
                side=f.seat,
                hex=f.target,
                units=tuple(map(s.code, f.units)),
                defenders=tuple(map(s.code, f.defenders)),
                odds=odds,
                die=f.die,
                result=f.cell,
                rule=self.rule,
            )
        )
        return DONE


def next_loss(s: State, f: Battle) -> Losses | None:
    """S42-10.2: the next step that somebody is to lose, if anybody can."""
    picks = f.star or (result_of(s, f.cell).opponent_picks and not f.rolls)
    while f.losing:
        side, f.losing = f.losing[0], f.losing[1:]
        if side == f.seat:
            units = choosable(s, [unit for unit in f.units if s.on_map(unit)])
        else:
            units = may_lose(s, f.target, side)
        if units:
            return Losses(side, units, 1, chooser=other(side) if picks else side, attacker=f.seat, ask=f.ask)
    return None


def ways_out(s: State, f: Battle, length: int) -> Iterator[Routes]:
    """Where each of the defenders could retreat to."""
    left = tuple(unit for unit in f.defenders if s.on_map(unit))
    return (routes(s, unit, length, frozenset(s.fled) | frozenset(left)) for unit in left)


def is_desperate(s: State, f: Battle) -> bool:
    """S42-11.5.1: every retreat destroys every unit; or all ways out of a port end without supply.

    By option a stack that holds is desperate, too, if each of its units could only go a shorter way, for steps.
    """
    out = list(ways_out(s, f, f.retreat))
    found = [way for each in out for way in each.ways]
    if not found:
        return True
    if TO_THE_LAST in s.options and f.stance == HOLD and all(each.steps or not each.ways for each in out):
        return True
    home = lines(s, other(f.seat)).reached
    return f.target in s.chart.board.marked(PORT) and not any(home & s.chart.board.bit[way.end] for way in found)


class Suffer(Auto[State, Battle]):
    """S42-10.1: the losses of the result come before the retreat."""

    name = "suffer"
    rule = "S42-10.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        called = next_loss(s, f)
        if called is not None:
            return Call(called, again=True)
        f.desperate = bool(f.retreat) and is_desperate(s, f)
        return DONE


class BackOff(Auto[State, Battle]):
    """S42-10.1: the retreat; then units in Full Retreat that are left alone (S42-13.3.3b); who may advance, how far."""

    name = "back_off"
    rule = "S42-10.1"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        enemy, result = other(f.seat), result_of(s, f.cell)
        if f.retreat:
            length, f.retreat = f.retreat, 0
            self._end_guests(s, f, out)
            left = tuple(unit for unit in f.defenders if s.on_map(unit))
            if left and (len(left) == len(f.defenders) or any(s.pieces[unit].order != ROUTED for unit in left)):
                return Call(Retreat(enemy, f.target, left, length, f.seat, chooser=enemy), again=True)
        driven = driven_off(s, f.seat, ask=f.ask)
        if driven is not None:
            return Call(driven, again=True)
        f.won = not s.chart.board.bit[f.target] & s.fighters(enemy)
        f.limited = f.held or not result.retreat
        f.hexes = (1 if f.limited or f.delayed else result.advance) * f.won
        return DONE

    @staticmethod
    def _end_guests(s: State, f: Battle, out: Out) -> None:
        """S42-12.4: a unit that has retreated there before is destroyed if the hex must retreat."""
        there = tuple(unit for unit in f.guests if s.on_map(unit))
        if there:
            out.add(Trapped(units=tuple(map(s.code, there)), hex=f.target, rule="S42-12.4"))
            for unit in there:
                while s.on_map(unit):
                    s.lose_step(unit, remnant=False)


# Advance


def wrong_advance(s: State, side: str, words: Sequence[int]) -> Violation | None:
    """S42-14.1: what could never be an advance."""
    found = named_ways(words)
    if found is None or not all(found.values()):
        return Violation("S42-14.1", "An advance names each unit before the hexes that it enters")
    for unit, way in found.items():
        if unit not in s.chart.own[side]:
            return Violation("S42-14.1a", f"{s.code(unit)} is not yours")
        if len(way) > LONGEST or any(place not in s.chart.board for place in way):
            return Violation("S42-14.2.1", f"An advance is at most {LONGEST} hexes long, on the map")
    return None


def paths(s: State, f: Battle, unit: int) -> Iterator[Way]:
    """S42-14: the ways that are open to a unit; those of supply points lead to no enemy supplies."""
    if not f.won or unit in f.advanced or unit not in (*f.units, *f.mates) or not may_advance(s, unit):
        return
    if unit in s.fixed or (s.has(unit, SUPPLY) and s.pieces[unit].ready):  # S42-18.6.3
        return
    occupied = 0 if s.fights(unit) else s.ground.occupied[other(f.seat)]
    attacked = unit in f.units
    for way in ways(s, unit, f.target, hexes(s, unit, f.hexes), limited=f.limited, attacked=attacked):
        fits = not s.overfull(way[-1], f.seat, (unit,))  # S42-4.4a
        if fits and not occupied & s.chart.board.mask(way):
            yield way


def follow(s: State, f: Battle, unit: int, way: Way, out: Out) -> None:
    start = s.at(unit)
    f.advanced = (*f.advanced, unit)
    taken = come_through(s, unit, way, out)
    out.add(Advanced(unit=s.code(unit), path=(start, *way), taken=taken, rule="S42-14"))
    if f.seat == SOVIET:
        push_railheads(s, out)


class FollowAsListed(Auto[State, Battle]):
    """S42-14.1: the advance that the entry orders, each unit as far as it can; whom it comes to is driven off."""

    name = "advance_listed"
    rule = "S42-14"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        while True:
            driven = driven_off(s, f.seat, ask=f.ask)
            if driven is not None:
                return Call(driven, again=True)
            ahead = [(unit, way) for unit, way in (named_ways(f.advance) or {}).items() if unit not in f.tried]
            if not ahead:
                return DONE
            unit, way = ahead[0]
            f.tried = (*f.tried, unit)
            good = set(paths(s, f, unit))
            path = next((way[:far] for far in range(len(way), 0, -1) if way[:far] in good), ())
            if path:
                follow(s, f, unit, path, out)


class FollowUp(InFight[State, Battle, Order]):
    """S42-14.1: where the entry says nothing, its owner is asked if it wants to be; else nobody advances."""

    name = "advance"
    rule = "S42-14"
    takes = (Follow, Done)
    default = "then done"
    answer_names = ("done",)
    goes_back = (FollowAsListed,)

    @staticmethod
    def _units(s: State, f: Battle) -> tuple[int, ...]:
        return tuple(unit for unit in (*f.units, *f.mates) if next(paths(s, f, unit), None) is not None)

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.seat,) if not f.advance and self._units(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        codes = all_of(map(s.code, self._units(s, f)))
        return f"{hex_name(f.target)} is empty. {codes} may advance: `advance UNIT HEX-HEX`, then `done`."

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        for unit in self._units(s, f):
            yield from (Follow(unit, way) for way in paths(s, f, unit))

    def check(self, s: State, f: Battle, seat: str, order: Order, proof: Known) -> Violation | None:
        if not isinstance(order, Follow) or order.path in set(paths(s, f, order.unit)):
            return None
        if order.unit not in self._units(s, f):
            return Violation("S42-14.1", f"{s.code(order.unit)} cannot advance")
        return Violation("S42-14.2", f"{s.code(order.unit)} cannot advance that way: too far, barred, or no room")

    def apply(self, s: State, f: Battle, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.seat]
        if not isinstance(order, Follow):
            return DONE
        follow(s, f, order.unit, order.path, out)
        return Goto(FollowAsListed)

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Order]:
        return {"done": Done()}


__all__ = [
    "BackOff",
    "Fire",
    "FollowAsListed",
    "FollowUp",
    "Suffer",
    "is_desperate",
    "next_loss",
    "paths",
    "ways_out",
    "wrong_advance",
]
