"""The keeper: one unattended pass over everything, to be run again and again.

Mail is fetched and opened; what the games show goes into the database; clocks are looked at; what is wanted is carried
out; rounds that are complete are closed and, if the terms say so, followed by the next; mail is sent. Every step looks
at what is there and writes what is new in one transaction, so a pass that died anywhere is repaired by the next.

The keeper works where the umpire's home is, only one per home at a time.

What the desk wants done is called an act. When the machine stopped, an act may have been carried out but not noted. So
before it is carried out again, the home is asked: an offer made again is the same offer, a reminder the same mail, and
a ruling is looked for in the game's records by its words, which name the act. An act is taken before it is carried out.
So of two keepers, on machines that each have a copy of the home, one offers.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

from pbem.engine.counts import upper
from pbem.home import Home, acts, archives, offers, summary
from pbem.home.disk import Lock
from pbem.mail.account import MailFault, Round
from pbem.mail.mailstate import News
from pbem.protocol.canonical import Plain, unpack
from pbem.protocol.card import parse_card
from pbem.protocol.errors import PbemError, with_code
from pbem.protocol.genesis import Board
from pbem.protocol.limits import MAX_ITEM, MAX_TITLE, MAX_WHY
from pbem.umpire import UmpireError, anomalies, clock, progress, rounds
from pbem.umpire import facts as home_facts
from pbem.umpire.db import journal, queries
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import (
    ActRow,
    AnswerRow,
    ArchiveRow,
    EntrantRow,
    Entry,
    OwedRow,
    PairingRow,
    TournamentRow,
    of_games,
)
from pbem.umpire.facts import Facts, covers
from pbem.umpire.journaltext import held
from pbem.umpire.mailing import Asking, Mail
from pbem.umpire.pairing import is_finished
from pbem.umpire.pairing.pairs import half
from pbem.umpire.umpiredesk import UmpireDesk

AT_ONCE: Final = 50
"""Games in one transaction: the others at the desk wait for it."""
_SLICE: Final = 1.0
"""Seconds between two looks at the wish to stop."""
_LOOK: Final = 5.0
"""Seconds between two looks at the journal."""


@dataclass(slots=True)
class Report:
    """The outcome of one pass. `entries` are the journal's that it, and others meanwhile, have written."""

    mail: Round = field(default_factory=Round)
    faults: list[MailFault] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    news: tuple[News, ...] = ()
    """What the mail brought; the caller tells it, then says `told`."""

    def add(self, done: Round) -> None:
        self.mail.looked_at += done.looked_at
        self.mail.sent += done.sent
        self.mail.waiting = done.waiting
        self.faults += done.faults


