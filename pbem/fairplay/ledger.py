"""Level 2: what has been committed, shown and dealt in a game (docs/spec/hidden.md, chance.md).

`Ledger.apply` takes in the records that have an effect, in the canonical order (MEA-1), after the log has judged them.
It checks every value shown against what was promised, without rules: whether anything was asked for is not known here.
Its size is bounded by what is outstanding, not by the length of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbem.fairplay.chance import check_value, first_key, group_key
from pbem.fairplay.commitments import NONCE, commitment, standing_slot, unpad
from pbem.fairplay.deckledger import DEALT, OPEN, SHUFFLED, Decks
from pbem.fairplay.secret import gs_commitment
from pbem.protocol.canonical import Plain
from pbem.protocol.card import Card, parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN as OPEN_MODE
from pbem.protocol.genesis import Genesis, Join, check_nonce, substitute_of
from pbem.protocol.keys import check_signature
from pbem.protocol.kinds import AGREEING, is_sealed, shows_one
from pbem.protocol.limits import MAX_OUTSTANDING, MAX_STANDING, OPENED_KEPT, ORDERS_KEPT
from pbem.protocol.plain import branched, dump, load, transient
from pbem.protocol.record import UMPIRE, Record, parse_record
from pbem.protocol.ruling import rulers_of, subject_of


class Mark(NamedTuple):
    """An orders record for which dice may be wanted: its chain, and the chain's value once shown."""

    by: int
    seq: int
    cid: bytes
    x: bytes | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A commitment that has not been opened, with the box by which its author finds the value again."""

    author: int
    seat: str
    seq: int
    commitment: bytes
    box: bytes


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A card that cannot be one: somebody cheated in the shuffle, and everything must be opened (HID-18)."""

    slot: str
    record: bytes


_EFFECTIVE = frozenset(("orders", "reveal", "release", "ruling", "rekey", "open_all", *AGREEING))


def deck_kind(genesis: Genesis) -> str:
    """GEN-9."""
    if genesis.mode == OPEN_MODE:
        return OPEN
    return DEALT if genesis.umpire is not None else SHUFFLED


