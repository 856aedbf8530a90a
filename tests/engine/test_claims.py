"""Attacks on a place: rulings by players without an umpire, and what a claim must name (MEA-8, MEA-10)."""

from __future__ import annotations

import pytest
from games.duel import Aim, Fire, Rest, Stand, Talisman, duel
from test_match import ANN, BOB, CID, orders, pending, refused, start

from pbem.engine.testing.inmemory import AT, Table, person
from pbem.fairplay.begin import join_data
from pbem.protocol.record import UMPIRE, Record, make_record
from pbem.protocol.ruling import rekey_proof

ANN_OWES: list[object] = ["orders", "ann"]
CLAIMED = ", claimed by the others"


def claim(table: Table, number: int, *owed: list[object]) -> Record:
    record = table.send(number, "claim", {"owed": list(owed)})  # type: ignore[arg-type]
    table.deliver()
    return record


def forfeit(cited: Record | None, *seats: str, why: str = "") -> dict[str, object]:
    return {"what": "forfeit", "why": why, "seats": list(seats), **({"claim": cited.id} if cited else {})}


def takeover(table: Table, what: str, number: int) -> dict[str, object]:
    """A ruling by which a stranger has this number."""
    genesis = table.peers[ANN].match.genesis
    keys, card, secrets = person("a friend")
    if what == "rekey":
        data = {"card": card.raw, "proof": rekey_proof(keys, genesis.game_id, number, 0, card)}
    else:
        part = join_data(card, secrets, genesis.offer, number)
        join = make_record(keys, at=AT, by=number, data=part, game=genesis.game_id, heads=(), kind="join", pin=0,
                           prev=None, seq=0)  # fmt: skip
        data = {"join": join.raw}
    return {"what": what, "why": "", "player": number, **data}


def result(table: Table) -> str:
    (how,) = {peer.match.result.how if peer.match.result else "" for peer in table.peers.values()}
    return how


# Between two


@pytest.mark.parametrize("what", ["substitute", "rekey"])
def test_between_two_nobody_rules_a_friend_into_the_others_place(what: str) -> None:
    """He would own both halves of every die from then on."""
    table = start(silence=30)
    assert pending(table.peers[BOB].match) == {(ANN, "orders")}
    claim(table, BOB, ANN_OWES)
    found = refused(table, BOB, "ruling", takeover(table, what, ANN))
    assert (found.code, found.step) == ("E-RULING", "MEA-10")
    assert "only the old key can change a key" in found.sentence


def test_a_forfeit_cites_a_claim_that_still_stands() -> None:
    table = start(silence=30)
    assert "cites a claim" in refused(table, BOB, "ruling", forfeit(None, "ann")).sentence
    other = table.peers[BOB].replay.log.last(BOB)
    assert other is not None
    for wrong in (bytes(32), other):
        assert refused(table, BOB, "ruling", {**forfeit(None, "ann"), "claim": wrong}).code == "E-RULING"
    made = claim(table, BOB, ANN_OWES)
    assert refused(table, BOB, "ruling", forfeit(made, "bob")).code == "E-RULING"
    table.send(BOB, "ruling", forfeit(made, "ann"))  # type: ignore[arg-type]
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"
    table.play()
    assert table.agree()


@pytest.mark.parametrize("order", [Aim(3), Fire()])
def test_what_was_given_and_is_owed_again_is_another_thing(order: Aim | Fire) -> None:
    """At once by the same record, or a barrier later."""
    table = start(silence=30)
    made = claim(table, BOB, ANN_OWES)
    table.order(ANN, [order])
    table.settle()
    if isinstance(order, Fire):
        table.order(BOB, [Stand()])
        table.settle()
    assert pending(table.peers[BOB].match) == {(ANN, "orders")}
    assert refused(table, BOB, "ruling", forfeit(made, "ann")).code == "E-RULING"


def test_a_takeback_to_the_claim_ends_it() -> None:
    table = start(silence=30)
    made = claim(table, BOB, ANN_OWES)
    here = [[by, count] for by, count in zip((ANN, BOB), table.peers[BOB].replay.log.vector, strict=True)]
    table.order(ANN, [Aim(3)])
    table.deliver()
    asked = table.send(ANN, "takeback", {"to": here})  # type: ignore[arg-type]
    table.deliver()
    table.send(BOB, "answer", {"to": asked.id, "yes": True})
    table.deliver()
    assert refused(table, BOB, "ruling", forfeit(made, "ann")).code == "E-RULING"


