"""Rounds: paired by the format, changed by hand, handed to the keeper as offers to be made."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy.engine import Connection

from pbem.engine.counts import all_of
from pbem.protocol.canonical import Plain
from pbem.umpire import UmpireError, pairing
from pbem.umpire.db import queries
from pbem.umpire.db.applying import pairing_rows
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import ActRow, How, PairingRow, RoundRow, TournamentRow, highest
from pbem.umpire.pairing import (
    LOSS,
    WIN,
    Change,
    Entrant,
    Pair,
    Pairing,
    Played,
    is_finished,
    lead,
    pair,
    rounds_needed,
)
from pbem.umpire.standings import Row, Unplayed, annulled, standings

DECIDED = ("over", "decided")


def entrants_of(db: Connection, of: int) -> list[Entrant]:
    """As the pairing sees them."""
    return [Entrant(each.number, each.name, each.rating, each.out) for each in queries.entrants(db, of)]


def played(db: Connection, of: int) -> list[Played]:
    """The results so far, those included that a game may still take back."""
    return [played_of(each) for each in queries.pairings(db, of, DECIDED)]


def played_of(row: PairingRow) -> Played:
    return Played(row.round, row.first, row.second, row.first_points or 0, row.second_points or 0, row.how == "no-show")


def standings_of(db: Connection, tournament: TournamentRow, until: int | None = None) -> tuple[Row, ...]:
    """After all rounds, or after the first so many."""
    terms = tournament.terms
    players = entrants_of(db, tournament.id)
    results = [each for each in played(db, tournament.id) if until is None or each.round <= until]
    counted = results
    if terms.format == "round_robin":
        counted = list(annulled(players, results, rounds_of(db, tournament)))
    first = lead(terms.format, players, results)
    unplayed: Unplayed = "virtual" if terms.format == "swiss" else "plain"
    return standings(players, counted, terms.standings, lead=first, unplayed=unplayed, mirrored=terms.mirrored)


def rounds_of(db: Connection, tournament: TournamentRow) -> int:
    """How many there will be."""
    count = len(queries.entrants(db, tournament.id))
    return tournament.terms.rounds or rounds_needed(tournament.terms.format, count)


def next_pairing(db: Connection, tournament: TournamentRow) -> Pairing:
    """The next round; refused while games of the last one have no result, or after the last one."""
    terms = tournament.terms
    last = queries.rounds(db, tournament.id)[-1:]
    open_games = [each.label for each in (last[0].pairings if last else ()) if each.state not in DECIDED]
    if open_games:
        of = f"Round {last[0].number} is"
        if last[0].state == "paired":
            raise UmpireError(
                "E-NOT-NOW",
                f"{of} paired and not yet offered. Offer it with `pbem umpire offer {tournament.name}`, or change it "
                "before with `pbem umpire adjust`.",
            )
        lacking = f"game {open_games[0]} has" if len(open_games) == 1 else f"{len(open_games)} games have"
        raise UmpireError(
            "E-NOT-NOW",
            f"{of} still played: {lacking} no result. See: pbem umpire rounds {tournament.name}",
        )
    number = last[0].number + 1 if last else 1
    total = rounds_of(db, tournament)
    players, results = entrants_of(db, tournament.id), played(db, tournament.id)
    if len([each for each in players if not each.out]) < 2:
        raise UmpireError("E-UMPIRE-ENTRANTS", "A round needs at least two entrants.")
    if is_finished(terms.format, players, results, number - 1, rounds=total):
        raise UmpireError("E-NOT-NOW", f"All rounds of {terms.title} have been played.")
    seed = terms.seed.encode() or tournament.key
    return pair(terms.format, players, results, number, rounds=total, mirrored=terms.mirrored, seed=seed)


def write_pairing(writing: Writing, tournament: TournamentRow, made: Pairing) -> RoundRow:
    writing.record("paired", {"notes": "\n".join(made.notes), **_entry(writing.db, tournament, made)})
    return queries.rounds(writing.db, tournament.id)[-1]


def proposal(db: Connection, tournament: TournamentRow, at: int) -> RoundRow:
    """The next round as it would be written now."""
    made = next_pairing(db, tournament)
    games = tuple(pairing_rows(_entry(db, tournament, made), at))
    return RoundRow(tournament.id, made.round, "paired", made.notes, at, games)


def _entry(db: Connection, tournament: TournamentRow, made: Pairing) -> dict[str, Plain]:
    return {"pairs": _pairs(db, made), "round": made.round, "tournament": tournament.id}


def adjust(writing: Writing, tournament: TournamentRow, change: Change) -> RoundRow:
    db = writing.db
    last = last_round(db, tournament)
    if last.state != "paired":
        raise UmpireError("E-NO-NEED", f"Round {last.number} has been offered: its players have already been asked.")
    bye = WIN if tournament.terms.format in ("swiss", "knockout") else 0
    players, results = entrants_of(db, tournament.id), played(db, tournament.id)
    made = pairing.adjust(_pairing(last), change, players, _before(results, last.number), bye)
    writing.record(
        "adjusted",
        {
            "how": change.how,
            "notes": "\n".join(made.notes),
            "one": change.one,
            "other": change.other,
            "why": change.reason,
            **_entry(db, tournament, made),
        },
    )
    return queries.rounds(db, tournament.id)[-1]


def first_of(db: Connection, tournament: TournamentRow, label: str) -> int | None:
    """Who has the first side of this pairing of the last round; None: nothing there is called so."""
    wanted = label.strip().casefold()
    if not wanted or not queries.rounds(db, tournament.id):
        return None
    pairs = last_round(db, tournament).pairings
    return next((each.first for each in pairs if wanted in (each.label, each.label.rstrip("ab"))), None)


def _before(results: list[Played], number: int) -> list[Played]:
    """Without the byes of the round itself."""
    return [each for each in results if each.round < number]


def publish(writing: Writing, tournament: TournamentRow) -> RoundRow:
    db = writing.db
    last = last_round(db, tournament)
    if last.state != "paired":
        raise UmpireError("E-NO-NEED", f"Round {last.number} has already been offered.")
    writing.record("published", {"round": last.number, "tournament": tournament.id})
    gone = {each.number: each.name for each in queries.entrants(db, tournament.id) if each.out}
    for each in last.pairings:
        if any(number in gone for number in each.entrants) and each.second is not None:
            walkover(writing, each, gone)
        elif each.second is not None:
            expires = writing.at + tournament.terms.clock.accept
            writing.want(tournament.id, each.id, "offer", {"at": writing.at, "expires": expires})
    return queries.rounds(db, tournament.id)[-1]


def offer_again(writing: Writing, tournament: TournamentRow, row: PairingRow) -> ActRow:
    """Another offer for this pairing is wanted, with all of the time to accept; the first is taken back."""
    expires = writing.at + tournament.terms.clock.accept
    data: dict[str, Plain] = {"at": writing.at, "expires": expires, "instead": row.offer}
    return writing.want(tournament.id, row.id, "offer", data, f"again.{row.expires}")


def walkover(writing: Writing, pairing: PairingRow, gone: Mapping[int, str]) -> None:
    """An entrant who withdrew after the round was paired gets no offer: the other has the point, and nobody plays."""
    names = all_of(gone[number] for number in pairing.entrants if number in gone)
    no_show(writing, pairing, gone, f"{names} withdrew before the game was offered")


def no_show(writing: Writing, pairing: PairingRow, missing: Collection[int], text: str) -> None:
    """The result of a game that never began. An offer for it is taken back first."""
    first, second = (LOSS if number in missing else WIN for number in pairing.entrants)
    write_result(writing, pairing, (first, second), "no-show", text)


def write_result(
    writing: Writing, pairing: PairingRow, points: tuple[int, int], how: How, text: str, *, decided: bool = True
) -> None:
    """`points`: half points of the first and the second. Not `decided`: the game may still take it back."""
    first, second = points
    writing.record(
        "result",
        {
            "decided": decided,
            "first_points": first,
            "how": how,
            "pairing": pairing.id,
            "second_points": second,
            "text": text,
        },
    )


def last_round(db: Connection, tournament: TournamentRow) -> RoundRow:
    found = queries.rounds(db, tournament.id)
    if not found:
        raise UmpireError("E-UNKNOWN", "No round has been paired yet. Do that with: pbem umpire pair")
    return found[-1]


def _pairs(db: Connection, made: Pairing) -> list[Plain]:
    """With boards and numbers: the two games of a mirrored pair are on one board."""
    rows: list[Plain] = []
    first_id, board = highest(db, PairingRow, "id") + 1, 0
    for at, each in enumerate(made.pairs):
        board += each.mirror != 2
        rows.append(
            {
                "board": board,
                "first": each.first,
                "id": first_id + at,
                "mirror": each.mirror,
                "points": each.points,
                "second": each.second,
                "why": "\n".join(each.why),
            }
        )
    return rows


def _pairing(row: RoundRow) -> Pairing:
    return Pairing(
        row.number,
        tuple(
            Pair(each.first, each.second, each.why, each.mirror, each.first_points or 0 if each.second is None else 0)
            for each in row.pairings
        ),
        row.notes,
    )
