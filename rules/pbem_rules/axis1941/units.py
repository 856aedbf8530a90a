"""AA-11: the powers, the kinds of unit, and what is known of a single one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pbem.kit import all_of, many

NONE = -1  # no unit, no place


class Side(StrEnum):
    AXIS = "axis"
    ALLIES = "allies"


class Power(StrEnum):
    """In the order in which they play (AA-3.1)."""

    USSR = "ussr"
    GERMANY = "germany"
    UK = "uk"
    JAPAN = "japan"
    USA = "usa"


class Kind(StrEnum):
    """In the order of the table of units (AA-11.1)."""

    INFANTRY = "infantry"
    TANK = "tank"
    FIGHTER = "fighter"
    BOMBER = "bomber"
    SUBMARINE = "submarine"
    TRANSPORT = "transport"
    DESTROYER = "destroyer"
    CARRIER = "carrier"
    BATTLESHIP = "battleship"


POWERS = tuple(Power)
KINDS = tuple(Kind)
# The same by name alone, for what is asked most: `Kind.TANK` is looked up by a function of the class each time.
INFANTRY, TANK, FIGHTER, BOMBER, SUBMARINE, TRANSPORT, DESTROYER, CARRIER, BATTLESHIP = KINDS
SIDE = {power: Side.AXIS if power in (Power.GERMANY, Power.JAPAN) else Side.ALLIES for power in POWERS}  # AA-1.1
SEATS = {power: (power.value,) for power in POWERS}  # who is asked when it is a power's to decide
OTHER = {Side.AXIS: Side.ALLIES, Side.ALLIES: Side.AXIS}
OF_SIDE = {side: tuple(power for power in POWERS if SIDE[power] is side) for side in Side}
TITLES = {
    Power.USSR: "USSR",
    Power.GERMANY: "Germany",
    Power.UK: "United Kingdom",
    Power.JAPAN: "Japan",
    Power.USA: "USA",
}

LAND = frozenset({Kind.INFANTRY, Kind.TANK})
AIR = frozenset({Kind.FIGHTER, Kind.BOMBER})
SEA = frozenset(KINDS) - LAND - AIR
SURFACE = frozenset({Kind.DESTROYER, Kind.CARRIER, Kind.BATTLESHIP})  # surface warships (AA-2.7)
NUMBERED = frozenset({Kind.TRANSPORT, Kind.CARRIER})  # they carry others, so each has a number of its own

DECK = 2  # fighters on a carrier (AA-11.10)

# What a unit has done in this turn: bits of `Unit.did`, cleared when its owner's turn begins.
MOVED = 1  # moved in the combat move
FOUGHT = 2  # took part in a battle
LOADED = 4  # went aboard in the combat move: must land in an assault (AA-5.26); a transport: took somebody aboard
SHIPPED = 8  # went aboard in the non-combat move; a transport: took somebody aboard then
UNLOADED = 16  # went ashore; a transport: put somebody ashore, so that it moves no more (AA-5.27)
SHIFTED = 32  # moved in the non-combat move
DAMAGED = 64  # a battleship with one hit, until the battle ends (AA-6.33)
AWAITS = 128  # a fighter that waits in a zone for a carrier that will be mobilised there (AA-8.8)
FRESH = 256  # mobilised this turn (AA-9.12)
DISPLACED = 512  # a defending fighter whose carrier was sunk (AA-8.4)


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece. Units are numbered in the order in which they come into being; no number is used twice."""

    power: Power
    kind: Kind
    place: int
    number: int = 0  # of transports and carriers, each power's own
    aboard: int = NONE  # the transport or carrier that it is on
    used: int = 0  # spaces moved this turn (AA-5.32)
    did: int = 0
    origin: int = NONE  # the space from which it entered its battle; NONE: it began there (AA-6.47)
    target: int = NONE  # the territory that it is to land on, for sea-borne units and their transports (AA-5.40)


def chip_key(power: Power, kind: Kind, where: str, number: int = 0) -> str:
    """The key for clicks of units that orders do not tell apart: all of a kind in a place, or aboard a ship."""
    return f"u:{power}-{kind}-{number}" if number else f"u:{power}-{kind}@{where}"


def amounts(counts: Mapping[Kind, int]) -> str:
    """`2 infantry and 1 tank`."""
    return all_of(many(count, kind, kind if kind is Kind.INFANTRY else "") for kind, count in counts.items())


class Stats(NamedTuple):
    """A row of the table of units."""

    kind: Kind
    cost: int
    attack: int
    defence: int
    move: int
    hits: int


# Ships with numbers in orders: one int for power, kind and number.
_SHIPS = tuple((power, kind) for power in POWERS for kind in (Kind.TRANSPORT, Kind.CARRIER))


def ship_code(power: Power, kind: Kind, number: int) -> int:
    return number * len(_SHIPS) + _SHIPS.index((power, kind))


def ship_of(code: int) -> tuple[Power, Kind, int]:
    """The inverse; of any int that is not negative."""
    number, index = divmod(code, len(_SHIPS))
    return (*_SHIPS[index], number)
