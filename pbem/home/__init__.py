"""A player's home: identities, contacts and games on disk, and everything a player does. Disk, clock and randomness are
used from this layer up; `Home` gets them as arguments. What a player does is a function of a home and a game's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.home.disk import HomeError

if TYPE_CHECKING:
    from pbem.home.root import Home

__all__ = ["Home", "HomeError"]


def __getattr__(name: str) -> Any:
    """`Home` is loaded when it is asked for: many commands need no more than the error."""
    if name == "Home":
        from pbem.home.root import Home

        return Home
    raise AttributeError(name)
