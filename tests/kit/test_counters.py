"""Counters whose values differ by face and by unit."""

from __future__ import annotations

import copy

import pytest

from pbem.kit.counters import counters_of
from pbem.kit.datafile import problems

FACES = [
    {"attack": 10, "defence": 8, "move": 6, "traits": ["elite"], "values": {"quality": 2}},
    {"attack": 7, "defence": 6, "move": 6},
]
DATA = {
    "format": 1,
    "provenance": "source",
    "types": [
        {"key": "tank", "name": "Tanks", "letter": "T", "faces": FACES},
        {"key": "post", "name": "Headquarters", "letter": "H", "faces": [{"attack": 0, "defence": 0, "move": 9}]},
    ],
    "units": [
        {"code": "23Pz", "name": "23 Panzer", "side": "axis", "type": "tank", "marks": ["german"]},
        {
            "code": "SS",
            "name": "Wiking",
            "side": "axis",
            "type": "tank",
            "faces": [*FACES, {"attack": 3, "defence": 3, "move": 6}],
            "provenance": "ours",
        },
        {
            "code": "HQ",
            "name": "61st",
            "side": "soviet",
            "type": "post",
            "faces": [{"attack": 0, "defence": 0, "move": 8, "values": {"range": 10}}],
        },
    ],
}
COUNTERS = counters_of(DATA)


def test_it_is_of_its_schema():
    assert problems("counters", DATA) == []


def test_faces_of_the_type_or_its_own():
    panzer, wiking, post = COUNTERS.units
    assert (panzer.steps, wiking.steps, post.steps) == (2, 3, 1)
    assert panzer.face(2) == wiking.face(3)
    assert panzer.face(1) == wiking.face(2)
    assert wiking.face(1).attack == 3
    assert panzer.face(2).traits == {"elite"}
    assert panzer.face(1).traits == frozenset()
    assert panzer.face(2).value("quality") == 2
    assert panzer.face(1).value("quality", 1) == 1
    assert post.face(1).value("range") == 10
    assert post.face(1).move == 8


def test_what_it_belongs_to_and_where_it_comes_from():
    panzer, wiking, _ = COUNTERS.units
    assert panzer.marks == {"german"}
    assert (panzer.provenance, wiking.provenance) == ("source", "ours")


@pytest.mark.parametrize(
    "change",
    [{"faces": []}, {"faces": [{"attack": 100, "defence": 0, "move": 0}]}, {"provenance": "hearsay"}],
)
def test_units_that_cannot_be(change):
    data = copy.deepcopy(DATA)
    data["units"][0].update(change)
    with pytest.raises(ValueError, match="counters: "):
        counters_of(data)
