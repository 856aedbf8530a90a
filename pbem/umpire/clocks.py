"""Time: flags that fall, reminders, forfeits that the terms ask for, players who do not answer a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.obligation import JOIN
from pbem.protocol.canonical import Packable
from pbem.table.facts import Facts
from pbem.umpire.clock import Debt, Reckoned, state
from pbem.umpire.db import models, queries
from pbem.umpire.db.store import Writing
from pbem.umpire.games import clock_of
from pbem.umpire.pairing import LOSS, WIN
from pbem.umpire.values import AnswerRow, ExtensionRow, MoveRow, OwedRow, PairingRow, TournamentRow
from pbem.umpire.wants import want, wanted

_BEGINS: Final = frozenset({JOIN, "start"})


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
    debts += [Debt(each.what, each.since) for each in owed if each.entrant == entrant and each.what != JOIN]
    given = [each.seconds for each in extensions if each.entrant == entrant]
    return state(clock_of(tournament), debts, now, given)


def look(writing: Writing, tournament: TournamentRow, pairing: PairingRow) -> None:
    """A game that runs: its flags, and what follows from them."""
    session, keeper, now = writing.session, tournament.terms.keeper, writing.at
    owed = queries.owed(session, tournament.id, pairing.id)
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
            data: dict[str, Packable] = {"entrant": entrant, "what": "forfeit", "why": "Time ran out."}
            want(writing, tournament.id, pairing.id, "rule", data, about)
    remind(writing, tournament, pairing, owed)


def remind(writing: Writing, tournament: TournamentRow, pairing: PairingRow, owed: Sequence[OwedRow]) -> None:
    """Wants a reminder to everybody who has owed something for one more of the intervals."""
    every = tournament.terms.keeper.remind
    for entrant in pairing.entrants if every else ():
        since = min((each.since for each in owed if each.entrant == entrant and each.since), default=0)
        count = max(0, writing.at - since) // every if since else 0
        about = f"{entrant}.{since}.{count}"
        if count and not wanted(writing, tournament.id, pairing.id, "remind", about):
            data: dict[str, Packable] = {"count": count, "entrants": [entrant], "since": since}
            want(writing, tournament.id, pairing.id, "remind", data, about)


def absent(pairing: PairingRow, answers: Sequence[AnswerRow], facts: Facts | None) -> list[int]:
    """Who has not done what makes the game begin: the first offers it, the second accepts, the first starts it."""
    said = {each.entrant: each.yes for each in answers}
    if facts is not None:
        owing = {each.by for each in facts.due if each.what in _BEGINS and each.by < len(pairing.entrants)}
        return [entrant for by, entrant in enumerate(pairing.entrants) if by in owing]
    # Without an offer here, a second player who has said yes waits for the first.
    return [entrant for entrant in pairing.entrants if not said.get(entrant)]


def deadline(tournament: TournamentRow, pairing: PairingRow, answers: Sequence[AnswerRow]) -> int:
    """When a call that no game has come of is decided: some time after it expired, or after somebody declined."""
    declined = min((each.at for each in answers if not each.yes), default=pairing.expires)
    return min(pairing.expires, declined) + tournament.terms.keeper.grace


def no_show(writing: Writing, pairing: PairingRow, missing: Sequence[int]) -> None:
    """The result of a game that never began. The call is closed before."""
    first, second = (LOSS if entrant in missing else WIN for entrant in pairing.entrants)
    both = len(missing) == len(pairing.entrants)
    writing.record(
        "result",
        {
            "decided": True,
            "first_points": first,
            "how": "forfeit",
            "pairing": pairing.id,
            "second_points": second,
            "text": "neither player came to the game" if both else "a player did not come to the game",
        },
    )
