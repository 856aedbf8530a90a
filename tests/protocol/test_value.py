"""A value is what a frozen, slotted dataclass is."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pbem.engine
import pbem.kit
from pbem.protocol.value import light, mutable, value


@value
class Point:
    kind: ClassVar[str] = "point"
    x: int
    y: int = 3

    @property
    def sum(self) -> int:
        return self.x + self.y


@dataclass(frozen=True, slots=True)
class Twin:
    kind: ClassVar[str] = "point"
    x: int
    y: int = 3


@value(kw_only=True)
class Fact:
    rule: str = ""


@value
class Named(Fact):
    name: str


@dataclass(frozen=True, slots=True)
class Counted(Named):
    count: int = 0


@value
class Nothing:
    pass


@given(st.integers(), st.integers(), st.integers(), st.integers())
def test_equality_and_hash_are_those_of_the_fields(a: int, b: int, c: int, d: int) -> None:
    assert (Point(a, b) == Point(c, d)) == (Twin(a, b) == Twin(c, d))
    assert hash(Point(a, b)) == hash(Twin(a, b))
    assert Point(a, b) != Twin(a, b)
    assert Nothing() == Nothing()


def test_fields_are_parameters() -> None:
    assert Point(1) == Point(x=1, y=3)
    assert Point(1, 2).sum == 3
    assert Named("n") == Named(name="n", rule="")
    assert Counted("n", 2, rule="r").rule == "r"
    wrong: list[Any] = [lambda: Point(), lambda: Point(1, 2, 3), lambda: Named("n", "r"), lambda: Point(1, z=1)]
    for call in wrong:
        with pytest.raises(TypeError):
            call()


def test_nothing_changes_it() -> None:
    point = Point(1)
    for name in ("x", "z"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 2)
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert not hasattr(point, "__dict__")
    assert point == Point(1)


def test_it_is_a_dataclass_to_others() -> None:
    assert is_dataclass(Point)
    assert [(each.name, each.default) for each in fields(Point)][1] == ("y", 3)
    assert replace(Point(1, 2), x=5) == Point(5, 2)
    assert get_type_hints(Point)["x"] is int
    assert [each.name for each in fields(Counted)] == ["rule", "name", "count"]
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_text_and_copies() -> None:
    assert repr(Point(1)) == repr(Twin(1)).replace("Twin", "Point")
    for made in (Point(1, 2), Named("n", rule="r"), Counted("n", 2, rule="r"), Nothing()):
        assert copy.deepcopy(made) == made
        assert pickle.loads(pickle.dumps(made)) == made


def test_what_a_class_says_itself_stands() -> None:
    @value
    class Quiet:
        secret: bytes

        def __post_init__(self) -> None:
            if not self.secret:
                raise ValueError("empty")

        def __repr__(self) -> str:
            return "Quiet()"

    assert repr(Quiet(b"1")) == "Quiet()"
    with pytest.raises(ValueError, match="empty"):
        Quiet(b"")


def test_what_a_field_says_of_itself() -> None:
    @value
    class Kept:
        name: str
        rows: list[int] = field(default_factory=list)
        key: bytes = field(default=b"k", repr=False, compare=False)
        size: int = field(init=False, repr=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "size", len(self.name))

    assert repr(Kept("n")) == "test_what_a_field_says_of_itself.<locals>.Kept(name='n', rows=[])"
    assert Kept("n", [1], b"x") == Kept("n", [1])
    assert Kept("n").rows is not Kept("n").rows
    assert replace(Kept("n", [1], b"x"), name="m").key == b"x"
    assert Kept("name").size == 4


def test_a_default_that_could_change_is_refused() -> None:
    with pytest.raises(TypeError):

        @value
        class Wrong:
            rows: list[int] = []  # noqa: RUF012 - that is the fault


@light
class Light:
    x: int
    y: int = 3


@given(st.integers(), st.integers())
def test_a_light_value_is_a_value_to_all_who_do_not_change_it(a: int, b: int) -> None:
    made = Light(a, b)
    assert made == Light(x=a, y=b)
    assert hash(made) == hash(Point(a, b))
    assert replace(made, y=a) == Light(a, a)
    assert copy.copy(made) == pickle.loads(pickle.dumps(made)) == made
    assert repr(made) == f"Light(x={a}, y={b})"
    with pytest.raises(AttributeError):
        setattr(made, "other", 1)  # noqa: B010 - a field that there is not


@mutable
class Counter:
    name: str
    count: int = 0
    rows: list[int] = field(default_factory=list)


@dataclass(slots=True)
class CounterTwin:
    name: str
    count: int = 0
    rows: list[int] = field(default_factory=list)


def test_what_changes_is_a_dataclass_with_slots() -> None:
    made, twin = Counter("n"), CounterTwin("n")
    for each in (made, twin):
        each.count += 1
        each.rows.append(2)
        with pytest.raises(AttributeError):
            setattr(each, "other", 1)  # noqa: B010 - a field that there is not
        with pytest.raises(TypeError, match="unhashable"):
            hash(each)
    assert made == Counter("n", 1, [2]) != Counter("n")
    assert repr(made) == repr(twin).replace("CounterTwin", "Counter")
    assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == replace(made)
    assert [each.name for each in fields(Counter)] == ["name", "count", "rows"]


def test_the_first_object_is_made_like_all_others() -> None:
    @value
    class Late:
        x: int
        y: int = 1

    for _ in range(2):
        with pytest.raises(TypeError):
            Late(1, 2, 3)  # type: ignore[call-arg]
        assert Late(1) == Late(x=1, y=1)


@mutable
class Held:
    name: str
    cards: list[int] = field(default_factory=list)
    count: int = field(default=0, init=False)


@dataclass
class Kept(Held):
    place: str = ""


class Own(Point):
    def __init__(self, word: str) -> None:
        super().__init__(len(word))


@pytest.mark.parametrize(
    ("cls", "shown"),
    [
        (Point, "(x: 'int', y: 'int' = 3)"),
        (Fact, "(*, rule: 'str' = '')"),
        (Named, "(name: 'str', *, rule: 'str' = '')"),
        (Counted, "(name: 'str', count: 'int' = 0, *, rule: 'str' = '')"),
        (Nothing, "()"),
        (Held, "(name: 'str', cards: 'list[int]' = <factory>)"),
        (Kept, "(name: 'str', cards: 'list[int]' = <factory>, place: 'str' = '')"),
        (Own, "(word: 'str')"),
    ],
)
def test_help_shows_the_fields_before_and_after_the_first_object(cls: type[Any], shown: str) -> None:
    for _ in range(2):
        assert str(inspect.signature(cls)).removesuffix(" -> 'None'").removesuffix(" -> None") == shown
        cls(*["word"] * sum(each.default is each.empty for each in inspect.signature(cls).parameters.values()))


def test_no_public_value_hides_its_fields() -> None:
    hidden, seen = [], 0
    for room in (pbem.engine, pbem.kit):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            for name, each in vars(importlib.import_module(found.name)).items():
                if isinstance(each, type) and each.__module__ == found.name and is_dataclass(each) and name[0] != "_":
                    seen += 1
                    wanted = {field.name for field in fields(each) if field.init}
                    if set(inspect.signature(each).parameters) != wanted:
                        hidden.append(name)
    assert not hidden
    assert seen > 60
