"""A game says its data once: what its chart makes of them is there for set-up, steps, and all that is read and told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.engine.definition import MAX_CHARTS, DataSet, Game, Result, Scenario, Seat, Setup, by_chart
from pbem.engine.event import Event, Out
from pbem.engine.machine import Machine
from pbem.engine.notation import Notation, Verb, Words
from pbem.engine.order import Order
from pbem.engine.step import Ask, End, Frame, Sequence
from pbem.protocol.errors import Refusal
from pbem.protocol.plain import transient

Chart = tuple[str, ...]
MADE: list[Any] = []


def chart_of(data: DataSet) -> Chart:
    MADE.append(data["towns"])
    return tuple(data["towns"])


@dataclass
class Land:
    first: str
    chart: Chart = transient()


@dataclass
class Trip(Frame):
    seat: str = "guest"


@dataclass(frozen=True, slots=True)
class Go(Order):
    town: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    town: int


class Travel(Ask[Land, Trip, Go]):
    def options(self, s: Land, f: Trip, seat: str) -> Iterator[Go]:
        return map(Go, range(len(s.chart)))

    def do(self, s: Land, f: Trip, seat: str, order: Go, out: Out) -> End:
        out.add(Arrived(town=order.town))
        return End(Result(None, "there"))


def set_up(setup: Setup) -> tuple[Land, Trip]:
    return Land(setup.chart[0]), Trip()


def notation_of(chart: Chart) -> Notation[Land]:
    return Notation(Verb(Go, "go {town}", names={"town": Words(dict(enumerate(chart)))}))


GAME = Game(
    name="travel",
    title="Travel",
    seats=(Seat("guest", "guest", "Guest"),),
    scenarios=(Scenario("trip", "A trip"),),
    state=Land,
    setup=set_up,
    sequences=(Sequence(Trip, Travel()),),
    data=DataSet({"towns": ["Minsk", "Pinsk"]}),
    chart=chart_of,
    notation=by_chart(notation_of),
    report=by_chart(lambda chart, event: f"You are in {chart[event.town]}."),
    forfeit=lambda s, seats: Result(None, "forfeit"),
    check_data=lambda data: None,
)
OWN = {"towns": ["Bonn", "Rom", "Wien"]}


def test_set_up_steps_and_words_see_the_chart() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    machine.run(Out())
    assert machine.state == Land("Minsk")
    assert [GAME.notation.write(order) for order in machine.legal("guest")] == ["go Minsk", "go Pinsk"]
    assert GAME.tell((Arrived(town=1),)) == ("You are in Pinsk.",)


def test_with_data_of_the_players_own_the_words_are_theirs() -> None:
    machine = Machine.start(GAME, GAME.setup_of(data=GAME.data_with(OWN)))
    machine.run(Out())
    game = machine.game
    assert machine.state.first == "Bonn"
    assert [game.notation.write(order) for order in machine.legal("guest")] == ["go Bonn", "go Rom", "go Wien"]
    assert game.notation.read("go Rom") == Go(1)
    assert game.tell((Arrived(town=2),)) == ("You are in Wien.",)
    assert GAME.notation.write(Go(1)) == "go Pinsk"
    again = Machine.load(GAME, GAME.setup_of(data=GAME.data_with(OWN)), machine.dump())
    assert again.game is game
    assert again.state.chart == tuple(OWN["towns"])


def test_a_chart_is_made_once_for_each_data_set() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    MADE.clear()
    for _ in range(3):
        Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert MADE == []
    for number in range(MAX_CHARTS + 5):
        GAME.on(DataSet({"towns": [str(number)]}))
    assert GAME.on(GAME.data) is GAME


def test_a_game_with_other_data_knows_those_it_came_with() -> None:
    own = GAME.data_with(OWN)
    game = GAME.on(own)
    assert game.data_of(own.digest) is own
    assert game.data_of(GAME.data.digest) is GAME.data


def test_a_copy_of_a_game_tells_by_its_own_chart() -> None:
    copy = replace(GAME, data=DataSet(OWN))
    assert copy.tell((Arrived(town=0),)) == ("You are in Bonn.",)
    assert GAME.tell((Arrived(town=0),)) == ("You are in Minsk.",)


def test_who_does_not_check_data_gets_none() -> None:
    with pytest.raises(Refusal, match="takes no data files"):
        replace(GAME, check_data=None).data_with(OWN)


@dataclass(frozen=True, slots=True)
class Halt(Order, text="halt"):
    """Stay where you are."""


def test_orders_with_a_text_of_their_own_are_in_a_notation_by_chart() -> None:
    class Rests(Travel):
        name, takes = "travel", (Go, Halt)

    game = replace(GAME, sequences=(Sequence(Trip, Rests()),))
    for each, towns in ((game, ("Minsk", "Pinsk")), (game.on(DataSet({"towns": OWN["towns"]})), OWN["towns"])):
        assert each.notation.write(Halt()) == "halt"
        assert each.notation.read("halt") == Halt()
        assert [verb.word for verb in each.notation.verbs] == ["go", "halt"]
        assert each.notation.read(f"go {towns[1]}") == Go(1)


def test_what_is_said_by_chart_needs_one() -> None:
    with pytest.raises(TypeError, match="travel says by_chart, and has no chart"):
        replace(GAME, chart=None).tell((Arrived(town=0),))
    with pytest.raises(TypeError, match="works only inside a Game"):
        by_chart(notation_of)()
    with pytest.raises(TypeError, match="a game has a chart only if it is given"):
        assert replace(GAME, chart=None).setup_of().chart


@pytest.mark.parametrize("bad", [{"B1": 3}, {"strength": 1.5}])
def test_what_data_cannot_hold_is_said_with_the_file(bad: Any) -> None:
    with pytest.raises(Refusal, match="'units' holds what rules data cannot hold") as caught:
        _ = DataSet({"units": bad}).digest
    assert caught.value.code == "E-MODULE"
