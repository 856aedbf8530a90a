"""Signing one's own records: judged first, durable before they leave, one for each number."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pbem.engine.match import Accepted
from pbem.engine.player import Player
from pbem.fairplay.begin import game_secrets
from pbem.fairplay.hidden import deck_slot
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Join
from pbem.protocol.keys import Keys
from pbem.protocol.log import Log
from pbem.protocol.record import Message, Record, make_record, note_hash
from pbem.table import claims
from pbem.table.addressed import Sender
from pbem.table.context import Context
from pbem.table.gamefile import GameFile, Me
from pbem.table.notes import note as waiting_note
from pbem.table.notes import set_note
from pbem.table.store import Stored
from pbem.table.tableerror import TableError

_SALT = 16
STAND_IN = "standin"
"""The join by which this home's player takes over somebody's place, once it is ruled."""


def my_place(game: GameFile) -> Me:
    me = game.me
    if me is None:
        raise TableError(
            "E-NOT-JOINED", f"You do not play in {game.name}. Accept its offer with: pbem join {game.name}"
        )
    return me


def sender(game: GameFile) -> Sender:
    """On whose behalf a file of this game is mailed."""
    return Sender(game.name, game.offer.id, my_place(game).identity)


def may_sign(game: GameFile) -> None:
    """A game that was restored signs nothing until a person says that it has caught up."""
    if game.store.private("restored") is not None:
        raise TableError(
            "E-RESTORED",
            f"{game.name} was brought back from a backup and may lack records of yours that others hold. Ask them "
            f"with: pbem send {game.name}. When they have answered: pbem restore --confirm {game.name}",
        )


def signing_keys(context: Context, game: GameFile) -> Keys:
    """The keys that speak for this player now: those he came with, or those of a later change of key."""
    me = my_place(game)
    if not speaks(context, game):
        said = claims.replaced(game) or f"{game.player_name(me.by)} plays this place, not you"
        raise TableError("E-NOT-YOURS", f"In {game.name}, {said}.")
    if game.log.genesis is None:
        return context.people.keys(me.identity)
    return context.people.keys(game.log.card_of(me.by).identity)


def secrets(context: Context, game: GameFile) -> GameSecrets:
    """What follows from the seed this player joined with and his nonce."""
    me = my_place(game)
    join = my_join(game, me)
    return game_secrets(context.people.keys(join.identity).seed, game.offer.mode, join)


def my_join(game: GameFile, me: Me) -> Join:
    if game.replay.match is not None:
        return game.match.ledger.join(me.by)
    if me.by == game.offer.starter:
        return game.offer.join
    return next(join for join in game.log.candidates.values() if join.identity == me.identity)


def speaks(context: Context, game: GameFile) -> bool:
    """A key of this home signs for the player's number: not before a ruling puts him in, nor after one puts him out."""
    me = game.me
    if me is None or game.log.genesis is None:
        return me is not None
    return game.log.card_of(me.by).identity in {person.identity for person in context.people.identities()}


def player_of(context: Context, game: GameFile) -> Player:
    """What this player's program needs: the keys he signs with now, and his secrets of this game."""
    return Player(signing_keys(context, game), secrets(context, game), my_place(game).by, former_keys(context, game))


def former_keys(context: Context, game: GameFile) -> list[Keys]:
    """Keys of this home that the player signed with earlier in the game."""
    me, log = my_place(game), game.log
    if log.genesis is None:
        return []
    held = {person.identity for person in context.people.identities()}
    *former, current = (card.identity for card in log.cards_of(me.by))
    return [context.people.keys(identity) for identity in former if identity in held and identity != current]


def seal(
    context: Context, game: GameFile, kind: str, data: Mapping[str, Any], *, automatic: bool = False
) -> tuple[Record, Accepted]:
    """Sign the next record of this player in a running game. When this returns, it is on the disk for good.

    The message that waits goes with a record that a person makes.
    """
    may_sign(game)
    me = my_place(game)
    log = game.log
    note = "" if automatic else waiting_note(game.store)
    salt = context.random(_SALT) if note else b""
    record = make_record(
        signing_keys(context, game),
        at=context.clock(),
        by=me.by,
        data=dict(data),
        game=game.game_id,
        heads=log.heads(me.by),
        kind=kind,
        pin=game.match.position.pin,
        prev=log.last(me.by),
        seq=log.count(me.by),
        note=note_hash(salt, note) if note else None,
    )
    accepted = game.replay.accept(record)
    game.heard += accepted.events
    if note:
        set_note(game.store, note, (record.by, record.seq))
        game.store.add_loose("messages", record.id, Message(record.id, salt, note).pack())
    game.store.add_own(Stored(record.by, record.seq, record.raw), shown(log, record))
    game.replay.stored()
    if note:
        set_note(game.store, "")
    return record, accepted


def shown(log: Log, record: Record) -> dict[str, str]:
    """What a record reveals, for the journal: the value of a chain for one orders record, the lock of a slot."""
    found: dict[str, str] = {}
    for item in record.data.get("items", []):
        if item[0] == "dice":
            place = log.find(item[1])
            if place is None:
                raise Refusal("E-PROMISE", "This reveal names orders that are not in the game.", step="CHA-4")
            found[f"dice:{place[0]}:{place[1]}"] = item[1].hex()
        elif item[0] == "slot":
            found[f"slot:{item[1]}"] = sha256(item[2]).hexdigest()
    for slot, opening in record.data.get("open", []) if record.kind == "orders" else []:
        if deck_slot(slot) is not None:
            found[f"slot:{slot}"] = sha256(opening).hexdigest()
    return found
