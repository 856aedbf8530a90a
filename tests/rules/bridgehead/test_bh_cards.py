"""BH-8: the deck, the hands, what may be played when, and every card."""

from __future__ import annotations

from collections import Counter

import pytest
from bridgehead_positions import (
    CHART,
    CODES,
    RESERVE,
    assert_exact,
    attack,
    cards_named,
    reaches,
    rule_of,
    table,
    where,
)

from pbem.engine.testing import Chance, Driver
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.attacks import Declare, odds
from pbem_rules.bridgehead.cards import Refill
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.orders import NO_TARGET, Play
from pbem_rules.bridgehead.window import React

LINE = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
WOODS = {"B6": "0303", "B7": "0303", "R1": "0403"}
FIGHT = "attack 0304 from 0303"


def battle(die=None, orders=FIGHT, units=None, **kept):
    return attack(units or LINE, orders, die, **kept)


def test_bh_8_1_deck_and_what_is_seen():
    copies = Counter(kind.key for kind in CHART.cards.cards)
    assert sum(copies.values()) == 16
    assert copies == Counter(barrage=3, march=2, patrol=1, mud=2, ambush=2, fallback=2, standfast=1, countermand=3)
    driver = table(LINE, blue=["mud", "march"], red=["ambush"])
    text = game.board(driver.view("blue"))
    assert "Red holds 1 card." in text
    assert "mud" in text
    assert "ambush" not in text.lower()


def test_bh_8_2_draw_one_up_to_five():
    for held, after in ((0, 1), (4, 5), (5, 5)):
        hand = ["mud", "mud", "ambush", "march", "barrage"][:held]
        driver = table(LINE, step=Refill, blue=hand)
        assert len(driver.state.hand("blue")) == after
        assert [event.count for event in driver.events(e.Drew)] == [1] * (after - held)
    resting = {"blue": "rest"}
    assert len(table(LINE, step=Refill, blue=["mud"] * 2 + ["march"] * 2, postures=resting).state.hand("blue")) == 5


def test_bh_8_3_reshuffle_at_dawn():
    driver = Driver(game, chance=Chance("3")).order("blue", "reserve 0104").order("red", "reserve 0901")
    driver.order("blue", "posture rest").order("red", "posture hold")
    while driver.state.turn < 4:
        driver.order(driver.asked[0], "done")
    # Three turns of rest and hold have drawn three cards at least; hands stay, the rest is a new deck.
    assert driver.state.deck.epoch == 2
    hands = driver.state.hand("blue") + driver.state.hand("red")
    assert len(hands) + driver.state.deck.size == 16
    assert all(slot.startswith("events/1/") for slot in hands)
    everything = sorted(driver.cards[slot] for slot in (*hands, *driver.state.deck.top(16)))
    assert everything == list(range(16))


def test_bh_8_3_reshuffle_when_the_deck_runs_out():
    used = {"played": cards_named("mud", "mud"), "thrown": 1}
    driver = table(LINE, step=Refill, turn=3, left=0, **used)
    assert driver.state.deck.epoch == 2
    assert driver.state.deck.size == 3
    assert driver.state.hand("blue") == ("events/2/0",)
    driver = table(LINE, step=Refill, turn=3, left=1, **used)
    assert driver.state.deck.epoch == 1
    assert len(driver.state.hand("blue")) == 1


def test_bh_8_4_when_and_from_whose_hand():
    driver = table(LINE, blue=["mud", "countermand", "march"], red=["barrage"])
    assert rule_of(driver, "play mud") == "BH-8.4"
    assert rule_of(driver, "play countermand") == "BH-8.4"
    assert rule_of(driver, "play march B1") == ""
    red_slot = driver.state.hand("red")[0]
    number = int(red_slot.rsplit("/", 1)[1]) + 100
    stolen = Play(cards_named("barrage")[0], number, 304)
    assert driver.machine.check("blue", stolen, {red_slot: stolen.card}).rule == "BH-8.4"
    slot = driver.state.hand("blue")[0]
    false = Play(cards_named("barrage")[0], 100, 304)
    assert driver.machine.check("blue", false, driver.own("blue")).rule == "BH-8.4"
    assert driver.machine.check("blue", false, {}) is not None  # not opened
    assert slot == "events/1/0"
    window = battle(red=["barrage", "mud", "countermand"])
    assert rule_of(window, "play barrage") == "BH-8.4"
    assert rule_of(window, "play countermand") == "BH-8.4"
    window.chance.rolls["t2/blue/0304/crt"] = (3,)
    window.order("red", "play mud")
    assert window.state.deck.discards == cards_named("mud")
    assert len(window.state.hand("red")) >= 2


