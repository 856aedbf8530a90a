"""A backup comes back read-only, and signs again only once it has caught up."""

import pytest
from desks import carry, desk_at, duel, introduce, start, took

from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import PbemError
from pbem.table.hello import Hello
from pbem.table.parcel import unwrap


def find_game(_):
    return duel()


@pytest.fixture
def game(tmp_path):
    alice, bob = desks = [desk_at(tmp_path / who, who, find_game=find_game) for who in ("alice", "bob")]
    for desk, who in zip(desks, ("alice", "bob"), strict=True):
        desk.new_identity(who.title(), f"{who}@example.org", "")
    introduce(*desks)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in desks if desk.row(name).my_move)
        mover.order(name, ["talisman 2"])
        carry(alice, bob, [(mover, mover.send(name))])
    return alice, bob, name


def code(call, *args, **kwargs):
    with pytest.raises(PbemError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_everything_comes_back_read_only_and_then_plays_on(game, tmp_path):
    alice, bob, name = game
    with alice.lock:
        alice.people.confirm("bob")
    alice.set_private_note(name, "remember")
    phrase, raw = alice.phrase(alice.people.me()), alice.backup(alice.people.me())
    alice.order(name, ["fire"])
    lost = alice.send(name)
    took(bob.open(lost.raw))
    lines = [line.id for line in alice.log(name)]

    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    restored = again.restore(phrase, [raw], "")
    assert restored.person.card.name == "Alice"
    assert restored.faults == ()
    assert [row.name for row in restored.rows] == [name]
    assert restored.rows[0].restored
    assert again.people.contacts()[0].confirmed
    assert again.private_note(name) == "remember"
    assert len(again.log(name)) == len(lines) - 1

    # It would be her move, and to seal another record of that number would be a fork.
    again.order(name, ["rest"])
    assert code(again.resign, name) == "E-RESTORED"
    hello = again.send(name)
    assert len(again.log(name)) == len(lines) - 1
    assert code(again.confirm_restored, name) == "E-RESTORED"
    (asked,) = took(bob.open(hello.raw))
    assert asked.kind == "hello"
    found = took(again.open(asked.posted[0].raw))
    assert {opened.kind for opened in found} == {"turn", "hello"}
    assert [line.id for line in again.log(name)] == lines
    assert again.row(name).restored
    again.confirm_restored(name)
    assert code(again.confirm_restored, name) == "E-NO-NEED"
    assert not again.row(name).restored
    bob.order(name, ["dodge"])
    carry(again, bob, [(bob, bob.send(name))])
    assert again.row(name).my_move


def test_who_says_that_he_holds_more_of_oneself_has_not_answered(game, tmp_path):
    """Nobody signs a hello; what it says against signing anew is believed all the same."""
    alice, _, name = game
    phrase, raw = alice.phrase(alice.people.me()), alice.backup(alice.people.me())
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    again.restore(phrase, [raw], "")
    (asked,) = unwrap(again.send(name).raw).hellos
    said = Hello(1, asked.game, {0: asked.have[0] + 1, 1: asked.have[1]}, want=False)
    (opened,) = took(again.open(write([Item(ItemType.HELLO, said.pack())])))
    assert "more of your own records" in opened.what
    assert code(again.confirm_restored, name) == "E-RESTORED"


def test_nothing_is_revealed_before_the_confirmation(game, tmp_path):
    alice, bob, name = game
    phrase, raw = bob.phrase(bob.people.me()), bob.backup(bob.people.me())
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    again.restore(phrase, [raw], "")
    took(again.open(alice.resign(name).raw))
    assert "resign" in [line.kind for line in again.log(name)]
    assert not [path for path in (tmp_path / "again" / "outbox").iterdir() if "hello" not in path.name]
    again.confirm_restored(name, anyway=True)
    carry(alice, again, [(again, again.send(name))])
    assert again.row(name).stage == "over"


def test_the_phrase_and_an_opponents_archive_are_enough(game, tmp_path):
    alice, bob, name = game
    phrase = bob.phrase(bob.people.me())
    archive = b"".join(alice.archive(name))
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    assert code(again.restore, phrase, [archive], "") == "E-NO-IDENTITY"
    restored = again.restore(phrase, [archive], "", "Bob", "bob@example.org")
    assert [row.name for row in restored.rows] == [name]
    assert restored.rows[0].restored
    assert again.people.me().identity == bob.people.me().identity
    again.confirm_restored(name, anyway=True)
    alice.order(name, ["fire"])
    carry(alice, again, [(alice, alice.send(name))])
    again.order(name, ["dodge"])
    carry(alice, again, [(again, again.send(name))])
    assert alice.row(name).my_move


def test_a_backup_is_opened_by_its_own_phrase_only(game, tmp_path):
    alice, bob, _ = game
    raw = alice.backup(alice.people.me())
    again = desk_at(tmp_path / "again", "again", find_game=find_game)
    assert code(again.restore, bob.phrase(bob.people.me()), [raw], "") == "E-PHRASE"
    words = alice.phrase(alice.people.me()).split()
    assert code(again.restore, " ".join([*words[:-1], "zebra"]), [raw], "").startswith("E-")
    assert again.people.identities() == []
    damaged = bytearray(raw)
    damaged[len(raw) // 2] ^= 1
    assert code(again.restore, alice.phrase(alice.people.me()), [bytes(damaged)], "") is not None
    assert again.games() == []


def test_a_backup_hides_what_is_private(game):
    alice, _, name = game
    alice.set_private_note(name, "Bob bluffs whenever he rests")
    from pbem.protocol.container import read

    raw = alice.backup(alice.people.me())
    plain = b"".join(item.raw for item in read(raw))
    assert b"bluffs" not in plain
    assert alice.people.seed(alice.people.me().identity) not in plain
    assert alice.open(raw)[0].kind == "backup"


def test_restoring_twice_changes_nothing(game, tmp_path):
    alice, _, _ = game
    phrase, raw = alice.phrase(alice.people.me()), alice.backup(alice.people.me())
    before = len(list((tmp_path / "alice").rglob("*")))
    restored = alice.restore(phrase, [raw], "")
    assert not restored.rows[0].restored  # this home never lost anything
    assert len(list((tmp_path / "alice").rglob("*"))) == before
