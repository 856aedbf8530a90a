"""What records do in a match: choices, plans, prepared answers, secrets, acts (docs/spec/meaning.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from games.duel import Act, Aim, Choose, Dodge, Field, Fire, Rest, Round, Stand, Talisman, duel

from pbem.engine.event import Out, PlanEnded
from pbem.engine.match import Match
from pbem.engine.need import Known, Orders
from pbem.engine.order import Order, Violation
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.step import Next
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.commitments import pad
from pbem.fairplay.items import make_hide_row, prove_standing
from pbem.protocol.errors import Refusal
from pbem.protocol.record import UMPIRE

ANN, BOB, CID = 0, 1, 2


def start(players: int = 2, **options: object) -> Table:
    """A table at the first action, talismans chosen."""
    table = Table(duel(players), players, **options)  # type: ignore[arg-type]
    table.settle()
    for number in range(players):
        table.order(number, [Talisman(number % 3 + 1)] * len(table.peers[number].match.asked(number)))
    table.settle()
    return table


def standing(table: Table, number: int, text: str, *, sealed: bool = True) -> NewStanding:
    seat = table.peers[number].match.genesis.seats_of(number)[0]
    return NewStanding(seat, "react", parse(text), sealed)


def dress(text: str, *, sealed: bool = True, players: int = 2, **options: object) -> Table:
    """As `start`, and Bob has standing orders for his chances to dodge."""
    table = Table(duel(players), players, **options)  # type: ignore[arg-type]
    table.settle()
    for number in range(players):
        extra = [standing(table, number, text, sealed=sealed)] if number == BOB else []
        table.order(number, [Talisman(1)], extra)
    table.settle()
    return table


def refused(table: Table, number: int, kind: str, data: dict[str, object]) -> Refusal:
    """Everybody refuses this record alike, and nothing changes."""
    codes = []
    record = table.peers[number].make(kind, data)  # type: ignore[arg-type]
    for peer in table.peers.values():
        before = (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector)
        with pytest.raises(Refusal) as caught:
            peer.replay.accept(record)
        assert (peer.match.state_hash(), peer.match.pending(), peer.replay.log.vector) == before
        assert caught.value.author == number
        assert caught.value.record == record.id
        assert caught.value.step
        codes.append(caught.value.code)
    assert len(set(codes)) == 1
    return caught.value


def orders(table: Table, number: int, *given: Order) -> dict[str, object]:
    """The payload of an orders record, whether the orders are legal or not."""
    match = table.peers[number].match
    data = table.peers[number].player.orders_data(match, [], table.peers[number].replay.log.count(number))
    return {**data, "orders": match.game.orders.write_all(given)}


def need(table: Table, number: int = ANN) -> Orders:
    found = table.peers[number].match.machine.need
    assert isinstance(found, Orders)
    return found


def pending(match: Match[object]) -> set[tuple[int, str]]:
    return {(each.by, each.what) for each in match.pending()}


# Orders


def test_orders_of_one_record_are_taken_until_something_is_needed() -> None:
    table = start()
    table.order(ANN, [Aim(3), Aim(1), Fire()])
    table.deliver()
    assert table.peers[BOB].match.machine.state.left == 0
    assert pending(table.peers[BOB].match) == {(BOB, "orders")}
    assert need(table).seats == ("bob",)


def test_an_illegal_order_is_refused_wherever_it_stands() -> None:
    table = start()
    assert refused(table, ANN, "orders", orders(table, ANN, Aim(4))).code == "E-ORDER"
    wrong = refused(table, ANN, "orders", orders(table, ANN, Aim(3), Aim(3)))
    assert wrong.code == "E-ORDER"
    assert "2.1" in wrong.sentence
    assert refused(table, ANN, "orders", orders(table, ANN)).code == "E-ORDER"
    assert refused(table, ANN, "orders", {**orders(table, ANN), "orders": [["fly"]]}).code == "E-ORDER-FORM"
    table.order(ANN, [Aim(3), Aim(2), Fire()])
    table.deliver()
    assert table.agree()


def test_who_is_not_asked_may_not_order() -> None:
    table = start()
    assert refused(table, BOB, "orders", orders(table, BOB, Fire())).code == "E-TURN"


def test_another_position_is_a_desync_and_no_cheat() -> None:
    table = start()
    wrong = refused(table, ANN, "orders", {**orders(table, ANN, Fire()), "state": bytes(32)})
    assert (wrong.code, wrong.step) == ("E-DESYNC", "MEA-7")


def test_nothing_follows_ones_choice_where_others_choose_too() -> None:
    table = Table(duel(), 2)
    table.settle()
    match = table.peers[ANN].match
    data = table.peers[ANN].player.orders_data(match, [Talisman(2)], 1)
    extra = match.game.orders.write(Fire())
    assert refused(table, ANN, "orders", {**data, "orders": [extra]}).code == "E-ORDER"


def test_secret_choices_are_sealed_and_come_out_in_the_end() -> None:
    table = start(options={"turns": 1})
    match = table.peers[BOB].match
    (slot,) = match.ledger.choices(ANN)
    assert match.ledger.value(slot) is None
    assert slot not in table.peers[BOB].player.own_values(match)
    own = table.peers[ANN].player.own_values(table.peers[ANN].match)
    assert own[slot] == Talisman(1)
    table.order(ANN, [Rest()])
    table.settle()
    table.order(BOB, [Rest()])
    table.play()
    assert table.agree()
    result = table.peers[ANN].match.result
    assert result is not None
    assert result.scores == (("ann", 1), ("bob", 2))


def test_a_secret_choice_must_be_sealed_and_only_one_that_is_asked_for() -> None:
    table = Table(duel(), 2)
    table.settle()
    peer = table.peers[ANN]
    data = peer.player.orders_data(peer.match, [Talisman(2)], 1)
    opened = {key: value for key, value in data.items() if key != "hide"}
    assert refused(table, ANN, "orders", opened).code == "E-SEALED"
    (row,) = data["hide"]  # type: ignore[misc]
    other = peer.player.secrets
    second = [
        ["elsewhere/1", "ann", other.commit(peer.match.genesis.game_id, "ann", "elsewhere/1", 1, b"x"), bytes(80)]
    ]
    assert refused(table, ANN, "orders", {**data, "hide": second}).code == "E-SEALED"
    assert refused(table, ANN, "orders", {**data, "hide": [row, *second]}).code in ("E-SEALED", "E-ORDER")
    assert refused(table, ANN, "orders", {**data, "hide": [row, row]}).code == "E-SEALED"
    assert (
        refused(table, ANN, "orders", {**data, "hide": [[row[0], row[1], bytes(32), row[3]], row]}).code == "E-SEALED"
    )


def test_an_unlawful_secret_choice_cannot_be_opened() -> None:
    table = Table(duel(), 2, options={"turns": 1})
    table.settle()
    table.order(BOB, [Talisman(3)])
    table.deliver()
    peer = table.peers[ANN]
    raw = peer.match.game.orders.pack(Talisman(9))
    slot = need(table).slot("ann")
    seq = peer.replay.log.count(ANN)
    data = peer.player.orders_data(peer.match, [Talisman(1)], seq)
    data["hide"] = [make_hide_row(peer.player.secrets, peer.match.genesis.game_id, "ann", slot, seq, raw)]
    table.send(ANN, "orders", data)
    table.settle()
    table.order(ANN, [Rest()])
    table.settle()
    table.order(BOB, [Rest()])
    table.deliver()
    items = {"items": [["open", slot, peer.player.secrets.hide_nonce(seq, slot), pad(raw)]]}
    assert refused(table, ANN, "reveal", items).code == "E-ORDER"
    assert (ANN, "reveal") in pending(table.peers[BOB].match)


# Dice


def test_dice_need_the_witness_and_follow_every_choice() -> None:
    table = start()
    table.order(ANN, [Fire()])
    table.settle()
    table.order(BOB, [Stand()])
    table.deliver()
    (owed,) = table.peers[ANN].match.pending()
    assert (owed.by, owed.what) == (ANN, "reveal")  # Bob chose last: Ann witnesses
    table.settle()
    assert need(table).seats == ("ann",)
    assert table.agree()


def test_a_wrong_value_is_refused() -> None:
    table = start()
    table.order(ANN, [Fire()])
    table.settle()
    record = table.order(BOB, [Stand()])
    table.deliver()
    wrong = refused(table, ANN, "reveal", {"items": [["dice", record.id, bytes(32)]]})
    assert wrong.code == "E-PROMISE"


def test_dice_are_not_shown_before_they_are_due() -> None:
    table = start()
    record = table.order(ANN, [Fire()])
    table.deliver()
    bob = table.peers[BOB]
    x = bob.player.secrets.chain(BOB, ANN).value(record.seq)
    early = refused(table, BOB, "reveal", {"items": [["dice", record.id, x]]})
    assert early.code == "E-UNASKED"
    table.order(BOB, [Stand()])
    table.deliver()
    again = refused(table, BOB, "reveal", {"items": [["dice", record.id, x]]})
    assert again.code == "E-UNASKED"
    table.settle()
    marks = bob.match.ledger.marks.items()
    shown, mark = next((orders, mark) for orders, mark in marks if mark.x is not None and mark.by == BOB)
    long_ago = refused(table, ANN, "reveal", {"items": [["dice", shown, mark.x]]})
    assert "given before" in long_ago.sentence


def test_who_owes_dice_may_do_nothing_else_but_resign() -> None:
    table = start()
    table.order(ANN, [Fire()])
    table.settle()
    table.order(BOB, [Stand()])
    table.deliver()
    assert refused(table, ANN, "tie", {}).code == "E-OWES"
    table.send(ANN, "resign", {"seats": ["ann"]})
    table.play()
    result = table.peers[BOB].match.result
    assert result is not None
    assert (result.how, result.winner) == ("forfeit", "bob")
    assert table.agree()


def test_one_key_serves_until_the_next_choice() -> None:
    table = dress("then stand", sealed=False)
    table.order(ANN, [Fire(), Fire(), Fire(), Rest()])
    table.settle()
    draws = [drawn for _, accepted in table.peers[BOB].replay.history() for drawn in accepted.draws]
    assert len(draws) == 3
    assert len({drawn.group for drawn in draws}) == 1
    assert need(table).seats == ("bob",)
    assert table.agree()


# Plans


def test_plans_go_on_after_dice() -> None:
    table = dress("then stand", sealed=False)
    before = len(table.records)
    table.order(ANN, [Fire(), Aim(1), Fire(), Rest()])
    table.settle()
    assert len(table.records) == before + 2  # one by a person, one by a program
    assert need(table).seats == ("bob",)


def test_a_plan_that_is_not_legal_then_is_skipped_and_what_follows_goes_on() -> None:
    table = dress("then stand", sealed=False)
    data = orders(table, ANN, Fire(), Aim(3), Aim(1), Rest())
    table.send(ANN, "orders", data)
    table.deliver()
    kind, reveal = table.peers[BOB].player.owed(table.peers[BOB].match)[0]
    record, accepted = table.peers[BOB].seal(kind, reveal)
    assert accepted.lapsed is None
    (ended,) = (event for event in accepted.events if isinstance(event, PlanEnded))
    assert (ended.done, ended.left) == ((Aim(1), Rest()), ())
    assert [order for order, _ in ended.skipped] == [Aim(3)]
    table.mail(record)
    table.settle()
    assert need(table).seats == ("bob",)
    assert table.agree()


def test_plans_do_not_outlive_another_players_choice() -> None:
    table = start()
    data = orders(table, ANN, Fire(), Rest())
    _, accepted = table.peers[ANN].seal("orders", data)
    assert accepted.lapsed is not None
    assert (accepted.lapsed.by, accepted.lapsed.seat, accepted.lapsed.stopped) == (ANN, "ann", "react")
    assert need(table).seats == ("bob",)


# Prepared answers


def test_windows_that_are_passed_cost_one_mail_for_all() -> None:
    table = dress("when shot >= 9 then dodge; then stand")
    before = len(table.records)
    table.order(ANN, [Fire(), Fire(), Fire(), Rest()])
    table.settle()
    assert len(table.records) == before + 2
    assert need(table).seats == ("bob",)
    assert table.agree()
    items = table.records[-1].data["items"]
    assert [item[0] for item in items] == ["answer", "dice", "answer", "answer"]


def test_a_window_that_is_used_returns_the_orders_behind_it() -> None:
    table = dress("when shot = 2 then dodge; then stand")
    table.order(ANN, [Fire(), Fire(), Fire(), Rest()])
    table.settle()
    peer = table.peers[ANN]
    assert peer.match.machine.state.shots == 2
    assert need(table).seats == ("ann",)
    (lapsed,) = (accepted.lapsed for _, accepted in peer.replay.history() if accepted.lapsed is not None)
    assert [peer.match.read(each) for each in lapsed.orders] == [Fire(), Rest()]
    assert lapsed.stopped == "Bob answered by standing orders: dodge"
    table.order(ANN, [Fire(), Rest()])
    table.settle()
    assert need(table).seats == ("bob",)
    assert table.agree()


def test_standing_orders_may_leave_the_choice_to_their_owner() -> None:
    table = dress("when shot = 1 then ask; then stand")
    table.order(ANN, [Fire(), Rest()])
    table.settle()
    assert need(table).seats == ("bob",)
    table.order(BOB, [Dodge()])
    table.settle()
    assert need(table).seats == ("ann",)
    assert table.agree()


def answering(policy: str) -> tuple[Table, str, bytes, bytes]:
    """Bob's program owes an answer: the table, the decision's label, Bob's proof, and another proof of his."""
    table = dress(policy)
    table.order(ANN, [Fire()])
    table.deliver()
    bob = table.peers[BOB]
    proof = prove_standing(bob.match.ledger, bob.player.secrets, "bob", "react")
    return table, need(table).label, proof, bytes(32) + pad(parse("then dodge").pack(), 4096)


