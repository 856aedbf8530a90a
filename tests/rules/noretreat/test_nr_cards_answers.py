"""NR-13 Events that cancel, one by one; and standing orders that say which card answers what."""

from __future__ import annotations

from noretreat_cards import fought, through
from noretreat_positions import asked, prompt_of, rule_of, table, where

from pbem.engine.event import Out, Taken
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Cancelled
from pbem_rules.noretreat.movement import March
from pbem_rules.noretreat.orders import Done
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.windows import OpenDealt, OpenMoved

UNITS = {"4": "2109", "6": "0611", "NW": "2409", "Res": "2410"}


def soviet_plays(answer, order, *, hand, spare=(), units=None, **kept):
    d = table(units or UNITS, Organise, side=SOVIET, soviet=hand, axis=(answer, *spare), **kept)
    return d.order("soviet", order)


def axis_plays(answer, order, *, hand, spare=(), units=None, step=Organise, **kept):
    d = table(units or UNITS, step, side=AXIS, axis=hand, soviet=(answer, *spare), **kept)
    return d.order("axis", order)


def test_nr_13_07a_trouble_in_the_factories():
    # A paid upgrade, a free one, a return, and Lend-Lease.
    paid = soviet_plays(7, "discard 22 for upgrade NW", hand=(22,)).order("axis", "event 7")
    assert where(paid, "NW") == "2409"
    assert paid.state.deck.discards == [22, 7]
    free = soviet_plays(7, "upgrade NW", hand=(22,)).order("axis", "event 7")
    assert where(through(free), "NW") == "2409"
    assert rule_of(free, "upgrade Res") == "NR-7.4"
    back = soviet_plays(7, "discard 22 for return Cen Saratov", hand=(22,), units={**UNITS, "Cen": "Destroyed"})
    back.order("axis", "event 7")
    assert where(back, "Cen") == "Destroyed"
    lease = soviet_plays(7, "event 8 NW", hand=(8,)).order("axis", "event 7")
    assert where(lease, "NW") == "2409"
    assert rule_of(soviet_plays(7, "event 8 =1", hand=(8,), spare=(14,)), "event 7") == "NR-13.07A"
    rest = soviet_plays(7, "discard 22 for reorganise NW", hand=(22,), tired=("NW",), spare=(14,))
    assert rule_of(rest, "event 7") == "NR-13.07A"


def test_nr_13_14a_raw_officers():
    event = soviet_plays(14, "event 6", hand=(6,)).order("axis", "event 14")
    assert event.events(Cancelled)[0].cards == (6,)
    assert asked(event) == "organise soviet"  # no step is lost
    paid = soviet_plays(14, "discard 22 for upgrade NW", hand=(22,)).order("axis", "event 14")
    assert where(paid, "NW") == "2409"
    assert rule_of(soviet_plays(14, "event 33", hand=(33,), turn=14, spare=(31,)), "event 14") == "NR-5.12"
    assert rule_of(soviet_plays(14, "upgrade NW", hand=(33,), spare=(7,)), "event 14") == "NR-13.14A"  # no card


def test_nr_13_15s_hitler_contradicts_himself():
    event = axis_plays(15, "event 21 c30", hand=(21,), discards=(30,)).order("soviet", "event 15")
    assert event.state.hand(AXIS) == ()
    assert event.state.deck.discards == [30, 21, 15]
    paid = axis_plays(15, "discard 22 for return 9 Berlin", hand=(22,), units={**UNITS, "9": "Destroyed"})
    paid.order("soviet", "event 15")
    assert where(paid, "9") == "Destroyed"
    assert rule_of(table(UNITS, OpenMoved, soviet=(15, 41)), "event 15") == "NR-13.15S"  # nothing to answer


def test_nr_13_31a_stalin_interferes():
    event = soviet_plays(31, "event 6", hand=(6,)).order("axis", "event 31")
    assert asked(event) == "organise soviet"
    assert event.state.hand(AXIS) == (6,)
    assert event.state.deck.discards == [31]
    paid = soviet_plays(31, "discard 22 for upgrade NW", hand=(22,)).order("axis", "event 31")
    assert (where(paid, "NW"), paid.state.hand(AXIS)) == ("2409", (22,))
    back = soviet_plays(
        31, "discard 22 for return Cen Saratov", hand=(22,), units={**UNITS, "Cen": "Destroyed"}, spare=(7,)
    )  # fmt: skip
    assert rule_of(back, "event 31") == "NR-13.31A"