class Keeper:
    def __init__(self, desk: UmpireDesk, home: Home, mail: Mail) -> None:
        self._desk = desk
        self._home = home
        self._mail = mail
        self._carrier = Carrier(desk, home, mail)
        self._read: dict[int, tuple[Facts, tuple[int, ...], str]] = {}
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
        folder = self._home.root / "umpire"
        self._home.disk.folder(folder)
        busy = "Another keeper is already running in this home ({}). Nothing was changed."
        with Lock(folder / "lock", patience=0.2, busy=busy):
            yield

    def round(self) -> Report:
        """One pass. A fault of one game, mailbox or server hinders no other."""
        with self._home.tables.kept():
            return self._round()

    def _round(self) -> Report:
        done = Report()
        with self._desk.store.reading() as db:
            before = queries.size(db)
        done.add(self._mail.fetch())
        done.news = tuple(self._mail.news())
        self._asked = set(self._home.outbox.letters())
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
        with self._desk.store.reading() as db:
            done.entries = list(journal.entries(db, before))
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
                with self._desk.store.reading() as db:
                    if queries.size(db) > self._entries:
                        return

    def _held(self, done: Report) -> None:
        """Mails that should have left and wait are a loud line everywhere: clocks stand still because of them."""
        count, since, why = self._mail.held()
        with self._desk.store.reading() as db:
            before = queries.held(db)
        if (count, why) != ((before.count, before.why) if before is not None else (0, "")):
            with self._desk.change() as writing:
                writing.record("held", {"count": count, "since": since, "why": why})
        if count:
            done.faults.append(MailFault("mail", "E-UMPIRE-MAIL", held(count, since, why)))

    def _is_open(self, tournament: TournamentRow) -> bool:
        """Not over, or over while the secrets of some game are still to come."""
        if tournament.state != "over":
            return True
        with self._desk.store.reading() as db:
            whole = {each.pairing for each in of_games(db, ArchiveRow, tournament.id) if each.whole}
            return any(row.began_at and row.id not in whole for row in queries.pairings(db, tournament.id))

    def told(self) -> None:
        """The news of the mail have been told."""
        self._mail.told()

    def _tournament(self, tournament: TournamentRow, done: Report) -> None:
        self._leaving(tournament)
        self._carry(tournament, done)
        with self._desk.store.reading() as db:
            rows = queries.pairings(db, tournament.id, ("offered", "playing", "over", "decided"))
            answers = of_games(db, AnswerRow, tournament.id)
            whole = {each.pairing for each in of_games(db, ArchiveRow, tournament.id) if each.whole}
            said: dict[int, list[AnswerRow]] = {}
            for each in answers:
                said.setdefault(each.pairing, []).append(each)
            entrants = {each.number: each for each in queries.entrants(db, tournament.id)}
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
            done.faults.append(MailFault(tournament.name, error.code, error.sentence))
        self._carry(tournament, done)

    @contextmanager
    def _noting(self, pairing: PairingRow, done: Report) -> Iterator[None]:
        try:
            yield
        except PbemError as error:
            done.faults.append(MailFault(pairing.game or pairing.label, error.code, error.sentence))

    def _carry(self, tournament: TournamentRow, done: Report) -> None:
        with self._desk.store.reading() as db:
            wanted = queries.acts(db, tournament.id, ("wanted", "taken"))
        for act in wanted:
            if act.id in self._failed:
                continue
            try:
                self._carrier.carry(tournament, act)
            except PbemError as error:
                self._failed.add(act.id)
                done.faults.append(MailFault(f"task {act.id}", error.code, error.sentence))

    # Before a game begins

    def _facts(
        self, pairing: PairingRow, answers: Sequence[AnswerRow], names: Mapping[int, str]
    ) -> tuple[PairingRow, Facts | None]:
        """What the umpire's home knows of a pairing's game; what it heard of its offer is written."""
        # None: its home was lost.
        facts = home_facts.facts(self._home, pairing.offer) if pairing.offer is not None else None
        if facts is not None and progress.news_of(pairing, answers, facts):
            with self._desk.change() as writing:
                progress.heard(writing, pairing, answers, facts, names)
                pairing = queries.pairing(writing.db, pairing.id)
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
        missing = clock.absent(pairing, answers, facts)
        with self._desk.change() as writing:
            row = queries.pairing(writing.db, pairing.id)
            if row.state != "offered":  # decided by somebody at the desk meanwhile
                return
            owed = progress.asks(row, missing, asking)
            progress.ask(writing, tournament, row, owed)
            if clock.left_late(tournament, row, answers, [each.since for each in owed], writing.at):
                if not writing.is_wanted(row.id, "offer", f"again.{row.expires}"):
                    rounds.offer_again(writing, tournament, row)
                return
            clock.remind(writing, tournament, pairing, owed, asking.waits())
        until = clock.deadline(tournament, pairing, answers, owed)
        over = until is not None and self._desk.clock() >= until
        if over and missing and tournament.terms.keeper.no_show == "forfeit":
            self._forfeit(pairing, facts, clock.at_fault(answers, missing))

    def _forfeit(self, pairing: PairingRow, facts: Facts | None, missing: Sequence[int]) -> None:
        """The offer is taken back first."""
        self._take_back(pairing, facts, "Not everybody turned up for the game.")
        with self._desk.change() as writing:
            held = queries.pairing(writing.db, pairing.id)
            if held.state == "offered":
                both = len(missing) == len(held.entrants)
                text = "neither player turned up" if both else "a player did not turn up"
                rounds.no_show(writing, held, missing, text)

    def _take_back(self, pairing: PairingRow, facts: Facts | None, why: str) -> None:
        """The umpire's program starts the game no more, and its players are told so."""
        if facts is not None and facts.stage in ("offered", "declined"):
            offers.decline(self._home, facts.name, why)
            with self._desk.change() as writing:
                writing.record("closed", {"pairing": pairing.id, "why": why})

    def _leaving(self, tournament: TournamentRow) -> None:
        """A player who has told the umpire that they leave is not paired any more."""
        for identity, why in self._home.people.left(tournament.umpire, tournament.key).items():
            with self._desk.change() as writing:
                for each in queries.entrants(writing.db, tournament.id):
                    if each.identity == identity and not each.out:
                        data: dict[str, Plain] = {"entrant": each.number, "tournament": tournament.id, "why": why}
                        writing.record("withdrawn", data, actor=each.name)
            with self._home.writing():
                self._home.people.set_left(tournament.umpire, tournament.key, identity, None)

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
            with self._desk.change() as writing:
                states = [self._game(writing, tournament, names, *each) for each in some]
        except PbemError as error:
            if len(some) == 1:
                done.faults.append(MailFault(some[0][0].game, error.code, error.sentence))
            else:
                for each in some:
                    self._games(tournament, names, [each], done)
            return
        for (pairing, facts, asking), state in zip(some, states, strict=True):
            self._read[pairing.id] = (facts, asking.marks(), state)
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
        if self._read.get(pairing.id) != (facts, asking.marks(), pairing.state) or pairing.state == "over":
            pairing = queries.pairing(writing.db, pairing.id)
            progress.read(writing, tournament, pairing, facts, asking)
            anomalies.note(writing, names, pairing, facts)
            progress.ended(writing, tournament, pairing, facts)
            pairing = queries.pairing(writing.db, pairing.id)
        anomalies.heard(writing, names, pairing, facts, self._asked, self._refused.get(facts.name, ()))
        owed = of_games(writing.db, OwedRow, tournament.id, pairing.id)
        if pairing.state == "playing":
            clock.look(writing, tournament, pairing, owed, asking.waits())
        elif pairing.state == "over":
            clock.remind(writing, tournament, pairing, owed, asking.waits())
        if pairing.state != "decided":
            anomalies.watch(writing, tournament, names, pairing)
        return pairing.state

    def _ask(self, tournament: TournamentRow, facts: Facts, asking: Asking) -> None:
        """What a player's own mail should have brought to another, the desk's mail brings once, too: so the desk knows
        when it was delivered."""
        for by in sorted({each.by for each in facts.due if each.by < len(facts.players)}):
            latest = max((each for each in facts.due if each.by == by), key=lambda each: each.arose_at)
            letter = self._home.outbox.of(f"{facts.name}-asks-{by}")
            if (
                self._desk.clock() - latest.arose_at >= tournament.terms.keeper.ask
                and not asking.brings(by, latest)
                and not (letter is not None and covers(letter.holds, latest.position))
            ):
                home_facts.forward(self._home, facts.key, by)

    def _keep(self, tournament: TournamentRow, running: Sequence[tuple[PairingRow, Facts]], done: Report) -> None:
        """The archives of games whose results stand; once more when everything has been opened."""
        with self._desk.store.reading() as db:
            whole = {each.pairing: each.whole for each in of_games(db, ArchiveRow, tournament.id)}
        for pairing, facts in running:
            state = self._read[pairing.id][2] if pairing.id in self._read else ""
            if state != "decided" or not facts.over or whole.get(pairing.id, False):
                continue
            if pairing.id in whole and facts.audited is None:
                continue
            with self._noting(pairing, done):
                raw = b"".join(archives.archive(self._home, facts.name, messages=False))
                with self._desk.change() as writing:
                    progress.archived(writing, pairing, raw, facts.audited is not None)

    # Rounds

    def _rounds(self, tournament: TournamentRow) -> None:
        with self._desk.change() as writing:
            db = writing.db
            held = queries.rounds(db, tournament.id)
            for each in held:
                if each.state == "offered" and all(p.state in rounds.DECIDED for p in each.pairings):
                    writing.record("completed", {"round": each.number, "tournament": tournament.id})
            held = queries.rounds(db, tournament.id)
            if not held or held[-1].state == "offered" or tournament.state == "over":
                return
            players, results = rounds.entrants_of(db, tournament.id), rounds.played(db, tournament.id)
            total = rounds.rounds_of(db, tournament)
            last = held[-1]
            if last.state == "complete" and is_finished(
                tournament.terms.format, players, results, last.number, rounds=total
            ):
                if all(p.state == "decided" for each in held for p in each.pairings):
                    writing.record("ended", {"tournament": tournament.id})
                return
            if tournament.terms.keeper.auto:
                if last.state == "complete":
                    rounds.write_pairing(writing, tournament, rounds.next_pairing(db, tournament))
                rounds.publish(writing, tournament)


