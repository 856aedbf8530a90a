"""What players order: one unit, one thing. Places are their numbers, ships with cargo are `units.ship_code`s."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from pbem.game import Order
from pbem_rules.axis1941.units import KINDS, Kind, Power

NO_SHIP = -1


class Shared(StrEnum):
    DECK = "deck"
    HOLD = "hold"


def piece(kind: Kind, number: int = 0) -> int:
    """What `Move` moves: a kind, and the number of a transport or carrier (0 for all other kinds)."""
    return number * len(KINDS) + KINDS.index(kind)


def piece_of(code: int) -> tuple[Kind, int]:
    number, index = divmod(code, len(KINDS))
    return KINDS[index], number


@dataclass(frozen=True, slots=True)
class Buy(Order, text="buy {unit}"):
    """Buy a unit."""

    unit: Kind


@dataclass(frozen=True, slots=True)
class Share(Order):
    """Whether an ally may use the power's decks or holds (AA-2.24)."""

    what: Shared
    ally: Power
    yes: bool


@dataclass(frozen=True, slots=True)
class Move(Order):
    """A unit goes from the first place of the path to the last one. Land and sea units: every space is named.
    Aircraft: start and end only, since only the distance matters.
    """

    piece: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Load(Order):
    """A land unit goes aboard a transport, its own power's or an ally's."""

    unit: Kind
    start: int
    ship: int


@dataclass(frozen=True, slots=True)
class Land(Order):
    """A unit goes ashore: in the combat move it is to assault the territory, in the non-combat move it lands there."""

    unit: Kind
    ship: int
    to: int


@dataclass(frozen=True, slots=True)
class Attack(Order):
    """Attack the submarines and transports in a zone without surface warships (AA-5.19)."""

    zone: int


@dataclass(frozen=True, slots=True)
class Ignore(Order):
    zone: int


@dataclass(frozen=True, slots=True)
class First(Order):
    """The next place in the order of battles (AA-6.2)."""

    place: int


@dataclass(frozen=True, slots=True)
class Promise(Order):
    """AA-5.37: this carrier, or (NO_SHIP) one that was bought, will be in the zone."""

    ship: int
    zone: int


@dataclass(frozen=True, slots=True)
class Recall(Order, text="recall"):
    """Take all moves of this phase back."""


@dataclass(frozen=True, slots=True)
class Finish(Order, text="done"):
    """End the phase."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Lose(Order):
    """One hit is taken so: `tolls.Toll` as a number, `infantry`, `damage`, `transport-2`, `fighter-uk`."""

    toll: int


@dataclass(frozen=True, slots=True)
class Defer(Order, text="defer"):  # AA-7.6
    """Let your allies choose this loss."""


@dataclass(frozen=True, slots=True)
class Strike(Order, text="strike"):  # AA-6.18
    """The next submarine makes its surprise strike."""


@dataclass(frozen=True, slots=True)
class Submerge(Order, text="submerge"):
    """The next submarine submerges."""


@dataclass(frozen=True, slots=True)
class Press(Order, text="press"):
    """Fight another round."""


@dataclass(frozen=True, slots=True)
class Retreat(Order):
    """To an adjacent space; aircraft alone, or transports that stay, name the place of the battle (AA-6.46..51)."""

    to: int


@dataclass(frozen=True, slots=True)
class Divert(Order):
    """A displaced fighter goes to a territory (NO_SHIP) or onto a carrier in that zone (AA-8.4)."""

    to: int
    deck: int


@dataclass(frozen=True, slots=True)
class Put(Order):
    """Mobilise a bought unit in a place, by the complex of a territory (AA-9.4)."""

    kind: ClassVar[str] = "place"
    unit: Kind
    at: int
    by: int


@dataclass(frozen=True, slots=True)
class Return(Order, text="return {unit}"):  # AA-9.11
    """Give a unit back that cannot be placed."""

    unit: Kind


@dataclass(frozen=True, slots=True)
class Home(Order, text="home"):  # AA-8.5
    """Land all aircraft that have not landed, carriers coming to meet them."""
