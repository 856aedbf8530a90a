"""Everything that a tournament's pages show, read in one transaction. What is odd in a game stays with the umpire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy.engine import Connection

from pbem.engine.definition import Game
from pbem.protocol.words import fingerprint
from pbem.umpire import clock
from pbem.umpire.addresses import Hide, addresses
from pbem.umpire.clock import Reckoned
from pbem.umpire.db import journal, queries
from pbem.umpire.db.deskrows import (
    ActRow,
    ArchiveRow,
    ExtensionRow,
    FlagRow,
    HeldRow,
    MoveRow,
    OwedRow,
    PairingRow,
    RatingRow,
    RoundRow,
    TournamentRow,
    of_games,
)
from pbem.umpire.ratings import ratings_after
from pbem.umpire.rounds import rounds_of, standings_of
from pbem.umpire.standings import Row

T = TypeVar("T", MoveRow, OwedRow, ExtensionRow, FlagRow)


@dataclass(frozen=True, slots=True)
class Player:
    """An entrant as everybody may know them."""

    number: int
    name: str
    fingerprint: str
    rating: int
    deviation: int
    out: bool


@dataclass(frozen=True, slots=True)
class Picture:
    at: int
    """What clocks are reckoned at."""
    tournament: TournamentRow
    umpire: str
    """Their fingerprint."""
    entries: int
    head: str
    """The journal's length, and the hash of its last entry: who has it can tell whether anything before was changed."""
    title: str
    game: str
    sides: tuple[str, str]
    hide: Hide
    players: Mapping[int, Player]
    rounds: tuple[RoundRow, ...]
    all_rounds: int
    standings: tuple[Row, ...]
    moves: Mapping[int, tuple[MoveRow, ...]]
    owed: Mapping[int, tuple[OwedRow, ...]]
    held: HeldRow | None
    extensions: Mapping[int, tuple[ExtensionRow, ...]]
    flags: Mapping[int, tuple[FlagRow, ...]]
    rulings: Mapping[int, tuple[ActRow, ...]]
    """Those that were signed, by pairing."""
    archives: Mapping[int, ArchiveRow]
    ratings: Mapping[int, tuple[RatingRow, ...]]
    """By entrant, after each round that is complete."""
    played: Mapping[int, tuple[PairingRow, ...]]
    """By entrant, with byes."""

    @property
    def games(self) -> list[PairingRow]:
        return [each for row in self.rounds for each in row.pairings if each.second is not None]

    def name(self, number: int) -> str:
        return "the umpire" if number == 0 else self.players[number].name

    def clock(self, pairing: PairingRow, entrant: int) -> Reckoned:
        """Of a game that runs: at the time of publishing; else when it was decided."""
        running = pairing.state == "playing"
        return clock.reckoned(
            self.tournament,
            entrant,
            self.moves.get(pairing.id, ()),
            self.owed.get(pairing.id, ()) if running else (),
            self.extensions.get(pairing.id, ()),
            self.at if running else pairing.decided_at or self.at,
        )


def gather(db: Connection, tournament: TournamentRow, at: int, game: Game[Any] | None) -> Picture:
    of = tournament.id
    head = journal.head(db)
    entrants = queries.entrants(db, of)
    hide = Hide(addresses(entrants))
    rulings: dict[int, list[ActRow]] = {}
    for act in queries.acts(db, of, ("done",)):
        if act.kind == "rule" and act.pairing is not None:
            rulings.setdefault(act.pairing, []).append(act)
    rounds = tuple(queries.rounds(db, of))
    ratings: dict[int, list[RatingRow]] = {}
    for row in rounds:
        if row.state == "complete":
            made = ratings_after(row.number, entrants, (each for held in rounds for each in held.pairings))
            for number, found in made.items():
                rated = RatingRow(of, row.number, number, found.rating, found.deviation, found.volatility)
                ratings.setdefault(number, []).append(rated)
    played: dict[int, list[PairingRow]] = {}
    for each in (each for row in rounds for each in row.pairings):
        for number in each.entrants:
            played.setdefault(number, []).append(each)
    return Picture(
        at=at,
        tournament=tournament,
        umpire=fingerprint(tournament.umpire),
        entries=head.seq,
        head=head.hash.hex(),
        title=hide(tournament.terms.title),
        game=game.title if game is not None else tournament.terms.game,
        sides=_sides(tournament, game),
        hide=hide,
        players={
            each.number: Player(
                each.number, hide(each.name), fingerprint(each.identity), each.rating, each.deviation, each.out
            )
            for each in entrants
        },
        rounds=rounds,
        all_rounds=rounds_of(db, tournament),
        standings=standings_of(db, tournament),
        moves=_by_game(of_games(db, MoveRow, of)),
        owed=_by_game(of_games(db, OwedRow, of)),
        held=queries.held(db),
        extensions=_by_game(of_games(db, ExtensionRow, of)),
        flags=_by_game(of_games(db, FlagRow, of)),
        rulings={key: tuple(rows) for key, rows in rulings.items()},
        archives={each.pairing: each for each in of_games(db, ArchiveRow, of)},
        ratings={key: tuple(rows) for key, rows in ratings.items()},
        played={key: tuple(rows) for key, rows in played.items()},
    )


def _by_game(rows: Iterable[T]) -> dict[int, tuple[T, ...]]:
    found: dict[int, list[T]] = {}
    for row in rows:
        found.setdefault(row.pairing, []).append(row)
    return {key: tuple(each) for key, each in found.items()}


def _sides(tournament: TournamentRow, game: Game[Any] | None) -> tuple[str, str]:
    """As the game calls them: a side of one seat is called like the seat."""
    first, second = (_side(each, game) for each in tournament.terms.sides)
    return first, second


def _side(side: str, game: Game[Any] | None) -> str:
    seats = [seat.title for seat in game.seats if seat.side == side] if game is not None else []
    return seats[0] if len(seats) == 1 else side
