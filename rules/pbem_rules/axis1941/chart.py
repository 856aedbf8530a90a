"""AA-2: what is printed, map, units and set-up, made once from a data set; distances and names of places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.game import DataSet, charted
from pbem.kit import folder, text_of
from pbem_rules.axis1941.hits import Guns, guns_of
from pbem_rules.axis1941.units import KINDS, LAND, POWERS, SEA, Kind, Power, Stats

TERRITORIES, ZONES = 71, 49
FIRST_ZONE = TERRITORIES  # places 0..70 are territories by name, 71..119 are the zones 1..49
PLACES = TERRITORIES + ZONES
FAR = 99  # a distance that nothing flies


class Territory(NamedTuple):
    place: int
    name: str
    word: str  # as orders write it
    short: tuple[str, ...]
    owner: Power | None  # None: neutral (AA-2.9); else the original owner (AA-1.9)
    value: int
    capital: str  # the name of the city, "" if it is none
    complex: bool
    region: str


class Canal(NamedTuple):
    """A way between zones for ships whose side holds the territories beside it (AA-2.13, AA-2.14)."""

    name: str
    zones: tuple[int, int]
    locks: tuple[int, ...]


class Plan(NamedTuple):
    """A scenario: who has what where."""

    key: str
    title: str
    text: str
    ipc: Mapping[Power, int]
    units: tuple[tuple[Power, int, Kind, int], ...]  # power, place, kind, how many


@dataclass(frozen=True, eq=False)  # there is one for each data set
class Chart:
    territories: tuple[Territory, ...]
    near: tuple[tuple[int, ...], ...]  # by place: all adjacent places, ascending
    near_land: tuple[tuple[int, ...], ...]  # adjacent territories that are not neutral
    near_sea: tuple[tuple[int, ...], ...]  # adjacent zones
    canals: tuple[Canal, ...]
    straits: tuple[int, int]  # AA-2.11
    gates: Mapping[tuple[int, int], tuple[int, ...]]  # the pair of zones, both ways -> the territories that open it
    air: tuple[tuple[int, ...], ...]  # air[a][b]: spaces entered from a to b, never over neutrals (AA-5.33); FAR: never
    capital: Mapping[Power, int]
    complexes: tuple[int, ...]
    coast: frozenset[int]  # complexes next to the sea
    stats: Mapping[Kind, Stats]
    guns: Guns
    short: Mapping[Kind, tuple[str, ...]]  # abbreviations
    plans: Mapping[str, Plan]
    words: tuple[str, ...]  # by place

    def name(self, place: int) -> str:
        """As sentences say it; of any int."""
        if not 0 <= place < PLACES:
            return "nowhere"
        return self.territories[place].name if place < TERRITORIES else f"SZ{zone_number(place)}"

    def neutral(self, place: int) -> bool:
        return place < TERRITORIES and self.territories[place].owner is None


def is_zone(place: int) -> bool:
    return FIRST_ZONE <= place < PLACES


def is_territory(place: int) -> bool:
    return 0 <= place < TERRITORIES


def zone(number: int) -> int:
    """The place of a sea zone by its printed number."""
    return FIRST_ZONE + number - 1


def zone_number(place: int) -> int:
    return place - FIRST_ZONE + 1


DATA = folder(__file__)


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own that the game cannot be played with."""
    _check(chart_of(data), chart_of(DATA))


def _check(chart: Chart, printed: Chart) -> None:
    if _written(chart) != _written(printed):
        raise ValueError("places, capitals and units keep their names and short names, since orders are written so")
    if set(chart.plans) != set(printed.plans):
        raise ValueError(f"there must be the scenarios {', '.join(sorted(printed.plans))}")


def _written(chart: Chart) -> object:
    return [(each.name, each.short, each.capital) for each in chart.territories], chart.short


def word_of(name: str) -> str:
    return name.replace(" ", "-")


@charted
def chart_of(data: DataSet) -> Chart:
    world = data["axis1941-map"]
    items = world["territories"]
    names = [text_of(item["name"]) for item in items]
    if len(names) != TERRITORIES or sorted(set(names)) != names or len(world["zones"]) != ZONES:
        raise ValueError(f"map: there are {TERRITORIES} territories in the order of their names and {ZONES} zones")
    number = {name: place for place, name in enumerate(names)}
    territories = tuple(_territory(number[item["name"]], item) for item in items)
    near = _near(world, number)
    stats = {Kind(row["kind"]): _stats(row) for row in data["axis1941-units"]["units"]}
    if set(stats) != set(KINDS):
        raise ValueError("units: there is one row for each of the nine kinds")
    canals = tuple(
        Canal(
            text_of(item["name"]),
            _pair(item["zones"]),
            tuple(number[name] for name in item["locks"]),
        )
        for item in world["canals"]
    )
    straits = _pair(world["straits"]["zones"])
    neutral = {each.place for each in territories if each.owner is None}
    capitals = {each.owner: each.place for each in territories if each.capital and each.owner}
    if set(capitals) != set(POWERS):
        raise ValueError("map: each power has one capital")
    gates = {way: canal.locks for canal in canals for way in (canal.zones, canal.zones[::-1])}
    return Chart(
        territories=territories,
        near=near,
        near_land=tuple(tuple(b for b in row if b < FIRST_ZONE and b not in neutral) for row in near),
        near_sea=tuple(tuple(b for b in row if b >= FIRST_ZONE) for row in near),
        canals=canals,
        straits=straits,
        gates=gates,
        air=_distances(near, neutral),
        capital=capitals,
        complexes=tuple(each.place for each in territories if each.complex),
        coast=frozenset(
            each.place for each in territories if each.complex and any(b >= FIRST_ZONE for b in near[each.place])
        ),
        stats=stats,
        guns=guns_of(tuple(stats.values())),
        short={Kind(row["kind"]): tuple(row["short"]) for row in data["axis1941-units"]["units"]},
        plans=_plans(data["axis1941-setup"], number),
        words=(*(each.word for each in territories), *(f"SZ{n}" for n in range(1, ZONES + 1))),
    )


