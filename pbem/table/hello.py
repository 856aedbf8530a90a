"""A hello: what the sender holds of a game, and whether he asks for the rest (FIL-2, item type 7).

    {by, game, have: [[author, number of his records], ...], want: bool}

It is not signed and proves nothing: it only makes a program send records that everybody in the game may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.protocol import canonical
from pbem.protocol.canonical import Plain
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_SEQ
from pbem.protocol.record import AUTHORS

_STEP = "FIL-2"
MAX_HELLO = 256


@dataclass(frozen=True, slots=True)
class Hello:
    by: int
    game: bytes
    """The game id, or before the start the offer's."""
    have: Mapping[int, int]
    want: bool

    def pack(self) -> bytes:
        have: list[Plain] = [[by, self.have[by]] for by in sorted(self.have)]
        return canonical.pack({"by": self.by, "game": self.game, "have": have, "want": self.want})


def parse_hello(raw: bytes) -> Hello:
    value = canonical.unpack(raw, MAX_HELLO)
    if not isinstance(value, dict) or list(value) != ["by", "game", "have", "want"]:
        raise _odd()
    by, game, have, want = value.values()
    if type(by) is not int or by not in AUTHORS or not isinstance(game, bytes) or len(game) != 32:
        raise _odd()
    if not isinstance(have, list) or type(want) is not bool:
        raise _odd()
    counts: dict[int, int] = {}
    for pair in have:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(n) is int for n in pair):
            raise _odd()
        author, count = pair
        assert isinstance(author, int)
        assert isinstance(count, int)
        if author not in AUTHORS or author in counts or not 0 <= count <= MAX_SEQ + 1:
            raise _odd()
        counts[author] = count
    return Hello(by, game, counts, want)


def _odd() -> Refusal:
    return Refusal("E-FORM", "This is not a hello that pbem understands.", step=_STEP)
