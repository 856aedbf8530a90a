"""The audit by the rules, once all secrets are open: answers claimed, and duties that only their own player could
see."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.engine.need import Known, Orders
from pbem.engine.order import Order, PlainOrder
from pbem.engine.policy import unpack
from pbem.engine.step import Decide
from pbem.fairplay import items
from pbem.fairplay.deckledger import DEALT
from pbem.fairplay.secret import Opened, gs_commitment
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis
from pbem.protocol.record import UMPIRE

if TYPE_CHECKING:
    from pbem.engine.match import Match


class RulesAudit:
    """Knows what every player knew. A match calls it before an answer takes effect; a Refusal is E-AUDIT."""

    def __init__(self, genesis: Genesis, gs: Mapping[int, bytes]) -> None:
        self._genesis = genesis
        self._secrets = {gs_commitment(secret): Opened(secret) for secret in gs.values()}

    def answered(self, match: Match[Any], seat: str, answer: PlainOrder | None) -> None:
        """An answer is said to come from sealed standing orders (MEA-15)."""
        need = match.machine.need
        assert isinstance(need, Orders)
        by = match.genesis.player_of(seat)
        secrets = self._secrets_of(match, by)
        choice = match.ledger.standing.get((seat, need.kind))
        if secrets is None or choice is None:
            return
        policy = unpack(items.unboxed(secrets, choice))
        order = match.machine.standing_answer(seat, policy, self._own(match, by, seat))
        if (None if order is None else match.game.orders.write(order)) != answer:
            raise _cheat(f"The sealed standing orders of {seat} would have answered {need.label} otherwise.", by)

    def chose(self, match: Match[Any], seat: str, order: Order | None) -> None:
        """A live answer, a plan, or (None) a choice that is committed."""
        need = match.machine.need
        assert isinstance(need, Orders)
        by = match.genesis.player_of(seat)
        secrets = self._secrets_of(match, by)
        if secrets is None or (order is not None and type(match.machine.decision).duty is Decide.duty):
            return
        own = self._own(match, by, seat)
        if order is None:
            choice = match.ledger.sealed.get(need.slot(seat))
            if choice is None:
                return
            try:
                order = match.game.orders.unpack(items.unboxed(secrets, choice))
            except Refusal as refusal:
                raise _cheat(f"What {seat} sealed for {need.label} is not an order: {refusal.sentence}", by) from None
            violation = match.machine.check(seat, order, own)
            if violation is not None:
                raise _cheat(f"What {seat} sealed for {need.label} was not allowed: {violation}.", by)
        forbidden = match.machine.duty(seat, order, own)
        if forbidden is not None:
            raise _cheat(f"What {seat} chose for {need.label} was not allowed: {forbidden}.", by)

    def _secrets_of(self, match: Match[Any], by: int) -> Opened | None:
        return self._secrets.get(match.ledger.join(by).gs)

    def _own(self, match: Match[Any], by: int, seat: str) -> Known:
        """What the seat knew then, as `Player.own_values` and `Match.known_to` gave it to its program."""
        ledger, own = match.ledger, match.seen_by(by)
        secrets = self._secrets_of(match, by)
        dealer = self._secrets_of(match, UMPIRE) if match.genesis.umpire is not None else None
        for slot in ledger.decks.held(by):
            if ledger.decks.kind == DEALT:
                card = items.umpire_card(ledger, dealer, slot) if dealer is not None else None
            else:
                card = items.decode_for(ledger, secrets, by, slot) if secrets is not None else None
            if card is not None:
                own[slot] = card
        if secrets is not None:
            for slot in ledger.choices(by):
                with suppress(Refusal):  # anything but an order is refused where it was chosen, and where it is opened
                    own[slot] = match.game.orders.unpack(items.own_choice(ledger, secrets, slot))
        return match.known_to((seat,), own)


def _cheat(sentence: str, by: int) -> Refusal:
    return Refusal("E-AUDIT", sentence, step="MEA-12", author=by)
