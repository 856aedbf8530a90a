"""Backing up an identity with its games, and restoring it: the public records as they are, everything else
encrypted under a key that the phrase gives.

The file is a container like any other (FIL-2). First an item of type 8 with contacts; then for each game its records
(type 1), messages (type 3), replaced data (type 5; in a backup the bytes alone, without the name that an archive puts
before them, FIL-2) and an item of type 8 with its vault. An item of type 8 is

    {box, game: offer id or nil, identity, nonce, v: 1}

with box = ChaCha20-Poly1305 under derive(seed, "backup"), associated data: the map without the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.home import intake, summary
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, GameStore
from pbem.home.outbox import file_of
from pbem.home.people import Person
from pbem.home.root import Home
from pbem.home.summary import GameRow
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.container import Item, ItemType, is_container, read_stream
from pbem.protocol.digest import derive, tagged
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ITEM
from pbem.protocol.record import Record, parse_message, parse_record
from pbem.protocol.words import phrase as words_of
from pbem.protocol.words import seed_of


@dataclass(frozen=True, slots=True)
class Restored:
    """Everything that a phrase and backups brought back."""

    person: Person
    rows: tuple[GameRow, ...]
    faults: tuple[str, ...] = ()
    """Games or files that could not be brought back, and why."""


_NONCE: Final = 12
_STEP: Final = "FIL-2"


@dataclass(slots=True)
class SavedGame:
    offer: bytes
    records: list[Record] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    replaced: dict[bytes, bytes] = field(default_factory=dict)
    vault: dict[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class Saved:
    card: Card
    contacts: list[tuple[Card, bool]]
    games: list[SavedGame]


def backup_items(
    seed: bytes, card: Card, contacts: Iterable[Person], games: Iterable[GameStore], random: Callable[[int], bytes]
) -> Iterator[Item]:
    """The items of a backup of one identity and of the games it plays."""

    def box(game: bytes | None, content: dict[str, Plain]) -> Item:
        header: dict[str, Plain] = {"game": game, "identity": card.identity, "nonce": random(_NONCE), "v": 1}
        key, nonce = derive(seed, "backup"), header["nonce"]
        assert isinstance(nonce, bytes)
        sealed = ChaCha20Poly1305(key).encrypt(nonce, pack(content), pack(header))
        return Item(ItemType.BACKUP, pack({**header, "box": sealed}))

    known: list[Plain] = [[person.card.raw, person.confirmed] for person in contacts]
    yield box(None, {"card": card.raw, "contacts": known})
    for game in games:
        stored = game.records()
        offer = parse_record(game.offer() or b"")
        vault: list[Plain] = []
        for name in game.privates():
            data = game.private(name)
            if data is not None:
                vault.append([name, data])
        yield box(offer.id, {"vault": vault})
        for raw in game.all_loose("replaced"):
            yield Item(ItemType.REPLACED, raw)
        for one in stored:
            yield Item(ItemType.RECORD, one.raw)
            message = game.loose("messages", parse_record(one.raw).id)
            if message is not None:
                yield Item(ItemType.MESSAGE, message)
        for raw in (*game.all_loose("answers"), *game.all_loose("rivals")):
            yield Item(ItemType.RECORD, raw)


def read_backup(seed: bytes, identity: bytes, items: Iterable[Item]) -> Saved:
    """What a backup holds. Records are parsed, not judged."""
    saved: Saved | None = None
    for item in items:
        if item.type is ItemType.BACKUP:
            game, content = _unbox(seed, identity, item.raw)
            if saved is None:
                if game is not None:
                    raise _odd()
                saved = _head(content)
            elif game is not None:
                saved.games.append(SavedGame(game, vault=_vault(content)))
        elif saved is None or not saved.games:
            raise _odd()
        elif item.type is ItemType.RECORD:
            saved.games[-1].records.append(parse_record(item.raw))
        elif item.type is ItemType.REPLACED:
            saved.games[-1].replaced[tagged("pbem1/value", item.raw)] = item.raw
        elif item.type is ItemType.MESSAGE:
            saved.games[-1].messages.append(item.raw)
    if saved is None:
        raise _odd()
    return saved


def _unbox(seed: bytes, identity: bytes, raw: bytes) -> tuple[bytes | None, dict[str, Plain]]:
    fields = unpack(raw, MAX_ITEM)
    if not isinstance(fields, dict) or set(fields) != {"box", "game", "identity", "nonce", "v"}:
        raise _odd()
    box, game, nonce = fields.pop("box"), fields["game"], fields["nonce"]
    if fields["identity"] != identity:
        raise Refusal("E-PHRASE", "This phrase and this backup belong to different identities.", step=_STEP)
    if not isinstance(box, bytes) or not isinstance(nonce, bytes) or len(nonce) != _NONCE or fields["v"] != 1:
        raise _odd()
    if not (game is None or isinstance(game, bytes)):
        raise _odd()
    try:
        plain = ChaCha20Poly1305(derive(seed, "backup")).decrypt(nonce, box, pack(fields))
    except InvalidTag:
        raise _odd() from None
    content = unpack(plain, MAX_ITEM)
    if not isinstance(content, dict):
        raise _odd()
    return game, content


def _head(content: dict[str, Plain]) -> Saved:
    card, contacts = content.get("card"), content.get("contacts")
    if not isinstance(card, bytes) or not isinstance(contacts, list):
        raise _odd()
    known = []
    for entry in contacts:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], bytes):
            raise _odd()
        known.append((parse_card(entry[0]), entry[1] is True))
    return Saved(parse_card(card), known, [])


def _vault(content: dict[str, Plain]) -> dict[str, bytes]:
    vault: dict[str, bytes] = {}
    entries = content.get("vault")
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, list) or len(entry) != 2:
            raise _odd()
        name, data = entry
        # The box is authentic: these are names that this program wrote. Still, never a path.
        if not isinstance(name, str) or not name.isidentifier() or not isinstance(data, bytes):
            raise _odd()
        vault[name] = data
    return vault


def _odd() -> Refusal:
    return Refusal("E-BACKUP", "This backup is damaged.", step=_STEP)


def phrase(home: Home, person: Person) -> str:
    """The seed in words: anyone who has it can sign as this person."""
    return words_of(home.people.seed(person.identity))


def backup(home: Home, person: Person) -> bytes:
    """Contacts, and every game that this identity plays."""
    stores = []
    for store in home.stores():
        game = GameFile(store, home.find_game)
        if game.me is not None and game.me.identity == person.identity and store.offer() is not None:
            stores.append(store)
    seed = home.people.seed(person.identity)
    return file_of(backup_items(seed, person.card, home.people.contacts(), stores, home.random))


def restore(
    home: Home, words: str, raws: Sequence[bytes], passphrase: str, name: str = "", email: str = ""
) -> Restored:
    """The identity of a phrase, and its games from backups; other files are opened as usual afterwards.

    Nothing that is in the home already is replaced. Restored games are read-only (docs/home.md).
    """
    seed = seed_of(words)
    keys = Keys(seed)
    saved: list[Saved] = []
    others: list[bytes] = []
    for raw in raws:
        if is_container(raw) and intake.is_backup(raw):
            saved.append(read_backup(seed, keys.identity, read_stream(BytesIO(raw))))
        else:
            others.append(raw)
    home.forget()
    with home.writing():
        person = _identity(home, seed, keys, [each.card for each in saved], passphrase, name, email)
        rows: list[GameRow] = []
        faults: list[str] = []
        for each in saved:
            for card, confirmed in each.contacts:
                met = home.people.meet(card)
                if confirmed and met.news == "new":
                    home.people.confirm(card.identity.hex())
            for game in each.games:
                try:
                    rows.append(_bring_back(home, game))
                except PbemError as error:
                    faults.append(str(error))
    for raw in others:
        for opened in intake.open_bytes(home, raw):
            if opened.refused is not None:
                faults.append(str(opened.refused))
            elif opened.game is not None:
                rows.append(summary.row_of(home, home.find(opened.game)))
    return Restored(person, tuple({row.name: row for row in rows}.values()), tuple(faults))


def _identity(
    home: Home, seed: bytes, keys: Keys, cards: Sequence[Card], passphrase: str, name: str, email: str
) -> Person:
    held = next((own for own in home.people.identities() if own.identity == keys.identity), None)
    if held is not None:
        return held
    if cards:
        return home.people.adopt_identity(seed, cards[0], passphrase)
    if not name:
        raise HomeError(
            "E-NO-IDENTITY",
            "A phrase does not contain your name: give the backup too, or a name for your card with --name.",
        )
    return home.people.add_identity(seed, name, email, passphrase, home.clock())


def _bring_back(home: Home, saved: SavedGame) -> GameRow:
    """Judges the records of one game as if they had come by mail, then writes them and its vault."""
    store = home.store(saved.offer)
    if store.name:
        return summary.row_of(home, store)
    game = GameFile(store, home.find_game)
    game.replaced = saved.replaced
    left = game.take(saved.records)
    if left or game.log.offer is None or game.offer.id != saved.offer:
        raise Refusal("E-BACKUP", "A game in this backup lacks records.", step="FIL-2")
    store.prepare()
    for digest, raw in saved.replaced.items():
        store.add_loose("replaced", digest, raw)
    for name, data in saved.vault.items():
        store.set_private(name, data)
    store.change(answered=())
    for raw in saved.messages:
        message = parse_message(raw)
        store.add_loose("messages", message.record, raw)
    game.write(saved.records)
    home.name_game(store, game.offer)
    return summary.refresh(home, game)