def test_a_prepared_answer_is_what_the_standing_orders_say() -> None:
    table, label, proof, forged = answering("then stand")
    codes = table.peers[BOB].match.game.orders
    dodge, stand = codes.write(Dodge()), codes.write(Stand())

    def code(*row: object) -> str:
        return refused(table, BOB, "reveal", {"items": [["answer", label, *row]]}).code

    assert code(dodge, None) == "E-ANSWER"
    assert code(dodge, proof) == "E-ANSWER"
    assert code(dodge, forged) == "E-ANSWER"
    assert code(None, None) == "E-ANSWER"
    assert code(None, proof) == "E-ANSWER"
    assert code(["wait"], None) == "E-ORDER-FORM"
    table.send(BOB, "reveal", {"items": [["answer", label, stand, proof]]})
    table.settle()
    assert table.agree()


def test_an_answer_for_another_decision_is_not_owed() -> None:
    table, _, _, _ = answering("then stand")
    stand = table.peers[BOB].match.game.orders.write(Stand())
    assert refused(table, BOB, "reveal", {"items": [["answer", "react/99", stand, None]]}).code == "E-UNASKED"
    assert refused(table, ANN, "reveal", {"items": [["answer", need(table).label, stand, None]]}).code == "E-UNASKED"


def test_standing_orders_wait_until_their_owner_hands_over() -> None:
    table = start()
    peer = table.peers[ANN]
    new = [NewStanding("ann", "react", parse("then dodge"))]
    seq = peer.replay.log.count(ANN)
    data = peer.player.orders_data(peer.match, [Aim(1)], seq, new)
    assert refused(table, ANN, "orders", data).code == "E-POLICY"
    table.order(ANN, [Rest()], new)
    table.deliver()
    assert table.agree()
    table.order(BOB, [Fire()])
    table.settle()
    assert need(table).seats == ("bob",)  # Ann's public orders dodged at once


