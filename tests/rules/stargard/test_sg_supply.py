"""SG-11, SG-12.3d: paths of supply and the supply phase."""

from __future__ import annotations

from sg_positions import CHART, number, position

from pbem.engine.event import Out
from pbem.engine.step import DONE
from pbem.engine.testing import at_step
from pbem_rules.stargard import game
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.setup import attach, set_up
from pbem_rules.stargard.state import ISOLATED, OUT_OF_SUPPLY, SUPPLIED
from pbem_rules.stargard.supply import SupplyPhase, is_joined, joined, judged, lines, traced


def supply(state):
    out = Out()
    SupplyPhase().run(state, GameTurn(), out)
    return [event.words() for event in out.events]


def status(state, code):
    return state.pieces[number(code)].supply


def reached(state, formation, place):
    return bool(joined(state, formation) & CHART.board.bit[place])


def test_sg_11_4_11_2_1_11_2_3_all_are_supplied_at_the_start_and_only_the_two_garrisons_have_no_path():
    """SG-11.2.1 to SG-11.2.4, and the check of the set-up."""
    state = set_up(game.setup_of())
    assert {piece.supply for piece in state.pieces.values()} == {SUPPLIED}
    everywhere = [*state.ground.standing(GERMAN), *state.ground.standing(SOVIET)]
    lacking = {state.at(unit) for unit in everywhere if not reached(state, state.formation(unit), state.at(unit))}
    assert lacking == {705, 2608}


RING = ("219T/1M", "35M/1M", "37M/1M", "47GT/9GT", "65GT/9GT", "50GT/9GT")
RING_GERMAN = ("24/11SS", "23/11SS", "8/4SS", "7/4SS", "22/10SS", "21/10SS")
LINE = (("24/11SS", 2110), ("23/11SS", 2111), ("8/4SS", 2112))


def ringed(*units):
    """Soviet units all round 21.10, two hexes away, all but in 21.12."""
    grid = CHART.board.grid
    outer = [place for place in grid.within(2110, 2) if grid.distance(2110, place) == 2 and place != 2112]
    enemies = [unit.code for unit in CHART.units if unit.side == SOVIET and unit.faces[0].attack]
    return position(*units, *zip(enemies, outer, strict=False))


def test_sg_11_1a_11_1_1b_4_5_enemies_and_their_zones_block_and_friends_cancel_zones():
    """SG-11.1a, SG-11.1.1b, SG-4.5: a ring of zones is open where friendly units stand in it."""
    state = ringed(*LINE)
    assert all(state.in_zone(place, SOVIET) for _, place in LINE[1:])
    assert reached(state, "sspz3", 2110)
    for code, _ in LINE[1:]:
        state = ringed(*(unit for unit in LINE if unit[0] != code))
        assert not reached(state, "sspz3", 2110)


def test_sg_11_1b_woods_and_marsh_are_crossed_by_ways_or_through_friends():
    """SG-11.1b: a path may begin in a wood without a way, and leads through it if a friendly unit stands there."""
    bare, board = position(), CHART.board
    ways = {"autobahn", "road", "track", "rail"}
    wild = [
        place
        for place, what in board.places.items()
        if what.terrain in ("light_woods", "heavy_woods", "marsh", "marsh_woods") and place not in CHART.settled
        and not any(ways & board.edges[place, near] for near in board.near[place])
    ]  # fmt: skip
    behind = [
        (place, near)
        for place in wild
        for near in board.near[place]
        if near in wild and reached(bare, "gt2", near) and not reached(bare, "gt2", place)
        and CHART.passable(place, near)
    ]  # fmt: skip
    assert behind
    for place, near in behind:
        assert reached(position(("219T/1M", near)), "gt2", place)


def test_sg_11_1b_settlements_and_clear_ground_are_open_from_everywhere():
    board = CHART.board
    _, over = lines(CHART)
    rough = {place for place in board.places if over.spread(board.bit[place])}
    assert not rough & set(CHART.settled)
    assert not [place for place in rough if board[place].terrain == "clear"]
    assert reached(position(), "sspz3", 101)  # the first hex of the map


def test_sg_11_1a_a_headquarters_in_the_source_bars_it():
    """It has no zone."""
    assert not joined(position(("10SS-HQ", 4815)), "pol1")


def test_sg_11_1b_a_way_leads_through_woods():
    state, board = position(), CHART.board
    woods = [place for place, what in board.places.items() if what.terrain == "heavy_woods"]
    on_road = [place for place in woods if any("road" in board.edges[place, near] for near in board.near[place])]
    assert on_road
    assert all(reached(state, "gt2", place) for place in on_road)


def test_sg_11_1_1c_every_path_counts_not_the_shortest_alone():
    """Ringed but for one hex on the far side: the path leads out of it, away from the source and round."""
    state = ringed(("24/11SS", 2110), ("23/11SS", 2111), ("8/4SS", 2112))
    found = traced(state, "sspz3").line(2110)[0][1]
    assert CHART.board.grid.distance(2110, found[-1]) + 1 < len(found)


def test_sg_11_1_1a_no_path_across_the_oder_without_a_bridge():
    """The western bank is reached by its crossings alone."""
    assert CHART.bridged(311, 212)
    assert reached(position(), "gt2", 111)
    ends = [b for (a, b), edge in CHART.board.edges.items() if "oder" in edge and CHART.bridged(a, b)]
    shut = position(*zip(RING_GERMAN, sorted({*ends} & {311, 413, 414, 617, 616}), strict=False))
    assert not reached(shut, "gt2", 120)


