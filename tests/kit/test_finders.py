"""Places and units as players type them."""

from __future__ import annotations

import pytest
from grounds import plain_board

from pbem.engine.notation import NotationError
from pbem.kit import PlaceFinder, UnitFinder, clauses, stops_of, units_first
from pbem.kit.board import Board, Place

PLAIN = plain_board(5, 5)
NAMES = {203: "Stargard", 304: "Alt Storkow", 405: "Altdamm"}
BOARD = Board(
    PLAIN.name,
    PLAIN.provenance,
    {id: Place(id, each.kind, each.terrain, NAMES.get(id, "")) for id, each in PLAIN.places.items()},
    PLAIN.edges,
    PLAIN.grid,
)
PLACES = PlaceFinder(BOARD, "0203, Stargard")
UNITS = UnitFinder({"23/11SS": 1, "Klein/Den": 2, "61-HQ": 3, "6/1": 4, "6/2": 5}, "23/11SS, Klein/Den")


@pytest.mark.parametrize(
    ("word", "place"),
    [("0203", 203), ("stargard", 203), ("STAR", 203), ("Alt_Storkow", 304), ("altd", 405), ("alt", None), ("st", None)],
)
def test_places(word, place):
    assert PLACES.find(word) == place


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("alt", "'alt' may be Alt Storkow (0304), Altdamm (0405)."),
        ("9999", "Not understood: '9999' is not a place on the map. Hexes have four digits."),
        ("Starkard", "Not understood: 'Starkard' is not a place on the map. Did you mean Stargard?"),
        (
            "xyz",
            "Not understood: 'xyz' is not a place on the map. Places are written by number or name: 0203, Stargard.",
        ),
    ],
)
def test_places_that_are_not_there(word, sentence):
    with pytest.raises(NotationError, match=r".") as caught:
        PLACES.named(word)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    ("word", "unit"),
    [("23/11ss", 1), ("klein", 2), ("61", 3), ("6", None), ("", None), ("kle", 2), ("kl", None), ("23/1", 1)],
)
def test_units(word, unit):
    assert UNITS.find(word) == unit


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("23/12SS", "Not understood: '23/12SS' is not a unit. Did you mean 23/11SS?"),
        (
            "zzz",
            "Not understood: 'zzz' is not a unit. Units are written by the codes on the board: 23/11SS, Klein/Den.",
        ),
    ],
)
def test_units_that_are_not_there(word, sentence):
    with pytest.raises(NotationError, match=r".") as caught:
        UNITS.named(word)
    assert caught.value.sentence == sentence


# Lines, word by word.


def test_a_line_is_cut_behind_its_units():
    assert units_first(["klein,61", "23/11ss", "starg", "61"], UNITS.find) == (
        ["klein", "61", "23/11ss"],
        ["starg", "61"],
    )
    assert units_first(["klein"], UNITS.find) == (["klein"], [])
    assert units_first(["nobody", "0203"], UNITS.find) == (["nobody"], ["0203"])  # one at least


def test_a_line_is_cut_at_its_keywords():
    assert list(clauses(["0203", "With", "klein", "61", "ask"], ("with", "ask"))) == [
        ("", ["0203"]),
        ("with", ["klein", "61"]),
        ("ask", []),
    ]


def test_a_way_of_places_with_spaces_or_hyphens():
    assert stops_of(["0203-stargard", "0203"], PLACES) == ["0203", "stargard", "0203"]
    assert stops_of(["Stary", "Oskol-0203"], PLACES) == ["Stary_Oskol", "0203"]
