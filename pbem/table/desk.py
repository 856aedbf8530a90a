"""The desk: everything a player does, as calls that return values. It prints nothing and asks for nothing but the
passphrase."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Unpack

from pbem.engine import registry
from pbem.engine.definition import Reckoning
from pbem.engine.match import Match
from pbem.engine.need import Known
from pbem.protocol.container import Item
from pbem.protocol.digest import tagged_list
from pbem.protocol.genesis import Offer
from pbem.table import (
    acts,
    archiving,
    evidence,
    facts,
    hellos,
    history,
    intake,
    keyfile,
    moves,
    naming,
    notes,
    offers,
    restoring,
    sending,
    settle,
    standin,
    summary,
    tournaments,
    unheard,
)
from pbem.table.context import Context, now
from pbem.table.disk import Disk
from pbem.table.gamefile import GameFinder
from pbem.table.home import Home
from pbem.table.parcel import Parcel
from pbem.table.people import People, Person
from pbem.table.postbox import Outbox
from pbem.table.seen import Seen, TurnSeen, gist, known_of, last_sent, seen, turn_seen
from pbem.table.tableerror import TableError
from pbem.table.values import (
    Drafted,
    DraftLine,
    GameRow,
    Gist,
    LegalGroup,
    LogLine,
    Opened,
    Outgoing,
    Posted,
    PresetRow,
    Preview,
    Restored,
    Undone,
    Unheard,
)


class Desk:
    """One player's side of the table. A `name` is a game's whole name, as `find` gives it.

    Clock, randomness and installed games can be given, so that a demonstration can be repeated.
    """

    def __init__(
        self,
        home: Home,
        *,
        ask: keyfile.Ask,
        clock: Callable[[], int] = now,
        random: Callable[[int], bytes] = os.urandom,
        disk: Disk | None = None,
        find_game: GameFinder = registry.find,
        cost: keyfile.Cost = keyfile.STANDARD,
    ) -> None:
        self._context = Context(home, ask=ask, clock=clock, random=random, disk=disk, find_game=find_game, cost=cost)
        self.happened: tuple[str, ...] = ()
        """What the last `send` brought about, in words."""

    @property
    def home(self) -> Home:
        return self._context.home

    @property
    def disk(self) -> Disk:
        return self._context.disk

    @property
    def clock(self) -> Callable[[], int]:
        return self._context.clock

    # People

    @property
    def people(self) -> People:
        """Identities and contacts. What changes them is called under `lock`."""
        return self._context.people

    @property
    def lock(self) -> AbstractContextManager[None]:
        """`with desk.lock:` around changes of `people`."""
        return self._context.writing()

    def new_identity(self, name: str, email: str, passphrase: str) -> Person:
        with self._context.writing():
            return self.people.new_identity(name, email, passphrase, self._context.clock())

    def phrase(self, person: Person) -> str:
        return restoring.phrase(self._context, person)

    def backup(self, person: Person) -> bytes:
        return restoring.backup(self._context, person)

    def restore(self, phrase: str, raws: Sequence[bytes], passphrase: str, name: str = "", email: str = "") -> Restored:
        return restoring.restore(self._context, phrase, raws, passphrase, name, email)

    def confirm_restored(self, name: str, *, anyway: bool = False) -> None:
        """The game has caught up and may sign again (docs/home.md)."""
        context = self._context
        with context.writing():
            game = context.load(name)
            hellos.confirm(game, anyway=anyway)
            summary.refresh(context, game)

    # Games

    def find(self, query: str) -> str:
        """The whole name of a game: by its beginning, or by that of its title."""
        return self._named(query, lambda text: self._context.find(text).name)

    def _named(self, query: str, find: Callable[[str], str]) -> str:
        try:
            return find(query)
        except TableError as error:
            name = summary.titled(self._context, query) if error.code == "E-UNKNOWN" else None
            if name is None:
                raise
            return name

    def games(self) -> list[GameRow]:
        return summary.rows(self._context)

    def row(self, name: str) -> GameRow:
        return summary.row_of(self._context, self._context.find(name))

    def facts(self, key: bytes) -> facts.Facts | None:
        """The game of this offer as an umpire needs it."""
        return facts.facts(self._context, key)

    def forward(self, key: bytes, by: int) -> bool:
        """Put into the outbox what a player of this game has not shown to hold; False when they have no address."""
        return facts.forward(self._context, key, by)

    def evidence(self, offer: bytes) -> Iterator[Item]:
        """All that is held of the game of this offer, for a dispute; nothing if it is not here."""
        return evidence.of_game(self._context, offer)

    def twins(self, offer: bytes) -> tuple[bytes, ...]:
        """Other games that the umpire has started for the same board of a tournament."""
        context = self._context
        held = context.load_folder(offer).offer
        return tuple(each.game_id for each in context.rivals(held) if each.log.genesis is not None)

    def left(self, umpire: bytes, tournament: bytes) -> dict[bytes, str]:
        """At its umpire's: who has left a tournament, and why, until that was `noted`."""
        return self._context.tournaments.left(umpire, tournament)

    def note_left(self, umpire: bytes, tournament: bytes, identity: bytes) -> None:
        with self._context.writing():
            self._context.tournaments.set_left(umpire, tournament, identity, None)

    def offer(self, game: str, **terms: Any) -> tuple[str, Posted | None]:
        """The name of the new game, and the file to mail; none for a game for oneself alone."""
        return offers.offer(self._context, offers.Terms(game=game, **terms))

    def first_offer(self, name: str) -> Offer | None:
        """The offer of this game, if it is the first in this home that is played with others."""
        return offers.first(self._context, name)

    def join(self, name: str, identity: str | None = None, *, once: bool = False) -> Posted | None:
        """Accepts an offer, and unless `once` all later ones of its tournament."""
        return offers.join(self._context, name, identity, once=once)

    def decline(
        self, name: str, why: str = "", identity: str | None = None, *, tournament: bool = False
    ) -> Posted | None:
        """Declines an offer, and with `tournament` leaves its tournament; an offer of one's own is taken back."""
        return offers.decline(self._context, name, why, identity, tournament=tournament)

    def awaits(self, offer: Offer) -> bool:
        """It is the first offer for its board, of a tournament that somebody here has entered."""
        return tournaments.awaits(self._context, offer)

    def keeps(self, proof: bytes) -> bool:
        """A proof of a fork that came is kept here."""
        return naming.proof_path(self._context, proof).exists()

    def stand_in(self, raw: bytes, player: str, identity: str | None = None) -> tuple[str, Posted]:
        """Offers to take over a player's place in the game of an archive; the file goes to whoever rules on it."""
        return standin.stand_in(self._context, raw, player, identity)

    # Mail

    def open(self, raw: bytes, *, beat: Callable[[], None] = lambda: None) -> tuple[Opened, ...]:
        """Whatever came: a file, armour, a whole mail. Raises only if there is nothing of pbem in it.

        `beat` is called again and again meanwhile, and may raise to stop it.
        """
        self._context.beat = beat
        try:
            return intake.open_bytes(self._context, raw)
        finally:
            self._context.beat = lambda: None

    def open_parcel(self, parcel: Parcel, *, questions: bool, beat: Callable[[], None]) -> list[Opened]:
        """One file that was unwrapped already. Raises Refusal, and then has changed nothing.

        Without `questions` nobody who only asks what is held here gets an answer. `beat` is as in `open`.
        """
        self._context.beat = beat
        try:
            return intake.open_parcel(self._context, parcel, questions=questions)
        finally:
            self._context.beat = lambda: None

    def settle(self) -> dict[str, str]:
        """Makes what the program owes in any game and has not made: a passphrase or room on the disk was missing.

        The games in which it still cannot, and why.
        """
        return {**tournaments.settle_all(self._context), **settle.settle_all(self._context)}

    @property
    def outbox(self) -> Outbox:
        """The files to be mailed, with their addresses."""
        return self._context.outbox

    def holds(self, offer_id: bytes) -> bool:
        """The game of this offer is here."""
        return bool(self._context.store(offer_id).name)

    def key(self, name: str) -> bytes:
        """What a game is called by everybody: the id of its offer."""
        return bytes.fromhex(self._context.find(name).folder.name)

    def send(self, name: str) -> Posted | None:
        """Seals the draft once; without one, the last file again, byte for byte. In a restored game: a hello.

        None when a game for oneself alone went on.
        """
        posted, self.happened = sending.send(self._context, name)
        return posted

    def preview(self, name: str) -> Preview | None:
        """What `send` would seal now; None if nothing."""
        return sending.preview(self._context, name)

    def resend(self, name: str) -> Posted:
        """A file with the whole game."""
        return sending.resend(self._context, name)

    def hello(self, name: str) -> Posted:
        """A question to the others: what do you hold?"""
        context = self._context
        with context.writing():
            return hellos.ask(context, context.load(name))

    def outgoing(self) -> list[Outgoing]:
        """What lies in the outbox, and who has not shown yet that it came."""
        return unheard.outbox(self._context)

    def clear_outbox(self, names: Iterable[str]) -> int:
        """Delete the files of these games that all the others hold, except the newest of each; return how many."""
        with self._context.writing():
            return sum(unheard.clear(self._context, name) for name in names)

    def unheard(self, name: str) -> tuple[Unheard, ...]:
        """Who may have missed one's last file, by what the log shows."""
        return unheard.unheard(self._context, name)

    def archive(self, name: str, *, messages: bool = True) -> Iterator[bytes]:
        """The whole game as a file, in parts to be written one after another."""
        return archiving.archive(self._context, name, messages=messages)

    def log(self, name: str) -> list[LogLine]:
        return history.lines(self._context.load(name))

    def note(self, name: str) -> str:
        """The message that waits for one's next record."""
        return notes.note(self._context.find(name))

    def set_note(self, name: str, text: str) -> None:
        with self._context.writing():
            notes.set_note(self._context.find(name), text)

    def private_note(self, name: str) -> str:
        """Notes for oneself; they are never mailed."""
        return notes.private(self._context.find(name))

    def set_private_note(self, name: str, text: str) -> None:
        with self._context.writing():
            notes.set_private(self._context.find(name), text)

    # The move

    def move(self, name: str) -> moves.Move:
        """The player's move as it stands, to be looked at."""
        return moves.Move(self._context, self._context.load(name))

    def rev(self, name: str) -> str:
        """Another one whenever records, draft, standing orders or note have changed."""
        store = self._context.find(name)
        parts = (store.stamp(), *(store.private(each) or b"" for each in ("draft", "note")))
        return tagged_list(parts).hex()[:16]

    def seats(self, name: str) -> tuple[str, ...]:
        """One's own."""
        return self._context.load(name).seats

    def verbs(self, name: str) -> frozenset[str]:
        """The words with which orders of the game begin."""
        return frozenset(verb.word for verb in self._context.load(name).match.game.notation.verbs)

    def asked(self, name: str) -> tuple[str, ...]:
        """The seat that the draft is at; none when nothing can be ordered."""
        return self.move(name).asked()

    def order(self, name: str, texts: Sequence[str]) -> list[str]:
        """Adds orders, all or none; what they bring about, in words."""
        with self._context.writing():
            return self.move(name).order(texts)

    def bot(self, name: str, bot: str | None = None, seats: Sequence[str] = ()) -> list[str]:
        """A bot of the game writes the draft, for these seats or for all of one's own; its orders."""
        with self._context.writing():
            return self.move(name).bot(bot, seats, moves.Below(self._context.random))

    def set_bots(self, name: str, seats: Sequence[str]) -> None:
        """A bot plays these seats of one's own from now on, and what it knows is not shown."""
        with self._context.writing():
            game = self._context.load(name)
            game.set_bots(seats)
            summary.refresh(self._context, game)

    def let_bots(self, name: str) -> list[str]:
        """The bots order for their seats and seal it; what that brought about.

        They wait until what a person has ordered is sealed: nobody takes back what a bot has answered.
        """
        said: list[str] = []
        while self._context.load(name).bots and not self.row(name).result:
            move = self.move(name)
            if move.own():
                break
            if move.draft.seat in move.bots:
                self.bot(name, None, move.bots)
            elif move.seals() and move.unanswered() is None:
                self.send(name)
                said += self.happened
            else:
                break
        return said

    def undo(self, name: str, count: int | None = 1, *, units: bool = False) -> tuple[DraftLine, ...]:
        """Takes back the last lines as typed, or with `units` the last orders; None: all. What was taken back."""
        with self._context.writing():
            return self.move(name).undo(count, units=units)

    def drafted(self, name: str) -> Drafted:
        """Draft and plan, as their player typed them."""
        return self.move(name).drafted()

    def draft(self, name: str) -> list[str]:
        """The texts of the orders of the draft, without the plan."""
        return [order for line in self.drafted(name).lines for order in line.orders]

    def legal(self, name: str, prefix: str = "") -> Iterator[str]:
        return self.move(name).legal(prefix)

    def first(self, name: str) -> tuple[str, ...]:
        """The keys with which legal orders begin: `u:B1`, `v:done`."""
        return self.move(name).first()

    def picked(self, name: str, key: str) -> Iterator[str]:
        """The texts of the legal orders that begin with one of these."""
        return self.move(name).picked(key)

    def grouped(self, name: str, prefix: str = "") -> list[LegalGroup]:
        """All legal orders, or those that begin with a text or else with a thing (`B1`), by verb and thing."""
        return self.move(name).grouped(prefix)

    def completions(self, name: str, text: str) -> Iterator[str]:
        """How a line that begins so may go on."""
        return self.move(name).completions(text)

    def plan(self, name: str, texts: Sequence[str]) -> None:
        with self._context.writing():
            self.move(name).plan(texts)

    def planned(self, name: str) -> list[str]:
        """The texts of the orders that are to follow chance."""
        return [order for line in self.drafted(name).plan for order in line.orders]

    def clear_plan(self, name: str) -> None:
        with self._context.writing():
            self.move(name).clear_plan()

    def board(self, name: str, *, public: bool = False) -> str:
        """As the player sees it, with his draft; or as anybody sees it."""
        if public:
            match = self._context.load(name).match
            return match.game.board(match.machine.view())
        return self.move(name).board()

    def seen(self, name: str, *, seats: Sequence[str] | None = None, at: str | None = None) -> Seen:
        """What these seats (none given: one's own, nobody's once the game is over) see after a record, or now."""
        return seen(self._context, name, seats=seats, at=at)

    def turn_seen(
        self, name: str, *, seats: Sequence[str] | None = None, turn: int | None = None, sent: bool = False
    ) -> TurnSeen:
        """A turn as these seats saw it. `sent`: the last part as everybody saw it with one's own last record."""
        past = last_sent(self._context.load(name)) if sent else None
        return turn_seen(self._context, name, seats=() if sent else seats, turn=turn, past=past)

    def gist(self, name: str, *, brief: bool = False, automatic: bool = False) -> Gist:
        """What one's last file of a game is about, for the mail that carries it. `brief` leaves out what happened."""
        return gist(self._context, name, brief=brief, automatic=automatic)

    def known_of(self, offer: bytes, seats: Sequence[str]) -> Callable[[Match[Any]], Known]:
        """What seats of one's own know at any moment of the game of this offer."""
        return known_of(self._context, offer, seats)

    def odds(self, name: str, text: str) -> Reckoning:
        return self.move(name).odds(text)

    def look(self, name: str, text: str = "") -> Reckoning:
        return self.move(name).look(text)

    def standing(self, name: str) -> list[tuple[str, str, str, str]]:
        """Seat, decision, standing orders as text, and their state."""
        return self.move(name).standing_rows()

    def set_standing(
        self, name: str, seat: str | None, kind: str, policy: str | None, *, sealed: bool | None = None
    ) -> None:
        with self._context.writing():
            self.move(name).set_standing(seat, kind, policy, sealed=sealed)

    def presets(self, name: str) -> list[PresetRow]:
        return self.move(name).presets()

    def set_preset(self, name: str, seat: str | None, preset: str) -> None:
        """The standing orders of a preset wait for the next orders; before the start, for the first."""
        with self._context.writing():
            moves.set_preset(self._context, self._context.load(name), seat, preset)

    # Agreements

    def resign(self, name: str, seats: Sequence[str] = ()) -> Posted | None:
        return acts.resign(self._context, name, tuple(seats))

    def tie(self, name: str) -> Posted | None:
        return acts.tie(self._context, name)

    def takeback(self, name: str, target: str | None = None) -> Posted | None:
        return acts.takeback(self._context, name, target)

    def takeback_preview(self, name: str, target: str | None = None) -> Undone:
        """What a takeback would undo."""
        return acts.takeback_preview(self._context, name, target)

    def takeback_proposed(self, name: str) -> Undone:
        """What the takeback that waits for an answer would undo."""
        return acts.takeback_proposed(self._context, name)

    def answer(self, name: str, what: str, yes: bool) -> Posted | None:
        return acts.answer(self._context, name, what, yes)

    def claim(self, name: str) -> Posted | None:
        """Claims what the others owe; a forfeit in a game without an umpire cites it."""
        return acts.claim(self._context, name)

    def migrate(self, name: str) -> Posted | None:
        return acts.migrate(self._context, name)

    def rekey(self, name: str, identity: str, *, lost: bool = False) -> Posted | None:
        return acts.rekey(self._context, name, identity, lost=lost)

    def rule(self, name: str, what: str, **given: Unpack[acts.Ruled]) -> Posted | None:
        return acts.rule(self._context, name, what, **given)
