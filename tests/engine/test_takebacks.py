"""Takebacks against a witness: nobody who alone has seen dice gains by offering, agreeing or refusing (MEA-5..9)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from games.duel import Aim, Fire, Stand, duel
from test_match import ANN, BOB, refused, start

from pbem.engine.archive import verify_archive
from pbem.engine.match import Match
from pbem.engine.testing.inmemory import Table
from pbem.engine.testing.scripted import Chance
from pbem.protocol.errors import Refusal
from pbem.protocol.record import Record

Vector = list[list[int]]


def vector(table: Table, number: int = ANN) -> Vector:
    log = table.peers[number].replay.log
    return [[by, count] for by, count in zip(log.authors, log.vector, strict=True)]


def shot() -> tuple[Table, Vector]:
    """Ann has fired and Bob stands: Ann, his witness, knows what she has thrown, and her program has not said it."""
    table = start()
    table.order(ANN, [Fire()])
    table.settle()
    before = vector(table, BOB)
    table.order(BOB, [Stand()])
    table.deliver()
    assert owes(table) == {ANN}
    return table, before


def owes(table: Table) -> set[int]:
    """Whose dice are due, as everybody knows it."""
    barrier = table.peers[BOB].match.position.barrier
    return {barrier.due[item] for item in barrier.chance()}


def chance(table: Table, number: int) -> dict[str, object]:
    return dict(table.peers[number].player.chance(table.peers[number].match))


def say(table: Table, number: int, proposal: Record, yes: bool) -> Record:
    return table.send(number, "answer", {"to": proposal.id, "yes": yes, **chance(table, number)})  # type: ignore[dict-item]


def waits_for(table: Table) -> set[int]:
    """Who has to answer; the same to everybody."""
    found = [
        {by for each in peer.match.position.proposals.values() for by in each.waiting} for peer in table.peers.values()
    ]
    assert all(each == found[0] for each in found)
    return found[0]


def asked(table: Table) -> set[int]:
    return {by for by in table.peers if table.peers[BOB].match.asked(by)}


def reveal(table: Table) -> None:
    (owed,) = table.peers[ANN].player.owed(table.peers[ANN].match)
    table.send(ANN, *owed)


@pytest.mark.parametrize("kind", ["takeback", "tie"])
def test_whoever_owes_dice_shows_them_with_the_offer(kind: str) -> None:
    table, before = shot()
    data: dict[str, object] = {"to": before} if kind == "takeback" else {}
    items = chance(table, ANN)["items"]
    assert isinstance(items, list)
    ((_, orders, x),) = items
    assert refused(table, ANN, kind, data).code == "E-OWES"
    assert refused(table, ANN, kind, {**data, "items": [["dice", orders, bytes(32)]]}).code == "E-PROMISE"
    assert refused(table, ANN, kind, {**data, "items": items * 2}).code == "E-UNASKED"
    assert refused(table, ANN, kind, {**data, "items": [["nonce", x]]}).code == "E-UNASKED"
    nonce = ["nonce", table.peers[ANN].player.secrets.nonce]
    assert refused(table, ANN, kind, {**data, "items": [*items, nonce]}).code == "E-UNASKED"
    offer = table.send(ANN, kind, {**data, "items": items})  # type: ignore[dict-item]
    table.deliver()
    assert owes(table) == {ANN}  # she still has to give them, if nobody agrees
    say(table, BOB, offer, yes=True)
    table.deliver()
    if kind == "tie":
        assert table.peers[ANN].match.result is not None
    else:
        assert asked(table) == {BOB}
    table.play()
    assert table.agree()
    assert verify_archive(table.archive(), {"duel": duel()}).ok


def test_the_dice_shown_with_an_offer_that_is_refused_are_the_dice() -> None:
    table, before = shot()
    items = chance(table, ANN)
    offer = table.send(ANN, "takeback", {"to": before, **items})  # type: ignore[dict-item]
    reveal(table)
    assert table.records[-1].data["items"] == items["items"]
    table.deliver()
    assert waits_for(table) == {BOB}  # he knew them when she offered: nothing new has been shown
    say(table, BOB, offer, yes=False)
    table.settle()
    table.play()
    assert table.agree()


@pytest.mark.parametrize("how", ["with her yes", "before her yes", "before she heard of it"])
def test_a_witness_who_knows_the_dice_does_not_decide_alone(how: str) -> None:
    """Bob offers to take his answer back before he knows the dice; Ann, who knows them, cannot choose for both."""
    table, before = shot()
    if how == "before she heard of it":
        reveal(table)
    offer = table.send(BOB, "takeback", {"to": before})
    table.deliver()
    if how == "before her yes":
        reveal(table)
        table.deliver()
    say(table, ANN, offer, yes=True)
    table.deliver()
    assert waits_for(table) == {BOB}
    say(table, BOB, offer, yes=True)
    table.deliver()
    if how != "with her yes":  # the dice are thrown, and she is to move: she agrees last
        assert waits_for(table) == {ANN}
        say(table, ANN, offer, yes=True)
        table.deliver()
    assert not waits_for(table)
    assert asked(table) == {BOB}
    table.play()
    assert table.agree()
    assert verify_archive(table.archive(), {"duel": duel()}).ok


def test_a_game_that_no_program_can_carry_on_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann's reveal is refused in every home; what she shows with her offer hangs on her chain alone."""
    table, before = shot()

    def fail(*_: object) -> None:
        raise Refusal("E-DECK", "The cards cannot be shuffled.", step="HID-17")

    with monkeypatch.context() as broken:
        broken.setattr(Match, "roll", fail)
        with pytest.raises(Refusal, match="cannot be shuffled"):
            table.settle()
        offer = table.send(ANN, "takeback", {"to": before, **chance(table, ANN)})  # type: ignore[dict-item]
        table.deliver()
        say(table, BOB, offer, yes=True)
        table.deliver()
        assert asked(table) == {BOB}
    table.play()
    assert table.agree()
    assert verify_archive(table.archive(), {"duel": duel()}).ok


