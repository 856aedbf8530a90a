"""One fault for each check of levels 1 and 2 that no other vector needs: GEN, LOG, MEA-10, HID, FIL-4, FIL-6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.fairplay import items
from pbem.fairplay.begin import join_data
from pbem.fairplay.chance import group_key, roll
from pbem.fairplay.commitments import DeckSlot, pad, standing_slot
from pbem.protocol.canonical import pack
from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import be8, be32, tagged
from pbem.protocol.genesis import join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_FORKS
from pbem.protocol.record import UMPIRE, Record, make_record
from pbem.protocol.ruling import rekey_proof
from tools.vectors.branches import _choice, _sees
from tools.vectors.people import AT, loose, sign_record, some
from tools.vectors.play import (
    KEYS,
    Play,
    archive,
    card_of,
    join_record,
    make_join,
    make_offer,
    make_start,
    opening,
    secrets_of,
    terms,
)
from tools.vectors.vector import Vector

Fault = tuple[str, str, str, str, bytes]
_DECK = ("main",)


def vectors() -> Iterator[Vector]:
    for name, code, step, comment, payload in (
        *_offers(), *_joins(), *_lists(), *_logs(), *_branches(), *_identities(), *_rulings(), *_values(),
        *_passes(), *_deals(),
    ):  # fmt: skip
        yield Vector(f"archive-{name}", "archive", code, step, comment, payload)


def _changed(record: Record, **changes: Any) -> Record:
    names = ("at", "by", "data", "game", "heads", "kind", "pin", "prev", "seq")
    keys = changes.pop("keys", KEYS[record.by])
    return make_record(keys, **{**{each: getattr(record, each) for each in names}, **changes})


def _offers() -> Iterator[Fault]:
    two, three = terms(2), terms(3)
    good = make_offer(two)

    def offer(name: str, step: str, comment: str, record: Record) -> Fault:
        return f"offer-{name}", "E-OFFER", step, comment, archive([record])

    yield offer("pin", "GEN-1", "an offer with a pin", _changed(good, pin=1))
    yield offer("by", "GEN-1", "an offer by player 1", _changed(good, by=1, keys=KEYS[0]))
    twice = (KEYS[0].identity, KEYS[1].identity, KEYS[1].identity)
    yield offer("twice", "GEN-1", "one player named for two numbers", make_offer(replace(three, players=twice)))
    lone = terms(1, mode="umpire", umpire=True)
    yield offer("alone", "GEN-7", "one player alone, and the umpire's dice", make_offer(lone))
    seats = [[seat.name, seat.side, seat.player] for seat in two.seats]
    yield offer("seat-twice", "GEN-1", "a seat twice", make_offer(two, seats=[*seats, seats[1]]))
    hyphen = [seats[0], ["seat-1", *seats[1][1:]]]
    yield offer("seat-name", "GEN-1", "a seat that could be no key of the scores", make_offer(two, seats=hyphen))
    idle = make_offer(replace(terms(2, mode="open")), seats=seats[:1])
    yield offer("idle", "GEN-7", "a player without a seat, open dice", idle)
    yield offer("deck-order", "GEN-1", "decks out of order", make_offer(two, decks=["main", "fate"]))
    data = {key: value for key, value in good.data.items() if key != "card"}
    fields = {"at": AT, "by": 0, "data": data, "game": None, "heads": [], "kind": "offer", "note": None, "pin": 0,
              "prev": None, "seq": 0, "v": 1}  # fmt: skip
    bare = Item(ItemType.RECORD, sign_record(loose(fields)))
    yield "offer-card", "E-FORM", "GEN-1", "an offer without a card", archive([bare])


def _joins() -> Iterator[Fault]:
    first = make_offer(terms(2))
    offer = offer_of(first)
    good = make_join(offer, 1)
    yield "join-first", "E-INCOMPLETE", "LOG-5", "an archive that begins with a join", archive([good, first])
    other = _changed(good, game=some("offer"))
    yield "join-other", "E-INCOMPLETE", "LOG-5", "a join of another offer", archive([first, other])
    yield "join-pin", "E-PREV", "GEN-2", "a join with a pin", archive([first, _changed(good, pin=1)])
    yield (
        "join-number",
        "E-GAME",
        "GEN-2",
        "a join as player 2 of two",
        archive([first, _changed(good, by=2, keys=KEYS[1])]),
    )
    yield "join-heads", "E-HEADS", "GEN-2", "a join that cites nothing", archive([first, _changed(good, heads=())])
    start = make_start(offer, [join_of(offer, good)])
    yield "start-pin", "E-START", "GEN-4", "a start with a pin", archive([first, good, _changed(start, pin=1)])
    open_places = replace(terms(3), players=(KEYS[0].identity, None, KEYS[1].identity))
    first = make_offer(open_places)
    offer = offer_of(first)

    def joined(name: str, code: str, step: str, comment: str, *who: tuple[int, int]) -> Fault:
        found = []
        for by, whose in who:
            data = join_data(card_of(whose), secrets_of(whose), offer, by)
            heads = ((offer.starter, offer.id),)
            found.append(make_record(KEYS[whose], at=AT + 1, by=by, data=data, game=offer.id, heads=heads, kind="join",
                                     pin=0, prev=None, seq=0))  # fmt: skip
        return name, code, step, comment, archive([first, *found])

    yield joined("join-named", "E-IDENTITY", "GEN-2", "a player who is named for another number", (1, 1))
    first = make_offer(replace(terms(2, umpire=True), players=(None, None)))
    offer = offer_of(first)
    yield joined("join-umpire", "E-IDENTITY", "GEN-2", "the umpire joins", (0, UMPIRE))
    yield joined("join-both", "E-FORK", "LOG-6", "one person joins as two players", (0, 0), (1, 0))


def _lists() -> Iterator[Fault]:
    card = Item(ItemType.CARD, card_of(0).raw)
    yield "cards-only", "E-INCOMPLETE", "LOG-5", "a card and no record", archive([card])
    records = opening(terms(2))
    draw = Item(ItemType.DRAWS, pack({"draws": [[[], "t1/crt", 0, 6, [3]]], "moot": []}))
    yield "draw-offer", "E-DRAW", "FIL-6", "a draw before the start", archive([*records[:2], draw, records[2]])
    yield "draw-nonces", "E-DRAW", "FIL-6", "a draw before the nonces", archive([*records, draw])
    moot = Item(ItemType.DRAWS, pack({"draws": [], "moot": [bytes(31)]}))
    yield "draw-moot", "E-DRAW", "FIL-6", "an id of 31 bytes listed as moot", archive([*records, moot])
    both = Play(2)
    turns = [both.orders(by) for by in (0, 1)]
    for turn in turns:
        both.reveal(1 - turn.by, both.dice(turn))
    parts = []
    for turn in reversed(turns):
        mark = both.ledger.marks.get(turn.id)
        assert mark is not None
        assert mark.x is not None
        parts.append((turn.id, 1 - turn.by, mark.seq, mark.x))
    results = roll(group_key(both.genesis.game_id, parts), "t1/crt", 0, 6, 3)
    row: list[Any] = [[turn.id for turn in reversed(turns)], "t1/crt", 0, 6, list(results)]
    crossed = Item(ItemType.DRAWS, pack({"draws": [row], "moot": []}))
    yield "draw-order", "E-DRAW", "FIL-6", "results of a group in another order", both.archive(crossed)


def _logs() -> Iterator[Fault]:
    play = Play(2)
    known, none = play.log.last(1), some("nobody")
    assert known is not None
    nobody = play.record(0, "tie", {}, heads=((1, known), (2, none)))
    yield "log-head-nobody", "E-HEADS", "LOG-3", "a head of player 2 of two", play.archive(nobody)
    seat = play.genesis.seats_of(1)[0]
    foreign = play.record(0, "orders", play.turn(0, standing=[[seat, "retreat", None]]))
    yield "standing-other", "E-SEAT", "HID-1", "standing orders for the opponent's seat", play.archive(foreign)
    three = Play(3)
    wrong = three.record(0, "tie", {}, heads=((1, three.log.last(2) or b""), (2, none)))
    comment = "a head is missing, another stands under the wrong name"
    yield "log-head-both", "E-INCOMPLETE", "LOG-5", comment, three.archive(wrong)
    again = play.record(0, "tie", {}, seq=0, prev=None)
    yield "log-first-again", "E-PREV", "LOG-1", "a second record 0 in a chain", play.archive(again)
    held = play.add(0, "tie", {})
    older = play.record(0, "tie", {}, seq=held.seq, prev=play.log.id_at(0, 0), at=AT + 98)
    yield "log-prev-taken", "E-PREV", "LOG-1", "follows an older record, at a place that is taken", play.archive(older)
    rivals = [play.record(0, "tie", {}, seq=held.seq, prev=held.prev, heads=held.heads, at=AT + 100 + n)
              for n in range(MAX_FORKS + 1)]  # fmt: skip
    yield "log-forks", "E-LARGE", "LOG-9", "a side branch too many", play.archive(*rivals)


def _branches() -> Iterator[Fault]:
    def forked() -> tuple[Play, Record, Record]:
        play = Play(3, umpire=True)
        one, two = play.record(1, "orders", play.turn(1)), play.record(1, "tie", {})
        play.take(one)
        play.log.add_rival(two)
        play.items.append(two)
        return play, one, two

    play, one, two = forked()
    ruling = play.record(UMPIRE, "ruling", _choice(one, two, one), heads=_sees(play, UMPIRE, two))
    play.log.add(ruling)
    heads = ((0, play.log.last(0) or b""), (2, play.log.last(2) or b""), (UMPIRE, ruling.id))
    on = play.record(1, "tie", {}, prev=two.id, seq=two.seq + 1, heads=heads)
    comment = "the forker goes on with what a ruling has dropped, and has not seen the branch kept"
    yield "branch-dropped", "E-BRANCH", "LOG-9", comment, play.archive(ruling, on)
    play, one, two = forked()
    ruling = play.record(UMPIRE, "ruling", _choice(two, one, two))
    yield "branch-second", "E-ARCHIVE", "FIL-4", "the branch that is kept stands second", play.archive(ruling)
    play, one, two = forked()
    on = play.record(1, "tie", {}, prev=two.id, seq=two.seq + 1, heads=two.heads)
    play.log.add(on)
    again = play.record(1, "tie", {}, prev=two.id, seq=two.seq + 1, heads=two.heads, at=AT + 99)
    yield "branch-side", "E-PREV", "LOG-1", "a second record in a side branch", play.archive(on, again)


def _identities() -> Iterator[Fault]:
    """One newcomer, brought in for two numbers."""
    new = Keys(b"\x0a" * 32)
    card = make_card(new, "Emil Sund", "", AT)

    def rekey(play: Play, by: int) -> Record:
        seq = play.log.count(by)
        proof = rekey_proof(new, play.genesis.game_id, by, seq, card)
        return play.record(by, "rekey", {"card": card.raw, "proof": proof})

    play = Play(3, umpire=True)
    first = rekey(play, 0)
    play.take(first)
    yield "rekey-both", "E-IDENTITY", "LOG-7", "to a key that came in for another number", play.archive(rekey(play, 1))
    play = Play(3, umpire=True)
    one, two = rekey(play, 0), rekey(play, 1)
    play.take(one)
    play.take(two)
    play.keys[1] = new
    last = play.record(1, "tie", {})
    comment = "two numbers changed to one key, neither in sight of the other; it signs in sight of both"
    yield "rekey-crossed", "E-IDENTITY", "LOG-7", comment, play.archive(last)


def _rulings() -> Iterator[Fault]:
    play = Play(3, umpire=True)

    def ruled(name: str, code: str, step: str, comment: str, what: str, by: int = UMPIRE, **said: Any) -> Fault:
        ruling = play.record(by, "ruling", {"what": what, "why": "", **said})
        return f"ruling-{name}", code, step, comment, play.archive(ruling)

    yield ruled("seat", "E-RULING", "MEA-10", "a forfeit of a seat that there is not", "forfeit", seats=["seat9"])
    yield ruled("nobody", "E-RULING", "MEA-10", "more time for player 4 of three", "extension", player=4, seconds=60)
    data = join_data(card_of(2), secrets_of(2), play.genesis.offer, 0)
    join = join_record(KEYS[2], play.genesis.game_id, AT, 0, data)
    yield ruled("join", "E-PREV", "MEA-10", "the join is for another number", "substitute", player=1, join=join.raw)
    play = Play(3)
    escrow = {"orders": some("orders"), "witness": 2, "x": some("x")}
    yield ruled("escrow", "E-RULING", "MEA-10", "an escrow, and there is no umpire", "escrow", 0, **escrow)
    records = opening(terms(2, umpire=True))
    early = Play(2, umpire=True)
    heads = tuple((record.by, record.id) for record in records[1:-1])
    data = join_data(card_of(2), secrets_of(2), early.genesis.offer, 1)
    join = join_record(KEYS[2], early.genesis.game_id, AT, 1, data)
    said: dict[str, Any] = {"what": "substitute", "why": "", "player": 1, "join": join.raw}
    ruling = make_record(KEYS[UMPIRE], at=AT + 9, by=UMPIRE, data=said, game=early.genesis.game_id, heads=heads,
                         kind="ruling", pin=0, prev=records[-1].id, seq=2)  # fmt: skip
    comment = "somebody takes over from a player whose nonce is not known"
    yield "ruling-early", "E-RULING", "GEN-8", comment, archive([*records, ruling])


def _values() -> Iterator[Fault]:
    play = Play(2)
    secrets, seat, seq = secrets_of(0), play.genesis.seats_of(0)[0], play.log.count(0)
    play.orders(0, hide=[play.hide(0, "chit/1", b"left")])
    item = ["open", "chit/1", secrets.hide_nonce(seq, "chit/1"), pad(b"right")]
    last = play.record(0, "reveal", {"items": [item]})
    yield "open-right", "E-PROMISE", "HID-4", "another value, padded as it must be", play.archive(last)
    play, slot = Play(2), standing_slot(seat, "retreat")
    bare = b"\x00\x04hold"
    committed = secrets.commit(play.genesis.game_id, seat, slot, seq, bare)
    play.orders(0, standing=[[seat, "retreat", [committed, secrets.box(committed, pad(b"hold"))]]])
    claim = ["answer", "b/1", ["stand"], secrets.hide_nonce(seq, slot) + bare]
    last = play.record(0, "reveal", {"items": [claim]})
    yield "answer-padding", "E-ANSWER", "HID-6", "standing orders that are not padded", play.archive(last)


def _pass(play: Play, by: int, cards: tuple[int, ...], back: tuple[str, ...] = ()) -> list[Any]:
    return items.make_pass_item(play.ledger, secrets_of(by), by, "main", cards, back)


def _shuffled() -> Play:
    play = Play(2, decks=_DECK)
    for by in (1, 0, 1):
        play.release(by, _pass(play, by, tuple(range(4))))
    return play


def _release(play: Play, name: str, code: str, step: str, comment: str, by: int, row: list[Any]) -> Fault:
    return name, code, step, comment, play.archive(play.record(by, "release", {"items": [row]}))


def _passes() -> Iterator[Fault]:
    play = Play(2, decks=_DECK)
    first = _pass(play, 1, tuple(range(4)))
    order = [*first[:6], [1, 0, 2, 3], []]
    yield _release(play, "pass-order", "E-DECK", "HID-17", "cards that do not ascend", 1, order)
    yield _release(play, "pass-stage", "E-DECK", "HID-12", "the second pass without the first", 0,
                   [*first[:3], 2, *first[4:6], [], []])  # fmt: skip
    yield _release(play, "pass-epoch", "E-DECK", "HID-19", "the second shuffle before the first", 1,
                   [*first[:2], 2, *first[3:]])  # fmt: skip
    yield _release(play, "pass-none", "E-DECK", "HID-17", "a shuffle of no card", 1, [*first[:4], b"", b"", [], []])
    yield _release(play, "pass-back", "E-DECK", "HID-17", "a slot that there is not goes back", 1,
                   [*first[:4], first[4] + first[4][:32], b"", first[6], ["main/1/0"]])  # fmt: skip
    play.release(1, first)
    second = _pass(play, 0, tuple(range(4)))
    later = [*second[:2], 2, *second[3:]]
    yield _release(play, "pass-later", "E-DECK", "HID-12", "a second pass of another shuffle", 0, later)
    yield _release(play, "pass-cards", "E-DECK", "HID-12", "cards named at the second pass", 0,
                   [*second[:6], first[6], []])  # fmt: skip
    play.release(0, second)
    third = _pass(play, 1, tuple(range(4)))
    game, promised, key = play.genesis.game_id, third[5], items.make_slot_item
    done = _shuffled()
    raw = key(done.ledger, secrets_of(1), 1, "main/1/0")[2]
    assert isinstance(raw, bytes)
    for name, comment, odd in (
        ("eighth", "a key that is no multiple of 8", bytes((raw[0] | 1,)) + raw[1:]),
        ("top", "a key of 2^255 and more", raw[:31] + bytes((raw[31] | 0x80,))),
    ):
        other = Play(2, decks=_DECK)
        other.release(1, first)
        other.release(0, second)
        promise = tagged("pbem1/slot", game, "main", be32(1), be32(0), be8(1), odd)
        other.release(1, [*third[:5], promise + promised[32:], *third[6:]])
        yield _release(other, f"slot-{name}", "E-PROMISE", "HID-15", comment, 1, ["slot", "main/1/0", odd])
    back = ("main/1/1", "main/1/0")
    slots = _pass(done, 0, (), back[::-1])
    yield _release(done, "pass-slots", "E-DECK", "HID-17", "slots that do not ascend", 0, [*slots[:6], [], [*back]])
    shown = items.make_slot_item(done.ledger, secrets_of(0), 0, "main/1/0")
    item = ["open", "main/1/0", shown[2], b"x"]
    more = done.record(0, "reveal", {"items": [item]})
    yield "open-more", "E-PROMISE", "HID-15", "a card opened with something behind its key", done.archive(more)
    cheat = Play(2, decks=_DECK)
    cheat.release(1, first)
    cheat.release(0, second)
    points = third[4]
    cheat.release(1, [*third[:4], points[32:64] + points[:32] + points[64:], *third[5:]])
    cheat.finish()
    yield "audit-points", "E-AUDIT", "HID-12", "two points exchanged after the locks", cheat.archive()


def _deals() -> Iterator[Fault]:
    cards, secrets = tuple(range(4)), secrets_of(UMPIRE)

    def play() -> Play:
        return Play(3, umpire=True, decks=_DECK)

    game = play()
    deal: list[Any] = items.make_deal_item(game.ledger, secrets, "main", cards, ())
    yield _release(game, "deal-epoch", "E-DECK", "HID-19", "the second deal first", UMPIRE, [*deal[:2], 2, *deal[3:]])
    yield _release(
        game, "deal-few", "E-DEAL", "HID-31", "a commitment too few", UMPIRE, [*deal[:3], deal[3][32:], *deal[4:]]
    )
    yield _release(
        game, "deal-deck", "E-DECK", "GEN-1", "a deck that there is not", UMPIRE, ["deal", "fate", *deal[2:]]
    )
    swap = Play(2, decks=_DECK)
    passed = _pass(swap, 1, cards)
    duel = Play(2, umpire=True, decks=_DECK)
    yield _release(duel, "deal-pass", "E-DECK", "GEN-9", "a player shuffles where the umpire deals", 1, passed)
    records = opening(terms(3, umpire=True, decks=_DECK))
    heads = tuple((record.by, record.id) for record in records[1:-1])
    early = make_record(KEYS[UMPIRE], at=AT + 9, by=UMPIRE, data={"items": [deal]}, game=game.genesis.game_id,
                        heads=heads, kind="release", pin=0, prev=records[-1].id, seq=2)  # fmt: skip
    yield "deal-early", "E-DEAL", "HID-30", "a deal before the nonces", archive([*records, early])
    bare = Play(3, umpire=True, mode="open", decks=_DECK)
    yield _release(bare, "deal-open", "E-DEAL", "GEN-9", "a deal in an open game", UMPIRE, deal)
    slot = DeckSlot("main", 1, 0)
    nonce = some("dealt")
    long = tagged("pbem1/hide", game.genesis.game_id, "deck", str(slot), nonce, bytes(5))
    odd = play()
    odd.release(UMPIRE, [*deal[:3], long + deal[3][32:], *deal[4:]])
    yield _release(
        odd, "show-long", "E-DEAL", "HID-31", "a card of five bytes", UMPIRE, ["show", str(slot), nonce, bytes(5)]
    )
    game.release(UMPIRE, deal)
    yield _release(game, "give-seat", "E-SEAT", "HID-31", "a card for a seat that there is not", UMPIRE,
                   ["give", "main/1/0", "seat9", bytes(84)])  # fmt: skip
    game.release(UMPIRE, items.make_give_item(game.ledger, secrets, "main/1/0", "seat0"))
    opened = items.card_opening(game.ledger, secrets_of(0), 0, "main/1/0", KEYS[0].seal_private)
    foreign = game.record(1, "orders", game.turn(1, open=[["main/1/0", opened]]))
    yield "open-given", "E-DEAL", "HID-31", "a card opened by a player who was not given it", game.archive(foreign)
    shown = items.make_show_item(game.ledger, secrets, "main/1/1")
    game.release(UMPIRE, shown)
    yield _release(game, "show-twice", "E-DEAL", "HID-16", "a card shown twice", UMPIRE, shown)
