"""The JSON Schemas of what the commands print with --json, made from the types that they return."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

from pbem.cli.common import Command
from pbem.cli.manual import walk
from pbem.cli.run import cli
from pbem.schema import DIALECT, PLACE, Schemas, document, hints

FOLDER = Path(__file__).resolve().parent.parent / "schemas" / "cli"


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
    return {FOLDER / f"{name}.json": json.dumps(body, indent=1) + "\n" for name, body in found.items()}
