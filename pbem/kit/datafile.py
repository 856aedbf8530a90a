"""Data files: a game's own, and a player's in place of one, read strictly and held against its schema.

What a player brings is canonical data: no floats, no dates, keys as in all canonical maps. So it has a digest (STA-7).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any, cast

import pbem
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DATA_FILE

KINDS = (
    "axis1941-map",
    "axis1941-setup",
    "axis1941-units",
    "cards",
    "counters",
    "coverage",
    "map",
    "places",
    "scenarios",
    "starts",
    "tables",
    "turns",
    "units",
)
MAX_PROBLEMS = 5
MAX_LOOKED_AT = 200
MAX_SENTENCE = 1_000


def wrong(sentence: str) -> Refusal:
    """The refusal of a data file. The sentence may quote the file: what cannot be printed is left out of it."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in sentence[:MAX_SENTENCE])
    return Refusal("E-GAME-DATA", shown, step="STA-7")


def own_files(module: str, names: Iterable[str]) -> dict[str, Any]:
    """The data files of a game, in the folder `data` beside its module: its own, so they are not judged here.

    Written by hand they are TOML, generated they are JSON; a game has one of the two.
    """
    import tomllib

    folder = os.path.join(os.path.dirname(module), "data")  # noqa: PTH118, PTH120 - pathlib is slow to import
    found = {}
    for name in names:
        path = os.path.join(folder, name)  # noqa: PTH118
        made = os.path.exists(f"{path}.json")  # noqa: PTH110
        with open(f"{path}.json" if made else f"{path}.toml", "rb") as file:  # noqa: PTH123
            found[name] = _json(file.read()) if made else tomllib.load(file)
    return found


def _json(raw: bytes) -> Any:
    """JSON in which no key stands twice. Floats and odd constants are refused later, as no canonical data."""
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key stands twice in one object")
        return found

    return json.loads(raw.decode(), object_pairs_hook=once)


def read_data_file(kind: str, raw: bytes) -> Plain:
    """The value of a TOML or JSON file of that kind; refuses one that is not of its schema (E-GAME-DATA)."""
    if kind not in KINDS:
        raise wrong(f"There is no data file of the kind {kind!r}; there are {', '.join(KINDS)}.")
    if len(raw) > MAX_DATA_FILE:
        raise wrong(f"The {kind} file is too large: {MAX_DATA_FILE} bytes are allowed.")
    import tomllib

    braced = raw.lstrip()[:1] == b"{"  # no TOML begins so
    try:
        value = _json(raw) if braced else tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:  # of both formats, and of what is no UTF-8
        raise wrong(f"The {kind} file is not {'JSON' if braced else 'TOML'}: {error}.") from None
    try:
        pack(cast(Plain, value))
    except (ValueError, TypeError, OverflowError) as error:
        raise wrong(f"The {kind} file holds what rules data cannot hold: {error}.") from None
    found = problems(kind, value)
    if found:
        raise wrong(f"The {kind} file is not of its schema: {'; '.join(found)}.")
    return cast(Plain, value)


def problems(kind: str, value: Any) -> list[str]:
    """What is wrong with a value by the schema of its kind, the first few, each with where it stands."""
    # Slow to import, and only needed when a player brings a file.
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema(kind))
    errors = sorted(
        islice(validator.iter_errors(value), MAX_LOOKED_AT),
        key=lambda error: [str(part) for part in error.absolute_path],
    )
    return [f"{_where(error)}: {error.message[:200]}" for error in errors[:MAX_PROBLEMS]]


def _where(error: Any) -> str:
    return "/".join(str(part) for part in error.absolute_path) or "the whole file"


@cache
def schema(kind: str) -> dict[str, Any]:
    import json
    from pathlib import Path

    package = Path(pbem.__file__).parent
    packed = package / "_schemas" / f"{kind}.json"  # in the wheel
    path = packed if packed.is_file() else package.parent / "schemas" / f"{kind}.json"
    return cast(dict[str, Any], json.loads(path.read_text(encoding="utf-8")))
