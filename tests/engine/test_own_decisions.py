"""Windows and preset decisions of the mover's own are part of the orders of the turn (MEA-17); presets by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import pytest

from pbem.engine.compiled import program
from pbem.engine.definition import Game, Preset, Seat
from pbem.engine.draft import Draft
from pbem.engine.event import Out
from pbem.engine.need import Draw, Known, Orders, Result
from pbem.engine.order import Order, Violation
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.step import DONE, Ask, Auto, Call, End, Frame, GameError, Next, Roll, Sequence
from pbem.engine.testing.inmemory import Table
from pbem.kit.window import Poll, Window
from pbem.protocol.errors import Refusal


@dataclass
class Raid:
    turn: int = 0
    did: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Whole(Frame):
    kind = "whole"


@dataclass(slots=True)
class Turn(Frame):
    kind = "turn"
    turn: ClassVar[bool] = True
    seat: str
    raids: int = 0


@dataclass(slots=True)
class Fight(Frame):
    kind = "fight"
    seat: str
    poll: Poll


@dataclass(slots=True)
class Before(Frame):
    kind = "before"
    poll: Poll


@dataclass(frozen=True, slots=True)
class Strike(Order, text="strike {place}"):
    place: int


@dataclass(frozen=True, slots=True)
class Rest(Order, text="rest"):
    pass


@dataclass(frozen=True, slots=True)
class Shout(Order, text="shout"):
    pass


@dataclass(frozen=True, slots=True)
class Quiet(Order, text="quiet"):
    pass


@dataclass(frozen=True, slots=True)
class Chase(Order, text="chase {far}"):
    far: int


SEATS = ("red", "blue")


class Choose(Ask[Raid, Turn, Strike | Rest]):
    def options(self, s: Raid, f: Turn, seat: str) -> Iterable[Strike | Rest]:
        return (*map(Strike, range(4)), Rest())

    def do(self, s: Raid, f: Turn, seat: str, order: Strike | Rest, out: Out) -> Next:
        s.did.append(f"{seat} {order.kind}")
        f.raids += 1
        return Call(Fight(seat, Poll(SEATS)), again=True) if isinstance(order, Strike) else DONE


class Signal(Window[Raid, Before, Shout | Quiet]):
    """Both may shout, once in a raid."""

    takes = (Shout, Quiet)

    def poll(self, s: Raid, f: Before) -> Poll:
        return f.poll

    def passing(self, s: Raid, f: Before, seat: str) -> Quiet:
        return Quiet()

    def actions(self, s: Raid, f: Before, seat: str, own: Known) -> Iterator[Shout | Quiet]:
        if seat not in f.poll.done:
            yield Shout()

    def judge(self, s: Raid, f: Before, seat: str, order: Order, proof: Known) -> Violation | None:
        return Violation("", "You have shouted") if seat in f.poll.done else None

    def act(self, s: Raid, f: Before, seat: str, order: Shout | Quiet, out: Out) -> None:
        s.did.append(f"{seat} shouts")

    def answers(self, s: Raid, f: Before, seat: str, own: Known) -> Mapping[str, Shout | Quiet]:
        return {"pass": Quiet(), **({} if seat in f.poll.done else {"shout": Shout()})}


class Warn(Auto[Raid, Fight]):
    def run(self, s: Raid, f: Fight, out: Out) -> Next:
        return Call(Before(f.poll))


class Luck(Roll[Raid, Fight]):
    def draws(self, s: Raid, f: Fight) -> Iterable[Draw]:
        return (Draw(f"luck/{len(s.did)}", 6),)

    def run(self, s: Raid, f: Fight, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        return DONE


class Follow(Ask[Raid, Fight, Chase]):
    default, preset = "then near", True
    answer_names = ("near", "far")

    def options(self, s: Raid, f: Fight, seat: str) -> Iterable[Chase]:
        return map(Chase, range(3))

    def do(self, s: Raid, f: Fight, seat: str, order: Chase, out: Out) -> Next:
        s.did.append(f"{seat} chases {order.far}")
        return DONE

    def answers(self, s: Raid, f: Fight, seat: str, own: Known) -> Mapping[str, Chase]:
        return {"near": Chase(1), "far": Chase(2)}


class Begin(Auto[Raid, Whole]):
    def run(self, s: Raid, f: Whole, out: Out) -> Next:
        s.turn += 1
        return End(Result(None, "time")) if s.turn > 4 else Call(Turn(SEATS[(s.turn - 1) % 2]), again=True)


RAID: Game[Raid] = Game(
    name="raid",
    title="Raid",
    seats=(Seat("red"), Seat("blue")),
    state=Raid,
    setup=lambda setup: (Raid(), Whole()),
    sequences=(
        Sequence(Whole, Begin()),
        Sequence(Turn, Choose()),
        Sequence(Fight, Warn(), Luck(), Follow()),
        Sequence(Before, Signal()),
    ),
    presets={"ask-shouts": Preset("You are asked whether you shout.", {"signal": "then ask"})},
)


def table() -> Table:
    found = Table(RAID, 2, seed="own", careful=True)
    found.settle()
    return found


def did(found: Table) -> list[str]:
    assert found.agree()
    return found.peers[0].match.machine.state.did


def go(found: Table, by: int, *orders: Order, standing: tuple[NewStanding, ...] = ()) -> list[str]:
    """Seals all of it as one record; what was done since."""
    before = len(did(found))
    found.order(by, orders, standing)
    found.settle()
    return did(found)[before:]


def draft(found: Table, by: int, *orders: Order) -> Draft:
    return found.peers[by].player.draft(found.peers[by].match, orders)


def test_a_window_asks_nobody_who_has_not_said_so():
    """One mail, one answer with the die; the chase goes by default."""
    found = table()
    assert go(found, 0, Strike(1)) == ["red strike", "red chases 1"]
    assert found.peers[0].match.asked(0) == ("red",)


def test_the_next_order_is_the_windows_if_it_is_one():
    found = table()
    assert go(found, 0, Strike(1), Shout(), Strike(2), Rest()) == [
        "red strike", "red shouts", "red chases 1", "red strike", "red chases 1", "red rest",
    ]  # fmt: skip


def test_orders_behind_the_dice_go_before_ones_own_standing_orders():
    found = table()
    assert go(found, 0, Strike(1), Chase(2), Strike(2), Shout(), Chase(0), Rest()) == [
        "red strike", "red chases 2", "red strike", "red shouts", "red chases 0", "red rest",
    ]  # fmt: skip
    assert found.peers[1].match.asked(1) == ("blue",)


def test_the_draft_comes_back_to_a_window_that_it_has_passed():
    """What the draft shows is what the record does."""
    found = table()
    tried = draft(found, 0, Strike(1))
    assert (tried.seat, tried.stop) == (None, "dice")
    assert isinstance(tried.add(Shout()), tuple)
    assert tried.machine.state.did == ["red strike", "red shouts"]
    assert not tried.entries[-1].plan
    assert isinstance(tried.add(Chase(2)), tuple)
    assert tried.entries[-1].plan
    assert [entry.order for entry in tried.undo(2)] == [Shout(), Chase(2)]
    assert isinstance(tried.add(Strike(2)), tuple)  # planned
    assert isinstance(tried.add(Shout()), tuple)
    assert tried.machine.state.did == ["red strike"]
    tried.undo(2)
    assert go(found, 0, *tried.open_orders()) == ["red strike", "red chases 1"]


def test_who_asks_for_it_is_asked_and_may_go_on_without_a_pass():
    found = table()
    ask = NewStanding("red", "signal", parse("then ask"))
    assert go(found, 0, Rest(), standing=(ask,)) == ["red rest"]
    assert go(found, 1, Strike(1)) == ["blue strike"]
    assert found.peers[0].match.asked(0) == ("red",)
    assert go(found, 0, Quiet()) == ["blue chases 1"]
    assert go(found, 1, Rest()) == ["blue rest"]
    tried = draft(found, 0, Strike(1))
    assert tried.seat == "red"
    need = tried.machine.need
    assert isinstance(need, Orders)
    assert need.own
    assert isinstance(tried.add(Strike(2)), tuple)
    assert tried.entries[-1].plan
    assert go(found, 0, Strike(1)) == ["red strike"]
    assert found.peers[0].match.asked(0) == ("red",)
    peer = found.peers[0]
    data = peer.player.orders_data(peer.match, (Quiet(),), peer.replay.log.count(0))
    with pytest.raises(Refusal, match="orders nothing that is asked") as caught:
        peer.seal("orders", {**data, "orders": [["strike", 2]]})
    assert caught.value.code == "E-ORDER"
    alone = draft(found, 0)
    assert isinstance(alone.add(Strike(2)), Violation)  # what follows the die is no answer to what is asked
    assert alone.seat == "red"
    assert go(found, 0, Shout()) == ["red shouts"]  # and is asked again, for the second round of the window
    assert go(found, 0, Quiet(), Chase(2), Rest()) == ["red chases 2", "red rest"]


def test_sealed_standing_orders_are_for_the_others_turns():
    found = table()
    sealed = NewStanding("red", "signal", parse("then shout, pass"), sealed=True)
    go(found, 0, Rest(), standing=(sealed,))
    before = len(found.records)
    assert go(found, 1, Strike(1)) == ["blue strike", "red shouts", "blue chases 1"]
    assert any(item[0] == "answer" for each in found.records[before:] for item in each.data.get("items", ()))
    go(found, 1, Rest())
    before = len(found.records)
    assert go(found, 0, Strike(1)) == ["red strike", "red chases 1"]
    assert not any(item[0] == "answer" for each in found.records[before:] for item in each.data.get("items", ()))


def test_presets_by_name():
    presets = program(RAID).presets
    assert list(presets) == ["ask-what-matters", "ask-nothing", "ask-everything", "ask-shouts"]
    shown = {name: {kind: str(policy or "") for kind, policy in row.items()} for name, row in presets.items()}
    assert shown == {
        "ask-what-matters": {"follow": "then default", "signal": "then default"},
        "ask-nothing": {"follow": "then default", "signal": "then default"},
        "ask-everything": {"follow": "", "signal": ""},
        "ask-shouts": {"follow": "then default", "signal": "then ask"},
    }


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [("mine", "chose", "then ask"), ("mine", "signal", "shout"), ("ask-nothing", "signal", "then ask")],
)
def test_a_preset_that_cannot_be_is_a_mistake_of_the_author(name, kind, text):
    game = replace(RAID, presets={name: Preset("Mine.", {kind: text})})
    with pytest.raises(GameError):
        _ = program(game).presets
