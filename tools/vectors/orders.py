"""Packed orders (NOT-1..4, NOT-9) and standing orders (POL-1..3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pbem.engine.bits import BitWriter
from pbem.engine.order import Common, Lead, Order, OrderCodes
from pbem.engine.policy import parse
from pbem.protocol.canonical import pack
from tools.vectors.vector import SUCCESS, Vector


@dataclass(frozen=True, slots=True)
class Move(Order):
    unit: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play(Order):
    card: int
    slot: str
    openly: bool


@dataclass(frozen=True, slots=True)
class Done(Order):
    pass


class Pace(StrEnum):
    WALK = "walk"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class March(Order):
    unit: Annotated[int, Lead(4)]
    to: Annotated[int, Common((405, 406, -1))]
    pace: Pace


CODES = OrderCodes((Move, Play, Done, March))
FIELDS = (
    "0 move: unit int, path list of int; 1 play: card int, slot text, openly bool; 2 done; "
    "3 march: unit int leading 4, to int common 405,406,-1, pace of walk,run"
)


def shown(order: Order) -> str:
    """What a reader finds in an order: its kind and its fields."""
    if isinstance(order, Move):
        return f"move {order.unit} {','.join(map(str, order.path)) or '-'}"
    if isinstance(order, Play):
        return f"play {order.card} {order.slot or '-'} {'yes' if order.openly else 'no'}"
    if isinstance(order, March):
        return f"march {order.unit} {order.to} {order.pace}"
    return order.kind


def _bits(*parts: tuple[int, int]) -> bytes:
    """Values and their widths."""
    out = BitWriter()
    for value, width in parts:
        out.put(value, width)
    return out.close()


def _good(name: str, comment: str, order: Order, step: str = "NOT-2") -> Vector:
    facts = {"kinds": FIELDS, "order": shown(order)}
    return Vector(f"packed-{name}", "packed", SUCCESS, step, comment, CODES.pack(order), facts)


def _bad(name: str, comment: str, raw: bytes) -> Vector:
    return Vector(f"packed-{name}", "packed", "E-ORDER-FORM", "NOT-3", comment, raw, {"kinds": FIELDS})


def _list(name: str, expect: str, comment: str, raw: bytes) -> Vector:
    facts = {"kinds": FIELDS}
    if expect == SUCCESS:
        facts["orders"] = "; ".join(map(shown, CODES.unpack_all(raw)))
    return Vector(
        f"orders-{name}", "orders", expect, "NOT-3" if name in ("cut", "fewer", "gap") else "NOT-9", comment, raw, facts
    )


def _policy(name: str, comment: str, text: str, step: str = "POL-3") -> Vector:
    policy = parse(text)
    return Vector(f"policy-{name}", "policy", SUCCESS, step, comment, policy.pack(), {"text": str(policy)})


def _choice(name: str, step: str, comment: str, text: str, facts: str, offered: str, answer: str) -> Vector:
    known = {"facts": facts, "offered": offered, "answer": answer}
    return Vector(f"choice-{name}", "choice", SUCCESS, step, comment, parse(text).pack(), known)


def _no_policy(name: str, comment: str, value: object) -> Vector:
    return Vector(f"policy-{name}", "policy", "E-POLICY", "POL-3", comment, pack(value))  # type: ignore[arg-type]


def vectors() -> Iterator[Vector]:
    yield _good("done", "no fields: the kind alone", Done(), "NOT-1")
    yield _good(
        "move",
        "small and large integers, below and above zero",
        Move(7, (0, -1, 63, 64, -65, 1208, -(2**63), 2**63 - 1)),
    )
    yield _good("empty", "a tuple of nothing", Move(0, ()))
    yield _good("play", "text, and a yes", Play(15, "deck/2/11", openly=True))
    yield _good("umlaut", "text is counted in bytes", Play(0, "Brücke", openly=False))
    yield _good("lead", "kind and first field in one number", March(2, 406, Pace.RUN), "NOT-1")
    yield _good("lead-beyond", "a first field that has no number of its own", March(4, 405, Pace.WALK), "NOT-1")
    yield _good("lead-below", "one below zero", March(-1, -1, Pace.WALK), "NOT-1")
    yield _good("common-other", "a value that is not common", March(0, 407, Pace.RUN))
    yield _good("path", "a tuple of more than fourteen members", Move(0, tuple(range(15))))
    yield _good("large", "4,095 bits, as many as this kind may have", Move(0, (64,) * 252 + (0,) * 4))
    yield _bad("lead-long", "a first field that has a number of its own", _bits((7, 3), (0, 1), (6, 8), (0, 2), (0, 4)))
    yield _bad("common-long", "a common value written as another", _bits((3, 3), (3, 2), (0x06AA, 16), (0, 4)))
    yield _bad("member", "a member that the list has not", _bits((3, 3), (0, 2), (2, 4)))
    yield _bad("member-far", "a member far beyond the list", _bits((3, 3), (0, 2), (15, 4), (0, 8)))
    yield _list("none", SUCCESS, "no orders", b"\x00\x00")
    yield _list("two", SUCCESS, "two orders", CODES.pack_all((March(1, 405, Pace.RUN), Done())))
    yield _list("gap", "E-ORDER-FORM", "every order in bytes of its own", b"\0\2\2\2")
    yield _list("fewer", "E-ORDER-FORM", "fewer orders than the record says", b"\0\3" + _bits((2, 3), (2, 3)))
    yield _list("more", "E-ORDER-FORM", "more orders than the record says", b"\0\1" + _bits((2, 3), (2, 3)))
    yield _list("filled", "E-ORDER-FORM", "a byte is filled up with a one", b"\0\1" + _bits((2, 3), (16, 5)))
    yield _list("byte", "E-ORDER-FORM", "a byte of zeros too many", b"\0\1" + _bits((2, 3), (0, 13)))
    yield _list("cut", "E-ORDER-FORM", "the last order is cut off", b"\0\2" + _bits((2, 3), (4, 3)))
    yield _bad("nothing", "no bytes", b"")
    yield _bad("two", "two orders where one belongs", _bits((2, 3), (2, 3)))
    yield _bad("kind", "a kind beyond the list", _bits((7, 3), (1, 1), (0, 8)))
    yield _bad("kind-far", "a kind far beyond the list", _bits((7, 3), (1, 1), (0x01FF, 16)))
    yield _bad("trailing", "a byte after the last field", b"\2\0")
    yield _bad("filled", "a last byte filled up with a one", b"\x82")
    yield _bad("cut", "the second member of two is lacking", _bits((0, 3), (14, 8), (2, 4), (5, 8)))
    yield _bad("long-number", "zero in two groups", _bits((0, 3), (0x0080, 16), (0, 4)))
    yield _bad("huge-number", "a number of 65 bits", _bits((0, 3), (2**72 - 1, 72), (2, 8), (0, 4)))
    yield _bad("utf8", "text that is not UTF-8", _bits((1, 3), (0, 8), (1, 8), (0xFF, 8), (0, 1)))
    yield _bad("promised", "a length beyond the end", _bits((0, 3), (0, 8), (15, 4), (0xF0, 8), (1, 8)))
    yield _bad(
        "too-large", "4,103 bits", _bits((0, 3), (0, 8), (15, 4), (0x01F1, 16), *((0x0180, 16),) * 253, *((0, 8),) * 3)
    )
    yield _policy("retreat", "two clauses", "when odds <= 1 and steps > 1 then stand; then retreat", "POL-2")
    yield _policy("losses", "an order of losses", "then infantry, tank, bomber/2, ask")
    yield _policy("default", "the words that have a meaning", "when turn != -3 then default; then ask", "POL-4")
    yield _no_policy("empty", "no clause", [])
    yield _no_policy("no-answer", "a clause without an answer", [[[], []]])
    yield _no_policy("comparison", "an unknown comparison", [[[["odds", "==", 1]], ["stand"]]])
    yield _no_policy("bool", "a yes for a number", [[[["odds", "=", True]], ["stand"]]])
    yield _no_policy("fact", "a fact with a capital", [[[["Odds", "=", 1]], ["stand"]]])
    yield _no_policy("word", "a word of the language for an answer", [[[], ["then"]]])
    yield _no_policy("many", "33 clauses", [[[], ["stand"]]] * 33)
    yield from _choices()


def _choices() -> Iterator[Vector]:
    text = "when odds <= 1 and steps > 1 then stand, dodge; when odds > 4 then flee; then retreat, ask"
    both = "retreat stand"
    yield _choice("first", "POL-1", "the first clause that holds", text, "odds=1 steps=2", both, "stand")
    yield _choice("second", "POL-1", "a later clause", text, "odds=2 steps=2", both, "retreat")
    yield _choice("offer", "POL-1", "the first answer is not on offer", text, "odds=1 steps=2", "dodge", "dodge")
    yield _choice("no-offer", "POL-1", "no answer of the clause is on offer", text, "odds=9 steps=2", both, "ask")
    yield _choice("no-fact", "POL-1", "a fact that is not there", text, "odds=9", both, "ask")
    yield _choice("no-clause", "POL-1", "no clause holds", "when odds = 3 then stand", "odds=4", both, "ask")
    yield _choice("ask", "POL-4", "`ask` stands before what is on offer", "then ask, stand", "-", both, "ask")
    yield Vector("choice-none", "choice", "E-POLICY", "POL-3", "no clause", pack([]), {"facts": "-", "offered": both})
