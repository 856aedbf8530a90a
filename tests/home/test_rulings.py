"""What becomes of a game with somebody who cannot go on, or has cheated: the others end it, or somebody takes over."""

import shutil

import pytest
from desks import carry, desk_at, duel, introduce, start, took, umpired
from games.duel import Choose

from pbem.engine.registry import find
from pbem.fairplay.begin import join_data
from pbem.home import HomeError, acts, archives, backup, describe, intake, offers, orders, sending, summary
from pbem.protocol.container import read
from pbem.protocol.errors import Refusal
from pbem.protocol.record import parse_record


def homes(tmp_path, *names, seats=2):
    desks = [desk_at(tmp_path / name, name, find_game=lambda _: duel(seats)) for name in names]
    for desk, name in zip(desks, names, strict=True):
        desk.new_identity(name.title(), f"{name}@example.org", "")
    introduce(*desks)
    return desks


def verdict(desk, name, seats=2):
    return archives.verify_archive(read(b"".join(archives.archive(desk, name))), lambda _: duel(seats))


def put_out(one, other, name, seat):
    """A claim, the silence agreed on, and the forfeit."""
    took(intake.open_bytes(other, acts.claim(one, name).raw))
    clock = one.clock
    one.clock = lambda: clock() + 30 * 86_400
    took(intake.open_bytes(other, acts.rule(one, name, "forfeit", seats=[seat], why="No answer").raw))


@pytest.mark.parametrize("silence", [None, 3])
def test_a_forfeit_waits_for_the_silence_agreed_on(tmp_path, silence):
    """By the clock of the home that forfeits; the player concerned is told with the claim, and when it is done."""
    alice, bob = homes(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, silence=silence)
    orders.order(alice, name, ["talisman 2"])
    with pytest.raises(HomeError, match="First say what is owed: pbem claim") as caught:
        acts.rule(alice, name, "forfeit", seats=["bob"])
    assert caught.value.code == "E-CLAIM"
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    (claimed,) = took(intake.open_bytes(bob, acts.claim(alice, name).raw))
    assert claimed.happened == ("Alice claims orders for bob.",)
    assert claimed.notes == (summary.row(bob, name).notice,)
    assert summary.row(bob, name).notice.startswith("Alice claimed what you owe (dated 2027-")
    assert "you may be removed from the game from 2027-" in summary.row(bob, name).notice
    assert f"UTC on: pbem rule {name} forfeit --seat bob" in summary.row(alice, name).notice
    with pytest.raises(HomeError, match="You have already claimed this") as caught:
        acts.claim(alice, name)
    assert caught.value.code == "E-CLAIM"
    clock, days = alice.clock, silence or 30
    for seconds in (0, days * 86_400 - 3_600):
        alice.clock = lambda late=seconds: clock() + late
        with pytest.raises(HomeError, match=f"agreed on {days} days of silence"):
            acts.rule(alice, name, "forfeit", seats=["bob"])
    alice.clock = lambda: clock() + days * 86_400
    (ruled,) = took(intake.open_bytes(bob, acts.rule(alice, name, "forfeit", seats=["bob"], why="No answer").raw))
    assert ruled.notes == ("You were removed from the game by Alice.",)
    assert summary.row(bob, name).result.startswith(
        "ann wins (forfeit, claimed by the others); you were removed from the game by Alice"
    )
    for desk in (alice, bob):
        assert summary.row(desk, name).notice.startswith("The forfeit is dated 2027-")
        assert "; its claim is dated 2027-" in summary.row(desk, name).notice


