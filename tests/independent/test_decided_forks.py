"""After a fork that a ruling decides all come to one state and can write an archive (FIL-4)."""

from __future__ import annotations

import random

import pytest
from games.duel import Talisman, duel
from stranger import verify as stranger_verify

from pbem.engine.archive import archive_items, verify_archive
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Peer, Table
from pbem.fairplay.verify import verify
from pbem.protocol.container import Item
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.log import ForkFound
from pbem.protocol.record import UMPIRE, Record


def take(replay: Replay, records: list[Record]) -> None:
    """Whatever can be taken, as often as it takes; of two rivals the second is kept aside."""
    waiting = list(records)
    while True:
        left = []
        for record in waiting:
            try:
                replay.accept(record)
            except ForkFound:
                replay.add_rival(record)
            except Incomplete:
                left.append(record)
            except Refusal:
                continue
        if len(left) == len(waiting):
            return
        waiting = left


class Story:
    """A forker sends one record to some and another to others, all go on, a ruling decides."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        umpire = rng.random() < 0.6
        self.table = Table(duel(3), 3, seed=str(seed), umpire=umpire)
        self.table.settle()
        for number in range(3):
            self.table.order(number, [Talisman(1)])
        self.table.settle()
        self.opening = list(self.table.records)
        self.forker = rng.randrange(3)
        others = [number for number in range(3) if number != self.forker]
        self.rulers = [UMPIRE] if umpire else others
        self.pair = self.fork()
        self.records = list(self.pair)
        self.keep = rng.randrange(2)
        for number, peer in self.table.peers.items():
            if number != self.forker and rng.random() < 0.8:
                take(peer.replay, [rng.choice(self.pair)])

    def fork(self) -> list[Record]:
        peer = self.table.peers[self.forker]
        found = [peer.player.record(peer.replay.log, peer.match, "tie", {}, at=at) for at in (1, 2)]
        if peer.match.asked(self.forker):
            data = peer.player.orders_data(peer.match, self.table.choose(self.forker), found[0].seq)
            found[1] = peer.make("orders", data)
        take(peer.replay, found)
        return found

    def write(self, peer: Peer, kind: str, data: dict) -> None:
        try:
            record, _ = peer.seal(kind, data)
        except Refusal:
            return
        self.records.append(record)

    def step(self) -> None:
        number = self.rng.choice(list(self.table.peers))
        peer = self.table.peers[number]
        what = self.rng.choice(("tie", "play", "hear", "hear", "rule"))
        if what == "hear":
            other = self.rng.choice(list(self.table.peers.values())).replay.log
            take(peer.replay, [record for record in self.records if other.holds(record.id)])
        elif what == "rule" and number in self.rulers:
            self.rule(number)
        elif number != self.forker and what == "tie":
            self.write(peer, "tie", {})
        elif number != self.forker and what == "play":
            owed = peer.player.owed(peer.match)
            if owed:
                self.write(peer, *owed[0])
            elif peer.match.asked(number):
                seq = peer.replay.log.count(number)
                orders = self.table.choose(number)
                self.write(peer, "orders", peer.player.orders_data(peer.match, orders, seq))

    def rule(self, number: int) -> None:
        peer = self.table.peers[number]
        kept, dropped = self.pair[self.keep], self.pair[1 - self.keep]
        seen = next((each for each in self.pair if peer.replay.log.find(each.id)), None)
        if seen is not None:
            other = dropped if seen is kept else kept
            data = {"what": "branch", "why": "", "keep": kept.id, "drop": dropped.id}
            self.write(peer, "ruling", {**data, "other": other.raw})

    def tell(self) -> None:
        """The whole story; True: everybody holds a fork that is decided."""
        for _ in range(self.rng.randrange(5, 25)):
            self.step()
        for number in self.rulers:
            take(self.table.peers[number].replay, self.pair)
            self.rule(number)
        for _ in range(self.rng.randrange(0, 8)):
            self.step()
        for peer in self.table.peers.values():
            take(peer.replay, self.records)


def states(story: Story) -> set[tuple]:
    replays = [peer.replay for peer in story.table.peers.values()]
    for _ in range(2):
        late = Replay(lambda _: story.table.game)
        mixed = story.records[:]
        story.rng.shuffle(mixed)
        take(late, story.opening)
        take(late, mixed)
        replays.append(late)
    return {
        (each.match.state_hash(), each.log.vector, tuple(r.id for r in each.records()))
        for each in replays
    }


def check(items: list[Item], replay: Replay) -> None:
    for level in (1, 2):
        assert verify(items, level=level).ok, (level, verify(items, level=level).first_bad)
        stranger_verify([(int(item.type), item.raw) for item in items], level)
    found = verify_archive(items, {"duel": replay.match.machine.game})
    assert found.ok, found.first_bad
    assert found.state == replay.match.state_hash()


@pytest.mark.parametrize("seed", range(30))
def test_an_archive_of_a_decided_fork_can_be_written(seed):
    story = Story(seed)
    story.tell()
    assert len(states(story)) == 1
    for peer in story.table.peers.values():
        log = peer.replay.log
        assert all(log.is_decided(fork) for fork in log.forks)
        check(list(archive_items(peer.replay)), peer.replay)