def test_sg_11_2_1_11_2_2_11_2_3_11_2_4_1_2_7a_1_2_7b_each_formation_has_its_source():
    """SG-1.2.7, SG-11.2.2, SG-11.2.4: with an enemy in it there is no other."""
    for formation, source, enemy in (("pol1", 4815, "8/4SS"), ("ss10", 4430, "219T/1M"), ("tettau", 4430, "219T/1M")):
        assert joined(position(), formation)
        assert not joined(position((enemy, source)), formation)
    assert reached(position(("219T/1M", 4430)), "sspz3", 4127)
    assert reached(position(("8/4SS", 4815)), "shock3", 4806)
    assert {source for source in (114, 117, 830) if reached(position(), "sspz3", source)} == {114, 117, 830}


def test_sg_11_2_3_11_2_4_independent_germans_use_the_source_of_their_block():
    state = position(("Kausch", 4330), ("219T/1M", 4430))
    assert state.formation(number("Kausch")) == "ss10"
    assert not is_joined(state, number("Kausch"))
    state = position(("Voigt", 4330), ("219T/1M", 4430))
    assert is_joined(state, number("Voigt")) == reached(state, "sspz3", 4330)


SIEGE = [*zip(RING, (2607, 2609, 2508, 2708, 2507, 2707), strict=True)]


def test_sg_11_0a_11_0b_case_25_out_of_supply_then_isolated_and_supplied_at_once():
    """TEST-25: no path in three phases, a path in the fourth."""
    state = position(("24/11SS", 2608), *SIEGE)
    found = []
    for _ in range(3):
        supply(state)
        found.append(status(state, "24/11SS"))
    assert found == [OUT_OF_SUPPLY, ISOLATED, ISOLATED]
    for code, _ in SIEGE:
        state.put(number(code), 0)
    assert supply(state) == ["In supply again: 24/11SS."]
    assert status(state, "24/11SS") == SUPPLIED


def test_sg_11_1_2_the_status_holds_until_the_next_phase():
    state = position(("24/11SS", 2608), *SIEGE)
    supply(state)
    state.put(number("24/11SS"), 1714)
    assert status(state, "24/11SS") == OUT_OF_SUPPLY


def test_sg_11_3_2b_case_33_units_share_the_fate_of_their_headquarters():
    """TEST-33; independent units and fortresses do not (SG-12.3b)."""
    state = position(("3SSPz-HQ", 2608), ("24/11SS", 1714), ("Voigt", 1714), ("F-Arnswalde", 1307), *SIEGE)
    found = dict(judged(state, GERMAN))
    assert found[number("3SSPz-HQ")] == OUT_OF_SUPPLY
    assert found[number("24/11SS")] == OUT_OF_SUPPLY
    assert found[number("Voigt")] == SUPPLIED
    assert found[number("F-Arnswalde")] == SUPPLIED
    state.mark_supply(number("24/11SS"), OUT_OF_SUPPLY)
    assert dict(judged(state, GERMAN))[number("24/11SS")] == ISOLATED


def test_sg_11_0a_11_1_2_nothing_is_said_of_what_stays_as_it_is():
    assert supply(position(("24/11SS", 1714))) == []
    state = position(("24/11SS", 2608), ("F-Arnswalde", 1307), ("23/11SS", 2911), *SIEGE)
    assert supply(state)[0].startswith("Out of supply: 24/11SS")


def test_sg_11_3_2b_fortresses_are_independent():
    assert all(CHART.independent(number(code)) for code in ("F-Arnswalde", "F-Bahn"))


def test_sg_12_3d_case_28_a_fortress_on_top_supplies_its_stack():
    """TEST-28: Voigt under the fortress, then over it."""
    state = position(("F-Arnswalde", 2608), ("Voigt", 2608), *SIEGE)
    assert is_joined(state, number("Voigt"))
    state.tops[2608] = number("Voigt")
    assert not is_joined(state, number("Voigt"))
    assert is_joined(state, number("F-Arnswalde"))
    supply(state)
    assert (status(state, "Voigt"), status(state, "F-Arnswalde")) == (OUT_OF_SUPPLY, SUPPLIED)


def test_what_is_kept_of_supply_is_what_would_be_found():
    state = position(("24/11SS", 2608), *SIEGE)
    joined(state, "sspz3")
    state.put(number("219T/1M"), 1)
    kept = joined(state, "sspz3")
    attach(state, None)
    assert joined(state, "sspz3") == kept


def test_sg_11_3_1b_12_2_2b_a_headquarters_out_of_supply_reforms_at_the_end_of_the_phase():
    """SG-12.2.2b, TEST-33: its units are out of supply all the same; it loses its own marker."""
    state = position(("3SSPz-HQ", 2608), ("24/11SS", 1714), ("39Pz-HQ", 1714), *SIEGE)
    machine = at_step(game, state, (GameTurn(), SupplyPhase))
    out = Out()
    following = SupplyPhase().run(state, GameTurn(), out)
    assert (following.frame.posts, following.frame.origins) == ((number("3SSPz-HQ"),), (2608,))
    assert status(state, "24/11SS") == OUT_OF_SUPPLY
    assert machine.state is state
    assert isinstance(SupplyPhase().run(position(("39Pz-HQ", 1714)), GameTurn(), Out()), type(DONE))