def test_an_answer_ends_the_claim(tmp_path):
    alice, bob = homes(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, silence=0)
    with pytest.raises(Refusal) as caught:
        acts.rule(alice, name, "forfeit", seats=["bob"])
    assert (caught.value.code, "without forfeits" in caught.value.sentence) == ("E-RULING", True)
    alice, bob = homes(tmp_path / "two", "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, silence=3)
    orders.order(alice, name, ["talisman 2"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    carry(alice, bob, [(alice, acts.claim(alice, name))])
    orders.order(bob, name, ["talisman 1"])
    carry(alice, bob, [(bob, sending.send(bob, name).posted)])
    assert (summary.row(alice, name).notice, summary.row(bob, name).notice) == ("", "")
    with pytest.raises(HomeError, match="waits for you, so nothing can be claimed"):
        acts.claim(alice, name)
    with pytest.raises(HomeError, match="a claim that nobody has answered"):
        acts.rule(alice, name, "forfeit", seats=["bob"])


def test_all_others_cite_one_claim(tmp_path):
    """Bob's program cites the one with which Alice has ruled, though its own came first."""
    desks = alice, bob, carla = homes(tmp_path, "alice", "bob", "carla", seats=3)
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "bob", "cid": "carla"}, silence=3)
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
    carry(*desks, [(desk, offers.join(desk, name)) for desk in (bob, carla)])
    for desk in (alice, bob):
        orders.order(desk, name, ["talisman 2"])
        carry(*desks, [(desk, sending.send(desk, name).posted)])
    took(intake.open_bytes(alice, acts.claim(bob, name).raw))
    first, clock = acts.claim(alice, name), alice.clock
    alice.clock = bob.clock = lambda: clock() + 4 * 86_400
    took(intake.open_bytes(bob, first.raw))
    carry(*desks, [(desk, acts.rule(desk, name, "forfeit", seats=["cid"])) for desk in (alice, bob)])
    for desk in desks:
        assert "claimed by the others" in summary.row(desk, name).result
    assert "you were removed from the game by Alice and Bob" in summary.row(carla, name).result


def test_a_sealed_choice_that_was_not_allowed(tmp_path, monkeypatch):
    alice, bob = homes(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"}, options={"turns": 1})
    orders.order(alice, name, ["talisman 2"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    with monkeypatch.context() as lie:
        lie.setattr(Choose, "check", lambda *_: None)
        orders.order(bob, name, ["talisman 9"])
        sealed = sending.send(bob, name).posted
    carry(alice, bob, [(bob, sealed)])
    orders.order(alice, name, ["rest"])
    carry(alice, bob, [(alice, sending.send(alice, name).posted)])
    orders.order(bob, name, ["rest"])
    sending.send(bob, name)  # what he sealed at first can be opened to nobody
    assert "There are three talismans" in summary.row(bob, name).stuck
    assert {game: str(why) for game, why in intake.settle_all(bob).items()} == {
        name: summary.row(bob, name).stuck
    }  # a fault of every `pbem mail sync`, until it can be done
    took(intake.open_bytes(alice, b"".join(archives.archive(bob, name))))
    (owed,) = (each for each in summary.row(alice, name).owed if not each.mine)
    assert "a sealed choice" in owed.text
    assert not summary.row(alice, name).my_move
    put_out(alice, bob, name, "bob")
    assert summary.row(alice, name).result.startswith(
        "ann wins (forfeit, claimed by the others); Bob was removed from the game by you"
    )
    assert verdict(alice, name).ok


def forked(tmp_path):
    """Bob, of three, has signed two turns; Alice and Carla hold both and saw another one first each."""
    desks = alice, bob, carla = homes(tmp_path, "alice", "bob", "carla", seats=3)
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "bob", "cid": "carla"}, options={"turns": 1})
    letters = []
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
        letters.append((desk, offers.join(desk, name)))
    carry(*desks, letters)
    for desk in desks:
        orders.order(desk, name, ["talisman 1"])
        carry(*desks, [(desk, sending.send(desk, name).posted)])
    orders.order(alice, name, ["rest"])
    carry(*desks, [(alice, sending.send(alice, name).posted)])
    shutil.copytree(tmp_path / "bob", tmp_path / "twin")
    twin = desk_at(tmp_path / "twin", "twin", start=1_900_000_000, find_game=lambda _: duel(3))
    files = []
    for desk, order in ((bob, "aim 1"), (twin, "fire")):
        orders.order(desk, name, [order])
        files.append(sending.send(desk, name).posted.raw)
    for desk, (first, second) in ((alice, files), (carla, files[::-1])):
        took(intake.open_bytes(desk, first))
        assert [each.refused.code for each in intake.open_bytes(desk, second)] == ["E-FORK"]
    orders.order(carla, name, ["stand"])  # on the branch that she saw
    intake.open_bytes(alice, sending.send(carla, name).posted.raw)
    return alice, carla, name, [record.id.hex() for raw in files for record in _orders(raw)]


def test_status_says_who_has_to_rule_on_a_fork_and_when_that_is_too_late(tmp_path):
    alice, carla, name, ids = forked(tmp_path)
    for desk in (alice, carla):
        notice = summary.row(desk, name).notice
        assert "Bob signed two records 3" in notice
        assert ids[0][:8] in notice
        assert ids[1][:8] in notice
        assert "a ruling by Alice, Carla: pbem rule" in notice
        assert "Agree on it first" in notice
    first = acts.rule(alice, name, "branch", keep=ids[0], drop=ids[1])
    took(intake.open_bytes(carla, first.raw))
    assert f"Alice keeps {ids[0][:8]}." in summary.row(carla, name).notice
    assert "a ruling by Carla:" in summary.row(carla, name).notice
    took(intake.open_bytes(alice, acts.rule(carla, name, "branch", keep=ids[1], drop=ids[0]).raw))
    for desk in (alice, carla):
        assert "Alice and Carla have ruled differently on the two records 3 of Bob" in summary.row(desk, name).notice
        assert "cannot go on" in summary.row(desk, name).notice
    with pytest.raises(Refusal) as caught:
        acts.rule(alice, name, "branch", keep=ids[1], drop=ids[0])
    assert (caught.value.code, caught.value.step) == ("E-RULING", "MEA-10")
    took(intake.open_bytes(carla, acts.resign(alice, name).raw))  # it is taken, and ends the game for Alice alone
    assert summary.row(carla, name).stage == "playing"
    assert "cannot go on" in summary.row(carla, name).notice


def test_a_ruling_on_a_fork_takes_the_notice_away(tmp_path):
    alice, carla, name, ids = forked(tmp_path)
    for ruler in (alice, carla):
        carry(alice, carla, [(ruler, acts.rule(ruler, name, "branch", keep=ids[0], drop=ids[1]))])
    assert (summary.row(alice, name).notice, summary.row(carla, name).notice) == ("", "")


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_game_of_three_after_a_fork(tmp_path, chosen):
    """Everybody archives the same game, whichever branch he held first; the forker is put out; the audit names him."""
    alice, carla, name, ids = forked(tmp_path)
    for ruler in (alice, carla):
        ruling = acts.rule(ruler, name, "branch", keep=ids[chosen], drop=ids[1 - chosen], why="That one")
        carry(alice, carla, [(ruler, ruling)])
    assert [line.id for line in describe.log(alice, name)] == [line.id for line in describe.log(carla, name)]
    one, other = (verdict(desk, name, 3) for desk in (alice, carla))
    assert one.ok
    assert (one.state, one.counts) == (other.state, other.counts)
    carry(alice, carla, [(carla, acts.resign(carla, name))])
    found = verdict(alice, name, 3)
    assert found.ok
    assert found.result["how"] == "forfeit, claimed by the others"
    back = desk_at(tmp_path / "back", "back", find_game=lambda _: duel(3))
    assert (
        backup.restore(
            back, backup.phrase(alice, alice.people.me()), [backup.backup(alice, alice.people.me())], ""
        ).faults
        == ()
    )
    assert [line.id for line in describe.log(back, name)] == [line.id for line in describe.log(alice, name)]


def _orders(raw):
    records = [parse_record(item.raw) for item in read(raw)]
    return [record for record in records if record.kind == "orders"][-1:]


def test_who_lost_his_key_goes_on_in_his_own_place(tmp_path):
    """The dice that the lost seed owed are nobody's to show: the players go back to before them."""
    desks = alice, bob, carla = homes(tmp_path, "alice", "bob", "carla", seats=3)
    name, posted = offers.offer(alice, "duel", seats={"ann": "me", "bob": "bob", "cid": "carla"}, options={"turns": 1})
    for desk in (bob, carla):
        took(intake.open_bytes(desk, posted.raw))
    carry(*desks, [(desk, offers.join(desk, name)) for desk in (bob, carla)])
    for desk in desks:
        orders.order(desk, name, ["talisman 2"])
        carry(*desks, [(desk, sending.send(desk, name).posted)])
    orders.order(alice, name, ["fire"])
    carry(*desks, [(alice, sending.send(alice, name).posted)])
    orders.order(bob, name, ["stand"])
    took(intake.open_bytes(alice, sending.send(bob, name).posted.raw))
    again = desk_at(tmp_path / "again", "again", find_game=lambda _: duel(3))
    again.new_identity("Carla again", "", "")
    _, request = offers.stand_in(again, b"".join(archives.archive(bob, name)), "carla")
    desks = alice, bob, again
    for desk in (alice, bob):
        ruling = acts.rule(desk, name, "substitute", player="carla", raw=request.raw, why="A broken disk")
        carry(*desks, [(desk, ruling)])
    assert [each.text for each in summary.row(again, name).owed] == ["has to reveal dice"]
    carry(*desks, [(bob, acts.takeback(bob, name, "ann:3"))])
    for desk in (alice, again):
        carry(*desks, [(desk, acts.answer(desk, name, "takeback", yes=True))])
    for _ in range(40):
        mover = next((desk for desk in desks if summary.row(desk, name).my_move), None)
        if mover is None:
            break
        orders.order(mover, name, [next(orders.move(mover, name).legal())])
        carry(*desks, [(mover, sending.send(mover, name).posted)])
    assert summary.row(again, name).result == summary.row(bob, name).result
    found = verdict(bob, name, 3)
    assert found.ok
    assert found.pending == ()
    assert found.audit.missing == (2,)
    assert found.result["how"].endswith(", claimed by the others")


def leaves(tmp_path):
    """A strict game with an umpire, Carla; Bob's program owes dice for Alice's shot, and Dave takes his place."""
    desks = alice, bob, carla, _dave = homes(tmp_path, "alice", "bob", "carla", "dave")
    name = umpired(carla, (alice, bob), "duel", {"ann": "alice", "bob": "bob"})
    orders.set_standing(bob, name, None, "react", "then stand", sealed=False)
    for desk in (alice, bob):
        orders.order(desk, name, ["talisman 2"])
        carry(alice, bob, carla, [(desk, sending.send(desk, name).posted)])
    return desks, name


def test_an_umpire_lets_nobody_in_whose_escrow_is_false(tmp_path, monkeypatch):
    (_, bob, carla, dave), name = leaves(tmp_path)

    def lying(*args):
        made = join_data(*args)
        assert isinstance(made["escrow"], bytes)
        return {**made, "escrow": bytes(len(made["escrow"]))}

    monkeypatch.setattr("pbem.home.offers.join_data", lying)
    _, request = offers.stand_in(dave, b"".join(archives.archive(bob, name)), "bob")
    before = summary.row(carla, name)
    with pytest.raises(Refusal) as caught:
        acts.rule(carla, name, "substitute", player="bob", raw=request.raw)
    assert caught.value.step in ("HID-5", "CHA-9")
    assert summary.row(carla, name) == before


def test_the_escrow_of_who_has_left_shows_the_dice_that_he_owed(tmp_path):
    (alice, _bob, carla, dave), name = leaves(tmp_path)
    orders.order(alice, name, ["fire"])
    carry(alice, carla, [(alice, sending.send(alice, name).posted)])
    _, request = offers.stand_in(dave, b"".join(archives.archive(alice, name)), "bob")
    carry(alice, carla, dave, [(carla, acts.rule(carla, name, "substitute", player="bob", raw=request.raw))])
    assert [each.text for each in summary.row(carla, name).owed if each.by == 1] == ["has to reveal dice"]
    carry(alice, carla, dave, [(carla, acts.rule(carla, name, "escrow", why="Bob did not show them"))])
    assert [each.text for each in summary.row(carla, name).owed if each.by == 1] == []
    assert verdict(alice, name).counts.dice == 1


@pytest.mark.parametrize(("winner", "scores"), [("blue", {"blue": 3, "red": 1}), (None, {})])
def test_an_umpire_decides_a_game(tmp_path, winner, scores):
    """Both players' programs end the game with his result, and the archive shows the ruling."""
    desks = alice, bob, carla = [desk_at(tmp_path / name, name) for name in ("alice", "bob", "carla")]
    for desk, name in zip(desks, ("Alice", "Bob", "Carla"), strict=True):
        desk.new_identity(name, f"{name.casefold()}@example.org", "")
    introduce(*desks)
    name = umpired(carla, (alice, bob), "bridgehead", {"blue": "alice", "red": "bob"}, mode="umpire")
    for code, ruler, wrong in (
        ("E-RULING", bob, {"winner": "green"}),
        ("E-RULING", carla, {"winner": "green"}),
        ("E-RULING", carla, {"winner": "blue", "scores": {"green": 1}}),
        ("E-FORM", carla, {"winner": "blue", "scores": {"blue": 2**31}}),
    ):
        with pytest.raises(Refusal) as caught:
            acts.rule(ruler, name, "adjudge", **wrong)
        assert caught.value.code == code
    carry(*desks, [(carla, acts.rule(carla, name, "adjudge", why="Time is up", winner=winner, scores=scores))])
    for desk in desks:
        assert summary.row(desk, name).stage == "over"
        said = "blue wins" if winner else "a draw"
        assert summary.row(desk, name).result == f"{said} (adjudged, ruled by the umpire)"
        assert any("rules adjudge" in line.text for line in describe.log(desk, name))
    found = archives.verify_archive(read(b"".join(archives.archive(bob, name))), lambda _: find("bridgehead"))
    assert found.ok
    assert found.pending == ()
    assert found.result == {"how": "adjudged, ruled by the umpire", "scores": scores, "winner": winner}
    assert [(change.what, change.holds, change.players) for change in found.changes] == [("adjudge", True, (0, 1))]
    with pytest.raises(Refusal):
        acts.rule(carla, name, "adjudge", winner="red")


def test_all_players_together_end_a_game_whose_umpire_is_gone(tmp_path):
    """In mode umpire nothing goes on without the umpire's dice; one player alone decides nothing."""
    desks = alice, bob, carla = [desk_at(tmp_path / name, name) for name in ("alice", "bob", "carla")]
    for desk, name in zip(desks, ("Alice", "Bob", "Carla"), strict=True):
        desk.new_identity(name, f"{name.casefold()}@example.org", "")
    introduce(*desks)
    name = umpired(carla, (alice, bob), "bridgehead", {"blue": "alice", "red": "bob"}, mode="umpire")
    scores = {"blue": 3, "red": 1}
    carry(alice, bob, [(alice, acts.rule(alice, name, "adjudge", why="Carla is gone", winner="blue", scores=scores))])
    assert {summary.row(desk, name).stage for desk in (alice, bob)} == {"playing"}
    carry(alice, bob, [(bob, acts.rule(bob, name, "adjudge", why="So say I", winner="red"))])
    assert {summary.row(desk, name).stage for desk in (alice, bob)} == {"playing"}
    carry(alice, bob, [(bob, acts.rule(bob, name, "adjudge", why="As agreed", winner="blue", scores=scores))])
    assert {summary.row(desk, name).result for desk in (alice, bob)} == {
        "blue wins (adjudged, ruled by all players) (provisional until the audit)"
    }
    found = archives.verify_archive(read(b"".join(archives.archive(bob, name))), lambda _: find("bridgehead"))
    assert found.ok
    assert [(change.holds, change.by) for change in found.changes] == [(True, 0), (False, 1), (True, 1)]
    with pytest.raises(Refusal) as caught:
        acts.rule(alice, name, "forfeit", seats=("red",), why="He is slow")
    assert caught.value.code == "E-RULING"


def test_without_an_umpire_nobody_adjudges(tmp_path):
    alice, bob = homes(tmp_path, "alice", "bob")
    name = start(alice, bob, "duel", {"ann": "me", "bob": "bob"})
    with pytest.raises(Refusal, match="Only an umpire can decide the result"):
        acts.rule(alice, name, "adjudge", winner="ann")
