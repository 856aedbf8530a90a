"""A short game cut, repeated, put in another order, and mixed with another game of the same players."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from victim import archive, code_of, fresh, offered, records, said, table, verdict

from pbem.protocol.container import Item, ItemType, read, read_stream, write
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.listing import pack_listing
from pbem.protocol.record import make_record, parse_record

CUT = {"E-FORM", "E-CANON"}


def is_record(item: Item) -> bool:
    return item.type is ItemType.RECORD


# Cut off


def test_a_file_cut_at_every_length():
    raw = write(archive())
    for size in range(len(raw)):
        with pytest.raises(Refusal) as caught:
            read(raw[:size])
        assert caught.value.code == "E-CUT"
        if size % 16 == 0:
            with pytest.raises(Refusal) as caught:
                list(read_stream(BytesIO(raw[:size])))
            assert caught.value.code == "E-CUT"


def test_a_record_cut_at_every_length():
    for record in records()[::4]:
        for size in range(len(record.raw)):
            assert code_of(parse_record, record.raw[:size]) in CUT


def test_an_archive_that_ends_early_is_a_game_that_goes_on():
    """It is never anybody's fault; only a list of draws that is missing is told."""
    items = list(archive())
    owing = 0
    for count in range(1, len(items) + 1, 3):
        found = verdict(items[:count])
        if found.first_bad is not None:
            assert (found.first_bad.code, found.first_bad.author) == ("E-DRAW", None)
            continue
        assert found.ok
        assert found.result == verdict(items).result or found.pending
        owing += bool(found.pending)
    assert owing > 5
    assert not verdict([]).ok


# Left out


def test_what_is_left_out_is_missing_and_nobodys_fault():
    items = list(archive())
    named = {name for record in records() for name in (record.prev, *(head for _, head in record.heads))}
    for number, item in enumerate(items):
        found = verdict([*items[:number], *items[number + 1 :]])
        if not is_record(item):
            assert found.first_bad is not None
            assert (found.first_bad.code, found.first_bad.author) == ("E-DRAW", None)
        elif parse_record(item.raw).id not in named:  # the last of all, and who ends at the same time
            assert found.ok
            assert [what for _, what in found.pending] == ["open_all"]
        else:
            assert found.first_bad is None
            assert found.desync is None
            assert parse_record(item.raw).id in found.incomplete


