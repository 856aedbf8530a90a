"""One player holds the seats of several sides: each looks into its own hand only."""

import pytest
from desks import desk_at
from games.squads import Hide, game, peeping

from pbem.home import HomeError, offers, orders, seen, sending
from pbem.protocol.errors import Refusal


@pytest.fixture
def desk(tmp_path):
    peeping.seen.clear()
    found = desk_at(tmp_path, "alice", find_game=lambda name: game)
    found.new_identity("Alice Kern", "alice@example.org", "")
    return found


def alone(desk):
    return offers.offer(desk, "squads", seats={"north": "me", "south": "me"}, mode="open")[0]


def hands(text):
    """Which hands of the board are shown, and the squads."""
    shown = [side for side in ("north", "south") if f"'{side}': [None, None]" not in text]
    return shown, text.rpartition("{")[2]


def test_the_board_shows_the_hand_of_the_side_that_orders(desk):
    name = alone(desk)
    assert hands(seen.board(desk, name)) == (["north"], "}")
    orders.order(desk, name, ["hide 2"])  # drafted, and shown to its owner
    assert hands(seen.board(desk, name)) == (["north"], f"'north': {Hide(2)!r}}}")
    orders.order(desk, name, ["march"])
    assert hands(seen.board(desk, name)) == (["south"], "'north': None}")
    orders.order(desk, name, ["hide 3"])
    assert hands(seen.board(desk, name)) == (["south"], f"'north': None, 'south': {Hide(3)!r}}}")
    sending.send(desk, name)
    assert hands(seen.board(desk, name)) == (["south"], f"'north': None, 'south': {Hide(3)!r}}}")
    view = seen.seen(desk, name).view
    assert (view.seats, hands(game.board(view))[0]) == (("south",), ["south"])
    view = seen.seen(desk, name, seats=("north",)).view
    assert hands(game.board(view)) == (["north"], f"'north': {Hide(2)!r}, 'south': None}}")
    assert hands(seen.board(desk, name, public=True))[0] == []


def test_a_bot_sees_the_hand_of_its_seat(desk):
    name = alone(desk)
    orders.bot(desk, name, "peeping")
    sending.send(desk, name)
    cards = {}
    for seat, known in peeping.seen:
        cards.setdefault(seat, set()).update(slot for slot in known if slot.startswith("cards/"))
        assert all(slot.split("/")[1] == seat for slot in known if slot.startswith("hiding/"))
    assert {seat: len(slots) for seat, slots in cards.items()} == {"north": 2, "south": 2}
    assert not cards["north"] & cards["south"]


def test_what_the_draft_hides_binds_its_later_orders(desk):
    name = alone(desk)
    orders.order(desk, name, ["hide 3"])
    assert list(orders.move(desk, name).legal()) == ["march"]  # nor can the record open what it seals
    with pytest.raises(Refusal, match="third place may not rest"):
        orders.order(desk, name, ["rest"])
    with pytest.raises((Refusal, HomeError), match="You do not hold hiding/north/1"):
        orders.order(desk, name, ["strike"])
    orders.order(desk, name, ["march"])
    orders.order(desk, name, ["hide 1"])
    sending.send(desk, name)
    orders.order(desk, name, ["strike"])  # sealed by an earlier record, it can be shown
