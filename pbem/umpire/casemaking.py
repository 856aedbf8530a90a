"""The evidence of one game for a dispute: everything that the umpire has of it, and what they say about it, signed.

Texts of the desk are made to fit the form of a statement, and hold nobody's address.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from sqlalchemy.engine import Connection

from pbem.home import Home, archives
from pbem.protocol.characters import fit_line, fit_lines
from pbem.protocol.container import Item, ItemType, read_stream, write_stream
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Offer, offer_of
from pbem.protocol.limits import MAX_ACTOR, MAX_CARD_NAME, MAX_MEMBERS, MAX_WHY
from pbem.protocol.record import UMPIRE, parse_record
from pbem.umpire import UmpireError, case, clock, facts, journaltext
from pbem.umpire.addresses import Hide, addresses
from pbem.umpire.case import Case, Statement, make_case
from pbem.umpire.db import journal, queries
from pbem.umpire.db.deskrows import (
    AnomalyRow,
    ArchiveRow,
    EntrantRow,
    ExtensionRow,
    FlagRow,
    MoveRow,
    OwedRow,
    PairingRow,
    TournamentRow,
    of_games,
)
from pbem.umpire.facts import Facts
from pbem.umpire.umpiredesk import UmpireDesk

_SHORT: Final = 256


@dataclass(frozen=True, slots=True)
class Gathered:
    case: Case
    items: tuple[Item, ...]
    """All of the file: the case itself, then what goes with it."""

    def parts(self) -> Iterator[bytes]:
        return write_stream(self.items)


def gather(desk: UmpireDesk, home: Home, name: str, query: str) -> Gathered:
    """The case of a game, signed with the umpire's key, which must be in this home."""
    with desk.reading(name) as (db, tournament):
        person = next((each for each in home.people.identities() if each.identity == tournament.umpire), None)
        if person is None:
            raise UmpireError(
                "E-UMPIRE-RULING",
                f"Only the umpire of {tournament.terms.title} can sign a case; this home is not theirs.",
            )
        pairing = queries.find_pairing(db, tournament.id, query)
        evidence = _Evidence(db, home, tournament.id, pairing)
        if not evidence.items:
            raise UmpireError(
                "E-UMPIRE-RULING", f"Game {pairing.label} has not been offered yet: there is nothing to gather."
            )
        said = _said(db, tournament, pairing, evidence, desk.clock())
    with home.writing():
        made = make_case(home.people.keys(tournament.umpire), said, evidence.items)
    return Gathered(made, (Item(ItemType.CASE, made.raw), *evidence.items))


class _Evidence:
    """The items of a game, and of their records what the statement needs."""

    def __init__(self, db: Connection, home: Home, of: int, pairing: PairingRow) -> None:
        kept = list(archives.evidence(home, pairing.offer)) if pairing.offer is not None else []
        if not kept:
            kept = list(_archived(db, of, pairing))
        self.items = tuple(kept)
        records = [parse_record(each.raw) for each in kept if each.type is ItemType.RECORD]
        self.records = {record.id: record for record in records}
        self.offer = offer_of(records[0]) if records else None
        self.game = next((each.id for each in records if each.kind == "start"), None)
        self.facts: Facts | None = None
        with suppress(PbemError):  # a game that cannot be read has its records all the same
            self.facts = facts.facts(home, pairing.offer) if kept and pairing.offer is not None else None
        rivals = home.twins(self.offer) if self.facts is not None and self.offer is not None else ()
        self.twins = tuple(each.game_id for each in rivals)
        self.umpire = [record for record in records if record.kind == "ruling" and record.by == UMPIRE]


def _archived(db: Connection, of: int, pairing: PairingRow) -> Iterator[Item]:
    """As the database keeps it: in a home that was lost and made anew the game is not."""
    for row in of_games(db, ArchiveRow, of, pairing.id):
        raw = queries.blob(db, row.sha256)
        if raw is not None:
            yield from read_stream(BytesIO(raw))


