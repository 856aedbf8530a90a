"""Offering, joining, declining, cancelling; each answer is made once."""

import pytest
from desks import carry, desk_at, duel, introduce, start, took, two

from pbem.fairplay.begin import first_record, join_data
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.genesis import join_of, offer_of
from pbem.protocol.listing import pack_listing
from pbem.protocol.record import make_record
from pbem.table import founding
from pbem.table.moves import Below
from pbem.table.parcel import unwrap
from pbem.table.tableerror import TableError
from pbem_rules import axis1941


def find_game(_):
    return duel()


def three(_):
    return duel(3)


def many(tmp_path, *names, find_game=find_game):
    desks = [desk_at(tmp_path / name, name, find_game=find_game) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


SEATS = {"ann": "me", "bob": "bob"}


def code(call, *args, **kwargs):
    with pytest.raises(TableError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_an_offer_from_making_to_start(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS, title="Once more")
    assert posted.to == ("Bob <bob@example.org>",)
    assert posted.path.read_bytes() == posted.raw
    row = alice.row(name)
    assert (row.stage, row.title, row.my_move) == ("offered", "Once more", False)
    assert [(each.name, each.what) for each in row.owed] == [("Bob", "join")]
    (opened,) = took(bob.open(posted.raw))
    assert (opened.kind, opened.game, opened.new) == ("offer", name, 1)
    assert "Duel" in opened.what
    assert "Alice <alice@example.org>" in opened.what
    assert bob.row(name).stage == "invited"
    (again,) = took(bob.open(posted.raw))
    assert again.new == 0
    joined = bob.join(name)
    assert joined.to == ("Alice <alice@example.org>",)
    assert bob.row(name).stage == "waiting"
    (opened,) = took(alice.open(joined.raw))
    assert opened.happened == ("Bob joins.",)
    (started,) = opened.posted
    assert started.automatic
    took(bob.open(started.raw))
    assert {desk.row(name).stage for desk in (alice, bob)} == {"playing"}
    assert alice.people.contacts()[0].card.name == "Bob"


def test_sending_an_answer_again_is_the_same_file(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS)
    again = alice.send(name)
    assert (again.raw, again.path, again.again) == (posted.raw, posted.path, True)
    took(bob.open(posted.raw))
    joined = bob.join(name)
    joined.path.unlink()
    again = bob.send(name)
    assert again.raw == joined.raw
    assert joined.path.read_bytes() == joined.raw


def test_a_second_answer_is_not_made(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS)
    took(bob.open(posted.raw))
    bob.join(name)
    assert code(bob.join, name) == "E-ANSWERED"
    assert code(bob.decline, name) == "E-ANSWERED"
    assert code(alice.join, name) == "E-ANSWERED"


def test_declining(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS)
    took(bob.open(posted.raw))
    answer = bob.decline(name, "No time in May")
    assert bob.row(name).stage == "declined"
    assert code(bob.join, name) == "E-ANSWERED"
    (opened,) = took(alice.open(answer.raw))
    assert opened.kind == "decline"
    assert opened.happened == ("Bob declines: No time in May.",)
    assert alice.row(name).stage == "declined"
    with pytest.raises(TableError, match='with the reason "No time in May"; what is signed is not changed') as caught:
        bob.decline(name, "Nor in June")
    assert caught.value.code == "E-ANSWERED"
    assert bob.send(name).raw == answer.raw


def test_an_offer_is_taken_back_for_good(tmp_path):
    """By a decline in the start's place: no start can follow it, and whoever answered learns of it."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS)
    took(bob.open(posted.raw))
    joined = bob.join(name)
    back = alice.decline(name, "The board is lost")
    assert back.to == ("Bob <bob@example.org>",)
    assert alice.decline(name).raw == back.raw
    took(alice.open(joined.raw))
    assert (alice.row(name).stage, alice.row(name).owed) == ("cancelled", ())
    assert [line.kind for line in alice.log(name)] == ["offer", "join", "decline"]
    (opened,) = took(bob.open(back.raw))
    assert opened.happened == ("Alice takes the offer back: The board is lost.",)
    assert bob.row(name).stage == "cancelled"
    again = desk_at(tmp_path / "bob", "again", find_game=find_game)
    assert again.row(name).stage == "cancelled"
    running = start(alice, bob, "duel", SEATS)
    assert code(alice.decline, running) == "E-START"


def test_what_was_taken_back_is_joined_no_more(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, _ = alice.offer("duel", seats=SEATS)
    took(bob.open(alice.decline(name).raw))
    assert bob.row(name).stage == "cancelled"
    assert code(bob.join, name) == "E-EXPIRED"
    assert bob.row(name).stage == "cancelled"


def test_a_start_after_a_decline_is_a_fork_with_proof(tmp_path):
    """A player who offered cannot see who joined, take the offer back, and start it all the same."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS)
    took(bob.open(posted.raw))
    joined = bob.join(name)
    took(bob.open(alice.decline(name).raw))
    offer, join = (offer_of(unwrap(posted.raw).records[0]), unwrap(joined.raw).records[-1])
    keys = alice.people.keys(alice.people.me().identity)
    begun = founding.make_start(keys, offer, [join_of(offer, join)], 1)
    (opened,) = bob.open(write([Item(ItemType.RECORD, begun.raw)]))
    assert opened.refused.code == "E-FORK"
    assert bob.row(name).stage == "cancelled"
    (proof,) = (tmp_path / "bob" / "proofs").iterdir()
    assert "Alice has signed two different records 1" in unwrap(proof.read_bytes()).proofs[0].sentence


def test_an_open_place_goes_to_one_of_those_who_want_it(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    name, posted = alice.offer("duel", seats={"ann": "me", "bob": "anyone"})
    answers = []
    for desk in (bob, carla):
        took(desk.open(posted.raw))
        answers.append(desk.join(name))
    (opened,) = took(alice.open(answers[0].raw))
    (late,) = alice.open(answers[1].raw)
    assert late.refused.code == "E-START"
    for desk in (bob, carla):
        took(desk.open(opened.posted[0].raw))
    assert (bob.row(name).stage, carla.row(name).stage) == ("playing", "declined")
    again = desk_at(tmp_path / "carla", "again", find_game=find_game)
    assert again.row(name).stage == "declined"
    assert [line.id for line in again.log(name)] == [line.id for line in alice.log(name)][: len(again.log(name))]


def test_a_declined_open_place_stays_open(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    name, posted = alice.offer("duel", seats={"ann": "me", "bob": "anyone"})
    for desk in (bob, carla):
        took(desk.open(posted.raw))
    took(alice.open(bob.decline(name).raw))
    assert alice.row(name).stage == "offered"
    carry(alice, carla, [(carla, carla.join(name))])
    assert carla.row(name).stage == "playing"


def test_an_offer_for_others_is_not_kept(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    _, posted = alice.offer("duel", seats=SEATS)
    (opened,) = took(carla.open(posted.raw))
    assert opened.game is None
    assert "no place for you" in opened.notes[0]
    assert carla.games() == []
    assert bob.games() == []


def test_an_umpire_offers_and_starts_when_all_have_joined(tmp_path):
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    name, posted = dora.offer("duel", seats={"ann": "alice", "bob": "bob"}, umpire=True)
    assert posted.to == ("Alice <alice@example.org>", "Bob <bob@example.org>")
    letters = []
    for desk in (alice, bob):
        took(desk.open(posted.raw))
        letters.append(desk.join(name))
        assert letters[-1].to == ("Dora <dora@example.org>",)
    assert code(dora.join, name) == "E-ANSWERED"
    took(dora.open(letters[0].raw))
    assert (dora.row(name).stage, alice.row(name).stage) == ("offered", "waiting")
    (opened,) = took(dora.open(letters[1].raw))
    (started,) = opened.posted
    assert started.automatic
    assert started.to == ("Alice <alice@example.org>", "Bob <bob@example.org>")
    carry(alice, bob, dora, [(dora, started)])
    assert {desk.row(name).stage for desk in (alice, bob, dora)} == {"playing"}
    assert [line.kind for line in dora.log(name)][:4] == ["offer", "join", "join", "start"]


def test_an_umpires_program_starts_nothing_with_a_false_escrow(tmp_path, monkeypatch):
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    name, posted = dora.offer("duel", seats={"ann": "alice", "bob": "bob"}, umpire=True)
    for desk in (alice, bob):
        took(desk.open(posted.raw))
    good = bob.join(name)

    def lying(*args):
        made = join_data(*args)
        return {**made, "escrow": bytes(len(made["escrow"]))}

    monkeypatch.setattr("pbem.table.founding.join_data", lying)
    took(dora.open(good.raw))
    (opened,) = took(dora.open(alice.join(name).raw))
    assert any("E-BOX" in note or "E-PROMISE" in note for note in opened.notes)
    assert dora.row(name).stage == "offered"


def test_joining_ends_by_ones_own_clock(tmp_path):
    """No clock judges a start: whoever joined in time plays."""
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    expires = 1_800_000_000 + 86_400
    name, posted = dora.offer("duel", seats={"ann": "alice", "bob": "bob"}, umpire=True, expires=expires)
    for desk in (alice, bob):
        took(desk.open(posted.raw))
    late = desk_at(tmp_path / "alice", "late", start=expires + 1, find_game=find_game)
    assert (late.row(name).stage, late.row(name).owed) == ("expired", ())
    assert code(late.join, name) == "E-EXPIRED"
    letters = [bob.join(name), alice.join(name)]
    later = desk_at(tmp_path / "dora", "later", start=expires + 90_000, find_game=find_game)
    for letter in letters:
        took(later.open(letter.raw))
    assert later.row(name).stage == "playing"


def test_an_umpire_has_no_seat_and_is_named_by_nobody_else(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    assert code(alice.offer, "duel", seats=SEATS, umpire=True) == "E-SEAT"
    assert code(alice.offer, "duel", seats=SEATS, mode="umpire") == "E-OFFER"
    assert alice.games() == bob.games() == []


def test_alone_with_open_dice(tmp_path):
    (alice,) = many(tmp_path, "alice")
    name, posted = alice.offer("duel", seats={"ann": "me", "bob": "me"}, mode="open", options={"turns": 1})
    assert posted is None
    assert Below(lambda n: bytes(n)).below(5) == 0
    for _ in range(40):
        if not alice.row(name).my_move:
            break
        alice.order(name, [next(alice.legal(name))])
        if alice.draft(name) == ["talisman 1"]:
            assert code(alice.send, name) == "E-UNFINISHED"
            continue
        assert alice.send(name) is None
    assert alice.row(name).stage == "over"


@pytest.mark.parametrize(
    ("seats", "more", "wanted"),
    [
        ({"ann": "me"}, {}, "E-SEAT"),
        ({"ann": "me", "bob": "bob", "zoe": "me"}, {}, "E-SEAT"),
        ({"ann": "me", "bob": "nobody"}, {}, "E-UNKNOWN"),
        ({"ann": "me", "bob": "me"}, {}, "E-OFFER"),
        ({"ann": "me", "bob": "bob"}, {"mode": "umpire"}, "E-OFFER"),
        ({"ann": "me", "bob": "bob"}, {"scenario": "dusk"}, "E-SETUP"),
        ({"ann": "me", "bob": "bob"}, {"options": {"turns": 7}}, "E-SETUP"),
    ],
)
def test_offers_that_cannot_be(tmp_path, seats, more, wanted):
    from pbem.protocol.errors import PbemError

    alice, _ = many(tmp_path, "alice", "bob")
    with pytest.raises(PbemError) as caught:
        alice.offer("duel", seats=seats, **more)
    assert caught.value.code == wanted
    assert ("pbem umpire new" in caught.value.sentence) == (more == {"mode": "umpire"})
    assert alice.games() == []


def test_game_names(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    first = start(alice, bob, "duel", SEATS)
    second = start(alice, bob, "duel", SEATS)
    assert first != second
    assert alice.find(first.rpartition("-")[2]) == first
    assert code(alice.find, "duel") == "E-AMBIGUOUS"
    assert code(alice.find, "chess") == "E-UNKNOWN"
    assert code(alice.find, "") == "E-UNKNOWN"


def test_status_of_many_games_replays_none(tmp_path, monkeypatch):
    alice, bob = two(tmp_path)
    names = [start(alice, bob) for _ in range(3)]
    before = alice.games()
    assert sorted(row.name for row in before) == sorted(names)

    def never(*_):
        raise AssertionError("a game was loaded")

    monkeypatch.setattr("pbem.table.gamefile.GameFile.load", never)
    assert alice.games() == before
    assert alice.row(names[0]) in before


def test_without_an_identity_or_a_place(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    nobody = desk_at(tmp_path / "nobody", "nobody", find_game=find_game)
    _, posted = alice.offer("duel", seats=SEATS)
    assert code(nobody.offer, "duel", seats=SEATS) == "E-NO-IDENTITY"
    (opened,) = took(nobody.open(posted.raw))
    assert code(nobody.join, opened.game) == "E-NO-IDENTITY"
    nobody.new_identity("Nobody", "", "")
    assert code(nobody.join, opened.game) == "E-NOT-YOURS"
    assert bob.games() == []


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_nobody_is_on_two_sides_of_a_game_with_others(tmp_path, mode):
    alice, _ = many(tmp_path, "alice", "bob", find_game=lambda _: axis1941.game)
    split = {"ussr": "me", "uk": "me", "usa": "bob", "germany": "me", "japan": "bob"}
    assert code(alice.offer, "axis1941", seats=split, mode=mode) == "E-SEAT"
    assert code(alice.offer, "axis1941", seats=split | {"usa": "me", "germany": "anyone", "japan": "me"}) == "E-SEAT"
    for fair in (split | {"usa": "me", "germany": "bob"}, dict.fromkeys(split, "anyone") | {"ussr": "me", "uk": "me"}):
        alice.offer("axis1941", seats=fair, mode=mode)
    solo, _ = alice.offer("axis1941", seats=dict.fromkeys(split, "me"), mode="open")
    # Orders in advance for enemies are given one by one.
    assert code(alice.set_standing, solo, None, "losses", "tank infantry") == "E-SEAT"


def test_what_a_line_brings_about_is_told_together(tmp_path):
    (alice,) = many(tmp_path, "alice", find_game=lambda _: axis1941.game)
    name, _ = alice.offer("axis1941", seats=dict.fromkeys(("ussr", "germany", "uk", "japan", "usa"), "me"), mode="open")
    assert alice.order(name, ["buy 2 infantry; done"]) == [
        "buy infantry",
        "buy infantry",
        "USSR buys 2 infantry for 6 IPC and keeps 1.",
    ]
    assert alice.order(name, ["move 3 infantry Archangel > West Russia; move tank Caucasus > West Russia"]) == [
        "USSR moves 3 infantry from Archangel to West Russia.",
        "USSR moves a tank from Caucasus to West Russia.",
    ]


def test_a_start_of_an_edited_offer_says_what_differs(tmp_path):
    """The offerer takes the answer to one offer for a start of another, and puts all three into one file."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats=SEATS, title="Once more")
    took(bob.open(posted.raw))
    offer = unwrap(posted.raw).records[0]
    (join,) = (record for record in unwrap(bob.join(name).raw).records if record.kind == "join")
    keys = alice.people.keys(alice.people.me().identity)
    edited = first_record(keys, by=0, kind="offer", data={**offer.data, "title": "Once again"}, offer=None, at=offer.at)
    start = make_record(
        keys, at=offer.at, by=0, data={}, game=edited.id, heads=((1, join.id),), kind="start", pin=0,
        prev=edited.id, seq=1,
    )  # fmt: skip
    raw = write([Item(ItemType.RECORD, record.raw) for record in (edited, join, start)])
    before = bob.games()
    (opened,) = bob.open(raw)
    assert opened.refused is not None
    assert (opened.refused.code, opened.refused.author) == ("E-START", 0)
    assert f"({name}): it differs in title." in opened.refused.sentence
    assert bob.games() == before


def test_a_file_with_nothing_to_open_is_refused_by_a_sentence(tmp_path):
    (alice,) = many(tmp_path, "alice")
    for raw in (pack_listing((), (bytes(32),)), b"\xc1"):
        (opened,) = alice.open(write([Item(ItemType.DRAWS, raw)]))
        assert opened.refused is not None
        assert opened.refused.code in ("E-NOTHING", "E-CANON")
