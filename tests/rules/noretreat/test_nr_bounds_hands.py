"""NR-5, NR-13: cards that go from hand to hand, what comes of a draw, and which words a standing order may use."""

from __future__ import annotations

from noretreat_cards import attack, through, until
from noretreat_positions import CODES, asked, battle, cities, game, offered, position, rule_of, table, where

from pbem.engine.event import Out
from pbem.engine.testing import Chance, Driver
from pbem_rules.noretreat.cards.base import EVENTS, At, Moment, hidden_cards, may_hold
from pbem_rules.noretreat.cards.frames import DrawThen
from pbem_rules.noretreat.cards.handsteps import DropAfter
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Drew, Dropped, Played, Retreated, Shuffled
from pbem_rules.noretreat.frames import DrawCards, GameTurn, Losses
from pbem_rules.noretreat.hands import RedDiscard, Reveal, TakeCards
from pbem_rules.noretreat.losses import TakeLoss
from pbem_rules.noretreat.orders import Done
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.state import CADRES, READY, TRACK, Effect
from pbem_rules.noretreat.turns import ThrowAway, arrivals
from pbem_rules.noretreat.victory import no_surrender
from pbem_rules.noretreat.windows import OpenMoved, OpenPrelude

FRONT = {"4": "2109", "6": "0611", "NW": "2409"}


def held(driver, seat):
    return sorted(card for card, _ in driver.state.deck.cards(seat, driver.own(seat)))


def test_nr_5_17_the_first_deck():
    for scenario, size in (("campaign", 44), ("barbarossa", 44), ("initiative", 44), ("berlin", 41)):
        assert Driver(game, scenario, chance=Chance("x")).state.deck.size == size


def test_nr_5_22_5_7_what_a_side_may_hold_by_what_everybody_knows():
    s = position(FRONT, axis=(5,), soviet=(6,), discards=(9, 10), turn=8)
    s.deck.pick(SOVIET, 9)  # everybody has seen it
    assert 9 not in hidden_cards(s)
    assert 10 not in hidden_cards(s)
    assert 5 in hidden_cards(s)
    assert 9 in may_hold(s, SOVIET)
    assert 9 not in may_hold(s, AXIS)
    assert {5, 6, 7} <= may_hold(s, AXIS)
    open_ = position(FRONT, discards=(9, 10), turn=8)
    open_.deck.pick(SOVIET, 9)
    assert may_hold(open_, SOVIET) == {9}
    assert may_hold(open_, AXIS) == frozenset()


def test_nr_13_09s_the_other_hand_lies_open_and_one_card_goes():
    d = table(FRONT, Organise, side=SOVIET, soviet=(9, 2), axis=(5, 30, 12)).order(SOVIET, "event 9")
    through(d)
    assert asked(d) == "discard_theirs soviet"
    assert offered(d) == {"choose 5", "choose 12", "choose 30"}
    assert rule_of(d, "choose 2") == "NR-13.09S"
    d.order(SOVIET, "choose 12")
    assert sorted(d.state.hand(AXIS)) == [5, 30]
    assert [(x.side, x.cards) for x in d.events() if isinstance(x, Dropped)] == [(AXIS, (12,))]
    assert asked(d) == "organise soviet"


def test_nr_13_42a_one_card_by_lot():
    for hand, die, lost in (((1, 30, 12), 1, 1), ((1, 30, 12), 3, 12), ((1, 30), 2, 30), ((30,), None, 30)):
        dice = {"t8/axis/card": die} if die else {}
        d = table(FRONT, Organise, axis=(42,), soviet=hand, dice=dice)
        through(d.order(AXIS, "event 42"))
        assert held(d, SOVIET) == sorted({*hand} - {lost})
        rolled = [line.text for line in d.lines if line.what == "dice"]
        assert rolled == ([f"t8/axis/card d{len(hand)}: {die}"] if die else [])


