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
from pbem.protocol.container import read
from pbem.protocol.errors import PbemError
from pbem.protocol.record import parse_record
from pbem.table import archiving
from pbem.table.tableerror import TableError
from pbem.table.values import Drafted, DraftLine, LeftOver, Undone


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
        mover = next(desk for desk in (alice, bob) if desk.row(name).my_move)
        mover.order(name, ["talisman 2"])
        carry(alice, bob, [(mover, mover.send(name))])
    assert alice.asked(name) == ("ann",)
    return alice, bob, name


def three(tmp_path, *more):
    """Three players without an umpire, and others whom they know."""
    desks = [desk_at(tmp_path / name, name, find_game=lambda _: duel(3)) for name in ("alice", "bob", "carla")]
    for desk, name in zip((*desks, *more), ("Alice", "Bob", "Carla", "Dave"), strict=False):
        desk.new_identity(name, f"{name.casefold()}@example.org", "")
    introduce(*desks, *more)
    name, posted = desks[0].offer("duel", seats={"ann": "me", "bob": "bob", "cid": "carla"})
    letters = []
    for desk in desks[1:]:
        took(desk.open(posted.raw))
        letters.append((desk, desk.join(name)))
    carry(*desks, letters)
    return *desks, name


def code(call, *args, **kwargs):
    with pytest.raises(PbemError) as caught:
        call(*args, **kwargs)
    return caught.value.code


def test_a_draft_from_order_to_seal(game):
    alice, bob, name = game
    assert list(alice.legal(name, "a")) == ["aim 1", "aim 2", "aim 3"]
    alice.order(name, ["aim 2", "aim 1"])
    assert alice.draft(name) == ["aim 2", "aim 1"]
    assert code(alice.order, name, ["aim 1", "dance"]) == "E-NOTATION"
    assert code(alice.order, name, ["aim 1", "aim 3"]) == "E-ORDER"
    assert alice.draft(name) == ["aim 2", "aim 1"]
    alice.undo(name)
    assert alice.draft(name) == ["aim 2"]
    alice.undo(name, None)
    assert alice.draft(name) == []
    assert code(bob.order, name, ["fire"]) == "E-NOT-NOW"
    alice.order(name, ["fire"])
    assert code(alice.order, name, ["rest"]) == "E-PLAN"
    sealed = alice.send(name)
    again = alice.send(name)
    assert (again.raw, again.path, again.again) == (sealed.raw, sealed.path, True)
    assert alice.draft(name) == []
    (opened,) = took(bob.open(sealed.raw))
    assert opened.kind == "turn"
    assert [each.mine for each in opened.owed] == [True]


def test_undo_takes_back_lines_as_typed_and_single_orders(game):
    alice, _, name = game
    alice.order(name, ["aim 3", "aim 1; aim 1"])
    drafted = alice.drafted(name)
    assert [(line.typed, line.orders) for line in drafted.lines] == [
        ("aim 3", ("aim 3",)),
        ("aim 1; aim 1", ("aim 1", "aim 1")),
    ]
    assert [line.typed for line in alice.undo(name)] == ["aim 1; aim 1"]
    assert alice.draft(name) == ["aim 3"]
    alice.order(name, ["aim 1; aim 1"])
    assert [line.typed for line in alice.undo(name, units=True)] == ["aim 1"]
    assert alice.draft(name) == ["aim 3", "aim 1"]
    assert [line.typed for line in alice.undo(name, None)] == ["aim 3", "aim 1; aim 1"]
    assert alice.draft(name) == []


def test_nothing_to_send(tmp_path):
    alice, bob = many(tmp_path, "alice", "bob")
    name, posted = alice.offer("duel", seats={"ann": "me", "bob": "bob"})
    took(bob.open(posted.raw))
    assert code(bob.send, name) == "E-NOT-JOINED"
    assert code(alice.resign, name) == "E-NOT-NOW"
    assert code(alice.order, name, ["fire"]) == "E-NOT-NOW"


