"""Shapes of values from outside: exact keys, types and bounds, to be read like the tables of the specification."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.protocol.characters import check_line, check_lines
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_BEHAVIOUR,
    MAX_CARD,
    MAX_INT,
    MAX_NAME,
    MAX_OPTION_TEXT,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_REPLACED,
    MAX_SEATS,
    MAX_SECONDS,
    MAX_SLOT,
    MIN_INT,
    PADDED,
)

STEP = "REC-6"
"""The step of the shapes of records; who judges something else by them restates it."""
Shape: TypeAlias = Callable[[Any, str], None]  # value, the path by which a refusal names it


def no(where: str, what: str) -> Refusal:
    return Refusal("E-FORM", f"The field `{where}` is not {what}.", step=STEP)


def integer(low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise no(where, f"an integer from {low} to {high}")

    return check


def binary(low: int, high: int | None = None) -> Shape:
    most = low if high is None else high
    size = str(low) if most == low else f"{low} to {most}"

    def check(value: Any, where: str) -> None:
        if type(value) is not bytes or not low <= len(value) <= most:
            raise no(where, f"{size} bytes")

    return check


def padded_box(high: int) -> Shape:
    """A box of a padded value: one of few sizes, and the tag (HID-1, HID-3)."""
    sizes = [size + 16 for size in PADDED if size <= high]

    def check(value: Any, where: str) -> None:
        if type(value) is not bytes or len(value) not in sizes:
            raise no(where, f"a box of {', '.join(map(str, sizes))} bytes")

    return check


def word(pattern: str, what: str) -> Shape:
    matches = re.compile(pattern, re.ASCII).fullmatch

    def check(value: Any, where: str) -> None:
        if type(value) is not str or not matches(value):
            raise no(where, what)

    return check


def line(low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not str:
            raise no(where, "text")
        check_line(value, low, high, f"The text `{where}`", STEP)

    return check


def lines(high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not str:
            raise no(where, "text")
        check_lines(value, high, f"The text `{where}`", STEP)

    return check


def boolean(value: Any, where: str) -> None:
    if type(value) is not bool:
        raise no(where, "true or false")


def nil(value: Any, where: str) -> None:
    if value is not None:
        raise no(where, "nil")


def by_type(**shapes: Shape) -> Shape:
    """One shape for each type that the value may have: `nil`, `int`, `str`, `bool`, `bytes`, `list`."""
    names = {type(None): "nil"}

    def check(value: Any, where: str) -> None:
        kind = type(value)
        shape = shapes.get(names.get(kind, kind.__name__))
        if shape is None:
            raise no(where, "of a type that belongs there")
        shape(value, where)

    return check


def or_nil(shape: Shape) -> Shape:
    def check(value: Any, where: str) -> None:
        if value is not None:
            shape(value, where)

    return check


def array(member: Shape, low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not list or not low <= len(value) <= high:
            raise no(where, f"an array of {low} to {high}")
        for n, each in enumerate(value):
            member(each, f"{where}[{n}]")

    return check


def row(*columns: Shape) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not list or len(value) != len(columns):
            raise no(where, f"an array of exactly {len(columns)}")
        for n, (shape, each) in enumerate(zip(columns, value, strict=True)):
            shape(each, f"{where}[{n}]")

    return check


def tagged_row(**rows: Shape) -> Shape:
    """An array whose first member says which row it is."""

    def check(value: Any, where: str) -> None:
        if type(value) is not list or not value or type(value[0]) is not str or value[0] not in rows:
            raise no(where, f"an array that begins with one of: {', '.join(rows)}")
        rows[value[0]](value, where)

    return check


def fields(needed: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    shapes = {**needed, **(optional or {})}

    def check(value: Any, where: str) -> None:
        if type(value) is not dict:
            raise no(where, "a map")
        for key in needed:
            if key not in value:
                raise no(f"{where}.{key}", "there, but it must be")
        for key, each in value.items():
            if key not in shapes:
                raise no(f"{where}.{key}", "a field that belongs there")
            shapes[key](each, f"{where}.{key}")

    return check


def either(choose: Callable[[dict[str, Any]], Shape]) -> Shape:
    """A map whose shape depends on one of its own fields."""

    def check(value: Any, where: str) -> None:
        if type(value) is not dict:
            raise no(where, "a map")
        choose(value)(value, where)

    return check


def options(value: Any, where: str) -> None:
    if type(value) is not dict or len(value) > MAX_OPTIONS:
        raise no(where, f"a map of at most {MAX_OPTIONS}")
    for key, each in value.items():
        OPTION(each, f"{where}.{key}")


ID = binary(32)
PLAYER = integer(0, MAX_PLAYERS - 1)
NAME = word(f"[a-z0-9_-]{{1,{MAX_NAME}}}", f"a name: 1 to {MAX_NAME} of a-z, 0-9, _ and -")
SLOT = word(f"[a-z0-9/_.+-]{{1,{MAX_SLOT}}}", f"a slot or label: 1 to {MAX_SLOT} of a-z, 0-9 and /_.+-")
COMPARISON = word("<=?|=|!=|>=?", "a comparison")
INT = integer(MIN_INT, MAX_INT)
BEHAVIOUR = integer(0, MAX_BEHAVIOUR)
CARD = binary(1, MAX_CARD)
OPTION = by_type(str=line(0, MAX_OPTION_TEXT), int=integer(-(2**31), 2**31 - 1), bool=boolean)

# What a game is offered under (GEN-1)
CLOCK = fields({"move": integer(0, MAX_SECONDS), "bank": integer(0, MAX_SECONDS), "days_off": integer(0, 127)})
DECKS = array(NAME, 0, MAX_SEATS)
MODE = word("strict|umpire|open", "one of: strict, umpire, open")
REPLACED = array(row(SLOT, ID), 0, MAX_REPLACED)
SEATS = array(row(NAME, NAME, PLAYER), 1, MAX_SEATS)
