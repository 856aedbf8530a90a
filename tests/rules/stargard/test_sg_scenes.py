"""The picture and the text board: every unit once, every panel, the marks of supply."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from pbem.game import Taken, View
from pbem.kit import HexGround, Scene, StepLost
from pbem.pictures.picture import board_svg
from pbem_rules.stargard.board import text_board
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.events import (
    Activated,
    Advanced,
    Entered,
    EventHappened,
    Fought,
    Moved,
    Note,
    PlaceTaken,
    PostLeft,
    Retreated,
    Spared,
    TurnBegan,
)
from pbem_rules.stargard.frames import Activation, GameTurn
from pbem_rules.stargard.orders import Done, Move
from pbem_rules.stargard.pictures import luck, part_name, pictures, scene
from pbem_rules.stargard.state import (
    CAVALRY_BOX,
    EXITED,
    GROUNDED,
    ISOLATED,
    LONG_GAME,
    OUT_OF_SUPPLY,
    REFIT,
    TETTAU_BOX,
    VOLKSSTURM_BOX,
    State,
)
from tests.rules.stargard.sg_positions import CHART, number, position


def opening() -> State:
    codes = {unit.number: unit.code for unit in CHART.units}
    return position(*((codes[start.unit], start.place) for start in CHART.starts.values()))


def seen(s: State) -> Scene:
    found: Scene = scene(View(s), ())
    return found


def test_sg_1_1_4a_of_a_covered_stack_only_the_top_unit_is_drawn():
    """TEST-03, for players who have agreed to it (ERRATA.md)."""
    s = position(("Klein/Den", 1307), ("Rein/Den", 1307), ("3SSPz-HQ", 1307), ("61-HQ", 2906), ("212/80", 2906))
    s.tops[1307] = number("Rein/Den")
    covered = seen(s).covered({SOVIET}).stacks
    assert [piece.code for piece in covered[1307]] == ["Rein/Den"]
    assert len(covered[2906]) == 2
    assert [len(stack) for stack in seen(s).covered(()).stacks.values()] == [1, 1]


def panels(s: State) -> dict[str, str]:
    return {
        panel.title: " ".join(f"{row.text} {' '.join(piece.code for piece in row.pieces)}" for row in panel.rows)
        for panel in seen(s).panels
    }


def test_every_unit_on_the_map_is_drawn_once_and_can_be_clicked():
    s = opening()
    drawn = [(piece.key, place) for place, pieces in seen(s).stacks.items() for piece in pieces]
    standing = [(unit.key, s.at(unit.number)) for unit in CHART.units if s.on_map(unit.number)]
    assert sorted(drawn) == sorted(standing)
    assert len({key for key, _ in drawn}) == len(drawn) == 137


def test_a_unit_has_one_spelling():
    s = position(("5Jaeg/104PJ", 2608), ("Schaefer", 2610))
    names = [piece.name.partition(" (")[0] for pieces in seen(s).stacks.values() for piece in pieces]
    assert names == ["5Jaeg/104PJ", "Schaefer"]


def test_places_are_clicked_by_their_number():
    keys = seen(opening()).keys
    assert keys[1714] == "p:1714"
    assert set(keys) == set(CHART.board.places)


def test_sg_1_1_4b_the_unit_on_top_is_drawn_first():
    s = position(("Voigt", 2608), ("F-Arnswalde", 2608))
    assert [piece.code for piece in seen(s).stacks[2608]] == ["F-Arnswalde", "Voigt"]
    s.tops[2608] = number("Voigt")
    assert [piece.code for piece in seen(s).stacks[2608]] == ["Voigt", "F-Arnswalde"]


def test_sg_1_5_3_and_1_5_4_supply_and_pins_are_marked():
    s = position(("Voigt", 2608), ("23/11SS", 2412, 1))
    s.mark_supply(number("Voigt"), OUT_OF_SUPPLY)
    s.mark_supply(number("23/11SS"), ISOLATED)
    s.pin(number("23/11SS"))
    (voigt,), (regiment,) = seen(s).stacks[2608], seen(s).stacks[2412]
    assert voigt.marks == ("no supply",)
    assert (regiment.marks, regiment.steps, regiment.full) == (("isolated", "pinned"), 1, 2)
    text = text_board(View(s))
    assert "Voigt 2-3-5*" in text
    assert "23/11SS 3-3-10-**!" in text


def test_sg_1_2_5_the_cup_and_the_drawn_chits_are_panels():
    s = opening()
    s.cup, s.drawn, s.coming = ("39Pz", "61"), ("3SSPz", "2GT"), ("Tettau",)
    s.played["german"] = 1
    assert panels(s)["German chits"] == "In the cup: 39Pz Played 1 of 4: 3SSPz For the next turn: Tettau"
    assert panels(s)["Soviet chits"] == "In the cup: 61 Played 0 of 3: 2GT"


def test_sg_1_2a_1_2_8_1_2_9_what_lies_in_boxes_is_open_to_all():
    s = opening()
    s.put(number("PyritzII"), VOLKSSTURM_BOX)
    for key, box in (("tettau", TETTAU_BOX), ("gc2", CAVALRY_BOX)):
        formation = CHART.formations[key]
        for unit in (formation.hq, *formation.units):
            if unit >= 0:
                s.put(unit, box)
    lines = text_board(View(s)).splitlines()
    assert "Volkssturm: PyritzII" in lines
    assert any(line.startswith("Corps Tettau: Tettau-HQ, 1/Baer") for line in lines)
    assert "2nd Guards Cavalry Corps: 3GC/2GC, 4GC/2GC, 17GC/2GC" in lines


def test_chits_that_have_come_are_no_longer_for_the_next_turn():
    s = opening()
    s.coming, s.cup = ("Tettau", "1Pol"), ("1Pol",)
    assert "Chits for the next turn: Corps Tettau." in text_board(View(s))


def test_sg_1_2_4_1_2_6_air_units_lie_in_their_boxes():
    s = opening()
    s.planes["1JG"], s.planes["2JG"] = REFIT, GROUNDED
    s.air_spent["german"] = 3
    assert panels(s)["German air"] == "ready: Rudel 3JG refit: 1JG grounded: 2JG Points spent in this turn: 3. "


def test_sg_1_5_5_what_a_marked_hex_is_worth_now_stands_on_the_map():
    s = opening()
    ground = seen(s).ground
    assert isinstance(ground, HexGround)
    assert (ground.goals[1714], ground.goals[716]) == ("4", "6")
    s.turn = 10
    later = seen(s).ground
    assert isinstance(later, HexGround)
    assert later.goals[1714] == "2"


def test_sg_14_3_1_both_scores_and_their_level_stand_above_the_map():
    s = opening()
    assert (
        "Soviet score 1, 55 points still in German hands; if the game ended now: a decisive German victory."
        in seen(s).lines[0]
    )
    for place in CHART.prizes:
        s.holders[place] = GERMAN
        s.take(SOVIET, place)
    assert (
        "Soviet score 56, 0 points still in German hands; if the game ended now: a decisive Soviet victory."
        in seen(s).lines[0]
    )
    s.reports, s.relieved = 2, True
    assert "Soviet score 51 (56 of markers, -5), 0 points still in German hands" in seen(s).lines[0]
    assert panels(s)["Points in German hands"] == "None. "
    assert panels(s)["Levels of the Soviet score"].count(" from ") == 5


def test_sg_1_4d_few_lines_above_the_map_say_how_the_turn_stands():
    s = opening()
    s.last = next(key for key, each in CHART.formations.items() if each.name == "3rd SS Panzer Corps")
    s.played["german"] = 1
    assert seen(s).lines[1:] == ("Chits played: 1 of 4 German, 0 of 3 Soviet.", "Activated last: 3rd SS Panzer Corps.")


def test_sg_1_2_7a_1_2_7b_sources_of_supply_are_marked():
    marks = {(mark.place, mark.side) for mark in seen(opening()).marks if mark.kind == "source"}
    assert {(4430, "german"), (4815, "soviet"), (114, "german"), (601, "soviet")} <= marks


def test_the_picture_is_the_same_whenever_it_is_drawn_and_the_text_board_has_the_whole_map():
    s = opening()
    assert board_svg(seen(s)) == board_svg(seen(replace(s)))
    rows = [line for line in text_board(View(s)).splitlines() if line[:2].isdigit() and line[2:3] == " "]
    assert [int(row[:2]) for row in rows] == list(range(30, 0, -1))
    assert rows[30 - 14][3 + 2 * 16 :][:2] == "#g"  # Stargard, 17.14


def test_an_activation_is_drawn_with_its_moves_and_battles():
    s = position(("23/11SS", 2609), ("24/11SS", 2509), ("85T", 2508))
    s.take(GERMAN, 2609)
    events = (
        Activated(turn=2, side=GERMAN, formation="sspz3", name="3rd SS Panzer Corps", units=2, rule="SG-3.3"),
        Moved(unit="24/11SS", path=(2510, 2509), how="move", rule="SG-5.0"),
        Fought(
            side=GERMAN, hex=2609, units=("23/11SS", "24/11SS"), defenders=("85T",), odds="11 to 2", column="5:1",
            die=4, result="Dr1", rule="SG-8.2",
        ),
        Retreated(units=("85T",), path=(2609, 2508), rule="SG-9"),
        Advanced(unit="23/11SS", path=(2610, 2609), rule="SG-10"),
    )  # fmt: skip
    drawn = scene(View(s), events)
    assert [(arrow.kind, arrow.side, arrow.path) for arrow in drawn.arrows] == [
        ("move", GERMAN, (2510, 2509)),
        ("attack", GERMAN, (2610, 2609)),  # from where it stood before it advanced
        ("attack", GERMAN, (2509, 2609)),
        ("retreat", SOVIET, (2609, 2508)),
        ("advance", GERMAN, (2610, 2609)),
    ]
    assert [(battle.place, battle.odds, battle.dice, battle.result) for battle in drawn.battles] == [
        (2609, "5:1", (4,), "Dr1")
    ]
    assert [one.got - one.mean for one in luck(events[2])] == [Fraction(1, 2)]
    assert luck(events[1]) == ()
    assert part_name(events[0]) == "2: 3rd SS Panzer Corps"


def fought(place: int) -> Fought:
    return Fought(
        side=SOVIET, hex=place, units=("14GC/7GC",), defenders=("SchulzStreek",), odds="12 to 2", column="6:1", die=3,
        result="D1", rule="SG-8.2",
    )  # fmt: skip


def test_what_comes_of_a_battle_ends_where_something_else_begins():
    of_it = (
        Spared(by="village", what="a hex of the retreat", rule="SG-9.5"),
        StepLost(unit="SchulzStreek", hex=2612, left=0, rule="SG-8.6"),
        Advanced(unit="14GC/7GC", path=(2613, 2612), rule="SG-10.0"),
        PlaceTaken(side=SOVIET, place="Jakobshagen (2615)", points=2, rule="SG-1.5.5"),
    )
    arrived = Entered(units=("1/1Mar",), place="Stettin (0825)", how="arrive", rule="SG-7.0")
    went_on = Taken(GERMAN, "arrivals", Move(number("1/1Mar"), (914,)), "default", "Move 1/1Mar to 0914.")
    shelled = StepLost(unit="StuG/10SS", hex=1414, left=0, rule="SG-8.5.1")
    taken = PlaceTaken(side=SOVIET, place="Altdamm (0716)", points=6, rule="SG-1.5.5")
    others = (
        Note(text="In the cup from the next turn on: 47.", rule="SG-7.2"),
        arrived,
        Retreated(units=("1/1Mar",), path=(825, 824), rule="SG-9.2"),  # of a hex that has become too full
        went_on,
        Taken(GERMAN, "arrivals", Done(), "default", "End the arrivals."),
        TurnBegan(turn=2, date="17-18 Feb", german=4, soviet=3, rule="SG-2.0"),
        shelled,
        taken,
        PlaceTaken(side=SOVIET, place="Christinenberg (1019)", points=0, rule="SG-1.5.5"),
    )
    ends, news = pictures.ends((fought(2612), *of_it, *others, fought(2609)))
    assert ends == [list(of_it), []]
    assert news == [arrived, went_on, shelled, taken]


@pytest.mark.parametrize(
    "event",
    [
        StepLost(unit="48GT", hex=2101, left=0, rule="SG-7.1.3"),
        StepLost(unit="48GT", hex=2101, left=1, rule="SG-6.2.1"),
        PostLeft(unit="61-HQ", hex=2906, why="it must reform", rule="SG-12.2.2"),
        Note(text="Arnswalde is relieved: in turn 3 German units may leave the map.", rule="SG-14.2.1"),
        EventHappened(die=3, text="Thaw.", rule="SG-19.1.9"),
    ],
)
def test_what_no_battle_brought_is_news_even_straight_after_one(event):
    assert pictures.ends((fought(2612), event)) == ([[]], [event])


def test_markers_of_the_same_worth_stand_in_one_row():
    s = position(("61-HQ", 2906), turn=9)
    row = panels(s)["Points in German hands"]
    assert "4, 2 after turn 9: Stargard" in row
    assert "Regenwalde, Schivelbein" in row


def test_that_nothing_happens_is_no_news():
    assert not pictures.news(EventHappened(die=1, text="Nothing happens.", rule="SG-19.1.1"))


def test_sg_2_2_1_the_random_event_of_the_turn_stands_in_the_position_while_it_holds():
    s = opening()
    around = (GameTurn(event="19.1.9"),)
    held = View(s, frame=Activation(GERMAN, "39Pz", "pz39"), around=around)
    said = (
        "Random event of this turn: Thaw: off the roads each hex costs mechanised units a point more, "
        "and trains go ten hexes at most."
    )
    assert said in scene(held, ()).lines
    assert said in text_board(held)
    assert said in scene(View(s, frame=around[0]), ()).lines
    for event in ("", "19.1.1"):
        assert not any("event" in line for line in scene(View(s, frame=GameTurn(event=event)), ()).lines)


def test_sg_14_2_1_that_germans_may_leave_the_map_stands_in_the_position_while_they_may():
    s = position(("Voigt", 2608), turn=3)
    s.holders[2608] = GERMAN
    assert not any("Arnswalde" in line for line in seen(s).lines)
    s.lifted = True
    s.put(number("503SS"), EXITED)
    said = (
        "Arnswalde is relieved: in turn 3 German combat units may leave the map at 2101 or 3401; "
        "unit 3 to leave wins the game for the Germans; left so far: 1 (SG-14.2.1)."
    )
    assert said in seen(s).lines
    s.options = (LONG_GAME,)
    assert said.replace("wins the game for the Germans", "costs the Soviets 3 points") in seen(s).lines
    s.turn = 4
    assert not any("Arnswalde" in line for line in seen(s).lines)


def test_sg_3_3_2b_the_counter_says_which_units_are_independent():
    s = position(("Voigt", 2008), ("22/10SS", 1308))
    told = {piece.code: piece.name for pieces in seen(s).stacks.values() for piece in pieces}
    assert told["Voigt"].endswith("; independent: an activation uses 2 of these)")
    assert "independent" not in told["22/10SS"]
