"""Events, in names that players know, each with its sentence in a report."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit import Assailed, DrivenBack, Told, Went, all_of, hex_name, many
from pbem_rules.stalingrad42.chart import AXIS, SOVIET
from pbem_rules.stalingrad42.orders import place_name
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, ROUTED

SIDE_NAMES = {AXIS: "The Axis", SOVIET: "The Soviets"}
ORDER_NAMES = {GOOD: "in good order", DISRUPTED: "disrupted", ROUTED: "in Full Retreat"}


def way(path: tuple[int, ...]) -> str:
    return " > ".join(map(place_name, path))


# Turns, victory


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementBegan(Told, says="Nothing is left to do in the Initial Phase: movement begins."):
    """S42-3.B1: the Initial Phase has ended by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Told):
    """`points`: the victory points of the Axis as they stand."""

    turn: int
    date: str
    points: int

    def words(self) -> str:
        return f"Turn {self.turn}, {self.date}. The Axis has {many(self.points, 'victory point')}."


WEATHER_NAMES = {"overcast_winter": "overcast, in winter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherCame(Told):
    """S42-23.1."""

    weather: str
    mud: bool

    def words(self) -> str:
        return f"Weather: {WEATHER_NAMES.get(self.weather, self.weather)}{', with mud' * self.mud}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBegan(Told):
    """S42-3.B, S42-3.C: a player turn."""

    turn: int
    side: str

    def words(self) -> str:
        return f"{SIDE_NAMES[self.side]}, turn {self.turn}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FortsGivenUp(Told, says="{group}: given up for good."):
    """S42-9.7.7."""

    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Told):
    side: str
    points: int

    def words(self) -> str:
        winner = f"{SIDE_NAMES[self.side]} win{'s' * (self.side == AXIS)}"
        return f"{winner}. The Axis has {many(self.points, 'victory point')}."


# The Initial Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Told):
    """S42-22.1, S42-18.1d: units in an Area."""

    units: tuple[str, ...]
    area: int

    def words(self) -> str:
        verb = "arrives" if len(self.units) == 1 else "arrive"
        where = place_name(self.area)
        return f"{all_of(self.units)} {verb} {'in' if where.startswith('Area') else 'at the'} {where}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Enlisted(Told, says="{unit}, volunteers, arrive in {hex}."):
    """S42-20.8."""

    unit: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evacuated(Told):
    """S42-24.1.3a, S42-23.4e."""

    units: tuple[str, ...]
    area: int
    start: str = "the Area of Baku"
    disrupted: bool = True

    def words(self) -> str:
        verb = "leaves" if len(self.units) == 1 else "leave"
        after = ", disrupted" * self.disrupted
        return f"{all_of(self.units)} {verb} {self.start} for {place_name(self.area)}{after}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled(Told, says="{unit} leaves for another front."):
    """S42-32: to another front, out of the game. `place`: where it was."""

    unit: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled(Told):
    """S42-32.1c, S42-32.2c: a step of a unit that has left."""

    unit: str
    place: int

    def words(self) -> str:
        return f"{self.unit} in {place_name(self.place)} gets a step from the units that have left."


@dataclass(frozen=True, slots=True, kw_only=True)
class Upgraded(Told):
    """S42-32.4, S42-32.5: a step more, or another unit in its place."""

    unit: str
    by: str
    place: int

    def words(self) -> str:
        where = place_name(self.place)
        return f"{self.by} takes the place of {self.unit} in {where}." if self.by else f"{self.unit} gains a step."


@dataclass(frozen=True, slots=True, kw_only=True)
class OffensiveBegan(Told):
    """S42-33.1, S42-33.2.1: `posts`: where supply points have been laid, `plans`: where Planned Offensives."""

    posts: tuple[str, ...]
    plans: tuple[str, ...]

    def words(self) -> str:
        laid = f" Supply points lie ready with {all_of(self.posts)}." if self.posts else ""
        laid += f" Planned Offensives lie ready with {all_of(self.plans)}." if self.plans else ""
        return f"The Soviet Winter Offensive begins. From the next turn on the Soviets play first.{laid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RailheadPlaced(Told, says="The railhead is placed in {hex}."):
    """S42-S2.2g."""

    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FortBuilt(Told):
    """S42-9.7.2: a fort is begun, or complete."""

    side: str
    hex: int
    complete: bool

    def words(self) -> str:
        what = "is complete" if self.complete else "is begun"
        return f"{SIDE_NAMES[self.side]}: the fort in {hex_name(self.hex)} {what}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved(Told):
    """S42-25.2.1."""

    units: tuple[str, ...]
    hex: int

    def words(self) -> str:
        verb = "is" if len(self.units) == 1 else "are"
        return f"{all_of(self.units)} in {hex_name(self.hex)} {verb} in reserve."