def test_bh_8_4_what_can_be_played_while_moving():
    units = {"B1": "0203", "B2": "0204", "B3": "0204", "R1": "0404", "R2": "0405", "R11": RESERVE}
    half = {"moved": 1 << CODES["B2"], "marched": 1 << CODES["B3"]}
    hand = ["barrage", "march", "patrol", "mud", "countermand"]
    driver = table(units, blue=hand, red=["ambush"], barrages=[404], frame=Half("blue", **half))
    plays = [text for text in assert_exact(driver) if text.startswith("play")]
    assert plays == ["play barrage1 0405 #100", "play march1 B1 #101", "play patrol1 - #102"]
    # Who does not know the cards cannot play them; nor is there a card of any other number.
    assert not any(isinstance(order, Play) for order in driver.machine.legal("blue", {}))
    assert driver.machine.check("blue", Play(16, 100, 405), driver.own("blue")).rule == "BH-8.4"
    # What was given but is not in this hand is not played either, whatever it is aimed at.
    red_card = cards_named("ambush")[0]
    assert driver.machine.check("blue", Play(red_card, 105, 405), {"events/1/5": red_card}).rule == "BH-8.4"
    driver.order("blue", "play march B1")
    assert [CHART.cards[card].key for card in driver.state.deck.discards] == ["march"]
    assert len(driver.state.hand("blue")) == 4


def test_bh_8_4_what_can_be_played_in_a_window():
    hand = ["mud", "ambush", "fallback", "standfast", "countermand"]
    driver = battle(red=hand)
    assert assert_exact(driver) == ["pass", "play fallback1 - #102", "play mud1 - #100", "play standfast1 - #103"]
    woods = attack(WOODS, "attack 0403 from 0303", red=hand)
    assert "play ambush1 - #101" in assert_exact(woods)
    number = cards_named("mud")[0]
    assert driver.check("red", Play(number, 100, 304)).rule == "BH-8.4"  # it has no target
    assert driver.check("red", Play(number, 100, NO_TARGET)) is None
    answer = battle(blue=["countermand", "mud"], red=hand).order("red", "play mud")
    assert assert_exact(answer) == ["pass", "play countermand1 - #100"]


def test_bh_8_5_standing_orders():
    driver = table(LINE, "blue", Declare, red=["mud", "mud", "ambush"], dice={"t2/blue/0304/crt": 1})
    driver.stand("red", "react", "when hex = 304 and steps = 4 and town = 0 then mud; then pass", sealed=True)
    driver.order("blue", FIGHT, "done")
    assert [event.card for event in driver.events(e.Played)] == ["Mud"]
    step = React()
    assert [name for name in ("pass", "mud", "airship") if step.is_answer(driver.state, name)] == ["pass", "mud"]


def test_bh_8_5_the_window():
    # Card, Countermand, Countermand, pass: the card stands.
    hands = {"blue": ["countermand", "march"], "red": ["mud", "countermand", "march"]}
    driver = battle(5, **hands)
    driver.order("red", "play mud")
    assert driver.asked == ("blue",)
    assert rule_of(driver, "play march B1") == "BH-8.4"
    driver.order("blue", "play countermand")
    assert driver.asked == ("red",)
    driver.order("red", "play countermand")
    assert driver.asked == ("blue",)
    driver.order("blue", "pass")
    (fought,) = driver.events(e.Fought)
    assert "mud -1" in fought.shifts
    # Only one reaction card in a battle.
    driver = battle(5, blue=["march"], red=["mud", "ambush"]).order("red", "play mud").order("blue", "pass")
    assert driver.events(e.Fought)
    # Who holds nothing is not asked to answer.
    driver = battle(5, red=["mud"]).order("red", "play mud")
    assert driver.events(e.Fought)


