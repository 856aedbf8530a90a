"""The list of the cards says what the code does: moments, turns, symbols, the change of 1945 (NR-5.12, NR-13)."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import islice

import pytest
from noretreat_positions import CODES, game, position, rule_of, table, where

from pbem.engine.testing import Chance, Driver
from pbem.kit.datafile import folder, problems
from pbem.protocol.errors import Refusal
from pbem_rules import noretreat
from pbem_rules.noretreat import game as printed_game
from pbem_rules.noretreat.cards.base import CARDS, EVENTS, At, Moment
from pbem_rules.noretreat.cards.book import PASSIVE
from pbem_rules.noretreat.cards.hand import Copy
from pbem_rules.noretreat.chart import AXIS, DATA, SIDES, SOVIET, chart_of, other
from pbem_rules.noretreat.orders import CARD, CHOICE, UNIT, Purpose
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.payments import worth

CHART = chart_of(DATA)
# The symbols: events that need the initiative of the Axis (+) or of the Soviets (*).
PLUS = {AXIS: {3, 6, 9, 10, 14, 17, 21, 36, 37, 42, 43, 44}, SOVIET: {2, 7, 11, 16, 18, 24, 25, 34, 35, 38}}
STAR = {AXIS: {15, 19, 22, 25, 30, 35, 40, 41}, SOVIET: {14, 17, 21, 23, 26, 27, 28, 29, 31, 33, 37, 39}}
# What happens when it is drawn.
AT_ONCE = {AXIS: {11, 20, 33, 46, 47, 50, 51, 54}, SOVIET: {12, 13, 40, 45, 48, 49, 52, 53}}
BOTH = [(side, card) for side in SIDES for card in CARDS]


def test_there_are_108_events():
    assert len(CHART.cards) == 54
    assert problems("cards", folder(noretreat.__file__)["cards"]) == []
    assert set(EVENTS) | set(PASSIVE) == set(BOTH)
    assert not set(EVENTS) & set(PASSIVE)


@pytest.mark.parametrize(("side", "card"), BOTH)
def test_the_list_says_what_the_event_does(side, card):
    printed = CHART.card_event(side, card)
    held = EVENTS.get((side, card))
    if held is None:
        assert printed.play == "discard"
        return
    assert printed.rule == held.rule == f"NR-13.{card:02d}{'A' if side == AXIS else 'S'}"
    # Moments: a copy has those of the card copied.
    assert printed.play == ("copy" if isinstance(held, Copy) else "_or_".join(held.moments))
    symbol = {"axis_initiative": AXIS, "soviet_initiative": SOVIET}
    assert [symbol[mark] for mark in printed.marks if mark in symbol] == ([held.symbol] if held.symbol else [])
    turn = [mark.removesuffix("_turn") for mark in printed.marks if mark.endswith("_turn")]
    assert turn == ([held.whose] if held.whose != "either" else [])
    since = [int(mark.removeprefix("from_turn_")) for mark in printed.marks if mark.startswith("from_turn_")]
    assert since == ([held.since] if held.since else [])


def test_nr_5_12_symbols_of_all_events():
    for side in SIDES:
        assert {card for card in CARDS if (h := EVENTS.get((side, card))) and h.symbol == AXIS} == PLUS[side]
        assert {card for card in CARDS if (h := EVENTS.get((side, card))) and h.symbol == SOVIET} == STAR[side]


def test_nr_5_15_events_that_are_drawn():
    for side in SIDES:
        found = {card for card in CARDS if (h := EVENTS.get((side, card))) and Moment.DRAWN in h.moments}
        assert found == AT_ONCE[side]


def test_nr_5_17_marks_of_the_change_of_1945():
    assert CHART.deck(22) == tuple(range(1, 45))
    assert CHART.deck(23) == tuple(range(14, 55))


def test_names_and_texts_are_of_their_own():
    names = [CHART.card_title(side, card) for side, card in BOTH]
    assert all(names)
    assert len(set(names)) == len(names)


def test_nr_13_12a_bock():
    units = {"6": ("Destroyed", "-"), "9": ("Captured", "-"), "1Pz": ("0612", "-"), "4": "0611"}
    for order, drawn in (
        ("discard 12 for return 6 Berlin", 1),
        ("discard 12 30 for return 9 Berlin", 1),
        ("discard 12 30 for upgrade 1Pz", 0),
        ("discard 12 for reorganise 4", 0),
    ):
        d = table(units, Organise, axis=(12, 30), tired=("4",), turn=6)
        d.order("axis", order)
        left = 2 - order.split(" for ")[0].count(" ")
        assert len(d.state.hand(AXIS)) == left + drawn, order
    d = table(units, Organise, axis=(12, 30), turn=6)
    assert rule_of(d, "event 12") == "NR-5.1"  # no event of its own


def test_nr_13_53a_volksgrenadiers():
    units = {"9": ("Captured", "-"), "1Pz": ("0612", "-"), "4": "0611", "NW": "2409"}
    d = table(units, Organise, axis=(53, 30), turn=23).order("axis", "discard 53 for upgrade 1Pz")
    assert where(d, "1Pz") == "0612"
    d = table(units, Organise, axis=(53, 30), turn=23).order("axis", "discard 53 for return 9 Berlin")
    assert where(d, "9") == "0210-"
    d = table(units, Organise, axis=(53, 30), turn=23)
    assert rule_of(d, "discard 53 30 for upgrade 1Pz") == "NR-5.9"  # one is enough
    assert rule_of(d, "event 53") == "NR-5.1"
    assert worth(53, AXIS, Purpose.RAIL) == worth(53, AXIS, Purpose.COUNTERBLOW) == 1
    assert worth(53, SOVIET, Purpose.UPGRADE) == 1


def test_a_card_whose_symbol_is_wrong_still_pays():
    d = table({"1Pz": ("0612", "-")}, Organise, axis=(15, 19), turn=6)
    assert rule_of(d, "discard 15 19 for upgrade 1Pz") == ""
    assert position({}).initiative == AXIS
    assert CODES["1Pz"] == 0


def nonsense(rng, s):
    """A target as nobody in his right mind would name it."""
    kind = rng.below(5)
    if kind == 0:
        places = sorted(s.chart.board.places)
        return places[rng.below(len(places))]
    return (UNIT - 2 + rng.below(80), CHOICE + rng.below(5), CARD + rng.below(60), rng.below(60_000) * 10**9 - 1)[
        kind - 1
    ]


@pytest.mark.parametrize("seed", ["1", "4"])
def test_every_event_judges_whatever_is_ordered(seed):
    """What `choices` offers `check` lets pass; anything else gets a verdict, at any moment of a random game."""
    driver, rng = Driver(game, chance=Chance(seed)), Chance(f"targets {seed}")
    count, ready = 0, set()
    while driver.asked and count < 1_500:
        seat, s = driver.asked[0], driver.state
        count += 1
        if count % 40 == 0:
            for held in EVENTS.values():
                for at in (At(held.side, moment) for moment in held.moments):
                    if held.ready(s, at) is not None:
                        continue
                    ready.add((held.side, held.card))
                    offered = list(islice(held.choices(s, at), 400))
                    assert len(set(offered)) == len(offered)
                    assert not any(held.check(s, at, targets) for targets in offered[:3] + offered[-3:])
                    for size in range(5):
                        wrong = held.check(s, at, tuple(nonsense(rng, s) for _ in range(size)))
                        assert wrong is None or wrong.rule.startswith("NR-")
        legal = driver.legal(seat)
        driver.give(seat, legal[driver.chance.below(len(legal))])
    assert len(ready) > 40


def test_nr_13_0a_symbols_bind_the_event_to_one_side_s_initiative():
    """Each event with a symbol, against each initiative."""
    for (side, _), held in EVENTS.items():
        for initiative in SIDES:
            s = position({}, turn=20, initiative=initiative, active=side if held.whose != "enemy" else other(side))
            refused = held.ready(s, At(side, held.moments[0]))
            barred = held.symbol not in ("", initiative)
            assert (refused is not None and refused.rule == "NR-5.12") == barred, held.rule


def test_nr_13_0b_who_lacks_the_initiative_still_pays_with_the_card():
    d = table({"6": ("Destroyed", "-"), "4": "0611"}, Organise, turn=8, axis=(35,))
    assert rule_of(d, "event 35") == "NR-5.12"
    d.order("axis", "discard 35 for return 6 Berlin")
    assert where(d, "6") == "0210-"
    assert not any(EVENTS[side, card].symbol for side in SIDES for card in AT_ONCE[side])


def own(name, change):
    data = copy.deepcopy(DATA[name])
    change(data)
    return printed_game.data_with({name: data})


def test_places_that_no_rule_speaks_of_can_be_replaced():
    def renamed(name):
        return lambda data: next(x for x in data["places"] if x["name"] == name).update(name="Elsewhere", at=name)

    for name in ("Saratov", "Astrakhan"):
        chart = chart_of(own("places", renamed(name)))
        assert name not in chart.named
        assert "Elsewhere" in chart.named
    for name in ("Moscow", "Belgrade", "Posen"):
        with pytest.raises(Refusal, match=f"{name} cannot be left out"):
            own("places", renamed(name))


def test_nr_5_17_which_cards_leave_and_come_is_data():
    chart = chart_of(own("cards", lambda data: data["cards"][0].update(marks=[])))
    assert chart.deck(23) == (1, *range(14, 55))
    game_ = replace(printed_game, data=own("cards", lambda data: data["cards"][0].update(marks=["joins_1945"])))
    assert Driver(game_, "campaign", chance=Chance("1")).state.deck.size == 43


def test_what_the_code_does_is_no_data():
    for change in ({"play": "any"}, {"marks": []}, {"rule": "NR-13.01A"}):
        with pytest.raises(Refusal, match="is not data"):
            own("cards", lambda data, change=change: data["cards"][2]["events"]["axis"].update(change))
    with pytest.raises(Refusal, match="20 cards at least"):
        own("cards", lambda data: [card.update(marks=["leaves_1945"]) for card in data["cards"]])
