"""A peer who signs whatever he likes: well-formed records with payloads changed at random. There is always a verdict,
never an error, and nothing is half taken in."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from archiveplay import KINDS, Chronicle, game
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.fairplay.ledger import Ledger
from pbem.fairplay.verify import verify
from pbem.protocol import envelope
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import tagged
from pbem.protocol.errors import PbemError
from pbem.protocol.log import Log
from pbem.protocol.record import parse_record


@cache
def games() -> list[Chronicle]:
    return [game(**kind) for kind in KINDS]


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-2, 10),
    st.binary(max_size=40),
    st.sampled_from([bytes(32), bytes(16), b"\xff" * 32]),
    st.text(max_size=8).filter(lambda text: all(not 0xD800 <= ord(c) < 0xE000 for c in text)),
    st.sampled_from(
        ["deck/1/0", "deck/1/9", "deck/99/0", "seat0", "seat1", "choice/0/0", "deck", "nonce", "slot", "why"]
    ),
)


def places(value: Any, path: tuple = ()) -> list[tuple]:
    found = [path]
    if isinstance(value, dict):
        for key, member in value.items():
            found += places(member, (*path, key))
    elif isinstance(value, list):
        for n, member in enumerate(value):
            found += places(member, (*path, n))
    return found


def changed(draw, value: Any) -> Any:
    """One place of a payload replaced, taken out, doubled or exchanged with another."""
    where = draw(st.sampled_from(places(value)[1:] or [()]))
    if not where:
        return {"x": draw(scalars)}
    parent = value
    for key in where[:-1]:
        parent = parent[key]
    action = draw(st.sampled_from(("replace", "replace", "drop", "double", "flip")))
    last = where[-1]
    if action == "drop":
        del parent[last]
    elif action == "double" and isinstance(parent, list):
        parent.insert(last, parent[last])
    elif action == "flip" and isinstance(parent[last], bytes) and parent[last]:
        raw = bytearray(parent[last])
        raw[draw(st.integers(0, len(raw) - 1))] ^= draw(st.integers(1, 255))
        parent[last] = bytes(raw)
    else:
        parent[last] = draw(scalars)
    return value


def forged(play: Chronicle, raw: bytes, draw) -> bytes:
    """The record with another payload or other heads, signed by its author again."""
    record = parse_record(raw)
    size = int.from_bytes(raw[2:3], "big") if raw[1] == 0xC4 else int.from_bytes(raw[2:4], "big")
    start = 3 if raw[1] == 0xC4 else 4
    body: Any = unpack(raw[start : start + size])
    field = draw(st.sampled_from(("data",) * 6 + ("heads", "pin", "seq", "kind", "note")))
    if field == "data":
        body["data"] = changed(draw, body["data"])
    elif field == "kind":
        body["kind"] = draw(
            st.sampled_from(["orders", "reveal", "release", "ruling", "rekey", "end", "open_all", "answer", "claim"])
        )
    elif field == "heads":
        body["heads"] = body["heads"][: draw(st.integers(0, 4))]
    else:
        body[field] = draw(scalars)
    packed = pack(body)
    keys = play.table.people[record.by][0]
    return envelope.join(packed, keys.sign(tagged("pbem1/rec", packed)))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_there_is_always_a_verdict(data):
    play = data.draw(st.sampled_from(games()))
    records = [n for n, item in enumerate(play.archive) if item.type is ItemType.RECORD]
    at = data.draw(st.sampled_from(records))
    bad = Item(ItemType.RECORD, forged(play, play.archive[at].raw, data.draw))
    rest = play.archive[at + 1 :] if data.draw(st.booleans()) else []
    verdict = verify([*play.archive[:at], bad, *rest])
    same = bad.raw == play.archive[at].raw
    assert verdict.ok or not same
    if verdict.first_bad is not None:
        assert verdict.first_bad.code.startswith("E-")
        assert verdict.first_bad.step
        assert verdict.first_bad.sentence.endswith((".", "?"))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_refusal_leaves_log_and_ledger_as_they_were(data):
    play = data.draw(st.sampled_from(games()))
    records = [item.raw for item in play.archive if item.type is ItemType.RECORD]
    first = len(play.table.opening)
    at = data.draw(st.integers(first, len(records) - 1))
    log, ledger = Log(), Ledger(play.genesis)
    for n, raw in enumerate(records[:at]):
        log.add(parse_record(raw))
        if n >= first:
            ledger.apply(parse_record(raw))
    before, state = log.dump(), ledger.dump()
    try:
        record = parse_record(forged(play, records[at], data.draw))
        log.judge(record)
        assert log.dump() == before
        ledger.apply(record)
    except PbemError:
        assert log.dump() == before
        assert ledger.dump() == state


def test_the_games_are_good():
    for play in games():
        assert verify(play.archive).ok


@pytest.mark.long
@settings(max_examples=4_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_there_is_always_a_verdict_longer(data):
    test_there_is_always_a_verdict.hypothesis.inner_test(data)
