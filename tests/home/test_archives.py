"""Archives made at the table are checked by strangers."""

from dataclasses import replace

import pytest
from desks import carry, desk_at, duel, introduce, start, took

from pbem.engine.definition import DataSet
from pbem.engine.registry import find
from pbem.home import acts, archives, backup, describe, intake, offers, orders, sending, summary
from pbem.protocol.errors import PbemError


def test_an_archive_is_checked_by_a_stranger_and_harmless_to_its_players(tmp_path, played):
    alice, bob, name = played
    raw = b"".join(archives.archive(alice, name))
    assert raw == b"".join(archives.archive(bob, name))
    stranger = desk_at(tmp_path / "stranger", "stranger")
    stranger.new_identity("Sam", "", "")
    (told,) = took(intake.open_bytes(stranger, raw))
    assert told.kind == "archive"
    assert "everything is correct" in told.notes[0]
    assert "All secrets are open and correct." in told.notes[0]
    assert summary.rows(stranger) == []
    (again,) = took(intake.open_bytes(bob, raw))
    assert (again.new, again.game) == (0, name)
    damaged = bytearray(raw)
    damaged[len(raw) // 2] ^= 1
    (bad,) = intake.open_bytes(stranger, bytes(damaged))
    assert bad.refused is not None


def test_a_whole_game_as_it_is_mailed_is_verified_without_a_list_of_draws(played):
    alice, _, name = played
    mailed = archives.check_archive(sending.resend(alice, name).raw, find)
    archived = archives.check_archive(b"".join(archives.archive(alice, name)), find)
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
        offers.offer(alice, "duel", seats=seats, replaced={"unknown": [1]})
    assert caught.value.code == "E-SETUP"
    name, posted = offers.offer(alice, "duel", seats=seats, replaced={"chart": [6, 6, 6]}, options={"turns": 1})
    (opened,) = took(intake.open_bytes(bob, posted.raw))
    assert opened.happened == (
        "ann: Alice.",
        "bob: invited.",
        "Options: turns = 1.",
        "No umpire: a player who has not answered for 30 days after a claim may lose by forfeit.",
        "Take care: in place of the game's data file 'chart' it uses one of Alice's own, digest "
        f"{own.data.replaced({'chart': [6, 6, 6]}).file_digest('chart').hex()[:16]}: "
        "[1]: 6 instead of 1; [2]: 6 instead of 2; [3]: 6 instead of 3.",
    )
    carry(alice, bob, [(bob, offers.join(bob, name))])
    for _ in range(30):
        mover = next((desk for desk in desks if summary.row(desk, name).my_move), None)
        if mover is None:
            break
        orders.order(mover, name, [next(orders.move(mover, name).legal())])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    assert {summary.row(desk, name).stage for desk in desks} == {"over"}
    again = desk_at(tmp_path / "again", "again", find_game=lambda _: own)
    restored = backup.restore(again, backup.phrase(bob, bob.people.me()), [backup.backup(bob, bob.people.me())], "")
    assert restored.faults == ()
    assert summary.row(again, name).result == summary.row(bob, name).result


def test_a_message_that_comes_early_is_kept(tmp_path):
    desks = [desk_at(tmp_path / who, who, find_game=lambda _: duel()) for who in ("alice", "bob")]
    alice, bob = desks
    for desk, who in zip(desks, ("alice", "bob"), strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in desks if summary.row(desk, name).my_move)
        orders.order(mover, name, ["talisman 2"])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    orders.order(alice, name, ["aim 2"])
    sending.send(alice, name)
    orders.set_note(alice, name, "One more thing")
    took(intake.open_bytes(alice, acts.tie(alice, name).raw))
    last = sending.resend(alice, name)
    from pbem.protocol.container import read, write

    items = list(read(last.raw))
    early = write(items[-2:])
    (opened,) = took(intake.open_bytes(bob, early))
    assert opened.new == 0
    assert "wait for records" in opened.what
    found = took(intake.open_bytes(bob, write(items[:-2])))
    assert describe.log(bob, name)[-1].message == "One more thing"
    assert found[0].new == 2
