"""Ferry: each side in turn loads sacks and rolls a die; too many are lost. As short as a game can be."""

from dataclasses import dataclass, field

from pbem.game import Ask, Draw, End, Frame, Game, Goto, Order, Result, Roll, Seat, Sequence


@dataclass
class Ferry:
    across: dict[str, int] = field(default_factory=lambda: {"north": 0, "south": 0})
    lost: dict[str, int] = field(default_factory=lambda: {"north": 0, "south": 0})
    turn: int = 1


@dataclass
class Crossing(Frame):
    seat: str = "north"
    load: int = 0


@dataclass(frozen=True, slots=True)
class Load(Order, text="load {sacks}"):
    """Take sacks aboard."""

    sacks: int


class Loading(Ask):
    rule, takes, no = "2.1", (Load,), "The ferry takes one to three sacks, two at most if more than two are lost"

    def options(self, s, f, seat):
        return map(Load, range(1, 3 if s.lost[seat] > 2 else 4))

    def do(self, s, f, seat, order, out):
        f.load = order.sacks


class Row(Roll):
    rule = "3.1"

    def draws(self, s, f):
        return [Draw(f"t{s.turn}/{f.seat}", 6)]

    def run(self, s, f, got, out):
        ((die,),) = got.values()
        (s.across if die >= f.load else s.lost)[f.seat] += f.load
        s.turn += f.seat == "south"
        f.seat = "south" if f.seat == "north" else "north"
        if s.turn <= 10:
            return Goto(Loading)
        north, south = s.across.values()
        return End(Result(None if north == south else "north" if north > south else "south", "sacks"))


game = Game(
    name="ferry",
    title="Ferry",
    seats=(Seat("north"), Seat("south")),
    state=Ferry,
    setup=lambda setup: (Ferry(), Crossing()),
    sequences=(Sequence(Crossing, Loading(), Row()),),
)
