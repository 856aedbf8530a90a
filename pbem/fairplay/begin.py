"""Makes an author's part of the records that begin a game: the counterpart of `genesis`, which judges them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.fairplay.chance import chain_value
from pbem.fairplay.secret import GameSecrets, Opened, open_own
from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.card import Card
from pbem.protocol.digest import tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN, Join, Offer, Terms
from pbem.protocol.hpke import ephemeral, seal, unseal
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ESCROW
from pbem.protocol.record import Record, make_record

_PURPOSE = "escrow"


def game_secrets(seed: bytes, mode: str, join: Join) -> GameSecrets:
    """One's secrets in a game, from the seed and what one's offer or join says: all that a backup needs (CHA-1)."""
    return GameSecrets(seed, join.nonce if mode == OPEN else open_own(seed, join.nonce, join.own))


def offer_data(card: Card, secrets: GameSecrets, terms: Terms) -> dict[str, Packable]:
    """GEN-1."""
    board = terms.tournament
    return {
        **_part(card, secrets, terms, terms.starter),
        "clock": dict(terms.clock),
        "decks": terms.decks,
        **({"expires": terms.expires} if terms.expires else {}),
        "mode": terms.mode,
        "options": dict(terms.options),
        "players": terms.players,
        "replaced": terms.replaced,
        "rules": terms.rules._asdict(),
        "scenario": terms.scenario,
        "seats": [list(seat) for seat in terms.seats],
        **({"silence": terms.silence} if terms.silence else {}),
        "title": terms.title,
        **({} if board is None else {"tournament": board._asdict()}),
    }


def join_data(card: Card, secrets: GameSecrets, offer: Offer, by: int) -> dict[str, Packable]:
    """GEN-2."""
    data, escrow = _part(card, secrets, offer, by), None
    if offer.needs_escrow(by):
        assert offer.umpire is not None
        escrow = make_escrow(secrets, by, offer.choosers(by), offer.umpire)
    return {**data, "escrow": escrow}


def make_escrow(secrets: Opened, by: int, choosers: Iterable[int], umpire: Card) -> bytes:
    """The tops of one's chains, sealed to the umpire (CHA-9)."""
    chains = [(chooser, secrets.chain(by, chooser)) for chooser in choosers]
    context = tagged_list([chain.anchor for _, chain in chains])
    tops = pack([[chooser, chain.top] for chooser, chain in chains])
    return seal(ephemeral(secrets.gs, _PURPOSE, context), umpire.seal, _PURPOSE, context, tops)


def start_data(nonce: bytes | None = None) -> dict[str, Packable]:
    """GEN-4. `nonce`: the umpire's, in a game with one, once `check_escrow` has passed for each join."""
    return {} if nonce is None else {"nonce": nonce}


def _part(card: Card, secrets: GameSecrets, offer: Terms, by: int) -> dict[str, Packable]:
    chains = [(chooser, secrets.chain(by, chooser)) for chooser in offer.choosers(by)]
    return {
        "card": card.raw,
        "chains": [[chooser, chain.anchor] for chooser, chain in chains],
        "gs": secrets.gs_commitment,
        "nonce": secrets.nonce if offer.mode == OPEN else secrets.nonce_commitment,
        "own": secrets.own,
    }


def open_escrow(keys: Keys, join: Join) -> dict[int, bytes]:
    """The chain tops by chooser, opened by the umpire and checked against the anchors (CHA-9)."""
    if join.escrow is None:
        return {}
    context = tagged_list([promised for _, promised in join.chains])
    tops = unpack(unseal(keys.seal_private, _PURPOSE, context, join.escrow), MAX_ESCROW)
    if not isinstance(tops, list) or len(tops) != len(join.chains):
        raise _false_escrow(join)
    found: dict[int, bytes] = {}
    for entry, (chooser, promised) in zip(tops, join.chains, strict=True):
        if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or entry[0] != chooser:
            raise _false_escrow(join)
        top = entry[1]
        if not isinstance(top, bytes) or len(top) != 32 or chain_value(top, join.chain_id(chooser), 0) != promised:
            raise _false_escrow(join)
        found[chooser] = top
    return found


def check_escrow(keys: Keys, join: Join) -> None:
    """What the umpire does with each join before the start (GEN-4)."""
    open_escrow(keys, join)


def _false_escrow(join: Join) -> Refusal:
    return Refusal(
        "E-PROMISE",
        "The escrow of this player does not lead to the dice that they promised. The game should not start with it.",
        step="CHA-9",
        author=join.by,
        record=join.id,
    )


def first_record(
    keys: Keys,
    *,
    by: int,
    kind: str,
    data: dict[str, Packable],
    offer: Offer | None,
    joins: Sequence[Join] = (),
    at: int,
) -> Record:
    """An offer, a join or decline, or the start, with the heads that belong to it. `joins` are those that it cites."""
    second = offer is not None and by == offer.starter
    cited = [(join.by, join.id) for join in joins]
    if offer is not None and not second:
        cited = [(offer.starter, offer.id)]
    return make_record(
        keys,
        at=at,
        by=by,
        data=data,
        game=None if offer is None else offer.id,
        heads=tuple(cited),
        kind=kind,
        pin=0,
        prev=offer.id if offer is not None and second else None,
        seq=int(second),
    )
