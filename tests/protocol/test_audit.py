"""Cheats at cards and with secrets: where each is caught, and that honest games pass (HID-18, HID-40..HID-44)."""

import random

import pytest
from deckplay import DECK, Play, due, opened, wander

from pbem.fairplay import dealer, deck, items
from pbem.fairplay.audit import Auditor
from pbem.fairplay.commitments import DeckSlot, pad
from pbem.fairplay.deck import Returned, multiply, product
from pbem.fairplay.secret import Opened
from pbem.protocol.errors import Refusal
from pbem.protocol.montgomery import FIX, clamp
from pbem.protocol.record import UMPIRE


def everybody(play):
    return {by: secrets.gs for by, secrets in play.secrets.items()}


def audit(genesis, records, gs):
    auditor = Auditor(genesis, gs.values())
    for record in records:
        auditor.take(record)
    return auditor.report()


def found(play, genesis=None, gs=None):
    """Whom the audit names: author, step, and the number of his record in the game (None: how it began)."""
    with pytest.raises(Refusal) as caught:
        audit(genesis or play.genesis, play.records, gs or everybody(play))
    fault = caught.value
    assert fault.code == "E-AUDIT"
    places = [n for n, record in enumerate(play.records) if record.id == fault.record]
    return fault.author, fault.step, places[0] if places else None


# Honest games


@pytest.mark.parametrize(("players", "umpire"), [(2, False), (2, True), (3, True)])
def test_honest_games_pass(players, umpire):
    play = Play(players, umpire=umpire)
    play.nonces()
    wander(play, random.Random(7), 12, 60)
    row = items.make_hide_row(play.secrets[0], play.genesis.game_id, "seat0", "bid/1", play.count[0], b"three")
    stand = items.make_standing_row(play.secrets[0], play.genesis.game_id, "seat0", "retreat", play.count[0], b"policy")
    play.orders(0, hide=[row], standing=[stand])
    report = audit(play.genesis, play.records, everybody(play))
    assert (report.records, report.missing) == (len(play.records), ())
    assert report.values > 20


def test_an_open_game_passes():
    play = Play(mode="open")
    play.shuffle(range(5))
    play.orders(0)
    assert audit(play.genesis, play.records, everybody(play)).missing == ()


def test_who_opens_nothing_is_named_as_missing():
    play = Play()
    play.shuffle(range(5))
    for gs in ({0: play.secrets[0].gs}, {0: play.secrets[0].gs, 1: bytes(32)}):
        assert audit(play.genesis, play.records, gs).missing == (1,)


def test_the_audit_judges_level_2_first():
    play = Play()
    play.shuffle(range(5))
    slot = items.make_slot_item(play.ledger, play.secrets[0], 0, f"{DECK}/1/0")
    record = play.record(1, "release", {"items": [slot]})
    with pytest.raises(Refusal, match="E-PROMISE"):
        audit(play.genesis, [*play.records, record], everybody(play))


# How it began, salts, secret choices


def test_a_box_that_does_not_open():
    play = Play()
    row = items.make_hide_row(play.secrets[0], play.genesis.game_id, "seat0", "bid/1", play.count[0], b"three")
    play.orders(0, hide=[[*row[:3], bytes(len(row[3]))]])
    assert found(play) == (0, "HID-3", 0)


def test_sealed_standing_orders_that_commit_to_something_else():
    play = Play()
    row = items.make_standing_row(play.secrets[0], play.genesis.game_id, "seat0", "retreat", play.count[0], b"one")
    box = play.secrets[0].box(row[2][0], pad(b"two"))
    play.orders(0, standing=[[*row[:2], [row[2][0], box]]])
    assert found(play) == (0, "HID-1", 0)


# The deck of two players


class Cheat(Play):
    """Passes by hand. `taken` are the points of the stage before."""

    def honest(self, cards=(), back=()):
        _, _, by = due(self.ledger, DECK, tuple(cards), tuple(back))
        return by, items.make_pass_item(self.ledger, self.secrets[by], by, DECK, cards, back)

    def go_on(self, cards=(), back=()):
        by, item = self.honest(cards, back)
        return self.release(by, item)

    def send(self, points, cards=(), back=(), commitments=None):
        by, item = self.honest(cards, back)
        item[4] = b"".join(points)
        if commitments is not None:
            item[5] = commitments
        return self.release(by, item)

    @property
    def taken(self):
        return self.ledger.decks.epoch(DECK).points

    @property
    def plan(self):
        return self.ledger.decks.epoch(DECK).plan

    def scalar(self, by, name, j=0):
        return deck.secret_scalar(self.secrets[by].gs, DECK, self.plan.epoch, name, j)

    def spoils(self, slots):
        """Show slots until one proves that there was cheating: its place in the list."""
        for n, slot in enumerate(slots):
            self.show(slot)
            if self.ledger.spoiled:
                assert self.ledger.spoiled.slot == slot
                assert self.ledger.spoiled.record == self.records[-1].id
                return n
        return None


