"""Data files: a game's own, and a player's in place of one, read strictly and held against its schema.

What a player brings is canonical data: no floats, no dates, keys as in all canonical maps. So it has a digest (STA-7).
A kind of file is one that has a schema in `schemas/data`. What a game makes of its files is its chart (`charted`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pbem
from pbem.engine.game import DataSet, bad_data
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.limits import MAX_DATA_FILE, MAX_DEPTH, MAX_INT, MIN_INT

if TYPE_CHECKING:
    from pathlib import Path

C = TypeVar("C")
MAX_PROBLEMS = 5
MAX_LOOKED_AT = 200
MAX_CHARTS = 16


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
    """The value of a TOML or JSON file of that kind; refuses one that is not of its schema (E-DATA)."""
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
        raise bad_data(f"The {kind} file is not of its schema: {'; '.join(found)}.")
    return cast(Plain, value)


def read_toml(raw: bytes) -> Any:
    """What a settings file says, to be held against its schema. ValueError: it is no TOML, or holds what canonical data
    cannot, some of which no error message could quote either."""
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
        raise ValueError("it holds a number with a point, or a date")  # noqa: TRY004 - as for all that is no settings file


def problems(kind: str, value: Any) -> list[str]:
    """What is wrong with a value by the schema of its kind, the first few, each with where it stands."""
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
            yield ValidationError("something stands in it twice")

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


def charted(make: Callable[[DataSet], C]) -> Callable[[DataSet], C]:
    """For the function that makes a game's chart of a data set: each is made once, since every game loaded asks for it.

    Only the last few are kept: data of the players' own come with any offer.
    """
    kept: dict[bytes, C] = {}

    @wraps(make)
    def chart_of(data: DataSet) -> C:
        chart = kept.get(data.digest)
        if chart is None:
            chart = kept[data.digest] = make(data)
            if len(kept) > MAX_CHARTS:
                del kept[next(iter(kept))]
        return chart

    return chart_of
