"""The rules. README.md has them in words; each step says which of them it carries out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pbem.game import *
from pbem.kit import Terms, reach

from .chart import OTHER, TITLES, Chart, Code, Hex

TURNS = 6
HAND = 3

# What changes: the state, and for each sequence of play a frame with its local variables.


@dataclass(slots=True)
class State:
    at: dict[str, int] = field(default_factory=dict)  # unit -> hex; a lost unit is not in it
    towns: dict[int, str] = field(default_factory=dict)  # town -> the side that was last in it
    deck: Deck = field(default_factory=lambda: Deck("orders"))
    turn: int = 0
    chart: Chart = transient()

    def hexes(self, side: str) -> dict[int, str]:
        """Hex -> unit of one side."""
        return {cell: unit for unit, cell in self.at.items() if self.chart.units[unit].side == side}

    def zone(self, side: str) -> int:
        """SK-2.3: the mask of the hexes that the units of a side control."""
        return self.chart.zones.of(self.hexes(side))

    def put(self, unit: str, cell: int) -> None:
        """SK-5.1: a unit that ends in a town takes it."""
        self.at[unit] = cell
        if cell in self.towns:
            self.towns[cell] = self.chart.units[unit].side

    def points(self) -> dict[str, int]:
        value = self.chart.map.value
        return {side: sum(value(town, "points") for town in self.towns if self.towns[town] == side) for side in TITLES}


@dataclass(slots=True)
class War(Frame):
    seat: str = "red"


@dataclass(slots=True)
class Turn(Frame):
    turn: ClassVar[bool] = True  # one seat's turn: what it has planned ends with it
    seat: str
    moved: list[str] = field(default_factory=list)
    fought: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Battle(Frame):
    seat: str
    target: int
    units: list[str]
    barrage: Poll
    ambush: Poll
    column: int
    retreating: list[str] = field(default_factory=list)


# What players order, and what happens.


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {unit} {to}"):
    """Move a unit the cheapest way."""

    unit: Code
    to: Hex


@dataclass(frozen=True, slots=True)
class Attack(Order, text="attack {target}"):
    """Attack a hex with all units beside it."""

    target: Hex


@dataclass(frozen=True, slots=True)
class Withdraw(Order, text="withdraw {to}"):
    """Retreat one hex."""

    to: Hex


@dataclass(frozen=True, slots=True)
class Happened(Event):
    """A line of the report."""

    text: str


# SK-1: the sequence of play.


class Cards:
    """For all steps that deal with cards: where the deck lies."""

    rule: ClassVar[str] = "SK-4.1"

    def deck(self, s: State) -> Deck:
        return s.deck


class FirstShuffle(Cards, Shuffling[State, War]):
    def shuffle(self, s: State, f: War) -> Shuffle | None:
        return s.deck.first(range(len(s.chart.cards)))


class NextTurn(Auto[State, War]):
    rule = "SK-1.1"

    def run(self, s: State, f: War, out: Out) -> Next:
        points = s.points()
        alive = [side for side in TITLES if s.hexes(side)]
        if len(alive) == 1 or (s.turn == TURNS and f.seat == "red"):  # SK-5.2
            best = max(alive, key=lambda side: points[side])
            drawn = len(alive) == 2 and points["blue"] == points["red"]
            return End(Result(None if drawn else best, "points", tuple(points.items())))
        f.seat = OTHER[f.seat]
        s.turn += f.seat == "blue"
        out.add(Happened(f"Turn {s.turn}, {TITLES[f.seat]}.", rule=self.rule))
        return Call(Turn(f.seat), again=True)


class Moving(Ask[State, Turn, Move | Pass]):
    rule = "SK-2.1"
    no = "That unit has moved, is not yours, or cannot get there; `pbem legal` lists all moves"

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        return f"Turn {s.turn}, {TITLES[seat]} moves: `move UNIT HEX`; end with `done`."

    def options(self, s: State, f: Turn, seat: str) -> Iterator[Move | Pass]:
        yield Pass()
        own, enemy, board = s.hexes(seat), s.hexes(OTHER[seat]), s.chart.board
        barred, hot = board.mask(enemy), s.zone(OTHER[seat])
        for start, unit in own.items():
            if unit not in f.moved:
                terms = Terms(s.chart.units[unit].move, barred=barred, stops=hot)
                found = reach(s.chart.links, board.bit, start, terms)
                yield from (Move(unit, cell) for cell in sorted(found) if cell not in own)

    def do(self, s: State, f: Turn, seat: str, order: Move | Pass, out: Out) -> Next:
        if isinstance(order, Pass):
            return DONE
        f.moved.append(order.unit)
        s.put(order.unit, order.to)
        out.add(Happened(f"{order.unit} moves to {s.chart.board[order.to]}.", rule=self.rule))
        return STAY


class Fighting(Ask[State, Turn, Attack | Pass]):
    rule = "SK-3.1"
    no = "No units of yours that have not fought stand beside an enemy there, or they are too weak"

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        return f"Turn {s.turn}, {TITLES[seat]} attacks: `attack HEX`; end with `done`."

    def attackers(self, s: State, f: Turn, target: int) -> list[str]:
        own = s.hexes(f.seat)
        return [own[cell] for cell in s.chart.board.near[target] if cell in own and own[cell] not in f.fought]

    def column(self, s: State, f: Turn, target: int) -> int:
        """SK-3.2: the column of the odds, before terrain and cards; -1: the attack is too weak."""
        strength = sum(s.chart.units[unit].strength for unit in self.attackers(s, f, target))
        return s.chart.odds.column(strength, s.chart.units[s.hexes(OTHER[f.seat])[target]].strength)

    def options(self, s: State, f: Turn, seat: str) -> Iterator[Attack | Pass]:
        yield Pass()
        yield from (Attack(target) for target in sorted(s.hexes(OTHER[seat])) if self.column(s, f, target) >= 0)

    def do(self, s: State, f: Turn, seat: str, order: Attack | Pass, out: Out) -> Next:
        if isinstance(order, Pass):
            return DONE
        units, column = self.attackers(s, f, order.target), self.column(s, f, order.target)
        column -= s.chart.shifts[s.chart.board[order.target].terrain]
        f.fought += units
        polls = Poll((seat,), once=True), Poll((OTHER[seat],), once=True)
        return Call(Battle(seat, order.target, units, *polls, column), again=True)


class DrawCards(Cards, Drawing[State, Turn]):
    """After the dice, so that the other side's next mail brings the card."""

    def drawing(self, s: State, f: Turn) -> tuple[str, int]:
        return f.seat, min(2 if s.turn == 1 else 1, HAND - len(s.deck.hand(f.seat)))