def test_an_offer_dated_back_behind_the_dice_waits_for_them() -> None:
    """Ann has Bob's answer and its dice, and sends an offer as if she had neither."""
    table = start()
    before = vector(table)
    table.order(ANN, [Fire()])
    table.settle()
    table.order(BOB, [Stand()])
    offer = table.send(ANN, "takeback", {"to": before})  # her program has not opened his answer, it seems
    table.deliver()
    assert owes(table) == {ANN}
    say(table, BOB, offer, yes=True)
    table.deliver()
    assert owes(table) == {ANN}
    assert waits_for(table) == {ANN}
    say(table, ANN, offer, yes=True)  # which shows the dice
    table.deliver()
    assert waits_for(table) == {BOB}
    say(table, BOB, offer, yes=True)
    table.deliver()
    assert asked(table) == {ANN}
    table.play()
    assert table.agree()


def test_nobody_undoes_a_takeback_when_they_have_seen_what_came_of_it() -> None:
    """Bob is to move, and offers Ann her choice back. If her new one went ill for him, he would move after all."""
    table = start()
    before = vector(table)
    table.order(ANN, [Fire()])
    table.settle()
    assert asked(table) == {BOB}
    offer = table.send(BOB, "takeback", {"to": before})
    table.deliver()
    answer = say(table, ANN, offer, yes=True)
    table.deliver()
    assert answer.heads[0][1] == offer.id
    assert asked(table) == {BOB}
    assert waits_for(table) == {BOB}  # he can still move; once he has agreed as well, he cannot
    say(table, BOB, offer, yes=True)
    table.deliver()
    assert asked(table) == {ANN}
    table.play()
    assert table.agree()


def test_one_offer_stands_at_a_time() -> None:
    """Else its author could put another in its place, as if the yes had not come yet."""
    table = start()
    before = vector(table)
    table.order(ANN, [Aim(1)])
    table.settle()
    offer = table.send(ANN, "takeback", {"to": before})
    table.deliver()
    for number, kind in ((ANN, "takeback"), (ANN, "tie"), (BOB, "takeback"), (BOB, "tie")):
        assert refused(table, number, kind, {"to": before} if kind == "takeback" else {}).code == "E-ACT"
    say(table, BOB, offer, yes=False)
    table.deliver()
    table.send(BOB, "tie", {})
    table.deliver()
    assert waits_for(table) == {ANN}


def test_no_die_is_ever_replaced_unseen() -> None:
    """Both offer, agree and refuse at random, with mail late on the way; every die that was due has been shown."""
    assert sum(wander(seed) for seed in range(20)) >= 5


def wander(seed: int) -> int:
    """One game; how often something was taken back."""
    table, chances = start(seed=str(seed)), Chance(f"takebacks {seed}")
    points, due, undone = [vector(table)], set(), 0
    for _ in range(300):
        for number, peer in table.peers.items():
            due |= {item[1] for item in peer.match.position.barrier.chance()}
            if peer.match.asked(number):
                points.append(vector(table, number))
        number = chances.below(2)
        peer, before = table.peers[number], table.peers[number].match.machine.serial
        proposals = [key for key, each in peer.match.position.proposals.items() if number in each.waiting]
        pick = chances.below(8)
        point = points[max(0, len(points) - 1 - chances.below(12))]
        if proposals and pick <= 4:
            yes = chances.below(5) > 0
            table.send(number, "answer", {"to": proposals[0], "yes": yes, **chance(table, number)})  # type: ignore[dict-item]
            undone += peer.match.machine.serial < before
        elif pick == 5 and peer.match.result is None:
            data = {"to": point, **chance(table, number)}
            with suppress(Refusal):  # one stands already, or the point was never this player's
                table.send(number, "takeback", data)  # type: ignore[arg-type]
        else:
            table.step()
    table.play()
    assert table.agree()
    shown = {row[1] for record in table.records for row in record.data.get("items", ()) if row[0] == "dice"}
    assert due <= shown
    assert verify_archive(table.archive(), {"duel": duel()}).ok
    return undone
