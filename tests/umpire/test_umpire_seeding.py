"""The numbers that entrants get."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from halls import Hall

from pbem.umpire import UmpireError
from pbem.umpire.db import queries
from pbem.umpire.entrants import NewEntrant, read_entrants
from pbem.umpire.pairing import place_by_lot
from pbem.umpire.terms import parse

TERMS = 'v = 1\ntitle = "Cup"\ngame = "duel"\nmode = "umpire"\nformat = "swiss"\n'


@pytest.fixture
def hall(tmp_path):
    return Hall(tmp_path)


def entered(hall, more):
    given = read_entrants(hall.cards())
    rated = [NewEntrant(each.card, rating) for each, rating in zip(given, (1500, None, 1800, 1500), strict=True)]
    made = hall.desk.create(parse((TERMS + more).encode()), hall.umpire.people.me().card, rated)
    return [each.card for each in rated], made, [each.name for each in hall.desk.entrants(made.name)]


def test_numbers_follow_the_ratings(hall):
    cards, _, names = entered(hall, "")
    assert names == [cards[at].name for at in (2, 0, 3, 1)]


def test_without_ratings_and_without_a_word_lots_are_drawn(hall):
    given = read_entrants(hall.cards())
    made = hall.desk.create(parse(TERMS.encode()), hall.umpire.people.me().card, given)
    assert made.terms.seeding == "lot"
    names = [each.name for each in hall.desk.entrants(made.name)]
    cards = sorted((each.card for each in given), key=lambda card: place_by_lot(made.key, card.identity))
    assert names == [card.name for card in cards]


def test_numbers_as_given(hall):
    cards, _, names = entered(hall, 'seeding = "given"')
    assert names == [card.name for card in cards]


@pytest.mark.parametrize("more", ['seeding = "lot"', 'seeding = "lot"\nseed = "the winning number"'])
def test_numbers_by_lot(hall, more):
    cards, made, names = entered(hall, more)
    seed = b"the winning number" if "winning" in more else made.key
    assert names == [card.name for card in sorted(cards, key=lambda card: place_by_lot(seed, card.identity))]


def test_no_name_stands_before_a_number(monkeypatch):
    there = [SimpleNamespace(number=number, name=name) for number, name in ((1, "Ann"), (2, "1"), (3, "12"), (4, "12"))]
    monkeypatch.setattr(queries, "entrants", lambda *_: there)
    assert queries.entrant(None, 1, "1").number == 1
    assert queries.entrant(None, 1, "2").number == 2
    assert queries.entrant(None, 1, "an").number == 1
    with pytest.raises(UmpireError, match="may be 12"):
        queries.entrant(None, 1, "12")
