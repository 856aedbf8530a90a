"""The orders of players. Units are their numbers, hexes their ids, Entry Areas their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from pbem.game import Order, OrderPart, View, Words
from pbem.kit import LEAST_ODDS, AdvanceWords, Assault, HexWords, ListEntry
from pbem_rules.stalingrad42.chart import ARMIES, DATA, GAL, REPLACEMENTS, SUPPLY, WINGS, chart_of
from pbem_rules.stalingrad42.scenarios import all_units
from pbem_rules.stalingrad42.state import BOX, BOXES

_CHART = chart_of(DATA)  # codes, Areas and their order are those of every data set (`check_data`)
CODES = {unit["code"]: number for number, unit in enumerate(all_units(DATA))}
UNITS = Words({number: code for code, number in CODES.items()}, noun="unit", thing="u")


class GunWords(Words):
    """Units that support an attack, supply points last, since they are spent by it."""

    def said(self, value: int, view: View[Any]) -> str:
        return f"{self.word(value)}{' (which is spent)' * (value in _SUPPLIES)}"


_SUPPLIES = {CODES[unit["code"]] for unit in all_units(DATA) if SUPPLY in unit["type"]}
_GUNS = sorted(CODES.items(), key=lambda item: item[1] in _SUPPLIES)
GUNS = GunWords({number: code for code, number in _GUNS}, noun="unit", thing="u")
AIR = Words({wing: wing for wing in (*WINGS, GAL)}, noun="air unit")
COLUMNS = Words(dict(enumerate(map(_CHART.odds.name, range(len(_CHART.odds.columns))))), "odds")
_AREAS = {**_CHART.areas, **{entry["key"]: entry["area"] for entry in DATA["map_whole"]["entries"]}}


_AREA_NAMES = {entry["area"]: entry["name"] for file in ("map", "map_whole") for entry in DATA[file]["entries"]}


def place_name(place: int) -> str:
    """`2503`, `Area M`, `North edge`: what a place is called in a sentence."""
    return _AREA_NAMES.get(place) or PlaceWords().word(place)


class Areas(Words):
    """Entry Areas by their letters."""

    def said(self, value: int, _: View[Any]) -> str:
        return place_name(value)


AREAS = Areas({place: key for key, place in _AREAS.items()}, noun="Area", thing="p")

PACKED, LAID_OUT, FIXED = "packed", "ready", "fixed"
SUPPLY_SIDES = Words({side: side for side in (PACKED, LAID_OUT, FIXED)}, noun="side")
KINDS = Words({kind: kind for kinds in REPLACEMENTS.values() for kind in kinds}, noun="kind of replacement")
ARMY_WORDS = Words({army: army for army in ARMIES}, noun="reserve army")
AS_REMNANT, IN_BOX = "remnant", "box"
YES, NO = "yes", "no"
ANSWERS = Words({what: what for what in (YES, NO)}, noun="answer")


class Remains(Words):
    """What is kept of a unit that loses its second step."""

    def said(self, value: str, view: View[Any]) -> str:
        return "a Remnant on the map" if value == AS_REMNANT else "all of it in the Eliminated Box, to come back later"


REMAINS = Remains({what: what for what in (AS_REMNANT, IN_BOX)}, noun="choice")
BOX_PLACES = {f"box{box - BOX}": box for box in BOXES}  # of the reserve armies
BOX_WORDS = Words({box - BOX: word for word, box in BOX_PLACES.items()}, noun="box")
_SPOTS = {**_AREAS, **BOX_PLACES}
_SPOT_WORDS = {place: word for word, place in _SPOTS.items()}


class PlaceWords(HexWords):
    """Hexes by their four digits, Entry Areas by their letter, boxes of reserve armies as `box1` to `box6`."""

    def word(self, value: int) -> str:
        return _SPOT_WORDS[value] if value in _SPOT_WORDS else super().word(value)

    def value(self, word: str) -> int:
        return _SPOTS[word] if word in _SPOTS else super().value(word)


UnitWord = Annotated[int, UNITS]
Area = Annotated[int, AREAS]
Hex = Annotated[int, HexWords()]
Spot = Annotated[int, PlaceWords()]
Course = Annotated[tuple[Spot, ...], "-"]
Path = Annotated[tuple[Hex, ...], "-"]
Advancing = tuple[Annotated[int, AdvanceWords(CODES)], ...]  # each unit before the hexes that it enters
# What may be added to several orders
Wing = Annotated[
    str | None,
    AIR,
    OrderPart("air unit", "An air unit that adds a column; it cannot be used twice.", "with {}", weighs=True),
]
Odds = Annotated[
    int | None, COLUMNS,
    OrderPart("odds on the way", "The group attacks whoever stands on its way at these odds or better; empty: at 3:1.",
         "attacking on the way at {} or better"),
]  # fmt: skip
Breakers = Annotated[
    tuple[UnitWord, ...],
    OrderPart(
        "who breaks through", "Units that break through together if the hex is emptied (S42-15).", "{} break through"
    ),
]
Via = Annotated[
    Path, OrderPart("by these hexes", "The hexes of the way. A breakthrough from several hexes begins with the emptied "
                    "one.", "by way of {}")
]  # fmt: skip
Pursuit = Annotated[
    Advancing,
    OrderPart("who advances", "Units that advance if the hex is emptied, each before the hexes that it enters "
              "(S42-14). Empty: your standing order for `advance` says who goes.", "and advance {}"),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done(Order, text="done"):
    """End what is being done."""


# The Initial Phase


@dataclass(frozen=True, slots=True)
class Arrive(Order, text="arrive {unit} {area}", says="Place {unit} in {area}"):
    """Place a reinforcement in one of the Areas where it may come (S42-22.1)."""

    unit: UnitWord
    area: Area


@dataclass(frozen=True, slots=True)
class Enlist(Order, text="enlist {unit} {place}", says="Let {unit} come in {place}"):
    """Let North Caucasian volunteers come in one of their towns (S42-20.8)."""

    unit: UnitWord
    place: Hex


@dataclass(frozen=True, slots=True)
class Evacuate(Order, text="evacuate {area}", says="Move the units in the Area of Baku to {area}"):
    """Move the Soviet units in the Area of Baku to one beside it (S42-24.1.3)."""

    area: Area


@dataclass(frozen=True, slots=True)
class Release(Order, text="release {army}", says="Release {army}"):
    """Let a reserve army go: `army5`, `army6` or `army7`, one in a turn (S42-31)."""

    army: Annotated[str, ARMY_WORDS]


@dataclass(frozen=True, slots=True)
class Recall(Order, text="recall {unit}", says="Take {unit} off for another front"):
    """Take a unit off for another front, where one must leave (S42-32)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Weaken(Order, text="weaken {unit}", says="Take a step off {unit}"):
    """Take a step off a unit, where too few have left (S42-32.1, S42-32.2)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Refill(Order, text="refill {unit}", says="Give {unit} a step back"):
    """Give a unit a step that left beyond what must, or bring a tank brigade back (S42-32.1c, S42-32.2c)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Offensive(Order, text="offensive [supplies {posts}] [plans {plans}]", says="Begin the Winter Offensive"):
    """Begin the Winter Offensive: supply points, and Planned Offensives, are laid with headquarters (S42-33).

    `plans`: headquarters of fronts, if Planned Offensives are played.
    """

    sampled: ClassVar[bool] = True  # `legal` lays all plans with one headquarters

    posts: Annotated[
        tuple[UnitWord, ...],
        OrderPart("supply points", "Headquarters with which supply points are laid.", "supplying {}"),
    ] = ()
    plans: Annotated[
        tuple[UnitWord, ...],
        OrderPart("plans", "Headquarters on which Planned Offensives are laid.", "with plans on {}"),
    ] = ()


