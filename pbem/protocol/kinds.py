"""The payload of every kind of record: exact keys, types and bounds (docs/spec/record.md, REC-6; genesis.md).

Shapes are values that can be read like the tables of the specification. What a payload means in its game is judged by
those who apply it; here it is only made sure that they find what they look for, no more and nothing larger.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.protocol import canonical
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_BEHAVIOUR,
    MAX_BODY,
    MAX_CARD,
    MAX_CARD_NUMBER,
    MAX_DECK,
    MAX_EPOCH,
    MAX_ESCROW,
    MAX_NAME,
    MAX_OPTION_TEXT,
    MAX_OPTIONS,
    MAX_ORDER,
    MAX_ORDERS,
    MAX_PACKED,
    MAX_PLAYERS,
    MAX_POLICY,
    MAX_REPLACED,
    MAX_RESULT,
    MAX_REVEALS,
    MAX_SEATS,
    MAX_SECONDS,
    MAX_SECRETS,
    MAX_SEQ,
    MAX_SLOT,
    MAX_TITLE,
    MAX_VALUE,
    MAX_VERSION,
    MAX_WHY,
)
from pbem.protocol.text import check_line, check_lines

PLAY = frozenset(("orders", "reveal", "release"))
ACTS = frozenset(
    (
        "offer",
        "join",
        "decline",
        "start",
        "resign",
        "tie",
        "takeback",
        "answer",
        "ruling",
        "rekey",
        "migrate",
        "end",
        "open_all",
    )
)
KINDS = PLAY | ACTS

_STEP = "REC-6"
Shape: TypeAlias = Callable[[Any, str], None]  # value, the path by which a refusal names it


def _no(where: str, what: str) -> Refusal:
    return Refusal("E-DATA", f"In this record `{where}` is not {what}.", step=_STEP)


def _int(low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise _no(where, f"an integer from {low} to {high}")

    return check


def _bin(low: int, high: int | None = None) -> Shape:
    most = low if high is None else high
    size = str(low) if most == low else f"{low} to {most}"

    def check(value: Any, where: str) -> None:
        if type(value) is not bytes or not low <= len(value) <= most:
            raise _no(where, f"{size} bytes")

    return check


def _word(pattern: str, what: str) -> Shape:
    matches = re.compile(pattern, re.ASCII).fullmatch

    def check(value: Any, where: str) -> None:
        if type(value) is not str or not matches(value):
            raise _no(where, what)

    return check


def _line(low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not str:
            raise _no(where, "text")
        check_line(value, low, high, f"The text `{where}`", _STEP)

    return check


def _lines(high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not str:
            raise _no(where, "text")
        check_lines(value, high, f"The text `{where}`", _STEP)

    return check


def _bool(value: Any, where: str) -> None:
    if type(value) is not bool:
        raise _no(where, "true or false")


def _nil(value: Any, where: str) -> None:
    if value is not None:
        raise _no(where, "nil")


def _by_type(**shapes: Shape) -> Shape:
    """One shape for each type that the value may have: `nil`, `int`, `str`, `bool`, `bytes`, `list`."""
    names = {type(None): "nil"}

    def check(value: Any, where: str) -> None:
        kind = type(value)
        shape = shapes.get(names.get(kind, kind.__name__))
        if shape is None:
            raise _no(where, "of a type that belongs there")
        shape(value, where)

    return check


def _or_nil(shape: Shape) -> Shape:
    def check(value: Any, where: str) -> None:
        if value is not None:
            shape(value, where)

    return check


def _array(member: Shape, low: int, high: int) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not list or not low <= len(value) <= high:
            raise _no(where, f"an array of {low} to {high}")
        for n, each in enumerate(value):
            member(each, f"{where}[{n}]")

    return check


def _row(*columns: Shape) -> Shape:
    def check(value: Any, where: str) -> None:
        if type(value) is not list or len(value) != len(columns):
            raise _no(where, f"an array of exactly {len(columns)}")
        for n, (shape, each) in enumerate(zip(columns, value, strict=True)):
            shape(each, f"{where}[{n}]")

    return check


def _tagged(**rows: Shape) -> Shape:
    """An array whose first member says which row it is."""

    def check(value: Any, where: str) -> None:
        if type(value) is not list or not value or type(value[0]) is not str or value[0] not in rows:
            raise _no(where, f"an array that begins with one of: {', '.join(rows)}")
        rows[value[0]](value, where)

    return check


def _map(needed: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    shapes = {**needed, **(optional or {})}

    def check(value: Any, where: str) -> None:
        if type(value) is not dict:
            raise _no(where, "a map")
        for key in needed:
            if key not in value:
                raise _no(f"{where}.{key}", "there, but it must be")
        for key, each in value.items():
            if key not in shapes:
                raise _no(f"{where}.{key}", "a field that belongs there")
            shapes[key](each, f"{where}.{key}")

    return check


def _either(choose: Callable[[dict[str, Any]], Shape]) -> Shape:
    """A map whose shape depends on one of its own fields."""

    def check(value: Any, where: str) -> None:
        if type(value) is not dict:
            raise _no(where, "a map")
        choose(value)(value, where)

    return check


def _options(value: Any, where: str) -> None:
    if type(value) is not dict or len(value) > MAX_OPTIONS:
        raise _no(where, f"a map of at most {MAX_OPTIONS}")
    for key, each in value.items():
        _OPTION(each, f"{where}.{key}")


def _orders(value: Any, where: str) -> None:
    """NOT-9: u16be number of orders, then the orders, a bit at least each; only the rules can tell them apart."""
    if type(value) is not bytes or not 2 <= len(value) <= MAX_PACKED:
        raise _no(where, f"2 to {MAX_PACKED} bytes")
    count = count_orders(value)
    if count > MAX_ORDERS:
        raise _no(where, f"a list of at most {MAX_ORDERS} orders")
    if count > 8 * (len(value) - 2) or (not count and len(value) > 2):
        raise _no(where, "as many orders as it says")


def count_orders(packed: bytes) -> int:
    """How many orders a record says it holds."""
    return int.from_bytes(packed[:2], "big")


def _result(value: Any, where: str) -> None:
    if type(value) is not dict or len(canonical.pack(value)) > MAX_RESULT:
        raise _no(where, f"a map of at most {MAX_RESULT} bytes")


ID = _bin(32)
PROOF = _bin(64)
PLAYER = _int(0, MAX_PLAYERS - 1)
NAME = _word(f"[a-z0-9_-]{{1,{MAX_NAME}}}", f"a name: 1 to {MAX_NAME} of a-z, 0-9, _ and -")
SLOT = _word(f"[a-z0-9/_.+-]{{1,{MAX_SLOT}}}", f"a slot or label: 1 to {MAX_SLOT} of a-z, 0-9 and /_.+-")
ORDER = _bin(1, MAX_ORDER)
VALUE = _bin(0, MAX_VALUE)
EPOCH = _int(1, MAX_EPOCH)
BOX = _bin(16, MAX_VALUE + 64)  # a value, and the nonce, tag and point that sealing adds
BEHAVIOUR = _int(0, MAX_BEHAVIOUR)
CARD = _bin(1, MAX_CARD)
CHAINS = _array(_row(PLAYER, ID), 0, MAX_PLAYERS)
POINTS = _bin(0, 32 * MAX_DECK)  # points or commitments, one after another
CARDS = _array(_int(0, MAX_CARD_NUMBER), 0, MAX_DECK)
BACK = _array(SLOT, 0, MAX_DECK)
PIN = _map({"behaviour": BEHAVIOUR, "data": ID})
_OPTION = _by_type(str=_line(0, MAX_OPTION_TEXT), int=_int(-(2**31), 2**31 - 1), bool=_bool)

REVEALED = _tagged(
    nonce=_row(NAME, ID),
    dice=_row(NAME, ID, ID),
    open=_row(NAME, SLOT, ID, VALUE),
    answer=_row(NAME, SLOT, _or_nil(ORDER), _or_nil(_bin(0, MAX_POLICY + 32))),
)
RELEASED = _tagged(
    **{
        "pass": _row(NAME, NAME, EPOCH, _int(1, 4), POINTS, POINTS, CARDS, BACK),
        "slot": _row(NAME, SLOT, ID),
        "deal": _row(NAME, NAME, EPOCH, POINTS, CARDS, BACK),
        "give": _row(NAME, SLOT, NAME, BOX),
        "show": _row(NAME, SLOT, ID, VALUE),
    }
)

_PERSON = {"card": CARD, "chains": CHAINS, "gs": ID, "nonce": ID, "own": _bin(48)}
_ESCROW = _or_nil(_bin(1, MAX_ESCROW))
_PLAYER_JOINS = _map({**_PERSON, "escrow": _ESCROW})
_UMPIRE_JOINS = _map({**_PERSON, "checked": _array(ID, 0, MAX_PLAYERS)})

_RULED = {"what": NAME, "why": _lines(MAX_WHY)}
_STATE = {"state": ID}  # MEA-7: what the ruler saw; absent where the past holds a fork
_RULINGS: dict[str, Shape] = {
    "forfeit": _map({**_RULED, "seats": _array(NAME, 1, MAX_SEATS)}, _STATE),
    "extension": _map({**_RULED, "player": PLAYER, "seconds": _int(1, MAX_SECONDS)}, _STATE),
    "substitute": _map({**_RULED, "player": PLAYER, "join": _bin(1, MAX_BODY // 16)}, _STATE),
    "branch": _map({**_RULED, "keep": ID, "drop": ID, "other": _bin(1, MAX_BODY // 2)}),
    "escrow": _map({**_RULED, "orders": ID, "witness": PLAYER, "x": ID}, _STATE),
    "rekey": _map({**_RULED, "player": PLAYER, "card": CARD, "proof": PROOF}),
}


def _ruling(value: dict[str, Any]) -> Shape:
    what = value.get("what")
    if type(what) is not str or what not in _RULINGS:
        raise _no("ruling.what", f"one of: {', '.join(_RULINGS)}")
    return _RULINGS[what]


_SHAPES: dict[str, Shape] = {
    "offer": _map(
        {
            **_PERSON,
            "clock": _map({"move": _int(0, MAX_SECONDS), "bank": _int(0, MAX_SECONDS), "days_off": _int(0, 127)}),
            "decks": _array(NAME, 0, MAX_SEATS),
            "escrow": _ESCROW,
            "mode": _word("strict|umpire|open", "one of: strict, umpire, open"),
            "options": _options,
            "players": _array(_or_nil(ID), 1, MAX_PLAYERS),
            "replaced": _array(_row(SLOT, ID), 0, MAX_REPLACED),
            "rules": _map(
                {"behaviour": BEHAVIOUR, "code": ID, "data": ID, "module": NAME, "version": _line(0, MAX_VERSION)}
            ),
            "scenario": NAME,
            "seats": _array(_row(NAME, NAME, PLAYER), 1, MAX_SEATS),
            "title": _line(0, MAX_TITLE),
            "umpire": _or_nil(CARD),
        }
    ),
    "join": _either(lambda value: _UMPIRE_JOINS if "checked" in value else _PLAYER_JOINS),
    "decline": _map({"card": CARD, "why": _lines(MAX_WHY)}),
    "start": _map({"joins": _array(ID, 0, MAX_PLAYERS)}),
    "orders": _map(
        {"state": ID, "salt": _bin(16), "orders": _orders},
        {
            "open": _array(_row(SLOT, _bin(32, MAX_VALUE + 32)), 1, MAX_SECRETS),
            "hide": _array(_row(SLOT, NAME, ID, BOX), 1, MAX_SECRETS),
            "standing": _array(
                _row(
                    NAME, NAME, _by_type(nil=_nil, bytes=_bin(1, MAX_POLICY), list=_row(ID, _bin(16, MAX_POLICY + 64)))
                ),
                1,
                MAX_SECRETS,
            ),
        },
    ),
    "reveal": _map({"items": _array(REVEALED, 1, MAX_REVEALS)}),
    "release": _map({"items": _array(RELEASED, 1, MAX_REVEALS)}),
    "resign": _map({"seats": _array(NAME, 1, MAX_SEATS)}),
    "tie": _map({}),
    "takeback": _map({"to": _array(_row(_int(0, 7), _int(0, MAX_SEQ + 1)), 1, MAX_PLAYERS + 1)}),
    "answer": _map({"to": ID, "yes": _bool}),
    "ruling": _either(_ruling),
    "rekey": _map({"card": CARD, "proof": PROOF}),
    "migrate": _map({"from": PIN, "to": PIN, "before": ID, "after": ID}),
    "end": _map({"state": ID, "result": _result}),
    "open_all": _map({"gs": ID}),
}
_TURN = ["orders", "salt", "state"]


def _is_plain_turn(data: dict[str, Any]) -> bool:
    """The common shape of an orders record, judged at once."""
    if list(data) != _TURN:
        return False
    orders, salt, state = data.values()
    return bool(
        type(orders) is bytes
        and 2 < len(orders) <= MAX_PACKED
        and 0 < count_orders(orders) <= min(MAX_ORDERS, 8 * (len(orders) - 2))
        and type(salt) is bytes
        and len(salt) == 16
        and type(state) is bytes
        and len(state) == 32
    )


def is_plain_reveal(data: dict[str, Any]) -> bool:
    """The common shape of a reveal: one value of a dice chain."""
    items = data.get("items")
    if len(data) != 1 or type(items) is not list or len(items) != 1:
        return False
    item = items[0]
    if type(item) is not list or len(item) != 3:
        return False
    what, orders, x = item
    return what == "dice" and type(orders) is bytes and len(orders) == 32 and type(x) is bytes and len(x) == 32


def check_data(kind: str, data: dict[str, Any]) -> None:
    """The payload has the shape of its kind, or a Refusal that names the field."""
    if (kind == "orders" and _is_plain_turn(data)) or (kind == "reveal" and is_plain_reveal(data)):
        return
    shape = _SHAPES.get(kind)
    if shape is None:
        raise Refusal("E-KIND", "This record is of a kind that this pbem does not know; a newer one may.", step="REC-3")
    shape(data, kind)
