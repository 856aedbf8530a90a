"""A backup comes back read-only, and signs again only once it has caught up."""

import pytest
from desks import carry, desk_at, duel, introduce, start, took

from pbem.home import acts, archives, backup, describe, intake, orders, resync, sending, summary
from pbem.home.unpacking import Hello, unwrap
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import PbemError


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
        mover = next(desk for desk in desks if summary.row(desk, name).my_move)
        orders.order(mover, name, ["talisman 2"])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    return alice, bob, name


def code(call, *args, **kwargs):
    with pytest.raises(PbemError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_everything_comes_back_read_only_and_then_plays_on(game, tmp_path):
    alice, bob, name = game
    with alice.writing():
        alice.people.confirm("bob")
    orders.set_private_note(alice, name, "remember")
    phrase, raw = backup.phrase(alice, alice.people.me()), backup.backup(alice, alice.people.me())
    orders.order(alice, name, ["fire"])
    lost = sending.send(alice, name).posted
    took(intake.open_bytes(bob, lost.raw))
    lines = [line.id for line in describe.log(alice, name)]

    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    restored = backup.restore(again, phrase, [raw], "")
    assert restored.person.card.name == "Alice"
    assert restored.faults == ()
    assert [row.name for row in restored.rows] == [name]
    assert restored.rows[0].restored
    assert again.people.contacts()[0].confirmed
    assert orders.private_note(again, name) == "remember"
    assert len(describe.log(again, name)) == len(lines) - 1

    # It would be her move, and to seal another record of that number would be a fork.
    orders.order(again, name, ["rest"])
    assert code(acts.resign, again, name) == "E-RESTORED"
    hello = sending.send(again, name).posted
    assert len(describe.log(again, name)) == len(lines) - 1
    assert code(resync.confirm, again, name) == "E-RESTORED"
    (asked,) = took(intake.open_bytes(bob, hello.raw))
    assert asked.kind == "hello"
    found = took(intake.open_bytes(again, asked.posted[0].raw))
    assert {opened.kind for opened in found} == {"turn", "hello"}
    assert [line.id for line in describe.log(again, name)] == lines
    assert summary.row(again, name).restored
    resync.confirm(again, name)
    assert code(resync.confirm, again, name) == "E-NO-NEED"
    assert not summary.row(again, name).restored
    orders.order(bob, name, ["dodge"])
    carry(again, bob, [(bob, sending.send(bob, name).posted)])
    assert summary.row(again, name).my_move


def test_who_says_that_he_holds_more_of_oneself_has_not_answered(game, tmp_path):
    """Nobody signs a hello; what it says against signing anew is believed all the same."""
    alice, _, name = game
    phrase, raw = backup.phrase(alice, alice.people.me()), backup.backup(alice, alice.people.me())
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    backup.restore(again, phrase, [raw], "")
    (asked,) = unwrap(sending.send(again, name).posted.raw).hellos
    said = Hello(1, asked.game, {0: asked.have[0] + 1, 1: asked.have[1]}, want=False)
    (opened,) = took(intake.open_bytes(again, write([Item(ItemType.HELLO, said.pack())])))
    assert "more of your own records" in opened.what
    assert code(resync.confirm, again, name) == "E-RESTORED"


def test_nothing_is_revealed_before_the_confirmation(game, tmp_path):
    alice, bob, name = game
    phrase, raw = backup.phrase(bob, bob.people.me()), backup.backup(bob, bob.people.me())
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    backup.restore(again, phrase, [raw], "")
    took(intake.open_bytes(again, acts.resign(alice, name).raw))
    assert "resign" in [line.kind for line in describe.log(again, name)]
    assert not [path for path in (tmp_path / "again" / "outbox").iterdir() if "hello" not in path.name]
    resync.confirm(again, name, anyway=True)
    carry(alice, again, [(again, sending.send(again, name).posted)])
    assert summary.row(again, name).stage == "over"


def test_the_phrase_and_an_opponents_archive_are_enough(game, tmp_path):
    alice, bob, name = game
    phrase = backup.phrase(bob, bob.people.me())
    archive = b"".join(archives.archive(alice, name))
    again = desk_at(tmp_path / "again", "again", start=1_900_000_000, find_game=find_game)
    assert code(backup.restore, again, phrase, [archive], "") == "E-NO-IDENTITY"
    restored = backup.restore(again, phrase, [archive], "", "Bob", "bob@example.org")
    assert [row.name for row in restored.rows] == [name]
    assert restored.rows[0].restored
    assert again.people.me().identity == bob.people.me().identity
    resync.confirm(again, name, anyway=True)
    orders.order(alice, name, ["fire"])
    carry(alice, again, [(alice, sending.send(alice, name).posted)])
    orders.order(again, name, ["dodge"])
    carry(alice, again, [(again, sending.send(again, name).posted)])
    assert summary.row(alice, name).my_move


def test_a_backup_is_opened_by_its_own_phrase_only(game, tmp_path):
    alice, bob, _ = game
    raw = backup.backup(alice, alice.people.me())
    again = desk_at(tmp_path / "again", "again", find_game=find_game)
    assert code(backup.restore, again, backup.phrase(bob, bob.people.me()), [raw], "") == "E-PHRASE"
    words = backup.phrase(alice, alice.people.me()).split()
    assert code(backup.restore, again, " ".join([*words[:-1], "zebra"]), [raw], "").startswith("E-")
    assert again.people.identities() == []
    damaged = bytearray(raw)
    damaged[len(raw) // 2] ^= 1
    assert code(backup.restore, again, backup.phrase(alice, alice.people.me()), [bytes(damaged)], "") is not None
    assert summary.rows(again) == []


def test_a_backup_hides_what_is_private(game):
    alice, _, name = game
    orders.set_private_note(alice, name, "Bob bluffs whenever he rests")
    from pbem.protocol.container import read

    raw = backup.backup(alice, alice.people.me())
    plain = b"".join(item.raw for item in read(raw))
    assert b"bluffs" not in plain
    assert alice.people.seed(alice.people.me().identity) not in plain
    assert intake.open_bytes(alice, raw)[0].kind == "backup"


def test_restoring_twice_changes_nothing(game, tmp_path):
    alice, _, _ = game
    phrase, raw = backup.phrase(alice, alice.people.me()), backup.backup(alice, alice.people.me())
    before = len(list((tmp_path / "alice").rglob("*")))
    restored = backup.restore(alice, phrase, [raw], "")
    assert not restored.rows[0].restored  # this home never lost anything
    assert len(list((tmp_path / "alice").rglob("*"))) == before
