"""Counts and lists in words, the same in every sentence."""

from __future__ import annotations

from collections.abc import Iterable


def many(count: int, noun: str, several: str = "") -> str:
    """`1 unit`, `1,204 units`."""
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"


def all_of(words: Iterable[str]) -> str:
    """`61-HQ, 212/80 and 88GT`."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last
