"""Whole archives of Bridgehead for level 3: complete games, games that go on, and one fault each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pbem.engine.archive import archive_items
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Peer, Table
from pbem.fairplay import items
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.listing import pack_listing, parse_listing
from pbem.protocol.record import UMPIRE, Record, make_record, parse_record
from tools.vectors.people import some
from tools.vectors.vector import SUCCESS, Vector

GAME = find("bridgehead")
ALICE, BOB = 0, 1
Data = dict[str, Any]


class Story:
    """A game told up to some point by players who keep to the rules, and then perhaps something that does not."""

    def __init__(self, seed: str = "vector", **kind: Any) -> None:
        self.table = Table(GAME, 2, seed=seed, **kind)

    def peer(self, number: int) -> Peer:
        return self.table.peers[number]

    def until(self, wanted: Callable[[Story], bool], most: int = 3_000) -> Story:
        for _ in range(most):
            self.table.deliver()
            if wanted(self):
                return self
            self.table.step()
        raise ValueError("this never happens")

    def owes(self, number: int, kind: str, item: str) -> bool:
        """The player's program has now to give an item of this kind."""
        owed = self.peer(number).player.owed(self.peer(number).match)
        return bool(owed) and owed[0][0] == kind and any(row[0] == item for row in _rows(owed[0][1]))

    def asked(self, number: int, *kinds: str) -> bool:
        """The player has to order alone, and may give an order of one of these kinds."""
        match = self.peer(number).match
        if not match.asked(number) or match.asked(1 - number):
            return False
        draft = self.peer(number).player.draft(match)
        return not kinds or any(order.kind in kinds for order in draft.legal())

    def owed(self, number: int) -> tuple[str, Data]:
        return self.peer(number).player.owed(self.peer(number).match)[0]

    def turn(self, number: int, *orders: Order, **changes: Any) -> Data:
        """The payload of orders that may well be illegal; without any, of those of a bot."""
        peer = self.peer(number)
        chosen = [] if orders else self.table.choose(number)
        data: Data = dict(peer.player.orders_data(peer.match, chosen, peer.replay.log.count(number)))
        if orders:
            data["orders"] = GAME.orders.write_all(orders)
        return {**data, **changes}

    def record(self, author: int, kind: str, data: Data, **changes: Any) -> Record:
        """The next record of an author, signed by them; `changes` make it a wrong one."""
        peer = self.peer(author)
        good = peer.player.record(peer.replay.log, peer.match, kind, data, at=1_700_000_000 + len(self.table.records))
        names = ("at", "by", "game", "heads", "kind", "pin", "prev", "seq")
        fields = {**{name: getattr(good, name) for name in names}, "data": data, **changes}
        return make_record(peer.player.keys, **fields)

    def archive(self, *more: Record | Item) -> list[Item]:
        """What an honest player would write now, and what comes behind."""
        self.table.deliver()
        told = list(archive_items(self.peer(ALICE).replay))
        return told + [each if isinstance(each, Item) else Item(ItemType.RECORD, each.raw) for each in more]

    def finish(self) -> Story:
        self.table.play()
        return self

    def resigned(self, by: int = BOB) -> Story:
        """The short way to an end with signatures and audit."""
        self.table.deliver()
        self.resign(by)
        return self.finish()

    def resign(self, by: int) -> Record:
        seats: Any = list(self.peer(by).match.genesis.seats_of(by))
        return self.table.send(by, "resign", {"seats": seats})


def _rows(data: Data) -> list[Any]:
    found = data.get("items", ())
    return list(found)


def vectors() -> Iterator[Vector]:
    yield from _good()
    for name, level, code, step, comment, told, bad in (*_faults(), *_shown(), *_played(), *_ended(), *_files()):
        yield fault_vector(name, level, code, step, comment, told, bad)