@dataclass(frozen=True, slots=True)
class Dig(Order, text="fort {place}", says="Begin a fort in {place}, for a resource point"):
    """Begin a fort for a resource point; it is complete in your next turn (S42-9.7.2)."""

    place: Hex


@dataclass(frozen=True, slots=True)
class Raze(Order, text="raze {place}", says="Remove the fort in {place}"):
    """Remove a fort of yours, complete or begun (S42-9.7.5)."""

    place: Hex


@dataclass(frozen=True, slots=True)
class Refit(Order, text="refit {unit}", says="Make {unit} ready, for a resource point"):
    """Make artillery support on a connected railway ready for a resource point (S42-18.1c)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Bring(Order, text="bring {area}", says="Place a supply point in {area}, for a resource point"):
    """Place a supply point in one of your Areas for a resource point (S42-18.1d)."""

    area: Area


@dataclass(frozen=True, slots=True)
class Plan(Order, text="plan {unit}", says="Lay a Planned Offensive on {unit}, for a resource point"):
    """Lay a Planned Offensive on a headquarters for a resource point; it is ready in your next turn (S42-26)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Renew(Order, text="replace {unit} [in {place}] [by {by}]", says="Spend a replacement on {unit}"):
    """Spend a replacement: a unit regains a step, or comes back `in` a place (S42-21).

    `by`: the kind of replacement, where several fit; else the one that the fewest other units can use.
    """

    sampled: ClassVar[bool] = True  # `legal` leaves the kind out

    unit: UnitWord
    place: Annotated[
        int | None, PlaceWords(), OrderPart("place", "Where a unit comes that is not on the map.", "in {}")
    ] = field(default=None, kw_only=True)
    by: Annotated[
        str | None, KINDS,
        OrderPart("kind", "The kind of replacement; empty: the one that the fewest other units can use.", "by {}"),
    ] = field(default=None, kw_only=True)  # fmt: skip