SIZE = 6
CARDS = tuple(range(SIZE))
SLOTS = [f"{DECK}/1/{j}" for j in range(SIZE)]


def complains(play, slot, by):
    """The player is told that he was cheated, and what he can do proves it to everybody."""
    with pytest.raises(Refusal) as caught:
        play.see(slot, by)
    assert (caught.value.code, caught.value.step) == ("E-DECODE", "HID-18")
    row = items.make_slot_item(play.ledger, play.secrets[by], by, slot)
    record = play.record(by, "release", {"items": [row]})
    play.take(record)
    assert play.ledger.spoiled.slot == slot


def test_a_foreign_point_in_the_first_pass():
    """B masks one card with another number, to tell it from the rest."""
    play = Cheat()
    _, item = play.honest(CARDS)
    points = list(deck.split(item[4]))
    points[0] = multiply(clamp(7), points[0])
    play.send(points, CARDS)
    play.go_on()
    play.go_on()
    assert play.spoils(SLOTS) is not None
    assert found(play) == (1, "HID-12", 0)


def test_a_player_who_is_dealt_a_false_card_proves_it():
    play = Cheat()
    _, item = play.honest(CARDS)
    play.send([multiply(clamp(7**60 + j), u) for j, u in enumerate(deck.split(item[4]))], CARDS)
    play.go_on()
    play.go_on()
    play.give(SLOTS[2], 0)
    complains(play, SLOTS[2], 0)
    assert found(play) == (1, "HID-12", 0)


def test_an_honest_card_proves_nothing():
    play = Cheat()
    play.shuffle(CARDS)
    play.give(SLOTS[2], 0)
    row = items.make_slot_item(play.ledger, play.secrets[0], 0, SLOTS[2])
    play.release(0, row)
    assert play.ledger.spoiled is None


def doubled():
    """A locks one of B's points twice and leaves another out: two slots hold the same card."""
    play = Cheat()
    play.go_on(CARDS)
    taken = [play.taken[0], *play.taken[:-1]]
    play.send([multiply(play.scalar(0, "slot", j), u) for j, u in enumerate(taken)])
    play.go_on()
    return play


def test_one_card_in_two_slots_is_seen_when_both_are_open():
    play = doubled()
    play.show(SLOTS[0])
    play.show(SLOTS[1])
    assert play.ledger.spoiled.slot == SLOTS[1]
    assert found(play) == (0, "HID-12", 1)


def test_one_card_in_two_slots_is_seen_by_who_holds_one_of_them():
    play = doubled()
    play.give(SLOTS[0], 1)
    assert play.see(SLOTS[0], 1) is not None
    play.show(SLOTS[1])
    complains(play, SLOTS[0], 1)
    assert found(play) == (0, "HID-12", 1)


def test_one_card_in_two_slots_of_one_hand():
    play = doubled()
    play.give(SLOTS[0], 1)
    play.give(SLOTS[1], 1)
    with pytest.raises(Refusal, match="E-DECODE"):
        play.see(SLOTS[0], 1)
    rows = [items.make_slot_item(play.ledger, play.secrets[1], 1, slot) for slot in SLOTS[:2]]
    play.release(1, *rows)
    assert play.ledger.spoiled is not None
    assert found(play) == (0, "HID-12", 1)


def test_points_exchanged_after_the_locks():
    play = Cheat()
    play.go_on(CARDS)
    play.go_on()
    points = [multiply(play.scalar(1, "slot", j), u) for j, u in enumerate(play.taken)]
    play.send([points[1], points[0], *points[2:]])
    assert play.spoils(SLOTS) == 0
    assert found(play) == (1, "HID-12", 2)


def test_a_deck_that_was_not_shuffled():
    """Nobody but the audit can see this one."""
    play = Cheat()
    play.go_on(CARDS)
    play.send([multiply(play.scalar(0, "slot", j), u) for j, u in enumerate(play.taken)])
    play.go_on()
    assert play.spoils(SLOTS) is None
    assert found(play) == (0, "HID-12", 1)


def test_a_false_promise_of_a_key():
    """B promises another key for slot 0, so that he could name another card: he can give neither."""
    play = Cheat()
    play.go_on(CARDS)
    play.go_on()
    _, item = play.honest()
    false = deck.write_scalar(clamp(99))
    play.send(deck.split(item[4]), commitments=deck.release_commitment(play.plan, 0, 1, false) + item[5][32:])
    true = items.make_slot_item(play.ledger, play.secrets[1], 1, SLOTS[0])
    with pytest.raises(Refusal, match="E-PROMISE"):
        play.release(1, true)
    play.release(1, ["slot", SLOTS[0], false])
    complains(play, SLOTS[0], 0)
    assert found(play) == (1, "HID-13", 2)


