"""Redoubt: ten hexes, four units a side, a list of fights, stances. Written as an author would, with game and kit.

```
 0101      0301      0501      Red holds the two columns in the west, Blue the two in the east. Both towns, Marl (0101)
      0201      0401           and Kell (0501), are worth two points, other hexes of the enemy's half one.
 0102      0302      0502
      0202      0402
```

RD-1 A turn: the side moves, lists its fights, and they are fought. Eight turns; most points win.
RD-2 A unit moves one hex, once; two units of a side fit into a hex, none where the enemy is.
RD-2.1 Three times as strong as the enemy beside it, a stack drives it back one hex instead of moving; nobody is asked.
RD-3 Units attack one hex beside them; each attacks once, each hex is attacked once, but for RD-3.4.
RD-3.1 Strengths as 1:2, 1:1, 2:1, 3:1; the gun, once a turn, shifts one column right. Below 1:2 nobody attacks.
RD-3.2 Stances: `give` falls back a hex before the die; `hold` loses a step where it would retreat; else `flexible`.
RD-3.3 One attacker may take an emptied hex; the entry names it, or nobody does.
RD-3.4 A unit that has just advanced may break through: attack once more, whatever it has done.
RD-4 A unit that has not fought may rest: it gets its lost step back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, ClassVar

from pbem.game import (
    DONE,
    RETURN,
    STAY,
    Ask,
    Auto,
    Call,
    Draw,
    End,
    Event,
    Frame,
    Game,
    Known,
    Next,
    Order,
    Out,
    RandomBot,
    Result,
    Roll,
    Seat,
    Sequence,
    Setup,
    View,
    Violation,
    Words,
)
from pbem.kit import (
    ASKED,
    Assault,
    Clash,
    Defence,
    EntryKind,
    FightList,
    Fights,
    InFight,
    ListEntry,
    NextFight,
    PlaceNames,
    board_of,
    hex_name,
)

MAP = {
    "name": "Ten hexes",
    "provenance": "ours",
    "grid": {"columns": 5, "rows": 2},
    "terrain": {"clear": "."},
    "rows": [".....", "....."],
    "hexes": [{"hex": "0101", "name": "Marl"}, {"hex": "0501", "name": "Kell"}],
}
BOARD = board_of(MAP)
HEX = Words({place: hex_name(place) for place in BOARD.places}, "hex")
START = {1: 102, 2: 201, 3: 201, 4: 202, 5: 402, 6: 401, 7: 401, 8: 501}
UNITS = {number: f"{'r' if number < 5 else 'b'}{number}" for number in START}
UNIT = Words(UNITS, "unit")
STRENGTH = {1: 2, 2: 3, 3: 3, 4: 4, 5: 2, 6: 3, 7: 3, 8: 2}
COLUMNS = ("1:2", "1:1", "2:1", "3:1")
COLUMN = Words(dict(enumerate(COLUMNS)), "column")
# a: the attacker loses a step, d: the defender does, r: the defender retreats
TABLE = {
    "1:2": ("a", "a", "a", "", "r", "ad"),
    "1:1": ("a", "a", "", "r", "r", "ad"),
    "2:1": ("a", "", "r", "r", "ad", "d"),
    "3:1": ("", "r", "r", "r", "d", "rd"),
}
WORTH = {place: 2 if BOARD[place].name else 1 for place in BOARD.places if place // 100 != 3}
TURNS = 8


def other(seat: str) -> str:
    return "blue" if seat == "red" else "red"


def owner(unit: int) -> str:
    return "red" if unit < 5 else "blue"


@dataclass
class Field:
    asked: str = "no"
    turn: int = 1
    active: str = "red"
    listing: bool = False  # the side's fights are carried out: the enemy's stances stand
    at: dict[int, int] = field(default_factory=lambda: dict(START))
    worn: set[int] = field(default_factory=set)  # have lost a step
    moved: set[int] = field(default_factory=set)
    fought: set[int] = field(default_factory=set)
    attacked: set[int] = field(default_factory=set)
    advanced: int = 0  # has just taken a hex
    gun: bool = True

    def units(self, place: int, seat: str = "") -> list[int]:
        return [unit for unit, at in self.at.items() if at == place and owner(unit) in (seat or owner(unit))]

    def holder(self, place: int) -> str:
        return next((owner(unit) for unit in self.units(place)), "")

    def strength(self, units: Iterable[int]) -> int:
        return sum(STRENGTH[unit] - (unit in self.worn) for unit in units)

    def lose(self, unit: int, out: Out, rule: str) -> None:
        gone = unit in self.worn
        (self.worn.discard if gone else self.worn.add)(unit)
        if gone:
            del self.at[unit]
        out.add(Told(f"{UNITS[unit]} {'is lost' if gone else 'loses a step'}.", rule=rule))

    def back(self, unit: int) -> list[int]:
        """Where it may fall back to: free, or its own with room, and no nearer to the enemy's side."""
        seat, here = owner(unit), self.at[unit]
        east = (lambda place: place) if seat == "blue" else (lambda place: -place)
        near = [place for place in BOARD.near[here] if east(place // 100) >= east(here // 100)]
        return [place for place in near if self.holder(place) in ("", seat) and len(self.units(place)) < 2]


@dataclass(frozen=True, slots=True)
class Told(Event):
    text: str


@dataclass(slots=True, kw_only=True)
class Turn(Fights):
    turn: ClassVar[bool] = True
    seat: str = "red"
    entries: list[Attack | Break | Rest] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Fight(Clash):
    target: int
    units: tuple[int, ...]
    advance: int = 0
    gun: bool = False
    result: str = ""
    won: bool = False


@dataclass(slots=True)
class Driven(Frame):
    """Units that are driven back in the enemy's movement, one after another."""

    seat: str
    units: list[int]


@dataclass(slots=True)
class War(Frame):
    pass


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {unit} {to}"):
    unit: Annotated[int, UNIT]
    to: Annotated[int, HEX]


@dataclass(frozen=True, slots=True)
class Drive(Order, text="drive {target}"):
    target: Annotated[int, HEX]


@dataclass(frozen=True, slots=True)
class Halt(Order, text="halt"):
    pass


@dataclass(frozen=True, slots=True)
class Attack(
    Assault,
    text="attack {target} with {units} [at {least}] [gun] [advance {advance}] [after {after}] [unless {unless}] [ask]",
):
    target: Annotated[int, HEX]
    units: Annotated[tuple[int, ...], UNIT]
    least: Annotated[int | None, COLUMN] = field(default=None, kw_only=True)
    advance: Annotated[int, UNIT] = 0
    gun: bool = False


@dataclass(frozen=True, slots=True)
class Break(Assault, text="break {target} with {unit} [at {least}] [go] [after {after}] [unless {unless}] [ask]"):
    target: Annotated[int, HEX]
    unit: Annotated[int, UNIT]
    least: Annotated[int | None, COLUMN] = field(default=None, kw_only=True)
    go: bool = False  # take the hex


@dataclass(frozen=True, slots=True)
class Rest(ListEntry, text="rest {unit} [after {after}] [unless {unless}] [ask]"):
    unit: Annotated[int, UNIT]


@dataclass(frozen=True, slots=True)
class Lose(Order, text="lose {unit}"):
    unit: Annotated[int, UNIT]


@dataclass(frozen=True, slots=True)
class Back(Order, text="back {unit} {to}"):
    unit: Annotated[int, UNIT]
    to: Annotated[int, HEX]


@dataclass(frozen=True, slots=True)
class Take(Order, text="take {unit}"):
    """Take the empty hex with a unit; 0: with none."""

    unit: Annotated[int, Words({0: "nobody", **UNITS}, "unit")]


# The turn


class Sides(Auto[Field, War]):
    rule = "RD-1"

    def run(self, s: Field, f: War, out: Out) -> Next:
        if s.turn > TURNS or len({owner(unit) for unit in s.at}) < 2:
            held = {"red": 0, "blue": 0}
            for place, worth in WORTH.items():
                own = "red" if place // 100 < 3 else "blue"
                if s.holder(place) == other(own):
                    held[other(own)] += worth
            red, blue = held["red"], held["blue"]
            winner = None if red == blue else max(held, key=lambda side: held[side])
            return End(Result(winner, "points", (("blue", blue), ("red", red))))
        seat = s.active = "red" if s.turn % 2 else "blue"
        s.moved.clear()
        s.fought.clear()
        s.attacked.clear()
        s.gun, s.listing = True, False
        return Call(Turn(seat=seat), again=True)

    def back(self, s: Field, f: War, done: Turn, out: Out) -> None:
        s.turn += 1


class Moving(Ask[Field, Turn, Move | Drive | Halt]):
    rule = "RD-2"
    no = "A unit moves once, one hex, to where there is room and no enemy"

    def options(self, s: Field, f: Turn, seat: str) -> Iterator[Move | Drive | Halt]:
        yield Halt()
        for unit, at in s.at.items():
            if owner(unit) == seat and unit not in s.moved:
                for place in BOARD.near[at]:
                    if s.holder(place) in ("", seat) and len(s.units(place)) < 2:
                        yield Move(unit, place)
        yield from (Drive(place) for place in BOARD.places if self._drives(s, seat, place))

    @staticmethod
    def _drives(s: Field, seat: str, place: int) -> bool:
        stacks = [s.units(near, seat) for near in BOARD.near[place]]
        strong = max((s.strength(u for u in stack if u not in s.moved) for stack in stacks), default=0)
        return s.holder(place) == other(seat) and strong >= 3 * s.strength(s.units(place))

    def do(self, s: Field, f: Turn, seat: str, order: Move | Drive | Halt, out: Out) -> Next:
        if isinstance(order, Halt):
            return DONE
        if isinstance(order, Move):
            s.moved.add(order.unit)
            s.at[order.unit] = order.to
            return STAY
        near = [s.units(place, seat) for place in BOARD.near[order.target]]
        s.moved.update(max(near, key=s.strength))
        return Call(Driven(other(seat), s.units(order.target)), again=True)


class FallingBack(Ask[Field, Driven, Back]):
    """RD-2.1: nobody is asked in the enemy's movement."""

    rule = "RD-2.1"
    no = "A unit that is driven back goes one hex back"
    default = "then north"
    answer_names = ("north", "south")

    def asks(self, s: Field, f: Driven, seat: str) -> bool:
        return False

    def by(self, s: Field, f: Driven) -> tuple[str, ...]:
        return (f.seat,) if any(s.back(unit) for unit in f.units) else ()

    def options(self, s: Field, f: Driven, seat: str) -> Iterator[Back]:
        return (Back(unit, place) for unit in f.units for place in s.back(unit))

    def do(self, s: Field, f: Driven, seat: str, order: Back, out: Out) -> Next:
        f.units.remove(order.unit)
        s.at[order.unit] = order.to
        return STAY

    def answers(self, s: Field, f: Driven, seat: str, own: Known) -> Mapping[str, Back]:
        ways = sorted(self.options(s, f, seat), key=lambda way: (way.to % 100, way.to, way.unit))
        return {"north": ways[0], "south": ways[-1]}


class Caught(Auto[Field, Driven]):
    rule = "RD-2.1"

    def run(self, s: Field, f: Driven, out: Out) -> Next:
        for unit in f.units:
            s.lose(unit, out, self.rule)
        return RETURN


# The list


def column_of(s: Field, units: Iterable[int], target: int, *, gun: bool = False) -> int:
    """RD-3.1."""
    attack, defence = s.strength(units), s.strength(s.units(target))
    found = -1 if 2 * attack < defence else 0 if attack < defence else min(attack // max(defence, 1), 3)
    return min(found + gun, 3)


def unfit(s: Field, seat: str, units: Iterable[int], target: int) -> Violation | None:
    for unit in units:
        if unit not in s.at or target not in BOARD.near[s.at[unit]]:
            return Violation("RD-3", f"{UNITS[unit]} does not stand beside {hex_name(target)}")
    if s.holder(target) != other(seat):
        return Violation("RD-3", f"{hex_name(target)} is empty")
    return None


class Attacks(EntryKind[Field, Turn, Attack]):
    rule = "RD-3"

    def legal(self, s: Field, f: Turn, seat: str) -> Iterator[Attack]:
        listed = {unit for entry in f.entries if isinstance(entry, Attack) for unit in entry.units}
        for target in BOARD.places:
            if s.holder(target) != other(seat):
                continue
            near = [u for place in BOARD.near[target] for u in s.units(place, seat) if u not in listed]
            for size in range(len(near), 0, -1):
                for units in combinations(sorted(near), size):
                    order = Attack(target, units, advance=units[0])
                    if self.now(s, f, order) is None:
                        yield order

    def form(self, s: Field, f: Turn, entry: Attack, proof: Known) -> Violation | None:
        if not entry.units or list(entry.units) != sorted(set(entry.units)):
            return Violation("RD-3", "An attack names its units, each once, in their order")
        if any(unit not in UNITS or owner(unit) != f.seat for unit in entry.units) or entry.target not in BOARD:
            return Violation("RD-3", "Units of yours attack a hex of the map")
        if entry.advance and entry.advance not in entry.units:
            return Violation("RD-3.3", "One of the attackers advances")
        return None

    def now(self, s: Field, f: Turn, entry: Attack) -> Violation | None:
        if tired := [unit for unit in entry.units if unit in s.fought]:
            return Violation("RD-3", f"{UNITS[tired[0]]} has attacked in this turn")
        if entry.target in s.attacked:
            return Violation("RD-3", f"{hex_name(entry.target)} has been attacked in this turn")
        if entry.gun and not s.gun:
            return Violation("RD-3.1", "The gun has fired in this turn")
        found = unfit(s, f.seat, entry.units, entry.target)
        if found is None and column_of(s, entry.units, entry.target, gun=entry.gun) < 0:
            return Violation("RD-3.1", "The odds are less than 1:2")
        return found

    def column(self, s: Field, f: Turn, entry: Attack) -> int:
        return column_of(s, entry.units, entry.target, gun=entry.gun)

    def column_name(self, s: Field, column: int) -> str:
        return COLUMNS[column] if column >= 0 else "less than 1:2"

    def start(self, s: Field, f: Turn, entry: Attack, out: Out) -> Frame:
        s.listing = True
        s.fought.update(entry.units)
        s.attacked.add(entry.target)
        s.gun = s.gun and not entry.gun
        s.advanced = 0
        return Fight(
            seat=f.seat, ask=entry.ask, target=entry.target, units=entry.units, advance=entry.advance, gun=entry.gun
        )

    def won(self, s: Field, f: Turn, entry: Attack, done: Fight) -> bool:
        return done.won


class Breaks(EntryKind[Field, Turn, Break]):
    """RD-3.4"""

    rule = "RD-3.4"

    def legal(self, s: Field, f: Turn, seat: str) -> Iterator[Break]:
        for number, entry in enumerate(f.entries, start=1):
            if isinstance(entry, Attack) and entry.advance and len(f.entries) < 6:
                yield from (Break(place, entry.advance, after=number) for place in BOARD.near[entry.target])

    def form(self, s: Field, f: Turn, entry: Break, proof: Known) -> Violation | None:
        if entry.unit not in UNITS or owner(entry.unit) != f.seat or entry.target not in BOARD:
            return Violation(self.rule, "A unit of yours attacks a hex of the map")
        named = f.entries[entry.after - 1] if entry.after else None
        if getattr(named, "advance", getattr(named, "unit", 0)) != entry.unit:
            return Violation(self.rule, "A breakthrough names the attack in which its unit advances: `after 1`")
        return None

    def now(self, s: Field, f: Turn, entry: Break) -> Violation | None:
        if s.advanced != entry.unit:
            return Violation(self.rule, f"{UNITS[entry.unit]} has not just advanced")
        return unfit(s, f.seat, (entry.unit,), entry.target)

    def column(self, s: Field, f: Turn, entry: Break) -> int:
        return column_of(s, (entry.unit,), entry.target)

    def column_name(self, s: Field, column: int) -> str:
        return COLUMNS[column] if column >= 0 else "less than 1:2"

    def start(self, s: Field, f: Turn, entry: Break, out: Out) -> Frame:
        s.advanced = 0
        advance = entry.unit if entry.go else 0
        return Fight(seat=f.seat, ask=entry.ask, target=entry.target, units=(entry.unit,), advance=advance)

    def won(self, s: Field, f: Turn, entry: Break, done: Fight) -> bool:
        return done.won


class Rests(EntryKind[Field, Turn, Rest]):
    rule = "RD-4"

    def legal(self, s: Field, f: Turn, seat: str) -> Iterator[Rest]:
        for unit in s.at:
            if owner(unit) == seat and Rest(unit) not in f.entries and self.now(s, f, Rest(unit)) is None:
                yield Rest(unit)

    def form(self, s: Field, f: Turn, entry: Rest, proof: Known) -> Violation | None:
        own = entry.unit in UNITS and owner(entry.unit) == f.seat
        return None if own else Violation(self.rule, "A unit of yours rests")

    def now(self, s: Field, f: Turn, entry: Rest) -> Violation | None:
        if entry.unit in s.fought or entry.unit not in s.worn:
            return Violation(self.rule, f"{UNITS[entry.unit]} has fought, or has lost no step")
        return None

    def start(self, s: Field, f: Turn, entry: Rest, out: Out) -> None:
        s.worn.remove(entry.unit)
        out.add(Told(f"{UNITS[entry.unit]} rests.", rule=self.rule))


class Listing(FightList[Field, Turn]):
    rule = "RD-3"
    kinds = (Attacks, Breaks, Rests)


class Fighting(NextFight[Field, Turn]):
    rule = "RD-3"
    listing = Listing


# One fight


class Standing(Defence[Field, Fight]):
    rule = "RD-3.2"
    stances = ("hold", "flexible", "give")
    default = "then flexible"
    fact_names = ("column", "hex")

    def by(self, s: Field, f: Fight) -> tuple[str, ...]:
        return (other(f.seat),)

    def may_change(self, s: Field, seat: str) -> bool:
        return s.active == seat or not s.listing

    def offered(self, s: Field, f: Fight, seat: str) -> Iterator[str]:
        yield from ("hold", "flexible")
        if all(s.back(unit) for unit in s.units(f.target)):
            yield "give"

    def facts(self, s: Field, f: Fight, seat: str, own: Known) -> Mapping[str, int]:
        return {"column": column_of(s, f.units, f.target, gun=f.gun), "hex": f.target}


class Rolling(Roll[Field, Fight]):
    rule = "RD-3.1"

    def when(self, s: Field, f: Fight) -> bool:
        return f.stance != "give"

    def draws(self, s: Field, f: Fight) -> tuple[Draw, ...]:
        return (Draw(f"t{s.turn}/{hex_name(f.target)}", 6),)

    def run(self, s: Field, f: Fight, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((die,),) = got.values()
        column = max(column_of(s, f.units, f.target, gun=f.gun), 0)
        f.result = TABLE[COLUMNS[column]][die - 1]
        out.add(Told(f"{hex_name(f.target)} at {COLUMNS[column]}, {f.stance}: {die}.", rule=self.rule))
        return DONE


class Losing(InFight[Field, Fight, Lose]):
    """Who loses a step is its owner's choice, the attacker's first."""

    rule = "RD-3.1"
    takes = (Lose,)
    default = "then weakest"
    answer_names = ("strongest", "weakest")

    def by(self, s: Field, f: Fight) -> tuple[str, ...]:
        seat = f.seat if "a" in f.result else other(f.seat)
        hold = f.stance == "hold" and "r" in f.result
        return (seat,) if ("a" in f.result or "d" in f.result or hold) and self._units(s, f, seat) else ()

    @staticmethod
    def _units(s: Field, f: Fight, seat: str) -> list[int]:
        return [unit for unit in f.units if unit in s.at] if seat == f.seat else s.units(f.target)

    def legal(self, s: Field, f: Fight, seat: str, own: Known) -> Iterator[Lose]:
        return map(Lose, self._units(s, f, seat))

    def check(self, s: Field, f: Fight, seat: str, order: Lose, proof: Known) -> Violation | None:
        own = order.unit in self._units(s, f, seat)
        return None if own else Violation(self.rule, "One of your units in this fight loses the step")

    def apply(self, s: Field, f: Fight, answers: Mapping[str, Lose], out: Out) -> Next:
        ((seat, order),) = answers.items()
        s.lose(order.unit, out, self.rule)
        done = "a" if seat == f.seat else "d" if "d" in f.result else "r"
        f.result = f.result.replace(done, "", 1)
        return STAY

    def answers(self, s: Field, f: Fight, seat: str, own: Known) -> Mapping[str, Lose]:
        units = sorted(self._units(s, f, seat), key=lambda unit: (s.strength((unit,)), unit))
        return {"weakest": Lose(units[0]), "strongest": Lose(units[-1])}


class Retreating(InFight[Field, Fight, Back]):
    rule = "RD-3.2"
    takes = (Back,)
    default = "then north"
    answer_names = ("north", "south")

    def by(self, s: Field, f: Fight) -> tuple[str, ...]:
        return (other(f.seat),) if self.must(f) and self._ways(s, f) else ()

    @staticmethod
    def must(f: Fight) -> bool:
        return f.stance == "give" or "r" in f.result

    @staticmethod
    def _ways(s: Field, f: Fight) -> list[Back]:
        ways = [Back(unit, place) for unit in s.units(f.target) for place in s.back(unit)]
        return sorted(ways, key=lambda way: (way.to % 100, way.to, way.unit))

    def legal(self, s: Field, f: Fight, seat: str, own: Known) -> Iterator[Back]:
        return iter(self._ways(s, f))

    def check(self, s: Field, f: Fight, seat: str, order: Back, proof: Known) -> Violation | None:
        return None if order in self._ways(s, f) else Violation(self.rule, "A unit goes one hex back")

    def apply(self, s: Field, f: Fight, answers: Mapping[str, Back], out: Out) -> Next:
        ((_, order),) = answers.items()
        s.at[order.unit] = order.to
        return STAY

    def answers(self, s: Field, f: Fight, seat: str, own: Known) -> Mapping[str, Back]:
        ways = self._ways(s, f)
        return {"north": ways[0], "south": ways[-1]}


class Cornered(Auto[Field, Fight]):
    rule = "RD-3.2"

    def run(self, s: Field, f: Fight, out: Out) -> Next:
        if Retreating.must(f):
            for unit in s.units(f.target):
                s.lose(unit, out, self.rule)
                s.at.pop(unit, None)
                s.worn.discard(unit)
        f.won = not s.holder(f.target)
        if f.won and f.advance in s.at:
            s.at[f.advance] = f.target
            s.advanced = f.advance
        return DONE


class Taking(InFight[Field, Fight, Take]):
    """RD-3.3: where the entry names nobody."""

    rule = "RD-3.3"
    takes = (Take,)
    default = "then nobody"
    answer_names = ("first", "nobody")

    def by(self, s: Field, f: Fight) -> tuple[str, ...]:
        return (f.seat,) if f.won and not f.advance else ()

    def legal(self, s: Field, f: Fight, seat: str, own: Known) -> Iterator[Take]:
        return map(Take, (0, *(unit for unit in f.units if unit in s.at)))

    def check(self, s: Field, f: Fight, seat: str, order: Take, proof: Known) -> Violation | None:
        return None if order in self.legal(s, f, seat, {}) else Violation(self.rule, "An attacker takes the hex")

    def apply(self, s: Field, f: Fight, answers: Mapping[str, Take], out: Out) -> Next:
        ((_, order),) = answers.items()
        if order.unit:
            s.at[order.unit] = f.target
            s.advanced = order.unit
        return RETURN

    def answers(self, s: Field, f: Fight, seat: str, own: Known) -> Mapping[str, Take]:
        return {"nobody": Take(0), "first": [*self.legal(s, f, seat, own)][-1]}


def board(view: View[Field]) -> str:
    s = view.state
    stacks = {place: [UNITS[unit] + "-" * (unit in s.worn) for unit in s.units(place)] for place in BOARD.places}
    return "\n".join(f"{hex_name(place)} {' '.join(stack)}" for place, stack in stacks.items())


def set_up(setup: Setup) -> tuple[Field, War]:
    return Field(asked=str(setup.options["asked"])), War()


game: Game[Field] = Game(
    name="redoubt",
    title="Redoubt",
    seats=(Seat("red"), Seat("blue")),
    state=Field,
    setup=set_up,
    options=(ASKED,),
    sequences=(
        Sequence(War, Sides()),
        Sequence(Turn, Moving(), Listing(), Fighting()),
        Sequence(Driven, FallingBack(), Caught()),
        Sequence(Fight, Standing(), Rolling(), Losing(), Retreating(), Cornered(), Taking()),
    ),
    named=lambda _: {"hex": PlaceNames(BOARD)},
    board=board,
    report=lambda event: event.text if isinstance(event, Told) else "",
    bots={"random": RandomBot()},
)
