"""A mail at which pbem dies, and one that takes long, keep no other mail away and are not lost."""

import json
from math import inf

import pytest
from mailhomes import at_home, introduce
from test_mail_floods import cards, in_mail, offers

from pbem.home import summary
from pbem.home.people import People
from pbem.mail import incoming, sync
from pbem.protocol.container import write


class Killed(BaseException):
    """The process ends here: nothing that follows runs."""


@pytest.fixture
def homes(tmp_path):
    alice, bob = at_home(tmp_path, "Alice Kern"), at_home(tmp_path, "Bob Silva")
    introduce(alice.desk, bob.desk)
    alice.receive("1", in_mail(write(cards(1))))
    alice.receive("2", in_mail(offers(bob.desk, 1, "alice")))
    return alice


def killed_at_cards(monkeypatch):
    def die(people, card):
        raise Killed

    monkeypatch.setattr(People, "meet", die)


def aside(home):
    return home.state().aside(home.person.identity)


def test_a_mail_that_was_begun_twice_is_set_aside_and_can_be_tried_again(homes, monkeypatch):
    with monkeypatch.context() as dying:
        killed_at_cards(dying)
        for _ in range(2):
            with pytest.raises(Killed):
                homes.round()
            assert summary.rows(homes.desk) == []
        done = homes.round()
    assert [fault.code for fault in done.faults] == ["E-MAIL-ASIDE"]
    assert len(summary.rows(homes.desk)) == 1, "the mail behind it"
    assert done.aside == [str(path) for path in aside(homes).held(".eml")]
    assert "“x”" in done.faults[0].sentence
    again = homes.round()
    assert (again.looked_at, again.faults, again.aside) == (0, [], done.aside)
    account, state = homes.account(), homes.state()
    with state.handling():
        assert sync.Sync(homes.desk, state, [account]).retry(account) == 1
    assert len(homes.desk.people.contacts()) == 2
    assert aside(homes).held(".eml") == []
    assert homes.round().aside == []


def test_a_mail_that_was_begun_once_is_tried_once_more(homes, monkeypatch):
    with monkeypatch.context() as dying:
        killed_at_cards(dying)
        with pytest.raises(Killed):
            homes.round()
    done = homes.round()
    assert (done.faults, done.aside) == ([], [])
    assert len(homes.desk.people.contacts()) == 2
    assert len(summary.rows(homes.desk)) == 1


def test_a_full_disk_is_not_the_fault_of_a_mail(homes, monkeypatch):
    from pbem.home import HomeError

    def full(people, card):
        raise HomeError("E-NO-WRITE", "The disk is full.")

    with monkeypatch.context() as filled:
        filled.setattr(People, "meet", full)
        for _ in range(4):
            assert [fault.code for fault in homes.round().faults] == ["E-NO-WRITE"]
    assert homes.round().aside == []
    assert len(homes.desk.people.contacts()) == 2


def test_a_mail_that_takes_long_waits_for_the_others_and_is_then_finished(homes, monkeypatch):
    ticks = iter(range(0, 1_000_000, 11))  # each look at the clock is eleven seconds later
    monkeypatch.setattr(incoming, "monotonic", lambda: next(ticks))
    patient, opened = [], incoming.Opener.open

    def noted(opener, raw, mark, *, seconds):
        patient.append(seconds == inf)
        return opened(opener, raw, mark, seconds=seconds)

    monkeypatch.setattr(incoming.Opener, "open", noted)
    done = homes.round()
    assert (done.faults, done.aside) == ([], [])
    assert patient == [False, False, True, True]
    assert len(homes.desk.people.contacts()) == 2
    assert len(summary.rows(homes.desk)) == 1
    assert homes.round().looked_at == 0


def test_what_was_put_off_survives_a_stop(homes, monkeypatch):
    ticks = iter(range(0, 1_000_000, 11))
    with monkeypatch.context() as slow:
        slow.setattr(incoming, "monotonic", lambda: next(ticks))
        killed_at_cards(slow)
        with pytest.raises(Killed):
            homes.round()
    assert len(aside(homes).held(".later")) >= 1
    homes.round()
    assert aside(homes).held(".later") == []
    assert len(homes.desk.people.contacts()) == 2
    assert len(summary.rows(homes.desk)) == 1


def test_the_commands(homes, monkeypatch, capsys):
    from pbem.cli.run import run

    monkeypatch.setenv("PBEM_HOME", str(homes.desk.root))
    homes.state().set_settings(homes.person, homes.settings)
    with monkeypatch.context() as dying:
        killed_at_cards(dying)
        for _ in range(2):
            with pytest.raises(Killed):
                run(["mail", "sync"])
        capsys.readouterr()
        assert run(["mail", "sync", "--json"]) == 1
    done = json.loads(capsys.readouterr().out)
    assert [fault["code"] for fault in done["faults"]] == ["E-MAIL-ASIDE"]
    assert len(done["aside"]) == 1
    assert run(["mail", "sync"]) == 0
    assert "1 mail was set aside" in capsys.readouterr().out
    assert run(["mail", "status"]) == 0
    assert "pbem mail retry" in capsys.readouterr().out
    assert run(["mail", "retry"]) == 0
    assert "1 mail opened" in capsys.readouterr().out
    assert run(["mail", "retry"]) == 0
    assert "No mail is set aside" in capsys.readouterr().out