def test_other_acts_are_no_answer() -> None:
    table = start(silence=30)
    made = claim(table, BOB, ANN_OWES)
    table.send(ANN, "tie", {})
    table.deliver()
    table.send(BOB, "ruling", forfeit(made, "ann"))  # type: ignore[arg-type]
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"


def test_a_claim_names_what_others_owe_and_its_author_owes_nothing() -> None:
    table = start(silence=30)
    for wrong in (["orders", "bob"], ["dice", bytes(32)], ["nonce", ANN], ["open", "choose/ann/1"]):
        assert refused(table, BOB, "claim", {"owed": [ANN_OWES, wrong]}).code == "E-ACT"
    assert refused(table, ANN, "claim", {"owed": [ANN_OWES]}).code == "E-OWES"
    table = Table(duel(), silence=30)
    table.settle()  # both choose in secret
    table.order(ANN, [Talisman(1)])
    table.deliver()
    assert refused(table, BOB, "claim", {"owed": [["orders", "bob"]]}).code == "E-OWES"
    made = claim(table, ANN, ["orders", "bob"])
    table.send(ANN, "ruling", forfeit(made, "bob"))  # type: ignore[arg-type]
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"


def test_dice_that_are_withheld_are_claimed_by_their_orders() -> None:
    table = start(silence=30)
    table.order(ANN, [Fire()])
    table.deliver()
    record = table.order(BOB, [Stand()])
    table.deliver()
    assert {(ANN, "reveal")} <= pending(table.peers[BOB].match)
    made = claim(table, BOB, ["dice", record.id])
    table.send(BOB, "ruling", forfeit(made, "ann"))  # type: ignore[arg-type]
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"


def test_a_later_claim_of_ones_own_takes_the_place_of_the_first() -> None:
    table = start(silence=30)
    first = claim(table, BOB, ANN_OWES)
    second = claim(table, BOB, ANN_OWES)
    assert refused(table, BOB, "ruling", forfeit(first, "ann")).code == "E-RULING"
    assert list(table.peers[ANN].match.position.barrier.claims) == [second.id]


@pytest.mark.parametrize(("umpire", "silence"), [(True, 0), (False, 0)])
def test_games_without_forfeits(umpire: bool, silence: int) -> None:
    table = start(umpire=umpire, silence=silence)
    assert refused(table, BOB, "claim", {"owed": [ANN_OWES]}).code == "E-ACT"
    author = UMPIRE if umpire else BOB
    assert refused(table, author, "ruling", {**forfeit(None, "ann"), "claim": bytes(32)}).code == "E-RULING"
    if not umpire:
        assert "without forfeits" in refused(table, BOB, "ruling", forfeit(None, "ann")).sentence


# What crosses a forfeit


def last_turn() -> tuple[Table, Record]:
    """Ann, at the last turn of the game, has been claimed of, and Bob rules without having seen her orders."""
    table = start(silence=30, options={"turns": 1})
    table.order(ANN, [Rest()])
    table.settle()
    table.order(BOB, [Aim(3)])
    table.settle()
    return table, claim(table, ANN, ["orders", "bob"])


@pytest.mark.parametrize("answer", [Aim(2), Rest()])
@pytest.mark.parametrize("state", [True, False])
def test_an_answer_that_crosses_the_forfeit_does_not_undo_it(answer: Aim | Rest, state: bool) -> None:
    table, made = last_turn()
    said = forfeit(made, "bob")
    if state:
        said["state"] = table.peers[ANN].match.state_hash()
    table.order(BOB, [answer])
    ruling = table.send(ANN, "ruling", said)  # type: ignore[arg-type]
    table.deliver()
    assert table.agree()
    assert result(table) == f"forfeit{CLAIMED}"
    assert table.peers[BOB].match.position.put_out == {BOB: ruling.id}
    table.play()
    assert table.agree()


@pytest.mark.parametrize("forfeiter", [ANN, BOB])
def test_not_even_an_answer_after_which_the_rules_end_the_game(forfeiter: int) -> None:
    """The other's program has signed that result already when the forfeit comes."""
    other, seats = 1 - forfeiter, ("ann", "bob")
    table = start(silence=30, options={"turns": 1})
    for number in (ANN, BOB):
        table.order(number, [Rest()])
        table.deliver()
    peers = table.peers
    table.send(forfeiter, *peers[forfeiter].player.owed(peers[forfeiter].match)[0])
    table.deliver()
    made = claim(table, forfeiter, ["open", f"choose/{seats[other]}/1"])
    for kind in ("reveal", "end"):
        assert peers[other].player.owed(peers[other].match)[0][0] == kind
        table.send(other, *peers[other].player.owed(peers[other].match)[0])
    table.send(forfeiter, "ruling", forfeit(made, seats[other]))  # type: ignore[arg-type]
    table.deliver()
    assert table.agree()
    assert result(table) == f"forfeit{CLAIMED}"
    assert table.peers[ANN].match.result.winner == seats[forfeiter]  # type: ignore[union-attr]
    table.play()
    assert table.agree()


