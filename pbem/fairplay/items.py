"""The items of one player's records, and the hidden values that the player can see, given the ledger and their secrets.

Made deterministically: the same ledger and secrets give the same bytes, so that two different versions of one item
never exist. A request that the ledger does not allow is the caller's error, unless it raises a Refusal, which means
that another player has cheated.
"""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.fairplay import dealer
from pbem.fairplay.commitments import NONCE, DeckSlot, pad, standing_slot, unpad
from pbem.fairplay.deck import Returned, check_pass, decode, make_pass, own_key, read_scalar, write_scalar
from pbem.fairplay.deckledger import SHUFFLED, Decks, Epoch, Slot
from pbem.fairplay.ledger import Choice, Ledger
from pbem.fairplay.secret import GameSecrets, Opened
from pbem.protocol.canonical import Plain
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_POLICY


class FoulShuffle(Refusal):
    """The pass that one has received is foul: one's own could not follow it, and one opens everything (HID-14)."""


# Dice


def make_nonce_item(secrets: GameSecrets) -> list[Plain]:
    return ["nonce", secrets.nonce]


def make_dice_item(ledger: Ledger, secrets: Opened, witness: int, orders_id: bytes) -> list[Plain]:
    """["dice", orders_id, x]: the value of the chain for the chooser at the orders' sequence number (CHA-4)."""
    mark = ledger.marks.get(orders_id)
    if mark is None:
        raise ValueError("the ledger knows no such orders")
    chain = secrets.chain(witness, mark.by)
    if chain.cid != mark.cid:
        raise ValueError("the dice for these orders are another witness's")
    return ["dice", orders_id, chain.value(mark.seq)]


# Secret choices


def make_hide_row(secrets: Opened, game_id: bytes, seat: str, slot: str, seq: int, value: bytes) -> list[Plain]:
    """[slot, seat, commitment, box] for the orders record with number `seq` (HID-1, HID-3)."""
    padded = pad(value)
    committed = secrets.commit(game_id, seat, slot, seq, padded)
    return [slot, seat, committed, secrets.box(committed, padded)]


def make_standing_row(secrets: Opened, game_id: bytes, seat: str, kind: str, seq: int, policy: bytes) -> list[Plain]:
    """[seat, kind, [commitment, box]]: sealed standing orders (HID-6)."""
    padded = pad(policy, MAX_POLICY)
    committed = secrets.commit(game_id, seat, standing_slot(seat, kind), seq, padded)
    return [seat, kind, [committed, secrets.box(committed, padded)]]


def unboxed(secrets: Opened, choice: Choice) -> bytes:
    """The value in one's own box, or E-BOX."""
    value = unpad(secrets.unbox(choice.commitment, choice.box))
    if value is None:
        raise Refusal("E-BOX", "A box of yours holds something that is not padded as it must be.", step="HID-1")
    return value


def own_choice(ledger: Ledger, secrets: Opened, slot: str) -> bytes:
    """The value that one has committed to, from the box in one's own record."""
    return unboxed(secrets, _choice(ledger, slot))


def _choice(ledger: Ledger, slot: str) -> Choice:
    choice = ledger.sealed.get(slot)
    if choice is None:
        raise ValueError(f"nothing is committed in {slot}")
    return choice


def own_standing(ledger: Ledger, secrets: Opened, seat: str, kind: str) -> bytes | None:
    """One's sealed standing orders as now in force."""
    choice = ledger.standing.get((seat, kind))
    return None if choice is None else unboxed(secrets, choice)


def prove_standing(ledger: Ledger, secrets: Opened, seat: str, kind: str) -> bytes:
    """nonce32 || padded policy: the proof of an answer that comes from sealed standing orders."""
    choice = ledger.standing.get((seat, kind))
    if choice is None:
        raise ValueError("there are no such standing orders")
    return secrets.hide_nonce(choice.seq, standing_slot(seat, kind)) + secrets.unbox(choice.commitment, choice.box)


def choice_opening(ledger: Ledger, secrets: Opened, slot: str) -> bytes:
    """nonce32 || padded value (HID-4)."""
    choice = _choice(ledger, slot)
    return secrets.hide_nonce(choice.seq, slot) + secrets.unbox(choice.commitment, choice.box)


def make_open_item(ledger: Ledger, secrets: Opened, slot: str) -> list[Plain]:
    """["open", slot, nonce32, value]."""
    opened = choice_opening(ledger, secrets, slot)
    return ["open", slot, opened[:NONCE], opened[NONCE:]]