def test_nr_13_22a_13_33s_13_08s_what_follows_a_draw():
    speer = table(FRONT, Organise, axis=(22, 30), turn=14).order(AXIS, "event 22")
    while asked(speer) == "reveal axis":
        speer.order(AXIS, next(iter(speer.legal(AXIS))))
    assert asked(speer) == "drop_after axis"
    assert len(offered(speer)) == 4
    speer.order(AXIS, "drop 30")
    assert asked(speer) == "organise axis"
    assert len(speer.state.hand(AXIS)) == 3
    empty = position(FRONT, axis=())
    assert DropAfter().by(empty, DrawThen(AXIS, 3, drop=1)) == ()  # without a card nothing is discarded
    units = {**FRONT, "Res": "Destroyed", "Cen": "Captured", "Bry": "Shattered", "Ste": ("Destroyed", "+")}
    d = table(units, Organise, side=SOVIET, soviet=(33,), turn=14, held=cities(SOVIET, "Gorki", "Saratov"))
    d.order(SOVIET, "event 33")
    while asked(d) == "reveal soviet":
        d.order(SOVIET, next(iter(d.legal(SOVIET))))
    assert asked(d) == "bring_back soviet"
    both = ("2105", "2311")
    assert offered(d) == {"done", *(f"place {code} {to}" for code in ("Res", "Cen", "Ste") for to in both)}
    assert [rule_of(d, f"place {text}") for text in ("Bry Gorki", "NW Gorki", "Res Moscow", "Res 9999")] == [
        "NR-7.12", "NR-7.12", "NR-7.13", "NR-7.8",
    ]  # fmt: skip
    d.order(SOVIET, "place Ste Gorki")
    assert where(d, "Ste") == "2105"  # on its weaker side
    assert d.state.is_tired(CODES["Ste"])
    assert asked(d) != "bring_back soviet"
    none = table(FRONT, Organise, side=SOVIET, soviet=(33,), turn=14).order(SOVIET, "event 33")
    while asked(none) == "reveal soviet":
        none.order(SOVIET, next(iter(none.legal(SOVIET))))
    assert asked(none) == "organise soviet"


def test_nr_13_30a_7_12_two_units_and_on_their_weaker_sides():
    units = {**FRONT, "9": ("Destroyed", "+"), "11": "Captured", "2Hun": "Destroyed", "16": "Shattered"}
    d = table(units, OpenPrelude, side=SOVIET, axis=(30,), turn=14).order(AXIS, "event 30")
    through(d)
    assert {text.split()[1] for text in offered(d) if text.startswith("place")} == {"9", "11", "2Hun"}
    d.order(AXIS, "place 9 Berlin", "place 2Hun Budapest")
    assert (where(d, "9"), where(d, "2Hun"), where(d, "11")) == ("0210-", "0417", "Captured")
    assert asked(d) != "bring_back axis"
    one = table(units, OpenPrelude, side=SOVIET, axis=(30,), turn=14).order(AXIS, "event 30")
    through(one).order(AXIS, "place 11 Berlin", "done")
    assert asked(one) != "bring_back axis"


def test_nr_5_16_13_20a_13_40s_13_53s_events_that_happen_when_drawn():
    again = [*range(1, 20), *range(21, 40)]
    shuffled = table(FRONT, TakeCards, frame=DrawCards(AXIS, 1), outer=Organise, turn=8, discards=tuple(range(1, 20)),
                     decks={"events": [again]})  # fmt: skip
    assert asked(shuffled) == "reveal axis"
    assert {text.split(" on ")[0] for text in offered(shuffled)} == {"event 20"}
    assert shuffled.check(AXIS, shuffled.legal(AXIS)[0]) is None
    shuffled.order(AXIS, "event 20")
    found = shuffled.events()
    assert [x.card for x in found if isinstance(x, Played)] == [20]
    assert any(isinstance(x, Shuffled) for x in found)
    assert shuffled.state.deck.discards == [20]  # it begins the new discards
    assert [x.count for x in found if isinstance(x, Drew)] == [1]  # no other card is drawn


def test_nr_5_6_5_2_1_7_5_20_5_19_which_words_standing_orders_know():
    def known(driver, *words):
        step = driver.machine.decision
        return [word for word in words if step.is_answer(driver.state, word)]

    moved = table({"4": "0611", "NW": "2412"}, OpenMoved, side=SOVIET, axis=(18, 39))
    assert known(moved, "pass", "joker", "18", "54", "0", "55", "marker") == ["pass", "joker", "18", "54"]
    drop = table(FRONT, ThrowAway, axis=(5, 22, 30))
    assert known(drop, "done", "22", "44", "x", "55") == ["done", "22", "44"]
    red = table(FRONT, RedDiscard, turn=7, frame=GameTurn(discards=1), axis=(5, 22), skip_sudden=True)
    assert known(red, "5", "54", "55", "done") == ["5", "54"]
    loss = table({"4": "2109", "6": "2208"}, TakeLoss, frame=Losses(AXIS, (CODES["4"], CODES["6"]), 1))
    assert known(loss, "cheapest", "4", "1pz", "1Pz", "x") == ["cheapest", "4", "1pz"]
    answer = table(FRONT, Organise, side=SOVIET, soviet=(6,), axis=(14, 31)).order(SOVIET, "event 6")
    assert known(answer, "pass", "14", "55") == ["pass", "14"]


