"""The second verifier and the real one agree: on vectors, whole games, and what cheats make."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from archiveplay import KINDS, game
from desks import play, start, two
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import JUDGES, OURS, VECTORS, judge
from stranger import verify
from stranger_forms import PAYLOADS, Bad, Missing, containers

from pbem.fairplay.verify import verify as real_verify
from pbem.home import archives
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.kinds import KINDS as ALL_KINDS
from pbem.protocol.reasons import VERIFIER
from tools.vectors.vector import SUCCESS

HERE = Path(__file__).parent


@pytest.mark.parametrize("vector", OURS, ids=lambda v: v.name)
def test_vector(vector):
    outcome, facts = judge(vector)
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

    assert lines("stranger", "stranger_forms", "stranger_game") <= 1_250
    assert sum(lines(path.stem) for path in HERE.glob("stranger*.py")) <= 1_666


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
    return b"".join(archives.archive(alice, name))


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