@dataclass(frozen=True, slots=True, kw_only=True)
class FlotillaMoved(Told):
    """S42-5.5.3b."""

    hexes: tuple[int, ...]

    def words(self) -> str:
        return f"The Volga Flotilla lies between {' and '.join(map(hex_name, self.hexes))}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FortRazed(Told):
    """S42-9.7.5a: by its owner."""

    side: str
    hex: int

    def words(self) -> str:
        return f"{SIDE_NAMES[self.side]}: the fort in {hex_name(self.hex)} is removed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Refitted(Told, says="{unit} is ready, for a resource point."):
    """S42-18.1c."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed(Told):
    """S42-21: a step `by` this kind of replacement. `back`: out of the Eliminated Box."""

    unit: str
    place: int
    by: str
    back: bool

    def words(self) -> str:
        what = "comes back" if self.back else "regains a step"
        spent = f", for a replacement: {self.by}" if self.by else ""
        return f"{self.unit} {what} in {place_name(self.place)}{spent}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLaid(Told, says="A Planned Offensive is laid on {unit}, for a resource point."):
    """S42-26.1."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanReady(Told, says="The Planned Offensive of {unit} is ready."):
    """S42-26.2c."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLost(Told, says="{unit} has retreated or moved too far: its Planned Offensive is lost."):
    """S42-26.2b."""

    unit: str


# Movement

GOES = {
    "move": "moves",
    "extended": "goes on extended movement",
    "tactical": "moves tactically",
    "withdraw": "goes into Full Retreat",
    "rail": "goes by rail",
    "sail": "goes by sea",
    "transfer": "goes round",
    "exit": "leaves the map",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Went):
    """`how`: a key of `GOES`. `taken`: hexes that changed hands on the way. `order`: what the unit is in afterwards."""

    how: str
    taken: tuple[int, ...] = ()
    order: int = GOOD

    def words(self) -> str:
        took = f", and takes {all_of(map(hex_name, self.taken))}" if self.taken else ""
        went = f", {way(self.path)}" if len(self.path) > 1 else ""
        tired = "; it is now disrupted" if self.order == DISRUPTED else ""
        return f"{self.unit} {GOES[self.how]}{went}{took}{tired}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned(Told, says="{unit} is {side}."):
    """S42-18.6.2: the side of a supply point that shows."""

    unit: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stormed(Assailed):
    """S42-8.6: an automatic DS."""

    defenders: tuple[str, ...]
    odds: str

    def words(self) -> str:
        ending = "s" * (len(self.units) == 1)
        return f"{all_of(self.units)} overrun{ending} {hex_name(self.hex)} at {self.odds}: automatic DS."


@dataclass(frozen=True, slots=True, kw_only=True)
class Freed(Told, says="{units} may move from now on."):
    """S42-20.4, S42-20.6, S42-31: units that may move from now on."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrun(Told):
    """S42-19.2c, S42-9.7.5b: what cannot fight is removed when an enemy comes."""

    hex: int
    units: tuple[str, ...] = ()
    fort: bool = False

    def words(self) -> str:
        lost = all_of((*self.units, *("the fort",) * self.fort))
        return f"{lost} in {hex_name(self.hex)} {'are' if len(self.units) + self.fort > 1 else 'is'} removed."


