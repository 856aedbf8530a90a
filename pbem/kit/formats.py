"""The data files that a game may be made of, as types. `schemas/data` is made from these (`make docs`)."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from pbem.schema import Count, Limit

Key = Annotated[str, Limit(pattern="^[a-z][a-z0-9_]{0,31}$")]
Provenance = Literal["rulebook", "source", "inferred", "ours"]
Line = Annotated[str, Limit(minLength=1, maxLength=64)]
Text = Annotated[str, Limit(minLength=1, maxLength=400)]
Rule = Annotated[str, Limit(pattern="^[A-Z0-9]{1,6}-[0-9A-Za-z.]{1,16}$")]
OneTo99 = Annotated[int, Limit(minimum=1, maximum=99)]
UpTo99 = Annotated[int, Limit(minimum=0, maximum=99)]
Marks = Annotated[list[Key], Limit(minItems=0, maxItems=16, uniqueItems=True)]
UnitCode = Annotated[str, Limit(pattern="^[A-Za-z0-9./-]{1,12}$")]
HexNumber = Annotated[str, Limit(pattern="^[0-9]{4}$")]
Whole = Annotated[int, Limit(minimum=-32768, maximum=32767)]
Signed99 = Annotated[int, Limit(minimum=-99, maximum=99)]


class CardsFile(TypedDict):
    """The cards of a deck."""

    format: Literal[1]
    deck: Annotated[str, Limit(pattern="^[a-z][a-z0-9_.+-]{0,15}$")]
    provenance: Provenance
    """Where the values come from."""
    cards: Annotated[
        list[
            Annotated[
                CardsCard,
                Limit(
                    oneOf=[
                        {"required": ["play", "rule", "text"], "not": {"required": ["events"]}},
                        {
                            "required": ["events"],
                            "not": {"anyOf": [{"required": ["play"]}, {"required": ["rule"]}, {"required": ["text"]}]},
                        },
                    ]
                ),
            ]
        ],
        Limit(minItems=1, maxItems=500),
    ]


class CardsCard(TypedDict):
    key: Key
    name: Line
    copies: OneTo99
    play: NotRequired[Key]
    rule: NotRequired[Rule]
    text: NotRequired[Text]
    marks: NotRequired[Marks]
    events: NotRequired[Annotated[dict[Key, CardsEvent], Limit(minProperties=1, maxProperties=8)]]
    """By side: what the card is for that side, if the sides differ."""


class CardsEvent(TypedDict):
    name: Line
    text: Text
    rule: Rule
    play: Key
    marks: NotRequired[Marks]


class CountersFile(TypedDict):
    """Unit types with a face per step, and the units."""

    format: Literal[1]
    provenance: Provenance
    """Where the values come from."""
    types: Annotated[list[CountersType], Limit(minItems=1, maxItems=5000)]
    units: Annotated[list[CountersUnit], Limit(minItems=1, maxItems=5000)]


class CountersType(TypedDict):
    key: Key
    name: Line
    letter: Annotated[str, Limit(minLength=1, maxLength=1)]
    faces: Annotated[list[CountersFace], Limit(minItems=1, maxItems=8)]
    traits: NotRequired[Marks]


class CountersFace(TypedDict):
    attack: UpTo99
    defence: UpTo99
    move: UpTo99
    traits: NotRequired[Marks]
    values: NotRequired[Annotated[dict[Key, Annotated[int, Limit(minimum=-99, maximum=999)]], Limit(maxProperties=16)]]
    """What else is printed on it: a range, a quality."""


class CountersUnit(TypedDict):
    code: UnitCode
    name: Line
    side: Key
    type: Key
    faces: NotRequired[Annotated[list[CountersFace], Limit(minItems=1, maxItems=8)]]
    """Its own, where they differ from its type's."""
    marks: NotRequired[Marks]
    """What it belongs to: nation, formation."""
    provenance: NotRequired[Provenance]


class CoverageFile(TypedDict):
    """Every rule of a game: implemented, with the tests that prove it, or not applicable, with the reason."""

    format: Literal[1]
    rules: Annotated[list[RuleDone | RuleLeftOut], Limit(minItems=1, maxItems=2000)]


class RuleDone(TypedDict):
    id: Rule
    status: Literal["done"]
    tests: Annotated[list[Annotated[str, Limit(pattern="^[a-z0-9_/.]+::[a-z0-9_]+$")]], Limit(minItems=1, maxItems=20)]


class RuleLeftOut(TypedDict):
    id: Rule
    status: Literal["n/a"]
    reason: Text


class ForcesFile(TypedDict):
    """Formations with headquarters and sources of supply, command chits, air units."""

    format: Literal[1]
    formations: Annotated[list[ForcesFormation], Limit(minItems=1, maxItems=100)]
    chits: Annotated[list[ForcesChit], Limit(minItems=1, maxItems=100)]
    air: Annotated[list[AirUnit], Limit(minItems=0, maxItems=100)]


