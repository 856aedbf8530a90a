"""`check_game` finds what authors do wrong, each mistake by step, rule and sentence; and nothing in sound games."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.engine.need import Known
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Violation
from pbem.engine.step import Sequence
from pbem.engine.testing import Chance, Driver, Earlier, Report, check_game, check_position
from pbem.kit.decks import Card
from tests.engine.games import crowns, jackdaw, magpie, roost
from tests.engine.games.duel import duel
from tests.engine.games.faulty import FAULTS, Forgets, wrong
from tests.engine.games.siege import GAME, VERBS, Assault, Attack, Day, Rest, Siege

SEVERAL = {"by changes", "requests changes", "when changes", "memory"}  # mistakes that show in more than one way


@pytest.mark.parametrize("mistake", FAULTS)
def test_a_mistake_is_found_by_name(mistake: str) -> None:
    game, step, sentence = FAULTS[mistake]
    report = check_game(game, games=3)
    found = [each for each in report.findings if sentence in each.sentence]
    assert found, report.findings
    assert {(each.game, each.step) for each in found} >= {("siege", step)}
    if len(report.findings) > 1:
        assert mistake in SEVERAL, report.findings
    if step:
        rules = {each.name: each.rule for each in game.sequences[0].steps}
        assert all(each.rule == rules[each.step] for each in found if each.step)


@pytest.mark.parametrize(
    "game", [GAME, crowns.GAME, magpie.GAME, jackdaw.GAME, roost.GAME, duel(2)], ids=lambda game: game.name
)
def test_sound_games_pass(game) -> None:
    report = check_game(game, games=3)
    assert report.findings == []
    assert report.games >= 3
    assert report.strict
    assert report.replayed == report.games


def test_a_clock_that_others_read_while_garbage_is_collected_is_no_mistake() -> None:
    def read_clock(phase: str, info: dict[str, int]) -> None:  # as hypothesis does
        time.perf_counter()

    thresholds = gc.get_threshold()
    gc.callbacks.append(read_clock)
    gc.set_threshold(5)
    try:
        assert check_game(roost.GAME, games=1).findings == []
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(read_clock)


def test_what_was_never_reached_is_named() -> None:
    report = check_game(GAME, games=1, orders=1)
    assert "2.1 There is no tower ..." not in report.refusals  # bent orders are refused
    assert report.steps == ["storm", "night"]
    assert report.rules == ["2.2", "3", "4"]
    assert report.refusals == ["2.2 That tower has been attacked in this turn"]
    assert report.unfinished == report.games + report.strict == 2
    timed = check_game(GAME, games=2, seconds=60)
    assert (timed.games, timed.by_bots) == (2 + 2 * len(GAME.bots), 2 * len(GAME.bots))
    whole = check_game(GAME, games=2)
    assert (whole.games, whole.by_bots) == (2 + len(GAME.bots), len(GAME.bots))
    assert (whole.steps, whole.rules, whole.refusals, whole.unfinished) == ([], [], [], 0)


def test_refusals_of_choices_are_counted() -> None:
    report = check_game(roost.GAME, games=1, orders=0)
    assert "R-2.1 Two hops a day, of your own birds" in report.refusals
    assert "R-3 Two birds of your own change places" in report.refusals  # the `no` of a choice
    assert check_game(roost.GAME, games=3).refusals == []


@dataclass(frozen=True, slots=True)
class Scout(Attack):
    """An attack of which `legal` lists only some."""


class Scouting(Assault):
    name = "assault"
    takes = (Scout, Rest)

    def legal(self, s: Siege, f: Day, seat: str, own: Known) -> Iterator[Attack | Rest]:
        yield from (Scout(each.at) for each in super().legal(s, f, seat, own) if isinstance(each, Attack))
        yield Rest()

    def check(self, s: Siege, f: Day, seat: str, order: Attack | Rest, proof: Known) -> Violation | None:
        return None


def scouting(*, sampled: bool) -> Report:
    game = replace(wrong(Scouting()), notation=Notation(Verb(Scout, "scout {at}"), VERBS[1]))
    Scout.sampled = sampled
    return check_game(game, games=2)


def test_orders_of_which_only_some_are_listed_are_not_held_against_the_list() -> None:
    assert scouting(sampled=True).findings == []
    assert "is not listed as legal" in scouting(sampled=False).findings[0].sentence


class TrustsTheProof(jackdaw.Act):
    name = "act"

    def check(self, s: Any, f: Any, seat: str, order: Any, proof: Known) -> Violation | None:
        if isinstance(order, Card) and proof[order.slot] == order.number:
            return None
        return super().check(s, f, seat, order, proof)


def test_cards_are_judged_with_the_slots_that_the_order_opens() -> None:
    """As everybody judges them: what was in the hand once is proved still, and the rules must ask who holds it now."""
    turn, theft = jackdaw.GAME.sequences
    steps = [TrustsTheProof() if type(each) is jackdaw.Act else each for each in turn.steps]
    report = check_game(replace(jackdaw.GAME, sequences=(Sequence(turn.frame, *steps), theft)), games=3)
    (found,) = report.findings
    assert (found.step, found.sentence.partition("(")[0]) == ("act", "check lets Card")
    assert "which was legal earlier and is not listed as legal now" in found.sentence


def test_the_same_seed_finds_the_same() -> None:
    assert check_game(wrong(Forgets()), seed="7", games=2) == check_game(wrong(Forgets()), seed="7", games=2)


def test_an_order_that_was_legal_earlier_is_held_against_check_now() -> None:
    driver, earlier = Driver(wrong(Forgets())), Earlier()
    check_position(driver, choices=Chance("other"), complete=True, earlier=earlier)
    driver.give("red", Attack("mill"))
    earlier.give("red", Attack("mill"))
    with pytest.raises(AssertionError, match="which was legal earlier and is not listed as legal now"):
        check_position(driver, choices=Chance("other"), complete=True, earlier=earlier)


def test_a_misspelt_name_in_a_text_is_refused() -> None:
    with pytest.raises(TypeError, match="'ta' is not a field of Attack"):
        Verb(Attack, "attack {at}", joined={"ta": ","})
    with pytest.raises(TypeError, match="'unt' is not a field of Rest"):
        Verb(Rest, "rest", names={"unt": VERB_NAMES})


class _Names:
    def word(self, value: object) -> str:
        return str(value)

    def value(self, word: str) -> object:
        return word


VERB_NAMES = _Names()
