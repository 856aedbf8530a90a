"""S42-14, S42-15: who goes after the enemy: a group that breaks through, then the others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from pbem.game import DONE, Auto, Call, Goto, Known, Next, Order, Out, Rows, Violation
from pbem.kit import InFight, all_of, chances, describe_chances, hex_name, named_ways
from pbem_rules.stalingrad42.chart import LADDER, LONGEST, SOVIET, SUPPLY, WINGS
from pbem_rules.stalingrad42.combat.advance import Way, as_far, bogs_down, hexes, may_advance, open_ways, ways
from pbem_rules.stalingrad42.combat.battle import shifts_of
from pbem_rules.stalingrad42.combat.determined import result_of
from pbem_rules.stalingrad42.combat.flight import driven_off
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, Attack, attack, column_name, describe, holders
from pbem_rules.stalingrad42.events import Advanced, BreakthroughEnded, BrokeThrough, StayedBehind
from pbem_rules.stalingrad42.frames import Battle, Pursuing
from pbem_rules.stalingrad42.movement.marching import onward
from pbem_rules.stalingrad42.movement.passing import come_through, push_railheads
from pbem_rules.stalingrad42.orders import Break, Done, Follow, place_name
from pbem_rules.stalingrad42.state import State, other

LEAST = 3, 1  # S42-15.2.1: odds of a breakthrough for which none were ordered
FAR_ENOUGH = 2  # S42-15.1: hexes of advance
SUCCESSFUL = 3  # S42-15.2.8: hexes that the result of a breakthrough gives, in print
SPENT = "no hexes of advance are left"
F = TypeVar("F", Battle, Pursuing)


# Breakthrough


def wrong_break(s: State, units: Sequence[int], order: Break, target: int | None) -> Violation | None:
    """S42-15.2.2: what could never be a breakthrough of these attackers.

    `target`: the hex that they empty, in which the group can form; None: it goes on from where it stands.
    """
    if not order.units and not order.via and order.odds is None:
        return None
    if not order.units or not order.via:
        return Violation("S42-15.2", "A breakthrough names its units, `break UNITS`, and their way, `via HEX-HEX`")
    if len(set(order.units)) < len(order.units) or not set(order.units) <= set(units):
        return Violation("S42-15.2.3", "The units that break through must be among the attackers, each named once")
    if len(order.via) > 2 * LONGEST:
        return Violation("S42-15.2.4", f"The way of a breakthrough has at most {2 * LONGEST} steps")
    return _wrong_way(s, order, target)


def _wrong_way(s: State, order: Break, target: int | None) -> Violation | None:
    """S42-15.2.3a: from the emptied hex, or from the hex of one stack; S42-15.2.4: and from hex to hex."""
    at, via, near = s.at(order.units[0]), order.via, s.chart.board.near
    if via[0] == target:
        at, via = target, via[1:]
    else:
        meet = "where units of several hexes meet"
        begin = "" if target is None else f"; a way can also begin with the emptied hex, {hex_name(target)}, {meet}"
        if any(s.at(unit) != at for unit in order.units):
            return Violation("S42-15.2.3", f"One stack breaks through: choose units of one hex{begin}")
        if via[0] not in near.get(at, ()) or s.in_area(order.units[0]):
            codes = all_of(map(s.code, order.units))
            sentence = f"{place_name(via[0])} is not beside {place_name(at)}, from where {codes} would go{begin}"
            if between := [place for place in near.get(at, ()) if via[0] in near[place]]:
                sentence += (
                    f"; a longer way names each of its hexes, such as {place_name(between[0])}-{place_name(via[0])}"
                )
            return Violation("S42-15.2.3", sentence)
    while via:
        there, via = via[0], via[1:]
        if there not in near[at]:
            sentence = f"A breakthrough goes from hex to hex: {place_name(there)} is not beside {place_name(at)}"
            return Violation("S42-15.2.4", sentence)
        if via[:1] == (at,):  # it attacks, and stays
            via = via[1:]
        else:
            at = there
    return None


def against(s: State, f: Battle, units: Sequence[int], target: int, odds: int | None) -> tuple[Attack | None, str]:
    """S42-15.2.1, S42-15.2.9: the attack of a group on a hex, and why it is not made, such as odds that are too bad.

    S42-9.3.7a: German air units go with the group.
    """
    if target not in onward(s, units, s.at(units[0])):  # S42-15.2.9a
        return None, f"{place_name(target)} is not beside it, or lies beyond a major river without a bridge"
    found = attack(s, units, target, other(f.seat), shifts_of((), air=f.air in WINGS), through=True)
    least = s.chart.odds.column(*LEAST) if odds is None else odds
    if found.column == AUTOMATIC or found.column >= least:
        return found, ""
    column = f"{column_name(s, found.column)}, and {column_name(s, least)} is needed"
    return found, f"the odds against {place_name(target)} are {column} ({describe(s, found)})"


def foreseen(s: State, f: Battle, order: Break) -> str:
    """The first attack of a breakthrough that is possible: its odds and chances if the group gets there; or nothing."""
    able = set(f.left or f.units)
    if not able.issuperset(order.units) or wrong_break(s, f.units, order, None if f.left else f.target) is not None:
        return ""
    aside = order.via[0] != f.target
    left: Mapping[int, int] = f.left or {unit: hexes(s, unit, f.hexes) - aside for unit in order.units}
    units, twin = order.units, s
    for there in order.via:
        units = tuple(unit for unit in units if left[unit] > 0)
        if not units:
            return ""
        if s.chart.board.bit[there] & s.fighters(other(f.seat)):
            found, why = against(twin, f, units, there, order.odds)
            if found is None or why:
                return f"it would end before {place_name(there)}: {why}"
            certain = found.column == AUTOMATIC
            likely = "DS" if certain else describe_chances(chances(s.chart.crt, found.column), LADDER)
            return f"it attacks {place_name(there)}, {describe(s, found)}: {likely}"
        left = {unit: 0 if bogs_down(s, twin.at(unit), there) else left[unit] - 1 for unit in units}
        twin = copy(s)
        twin.pieces = Rows({**s.pieces, **{unit: replace(s.pieces[unit], place=there) for unit in units}})
        twin.ground = twin.roster()
    return ""


def may_break(s: State, f: Battle) -> bool:
    """S42-15.1: with two hexes of advance or more, after weather; a limited one or a delay has one."""
    return f.won and any(may_advance(s, unit) and hexes(s, unit, f.hexes) >= FAR_ENOUGH for unit in f.units)


def form_group(s: State, f: Battle) -> None:
    """S42-15.2.3: one stack as it stands, or formed in the emptied hex; who does not enter that pays a hex."""
    units = [unit for unit in f.breaks if unit in f.units and may_advance(s, unit)]
    aside = f.via[0] != f.target
    f.left = {unit: hexes(s, unit, f.hexes) - aside for unit in units}
    f.group = tuple(units)


class BreakThrough(Auto[State, Battle]):
    """S42-15.2: the group goes its way hex by hex, and attacks who stands in it; all before the others advance."""

    name = "break_through"
    rule = "S42-15.2"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        while True:
            driven = driven_off(s, f.seat, ask=f.ask)
            if driven is not None:
                return Call(driven, again=True)
            if f.via and not f.left:
                if not may_break(s, f):
                    return DONE
                form_group(s, f)
            if not (f.via and f.group):
                f.via, f.group = (), ()
                return DONE
            if s.chart.board.bit[f.via[0]] & s.fighters(other(f.seat)):
                fight = self._fight(s, f, out)
                if fight is not None:
                    return Call(fight, again=True)
            elif set(f.via[1:2]) == set(map(s.at, f.group)):
                f.via = f.via[2:]  # nobody stands there any more, and the group stays
            else:
                self._go(s, f, out)

    def _fight(self, s: State, f: Battle, out: Out) -> Battle | None:
        """S42-15.2.4: each unit pays a hex for it; those that have none left do not help."""
        target, enemy = f.via[0], other(f.seat)
        units = tuple(unit for unit in f.group if f.left[unit] > 0)
        air = f.air if f.air in WINGS else None  # S42-9.3.7a: German ones go with the group
        why = ""
        if not units:
            why = SPENT
        else:
            _, why = against(s, f, units, target, f.odds)
        if why:
            self._end(s, f, why, out)
            return None
        for unit in units:
            f.left[unit] -= 1
        f.group, f.fought = units, f.fought + 1
        there = holders(s, target, enemy, through=True)
        return Battle(seat=f.seat, ask=f.ask, target=target, units=units, defenders=there, air=air, number=f.fought)

    def back(self, s: State, f: Battle, done: object, out: Out) -> None:
        """S42-15.2.7, S42-15.2.8: without an advance of three or four hexes the group stops, there or in the hex."""
        if not isinstance(done, Battle):
            return
        f.group = tuple(unit for unit in f.group if s.on_map(unit))
        if not f.group:
            return
        stays = f.via[1:2] == (s.at(f.group[0]),)
        good = not (done.held or done.delayed) and result_of(s, done.cell).advance >= SUCCESSFUL
        f.free = done.won and not stays
        if not good:
            f.left.update(dict.fromkeys(f.group, 0))
            f.via = f.via[:1] if f.free else ()

    def _go(self, s: State, f: Battle, out: Out) -> None:
        to, free = f.via[0], f.free
        f.via, f.free = f.via[1:], False
        able = [unit for unit in f.group if free or f.left[unit] > 0]
        goers = [unit for unit in able if self._goes_on(f, unit, to) and self._may_enter(s, f, unit, to, free=free)]
        if not goers or s.overfull(to, f.seat, goers):
            why = f"no way leads on to {place_name(to)}, or there is no room" if able else SPENT
            self._end(s, f, why, out)
            return
        f.group, f.trail = tuple(goers), (*f.trail, to)
        for start in dict.fromkeys(map(s.at, goers)):
            units = [unit for unit in goers if s.at(unit) == start]
            taken: tuple[int, ...] = ()
            for unit in units:
                taken += come_through(s, unit, (to,), out)
                f.left[unit] -= not free
                if bogs_down(s, start, to):  # S42-15.2.9b
                    f.left[unit] = 0
            out.add(BrokeThrough(units=tuple(map(s.code, units)), path=(start, to), taken=taken, rule=self.rule))
        if f.seat == SOVIET:
            push_railheads(s, out)

    @staticmethod
    def _goes_on(f: Battle, unit: int, to: int) -> bool:
        """S42-15.2.10: a unit whose own advance parts from the group's stays behind."""
        way = named_ways(f.advance).get(unit)
        return way is None or way[: len(f.trail) + 1] == (*f.trail, to)

    @staticmethod
    def _may_enter(s: State, f: Battle, unit: int, to: int, *, free: bool) -> bool:
        """S42-14.4, S42-15.2.6: bonds bar all but emptied hexes; a zone holds the group, unless it has emptied this."""
        return (free or not is_held(s, f, unit)) and (to,) in ways(s, unit, to if free else f.target, 1)

    def _end(self, s: State, f: Battle, why: str, out: Out) -> None:
        codes = tuple(map(s.code, f.group))
        out.add(BreakthroughEnded(units=codes, hex=s.at(f.group[0]), why=why, rule=self.rule))
        f.via = ()