def test_nr_5_18_5_13_one_event_a_battle_and_no_card_twice():
    d = attack(5, [3, 4], spare=(6, 8))
    d.order(AXIS, "event 5")
    assert d.state.fight.played == (AXIS,)
    assert d.state.used == (5,)
    assert not any(o.kind == "event" for o in d.legal(AXIS)) if asked(d).endswith("axis") else True
    s = position(FRONT, used=(5,), axis=(5,))
    at = At(AXIS, Moment.BATTLE)
    assert EVENTS[AXIS, 5].ready(s, at).rule == "NR-5.13"
    over = attack(18, 3, soviet=True, spare=(34,)).state
    over.fight.played = (SOVIET,)
    assert EVENTS[SOVIET, 18].ready(over, At(SOVIET, Moment.COMBAT)) is None  # that holds for the phase
    quiet = position(FRONT, axis=(5,))
    assert EVENTS[AXIS, 5].ready(quiet, at).rule == "NR-13.05A"  # there is no battle
    fresh = position(FRONT, used=(11,))
    assert EVENTS[AXIS, 11].ready(fresh, At(AXIS, Moment.DRAWN)) is None  # what is drawn is not played


def test_nr_2_7_9_46_a_stack_that_retreats_takes_the_places_on_its_way():
    units = {"West": ("2209", "+"), "SW": ("2209", "+"), "4": "2109", "6": "2109"}
    d = battle(units, "SW West", "2109", 5, side=SOVIET, turn=27)
    assert asked(d) == "retreat axis"
    first = next(o for o in d.legal(AXIS) if o.unit == CODES["4"])
    d.order(AXIS, first)
    assert all(d.state.holders[cell] == AXIS for cell in first.path)
    assert asked(d) == "retreat axis"
    assert {o.unit for o in d.legal(AXIS)} == {CODES["6"]}
    assert rule_of(d, "retreat 4 2009") == "NR-9.44"
    d.order(AXIS, d.legal(AXIS)[0])
    assert asked(d) != "retreat axis"
    assert len([x for x in d.events() if isinstance(x, Retreated)]) == 2


def test_nr_13_15a_5_14_what_is_in_force_by_kind_and_side():
    s = position(FRONT, effects=(
        Effect("shift", SOVIET, 0, -1, "phase"), Effect("shift", AXIS, 0, 2, "turn"),
        Effect("room", SOVIET, 5, 1, "phase"),
    ))  # fmt: skip
    assert [len(s.effect(*which)) for which in (("shift",), ("shift", SOVIET), ("room",), ("x",))] == [2, 1, 1, 0]
    assert [s.amount(*which) for which in (("shift",), ("shift", AXIS), ("shift", SOVIET), ("x",))] == [1, 2, -1, 0]
    s.lapse("phase")
    assert [(each.kind, each.side) for each in s.effects] == [("shift", AXIS)]


def drawing(first, side=AXIS, count=1, **kept):
    """Cards are drawn, `first` before the others."""
    own = {*kept.get("axis", ()), *kept.get("soviet", ())}
    lower = tuple(n for n in range(1, first) if n not in own)
    kept.setdefault("turn", 8)
    return table(FRONT, TakeCards, frame=DrawCards(side, count), outer=Organise, side=side, discards=lower, **kept)


