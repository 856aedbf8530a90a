"""Data files: a game's own, and a player's in place of one, read strictly and checked against its schema.

What a player brings is canonical data: no floats, no dates, keys as in all canonical maps. So it has a digest (STA-7).
A kind of file is one that has a schema in `schemas/data`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import pbem
from pbem.engine.definition import DataSet, bad_data
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.limits import MAX_DATA_FILE, MAX_DEPTH, MAX_INT, MIN_INT

if TYPE_CHECKING:
    from pathlib import Path

MAX_PROBLEMS = 5
MAX_LOOKED_AT = 200


def folder(module: str) -> DataSet:
    """The data files of a game, in the folder `data` beside its module (`folder(__file__)`), read when they are wanted.

    They are the game's own, so they are not judged here. Written by hand they are TOML, generated they are JSON; a file
    is called by its name without the ending.
    """
    return DataSet(lambda: _read_folder(os.path.join(os.path.dirname(module), "data")))  # noqa: PTH118, PTH120 - slow


def _read_folder(path: str) -> dict[str, Any]:
    import tomllib

    found: dict[str, Any] = {}
    for entry in sorted(os.listdir(path)):  # noqa: PTH208 - pathlib is slow to import
        name, ending = os.path.splitext(entry)  # noqa: PTH122
        if ending not in (".toml", ".json"):
            continue
        if name in found:
            raise ValueError(f"{path} has two files {name}")
        with open(os.path.join(path, entry), "rb") as file:  # noqa: PTH118, PTH123
            found[name] = _json(file.read()) if ending == ".json" else tomllib.load(file)
    return found


def _json(raw: bytes) -> Any:
    """JSON in which no key stands twice. Floats and odd constants are refused later, as no canonical data."""
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key occurs twice in one object")
        return found

    return json.loads(raw.decode(), object_pairs_hook=once)


def read_data_file(kind: str, raw: bytes) -> Plain:
    """The value of a TOML or JSON file of that kind; refuses one that does not match its schema (E-DATA)."""
    if kind not in kinds():
        raise bad_data(f"There is no data file of the kind {kind!r}; there are {', '.join(kinds())}.")
    if len(raw) > MAX_DATA_FILE:
        raise bad_data(f"The {kind} file is too large: {MAX_DATA_FILE} bytes are allowed.")
    import tomllib

    braced = raw.lstrip()[:1] == b"{"  # no TOML begins so
    try:
        value = _json(raw) if braced else tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:  # of both formats, and of what is no UTF-8
        raise bad_data(f"The {kind} file is not {'JSON' if braced else 'TOML'}: {error}.") from None
    try:
        pack(cast(Plain, value))
    except (ValueError, TypeError, OverflowError) as error:
        raise bad_data(f"The {kind} file holds what rules data cannot hold: {error}.") from None
    found = problems(kind, value)
    if found:
        raise bad_data(f"The {kind} file does not match its schema: {'; '.join(found)}.")
    return cast(Plain, value)


def read_toml(raw: bytes) -> Any:
    """What a settings file says, to be checked against its schema. ValueError: it is not TOML, or contains what
    canonical data cannot, some of which no error message could quote either."""
    import tomllib

    try:
        value = tomllib.loads(raw.decode())
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    _bounded(value, MAX_DEPTH)
    return value


def _bounded(value: Any, depth: int) -> None:
    if isinstance(value, int) and not MIN_INT <= value <= MAX_INT:
        raise ValueError("an integer in it is beyond 64 bits")
    if isinstance(value, dict | list):
        if not depth:
            raise ValueError("it nests too deeply")
        for each in value.values() if isinstance(value, dict) else value:
            _bounded(each, depth - 1)
    elif not isinstance(value, str | int):  # to a schema 5.0 is an integer
        raise ValueError("it holds a number with a point, or a date")  # noqa: TRY004 - as for everything that is not a settings file


def problems(kind: str, value: Any) -> list[str]:
    """The first few faults that the schema of its kind finds in a value, each with its place."""
    validator = _judge()(schema(f"data/{kind}"))
    errors = sorted(
        islice(validator.iter_errors(value), MAX_LOOKED_AT),
        key=lambda error: [str(part) for part in error.absolute_path],
    )
    return [f"{_where(error)}: {error.message[:200]}" for error in errors[:MAX_PROBLEMS]]


@cache
def _judge() -> Any:
    """The validator, but that what stands twice is found in a time that grows with the list and not with its square."""
    # Slow to import, and only needed when a player brings a file.
    from jsonschema import Draft202012Validator, ValidationError, validators

    def unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[ValidationError]:
        if wanted and isinstance(value, list) and len(set(map(pack, value))) < len(value):
            yield ValidationError("an item occurs twice in it")

    made: Any = validators
    return made.extend(Draft202012Validator, {"uniqueItems": unique})


def _where(error: Any) -> str:
    return "/".join(str(part) for part in error.absolute_path) or "the whole file"


@cache
def kinds() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (_schemas() / "data").glob("*.json")))


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema `schemas/<name>.json`."""
    import json

    return cast(dict[str, Any], json.loads((_schemas() / f"{name}.json").read_text(encoding="utf-8")))


def _schemas() -> Path:
    from pathlib import Path

    package = Path(pbem.__file__).parent
    packed = package / "_schemas"  # in the wheel
    return packed if packed.is_dir() else package.parent / "schemas"
