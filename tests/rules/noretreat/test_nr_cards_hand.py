"""NR-13 Events of the hands: draws, discards, copies, the other hand, attacks that are owed, one by one."""

from __future__ import annotations

import pytest
from noretreat_cards import attack, fought, refused, through
from noretreat_positions import CHART, asked, battle, offered, position, prompt_of, rule_of, table, where

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Dropped, Scored
from pbem_rules.noretreat.frames import GameTurn
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.turns import EndCombat, ThrowAway
from pbem_rules.noretreat.victory import VictoryPhase
from pbem_rules.noretreat.windows import OpenDealt, OpenMoved, OpenOpening, OpenPrelude

FRONT = {"4": "2109", "6": "0611", "NW": "2409"}


def organise(card, *, soviet=False, units=None, **kept):
    side = SOVIET if soviet else AXIS
    return table(units or FRONT, Organise, side=side, **{side: (card, *kept.pop("spare", ()))}, **kept)


def hand_of(driver, seat):
    return sorted(card for card, _ in driver.state.deck.cards(seat, driver.own(seat)))


def test_nr_13_01s_stavka():
    d = organise(1, soviet=True, discards=(30, 22, 35))
    assert rule_of(d, "event 1 c22") == "NR-13.01S"
    d.order("soviet", "event 1")
    assert d.state.hand(SOVIET) == (35,)  # which everybody knows
    assert d.state.deck.discards == [30, 22, 1]
    assert refused(position(FRONT, active=SOVIET), SOVIET, 1, "any") == "NR-13.01S"  # nothing to take
    copied = organise(26, soviet=True, turn=14, discards=(22, 30, 1))
    assert {text for text in offered(copied) if "event 26" in text} == {"event 26 on c1,c30"}  # not itself
    b = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3, soviet=(1,), discards=(35,))
    assert not any(o.kind == "event" for seat in b.asked for o in b.legal(seat))  # not in a battle


def test_nr_13_02a_god_with_us_copies_whoever_has_the_initiative():
    d = organise(2, turn=14, discards=(22, 21))  # 21 needs the initiative of the Axis
    d.order("axis", "event 2 c21 c22")
    assert d.state.hand(AXIS) == (22,)
    assert d.state.used == (2, 21)
    # Not what has been played in this turn, nor what its moment forbids, nor what happens when drawn.
    assert rule_of(organise(2, discards=(22, 21), used=(21,)), "event 2 c21 c22") == "NR-5.13"
    assert rule_of(organise(2, discards=(22, 4)), "event 2 c4") == "NR-13.04A"
    assert rule_of(organise(2, discards=(22, 20)), "event 2 c20") == "NR-13.20A"
    assert rule_of(organise(2, discards=(22, 12)), "event 2 c12") == "NR-13.02A"
    assert refused(position(FRONT), AXIS, 2, "any") == "NR-13.02A"


def test_nr_13_02a_god_with_us_in_a_battle():
    d = attack(2, turn=14, discards=(22, 6), spare=(5,))
    assert rule_of(d, "event 2 c22") == "NR-13.02A"
    d.order("axis", "event 2")
    assert "Air support +1" in fought(through(d)).shifts


def test_nr_13_09s_red_orchestra():
    d = organise(9, soviet=True, axis=(1, 30, 12))
    through(d.order("soviet", "event 9"))
    assert asked(d) == "discard_theirs soviet"
    assert sorted(d.state.hand(AXIS)) == [1, 12, 30]
    assert rule_of(d, "choose 7") == "NR-13.09S"
    d.order("soviet", "choose 30")
    assert sorted(d.state.hand(AXIS)) == [1, 12]
    assert d.state.deck.discards == [9, 30]
    assert refused(position(FRONT, active=SOVIET), SOVIET, 9, "any") == "NR-13.09S"


@pytest.mark.parametrize(("card", "soviet", "turn", "drawn"), [(13, False, 8, 3), (20, True, 8, 4), (20, True, 5, 4)])
def test_nr_13_13a_13_20s_cards_for_attacks(card, soviet, turn, drawn):
    side = SOVIET if soviet else AXIS
    d = table(FRONT, ThrowAway, side=side, turn=turn, **{side: (card,)})
    d.order(side, f"event {card}")
    assert len(d.state.hand(side)) == drawn
    (owed,) = d.state.effect("owes", side)
    assert (owed.amount, owed.at) == ((4, 2) if soviet else (3, 1))