def test_nobody_gives_standing_orders_for_another_or_for_nothing() -> None:
    table = start()
    data = orders(table, ANN, Rest())
    plain = parse("then dodge").plain()
    assert refused(table, ANN, "orders", {**data, "standing": [["bob", "react", plain]]}).code == "E-SEAT"
    assert refused(table, ANN, "orders", {**data, "standing": [["ann", "act", plain]]}).code == "E-POLICY"
    assert (
        refused(table, ANN, "orders", {**data, "standing": [["ann", "react", [[[["x"]], ["dodge"]]]]]}).code
        == "E-POLICY"
    )
    twice = [["ann", "react", plain], ["ann", "react", None]]
    assert refused(table, ANN, "orders", {**data, "standing": twice}).code == "E-POLICY"


# Acts


def test_a_tie_needs_everybody() -> None:
    table = start(3)
    tie = table.send(BOB, "tie", {})
    table.deliver()
    assert refused(table, BOB, "answer", {"to": tie.id, "yes": True}).code == "E-ACT"
    table.send(ANN, "answer", {"to": tie.id, "yes": True})
    table.deliver()
    assert table.peers[ANN].match.result is None
    table.send(CID, "answer", {"to": tie.id, "yes": True})
    table.play()
    result = table.peers[ANN].match.result
    assert result is not None
    assert result.plain() == {"how": "tie", "scores": {}, "winner": None}
    assert table.agree()


