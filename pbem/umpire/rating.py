"""Ratings of a tournament: one period of Glicko-2, after a round the games so far."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.umpire.db import queries
from pbem.umpire.db.database import Writing
from pbem.umpire.db.queries import MILLION
from pbem.umpire.deskrows import EntrantRow, PairingRow, RatingRow, TournamentRow
from pbem.umpire.glicko import Rating, rate_period
from pbem.umpire.pairing import WIN
from pbem.umpire.rounds import DECIDED, last_round


def rate(writing: Writing, tournament: TournamentRow, after: int | None = None) -> list[RatingRow]:
    """From what everybody entered with and the games that were decided by play. Written if it changes anything."""
    session = writing.session
    number = after if after is not None else last_round(session, tournament).number
    queries.check_round(session, tournament.id, number)
    entrants = queries.entrants(session, tournament.id)
    made = ratings_after(number, entrants, queries.pairings(session, tournament.id, DECIDED))
    rows = [[each.number, *(round(value * MILLION) for value in _figures(made[each.number]))] for each in entrants]
    held = [row for row in queries.ratings(session, tournament.id) if row.round == number]
    if [
        [row.entrant, *(round(v * MILLION) for v in (row.rating, row.deviation, row.volatility))] for row in held
    ] != rows:
        writing.record("rated", {"ratings": rows, "round": number, "tournament": tournament.id})
    return [row for row in queries.ratings(session, tournament.id) if row.round == number]


def ratings_after(number: int, entrants: Iterable[EntrantRow], pairings: Iterable[PairingRow]) -> dict[int, Rating]:
    """By entrant: one period, of all games with a result up to that round."""
    before = {each.number: Rating(float(each.rating), float(max(each.deviation, 1))) for each in entrants}
    games = [
        (each.first, each.second, (each.first_points or 0) / WIN)
        for each in pairings
        if each.second is not None
        and each.state in DECIDED
        and each.how in ("played", "forfeit", "adjudged")
        and each.round <= number
    ]
    return rate_period(before, games)


def _figures(rating: Rating) -> tuple[float, float, float]:
    return rating.rating, rating.deviation, rating.volatility
