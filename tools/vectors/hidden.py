"""Hidden information: HID-1..HID-31, HID-50. One area of vectors, made from fixed secrets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.fairplay import dealer, deck
from pbem.fairplay.commitments import DeckSlot, pad, standing_slot
from pbem.fairplay.deck import Pass, Plan, Returned
from pbem.fairplay.secret import Opened
from pbem.protocol.digest import be32, tagged
from pbem.protocol.hpke import _schedule, _shared_secret, ephemeral, seal
from pbem.protocol.montgomery import FIX, clamp, is_sound
from tools.vectors.edwards import P
from tools.vectors.people import BOB, GAME, some
from tools.vectors.vector import SUCCESS, Vector

NAME = "events"
_CHOICE = bytes.fromhex("92a772657365727665cd0195")  # ["reserve", 405]
LOWER, HIGHER, DEALER = Opened(some("gs-a")), Opened(some("gs-b")), Opened(some("gs-umpire"))
SIDES = {"A": LOWER, "B": HIGHER}
NONCES = (some("nonce-0"), some("nonce-1"), some("nonce-2"))


def numbers(cards: tuple[int, ...]) -> str:
    return " ".join(map(str, cards)) or "-"


def hexed(raw: bytes) -> str:
    return raw.hex() or "-"


def flipped(raw: bytes, at: int = 0) -> bytes:
    return raw[:at] + bytes((raw[at] ^ 1,)) + raw[at + 1 :]


# Commitments and boxes


def _commitments() -> Iterator[Vector]:
    for name, seat, slot, seq, value in (
        ("choice", "axis", "reserve/axis/7", 9, pad(_CHOICE)),
        ("empty", "axis", "reserve/axis/8", 9, pad(b"")),
        ("standing", "axis", standing_slot("axis", "retreat"), 300, pad(b"policy" * 100, 4_096)),
    ):
        facts = {
            "gs": LOWER.gs.hex(),
            "seq": str(seq),
            "game": GAME.hex(),
            "seat": seat,
            "slot": slot,
            "commitment": LOWER.commit(GAME, seat, slot, seq, value).hex(),
        }
        step = "HID-6" if name == "standing" else "HID-1"
        opening = LOWER.hide_nonce(seq, slot) + value
        yield Vector(f"commitment-{name}", "commitment", SUCCESS, step, "nonce32 and padded value", opening, facts)
        if name == "choice":
            for fault, wrong, changed in (
                ("value", flipped(opening, 36), {}),
                ("nonce", flipped(opening), {}),
                ("longer", opening + b"\x00", {}),
                ("seat", opening, {"seat": "allies"}),
                ("slot", opening, {"slot": "reserve/axis/9"}),
                ("game", opening, {"game": some("other").hex()}),
            ):
                comment = f"another {fault} than committed to"
                yield Vector(
                    f"commitment-other-{fault}",
                    "commitment",
                    "E-PROMISE",
                    "HID-4",
                    comment,
                    wrong,
                    {**facts, **changed},
                )


def _boxes() -> Iterator[Vector]:
    context = LOWER.commit(GAME, "axis", "reserve/axis/7", 9, pad(_CHOICE))
    box = LOWER.box(context, pad(_CHOICE))
    facts = {"gs": LOWER.gs.hex(), "context": context.hex()}
    yield Vector(
        "box-choice", "box", SUCCESS, "HID-3", "a secret choice, boxed for its author", box,
        {**facts, "plaintext": pad(_CHOICE).hex()},
    )  # fmt: skip
    yield Vector("box-changed", "box", "E-BOX", "HID-3", "one bit of the box is changed", flipped(box), facts)
    yield Vector("box-cut", "box", "E-BOX", "HID-3", "the last byte is missing", box[:-1], facts)
    other = {**facts, "context": some("context").hex()}
    yield Vector("box-context", "box", "E-BOX", "HID-3", "another context", box, other)


def _zero(public: bytes, aad: bytes, plaintext: bytes) -> bytes:
    """A box that anybody can make and open: its encapsulated key has order 2."""
    key, nonce = _schedule(_shared_secret(bytes(32), bytes(32), public), b"pbem1/card")
    return bytes(32) + ChaCha20Poly1305(key).encrypt(nonce, plaintext, aad)


def _seals() -> Iterator[Vector]:
    aad, plaintext = b"events/1/3", some("nonce") + be32(17)
    box = seal(ephemeral(DEALER.gs, "card", aad), BOB.seal_public, "card", aad, plaintext)
    private = BOB.seal_private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    facts = {"gs": DEALER.gs.hex(), "private": private.hex(), "purpose": "card", "aad": aad.hex()}
    good = {**facts, "plaintext": plaintext.hex()}
    yield Vector("seal-card", "seal", SUCCESS, "HID-5", "a card sealed to Bob; gs is the sender's", box, good)
    empty = seal(ephemeral(DEALER.gs, "card", b""), BOB.seal_public, "card", b"", b"")
    bare = {**facts, "aad": "-", "plaintext": "-"}
    yield Vector("seal-empty", "seal", SUCCESS, "HID-5", "no plaintext, no associated data", empty, bare)
    for name, raw, changed in (
        ("enc", flipped(box), {}),
        ("cipher", flipped(box, 40), {}),
        ("tag", flipped(box, len(box) - 1), {}),
        ("short", box[:47], {}),
        ("aad", box, {"aad": b"events/1/4".hex()}),
        ("purpose", box, {"purpose": "escrow"}),
        ("zero", _zero(BOB.seal_public, aad, plaintext), {}),
    ):
        comment = "the encapsulated key is of small order" if name == "zero" else f"wrong: {name}"
        yield Vector(f"seal-bad-{name}", "seal", "E-BOX", "HID-5", comment, raw, {**facts, **changed})


# The deck of two players


def _card_points() -> Iterator[Vector]:
    for name, card in ((NAME, 0), (NAME, 1), (NAME, 511), ("a", 65_535)):
        facts = {"deck": name, "card": str(card)}
        point = deck.card_point(name, card)
        yield Vector(f"cardpoint-{name}-{card}", "cardpoint", SUCCESS, "HID-10", "the point of a card", point, facts)
    facts = {"deck": NAME, "card": "0"}
    for fault, raw, comment in (
        ("mixed", _hashed(), "hashed to the curve, but a part of small order is not cleared"),
        ("zero", bytes(32), "the point of order 2"),
        ("one", (1).to_bytes(32, "little"), "a point of order 4"),
        ("p", (P + 9).to_bytes(32, "little"), "not below p"),
        ("top-bit", _top_bit(deck.card_point(NAME, 0)), "the top bit is set"),
        ("twist", _twist(), "not on the curve but on its twist"),
    ):
        yield Vector(f"cardpoint-bad-{fault}", "cardpoint", "E-DECK", "HID-14", comment, raw, facts)


def _top_bit(point: bytes) -> bytes:
    return point[:-1] + bytes((point[-1] | 0x80,))


def _on_curve(u: int) -> bool:
    """Euler's test of u^3 + 486662 u^2 + u."""
    return pow((u * u * u + 486_662 * u * u + u) % P, (P - 1) // 2, P) == 1


def _hashed() -> bytes:
    """The first number that lies on the curve but not in the group of order l."""
    u = 2
    while not _on_curve(u) or is_sound(u.to_bytes(32, "little")):
        u += 1
    return u.to_bytes(32, "little")


def _twist() -> bytes:
    u = 2
    while _on_curve(u):
        u += 1
    return deck.multiply(FIX, u.to_bytes(32, "little"))


@dataclass(frozen=True, slots=True)
class Shuffled:
    plan: Plan
    back: tuple[dict[str, Returned], ...]
    passes: tuple[Pass, ...]

    def key(self, side: str, j: int) -> int:
        return deck.own_key(SIDES[side].gs, self.plan, side, j)

    @property
    def points(self) -> tuple[bytes, ...]:
        return deck.split(self.passes[-1].points)

    def card(self, j: int) -> int:
        found = deck.decode(NAME, tuple(range(6)), self.points[j], self.key("A", j), self.key("B", j))
        if found is None:
            raise ValueError("a slot without a card")
        return found


def _shuffle(epoch: int, cards: tuple[int, ...], back: tuple[dict[str, Returned], ...] = ()) -> Shuffled:
    plan = Plan(GAME, NAME, epoch, cards, len(back))
    before: tuple[bytes, ...] = ()
    passes = []
    for stage, side in enumerate(plan.stages, 1):
        own = [each[side] for each in back]
        passes.append(deck.make_pass(SIDES[side].gs, plan, stage, "AB".index(side), before, own))
        before = deck.check_pass(plan, stage, passes[-1])
    return Shuffled(plan, back, tuple(passes))


FRESH = _shuffle(1, tuple(range(6)))
_BACK = tuple(
    {side: Returned(FRESH.points[j], FRESH.key(side, j)) for side in "AB"} for j in (4, 5)
)  # slots 4 and 5 were never opened
AGAIN = _shuffle(2, tuple(sorted(FRESH.card(j) for j in range(3))), _BACK)


def _pass_facts(shuffled: Shuffled, stage: int) -> dict[str, str]:
    plan = shuffled.plan
    side = plan.stages[stage - 1]
    before = shuffled.passes[stage - 2].points if stage > 1 else b""
    returned = b"".join(each[side].point + deck.write_scalar(each[side].key) for each in shuffled.back)
    return {
        "gs": SIDES[side].gs.hex(),
        "game": plan.game_id.hex(),
        "deck": plan.deck,
        "epoch": str(plan.epoch),
        "stage": str(stage),
        "by": str("AB".index(side)),
        "cards": numbers(plan.cards),
        "before": hexed(before),
        "returned": hexed(returned if stage <= 2 else b""),
        "back": str(plan.back),
    }


def _passes() -> Iterator[Vector]:
    for name, shuffled, step in (("fresh", FRESH, "HID-12"), ("back", AGAIN, "HID-17")):
        for stage, made in enumerate(shuffled.passes, 1):
            comment = f"stage {stage} by {shuffled.plan.stages[stage - 1]}: points, then commitments if it locks"
            payload = made.points + made.commitments
            yield Vector(f"pass-{name}-{stage}", "pass", SUCCESS, step, comment, payload, _pass_facts(shuffled, stage))
    points = FRESH.passes[0].points
    for fault, raw, comment in (
        ("short", points[:-32], "a card is missing"),
        ("long", points + deck.multiply(FIX, points[:32]), "a card too many"),
        ("ragged", points[:-1], "not a whole number of points"),
        ("twice", points[:-32] + points[:32], "one point twice"),
        ("mixed", points[:-32] + _hashed(), "a point with a part of small order"),
        ("twist", points[:-32] + _twist(), "a point on the twist"),
        ("small", points[:-32] + bytes(32), "a point of small order"),
        ("top-bit", points[:-32] + _top_bit(points[-32:]), "a point with its top bit set"),
    ):
        yield Vector(f"pass-bad-{fault}", "pass", "E-DECK", "HID-14", comment, raw, _pass_facts(FRESH, 1))
    bare = FRESH.passes[1].points
    facts = _pass_facts(FRESH, 2)
    yield Vector("pass-bad-promises", "pass", "E-DECK", "HID-14", "stage 2 without commitments", bare, facts)


def _slot_facts(shuffled: Shuffled, j: int, **changed: str) -> dict[str, str]:
    plan = shuffled.plan
    promised = {
        f"commitment_{side.lower()}": deck.release_commitment(
            plan, j, "AB".index(side), deck.write_scalar(shuffled.key(side, j))
        ).hex()
        for side in "AB"
    }
    return {
        "game": plan.game_id.hex(),
        "deck": plan.deck,
        "epoch": str(plan.epoch),
        "slot": str(j),
        "pool": numbers(tuple(range(6))),
        "point": shuffled.points[j].hex(),
        **promised,
        **changed,
    }


def _slots() -> Iterator[Vector]:
    for name, shuffled in (("fresh", FRESH), ("back", AGAIN)):
        for j in range(2):
            keys = b"".join(deck.write_scalar(shuffled.key(side, j)) for side in "AB")
            facts = {**_slot_facts(shuffled, j), "card": str(shuffled.card(j))}
            comment = "key of A, key of B"
            yield Vector(f"slot-{name}-{j}", "slot", SUCCESS, "HID-15", comment, keys, facts)
    one, two = (deck.write_scalar(FRESH.key(side, 0)) for side in "AB")
    other = deck.write_scalar(FRESH.key("B", 1))
    wrong = "another key than the promised one"
    yield Vector("slot-bad-key", "slot", "E-PROMISE", "HID-15", wrong, one + other, _slot_facts(FRESH, 0))
    odd = (clamp(FRESH.key("B", 0)) + 1).to_bytes(32, "little")
    promised = deck.release_commitment(FRESH.plan, 0, 1, odd).hex()
    comment = "the promised key is not in clamped form"
    yield Vector(
        "slot-bad-form", "slot", "E-PROMISE", "HID-15", comment, one + odd,
        _slot_facts(FRESH, 0, commitment_b=promised),
    )  # fmt: skip
    comment = "both keys are right, and the point is that of another slot"
    point = FRESH.points[1].hex()
    yield Vector("slot-no-card", "slot", "E-DECODE", "HID-18", comment, one + two, _slot_facts(FRESH, 0, point=point))
    rest = numbers(tuple(sorted({*range(6)} - {FRESH.card(0)})))
    comment = "a card that the epoch cannot hold"
    yield Vector("slot-not-in-pool", "slot", "E-DECODE", "HID-18", comment, one + two, _slot_facts(FRESH, 0, pool=rest))


# Deals


def _orders() -> Iterator[Vector]:
    things = (0, 2, 3, 5, 9, 4, 1)
    order = dealer.deal_order(DEALER.gs, GAME, NAME, 2, NONCES, things)
    facts = {
        "kind": "dealt",
        "gs": DEALER.gs.hex(),
        "game": GAME.hex(),
        "nonces": " ".join(nonce.hex() for nonce in NONCES),
        "deck": NAME,
        "epoch": "2",
        "things": numbers(things),
    }
    payload = b"".join(map(be32, order))
    comment = "the cards of the slots in order; the last two things came back unopened"
    yield Vector("order-dealt", "order", SUCCESS, "HID-30", comment, payload, facts)
    swapped = payload[4:8] + payload[:4] + payload[8:]
    yield Vector("order-bad", "order", "E-AUDIT", "HID-30", "two cards exchanged", swapped, facts)
    key = tagged("vector/k0")
    facts = {"kind": "open", "key": key.hex(), "deck": NAME, "epoch": "2", "things": numbers(things)}
    payload = b"".join(map(be32, dealer.open_order(key, NAME, 2, things)))
    yield Vector("order-open", "order", SUCCESS, "HID-50", "in mode open, from K0", payload, facts)


def _dealt() -> Iterator[Vector]:
    place = DeckSlot(NAME, 2, 3)
    opened = dealer.opening(DEALER.gs, place, 17)
    facts = {
        "gs": DEALER.gs.hex(),
        "game": GAME.hex(),
        "slot": str(place),
        "commitment": dealer.commit(GAME, place, opened).hex(),
    }
    comment = "nonce32 and card of a dealt slot"
    yield Vector("dealt-good", "dealt", SUCCESS, "HID-31", comment, opened, {**facts, "card": "17"})
    for fault, raw in (("card", flipped(opened, 35)), ("nonce", flipped(opened)), ("long", opened + b"\x00")):
        yield Vector(f"dealt-bad-{fault}", "dealt", "E-DEAL", "HID-31", f"wrong: {fault}", raw, facts)


def vectors() -> Iterator[Vector]:
    yield from _commitments()
    yield from _boxes()
    yield from _seals()
    yield from _card_points()
    yield from _passes()
    yield from _slots()
    yield from _orders()
    yield from _dealt()
