"""The scenarios beyond Fall Blau: each is a data set of its own, put together from what is printed for all of them.

The maps of all four sheets are one file, as are the counters and the turn track; a scenario's file says which part of
them it is played with, and who stands, waits and arrives where. Nothing of that is made into a chart before a game asks
for the scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from pbem.game import DataSet
from pbem_rules.stalingrad42.chart import KERCH, OUT, Chart, chart_of
from pbem_rules.stalingrad42.chart import check_data as check_first

BLAU, CAUCASUS, URANUS, CAMPAIGN = "blau", "caucasus", "uranus", "campaign"
SCENARIOS = (BLAU, CAUCASUS, URANUS, CAMPAIGN)
TITLES = {BLAU: "Fall Blau", CAUCASUS: "The Caucasus", URANUS: "Uranus", CAMPAIGN: "The campaign"}
ABOUT = {
    BLAU: "Eight turns, 28 June to 29 July 1942, Kursk to the Kuban: some 80 Axis units against 90 Soviet ones.",
    CAUCASUS: "Eighteen turns, August to November 1942, Kuban to Grozny: some 35 Axis units against 75 Soviet ones.",
    URANUS: "Nine turns, 19 November to 31 December 1942: the Soviet attack at Stalingrad, 100 Axis units against 130.",
    CAMPAIGN: "Thirty-six turns, June to December 1942, on all maps: the longest and largest, some 70 mails in all.",
}
ENDED = ("army6", "stand")  # marks of turns from which on a rule of the summer is over

Page = dict[str, Any]
Inside = Callable[[str], bool]


def part(data: DataSet, scenario: str, stage: int = 0) -> DataSet:
    """The files of one scenario, as the chart reads them, in the state that its maps have after so many changes."""
    if scenario == BLAU:
        return data
    plan = dict(data[scenario])
    for change in plan.get("stages", ())[:stage]:
        plan |= {key: value for key, value in change.items() if key != "turn"}
    units, arrivals = list(_units(data, plan)), list(_arrivals(plan))
    boxes = [
        {"unit": unit, "box": box, "provenance": plan["provenance"]}
        for box, codes in plan["boxes"].items()
        for unit in codes.split()
    ]
    counters = _counters(data, plan)
    wanted = {item["unit"] for item in (*units, *arrivals, *boxes)}
    out = (unit["code"] for unit in counters["units"] if unit["code"] not in wanted)
    boxes += ({"unit": unit, "box": OUT, "provenance": plan["provenance"]} for unit in out)
    files: Page = {
        "map": _map(data["map_whole"], plan),
        "counters": counters,
        "setup": {"format": 1, "units": units, "boxes": boxes},
        "turns": _turns(data, plan, arrivals),
        "tables": _tables(data["tables"], plan),
    }
    if "withdrawals" in plan:
        files["course"] = {key: plan[key] for key in ("withdrawals", "upgrades", "armies", "kinds")}
    return DataSet(files)


def stage_of(data: DataSet, scenario: str, turn: int) -> int:
    """S42-17.5, S42-23.4: how often the maps of a scenario have changed by a turn."""
    changes = data[scenario].get("stages", ()) if scenario in SCENARIOS and scenario != BLAU else ()
    return sum(change["turn"] <= turn for change in changes)


def chart_for(data: DataSet, scenario: str, turn: int = 0) -> Chart:
    """The chart of a scenario in a turn, made when it is first asked for; a name that is not known means Fall Blau."""
    if scenario not in SCENARIOS or scenario == BLAU:
        return chart_of(data)
    key = data.digest, scenario, stage_of(data, scenario, turn)
    if key not in _PARTS:
        _PARTS[key] = part(data, scenario, key[2])
        if len(_PARTS) > MOST_PARTS:
            del _PARTS[next(iter(_PARTS))]
    return chart_of(_PARTS[key])


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own with which not every scenario can be played."""
    check_first(data)
    for scenario in TITLES:
        for change in ({"turn": 0}, *(() if scenario == BLAU else data[scenario].get("stages", ()))):
            chart_for(data, scenario, change["turn"])


MOST_PARTS = 8
_PARTS: dict[tuple[bytes, str, int], DataSet] = {}

