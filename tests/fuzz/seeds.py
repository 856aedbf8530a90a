"""Good inputs to begin from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tools.vectors.vector import read

ROOT = Path(__file__).parents[2]
LARGEST = 20_000


@cache
def vectors(what: str) -> list[bytes]:
    """The payloads of one kind in tests/vectors, good ones first; large ones only slow a fuzzer down."""
    found = [read(path.stem, path.read_bytes()) for path in sorted((ROOT / "tests" / "vectors").glob("*.txt"))]
    found.sort(key=lambda vector: vector.expect != "success")
    return [vector.payload for vector in found if vector.what == what and len(vector.payload) < LARGEST]


def data_files() -> list[bytes]:
    """The data files of a game, in the order of the kinds (`pbem.kit.datafile.kinds()`)."""
    folder = ROOT / "rules" / "pbem_rules" / "bridgehead"
    return [
        path.read_bytes()
        for name in ("cards", "counters", "coverage", "map", "scenarios", "tables")
        for path in (folder / "data" / f"{name}.toml", folder / f"{name}.toml")
        if path.exists()
    ]
