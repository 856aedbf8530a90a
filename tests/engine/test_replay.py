"""Records in any order: every copy of a game comes to the same state (MEA-1..4)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from games.duel import Aim, Fire, Rest, Stand, Talisman, duel
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine import replay as module
from pbem.engine.archive import verify_archive
from pbem.engine.match import Accepted, Match
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.engine.testing.scripted import Chance
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.log import ForkFound
from pbem.protocol.record import UMPIRE, Record

ANN, BOB, CID = 0, 1, 2


def start(players: int = 2, **options: Any) -> Table:
    table = Table(duel(players), players, **options)
    table.settle()
    for number in range(players):
        table.order(number, [Talisman(1)])
    table.settle()
    return table


def fresh(table: Table) -> Replay:
    return Replay(lambda _: table.game)


def take_all(replay: Replay, records: list[Record]) -> list[str]:
    """Takes records in whatever order they come; the codes of those that were refused."""
    waiting, codes = list(records), []
    while waiting:
        left = []
        for record in waiting:
            try:
                replay.accept(record)
            except Incomplete:
                left.append(record)
            except Refusal as refusal:
                codes.append(refusal.code)
        assert len(left) < len(waiting)
        waiting = left
    return codes


def shuffled(records: list[Record], seed: str) -> list[Record]:
    chance = Chance(seed)
    pool, out = list(records), []
    while pool:
        out.append(pool.pop(chance.below(len(pool))))
    return out


def same(a: Replay, b: Replay) -> None:
    assert a.match is not None
    assert b.match is not None
    assert a.match.state_hash() == b.match.state_hash()
    assert a.match.pending() == b.match.pending()
    assert a.match.result == b.match.result
    assert a.log.vector == b.log.vector


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
def test_any_order_of_arrival_gives_the_same_game(seed: int, players: int) -> None:
    table = Table(duel(players), players, seed=str(seed), options={"turns": 1})
    table.play()
    assert table.agree()
    replay = fresh(table)
    assert take_all(replay, shuffled(table.records, str(seed))) == []
    same(replay, table.peers[0].replay)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0, 1_000]))
def test_a_game_with_every_kind_of_race_is_the_same_for_all(seed: int, far: int) -> None:
    """Players act without waiting for each other; records cross in the post. So it is for those who keep every position
    that they go back to, and for those who keep none.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "FAR", far)
        race(seed)


def race(seed: int) -> None:
    table = Table(duel(3), 3, seed=str(seed))
    chance = Chance(f"race {seed}")
    for _ in range(120):
        number = chance.below(3)
        peer = table.peers[number]
        pick = chance.below(14)
        proposals = [key for key, each in peer.match.position.proposals.items() if number in each.waiting]
        try:
            if pick == 0:
                table.send(number, "tie", {})
            elif pick == 1 and proposals:
                table.send(
                    number, "answer", {"to": proposals[chance.below(len(proposals))], "yes": chance.below(4) > 0}
                )
            elif pick == 2 and peer.match.position.barrier.phase == "orders":
                vector = zip((0, 1, 2), peer.replay.log.vector, strict=True)
                table.send(number, "takeback", {"to": [[by, count] for by, count in vector]})
            elif pick == 3 and chance.below(12) == 0:
                table.send(number, "resign", {"seats": list(peer.match.genesis.seats_of(number))})
            else:
                table.step()
        except Refusal as refusal:
            if refusal.code not in ("E-ACT", "E-OWES"):
                raise
    table.deliver()
    assert table.agree(), [peer.refused for peer in table.peers.values()]
    replay = fresh(table)
    assert take_all(replay, shuffled(table.records, str(seed))) == []
    same(replay, table.peers[0].replay)


def test_a_resignation_that_crosses_orders_leaves_the_orders_standing() -> None:
    table = start()
    orders = table.order(ANN, [Fire()])
    table.send(BOB, "resign", {"seats": ["bob"]})
    table.deliver()
    assert table.agree()
    for peer in table.peers.values():
        assert peer.match.result is not None
        assert peer.match.machine.state.shots == 1  # orders come first, whoever was first to arrive
        moot = [record.id for record, accepted in peer.replay.history() if accepted.moot]
        assert orders.id not in moot


def test_an_answer_that_crosses_a_new_choice_is_moot() -> None:
    table = start()
    tie = table.send(ANN, "tie", {})
    table.deliver()
    table.order(ANN, [Aim(1)])
    answer = table.send(BOB, "answer", {"to": tie.id, "yes": True})
    table.deliver()
    assert table.agree()
    for peer in table.peers.values():
        assert peer.match.result is None
        assert [record.id for record, accepted in peer.replay.history() if accepted.moot] == [answer.id]


