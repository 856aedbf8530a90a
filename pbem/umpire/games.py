"""What the umpire's home shows of the games: answers to calls, games begun, the ledger, results, archives.

Each function writes what is new and nothing else, so that a pass that died is simply done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

from pbem.engine.obligation import JOIN
from pbem.protocol.canonical import Plain
from pbem.protocol.record import UMPIRE
from pbem.table.facts import Facts
from pbem.table.values import CallRow
from pbem.umpire.clock import Clock, charge
from pbem.umpire.db import models, queries
from pbem.umpire.db.store import Writing
from pbem.umpire.pairing import DRAW, LOSS, WIN
from pbem.umpire.values import AnswerRow, OwedRow, PairingRow, TournamentRow

RULED: Final[Mapping[str, str]] = {"forfeit": "forfeit", "adjudge": "adjudged"}
"""Rulings that end a game, and how the desk calls such a result."""


def clock_of(tournament: TournamentRow) -> Clock:
    terms = tournament.terms.clock
    return Clock(terms.move, terms.bank, terms.days_off)


def news_of(pairing: PairingRow, answers: Sequence[AnswerRow], call: CallRow) -> bool:
    """The home has heard something of the call that is not written."""
    held = {each.entrant: (each.yes, each.why) for each in answers}
    said = {entrant_at(pairing, each.by): (each.yes, each.why) for each in call.answers if each.by != UMPIRE}
    begun = pairing.offer is None and call.offer is not None and call.played_as is not None
    return begun or any(held.get(entrant or 0) != what for entrant, what in said.items())


def heard(writing: Writing, pairing: PairingRow, answers: Sequence[AnswerRow], call: CallRow) -> None:
    """What the players have said to a call, and the game that came of it."""
    held = {each.entrant: (each.yes, each.why) for each in answers}
    for said in call.answers:
        entrant = entrant_at(pairing, said.by) if said.by != UMPIRE else None  # that he takes it back is no answer
        if entrant is not None and held.get(entrant) != (said.yes, said.why):
            data: dict[str, Plain] = {"entrant": entrant, "pairing": pairing.id, "why": said.why, "yes": said.yes}
            writing.record("answered", data, actor=said.name)
    if pairing.offer is None and call.offer is not None and call.played_as is not None:
        writing.record("offered", {"game": call.played_as, "offer": call.offer, "pairing": pairing.id})


def entrant_at(pairing: PairingRow, by: int) -> int | None:
    """Whose number in the game this is; 0 the umpire."""
    if by == UMPIRE:
        return 0
    return pairing.entrants[by] if 0 <= by < len(pairing.entrants) else None


def read(writing: Writing, tournament: TournamentRow, pairing: PairingRow, facts: Facts) -> bool:
    """The ledger and what is owed, as far as they have changed. A row of the ledger stays as it was first written."""
    session = writing.session
    clock = clock_of(tournament)
    held = queries.moves(session, tournament.id, pairing.id)
    known = {row.record for row in held}
    fresh: list[list[Plain]] = []
    for each in facts.answered:
        entrant = entrant_at(pairing, each.by)
        if entrant and each.record not in known:
            used = charge(each.asked_at, each.answered_at, clock)
            fresh.append([entrant, each.what, each.asked_at, each.answered_at, each.signed_at, used, each.record])
    owed: list[list[Plain]] = []
    for due in facts.due if pairing.state != "decided" else ():
        entrant = entrant_at(pairing, due.by)
        if entrant is not None:
            owed.append([entrant, due.what, due.since, due.automatic])
    owed.sort(key=str)
    before: list[list[Plain]] = [
        [row.entrant, row.what, row.since, row.automatic] for row in queries.owed(session, tournament.id, pairing.id)
    ]
    given: list[list[Plain]] = []
    for ruled in facts.ruled:
        entrant = entrant_at(pairing, ruled.player) if ruled.player is not None else None
        if ruled.what == "extension" and entrant and session.get(models.Extension, (pairing.id, ruled.record)) is None:
            given.append([ruled.record, entrant, ruled.seconds, ruled.at])
    if not fresh and not given and owed == sorted(before, key=str) and pairing.began_at == facts.began_at:
        return False
    writing.record(
        "read",
        {
            "began_at": facts.began_at,
            "extensions": given,
            "moves": fresh,
            "owed": owed,
            "pairing": pairing.id,
            "since": len(held) + 1,
        },
    )
    return True


def result_of(tournament: TournamentRow, facts: Facts) -> tuple[int, int]:
    """Half points of first and second: the first holds the first side."""
    if facts.winner is None:
        return DRAW, DRAW
    return (WIN, LOSS) if facts.winner == tournament.terms.sides[0] else (LOSS, WIN)


def settled(tournament: TournamentRow, facts: Facts, over_since: int, now: int) -> bool:
    """The result stands: audited, ruled, or there for so long that whoever has not opened his secrets will not."""
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
    how = RULED.get(facts.ended_by, "played")
    held = (pairing.first_points, pairing.second_points, pairing.how, pairing.text, pairing.state)
    if held == (first, second, how, text, "decided" if decided else "over"):
        return
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


def archived(writing: Writing, pairing: PairingRow, raw: bytes, whole: bool) -> None:
    digest = sha256(raw).digest()
    held = writing.session.get(models.Archive, pairing.id)
    if held is not None and (held.sha256, bool(held.whole)) == (digest, whole):
        return
    if writing.session.get(models.Blob, digest) is None:
        writing.session.add(models.Blob(sha256=digest, raw=raw))
    writing.record("archived", {"pairing": pairing.id, "sha256": digest, "size": len(raw), "whole": whole})


def waiting(pairing: PairingRow, entrant: int, since: int) -> OwedRow:
    """Somebody who has been called and has not come."""
    return OwedRow(pairing.id, entrant, JOIN, since, automatic=False)
