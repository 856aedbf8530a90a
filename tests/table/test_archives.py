"""Archives made at the table are checked by strangers."""

from dataclasses import replace

import pytest
from desks import carry, desk_at, duel, introduce, play, start, took, two

from pbem.engine.definition import DataSet
from pbem.engine.registry import find
from pbem.protocol.errors import PbemError
from pbem.table import archiving


def test_an_archive_is_checked_by_a_stranger_and_harmless_to_its_players(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    play((alice, bob), name)
    raw = b"".join(alice.archive(name))
    assert raw == b"".join(bob.archive(name))
    stranger = desk_at(tmp_path / "stranger", "stranger")
    stranger.new_identity("Sam", "", "")
    (told,) = took(stranger.open(raw))
    assert told.kind == "archive"
    assert "all of it checks" in told.notes[0]
    assert "secrets are all open" in told.notes[0]
    assert stranger.games() == []
    (again,) = took(bob.open(raw))
    assert (again.new, again.game) == (0, name)
    damaged = bytearray(raw)
    damaged[len(raw) // 2] ^= 1
    (bad,) = stranger.open(bytes(damaged))
    assert bad.refused is not None


def test_a_whole_game_as_it_is_mailed_is_verified_without_a_list_of_draws(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    play((alice, bob), name)
    mailed = archiving.check(alice.resend(name).raw, find)
    archived = archiving.check(b"".join(alice.archive(name)), find)
    assert archived.counts.dice > 0
    assert (mailed.ok, mailed.counts, mailed.state) == (True, archived.counts, archived.state)


def test_data_files_of_the_players_own_travel_with_the_offer(tmp_path):
    own = replace(duel(), data=DataSet({"chart": [1, 2, 3], "map": {"size": 4}}), check_data=str)
    desks = [desk_at(tmp_path / who, who, find_game=lambda _: own) for who in ("alice", "bob")]
    alice, bob = desks
    for desk, who in zip(desks, ("alice", "bob"), strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    seats = {"ann": "me", "bob": "bob"}
    with pytest.raises(PbemError) as caught:
        alice.offer("duel", seats=seats, replaced={"unknown": [1]})
    assert caught.value.code == "E-SETUP"
    name, posted = alice.offer("duel", seats=seats, replaced={"chart": [6, 6, 6]}, options={"turns": 1})
    (opened,) = took(bob.open(posted.raw))
    assert opened.happened == (
        "ann: Alice.",
        "bob: invited.",
        "Options: turns = 1.",
        "No umpire: the others may put out a player who has not answered a claim for 30 days.",
        "Take care: played with data of Alice's own in place of the game's: chart.",
    )
    carry(alice, bob, [(bob, bob.join(name))])
    for _ in range(30):
        mover = next((desk for desk in desks if desk.row(name).my_move), None)
        if mover is None:
            break
        mover.order(name, [next(mover.legal(name))])
        carry(alice, bob, [(mover, mover.send(name))])
    assert {desk.row(name).stage for desk in desks} == {"over"}
    again = desk_at(tmp_path / "again", "again", find_game=lambda _: own)
    restored = again.restore(bob.phrase(bob.people.me()), [bob.backup(bob.people.me())], "")
    assert restored.faults == ()
    assert again.row(name).result == bob.row(name).result


def test_a_message_that_comes_early_is_kept(tmp_path):
    desks = [desk_at(tmp_path / who, who, find_game=lambda _: duel()) for who in ("alice", "bob")]
    alice, bob = desks
    for desk, who in zip(desks, ("alice", "bob"), strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in desks if desk.row(name).my_move)
        mover.order(name, ["talisman 2"])
        carry(alice, bob, [(mover, mover.send(name))])
    alice.order(name, ["aim 2"])
    alice.send(name)
    alice.set_note(name, "One more thing")
    took(alice.open(alice.tie(name).raw))
    last = alice.resend(name)
    from pbem.protocol.container import read, write

    items = list(read(last.raw))
    early = write(items[-2:])
    (opened,) = took(bob.open(early))
    assert opened.new == 0
    assert "wait for records" in opened.what
    found = took(bob.open(write(items[:-2])))
    assert bob.log(name)[-1].message == "One more thing"
    assert found[0].new == 2
