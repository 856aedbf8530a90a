"""Keys and cards: KEY-1..KEY-5; phrases: KEY-6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.protocol import envelope
from pbem.protocol.card import make_card, parse_card
from pbem.protocol.digest import tagged
from pbem.protocol.keys import Keys
from pbem.protocol.words import fingerprint, phrase
from tools.vectors.edwards import L, add, multiply
from tools.vectors.people import (
    ALICE,
    AT,
    BASE,
    BOB,
    TORSION,
    encode,
    hash_scalar,
    loose,
    secret_scalar,
    signature,
)
from tools.vectors.vector import SUCCESS, Vector


def _body(keys: Keys = ALICE, **changed: Any) -> bytes:
    fields: dict[str, Any] = {
        "at": AT,
        "email": "alice@example.org",
        "kind": "card",
        "name": "Alice Kern",
        "seal": keys.seal_public,
        "sign": keys.sign_public,
        "v": 1,
    }
    fields.update(changed)
    return loose({key: value for key, value in fields.items() if value is not ...})


def _card(**changed: Any) -> bytes:
    body = _body(**changed)
    return envelope.join(body, ALICE.sign(tagged("pbem1/card", body)))


def _identity_key() -> bytes:
    """The key of order 1: one signature that holds for every message."""
    body = _body(sign=b"\x01" + bytes(31))
    return envelope.join(body, encode(BASE) + (1).to_bytes(32, "little"))


def _mixed_key() -> bytes:
    """A key of mixed order. Its date is chosen so that the signature holds all the same."""
    public = encode(add(multiply(secret_scalar(ALICE), BASE), TORSION))
    nonce = 12_345
    point = multiply(nonce, BASE)
    at = AT
    while True:
        body = _body(sign=public, at=at)
        digest = tagged("pbem1/card", body)
        if hash_scalar(encode(point), public, digest) % 8 == 0:
            return envelope.join(body, signature(point, nonce, public, secret_scalar(ALICE), digest))
        at += 1


def _bad_signatures() -> Iterator[Vector]:
    body = _body()
    digest, public, scalar = tagged("pbem1/card", body), ALICE.sign_public, secret_scalar(ALICE)
    good = ALICE.sign(digest)
    malleated = good[:32] + (int.from_bytes(good[32:], "little") + L).to_bytes(32, "little")
    nonce = 12_345
    torsion = signature(add(multiply(nonce, BASE), TORSION), nonce, public, scalar, digest)
    no_nonce = signature((0, 1, 1, 0), 0, public, scalar, digest)
    for name, comment, sig in (
        ("flipped", "one bit of the signature changed", good[:-1] + bytes((good[-1] ^ 1,))),
        ("malleated", "S + l in place of S", malleated),
        ("torsion-r", "R with a part of small order: only the cofactored equation holds", torsion),
        ("identity-r", "R is the identity", no_nonce),
        ("other-key", "signed by somebody else", BOB.sign(digest)),
        ("other-label", "signature over the id of a record with this body", ALICE.sign(tagged("pbem1/rec", body))),
    ):
        yield Vector(f"card-signature-{name}", "card", "E-SIGNATURE", "KEY-2", comment, envelope.join(body, sig))


_BAD: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("no-email", "E-FORM", "a field is missing", {"email": ...}),
    ("extra", "E-FORM", "a field too many", {"w": 1}),
    ("kind", "E-FORM", "says that it is a record", {"kind": "orders"}),
    ("version", "E-VERSION", "of version 2", {"v": 2}),
    ("at-bool", "E-FORM", "a boolean is no date", {"at": True}),
    ("at-negative", "E-FORM", "before 1970", {"at": -1}),
    ("name-empty", "E-TEXT", "no name", {"name": ""}),
    ("name-65", "E-TEXT", "a name of 65 letters", {"name": "n" * 65}),
    ("name-bidi", "E-TEXT", "a name that turns the line around", {"name": "Alice \u202ebob"}),
    ("name-newline", "E-TEXT", "a name of two lines", {"name": "Alice\nBob"}),
    ("name-space", "E-TEXT", "a name that ends with a space", {"name": "Alice "}),
    ("name-filler", "E-TEXT", "a name with a letter that is not seen", {"name": "Alice Kern\u3164"}),
    ("name-selector", "E-TEXT", "a name with a variation selector", {"name": "Alice\ufe0f Kern"}),
    ("name-blank", "E-TEXT", "a name that begins with a wide space", {"name": "\u3000Alice"}),
    ("name-joiner", "E-TEXT", "a name that ends with a joiner", {"name": "Alice\u200d"}),
    ("name-last", "E-TEXT", "a name with the last code point", {"name": "Alice \U0010ffff"}),
    ("email-255", "E-TEXT", "an address of 255 letters", {"email": "e" * 255}),
    ("sign-31", "E-FORM", "a key of 31 bytes", {"sign": bytes(31)}),
)
_BAD_SEAL = (
    ("zero", "the point of order 2", bytes(32)),
    ("order-4", "u = 1, of order 4", b"\x01" + bytes(31)),
    (
        "order-8",
        "u of order 8",
        bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    ),
    ("above-p", "u = p", bytes.fromhex("ed" + "ff" * 30 + "7f")),
    ("top-bit", "a sound u with the top bit set", ALICE.seal_public[:-1] + bytes((ALICE.seal_public[-1] | 0x80,))),
)
_PHRASE = phrase(bytes(range(32)))
_CUT = "\n".join(" ".join(word[:4] for word in _PHRASE.split()[at : at + 9]) for at in (0, 9, 18))


def vectors() -> Iterator[Vector]:
    for name, card in (
        ("alice", make_card(ALICE, "Alice Kern", "alice@example.org", AT)),
        ("unicode", make_card(BOB, "Боб 🎲", "", 0)),
    ):
        facts = {
            "id": card.id.hex(),
            "identity": card.identity.hex(),
            "fingerprint": fingerprint(card.identity),
            "name": card.name,
        }
        step = "KEY-5" if name == "alice" else "KEY-4"
        yield Vector(f"card-{name}", "card", SUCCESS, step, "a good card", parse_card(card.raw).raw, facts)
    for name, code, comment, changed in _BAD:
        yield Vector(f"card-{name}", "card", code, "KEY-4", comment, _card(**changed))
    yield Vector(
        "card-key-identity", "card", "E-KEY", "KEY-1", "a key under which everything is signed", _identity_key()
    )
    yield Vector("card-key-mixed", "card", "E-KEY", "KEY-1", "a key of mixed order", _mixed_key())
    loose_y = (1 + 2**255 - 19).to_bytes(32, "little")
    yield Vector("card-key-y", "card", "E-KEY", "KEY-1", "y is not below p", _card(sign=loose_y))
    for name, comment, seal in _BAD_SEAL:
        yield Vector(f"card-seal-{name}", "card", "E-KEY", "KEY-3", comment, _card(seal=seal))
    yield from _bad_signatures()
    yield Vector("card-2049", "card", "E-LARGE", "KEY-4", "above its bound", _card() + bytes(2_049 - len(_card())))
    yield Vector("card-trailing", "card", "E-FORM", "KEY-4", "a byte follows the card", _card() + b"\x00")
    seed = {"seed": bytes(range(32)).hex()}
    words = _PHRASE.split()
    for name, code, comment, text in (
        ("written", SUCCESS, "as pbem writes it", _PHRASE),
        ("typed", SUCCESS, "four letters of each word, in capitals, on three lines", _CUT.upper()),
        ("unknown-word", "E-PHRASE", "the last word is none of the list", " ".join([*words[:-1], "xyzzy"])),
        ("three-letters", "E-PHRASE", "a word is cut too short", " ".join([words[0][:3], *words[1:]])),
        ("short", "E-PHRASE", "a word is missing", " ".join(words[:-1])),
        ("long", "E-PHRASE", "a word more, which adds nothing to the number", f"abacus {_PHRASE}"),
        ("exchanged", "E-PHRASE", "two words changed places", " ".join([words[1], words[0], *words[2:]])),
    ):
        yield Vector(f"phrase-{name}", "phrase", code, "KEY-6", comment, text.encode(), seed if code == SUCCESS else {})