def fault_vector(
    name: str, level: int, code: str, step: str, comment: str, told: list[Item], bad: Record | bytes | None
) -> Vector:
    """`bad`: the record that is refused, or the file if it is not what `told` makes."""
    facts = {"level": str(level)}
    if isinstance(bad, Record):
        place = [item.raw for item in told if item.type is ItemType.RECORD].index(bad.raw)
        facts |= {"author": str(bad.by), "number": str(place), "record": bad.id.hex()}
    raw = write(told)
    return Vector(f"game-{name}", "game", code, step, comment, bad if isinstance(bad, bytes) else raw, facts)


# What passes


def _good() -> Iterator[Vector]:
    yield success(
        "strict", "two players, a deck that they shuffle themselves, to the last turn", Story().finish(), "MEA-14"
    )
    umpired = Story("umpired", mode="umpire", umpire=True)
    yield success("umpire", "the umpire rolls and deals, to the last turn", umpired.finish(), "HID-32")
    yield success("open", "open dice, to the last turn", Story("open", mode="open").finish(), "STA-2")
    running = Story("running").until(lambda s: s.owes(BOB, "reveal", "dice") or s.owes(ALICE, "reveal", "dice"))
    yield success("running", "somebody owes dice", running)
    waiting = Story("waiting").until(lambda s: s.owes(ALICE, "release", "slot") or s.owes(BOB, "release", "slot"))
    yield success("cards-owed", "somebody owes a card", waiting)
    resigned = Story("resigned").until(lambda s: s.asked(BOB, "move")).resigned()
    yield success("resigned", "one gives up, all secrets are opened and audited", resigned)
    yield success("forfeit", "claimed, put out, and an answer that crossed it", _forfeited(), "MEA-10")
    yield success("moot", "an offer of a draw that had not seen a resignation", _moot(), "MEA-4")
    yield success("offered", "dice shown with a draw that is agreed to when both know them", _offered(), "MEA-8")
    tied = Story("tied").until(lambda s: s.asked(ALICE, "move"))
    tie = tied.table.send(ALICE, "tie", {})
    tied.table.deliver()
    tied.table.send(BOB, "answer", {"to": tie.id, "yes": True})
    yield success("tied", "both agree to a draw", tied.finish())


def _forfeited() -> Story:
    """Bob's orders arrive when Alice has ruled; and he opens his secrets all the same."""
    story = Story("forfeit", silence=30).until(lambda s: s.asked(BOB))
    table = story.table
    claim = table.send(ALICE, "claim", {"owed": [["orders", seat] for seat in story.peer(BOB).match.asked(BOB)]})
    table.deliver()
    table.send(BOB, "orders", story.turn(BOB))
    seats: Any = list(story.peer(BOB).match.genesis.seats_of(BOB))
    state = story.peer(ALICE).match.state_hash()
    table.send(ALICE, "ruling", {"what": "forfeit", "why": "", "seats": seats, "claim": claim.id, "state": state})
    return story.finish()


def _offered() -> Story:
    """Alice offers a draw before she knows her dice; Bob shows them with his yes, and she agrees once more."""
    story = Story("dice").until(lambda s: s.owes(BOB, "reveal", "dice"))
    table = story.table
    tie = table.send(ALICE, "tie", {})
    table.deliver()
    for by in (BOB, ALICE):
        peer = story.peer(by)
        table.send(by, "answer", {"to": tie.id, "yes": True, **peer.player.chance(peer.match)})
        table.deliver()
    return story.finish()


def _moot() -> Story:
    story = Story("moot").until(lambda s: s.asked(ALICE, "move"))
    table = story.table
    story.resign(ALICE)
    table.send(BOB, "tie", {})
    return story.finish()