def test_nr_13_13a_summer_campaign_only_in_clear_weather():
    assert refused(position(FRONT, turn=9, weather="mud"), AXIS, 13, "cards") == "NR-13.13A"
    assert refused(position(FRONT, turn=8, active=SOVIET), AXIS, 13, "cards") == "NR-13.13A"
    assert refused(position(FRONT, turn=10), AXIS, 13, "cards") == "NR-13.13A"


def test_nr_13_20s_general_offensive_not_in_mud():
    assert refused(position(FRONT, turn=9, weather="mud", active=SOVIET), SOVIET, 20, "cards") == "NR-13.20S"
    assert refused(position(FRONT, turn=8, active=AXIS), SOVIET, 20, "cards") == "NR-13.20S"


@pytest.mark.parametrize(
    ("kind", "voluntary", "forced", "lost"),
    [("owes", 2, 0, 1), ("owes", 2, 1, 0), ("owes", 3, 0, 0), ("owes_voluntary", 2, 1, 1), ("owes_voluntary", 3, 0, 0)],
)
def test_nr_9_4_attacks_that_are_owed(kind, voluntary, forced, lost):
    effects = (Effect(kind, AXIS, 1, 3, "phase"),)
    d = table(FRONT, EndCombat, effects=effects, attacks=voluntary, forced=forced)
    assert -sum(x.points for x in d.events(Scored)) == lost
    assert not d.state.effect(kind)


@pytest.mark.parametrize(("card", "side"), [(19, AXIS), (23, SOVIET)])
def test_nr_13_19s_13_23a_attacks_demanded(card, side):
    other = SOVIET if side == AXIS else AXIS
    d = table(FRONT, OpenOpening, side=side, **{other: (card,)})
    assert asked(d) == f"opening_window {other}"
    d.order(other, f"event {card}")
    (owed,) = d.state.effect("owes_voluntary", side)
    assert (owed.amount, owed.at) == (3, 1)


def test_nr_13_19s_hitler_demands_attacks_at_the_beginning_of_his_turn():
    assert refused(position(FRONT, active=SOVIET), SOVIET, 19, "opening") == "NR-13.19S"
    assert refused(position(FRONT, active=AXIS), SOVIET, 19, "any") == "NR-13.19S"


def test_nr_13_23a_stalin_demands_attacks_at_the_beginning_of_his_turn():
    assert refused(position(FRONT, active=AXIS), AXIS, 23, "opening") == "NR-13.23A"
    assert refused(position(FRONT, active=SOVIET), AXIS, 23, "any") == "NR-13.23A"


def test_nr_13_21a_army_high_command():
    d = organise(21, discards=(30, 22, 35))
    assert rule_of(d, "event 21 c14") == "NR-13.21A"
    d.order("axis", "event 21 c22")
    assert d.state.hand(AXIS) == (22,)
    assert rule_of(organise(21, turn=14, discards=(30,)), "event 21 c30") == "NR-5.12"
    # A card that has been played in this player-turn is not played again (NR-5.13).
    again = organise(21, discards=(2,), used=(2,), turn=8).order("axis", "event 21 c2")
    assert rule_of(again, "event 2 c21") == "NR-5.13"


def test_nr_13_22a_speer():
    d = organise(22, turn=14, spare=(30,))
    d.order("axis", "event 22")
    if asked(d) == "reveal axis":
        d.order("axis", "done")
    assert asked(d) == "drop_after axis"
    assert hand_of(d, AXIS) == [1, 2, 3, 30]
    assert rule_of(d, "drop 1 2") == "NR-5.2"
    d.order("axis", "drop 30")
    assert hand_of(d, AXIS) == [1, 2, 3]
    assert asked(d) == "organise axis"
    assert rule_of(organise(22), "event 22") == "NR-5.12"


