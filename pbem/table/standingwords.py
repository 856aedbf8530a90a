"""What a player types as standing orders is held against the words that the game knows.

Rules judge a record's standing orders by POL-6 alone, where an unknown answer counts as `ask` for ever; here, before
anything is sealed, it is far more likely a slip.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from pbem.engine.policy import ASK, DEFAULT, Policy
from pbem.engine.step import Decide
from pbem.protocol.errors import Refusal


def check_kind(kind: str, known: Sequence[str]) -> None:
    """`known`: the decisions for which the seat may give standing orders."""
    if kind not in known:
        there = f"There are {', '.join(known)}." if known else "None in this game does."
        raise Refusal(
            "E-POLICY",
            f"There is no decision {kind!r} that takes standing orders{_meant(kind, known)} {there}",
            step="POL-6",
        )


def check_words(step: Decide[Any, Any, Any], state: Any, policy: Policy, has_default: bool) -> None:
    """Every fact and answer is one that this decision can have (E-POLICY)."""
    for clause in policy.clauses:
        for test in clause.tests:
            if test.fact not in step.fact_names:
                raise _unknown(test.fact, "a fact", step.name, step.fact_names)
        for answer in clause.answers:
            if answer not in (ASK, DEFAULT) and not step.is_answer(state, answer):
                known = (*step.answer_names, ASK, *((DEFAULT,) if has_default else ()))
                raise _unknown(answer, "an answer", step.name, known)


def _unknown(word: str, what: str, kind: str, known: Sequence[str]) -> Refusal:
    there = f"There are {', '.join(known)}." if known else "There are none."
    return Refusal(
        "E-POLICY", f"{word!r} is not {what} of the decision {kind!r}{_meant(word, known)} {there}", step="POL-6"
    )


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"; did you mean {near[0]}?" if near else "."