def _territory(place: int, item: Mapping[str, Any]) -> Territory:
    owner = str(item["owner"])
    value = int(item["value"])
    if not 0 <= value <= 99:
        raise ValueError(f"map: a value is 0 to 99, not {value}")
    return Territory(
        place=place,
        name=str(item["name"]),
        word=word_of(str(item["name"])),
        short=tuple(text_of(word) for word in item.get("short", ())),
        owner=None if owner == "neutral" else Power(owner),
        value=value,
        capital=text_of(item.get("capital", "")),
        complex=bool(item.get("complex", False)),
        region=text_of(item["region"]),
    )


def _near(world: Mapping[str, Any], number: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    edges: set[tuple[int, int]] = set()
    for item in world["territories"]:
        here = number[item["name"]]
        edges.update((here, number[name]) for name in item["land"])
        edges.update(way for each in item["zones"] for way in ((here, _zone(each)), (_zone(each), here)))
    for place, item in enumerate(world["zones"], start=FIRST_ZONE):
        if _zone(item["zone"]) != place:
            raise ValueError("map: the zones stand in the order of their numbers")
        edges.update((place, _zone(each)) for each in item["zones"])
    for a, b in sorted(edges):
        if (b, a) not in edges or a == b:
            raise ValueError(f"map: {a} and {b} are neighbours of each other or not at all")
    near: list[list[int]] = [[] for _ in range(PLACES)]
    for a, b in sorted(edges):
        near[a].append(b)
    return tuple(map(tuple, near))


def _zone(value: object) -> int:
    if not isinstance(value, int) or not 1 <= value <= ZONES:
        raise ValueError(f"map: {value!r} is not a sea zone")
    return zone(value)


def _pair(values: Any) -> tuple[int, int]:
    a, b = (_zone(value) for value in values)
    return (a, b)


def _stats(row: Mapping[str, Any]) -> Stats:
    stats = Stats(Kind(row["kind"]), *(int(row[name]) for name in ("cost", "attack", "defence", "move", "hits")))
    if not (1 <= stats.cost <= 99 and 0 <= stats.attack <= 6 and 0 <= stats.defence <= 6 and 0 <= stats.move <= 9):
        raise ValueError(f"units: the numbers of {stats.kind} are out of bounds")
    return stats


def _distances(near: tuple[tuple[int, ...], ...], closed: set[int]) -> tuple[tuple[int, ...], ...]:
    """AA-5.33, AA-2.18: aircraft pass everything but neutrals."""
    return tuple(spread(start, lambda place: [b for b in near[place] if b not in closed]) for start in range(PLACES))


def spread(start: int, ways: Callable[[int], list[int]]) -> tuple[int, ...]:
    """How far each place is."""
    far = [FAR] * PLACES
    far[start] = 0
    ring = [start]
    steps = 0
    while ring:
        steps += 1
        outer = []
        for place in ring:
            for other in ways(place):
                if far[other] == FAR:
                    far[other] = steps
                    outer.append(other)
        ring = outer
    return tuple(far)


def _plans(data: Mapping[str, Any], number: Mapping[str, int]) -> dict[str, Plan]:
    ipc = {Power(item["power"]): int(item["ipc"]) for item in data["treasuries"]}
    if set(ipc) != set(POWERS) or not all(0 <= sum_ <= 999 for sum_ in ipc.values()):
        raise ValueError("setup: each power has a treasury of 0 to 999")
    plans = {}
    for item in data["scenarios"]:
        units = tuple(
            (Power(card["power"]), _place(row["place"], number), Kind(kind), int(row[kind]))
            for card in data["cards"]
            if card["set"] in item["cards"]
            for row in card["units"]
            for kind in KINDS
            if kind in row
        )
        for _, place, kind, count in units:
            misplaced = kind in SEA if place < FIRST_ZONE else kind in LAND or kind is Kind.BOMBER
            if misplaced or not 1 <= count <= 99:
                raise ValueError(f"setup: {count} {kind} cannot begin in place {place}")
        key = text_of(item["key"])
        plans[key] = Plan(key, text_of(item["title"]), text_of(item["text"]), ipc, units)
    return plans


def _place(name: str, number: Mapping[str, int]) -> int:
    if name in number:
        return number[name]
    if name.startswith("SZ") and name[2:].isascii() and name[2:].isdigit():
        return _zone(int(name[2:4]))
    raise ValueError(f"setup: there is no place {name!r}")


CHART = chart_of(DATA)  # as printed