@dataclass(frozen=True, slots=True, kw_only=True)
class RailheadBack(Told):
    """S42-17.3.1."""

    start: int
    to: int

    def words(self) -> str:
        return f"The railhead in {hex_name(self.start)} is thrown back to {hex_name(self.to)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed(Told, says="{unit} is given up, since too many stand in {hex}."):
    """S42-4.4: for want of room."""

    unit: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired(Told, says="{unit} is paired with a box."):
    """S42-34.1: a reserve army has a box; nobody else knows which."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remasked(Told, says="{units} are paired anew."):
    """S42-34.1.2b."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned(Told):
    """S42-34.4: a unit goes into a box or out of one. `start`: -1 if units come out to defend."""

    unit: str
    start: int
    to: int

    def words(self) -> str:
        to = place_name(self.to)
        if self.start < 0:
            return f"Out of the box of a reserve army {self.unit} come to defend {to}."
        return f"{self.unit} goes from {place_name(self.start)} to {to}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmasked(Told):
    """S42-34.6.2: the box of a reserve army is shown. `lost`: units that are lost with it."""

    unit: str
    box: int
    lost: tuple[str, ...] = ()

    def words(self) -> str:
        gone = f", and with it are lost {all_of(self.lost)}" if self.lost else ""
        return f"{self.unit} has box {self.box}{gone}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Disbanded(Told):
    """S42-34.7."""

    unit: str
    units: tuple[str, ...]
    place: int

    def words(self) -> str:
        place = place_name(self.place)
        left = f"; {all_of(self.units)} stand in {place} now" if self.units else ""
        return f"{self.unit} in {place} is removed{left}."