# Movement


@dataclass(frozen=True, slots=True)
class Marching(Order):
    """Base: movement by land, with its points or tactical."""

    sampled: ClassVar[bool] = True  # `legal` lists those that name one place

    unit: UnitWord
    path: Course


@dataclass(frozen=True, slots=True)
class Move(Marching, text="move {unit} {path}", says="Move {unit} to {path}"):
    """Move a unit, by the cheapest way to each of the places named, one after another (S42-5.1)."""


@dataclass(frozen=True, slots=True)
class Extended(Marching, text="extended {unit} {path}", says="Move {unit} by extended movement to {path}"):
    """Extended movement: three points more, never beside the enemy, and no attack afterwards (S42-5.3)."""


@dataclass(frozen=True, slots=True)
class Tactical(Marching, text="tactical {unit} {path}", says="Move {unit} by tactical movement to {path}"):
    """Tactical movement: one hex or two, whatever they cost (S42-5.4)."""


@dataclass(frozen=True, slots=True)
class Withdraw(Order, text="withdraw {unit} [to {path}]", says="Put {unit} into Full Retreat"):
    """Put a unit into Full Retreat, and move it (S42-13.1.3c)."""

    sampled: ClassVar[bool] = True

    unit: UnitWord
    path: Annotated[Course, OrderPart("to", "Where it goes; empty: it stays where it is.", "to {}")] = ()


@dataclass(frozen=True, slots=True)
class Turn(Order, text="turn {unit} {side}", says="Turn {unit}: {side}"):
    """Turn a supply point, before it moves: `packed` to move, `ready` for use, `fixed` where it lies (S42-18.6)."""

    unit: UnitWord
    side: Annotated[str, SUPPLY_SIDES]


@dataclass(frozen=True, slots=True)
class Entrain(Order, text="rail {unit} {to}", says="Move {unit} by rail to {to}"):
    """Move a unit by rail (S42-5.6)."""

    unit: UnitWord
    to: Spot


