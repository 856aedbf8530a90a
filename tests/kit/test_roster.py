"""Who stands where, against what the places of the units say."""

from __future__ import annotations

from dataclasses import dataclass

from grounds import plain_board
from hypothesis import given
from hypothesis import strategies as st

from pbem.game import Rows
from pbem.kit import NOWHERE, Deployed, Face, Fielded, Force, Roster, Unit, UnitType

BOX = 9001
AREAS = [{"id": 9000, "name": "Sea", "terrain": "clear"}, {"id": BOX, "name": "B", "terrain": "clear", "kind": "box"}]
BOARD = plain_board(3, 3, areas=AREAS)
SIDES = ("a", "b", "a", "a", "b", "b")
PLACES = (NOWHERE, 101, 102, 201, 9000, BOX, 9902)
MOVES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(PLACES)), max_size=30)


@given(MOVES)
def test_a_roster_follows_every_move(moves):
    roster, at = Roster(BOARD, SIDES), dict.fromkeys(range(6), NOWHERE)
    for unit, goal in moves:
        roster.move(unit, goal)
        at[unit] = goal
    assert roster == Roster(BOARD, SIDES, at.items())
    for place in PLACES[1:]:
        there = tuple(unit for unit in range(6) if at[unit] == place)
        assert roster.stacks[place] == there
        assert roster.side_at(place) == (SIDES[there[0]] if there else None)
        for side in "ab":
            assert roster.of(side, place) == tuple(unit for unit in there if SIDES[unit] == side)
    assert list(roster.stacks) == sorted({place for place in at.values() if place != NOWHERE})
    for side in "ab":
        on_map = [unit for unit in range(6) if SIDES[unit] == side and at[unit] in (101, 102, 201, 9000)]
        assert list(roster.standing(side)) == on_map
        assert roster.occupied[side] == BOARD.mask({at[unit] for unit in on_map})
        assert roster.where(side, lambda unit: unit % 2 == 0) == BOARD.mask({at[u] for u in on_map if u % 2 == 0})
        pairs = {at[u] for u in on_map if sum(at[v] == at[u] for v in on_map) > 1}
        assert roster.where_all(side, lambda units: len(units) > 1) == BOARD.mask(pairs)


def test_an_answer_about_all_is_kept_until_any_side_changes():
    roster, asked = Roster(BOARD, SIDES), []

    def found():
        return roster.kept_for_all("masks", lambda: asked.append(1) or dict(roster.occupied))

    assert found() == found() == roster.occupied
    assert len(asked) == 1
    for unit, goal in ((0, 101), (1, 102), (1, NOWHERE)):
        roster.move(unit, goal)
        assert found() == roster.occupied
    assert len(asked) == 4


def test_an_answer_is_kept_until_its_side_changes():
    roster, asked = Roster(BOARD, SIDES), list[str]()

    def mask(side):
        return roster.kept(side, "mask", lambda: asked.append(side) or roster.occupied[side])

    assert (mask("a"), mask("b"), mask("a")) == (0, 0, 0)
    assert asked == ["a", "b"]
    roster.move(1, 102)
    assert (mask("a"), mask("b")) == (0, BOARD.bit[102])
    assert asked == ["a", "b", "b"]
    roster.changed("a")
    assert (mask("a"), mask("b")) == (0, BOARD.bit[102])
    assert asked == ["a", "b", "b", "a"]


class Position(Fielded):
    def __init__(self, *placed):
        self.ground = Roster(BOARD, SIDES, placed)


def test_what_a_state_is_asked():
    s = Position((0, 101), (2, BOX), (1, 9000))
    assert [s.at(unit) for unit in range(4)] == [101, 9000, BOX, NOWHERE]
    assert [unit for unit in range(6) if s.on_map(unit)] == [0, 1]
    assert s.has_on_map("a", 0)
    assert not any((s.has_on_map("a", 1), s.has_on_map("a", 2), s.has_on_map("a", 99), s.has_on_map("x", 0)))
    assert s.side_at(9000) == "b"
    assert s.of("a", BOX) == (2,)
    s.ground.again(1, lambda: "one")
    assert s.ground.again(1, lambda: "two") == "one"
    s.ground.move(0, 102)
    assert s.ground.again(1, lambda: "two") == "two"


@dataclass(frozen=True, slots=True)
class Company(Deployed):
    tired: bool = False


@dataclass(frozen=True, slots=True)
class Printed:
    units: tuple[Unit, ...]


class Army(Force[Company]):
    def __init__(self):
        kind = UnitType("foot", "Foot", "i", tuple(Face(n, n, 3) for n in (4, 2)))
        self.chart = Printed(tuple(Unit(n, f"{side}{n}", "Foot", side, kind) for n, side in enumerate(SIDES)))
        self.pieces = Rows({n: Company(101, 2, tired=n == 1) for n in range(6)})
        self.ground = Roster(BOARD, SIDES, ((n, 101) for n in range(6)))


WHAT = st.one_of(st.integers(0, 2), st.sampled_from([102, 201, BOX]))


@given(st.lists(st.tuples(st.integers(0, 5), WHAT), max_size=20))
def test_units_move_and_lose_steps(happened):
    s = Army()
    for unit, what in happened:
        s.ground.kept(SIDES[unit], "zone", lambda: 1)
        if what > 2:
            s.put(unit, what)
        else:
            before = s.at(unit)
            s.set_steps(unit, what, gone=9902)
            assert s.at(unit) == (before if what else 9902)
            assert s.pieces[unit].steps == what
        assert s.ground.kept(SIDES[unit], "zone", lambda: 2) == 2
        if s.pieces[unit].steps:
            assert s.face(unit).attack == 2 * s.pieces[unit].steps
    assert s.ground == Roster(BOARD, SIDES, ((n, piece.place) for n, piece in s.pieces.items()))
    assert [n for n, piece in s.pieces.items() if piece.tired] == [1]
