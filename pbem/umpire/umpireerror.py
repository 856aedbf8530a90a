"""What can go wrong at the umpire's desk. Nothing has been changed when one of these is raised."""

from __future__ import annotations

from pbem.home import HomeError


class UmpireError(HomeError):
    """The desk cannot do what it was asked as things stand."""
