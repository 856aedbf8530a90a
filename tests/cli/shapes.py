"""Checks what a command prints with --json against its schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).resolve().parents[2] / "schemas" / "cli"


@cache
def _registry() -> Registry[Any]:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")]
    return Registry().with_resources((each["$id"], Resource.from_contents(each)) for each in documents)


def fits(name: str, document: Any) -> Any:
    """The document, if it is what `schemas/cli/<name>.json` says."""
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema, registry=_registry()).validate(document)
    return document
