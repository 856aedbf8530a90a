"""Half points in words."""

from __future__ import annotations


def points(half: int) -> str:
    """`3`, `2½`, `½`."""
    whole, rest = divmod(half, 2)
    return (str(whole) if whole or not rest else "") + ("½" if rest else "")


def points_text(half: int) -> str:
    return f"{points(half)} point" + ("" if half in (1, 2) else "s")
