"""A player's home: identities, contacts and games on disk, and everything a player does. A disk, a clock and randomness
begin here, and all three are given to `Home`. What a player does is a function of a home and a game's name."""

from __future__ import annotations

from pbem.home.disk import HomeError
from pbem.home.root import Home

__all__ = ["Home", "HomeError"]
