"""Taking over another player's place: the join that a ruling then brings into the game (MEA-10)."""

from __future__ import annotations

from pbem.fairplay.begin import join_data
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import offer_of
from pbem.protocol.record import Record, make_record, parse_record
from pbem.table import hellos, letter, naming, summary
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, Me
from pbem.table.offers import check_replaceable
from pbem.table.parcel import unwrap
from pbem.table.players import number_of
from pbem.table.postbox import file_of
from pbem.table.sealing import STAND_IN, sender
from pbem.table.tableerror import TableError
from pbem.table.values import Posted


def stand_in(context: Context, raw: bytes, player: str, identity: str | None = None) -> tuple[str, Posted]:
    """Offers to take a player's place in the game of this file, which must hold the whole of it.

    The file made goes to whoever rules. Until the ruling has come, nothing can be signed in the game.
    """
    with context.writing():
        person = context.people.me(identity)
        game = _whole_game(context, raw)
        by = number_of(game, player)
        check_replaceable(game.offer)
        if game.name:
            join = _made_before(game, person.identity, by)
        else:
            keys = context.people.keys(person.identity)
            secrets = GameSecrets(keys.seed, context.random(32))
            join = make_record(
                keys,
                at=context.clock(),
                by=by,
                data=join_data(person.card, secrets, game.offer, by),
                game=game.game_id,
                heads=(),
                kind="join",
                pin=0,
                prev=None,
                seq=0,
            )
            game.store.prepare()
            for digest, data in game.replaced.items():
                game.store.add_loose("replaced", digest, data)
            game.store.set_private(STAND_IN, join.raw)
            game.set_me(Me(person.identity, by))
            game.write(game.replay.records())
            context.name_game(game.store, game.offer)
        summary.refresh(context, game)
        item = Item(ItemType.RECORD, join.raw)
        to = hellos.recipients(context, game)
        posted = context.outbox.put(f"{game.name}-standin", file_of([item]), to, sender(game), automatic=False)
        return game.name, posted


def _whole_game(context: Context, raw: bytes) -> GameFile:
    parcel = unwrap(letter.blocks(raw)[0])
    first = next((record for record in parcel.records if record.kind == "offer"), None)
    if first is None:
        raise Refusal("E-NOTHING", "This file does not hold a whole game. Ask its players for: pbem archive")
    offer = offer_of(first)
    store = context.store(offer.id)
    if store.name:
        return GameFile.load(store, context.find_game)
    game = GameFile(store, context.find_game)
    game.replaced = naming.replaced_files(parcel.replaced, offer)
    left = game.take(parcel.records)
    if left or game.log.genesis is None:
        raise Refusal("E-NOTHING", "This file does not hold a whole game. Ask its players for: pbem archive")
    return game


def _made_before(game: GameFile, identity: bytes, by: int) -> Record:
    """The same join as before: a second one would be a fork."""
    raw = game.store.private(STAND_IN)
    if raw is None or game.me != Me(identity, by):
        raise TableError("E-ANSWERED", f"You have a place in {game.name} already.")
    return parse_record(raw)
