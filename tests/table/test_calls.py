"""An umpire calls; the players accept once; later rounds need nobody (docs/spec/call.md)."""

import shutil
from dataclasses import replace

import pytest
from desks import desk_at, took

from pbem.engine.registry import find
from pbem.protocol.call import make_answer, make_call
from pbem.protocol.canonical import pack
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.digest import tagged
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import Rules, Seat
from pbem.table import callbook, calls, callsin
from pbem.table.callbook import HeldCall
from pbem.table.calling import CallTerms
from pbem.table.errors import TableError

KEY = bytes(range(16))
FAR = 4_000_000_000


class Ring:
    """Homes, and whatever their programs put into the outbox carried to everybody it is for."""

    def __init__(self, folder, *names, **more):
        self.desks = {}
        for name in names:
            desk = desk_at(folder / name, name, **more)
            desk.new_identity(f"{name.title()} Kern", f"{name}@example.org", "")
            self.desks[name] = desk
        self.carried = {}

    def __getitem__(self, name):
        return self.desks[name]

    def card(self, name):
        return self[name].people.me().card

    def letters(self, name):
        desk = self[name]
        book = desk.outbox.addresses
        return {each: book.of(each) for each in sorted(book.names(), key=book.stamp)}

    def carry(self, most=60):
        """Until nobody's program has anything new; how many files were opened."""
        count = 0
        for _ in range(most):
            fresh = 0
            for name, desk in self.desks.items():
                for each, letter in self.letters(name).items():
                    raw = (desk.home.outbox / f"{each}.pbem").read_bytes()
                    if self.carried.get((name, each)) == raw:
                        continue
                    self.carried[name, each] = raw
                    for other in self.desks:
                        if any(f"<{other}@" in to for to in letter.to):
                            took(self[other].open(raw))
                            fresh += 1
            count += fresh
            if not fresh:
                return count
        raise AssertionError("the mails do not end")

    def call(self, umpire="carla", **changed):
        return self[umpire].call(terms_of(self, **changed))

    def row(self, name, call_id):
        return self[name].call_row(call_id)


def terms_of(ring, players=("alice", "bob"), **changed):
    terms = {
        "game": "bridgehead",
        "players": [ring.card(name) for name in players],
        "seats": {"blue": 0, "red": 1},
        "tournament": KEY,
        "name": "Spring Cup",
        "round": 1,
        "board": 1,
        "expires": FAR,
    }
    return CallTerms(**{**terms, **changed})


def stages(ring, call_id):
    return {name: row.stage for name in ring.desks if (row := ring.row(name, call_id)) is not None}


