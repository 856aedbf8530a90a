"""Bookkeeping of a deck, and windows."""

from __future__ import annotations

import pytest
from games.jackdaw import GAME as JACKDAW
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.need import Give, Show, Shuffle
from pbem.engine.testing import Chance, Driver, random_game
from pbem.kit.decks import Deck, slot_order
from pbem.kit.window import Poll
from pbem.protocol.plain import dump, load


def deck(cards: int = 6) -> Deck:
    made = Deck("pile")
    made.shuffled(made.first(range(cards)))
    return made


def test_drawing_names_slots_and_stops_at_the_end() -> None:
    d = deck(3)
    assert d.draw("a", 2) == (Give("pile/1/0", "a"), Give("pile/1/1", "a"))
    assert d.draw("b", 2, skip=2) == (Give("pile/1/2", "b"),)
    assert (d.left, d.hand("a")) == (3, ())  # asking changes nothing
    assert d.drew("a", 2) == ("pile/1/0", "pile/1/1")
    assert d.drew("b", 2) == ("pile/1/2",)
    assert d.left == 0


def test_a_reshuffle_takes_discards_thrown_cards_and_the_rest() -> None:
    d = deck()
    d.drew("a", 4)
    d.discard("a", "pile/1/1", 5)
    d.discard("a", "pile/1/0", 3)
    d.throw("a", "pile/1/3")
    request = d.reshuffle()
    assert request == Shuffle("pile", (3, 5), ("pile/1/3", "pile/1/4", "pile/1/5"))
    assert d.reshuffle(keep=[3]).cards == (5,)
    d.shuffled(request)
    assert (d.epoch, d.left, d.hand("a"), d.discards, d.thrown) == (2, 5, ("pile/1/2",), [], [])
    assert d.top(1) == ("pile/2/0",)


def test_slots_are_ordered_by_number_not_by_text() -> None:
    slots = ["pile/10/2", "pile/2/11", "pile/2/3"]
    assert sorted(slots, key=slot_order) == ["pile/2/3", "pile/2/11", "pile/10/2"]


def test_a_picked_card_lies_open_in_the_hand() -> None:
    d = deck()
    d.drew("a", 2)
    d.discard("a", "pile/1/0", 4)
    d.pick("a", 4)
    assert d.hand("a") == ("pile/1/1", 4)
    assert list(d.cards("a", {})) == [(4, 4)]
    assert list(d.cards("a", {"pile/1/1": 2})) == [(2, "pile/1/1"), (4, 4)]
    d.throw("a", 4)
    assert d.discards == [4]


def test_stealing() -> None:
    d = deck()
    d.drew("a", 1)
    d.pick("a", 9) if 9 in d.discards else d.discards.append(9)
    assert d.steal("pile/1/0", "b") == (Give("pile/1/0", "b"),)
    assert d.steal(9, "b") == ()
    d.stolen("a", "pile/1/0", "b")
    assert (d.hand("a"), d.hand("b")) == ((), ("pile/1/0",))


def test_turning_up() -> None:
    d = deck()
    assert d.turn_up(2) == (Show("pile/1/0"), Show("pile/1/1"))
    d.turned_up([3, 1])
    assert (d.left, d.discards) == (4, [3, 1])


def test_a_card_can_leave_the_game() -> None:
    d = deck()
    d.drew("a", 1)
    d.remove("a", "pile/1/0", 2)
    assert (d.hand("a"), d.removed) == ((), [2])


@given(st.lists(st.integers(0, 5), max_size=30))
def test_no_card_is_lost(moves: list[int]) -> None:
    d = deck(10)
    values = {f"pile/1/{place}": place for place in range(10)}
    for move in moves:
        hand = d.hand("a")
        held = hand[0] if hand else None
        card = None if held is None else d.card(held, values)
        if move == 0:
            d.drew("a", 1)
        elif move == 1 and held is not None and card is not None:
            d.discard("a", held, card)
        elif move == 2 and held is not None:
            d.throw("a", held)
        elif move == 3 and d.discards:
            d.pick("a", d.discards[-1])
        elif move == 4 and held is not None:
            d.stolen("a", held, "b")
        elif move == 5:
            request = d.reshuffle()
            cards = [*request.cards, *(values[slot] for slot in request.back)]
            d.shuffled(request)
            values.update({f"pile/{d.epoch}/{place}": card for place, card in enumerate(cards)})
        cards_now = [d.card(held, values) for seat in ("a", "b") for held in d.hand(seat)]
        cards_now += [*d.discards, *(values[slot] for slot in (*d.thrown, *d.top(d.left)))]
        assert sorted(card for card in cards_now if card is not None) == list(range(10))
        assert load(Deck, dump(d)) == d


def test_a_driver_knows_which_cards_everybody_has_seen() -> None:
    """Of those that go back face down, some were stolen before: they go in as open cards, each once."""
    seen = []

    class Watching(Driver):  # type: ignore[type-arg]
        def returned(self, request: Shuffle) -> list[int]:
            seen.extend(slot for slot in request.back if slot in self.public)
            return super().returned(request)

    for seed in range(20):
        driver = Watching(JACKDAW, chance=Chance(str(seed)))
        while driver.asked:
            seat = driver.asked[0]
            legal = driver.legal(seat)
            driver.give(seat, legal[driver.chance.below(len(legal))])
    assert seen
    slot = driver.state.deck.top(1)[0]
    card = driver.cards[slot]
    driver.public.add(slot)
    with pytest.raises(AssertionError, match="twice"):
        driver.returned(Shuffle("nest", (card,), (slot,)))


def test_a_driver_refuses_a_card_that_has_gone_back_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deck, "throw", lambda deck, _, held: deck.thrown.append(held))  # it stays in the hand as well
    with pytest.raises(AssertionError, match="not of it any more"):
        random_game(JACKDAW, "kept")


def test_a_poll_ends_when_all_in_a_row_have_passed() -> None:
    poll = Poll(("a", "b"))
    poll.passed()
    assert poll.seat == "b"
    poll.interrupted()
    assert (poll.seat, poll.done) == ("a", ["b"])
    poll.passed()
    assert poll.seat == "b"
    poll.passed()
    assert poll.seat is None


def test_a_poll_for_one_interruption_closes() -> None:
    poll = Poll(("a", "b"), once=True)
    poll.interrupted()
    assert poll.seat is None
