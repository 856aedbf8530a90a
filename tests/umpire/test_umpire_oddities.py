"""Who is named with what is odd: the entrant, whatever name his card gives him."""

from types import SimpleNamespace

import pytest

from pbem.table.facts import Answered, Question
from pbem.umpire import oddities
from pbem.umpire.anomalies import DAY
from pbem.umpire.db import queries
from pbem.umpire.site.chances import report_of
from pbem.umpire.umpireerror import UmpireError

NAMES = {0: "Bob", 1: "Bob", 2: "Bob"}
PAIRING = SimpleNamespace(id=1, entrants=(1, 2), game="bridgehead-1")


class Noting:
    """A writing that remembers what is recorded."""

    at = 100 * DAY

    def __init__(self):
        self.noted = []
        self.session = SimpleNamespace(get=lambda *_: None)

    def record(self, kind, data):
        self.noted.append((data["kind"], data["entrant"]))


@pytest.mark.parametrize("by", [0, 1])
def test_a_name_that_another_has_too_shifts_no_blame(by, monkeypatch):
    noting = Noting()
    ahead = Answered(Question(by, "orders", 1_000, ()), 2_000, 2_000 + DAY, bytes(32))
    facts = SimpleNamespace(name="bridgehead-1", forked=(), audited=None, notice="", answered=(ahead,))
    oddities.note(noting, NAMES, PAIRING, facts)
    late = SimpleNamespace(entrant=by + 1, what="reveal", since=DAY, automatic=True)
    monkeypatch.setattr(oddities.queries, "owed", lambda *_: [late])
    oddities.watch(noting, SimpleNamespace(id=1), NAMES, PAIRING)
    assert noting.noted == [("clock_ahead", by + 1), ("withheld", by + 1)]


def test_no_name_stands_before_a_number(monkeypatch):
    there = [SimpleNamespace(number=number, name=name) for number, name in ((1, "Ann"), (2, "1"), (3, "12"), (4, "12"))]
    monkeypatch.setattr(queries, "entrants", lambda *_: there)
    assert queries.entrant(None, 1, "1").number == 1
    assert queries.entrant(None, 1, "2").number == 2
    assert queries.entrant(None, 1, "an").number == 1
    with pytest.raises(UmpireError, match="may be 12"):
        queries.entrant(None, 1, "12")


def test_dice_are_told_apart_whatever_players_call_themselves():
    names = ("Bob", "Bob", "Bob (2)", "Bob (1) (1)", "Ann")
    players = {number: SimpleNamespace(number=number, name=name) for number, name in enumerate(names, start=1)}
    _, numbers = report_of(SimpleNamespace(players=players, games=()), {})
    assert sorted(numbers.values()) == [1, 2, 3, 4, 5]
    assert numbers["Ann"] == 5
