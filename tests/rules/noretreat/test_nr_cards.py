"""NR-5 Cards: hands, draws, what discards pay for, when events are played. The tests bring events of their own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from noretreat_positions import CODES, asked, battle, game, position, rule_of, table, where

from pbem.engine.order import Violation
from pbem_rules.noretreat import cards
from pbem_rules.noretreat.cards import base
from pbem_rules.noretreat.cards.base import CARDS, At, CardEvent, Moment, event, hidden_cards, may_hold
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Cancelled, Paid
from pbem_rules.noretreat.frames import DrawCards, GameTurn, PlayerTurn
from pbem_rules.noretreat.hands import RedDiscard, Refill, Reveal, draw_count
from pbem_rules.noretreat.movement import allowance
from pbem_rules.noretreat.orders import Done
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.scoring import score
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.targets import Counterblows
from pbem_rules.noretreat.turns import SideTurn, ThrowAway, TurnEvents
from pbem_rules.noretreat.windows import OpenMoved, OpenPrelude, can_play


@pytest.fixture
def deck(monkeypatch):
    """An empty list of events, to which a test adds its own."""
    monkeypatch.setattr(base, "EVENTS", {}, raising=True)
    held: dict = {}
    by: dict = {(side, moment): [] for side in (AXIS, SOVIET) for moment in Moment}
    for module in ("base",):
        monkeypatch.setattr(getattr(cards, module), "EVENTS", held)
        monkeypatch.setattr(getattr(cards, module), "BY_MOMENT", by)
    import sys

    for name, module in list(sys.modules.items()):
        if name.startswith("pbem_rules.noretreat."):
            for attribute, value in (("EVENTS", held), ("BY_MOMENT", by)):
                if hasattr(module, attribute) and not name.endswith(".events"):
                    monkeypatch.setattr(module, attribute, value)

    def add(card, side, *moments, does=None, unfit=None, **more):
        class Stand(CardEvent):
            def unfit(self, s, at):
                return unfit(s, at) if unfit else None

            def play(self, s, at, targets, out):
                return does(s, at, targets, out) if does else None

        return event(card, side, *moments, **more)(Stand)

    return SimpleNamespace(add=add)


def test_nr_5_1_a_player_uses_his_own_event(deck):
    deck.add(20, SOVIET, Moment.ANY)
    d = table({"4": "2109"}, axis=(20,), soviet=())
    assert rule_of(d, "event 20") == "NR-5.1"
    assert (CARDS[0], CARDS[-1]) == (1, 54)


def test_nr_5_2_keep_two_draw_four():
    d = table({"4": "0210"}, ThrowAway, axis=(1, 2, 3, 4), turn=6)
    assert rule_of(d, "done") == "NR-5.2"
    d.order("axis", "drop 1 2", "done")
    assert len(d.state.hand(AXIS)) == 6
    assert d.state.deck.discards == [1, 2]


def test_nr_5_3_soviets_draw_less_without_moscow_or_the_caucasus():
    s = position({}, held={"Moscow": AXIS, "Grozny": AXIS})
    assert draw_count(s, SOVIET) == 3
    assert [draw_count(position({}, held={name: AXIS}), SOVIET) for name in ("Moscow", "Grozny", "Kiev")] == [3, 3, 4]


def test_nr_5_4_the_axis_draws_less_without_ploesti():
    assert draw_count(position({}, turn=19, held={"Ploesti": SOVIET}), AXIS) == 3


@pytest.mark.parametrize(
    ("turn", "side", "count"),
    [(8, AXIS, 5), (9, AXIS, 5), (10, AXIS, 4), (23, AXIS, 1), (20, SOVIET, 4), (21, SOVIET, 5), (28, SOVIET, 5)],
)
def test_nr_5_5_other_numbers(turn, side, count):
    assert draw_count(position({}, turn=turn), side) == count
    assert draw_count(position({}, turn=16, draw_less=position({}).draw_less), AXIS) == 4


def test_nr_5_6_a_red_event_costs_a_card():
    d = table({"4": "0210"}, TurnEvents, turn=7, frame=GameTurn(), axis=(1, 2))
    assert asked(d) == "penalty axis"
    d.order("axis", "drop 2")
    assert d.state.deck.discards == [2]
    assert not table({"4": "0210"}, RedDiscard, turn=7, frame=GameTurn(discards=1)).state.deck.discards


def test_nr_5_7_hands_are_secret_and_discards_open():
    d = table({"4": "2109"}, axis=(1, 2))
    assert all(isinstance(held, str) for held in d.state.hand(AXIS))
    assert d.view("soviet").known == {}
    assert rule_of(table({"4": "2109"}, ThrowAway, axis=(1, 2, 3)), "drop 1") == ""


def test_nr_5_8_cards_pay_for_five_things():
    units = {"1Pz": ("0210", "-"), "6": "Destroyed", "4": "0410"}
    d = table(units, Organise, axis=(1, 2, 3, 4, 5), tired=("4",), turn=6)
    d.order("axis", "discard 1 2 for upgrade 1Pz", "discard 3 for return 6 Breslau", "discard 4 for reorganise 4")
    assert [paid.purpose for paid in d.events(Paid)] == ["upgrade", "return", "reorganise"]
    e = table({"4": "0410", "6": "0210"}, axis=(1,), turn=6)
    e.order("axis", "rail 4", "discard 1 for rail 6")
    f = table({"4": "2109", "NW": "2209"}, Counterblows, soviet=(1,), turn=6)
    f.order("soviet", "discard 1 for counterblow 2209")
    assert (where(e, "6"), f.state.blows) == ("Rail", {2209: AXIS})


def test_nr_5_9_prices():
    d = table({"1Pz": ("0210", "-"), "6": "Captured"}, Organise, axis=(1, 2, 3, 4), turn=6)
    assert rule_of(d, "discard 1 for upgrade 1Pz") == "NR-5.9"
    assert rule_of(d, "discard 1 2 3 for upgrade 1Pz") == "NR-5.9"
    assert rule_of(d, "discard 1 for return 6 Berlin") == "NR-5.9"
    assert rule_of(d, "discard 1 2 for return 6 Berlin") == ""


def test_nr_5_10_nothing_for_the_axis_before_turn_5():
    d = table({"1Pz": ("0210", "-"), "6": "Destroyed"}, Organise, axis=(1, 2), turn=4)
    assert rule_of(d, "discard 1 2 for upgrade 1Pz") == "NR-11.2"
    assert rule_of(d, "discard 1 for return 6 Berlin") == "NR-11.2"


def test_nr_5_11_two_cards_with_a_worth_of_their_own():
    d = table({"6": "Destroyed"}, Organise, axis=(12,), turn=6)
    d.order("axis", "discard 12 for return 6 Berlin")
    assert len(d.state.hand(AXIS)) == 1  # a new card for card 12
    from pbem_rules.noretreat.orders import Purpose
    from pbem_rules.noretreat.payments import worth

    assert worth(53, AXIS, Purpose.UPGRADE) == 2
    assert worth(53, AXIS, Purpose.RAIL) == worth(53, SOVIET, Purpose.UPGRADE) == 1


def test_nr_5_12_symbols(deck):
    kind = deck.add(20, AXIS, Moment.ANY, symbol=AXIS)
    at = At(AXIS, Moment.ANY)
    assert kind().ready(position({}, turn=8), at) is None
    assert kind().ready(position({}, turn=14), at).rule == "NR-5.12"


def test_nr_5_13_no_card_twice_in_a_player_turn(deck):
    deck.add(20, AXIS, Moment.ANY)
    d = table({"4": "2109"}, axis=(20,), used=(20,))
    assert rule_of(d, "event 20") == "NR-5.13"


def test_nr_5_14_one_at_a_time_and_the_later_prevails(deck):
    for card, points in ((20, 1), (21, -1)):
        deck.add(card, AXIS, Moment.ANY, does=lambda s, at, t, out, p=points: score(s, AXIS, p, "x", "NR-5.14", out))
    d = table({"4": "2109"}, axis=(20, 21))
    d.order("axis", "event 20", "event 21")
    assert (d.state.event_vp, d.state.used) == (0, (20, 21))


def test_nr_5_15_events_that_happen_when_drawn(deck):
    deck.add(20, AXIS, Moment.DRAWN, does=lambda s, at, t, out: score(s, AXIS, 1, "x", "NR-5.15", out))
    d = table({"4": "2109"}, Reveal, frame=DrawCards(AXIS, 0), axis=(20, 21), fresh=("events/1/0", "events/1/1"))
    assert {type(order).__name__ for order in d.legal("axis")} == {"Event"}
    own = d.own("axis")
    assert d.machine.check("axis", Done(), own) is None  # nobody else can know; the owner's program does
    assert d.check("axis", Done()).rule == "NR-5.15"
    assert "`event 20`" in d.why_not("axis", "done").reason
    d.order("axis", "event 20")
    assert d.state.event_vp == 1
    if d.need.kind == "reveal":
        assert d.machine.duty("axis", Done(), d.own("axis")) is None


def test_nr_5_15_no_standing_order_keeps_one_back(deck):
    deck.add(20, AXIS, Moment.DRAWN, does=lambda s, at, t, out: score(s, AXIS, 1, "x", "NR-5.15", out))
    d = table({"4": "2109"}, Reveal, frame=DrawCards(AXIS, 0), axis=(20,), fresh=("events/1/0",))
    step, state, frame = d.machine.decision, d.state, d.machine.frame
    assert step.answers(state, frame, AXIS, {}) == {}  # public ones do not know the card
    assert set(step.answers(state, frame, AXIS, d.own(AXIS))) == {"show"}


def test_nr_5_16_the_last_card_is_shuffled_with_the_discards():
    d = table({"4": "0210"}, Refill, frame=DrawCards(AXIS, 3), left=2, discards=(5, 6, 7, 8))
    assert d.state.deck.epoch == 2
    assert len(d.state.hand(AXIS)) == 3
    assert not {5, 6, 7, 8} & set(d.state.deck.discards)


def test_nr_5_17_cards_that_leave_and_come_in_1945():
    assert (hidden_cards(position({}, turn=22)), hidden_cards(position({}, turn=23))) == (
        frozenset(range(1, 45)),
        frozenset(range(14, 55)),
    )


def test_nr_5_18_one_event_a_side_in_a_battle(deck):
    def right(s, at, targets, out):
        s.fight.shifts = (*s.fight.shifts, (1, "test", "NR-5.18"))

    for card in (20, 21):
        deck.add(card, AXIS, Moment.BATTLE, does=right)
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 4, axis=(20, 21))
    assert asked(d) == "battle_window axis"
    d.order("axis", "event 20")
    assert d.state.fight is None or d.state.fight.played == ("axis",)
    assert asked(d) != "battle_window axis"


def test_nr_5_19_the_active_side_first(deck):
    for side, card in ((AXIS, 20), (SOVIET, 21)):
        deck.add(card, side, Moment.BATTLE)
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 4, axis=(20,), soviet=(21,))
    assert asked(d) == "battle_window axis"
    d.order("axis", "pass")
    assert asked(d) == "battle_window soviet"
    d.order("soviet", "event 21")
    assert asked(d) == "battle_window axis"  # who has not yet played may still


def test_nr_5_20_cancelling_and_cancelling_that(deck):
    deck.add(14, AXIS, Moment.ANSWER)
    deck.add(15, SOVIET, Moment.ANSWER)
    units = {"West": "2410", "Sev": "Moscow"}
    d = table(units, Organise, side=SOVIET, turn=8, soviet=(30, 15, 31), axis=(14,))
    d.order("soviet", "discard 30 for upgrade Sev")
    assert asked(d) == "answer axis"
    d.order("axis", "event 14").order("soviet", "pass")
    assert where(d, "Sev") == "1707"
    assert d.events(Cancelled)
    assert sorted(d.state.deck.discards) == [14, 30]  # the payment is lost
    d.order("soviet", "discard 31 for upgrade Sev")
    assert where(d, "Sev") == "1707+"
    e = table(units, Organise, side=SOVIET, turn=8, soviet=(30, 15), axis=(14,))
    e.order("soviet", "discard 30 for upgrade Sev").order("axis", "event 14").order("soviet", "event 15")
    assert where(e, "Sev") == "1707+"


def test_nr_5_21_one_bonus_to_movement():
    s = position({"4": "0210"})
    unit = CODES["4"]
    s.put_effect(Effect("points", AXIS, unit, 2))
    s.put_effect(Effect("points", AXIS, unit, 1))
    assert allowance(s, unit) == 6


def test_nr_5_22_a_side_is_asked_out_of_turn_if_it_may_hold_something(deck):
    deck.add(18, AXIS, Moment.MOVED, whose="enemy")
    d = table({"4": "2109", "NW": "2410"}, OpenMoved, side=SOVIET, axis=(18, 19))
    assert asked(d) == "moved_window axis"
    s = position({"4": "2109"}, active=SOVIET, axis=(19,), discards=(18,))
    assert not can_play(s, AXIS, (Moment.MOVED,))
    assert 18 not in may_hold(s, AXIS)
    assert 19 in hidden_cards(s)


def test_nr_5_23_events_without_a_moment(deck):
    deck.add(22, AXIS, Moment.ANY)
    for step, side in ((Organise, AXIS), (ThrowAway, AXIS), (OpenPrelude, SOVIET)):
        d = table({"4": "0210"}, step, side=side, axis=(22,), soviet=(), frame=PlayerTurn(side))
        assert rule_of(d, "event 22", "axis") == ""
    b = battle({"4": "2109", "NW": "2209"}, "4", "2209", 4, axis=(22,))
    assert not asked(b).startswith("battle_window")


def test_a_violation_of_an_event_is_told(deck):
    deck.add(20, AXIS, Moment.ANY, unfit=lambda s, at: Violation("NR-13.20A", "Not now"))
    assert rule_of(table({"4": "2109"}, axis=(20,)), "event 20") == "NR-13.20A"
    assert game.name == "noretreat"
    assert SideTurn.side == AXIS