class ForcesFormation(TypedDict):
    key: Key
    name: Line
    side: Key
    hq: NotRequired[UnitCode]
    source: Key
    """The region of the map that supplies it."""
    provenance: Provenance
    """Where the values come from."""


class ForcesChit(TypedDict):
    code: UnitCode
    name: Line
    side: Key
    formation: NotRequired[Key]
    """What it activates; a special chit names none."""
    by: Literal["start", "arrival", "event"]
    until: NotRequired[OneTo99]
    """The last turn in which it can be drawn."""
    provenance: Provenance
    """Where the values come from."""


class AirUnit(TypedDict):
    code: UnitCode
    name: Line
    side: Key
    box: Key
    normal: Annotated[int, Limit(minimum=0, maximum=9)]
    power: Annotated[int, Limit(minimum=0, maximum=9)]
    provenance: Provenance
    """Where the values come from."""


class MapFile(TypedDict):
    """A map: hexes on a grid, areas, off-map boxes, the features of the edges between them, and what has a name."""

    format: Literal[1]
    name: Line
    provenance: Provenance
    """Where the values come from."""
    grid: NotRequired[MapGrid]
    terrain: NotRequired[Annotated[dict[Key, Annotated[str, Limit(minLength=1, maxLength=1)]], Limit(minProperties=1)]]
    """Kind of terrain: its letter in the rows."""
    rows: NotRequired[Annotated[list[Annotated[str, Limit(maxLength=100)]], Limit(minItems=1, maxItems=100)]]
    """From north to south, whichever way they are numbered; a blank means that there is no hex."""
    hexes: NotRequired[Annotated[list[MapHex], Limit(minItems=0, maxItems=5000)]]
    sides: NotRequired[Annotated[list[MapSide], Limit(minItems=0, maxItems=5000)]]
    areas: NotRequired[Annotated[list[MapArea], Limit(minItems=0, maxItems=5000)]]
    links: NotRequired[Annotated[list[MapLink], Limit(minItems=0, maxItems=5000)]]
    ways: NotRequired[Annotated[list[MapWay], Limit(minItems=0, maxItems=1000)]]
    """Roads, railways: each step of a chain is an edge with the feature."""
    regions: NotRequired[Annotated[list[MapRegion], Limit(minItems=0, maxItems=500)]]
    entries: NotRequired[Annotated[list[MapEntry], Limit(minItems=0, maxItems=200)]]
    sources: NotRequired[Annotated[list[MapSource], Limit(minItems=0, maxItems=1000)]]
    """Sources of single values, where they differ from the map's."""
    credits: NotRequired[Annotated[list[Text], Limit(minItems=0, maxItems=32)]]
    """The sources of the data, and their licences."""


class MapGrid(TypedDict):
    columns: Annotated[int, Limit(minimum=1, maximum=100)]
    rows: Annotated[int, Limit(minimum=1, maximum=100)]
    top: NotRequired[Literal["flat", "pointy"]]
    shifted: NotRequired[Literal["odd", "even"]]
    first: NotRequired[UpTo99]
    first_row: NotRequired[UpTo99]
    rows_from: NotRequired[Literal["north", "south"]]


class MapHex(TypedDict):
    hex: HexNumber
    name: NotRequired[Line]
    marks: NotRequired[Marks]
    values: NotRequired[Annotated[dict[Key, Whole | Line], Limit(maxProperties=16)]]
    provenance: NotRequired[Provenance]


class MapSide(TypedDict):
    feature: Key
    between: Annotated[list[Annotated[str, Limit(pattern="^[0-9]{4}-[0-9]{4}$")]], Limit(minItems=1, maxItems=5000)]
    name: NotRequired[Line]
    provenance: NotRequired[Provenance]


class MapArea(TypedDict):
    id: Annotated[int, Limit(minimum=9000, maximum=65535)]
    kind: NotRequired[Literal["area", "box"]]
    name: Line
    terrain: Key
    marks: NotRequired[Marks]
    values: NotRequired[Annotated[dict[Key, Whole | Line], Limit(maxProperties=16)]]
    provenance: NotRequired[Provenance]


class MapLink(TypedDict):
    a: Count
    b: Count
    features: NotRequired[Marks]
    one_way: NotRequired[bool]
    provenance: NotRequired[Provenance]


class MapWay(TypedDict):
    feature: Key
    name: NotRequired[Line]
    chains: Annotated[
        list[Annotated[str, Limit(pattern="^[0-9]{4}(-[0-9]{4})+$", maxLength=2000)]], Limit(minItems=1, maxItems=1000)
    ]
    provenance: NotRequired[Provenance]


