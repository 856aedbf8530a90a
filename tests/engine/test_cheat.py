"""A player whose program lies: whatever he sends, the others refuse it, name it, and play on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from games.duel import Aim, Dodge, Fire, Talisman, duel
from games.magpie import GAME as MAGPIE
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbem.engine.bots import Bot, RandomBot
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.table import Table
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.items import make_dice_item, make_slot_item, prove_standing
from pbem.protocol.log import ForkFound
from pbem.protocol.record import Record, make_record

SEED = st.integers(0, 10**9)


class Cheats(RuleBasedStateMachine):
    """Honest steps in between; `cheat` sends one bad record to everybody and looks at what they say."""

    table: Table
    cheater: int = 1
    bots: Mapping[int, Bot[Any]] | None = None

    @invariant()
    def nobody_has_refused_an_honest_record(self) -> None:
        if hasattr(self, "table"):
            assert not any(peer.refused for peer in self.table.peers.values())

    def cheat(self, record: Record, *codes: str) -> None:
        """Everybody but the cheater refuses, for the same reason, and nothing has changed."""
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
        return {**data, "orders": self.table.game.orders.pack_all(given), **other}

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

    # Lies that every game knows

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
                self.cheat(self.make(kind, {"items": items}), "E-REVEAL")

    @rule()
    def reveal_early(self) -> None:
        self.table.deliver()
        ledger, barrier = self.me.match.ledger, self.me.match.position.barrier
        for record in self.table.records:
            if record.kind != "orders" or self.me.match.genesis.witness(record.by) != self.cheater:
                continue
            mark = ledger.mark(record.id)
            if mark is None or mark.x is not None or ("dice", record.id) in barrier.due:
                continue
            item = make_dice_item(ledger, self.me.player.secrets, self.cheater, record.id)
            self.cheat(self.make("reveal", {"items": [item]}), "E-EARLY", "E-UNASKED")

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
        other = self.table.peers[0]
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
            self.cheat(record, "E-REGRESS", "E-HEADS")

    @rule()
    def sign_a_false_result(self) -> None:
        self.table.deliver()
        match = self.me.match
        data = {"state": match.state_hash(), "result": {"how": "glory", "scores": {}, "winner": "me"}}
        self.cheat(self.make("end", data), "E-ACT", "E-RESULT", "E-OWES")

    @rule()
    def withhold(self) -> None:
        """A program that answers nothing: the log says who is waited for."""
        self.table.deliver()
        owed = [item for item in self.me.match.position.barrier.owed_by(self.cheater) if item[0] != "orders"]
        if owed:
            self.cheat(self.make("tie", {}), "E-OWES")
            waiting = {(each.by, each.automatic) for each in self.table.peers[0].match.pending()}
            assert (self.cheater, True) in waiting


class Eager(RandomBot):
    """Shoots as long as it may."""

    def choose(self, view: Any, need: Any, seat: str, legal: Iterator[Any], rng: Any) -> Any:
        orders = list(legal)
        return Fire() if Fire() in orders else super().choose(view, need, seat, iter(orders), rng)


class DuelCheats(Cheats):
    bots = dict.fromkeys(range(3), Eager())

    @initialize(seed=SEED, players=st.sampled_from([2, 3]))
    def begin(self, seed: int, players: int) -> None:
        self.table = Table(duel(players), players, seed=str(seed))
        self.table.settle()
        for number in range(players):
            seat = self.table.game.seats[number].name
            new = NewStanding(seat, "react", parse("when shot = 3 then dodge; then stand"), sealed=True)
            self.table.order(number, [Talisman(1)], [new])
        self.table.settle()

    @rule()
    def order_what_is_not_allowed(self) -> None:
        self.table.deliver()
        if self.asked() and self.me.match.machine.need.kind == "act":
            for wrong in ((Aim(9),), (Dodge(),), (Talisman(1),)):
                self.cheat(self.make("orders", self.orders(*wrong)), "E-ORDER")

    @rule()
    def claim_what_the_standing_orders_do_not_say(self) -> None:
        self.table.deliver()
        for item in self.me.match.position.barrier.owed_by(self.cheater):
            if item[0] != "answer":
                continue
            match, label, seat = self.me.match, str(item[1]), str(item[2])
            proof = prove_standing(match.ledger, self.me.player.secrets, seat, "react")
            policy = self.me.player.standing(match, seat, "react")
            right = match.machine.standing_answer(seat, policy)
            dodge = match.game.orders.pack(Dodge())
            lies: list[list[Any]] = [["answer", label, dodge, None], ["answer", label, None, proof]]
            if right != Dodge():
                lies.append(["answer", label, dodge, proof])
            for lie in lies:
                self.cheat(self.make("reveal", {"items": [lie]}), "E-ANSWER")


class MagpieCheats(Cheats):
    @initialize(seed=SEED)
    def begin(self, seed: int) -> None:
        self.table = Table(MAGPIE, 2, seed=str(seed))
        self.table.settle()

    @precondition(lambda self: hasattr(self, "table"))
    @rule()
    def play_a_card_not_held(self) -> None:
        """With the own key of a slot in the other hand, or of one still in the deck."""
        self.table.deliver()
        match = self.me.match
        if not self.asked() or not match.ledger.decks.in_use():
            return
        mine = set(match.ledger.decks.held(self.cheater))
        status = match.ledger.deck("pie")
        legal = [order for order in self.me.player.draft(match).legal() if hasattr(order, "card")]
        for j in range(status.size):
            slot = f"pie/{status.epoch}/{j}"
            if slot in mine or match.ledger.value(slot) is not None or self.cheater in match.ledger.released(slot):
                continue
            _, _, key = make_slot_item(match.ledger, self.me.player.secrets, self.cheater, slot)
            data = self.orders(*legal[:1], open=[[slot, key]])
            self.cheat(self.make("orders", data), "E-ORDER", "E-UNOPENED", "E-EMPTY")
            return

    @rule()
    def play_a_card_with_a_false_key(self) -> None:
        self.table.deliver()
        match = self.me.match
        mine = [
            slot for slot in match.ledger.decks.held(self.cheater) if self.cheater not in match.ledger.released(slot)
        ]
        if self.asked() and mine:
            data = self.orders(open=[[mine[0], bytes(31) + b"\x40"]])
            self.cheat(self.make("orders", data), "E-SLOT")

    @rule()
    def give_out_what_nobody_asked_for(self) -> None:
        self.table.deliver()
        match = self.me.match
        mine = [
            slot for slot in match.ledger.decks.held(self.cheater) if self.cheater not in match.ledger.released(slot)
        ]
        if mine:
            item = make_slot_item(match.ledger, self.me.player.secrets, self.cheater, mine[0])
            self.cheat(self.make("release", {"items": [item]}), "E-UNASKED", "E-EARLY")


_SETTINGS = settings(
    max_examples=12, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestDuelCheats = DuelCheats.TestCase
TestDuelCheats.settings = _SETTINGS
TestMagpieCheats = MagpieCheats.TestCase
TestMagpieCheats.settings = _SETTINGS