def test_plans_follow_the_dice(game):
    alice, bob, name = game
    assert code(alice.plan, name, ["rest"]) == "E-PLAN"
    with bob.lock:
        pass
    bob.set_standing(name, None, "react", "then stand", sealed=False)
    alice.order(name, ["fire"])
    assert code(alice.plan, name, ["rest"]) == "E-ORDER"  # Bob is to choose in between
    assert alice.planned(name) == []


def test_standing_orders_and_plans(game):
    alice, bob, name = game
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.set_standing(name, None, "react", "when shot >= 9 then dodge; then stand", sealed=True)
    assert bob.standing(name) == [
        ("bob", "react", "when shot >= 9 then dodge; then stand", "sealed with your next orders")
    ]
    assert code(bob.set_standing, name, None, "act", "then stand") == "E-POLICY"
    assert code(bob.set_standing, name, None, "react", "nonsense") == "E-POLICY"
    assert code(bob.set_standing, name, "ann", "react", "then stand") == "E-SEAT"
    bob.order(name, ["rest"])
    carry(alice, bob, [(bob, bob.send(name))])
    assert bob.standing(name)[0][3] == "sealed"
    alice.order(name, ["fire"])
    alice.plan(name, ["fire", "rest"])
    assert alice.planned(name) == ["fire", "rest"]
    alice.clear_plan(name)
    assert alice.planned(name) == []
    assert alice.draft(name) == ["fire"]
    alice.plan(name, ["fire; rest"])
    # Bob's program answers both windows and shows both dice without him.
    carry(alice, bob, [(alice, alice.send(name))])
    assert bob.row(name).my_move
    kinds = [line.kind for line in bob.log(name)]
    assert kinds[-2:] == ["orders", "reveal"]


def test_a_used_window_brings_the_rest_back_to_draft(game):
    alice, bob, name = game
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.set_standing(name, None, "react", "then dodge", sealed=True)
    bob.order(name, ["rest"])
    carry(alice, bob, [(bob, bob.send(name))])
    alice.order(name, ["fire"])
    alice.plan(name, ["fire", "rest"])
    (opened,) = took(bob.open(alice.send(name).raw))
    (back,) = took(alice.open(opened.posted[0].raw))
    assert back.happened[-2:] == (
        "Plan of Ann, carried out: nothing.",
        "It stopped: Bob answered by standing orders: dodge. Not reached: fire; rest.",
    )
    assert any("left of your plan is in your draft" in note for note in back.notes)
    drafted = alice.drafted(name)
    assert drafted.lines == (DraftLine("fire", ("fire",), left=True),)
    assert drafted.plan == (DraftLine("rest", ("rest",), left=True),)
    assert drafted.left == LeftOver("Bob answered by standing orders: dodge", (), ())
    assert alice.row(name).my_move  # and nothing has been sealed
    assert [line.typed for line in alice.undo(name, 2)] == ["fire", "rest"]
    assert alice.draft(name) == []  # what a person takes back does not come again
    alice.order(name, ["rest"])
    alice.send(name)
    assert alice.drafted(name) == Drafted((), ())


