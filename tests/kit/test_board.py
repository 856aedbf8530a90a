"""Boards of hexes, areas and boxes, and what is kept on them: counters, stacks, zones, supply."""

from __future__ import annotations

import copy
from types import SimpleNamespace

import pytest
from grounds import plain_board
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.policy import parse
from pbem.kit.board import AREA, BOX, HEX, HexWords, PlaceNames, board_of, slowest
from pbem.kit.counters import counters_of
from pbem.kit.roster import NOWHERE, Stacks
from pbem.kit.supply import Lines
from pbem.kit.zones import Zones

MAP = {
    "name": "Two hexes and the sea",
    "provenance": "ours",
    "grid": {"columns": 3, "rows": 2},
    "terrain": {"clear": ".", "woods": "w"},
    "rows": ["..w", ". ."],
    "hexes": [{"hex": "0101", "name": "Home", "marks": ["port"]}],
    "sides": [{"feature": "river", "between": ["0101-0201", "0101-0102"]}],
    "areas": [
        {"id": 9000, "name": "Sea", "terrain": "sea"},
        {"id": 9001, "name": "Box", "terrain": "box", "kind": "box"},
    ],
    "links": [{"a": 101, "b": 9000, "features": ["harbour"]}, {"a": 9001, "b": 9000, "one_way": True}],
}
BOARD = board_of(MAP)


def test_standing_orders_name_places():
    names = PlaceNames(BOARD)
    policy = parse("when hex in home, 0102, sea then hold", {"hex": names.value})
    assert str(policy) == "when hex in 101, 102, 9000 then hold"
    assert policy.text({"hex": names.word}) == "when hex in Home, 0102, Sea then hold"
    assert parse(policy.text({"hex": names.word}), {"hex": names.value}) == policy
    assert names.word(7777) == "7777"
    for place in BOARD.places:
        assert names.value(names.word(place)) == place


def test_a_name_that_standing_orders_could_not_hold_is_not_shown():
    hexes = [
        {"hex": "0101", "name": "Crown and Anchor"},
        {"hex": "0201", "name": "Then"},
        {"hex": "0102", "name": "a;b"},
    ]
    names = PlaceNames(board_of({**MAP, "hexes": hexes}))
    assert [names.word(place) for place in (101, 201, 102)] == ["0101", "0201", "0102"]


def test_hexes_in_orders_are_four_digits():
    words = HexWords()
    assert words.word(101) == "0101"
    assert words.value("0101") == 101
    assert words.word(20_000) == "?20000"
    for wrong in ("101", "home", "?20000", "01011", "\u0661101"):
        with pytest.raises(ValueError, match=r"."):
            words.value(wrong)
    state = SimpleNamespace(chart=SimpleNamespace(board=BOARD))
    assert words.exists(101, SimpleNamespace(state=state))
    assert not words.exists(202, SimpleNamespace(state=state))


def test_data_files_write_places_by_number():
    assert BOARD.place_written("0101", "setup") == 101
    for wrong in ("0202", "101", "Home", 101):
        with pytest.raises(ValueError, match=r"^setup: .* is not a place of the map"):
            BOARD.place_written(wrong, "setup")


def test_places_of_every_kind():
    assert {place.kind for place in BOARD.places.values()} == {HEX, AREA, BOX}
    assert 202 not in BOARD  # a blank in the rows is no hex
    assert BOARD[301].terrain == "woods"
    assert str(BOARD[101]) == "Home (0101)"
    assert str(BOARD[102]) == "0102"
    assert str(BOARD[9000]) == "Sea"
    assert BOARD.marked("port") == (101,)


def test_edges():
    assert BOARD.edge(101, 201) == BOARD.edge(201, 101) == {"river"}
    assert BOARD.edge(201, 301) == frozenset()
    assert BOARD.edge(101, 301) is None
    assert BOARD.edge(101, 9000) == BOARD.edge(9000, 101) == {"harbour"}
    assert BOARD.touch(9001, 9000)
    assert not BOARD.touch(9000, 9001)
    assert set(BOARD.near[101]) == {102, 201, 9000}


def test_names():
    assert BOARD.place_named("0101") == BOARD.place_named("home") == 101
    assert BOARD.place_named("SEA") == 9000
    assert BOARD.place_named("0202") is None
    assert BOARD.place_named("nowhere") is None


@given(st.sets(st.sampled_from(sorted(BOARD.places))))
def test_masks(places):
    mask = BOARD.mask(places)
    assert set(BOARD.in_mask(mask)) == places
    assert list(BOARD.in_mask(mask)) == [place for place in BOARD.places if place in places]


