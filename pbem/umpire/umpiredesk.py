"""The umpire's desk: what people decide about a tournament, one call each, kept in the database.

Nothing here touches a home or a mailbox: what is to be signed or mailed becomes an act (see keeper.py), which the
keeper carries out on the machine that has the umpire's home. So several people may sit at the desk, on several
machines.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy.engine import Connection

from pbem import __version__
from pbem.protocol.canonical import Packable, Plain
from pbem.protocol.limits import MAX_SECONDS, MAX_WHY
from pbem.protocol.plain import dump
from pbem.umpire import UmpireError, rounds
from pbem.umpire.db import queries
from pbem.umpire.db.deskrows import (
    ActRow,
    AnomalyRow,
    AnswerRow,
    ArchiveRow,
    AuditRow,
    EntrantRow,
    Entry,
    MoveRow,
    OwedRow,
    PairingRow,
    RatingRow,
    RoundRow,
    TournamentRow,
    highest,
    millionths,
    of_games,
)
from pbem.umpire.db.deskrows import How as ResultHow
from pbem.umpire.db.journal import entries
from pbem.umpire.pairing import DRAW, LOSS, WIN, Change
from pbem.umpire.pairing.adjust import How
from pbem.umpire.pairing.pairs import place_by_lot
from pbem.umpire.ratings import ratings_after
from pbem.umpire.standings import Row
from pbem.umpire.status import Waiting, status, todo
from pbem.umpire.terms import Terms, completed

if TYPE_CHECKING:
    from pbem.engine.definition import Game
    from pbem.protocol.card import Card
    from pbem.umpire.auditing import Job, Judged
    from pbem.umpire.db.applying import Checked
    from pbem.umpire.db.database import Store, Writing
    from pbem.umpire.entrants import NewEntrant

What = Literal["forfeit", "extension", "adjudge", "substitute", "escrow", "branch"]
_ROOM = 40  # of the reason, for the number of the act
_KEY = 16
_TOGETHER = 20
"""Verdicts in one transaction: at most so many are lost when an audit is killed."""


class UmpireDesk:
    """`actor` is who sits at it, as the journal names them. A `name` is a tournament's, or the beginning of it."""

    def __init__(
        self,
        store: Store,
        *,
        actor: str,
        clock: Callable[[], int] = lambda: int(time.time()),
        random: Callable[[int], bytes] = os.urandom,
        find_game: Callable[[str], Game[Any]] | None = None,
    ) -> None:
        self.store = store
        self.actor = actor
        self.clock = clock
        self._random = random
        self._find_game = find_game

    @contextmanager
    def reading(self, name: str) -> Iterator[tuple[Connection, TournamentRow]]:
        with self.store.reading() as db:
            yield db, queries.tournament(db, name)

    def change(self) -> AbstractContextManager[Writing]:
        """A transaction, now, of the person at this desk."""
        return self.store.writing(self.actor, self.clock())

    @contextmanager
    def writing(self, name: str) -> Iterator[tuple[Writing, TournamentRow]]:
        with self.change() as writing:
            yield writing, queries.tournament(writing.db, name)

    def game_of(self, tournament: TournamentRow) -> Game[Any]:
        """The installed game that it is played in."""
        return self._installed(tournament.terms.game)

    def _installed(self, name: str) -> Game[Any]:
        from pbem.engine import registry

        return (self._find_game or registry.find)(name)

    # Tournaments and entrants

    def tournaments(self) -> list[TournamentRow]:
        with self.store.reading() as db:
            return queries.tournaments(db)

    def tournament(self, name: str) -> TournamentRow:
        with self.reading(name) as (_, found):
            return found

    def create(self, terms: Terms, umpire: Card, entrants: Sequence[NewEntrant] = ()) -> TournamentRow:
        """A tournament and its entrants, numbered as the terms say."""
        terms = completed(terms, self._installed(terms.game))
        if not terms.seeding:
            # Without ratings their order would be that of the files' names.
            terms = replace(terms, seeding="rating" if any(each.rating is not None for each in entrants) else "lot")
        with self.change() as writing:
            db = writing.db
            number = highest(db, TournamentRow, "id") + 1
            name = _free_name(terms, {row.name for row in queries.tournaments(db)})
            writing.record(
                "created",
                {
                    "id": number,
                    "key": self._random(_KEY),
                    "name": name,
                    "terms": terms.plain(),
                    "umpire": umpire.identity,
                },
            )
            made = queries.tournament(db, name)
            if entrants:
                self._enter(writing, made, _seeded(entrants, made))
            return made

    def entrants(self, name: str) -> list[EntrantRow]:
        with self.reading(name) as (db, tournament):
            return queries.entrants(db, tournament.id)

    def enter(self, name: str, entrants: Sequence[NewEntrant]) -> list[EntrantRow]:
        """Late entries come after those who are there."""
        with self.writing(name) as (writing, tournament):
            if tournament.state == "over":
                raise UmpireError("E-NOT-NOW", f"{tournament.terms.title} is over.")
            if tournament.state == "playing" and tournament.terms.format in ("round_robin", "knockout"):
                raise UmpireError(
                    "E-NOT-NOW", f"{tournament.terms.title} has begun, and its format admits no late entrants."
                )
            self._enter(writing, tournament, entrants)
            return queries.entrants(writing.db, tournament.id)

    def _enter(self, writing: Writing, tournament: TournamentRow, entrants: Sequence[NewEntrant]) -> None:
        from pbem.umpire.entrants import MAX_ENTRANTS

        there = queries.entrants(writing.db, tournament.id)
        held = {each.identity: each.name for each in there}
        for each in entrants:
            if each.card.identity in held:
                raise UmpireError("E-UMPIRE-ENTRANTS", f"{held[each.card.identity]} has already entered.")
            if each.card.identity == tournament.umpire:
                raise UmpireError("E-UMPIRE-ENTRANTS", "The umpire of a tournament does not play in it.")
            held[each.card.identity] = each.card.name
        if len(held) > MAX_ENTRANTS:
            raise UmpireError("E-UMPIRE-ENTRANTS", f"A tournament takes at most {MAX_ENTRANTS:,} entrants.")
        usual = tournament.terms.rating
        rows: list[list[Plain]] = [
            [
                number,
                each.card.raw,
                usual.start if each.rating is None else each.rating,
                usual.deviation if each.deviation is None else each.deviation,
            ]
            for number, each in enumerate(entrants, start=len(there) + 1)
        ]
        writing.record("entered", {"entrants": rows, "tournament": tournament.id})

    def withdraw(self, name: str, who: str, why: str, *, back: bool = False) -> EntrantRow:
        """They are paired no more, or, with `back`, again. Games that they are in go on until somebody rules on
        them."""
        with self.writing(name) as (writing, tournament):
            entrant = queries.entrant(writing.db, tournament.id, who)
            if entrant.out == back:
                kind = "returned" if back else "withdrawn"
                writing.record(kind, {"entrant": entrant.number, "tournament": tournament.id, "why": why})
            return queries.entrant(writing.db, tournament.id, str(entrant.number))

    def replace_card(self, name: str, who: str, card: Card, why: str) -> EntrantRow:
        """Somebody else goes on in an entrant's place in rounds to come, or they themselves with another key."""
        with self.writing(name) as (writing, tournament):
            entrant = queries.entrant(writing.db, tournament.id, who)
            others = [each for each in queries.entrants(writing.db, tournament.id) if each.number != entrant.number]
            if any(each.identity == card.identity for each in others) or card.identity == tournament.umpire:
                raise UmpireError("E-UMPIRE-ENTRANTS", f"{card.name} has another place in this tournament.")
            writing.record(
                "replaced",
                {"card": card.raw, "entrant": entrant.number, "tournament": tournament.id, "why": why},
            )
            return queries.entrant(writing.db, tournament.id, str(entrant.number))

    # Rounds

    def rounds(self, name: str, number: int | None = None) -> list[RoundRow]:
        """All, or one that has been paired."""
        with self.reading(name) as (db, tournament):
            if number is not None:
                queries.check_round(db, tournament.id, number)
            return [row for row in queries.rounds(db, tournament.id) if number in (None, row.number)]

    def planned(self, name: str) -> int:
        """How many rounds there will be, as far as can be said now."""
        with self.reading(name) as (db, tournament):
            return rounds.rounds_of(db, tournament)

    def proposal(self, name: str) -> RoundRow:
        """The round that `pair` would write now."""
        with self.reading(name) as (db, tournament):
            return rounds.proposal(db, tournament, self.clock())

    def pair(self, name: str) -> RoundRow:
        """Pairs the next round, once all games of the last one have a result."""
        with self.writing(name) as (writing, tournament):
            made = rounds.next_pairing(writing.db, tournament)
            return rounds.write_pairing(writing, tournament, made)

    def adjust(self, name: str, how: How, one: str, other: str | None, why: str) -> RoundRow:
        """Changes the round that was paired last and is not offered yet, by hand, for a reason that is kept.

        The `sides` of a game can be changed by its label or by one of its players.
        """
        with self.writing(name) as (writing, tournament):
            first = rounds.first_of(writing.db, tournament, one) if how == "sides" else None
            if first is None:
                first = queries.entrant(writing.db, tournament.id, one).number
            second = queries.entrant(writing.db, tournament.id, other).number if other is not None else None
            return rounds.adjust(writing, tournament, Change(how, first, second, why))

    def offer(self, name: str) -> RoundRow:
        """The round that was paired last is published: its games are to be offered."""
        with self.writing(name) as (writing, tournament):
            return rounds.publish(writing, tournament)

    def pairing(self, name: str, query: str) -> PairingRow:
        with self.reading(name) as (db, tournament):
            return queries.find_pairing(db, tournament.id, query)

    def standings(self, name: str, until: int | None = None) -> tuple[Row, ...]:
        """After all rounds, or after the first so many."""
        with self.reading(name) as (db, tournament):
            if until:
                queries.check_round(db, tournament.id, until)
            return rounds.standings_of(db, tournament, until)

    # Games

    def rule(
        self,
        name: str,
        pairing: str,
        what: What,
        *,
        who: str | None = None,
        why: str,
        draw: bool = False,
        seconds: int = 0,
        raw: bytes | None = None,
        keep: str = "",
        drop: str = "",
    ) -> ActRow:
        """Wants a ruling in a running game, about an entrant if it needs one; the keeper signs it in the game.

        Each is a decision of its own, but none ends a game twice.
        """
        _check_why(why)
        with self.writing(name) as (writing, tournament):
            row = queries.find_pairing(writing.db, tournament.id, pairing)
            entrant = queries.entrant(writing.db, tournament.id, who) if who is not None else None
            if row.second is None:
                raise UmpireError("E-UNKNOWN", f"{row.label} is a bye.")
            if row.state == "decided":
                raise UmpireError("E-NOT-NOW", f"Game {row.label} has its result: {row.text}.")
            if row.offer is None or not row.began_at:
                raise UmpireError(
                    "E-NOT-NOW",
                    f"Game {row.label} has not begun: nothing can be signed in it. By hand: pbem umpire decide",
                )
            if entrant is not None and entrant.number not in row.entrants:
                raise UmpireError("E-UNKNOWN", f"{entrant.name} does not play in game {row.label}.")
            if entrant is None and (what in ("forfeit", "extension", "substitute") or (what == "adjudge" and not draw)):
                raise UmpireError("E-UNKNOWN", "Say whom the ruling is about.")
            data: dict[str, Packable] = {"what": what, "why": why}
            if entrant is not None and not draw:
                data["entrant"] = entrant.number
            if what == "extension":
                if not 1 <= seconds <= MAX_SECONDS:
                    raise UmpireError("E-UMPIRE-RULING", "An extension is at least a second and at most a year.")
                data["seconds"] = seconds
            elif what == "substitute":
                if raw is None:
                    raise UmpireError(
                        "E-UMPIRE-RULING", "A substitution needs the file of the person who takes over the place."
                    )
                data["raw"] = raw
            elif what == "branch":
                data |= {"drop": drop, "keep": keep}
            about = "end" if what in ("forfeit", "adjudge") else f"{what}.{_count(writing, row, what)}"
            return writing.want(tournament.id, row.id, "rule", data, about)

    def decide(self, name: str, pairing: str, points: tuple[int, int], *, forfeit: bool, why: str) -> PairingRow:
        """A result by the umpire's word alone, in half points: of a game that never began, or that cannot be played on
        or ruled in."""
        _check_why(why)
        with self.writing(name) as (writing, tournament):
            row = queries.find_pairing(writing.db, tournament.id, pairing)
            if row.second is None or row.state == "paired":
                raise UmpireError("E-UNKNOWN", f"{row.label} is a bye, or has not been offered yet.")
            if points not in ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW), (LOSS, LOSS)):
                raise UmpireError("E-UMPIRE-RULING", "A result is 1-0, 0-1, ½-½, or 0-0 if neither player turned up.")
            if row.how == "played":
                raise UmpireError(
                    "E-NOT-NOW", f"Game {row.label} was played to its end: {row.text}. That result stays."
                )
            lost: ResultHow = "forfeit" if queries.has_orders(writing.db, row.id) else "no-show"
            rounds.write_result(writing, row, points, lost if forfeit else "adjudged", why)
            return queries.pairing(writing.db, row.id)

    def offer_again(self, name: str, pairing: str) -> ActRow:
        """Another offer for a pairing whose offer has expired, was declined or did not reach somebody; the first is
        taken back."""
        with self.writing(name) as (writing, tournament):
            row = queries.find_pairing(writing.db, tournament.id, pairing)
            declined = any(not each.yes for each in of_games(writing.db, AnswerRow, tournament.id, row.id))
            owed = of_games(writing.db, OwedRow, tournament.id, row.id)
            lost = any(each.entrant and not each.since and each.said for each in owed)
            if row.state != "offered" or not (declined or lost or writing.at > row.expires):
                why: str = row.state
                if why == "offered":
                    why = "its offer was delivered, and neither expired nor declined"
                raise UmpireError("E-NO-NEED", f"Game {row.label} needs no other offer: {why}.")
            return rounds.offer_again(writing, tournament, row)

    def drop_act(self, number: int, why: str) -> ActRow:
        """Something that is wanted and was not done yet is wanted no more."""
        return self._unfinished(number, "dropped", why)

    def release_act(self, number: int) -> ActRow:
        """An act that a keeper took and will never finish, since its home is gone, is wanted again."""
        return self._unfinished(number, "released", "")

    def _unfinished(self, number: int, kind: str, outcome: str) -> ActRow:
        with self.change() as writing:
            act = next((each for each in queries.acts(writing.db) if each.id == number), None)
            if act is None or act.state not in (("wanted", "taken") if kind == "dropped" else ("taken",)):
                raise UmpireError(
                    "E-NO-NEED",
                    f"There is no task {number} that {'can be cancelled' if kind == 'dropped' else 'was begun'}.",
                )
            writing.record(kind, {"act": act.id, "outcome": outcome})
            return queries.act(writing.db, number)

    def rate(self, name: str, after: int | None = None) -> list[RatingRow]:
        """Ratings after a round (none named: the last), from the games so far; kept."""
        with self.writing(name) as (writing, tournament):
            db, of = writing.db, tournament.id
            number = after if after is not None else rounds.last_round(db, tournament).number
            queries.check_round(db, of, number)
            entrants = queries.entrants(db, of)
            made = ratings_after(number, entrants, queries.pairings(db, of))
            rows = [[each.number, *map(millionths, astuple(made[each.number]))] for each in entrants]
            held = [row for row in queries.ratings(db, of) if row.round == number]
            if [[row.entrant, *map(millionths, astuple(row)[3:])] for row in held] != rows:
                writing.record("rated", {"ratings": rows, "round": number, "tournament": of})
            return [row for row in queries.ratings(db, of) if row.round == number]

    def remark(self, name: str, text: str) -> None:
        """Into the journal only."""
        _check_why(text)
        with self.writing(name) as (writing, tournament):
            writing.record("noted", {"text": text, "tournament": tournament.id})

    # Audits. A verdict counts for one archive, by its digest, and one version of pbem: with the same again nothing is
    # left to do, so an audit that was stopped is gone on with by asking for it again.

    def archives_to_audit(self, name: str | None = None, *, again: bool = False) -> tuple[list[Job], int]:
        """The archives of a tournament, or of all, that have no verdict of this pbem; and how many there are in all."""
        from pbem.umpire.auditing import Job

        jobs, count = [], 0
        with self.store.reading() as db:
            for tournament in self._named(db, name):
                held = {
                    row.pairing: row.sha256
                    for row in of_games(db, AuditRow, tournament.id)
                    if row.verdict.get("pbem") == __version__
                }
                for each in of_games(db, ArchiveRow, tournament.id):
                    count += 1
                    if again or held.get(each.pairing) != each.sha256:
                        jobs.append(Job(each.pairing, each.sha256))
        return jobs, count

    def archive(self, sha256: bytes) -> bytes:
        with self.store.reading() as db:
            raw = queries.blob(db, sha256)
        if raw is None:
            raise UmpireError("E-UMPIRE-JOURNAL", "An archive is missing: restore the database from a backup.")
        return raw

    def keep_verdicts(self, found: Iterable[Judged]) -> Iterator[Judged]:
        """Writes the verdicts down, some at a time, and passes them on when they are kept; also those that came before
        a failure."""
        held: list[Judged] = []
        try:
            for each in found:
                held.append(each)
                if len(held) == _TOGETHER:
                    self._write_verdicts(held)
                    yield from held
                    held = []
        finally:
            self._write_verdicts(held)
        yield from held

    def _write_verdicts(self, some: Sequence[Judged]) -> None:
        if some:
            with self.change() as writing:
                for each in some:
                    pairing, digest = each.job.pairing, each.job.sha256
                    data: dict[str, Packable] = {
                        "ok": each.verdict.ok,
                        "pairing": pairing,
                        "sha256": digest,
                        "verdict": dump(each.verdict),
                    }
                    writing.record("audited", data)

    def audits(self, name: str | None = None) -> list[AuditRow]:
        with self.store.reading() as db:
            return [row for each in self._named(db, name) for row in of_games(db, AuditRow, each.id)]

    @staticmethod
    def _named(db: Connection, name: str | None) -> list[TournamentRow]:
        return queries.tournaments(db) if name is None else [queries.tournament(db, name)]

    # Looking

    def paired_with(self, name: str, entrant: int) -> str:
        """The label of a game of this entrant's that is paired and not offered yet; empty: there is none."""
        with self.reading(name) as (db, tournament):
            rows = queries.pairings(db, tournament.id, ("paired",))
            return next((row.label for row in rows if entrant in row.entrants and row.second is not None), "")

    def status(self, name: str) -> list[Waiting]:
        """Who owes what in every game that is not decided, and how their clock stands."""
        with self.reading(name) as (db, tournament):
            return status(db, tournament, self.clock())

    def todo(self, name: str) -> list[str]:
        """What only a person at the desk can do, as sentences."""
        with self.reading(name) as (db, tournament):
            return todo(db, tournament, self.clock())

    def acts(self, name: str, states: tuple[str, ...] = ()) -> list[ActRow]:
        with self.reading(name) as (db, tournament):
            return queries.acts(db, tournament.id, states)

    def moves(self, name: str, pairing: str | None = None) -> list[MoveRow]:
        with self.reading(name) as (db, tournament):
            of = queries.find_pairing(db, tournament.id, pairing).id if pairing is not None else None
            return of_games(db, MoveRow, tournament.id, of)

    def anomalies(self, name: str, pairing: str | None = None) -> list[AnomalyRow]:
        with self.reading(name) as (db, tournament):
            of = queries.find_pairing(db, tournament.id, pairing).id if pairing is not None else None
            return of_games(db, AnomalyRow, tournament.id, of)

    def journal(self, last: int | None = None) -> list[Entry]:
        with self.store.reading() as db:
            return list(entries(db, max(0, queries.size(db) - last) if last is not None else 0))

    def names(self) -> tuple[dict[int, dict[int, str]], dict[int, tuple[int, str]]]:
        """Entrants' names by tournament and number; tournament and label of every pairing, by its id."""
        with self.store.reading() as db:
            rows = queries.tournaments(db)
            names = {row.id: {each.number: each.name for each in queries.entrants(db, row.id)} for row in rows}
            labels = {each.id: (row.id, each.label) for row in rows for each in queries.pairings(db, row.id)}
        return names, labels

    # The database

    def check(self) -> Checked:
        """Does the database say what its journal says?"""
        return self.store.check()


