"""What the rules promise. `Driver` plays without mail, and `ScriptedChance` says what is rolled."""

from skirmish import game
from skirmish.rules import Happened

from pbem.engine.testing import Driver, ScriptedChance, check_game


def test_the_author_made_no_mistake() -> None:
    report = check_game(game, games=2)
    assert report.findings == []
    assert report.steps == []  # every step was reached


def test_zones_stop_movement() -> None:
    driver = Driver(game).order("blue", "move b4 0502", "done", "done")
    assert str(driver.why_not("red", "move r4 0501")).endswith("(SK-2.1)")  # 0601 stops it
    assert driver.why_not("red", "move r4 0601") is None


def test_a_unit_moves_once() -> None:
    driver = Driver(game).order("blue", "move b4 0401")
    assert driver.why_not("blue", "move b4 0402") is not None


def test_a_town_belongs_to_whoever_was_there_last() -> None:
    driver = Driver(game).order("blue", "move b2 0202")
    assert driver.state.points() == {"blue": 1, "red": 0}


def test_a_battle() -> None:
    driver = Driver(game, chance=ScriptedChance({"t2/blue/0602": 6}))
    driver.order("blue", "move b4 0502", "done", "done").order("red", "move r4 0602", "done", "done")
    driver.events()
    driver.order("blue", "done", "attack 0602", "done")  # the last one: no card
    told = [event.text for event in driver.events(Happened)]
    assert "0602 is attacked at 1:1, die 6: DR." in told  # 2 to 2 in the open (SK-3.2)
    assert told[-1] == "r4 retreats to Cedar (0703)."  # the standing orders that everybody begins with (SK-3.4)


def test_cards_are_seen_by_their_owner_only() -> None:
    driver = Driver(game).order("blue", "done", "done")
    assert "Cards of Blue: 2." not in game.board(driver.view("blue"))
    assert "Cards of Blue: 2." in game.board(driver.view("red"))
