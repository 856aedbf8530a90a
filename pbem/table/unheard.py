"""Who has shown no trace of one's own last record, so that the file with it may have been lost in the mail."""

from __future__ import annotations

from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.hellos import catching_up, others, recipients, restored
from pbem.table.postbox import RESENT, acknowledged
from pbem.table.settle import file_name, own_count
from pbem.table.summary import missing
from pbem.table.values import Unheard


def unheard(context: Context, name: str) -> tuple[Unheard, ...]:
    """By what the log shows. Nothing is written."""
    game = context.load(name)
    me = game.me
    if me is None or restored(game.store) is not None or game.log.withdrawn is not None:
        return ()
    own = own_count(game, me)
    if own == 0:
        return ()
    found = []
    for by, held in _held(game, me.by):
        if held >= own:
            continue
        for to in recipients(context, game, by):
            # Of many records in a row the last file carries only the latest.
            whole = catching_up(game, shown(game, by)) if own - held > RESENT else None
            found.append(Unheard(by, to, file_name(game, me, own - 1), game.offer.id, whole))
    return tuple(found)


def _held(game: GameFile, me: int) -> list[tuple[int, int]]:
    """How many of one's own records each of the others has shown to hold."""
    if game.log.genesis is None:
        lacking = missing(game) if me == game.offer.starter else (game.offer.starter,)
        return [(by, 0) for by in lacking]
    return [(by, shown(game, by).get(me, 0)) for by in others(game)]


def shown(game: GameFile, by: int) -> dict[int, int]:
    """What a player has shown to hold by their last record, by author."""
    log = game.log
    end = tuple(log.count(author) for author in log.authors)
    return dict(zip(log.authors, acknowledged(log, by, end), strict=True))
