"""Offering, joining, declining, cancelling; each answer is made once."""

import pytest
from desks import carry, desk_at, duel, introduce, start, took, two

from pbem.fairplay.begin import first_record, join_data
from pbem.home import HomeError, describe, intake, offers, orders, sending, summary
from pbem.home.orders import Below
from pbem.home.unpacking import unwrap
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.genesis import join_of, offer_of
from pbem.protocol.listing import pack_listing
from pbem.protocol.record import make_record
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
    with pytest.raises(HomeError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_an_offer_from_making_to_start(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS, title="Once more")
    assert posted.to == ("Bob <bob@example.org>",)
    assert posted.path.read_bytes() == posted.raw
    row = summary.row(alice, name)
    assert (row.stage, row.title, row.my_move) == ("offered", "Once more", False)
    assert [(each.name, each.what) for each in row.owed] == [("Bob", "join")]
    (opened,) = took(intake.open_bytes(bob, posted.raw))
    assert (opened.kind, opened.game, opened.new) == ("offer", name, 1)
    assert "Duel" in opened.what
    assert "Alice <alice@example.org>" in opened.what
    assert summary.row(bob, name).stage == "invited"
    (again,) = took(intake.open_bytes(bob, posted.raw))
    assert again.new == 0
    joined = offers.join(bob, name)
    assert joined.to == ("Alice <alice@example.org>",)
    assert summary.row(bob, name).stage == "waiting"
    (opened,) = took(intake.open_bytes(alice, joined.raw))
    assert opened.happened == ("Bob joins.",)
    (started,) = opened.posted
    assert started.automatic
    took(intake.open_bytes(bob, started.raw))
    assert {summary.row(desk, name).stage for desk in (alice, bob)} == {"playing"}
    assert alice.people.contacts()[0].card.name == "Bob"


def test_sending_an_answer_again_is_the_same_file(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    again = sending.send(alice, name).posted
    assert (again.raw, again.path, again.again) == (posted.raw, posted.path, True)
    took(intake.open_bytes(bob, posted.raw))
    joined = offers.join(bob, name)
    joined.path.unlink()
    again = sending.send(bob, name).posted
    assert again.raw == joined.raw
    assert joined.path.read_bytes() == joined.raw


def test_a_second_answer_is_not_made(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, posted.raw))
    offers.join(bob, name)
    assert code(offers.join, bob, name) == "E-ANSWERED"
    assert code(offers.decline, bob, name) == "E-ANSWERED"
    assert code(offers.join, alice, name) == "E-ANSWERED"


def test_declining(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, posted.raw))
    answer = offers.decline(bob, name, "No time in May")
    assert summary.row(bob, name).stage == "declined"
    assert code(offers.join, bob, name) == "E-ANSWERED"
    (opened,) = took(intake.open_bytes(alice, answer.raw))
    assert opened.kind == "decline"
    assert opened.happened == ("Bob declines: No time in May.",)
    assert summary.row(alice, name).stage == "declined"
    with pytest.raises(
        HomeError, match='with the reason "No time in May"; a signed answer cannot be changed'
    ) as caught:
        offers.decline(bob, name, "Nor in June")
    assert caught.value.code == "E-ANSWERED"
    assert sending.send(bob, name).posted.raw == answer.raw