def success(name: str, comment: str, story: Story, step: str = "FIL-10") -> Vector:
    told = story.archive()
    match = story.peer(ALICE).match
    rows = [parse_listing(item.raw) for item in told if item.type is ItemType.DRAWS]
    facts = {
        "level": "3",
        "records": str(sum(item.type is ItemType.RECORD for item in told)),
        "draws": str(sum(len(row.draws) for row in rows)),
        "moot": str(sum(len(row.moot) for row in rows)),
        "state": match.state_hash().hex(),
        "result": "-" if match.result is None else f"{match.result.how} {match.result.winner or '-'}",
        "pending": " ".join(f"{each.by}:{each.what}" for each in match.pending()) or "-",
    }
    return Vector(f"game-{name}", "game", SUCCESS, step, comment, write(told), facts)


# What does not: each entry is name, first level that refuses, code, step, comment, items, and the bad record

Fault = tuple[str, int, str, str, str, list[Item], "Record | bytes | None"]


def _fault(
    name: str, level: int, code: str, step: str, comment: str, story: Story, bad: Record, *more: Record | Item
) -> Fault:
    return name, level, code, step, comment, story.archive(bad, *more), bad


def _faults() -> Iterator[Fault]:
    """Chains, heads, forks."""
    story = Story("chain").until(lambda s: s.asked(ALICE, "move"))
    data = story.turn(ALICE)
    good = story.record(ALICE, "orders", data)
    held = next(r for r in reversed(story.table.records) if r.by == ALICE)
    seen = dict(good.heads)

    def bad(name: str, code: str, step: str, comment: str, **changes: Any) -> Fault:
        return _fault(name, 1, code, step, comment, story, story.record(ALICE, "orders", data, **changes))

    before = next(r for r in story.table.records if r.by == BOB and r.id == seen[BOB])
    joined = next(r for r in story.table.records if r.by == BOB)
    yield bad("heads-stale", "E-HEADS", "LOG-4", "forgets what its author had seen", heads=((BOB, joined.id),))
    yield _unclosed()
    yield bad("pin", "E-PINS", "LOG-8", "names rules that were never agreed", pin=2)
    yield bad("other-game", "E-GAME", "GEN-5", "is of another game", game=some("elsewhere"))
    yield bad("by-the-other", "E-SIGNATURE", "KEY-2", "the other's number, the own key", by=BOB, seq=before.seq + 1,
              prev=before.id, heads=((ALICE, held.id),))  # fmt: skip
    fork = story.record(ALICE, held.kind, held.data, seq=held.seq, prev=held.prev, heads=held.heads, at=1)
    yield _fault("fork", 1, "E-FORK", "LOG-6", "a number used twice, both signed", story, fork)


def _unclosed() -> Fault:
    """Bob has seen what the umpire did; Alice cites Bob and not the umpire."""
    story = Story("unclosed b", mode="umpire", umpire=True)
    story.until(lambda s: s.asked(ALICE) and _news(s) is not None)
    older = _news(story)
    assert older is not None
    heads = tuple((by, older if by == UMPIRE else head) for by, head in story.peer(ALICE).replay.log.heads(ALICE))
    comment = "cites a player, and of the umpire less than that player had seen"
    bad = story.record(ALICE, "orders", story.turn(ALICE), heads=heads)
    return _fault("heads-unclosed", 1, "E-HEADS", "LOG-3", comment, story, bad)


def _news(story: Story) -> bytes | None:
    """The umpire's last record that Alice had seen in her last one, if Bob has seen a later one since."""
    log = story.peer(ALICE).replay.log
    mine, bobs = (log.past_at(by, log.count(by) - 1)[log.column(UMPIRE)] for by in (ALICE, BOB))
    return log.id_at(UMPIRE, mine - 1) if 0 < mine < bobs else None


