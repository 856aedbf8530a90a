"""Whole games for tests of the verifier: real records and chains, made-up rules."""

from __future__ import annotations

import random

from deckplay import DECK, Play

from pbem.fairplay import items
from pbem.fairplay.chance import roll
from pbem.protocol.container import Item, ItemType
from pbem.protocol.listing import Drawn, pack_listing
from pbem.protocol.record import UMPIRE, Message, Record, note_hash

RESULT = {"winner": "east"}


class Chronicle(Play):
    """A game of which an archive is kept. Everybody has always seen everything."""

    def __init__(self, players: int = 2, **kind) -> None:
        super().__init__(players, **kind)
        self.log = self.table.log()
        self.count = {by: self.log.count(by) for by in self.genesis.authors}
        self.archive = [Item(ItemType.RECORD, record.raw) for record in self.table.opening]

    def record(self, by, kind, data, **changes) -> Record:
        return self.table.record(self.log, by, kind, data, **changes)

    def take(self, record: Record) -> Record:
        self.log.add(record)
        super().take(record)
        self.archive.append(Item(ItemType.RECORD, record.raw))
        return record

    def say(self, by: int, text: str) -> Record:
        salt = bytes(range(16))
        record = self.take(self.record(by, "tie", {}, note=note_hash(salt, text)))
        self.archive.append(Item(ItemType.MESSAGE, Message(record.id, salt, text).pack()))
        return record

    def show_dice(self, *turns: Record) -> None:
        for turn in turns:
            witness = self.genesis.witness(turn.by)
            if witness is not None:
                self.reveal(witness, items.make_dice_item(self.ledger, self.secrets[witness], witness, turn.id))

    def draw(self, *turns: Record, draws=(("t1/crt", 6, 3), ("t1/event", 997, 1))) -> list[Drawn]:
        """Draws under the key of these turns (none: K0), listed."""
        group = () if self.genesis.mode == "open" else tuple(t.id for t in sorted(turns, key=lambda turn: turn.by))
        key = self.ledger.key(group)
        assert key is not None
        drawn = [Drawn(group, label, 0, sides, roll(key, label, 0, sides, count)) for label, sides, count in draws]
        self.archive.append(Item(ItemType.DRAWS, pack_listing(drawn)))
        return drawn

    def finish(self) -> None:
        for by in self.genesis.players:
            self.take(self.record(by, "end", {"state": bytes(32), "result": RESULT}))
        for by in self.genesis.authors:
            self.take(self.record(by, "open_all", {"gs": self.secrets[by].gs}))


def game(
    players: int = 2, *, umpire: bool = False, mode: str = "strict", cards: bool = True, rounds: int = 2
) -> Chronicle:
    """A game with everything in it."""
    dealt = cards and (players == 2 or umpire or mode == "open")
    play = Chronicle(players, umpire=umpire, mode=mode, decks=(DECK,) if dealt else ())
    rng = random.Random(f"{players}{umpire}{mode}")
    if mode != "open":
        play.nonces()
    play.draw(draws=(("setup", 6, 2), ("setup/wide", 2**31, 1)))
    dealt = dealt and mode != "open"  # (in open games the rules shuffle, and no record says so)
    if dealt:
        epoch = play.shuffle(range(6))
        for n in range(4):
            play.give(f"{DECK}/{epoch}/{n}", n % 2)
        play.show(f"{DECK}/{epoch}/4")
    for number in range(rounds):
        turns = []
        for by in play.genesis.players:
            slot = f"choice/{number}/{by}"
            seat = play.genesis.seats_of(by)[0]
            row = items.make_hide_row(play.secrets[by], play.genesis.game_id, seat, slot, play.count[by], b"left")
            turns.append(play.orders(by, hide=[row]))
            if rng.random() < 0.5:
                play.show_dice(turns[-1])
                play.draw(turns[-1])
                turns.pop()
        if turns:
            play.show_dice(*turns)
            play.draw(*turns)
        for by in play.genesis.players:
            play.reveal(by, items.make_open_item(play.ledger, play.secrets[by], f"choice/{number}/{by}"))
    if dealt:
        play.play(f"{DECK}/1/0", 0)
        play.shuffle(sorted(play.ledger.value(f"{DECK}/1/{n}") for n in (0, 4)), [f"{DECK}/1/5"])
        play.give(f"{DECK}/2/1", 1)
        play.play(f"{DECK}/1/1", 1)
    play.say(0, "Well played!\nAgain?")
    play.finish()
    return play


KINDS = (
    {"players": 2},
    {"players": 2, "umpire": True, "mode": "umpire"},
    {"players": 3},
    {"players": 5, "umpire": True},
    {"players": 1, "mode": "open"},
    {"players": 3, "mode": "open", "umpire": True},
)

__all__ = ["DECK", "KINDS", "RESULT", "UMPIRE", "Chronicle", "game"]
