"""Making the records that begin a game: offer, joins, start (docs/spec/genesis.md)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.engine.definition import Game, Setup
from pbem.engine.registry import package
from pbem.fairplay.begin import first_record, game_secrets, join_data, offer_data, start_data
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.canonical import Packable
from pbem.protocol.card import Card
from pbem.protocol.digest import tagged, tagged_list
from pbem.protocol.genesis import Board, Join, Offer, Rules, Seat, Terms, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.record import Record


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody offers: everything of an offer but their own secrets."""

    game: Game[Any]
    setup: Setup
    players: tuple[bytes | None, ...]
    seats: tuple[tuple[str, int], ...]
    """Seat and player, in the game's seat order."""
    mode: str
    umpired: bool = False
    clock: Mapping[str, int] | None = None
    replaced: tuple[tuple[str, bytes], ...] = ()
    title: str = ""
    silence: int = 0
    tournament: Board | None = None
    expires: int = 0


def make_offer(keys: Keys, card: Card, wanted: Wanted, nonce: bytes, at: int) -> Record:
    """GEN-1. What does not fit together is refused by the same words as an offer from outside."""
    game, setup = wanted.game, wanted.setup
    terms = Terms(
        mode=wanted.mode,
        players=wanted.players,
        rules=Rules(setup.behaviour, code_digest(game), setup.data.digest, game.name, game.rules, package(game.name)),
        scenario=setup.scenario,
        seats=tuple(Seat(name, game.seat(name).side, player) for name, player in wanted.seats),
        clock={"bank": 0, "days_off": 0, "move": 0, **(wanted.clock or {})},
        decks=tuple(sorted(game.decks)),
        options=setup.options,
        replaced=tuple(sorted(wanted.replaced)),
        title=wanted.title,
        silence=wanted.silence,
        umpired=wanted.umpired,
        tournament=wanted.tournament,
        expires=wanted.expires,
    )
    data = offer_data(card, GameSecrets(keys.seed, nonce), terms)
    record = first_record(keys, by=terms.starter, kind="offer", data=data, offer=None, at=at)
    offer_of(record)
    return record


def make_join(keys: Keys, card: Card, offer: Offer, by: int, nonce: bytes, at: int) -> Record:
    """GEN-2."""
    data = join_data(card, GameSecrets(keys.seed, nonce), offer, by)
    return first_record(keys, by=by, kind="join", data=data, offer=offer, at=at)


def make_decline(keys: Keys, card: Card, offer: Offer, by: int, why: str, at: int, *, leave: bool = False) -> Record:
    """GEN-5. By whoever offered, it takes the offer back."""
    data: dict[str, Packable] = {"card": card.raw, "why": why, **({"leave": True} if leave else {})}
    return first_record(keys, by=by, kind="decline", data=data, offer=offer, at=at)


def make_start(keys: Keys, offer: Offer, joins: Sequence[Join], at: int) -> Record:
    """GEN-4. `joins` of all who had to join, by number; of an umpire's game after `check_escrow` of each."""
    nonce = game_secrets(keys.seed, offer.mode, offer.join).nonce if offer.umpire is not None else None
    return first_record(keys, by=offer.starter, kind="start", data=start_data(nonce), offer=offer, joins=joins, at=at)


def code_digest(game: Game[Any]) -> bytes:
    """Over the sources of the game's package: different code is pointed out, it does not hinder a game."""
    file = getattr(sys.modules.get(game.setup.__module__), "__file__", None)
    if file is None:
        return bytes(32)
    folder = Path(file).parent
    sources = sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix())
    return tagged(
        "pbem1/code",
        tagged_list([tagged("pbem1/file", p.relative_to(folder).as_posix(), p.read_bytes()) for p in sources]),
    )
