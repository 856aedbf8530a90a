"""Archives and their verdicts at levels 1 and 2 (FIL-4, FIL-6, FIL-10): what no file of
tests/vectors and no attack says."""

from __future__ import annotations

import tracemalloc

import pytest
from archiveplay import DECK, KINDS, RESULT, Chronicle, game
from logplay import person

from pbem.fairplay.verify import verify
from pbem.protocol.changes import MAX_TOLD
from pbem.protocol.container import Item, ItemType, read, read_stream, write
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.limits import OPENED_KEPT
from pbem.protocol.listing import Drawn, pack_listing, parse_listing
from pbem.protocol.record import UMPIRE, Message, make_record, note_hash, parse_record


@pytest.fixture(scope="module", params=KINDS, ids=str)
def played(request) -> Chronicle:
    return game(**request.param)


@pytest.fixture(scope="module")
def short() -> Chronicle:
    return game(2, rounds=1)


def bad(archive, code: str, step: str, level: int = 2):
    verdict = verify(archive, level)
    assert not verdict.ok
    assert verdict.first_bad is not None, verdict
    assert (verdict.first_bad.code, verdict.first_bad.step) == (code, step), verdict.first_bad
    return verdict.first_bad


def test_a_good_archive(played):
    verdict = verify(played.archive)
    assert verdict.first_bad is None
    assert verdict.ok
    assert verdict.incomplete == ()
    assert verdict.pending == ()
    assert verdict.result == RESULT
    counts = verdict.counts
    assert counts.records == len(played.table.opening) + len(played.records)
    assert counts.turns == counts.orders == sum(record.kind == "orders" for record in played.records)
    listed = [parse_listing(item.raw) for item in played.archive if item.type is ItemType.DRAWS]
    assert counts.draws == sum(len(one.draws) for one in listed)
    assert counts.dice == sum(len(drawn.results) for one in listed for drawn in one.draws)
    assert counts.messages == 1
    assert verdict.game.card(0).name == "anna"
    assert verdict.game.mode == played.genesis.mode
    assert verdict.audit is not None
    assert verdict.audit.missing == ()
    assert verify(played.archive, 1).ok
    assert verify(read(write(played.archive))).ok


def test_a_stream_can_be_read_once_only_without_the_audit(short):
    verdict = verify(iter(short.archive))
    assert verdict.ok
    assert verdict.audit is None


def test_a_join_that_was_not_chosen_does_not_belong(short):
    opening = short.table.opening
    keys, card = person("ben")
    data = {"card": card.raw, "why": "No time."}
    decline = make_record(keys, at=2, by=1, data=data, game=opening[0].id, heads=((0, opening[0].id),), kind="decline",
                          pin=0, prev=None, seq=0)  # fmt: skip
    archive = [short.archive[0], Item(ItemType.RECORD, decline.raw), *short.archive[1:]]
    assert bad(archive, "E-ARCHIVE", "FIL-4").record == decline.id


def test_a_broken_container_is_a_verdict(tmp_path, short):
    path = tmp_path / "game.pbem"
    path.write_bytes(write(short.archive)[:-9])
    with path.open("rb") as file:
        verdict = verify(read_stream(file))
    assert (verdict.ok, verdict.first_bad.code) == (False, "E-CUT")


def test_nothing_is_no_archive():
    assert not verify([]).ok


def test_a_proof_of_a_fork_alone_is_good():
    game_of = Chronicle(2, decks=())
    one = game_of.record(0, "tie", {})
    two = game_of.record(0, "resign", {"seats": ["seat0"]})
    proof = make_fork_proof(one, two, game_of.genesis.card(0))
    verdict = verify([Item(ItemType.FORK, proof.raw)])
    assert verdict.ok
    assert verdict.counts.forks == 1


# Cheating, each caught at its step


def two_players(**secrets) -> Chronicle:
    play = Chronicle(2, decks=(DECK,), **secrets)
    play.nonces()
    return play


@pytest.mark.parametrize(
    "raw",
    [
        b"\xc0",
        b"\x90",
        pack_listing([Drawn((), "A", 0, 6, (1,))]),
        pack_listing([Drawn((), "a", 0, 2**31 + 1, (1,))]),
        pack_listing([Drawn((), "a", -1, 6, (1,))]),
        pack_listing([Drawn((), "a", 0, 6, ())]),
        pack_listing([Drawn((), "a", 0, 6, (1,) * 1_025)]),
        pack_listing([Drawn((b"x",), "a", 0, 6, (1,))]),
        pack_listing([Drawn((bytes(32),) * 2, "a", 0, 6, (1,))]),
    ],
)
def test_lists_that_make_no_sense(raw):
    play = two_players()
    found = verify([*play.archive, Item(ItemType.DRAWS, raw)]).first_bad
    assert found.code == "E-DRAW"


