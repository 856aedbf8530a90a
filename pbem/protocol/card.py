"""A card: who somebody is, and the keys with which they sign and receive (KEY-4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pbem.protocol import canonical, envelope
from pbem.protocol.characters import check_line
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys, check_seal_key, check_sign_key, check_signature, identity_of
from pbem.protocol.kinds import ID, fields, integer, judge, line, word
from pbem.protocol.limits import MAX_AT, MAX_CARD, MAX_CARD_NAME, MAX_EMAIL
from pbem.protocol.plain import MAKERS, Codec

_STEP = "KEY-4"
_CARD = fields(
    {
        "at": integer(0, MAX_AT),
        "email": line(0, MAX_EMAIL),
        "kind": word("card", "`card`"),
        "name": line(1, MAX_CARD_NAME),
        "seal": ID,
        "sign": ID,
        "v": integer(1, 1),
    }
)


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


@lru_cache(maxsize=512)  # the same few are read with each record and each mail
def parse_card(raw: bytes) -> Card:
    """The card in these bytes: form, keys and signature are checked."""
    if len(raw) > MAX_CARD:
        raise Refusal("E-LARGE", f"This card is {len(raw)} bytes long; at most {MAX_CARD} are allowed.", step=_STEP)
    body, signature = envelope.split(raw, MAX_CARD, "card", _STEP)
    value: Any = canonical.unpack(body, MAX_CARD)
    version = value.get("v") if type(value) is dict else None
    if type(version) is int and version != 1:
        raise Refusal(
            "E-VERSION", "This card is of a version that this pbem does not know; a newer one may.", step=_STEP
        )
    judge(_CARD, value, "card", _STEP)
    name, email, at, sign, seal = (value[key] for key in ("name", "email", "at", "sign", "seal"))
    check_sign_key(sign)
    check_seal_key(seal)
    card_id = tagged("pbem1/card", body)
    check_signature(sign, card_id, signature)
    return Card(raw, card_id, identity_of(sign), name, email, sign, seal, at)


MAKERS[Card] = lambda _: Codec(lambda card: card.raw, parse_card, fixed=True)
