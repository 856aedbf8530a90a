"""Play-throughs as text: any change of behaviour shows as a diff."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pbem.engine.testing.driver import Driver

UPDATE = "PBEM_UPDATE_GOLDEN"


def transcript(driver: Driver[Any]) -> str:
    """Everything that was asked, ordered, drawn and told, and the digest at the end."""
    lines = [f"{line.what:8}{line.text}".rstrip() for line in driver.lines]
    return "\n".join((*lines, f"digest  {driver.machine.digest().hex()}", ""))


def check_golden(path: Path, driver: Driver[Any]) -> None:
    """The play-through must be the stored one. With PBEM_UPDATE_GOLDEN=1 in the environment it is stored instead."""
    text = transcript(driver)
    if os.environ.get(UPDATE) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    if not path.exists():
        raise AssertionError(f"There is no file {path}; run the test once with {UPDATE}=1 to make it.")
    stored = path.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(stored, text.splitlines(), strict=False), start=1):
        assert old == new, f"{path.name}:{number}: {old!r} became {new!r} ({UPDATE}=1 stores the new one)"
    assert len(stored) == len(text.splitlines()), f"{path.name} has {len(stored)} lines, now {len(text.splitlines())}"