def test_accepted_once_and_then_by_itself(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    assert stages(ring, first) == {"alice": "called", "bob": "called", "carla": "sent"}
    name = ring.row("bob", first).name
    ring["bob"].join(name)
    ring.carry()
    assert stages(ring, first) == {"alice": "called", "bob": "accepted", "carla": "sent"}
    assert [(said.name, said.yes) for said in ring.row("carla", first).answers] == [("Bob Kern", True)]
    ring["alice"].join(name)
    ring.carry()
    assert {each["bob"].row(name).stage for each in [ring.desks]} == {"playing"}
    assert [ring[each].row(name).stage for each in ring.desks] == ["playing"] * 3
    second, _ = ring.call(round=2, players=("bob", "alice"))
    ring.carry()
    again = ring.row("alice", second)
    assert again.stage == "offered"
    assert [ring[each].row(again.played_as).stage for each in ring.desks] == ["playing"] * 3
    assert ring["carla"].row(again.played_as).title == "Spring Cup, round 2, board 1"


def accepted(tmp_path, **more):
    """A tournament that both players have said yes to, and its first game."""
    ring = Ring(tmp_path, "alice", "bob", "carla", **more)
    first, _ = ring.call()
    ring.carry()
    for name in ("alice", "bob"):
        ring[name].join(ring.row(name, first).name)
    ring.carry()
    return ring, first


def refused(found):
    return [opened.refused.code for opened in found if opened.refused is not None]


def test_the_same_terms_are_the_same_call(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, posted = ring.call()
    again, other = ring.call(expires=FAR + 1)
    assert (again, other.raw) == (first, posted.raw)
    assert posted.to == ("Alice Kern <alice@example.org>", "Bob Kern <bob@example.org>")
    assert ring.call(board=2)[0] != first
    ring["carla"].close_call(ring.row("carla", first).name)
    assert ring.row("carla", first).stage == "closed"
    assert ring.call()[0] != first
    with pytest.raises(TableError) as caught:
        ring["alice"].close_call("bridgehead-0000")
    assert caught.value.code == "E-NOT-YOURS"


def test_only_this_once(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    ring["alice"].join(ring.row("alice", first).name, once=True)
    ring["bob"].join(ring.row("bob", first).name)
    ring.carry()
    assert ring["alice"].row(ring.row("alice", first).played_as).stage == "playing"
    second, _ = ring.call(round=2)
    ring.carry()
    assert stages(ring, second) == {"alice": "called", "bob": "accepted", "carla": "sent"}


def test_another_tournament_of_the_same_umpire_asks_again(tmp_path):
    ring, _ = accepted(tmp_path)
    other, _ = ring.call(tournament=bytes(16))
    ring.carry()
    assert stages(ring, other) == {"alice": "called", "bob": "called", "carla": "sent"}


def test_another_umpire_with_the_same_key_asks_again(tmp_path):
    ring, _ = accepted(tmp_path)
    dora = desk_at(tmp_path / "dora", "dora")
    dora.new_identity("Carla Kern", "carla@example.org", "")
    _, posted = dora.call(terms_of(ring))
    (opened,) = took(ring["alice"].open(posted.raw))
    assert opened.posted == ()
    assert [owed.text for owed in opened.owed] == ["may accept or decline"]
    assert any("is not the Carla Kern" in note for note in opened.notes)


def test_a_call_is_declined(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    posted = ring["alice"].decline(ring.row("alice", first).name, "No time in May")
    assert posted.to == ("Carla Kern <carla@example.org>",)
    with pytest.raises(TableError, match="what is signed is not changed") as caught:
        ring["alice"].decline(ring.row("alice", first).name, "No wish")
    assert caught.value.code == "E-ANSWERED"
    assert ring["alice"].decline(ring.row("alice", first).name).raw == posted.raw
    ring.carry()
    assert stages(ring, first) == {"alice": "declined", "bob": "called", "carla": "sent"}
    (said,) = ring.row("carla", first).answers
    assert (said.name, said.yes, said.why) == ("Alice Kern", False, "No time in May")
    ring["alice"].join(ring.row("alice", first).name)  # and thinks better of it
    ring.carry()
    assert ring.row("carla", first).stage == "offered"


def test_yes_and_then_no(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    name = ring.row("bob", first).name
    yes = ring["bob"].join(name)
    no = ring["bob"].decline(name, "Ill")
    carla = ring["carla"]
    for raw in (no.raw, yes.raw, no.raw):  # in whatever order they come
        took(carla.open(raw))
    assert [(said.yes, said.why) for said in ring.row("carla", first).answers] == [(False, "Ill")]
    ring["alice"].join(ring.row("alice", first).name)
    ring.carry()
    assert ring["bob"].row(ring.row("bob", first).name).stage == "invited"


def test_leaving_a_tournament(tmp_path):
    ring, first = accepted(tmp_path)
    name = ring.row("bob", first).played_as
    with pytest.raises(TableError) as caught:
        ring["bob"].decline(name)
    assert caught.value.code == "E-ANSWERED"
    assert ring["bob"].decline(name, tournament=True) is None
    assert ring["bob"].row(name).stage == "playing"
    second, _ = ring.call(round=2)
    ring.carry()
    assert stages(ring, second) == {"alice": "offered", "bob": "called", "carla": "offered"}
    with pytest.raises(TableError) as caught:
        ring["bob"].decline(ring["bob"].offer("bridgehead", seats={"blue": "me", "red": "alice"})[0], tournament=True)
    assert caught.value.code == "E-NO-NEED"


def test_an_offer_for_a_call_is_taken_back(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    name = ring.row("alice", first).name
    ring["alice"].join(name)
    ring["alice"].decline(name, "My mother has come")
    ring.carry()
    assert ring["alice"].row(name).stage == "cancelled"
    assert [(said.yes, said.why) for said in ring.row("carla", first).answers] == [(False, "My mother has come")]


def test_what_has_expired(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    soon, posted = ring.call(expires=1_800_001_000)
    took(ring["bob"].open(posted.raw))
    for _ in range(40):
        ring["alice"].clock()
        ring["bob"].clock()
    assert refused(ring["alice"].open(posted.raw)) == ["E-EXPIRED"]
    assert ring["alice"].calls() == []
    assert ring.row("bob", soon).stage == "expired"
    with pytest.raises(Refusal) as caught:
        ring["bob"].join(ring.row("bob", soon).name)
    assert (caught.value.code, caught.value.step) == ("E-EXPIRED", "CAL-6")


def test_an_offer_that_came_before_its_call(tmp_path):
    ring, _ = accepted(tmp_path)
    second, call = ring.call(round=2)
    (opened,) = took(ring["alice"].open(call.raw))
    (offer,) = opened.posted
    (early,) = took(ring["bob"].open(offer.raw))
    assert ring["bob"].row(early.game).stage == "invited"
    (late,) = took(ring["bob"].open(call.raw))
    assert len(late.posted) == 1
    assert ring["bob"].row(early.game).stage == "waiting"
    assert ring.row("bob", second).played_as == early.game
    ring.carry()
    assert ring["bob"].row(early.game).stage == "playing"
    assert early.game == ring.row("carla", second).name  # it is called alike by everybody


def test_an_offer_joined_before_its_call_came_needs_no_second_yes(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, call = ring.call()
    took(ring["alice"].open(call.raw))
    offer = ring["alice"].join(ring.row("alice", first).name)
    (early,) = took(ring["bob"].open(offer.raw))
    ring["bob"].join(early.game)
    took(ring["bob"].open(call.raw))
    row = ring.row("bob", first)
    assert (row.stage, row.owed, row.name) == ("offered", (), early.game)
    ring.carry()
    assert {each.stage for name in ("alice", "bob") for each in ring[name].games()} == {"playing"}
    assert len({each.name for name in ring.desks for each in ring[name].games()}) == 1


def test_an_offer_that_is_not_what_the_umpire_called_for(tmp_path, monkeypatch):
    ring, _ = accepted(tmp_path)
    second, call = ring.call(round=2)
    took(ring["bob"].open(call.raw))
    with monkeypatch.context() as lie:
        real = calls._can_play
        lie.setattr(calls, "_can_play", lambda *given: replace(real(*given), clock={"move": 1}))
        lie.setattr(calls, "matches", lambda *_: None)
        (opened,) = took(ring["alice"].open(call.raw))
    (offer,) = opened.posted
    for name in ("bob", "carla"):
        (seen,) = took(ring[name].open(offer.raw))
        assert any("another clock" in note for note in seen.notes)
        assert seen.posted == ()
        assert ring[name].row(seen.game).stage == "invited"
    assert ring.row("carla", second).stage == "sent"


def test_two_offers_for_one_call(tmp_path):
    """The second is nobody's game, whoever sees which first."""
    ring, _ = accepted(tmp_path)
    shutil.copytree(tmp_path / "alice", tmp_path / "twin")
    twin = desk_at(tmp_path / "twin", "twin", start=1_900_000_000)
    second, call = ring.call(round=2)
    one, two = (took(desk.open(call.raw))[0].posted[0] for desk in (ring["alice"], twin))
    took(ring["carla"].open(two.raw))
    took(ring["bob"].open(call.raw))
    (joined,) = took(ring["bob"].open(one.raw))[0].posted
    (other,) = took(ring["bob"].open(two.raw))
    assert any("another game for the call" in note for note in other.notes)
    assert other.posted == ()
    with pytest.raises(TableError) as caught:
        ring["bob"].join(other.game)
    assert caught.value.code == "E-ANSWERED"
    took(ring["carla"].open(one.raw))
    (opened,) = took(ring["carla"].open(joined.raw))
    assert len(opened.posted) == 1, "the umpire joins the one that all have joined"
    ring.carry()
    assert ring["alice"].row(ring.row("alice", second).played_as).stage == "playing"
    assert ring.row("carla", second).played_as == opened.game


def test_an_umpire_declines_his_own_call(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    posted = ring["carla"].decline(ring.row("carla", first).name)
    assert [to.split()[0] for to in posted.to] == ["Alice", "Bob"]
    assert ring.row("carla", first).stage == "closed"


def test_a_call_that_came_twice_goes_on_where_a_stop_interrupted(tmp_path):
    ring, _ = accepted(tmp_path)
    second, call = ring.call(round=2)
    with pytest.MonkeyPatch.context() as stop:
        stop.setattr(calls, "go_on", lambda *_: [])
        took(ring["alice"].open(call.raw))
    assert ring.row("alice", second).stage == "called"
    (opened,) = took(ring["alice"].open(call.raw))
    assert "had this call already" in opened.what
    assert ring.row("alice", second).stage == "offered"
    assert took(ring["alice"].open(call.raw))[0].posted == ()


def test_a_closed_call_gets_no_umpire(tmp_path):
    ring, _ = accepted(tmp_path)
    second, _ = ring.call(round=2)
    lost = ring["carla"].close_call(ring.row("carla", second).name)
    ring.carried["carla", lost.path.stem] = lost.raw
    ring.carry()
    assert ring["carla"].row(ring.row("carla", second).name).stage == "invited"
    assert ring["bob"].row(ring.row("bob", second).played_as).stage == "waiting"


def stages_of(ring, call_id, *names):
    return [ring.row(name, call_id).stage for name in names]


def test_a_call_that_is_taken_back_is_gone_at_everybodys(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    assert len(ring["alice"].calls(waiting=True)) == 1
    posted = ring["carla"].close_call(ring.row("carla", first).name, "Bob has left.")
    assert posted.path.name.endswith("-closed.pbem")
    ring.carry()
    assert stages_of(ring, first, "alice", "bob", "carla") == ["closed"] * 3
    for name in ("alice", "bob"):
        desk = ring[name]
        assert desk.calls(waiting=True) == []
        assert [(each.by, each.why) for each in ring.row(name, first).answers] == [(7, "Bob has left.")]
        with pytest.raises(TableError) as error:
            desk.join(ring.row(name, first).name)
        assert error.value.code == "E-CALL-CLOSED"
        assert desk.settle() == {}
    again = ring["carla"].close_call(ring.row("carla", first).name, "Another reason")
    assert again.again
    second, _ = ring.call()
    assert second != first


def test_what_was_offered_for_a_call_that_is_taken_back_does_not_begin(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    ring["alice"].join(ring.row("alice", first).name)
    ring.carry()
    assert [row.stage for row in ring["alice"].games()] == ["offered"]
    ring["carla"].close_call(ring.row("carla", first).name, "Too late")
    ring.carry()
    assert [row.stage for name in ("alice", "bob") for row in ring[name].games()] == ["cancelled", "cancelled"]
    with pytest.raises(TableError):
        ring["bob"].join(ring.row("bob", first).name)
    ring.carry()
    assert stages_of(ring, first, "alice", "bob", "carla") == ["closed"] * 3


def test_the_umpires_word_may_come_before_his_call(tmp_path):
    ring, _ = accepted(tmp_path)
    second, posted = ring.call(round=2)
    back = ring["carla"].close_call(ring.row("carla", second).name)
    (told,) = took(ring["bob"].open(back.raw))
    assert "takes back the call" in told.what
    (late,) = took(ring["bob"].open(posted.raw))
    assert not late.posted
    assert ring.row("bob", second).stage == "closed"
    assert len(ring["bob"].games()) == 1


def test_a_stranger_who_takes_back_what_never_came_leaves_nothing(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    back = ring["carla"].close_call(ring.row("carla", first).name)
    (told,) = ring["bob"].open(back.raw)
    assert told.notes == ("That call has not come here. Nothing was kept.",)
    assert ring["bob"].calls() == []


def test_only_the_umpire_takes_a_call_back(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    held = ring["alice"]._context.calls.of(first)
    forged = make_answer(ring["carla"].people.keys(ring.card("carla").identity), held.call, 7, yes=False, why="", at=1)
    for raw, code in (
        (forged.raw[:-1] + bytes([forged.raw[-1] ^ 1]), "E-SIGNATURE"),
        (forged.raw, ""),
    ):
        found = ring["alice"].open(write([Item(ItemType.CALL_ANSWER, raw)]))
        assert [each.refused.code if each.refused else "" for each in found] == [code]
        assert (ring.row("alice", first).stage == "closed") == (not code)


def test_a_game_that_has_begun_is_not_touched_when_its_call_is_taken_back(tmp_path):
    ring, first = accepted(tmp_path)
    ring["carla"].close_call(ring.row("carla", first).name, "By mistake")
    ring.carry()
    assert [row.stage for name in ("alice", "bob") for row in ring[name].games()] == ["playing", "playing"]


def test_a_stop_while_a_call_is_taken_back_is_made_good(tmp_path, monkeypatch):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    name = ring.row("carla", first).name
    with monkeypatch.context() as patch:
        patch.setattr(HeldCall, "set_told", lambda _: (_ for _ in ()).throw(OSError("power")))
        with pytest.raises(OSError, match="power"):
            ring["carla"].close_call(name, "Why not")
    assert ring["carla"].settle() == {}
    ring.carry()
    assert stages_of(ring, first, "alice", "bob", "carla") == ["closed"] * 3


def test_answers_of_others_are_refused(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call()
    ring.carry()
    posted = ring["bob"].join(ring.row("bob", first).name)
    assert refused(ring["alice"].open(posted.raw)) == ["E-CALL"]
    held = HeldCall(tmp_path / "carla" / "calls" / first.hex(), ring["carla"].disk)
    forged = make_answer(ring["bob"].people.keys(ring.card("bob").identity), held.call, 1, yes=False, why="", at=1)
    item = write([Item(ItemType.CALL_ANSWER, forged.raw[:-1] + bytes([forged.raw[-1] ^ 1]))])
    assert refused(ring["carla"].open(item)) == ["E-SIGNATURE"]
    assert ring.row("carla", first).answers == ()


def test_calls_that_wait_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(callsin, "MAX_WAITING", 3)
    ring = Ring(tmp_path, "alice", "bob", "carla")
    files = [ring.call(board=board + 1)[1].raw for board in range(4)]
    for raw in files[:-1]:
        took(ring["alice"].open(raw))
    assert refused(ring["alice"].open(files[-1])) == ["E-LARGE"]
    with ring["alice"].lock:
        ring["alice"].people.meet(ring.card("carla"))
        ring["alice"].people.meet(ring.card("bob"))
    assert refused(ring["alice"].open(files[-1])) == ["E-LARGE"]
    dora = desk_at(tmp_path / "dora", "dora")
    dora.new_identity("Dora Lund", "", "")
    took(ring["alice"].open(dora.call(terms_of(ring))[1].raw))  # strangers have room of their own
    ring["alice"].decline(next(row.name for row in ring["alice"].calls() if row.umpire == "Carla Kern"))
    took(ring["alice"].open(files[-1]))


def test_one_home_plays_one_place(tmp_path):
    ring = Ring(tmp_path, "alice", "carla")
    alice = ring["alice"]
    alice.new_identity("Annie Kern", "alice@example.org", "")
    annie = next(person.card for person in alice.people.identities() if not person.default)
    first, _ = ring["carla"].call(replace(terms_of(ring, players=("alice",)), players=[ring.card("alice"), annie]))
    ring.carry()
    name = ring.row("alice", first).name
    assert ring.row("alice", first).mine == (0, 1)
    alice.join(name, "Annie")
    with pytest.raises(TableError) as caught:
        alice.join(name, "Alice Kern")
    assert caught.value.code == "E-ANSWERED"


def test_calls_accepted_by_themselves_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(callbook, "MAX_BY_ITSELF", 3)
    ring, _ = accepted(tmp_path)
    for number in range(2, 5):
        last, _ = ring.call(round=number)
        ring.carry()
    assert stages(ring, last) == {"alice": "called", "bob": "called", "carla": "sent"}


def test_other_rules_are_not_accepted_blindly(tmp_path):
    ring, _ = accepted(tmp_path)
    game = find("bridgehead")
    newer = desk_at(tmp_path / "carla", "newer", start=1_900_000_000, find_game=lambda _: replace(game, behaviour=99))
    second, posted = newer.call(terms_of(ring, round=2))
    (opened,) = took(ring["alice"].open(posted.raw))
    assert opened.posted == ()
    assert any("E-PINS" in note for note in opened.notes)
    assert "E-PINS" in ring["alice"].settle()[ring.row("alice", second).name]
    better = desk_at(tmp_path / "alice", "later", start=1_900_000_000, find_game=lambda _: replace(game, behaviour=99))
    assert better.settle() == {}
    assert better.call_row(second).stage == "offered"


def test_without_the_passphrase_the_call_waits(tmp_path):
    ring, _ = accepted(tmp_path)
    person = ring["bob"].people.me()
    with ring["bob"].lock:
        ring["bob"].people.change_passphrase(person.identity, "sesame")
    second, call = ring.call(round=2)
    locked = desk_at(tmp_path / "bob", "locked", passphrase=None, start=1_900_000_000)
    (opened,) = took(locked.open(call.raw))
    assert any("E-PASSPHRASE" in note for note in opened.notes)
    (offer,) = took(ring["alice"].open(call.raw))[0].posted
    took(locked.open(offer.raw))
    assert locked.call_row(second).stage == "called"
    unlocked = desk_at(tmp_path / "bob", "unlocked", passphrase="sesame", start=1_950_000_000)
    assert unlocked.settle() == {}
    assert unlocked.row(unlocked.call_row(second).played_as).stage == "waiting"


def test_a_home_that_was_brought_back_accepts_nothing_by_itself(tmp_path):
    ring, first = accepted(tmp_path)
    bob = ring["bob"]
    saved, phrase = bob.backup(bob.people.me()), bob.phrase(bob.people.me())
    second, call = ring.call(round=2)
    ring.carry()
    back = desk_at(tmp_path / "back", "back", start=1_900_000_000)
    assert back.restore(phrase, [saved], "").faults == ()
    took(back.open(call.raw))
    offer = (tmp_path / "alice" / "outbox" / f"{ring.row('alice', second).played_as}-offer.pbem").read_bytes()
    (opened,) = took(back.open(offer))
    assert opened.posted == ()
    assert back.call_row(second).stage == "called"
    assert [row.id for row in back.calls()] == [second]
    assert ring.row("bob", first).stage == "offered"


def test_data_files_of_the_umpires_own_travel_with_the_call(tmp_path):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    data = find("bridgehead").data
    kind = next(iter(data.files))
    changed = data.files[kind]
    first, posted = ring.call(replaced={kind: changed})
    (opened,) = took(ring["alice"].open(posted.raw))
    assert any("data of Carla Kern's own" in line for line in opened.happened)
    took(ring["bob"].open(posted.raw))
    for name in ("alice", "bob"):
        ring[name].join(ring.row(name, first).name)
    ring.carry()
    assert [ring[name].row(ring.row(name, first).played_as).stage for name in ring.desks] == ["playing"] * 3
    bare = write([Item(ItemType.CALL, HeldCall(tmp_path / "carla" / "calls" / first.hex(), None).call.raw)])
    assert refused(desk_with(tmp_path / "new", ring, "alice").open(bare)) == ["E-FORM"]


def desk_with(folder, ring, name):
    desk = desk_at(folder, "fresh", start=1_900_000_000)
    desk.restore(ring[name].phrase(ring[name].people.me()), [], "", name="Alice Kern")
    return desk


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_dice_of_other_kinds(tmp_path, mode):
    ring = Ring(tmp_path, "alice", "bob", "carla")
    first, _ = ring.call(mode=mode, players=("bob", "alice"), clock={"move": 86_400, "bank": 3_600, "days_off": 64})
    ring.carry()
    for name in ("alice", "bob"):
        ring[name].join(ring.row(name, first).name)
    ring.carry()
    name = ring.row("carla", first).played_as
    assert [ring[each].row(name).stage for each in ring.desks] == ["playing"] * 3


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": (Seat("blue", "blue", 0), Seat("green", "green", 1))},
        {"seats": (Seat("red", "red", 0), Seat("blue", "blue", 1))},
        {"rules": Rules(1, bytes(32), bytes(32), "bridgehead", "")},
        {"rules": Rules(1, bytes(32), bytes(32), "no-such-game", "")},
        {"scenario": "no-such"},
        {"options": {"no_such": 1}},
        {"options": {}},
        {"decks": ("main",)},
        {"replaced": (("no-such", tagged("pbem1/value", pack({}))),)},
        {"replaced": (("map", tagged("pbem1/value", pack({}))),)},
    ],
)
def test_a_call_for_what_nobody_can_play(tmp_path, changes):
    """It is refused with a reason when a person accepts it, and by his program; nothing is signed or sent."""
    ring, first = accepted(tmp_path)
    carla, held = ring["carla"], HeldCall(tmp_path / "carla" / "calls" / first.hex(), None)
    terms = replace(held.call.terms, **changes)
    keys = carla.people.keys(ring.card("carla").identity)
    for key in (KEY, bytes(16)):
        players = [ring.card("alice"), ring.card("bob")]
        place = {"tournament": key, "name": "Cup", "round": 3, "board": 1, "at": 1, "expires": FAR}
        call = make_call(keys, ring.card("carla"), players, terms, **place)
        files = [Item(ItemType.REPLACED, pack([kind, pack({})])) for kind, _ in terms.replaced]
        found = ring["alice"].open(write([*files, Item(ItemType.CALL, call.raw)]))
        row = ring["alice"].call_row(call.id)
        if row is None:
            assert refused(found) == ["E-DATA"]
            continue
        assert found[0].posted == ()
        assert row.stage == "called"
        with pytest.raises(PbemError):
            ring["alice"].join(row.name)
        assert (row.name in ring["alice"].settle()) == (key == KEY)
        assert ring["alice"].call_row(call.id).offer is None
    assert {row.name for row in ring["alice"].games()} == {ring.row("alice", first).played_as}
