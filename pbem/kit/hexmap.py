"""A map with all that stands on it beside the graph: named places and their values, regions, ways, entries.

The graph (hexes, hexsides, roads as edges, boxes) is the `Board`; this adds what a rulebook calls by name, and for
every value where it comes from. The file is that of schemas/data/map.json, by hand or generated: docs/kit.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.kit.board import PROVENANCE, Board, board_of, text_of
from pbem.kit.hexes import parse_hex

Value = int | str
TERRAIN = "terrain"


class Region(NamedTuple):
    """Hexes that the rules name together: a country, a sea's coast, a map edge, an off-limits zone."""

    key: str
    name: str
    kind: str
    mask: int
    places: tuple[int, ...]
    provenance: str


class Way(NamedTuple):
    """A road, railway or sea lane, as one chain of places; each step of it is an edge with that feature."""

    feature: str
    name: str
    places: tuple[int, ...]


class Entry(NamedTuple):
    """An entry to the map: hexes in order, and the area from which units come, if it is a place (-1: none)."""

    key: str
    name: str
    side: str
    area: int
    places: tuple[int, ...]
    provenance: str


@dataclass(frozen=True, slots=True)
class HexMap:
    board: Board
    values: Mapping[int, Mapping[str, Value]]  # by place
    regions: Mapping[str, Region]
    ways: tuple[Way, ...]
    entries: Mapping[str, Entry]
    side_names: Mapping[tuple[int, int], str]  # rivers and straits, both ways
    sources: Mapping[tuple[str, int], str]  # what of which place differs from the map's provenance
    side_sources: Mapping[tuple[str, int, int], str]  # feature, from, to; both ways
    credits: tuple[str, ...]  # whose data it was made from, under which licence

    def value(self, place: int, key: str, default: int = 0) -> int:
        """A number of a place: points, resources, a city's size."""
        found = self.values.get(place, {}).get(key, default)
        if not isinstance(found, int):
            raise TypeError(f"the value {key} of {self.board[place]} is not a number")
        return found

    def word(self, place: int, key: str, default: str = "") -> str:
        return str(self.values.get(place, {}).get(key, default))

    def valued(self, key: str) -> tuple[int, ...]:
        """The places that have that value, in the board's order."""
        return tuple(place for place in self.board.places if key in self.values.get(place, {}))

    def within(self, region: str, place: int) -> bool:
        return bool(self.regions[region].mask & self.board.bit[place])

    def frontier(self, region: str) -> tuple[tuple[int, int], ...]:
        """The edges that leave a region: (place inside, place outside)."""
        mask, bit = self.regions[region].mask, self.board.bit
        return tuple((a, b) for a in self.regions[region].places for b in self.board.near[a] if not mask & bit[b])

    def along(self, feature: str) -> int:
        """The mask of all places on ways of that feature."""
        return self.board.mask({place for way in self.ways if way.feature == feature for place in way.places})

    def source(self, what: str, place: int) -> str:
        """Where the terrain, the name or a value of a place comes from."""
        return self.sources.get((what, place), self.board.provenance)

    def side_source(self, feature: str, a: int, b: int) -> str:
        """Where a hexside's or a way's feature comes from."""
        return self.side_sources.get((feature, a, b), self.board.provenance)


