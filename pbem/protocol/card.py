"""A card: who somebody is, and the keys that speak and receive for him (KEY-4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pbem.protocol import canonical, envelope
from pbem.protocol.characters import check_line
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys, check_seal_key, check_sign_key, check_signature, identity_of
from pbem.protocol.limits import MAX_AT, MAX_CARD, MAX_CARD_NAME, MAX_EMAIL

_STEP = "KEY-4"
_KEYS = ("at", "email", "kind", "name", "seal", "sign", "v")


@dataclass(frozen=True, slots=True)
class Card:
    """A card whose signature holds. Two cards are equal if their bytes are."""

    raw: bytes
    id: bytes = field(compare=False)
    identity: bytes = field(compare=False)
    name: str = field(compare=False)
    email: str = field(compare=False)
    sign: bytes = field(compare=False)
    seal: bytes = field(compare=False)
    at: int = field(compare=False)


def make_card(keys: Keys, name: str, email: str, at: int) -> Card:
    """Sign one's own card; a Refusal says what is wrong with name or address."""
    check_line(name, 1, MAX_CARD_NAME, "The name", _STEP)
    check_line(email, 0, MAX_EMAIL, "The mail address", _STEP)
    body = canonical.pack(
        {
            "at": at,
            "email": email,
            "kind": "card",
            "name": name,
            "seal": keys.seal_public,
            "sign": keys.sign_public,
            "v": 1,
        }
    )
    return parse_card(envelope.join(body, keys.sign(tagged("pbem1/card", body))))


def parse_card(raw: bytes) -> Card:
    """The card in these bytes: form, keys and signature are checked."""
    if len(raw) > MAX_CARD:
        raise Refusal("E-LARGE", f"This card is {len(raw)} bytes long; at most {MAX_CARD} are allowed.", step=_STEP)
    body, signature = envelope.split(raw, MAX_CARD, "card", _STEP)
    value: Any = canonical.unpack(body, MAX_CARD)
    if type(value) is not dict or tuple(value) != _KEYS:
        raise _odd("it does not have exactly the fields of a card")
    if value["kind"] != "card":
        raise _odd("it says it is something else")
    if type(value["v"]) is not int or value["v"] != 1:
        raise Refusal(
            "E-VERSION", "This card is of a version that this pbem does not know; a newer one may.", step=_STEP
        )
    name, email, at, sign, seal = (value[key] for key in ("name", "email", "at", "sign", "seal"))
    if type(at) is not int or not 0 <= at <= MAX_AT:
        raise _odd("its date is not a number of seconds since 1970")
    if type(name) is not str or type(email) is not str:
        raise _odd("name and mail address are texts")
    if type(sign) is not bytes or type(seal) is not bytes or len(sign) != 32 or len(seal) != 32:
        raise _odd("a key has 32 bytes")
    check_line(name, 1, MAX_CARD_NAME, "The name on the card", _STEP)
    check_line(email, 0, MAX_EMAIL, "The mail address on the card", _STEP)
    check_sign_key(sign)
    check_seal_key(seal)
    card_id = tagged("pbem1/card", body)
    check_signature(sign, card_id, signature)
    return Card(raw, card_id, identity_of(sign), name, email, sign, seal, at)


def _odd(why: str) -> Refusal:
    return Refusal("E-FORM", f"This is not a card that pbem understands: {why}.", step=_STEP)