@dataclass(frozen=True, slots=True)
class Sail(Order, text="sail {unit} {to}", says="Move {unit} by sea to {to}"):
    """Move a unit by sea, from port to port, or over the strait of Kerch (S42-5.7)."""

    unit: UnitWord
    to: Hex


@dataclass(frozen=True, slots=True)
class Transfer(Order, text="transfer {unit} {to}", says="Move {unit} to {to}"):
    """Move a unit from one of your Entry Areas to another (S42-22.6)."""

    unit: UnitWord
    to: Area


@dataclass(frozen=True, slots=True)
class Exit(Order, text="exit {unit} {by}", says="Take {unit} off the map for good, by {by}"):
    """Leave the map for good by an Area of the enemy (S42-S1.2e)."""

    unit: UnitWord
    by: Area


@dataclass(frozen=True, slots=True)
class Storm(
    Order,
    text="storm {target} with {units} [lose {lose}] [break {breaks}] [via {via}] [odds {odds}] [advance {advance}]",
    says="Drive the enemy out of {target} at once with {units}",
):
    """Automatic DS at ten to one: the enemy loses a step, retreats at once, and the hex is open (S42-8.6).

    `lose`: which unit loses the step; else one that is destroyed by it, or the one that it hurts most.
    `break`, `advance`: as of an attack, after all combat (S42-8.6.2).
    """

    sampled: ClassVar[bool] = True  # `legal` lists for each hex all the units that could join, and the fewest

    target: Hex
    units: tuple[UnitWord, ...]
    lose: Annotated[
        int | None,
        UNITS,
        OrderPart("who loses the step", "The enemy unit that loses it; empty: the dearest.", "{} loses a step"),
    ] = field(default=None, kw_only=True)
    breaks: Breakers = ()
    via: Via = ()
    odds: Odds = None
    advance: Pursuit = ()


@dataclass(frozen=True, slots=True)
class Reserve(Order, text="reserve {units}", says="Put {units} into reserve"):
    """Put units of one hex into reserve: they move no more, and may advance in the Combat Phase (S42-25)."""

    sampled: ClassVar[bool] = True  # `legal` lists for each hex all that can

    units: tuple[UnitWord, ...]


@dataclass(frozen=True, slots=True)
class Pair(Order, text="pair {army} {box}", says="Pair {army} with box {box}, unseen"):
    """Pair a reserve army with a box, unseen (S42-34.1)."""

    army: UnitWord
    box: Annotated[int, BOX_WORDS]


@dataclass(frozen=True, slots=True)
class Remask(Order, text="remask {place}", says="Pair the reserve armies in {place} anew, or pretend to"):
    """Pair the reserve armies of a place anew, or pretend to (S42-34.1.2)."""

    place: Spot


@dataclass(frozen=True, slots=True)
class Assign(Order, text="assign {unit} {to}", says="Move {unit} to {to}"):
    """Move a unit into the box of a reserve army, or out of one into another or an Area (S42-34.4)."""

    unit: UnitWord
    to: Spot


@dataclass(frozen=True, slots=True)
class Show(Order, text="show {army} {box}", says="Show the empty box {box} of {army}"):
    """Show the empty box of a reserve army, so that it may go by rail (S42-34.3.2)."""

    army: UnitWord
    box: Annotated[int, BOX_WORDS]


@dataclass(frozen=True, slots=True)
class Reveal(Order, text="reveal {army} {box}", says="Show box {box} of {army}, and place its units"):
    """Show the box of a reserve army, and place its units where the army is (S42-34.4.2)."""

    army: UnitWord
    box: Annotated[int, BOX_WORDS]


@dataclass(frozen=True, slots=True)
class Sally(Order, text="sally {units}", says="Defend the reserve army with {units}"):
    """The units that come out of a box to defend a reserve army (S42-34.6.2)."""

    units: tuple[UnitWord, ...]