def test_an_offer_is_taken_back_for_good(tmp_path):
    """By a decline in the start's place: no start can follow it, and whoever answered learns of it."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, posted.raw))
    joined = offers.join(bob, name)
    back = offers.decline(alice, name, "The board is lost")
    assert back.to == ("Bob <bob@example.org>",)
    assert offers.decline(alice, name).raw == back.raw
    took(intake.open_bytes(alice, joined.raw))
    assert (summary.row(alice, name).stage, summary.row(alice, name).owed) == ("cancelled", ())
    assert [line.kind for line in describe.log(alice, name)] == ["offer", "join", "decline"]
    (opened,) = took(intake.open_bytes(bob, back.raw))
    assert opened.happened == ("Alice takes the offer back: The board is lost.",)
    assert summary.row(bob, name).stage == "cancelled"
    again = desk_at(tmp_path / "bob", "again", find_game=find_game)
    assert summary.row(again, name).stage == "cancelled"
    running = start(alice, bob, "duel", SEATS)
    assert code(offers.decline, alice, running) == "E-START"


def test_what_was_taken_back_is_joined_no_more(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, _ = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, offers.decline(alice, name).raw))
    assert summary.row(bob, name).stage == "cancelled"
    assert code(offers.join, bob, name) == "E-EXPIRED"
    assert summary.row(bob, name).stage == "cancelled"


def test_a_start_after_a_decline_is_a_fork_with_proof(tmp_path):
    """A player who offered cannot see who joined, take the offer back, and start it all the same."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS)
    took(intake.open_bytes(bob, posted.raw))
    joined = offers.join(bob, name)
    took(intake.open_bytes(bob, offers.decline(alice, name).raw))
    offer, join = (offer_of(unwrap(posted.raw).records[0]), unwrap(joined.raw).records[-1])
    keys = alice.people.keys(alice.people.me().identity)
    begun = sending.make_start(keys, offer, [join_of(offer, join)], 1)
    (opened,) = intake.open_bytes(bob, write([Item(ItemType.RECORD, begun.raw)]))
    assert opened.refused.code == "E-FORK"
    assert summary.row(bob, name).stage == "cancelled"
    (proof,) = (tmp_path / "bob" / "proofs").iterdir()
    assert "Alice has signed two different records 1" in unwrap(proof.read_bytes()).proofs[0].sentence


def test_an_open_place_goes_to_one_of_those_who_want_it(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "anyone"})
    answers = []
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
        answers.append(offers.join(desk, name))
    (opened,) = took(intake.open_bytes(alice, answers[0].raw))
    (late,) = intake.open_bytes(alice, answers[1].raw)
    assert late.refused.code == "E-START"
    for desk in (bob, carla):
        took(intake.open_bytes(desk, opened.posted[0].raw))
    assert (summary.row(bob, name).stage, summary.row(carla, name).stage) == ("playing", "declined")
    again = desk_at(tmp_path / "carla", "again", find_game=find_game)
    assert summary.row(again, name).stage == "declined"
    assert [line.id for line in describe.log(again, name)] == [line.id for line in describe.log(alice, name)][
        : len(describe.log(again, name))
    ]


def test_a_declined_open_place_stays_open(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "anyone"})
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
    took(intake.open_bytes(alice, offers.decline(bob, name).raw))
    assert summary.row(alice, name).stage == "offered"
    carry(alice, carla, [(carla, offers.join(carla, name))])
    assert summary.row(carla, name).stage == "playing"


def test_an_offer_for_others_is_not_kept(tmp_path):
    alice, bob, carla = many(tmp_path, "alice", "bob", "carla")
    _, posted = offers.offer(alice, "duel", seats=SEATS)
    (opened,) = took(intake.open_bytes(carla, posted.raw))
    assert opened.game is None
    assert "no place for you" in opened.notes[0]
    assert summary.rows(carla) == []
    assert summary.rows(bob) == []


def test_an_umpire_offers_and_starts_when_all_have_joined(tmp_path):
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    name, posted = offers.offer(dora, "duel", seats={"ann": "alice", "bob": "bob"}, umpire=True)
    assert posted.to == ("Alice <alice@example.org>", "Bob <bob@example.org>")
    letters = []
    for desk in (alice, bob):
        took(intake.open_bytes(desk, posted.raw))
        letters.append(offers.join(desk, name))
        assert letters[-1].to == ("Dora <dora@example.org>",)
    assert code(offers.join, dora, name) == "E-ANSWERED"
    took(intake.open_bytes(dora, letters[0].raw))
    assert (summary.row(dora, name).stage, summary.row(alice, name).stage) == ("offered", "waiting")
    (opened,) = took(intake.open_bytes(dora, letters[1].raw))
    (started,) = opened.posted
    assert started.automatic
    assert started.to == ("Alice <alice@example.org>", "Bob <bob@example.org>")
    carry(alice, bob, dora, [(dora, started)])
    assert {summary.row(desk, name).stage for desk in (alice, bob, dora)} == {"playing"}
    assert [line.kind for line in describe.log(dora, name)][:4] == ["offer", "join", "join", "start"]


