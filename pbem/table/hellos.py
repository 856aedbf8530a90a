"""Catching up: asking the others what they hold, answering them, and the read-only state of a restored game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.protocol.canonical import pack, unpack
from pbem.protocol.container import Item, ItemType
from pbem.table import summary
from pbem.table.context import Context
from pbem.table.gamefile import GameFile
from pbem.table.hello import Hello
from pbem.table.naming import full_name
from pbem.table.postbox import file_of, record_items
from pbem.table.sealing import my_place, sender
from pbem.table.store import GameStore
from pbem.table.tableerror import TableError
from pbem.table.values import Opened, Posted

_MARK = "restored"


@dataclass(frozen=True, slots=True)
class Restored:
    """A game that signs nothing until it has caught up. `answered` are the opponents who have sent what they hold."""

    answered: tuple[int, ...] = ()


def restored(store: GameStore) -> Restored | None:
    raw = store.private(_MARK)
    if raw is None:
        return None
    answered = unpack(raw)
    assert isinstance(answered, list)
    return Restored(tuple(by for by in answered if isinstance(by, int)))


def mark_restored(store: GameStore) -> None:
    if restored(store) is None:
        store.set_private(_MARK, pack([]))


def others(game: GameFile) -> tuple[int, ...]:
    """Whom one writes to: before the start whoever offered the game, afterwards everybody else in it."""
    me, starter = my_place(game), game.offer.starter
    if game.log.genesis is None and me.by != starter:
        return (starter,)
    return tuple(by for by in game.offer.authors if by != me.by)


def confirm(game: GameFile, *, anyway: bool) -> None:
    """A person says that the game has caught up. Without `anyway` every other author must have answered."""
    state = restored(game.store)
    if state is None:
        raise TableError("E-NO-NEED", f"{game.name} is not waiting for anything: it can be played.")
    missing = [game.player_name(by) for by in others(game) if by not in state.answered]
    if missing and not anyway:
        raise TableError(
            "E-RESTORED",
            f"Not everybody has answered yet: {', '.join(missing)} may hold a record of yours that is not here. "
            "Signing another with its number would prove you a cheat.",
        )
    game.store.set_private(_MARK, None)


def ask(context: Context, game: GameFile) -> Posted:
    """A hello to everybody: what this home holds of the game, and please the rest."""
    item = Item(ItemType.HELLO, _hello(game, want=True).pack())
    to = recipients(context, game)
    return context.outbox.put(f"{game.name}-hello", file_of([item]), to, sender(game), automatic=False, anew=True)


def recipients(context: Context, game: GameFile, only: int | None = None) -> tuple[str, ...]:
    """Whom a file is for, as far as their cards are known here."""
    found = []
    for by in others(game):
        card = game.card_of(by)
        if card is None and by in game.offer.numbers:
            identity = game.offer.players[by]
            person = context.people.known(identity) if identity is not None else None
            card = person.card if person is not None else None
        if card is not None and only in (None, by):
            found.append(full_name(card))
    return tuple(found)


def _hello(game: GameFile, *, want: bool) -> Hello:
    log = game.log
    have = {by: log.count(by) for by in log.authors} if log.genesis else {game.offer.starter: 1}
    return Hello(my_place(game).by, game.game_id, have, want)


def take(context: Context, hello: Hello) -> Opened:
    """Answers a hello that asks, notes one that answers."""
    offer_id = summary.index(context).get(hello.game)
    if offer_id is None:
        return Opened("hello", None, "A question about a game that is not here.")
    game = context.load_folder(offer_id)
    who = game.player_name(hello.by)
    if game.me is None or hello.by == game.me.by or hello.by not in game.offer.authors:
        return Opened("hello", game.name, f"{game.name}: a question that is not for you.")
    state = restored(game.store)
    lacking = hello.have.get(game.me.by, 0) - game.log.count(game.me.by) if game.log.genesis is not None else 0
    if state is not None and not hello.want and lacking > 0:
        what = f"{game.name}: {who} holds {lacking} more of your own records than are here. Ask once more: pbem send"
        return Opened("hello", game.name, f"{what} {game.name}")
    if state is not None and not hello.want:
        game.store.set_private(_MARK, pack(sorted({*state.answered, hello.by})))
        return Opened("hello", game.name, f"{game.name}: {who} has answered with everything in their home.")
    if not hello.want:
        return Opened("hello", game.name, f"{game.name}: {who} says what they hold.")
    posted = _answer(context, game, hello)
    what = f"{game.name}: {who} asks for what they lack. The answer is in the outbox."
    return Opened("hello", game.name, what, posted=(posted,))


def _answer(context: Context, game: GameFile, hello: Hello) -> Posted:
    to = recipients(context, game, hello.by)
    raw = catching_up(game, hello.have)
    holds = game.log.vector if game.log.genesis is not None else ()
    name = f"{game.name}-for-{hello.by}"
    return context.outbox.put(name, raw, to, sender(game), automatic=True, anew=True, holds=holds)


def forward(context: Context, game: GameFile, by: int, have: Mapping[int, int]) -> Posted:
    """Hand on to a player what brought about the question to them, as far as they have not shown to hold it."""
    to, holds = recipients(context, game, by), game.log.vector
    raw = file_of(_lacking(game, have))
    name = f"{game.name}-asks-{by}"
    return context.outbox.put(name, raw, to, sender(game), automatic=True, anew=True, holds=holds)


def catching_up(game: GameFile, have: Mapping[int, int]) -> bytes:
    """Every record that a player lacks who holds so many of each author, their own included, and how far this home
    goes."""
    return file_of([*_lacking(game, have), Item(ItemType.HELLO, _hello(game, want=False).pack())])


def _lacking(game: GameFile, have: Mapping[int, int]) -> list[Item]:
    log, store = game.log, game.store
    if log.genesis is None:
        raws: list[tuple[bytes, bytes | None]] = [(record.raw, None) for record in log.opening]
    else:
        places = [(by, seq) for by in log.authors for seq in range(have.get(by, 0), log.count(by))]
        raws = [(game.raw_of(*place), store.loose("messages", log.id_at(*place) or b"")) for place in places]
        raws += [(raw, None) for raw in store.all_loose("rivals")]
    replaced = [
        Item(ItemType.REPLACED, pack([name, store.loose("replaced", digest)])) for name, digest in game.offer.replaced
    ]
    return [*replaced, *record_items(raws)]
