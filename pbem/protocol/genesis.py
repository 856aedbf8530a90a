"""The beginning of a game: offer, joins, start, and the witnesses of players (docs/spec/genesis.md).

`offer_of`, `join_of`, `decline_of` and `start_of` judge one record each, signature included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from pbem.protocol.card import Card, parse_card
from pbem.protocol.digest import be8, be32, tagged
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.keys import check_signature
from pbem.protocol.kinds import check_data
from pbem.protocol.record import UMPIRE, Record

STRICT, BY_UMPIRE, OPEN = "strict", "umpire", "open"

Chains = tuple[tuple[int, bytes], ...]
_NAME = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)  # a key of the scores, too


@lru_cache(maxsize=1_024)
def chain_id(gs_commitment: bytes, witness: int, chooser: int, number: int = 0) -> bytes:
    """CHA-2."""
    return tagged("pbem1/cid", gs_commitment, be8(witness), be8(chooser), be32(number))


def nonce_commitment(nonce: bytes) -> bytes:
    return tagged("pbem1/nonce", nonce)


class Seat(NamedTuple):
    name: str
    side: str
    player: int


class Rules(NamedTuple):
    """The parts of a game package that the offer pins."""

    behaviour: int
    code: bytes
    data: bytes
    module: str
    version: str
    needs: str
    """The package and version with these rules, for a program that lacks them."""


class Board(NamedTuple):
    """The place in a tournament that an umpire offers a game for. The umpire's identity and the key
    identify a tournament; its title proves nothing."""

    key: bytes
    title: str
    round: int
    board: int


class Join(NamedTuple):
    """One author's contribution to the game: their part of the offer, or a join."""

    id: bytes
    by: int
    card: Card
    chains: Chains
    escrow: bytes | None
    gs: bytes
    nonce: bytes
    own: bytes

    @property
    def identity(self) -> bytes:
        return self.card.identity

    def anchor(self, chooser: int) -> bytes | None:
        return dict(self.chains).get(chooser)

    def chain_id(self, chooser: int) -> bytes:
        return chain_id(self.gs, self.by, chooser)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Terms:
    """The terms of an offer, apart from its author's own contribution (GEN-1)."""

    mode: str
    players: tuple[bytes | None, ...]
    rules: Rules
    scenario: str
    seats: tuple[Seat, ...]
    clock: Mapping[str, int] = field(default_factory=lambda: {"bank": 0, "days_off": 0, "move": 0})
    decks: tuple[str, ...] = ()
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    replaced: tuple[tuple[str, bytes], ...] = ()
    title: str = ""
    umpired: bool = False
    """Its author is the game's umpire, not player 0."""
    silence: int = 0
    """Days between a claim and a forfeit, in a game without an umpire; 0: nobody forfeits (MEA-10)."""
    tournament: Board | None = None
    expires: int = 0
    """Until when a player's program joins, by its own clock; 0: without end."""

    @property
    def starter(self) -> int:
        """Who offers the game and starts it: the umpire where there is one, else player 0."""
        return UMPIRE if self.umpired else 0

    @property
    def numbers(self) -> range:
        """The players' numbers."""
        return range(len(self.players))

    @property
    def joiners(self) -> tuple[int, ...]:
        """The players who have to join."""
        return tuple(n for n in self.numbers if n != self.starter)

    @property
    def authors(self) -> tuple[int, ...]:
        """Everybody who may author records: the players, then the umpire."""
        return (*self.numbers, UMPIRE) if self.umpired else tuple(self.numbers)

    @property
    def sides(self) -> tuple[str, ...]:
        """In the order in which the seats name them."""
        return tuple(dict.fromkeys(seat.side for seat in self.seats))

    def seat(self, name: str) -> Seat:
        for seat in self.seats:
            if seat.name == name:
                return seat
        raise KeyError(name)

    def player_of(self, seat: str) -> int:
        return self.seat(seat).player

    def seats_of(self, player: int) -> tuple[str, ...]:
        """Their seats, in the game's order."""
        return tuple(seat.name for seat in self.seats if seat.player == player)

    def sides_of(self, player: int) -> frozenset[str]:
        return frozenset(seat.side for seat in self.seats if seat.player == player)

    def witness(self, chooser: int) -> int | None:
        """Whose reveal supplies the chance for what this player chooses (GEN-6)."""
        if self.mode == BY_UMPIRE:
            return UMPIRE
        if self.mode == OPEN:
            return None
        count = len(self.players)
        own = self.sides_of(chooser)
        for step in range(1, count):
            other = (chooser + step) % count
            if not own & self.sides_of(other):
                return other
        return None

    def choosers(self, witness: int) -> tuple[int, ...]:
        """The players for whom this author holds a chain."""
        return tuple(n for n in self.numbers if self.witness(n) == witness)

    def needs_escrow(self, author: int) -> bool:
        return self.mode == STRICT and self.umpired and author != UMPIRE and bool(self.choosers(author))


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Terms):
    """A game as it is offered. What it says of seats, witnesses and decks is consistent (GEN-1, 6, 7, 9)."""

    id: bytes
    join: Join
    """Of its author: player 0, or the umpire."""

    @property
    def umpire(self) -> Card | None:
        return self.join.card if self.umpired else None


