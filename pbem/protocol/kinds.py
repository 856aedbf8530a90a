"""The payload of every kind of record: exact keys, types and bounds (docs/spec/record.md, REC-6; genesis.md).

Shapes are values that can be read like the tables of the specification. What a payload means in its game is judged
where it is applied; this module only ensures that the expected fields are there, nothing else is, and nothing is too
large.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pbem.protocol import canonical
from pbem.protocol.characters import check_line, check_lines
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_ANSWERS,
    MAX_AT,
    MAX_BEHAVIOUR,
    MAX_BODY,
    MAX_CARD,
    MAX_CARD_NUMBER,
    MAX_CLAUSES,
    MAX_COMPARISONS,
    MAX_DECK,
    MAX_EPOCH,
    MAX_ESCROW,
    MAX_INT,
    MAX_NAME,
    MAX_OPTION_TEXT,
    MAX_OPTIONS,
    MAX_ORDERS,
    MAX_PLAYERS,
    MAX_POLICY,
    MAX_REPLACED,
    MAX_RESULT,
    MAX_REVEALS,
    MAX_ROUND,
    MAX_SEATS,
    MAX_SECONDS,
    MAX_SECRETS,
    MAX_SEQ,
    MAX_SILENCE,
    MAX_SLOT,
    MAX_TITLE,
    MAX_VALUE,
    MAX_VERSION,
    MAX_WHY,
    MIN_INT,
    MIN_SILENCE,
    PADDED,
    TOURNAMENT,
)

STEP = "REC-6"
"""The step of the shapes of records; `judge` restates it for other things."""
Shape: TypeAlias = Callable[[Any, str], None]  # value, the path by which a refusal names it


def judge(shape: Shape, value: Any, where: str, step: str, code: str = "E-FORM") -> None:
    """Judge by a shape something that is not a payload, with the step and the code for bad form that belong to it."""
    try:
        shape(value, where)
    except Refusal as refusal:
        raise Refusal(code if refusal.code == "E-FORM" else refusal.code, refusal.sentence, step=step) from None


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


def map_of(member: Shape, high: int) -> Shape:
    """The encoding has bounded the keys (ENC-5)."""

    def check(value: Any, where: str) -> None:
        if type(value) is not dict or len(value) > high:
            raise no(where, f"a map of at most {high}")
        for key, each in value.items():
            member(each, f"{where}.{key}")

    return check


def either(choose: Callable[[dict[str, Any]], Shape]) -> Shape:
    """A map whose shape depends on one of its own fields."""

    def check(value: Any, where: str) -> None:
        if type(value) is not dict:
            raise no(where, "a map")
        choose(value)(value, where)

    return check


ID = binary(32)
PLAYER = integer(0, MAX_PLAYERS - 1)
NAME = word(f"[a-z0-9_-]{{1,{MAX_NAME}}}", f"a name: 1 to {MAX_NAME} of a-z, 0-9, _ and -")
SLOT = word(f"[a-z0-9/_.+-]{{1,{MAX_SLOT}}}", f"a slot or label: 1 to {MAX_SLOT} of a-z, 0-9 and /_.+-")
COMPARISON = word("<=?|=|!=|>=?", "a comparison")
INT = integer(MIN_INT, MAX_INT)
BEHAVIOUR = integer(0, MAX_BEHAVIOUR)
CARD = binary(1, MAX_CARD)
NEEDS = line(1, MAX_VERSION)
"""The least program for this behaviour: `pbem 0.2.0`."""
OPTION = by_type(str=line(0, MAX_OPTION_TEXT), int=integer(-(2**31), 2**31 - 1), bool=boolean)

# What a game is offered under (GEN-1)
CLOCK = fields({"move": integer(0, MAX_SECONDS), "bank": integer(0, MAX_SECONDS), "days_off": integer(0, 127)})
DECKS = array(NAME, 0, MAX_SEATS)
MODE = word("strict|umpire|open", "one of: strict, umpire, open")
REPLACED = array(row(SLOT, ID), 0, MAX_REPLACED)
SEATS = array(row(NAME, NAME, PLAYER), 1, MAX_SEATS)


AGREEING = frozenset(("tie", "takeback", "answer"))
"""What players offer each other and answer; in it they show the chance that they owe (MEA-5)."""
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
        "claim",
        "ruling",
        "rekey",
        "migrate",
        "end",
        "open_all",
    )
)
KINDS = PLAY | ACTS


def _orders(value: Any, where: str) -> None:
    """NOT-1, NOT-3, NOT-4: orders and lines of a plan; only the rules can tell what they say."""
    if type(value) is not list or len(value) > MAX_ORDERS:
        raise no(where, f"an array of at most {MAX_ORDERS} orders")
    if not _ARRAY.issuperset(map(type, value)) or not all(value):
        for n, each in enumerate(value):
            _LINE(each, f"{where}[{n}]")


_ARRAY = frozenset((list,))


def _order(value: Any, where: str) -> None:
    if type(value) is not list or not value:
        raise no(where, "an order, an array that is not empty")


def _true(value: Any, where: str) -> None:
    if value is not True:
        raise no(where, "true")


_LINE = by_type(
    list=_order,
    dict=fields({"order": _order}, {"if": array(row(SLOT, COMPARISON, INT), 1, MAX_COMPARISONS), "must": _true}),
)


def _anything(value: Any, where: str) -> None:
    """What only the rules can judge."""


_CLAUSES = array(row(array(by_type(list=_anything), 0, MAX_COMPARISONS), array(SLOT, 1, MAX_ANSWERS)), 1, MAX_CLAUSES)
_SEALED_POLICY = row(ID, padded_box(MAX_POLICY))


def is_sealed(policy: Any) -> bool:
    """Whether standing orders that are good in form are a commitment and its box."""
    return policy is not None and type(policy[0]) is bytes


def _policy(value: list[Any], where: str) -> None:
    """Public standing orders, of which only the rules can tell what they say (POL-3), or sealed ones."""
    if value and type(value[0]) is bytes:
        _SEALED_POLICY(value, where)
        return
    _CLAUSES(value, where)
    if len(canonical.pack(value)) > MAX_POLICY:
        raise no(where, f"of at most {MAX_POLICY} bytes")


def _result(value: Any, where: str) -> None:
    if type(value) is not dict or len(canonical.pack(value)) > MAX_RESULT:
        raise no(where, f"a map of at most {MAX_RESULT} bytes")


_POINTS = integer(-(2**31), 2**31 - 1)
PROOF = binary(64)
VALUE = binary(0, MAX_VALUE)
EPOCH = integer(1, MAX_EPOCH)
BOX = binary(16, MAX_VALUE + 64)  # a card, and the nonce, tag and point that sealing adds
_OWN_BOX = padded_box(MAX_VALUE)
CHAINS = array(row(PLAYER, ID), 0, MAX_PLAYERS)
POINTS = binary(0, 32 * MAX_DECK)  # points or commitments, one after another
CARDS = array(integer(0, MAX_CARD_NUMBER), 0, MAX_DECK)
BACK = array(SLOT, 0, MAX_DECK)
PIN = fields({"behaviour": BEHAVIOUR, "data": ID})
_TO = fields({"behaviour": BEHAVIOUR, "data": ID, "needs": NEEDS})

_CHANCE = {"nonce": row(NAME, ID), "dice": row(NAME, ID, ID)}
REVEALED = tagged_row(
    **_CHANCE,
    open=row(NAME, SLOT, ID, VALUE),
    answer=row(NAME, SLOT, or_nil(_order), or_nil(binary(0, MAX_POLICY + 32))),
)
OWED = tagged_row(  # what is due at a barrier from players, by the columns that tell it from other such things
    **{
        "nonce": row(NAME, PLAYER),
        "orders": row(NAME, NAME),
        "open": row(NAME, SLOT),
        "answer": row(NAME, SLOT, NAME),
        "dice": row(NAME, ID),
        "pass": row(NAME, NAME, EPOCH, integer(1, 4)),
        "slot": row(NAME, SLOT, PLAYER),
    }
)
RELEASED = tagged_row(
    **{
        "pass": row(NAME, NAME, EPOCH, integer(1, 4), POINTS, POINTS, CARDS, BACK),
        "slot": row(NAME, SLOT, ID),
        "deal": row(NAME, NAME, EPOCH, POINTS, CARDS, BACK),
        "give": row(NAME, SLOT, NAME, BOX),
        "show": row(NAME, SLOT, ID, VALUE),
    }
)

_PERSON = {"card": CARD, "chains": CHAINS, "gs": ID, "nonce": ID, "own": binary(48)}
_ESCROW = or_nil(binary(1, MAX_ESCROW))
_ROUND = integer(1, MAX_ROUND)

_RULED = {"what": NAME, "why": lines(MAX_WHY)}
_STATE = {"state": ID}  # MEA-7: what the ruler saw; absent where the past holds a fork
_RULINGS: dict[str, Shape] = {
    "adjudge": fields({**_RULED, "scores": map_of(_POINTS, MAX_SEATS), "winner": or_nil(NAME)}, _STATE),
    "forfeit": fields({**_RULED, "seats": array(NAME, 1, MAX_SEATS)}, {**_STATE, "claim": ID}),
    "extension": fields({**_RULED, "player": PLAYER, "seconds": integer(1, MAX_SECONDS)}, _STATE),
    "substitute": fields({**_RULED, "player": PLAYER, "join": binary(1, MAX_BODY // 16)}, _STATE),
    "branch": fields({**_RULED, "keep": ID, "drop": ID, "other": binary(1, MAX_BODY // 2)}),
    "escrow": fields({**_RULED, "orders": ID, "witness": PLAYER, "x": ID}, _STATE),
    "rekey": fields({**_RULED, "player": PLAYER, "card": CARD, "proof": PROOF}),
}


def _ruling(value: dict[str, Any]) -> Shape:
    what = value.get("what")
    if type(what) is not str or what not in _RULINGS:
        raise no("ruling.what", f"one of: {', '.join(_RULINGS)}")
    return _RULINGS[what]


_SHOWN = {"items": array(tagged_row(**_CHANCE), 1, MAX_PLAYERS)}

_SHAPES: dict[str, Shape] = {
    "offer": fields(
        {
            **_PERSON,
            "clock": CLOCK,
            "decks": DECKS,
            "mode": MODE,
            "options": map_of(OPTION, MAX_OPTIONS),
            "players": array(or_nil(ID), 1, MAX_PLAYERS),
            "replaced": REPLACED,
            "rules": fields(
                {
                    "behaviour": BEHAVIOUR,
                    "code": ID,
                    "data": ID,
                    "module": NAME,
                    "needs": NEEDS,
                    "version": line(0, MAX_VERSION),
                }
            ),
            "scenario": NAME,
            "seats": SEATS,
            "title": line(0, MAX_TITLE),
        },
        {
            "expires": integer(1, MAX_AT),
            "silence": integer(MIN_SILENCE, MAX_SILENCE),
            "tournament": fields(
                {"board": _ROUND, "key": binary(TOURNAMENT), "round": _ROUND, "title": line(1, MAX_TITLE)}
            ),
        },
    ),
    "join": fields({**_PERSON, "escrow": _ESCROW}),
    "decline": fields({"card": CARD, "why": lines(MAX_WHY)}, {"leave": boolean}),
    "start": fields({}, {"nonce": ID}),
    "orders": fields(
        {"state": ID, "salt": binary(16), "orders": _orders},
        {
            "open": array(row(SLOT, binary(32, MAX_VALUE + 32)), 1, MAX_SECRETS),
            "hide": array(row(SLOT, NAME, ID, _OWN_BOX), 1, MAX_SECRETS),
            "standing": array(row(NAME, NAME, by_type(nil=nil, list=_policy)), 1, MAX_SECRETS),
        },
    ),
    "reveal": fields({"items": array(REVEALED, 1, MAX_REVEALS)}),
    "release": fields({"items": array(RELEASED, 1, MAX_REVEALS)}),
    "resign": fields({"seats": array(NAME, 1, MAX_SEATS)}),
    "tie": fields({}, _SHOWN),
    "takeback": fields({"to": array(row(integer(0, 7), integer(0, MAX_SEQ + 1)), 1, MAX_PLAYERS + 1)}, _SHOWN),
    "answer": fields({"to": ID, "yes": boolean}, _SHOWN),
    "claim": fields({"owed": array(OWED, 1, MAX_REVEALS)}),
    "ruling": either(_ruling),
    "rekey": fields({"card": CARD, "proof": PROOF}),
    "migrate": fields({"from": PIN, "to": _TO, "before": ID, "after": ID}),
    "end": fields({"state": ID, "result": _result}),
    "open_all": fields({"gs": ID}),
}
_TURN = ("orders", "salt", "state")


def _is_plain_turn(data: dict[str, Any]) -> bool:
    """The common shape of an orders record, judged at once."""
    if tuple(data) != _TURN:
        return False
    orders, salt, state = data.values()
    _orders(orders, "orders.orders")
    return type(salt) is bytes and len(salt) == 16 and type(state) is bytes and len(state) == 32


def _is_plain_reveal(data: dict[str, Any]) -> bool:
    """The common shape of a reveal: one value of a dice chain."""
    items = data.get("items")
    if len(data) != 1 or type(items) is not list or len(items) != 1:
        return False
    item = items[0]
    if type(item) is not list or len(item) != 3:
        return False
    what, orders, x = item
    return what == "dice" and type(orders) is bytes and len(orders) == 32 and type(x) is bytes and len(x) == 32


def shows_one(kind: str, data: dict[str, Any]) -> bool:
    """Whether a payload that is good holds one item, or orders with at most one secret choice or opening."""
    if kind == "orders":
        return "standing" not in data and len(data.get("open", ())) + len(data.get("hide", ())) <= 1
    return len(data.get("items", ())) == 1


def check_data(kind: str, data: dict[str, Any]) -> None:
    """The payload has the shape of its kind, or a Refusal that names the field."""
    if _is_plain_turn(data) if kind == "orders" else kind == "reveal" and _is_plain_reveal(data):
        return
    shape = _SHAPES.get(kind)
    if shape is None:
        raise Refusal("E-FORM", "This record is of a kind that this pbem does not know; a newer one may.", step="REC-3")
    shape(data, kind)
