"""The deck that two players shuffle without a dealer, on X25519 (docs/spec/hidden.md, HID-10..HID-17).

Numbers and points only: who may send what, and when, is deckledger.py's. Points are u-coordinates, 32 bytes each; a
pass is the concatenation of its points. Scalars are integers in clamped form: X25519 multiplies by exactly that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pbem.fairplay.chance import permutation
from pbem.protocol.digest import be8, be32, derive, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.montgomery import HIGH, LOW, WIDTH, L, P, clamp, clamped, fixed, is_sound

STAGES_FRESH = "BAB"
"""Who passes in a shuffle of open cards (HID-12): B the higher player number, A the lower."""
STAGES_BACK = "ABAB"
"""Who passes when unopened slots go back in (HID-17)."""


# Scalars


def product(*scalars: int) -> int:
    v = 1
    for s in scalars:
        v = v * s % L
    return clamp(v)


def inverse(scalar: int) -> int:
    return clamp(pow(scalar, -1, L))


def secret_scalar(gs: bytes, deck: str, epoch: int, name: str, j: int) -> int:
    """s(name, j) of HID-11."""
    t = 0
    while True:
        raw = derive(gs, "deck", deck, be32(epoch), name, be32(j), be32(t), size=64)
        v = int.from_bytes(raw, "little") % L
        form = clamped(v) or clamped(-v % L)
        if form is not None:
            return form
        t += 1


def write_scalar(scalar: int) -> bytes:
    return scalar.to_bytes(WIDTH, "little")


def read_scalar(raw: bytes) -> int:
    """A scalar as it came from outside: in clamped form, which no multiple of l is (HID-15)."""
    s = int.from_bytes(raw, "little")
    if len(raw) != WIDTH or not LOW <= s < HIGH or s % 8:
        raise Refusal("E-PROMISE", "The key given for a card is malformed.", step="HID-15")
    return s


# Points


def multiply(scalar: int, u: bytes) -> bytes:
    """X(k, u) for a u that has passed HID-14."""
    return X25519PrivateKey.from_private_bytes(write_scalar(scalar)).exchange(X25519PublicKey.from_public_bytes(u))


@lru_cache(maxsize=4096)
def card_point(deck: str, card: int) -> bytes:
    """C_c (HID-10): hashed to the curve, so that nobody knows a ratio between two cards.

    Whether u is on the curve shows in its f-fold: of one on the twist no multiple is sound.
    """
    n = 0
    while True:
        raw = tagged("pbem1/cardpoint", deck, be32(card), be32(n))
        u = int.from_bytes(raw, "little") & (HIGH - 1)
        n += 1
        point = fixed(u.to_bytes(WIDTH, "little")) if u < P else None
        if point is not None and is_sound(point):
            return point


@lru_cache(maxsize=32)
def _faces(deck: str, pool: tuple[int, ...]) -> dict[bytes, int]:
    return {card_point(deck, card): card for card in pool}


def split(raw: bytes) -> tuple[bytes, ...]:
    """The points or commitments of one bin."""
    return tuple(raw[k : k + WIDTH] for k in range(0, len(raw), WIDTH))


# Passes


@dataclass(frozen=True, slots=True)
class Returned:
    """An unopened slot on its way back: its point, and the key by which the author of a pass would have released it."""

    point: bytes
    key: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class Plan:
    """The contents of one epoch: open cards ascending, returned slots ascending (HID-17)."""

    game_id: bytes
    deck: str
    epoch: int
    cards: tuple[int, ...]
    back: int = 0

    @property
    def size(self) -> int:
        return len(self.cards) + self.back

    @property
    def stages(self) -> str:
        return STAGES_BACK if self.back else STAGES_FRESH

    def locks(self, stage: int) -> bool:
        """Whether this stage locks slot by slot, and so carries commitments: each player's last."""
        return stage > len(self.stages) - 2


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass as it is sent: 32 bytes for each point, and for each commitment if the stage locks."""

    points: bytes
    commitments: bytes


def own_key(gs: bytes, plan: Plan, side: str, j: int) -> int:
    """The key by which side A or B releases slot j: mask times lock. A has no mask when the cards were all open."""
    lock = secret_scalar(gs, plan.deck, plan.epoch, "slot", j)
    if side == "A" and not plan.back:
        return lock
    return product(secret_scalar(gs, plan.deck, plan.epoch, "mask", 0), lock)


def release_commitment(plan: Plan, j: int, by: int, scalar: bytes) -> bytes:
    """HID-13."""
    return tagged("pbem1/slot", plan.game_id, plan.deck, be32(plan.epoch), be32(j), be8(by), scalar)


def make_pass(
    gs: bytes, plan: Plan, stage: int, by: int, before: Sequence[bytes], back: Sequence[Returned] = ()
) -> Pass:
    """The pass of `stage` by player `by`: `before` are the points of the stage before, empty at stage 1.

    `back` are the returned slots, wanted at the two stages that strip the old locks (HID-17).
    """
    side = plan.stages[stage - 1]
    points: list[bytes]
    if stage == 1 and not plan.back:
        mask = secret_scalar(gs, plan.deck, plan.epoch, "mask", 0)
        points = _shuffled(gs, plan, stage, _masked(mask, [card_point(plan.deck, card) for card in plan.cards]))
    elif plan.back and stage <= 2:
        mask = secret_scalar(gs, plan.deck, plan.epoch, "mask", 0)
        faces = [card_point(plan.deck, card) for card in plan.cards] if stage == 1 else before[: len(plan.cards)]
        backs = [slot.point for slot in back] if stage == 1 else before[len(plan.cards) :]
        points = _masked(mask, faces)
        points += [multiply(product(inverse(slot.key), mask), u) for slot, u in zip(back, backs, strict=True)]
        if stage == 2:
            points = _shuffled(gs, plan, stage, points)
    else:
        order = _shuffled(gs, plan, stage, before) if side == "A" else before
        points = [multiply(secret_scalar(gs, plan.deck, plan.epoch, "slot", j), u) for j, u in enumerate(order)]
    commitments = b""
    if plan.locks(stage):
        keys = (write_scalar(own_key(gs, plan, side, j)) for j in range(plan.size))
        commitments = b"".join(release_commitment(plan, j, by, key) for j, key in enumerate(keys))
    return Pass(b"".join(points), commitments)


def _masked(mask: int, points: Iterable[bytes]) -> list[bytes]:
    key = X25519PrivateKey.from_private_bytes(write_scalar(mask))
    return [key.exchange(X25519PublicKey.from_public_bytes(u)) for u in points]


def _shuffled(gs: bytes, plan: Plan, stage: int, points: Sequence[bytes]) -> list[bytes]:
    order = permutation(derive(gs, "perm", plan.deck, be32(plan.epoch), be8(stage)), plan.size)
    return [points[k] for k in order]


def check_pass(plan: Plan, stage: int, made: Pass) -> tuple[bytes, ...]:
    """The points of a pass as it came from outside (HID-14)."""
    if len(made.points) != WIDTH * plan.size:
        raise _bad("holds another number of cards than the deck")
    if len(made.commitments) != (WIDTH * plan.size if plan.locks(stage) else 0):
        raise _bad("does not commit to its keys as this stage must")
    points = split(made.points)
    if len(set(points)) != plan.size:
        raise _bad("holds one point twice")
    if not all(is_sound(u) for u in points):
        raise _bad("holds a point that no card can become")
    return points


def _bad(what: str) -> Refusal:
    return Refusal("E-DECK", f"A pass of the shuffle {what}.", step="HID-14")


def decode(deck: str, pool: tuple[int, ...], point: bytes, one: int, other: int) -> int | None:
    """The card of a slot whose two keys are known, or None if it is none of `pool` (HID-15).

    Instead of multiplying every card by both keys, the point is divided by them once and looked up.
    """
    faces = _faces(deck, pool)
    try:
        back = inverse(one * other)
    except ArithmeticError:  # only keys chosen for it get here
        return next((c for u, c in faces.items() if multiply(one, multiply(other, u)) == point), None)
    return faces.get(multiply(back, point))
