"""The folder of a game: nothing is overwritten, a number is used once, a value is shown once."""

import pytest

from pbem.home import HomeError
from pbem.home.disk import Disk, names
from pbem.home.gamefile import GameState, GameStore, Stored
from pbem.home.intake import Waiting, WaitingRoom


@pytest.fixture
def store(tmp_path):
    made = GameStore(tmp_path / "game", Disk(), lambda: 1_700_000_000)
    made.prepare()
    return made


def test_records_come_back_as_they_came(store):
    store.add([Stored(1, 0, b"one"), Stored(0, 0, b"zero"), Stored(7, 12, b"umpire")])
    assert store.records() == [Stored(0, 0, b"zero"), Stored(1, 0, b"one"), Stored(7, 12, b"umpire")]
    assert store.arrived(7, 12) == 1_700_000_000
    assert store.record(1, 1) is None


def test_held_records_are_passed_over_and_others_are_never_overwritten(store):
    store.add([Stored(0, 0, b"zero")])
    store.add([Stored(0, 0, b"zero"), Stored(0, 1, b"next")])
    with pytest.raises(HomeError) as caught:
        store.add([Stored(1, 0, b"fresh"), Stored(0, 0, b"other")])
    assert caught.value.code == "E-USED"
    assert store.records() == [Stored(0, 0, b"zero"), Stored(0, 1, b"next")]


def test_an_own_number_is_used_once(store):
    store.add_own(Stored(0, 0, b"mine"), {})
    for raw in (b"mine", b"other"):
        with pytest.raises(HomeError) as caught:
            store.add_own(Stored(0, 0, raw), {})
        assert caught.value.code == "E-USED"
    assert store.record(0, 0) == b"mine"


def test_a_value_is_shown_for_one_record_only(store):
    store.add_own(Stored(0, 0, b"a"), {"dice:1:0:3": "aa"})
    store.add_own(Stored(0, 1, b"b"), {"dice:1:0:3": "aa", "dice:1:0:4": "bb"})
    with pytest.raises(HomeError) as caught:
        store.add_own(Stored(0, 2, b"c"), {"dice:1:0:4": "cc"})
    assert caught.value.code == "E-USED"
    assert store.record(0, 2) is None


def test_a_torn_line_of_the_journal_is_passed_over(store, tmp_path):
    store.journal.claim({"dice:1:0:3": "aa"})
    path = tmp_path / "game" / "vault" / "shown"
    with path.open("ab") as file:
        file.write(b"dice:1:0:4 b")
    assert store.journal.entries() == {"dice:1:0:3": "aa"}
    store.journal.claim({"dice:1:0:4": "cc"})
    assert store.journal.entries() == {"dice:1:0:3": "aa", "dice:1:0:4": "cc"}


def test_foreign_files_in_the_folder_are_not_records(store, tmp_path):
    for name in (".tmp-0-000001", "0-1", "9-000001", "0-000001.bak", "notes"):
        (tmp_path / "game" / "records" / name).write_bytes(b"x")
    assert store.numbers() == []


def test_the_stamp_follows_the_records(store):
    before = store.stamp()
    store.add([Stored(0, 0, b"zero")])
    assert store.stamp() != before


def test_vault_and_cache(store):
    store.set_private("draft", b"secret")
    store.set_cached("snapshot", b"state")
    assert store.private("draft") == b"secret"
    assert store.cached("snapshot") == b"state"
    store.set_private("draft", None)
    store.set_private("draft", None)
    assert store.private("draft") is None


def test_the_waiting_room_is_bounded_per_author(tmp_path):
    room = WaitingRoom(tmp_path / "waiting", Disk())
    game = bytes(32)

    def item(by, n):
        return Waiting(by, n.to_bytes(32, "big"), b"raw %d" % n)

    taken = [room.add(game, item(1, n)) for n in range(70)]
    assert taken == [True] * 64 + [False] * 6
    assert room.add(game, item(1, 3))  # held already
    assert room.add(game, item(2, 1000))  # another author is not crowded out
    kept = room.of(game)
    assert len(kept) == 65
    room.remove(game, kept)
    assert room.games() == []
    assert names(tmp_path / "waiting") == []


def test_the_waiting_room_holds_few_games(tmp_path):
    room = WaitingRoom(tmp_path / "waiting", Disk())
    taken = [room.add(n.to_bytes(32, "big"), Waiting(0, bytes(32), b"x")) for n in range(66)]
    assert taken == [True] * 64 + [False] * 2


def test_the_state_of_a_game_is_kept_whole(store):
    assert store.state == GameState()
    store.change(identity=bytes(32), by=1, bots=("red", "blue"), answered=(), left=(b"one",))
    store.change(note="Hello", note_with=(1, 4))
    assert store.state == GameState(
        identity=bytes(32), by=1, bots=("red", "blue"), answered=(), left=(b"one",), note="Hello", note_with=(1, 4)
    )
    store.change(answered=None)
    assert (store.state.answered, store.state.note) == (None, "Hello")
