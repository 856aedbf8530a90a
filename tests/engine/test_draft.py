"""Orders before they are sealed: tried, undone, planned, and tried again when the match has moved on."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from games.duel import Aim, Dodge, Field, Fire, React, Rest, Stand, Talisman, duel
from games.magpie import GAME as MAGPIE

from pbem.engine.draft import Draft
from pbem.engine.order import Order, Violation
from pbem.engine.player import NewStanding
from pbem.engine.policy import parse
from pbem.engine.testing.inmemory import Table
from pbem.engine.view import View

ANN, BOB = 0, 1


def start(policy: str | None = None) -> Table:
    table = Table(duel(2), 2, seed="draft")
    table.settle()
    for number in (ANN, BOB):
        new = [NewStanding("bob", "react", parse(policy), sealed=True)] if policy and number == BOB else []
        table.order(number, [Talisman(1)], new)
    table.settle()
    return table


def draft(table: Table, number: int = ANN) -> Draft:
    return table.peers[number].player.draft(table.peers[number].match)


def add(tried: Draft, *orders: Order) -> None:
    for order in orders:
        found = tried.add(order)
        assert isinstance(found, tuple), found


def undone(tried: Draft, count: int = 1) -> list[Order]:
    return [entry.order for entry in tried.undo(count)]


def test_trying_changes_nothing_but_the_draft() -> None:
    table = start()
    before = table.peers[ANN].match.state_hash()
    tried = draft(table)
    add(tried, Aim(1), Aim(2))
    assert tried.machine.state.left == 1
    assert table.peers[ANN].match.state_hash() == before
    assert tried.seat is not None


def test_a_wrong_order_says_why_and_changes_nothing() -> None:
    tried = draft(start())
    add(tried, Aim(1))
    found = tried.add(Aim(3))
    assert isinstance(found, Violation)
    assert found.rule == "2.1"
    assert isinstance(tried.add(Dodge()), Violation)
    assert [entry.order for entry in tried.entries] == [Aim(1)]


def test_undo_goes_all_the_way_back() -> None:
    tried = draft(start())
    begun = tried.machine.digest()
    add(tried, Aim(1), Aim(2), Aim(1))
    assert undone(tried) == [Aim(1)]
    assert undone(tried, 2) == [Aim(1), Aim(2)]
    assert tried.machine.digest() == begun
    assert undone(tried, 5) == []
    add(tried, Aim(3))


def test_undo_takes_back_the_line_as_it_was_typed() -> None:
    table = start()
    tried = draft(table)
    tried.add(Aim(3), "aim 3")
    tried.add(Aim(1), "2 aims")
    tried.add(Aim(1), "2 aims", more=True)
    again, _ = Draft.load(table.peers[ANN].match, ANN, {}, tried.dump())
    for each in (tried, again):
        assert [[entry.order for entry in line] for line in each.lines()] == [[Aim(3)], [Aim(1), Aim(1)]]
        (last,) = each.undo(units=True)
        assert (last.order, last.typed, last.more) == (Aim(1), "2 aims", True)
        assert undone(each) == [Aim(1)]
        assert [entry.typed for entry in each.entries] == ["aim 3"]
    tried.add(Aim(1), "2 aims")
    tried.add(Aim(1), "2 aims", more=True)
    assert undone(tried, 2) == [Aim(3), Aim(1), Aim(1)]


def test_it_stops_at_another_players_choice() -> None:
    tried = draft(start())
    add(tried, Fire())
    assert (tried.stop, tried.seat) == ("others", None)
    assert isinstance(tried.add(Rest()), Violation)
    (owed,) = tried.forecast()
    assert (owed.by, owed.what, owed.seats) == (BOB, "orders", ("bob",))


def test_windows_with_prepared_answers_are_passed_for_the_time_being() -> None:
    table = start("when shot = 2 then dodge; then stand")
    tried = draft(table)
    add(tried, Aim(1), Fire())
    assert tried.stop == "dice"
    assert [seat for _, seat in tried.passed] == ["bob"]
    add(tried, Fire(), Rest())  # plans
    assert [entry.plan for entry in tried.entries] == [False, False, True, True]
    assert {(each.by, each.what) for each in tried.forecast()} == {(BOB, "reveal")}
    assert undone(tried, 3) == [Fire(), Fire(), Rest()]
    assert tried.stop == ""


def test_dice_are_tried_to_see_whether_the_turn_goes_on() -> None:
    tried = draft(start("then stand"))
    assert tried.outlook() is None
    add(tried, Aim(1), Fire())
    before = tried.machine.digest()
    found = tried.outlook()
    assert found is not None
    assert (found.rolled, found.rolls) == ("A die is rolled.", 1)
    assert (found.ends, found.own, found.others, found.following) == (False, ("ann",), (), ())
    assert tried.machine.digest() == before


def test_an_order_is_tried_on_a_copy() -> None:
    tried = draft(start("then stand"))
    add(tried, Aim(1))
    before = tried.machine.digest(), tried.dump()
    then = tried.tried(Fire())
    assert isinstance(then, Draft)
    assert (then.stop, [entry.order for entry in then.entries]) == ("dice", [Aim(1), Fire()])
    assert isinstance(tried.tried(Dodge()), Violation)
    assert (tried.machine.digest(), tried.dump(), tried.stop) == (*before, "")
    add(tried, Rest())


def test_prepared_answers_that_cannot_be_passed_are_owed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(React, "passing", lambda *_: None)
    tried = draft(start("when shot = 2 then dodge; then stand"))
    add(tried, Fire())
    assert tried.stop == "answers"
    (owed,) = tried.forecast()
    assert (owed.by, owed.what, [item[0] for item in owed.items]) == (BOB, "reveal", ["answer"])


def test_orders_that_come_back_are_a_draft_again() -> None:
    table = start("when shot = 1 then dodge; then stand")
    table.order(ANN, [Fire(), Aim(1), Aim(1), Rest()])
    table.deliver()
    kind, owed = table.peers[BOB].player.owed(table.peers[BOB].match)[0]
    record, _ = table.peers[BOB].seal(kind, owed)
    accepted = table.peers[ANN].replay.accept(record)
    peer = table.peers[ANN]
    assert accepted.lapsed is not None
    again = draft(table)
    assert again.resume("ann", accepted.lapsed.orders) == ((), [])
    assert [entry.order for entry in again.entries] == [Aim(1), Aim(1), Rest()]
    assert all(entry.left and not entry.plan for entry in again.entries)
    write = peer.match.game.orders.write
    again = draft(table)
    left = [Aim(3), Aim(1), Stand(), Rest()]
    waiting, skipped = again.resume("ann", [*map(write, left)])
    assert [entry.order for entry in again.entries] == [Aim(1)]
    assert waiting == (write(Stand()), write(Rest()))
    assert [(order, why[-5:]) for order, why in skipped] == [(Aim(3), "(2.1)")]
    assert again.resume("bob", [write(Rest())]) == ((write(Rest()),), [])


def test_what_is_no_longer_legal_is_given_back() -> None:
    table = start()
    tried = draft(table)
    add(tried, Aim(1), Aim(2), Aim(1))
    kept = tried.dump()
    table.order(ANN, [Aim(3)])
    table.deliver()
    peer = table.peers[ANN]
    again, lost = Draft.load(peer.match, ANN, {}, kept)
    assert [entry.order for entry in again.entries] == [Aim(1)]
    assert lost == (Aim(2), Aim(1))


def test_whoever_is_not_asked_can_try_nothing() -> None:
    table = start()
    tried = draft(table, BOB)
    assert tried.seat is None
    assert isinstance(tried.add(Stand()), Violation)
    assert list(tried.legal()) == []


def test_a_secret_choice_waits_for_the_others() -> None:
    table = Table(duel(2), 2)
    table.settle()
    tried = draft(table, BOB)
    add(tried, Talisman(3))
    assert tried.stop == "others"
    assert tried.open_orders() == ()
    ((slot, seat, raw),) = tried.hidden()
    assert (seat, raw) == ("bob", table.game.orders.pack(Talisman(3)))
    assert "bob" in slot
    assert {each.by for each in tried.forecast()} == {ANN}


def test_a_card_that_is_played_is_opened() -> None:
    table = Table(MAGPIE, 2, seed="play")
    for _ in range(300):
        for number, peer in table.peers.items():
            if not peer.match.asked(number):
                continue
            tried = peer.player.draft(peer.match)
            for order in list(tried.legal()):
                if not tried.add(order) or not tried.opens():
                    tried.undo(len(tried.entries))
                    continue
                (slot,) = tried.opens()
                assert peer.match.ledger.value(slot) is None
                data = peer.player.orders_data(peer.match, tried, peer.replay.log.count(number))
                table.send(number, "orders", data)
                table.deliver()
                assert table.peers[1 - number].match.ledger.value(slot) == peer.match.ledger.value(slot) is not None
                assert table.agree()
                return
        table.step()
    raise AssertionError("nobody could play a card")


def test_what_is_left_undone_is_asked_at_each_order_and_where_they_stop() -> None:
    seen: list[tuple[int, str, Order | None]] = []

    def tell(view: View[Field], seat: str, order: Order | None) -> Iterable[str]:
        seen.append((view.state.left, seat, order))
        return ("Nothing is fired.",) if not isinstance(order, Fire) else ()

    table = start("when shot = 2 then dodge; then stand")
    tried = draft(table)
    assert tried.left_undone() == ()
    game = table.peers[ANN].match.game
    before = game.left_undone
    object.__setattr__(game, "left_undone", tell)
    try:
        add(tried, Aim(1), Fire(), Rest())  # the last one is a plan
        assert seen == [(3, "ann", Aim(1)), (2, "ann", Fire())]
        assert tried.left_undone() == ("Nothing is fired.",)
    finally:
        object.__setattr__(game, "left_undone", before)
    assert [entry.undone for entry in tried.entries] == [("Nothing is fired.",), (), ()]
    assert seen[2:] == [(1, "ann", None)]
