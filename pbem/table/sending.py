"""Sealing the draft, and sending again."""

from __future__ import annotations

from dataclasses import replace

from pbem.engine.need import Orders
from pbem.table import hellos, moves, summary
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.notes import note
from pbem.table.postbox import file_of, record_items
from pbem.table.sealing import may_sign, my_place, seal, sender
from pbem.table.settle import post, replaced_items, settle
from pbem.table.tableerror import TableError
from pbem.table.values import Posted, Preview


def send(context: Context, name: str) -> tuple[Posted | None, tuple[str, ...]]:
    """Seals the draft once and writes its file. With nothing to seal: the last file again. If restored: a hello.

    No file when there was something to seal and nobody to write to. With it, in words, what came of what was sealed.
    """
    with context.writing():
        game = context.load(name)
        my_place(game)
        if hellos.restored(game.store) is not None:
            return hellos.ask(context, game), ()
        sealed = game.replay.match is not None and moves.saved(game.store) != moves.Saved() and _seal(context, game)
        posted = settle(context, game)
        notes = moves.mind_left(game)
        last = posted[-1] if posted else post(context, game, again=True, anew=not sealed)
        summary.refresh(context, game)
        if last is None and not sealed:
            raise TableError("E-NO-NEED", _why(game))
        return last, (*game.told(game.heard), *notes)


def preview(context: Context, name: str) -> Preview | None:
    """What `send` would seal; None where it seals nothing, or says why it cannot."""
    game = context.load(name)
    my_place(game)
    if hellos.restored(game.store) is not None or game.replay.match is None or moves.saved(game.store) == moves.Saved():
        return None
    move = moves.Move(context, game)
    if move.dropped or move.unanswered() not in (None, *move.bots) or not move.seals():
        return None
    return Preview(
        drafted=move.drafted(),
        standing=tuple(row for row in move.standing_rows() if row[3] in moves.WAITING),
        note=note(game.store),
        left_undone=tuple(move.left_undone()),
        after=tuple(move.forecast()),
    )


def _seal(context: Context, game: GameFile) -> bool:
    """False when the draft is empty."""
    may_sign(game)
    move = moves.Move(context, game)
    if move.dropped:
        # The position has moved on since: what is left of the draft is not what the player decided on.
        moves.save(game.store, moves.Saved(move.draft.dump(), move.standing, move.left))
        lost = "; ".join(move.show(order) for order in move.dropped)
        raise TableError(
            "E-DRAFT-CHANGED",
            f"The position has changed, and not all of your draft is legal any more. Taken out: {lost}. Look at the "
            f"board and at what is left, order what you want instead, and send again.",
        )
    if not move.seals():
        return False
    if move.unanswered() in move.bots:
        move.bot(None, move.bots, moves.Below(context.random))
    if (seat := move.unanswered()) is not None:
        raise TableError("E-UNFINISHED", f"{seat} has to choose as well, before anything can be sealed.")
    standing, waiting = move.carried()
    data = move.player.orders_data(move.match, move.draft, game.log.count(move.me.by), standing)
    left = replace(move.left, skipped=()) if move.left is not None and move.left.orders else None
    number = (move.me.by, game.log.count(move.me.by))
    moves.save(game.store, moves.Saved(move.draft.dump(), move.standing, left, number))
    need = game.match.machine.need
    if move.own() and isinstance(need, Orders) and not need.window:
        game.keep_own_turn()
    _, accepted = seal(context, game, "orders", data)
    moves.save(game.store, moves.Saved(standing=waiting, left=left))
    moves.bring_back(game, accepted)
    return True


def _why(game: GameFile) -> str:
    if len(game.offer.authors) < 2:
        return f"{game.name} is a game for you alone: there is nobody to write to."
    return f"There is nothing to send in {game.name} yet: your draft is empty."


def resend(context: Context, name: str) -> Posted:
    """The whole game in one file, for somebody who has lost much."""
    with context.writing():
        game = context.load(name)
        log, store = game.log, game.store
        if log.genesis is None:
            raws: list[tuple[bytes, bytes | None]] = [(record.raw, None) for record in log.opening]
        else:
            raws = [
                (record.raw, store.loose("messages", record.id) if record.note is not None else None)
                for record in game.replay.records()
            ]
            raws += [(raw, None) for raw in store.all_loose("rivals")]
        raw = file_of([*replaced_items(game), *record_items(raws)])
        to = hellos.recipients(context, game)
        holds = log.vector if log.genesis is not None else ()
        return context.outbox.put(f"{game.name}-all", raw, to, sender(game), automatic=False, anew=True, holds=holds)