def test_an_old_shuffle_sent_again():
    play = Cheat()
    play.shuffle(CARDS)
    first = [record.data["items"][0] for record in play.records]
    play.spoils(SLOTS)
    for by, item in zip((1, 0, 1), first, strict=True):
        with pytest.raises(Refusal, match="E-DECK"):
            play.release(by, item)
    play.release(1, [*first[0][:2], 2, *first[0][3:]])
    play.go_on()
    play.go_on()
    assert play.spoils([f"{DECK}/2/{j}" for j in range(SIZE)]) == 0
    assert found(play) == (1, "HID-12", len(first) + 2 * SIZE)


def reshuffle(play, public):
    """A first shuffle with `public` slots shown: the inputs of the next one."""
    play.shuffle(CARDS)
    for slot in SLOTS[:public]:
        play.show(slot)
    return sorted(play.ledger.value(slot) for slot in SLOTS[:public]), SLOTS[public:]


def test_following_a_card_through_a_reshuffle():
    """A puts in another point in a ratio to the one he wants to follow, and finds the pair after B's shuffle.

    It works, as hidden.md says; and it leaves a slot that is no card, and is found in the audit in any case.
    """
    play = Cheat()
    cards, back = reshuffle(play, 3)
    _, item = play.honest(cards, back)
    points = list(deck.split(item[4]))
    ratio = clamp(3)
    points[1] = multiply(ratio, points[0])
    start = len(play.records)
    play.send(points, cards, back)
    play.go_on()
    pairs = [(k, n) for k, u in enumerate(play.taken) for n, v in enumerate(play.taken) if multiply(ratio, u) == v]
    assert len(pairs) == 1
    play.go_on()
    play.go_on()
    assert play.spoils([f"{DECK}/2/{j}" for j in range(SIZE)]) is not None
    assert found(play) == (0, "HID-17", start)


def test_a_card_laid_where_its_shuffler_wants_it():
    """A follows a played card by a second copy in a known ratio, lays one on top and the other at the bottom.

    Both slots decode, as she promises her keys after she has found the two: only the audit, or both cards, show it.
    """
    play = Cheat()
    cards, back = reshuffle(play, 3)
    _, item = play.honest(cards, back)
    points = list(deck.split(item[4]))
    wanted, ratio = cards[0], clamp(3)
    points[1] = multiply(ratio, points[0])
    start = len(play.records)
    play.send(points, cards, back)
    play.go_on()
    mask = play.scalar(0, "mask")
    taken = list(play.taken)
    copy, true = next((u, v) for u in taken for v in taken if multiply(ratio, v) == u)
    others = [u for u in taken if u not in (copy, true)]
    order = [true, *others, copy]
    locks = [play.scalar(0, "slot", j) for j in range(SIZE)]
    keys = [product(mask, lock) for lock in locks]
    keys[-1] = product(ratio, mask, locks[-1])
    promised = (deck.release_commitment(play.plan, j, 0, deck.write_scalar(key)) for j, key in enumerate(keys))
    play.send([multiply(lock, u) for lock, u in zip(locks, order, strict=True)], commitments=b"".join(promised))
    play.go_on()
    for j in range(SIZE):
        slot = f"{DECK}/2/{j}"
        play.release(0, ["slot", slot, deck.write_scalar(keys[j])])
        play.release(1, items.make_slot_item(play.ledger, play.secrets[1], 1, slot))
        assert (play.ledger.value(slot) == wanted) == (j in (0, SIZE - 1))
        assert (play.ledger.spoiled is not None) == (j == SIZE - 1)
    assert found(play) == (0, "HID-17", start)


def test_a_second_copy_of_a_card_in_place_of_an_open_one():
    """A holds a card, and puts it into the deck once more where a played one should be: only the audit finds it."""
    play = Cheat()
    cards, back = reshuffle(play, 3)
    hand, back = back[0], back[1:]
    play.give(hand, 0)
    mine = play.see(hand, 0)
    _, item = play.honest(cards, back)
    points = list(deck.split(item[4]))
    mask = deck.secret_scalar(play.secrets[0].gs, DECK, 2, "mask", 0)
    assert points[0] == multiply(mask, deck.card_point(DECK, cards[0]))
    points[0] = multiply(mask, deck.card_point(DECK, mine))
    start = len(play.records)
    play.send(points, cards, back)
    for _ in range(3):
        play.go_on()
    slots = [f"{DECK}/2/{j}" for j in range(len(cards) + len(back))]
    assert play.spoils(slots) is None
    assert mine in [play.ledger.value(slot) for slot in slots]
    play.show(hand)
    assert play.ledger.value(hand) == mine
    assert play.ledger.spoiled is None
    assert found(play) == (0, "HID-17", start)