@dataclass(frozen=True, slots=True)
class Patrol(Order, text="flotilla {side}", says="Let the Volga Flotilla lie between the hexes {side}"):
    """Let the Volga Flotilla lie between two hexes, where it carries Soviet units like a ferry (S42-5.5.3b)."""

    side: Path


@dataclass(frozen=True, slots=True)
class Remove(Order, text="remove {unit}", says="Give up {unit}"):
    """Give up a unit where a retreat has left too many (S42-4.4)."""

    unit: UnitWord


# Combat


@dataclass(frozen=True, slots=True)
class Attack(
    Assault,
    text="attack {target} with {units} [at {least}] [air {air}] [guns {guns}] [break {breaks}] [via {via}] "
    "[odds {odds}] [advance {advance}] [after {after}] [unless {unless}] [ask]",
    says="Attack {target} with {units}",
):
    """List an attack: a hex, and the units that attack it.

    `at 3:1` or better, `after 1` if that is won; an `air` unit and `guns` add a column each.

    `guns`: a headquarters, or a supply point laid out with one; two artillery divisions, or one and the headquarters of
    a front, give two columns, after which the divisions are gone (S42-18.5).

    `break`: who breaks through, `via` these hexes; the group attacks whoever stands there, if its `odds` are such
    or better (S42-15), 3:1 if that is not said. After a hex that it attacks, the hex where it stands: it stays there.
    `advance`: each unit that advances, before the hexes that it enters (S42-14); it goes as far of it as it can.
    One that breaks through goes with the group as far as both ways agree.
    """

    target: Hex
    units: tuple[UnitWord, ...]
    least: Annotated[int | None, COLUMNS, LEAST_ODDS] = field(default=None, kw_only=True)
    air: Wing = field(default=None, kw_only=True)
    guns: Annotated[
        tuple[Annotated[int, GUNS], ...],
        OrderPart(
            "artillery",
            "One unit that adds a column: a headquarters or an artillery division fires, and is used until a resource "
            "point or a supply point makes it ready again (S42-18.2.1). A supply point laid out with one gives the "
            "same, but is spent: it leaves the map (S42-18.6.5). Only an artillery division fires with a second one, "
            "or with the headquarters of a front, and leaves the game (S42-18.5).",
            "supported by {}",
            weighs=True,
        ),
    ] = field(default=(), kw_only=True)
    breaks: Breakers = ()
    via: Via = ()
    odds: Odds = None
    advance: Pursuit = ()


@dataclass(frozen=True, slots=True)
class Commit(
    ListEntry,
    text="commit {units} to {target} [after {after}] [unless {unless}] [ask]",
    says="Use the Planned Offensives of {units} in the attack on {target}",
):
    """List before an attack that Planned Offensives of these headquarters go into it: a die more for each (S42-26).

    One that the attack does not use stays where it lies.
    """

    units: tuple[UnitWord, ...]
    target: Hex


@dataclass(frozen=True, slots=True)
class Activate(
    ListEntry, text="activate {advance} [after {after}] [unless {unless}] [ask]", says="Activate the reserve: {advance}"
):
    """List that a reserve is activated: each of its units before the hexes that it enters, two at most (S42-25.2.3)."""

    advance: Advancing


@dataclass(frozen=True, slots=True)
class Disengage(
    ListEntry,
    text="disengage {units} [back {hexes}] [via {via}] [after {after}] [unless {unless}] [ask]",
    says="Let {units} try to retreat",
):
    """List that a unit, or a whole stack by one roll, tries to retreat one hex or two (S42-27).

    `back`: how many, else two. `via`: the way, if it is open then; else a standing order says which.
    """

    units: tuple[UnitWord, ...]
    hexes: Annotated[int, OrderPart("hexes", "How many hexes it retreats; empty: two.", "by {} hex")] = 2
    via: Via = ()