# SK-3 and SK-4: a battle. First the attacker may play a card, then the defender; then the die.


class Barrage(Cards, CardWindow[State, Battle]):
    preset = False  # the attacker is asked: it is their own turn, so that costs no mail
    rule = "SK-4.2"
    play = "attack"
    sign = 1

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"{s.chart.board[f.target]} is attacked: `play CARD` or `done`."

    def poll(self, s: State, f: Battle) -> Poll:
        return f.barrage

    def fits(self, s: State, f: Battle, seat: str, card: int) -> Violation | None:
        if s.chart.cards[card].play != self.play:
            return Violation(self.rule, f"{s.chart.cards[card].name} is not played to {self.play}")
        return None

    def played(self, s: State, f: Battle, seat: str, card: int, out: Out) -> None:
        f.column += self.sign * (2 if "double" in s.chart.cards[card].marks else 1)
        out.add(Happened(f"{TITLES[seat]} plays {s.chart.cards[card].name}.", rule=self.rule))


class Ambush(Barrage):
    rule = "SK-4.3"
    play = "defend"
    sign = -1
    preset = True

    def poll(self, s: State, f: Battle) -> Poll:
        return f.ambush


class RollDie(Roll[State, Battle]):
    rule = "SK-3.3"

    def draws(self, s: State, f: Battle) -> tuple[Draw, ...]:
        return (Draw(f"t{s.turn}/{f.seat}/{f.target:04}", s.chart.combat.sides),)

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((die,),) = got.values()
        column = s.chart.odds.shifted(f.column, 0)
        result = s.chart.combat.at(die, column)
        text = f"{s.chart.board[f.target]} is attacked at {s.chart.odds.name(column)}, die {die}: {result}."
        out.add(Happened(text, rule=self.rule))
        defender = s.hexes(OTHER[f.seat])[f.target]
        if result == "DE":
            del s.at[defender]
        f.retreating = [defender] if result == "DR" else list(f.units) if result == "AR" else []
        lose_trapped(s, f, out)
        return DONE


def ways_back(s: State, unit: str) -> list[int]:
    """SK-3.4: where a unit may retreat to, the hexes nearest to its own edge first."""
    side, board = s.chart.units[unit].side, s.chart.board
    free = s.chart.zones.of([s.at[unit]]) & ~s.zone(OTHER[side]) & ~board.mask(s.at.values())
    return sorted(board.in_mask(free), key=lambda cell: cell if side == "blue" else -cell)


def lose_trapped(s: State, f: Battle, out: Out) -> None:
    """SK-3.4: units whose turn it is to retreat, and that cannot."""
    while f.retreating and not ways_back(s, f.retreating[0]):
        del s.at[f.retreating[0]]
        out.add(Happened(f"{f.retreating.pop(0)} cannot retreat and is lost.", rule="SK-3.4"))


class Retreating(Ask[State, Battle, Withdraw]):
    rule = "SK-3.4"
    no = "A unit retreats one hex, into a free hex that no enemy controls, and not across a river without a bridge"
    forced, preset, default = True, True, "then home"

    def by(self, s: State, f: Battle) -> tuple[str, ...]:
        return tuple(s.chart.units[unit].side for unit in f.retreating[:1])

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"{f.retreating[0]} must retreat: `withdraw HEX`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Withdraw]:
        return map(Withdraw, ways_back(s, f.retreating[0]))

    def do(self, s: State, f: Battle, seat: str, order: Withdraw, out: Out) -> Next:
        out.add(Happened(f"{f.retreating[0]} retreats to {s.chart.board[order.to]}.", rule=self.rule))
        s.put(f.retreating.pop(0), order.to)
        lose_trapped(s, f, out)
        return STAY

    def answers(self, s: State, f: Battle, seat: str, own: Any) -> Mapping[str, Withdraw]:
        return {"home": Withdraw(ways_back(s, f.retreating[0])[0])}