# Units


def _stands(text: str) -> Iterator[tuple[str, int]]:
    """Units and the steps that they have lost: `45ID 88ID:1`."""
    for word in text.split():
        code, _, lost = word.partition(":")
        yield code, int(lost or 0)


def _units(data: DataSet, plan: Page) -> Iterator[dict[str, Any]]:
    frozen = {unit: why for why, codes in plan["frozen"].items() for unit in codes.split()}
    raised = {item["unit"]: {"steps": 1} for item in plan.get("upgrades", ()) if "type" in item}  # S42-32.4
    if plan["first"] == 1:  # S42-S4.1a: on map A the campaign begins as Fall Blau
        for item in data["setup"]["units"]:
            own = {key: value for key, value in item.items() if key != "frozen"} | raised.get(item["unit"], {})
            yield own | ({"frozen": frozen[item["unit"]]} if item["unit"] in frozen else {})
    for line in plan["setup"]:
        place, text = line.split(maxsplit=1)
        for unit, lost in _stands(text):
            item = {"unit": unit, "hex": place, "provenance": plan["provenance"]}
            yield item | ({"steps": lost} if lost else {}) | ({"frozen": frozen[unit]} if unit in frozen else {})


def _arrivals(plan: Page) -> Iterator[dict[str, Any]]:
    for line in plan["arrivals"]:
        turn, side, where, units = line.split(maxsplit=3)
        for unit, lost in _stands(units):
            item = {"turn": int(turn), "side": side, "unit": unit, "where": where, "provenance": plan["provenance"]}
            yield item | ({"steps": lost} if lost else {})


def all_units(data: DataSet) -> list[Page]:
    """The counters of all scenarios: those of Fall Blau first, since orders are written with their numbers."""
    units = [*data["counters"]["units"]]
    for group in data["counters_more"]["groups"]:
        common = {"side": group["side"], "type": group["type"], "marks": [group["mark"]]}
        source = {"provenance": group["provenance"]}
        named = (line.split(maxsplit=1) for line in group["units"])
        units += ({"code": code, "name": name, **common, **source} for code, name in named)
    return units


def _counters(data: DataSet, plan: Page) -> Page:
    first, types = data["counters"], dict(line.split() for line in plan.get("types", ()))
    types |= {item["unit"]: item["type"] for item in plan.get("upgrades", ()) if "type" in item}
    return {
        **first,
        "types": [*first["types"], *data["counters_more"]["types"]],
        "units": [unit | {"type": types.get(unit["code"], unit["type"])} for unit in all_units(data)],
    }


# Turns and tables


def _turns(data: DataSet, plan: Page, arrivals: list[dict[str, Any]]) -> Page:
    first, last = plan["first"], plan["last"]
    own = {turn["turn"]: turn for turn in plan.get("turns", ())}
    turns = []
    for turn in (*data["turns"]["turns"], *data["turns_more"]["turns"]):
        number = turn["turn"]
        if not first <= number <= last:
            continue
        changed = own.get(number, {})
        marks = [*turn.get("marks", ()), *changed.get("marks", ())]
        if number == first > 1:
            marks += ENDED
        values = turn["values"]
        if "replacements" in plan:
            values = next((item["values"] for item in plan["replacements"] if item["turn"] == number), {})
        values = values | changed.get("values", {})
        sources = turn["sources"] | changed.get("sources", {})
        turns.append({**turn, **changed, "values": values, "sources": sources} | ({"marks": marks} if marks else {}))
    return {"format": 1, "provenance": plan["provenance"], "turns": turns, "arrivals": arrivals}


def _tables(page: Page, plan: Page) -> Page:
    """Rows that are others here, by their labels."""
    tables = []
    for table in page["tables"]:
        own, labels = plan["tables"].get(table["name"], {}), table.get("labels", [])
        if own.keys() - set(labels):
            raise ValueError(f"{plan['title']}: {table['name']} has the rows {', '.join(labels)}")
        rows = [own.get(label, row) for label, row in zip(labels, table["rows"], strict=True)] if own else table["rows"]
        tables.append({**table, "rows": rows})
    return {**page, "tables": tables}


