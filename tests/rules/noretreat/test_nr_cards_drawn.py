"""NR-13 Events that happen when they are drawn, one by one."""

from __future__ import annotations

from itertools import takewhile

import pytest
from noretreat_positions import asked, rule_of, table, where

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Drew, Fought, Note, Scored, Shuffled, SideBegan, TurnBegan
from pbem_rules.noretreat.frames import DrawCards
from pbem_rules.noretreat.hands import Reveal
from pbem_rules.noretreat.orders import Done

FRONT = {"4": "2109", "NW": "2409"}


def drawn(card, side=AXIS, *, units=None, show=True, **kept):
    """The card has just been drawn; it is shown."""
    d = table(
        units or FRONT, Reveal, frame=DrawCards(side, 0), side=side, fresh=("events/1/0",), **{side: (card,)}, **kept
    )  # fmt: skip
    assert asked(d) == f"reveal {side}"
    assert {type(order).__name__ for order in d.legal(side)} == {"Event"}
    assert f"Card {card}," in d.machine.duty(side, Done(), d.own(side)).reason
    return d.order(side, f"event {card}") if show else d


def at_once(driver):
    """What happened before anything else did."""
    return list(takewhile(lambda event: not isinstance(event, SideBegan | TurnBegan | Fought), driver.events()))


def drew(driver):
    return sum(event.count for event in at_once(driver) if isinstance(event, Drew))


def gained(driver, side):
    """Points of the side, and cards drawn for it."""
    events = at_once(driver)
    points = sum(event.points for event in events if isinstance(event, Scored))
    cards = sum(event.count for event in events if isinstance(event, Drew))
    return points if driver.state.initiative == side else -points, cards


@pytest.mark.parametrize(("turn", "weather"), [(9, "clear"), (8, "clear"), (10, "mud"), (11, "snow")])
def test_nr_13_11a_changing_skies(turn, weather):
    d = drawn(11, turn=turn)
    assert d.state.weather == weather
    assert drew(d) == 1


@pytest.mark.parametrize(
    ("turn", "told"), [(10, "The weather of turn 10 is mud now."), (8, "The weather stays as it is.")]
)
def test_weather_that_is_turned_or_stays_is_reported(turn, told):
    assert [event.text for event in at_once(drawn(12, SOVIET, turn=turn)) if isinstance(event, Note)] == [told]


@pytest.mark.parametrize(("turn", "weather"), [(10, "mud"), (9, "mud"), (8, "clear"), (11, "snow")])
def test_nr_13_12s_general_mud(turn, weather):
    d = drawn(12, SOVIET, turn=turn)
    assert d.state.weather == weather
    assert drew(d) == 1


@pytest.mark.parametrize(("turn", "weather"), [(5, "snow"), (9, "snow"), (8, "mud"), (7, "clear")])
def test_nr_13_13s_general_frost(turn, weather):
    d = drawn(13, SOVIET, turn=turn)
    assert d.state.weather_of(turn + 1) == weather
    assert drew(d) == 1


@pytest.mark.parametrize(("turn", "flipped"), [(9, (9, 10)), (8, (9,)), (10, (10,)), (7, ())])
def test_nr_13_33a_unseasonable_weather(turn, flipped):
    d = drawn(33, turn=turn)
    assert d.state.flipped == flipped
    assert drew(d) == 1


def test_nr_14_6_weather_that_is_not_managed():
    d = drawn(11, turn=9, options={"plain_weather": "always"})
    assert d.state.weather == "mud"
    assert drew(d) == 1
    assert drawn(11, turn=9, options={"plain_weather": "1941"}).state.weather == "clear"


@pytest.mark.parametrize(
    ("card", "side", "turn", "draws"),
    [(20, AXIS, 8, 0), (40, SOVIET, 8, 0), (53, SOVIET, 24, 1), (54, AXIS, 24, 1)],
)
def test_nr_13_20a_13_40s_13_53s_13_54a_deck_and_discards_are_shuffled(card, side, turn, draws):
    d = drawn(card, side, turn=turn, discards=(14, 15, 16), left=10)
    events = at_once(d)
    assert [event.cards for event in events if isinstance(event, Shuffled)] == [13]
    assert d.state.deck.epoch == 2
    assert d.state.deck.discards[:1] == [card]  # it begins the new discards
    assert sum(event.count for event in events if isinstance(event, Drew)) == draws


@pytest.mark.parametrize(
    ("card", "side", "places", "yes", "no"),
    [
        (45, SOVIET, ("Budapest",), 1, 1),
        (48, SOVIET, ("Finland",), 0, 0),
        (49, SOVIET, ("Ploesti",), 0, 0),
        (52, SOVIET, ("Belgrade", "Western Balkans", "Southern Balkans"), 1, 1),
        (50, AXIS, ("Koenigsberg",), 2, 1),
    ],
)
def test_nr_13_45s_13_48s_13_49s_13_50a_13_52s_points_for_places(card, side, places, yes, no):
    other = SOVIET if side == AXIS else AXIS
    good = drawn(card, side, turn=24, held=dict.fromkeys(places, side))
    assert gained(good, side) == (1, yes)
    for place in places:  # all of them are needed
        bad = drawn(card, side, turn=24, held={**dict.fromkeys(places, side), place: other})
        assert gained(bad, side) == (-1, no)


def test_nr_13_46a_in_the_bunker():
    assert gained(drawn(46, turn=24, units={**FRONT, "BerG": "Berlin"}), AXIS) == (1, 2)
    assert gained(drawn(46, turn=24), AXIS) == (0, 0)


def test_nr_13_47a_lebensraum():
    assert gained(drawn(47, turn=24), AXIS) == (1, 1)
    # Allies do not count, nor Germans at home.
    home = {"4": "0611", "3Rum": "1117", "NW": "2409"}
    assert gained(drawn(47, turn=24, units=home), AXIS) == (-1, 1)


def test_nr_13_51a_watch_on_the_rhine():
    units = {"4": "2109", "VPos": "Posen", "KG1": "0611", "BerG": "Berlin", "3Rum": "1117", "NW": "2409"}
    d = drawn(51, turn=24, units=units, show=False)
    for code in ("VPos", "KG1", "BerG", "3Rum", "NW"):
        assert rule_of(d, f"event 51 {code}") == "NR-13.51A"
    d.order("axis", "event 51 4")
    assert where(d, "4") == "out of the game"
    assert gained(d, AXIS) == (1, 0)
    paid = drawn(51, turn=24, units=units)
    assert gained(paid, AXIS) == (-1, 0)
    assert where(paid, "4") == "2109"


def test_nr_5_15_only_what_has_just_been_drawn_is_shown():
    d = table(FRONT, Reveal, frame=DrawCards(AXIS, 0), axis=(11, 33), fresh=("events/1/0",))
    assert rule_of(d, "event 33") == "NR-5.15"
    d.order("axis", "event 11")


def test_a_card_drawn_for_one_shown_is_looked_at_too():
    d = table(FRONT, Reveal, frame=DrawCards(AXIS, 0), axis=(11,), fresh=("events/1/0",), turn=9, left=30)
    d.cards.update({"events/1/1": 33})
    d.order("axis", "event 11")
    assert asked(d) == "reveal axis"
    d.order("axis", "event 33")
    assert d.state.weather == "mud"  # turned, and turned back
