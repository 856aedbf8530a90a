"""The orders of players: one unit, one thing. Places are their numbers, ships with cargo are `units.ship_code`s."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pbem.game import Context, Order, View, Words
from pbem_rules.axis1941.chart import CHART, PLACES, Chart
from pbem_rules.axis1941.tolls import Tolls
from pbem_rules.axis1941.units import KINDS, NONE, NUMBERED, POWERS, TITLES, Kind, Power, ship_code, ship_of

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


# How the fields are written.


def number_of(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else None


def power_of(context: Context[Any]) -> Power:
    return Power(context.seat if context.seat in list(POWERS) else context.state.active)


class Places:
    """`Ukraine`, `West-Russia`, `SZ5`."""

    thing = "p"

    def __init__(self, chart: Chart) -> None:
        self._words = chart.words
        self._places = {word: place for place, word in enumerate(chart.words)}

    def word(self, value: Any) -> str:
        return self._words[value] if 0 <= value < PLACES else f"?{value}"

    def value(self, word: str) -> int:
        if word not in self._places:
            raise ValueError(word)
        return self._places[word]

    def said(self, value: int, view: View[Any]) -> str:
        return str(view.state.where(value))


class Ships:
    """`uk-transport-1`; a hyphen for none."""

    thing = "u"

    def word(self, value: Any) -> str:
        if value < 0:
            return "-" if value == NO_SHIP else f"?{value}"
        power, kind, number = ship_of(value)
        return f"{power}-{kind}-{number}"

    def value(self, word: str) -> int:
        if word == "-":
            return NO_SHIP
        power, kind, number = [*word.split("-"), "", "", ""][:3]
        count = number_of(number)
        if count is None or kind not in NUMBERED:
            raise ValueError(word)
        return ship_code(Power(power), Kind(kind), count)

    def exists(self, value: int, context: Context[Any]) -> bool:
        return value == NO_SHIP or context.state.ship(*ship_of(value)) != NONE

    def said(self, value: int, view: View[Any]) -> str:
        power, kind, number = ship_of(value)
        return f"{TITLES[power]}'s {kind} {number}"


class Pieces:
    """`infantry`, `transport-2`."""

    def word(self, value: Any) -> str:
        if value < 0:
            return f"?{value}"
        kind, number = piece_of(value)
        return f"{kind}-{number}" if number else str(kind)

    def value(self, word: str) -> int:
        kind, dash, number = word.partition("-")
        count = number_of(number) if dash else 0
        if count is None:
            raise ValueError(word)
        return piece(Kind(kind), count)

    def exists(self, value: int, context: Context[Any]) -> bool:
        kind, number = piece_of(value)
        return not number or context.state.ship(power_of(context), kind, number) != NONE

    def said(self, value: int, view: View[Any]) -> str:
        kind, number = piece_of(value)
        return f"{kind} {number}" if number else str(kind)


SHIP_WORDS, PIECES = Ships(), Pieces()


class Said(Words):
    """Words with what they say where they are chosen."""

    def __init__(self, said: Mapping[Any, str], words: Mapping[Any, str]) -> None:
        super().__init__(words)
        self._said = dict(said)

    def said(self, value: Any, view: View[Any]) -> str:
        return str(self._said[value])


USES = Said(
    {Shared.DECK: "whose fighters may land on your carriers", Shared.HOLD: "whose units may use your transports"},
    {each: str(each) for each in Shared},
)
ALLIES = Said(TITLES, {each: str(each) for each in POWERS})
GRANTED = Said({True: "may again (now it may not)", False: "may no longer (now it may)"}, {True: "yes", False: "no"})
Place = Annotated[int, Places(CHART)]
Ship = Annotated[int, SHIP_WORDS]


@dataclass(frozen=True, slots=True)
class Buy(Order, text="buy {unit}", says="You buy 1 {unit}"):
    """Buy a unit."""

    unit: Kind


@dataclass(frozen=True, slots=True)
class Share(Order, text="share {what} {ally} {yes}"):  # AA-2.24
    """Say whether an ally's fighters may land on your carriers (deck), or its units use your transports (hold)."""

    what: Annotated[Shared, USES]
    ally: Annotated[Power, ALLIES]
    yes: Annotated[bool, GRANTED]


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {piece} {path}"):
    """Move a unit.

    A unit goes from the first place of the path to the last one. Land and sea units: every space is named.
    Aircraft: start and end only, since only the distance matters.
    """

    piece: Annotated[int, PIECES]
    path: Annotated[tuple[Place, ...], ">"]