def _verdict(pairing: PairingRow) -> str:
    """A result as its players are told it: the first player's points first."""
    points = " : ".join(half(each or 0) for each in (pairing.first_points, pairing.second_points))
    return f"The result is {points}. {upper(pairing.text)}"


@dataclass
class Carrier:
    desk: UmpireDesk
    home: Home
    mail: Mail

    def carry(self, tournament: TournamentRow, act: ActRow) -> None:
        """Done or failed, it is noted; what may work later is left as it is, and raises."""
        if not self._take(act):
            return
        assert act.pairing is not None
        with self.desk.store.reading() as db:
            pairing = queries.pairing(db, act.pairing)
            entrants = {each.number: each for each in queries.entrants(db, tournament.id)}
        if act.kind == "offer":
            self._offer(tournament, act, pairing, entrants)
        elif act.kind == "remind":
            self._remind(tournament, act, pairing, entrants)
        elif act.kind == "rule":
            self._rule(tournament, act, pairing)
        else:
            raise UmpireError("E-UMPIRE-JOURNAL", f"Task {act.id} is of a kind that this pbem does not know.")

    def _take(self, act: ActRow) -> bool:
        """False: another keeper has it. What this one took and did not finish, it takes up again."""
        with self.desk.change() as writing:
            held = queries.act(writing.db, act.id)
            if held.state == "wanted":
                writing.record("taken", {"act": act.id, "outcome": self.holder})
                return True
            return held.state == "taken" and held.outcome == self.holder

    @property
    def holder(self) -> str:
        """What tells this keeper from those of other homes and machines."""
        return f"{socket.gethostname()}:{self.home.root.absolute()}"[:500]

    def _offer(
        self, tournament: TournamentRow, act: ActRow, pairing: PairingRow, entrants: dict[int, EntrantRow]
    ) -> None:
        terms = tournament.terms
        expires, instead = act.data["expires"], act.data.get("instead")
        assert isinstance(expires, int)
        gone = {number: entrants[number].name for number in pairing.entrants if entrants[number].out}
        if pairing.state not in ("paired", "offered") or (instead is None and pairing.offer is not None):
            self._note(act, "dropped", "the game has been offered, or has a result")
            return
        if isinstance(instead, bytes) and not self._take_back(instead):
            self._note(act, "dropped", "the game has begun")
            return
        if gone:
            with self.desk.change() as writing:
                rounds.walkover(writing, queries.pairing(writing.db, pairing.id), gone)
            self._note(act, "dropped", f"{' and '.join(gone.values())} withdrew")
            return
        cards = [parse_card(entrants[number].card) for number in pairing.entrants]
        name, _ = offers.offer(
            self.home,
            terms.game,
            umpire=True,
            players=cards,
            seats={seat: cards[by].identity.hex() for seat, by in seats_of(self.desk, tournament).items()},
            tournament=Board(tournament.key, terms.title, pairing.round, pairing.place),
            expires=max(expires, self.desk.clock()),
            scenario=terms.scenario,
            mode=terms.mode,
            options=terms.options,
            move_seconds=terms.clock.move,
            bank_seconds=terms.clock.bank,
            days_off=terms.clock.days_off,
            title=f"{terms.title}, {pairing.label}"[:MAX_TITLE],
            replaced={kind: unpack(raw, MAX_ITEM) for kind, raw in terms.data.items()},
            identity=tournament.umpire.hex(),
        )
        said: dict[str, Plain] = {
            "at": act.data["at"], "expires": summary.row(self.home, name).expires, "game": name,
            "offer": self.home.key(name),
            "pairing": pairing.id,
        }  # fmt: skip
        with self.desk.change() as writing:
            if queries.act(writing.db, act.id).state == "taken":
                writing.record("offered", said if instead is None else {**said, "instead": instead})
                writing.record("done", {"act": act.id, "outcome": name})

    def _take_back(self, offer: bytes) -> bool:
        """An offer stands in another's place once that one is taken back, if no game has come of it."""
        before = home_facts.facts(self.home, offer)  # None: made in a home that was lost
        if before is None or before.stage == "cancelled":
            return True
        if before.began_at:
            return False
        offers.decline(self.home, before.name, "Another offer for this game takes its place.")
        return True

    def _remind(
        self, tournament: TournamentRow, act: ActRow, pairing: PairingRow, entrants: dict[int, EntrantRow]
    ) -> None:
        data = cast("dict[str, Any]", act.data)
        cards = [parse_card(entrants[number].card) for number in data["entrants"]]
        if pairing.offer is None or pairing.state not in ("offered", "playing", "over"):
            self._note(act, "dropped", "the game waits for nobody any more")
            return
        self._note(act, "done", self.mail.remind(tournament.umpire, pairing.offer, cards, data["since"], data["count"]))

    def _rule(self, tournament: TournamentRow, act: ActRow, pairing: PairingRow) -> None:
        data = cast("dict[str, Any]", act.data)
        facts = home_facts.facts(self.home, pairing.offer) if pairing.offer is not None else None
        if facts is None or not facts.began_at:
            self._note(act, "failed", "the game has not begun here")
            return
        why = words_of(act)
        if any(each.why == why for each in facts.ruled):
            self._note(act, "done", "in the game's records")
            return
        if facts.over and data["what"] in ("forfeit", "adjudge", "extension"):
            self._note(act, "dropped", "the game is over")
            return
        try:
            self._sign(tournament, pairing, facts, data, why)
        except PbemError as error:
            if error.code in ("E-LOCKED", "E-PASSPHRASE", "E-NO-WRITE"):
                raise
            self._note(act, "failed", with_code(error.sentence.rstrip(".")[:450], error.code))
            return
        self._note(act, "done", "signed")

    def _sign(
        self, tournament: TournamentRow, pairing: PairingRow, facts: Facts, data: dict[str, Any], why: str
    ) -> None:
        what, entrant = data["what"], data.get("entrant")
        by = pairing.entrants.index(entrant) if entrant in pairing.entrants else None
        own = [seat for seat, player in seats_of(self.desk, tournament).items() if player == by]
        given: dict[str, Any] = {key: data[key] for key in ("seconds", "raw", "keep", "drop") if key in data}
        if what == "forfeit":
            given["seats"] = own
        elif what == "adjudge":
            given["winner"] = tournament.terms.sides[by] if by is not None else None
        elif own:
            given["player"] = own[0]
        acts.rule(self.home, facts.name, what, why=why, **given)

    def _note(self, act: ActRow, kind: str, outcome: str) -> None:
        with self.desk.change() as writing:
            if queries.act(writing.db, act.id).state == "taken":
                writing.record(kind, {"act": act.id, "outcome": outcome})


def words_of(act: ActRow) -> str:
    """The reason of a ruling as its record gives it; the number tells it from others in the same words."""
    mark = f" (task {act.id})"
    return f"{str(act.data.get('why', ''))[: MAX_WHY - len(mark)]}{mark}".strip()


def seats_of(desk: UmpireDesk, tournament: TournamentRow) -> dict[str, int]:
    """Every seat of the game with the number of its player: the first plays the first side."""
    sides = tournament.terms.sides
    return {seat.name: sides.index(seat.side) for seat in desk.game_of(tournament).seats}