def test_an_umpires_program_starts_nothing_with_a_false_escrow(tmp_path, monkeypatch):
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    name, posted = offers.offer(dora, "duel", seats={"ann": "alice", "bob": "bob"}, umpire=True)
    for desk in (alice, bob):
        took(intake.open_bytes(desk, posted.raw))
    good = offers.join(bob, name)

    def lying(*args):
        made = join_data(*args)
        return {**made, "escrow": bytes(len(made["escrow"]))}

    monkeypatch.setattr("pbem.home.offers.join_data", lying)
    took(intake.open_bytes(dora, good.raw))
    (opened,) = took(intake.open_bytes(dora, offers.join(alice, name).raw))
    assert any("E-BOX" in note or "E-PROMISE" in note for note in opened.notes)
    assert summary.row(dora, name).stage == "offered"


def test_joining_ends_by_ones_own_clock(tmp_path):
    """No clock judges a start: whoever joined in time plays."""
    alice, bob, dora = many(tmp_path, "alice", "bob", "dora")
    expires = 1_800_000_000 + 86_400
    name, posted = offers.offer(dora, "duel", seats={"ann": "alice", "bob": "bob"}, umpire=True, expires=expires)
    for desk in (alice, bob):
        took(intake.open_bytes(desk, posted.raw))
    late = desk_at(tmp_path / "alice", "late", start=expires + 1, find_game=find_game)
    assert (summary.row(late, name).stage, summary.row(late, name).owed) == ("expired", ())
    assert code(offers.join, late, name) == "E-EXPIRED"
    letters = [offers.join(bob, name), offers.join(alice, name)]
    later = desk_at(tmp_path / "dora", "later", start=expires + 90_000, find_game=find_game)
    for letter in letters:
        took(intake.open_bytes(later, letter.raw))
    assert summary.row(later, name).stage == "playing"


def test_an_umpire_has_no_seat_and_is_named_by_nobody_else(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    assert code(offers.offer, alice, "duel", seats=SEATS, umpire=True) == "E-SEAT"
    assert code(offers.offer, alice, "duel", seats=SEATS, mode="umpire") == "E-OFFER"
    assert summary.rows(alice) == summary.rows(bob) == []


def test_alone_with_open_dice(tmp_path):
    (alice,) = many(tmp_path, "alice")
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "me"}, mode="open", options={"turns": 1})
    assert posted is None
    assert Below(lambda n: bytes(n)).below(5) == 0
    for _ in range(40):
        if not summary.row(alice, name).my_move:
            break
        orders.order(alice, name, [next(orders.move(alice, name).legal())])
        if orders.move(alice, name).drafted().orders == ["talisman 1"]:
            assert code(sending.send, alice, name) == "E-UNFINISHED"
            continue
        assert sending.send(alice, name).posted is None
    assert summary.row(alice, name).stage == "over"


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
        offers.offer(alice, "duel", seats=seats, **more)
    assert caught.value.code == wanted
    assert ("pbem umpire new" in caught.value.sentence) == (more == {"mode": "umpire"})
    assert summary.rows(alice) == []