@dataclass(frozen=True, slots=True)
class Genesis:
    """A game that has started. `joins` are by player number; the umpire's part is apart."""

    game_id: bytes
    """The id of the start (GEN-4)."""
    offer: Offer
    joins: tuple[Join, ...]
    umpire: Join | None
    nonce: bytes | None = field(default=None, repr=False)
    """The umpire's, which the start shows (GEN-4)."""
    _witnesses: dict[int, int | None] = field(init=False, repr=False, compare=False)
    _players: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Asked at every record.
        object.__setattr__(self, "_witnesses", {n: self.offer.witness(n) for n in self.offer.numbers})
        object.__setattr__(self, "_players", {seat.name: seat.player for seat in self.offer.seats})

    @property
    def mode(self) -> str:
        return self.offer.mode

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.offer.seats

    @property
    def sides(self) -> tuple[str, ...]:
        return self.offer.sides

    @property
    def players(self) -> range:
        return self.offer.numbers

    @property
    def authors(self) -> tuple[int, ...]:
        return self.offer.authors

    def witness(self, chooser: int) -> int | None:
        return self._witnesses.get(chooser)

    def player_of(self, seat: str) -> int:
        return self._players[seat]

    def seats_of(self, player: int) -> tuple[str, ...]:
        return tuple([name for name, by in self._players.items() if by == player])

    def join(self, author: int) -> Join:
        if author == UMPIRE:
            if self.umpire is None:
                raise KeyError(author)
            return self.umpire
        return self.joins[author]

    def card(self, author: int) -> Card:
        """The card an author came with; a rekey or a substitution later is the log's to know."""
        return self.join(author).card


def signed_card(record: Record) -> Card:
    """The card in the payload of a first record, after it is certain that its key signed the record (REC-4)."""
    raw = record.data.get("card")
    if type(raw) is not bytes:
        raise record.refusal("E-FORM", "GEN-1", "There is no card in the first record of this author.")
    with record.blamed():
        card = parse_card(raw)
        check_signature(card.sign, record.id, record.signature)
        check_data(record.kind, record.data)
    return card


def offer_of(record: Record) -> Offer:
    """GEN-1, GEN-3, GEN-6, GEN-7, GEN-9."""
    if record.kind != "offer" or record.by not in (0, UMPIRE) or record.seq or record.heads or record.pin:
        sentence = "An offer is the first record of player 0, or of the umpire, and cites nothing."
        raise record.refusal("E-OFFER", "GEN-1", sentence)
    card = signed_card(record)
    data = record.data
    offer = Offer(
        id=record.id,
        join=_join(record, card),
        clock=dict(data["clock"]),
        decks=tuple(data["decks"]),
        mode=data["mode"],
        options=dict(data["options"]),
        players=tuple(data["players"]),
        replaced=tuple((name, digest) for name, digest in data["replaced"]),
        rules=Rules(**data["rules"]),
        scenario=data["scenario"],
        seats=tuple(Seat(*seat) for seat in data["seats"]),
        title=data["title"],
        umpired=record.by == UMPIRE,
        silence=data.get("silence", 0),
        tournament=Board(**data["tournament"]) if "tournament" in data else None,
        expires=data.get("expires", 0),
    )
    fault = _terms_fault(offer)
    if 0 < offer.expires < record.at:
        fault = "GEN-3", "The offer had expired before it was made."
    if fault:
        raise record.refusal("E-OFFER", *fault)
    _check_chains(offer, record)
    return offer


