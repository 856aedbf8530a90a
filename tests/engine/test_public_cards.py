"""Cards that everybody has seen, stolen or taken back, which are thrown away face down and shuffled again."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from games.jackdaw import GAME, Nest, Steal, Throw

from pbem.engine.archive import verify_archive
from pbem.engine.match import Match
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Peer, Table
from pbem.kit.decks import Card
from pbem.protocol.errors import Refusal

ANN, BOB = 0, 1
MODES = ("strict", "umpire", "open")


def deal(mode: str, seed: str = "0") -> Table:
    table = Table(GAME, 2, mode=mode, umpire=mode == "umpire", seed=seed)
    table.settle()
    return table


def state(table: Table, number: int = ANN) -> Nest:
    found = table.peers[number].match.machine.state
    assert isinstance(found, Nest)
    return found


def vector(table: Table, number: int) -> list[list[int]]:
    log = table.peers[number].replay.log
    return [[by, count] for by, count in zip(log.authors, log.vector, strict=True)]


def take_back(table: Table, by: int, to: list[list[int]]) -> None:
    asked = table.send(by, "takeback", {"to": to})
    table.deliver()
    table.send(1 - by, "answer", {"to": asked.id, "yes": True})
    table.settle()


def first_card(table: Table, number: int) -> Card:
    """The card that this player holds at the front of the hand."""
    peer = table.peers[number]
    slot = state(table).deck.hand(("left", "right")[number])[0]
    card = peer.player.own_values(peer.match)[str(slot)]
    assert isinstance(card, int)
    return Card(card, str(slot))


def after_theft(table: Table) -> Card:
    """Ann steals a card, Bob plays one, Ann throws away what she stole."""
    table.order(ANN, [Steal()])
    table.settle()
    table.order(BOB, [first_card(table, BOB)])
    table.settle()
    slot = str(state(table).deck.hand("left")[-1])
    return Card(table.peers[ANN].player.own_values(table.peers[ANN].match)[slot], slot)  # type: ignore[arg-type]


def after_takeback(table: Table) -> Card:
    """Ann plays a card, which everybody sees, and takes it back."""
    to = vector(table, ANN)
    card = first_card(table, ANN)
    table.order(ANN, [card])
    table.settle()
    take_back(table, ANN, to)
    return card


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seen", [after_theft, after_takeback])
def test_a_card_that_everybody_has_seen_goes_back_as_an_open_one(mode: str, seen: Any) -> None:
    """HID-17: the rules ask for its slot, the ledger for its number."""
    table = deal(mode)
    card = seen(table)
    public = mode != "umpire" or seen is after_takeback  # a theft from an umpire's deck is seen by the thief alone
    assert (table.peers[BOB].match.ledger.value(card.slot) == card.number) is public
    order = table.order(ANN, [Throw(card.slot)])
    table.settle()
    deck = state(table).deck
    assert (deck.epoch, deck.thrown) == (2, [])
    shuffled = [item for record in table.records[table.records.index(order) :] for item in record.data.get("items", ())]
    if mode != "open":
        start = next(item for item in shuffled if item[0] in ("pass", "deal"))
        assert (card.number in start[-2]) is public
        assert (card.slot in start[-1]) is not public
    assert table.agree()
    table.play()
    assert table.agree()
    verdict = verify_archive(table.archive(), {"jackdaw": GAME})
    assert verdict.ok, verdict


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_deliveries_in_every_order_shuffle_the_same_cards(mode: str, some: Any) -> None:
    """What counts is the past of the pass or the deal, and not what one home happens to hold."""
    table = deal(mode)
    card = after_takeback(table)
    before = len(table.records)
    table.order(ANN, [Throw(card.slot)])
    table.settle()
    table.order(BOB, [Throw(first_card(table, BOB).slot)])
    table.settle()
    assert state(table).deck.epoch == 3
    last = table.records[before:][:6]
    first, rest = table.records[:before], table.records[before + len(last) :]
    bounds = set()
    for order in some([*permutations(last)], 8):
        peer = Peer(table.peers[ANN].player, Replay(lambda _: GAME))
        for record in (*first, *reversed(rest), *order):
            peer.take(record)
        assert not peer.inbox
        assert not peer.refused
        bounds.add((peer.replay.bound(), peer.match.state_hash()))
    assert bounds == {(table.peers[BOB].replay.bound(), table.peers[BOB].match.state_hash())}


@pytest.mark.parametrize(("mode", "seen"), [("strict", after_theft), ("umpire", after_takeback)])
def test_a_game_stuck_under_an_older_program_goes_on(mode: str, seen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = deal(mode)
    card = seen(table)
    with monkeypatch.context() as older:
        older.setattr(Match, "wanted", lambda match, deck, doing=None: match.machine.need.requests[0])
        if mode == "umpire":
            table.order(ANN, [Throw(card.slot)])
        with pytest.raises(Refusal, match="goes back as an open card"):  # and no secret is opened for it
            table.settle() if mode == "umpire" else table.order(ANN, [Throw(card.slot)])
    if mode == "strict":
        table.order(ANN, [Throw(card.slot)])
    table.settle()
    assert state(table).deck.epoch == 2
    table.play()
    assert table.agree()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_games_of_thieves_end(mode: str, seed: int) -> None:
    table = deal(mode, f"thieves {seed}")
    table.play()
    assert table.agree()
    verdict = verify_archive(table.archive(), {"jackdaw": GAME})
    assert verdict.ok, verdict