def test_bh_8_5_odds_of_the_battle_stand_beside_the_question():
    """Without a card and with each that can be played here, once; then with what a Countermand would undo."""
    hand = ["mud", "mud", "ambush", "fallback", "standfast", "countermand"]
    driver = battle(blue=["countermand", "march"], red=hand)

    def told(seat, text=""):
        return game.odds(driver.view(seat), text).text.splitlines()

    who, now, *cards = told("red")
    assert who == "B1 4-4-3, B2 4-4-3 against R1 3-4-3, R2 3-4-3 in 0304."
    assert now.startswith(f"As it stands: {told('red', '0304')[0].partition('.')[0]}. ")
    assert [line.partition(":")[0] for line in cards] == ["With Mud", "With Fall back", "With Stand fast"]
    assert "mud -1 (BH-8.9): column 1:2. " in cards[0]
    assert cards[1] == (
        "With Fall back: no die is rolled; the defender retreats, and a unit that cannot go loses a step (BH-8.11)."
    )
    assert "nothing happens" in cards[2] or "the defender loses" in cards[2]
    assert "or stands" in now
    assert "or stands" not in cards[2]
    assert cards[2].endswith("; whatever the result, no unit retreats (BH-8.12).")
    assert [line.partition(":")[0] for line in told("blue")[1:]] == ["As it stands"]  # whose cards blue does not see
    driver.order("red", "play mud")
    assert told("blue") == [who, cards[0], now.replace("As it stands", "If Mud is countermanded")]
    driver.order("blue", "play countermand")
    assert told("red") == [who, now.replace("As it stands", "If Mud is countermanded"), cards[0]]


def test_bh_8_6_barrage():
    driver = table(LINE, blue=["barrage", "barrage", "mud"], dice={"t2/blue/0304/crt": 1})
    assert rule_of(driver, "play barrage 0305") == "BH-8.6"
    behind = table({**LINE, "R11": RESERVE}, blue=["barrage"])
    assert behind.check("blue", Play(cards_named("barrage")[0], 100, 9002)).rule == "BH-8.6"  # not in a hex
    assert [text for text in assert_exact(behind) if "barrage" in text] == ["play barrage1 0304 #100"]
    driver.order("blue", "play barrage 0304")
    assert rule_of(driver, "play barrage 0304") == "BH-8.6"
    driver.order("blue", "done", FIGHT, "done")
    (fought,) = driver.events(e.Fought)
    assert (fought.shifts, fought.column) == (("barrage +1",), "2:1")
    # Gone with the half-turn.
    assert driver.state.barrages == ()


def test_bh_8_7_forced_march():
    driver = table({"B1": "0203", "B2": "0204", "R1": "0907"}, blue=["march", "march"])
    assert "0207" not in reaches(driver, "B1")
    driver.order("blue", "play march B1")
    assert "0207" in reaches(driver, "B1")
    assert rule_of(driver, "play march B1") == "BH-8.7"
    driver.order("blue", "move B2 0205")
    assert rule_of(driver, "play march B2") == "BH-8.7"  # has moved
    assert rule_of(driver, "play march R1") == "BH-8.7"


def test_bh_8_8_night_patrol():
    driver = table(LINE, blue=["patrol"], red=["mud", "ambush", "march"], dice={"t2/blue/patrol": 2})
    stolen = driver.state.hand("red")[1]
    driver.order("blue", "play patrol")
    assert driver.state.hand("blue") == (stolen,)
    assert len(driver.state.hand("red")) == 2
    assert CHART.cards[driver.own("blue")[stolen]].key == "ambush"
    assert driver.machine.decision.name == "march"
    # Of two cards the die takes one.
    driver = table(LINE, blue=["patrol"], red=["mud", "ambush"], dice={"t2/blue/patrol": 2})
    driver.order("blue", "play patrol")
    assert CHART.cards[driver.own("blue")[driver.state.hand("blue")[0]]].key == "ambush"
    # The only card needs no die; of an empty hand nothing can be taken.
    driver = table(LINE, blue=["patrol"], red=["mud"]).order("blue", "play patrol")
    assert driver.state.hand("red") == ()
    assert rule_of(table(LINE, blue=["patrol"]), "play patrol") == "BH-8.8"
    full = table(LINE, blue=["patrol", "mud", "mud", "march", "march"], red=["ambush"])
    assert rule_of(full, "play patrol") == ""  # Night patrol itself makes room
    assert not any("patrol" in text for text in assert_exact(table(LINE, blue=["patrol"])))
    assert rule_of(full, "play patrol 0304") == "BH-8.8"