def _join(record: Record, card: Card) -> Join:
    data = record.data
    return Join(
        id=record.id,
        by=record.by,
        card=card,
        chains=tuple((chooser, anchor) for chooser, anchor in data["chains"]),
        escrow=data.get("escrow"),
        gs=data["gs"],
        nonce=data["nonce"],
        own=data["own"],
    )


def _terms_fault(offer: Offer) -> tuple[str, str] | None:
    """Step and sentence, where what is offered does not fit together."""
    return _people_fault(offer) or _mode_fault(offer) or _order_fault(offer)


def _people_fault(offer: Offer) -> tuple[str, str] | None:
    known = [identity for identity in offer.players if identity is not None]
    if offer.umpire is None and offer.players[0] != offer.join.identity:
        return "GEN-1", "The offer does not name its author as player 0."
    if len(set(known)) != len(known):
        return "GEN-1", "The offer gives one person two player numbers."
    if offer.umpire is not None and offer.umpire.identity in known:
        return "GEN-3", "The umpire who offers the game would play in it."
    if offer.umpire is None and (offer.tournament or offer.expires):
        return "GEN-3", "Only an umpire's offer can be for a board of a tournament, or expire."
    count = len(offer.players)
    if offer.silence and (offer.umpire is not None or count == 1):
        return "GEN-1", "The offer sets days of silence before a forfeit, in a game that allows no such forfeit."
    if not 2 <= count <= 5 and not (count == 1 and offer.mode == OPEN):
        return "GEN-7", "A game has two to five players; only in mode open can one player hold all seats."
    names = [seat.name for seat in offer.seats]
    if len(set(names)) != len(names) or not all(_NAME.fullmatch(n) for s in offer.seats for n in (s.name, s.side)):
        return "GEN-1", "The offer names a seat twice, or a seat or side has an impossible name."
    if {seat.player for seat in offer.seats} != set(offer.numbers):
        return "GEN-7", "The offer leaves a player without a seat, or gives a seat to nobody."
    return None


def _mode_fault(offer: Offer) -> tuple[str, str] | None:
    if offer.mode == BY_UMPIRE and offer.umpire is None:
        return "GEN-1", "The offer asks for an umpire's dice, but no umpire made it."
    if offer.mode != STRICT:
        return None
    if len(offer.sides) < 2 or any(len(offer.sides_of(n)) > 1 for n in offer.numbers):
        return "GEN-6", "Strict dice need two sides or more, and nobody may play for two of them."
    if offer.decks and len(offer.players) > 2 and offer.umpire is None:
        return "GEN-9", "With three or more players and strict dice, hidden cards need an umpire to deal them."
    return None


def _order_fault(offer: Offer) -> tuple[str, str] | None:
    replaced = [name for name, _ in offer.replaced]
    if list(offer.decks) != sorted(set(offer.decks)) or replaced != sorted(set(replaced)):
        return "GEN-1", "The offer lists decks or replaced data out of order, or twice."
    return None


def _check_chains(offer: Offer, record: Record) -> None:
    """The right anchors (GEN-6), and an escrow exactly where one is due (GEN-2)."""
    chains = tuple(chooser for chooser, _ in record.data["chains"])
    if chains != offer.choosers(record.by):
        raise record.refusal("E-OFFER", "GEN-6", "The chains of dice are not those that this author must hold.")
    if (record.data.get("escrow") is not None) != offer.needs_escrow(record.by):  # of an offer: never
        raise record.refusal("E-PROMISE", "GEN-2", "There is an escrow where none is due, or none where one is due.")


def _entering(offer: Offer, record: Record, step: str, what: str) -> Card:
    """The card of a join or decline, the first record of a player for whom the offer has a place."""
    if record.game != offer.id:
        raise record.refusal("E-GAME", step, "This record belongs to another game.")
    if record.seq or record.pin:
        raise record.refusal("E-PREV", step, "A join or decline is the first record of its author.")
    if record.by not in offer.joiners:
        raise record.refusal("E-GAME", step, "There is no place for a player of this number in the offer.")
    if record.heads != ((offer.starter, offer.id),):
        raise record.refusal("E-HEADS", step, f"A {what} cites the offer and nothing else.")
    card = signed_card(record)
    _check_identity(offer, record, card)
    return card


