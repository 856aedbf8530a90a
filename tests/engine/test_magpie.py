"""Cards: cancels nested three deep, a pick from the discards, a random steal, a forced draw, reshuffles."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.need import Orders
from pbem.engine.testing import Driver, IllegalOrderError, ScriptedChance, check_golden, check_perft, random_game
from pbem.kit.decks import Card, Pass
from tests.engine.games.magpie import GAME, Effect, Table

HERE = Path(__file__).parent


def dealt(*first: int, rolls: dict[str, int] | None = None, epochs: tuple[tuple[int, ...], ...] = ()) -> Driver[Table]:
    return Driver(GAME, chance=ScriptedChance(rolls or {}, {"pie": (first, *epochs)}))


def play(driver: Driver[Table], seat: str, card: int) -> None:
    """Play a card by its number, from wherever it lies in the hand."""
    driver.give(seat, next(order for order in driver.legal(seat) if isinstance(order, Card) and order.number == card))


def effects(driver: Driver[Table]) -> list[tuple[int, bool]]:
    return [(event.card, event.cancelled) for event in driver.events(Effect) if isinstance(event, Effect)]


def test_cancels_nest_three_deep() -> None:
    # left draws 2 and 1, right 5 and 9, left 13 and 3, right 6 and 10
    driver = dealt(2, 1, 5, 9, 13, 4, 6, 10)
    driver.order("left", "pass").order("right", "pass")
    play(driver, "left", 4)  # a coin
    play(driver, "right", 5)  # cancelled
    play(driver, "left", 1)  # no, it is not
    play(driver, "right", 9)  # yes, it is
    assert driver.asked == ("left",)
    assert len(driver.machine.dump()["stack"]) == 5  # type: ignore[arg-type]
    driver.order("left", "pass")
    assert effects(driver) == [(9, False), (1, True), (5, False), (4, True)]
    assert driver.state.coins == {"left": 0, "right": 0}
    assert driver.state.deck.discards == [4, 5, 1, 9]


def test_a_cancelled_cancel_lets_the_card_through() -> None:
    driver = dealt(2, 1, 5, 9, 13, 4, 6, 10)
    driver.order("left", "pass").order("right", "pass")
    play(driver, "left", 4)
    play(driver, "right", 5)
    play(driver, "left", 1)
    driver.order("right", "pass")
    assert effects(driver) == [(1, False), (5, True), (4, False)]
    assert driver.state.coins["left"] == 1


def test_only_cards_held_can_be_played_and_only_cancels_answer() -> None:
    driver = dealt(2, 1, 5, 9)
    for text, reason in (("play 5 pie/1/0", "left does not hold card 5"), ("play 2 -", "left does not hold card 2")):
        with pytest.raises(IllegalOrderError, match=reason):
            driver.order("left", text)
    assert driver.machine.opens("left", Card(2, "pie/1/0")) == ("pie/1/0",)
    assert str(driver.machine.check("left", Card(2, "pie/1/0"))) == "pie/1/0 must be opened with this order"
    driver.order("left", "pass")
    play(driver, "right", 5)
    with pytest.raises(IllegalOrderError, match="Only a cancel answers a card"):
        driver.order("left", "play 2 pie/1/0")


def test_a_magpie_steals_a_random_card() -> None:
    """The thief learns it; where two players shuffle, everybody does (HID-16)."""
    driver = dealt(0, 1, 2, 7, rolls={"t2/steal": 2})
    driver.order("left", "pass")
    play(driver, "right", 2)
    driver.order("left", "pass")
    assert driver.state.deck.hand("right") == ("pie/1/3", "pie/1/1")
    assert driver.own("right")["pie/1/1"] == 1
    driver.order("left", "pass")
    assert driver.legal("right")[1:] == [Card(7, "pie/1/3"), Card(1, "pie/1/1"), *driver.legal("right")[3:]]


def test_a_scavenger_picks_openly_from_the_discards() -> None:
    driver = dealt(0, 4, 3, 8)
    play(driver, "left", 0)  # right has no cards yet, and must draw the 3
    play(driver, "right", 3)
    driver.order("left", "pass")
    # of the two discards one is the scavenger itself: the other is forced
    assert driver.state.deck.hand("right")[-1] == 0
    assert driver.state.deck.discards == [3]
    while driver.asked != ("right",):
        driver.give(driver.asked[0], Pass())
    driver.order("right", "play 0 -")
    assert driver.state.deck.discards == [3, 0]


def test_a_coin_forces_the_other_to_draw_if_there_is_room() -> None:
    driver = dealt(0, 4, 3, 8)
    driver.order("left", "pass")
    assert len(driver.state.deck.hand("right")) == 2
    driver.order("right", "pass")
    play(driver, "left", 0)
    driver.order("right", "pass")
    assert len(driver.state.deck.hand("right")) == 4  # one forced, then one of its own two
    play(driver, "right", 8)
    driver.order("left", "pass")
    assert len(driver.state.deck.hand("left")) == 4


def test_a_reshuffle_takes_back_unopened_cards_and_leaves_hands() -> None:
    driver = dealt(*range(16))
    shuffles = 0
    while shuffles < 2:
        hands = {seat: driver.state.deck.hand(seat) for seat in ("left", "right")}
        seat = driver.asked[0]
        cards = [order for order in driver.legal(seat) if isinstance(order, Card) and order.number % 4 != 2]
        driver.give(seat, cards[0] if cards and driver.machine.decision.name == "act" else Pass())
        shuffles = sum(line.what == "shuffle" for line in driver.lines)
    deck = driver.state.deck
    assert deck.epoch == 2
    assert any(slot.startswith("pie/1/") for hand in deck.hands.values() for slot in hand if isinstance(slot, str))
    assert all(any(held in hands[seat] for held in deck.hand(seat)) for seat in hands)
    held = [driver.own(seat)[slot] for seat, hand in deck.hands.items() for slot in hand if isinstance(slot, str)]
    open_cards = [held for hand in deck.hands.values() for held in hand if isinstance(held, int)]
    rest = [driver.cards[slot] for slot in deck.top(deck.left)]
    assert sorted([*held, *open_cards, *rest, *deck.discards]) == list(range(16))


def test_windows_can_be_answered_by_standing_orders() -> None:
    driver = dealt(0, 4, 1, 8, 12, 3, 6, 7)
    driver.order("left", "pass").order("right", "pass")
    driver.stand("right", "cancel", "then pass")
    play(driver, "left", 0)
    assert driver.state.coins["left"] == 1
    driver.stand("left", "cancel", "then 13, 9, 5, pass", sealed=True)
    play(driver, "right", 8)
    assert driver.state.coins["right"] == 1  # left has no cancel: its program passed
    assert any(line.what == "sealed" and line.text == "left: pass" for line in driver.lines)


def test_sealed_standing_orders_play_a_card() -> None:
    driver = dealt(0, 4, 5, 8)
    driver.order("left", "pass").order("right", "pass")
    driver.stand("right", "cancel", "then 13, 5, pass", sealed=True)
    play(driver, "left", 0)
    assert driver.asked == ("left",)  # to cancel the cancel
    assert driver.state.deck.discards == [0, 5]


def test_public_standing_orders_never_play_from_the_hand() -> None:
    driver = dealt(0, 4, 5, 8)
    driver.order("left", "pass").order("right", "pass")
    driver.stand("right", "cancel", "then 5")
    play(driver, "left", 0)
    need = driver.need
    assert isinstance(need, Orders)
    assert (need.kind, need.seats, need.window) == ("cancel", ("right",), True)
    assert driver.machine.passing("right") == Pass()


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_the_contract(seed: int, tmp_path: Path) -> None:
    def no_card_twice(s: Table) -> None:
        held = [held for hand in s.deck.hands.values() for held in hand]
        assert len(set(held)) == len(held)
        assert len(held) + len(s.deck.discards) + s.deck.left == 16

    driver = random_game(GAME, f"magpie-{seed}", complete=True, invariants=(no_card_twice,), crashes=tmp_path)
    assert driver.machine.over is not None


def test_golden_play_through() -> None:
    check_golden(HERE / "golden" / "magpie.txt", random_game(GAME, "golden"))


def test_order_trees() -> None:
    check_perft(HERE / "golden" / "magpie-perft.json", GAME)