def _seeded(entrants: Sequence[NewEntrant], tournament: TournamentRow) -> list[NewEntrant]:
    """By rating those without one come last; equals stay in the order given."""
    if tournament.terms.seeding == "given":
        return list(entrants)
    if tournament.terms.seeding == "lot":
        seed = tournament.terms.seed.encode() or tournament.key
        return sorted(entrants, key=lambda each: place_by_lot(seed, each.card.identity))
    return sorted(entrants, key=lambda each: -(each.rating if each.rating is not None else -1))


def _free_name(terms: Terms, taken: set[str]) -> str:
    wanted = terms.name or re.sub(r"[^a-z0-9]+", "-", terms.title.casefold()).strip("-")[:32] or "tournament"
    if wanted not in taken:
        return wanted
    if terms.name:
        raise UmpireError(
            "E-UMPIRE-TERMS",
            f"There is already a tournament called {wanted}. Give another `name`, or "
            f"take more players into it: pbem umpire enter {wanted} --cards DIR",
        )
    return next(name for number in range(2, len(taken) + 3) if (name := f"{wanted}-{number}") not in taken)


def _count(writing: Writing, pairing: PairingRow, what: str) -> int:
    acts = [act for act in queries.acts(writing.db) if act.pairing == pairing.id and act.kind == "rule"]
    return sum(act.data.get("what") == what for act in acts)


def _check_why(why: str) -> None:
    if not why.strip():
        raise UmpireError("E-UMPIRE-RULING", "A decision needs a reason, which is kept and shown to the players.")
    if len(why) > MAX_WHY - _ROOM:
        raise UmpireError("E-UMPIRE-RULING", f"A reason has at most {MAX_WHY - _ROOM} characters.")
