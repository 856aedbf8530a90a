"""Archives and their verdicts at levels 1 and 2 (FIL-4, FIL-6, FIL-10)."""

from __future__ import annotations

import tracemalloc

import pytest
from archiveplay import DECK, KINDS, RESULT, Chronicle, game
from hypothesis import given, settings
from hypothesis import strategies as st
from logplay import person

from pbem.fairplay import items
from pbem.fairplay.secret import Opened
from pbem.fairplay.verify import verify
from pbem.protocol.changes import MAX_TOLD
from pbem.protocol.container import Item, ItemType, read, read_stream, write
from pbem.protocol.errors import PbemError
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


@pytest.mark.parametrize("at", range(0, 43, 7))
def test_an_archive_that_stops_early_is_good_so_far(played, at):
    verdict = verify(played.archive[: at + 1])
    assert verdict.first_bad is None
    assert verdict.ok
    if at + 1 < len(played.table.opening):
        assert verdict.pending[-1][1] in ("join", "start")


def test_every_record_taken_out_is_missed_but_nobody_is_blamed(short):
    records = [item for item in short.archive if item.type is ItemType.RECORD]
    for n, item in enumerate(records[:-1]):
        verdict = verify(records[:n] + records[n + 1 :])
        assert not verdict.ok
        assert verdict.first_bad is None
        assert parse_record(item.raw).id in verdict.incomplete


def test_twice_or_out_of_place(short):
    archive = short.archive
    at = len(archive) - 3
    bad(archive[: at + 1] + archive[at:], "E-ARCHIVE", "FIL-4")
    bad([*archive, archive[0]], "E-ARCHIVE", "FIL-4")
    bad([*archive, Item(ItemType.HELLO, b"\xc0")], "E-ARCHIVE", "FIL-4")


def test_concurrent_records_stand_in_the_canonical_order():
    play = Chronicle(2, decks=())
    one = play.record(0, "resign", {"seats": ["seat0"]})
    two = play.record(1, "reveal", {"items": [items.make_nonce_item(play.secrets[1])]})
    opening = play.archive
    good = [*opening, Item(ItemType.RECORD, two.raw), Item(ItemType.RECORD, one.raw)]
    assert verify(good).ok
    found = bad([*opening, good[-1], good[-2]], "E-ARCHIVE", "FIL-4")
    assert (found.author, found.record) == (1, two.id)


def test_records_of_another_game_are_no_part(short):
    other = game(2, cards=False, rounds=1)
    record = next(item for item in reversed(other.archive) if item.type is ItemType.RECORD)
    bad([*short.archive, record], "E-GAME", "GEN-5")
    bad([*short.archive, other.archive[0]], "E-GAME", "GEN-5")


def test_a_join_that_was_not_chosen_does_not_belong(short):
    opening = short.table.opening
    keys, card = person("ben")
    data = {"card": card.raw, "why": "No time."}
    decline = make_record(keys, at=2, by=1, data=data, game=opening[0].id, heads=((0, opening[0].id),), kind="decline",
                          pin=0, prev=None, seq=0)  # fmt: skip
    archive = [short.archive[0], Item(ItemType.RECORD, decline.raw), *short.archive[1:]]
    assert bad(archive, "E-ARCHIVE", "FIL-4").record == decline.id


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_any_changed_byte_is_found(short, data):
    raw = bytearray(write(short.archive))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = read(bytes(raw))
    except PbemError:
        return
    assert not verify(found).ok


@pytest.mark.slow
def test_every_changed_byte_of_the_items_is_found(short, some):
    """Beneath the checksum of the container: only signatures, hashes and forms stand guard."""
    for n, item in enumerate(short.archive):
        for at in some(range(len(item.raw)), 10):
            raw = bytearray(item.raw)
            raw[at] ^= 0x01
            assert not verify([*short.archive[:n], Item(item.type, bytes(raw)), *short.archive[n + 1 :]]).ok


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_changed_byte_in_an_item_is_found(short, data):
    n = data.draw(st.integers(0, len(short.archive) - 1))
    item = short.archive[n]
    raw = bytearray(item.raw)
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    assert not verify([*short.archive[:n], Item(item.type, bytes(raw)), *short.archive[n + 1 :]]).ok


@settings(max_examples=200, deadline=None)
@given(st.lists(st.builds(Item, st.sampled_from(ItemType), st.binary(max_size=300)), max_size=5), st.integers(0, 45))
def test_there_is_a_verdict_for_anything(short, junk, at):
    for archive in (junk, short.archive[:at] + junk + short.archive[at:]):
        verdict = verify(archive)
        assert verdict.ok == (
            verdict.first_bad is None and not verdict.incomplete and (bool(archive) and archive is not junk)
        )


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


def with_record(play: Chronicle, by: int, kind: str, data: dict, **changes) -> list[Item]:
    record = play.record(by, kind, data, **changes)
    play.log.judge(record)
    return [*play.archive, Item(ItemType.RECORD, record.raw)]


def test_a_wrong_nonce():
    play = Chronicle(2, decks=())
    found = bad(with_record(play, 0, "reveal", {"items": [["nonce", bytes(32)]]}), "E-PROMISE", "GEN-8")
    assert found.author == 0


