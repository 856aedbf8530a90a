"""Bridgehead against a player whose program lies: cards, hidden entries, dice and orders, at any moment of a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

sys.path.append(str(Path(__file__).parents[2] / "engine"))

from cheating import SEED, Cheats

from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.items import card_opening
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.orders import Attack, Choose, Counter, Finish, Move, Play, Posture, Rally

EVERY = 3  # steps between two moments at which everything is tried


class BridgeheadCheats(Cheats):
    @initialize(seed=SEED, turns=st.integers(0, 200), cheater=st.integers(0, 1))
    def begin(self, seed: int, turns: int, cheater: int) -> None:
        """Somewhere in a game, so that few steps reach battles, windows and full hands."""
        self.cheater = cheater
        self.table = Table(game, 2, seed=str(seed))
        self.table.settle()
        for _ in range(turns):
            self.table.step()

    @rule(at=st.integers(0, 1_000))
    def try_everything(self, at: int) -> None:
        every_lie(self, at)

    @rule(unit=st.integers(-1, 30), cell=st.sampled_from([101, 407, 506, 905, 9999]))
    def seal_an_illegal_order(self, unit: int, cell: int) -> None:
        """Signed as it should be, by a program that does not ask the rules."""
        self.table.deliver()
        match = self.me.match
        need = match.machine.need
        if not self.asked() or not isinstance(need, Orders) or need.sealed or need.secret:
            return
        wrong: tuple[Order, ...] = (
            Move(unit, cell), Attack(cell, (cell,)), Rally(unit, 100), Counter(cell), Choose(Posture.REST), Finish(),
        )  # fmt: skip
        for order in wrong:
            try:
                illegal = match.machine.check(need.seats[0], order, {}) is not None
            except (KeyError, LookupError):
                illegal = False  # it asks for a card: tried elsewhere
            if illegal:
                self.cheat(self.make("orders", self.orders(order)), "E-ORDER")

    @rule()
    def play_a_card_not_held(self) -> None:
        """A card of his hand, opened honestly since he cannot do otherwise, and called another."""
        self.table.deliver()
        match = self.me.match
        for order, slot in self._wishes():
            opening = card_opening(
                match.ledger, self.me.player.secrets, self.cheater, slot, self.me.player.keys.seal_private
            )
            self.cheat(self.make("orders", self.orders(order, open=[[slot, opening]])), "E-ORDER")
            self.cheat(self.make("orders", self.orders(order, open=[[slot, bytes(31) + b"\x40"]])), "E-PROMISE")
            self.cheat(self.make("orders", self.orders(order)), "E-ORDER")
            return

    def _wishes(self) -> Iterator[tuple[Order, str]]:
        """Orders that would be legal if a card in hand were another one, with its slot."""
        match = self.me.match
        machine, own = match.machine, self.me.player.own_values(match)
        if not self.asked() or not isinstance(machine.need, Orders):
            return
        held = [slot for slot in match.ledger.decks.held(self.cheater) if isinstance(own.get(slot), int)]
        for seat in match.asked(self.cheater):
            for slot in held:
                for card in range(16):
                    if card == own[slot]:
                        continue
                    for order in machine.legal(seat, {**own, slot: card}):
                        if isinstance(order, Play) and order.card == card and slot in machine.opens(seat, order):
                            yield order, slot

    @rule(card=st.integers(0, 15), position=st.integers(0, 15))
    def play_a_card_out_of_the_other_hand(self, card: int, position: int) -> None:
        self.table.deliver()
        match = self.me.match
        if self.asked() and f"events/1/{position}" not in match.ledger.decks.held(self.cheater):
            found: Any = match.machine.need
            if not (found.sealed or found.secret):
                data = self.orders(Play(card, 100 + position))
                self.cheat(self.make("orders", data), "E-ORDER")


NOISE = bytes(range(32))
KINDS = {
    "edit_an_honest_record", "put_a_turn_before_the_last", "write_a_second_record", "forget_what_was_seen",
    "show_another_position", "order_out_of_turn", "reveal_another_value", "reveal_early", "withhold",
    "open_a_sealed_choice_otherwise", "sign_a_false_result", "seal_an_illegal_order", "play_a_card_not_held",
    "play_a_card_out_of_the_other_hand",
}  # fmt: skip


def every_lie(model: BridgeheadCheats, at: int) -> None:
    """All that can be tried at this moment."""
    model.edit_an_honest_record(at * 7, at % 8)
    model.put_a_turn_before_the_last(2 + at % 3)
    model.write_a_second_record(1 + at)
    model.forget_what_was_seen(1 + at % 5)
    model.show_another_position(NOISE)
    model.order_out_of_turn()
    model.reveal_another_value(NOISE)
    model.reveal_early()
    model.withhold()
    model.open_a_sealed_choice_otherwise(NOISE)
    model.sign_a_false_result()
    model.seal_an_illegal_order(at % 24, 9999)
    model.play_a_card_not_held()
    model.play_a_card_out_of_the_other_hand(at % 16, at % 16)


@pytest.mark.parametrize("cheater", [0, 1])
def test_every_lie_is_refused_at_every_moment_of_a_game(cheater: int) -> None:
    """Between the steps of one game that then goes on to its end, as if nothing had been."""
    model = BridgeheadCheats()
    model.cheater = cheater
    model.table = Table(game, 2, seed=f"lies {cheater}")
    model.table.settle()
    moment = 0
    while model.table.step():
        moment += 1
        if moment % EVERY == 0 and not model.me.match.result:
            every_lie(model, moment)
        model.nobody_has_refused_an_honest_record()
    model.table.deliver()
    assert model.table.agree()
    assert all(peer.match.finished for peer in model.table.peers.values())
    assert set(model.tried) >= KINDS, KINDS - set(model.tried)


TestBridgeheadCheats = BridgeheadCheats.TestCase
TestBridgeheadCheats.settings = settings(
    max_examples=20, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
