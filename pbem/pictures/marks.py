"""Markers that lie on a hex whether or not somebody stands there."""

from __future__ import annotations

from collections.abc import Callable

from pbem.pictures.svg import Canvas, line


def _target(canvas: Canvas, x: int, y: int) -> None:
    canvas.circle(x, y, 46, "m-target")


def _blow(canvas: Canvas, x: int, y: int) -> None:
    canvas.path(line([(x, y - 50), (x + 50, y), (x, y + 50), (x - 50, y)], closed=True), "m-blow")


def _works(canvas: Canvas, x: int, y: int) -> None:
    canvas.path(f"M{x - 46} {y + 30}V{y - 30}H{x + 46}V{y + 30}", "m-works")


def _digging(canvas: Canvas, x: int, y: int) -> None:
    canvas.path(f"M{x - 46} {y + 30}V{y - 30}H{x + 46}V{y + 30}", "m-digging")


def _railhead(canvas: Canvas, x: int, y: int) -> None:
    """A wheel on a piece of rail, in the lower corner."""
    canvas.rect(x - 22, y + 44, 44, 4, "m-railhead")
    canvas.circle(x, y + 34, 10, "m-railhead")


def _burnt(canvas: Canvas, x: int, y: int) -> None:
    canvas.path(f"M{x - 40} {y - 40}L{x + 40} {y + 40}M{x + 40} {y - 40}L{x - 40} {y + 40}", "m-other")


def _source(canvas: Canvas, x: int, y: int) -> None:
    canvas.path(f"M{x - 34} {y + 40}V{y + 22}L{x} {y + 4}L{x + 34} {y + 22}V{y + 40}Z", "m-source")


MARKS: dict[str, Callable[[Canvas, int, int], None]] = {
    "target": _target,
    "counterblow": _blow,
    "works": _works,
    "digging": _digging,
    "railhead": _railhead,
    "burnt": _burnt,
    "source": _source,
}


def mark(canvas: Canvas, kind: str, spot: tuple[int, int], text: str) -> None:
    """One that is not known is drawn like something burnt."""
    canvas.open("", text)
    MARKS.get(kind, _burnt)(canvas, *spot)
    canvas.close()