@dataclass(frozen=True, slots=True)
class Load(Order, text="load {unit} {start} {ship}", says="Load {unit} in {start} onto {ship}"):
    """Take a unit aboard a transport."""

    unit: Kind
    start: Place
    ship: Ship


@dataclass(frozen=True, slots=True)
class Land(Order, text="land {unit} {ship} {to}", says="Land {unit} from {ship} in {to}"):
    """Put a unit ashore; in the combat move this declares an amphibious assault.

    A unit goes ashore: in the combat move it is to assault the territory, in the non-combat move it lands there.
    """

    unit: Kind
    ship: Ship
    to: Place


@dataclass(frozen=True, slots=True)
class Attack(Order, text="attack {zone}", says="Attack the submarines and transports in {zone}"):  # AA-5.19
    """Attack the submarines and transports of a zone."""

    zone: Place


@dataclass(frozen=True, slots=True)
class Ignore(Order, text="ignore {zone}", says="Leave the submarines and transports in {zone} alone"):
    """Leave them alone."""

    zone: Place


@dataclass(frozen=True, slots=True)
class First(Order, text="first {place}", says="Fight the battle in {place} next"):  # AA-6.2
    """The battle to be fought next."""

    place: Place


@dataclass(frozen=True, slots=True)
class Promise(Order, text="promise {ship} {zone}"):
    """Say where a carrier will be for fighters to land on.

    AA-5.37: this carrier, or (NO_SHIP) one that was bought, will be in the zone.
    """

    ship: Ship
    zone: Place


@dataclass(frozen=True, slots=True)
class Recall(Order, text="recall", says="Take back all moves of this phase"):
    """Take back all moves of this phase."""


@dataclass(frozen=True, slots=True)
class Finish(Order, text="done"):
    """End the phase."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Lose(Order, text="lose {toll}", says="Take a hit with {toll}"):
    """Take a hit.

    One hit is taken so: `tolls.Toll` as a number, `infantry`, `damage`, `transport-2`, `fighter-uk`.
    """

    toll: Annotated[int, Tolls()]


@dataclass(frozen=True, slots=True)
class Defer(Order, text="defer"):  # AA-7.6
    """Let your allies choose this loss."""


@dataclass(frozen=True, slots=True)
class Strike(Order, text="strike", says="Strike by surprise with the next submarine"):  # AA-6.18
    """The next submarine makes its surprise strike."""


@dataclass(frozen=True, slots=True)
class Submerge(Order, text="submerge", says="Submerge with the next submarine"):
    """The next submarine submerges."""


@dataclass(frozen=True, slots=True)
class Press(Order, text="press"):
    """Fight another round."""


@dataclass(frozen=True, slots=True)
class Retreat(Order, text="retreat {to}", says="Retreat to {to}"):
    """Break the battle off.

    To an adjacent space; aircraft alone, or transports that stay, name the place of the battle (AA-6.46..51).
    """

    to: Place


@dataclass(frozen=True, slots=True)
class Divert(Order, text="divert {to} {deck}"):
    """Where a fighter without a carrier goes.

    A displaced fighter goes to a territory (NO_SHIP) or onto a carrier in that zone (AA-8.4).
    """

    to: Place
    deck: Ship


@dataclass(frozen=True, slots=True)
class Put(Order, text="place {unit} {at} {by}"):
    """Mobilise a unit.

    Mobilise a bought unit in a place, by the complex of a territory (AA-9.4).
    """

    kind: ClassVar[str] = "place"
    unit: Kind
    at: Place
    by: Place


@dataclass(frozen=True, slots=True)
class Return(Order, text="return {unit}", says="Give {unit} back, since it cannot be placed"):  # AA-9.11
    """Give a unit back that cannot be placed."""

    unit: Kind


@dataclass(frozen=True, slots=True)
class Home(Order, text="home"):  # AA-8.5
    """Land all aircraft that have not landed.

    Fighters that can only land on a deck come first, and carriers come to meet them. A fighter over the sea goes back
    to a carrier; any other aircraft goes to the nearest safe land of its own power, else to a carrier, to safe land of
    an ally, or last to where the enemy is least superior. Land is safe if its side has as many land units there as the
    enemy has next to it, by the sea at least one.
    """
