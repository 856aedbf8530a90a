"""The second verifier and the real one agree: on vectors, whole games, and what cheats make."""

from __future__ import annotations

import ast
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from archiveplay import KINDS, game
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from desks import play, start, two
from hypothesis import given, settings
from hypothesis import strategies as st
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
from stranger_forms import KINDS as PAYLOADS
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
from stranger_texts import find, fingerprint, seed_of, unwrap

from pbem.fairplay.verify import verify as real_verify
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.kinds import KINDS as ALL_KINDS
from pbem.protocol.reasons import VERIFIER
from tools.vectors.vector import SUCCESS, read

HERE = Path(__file__).parent
FILES = sorted((HERE.parent / "vectors").glob("*.txt"))
VECTORS = [read(path.stem, path.read_bytes()) for path in FILES]


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
    return {"items": " ".join(str(kind) for kind, _ in containers(raw, several=False))}


def judge_armour(raw, _):
    return {"sha256": sha256(unwrap(raw.decode())).hexdigest()}


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


GAME = next(bytes.fromhex(v.facts["game"]) for v in VECTORS if v.name == "key-one")


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


@pytest.mark.parametrize("vector", OURS, ids=lambda v: v.name)
def test_vector(vector):
    try:
        facts = JUDGES[vector.what](vector.payload, Facts(vector.facts))
        outcome = SUCCESS
    except (Bad, Missing) as refused:
        outcome = refused.code
    assert outcome == vector.expect
    if outcome == SUCCESS:
        assert facts.items() <= vector.facts.items()


RULES = {"game", "plain", "policy", "choice"}


def test_nothing_is_left_out_but_what_needs_rules():
    assert {v.what for v in VECTORS} == JUDGES.keys() | RULES


def test_each_code_of_these_levels_has_a_vector():
    raised = set()
    for path in HERE.glob("stranger*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and str(node.value).startswith("E-"):
                raised.add(node.value)
    assert raised <= VERIFIER.keys()
    assert raised <= {v.expect for v in VECTORS if v.what in JUDGES}


def test_it_imports_the_standard_library_and_cryptography_only():
    for path in HERE.glob("stranger*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in (each.split(".")[0] for each in names):
                known = name in sys.stdlib_module_names or name == "cryptography"
                assert known or name.startswith("stranger")


def test_it_stays_short():
    def lines(*names):
        return sum(len((HERE / f"{name}.py").read_text().splitlines()) for name in names)

    assert lines("stranger", "stranger_forms", "stranger_game") <= 1_315
    assert sum(lines(path.stem) for path in HERE.glob("stranger*.py")) <= 1_740


def test_it_knows_all_kinds():
    assert set(PAYLOADS) == ALL_KINDS


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_made_up_games(kind):
    archive = game(**kind).archive
    verdict = real_verify(archive)
    count, missing = verify(containers(write(archive)))
    assert count == verdict.counts.records
    if verdict.audit is not None:
        assert tuple(missing) == verdict.audit.missing


@pytest.fixture(scope="module")
def bridgehead(tmp_path_factory) -> bytes:
    alice, bob = two(tmp_path_factory.mktemp("homes"))
    name = start(alice, bob)
    play((alice, bob), name)
    return b"".join(alice.archive(name))


def items_of(raw: bytes) -> list[Item]:
    return [Item(ItemType(kind), body) for kind, body in containers(raw)]


def test_a_whole_game_of_bridgehead(bridgehead):
    verdict = real_verify(items_of(bridgehead))
    assert verdict.ok
    assert verdict.audit is not None
    assert verdict.counts.dice > 0
    assert verdict.counts.cards > 0
    assert verify(containers(bridgehead)) == (verdict.counts.records, list(verdict.audit.missing))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_both_refuse_a_changed_game(bridgehead, data):
    archive = items_of(bridgehead)
    n = data.draw(st.integers(0, len(archive) - 1))
    fault = data.draw(st.sampled_from(("byte", "drop", "twice", "swap")))
    if fault == "byte":
        raw = bytearray(archive[n].raw)
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
        archive[n] = Item(archive[n].type, bytes(raw))
    elif fault == "drop":
        del archive[n]
    elif fault == "twice":
        archive.insert(n, archive[n])
    else:
        m = data.draw(st.integers(0, len(archive) - 1))
        archive[n], archive[m] = archive[m], archive[n]
    verdict = real_verify(iter(archive))
    code = SUCCESS if verdict.ok else "E-INCOMPLETE"
    if verdict.first_bad is not None:
        code = verdict.first_bad.code
    try:
        verify(((int(item.type), item.raw) for item in archive), audited=False)
        found = SUCCESS
    except (Bad, Missing) as refused:
        found = refused.code
    assert found == code
