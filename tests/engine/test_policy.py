"""Standing orders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from games.redoubt import game as redoubt
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.notation import Words
from pbem.engine.policy import Clause, Comparison, Explanation, Policy, check_fits, from_plain, parse, unpack
from pbem.protocol.canonical import pack
from pbem.protocol.errors import Refusal

KEPT = ("when", "and", "then", "in")
FACT = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda word: word not in KEPT)
ANSWER = st.from_regex(r"[a-z0-9][a-z0-9/_.+-]{0,8}", fullmatch=True).filter(lambda word: word not in KEPT)
NUMBER = st.integers(-(2**63), 2**63 - 1)
TESTS = st.builds(Comparison, FACT, st.sampled_from(["<", "<=", "=", "!=", ">=", ">"]), NUMBER) | st.builds(
    Comparison, FACT, st.just("in"), st.lists(NUMBER, min_size=1, max_size=64).map(tuple)
)
CLAUSES = st.builds(Clause, st.lists(TESTS, max_size=3).map(tuple), st.lists(ANSWER, min_size=1, max_size=3).map(tuple))
POLICIES = st.lists(CLAUSES, min_size=1, max_size=4).map(tuple).map(Policy)


def read_or_none(read: Callable[[Any], Policy], given: object) -> Policy | None:
    """What was read; None: it was refused, for the right reason."""
    try:
        return read(given)
    except Refusal as refusal:
        if refusal.code != "E-POLICY":
            raise
        return None


@given(POLICIES)
def test_both_forms_read_back(policy: Policy) -> None:
    assert parse(str(policy)) == policy
    assert unpack(policy.pack()) == policy


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    policy = read_or_none(parse, text)
    assert policy is None or parse(str(policy)) == policy


@given(st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text("<=abthenwo", max_size=4), st.lists))
def test_any_plain_value_is_read_or_refused(plain: object) -> None:
    policy = read_or_none(from_plain, plain)
    assert policy is None or pack(policy.plain()) == pack(plain)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("facts", "offered", "answer"),
    [
        ({"odds": 1, "steps": 2}, {"stand", "retreat"}, "stand"),
        ({"odds": 1, "steps": 1}, {"stand", "retreat"}, "retreat"),
        ({"odds": 2, "steps": 2}, {"stand", "retreat"}, "retreat"),
        ({"odds": 2, "steps": 2}, {"stand"}, "ask"),
        ({"odds": 1, "steps": 2}, {"retreat"}, "ask"),  # the clause holds, and its answer is not on offer
        ({"odds": 1}, {"stand", "retreat"}, "ask"),  # a fact is not there
    ],
)
def test_choosing(facts: dict[str, int], offered: set[str], answer: str) -> None:
    policy = parse("when odds <= 1 and steps > 1 then stand; then retreat")
    assert policy.choose(facts, offered) == answer


def test_one_of_several_places():
    policy = parse("when hex in 1204, 1305 and odds > 2 then hold; then give")
    assert policy.choose({"hex": 1305, "odds": 3}, ["hold", "give"]) == "hold"
    assert policy.choose({"hex": 1305, "odds": 2}, ["hold", "give"]) == "give"
    assert policy.choose({"hex": 1306, "odds": 3}, ["hold", "give"]) == "give"
    assert policy.choose({"odds": 3}, ["hold", "give"]) == "ask"


def test_places_are_typed_and_shown_by_name():
    names = Words({1204: "smolensk", 1305: "kursk", 1408: "1408"})
    policy = parse(
        "when hex in Smolensk, 1408 and odds > 2 then hold; when hex = kursk then give", {"hex": names.value}
    )
    assert str(policy) == "when hex in 1204, 1408 and odds > 2 then hold; when hex = 1305 then give"
    shown = policy.text({"hex": lambda place: {1204: "Smolensk", 1305: "Kursk"}.get(place, str(place))})
    assert shown == "when hex in Smolensk, 1408 and odds > 2 then hold; when hex = Kursk then give"
    with pytest.raises(Refusal, match="'atlantis' is not a hex, neither by number nor by name"):
        parse("when hex in atlantis then hold", {"hex": names.value})
    with pytest.raises(Refusal, match="'kursk' is not a whole number"):
        parse("when hex in kursk then hold")


@pytest.mark.parametrize("test", ["in -1", "in kell, -1", "= 9999", "!= 4101", "in atlantis"])
def test_a_place_that_is_not_on_the_map_is_refused_where_it_is_typed(test: str) -> None:
    word = test.split()[-1]
    with pytest.raises(Refusal, match=f"'{word}' is not a hex, neither by number nor by name"):
        redoubt.policy("defence", f"when hex {test} then hold; then give")
    # A hex may well lie before or behind a number that is none: all west of column 4.
    assert str(redoubt.policy("defence", "when hex < 400 then hold; then give")).startswith("when hex < 400 ")


def test_an_order_of_losses_takes_the_first_on_offer() -> None:
    policy = parse("then infantry, tank, bomber")
    assert policy.choose({}, ["bomber", "tank"]) == "tank"
    assert policy.choose({}, ["fighter"]) == "ask"


def test_default_and_ask() -> None:
    default = parse("when turn > 2 then stop; then go")
    policy = parse("when turn = 1 then ask, stop; then default")
    assert policy.choose({"turn": 1}, ["stop", "go"], default) == "ask"
    assert policy.choose({"turn": 2}, ["stop", "go"], default) == "go"
    assert policy.choose({"turn": 3}, ["stop", "go"], default) == "stop"
    assert policy.choose({"turn": 3}, ["stop", "go"]) == "ask"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "in clause 1, `then` is missing"),
        ("then", "'' is not an answer"),
        ("then stand;", "in clause 2, `then` is missing"),
        ("if odds > 1 then stand", "'if' stands where"),
        ("when odds then stand", "'odds' is not a comparison"),
        ("when odds == 1 then stand", "'odds == 1' is not a comparison"),
        ("when odds in then stand", "'odds in' is not a comparison"),
        ("when odds in 1,, 2 then stand", "'' is not a whole number"),
        ("when odds in 1 2 then stand", "'1 2' is not a whole number"),
        ("when odds > 1, 2 then stand", "'1, 2' is not a whole number"),
        (f"when odds in {', '.join(['1'] * 65)} then stand", "`in` must be followed by 1 to 64 numbers"),
        ("when odds in 1, 9223372036854775808 then stand", "too large"),
        ("when in > 1 then stand", "'in' is not the name"),
        ("then in", "'in' is not an answer"),
        ("when odds > 1.5 then stand", "'1.5' is not a whole number"),
        ("when odds > 9223372036854775808 then stand", "too large"),
        ("when Odds! > 1 then stand", "'odds!' is not the name"),
        ("when and > 1 then stand", "'and' is not the name"),
        ("then stand fast", "'stand fast' is not an answer"),
        ("; ".join(["then stand"] * 33), "1 to 32 clauses"),
        ("when " + " and ".join(["a > 1"] * 9) + " then b", "at most 8 comparisons"),
        ("then " + ", ".join(["b"] * 33), "1 to 32 answers"),
        ("then " + "b" * 5000, "too long"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(Refusal, match=r"(?s).*") as caught:
        parse(text)
    assert says in caught.value.sentence


def test_facts_and_default_must_exist() -> None:
    check_fits(parse("when odds > 1 then default"), ["odds"], has_default=True)
    with pytest.raises(Refusal, match="'odds' is not a fact of this decision, which has steps"):
        check_fits(parse("when odds > 1 then stand"), ["steps"], has_default=True)
    with pytest.raises(Refusal, match="no default"):
        check_fits(parse("then default"), [], has_default=False)


TOLD = Explanation(
    "A unit must go: where?",
    {"stand": "they stand", "retreat": "they retreat"},
    {"town": "whether the hex is a town", "steps": "the number of steps there", "turn": "the turn", "so": "whether so"},
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("then stand", "They stand."),
        ("then stand, retreat", "They stand, or else they retreat."),
        ("then stand, retreat, default", "They stand, then they retreat, then the usual answer."),
        ("then ask", "You are asked."),
        ("then 7", "7."),
        ("when town = 1 then stand; then retreat", "If the hex is a town: they stand. Otherwise: they retreat."),
        ("when town < 1 then stand", "If the hex is not a town: they stand. Otherwise: you are asked."),
        ("when so != 1 then stand", "If it is not true that so: they stand. Otherwise: you are asked."),
        ("when town = 3 then stand", "If whether the hex is a town is 3: they stand. Otherwise: you are asked."),
        ("when steps < 1 then stand", "If there are no steps there: they stand. Otherwise: you are asked."),
        ("when steps >= 1 then stand", "If there are steps there: they stand. Otherwise: you are asked."),
        ("when steps = 1 then stand", "If there are exactly 1 steps there: they stand. Otherwise: you are asked."),
        ("when steps < 3 then stand", "If there are fewer than 3 steps there: they stand. Otherwise: you are asked."),
        ("when steps <= 1 then stand", "If there are at most 1 steps there: they stand. Otherwise: you are asked."),
        (
            "when steps > 0 and turn > 2 then stand",
            "If there are steps there and the turn is more than t2: they stand. Otherwise: you are asked.",
        ),
        ("when turn in 3, 4 then stand", "If the turn is one of t3, t4: they stand. Otherwise: you are asked."),
        ("when moon = 4 then stand", "If moon is 4: they stand. Otherwise: you are asked."),
    ],
)
def test_standing_orders_are_told_in_sentences(text: str, said: str) -> None:
    assert " ".join(parse(text).sentences(TOLD, {"turn": lambda number: f"t{number}"})) == said


def test_what_is_left_to_the_default() -> None:
    policy = parse("when own = 0 then ask; when own = 2 then stand; then default")
    assert [policy.leaves({"own": own}) for own in (0, 1, 2)] == [False, True, False]
    assert not policy.leaves({})
    assert not parse("then stand").leaves({})
    assert not parse("then stand, default").leaves({})
    assert parse("then stand, default").leaves({}, ["hold"])
