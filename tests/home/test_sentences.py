"""The sentence beside each order of a list, which names the card that its text only codes."""

from copy import deepcopy

import pytest
from desks import desk_at

from pbem.engine.registry import find
from pbem.home import acts, offers, orders, sending
from pbem.protocol.errors import Refusal
from tests.bounded import attempts


def listed(desk, name, prefix=""):
    return {text: said for group in orders.move(desk, name).grouped(prefix) for text, said in group.orders}


def played_until(verb, desk, **terms):
    """Bots play games until a card may be played: the name of the game, and the list with what stands beside each."""
    for _ in range(10):
        name = begun(desk, **terms)
        for _ in attempts(400, "the game is not over"):
            if not orders.move(desk, name).asked():
                break
            found = listed(desk, name)
            if any(text.startswith(verb) for text in found):
                return name, found
            orders.bot(desk, name, "random")
            sending.send(desk, name)
    raise AssertionError(f"nobody may {verb} a card")


def alice_at(tmp_path):
    desk = desk_at(tmp_path, "alice")
    desk.new_identity("Alice Kern", "alice@example.org", "")
    return desk


def begun(desk, **terms):
    name, _ = offers.offer(desk, "bridgehead", seats={"blue": "me", "red": "me"}, mode="open", **terms)
    return name


def alone(tmp_path):
    desk = alice_at(tmp_path)
    return desk, begun(desk)


def test_a_cards_title_stands_beside_its_code(tmp_path):
    desk = alice_at(tmp_path)
    name, found = played_until("play ", desk)
    assert sorted(found) == sorted(orders.move(desk, name).legal())
    kinds = {kind["key"]: kind["name"] for kind in find("bridgehead").data["cards"]["cards"]}
    plays = {text: said for text, said in found.items() if text.startswith("play ")}
    assert plays
    for text, said in plays.items():
        assert said.startswith(f"Play {kinds[text.split(' ')[1].rstrip('0123456789')]}")
    assert all(said.endswith(".") for said in found.values())
    assert listed(desk, name, "PLAY") == plays


def test_the_title_is_that_of_the_players_own_cards(tmp_path):
    cards = deepcopy(find("bridgehead").data["cards"])
    for kind in cards["cards"]:
        kind["name"] = f"My {kind['key']}"
    _, found = played_until("play ", alice_at(tmp_path), replaced={"cards": cards})
    for text, said in found.items():
        if text.startswith("play "):
            assert said.startswith(f"Play My {text.split(' ')[1].rstrip('0123456789')}")


def test_a_card_that_is_thrown_away_is_named(tmp_path):
    _, found = played_until("rally ", alice_at(tmp_path))
    names = {f"Throw {kind['name']} away, and" for kind in find("bridgehead").data["cards"]["cards"]}
    assert {said.partition(" and")[0] + " and" for text, said in found.items() if text.startswith("rally ")} <= names


def test_nothing_is_listed_for_a_player_who_is_not_asked(tmp_path):
    desk, name = alone(tmp_path)
    acts.resign(desk, name)
    assert orders.move(desk, name).grouped() == []


def test_a_line_of_several_orders_says_which_one_is_refused(tmp_path):
    desk = alice_at(tmp_path)
    seats = dict.fromkeys(("ussr", "germany", "uk", "japan", "usa"), "me")
    name, _ = offers.offer(desk, "axis1941", seats=seats, mode="open")
    with pytest.raises(Refusal) as caught:
        orders.order(desk, name, ["buy 4 infantry"])
    assert caught.value.sentence == (
        "Not legal (AA-4.2): An infantry costs 3 IPC and you have 1. Of the 4 orders in this line, 2 x `buy infantry` "
        "would be legal; none was given."
    )
    assert orders.move(desk, name).drafted().orders == []
    attack = "move 3 inf karelia > eastern europe"
    with pytest.raises(
        Refusal, match=r"What comes next depends on dice.* Of the 6 orders in this line, 2 x `done` and 3 x"
    ) as caught:
        orders.order(desk, name, [f"done; {attack}; done; home"])
    assert caught.value.code == "E-PLAN"
    assert orders.move(desk, name).drafted().orders == []
    with pytest.raises(Refusal, match=r"you have 7\. \[E-ORDER\]$"):
        orders.order(desk, name, ["buy battleship"])


def test_a_line_is_completed_by_verb_then_by_unit_then_to_its_end(tmp_path):
    desk, name = alone(tmp_path)
    for _ in range(4):
        if "v:done" in orders.move(desk, name).first():
            break
        orders.bot(desk, name)
        sending.send(desk, name)
    move = next(text for text in orders.move(desk, name).legal() if text.startswith("move "))
    unit = move.split(" ")[1]
    assert "move " in list(orders.move(desk, name).completions("m"))
    assert "done" in list(orders.move(desk, name).completions("d"))
    assert f"move {unit} " in list(orders.move(desk, name).completions("move "))
    assert all(text.count(" ") == 2 for text in orders.move(desk, name).completions("move "))
    assert move in list(orders.move(desk, name).completions(f"move {unit} "))
    assert list(orders.move(desk, name).completions(f"move {unit} ")) == list(
        orders.move(desk, name).legal(f"move {unit} ")
    )
    assert list(orders.move(desk, name).completions("fly")) == []