def test_what_is_left_of_a_plan_waits_until_its_player_is_asked_again(game):
    alice, bob, name = game
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.set_standing(name, None, "react", "when shot = 1 then ask; then stand", sealed=True)
    bob.order(name, ["rest"])
    carry(alice, bob, [(bob, bob.send(name))])
    alice.order(name, ["fire"])
    alice.plan(name, ["aim 3; aim 2", "rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    assert bob.row(name).my_move
    carry(alice, bob, [(bob, bob.send(name))])  # what his program has shown would travel with his orders
    assert alice.drafted(name).lines == ()
    assert alice.drafted(name).left == LeftOver("react", ("aim 3", "aim 2", "rest"), ())
    bob.order(name, ["dodge"])
    carry(alice, bob, [(bob, bob.send(name))])
    drafted = alice.drafted(name)
    assert [(line.typed, line.left) for line in drafted.lines] == [("aim 2", True), ("rest", True)]
    assert drafted.left == LeftOver("react", (), (("aim 3", "Aim at one of what is left (2.1)"),))
    assert code(alice.order, name, ["aim 1"]) == "E-PLAN"
    alice.undo(name)
    assert alice.order(name, ["rest"])
    assert [(line.typed, line.left) for line in alice.drafted(name).lines] == [("aim 2", True), ("rest", False)]
    assert alice.bot(name, "random") == []
    carry(alice, bob, [(alice, alice.send(name))])
    assert bob.row(name).my_move


def test_no_bot_sends_what_a_person_planned(game):
    alice, bob, name = game
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.set_standing(name, None, "react", "then dodge", sealed=True)
    bob.order(name, ["rest"])
    carry(alice, bob, [(bob, bob.send(name))])
    alice.order(name, ["fire"])
    alice.plan(name, ["aim 1", "aim 1", "rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    assert alice.draft(name) == ["aim 1", "aim 1", "rest"]
    orders = alice.bot(name, "random")
    assert alice.draft(name) + alice.planned(name) == orders
    assert alice.drafted(name).left is None


def test_messages_travel_and_private_notes_do_not(game):
    alice, bob, name = game
    alice.set_note(name, "Well met!\nAnd good luck.")
    alice.set_private_note(name, "Bob bluffs")
    alice.order(name, ["fire"])
    sealed = alice.send(name)
    assert alice.note(name) == ""
    (opened,) = took(bob.open(sealed.raw))
    assert opened.notes == ("Alice writes: Well met!\nAnd good luck.",)
    assert bob.log(name)[-1].message == "Well met!\nAnd good luck."
    assert bob.private_note(name) == ""
    assert alice.private_note(name) == "Bob bluffs"
    whole, quiet = b"".join(alice.archive(name)), b"".join(alice.archive(name, messages=False))
    assert len([item for item in read(whole) if item.type == 3]) == 1
    assert not [item for item in read(quiet) if item.type == 3]


def test_resigning_ends_the_game(game):
    alice, bob, name = game
    carry(alice, bob, [(bob, bob.resign(name))])
    assert {alice.row(name).stage, bob.row(name).stage} == {"over"}
    assert alice.row(name).result == bob.row(name).result == "ann wins: forfeit"


def test_a_tie_offered_refused_and_accepted(game):
    alice, bob, name = game
    (opened,) = took(bob.open(alice.tie(name).raw))
    assert "tie" in " ".join(each.text for each in opened.owed)
    assert code(bob.answer, name, "takeback", yes=True) == "E-NO-NEED"
    took(alice.open(bob.answer(name, "tie", yes=False).raw))
    assert alice.row(name).stage == "playing"
    carry(alice, bob, [(alice, alice.tie(name))])
    carry(alice, bob, [(bob, bob.answer(name, "tie", yes=True))])
    assert {desk.row(name).result for desk in (alice, bob)} == {"a draw: tie"}


def test_a_takeback(game):
    alice, bob, name = game
    alice.order(name, ["aim 1"])
    before = alice.board(name)
    sealed = alice.send(name)
    took(bob.open(sealed.raw))
    preview = alice.takeback_preview(name)
    (opened,) = took(bob.open(alice.takeback(name).raw))
    assert bob.takeback_proposed(name) == preview
    assert bob.row(name).proposed == f"Alice asks to go back {preview.way}. That would undo {preview.sum}."
    assert bob.row(name).proposed in opened.notes
    assert preview == Undone("Alice is asked: act", "Alice is asked: act", ("0:4, orders of Alice",), 1, 0, 0, ())
    carry(alice, bob, [(bob, bob.answer(name, "takeback", yes=True))])
    assert bob.row(name).proposed == alice.row(name).proposed == ""
    assert list(alice.legal(name, "aim")) == ["aim 1", "aim 2", "aim 3"]
    assert alice.board(name) == before
    assert code(alice.takeback, name, "9:9") == "E-UNKNOWN"
    assert code(alice.takeback, name, "alice:99") == "E-UNKNOWN"


def test_a_takeback_says_what_it_undoes_before_anybody_agrees(game):
    alice, bob, name = game
    bob.set_standing(name, None, "react", "then stand", sealed=False)
    alice.order(name, ["rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.order(name, ["rest"])
    carry(alice, bob, [(bob, bob.send(name))])
    alice.order(name, ["fire"])
    alice.plan(name, ["fire", "rest"])
    carry(alice, bob, [(alice, alice.send(name))])
    carry(alice, bob, [(bob, bob.send(name))])
    preview = alice.takeback_preview(name)
    assert (preview.orders, preview.dice, preview.cards) == (3, 2, 0)
    assert [record.partition(", ")[2] for record in preview.records] == ["orders of Alice", "reveal of Bob"]
    assert len(preview.happened) >= 2
    assert code(alice.takeback_preview, name, preview.records[1].partition(",")[0]) == "E-ACT"
    longer = alice.takeback_preview(name, "0:4")
    assert (len(longer.records), longer.dice) == (4, 2)
    assert longer.sum.startswith("4 records (")
    assert longer.sum.endswith("), 5 orders, 2 dice and 0 cards seen")
    took(bob.open(alice.takeback(name).raw))
    assert bob.takeback_proposed(name) == preview


def test_a_new_key(game):
    alice, bob, name = game
    with alice.lock:
        alice.people.add_identity(bytes([77]) * 32, "Alice Two", "", "", 1)
    assert code(alice.rekey, name, "alice") in ("E-NO-NEED", "E-AMBIGUOUS")
    carry(alice, bob, [(alice, alice.rekey(name, "alice two"))])
    alice.order(name, ["fire"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.order(name, ["dodge"])
    carry(alice, bob, [(bob, bob.send(name))])
    assert alice.row(name).my_move
    assert [line.id for line in alice.log(name)] == [line.id for line in bob.log(name)]


def test_a_new_key_is_of_no_use_without_the_seed(tmp_path):
    _, bob, _, name = three(tmp_path)
    for folder in (tmp_path / "alice" / "identities").iterdir():
        shutil.rmtree(folder)
    again = desk_at(tmp_path / "alice", "again", find_game=lambda _: duel(3))
    again.new_identity("Alice Two", "", "")
    assert code(again.rekey, name, "alice two", lost=True) == "E-NO-IDENTITY"
    assert bob.row(name).stage == "playing"


def test_a_lost_key_by_ruling(tmp_path):
    """Among three. The result says that players changed who signs."""
    *desks, name = three(tmp_path)
    alice, bob, carla = desks
    with alice.lock:
        alice.people.add_identity(bytes([78]) * 32, "Alice Two", "", "", 1)
    request = alice.rekey(name, "alice two", lost=True)
    for ruler in (bob, carla):
        carry(*desks, [(ruler, ruler.rule(name, "rekey", player="alice", raw=request.raw, why="She lost it"))])
    alice.order(name, ["talisman 1"])
    carry(*desks, [(alice, alice.send(name))])
    carry(*desks, [(alice, alice.resign(name))])
    for desk in desks:
        assert desk.row(name).result == "bob wins: forfeit, claimed by the others"


def test_between_two_a_lost_key_is_nobodys_to_replace(game):
    alice, bob, name = game
    with alice.lock:
        alice.people.add_identity(bytes([78]) * 32, "Alice Two", "", "", 1)
    assert code(alice.rekey, name, "alice two", lost=True) == "E-RULING"
    assert code(alice.stand_in, b"".join(bob.archive(name)), "bob") == "E-RULING"


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
        mover = next(desk for desk in desks if desk.row(name).my_move)
        mover.order(name, ["talisman 2"])
        carry(alice, bob, [(mover, mover.send(name))])
    assert code(alice.migrate, name) == "E-NO-NEED"
    rules["alice"] = new
    proposal = alice.migrate(name)
    (refused,) = (each.refused for each in bob.open(proposal.raw))
    assert refused.code == "E-BEHAVIOUR"
    assert f"needs pbem {__version__} or newer" in refused.sentence
    rules["bob"] = new
    carry(alice, bob, [(alice, proposal)])
    carry(alice, bob, [(bob, bob.answer(name, "migrate", yes=True))])
    alice.order(name, ["fire"])
    carry(alice, bob, [(alice, alice.send(name))])
    bob.order(name, ["dodge"])
    sealed = bob.send(name)
    assert parse_record(read(sealed.raw)[-1].raw).pin == 1
    carry(alice, bob, [(bob, sealed)])
    archive = b"".join(alice.archive(name))
    verdict = archiving.check(archive, lambda _: new)
    assert verdict.ok
    assert verdict.state == alice._context.load(name).match.state_hash()
    assert archiving.check(archive, lambda _: old).first_bad.code == "E-BEHAVIOUR"


def test_with_other_data_than_the_offer_pins_no_game_is_opened(tmp_path):
    """A game's own data file that was changed under a running game: nothing is ordered, signed or written."""
    rules = {"alice": duel(2), "bob": duel(2)}
    desks = [desk_at(tmp_path / who, who, find_game=lambda _, who=who: rules[who]) for who in rules]
    for desk, who in zip(desks, rules, strict=True):
        desk.new_identity(who.title(), "", "")
    introduce(*desks)
    name = start(*desks, "duel", {"ann": "me", "bob": "bob"})
    who, mover = next((who, desk) for who, desk in zip(rules, desks, strict=True) if desk.row(name).my_move)
    mover.order(name, ["talisman 2"])
    rules[who] = replace(duel(2), data=DataSet({"chart": [1, 2]}))
    acts = (
        lambda: mover.order(name, ["talisman 1"]),
        lambda: mover.send(name),
        lambda: mover.resign(name),
        lambda: list(mover.legal(name)),
        lambda: list(mover.archive(name)),
    )
    for act in acts:
        with pytest.raises(PbemError) as caught:
            act()
        assert caught.value.code == "E-PINS"
        assert "other data of" in str(caught.value)
        assert "bring back the data file" in str(caught.value)
    assert [row.name for row in mover.games()] == [name]
    rules[who] = duel(2)
    mover.send(name)


def test_an_umpire_opens_the_escrow_and_rules(tmp_path):
    alice, bob, dora = desks = many(tmp_path, "alice", "bob", "dora")
    name = umpired(dora, (alice, bob), "duel", {"ann": "alice", "bob": "bob"})
    for _ in range(2):
        mover = next(desk for desk in (alice, bob) if desk.row(name).my_move)
        mover.order(name, ["talisman 2"])
        carry(*desks, [(mover, mover.send(name))])
    alice.order(name, ["fire"])
    carry(*desks, [(alice, alice.send(name))])
    bob.order(name, ["stand"])
    sealed = bob.send(name)
    # Alice is the witness of Bob's choice; she does not answer any more.
    took(dora.open(sealed.raw))
    assert code(bob.rule, name, "escrow") == "E-NOT-YOURS"
    ruling = dora.rule(name, "escrow", why="Alice cannot be reached")
    carry(bob, dora, [(dora, ruling)])
    assert [each.what for each in bob.row(name).owed] == ["orders"]
    carry(bob, dora, [(dora, dora.rule(name, "extension", player="alice", seconds=86400, why="Last chance"))])
    carry(bob, dora, [(dora, dora.rule(name, "forfeit", seats=("ann",), why="No answer since May"))])
    assert bob.row(name).result.startswith("bob wins: forfeit")


def test_policies_are_the_engines():
    assert str(parse("then stand")) == "then stand"


def test_two_processes(game, tmp_path):
    alice, _, name = game
    other = desk_at(tmp_path / "alice", "other", find_game=find_game)
    other._context._lock._patience = 0.05
    with alice.lock, pytest.raises(TableError) as caught:
        other.order(name, ["fire"])
    assert caught.value.code == "E-LOCKED"
    assert other.row(name).my_move  # looking is always possible


def test_somebody_takes_over_a_place(tmp_path):
    """Who is put out is told so, and by whom; who comes in knows what they wait for; the game ends for good."""
    alice, bob, carla, name = three(tmp_path, dave := desk_at(tmp_path / "dave", "dave", find_game=lambda _: duel(3)))
    for desk in (alice, bob, carla):
        desk.order(name, ["talisman 2"])
        carry(alice, bob, carla, [(desk, desk.send(name))])
    archive = b"".join(alice.archive(name))
    there, request = dave.stand_in(archive, "bob")
    assert there == name
    assert dave.stand_in(archive, "bob")[1].raw == request.raw
    assert code(dave.stand_in, archive, "alice") == "E-ANSWERED"
    row = dave.row(name)
    assert (row.stage, row.result) == (
        "standin",
        "you offer to play in place of Bob, and wait for Alice's and Carla's ruling",
    )
    assert row.owed == ()
    assert code(dave.resign, name) == "E-NOT-YOURS"
    assert code(alice.rule, name, "substitute", player="bob", raw=request.raw) == "E-RULING"  # Bob owes nothing yet
    alice.order(name, ["rest"])
    carry(alice, bob, carla, [(alice, alice.send(name))])
    took(dave.open(b"".join(alice.archive(name))))
    for ruler in (alice, carla):
        ruling = ruler.rule(name, "substitute", player="bob", raw=request.raw, why="Bob has no time")
        carry(alice, carla, dave, [(ruler, ruling)])
        told = took(bob.open(ruling.raw))
    said = "Alice and Carla ruled that Dave plays in your place"
    assert [note for opened in told for note in opened.notes] == [f"{said}."]
    assert (dave.row(name).stage, bob.row(name).stage, bob.row(name).result) == ("playing", "out", said)
    assert not bob.row(name).restored
    with pytest.raises(TableError, match=said):
        bob.order(name, ["fire"])
    dave.order(name, ["fire"])
    sealed = dave.send(name)
    assert sealed.to == ("Alice <alice@example.org>", "Carla <carla@example.org>")
    carry(alice, carla, dave, [(dave, sealed)])
    carla.order(name, ["stand"])
    carry(alice, carla, dave, [(carla, carla.send(name))])
    assert [line.id for line in alice.log(name)] == [line.id for line in dave.log(name)]
    carry(alice, carla, dave, [(dave, dave.resign(name))])
    for desk in (alice, carla, dave):
        assert desk.row(name).stage == "over"
        assert desk.row(name).result == "ann wins: forfeit, claimed by the others"


class Idle:
    """Does nothing, and so never comes to dice."""

    def choose(self, view, need, seat, legal, rng):
        orders = list(islice(legal, 3_000))
        return next((order for order in orders if order.kind == "done"), orders[0])


def test_a_bot_in_a_game_for_oneself_stops_at_the_end_of_the_turn(tmp_path):
    axis = replace(registry.find("axis1941"), bots={"idle": Idle()})
    (alice,) = many(tmp_path, "alice", find_game=lambda _: axis)
    name, _ = alice.offer("axis1941", seats={seat.name: "me" for seat in axis.seats}, mode="open")
    for seat in ("ussr", "germany"):
        assert alice.asked(name) == (seat,)
        assert 2 <= len(alice.bot(name)) <= 6
        assert alice.asked(name) != (seat,)
        alice.send(name)
