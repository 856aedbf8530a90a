"""The orders of players. Units are their numbers, hexes their ids, formations, chits and air units their codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pbem.game import Order, OrderPart, View, Words
from pbem.kit import LEAST_ODDS, AdvanceWords, Assault, HexWords
from pbem_rules.stargard.chart import DATA, chart_of

_CHART = chart_of(DATA)  # codes, columns and their order are those of every data set (`check_data`)
CODES = {unit.code: unit.number for unit in _CHART.units}
UNITS = Words({number: code for code, number in CODES.items()}, noun="unit", thing="u")


class Formations(Words):
    """Formations by their keys."""

    def said(self, value: str, view: View[Any]) -> str:
        return str(view.state.chart.formations[value].name)


FORMATIONS = Formations({key: key for key in _CHART.formations}, noun="formation", thing="w")
PLANES = Words({code: code for code in _CHART.planes}, noun="air unit", thing="w")
ODDS = _CHART.odds
COLUMNS = Words(dict(enumerate(map(ODDS.name, range(len(ODDS.columns))))), "odds")

UnitWord = Annotated[int, UNITS]
Hex = Annotated[int, HexWords()]
Way = Annotated[tuple[Hex, ...], "-"]
FormationWord = Annotated[str, FORMATIONS]
ChitPlace = Annotated[int, Words({number: f"#{number}" for number in range(len(_CHART.chits))}, noun="chit")]
PlaneWord = Annotated[str, PLANES]


AIR = OrderPart(
    "air units", "Air units that support the attack with a column each (SG-13).", "with {} in the air", weighs=True
)
POWER = OrderPart(
    "air units at power",
    "Air units that give two columns each, and are grounded afterwards (SG-13.0c, SG-13.1.1).",
    "with {} at power",
    weighs=True,
)
ADVANCE = OrderPart(
    "advance", "Units that advance if the hex is emptied, each before the hexes that it enters. Empty: your standing "
    "order for `advance` says who goes.", "and advance {}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done(Order, text="done"):
    """End what is being done."""


@dataclass(frozen=True, slots=True)
class Decline(Order, text="decline", says="Decline"):
    """Decline: the chit is spent, or the army does not react (SG-2.3.1a, SG-12.1b)."""


@dataclass(frozen=True, slots=True)
class SetUp(Order, text="place {unit} {to}", says="Set {unit} up in {to}"):
    """Move a unit of a free group within its reach before the first turn (SG-15.0c)."""

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Activate(Order, text="activate {formation}", says="Activate {formation}"):
    """Activate this headquarters with a special chit; for the cavalry corps: activate it now (SG-3.1.4, SG-3.1.5)."""

    formation: FormationWord


@dataclass(frozen=True, slots=True)
class Report(Order, text="report", says="Lay a chit aside in this turn"):
    """Lay a chit aside in this turn; which one is asked next (SG-12.6, SG-16.1)."""


@dataclass(frozen=True, slots=True)
class LayAside(Order, text="aside {place}", says="Lay the chit {place} aside for this turn"):
    """Lay one of your chits aside for this turn: `aside 2GT`. Others see only in which place it lay (SG-12.6)."""

    place: ChitPlace


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {unit} {path}", says="Move {unit} to {path}"):
    """Move a unit, by the cheapest way to each of the hexes named, one after another (SG-5)."""

    sampled: ClassVar[bool] = True  # `legal` lists those that name one hex

    unit: UnitWord
    path: Way


@dataclass(frozen=True, slots=True)
class Drive(Order, text="drive {unit} {to}", says="Move {unit} along roads to {to}"):
    """Strategic movement along roads; it costs the Germans a chit of the next turn (SG-5.4, SG-5.4.2).

    That is one chit, however many units drive; in the last turn it is a chit of that turn.
    """

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Entrain(Order, text="rail {unit} {to}", says="Move {unit} by rail to {to}"):
    """Rail movement: an arrival, or a unit that the 3rd Panzer Army moves (SG-5.5)."""

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Exit(Order, text="exit {unit}", says="Take {unit} off the map"):
    """Go to Berlinchen or Woldenberg and leave the map there, while Arnswalde is relieved (SG-14.2.1)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Top(Order, text="top {unit}", says="Put {unit} on top of its stack"):
    """Put a unit on top of its stack (SG-1.1.4b)."""

    sampled: ClassVar[bool] = True  # `legal` lists those for stacks with a fortress, which the order supplies

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Enter(Order, text="enter {unit} {to}", says="Bring {unit} onto the map in {to}"):
    """Bring an arrival, or a rebuilt or Volkssturm unit, onto the map (SG-7, SG-12.4)."""

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Restore(Order, text="restore {unit}", says="Give {unit} a step back, for replacement points"):
    """A unit on the map gets back a step for replacement points (SG-7.3)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Rebuild(Order, text="rebuild {unit} {to} {steps}", says="Bring {unit} back in {to} with steps: {steps}"):
    """A destroyed unit comes back with so many steps for replacement points (SG-7.3.1b, SG-7.3.2)."""

    unit: UnitWord
    to: Hex
    steps: int


@dataclass(frozen=True, slots=True)
class Attack(
    Assault,
    text="attack {target} with {units} [at {least}] [air {air}] [power {power}] [advance {advance}] "
    "[after {after}] [unless {unless}] [ask]",
    says="Attack {target} with {units}",
):
    """List an attack: a hex, and the units that attack it.

    `at 3:1` or better, `air 1JG`, `power Rudel`, `advance 22/10SS,1203,1204`, `after 1`.

    `advance`: UNIT + number of each unit that advances, before the hexes that it enters.
    """

    target: Hex
    units: tuple[UnitWord, ...]
    least: Annotated[int | None, COLUMNS, LEAST_ODDS] = field(default=None, kw_only=True)
    air: Annotated[tuple[PlaneWord, ...], AIR] = ()
    power: Annotated[tuple[PlaneWord, ...], POWER] = ()
    advance: Annotated[tuple[Annotated[int, AdvanceWords(CODES)], ...], ADVANCE] = ()


@dataclass(frozen=True, slots=True)
class Lose(Order, text="lose {unit}", says="Lose a step of {unit}"):
    """The unit that loses a step (SG-8.6)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class GoBack(Order, text="retreat {units} {path}", says="Retreat {units} to {path}"):
    """Retreat these units, together, by these hexes (SG-9)."""

    units: tuple[UnitWord, ...]
    path: Way


@dataclass(frozen=True, slots=True)
class Follow(Order, text="advance {unit} {path}", says="Advance with {unit} to {path}"):
    """Advance after combat (SG-10)."""

    unit: UnitWord
    path: Way


@dataclass(frozen=True, slots=True)
class SetPost(Order, text="reform {unit} {to}", says="Reform {unit} in {to}"):
    """The hex in which a headquarters reforms (SG-12.2.2)."""

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Fire(Order, text="fire {unit}", says="Fire at {unit}"):
    """An attempt of a barrage at a unit (SG-8.5)."""

    unit: UnitWord