def _shown() -> Iterator[Fault]:
    """What programs give: dice, cards."""
    story = Story("dice").until(lambda s: s.owes(BOB, "reveal", "dice") and len(_rows(s.owed(BOB)[1])) == 1)
    ((_, orders, x),) = _rows(story.owed(BOB)[1])
    peer = story.peer(BOB)

    def reveal(name: str, level: int, code: str, step: str, comment: str, *rows: Any) -> Fault:
        return _fault(name, level, code, step, comment, story, story.record(BOB, "reveal", {"items": list(rows)}))

    yield reveal("dice-wrong", 2, "E-PROMISE", "CHA-4", "32 bytes that are of no chain", ["dice", orders, some("x")])
    mark = peer.match.ledger.marks.get(orders)
    assert mark is not None
    chain = peer.player.secrets.chain(BOB, ALICE)
    later, other = chain.value(mark.seq + 1), story.peer(ALICE).player.secrets.chain(ALICE, BOB).value(mark.seq)
    yield reveal("dice-next", 2, "E-PROMISE", "CHA-4", "the value after the one that is due", ["dice", orders, later])
    yield reveal("dice-foreign", 2, "E-PROMISE", "CHA-4", "a value of the other's chain", ["dice", orders, other])
    yield reveal("dice-twice", 3, "E-UNASKED", "MEA-2", "the same value two times", *[["dice", orders, x]] * 2)
    tie = story.record(BOB, "tie", {})
    yield _fault("owes", 3, "E-OWES", "MEA-5", "offers a draw while dice are due from them", story, tie)
    wrong = story.record(BOB, "tie", {"items": [["dice", orders, later]]})
    yield _fault("offer-dice", 2, "E-PROMISE", "CHA-4", "shows other dice with the draw they offer", story, wrong)
    nonce = story.record(BOB, "tie", {"items": [["dice", orders, x], ["nonce", peer.player.secrets.nonce]]})
    yield _fault("offer-nonce", 3, "E-UNASKED", "MEA-5", "shows more than they owe with the draw", story, nonce)

    story = Story("early").until(lambda s: s.asked(ALICE, "move"))
    last = next(r for r in reversed(story.table.records) if (r.by, r.kind) == (ALICE, "orders"))
    peer = story.peer(BOB)
    chain = peer.player.secrets.chain(BOB, ALICE)
    early = story.record(BOB, "reveal", {"items": [["dice", last.id, chain.value(last.seq)]]})
    yield _fault("dice-unasked", 3, "E-UNASKED", "MEA-2", "dice for orders that need none", story, early)

    story = Story("claim", silence=30).until(lambda s: s.asked(BOB))
    seats: Any = list(story.peer(BOB).match.asked(BOB))
    bad = story.record(ALICE, "claim", {"owed": [["orders", seats[0]], ["dice", some("orders")]]})
    yield _fault("claim-not-owed", 3, "E-ACT", "MEA-10", "claims dice that nobody owes", story, bad)
    bad = story.record(BOB, "claim", {"owed": [["orders", seats[0]]]})
    yield _fault("claim-owes", 3, "E-OWES", "MEA-10", "claims and owes orders", story, bad)
    claim = story.table.send(ALICE, "claim", {"owed": [["orders", seats[0]]]})
    story.table.deliver()
    story.table.order(BOB, story.table.choose(BOB))
    story.until(lambda s: s.asked(BOB))
    said = {"what": "forfeit", "why": "", "seats": seats, "claim": claim.id}
    comment = "what was claimed was given, and is owed again"
    yield _fault("forfeit-given", 3, "E-RULING", "MEA-10", comment, story, story.record(ALICE, "ruling", said))

    yield from _cards()


