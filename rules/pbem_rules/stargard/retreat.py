"""SG-9: ways back, who goes together, steps lost on the way, and what happens where there is no room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pbem.game import DONE, Ask, Auto, Call, Goto, Known, Next, Order, Out, Violation
from pbem.kit import (
    Bounds,
    InMiddle,
    Links,
    Rank,
    WayBack,
    all_of,
    best,
    fewest_zones,
    first_possible,
    hex_name,
    longer,
    many,
    together,
)
from pbem.kit import refuse_retreat as refuse_way
from pbem_rules.stargard.battle import leave, reforming
from pbem_rules.stargard.chart import STACK, Chart
from pbem_rules.stargard.events import SIDE_NAMES, Retreated
from pbem_rules.stargard.frames import Losses, Reform, Retreat
from pbem_rules.stargard.losses import lose_step, tell_loss
from pbem_rules.stargard.orders import GoBack
from pbem_rules.stargard.state import State, other
from pbem_rules.stargard.terrain import lone_posts, restricted
from pbem_rules.stargard.victory import take_along


@lru_cache(maxsize=4)
def steps(chart: Chart) -> Links:
    """SG-9.0, SG-9.1, SG-10.5: every hex that a unit could enter by normal movement, each one hex (SG-9.2.3a)."""
    return chart.board.links(lambda a, b, _: 1 if chart.passable(a.id, b.id) else None)


@lru_cache(maxsize=32)
def to_source(chart: Chart, formation: str) -> Mapping[int, int]:
    """How far each hex lies from the nearest source of a formation (SG-9.2.1, SG-11.2)."""
    grid = chart.board.grid
    assert grid is not None
    sources = chart.map.regions[chart.formations[formation].source].places
    return {place: min(grid.distance(place, source) for source in sources) for place in chart.board.places}


def source_text(s: State, unit: int, place: int) -> str:
    """SG-9.2.1: `the source of supply 4430 (Kolberg)`; one of several hexes: the nearest, which the map marks."""
    region, grid = s.chart.map.regions[s.chart.formations[s.formation(unit)].source], s.chart.board.grid
    assert grid is not None
    _, source = min((grid.distance(place, source), source) for source in region.places)
    others = f": the nearest of {all_of(map(hex_name, region.places))}" if len(region.places) > 1 else ""
    return f"the source of supply {hex_name(source)} ({region.name}{others})"


class Ways(NamedTuple):
    """The ways of a group: `kept` by the priorities out of `lawful`, some of them one hex longer for want of room."""

    lawful: tuple[WayBack, ...]
    kept: tuple[WayBack, ...]


def _toward(s: State, unit: int, start: int) -> Rank:
    away = to_source(s.chart, s.formation(unit))

    def astray(way: WayBack) -> int:
        course = (start, *way.path)
        return sum(away[b] >= away[a] for a, b in pairwise(course))

    nearer = f"leads nearer to {source_text(s, unit, start)}, which comes before all else"
    return Rank("SG-9.2.1", nearer, astray)


def ranks(s: State, unit: int, start: int) -> tuple[Rank, ...]:
    """SG-9.2.1, SG-9.2.2: toward the nearest source, hex by hex; then without enemy zones (SG-9.2.2c)."""
    return _toward(s, unit, start), fewest_zones("SG-9.2.2")


def ways_back(s: State, units: Sequence[int], start: int, length: int) -> Ways:
    """SG-9.2: the ways of combat units that go together, as far as they can (SG-9.4); without room one hex more.

    Stacking does not count but at the end (SG-6.2b). A unit that has no room anywhere is destroyed there.
    """
    chart, side = s.chart, s.side(units[0])
    board, enemy = chart.board, other(side)
    assert board.grid is not None
    barred = s.ground.occupied[enemy]
    if any(map(s.controls, units)):
        barred &= ~lone_posts(s, enemy)  # SG-9.3.2
    bounds = Bounds(length, barred, zone=s.zone(enemy), no_end=restricted(chart), away="step")
    field = steps(chart), board.bit, board.grid.distance, start
    _, found = first_possible(*field, (bounds._replace(length=far) for far in range(length, 0, -1)))
    kept = together(best(found, ranks(s, unit, start)) for unit in units)
    if not kept:
        return Ways(found, ())
    room = [way for way in kept if fits(s, units, way.end)]
    full = [way for way in kept if way not in room]
    further = [way for way in longer(*field, bounds, full) if fits(s, units, way.end)] if full else []
    going_on = together(best(further, ranks(s, unit, start)) for unit in units) if further else ()
    good = (*room, *going_on)
    return Ways((*found, *further), good or (tuple(full) if len(units) == 1 else ()))


def fits(s: State, units: Sequence[int], place: int) -> bool:
    """SG-6.0, SG-6.2b: is there room for these combat units?"""
    return len(s.combat_units(place)) + len(units) <= STACK


def groups(s: State, f: Retreat) -> Iterator[tuple[int, ...]]:
    """SG-9.1.2: all together, or one by one; a headquarters goes with any of them, and with the last."""
    fighters = tuple(unit for unit in f.units if not s.is_hq(unit))
    posts = tuple(unit for unit in f.units if s.is_hq(unit))
    if fighters:
        yield tuple(sorted((*fighters, *posts)))
    if len(fighters) > 1:
        for unit in fighters:
            yield (unit,)
            if posts:
                yield tuple(sorted((unit, *posts)))


def _fighters(s: State, units: Iterable[int]) -> tuple[int, ...]:
    """Those that lead the way and pay for it: headquarters lose no steps (SG-12.2.1a) and go along (SG-9.3.1)."""
    return tuple(unit for unit in units if s.on_map(unit) and not s.is_hq(unit))


class ChooseWay(InMiddle, Ask[State, Retreat, GoBack]):
    """SG-9.1.2 to SG-9.2.2: who goes, and which way."""

    name = "retreat"
    rule = "SG-9.2"
    forced = True
    default = "then safest"
    fact_names = ("attacks", "hex", "units", "length")
    answer_names = ("safest", "nearest", "apart")

    def by(self, s: State, f: Retreat) -> Sequence[str]:
        return (f.seat,) if next(iter(self.options(s, f, f.seat)), None) is not None else ()

    def prompt(self, s: State, f: Retreat, seat: str) -> str:
        codes, far = all_of(map(s.code, f.units)), many(f.length, "hex", "hexes")
        fighters = _fighters(s, f.units)
        toward = source_text(s, fighters[0], f.start)
        return (
            f"{codes} must retreat {far} from {hex_name(f.start)}, nearer to {toward} if they can (SG-9.2.1): "
            f"`retreat UNITS HEX-HEX`.{self._costs(s, f, seat, fighters)}"
        )

    def _costs(self, s: State, f: Retreat, seat: str, fighters: Sequence[int]) -> str:
        """SG-9.1.2, SG-9.2.2b: what going together costs at least, and going one by one, where both can be chosen."""
        if len(fighters) < 2:
            return ""
        told = []
        for group in (fighters, *((unit,) for unit in fighters)):
            paths = [way.path for way in ways_back(s, group, f.start, f.length).kept]
            path = min(paths, key=lambda path: (toll(s, seat, path, f.length), path), default=())
            if path or len(group) == 1:
                how, price = "together" if len(group) > 1 else "alone", _price(s, seat, group, path, f.length)
                goes = " > ".join(map(hex_name, path)) if path else "staying"
                told.append(f"{all_of(map(s.code, group))} {how}, {goes}, {price or 'costs nothing'}")
        return f" At best {'; '.join(told)}. Together they pay for an enemy zone once; alone, each pays."

    def says(self, s: State, f: Retreat, seat: str, order: Order) -> str:
        """With what the retreat costs (SG-4.4, SG-9.4)."""
        assert isinstance(order, GoBack)
        fighters = _fighters(s, order.units)
        goes = way_text(s, seat, f.start, fighters, order.path, f.length)
        return f"Retreat {all_of(map(s.code, order.units))} {goes}"

    def options(self, s: State, f: Retreat, seat: str) -> Iterator[GoBack]:
        for group in groups(s, f):
            fighters = _fighters(s, group)
            for way in ways_back(s, fighters, f.start, f.length).kept:
                yield GoBack(group, way.path)

    def why(self, s: State, f: Retreat, seat: str, order: GoBack) -> Violation:
        if order.units not in groups(s, f):
            return Violation("SG-9.1.2", "Units retreat all together or one by one, and headquarters with them")
        fighters = _fighters(s, order.units)
        found = ways_back(s, fighters, f.start, f.length)
        shown = ", ".join("-".join(map(hex_name, way.path)) for way in found.kept) or "only that of each unit by itself"
        no = ("SG-9.2", f"each hex must lie farther from the start; it can be {shown}")
        wrong = (refuse_way(found.lawful, ranks(s, unit, f.start), order.path, no) for unit in fighters)
        return next(filter(None, wrong), None) or Violation("SG-6.2", f"The end must have room; it can be {shown}")

    def do(self, s: State, f: Retreat, seat: str, order: GoBack, out: Out) -> Next:
        f.group, f.path = order.units, order.path
        f.units = tuple(unit for unit in f.units if unit not in order.units)
        return DONE

    def facts(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, int]:
        units = len(_fighters(s, f.units))
        return {"attacks": int(seat == f.attacker), "hex": f.start, "units": units, "length": f.length}

    def answers(self, s: State, f: Retreat, seat: str, own: Known) -> Mapping[str, GoBack]:
        """DP-15. `safest`: the fewest steps lost, together, in cover; `nearest`: to a source; `apart`: one by one."""
        options = list(self.options(s, f, seat))
        fighters = _fighters(s, f.units)
        apart: dict[int, int] = {}
        for order in options:
            if len(going := _fighters(s, order.units)) == 1:
                cost = toll(s, seat, order.path, f.length)
                apart[going[0]] = min(cost, apart.get(going[0], cost))

        def price(order: GoBack) -> int:
            """With what those pay who go later; one that cannot go alone stays, for a step (SG-9.4)."""
            later = (apart.get(unit, 1) for unit in fighters if unit not in order.units)
            return toll(s, seat, order.path, f.length) + sum(later)

        def good(order: GoBack) -> tuple[int, ...]:
            return (-len(order.units), *badness(s, order.path), order.path[-1])

        def safe(order: GoBack) -> tuple[int, ...]:
            return price(order), *good(order)

        def near(order: GoBack) -> tuple[int, ...]:
            return -len(order.units), to_source(s.chart, s.formation(order.units[0]))[order.path[-1]], *safe(order)

        def alone(order: GoBack) -> tuple[int, ...]:
            return len(order.units), *safe(order)

        ranked = {"safest": safe, "nearest": near, "apart": alone}
        return {name: min(options, key=key) for name, key in ranked.items()}


def zones_on(s: State, side: str, path: Iterable[int]) -> tuple[int, ...]:
    """SG-4.4: the hexes of a way that lie in enemy zones, each of which costs a step."""
    return tuple(place for place in path if s.in_zone(place, other(side)))


def toll(s: State, side: str, path: Sequence[int], length: int) -> int:
    """SG-4.4, SG-9.4: the steps that a retreat costs those who go together."""
    return len(zones_on(s, side, path)) + (len(path) < length)


def _why_hot(s: State, units: Sequence[int], start: int, length: int, hot: int) -> str:
    """SG-9.2.1, SG-9.2.2: why a retreat enters so many enemy zones."""
    found = ways_back(s, units, start, length).lawful
    calmer = {way for way in found if way.entered < hot}
    if not calmer:
        return "since no way back enters fewer"
    if calmer.isdisjoint(together(best(found, (_toward(s, unit, start),)) for unit in units)):
        return f"since no way nearer to {source_text(s, units[0], start)} avoids it (SG-9.2.1)"
    return "since there is no room on the ways that avoid it (SG-6.2)"


def _price(s: State, side: str, fighters: Sequence[int], path: Sequence[int], length: int) -> str:
    """SG-4.4, SG-9.4, SG-6.2b: `costs 1 step`, `destroys it`; empty: nothing."""
    if path and not fits(s, fighters, path[-1]):
        return "destroys it (SG-6.2)"
    cost, left = toll(s, side, path, length), sum(s.pieces[unit].steps for unit in fighters)
    them = "them all" if len(fighters) > 1 else "it"
    return (f"destroys {them}" if cost >= left else f"costs {many(cost, 'step')}") if cost else ""


def way_text(s: State, side: str, start: int, fighters: Sequence[int], path: Sequence[int], length: int) -> str:
    """Where they go, why that costs steps, and whom it destroys."""
    why = []
    if hot := zones_on(s, side, path):
        since = _why_hot(s, fighters, start, length, len(hot))
        why.append(f"into an enemy zone of control in {all_of(map(hex_name, hot))} (SG-4.4), {since}")
    if path and len(path) < length:
        why.append("but no farther (SG-9.4)")
    if len(path) > length:
        why.append(f"a hex more, since there is no room in {hex_name(path[length - 1])} (SG-6.2)")
    goes = " > ".join(map(hex_name, (start, *path))) if path else f"cannot leave {hex_name(start)} (SG-9.4)"
    if path and not fits(s, fighters, path[-1]):
        why.append("where there is no room for it")
    price = _price(s, side, fighters, path, length)
    return ", ".join((goes, *why, *((f"which {price}",) if price else ())))


def badness(s: State, path: Sequence[int]) -> tuple[int, int]:
    """DP-15: no room at the end, no cover there."""
    end = path[-1]
    woods = s.chart.board[end].terrain in ("light_woods", "heavy_woods", "marsh_woods")
    return len(s.combat_units(end)) >= STACK, not (end in s.chart.settled or woods)


class March(Auto[State, Retreat]):
    """SG-4.4, SG-9.2.2b: hex by hex, a step for each hex in an enemy zone; then what SG-9.4 and SG-6.2b demand."""

    name = "march"
    rule = "SG-9.2"

    def run(self, s: State, f: Retreat, out: Out) -> Next:
        if not f.group:
            f.group, f.units = f.units, ()  # nobody of them can go
        far = 0
        if _fighters(s, f.group):
            hot = (number for number, place in enumerate(f.path, start=1) if s.in_zone(place, other(f.seat)))
            far = next(hot, len(f.path))
        if far:
            self._go(s, f, f.path[:far], out)
            last, f.path = f.path[far - 1], f.path[far:]
            if s.in_zone(last, other(f.seat)):
                return Call(self._loss(s, f, "SG-4.4"), again=True)
        f.path = ()
        fighters = _fighters(s, f.group)
        if f.walked < f.length and fighters:
            f.walked = f.length
            return Call(self._loss(s, f, "SG-9.4"), again=True)
        for unit in fighters:
            if len(s.combat_units(s.at(unit))) > STACK:
                self._no_room(s, unit, out)
        return self._posts(s, f, out)

    def _go(self, s: State, f: Retreat, path: tuple[int, ...], out: Out) -> None:
        """As far as nobody loses a step, so that the report tells one after the other."""
        units = [unit for unit in f.group if s.on_map(unit)]
        out.add(Retreated(units=tuple(map(s.code, units)), path=(s.at(units[0]), *path), rule=self.rule))
        take_along(s, _fighters(s, units)[0], path, out)
        f.walked += len(path)
        for place in path:
            self._enter(s, f, place, out)

    @staticmethod
    def _enter(s: State, f: Retreat, place: int, out: Out) -> None:
        """SG-9.3.2: a lone headquarters there is captured. SG-10.3a: a unit that has left the start has retreated."""
        f.gone = (*f.gone, *(unit for unit in f.group if unit not in f.gone))
        if s.side_at(place) == other(f.seat):
            post = s.lone_hq(place)
            left = leave(s, post, f"{SIDE_NAMES[f.seat]} enter the hex", "SG-9.3.2", out)
            f.fled = (*f.fled, (post, left))
        for unit in f.group:
            if s.on_map(unit):
                s.put(unit, place)

    @staticmethod
    def _loss(s: State, f: Retreat, rule: str) -> Losses:
        """The owner chooses who pays (SG-4.4, SG-9.4); a city does not help."""
        return Losses(f.seat, _fighters(s, f.group), 1, attacker=f.attacker, ask=f.ask, rule=rule)

    @staticmethod
    def _no_room(s: State, unit: int, out: Out) -> None:
        """SG-6.2b: destroyed, though not in combat."""
        tell_loss(s, unit, s.at(unit), 0, "SG-6.2", out)
        while s.on_map(unit):
            s.lose_step(unit, in_combat=False)

    @staticmethod
    def _posts(s: State, f: Retreat, out: Out) -> Next:
        """SG-6.3c: of two headquarters in a hex the one that has moved goes on."""
        moved = [unit for unit in f.group if s.is_hq(unit) and s.on_map(unit)]
        f.group, f.walked = (), 0
        for post in moved:
            if sum(map(s.is_hq, s.ground.stacks[s.at(post)])) > 1:
                place = leave(s, post, "another headquarters stands there", "SG-6.3", out)
                return Call(Reform((post,), (place,), beside=True, taken=True))
        return DONE


class Onward(Auto[State, Retreat]):
    """SG-9.1.2: the next units of the hex; at the end, headquarters that were captured reform."""

    name = "onward"
    rule = "SG-9.1.2"

    def run(self, s: State, f: Retreat, out: Out) -> Next:
        if _fighters(s, f.units):
            return Goto(ChooseWay)
        fled, f.fled = f.fled, ()
        return Call(reforming(fled)) if fled else DONE


__all__ = ["ChooseWay", "March", "Onward", "lose_step", "steps", "to_source", "ways_back"]
