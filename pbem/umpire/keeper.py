"""The keeper: one unattended pass over everything, to be repeated for ever.

Mail is fetched and opened; what the games show goes into the database; clocks are looked at; what is wanted is carried
out; rounds that are complete are closed and, if the terms say so, followed by the next; mail is sent. Every step looks
at what is there and writes what is new in one transaction, so a pass that died anywhere is repaired by the next.

The keeper works where the umpire's home is, one at a time for a home.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Final

from pbem.mail.account import Fault, Round
from pbem.mail.state import News
from pbem.protocol.canonical import Plain
from pbem.protocol.card import parse_card
from pbem.protocol.errors import PbemError
from pbem.table.desk import Desk
from pbem.table.facts import Facts, covers
from pbem.table.lock import Lock
from pbem.table.tableerror import TableError
from pbem.umpire import clocks, oddities, progress, rounds
from pbem.umpire.asking import Asking, Known
from pbem.umpire.carrying import Carrier
from pbem.umpire.db import journal, queries
from pbem.umpire.db.database import Writing
from pbem.umpire.deskrows import AnswerRow, EntrantRow, PairingRow, TournamentRow
from pbem.umpire.mailing import Mail
from pbem.umpire.pairing import is_finished
from pbem.umpire.told import half, held
from pbem.umpire.umpiredesk import UmpireDesk
from pbem.umpire.umpireerror import UmpireError
from pbem.umpire.wants import wanted

AT_ONCE: Final = 50
"""Games in one transaction: the others at the desk wait for it."""
_SLICE: Final = 1.0
"""Seconds between two looks at the wish to stop."""
_LOOK: Final = 5.0
"""Seconds between two looks at the journal."""


@dataclass(slots=True)
class Report:
    """What one pass did. `entries` are the journal's that it, and others meanwhile, have written."""

    mail: Round = field(default_factory=Round)
    faults: list[Fault] = field(default_factory=list)
    entries: list[journal.Entry] = field(default_factory=list)
    news: tuple[News, ...] = ()
    """What the mail brought; the caller tells it, then says `told`."""

    def add(self, done: Round) -> None:
        self.mail.looked_at += done.looked_at
        self.mail.sent += done.sent
        self.mail.waiting = done.waiting
        self.faults += done.faults