def test_who_keeps_his_secrets_does_not_hinder_the_audit_of_the_others():
    play = two_players()
    for by in (0, 1):
        play.take(play.record(by, "end", {"state": bytes(32), "result": RESULT}))
    play.take(play.record(0, "open_all", {"gs": play.secrets[0].gs}))
    verdict = verify(play.archive)
    assert verdict.ok
    assert verdict.audit is not None
    assert verdict.audit.missing == (1,)
    assert verdict.pending == ((1, "open_all"),)


# Forks in an archive


def forked() -> tuple[Chronicle, list[Item], list, dict]:
    """Ben wrote two records; Anna knows the first, Carla built on the second."""
    play = Chronicle(3, umpire=True, decks=())
    play.nonces()
    before = list(play.archive)
    one = play.record(1, "orders", {"state": bytes(32), "salt": play.secrets[1].salt(2), "orders": [["x", 1]]})
    two = play.record(1, "orders", {"state": bytes(32), "salt": play.secrets[1].salt(2), "orders": [["x", 2]]})
    carla = tuple(sorted({**dict(play.log.heads(2)), 1: two.id}.items()))
    built = play.record(2, "tie", {}, heads=carla)
    play.log.add(one)
    branch = {"what": "branch", "why": "", "keep": one.id, "drop": two.id, "other": two.raw}
    heads = tuple(sorted({**dict(play.log.heads(UMPIRE)), 1: one.id}.items()))
    ruling = play.record(UMPIRE, "ruling", branch, heads=heads)
    return play, before, [one, two, built, ruling], branch


def test_of_several_forks_the_one_is_named_that_nobody_has_decided():
    play, before, (one, two, _, ruling), _ = forked()
    third = play.record(1, "tie", {}, prev=one.prev, seq=one.seq, heads=one.heads)
    archive = [*before, *(Item(ItemType.RECORD, record.raw) for record in (one, two, third, ruling))]
    found = bad(archive, "E-FORK", "LOG-6")
    assert (found.author, found.record) == (1, third.id)


def test_a_message_to_the_record_that_was_dropped_may_stay():
    play, before, (one, two, _, _), branch = forked()
    two = play.record(1, "tie", {}, prev=two.prev, seq=two.seq, heads=two.heads, note=note_hash(bytes(16), "No, wait."))
    message = Message(two.id, bytes(16), "No, wait.")
    ruling = play.record(UMPIRE, "ruling", {**branch, "drop": two.id, "other": two.raw})
    raws = [Item(ItemType.RECORD, record.raw) for record in (one, two, ruling)]
    raws.insert(2, Item(ItemType.MESSAGE, message.pack()))
    assert verify([*before, *raws]).ok


# What is told of rulings


@pytest.mark.parametrize("level", [1, 2])
def test_a_ruling_is_told_and_whether_it_holds(level):
    play = Chronicle(3, decks=())
    play.nonces()
    extension = {"what": "extension", "why": "A long illness", "player": 2, "seconds": 86_400}
    first = play.take(play.record(0, "ruling", extension))
    (told,) = verify(play.archive, level).changes
    assert (told.record, told.by, told.what, told.players) == (first.id, 0, "extension", (2,))
    assert (told.why, told.name, told.identity, told.holds) == ("A long illness", "", None, False)
    play.take(play.record(1, "ruling", {**extension, "seconds": 86_401}))
    assert [each.holds for each in verify(play.archive, level).changes] == [False, False]
    play.take(play.record(1, "ruling", {**extension, "why": ""}))
    assert [each.holds for each in verify(play.archive, level).changes] == [True, False, True]


def test_what_is_told_of_rulings_is_bounded():
    play = Chronicle(3, decks=())
    play.nonces()
    for seconds in range(1, MAX_TOLD + 20):
        play.take(play.record(0, "ruling", {"what": "extension", "why": "", "player": 2, "seconds": seconds}))
    assert len(verify(play.archive).changes) == MAX_TOLD


# Size


def test_memory_does_not_grow_with_the_game():
    """Past the bound of what is remembered of openings, a record leaves its row in the log, and nothing else."""
    peaks, counts = [], []
    for rounds in (OPENED_KEPT // 2 + 2, OPENED_KEPT):
        play = game(2, cards=False, rounds=rounds)
        counts.append(len(play.records))
        tracemalloc.start()
        assert verify(iter(play.archive)).ok
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 100 * (counts[1] - counts[0])


def test_levels():
    with pytest.raises(ValueError):
        verify([], 3)
    assert parse_record(game(2).archive[0].raw).kind == "offer"
