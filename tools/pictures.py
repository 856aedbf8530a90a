"""Draws the boards that the documents show: `make pictures`. They come of games between bots, and change with these."""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.engine.registry import find
from pbem.engine.testing.play import random_game
from pbem.pictures.board import board_svg

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
MOMENTS = {"axis1941": 60, "bridgehead": 90, "noretreat": 400}  # after so many orders


def draw(name: str, orders: int) -> str:
    game = find(name)
    assert game.pictures is not None
    pictures = game.pictures()
    bots = {seat.name: game.bots.get("sensible") or game.bots["random"] for seat in game.seats}
    driver = random_game(game, "documents", bots=bots, orders=orders, every=1_000_000)
    events = tuple(event for event in driver.happened if event.seen_by(()))
    return board_svg(pictures.scene(driver.view(), pictures.last(events)))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, orders in MOMENTS.items():
        path = FOLDER / f"{name}.svg"
        path.write_text(draw(name, orders), encoding="utf-8", newline="\n")
        sys.stdout.write(f"{path.relative_to(FOLDER.parent.parent)}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
