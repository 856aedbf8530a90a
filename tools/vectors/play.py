"""Whole small games for vectors: real records, made-up rules, everybody has seen everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from pbem.fairplay import items
from pbem.fairplay.begin import first_record, join_data, offer_data, start_data
from pbem.fairplay.chance import roll
from pbem.fairplay.ledger import Ledger
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.canonical import Packable
from pbem.protocol.card import Card, make_card
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.genesis import Board, Join, Offer, Rules, Seat, Terms, join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.listing import Drawn, pack_listing
from pbem.protocol.log import Log
from pbem.protocol.record import UMPIRE, Message, Record, make_record, note_hash
from tools.vectors.people import ALICE, AT, BOB, CARLA, some

DORA = Keys(b"\x04" * 32)
NAMES = {0: "Alice Kern", 1: "Bob Silva", 2: "Carla Roth", UMPIRE: "Dora Umpire"}
KEYS = {0: ALICE, 1: BOB, 2: CARLA, UMPIRE: DORA}
SIDES = ("red", "blue", "red")
RESULT: dict[str, Packable] = {"winner": "red"}
Data = dict[str, Any]


@cache
def card_of(by: int) -> Card:
    return make_card(KEYS[by], NAMES[by], "", AT)


@cache
def secrets_of(by: int) -> GameSecrets:
    return GameSecrets(KEYS[by].seed, some(f"nonce-{by}"))


def terms(
    players: int,
    *,
    mode: str = "strict",
    umpire: bool = False,
    decks: tuple[str, ...] = (),
    silence: int = 0,
    tournament: Board | None = None,
) -> Terms:
    return Terms(
        mode=mode,
        players=tuple(KEYS[n].identity for n in range(players)),
        rules=Rules(1, some("code"), some("data"), "vectors", "1.0", "pbem 0.1.0"),
        scenario="one",
        seats=tuple(Seat(f"seat{n}", SIDES[n], n) for n in range(players)),
        decks=decks,
        title="A game of vectors",
        umpired=umpire,
        silence=silence,
        tournament=tournament,
    )


def make_offer(wanted: Terms, **changes: Any) -> Record:
    by = wanted.starter
    data = {**offer_data(card_of(by), secrets_of(by), wanted), **changes}
    return first_record(KEYS[by], by=by, kind="offer", data=data, offer=None, at=AT)


def make_join(offer: Offer, by: int, **changes: Any) -> Record:
    data = {**join_data(card_of(by), secrets_of(by), offer, by), **changes}
    return first_record(KEYS[by], by=by, kind="join", data=data, offer=offer, at=AT + 1)


def join_record(keys: Keys, game: bytes, at: int, by: int, data: Data) -> Record:
    """The join of a substitute, who takes over a game that has begun: no record comes before it in its chain."""
    return make_record(keys, at=at, by=by, data=data, game=game, heads=(), kind="join", pin=0, prev=None, seq=0)


def make_start(offer: Offer, joins: Sequence[Join], at: int = AT + 3, **changes: Any) -> Record:
    by = offer.starter
    data = {**start_data(secrets_of(UMPIRE).nonce if by == UMPIRE else None), **changes}
    return first_record(KEYS[by], by=by, kind="start", data=data, offer=offer, joins=joins, at=at)


def take_back(offer: Offer) -> Record:
    """A decline by whoever offered."""
    data: dict[str, Packable] = {"card": card_of(offer.starter).raw, "why": "The hall is closed."}
    return first_record(KEYS[offer.starter], by=offer.starter, kind="decline", data=data, offer=offer, at=AT + 4)


def opening(wanted: Terms, joined: Callable[[Data], Data] | None = None) -> list[Record]:
    """`joined` makes the join of player 1 a wrong one."""
    first = make_offer(wanted)
    offer = offer_of(first)
    records, joins = [first], []
    for by in offer.joiners:
        changes = joined(join_data(card_of(by), secrets_of(by), offer, by)) if joined is not None and by == 1 else {}
        records.append(make_join(offer, by, **changes))
        joins.append(join_of(offer, records[-1]))
    return [*records, make_start(offer, joins)]


def archive(records: Iterable[Record | Item]) -> bytes:
    return write([each if isinstance(each, Item) else Item(ItemType.RECORD, each.raw) for each in records])


class Play:
    """A game in progress and its archive so far."""

    def __init__(self, players: int = 2, joined: Callable[[Data], Data] | None = None, **kind: Any) -> None:
        self.records = opening(terms(players, **kind), joined)
        self.log = Log()
        for record in self.records:
            self.log.add(record)
        assert self.log.genesis is not None
        self.genesis = self.log.genesis
        self.ledger = Ledger(self.genesis)
        self.items: list[Record | Item] = list(self.records)
        self.keys = dict(KEYS)
        if self.genesis.mode != "open":
            for by in self.genesis.players:
                self.reveal(by, items.make_nonce_item(secrets_of(by)))

    def archive(self, *more: Record | Item) -> bytes:
        return archive([*self.items, *more])

    def record(self, author: int, kind: str, data: Data, *, keys: Keys | None = None, **changes: Any) -> Record:
        """The next record of an author; `changes` make it a wrong one."""
        fields: dict[str, Any] = {
            "at": AT + 10 + len(self.items),
            "by": author,
            "data": data,
            "game": self.genesis.game_id,
            "heads": self.log.heads(author),
            "kind": kind,
            "pin": 0,
            "prev": self.log.last(author),
            "seq": self.log.count(author),
        }
        return make_record(keys or self.keys[author], **{**fields, **changes})

    def take(self, record: Record) -> Record:
        self.log.add(record)
        self.ledger.apply(record)
        self.items.append(record)
        return record

    def add(self, author: int, kind: str, data: Data, **changes: Any) -> Record:
        return self.take(self.record(author, kind, data, **changes))

    def reveal(self, by: int, *rows: Any) -> Record:
        return self.add(by, "reveal", {"items": list(rows)})

    def release(self, by: int, *rows: Any) -> Record:
        return self.add(by, "release", {"items": list(rows)})

    def turn(self, by: int, **more: Any) -> Data:
        salt = secrets_of(by).salt(self.log.count(by))
        return {"state": some("state"), "salt": salt, "orders": [["move", 5, 405], ["done"]], **more}

    def orders(self, by: int, **more: Any) -> Record:
        return self.add(by, "orders", self.turn(by, **more))

    def hide(self, by: int, slot: str, value: bytes) -> list[Any]:
        seat = self.genesis.seats_of(by)[0]
        seq = self.log.count(by)
        return items.make_hide_row(secrets_of(by), self.genesis.game_id, seat, slot, seq, value)

    def dice(self, turn: Record) -> list[Any]:
        witness = self.genesis.witness(turn.by)
        assert witness is not None
        return items.make_dice_item(self.ledger, secrets_of(witness), witness, turn.id)

    def drawn(self, group: tuple[bytes, ...], label: str, sides: int, count: int, occurrence: int = 0) -> Drawn:
        key = self.ledger.key(group)
        assert key is not None
        return Drawn(group, label, occurrence, sides, roll(key, label, occurrence, sides, count))

    def draw(self, *turns: Record) -> Drawn:
        """Some draws under the key of these turns, listed; the first of them."""
        group = tuple(turn.id for turn in sorted(turns, key=lambda turn: turn.by))
        wanted = (("t1/crt", 6, 3, 0), ("t1/crt", 6, 1, 1), ("t1/chit", 100, 2, 0), ("t1/wide", 2**31, 1, 0))
        rows = [self.drawn(group, label, sides, count, occurrence) for label, sides, count, occurrence in wanted]
        self.items.append(listing(*rows))
        return rows[0]

    def rolled(self, *authors: int) -> Drawn:
        """A turn by each of these players, the dice shown, and draws."""
        turns = [self.orders(by) for by in authors]
        for turn in turns:
            self.reveal(self._witness(turn), self.dice(turn))
        return self.draw(*turns)

    def _witness(self, turn: Record) -> int:
        witness = self.genesis.witness(turn.by)
        assert witness is not None
        return witness

    def say(self, by: int, text: str) -> None:
        salt = some("note")[:16]
        record = self.add(by, "tie", {}, note=note_hash(salt, text))
        self.items.append(Item(ItemType.MESSAGE, Message(record.id, salt, text).pack()))

    def finish(self) -> None:
        for by in self.genesis.players:
            self.add(by, "end", {"state": some("end"), "result": RESULT})
        for by in self.genesis.authors:
            self.add(by, "open_all", {"gs": secrets_of(by).gs})


def listing(*rows: Drawn, moot: Iterable[bytes] = ()) -> Item:
    return Item(ItemType.DRAWS, pack_listing(rows, moot))


def changed(drawn: Drawn, **changes: Any) -> Drawn:
    return drawn._replace(**changes)