# The map


def _map(page: Page, plan: Page) -> Page:
    """The rows that are in play, with the Areas and regions of the scenario.

    S42-2.2.3: lakes part hexes until they freeze, the main range of the Caucasus does from then on: two hexes are no
    neighbours across such a side. S42-23.4g: a frozen lake is like a frozen river. S42-5.5.3: the Volga is a major
    river, and more.
    """
    low, high = map(int, plan["rows"])

    def inside(text: str) -> bool:
        return low <= int(text[2:4]) <= high

    features: dict[str, tuple[str, ...]] = {"volga": ("volga", "major_river"), "lake": ("closed",)}
    if plan["winter"]:
        features |= {"lake": ("major_river", "frozen"), "alpine": ("closed",)}
        page = {**page, "sides": [*page["sides"], *_ice(page["sides"])]}
    features |= dict.fromkeys(plan["opened"], ("rail",))
    entries = [
        {**entry, "hexes": [text for text in entry["hexes"] if inside(text) and entry["key"] != KERCH]}  # S42-20.7
        for entry in page["entries"]
        if entry["key"] in plan["entries"]
    ]
    areas = {entry["area"] for entry in entries}
    regions = {region["key"]: region for region in page["regions"]}
    gone = NOWHERE if plan["first"] > 1 else NOWHERE[:1]
    regions |= {key: {"key": key, "name": key, "kind": "none", "hexes": []} for key in gone}
    regions |= {region["key"]: region for region in plan.get("regions", ())}
    return {
        **page,
        "grid": {**page["grid"], "rows": high - low + 1, "first_row": low},
        "rows": page["rows"][low : high + 1],
        "hexes": [item for item in page["hexes"] if inside(item["hex"])],
        "sides": list(_sides(page["sides"], features, inside)),
        "ways": list(_ways(page["ways"], features, inside)),
        "regions": [{**region, "hexes": list(_clipped(region["hexes"], low, high))} for region in regions.values()],
        "entries": entries,
        "areas": [area for area in page["areas"] if area["id"] in areas],
        "sources": [
            {**item, "hexes": hexes} for item in page["sources"] if (hexes := list(_clipped(item["hexes"], low, high)))
        ],
    }


LAST_ROW_OF_B = 42
# Regions of Fall Blau: the first is of no other scenario, the others of none that begins later.
NOWHERE = ("south_of_don", "railheads", "forts_north", "forts_south", "forts_rostov")


def _ice(items: Iterable[Page]) -> Iterator[Page]:
    """S42-23.4f: major rivers freeze on the maps A and B."""
    for item in items:
        between = [text for text in item["between"] if max(int(text[2:4]), int(text[7:])) <= LAST_ROW_OF_B]
        if item["feature"] == "major_river" and between:
            yield {**item, "feature": "frozen", "between": between}


def _sides(items: Iterable[Page], features: Mapping[str, tuple[str, ...]], inside: Inside) -> Iterator[Page]:
    for item in items:
        between = [text for text in item["between"] if inside(text[:4]) and inside(text[5:])]
        for feature in features.get(item["feature"], (item["feature"],)) if between else ():
            yield {**item, "feature": feature, "between": between}


def _ways(items: Iterable[Page], features: Mapping[str, tuple[str, ...]], inside: Inside) -> Iterator[Page]:
    for item in items:
        runs = (groupby(chain.split("-"), key=inside) for chain in item["chains"])
        chains = [list(run) for each in runs for there, run in each if there]
        if found := ["-".join(chain) for chain in chains if len(chain) > 1]:
            (feature,) = features.get(item["feature"], (item["feature"],))
            yield {**item, "feature": feature, "chains": found}


def _clipped(runs: Iterable[str], low: int, high: int) -> Iterator[str]:
    """What lies between two rows of hexes, and of runs along a column."""
    for run in runs:
        first, _, last = run.partition("..")
        top, bottom = max(int(first[2:]), low), min(int((last or first)[2:]), high)
        if top <= bottom:
            column = first[:2]
            yield f"{column}{top:02d}" if top == bottom else f"{column}{top:02d}..{column}{bottom:02d}"
