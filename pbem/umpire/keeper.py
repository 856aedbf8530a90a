"""The keeper: one unattended pass over everything, to be repeated for ever.

Mail is fetched and opened; what the games show goes into the database; clocks are looked at; what is wanted is carried
out; rounds that are complete are closed and, if the terms say so, followed by the next; mail is sent. Every step looks
at what is there and writes what is new in one transaction, so a pass that died anywhere is repaired by the next.

The keeper works where the umpire's home is, one at a time for a home.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pbem.mail.account import Fault, Round
from pbem.protocol.errors import PbemError
from pbem.table.desk import Desk
from pbem.table.errors import TableError
from pbem.table.facts import Facts
from pbem.table.lock import Lock
from pbem.umpire import clocks, games, oddities, rounds
from pbem.umpire.carrying import Carrier
from pbem.umpire.db import journal, models, queries
from pbem.umpire.desk import UmpireDesk
from pbem.umpire.errors import UmpireError
from pbem.umpire.mailing import Mail
from pbem.umpire.pairing import is_finished
from pbem.umpire.values import PairingRow, TournamentRow


@dataclass(slots=True)
class Report:
    """What one pass did. `entries` are the journal's that it, and others meanwhile, have written."""

    mail: Round = field(default_factory=Round)
    faults: list[Fault] = field(default_factory=list)
    entries: list[journal.Entry] = field(default_factory=list)

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
        self._read: dict[int, tuple[Facts, str]] = {}
        """What a game showed when it was last read by this keeper: nothing is to be done for the same again."""

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
            raise UmpireError(
                "E-UMPIRE-BUSY", "Another keeper runs in this home already. Nothing was changed."
            ) from None
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
        own = {person.identity for person in self._home.people.identities()}
        for tournament in self._desk.tournaments():
            if tournament.umpire in own and tournament.state != "over":
                self._tournament(tournament, done)
        done.add(self._mail.send())
        with self._desk.store.reading() as session:
            done.entries = list(journal.entries(session, before))
        return done

    def _tournament(self, tournament: TournamentRow, done: Report) -> None:
        self._carry(tournament, done)
        with self._desk.store.reading() as session:
            pairings = queries.pairings(session, tournament.id)
        for pairing in pairings:
            if pairing.second is None or pairing.state == "paired":
                continue
            try:
                self._pairing(tournament, pairing)
            except PbemError as error:
                done.faults.append(Fault(pairing.game or pairing.label, error.code, error.sentence))
        self._carry(tournament, done)
        try:
            self._rounds(tournament)
        except PbemError as error:
            done.faults.append(Fault(tournament.name, error.code, error.sentence))
        self._carry(tournament, done)

    def _carry(self, tournament: TournamentRow, done: Report) -> None:
        with self._desk.store.reading() as session:
            wanted = queries.acts(session, tournament.id, ("wanted",))
        for act in wanted:
            try:
                self._carrier.carry(tournament, act)
            except PbemError as error:
                done.faults.append(Fault(f"act {act.id}", error.code, error.sentence))

    # One pairing

    def _pairing(self, tournament: TournamentRow, pairing: PairingRow) -> None:
        if pairing.call is not None and (pairing.offer is None or pairing.state == "called"):
            pairing = self._hear(pairing)
        facts = self._home.facts(pairing.offer) if pairing.offer is not None else None
        if facts is not None and facts.fault:
            raise UmpireError(facts.fault.partition(":")[0], facts.fault.partition(": ")[2])
        if facts is not None and facts.began_at:
            self._game(tournament, pairing, facts)
        elif pairing.state in ("called", "playing"):
            self._waiting(tournament, pairing, facts)

    def _hear(self, pairing: PairingRow) -> PairingRow:
        assert pairing.call is not None
        call = self._home.call_row(pairing.call)
        if call is None:
            return pairing  # made in a home that was lost
        with self._desk.store.writing(self._desk.actor, self._desk.clock()) as writing:
            games.heard(writing, queries.pairing(writing.session, pairing.id), call)
            return queries.pairing(writing.session, pairing.id)

    def _game(self, tournament: TournamentRow, pairing: PairingRow, facts: Facts) -> None:
        now = self._desk.clock()
        if self._read.get(pairing.id) != (facts, pairing.state):
            with self._desk.store.writing(self._desk.actor, now) as writing:
                pairing = queries.pairing(writing.session, pairing.id)
                games.read(writing, tournament, pairing, facts)
                oddities.note(writing, tournament, pairing, facts)
                games.ended(writing, tournament, pairing, facts)
                pairing = queries.pairing(writing.session, pairing.id)
        if pairing.state == "playing":
            with self._desk.store.writing(self._desk.actor, now) as writing:
                clocks.look(writing, tournament, queries.pairing(writing.session, pairing.id))
                oddities.watch(writing, tournament, pairing)
        elif facts.over:
            self._keep(pairing, facts)
        self._read[pairing.id] = (facts, pairing.state)

    def _keep(self, pairing: PairingRow, facts: Facts) -> None:
        """The archive of a game whose result stands; once more when everything has been opened."""
        if pairing.state != "decided":
            return
        with self._desk.store.reading() as session:
            held = session.get(models.Archive, pairing.id)
            done = held is not None and (bool(held.whole) or facts.audited is None)
        if done:
            return
        raw = b"".join(self._home.archive(facts.name, messages=False))
        with self._desk.store.writing(self._desk.actor, self._desk.clock()) as writing:
            games.archived(writing, pairing, raw, facts.audited is not None)

    def _waiting(self, tournament: TournamentRow, pairing: PairingRow, facts: Facts | None) -> None:
        """A call that no game has come of yet."""
        now = self._desk.clock()
        with self._desk.store.reading() as session:
            answers = queries.answers(session, tournament.id, pairing.id)
        missing = clocks.absent(pairing, answers, facts)
        over = now >= clocks.deadline(tournament, pairing, answers)
        if over and missing and tournament.terms.keeper.no_show == "forfeit":
            self._forfeit(pairing, missing)
            return
        owed = [(number, max(pairing.called_at, 1)) for number in missing]
        with self._desk.store.writing(self._desk.actor, now) as writing:
            rows = [games.waiting(pairing, number, since) for number, since in owed]
            clocks.remind(writing, tournament, pairing, rows)

    def _forfeit(self, pairing: PairingRow, missing: list[int]) -> None:
        """The call is closed first; if its game has begun meanwhile, there is nothing to decide."""
        assert pairing.call is not None
        call = self._home.call_row(pairing.call)
        if call is not None and call.stage != "closed":
            self._home.close_call(call.name)
        offer = pairing.offer or (call.offer if call is not None else None)
        facts = self._home.facts(offer) if offer is not None else None
        if facts is not None and facts.began_at:
            return
        with self._desk.store.writing(self._desk.actor, self._desk.clock()) as writing:
            held = queries.pairing(writing.session, pairing.id)
            if held.state in ("called", "playing"):
                clocks.no_show(writing, held, missing)

    # Rounds

    def _rounds(self, tournament: TournamentRow) -> None:
        with self._desk.store.writing(self._desk.actor, self._desk.clock()) as writing:
            session = writing.session
            held = queries.rounds(session, tournament.id)
            for each in held:
                if each.state == "called" and all(p.state in rounds.DECIDED for p in each.pairings):
                    writing.record("completed", {"round": each.number, "tournament": tournament.id})
            held = queries.rounds(session, tournament.id)
            if not held or held[-1].state == "called":
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