def _said(db: Connection, tournament: TournamentRow, pairing: PairingRow, found: _Evidence, now: int) -> Statement:
    of = tournament.id
    entrants = {each.number: each for each in queries.entrants(db, of)}
    offer = found.offer
    assert offer is not None
    assert offer.tournament is not None
    hide = Hide(addresses(entrants.values()))
    by_entrant = {entrant: by for by, entrant in enumerate(pairing.entrants)}
    moves = [each for each in of_games(db, MoveRow, of, pairing.id) if each.record in found.records]
    owed = of_games(db, OwedRow, of, pairing.id)
    given = of_games(db, ExtensionRow, of, pairing.id)
    came = {each.record: each.at for each in found.facts.ruled} if found.facts is not None else {}
    at = now if pairing.state == "playing" else pairing.decided_at or now
    reckoned = {n: clock.reckoned(tournament, n, moves, owed, given, at) for n in pairing.entrants}
    terms = tournament.terms.clock
    head = journal.head(db)
    return Statement(
        at=now,
        umpire=tournament.umpire,
        tournament=tournament.key,
        title=offer.tournament.title,
        label=(pairing.round, pairing.place, pairing.mirror),
        players=tuple(_party(by, entrants[n], offer, hide) for n, by in by_entrant.items()),
        clock={"bank": terms.bank, "days_off": terms.days_off, "move": terms.move},
        result=case.Result(
            pairing.state, pairing.how, pairing.first_points, pairing.second_points, pairing.decided_at,
            fit_lines(hide(pairing.text), MAX_WHY),
        ),
        offer=offer.id,
        game=found.game,
        twins=found.twins[:_SHORT],
        answered=tuple(
            case.Answered(
                by_entrant[each.entrant], each.what, each.asked_at, each.answered_at, each.signed_at, each.charged,
                each.record,
            )
            for each in moves[-MAX_MEMBERS:]
        ),
        owed=tuple(
            case.Owes(by_entrant.get(each.entrant, UMPIRE), each.what, each.since, each.automatic)
            for each in owed[:_SHORT]
        ),
        clocks=tuple(
            case.Clock(by_entrant[n], each.used_bank, each.left_bank, each.flag_at, each.flagged_at)
            for n, each in reckoned.items()
        )
        if terms.runs
        else (),
        extensions=tuple(
            case.Extension(by_entrant[each.entrant], each.seconds, each.at, each.record)
            for each in given[-_SHORT:]
            if each.record in found.records
        ),
        flags=tuple(
            case.Flag(by_entrant[each.entrant], each.fell_at, each.seen_at)
            for each in of_games(db, FlagRow, of, pairing.id)[-_SHORT:]
        ),
        rulings=tuple(
            case.Ruled(str(each.data["what"]), came.get(each.id, each.at), each.id) for each in found.umpire[-_SHORT:]
        ),
        odd=tuple(
            case.Odd(by_entrant.get(each.entrant), each.kind, each.weight, each.at, fit_lines(hide(each.text), MAX_WHY))
            for each in of_games(db, AnomalyRow, of, pairing.id)[-_SHORT:]
        ),
        journal=tuple(_noted(db, of, pairing, entrants, hide)[-MAX_MEMBERS:]),
        head=case.Head(head.seq, head.hash),
    )  # fmt: skip


def _party(by: int, entrant: EntrantRow, offer: Offer, hide: Hide) -> case.Party:
    """With the identity that the game was offered to, also when another plays in their place by now."""
    identity = offer.players[by] or entrant.identity
    return case.Party(by, entrant.number, identity, fit_line(hide(entrant.name), MAX_CARD_NAME) or "-")


def _noted(
    db: Connection, of: int, pairing: PairingRow, entrants: dict[int, EntrantRow], hide: Hide
) -> list[case.Noted]:
    """What the journal has about the game, and about what was wanted of the keeper in it."""
    names = {number: each.name for number, each in entrants.items()}
    labels = {pairing.id: pairing.label}
    acts = {each.id for each in queries.acts(db, of) if each.pairing == pairing.id}
    return [
        case.Noted(
            each.seq, each.at, fit_line(hide(each.actor), MAX_ACTOR), each.kind, each.hash,
            fit_lines(hide(journaltext.sentence(each, names, labels)), MAX_WHY),
        )
        for each in journal.entries(db)
        if each.data.get("pairing") == pairing.id or each.data.get("act") in acts
    ]  # fmt: skip
