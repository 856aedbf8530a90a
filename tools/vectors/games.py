"""Archives: GEN, LOG, MEA, CHA, HID and FIL-4, FIL-6, FIL-10, as a verifier of level 2 sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pbem.fairplay import items
from pbem.fairplay.begin import first_record, join_data, start_data
from pbem.fairplay.commitments import pad
from pbem.protocol.card import make_card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.genesis import Board, join_of, offer_of
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ASIDE
from pbem.protocol.record import UMPIRE, Message, Record, make_record
from pbem.protocol.ruling import rekey_proof
from tools.vectors.people import AT, some
from tools.vectors.play import (
    KEYS,
    Data,
    Play,
    archive,
    changed,
    join_record,
    listing,
    make_join,
    make_offer,
    make_start,
    opening,
    secrets_of,
    take_back,
    terms,
)
from tools.vectors.vector import SUCCESS, Vector

_DECK = ("main",)
CUP = Board(some("tournament")[:16], "Spring Cup", 2, 7)
_SMALL = (325606250916557431795983626356110631294008115727848805560023387167927233504).to_bytes(32, "little")


def vectors() -> Iterator[Vector]:
    yield from _good()
    for name, code, step, comment, payload in (*_openings(), *_logs(), *_values(), *_cards()):
        yield Vector(f"archive-{name}", "archive", code, step, comment, payload)


def _success(name: str, step: str, comment: str, play: Play) -> Vector:
    facts = {
        "game": play.genesis.game_id.hex(),
        "records": str(sum(isinstance(each, Record) for each in play.items)),
        "last": next(each for each in reversed(play.items) if isinstance(each, Record)).id.hex(),
    }
    return Vector(f"archive-{name}", "archive", SUCCESS, step, comment, play.archive(), facts)


def _good() -> Iterator[Vector]:
    yield _success(
        "two-players", "FIL-10", "two players, dice, secret choices, a deck with a reshuffle, audit", _full()
    )
    play = Play(3, mode="umpire", umpire=True, decks=_DECK)
    play.draw()
    _dealt(play)
    play.rolled(0, 2)
    play.rolled(1)
    play.finish()
    yield _success("umpire", "FIL-10", "the umpire rolls and deals", play)
    play = Play(3, umpire=True)
    play.rolled(0, 1, 2)
    play.add(UMPIRE, "ruling", {"what": "escrow", "why": "She is ill.", **_escrow(play)})
    play.finish()
    yield _success("escrow", "CHA-9", "three players, a key of three turns, a value from the escrow", play)
    play = Play(2, umpire=True, tournament=CUP)
    play.add(UMPIRE, "ruling", _adjudged(winner="red", scores={"blue": -1, "red": 3, "seat0": 2}))
    play.finish()
    yield _success("adjudged", "MEA-10", "a game for a board of a tournament, whose umpire decides it", play)
    play = Play(2, mode="umpire", umpire=True)
    for by in (0, 1):
        play.add(by, "ruling", _adjudged(winner=None, scores={}))
    yield _success("adjudged-by-all", "MEA-10", "an umpire is gone, and all players agree on a draw", play)
    play = Play(2, mode="open", umpire=True)
    play.draw()
    yield _success("umpire-open", "GEN-4", "open dice under an umpire, whose start shows the nonce again", play)
    play = Play(1, mode="open")
    play.draw()
    play.orders(0)
    play.finish()
    yield _success("open", "FIL-10", "one player alone", play)
    play = _rekeyed()
    yield _success("rekey", "LOG-7", "a new key by record, another by the umpire's ruling", play)
    play = Play(2)
    one, two = play.record(0, "tie", {}), play.record(1, "orders", play.turn(1))
    play.take(two)
    play.take(one)
    yield _success(
        "concurrent", "MEA-1", "of two records that do not know each other the play goes before the act", play
    )
    play = Play(2)
    moot = play.record(0, "reveal", {"items": [["nonce", some("nonce-0")]]})
    play.items += [listing(moot=[moot.id]), moot]
    play.log.add(moot)
    yield _success("moot", "FIL-6", "a record listed as moot is not held against what is known", play)
    play = Play(2, silence=30)
    play.add(0, "ruling", _forfeit(play.add(0, "claim", {"owed": [["orders", "seat1"]]})))
    yield _success("forfeit", "MEA-10", "a claim, and the forfeit that cites it", play)
    play = _substituted()
    yield _success("substitute", "MEA-10", "somebody else takes over, with chains of their own", play)
    comment = "of two rulings that hold the one counts that the lowest ruler made last, whenever the others did"
    yield _success("substitute-crossed", "LOG-7", comment, _substituted_twice())


def _full() -> Play:
    play = Play(2, decks=_DECK)
    play.draw()
    _shuffle(play, (1, 0, 1), range(6))
    for n in range(4):
        play.release(n % 2, items.make_slot_item(play.ledger, secrets_of(n % 2), n % 2, f"main/1/{n}"))
    seat = play.genesis.seats_of(0)[0]
    standing = items.make_standing_row(
        secrets_of(0), play.genesis.game_id, seat, "retreat", play.log.count(0), b"\x01\x02"
    )
    hidden = play.hide(0, "chit/1", b"left")
    turn = play.orders(0, hide=[hidden], standing=[standing])
    play.reveal(1, play.dice(turn))
    play.draw(turn)
    proof = items.prove_standing(play.ledger, secrets_of(0), seat, "retreat")
    play.reveal(0, items.make_open_item(play.ledger, secrets_of(0), "chit/1"), ["answer", "battle/1", ["stand"], proof])
    slot = "main/1/1"
    play.orders(0, open=[[slot, items.card_opening(play.ledger, secrets_of(0), 0, slot, KEYS[0].seal_private)]])
    back = ("main/1/4", "main/1/5")
    card = play.ledger.value(slot)
    assert isinstance(card, int)
    gone = (card,)
    _shuffle(play, (0, 1, 0, 1), gone, back)
    play.release(0, items.make_slot_item(play.ledger, secrets_of(0), 0, "main/2/0"))
    play.say(1, "Well played.\nAgain?")
    play.finish()
    return play


def _shuffle(play: Play, passes: Iterable[int], cards: Iterable[int], back: tuple[str, ...] = ()) -> None:
    wanted = tuple(cards)
    for by in passes:
        play.release(by, items.make_pass_item(play.ledger, secrets_of(by), by, "main", wanted, back))


def _dealt(play: Play) -> None:
    secrets = secrets_of(UMPIRE)
    play.release(UMPIRE, items.make_deal_item(play.ledger, secrets, "main", tuple(range(5)), ()))
    for n, seat in enumerate(("seat0", "seat1")):
        play.release(UMPIRE, items.make_give_item(play.ledger, secrets, f"main/1/{n}", seat))
    play.release(UMPIRE, items.make_show_item(play.ledger, secrets, "main/1/4"))
    opened = items.card_opening(play.ledger, secrets_of(0), 0, "main/1/0", KEYS[0].seal_private)
    play.orders(0, open=[["main/1/0", opened]])


def _escrow(play: Play) -> Data:
    turn = play.orders(1)
    witness = play.genesis.witness(1)
    assert witness is not None
    x = secrets_of(witness).chain(witness, 1).value(turn.seq)
    return {"orders": turn.id, "witness": witness, "x": x}


def _rekeyed() -> Play:
    play = Play(2, umpire=True)
    game = play.genesis.game_id
    first, second = Keys(b"\x05" * 32), Keys(b"\x06" * 32)
    card = make_card(first, "Alice Kern", "", AT)
    proof = rekey_proof(first, game, 0, play.log.count(0), card)
    play.add(0, "rekey", {"card": card.raw, "proof": proof})
    play.keys[0] = first
    play.orders(0)
    card = make_card(second, "Alice Kern", "", AT)
    proof = rekey_proof(second, game, 0, 0, card)
    play.add(UMPIRE, "ruling", {"what": "rekey", "why": "", "player": 0, "card": card.raw, "proof": proof})
    play.keys[0] = second
    play.orders(0)
    return play


def _forfeit(claim: Record, **changes: Any) -> Data:
    return {"what": "forfeit", "why": "No answer.", "seats": ["seat1"], "claim": claim.id, **changes}


def _substitute_join(play: Play, by: int, seed: int = 7, secrets: int = 2) -> tuple[Keys, Record]:
    keys = Keys(bytes((seed,)) * 32)
    card = make_card(keys, "Emil Sund", "", AT)
    data = join_data(card, secrets_of(secrets), play.genesis.offer, by)
    return keys, join_record(keys, play.genesis.game_id, AT + 50, by, data)


def _substituted() -> Play:
    play = Play(2, umpire=True)
    play.rolled(0)
    keys, join = _substitute_join(play, 1)
    play.add(UMPIRE, "ruling", {"what": "substitute", "why": "", "player": 1, "join": join.raw})
    play.keys[1] = keys
    turn = play.orders(0)
    play.reveal(1, ["dice", turn.id, secrets_of(2).chain(1, 0).value(turn.seq)])
    play.draw(turn)
    return play


def _substituted_twice() -> Play:
    """Anna rules for one substitute, then for another; Carla the other way round."""
    play = Play(3)
    (_, one), (keys, other) = _substitute_join(play, 1), _substitute_join(play, 1, 8, 0)
    first, last = ({"what": "substitute", "why": "", "player": 1, "join": join.raw} for join in (one, other))
    for by, said in ((0, first), (0, last), (2, last)):
        play.add(by, "ruling", said)
    play.keys[1] = keys
    play.add(1, "tie", {})
    play.add(2, "ruling", first)
    turn = play.orders(0)
    play.reveal(1, ["dice", turn.id, secrets_of(0).chain(1, 0).value(turn.seq)])
    play.draw(turn)
    return play


Fault = tuple[str, str, str, str, bytes]


def _openings() -> Iterator[Fault]:
    """GEN."""
    two, three = terms(2), terms(3)
    alone = replace(three, decks=_DECK)
    one_side = replace(two, seats=tuple(seat._replace(side="red") for seat in two.seats))
    yield "offer-one-side", "E-OFFER", "GEN-6", "strict dice and only one side", archive([make_offer(one_side)])
    yield "offer-decks", "E-OFFER", "GEN-9", "a deck, three players, nobody to deal", archive([make_offer(alone)])
    other = replace(two, players=(KEYS[1].identity, KEYS[0].identity))
    yield "offer-player-0", "E-OFFER", "GEN-1", "its author is not player 0", archive([make_offer(other)])
    spare = replace(two, seats=two.seats[:1])
    yield "offer-no-seat", "E-OFFER", "GEN-7", "a player without a seat", archive([make_offer(spare)])
    yield "offer-chains", "E-OFFER", "GEN-6", "no chain for the opponent", archive([make_offer(two, chains=[])])
    umpired = terms(2, umpire=True)
    plays = replace(umpired, players=(KEYS[0].identity, KEYS[UMPIRE].identity))
    for name, step, comment, wanted in (
        ("umpire-plays", "GEN-3", "the umpire plays", plays),
        ("board", "GEN-3", "a board of a tournament, offered by a player", replace(two, tournament=CUP)),
        ("expires", "GEN-3", "a player's offer that expires", replace(two, expires=AT + 9)),
        ("expired", "GEN-3", "it had expired before it was made", replace(umpired, expires=AT - 1)),
        ("dice", "GEN-1", "an umpire's dice in a player's offer", replace(two, mode="umpire")),
    ):
        yield f"offer-{name}", "E-OFFER", step, comment, archive([make_offer(wanted)])
    offer_record, join_record, start = opening(two)
    offer = offer_of(offer_record)
    join = join_of(offer, join_record)
    stranger = Keys(b"\x08" * 32)
    signed = make_record(stranger, at=AT, by=0, data=offer_record.data, game=None, heads=(), kind="offer", pin=0,
                         prev=None, seq=0)  # fmt: skip
    yield "offer-key", "E-SIGNATURE", "KEY-2", "signed by another key than its card's", archive([signed])
    card = make_card(stranger, "Mallory", "", AT)
    data = join_data(card, secrets_of(1), offer, 1)
    mallory = make_record(stranger, at=AT, by=1, data=data, game=offer.id, heads=((0, offer.id),), kind="join", pin=0,
                          prev=None, seq=0)  # fmt: skip
    yield "join-identity", "E-IDENTITY", "GEN-2", "the place is kept for another", archive([offer_record, mallory])
    again = make_join(offer, 1, own=bytes(48))
    yield (
        "join-twice",
        "E-ARCHIVE",
        "FIL-4",
        "a second join for one number",
        archive([offer_record, join_record, again]),
    )
    late = archive([offer_record, join_record, start, mallory])
    yield "join-late", "E-GAME", "GEN-5", "a join after the start", late
    yield "no-join", "E-INCOMPLETE", "LOG-5", "the start cites a join that is not there", archive([offer_record, start])
    second = make_start(offer, [join], at=AT + 9)
    fork = archive([offer_record, join_record, start, second])
    yield "start-twice", "E-GAME", "GEN-5", "a second start", fork
    offer_record, join_record, *_ = opening(umpired)
    offer = offer_of(offer_record)
    join = join_of(offer, join_record)
    second_join = make_join(offer, 1)
    joins = [join, join_of(offer, second_join)]
    bare = make_join(offer, 0, escrow=None)
    yield "join-no-escrow", "E-PROMISE", "GEN-2", "an umpire and no escrow", archive([offer_record, bare])
    records = [offer_record, join_record, second_join, make_start(offer, joins, nonce=some("other"))]
    yield "umpire-nonce", "E-PROMISE", "GEN-4", "the umpire shows another nonce than promised", archive(records)
    bare = first_record(KEYS[UMPIRE], by=UMPIRE, kind="start", data=start_data(), offer=offer, joins=joins, at=AT)
    yield (
        "umpire-silent",
        "E-START",
        "GEN-4",
        "the umpire shows no nonce",
        archive([offer_record, join_record, second_join, bare]),
    )
    yield "taken-back", "E-ARCHIVE", "FIL-4", "an offer that was taken back", archive([offer_record, take_back(offer)])


def _logs() -> Iterator[Fault]:
    """LOG, and the order of an archive."""
    begun = Play(2, mode="open")
    blind = begun.record(1, "tie", {}, heads=((0, begun.log.id_at(0, 0) or b""),))
    yield "log-no-start", "E-HEADS", "LOG-11", "made in sight of no start", begun.archive(blind)
    play = Play(2)
    for by in (0, 1, 0, 1):
        play.add(by, "tie", {})
    log = play.log

    def fault(name: str, code: str, step: str, comment: str, *more: Record | Item) -> Fault:
        return f"log-{name}", code, step, comment, play.archive(*more)

    def tie(**changes: Any) -> Record:
        return play.record(0, "tie", {}, **changes)

    yield fault(
        "gap", "E-INCOMPLETE", "LOG-5", "the record before it is not there", tie(seq=log.count(0) + 1, prev=some("x"))
    )
    yield fault("head-missing", "E-INCOMPLETE", "LOG-5", "a head is not there", tie(heads=((1, some("x")),)))
    yield fault("prev", "E-PREV", "LOG-1", "follows an older record", tie(prev=log.id_at(0, 2)))
    fork = tie(seq=log.count(0) - 1, prev=log.id_at(0, log.count(0) - 2), heads=((1, log.id_at(1, 2) or b""),), at=1)
    yield fault("fork", "E-FORK", "LOG-6", "a second record with one number", fork)
    yield fault(
        "regress", "E-HEADS", "LOG-4", "forgets a record seen before", tie(heads=((1, log.id_at(1, 1) or b""),))
    )
    yield fault(
        "head-author",
        "E-HEADS",
        "LOG-3",
        "a head under the wrong name",
        play.record(1, "tie", {}, heads=((0, log.last(1) or b""),)),
    )
    yield fault("game", "E-GAME", "GEN-5", "a record of another game", tie(game=some("game")))
    yield fault("author", "E-GAME", "REC-4", "there is no player 2", play.record(0, "tie", {}, by=2, seq=3, heads=()))
    yield fault("key", "E-SIGNATURE", "KEY-2", "signed by the opponent", tie(keys=KEYS[1]))
    yield fault("pin", "E-PINS", "LOG-8", "two migrations at once", tie(pin=2))
    twice = play.items[-1]
    yield fault("twice", "E-ARCHIVE", "FIL-4", "a record twice", twice)
    yield fault("hello", "E-ARCHIVE", "FIL-4", "a greeting in an archive", Item(ItemType.HELLO, b"\xc0"))
    cards = [Item(ItemType.CARD, make_card(KEYS[0], "Alice Kern", "", 1).raw)] * (MAX_ASIDE + 1)
    yield fault("cards", "E-LARGE", "FIL-4", "a card too many, each a copy", *cards)
    kind = play.record(0, "start", {})
    yield fault("kind", "E-FORM", "REC-5", "a start in the middle", kind)
    play_first, act = play.record(1, "orders", play.turn(1)), tie()
    yield fault("order", "E-ARCHIVE", "FIL-4", "an act before a play that did not know it", act, play_first)
    note = play.record(0, "tie", {}, note=some("note"))
    message = _message(note)
    yield fault("message", "E-FORM", "FIL-8", "a message that was not sent", note, message)
    yield from _rules_of_keys()


def _adjudged(**changes: Any) -> Data:
    return {"what": "adjudge", "why": "Time is up.", "winner": None, "scores": {}, **changes}


def _message(record: Record) -> Item:
    return Item(ItemType.MESSAGE, Message(record.id, bytes(16), "I resign").pack())


def _rules_of_keys() -> Iterator[Fault]:
    play = Play(3, umpire=True)
    game = play.genesis.game_id
    new = Keys(b"\x09" * 32)
    card = make_card(new, "Alice Kern", "", AT)

    def rekey(player: int, seq: int) -> bytes:
        return rekey_proof(new, game, player, seq, card)

    wrong = play.record(0, "rekey", {"card": card.raw, "proof": rekey(0, 9)})
    yield from _between_two()
    yield "rekey-proof", "E-SIGNATURE", "KEY-2", "the new key has agreed to something else", play.archive(wrong)
    for name, whose in (("opponent", 1), ("umpire", UMPIRE)):
        other, seq = play.genesis.card(whose), play.log.count(0)
        proof = rekey_proof(KEYS[whose], game, 0, seq, other)
        same = play.record(0, "rekey", {"card": other.raw, "proof": proof})
        yield f"rekey-{name}", "E-IDENTITY", "LOG-7", "to the key of somebody else in the game", play.archive(same)
    rekeyed = play.record(0, "rekey", {"card": card.raw, "proof": rekey(0, play.log.count(0))})
    for name, comment, author, said in (
        ("winner", "for a side that there is not", UMPIRE, {"winner": "green"}),
        ("scores", "a score for nobody in the game", UMPIRE, {"scores": {"seat9": 1}}),
    ):
        row = play.record(author, "ruling", _adjudged(**said))
        yield f"adjudge-{name}", "E-RULING", "MEA-10", comment, play.archive(row)
    data = {"what": "rekey", "why": "", "player": 1, "card": card.raw, "proof": rekey(1, 0)}
    yield (
        "ruling-player",
        "E-RULING",
        "MEA-10",
        "a player rules beside the umpire",
        play.archive(play.record(0, "ruling", data)),
    )
    ruling = play.record(UMPIRE, "ruling", data)
    play.take(rekeyed)
    old = play.record(0, "tie", {})
    yield "rekey-old-key", "E-SIGNATURE", "KEY-2", "signed by the old key", play.archive(old)
    play = Play(3, umpire=True)
    play.take(ruling)
    yield (
        "ruling-old-key",
        "E-SIGNATURE",
        "KEY-2",
        "the old key after the ruling",
        play.archive(play.record(1, "tie", {})),
    )
    one = play.record(1, "resign", {"seats": ["seat1"]}, keys=new)
    two = play.record(1, "tie", {}, keys=new)
    play.take(one)
    branch = {"what": "branch", "why": "", "keep": one.id, "drop": some("x"), "other": two.raw}
    yield (
        "ruling-branch",
        "E-RULING",
        "MEA-10",
        "chooses between others than it shows",
        play.archive(play.record(UMPIRE, "ruling", branch)),
    )


def _between_two() -> Iterator[Fault]:
    """Whose place nobody gives away, and what a forfeit cites."""
    play = Play(2, silence=30)
    _, join = _substitute_join(play, 1)
    new = Keys(b"\x09" * 32)
    card = make_card(new, "Bob Silva", "", AT)
    proof = rekey_proof(new, play.genesis.game_id, 1, 0, card)
    for name, comment, given in (
        ("substitute", "a stranger in the opponent's place", {"join": join.raw}),
        ("rekey", "a new key for the opponent", {"card": card.raw, "proof": proof}),
    ):
        row = play.record(0, "ruling", {"what": name, "why": "", "player": 1, **given})
        yield f"two-{name}", "E-RULING", "MEA-10", comment, play.archive(row)
    row = play.record(0, "ruling", {"what": "forfeit", "why": "", "seats": ["seat1"]})
    yield "forfeit-no-claim", "E-RULING", "MEA-10", "a forfeit that cites no claim", play.archive(row)
    unseen = play.record(1, "claim", {"owed": [["orders", "seat0"]]})
    row = play.record(0, "ruling", _forfeit(unseen))
    yield "forfeit-unseen", "E-RULING", "MEA-10", "a claim that is not in its past", play.archive(unseen, row)
    play = Play(2)
    row = play.record(0, "ruling", _forfeit(play.add(0, "claim", {"owed": [["orders", "seat1"]]})))
    yield "forfeit-none", "E-RULING", "MEA-10", "in a game that was offered without forfeits", play.archive(row)
    umpired = replace(terms(2, umpire=True), silence=30)
    yield "offer-silence", "E-OFFER", "GEN-1", "a silence agreed on beside an umpire", archive([make_offer(umpired)])


def _values() -> Iterator[Fault]:
    """CHA, HID-1..6, GEN-8."""
    play = Play(2)
    turn = play.orders(0, hide=[play.hide(0, "chit/1", b"left")])
    right = play.dice(turn)

    def reveal(name: str, code: str, step: str, comment: str, by: int, *rows: Any) -> Fault:
        return name, code, step, comment, play.archive(play.record(by, "reveal", {"items": list(rows)}))

    chain = secrets_of(1).chain(1, 0)
    yield reveal("nonce-other", "E-PROMISE", "GEN-8", "another nonce than promised", 0, ["nonce", some("nonce-1")])
    yield reveal(
        "dice-value", "E-PROMISE", "CHA-4", "the value after the one due", 1, [*right[:2], chain.value(turn.seq + 1)]
    )
    yield reveal("dice-witness", "E-PROMISE", "CHA-4", "shown by the chooser", 0, right)
    yield reveal("dice-orders", "E-PROMISE", "CHA-4", "for orders that there are not", 1, ["dice", some("x"), right[2]])
    opened = items.make_open_item(play.ledger, secrets_of(0), "chit/1")
    yield reveal("open-value", "E-PROMISE", "HID-4", "another value than the one chosen", 0, [*opened[:3], b"right"])
    seq = play.log.count(0) - 1
    for name, comment, padded in (
        ("zeros", "a byte of the padding is not zero", pad(b"left")[:-1] + b"\1"),
        ("size", "padded to 128 bytes where 64 are enough", pad(b"left").ljust(128, b"\0")),
        ("none", "not padded at all", b"left"),
    ):
        slot = f"chit/{name}"
        bad = Play(2)
        secrets, seat = secrets_of(0), bad.genesis.seats_of(0)[0]
        committed = secrets.commit(bad.genesis.game_id, seat, slot, seq, padded)
        bad.orders(0, hide=[[slot, seat, committed, secrets.box(committed, pad(b"left"))]])
        last = bad.record(0, "reveal", {"items": [["open", slot, secrets.hide_nonce(seq, slot), padded]]})
        yield f"open-{name}", "E-PROMISE", "HID-1", comment, bad.archive(last)
    yield reveal("open-twice", "E-PROMISE", "HID-4", "opened twice", 0, opened, opened)
    yield reveal("open-other", "E-PROMISE", "HID-4", "opened by the opponent", 1, opened)
    yield reveal(
        "answer", "E-ANSWER", "HID-6", "a proof of no standing orders", 0, ["answer", "b/1", ["stand"], bytes(40)]
    )
    hide = play.hide(0, "chit/2", b"x")
    foreign = play.record(1, "orders", play.turn(1, hide=[hide]))
    yield "hide-seat", "E-SEAT", "HID-1", "a secret choice for the opponent's seat", play.archive(foreign)
    row = play.drawn((), "t1/crt", 6, 3)
    early = changed(row, group=(turn.id,))
    yield "draw-early", "E-DRAW", "FIL-6", "a draw before its key is known", play.archive(listing(early))
    play.reveal(1, right)
    good = play.drawn((turn.id,), "t1/crt", 6, 3)
    other = changed(good, results=tuple(1 + n % 6 for n in good.results))
    yield "draw-results", "E-DRAW", "CHA-8", "other results", play.archive(listing(other))
    yield "draw-label", "E-DRAW", "CHA-8", "another label", play.archive(listing(changed(good, label="t1/crt2")))
    yield "draw-again", "E-DRAW", "CHA-8", "another occurrence", play.archive(listing(changed(good, occurrence=1)))
    yield "draw-key", "E-DRAW", "CHA-8", "under K0", play.archive(listing(changed(good, group=())))
    yield "draw-sides", "E-DRAW", "FIL-6", "a die of one side", play.archive(listing(changed(good, sides=1)))
    both = Play(2)
    turns = [both.orders(by) for by in (0, 1)]
    both.reveal(1, both.dice(turns[0]))
    both.reveal(0, both.dice(turns[1]))
    crossed = both.drawn((turns[1].id, turns[0].id), "t1/crt", 6, 3)
    yield "draw-group", "E-DRAW", "FIL-6", "the orders of a key the wrong way round", both.archive(listing(crossed))
    lone = Play(1, mode="open")
    orders = lone.orders(0)
    named = listing(changed(lone.drawn((), "t1/crt", 6, 3), group=(orders.id,)))
    yield "draw-open", "E-DRAW", "FIL-6", "open dice, and a key of orders", lone.archive(named)
    wrong = play.record(1, "open_all", {"gs": secrets_of(0).gs})
    yield "open-all", "E-PROMISE", "HID-40", "another secret than the one promised", play.archive(wrong)
    play = Play(2)
    data = play.turn(0)
    play.add(0, "orders", {**data, "salt": bytes(16)})
    play.finish()
    yield "audit-salt", "E-AUDIT", "CHA-5", "a salt that does not follow from gs", play.archive()


def _cards() -> Iterator[Fault]:
    """HID-10..33."""
    play = Play(2, decks=_DECK)
    cards = tuple(range(4))
    first = items.make_pass_item(play.ledger, secrets_of(1), 1, "main", cards)

    def release(name: str, code: str, step: str, comment: str, by: int, row: Any) -> Fault:
        return name, code, step, comment, play.archive(play.record(by, "release", {"items": [row]}))

    points = first[4]
    assert isinstance(points, bytes)
    yield release("pass-turn", "E-DECK", "HID-12", "the wrong player begins", 0, first)
    yield release(
        "pass-equal", "E-DECK", "HID-14", "two equal points", 1, [*first[:4], points[:32] * 2 + points[64:], *first[5:]]
    )
    yield release(
        "pass-small", "E-DECK", "HID-14", "a point of small order", 1, [*first[:4], _SMALL + points[32:], *first[5:]]
    )
    yield release("pass-few", "E-DECK", "HID-14", "one point too few", 1, [*first[:4], points[32:], *first[5:]])
    play.release(1, first)
    for by in (0, 1):
        play.release(by, items.make_pass_item(play.ledger, secrets_of(by), by, "main", cards))
    key = items.make_slot_item(play.ledger, secrets_of(1), 1, "main/1/0")
    other = items.make_slot_item(play.ledger, secrets_of(1), 1, "main/1/1")
    yield release("slot-key", "E-PROMISE", "HID-15", "the key of another slot", 1, [*key[:2], other[2]])
    yield release("slot-name", "E-PROMISE", "HID-16", "a slot that there is not", 1, ["slot", "main/1/9", key[2]])
    yield release(
        "slot-deal", "E-DEAL", "GEN-9", "a card dealt where two shuffle", 1, ["give", "main/1/0", "seat0", bytes(84)]
    )
    play = Play(3, umpire=True, decks=_DECK)
    secrets = secrets_of(UMPIRE)
    play.release(UMPIRE, items.make_deal_item(play.ledger, secrets, "main", cards, ()))
    shown = items.make_show_item(play.ledger, secrets, "main/1/0")
    card = bytes(4) if shown[3] != bytes(4) else b"\0\0\0\1"
    yield release("show-card", "E-DEAL", "HID-31", "another card than the one dealt", UMPIRE, [*shown[:3], card])
