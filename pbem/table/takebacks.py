"""What a takeback would undo: for whoever asks to go back, and for all who must agree (MEA-9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.engine.match import Match
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN
from pbem.protocol.kinds import PLAY
from pbem.table.gamefile import GameFile
from pbem.table.naming import stands_at
from pbem.table.values import Undone

Vector = Sequence[tuple[int, int]]


def undone(game: GameFile, to: Vector) -> Undone:
    """What lies between this vector and now; refused if nobody can go back there (MEA-9)."""
    then = dict(to)
    target = game.match.earlier(tuple(to))
    records: list[str] = []
    happened: list[str] = []
    orders = dice = 0
    for record, accepted in game.replay.history():
        if record.seq < then[record.by] or game.log.id_at(record.by, record.seq) != record.id:
            continue
        if record.kind in PLAY:
            records.append(f"{record.by}:{record.seq}, {record.kind} of {game.player_name(record.by)}")
        if record.kind == "orders":
            orders += len(record.data["orders"])
        dice += sum(len(draw.results) for draw in accepted.draws)
        happened += game.told(accepted.events)
    return Undone(
        now=_moment(game, game.match),
        to=_moment(game, target),
        records=tuple(records),
        orders=orders,
        dice=dice,
        cards=len(_seen(game.match) - _seen(target)),
        happened=tuple(happened),
    )


def open_proposal(game: GameFile) -> tuple[int, Undone] | None:
    """Who asks to go back, and what that would undo; None: nobody does."""
    match = game.replay.match
    for proposal in match.position.proposals.values() if match is not None else ():
        if proposal.what == "takeback":
            return proposal.by, undone(game, proposal.to)
    return None


def proposed(game: GameFile) -> str:
    """The same as a sentence."""
    try:
        found = open_proposal(game)
    except Refusal:
        return ""  # the game cannot be shown as it stood then; the proposal itself was judged when it came
    if found is None:
        return ""
    by, what = found
    return f"{game.player_name(by)} asks to go back {what.way}. That would undo {what.sum}."


def _moment(game: GameFile, match: Match[Any]) -> str:
    return stands_at(match, game.player_name, short=lambda prompt: prompt.partition(". ")[0])


def _seen(match: Match[Any]) -> set[str]:
    """The slots whose cards somebody has seen."""
    if match.genesis.mode == OPEN:
        return set(match.position.hands)
    decks = match.ledger.decks
    return {*decks.public(), *(slot for by in match.genesis.players for slot in decks.held(by))}
