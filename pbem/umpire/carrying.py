"""Carrying out what the desk wants, with the umpire's home: offers, rulings, reminders.

An act may have been carried out just before the machine stopped, and not be noted yet. So each asks the home first: an
offer asked for again is the same offer, a reminder the same mail, and a ruling is looked for in the game's records by
its words, which name the act.

An act is taken before it is carried out. So of two keepers, on machines that each have a copy of the home, one offers.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Any, cast

from pbem.protocol.canonical import Plain, unpack
from pbem.protocol.card import parse_card
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board
from pbem.protocol.limits import MAX_ITEM, MAX_TITLE, MAX_WHY
from pbem.table.desk import Desk
from pbem.table.facts import Facts
from pbem.umpire import rounds
from pbem.umpire.db import queries
from pbem.umpire.deskrows import ActRow, EntrantRow, PairingRow, TournamentRow
from pbem.umpire.mailing import Mail
from pbem.umpire.umpiredesk import UmpireDesk
from pbem.umpire.umpireerror import UmpireError


@dataclass
class Carrier:
    desk: UmpireDesk
    home: Desk
    mail: Mail

    def carry(self, tournament: TournamentRow, act: ActRow) -> None:
        """Done or failed, it is noted; what may work later is left as it is, and raises."""
        if not self._take(act):
            return
        assert act.pairing is not None
        with self.desk.store.reading() as session:
            pairing = queries.pairing(session, act.pairing)
            entrants = {each.number: each for each in queries.entrants(session, tournament.id)}
        if act.kind == "offer":
            self._offer(tournament, act, pairing, entrants)
        elif act.kind == "remind":
            self._remind(tournament, act, pairing, entrants)
        elif act.kind == "rule":
            self._rule(tournament, act, pairing)
        else:
            raise UmpireError("E-UMPIRE-JOURNAL", f"Act {act.id} is of a kind that this pbem does not know.")

    def _take(self, act: ActRow) -> bool:
        """False: another keeper has it. What this one took and did not finish, it takes up again."""
        with self.desk.store.writing(self.desk.actor, self.desk.clock()) as writing:
            held = queries.act(writing.session, act.id)
            if held.state == "wanted":
                writing.record("taken", {"act": act.id, "outcome": self.holder})
                return True
            return held.state == "taken" and held.outcome == self.holder

    @property
    def holder(self) -> str:
        """What tells this keeper from those of other homes and machines."""
        return f"{socket.gethostname()}:{self.home.home.root.absolute()}"[:500]

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
            with self.desk.store.writing(self.desk.actor, self.desk.clock()) as writing:
                rounds.walkover(writing, queries.pairing(writing.session, pairing.id), gone)
            self._note(act, "dropped", f"{' and '.join(gone.values())} withdrew")
            return
        cards = [parse_card(entrants[number].card) for number in pairing.entrants]
        name, _ = self.home.offer(
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
            "at": act.data["at"], "expires": self.home.row(name).expires, "game": name, "offer": self.home.key(name),
            "pairing": pairing.id,
        }  # fmt: skip
        with self.desk.store.writing(self.desk.actor, self.desk.clock()) as writing:
            if queries.act(writing.session, act.id).state == "taken":
                writing.record("offered", said if instead is None else {**said, "instead": instead})
                writing.record("done", {"act": act.id, "outcome": name})

    def _take_back(self, offer: bytes) -> bool:
        """An offer stands in another's place once that one is taken back, if no game has come of it."""
        before = self.home.facts(offer)  # None: made in a home that was lost
        if before is None or before.stage == "cancelled":
            return True
        if before.began_at:
            return False
        self.home.decline(before.name, "Another offer for this game takes its place.")
        return True

    def _remind(
        self, tournament: TournamentRow, act: ActRow, pairing: PairingRow, entrants: dict[int, EntrantRow]
    ) -> None:
        data = cast("dict[str, Any]", act.data)
        cards = [parse_card(entrants[number].card) for number in data["entrants"]]
        if pairing.offer is None or pairing.state not in ("offered", "playing", "over"):
            self._note(act, "dropped", "nobody is waited for any more")
            return
        self._note(act, "done", self.mail.remind(tournament.umpire, pairing.offer, cards, data["since"], data["count"]))

    def _rule(self, tournament: TournamentRow, act: ActRow, pairing: PairingRow) -> None:
        data = cast("dict[str, Any]", act.data)
        facts = self.home.facts(pairing.offer) if pairing.offer is not None else None
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
            self._note(act, "failed", f"{error.code}: {error.sentence}"[:500])
            return
        self._note(act, "done", "signed")

    def _sign(
        self, tournament: TournamentRow, pairing: PairingRow, facts: Facts, data: dict[str, Any], why: str
    ) -> None:
        what, name = data["what"], facts.name
        entrant = data.get("entrant")
        by = pairing.entrants.index(entrant) if entrant in pairing.entrants else None
        seats = seats_of(self.desk, tournament)
        own = [seat for seat, player in seats.items() if player == by]
        if what == "forfeit":
            self.home.rule(name, "forfeit", seats=own, why=why)
        elif what == "extension":
            self.home.rule(name, "extension", player=own[0], seconds=data["seconds"], why=why)
        elif what == "substitute":
            self.home.rule(name, "substitute", player=own[0], raw=data["raw"], why=why)
        elif what == "escrow":
            self.home.rule(name, "escrow", why=why)
        elif what == "branch":
            self.home.rule(name, "branch", keep=data["keep"], drop=data["drop"], why=why)
        elif what == "adjudge":
            self.home.rule(name, "adjudge", winner=tournament.terms.sides[by] if by is not None else None, why=why)
        else:
            raise UmpireError("E-UMPIRE-JOURNAL", f"There is no ruling {what!r}.")

    def _note(self, act: ActRow, kind: str, outcome: str) -> None:
        with self.desk.store.writing(self.desk.actor, self.desk.clock()) as writing:
            if queries.act(writing.session, act.id).state == "taken":
                writing.record(kind, {"act": act.id, "outcome": outcome})


def words_of(act: ActRow) -> str:
    """The reason of a ruling as its record gives it; the number tells it from others in the same words."""
    mark = f" (act {act.id})"
    return f"{str(act.data.get('why', ''))[: MAX_WHY - len(mark)]}{mark}".strip()


def seats_of(desk: UmpireDesk, tournament: TournamentRow) -> dict[str, int]:
    """Every seat of the game with the number of its player: the first plays the first side."""
    sides = tournament.terms.sides
    return {seat.name: sides.index(seat.side) for seat in desk.game_of(tournament).seats}