# The others


def wrong_advance(s: State, side: str, words: Sequence[int], units: Iterable[int], target: int) -> Violation | None:
    """S42-14.1: what could never be an advance of these units, once the target is empty."""
    found = named_ways(words)
    if (words and not found) or not all(found.values()):
        return Violation("S42-14.1", "An advance names each unit before the hexes that it enters")
    able, near = set(units), s.chart.board.near
    for unit, way in found.items():
        code = s.code(unit)
        if unit not in s.chart.own[side]:
            return Violation("S42-14.1a", f"{code} is not yours")
        at = s.at(unit)
        if unit not in able:
            return Violation(
                "S42-14.1a", f"{code} does not attack {place_name(target)}, nor is it stacked with a unit that does"
            )
        if len(way) > LONGEST or any(place not in s.chart.board for place in way):
            return Violation("S42-14.2.1", f"An advance is at most {LONGEST} hexes long, on the map")
        first = (target,) if s.in_area(unit) else (target, *near.get(at, ()))  # S42-22.7c
        if way[0] not in first:
            return Violation("S42-14.3", f"{place_name(way[0])} is not beside {place_name(at)}, where {code} stands")
        gap = next(((a, b) for a, b in pairwise(way) if b not in near[a]), None)
        if gap is not None:
            sentence = f"{code} goes from hex to hex: {place_name(gap[1])} is not beside {place_name(gap[0])}"
            return Violation("S42-14.3", sentence)
    return None


