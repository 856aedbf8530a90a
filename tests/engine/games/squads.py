"""Squads: each side hides a squad and holds two cards; `Rest` is forbidden to whoever hid the third. For tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.game import (
    DONE,
    Decide,
    Deck,
    Drawing,
    End,
    Frame,
    Game,
    Goto,
    Open,
    Order,
    RandomBot,
    Result,
    Seat,
    Secret,
    Sequence,
    Shuffling,
    Violation,
)

SIDES = ("north", "south")


@dataclass
class Woods:
    deck: Deck = field(default_factory=lambda: Deck("cards"))
    squads: dict[str, str] = field(default_factory=dict)
    rested: list[str] = field(default_factory=list)


@dataclass
class Day(Frame):
    seat: str = "north"


@dataclass(frozen=True, slots=True)
class Hide(Order, text="hide {place}"):
    """Hide the squad."""

    place: int


@dataclass(frozen=True, slots=True)
class Rest(Order, text="rest"):
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class March(Order, text="march"):
    """Go on."""


@dataclass(frozen=True, slots=True)
class Strike(Order, text="strike"):
    """Show the squad, and end the day."""


class Shuffled(Shuffling[Woods, Day]):
    def deck(self, s):
        return s.deck

    def shuffle(self, s, f):
        return s.deck.first(range(1, 7))


class Dealt(Drawing[Woods, Day]):
    def deck(self, s):
        return s.deck

    def drawing(self, s, f):
        return "north", 2


class DealtMore(Dealt):
    def drawing(self, s, f):
        return "south", 2


class Hiding(Secret[Woods, Day, Hide]):
    rule = "1"

    def legal(self, s, f, seat, own):
        return iter([Hide(place) for place in (1, 2, 3)])

    def check(self, s, f, seat, order, proof):
        return None if 1 <= order.place <= 3 else Violation("1", "There are three places")

    def hide(self, s, f, slots, out):
        s.squads.update(slots)
        return DONE


class Resting(Decide[Woods, Day, Rest | March | Strike]):
    rule = "2"

    def legal(self, s, f, seat, own):
        hidden = own.get(s.squads[seat])
        if hidden != Hide(3):
            yield Rest()
        yield March()
        if hidden is not None:
            yield Strike()

    def check(self, s, f, seat, order, proof):
        if isinstance(order, Strike) and not isinstance(proof.get(s.squads[seat]), Hide):
            return Violation("2.2", "That shows no squad")
        return None

    def opens(self, s, f, seat, order):
        return (s.squads[seat],) if isinstance(order, Strike) else ()

    def duty(self, s, f, seat, order, own):
        if isinstance(order, Rest) and own.get(s.squads[seat]) == Hide(3):
            return Violation("2.1", "Whoever hid in the third place may not rest")
        return None

    def apply(self, s, f, answers, out):
        s.rested.append(f.seat)
        if "south" in s.squads and (len(s.rested) > 5 or isinstance(answers[f.seat], Strike)):
            return DONE
        f.seat = "south" if f.seat == "north" else "north"
        return Goto(Resting if f.seat in s.squads else Hiding)


class Shown(Open[Woods, Day]):
    def slots(self, s, f):
        return s.squads.values()

    def check(self, s, f, slot, order):
        good = isinstance(order, Hide) and 1 <= order.place <= 3
        return None if good else Violation("1", "There are three places")

    def run(self, s, f, opened, out):
        return End(Result(None, "shown"))


class Peeping(RandomBot):
    """Notes what it is shown."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def choose(self, view, need, seat, legal, rng):
        self.seen.append((seat, {slot: view.known[slot] for slot in view.known}))
        return super().choose(view, need, seat, legal, rng)


def board(view):
    cards = {side: [view.card(held) for held in view.state.deck.hand(side)] for side in SIDES}
    squads = {side: view.secret(slot) for side, slot in view.state.squads.items()}
    return f"{view.seats} {cards} {squads}"


peeping = Peeping()

game = Game(
    name="squads",
    title="Squads",
    seats=(Seat("north"), Seat("south")),
    state=Woods,
    setup=lambda setup: (Woods(), Day()),
    sequences=(Sequence(Day, Shuffled(), Dealt(), DealtMore(), Hiding(), Resting(), Shown()),),
    decks={"cards": tuple(range(1, 7))},
    board=board,
    bots={"peeping": peeping, "random": RandomBot()},
    left_undone=lambda view, seat, order: [board(view)] if order is None else [],
)
