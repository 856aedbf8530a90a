"""How long the command takes to begin."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.timing import Ratio, compare_children

IMPORTS = "import click, cryptography.hazmat.primitives.asymmetric.ed25519, msgpack"


def version(rounds: int = 21) -> Ratio:
    """`pbem --version` against a bare interpreter (wanted: 2.5 at most)."""
    pbem = str(Path(sys.executable).with_name("pbem"))
    return compare_children([pbem, "--version"], [sys.executable, "-c", "pass"], rounds)


def verify(turn_file: Path, rounds: int = 15) -> Ratio:
    """`pbem verify` of a one-turn file against importing what it cannot do without (wanted: 1.5 at most)."""
    pbem = str(Path(sys.executable).with_name("pbem"))
    return compare_children([pbem, "verify", str(turn_file)], [sys.executable, "-c", IMPORTS], rounds)
