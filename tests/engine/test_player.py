"""What a player's program does by itself: it answers alike each time, shows foul shuffles, and can be taken over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from games.duel import Fire, Rest, Stand, Talisman, duel
from games.magpie import GAME as MAGPIE

from pbem.engine.archive import verify_archive
from pbem.engine.match import Match
from pbem.engine.player import Data, NewStanding, Player, forgets
from pbem.engine.policy import parse
from pbem.engine.step import Decide
from pbem.engine.testing.inmemory import AT, Table, person
from pbem.fairplay.begin import join_data
from pbem.fairplay.commitments import deck_slot
from pbem.fairplay.deck import card_point, decode, multiply, read_scalar, secret_scalar
from pbem.fairplay.items import make_slot_item
from pbem.protocol.errors import Refusal
from pbem.protocol.montgomery import clamp
from pbem.protocol.record import UMPIRE, Record, make_record

ANN, BOB = 0, 1


def test_what_is_owed_is_the_same_bytes_each_time() -> None:
    table = Table(MAGPIE, 2, seed="again")
    seen = 0
    for _ in range(150):
        for peer in table.peers.values():
            owed = peer.player.owed(peer.match)
            other = Player(peer.player.keys, peer.player.secrets, peer.player.number)
            assert other.owed(peer.match.copy()) == owed
            seen += len(owed)
        if not table.step():
            break
    assert seen > 20


def test_looking_at_what_is_owed_changes_nothing() -> None:
    table = Table(MAGPIE, 2, seed="look")
    for _ in range(60):
        for peer in table.peers.values():
            before = peer.match.dump()
            peer.player.owed(peer.match)
            peer.player.own_values(peer.match)
            assert peer.match.dump() == before
        table.step()


@pytest.mark.parametrize("where", ["made", "taken"])
def test_what_can_be_given_is_given_before_what_cannot(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(MAGPIE, 2, seed="part")
    peer = table.peers[BOB]
    made = [item for _, data in peer.player.owed(peer.match) for item in data["items"]]  # type: ignore[union-attr]
    make, take = Player.make, Match.accept

    def fail(*_: object) -> None:
        raise Refusal("E-DECK", "The cards cannot be shuffled.", step="HID-17")

    if where == "made":
        monkeypatch.setattr(Player, "make", lambda *a: make(*a) if a[2][0] == "nonce" else fail())
    else:
        monkeypatch.setattr(Match, "accept", lambda m, r, **k: fail() if r.kind == "release" else take(m, r, **k))
    table.send(ANN, *table.peers[ANN].player.owed(table.peers[ANN].match)[0])
    table.deliver()
    assert [item[0] for item in made] == ["nonce"]
    ((kind, data),) = peer.player.owed(peer.match)  # the nonce, and not the shuffle that it makes due
    assert (kind, data["items"]) == ("reveal", made)
    table.send(BOB, kind, data)
    with pytest.raises(Refusal, match="cannot be shuffled"):
        peer.player.owed(peer.match)


def test_secrets_do_not_show() -> None:
    keys, _, secrets = person("player 0")
    player = Player(keys, secrets, 0)
    assert secrets.gs.hex() not in repr(player)
    assert "hidden" in repr(player)


def foul(table: Table, spoil: Callable[[Data], None]) -> bool:
    """Bob's last pass is changed before he signs it; then everybody's program does what it must."""
    for _ in range(40):
        table.deliver()
        for number, peer in table.peers.items():
            owed = peer.player.owed(peer.match)
            if not owed:
                continue
            kind, data = owed[0]
            item = data["items"][0]  # type: ignore[index, call-overload]
            if number == BOB and item[0] == "pass" and item[3] == 3:  # type: ignore[index, call-overload]
                spoil(data)
                # Only the pass: with the keys for the first hands behind it he would have to lie about those too.
                data["items"] = [item]
                table.send(number, kind, data)
                return True
            table.send(number, kind, data)
            break
        else:
            return False
    return False


def test_a_card_that_is_none_is_shown_and_the_cheat_found() -> None:
    table = Table(MAGPIE, 2, seed="foul")

    def spoil(data: Data) -> None:
        item = data["items"][0]  # type: ignore[index, call-overload]
        points = [item[4][at : at + 32] for at in range(0, len(item[4]), 32)]  # type: ignore[index, call-overload, arg-type]
        item[4] = b"".join(multiply(clamp(12345), point) for point in points)  # type: ignore[index, call-overload]

    assert foul(table, spoil)
    for _ in range(400):
        if not table.step():
            break
    table.deliver()
    for peer in table.peers.values():
        assert peer.match.position.spoiled
        assert peer.match.result is None
        assert peer.match.finished
        assert not peer.refused
    verdict = verify_archive(table.archive(), {"magpie": MAGPIE})
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author) == ("E-AUDIT", BOB)


def shuffle_back(table: Table) -> tuple[int, list[tuple[str, Data]]]:
    """Play up to a reshuffle with unopened slots: who passes first, and what he owes."""
    for _ in range(4000):
        table.deliver()
        for number, peer in table.peers.items():
            owed = peer.player.owed(peer.match)
            if owed and owed[0][0] == "release":
                for at, item in enumerate(owed[0][1]["items"]):  # type: ignore[arg-type]
                    if item[0] == "pass" and item[3] == 1 and item[7]:  # type: ignore[index]
                        owed[0][1]["items"] = owed[0][1]["items"][: at + 1]  # type: ignore[index]
                        return number, owed
        table.step()
    raise AssertionError("no reshuffle")


def test_a_pass_that_only_its_victim_sees_through_stops_the_game() -> None:
    table = Table(MAGPIE, 2, seed="back")
    first, owed = shuffle_back(table)
    ledger = table.peers[first].match.ledger
    ((_, data),) = owed[:1]
    item: Any = data["items"][-1]  # type: ignore[index, call-overload]
    slot = item[7][0]
    keys = [
        read_scalar(make_slot_item(ledger, peer.player.secrets, number, slot)[2])  # type: ignore[arg-type]
        for number, peer in table.peers.items()
    ]
    place = deck_slot(slot)
    assert place is not None
    epoch = ledger.decks.epoch(place.deck, place.epoch)
    assert epoch is not None
    card = decode(place.deck, epoch.pool, epoch.slots[place.j].point, *keys)
    assert card is not None
    points = [item[4][at : at + 32] for at in range(0, len(item[4]), 32)]
    gs = table.peers[first].player.secrets.gs
    mask = secret_scalar(gs, item[1], item[2], "mask", 0)
    points[0] = multiply(mask, card_point(item[1], card))
    item[4] = b"".join(points)
    table.send(first, "release", data)
    table.play()
    victim = 1 - first
    for peer in table.peers.values():
        assert peer.match.position.spoiled
        assert peer.match.finished
        assert not peer.refused
    assert [record.kind for record in table.records if record.by == victim][-1] == "open_all"
    verdict = verify_archive(table.archive(), {"magpie": MAGPIE})
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author) == ("E-AUDIT", first)
    assert verdict.first_bad.step == "HID-17"


def test_who_stops_a_good_shuffle_is_named() -> None:
    table = Table(MAGPIE, 2, seed="back")
    first, owed = shuffle_back(table)
    peer = table.peers[1 - first]
    with pytest.raises(Refusal) as caught:
        peer.replay.accept(peer.make("open_all", {"gs": peer.player.secrets.gs}))
    assert caught.value.code == "E-ACT"
    table.send(first, *owed[0])
    table.deliver()
    table.send(1 - first, "open_all", {"gs": peer.player.secrets.gs})
    table.play()
    assert peer.match.finished
    verdict = verify_archive(table.archive(), {"magpie": MAGPIE})
    assert verdict.first_bad is not None
    assert (verdict.first_bad.code, verdict.first_bad.author, verdict.first_bad.step) == (
        "E-AUDIT",
        1 - first,
        "HID-14",
    )


def take_over(table: Table, number: int) -> Record:
    """Somebody new takes a player's place, by the umpire's ruling; his program starts from the log alone."""
    keys, card, secrets = person("the substitute")
    genesis = table.peers[UMPIRE].match.genesis
    join = make_record(
        keys, at=AT, by=number, data=join_data(card, secrets, genesis.offer, number), game=genesis.game_id,
        heads=(), kind="join", pin=0, prev=None, seq=0,
    )  # fmt: skip
    ruling = table.send(
        UMPIRE, "ruling", {"what": "substitute", "why": "moved away", "player": number, "join": join.raw}
    )
    table.deliver()
    table.peers[number].player = Player(keys, secrets, number)
    return ruling


def test_a_substitute_plays_on_with_chains_of_his_own() -> None:
    table = Table(duel(3), 3, umpire=True)
    table.settle()
    for number in range(3):
        table.order(number, [Talisman(1)])
    table.settle()
    take_over(table, BOB)
    table.order(ANN, [Fire()])
    table.settle()
    table.order(BOB, [Stand()])
    table.settle()
    assert table.agree()
    table.order(ANN, [Rest()])
    table.settle()
    table.order(BOB, [Rest()])
    table.deliver()
    assert table.agree()
    assert {each.by for each in table.peers[ANN].match.pending()} == {2}


def test_a_substitute_is_given_the_hand_again() -> None:
    table = Table(MAGPIE, 2, umpire=True, seed="hand")
    for _ in range(400):
        table.step()
        if not table.on_the_way and len(hand(table, ANN)) >= 2 and table.peers[BOB].match.asked(BOB):
            break
    table.settle()
    before = hand(table, ANN)
    assert len(before) >= 2
    take_over(table, ANN)
    assert hand(table, ANN) == {}
    assert {(each.by, each.what) for each in table.peers[ANN].match.pending()} >= {(UMPIRE, "release")}
    table.settle()
    assert hand(table, ANN) == before
    assert table.agree()


def hand(table: Table, number: int) -> dict[str, int]:
    match: Match[Any] = table.peers[number].match
    known = table.peers[number].player.own_values(match)
    return {slot: value for slot in match.ledger.decks.held(number) if isinstance(value := known.get(slot), int)}


@pytest.mark.parametrize("umpire", [False, True])
def test_a_hand_is_known_to_its_holder_only(umpire: bool) -> None:
    table = Table(MAGPIE, 2, umpire=umpire, seed="known")
    for _ in range(200):
        table.step()
        if hand(table, ANN) and hand(table, BOB):
            break
    table.deliver()
    hands = [hand(table, ANN), hand(table, BOB)]
    assert all(hands)
    assert not set(hands[0]) & set(hands[1])
    assert not set(hands[0].values()) & set(hands[1].values())


@pytest.mark.parametrize("options", [{}, {"umpire": True}, {"mode": "umpire", "umpire": True}, {"mode": "open"}])
def test_prepared_answers_play_hidden_cards(options: dict[str, Any]) -> None:
    """Both have sealed orders for every window: play whatever card answers, the lowest first."""
    cards = ", ".join(str(card) for card in range(1, 16, 4))
    policy = parse(f"then {cards}, pass")
    used = 0
    for seed in range(4):
        table = Table(MAGPIE, 2, seed=f"cards {seed}", **options)
        dressed: set[int] = set()
        for _ in range(700):
            asked = [n for n in (ANN, BOB) if table.peers[n].match.asked(n) and n not in dressed]
            if asked and not table.on_the_way:
                (number,) = asked
                seat = table.peers[number].match.asked(number)[0]
                orders = table.choose(number)
                new = [NewStanding(seat, kind, policy, sealed=True) for kind in windows()]
                draft = table.peers[number].player.draft(table.peers[number].match, orders)
                if draft.seat is None:
                    table.order(number, orders, new)
                    dressed.add(number)
                    continue
            if not table.step():
                break
        table.play()
        assert table.agree()
        items = [item for record in table.records if record.kind == "reveal" for item in record.data["items"]]
        used += sum(item[0] == "answer" and item[2] is not None and item[3] is not None for item in items)
        verdict = verify_archive(table.archive(), {"magpie": MAGPIE})
        assert verdict.ok, verdict.first_bad
    assert used


def windows() -> list[str]:
    steps = [step for sequence in MAGPIE.sequences for step in sequence.steps]
    return sorted({step.name for step in steps if isinstance(step, Decide) and step.window})


def test_a_card_that_is_played_must_be_opened() -> None:
    table = Table(MAGPIE, 2, seed="closed")
    for _ in range(400):
        table.settle()
        number = next(number for number, peer in table.peers.items() if peer.match.asked(number))
        peer = table.peers[number]
        plays = [
            order for order in peer.player.draft(peer.match).legal() if peer.player.draft(peer.match, [order]).opens()
        ]
        if plays:
            break
        table.step()
    data = peer.player.orders_data(peer.match, plays[:1], peer.replay.log.count(number))
    closed = peer.make("orders", {key: value for key, value in data.items() if key != "open"})
    for other in table.peers.values():
        with pytest.raises(Refusal) as caught:
            other.replay.accept(closed)
        assert (caught.value.code, caught.value.author) == ("E-ORDER", number)
    table.send(number, "orders", data)
    table.settle()
    assert table.agree()


def test_a_deal_goes_after_what_is_shown_and_not_with_it() -> None:
    """A new deck forgets the old slots (HID-20); what they showed has been read by then."""
    show, deal, give = ["show", "pie/1/0", b"", b""], ["deal", "pie", 2, b"", [], []], ["give", "pie/2/0", "A", b""]
    assert forgets([show], [deal])
    assert not forgets([show], [give])
    assert not forgets([deal, give], [deal])