# Combat


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Assailed):
    """S42-8.3: an attack and its result. `die`: the one that counts, 0 at ten to one; `dice`: all, if several."""

    defenders: tuple[str, ...]
    odds: str
    die: int
    result: str
    dice: tuple[int, ...] = ()

    def words(self) -> str:
        ending, rolled = "s" * (len(self.units) == 1), f"Die {self.die}" if self.die else "No die"
        if self.dice:
            rolled = f"Dice {all_of(map(str, self.dice))}, of which {self.die} counts"
        return f"{all_of(self.units)} attack{ending} {hex_name(self.hex)}: {self.odds}. {rolled}: {self.result}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUsed(Told):
    """S42-26.2d: headquarters whose Planned Offensives go into an attack."""

    units: tuple[str, ...]
    hex: int

    def words(self) -> str:
        return (
            f"Planned Offensive of {all_of(self.units)}: {len(self.units)} more to roll against {hex_name(self.hex)}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerolled(Told, says="{told}. {unit} has it rolled again."):
    """S42-28.1: what a leader does not let stand."""

    unit: str
    hex: int
    told: str


DISENGAGES = {"no": "it fails", "cost": "it succeeds, for a step", "yes": "it succeeds"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Disengaged(Told):
    """S42-27: an attempt; `result`: a key of `DISENGAGES`."""

    units: tuple[str, ...]
    hex: int
    die: int
    more: int
    result: str

    def words(self) -> str:
        many = "s" * (len(self.units) == 1)
        rolled = f"die {self.die}, with {self.more:+}: {DISENGAGES[self.result]}"
        return f"{all_of(self.units)} tr{'ies' if many else 'y'} to disengage from {hex_name(self.hex)}, {rolled}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Told):
    """S42-11: a roll of determined defence. `more`: what was added; `desperate`: S42-11.5."""

    unit: str
    hex: int
    die: int
    more: int
    outcome: str
    desperate: bool = False

    def words(self) -> str:
        how = "desperate defence" if self.desperate else "determined defence"
        brings = {"S": "the retreat is cancelled", "P": "partial success", "F": "it fails"}[self.outcome]
        return f"{self.unit} leads {how} of {hex_name(self.hex)}, die {self.die}, with {self.more:+}: {brings}."


@dataclass(frozen=True, slots=True, kw_only=True)
class CityBattle(Told, says="City Battle {level} in {hex}: the retreat is cancelled."):
    """S42-11.6.2."""

    hex: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GunsGone(Told, says="{unit} has fired a massive barrage, and is out of the game."):
    """S42-18.5b."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CityEntered(Told):
    """S42-29.1.1a."""

    units: tuple[str, ...]
    hex: int

    def words(self) -> str:
        enter = "enters" if len(self.units) == 1 else "enter"
        return f"{all_of(self.units)} {enter} {hex_name(self.hex)}, which is contested."


@dataclass(frozen=True, slots=True, kw_only=True)
class CityLeft(Told, says="The City Battle in {hex} is over: those who came into it must leave."):
    """S42-29.1.3c."""

    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flew(Told):
    """S42-9.3: an air unit has helped an attack, or a defence, which uses it up."""

    air: str
    hex: int
    defends: bool

    def words(self) -> str:
        return f"{self.air} flies over {hex_name(self.hex)}{', and is used up' if self.defends else ''}."


@dataclass(frozen=True, slots=True, kw_only=True)
class GunsUsed(Told):
    """S42-18.3: `spent`: a supply point that is gone."""

    unit: str
    spent: bool

    def words(self) -> str:
        return f"{self.unit} {'is spent' if self.spent else 'has been used'} for artillery support."


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(Went):
    """S42-14."""

    taken: tuple[int, ...] = ()

    def words(self) -> str:
        took = f", and takes {all_of(map(hex_name, self.taken))}" if self.taken else ""
        return f"{self.unit} advances, {way(self.path)}{took}."


@dataclass(frozen=True, slots=True, kw_only=True)
class StayedBehind(Told):
    """S42-14: a unit that was to advance, and cannot."""

    unit: str
    hex: int
    to: int

    def words(self) -> str:
        where = place_name(self.hex)
        return f"{self.unit} stays in {where}: {hex_name(self.to)} is too far, barred, or full."


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokeThrough(Told):
    """S42-15.2: a step of a breakthrough."""

    units: tuple[str, ...]
    path: tuple[int, ...]
    taken: tuple[int, ...] = ()

    def words(self) -> str:
        took = f", and take{'s' * (len(self.units) == 1)} {all_of(map(hex_name, self.taken))}" if self.taken else ""
        return f"{all_of(self.units)} break{'s' * (len(self.units) == 1)} through, {way(self.path)}{took}."


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakthroughEnded(Told, says="The breakthrough of {units} ends in {hex}: {why}."):
    """S42-15.2: a group that does not go its way to the end, and why."""

    units: tuple[str, ...]
    hex: int
    why: str


# Losses and retreats


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreated(DrivenBack):
    """S42-12: from the first hex of the path on. `orders`: what each unit is in afterwards."""

    orders: tuple[int, ...]

    def words(self) -> str:
        found: dict[int, list[str]] = {}
        for unit, order in zip(self.units, self.orders, strict=True):
            found.setdefault(order, []).append(unit)
        now = all_of(
            f"{all_of(units)} {'is' if len(units) == 1 else 'are'} now {ORDER_NAMES[order]}"
            for order, units in found.items()
        )
        return f"{all_of(self.units)} retreat{'s' * (len(self.units) == 1)}: {way(self.path)}. {now}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Trapped(Told):
    """S42-12.2: units that have no way back."""

    units: tuple[str, ...]
    hex: int

    def words(self) -> str:
        verb = "are" if len(self.units) > 1 else "is"
        return f"{all_of(self.units)} in {hex_name(self.hex)} cannot retreat and {verb} destroyed."


# Recovery and supply


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered(Told):
    """S42-13.4: what a unit is in now. `die`: beside the enemy, else 0."""

    unit: str
    hex: int
    die: int
    order: int

    def words(self) -> str:
        rolled = f", die {self.die}" if self.die else ""
        return f"{self.unit} in {place_name(self.hex)}{rolled}: {ORDER_NAMES[self.order]}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Starved(Told):
    """S42-16.5: the roll of an isolated unit. `more`: what helps it."""

    unit: str
    hex: int
    die: int
    more: int
    steps: int

    def words(self) -> str:
        loses = "it loses a step" if self.steps else "it holds out"
        return f"{self.unit}, isolated in {hex_name(self.hex)}, rolls {self.die}, with {self.more:+}: {loses}."


@dataclass(frozen=True, slots=True, kw_only=True)
class RailheadOn(Told):
    """S42-17.2. `placed`: junctions where another railhead is placed."""

    start: int
    path: tuple[int, ...]
    placed: tuple[int, ...]

    def words(self) -> str:
        more = f" Another is placed in {all_of(map(hex_name, self.placed))}." if self.placed else ""
        return f"The railhead goes on, {way((self.start, *self.path))}.{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Readied(Told, says="{supply} is spent: {unit} is ready."):
    """S42-18.6.4."""

    unit: str
    supply: str
