"""Counts, lists, times and spans in words, the same in every sentence, and its capital letter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

DAY: Final = 86_400


def many(count: int, noun: str, several: str = "") -> str:
    """`1 unit`, `1,204 units`."""
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"


def all_of(words: Iterable[str]) -> str:
    """`61-HQ, 212/80 and 88GT`."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def upper(sentence: str) -> str:
    """With a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def moment(at: int) -> str:
    """`2026-03-01 09:14 UTC`."""
    return f"{datetime.fromtimestamp(at, tz=UTC):%Y-%m-%d %H:%M} UTC"


def span(seconds: int) -> str:
    """`3 days`, `1 day and 12 hours`, `1 minute and 30 seconds`: nothing is cut, for a clock is kept by it."""
    return all_of([many(*part) for part in in_units(seconds)]) or many(0, "second")


def in_units(seconds: int) -> list[tuple[int, str]]:
    """`[(1, "day"), (12, "hour")]`."""
    parts = []
    for unit, size in (("day", DAY), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        parts += [(count, unit)] if count else []
    return parts