def test_a_card_in_place_of_an_unopened_one_stops_the_shuffle():
    """A sends an open card's point where an unopened one should be: B's program finds two cards equal, and stops."""
    play = Cheat()
    cards, back = reshuffle(play, 3)
    _, item = play.honest(cards, back)
    points = list(deck.split(item[4]))
    own = items.returned_point(play.ledger.decks, play.secrets[1], 1, DeckSlot(DECK, 1, 3))
    points[3] = multiply(own.key, points[0])
    play.send(points, cards, back)
    with pytest.raises(Refusal) as caught:
        play.honest()
    assert (caught.value.code, caught.value.step) == ("E-DECK", "HID-14")
    assert found(play) == (0, "HID-17", len(play.records) - 1)


def test_a_lock_that_is_not_taken_off_in_a_reshuffle():
    """B leaves his old lock on one unopened card, so that he alone could ever know it."""
    play = Cheat()
    cards, back = reshuffle(play, 3)
    play.go_on(cards, back)
    returned = [
        items.returned_point(play.ledger.decks, play.secrets[1], 1, DeckSlot(DECK, 1, j)) for j in range(3, SIZE)
    ]
    returned[0] = Returned(returned[0].point, FIX)
    made = deck.make_pass(play.secrets[1].gs, play.plan, 2, 1, play.taken, returned)
    start = len(play.records)
    play.send(deck.split(made.points))
    play.go_on()
    play.go_on()
    assert play.spoils([f"{DECK}/2/{j}" for j in range(SIZE)]) is not None
    assert found(play) == (1, "HID-17", start)


def test_secrets_of_another_game_than_promised():
    """Passes made with an own secret that is not the promised one: sound in themselves, found in the audit."""
    play = Play(secrets={1: opened("another")})
    wander(play, random.Random(1), 6, 20)
    gs = {by: secrets.gs for by, secrets in play.table.secrets.items()}
    assert found(play, gs=gs)[:2] == (1, "HID-12")


# The umpire


def dealt(order=None):
    """A deal; with `order`, one that the umpire made up."""
    play = Play(3, umpire=True)
    play.nonces()
    item = items.make_deal_item(play.ledger, play.secrets[UMPIRE], DECK, CARDS)
    if order is not None:
        places = [DeckSlot(DECK, 1, j) for j in range(SIZE)]
        gs = play.secrets[UMPIRE].gs
        made = (dealer.opening(gs, place, card) for place, card in zip(places, order, strict=True))
        item[3] = b"".join(dealer.commit(play.genesis.game_id, *each) for each in zip(places, made, strict=True))
    play.release(UMPIRE, item)
    return play


def test_an_umpire_who_deals_a_card_twice():
    play = dealt((0, 0, *CARDS[2:]))
    play.show(SLOTS[0])
    assert play.ledger.spoiled is None
    play.show(SLOTS[1])
    assert play.ledger.spoiled.slot == SLOTS[1]
    assert found(play)[:2] == (UMPIRE, "HID-30")


def test_an_umpire_who_deals_a_card_that_is_not_in_the_deck():
    play = dealt((77, *CARDS[1:]))
    slot = DeckSlot(DECK, 1, 0)
    made = dealer.opening(play.secrets[UMPIRE].gs, slot, 77)
    play.release(UMPIRE, ["show", str(slot), made[:32], made[32:]])
    assert play.ledger.spoiled.slot == str(slot)
    assert play.ledger.value(str(slot)) is None


def test_a_box_of_garbage():
    play = dealt()
    play.give(SLOTS[1], 1)
    play.release(UMPIRE, ["give", SLOTS[0], "seat0", bytes(84)])
    with pytest.raises(Refusal, match="E-DEAL"):
        play.see(SLOTS[0], 0)
    assert found(play) == (UMPIRE, "HID-31", len(play.records) - 1)


def test_a_card_sealed_to_somebody_else():
    play = dealt()
    row = items.make_give_item(play.ledger, play.secrets[UMPIRE], SLOTS[0], "seat1")
    play.release(UMPIRE, ["give", SLOTS[0], "seat0", row[3]])
    assert found(play) == (UMPIRE, "HID-31", len(play.records) - 1)


def test_opened_secrets_do_not_show():
    assert Opened(b"\x07" * 32).gs.hex() not in repr(Opened(b"\x07" * 32))