def test_two_resignations_that_cross_end_the_game_once() -> None:
    table = start()
    table.send(BOB, "resign", {"seats": ["bob"]})
    table.send(ANN, "resign", {"seats": ["ann"]})
    table.deliver()
    assert table.agree()
    result = table.peers[BOB].match.result
    assert result is not None
    assert result.winner == "bob"  # of two acts the lower number goes first
    table.play()
    assert table.agree()


def test_parallel_choices_and_reveals_commute() -> None:
    def copies() -> Table:
        table = Table(duel(3), 3, seed="parallel")
        table.deliver()
        return table

    table = copies()
    nonces = [table.peers[n].seal(*table.peers[n].player.owed(table.peers[n].match)[0])[0] for n in range(3)]
    states = set()
    for order in itertools.permutations(nonces):
        replay = fresh(table)
        take_all(replay, [*table.records[:4], *order])
        assert replay.match is not None
        states.add((replay.match.state_hash(), replay.match.pending()))
    assert len(states) == 1


def test_what_has_not_arrived_is_nobodys_fault() -> None:
    table = start()
    replay = fresh(table)
    for record in table.records[:3]:
        replay.accept(record)
    last = table.records[-1]
    with pytest.raises(Incomplete) as caught:
        replay.accept(last)
    assert caught.value.missing


def test_the_same_record_twice_changes_nothing() -> None:
    table = start()
    replay = table.peers[ANN].replay
    before = replay.log.vector
    for record in table.records:
        accepted = replay.accept(record)
        assert not accepted.events
    assert replay.log.vector == before


def test_a_stale_head_is_refused() -> None:
    table = start()
    peer = table.peers[ANN]
    match = peer.match
    data = peer.player.orders_data(match, [Fire()], peer.replay.log.count(ANN))

    class Old:
        """A log that shows Bob's chain as it was."""

        def __init__(self) -> None:
            self.last, self.count = peer.replay.log.last, peer.replay.log.count

        def heads(self, by: int) -> tuple[tuple[int, bytes], ...]:
            first = peer.replay.log.id_at(BOB, 0)
            assert first is not None
            return ((BOB, first),)

    record = peer.player.record(Old(), match, "orders", data, at=1)  # type: ignore[arg-type]
    with pytest.raises(Refusal) as caught:
        table.peers[BOB].replay.accept(record)
    assert caught.value.code == "E-HEADS"


# Snapshots


def test_a_snapshot_is_the_replay_again() -> None:
    table = start(3)
    peer = table.peers[BOB]
    again = Replay.load(peer.replay.dump(), lambda _: table.game)
    same(again, peer.replay)
    table.order(ANN, [Fire()])
    table.deliver()
    again.accept(table.records[-1])
    same(again, peer.replay)


def test_a_snapshot_at_any_barrier_goes_on_like_the_original() -> None:
    table = Table(duel(2), 2, seed="snap", options={"turns": 1})
    table.play()
    replay = fresh(table)
    for record in table.records:
        replay.accept(record)
        if replay.match is not None:
            replay = Replay.load(replay.dump(), lambda _: table.game)
    same(replay, table.peers[0].replay)


def test_a_snapshot_of_other_records_is_refused() -> None:
    table = start()
    dumped = dict(table.peers[ANN].replay.dump())
    dumped["bound"] = bytes(32)
    with pytest.raises(Refusal):
        Replay.load(dumped, lambda _: table.game)


def test_a_replay_with_a_source_needs_no_records_of_its_own() -> None:
    table = start(3)
    table.order(ANN, [Fire()])
    table.deliver()
    replay = Replay.load(table.peers[BOB].replay.dump(), lambda _: table.game)
    kept = {(record.by, record.seq): record.raw for record in table.records}
    replay.source = lambda by, seq: kept[by, seq]
    table.send(CID, "tie", {})
    table.order(BOB, [Stand()])
    table.deliver()
    take_all(replay, table.records[-2:][::-1])
    same(replay, table.peers[BOB].replay)


def test_a_refusal_half_way_restores_the_game_from_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 3)
    table = start()
    for _ in range(3):
        for number in (ANN, BOB):
            peer = table.peers[number]
            data = peer.player.orders_data(peer.match, [], peer.replay.log.count(number))
            bad = peer.make("orders", {**data, "orders": peer.match.game.orders.write_all([Aim(1), Aim(9)])})
            peer.match.state_hash()
            before = peer.match.dump()
            with pytest.raises(Refusal):
                peer.replay.accept(bad)
            peer.match.state_hash()
            assert peer.match.dump() == before
            table.order(number, [Aim(1), Rest()])
            table.settle()
    table.play()
    assert table.agree()


