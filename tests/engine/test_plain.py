"""State as plain data, and tables with digests."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.machine import Digests
from pbem.engine.rows import Rows
from pbem.protocol.canonical import pack, pack_ordered, unpack
from pbem.protocol.errors import Refusal
from pbem.protocol.plain import codec, dump, load, transient


class Side(StrEnum):
    BLUE = "blue"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Unit:
    hex: int
    steps: int = 2


@dataclass(frozen=True)
class Rain:
    kind: ClassVar[str] = "rain"
    days: int


@dataclass(frozen=True)
class Snow:
    kind: ClassVar[str] = "snow"


@dataclass
class State:
    side: Side
    units: Rows[int, Unit] = field(default_factory=Rows)
    held: list[int | str] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    points: dict[str, int] = field(default_factory=dict)
    weather: Rain | Snow | None = None
    pair: tuple[int, str] = (0, "")
    seal: bytes | None = None
    world: Any = transient()


STATES = st.builds(
    State,
    side=st.sampled_from(Side),
    units=st.dictionaries(st.integers(0, 99), st.builds(Unit, st.integers(0, 9), st.integers(1, 3))).map(Rows),
    held=st.lists(st.one_of(st.integers(0, 9), st.text("ab", max_size=3))),
    moved=st.sets(st.integers(0, 50)),
    points=st.dictionaries(st.text("abc", max_size=2), st.integers(-5, 5)),
    weather=st.one_of(st.none(), st.just(Snow()), st.builds(Rain, st.integers(0, 3))),
    pair=st.tuples(st.integers(0, 2), st.text("ab", max_size=2)),
    seal=st.none() | st.binary(max_size=3),
)


@given(STATES)
def test_a_state_loads_as_it_was(state: State) -> None:
    raw = pack(dump(state))
    assert pack_ordered(dump(state)) == raw
    again = load(State, unpack(raw))
    assert again == state
    assert pack(dump(again)) == raw
    assert Digests().state(again) == Digests().state(state)
    assert list(again.points) == list(state.points)  # a game may go by the order of insertion


def test_defaults_are_left_out_so_that_a_new_field_changes_no_old_digest() -> None:
    @dataclass
    class Before:
        turn: int

    @dataclass
    class After:
        turn: int
        weather: str = "clear"

    assert dump(After(3)) == {"turn": 3}
    assert Digests().state(Before(3)) == Digests().state(After(3))
    assert Digests().state(After(3)) != Digests().state(After(3, "rain"))


def test_a_dict_in_another_order_than_its_default_keeps_it() -> None:
    @dataclass
    class Coins:
        held: dict[str, int] = field(default_factory=lambda: {"left": 0, "right": 0})

    other = Coins({"right": 0, "left": 0})
    assert dump(Coins()) == {}
    assert list(load(Coins, dump(other)).held) == ["right", "left"]


def test_transient_fields_are_not_saved() -> None:
    assert "world" not in dump(State(Side.BLUE, world=object()))  # type: ignore[operator]


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        {"side": "green"},
        {"side": "blue", "sides": 1},
        {"side": "blue", "held": [None]},
        {"side": "blue", "held": [True]},
        {"side": "blue", "moved": [2, 1]},
        {"side": "blue", "moved": [1, 1]},
        {"side": "blue", "points": [["a", 1], ["a", 2]]},
        {"side": "blue", "points": [["a"]]},
        {"side": "blue", "units": [[2, {"hex": 1}], [1, {"hex": 1}]]},
        {"side": "blue", "units": [[1, {}]]},
        {"side": "blue", "weather": ["hail", {}]},
        {"side": "blue", "pair": [1]},
        {"side": "blue", "seal": "text"},
    ],
)
def test_what_does_not_fit_is_refused(plain: Any) -> None:
    with pytest.raises(Refusal) as caught:
        load(State, plain)
    assert caught.value.code == "E-FORM"


def test_types_that_cannot_be_saved_are_an_author_error() -> None:
    for hint in (float, object, dict, tuple[float, ...], Rows[int, list[int]]):
        with pytest.raises(TypeError):
            codec(hint)


@pytest.mark.parametrize(
    "state",
    [
        State(Side.BLUE, pair=(1.5, "a")),  # type: ignore[arg-type]
        State(Side.BLUE, pair=(True, "a")),
        State(Side.BLUE, held=[0.5]),  # type: ignore[list-item]
        State(Side.BLUE, units=Rows({1: Unit(7, 1.5)})),  # type: ignore[arg-type]
        State(Side.BLUE, seal="text"),  # type: ignore[arg-type]
    ],
)
def test_a_state_that_holds_what_its_types_forbid_is_never_hashed(state: State) -> None:
    with pytest.raises(TypeError):
        Digests().state(state)


def test_a_field_whose_name_is_no_key_cannot_be_saved() -> None:
    @dataclass
    class Odd:
        Turn: int

    with pytest.raises(TypeError):
        dump(Odd(1))


# Tables

UNIT = codec(Unit)
KEY = codec(int)


def digest(table: Rows[int, Unit]) -> bytes:
    return table.digest(KEY.dump, UNIT.dump)


@given(st.lists(st.tuples(st.integers(0, 9), st.none() | st.builds(Unit, st.integers(0, 3))), max_size=30))
def test_a_table_has_the_digest_of_its_rows_however_it_came_to_them(changes: list[tuple[int, Unit | None]]) -> None:
    table: Rows[int, Unit] = Rows()
    for key, row in changes:
        if row is not None:
            table[key] = row
        elif key in table:
            del table[key]
        if key % 3 == 0:
            digest(table)  # in between: what is kept must not go stale
    fresh = Rows(sorted(table.items(), reverse=True))
    assert table == fresh
    assert digest(table) == digest(fresh)
    assert list(table) == sorted(table)
    assert [row for _, row in table.items()] == list(table.values())


def test_a_table_may_be_changed_while_it_is_iterated() -> None:
    table = Rows({1: Unit(1), 2: Unit(2)})
    for key in table:
        table[key + 10] = table[key]
    assert list(table) == [1, 2, 11, 12]


def test_change_replaces_fields_of_a_row() -> None:
    table = Rows({1: Unit(1)})
    before = digest(table)
    assert table.change(1, steps=1) == Unit(1, 1) == table[1]
    assert digest(table) != before
    assert table.change(1, steps=2) == Unit(1)
    assert digest(table) == before


def test_different_tables_have_different_digests() -> None:
    tables = [Rows(), Rows({1: Unit(1)}), Rows({2: Unit(1)}), Rows({1: Unit(2)}), Rows({1: Unit(1), 2: Unit(1)})]
    assert len({digest(table) for table in tables}) == len(tables)
