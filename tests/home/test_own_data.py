"""Data files of the players' own are held against their schemas: by who offers, and by who is offered a game."""

import subprocess
import sys
from copy import deepcopy
from dataclasses import replace

import pytest
from desks import desk_at, took, two

from pbem.engine.registry import find
from pbem.home import intake, offers, summary
from pbem.protocol.errors import Refusal

SEATS = {"blue": "me", "red": "bob"}


def cards(**changes):
    value = deepcopy(find("bridgehead").data["cards"])
    value["cards"][3].update(changes)
    return {"cards": value}


def refusal(call):
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("changes", [{"name": 7}, {"copies": "many"}, {"surprise": True}])
def test_a_file_that_is_not_of_its_schema_is_not_offered(tmp_path, changes):
    alice, _ = two(tmp_path)
    refused = refusal(lambda: offers.offer(alice, "bridgehead", seats=SEATS, replaced=cards(**changes)))
    assert (refused.code, refused.step) == ("E-DATA", "STA-7")
    assert "cards/3" in refused.sentence
    assert summary.rows(alice) == []


def test_a_file_that_is_not_of_its_schema_is_not_taken(tmp_path, monkeypatch):
    """The offerer's program is his own affair."""
    alice, bob = two(tmp_path)
    with monkeypatch.context() as lax:
        lax.setattr(offers, "check_files", lambda files: None)
        # Nothing that the game itself looks at: only the schema forbids it.
        _, posted = offers.offer(alice, "bridgehead", seats=SEATS, replaced=cards(surprise="\x1b[2Jboo"))
    (opened,) = intake.open_bytes(bob, posted.raw)
    assert opened.refused.code == "E-DATA"
    assert "'cards' does not match its schema: cards/3" in opened.refused.sentence
    assert "\x1b" not in opened.refused.sentence
    assert summary.rows(bob) == []


def test_a_game_that_checks_no_data_takes_none(tmp_path):
    def find_game(name):
        return replace(find(name), check_data=None)

    alice, _ = two(tmp_path)
    lax = desk_at(tmp_path / "alice", "alice", find_game=find_game)
    refused = refusal(lambda: offers.offer(lax, "bridgehead", seats=SEATS, replaced=cards(name="My own")))
    assert (refused.code, refused.step) == ("E-DATA", "STA-7")
    assert refused.sentence == "Bridgehead takes no data files of the players' own: its rules do not check them."
    assert summary.rows(alice) == []


@pytest.mark.parametrize("error", [ValueError("two \x1b[2J"), KeyError("rows"), IndexError(), ZeroDivisionError()])
def test_a_file_at_which_the_rules_fail_is_not_offered(tmp_path, error):
    def fail(data):
        raise error

    two(tmp_path)
    alice = desk_at(tmp_path / "alice", "alice", find_game=lambda name: replace(find(name), check_data=fail))
    refused = refusal(lambda: offers.offer(alice, "bridgehead", seats=SEATS, replaced=cards(name="My own")))
    assert refused.code == "E-DATA"
    assert refused.sentence.startswith("Bridgehead cannot be played with this data: ")
    assert "\x1b" not in refused.sentence
    assert summary.rows(alice) == []


def test_replaying_with_own_data_loads_no_schema(tmp_path):
    alice, bob = two(tmp_path)
    name, posted = offers.offer(alice, "bridgehead", seats=SEATS, replaced=cards(name="My own"))
    took(intake.open_bytes(bob, posted.raw))
    offers.join(bob, name)
    code = (
        "import sys; sys.path.append('tests/home'); from pathlib import Path\n"
        "from desks import desk_at; from pbem.home import summary\n"
        f"desk = desk_at(Path({str(tmp_path / 'bob')!r}), 'bob'); print(summary.row(desk, {name!r}).stage)\n"
        "print('jsonschema' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["waiting", "False"]
