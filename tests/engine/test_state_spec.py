"""The machine's digest, worked out from docs/spec/state.md with nothing but SHA-256 and msgpack."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgpack

from pbem.engine.testing import Chance, Driver, random_game
from tests.engine.games import crowns, magpie


def tagged(label: str, *fields: bytes | None) -> bytes:
    raw = bytes([len(label)]) + label.encode()
    for field in fields:
        raw += b"\xff\xff\xff\xff" if field is None else len(field).to_bytes(4, "big") + field
    return sha256(raw).digest()


def packed(value: Any) -> bytes:
    return msgpack.packb(value, use_bin_type=True)


def ascending(value: Any) -> Any:
    """Maps in the order of their keys, all the way down."""
    if isinstance(value, dict):
        return {key: ascending(value[key]) for key in sorted(value)}
    return [ascending(item) for item in value] if isinstance(value, list) else value


def digest(dump: dict[str, Any], tables: set[str]) -> bytes:
    dump = ascending(dump)
    sections = []
    for name, value in dump["state"].items():
        if name in tables:
            rows = b"".join(tagged("pbem1/row", packed([key, row])) for key, row in value)
            plain = tagged("pbem1/rows", rows)
        else:
            plain = tagged("pbem1/value", packed(value))
        sections.append(tagged("pbem1/section", name.encode(), plain))
    over = dump["over"]
    if over is not None:
        over = packed(ascending({"how": over["how"], "scores": dict(over["scores"]), "winner": over["winner"]}))
    return tagged(
        "pbem1/machine",
        tagged("pbem1/list", *sections),
        packed(dump["stack"]),
        packed(dump["standing"]),
        dump["serial"].to_bytes(4, "big"),
        over,
    )


def test_crowns() -> None:
    driver = Driver(crowns.GAME, chance=Chance("1"))
    assert digest(driver.machine.dump(), {"armies"}) == driver.machine.digest()
    driver.stand("ash", "plan", "then stay")
    driver.stand("fir", "land", "then stay", sealed=True)
    assert digest(driver.machine.dump(), {"armies"}) == driver.machine.digest()
    over = random_game(crowns.GAME, "1").machine
    assert digest(over.dump(), {"armies"}) == over.digest()


def test_magpie_with_frames_on_the_stack() -> None:
    driver = random_game(magpie.GAME, "1", orders=20)
    machine = driver.machine
    assert digest(machine.dump(), set()) == machine.digest()


def test_a_fixed_value() -> None:
    """What a change of this value means: archives of every game report desync."""
    machine = Driver(crowns.GAME, chance=Chance("1")).machine
    assert machine.digest().hex() == "b76c66508f9a7336c645cbe8655b1962c8799dcd73e1dfda51f5d11862e8a154"
