"""What the second verifier makes of a vector: the facts that it states, or a refusal."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from stranger import verify
from stranger_audit import (
    box,
    deal_order,
    derive,
    make_pass,
    open_order,
    permutation,
    seal,
    top,
    unbox,
    unseal,
)
from stranger_cases import case
from stranger_forms import (
    Bad,
    Missing,
    T,
    be,
    card,
    check_data,
    check_signature,
    containers,
    decode,
    message,
    need,
    number,
    record,
)
from stranger_game import (
    card_of,
    card_point,
    check_pass,
    check_value,
    commitment,
    down,
    fork_proof,
    group_key,
    key_promise,
    roll,
    split,
)
from stranger_texts import find, fingerprint, seed_of

from tools.vectors.vector import SUCCESS, read

FILES = sorted((Path(__file__).parent.parent / "vectors").glob("*.txt"))
VECTORS = [read(path.stem, path.read_bytes()) for path in FILES]
GAME = next(bytes.fromhex(v.facts["game"]) for v in VECTORS if v.name == "key-one")


class Facts:
    """What a vector states, as bytes and numbers."""

    def __init__(self, facts):
        self.facts = facts

    def __getitem__(self, name):
        return "" if self.facts[name] == "-" else self.facts[name]

    def raw(self, name):
        return bytes.fromhex(self[name])

    def number(self, name):
        return int(self[name])

    def numbers(self, name):
        return [int(n) for n in self[name].split()]


def judge_canonical(raw, _):
    decode(raw)
    return {}


def judge_card(raw, _):
    c = card(raw)
    found = {key: c[key].hex() for key in ("id", "identity")}
    return found | {"fingerprint": fingerprint(c["identity"]), "name": c["name"]}


def judge_record(raw, facts):
    r = record(raw)
    check_signature(facts.raw("key"), r["id"], r["signature"])
    check_data(r)
    return {"id": r["id"].hex()}


def judge_container(raw, _):
    return {"items": " ".join(str(kind) for kind, _ in containers(raw))}


def judge_find(raw, _):
    return {"sha256": " ".join(sha256(each).hexdigest() for each in find(raw.decode())) or "none"}


def judge_phrase(raw, _):
    return {"seed": seed_of(raw.decode()).hex()}


def judge_message(raw, _):
    return {"note": message(raw)[1].hex()}


def judge_fork(raw, _):
    return {"identity": fork_proof(raw).hex()}


def judge_archive(raw, _):
    return {"records": str(verify(containers(raw))[0])}


def judge_secret(raw, facts):
    nonce = unbox(facts.raw("seed"), facts.raw("nonce-commitment"), raw)
    gs, at = derive(facts.raw("seed"), "game", nonce), be(4, 2)
    promised = T("pbem1/gs", gs)
    cid = T("pbem1/cid", promised, be(1, 1), be(1, 0), be(4, 0))
    x, hide = top(gs, cid), derive(gs, "hide", at, "chit/1")
    made = {
        "nonce": nonce,
        "gs": gs,
        "gs-commitment": promised,
        "nonce-commitment": T("pbem1/nonce", nonce),
        "salt-2": derive(gs, "salt", at, size=16),
        "hide-2-chit/1": hide,
        "commitment": commitment(GAME, "red", "chit/1", hide, b"left"),
        "cid": cid,
        "top": x,
        "x-65535": down(cid, 65_536, x, 65_535),
        "x-2": down(cid, 65_536, x, 2),
        "anchor": down(cid, 65_536, x, 0),
    }
    return {name: value.hex() for name, value in made.items()}


def judge_chain(raw, f):
    check_value(f.raw("cid"), f.number("i"), raw, f.number("known-i"), f.raw("known"))
    return {}


def judge_key(raw, facts):
    need(group_key(facts.raw("game"), decode(raw)) == facts.raw("key"), "E-DRAW", "CHA-6")
    return {}


def judge_draw(raw, f):
    results = f.numbers("results")
    made = roll(raw, f["label"], f.number("occurrence"), f.number("sides"), len(results))
    need(made == results, "E-DRAW", "CHA-8")
    return {}


def judge_permutation(raw, facts):
    need(permutation(raw, facts.number("things")) == facts.numbers("order"), "E-DRAW", "CHA-10")
    return {}


def judge_commitment(raw, f):
    made = commitment(f.raw("game"), f["seat"], f["slot"], raw[:32], raw[32:])
    need(made == f.raw("commitment"), "E-PROMISE", "HID-4")
    assert raw[:32] == derive(f.raw("gs"), "hide", be(4, f.number("seq")), f["slot"])
    return {}


def judge_box(raw, facts):
    value = unbox(facts.raw("gs"), facts.raw("context"), raw)
    assert box(facts.raw("gs"), facts.raw("context"), value) == raw
    return {"plaintext": value.hex() or "-"}


def judge_seal(raw, f):
    value = unseal(f.raw("private"), f["purpose"], f.raw("aad"), raw)
    public = X25519PrivateKey.from_private_bytes(f.raw("private")).public_key().public_bytes_raw()
    assert seal(f.raw("gs"), public, f["purpose"], f.raw("aad"), value) == raw
    return {"plaintext": value.hex() or "-"}


def judge_cardpoint(raw, facts):
    check_pass(raw, b"", 1, last=False)
    assert card_point(facts["deck"], facts.number("card")) == raw
    return {}


def judge_pass(raw, f):
    cards, stage, long = f.numbers("cards"), f.number("stage"), f.number("back") > 0
    n, last = len(cards) + f.number("back"), stage >= 2 + long
    points, promised = (raw[: 32 * n], raw[32 * n :]) if last else (raw, b"")
    check_pass(points, promised, n, last)
    pairs = split(f.raw("returned"))
    back = [(u, number(key)) for u, key in zip(pairs[::2], pairs[1::2], strict=True)]
    place = f.raw("game"), f["deck"], f.number("epoch"), stage, f.number("by"), long
    assert make_pass(f.raw("gs"), *place, split(f.raw("before")), cards, back) == (points, promised)
    return {}


def judge_slot(raw, f):
    for by, key in enumerate(split(raw)):
        made = key_promise(f.raw("game"), f["deck"], f.number("epoch"), f.number("slot"), by, key)
        need(made == f.raw(f"commitment_{'ab'[by]}"), "E-PROMISE", "HID-15")
    a, b = map(number, split(raw))
    need(all(2**254 <= s < 2**255 and s % 8 == 0 for s in (a, b)), "E-PROMISE", "HID-15")
    found = card_of(f["deck"], f.numbers("pool"), f.raw("point"), a, b)
    need(found is not None, "E-DECODE", "HID-18")
    return {"card": str(found)}


def judge_order(raw, f):
    where, things = (f["deck"], f.number("epoch")), f.numbers("things")
    if f["kind"] == "open":
        made = open_order(f.raw("key"), *where, things)
    else:
        nonces = [bytes.fromhex(nonce) for nonce in f["nonces"].split()]
        made = deal_order(f.raw("gs"), f.raw("game"), *where, nonces, things)
    need(b"".join(be(4, c) for c in made) == raw, "E-AUDIT", "HID-30")
    return {}


def judge_dealt(raw, f):
    made = commitment(f.raw("game"), "deck", f["slot"], raw[:32], raw[32:])
    need(len(raw) == 36 and made == f.raw("commitment"), "E-DEAL", "HID-31")
    assert raw[:32] == derive(f.raw("gs"), "dealt", f["slot"])
    return {"card": str(int.from_bytes(raw[32:], "big"))}


def judge_case(raw, _):
    c = case(containers(raw))
    return {"id": c["id"].hex(), "evidence": c["evidence"].hex()}


JUDGES = {name.removeprefix("judge_"): each for name, each in globals().items() if "judge_" in name}
OURS = [v for v in VECTORS if v.what in JUDGES]


def judge(vector):
    """The outcome and the facts found."""
    try:
        return SUCCESS, JUDGES[vector.what](vector.payload, Facts(vector.facts))
    except (Bad, Missing) as refused:
        return refused.code, {}
