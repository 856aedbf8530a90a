"""How `pbem standing` prints what was given."""

import pytest

from pbem.cli.phrases import say_standing
from pbem.engine.policy import parse
from pbem.protocol.errors import Refusal
from pbem_rules.axis1941 import game

LONG = "infantry tank fighter, keep 1 tank in West Russia keep 1 fighter; sea: damage submarine"


def rows():
    read = [
        ("losses", LONG, "sealed with your next orders"),
        ("retreat", "in Ukraine: never; below 70; to Karelia", "with your next orders"),
        ("submarines", "strike", "public"),
    ]
    found = [("germany", kind, game.policy_text(game.policy(kind, text)), state) for kind, text, state in read]
    return [*found, ("ussr", "divert", "", "")]


def test_a_list_of_standing_orders_has_a_rule_a_line_within_100_columns(capsys):
    say_standing(rows())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    clauses = [clause for _, _, policy, _ in rows() if policy for clause in policy.split("; ")]
    column = next(line.index("when") for line in lines if "when" in line)
    starts = [line for line in lines if line[column:].startswith(("when ", "then "))]
    assert len(starts) == len(clauses)
    assert lines[-1].split() == ["ussr", "divert", "ask", "me"]
    assert [line.split()[1] for line in lines if line.startswith("germany")] == ["losses", "retreat", "submarines"]


def test_the_lines_of_the_list_are_the_standing_orders_word_for_word(capsys):
    first = rows()[:1]
    say_standing(first)
    lines = capsys.readouterr().out.splitlines()
    column = next(line.index("when") for line in lines)
    assert " ".join(line[column:].strip() for line in lines) == first[0][2]


@pytest.mark.parametrize(
    ("kind", "typed", "shown"),
    [
        ("retreat", "in west russia: never", "when place = West-Russia then press, default; then default"),
        ("retreat", "in sz5 round 2: ask", "when place = SZ5 and round >= 2 then ask; then default"),
        ("divert", "when place != Hawaiian Islands then home; then deck", None),
        ("divert", "when place < 12 then home; then deck", None),
        (
            "divert",
            "when place in west russia, sz5 then home; then deck",
            "when place in West-Russia, SZ5 then home; then deck",
        ),
    ],
)
def test_places_in_standing_orders_read_back_by_name(kind, typed, shown):
    policy = game.policy(kind, typed)
    text = game.policy_text(policy)
    assert shown is None or text == shown
    assert "place = 6" not in text
    assert game.policy(kind, text) == policy


def test_a_number_that_is_no_place_stays_a_number_and_cannot_be_typed():
    """Another program may send one: it is shown as it came."""
    for test in ("place = 999", "place = -1", "place in 5000, 1"):
        text = f"when {test} then retreat"
        assert game.policy_text(parse(text)).startswith(text.partition(",")[0])
        with pytest.raises(Refusal, match="is not a place, neither by number nor by name"):
            game.policy("retreat", text)
    assert game.policy_text(game.policy("retreat", "when round = 3 then retreat")) == "when round = 3 then retreat"


def test_the_list_is_empty_where_nothing_can_be_said(capsys):
    say_standing([])
    assert capsys.readouterr().out == ""