def join_of(offer: Offer, record: Record) -> Join:
    """A player's join (GEN-2)."""
    card = _entering(offer, record, "GEN-2", "join")
    _check_chains(offer, record)
    return _join(record, card)


def _check_identity(offer: Offer, record: Record, card: Card) -> None:
    wanted = offer.players[record.by]
    if wanted is not None and wanted != card.identity:
        raise record.refusal("E-IDENTITY", "GEN-2", "The offer keeps this place for somebody else.")
    taken = {identity for n, identity in enumerate(offer.players) if n != record.by}
    if card.identity in taken or (offer.umpire is not None and card.identity == offer.umpire.identity):
        raise record.refusal("E-IDENTITY", "GEN-2", "This person already has another place in the game.")


def decline_of(offer: Offer, record: Record) -> Card:
    """A player declines, or the author of the offer takes it back by their record 1, in the start's place (GEN-5)."""
    if record.by == offer.starter:
        if record.seq != 1 or record.pin or record.game != offer.id or record.prev != offer.id or record.heads:
            sentence = "An offer is taken back by its author's next record, which cites the offer and nothing else."
            raise record.refusal("E-START", "GEN-5", sentence)
        card = signed_card(record)
        if card.raw != offer.join.card.raw:
            raise record.refusal(
                "E-IDENTITY", "GEN-5", "The record that takes an offer back must hold the same card as the offer."
            )
        return card
    return _entering(offer, record, "GEN-5", "decline")


def _cited(candidates: Mapping[bytes, Join], record: Record) -> tuple[Join, ...]:
    """The joins that a start cites."""
    missing = tuple(cited for _, cited in record.heads if cited not in candidates)
    if missing:
        raise Incomplete("Joins that this record cites have not arrived.", missing)
    joins = tuple(candidates[cited] for _, cited in record.heads)
    if any(join.by != by for join, (by, _) in zip(joins, record.heads, strict=True)):
        raise record.refusal("E-HEADS", "GEN-4", "A join is cited for a number that is not its author's.")
    return joins


def start_of(offer: Offer, candidates: Mapping[bytes, Join], record: Record) -> Genesis:
    """The start (GEN-4): `candidates` are the joins held, by id."""
    place = record.by, record.seq, record.pin, record.prev
    if record.kind != "start" or place != (offer.starter, 1, 0, offer.id):
        raise record.refusal("E-START", "GEN-4", "A start is the second record of the author of the offer.")
    if record.game != offer.id:
        raise record.refusal("E-GAME", "GEN-4", "This record belongs to another game.")
    if tuple(by for by, _ in record.heads) != offer.joiners:
        raise record.refusal("E-HEADS", "GEN-4", "A start cites one join of every player who had to join.")
    cited = _cited(candidates, record)
    with record.blamed():
        check_signature(offer.join.card.sign, record.id, record.signature)
        check_data(record.kind, record.data)
    umpire = offer.join if offer.umpire is not None else None
    nonce = record.data.get("nonce")
    if (umpire is None) != (nonce is None):
        raise record.refusal("E-START", "GEN-4", "Only an umpire's start shows a nonce, and it must show one.")
    if umpire is not None and umpire.nonce != (nonce if offer.mode == OPEN else nonce_commitment(nonce or b"")):
        raise record.refusal("E-PROMISE", "GEN-4", "The nonce in the start is not the one that the offer promised.")
    joins = cited if umpire is not None else (offer.join, *cited)
    return Genesis(record.id, offer, joins, umpire, nonce)


def substitute_of(genesis: Genesis, player: int, record: Record) -> Join:
    """The join of somebody who takes over a player's number, from the payload of a ruling (MEA-10)."""
    if record.kind != "join" or record.game != genesis.game_id or record.by != player or record.heads:
        raise record.refusal("E-PREV", "MEA-10", "This join is not one for that place in this game.")
    if record.seq or record.pin:
        raise record.refusal("E-PREV", "MEA-10", "A join is the first record of its author.")
    card = signed_card(record)
    _check_chains(genesis.offer, record)
    return _join(record, card)


def check_nonce(join: Join, nonce: bytes) -> None:
    """A nonce shown against what was promised (GEN-8)."""
    if nonce_commitment(nonce) != join.nonce:
        raise Refusal("E-PROMISE", "The nonce shown is not the one that was promised.", step="GEN-8", author=join.by)
