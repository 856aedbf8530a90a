"""Two homes, a whole game, by the calls of the desk alone."""

import shutil

from desks import carry, desk_at, introduce, play, start, two, umpired

from pbem.home import acts, describe, orders, seen, summary


def test_two_homes_play_a_whole_game(played):
    alice, bob, name = played
    assert summary.find(alice, "bridge") == summary.find(bob, name) == name
    rows = [summary.row(desk, name) for desk in (alice, bob)]
    assert [row.stage for row in rows] == ["over", "over"]
    assert rows[0].result == rows[1].result
    assert [line.id for line in describe.log(alice, name)] == [line.id for line in describe.log(bob, name)]


def test_how_long_somebody_has_waited(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    first = {each.by: each.since for each in summary.row(alice, name).owed}
    assert all(first.values())
    orders.set_note(alice, name, "Take your time")
    carry(alice, bob, [(alice, acts.tie(alice, name))])
    # A proposal between changes nothing about how long the orders are owed.
    later = {each.by: each.since for each in summary.row(alice, name).owed if each.what == "orders"}
    assert later == first
    answer = next(each for each in summary.row(alice, name).owed if each.what == "answer")
    assert answer.since > max(first.values())
    # Without the cache, what is owed is owed since the last record came.
    shutil.rmtree(next((tmp_path / "alice" / "games").iterdir()) / "cache")
    assert {each.since for each in summary.row(alice, name).owed} == {answer.since}


def test_an_umpire_looks_and_does_not_play(tmp_path):
    alice, bob = two(tmp_path)
    dora = desk_at(tmp_path / "dora", "dora")
    dora.new_identity("Dora", "", "")
    introduce(alice, bob, dora)
    name = umpired(dora, (alice, bob), "bridgehead", {"blue": "alice", "red": "bob"}, mode="umpire")
    assert summary.row(dora, name).stage == "playing"
    assert not summary.row(dora, name).my_move
    assert seen.board(dora, name)
    assert list(orders.move(dora, name).legal()) == []
    assert orders.move(dora, name).asked() == ()
    assert orders.move(dora, name).drafted().orders == []
    play((alice, bob, dora), name)
    assert {summary.row(desk, name).stage for desk in (alice, bob, dora)} == {"over"}