class Keeper:
    def __init__(self, desk: UmpireDesk, home: Desk, mail: Mail) -> None:
        self._desk = desk
        self._home = home
        self._mail = mail
        self._carrier = Carrier(desk, home, mail)
        self._read: dict[int, tuple[Facts, Known, str]] = {}
        """What a game and its mails showed when it was last read by this keeper: nothing is to be done for the same
        again."""
        self._failed: set[int] = set()
        """Acts that could not be carried out in this pass."""
        self._asked: set[str] = set()
        """The files that lie in the outbox."""
        self._refused: dict[str, list[News]] = {}
        """What was refused in this pass, by game."""
        self._entries = 0
        """How long the journal was when the last pass was done."""

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """One keeper at a time for a home."""
        folder = self._home.home.root / "umpire"
        self._home.disk.folder(folder)
        lock = Lock(folder / "lock", patience=0.2)
        try:
            lock.__enter__()
        except TableError as error:
            if error.code != "E-LOCKED":
                raise
            raise UmpireError("E-LOCKED", "Another keeper runs in this home already. Nothing was changed.") from None
        try:
            yield
        finally:
            lock.__exit__(None, None, None)

    def round(self) -> Report:
        """One pass. A fault of one game or one way of mail hinders no other."""
        done = Report()
        with self._desk.store.reading() as session:
            before = queries.size(session)
        done.add(self._mail.fetch())
        done.news = tuple(self._mail.news())
        self._asked = set(self._home.outbox.addresses.names())
        self._refused = {}
        self._failed.clear()
        for each in done.news:
            if each.code and each.game:
                self._refused.setdefault(each.game, []).append(each)
        own = {person.identity for person in self._home.people.identities()}
        for tournament in self._desk.tournaments():
            if tournament.umpire in own and self._is_open(tournament):
                self._tournament(tournament, done)
        done.add(self._mail.send())
        self._held(done)
        with self._desk.store.reading() as session:
            done.entries = list(journal.entries(session, before))
        self._entries = before + len(done.entries)
        return done

    def rest(
        self,
        seconds: float,
        stop: Callable[[], bool],
        *,
        idle: bool = True,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Between two passes: until so much time has passed, mail has come, or somebody at the desk has written. A way
        of mail that does not work (`idle` False) wakes nobody."""
        now = monotonic()
        until, look = now + seconds, now + _LOOK
        while not stop() and (now := monotonic()) < until:
            if self._mail.wait(min(_SLICE, until - now)) and idle:
                return
            if monotonic() >= look:
                look = monotonic() + _LOOK
                with self._desk.store.reading() as session:
                    if queries.size(session) > self._entries:
                        return

    def _held(self, done: Report) -> None:
        """Mails that should have left and wait are a loud line everywhere: clocks stand still because of them."""
        count, since, why = self._mail.held()
        with self._desk.store.reading() as session:
            before = queries.held(session)
        if (count, why) != ((before.count, before.why) if before is not None else (0, "")):
            with self._writing() as writing:
                writing.record("held", {"count": count, "since": since, "why": why})
        if count:
            done.faults.append(Fault("mail", "E-UMPIRE-MAIL", held(count, since, why)))

    def _is_open(self, tournament: TournamentRow) -> bool:
        """Not over, or over while the secrets of some game are still to come."""
        if tournament.state != "over":
            return True
        with self._desk.store.reading() as session:
            whole = {each.pairing for each in queries.archives(session, tournament.id) if each.whole}
            return any(row.began_at and row.id not in whole for row in queries.pairings(session, tournament.id))

    def told(self) -> None:
        """The news of the mail have been told."""
        self._mail.told()

    def _tournament(self, tournament: TournamentRow, done: Report) -> None:
        self._leaving(tournament)
        self._carry(tournament, done)
        with self._desk.store.reading() as session:
            rows = queries.pairings(session, tournament.id, ("offered", "playing", "over", "decided"))
            answers = queries.answers(session, tournament.id)
            whole = {each.pairing for each in queries.archives(session, tournament.id) if each.whole}
            said: dict[int, list[AnswerRow]] = {}
            for each in answers:
                said.setdefault(each.pairing, []).append(each)
            entrants = {each.number: each for each in queries.entrants(session, tournament.id)}
            names = {0: "The umpire", **{number: each.name for number, each in entrants.items()}}
        running: list[tuple[PairingRow, Facts]] = []
        for row in rows:
            if row.second is None or (row.state == "decided" and row.id in whole):
                continue
            own = said.get(row.id, ())
            with self._noting(row, done):
                pairing, facts = self._facts(row, own, names)
                if facts is not None and facts.began_at:
                    running.append((pairing, facts))
                elif pairing.state == "offered":
                    self._waiting(tournament, pairing, own, facts, self._asking(pairing, entrants))
                else:
                    self._take_back(pairing, facts, _verdict(pairing))  # by hand: nobody shall begin it any more
        for at in range(0, len(running), AT_ONCE):
            some = [(*each, self._asking(each[0], entrants)) for each in running[at : at + AT_ONCE]]
            self._games(tournament, names, some, done)
        self._keep(tournament, running, done)
        self._carry(tournament, done)
        try:
            self._rounds(tournament)
        except PbemError as error:
            done.faults.append(Fault(tournament.name, error.code, error.sentence))
        self._carry(tournament, done)

    @contextmanager
    def _noting(self, pairing: PairingRow, done: Report) -> Iterator[None]:
        try:
            yield
        except PbemError as error:
            done.faults.append(Fault(pairing.game or pairing.label, error.code, error.sentence))

    def _carry(self, tournament: TournamentRow, done: Report) -> None:
        with self._desk.store.reading() as session:
            wanted = queries.acts(session, tournament.id, ("wanted", "taken"))
        for act in wanted:
            if act.id in self._failed:
                continue
            try:
                self._carrier.carry(tournament, act)
            except PbemError as error:
                self._failed.add(act.id)
                done.faults.append(Fault(f"act {act.id}", error.code, error.sentence))

    # Before a game begins

    def _facts(
        self, pairing: PairingRow, answers: Sequence[AnswerRow], names: Mapping[int, str]
    ) -> tuple[PairingRow, Facts | None]:
        """What the umpire's home knows of a pairing's game; what it heard of its offer is written."""
        facts = self._home.facts(pairing.offer) if pairing.offer is not None else None  # None: its home was lost
        if facts is not None and facts.fault:
            code, _, sentence = facts.fault.partition(": ")
            raise UmpireError(code, sentence)
        if facts is not None and progress.news_of(pairing, answers, facts):
            with self._writing() as writing:
                progress.heard(writing, pairing, answers, facts, names)
                pairing = queries.pairing(writing.session, pairing.id)
        return pairing, facts

    def _asking(self, pairing: PairingRow, entrants: Mapping[int, EntrantRow]) -> Asking:
        cards = {number: parse_card(entrants[number].card) for number in pairing.entrants}
        return Asking(self._mail, pairing.offer or b"", cards)

    def _waiting(
        self,
        tournament: TournamentRow,
        pairing: PairingRow,
        answers: Sequence[AnswerRow],
        facts: Facts | None,
        asking: Asking,
    ) -> None:
        """An offer that no game has come of yet."""
        missing = clocks.absent(pairing, answers, facts)
        with self._writing() as writing:
            row = queries.pairing(writing.session, pairing.id)
            if row.state != "offered":  # decided by somebody at the desk meanwhile
                return
            owed = progress.asks(row, missing, asking)
            progress.ask(writing, tournament, row, owed)
            if clocks.left_late(tournament, row, answers, [each.since for each in owed], writing.at):
                if not wanted(writing, tournament.id, row.id, "offer", f"again.{row.expires}"):
                    rounds.offer_again(writing, tournament, row)
                return
            clocks.remind(writing, tournament, pairing, owed, asking.waits())
        until = clocks.deadline(tournament, pairing, answers, owed)
        over = until is not None and self._desk.clock() >= until
        if over and missing and tournament.terms.keeper.no_show == "forfeit":
            self._forfeit(pairing, facts, clocks.at_fault(answers, missing))

    def _forfeit(self, pairing: PairingRow, facts: Facts | None, missing: Sequence[int]) -> None:
        """The offer is taken back first."""
        self._take_back(pairing, facts, "Not everybody came to the game.")
        with self._writing() as writing:
            held = queries.pairing(writing.session, pairing.id)
            if held.state == "offered":
                both = len(missing) == len(held.entrants)
                text = "neither player came to the game" if both else "a player did not come to the game"
                rounds.no_show(writing, held, missing, text)

    def _take_back(self, pairing: PairingRow, facts: Facts | None, why: str) -> None:
        """The umpire's program starts the game no more, and its players are told so."""
        if facts is not None and facts.stage in ("offered", "declined"):
            self._home.decline(facts.name, why)
            with self._writing() as writing:
                writing.record("closed", {"pairing": pairing.id, "why": why})

    def _leaving(self, tournament: TournamentRow) -> None:
        """Whoever told the umpire that they leave is paired no more."""
        for identity, why in self._home.left(tournament.umpire, tournament.key).items():
            with self._writing() as writing:
                for each in queries.entrants(writing.session, tournament.id):
                    if each.identity == identity and not each.out:
                        data: dict[str, Plain] = {"entrant": each.number, "tournament": tournament.id, "why": why}
                        writing.record("withdrawn", data, actor=each.name)
            self._home.note_left(tournament.umpire, tournament.key, identity)

    # Games that run

    def _games(
        self,
        tournament: TournamentRow,
        names: Mapping[int, str],
        some: Sequence[tuple[PairingRow, Facts, Asking]],
        done: Report,
    ) -> None:
        """Some in one transaction, which is quicker; one by one if something is wrong with any of them."""
        try:
            with self._writing() as writing:
                states = [self._game(writing, tournament, names, *each) for each in some]
        except PbemError as error:
            if len(some) == 1:
                done.faults.append(Fault(some[0][0].game, error.code, error.sentence))
            else:
                for each in some:
                    self._games(tournament, names, [each], done)
            return
        for (pairing, facts, asking), state in zip(some, states, strict=True):
            self._read[pairing.id] = (facts, asking.known(), state)
            if state == "playing":
                self._ask(tournament, facts, asking)

    def _game(
        self,
        writing: Writing,
        tournament: TournamentRow,
        names: Mapping[int, str],
        pairing: PairingRow,
        facts: Facts,
        asking: Asking,
    ) -> str:
        if self._read.get(pairing.id) != (facts, asking.known(), pairing.state) or pairing.state == "over":
            pairing = queries.pairing(writing.session, pairing.id)
            progress.read(writing, tournament, pairing, facts, asking)
            oddities.note(writing, names, pairing, facts)
            progress.ended(writing, tournament, pairing, facts)
            pairing = queries.pairing(writing.session, pairing.id)
        oddities.heard(writing, names, pairing, facts, self._asked, self._refused.get(facts.name, ()))
        owed = queries.owed(writing.session, tournament.id, pairing.id)
        if pairing.state == "playing":
            clocks.look(writing, tournament, pairing, owed, asking.waits())
        elif pairing.state == "over":
            clocks.remind(writing, tournament, pairing, owed, asking.waits())
        if pairing.state != "decided":
            oddities.watch(writing, tournament, names, pairing)
        return pairing.state

    def _ask(self, tournament: TournamentRow, facts: Facts, asking: Asking) -> None:
        """What a player's own mail should have brought to another, the desk's mail brings once, too: so the desk knows
        when it was delivered."""
        for by in sorted({each.question.by for each in facts.due if each.question.by < len(facts.players)}):
            latest = max(
                (each.question for each in facts.due if each.question.by == by), key=lambda each: each.arose_at
            )
            letter = self._home.outbox.addresses.of(f"{facts.name}-asks-{by}")
            if (
                self._desk.clock() - latest.arose_at >= tournament.terms.keeper.ask
                and not asking.brings(by, latest)
                and not (letter is not None and covers(letter.holds, latest.position))
            ):
                self._home.forward(facts.key, by)

    def _keep(self, tournament: TournamentRow, running: Sequence[tuple[PairingRow, Facts]], done: Report) -> None:
        """The archives of games whose results stand; once more when everything has been opened."""
        with self._desk.store.reading() as session:
            whole = {each.pairing: each.whole for each in queries.archives(session, tournament.id)}
        for pairing, facts in running:
            state = self._read[pairing.id][2] if pairing.id in self._read else ""
            if state != "decided" or not facts.over or whole.get(pairing.id, False):
                continue
            if pairing.id in whole and facts.audited is None:
                continue
            with self._noting(pairing, done):
                raw = b"".join(self._home.archive(facts.name, messages=False))
                with self._writing() as writing:
                    progress.archived(writing, pairing, raw, facts.audited is not None)

    def _writing(self) -> AbstractContextManager[Writing]:
        return self._desk.store.writing(self._desk.actor, self._desk.clock())

    # Rounds

    def _rounds(self, tournament: TournamentRow) -> None:
        with self._writing() as writing:
            session = writing.session
            held = queries.rounds(session, tournament.id)
            for each in held:
                if each.state == "offered" and all(p.state in rounds.DECIDED for p in each.pairings):
                    writing.record("completed", {"round": each.number, "tournament": tournament.id})
            held = queries.rounds(session, tournament.id)
            if not held or held[-1].state == "offered" or tournament.state == "over":
                return
            players, results = rounds.entrants_of(session, tournament.id), rounds.played(session, tournament.id)
            total = rounds.rounds_of(session, tournament)
            last = held[-1]
            if last.state == "complete" and is_finished(
                tournament.terms.format, players, results, last.number, rounds=total
            ):
                if all(p.state == "decided" for each in held for p in each.pairings):
                    writing.record("ended", {"tournament": tournament.id})
                return
            if tournament.terms.keeper.auto:
                if last.state == "complete":
                    rounds.write_pairing(writing, tournament, rounds.next_pairing(session, tournament))
                rounds.publish(writing, tournament)


def _verdict(pairing: PairingRow) -> str:
    """A result as its players are told it: the first player's points first."""
    points = " : ".join(half(each or 0) for each in (pairing.first_points, pairing.second_points))
    return f"It is decided {points}. {pairing.text[:1].upper()}{pairing.text[1:]}"
