"""The status of a tournament: everybody's debts and clocks, and the decisions that wait for the umpire."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.engine import Connection

from pbem.engine.counts import all_of, moment
from pbem.engine.obligation import JOIN
from pbem.umpire import clock
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import AnswerRow, ExtensionRow, MoveRow, OwedRow, TournamentRow, of_games
from pbem.umpire.journaltext import held

_LONG = 3_600
"""Seconds after which an act that was taken should be finished."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that is owed in a game, with names, and the clock of the player who owes it."""

    label: str
    game: str
    state: str
    number: int
    """Number of the entrant; 0 is the umpire."""
    name: str
    what: str
    arose: int
    since: int
    """When the question was delivered; 0: it has not been."""
    said: str
    """How it was delivered, or why it has not been."""
    automatic: bool
    left: int | None
    """Seconds left in their bank; null without a clock."""
    flag_at: int | None
    flagged: bool


def status(db: Connection, tournament: TournamentRow, now: int) -> list[Waiting]:
    names = {0: "The umpire", **{each.number: each.name for each in queries.entrants(db, tournament.id)}}
    found: list[Waiting] = []
    for pairing in queries.pairings(db, tournament.id, ("offered", "playing", "over")):
        owed = of_games(db, OwedRow, tournament.id, pairing.id)
        if not owed and not pairing.began_at:  # the keeper has not looked since it was offered
            missing = clock.absent(pairing, of_games(db, AnswerRow, tournament.id, pairing.id), None)
            owed = [
                OwedRow(pairing.id, each, JOIN, pairing.offered_at, 0, automatic=False, said="") for each in missing
            ]
        moves = of_games(db, MoveRow, tournament.id, pairing.id)
        extensions = of_games(db, ExtensionRow, tournament.id, pairing.id)
        for each in owed:
            reckoned = clock.reckoned(tournament, each.entrant, moves, owed, extensions, now)
            runs = bool(tournament.terms.clock.move) and each.entrant > 0 and pairing.state == "playing"
            flag_at = reckoned.flag_at if runs else pairing.expires if pairing.state == "offered" else None
            found.append(
                Waiting(
                    pairing.label, pairing.game, pairing.state, each.entrant, names[each.entrant], each.what,
                    each.arose, each.since, each.said, each.automatic, reckoned.left_bank if runs else None, flag_at,
                    runs and reckoned.flagged_at is not None,
                )
            )  # fmt: skip
    return found


def todo(db: Connection, tournament: TournamentRow, now: int) -> list[str]:
    """What only a person at the desk can do."""
    names = {each.number: each.name for each in queries.entrants(db, tournament.id)}
    keeper, label = tournament.terms.keeper, tournament.name
    waiting = queries.held(db)
    found = [held(waiting.count, waiting.since, waiting.why)] if waiting is not None else []
    missing: dict[str, list[int]] = {}
    for each in status(db, tournament, now):
        if each.state == "offered" and each.number:
            missing.setdefault(each.label, []).append(each.number)
        if each.number and not each.since and now - each.arose >= keeper.undelivered:
            why = each.said.rstrip(".")
            again = f", or: pbem umpire offer {label} --again {each.label}" if each.state == "offered" else ""
            found.append(
                f"Nothing shows that game {each.label} has reached {each.name}, who has owed {each.what} since "
                f"{moment(each.arose)}{f': {why}' if why else ''}. Their clock stands still. Reach them in "
                f"another way, or decide: pbem umpire decide {label} {each.label} SCORE{again}"
            )
        if each.flagged and keeper.on_flag == "ask":
            found.append(
                f"{each.name}'s flag fell in game {each.label}. Decide: pbem umpire rule {label} {each.label} "
                f"forfeit --who {each.number}, or extension"
            )
    for pairing in queries.pairings(db, tournament.id, ("offered",)):
        answers = of_games(db, AnswerRow, tournament.id, pairing.id)
        owed = of_games(db, OwedRow, tournament.id, pairing.id)
        until = clock.deadline(tournament, pairing, answers, owed)
        late = pairing.label in missing and until is not None and now >= until
        if late and keeper.no_show == "ask":
            who = all_of(names[number] for number in clock.at_fault(answers, missing[pairing.label]))
            found.append(
                f"{who} did not turn up for game {pairing.label}. Decide: pbem umpire decide {label} {pairing.label} "
                f"SCORE --forfeit, or: pbem umpire offer {label} --again {pairing.label}"
            )
    for act in queries.acts(db, tournament.id, ("failed",)):
        found.append(f"Task {act.id} ({act.kind}) failed: {act.outcome}. See: pbem umpire acts {label}")
    for act in queries.acts(db, tournament.id, ("taken",)):
        if now - act.done_at >= _LONG:
            found.append(
                f"Task {act.id} ({act.kind}) was begun by {act.outcome} and not finished. Let that keeper run again; "
                f"if its home is gone: pbem umpire acts {label} --release {act.id}"
            )
    rounds = queries.rounds(db, tournament.id)
    if rounds and rounds[-1].state == "paired" and not keeper.auto:
        found.append(f"Round {rounds[-1].number} is paired and not offered: pbem umpire offer {label}")
    elif (not rounds or rounds[-1].state == "complete") and tournament.state != "over" and not keeper.auto:
        found.append(f"The next round can be paired: pbem umpire pair {label}")
    return found