def test_a_wrong_chain_value():
    play = two_players()
    turn = play.orders(0)
    right = items.make_dice_item(play.ledger, play.secrets[1], 1, turn.id)
    for wrong in (
        bytes(32),
        play.secrets[1].chain(1, 0).value(turn.seq + 1),
        play.secrets[0].chain(0, 1).value(turn.seq),
    ):
        found = bad(with_record(play, 1, "reveal", {"items": [["dice", turn.id, wrong]]}), "E-PROMISE", "CHA-4")
        assert found.author == 1
    bad(with_record(play, 0, "reveal", {"items": [right]}), "E-PROMISE", "CHA-4")
    bad(with_record(play, 1, "reveal", {"items": [["dice", bytes(32), right[2]]]}), "E-PROMISE", "CHA-4")


@pytest.mark.parametrize(
    "change",
    [
        {"results": (1, 1, 1)},
        {"label": "t1/other"},
        {"occurrence": 1},
        {"sides": 997},
        {"group": ()},
    ],
)
def test_a_draw_that_did_not_come_so(change):
    play = two_players()
    turn = play.orders(0)
    play.show_dice(turn)
    before = list(play.archive)
    (drawn, _) = play.draw(turn)
    assert verify(play.archive).ok
    wrong = drawn._replace(**change)
    assert wrong != drawn
    bad([*before, Item(ItemType.DRAWS, pack_listing([wrong]))], "E-DRAW", "CHA-8")


def test_a_draw_before_its_reveal():
    play = two_players()
    turn = play.orders(0)
    early = Drawn((turn.id,), "t1/crt", 0, 6, (1,))
    bad([*play.archive, Item(ItemType.DRAWS, pack_listing([early]))], "E-DRAW", "FIL-6")


def test_the_group_of_a_draw_is_written_in_one_way():
    play = two_players()
    turns = [play.orders(0), play.orders(1)]
    for turn in turns:
        play.show_dice(turn)
    before = list(play.archive)
    drawn = play.draw(*turns)[0]
    assert verify(play.archive).ok
    crossed = drawn._replace(group=drawn.group[::-1])
    bad([*before, Item(ItemType.DRAWS, pack_listing([crossed]))], "E-DRAW", "FIL-6")


def test_open_dice_have_no_group():
    play = Chronicle(1, mode="open", decks=())
    turn = play.orders(0)
    before = list(play.archive)
    drawn = play.draw()[0]
    assert verify(play.archive).ok
    bad([*before, Item(ItemType.DRAWS, pack_listing([drawn._replace(group=(turn.id,))]))], "E-DRAW", "FIL-6")


@pytest.mark.parametrize(
    "raw",
    [
        b"\xc0",
        b"\x90",
        pack_listing([Drawn((), "A", 0, 6, (1,))]),
        pack_listing([Drawn((), "a", 0, 1, (1,))]),
        pack_listing([Drawn((), "a", 0, 2**31 + 1, (1,))]),
        pack_listing([Drawn((), "a", -1, 6, (1,))]),
        pack_listing([Drawn((), "a", 0, 6, ())]),
        pack_listing([Drawn((), "a", 0, 6, (1,) * 1_025)]),
        pack_listing([Drawn((b"x",), "a", 0, 6, (1,))]),
        pack_listing([Drawn((bytes(32),) * 2, "a", 0, 6, (1,))]),
        pack_listing([], [b"x"]),
    ],
)
def test_lists_that_make_no_sense(raw):
    play = two_players()
    found = verify([*play.archive, Item(ItemType.DRAWS, raw)]).first_bad
    assert found.code == "E-DRAW"


def test_moot_records_are_left_out():
    play = two_players()
    wrong = play.record(0, "reveal", {"items": [["nonce", bytes(32)]]})
    record = Item(ItemType.RECORD, wrong.raw)
    bad([*play.archive, record], "E-PROMISE", "GEN-8")
    assert verify([*play.archive, Item(ItemType.DRAWS, pack_listing([], [wrong.id])), record]).ok


def test_another_secret_than_the_one_promised():
    play = two_players()
    play.orders(0)
    bad(with_record(play, 0, "open_all", {"gs": bytes(32)}), "E-PROMISE", "HID-40")


def test_the_audit_finds_salts_and_boxes_that_do_not_follow():
    play = Chronicle(2, decks=(DECK,), secrets={0: Opened(bytes(32))})
    play.reveal(0, ["nonce", play.table.secrets[0].nonce])
    play.reveal(1, items.make_nonce_item(play.secrets[1]))
    turn = play.orders(0)
    play.secrets = dict(play.table.secrets)
    play.finish()
    found = bad(play.archive, "E-AUDIT", "CHA-5")
    assert (found.author, found.record) == (0, turn.id)
    assert verify(play.archive, 1).ok


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


def test_a_fork_without_a_ruling_is_named():
    _, before, (one, two, built, _), _ = forked()
    archive = [*before, *(Item(ItemType.RECORD, record.raw) for record in (one, two, built))]
    found = bad(archive, "E-FORK", "LOG-6")
    assert (found.author, found.record) == (1, two.id)
    assert not verify([*before, Item(ItemType.RECORD, one.raw), Item(ItemType.RECORD, built.raw)]).ok


def test_after_a_ruling_the_archive_is_good_again():
    _, before, (one, two, built, ruling), _ = forked()
    archive = [*before, *(Item(ItemType.RECORD, record.raw) for record in (one, two, built, ruling))]
    verdict = verify(archive)
    assert verdict.first_bad is None
    assert verdict.ok
    assert verdict.counts.turns == 1


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


def test_the_branch_kept_is_listed_first():
    _, before, (one, two, built, ruling), _ = forked()
    archive = [*before, *(Item(ItemType.RECORD, record.raw) for record in (two, one, built, ruling))]
    assert not verify(archive).ok


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
