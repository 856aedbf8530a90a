"""Level 2: what has been committed, shown and dealt in a game (docs/spec/hidden.md, chance.md).

`Ledger.apply` takes in the records that have an effect, in the canonical order (MEA-1), after the log has judged them.
It checks every value shown against what was promised, without rules: whether anything was asked for is not known here.
Its size is bounded by what is outstanding, not by the length of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.fairplay.chance import check_value, first_key, group_key
from pbem.fairplay.epochs import DEALT, OPEN, SHUFFLED, Decks
from pbem.fairplay.hidden import NONCE, check_slot, commitment, standing_slot, unpad
from pbem.fairplay.secret import gs_commitment
from pbem.protocol.canonical import Plain
from pbem.protocol.card import parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN as OPEN_MODE
from pbem.protocol.genesis import Genesis, Join, check_nonce, substitute_of
from pbem.protocol.kinds import AGREEING, is_plain_reveal, shows_one
from pbem.protocol.limits import MAX_OUTSTANDING, MAX_STANDING, OPENED_KEPT, ORDERS_KEPT
from pbem.protocol.record import UMPIRE, Record, parse_record
from pbem.protocol.ruling import rulers_of, subject_of


@dataclass(frozen=True, slots=True)
class Mark:
    """An orders record for which dice may be wanted: its chain, and the chain's value once shown."""

    by: int
    seq: int
    cid: bytes
    x: bytes | None = None


