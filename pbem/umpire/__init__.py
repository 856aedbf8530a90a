"""The umpire's desk: tournaments of hundreds of games, kept in a database and run by a keeper."""

from __future__ import annotations

from pbem.home import HomeError
from pbem.protocol.characters import printable


class UmpireError(HomeError):
    """The desk cannot do what it was asked as things stand. Nothing has been changed."""


def wrong_file(code: str, sentence: str) -> UmpireError:
    """The sentence may quote a file: what cannot be printed is left out of it."""
    return UmpireError(code, printable(sentence[:1_000]))
