"""Whole tournaments of a game that takes no time, for tests of the keeper."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parent.parent / "engine"))

from games.duel import duel

from pbem.home import describe, orders
from pbem.umpire.entrants import read_entrants
from pbem.umpire.rehearsal import Rehearsal
from pbem.umpire.terms import parse

PLAYERS = ("Alice Kern", "Bob Silva", "Carla Diaz", "Dan Ek")
DAY = 86_400
TERMS = """
v = 1
title = "Cup"
game = "duel"
mode = "umpire"
format = "{format}"
seeding = "given"
{more}
[clock]
move = "2d"
bank = "1d"
accept = "5d"
[keeper]
remind = "1d"
ask = 0
grace = "1d"
{keeper}
"""


class Hall(Rehearsal):
    """Everybody plays something that is legal, the same in every run."""

    def __init__(self, folder, names=PLAYERS, **more):
        super().__init__(folder, names, find_game=lambda _: duel(), **more)

    def order(self, name, home, game):
        rng = Random(f"{name}{game}{len(describe.log(home, game))}")
        while orders.move(home, game).asked():
            orders.order(home, game, [rng.choice(list(islice(orders.move(home, game).legal(), 8)))])

    def found(self, *, format="round_robin", more="", keeper=""):
        terms = parse(TERMS.format(format=format, more=more, keeper=keeper).encode())
        self.name = self.desk.create(terms, self.umpire.people.me().card, read_entrants(self.cards())).name
        return self.name

    def begin(self, **more):
        """A tournament whose first round is called."""
        self.found(**more)
        self.desk.pair(self.name)
        self.desk.offer(self.name)
        return self.name

    def kept(self):
        """One pass, in which nothing goes wrong; the kinds of what it wrote."""
        report = self.keep()
        assert not report.faults, report.faults
        return [entry.kind for entry in report.entries]

    def play_on(self, most=20):
        """Passes and moves until nothing more happens."""
        for _ in range(most):
            kinds = self.kept()
            self.settle()
            if not kinds and not self.kept():
                return

    def game(self, label="1.1"):
        return self.desk.pairing(self.name, label)

    def wait(self, days):
        self.clock.now += int(days * DAY)
