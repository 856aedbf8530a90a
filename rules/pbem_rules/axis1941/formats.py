"""The data files of this game alone, as types: their schemas are made from these (`make docs`)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from pbem.schema import Limit

Key = Annotated[str, Limit(pattern="^[a-z][a-z0-9_]{0,31}$")]
Line = Annotated[str, Limit(minLength=1, maxLength=64)]
Text = Annotated[str, Limit(minLength=1, maxLength=400)]
Provenance = Literal["rulebook", "source", "inferred", "ours"]
OneTo99 = Annotated[int, Limit(minimum=1, maximum=99)]
UpTo99 = Annotated[int, Limit(minimum=0, maximum=99)]
AreaNumber = Annotated[int, Limit(minimum=1, maximum=49)]
Power = Literal["ussr", "germany", "uk", "japan", "usa"]


class MapFile(TypedDict):
    """The map of Axis & Allies 1941: territories, sea zones, and who is whose neighbour."""

    format: Literal[1]
    name: Line
    provenance: MapProvenance
    territories: Annotated[list[MapTerritory], Limit(minItems=71, maxItems=71)]
    zones: Annotated[list[MapZone], Limit(minItems=49, maxItems=49)]
    canals: Annotated[list[MapCanal], Limit(minItems=0, maxItems=8)]
    straits: MapStraits
    wrap: Annotated[list[MapWrapEntry], Limit(minItems=0, maxItems=16)]


class MapProvenance(TypedDict):
    names: Provenance
    """Where the values come from."""
    owners: Provenance
    """Where the values come from."""
    values: Provenance
    """Where the values come from."""
    complexes: Provenance
    """Where the values come from."""
    neutrals: Provenance
    """Where the values come from."""
    neighbours: Provenance
    """Where the values come from."""
    wrap: Provenance
    """Where the values come from."""
    canals: Provenance
    """Where the values come from."""
    straits: Provenance
    """Where the values come from."""
    capitals: Provenance
    """Where the values come from."""
    islands: Provenance
    """Where the values come from."""
    regions: Provenance
    """Where the values come from."""
    short: Provenance
    """Where the values come from."""


class MapTerritory(TypedDict):
    name: Line
    owner: Literal["ussr", "germany", "uk", "japan", "usa", "neutral"]
    value: UpTo99
    capital: NotRequired[Line]
    complex: NotRequired[bool]
    island: NotRequired[bool]
    region: Line
    short: NotRequired[
        Annotated[list[Annotated[str, Limit(pattern="^[a-z]{2,24}$")]], Limit(minItems=1, maxItems=8, uniqueItems=True)]
    ]
    zones: Annotated[list[AreaNumber], Limit(minItems=0, maxItems=12, uniqueItems=True)]
    land: Annotated[list[Line], Limit(minItems=0, maxItems=16, uniqueItems=True)]


class MapZone(TypedDict):
    zone: AreaNumber
    zones: Annotated[list[AreaNumber], Limit(minItems=1, maxItems=12, uniqueItems=True)]


class MapCanal(TypedDict):
    name: Line
    zones: Annotated[list[AreaNumber], Limit(minItems=2, maxItems=2, uniqueItems=True)]
    locks: Annotated[list[Line], Limit(minItems=1, maxItems=4, uniqueItems=True)]


class MapStraits(TypedDict):
    name: Line
    zones: Annotated[list[AreaNumber], Limit(minItems=2, maxItems=2, uniqueItems=True)]


class MapWrapEntry(TypedDict):
    places: Annotated[list[Line], Limit(minItems=2, maxItems=2)]


class SetupFile(TypedDict):
    """The scenarios of Axis & Allies 1941: treasuries and units at the start."""

    format: Literal[1]
    scenarios: Annotated[list[SetupScenario], Limit(minItems=1, maxItems=8)]
    treasuries: Annotated[list[SetupTreasury], Limit(minItems=5, maxItems=5)]
    cards: Annotated[list[SetupCard], Limit(minItems=1, maxItems=40)]


class SetupScenario(TypedDict):
    key: Key
    title: Line
    text: Text
    cards: Annotated[list[Key], Limit(minItems=1, maxItems=8)]


class SetupTreasury(TypedDict):
    power: Power
    ipc: Annotated[int, Limit(minimum=0, maximum=999)]
    provenance: Provenance
    """Where the values come from."""


class SetupCard(TypedDict):
    set: Key
    power: Power
    provenance: Provenance
    """Where the values come from."""
    units: Annotated[list[Annotated[SetupUnit, Limit(minProperties=2)]], Limit(minItems=1, maxItems=120)]


class SetupUnit(TypedDict):
    place: Line
    infantry: NotRequired[OneTo99]
    tank: NotRequired[OneTo99]
    fighter: NotRequired[OneTo99]
    bomber: NotRequired[OneTo99]
    submarine: NotRequired[OneTo99]
    transport: NotRequired[OneTo99]
    destroyer: NotRequired[OneTo99]
    carrier: NotRequired[OneTo99]
    battleship: NotRequired[OneTo99]


class UnitsFile(TypedDict):
    """The kinds of unit of Axis & Allies 1941."""

    format: Literal[1]
    provenance: Provenance
    """Where the values come from."""
    units: Annotated[list[UnitsUnit], Limit(minItems=9, maxItems=9)]


class UnitsUnit(TypedDict):
    kind: Literal[
        "infantry", "tank", "fighter", "bomber", "submarine", "transport", "destroyer", "carrier", "battleship"
    ]
    class_: Literal["land", "air", "sea"]
    cost: OneTo99
    attack: Annotated[int, Limit(minimum=0, maximum=6)]
    defence: Annotated[int, Limit(minimum=0, maximum=6)]
    move: Annotated[int, Limit(minimum=0, maximum=9)]
    hits: Annotated[int, Limit(minimum=1, maximum=2)]
    short: Annotated[
        list[Annotated[str, Limit(pattern="^[a-z]{2,24}$")]], Limit(minItems=1, maxItems=8, uniqueItems=True)
    ]


FILES: dict[str, type] = {
    "axis1941-map": MapFile,
    "axis1941-setup": SetupFile,
    "axis1941-units": UnitsFile,
}
"""The kinds of data files, each with its type."""
