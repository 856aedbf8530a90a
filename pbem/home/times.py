"""Times and spans in words; it loads nothing of games, so that commands that show only those start soon."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.engine.counts import all_of, many


def moment(at: int) -> str:
    """`2026-03-01 09:14 UTC`."""
    return f"{datetime.fromtimestamp(at, tz=UTC):%Y-%m-%d %H:%M} UTC"


def span(seconds: int) -> str:
    """`3 days`, `1 day and 12 hours`, `1 minute and 30 seconds`: nothing is cut, for a clock is kept by it."""
    return all_of([many(*part) for part in in_units(seconds)]) or many(0, "second")


def in_units(seconds: int) -> list[tuple[int, str]]:
    """`[(1, "day"), (12, "hour")]`."""
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, size)
        parts += [(count, unit)] if count else []
    return parts
