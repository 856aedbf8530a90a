"""Data files of the players' own, held against the schema of their kind before the desk takes an offer with them.

The game's own `check_data` then asks whether they fit each other (STA-7). Replaying runs no schema: what an offer pins
by digest has been judged here once.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.definition import bad_data
from pbem.protocol.canonical import Plain


def check_files(files: Iterable[tuple[str, Plain]]) -> None:
    """E-DATA, with the place of the bad value. A file of a kind that has no schema is the game's own matter."""
    for name, value in files:
        # Imported for who brings a file only.
        from pbem.kit.datafile import kinds, problems

        if name in kinds():
            found = problems(name, value)
            if found:
                raise bad_data(f"The data file {name!r} is not of its schema: {'; '.join(found)}.")
