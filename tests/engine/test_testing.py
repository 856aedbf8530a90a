"""The tools for rules authors do find what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.engine.event import Out
from pbem.engine.need import Draw, Known, Shuffle
from pbem.engine.order import Violation
from pbem.engine.step import Next, Sequence
from pbem.engine.testing import (
    Chance,
    Crash,
    Driver,
    ScriptedChance,
    check_golden,
    check_perft,
    check_position,
    perft,
    random_game,
    read_crash,
    replay_crash,
)
from pbem.engine.testing.driver import IllegalOrderError
from pbem.kit.decks import Card, Pass
from tests.engine.games import crowns, magpie
from tests.engine.games.crowns import GAME, Battle, Battles, Crowns, Fight, JointLoss, Land, March, Plan, Year
from tests.engine.games.squads import Rest
from tests.engine.games.squads import game as SQUADS


def broken(plan: Plan) -> crowns.Game[Crowns]:
    """Five Crowns with another step in place of the plans."""
    plan.__class__.name = "plan"
    return replace(GAME, sequences=(Sequence(Year, Land(), plan, Battles()), Sequence(Battle, Fight(), JointLoss())))


class ListsTooMuch(Plan):
    def legal(self, s: Crowns, f: Year, seat: str, own: Known) -> Iterator[March]:
        yield from super().legal(s, f, seat, own)
        yield March(99, "hub")


class ListsTooLittle(Plan):
    def legal(self, s: Crowns, f: Year, seat: str, own: Known) -> Iterator[March]:
        return (order for order in super().legal(s, f, seat, own) if order.army % 2 or order.to != "hub")


class ListsNothing(Plan):
    def by(self, s: Crowns, f: Year) -> list[str]:
        return [*crowns.SEATS]

    def legal(self, s: Crowns, f: Year, seat: str, own: Known) -> Iterator[March]:
        return iter(())


class TrustsItsInput(Plan):
    def check(self, s: Crowns, f: Year, seat: str, order: March, proof: Known) -> Violation | None:
        place = s.armies[order.army]  # KeyError for an army that is not there
        return None if order.to in self.goals(place, seat) else Violation("2", "no")


class BreaksLater(Plan):
    def apply(self, s: Crowns, f: Year, answers: Mapping[str, March], out: Out) -> Next:
        if s.year == 2:
            raise ZeroDivisionError("year 2")
        return super().apply(s, f, answers, out)


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (ListsTooMuch(), "legal lists"),
        (ListsTooLittle(), "which is not listed as legal"),
        (ListsNothing(), "has no legal order"),
        (TrustsItsInput(), r"\d"),
    ],
)
def test_broken_rules_are_found(plan: Plan, says: str) -> None:
    def play() -> None:
        for seed in range(20):
            random_game(broken(plan), str(seed), complete=True)

    with pytest.raises((AssertionError, KeyError), match=says):
        play()


def test_a_crash_file_plays_the_game_again(tmp_path: Path) -> None:
    game = broken(BreaksLater())
    with pytest.raises(Crash, match="year 2") as caught:
        random_game(game, "7", crashes=tmp_path)
    (path,) = tmp_path.iterdir()
    assert str(path) in str(caught.value)
    crash = read_crash(path)
    assert crash["error"] == "ZeroDivisionError: year 2"
    with pytest.raises(ZeroDivisionError):
        replay_crash(path, game)
    before = replay_crash(path, game, orders=len(crash["orders"]) - 1)
    assert (before.state.year, len(before.asked)) == (2, 1)


def test_a_crash_tells_the_order_that_was_judged(tmp_path: Path) -> None:
    game = broken(TrustsItsInput())
    says = r"KeyError: -?\d+, while March\(army=-?\d+, to='\w+'\) of \w+ was judged"
    with pytest.raises(Crash, match=says) as caught:
        random_game(game, "0", crashes=tmp_path)
    (path,) = tmp_path.iterdir()
    with pytest.raises(KeyError) as again:
        replay_crash(path, game)
    assert str(again.value) == str(caught.value.__cause__)
    before = replay_crash(path, game, orders=len(read_crash(path)["orders"]))
    assert before.judging is None


def test_an_order_of_a_set_that_leaks_is_found() -> None:
    driver = Driver(GAME)
    check_position(driver)
    driver.state.marched = [1]
    driver.machine.need = None  # it would now go on otherwise than a loaded one
    with pytest.raises(AssertionError):
        check_position(driver)


def test_golden_play_throughs_show_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g" / "game.txt"
    with pytest.raises(AssertionError, match=r"no file .*game\.txt; run the test once with PBEM_UPDATE_GOLDEN=1"):
        check_golden(path, random_game(GAME, "1"))
    monkeypatch.setenv("PBEM_UPDATE_GOLDEN", "1")
    check_golden(path, random_game(GAME, "1"))
    monkeypatch.delenv("PBEM_UPDATE_GOLDEN")
    check_golden(path, random_game(GAME, "1"))
    with pytest.raises(AssertionError, match=r"game\.txt:2"):
        check_golden(path, random_game(GAME, "2"))
    path.write_text(path.read_text() + "more\n")
    with pytest.raises(AssertionError, match="lines"):
        check_golden(path, random_game(GAME, "1"))


def test_a_file_of_counts_says_how_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "counts.json"
    with pytest.raises(AssertionError, match=r"no file .*counts\.json; write .* PBEM_UPDATE_GOLDEN=1") as caught:
        check_perft(path, GAME)
    text = str(caught.value)
    path.write_text(text[text.index("[") : text.rindex("]") + 1])
    with pytest.raises(AssertionError, match=r"ways, not \[0, 0\]"):
        check_perft(path, GAME)
    with monkeypatch.context() as update:
        update.setenv("PBEM_UPDATE_GOLDEN", "1")
        check_perft(path, GAME)
    check_perft(path, GAME)
    path.write_text(path.read_text().replace(path.read_text().split('"counts": ')[1].split("}")[0], "[]"))
    with pytest.raises(AssertionError, match="no counts; write a zero for each depth"):
        check_perft(path, GAME)


def test_perft_counts_and_comes_back() -> None:
    driver = Driver(magpie.GAME, chance=Chance("3"))
    before = driver.machine.digest()
    assert perft(driver, 0) == 1
    assert perft(driver, 1) == len(driver.legal("left"))
    total = 0
    saved = driver.save()
    for order in driver.legal("left"):
        driver.give("left", order)
        total += len(driver.legal(driver.asked[0]))
        driver.restore(saved)
    assert perft(driver, 2) == total
    assert driver.machine.digest() == before


def test_the_same_seed_plays_the_same_game() -> None:
    first, second, other = (random_game(magpie.GAME, seed, every=1000) for seed in ("1", "1", "2"))
    assert first.lines == second.lines
    assert first.machine.digest() == second.machine.digest()
    assert first.lines != other.lines


def test_scripted_chance() -> None:
    chance = ScriptedChance({"crt": (3, 6), "rain": 2}, {"pie": [(4, 2)]})
    assert (chance.dice(Draw("crt", 6)), chance.dice(Draw("crt", 6))) == ((3,), (6,))
    with pytest.raises(AssertionError, match="the script has no"):
        chance.dice(Draw("crt", 6))
    with pytest.raises(AssertionError, match="snow"):
        chance.dice(Draw("snow", 6))
    with pytest.raises(AssertionError):
        ScriptedChance({"crt": 7}).dice(Draw("crt", 6))
    assert ScriptedChance({"crt": (1, 2)}).dice(Draw("crt", 6, 2)) == (1, 2)
    assert chance.unused() == ("rain",)
    cards = chance.deal(Shuffle("pie", (1, 2, 3, 4)), (1, 2, 3, 4))
    assert cards[:2] == (4, 2)
    assert sorted(cards) == [1, 2, 3, 4]


def test_a_driver_keeps_seats_apart() -> None:
    driver = Driver(magpie.GAME, chance=ScriptedChance({}, {"pie": [(0, 4, 1, 8)]}))
    driver.order("left", "pass")
    assert set(driver.own("left")) == {"pie/1/0", "pie/1/1"}
    assert set(driver.own("right")) == {"pie/1/2", "pie/1/3"}
    view = driver.view("right")
    assert (view.card("pie/1/2"), view.card("pie/1/0"), view.secret("pie/1/2")) == (1, None, None)
    assert view.asked() == ("right",)
    assert "pie/1/2" not in repr(view).replace(repr(view.state), "")
    assert driver.legal("right") == [Pass(), Card(1, "pie/1/2"), Card(8, "pie/1/3")]
    assert driver.game.notation.parse("play 8", driver.context("right")) == (Card(8, "pie/1/3"),)


def test_a_driver_asks_duty_as_the_players_program_does() -> None:
    driver = Driver(SQUADS).order("north", "hide 3")
    driver.order("north", "march").order("south", "hide 1", "march")
    assert str(driver.why_not("north", "rest")).startswith("Whoever hid in the third place may not rest")
    assert driver.machine.check("north", Rest()) is None
    with pytest.raises(IllegalOrderError, match="may not rest"):
        driver.order("north", "rest")
    assert Rest() not in driver.legal("north")
    assert driver.order("north", "march").why_not("south", "rest") is None
