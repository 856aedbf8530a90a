"""How long the command takes to begin."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.timing import Ratio, child_cpu, compare_measured
from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.protocol.container import Item, ItemType, write

IMPORTS = "import click, cryptography.hazmat.primitives.asymmetric.ed25519, msgpack"
PBEM = str(Path(sys.executable).with_name("pbem"))


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """An environment in which Python keeps what it has compiled, as it does for a player, whatever is set here."""
    with TemporaryDirectory() as folder:
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": folder}


def version(rounds: int = 21) -> Ratio:
    """`pbem --version` against a bare interpreter (wanted: 2.5 at most)."""
    with compiled() as env:
        return compare_measured(
            lambda: child_cpu([PBEM, "--version"], env), lambda: child_cpu([sys.executable, "-c", "pass"], env), rounds
        )


def verify(file: Path, rounds: int = 15) -> Ratio:
    """`pbem verify` of a file against importing what it cannot do without (wanted: 1.5 at most)."""
    with compiled() as env:
        return compare_measured(
            lambda: child_cpu([PBEM, "verify", str(file)], env, codes=(0, 1)),
            lambda: child_cpu([sys.executable, "-c", IMPORTS], env),
            rounds,
        )


def one_turn(folder: Path) -> tuple[Path, Path]:
    """An archive of a game of Bridgehead with one turn of orders, and that turn alone, which has no beginning."""
    table = Table(find("bridgehead"), seed="start")
    table.settle()
    while not any(record.kind == "orders" and record.data["orders"] for record in table.records):
        number = next(each for each, peer in table.peers.items() if peer.match.asked(each))
        table.order(number, table.choose(number))
        table.settle()
    turn = next(record for record in reversed(table.records) if record.kind == "orders")
    archive, alone = folder / "archive.pbem", folder / "turn.pbem"
    archive.write_bytes(write(table.archive()))
    alone.write_bytes(write([Item(ItemType.RECORD, turn.raw)]))
    return archive, alone
