"""Rulings and new keys: who may rule, when a ruling holds, and what of it the log itself must know (LOG-7, MEA-10)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from pbem.protocol.canonical import pack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.digest import be8, be32, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis, substitute_of
from pbem.protocol.keys import Keys, check_signature
from pbem.protocol.record import UMPIRE, Record, parse_record

_OWN_WORDS = ("why", "state", "other")  # what rulings that say the same may say differently


class Branch(NamedTuple):
    """After a fork: record `seq` of `by` is `keep`; `drop` and what follows from it alone has no effect."""

    by: int
    seq: int
    keep: bytes
    drop: bytes


class Ruling(NamedTuple):
    """A ruling that is good in itself. It holds once everybody in `needed` has made one with the same `subject`."""

    subject: bytes
    needed: tuple[int, ...]
    player: int | None = None
    card: Card | None = None
    branch: Branch | None = None


Vote = tuple[int, int, bytes]
"""A record by its author, sequence number and id."""


class Ruled(NamedTuple):
    """A ruling about a key or a branch, and the records that make it."""

    ruling: Ruling
    votes: list[Vote]


class Came(NamedTuple):
    """An identity that a record brings in for a player's number."""

    identity: bytes
    number: int
    place: Vote


def came_by(record: Record, card: Card | None, ruling: Ruling | None) -> Came | None:
    """Whom a record brings in: by a `rekey` record's card, or by a ruling."""
    if card is not None:
        return Came(card.identity, record.by, (record.by, record.seq, record.id))
    if ruling is not None and ruling.card is not None and ruling.player is not None:
        return Came(ruling.card.identity, ruling.player, (record.by, record.seq, record.id))
    return None


def rekey_digest(game: bytes, by: int, seq: int, card_id: bytes) -> bytes:
    """What a new key signs to agree that it speaks for this player. `seq` is the `rekey` record's, or 0 in a ruling."""
    return tagged("pbem1/rekey", game, be8(by), be32(seq), card_id)


def rekey_proof(new: Keys, game: bytes, by: int, seq: int, card: Card) -> bytes:
    """The `proof` of a record that brings in `card`."""
    return new.sign(rekey_digest(game, by, seq, card.id))


def new_card(record: Record, by: int, seq: int) -> Card:
    """The card that a rekey record or ruling brings, if its key has agreed (LOG-7)."""
    assert record.game is not None
    card = parse_card(record.data["card"])
    check_signature(card.sign, rekey_digest(record.game, by, seq, card.id), record.data["proof"])
    return card


def subject_of(data: Mapping[str, Any]) -> bytes:
    """Two rulings with one subject say the same."""
    said = {key: value for key, value in data.items() if key not in _OWN_WORDS}
    return tagged("pbem1/ruling", pack(said))


def ruling_of(
    genesis: Genesis,
    record: Record,
    place: Callable[[bytes], tuple[int, int] | None],
    key_at: Callable[[int, int], bytes],
) -> Ruling:
    """Judge the payload of a ruling by what its past holds.

    `place` finds a record of that past by id, as (author, seq); `key_at` gives the key that signed it.
    """
    data = record.data
    what = data["what"]
    player = card = branch = None
    if what == "forfeit":
        _check_cited(genesis, data.get("claim"), place)
    elif what == "adjudge":
        _check_adjudged(genesis, data["winner"], data["scores"])
    elif what == "branch":
        branch = _branch(record, place, key_at)
    elif what == "escrow":
        if genesis.umpire is None:
            raise _no("Only an umpire holds an escrow, and this game has none.")
    else:
        player = data["player"]
        if player not in genesis.players:
            raise _no("This ruling names a player who is not in the game.")
        if what != "extension" and genesis.umpire is None and len(genesis.players) == 2:
            raise _no(
                "Between two players without an umpire, neither can give away the other's place or key: only the old "
                "key can change a key. If a player cannot go on, claim what they owe, then rule that they forfeit."
            )
        if what == "rekey":
            card = new_card(record, player, 0)
        elif what == "substitute":
            card = substitute_of(genesis, player, parse_record(data["join"])).card
    needed = rulers_of(genesis, record)
    if record.by not in needed:
        raise _no("The author of this ruling has no say in this matter.")
    return Ruling(subject_of(data), needed, player, card, branch)


def _check_cited(genesis: Genesis, claim: bytes | None, place: Callable[[bytes], tuple[int, int] | None]) -> None:
    """Without an umpire, a forfeit cites a claim; whether it stands, the rules say (MEA-10)."""
    if genesis.umpire is not None:
        if claim is not None:
            raise _no("An umpire rules without a claim.")
    elif not genesis.offer.silence:
        raise _no("This game was offered without forfeits.")
    elif claim is None or place(claim) is None:
        raise _no("A forfeit without an umpire cites a claim in its past, which says what the player owes.")


def _check_adjudged(genesis: Genesis, winner: str | None, scores: Mapping[str, int]) -> None:
    if genesis.umpire is None:
        raise _no("Only an umpire can decide the result of a game, and this one has none.")
    if winner is not None and winner not in genesis.sides:
        raise _no("This ruling gives the game to a side that is not in it.")
    if not set(scores) <= {*genesis.sides, *(seat.name for seat in genesis.seats)}:
        raise _no("This ruling has a score for somebody who is not in the game.")


def concerned_by(genesis: Genesis, data: Mapping[str, Any]) -> tuple[int, ...]:
    """Whom a ruling is about."""
    match data["what"]:
        case "forfeit":
            try:
                return tuple(sorted({genesis.player_of(seat) for seat in data["seats"]}))
            except KeyError:
                raise _no("This ruling names a seat that is not in the game.") from None
        case "adjudge":
            return tuple(genesis.players)
        case "branch":
            return (parse_record(data["other"]).by,)
        case "escrow":
            return (data["witness"],)
    return (data["player"],)


def rulers(genesis: Genesis, concerned: Collection[int]) -> tuple[int, ...]:
    """The umpire; without one, or about the umpire, all players but those concerned."""
    if genesis.umpire is not None and UMPIRE not in concerned:
        return (UMPIRE,)
    return tuple(n for n in genesis.players if n not in concerned)


def rulers_of(genesis: Genesis, record: Record) -> tuple[int, ...]:
    """Who must make this ruling. All players together can adjudge a game, so that one ends whose umpire is gone."""
    if record.data["what"] == "adjudge":
        return (UMPIRE,) if record.by == UMPIRE else tuple(genesis.players)
    return rulers(genesis, concerned_by(genesis, record.data))


def _branch(
    record: Record, place: Callable[[bytes], tuple[int, int] | None], key_at: Callable[[int, int], bytes]
) -> Branch:
    data = record.data
    other = parse_record(data["other"])
    keep, drop = data["keep"], data["drop"]
    if other.id not in (keep, drop) or keep == drop:
        raise _no("This ruling does not show one of the two records that it chooses from.")
    seen = drop if other.id == keep else keep
    found = place(seen)
    if found is None or found != (other.by, other.seq) or other.game != record.game:
        raise _no("The two records of this ruling are not a fork that its author has seen.")
    check_signature(key_at(*found), other.id, other.signature)
    return Branch(other.by, other.seq, keep, drop)


def _no(sentence: str) -> Refusal:
    return Refusal("E-RULING", sentence, step="MEA-10")