def test_game_names(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    first = start(alice, bob, "duel", SEATS)
    second = start(alice, bob, "duel", SEATS)
    assert first != second
    assert summary.find(alice, first.rpartition("-")[2]) == first
    assert code(summary.find, alice, "duel") == "E-AMBIGUOUS"
    assert code(summary.find, alice, "chess") == "E-UNKNOWN"
    assert code(summary.find, alice, "") == "E-UNKNOWN"


def test_a_game_is_found_by_its_title_unless_two_begin_so(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    first = start(alice, bob, "duel", SEATS, title="River crossing")
    start(alice, bob, "duel", SEATS, title="River delta")
    assert summary.find(alice, "river c") == first
    assert code(summary.find, alice, "river") == "E-AMBIGUOUS"
    assert code(summary.find, alice, "hill") == "E-UNKNOWN"


def test_status_of_many_games_replays_none(tmp_path, monkeypatch):
    alice, bob = two(tmp_path)
    names = [start(alice, bob) for _ in range(3)]
    before = summary.rows(alice)
    assert sorted(row.name for row in before) == sorted(names)

    def never(*_):
        raise AssertionError("a game was loaded")

    monkeypatch.setattr("pbem.home.gamefile.GameFile.load", never)
    assert summary.rows(alice) == before
    assert summary.row(alice, names[0]) in before


def test_without_an_identity_or_a_place(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    nobody = desk_at(tmp_path / "nobody", "nobody", find_game=find_game)
    _, posted = offers.offer(alice, "duel", seats=SEATS)
    assert code(offers.offer, nobody, "duel", seats=SEATS) == "E-NO-IDENTITY"
    (opened,) = took(intake.open_bytes(nobody, posted.raw))
    assert code(offers.join, nobody, opened.game) == "E-NO-IDENTITY"
    nobody.new_identity("Nobody", "", "")
    assert code(offers.join, nobody, opened.game) == "E-NOT-YOURS"
    assert summary.rows(bob) == []


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_nobody_is_on_two_sides_of_a_game_with_others(tmp_path, mode):
    alice, _ = many(tmp_path, "alice", "bob", find_game=lambda _: axis1941.game)
    split = {"ussr": "me", "uk": "me", "usa": "bob", "germany": "me", "japan": "bob"}
    assert code(offers.offer, alice, "axis1941", seats=split, mode=mode) == "E-SEAT"
    assert (
        code(offers.offer, alice, "axis1941", seats=split | {"usa": "me", "germany": "anyone", "japan": "me"})
        == "E-SEAT"
    )
    for fair in (split | {"usa": "me", "germany": "bob"}, dict.fromkeys(split, "anyone") | {"ussr": "me", "uk": "me"}):
        offers.offer(alice, "axis1941", seats=fair, mode=mode)
    solo, _ = offers.offer(alice, "axis1941", seats=dict.fromkeys(split, "me"), mode="open")
    # Orders in advance for enemies are given one by one.
    assert code(orders.set_standing, alice, solo, None, "losses", "tank infantry") == "E-SEAT"


def test_what_a_line_brings_about_is_told_together(tmp_path):
    (alice,) = many(tmp_path, "alice", find_game=lambda _: axis1941.game)
    name, _ = offers.offer(
        alice, "axis1941", seats=dict.fromkeys(("ussr", "germany", "uk", "japan", "usa"), "me"), mode="open"
    )
    assert orders.order(alice, name, ["buy 2 infantry; done"]) == [
        "You buy 1 infantry (buy infantry).",
        "You buy 1 infantry (buy infantry).",
        "USSR buys 2 infantry for 6 IPC and keeps 1.",
    ]
    assert orders.order(alice, name, ["move 3 infantry Archangel > West Russia; move tank Caucasus > West Russia"]) == [
        "USSR moves 3 infantry from Archangel to West Russia.",
        "USSR moves a tank from Caucasus to West Russia.",
    ]


def test_a_start_of_an_edited_offer_says_what_differs(tmp_path):
    """The offerer takes the answer to one offer for a start of another, and puts all three into one file."""
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats=SEATS, title="Once more")
    took(intake.open_bytes(bob, posted.raw))
    offer = unwrap(posted.raw).records[0]
    (join,) = (record for record in unwrap(offers.join(bob, name).raw).records if record.kind == "join")
    keys = alice.people.keys(alice.people.me().identity)
    edited = first_record(keys, by=0, kind="offer", data={**offer.data, "title": "Once again"}, offer=None, at=offer.at)
    start = make_record(
        keys, at=offer.at, by=0, data={}, game=edited.id, heads=((1, join.id),), kind="start", pin=0,
        prev=edited.id, seq=1,
    )  # fmt: skip
    raw = write([Item(ItemType.RECORD, record.raw) for record in (edited, join, start)])
    before = summary.rows(bob)
    (opened,) = intake.open_bytes(bob, raw)
    assert opened.refused is not None
    assert (opened.refused.code, opened.refused.author) == ("E-START", 0)
    assert f"({name}): its offer differs in title." in opened.refused.sentence
    assert summary.rows(bob) == before


def test_a_file_with_nothing_to_open_is_refused_by_a_sentence(tmp_path):
    (alice,) = many(tmp_path, "alice")
    for raw in (pack_listing((), (bytes(32),)), b"\xc1"):
        (opened,) = intake.open_bytes(alice, write([Item(ItemType.DRAWS, raw)]))
        assert opened.refused is not None
        assert opened.refused.code in ("E-NOTHING", "E-CANON")
