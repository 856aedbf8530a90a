"""The behaviour of a game, kept in files: play-throughs as text, where any change shows as a diff, and counts of order
trees, which find rule bugs that tests miss.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TypeVar

from pbem.engine.definition import Game
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.scripted import Chance

UPDATE = "PBEM_UPDATE_GOLDEN"


def transcript(driver: Driver[Any]) -> str:
    """Everything that was asked, ordered, drawn and reported, and the digest at the end."""
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


S = TypeVar("S")


def perft(driver: Driver[Any], depth: int) -> int:
    """Sequences of `depth` orders, with the chance that the seed gives; a game that ends earlier counts once."""
    if depth == 0 or not driver.asked:
        return 1
    seat = driver.asked[0]
    orders = driver.legal(seat)
    if depth == 1:
        return len(orders)
    saved, count = driver.save(), 0
    for order in orders:
        driver.give(seat, order)
        count += perft(driver, depth - 1)
        driver.restore(saved)
    return count


def check_perft(path: Path, game: Game[S]) -> None:
    """Compare the counts of a data file with the rules'; with PBEM_UPDATE_GOLDEN=1 put the rules' counts into it.

    The file is a list of `{"scenario", "seed", "after": [[seat, text], ...], "counts": [depth 1, depth 2, ...]}`, with
    `"asks": [kind, ...]` where decisions that are preset are to be asked. To make it, write zeros for the counts, as
    many as there shall be depths, and put the rules' counts into it.
    """
    if not path.exists():
        example = json.dumps([{"scenario": game.scenarios[0].name, "seed": "1", "counts": [0, 0]}])
        raise AssertionError(
            f"There is no file {path}; write {example} into it, a zero for each depth, and run the test once with "
            f"{UPDATE}=1 to put the counts in."
        )
    cases = json.loads(path.read_text(encoding="utf-8"))
    for case in cases:
        if not case["counts"]:
            raise AssertionError(
                f"{path.name}, {case['scenario']}: no counts; write a zero for each depth, and run the test once with "
                f"{UPDATE}=1."
            )
        driver = Driver(game, case["scenario"], chance=Chance(case["seed"]))
        for kind in case.get("asks", ()):
            for each in game.seats:
                driver.stand(each.name, kind, None)
        for seat, text in case.get("after", ()):
            driver.give(seat, game.notation.read(text))
        counts = [perft(driver, depth) for depth in range(1, len(case["counts"]) + 1)]
        if os.environ.get(UPDATE) == "1":
            case["counts"] = counts
        assert counts == case["counts"], f"{path.name}, {case['scenario']}: {counts} ways, not {case['counts']}"
    if os.environ.get(UPDATE) == "1":
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
        path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
