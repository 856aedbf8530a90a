"""Tables of a tournament for programs and spreadsheets: JSON and CSV of the same rows, and the schema of each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

Value = str | int | float | bool | None | list[str]

_TYPES: Final[Mapping[str, dict[str, Any]]] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
}

_FORMULAS: Final = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
"""What begins a formula somewhere; so do the wide forms where one writes Japanese, and all of them after a blank."""


class Field(NamedTuple):
    """A column. `kind` is one of text, int, number, flag, texts; with ? it may be null."""

    name: str
    kind: str
    about: str

    @property
    def schema(self) -> dict[str, Any]:
        kind = _TYPES[self.kind.rstrip("?")]
        shape = {"anyOf": [kind, {"type": "null"}]} if self.kind.endswith("?") else kind
        return {"description": self.about, **shape}


class Table(NamedTuple):
    name: str
    title: str
    fields: tuple[Field, ...]
    rows: Sequence[tuple[Value, ...]]

    def json(self, tournament: str) -> bytes:
        """A row a line: a change shows as one, and it is half the size of a document that is indented."""
        names = [each.name for each in self.fields]
        rows = ",\n".join(_compact(dict(zip(names, row, strict=True))) for row in self.rows)
        name, of = _compact(self.name), _compact(tournament)
        return f'{{"rows":[\n{rows}\n],"table":{name},"tournament":{of},"v":1}}\n'.encode()

    def schema(self) -> dict[str, Any]:
        properties = {each.name: each.schema for each in self.fields}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title,
            "type": "object",
            "properties": {
                "rows": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": properties,
                        "required": list(properties),
                        "additionalProperties": False,
                    },
                },
                "table": {"const": self.name},
                "tournament": {"type": "string"},
                "v": {"const": 1},
            },
            "required": ["rows", "table", "tournament", "v"],
            "additionalProperties": False,
        }

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([each.name for each in self.fields])
        writer.writerows([[_cell(cell) for cell in row] for row in self.rows])
        return out.getvalue()


def safe_cell(cell: Any) -> Any:
    """No text from outside becomes a formula in a spreadsheet."""
    if not isinstance(cell, str) or not (cell[:1].isspace() or cell[:1] in _FORMULAS):
        return cell
    return f"'{cell}"


def _cell(cell: Value) -> Any:
    match cell:
        case None:
            return ""
        case bool():
            return int(cell)
        case list():
            return safe_cell(" ".join(cell))
    return safe_cell(cell)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


def dumps(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"


def files(tables: Iterable[Table], tournament: str) -> Iterable[tuple[str, bytes]]:
    """Names with bytes: `standings.json`, `standings.csv`, `standings.schema.json`, and so on."""
    for each in tables:
        yield f"{each.name}.json", each.json(tournament)
        yield f"{each.name}.csv", each.csv().encode()
        yield f"{each.name}.schema.json", dumps(each.schema())
