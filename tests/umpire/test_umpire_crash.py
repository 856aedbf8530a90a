"""The keeper stopped at every place: what the next passes make of it is what would have been without."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager

import pytest
from halls import Hall
from test_umpire_keeper import FORFEIT, one_owes, started

from pbem.home import acts, archives, describe, offers, summary
from pbem.umpire.keeper import Keeper
from pbem.umpire.mailing import ByHand

TWO = ("Alice Kern", "Bob Silva")


class Stopped(BaseException):
    """The machine stops: nothing after it is done, and nobody catches it."""


class Plug:
    """Stops the keeper at its n-th step of a pass: before a transaction is written, after it, or after the umpire's
    home has done something that the database does not know yet."""

    def __init__(self, hall, monkeypatch):
        self._hall = hall
        self._left = None
        self._size = len(hall.desk.journal())
        real = hall.store.writing

        @contextmanager
        def writing(actor, at):
            with real(actor, at) as made:
                before = made.head.seq
                yield made
                if made.head.seq > before:
                    self._step()  # all of it is rolled back
            self._step()

        monkeypatch.setattr(hall.store, "writing", writing)
        for module, name in ((offers, "offer"), (acts, "rule"), (offers, "decline"), (archives, "archive")):
            monkeypatch.setattr(module, name, self._after(getattr(module, name)))

    def _after(self, act):
        def done(*args, **kw):
            found = act(*args, **kw)
            self._step()
            return found

        return done

    def _step(self):
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                raise Stopped

    def keep(self, at):
        """A pass of a new keeper that is stopped at this step; True if it came to its end before."""
        hall = self._hall
        hall.keeper = Keeper(hall.desk, hall.umpire, ByHand(hall.umpire))
        self._left = at
        try:
            report = hall.keep()
        except Stopped:
            return False
        finally:
            self._left = None
        assert not report.faults, report.faults
        return True

    def keep_through(self):
        """Passes until one comes to its end, of which each is stopped a step later than the one before, and at the
        first step again whenever something was written: so at every place, and nothing is passed by. How many stops."""
        at, stops = 1, 0
        while not self.keep(at):
            held, stops = self._size, stops + 1
            self._size = len(self._hall.desk.journal())
            at = 1 if self._size > held else at + 1
            assert stops < 500
        self._size = len(self._hall.desk.journal())
        return stops


@pytest.fixture
def plugged(tmp_path, monkeypatch):
    def made(**more):
        hall = Hall(tmp_path / "hall", TWO)
        hall.begin(**more)
        return hall, Plug(hall, monkeypatch)

    return made


def kinds(hall):
    return Counter(entry.kind for entry in hall.desk.journal())


def test_a_tournament_whose_keeper_stops_everywhere_is_the_same_tournament(plugged):
    hall, plug = plugged(keeper="auto = true")
    stops = 0
    for _ in range(20):
        stops += plug.keep_through()
        if hall.desk.tournament(hall.name).state == "over":
            break
        hall.settle()
    assert stops >= 15
    found = kinds(hall)
    once = ("created", "paired", "published", "wanted", "done", "offered", "archived", "completed", "ended")
    assert {kind: found[kind] for kind in once} == dict.fromkeys(once, 1)
    assert found["result"] <= 2  # once until the audit, once for good
    assert hall.desk.check().ok
    assert len(summary.rows(hall.umpire)) == 1
    log = describe.log(hall.umpire, hall.game().game)
    assert {row.record.hex() for row in hall.desk.moves(hall.name) if row.what == "orders"} == {
        line.id for line in log if line.kind == "orders"
    }


def test_a_forfeit_is_signed_once_wherever_the_keeper_stops(plugged):
    hall, plug = plugged(keeper=FORFEIT)
    started(hall)
    hall.silent.add(one_owes(hall))
    hall.wait(6)
    assert plug.keep_through() > 8
    plug.keep_through()
    rulings = [line for line in describe.log(hall.umpire, hall.game().game) if line.kind == "ruling"]
    assert len(rulings) == 1
    assert hall.game().how == "forfeit"
    found = kinds(hall)
    assert (found["flagged"], found["result"]) == (1, 1)
    assert found["wanted"] == found["done"] + found["dropped"]
    assert hall.desk.check().ok


def test_an_extension_is_given_once_wherever_the_keeper_stops(plugged):
    hall, plug = plugged()
    started(hall)
    who = one_owes(hall)
    hall.desk.rule(hall.name, "1.1", "extension", who=who, seconds=500, why="A storm")
    plug.keep_through()
    hall.desk.rule(hall.name, "1.1", "extension", who=who, seconds=500, why="A storm")
    plug.keep_through()
    plug.keep_through()
    assert sum(line.kind == "ruling" for line in describe.log(hall.umpire, hall.game().game)) == 2
    with hall.store.reading() as db:
        from pbem.umpire.db.deskrows import ExtensionRow, of_games

        assert [row.seconds for row in of_games(db, ExtensionRow, 1)] == [500, 500]


def test_a_game_to_which_nobody_came_is_decided_once(plugged):
    hall, plug = plugged(keeper=FORFEIT)
    plug.keep_through()
    hall.wait(8)
    assert plug.keep_through() > 3
    assert kinds(hall)["result"] == 1
    (row,) = summary.rows(hall.umpire)
    assert row.stage == "cancelled"
    assert hall.desk.check().ok