def test_a_tie_lapses_by_a_no_and_by_its_authors_orders() -> None:
    table = start()
    tie = table.send(ANN, "tie", {})
    table.deliver()
    table.send(BOB, "answer", {"to": tie.id, "yes": False})
    table.deliver()
    assert refused(table, BOB, "answer", {"to": tie.id, "yes": True}).code == "E-ACT"
    tie = table.send(ANN, "tie", {})
    table.order(ANN, [Aim(1)])
    table.deliver()
    assert refused(table, BOB, "answer", {"to": tie.id, "yes": True}).code == "E-ACT"


@pytest.mark.parametrize("kind", ["tie", "takeback"])
@pytest.mark.parametrize("said", [False, True])
def test_nobody_keeps_a_proposal_back_until_he_has_seen_his_dice(kind: str, said: bool) -> None:
    """Else a shot that missed could be taken back, or a game that turned out badly be drawn, whenever one pleased."""
    table = dress("then stand", players=3)
    vector = [[by, count] for by, count in zip((ANN, BOB, CID), table.peers[ANN].replay.log.vector, strict=True)]
    proposal = table.send(BOB, kind, {"to": vector} if kind == "takeback" else {})
    table.deliver()
    if said:
        table.send(CID, "answer", {"to": proposal.id, "yes": True})
        table.deliver()
    table.order(ANN, [Fire()])
    table.settle()
    assert any(draw.label.startswith("shot") for _, a in table.peers[ANN].replay.history() for draw in a.draws)
    assert refused(table, ANN, "answer", {"to": proposal.id, "yes": True}).code == "E-ACT"


