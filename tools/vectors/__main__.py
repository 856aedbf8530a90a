"""Writes tests/vectors: `python -m tools.vectors`. The same bytes every time, on every machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tools.vectors import (
    audits,
    branches,
    cards,
    cases,
    chances,
    checks,
    encoding,
    files,
    forks,
    games,
    hidden,
    matches,
    orders,
    records,
    rules,
)
from tools.vectors.vector import Vector

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "tests" / "vectors"
AREAS = (
    encoding,
    cards,
    cases,
    records,
    files,
    forks,
    hidden,
    orders,
    chances,
    games,
    matches,
    branches,
    checks,
    audits,
    rules,
)


def all_vectors() -> Iterator[Vector]:
    names: set[str] = set()
    for area in AREAS:
        for vector in area.vectors():
            if vector.name in names:
                raise ValueError(f"two vectors are called {vector.name}")
            names.add(vector.name)
            yield vector


def main() -> None:
    wanted = {f"{vector.name}.txt": vector.write() for vector in all_vectors()}
    for old in FOLDER.glob("*.txt"):
        if old.name not in wanted:
            old.unlink()
    for name, raw in wanted.items():
        (FOLDER / name).write_bytes(raw)
    sys.stdout.write(f"{len(wanted)} vectors in {FOLDER.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
