"""What the program makes of a vector's payload: the facts that the file states, or a Refusal."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.engine import policy
from pbem.engine.archive import verify_archive
from pbem.fairplay import dealer, deck
from pbem.fairplay.chance import check_drawn, check_value, group_key, permutation
from pbem.fairplay.commitments import NONCE, commitment, deck_slot
from pbem.fairplay.deck import Pass, Plan, Returned
from pbem.fairplay.secret import GameSecrets, Opened, open_own
from pbem.fairplay.verify import verify
from pbem.protocol import armour, canonical, container
from pbem.protocol.card import parse_card
from pbem.protocol.digest import be32
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.hpke import ephemeral, seal, unseal
from pbem.protocol.kinds import check_data
from pbem.protocol.listing import Drawn, parse_listing
from pbem.protocol.record import check_record_signature, note_hash, parse_message, parse_record
from pbem.protocol.words import fingerprint, seed_of
from pbem.umpire.case import check_case, evidence_of
from tools.vectors import orders
from tools.vectors.chances import facts_of_secret
from tools.vectors.vector import SUCCESS


def _raw(vector, name):
    text = vector.facts[name]
    return b"" if text == "-" else bytes.fromhex(text)


def _numbers(vector, name):
    text = vector.facts[name]
    return () if text == "-" else tuple(map(int, text.split()))


def _given(vector, *found):
    """The facts that a reader needs, without those that they must find."""
    return {name: value for name, value in vector.facts.items() if name not in found}


def _check(verdict):
    bad = verdict.first_bad or verdict.desync
    if bad is not None:
        raise Refusal(bad.code, bad.sentence, step=bad.step)
    if verdict.incomplete:
        raise Refusal("E-INCOMPLETE", "Records are missing.", step="LOG-5")


def judge_canonical(vector):
    canonical.unpack(vector.payload)
    return {}


def judge_card(vector):
    card = parse_card(vector.payload)
    return {
        "id": card.id.hex(),
        "identity": card.identity.hex(),
        "fingerprint": fingerprint(card.identity),
        "name": card.name,
    }


def judge_record(vector):
    record = parse_record(vector.payload)
    check_record_signature(record, bytes.fromhex(vector.facts["key"]))
    check_data(record.kind, record.data)
    return {"key": vector.facts["key"], "id": record.id.hex()}


def judge_container(vector):
    return {"items": " ".join(str(int(item.type)) for item in container.read(vector.payload))}


def judge_find(vector):
    found = armour.find_all(vector.payload.decode())
    return {"sha256": " ".join(sha256(raw).hexdigest() for raw in found) or "none"}


def judge_message(vector):
    message = parse_message(vector.payload)
    return {"note": note_hash(message.salt, message.text).hex()}


def judge_fork(vector):
    return {"identity": parse_fork_proof(vector.payload).identity.hex()}


def judge_phrase(vector):
    return {"seed": seed_of(vector.payload.decode()).hex()}


def judge_case(vector):
    items = tuple(container.read_stream(BytesIO(vector.payload)))
    found = check_case(items)
    said = found.case.said
    return {
        "id": found.case.id.hex(),
        "umpire": said.umpire.hex(),
        "game": said.game.hex() if said.game else "-",
        "evidence": evidence_of(items[1:]).hex(),
    }


def judge_plain(vector):
    return {"kinds": vector.facts["kinds"], "order": orders.shown(orders.KINDS.unpack(vector.payload))}


def judge_policy(vector):
    return {"text": str(policy.unpack(vector.payload))}


def judge_choice(vector):
    known = [fact.split("=") for fact in vector.facts["facts"].split() if fact != "-"]
    facts = {name: int(number) for name, number in known}
    answer = policy.unpack(vector.payload).choose(facts, vector.facts["offered"].split())
    return {"facts": vector.facts["facts"], "offered": vector.facts["offered"], "answer": answer}


def judge_archive(vector):
    items = container.read(vector.payload)
    verdict = verify(items)
    _check(verdict)
    assert verdict.game is not None
    last = [item for item in items if item.type is container.ItemType.RECORD][-1]
    return {
        "game": verdict.game.game_id.hex(),
        "records": str(verdict.counts.records),
        "last": parse_record(last.raw).id.hex(),
    }


def judge_secret(vector):
    seed, promised = _raw(vector, "seed"), _raw(vector, "nonce-commitment")
    return facts_of_secret(GameSecrets(seed, open_own(seed, promised, vector.payload)), seed)


def judge_chain(vector):
    facts = vector.facts
    check_value(_raw(vector, "cid"), int(facts["i"]), vector.payload, int(facts["known-i"]), _raw(vector, "known"))
    return facts


def judge_key(vector):
    rows = canonical.unpack(vector.payload)
    made = group_key(bytes.fromhex(vector.facts["game"]), [tuple(row) for row in rows])
    if made.hex() != vector.facts["key"]:
        raise Refusal("E-DRAW", "Another key.", step="CHA-6")
    return vector.facts


def judge_draw(vector):
    facts = vector.facts
    occurrence, sides = int(facts["occurrence"]), int(facts["sides"])
    check_drawn(Drawn((), facts["label"], occurrence, sides, _numbers(vector, "results")), vector.payload)
    return facts


def judge_permutation(vector):
    if permutation(vector.payload, int(vector.facts["things"])) != _numbers(vector, "order"):
        raise Refusal("E-DRAW", "Another order.", step="CHA-10")
    return vector.facts


def judge_game(vector):
    items = container.read(vector.payload)
    verdict = verify_archive(items)
    _check(verdict)
    assert verdict.state is not None
    listed = [parse_listing(item.raw) for item in items if item.type is container.ItemType.DRAWS]
    result = verdict.result
    return {
        "level": str(verdict.level),
        "records": str(verdict.counts.records),
        "draws": str(verdict.counts.draws),
        "moot": str(sum(len(each.moot) for each in listed)),
        "state": verdict.state.hex(),
        "result": "-" if result is None else f"{result['how']} {result['winner'] or '-'}",
        "pending": " ".join(f"{by}:{what}" for by, what in verdict.pending) or "-",
    }


def judge_commitment(vector):
    facts = vector.facts
    nonce, value = vector.payload[:NONCE], vector.payload[NONCE:]
    made = commitment(_raw(vector, "game"), facts["seat"], facts["slot"], nonce, value)
    if made != _raw(vector, "commitment"):
        raise Refusal("E-PROMISE", "This opens another commitment.", step="HID-4")
    author = Opened(_raw(vector, "gs"))
    again = author.commit(_raw(vector, "game"), facts["seat"], facts["slot"], int(facts["seq"]), value)
    return {**_given(vector, "commitment"), "commitment": again.hex()}


def judge_box(vector):
    author = Opened(_raw(vector, "gs"))
    context = _raw(vector, "context")
    plaintext = author.unbox(context, vector.payload)
    if author.box(context, plaintext) != vector.payload:
        raise ValueError("a box that is not made in the same way again")
    return {**_given(vector, "plaintext"), "plaintext": plaintext.hex() or "-"}


def judge_seal(vector):
    private = X25519PrivateKey.from_private_bytes(_raw(vector, "private"))
    aad, purpose = _raw(vector, "aad"), vector.facts["purpose"]
    plaintext = unseal(private, purpose, aad, vector.payload)
    public = private.public_key().public_bytes_raw()
    if seal(ephemeral(_raw(vector, "gs"), purpose, aad), public, purpose, aad, plaintext) != vector.payload:
        raise ValueError("a box that is not made in the same way again")
    return {**_given(vector, "plaintext"), "plaintext": plaintext.hex() or "-"}


def judge_cardpoint(vector):
    plan = Plan(bytes(32), vector.facts["deck"], 1, (int(vector.facts["card"]),))
    deck.check_pass(plan, 1, Pass(vector.payload, b""))
    if deck.card_point(plan.deck, plan.cards[0]) != vector.payload:
        raise ValueError("the point of another card")
    return dict(vector.facts)


def judge_pass(vector):
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


def judge_slot(vector):
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


def judge_order(vector):
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


def judge_dealt(vector):
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


JUDGES = {name.removeprefix("judge_"): each for name, each in globals().items() if name.startswith("judge_")}


def judge(vector):
    """(`success` or the code, the step of a refusal, the facts found)."""
    try:
        return SUCCESS, vector.step, JUDGES[vector.what](vector)
    except PbemError as refusal:
        return refusal.code, getattr(refusal, "step", ""), {}
