"""The board as a graph: hexes, areas and off-map boxes are all places, joined by edges that carry features.

A place has a small int id (a hex: `xxyy`; areas and boxes: 9000 and up) and a bit, so that sets of places are plain
ints: zones, barred hexes and supply are computed with `|` and `&`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.kit.hexes import Grid, hex_id, hex_name, parse_hex

if TYPE_CHECKING:
    from pbem.engine.notation import Context
    from pbem.engine.view import View

HEX, AREA, BOX = "hex", "area", "box"
MANY = 200  # places of a mask, beyond which it is quicker to look at every bit
ENTRY = "entry"  # the feature of an edge between an entry area and the map
FIRST_AREA = 9000
MAX_TEXT = 400
PROVENANCE = ("rulebook", "source", "inferred", "ours")

Features = frozenset[str]
NOTHING: Features = frozenset()


class Place(NamedTuple):
    id: int
    kind: str
    terrain: str
    name: str = ""
    marks: Features = NOTHING

    def __str__(self) -> str:
        number = hex_name(self.id)
        if self.kind != HEX:
            return self.name
        return f"{self.name} ({number})" if self.name else number


def text_of(value: object) -> str:
    """A name or sentence of a data file. It must be printable, since files come from strangers, too."""
    text = str(value)
    if len(text) > MAX_TEXT or not text.isprintable():
        raise ValueError(f"a text is too long or cannot be printed: {text[:40]!r}")
    return text


# For each place: (place entered, its bit, cost), in the board's order of neighbours.
Links = Mapping[int, tuple[tuple[int, int, int], ...]]
EdgeCost = Callable[[Place, Place, Features], int | None]
EdgeTest = Callable[[Place, Place, Features], bool]


@dataclass(frozen=True, slots=True)
class Board:
    """Never changes during a game: what can change (a blown bridge) belongs to the game's state."""

    name: str
    provenance: str
    places: Mapping[int, Place]
    edges: Mapping[tuple[int, int], Features]  # both ways
    grid: Grid | None = None
    near: Mapping[int, tuple[int, ...]] = field(init=False, repr=False)
    bit: Mapping[int, int] = field(init=False, repr=False)
    ground: Mapping[int, int] = field(init=False, repr=False)  # the same without boxes
    _ids: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # A hex that the map leaves out keeps its bit, so that neighbours lie equally far apart everywhere (flow.py).
        cells = self.grid.cells if self.grid else ()
        taken = set(cells)
        ids = (*cells, *(p for p in self.places if p not in taken))
        near: dict[int, list[int]] = {p: [] for p in self.places}
        for a, b in self.edges:
            near[a].append(b)
        object.__setattr__(self, "_ids", ids)
        object.__setattr__(self, "near", {p: tuple(n) for p, n in near.items()})
        bit = {p: 1 << k for k, p in enumerate(ids) if p in self.places}
        object.__setattr__(self, "bit", bit)
        object.__setattr__(self, "ground", {p: its for p, its in bit.items() if self.places[p].kind != BOX})

    def __contains__(self, place: object) -> bool:
        return place in self.places

    def __getitem__(self, place: int) -> Place:
        return self.places[place]

    def edge(self, a: int, b: int) -> Features | None:
        """The features of the edge between two places, None if they do not touch."""
        return self.edges.get((a, b))

    def touch(self, a: int, b: int) -> bool:
        return (a, b) in self.edges

    def mask(self, places: Iterable[int]) -> int:
        bits = 0
        for place in places:
            bits |= self.bit[place]
        return bits

    def in_mask(self, mask: int) -> tuple[int, ...]:
        """The places of a mask, in the board's order."""
        if mask.bit_count() > MANY:
            return tuple(compress(self._ids, map("1".__eq__, reversed(f"{mask:b}"))))
        found = []
        while mask:
            low = mask & -mask
            found.append(self._ids[low.bit_length() - 1])
            mask ^= low
        return tuple(found)

    def marked(self, mark: str) -> tuple[int, ...]:
        return tuple(p.id for p in self.places.values() if mark in p.marks)

    def links(self, cost: EdgeCost) -> Links:
        """The graph for one way of moving; an edge whose cost is None is closed."""
        graph = {}
        for a, near in self.near.items():
            costs = ((b, self.bit[b], cost(self.places[a], self.places[b], self.edges[a, b])) for b in near)
            graph[a] = tuple((b, bit, c) for b, bit, c in costs if c is not None)
            if any(c < 0 for _, _, c in graph[a]):
                raise ValueError(f"map: it costs less than nothing to leave {self.places[a]}")
        return graph

    def reaches(self, test: EdgeTest) -> Mapping[int, int]:
        """For each place the mask of its neighbours across the edges that pass the test."""
        return {
            a: self.mask(b for b in near if test(self.places[a], self.places[b], self.edges[a, b]))
            for a, near in self.near.items()
        }

    def place_written(self, text: object, where: str) -> int:
        """A place by its four digits, as data files write it; `where`: the file, for the ValueError."""
        found = parse_hex(str(text))
        if found is None or found not in self.places:
            raise ValueError(f"{where}: {text!r} is not a place of the map")
        return found

    def place_named(self, text: str) -> int | None:
        """A hex by its four digits, any place by its name (capitals do not matter)."""
        number = parse_hex(text)
        if number is not None:
            return number if number in self.places else None
        wanted = text.casefold()
        return next((p.id for p in self.places.values() if p.name and p.name.casefold() == wanted), None)