def test_history_tells_the_game_again() -> None:
    table = Table(duel(2), 2, seed="history", options={"turns": 1})
    table.play()
    replay = table.peers[ANN].replay
    told = list(replay.history())
    assert {record.id for record, _ in told} == {record.id for record in table.records}
    assert [record.id for record, _ in told] == [record.id for record in replay.records()]
    whole = replay.fold(replay.log.vector)
    assert whole.state_hash() == table.peers[ANN].match.state_hash()


@pytest.mark.parametrize("of", [lambda table: table.peers[ANN].replay, fresh], ids=["its own", "a stranger's"])
def test_the_way_back_to_a_point_is_folded_once(of: Callable[[Table], Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever offers a takeback, answers it, and tells the game again asks for the same position each time."""
    table = Table(duel(2), 2, seed="back", options={"turns": 3})
    table.play()
    replay = of(table)
    take_all(replay, table.records)
    last = [record for record in table.records if record.kind == "orders"][-1]
    past, folded = replay.log.past_at(last.by, last.seq), [0]
    accept = Match.accept

    def counting(match: Match[Any], record: Record, **how: bool) -> Accepted:
        folded[0] += 1
        return accept(match, record, **how)

    monkeypatch.setattr(Match, "accept", counting)
    first = replay.fold(past).state_hash()
    assert folded[0] > module.FAR
    folded[0] = 0
    assert replay.fold(past).state_hash() == first
    assert folded[0] == 0
    later = tuple(count + (by == last.by) for by, count in zip(replay.log.authors, past, strict=True))
    assert replay.fold(later).state_hash() == table.peers[BOB].replay.fold(later).state_hash()


def test_a_position_that_is_kept_is_forgotten_when_a_record_comes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FAR", 0)
    table = start()
    table.order(ANN, [Fire()])
    table.send(BOB, "resign", {"seats": ["bob"]})
    replay = table.peers[BOB].replay
    assert replay.fold(replay.log.vector).machine.state.shots == 0
    table.deliver()
    assert replay.fold(replay.log.vector).machine.state.shots == 1


# Forks


def test_after_a_fork_a_ruling_brings_all_copies_together() -> None:
    table = start(3, umpire=True)
    bad = table.peers[ANN]
    seq = bad.replay.log.count(ANN)
    one, other = (
        bad.make("orders", bad.player.orders_data(bad.match, given_orders, seq))
        for given_orders in ([Fire()], [Aim(2)])
    )
    bad.replay.accept(one)
    for number, first, second in ((BOB, one, other), (CID, other, one), (UMPIRE, other, one)):
        replay = table.peers[number].replay
        replay.accept(first)
        with pytest.raises(ForkFound):
            replay.accept(second)
        replay.add_rival(second)
    bad.replay.add_rival(other)
    records = [one, other]
    stand = table.peers[BOB]  # Bob goes on from what he saw, before anybody rules
    records.append(
        stand.seal("orders", stand.player.orders_data(stand.match, [Stand()], stand.replay.log.count(BOB)))[0]
    )
    ruling = {"what": "branch", "why": "two turns", "keep": other.id, "drop": one.id, "other": one.raw}
    records.append(table.peers[UMPIRE].seal("ruling", ruling)[0])  # type: ignore[arg-type]
    for peer in table.peers.values():
        for record in records[2:]:
            peer.replay.accept(record)
    same_state = {peer.match.state_hash() for peer in table.peers.values()}
    assert len(same_state) == 1
    assert {peer.replay.log.vector for peer in table.peers.values()} == {bad.replay.log.vector}
    for peer in table.peers.values():
        assert peer.match.machine.state.left == 2
        assert peer.match.machine.state.shots == 0
        assert peer.match.asked(ANN) == ("ann",)
    table.order(ANN, [Rest()])
    table.deliver()
    assert {peer.match.asked(BOB) for peer in table.peers.values()} == {("bob",)}
    verdict = verify_archive(table.archive(CID), {"duel": table.game})
    assert verdict.ok, verdict.first_bad


def test_who_wants_no_events_comes_to_the_same_state() -> None:
    table = start()
    table.play()
    heard, deaf = fresh(table), fresh(table)
    deaf.attend(heard=False)
    events = 0
    for record in table.records:
        events += len(heard.accept(record).events)
        assert deaf.accept(record).events == ()
    assert events
    assert heard.match is not None
    assert deaf.match is not None
    assert deaf.match.state_hash() == heard.match.state_hash()
    assert not deaf.match.copy().around.heard
