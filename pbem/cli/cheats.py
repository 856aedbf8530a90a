"""Four frauds, really tried: each is signed with the cheater's own key and opened at a copy of his opponent's table."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.fairplay.items import card_opening
from pbem.protocol.canonical import pack
from pbem.protocol.container import Item, ItemType, read, write
from pbem.protocol.record import Record, make_record, parse_record
from pbem.table.context import Context
from pbem.table.desk import Desk
from pbem.table.home import Home
from pbem.table.sealing import my_place, player_of, signing_keys

_TRIES = 50
DeskAt = Callable[[Path, str], Desk]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One fraud and how it ended. `code` is empty if it was not refused; `file` is what was opened."""

    what: str
    code: str
    sentence: str
    unchanged: bool
    """The victim's games, records and answers are byte for byte what they were."""
    file: bytes
    proof: Path | None
    """What convicts the cheater before strangers, where there is such a thing."""


class Cheater:
    """A player who is to move. He works on copies: the two homes themselves are never touched."""

    def __init__(self, folder: Path, victim: Path, cheater: Path, name: str, desk_at: DeskAt) -> None:
        self._folder = folder
        self._victim = victim
        self._home = cheater
        self._name = name
        self._desk_at = desk_at
        self._context = Context(Home(self._copy(cheater)), ask=lambda _: "")
        self._game = self._context.load(name)
        self._me = my_place(self._game)
        self._keys = signing_keys(self._context, self._game)
        self._player = player_of(self._context, self._game)

    def can_try_all(self) -> bool:
        """He has a real choice, has moved before, and there is a card that he would like to hold."""
        match = self._game.match
        need = match.machine.need
        if not isinstance(need, Orders) or need.window or self._game.log.count(self._me.by) < 3:
            return False
        own = self._player.own_values(match)
        choices = [len(list(islice(match.machine.legal(seat, own), 3))) for seat in match.asked(self._me.by)]
        return max(choices, default=0) == 3 and self._wish() is not None

    def attempts(self) -> Iterator[Attempt]:
        honest = self._sealed("sensible")
        rival = self._sealed("random", unlike=honest)
        before_last = self._game.log.id_at(self._me.by, self._game.log.count(self._me.by) - 2)
        early = self._signed(dict(honest.data), prev=before_last)
        yield self._try("edits one bit of an order in a sealed turn", self._edited(honest))
        yield self._try("signs a new turn as if it came before his last one", early.raw)
        yield self._try("sends a second, different turn with the same number", rival.raw, first=honest.raw)
        yield self._try("plays a card that he does not hold", self._unheld().raw)

    # The frauds

    def _edited(self, honest: Record) -> bytes:
        order = pack(honest.data["orders"][0])
        at = honest.raw.rindex(order) + len(order) - 1
        return honest.raw[:at] + bytes((honest.raw[at] ^ 1,)) + honest.raw[at + 1 :]

    def _wish(self) -> tuple[Order, str] | None:
        """An order that would be legal if a card in his hand were another one, and that card's slot."""
        match = self._game.match
        machine, own = match.machine, self._player.own_values(match)
        if not isinstance(machine.need, Orders):
            return None
        held = [slot for slot in match.ledger.decks.held(self._me.by) if isinstance(own.get(slot), int)]
        cards = [card for deck in match.game.decks.values() for card in deck if card not in own.values()]
        for seat in match.asked(self._me.by):
            for slot in held:
                for card in cards:
                    for order in machine.legal(seat, {**own, slot: card}):
                        if slot in machine.opens(seat, order):
                            return order, slot
        return None

    def _unheld(self) -> Record:
        """The card is opened honestly, since he cannot do otherwise, and called another."""
        wish = self._wish()
        assert wish is not None
        order, slot = wish
        match, player = self._game.match, self._player
        opening = card_opening(match.ledger, player.secrets, self._me.by, slot, self._keys.seal_private)
        return self._signed(
            {
                "open": [[slot, opening]],
                "orders": match.game.orders.write_all([order]),
                "salt": player.secrets.salt(self._game.log.count(self._me.by)),
                "state": match.state_hash(),
            }
        )

    # The workshop

    def _signed(self, data: dict[str, Any], prev: bytes | None = None) -> Record:
        """His next record, with whatever he likes in it."""
        log, me = self._game.log, self._me.by
        return make_record(
            self._keys,
            at=self._game.store.arrived(self._game.offer.starter, 0),
            by=me,
            data=data,
            game=self._game.game_id,
            heads=log.heads(me),
            kind="orders",
            pin=self._game.match.position.pin,
            prev=prev or log.last(me),
            seq=log.count(me),
        )

    def _sealed(self, bot: str, unlike: Record | None = None) -> Record:
        """What an honest program seals now; or another turn that it might have sealed instead."""
        for _ in range(_TRIES):
            home = self._copy(self._home)
            desk = self._desk_at(home, home.name)
            desk.bot(self._name, bot)
            posted = desk.send(self._name)
            assert posted is not None
            records = [parse_record(item.raw) for item in read(posted.raw) if item.type is ItemType.RECORD]
            record = [each for each in records if each.by == self._me.by and each.kind == "orders"][-1]
            if unlike is None or record.data["orders"] != unlike.data["orders"]:
                return record
        raise RuntimeError("the bots always order the same")

    def _try(self, what: str, raw: bytes, first: bytes | None = None) -> Attempt:
        """Opens the record at a fresh copy of the victim's table, after `first` if that is given."""
        home = self._copy(self._victim)
        desk = self._desk_at(home, "victim")
        if first is not None:
            desk.open(write([Item(ItemType.RECORD, first)]))
        before = picture(home)
        file = write([Item(ItemType.RECORD, raw)])
        refused = next((opened.refused for opened in desk.open(file) if opened.refused is not None), None)
        unchanged = picture(home) == before
        proof = next((home / "proofs").glob("*.pbem"), None) if (home / "proofs").is_dir() else None
        if refused is None:
            return Attempt(what, "", "It was accepted.", unchanged, file, proof)
        return Attempt(what, refused.code, refused.sentence, unchanged, file, proof)

    def _copy(self, home: Path) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / f"{len(list(self._folder.iterdir())):02}-{home.name}"
        shutil.copytree(home, target, ignore=shutil.ignore_patterns("lock"))
        return target


def picture(home: Path) -> dict[str, bytes]:
    """Everything that a refusal must leave alone: all files but proofs, which it may add, and caches."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and path.name != "lock" and not {"proofs", "cache"} & set(path.relative_to(home).parts)
    }
