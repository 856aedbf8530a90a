"""A draw as an archive lists it."""

from pbem.protocol.listing import Drawn

__all__ = ["Drawn"]
