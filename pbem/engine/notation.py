"""Notation: one short text for every order, read and written by the same pattern (docs/spec/notation.md)."""

from __future__ import annotations

from typing import Generic, TypeVar

S = TypeVar("S")


class Notation(Generic[S]):
    pass