# The deck of two players


def make_pass_item(
    ledger: Ledger, secrets: Opened, player: int, deck: str, cards: Sequence[int], back: Sequence[str] = ()
) -> list[Plain]:
    """The next pass of the shuffle that the rules ask for with these open cards and unopened slots (HID-19)."""
    decks = ledger.decks
    epoch = decks.wanted(deck, cards, back)
    stage = epoch.stage + 1
    if decks.kind != SHUFFLED or decks.author(epoch.plan, stage) != player:
        raise ValueError("this pass is not this player's")
    before = epoch.points
    returned = [returned_point(decks, secrets, player, place) for place in epoch.back] if stage <= 2 else []
    made = make_pass(secrets.gs, epoch.plan, stage, player, before, returned)
    try:
        check_pass(epoch.plan, stage, made)
    except Refusal:
        if stage == 1:  # nobody's pass lies before it
            raise
        raise FoulShuffle(
            "E-DECK",
            f"The other player's part in the shuffle of {deck} is a fraud: two of its cards are the same. Your "
            "program stops here. Open everything, and the audit will show it.",
            step="HID-14",
        ) from None
    inputs: tuple[list[Plain], list[Plain]] = ([], [])
    if stage == 1:
        inputs = ([*epoch.plan.cards], [str(place) for place in epoch.back])
    return ["pass", deck, epoch.plan.epoch, stage, made.points, made.commitments, *inputs]


def returned_point(decks: Decks, secrets: Opened, player: int, place: DeckSlot) -> Returned:
    epoch, slot = _held(decks, place)
    return Returned(slot.point, _own_key(decks, secrets, player, epoch, place))


def _held(decks: Decks, place: DeckSlot) -> tuple[Epoch, Slot]:
    epoch, slot = decks.epoch(place.deck, place.epoch), decks.slot(place)
    if epoch is None or slot is None:
        raise ValueError(f"there is no card {place}")
    return epoch, slot


def _place(decks: Decks, text: str) -> DeckSlot:
    place = decks.place(text)
    if place is None:
        raise ValueError(f"{text} is not a card of this game")
    return place


def _own_key(decks: Decks, secrets: Opened, player: int, epoch: Epoch, place: DeckSlot) -> int:
    return own_key(secrets.gs, epoch.plan, "AB"[decks.side(player)], place.j)


def make_slot_item(ledger: Ledger, secrets: Opened, player: int, slot: str) -> list[Plain]:
    """["slot", slot, scalar32]: gives the card to the other player, or shows a card that one holds."""
    place = _place(ledger.decks, slot)
    epoch, _ = _held(ledger.decks, place)
    return ["slot", slot, write_scalar(_own_key(ledger.decks, secrets, player, epoch, place))]


# The umpire's deck


def umpire_card(ledger: Ledger, secrets: Opened, slot: str) -> int:
    """What the umpire dealt into a slot."""
    place = _place(ledger.decks, slot)
    epoch, held = _held(ledger.decks, place)
    if held.card is not None:
        return held.card
    found = dealer.find_card(secrets.gs, ledger.genesis.game_id, place, held.point, epoch.pool)
    if found is None:
        raise ValueError(f"{slot} was not dealt with these secrets")
    return found


def deal_order(ledger: Ledger, secrets: Opened, epoch: Epoch) -> tuple[int, ...]:
    """The card of each slot of an epoch that the umpire deals (HID-30)."""
    nonces = ledger.nonces(ledger.genesis.players)
    if nonces is None:
        raise ValueError("not all nonces are known")
    things = [*epoch.plan.cards, *(umpire_card(ledger, secrets, str(place)) for place in epoch.back)]
    return dealer.deal_order(secrets.gs, ledger.genesis.game_id, epoch.plan.deck, epoch.plan.epoch, nonces, things)


def make_deal_item(
    ledger: Ledger, secrets: Opened, deck: str, cards: Sequence[int], back: Sequence[str] = ()
) -> list[Plain]:
    """["deal", deck, epoch, commitments, cards, back] by the umpire."""
    epoch = ledger.decks.plan(deck, cards, back)
    committed = deal_commitments(ledger, secrets, epoch)
    return ["deal", deck, epoch.plan.epoch, committed, [*cards], [*back]]


