"""Records for tests of level 2: a started game, a ledger, and players who put items into records."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from logplay import table

from pbem.fairplay import items
from pbem.fairplay.ledger import Ledger
from pbem.fairplay.secret import Opened
from pbem.protocol.errors import Refusal
from pbem.protocol.record import UMPIRE, Record, make_record

DECK = "deck"


def due(ledger, deck, cards, back):
    """For a shuffle that the rules ask for: its epoch, the next stage, and who owes that (or the whole deal)."""
    epoch = ledger.decks.wanted(deck, cards, back)
    return epoch.plan.epoch, epoch.stage + 1, ledger.decks.author(epoch.plan, epoch.stage + 1)


class Play:
    """One game. `secrets` may differ from those of genesis: level 2 does not see that, only the audit would."""

    def __init__(self, players=2, *, umpire=False, mode="strict", secrets=None, decks=(DECK,)):
        self.table = table(players, umpire, mode, decks)
        self.genesis = self.table.genesis
        self.ledger = Ledger(self.genesis)
        self.secrets = {**self.table.secrets, **(secrets or {})}
        self.records: list[Record] = []
        self.count = dict.fromkeys(self.genesis.authors, 2)

    def record(self, by, kind, data) -> Record:
        seq = self.count[by]
        return make_record(
            self.table.people[by][0],
            at=seq,
            by=by,
            data=data,
            game=self.genesis.game_id,
            heads=(),
            kind=kind,
            pin=0,
            prev=bytes(32),
            seq=seq,
        )

    def take(self, record: Record) -> Record:
        self.ledger.apply(record)
        self.count[record.by] += 1
        self.records.append(record)
        return record

    def reveal(self, by, *rows) -> Record:
        return self.take(self.record(by, "reveal", {"items": list(rows)}))

    def release(self, by, *rows) -> Record:
        return self.take(self.record(by, "release", {"items": list(rows)}))

    def orders_of(self, by, **more) -> Record:
        data = {"state": bytes(32), "salt": self.secrets[by].salt(self.count[by]), "orders": [["x"]], **more}
        return self.record(by, "orders", data)

    def orders(self, by, **more) -> Record:
        return self.take(self.orders_of(by, **more))

    def nonces(self) -> None:
        for by in self.genesis.players:
            self.reveal(by, items.make_nonce_item(self.table.secrets[by]))

    def shuffle(self, cards, back=()) -> int:
        """All passes, or the deal, or neither in mode open: the number of the epoch."""
        if self.genesis.mode == "open":
            return self.ledger.deal_open(DECK, tuple(cards), tuple(back))
        while True:
            epoch, _, by = due(self.ledger, DECK, tuple(cards), tuple(back))
            if by == UMPIRE:
                self.release(by, items.make_deal_item(self.ledger, self.secrets[by], DECK, cards, back))
            else:
                self.release(by, items.make_pass_item(self.ledger, self.secrets[by], by, DECK, cards, back))
            if self.ledger.decks.due(DECK) is None:
                return epoch

    def give(self, slot, to) -> Record:
        if self.genesis.umpire:
            item = items.make_give_item(self.ledger, self.secrets[UMPIRE], slot, self.genesis.seats_of(to)[0])
            return self.release(UMPIRE, item)
        return self.key(slot, 1 - to)

    def key(self, slot, by) -> Record:
        return self.release(by, items.make_slot_item(self.ledger, self.secrets[by], by, slot))

    def see(self, slot, by) -> int | None:
        private = self.table.people[by][0].seal_private
        return items.decode_for(self.ledger, self.secrets[by], by, slot, private)

    def play(self, slot, by) -> Record:
        private = self.table.people[by][0].seal_private
        opened = items.card_opening(self.ledger, self.secrets[by], by, slot, private)
        return self.orders(by, open=[[slot, opened]])

    def show(self, slot) -> None:
        if self.genesis.umpire:
            self.release(UMPIRE, items.make_show_item(self.ledger, self.secrets[UMPIRE], slot))
            return
        for by in {0, 1} - set(self.ledger.released(slot)):
            self.key(slot, by)


def opened(*words) -> Opened:
    """A player's secrets, other ones for every word."""
    return Opened(sha256("/".join(map(str, words)).encode()).digest())


def wander(play: Play, rng: random.Random, size: int, steps: int) -> None:
    """A random game of cards: draws, thefts, plays, some taken back, cards turned up or thrown away, reshuffles with
    and without unopened cards.

    Asserts all along that no card is in two places, and at the end that every slot holds the card it must.
    """
    hands: dict[int, dict[str, int]] = {0: {}, 1: {}}
    discards: list[int] = []
    thrown: list[str] = []
    epoch = play.shuffle(range(size))
    rest = [f"{DECK}/{epoch}/{j}" for j in range(size)]
    for _ in range(steps):
        move = rng.choice(("draw", "draw", "play", "take back", "steal", "turn", "throw", "shuffle"))
        who = rng.randrange(2)
        if move == "draw" and rest:
            slot = rest.pop(0)
            play.give(slot, who)
            card = play.see(slot, who)
            assert card is not None
            assert play.see(slot, 1 - who) is None
            hands[who][slot] = card
        elif move in ("play", "take back") and hands[who]:
            slot = rng.choice(sorted(hands[who]))
            card = hands[who][slot]
            if play.ledger.value(slot) is None:
                play.play(slot, who)
            assert play.ledger.value(slot) == card
            if move == "play":
                del hands[who][slot]
                discards.append(card)
        elif move == "steal" and hands[1 - who]:
            slot = rng.choice(sorted(hands[1 - who]))
            hands[who][slot] = hands[1 - who].pop(slot)
            if play.ledger.value(slot) is None and who not in play.ledger.holders(slot):
                play.give(slot, who)
            assert play.see(slot, who) == hands[who][slot]
            assert play.genesis.umpire or play.ledger.value(slot) == hands[who][slot]  # HID-16: both keys are out
        elif move == "turn" and rest:
            slot = rest.pop(0)
            play.show(slot)
            discards.append(play.ledger.value(slot))
        elif move == "throw" and hands[who]:
            slot = rng.choice(sorted(hands[who]))
            del hands[who][slot]
            thrown.append(slot)
        elif move == "shuffle" and (discards or rest or thrown):
            back = sorted((*rest, *thrown), key=lambda slot: tuple(map(int, slot.split("/")[1:])))
            seen = {slot: card for slot in back if (card := play.ledger.value(slot)) is not None}
            if seen:
                with pytest.raises(Refusal, match="E-DECK"):
                    play.shuffle(sorted(discards), back)
            hidden = [slot for slot in back if slot not in seen]
            epoch = play.shuffle(sorted((*discards, *seen.values())), hidden)
            rest = [f"{DECK}/{epoch}/{j}" for j in range(len(discards) + len(back))]
            discards, thrown = [], []
        held = [card for hand in hands.values() for card in hand.values()]
        assert len({*held, *discards}) == len(held) + len(discards)
    for who, hand in hands.items():
        assert all(play.see(slot, who) == card for slot, card in hand.items())
    for slot in (*rest, *thrown):
        if play.ledger.value(slot) is None:
            play.show(slot)
        discards.append(play.ledger.value(slot))
    held = [card for hand in hands.values() for card in hand.values()]
    assert sorted((*held, *discards)) == list(range(size))
    assert play.ledger.spoiled is None