def _cards() -> Iterator[Fault]:
    story = Story("pass").until(lambda s: s.owes(BOB, "release", "pass"))
    (row,) = _rows(story.owed(BOB)[1])
    points = row[4]
    twice = [*row[:4], points[:32] + points[:-32], *row[5:]]
    bad = story.record(BOB, "release", {"items": [twice]})
    yield _fault("pass-twice", 2, "E-DECK", "HID-14", "one point in two places", story, bad)
    bad = story.record(BOB, "release", {"items": [[*row[:2], 2, *row[3:]]]})
    yield _fault("pass-epoch", 2, "E-DECK", "HID-19", "a pass of the second shuffle before the first", story, bad)

    story = Story("scalar").until(lambda s: s.owes(BOB, "release", "slot"))
    rows = _rows(story.owed(BOB)[1])
    first = next(n for n, row in enumerate(rows) if row[0] == "slot")
    wrong = [*rows[:first], [*rows[first][:2], (1 << 254 | 8).to_bytes(32, "little")], *rows[first + 1 :]]
    bad = story.record(BOB, "release", {"items": wrong})
    yield _fault("slot-wrong", 2, "E-PROMISE", "HID-15", "a key that was not promised", story, bad)

    story = Story("own card").until(lambda s: s.asked(ALICE, "move") and bool(_hand(s, ALICE)))
    slot = _hand(story, ALICE)[0]
    peer = story.peer(ALICE)
    deck = next(iter(GAME.decks))
    undealt = f"{deck}/{peer.match.ledger.decks.last[deck]}/{len(GAME.decks[deck]) - 1}"
    given = items.make_slot_item(peer.match.ledger, peer.player.secrets, ALICE, undealt)
    bad = story.record(ALICE, "release", {"items": [given]})
    yield _fault("slot-unasked", 3, "E-UNASKED", "MEA-2", "a key that nobody asked for", story, bad)
    bad = story.record(ALICE, "orders", story.turn(ALICE, open=[[slot, some("key")]]))
    yield _fault("card-forged", 2, "E-PROMISE", "HID-15", "a card played with a key that is not its own", story, bad)


def _hand(story: Story, number: int) -> list[str]:
    """The slots that a player alone can read."""
    match = story.peer(number).match
    return [slot for slot in match.ledger.decks.held(number) if match.ledger.value(slot) is None]


def _played() -> Iterator[Fault]:
    """Orders."""
    story = Story("orders").until(lambda s: s.asked(ALICE, "move"))
    peer = story.peer(ALICE)
    legal = list(peer.player.draft(peer.match).legal())
    move = next(order for order in legal if order.kind == "move")

    def turn(name: str, level: int, code: str, step: str, comment: str, data: Data) -> Fault:
        return _fault(name, level, code, step, comment, story, story.record(ALICE, "orders", data))

    yield turn("desync", 3, "E-DESYNC", "MEA-7", "the author saw another position",
               story.turn(ALICE, move, state=some("elsewhere")))  # fmt: skip
    yield turn("order-illegal", 3, "E-ORDER", "MEA-6", "a move farther than any unit goes",
               story.turn(ALICE, type(move)(move.unit, 801 if move.to != 801 else 101)))  # type: ignore[attr-defined,call-arg]  # fmt: skip
    yield turn("order-again", 3, "E-ORDER", "MEA-6", "the same unit moves twice", story.turn(ALICE, move, move))
    yield turn("order-none", 3, "E-ORDER", "MEA-6", "no order at all",
               {**story.turn(ALICE, move), "orders": GAME.orders.write_all(())})  # fmt: skip
    yield turn("order-form", 3, "E-ORDER-FORM", "NOT-1", "an order of a kind that the game does not have",
               {**story.turn(ALICE, move), "orders": [["fly", 1]]})  # fmt: skip
    out = Story("orders").until(lambda s: s.asked(ALICE, "move"))
    data = {**story.turn(ALICE, move), "salt": out.peer(BOB).player.secrets.salt(9)}
    bad = out.record(BOB, "orders", data)
    yield _fault("order-out-of-turn", 3, "E-TURN", "MEA-2", "orders by the player who is not asked", out, bad)
    seats = list(peer.match.genesis.seats_of(BOB))
    bad = story.record(ALICE, "resign", {"seats": seats})
    yield _fault("resign-the-other", 3, "E-SEAT", "MEA-8", "gives up for the other", story, bad)