def deal_commitments(ledger: Ledger, secrets: Opened, epoch: Epoch) -> bytes:
    game_id, plan = ledger.genesis.game_id, epoch.plan
    places = (DeckSlot(plan.deck, plan.epoch, j) for j in range(plan.size))
    order = deal_order(ledger, secrets, epoch)
    return b"".join(
        dealer.commit(game_id, place, dealer.opening(secrets.gs, place, card))
        for place, card in zip(places, order, strict=True)
    )


def make_give_item(ledger: Ledger, secrets: Opened, slot: str, seat: str) -> list[Plain]:
    """["give", slot, seat, box]: the card, sealed to the player of the seat (HID-31)."""
    public = ledger.seal_key(ledger.genesis.player_of(seat))
    return ["give", slot, seat, give_box(ledger, secrets, slot, public)]


def give_box(ledger: Ledger, secrets: Opened, slot: str, public: bytes) -> bytes:
    return dealer.make_box(secrets.gs, _place(ledger.decks, slot), umpire_card(ledger, secrets, slot), public)


def make_show_item(ledger: Ledger, secrets: Opened, slot: str) -> list[Plain]:
    """["show", slot, nonce32, be32 card] by the umpire."""
    card = umpire_card(ledger, secrets, slot)
    opened = dealer.opening(secrets.gs, _place(ledger.decks, slot), card)
    return ["show", slot, opened[:NONCE], opened[NONCE:]]


# Cards in hand


def decode_for(
    ledger: Ledger, secrets: Opened, player: int, slot: str, private: X25519PrivateKey | None = None
) -> int | None:
    """The card of a slot as this player sees it, or None if they do not (yet) know it.

    `private` is their sealing key, wanted where an umpire deals. E-DECODE and E-DEAL say that somebody has cheated, and
    what the player can do: with `make_slot_item` they show everybody that a slot holds no card (HID-18).
    """
    public = ledger.value(slot)
    place = ledger.decks.place(slot)
    if isinstance(public, int) or place is None:
        return public if isinstance(public, int) else None
    if player not in ledger.holders(slot):
        return None
    if ledger.decks.kind != SHUFFLED:
        return _given(ledger, place, player, private)
    card = _drawn(ledger, secrets, player, place)
    epoch = ledger.decks.epoch(place.deck, place.epoch)
    for j, other in epoch.slots.items() if epoch else ():
        twin = DeckSlot(place.deck, place.epoch, j)
        known = other.card
        if known is None and twin != place and player in ledger.decks.holders(twin):
            known = _drawn(ledger, secrets, player, twin)
        if twin != place and known == card:
            raise _no_card(place, f"it holds the same card as {twin}")
    return card


def _drawn(ledger: Ledger, secrets: Opened, player: int, place: DeckSlot) -> int:
    epoch, slot = _held(ledger.decks, place)
    own = _own_key(ledger.decks, secrets, player, epoch, place)
    other = read_scalar(slot.keys[1 - ledger.decks.side(player)])
    card = decode(place.deck, epoch.pool, slot.point, own, other)
    if card is None:
        raise _no_card(place, "it holds no card")
    return card


def _no_card(place: DeckSlot, why: str) -> Refusal:
    return Refusal(
        "E-DECODE",
        f"Somebody cheated when {place.deck} was shuffled: you were dealt {place}, and {why}. "
        "Your program can show this to everybody; then all secrets are opened and show who it was.",
        step="HID-18",
    )


def _given(ledger: Ledger, place: DeckSlot, player: int, private: X25519PrivateKey | None) -> int:
    _, slot = _held(ledger.decks, place)
    if private is None:
        raise ValueError("a card dealt by the umpire needs the sealing key")
    opened = dealer.open_box(private, ledger.genesis.game_id, place, slot.point, dict(slot.boxes)[player])
    return int.from_bytes(opened[NONCE:], "big")


def card_opening(
    ledger: Ledger, secrets: Opened, player: int, slot: str, private: X25519PrivateKey | None = None
) -> bytes:
    """What opens a card that one plays: one's key of the slot, or nonce32 || be32 card (HID-16, HID-31)."""
    place = _place(ledger.decks, slot)
    epoch, held = _held(ledger.decks, place)
    if ledger.decks.kind == SHUFFLED:
        return write_scalar(_own_key(ledger.decks, secrets, player, epoch, place))
    if private is None or player not in dict(held.boxes):
        raise ValueError("a card dealt by the umpire needs its box and the sealing key")
    return dealer.open_box(private, ledger.genesis.game_id, place, held.point, dict(held.boxes)[player])