class MapRegion(TypedDict):
    key: Key
    name: Line
    kind: Key
    hexes: Annotated[
        list[Annotated[str, Limit(pattern="^[0-9]{4}(\\.\\.[0-9]{4})?$")]],
        Limit(minItems=0, maxItems=5000, uniqueItems=True),
    ]
    """0405, or 0405..0412 down a column."""
    provenance: NotRequired[Provenance]


class MapEntry(TypedDict):
    key: Key
    name: Line
    side: NotRequired[Key]
    area: NotRequired[Annotated[int, Limit(minimum=9000, maximum=65535)]]
    hexes: Annotated[list[HexNumber], Limit(minItems=0, maxItems=200, uniqueItems=True)]
    provenance: NotRequired[Provenance]


class MapSource(TypedDict):
    what: Key
    """Terrain, name, marks, or the key of a value."""
    hexes: Annotated[
        list[Annotated[str, Limit(pattern="^[0-9]{4}(\\.\\.[0-9]{4})?$")]],
        Limit(minItems=1, maxItems=5000, uniqueItems=True),
    ]
    """0405, or 0405..0412 down a column."""
    provenance: Provenance
    note: NotRequired[Text]


class PlacesFile(TypedDict):
    """The places that count for victory."""

    format: Literal[1]
    places: Annotated[list[PlacesPlace], Limit(minItems=1, maxItems=200)]


class PlacesPlace(TypedDict):
    name: Line
    at: NotRequired[Line]
    """Its name on the map, if that is another."""
    kind: Literal["city", "oil", "area"]
    objective: NotRequired[Key]
    reich: NotRequired[bool]
    held: Key
    provenance: dict[Key, Provenance]


class ScenariosFile(TypedDict):
    """Scenarios: length, who begins, objectives, reserves, set-up."""

    format: Literal[1]
    provenance: Provenance
    """Where the values come from."""
    scenarios: Annotated[list[ScenariosScenario], Limit(minItems=1, maxItems=99)]


class ScenariosScenario(TypedDict):
    key: Key
    title: Line
    text: Text
    turns: OneTo99
    first: Key
    par: Signed99
    objectives: Annotated[list[ScenariosObjective], Limit(minItems=1, maxItems=99)]
    reserves: dict[Key, ScenariosReserve]
    setup: Annotated[
        dict[str, Annotated[list[Annotated[str, Limit(maxLength=12)]], Limit(minItems=1, maxItems=12)]],
        Limit(propertyNames={"pattern": "^[0-9]{4}$"}),
    ]


class ScenariosObjective(TypedDict):
    hex: HexNumber
    value: UpTo99
    holder: Key


class ScenariosReserve(TypedDict):
    arrives: OneTo99
    units: Annotated[list[Annotated[str, Limit(maxLength=12)]], Limit(minItems=1, maxItems=99)]
    entries: Annotated[list[HexNumber], Limit(minItems=1, maxItems=99)]


class SetupFile(TypedDict):
    """Where units are at the start: in hexes, within reach of a hex, in boxes."""

    format: Literal[1]
    units: Annotated[list[SetupUnit], Limit(minItems=1, maxItems=2000)]
    boxes: Annotated[list[SetupBox], Limit(minItems=0, maxItems=2000)]


class SetupUnit(TypedDict):
    unit: UnitCode
    hex: HexNumber
    near: NotRequired[HexNumber]
    """Its owner places it within reach of this hex."""
    reach: NotRequired[Annotated[int, Limit(minimum=1, maximum=9)]]
    steps: NotRequired[Annotated[int, Limit(minimum=1, maximum=8)]]
    """Number of steps already lost at the start."""
    frozen: NotRequired[Key]
    """The condition that keeps it from moving."""
    option: NotRequired[Key]
    """The unit is in play only with this option."""
    provenance: Provenance
    """Where the values come from."""


class SetupBox(TypedDict):
    unit: UnitCode
    box: Key
    provenance: Provenance
    """Where the values come from."""


class StartsFile(TypedDict):
    """Starts: where units stand, who holds what, and the first and the last turn."""

    format: Literal[1]
    provenance: Provenance
    """Where the values come from."""
    starts: Annotated[list[StartsStart], Limit(minItems=1, maxItems=20)]


class StartsStart(TypedDict):
    key: Key
    title: Line
    text: Text
    first: OneTo99
    last: OneTo99
    border_only: NotRequired[bool]
    win: NotRequired[Signed99]
    event_vp: NotRequired[Signed99]
    high_tide: NotRequired[Signed99]
    hands: dict[Key, Annotated[int, Limit(minimum=0, maximum=20)]]
    held: dict[Key, Annotated[list[Line], Limit(minItems=0, maxItems=400)]]
    setup: Annotated[
        dict[
            str,
            Annotated[list[Annotated[str, Limit(pattern="^[A-Za-z0-9]{1,8}[+-]?$")]], Limit(minItems=0, maxItems=99)],
        ],
        Limit(propertyNames={"pattern": "^[a-z0-9_]{1,32}$"}),
    ]
    triggers: NotRequired[dict[Key, OneTo99]]