@pytest.mark.parametrize(("card", "soviet", "turn"), [(25, True, 4), (40, False, 13)])
def test_nr_13_25s_13_40a_no_sudden_death_or_cards(card, soviet, turn):
    side = SOVIET if soviet else AXIS
    letter = "S" if soviet else "A"
    d = organise(card, soviet=soviet, turn=turn)
    assert rule_of(d, f"event {card} =3") == f"NR-13.{card}{letter}"
    d.order(side, f"event {card} =1")
    assert d.state.skip_sudden
    d = organise(card, soviet=soviet, turn=turn).order(side, f"event {card} =2")
    assert "two cards." in next(line for line in d.game.tell(d.happened) if f"card {card}" in line)
    assert len(d.state.hand(side)) == 2
    assert not d.state.skip_sudden


def test_nr_13_25s_for_the_motherland_needs_the_axis_initiative():
    assert refused(position(FRONT, turn=14), SOVIET, 25, "any", (30001,)) == "NR-5.12"


def test_nr_13_40a_the_fatherland_needs_the_soviet_initiative():
    assert refused(position(FRONT, turn=8), AXIS, 40, "any", (30001,)) == "NR-5.12"


def test_nr_13_25s_the_next_check_does_not_take_place():
    held = dict.fromkeys(("Kiev", "Minsk", "Riga", "Odessa", "Smolensk", "Kharkov", "Stalino", "Rostov"), AXIS)
    held |= dict.fromkeys(("Dnepropetrovsk", "Voronezh", "Kalinin", "Gorki", "Saratov", "Astrakhan"), AXIS)
    won = table(FRONT, VictoryPhase, turn=5, held=held, frame=GameTurn())
    assert asked(won) == "over"
    d = table(FRONT, VictoryPhase, turn=5, held=held, frame=GameTurn(), skip_sudden=True)
    assert asked(d) != "over"
    assert not d.state.skip_sudden


def test_nr_13_26s_on_to_berlin():
    d = organise(26, soviet=True, turn=14, discards=(30, 33))
    d.order("soviet", "event 26")
    assert len(d.state.hand(SOVIET)) == 2  # card 33: two cards
    assert d.state.used == (26, 33)
    # Its own initiative, and that of the card copied.
    assert rule_of(organise(26, soviet=True, discards=(30, 33)), "event 26 c33") == "NR-5.12"
    assert rule_of(organise(26, soviet=True, turn=14, discards=(30, 25)), "event 26 c25 =2") == "NR-5.12"
    assert rule_of(organise(26, soviet=True, turn=14, discards=(33, 42)), "event 26 c42") == "NR-13.42S"


def test_nr_13_37s_a_front_in_the_west():
    units = {"4": "2109", "6": "0611", "NW": "2409"}
    kept = {"soviet": True, "turn": 14, "units": units}
    d = organise(37, axis=(1, 30, 12), **kept).order("soviet", "event 37")
    through(d)
    assert asked(d) == "tribute axis"
    d.order("axis", "drop 1 12")
    assert hand_of(d, AXIS) == [30]
    assert asked(d) == "organise soviet"
    d = organise(37, axis=(1, 30, 12), **kept).order("soviet", "event 37").order("axis", "pass", "drop 1")
    assert asked(d) == "loss axis"
    d.order("axis", "lose 6")
    assert (where(d, "6"), hand_of(d, AXIS)) == ("0611-", [12, 30])
    one = organise(37, axis=(1,), **kept).order("soviet", "event 37")
    one.order("axis", "pass", "drop 1")
    assert asked(one) == "loss axis"
    three = organise(37, axis=(1, 30, 12), **kept).order("soviet", "event 37")
    assert rule_of(through(three), "drop 1 30 12") == "NR-13.37S"
    assert refused(position(units, turn=14), SOVIET, 37, "any") == "NR-13.37S"  # nothing to lose
    assert refused(position(units, turn=8), SOVIET, 37, "any") == "NR-5.12"


def test_nr_13_42a_factories_on_the_move():
    d = table(FRONT, Organise, axis=(42,), soviet=(1, 30, 12), dice={"t8/axis/card": 2})
    through(d.order("axis", "event 42"))
    assert hand_of(d, SOVIET) == [1, 12]
    assert [x.cards for x in d.events(Dropped)] == [(30,)]
    only = table(FRONT, Organise, axis=(42,), soviet=(30,)).order("axis", "event 42")
    through(only)
    assert only.state.hand(SOVIET) == ()
    assert refused(position(FRONT), AXIS, 42, "any") == "NR-13.42A"
    assert refused(position(FRONT, turn=14), AXIS, 42, "any") == "NR-5.12"


