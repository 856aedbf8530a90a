"""Orders, boards and odds as text; what a view may show."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, reaches, table

from pbem.engine.definition import Reckoning
from pbem.engine.event import Event, Taken
from pbem.engine.notation import NotationError
from pbem.engine.testing import Chance, Driver, random_game
from pbem.engine.view import View
from pbem_rules.bridgehead import events, game
from pbem_rules.bridgehead.attacks import Declare
from pbem_rules.bridgehead.looking import USAGE
from pbem_rules.bridgehead.orders import Attack, Choose, Move, Play, Posture, Rally

UNITS = {"B1": ("0303", 1), "B2": "0302", "R1": "0503", "R2": "0304"}


def read(driver, text):
    return game.notation.parse(text, driver.context(driver.asked[0]))


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Move(2, 405), "move B3 0405"),
        (Attack(506, (405, 406)), "attack 0506 from 0405,0406"),
        (Play(7, 103, -1), "play mud2 - #103"),
        (Play(0, 112, 506), "play barrage1 0506 #112"),
        (Play(4, 112, 2), "play march2 B3 #112"),
        (Rally(2, 103), "rally B3 #103"),
        (Choose(Posture.HOLD), "posture hold"),
    ],
)
def test_texts_and_forms_read_back(order, text):
    assert game.notation.write(order) == text
    assert game.notation.read(text) == order
    assert game.orders.read(game.orders.write(order)) == order


def test_odds_name_a_hex_that_takes_no_part():
    driver = table(UNITS)

    def told(text):
        return text_of(game.odds(driver.view("blue"), text))

    assert told("0304 from 0303 0203") == "Blue has no unit in 0203 (BH-6.1)."
    assert told("0304 from 0302 0303") == "0302 is not adjacent to 0304 (BH-6.1)."
    assert told("0304 from 0303") == told("0304")
    assert "column" in told("0304")
    assert told("0303 from 0304 0302") == "Red has no unit in 0302 (BH-6.1)."


def test_what_players_type():
    driver = table(UNITS, blue=["mud", "barrage", "barrage", "march"])
    first = driver.state.hand("blue")
    assert read(driver, "play barrage 0304") == (Play(0, 101, 304),)
    assert read(driver, "play barr 0304") == (Play(0, 101, 304),)
    assert read(driver, "play march B2") == (Play(3, 103, 1),)
    assert read(driver, "rally B1 mud") == (Rally(0, 100),)
    assert read(driver, "attack 0304 from 0303 0203") == (Attack(304, (203, 303)),)
    assert read(driver, "move B2 0301; done")[0] == Move(1, 301)
    assert len(first) == 4
    for wrong in (
        "play ambush",
        "play",
        "attack 03 from 0303",
        "rally B1 ambush",
        "move B99 0101",
        "play barrage B77",
        "",
    ):
        with pytest.raises(NotationError):
            read(driver, wrong)


def test_cards_are_shown_as_a_player_would_write_them():
    driver = table(UNITS, blue=["mud", "mud", "barrage", "march"])
    for order in (Play(7, 101, -1), Play(6, 100, -1), Play(0, 102, 304), Play(3, 103, 1)):
        shown = game.notation.show(order)
        assert "#" not in shown
        assert "-" not in shown
        assert read(driver, shown) == (order,)
    assert game.notation.show(Play(7, 101, -1)) == "play mud2"
    assert game.notation.show(Play(0, 102, 304)) == "play barrage1 0304"


def test_slots_are_read_strictly():
    for wrong in ("play mud1 - 103", "play mud1 - #", "play mud1 - #0103", "rally B3 #-1", "rally B3 #٣"):
        with pytest.raises(NotationError):
            game.notation.read(wrong)


def test_every_order_has_a_verb():
    assert {verb.order for verb in game.notation.verbs} == set(game.orders.orders)


def test_board_fits_a_terminal_and_shows_what_matters():
    driver = Driver(game, chance=Chance("2")).order("blue", "reserve 0101").order("red", "reserve 0901")
    text = game.board(driver.view("blue"))
    lines = text.splitlines()
    assert max(map(len, lines)) <= 100
    assert text.isascii()
    body = "\n".join(lines[:35])
    for unit in driver.state.pieces:
        code = CHART.units[unit].code
        if driver.state.on_map(unit):
            assert f"{code}{CHART.units[unit].type.letter} " in body
    assert "~" in body
    assert "=" in body
    for cell in CHART.grid:
        assert f"{cell:04d}" in body
    assert "Kell (0504) 2 Red" in text
    assert text.count("reserve") == 2


def test_board_before_and_after():
    driver = random_game(game, "7", scenario="counterstroke", every=1000)
    assert "Turn 8 of 8" in game.board(driver.view()) or "all" in driver.need.result.how
    assert "Before the first turn" in game.board(Driver(game, chance=Chance("1")).view())


def hidden_twin(driver: Driver, seat: str) -> Driver:
    """The same position, all that the seat does not know being otherwise."""
    twin = Driver(game, driver.setup.scenario, chance=Chance("another"))
    twin.machine = type(driver.machine).load(game, driver.setup, driver.machine.dump())
    twin.known[seat] = dict(driver.own(seat))
    other = "red" if seat == "blue" else "blue"
    twin.known[other] = {
        slot: (value + 1) % 16 if isinstance(value, int) else b"\x0c\x02" for slot, value in driver.own(other).items()
    }
    return twin


@pytest.mark.parametrize("seat", ["blue", "red"])
def test_a_view_does_not_depend_on_what_the_other_hides(seat):
    choices = Chance("view")
    driver = Driver(game, chance=Chance("5"))
    for _ in range(60):
        if not driver.asked:
            break
        twin = hidden_twin(driver, seat)
        assert game.board(driver.view(seat)) == game.board(twin.view(seat))
        assert driver.machine.digest() == twin.machine.digest()
        if seat in driver.asked:
            assert driver.legal(seat) == twin.legal(seat)
        asked = driver.asked[0]
        orders = driver.legal(asked)
        driver.give(asked, orders[choices.below(len(orders))])


def test_spectators_see_no_hand():
    driver = table(UNITS, blue=["mud"], red=["ambush"])
    text = game.board(driver.view())
    assert "Blue holds 1 card." in text
    assert "Red holds 1 card." in text
    assert isinstance(driver.view(), View)


def text_of(found):
    return found.text if isinstance(found, Reckoning) else found


def test_what_units_reach_is_what_is_legal_and_who_comes_is_said_for_both_sides():
    driver = table({"B6": "0303", "B1": "0302", "R1": "0504", "R9": "0603"})
    found = game.look(driver.view("blue"), "reach b6")
    assert set(found.places) == set(found.figures) == reaches(driver, "B6")
    assert found.places["0404"] == f"{found.figures['0404']['cost']} points, stops"
    assert game.look(driver.view("blue"), "reach R9").figures  # the enemy, in his next half-turn
    near = game.look(driver.view("blue"), "reach 0504")
    assert near.text.splitlines()[0].startswith("Blue units that can come beside Kell (0504): B6 (")
    assert near.text.splitlines()[1].startswith("Red units that can reach Kell (0504): R9 (")
    assert near.places.keys() == {"0302", "0303", "0603"}
    assert "Blue gets the points of its towns" in game.look(driver.view("red"), "points").text
    assert game.look(driver.view("red"), "supply").figures["supply"]["blue"] == {"marked": [], "now": []}
    for nonsense in ("reach", "reach 9999", "weather", "supply please"):
        assert game.look(driver.view("blue"), nonsense) == USAGE


def test_odds_name_who_could_take_part():
    driver = table({"B1": "0303", "B2": "0303", "R1": "0403", "B9": "0402"}, "blue", Declare)
    party = game.odds(driver.view("blue"), "0403 from 0303").party
    assert [(each.word, each.taken) for each in party.takers] == [("0303", 1), ("0402", 0)]
    every = game.odds(driver.view("blue"), f"{party.head} {' '.join(each.word for each in party.takers)}")
    assert every.text == game.odds(driver.view("blue"), "0403").text


def test_odds_in_whole_percent():
    driver = table({"B1": "0303", "B2": "0303", "R1": "0403", "B9": "0402"}, "blue", Declare)
    assert game.odds is not None
    view = driver.view("blue")
    text = text_of(game.odds(view, "0403 from 0303"))
    assert text == (
        "8 to 4 = 2:1, woods -1 (BH-6.6): column 1:1. "
        "33%: the attacker loses a step; 17%: the defender may counterattack; 17%: both sides lose a step; "
        "33%: the defender retreats, or stands and loses a step."
    )
    assert text_of(game.odds(view, "0403")).startswith("11 to 4 = 2:1")
    cut = table({"B1": "0303", "B2": "0303", "R1": "0403"}, "blue", Declare, cut=["B2"]).view("blue")
    assert "Out of supply and counted half: B2 (BH-6.4)." in text_of(game.odds(cut, "0403"))
    assert "is empty" in game.odds(view, "0101")
    assert "Nobody stands" in game.odds(table({"B1": "0101", "R1": "0907"}).view("blue"), "0907")
    weak = table({"B1": ("0303", 1), "R1": "0304", "R2": "0304"}).view("blue")
    assert "BH-6.5" in text_of(game.odds(weak, "0304"))
    for nonsense in ("", "x", "9999", "attack", "0403 from mars"):
        assert game.odds(view, nonsense)


def test_every_event_has_a_sentence():
    seen: set[type[Event]] = set()
    for seed in range(12):
        for scenario in ("crossing", "counterstroke"):
            driver = random_game(game, f"events/{seed}", scenario=scenario, every=10_000)
            for event in driver.happened:
                if isinstance(event, Taken):  # pbem itself reports it
                    continue
                seen.add(type(event))
                sentence = game.report(event)
                assert sentence.endswith(".")
                assert sentence[0].isupper() or sentence[0].islower()
    listed = (
        each
        for each in vars(events).values()
        if isinstance(each, type) and issubclass(each, Event) and each is not Event
    )
    missing = {event.kind for event in listed if event not in seen}
    assert missing <= {"waits"}  # needs all three entries barred
