"""The turn track."""

from __future__ import annotations

import copy

import pytest

from pbem.kit.datafile import problems
from pbem.kit.turns import turns_of

TRACK = {
    "format": 1,
    "provenance": "source",
    "turns": [
        {"turn": 3, "name": "Sep/Oct 41", "weather": ["mud", "clear"], "values": {"blitz": 2}},
        {"turn": 4, "name": "Nov/Dec 41", "weather": ["snow"], "marks": ["red"], "sources": {"weather": "ours"}},
        {"turn": 5, "name": "Jan/Feb 42", "season": "winter", "values": {"death": 23}},
    ],
    "arrivals": [
        {"turn": 4, "side": "soviet", "unit": "Vol", "where": "city"},
        {"turn": 4, "side": "axis", "unit": "2A", "steps": 1, "provenance": "rulebook"},
    ],
}
TURNS = turns_of(TRACK)


def test_it_is_of_its_schema():
    assert problems("turns", TRACK) == []


def test_turns_by_number():
    assert [turn.number for turn in TURNS] == [3, 4, 5]
    assert len(TURNS) == 3
    assert TURNS[3].variable
    assert not TURNS[4].variable
    assert TURNS[4].weather == ("snow",)
    assert TURNS.last is TURNS[5]
    assert 2 not in TURNS
    assert 5 in TURNS
    assert "5" not in TURNS
    for number in (2, 6, -1):
        with pytest.raises(IndexError):
            TURNS[number]


def test_values_marks_and_arrivals():
    assert TURNS.value(3, "blitz") == 2
    assert TURNS.value(4, "blitz") == 0
    assert TURNS.marked("red") == (4,)
    assert [a.unit for a in TURNS.arriving(4, "axis")] == ["2A"]
    assert TURNS.arriving(4, "axis")[0].provenance == "rulebook"
    assert TURNS.arriving(4, "soviet")[0].provenance == "source"
    assert TURNS.arriving(5, "axis") == ()
    assert TURNS.source(4, "weather") == "ours"
    assert TURNS.source(3, "weather") == "source"


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t["turns"].pop(1),
        lambda t: t["turns"][2].update(turn=7),
        lambda t: t["arrivals"].append({"turn": 9, "side": "axis", "unit": "x"}),
        lambda t: t.update(provenance="hearsay"),
        lambda t: t["turns"][0].update(sources={"name": "hearsay"}),
        lambda t: t["arrivals"][0].update(provenance="hearsay"),
        lambda t: t["turns"][0].update(name="\x07"),
    ],
)
def test_a_track_that_contradicts_itself(change):
    track = copy.deepcopy(TRACK)
    change(track)
    with pytest.raises(ValueError, match=r"turns: |text"):
        turns_of(track)
