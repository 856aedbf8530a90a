"""The map as the kit reads it (schemas/data/map.json), written so that the same map is always the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from pbem.kit.datafile import problems
from pbem.kit.hexes import hex_name
from pbem.kit.hexmap import hexmap_of
from tools.mapmaking.build import Built, Joined
from tools.mapmaking.spec import Override, Place


def page(built: Built) -> dict[str, Any]:
    """The content of the file, checked against the schema and by the kit's own reader."""
    spec, grid = built.chart.spec, built.chart.lattice.grid
    rows = range(grid.first_row, grid.first_row + grid.rows)
    found: dict[str, Any] = {
        "format": 1,
        "name": spec.name,
        "provenance": spec.provenance,
        "credits": spec.credits,
        "grid": spec.grid,
        "terrain": spec.terrain,
        "rows": ["".join(_row(built, row)) for row in (rows if grid.rows_from == "north" else reversed(rows))],
        "hexes": [_hex(cell, place) for cell, place in built.places if cell in built.terrain],
        "sides": [
            _tidy(
                {
                    "feature": g.feature,
                    "name": g.name,
                    "between": [f"{a:04d}-{b:04d}" for a, b in sorted(g.sides)],
                    "provenance": g.provenance,
                }
            )
            for g in built.sides
        ],
        "ways": [
            _tidy(
                {
                    "feature": r.rail.kind,
                    "name": r.rail.name,
                    "chains": list(_pieces(built, r.cells)),
                    "provenance": r.rail.provenance,
                }
            )
            for r in built.rails
        ],
        "regions": [
            _tidy(
                {
                    "key": region.key,
                    "name": region.name,
                    "kind": region.kind,
                    "hexes": list(runs(cells)),
                    "provenance": region.provenance,
                }
            )
            for region, cells in built.regions
        ],
        **(
            {"entries": [_tidy(asdict(entry)) | {"hexes": entry.hexes} for entry in spec.entries]}
            if spec.entries
            else {}
        ),
        "sources": [
            *(_source(built, override) for override in spec.overrides if override.terrain and override.provenance),
            *(_tidy(asdict(source)) for source in spec.sources),
        ],
        "areas": [_area(joined) for joined in built.areas],
        "links": [
            _tidy({"a": joined.area.id, "b": near, "features": features})
            for joined in built.areas
            for near, features in joined.near
        ],
    }
    faults = problems("map", found)
    if faults:
        raise SystemExit("\n".join(faults))
    hexmap_of(found)
    return found


def _row(built: Built, row: int) -> Iterator[str]:
    grid = built.chart.lattice.grid
    for column in range(grid.first, grid.first + grid.columns):
        kind = built.terrain.get(100 * column + row)
        yield built.chart.spec.terrain[kind] if kind else " "


def _tidy(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if value not in (None, "", [], {})}


def _hex(cell: int, place: Place) -> dict[str, Any]:
    return _tidy(
        {
            "hex": hex_name(cell),
            "name": place.name,
            "marks": place.marks,
            "values": place.values,
            "provenance": place.provenance,
        }
    )


def _source(built: Built, override: Override) -> dict[str, Any]:
    hexes = list(runs(built.chart.cells(override.hexes)))
    return {"what": "terrain", "hexes": hexes, "provenance": override.provenance, "note": override.why}


def _area(joined: Joined) -> dict[str, Any]:
    area = joined.area
    return _tidy(
        {
            "id": area.id,
            "kind": "area",
            "name": area.name,
            "terrain": area.terrain,
            "marks": area.marks,
            "values": area.values,
            "provenance": area.provenance,
        }
    )


def _pieces(built: Built, cells: list[int]) -> Iterator[str]:
    """A railway where it is on the map: an area interrupts it."""
    for on_map, run in groupby(cells, key=lambda cell: cell in built.terrain):
        piece = list(run)
        if on_map and len(piece) > 1:
            yield "-".join(hex_name(cell) for cell in piece)


def runs(cells: Iterable[int]) -> Iterator[str]:
    """Hexes in order, runs down a column as one."""
    ordered = sorted(cells)
    for _, run in groupby(enumerate(ordered), key=lambda item: item[1] - item[0]):
        piece = [cell for _, cell in run]
        yield hex_name(piece[0]) if len(piece) == 1 else f"{piece[0]:04d}..{piece[-1]:04d}"


def text(found: dict[str, Any]) -> str:
    """JSON with one record a line, so that a change of the map is a readable change of the file."""
    lines = []
    for key, value in found.items():
        if isinstance(value, list) and value and not isinstance(value[0], int):
            items = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            lines.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
