"""Bonds, lines of supply and victory points worked out again in the plainest way: whole games are held against them.

Nothing here shares code with the rules but the map, who stands where, and the bonds with Entry Areas.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from pbem.kit import ISOLATED, OUT_OF_SUPPLY, SUPPLIED
from pbem_rules.stalingrad42.chart import ASU, AXIS, FREE, PORT, SOVIET, Chart
from pbem_rules.stalingrad42.state import GOOD, State, other

SIDES_BARRED = {"volga", "alpine"}
FAR = 999


def stacks(s: State, side: str) -> dict[int, list[int]]:
    """The combat units of a side by place."""
    found: dict[int, list[int]] = {}
    for unit, piece in s.pieces.items():
        if s.side(unit) == side and s.on_map(unit) and s.fights(unit):
            found.setdefault(piece.place, []).append(unit)
    return found


def alone(s: State, side: str) -> dict[int, list[int]]:
    """S42-29.1.1d: those who share no city with enemies; the others have no zones and make no bonds."""
    theirs = stacks(s, other(side))
    return {place: units for place, units in stacks(s, side).items() if place not in theirs}


def zone(s: State, side: str) -> set[int]:
    """S42-6.1: every hex beside a unit that is on no train; not over the Volga, nor over the edge of an Area."""
    board, found = s.chart.board, set()
    for place, units in alone(s, side).items():
        if place in board.grid and any(not s.pieces[unit].train for unit in units):  # type: ignore[operator]
            for near in board.near[place]:
                land = board[near].terrain != "sea" and board[place].terrain != "sea"
                if near in board.grid and land and "volga" not in board.edges[place, near]:  # type: ignore[operator]
                    found.add(near)
    return found


def _ties(s: State, side: str) -> set[int]:
    """S42-7.1a: hexes with one ordinary unit in good order, or two that are support or stack freely."""
    found = set()
    for place, units in alone(s, side).items():
        good = [unit for unit in units if s.pieces[unit].order == GOOD and not s.pieces[unit].train]
        heavy = [unit for unit in good if not (s.has(unit, ASU) or s.has(unit, FREE))]
        if heavy or len(good) > 1:
            found.add(place)
    return found


def _runs(chart: Chart, a: int, over: int, b: int) -> bool:
    """S42-7.6.1: over land, not the Volga or the main range, and over one major river at most."""
    edges = [chart.board.edges[a, over], chart.board.edges[over, b]]
    if chart.board[over].terrain == "sea" or any(SIDES_BARRED & set(edge) for edge in edges):
        return False
    return sum("major_river" in edge and "frozen" not in edge for edge in edges) < 2


def bonds(s: State, side: str) -> set[tuple[int, int, tuple[int, ...]]]:
    """S42-7.1 to S42-7.6, those between two hexes of the map."""
    chart, grid = s.chart, s.chart.board.grid
    assert grid is not None
    ties, enemies, found = sorted(_ties(s, side)), set(stacks(s, other(side))), set()
    for a in ties:
        for b in ties:
            if not (a < b and a in grid and b in grid and grid.distance(a, b) == 2):
                continue
            (q, r), (x, y) = grid.axial(a), grid.axial(b)
            straight = (q - x) % 2 == 0 and (r - y) % 2 == 0
            between = tuple(sorted(set(grid.neighbours(a)) & set(grid.neighbours(b)) & set(chart.board.places)))
            if len(between) != (1 if straight else 2):
                continue
            if any(over not in enemies and _runs(chart, a, over, b) for over in between):
                found.add((a, b, between))
    return found


def _walls(s: State, side: str) -> tuple[set[int], set[tuple[int, int]]]:
    """What bonds of a side keep lines of supply from: hexes, and sides by both hexes."""
    hexes, sides = set(), set()
    for bond in s.bonds(side):
        if len(bond.between) == 1:
            hexes.add(bond.between[0])
        else:
            x, y = bond.between
            sides |= {(x, y), (y, x)}
    return hexes, sides


def _towns(s: State, side: str) -> set[int]:
    """S42-16.3.4b: cities and victory hexes of the enemy where no friend stands."""
    friends = stacks(s, side)
    return {
        place
        for place, holder in s.holders.items()
        if holder != side and place not in friends and (s.chart.is_city(place) or place in s.chart.prizes)
    }


def named(s: State, region: str) -> set[int]:
    """The places of a region, if the scenario has it."""
    return set(s.chart.map.regions[region].places) if region in s.chart.map.regions else set()


def sources(s: State, side: str) -> set[int]:
    """S42-16.2, S42-S2.2e: but for the ports of the Sea of Azov.

    Area K closes in winter (S42-23.4e), Baku while the Axis is there (S42-24.1.3b).
    """
    shut = {"k"} if s.turn >= 28 else set()
    if any(s.side(unit) == AXIS and s.at(unit) == s.chart.areas.get("g") for unit in s.pieces):
        shut.add("g")
    entries = s.chart.map.entries
    found = {
        place for key, entry in entries.items() if entry.side == side and key not in shut for place in entry.places
    }
    if side == AXIS and named(s, "sources_axis"):
        found = named(s, "sources_axis")
    ports = named(s, "black_sea" if side == SOVIET else "taman")
    return found | {place for place in ports if s.holders[place] == side}


class Lines:
    """S42-16.3: where a side is in supply, and where a land part of any length would do."""

    def __init__(self, s: State, side: str) -> None:
        self.s, enemy = s, other(side)
        friends, enemies = stacks(s, side), stacks(s, enemy)
        self.ends = set(friends) & set(enemies)  # S42-29: a line leads into a contested city, and not on
        self.hot = zone(s, enemy) - set(friends)
        hexes, self.walls = _walls(s, enemy)
        self.shut = (set(enemies) - self.ends) | hexes | _towns(s, side)
        limit = s.chart.figures["land_wet" if s.wet else "land"]
        begin = sources(s, side)
        if self._has_azov(begin, limit, side):
            azov = {*s.chart.board.marked(PORT)} - named(s, "black_sea") - named(s, "taman")
            begin |= {place for place in azov if s.holders[place] == side}
        self.roads = roads = self._along_roads(begin)
        self.supplied = self._over_land(roads, limit)
        self.joined = self._over_land(roads | (begin - self.shut), FAR)

    def _has_azov(self, begin: set[int], limit: int, side: str) -> bool:
        """S42-16.2.4: whoever holds Temryuk, and has a line there without the ports of that sea."""
        s = self.s
        for temryuk in named(s, "temryuk"):
            return s.holders[temryuk] == side and temryuk in self._over_land(self._along_roads(begin), limit)
        return side == SOVIET and bool(s.chart.figures["azov"])

    def _along_roads(self, begin: Iterable[int]) -> set[int]:
        board = self.s.chart.board
        on_road = {a for (a, _), edge in board.edges.items() if self._road(edge)}
        todo = [place for place in begin if place in on_road and place not in self.shut | self.hot]
        found = set(todo)
        for here in todo:
            if here in self.ends:
                continue
            for there in board.near[here]:
                open_ = there not in self.shut | self.hot and (here, there) not in self.walls
                if there not in found and open_ and self._road(board.edges[here, there], ferry=True):
                    found.add(there)
                    todo.append(there)
        return found

    @staticmethod
    def _road(edge: frozenset[str], *, ferry: bool = False) -> bool:
        return bool({"primary_road", "secondary_road"} & set(edge)) or (ferry and "ferry" in edge)

    def _over_land(self, roads: set[int], limit: int) -> set[int]:
        """From the road outwards: what is paid for a step is the hex that the line would enter, nearer to the road."""
        board, chart = self.s.chart.board, self.s.chart
        best = dict.fromkeys(roads, 0)
        heap = [(0, place) for place in sorted(roads)]
        while heap:
            cost, here = heappop(heap)
            if cost > best[here] or here in self.ends:
                continue
            for there in board.near[here]:
                if there not in board.grid or "sea" in (board[there].terrain, board[here].terrain):  # type: ignore[operator]
                    continue
                if there in self.shut or (here, there) in self.walls or {here, there} <= self.hot:
                    continue
                if "alpine" in board.edges[here, there]:
                    continue
                by_road = self._road(board.edges[here, there])
                pays = cost + (1 if by_road else chart.ground_of(here, self.s.rained).supply)
                if pays <= limit and pays < best.get(there, FAR + 1):
                    best[there] = pays
                    heappush(heap, (pays, there))
        return {place for place in best if place in board.grid}  # type: ignore[operator]


def status(s: State, lines: Lines, unit: int) -> int:
    place = s.at(unit)
    if place == s.chart.areas.get("g") and s.side(unit) == AXIS:  # S42-24.1.2e
        edge = set(s.chart.map.entries["g"].places)
        if edge & lines.roads:
            return SUPPLIED
        return OUT_OF_SUPPLY if edge & lines.joined else ISOLATED
    if s.in_area(unit) or place in lines.supplied:
        return SUPPLIED
    return OUT_OF_SUPPLY if place in lines.joined else ISOLATED


def _divisions(s: State, lines: Lines) -> float:
    """S42-24.1.2: those in the Area of Baku, joined by road and one with tanks; none: there are none with tanks."""
    there = stacks(s, AXIS).get(s.chart.areas["g"], [])
    found, tanks = 0.0, False
    for unit in there:
        counter, german = s.counter(unit), s.chart.nation(unit) == "german"
        remnant = "remnant" in s.face(unit).traits
        if s.has(unit, "division") and not remnant:
            whole = s.pieces[unit].steps == counter.steps
            share = (1.0 if whole else 0.5) if german else (0.5 if whole else 0.0)
            found += share
            tanks |= bool(share) and s.has(unit, "tank")
    return found if tanks and set(s.chart.map.entries["g"].places) & lines.roads else 0.0


def victory_points(s: State, axis: Lines, soviet: Lines) -> int:
    """S42-24.1 and S42-S1.3, but for units that have left the map."""
    chart, found = s.chart, 0
    for place, worth in chart.prizes.items():
        if s.holders[place] == AXIS:
            found += worth * (place in axis.supplied)
        elif chart.victory["isolated"]:
            found += worth * (place not in soviet.joined)
    german = {place for place, units in stacks(s, AXIS).items() if any(chart.nation(u) == "german" for u in units)}
    if german & set(chart.map.regions["south_of_don"].places):
        found += chart.victory["south_of_don"]
    if s.baku and _divisions(s, axis) >= 5:
        found += 3
    soviets = set(stacks(s, SOVIET))
    for key in ("x", "y", "z"):
        if key in chart.friendly(AXIS) and soviets & set(chart.map.entries[key].places):
            found += chart.victory["area"]
    for place in soviets & set(chart.map.regions["west"].places):
        found += chart.victory.get(chart.board[place].terrain, 0) if chart.is_city(place) else 0
    return found


__all__ = ["Lines", "bonds", "stacks", "status", "victory_points", "zone"]
