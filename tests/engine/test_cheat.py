"""A player whose program lies: whatever he sends, the others refuse it, name it, and play on."""

from __future__ import annotations

from typing import Any

from cheating import SEED, Cheats
from games.duel import Aim, Dodge, Fire, Talisman, duel
from games.magpie import GAME as MAGPIE
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from pbem.engine.bots import RandomBot
from pbem.engine.legal import Legal
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.items import make_slot_item, prove_standing


class Eager(RandomBot):
    """Shoots as long as it may."""

    def choose(self, view: Any, need: Any, seat: str, legal: Legal, rng: Any) -> Any:
        return Fire() if Fire() in list(legal) else super().choose(view, need, seat, legal, rng)


class DuelCheats(Cheats):
    bots = dict.fromkeys(range(3), Eager())

    @initialize(seed=SEED, players=st.sampled_from([2, 3]))
    def begin(self, seed: int, players: int) -> None:
        self.table = Table(duel(players), players, seed=str(seed), silence=3)
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
            dodge = match.game.orders.write(Dodge())
            lies: list[list[Any]] = [["answer", label, dodge, None], ["answer", label, None, proof]]
            if right != Dodge():
                lies.append(["answer", label, dodge, proof])
            for lie in lies:
                self.cheat(self.make("reveal", {"items": [lie]}), "E-ANSWER")


class MagpieCheats(Cheats):
    @initialize(seed=SEED)
    def begin(self, seed: int) -> None:
        self.table = Table(MAGPIE, 2, seed=str(seed), silence=3)
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
        epoch = match.ledger.decks.epoch("pie")
        legal = [order for order in self.me.player.draft(match).legal() if hasattr(order, "card")]
        for j in range(epoch.plan.size if epoch is not None else 0):
            slot = f"pie/{epoch.plan.epoch}/{j}"
            if slot in mine or match.ledger.value(slot) is not None or self.cheater in match.ledger.released(slot):
                continue
            _, _, key = make_slot_item(match.ledger, self.me.player.secrets, self.cheater, slot)
            data = self.orders(*legal[:1], open=[[slot, key]])
            self.cheat(self.make("orders", data), "E-ORDER")
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
            self.cheat(self.make("orders", data), "E-PROMISE")

    @rule()
    def give_out_what_nobody_asked_for(self) -> None:
        self.table.deliver()
        match = self.me.match
        mine = [
            slot for slot in match.ledger.decks.held(self.cheater) if self.cheater not in match.ledger.released(slot)
        ]
        if mine:
            item = make_slot_item(match.ledger, self.me.player.secrets, self.cheater, mine[0])
            self.cheat(self.make("release", {"items": [item]}), "E-UNASKED")


_SETTINGS = settings(
    max_examples=12, stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestDuelCheats = DuelCheats.TestCase
TestDuelCheats.settings = _SETTINGS
TestMagpieCheats = MagpieCheats.TestCase
TestMagpieCheats.settings = _SETTINGS