def hexmap_of(data: Mapping[str, Any]) -> HexMap:
    """The map of a file (schemas/data/map.json). Raises ValueError where the file contradicts itself."""
    board = board_of(data)
    values: dict[int, Mapping[str, Value]] = {}
    sources: dict[tuple[str, int], str] = {}
    for item in data.get("hexes", ()):
        _add_values(board, item, parse_hex(str(item["hex"])), values, sources)
    for item in data.get("areas", ()):
        _add_values(board, item, int(item["id"]), values, sources)
    for item in data.get("sources", ()):
        for place in _places(board, item["hexes"]):
            sources[str(item["what"]), place] = _provenance(item)
    side_names: dict[tuple[int, int], str] = {}
    side_sources: dict[tuple[str, int, int], str] = {}
    for item in data.get("sides", ()):
        for text in item["between"]:
            a, b = (board.place_written(part, "map") for part in text.split("-"))
            _add_side(item, str(item["feature"]), a, b, side_sources)
            if "name" in item:
                side_names[a, b] = side_names[b, a] = text_of(item["name"])
    ways: list[Way] = []
    for item in data.get("ways", ()):
        for chain in item["chains"]:
            places = tuple(board.place_written(part, "map") for part in chain.split("-"))
            ways.append(Way(str(item["feature"]), text_of(item.get("name", "")), places))
            for a, b in pairwise(places):
                _add_side(item, str(item["feature"]), a, b, side_sources)
    for item in data.get("links", ()):
        for feature in item.get("features", ()):
            _add_side(item, str(feature), int(item["a"]), int(item["b"]), side_sources)
    regions = [_region(board, item) for item in data.get("regions", ())]
    entries = [_entry(board, item) for item in data.get("entries", ())]
    return HexMap(
        board=board,
        values=values,
        regions=_by_key("region", regions),
        ways=tuple(ways),
        entries=_by_key("entry", entries),
        side_names=side_names,
        sources=sources,
        side_sources=side_sources,
        credits=tuple(text_of(line) for line in data.get("credits", ())),
    )


def _places(board: Board, runs: Iterable[str]) -> tuple[int, ...]:
    """Places written `0405`, and runs along a column written `0405..0412`, which pass over hexes that are not there."""
    found: list[int] = []
    for run in runs:
        first, dots, last = str(run).partition("..")
        if not dots:
            found.append(board.place_written(first, "map"))
            continue
        low, high = board.place_written(first, "map"), board.place_written(last, "map")
        if low // 100 != high // 100 or low > high:
            raise ValueError(f"map: {run} does not run along one column")
        found.extend(place for place in range(low, high + 1) if place in board)
    return tuple(found)


def _provenance(item: Mapping[str, Any], otherwise: str = "") -> str:
    found = str(item.get("provenance", otherwise))
    if found not in PROVENANCE:
        raise ValueError(f"map: provenance is one of {', '.join(PROVENANCE)}")
    return found


def _add_values(
    board: Board,
    item: Mapping[str, Any],
    place: int | None,
    values: dict[int, Mapping[str, Value]],
    sources: dict[tuple[str, int], str],
) -> None:
    if place is None or place not in board:
        raise ValueError(f"map: {item.get('hex')} is described, but is not a hex of the map")
    own: Mapping[str, Any] = item.get("values", {})
    values[place] = {str(k): v if isinstance(v, int) else text_of(v) for k, v in own.items()}
    if "provenance" in item:
        for what in ("name", "marks", *own):
            sources[what, place] = _provenance(item)


def _add_side(item: Mapping[str, Any], feature: str, a: int, b: int, sources: dict[tuple[str, int, int], str]) -> None:
    if "provenance" in item:
        sources[feature, a, b] = sources[feature, b, a] = _provenance(item)


def _region(board: Board, item: Mapping[str, Any]) -> Region:
    places = _places(board, item["hexes"])
    ordered = board.in_mask(board.mask(places))
    if len(ordered) != len(places):
        raise ValueError(f"map: region {item['key']} names a hex twice")
    mask, source = board.mask(places), _provenance(item, board.provenance)
    return Region(str(item["key"]), text_of(item["name"]), str(item["kind"]), mask, ordered, source)


def _entry(board: Board, item: Mapping[str, Any]) -> Entry:
    places = tuple(board.place_written(text, "map") for text in item["hexes"])
    area = int(item.get("area", -1))
    side, source = str(item.get("side", "")), _provenance(item, board.provenance)
    return Entry(str(item["key"]), text_of(item["name"]), side, area, places, source)


def _by_key(what: str, items: list[Any]) -> dict[str, Any]:
    found = {item.key: item for item in items}
    if len(found) != len(items):
        raise ValueError(f"map: two {what} records have one key")
    return found