def test_bh_8_9_mud():
    driver = battle(1, red=["mud"]).order("red", "play mud")
    (fought,) = driver.events(e.Fought)
    assert (fought.column, fought.result) == ("1:2", "A2")


def test_bh_8_10_ambush():
    driver = attack(WOODS, "attack 0403 from 0303", 1, red=["ambush"]).order("red", "play ambush")
    (fought,) = driver.events(e.Fought)
    assert (fought.shifts, fought.column) == (("woods -1", "ambush -2"), "1:2")
    assert rule_of(battle(red=["ambush"]), "play ambush") == "BH-8.10"


def test_bh_8_11_fall_back():
    driver = battle(red=["fallback"]).order("red", "play fallback")
    assert rule_of(driver, "stand") == "BH-7.5"
    driver.order("red", "retreat R1 0404", "retreat R2 0404")
    assert driver.machine.decision.name == "advance"
    driver.order("blue", "advance B1 0304", "halt")
    assert where(driver, "B1") == "0304/2"
    assert not driver.events(e.Fought)
    shut = {**LINE, "B3": "0203", "B4": "0404", "B5": "0305"}
    assert rule_of(battle(units=shut, red=["fallback"]), "play fallback") == "BH-8.11"
    assert rule_of(battle(units=shut, red=["mud"]), "play mud") == ""


def test_bh_8_11_one_that_can_go_is_enough():
    # R1 is shut in; R10, sappers, goes through the river.
    bank = {"B1": "0504", "B2": "0506", "B3": "0604", "B4": "0605", "R1": "0505", "R10": "0505"}
    driver = attack(bank, "attack 0505 from 0506 0605", red=["fallback"]).order("red", "play fallback")
    assert (where(driver, "R10"), where(driver, "R1")) == ("0405/2", "0505/1")
    assert not driver.events(e.Fought)
    assert driver.machine.decision.name == "march"


def test_bh_8_12_stand_fast():
    driver = battle(5, red=["standfast"]).order("red", "play standfast")
    assert "Red stands fast at 0304: because of that card no unit retreats." in game.tell(driver.happened)
    assert [event.result for event in driver.events(e.Fought)] == ["DR"]
    assert (where(driver, "R1"), where(driver, "R2")) == ("0304/2", "0304/2")
    assert driver.machine.decision.name not in ("retreat", "advance")


def test_bh_8_13_countermand():
    driver = battle(1, blue=["countermand"], red=["mud", "march"]).order("red", "play mud")
    driver.order("blue", "play countermand")
    driver.order("red", "pass")
    (fought,) = driver.events(e.Fought)
    assert (fought.shifts, fought.column) == ((), "1:1")
    assert [CHART.cards[card].key for card in driver.state.deck.discards] == ["mud", "countermand"]
    cancelled = battle(5, blue=["countermand"], red=["fallback", "march"]).order("red", "play fallback")
    cancelled.order("blue", "play countermand").order("red", "pass")
    assert where(cancelled, "R1") == "0304/2"
    assert cancelled.events(e.Fought)


@pytest.mark.parametrize("key", sorted(CHART.cards.kinds))
def test_every_card_names_its_rule(key):
    kind = CHART.cards.kinds[key]
    assert kind.rule.startswith("BH-8.")
    assert kind.play in ("orders", "reaction", "answer")
    assert odds(table(WOODS).state, 403, [CODES["B6"]], card="" if kind.play != "reaction" else key).attack == 6
