"""Making the records that begin a game: offer, joins, the umpire's join, start (docs/spec/genesis.md)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.engine.game import Game, Setup
from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.card import Card
from pbem.protocol.chance import anchor as chain_anchor
from pbem.protocol.chance import chain_id, chain_top
from pbem.protocol.digest import tagged, tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN, Join, Offer, Rules, Seat, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ESCROW
from pbem.protocol.record import UMPIRE, Record, make_record
from pbem.protocol.seal import ephemeral, seal, unseal
from pbem.protocol.secret import GameSecrets, nonce_commitment, open_own

_NOBODY = bytes(32)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a player offers: everything of an offer but his own secrets."""

    game: Game[Any]
    setup: Setup
    players: tuple[bytes | None, ...]
    seats: tuple[tuple[str, int], ...]
    """Seat and player, in the game's seat order."""
    mode: str
    umpire: Card | None = None
    clock: Mapping[str, int] | None = None
    replaced: tuple[tuple[str, bytes], ...] = ()
    title: str = ""


def secrets_of(seed: bytes, mode: str, join: Join) -> GameSecrets:
    """One's secrets in a game, from the seed and what one's offer or join says (CHA-1)."""
    if mode == OPEN:
        return GameSecrets(seed, join.nonce)
    return GameSecrets(seed, open_own(seed, join.nonce, join.own))


def make_offer(keys: Keys, card: Card, wanted: Wanted, nonce: bytes, at: int) -> Record:
    """GEN-1. What does not fit together is refused by the same words as an offer from outside."""
    secrets = GameSecrets(keys.seed, nonce)
    game = wanted.game
    seats = tuple(Seat(name, game.seat(name).side, player) for name, player in wanted.seats)
    rules = Rules(wanted.setup.behaviour, code_digest(game), wanted.setup.data.digest, game.name, game.rules)
    sketch = Offer(
        id=_NOBODY,
        join=Join(_NOBODY, 0, card, (), None, secrets.gs_commitment, _NOBODY, b""),
        clock={},
        decks=tuple(sorted(game.decks)),
        mode=wanted.mode,
        options=wanted.setup.options,
        players=wanted.players,
        replaced=wanted.replaced,
        rules=rules,
        scenario=wanted.setup.scenario,
        seats=seats,
        title=wanted.title,
        umpire=wanted.umpire,
    )
    clock = {"bank": 0, "days_off": 0, "move": 0, **(wanted.clock or {})}
    data: dict[str, Packable] = {
        **_part(secrets, card, sketch, 0),
        "clock": dict(clock),
        "decks": list(sketch.decks),
        "mode": wanted.mode,
        "options": dict(wanted.setup.options),
        "players": list(wanted.players),
        "replaced": [[name, digest] for name, digest in sorted(wanted.replaced)],
        "rules": {
            "behaviour": rules.behaviour,
            "code": rules.code,
            "data": rules.data,
            "module": rules.module,
            "version": rules.version,
        },
        "scenario": wanted.setup.scenario,
        "seats": [[seat.name, seat.side, seat.player] for seat in seats],
        "title": wanted.title,
        "umpire": None if wanted.umpire is None else wanted.umpire.raw,
    }
    record = make_record(keys, at=at, by=0, data=data, game=None, heads=(), kind="offer", pin=0, prev=None, seq=0)
    offer_of(record)
    return record


def make_join(keys: Keys, card: Card, offer: Offer, by: int, nonce: bytes, at: int) -> Record:
    """GEN-2."""
    data = _part(GameSecrets(keys.seed, nonce), card, offer, by)
    return _first(keys, offer, by, "join", data, ((0, offer.id),), at)


def make_decline(keys: Keys, card: Card, offer: Offer, by: int, why: str, at: int) -> Record:
    """GEN-5."""
    return _first(keys, offer, by, "decline", {"card": card.raw, "why": why}, ((0, offer.id),), at)


