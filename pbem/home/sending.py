"""From the draft to a file in the outbox: sealing it, and sending again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from pbem.engine.event import Event
from pbem.engine.need import Orders
from pbem.home import dues, orders, resync, summary, tournaments
from pbem.home.disk import HomeError
from pbem.home.dues import pay, post, seal
from pbem.home.gamefile import GameFile, may_sign, my_place
from pbem.home.orders import Drafted, StandingRow, waiting_note
from pbem.home.outbox import Posted, file_of, record_items, replaced_items
from pbem.home.root import Home
from pbem.protocol.errors import PbemError


@dataclass(frozen=True, slots=True)
class Preview:
    """What sealing the draft would do, for the player to see before they say yes."""

    drafted: Drafted
    standing: tuple[StandingRow, ...]
    """New standing orders; if they are those of the usual preset, it stands for all."""
    note: str
    """The message that travels with it."""
    left_undone: tuple[str, ...]
    after: tuple[str, ...]
    """The players who are then asked, or owe something, in sentences."""


class Sent(NamedTuple):
    """The file that was written, and what came of what was sealed: in words, and as the player may see it."""

    posted: Posted | None
    """None when a game for oneself alone went on."""
    happened: tuple[str, ...]
    events: tuple[Event, ...] = ()


def send(home: Home, name: str) -> Sent:
    """Seals the draft once and writes its file. With nothing to seal: the last file again, byte for byte. In a restored
    game: a hello."""
    with home.writing():
        game = home.load(name)
        my_place(game)
        if resync.restored(game.store) is not None:
            return Sent(resync.ask(home, game), ())
        sealed = game.replay.match is not None and orders.saved(game.store) != orders.Saved() and _seal(home, game)
        posted = pay(home, game)
        notes = orders.mind_left(game)
        last = posted[-1] if posted else post(home, game, again=True, anew=not sealed)
        summary.refresh(home, game)
        if last is None and not sealed:
            raise HomeError("E-NO-NEED", _why(game))
        seen = tuple(event for event in game.heard if event.seen_by(game.played))
        return Sent(last, (*game.told(game.heard), *notes), seen)


def preview(home: Home, name: str) -> Preview | None:
    """What `send` would seal; None where it seals nothing, or says why it cannot."""
    game = home.load(name)
    my_place(game)
    if (
        resync.restored(game.store) is not None
        or game.replay.match is None
        or orders.saved(game.store) == orders.Saved()
    ):
        return None
    move = orders.Move(home, game)
    if move.dropped or move.unanswered() not in (None, *move.bots) or not move.seals():
        return None
    return Preview(
        drafted=move.drafted(),
        standing=move.new_standing(),
        note=waiting_note(game.store),
        left_undone=tuple(move.left_undone()),
        after=tuple(move.forecast()),
    )


def _seal(home: Home, game: GameFile) -> bool:
    """False when the draft is empty."""
    may_sign(game)
    move = orders.Move(home, game)
    if move.dropped:
        # The position has moved on since: what is left of the draft is not what the player decided on.
        orders.save(game.store, orders.Saved(move.draft.dump(), move.standing, move.left))
        lost = "; ".join(move.show(order) for order in move.dropped)
        raise HomeError(
            "E-DRAFT-CHANGED",
            f"The position has changed, and not all of your draft is legal any more. Taken out: {lost}. Look at the "
            f"board and at what is left, order what you want instead, and send again.",
        )
    if not move.seals():
        return False
    if move.unanswered() in move.bots:
        move.bot(None, move.bots)
    if (seat := move.unanswered()) is not None:
        raise HomeError("E-UNFINISHED", f"{seat} has to choose as well, before anything can be sealed.")
    standing, waiting = move.carried()
    data = move.player.orders_data(move.match, move.draft, game.log.count(move.me.by), standing)
    left = replace(move.left, skipped=()) if move.left is not None and move.left.orders else None
    number = (move.me.by, game.log.count(move.me.by))
    orders.save(game.store, orders.Saved(move.draft.dump(), move.standing, left, number))
    need = game.match.machine.need
    if move.own() and isinstance(need, Orders) and not need.window:
        game.keep_own_turn()
    _, accepted = seal(home, game, "orders", data)
    orders.save(game.store, orders.Saved(standing=waiting, left=left))
    orders.bring_back(game, accepted)
    return True


def _why(game: GameFile) -> str:
    if len(game.offer.authors) < 2:
        return f"{game.name} is a game for you alone: there is nobody to write to."
    return f"There is nothing to send in {game.name} yet: your draft is empty."


def resend(home: Home, name: str) -> Posted:
    """The whole game in one file, for somebody who has lost much."""
    with home.writing():
        game = home.load(name)
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
        to = resync.recipients(home, game)
        holds = log.vector if log.genesis is not None else ()
        return home.outbox.put(game, f"{game.name}-all", raw, to, automatic=False, anew=True, holds=holds)


def let_bots(home: Home, name: str) -> list[Sent]:
    """The bots order for their seats and seal it; what came of each record.

    They wait until what a person has ordered is sealed: nobody takes back what a bot has answered.
    """
    sent: list[Sent] = []
    while home.load(name).bots and not summary.row(home, name).result:
        move = orders.move(home, name)
        if move.own():
            break
        if move.draft.seat in move.bots:
            orders.bot(home, name, None, move.bots)
        elif move.seals() and move.unanswered() is None:
            sent.append(send(home, name))
        else:
            break
    return sent


def settle_all(home: Home) -> dict[str, str]:
    """Makes what the program owes in any game and has not made: a passphrase or room on the disk was missing.

    The games in which it still cannot, and why.
    """
    if not home.tables.whole:
        _put_again(home)
    return {**tournaments.answer_all(home), **dues.pay_all(home)}


def _put_again(home: Home) -> None:
    """The queue is new, or was deleted: the last file of each game goes into it, unless all have shown to hold it."""
    with home.writing():
        for store in home.stores():
            with suppress(PbemError):  # what cannot be loaded is put again by `pbem send` once it can
                if store.state.posted and resync.unheard(home, store.name):
                    post(home, home.load(store.name), again=True)
        home.tables.set_whole()