def paths(s: State, f: Battle, unit: int) -> Iterator[Way]:
    """S42-14: the ways that are open to a unit; those of supply points lead to no enemy supplies.

    One that has broken through goes on with what it has left, unless an enemy zone holds it (S42-15.2.6).
    """
    if not f.won or f.number or unit in f.tried or unit not in (*f.units, *f.mates) or not may_advance(s, unit):
        return
    budget = f.left[unit] if unit in f.left else hexes(s, unit, f.hexes)
    if is_held(s, f, unit):
        return
    if unit in s.fixed or (s.has(unit, SUPPLY) and s.pieces[unit].ready):  # S42-18.6.3
        return
    yield from open_ways(s, unit, f.target, budget, limited=f.limited, attacked=unit in f.units)


def is_held(s: State, f: Battle, unit: int) -> bool:
    """S42-15.2.6: has a unit that breaks through come into an enemy zone, elsewhere than in the hex first emptied?"""
    place = s.at(unit)
    return (
        unit in f.left
        and place in f.trail
        and place != f.target
        and bool(s.zone(other(f.seat)) & s.chart.board.bit[place])
    )


def follow(s: State, f: Battle | Pursuing, unit: int, way: Way, out: Out) -> None:
    """S42-14.1: the unit advances; Soviets throw railheads back (S42-17.3.1)."""
    f.tried = (*f.tried, unit)
    f.advanced = tuple(dict.fromkeys((*f.advanced, unit)))
    start, taken = s.at(unit), come_through(s, unit, way, out)
    out.add(Advanced(unit=s.code(unit), path=(start, *way), taken=taken, rule="S42-14"))
    if s.side(unit) == SOVIET:
        push_railheads(s, out)