def test_a_takeback_returns_and_uses_no_value_twice() -> None:
    table = start()
    vector = [[by, count] for by, count in zip((ANN, BOB), table.peers[ANN].replay.log.vector, strict=True)]
    state = table.peers[ANN].match.state_hash()
    first = table.order(ANN, [Fire()])
    table.settle()
    table.order(BOB, [Stand()])
    table.settle()
    asked = table.send(BOB, "takeback", {"to": vector})
    table.deliver()
    table.send(ANN, "answer", {"to": asked.id, "yes": True})
    table.settle()
    assert table.peers[BOB].match.state_hash() == state
    again = table.order(ANN, [Fire()])
    assert again.seq > first.seq
    table.settle()
    table.order(BOB, [Stand()])
    table.settle()
    assert table.agree()
    table.play()
    assert table.agree()


def test_a_takeback_leads_to_a_choice_that_was() -> None:
    table = start()
    table.order(ANN, [Fire()])
    table.deliver()
    vector = table.peers[ANN].replay.log.vector
    for to in ([[0, 2]], [[0, 2], [1, 0]], [[0, vector[0] + 1], [1, vector[1]]], [[0, 2], [1, vector[1]]]):
        assert refused(table, BOB, "takeback", {"to": to}).code == "E-ACT"


def test_only_ones_own_seats_can_be_resigned() -> None:
    table = start()
    assert refused(table, ANN, "resign", {"seats": ["bob"]}).code == "E-SEAT"


