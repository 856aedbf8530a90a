"""What a player does in a running game, from the draft to resigning, and what the others then see."""

import shutil
from dataclasses import replace
from itertools import islice

import pytest
from desks import carry, desk_at, duel, introduce, start, took, umpired

from pbem import __version__
from pbem.engine import registry
from pbem.engine.definition import DataSet
from pbem.engine.policy import parse
from pbem.home import HomeError, acts, archives, describe, intake, offers, orders, seen, sending, summary
from pbem.home import orders as home_orders
from pbem.home.describe import Undone
from pbem.home.orders import Drafted, DraftLine, LeftOver
from pbem.protocol.container import read
from pbem.protocol.errors import PbemError
from pbem.protocol.record import parse_record


def find_game(_):
    return duel()


def many(tmp_path, *names, find_game=find_game):
    desks = [desk_at(tmp_path / name, name, find_game=find_game) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


@pytest.fixture
def game(tmp_path):
    """A duel after the secret choices: Alice is to act."""
    alice, bob = many(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in (alice, bob) if summary.row(desk, name).my_move)
        orders.order(mover, name, ["talisman 2"])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    assert home_orders.move(alice, name).asked() == ("ann",)
    return alice, bob, name


def three(tmp_path, *more):
    """Three players without an umpire, and others whom they know."""
    desks = [desk_at(tmp_path / name, name, find_game=lambda _: duel(3)) for name in ("alice", "bob", "carla")]
    for desk, name in zip((*desks, *more), ("Alice", "Bob", "Carla", "Dave"), strict=False):
        desk.new_identity(name, f"{name.casefold()}@example.org", "")
    introduce(*desks, *more)
    name, posted = offers.offer(desks[0], "duel", seats={"ann": "me", "bob": "bob", "cid": "carla"})
    letters = []
    for desk in desks[1:]:
        took(intake.open_bytes(desk, posted.raw))
        letters.append((desk, offers.join(desk, name)))
    carry(*desks, letters)
    return *desks, name


def code(call, *args, **kwargs):
    with pytest.raises(PbemError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_a_draft_from_order_to_seal(game):
    alice, bob, name = game
    assert list(home_orders.move(alice, name).legal("a")) == ["aim 1", "aim 2", "aim 3"]
    home_orders.order(alice, name, ["aim 2", "aim 1"])
    assert home_orders.move(alice, name).drafted().orders == ["aim 2", "aim 1"]
    assert code(home_orders.order, alice, name, ["aim 1", "dance"]) == "E-NOTATION"
    assert code(home_orders.order, alice, name, ["aim 1", "aim 3"]) == "E-ORDER"
    assert home_orders.move(alice, name).drafted().orders == ["aim 2", "aim 1"]
    home_orders.undo(alice, name)
    assert home_orders.move(alice, name).drafted().orders == ["aim 2"]
    home_orders.undo(alice, name, None)
    assert home_orders.move(alice, name).drafted().orders == []
    assert code(home_orders.order, bob, name, ["fire"]) == "E-NOT-NOW"
    home_orders.order(alice, name, ["fire"])
    assert code(home_orders.order, alice, name, ["rest"]) == "E-PLAN"
    sealed = sending.send(alice, name).posted
    again = sending.send(alice, name).posted
    assert (again.raw, again.path, again.again) == (sealed.raw, sealed.path, True)
    assert home_orders.move(alice, name).drafted().orders == []
    (opened,) = took(intake.open_bytes(bob, sealed.raw))
    assert opened.kind == "turn"
    assert [each.mine for each in opened.owed] == [True]


def test_undo_takes_back_lines_as_typed_and_single_orders(game):
    alice, _, name = game
    home_orders.order(alice, name, ["aim 3", "aim 1; aim 1"])
    drafted = home_orders.move(alice, name).drafted()
    assert [(line.typed, line.orders) for line in drafted.lines] == [
        ("aim 3", ("aim 3",)),
        ("aim 1; aim 1", ("aim 1", "aim 1")),
    ]
    assert [line.typed for line in home_orders.undo(alice, name)] == ["aim 1; aim 1"]
    assert home_orders.move(alice, name).drafted().orders == ["aim 3"]
    home_orders.order(alice, name, ["aim 1; aim 1"])
    assert [line.typed for line in home_orders.undo(alice, name, units=True)] == ["aim 1"]
    assert home_orders.move(alice, name).drafted().orders == ["aim 3", "aim 1"]
    assert [line.typed for line in home_orders.undo(alice, name, None)] == ["aim 3", "aim 1; aim 1"]
    assert home_orders.move(alice, name).drafted().orders == []


def test_nothing_to_send(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "bob"})
    took(intake.open_bytes(bob, posted.raw))
    assert code(sending.send, bob, name) == "E-NOT-JOINED"
    assert code(acts.resign, alice, name) == "E-NOT-NOW"
    assert code(home_orders.order, alice, name, ["fire"]) == "E-NOT-NOW"


def test_plans_follow_the_dice(game):
    alice, bob, name = game
    assert code(home_orders.plan, alice, name, ["rest"]) == "E-PLAN"
    with bob.writing():
        pass
    home_orders.set_standing(bob, name, None, "react", "then stand", sealed=False)
    home_orders.order(alice, name, ["fire"])
    assert code(home_orders.plan, alice, name, ["rest"]) == "E-ORDER"  # Bob is to choose in between
    assert home_orders.move(alice, name).drafted().planned == []


def test_standing_orders_and_plans(game):
    alice, bob, name = game
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.set_standing(bob, name, None, "react", "when shot >= 9 then dodge; then stand", sealed=True)
    assert home_orders.move(bob, name).standing_rows() == [
        ("bob", "react", "when shot >= 9 then dodge; then stand", "sealed with your next orders")
    ]
    assert code(home_orders.set_standing, bob, name, None, "act", "then stand") == "E-POLICY"
    assert code(home_orders.set_standing, bob, name, None, "react", "nonsense") == "E-POLICY"
    assert code(home_orders.set_standing, bob, name, "ann", "react", "then stand") == "E-SEAT"
    home_orders.order(bob, name, ["rest"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    assert home_orders.move(bob, name).standing_rows()[0][3] == "sealed"
    home_orders.order(alice, name, ["fire"])
    home_orders.plan(alice, name, ["fire", "rest"])
    assert home_orders.move(alice, name).drafted().planned == ["fire", "rest"]
    home_orders.clear_plan(alice, name)
    assert home_orders.move(alice, name).drafted().planned == []
    assert home_orders.move(alice, name).drafted().orders == ["fire"]
    home_orders.plan(alice, name, ["fire; rest"])
    # Bob's program answers both windows and shows both dice without him.
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    assert summary.row(bob, name).my_move
    kinds = [line.kind for line in describe.log(bob, name)]
    assert kinds[-2:] == ["orders", "reveal"]


def test_a_used_window_brings_the_rest_back_to_draft(game):
    alice, bob, name = game
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.set_standing(bob, name, None, "react", "then dodge", sealed=True)
    home_orders.order(bob, name, ["rest"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    home_orders.order(alice, name, ["fire"])
    home_orders.plan(alice, name, ["fire", "rest"])
    (opened,) = took(intake.open_bytes(bob, sending.send(alice, name).posted.raw))
    (back,) = took(intake.open_bytes(alice, opened.posted[0].raw))
    assert back.happened[-3:] == (
        "Plan of Ann, carried out: nothing.",
        "It stopped: Bob answered by standing orders: dodge. Not reached: fire; rest.",
        "Bob, by a standing order: Dodge.",
    )
    assert any("left of your plan is in your draft" in note for note in back.notes)
    drafted = home_orders.move(alice, name).drafted()
    assert drafted.lines == (DraftLine("fire", ("fire",), ("Fire.",), left=True),)
    assert drafted.plan == (DraftLine("rest", ("rest",), ("Rest.",), left=True),)
    assert drafted.left == LeftOver("Bob answered by standing orders: dodge", (), ())
    assert summary.row(alice, name).my_move  # and nothing has been sealed
    assert [line.typed for line in home_orders.undo(alice, name, 2)] == ["fire", "rest"]
    assert home_orders.move(alice, name).drafted().orders == []  # what a person takes back does not come again
    home_orders.order(alice, name, ["rest"])
    sending.send(alice, name)
    assert home_orders.move(alice, name).drafted() == Drafted((), ())


def test_what_is_left_of_a_plan_waits_until_its_player_is_asked_again(game):
    alice, bob, name = game
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.set_standing(bob, name, None, "react", "when shot = 1 then ask; then stand", sealed=True)
    home_orders.order(bob, name, ["rest"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    home_orders.order(alice, name, ["fire"])
    home_orders.plan(alice, name, ["aim 3; aim 2", "rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    assert summary.row(bob, name).my_move
    carry(
        alice, bob, [(bob, sending.send(bob, name).posted)]
    )  # what his program has shown would travel with his orders
    assert home_orders.move(alice, name).drafted().lines == ()
    assert home_orders.move(alice, name).drafted().left == LeftOver("react", ("aim 3", "aim 2", "rest"), ())
    home_orders.order(bob, name, ["dodge"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    drafted = home_orders.move(alice, name).drafted()
    assert [(line.typed, line.left) for line in drafted.lines] == [("aim 2", True), ("rest", True)]
    assert drafted.left == LeftOver("react", (), (("aim 3", "Aim at one of what is left (2.1)"),))
    assert code(home_orders.order, alice, name, ["aim 1"]) == "E-PLAN"
    home_orders.undo(alice, name)
    assert home_orders.order(alice, name, ["rest"])
    assert [(line.typed, line.left) for line in home_orders.move(alice, name).drafted().lines] == [
        ("aim 2", True),
        ("rest", False),
    ]
    assert home_orders.bot(alice, name, "random") == []
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    assert summary.row(bob, name).my_move


def test_no_bot_sends_what_a_person_planned(game):
    alice, bob, name = game
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.set_standing(bob, name, None, "react", "then dodge", sealed=True)
    home_orders.order(bob, name, ["rest"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    home_orders.order(alice, name, ["fire"])
    home_orders.plan(alice, name, ["aim 1", "aim 1", "rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    assert home_orders.move(alice, name).drafted().orders == ["aim 1", "aim 1", "rest"]
    orders = home_orders.bot(alice, name, "random")
    assert home_orders.move(alice, name).drafted().orders + home_orders.move(alice, name).drafted().planned == orders
    assert home_orders.move(alice, name).drafted().left is None


def test_messages_travel_and_private_notes_do_not(game):
    alice, bob, name = game
    home_orders.set_note(alice, name, "Well met!\nAnd good luck.")
    home_orders.set_private_note(alice, name, "Bob bluffs")
    home_orders.order(alice, name, ["fire"])
    sealed = sending.send(alice, name).posted
    assert home_orders.note(alice, name) == ""
    (opened,) = took(intake.open_bytes(bob, sealed.raw))
    assert opened.notes == ("Alice writes: Well met!\nAnd good luck.",)
    assert describe.log(bob, name)[-1].message == "Well met!\nAnd good luck."
    assert home_orders.private_note(bob, name) == ""
    assert home_orders.private_note(alice, name) == "Bob bluffs"
    whole, quiet = b"".join(archives.archive(alice, name)), b"".join(archives.archive(alice, name, messages=False))
    assert len([item for item in read(whole) if item.type == 3]) == 1
    assert not [item for item in read(quiet) if item.type == 3]


def test_resigning_ends_the_game(game):
    alice, bob, name = game
    carry(alice, bob, [(bob, acts.resign(bob, name))])
    assert {summary.row(alice, name).stage, summary.row(bob, name).stage} == {"over"}
    assert summary.row(alice, name).result == summary.row(bob, name).result == "ann wins (forfeit)"


def test_a_tie_offered_refused_and_accepted(game):
    alice, bob, name = game
    (opened,) = took(intake.open_bytes(bob, acts.tie(alice, name).raw))
    assert "draw" in " ".join(each.text for each in opened.owed)
    assert code(acts.answer, bob, name, "takeback", yes=True) == "E-NO-NEED"
    took(intake.open_bytes(alice, acts.answer(bob, name, "tie", yes=False).raw))
    assert summary.row(alice, name).stage == "playing"
    carry(alice, bob, [(alice, acts.tie(alice, name))])
    carry(alice, bob, [(bob, acts.answer(bob, name, "tie", yes=True))])
    assert {summary.row(desk, name).result for desk in (alice, bob)} == {"a draw (tie)"}


def test_a_takeback(game):
    alice, bob, name = game
    home_orders.order(alice, name, ["aim 1"])
    before = seen.board(alice, name)
    sealed = sending.send(alice, name).posted
    took(intake.open_bytes(bob, sealed.raw))
    preview = acts.takeback_preview(alice, name)
    (opened,) = took(intake.open_bytes(bob, acts.takeback(alice, name).raw))
    assert acts.takeback_proposed(bob, name) == preview
    assert summary.row(bob, name).proposed == f"Alice proposes to go back {preview.way}. That would undo {preview.sum}."
    assert summary.row(bob, name).proposed in opened.notes
    assert preview == Undone("Alice is asked: act", "Alice is asked: act", ("0:4, orders of Alice",), 1, 0, 0, ())
    carry(alice, bob, [(bob, acts.answer(bob, name, "takeback", yes=True))])
    assert preview.way == "to an earlier moment of this step (Alice is asked: act)"
    assert preview.sum == "1 record (0:4, orders of Alice) and 1 order"
    assert summary.row(bob, name).proposed == summary.row(alice, name).proposed == ""
    assert seen.gist(bob, name).did == "agrees to go back: the game has gone back"
    assert list(home_orders.move(alice, name).legal("aim")) == ["aim 1", "aim 2", "aim 3"]
    assert seen.board(alice, name) == before
    assert code(acts.takeback, alice, name, "9:9") == "E-UNKNOWN"
    assert code(acts.takeback, alice, name, "alice:99") == "E-UNKNOWN"


def test_a_takeback_says_what_it_undoes_before_anybody_agrees(game):
    alice, bob, name = game
    home_orders.set_standing(bob, name, None, "react", "then stand", sealed=False)
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.order(bob, name, ["rest"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    home_orders.order(alice, name, ["fire"])
    home_orders.plan(alice, name, ["fire", "rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    preview = acts.takeback_preview(alice, name)
    assert (preview.orders, preview.dice, preview.cards) == (3, 2, 0)
    assert [record.partition(", ")[2] for record in preview.records] == ["orders of Alice", "reveal of Bob"]
    assert len(preview.happened) >= 2
    assert code(acts.takeback_preview, alice, name, preview.records[1].partition(",")[0]) == "E-ACT"
    longer = acts.takeback_preview(alice, name, "0:4")
    assert (len(longer.records), longer.dice) == (4, 2)
    assert longer.sum.startswith("4 records (")
    assert longer.sum.endswith("), 5 orders and 2 dice")
    took(intake.open_bytes(bob, acts.takeback(alice, name).raw))
    assert acts.takeback_proposed(bob, name) == preview


def test_a_new_key(game):
    alice, bob, name = game
    with alice.writing():
        alice.people.add_identity(bytes([77]) * 32, "Alice Two", "", "", 1)
    assert code(acts.rekey, alice, name, "alice") in ("E-NO-NEED", "E-AMBIGUOUS")
    carry(alice, bob, [(alice, acts.rekey(alice, name, "alice two"))])
    home_orders.order(alice, name, ["fire"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.order(bob, name, ["dodge"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    assert summary.row(alice, name).my_move
    assert [line.id for line in describe.log(alice, name)] == [line.id for line in describe.log(bob, name)]


def test_a_new_key_is_of_no_use_without_the_seed(tmp_path):
    _, bob, _, name = three(tmp_path)
    for folder in (tmp_path / "alice" / "identities").iterdir():
        shutil.rmtree(folder)
    again = desk_at(tmp_path / "alice", "again", find_game=lambda _: duel(3))
    again.new_identity("Alice Two", "", "")
    assert code(acts.rekey, again, name, "alice two", lost=True) == "E-NO-IDENTITY"
    assert summary.row(bob, name).stage == "playing"


def test_a_lost_key_by_ruling(tmp_path):
    """Among three. The result says that players changed who signs."""
    *desks, name = three(tmp_path)
    alice, bob, carla = desks
    with alice.writing():
        alice.people.add_identity(bytes([78]) * 32, "Alice Two", "", "", 1)
    request = acts.rekey(alice, name, "alice two", lost=True)
    for ruler in (bob, carla):
        carry(*desks, [(ruler, acts.rule(ruler, name, "rekey", player="alice", raw=request.raw, why="She lost it"))])
    home_orders.order(alice, name, ["talisman 1"])
    carry(*desks, [(alice, sending.send(alice, name).posted)])
    carry(*desks, [(alice, acts.resign(alice, name))])
    for desk in desks:
        assert summary.row(desk, name).result == "bob wins (forfeit, claimed by the others)"


def test_between_two_a_lost_key_is_nobodys_to_replace(game):
    alice, bob, name = game
    with alice.writing():
        alice.people.add_identity(bytes([78]) * 32, "Alice Two", "", "", 1)
    assert code(acts.rekey, alice, name, "alice two", lost=True) == "E-RULING"
    assert code(offers.stand_in, alice, b"".join(archives.archive(bob, name)), "bob") == "E-RULING"


@pytest.mark.parametrize("chart", [None, [1, 2]])
def test_newer_rules_by_agreement(tmp_path, chart):
    """Of the same data or of other: who has the new rules also has the data of the old."""
    old, new = duel(2, 1), duel(2, 2)
    if chart is not None:
        new = replace(new, data=DataSet({"chart": chart}), earlier=(old.data,))
    rules = {"alice": old, "bob": old}
    desks = [desk_at(tmp_path / who, who, find_game=lambda _, who=who: rules[who]) for who in rules]
    alice, bob = desks
    for desk, who in zip(desks, rules, strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in desks if summary.row(desk, name).my_move)
        orders.order(mover, name, ["talisman 2"])
        carry(alice, bob, [(mover, sending.send(mover, name).posted)])
    assert code(acts.migrate, alice, name) == "E-NO-NEED"
    rules["alice"] = new
    proposal = acts.migrate(alice, name)
    (refused,) = (each.refused for each in intake.open_bytes(bob, proposal.raw))
    assert refused.code == "E-BEHAVIOUR"
    assert f"needs pbem {__version__} or newer" in refused.sentence
    rules["bob"] = new
    carry(alice, bob, [(alice, proposal)])
    carry(alice, bob, [(bob, acts.answer(bob, name, "migrate", yes=True))])
    home_orders.order(alice, name, ["fire"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    home_orders.order(bob, name, ["dodge"])
    sealed = sending.send(bob, name).posted
    assert parse_record(read(sealed.raw)[-1].raw).pin == 1
    carry(alice, bob, [(bob, sealed)])
    archive = b"".join(archives.archive(alice, name))
    verdict = archives.check_archive(archive, lambda _: new)
    assert verdict.ok
    assert verdict.state == alice.load(name).match.state_hash()
    assert archives.check_archive(archive, lambda _: old).first_bad.code == "E-BEHAVIOUR"


def test_with_other_data_than_the_offer_pins_no_game_is_opened(tmp_path):
    """A game's own data file that was changed under a running game: nothing is ordered, signed or written."""
    rules = {"alice": duel(2), "bob": duel(2)}
    desks = [desk_at(tmp_path / who, who, find_game=lambda _, who=who: rules[who]) for who in rules]
    for desk, who in zip(desks, rules, strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    name = start(*desks, "duel", {"ann": "me", "bob": "bob"})
    who, mover = next((who, desk) for who, desk in zip(rules, desks, strict=True) if summary.row(desk, name).my_move)
    orders.order(mover, name, ["talisman 2"])
    rules[who] = replace(duel(2), data=DataSet({"chart": [1, 2]}))
    attempts = (
        lambda: orders.order(mover, name, ["talisman 1"]),
        lambda: sending.send(mover, name).posted,
        lambda: acts.resign(mover, name),
        lambda: list(orders.move(mover, name).legal()),
        lambda: list(archives.archive(mover, name)),
    )
    for act in attempts:
        with pytest.raises(PbemError) as caught:
            act()
        assert caught.value.code == "E-PINS"
        assert "with data of" in str(caught.value)
        assert "bring back the data file" in str(caught.value)
    assert [row.name for row in summary.rows(mover)] == [name]
    rules[who] = duel(2)
    sending.send(mover, name)


def test_an_umpire_opens_the_escrow_and_rules(tmp_path):
    alice, bob, dora = desks = many(tmp_path, "alice", "bob", "dora")
    name = umpired(dora, (alice, bob), "duel", {"ann": "alice", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in (alice, bob) if summary.row(desk, name).my_move)
        orders.order(mover, name, ["talisman 2"])
        carry(*desks, [(mover, sending.send(mover, name).posted)])
    home_orders.order(alice, name, ["fire"])
    carry(*desks, [(alice, sending.send(alice, name).posted)])
    home_orders.order(bob, name, ["stand"])
    sealed = sending.send(bob, name).posted
    # Alice is the witness of Bob's choice; she does not answer any more.
    took(intake.open_bytes(dora, sealed.raw))
    assert code(acts.rule, bob, name, "escrow") == "E-NOT-YOURS"
    ruling = acts.rule(dora, name, "escrow", why="Alice cannot be reached")
    carry(bob, dora, [(dora, ruling)])
    assert [each.what for each in summary.row(bob, name).owed] == ["orders"]
    carry(bob, dora, [(dora, acts.rule(dora, name, "extension", player="alice", seconds=86400, why="Last chance"))])
    carry(bob, dora, [(dora, acts.rule(dora, name, "forfeit", seats=("ann",), why="No answer since May"))])
    assert summary.row(bob, name).result.startswith("bob wins (forfeit")


def test_policies_are_the_engines():
    assert str(parse("then stand")) == "then stand"


def test_two_processes(game, tmp_path):
    alice, _, name = game
    other = desk_at(tmp_path / "alice", "other", find_game=find_game)
    with alice.writing(), pytest.raises(HomeError) as caught:
        orders.order(other, name, ["fire"])
    assert caught.value.code == "E-LOCKED"
    assert summary.row(other, name).my_move  # looking is always possible


def test_somebody_takes_over_a_place(tmp_path):
    """A player who is put out learns it, and by whom; their substitute sees what is waited for; the game ends."""
    alice, bob, carla, name = three(tmp_path, dave := desk_at(tmp_path / "dave", "dave", find_game=lambda _: duel(3)))
    for desk in (alice, bob, carla):
        home_orders.order(desk, name, ["talisman 2"])
        carry(alice, bob, carla, [(desk, sending.send(desk, name).posted)])
    archive = b"".join(archives.archive(alice, name))
    there, request = offers.stand_in(dave, archive, "bob")
    assert there == name
    assert offers.stand_in(dave, archive, "bob")[1].raw == request.raw
    assert code(offers.stand_in, dave, archive, "alice") == "E-ANSWERED"
    row = summary.row(dave, name)
    assert (row.stage, row.result) == (
        "standin",
        "you offer to play in place of Bob, and wait for Alice's and Carla's ruling",
    )
    assert row.owed == ()
    assert code(acts.resign, dave, name) == "E-NOT-YOURS"
    assert (
        code(acts.rule, alice, name, "substitute", player="bob", raw=request.raw) == "E-RULING"
    )  # Bob owes nothing yet
    home_orders.order(alice, name, ["rest"])
    carry(alice, bob, carla, [(alice, sending.send(alice, name).posted)])
    took(intake.open_bytes(dave, b"".join(archives.archive(alice, name))))
    for ruler in (alice, carla):
        ruling = acts.rule(ruler, name, "substitute", player="bob", raw=request.raw, why="Bob has no time")
        carry(alice, carla, dave, [(ruler, ruling)])
        told = took(intake.open_bytes(bob, ruling.raw))
    said = "Alice and Carla ruled that Dave plays in your place"
    assert [note for opened in told for note in opened.notes] == [f"{said}."]
    assert (summary.row(dave, name).stage, summary.row(bob, name).stage, summary.row(bob, name).result) == (
        "playing",
        "out",
        said,
    )
    assert not summary.row(bob, name).restored
    with pytest.raises(HomeError, match=said):
        home_orders.order(bob, name, ["fire"])
    home_orders.order(dave, name, ["fire"])
    sealed = sending.send(dave, name).posted
    assert sealed.to == ("Alice <alice@example.org>", "Carla <carla@example.org>")
    carry(alice, carla, dave, [(dave, sealed)])
    orders.order(carla, name, ["stand"])
    carry(alice, carla, dave, [(carla, sending.send(carla, name).posted)])
    assert [line.id for line in describe.log(alice, name)] == [line.id for line in describe.log(dave, name)]
    carry(alice, carla, dave, [(dave, acts.resign(dave, name))])
    for desk in (alice, carla, dave):
        assert summary.row(desk, name).stage == "over"
        assert summary.row(desk, name).result == "ann wins (forfeit, claimed by the others)"


class Idle:
    """Does nothing, and so never comes to dice."""

    def choose(self, view, need, seat, legal, rng):
        orders = list(islice(legal, 3_000))
        return next((order for order in orders if order.kind == "done"), orders[0])


def test_a_bot_in_a_game_for_oneself_stops_at_the_end_of_the_turn(tmp_path):
    axis = replace(registry.find("axis1941"), bots={"idle": Idle()})
    (alice,) = many(tmp_path, "alice", find_game=lambda _: axis)
    name, _ = offers.offer(alice, "axis1941", seats={seat.name: "me" for seat in axis.seats}, mode="open")
    for seat in ("ussr", "germany"):
        assert home_orders.move(alice, name).asked() == (seat,)
        assert 2 <= len(home_orders.bot(alice, name)) <= 6
        assert home_orders.move(alice, name).asked() != (seat,)
        sending.send(alice, name)
