"""Decks, as far as the log shows them: passes, deals, keys given out, cards seen (docs/spec/hidden.md, HID-12..HID-33).

`Decks` judges the deck items of records. It knows no secrets and no rules: whether a shuffle or a card was asked for is
for the rules to judge. Epochs and slots are values that are replaced, never changed: a copy of `Decks` is cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbem.fairplay import dealer
from pbem.fairplay.commitments import NONCE, DeckSlot, deck_slot
from pbem.fairplay.deck import Pass, Plan, check_pass, decode, read_scalar, release_commitment, split
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DECK, MAX_EPOCH, MAX_OLD_SLOTS
from pbem.protocol.record import UMPIRE

SHUFFLED, DEALT, OPEN = "shuffled", "dealt", "open"
"""Who makes the order of a deck: two players, the umpire, or nobody (GEN-9)."""


class Slot(NamedTuple):
    """One card back. Once the card is public nothing else of it is kept.

    `point` is S_j, or the umpire's commitment; `locks` the commitments to the keys of A and B, `keys` those released,
    empty while they are not; `boxes` what the umpire sealed to players.
    """

    point: bytes = b""
    locks: tuple[bytes, bytes] = (b"", b"")
    keys: tuple[bytes, bytes] = (b"", b"")
    boxes: tuple[tuple[int, bytes], ...] = ()
    card: int | None = None


class Epoch(NamedTuple):
    """One shuffle of a deck. `stage` counts the passes that are in; the slots are there when all are."""

    plan: Plan
    back: tuple[DeckSlot, ...]
    pool: tuple[int, ...]  # the cards that a slot can hold, ascending
    slots: dict[int, Slot]
    stage: int = 0
    points: tuple[bytes, ...] = ()  # of the last pass, while the shuffle is under way
    locks: bytes = b""  # A's commitments, while the shuffle is under way

    @property
    def complete(self) -> bool:
        return self.stage < 0

    def with_slot(self, j: int, slot: Slot) -> Epoch:
        return self._replace(slots={**self.slots, j: slot})


COMPLETE = -1
"""The `stage` of an epoch whose cards can be drawn."""


@dataclass(slots=True)
class Decks:
    """All decks of a game. What takes an item raises a Refusal or changes `self`, never both.

    `pair`: players A and B. `spoiled`: a slot that cannot be a card, so that somebody cheated in the shuffle (HID-18).
    """

    game_id: bytes
    names: tuple[str, ...]
    kind: str
    pair: tuple[int, int]
    epochs: dict[tuple[str, int], Epoch] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    spoiled: str | None = None

    # What is known

    def place(self, slot: str) -> DeckSlot | None:
        """The deck slot of this name, whether it exists or not; None if it names none of this game's decks."""
        found = deck_slot(slot)
        return found if found is not None and found.deck in self.names else None

    def epoch(self, deck: str, number: int | None = None) -> Epoch | None:
        return self.epochs.get((deck, self.last.get(deck, 0) if number is None else number))

    def slot(self, place: DeckSlot) -> Slot | None:
        epoch = self.epochs.get((place.deck, place.epoch))
        return epoch.slots.get(place.j) if epoch else None

    def due(self, deck: str) -> tuple[int, int] | None:
        """Stage and author of the pass that comes next, while a shuffle is under way."""
        epoch = self.epoch(deck)
        return None if epoch is None or epoch.complete else (epoch.stage + 1, self.author(epoch.plan, epoch.stage + 1))

    def author(self, plan: Plan, stage: int) -> int:
        """Who owes a stage."""
        return self.pair["AB".index(plan.stages[stage - 1])] if self.kind == SHUFFLED else UMPIRE

    def side(self, player: int) -> int:
        """0 for A, 1 for B."""
        return self.pair.index(player)

    def holders(self, place: DeckSlot) -> tuple[int, ...]:
        """The players who can know the card while it is not public: those to whom everything was given."""
        slot = self.slot(place)
        if slot is None or slot.card is not None:
            return ()
        if self.kind == DEALT:
            return tuple(sorted({player for player, _ in slot.boxes}))
        return tuple(player for player in self.pair if slot.keys[1 - self.side(player)])

    def held(self, player: int) -> tuple[str, ...]:
        """The slots, not public, whose cards the player can know."""
        places = (DeckSlot(deck, number, j) for (deck, number), epoch in self.epochs.items() for j in epoch.slots)
        return tuple(str(place) for place in places if player in self.holders(place))

    def public(self) -> dict[str, int]:
        """The cards that everybody knows, by slot."""
        return {
            str(DeckSlot(deck, number, j)): slot.card
            for (deck, number), epoch in self.epochs.items()
            for j, slot in epoch.slots.items()
            if slot.card is not None
        }

    def released(self, place: DeckSlot) -> tuple[int, ...]:
        """The players who have given out their key of the slot."""
        slot = self.slot(place)
        if slot is None or self.kind != SHUFFLED:
            return ()
        return tuple(player for player in self.pair if slot.keys[self.side(player)])

    def wanted(self, deck: str, cards: Sequence[int], back: Sequence[str]) -> Epoch:
        """The epoch that answers a request: the one under way, or the next one with nothing done yet (HID-19)."""
        epoch = self.epoch(deck)
        return epoch if epoch is not None and not epoch.complete else self.plan(deck, cards, back)

    def in_use(self) -> bool:
        return bool(self.epochs)

    # Shuffles

    def plan(self, deck: str, cards: Sequence[int], back: Sequence[str], number: int | None = None) -> Epoch:
        """The next epoch of a deck, of these open cards and unopened slots, with nothing done yet (HID-17, HID-19)."""
        if deck not in self.names:
            raise _deck("This game has no deck of that name.", "GEN-1")
        last = self.epoch(deck)
        if last is not None and not last.complete:
            raise _deck("A shuffle of this deck is under way.", "HID-19")
        due = self.last.get(deck, 0) + 1
        if due > MAX_EPOCH or (number is not None and number != due):
            raise _deck(f"The next shuffle of this deck has number {due}.", "HID-19")
        if list(cards) != sorted(set(cards)):
            raise _deck("The open cards of a shuffle are not in ascending order.", "HID-17")
        places = [self._returnable(deck, slot) for slot in back]
        if places != sorted(set(places)):
            raise _deck("The cards that go back unopened are not in ascending order.", "HID-17")
        pool = set(cards)
        for number_back in {place.epoch for place in places}:
            pool.update(self.epochs[deck, number_back].pool)
        if not 1 <= len(cards) + len(places) <= MAX_DECK or len(pool) > MAX_DECK:
            raise _deck(f"A deck has 1 to {MAX_DECK} cards.", "HID-17")
        plan = Plan(self.game_id, deck, due, tuple(cards), len(places))
        return Epoch(plan, tuple(places), tuple(sorted(pool)), {})

    def _returnable(self, deck: str, text: str) -> DeckSlot:
        place = self.place(text)
        slot = self.slot(place) if place is not None else None
        if place is None or slot is None or place.deck != deck:
            raise _deck("A card that is not from this deck goes back unopened.", "HID-17")
        if slot.card is not None:
            raise _deck(f"{text} is open; it goes back as an open card.", "HID-17")
        return place

    def take_pass(self, by: int, item: Sequence[Any]) -> None:
        """["pass", deck, epoch, stage, points, commitments, cards, back]."""
        _, deck, number, stage, points, commitments, cards, back = item
        if self.kind != SHUFFLED:
            raise _deck("In this game no players shuffle.", "GEN-9")
        if stage == 1:
            epoch = self.plan(deck, cards, back, number)
        else:
            last = self.epoch(deck)
            if last is None or last.plan.epoch != number or last.stage != stage - 1:
                raise _deck("This is not the next pass of the shuffle.", "HID-12")
            if cards or back:
                raise _deck("Only the first pass of a shuffle says what is shuffled.", "HID-12")
            epoch = last
        plan = epoch.plan
        if stage > len(plan.stages) or self.author(plan, stage) != by:
            raise _deck("This pass of the shuffle is the other player's.", "HID-17" if plan.back else "HID-12")
        checked = check_pass(plan, stage, Pass(points, commitments))
        if stage < len(plan.stages):
            self._put(epoch._replace(stage=stage, points=checked, locks=commitments))
            return
        locks = zip(split(epoch.locks), split(commitments), strict=True)
        slots = {j: Slot(u, pair) for j, (u, pair) in enumerate(zip(checked, locks, strict=True))}
        self._finish(epoch._replace(slots=slots))

    def take_deal(self, by: int, item: Sequence[Any]) -> None:
        """["deal", deck, epoch, commitments, cards, back]."""
        _, deck, number, commitments, cards, back = item
        self._umpire_only(by)
        epoch = self.plan(deck, cards, back, number)
        if len(commitments) != 32 * epoch.plan.size:
            raise _deal("The umpire's deal holds another number of cards than the deck.", "HID-31")
        self._finish(epoch._replace(slots={j: Slot(each) for j, each in enumerate(split(commitments))}))

    def deal_open(self, key: bytes, deck: str, cards: Sequence[int], back: Sequence[str]) -> int:
        """Shuffle in mode `open`, where no record does it: the number of the new epoch (HID-50)."""
        if self.kind != OPEN:
            raise ValueError("cards are dealt openly in mode open only")
        things = list(cards)
        for text in back:
            place = self.place(text)
            slot = self.slot(place) if place is not None else None
            if slot is None or slot.card is None:
                raise ValueError(f"no such card goes back: {text}")
            things.append(slot.card)
        epoch = self.plan(deck, sorted(things), ())
        order = dealer.open_order(key, deck, epoch.plan.epoch, things)
        self._finish(epoch._replace(slots={j: Slot(card=card) for j, card in enumerate(order)}))
        return epoch.plan.epoch

    def _put(self, epoch: Epoch) -> None:
        self.epochs[epoch.plan.deck, epoch.plan.epoch] = epoch
        self.last[epoch.plan.deck] = max(epoch.plan.epoch, self.last.get(epoch.plan.deck, 0))

    def _finish(self, epoch: Epoch) -> None:
        self._retire(epoch)
        self._put(epoch._replace(stage=COMPLETE, points=(), locks=b""))

    def _retire(self, new: Epoch) -> None:
        """Forget the slots whose cards went into the new epoch (HID-20)."""
        deck, cards, back = new.plan.deck, set(new.plan.cards), set(new.back)
        kept: dict[tuple[str, int], Epoch] = {}
        out = 0
        for (name, number), epoch in self.epochs.items():
            if name != deck or number == new.plan.epoch:
                kept[name, number] = epoch
                continue
            slots = {
                j: slot
                for j, slot in epoch.slots.items()
                if slot.card not in cards and DeckSlot(deck, number, j) not in back
            }
            out += len(slots)
            if slots:
                kept[name, number] = epoch._replace(slots=slots)
        if out > MAX_OLD_SLOTS:
            raise Refusal("E-LARGE", "Too many cards of past shuffles of a deck are still out.", step="HID-20")
        self.epochs = kept

    # Single cards

    def _hidden(self, text: str, code: str) -> tuple[DeckSlot, Epoch, Slot]:
        place = self.place(text)
        epoch = self.epochs.get((place.deck, place.epoch)) if place else None
        slot = epoch.slots.get(place.j) if epoch and place else None
        if place is None or epoch is None or slot is None:
            raise Refusal(code, f"There is no card {text} in this game.", step="HID-16")
        if slot.card is not None:
            raise Refusal(code, f"The card {text} is already open.", step="HID-16")
        return place, epoch, slot

    def take_key(self, by: int, text: str, raw: bytes) -> None:
        """A player's key of a slot: ["slot", slot, scalar32], or the opening of a card they play (HID-15, HID-16)."""
        if self.kind != SHUFFLED or by not in self.pair:
            raise Refusal("E-PROMISE", "In this game no player holds keys of cards.", step="GEN-9")
        place, epoch, slot = self._hidden(text, "E-PROMISE")
        side = self.side(by)
        if slot.keys[side]:
            raise Refusal("E-PROMISE", f"The key of {text} was given before.", step="HID-15")
        if release_commitment(epoch.plan, place.j, by, raw) != slot.locks[side]:
            raise Refusal("E-PROMISE", f"The key of {text} is not the one promised in the shuffle.", step="HID-15")
        read_scalar(raw)
        keys = (raw, slot.keys[1]) if side == 0 else (slot.keys[0], raw)
        if not all(keys):
            self._put(epoch.with_slot(place.j, slot._replace(keys=keys)))
            return
        card = decode(place.deck, epoch.pool, slot.point, read_scalar(keys[0]), read_scalar(keys[1]))
        if card is None:
            self.spoiled = self.spoiled or text
            self._put(epoch.with_slot(place.j, slot._replace(keys=keys)))
        else:
            self._show(place, epoch, card)

    def _show(self, place: DeckSlot, epoch: Epoch, card: int) -> None:
        if any(slot.card == card for slot in epoch.slots.values()):  # one card in two slots of one shuffle
            self.spoiled = self.spoiled or str(place)
        self._put(epoch.with_slot(place.j, Slot(card=card)))

    def _umpire_only(self, by: int) -> None:
        if self.kind != DEALT or by != UMPIRE:
            raise _deal("Only an umpire who deals may do this.", "GEN-9")

    def take_give(self, by: int, text: str, player: int, box: bytes) -> None:
        """["give", slot, seat, box]. A further box for the same player replaces the first (HID-33)."""
        self._umpire_only(by)
        place, epoch, slot = self._hidden(text, "E-DEAL")
        boxes = (*((who, old) for who, old in slot.boxes if who != player), (player, box))
        self._put(epoch.with_slot(place.j, Slot(slot.point, slot.locks, slot.keys, boxes)))

    def take_opened(self, by: int, text: str, opened: bytes) -> None:
        """["show", slot, nonce32, value] by the umpire, or the opening of a card that a player was given (HID-31)."""
        if self.kind != DEALT:
            raise _deal("In this game no umpire deals.", "GEN-9")
        place, epoch, slot = self._hidden(text, "E-DEAL")
        if by != UMPIRE and by not in {player for player, _ in slot.boxes}:
            raise _deal(f"{text} was not dealt to the player who opens it.", "HID-31")
        if len(opened) != dealer.OPENING or dealer.commit(self.game_id, place, opened) != slot.point:
            raise _deal(f"The opening of {text} is not what the umpire committed to.", "HID-31")
        card = int.from_bytes(opened[NONCE:], "big")
        if card not in epoch.pool:
            self.spoiled = self.spoiled or text
        else:
            self._show(place, epoch, card)

    def forget_boxes(self, player: int) -> None:
        """A substitute cannot open what was sealed to the player before them: the umpire gives again (HID-33)."""
        for epoch in list(self.epochs.values()):
            slots = {
                j: slot._replace(boxes=tuple(box for box in slot.boxes if box[0] != player))
                for j, slot in epoch.slots.items()
            }
            self._put(epoch._replace(slots=slots))


def _deck(sentence: str, step: str) -> Refusal:
    return Refusal("E-DECK", sentence, step=step)


def _deal(sentence: str, step: str) -> Refusal:
    return Refusal("E-DEAL", sentence, step=step)
