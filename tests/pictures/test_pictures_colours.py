"""Colours are told apart by everybody, and what is written can be read, by day and by night."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from pbem.pictures.theme import LOOK, SIDES, sheet

Rgb = tuple[float, float, float]

# What people see of linear light, after Machado, Oliveira and Fernandes (2009), at full strength.
EYES: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
NIGHTS = (0, 1)
CLEAR = 20.0  # CIE76: counters side by side
HINT = 5.0  # tints of places, which have borders, and flags in the colour of the counters


def light(colour: str) -> Rgb:
    def one(at: int) -> float:
        value = int(colour[at : at + 2], 16) / 255
        return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)

    return one(1), one(3), one(5)


def lab(seen: Rgb) -> Rgb:
    def bent(value: float) -> float:
        return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116

    r, g, b = seen
    x = bent((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    y = bent(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
    z = bent((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, eyes: str) -> float:
    """How different two colours look to these eyes."""

    def seen(colour: str) -> Rgb:
        r, g, b = light(colour)
        got = [min(1.0, max(0.0, m[0] * r + m[1] * g + m[2] * b)) for m in EYES[eyes]]
        return lab((got[0], got[1], got[2]))

    return dist(seen(one), seen(other))


def contrast(one: str, other: str) -> float:
    """WCAG's ratio."""
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_and_white_are_as_far_apart_as_can_be() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert all(apart("#000000", "#ffffff", eyes) == pytest.approx(100, abs=1) for eyes in EYES)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("night", NIGHTS)
def test_sides_are_told_apart(eyes: str, night: int) -> None:
    least = CLEAR if night == 0 else 15.0
    for one, other in combinations(SIDES, 2):
        assert apart(SIDES[one][0][night], SIDES[other][0][night], eyes) >= least, (one, other)


# Blue and violet are never on one map: the games with a map of areas have no blue side.
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("night", NIGHTS)
def test_places_of_different_sides_are_told_apart(eyes: str, night: int) -> None:
    for one, other in combinations([name for name in SIDES if name != "blue"], 2):
        assert apart(SIDES[one][2][night], SIDES[other][2][night], eyes) >= HINT, (one, other)


@pytest.mark.parametrize("night", NIGHTS)
def test_counters_can_be_read(night: int) -> None:
    for name, (fill, on, tint) in SIDES.items():
        assert contrast(fill[night], on[night]) >= 4.5, name
        assert contrast(tint[night], ink("title", night)) >= 4.5, name


def ink(name: str, night: int, key: str = "fill") -> str:
    value = LOOK[name][key]
    return value if isinstance(value, str) else value[night]


GROUNDS = ("t-clear", "t-forest", "t-swamp", "t-hill", "t-mountain", "t-town", "t-area")
WATERS = ("t-water", "t-lake")


@pytest.mark.parametrize("night", NIGHTS)
@pytest.mark.parametrize(
    ("words", "grounds", "least"),
    [
        ("n-town", (*GROUNDS, *WATERS, "hatch-ground"), 7.0),
        ("n-id", (*GROUNDS, *WATERS), 4.5),
        ("n-water", (*GROUNDS, "paper"), 4.5),
        ("n-zone", WATERS, 4.5),
        ("n-edge", WATERS, 4.5),
        ("faint", ("paper", "hatch-ground"), 4.5),
        ("ink", ("paper", "card"), 7.0),
        ("tag-ink", ("tag",), 7.0),
        ("on-goal", ("goal",), 7.0),
    ],
)
def test_words_can_be_read(words: str, grounds: tuple[str, ...], least: float, night: int) -> None:
    for ground in grounds:
        assert contrast(ink(words, night), ink(ground, night)) >= least, ground


def test_paper_is_white_whatever_the_screen_is() -> None:
    """Printers get the colours of the day."""
    found = sheet(["paper", "ink"])
    assert "@media screen and (prefers-color-scheme:dark)" in found
    assert "@media(prefers" not in found