def test_the_end_is_signed_once_with_the_result_that_the_rules_give() -> None:
    table = start()
    state = table.peers[ANN].match.state_hash()
    assert refused(table, ANN, "end", {"state": state, "result": {}}).code == "E-ACT"
    offer = table.send(BOB, "tie", {})
    table.deliver()
    table.send(ANN, "answer", {"to": offer.id, "yes": True})
    table.deliver()
    match = table.peers[ANN].match
    assert match.result is not None
    assert pending(match) == {(ANN, "end"), (BOB, "end")}
    state = match.state_hash()
    good = {"state": state, "result": match.result.plain()}
    assert refused(table, ANN, "end", {**good, "state": bytes(32)}).code == "E-DESYNC"
    assert refused(table, ANN, "end", {**good, "result": {"how": "glory"}}).code == "E-ACT"
    assert refused(table, ANN, "open_all", {"gs": table.peers[ANN].player.secrets.gs}).code == "E-ACT"
    table.send(ANN, "end", good)  # type: ignore[arg-type]
    table.deliver()
    assert refused(table, ANN, "end", good).code == "E-ACT"
    table.settle()
    assert match.finished
    assert table.agree()


def test_an_umpire_rules_forfeit_and_shows_what_a_witness_withholds() -> None:
    table = start(umpire=True)
    table.order(ANN, [Fire()])
    table.settle()
    record = table.order(BOB, [Stand()])
    table.deliver()
    assert (ANN, "reveal") in pending(table.peers[UMPIRE].match)
    x = table.peers[ANN].player.secrets.chain(ANN, BOB).value(record.seq)
    ruling = {"what": "escrow", "why": "a week", "orders": record.id, "witness": ANN, "x": x}
    assert refused(table, BOB, "ruling", ruling).code == "E-RULING"  # type: ignore[arg-type]
    table.send(UMPIRE, "ruling", ruling)  # type: ignore[arg-type]
    table.deliver()
    assert need(table).seats == ("ann",)
    table.send(UMPIRE, "ruling", {"what": "forfeit", "why": "another week", "seats": ["ann"]})
    table.play()
    result = table.peers[BOB].match.result
    assert result is not None
    assert result.winner == "bob"
    assert table.agree()


def test_a_resignation_and_a_ruling_stand_for_the_signature_of_the_result() -> None:
    table = start()
    table.send(BOB, "resign", {"seats": ["bob"]})
    table.deliver()
    match = table.peers[ANN].match
    assert match.result is not None
    assert pending(match) == {(ANN, "end")}
    signature: dict[str, object] = {"state": match.state_hash(), "result": match.result.plain()}
    assert refused(table, BOB, "end", signature).code == "E-ACT"
    table.settle()
    assert match.finished
    table = start(silence=3)
    claim = table.send(BOB, "claim", {"owed": [["orders", "ann"]]})
    table.send(BOB, "ruling", {"what": "forfeit", "why": "no answer", "seats": ["ann"], "claim": claim.id})
    table.deliver()
    match = table.peers[BOB].match
    assert match.result is not None
    assert match.result.how == "forfeit, claimed by the others"
    assert pending(match) == {(ANN, "open_all"), (BOB, "open_all")}
    table.settle()
    assert match.finished
    assert table.agree()