def test_the_first_of_two_forfeits_that_cross_stands() -> None:
    """Each was told that the other owed orders of a choice that both make."""
    table = Table(duel(), silence=30)
    table.settle()
    one, two = (table.order(number, [Talisman(1)]) for number in (ANN, BOB))
    for number, seat in ((ANN, "bob"), (BOB, "ann")):
        made = table.send(number, "claim", {"owed": [["orders", seat]]})
        table.send(number, "ruling", forfeit(made, seat))  # type: ignore[arg-type]
    table.deliver()
    assert table.agree()
    assert result(table) == f"forfeit{CLAIMED}"
    assert table.peers[ANN].match.position.put_out.keys() == {BOB}
    assert {one.id, two.id} <= {record.id for record in table.records}


# Among three


def resting(silence: int = 30) -> Table:
    """Cid has the move."""
    table = start(3, silence=silence)
    for number in (ANN, BOB):
        table.order(number, [Rest()])
        table.deliver()
    return table


def test_all_others_together_put_one_out_by_one_claim() -> None:
    table = resting()
    first = claim(table, ANN, ["orders", "cid"])
    second = claim(table, BOB, ["orders", "cid"])
    assert refused(table, CID, "ruling", forfeit(first, "cid")).code == "E-RULING"
    table.send(ANN, "ruling", forfeit(first, "cid", why="gone"))  # type: ignore[arg-type]
    table.deliver()
    table.send(BOB, "ruling", forfeit(second, "cid", why="gone"))  # type: ignore[arg-type]
    table.deliver()
    assert not result(table)
    table.send(BOB, "ruling", forfeit(first, "cid", why="I agree"))  # type: ignore[arg-type]
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"


@pytest.mark.parametrize("what", ["substitute", "rekey"])
def test_nobody_is_replaced_in_a_game_that_does_not_wait_for_them(what: str) -> None:
    table = resting()
    found = refused(table, ANN, "ruling", takeover(table, what, BOB))
    assert (found.code, found.step) == ("E-RULING", "MEA-10")
    table.send(ANN, "ruling", takeover(table, what, CID))  # type: ignore[arg-type]
    table.deliver()
    assert table.agree()


@pytest.mark.parametrize("what", ["substitute", "rekey"])
def test_every_later_result_says_that_players_have_changed_who_plays(what: str) -> None:
    table = resting()
    ruling = takeover(table, what, CID)
    for number in (ANN, BOB):
        table.send(number, "ruling", ruling)  # type: ignore[arg-type]
        table.deliver()
        table.peers.pop(CID, None)  # she is out
    table.send(ANN, "resign", {"seats": ["ann"]})
    table.deliver()
    assert result(table) == f"forfeit{CLAIMED}"


def test_a_claim_on_a_player_is_none_on_their_substitute() -> None:
    table = resting()
    made = claim(table, ANN, ["orders", "cid"])
    ruling = takeover(table, "substitute", CID)
    for number in (ANN, BOB):
        table.send(number, "ruling", ruling)  # type: ignore[arg-type]
        table.deliver()
        table.peers.pop(CID, None)
    assert refused(table, BOB, "ruling", forfeit(made, "cid")).code == "E-RULING"


def test_a_takeover_holds_beside_records_that_did_not_see_it() -> None:
    """By its key it holds in the log whatever crosses it: so it must in the game, and leave its mark."""
    table = resting()
    ruling = {**takeover(table, "substitute", CID), "state": table.peers[ANN].match.state_hash()}
    crossing = table.peers[CID].make("orders", orders(table, CID, Aim(3)))  # type: ignore[arg-type]
    for number in (ANN, BOB):
        table.send(number, "ruling", ruling)  # type: ignore[arg-type]
        table.deliver()
    table.peers.pop(CID)
    table.mail(crossing)
    table.deliver()
    assert table.agree()
    match = table.peers[ANN].match
    assert match.position.claimed
    assert match.ledger.join(CID).id != match.genesis.join(CID).id