class HexWords:
    """How hexes are written in orders: four digits. Used as `Annotated[int, HexWords()]`."""

    thing = "p"

    def word(self, value: int) -> str:
        return hex_name(value) if 0 <= value <= 9999 else f"?{value}"

    def value(self, word: str) -> int:
        found = parse_hex(word)
        if found is None:
            raise ValueError(word)
        return found

    def exists(self, value: int, context: Context[Any]) -> bool:
        return value in context.state.chart.board

    def said(self, value: int, view: View[Any]) -> str:
        """By its name, too, if it has one."""
        board: Board = view.state.chart.board
        return str(board[value]) if value in board else self.word(value)


class PlaceNames:
    """How places are called in standing orders (`Game.named`): by their own name if they have one, else by number."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def word(self, value: int) -> str:
        name = self._board[value].name if value in self._board else ""
        own = name.isascii() and self._board.place_named(name) == value
        spare = not set(name.casefold().split()) & {"and", "then", "when"} and not set(name) & set(",;")
        return name if name and own and spare else f"{value:04d}"

    def value(self, word: str) -> int:
        found = self._board.place_named(word)
        if found is not None:
            return found
        if word.isascii() and word.isdecimal() and int(word) in self._board:  # as a policy writes itself, without names
            return int(word)
        raise ValueError(word)


def slowest(*ways: Links) -> Links:
    """The graph of a stack: each step costs as much as for its slowest unit, and is closed if closed to one."""
    if len(ways) == 1:
        return ways[0]
    graph = {}
    for place in ways[0]:
        costs = [{there: cost for there, _, cost in links[place]} for links in ways]
        graph[place] = tuple(
            (there, bit, max(of[there] for of in costs))
            for there, bit, _ in ways[0][place]
            if all(there in of for of in costs)
        )
    return graph


def _hex(grid: Grid, text: str) -> int:
    cell = parse_hex(text)
    if cell is None or cell not in grid:
        raise ValueError(f"map: {text!r} is not a hex of this map")
    return cell


def _two(text: str) -> tuple[str, str]:
    a, dash, b = text.partition("-")
    if not dash:
        raise ValueError(f"map: a hexside is written 0405-0505, not {text!r}")
    return a, b


def board_of(data: Mapping[str, Any]) -> Board:
    """The board of a map file (schemas/data/map.json). Raises ValueError where the file contradicts itself."""
    provenance = str(data["provenance"])
    if provenance not in PROVENANCE:
        raise ValueError(f"map: provenance is one of {', '.join(PROVENANCE)}")
    places: dict[int, Place] = {}
    edges: dict[tuple[int, int], set[str]] = {}
    grid: Grid | None = None
    if "grid" in data:
        grid = Grid(**data["grid"])
        if hex_id(grid.first + grid.columns, 0) > FIRST_AREA:
            raise ValueError(f"map: columns go up to {FIRST_AREA // 100 - 1}; numbers beyond are those of areas")
        _add_hexes(grid, data, places, edges)
    for item in data.get("areas", ()):
        number = int(item["id"])
        if number < FIRST_AREA or number in places:
            raise ValueError(f"map: area {number} must have a free number from {FIRST_AREA} up")
        kind = str(item.get("kind", AREA))
        marks = frozenset(str(mark) for mark in item.get("marks", ()))
        places[number] = Place(number, kind, str(item["terrain"]), text_of(item["name"]), marks)
    for entry in data.get("entries", ()):
        if "area" in entry:
            _add_entry(entry, places, edges)
    for item in data.get("links", ()):
        a, b = int(item["a"]), int(item["b"])
        if a not in places or b not in places or a == b:
            raise ValueError(f"map: link {a}-{b} joins two places of the map")
        for pair in ((a, b),) if item.get("one_way") else ((a, b), (b, a)):
            edges.setdefault(pair, set()).update(item.get("features", ()))
    _add_ways(data, edges)
    return Board(
        name=text_of(data["name"]),
        provenance=provenance,
        places=places,
        edges={pair: frozenset(features) for pair, features in edges.items()},
        grid=grid,
    )


def _add_entry(entry: Mapping[str, Any], places: Mapping[int, Place], edges: dict[tuple[int, int], set[str]]) -> None:
    """An entry area that is a place too is joined to its hexes, both ways, by edges with the feature `entry`."""
    area = int(entry["area"])
    for text in entry["hexes"]:
        cell = parse_hex(text)
        if cell is None or cell not in places or area not in places:
            raise ValueError(f"map: entry {entry['key']} joins an area and hexes of this map, not {text}")
        for pair in ((area, cell), (cell, area)):
            edges.setdefault(pair, set()).add(ENTRY)


def _add_ways(data: Mapping[str, Any], edges: dict[tuple[int, int], set[str]]) -> None:
    """Roads and railways, over hexsides and over links; a step between places that do not touch is an error."""
    for item in data.get("ways", ()):
        feature = str(item["feature"])
        for a, b in (step for chain in item["chains"] for step in pairwise(map(int, chain.split("-")))):
            for pair in ((a, b), (b, a)):
                if pair not in edges:
                    raise ValueError(f"map: {feature} goes from {hex_name(a)} to {hex_name(b)}, which do not touch")
                edges[pair].add(feature)


def _add_hexes(
    grid: Grid, data: Mapping[str, Any], places: dict[int, Place], edges: dict[tuple[int, int], set[str]]
) -> None:
    legend = {str(letter): str(terrain) for terrain, letter in data["terrain"].items()}
    rows: list[str] = data["rows"]  # from north to south
    if len(rows) != grid.rows or any(len(row) != grid.columns for row in rows):
        raise ValueError(f"map: there must be {grid.rows} rows of {grid.columns} letters")
    named = {_hex(grid, str(item["hex"])): item for item in data.get("hexes", ())}
    for cell in grid:
        column, row = divmod(cell, 100)
        line = row - grid.first_row if grid.rows_from == "north" else grid.first_row + grid.rows - 1 - row
        letter = rows[line][column - grid.first]
        if letter == " ":
            continue
        if letter not in legend:
            raise ValueError(f"map: letter {letter!r} in row {row} has no terrain")
        item = named.get(cell, {})
        places[cell] = Place(
            cell, HEX, legend[letter], text_of(item.get("name", "")), frozenset(str(m) for m in item.get("marks", ()))
        )
    for cell in places:
        for near in grid.neighbours(cell):
            if near in places:
                edges[cell, near] = set()
    for item in data.get("sides", ()):
        for text in item["between"]:
            a, b = (_hex(grid, part) for part in _two(text))
            if (a, b) not in edges:
                raise ValueError(f"map: {text} is not a hexside between two hexes of the map")
            edges[a, b].add(str(item["feature"]))
            edges[b, a].add(str(item["feature"]))