class Reveals:
    """Bounded: of each author's orders the last ORDERS_KEPT are remembered, of each chain the last value shown."""

    __slots__ = ("_chains", "_genesis", "_marked", "_marks", "_nonces")

    def __init__(self, genesis: Genesis) -> None:
        self._genesis = genesis
        joins = [genesis.join(n) for n in genesis.authors]
        self._nonces: dict[int, bytes] = {join.by: join.nonce for join in joins} if genesis.mode == OPEN_MODE else {}
        if genesis.nonce is not None:
            self._nonces[UMPIRE] = genesis.nonce
        self._chains: dict[bytes, tuple[int, bytes]] = {}
        self._marks: dict[bytes, Mark] = {}
        self._marked = dict.fromkeys(genesis.authors, 0)  # how many marks are whose
        for join in joins:
            self._add_chains(join)

    def copy(self) -> Reveals:
        other = Reveals.__new__(Reveals)
        other._genesis = self._genesis
        other._nonces, other._chains, other._marks = dict(self._nonces), dict(self._chains), dict(self._marks)
        other._marked = dict(self._marked)
        return other

    def dump(self) -> list[Any]:
        nonces = [[n, nonce] for n, nonce in self._nonces.items()]
        chains = [[cid, i, x] for cid, (i, x) in self._chains.items()]
        return [nonces, chains, [[key, m.by, m.seq, m.cid, m.x] for key, m in self._marks.items()]]

    def restore(self, plain: Any) -> None:
        nonces, chains, marks = plain
        self._nonces = dict(nonces)
        self._chains = {cid: (i, x) for cid, i, x in chains}
        self._marks = {key: Mark(*rest) for key, *rest in marks}
        self._marked = dict.fromkeys(self._genesis.authors, 0)
        for mark in self._marks.values():
            self._marked[mark.by] += 1

    # Queries

    def nonce(self, author: int) -> bytes | None:
        return self._nonces.get(author)

    def nonces(self, authors: Sequence[int]) -> tuple[bytes, ...] | None:
        """These authors' nonces, once all are shown."""
        found = tuple(self._nonces[n] for n in authors if n in self._nonces)
        return found if len(found) == len(authors) else None

    def mark(self, orders_id: bytes) -> Mark | None:
        return self._marks.get(orders_id)

    def key(self, group: tuple[bytes, ...]) -> bytes | None:
        """The key of the draws after a group, or None while something has not been shown (CHA-6)."""
        if not group or self._genesis.mode == OPEN_MODE:
            nonces = self.nonces(self._genesis.authors)
            return None if nonces is None else first_key(self._genesis.game_id, nonces)
        parts: list[tuple[int, tuple[bytes, int, int, bytes]]] = []
        for orders_id in group:
            mark = self._marks.get(orders_id)
            witness = self._genesis.witness(mark.by) if mark else None
            if mark is None or mark.x is None or witness is None:
                return None
            parts.append((mark.by, (orders_id, witness, mark.seq, mark.x)))
        return group_key(self._genesis.game_id, [part for _, part in sorted(parts)])

    # Records

    def take_orders(self, by: int, seq: int, orders_id: bytes, joins: dict[int, Join]) -> None:
        """Orders for which a witness can be asked. Their chain is the one that holds now (CHA-4)."""
        witness = self._genesis.witness(by) if by != UMPIRE else None
        if witness is None:
            return
        self._marks[orders_id] = Mark(by, seq, joins[witness].chain_id(by))
        if self._marked[by] < ORDERS_KEPT:
            self._marked[by] += 1
        else:
            del self._marks[next(key for key, mark in self._marks.items() if mark.by == by)]

    def take_nonce(self, join: Join, nonce: bytes) -> None:
        if join.by in self._nonces:
            raise Refusal("E-PROMISE", "This author's nonce is known already.", step="GEN-8")
        check_nonce(join, nonce)
        self._nonces[join.by] = nonce

    def check(self, join: Join, item: Sequence[Any]) -> None:
        """A nonce or a chain value that its owner shows in an act: right, and nothing follows from it yet (MEA-5)."""
        if item[0] == "nonce":
            check_nonce(join, item[1])
        else:
            self._mark_of(join.by, item[1], item[2])

    def take_dice(self, witness: int, orders_id: bytes, x: bytes) -> None:
        """A chain value for one orders record: by its witness, or by the umpire out of the escrow."""
        mark = self._mark_of(witness, orders_id, x)
        if mark.seq > self._chains[mark.cid][0]:
            self._chains[mark.cid] = (mark.seq, x)
        self._marks[orders_id] = Mark(mark.by, mark.seq, mark.cid, x)

    def _mark_of(self, witness: int, orders_id: bytes, x: bytes) -> Mark:
        """The mark of these orders, if this is their chain value (CHA-4)."""
        mark = self._marks.get(orders_id)
        if mark is None:
            raise Refusal("E-PROMISE", "Dice are shown for orders that none can be shown for.", step="CHA-4")
        if self._genesis.witness(mark.by) != witness:
            raise Refusal("E-PROMISE", "Dice are shown by somebody who is not their witness.", step="CHA-4")
        i, known = self._chains[mark.cid]
        check_value(mark.cid, mark.seq, x, i, known)
        return mark

    def substitute(self, join: Join, joins: Iterable[Join]) -> None:
        """New chains. Those of who left stay while an orders record needs them: its dice were fixed before (MEA-10)."""
        self._add_chains(join)
        wanted = {each.chain_id(chooser) for each in joins for chooser, _ in each.chains}
        wanted |= {mark.cid for mark in self._marks.values()}
        self._chains = {cid: value for cid, value in self._chains.items() if cid in wanted}

    def _add_chains(self, join: Join) -> None:
        for chooser, anchor in join.chains:
            self._chains[join.chain_id(chooser)] = (0, anchor)


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
_PLAIN = 3  # fields of orders that open, hide and change nothing


def deck_kind(genesis: Genesis) -> str:
    """GEN-9."""
    if genesis.mode == OPEN_MODE:
        return OPEN
    return DEALT if genesis.umpire is not None else SHUFFLED


