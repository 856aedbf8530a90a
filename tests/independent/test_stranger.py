"""The second verifier and the real one agree: on every vector, on whole games, and on what a cheat makes of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from archiveplay import KINDS, game
from desks import play, start, two
from hypothesis import given, settings
from hypothesis import strategies as st
from stranger import Bad, Game, Missing, containers, verify
from stranger_calls import answer, answers, call
from stranger_cases import case
from stranger_forms import KINDS as PAYLOADS
from stranger_forms import T, be, card, check_data, check_signature, decode, record
from stranger_level2 import down, roll

from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.kinds import KINDS as ALL_KINDS
from pbem.protocol.verify import verify as real_verify
from tools.vectors.vector import SUCCESS, read

HERE = Path(__file__).parent
VECTORS = {path.stem: read(path.stem, path.read_bytes()) for path in sorted((HERE.parent / "vectors").glob("*.txt"))}
# Left to others: the audit, and what a branch ruling does.
NOT_OURS = {name for name in VECTORS if name.startswith("archive-audit-")} | {"archive-branch-decided"}


def refused(call) -> bool:
    try:
        call()
    except (Bad, Missing):
        return True
    return False


def named(what: str):
    return pytest.mark.parametrize(
        "vector", [v for v in VECTORS.values() if v.what == what and v.name not in NOT_OURS], ids=lambda v: v.name
    )


def test_it_imports_nothing_of_ours():
    for path in HERE.glob("stranger*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in ("pbem", "pbem_rules", "tools", "msgpack") for name in names)


def test_it_knows_all_kinds():
    assert set(PAYLOADS) == ALL_KINDS


@named("canonical")
def test_canonical(vector):
    assert refused(lambda: decode(vector.payload)) == (vector.expect != SUCCESS)


@named("card")
def test_card(vector):
    assert refused(lambda: card(vector.payload)) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert card(vector.payload)["identity"].hex() == vector.facts["identity"]


@named("record")
def test_record(vector):
    def judge():
        found = record(vector.payload)
        check_signature(bytes.fromhex(vector.facts["key"]), found["id"], found["signature"])
        check_data(found)
        return found

    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert judge()["id"].hex() == vector.facts["id"]


@named("call")
def test_call(vector):
    assert refused(lambda: call(vector.payload)) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert call(vector.payload)["id"].hex() == vector.facts["id"]


@named("answer")
def test_answer(vector):
    def judge():
        one, other = decode(vector.payload)
        return answer(call(one), other)

    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert str(judge()["by"]) == vector.facts["by"]


@named("called")
def test_called(vector):
    def judge():
        one, other = decode(vector.payload)
        offer = record(other)
        answers(call(one), Game(offer).d)
        return offer

    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert judge()["id"].hex() == vector.facts["id"]


@named("case")
def test_case(vector):
    def judge():
        return case(containers(vector.payload))

    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert (judge()["id"].hex(), judge()["evidence"].hex()) == (vector.facts["id"], vector.facts["evidence"])


@named("container")
def test_container(vector):
    def judge():
        return list(containers(vector.payload))

    # A file of several containers is an archive's form; the vector of one file refuses what follows.
    if vector.name == "container-several":
        assert len(judge()) > 1
        return
    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert " ".join(str(kind) for kind, _ in judge()) == vector.facts["items"]


@named("draw")
def test_draw(vector):
    results = [int(n) for n in vector.facts["results"].split()]
    sides, occurrence = int(vector.facts["sides"]), int(vector.facts["occurrence"])
    made = roll(vector.payload, vector.facts["label"], occurrence, sides, len(results))
    assert (made == results) == (vector.expect == SUCCESS)


@named("chain")
def test_chain(vector):
    cid, known = bytes.fromhex(vector.facts["cid"]), bytes.fromhex(vector.facts["known"])
    i, at = int(vector.facts["i"]), int(vector.facts["known-i"])
    x = vector.payload
    good = 1 <= i < 65_536 and (down(cid, i, x, at) == known if i >= at else down(cid, at, known, i) == x)
    assert good == (vector.expect == SUCCESS)


@named("key")
def test_key(vector):
    inner = [T("pbem1/part", o, be(1, w), be(4, i), x) for o, w, i, x in decode(vector.payload)]
    key = T("pbem1/dice", bytes.fromhex(vector.facts["game"]), T("pbem1/list", *inner))
    assert (key.hex() == vector.facts["key"]) == (vector.expect == SUCCESS)


@named("archive")
def test_archive(vector):
    def judge():
        return verify(containers(vector.payload))

    assert refused(judge) == (vector.expect != SUCCESS)
    if vector.expect == SUCCESS:
        assert str(judge()) == vector.facts["records"]
    elif vector.expect == "E-INCOMPLETE":
        with pytest.raises(Missing):
            judge()


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_made_up_games(kind):
    archive = game(**kind).archive
    assert verify(containers(write(archive))) == real_verify(archive).counts.records


@pytest.fixture(scope="module")
def bridgehead(tmp_path_factory) -> bytes:
    alice, bob = two(tmp_path_factory.mktemp("homes"))
    name = start(alice, bob)
    play((alice, bob), name)
    return b"".join(alice.archive(name))


def items_of(raw: bytes) -> list[Item]:
    return [Item(ItemType(kind), body) for kind, body in containers(raw)]


def test_a_whole_game_of_bridgehead(bridgehead):
    archive = items_of(bridgehead)
    verdict = real_verify(archive)
    assert verdict.ok
    assert verdict.audit is not None
    assert verdict.counts.dice > 0
    assert verdict.counts.cards > 0
    assert verify(containers(bridgehead)) == verdict.counts.records


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
    ours = real_verify(iter(archive)).ok
    assert refused(lambda: verify((int(item.type), item.raw) for item in archive)) == (not ours)