def test_nr_5_15_what_is_drawn_must_be_shown_and_nothing_else():
    d = drawing(33, axis=(20, 5))
    assert asked(d) == "reveal axis"
    assert offered(d) == {"event 33 on -"}
    step, frame = d.machine.decision, d.view(AXIS).frame
    assert step.duty(d.state, frame, AXIS, Done(), d.own(AXIS)).rule == "NR-5.15"
    assert step.duty(d.state, frame, AXIS, d.legal(AXIS)[0], d.own(AXIS)) is None
    words = step.answers(d.state, frame, AXIS, d.own(AXIS))
    assert list(words) == ["show"]
    assert [rule_of(d, f"event {card}") for card in (20, 5)] == ["NR-5.15", "NR-5.15"]  # held before
    d.order(AXIS, "event 33")
    assert 33 in d.state.deck.discards
    assert len(d.state.hand(AXIS)) == 3  # another one comes
    two = table(FRONT, Reveal, frame=DrawCards(AXIS, 0), axis=(11, 33), fresh=("events/1/0", "events/1/1"), turn=8)
    assert offered(two) == {"event 11 on -", "event 33 on -"}
    two.order(AXIS, "event 33")
    assert asked(two) == "reveal axis"  # one card after another
    assert "event 11 on -" in offered(two)
    shuffled = table(FRONT, Reveal, frame=DrawCards(AXIS, 0), axis=(20, 33), fresh=("events/1/0", "events/1/1"), turn=8)
    shuffled.order(AXIS, "event 20")  # which draws none
    assert asked(shuffled) == "reveal axis"
    assert "event 33 on -" in offered(shuffled)
    plain = drawing(34, axis=(20, 5))
    if asked(plain) == "reveal axis":
        assert offered(plain) == {"done"}
        assert step.duty(plain.state, frame, AXIS, Done(), plain.own(AXIS)) is None
        assert list(plain.machine.decision.answers(plain.state, plain.view(AXIS).frame, AXIS, plain.own(AXIS))) == [
            "done"
        ]
        plain.order(AXIS, "done")
    assert plain.state.fresh == ()
    assert not asked(drawing(41, left=3, axis=(5,))).startswith("reveal")  # none of the cards left happens at once


def test_nr_1_25_12_1_12_2_11_3_what_the_turn_track_brings():
    due = {"2": 8, "KG1": 8, "Luft": 9, "Kal": 7}
    s = position(dict.fromkeys(due, "turn track"), turn=8, due=due)
    arrivals(s, Out())
    assert {code: (s.at(CODES[code]), s.pieces[CODES[code]].due) for code in due} == {
        "2": (READY, 0), "KG1": (CADRES, 0), "Luft": (TRACK, 9), "Kal": (READY, 0),
    }  # fmt: skip
    assert set(s.of(AXIS, READY)) == {CODES["2"]}
    assert set(s.of(SOVIET, READY)) == {CODES["Kal"]}


def test_nr_14_8_what_a_sudden_death_costs_instead():
    for vp, cards, less in ((-1, False, 0), (0, True, 0), (1, True, 1), (2, True, 2), (4, True, 2)):
        east = (
            "Riga",
            "Minsk",
            "Kiev",
            "Odessa",
            "Smolensk",
            "Dnepropetrovsk",
            "Kharkov",
            "Stalino",
            "Rostov",
            "Voronezh",
        )
        s = position(FRONT, turn=5, held=dict.fromkeys(east, AXIS), event_vp=2 + vp, options={"no_surrender": True})
        frame = GameTurn()
        no_surrender(s, frame, Out())
        assert frame.surrender == (SOVIET if cards else "")
        assert [(e.side, e.amount, e.until) for e in s.effect("draw_less")] == (
            [(SOVIET, less, "round")] if less else []
        )
    none = position(FRONT, turn=6, event_vp=6, options={"no_surrender": True})
    frame = GameTurn()
    no_surrender(none, frame, Out())
    assert frame.surrender == ""  # no skull


def test_nr_13_38a_13_16s_9_57_a_duel_goes_on_until_one_is_lower():
    units = {"4": "2109", "6": "2109", "NW": "2209", "Res": "2208"}
    d = battle(units, "NW Res", "2109", side=SOVIET, axis=(38,))
    d.chance.rolls["t8/soviet/2109/crt/duel"] = (2, 2, 5, 3)
    until(d, "battle_window axis").order(AXIS, "event 38")
    lost = []
    while asked(through(d)).startswith("loss"):
        order = d.legal(d.asked[0])[0]
        lost.append((d.asked[0], d.state.name(order.unit)))
        d.order(d.asked[0], order)
    assert [seat for seat, _ in lost] == [AXIS, SOVIET] or [seat for seat, _ in lost] == [AXIS, SOVIET, SOVIET]
    assert sum(d.state.on_map(CODES[code]) for code in ("NW", "Res")) == 0
    assert {where(d, "4"), where(d, "6")} == {"2109-", "2109"}
    assert d.state.fight is None
    # After a tie that costs a side its last unit nobody rolls again.
    one = battle({"4": "2109", "NW": "2209"}, "NW", "2109", side=SOVIET, axis=(38,))
    one.chance.rolls["t8/soviet/2109/crt/duel"] = (2, 2)
    until(one, "battle_window axis").order(AXIS, "event 38")
    while asked(through(one)).startswith("loss"):
        one.order(one.asked[0], one.legal(one.asked[0])[0])
    assert (where(one, "4"), where(one, "NW"), one.state.fight) == ("2109-", "Destroyed", None)
