"""What the desk answers: plain facts, for whoever shows or publishes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pbem.protocol.canonical import Plain
from pbem.umpire.terms import Terms

How = Literal["", "played", "forfeit", "no-show", "adjudged", "bye"]
"""forfeit: lost on time or by a ruling once there were orders, and counted as played; no-show: nobody played."""
PairingState = Literal["paired", "offered", "playing", "over", "decided"]
"""offered: it has not begun; over: a result that the game may still take back;
decided: it stands."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    id: int
    name: str
    key: bytes
    umpire: bytes
    """The identity that signs."""
    terms: Terms
    state: Literal["open", "playing", "over"]
    created: int


@dataclass(frozen=True, slots=True)
class EntrantRow:
    number: int
    name: str
    identity: bytes
    rating: int
    deviation: int
    out: bool
    why: str
    """Why he has withdrawn, or plays again."""
    card: bytes = field(repr=False)
    """Holds his address: for mails, and for the umpire's own list."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    id: int
    round: int
    board: int
    mirror: int
    first: int
    second: int | None
    why: tuple[str, ...]
    state: PairingState
    offered_at: int
    expires: int
    offer: bytes | None
    game: str
    began_at: int
    first_points: int | None
    second_points: int | None
    how: How
    text: str
    decided_at: int

    @property
    def entrants(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def place(self) -> int:
        """Its board as the offer has it: the two games of a mirrored pair have a number each."""
        return 2 * self.board - 2 + self.mirror if self.mirror else self.board

    @property
    def label(self) -> str:
        """`2.14`, or `2.14b` for the second game of a mirrored pair: how the umpire names it."""
        return f"{self.round}.{self.board}{('', 'a', 'b')[self.mirror]}"


@dataclass(frozen=True, slots=True)
class RoundRow:
    number: int
    state: Literal["paired", "offered", "complete"]
    notes: tuple[str, ...]
    paired_at: int
    pairings: tuple[PairingRow, ...]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    pairing: int
    entrant: int
    yes: bool
    why: str
    at: int


@dataclass(frozen=True, slots=True)
class MoveRow:
    pairing: int
    number: int
    entrant: int
    what: str
    asked_at: int
    answered_at: int
    signed_at: int
    charged: int
    record: bytes
    said: str
    """How the question was delivered, as the umpire's mail server put it."""


@dataclass(frozen=True, slots=True)
class OwedRow:
    pairing: int
    entrant: int
    """0: the umpire."""
    what: str
    arose: int
    """When it came about, as far as the umpire's home knows."""
    since: int
    """When the question was delivered; 0: it has not been."""
    automatic: bool
    said: str
    """How it was delivered, or why it has not been."""


@dataclass(frozen=True, slots=True)
class HeldRow:
    """The desk's mails that wait to leave. Until they do, no clock of those they are for starts."""

    count: int
    since: int
    why: str


@dataclass(frozen=True, slots=True)
class ExtensionRow:
    pairing: int
    entrant: int
    seconds: int
    at: int
    record: bytes


@dataclass(frozen=True, slots=True)
class FlagRow:
    pairing: int
    entrant: int
    fell_at: int
    seen_at: int


@dataclass(frozen=True, slots=True)
class ActRow:
    id: int
    tournament: int
    pairing: int | None
    kind: str
    mark: str
    data: Mapping[str, Plain]
    wanted_at: int
    wanted_by: str
    state: Literal["wanted", "taken", "done", "failed", "dropped"]
    done_at: int
    outcome: str


@dataclass(frozen=True, slots=True)
class ArchiveRow:
    pairing: int
    sha256: bytes
    size: int
    whole: bool
    """Everything secret is opened in it."""
    kept_at: int


@dataclass(frozen=True, slots=True)
class AuditRow:
    pairing: int
    sha256: bytes
    ok: bool
    verdict: Mapping[str, Plain]
    at: int


@dataclass(frozen=True, slots=True)
class AnomalyRow:
    pairing: int
    entrant: int
    """0: nobody in particular."""
    kind: str
    mark: str
    text: str
    weight: int
    at: int


@dataclass(frozen=True, slots=True)
class RatingRow:
    round: int
    entrant: int
    rating: float
    deviation: float
    volatility: float
