"""Reasons of the desk that no other test gives."""

import pytest
from desks import carry, desk_at, duel, introduce, umpired

from pbem.home import acts, backup, intake, offers, orders, sending
from pbem.home.gamefile import GameStore, Stored
from pbem.protocol.canonical import pack
from pbem.protocol.container import Item, ItemType, read, write
from pbem.protocol.errors import PbemError


@pytest.fixture
def game(tmp_path):
    desks = [desk_at(tmp_path / name, name, find_game=lambda _: duel()) for name in ("alice", "bob", "dora")]
    for desk, name in zip(desks, ("Alice", "Bob", "Dora"), strict=True):
        desk.new_identity(name, "", "")
    introduce(*desks)
    alice, bob, dora = desks
    name = umpired(dora, (alice, bob), "duel", {"ann": "alice", "bob": "bob"})
    for desk in (alice, bob):
        orders.order(desk, name, ["talisman 2"])
        carry(*desks, [(desk, sending.send(desk, name).posted)])
    return alice, bob, dora, name


def code(call, *args, **kwargs):
    with pytest.raises(PbemError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_rulings_on_nothing(game):
    _, _, dora, name = game
    assert code(acts.rule, dora, name, "escrow") == "E-NO-NEED"
    assert code(acts.rule, dora, name, "branch", keep="5be1", drop="90c4") == "E-UNKNOWN"
    assert code(acts.rule, dora, name, "substitute", player="bob", raw=b"hello") == "E-NOTHING"


def test_a_game_without_odds(game):
    alice, *_, name = game
    assert code(orders.move(alice, name).odds, "fire") == "E-LACKS"


def test_alone_there_is_nothing_to_send(tmp_path):
    alone = desk_at(tmp_path / "alone", "alone", find_game=lambda _: duel())
    alone.new_identity("Alice", "", "")
    name, posted = offers.offer(alone, "duel", seats={"ann": "me", "bob": "me"}, mode="open")
    assert posted is None
    assert code(sending.send, alone, name) == "E-NO-NEED"


def test_a_draft_that_the_game_has_overtaken(game):
    """What is left of it is shown and not sealed without the player."""
    alice, *_, name = game
    alice.load(name).store.set_private("draft", _draft("aim 1", "aim 3"))
    assert code(sending.send, alice, name) == "E-DRAFT-CHANGED"
    assert orders.move(alice, name).drafted().orders == ["aim 1"]
    sending.send(alice, name)


def _draft(*texts):
    notation = duel().notation
    lines = [[text, [duel().orders.write(notation.read(text))], False] for text in texts]
    return pack({"left": None, "lines": lines, "sealing": None, "standing": []})


def test_an_identity_is_added_once(game):
    alice, *_ = game
    seed = bytes([3]) * 32
    with alice.writing():
        alice.people.add_identity(seed, "Again", "", "", 1)
        assert code(alice.people.add_identity, seed, "Again", "", "", 1) == "E-NO-NEED"


@pytest.mark.parametrize(
    "raw", [pack([]), pack({"by": 0}), pack({"by": 9, "game": bytes(32), "have": [], "want": True, "v": 1})]
)
def test_hellos_that_are_none(game, raw):
    alice, *_ = game
    (opened,) = intake.open_bytes(alice, write([Item(ItemType.HELLO, raw)]))
    assert opened.refused is not None
    assert opened.refused.code == "E-FORM"


def test_damaged_backups(game, tmp_path):
    alice, *_ = game
    person = alice.people.me()
    items = read(backup.backup(alice, person))
    phrase = backup.phrase(alice, person)
    fresh = desk_at(tmp_path / "fresh", "fresh", find_game=lambda _: duel())
    head = items[0].raw
    for bad in (head[:-1] + bytes([head[-1] ^ 1]), pack({"v": 1})):
        assert code(backup.restore, fresh, phrase, [write([items[0]._replace(raw=bad), *items[1:]])], "") == "E-BACKUP"
    assert fresh.people.identities() == []
    gone = [item for item in items if item.type is not ItemType.RECORD]
    found = backup.restore(fresh, phrase, [write(gone)], "")
    assert found.rows == ()
    assert ["[E-BACKUP" in fault for fault in found.faults] == [True]


def test_a_chain_has_an_end(game, tmp_path):
    alice, *_, name = game
    store = alice.load(name).store
    assert isinstance(store, GameStore)
    assert code(store.add_own, Stored(0, 65_536, b"x"), {}) == "E-UNKNOWN"
