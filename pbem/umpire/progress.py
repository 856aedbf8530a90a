"""Progress of the games, as the umpire's home shows it: answers to offers, games begun, the ledger, results, archives.

Each function writes what is new and nothing else, so that a pass that died is simply done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from pbem.engine.obligation import JOIN
from pbem.protocol.canonical import Plain
from pbem.protocol.record import UMPIRE
from pbem.umpire.clock import charge
from pbem.umpire.db import queries
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import (
    AnswerRow,
    ArchiveRow,
    BlobRow,
    ExtensionRow,
    How,
    OwedRow,
    PairingRow,
    TournamentRow,
    find,
    insert,
    of_games,
)
from pbem.umpire.facts import Facts, Question
from pbem.umpire.mailing import Asking
from pbem.umpire.pairing import DRAW, LOSS, WIN
from pbem.umpire.rounds import write_result

RULED: Final[Mapping[str, How]] = {"forfeit": "forfeit", "adjudge": "adjudged"}
"""Rulings that end a game, and how the desk calls such a result."""


def news_of(pairing: PairingRow, answers: Sequence[AnswerRow], facts: Facts) -> bool:
    """The home has heard something of the offer that is not written."""
    held = {each.entrant: (each.yes, each.why) for each in answers}
    return any(held.get(entrant_at(pairing, each.by) or 0) != (each.yes, each.why) for each in facts.answers)


def heard(
    writing: Writing, pairing: PairingRow, answers: Sequence[AnswerRow], facts: Facts, names: Mapping[int, str]
) -> None:
    """What the players have said to the offer."""
    held = {each.entrant: (each.yes, each.why) for each in answers}
    for said in facts.answers:
        entrant = entrant_at(pairing, said.by)
        if entrant is not None and held.get(entrant) != (said.yes, said.why):
            data: dict[str, Plain] = {"entrant": entrant, "pairing": pairing.id, "why": said.why, "yes": said.yes}
            writing.record("answered", data, actor=names[entrant])


def entrant_at(pairing: PairingRow, by: int) -> int | None:
    """Whose number in the game this is; 0 the umpire."""
    if by == UMPIRE:
        return 0
    return pairing.entrants[by] if 0 <= by < len(pairing.entrants) else None


def read(
    writing: Writing, tournament: TournamentRow, pairing: PairingRow, facts: Facts, asking: Asking
) -> list[OwedRow]:
    """The ledger and what is owed, as far as they have changed. A row of the ledger stays as it was first written."""
    db = writing.db
    known = queries.answered(db, pairing.id)
    fresh: list[list[Plain]] = []
    for each in facts.answered:
        entrant = entrant_at(pairing, each.question.by)
        if entrant and each.record not in known:
            at, said = asking.asked(entrant, each.question)
            at = min(at or each.answered_at, each.answered_at)
            used = charge(at, each.answered_at, tournament.terms.clock)
            fresh.append([entrant, each.question.what, at, each.answered_at, each.signed_at, used, each.record, said])
    owed: list[OwedRow] = []
    for due in facts.due if pairing.state != "decided" else ():
        entrant = entrant_at(pairing, due.by)
        if entrant is not None:
            owed.append(owes(pairing, entrant, due, asking))
    given: list[list[Plain]] = []
    for ruled in facts.ruled:
        entrant = entrant_at(pairing, ruled.player) if ruled.player is not None else None
        held = find(db, ExtensionRow, pairing=pairing.id, record=ruled.record)
        if ruled.what == "extension" and entrant and held is None:
            given.append([ruled.record, entrant, ruled.seconds, ruled.at])
    _write(writing, tournament, pairing, owed, began_at=facts.began_at, moves=fresh, given=given, known=len(known))
    return owed


def asks(pairing: PairingRow, missing: Sequence[int], asking: Asking) -> list[OwedRow]:
    """What the offer of a pairing asks of those who have not come."""
    return [
        owes(pairing, entrant, Question(pairing.entrants.index(entrant), JOIN, max(pairing.offered_at, 1), ()), asking)
        for entrant in missing
    ]


def ask(writing: Writing, tournament: TournamentRow, pairing: PairingRow, owed: Sequence[OwedRow]) -> None:
    """Those who have been offered the game and have not come, as what they owe."""
    _write(writing, tournament, pairing, owed, began_at=pairing.began_at)


def owes(pairing: PairingRow, entrant: int, question: Question, asking: Asking) -> OwedRow:
    arose = question.arose_at
    at, said = asking.asked(entrant, question) if entrant else (arose, "")
    return OwedRow(pairing.id, entrant, question.what, arose, at, question.automatic, said)


def _write(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    owed: Sequence[OwedRow],
    *,
    began_at: int,
    moves: Sequence[Plain] = (),
    given: Sequence[Plain] = (),
    known: int = 0,
) -> None:
    """Into the journal, if anything of it is new."""
    held = of_games(writing.db, OwedRow, tournament.id, pairing.id)
    if not moves and not given and sorted(owed, key=str) == sorted(held, key=str) and pairing.began_at == began_at:
        return
    rows: list[Plain] = [[each.entrant, each.what, each.arose, each.since, each.automatic, each.said] for each in owed]
    writing.record(
        "read",
        {
            "began_at": began_at,
            "extensions": list(given),
            "moves": list(moves),
            "owed": sorted(rows, key=str),
            "pairing": pairing.id,
            "since": known + 1,
        },
    )


def result_of(tournament: TournamentRow, facts: Facts) -> tuple[int, int]:
    """Half points of first and second: the first holds the first side."""
    if facts.winner is None:
        return DRAW, DRAW
    return (WIN, LOSS) if facts.winner == tournament.terms.sides[0] else (LOSS, WIN)


def settled(tournament: TournamentRow, facts: Facts, over_since: int, now: int) -> bool:
    """The result stands: audited, ruled, or so old that players who have not opened their secrets never will."""
    patience = max(tournament.terms.clock.accept, tournament.terms.keeper.grace)
    return facts.audited is not None or facts.ended_by in RULED or now >= over_since + patience


def ended(writing: Writing, tournament: TournamentRow, pairing: PairingRow, facts: Facts) -> None:
    """The result of a game that is over, or that it is over no more."""
    if pairing.state == "decided":
        return
    if not facts.over:
        if pairing.state == "over":
            writing.record("reopened", {"pairing": pairing.id, "why": "the game goes on"})
        return
    first, second = result_of(tournament, facts)
    decided = settled(tournament, facts, pairing.decided_at or writing.at, writing.at)
    found = f" The audit found a fault: {facts.audited}" if facts.audited else ""
    text = f"{f'{facts.winner} wins' if facts.winner is not None else 'a draw'}: {facts.how}{found}"[:500]
    how: How = RULED.get(facts.ended_by, "played")
    if how != "adjudged" and not facts.played:
        how = "no-show"
    held = (pairing.first_points, pairing.second_points, pairing.how, pairing.text, pairing.state)
    if held == (first, second, how, text, "decided" if decided else "over"):
        return
    write_result(writing, pairing, (first, second), how, text, decided=decided)


def archived(writing: Writing, pairing: PairingRow, raw: bytes, whole: bool) -> None:
    digest = sha256(raw).digest()
    held = find(writing.db, ArchiveRow, pairing=pairing.id)
    if held is not None and (held.sha256, held.whole) == (digest, whole):
        return
    if queries.blob(writing.db, digest) is None:
        insert(writing.db, BlobRow(digest, raw))
    writing.record("archived", {"pairing": pairing.id, "sha256": digest, "size": len(raw), "whole": whole})
