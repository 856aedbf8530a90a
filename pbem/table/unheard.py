"""Who has shown no trace of one's own last record, so that the file with it may have been lost in the mail."""

from __future__ import annotations

from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.hellos import catching_up, others, recipients, restored
from pbem.table.postbox import RESENT, acknowledged
from pbem.table.settle import file_name, own_count
from pbem.table.summary import missing
from pbem.table.values import Outgoing, Unheard


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


def outbox(context: Context) -> list[Outgoing]:
    """The files of the outbox, oldest first, and who has not shown yet that they hold what is in them."""
    found, games = [], {store.name: store for store in context.stores()}
    for name in context.outbox.addresses.names():
        letter = context.outbox.addresses.of(name)
        if letter is None or not context.outbox.path(name).exists():
            continue
        silent: tuple[str, ...] = letter.to
        number = name.removeprefix(f"{letter.sender.game}-")
        if letter.sender.game in games and number.isdecimal():
            game = context.load(letter.sender.game)
            waiting = [by for by, held in _held(game, game.me.by) if held <= int(number)] if game.me is not None else []
            silent = tuple(to for by in waiting for to in recipients(context, game, by))
        found.append(
            Outgoing(context.outbox.path(name), letter.sender.game, letter.to, letter.automatic, letter.at, silent)
        )
    return sorted(found, key=lambda each: (each.at, each.path.name))


def clear(context: Context, name: str) -> int:
    """Delete the files of a game that all the others have shown that they hold, except the newest; return how many."""
    game = context.load(name)
    me = game.me
    if me is None or game.log.genesis is None or restored(game.store) is not None:
        return 0
    least = min((held for _, held in _held(game, me.by)), default=0)
    gone = 0
    for seq in range(min(least, own_count(game, me) - 1)):
        gone += context.outbox.take_away(file_name(game, me, seq))
    return gone


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
