"""Loops that go on until chance or another program brings something: here they fail instead of going on for ever."""

from __future__ import annotations

from collections.abc import Iterator


def attempts(most: int, awaited: str) -> Iterator[int]:
    """The numbers of so many attempts; whoever needs another one is told what has not come."""
    yield from range(most)
    raise AssertionError(f"{awaited}: not in {most} attempts")