def make_umpire_join(keys: Keys, offer: Offer, joins: Sequence[Join], nonce: bytes, at: int) -> Record:
    """GEN-3, after `check_escrow` of each. `joins` by number, without the offerer's."""
    assert offer.umpire is not None
    data = _part(GameSecrets(keys.seed, nonce), offer.umpire, offer, UMPIRE)
    del data["escrow"]
    data["checked"] = [join.id for join in (offer.join, *joins) if join.escrow is not None]
    heads = ((0, offer.id), *((join.by, join.id) for join in joins))
    return _first(keys, offer, UMPIRE, "join", data, heads, at)


def make_start(keys: Keys, offer: Offer, joins: Sequence[Join], at: int) -> Record:
    """GEN-4. `joins`: of everybody but the offerer, the umpire's last."""
    return make_record(
        keys,
        at=at,
        by=0,
        data={"joins": [join.id for join in joins]},
        game=offer.id,
        heads=tuple((join.by, join.id) for join in joins),
        kind="start",
        pin=0,
        prev=offer.id,
        seq=1,
    )


def check_escrow(keys: Keys, join: Join) -> None:
    """CHA-9: the umpire opens an escrow and sees that its tops lead to the anchors of the join."""
    if join.escrow is None:
        return
    raw = unseal(keys.seal_private, "escrow", _escrow_context(join), join.escrow)
    tops = unpack(raw, MAX_ESCROW)
    good = isinstance(tops, list) and [
        entry[0] if isinstance(entry, list) and len(entry) == 2 else None for entry in tops
    ]
    if good != [chooser for chooser, _ in join.chains]:
        raise _false_escrow(join)
    assert isinstance(tops, list)
    for entry, (chooser, promised) in zip(tops, join.chains, strict=True):
        top = entry[1] if isinstance(entry, list) else None
        if not isinstance(top, bytes) or chain_anchor(top, join.chain_id(chooser)) != promised:
            raise _false_escrow(join)


def _false_escrow(join: Join) -> Refusal:
    return Refusal(
        "E-ESCROW",
        "The escrow of this player does not lead to the dice that he promised. The game should not start with it.",
        step="CHA-9",
        author=join.by,
        record=join.id,
    )


def _escrow_context(join: Join) -> bytes:
    return tagged_list([anchor for _, anchor in join.chains])


def _part(secrets: GameSecrets, card: Card, offer: Offer, by: int) -> dict[str, Packable]:
    """What every author brings: card, anchors of his chains, commitments, the box for himself."""
    tops: list[Packable] = []
    chains: list[Packable] = []
    anchors = []
    for chooser in offer.choosers(by):
        cid = chain_id(secrets.gs_commitment, by, chooser)
        top = chain_top(secrets.gs, cid)
        anchor = chain_anchor(top, cid)
        tops.append([chooser, top])
        anchors.append(anchor)
        chains.append([chooser, anchor])
    escrow = None
    if offer.needs_escrow(by):
        assert offer.umpire is not None
        context = tagged_list(anchors)
        escrow = seal(ephemeral(secrets.gs, "escrow", context), offer.umpire.seal, "escrow", context, pack(tops))
    return {
        "card": card.raw,
        "chains": chains,
        "escrow": escrow,
        "gs": secrets.gs_commitment,
        "nonce": secrets.nonce if offer.mode == OPEN else nonce_commitment(secrets.nonce),
        "own": secrets.own,
    }


def _first(
    keys: Keys,
    offer: Offer,
    by: int,
    kind: str,
    data: dict[str, Packable],
    heads: tuple[tuple[int, bytes], ...],
    at: int,
) -> Record:
    return make_record(keys, at=at, by=by, data=data, game=offer.id, heads=heads, kind=kind, pin=0, prev=None, seq=0)


def code_digest(game: Game[Any]) -> bytes:
    """Over the sources of the game's package: different code is pointed out, it does not hinder a game."""
    file = getattr(sys.modules.get(game.setup.__module__), "__file__", None)
    if file is None:
        return _NOBODY
    folder = Path(file).parent
    sources = sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix())
    return tagged(
        "pbem1/code",
        tagged_list([tagged("pbem1/file", p.relative_to(folder).as_posix(), p.read_bytes()) for p in sources]),
    )