class TablesFile(TypedDict):
    """Result tables and lists of modifiers."""

    format: Literal[1]
    provenance: Provenance
    """Where the values come from."""
    tables: Annotated[list[TablesTable], Limit(minItems=1, maxItems=100)]


class TablesTable(TypedDict):
    name: Key
    rule: Rule
    provenance: Provenance
    """Where the values come from."""
    columns: Annotated[list[Line], Limit(minItems=1, maxItems=40)]
    labels: NotRequired[Annotated[list[Line], Limit(minItems=1, maxItems=200)]]
    rows: Annotated[
        list[Annotated[list[Annotated[str, Limit(maxLength=32)]], Limit(minItems=1, maxItems=40)]],
        Limit(minItems=1, maxItems=200),
    ]
    cells: NotRequired[Annotated[list[TablesCell], Limit(minItems=0, maxItems=5000)]]
    first: NotRequired[Annotated[int, Limit(minimum=-50, maximum=50)]]
    """The total of the first row, 1 if left out."""
    die: NotRequired[Annotated[int, Limit(minimum=2, maximum=100)]]
    """Sides of the die, as many as rows if left out."""


class TablesCell(TypedDict):
    die: Annotated[int, Limit(minimum=-50, maximum=200)]
    column: Line
    provenance: Provenance
    """Where the values come from."""
    note: NotRequired[Text]


class TurnsFile(TypedDict):
    """The turn track: what is printed for each turn, and who arrives when."""

    format: Literal[1]
    provenance: Provenance
    turns: Annotated[list[TurnsTurn], Limit(minItems=1, maxItems=200)]
    """The turns in order, with none missing."""
    arrivals: NotRequired[Annotated[list[TurnsArrival], Limit(minItems=0, maxItems=2000)]]


class TurnsTurn(TypedDict):
    turn: Annotated[int, Limit(minimum=0, maximum=999)]
    name: Line
    season: NotRequired[Key]
    weather: NotRequired[Annotated[list[Key], Limit(minItems=1, maxItems=8, uniqueItems=True)]]
    """The printed weather, then the alternatives."""
    marks: NotRequired[Marks]
    values: NotRequired[Annotated[dict[Key, Whole], Limit(maxProperties=32)]]
    sources: NotRequired[Annotated[dict[Key, Provenance], Limit(maxProperties=32)]]
    """Where name, season, weather, marks or a value comes from, if from elsewhere than the track."""


class TurnsArrival(TypedDict):
    turn: Annotated[int, Limit(minimum=0, maximum=999)]
    side: Key
    unit: Annotated[str, Limit(minLength=1, maxLength=16)]
    where: NotRequired[Line]
    steps: NotRequired[Annotated[int, Limit(minimum=0, maximum=8)]]
    """Number of steps already lost on arrival."""
    provenance: NotRequired[Provenance]


class UnitsFile(TypedDict):
    """Units with two faces, and the source of each value."""

    format: Literal[1]
    units: Annotated[list[UnitsUnit], Limit(minItems=1, maxItems=200)]


class UnitsUnit(TypedDict):
    code: Annotated[str, Limit(pattern="^[A-Za-z0-9]{1,8}$")]
    name: Line
    strong_name: NotRequired[Line]
    side: Key
    nation: Key
    strong: NotRequired[UnitsStrong]
    weak: NotRequired[UnitsStrong]
    entry: UnitsEntry


class UnitsStrong(TypedDict):
    strength: Annotated[int, Limit(minimum=0, maximum=20)]
    move: Annotated[int, Limit(minimum=0, maximum=12)]
    traits: Marks
    provenance: Provenance
    """Where the values come from."""


class UnitsEntry(TypedDict):
    by: Key
    turn: NotRequired[OneTo99]
    leaves: NotRequired[OneTo99]
    home: NotRequired[Line]
    provenance: Provenance
    """Where the values come from."""


FILES: dict[str, type] = {
    "cards": CardsFile,
    "counters": CountersFile,
    "coverage": CoverageFile,
    "forces": ForcesFile,
    "map": MapFile,
    "places": PlacesFile,
    "scenarios": ScenariosFile,
    "setup": SetupFile,
    "starts": StartsFile,
    "tables": TablesFile,
    "turns": TurnsFile,
    "units": UnitsFile,
}
"""The kinds of data files, each with its type."""
