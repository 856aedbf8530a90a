"""What is to be seen of a game at a moment, and what led there: for pictures and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.event import Event
from pbem.engine.game import Game
from pbem.engine.match import Match
from pbem.engine.view import View
from pbem.kit.scene import Scene
from pbem.table.context import Context
from pbem.table.errors import TableError
from pbem.table.gamefile import GameFile
from pbem.table.moves import Move
from pbem.table.sealing import player_of


@dataclass(frozen=True, slots=True)
class Seen:
    """A view of these seats, and the events up to it that they may know, oldest first."""

    name: str
    game: Game[Any]
    view: View[Any]
    events: tuple[Event, ...]

    def scene(self) -> Scene:
        """What is drawn: the view, and what happened last."""
        if self.game.pictures is None:
            raise TableError(
                "E-NO-PICTURES", f"{self.game.title} has no pictures. Its board as text: pbem board {self.name}"
            )
        pictures = self.game.pictures()
        found: Scene = pictures.scene(self.view, pictures.last(self.events))
        return found


def seen(context: Context, name: str, *, seats: Sequence[str] | None = None, at: str | None = None) -> Seen:
    """After the record `at` (`BY:SEQ`), or now, with the draft. `seats` None: one's own; once the game is
    over, nobody's."""
    game = context.load(name)
    own = game.seats
    if seats is None:
        seats = () if game.match.finished else own
    strange = [seat for seat in seats if seat not in own]
    if strange:
        yours = f"yours are {', '.join(own)}" if own else "you have none"
        raise TableError("E-SEATS", f"Only one's own seats can be looked from: {yours}. For everybody's view: --public")
    told = _up_to(game, at)
    match = game.match if at is None else told.match
    if at is None and seats and match.result is None:
        move = Move(context, game)
        view = move.draft.machine.view(tuple(seats), player_of(context, game).own_values(match))
        events = (*told.events, *move.draft.events())
    else:
        known = player_of(context, game).own_values(match) if seats else {}
        view, events = match.machine.view(tuple(seats), known), told.events
    return Seen(game.name, match.game, view, tuple(event for event in events if event.seen_by(seats)))


@dataclass(frozen=True, slots=True)
class _Told:
    match: Match[Any]
    events: tuple[Event, ...]


def _up_to(game: GameFile, at: str | None) -> _Told:
    """The events of all records up to one, and the match as they make it."""
    last = game.match
    events: list[Event] = []
    counts = dict.fromkeys(game.log.authors, 0)
    started = False
    for record, accepted in game.replay.history():
        counts[record.by] += 1
        started = started or record.kind == "start"
        events += accepted.events
        if at is not None and at == f"{record.by}:{record.seq}":
            if not started:
                raise TableError("E-NOT-STARTED", f"{game.name} had not started yet with record {at}.")
            return _Told(game.replay.fold(tuple(counts.values())), tuple(events))
    if at is not None:
        raise TableError(
            "E-NO-RECORD", f"{game.name} has no record {at!r}. Records are named as in: pbem log {game.name}"
        )
    return _Told(last, tuple(events))
