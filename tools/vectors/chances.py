"""Secrets, chains, keys and draws: CHA-1..8, CHA-10, HID-1, HID-3."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.fairplay.chance import CHAIN_LENGTH, group_key, permutation, roll
from pbem.fairplay.secret import GameSecrets
from pbem.protocol.canonical import pack
from tools.vectors.people import GAME, some
from tools.vectors.vector import SUCCESS, Vector

_SEED = b"\x01" * 32
_SECRETS = GameSecrets(_SEED, some("nonce-0"))
_KEY = some("key")
_DRAWS = (
    ("d6", "t1/red/1204/crt", 0, 6, 40),
    ("d6-again", "t1/red/1204/crt", 1, 6, 40),
    ("d2", "coin", 0, 2, 10),
    ("d10", "t2/event", 0, 10, 10),
    ("d255", "t2/255", 0, 255, 10),
    ("d256", "t2/256", 0, 256, 10),
    ("d257", "t2/257", 0, 257, 10),
    ("wide", "t2/wide", 0, 2**31, 4),
    ("skips", "t2/skips", 7, 2**31 - 1 - 2**30, 20),
    ("long", "a" * 64, 2**32 - 1, 6, 1_024),
)


def facts_of_secret(secrets: GameSecrets, seed: bytes) -> dict[str, str]:
    """What follows from a seed and a nonce, for the chain of witness 1 for chooser 0."""
    chain = secrets.chain(1, 0)
    return {
        "seed": seed.hex(),
        "nonce": secrets.nonce.hex(),
        "gs": secrets.gs.hex(),
        "gs-commitment": secrets.gs_commitment.hex(),
        "nonce-commitment": secrets.nonce_commitment.hex(),
        "salt-2": secrets.salt(2).hex(),
        "hide-2-chit/1": secrets.hide_nonce(2, "chit/1").hex(),
        "commitment": secrets.commit(GAME, "red", "chit/1", 2, b"left").hex(),
        "cid": chain.cid.hex(),
        "top": chain.top.hex(),
        "x-65535": chain.value(CHAIN_LENGTH - 1).hex(),
        "x-2": chain.value(2).hex(),
        "anchor": chain.anchor.hex(),
    }


def _words(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def vectors() -> Iterator[Vector]:
    facts = facts_of_secret(_SECRETS, _SEED)
    yield Vector("secret-all", "secret", SUCCESS, "CHA-1", "the box `own`, and all that follows", _SECRETS.own, facts)
    flipped = _SECRETS.own[:-1] + bytes((_SECRETS.own[-1] ^ 1,))
    yield Vector("secret-box", "secret", "E-BOX", "HID-3", "one bit of the box changed", flipped, facts)
    other = GameSecrets(_SEED, some("nonce-1"))
    yield Vector("secret-other", "secret", "E-BOX", "HID-3", "the box of another nonce", other.own, facts)
    chain = _SECRETS.chain(1, 0)
    for name, code, i, known_i, x in (
        ("anchor", SUCCESS, 9, 0, chain.value(9)),
        ("later", SUCCESS, 9, 4, chain.value(9)),
        ("older", SUCCESS, 3, 9, chain.value(3)),
        ("last", SUCCESS, CHAIN_LENGTH - 1, CHAIN_LENGTH - 2, chain.value(CHAIN_LENGTH - 1)),
        ("next", "E-PROMISE", 9, 0, chain.value(10)),
        ("other", "E-PROMISE", 9, 4, _SECRETS.chain(1, 2).value(9)),
    ):
        known = {"cid": chain.cid.hex(), "i": str(i), "known-i": str(known_i), "known": chain.value(known_i).hex()}
        comment = f"a value shown for record {i}, when that of {known_i} is known"
        yield Vector(f"chain-{name}", "chain", code, "CHA-4", comment, x, known)
    yield from _keys()
    for name, label, occurrence, sides, count in _DRAWS:
        drawn = {"label": label, "occurrence": str(occurrence), "sides": str(sides)}
        drawn["results"] = _words(roll(_KEY, label, occurrence, sides, count))
        yield Vector(f"draw-{name}", "draw", SUCCESS, "CHA-8", f"{count} of {sides} sides", _KEY, drawn)
    wrong = {"label": "coin", "occurrence": "0", "sides": "2", "results": _words((*roll(_KEY, "coin", 0, 2, 9), 3))}
    yield Vector("draw-wrong", "draw", "E-DRAW", "CHA-8", "a result that no coin has", _KEY, wrong)
    for m in (0, 1, 2, 54, 300, 512):
        order = {"things": str(m), "order": _words(permutation(_KEY, m))}
        yield Vector(f"permutation-{m}", "permutation", SUCCESS, "CHA-10", f"{m} things", _KEY, order)
    wrong = {"things": "4", "order": _words(permutation(_KEY, 4)[::-1])}
    yield Vector("permutation-wrong", "permutation", "E-DRAW", "CHA-10", "the other way round", _KEY, wrong)


def _keys() -> Iterator[Vector]:
    one = (some("orders-0"), 1, 7, some("x-7"))
    two = (some("orders-1"), 2, 9, some("x-9"))
    for name, comment, parts in (("one", "one turn", (one,)), ("two", "turns of two players", (one, two))):
        facts = {"game": GAME.hex(), "key": group_key(GAME, parts).hex()}
        payload = pack([list(part) for part in parts])
        yield Vector(f"key-{name}", "key", SUCCESS, "CHA-6", comment, payload, facts)
    facts = {"game": GAME.hex(), "key": group_key(GAME, (one, two)).hex()}
    yield Vector(
        "key-order", "key", "E-DRAW", "CHA-6", "two turns the wrong way round", pack([list(two), list(one)]), facts
    )