def test_links_leave_out_closed_edges():
    links = BOARD.links(lambda a, b, edge: None if "river" in edge else 2 if b.terrain == "woods" else 1)
    assert links[101] == ((9000, BOARD.bit[9000], 1),)
    assert (301, BOARD.bit[301], 2) in links[201]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("provenance",), "memory"),
        (("rows",), ["..w"]),
        (("rows",), ["..w", "...."]),
        (("rows",), ["..?", ". ."]),
        (("hexes", 0, "hex"), "0909"),
        (("sides", 0, "between", 0), "0101-0301"),
        (("sides", 0, "between", 0), "0101"),
        (("areas", 0, "id"), 9001),
        (("areas", 0, "id"), 12),
        (("links", 0, "b"), 4711),
        (("links", 0, "b"), 101),
    ],
)
def test_maps_that_contradict_themselves(path, value):
    data = copy.deepcopy(MAP)
    held = data
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    with pytest.raises(ValueError, match="map"):
        board_of(data)


COUNTERS = {
    "provenance": "ours",
    "types": [{"key": "foot", "name": "foot", "letter": "f", "faces": [
        {"attack": 4, "defence": 5, "move": 3}, {"attack": 2, "defence": 3, "move": 3}]}],
    "units": [{"code": "A1", "name": "First", "side": "red", "type": "foot"},
              {"code": "A2", "name": "Second", "side": "blue", "type": "foot"}],
}  # fmt: skip


def test_counters():
    counters = counters_of(COUNTERS)
    first = counters.by_code["A1"]
    assert first.number == 0
    assert first.type.steps == 2
    assert (first.face(2).attack, first.face(1).attack) == (4, 2)
    assert [unit.code for unit in counters.of_side("blue")] == ["A2"]


@pytest.mark.parametrize(
    "change",
    [
        {"provenance": "x"},
        {"types": COUNTERS["types"] * 2},
        {"units": COUNTERS["units"] * 2},
        {"units": [{**COUNTERS["units"][0], "type": "horse"}]},
    ],
)
def test_counters_that_contradict_themselves(change):
    with pytest.raises(ValueError, match="counters"):
        counters_of({**COUNTERS, **change})


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([NOWHERE, 101, 102, 201]))))
def test_stacks_follow_every_move(moves):
    stacks, at = Stacks(), dict.fromkeys(range(6), NOWHERE)
    for unit, goal in moves:
        stacks.move(unit, at[unit], goal)
        at[unit] = goal
    assert stacks == Stacks(at.items())
    for place in (101, 102, 201):
        assert stacks[place] == tuple(unit for unit in range(6) if at[unit] == place)
    assert list(stacks) == sorted({place for place in at.values() if place != NOWHERE})


def dry(_a, _b, edge):
    return "river" not in edge


def test_zones():
    zones = Zones(BOARD, dry)
    assert BOARD.in_mask(zones.of([201])) == (102, 301, 302)
    assert zones.of([]) == 0
    assert zones.controls(201, 301)
    assert not zones.controls(201, 101)
    assert zones.of([201, 301]) == zones.of([201]) | zones.of([301])


def test_supply_lines():
    lines = Lines(BOARD, dry)
    everywhere = BOARD.mask(BOARD.places)
    source = BOARD.mask([301])
    assert BOARD.in_mask(lines.reached(source, everywhere)) == (102, 201, 301, 302)
    assert BOARD.in_mask(lines.reached(source, everywhere & ~source)) == ()
    assert BOARD.in_mask(lines.reached(source, everywhere, length=0)) == (301,)
    ferry = {BOARD.bit[201]: BOARD.bit[101]}
    reached = lines.reached(source, everywhere, extra=ferry)
    assert set(BOARD.in_mask(reached)) == {101, 102, 201, 301, 302, 9000}
    assert BOARD.in_mask(lines.reached(source, everywhere, length=2, extra=ferry)) == (101, 102, 201, 301, 302)
    assert lines.near(301) == BOARD.mask([201, 302])


def test_a_stack_moves_as_its_worst():
    foot = BOARD.links(lambda _a, b, e: None if "river" in e else {"clear": 1, "woods": 1}.get(b.terrain))
    tanks = BOARD.links(lambda _a, b, _e: {"clear": 1, "woods": 3}.get(b.terrain))
    both = slowest(foot, tanks)
    assert set(both) == set(BOARD.places)
    for place, steps in both.items():
        on_foot, mounted = ({b: c for b, _, c in links[place]} for links in (foot, tanks))
        assert {b: c for b, _, c in steps} == {b: max(on_foot[b], mounted[b]) for b in on_foot if b in mounted}
    assert (301, BOARD.bit[301], 3) in both[201]
    assert both[101] == ()


@given(st.sets(st.integers(0, 399)))
def test_the_places_of_a_large_mask_come_in_the_boards_order(cells):
    board = plain_board(20, 20)
    places = [each for number, each in enumerate(board.places) if number in cells]
    assert board.in_mask(board.mask(reversed(places))) == tuple(places)
