"""What games say: each order has a sentence, each refusal a reason and a rule, each prompt names only what works, each
warning can be followed, each result of a fight is explained.
"""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from pbem.engine.need import Orders
from pbem.engine.registry import find, names
from pbem.engine.testing import random_game

ORDERS = 40  # of a game
LISTED = 10  # orders that are read at each first step
VERBS = re.compile(r"`([a-z]+)")
STANDING = re.compile(r"`standing (\w+) ([^`]+)`")
SCENARIOS = [(name, scenario.name) for name in names() for scenario in find(name).scenarios]


class Reader:
    """Reads all that a game says at a decision."""

    def __init__(self, game, seed):
        self.game, self.rng = game, random.Random(seed)
        self.earlier = []  # orders that were legal once

    def __call__(self, driver):
        if not isinstance(driver.need, Orders):
            return
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        self.prompt(driver.machine.prompt(seat), legal)
        alone = [key for key in legal.first if key.startswith("v:")]
        first = dict.fromkeys([*alone, *self.rng.sample(legal.first, min(4, len(legal.first)))])
        listed = [order for key in first for order in islice(legal.picked(key), LISTED)]
        assert {type(order) for order in listed} <= legal.kinds
        for order in listed:
            self.sentence(order, driver.machine.sentence(seat, order, driver.own(seat)))
        for order in (None, *listed):
            self.warnings(driver, seat, order)
        for thing in self.things(driver, seat, legal):
            self.reason(driver.machine.barred(seat, thing))
        for order in self.rng.sample(self.earlier, min(10, len(self.earlier))):
            takes = isinstance(order, driver.machine.decision.takes)
            if takes and driver.own(seat).keys() >= {*driver.machine.opens(seat, order)}:
                wrong = driver.check(seat, order)
                if wrong is not None:
                    self.reason(wrong)
        self.earlier += listed

    def prompt(self, text, legal):
        verb_of = self.game.notation.verb_of
        offered = {verb_of[kind].word for kind in legal.kinds}
        known = {verb.word for verb in verb_of.values()}
        named = {word for word in VERBS.findall(text) if word in known}
        assert named <= offered, f"{text!r} names {sorted(named - offered)}; there are {sorted(offered)}"
        assert re.fullmatch(r"[A-Z0-9`].*[.?]", text), text
        self.plural(text)

    def sentence(self, order, said):
        shown = f"{self.game.notation.write(order)}: {said!r}"
        assert re.fullmatch(r"[A-Z0-9].*[^ .]\.", said), shown
        assert not re.search(r"None|[{}\[\]?]", said), shown
        self.plural(said)

    def warnings(self, driver, seat, order):
        """What a line says to set can be set, and then it is not said any more."""
        said = [*self.game.left_undone(driver.view(seat), seat, order)]
        for line in said:
            assert re.fullmatch(r"[A-Z0-9].*\.", line), line
            self.plural(line)
            for kind, text in STANDING.findall(line):
                held = driver.machine.standing(seat).get(kind)
                driver.stand(seat, kind, text)
                assert line not in self.game.left_undone(driver.view(seat), seat, order), line
                driver.machine.set_standing(seat, kind, held)

    @staticmethod
    def plural(text):
        assert not re.search(r"(?<![:\w.-])1 (resource )?(points|units|hexes|cards|markers|attacks|steps)\b", text), (
            text
        )

    @staticmethod
    def reason(violation):
        """A sentence without its full stop, and the rule."""
        assert violation.rule, violation
        assert re.fullmatch(r"[^ ].*([^ .]| \.\.\.)", violation.reason), violation
        assert len(violation.reason.split()) > 2, violation

    def things(self, driver, seat, legal):
        """Some units and places that can do nothing, as orders name them."""
        scene = self.game.pictures().scene(driver.view(seat), ())
        pieces = [piece.key for stack in scene.stacks.values() for piece in stack if piece.key]
        begun = {key.partition(":")[2] for key in legal.first}
        words = [key.partition(":")[2] for key in (*pieces, *scene.keys.values())]
        return [word for word in self.rng.sample(words, 4) if word not in begun]


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_the_words_of_a_random_game(name, scenario, seed):
    game = find(name)
    random_game(game, seed, scenario=scenario, orders=ORDERS, every=ORDERS, probe=Reader(game, seed))


@pytest.mark.parametrize("name", names())
def test_the_words_of_a_game_of_bots(name, seed):
    game = find(name)
    bots = dict.fromkeys((seat.name for seat in game.seats), game.bots[game.best_bot])
    driver = random_game(game, seed, bots=bots, orders=2 * ORDERS, every=2 * ORDERS, probe=Reader(game, seed))
    scene = game.pictures().scene(driver.view(), tuple(driver.happened))
    assert {battle.result for battle in scene.battles} <= {"", *(each.word for each in scene.explained)}


@pytest.mark.parametrize("name", names())
def test_every_field_that_may_be_left_out_is_explained(name):
    game = find(name)
    for kind in game.orders.orders:
        for word, _, _, part in game.notation.verb_of[kind].parts:
            assert part.label, f"{kind.__name__}: {word}"
            assert part.words, part
            assert re.fullmatch(r"[A-Z].*\.", part.help), part


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_each_scenario_says_how_long_it_is(name, scenario):
    (about,) = (each.about for each in find(name).scenarios if each.name == scenario)
    assert re.search(r"\bturns?\b|\bround\b", about), about
