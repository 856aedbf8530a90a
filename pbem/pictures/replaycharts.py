"""Curves over the steps of a game, as SVG of whole numbers: strength, and the luck of dice with its honest width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt

from pbem.kit.scene import Luck, Side
from pbem.pictures.lettering import width
from pbem.pictures.svg import Canvas, Point, line, safe

WIDE, HIGH = 560, 250
LEFT, TOP, BOTTOM = 58, 12, 30
LETTER = 16
DASHES = ("", "9 5", "2 5", "14 4 3 4", "5 3")
SPREAD = Fraction(196, 100)  # standard deviations to either side that hold 95 of 100 fair games
UNIT = 100  # curves of luck are kept in hundredths


class Plot:
    """One frame with a scale. The page moves its line of the present step."""

    def __init__(self, steps: int, low: int, high: int, sides: Sequence[Side]) -> None:
        self.canvas = Canvas()
        self.right = WIDE - max(width(side.name, LETTER) for side in sides) - 18
        self.steps = max(1, steps - 1)
        self.mark = _mark(max(1, high - low))
        self.low = low // self.mark * self.mark
        self.high = max(-(-high // self.mark) * self.mark, self.low + self.mark)

    def x(self, step: int) -> int:
        return LEFT + (self.right - LEFT) * step // self.steps

    def y(self, number: int) -> int:
        return TOP + (HIGH - TOP - BOTTOM) * (self.high - number) // (self.high - self.low)

    def frame(self, per: int = 1) -> None:
        """Lines across with their numbers; `per`: how many of our units are one of the reader's."""
        for number in range(self.low, self.high + 1, self.mark):
            self.canvas.path(f"M{LEFT} {self.y(number)}H{self.right}", "axis" if number == 0 else "rule")
            shown = f"{number // per}" if number % per == 0 else f"{number * 10 // per // 10}.{number * 10 // per % 10}"
            self.canvas.text(LEFT - 8, self.y(number) + 6, shown.replace("-", "−"), "faint end", LETTER)

    def turns(self, turns: Sequence[int]) -> None:
        """Ticks where the game's turns begin, as many with their numbers as there is room for."""
        free = 0
        for step, turn in enumerate(turns):
            if turn > 0 and (step == 0 or turn != turns[step - 1]):
                x = self.x(step)
                self.canvas.path(f"M{x} {HIGH - BOTTOM}v5", "axis")
                if x >= free:
                    self.canvas.text(x, HIGH - BOTTOM + 22, str(turn), "faint mid", LETTER)
                    free = x + width(str(turn), LETTER) + 14

    def curve(self, numbers: Sequence[int], side: Side, dash: str) -> None:
        """Only where it turns, so that a long game stays small."""
        points = [(self.x(step), self.y(number)) for step, number in enumerate(numbers)]
        self.canvas.open(f"k-{side.colour}")
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.canvas.raw(f'<path d="{line(_thin(points))}" class="curve"{dashed}/>', "curve")
        self.canvas.close()

    def band(self, low: Sequence[int], high: Sequence[int], side: Side) -> None:
        above = _thin([(self.x(step), self.y(number)) for step, number in enumerate(high)])
        below = _thin([(self.x(step), self.y(number)) for step, number in enumerate(low)])
        self.canvas.open(f"k-{side.colour}")
        self.canvas.path(line([*above, *reversed(below)], closed=True), "band")
        self.canvas.close()

    def names(self, ends: Sequence[tuple[int, Side]]) -> None:
        """At the end of each curve, apart from each other."""
        taken: list[int] = []
        for number, _ in sorted(ends, key=lambda each: -each[0]):
            y = max(self.y(number) + 6, taken[-1] + LETTER + 2 if taken else TOP + 8)
            taken.append(y)
        over = max(0, taken[-1] - HIGH + 4) if taken else 0
        for (_, side), y in zip(sorted(ends, key=lambda each: -each[0]), taken, strict=True):
            self.canvas.open(f"k-{side.colour}")
            self.canvas.text(self.right + 8, y - over, side.name, "curve-name", LETTER)
            self.canvas.close()

    def svg(self, label: str) -> str:
        now = f'<path class="now" d="M0 {TOP}V{HIGH - BOTTOM}"/>'
        more = f'role="img" aria-label="{safe(label)}" data-left="{LEFT}" data-right="{self.right}"'
        self.canvas.raw(now, "now")
        return self.canvas.inline(WIDE, HIGH, more)


