"""Orders as they stand in a record (NOT-1..4) and standing orders (POL-1..3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pbem.engine.order import Order, OrderKinds
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
    unit: int
    to: int | None
    pace: Pace
    path: tuple[tuple[int, bool], ...]


KINDS = OrderKinds((Move, Play, Done, March))
FIELDS = (
    "move: unit int, path tuple of int; play: card int, slot text, openly bool; done; "
    "march: unit int, to int or nil, pace of walk,run, path tuple of (int, bool)"
)


def shown(order: Order) -> str:
    """What a reader finds in an order: its kind and its fields."""
    if isinstance(order, Move):
        return f"move {order.unit} {','.join(map(str, order.path)) or '-'}"
    if isinstance(order, Play):
        return f"play {order.card} {order.slot or '-'} {'yes' if order.openly else 'no'}"
    if isinstance(order, March):
        path = ",".join(f"{at}{'+' if way else '-'}" for at, way in order.path)
        return f"march {order.unit} {'nil' if order.to is None else order.to} {order.pace} {path or '-'}"
    return order.kind


def _good(name: str, comment: str, order: Order, step: str = "NOT-2") -> Vector:
    facts = {"kinds": FIELDS, "order": shown(order)}
    return Vector(f"plain-{name}", "plain", SUCCESS, step, comment, KINDS.pack(order), facts)


def _bad(name: str, comment: str, plain: Any, step: str = "NOT-2") -> Vector:
    return Vector(f"plain-{name}", "plain", "E-ORDER-FORM", step, comment, pack(plain), {"kinds": FIELDS})


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
    yield _good("umlaut", "text in UTF-8", Play(0, "Brücke", openly=False))
    yield _good("march", "an enumeration by its text, and a tuple of tuples", March(2, 406, Pace.RUN, ((1, True),)))
    yield _good("nil", "an optional field with nothing in it", March(-1, None, Pace.WALK, ()))
    yield _good("large", "512 bytes, as many as an order may have", Play(1, "x" * 501, openly=False), "NOT-4")
    yield _bad("long", "513 bytes", ["play", 1, "x" * 502, False], "NOT-4")
    yield _bad("no-array", "a map", {"order": ["done"]}, "NOT-1")
    yield _bad("nothing", "an array of nothing", [], "NOT-1")
    yield _bad("number", "a number for the kind", [2], "NOT-1")
    yield _bad("kind", "a kind that the game does not have", ["fly", 1], "NOT-1")
    yield _bad("kind-case", "a kind with a capital", ["Done"], "NOT-1")
    yield _bad("fewer", "a field is left out", ["move", 7])
    yield _bad("more", "a field too many", ["done", None])
    yield _bad("bool", "true for an integer", ["move", True, []])
    yield _bad("int", "1 for a yes", ["play", 1, "x", 1])
    yield _bad("nil-int", "nil for a field that is not optional", ["move", None, []])
    yield _bad("text", "a number for a text", ["play", 1, 1, True])
    yield _bad("bin", "bytes for a text", ["play", 1, b"x", True])
    yield _bad("tuple", "an integer for a tuple", ["move", 7, 405])
    yield _bad("inner-bool", "false for an integer in a tuple", ["move", 7, [False]])
    yield _bad("row", "a tuple of fixed types that lacks one", ["march", 1, 2, "run", [[1]]])
    yield _bad("row-more", "a third member of two", ["march", 1, 2, "run", [[1, True, 1]]])
    yield _bad("member", "a text that the enumeration does not have", ["march", 1, 2, "crawl", []])
    yield _bad("member-place", "the place of a member for its text", ["march", 1, 2, 1, []])
    yield _bad("map", "a map for a tuple", ["move", 7, {"a": 1}])
    yield _policy("retreat", "two clauses", "when odds <= 1 and steps > 1 then stand; then retreat", "POL-2")
    yield _policy("losses", "an order of losses", "then infantry, tank, bomber/2, ask")
    yield _policy("default", "the words that have a meaning", "when turn != -3 then default; then ask", "POL-4")
    yield _policy("places", "one fact against several numbers", "when hex in 1204, 1305, -7 then hold; then give")
    full = f"when hex in {', '.join(map(str, range(64)))} then hold"
    yield _policy("places-64", "as many numbers as may stand behind `in`", full)
    yield _no_policy("places-65", "65 numbers behind `in`", [[[["hex", "in", [*range(65)]]], ["hold"]]])
    yield _no_policy("places-none", "no number behind `in`", [[[["hex", "in", []]], ["hold"]]])
    yield _no_policy("places-one", "a number that is not in an array behind `in`", [[[["hex", "in", 1204]], ["hold"]]])
    yield _no_policy("places-bool", "a yes among the numbers", [[[["hex", "in", [1, True]]], ["hold"]]])
    yield _no_policy("places-less", "an array behind another comparison", [[[["hex", "=", [1204]]], ["hold"]]])
    yield _no_policy("empty", "no clause", [])
    yield _no_policy("no-answer", "a clause without an answer", [[[], []]])
    yield _no_policy("comparison", "an unknown comparison", [[[["odds", "==", 1]], ["stand"]]])
    yield _no_policy("bool", "a yes for a number", [[[["odds", "=", True]], ["stand"]]])
    yield _no_policy("fact", "a fact with a capital", [[[["Odds", "=", 1]], ["stand"]]])
    yield _no_policy("word", "a word of the language for an answer", [[[], ["then"]]])
    yield _no_policy("many", "33 clauses", [[[], ["stand"]]] * 33)
    yield from _choices()


def _choices() -> Iterator[Vector]:
    held = "when hex in 1204, 1305 then hold; then give"
    yield _choice("in", "POL-1", "the fact is one of the numbers", held, "hex=1305", "give hold", "hold")
    yield _choice("not-in", "POL-1", "the fact is none of the numbers", held, "hex=1206", "give hold", "give")
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
