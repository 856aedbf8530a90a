"""Dice of players: who threw what in the games that were checked, with intervals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pbem.home.archives import FEW_SIDES
from pbem.umpire.site.archived import Shown
from pbem.umpire.site.frame import Frame
from pbem.umpire.site.gather import Picture
from pbem.umpire.site.html import EMPTY, Cell, Column, Markup, items, table
from pbem.umpire.site.luck import Luck, Report, Throw, enough, luck

_NUMBERED = re.compile(r"\([0-9]+\)$")
"""A name that ends as ours do where several have the same."""


def report_of(picture: Picture, shown: Mapping[int, Shown]) -> tuple[Report, dict[str, int]]:
    """Of the whole tournament; and the entrant's number behind each name in it."""
    names = [each.name for each in picture.players.values()]
    called = {
        each.number: f"{each.name} ({each.number})"
        if names.count(each.name) > 1 or _NUMBERED.search(each.name)
        else each.name
        for each in picture.players.values()
    }
    return luck(throws(picture, shown, called)), {name: number for number, name in called.items()}


def throws(picture: Picture, shown: Mapping[int, Shown], called: Mapping[int, str]) -> Iterable[Throw]:
    """Draws that belong to one player, of dice."""
    for each in picture.games:
        for draw in shown[each.id].draws if each.id in shown else ():
            if draw.by is not None and draw.by < len(each.entrants) and 2 <= draw.sides <= FEW_SIDES:
                yield Throw(called[each.entrants[draw.by]], each.label, draw.sides, draw.results)


def dice_table(frame: Frame, rows: Sequence[Luck], numbers: Mapping[str, int], up: str = "") -> Markup:
    columns = (
        Column("Player", "row"), Column("Die", "t"), Column("Games", "n"), Column("Dice", "n"), Column("Mean", "n"),
        Column("95 of 100 fair", "n"), Column("Chance", "n"), Column("Corrected", "n"),
    )  # fmt: skip
    caption = (
        "Mean of the dice; where the means of 95 of 100 fair samples of this size lie; the chance of so odd a sample "
        "with fair dice, and the same corrected for how many were tested. High is not the same as lucky."
    )
    return table(caption, columns, [_row(frame, each, numbers, up) for each in rows])


def in_order(rows: Iterable[Luck], numbers: Mapping[str, int]) -> list[Luck]:
    """Those that tell something first, most telling first; then by number. Fewer dice than a die has sides: not at
    all, only in the tables."""
    kept = [each for each in rows if each.test.count >= each.sides]
    few = sorted((each for each in kept if not enough(each.test)), key=lambda each: (numbers[each.player], -each.sides))
    return [each for each in kept if enough(each.test)] + few


def _row(frame: Frame, each: Luck, numbers: Mapping[str, int], up: str) -> tuple[Cell, ...]:
    told = enough(each.test)
    return (
        frame.player(numbers[each.player], up),
        f"d{each.sides}",
        each.games,
        each.test.count,
        f"{each.test.mean:.2f}",
        f"{each.test.low:.2f} – {each.test.high:.2f}",
        chance(min(each.mean_p, each.test.p)) if told else "too few",
        chance(each.corrected) if told else EMPTY,
    )


def chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def verdicts(rows: Sequence[Luck]) -> Markup:
    """Of one player."""
    return items(f"d{each.sides}: {each.test.verdict}" for each in rows)
