"""What an umpire's home knows of a game is kept and gone on with, and is what a whole replay would give."""

from __future__ import annotations

import pytest
from halls import PLAYERS, Hall

from pbem.engine.replay import Replay
from pbem.home import intake, summary
from pbem.umpire import facts
from pbem.umpire.facts import covers


def played(tmp_path, look):
    """A tournament to its end; `look` sees the umpire's home after every file that is carried."""
    hall = Hall(tmp_path / "hall", PLAYERS[:2])
    hall.begin()
    opened = intake.open_bytes

    def opening(home, raw, **more):
        found = opened(home, raw, **more)
        for row in summary.rows(hall.umpire) if home is hall.umpire else ():
            look(hall, hall.umpire.key(row.name))
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(intake, "open_bytes", opening)
        hall.play(hall.name)
    return hall


def test_facts_that_are_gone_on_with_are_those_of_a_whole_replay(tmp_path):
    looks = []

    def look(hall, offer):
        kept = facts.facts(hall.umpire, offer)
        store = hall.umpire.store(offer)
        raw = store.cached("facts")
        store.set_cached("facts", b"")
        assert facts.facts(hall.umpire, offer) == kept
        store.set_cached("facts", raw)
        assert facts.facts(hall.umpire, offer) == kept
        looks.append(kept)

    played(tmp_path, look)
    assert len(looks) > 10
    assert looks[-1].over
    assert looks[-1].answered


def test_a_mail_in_the_last_turn_is_looked_at_like_one_in_the_first(tmp_path, monkeypatch):
    """So many records are taken in for a mail, however long the game is."""
    taken, seen = [], [0]
    retold = Replay.retold

    def counted(self, look=None, *, since=None):
        for each in retold(self, look, since=since):
            seen[0] += 1
            yield each

    monkeypatch.setattr(Replay, "retold", counted)

    def look(hall, offer):
        seen[0] = 0
        facts.facts(hall.umpire, offer)
        taken.append(seen[0])

    played(tmp_path, look)
    assert sum(taken) > 20
    assert sum(count > 8 for count in taken) <= 2, "only what came since, but where records crossed in the mail"


def test_a_position_is_covered_by_whoever_has_all_of_it():
    assert covers((3, 2, 1), (3, 2, 1))
    assert covers((3, 2, 2), (3, 2, 1))
    assert not covers((3, 1, 9), (3, 2, 1))
    assert not covers((), (1,)), "a mail from before the start"
    assert covers((), ())
