"""Times and figures as the pages write them."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Final

from pbem.umpire.sentences import half
from pbem.umpire.site.html import EMPTY, Markup, tag

_QUARTERS: Final = {Fraction(0): "", Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


@lru_cache(maxsize=1 << 14)
def when(at: int) -> Markup:
    """`18 Nov 2026, 17:30`, of UTC."""
    if not at:
        return EMPTY
    moment = datetime.fromtimestamp(at, UTC)
    return tag("time", f"{moment.day} {moment:%b %Y, %H:%M}", datetime=f"{moment:%Y-%m-%dT%H:%M:%SZ}")


def day(at: int) -> Markup:
    if not at:
        return EMPTY
    moment = datetime.fromtimestamp(at, UTC)
    return tag("time", f"{moment.day} {moment:%b %Y}", datetime=f"{moment:%Y-%m-%d}")


def span(seconds: int) -> str:
    """`2 d 3 h`: the two largest parts."""
    if seconds < 0:
        return f"−{span(-seconds)}"
    parts: list[str] = []
    for size, word in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {word}")
    return " ".join(parts[:2]) or "0 s"


def figure(value: Fraction | None) -> str:
    """`12½`; a dash where a criterion was not asked."""
    if value is None:
        return "–"
    whole, rest = divmod(value, 1)
    if rest not in _QUARTERS:
        return f"{float(value):.2f}"
    return f"{whole or ''}{_QUARTERS[rest]}" or "0"


def score(first: int | None, second: int | None) -> str:
    """`1 – 0`, `½ – ½`."""
    return "" if first is None or second is None else f"{half(first)} – {half(second)}"


def plural(count: int, word: str, many: str = "") -> str:
    return f"{count:,} {word if count == 1 else many or word + 's'}"