def test_nr_13_44s_unreliable_allies():
    units = {**FRONT, "3Rum": "1117", "Fin": "Finland"}
    early = table(units, OpenPrelude, turn=8, soviet=(44,), axis=(1, 30))
    early.order("soviet", "event 44").order("axis", "pass")
    assert asked(early) == "tribute axis"
    assert rule_of(early, "drop 1 30") == "NR-13.44S"
    early.order("axis", "drop 30")
    assert hand_of(early, AXIS) == [1]
    assert not asked(early).startswith("loss")  # a card, and no step beside it
    late = table(units, OpenPrelude, turn=11, soviet=(44,), axis=(1, 30)).order("soviet", "event 44")
    through(late)
    assert rule_of(late, "drop 30") == "NR-13.44S"
    assert rule_of(late, "lose Fin") == "NR-13.44S"
    late.order("axis", "lose 3Rum")
    assert where(late, "3Rum") == "Destroyed"
    finns = {"Fin": "Finland", "4": "2109"}
    assert refused(position(finns, axis=(1,)), SOVIET, 44, "after_cards") == "NR-13.44S"
    assert refused(position(units, axis=(1,), active=SOVIET), SOVIET, 44, "after_cards") == "NR-13.44S"


def test_nr_13_45a_a_desperate_attack():
    d = organise(45, turn=27)
    assert rule_of(d, "event 45 =3") == "NR-13.45A"
    d.order("axis", "event 45 =2")
    assert d.state.support[AXIS] == 2
    assert d.state.event_vp == 1  # as the Soviets count
    one = organise(45, turn=27).order("axis", "event 45 =1")
    assert one.state.support[AXIS] == 1


def test_a_card_without_a_moment_is_played_out_of_turn_too():
    d = table(FRONT, OpenMoved, side=SOVIET, turn=14, axis=(22,)).order("axis", "event 22")
    assert asked(d) in ("drop_after axis", "reveal axis")


@pytest.mark.parametrize(("card", "soviet"), [(13, False), (20, True)])
def test_nr_13_13a_13_20s_end_with_the_card_phase(card, soviet):
    side = SOVIET if soviet else AXIS
    letter = "S" if soviet else "A"
    units = {**FRONT, "1Pz": ("0210", "-"), "Kal": "Gorki"}
    d = table(units, OpenDealt, side=side, **{side: (card, 1, 4)})
    assert asked(d) == f"supply_window {side}"
    d.order(side, f"event {card}")
    assert len(d.state.hand(side)) == 2 + (4 if soviet else 3)  # on top of what has been drawn
    e = table(units, Organise, side=side, **{side: (card, 1, 4)})
    assert rule_of(e, f"event {card}") == f"NR-13.{card}{letter}"
    e.order(side, "upgrade Kal" if soviet else "discard 1 4 for upgrade 1Pz")
    through(e)
    assert rule_of(e, f"event {card}") == f"NR-13.{card}{letter}"


def test_nr_13_20s_exactly_four_cards_which_fall_under_the_limit_before_the_draw():
    d = table(FRONT, ThrowAway, side=SOVIET, soviet=(20, 2))
    assert "You keep at most 2 cards, including those that events bring you now" in prompt_of(d)
    d.order(SOVIET, "event 20")
    assert len(d.state.hand(SOVIET)) == 5
    if asked(d) == "reveal soviet":
        d.order(SOVIET, "done")
    assert rule_of(d, "done") == "NR-5.2"
    assert "the limit of two cards" in CHART.card_event(SOVIET, 20).text


def test_nr_13_10s_ends_with_the_card_phase():
    units = {**FRONT, "Res": "2412", "4": "0210", "NW": "2410"}
    d = table(units, OpenDealt, side=SOVIET, soviet=(10,)).order(SOVIET, "event 10")
    assert asked(through(d)) == "surprise soviet"
    assert rule_of(table(units, Organise, side=SOVIET, soviet=(10,)), "event 10") == "NR-13.10S"