class AdvanceAsListed(Auto[State, F]):
    """The advance that an entry orders, each unit as far as it can; whom it comes to is driven off."""

    def run(self, s: State, f: F, out: Out) -> Next:
        while True:
            driven = driven_off(s, f.seat, ask=f.ask)
            if driven is not None:
                return Call(driven, again=True)
            ahead = [(unit, way) for unit, way in named_ways(f.advance).items() if unit not in f.tried]
            if not ahead:
                return DONE
            unit, listed = ahead[0]
            way, good = self.ways(s, f, unit, listed)
            path = as_far(way, set(good))
            if path:
                follow(s, f, unit, path, out)
                continue
            f.tried = (*f.tried, unit)
            if way and s.on_map(unit):
                out.add(StayedBehind(unit=s.code(unit), hex=s.at(unit), to=way[-1], rule=self.rule))

    @abstractmethod
    def ways(self, s: State, f: F, unit: int, way: Way) -> tuple[Way, Iterable[Way]]:
        """What is left of the way of this unit, empty if it does not go at all, and the ways that are open to it."""


class FollowAsListed(AdvanceAsListed[Battle]):
    """S42-14.1."""

    name = "advance_listed"
    rule = "S42-14"

    def ways(self, s: State, f: Battle, unit: int, way: Way) -> tuple[Way, Iterable[Way]]:
        if unit in f.left and s.at(unit) in way:  # as far as it went with those who broke through
            way = way[way.index(s.at(unit)) + 1 :]
        return (way, paths(s, f, unit)) if f.won else ((), ())


