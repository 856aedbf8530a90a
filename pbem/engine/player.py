"""One player's program and its use of the player's secrets: it sees their cards, answers what is owed, and builds their
records. No I/O. The umpire's program is the same class. Results depend only on the match and the secrets; making a
record twice gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.engine.draft import Draft
from pbem.engine.match import Match
from pbem.engine.obligation import Item
from pbem.engine.order import Order, Violation
from pbem.engine.policy import Policy, unpack
from pbem.fairplay import items
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.canonical import Plain
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_REVEALS
from pbem.protocol.log import Log
from pbem.protocol.record import Record, make_record

T = TypeVar("T")
Data = dict[str, Plain]


@dataclass(frozen=True, slots=True)
class NewStanding:
    """A change of standing orders: for one of the player's seats; `sealed` hides the policy, None removes it."""

    seat: str
    decision: str
    policy: Policy | None
    sealed: bool = False


class Player:
    """`keys` sign and open what is sealed to them, `secrets` are those of this game, `number` is their or the umpire's.

    `former` are keys they had before in this game: cards that an umpire dealt them then are sealed to them.
    `faults` tells what was dealt to them and cannot be used, by slot.
    """

    def __init__(self, keys: Keys, secrets: GameSecrets, number: int, former: Sequence[Keys] = ()) -> None:
        self.keys = keys
        self.former = tuple(former)
        self.secrets = secrets
        self.number = number
        self.faults: dict[str, Refusal] = {}
        self._cards: dict[str, int] = {}

    def __repr__(self) -> str:
        return f"Player({self.number}, hidden)"

    # What they know

    def own_values(self, match: Match[Any]) -> dict[str, int | Order]:
        """What their seats know of hidden things, and the public cards; `Match.known_to` says what each may see."""
        ledger, known = match.ledger, match.seen_by(self.number)
        held = ledger.decks.held(self.number)
        for slot in held:
            card = self._card(match, slot)
            if card is not None:
                known[slot] = card
        self._cards = {slot: card for slot, card in self._cards.items() if slot in held}
        for slot in ledger.choices(self.number):
            value = self._sealed(match, slot)
            if value is not None:
                known[slot] = match.game.orders.unpack(value)
        return known

    def _sealed(self, match: Match[Any], slot: str) -> bytes | None:
        """What they sealed; None if it was the player whose place they took."""
        try:
            return items.own_choice(match.ledger, self.secrets, slot)
        except Refusal:
            return None

    def _card(self, match: Match[Any], slot: str) -> int | None:
        if slot in self._cards:
            return self._cards[slot]
        ledger, secrets, me = match.ledger, self.secrets, self.number
        try:
            card = self._unsealed(lambda key: items.decode_for(ledger, secrets, me, slot, key))
        except Refusal as refusal:
            self.faults[slot] = refusal
            return None
        self.faults.pop(slot, None)
        if card is not None:
            self._cards[slot] = card
        return card

    def _unsealed(self, use: Callable[[X25519PrivateKey], T]) -> T:
        """What the first of their keys gives that fits; the fault is that of the one in force."""
        try:
            return use(self.keys.seal_private)
        except Refusal:
            for keys in self.former:
                with suppress(Refusal):
                    return use(keys.seal_private)
            raise

    def standing(self, match: Match[Any], seat: str, decision: str) -> Policy | None:
        """Their sealed standing orders as now in force."""
        raw = items.own_standing(match.ledger, self.secrets, seat, decision)
        return None if raw is None else unpack(raw)

    def renewed(self, match: Match[Any]) -> list[NewStanding]:
        """The player's opened stances, sealed anew, so that nobody learns which of them have changed (POL-11)."""
        machine, found = match.machine, []
        for seat in match.genesis.seats_of(self.number):
            for kind, policy in machine.standing(seat).items():
                if not isinstance(policy, Policy) or match.ledger.standing.get((seat, kind)) is None:
                    continue
                if machine.is_stance(kind) and machine.may_change(seat, kind):
                    found.append(NewStanding(seat, kind, policy, sealed=True))
        return found

    # What their program owes

    def owed(self, match: Match[Any]) -> list[tuple[str, Data]]:
        """The records that settle everything they owe and no person need decide, in their order: kind and payload.

        Each answers also what its own first items make due; where others must come first, it ends.
        """
        complaint = self._complaint(match)
        if complaint is not None:
            return [("release", {"items": complaint})]
        trial = match.copy()
        out: list[tuple[str, Data]] = []
        while True:
            try:
                kind, data = self._step(trial)
            except Refusal:
                if not out:
                    raise
                return out  # what they can give, they give; the rest is refused when nothing else is left
            if not kind:
                return out
            rows = cast("list[Plain]", data.get("items", []))
            held = cast("list[Plain]", out[-1][1]["items"]) if rows and out and out[-1][0] == kind else None
            if held is not None and len(held) + len(rows) <= MAX_REVEALS and not forgets(held, rows):
                held += rows
            else:
                out.append((kind, {**data, "items": list(rows)} if rows else data))

    def _step(self, trial: Match[Any]) -> tuple[str, Data]:
        """The next that they owe, and the trial match with it taken; without a kind: nothing."""
        try:
            kind, data = self._next(trial)
        except items.FoulShuffle:
            kind, data = "open_all", {"gs": self.secrets.gs}
        if kind:
            trial.accept(self._sketch(trial, kind, data), judged=False)
        return kind, data

    def _next(self, match: Match[Any]) -> tuple[str, Data]:
        for obligation in match.pending():
            if obligation.by != self.number or not obligation.automatic:
                continue
            if obligation.what == "end":
                result = match.result
                assert result is not None
                return "end", {"result": cast(Plain, result.plain()), "state": match.state_hash()}
            if obligation.what == "open_all":
                return "open_all", {"gs": self.secrets.gs}
            rows: list[Plain] = []
            for item in obligation.items[:MAX_REVEALS]:
                rows += self.make(match, item)
            if rows:
                return ("release" if obligation.what == "release" else "reveal"), {"items": rows}
        return "", {}

    def chance(self, match: Match[Any]) -> Data:
        """What a tie, a takeback or an answer of theirs has to show beside it: nonces and dice they owe (MEA-5)."""
        barrier = match.position.barrier
        mine = [item for item in barrier.chance() if barrier.due[item] == self.number]
        rows: list[Plain] = [row for item in mine for row in self.make(match, item)]
        return {"items": rows} if rows else {}

    def make(self, match: Match[Any], item: Item) -> list[Plain]:
        """The rows that settle one item; none, if they cannot (the dice of a player whose place they took, say)."""
        ledger, secrets, me = match.ledger, self.secrets, self.number
        match item:
            case ("nonce", _):
                return [items.make_nonce_item(secrets)]
            case ("dice", bytes(orders)):
                mark = ledger.marks.get(orders)
                if mark is None or secrets.chain(me, mark.by).cid != mark.cid:
                    return []
                return [items.make_dice_item(ledger, secrets, me, orders)]
            case ("open", str(slot)):
                return [] if self._sealed(match, slot) is None else [items.make_open_item(ledger, secrets, slot)]
            case ("answer", str(label), str(seat)):
                return self._answer(match, label, seat)
            case ("pass", str(deck), *_):
                asked = match.wanted(deck)
                return [items.make_pass_item(ledger, secrets, me, deck, asked.cards, asked.back)]
            case ("deal", str(deck), _):
                asked = match.wanted(deck)
                return [items.make_deal_item(ledger, secrets, deck, asked.cards, asked.back)]
            case ("slot", str(slot), _):
                return [items.make_slot_item(ledger, secrets, me, slot)]
            case ("give", str(slot), str(seat)):
                return [items.make_give_item(ledger, secrets, slot, seat)]
            case ("show", str(slot)):
                return [items.make_show_item(ledger, secrets, slot)]
        raise ValueError(f"no program makes {item[0]!r}")

    def _answer(self, match: Match[Any], label: str, seat: str) -> list[Plain]:
        """What their sealed standing orders answer (MEA-15)."""
        machine, ledger = match.machine, match.ledger
        decision = label.partition("/")[0]
        policy = self.standing(match, seat, decision)
        if policy is None:
            return []
        order = machine.standing_answer(seat, policy, match.known_to((seat,), self.own_values(match)))
        proof = items.prove_standing(ledger, self.secrets, seat, decision)
        if order is None:
            return [["answer", label, None, proof]]
        answer = match.game.orders.write(order)
        if order == machine.passing(seat):
            return [["answer", label, answer, None]]
        rows: list[Plain] = []
        for slot in machine.opens(seat, order):
            if ledger.value(slot) is None:
                opened = self._opening(match, slot)
                rows.append(["open", slot, opened[:32], opened[32:]])
        return [*rows, ["answer", label, answer, proof]]

    def _opening(self, match: Match[Any], slot: str) -> bytes:
        if match.ledger.decks.place(slot) is None:
            return items.choice_opening(match.ledger, self.secrets, slot)
        ledger, secrets, me = match.ledger, self.secrets, self.number
        return self._unsealed(lambda key: items.card_opening(ledger, secrets, me, slot, key))

    def _complaint(self, match: Match[Any]) -> list[Plain] | None:
        """Their key of a slot that holds no card shows everybody that the shuffle was foul (HID-18)."""
        if match.position.spoiled or not match.ledger.decks.in_use():
            return None
        self.own_values(match)
        slots = [slot for slot, fault in sorted(self.faults.items()) if fault.code == "E-DECODE"]
        if not slots:
            return None
        return [items.make_slot_item(match.ledger, self.secrets, self.number, slot) for slot in slots]

    def _sketch(self, match: Match[Any], kind: str, data: Data) -> Record:
        """A record for trying: neither signed nor in any chain."""
        return Record(b"", bytes(32), 0, self.number, cast("dict[str, Any]", data), match.genesis.game_id, (), kind,
                      None, match.position.pin, None, 0, b"")  # fmt: skip

    # What they choose

    def draft(self, match: Match[Any], orders: Iterable[Order] = ()) -> Draft:
        """A draft with these orders, which must be legal (E-ORDER)."""
        draft = Draft(match, self.number, self.own_values(match))
        for order in orders:
            found = draft.add(order)
            if isinstance(found, Violation):
                raise Refusal("E-ORDER", f"Not legal: {found}.", step="MEA-6")
        return draft

    def orders_data(
        self, match: Match[Any], orders: Draft | Iterable[Order], seq: int, standing: Sequence[NewStanding] = ()
    ) -> Data:
        """The payload of their record `seq` of kind `orders`, from a draft or from orders that must be legal."""
        draft = orders if isinstance(orders, Draft) else self.draft(match, orders)
        game_id = match.genesis.game_id
        data: Data = {
            "orders": match.game.orders.write_all(draft.open_orders()),
            "salt": self.secrets.salt(seq),
            "state": match.state_hash(),
        }
        hidden = draft.hidden()
        if hidden:
            data["hide"] = [
                items.make_hide_row(self.secrets, game_id, seat, slot, seq, raw) for slot, seat, raw in hidden
            ]
        slots = draft.opens()
        if slots:
            data["open"] = [[slot, self._opening(match, slot)] for slot in slots]
        if standing:
            data["standing"] = [self._standing_row(match, each, seq) for each in standing]
        return data

    def _standing_row(self, match: Match[Any], new: NewStanding, seq: int) -> Plain:
        match.machine.check_standing(new.seat, new.decision, new.policy)
        if new.policy is None:
            return [new.seat, new.decision, None]
        if not new.sealed:
            return [new.seat, new.decision, new.policy.plain()]
        raw = new.policy.pack()
        return items.make_standing_row(self.secrets, match.genesis.game_id, new.seat, new.decision, seq, raw)

    def record(
        self, log: Log, match: Match[Any], kind: str, data: Data, *, at: int, note: bytes | None = None
    ) -> Record:
        """Their next record, signed."""
        me = self.number
        return make_record(
            self.keys,
            at=at,
            by=me,
            data=cast(Any, data),
            game=match.genesis.game_id,
            heads=log.heads(me),
            kind=kind,
            pin=match.position.pin,
            prev=log.last(me),
            seq=log.count(me),
            note=note,
        )


def forgets(held: list[Plain], rows: list[Plain]) -> bool:
    """Would a deal in the same record make everybody forget what its first items show, before it is read (HID-20)?"""
    return any(row[0] == "deal" for row in cast("list[list[Plain]]", rows)) and any(
        row[0] == "show" for row in cast("list[list[Plain]]", held)
    )
