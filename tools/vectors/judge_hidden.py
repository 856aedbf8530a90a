"""What the program makes of the vectors of hidden information."""

from __future__ import annotations

from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pbem.fairplay import dealer, deck
from pbem.fairplay.deck import Pass, Plan, Returned
from pbem.fairplay.hidden import NONCE, commitment, deck_slot
from pbem.fairplay.secret import Opened
from pbem.protocol.digest import be32
from pbem.protocol.errors import Refusal
from pbem.protocol.seal import ephemeral, seal, unseal
from tools.vectors.vector import Vector

Facts = dict[str, str]


def _raw(vector: Vector, name: str) -> bytes:
    text = vector.facts[name]
    return b"" if text == "-" else bytes.fromhex(text)


def _numbers(vector: Vector, name: str) -> tuple[int, ...]:
    text = vector.facts[name]
    return () if text == "-" else tuple(map(int, text.split()))


def _given(vector: Vector, *found: str) -> Facts:
    """The facts that a reader needs, without those that they must find."""
    return {name: value for name, value in vector.facts.items() if name not in found}


def _commitment(vector: Vector) -> Facts:
    facts = vector.facts
    nonce, value = vector.payload[:NONCE], vector.payload[NONCE:]
    made = commitment(_raw(vector, "game"), facts["seat"], facts["slot"], nonce, value)
    if made != _raw(vector, "commitment"):
        raise Refusal("E-PROMISE", "This opens another commitment.", step="HID-4")
    author = Opened(_raw(vector, "gs"))
    again = author.commit(_raw(vector, "game"), facts["seat"], facts["slot"], int(facts["seq"]), value)
    return {**_given(vector, "commitment"), "commitment": again.hex()}


def _box(vector: Vector) -> Facts:
    author = Opened(_raw(vector, "gs"))
    context = _raw(vector, "context")
    plaintext = author.unbox(context, vector.payload)
    if author.box(context, plaintext) != vector.payload:
        raise ValueError("a box that is not made in the same way again")
    return {**_given(vector, "plaintext"), "plaintext": plaintext.hex() or "-"}


def _seal(vector: Vector) -> Facts:
    private = X25519PrivateKey.from_private_bytes(_raw(vector, "private"))
    aad, purpose = _raw(vector, "aad"), vector.facts["purpose"]
    plaintext = unseal(private, purpose, aad, vector.payload)
    key: X25519PublicKey = private.public_key()
    public = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    if seal(ephemeral(_raw(vector, "gs"), purpose, aad), public, purpose, aad, plaintext) != vector.payload:
        raise ValueError("a box that is not made in the same way again")
    return {**_given(vector, "plaintext"), "plaintext": plaintext.hex() or "-"}


def _cardpoint(vector: Vector) -> Facts:
    plan = Plan(bytes(32), vector.facts["deck"], 1, (int(vector.facts["card"]),))
    deck.check_pass(plan, 1, Pass(vector.payload, b""))
    if deck.card_point(plan.deck, plan.cards[0]) != vector.payload:
        raise ValueError("the point of another card")
    return dict(vector.facts)


def _pass(vector: Vector) -> Facts:
    facts = vector.facts
    plan = Plan(_raw(vector, "game"), facts["deck"], int(facts["epoch"]), _numbers(vector, "cards"), int(facts["back"]))
    stage = int(facts["stage"])
    size = 32 * plan.size if plan.locks(stage) else len(vector.payload)
    sent = Pass(vector.payload[:size], vector.payload[size:])
    deck.check_pass(plan, stage, sent)
    pairs = deck.split(_raw(vector, "returned"))
    back = [Returned(u, deck.read_scalar(key)) for u, key in zip(pairs[::2], pairs[1::2], strict=True)]
    before = deck.split(_raw(vector, "before"))
    if deck.make_pass(_raw(vector, "gs"), plan, stage, int(facts["by"]), before, back) != sent:
        raise ValueError("a pass that is not made in the same way again")
    return dict(facts)


def _slot(vector: Vector) -> Facts:
    facts = vector.facts
    plan = Plan(_raw(vector, "game"), facts["deck"], int(facts["epoch"]), ())
    keys = deck.split(vector.payload)
    for by, key in enumerate(keys):
        if deck.release_commitment(plan, int(facts["slot"]), by, key) != _raw(vector, f"commitment_{'ab'[by]}"):
            raise Refusal("E-PROMISE", "This is not the promised key.", step="HID-15")
    one, two = map(deck.read_scalar, keys)
    card = deck.decode(plan.deck, _numbers(vector, "pool"), _raw(vector, "point"), one, two)
    if card is None:
        raise Refusal("E-DECODE", "This slot holds no card.", step="HID-18")
    return {**_given(vector, "card"), "card": str(card)}


def _order(vector: Vector) -> Facts:
    facts = vector.facts
    name, epoch, things = facts["deck"], int(facts["epoch"]), _numbers(vector, "things")
    if facts["kind"] == "open":
        order = dealer.open_order(_raw(vector, "key"), name, epoch, things)
    else:
        nonces = [bytes.fromhex(nonce) for nonce in facts["nonces"].split()]
        order = dealer.deal_order(_raw(vector, "gs"), _raw(vector, "game"), name, epoch, nonces, things)
    if b"".join(map(be32, order)) != vector.payload:
        raise Refusal("E-AUDIT", "The cards were dealt in another order.", step="HID-30")
    return dict(facts)


def _dealt(vector: Vector) -> Facts:
    place = deck_slot(vector.facts["slot"])
    opened = vector.payload
    if place is None:
        raise ValueError("not a card's slot")
    if len(opened) != dealer.OPENING or dealer.commit(_raw(vector, "game"), place, opened) != _raw(
        vector, "commitment"
    ):
        raise Refusal("E-DEAL", "This is not what was dealt.", step="HID-31")
    card = int.from_bytes(opened[NONCE:], "big")
    if dealer.opening(_raw(vector, "gs"), place, card) != opened:
        raise ValueError("an opening that is not made in the same way again")
    return {**_given(vector, "card"), "card": str(card)}


HIDDEN_JUDGES: dict[str, Callable[[Vector], Facts]] = {
    "box": _box,
    "cardpoint": _cardpoint,
    "commitment": _commitment,
    "dealt": _dealt,
    "order": _order,
    "pass": _pass,
    "seal": _seal,
    "slot": _slot,
}
