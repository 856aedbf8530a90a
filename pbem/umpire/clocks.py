"""Time: flags that fall, reminders, forfeits that the terms ask for, players who do not answer an offer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from pbem.engine.obligation import JOIN
from pbem.protocol.canonical import Packable
from pbem.table.facts import Facts
from pbem.umpire.clock import Debt, Reckoned, state
from pbem.umpire.db import models, queries
from pbem.umpire.db.database import Writing
from pbem.umpire.deskrows import AnswerRow, ExtensionRow, MoveRow, OwedRow, PairingRow, TournamentRow
from pbem.umpire.progress import clock_of
from pbem.umpire.told import utc
from pbem.umpire.wants import want, wanted

_ADDRESS: Final = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]+")


def reckoned(
    tournament: TournamentRow,
    entrant: int,
    moves: Sequence[MoveRow],
    owed: Sequence[OwedRow],
    extensions: Sequence[ExtensionRow],
    now: int,
) -> Reckoned:
    """One player's clock in one game, from the rows of that game."""
    debts = [Debt(str(each.number), each.asked_at, each.answered_at) for each in moves if each.entrant == entrant]
    debts += [
        Debt(each.what, each.since) for each in owed if each.entrant == entrant and each.since and each.what != JOIN
    ]
    given = [each.seconds for each in extensions if each.entrant == entrant]
    return state(clock_of(tournament), debts, now, given)


def look(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    owed: Sequence[OwedRow],
    waits: Collection[int],
) -> None:
    """A game that runs: its flags, and what follows from them. `waits`: entrants for whom a mail of the desk waits."""
    session, keeper, now = writing.session, tournament.terms.keeper, writing.at
    moves = queries.moves(session, tournament.id, pairing.id)
    extensions = queries.extensions(session, tournament.id, pairing.id)
    for entrant in pairing.entrants:
        clock = reckoned(tournament, entrant, moves, owed, extensions, now)
        fell = clock.flagged_at
        if fell is None:
            continue
        if session.get(models.Flag, (pairing.id, entrant, fell)) is None:
            writing.record("flagged", {"entrant": entrant, "fell_at": fell, "pairing": pairing.id})
        late = bool(clock.owing) and now >= fell + keeper.grace
        about = f"{entrant}.{fell}"
        if late and keeper.on_flag == "forfeit" and not wanted(writing, tournament.id, pairing.id, "rule", about):
            why = _time_ran_out([each for each in owed if each.entrant == entrant and each.since], fell)
            data: dict[str, Packable] = {"entrant": entrant, "what": "forfeit", "why": why}
            want(writing, tournament.id, pairing.id, "rule", data, about)
    remind(writing, tournament, pairing, owed, waits)


def _time_ran_out(owed: Sequence[OwedRow], fell: int) -> str:
    """The reason of a forfeit: when the question was delivered, and how, is the umpire's statement."""
    asked = min(owed, key=lambda each: each.since)
    said = _ADDRESS.sub("(address)", asked.said)
    return f"Time ran out at {utc(fell)}. Asked for {asked.what} at {utc(asked.since)}{f' ({said})' if said else ''}."


def remind(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    owed: Sequence[OwedRow],
    waits: Collection[int],
) -> None:
    """Wants a reminder to everybody who has owed something for one more of the intervals since they were asked. Nobody
    is reminded for whom a mail of the desk still waits."""
    every = tournament.terms.keeper.remind
    for entrant in [each for each in pairing.entrants if each not in waits] if every else ():
        since = min((each.since for each in owed if each.entrant == entrant and each.since), default=0)
        count = max(0, writing.at - since) // every if since else 0
        about = f"{entrant}.{since}.{count}"
        if count and not wanted(writing, tournament.id, pairing.id, "remind", about):
            data: dict[str, Packable] = {"count": count, "entrants": [entrant], "since": since}
            want(writing, tournament.id, pairing.id, "remind", data, about)


def absent(pairing: PairingRow, answers: Sequence[AnswerRow], facts: Facts | None) -> list[int]:
    """The players who have not joined."""
    said = {each.entrant: each.yes for each in answers}
    if facts is not None:
        said |= {pairing.entrants[each.by]: each.yes for each in facts.answers}
    return [entrant for entrant in pairing.entrants if not said.get(entrant)]


def at_fault(answers: Sequence[AnswerRow], missing: Sequence[int]) -> list[int]:
    """Who loses a game that never began: after a refusal nobody else could begin it."""
    return [each.entrant for each in answers if not each.yes] or list(missing)


def deadline(
    tournament: TournamentRow, pairing: PairingRow, answers: Sequence[AnswerRow], owed: Sequence[OwedRow]
) -> int | None:
    """When an offer that no game has come of is decided: some time after somebody declined it, or after it expired.
    Whoever is missing has had all of the time since the offer was delivered to them; None: to somebody it was not."""
    declined = [each.at for each in answers if not each.yes]
    if not declined and not all(each.since for each in owed if each.entrant):
        return None
    accept = tournament.terms.clock.accept
    expires = max([pairing.expires, *(each.since + accept for each in owed if each.entrant and each.since)])
    return min([expires, *declined]) + tournament.terms.keeper.grace


def left_late(
    tournament: TournamentRow, pairing: PairingRow, answers: Sequence[AnswerRow], delivered: Sequence[int], now: int
) -> bool:
    """The offer expired, and its mail left so late that somebody who is missing had less than half of the time to
    accept: the players' programs refuse it now."""
    late = any(at - pairing.offered_at > tournament.terms.clock.accept // 2 for at in delivered)
    return late and now > pairing.expires and all(each.yes for each in answers)