@dataclass(frozen=True, slots=True)
class Choose(Order, text="die {face}", says="The die that counts is the {face}"):
    """Of the dice of a Planned Offensive, choose the one that counts (S42-26.2)."""

    face: int


@dataclass(frozen=True, slots=True)
class Reroll(Order, text="reroll {answer}", says="Have the dice rolled again: {answer}"):
    """Say whether a leader has the dice rolled again; then the second result stands (S42-28.1)."""

    answer: Annotated[str, ANSWERS]


@dataclass(frozen=True, slots=True)
class Spare(Order, text="spare {units}", says="Leave {units} out of the defence"):
    """The units beyond the limit of stacking, which do not help the defence (S42-15.3)."""

    units: tuple[UnitWord, ...]


@dataclass(frozen=True, slots=True)
class Lose(Order, text="lose {unit}", says="Lose a step of {unit}"):
    """The unit that loses a step (S42-10.2)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Keep(Order, text="keep {what}", says="Keep {what}"):
    """Of a unit that loses its second step of three, keep a `remnant`, or the whole unit in the `box` (S42-10.4)."""

    what: Annotated[str, REMAINS]


@dataclass(frozen=True, slots=True)
class Lead(Order, text="lead {unit}", says="{unit} leads determined defence"):
    """The unit that leads determined defence (S42-11.2)."""

    unit: UnitWord


@dataclass(frozen=True, slots=True)
class Cover(Order, text="cover [air {air}]"):
    """The air unit that helps the defence by a column, or none (S42-9.3.4)."""

    air: Wing = None


@dataclass(frozen=True, slots=True)
class Help(Order, text="support [by {unit}] [air {air}]"):
    """Who supports determined defence, a headquarters, a supply point or an air unit; or nobody does (S42-11.3)."""

    unit: Annotated[
        int | None, UNITS, OrderPart("unit", "The headquarters or supply point that supports it.", "with {}")
    ] = None
    air: Wing = None


@dataclass(frozen=True, slots=True)
class Enter(Order, text="enter {units}", says="Go into the city with {units}"):
    """The attackers that go into a city in which a City Battle begins (S42-29.1)."""

    units: tuple[UnitWord, ...]


@dataclass(frozen=True, slots=True)
class FallBack(Order, text="fall back {hexes}", says="Hexes to fall back: {hexes}"):
    """Retreat one hex or two in a delay (S42-11.6.1)."""

    hexes: int


@dataclass(frozen=True, slots=True)
class Break(Order, text="break {units} via {via} [odds {odds}]", says="Break through with {units} by {via}"):
    """Break through as a group, by these hexes, and attack whoever stands there at such odds (S42-15)."""

    sampled: ClassVar[bool] = True  # `legal` lists ways of one hex

    units: tuple[UnitWord, ...]
    via: Path
    odds: Odds = None


@dataclass(frozen=True, slots=True)
class Follow(Order, text="advance {unit} {path}", says="Advance with {unit} to {path}"):
    """Advance after combat (S42-14)."""

    unit: UnitWord
    path: Course


# Retreats


@dataclass(frozen=True, slots=True)
class GoBack(Order, text="retreat {units} {path}", says="Retreat {units} to {path}"):
    """Retreat these units, together, by these hexes (S42-12)."""

    units: tuple[UnitWord, ...]
    path: Course


# Supply


@dataclass(frozen=True, slots=True)
class Repair(Order, text="railhead {start} {path}", says="Move the railhead of {start} to {path}"):
    """Move the railhead of a hex along the railway (S42-17.2)."""

    start: Hex
    path: Annotated[tuple[Hex, ...], "-"]


@dataclass(frozen=True, slots=True)
class Ready(Order, text="ready {unit} with {supply}", says="Make {unit} ready with the supply point {supply}"):
    """Spend a supply point to make artillery support ready (S42-18.6.4)."""

    unit: UnitWord
    supply: UnitWord