@dataclass(slots=True, eq=False)
class Ledger:
    """The level-2 state after the records applied so far: `Ledger(genesis)` is that of a game that has just begun.

    `shown` are the nonces, `chains` the last value shown of each chain, `marks` the last ORDERS_KEPT orders of each
    author. `sealed`: the commitments outstanding, by slot; `standing`: those to standing orders, by seat and kind.
    `joins`: what the present holder of each number brought in; `cards`: whose keys are theirs. `agreed`: who has made a
    ruling, and their record; `ruled`: the lowest ruler's record, of the last one in force about a player's key.
    """

    genesis: Genesis = transient()
    joins: dict[int, Join] = transient()
    marked: dict[int, int] = transient()
    """How many marks are whose."""
    shown: dict[int, bytes] = field(default_factory=dict)
    chains: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    marks: dict[bytes, Mark] = field(default_factory=dict)
    agreed: dict[bytes, dict[int, int]] = field(default_factory=dict)
    ruled: dict[int, int] = field(default_factory=dict)
    sealed: dict[str, Choice] = field(default_factory=dict)
    opened: dict[str, bytes] = field(default_factory=dict)
    standing: dict[tuple[str, str], Choice] = field(default_factory=dict)
    cards: dict[int, Card] = field(default_factory=dict)
    substitutes: dict[int, bytes] = field(default_factory=dict)
    gs: dict[int, bytes] = field(default_factory=dict)
    spoiled: Spoiled | None = None
    decks: Decks = field(default_factory=lambda: Decks(b"", (), OPEN, (0, 1)))

    def __post_init__(self) -> None:
        genesis = self.genesis
        if genesis is None:  # it is being loaded
            return
        self.joins = {n: genesis.join(n) for n in genesis.authors}
        self.marked = dict.fromkeys(genesis.authors, 0)
        self.cards = {n: join.card for n, join in self.joins.items()}
        self.decks = Decks(genesis.game_id, genesis.offer.decks, deck_kind(genesis), (0, 1))
        if genesis.mode == OPEN_MODE:
            self.shown = {n: join.nonce for n, join in self.joins.items()}
        if genesis.nonce is not None:
            self.shown[UMPIRE] = genesis.nonce
        for join in self.joins.values():
            self._add_chains(join)

    # State

    def copy(self) -> Ledger:
        other = branched(self)
        other.decks = branched(self.decks)
        return other

    def dump(self) -> Plain:
        return dump(self)

    @classmethod
    def load(cls, genesis: Genesis, plain: Plain) -> Ledger:
        """From a dump of our own; it is not judged again."""
        ledger = load(cls, plain)
        ledger.genesis = genesis
        late = {n: substitute_of(genesis, n, parse_record(raw)) for n, raw in ledger.substitutes.items()}
        ledger.joins = {n: late.get(n) or genesis.join(n) for n in genesis.authors}
        ledger.marked = {**dict.fromkeys(genesis.authors, 0), **Counter(mark.by for mark in ledger.marks.values())}
        return ledger

    # Queries

    def nonces(self, authors: Sequence[int]) -> tuple[bytes, ...] | None:
        """These authors' nonces, once all are shown."""
        found = tuple(self.shown[n] for n in authors if n in self.shown)
        return found if len(found) == len(authors) else None

    def key(self, group: tuple[bytes, ...]) -> bytes | None:
        """The key of the draws after a group, or None while something has not been shown (CHA-6).

        The empty group is K0. Orders records are remembered for a while only (ORDERS_KEPT for each author): who wants
        the key of a group for longer keeps the key.
        """
        if not group or self.genesis.mode == OPEN_MODE:
            nonces = self.nonces(self.genesis.authors)
            return None if nonces is None else first_key(self.genesis.game_id, nonces)
        parts: list[tuple[int, tuple[bytes, int, int, bytes]]] = []
        for orders_id in group:
            mark = self.marks.get(orders_id)
            witness = self.genesis.witness(mark.by) if mark else None
            if mark is None or mark.x is None or witness is None:
                return None
            parts.append((mark.by, (orders_id, witness, mark.seq, mark.x)))
        return group_key(self.genesis.game_id, [part for _, part in sorted(parts)])

    def value(self, slot: str) -> int | bytes | None:
        """What everybody knows of a slot: a card's number, the bytes of a secret choice, or nothing."""
        place = self.decks.place(slot)
        if place is None:
            return self.opened.get(slot)
        return held.card if (held := self.decks.slot(place)) else None

    def choices(self, author: int) -> tuple[str, ...]:
        """The slots in which commitments of this author are outstanding."""
        return tuple(slot for slot, choice in self.sealed.items() if choice.author == author)

    def holders(self, slot: str) -> tuple[int, ...]:
        """The players who can know the card of a slot that is not public."""
        place = self.decks.place(slot)
        return self.decks.holders(place) if place else ()

    def released(self, slot: str) -> tuple[int, ...]:
        """The players who have given out their key of a slot of the two-player deck."""
        place = self.decks.place(slot)
        return self.decks.released(place) if place else ()

    def seal_key(self, author: int) -> bytes:
        return self.cards[author].seal

    def join(self, author: int) -> Join:
        """What the present holder of a number brought in: their own join or a substitute's."""
        return self.joins[author]

    # Records

    def apply(self, record: Record) -> None:
        """Check and take in one record. A Refusal has changed nothing."""
        if record.kind not in _EFFECTIVE:
            return
        try:
            if shows_one(record.kind, record.data):
                self._take(record)
            else:  # one thing is refused before it changes anything, but of several the first may be good
                draft = self.copy()
                draft._take(record)
                for name in Ledger.__slots__:
                    setattr(self, name, getattr(draft, name))
        except Refusal as refusal:
            raise refusal.of(record.by, record.id) from None

    def deal_open(self, deck: str, cards: tuple[int, ...], back: tuple[str, ...] = ()) -> int:
        """Mode `open`: the rules ask for a shuffle, and here it is (HID-50). The number of the new epoch."""
        key = self.key(())
        if key is None:
            raise ValueError("the nonces are not known")
        return self.decks.deal_open(key, deck, cards, back)

    def _take(self, record: Record) -> None:
        data = record.data
        match record.kind:
            case "orders":
                self._take_orders(record)
            case "reveal":
                for item in data["items"]:
                    self._take_shown(record, item)
            case "release":
                for item in data["items"]:
                    self.take_release(record.by, item)
            case "ruling":
                self._take_ruling(record)
            case "rekey":
                if self._is_signed_now(record):
                    self.cards[record.by] = parse_card(data["card"])
            case "tie" | "takeback" | "answer":
                for item in data.get("items", ()):
                    self._check_shown(record.by, item)
            case _:  # open_all
                if gs_commitment(data["gs"]) != self.joins[record.by].gs:
                    raise Refusal("E-PROMISE", "The secret opened at the end is not the one promised.", step="HID-40")
                self.gs[record.by] = data["gs"]
        if self.decks.spoiled is not None and self.spoiled is None:
            self.spoiled = Spoiled(self.decks.spoiled, record.id)

    def _take_orders(self, record: Record) -> None:
        data, by = record.data, record.by
        for slot, opened in data.get("open", ()):
            self._open(by, slot, opened)
        for slot, seat, committed, box in data.get("hide", ()):
            self._hide(slot, Choice(by, seat, record.seq, committed, box))
        for seat, kind, policy in data.get("standing", ()):
            self._own_seat(by, seat)
            self.standing.pop((seat, kind), None)
            if is_sealed(policy):
                self.standing[seat, kind] = Choice(by, seat, record.seq, policy[0], policy[1])
        if len(self.standing) > MAX_STANDING:
            raise Refusal("E-LARGE", "There are too many sealed standing orders.", step="HID-6")
        self._mark(record)

    def _own_seat(self, by: int, seat: str) -> None:
        if seat not in self.genesis.seats_of(by):
            raise Refusal("E-SEAT", "A record speaks for a seat that its author does not hold.", step="HID-1")

    def _hide(self, slot: str, choice: Choice) -> None:
        self._own_seat(choice.author, choice.seat)
        if self.decks.place(slot) is not None:
            raise Refusal("E-SEALED", "A secret choice has the name of a card.", step="HID-2")
        before = self.sealed.get(slot)
        if before is not None:
            if (before.author, before.seat) != (choice.author, choice.seat):
                raise Refusal("E-SEALED", "A secret choice would replace another player's.", step="HID-2")
        elif sum(each.author == choice.author for each in self.sealed.values()) >= MAX_OUTSTANDING:
            raise Refusal("E-LARGE", "Too many secret choices are waiting to be opened.", step="HID-2")
        self.sealed.pop(slot, None)
        self.sealed[slot] = choice

    def _open(self, by: int, slot: str, opened: bytes) -> None:
        """The opening of a secret choice (nonce32 || value) or of a card (HID-4, HID-15, HID-31)."""
        if self.decks.place(slot) is None:
            choice = self.sealed.get(slot)
            if choice is None or choice.author != by:
                raise Refusal("E-PROMISE", f"There is no secret choice of this player in {slot}.", step="HID-4")
            nonce, value = opened[:NONCE], opened[NONCE:]
            if commitment(self.genesis.game_id, choice.seat, slot, nonce, value) != choice.commitment:
                raise Refusal("E-PROMISE", f"What is shown for {slot} is not what was chosen.", step="HID-4")
            chosen = unpad(value)
            if chosen is None:
                raise Refusal("E-PROMISE", f"What is shown for {slot} is not padded as it must be.", step="HID-1")
            del self.sealed[slot]
            self.opened.pop(slot, None)
            self.opened[slot] = chosen
            for old in list(self.opened)[:-OPENED_KEPT]:
                del self.opened[old]
        elif self.decks.kind == SHUFFLED:
            self.decks.take_key(by, slot, opened)
        elif self.decks.kind == DEALT:
            self.decks.take_opened(by, slot, opened)
        else:
            raise Refusal("E-PROMISE", "The cards of this game are open to all; nothing is to be shown.", step="HID-50")

    def _take_shown(self, record: Record, item: list[Any]) -> None:
        by = record.by
        match item[0]:
            case "nonce":
                self._take_nonce(by, item[1])
            case "dice":
                self._take_dice(by, item[1], item[2])
            case "open":
                self._open(by, item[1], item[2] + item[3])
            case _:
                self._check_claim(by, item[3])

    def _check_claim(self, by: int, proof: bytes | None) -> None:
        """An answer that a sealed standing order is said to give: a proof, if there is one, opens it (HID-6)."""
        if proof is None:
            return
        nonce, value = proof[:NONCE], proof[NONCE:]
        for (seat, kind), choice in self.standing.items():
            slot = standing_slot(seat, kind)
            if choice.author == by and commitment(self.genesis.game_id, seat, slot, nonce, value) == choice.commitment:
                if unpad(value) is None:
                    break
                return
        raise Refusal("E-ANSWER", "The proof of an answer opens no padded standing orders of its author.", step="HID-6")

    def take_release(self, by: int, item: list[Any]) -> None:
        """One item of a release. Not undone if a later one is refused: for `apply`, and for copies."""
        match item[0]:
            case "pass":
                self.decks.take_pass(by, item)
            case "slot":
                self.decks.take_key(by, item[1], item[2])
            case "deal":
                if self.decks.kind == DEALT and by == UMPIRE and self.nonces(self.genesis.players) is None:
                    raise Refusal("E-DEAL", "The umpire cannot deal before all nonces are shown.", step="HID-30")
                self.decks.take_deal(by, item)
            case "give":
                seats = {seat.name: seat.player for seat in self.genesis.seats}
                if item[2] not in seats:
                    raise Refusal("E-SEAT", "A card is dealt to a seat that does not exist.", step="HID-31")
                self.decks.take_give(by, item[1], seats[item[2]], item[3])
            case _:
                self.decks.take_opened(by, item[1], item[2] + item[3])

    def _is_signed_now(self, record: Record) -> bool:
        """By the key in force: else it was made without sight of a ruling that has put another in its place (LOG-7)."""
        try:
            check_signature(self.cards[record.by].sign, record.id, record.signature)
        except Refusal:
            return False
        return True

    # What witnesses show

    def _mark(self, record: Record) -> None:
        """Orders for which a witness can be asked. Their chain is the one that holds now (CHA-4)."""
        by = record.by
        witness = self.genesis.witness(by) if by != UMPIRE else None
        if witness is None:
            return
        self.marks[record.id] = Mark(by, record.seq, self.joins[witness].chain_id(by))
        if self.marked[by] < ORDERS_KEPT:
            self.marked[by] += 1
        else:
            del self.marks[next(key for key, mark in self.marks.items() if mark.by == by)]

    def _take_nonce(self, by: int, nonce: bytes) -> None:
        """The first that a number shows counts (GEN-8)."""
        check_nonce(self.joins[by], nonce)
        self.shown.setdefault(by, nonce)

    def _check_shown(self, by: int, item: Sequence[Any]) -> None:
        """A nonce or a chain value that its owner shows in an act: right, and nothing follows from it yet (MEA-5)."""
        if item[0] == "nonce":
            check_nonce(self.joins[by], item[1])
        else:
            self._mark_of(by, item[1], item[2])

    def _take_dice(self, witness: int, orders_id: bytes, x: bytes) -> None:
        """A chain value for one orders record: by its witness, or by the umpire out of the escrow."""
        mark = self._mark_of(witness, orders_id, x)
        if mark.seq > self.chains[mark.cid][0]:
            self.chains[mark.cid] = (mark.seq, x)
        self.marks[orders_id] = Mark(mark.by, mark.seq, mark.cid, x)

    def _mark_of(self, witness: int, orders_id: bytes, x: bytes) -> Mark:
        """The mark of these orders, if this is their chain value (CHA-4)."""
        mark = self.marks.get(orders_id)
        if mark is None:
            raise Refusal("E-PROMISE", "Dice are shown for orders that are unknown or too long ago.", step="CHA-4")
        if self.genesis.witness(mark.by) != witness:
            raise Refusal("E-PROMISE", "Dice are shown by somebody who is not their witness.", step="CHA-4")
        i, known = self.chains[mark.cid]
        check_value(mark.cid, mark.seq, x, i, known)
        return mark

    def _add_chains(self, join: Join) -> None:
        for chooser, anchor in join.chains:
            self.chains[join.chain_id(chooser)] = (0, anchor)

    # Rulings

    def holds(self, ruling: Record) -> bool:
        """Whether everybody who must make this ruling has (MEA-10), as far as records have been applied."""
        made = self.agreed.get(subject_of(ruling.data), {})
        return made.keys() >= set(rulers_of(self.genesis, ruling))

    def _take_ruling(self, record: Record) -> None:
        data, what = record.data, record.data["what"]
        if what in ("branch", "extension"):
            return
        needed, subject = rulers_of(self.genesis, record), subject_of(data)
        if what == "escrow":
            if record.by != UMPIRE:
                raise Refusal("E-RULING", "Only the umpire holds the escrow.", step="CHA-9")
            self._take_dice(data["witness"], data["orders"], data["x"])
        if record.by not in needed:
            raise Refusal("E-RULING", "The author of this ruling has no say in this matter.", step="MEA-10")
        made = {record.by: record.seq, **self.agreed.get(subject, {})}
        if self.agreed.get(subject) == made:
            return
        self.agreed[subject] = made
        if what in ("substitute", "rekey") and len(made) == len(needed):
            player, last = data["player"], made[min(needed)]
            if last < self.ruled.get(player, 0):
                return  # it crossed one that the lowest of the rulers made later, and that holds (LOG-7)
            self.ruled[player] = last
            if what == "rekey":
                self.cards[player] = parse_card(data["card"])
            else:
                self._substitute(player, data["join"])

    def _substitute(self, player: int, raw: bytes) -> None:
        if self.genesis.mode != OPEN_MODE and player not in self.shown:
            raise Refusal(
                "E-RULING",
                "Nobody can take over before the first number for the dice has been shown; make a new offer.",
                step="GEN-8",
            )
        join = substitute_of(self.genesis, player, parse_record(raw))
        self.joins[player] = join
        self.substitutes[player] = raw
        self.cards[player] = join.card
        self._add_chains(join)
        # The old chains stay while an orders record needs them: its dice were fixed before (MEA-10).
        wanted = {each.chain_id(chooser) for each in self.joins.values() for chooser, _ in each.chains}
        wanted |= {mark.cid for mark in self.marks.values()}
        self.chains = {cid: value for cid, value in self.chains.items() if cid in wanted}
        self.decks.forget_boxes(player)
        self.gs.pop(player, None)