class FollowUp(InFight[State, Battle, Order]):
    """S42-14.1, S42-15.2: where the entry says nothing, its owner is asked if it wants to be; else nobody advances."""

    name = "advance"
    rule = "S42-14"
    takes = (Break, Follow, Done)
    default = "then done"
    fact_names = ("gone", "hex")
    answer_names = ("done", "strongest")
    ends = "No other unit advances"
    goes_back = (BreakThrough,)

    @staticmethod
    def _units(s: State, f: Battle) -> tuple[int, ...]:
        return tuple(unit for unit in (*f.units, *f.mates) if next(paths(s, f, unit), None) is not None)

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.seat,) if not f.advance and self._units(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        codes = all_of(map(s.code, self._units(s, f)))
        through = " Before that a group may break through: `break UNITS via HEX-HEX`." if self._breakers(s, f) else ""
        return f"{place_name(f.target)} is empty. {codes} may advance: `advance UNIT HEX-HEX`, then `done`.{through}"

    @staticmethod
    def _breakers(s: State, f: Battle) -> tuple[int, ...]:
        """S42-15.2.2: who can form the group, or go on in it: nobody once one of the others has advanced."""
        if f.left:
            over = any(unit not in f.left for unit in f.tried)
            return () if over else tuple(u for u in f.left if s.on_map(u) and f.left[u] > 0 and u not in f.tried)
        return tuple(unit for unit in f.units if may_advance(s, unit)) if may_break(s, f) and not f.tried else ()

    def legal(self, s: State, f: Battle, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        breakers = self._breakers(s, f)
        for place in dict.fromkeys(map(s.at, breakers)):
            units = tuple(unit for unit in breakers if s.at(unit) == place)
            ends = (f.target,) if s.in_area(units[0]) else onward(s, units, place)  # S42-22.7c
            yield from (Break(units, (there,)) for there in ends)
        for unit in self._units(s, f):
            yield from (Follow(unit, way) for way in paths(s, f, unit))

    def check(self, s: State, f: Battle, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Break):
            wrong = wrong_break(s, f.units, order, None if f.left else f.target)
            if wrong is not None and wrong.rule == "S42-15.2.3" and len(order.via) == 1:
                return Violation(
                    wrong.rule, f"{wrong.reason}; or the group breaks through hex by hex, by one order each"
                )
            if wrong is not None:
                return wrong
            if not set(order.units) <= set(self._breakers(s, f)):
                return Violation("S42-15.2.2", "Those units cannot break through, or go on as one stack")
            return None
        if not isinstance(order, Follow) or order.path in set(paths(s, f, order.unit)):
            return None
        if order.unit not in self._units(s, f):
            return Violation("S42-14.1", f"{s.code(order.unit)} cannot advance")
        return Violation("S42-14.2", f"{s.code(order.unit)} cannot advance that way: too far, barred, or no room")

    def apply(self, s: State, f: Battle, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.seat]
        if isinstance(order, Break):
            f.breaks, f.via, f.odds = order.units, order.via, order.odds
            f.group = order.units if f.left else ()
        elif isinstance(order, Follow):
            follow(s, f, order.unit, order.path, out)
        else:
            return DONE
        return Goto(BreakThrough)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        """`gone`: how many have advanced."""
        return {"gone": len(f.advanced), "hex": f.target}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Order]:
        """`strongest`: the strongest attacker that can go into the emptied hex goes there, no further and no other."""
        ready = [] if f.advanced else [unit for unit in f.units if (f.target,) in set(paths(s, f, unit))]
        best = max(ready, key=lambda each: (s.face(each).attack + s.face(each).defence, -each), default=None)
        return {"done": Done(), "strongest": Done() if best is None else Follow(best, (f.target,))}
