"""A player whose program lies, for any game: what every set of rules must withstand."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pbem.engine.bots import Bot
from pbem.engine.testing.inmemory import Table, person
from pbem.fairplay.items import make_dice_item
from pbem.protocol.canonical import pack
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.log import ForkFound
from pbem.protocol.record import Record, make_record, parse_record
from pbem.protocol.ruling import rekey_proof

SEED = st.integers(0, 10**9)


class Cheats(RuleBasedStateMachine):
    """Honest steps in between; `cheat` sends one bad record to everybody and looks at what they say."""

    table: Table
    cheater: int = 1
    bots: Mapping[int, Bot[Any]] | None = None
    tried: Counter[str]

    def __init__(self) -> None:
        super().__init__()
        self.tried = Counter()
        self.claims: list[bytes] = []

    @invariant()
    def nobody_has_refused_an_honest_record(self) -> None:
        if hasattr(self, "table"):
            assert not any(peer.refused for peer in self.table.peers.values())

    def cheat(self, record: Record, *codes: str) -> None:
        """Everybody but the cheater refuses, for the same reason, and nothing has changed."""
        self.tried[sys._getframe(1).f_code.co_name] += 1
        for number, peer in self.table.peers.items():
            if number == self.cheater:
                continue
            before = (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector)
            try:
                peer.replay.accept(record)
            except Refusal as refusal:
                found = refusal
            else:
                raise AssertionError(f"{record.kind} {record.data} was accepted")
            assert found.code in codes, (found.code, found.sentence)
            assert found.author == self.cheater
            assert found.step
            assert (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector) == before

    def make(self, kind: str, data: Any) -> Record:
        self.table.deliver()
        return self.table.peers[self.cheater].make(kind, data)

    def orders(self, *given: Any, **other: Any) -> dict[str, Any]:
        peer = self.table.peers[self.cheater]
        data = peer.player.orders_data(peer.match, [], peer.replay.log.count(self.cheater))
        return {**data, "orders": self.table.game.orders.write_all(given), **other}

    @property
    def me(self) -> Any:
        return self.table.peers[self.cheater]

    def asked(self) -> bool:
        return bool(self.me.match.asked(self.cheater))

    # Honest play

    @rule(count=st.integers(1, 12))
    def play_on(self, count: int) -> None:
        for _ in range(count):
            try:
                self.table.step(self.bots)
            except PbemError as error:
                raise AssertionError(f"an honest record was refused: {error}") from error

    @rule()
    def everything_arrives_and_all_agree(self) -> None:
        self.table.deliver()
        assert self.table.agree()

    @rule()
    def claim_what_is_owed(self) -> None:
        self.table.deliver()
        match = self.me.match
        owed = [list(item) for item in match.position.barrier.due]
        if owed and match.genesis.offer.silence and not match.position.barrier.owed_by(self.cheater):
            self.claims.append(self.table.send(self.cheater, "claim", {"owed": owed}).id)
            self.table.deliver()

    # Lies that every game knows

    @rule()
    def put_another_out(self) -> None:
        """By a claim never made, answered since, or about others; or by a friend in the other's place."""
        self.table.deliver()
        match = self.me.match
        if match.result is not None or match.genesis.umpire is not None:
            return
        for other in match.genesis.players:
            said = {"what": "forfeit", "why": "", "seats": list(match.genesis.seats_of(other))}
            for cited in (match.genesis.game_id, *self.claims[-2:]):
                if other == self.cheater or other not in match.position.barrier.silent(cited):
                    self.cheat(self.make("ruling", {**said, "claim": cited}), "E-RULING")
        if len(match.genesis.players) == 2:
            other = 1 - self.cheater
            keys, card, _ = person("a friend")
            proof = rekey_proof(keys, match.genesis.game_id, other, 0, card)
            said = {"what": "rekey", "why": "", "player": other, "card": card.raw, "proof": proof}
            self.cheat(self.make("ruling", said), "E-RULING")

    @rule()
    def claim_what_nobody_owes(self) -> None:
        self.table.deliver()
        match = self.me.match
        asked = {item[1] for item in match.position.barrier.due if item[0] == "orders"}
        idle = next((seat.name for seat in match.genesis.seats if seat.name not in asked), None)
        if idle is not None:
            self.cheat(self.make("claim", {"owed": [["orders", idle]]}), "E-ACT", "E-OWES")

    @rule(noise=st.binary(min_size=32, max_size=32))
    def show_another_position(self, noise: bytes) -> None:
        self.table.deliver()
        if self.asked():
            data = self.me.player.orders_data(
                self.me.match, self.table.choose(self.cheater), self.me.replay.log.count(self.cheater)
            )
            self.cheat(self.make("orders", {**data, "state": noise}), "E-DESYNC")

    @rule()
    def order_out_of_turn(self) -> None:
        self.table.deliver()
        if not self.asked():
            self.cheat(self.make("orders", self.orders(state=self.me.match.state_hash())), "E-TURN")

    @rule(noise=st.binary(min_size=32, max_size=32))
    def reveal_another_value(self, noise: bytes) -> None:
        self.table.deliver()
        for kind, data in self.me.player.owed(self.me.match)[:1]:
            items = [[*item[:2], noise] if item[0] == "dice" else item for item in data.get("items", [])]
            if items != data.get("items", []):
                self.cheat(self.make(kind, {"items": items}), "E-PROMISE")

    @rule()
    def reveal_early(self) -> None:
        self.table.deliver()
        ledger, barrier = self.me.match.ledger, self.me.match.position.barrier
        for record in self.table.records:
            if record.kind != "orders" or self.me.match.genesis.witness(record.by) != self.cheater:
                continue
            mark = ledger.marks.get(record.id)
            if mark is None or mark.x is not None or ("dice", record.id) in barrier.due:
                continue
            item = make_dice_item(ledger, self.me.player.secrets, self.cheater, record.id)
            self.cheat(self.make("reveal", {"items": [item]}), "E-UNASKED")

    @rule(pick=st.integers(0, 10**6), bit=st.integers(0, 7))
    def edit_an_honest_record(self, pick: int, bit: int) -> None:
        """One bit of what was sealed, the signature left as it was."""
        self.table.deliver()
        if not self.asked():
            return
        data = self.me.player.orders_data(
            self.me.match, self.table.choose(self.cheater), self.me.replay.log.count(self.cheater)
        )
        honest = self.make("orders", data)
        key, packed = pack("orders"), pack(data["orders"])  # no orders are one byte, which stands elsewhere, too
        at = honest.raw.rindex(key + packed) + len(key) + pick % len(packed)
        edited = honest.raw[:at] + bytes((honest.raw[at] ^ (1 << bit),)) + honest.raw[at + 1 :]
        try:
            found = parse_record(edited)
        except Refusal:
            return  # no msgpack any more
        self.cheat(found, "E-SIGNATURE", "E-FORM")

    @rule(back=st.integers(2, 5))
    def put_a_turn_before_the_last(self, back: int) -> None:
        """Signed again, as if it followed an earlier record of his."""
        self.table.deliver()
        log = self.me.replay.log
        seq = log.count(self.cheater)
        if seq <= back:
            return
        data = self.orders(state=self.me.match.state_hash())
        record = make_record(
            self.me.player.keys, at=1, by=self.cheater, data=data, game=self.me.match.genesis.game_id,
            heads=log.heads(self.cheater), kind="orders", pin=0, prev=log.id_at(self.cheater, seq - back), seq=seq,
        )  # fmt: skip
        self.cheat(record, "E-PREV")

    @rule(noise=st.binary(min_size=32, max_size=32))
    def open_a_sealed_choice_otherwise(self, noise: bytes) -> None:
        self.table.deliver()
        for kind, data in self.me.player.owed(self.me.match)[:1]:
            items = data.get("items", [])
            for lies in (
                [["open", item[1], noise, item[3]] if item[0] == "open" else item for item in items],
                [["open", *item[1:3], bytes([*item[3], 0])] if item[0] == "open" else item for item in items],
            ):
                if lies != items:
                    self.cheat(self.make(kind, {"items": lies}), "E-PROMISE")

    @rule(seq=st.integers(1, 30))
    def write_a_second_record(self, seq: int) -> None:
        self.table.deliver()
        peer = self.me
        seq = 1 + seq % max(1, peer.replay.log.count(self.cheater) - 1)
        held = next(
            (each for each in self.table.records if (each.by, each.seq) == (self.cheater, seq) and each.prev), None
        )
        if held is None:
            return
        fork = make_record(
            peer.player.keys, at=held.at + 1, by=held.by, data=held.data, game=held.game, heads=held.heads,
            kind=held.kind, pin=held.pin, prev=held.prev, seq=held.seq,
        )  # fmt: skip
        other = self.table.peers[0 if self.cheater else 1]
        self.tried["write_a_second_record"] += 1
        before = other.replay.log.vector
        with pytest.raises(ForkFound) as caught:
            other.replay.accept(fork)
        assert caught.value.held == held.id
        assert other.replay.log.vector == before

    @rule(back=st.integers(1, 6))
    def forget_what_was_seen(self, back: int) -> None:
        self.table.deliver()
        peer = self.me
        heads = []
        for by, last in peer.replay.log.heads(self.cheater):
            old = peer.replay.log.id_at(by, max(0, peer.replay.log.count(by) - 1 - back))
            heads.append((by, old or last))
        if tuple(heads) == peer.replay.log.heads(self.cheater):
            return
        record = make_record(
            peer.player.keys, at=1, by=self.cheater, data={}, game=peer.match.genesis.game_id, heads=tuple(heads),
            kind="tie", pin=0, prev=peer.replay.log.last(self.cheater), seq=peer.replay.log.count(self.cheater),
        )  # fmt: skip
        # Judged in the past it claims: a lie only where its author had shown that he knew more.
        known = peer.replay.log.past_at(self.cheater, record.seq - 1)
        claimed = [peer.replay.log.find(cited)[1] + 1 for _, cited in heads]
        others = [count for by, count in zip(peer.replay.log.authors, known, strict=True) if by != self.cheater]
        if any(low < high for low, high in zip(claimed, others, strict=True)):
            self.cheat(record, "E-HEADS")

    @rule()
    def sign_a_false_result(self) -> None:
        self.table.deliver()
        match = self.me.match
        data = {"state": match.state_hash(), "result": {"how": "glory", "scores": {}, "winner": "me"}}
        self.cheat(self.make("end", data), "E-ACT", "E-OWES")

    @rule()
    def withhold(self) -> None:
        """A program that answers nothing: the log says who is waited for."""
        self.table.deliver()
        owed = [item for item in self.me.match.position.barrier.owed_by(self.cheater) if item[0] != "orders"]
        if owed:
            if any(item[0] in ("nonce", "dice") for item in owed):  # without which nobody is offered anything
                self.cheat(self.make("tie", {}), "E-OWES")
            result = {"how": "glory", "scores": {}, "winner": "me"}
            self.cheat(self.make("end", {"state": self.me.match.state_hash(), "result": result}), "E-OWES")
            waiting = {(each.by, each.automatic) for each in self.table.peers[0 if self.cheater else 1].match.pending()}
            assert (self.cheater, True) in waiting