def _mark(span: int) -> int:
    """A round distance of about a fifth of the span."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if size * step * 5 >= span:
                return size * step
        size *= 10


def _thin(points: Sequence[Point]) -> list[Point]:
    """Without what repeats itself, and without the middle of what is level."""
    found: list[Point] = []
    for point in points:
        if found and found[-1] == point:
            continue
        if len(found) > 1 and found[-1][1] == found[-2][1] == point[1]:
            found[-1] = point
        else:
            found.append(point)
    return found


def strength_chart(
    numbers: Sequence[Mapping[str, int]], sides: Sequence[Side], what: str, turns: Sequence[int]
) -> tuple[Canvas, str, str]:
    """The picture, and its end in words."""
    high = max((max(each.values(), default=0) for each in numbers), default=1)
    plot = Plot(len(numbers), 0, max(high, 1), sides)
    plot.frame()
    plot.turns(turns)
    ends = []
    for number, side in enumerate(sides):
        course = [each.get(side.key, 0) for each in numbers]
        plot.curve(course, side, DASHES[number % len(DASHES)])
        ends.append((course[-1], side))
    plot.names(ends)
    told = "; ".join(f"{side.name} from {numbers[0].get(side.key, 0)} to {end}" for end, side in ends)
    return plot.canvas, plot.svg(f"Strength over the game, {what}: {told}."), f"{told}."


def luck_chart(
    lucks: Sequence[Sequence[Luck]], sides: Sequence[Side], what: str, turns: Sequence[int]
) -> tuple[Canvas, str, str] | None:
    """How far each side is from what fair dice give it; shaded: where 95 of 100 fair games are at that time."""
    known = {side.key for side in sides}
    got = dict.fromkeys(known, 0)
    mean = dict.fromkeys(known, Fraction(0))
    variance = dict.fromkeys(known, Fraction(0))
    courses: dict[str, list[int]] = {key: [] for key in known}
    widths: dict[str, list[int]] = {key: [] for key in known}
    for each in lucks:
        for one in each:
            if one.side in known:
                got[one.side] += one.got
                mean[one.side] += one.mean
                variance[one.side] += one.variance
        for key in known:
            courses[key].append(_whole((got[key] - mean[key]) * UNIT))
            widths[key].append(_root(variance[key] * SPREAD * SPREAD * UNIT * UNIT))
    rolled = [side for side in sides if variance[side.key]]
    if not rolled:
        return None
    every = [n for side in rolled for n in (*courses[side.key], *widths[side.key], *(-w for w in widths[side.key]))]
    plot = Plot(len(lucks), min(every), max(every), rolled)
    for side in rolled:
        plot.band([-w for w in widths[side.key]], widths[side.key], side)
    plot.frame(UNIT)
    plot.turns(turns)
    told = []
    for number, side in enumerate(rolled):
        course, wide = courses[side.key], widths[side.key]
        plot.curve(course, side, DASHES[number % len(DASHES)])
        low, high = (_tenths(_whole(mean[side.key] * UNIT) + sign * wide[-1]) for sign in (-1, 1))
        fair = "among" if abs(course[-1]) <= wide[-1] else "outside"
        told.append(
            f"{side.name}: {got[side.key]} {what}. Fair dice give {_tenths(_whole(mean[side.key] * UNIT))} on average, "
            f"and {low} to {high} in 95 of 100 games; this is {fair} them"
        )
    plot.names([(courses[side.key][-1], side) for side in rolled])
    text = ". ".join(told)
    return plot.canvas, plot.svg(f"Luck of the dice over the game: {text}."), f"{text}."


def _whole(number: Fraction) -> int:
    """To the nearest, halves upwards."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def _root(number: Fraction) -> int:
    return isqrt(number.numerator // number.denominator)


def _tenths(hundredths: int) -> str:
    sign, size = "−" if hundredths < -4 else "", (abs(hundredths) + 5) // 10
    return f"{sign}{size // 10}.{size % 10}"
