"""The file that holds an identity's seed: under scrypt and ChaCha20-Poly1305, or in the clear when that was asked for.

{box, kdf: "scrypt", n, p, r, salt, v: 1}       the header without the box is the cipher's associated data
{kdf: "none", seed, v: 1}
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_SCRYPT_N, MAX_SCRYPT_P, MAX_SCRYPT_R
from pbem.table.tableerror import TableError

SEED: Final = 32
_SALT: Final = 16
_TAG: Final = 16
_NONCE: Final = bytes(12)  # the key is used once: its salt is fresh
MAX_KEYFILE: Final = 1024

Ask = Callable[[str], str | None]
"""Asks the player for a passphrase; None when nobody is there to answer."""


@dataclass(frozen=True, slots=True)
class Cost:
    """scrypt's parameters: N = 2^log_n."""

    log_n: int = 17
    r: int = 8
    p: int = 1


STANDARD: Final = Cost()


def _key(passphrase: str, salt: bytes, cost: Cost) -> bytes:
    text = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    return Scrypt(salt=salt, length=32, n=1 << cost.log_n, r=cost.r, p=cost.p).derive(text)


def protect(seed: bytes, passphrase: str, random: Callable[[int], bytes], cost: Cost = STANDARD) -> bytes:
    """The key file's bytes. The empty passphrase is the explicit "none"."""
    if not passphrase:
        return pack({"kdf": "none", "seed": seed, "v": 1})
    salt = random(_SALT)
    header: dict[str, Plain] = {
        "kdf": "scrypt",
        "n": 1 << cost.log_n,
        "p": cost.p,
        "r": cost.r,
        "salt": salt,
        "v": 1,
    }
    box = ChaCha20Poly1305(_key(passphrase, salt, cost)).encrypt(_NONCE, seed, pack(header))
    return pack({**header, "box": box})


def is_protected(raw: bytes) -> bool:
    return _parse(raw)["kdf"] == "scrypt"


def unlock(raw: bytes, ask: Ask) -> bytes:
    """The seed. Asks only when the file is under a passphrase."""
    fields = _parse(raw)
    seed = fields.pop("seed", None)
    if isinstance(seed, bytes):
        return seed
    cost = _cost(fields)
    passphrase = ask("Passphrase")
    if not passphrase:
        raise TableError(
            "E-PASSPHRASE",
            "This needs your passphrase: type it when asked, or give it in the environment variable PBEM_PASSPHRASE.",
        )
    box, salt = fields.pop("box"), fields["salt"]
    assert isinstance(box, bytes)
    assert isinstance(salt, bytes)
    try:
        return ChaCha20Poly1305(_key(passphrase, salt, cost)).decrypt(_NONCE, box, pack(fields))
    except InvalidTag:
        raise TableError("E-PASSPHRASE", "That is not the passphrase of this identity.") from None


def _damaged() -> TableError:
    return TableError("E-DAMAGED", "The key file is damaged. Bring the identity back with: pbem restore")


def _parse(raw: bytes) -> dict[str, Plain]:
    try:
        fields = unpack(raw, MAX_KEYFILE)
    except Refusal:
        raise _damaged() from None
    if not isinstance(fields, dict) or fields.get("v") != 1:
        raise _damaged()
    if fields.get("kdf") == "none":
        seed = fields.get("seed")
        good = set(fields) == {"kdf", "seed", "v"} and isinstance(seed, bytes) and len(seed) == SEED
    else:
        box, salt = fields.get("box"), fields.get("salt")
        good = (
            fields.get("kdf") == "scrypt"
            and set(fields) == {"box", "kdf", "n", "p", "r", "salt", "v"}
            and isinstance(box, bytes)
            and len(box) == SEED + _TAG
            and isinstance(salt, bytes)
            and len(salt) == _SALT
        )
    if not good:
        raise _damaged()
    return fields


def _cost(fields: dict[str, Plain]) -> Cost:
    """The cost that the file states, if it is one a machine can bear: a key file may come from elsewhere."""
    n, r, p = fields["n"], fields["r"], fields["p"]
    if not (type(n) is int and type(r) is int and type(p) is int):
        raise _damaged()
    log_n = n.bit_length() - 1
    if not (2 <= n <= MAX_SCRYPT_N and n == 1 << log_n and 1 <= r <= MAX_SCRYPT_R and 1 <= p <= MAX_SCRYPT_P):
        raise TableError("E-DAMAGED", "The key file asks for more work than pbem is willing to do.")
    return Cost(log_n, r, p)