def test_nr_13_31s_bombers_over_germany():
    units = {**UNITS, "9": "Captured", "1Pz": ("0612", "-")}
    back = axis_plays(31, "discard 22 3 for return 9 Berlin", hand=(22, 3), units=units, turn=14)
    back.order("soviet", "event 31")
    assert where(back, "9") == "Captured"
    assert back.state.deck.discards == [22, 3, 31]  # both cards are lost
    last = axis_plays(31, "event 30", hand=(30,), units=units, turn=14, step=OpenDealt).order("soviet", "event 31")
    assert where(last, "9") == "Captured"
    other = axis_plays(31, "discard 22 3 for upgrade 1Pz", hand=(22, 3), units=units, turn=14, spare=(15,))
    assert rule_of(other, "event 31") == "NR-13.31S"
    early = axis_plays(31, "discard 22 3 for return 9 Berlin", hand=(22, 3), units=units, spare=(15,))
    assert rule_of(early, "event 31") == "NR-5.12"


def test_nr_13_36s_hitler_interferes():
    event = axis_plays(36, "event 21 c30", hand=(21,), discards=(30,)).order("soviet", "event 36")
    assert event.state.hand(SOVIET) == (21,)
    assert event.state.hand(AXIS) == ()
    assert event.state.deck.discards == [30, 36]
    assert rule_of(table(UNITS, OpenMoved, soviet=(36, 41)), "event 36") == "NR-13.36S"


def test_a_cancelled_card_is_cancelled_by_another():
    d = soviet_plays(14, "event 6", hand=(6, 15, 36), spare=(31,)).order("axis", "event 14")
    assert asked(d) == "answer soviet"
    d.order("soviet", "event 36")  # takes card 14
    assert asked(d) == "answer axis"
    d.order("axis", "pass")
    assert asked(d) == "loss axis"
    assert 14 in d.state.hand(SOVIET)


# Cards played by standing orders, sealed


def test_standing_orders_play_a_card_in_a_window():
    d = table(UNITS, March, side=SOVIET, axis=(18, 30))
    d.stand("axis", "phase_window", "then 18, pass", sealed=True)
    d.order("soviet", "done")
    assert 18 in d.state.deck.discards
    assert asked(d) == "manoeuvre axis"


def test_standing_orders_answer_what_they_know():
    """Card 14 for Partisans, nothing else."""
    for card, cancelled in ((6, True), (8, False)):
        d = table(UNITS, Organise, side=SOVIET, soviet=(card,), axis=(14, 30))
        d.stand("axis", "answer", "when card = 6 then 14; then pass", sealed=True)
        d.order("soviet", f"event {card}" if card == 6 else "event 8 =1")
        assert (14 in d.state.deck.discards) is cancelled


def test_standing_orders_in_a_battle():
    units = {"4": "2109", "NW": "2209", "Res": "2208"}
    for at_least, played in ((3, True), (4, False)):
        dice = {"t8/soviet/2109/crt": 4}
        d = table(units, March, side=SOVIET, axis=(4, 30), dice=dice)
        policy = f"when moment = 0 and mine = 0 and column >= {at_least} then 4, pass; then pass"
        d.stand("axis", "battle_window", policy, sealed=True)
        for kind in ("turn_window", "phase_window", "counterblows"):
            d.stand("axis", kind, "then pass")
        d.order("soviet", "done", "target 2109", "done", "attack 2109 with NW Res")
        assert fought(d).result == ("DR" if played else "EX")
        assert (4 in d.state.deck.discards) is played


def test_what_is_in_a_hand_does_not_show_in_what_is_asked():
    """Card 18 can be played after Movement, cards 1 and 30 cannot: the same is asked of whoever holds either."""
    for policy, sealed in (("then default", False), ("then ask", False), ("then pass", True)):
        found = []
        for hand in ((18, 30), (1, 30)):
            d = table(UNITS, March, side=SOVIET, axis=hand)
            d.stand("axis", "phase_window", policy, sealed=sealed)
            d.machine.answer({"soviet": Done()}, Out())
            found.append(d.machine.run(Out()))
        assert found[0] == found[1]
        assert (found[0].kind == "phase_window") == (policy != "then default")
        assert bool(found[0].committed) == sealed


def test_a_question_about_a_payment_says_for_which_unit_it_is():
    units = {**UNITS, "Cen": "Destroyed"}
    back = soviet_plays(7, "discard 22 for return Cen Saratov", hand=(22,), units=units)
    assert prompt_of(back).endswith(
        "was discarded to pay for the return of Cen to Saratov (2311). You may cancel that with an event, or `pass`."
    )
    paid = soviet_plays(7, "discard 22 for upgrade NW", hand=(22,))
    assert "was discarded to pay for the upgrade of NW. You may" in prompt_of(paid)


def test_an_opened_answer_is_the_usual_one_if_its_owner_has_given_no_other():
    for policy, how in (("then default", "default"), ("then pass", "standing"), ("then 7", "standing")):
        d = table(UNITS, Organise, side=SOVIET, soviet=(22,), axis=(7,))
        d.stand(AXIS, "answer", policy, sealed=True)
        d.order(SOVIET, "discard 22 for upgrade NW")
        assert [(event.seat, event.how) for event in d.events(Taken) if event.decision == "answer"] == [(AXIS, how)]