def _ended() -> Iterator[Fault]:
    """The end and the audit."""
    story = Story("end").until(lambda s: s.asked(ALICE, "move"))
    story.resign(BOB)
    story.table.deliver()
    kind, data = story.owed(ALICE)
    bad = story.record(ALICE, kind, {**data, "result": {**data["result"], "winner": None}})
    yield _fault("end-result", 3, "E-ACT", "MEA-11", "signs another result", story, bad)
    bad = story.record(ALICE, "open_all", {"gs": story.peer(ALICE).player.secrets.gs})
    yield _fault("end-skipped", 3, "E-ACT", "MEA-11", "opens everything before the result is signed", story, bad)
    story.until(lambda s: s.peer(ALICE).player.owed(s.peer(ALICE).match)[:1] != [] and s.owed(ALICE)[0] == "open_all")
    bad = story.record(ALICE, "open_all", {"gs": some("gs")})
    yield _fault("open-all-wrong", 2, "E-PROMISE", "HID-40", "another secret than the one promised", story, bad)

    story = Story("salt").until(lambda s: s.asked(ALICE, "move"))
    salted = story.table.send(ALICE, "orders", story.turn(ALICE, salt=some("salt")[:16]))
    story.resigned()
    yield "audit-salt", 2, "E-AUDIT", "CHA-5", "a salt of the author's own choice", story.archive(), salted

    story = Story("swap").until(lambda s: s.owes(BOB, "release", "pass") and _rows(s.owed(BOB)[1])[0][3] == 3)
    row = _rows(story.owed(BOB)[1])[0]
    points = row[4][32:64] + row[4][:32] + row[4][64:]
    swapped = story.table.send(BOB, "release", {"items": [[*row[:4], points, *row[5:]]]})
    story.finish()
    yield "audit-pass", 2, "E-AUDIT", "HID-12", "two points of the last pass exchanged", story.archive(), swapped


def _files() -> Iterator[Fault]:
    """What is done to a good archive."""
    told = Story("resigned").until(lambda s: s.asked(BOB, "move")).resigned().archive()
    at = len(told) // 2
    lost = parse_record(told[at].raw)
    yield "missing", 1, "E-INCOMPLETE", "LOG-5", f"record {at} is not there", [*told[:at], *told[at + 1 :]], None
    twice = [*told[: at + 1], told[at], *told[at + 1 :]]
    yield "twice", 1, "E-ARCHIVE", "FIL-4", "a record stands there two times", twice, lost
    raw = write(told)
    yield "cut-off", 1, "E-CUT", "FIL-1", "the last byte is missing", told, raw[:-1]

    story = Story("running").until(lambda s: s.owes(BOB, "reveal", "dice") or s.owes(ALICE, "reveal", "dice"))
    told = story.until(lambda s: any(item.type is ItemType.DRAWS for item in s.archive())).archive()
    at, listed = next((n, parse_listing(i.raw)) for n, i in enumerate(told) if i.type is ItemType.DRAWS)

    def draws(name: str, level: int, step: str, comment: str, *rows: Item) -> Fault:
        return name, level, "E-DRAW", step, comment, [*told[:at], *rows, *told[at + 1 :]], None

    one = listed.draws[0]
    other = tuple(result % one.sides + 1 for result in one.results)
    changed = type(one)(one.group, one.label, one.occurrence, one.sides, other)
    rest = listed.draws[1:]
    yield draws("draw-altered", 2, "FIL-6", "another result", _listing(changed, *rest))
    yield draws("draw-missing", 3, "FIL-6", "one draw is not listed", _listing(*rest))
    yield draws("draw-twice", 3, "FIL-6", "one draw is listed two times", _listing(one, one, *rest))
    yield draws("moot-absent", 3, "FIL-6", "names a record as without effect that is not there",
                Item(ItemType.DRAWS, pack_listing(listed.draws, (some("absent"),))))  # fmt: skip


def _listing(*draws: Any) -> Item:
    return Item(ItemType.DRAWS, pack_listing(draws))


__all__ = ["GAME", "UMPIRE", "Story", "fault_vector", "success", "vectors"]
