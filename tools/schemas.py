"""The JSON Schemas made from types: of data files, and of what the commands print with --json (`make docs`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

from pbem.cli.common import Command
from pbem.cli.manual import walk
from pbem.cli.run import cli
from pbem.kit import formats
from pbem.schema import DIALECT, PLACE, Schemas, document, hints
from pbem_rules.axis1941 import formats as axis1941

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


def answers() -> Iterator[tuple[str, Any]]:
    """Each command that has --json, and the type of its answer."""
    for path, command in walk(cli):
        if isinstance(command, Command) and command.answers:
            kind = hints(command.callback)["return"]
            yield " ".join(path), get_args(kind)[0] if get_origin(kind) is Iterator else kind


def schemas() -> dict[Path, str]:
    """The files by their paths: one for each command, and one for the types that several of them share."""
    kinds = dict(answers())
    used: Counter[str] = Counter()
    together = Schemas()
    for kind in kinds.values():
        alone = Schemas()
        alone.of(kind)
        together.of(kind)
        used.update(alone.definitions.keys())
    shared = {name: together.definitions[name] for name in sorted(used) if used[name] > 1}
    found = {
        command.replace(" ", "-"): document(f"cli/{command.replace(' ', '-')}", f"pbem {command} --json", kind, shared)
        for command, kind in kinds.items()
    }
    head = {"$schema": DIALECT, "$id": f"{PLACE}cli/types.json", "title": "What several commands print with --json"}
    found["types"] = {**head, "$defs": shared}
    files = {f"cli/{name}": body for name, body in found.items()}
    files |= {f"data/{kind}": _data(kind, of) for kind, of in {**formats.FILES, **axis1941.FILES}.items()}
    return {FOLDER / f"{name}.json": json.dumps(body, indent=1) + "\n" for name, body in files.items()}


def _data(kind: str, of: type) -> dict[str, Any]:
    return document(f"data/{kind}", str(of.__doc__).partition(".")[0], of)