def test_a_copy_that_lacks_records_waits_for_them():
    """Each record but one arrives, and only what builds on the missing one waits for it."""
    all_records = records()
    for missing in (5, 20, len(all_records) // 2):
        replay = fresh()
        waiting = []
        for record in all_records[:missing] + all_records[missing + 1 :]:
            try:
                replay.accept(record)
            except Incomplete:
                waiting.append(record)
        assert waiting
        for record in (all_records[missing], *waiting):
            assert offered(replay, record.raw) == "ok"
        assert replay.match is not None
        assert replay.match.finished


# Twice


def test_everything_twice():
    items = list(archive())
    for number, item in enumerate(items):
        wanted = "E-ARCHIVE" if is_record(item) else "E-DRAW"
        assert said([*items[: number + 1], item, *items[number + 1 :]]) == wanted
        if number % 16 == 0:
            assert said([*items, item]) == wanted


def test_a_record_that_comes_again_changes_nothing():
    replay = fresh()
    for record in records():
        for _ in range(2):
            assert offered(replay, record.raw) == "ok"
    assert replay.log.vector == table().peers[0].replay.log.vector


# In another order


def test_neighbours_exchanged():
    items = list(archive())
    for number in range(len(items) - 1):
        one, two = items[number : number + 2]
        code = said([*items[:number], two, one, *items[number + 2 :]])
        if is_record(one) and is_record(two):
            assert code in ("E-INCOMPLETE", "E-ARCHIVE")
        else:
            assert code in ("ok", "E-DRAW")  # a list may stand a little later, or where its keys are known already


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_no_other_order_is_an_archive(data):
    items = [item for item in archive() if is_record(item)][:24]
    where = data.draw(st.integers(0, len(items) - 1))
    to = data.draw(st.integers(0, len(items) - 1).filter(lambda place: place != where))
    moved = [item for number, item in enumerate(items) if number != where]
    moved.insert(to, items[where])
    assert said(moved) in ("E-INCOMPLETE", "E-ARCHIVE")


@pytest.mark.parametrize("seed", range(3))
def test_whatever_the_order_of_arrival_a_copy_is_the_same(seed):
    """Mail that is shuffled and repeated: what is early waits, and at the end all is there."""
    rng = Random(seed)
    arriving = [record for record in records() for _ in range(rng.choice((1, 1, 2)))]
    rng.shuffle(arriving)
    replay = fresh()
    while arriving:
        left = []
        for record in arriving:
            try:
                replay.accept(record)
            except Incomplete:
                left.append(record)
        assert len(left) < len(arriving)
        arriving = left
    own = table().peers[0]
    assert replay.match is not None
    assert (replay.log.vector, replay.match.state_hash()) == (own.replay.log.vector, own.match.state_hash())


# Two games


def test_no_record_of_another_game_fits():
    """The same two players, another game: put in, put in place of one, or from one on."""
    items, other = list(archive()), list(archive("other"))
    foreign = {item.raw for item in other} - {item.raw for item in items}
    for number in range(1, min(len(items), len(other)), 2):
        if other[number].raw not in foreign:
            continue
        for mixed in (
            [*items[:number], other[number], *items[number:]],
            [*items[:number], other[number], *items[number + 1 :]],
            [*items[:number], *other[number:]],
        ):
            found = verdict(mixed)
            assert not found.ok
            if found.first_bad is not None:
                assert found.first_bad.code in ("E-GAME", "E-DRAW")


def test_a_copy_takes_no_record_of_another_game():
    replay = fresh()
    for record in records():
        assert offered(replay, record.raw) == "ok"
        if replay.match is not None:
            for stranger in records("other")[3::5]:
                assert offered(replay, stranger.raw) == "E-GAME"


def test_no_signature_serves_another_record():
    """Body of one, signature of another of the same author; two of one author exchanged."""
    replay = fresh()
    ours = records()
    for number, record in enumerate(ours):
        for donor in (ours[number - 2], ours[(number + 7) % len(ours)]):
            if donor.signature != record.signature:
                assert offered(replay, record.raw[:-64] + donor.signature) == "E-SIGNATURE"
        assert offered(replay, record.raw) == "ok"


def test_nobody_is_accused_by_a_record_that_he_did_not_sign():
    """A stranger makes a record for a place that is taken. It is no fork without the signature of its author."""
    replay = fresh()
    ours = records()
    for record in ours[:12]:
        assert offered(replay, record.raw) == "ok"
    game = replay.log.genesis
    assert game is not None
    alice, bob = (table().peers[number].player.keys for number in (0, 1))

    def second(keys, seq, prev, heads):
        data = {"seats": [game.seats_of(1)[0]]}
        return make_record(
            keys, at=1, by=1, data=data, game=game.game_id, heads=heads, kind="resign", pin=0, prev=prev, seq=seq
        ).raw

    taken = next(record for record in ours if record.by == 1 and record.seq == 2)
    for seq, prev, heads in ((0, None, ()), (2, taken.prev, taken.heads)):
        assert offered(replay, second(alice, seq, prev, heads)) == "E-SIGNATURE"
        assert offered(replay, second(bob, seq, prev, heads)) == "E-FORK"


# Lists of draws


def test_a_record_listed_as_without_effect_must_be_there_and_be_so():
    items = list(archive())
    number = len(items) // 2
    for moot in (bytes(32), parse_record(next(i for i in items[number:] if is_record(i)).raw).id):
        listing = Item(ItemType.DRAWS, pack_listing((), (moot,)))
        assert said([*items[:number], listing, *items[number:]]) == "E-DRAW"
