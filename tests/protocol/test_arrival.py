"""The same records in any order of arrival: the same verdicts (LOG-1..LOG-9, MEA-10)."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from logplay import Table, person, secrets, table

from pbem.fairplay.begin import join_data
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.log import ForkFound, Log
from pbem.protocol.record import Record, make_record
from pbem.protocol.ruling import rekey_proof

NEWCOMERS = ("frieda", "gustav", "hilde")
PEOPLE = {person(name)[0].identity: name for name in ("anna", "ben", "carla", "dmitri", "ursula", *NEWCOMERS)}


def deliver(log: Log, records: list[Record]) -> dict[bytes, str]:
    """What a store does with what arrives, as often as it takes; what became of each record."""
    found: dict[bytes, str] = {}
    waiting = list(records)
    while True:
        left = []
        for record in waiting:
            try:
                try:
                    log.add(record)
                except ForkFound:
                    log.add_rival(record)
                found[record.id] = "held"
            except Incomplete:
                found[record.id] = "waits"
                left.append(record)
            except Refusal as refusal:
                found[record.id] = refusal.code
        if len(left) == len(waiting):
            return found
        waiting = left


@dataclass
class View:
    """The log of a player, or one of two that a forker keeps, and the last record written to it."""

    by: int
    log: Log
    last: bytes | None = None


class Story:
    """Players who write what comes to their minds, some of it wrong; forkers go on with both branches."""

    def __init__(self, players: int, umpire: bool, rng: random.Random) -> None:
        self.game: Table = table(players, umpire=umpire)
        self.rng = rng
        self.views = [View(by, self.game.log()) for by in self.game.authors]
        self.records: list[Record] = []
        self.forked: set[int] = set()
        self.signers: dict[tuple, Keys] = {}

    def write(self, view: View, kind: str = "tie", data: dict | None = None, **changes) -> None:
        keys, _ = person(PEOPLE[view.log.card_of(view.by).identity])
        record = self.game.record(view.log, view.by, kind, data, keys=keys, **changes)
        if self.signers.setdefault((record.by, record.seq, record.prev), keys) is not keys:
            return  # two keys for one place: there the first that comes stands (LOG-6)
        self.records.append(record)
        if deliver(view.log, [record])[record.id] == "held":
            view.last = record.id

    def step(self) -> None:
        view = self.rng.choice(self.views)
        by, log = view.by, view.log
        if view.last not in (None, log.last(by)):
            return  # the other branch was kept: whoever follows that goes on
        what = self.rng.choice(
            ("tie", "tie", "sync", "sync", "sync", "fork", "branch", "branch", "rekey", "rule", "wild")
        )
        if what == "tie":
            self.write(view)
        elif what == "sync":
            other = self.rng.choice(self.views).log
            deliver(log, [record for record in self.records if other.holds(record.id)])
        elif what == "fork" and by not in self.forked:
            self.forked.add(by)
            twin = View(by, Log.load(log.dump()))
            self.views.append(twin)
            self.write(view)
            self.write(twin, "answer", {"to": bytes(32), "yes": False})
        elif what == "branch":
            self._choose(view)
        elif what == "rekey":
            keys, card = person(self.rng.choice(NEWCOMERS))
            proof = rekey_proof(keys, self.game.game_id, by, log.count(by), card)
            self.write(view, "rekey", {"card": card.raw, "proof": proof})
        elif what == "rule":
            self.write(view, "ruling", self._newcomer(self.rng.choice(self.game.genesis.players)))
        elif what == "wild":
            held = [record for record in self.records if log.holds(record.id)]
            heads = []
            for other, head in log.heads(by):
                heads.append((other, self.rng.choice([head, *(record.id for record in held if record.by == other)])))
            self.write(view, heads=tuple(heads))

    def _choose(self, view: View) -> None:
        log = view.log
        if log.forks:
            fork = self.rng.choice(log.forks)
            pair = [record for record in self.records if record.id in (log.id_at(fork.by, fork.seq), fork.first)]
            self.rng.shuffle(pair)
            if len(pair) == 2:
                data = {"what": "branch", "why": "", "keep": pair[0].id, "drop": pair[1].id}
                self.write(view, "ruling", data | {"other": self.rng.choice(pair).raw})

    def _newcomer(self, player: int) -> dict:
        name = self.rng.choice(NEWCOMERS)
        keys, card = person(name)
        if self.rng.random() < 0.5:
            proof = rekey_proof(keys, self.game.game_id, player, 0, card)
            return {"what": "rekey", "why": "", "player": player, "card": card.raw, "proof": proof}
        part = join_data(card, secrets(name), self.game.genesis.offer, player)
        fields = {
            "by": player,
            "game": self.game.game_id,
            "heads": (),
            "kind": "join",
            "pin": 0,
            "prev": None,
            "seq": 0,
        }
        return {
            "what": "substitute",
            "why": "",
            "player": player,
            "join": make_record(keys, at=9, data=part, **fields).raw,
        }

    def known(self, log: Log) -> list:
        """What a log says when every fork is decided."""
        held = sorted(record.id for record in self.records if log.find(record.id))
        return [
            held,
            [log.past_at(*log.find(each)) for each in held],
            [each for each in held if log.is_void(each)],
            [(log.card_of(by).sign, log.heads(by)) for by in log.authors],
        ]


@pytest.mark.parametrize("seed", range(60))
def test_any_order_of_arrival_gives_the_same_verdicts(seed):
    rng = random.Random(seed)
    story = Story(rng.choice((2, 3, 4)), rng.random() < 0.5, rng)
    for _ in range(rng.randrange(10, 60)):
        story.step()
    straight = story.game.log()
    first = deliver(straight, story.records)
    for _ in range(6):
        mixed = story.records[:]
        rng.shuffle(mixed)
        log = story.game.log()
        found = deliver(log, mixed)
        places = {(each.by, each.seq, each.prev) for each in story.records if first[each.id] == "held"}
        for record in story.records:
            # Of a rival that is bad in itself, either may be said first.
            loose = (record.by, record.seq, record.prev) in places and "held" not in (
                found[record.id],
                first[record.id],
            )
            assert loose or found[record.id] == first[record.id]
        assert all(map(log.is_decided, log.forks)) == all(map(straight.is_decided, straight.forks))
        if all(map(log.is_decided, log.forks)):
            assert story.known(log) == story.known(straight)
        again = Log.load(log.dump())
        assert again.dump() == log.dump()
        assert story.known(again) == story.known(log)
