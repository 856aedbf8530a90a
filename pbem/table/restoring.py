"""Backing up an identity with its games, and bringing it back."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from pbem.protocol.card import Card
from pbem.protocol.container import is_container, read_stream
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.record import parse_message
from pbem.protocol.words import phrase as words_of
from pbem.protocol.words import seed_of
from pbem.table import intake, summary
from pbem.table.backup import Saved, SavedGame, backup_items, read_backup
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.hellos import mark_restored
from pbem.table.people import Person
from pbem.table.postbox import file_of
from pbem.table.tableerror import TableError
from pbem.table.values import GameRow, Restored


def phrase(context: Context, person: Person) -> str:
    """The seed in words: whoever has it is this person."""
    return words_of(context.people.seed(person.identity))


def backup(context: Context, person: Person) -> bytes:
    """Contacts, and every game that this identity plays."""
    stores = []
    for store in context.stores():
        game = GameFile(store, context.find_game)
        if game.me is not None and game.me.identity == person.identity and store.offer() is not None:
            stores.append(store)
    seed = context.people.seed(person.identity)
    return file_of(backup_items(seed, person.card, context.people.contacts(), stores, context.random))


def restore(
    context: Context, words: str, raws: Sequence[bytes], passphrase: str, name: str = "", email: str = ""
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
    context.forget()
    with context.writing():
        person = _identity(context, seed, keys, [each.card for each in saved], passphrase, name, email)
        rows: list[GameRow] = []
        faults: list[str] = []
        for each in saved:
            for card, confirmed in each.contacts:
                met = context.people.meet(card)
                if confirmed and met.news == "new":
                    context.people.confirm(card.identity.hex())
            for game in each.games:
                try:
                    rows.append(_game(context, game))
                except PbemError as error:
                    faults.append(f"{error.code}: {error.sentence}")
    for raw in others:
        for opened in intake.open_bytes(context, raw):
            if opened.refused is not None:
                faults.append(str(opened.refused))
            elif opened.game is not None:
                rows.append(summary.row_of(context, context.find(opened.game)))
    return Restored(person, tuple({row.name: row for row in rows}.values()), tuple(faults))


def _identity(
    context: Context, seed: bytes, keys: Keys, cards: Sequence[Card], passphrase: str, name: str, email: str
) -> Person:
    held = next((own for own in context.people.identities() if own.identity == keys.identity), None)
    if held is not None:
        return held
    if cards:
        return context.people.adopt_identity(seed, cards[0], passphrase)
    if not name:
        raise TableError(
            "E-NO-IDENTITY",
            "A phrase alone does not tell your name: give the backup too, or a name for your card with --name.",
        )
    return context.people.add_identity(seed, name, email, passphrase, context.clock())


def _game(context: Context, saved: SavedGame) -> GameRow:
    """Judges the records of one game as if they had come by mail, then writes them and its vault."""
    store = context.store(saved.offer)
    if store.name:
        return summary.row_of(context, store)
    game = GameFile(store, context.find_game)
    game.replaced = saved.replaced
    left = game.take(saved.records)
    if left or game.log.offer is None or game.offer.id != saved.offer:
        raise Refusal("E-BACKUP", "A game in this backup lacks records.", step="FIL-2")
    store.prepare()
    for digest, raw in saved.replaced.items():
        store.add_loose("replaced", digest, raw)
    for name, data in saved.vault.items():
        store.set_private(name, data)
    mark_restored(store)
    for raw in saved.messages:
        message = parse_message(raw)
        store.add_loose("messages", message.record, raw)
    game.write(saved.records)
    context.name_game(store, game.offer)
    return summary.refresh(context, game)