def test_a_game_can_go_on_under_newer_rules() -> None:
    new = duel(2, behaviour=2)
    table = Table(new, 2, behaviour=1, upgrade=lambda module, behaviour, data: (new, new.data))
    table.settle()
    for number in (ANN, BOB):
        table.order(number, [Talisman(1)])
    table.settle()
    peer = table.peers[ANN]
    assert peer.match.setup.behaviour == 1
    data = new.data.digest
    after = peer.match.migrated(2, data, "pbem 0.2.0")[3]
    payload = {
        "from": {"behaviour": 1, "data": data},
        "to": {"behaviour": 2, "data": data, "needs": "pbem 0.2.0"},
        "before": peer.match.state_hash(),
        "after": after,
    }
    assert refused(table, BOB, "migrate", {**payload, "after": bytes(32)}).code == "E-DESYNC"
    asked = table.send(BOB, "migrate", payload)  # type: ignore[arg-type]
    table.deliver()
    table.send(ANN, "answer", {"to": asked.id, "yes": True})
    table.deliver()
    assert [peer.match.setup.behaviour for peer in table.peers.values()] == [2, 2]
    assert peer.match.state_hash() == after
    table.play()
    assert table.agree()


def test_names_of_decisions_are_slots() -> None:
    assert Choose.name == "choose"
    table = Table(duel(), 2)
    table.settle()
    assert need(table).slot("ann") == "choose/ann/1"


def test_rules_that_fail_refuse_the_record_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    good_check, good_apply = Act.check, Act.apply

    def check(self: Act, s: Field, f: Round, seat: str, order: Order, proof: Known) -> Violation | None:
        return None if isinstance(order, Aim) and 6 // order.at else good_check(self, s, f, seat, order, proof)

    def apply(self: Act, s: Field, f: Round, answers: Mapping[str, Order], out: Out) -> Next:
        s.left -= 1
        if Aim(3) in answers.values():
            raise KeyError("three")
        if Aim(2) in answers.values():
            return None  # type: ignore[return-value]
        return good_apply(self, s, f, answers, out)

    monkeypatch.setattr(Act, "check", check)
    monkeypatch.setattr(Act, "apply", apply)
    table = Table(duel(), 2)
    table.settle()
    for number in (ANN, BOB):
        table.order(number, [Talisman(1)])
    table.settle()
    state = table.peers[ANN].match.machine.dump()
    whys = {
        0: "ZeroDivisionError in the step act.",
        2: "In the game duel, step act: apply returned None; it must return DONE,",
        3: "KeyError in the step act.",
    }
    for at, why in whys.items():
        wrong = refused(table, ANN, "orders", orders(table, ANN, Aim(at)))
        assert wrong.code == "E-RULES"
        assert f"The rules of Duel fail at this record, which is a fault in them: {why}" in wrong.sentence
        assert table.peers[BOB].match.machine.dump() == state
    theirs: dict[str, Any] = {"__name__": "games.duel"}  # the line is that of the game's own file
    exec(compile("def check(*given):\n    return 1 // 0", "/home/jo/duel.py", "exec"), theirs)
    with monkeypatch.context() as faulty:
        faulty.setattr(Act, "check", theirs["check"])
        wrong = refused(table, ANN, "orders", orders(table, ANN, Aim(1)))
    assert wrong.sentence.endswith("ZeroDivisionError in the step act, duel.py line 2.")
    table.order(ANN, [Rest()])
    table.deliver()
    assert table.agree()
