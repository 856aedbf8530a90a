"""Catching up: asking the others what they hold, answering them, whose copy may lack our last record, restored
games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pbem.home import summary
from pbem.home.describe import full_name
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, my_place, own_count
from pbem.home.outbox import RESENT, Posted, acknowledged, file_name, file_of, record_items, replaced_items
from pbem.home.root import Home
from pbem.home.summary import missing
from pbem.home.unpacking import Hello
from pbem.protocol.container import Item, ItemType


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A file of the outbox: to be mailed, or mailed."""

    path: Path
    game: str
    to: tuple[str, ...]
    """The recipients, each as `Name <address>`."""
    automatic: bool
    at: int
    """When it was written."""
    mailed: int
    """When `pbem mail` handed it over (0: not yet)."""
    silent: tuple[str, ...]
    """Recipients whose records do not yet show that they have it."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """Somebody who has not shown that they hold one's own last record."""

    by: int
    to: str
    """As `Name <address>`."""
    letter: str
    """The file of the outbox that carries the record."""
    key: bytes
    """Of the game."""
    whole: bytes | None = None
    """Another file for them, where that one no longer carries all that they lack."""


def others(game: GameFile) -> tuple[int, ...]:
    """The people to write to: before the start the author of the offer, afterwards everybody else in the game."""
    me, starter = my_place(game), game.offer.starter
    if game.log.genesis is None and me.by != starter:
        return (starter,)
    return tuple(by for by in game.offer.authors if by != me.by)


def confirm(home: Home, name: str, *, anyway: bool = False) -> None:
    """A person says that the game has caught up and may sign again. Without `anyway` every other author must have
    answered."""
    with home.writing():
        game = home.load(name)
        _confirm(game, anyway=anyway)
        summary.refresh(home, game)


def _confirm(game: GameFile, *, anyway: bool) -> None:
    answered = game.store.state.answered
    if answered is None:
        raise HomeError("E-NO-NEED", f"{game.name} is not waiting for anything: it can be played.")
    missing = [game.player_name(by) for by in others(game) if by not in answered]
    if missing and not anyway:
        raise HomeError(
            "E-RESTORED",
            f"Not everybody has answered yet: {', '.join(missing)} may hold a record of yours that is not here. "
            "Signing another record with the same number would be a proof against you.",
        )
    game.store.change(answered=None)


def hello(home: Home, name: str) -> Posted:
    """A question to the others: what do you hold?"""
    with home.writing():
        return ask(home, home.load(name))


def ask(home: Home, game: GameFile) -> Posted:
    """A hello to everybody: what this home holds of the game, and please the rest."""
    item = Item(ItemType.HELLO, _hello(game, want=True).pack())
    to = recipients(home, game)
    return home.outbox.put(game, f"{game.name}-hello", file_of([item]), to, automatic=False, anew=True)


def recipients(home: Home, game: GameFile, only: int | None = None) -> tuple[str, ...]:
    """Whom a file is for, as far as their cards are known here."""
    found = []
    for by in others(game):
        card = game.card_of(by)
        if card is None and by in game.offer.numbers:
            identity = game.offer.players[by]
            person = home.people.known(identity) if identity is not None else None
            card = person.card if person is not None else None
        if card is not None and only in (None, by):
            found.append(full_name(card))
    return tuple(found)


def _hello(game: GameFile, *, want: bool) -> Hello:
    log = game.log
    have = {by: log.count(by) for by in log.authors} if log.genesis else {game.offer.starter: 1}
    return Hello(my_place(game).by, game.game_id, have, want)


def answer(home: Home, game: GameFile, hello: Hello) -> Posted:
    to = recipients(home, game, hello.by)
    raw = catching_up(game, hello.have)
    holds = game.log.vector if game.log.genesis is not None else ()
    name = f"{game.name}-for-{hello.by}"
    return home.outbox.put(game, name, raw, to, automatic=True, anew=True, holds=holds)


def forward(home: Home, game: GameFile, by: int, have: Mapping[int, int]) -> Posted:
    """Hand on to a player what brought about the question to them, as far as they have not shown to hold it."""
    to, holds = recipients(home, game, by), game.log.vector
    raw = file_of(_lacking(game, have))
    name = f"{game.name}-asks-{by}"
    return home.outbox.put(game, name, raw, to, automatic=True, anew=True, holds=holds)


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
    return [*replaced_items(game), *record_items(raws)]


def unheard(home: Home, name: str) -> tuple[Unheard, ...]:
    """The players who may have missed one's last file, by what the log shows. Nothing is written."""
    game = home.load(name)
    me = game.me
    if me is None or game.store.state.is_restored or game.log.withdrawn is not None:
        return ()
    own = own_count(game, me)
    if own == 0:
        return ()
    found = []
    for by, held in _held(game, me.by):
        if held >= own:
            continue
        for to in recipients(home, game, by):
            # Of many records in a row the last file carries only the latest.
            whole = catching_up(game, shown_by(game, by)) if own - held > RESENT else None
            found.append(Unheard(by, to, file_name(game, me, own - 1), game.offer.id, whole))
    return tuple(found)


def outgoing(home: Home) -> list[Outgoing]:
    """The files of the outbox, oldest first, and who has not shown yet that they hold what is in them."""
    found, games, mailed = [], {store.name: store for store in home.stores()}, home.outbox.mailed_at()
    for name, letter in home.outbox.letters().items():
        if not home.outbox.path(name).exists():
            continue
        silent: tuple[str, ...] = letter.to
        number = name.removeprefix(f"{letter.game}-")
        if letter.game in games and number.isdecimal():
            game = home.load(letter.game)
            waiting = [by for by, held in _held(game, game.me.by) if held <= int(number)] if game.me is not None else []
            silent = tuple(to for by in waiting for to in recipients(home, game, by))
        path, at = home.outbox.path(name), letter.at
        found.append(Outgoing(path, letter.game, letter.to, letter.automatic, at, mailed.get(name, 0), silent))
    return sorted(found, key=lambda each: (each.at, each.path.name))


def clear(home: Home, games: Iterable[str]) -> int:
    """Delete the files of these games that all the others have shown that they hold, except the newest of each; return
    how many."""
    with home.writing():
        return sum(_clear(home, name) for name in games)


def _clear(home: Home, name: str) -> int:
    game = home.load(name)
    me = game.me
    if me is None or game.log.genesis is None or game.store.state.is_restored:
        return 0
    least = min((held for _, held in _held(game, me.by)), default=0)
    gone = 0
    for seq in range(min(least, own_count(game, me) - 1)):
        gone += home.outbox.take_away(file_name(game, me, seq))
    return gone


def _held(game: GameFile, me: int) -> list[tuple[int, int]]:
    """How many of one's own records each of the others has shown to hold."""
    if game.log.genesis is None:
        lacking = missing(game) if me == game.offer.starter else (game.offer.starter,)
        return [(by, 0) for by in lacking]
    return [(by, shown_by(game, by).get(me, 0)) for by in others(game)]


def shown_by(game: GameFile, by: int) -> dict[int, int]:
    """What a player has shown to hold by their last record, by author."""
    log = game.log
    end = tuple(log.count(author) for author in log.authors)
    return dict(zip(log.authors, acknowledged(log, by, end), strict=True))
