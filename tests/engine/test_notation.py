"""What players type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.legal import Legal
from pbem.engine.notation import Context, Group, Notation, NotationError, Verb, Words
from pbem.engine.order import Order, OrderKinds
from pbem.engine.view import View


class Mode(StrEnum):
    ROAD = "road"
    RAIL = "rail"


@dataclass(frozen=True, slots=True)
class Move(Order):
    unit: int
    path: tuple[int, ...]
    mode: Mode


@dataclass(frozen=True, slots=True)
class Attack(Order):
    target: str
    air: bool


@dataclass(frozen=True, slots=True)
class Done(Order):
    pass


@dataclass(frozen=True, slots=True)
class Storm(Order, text="storm {hex} [at {least}] [after {after}] [ask]"):
    hex: int
    after: int = field(default=0, kw_only=True)
    least: Annotated[int | None, Words({0: "1:2", 1: "1:1", 2: "2:1"}, "column")] = None
    ask: bool = False


UNITS = Words({1: "3Pz", 2: "3PzGr", 3: "1Inf"})


class Both(Group[None]):
    """`both PLACE`: the two panzer units."""

    def expand(self, words: list[str], context: Context[None]) -> tuple[Order, ...] | None:
        if words[0] != "both":
            return None
        if len(words) != 2 or not words[1].isdigit():
            raise NotationError("invalid", "Write it as: both HEX.")
        return tuple(Move(unit, (int(words[1]),), Mode.ROAD) for unit in (1, 2))


NOTATION: Notation[None] = Notation(
    Verb(Move, "move {unit} {path} by {mode}", names={"unit": UNITS}, joined={"path": ">"}),
    Verb(Attack, "attack {target} {air}"),
    Verb(Done, "done"),
    Verb(Storm),
    groups=(Both(),),
)
LEGAL = [
    Done(),
    Move(1, (1208,), Mode.ROAD),
    Move(1, (1208, 1309), Mode.ROAD),
    Move(2, (1208,), Mode.ROAD),
    Attack("Minsk", air=True),
]
WORD = st.text("abc0189/_.", min_size=0, max_size=6)
ORDERS = st.one_of(
    st.just(Done()),
    st.builds(Attack, WORD, st.booleans()),
    st.builds(Move, st.sampled_from([1, 2, 3]), st.lists(st.integers(-5, 2000)).map(tuple), st.sampled_from(Mode)),
)


def context(legal: Iterable[Order] = LEGAL) -> Context[None]:
    return Context(None, None, "axis", lambda: Legal(NOTATION, lambda: View(None), lambda: legal))


def parse(text: str) -> tuple[Order, ...]:
    return NOTATION.parse(text, context())


@given(ORDERS)
def test_text_reads_back(order: Order) -> None:
    text = NOTATION.write(order)
    assert NOTATION.read(text) == order
    assert NOTATION.parse(text, context([])) == (order,)


@given(st.text(max_size=40))
def test_any_line_is_an_order_or_a_notation_error(text: str) -> None:
    try:
        orders = parse(text)
    except NotationError:
        orders = ()
    assert all(isinstance(order, Order) for order in orders)


def test_the_texts() -> None:
    assert NOTATION.write(LEGAL[2]) == "move 3Pz 1208>1309 by road"
    assert NOTATION.write(Attack("Minsk", air=False)) == "attack Minsk no"
    assert NOTATION.write(Move(3, (), Mode.RAIL)) == "move 1Inf - by rail"


WRONG = ["move 3Pz 1208", "move 3pz 1208 by road", "attack Minsk maybe", "done  ", "fly", "", "move 3Pz 01208 by road"]


@pytest.mark.parametrize("text", WRONG)
def test_reading_is_strict(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        NOTATION.read(text)
    assert caught.value.what == "invalid"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("d", Done()),
        ("a minsk", Attack("Minsk", air=True)),
        ("m 3pz 1208 b", LEGAL[1]),  # whole words go before beginnings
        ("m 3pz 1208>", LEGAL[2]),
        ("  MOVE   3PzG ", LEGAL[3]),
        ("attack Kiev no", Attack("Kiev", air=False)),  # exact: whether it is legal is another question
    ],
)
def test_abbreviations_are_held_against_what_is_legal(text: str, order: Order) -> None:
    assert parse(text) == (order,)


@pytest.mark.parametrize(
    ("text", "what"),
    [("m", "ambiguous"), ("m 3pz", "ambiguous"), ("a kiev", "invalid"), ("attack kiev", "invalid"), ("zzz", "unknown")],
)
def test_errors_are_told_apart(text: str, what: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.what == what
    assert caught.value.code == "E-NOTATION"


def test_ambiguity_shows_what_may_be_meant() -> None:
    with pytest.raises(NotationError, match="may mean") as caught:
        parse("m 3pz 12")
    assert "move 3Pz 1208 by road" in caught.value.candidates


def test_several_orders_and_groups_on_one_line() -> None:
    assert parse("both 1208; d") == (Move(1, (1208,), Mode.ROAD), Move(2, (1208,), Mode.ROAD), Done())
    with pytest.raises(NotationError, match="both HEX"):
        parse("both")


def test_an_order_may_be_given_several_times_at_once() -> None:
    assert parse("3 x d; 2 x both 1208") == (Done(),) * 3 + parse("both 1208") * 2
    for text in ("0 x d", "100 x d", "99999999 x d"):
        with pytest.raises(NotationError, match="at most 99 times"):
            parse(text)
    for text in ("3 x", "x d", "-1 x d"):
        with pytest.raises(NotationError):
            parse(text)


def test_lines_are_bounded() -> None:
    with pytest.raises(NotationError):
        parse("done;" * 1000)


def test_authors_hear_of_mistakes() -> None:
    for pattern in ("move {unit}", "{unit} {path} {mode}", "move {unit} {unit} {path} {mode}", ""):
        with pytest.raises(TypeError):
            Verb(Move, pattern)
    with pytest.raises(TypeError):
        Notation(Verb(Done, "done"), Verb(Done, "end"))
    with pytest.raises(ValueError, match="distinct"):
        Words({1: "a", 2: "a"})


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Storm(1204), "storm 1204"),
        (Storm(1204, least=0), "storm 1204 at 1:2"),
        (Storm(1204, ask=True), "storm 1204 ask"),
        (Storm(1204, least=2, after=3, ask=True), "storm 1204 at 2:1 after 3 ask"),
    ],
)
def test_parts_in_brackets_are_left_out_at_their_defaults(order, text):
    assert NOTATION.write(order) == text
    assert NOTATION.read(text) == order
    kinds = OrderKinds((Storm,))
    assert kinds.read(kinds.write(order)) == order


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("storm 1204 after", "'after' is not understood; write it as: storm HEX [at LEAST] [after AFTER] [ask]"),
        ("storm 1204 at 9:1", "'9:1' is not a column"),
        ("storm 1204 ask ask", "'ask' is not understood"),
        ("storm 1204 soon", "'soon' is not understood"),
        ("storm 1204 after 0", "write it as: storm 1204"),
        ("storm 1204 ask at 2:1", "write it as: storm 1204 at 2:1 ask"),
        ("storm", "write it as: storm HEX"),
    ],
)
def test_parts_in_brackets_are_read_strictly(text, says):
    with pytest.raises(NotationError) as caught:
        NOTATION.read(text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        "storm {hex} [at {after}] [ask]",
        "storm [hex] [at {least}] [after {after}] [ask]",
        "storm {hex} [at {least}] [at {after}] [ask]",
        "storm {hex} [at {least}] [after] [ask]",
    ],
)
def test_parts_in_brackets_have_a_word_and_a_default(pattern):
    with pytest.raises(TypeError):
        Verb(Storm, pattern)