class Ledger:
    """The level-2 state after the records applied so far."""

    __slots__ = (
        "_agreed",
        "_choices",
        "_joins",
        "_opened",
        "_seal_keys",
        "_standing",
        "_substitutes",
        "decks",
        "genesis",
        "gs",
        "reveals",
        "spoiled",
    )

    def __init__(self, genesis: Genesis) -> None:
        self.genesis = genesis
        self._joins: dict[int, Join] = {n: genesis.join(n) for n in genesis.authors}
        self._substitutes: dict[int, bytes] = {}
        self._seal_keys = {n: join.card.seal for n, join in self._joins.items()}
        self._choices: dict[str, Choice] = {}
        self._opened: dict[str, bytes] = {}
        self._standing: dict[tuple[str, str], Choice] = {}
        self._agreed: dict[bytes, tuple[int, ...]] = {}
        self.reveals = Reveals(genesis)
        self.decks = Decks(genesis.game_id, genesis.offer.decks, deck_kind(genesis), (0, 1))
        self.gs: dict[int, bytes] = {}
        self.spoiled: Spoiled | None = None

    # State

    def copy(self) -> Ledger:
        other = Ledger.__new__(Ledger)
        other._adopt(self)
        for name in ("_agreed", "_choices", "_joins", "_opened", "_seal_keys", "_standing", "_substitutes", "gs"):
            setattr(other, name, dict(getattr(self, name)))
        other.reveals = self.reveals.copy()
        other.decks = self.decks.copy()
        return other

    def _adopt(self, other: Ledger) -> None:
        for name in Ledger.__slots__:
            setattr(self, name, getattr(other, name))

    def dump(self) -> Plain:
        return {
            "agreed": [[key, list(who)] for key, who in self._agreed.items()],
            "choices": [[slot, c.author, c.seat, c.seq, c.commitment, c.box] for slot, c in self._choices.items()],
            "decks": self.decks.dump(),
            "gs": [[n, gs] for n, gs in self.gs.items()],
            "opened": [[slot, value] for slot, value in self._opened.items()],
            "reveals": self.reveals.dump(),
            "seals": [[n, key] for n, key in self._seal_keys.items()],
            "spoiled": [self.spoiled.slot, self.spoiled.record] if self.spoiled else None,
            "standing": [
                [kind, c.author, c.seat, c.seq, c.commitment, c.box] for (_, kind), c in self._standing.items()
            ],
            "substitutes": [[n, raw] for n, raw in self._substitutes.items()],
        }

    @classmethod
    def load(cls, genesis: Genesis, plain: Plain) -> Ledger:
        """From a dump of our own; it is not judged again."""
        state: Any = plain
        ledger = cls(genesis)
        for n, raw in state["substitutes"]:
            ledger._joins[n] = substitute_of(genesis, n, parse_record(raw))
            ledger._substitutes[n] = raw
        ledger._agreed = {key: tuple(who) for key, who in state["agreed"]}
        ledger._choices = {slot: Choice(*rest) for slot, *rest in state["choices"]}
        ledger.decks.restore(state["decks"])
        ledger.gs = dict(state["gs"])
        ledger.reveals.restore(state["reveals"])
        ledger._opened = dict(state["opened"])
        ledger._seal_keys = dict(state["seals"])
        ledger.spoiled = Spoiled(*state["spoiled"]) if state["spoiled"] else None
        ledger._standing = {(rest[1], kind): Choice(*rest) for kind, *rest in state["standing"]}
        return ledger

    # Queries

    def nonce(self, author: int) -> bytes | None:
        return self.reveals.nonce(author)

    def player_nonces(self) -> tuple[bytes, ...] | None:
        """All players' nonces by number, once all are shown."""
        return self.reveals.nonces(self.genesis.players)

    def key(self, group: tuple[bytes, ...]) -> bytes | None:
        """The key of the draws after this group of orders records, or None while something has not been shown (CHA-6).

        The empty group is K0. Orders records are remembered for a while only (ORDERS_KEPT for each author): who wants
        the key of a group for longer keeps the key.
        """
        return self.reveals.key(group)

    def mark(self, orders_id: bytes) -> Mark | None:
        return self.reveals.mark(orders_id)

    def value(self, slot: str) -> int | bytes | None:
        """What everybody knows of a slot: a card's number, the bytes of a secret choice, or nothing."""
        place = self.decks.place(slot)
        if place is None:
            return self._opened.get(slot)
        return held.card if (held := self.decks.slot(place)) else None

    def choices(self, author: int) -> tuple[str, ...]:
        """The slots in which commitments of this author are outstanding."""
        return tuple(slot for slot, choice in self._choices.items() if choice.author == author)

    def choice(self, slot: str) -> Choice | None:
        """The commitment outstanding in a slot."""
        return self._choices.get(slot)

    def standing(self, seat: str, kind: str) -> Choice | None:
        """The commitment to a seat's sealed standing orders of a kind, as now in force."""
        return self._standing.get((seat, kind))

    def holders(self, slot: str) -> tuple[int, ...]:
        """The players who can know the card of a slot that is not public."""
        place = self.decks.place(slot)
        return self.decks.holders(place) if place else ()

    def released(self, slot: str) -> tuple[int, ...]:
        """The players who have given out their key of a slot of the two-player deck."""
        place = self.decks.place(slot)
        return self.decks.released(place) if place else ()

    def seal_key(self, author: int) -> bytes:
        return self._seal_keys[author]

    def join(self, author: int) -> Join:
        """What the present holder of a number brought in: his own join or a substitute's."""
        return self._joins[author]

    def spoils(self, record: Record) -> bool:
        """Whether the record proves that a card cannot be one: a complaint, which needs no invitation (HID-18)."""
        draft = self.copy()
        draft.apply(record)
        return self.spoiled is None and draft.spoiled is not None

    # Records

    def apply(self, record: Record) -> None:
        """Check and take in one record. A Refusal has changed nothing."""
        if record.kind not in _EFFECTIVE:
            return
        if record.kind == "orders" and len(record.data) == _PLAIN:  # the common case cannot be refused here
            self.reveals.take_orders(record.by, record.seq, record.id, self._joins)
            return
        try:
            if record.kind == "reveal" and is_plain_reveal(record.data):
                self.reveals.take_dice(record.by, *record.data["items"][0][1:])
            elif shows_one(record.kind, record.data):
                self._take(record)
            else:  # one thing is refused before it changes anything, but of several the first may be good
                draft = self.copy()
                draft._take(record)
                self._adopt(draft)
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
                self._seal_keys[record.by] = parse_card(data["card"]).seal
            case "tie" | "takeback" | "answer":
                for item in data.get("items", ()):
                    self.reveals.check(self._joins[record.by], item)
            case _:  # open_all
                if gs_commitment(data["gs"]) != self._joins[record.by].gs:
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
            self._standing.pop((seat, kind), None)
            if isinstance(policy, list):
                self._standing[seat, kind] = Choice(by, seat, record.seq, policy[0], policy[1])
        if len(self._standing) > MAX_STANDING:
            raise Refusal("E-LARGE", "There are too many sealed standing orders.", step="HID-6")
        self.reveals.take_orders(by, record.seq, record.id, self._joins)

    def _own_seat(self, by: int, seat: str) -> None:
        if seat not in self.genesis.seats_of(by):
            raise Refusal("E-SEAT", "A record speaks for a seat that its author does not hold.", step="HID-1")

    def _hide(self, slot: str, choice: Choice) -> None:
        check_slot(slot)
        self._own_seat(choice.author, choice.seat)
        if self.decks.place(slot) is not None:
            raise Refusal("E-SEALED", "A secret choice has the name of a card.", step="HID-2")
        before = self._choices.get(slot)
        if before is not None:
            if (before.author, before.seat) != (choice.author, choice.seat):
                raise Refusal("E-SEALED", "A secret choice would replace another player's.", step="HID-2")
        elif sum(each.author == choice.author for each in self._choices.values()) >= MAX_OUTSTANDING:
            raise Refusal("E-LARGE", "Too many secret choices are waiting to be opened.", step="HID-2")
        self._choices.pop(slot, None)
        self._choices[slot] = choice

    def _open(self, by: int, slot: str, opened: bytes) -> None:
        """The opening of a secret choice (nonce32 || value) or of a card (HID-4, HID-15, HID-31)."""
        if self.decks.place(slot) is None:
            choice = self._choices.get(slot)
            if choice is None or choice.author != by:
                raise Refusal("E-PROMISE", f"There is no secret choice of this player in {slot}.", step="HID-4")
            nonce, value = opened[:NONCE], opened[NONCE:]
            if commitment(self.genesis.game_id, choice.seat, slot, nonce, value) != choice.commitment:
                raise Refusal("E-PROMISE", f"What is shown for {slot} is not what was chosen.", step="HID-4")
            chosen = unpad(value)
            if chosen is None:
                raise Refusal("E-PROMISE", f"What is shown for {slot} is not padded as it must be.", step="HID-1")
            del self._choices[slot]
            self._opened.pop(slot, None)
            self._opened[slot] = chosen
            for old in list(self._opened)[:-OPENED_KEPT]:
                del self._opened[old]
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
                self.reveals.take_nonce(self._joins[by], item[1])
            case "dice":
                self.reveals.take_dice(by, item[1], item[2])
            case "open":
                self._open(by, item[1], item[2] + item[3])
            case _:
                self._check_claim(by, item[3])

    def _check_claim(self, by: int, proof: bytes | None) -> None:
        """An answer that a sealed standing order is said to give: a proof, if there is one, opens it (HID-6)."""
        if proof is None:
            return
        nonce, value = proof[:NONCE], proof[NONCE:]
        for (seat, kind), choice in self._standing.items():
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
                if self.decks.kind == DEALT and by == UMPIRE and self.player_nonces() is None:
                    raise Refusal("E-DEAL", "The umpire cannot deal before all nonces are shown.", step="HID-30")
                self.decks.take_deal(by, item)
            case "give":
                seats = {seat.name: seat.player for seat in self.genesis.seats}
                if item[2] not in seats:
                    raise Refusal("E-SEAT", "A card is dealt to a seat that does not exist.", step="HID-31")
                self.decks.take_give(by, item[1], seats[item[2]], item[3])
            case _:
                self.decks.take_opened(by, item[1], item[2] + item[3])

    # Rulings

    def _take_ruling(self, record: Record) -> None:
        data = record.data
        if data["what"] == "escrow":
            if record.by != UMPIRE:
                raise Refusal("E-RULING", "Only the umpire holds the escrow.", step="CHA-9")
            self.reveals.take_dice(data["witness"], data["orders"], data["x"])
        elif data["what"] == "substitute" and self._is_agreed(record):
            self._substitute(data["player"], data["join"])
        elif data["what"] == "rekey" and self._is_agreed(record):
            self._seal_keys[data["player"]] = parse_card(data["card"]).seal

    def _is_agreed(self, record: Record) -> bool:
        """Whether this record puts a ruling in force: the last of the first of each whose say it needs (MEA-10)."""
        needed = rulers_of(self.genesis, record)
        if record.by not in needed:
            raise Refusal("E-RULING", "The author of this ruling has no say in this matter.", step="MEA-10")
        key = subject_of(record.data)
        who = self._agreed.get(key, ())
        if record.by in who:
            return False
        self._agreed[key] = tuple(sorted((*who, record.by)))
        return len(who) + 1 == len(needed)

    def _substitute(self, player: int, raw: bytes) -> None:
        if self.genesis.mode != OPEN_MODE and self.reveals.nonce(player) is None:
            raise Refusal(
                "E-RULING",
                "Nobody can take over before the first number for the dice has been shown; make a new offer.",
                step="GEN-8",
            )
        join = substitute_of(self.genesis, player, parse_record(raw))
        self._joins[player] = join
        self._substitutes[player] = raw
        self._seal_keys[player] = join.card.seal
        self.reveals.substitute(join, self._joins.values())
        self.decks.forget_boxes(player)
        self.gs.pop(player, None)
