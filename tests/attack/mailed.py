"""A turn file that waits at its receiver's, with all that a desk does to it, and what lies in his home."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "home"))

from desks import desk_at, introduce, start, took, two

from pbem.home import Home, intake, orders, sending, summary
from pbem.protocol.errors import PbemError

__all__ = ["a_turn", "contents", "desk_at", "introduce", "opened", "took"]


def a_turn(folder: Path) -> tuple[Home, str, bytes]:
    """The desk of one player, the name of the game, and the other's turn with a message, which he has not opened."""
    alice, bob = two(folder)
    name = start(alice, bob)
    mover, reader = (alice, bob) if summary.row(alice, name).my_move else (bob, alice)
    orders.set_note(mover, name, "Your bridge is mine.")
    orders.bot(mover, name, "random")
    posted = sending.send(mover, name).posted
    assert posted is not None
    return reader, name, posted.raw


def contents(folder: Path) -> dict[str, str]:
    """Every file below the folder, but for what waits unbelieved and locks."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "waiting" not in path.parts and not path.name.endswith("lock")
    }


def opened(desk: Home, raw: bytes) -> list[str]:
    """What the desk says: the codes of refusals, `ok` for what it took. It raises nothing but refusals."""
    try:
        found = intake.open_bytes(desk, raw)
    except PbemError as refusal:
        return [refusal.code]
    return [each.refused.code if each.refused is not None else "ok" for each in found]
