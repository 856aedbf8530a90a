"""Players who author records for tests of the log: real keys, real genesis, made-up payloads."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from pbem.fairplay.begin import first_record, join_data, offer_data, start_data
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.card import Card, make_card
from pbem.protocol.genesis import Rules, Seat, Terms, join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.log import Log
from pbem.protocol.record import UMPIRE, Record, make_record

RULES = Rules(behaviour=1, code=bytes(32), data=b"\x01" * 32, module="tests", version="1", needs="pbem 0.1.0")


def seed(name: str) -> bytes:
    return sha256(name.encode()).digest()


@lru_cache(maxsize=64)
def person(name: str) -> tuple[Keys, Card]:
    keys = Keys(seed(name))
    return keys, make_card(keys, name, f"{name}@example.org", 0)


@lru_cache(maxsize=64)
def secrets(name: str) -> GameSecrets:
    return GameSecrets(seed(name), sha256(b"nonce" + name.encode()).digest())


NAMES = ("anna", "ben", "carla", "dmitri", "eva")


class Table:
    """A game that has started, and everybody's keys."""

    def __init__(
        self, players: int = 2, *, umpire: bool = False, mode: str = "strict", decks: tuple[str, ...] = ()
    ) -> None:
        names = NAMES[:players]
        self.people = {n: person(name) for n, name in enumerate(names)}
        self.secrets = {n: secrets(name) for n, name in enumerate(names)}
        if umpire:
            self.people[UMPIRE] = person("ursula")
            self.secrets[UMPIRE] = secrets("ursula")
        seats = tuple(Seat(f"seat{n}", ("east", "west")[n % 2], n) for n in range(players))
        self.terms = Terms(
            mode=mode,
            players=tuple(self.people[n][0].identity for n in range(players)),
            rules=RULES,
            scenario="one",
            seats=seats,
            decks=decks,
            umpired=umpire,
        )
        self.opening = self._open()
        genesis = self.log().genesis
        assert genesis is not None
        self.genesis = genesis
        self.game_id = self.genesis.game_id
        self.authors = self.genesis.authors

    def _open(self) -> list[Record]:
        author = self.terms.starter
        keys, card = self.people[author]
        data = offer_data(card, self.secrets[author], self.terms)
        records = [first_record(keys, by=author, kind="offer", data=data, offer=None, at=1)]
        offer = offer_of(records[0])
        joins = []
        for n in offer.joiners:
            own, card = self.people[n]
            data = join_data(card, self.secrets[n], offer, n)
            records.append(first_record(own, by=n, kind="join", data=data, offer=offer, at=2))
            joins.append(join_of(offer, records[-1]))
        data = start_data(self.secrets[UMPIRE].nonce if author == UMPIRE else None)
        records.append(first_record(keys, by=author, kind="start", data=data, offer=offer, joins=joins, at=4))
        return records

    def log(self) -> Log:
        log = Log()
        for record in self.opening:
            log.add(record)
        return log

    def record(
        self, log: Log, author: int, kind: str = "tie", data: dict | None = None, *, keys: Keys | None = None, **changes
    ) -> Record:
        """The next record of an author as his log has it; `changes` make it a wrong one."""
        fields = {
            "at": 5,
            "by": author,
            "data": {} if data is None else data,
            "game": self.game_id,
            "heads": log.heads(author),
            "kind": kind,
            "pin": 0,
            "prev": log.last(author),
            "seq": log.count(author),
        }
        fields.update(changes)
        return make_record(keys or self.people[author][0], **fields)

    def orders(self, log: Log, by: int, text: bytes = b"x", **changes) -> Record:
        seq = changes.get("seq", log.count(by))
        data = {"state": bytes(32), "salt": self.secrets[by].salt(seq), "orders": [["x", text]]}
        return self.record(log, by, "orders", data, **changes)


@lru_cache(maxsize=16)
def table(players: int = 2, umpire: bool = False, mode: str = "strict", decks: tuple[str, ...] = ()) -> Table:
    return Table(players, umpire=umpire, mode=mode, decks=decks)
